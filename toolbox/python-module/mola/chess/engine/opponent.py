"""The opponent of an engine."""

from __future__ import annotations

import dataclasses
from typing import Optional


@dataclasses.dataclass
class Opponent:
    """Information for an engine on its opponent."""

    name: Optional[str]
    """The opponent's name."""

    title: Optional[str]
    """The opponent's title, such as GM, IM, or BOT."""

    rating: Optional[int]
    """The opponent's rating."""

    is_engine: Optional[bool]
    """Whether the opponent is a program."""
