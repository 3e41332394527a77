"""Shared fixtures."""

import logging
import os
import signal
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from engine import ROOT, Engine, Uci, XBoard, binary

# A shell that starts the tests in the background makes them ignore Ctrl-C, and all programs
# that they start would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Terminal play shows what the locale has.
os.environ["LC_ALL"] = "C.UTF-8"

PYTHON_CHESS = "1.11.2"


@pytest.fixture(scope="session")
def mola() -> str:
    return binary()


@pytest.fixture
def engine():
    with Engine() as engine:
        yield engine


@pytest.fixture
def uci():
    with Uci() as engine:
        yield engine


@pytest.fixture
def xboard():
    with XBoard() as engine:
        yield engine


@pytest.fixture(scope="session")
def data() -> Path:
    """The shared data; its tests skip where the folder is absent."""
    folder = Path(os.environ.get("MOLA_DATA", ROOT.parent / "shared/data"))
    if not folder.is_dir():
        pytest.skip(f"no shared data at {folder}; set $MOLA_DATA")
    return folder


@pytest.fixture
def no_complaints(caplog):
    """python-chess logs a warning for every line it did not expect: there must be none."""
    with caplog.at_level(logging.WARNING, logger="chess.engine"):
        yield
    complaints = [r.getMessage() for when in ("setup", "call") for r in caplog.get_records(when)]
    assert not complaints


@pytest.fixture(scope="session")
def package() -> Path:
    """A folder with the package."""
    # It is built on first use.
    from python_package import FOLDER

    return FOLDER


@pytest.fixture(scope="session")
def source() -> Path:
    """python-chess's source package, kept only in the cache of the tests."""
    cache = ROOT / "tests/.cache"
    folder = cache / f"chess-{PYTHON_CHESS}"
    if not folder.is_dir():
        cache.mkdir(exist_ok=True)
        download = f"pip download --quiet --no-deps --no-binary :all: -d {cache} chess=={PYTHON_CHESS}"
        result = subprocess.run([sys.executable, "-m", *download.split()], capture_output=True)
        if result.returncode:
            pytest.skip(f"could not download the source of chess {PYTHON_CHESS}")
        with tarfile.open(cache / f"chess-{PYTHON_CHESS}.tar.gz") as archive:
            archive.extractall(cache, filter="data")
    return folder
