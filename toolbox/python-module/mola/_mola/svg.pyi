from typing import Optional

from mola.chess import BaseBoard, Piece

XX: str
CHECK_GRADIENT: str
DEFAULT_COLORS: list[tuple[str, str]]

def board(
    board: Optional[BaseBoard],
    is_white: bool,
    last_move: list[int],
    check: Optional[int],
    arrows: list[tuple[int, int, str]],
    fill: list[tuple[int, str]],
    crosses: int,
    size: Optional[str],
    coordinates: bool,
    colors: list[tuple[str, str]],
    borders: bool,
    style: Optional[str],
) -> str: ...
def piece(piece: Piece) -> str: ...
def coordinate(name: str) -> str: ...
