"""What an XBoard engine has been told of limits, which hold until it is told others."""

from __future__ import annotations

from typing import Iterator, Optional, Set

import mola.chess as chess

from .limit import Limit

# What lifts a time or depth: a search of depth alone has some time in any case, and not all engines let
# their depth end with `new`, as the protocol says.
AMPLE_SECONDS = 3600
AMPLE_DEPTH = 127


class XBoardLimits:
    """The limits that are in force: each until another one of its kind, counting nodes until ``new``."""

    def __init__(self) -> None:
        self.depth: Optional[int] = None
        self.counts_nodes = False
        self.has_time_control = False
        self.clock_id: object = None
        self.lifted: Set[str] = set()
        """The commands that were last sent only to lift an earlier limit."""

    def new_game(self) -> None:
        """Lifts what ``new`` does, which also resets the clock."""
        self.counts_nodes = False
        self.clock_id = None

    def tell(self, limit: Limit, turn: chess.Color) -> Iterator[str]:
        """The lines for the limits of a search, but for ``nps`` and what is left on the clocks."""
        self.lifted.clear()
        clock = limit.white_clock if turn else limit.black_clock
        increment = limit.white_inc if turn else limit.black_inc
        has_clock = clock is not None or increment is not None or bool(limit.remaining_moves)
        told = limit.clock_id is not None and self.clock_id == limit.clock_id
        if has_clock and not told:
            minutes, seconds = divmod(int(clock or 0), 60)
            yield f"level {limit.remaining_moves or 0} {minutes}:{seconds:02d} {increment or 0:g}"
        self.clock_id = limit.clock_id if has_clock else None
        if limit.nodes is not None:
            yield f"st {max(1, int(limit.nodes))}"
        if limit.time is not None:
            yield f"st {max(0.01, limit.time)}"
        if has_clock or limit.nodes is not None or limit.time is not None:
            self.has_time_control = True
        elif limit.depth is not None and self.has_time_control:
            self.has_time_control = False
            self.lifted.add("st")
            yield f"st {AMPLE_SECONDS}"
        yield from self._tell_depth(limit.depth)

    def tell_analysis(self, limit: Limit) -> Iterator[str]:
        """The lines for an analysis, which is ended from outside: it only needs enough depth."""
        self.lifted.clear()
        if self.depth is not None and (limit.depth is None or limit.depth > self.depth):
            yield from self._tell_depth(None)

    def _tell_depth(self, depth: Optional[int]) -> Iterator[str]:
        if depth is not None:
            yield f"sd {max(1, int(depth))}"
        elif self.depth is not None:
            self.lifted.add("sd")
            yield f"sd {AMPLE_DEPTH}"
        self.depth = depth

    def is_about_lifting(self, error: str) -> bool:
        """Whether an error of the engine is about a line that nobody asked for."""
        words = error.rpartition(":")[2].split()
        return bool(words) and words[0] in self.lifted


def clock_lines(limit: Limit, turn: chess.Color) -> Iterator[str]:
    """The lines for what is left on the clocks."""
    if limit.white_clock is not None:
        yield f"{'time' if turn else 'otim'} {centiseconds(limit.white_clock)}"
    if limit.black_clock is not None:
        yield f"{'otim' if turn else 'time'} {centiseconds(limit.black_clock)}"


def centiseconds(seconds: float) -> int:
    """The time on a clock, but not zero."""
    return max(1, round(seconds * 100))
