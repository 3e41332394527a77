"""Boards."""

from __future__ import annotations

from mola._mola import chess as _native

STARTING_BOARD_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
STARTING_FEN = STARTING_BOARD_FEN + " w KQkq - 0 1"


class BaseBoard(_native.BaseBoard):
    def __init__(self, board_fen: str | None = STARTING_BOARD_FEN) -> None:
        if board_fen is None:
            self._clear_board()
        elif board_fen == STARTING_BOARD_FEN:
            self._reset_board()
        else:
            self._set_board_fen(board_fen)


class Board(_native.Board, BaseBoard):
    _rules = "standard"
