"""What makes `Move` and `Piece` data classes, as they are in python-chess."""

from __future__ import annotations

import dataclasses
from typing import Any, Optional, Type

from mola._mola.chess import Move, Piece

from ._constants import Color, PieceType, Square


@dataclasses.dataclass(unsafe_hash=True)
class _MoveFields:
    from_square: Square
    to_square: Square
    promotion: Optional[PieceType] = None
    drop: Optional[PieceType] = None


@dataclasses.dataclass
class _PieceFields:
    piece_type: PieceType
    color: Color


def _declare(cls: Type[Any], fields: Type[Any]) -> None:
    """Gives a native class the declarations of a data class, by which others are derived and values are
    written and read. Its objects have slots, though native ones."""
    for name in ("__dataclass_fields__", "__dataclass_params__", "__annotations__"):
        setattr(cls, name, getattr(fields, name))
    setattr(cls, "__slots__", tuple(fields.__annotations__))


_declare(Move, _MoveFields)
_declare(Piece, _PieceFields)
