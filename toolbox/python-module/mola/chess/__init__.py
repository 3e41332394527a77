"""Boards, moves and pieces as python-chess has them."""

from __future__ import annotations

from ._board import BaseBoard as BaseBoard, Board as Board
from mola._mola.chess import (  # noqa: F401
    AmbiguousMoveError as AmbiguousMoveError,
    IllegalMoveError as IllegalMoveError,
    InvalidMoveError as InvalidMoveError,
    Move as Move,
    Piece as Piece,
    SquareSet as SquareSet,
)
