"""Chess for reinforcement learning: PettingZoo's ``chess_v6``, bit for bit, in this process.

- :class:`Games` steps many games together; it needs only NumPy.
- :class:`VecEnv` is a ``gymnasium.vector.VectorEnv``; it needs Gymnasium.
- :func:`env` is the AEC environment in place of ``chess_v6.env``; it needs PettingZoo.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from .games import ACTIONS as ACTIONS
from .games import Games as Games
from .games import State as State

if TYPE_CHECKING:
    from .aec import env as env
    from .aec import raw_env as raw_env
    from .vec import VecEnv as VecEnv

__all__ = ["ACTIONS", "Games", "State", "VecEnv", "env", "raw_env"]

# Imported on first use: these need optional packages.
_LAZY = {"VecEnv": ".vec", "env": ".aec", "raw_env": ".aec"}


def __getattr__(name: str) -> Any:
    module = _LAZY.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(module, __name__), name)
