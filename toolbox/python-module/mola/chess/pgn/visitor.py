"""The callbacks of reading or traversing a game."""

from __future__ import annotations

import abc
import enum
from typing import Final, Generic, MutableMapping, Optional, TypeVar

import mola.chess as chess


class SkipType(enum.Enum):
    """The type of :data:`SKIP`."""

    SKIP = None


SKIP: Final = SkipType.SKIP
"""What a visitor answers that does not want to see the rest of what just began."""

ResultT = TypeVar("ResultT", covariant=True)


class BaseVisitor(abc.ABC, Generic[ResultT]):
    """
    Base class for visitors.

    Use with :func:`chess.pgn.Game.accept()` or
    :func:`chess.pgn.GameNode.accept()` or :func:`chess.pgn.read_game()`.

    The methods are called in the order of the text.
    """

    def begin_game(self) -> Optional[SkipType]:
        """A game begins."""
        return None

    def begin_headers(self) -> Optional[MutableMapping[str, str]]:
        """
        The tags begin. A visitor that collects them returns its :class:`Headers`, in which the
        reader will then look for the start position.
        """
        return None

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        """A tag pair."""

    def end_headers(self) -> Optional[SkipType]:
        """The tags are complete."""
        return None

    def begin_parse_san(self, board: chess.Board, san: str) -> Optional[SkipType]:
        """
        Only when reading: a text that should be a move, before it is parsed. A move that is
        skipped is not played.
        """
        return None

    def parse_san(self, board: chess.Board, san: str) -> chess.Move:
        """
        Only when reading: parses a move in standard algebraic notation. Override it for texts
        with moves in another notation.

        .. deprecated:: 1.1
            It is called only with texts that the reader takes for moves.
        """
        return board.parse_san(san)

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:
        """
        A move.

        *board* is the position before it. It may be changed, but must be restored.
        """

    def visit_board(self, board: chess.Board) -> None:
        """
        The start position, and the position after each move.

        *board* may be changed, but must be restored.
        """

    def visit_comment(self, comment: str) -> None:
        """A comment."""

    def visit_nag(self, nag: int) -> None:
        """A numeric annotation glyph."""

    def begin_variation(self) -> Optional[SkipType]:
        """A variation begins. The main line is not a variation."""
        return None

    def end_variation(self) -> None:
        """A variation ends."""

    def visit_result(self, result: str) -> None:
        """The result that ends the moves."""

    def end_game(self) -> None:
        """A game ends."""

    @abc.abstractmethod
    def result(self) -> ResultT:
        """The result of the visitor."""

    def handle_error(self, error: Exception) -> None:
        """Something is wrong with the game. Raises the exception, unless overridden."""
        raise error
