"""Suites of positions with known answers: node counts from other programs, and mates."""

import re
import subprocess

import pytest

from engine import ROOT, scored

MAX_NODES = 100_000  # a line; whole suites take a minute more


def check(mola: str, suite, *flags: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [mola, "perft", "--suite", str(suite), *flags], capture_output=True, text=True, timeout=120
    )


def lines_checked(done: subprocess.CompletedProcess) -> int:
    """How many counts were compared; all must agree."""
    assert done.returncode == 0, done.stdout + done.stderr
    summary = re.search(r"^(\d+) lines, 0 wrong", done.stdout, re.MULTILINE)
    assert summary, done.stdout
    return int(summary[1])


def test_own_suite(mola):
    assert lines_checked(check(mola, ROOT / "tests/data/perft.perft")) > 400


@pytest.mark.parametrize("name, least", [("tricky", 80), ("random", 10_000), ("chess960", 2_000)])
def test_shared_suite(mola, data, name, least):
    done = check(mola, data / f"perft/{name}.perft", "--max-nodes", str(MAX_NODES))
    assert lines_checked(done) > least


@pytest.mark.parametrize(
    "text, fault",
    [
        (
            "id x\nepd 8/8/8/8/8/8/8/K1k5 w - - 0 1\nperft 1 7\n",
            "wrong.perft:3: x: perft 1 is 1, not 7",
        ),
        ("id x\nepd 8/8/8/8/8/8/8/K1k5 w - - 0 1\nepd 8/8/8/8/8/8/8/K1k5 b - - 0 1\nperft 1 7\n", "wrong.perft:4: perft 1 is 3, not 7"),
        ("8/8/8/8/8/8/8/K1k5 w - - 0 1 ;D1 1 ;D2 9\n", "wrong.perft:1: perft 2 is 3, not 9"),
        ("8/8/8/8/8/8/8/K1k5 w - - 0 1 ;D1 x\n", "wrong.perft:1: expected"),
        ("epd rubbish\nperft 1 7\n", "wrong.perft:1:"),
        ("perft 1 7\n", "wrong.perft:1:"),
        ("epd 8/8/8/8/8/8/8/K1k5 w - - 0 1\nperft one 7\n", "wrong.perft:2:"),
    ],
)
def test_a_wrong_suite_fails_by_line(mola, tmp_path, text, fault):
    """A wrong count must be found."""
    suite = tmp_path / "wrong.perft"
    suite.write_text(text)
    done = check(mola, suite)
    assert done.returncode != 0
    assert fault in done.stdout + done.stderr


def test_a_suite_of_one_line_for_each_position(mola, tmp_path):
    suite = tmp_path / "suite.epd"
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    suite.write_text(f"{start} ;D1 20 ;D2 400 ;D3 8902\n4k3/8/8/8/8/8/8/4K2R w K - 0 1;D1 15\n")
    assert lines_checked(check(mola, suite)) == 4


def test_a_missing_suite_is_one_clear_line(mola, tmp_path):
    done = check(mola, tmp_path / "none.perft")
    assert done.returncode != 0
    assert len(done.stderr.splitlines()) == 1 and "none.perft" in done.stderr


def test_a_suite_has_no_history_to_plot(mola, tmp_path):
    done = check(mola, ROOT / "tests/data/perft.perft", "--plot", str(tmp_path / "plot.svg"))
    assert done.returncode == 2 and "--plot" in done.stderr


@pytest.mark.parametrize("distance, every", [(1, 1), (2, 16), (3, 3)])
def test_mates_are_found_at_their_distance(uci, data, distance, every):
    """`go mate N` proves mate in N, neither more nor less; a sample, for time's sake."""
    for fen in (data / f"suites/mate{distance}.fen").read_text().splitlines()[::every]:
        uci.send("ucinewgame", f"position fen {fen}")
        infos = scored(uci.ask(f"go mate {distance}", "^bestmove", 60))
        assert infos[-1]["score"] == f"mate {distance}", fen
        assert len(infos[-1]["pv"].split()) == 2 * distance - 1, fen


def test_a_depth_without_end_is_refused(mola, tmp_path):
    """It overflowed the stack."""
    suite = tmp_path / "deep.perft"
    suite.write_text("7k/8/8/8/8/8/8/K7 w - - 0 1 ;D20000 5\n")
    done = check(mola, suite)
    assert done.returncode == 1 and "deep.perft:1: a depth of at most 256 is expected" in done.stderr
