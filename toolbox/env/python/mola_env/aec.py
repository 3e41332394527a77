"""PettingZoo's `chess_v6`, played by Mola: `env()` in place of `chess_v6.env()`."""

from __future__ import annotations

import warnings

import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from .server import ACTIONS, Server, State


def env(**kwargs) -> AECEnv:
    """The environment with the checks of PettingZoo's: out of bounds, out of order."""
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(raw_env(**kwargs)))


class raw_env(AECEnv, EzPickle):
    """The environment without checks. An illegal action ends the game by itself.

    `frames=1` gives observations of 20 channels; `fen` and `max_plies` are extensions. `reset` takes
    the option `fen`, too. `render_mode` is `human` (the board is printed), `ansi` or `svg`.
    """

    metadata = {
        "render_modes": ["human", "ansi", "svg"],
        "name": "chess_v6",
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        render_mode: str | None = None,
        *,
        frames: int = 8,
        fen: str | None = None,
        max_plies: int | None = None,
        mola: str | None = None,
    ) -> None:
        EzPickle.__init__(self, render_mode, frames=frames, fen=fen, max_plies=max_plies, mola=mola)
        super().__init__()
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ValueError(f"{render_mode} is none of {self.metadata['render_modes']}")
        self.render_mode = render_mode
        self.possible_agents = ["player_0", "player_1"]
        self.agents = self.possible_agents[:]
        self._server = Server(1, frames=frames, fen=fen, max_plies=max_plies, mola=mola)
        shape = (8, 8, self._server.channels)
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, 1, shape, bool),
                    "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(ACTIONS) for agent in self.possible_agents}

    def observation_space(self, agent):
        return self.observation_spaces[agent]

    def action_space(self, agent):
        return self.action_spaces[agent]

    def reset(self, seed=None, options=None):
        fen = (options or {}).get("fen")
        self.agents = self.possible_agents[:]
        self.infos = {agent: {} for agent in self.agents}
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self._skip_agent_selection = None
        self._show(self._server.reset([] if fen is None else [fen]))
        if self.render_mode == "human":
            self.render()

    def step(self, action):
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            return self._was_dead_step(action)
        after = self._server.step(np.array([int(action)]))
        if self._state.masks[0, int(action)]:
            self._show(after)
            self._accumulate_rewards()
        else:
            # PettingZoo goes on to show the position in which it happened.
            self._flag(after)
            self._accumulate_rewards()
            self._deads_step_first()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent):
        player = self.possible_agents.index(agent)
        if player == self._state.players[0]:
            observation = self._state.observations[0].copy()
        else:
            observation = self._server.observe(player)[0]
        mask = self._state.masks[0]
        mask = mask.copy() if agent == self.agent_selection else np.zeros_like(mask)
        return {"observation": observation, "action_mask": mask}

    def render(self):
        if self.render_mode is None:
            warnings.warn("render() without a render mode: give one to env()", stacklevel=2)
            return None
        if self.render_mode == "human":
            print(self._server.render(), end="\n\n")
            return None
        return self._server.render(mode=self.render_mode)

    def close(self):
        self._server.close()

    def _show(self, state: State) -> None:
        self._state = state
        self.agent_selection = self.possible_agents[state.players[0]]
        self._flag(state)

    def _flag(self, state: State) -> None:
        """Rewards and flags of a state, for both agents."""
        terminated, truncated = bool(state.terminations[0]), bool(state.truncations[0])
        self.rewards = dict(zip(self.agents, state.rewards[0].tolist(), strict=True))
        self.terminations = dict.fromkeys(self.agents, terminated)
        self.truncations = dict.fromkeys(self.agents, truncated)
        if terminated and not truncated:
            self.infos = {agent: {"legal_moves": []} for agent in self.agents}
