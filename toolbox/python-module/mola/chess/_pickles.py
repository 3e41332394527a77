"""Pickles of boards, also those that python-chess has written."""

from __future__ import annotations

from typing import Any, Callable, Dict, Tuple

from mola._mola import chess as _native

_SIDES = {"occupied": "occupied_co", "pockets": "pockets", "remaining_checks": "remaining_checks"}
"""Attributes with a value for each color, by their names in `PositionState`."""
_STACKS = ("_stack", "_three_check_stack", "_crazyhouse_stack")


class PositionState:
    """The position before a move or, in pickles, what a variant adds to it."""

    def __init__(self, board: _native.Board) -> None:
        self.pawns = board.pawns
        self.knights = board.knights
        self.bishops = board.bishops
        self.rooks = board.rooks
        self.queens = board.queens
        self.kings = board.kings
        self.occupied_b, self.occupied_w = board.occupied_co
        self.occupied = board.occupied
        self.promoted = board.promoted
        self.turn = board.turn
        self.castling_rights = board.castling_rights
        self.ep_square = board.ep_square
        self.halfmove_clock = board.halfmove_clock
        self.fullmove_number = board.fullmove_number

    def restore(self, board: _native.Board) -> None:
        """Puts the position on a board."""
        values = dict(vars(self))
        for name, attribute in _SIDES.items():
            if name + "_w" in values:
                setattr(board, attribute, [values.pop(name + "_b"), values.pop(name + "_w")])
        for name, value in values.items():
            setattr(board, name, value)


def restored(
    constructor: Callable[..., Any], arguments: Tuple[Any, ...], position: Tuple[Any, ...]
) -> Any:
    """A board of a pickle, without attributes."""
    board = constructor(*arguments)
    board._load_position(*position)
    return board


def load_board(board: Any, state: Dict[str, Any]) -> None:
    """Puts the attributes of a board of python-chess, with its stack, on a board."""
    for states in zip(*(state[name] for name in _STACKS if name in state)):
        for before in states:
            before.restore(board)
        board._keep_position()
    for name, value in state.items():
        if name not in _STACKS:
            setattr(board, name, value)
