"""Boards, moves and pieces with the API of python-chess."""

from __future__ import annotations

import dataclasses as _dataclasses
import typing as _typing

from mola._mola.chess import (
    AmbiguousMoveError as AmbiguousMoveError,
    IllegalMoveError as IllegalMoveError,
    InvalidMoveError as InvalidMoveError,
    LegalMoveGenerator as LegalMoveGenerator,
    Move as Move,
    Piece as Piece,
    PseudoLegalMoveGenerator as PseudoLegalMoveGenerator,
    SquareSet as SquareSet,
)

from ._base_board import (
    BaseBoard as BaseBoard,
    BaseBoardT as BaseBoardT,
)
from ._board import (
    Board as Board,
    BoardT as BoardT,
)
from ._constants import *  # noqa: F403
from ._outcome import Outcome as Outcome
from ._pickles import PositionState as _BoardState  # noqa: F401

__author__ = "The Mola authors"
__email__ = ""
__version__ = "1.11.2"
"""The version of python-chess whose behavior this is."""


@_dataclasses.dataclass
class _Move:
    """The fields of a `Move`, for `dataclasses.replace` and its like."""

    from_square: Square  # noqa: F405
    to_square: Square  # noqa: F405
    promotion: _typing.Optional[PieceType] = None  # noqa: F405
    drop: _typing.Optional[PieceType] = None  # noqa: F405


@_dataclasses.dataclass
class _Piece:
    """The fields of a `Piece`."""

    piece_type: PieceType  # noqa: F405
    color: Color  # noqa: F405


for _class, _fields in ((Move, _Move), (Piece, _Piece)):
    setattr(_class, "__dataclass_fields__", getattr(_fields, "__dataclass_fields__"))

# They report the public module as theirs.
for _value in list(globals().values()):
    if isinstance(_value, type) and _value.__module__.startswith(__name__ + "._"):
        _value.__module__ = __name__
