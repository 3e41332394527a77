"""The Python package and its stubs pass `mypy --strict`."""

import os
import subprocess
import sys

import pytest
from engine import ROOT

SOURCES = ROOT / "toolbox/python-module"


@pytest.mark.parametrize(
    "what",
    [
        ["-p", "mola"],
        [
            *(str(SOURCES / "examples" / name) for name in ("analysis.py", "lichess_player.py", "mcts.py")),
            str(ROOT / "tests/python/engine_results.py"),
            str(ROOT / "tests/python/overriding_boards.py"),
        ],
    ],
    ids=["package", "examples"],
)
def test_types(what, tmp_path):
    pytest.importorskip("mypy", reason="mypy is not installed")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), *what],
        capture_output=True,
        text=True,
        timeout=100,
        env=os.environ | {"MYPYPATH": str(SOURCES)},
    )
    assert done.returncode == 0, done.stdout
