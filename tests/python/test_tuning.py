"""Tuning of engine options by games: `spsa`, `screen` and `ablate`."""

import json
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from engine import INTERRUPTED

PACE = ("--nodes", "500", "--max-moves", "80")


@pytest.fixture
def run(mola):
    """Runs a command on Mola, whose options are those of any engine."""

    def run(command: str, *args, engine: str | None = None) -> subprocess.CompletedProcess:
        return subprocess.run(
            [mola, command, "--engine", engine or f"'{mola}' uci", *PACE, *map(str, args)],
            capture_output=True,
            text=True,
            timeout=120,
        )

    return run


def test_spsa_finds_the_stronger_side_and_goes_on(run, tmp_path):
    state = tmp_path / "state.json"
    level = ("--param", "Skill Level,10,1,19,9", "--rate", "0.5", "--state", state)
    done = run("spsa", *level, "--pairs", 8)
    assert done.returncode == 0, done.stderr
    found = int(re.search(r"^Skill Level = (\d+) \(.*, from 10\)$", done.stdout, re.M)[1])
    assert found > 10
    assert "after 8 of 8 pairs" in done.stdout
    assert "mola: 8 pairs of games from 1 opening" in done.stderr
    assert json.loads(state.read_text())["played"] == 8
    again = run("spsa", *level, "--pairs", 8)
    assert again.stdout == done.stdout, "nothing is left to play"
    other = run("spsa", *level, "--pairs", 9)
    assert other.returncode != 0 and "belongs to a run with other parameters" in other.stderr
    slower = (*level[:3], "0.4", *level[4:])
    for args, engine in (((*level, "--plies", 1), None), (slower, None), (level, "other")):
        other = run("spsa", *args, "--pairs", 8, engine=engine)
        assert other.returncode != 0 and "belongs to a run with other parameters" in other.stderr, args


@pytest.mark.parametrize(
    "words, told",
    [
        ("--param a,1,0,2", "a limit is needed: --tc, --st, --nodes or --depth"),
        ("--nodes 1 --param a,1", "a,1: NAME,START,MIN,MAX[,STEP] expected"),
        ("--nodes 1 --param a,3,0,2", "a: MIN <= START <= MAX and a STEP above 0 expected"),
        ("--nodes 1 --param a,1,0,2 --param A,3,0,4", "A,3,0,4: there is another A"),
        ("--nodes 1 --param a,1,0,2 --rate nan", "--rate must be above 0 and at most 1"),
    ],
)
def test_spsa_refuses_wrong_command_lines(mola, words, told):
    done = subprocess.run([mola, "spsa", *words.split()], capture_output=True, text=True, timeout=20)
    assert done.returncode == 2 and done.stderr == f"mola: {told}\n"


def test_screen_tells_changes_apart_and_goes_on(run, tmp_path):
    state = tmp_path / "state.json"
    changes = ("--change", "Skill Level=20,1", "--change", "Move Overhead=10,20", "--state", state)
    done = run("screen", *changes, "--pairs", 6)
    assert done.returncode == 0, done.stderr
    # The harmful change comes last, and has lost nearly all games.
    lines = done.stdout.splitlines()
    assert re.fullmatch(r"Move Overhead  10 -> 20  Elo .*  \+\d+ =\d+ -\d+", lines[0])
    assert re.fullmatch(r"Skill Level    20 -> 1  Elo -(inf|\d.*)  \+0 =[01] -1[12]", lines[1])
    assert lines[2:] == ["after 6 of 6 pairs"]
    more = run("screen", *changes, "--pairs", 8)
    assert "after 8 of 8 pairs" in more.stdout and json.loads(state.read_text())["played"] == 8
    other = run("screen", *changes[:2], "--state", state, "--pairs", 8)
    assert other.returncode != 0 and "belongs to a run with other changes" in other.stderr
    other = run("screen", *changes, "--pairs", 8, engine="other")
    assert other.returncode != 0 and "belongs to a run with other changes" in other.stderr
    wrong = run("screen", "--change", "Hash=16")
    assert wrong.returncode != 0 and "NAME=OLD,NEW expected" in wrong.stderr


def test_ablate_tells_what_an_option_is_worth(run):
    done = run("ablate", "--feature", "Skill Level=1", "--games", 4)
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"Skill Level  Elo \+(inf|\d.*)  \+[34] =[01] -0\n", done.stdout)
    assert "mola: 2 pairs of games from 1 opening" in done.stderr


