"""Work in several threads at once."""

import threading
from collections.abc import Callable


def in_threads(count: int, work: Callable[[], object], seconds: float) -> None:
    """Calls a function in each of some threads; all must end in time, and without an exception."""
    errors = []

    def guarded() -> None:
        try:
            work()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=guarded, daemon=True) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(seconds)
    assert not errors and not any(thread.is_alive() for thread in threads), errors
