"""`mola env --batch` on a pipe: binary frames in, NumPy arrays out."""

import struct
import subprocess
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from engine import DEADLINE, binary

ACTIONS = 4672


class Refused(Exception):
    """An error from the engine."""


class State(NamedTuple):
    """All games after a reset or a step; the first axis is that of the games."""

    observations: np.ndarray
    masks: np.ndarray
    players: np.ndarray
    rewards: np.ndarray
    terminations: np.ndarray
    truncations: np.ndarray


class Server:
    """One engine process with a number of games."""

    def __init__(self, games: int, *args: str, frames: int = 8):
        self.games = games
        self.channels = {8: 111, 1: 20}[frames]
        self.process = subprocess.Popen(
            [binary(), "env", f"--batch={games}", f"--frames={frames}", *args],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_) -> None:
        try:
            self.process.stdin.close()
            self.process.wait(DEADLINE)
        finally:
            self.process.kill()
            self.process.stdout.close()

    def ask(self, request: bytes) -> bytes:
        """Sends a request and returns the body of the reply."""
        self.process.stdin.write(struct.pack("<I", len(request)) + request)
        self.process.stdin.flush()
        length, refused = struct.unpack("<IB", self._read(5))
        body = self._read(length - 1)
        if refused:
            raise Refused(body.decode())
        return body

    def reset(self, fens: Iterable[str] = ()) -> State:
        return self._state(b"r" + "\n".join(fens).encode())

    def step(self, actions: Iterable[int]) -> State:
        return self._state(b"s" + np.array(actions, "<u2").tobytes())

    def observe(self, player: int) -> np.ndarray:
        return self._observations(np.frombuffer(self.ask(b"o" + bytes([player])), np.uint8))

    def render(self, game: int = 0) -> str:
        return self.ask(b"v" + struct.pack("<IB", game, 0)).decode()

    def _state(self, request: bytes) -> State:
        body, games = np.frombuffer(self.ask(request), np.uint8), self.games
        sizes = (games, 2 * games, games, games, games * 8 * self.channels, 2 * games)
        parts = np.split(body, np.cumsum(sizes))
        players, rewards, terminated, truncated, observations, counts, actions = parts
        masks = np.zeros((games, ACTIONS), np.int8)
        masks[np.repeat(np.arange(games), counts.view("<u2")), actions.view("<u2")] = 1
        return State(
            self._observations(observations),
            masks,
            players,
            rewards.view(np.int8).reshape(games, 2),
            terminated.view(bool),
            truncated.view(bool),
        )

    def _observations(self, packed: np.ndarray) -> np.ndarray:
        return np.unpackbits(packed).view(bool).reshape(self.games, 8, 8, self.channels)

    def _read(self, count: int) -> bytes:
        data = self.process.stdout.read(count)
        if len(data) < count:
            raise EOFError("the engine has ended")
        return data
