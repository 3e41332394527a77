"""Methods of nodes for the commands in their comments: evaluation, arrows, times."""

from __future__ import annotations

from typing import Iterable, List, Optional, Protocol, Tuple, Union

import mola.chess as chess
import mola.chess.engine
import mola.chess.svg
from mola.chess import Color, Square

from . import commands


class Annotated(Protocol):
    """What these methods need of a node."""

    comment: str

    def turn(self) -> Color:
        """The side to move."""
        ...


def eval(self: Annotated) -> Optional[chess.engine.PovScore]:
    """
    Parses the first valid ``[%eval ...]`` annotation in the comment of
    this node, if any.

    Complexity is `O(n)`.
    """
    score = commands.eval_in(self.comment)
    if score is None:
        return None
    turn = self.turn()
    # Mate(0) means that the side to move is mated, whichever side it is.
    if turn == chess.BLACK and score != chess.engine.Mate(0):
        score = -score
    return chess.engine.PovScore(score, turn)


def eval_depth(self: Annotated) -> Optional[int]:
    """
    Parses the first valid ``[%eval ...]`` annotation in the comment of
    this node and returns the corresponding depth, if any.

    Complexity is `O(1)`.
    """
    return commands.eval_depth_in(self.comment)


def set_eval(
    self: Annotated, score: Optional[chess.engine.PovScore], depth: Optional[int] = None
) -> None:
    """
    Replaces the first valid ``[%eval ...]`` annotation in the comment of
    this node or adds a new one.
    """
    _set_command(self, commands.EVAL_REGEX, commands.eval_command(score, depth))


def arrows(self: Annotated) -> List[chess.svg.Arrow]:
    """
    Parses all ``[%csl ...]`` and ``[%cal ...]`` annotations in the comment
    of this node.

    Returns a list of :class:`arrows <chess.svg.Arrow>`.
    """
    return commands.arrows_in(self.comment)


def set_arrows(
    self: Annotated, arrows: Iterable[Union[chess.svg.Arrow, Tuple[Square, Square]]]
) -> None:
    """
    Replaces all valid ``[%csl ...]`` and ``[%cal ...]`` annotations in
    the comment of this node or adds new ones.
    """
    self.comment = commands.replace_arrows(self.comment, arrows)


def clock(self: Annotated) -> Optional[float]:
    """
    Parses the first valid ``[%clk ...]`` annotation in the comment of
    this node, if any.

    Returns the player's remaining time to the next time control after this
    move, in seconds.
    """
    return commands.time_in(commands.CLOCK_REGEX, self.comment)


def set_clock(self: Annotated, seconds: Optional[float]) -> None:
    """
    Replaces the first valid ``[%clk ...]`` annotation in the comment of
    this node or adds a new one.
    """
    _set_command(self, commands.CLOCK_REGEX, commands.time_command("clk", seconds))


def emt(self: Annotated) -> Optional[float]:
    """
    Parses the first valid ``[%emt ...]`` annotation in the comment of
    this node, if any.

    Returns the player's elapsed move time use for the comment of this
    move, in seconds.
    """
    return commands.time_in(commands.EMT_REGEX, self.comment)


def set_emt(self: Annotated, seconds: Optional[float]) -> None:
    """
    Replaces the first valid ``[%emt ...]`` annotation in the comment of
    this node or adds a new one.
    """
    _set_command(self, commands.EMT_REGEX, commands.time_command("emt", seconds))


def _set_command(self: Annotated, pattern: commands.Pattern, text: str) -> None:
    self.comment = commands.replace_command(pattern, self.comment, text)
