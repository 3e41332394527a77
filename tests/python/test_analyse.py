"""`mola analyse`: what it prints and writes of the positions of suites and games."""

import signal
import subprocess
import sys

import pytest

from engine import INTERRUPTED
from test_signals import STUCK, start, until

# An engine that answers at once: in games of 1. e4 with the second score, in others with the first.
ANSWERS = """import sys
for line in sys.stdin:
    if line.startswith("uci\\n"):
        print("uciok", flush=True)
    if line.startswith("isready"):
        print("readyok", flush=True)
    if line.startswith("position"):
        score = sys.argv[2 if " e2e4" in line else 1]
        move = "a2a3" if len(line.split()) % 2 else "a7a6"
    if line.startswith("go"):
        print(f"info depth 5 score {score} nodes 9 pv {move}\\nbestmove {move}", flush=True)
    if line.startswith("quit"):
        break
"""


def analyse(mola, folder, *words):
    command = [mola, "analyse", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)


def test_points_for_promotions(mola, tmp_path):
    (tmp_path / "suite.epd").write_text('8/4P3/8/8/8/k7/8/K7 w - - bm e8=Q; c0 "e8=Q=10, e8=R=5, Kb1=1";\n')
    done = analyse(mola, tmp_path, "suite.epd", "--depth", "5", "--verbose")
    assert done.stdout.startswith("solved 1: e8=Q, 10 of 10 points, "), done.stdout
    assert "1 of 1 solved, 10 of 10 points, " in done.stdout


def test_points_alone_cannot_be_solved(mola, tmp_path):
    (tmp_path / "suite.epd").write_text('8/4P3/8/8/8/k7/8/K7 w - - c0 "Kb1=10, Kb2=1";\n')
    done = analyse(mola, tmp_path, "suite.epd", "--depth", "1", "--least", "1")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "mola: no position has a move to find (bm, am or dm)\n"


def test_what_was_wanted_and_what_was_played_are_told(mola, tmp_path):
    (tmp_path / "game.pgn").write_text("1. f3 e5 2. g4 Nc6 *\n")
    done = analyse(mola, tmp_path, "game.pgn", "--mate", "1", "--depth", "1")
    lines = done.stdout.splitlines()
    assert ", mate in 1, played e5" in lines[0], done.stdout
    assert ", mate in 1, played g4" in lines[1], done.stdout


def test_annotations_have_no_bounds(mola, tmp_path):
    """`%eval` has no sign for them."""
    (tmp_path / "game.pgn").write_text("1. d4 {[%eval 0.11,9]} 1... d5 *\n\n1. e4 e5 *\n")
    (tmp_path / "engine.py").write_text(ANSWERS)
    engine = f"cmd={sys.executable},arg=engine.py,arg=cp 44 lowerbound,arg=cp -30"
    done = analyse(mola, tmp_path, "game.pgn", "--depth", "5", "--engine", engine, "--annotate", "out.pgn")
    assert done.returncode == 0, done.stderr
    assert ">=+0.44" in done.stdout and "<=-0.44" in done.stdout, done.stdout
    first, second = (game.strip() for game in (tmp_path / "out.pgn").read_text().split("\n\n") if "1. " in game)
    assert first == "1. d4 {[%eval 0.11,9]} 1... d5 *"
    assert second == "1. e4 {[%eval 0.30,5]} 1... e5 {[%eval -0.30,5]} *"


def test_an_engine_without_scores_takes_none_away(mola, tmp_path):
    (tmp_path / "game.pgn").write_text("1. d4 {[%eval 0.11,9] good} 1... d5 *\n")
    (tmp_path / "engine.py").write_text(ANSWERS.replace("score {score} ", ""))
    engine = f"cmd={sys.executable},arg=engine.py,arg=0,arg=0"
    done = analyse(mola, tmp_path, "game.pgn", "--depth", "5", "--engine", engine, "--annotate", "out.pgn")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out.pgn").read_text().strip() == "1. d4 {[%eval 0.11,9] good} 1... d5 *"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals")
def test_a_stopped_run_says_how_to_resume_it_in_spite_of_failures(mola, tmp_path):
    """The engine dies once, and then thinks for ever."""
    fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"
    (tmp_path / "two.fen").write_text(fen * 2)
    asked, died = tmp_path / "asked", tmp_path / "died"
    dies = f'    if line.startswith("go") and not __import__("os").path.exists({str(died)!r}):\n'
    dies += f"        open({str(died)!r}, 'w').close()\n        sys.exit(1)\n"
    marker = '    if line.startswith("go"):\n'
    (tmp_path / "engine.py").write_text(STUCK.replace(marker, dies + marker))
    engine = f"cmd={sys.executable} engine.py {asked}"
    process = start("analyse", "two.fen", "--depth", 1, "--engine", engine, "--json", "out", folder=tmp_path)
    until(lambda: asked.exists() or process.poll() is not None)
    process.send_signal(signal.SIGINT)
    shown, said = process.communicate(timeout=20)
    assert process.returncode == INTERRUPTED, said
    assert "1 failed" in shown and "the same command resumes the run" in said, (shown, said)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals")
def test_the_name_of_an_endless_analysis_controls_no_terminal(mola, tmp_path):
    (tmp_path / "one.epd").write_text('8/4P3/8/8/8/k7/8/K7 w - - id "x\033[31mred";\n')
    process = start("analyse", "one.epd", "--infinite", folder=tmp_path)
    line = process.stdout.readline()
    process.send_signal(signal.SIGINT)
    shown = line + process.communicate(timeout=20)[0]
    assert "\033" not in shown and shown.splitlines()[-1].endswith("; scores are White's"), shown
