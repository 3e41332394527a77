"""Subclasses of boards and values may be written as those of python-chess: types that `test_python_types.py` checks."""

from dataclasses import dataclass
from typing import assert_type

from mola import chess


class Strict(chess.Board):
    def is_legal(self, move: chess.Move) -> bool:
        return bool(move) and super().is_legal(move)

    def is_pseudo_legal(self, move: chess.Move) -> bool:
        return bool(move) and super().is_pseudo_legal(move)


@dataclass
class Scored(chess.Move):
    score: float = 0.0


best = max([Scored(12, 28, score=1.5), Scored(11, 27)], key=lambda move: move.score)


board = chess.Board()
in_check = board.checkers() != chess.BB_EMPTY or chess.SquareSet(5) == 5
assert_type(board.legal_moves.board, chess.Board)
