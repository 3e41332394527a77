"""No command loses a file that differs from run to run: games with times, states, reports."""

import json
import os
import random
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

import chess.pgn
import pytest

from test_files import KILLS, OLD, SEED, full_disk  # noqa: F401

GAMES = "1. e4 e5 2. Nf3 Nc6 1/2-1/2\n\n1. d4 d5 2. c4 e6 1/2-1/2\n\n"


def count_games(path: Path) -> int:
    """The number of complete games of a PGN."""
    with path.open() as file:
        count = 0
        while (game := chess.pgn.read_game(file)) is not None:
            assert not game.errors and game.headers["Result"] != "*" and game.next()
            count += 1
    return count


def count_lines(path: Path) -> int:
    """Complete JSON records: the header, then the positions."""
    return len([json.loads(line) for line in path.read_text().splitlines()])


def count_pairs(path: Path) -> int:
    """The number of pairs in a state of spsa."""
    return json.loads(path.read_text())["pairs"]


def count_json(path: Path) -> int:
    """Complete JSON."""
    assert json.loads(path.read_text())
    return 1


@dataclass(frozen=True)
class Row:
    """A command that writes OUT, of ENGINES and IN."""

    words: str
    # The number of records of a complete file.
    count: Callable[[Path], int]
    total: int
    # The file beside OUT in which unfinished runs keep their records.
    part: str | None = None
    force: bool = True

    @property
    def id(self) -> str:
        return "-".join(word for word in self.words.split() if word.islower() and word.isascii())


ROWS = [
    Row("match ENGINES --games 4 --pgn OUT", count_games, 4, part="out.part"),
    Row("match ENGINES --games 2 --json OUT", count_json, 1),
    Row("analyse IN --depth 2 --json OUT", count_lines, 9, part="out.part"),
    Row("spsa ENGINE --param Hash,2,1,4 --pairs 4 --nodes 50 --state OUT", count_pairs, 4, force=False),
]
every_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)


@pytest.fixture
def command(mola, row, tmp_path) -> Callable[..., list[str]]:
    (tmp_path / "games.pgn").write_text(GAMES)
    (tmp_path / "place").mkdir()
    engine = f"cmd={mola} uci,nodes="
    values = {
        "ENGINES": [engine + "50", engine + "60"],
        "ENGINE": ["--engine", f"{mola} uci"],
        "IN": [str(tmp_path / "games.pgn")],
        "OUT": [str(tmp_path / "place/out")],
    }
    return lambda *more: [mola, *(v for word in row.words.split() for v in values.get(word, [word])), *more]


def run(words: list[str]) -> subprocess.CompletedProcess:
    return subprocess.run(words, capture_output=True, text=True, timeout=60)


@every_row
def test_a_file_that_is_there_is_kept(command, row, tmp_path):
    out = tmp_path / "place/out"
    out.write_bytes(OLD)
    done = run(command())
    assert done.returncode == 1 and "out" in done.stderr and "os error" not in done.stderr, done.stderr
    assert out.read_bytes() == OLD and os.listdir(out.parent) == ["out"]
    if row.force:
        done = run(command("--force"))
        assert done.returncode == 0 and row.count(out) == row.total, done.stderr
        assert os.listdir(out.parent) == ["out"]


@every_row
def test_a_kill_leaves_the_old_file_or_the_new_one(command, row, tmp_path):
    out = tmp_path / "place/out"
    start = time.perf_counter()
    assert run(command()).returncode == 0 and row.count(out) == row.total
    longest = 1.2 * (time.perf_counter() - start)
    out.unlink()
    moments = random.Random(SEED)
    more = ["--force"] if row.force else []
    if row.force:
        out.write_bytes(OLD)
    for _ in range(KILLS):
        process = subprocess.Popen(command(*more), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(moments.uniform(0, longest))
        process.kill()
        process.wait()
        names = {name for name in os.listdir(out.parent) if not name.startswith(".mola-")}
        assert names <= {"out", *([row.part, "out.run"] if row.part else [])}, names
        if out.exists() and out.read_bytes() != OLD:
            found = row.count(out)
            assert found <= row.total if not row.force else found == row.total
            if row.force or found == row.total:
                out.unlink()
                if row.force:
                    out.write_bytes(OLD)
        for path in out.parent.glob(".mola-*"):
            path.unlink()
    done = run(command(*more))
    assert done.returncode == 0 and row.count(out) == row.total, done.stderr


@every_row
def test_a_full_disk_is_told(command, row, full_disk):  # noqa: F811
    before = sorted(os.listdir(full_disk))
    words = [str(full_disk / "new") if word.endswith("place/out") else word for word in command()]
    done = run(words)
    assert done.returncode == 1 and "No space left on device" in done.stderr, done.stderr
    assert str(full_disk / "new") in done.stderr
    assert sorted(os.listdir(full_disk)) == before and (full_disk / "out").read_bytes() == OLD


def test_histories_are_whole_and_never_replaced(mola, tmp_path):
    folder = tmp_path / "histories"
    words = [mola, "recon", "match", "random", "random", "--games", "10", "--histories", folder]
    start = time.perf_counter()
    assert run(words).returncode == 0
    longest = time.perf_counter() - start
    histories = lambda: {path for path in folder.iterdir() if not path.name.startswith(".mola-")}
    kept = {path: path.read_bytes() for path in histories()}
    assert len(kept) == 10
    moments = random.Random(SEED)
    for _ in range(KILLS):
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(moments.uniform(0, longest))
        process.kill()
        process.wait()
        kept |= {path: path.read_bytes() for path in histories() - kept.keys()}
    assert histories() == kept.keys()
    for path, text in kept.items():
        assert path.read_bytes() == text and json.loads(text)
