"""How games end."""

from __future__ import annotations

import dataclasses
from typing import Optional

from ._constants import Color, Termination


@dataclasses.dataclass
class Outcome:
    """How a game has ended: why, and who has won, or `None` for a draw."""

    termination: Termination
    winner: Optional[Color]

    def result(self) -> str:
        """``"1-0"``, ``"0-1"`` or ``"1/2-1/2"``."""
        if self.winner is None:
            return "1/2-1/2"
        return "1-0" if self.winner else "0-1"
