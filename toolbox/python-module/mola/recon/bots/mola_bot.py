"""A bot that tracks all possible boards."""

from __future__ import annotations

from typing import Type

# By its whole name: reconchess imports this file by itself.
from mola.recon.bots.native import NativeBot


class MolaBot(NativeBot):
    """The strongest of Mola's bots.

    :param seconds: The time for a move.
    :param threads: The number of search threads.
    """

    def __init__(self, seconds: float = 0.5, threads: int = 1) -> None:
        super().__init__(f"mola:time={seconds},threads={threads}")


def get_player() -> Type[NativeBot]:
    """The bot of this module, for reconchess, which finds two players here."""
    return MolaBot
