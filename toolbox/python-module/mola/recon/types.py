"""Why a game of reconnaissance chess ended, and type aliases."""

from __future__ import annotations

# Bots import these names by `from reconchess import *` and `from reconchess.types import *`.
from enum import Enum as Enum
from typing import List as List
from typing import Optional as Optional
from typing import Tuple as Tuple
from typing import Type as Type

import mola.chess as chess

Color = chess.Color
Square = int
PieceType = int

SenseResult = List[Tuple[int, Optional[chess.Piece]]]
"""The squares that a sense shows, and what stands there."""


class WinReason(Enum):
    """Why a game ended."""

    KING_CAPTURE = 1
    """A king was captured."""
    TIMEOUT = 2
    """A player ran out of time."""
    RESIGN = 3
    """A player resigned."""
    TURN_LIMIT = 4
    """The limit of full turns was reached."""
    MOVE_LIMIT = 5
    """The limit of reversible moves was reached."""
