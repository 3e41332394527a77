"""Mola's searcher in this process."""

from __future__ import annotations

import dataclasses
import logging
import math
import numbers
from typing import (
    Any,
    Dict,
    Iterable,
    Iterator,
    List,
    Mapping,
    Optional,
    Tuple,
    Union,
    overload,
)

import mola.chess as chess
from mola._mola.engine import Search, Searcher
from mola.chess.engine import (
    AnalysisComplete,
    BestMove,
    ConfigMapping,
    ConfigValue,
    Cp,
    EngineError,
    InfoDict,
    Limit,
    Mate,
    MateGiven,
    Option,
    PlayResult,
    PovScore,
    PovWdl,
    Score,
    UciOptionMap,
    Wdl,
)
from mola.chess.engine.uci_info import parse_option

from ._counts import COUNTS, check_count

LOGGER = logging.getLogger("mola.engine")


def _declared() -> UciOptionMap[Option]:
    lines = (line.split(" ", 1)[1] for line in Searcher.options())
    options = (option for option in map(parse_option, lines) if option is not None)
    return UciOptionMap((option.name, option) for option in options)


def _parsed(option: Option, value: ConfigValue) -> ConfigValue:
    try:
        return option.parse(value)
    except (TypeError, OverflowError):
        # `int` does not take it.
        raise EngineError(
            f"expected integer for {option.type} option {option.name!r}, got: {value!r}"
        ) from None


