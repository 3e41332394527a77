"""Chess for reinforcement learning, played by the engine Mola.

`VecEnv` plays many games side by side and needs NumPy alone. `mola_env.aec` has PettingZoo's
`chess_v6` as an AEC environment and needs PettingZoo.
"""

from .server import ACTIONS, MolaError, State
from .vec import VecEnv

__all__ = ["ACTIONS", "MolaError", "State", "VecEnv"]
