"""A board as an array of pixels, for watching a learner, and for tests."""

from __future__ import annotations

import functools
from typing import Any, List

import numpy as np

LIGHT, DARK = (240, 217, 181), (181, 136, 99)
WHITE, BLACK = (255, 255, 255), (30, 30, 30)

# Pieces on a grid of 12 by 12, from pawn to king.
SHAPES = """
............ ............ ............ ............ ............ ............
............ .....##..... .....##..... .##..##..##. #....##....# .....##.....
............ ....####.... ....####.... .##..##..##. #.#.####.#.# ....####....
.....##..... ...######... ...###.##... .##########. ##.######.## .....##.....
....####.... ..########.. ..###.####.. ..########.. .##########. .###.##.###.
....####.... ..####.####. ..##.#####.. ...######... .##########. ############
.....##..... .......####. ..########.. ...######... ..########.. ############
....####.... .....#####.. ...######... ...######... ..########.. .##########.
...######... ....#####... ....####.... ...######... ...######... ..########..
...######... ...######... ...######... ..########.. ..########.. ..########..
..########.. ..########.. ..########.. .##########. .##########. .##########.
............ ............ ............ ............ ............ ............
"""


@functools.lru_cache(maxsize=None)
def shapes() -> List[Any]:
    """The pieces as arrays of bool, (12, 12)."""
    rows = [line.split() for line in SHAPES.strip().splitlines()]
    return [np.array([[dot == "#" for dot in row[piece]] for row in rows]) for piece in range(6)]


def outline(shape: Any) -> Any:
    """The border of a shape, on its inside."""
    padded = np.pad(shape, 1)
    inner = padded[:-2, 1:-1] & padded[2:, 1:-1] & padded[1:-1, :-2] & padded[1:-1, 2:]
    return shape & ~inner


def draw(pieces: List[int], height: int) -> Any:
    """The image: uint8, (height, height, 3).

    :param pieces: From a8 to h1, as :meth:`Games.pieces` has them.
    """
    board = np.zeros((8, 12, 8, 12, 3), np.uint8)
    for square, piece in enumerate(pieces):
        row, column = divmod(square, 8)
        cell = board[row, :, column]
        cell[:] = LIGHT if (row + column) % 2 == 0 else DARK
        if piece:
            shape = shapes()[(piece - 1) % 6]
            cell[shape] = WHITE if piece <= 6 else BLACK
            cell[outline(shape)] = BLACK
    picture = board.reshape(96, 96, 3)
    scale = np.arange(height) * 96 // height
    return np.ascontiguousarray(picture[scale][:, scale])
