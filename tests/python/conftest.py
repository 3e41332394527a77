"""Fixtures shared by the suites."""

import logging
import os
from pathlib import Path

import pytest

from engine import ROOT, Engine, Uci, XBoard, binary


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
