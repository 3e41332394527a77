"""The examples of the Python package run unchanged."""

import json
import os
import re
import subprocess
import sys

import python_package
import pytest
from engine import ROOT

EXAMPLES = ROOT / "toolbox/python-module/examples"
SCHOLARS_MATE = '[White "A"]\n[Result "1-0"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n'
BACK_RANK = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1"


def run(name: str, *arguments: str, requests: str = "") -> str:
    """The output of an example."""
    env = os.environ | {"PYTHONPATH": str(python_package.FOLDER), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, EXAMPLES / name, *arguments],
        input=requests,
        capture_output=True,
        text=True,
        timeout=170,
        env=env,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def test_analysis(tmp_path):
    pytest.importorskip("numpy")
    games = tmp_path / "games.pgn"
    games.write_text(SCHOLARS_MATE * 2)
    pictures = tmp_path / "pictures"
    printed = run("analysis.py", str(games), "--nodes", "2000", "--pictures", str(pictures))
    assert "2 games, 14 moves" in printed and "1-0      2" in printed
    worst = printed.partition("the worst moves")[2].splitlines()[1:]
    assert "3...Nf6" in worst[0] and "3...Nf6" in worst[1]
    assert (pictures / "1.svg").read_text().startswith("<svg ")


def test_analysis_of_variants(tmp_path):
    games = tmp_path / "games.pgn"
    exploded = '[Variant "Atomic"]\n\n1. Nf3 a6 2. Ng5 a5 3. Nxf7 1-0\n\n'
    given_away = '[Variant "Antichess"]\n\n1. e3 b5 2. Bxb5 Bb7 *\n'
    # The side to move could take the king.
    into_check = '[FEN "4k3/8/8/8/8/8/8/K3R3 w - - 0 1"]\n\n1. Ka2 Kf8 2. Ka3 *\n\n'
    games.write_text(exploded + SCHOLARS_MATE + "\n" + into_check + given_away)
    worst = run("analysis.py", str(games), "--nodes", "500").partition("the worst moves")[2]
    assert "game 1: 1...a6" in worst and "game 2: 3...Nf6" in worst


def test_a_player_for_lichess():
    clocks = {"wtime": 60_000, "btime": 60_000, "winc": 0, "binc": 0, "status": "started"}
    events = [
        {"type": "gameFull", "variant": {"key": "standard"}, "initialFen": "startpos",
         "state": {"type": "gameState", "moves": "", **clocks}},
        {"type": "chatLine", "text": "hello"},
        {"type": "gameState", "moves": "f2f3 e7e5 g2g4", **clocks},
        {"type": "gameState", "moves": "f2f3 e7e5 g2g4 d8h4", **clocks, "status": "mate"},
    ]
    requests = "\n\n".join(map(json.dumps, events))
    printed = run("lichess_player.py", "--color", "black", "--nodes", "2000", requests=requests)
    assert [json.loads(line) for line in printed.splitlines()] == [{"move": "d8h4"}]


def test_a_search_of_the_reader_finds_a_mate():
    printed = run("mcts.py", BACK_RANK, "--simulations", "400")
    assert printed.startswith("Rd8#")


def test_maskable_ppo():
    pytest.importorskip("sb3_contrib", reason="sb3-contrib is not installed (pip install sb3-contrib)")
    printed = run("maskable_ppo.py", "--steps", "256", "--games", "4")
    assert printed.startswith("before:") and "after 256 steps" in printed


def test_spark(tmp_path):
    pytest.importorskip("pyspark", reason="PySpark is not installed (tests/tools/heavy_examples)")
    files = []
    for name, games in (("one", 3), ("two", 2)):
        files.append(str(tmp_path / f"{name}.pgn"))
        (tmp_path / f"{name}.pgn").write_text(SCHOLARS_MATE * games)
    printed = run("spark_games.py", *files, "--workers", "2")
    assert "5 games, 35 plies of 2 files" in printed
    assert "results: 1-0 5" in printed and "first moves: e2e4 5" in printed


def test_ray_plays_for_learning(mola, tmp_path):
    pytest.importorskip("ray", reason="Ray is not installed (tests/tools/heavy_examples)")
    for workers in ("1", "2"):
        out = tmp_path / workers
        run("ray_workers.py", "selfplay", "--mola", str(mola), "--workers", workers, "--games", "4",
            "--nodes", "50", "--out", str(out))
        files = list(out.glob("*.data"))
        assert len(files) == int(workers)
        infos = [subprocess.check_output([mola, "traindata", "info", file], text=True) for file in files]
        assert sum(int(re.search(r"^games: (\d+)", info, re.M).group(1)) for info in infos) == 4
    printed = run("ray_workers.py", "random", "--workers", "2", "--steps", "50")
    assert printed.startswith("6400 actions")


def test_rllib(tmp_path):
    pytest.importorskip("torch", reason="PyTorch is not installed (tests/tools/heavy_examples)")
    pytest.importorskip("ray.rllib", reason="Ray is not installed (tests/tools/heavy_examples)")
    printed = run("ray_workers.py", "rllib", "--iterations", "1", "--workers", "2")
    assert printed.startswith("iteration 1: ")