def test_mola_plays_itself_from_a_folder_with_any_name(mola, tmp_path):
    program = tmp_path / "it's new, 2" / Path(mola).name
    program.parent.mkdir()
    shutil.copy(mola, program)
    words = [program, "ablate", "--feature", "Hash=1", "--nodes", "10", "--games", "2", "--random-plies", "4"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and done.stdout.startswith("Hash  Elo "), done.stderr


def test_ctrl_c_writes_what_was_learned(mola, tmp_path):
    data, out = tmp_path / "games.data", tmp_path / "new.bin"
    subprocess.run([mola, "datagen", "--games", "100", "--nodes", "20", "--out", data], check=True, timeout=60)
    command = [mola, "tune", data, "--width", "0", "--epochs", "1000000", "--out", out]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    while not process.stderr.readline().startswith("epoch 2 of"):
        pass
    process.send_signal(signal.SIGINT)
    last = process.communicate(timeout=60)[1].splitlines()[-1]
    assert process.returncode == INTERRUPTED and re.fullmatch(rf"mola: {out}: interrupted after \d+\.\d\d of 1000000 epochs", last)
    more = [mola, "tune", data, "--width", "0", "--epochs", "1", "--from", out, "--out", tmp_path / "more.bin"]
    subprocess.run(more, check=True, timeout=60)


def test_an_option_that_an_engine_lacks_is_told(run):
    done = run("ablate", "--feature", "Sharpness=1", "--games", 2)
    assert done.returncode != 0 and "Sharpness" in done.stderr
    assert done.stdout == ""
    done = run("screen", "--change", "Hash=1,2", "--pairs", 1, "--option", "Sharpness=1")
    assert done.returncode != 0 and "Sharpness" in done.stderr


CRASHES = """#!/usr/bin/env python3
import sys
for line in sys.stdin:
    if line.startswith("uci"):
        print("option name Hash type spin default 16 min 1 max 64\\nuciok", flush=True)
    elif line.startswith("isready"):
        print("readyok", flush=True)
    elif line.startswith("go"):
        sys.exit(7)
"""


@pytest.mark.parametrize(
    "words",
    [
        "spsa --param Hash,16,1,64 --pairs 2",
        "screen --change Hash=16,32 --pairs 2",
        "ablate --feature Hash=4 --games 4",
    ],
)
def test_faults_are_told(run, tmp_path, words):
    engine = tmp_path / "engine"
    engine.write_text(CRASHES)
    engine.chmod(0o755)
    command, *args = words.split()
    done = run(command, *args, engine=str(engine))
    assert done.returncode == 1, done.stdout
    assert "mola: game 1: crash: " in done.stderr
    assert "all of 4 games ended by faults (crash 4): crash: " in done.stderr and "exit status: 7" in done.stderr


@pytest.mark.parametrize("words", ["screen --change razor_base=205,260", "spsa --param razor_base,220,50,500,25"])
def test_a_build_for_tuning_is_named(mola, words):
    done = subprocess.run([mola, *words.split(), *PACE, "--pairs", "1"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and 'no option "razor_base"' in done.stderr
    assert "cargo build --release --features tune" in done.stderr


def test_an_option_changes_once(run):
    done = run("screen", "--change", "Hash=16,32", "--change", "hash=1,2", "--pairs", 1)
    assert done.returncode == 2 and "--change: there is another hash" in done.stderr


@pytest.mark.parametrize("command", ["spsa --param Hash,16,1,64", "screen --change Hash=16,32"])
def test_one_run_has_a_state(mola, tmp_path, command):
    """A second run with the same file is refused; afterwards nothing is left beside the file."""
    state = tmp_path / "state.json"
    words = [mola, *command.split(), "--engine", f"'{mola}' uci", "--st", "0.05", "--state", state, "--pairs", "500"]
    first = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 30
    while not (tmp_path / ".mola-state.json.part").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    second = subprocess.run(words, capture_output=True, text=True, timeout=60)
    first.send_signal(signal.SIGINT)
    text, error = first.communicate(timeout=60)
    assert second.returncode == 1 and f"{state}: another program is writing to it" in second.stderr
    assert first.returncode == INTERRUPTED, error
    assert [path.name for path in tmp_path.iterdir()] == ["state.json"]


def test_vectors_fit_the_engine_and_the_weights_given(mola, tmp_path):
    data, wide, out = tmp_path / "a.data", tmp_path / "wide.bin", tmp_path / "out.bin"
    run = lambda *words: subprocess.run([mola, *map(str, words)], capture_output=True, text=True, timeout=120)
    done = run("datagen", "--positions", 100, "--nodes", 20, "--out", data)
    assert done.returncode == 0, done.stderr
    done = run("tune", data, "--width", 144, "--epochs", 0, "--out", out)
    assert done.returncode == 2 and "not a multiple of 16 up to 128" in done.stderr
    done = run("tune", data, "--width", 32, "--epochs", 0, "--out", wide)
    assert done.returncode == 0, done.stderr
    done = run("tune", data, "--from", wide, "--width", 16, "--epochs", 0, "--out", out)
    assert done.returncode == 1 and f"{wide}: its vectors have 32 numbers, so --width must be at least 32\n" in done.stderr
    assert not out.exists()
    assert run("tune", data, "--from", wide, "--width", 48, "--epochs", 0, "--out", out).returncode == 0


@pytest.mark.parametrize("option", ["from OUT", "epochs 7", "width 64", "lambda 0.3", "seed 2", "threads 2", "plot OUT"])
def test_material_is_not_trained(mola, tmp_path, option):
    out = str(tmp_path / "out.bin")
    words = ["tune", "--material", *f"--{option}".replace("OUT", out).split(), "--out", str(tmp_path / "new.bin")]
    done = subprocess.run([mola, *words], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and "--material" in done.stderr and words[2] in done.stderr, done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("step, rate", [("14.142135623730951", "0.1"), ("5", "0.014285714285714285")])
def test_numbers_of_many_digits_are_resumed(run, tmp_path, step, rate):
    words = ("--param", f"Move Overhead,10,0,100,{step}", "--rate", rate, "--pairs", 1, "--state", tmp_path / "state")
    first, second = (run("spsa", *words) for _ in range(2))
    assert first.returncode == 0, first.stderr
    assert second.returncode == 0 and second.stdout == first.stdout, second.stderr


RUNS = ["spsa --param Hash,16,1,64 --pairs 2", "screen --change Hash=16,32 --pairs 2"]


@pytest.mark.parametrize("words", RUNS)
def test_a_failed_start_does_not_block_the_command(run, tmp_path, words):
    state = tmp_path / "state.json"
    command, *args = [*words.split(), "--state", state]
    failed = run(command, *args, engine=str(tmp_path / "missing"))
    assert failed.returncode == 1 and not state.exists(), failed.stderr
    done = run(command, *args)
    assert done.returncode == 0, done.stderr
    # A state in which nothing was played, of another command line.
    state.write_text(json.dumps({**json.loads(state.read_text()), "played": 0, "games": "other"}))
    again = run(command, *args)
    assert again.returncode == 0 and again.stdout == done.stdout, again.stderr


@pytest.mark.parametrize("words", RUNS)
def test_settings_that_differ_are_named(run, tmp_path, words):
    command, *args = [*words.split(), "--state", tmp_path / "state.json"]
    assert run(command, *args).returncode == 0
    other = run(command, *args, "--plies", 7, "--seed", 2)
    assert other.returncode == 1 and other.stderr.endswith(" or settings: with --seed=1, without --seed=2, --plies=7\n"), other.stderr
    changed = [str(word).replace("16,", "17,") for word in args]
    other = run(command, *changed)
    told = "--param=Hash,{},1,64,3.15" if command == "spsa" else "--change=Hash={},32"
    assert other.stderr.endswith(f": with {told.format(16)}, without {told.format(17)}\n"), other.stderr


@pytest.mark.parametrize("words", RUNS)
def test_faults_are_told_again(run, mola, tmp_path, words):
    engine = tmp_path / "engine"
    command, *args = [*words.split(), "--state", tmp_path / "state.json"]
    engine.write_text(CRASHES)
    engine.chmod(0o755)
    for _ in range(2):
        done = run(command, *args, engine=str(engine))
        assert done.returncode == 1 and "all of 4 games ended by faults (crash 4)" in done.stderr, done.stderr
    # Such games mean nothing: when the engine is repaired, they are played again. The first to be started still fails.
    marker = tmp_path / "marker"
    repaired = f"import os, sys\nif os.path.exists({str(marker)!r}): os.execv({mola!r}, ['mola', 'uci'])\nopen({str(marker)!r}, 'w')\n"
    engine.write_text(CRASHES.replace("import sys\n", repaired))
    done = run(command, *args, engine=str(engine))
    told = "mola: 1 of 4 games ended by faults (crash 1); the last: crash: "
    assert done.returncode == 0 and told in done.stderr, done.stderr
    again = run(command, *args, engine=str(engine))
    assert again.returncode == 0 and again.stdout == done.stdout and told in again.stderr, again.stderr
    # A state of an earlier version does not know them.
    state = tmp_path / "state.json"
    old = json.loads(state.read_text())
    del old["faults"]
    state.write_text(json.dumps(old))
    again = run(command, *args, engine=str(engine))
    assert again.returncode == 0 and again.stdout == done.stdout and "faults" not in again.stderr, again.stderr


def test_little_is_lost_by_a_kill(mola, tmp_path):
    """Each run has something in its file long before 64 games or 16 pairs."""
    slow = ["--st", "0.05", "--max-moves", "10", "--random-plies", "4", "--pairs", "1000", "--engine", f"'{mola}' uci", "--state"]
    commands = {
        "data": ["datagen", "--games", "1000000", "--nodes", "20000", "--out"],
        "spsa": ["spsa", "--param", "Hash,16,1,64", *slow],
        "screen": ["screen", "--change", "Hash=16,32", *slow],
    }
    running = {}
    for name, words in commands.items():
        path = tmp_path / name
        running[path] = subprocess.Popen([mola, *words, path], stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 100
    try:
        waiting = dict(running)
        while waiting:
            assert time.monotonic() < deadline
            time.sleep(0.02)
            # Each ends as soon as its own file is there: while it waited for the others, it would play on.
            for path in [path for path in waiting if path.exists() and path.stat().st_size > 36]:
                waiting.pop(path).kill()
    finally:
        for process in running.values():
            process.kill()
            process.wait()
    for name in ("spsa", "screen"):
        assert 0 < json.loads((tmp_path / name).read_text())["played"] < 16
    told = subprocess.run([mola, "traindata", "info", tmp_path / "data"], capture_output=True, text=True).stdout
    assert 0 < int(re.search(r"^games: (\d+)$", told, re.M)[1]) < 64
