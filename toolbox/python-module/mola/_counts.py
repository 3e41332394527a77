"""Limits of a search that are whole numbers, as arguments."""

from __future__ import annotations

import operator
from typing import Any

COUNTS = {"depth": 0, "nodes": 0, "mate": 1, "remaining_moves": 0}
"""These limits, with the least that makes sense."""


def check_count(name: str, count: Any) -> None:
    """Checks one of them; ``None`` is no limit."""
    if count is None:
        return
    least = COUNTS[name]
    try:
        is_valid = operator.index(count) >= least
    except TypeError:
        raise TypeError(f"{name}: expected an integer, not {count!r}") from None
    if not is_valid:
        raise ValueError(f"{name}: at least {least} expected, not {count!r}")
    if count >= 1 << 32 and name != "nodes" or count >= 1 << 63:
        raise ValueError(f"{name}: {count!r} is too large")
