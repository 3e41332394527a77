"""Many games side by side."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from .server import ACTIONS, Server, State


class VecEnv:
    """A number of games that are stepped together.

        with VecEnv(64) as env:
            state = env.reset()
            state = env.step(env.sample(state, np.random.default_rng()))

    A game that is over starts again with the next step, whose action for it is ignored; until then
    the last observation can be seen. `frames=1` gives observations of 20 channels; `fen` and
    `max_plies` are extensions of PettingZoo's game.
    """

    def __init__(
        self,
        games: int,
        *,
        frames: int = 8,
        fen: str | None = None,
        max_plies: int | None = None,
        mola: str | None = None,
    ) -> None:
        self._server = Server(games, frames=frames, fen=fen, max_plies=max_plies, mola=mola)
        self.games = games
        self.observation_shape = (8, 8, self._server.channels)
        self.actions = ACTIONS

    def reset(self, fens: Iterable[str] = ()) -> State:
        """Starts all games, these from `fens` if given: one for all, or one for each."""
        return self._server.reset(fens)

    def step(self, actions: np.ndarray) -> State:
        """Plays one action in each game. An illegal one loses it."""
        return self._server.step(actions)

    def observe(self, player: int) -> np.ndarray:
        """What player 0 or 1 sees in each game, whether or not it is to act."""
        return self._server.observe(player)

    def render(self, game: int = 0, mode: str = "ansi") -> str:
        """A picture of one game: `ansi` or `svg`."""
        return self._server.render(game, mode)

    @staticmethod
    def sample(state: State, rng: np.random.Generator) -> np.ndarray:
        """A random legal action for each game, and 0 where there is none."""
        counts = state.counts.astype(np.intp)
        first = np.cumsum(counts) - counts
        # A game without actions at the end begins where all actions end.
        actions = np.append(state.actions, 0)
        chosen = actions[first + (rng.random(len(counts)) * counts).astype(np.intp)]
        return np.where(counts > 0, chosen, 0)

    def close(self) -> None:
        """Ends the engine."""
        self._server.close()

    def __enter__(self) -> VecEnv:
        return self

    def __exit__(self, *_) -> None:
        self.close()
