"""A running analysis."""

from __future__ import annotations

import asyncio
import collections
from typing import Callable, Deque, List, Optional

from .error import AnalysisComplete
from .info import InfoDict
from .result import BestMove

# An absurd multipv number must not make the list grow.
MAX_LINES = 1000


class AnalysisResult:
    """A running analysis, as :meth:`Protocol.analysis` returns it.

    Iterate over it to get the engine's output. As a context manager it stops the analysis at
    the end.
    """

    multipv: List[InfoDict]
    """What the engine said so far, an entry for each line, best first."""

    def __init__(self, stop: Optional[Callable[[], None]] = None) -> None:
        self._stop = stop
        self._pending: Deque[InfoDict] = collections.deque()
        self._readers: List[asyncio.Future[None]] = []
        self._finished: asyncio.Future[BestMove] = asyncio.get_running_loop().create_future()
        self.multipv = [{}]

    def post(self, info: InfoDict) -> None:
        """Adds information from the engine."""
        line = info.get("multipv", 1)
        if not info or not 0 <= line <= MAX_LINES or self._finished.done():
            return
        while len(self.multipv) < line:
            self.multipv.append({})
        # Of engines that count from 0, python-chess takes the first line for the last one so far.
        self.multipv[line - 1].update(info)
        self._pending.append(info)
        self._wake()

    def set_finished(self, best: BestMove) -> None:
        """Ends the analysis with the engine's best move."""
        if not self._finished.done():
            self._finished.set_result(best)
            self._wake()

    def set_exception(self, exc: Exception) -> None:
        """Ends the analysis with an error, which the next read raises."""
        if not self._finished.done():
            self._finished.set_exception(exc)
            # Marks the exception as retrieved: not everybody waits for the end.
            self._finished.exception()
            self._wake()

    def _wake(self) -> None:
        readers, self._readers = self._readers, []
        for reader in readers:
            if not reader.done():
                reader.set_result(None)

    @property
    def info(self) -> InfoDict:
        """The latest information on the best line: the same as ``multipv[0]``."""
        return self.multipv[0]

    def stop(self) -> None:
        """Stops the analysis as soon as possible."""
        if self._stop and not self._finished.done():
            self._stop()
            self._stop = None

    async def wait(self) -> BestMove:
        """Waits for the end of the analysis."""
        return await asyncio.shield(self._finished)

    async def get(self) -> InfoDict:
        """Waits for the next thing that the engine says.

        :raises: :exc:`AnalysisComplete` if there is no more; :meth:`next` returns ``None`` instead.
        """
        info = await self.next()
        if info is None:
            raise AnalysisComplete()
        return info

    async def next(self) -> Optional[InfoDict]:
        """Waits for the next information from the engine; ``None`` if there is no more."""
        while not self._pending:
            if self._finished.done():
                self._finished.result()
                return None
            reader = asyncio.get_running_loop().create_future()
            self._readers.append(reader)
            await reader
        return self._pending.popleft()

    def would_block(self) -> bool:
        """Whether :meth:`get`, :meth:`next` or a step of the iteration would have to wait."""
        return not self._pending and not self._finished.done()

    def empty(self) -> bool:
        """Whether all information so far has been read. More may come."""
        return not self._pending

    def __aiter__(self) -> AnalysisResult:
        return self

    async def __anext__(self) -> InfoDict:
        info = await self.next()
        if info is None:
            raise StopAsyncIteration
        return info

    def __enter__(self) -> AnalysisResult:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
