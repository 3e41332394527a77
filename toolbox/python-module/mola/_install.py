"""Replaces `chess` by `mola.chess`."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
import types
from collections.abc import Sequence

_NAME = "chess"


class _Loader(importlib.abc.Loader):
    """Imports a module of `mola.chess` under its name in python-chess."""

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        module = importlib.import_module("mola." + spec.name)
        self._spec = module.__spec__
        return module

    def exec_module(self, module: types.ModuleType) -> None:
        # The module has been executed already, under its own name.
        module.__spec__ = self._spec


class _Finder(importlib.abc.MetaPathFinder):
    def find_spec(
        self,
        name: str,
        path: Sequence[str] | None = None,
        target: types.ModuleType | None = None,
    ) -> importlib.machinery.ModuleSpec | None:
        if name != _NAME and not name.startswith(_NAME + "."):
            return None
        if importlib.util.find_spec("mola." + name) is None:
            return None
        return importlib.machinery.ModuleSpec(name, _Loader())


def install() -> None:
    """Makes ``import chess`` import `mola.chess`; the same for its submodules.

    Call it before anything imports python-chess.

    Raises `ImportError` if python-chess has been imported already, for its classes and those of
    Mola would be mixed.
    """
    loaded = sys.modules.get(_NAME)
    if loaded is not None:
        if loaded is sys.modules.get("mola." + _NAME):
            return
        raise ImportError("mola.install() must be called before chess is imported")
    sys.meta_path.insert(0, _Finder())
