"""Mola for Python: chess at the speed of Rust, with the API of python-chess.

- ``import mola.chess as chess`` is python-chess with one line changed; `install` makes
  ``import chess`` mean the same for code that cannot be changed.
- `Engine` is Mola's searcher in this process; `evaluate` and `legal_moves` take positions by the
  thousand, from lists or NumPy arrays.
- `read_pgn` reads a collection into NumPy columns.
- `mola.env` is chess for reinforcement learning, `mola.recon` reconnaissance chess.
"""

from __future__ import annotations

import importlib
import importlib.util
from typing import TYPE_CHECKING, Any, List

from ._install import install

if TYPE_CHECKING:
    from . import chess as chess
    from . import env as env
    from . import recon as recon
    from ._bulk import MoveColumns as MoveColumns
    from ._bulk import evaluate as evaluate
    from ._bulk import legal_moves as legal_moves
    from ._columns import MATE as MATE
    from ._columns import NO_EVAL as NO_EVAL
    from ._columns import Games as Games
    from ._columns import TextColumn as TextColumn
    from ._columns import read_pgn as read_pgn
    from ._columns import unpack_move as unpack_move
    from ._engine import Analysis as Analysis
    from ._engine import Engine as Engine

__all__ = [
    "MATE",
    "NO_EVAL",
    "Analysis",
    "Engine",
    "Games",
    "MoveColumns",
    "TextColumn",
    "evaluate",
    "install",
    "legal_moves",
    "read_pgn",
    "unpack_move",
]

# Imported on first use, so that `import mola` is fast.
_LAZY = {
    "MATE": "._columns",
    "NO_EVAL": "._columns",
    "Analysis": "._engine",
    "Engine": "._engine",
    "Games": "._columns",
    "MoveColumns": "._bulk",
    "TextColumn": "._columns",
    "evaluate": "._bulk",
    "legal_moves": "._bulk",
    "read_pgn": "._columns",
    "unpack_move": "._columns",
}


_MODULES = ("chess", "env", "recon")


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f".{name}", __name__)
    module = _LAZY.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(module, __name__), name)
    globals()[name] = value
    return value


def __dir__() -> List[str]:
    # Not what this file imports for itself.
    names = {*__all__, *_MODULES, *(name for name in globals() if name.startswith("__"))}
    # `help` imports each name, and `env` needs NumPy.
    return sorted(names if importlib.util.find_spec("numpy") else names - {"env"})
