"""What a process that a bot has spawned runs first, in place of the main module: see `__main__`."""

from __future__ import annotations

import importlib.util
import sys

import mola


def install() -> None:
    """Makes ``chess`` mean `mola.chess`, and ``reconchess`` `mola.recon` unless it is installed."""
    mola.install()
    if importlib.util.find_spec("reconchess") is not None:
        return
    from mola import recon

    sys.modules["reconchess"] = recon
    for name in ("game", "history", "play", "player", "types", "utilities"):
        sys.modules[f"reconchess.{name}"] = sys.modules[f"mola.recon.{name}"]


# The name that multiprocessing gives to the main module in such a process.
if __name__ == "__mp_main__":
    install()
