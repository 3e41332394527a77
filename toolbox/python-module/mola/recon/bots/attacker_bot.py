"""A bot that attacks the king, whatever it senses."""

from __future__ import annotations

from typing import Type

# By its whole name: reconchess imports this file by itself.
from mola.recon.bots.native import NativeBot


class AttackerBot(NativeBot):
    """Plays one of four prepared attacks on the king, whatever it senses, then passes."""

    def __init__(self) -> None:
        super().__init__("attacker")


def get_player() -> Type[NativeBot]:
    """The bot of this module, for reconchess, which finds two players here."""
    return AttackerBot
