"""Search limits."""

from __future__ import annotations

import dataclasses
from typing import Optional


@dataclasses.dataclass(repr=False)
class Limit:
    """When to stop searching. Times are in seconds."""

    time: Optional[float] = None
    """Search for exactly this long."""

    depth: Optional[int] = None
    """Search this many half-moves deep."""

    nodes: Optional[int] = None
    """Search only this many nodes."""

    mate: Optional[int] = None
    """Search for a mate in this many moves."""

    white_clock: Optional[float] = None
    """What is left on White's clock."""

    black_clock: Optional[float] = None
    """What is left on Black's clock."""

    white_inc: Optional[float] = None
    """What White gets for each move."""

    black_inc: Optional[float] = None
    """What Black gets for each move."""

    remaining_moves: Optional[int] = None
    """Moves to the next time control; ``None`` with clocks is sudden death."""

    clock_id: object = None
    """Names the clock. XBoard engines are told a time control once for each clock that is not
    ``None``, instead of before each move."""

    def __repr__(self) -> str:
        # The clock's identity is of no use in a repr.
        fields = (f.name for f in dataclasses.fields(self) if f.name != "clock_id")
        values = ((name, getattr(self, name)) for name in fields)
        return (
            f"{type(self).__name__}({', '.join(f'{n}={v!r}' for n, v in values if v is not None)})"
        )
