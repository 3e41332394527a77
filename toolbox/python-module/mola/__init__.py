"""Mola for Python: chess at the speed of Rust, in the words of python-chess.

``import mola.chess as chess`` is python-chess with one line changed; `install` makes
``import chess`` mean the same for code that cannot be changed.
"""

from ._columns import MATE, NO_EVAL, Games, TextColumn, read_pgn, unpack_move
from ._install import install

__all__ = ["MATE", "NO_EVAL", "Games", "TextColumn", "install", "read_pgn", "unpack_move"]
