"""A search in UCI."""

from __future__ import annotations

import copy
from typing import Dict, Iterable, List, Optional, Tuple

import mola.chess as chess

from .command import LOGGER
from .error import EngineError
from .limit import Limit
from .option import ConfigValue, UciOptionMap
from .result import BestMove
from .uci_engine import OPPONENT, UciEngine

ANALYSE_MODE = "UCI_AnalyseMode"


class UciSearch:
    """The parameters of a search, for play and analysis."""

    def __init__(
        self,
        board: chess.Board,
        limit: Optional[Limit],
        game: object,
        root_moves: Optional[Iterable[chess.Move]],
        options: Dict[str, ConfigValue],
    ) -> None:
        self.board = board.copy()
        self.limit = limit
        self.game = game
        self.root_moves = None if root_moves is None else list(root_moves)
        self.options = options
        self.analysing = False
        self.managed: Dict[str, ConfigValue] = {"MultiPV": 1, "Ponder": False}

    def check(self, engine: UciEngine) -> None:
        """Checks that the engine supports it.

        :raises: :exc:`EngineError` if not.
        """
        engine._check_options(self.options)
        if self.board.uci_variant != "chess" and "UCI_Variant" not in engine.options:
            raise EngineError("engine does not support UCI_Variant")
        if self.board.chess960 and "UCI_Chess960" not in engine.options:
            raise EngineError("engine does not support UCI_Chess960")
        if self.managed["MultiPV"] != 1:
            engine._require_option("MultiPV")
        for name, value in {**self.managed, **self.rules()}.items():
            if name in engine.options:
                engine.options[name].parse(value)

    def rules(self) -> Dict[str, ConfigValue]:
        """The options for the variant."""
        variant = type(self.board).uci_variant
        return {"UCI_Variant": variant, "UCI_Chess960": self.board.chess960}

    def changes(self, engine: UciEngine) -> List[Tuple[str, ConfigValue]]:
        """Options to set before the search."""
        mode: Dict[str, ConfigValue] = {ANALYSE_MODE: self.analysing}
        asked = {**engine.target_config, **self.options}
        if ANALYSE_MODE in UciOptionMap(asked):
            mode = {}
        return engine._changes({**self.options, **mode, **self.managed, **self.rules()})

    def opponent(self, engine: UciEngine) -> ConfigValue:
        """The opponent in this search."""
        return self.options.get(OPPONENT, engine.target_config.get(OPPONENT))

    def is_new_game(self, engine: UciEngine) -> bool:
        """Whether to send ``ucinewgame``."""
        return engine.first_game or engine.game != self.game

    def prepare(self, engine: UciEngine, new_game: bool) -> None:
        """Sets the options, and starts a new game if necessary."""
        rules = self.rules()
        changes = self.changes(engine)
        engine._set_options(change for change in changes if change[0] not in rules)
        if new_game:
            engine.send_line("ucinewgame")
            engine.first_game = False
            engine.game = self.game
            if OPPONENT in engine.options:
                opponent = self.opponent(engine)
                if opponent:
                    engine._set_options([(engine.options[OPPONENT].name, opponent)])
                engine.config[OPPONENT] = opponent
            engine.send_line("isready")

    def go(self, engine: UciEngine) -> None:
        """Begins the search."""
        rules = self.rules()
        engine._set_options(change for change in self.changes(engine) if change[0] in rules)
        self.send_position(engine)
        engine.send_line(self.command())

    def send_position(self, engine: UciEngine) -> None:
        """Tells the engine the position."""
        if not all(self.board.move_stack):
            LOGGER.warning("Not transmitting history with null moves to UCI engine")
        engine.send_line(self.position())
        engine.board = self.board.copy(stack=False)

    def position(self) -> str:
        """The ``position`` line."""
        root, moves = reproducible(self.board)
        fen = root.fen(shredder=root.chess960, en_passant="fen")
        start = root.uci_variant == "chess" and fen == chess.STARTING_FEN
        line = "position startpos" if start else f"position fen {fen}"
        return " ".join([line, "moves", *(move.uci() for move in moves)] if moves else [line])

    def command(self, *, ponder: bool = False) -> str:
        """The ``go`` line."""
        words = ["go"]
        if ponder:
            words.append("ponder")
        if self.limit is None:
            words.append("infinite")
        else:
            words.extend(limit_words(self.limit))
        if self.root_moves is not None and not ponder:
            words.append("searchmoves")
            words.extend(move.uci() for move in self.root_moves or [chess.Move.null()])
        return " ".join(words)

    def after(self, best: BestMove, seconds: float) -> UciSearch:
        """The search after a move, for which the engine took some seconds, and its expected answer,
        for which to ponder."""
        search = copy.copy(self)
        search.board = self.board.copy()
        for move in (best.move, best.ponder):
            search.board.push(move)  # type: ignore[arg-type]
        search.limit = limit = copy.copy(self.limit or Limit())
        white = search.board.turn
        if limit.white_clock is not None:
            limit.white_clock += (limit.white_inc or 0) - (seconds if white else 0)
        if limit.black_clock is not None:
            limit.black_clock += (limit.black_inc or 0) - (0 if white else seconds)
        if limit.remaining_moves is not None:
            limit.remaining_moves -= 1
        return search


def reproducible(board: chess.Board) -> Tuple[chess.Board, List[chess.Move]]:
    """A position, and the moves from it to that of the board. UCI has no null moves, so it is the
    position after the last of them."""
    root = board.copy()
    moves: List[chess.Move] = []
    while root.move_stack and root.peek():
        moves.append(root.pop())
    return root, moves[::-1]


def milliseconds(seconds: float) -> int:
    """A time of at least 1 ms: with zero some engines lose on time, or never stop."""
    return max(1, round(seconds * 1000))


def limit_words(limit: Limit) -> Iterable[str]:
    """The arguments of ``go`` for a limit."""
    for word, clock in (("wtime", limit.white_clock), ("btime", limit.black_clock)):
        if clock is not None:
            yield f"{word} {milliseconds(clock)}"
    for word, increment in (("winc", limit.white_inc), ("binc", limit.black_inc)):
        if increment is not None:
            yield f"{word} {round(increment * 1000)}"
    if limit.remaining_moves is not None and limit.remaining_moves > 0:
        yield f"movestogo {int(limit.remaining_moves)}"
    for word, count in (("depth", limit.depth), ("nodes", limit.nodes), ("mate", limit.mate)):
        if count is not None:
            yield f"{word} {max(1, int(count))}"
    if limit.time is not None:
        yield f"movetime {milliseconds(limit.time)}"
