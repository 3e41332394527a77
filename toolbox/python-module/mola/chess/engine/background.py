"""An event loop on a background thread."""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
from typing import Any, Callable, Coroutine, Optional, TypeVar

from .command import LOGGER

T = TypeVar("T")


def run_in_background(
    coroutine: Callable[[concurrent.futures.Future[T]], Coroutine[Any, Any, None]],
    *,
    name: Optional[str] = None,
    debug: Optional[bool] = None,
) -> T:
    """Runs ``coroutine(future)`` in an event loop on a background thread.

    Waits until the coroutine sets the future, and returns its result. The coroutine and its tasks
    continue in the background until they end. An exception before that is raised here.
    """
    assert asyncio.iscoroutinefunction(coroutine)
    future: concurrent.futures.Future[T] = concurrent.futures.Future()

    def background() -> None:
        try:
            asyncio.run(coroutine(future), debug=debug)
            future.cancel()
        except Exception as exc:
            if future.done():
                LOGGER.exception("in the background")
            else:
                future.set_exception(exc)

    threading.Thread(target=background, name=name, daemon=True).start()
    return future.result()
