"""Mola for Python: chess at the speed of Rust, in the words of python-chess.

``import mola.chess as chess`` is python-chess with one line changed; `install` makes
``import chess`` mean the same for code that cannot be changed.
"""

from ._install import install

__all__ = ["install"]
