"""A bot that tracks one board, and plays an engine's move on it."""

from __future__ import annotations

from typing import Type

# By its whole name: reconchess imports this file by itself.
from mola.recon.bots.native import NativeBot


class TroutBot(NativeBot):
    """A player that tracks one board, and searches it with Mola.

    :param seconds: The time for a search, of which there are two a turn.
    """

    def __init__(self, seconds: float = 0.5) -> None:
        super().__init__(f"trout:time={seconds}")


def get_player() -> Type[NativeBot]:
    """The bot of this module, for reconchess, which finds two players here."""
    return TroutBot