class Engine:
    """Mola's searcher in this process.

    It searches on threads of its own, and other Python threads run meanwhile. One position is
    searched at a time: a further call, also in another thread, stops the search that runs, whose
    move is then ``None``. Limits are given by a :class:`mola.chess.engine.Limit` or by its fields as
    arguments:

    >>> import mola, mola.chess as chess
    >>> engine = mola.Engine(Hash=16)
    >>> info = engine.analyse(chess.Board("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1"), depth=5)
    >>> info["score"].white(), info["pv"][0]
    (Mate(+1), Move.from_uci('d1d8'))

    :param options: Options by name, as :meth:`configure` sets them; write ``_`` for a blank
        (``SyzygyPath="tables"``, ``Skill_Level=3``).
    """

    def __init__(self, **options: ConfigValue) -> None:
        self._searcher = Searcher()
        self._declared = _declared()
        self._closed = False
        self.configure(dict(_named(options, self)))

    @property
    def options(self) -> Mapping[str, Option]:
        """The options, by names in upper or lower case: those that Mola has under UCI.

        :meth:`configure` refuses those that are set automatically (``MultiPV``, ``Ponder``,
        ``UCI_Chess960`` and ``UCI_Variant``), and ``Debug Log File``, as there are no lines of a protocol
        to log; what the engine has to say goes to the logger ``mola.engine``.
        """
        return self._declared.copy()

    def configure(self, options: ConfigMapping) -> None:
        """Sets options permanently, such as ``{"Hash": 64, "Threads": 2, "SyzygyPath": "tables"}``.

        To use an opening book, set ``{"OwnBook": True, "BookFile": "book.bin"}``.

        With ``{"UCI_ShowWDL": True}`` information has the entry ``wdl``.

        :raises: :exc:`mola.chess.engine.EngineError` for an unknown option, one that cannot be set
            here, a value that it does not allow, and a file that cannot be used.
        """
        for name, value in options.items():
            option = self._declared.get(name)
            if option is None:
                available = ", ".join(self._declared)
                raise EngineError(
                    f"engine does not support option {name} (available options: {available})"
                )
            if option.is_managed():
                raise EngineError(f"cannot set {name} which is automatically managed")
            # The searcher itself reads texts such as "off", and refuses those that are neither.
            is_text = option.type == "check" and isinstance(value, str)
            self._set(option.name, value if is_text else _parsed(option, value))

    def _set(self, name: str, value: ConfigValue) -> None:
        text = str(value).lower() if isinstance(value, bool) else str(value)
        try:
            messages = self._searcher.set_option(name, text)
        except ValueError as err:
            raise EngineError(str(err)) from None
        for message in messages:
            _log(message)

    def new_game(self) -> None:
        """Clears the hash table and the histories."""
        self._searcher.new_game()

    def analysis(
        self,
        board: chess.Board,
        limit: Optional[Limit] = None,
        *,
        multipv: Optional[int] = None,
        root_moves: Optional[Iterable[chess.Move]] = None,
        **limits: Any,
    ) -> Analysis:
        """Starts to analyse a position; without a limit, until stopped. Books and a reduced strength
        are for playing: analysis ignores them.

        Iterate over the result to get the output of the search.

        :raises: :exc:`ValueError` for a position that cannot be played.
        """
        lines = self._declared["MultiPV"].parse(1 if multipv is None else multipv)
        limit = _limit("analysis", limit, limits)
        return self._go(board, limit, root_moves, int(lines or 1), analyses=True)

    def _go(
        self,
        board: chess.Board,
        limit: Optional[Limit],
        root_moves: Optional[Iterable[chess.Move]],
        lines: int,
        analyses: bool,
    ) -> Analysis:
        if self._closed:
            raise EngineError("the engine is closed")
        roots = None if root_moves is None else [move.uci() for move in root_moves]
        if roots == []:
            raise ValueError("root_moves: no move to consider")
        root = board.root()
        search, messages = self._searcher.go(
            type(board).uci_variant or "chess",
            root.fen(en_passant="fen"),
            board.chess960,
            [move.uci() for move in board.move_stack],
            {
                **{name: getattr(limit, name, None) for name in (*COUNTS, *_TIMES)},
                "root_moves": roots or [],
                "infinite": limit is None,
            },
            lines,
            analyses,
        )
        for message in messages:
            _log(message)
        return Analysis(self._searcher, search, board.turn)

    @overload
    def analyse(
        self,
        board: chess.Board,
        limit: Optional[Limit] = None,
        *,
        multipv: None = None,
        root_moves: Optional[Iterable[chess.Move]] = None,
        **limits: Any,
    ) -> InfoDict: ...
    @overload
    def analyse(
        self,
        board: chess.Board,
        limit: Optional[Limit] = None,
        *,
        multipv: int,
        root_moves: Optional[Iterable[chess.Move]] = None,
        **limits: Any,
    ) -> List[InfoDict]: ...
    def analyse(
        self,
        board: chess.Board,
        limit: Optional[Limit] = None,
        *,
        multipv: Optional[int] = None,
        root_moves: Optional[Iterable[chess.Move]] = None,
        **limits: Any,
    ) -> Union[InfoDict, List[InfoDict]]:
        """Analyses a position and returns the result.

        :param board: The position, with the moves that led to it.
        :param limit: When to stop; or its fields as arguments: ``nodes=``, ``depth=``, ``time=``
            in seconds, ``mate=``.
        :param multipv: The number of best moves to report. The result is then a list, best
            move first. If a limit ends the search within a depth, the later ones are of the depth
            before, and may have higher scores.
        :param root_moves: Consider these moves only.
        """
        limit = _limit("analyse", limit, limits)
        if not _ends(limit, board.turn):
            raise EngineError("analyse without a limit: use analysis, which can be stopped")
        with self.analysis(board, limit, multipv=multipv, root_moves=root_moves) as run:
            run.wait()
        return run.info if multipv is None else run.multipv

    def play(
        self,
        board: chess.Board,
        limit: Optional[Limit] = None,
        *,
        root_moves: Optional[Iterable[chess.Move]] = None,
        **limits: Any,
    ) -> PlayResult:
        """Finds a move, maybe from the book. The parameters are those of :meth:`analyse`; clocks are limits,
        too."""
        limit = _limit("play", limit, limits)
        if not _ends(limit, board.turn):
            raise EngineError("play without a limit")
        with self._go(board, limit, root_moves, 1, analyses=False) as run:
            best = run.wait()
        return PlayResult(best.move, best.ponder, run.info)

    def close(self) -> None:
        """Stops the running search."""
        self._closed = True
        self._searcher.new_game()

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Analysis:
    """A running search, as :meth:`Engine.analysis` returns it.

    Iterate over it to get the output of the search. As a context manager it stops the search at the
    end.
    """

    multipv: List[InfoDict]
    """What was found so far, an entry for each line, best first."""

    def __init__(self, searcher: Searcher, search: Search, turn: chess.Color) -> None:
        self._searcher = searcher
        self._search = search
        self._turn = turn
        self._best: Optional[BestMove] = None
        self.multipv = [{}]

    @property
    def info(self) -> InfoDict:
        """The latest information on the best line: the same as ``multipv[0]``."""
        return self.multipv[0]

    def next(self) -> Optional[InfoDict]:
        """Waits for the next information; ``None`` if the search is over."""
        if self._best is not None:
            return None
        heard = self._searcher.next(self._search)
        if len(heard) == 2:
            move, ponder = (uci and chess.Move.from_uci(uci) for uci in heard)
            self._best = BestMove(move or None, ponder or None)
            return None
        info = _info(heard, self._turn)
        while len(self.multipv) < info["multipv"]:
            self.multipv.append({})
        self.multipv[info["multipv"] - 1] = info
        return info

    def get(self) -> InfoDict:
        """Like :meth:`next`.

        :raises: :exc:`mola.chess.engine.AnalysisComplete` if the search is over.
        """
        info = self.next()
        if info is None:
            raise AnalysisComplete()
        return info

    def wait(self) -> BestMove:
        """Waits for the end of the search. There is no move if another search has taken its place."""
        while self.next() is not None:
            pass
        assert self._best is not None
        return self._best

    def stop(self) -> None:
        """Stops the search."""
        self._searcher.stop(self._search)

    def would_block(self) -> bool:
        """Whether :meth:`next` or a step of the iteration would have to wait."""
        return self._best is None and self._searcher.would_block(self._search)

    def __iter__(self) -> Iterator[InfoDict]:
        return iter(self.next, None)

    def __enter__(self) -> Analysis:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def _named(options: Dict[str, ConfigValue], engine: Engine) -> Iterator[Tuple[str, ConfigValue]]:
    """Options given as arguments, where a blank cannot be written."""
    declared = {name.replace(" ", "_").lower(): name for name in engine.options}
    for name, value in options.items():
        yield declared.get(name.lower(), name), value


