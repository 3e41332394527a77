"""Games that are stepped together."""

from __future__ import annotations

import operator
from typing import Any, Iterable, List, NamedTuple, Optional

import numpy as np

from mola._mola import env as _native

ACTIONS: int = _native.ACTIONS
"""Actions, legal or not: 4672, in PettingZoo's order."""


class State(NamedTuple):
    """All games after a reset or a step; the first axis is that of the games.

    The arrays are filled by Rust and not shared.
    """

    observations: Any
    """bool, (games, 8, 8, 111 or 20): what the player to act sees."""

    masks: Any
    """int8, (games, 4672): 1 for each legal action of the player to act."""

    players: Any
    """uint8, (games,): the player to act; 0 is White, 1 is Black."""

    rewards: Any
    """int8, (games, 2): of player 0 and player 1, for the last step."""

    terminations: Any
    """bool, (games,): whether the game has ended."""

    truncations: Any
    """bool, (games,): whether the game was cut off; an illegal action does both."""


def _clamped(number: Any, most: int) -> int:
    """The number from 0 to *most* that is nearest: Rust has no others, and refuses these by name."""
    return min(max(operator.index(number), 0), most)


class Games:
    """A number of games that are stepped together.

    A game that is over starts again with the next step, from the position of *fen*, and the action for it is
    ignored; until then its last observation can be seen. It can be used from several threads.

    :param games: The number of games, 1 to 4096.
    :param frames: The number of positions in an observation: 8 (111 channels, as PettingZoo's) or
        1 (20 channels).
    :param fen: The position where games start, if not the start position of chess.
    :param max_plies: The number of plies after which a game is truncated.
    :raises: :exc:`ValueError` for a position that cannot be played.
    """

    def __init__(
        self,
        games: int,
        *,
        frames: int = 8,
        fen: Optional[str] = None,
        max_plies: Optional[int] = None,
    ) -> None:
        plies = None if max_plies is None else _clamped(max_plies, 2**32 - 1)
        self._native = _native.Games(_clamped(games, 2**16), _clamped(frames, 255), fen, plies)
        self.games = games
        self.channels = 7 + 13 * frames

    def reset(self, fens: Iterable[str] = ()) -> State:
        """Starts all games, these from *fens* if given: one for all, or one for each.

        :raises: :exc:`TypeError` for a string, each character of which would be a FEN.
        """
        if isinstance(fens, str):
            raise TypeError("fens: a list of FENs expected, not a string")
        return self._state(self._native.reset(list(fens)))

    def step(self, actions: Any) -> State:
        """Plays an action in each game: an array of the shape ``(games,)``.

        An illegal action loses the game.

        :raises: :exc:`ValueError` for numbers that are not actions; then nothing is played.
        """
        actions = np.asarray(actions)
        if actions.shape != (self.games,):
            raise ValueError(f"{self.games} actions expected, not an array of {actions.shape}")
        if not np.issubdtype(actions.dtype, np.integer):
            raise ValueError(f"actions are integers, not {actions.dtype}")
        if ((actions < 0) | (actions >= ACTIONS)).any():
            raise ValueError(f"actions are 0 to {ACTIONS - 1}")
        return self._state(self._native.step(actions.tolist()))

    def observe(self, player: int) -> Any:
        """The observations of player 0 or 1 in each game, whether or not it is to move.

        :raises: :exc:`ValueError` for another player.
        """
        if player not in (0, 1):
            raise ValueError("player: 0 or 1 expected")
        return self._observations(self._native.observe(player))

    def render(self, game: int = 0, mode: str = "ansi") -> str:
        """A picture of a game: `ansi` or `svg`.

        :raises: :exc:`ValueError` for another mode, :exc:`IndexError` for another game.
        """
        return str(self._native.render(self._number(game), mode))

    def fen(self, game: int = 0) -> str:
        """The position of a game."""
        return str(self._native.fen(self._number(game)))

    def move(self, action: int, game: int = 0) -> Optional[str]:
        """The move, in UCI, that an action is in the position of a game; ``None`` if it is illegal there."""
        return self._native.move(action, self._number(game)) if 0 <= action < ACTIONS else None

    def pieces(self, game: int = 0) -> List[int]:
        """The pieces of a game from a8 to h1: 0 for none, 1 to 6 for White's from pawn to king, 7 to
        12 for Black's."""
        return list(self._native.pieces(self._number(game)))

    @staticmethod
    def sample(state: State, rng: Any) -> Any:
        """A random legal action for each game, and 0 where there is none."""
        counts = state.masks.sum(axis=1, dtype=np.int64)
        chosen = (rng.random(len(counts)) * counts).astype(np.int64)
        # The index of the chosen action among the legal ones of its row.
        first = np.cumsum(counts) - counts
        actions = np.append(np.nonzero(state.masks)[1], 0)
        return np.where(counts > 0, actions[np.minimum(first + chosen, len(actions) - 1)], 0)

    def _number(self, game: int) -> int:
        """The number of a game that there is.

        :raises: :exc:`IndexError` if there is none.
        """
        if not 0 <= game < self.games:
            raise IndexError("no such game")
        return game

    def _state(self, shown: Any) -> State:
        observations, masks, flags = shown
        flags = np.frombuffer(flags, np.uint8).reshape(self.games, 5)
        return State(
            self._observations(observations),
            np.frombuffer(masks, np.int8).reshape(self.games, ACTIONS),
            flags[:, 0],
            flags[:, 1:3].view(np.int8),
            flags[:, 3].view(bool),
            flags[:, 4].view(bool),
        )

    def _observations(self, buffer: bytearray) -> Any:
        return np.frombuffer(buffer, bool).reshape(self.games, 8, 8, self.channels)
