"""The results of searches."""

from __future__ import annotations

from typing import Optional

import mola.chess as chess

from .info import InfoDict


class PlayResult:
    """The result of :meth:`Protocol.play`."""

    move: Optional[chess.Move]
    """The best move, or ``None`` if the engine resigned or found the game to be over."""

    ponder: Optional[chess.Move]
    """The answer that the engine expects, or ``None``."""

    info: InfoDict
    """What the engine said about its search, if that was asked for."""

    draw_offered: bool
    """Whether the engine offered a draw before it moved."""

    resigned: bool
    """Whether the engine resigned."""

    def __init__(
        self,
        move: Optional[chess.Move],
        ponder: Optional[chess.Move],
        info: Optional[InfoDict] = None,
        *,
        draw_offered: bool = False,
        resigned: bool = False,
    ) -> None:
        self.move = move
        self.ponder = ponder
        self.info = info or {}
        self.draw_offered = draw_offered
        self.resigned = resigned

    def __repr__(self) -> str:
        return (
            f"<{type(self).__name__} at {id(self):#x} (move={self.move}, ponder={self.ponder}, "
            f"info={self.info}, draw_offered={self.draw_offered}, resigned={self.resigned})>"
        )


class BestMove:
    """The result of :meth:`AnalysisResult.wait`."""

    move: Optional[chess.Move]
    """The best move, or ``None``."""

    ponder: Optional[chess.Move]
    """The answer that the engine expects, or ``None``."""

    def __init__(self, move: Optional[chess.Move], ponder: Optional[chess.Move]) -> None:
        self.move = move
        self.ponder = ponder

    def __repr__(self) -> str:
        return f"<{type(self).__name__} at {id(self):#x} (move={self.move}, ponder={self.ponder}>"
