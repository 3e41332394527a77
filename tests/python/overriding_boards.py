"""Subclasses of boards may have the signatures of python-chess: types that `test_python_types.py` checks."""

from mola import chess


class Strict(chess.Board):
    def is_legal(self, move: chess.Move) -> bool:
        return bool(move) and super().is_legal(move)

    def is_pseudo_legal(self, move: chess.Move) -> bool:
        return bool(move) and super().is_pseudo_legal(move)
