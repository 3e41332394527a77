"""The environment of the tests, which has the libraries that Mola is measured against."""

import os
import sys
from pathlib import Path
from typing import NoReturn

PYTHON = Path(__file__).resolve().parents[1] / "tests/.venv/bin/python"


def restart(error: ImportError) -> NoReturn:
    """Starts a script, which could not import something, in that environment."""
    script = Path(sys.argv[0]).name
    if error.name == "mola":
        package = "tests/tools/python_package FOLDER --wheel"
        sys.exit(f"bench/{script}: {error}: make the package by `{package}`, and set PYTHONPATH=FOLDER")
    if Path(sys.prefix) == PYTHON.parents[1]:
        sys.exit(f"bench/{script}: {error}")
    if not PYTHON.exists():
        sys.exit(f"bench/{script}: {error}, and there is no {PYTHON}: run tests/run first")
    os.execv(PYTHON, [str(PYTHON), *sys.argv])
