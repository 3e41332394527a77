"""The functions by which python-chess makes its tables of attacks, under its names."""

from __future__ import annotations

from typing import Dict, Iterable, Iterator, List, Tuple

from mola._mola import chess as _native

from ._constants import (
    BB_ALL,
    BB_RAYS,
    BB_SQUARES,
    SQUARES,
    Bitboard,
    Square,
    _edges as _edges,
    _slider_tables,
    square_distance,
)


def _sliding_attacks(square: Square, occupied: Bitboard, deltas: Iterable[int]) -> Bitboard:
    """The squares that a piece reaches by steps of these differences, each way up to the first occupied one."""
    reached = 0
    for delta in deltas:
        here, there = square, square + delta
        # A step that is longer on the board goes around its edge.
        while 0 <= there < len(SQUARES) and square_distance(here, there) <= 2:
            reached |= BB_SQUARES[there]
            if BB_SQUARES[there] & occupied:
                break
            here, there = there, there + delta
    return reached


def _step_attacks(square: Square, deltas: Iterable[int]) -> Bitboard:
    """The squares that a piece reaches by one step."""
    return _sliding_attacks(square, BB_ALL, deltas)


def _carry_rippler(mask: Bitboard) -> Iterator[Bitboard]:
    """Iterates over all subsets of a set."""
    return _native.carry_rippler(mask)


def _attack_table(deltas: List[int]) -> Tuple[List[Bitboard], List[Dict[Bitboard, Bitboard]]]:
    """The masks of relevant occupancy by square, and the attacks of a slider by relevant occupancy."""

    def attacks(square: Square, occupied: Bitboard) -> Bitboard:
        return _sliding_attacks(square, occupied, deltas)

    return _slider_tables(attacks, [BB_ALL] * len(SQUARES))


def _rays() -> List[List[Bitboard]]:
    """The line through two squares, by both; 0 if there is none."""
    return list(map(list, BB_RAYS))
