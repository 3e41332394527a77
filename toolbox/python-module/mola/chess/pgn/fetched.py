"""Attributes that are fetched from a reader on first use."""

from __future__ import annotations

from typing import Any, Callable


class FetchedAttribute:
    """
    An attribute that *fetch* sets on first use. *fetch* tells whether it could.

    There is no ``__set__``, so once it is set it is read as fast as any other attribute.
    ``__getattr__`` on the class would make access to all of its attributes twice as slow.
    """

    def __init__(self, fetch: Callable[[Any], bool]) -> None:
        self._fetch = fetch

    def __set_name__(self, owner: Any, name: str) -> None:
        self._name = name

    def __get__(self, owned: Any, owner: Any) -> Any:
        if owned is None or not self._fetch(owned):
            raise AttributeError(f"{owner.__name__!r} object has no attribute {self._name!r}")
        return getattr(owned, self._name)
