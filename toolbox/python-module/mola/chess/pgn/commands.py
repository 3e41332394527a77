"""Commands in comments: ``[%eval 0.25,18]``, ``[%clk 0:03:00]``, ``[%emt 0:00:05]``,
``[%csl Ga1]`` and ``[%cal Ga1a2]``.

Each pattern includes a space before and after, so that removing a command leaves no
double space.
"""

from __future__ import annotations

import re
import typing
from typing import Callable, Iterable, List, Optional, Tuple, Union

import mola.chess as chess
import mola.chess.engine
import mola.chess.svg

Pattern = typing.Pattern[str]
Match = typing.Match[str]


def _command(body: str) -> Pattern:
    return re.compile(rf"(?P<prefix>\s?)\[%{body}\](?P<suffix>\s?)")


_TIME = r"\s(?P<hours>\d+):(?P<minutes>\d+):(?P<seconds>\d+(?:\.\d*)?)"
_PAWNS = r"[+-]?(?:\d{0,10}\.\d{1,2}|\d{1,10}\.?)"
_ARROW = r"[RGYB][a-h][1-8](?:[a-h][1-8])?"

CLOCK_REGEX = _command("clk" + _TIME)
EMT_REGEX = _command("emt" + _TIME)
EVAL_REGEX = _command(rf"eval\s(?:\#(?P<mate>[+-]?\d+)|(?P<cp>{_PAWNS}))(?:,(?P<depth>\d+))?")
ARROWS_REGEX = _command(rf"(?:csl|cal)\s(?P<arrows>{_ARROW}(?:,{_ARROW})*)")


def _fill(text: str) -> Callable[[Match], str]:
    """Replaces a command by a text, or removes it."""

    def replacement(match: Match) -> str:
        prefix, suffix = match["prefix"], match["suffix"]
        if text:
            return prefix + text + suffix
        return suffix if prefix else ""

    return replacement


def replace_command(pattern: Pattern, comment: str, text: str) -> str:
    """The comment with a text in place of its first such command, or appended."""
    comment, found = pattern.subn(_fill(text), comment, count=1)
    if not found and text:
        # As python-chess: only other commands follow a line break without a space.
        separators = (" ",) if pattern is EVAL_REGEX else (" ", "\n")
        if comment and not comment.endswith(separators):
            comment += " "
        comment += text
    return comment


def time_in(pattern: Pattern, comment: str) -> Optional[float]:
    """The seconds of the first such command."""
    match = pattern.search(comment)
    if match is None:
        return None
    hours, minutes = int(match["hours"]), int(match["minutes"])
    return hours * 3600 + minutes * 60 + float(match["seconds"])


def time_command(name: str, seconds: Optional[float]) -> str:
    """A time as a command; empty without one."""
    if seconds is None:
        return ""
    seconds = max(0, seconds)
    hours = int(seconds // 3600)
    minutes = int(seconds % 3600 // 60)
    rest = f"{seconds % 3600 % 60:06.3f}".rstrip("0").rstrip(".")
    return f"[%{name} {hours}:{minutes:02d}:{rest}]"


def eval_in(comment: str) -> Optional[chess.engine.Score]:
    """The first evaluation, from White's point of view."""
    match = EVAL_REGEX.search(comment)
    if match is None:
        return None
    if match["mate"]:
        mate = int(match["mate"])
        return chess.engine.Mate(mate)
    return chess.engine.Cp(_centipawns(match["cp"]))


def _centipawns(text: str) -> int:
    pawns, _, fraction = text.lstrip("+-").partition(".")
    value = int(pawns or "0") * 100 + int(fraction.ljust(2, "0"))
    return -value if text[0] == "-" else value


def eval_depth_in(comment: str) -> Optional[int]:
    """The depth of the first evaluation, if it has one."""
    match = EVAL_REGEX.search(comment)
    return int(match["depth"]) if match is not None and match["depth"] else None


def eval_command(score: Optional[chess.engine.PovScore], depth: Optional[int]) -> str:
    """An evaluation as a command; empty where there is nothing to write."""
    if score is None:
        return ""
    white = score.white()
    centipawns, mate = white.score(), white.mate()
    after = "" if depth is None else f",{max(depth, 0):d}"
    if centipawns is not None:
        return f"[%eval {centipawns / 100:.2f}{after}]"
    return f"[%eval #{mate}{after}]" if mate else ""


def arrows_in(comment: str) -> List[chess.svg.Arrow]:
    """All arrows and marked squares."""
    found = (match["arrows"].split(",") for match in ARROWS_REGEX.finditer(comment))
    return [chess.svg.Arrow.from_pgn(text) for texts in found for text in texts]


def replace_arrows(
    comment: str, arrows: Iterable[Union[chess.svg.Arrow, Tuple[chess.Square, chess.Square]]]
) -> str:
    """The comment with its arrows replaced by these, at the start."""
    squares: List[str] = []
    lines: List[str] = []
    for arrow in arrows:
        if not isinstance(arrow, chess.svg.Arrow):
            tail, head = arrow
            arrow = chess.svg.Arrow(tail, head)
        (squares if arrow.tail == arrow.head else lines).append(arrow.pgn())
    comment = ARROWS_REGEX.sub(_fill(""), comment)
    commands = f"[%csl {','.join(squares)}]" if squares else ""
    commands += f"[%cal {','.join(lines)}]" if lines else ""
    if commands and comment and not comment.startswith((" ", "\n")):
        commands += " "
    return commands + comment