def _log(message: str) -> None:
    """Logs what the searcher says; as a warning, if it does with less than it was told to use."""
    is_shortage = message.startswith(("no memory ", "this machine has "))
    LOGGER.log(logging.WARNING if is_shortage else logging.INFO, "%s", message)


def _limit(method: str, limit: Optional[Limit], fields: Dict[str, Any]) -> Optional[Limit]:
    """The limit that was given to a method, whole or by its fields."""
    for name in fields:
        if name not in {field.name for field in dataclasses.fields(Limit)}:
            raise TypeError(f"{method}() got an unexpected keyword argument {name!r}")
    if limit is not None and not hasattr(limit, "depth"):
        raise TypeError(f"limit: expected a Limit, not {limit!r}")
    if limit is not None and fields:
        raise TypeError("a limit, and fields of one")
    limit = Limit(**fields) if fields else limit
    for name in COUNTS:
        check_count(name, getattr(limit, name, None))
    for name in _TIMES:
        seconds = getattr(limit, name, None)
        if seconds is not None and not isinstance(seconds, numbers.Real):
            raise TypeError(f"{name}: expected a number of seconds, not {seconds!r}")
        if seconds is not None and math.isnan(seconds):
            raise ValueError(f"{name}: not a number")
    return limit


def _ends(limit: Optional[Limit], turn: chess.Color) -> bool:
    """Whether a search with this limit ends by itself; one for a mate does if it finds it."""
    clock = "white_clock" if turn else "black_clock"
    fields = ("time", "depth", "nodes", "mate", clock)
    return any(getattr(limit, name, None) is not None for name in fields)


_TIMES = ("time", "white_clock", "black_clock", "white_inc", "black_inc")
"""The limits in seconds."""


def _score(kind: str, value: int) -> Score:
    if kind == "given":
        return MateGiven
    return Mate(value) if kind == "mate" else Cp(value)


def _info(line: Any, turn: chess.Color) -> InfoDict:
    depth, seldepth, multipv, score, bound, chances, work, moves = line
    nodes, time, nps, hashfull, tbhits = work
    info: InfoDict = {
        "depth": depth,
        "seldepth": seldepth,
        "multipv": multipv,
        "score": PovScore(_score(*score), turn),
        "nodes": nodes,
        "time": time,
        "nps": nps,
        "hashfull": hashfull,
        "tbhits": tbhits,
        "pv": [chess.Move.from_uci(move) for move in moves],
    }
    if bound:
        key = "lowerbound" if bound > 0 else "upperbound"
        info[key] = True  # type: ignore[literal-required]
    if chances is not None:
        info["wdl"] = PovWdl(Wdl(*chances), turn)
    return info
