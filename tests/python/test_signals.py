"""A signal ends every command, and a long run that it has stopped exits with 130."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from engine import INTERRUPTED, binary

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals")

# An engine that introduces itself, and never moves.
STUCK = """import sys
for line in sys.stdin:
    if line.startswith("uci\\n"):
        print("id name Stuck\\nuciok", flush=True)
    if line.startswith("isready"):
        print("readyok", flush=True)
    if line.startswith("go"):
        open(sys.argv[1], "w").close()
    if line.startswith("quit"):
        break
"""


def start(*words, folder: Path | None = None, ignored: tuple = ()) -> subprocess.Popen:
    command = [binary(), *map(str, words)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}

    def answers() -> None:
        """Also where these tests are run by `nohup`, whose children ignore the signal that tells of a closed terminal."""
        for number in (signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN if number in ignored else signal.SIG_DFL)

    return subprocess.Popen(command, **pipes, text=True, cwd=folder, preexec_fn=answers)


def until(condition) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.fixture
def stuck(tmp_path) -> tuple[str, Path]:
    """The engine that never moves, and the file that it makes when it is asked to."""
    program, asked = tmp_path / "stuck.py", tmp_path / "asked"
    program.write_text(STUCK)
    return f"cmd={sys.executable} {program} {asked}", asked


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("command, more", [("review", []), ("puzzles", ["--to", "csv"])])
def test_a_wait_for_input_ends(tmp_path, command, more, number):
    pipe, out = tmp_path / "games.pgn", tmp_path / "out"
    os.mkfifo(pipe)
    process = start(command, pipe, "--json" if command == "review" else "-o", out, *more)
    with pipe.open("w") as games:
        games.write("1. f3 e5 2. g4 Qh4# 0-1\n\n[Event")
        games.flush()
        until(Path(f"{out}.run").exists)
        time.sleep(0.2)
        process.send_signal(number)
        said = process.communicate(timeout=10)[1]
    assert process.returncode == -number and not out.exists(), said
    assert "no progress yet" in said


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_no_temporary_folder_stays(tmp_path, number):
    pipe, out = tmp_path / "games.pgn", tmp_path / "out"
    os.mkfifo(pipe)
    process = start("pgn", "split", pipe, "--by", "ECO", "-o", out)
    with pipe.open("w"):
        until(lambda: list(out.glob(".mola-*")))
        process.send_signal(number)
        said = process.communicate(timeout=10)[1]
    assert process.returncode == -number and not list(out.glob(".*")), said


def test_files_are_put_into_their_places_together(tmp_path):
    games, out, count = tmp_path / "games.pgn", tmp_path / "out", 5000
    games.write_text("".join(f'[Site "{number}"]\n\n*\n\n' for number in range(count)))
    process = start("pgn", "split", games, "--by", "Site", "-o", out)
    until(lambda: list(out.glob("[!.]*")))
    process.send_signal(signal.SIGTERM)
    said = process.communicate(timeout=20)[1]
    assert process.returncode in (0, -signal.SIGTERM) and len(list(out.iterdir())) == count, said


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_what_is_ignored_at_the_start_stays_so(tmp_path, number):
    """As `nohup` and a shell's jobs in the background start a program."""
    words = "recon match random random --games 10000000 --seed 1"
    process = start(*words.split(), folder=tmp_path, ignored=(number,))
    time.sleep(0.5)
    process.send_signal(number)
    time.sleep(0.3)
    assert process.poll() is None
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=20)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_bot_that_hangs_ends_with_its_match(tmp_path, number):
    program, asked = tmp_path / "stuck.py", tmp_path / "asked"
    program.write_text(f"import os, time; input(); open({str(asked)!r}, 'w').write(str(os.getpid())); time.sleep(600)")
    process = start("recon", "match", f"cmd:{sys.executable} {program}", "random", folder=tmp_path)
    until(lambda: asked.exists() and asked.read_text())
    process.send_signal(number)
    process.communicate(timeout=10)
    assert process.returncode == INTERRUPTED
    with pytest.raises(ProcessLookupError):
        os.kill(int(asked.read_text()), 0)


def test_a_second_signal_does_not_wait(tmp_path):
    """Here for a bot that does not end with its input, for which it has ten seconds."""
    program = tmp_path / "stuck.py"
    program.write_text("import sys, time; input(); open(sys.argv[1], 'w').close(); time.sleep(600)")
    bots = [f"cmd:{sys.executable} {program} {tmp_path / name}" for name in ("white", "black")]
    process = start("recon", "match", *bots, folder=tmp_path)
    until(lambda: (tmp_path / "white").exists() and (tmp_path / "black").exists())
    process.send_signal(signal.SIGINT)
    time.sleep(0.3)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=10)
    assert process.returncode == -signal.SIGINT


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize(
    "words",
    [
        "match {0} {0} --nodes 1 --games 4",
        "match {0} {0} --nodes 1 --games 4 --pgn out",
        "analyse --fen startpos --depth 1 --engine {0} --json out",
        "analyse --fen startpos --depth 1 --engine {0} --json -",
        "spsa --engine {0} --param x,1,0,2,1 --nodes 1 --state out",
        "screen --engine {0} --change x=1,2 --nodes 1 --state out",
        "ablate --engine {0} --feature x=1 --nodes 1",
        "review --json - games.pgn --engine {0}",
        "puzzles games.pgn --engine {0}",
        "pgn annotate games.pgn --engine {0} -o out",
    ],
)
def test_stopped_runs_fail_with_one_code(tmp_path, stuck, words, number):
    engine, asked = stuck
    # It has an option for those that need one.
    program = tmp_path / "stuck.py"
    program.write_text(STUCK.replace("uciok", "option name x type spin default 1 min 0 max 2\\nuciok"))
    (tmp_path / "games.pgn").write_text("1. f3 e5 2. g4 Qh4# 0-1\n")
    process = start(*(word.format(engine) for word in words.split()), folder=tmp_path)
    until(lambda: asked.exists() or process.poll() is not None)
    process.send_signal(number)
    _, said = process.communicate(timeout=20)
    assert process.returncode == INTERRUPTED and "interrupted" in said, said


def test_stopped_annotations_can_be_resumed(tmp_path):
    games = tmp_path / "games.pgn"
    games.write_text("1. e4 *\n\n1. e4 {long} e5 2. Nf3 Nc6 3. Bb5 a6 *\n")
    command = ["pgn", "annotate", games, "-o", tmp_path / "out", "--hash", 1]
    process = start(*command, "--nodes", 10_000_000_000)
    until((tmp_path / "out.run").exists)
    time.sleep(0.3)
    process.send_signal(signal.SIGTERM)
    said = process.communicate(timeout=20)[1]
    assert process.returncode == INTERRUPTED and said == "mola: interrupted; no progress yet\n"
    assert not list(tmp_path.glob("out*"))


def test_a_stopped_match_of_bots_fails_too(tmp_path):
    process = start("recon", "match", "random", "random", "--games", 10_000_000, "--seed", 1)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    table, said = process.communicate(timeout=20)
    assert process.returncode == INTERRUPTED and "White won" in table and "interrupted" in said, said
