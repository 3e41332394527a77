"""The output of UCI engines: ``option``, ``info`` and ``bestmove``."""

from __future__ import annotations

import re
from typing import Callable, Dict, List, Optional, Tuple

import mola.chess as chess

from .command import LOGGER
from .error import EngineError
from .info import INFO_ALL, INFO_CURRLINE, INFO_PV, INFO_REFUTATION, INFO_SCORE, Info, InfoDict
from .option import ConfigValue, Option
from .result import BestMove
from .score import Cp, Mate, PovScore
from .wdl import PovWdl, Wdl

# As in python-chess: only the last alternative is anchored at its end.
UCI_REGEX = re.compile(r"^[a-h][1-8][a-h][1-8][pnbrqk]?|[PNBRQK]@[a-h][1-8]|0000\Z")

OPTION_REGEX = re.compile(r"name\s+(?P<name>\S.*?)\s+type\s+(?P<type>\S+)(?P<rest>.*)")
OPTION_FIELD_REGEX = re.compile(r"(?:^|\s+)(default|min|max|var)(?=\s|$)")

INTEGERS = (
    "depth",
    "seldepth",
    "nodes",
    "nps",
    "tbhits",
    "multipv",
    "currmovenumber",
    "hashfull",
    "cpuload",
)


def parse_option(text: str) -> Optional[Option]:
    """Parses the arguments of ``option``; ``None`` if they are invalid."""
    match = OPTION_REGEX.match(text.strip())
    if not match:
        return None
    kind, rest = match["type"], match["rest"].strip()
    fields: Dict[str, str] = {}
    var: List[str] = []
    if kind == "string":  # may hold any word
        fields["default"] = re.sub(r"^default\b\s*", "", rest)
    else:
        words = OPTION_FIELD_REGEX.split(rest)
        for key, value in zip(words[1::2], words[2::2]):
            if key == "var":
                var.append(value.strip())
            else:
                fields[key] = value.strip()
    return Option(
        match["name"],
        kind,
        default_of(kind, fields.get("default")),
        integer(fields.get("min")),
        integer(fields.get("max")),
        var,
    )


def default_of(kind: str, text: Optional[str]) -> ConfigValue:
    """The default value of an option of a kind."""
    if kind == "check":
        return (text or "false").lower() != "false"
    if kind == "spin":
        return integer(text)
    return None if kind == "button" else text


def integer(text: Optional[str]) -> Optional[int]:
    """The value of a text, if it is a number."""
    try:
        return int(text or "")
    except ValueError:
        return None


NO_MOVE = ("(none)", "NULL")
"""What engines write if there is no move."""


def parse_bestmove(board: chess.Board, args: str) -> BestMove:
    """Parses the arguments of ``bestmove``.

    :raises: :exc:`EngineError` if the move is illegal. A wrong ponder move is left out.
    """
    tokens = args.split()
    if not tokens or tokens[0] in NO_MOVE:
        return BestMove(None, None)
    after = board.copy(stack=False)
    try:
        move = after.push_uci(lower_case(tokens[0]))
    except ValueError as err:
        raise EngineError(err) from err
    ponder = None
    if len(tokens) >= 3 and tokens[1] == "ponder" and tokens[2] not in NO_MOVE:
        try:
            ponder = after.push_uci(lower_case(tokens[2]))
        except ValueError:
            LOGGER.exception("Engine sent invalid ponder move")
    return BestMove(move, ponder)


def lower_case(uci: str) -> str:
    """A move in UCI notation, possibly in upper case."""
    return uci if "@" in uci else uci.lower()


def parse_info(arg: str, root_board: chess.Board, selector: Info = INFO_ALL) -> InfoDict:
    """Parses the arguments of ``info``. Invalid ones are left out."""
    if not selector:
        return {}
    return InfoReader(arg, root_board, selector).read()


class InfoReader:
    """Reads a line of information, token by token."""

    def __init__(self, arg: str, board: chess.Board, selector: Info) -> None:
        # A string goes to the end of the line, spaces and all.
        parts = re.split(r"(?:^|(?<=\s))string(?=\s|$)", arg, maxsplit=1)
        self.string = parts[1].lstrip() if len(parts) > 1 else None
        self.tokens = parts[0].split()
        self.at = 0
        self.board = board
        self.selector = selector
        self.info: InfoDict = {}
        self.readers: Dict[str, Callable[[], None]] = {
            "score": self._score,
            "lowerbound": lambda: self._bound("lowerbound"),
            "upperbound": lambda: self._bound("upperbound"),
            "time": self._time,
            "ebf": self._ebf,
            "currmove": self._currmove,
            "wdl": self._wdl,
            "pv": self._pv,
            "refutation": self._refutation,
            "currline": self._currline,
        }

    def read(self) -> InfoDict:
        """All information of the line."""
        while self.at < len(self.tokens):
            key = self._next()
            try:
                if key in INTEGERS:
                    self.info[key] = int(self._next())  # type: ignore[literal-required]
                elif key in self.readers:
                    self.readers[key]()
            except (ValueError, IndexError) as err:
                LOGGER.error("Error parsing %s of info: %r", key, err)
        if self.string is not None:
            self.info["string"] = self.string
        return self.info

    def _next(self) -> str:
        token = self.tokens[self.at]
        self.at += 1
        return token

    def _score(self) -> None:
        kind, value = self._next(), int(self._next())
        if self.selector & INFO_SCORE and kind in ("cp", "mate"):
            score = Cp(value) if kind == "cp" else Mate(value)
            self.info["score"] = PovScore(score, self.board.turn)

    def _bound(self, key: str) -> None:
        if "score" in self.info:
            self.info[key] = True  # type: ignore[literal-required]

    def _time(self) -> None:
        self.info["time"] = int(self._next()) / 1000

    def _ebf(self) -> None:
        self.info["ebf"] = float(self._next())

    def _currmove(self) -> None:
        self.info["currmove"] = chess.Move.from_uci(self._next())

    def _wdl(self) -> None:
        wins, draws, losses = int(self._next()), int(self._next()), int(self._next())
        self.info["wdl"] = PovWdl(Wdl(wins, draws, losses), self.board.turn)

    def _pv(self) -> None:
        line = self._line()
        if self.selector & INFO_PV:
            self.info["pv"] = self._play(line)

    def _refutation(self) -> None:
        line = self._line()
        if self.selector & INFO_REFUTATION:
            refutations = self.info.setdefault("refutation", {})
            if line:
                move, *answer = self._play(line)
                refutations[move] = answer

    def _currline(self) -> None:
        number: Optional[int] = None
        if self.at < len(self.tokens):
            number = integer(self.tokens[self.at])
            self.at += number is not None
        line = self._line()
        if self.selector & INFO_CURRLINE:
            lines = self.info.setdefault("currline", {})
            if number is not None:
                lines[number] = self._play(line)

    def _line(self) -> List[str]:
        begin = self.at
        while self.at < len(self.tokens) and UCI_REGEX.match(self.tokens[self.at]):
            self.at += 1
        return self.tokens[begin : self.at]

    def _play(self, line: List[str]) -> List[chess.Move]:
        board = self.board.copy(stack=False)
        return [board.push_uci(move) for move in line]


def split_word(line: str) -> Tuple[str, str]:
    """The first word of a line, and the rest of it."""
    parts = line.split(maxsplit=1)
    return (parts[0] if parts else "", parts[1] if len(parts) > 1 else "")
