"""A bot that senses and moves at random."""

from __future__ import annotations

from typing import Type

# By its whole name: reconchess imports this file by itself.
from mola.recon.bots.native import NativeBot


class RandomBot(NativeBot):
    """A player that senses and moves at random."""

    def __init__(self) -> None:
        super().__init__("random")


def get_player() -> Type[NativeBot]:
    """The bot of this module, for reconchess, which would find NativeBot, too, and refuses two."""
    return RandomBot
