"""Attributes that are fetched from a reader on first use."""

from __future__ import annotations

from typing import Any, Callable, Dict


class _Fetching:
    """The base of classes with attributes that are fetched."""


_DICT: Any = vars(_Fetching)["__dict__"]

present: Callable[[Any], Dict[str, Any]] = _DICT.__get__
"""The attributes that an object has so far: its ``__dict__`` without fetching."""


def whole_dict(fetch_all: Callable[[Any], None]) -> property:
    """The ``__dict__`` of a class, for users who look into it: it has everything."""

    def get(owned: Any) -> Dict[str, Any]:
        fetch_all(owned)
        return present(owned)

    return property(get, _DICT.__set__)


class FetchedAttribute:
    """
    An attribute that *fetch* sets on first use, if there is anything to fetch. It uses
    ``present(…).setdefault()``, since another thread may have fetched the value, and even changed it,
    meanwhile.

    There is no ``__set__``, so once it is set it is read as fast as any other attribute.
    ``__getattr__`` on the class would make access to all of its attributes twice as slow.
    """

    def __init__(self, fetch: Callable[[Any], None]) -> None:
        self._fetch = fetch

    def __set_name__(self, owner: Any, name: str) -> None:
        self._name = name

    def __get__(self, owned: Any, owner: Any) -> Any:
        if owned is None:
            raise AttributeError(f"type object {owner.__name__!r} has no attribute {self._name!r}")
        self._fetch(owned)
        if self._name not in present(owned):
            raise AttributeError(f"{owner.__name__!r} object has no attribute {self._name!r}")
        return present(owned)[self._name]
