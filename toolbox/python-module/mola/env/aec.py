"""PettingZoo's `chess_v6`, played by Mola: `env()` in place of `chess_v6.env()`."""

from __future__ import annotations

import operator
import warnings
from typing import Any, Dict, List, Optional

import numpy as np
from gymnasium import spaces  # type: ignore[import-not-found,import-untyped,unused-ignore]
from gymnasium.utils import EzPickle  # type: ignore[import-not-found,import-untyped,unused-ignore]
from pettingzoo import AECEnv  # type: ignore[import-not-found,import-untyped,unused-ignore]
from pettingzoo.utils import wrappers  # type: ignore[import-not-found,import-untyped,unused-ignore]

import mola.chess as chess

from .games import ACTIONS, Games, State
from .picture import draw


def env(**kwargs: Any) -> AECEnv:
    """The environment in PettingZoo's wrappers, which check action bounds and the order of calls."""
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(raw_env(**kwargs)))


class raw_env(AECEnv, EzPickle):  # type: ignore[misc,unused-ignore]
    """The environment without wrappers. An illegal action ends the game.

    :param render_mode: ``human`` (a window), ``rgb_array``, ``ansi`` or ``svg``.
    :param screen_height: Height of the image in pixels.
    :param frames: 1 gives observations of 20 channels instead of 111.
    :param fen: The start position; `reset` takes the option `fen`, too.
    :param max_plies: The number of plies after which a game is truncated.
    """

    metadata = {
        "render_modes": ["human", "ansi", "rgb_array", "svg"],
        "name": "chess_v6",
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        render_mode: Optional[str] = None,
        screen_height: Optional[int] = 800,
        *,
        frames: int = 8,
        fen: Optional[str] = None,
        max_plies: Optional[int] = None,
    ) -> None:
        EzPickle.__init__(
            self, render_mode, screen_height, frames=frames, fen=fen, max_plies=max_plies
        )
        super().__init__()
        modes = self.metadata["render_modes"]
        if render_mode is not None and render_mode not in modes:  # type: ignore[operator,unused-ignore]
            raise ValueError(f"{render_mode} is not one of {modes}")
        self.render_mode = render_mode
        self.screen_height = self.screen_width = int(screen_height or 800)
        if self.screen_height < 1:
            raise ValueError("screen_height: at least 1 expected")
        self.possible_agents = ["player_0", "player_1"]
        self.agents = self.possible_agents[:]
        self.games = Games(1, frames=frames, fen=fen, max_plies=max_plies)
        """The game."""
        self._state = self.games.reset()
        self._start = self.games.fen()
        self._moves: List[str] = []
        self._window: Any = None
        self._clock: Any = None
        # What PettingZoo shows before the first reset.
        self.agent_selection: Any = None
        self.rewards: Any = None
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: Dict[str, Any] = {agent: {} for agent in self.agents}
        shape = (8, 8, self.games.channels)
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

    @property
    def board(self) -> chess.Board:
        """A copy of the board with its moves. Changes of it do not change the game."""
        board = chess.Board(self._start, chess960=True)
        # The game is one of Chess960 where its castling rights are.
        board.chess960 = board.has_chess960_castling_rights()
        for move in self._moves:
            board.push_uci(move)
        return board

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> None:
        """Starts a game; ``options={"fen": ...}`` says where. In a position in which the game is over, both
        agents have their rewards at once.

        :raises: :exc:`ValueError` for a position that cannot be played; then nothing changes.
        """
        fen = (options or {}).get("fen")
        state = self.games.reset([] if fen is None else [fen])
        self._start, self._moves = self.games.fen(), []
        self.agents = self.possible_agents[:]
        self.infos = {agent: {} for agent in self.agents}
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self._skip_agent_selection = None
        self._show(state)
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        action = operator.index(action)
        move = self.games.move(action)
        after = self.games.step(np.array([action]))
        if move is not None:
            self._moves.append(move)
            self._show(after)
            self._accumulate_rewards()
        else:
            # As in PettingZoo, the observations still show the position before it, and only this
            # reward is a float.
            self._flag(after)
            self.rewards[agent] = float(self.rewards[agent])
            self._accumulate_rewards()
            self._deads_step_first()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Dict[str, Any]:
        player = self.possible_agents.index(agent)
        if player == self._state.players[0]:
            observation = self._state.observations[0].copy()
        else:
            observation = self.games.observe(player)[0]
        mask = self._state.masks[0]
        mask = mask.copy() if agent == self.agent_selection else np.zeros_like(mask)
        return {"observation": observation, "action_mask": mask}

    def render(self) -> Any:
        if self.render_mode is None:
            warnings.warn("render() without a render mode: give one to env()", stacklevel=2)
            return None
        if self.render_mode in ("ansi", "svg"):
            return self.games.render(mode=self.render_mode)
        picture = draw(self.games.pieces(), self.screen_height)
        if self.render_mode == "rgb_array":
            return picture
        self._show_window(picture)
        return None

    def close(self) -> None:
        """Closes the window. The game goes on."""
        if self._window is not None:
            import pygame

            pygame.display.quit()
            self._window = None

    def _show_window(self, picture: Any) -> None:
        # PettingZoo's classic games need pygame as well.
        import pygame

        if self._window is None:
            pygame.display.init()
            self._window = pygame.display.set_mode((self.screen_width, self.screen_height))
            pygame.display.set_caption("Chess")
            self._clock = pygame.time.Clock()
        pygame.event.pump()
        surface = pygame.surfarray.make_surface(picture.swapaxes(0, 1))
        self._window.blit(surface, (0, 0))
        pygame.display.update()
        self._clock.tick(self.metadata["render_fps"])

    def _show(self, state: State) -> None:
        self._state = state
        self.agent_selection = self.possible_agents[state.players[0]]
        self._flag(state)

    def _flag(self, state: State) -> None:
        """Rewards and flags of a state, for both agents."""
        terminated, truncated = bool(state.terminations[0]), bool(state.truncations[0])
        self.rewards = dict(zip(self.agents, state.rewards[0].tolist()))
        self.terminations = dict.fromkeys(self.agents, terminated)
        self.truncations = dict.fromkeys(self.agents, truncated)
        if terminated and not truncated:
            self.infos = {agent: {"legal_moves": []} for agent in self.agents}
