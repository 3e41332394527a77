"""Packages that look like the one module that they are in python-chess."""

from __future__ import annotations

from types import ModuleType
from typing import Any, Dict


def look_like_one_module(package: Dict[str, Any]) -> None:
    """
    Given the names of a package: its classes say that they are from the package, from which users
    import them, and its files are not among its names, so that star imports do not bring them.
    """
    prefix = package["__name__"] + "."
    for name, value in list(package.items()):
        if isinstance(value, type) and value.__module__.startswith(prefix):
            value.__module__ = package["__name__"]
        elif isinstance(value, ModuleType) and value.__name__.startswith(prefix):
            del package[name]
