"""The program `mola env --batch` behind a pipe: binary frames in, NumPy arrays out."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import tempfile
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

ACTIONS = 4672

# A reply of hundreds of games then takes one turn between the processes instead of many.
PIPE_BYTES = 1 << 20


class MolaError(RuntimeError):
    """What the engine could not do, in its own words."""


class State(NamedTuple):
    """All games after a reset or a step; the first axis is that of the games."""

    observations: np.ndarray
    """bool, (games, 8, 8, 111 or 20): what the player to act sees."""
    masks: np.ndarray
    """int8, (games, 4672): 1 for each legal action of the player to act."""
    players: np.ndarray
    """uint8: the player to act; 0 is White, 1 is Black."""
    rewards: np.ndarray
    """int8, (games, 2): of player 0 and player 1, for the last step."""
    terminations: np.ndarray
    """bool: whether the game has ended."""
    truncations: np.ndarray
    """bool: whether the game was cut off; an illegal action does both."""
    counts: np.ndarray
    """uint16: the number of legal actions."""
    actions: np.ndarray
    """uint16: the legal actions of all games, one game after the other."""


def find_mola(mola: str | None = None) -> str:
    """The engine: as given, as `$MOLA` says, or from the path."""
    name = mola or os.environ.get("MOLA") or "mola"
    found = shutil.which(name)
    if found is None:
        raise FileNotFoundError(f"{name} is not there: build Mola and put it on the path or in $MOLA")
    return found


class Server:
    """One process of the engine with a number of games."""

    def __init__(
        self,
        games: int,
        *,
        frames: int = 8,
        fen: str | None = None,
        max_plies: int | None = None,
        mola: str | None = None,
    ) -> None:
        self.games = games
        self.channels = 7 + 13 * frames
        command = [find_mola(mola), "env", f"--batch={games}", f"--frames={frames}"]
        if fen is not None:
            command.append(f"--fen={fen}")
        if max_plies is not None:
            command.append(f"--max-plies={max_plies}")
        # The end of this process closes the pipe, and that ends the engine.
        pipe = subprocess.PIPE
        # A file never fills up and stops the engine, as a pipe that nobody reads would.
        self._stderr = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=self._stderr, bufsize=0
        )
        self._closed = False
        try:
            fcntl.fcntl(self._process.stdout, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
        except (AttributeError, OSError):
            pass  # Only Linux has it, and may refuse; a small pipe is slower, no more.

    def reset(self, fens: Iterable[str] = ()) -> State:
        """Starts all games, from one position for all or one for each."""
        return self._state(b"r" + "\n".join(fens).encode())

    def step(self, actions: np.ndarray) -> State:
        """Plays an action in each game. One that is over starts again instead."""
        actions = np.asarray(actions)
        if actions.shape != (self.games,):
            raise ValueError(f"{self.games} actions expected, not an array of {actions.shape}")
        if ((actions < 0) | (actions >= ACTIONS)).any():
            raise ValueError(f"actions are 0 to {ACTIONS - 1}")
        return self._state(b"s" + actions.astype("<u2").tobytes())

    def observe(self, player: int) -> np.ndarray:
        """What one player sees in each game, whether or not it is to act."""
        return self._observations(self._ask(b"o" + bytes([player])))

    def render(self, game: int = 0, mode: str = "ansi") -> str:
        """A picture of a game: `ansi` or `svg`."""
        return self._ask(b"v" + struct.pack("<IB", game, ("ansi", "svg").index(mode))).tobytes().decode()

    def close(self) -> None:
        """Ends the engine. A second time it does nothing."""
        self._closed = True
        self._process.stdin.close()
        self._process.stdout.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._stderr.close()

    def __del__(self) -> None:
        if hasattr(self, "_process"):
            self.close()

    def _state(self, request: bytes) -> State:
        body, games = self._ask(request), self.games
        sizes = (games, 2 * games, games, games, games * 8 * self.channels, 2 * games)
        parts = np.split(body, np.cumsum(sizes))
        players, rewards, terminated, truncated, observations, counts, actions = parts
        counts, actions = counts.view("<u2"), actions.view("<u2")
        masks = np.zeros((games, ACTIONS), np.int8)
        masks[np.repeat(np.arange(games), counts), actions] = 1
        return State(
            self._observations(observations),
            masks,
            players,
            rewards.view(np.int8).reshape(games, 2),
            terminated.view(bool),
            truncated.view(bool),
            counts,
            actions,
        )

    def _observations(self, packed: np.ndarray) -> np.ndarray:
        return np.unpackbits(packed).view(bool).reshape(self.games, 8, 8, self.channels)

    def _ask(self, request: bytes) -> np.ndarray:
        """Sends a request and returns the reply, in memory of its own."""
        if self._closed:
            raise MolaError("the environment is closed")
        try:
            self._write(struct.pack("<I", len(request)) + request)
            length, status = struct.unpack("<IB", self._read(5))
            body = self._read(length - 1)
        except BaseException:
            # Half an exchange, be it for Ctrl-C, leaves a reply that the next would take for its own.
            self.close()
            raise
        if status:
            raise MolaError(body.tobytes().decode(errors="replace"))
        return body

    def _write(self, request: bytes) -> None:
        rest = memoryview(request)
        try:
            while rest:
                rest = rest[self._process.stdin.write(rest) :]
        except BrokenPipeError:
            raise self._died() from None

    def _read(self, count: int) -> np.ndarray:
        array = np.empty(count, np.uint8)
        rest = memoryview(array)
        while rest:
            got = self._process.stdout.readinto(rest)
            if not got:
                raise self._died()
            rest = rest[got:]
        return array

    def _died(self) -> MolaError:
        status = self._process.wait(10)
        self._stderr.seek(0)
        said = self._stderr.read().decode(errors="replace").strip()
        return MolaError(said or f"the engine has ended (exit status {status})")
