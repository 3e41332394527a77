"""Many games as a vector environment of Gymnasium."""

from __future__ import annotations

import operator
from typing import Any, Dict, Iterable, Optional, Tuple

import gymnasium  # type: ignore[import-not-found,import-untyped,unused-ignore]
import numpy as np
from gymnasium import spaces  # type: ignore[import-not-found,import-untyped,unused-ignore]
from gymnasium.vector import AutoresetMode, VectorEnv  # type: ignore[import-not-found,import-untyped,unused-ignore]
from gymnasium.vector.utils import batch_space  # type: ignore[import-not-found,import-untyped,unused-ignore]

from .games import ACTIONS, Games, State


class VecEnv(VectorEnv):  # type: ignore[misc,unused-ignore]
    """Many games of chess in which one learner plays both sides.

        envs = VecEnv(64)
        observations, infos = envs.reset()
        actions = envs.sample_legal()
        observations, rewards, terminations, truncations, infos = envs.step(actions)

    An observation is a dictionary: ``observation``, bool (games, 8, 8, 111 or 20), is what the
    player to act sees, and ``action_mask``, int8 (games, 4672), marks its legal actions. The reward
    is that of the player who has acted. ``infos`` has ``player``, who is to act (0 is White), and
    ``rewards``, those of both players. A game that is over starts again with the next step, from the position
    of the parameter *fen*, and the action for it is ignored (``AutoresetMode.NEXT_STEP``).

    The arrays are new with each step, in memory that Rust fills. With *copy*, as in Gymnasium, whoever
    changes them changes nothing of the environment. Without it the masks and players are those that
    `step`, `action_masks` and `sample_legal` look at, which spares a copy of the masks. The other
    parameters are those of :class:`Games`.
    """

    metadata = {"render_modes": ["ansi", "svg"], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        num_envs: int,
        *,
        frames: int = 8,
        fen: Optional[str] = None,
        max_plies: Optional[int] = None,
        render_mode: Optional[str] = None,
        copy: bool = True,
    ) -> None:
        modes = self.metadata["render_modes"]
        if render_mode is not None and render_mode not in modes:  # type: ignore[operator,unused-ignore]
            raise ValueError(f"{render_mode} is not one of {modes}")
        self.games = Games(num_envs, frames=frames, fen=fen, max_plies=max_plies)
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.copy = copy
        self.single_observation_space = spaces.Dict(
            {
                "observation": spaces.Box(0, 1, (8, 8, self.games.channels), bool),
                "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8),
            }
        )
        self.single_action_space = spaces.Discrete(ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.state: Optional[State] = None
        """What the games show now."""

    def reset(
        self, *, seed: Any = None, options: Optional[Dict[str, Any]] = None
    ) -> Tuple[Dict[str, Any], Dict[str, Any]]:
        """Starts all games; ``options={"fens": [...]}`` says where: one for all, or one for each.

        :param seed: A number, or a list of one for each game.
        :param options: Besides, a ``reset_mask`` of Gymnasium that names all games.
        :raises: :exc:`TypeError` for any other seed and for *fens* that are a string, :exc:`ValueError` for
            other options and for positions in which the game is over: no step could tell of it.
        """
        options = {} if options is None else options
        self._check(options)
        if isinstance(seed, (list, tuple, np.ndarray)):
            if len(seed) != self.num_envs:
                raise ValueError(f"{self.num_envs} seeds expected, not {len(seed)}")
            self.np_random = np.random.default_rng([operator.index(one) for one in seed])
        else:
            super().reset(seed=None if seed is None else operator.index(seed))
        fens: Iterable[str] = options.get("fens", ())
        self.state = None
        state = self.games.reset(fens)
        if state.terminations.any():
            if "fens" not in options:
                raise ValueError("fen: the game is over at its start")
            game = int(np.argmax(state.terminations))
            raise ValueError(f"fens: game {game} is over at its start")
        self.state = state
        return self._observations(state), self._infos(state)

    def _check(self, options: Dict[str, Any]) -> None:
        unknown = sorted(map(str, options.keys() - {"fens", "reset_mask"}))
        if unknown:
            raise ValueError(f"unknown options of reset: {', '.join(unknown)}; there is fens")
        mask = np.asarray(options.get("reset_mask", np.ones(self.num_envs, bool)))
        if mask.shape != (self.num_envs,) or not mask.all():
            raise ValueError("reset_mask: only all games can be reset together")

    def step(self, actions: Any) -> Tuple[Dict[str, Any], Any, Any, Any, Dict[str, Any]]:
        """Plays an action in each game. An illegal one loses it."""
        if self.state is None:
            raise gymnasium.error.ResetNeeded("reset comes first")
        actors = self.state.players
        self.state = state = self.games.step(actions)
        rewards = state.rewards[np.arange(self.num_envs), actors].astype(np.float64)
        return (
            self._observations(state),
            rewards,
            state.terminations,
            state.truncations,
            self._infos(state),
        )

    def action_masks(self) -> Any:
        """bool, (games, 4672): the legal actions, as MaskablePPO asks for them."""
        if self.state is None:
            raise gymnasium.error.ResetNeeded("reset comes first")
        return self._given(self.state.masks.view(bool))

    def sample_legal(self) -> Any:
        """A random legal action for each game, and 0 where there is none."""
        if self.state is None:
            raise gymnasium.error.ResetNeeded("reset comes first")
        return Games.sample(self.state, self.np_random)

    def render(self) -> Optional[Tuple[str, ...]]:
        """A picture of each game."""
        if self.render_mode is None:
            return None
        return tuple(self.games.render(game, self.render_mode) for game in range(self.num_envs))

    def _observations(self, state: State) -> Dict[str, Any]:
        # The environment itself has no use for the observations.
        return {"observation": state.observations, "action_mask": self._given(state.masks)}

    def _given(self, array: Any) -> Any:
        """An array as the caller gets it."""
        return array.copy() if self.copy else array

    def _infos(self, state: State) -> Dict[str, Any]:
        return {
            "player": self._given(state.players),
            "_player": np.ones(self.num_envs, bool),
            "rewards": state.rewards,
            "_rewards": np.ones(self.num_envs, bool),
        }
