"""Matches and analyses: the games as python-chess reads them, the sums, and what goes wrong."""

import json
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import chess
import chess.pgn
import pytest

UCI_FAKE = """#!/usr/bin/env python3
import os, sys, time
for line in sys.stdin:
    word = line.split()[0] if line.split() else ""
    if word == "uci":
        print("id name Fake\\nuciok", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "go":
        {go}
    elif word == "quit":
        break
"""


def run(mola: str, *args, check=True, timeout=120) -> subprocess.CompletedProcess:
    done = subprocess.run(
        [mola, *map(str, args)], capture_output=True, text=True, timeout=timeout
    )
    assert not check or done.returncode == 0, done.stdout + done.stderr
    return done


def fake(folder: Path, name: str, go: str) -> str:
    """An engine that answers `go` in this way."""
    return f"name={name},cmd={script(folder, name, UCI_FAKE.format(go=go))}"


def script(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    path.chmod(0o755)
    return path


def games_of(path: Path) -> list[chess.pgn.Game]:
    with path.open() as file:
        games = list(iter(lambda: chess.pgn.read_game(file), None))
    assert not any(game.errors for game in games)
    return games


@pytest.fixture
def two(mola):
    """Mola twice, under two names."""
    return f"name=A,cmd={mola} uci", f"name=B,cmd={mola} uci"


def test_too_few_openings_are_told(mola, two):
    short = (*two, "--depth", 1, "--max-moves", 2)
    assert "mola: 2 pairs of games from 1 opening(s)" in run(mola, "match", *short, "--games", 4).stderr
    assert "opening" not in run(mola, "match", *short, "--games", 2).stderr


def test_engines_of_different_pace_have_their_faults_told(mola, two):
    first, second = (f"{engine},depth={depth}" for engine, depth in zip(two, (1, 2)))
    done = run(mola, "match", first, second, "--games", 2, "--max-moves", 2)
    assert "A against B: 2 games, depth 1 against depth 2," in done.stdout
    assert "Faults  B: illegal move 0, time loss 0" in done.stdout


def test_games_are_sound_and_paired(mola, two, tmp_path):
    book = tmp_path / "book.epd"
    openings = ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - id \"start\";",
                "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -"]  # fmt: skip
    book.write_text("\n".join(openings))
    pgn, summary = tmp_path / "games.pgn", tmp_path / "summary.json"
    done = run(mola, "match", *two, "--nodes", 300, "--games", 4, "--book", book, "--pgn", pgn,
               "--json", summary, "--max-moves", 30, "--concurrency", 2, "--sprt", "0,5")  # fmt: skip
    games = games_of(pgn)
    assert len(games) == 4
    by_round = {}
    for game in games:
        by_round.setdefault(game.headers["Round"], []).append(game)
        assert {game.headers["White"], game.headers["Black"]} == {"A", "B"}
        board = game.board()
        for node in game.mainline():
            assert node.move in board.legal_moves
            assert node.eval() is not None and node.emt() is not None
            board.push(node.move)
        outcome = board.outcome(claim_draw=True)
        if outcome is None:
            assert game.headers["Termination"] == "adjudication"
        else:
            assert game.headers["Result"] == outcome.result()
    for first, second in by_round.values():
        assert first.board().fen() == second.board().fen()
        assert first.headers["White"] == second.headers["Black"]
    found = json.loads(summary.read_text())
    assert sum(found["tally"]["pairs"]) == 2
    assert found["faults"] == [{}, {}] and found["bad_lines"] == [0, 0]
    assert re.search(r"^A against B: 4 games, 300 nodes", done.stdout)
    assert "LLR" in done.stdout
    # The same sums from the file.
    again = run(mola, "match", "--from", pgn, "A", "B", "--sprt", "0,5").stdout
    for line in ("Score", "Elo", "Pairs", "SPRT"):
        pattern = rf"^{line} .*$"
        assert re.search(pattern, done.stdout, re.M)[0] == re.search(pattern, again, re.M)[0]


def test_fixed_nodes_are_reproducible(mola, two, tmp_path):
    played = []
    for name in ("one", "two"):
        pgn = tmp_path / name
        run(mola, "match", *two, "--nodes", 200, "--games", 2, "--pgn", pgn, "--max-moves", 20)
        games = sorted(games_of(pgn), key=lambda game: game.headers["White"])
        played.append([[m.uci() for m in game.mainline_moves()] for game in games])
    assert played[0] == played[1]


def test_clocks_are_kept(mola, two, tmp_path):
    pgn = tmp_path / "games.pgn"
    run(mola, "match", *two, "--tc", "20/2+0.05", "--games", 2, "--pgn", pgn, "--max-moves", 12,
        "--strict", "--margin", 500)  # fmt: skip
    for game in games_of(pgn):
        assert game.headers["TimeControl"] == "20/2+0.05"
        clocks = [node.clock() for node in game.mainline()]
        assert all(clock is not None and 0 <= clock < 4.5 for clock in clocks)


@pytest.mark.parametrize(
    "go, fault",
    [
        ("print('bestmove e2e5', flush=True)", "illegal_move"),
        ("print('bestmove (none)', flush=True)", "illegal_move"),
        ("print('nonsense', flush=True); os._exit(7)", "crash"),
        ("time.sleep(0.4); print('bestmove e2e4', flush=True)", "time_loss"),
        ("time.sleep(60)", "hang"),
    ],
)
def test_faults_lose_and_are_counted(mola, tmp_path, go, fault):
    broken = fake(tmp_path, "broken", go)
    summary, pgn = tmp_path / "summary.json", tmp_path / "games.pgn"
    done = run(mola, "match", broken, f"name=A,cmd={mola} uci,tc=60", "--tc", "0.3", "--games", 1,
               "--json", summary, "--pgn", pgn)  # fmt: skip
    found = json.loads(summary.read_text())
    assert found["tally"]["losses"] == 1
    assert found["faults"] == [{fault: 1}, {}]
    assert fault.replace("_", " ") in done.stderr
    if fault == "crash":
        assert "exit status: 7" in done.stderr and "nonsense" in done.stderr
    assert {game.headers["Termination"] for game in games_of(pgn)} == {fault.replace("_", " ")}
    failed = run(mola, "match", broken, f"cmd={mola} uci,tc=60", "--tc", "0.3", "--games", 1,
                 "--strict", check=False)  # fmt: skip
    assert failed.returncode == 1


def test_wrong_lines_are_counted(mola, tmp_path):
    line = "print('info depth 1 score cp 0 pv e2e4 e2e4'); print('bestmove e2e4', flush=True)"
    liar = fake(tmp_path, "liar", line)
    summary = tmp_path / "summary.json"
    run(mola, "match", liar, f"cmd={mola} uci", "--nodes", 100, "--games", 1, "--max-moves", 1,
        "--json", summary)  # fmt: skip
    assert json.loads(summary.read_text())["bad_lines"] == [1, 0]


def test_what_cannot_be_played_is_told(mola, two, tmp_path):
    cases = [
        (["/no/such/engine", two[0], "--nodes", "10"], "cannot be started"),
        ([two[0], two[1]], "a pace is needed"),
        ([two[0], "--nodes", "10"], "two engines"),
        ([f"cmd={mola} uci,option.Hush=1", two[1], "--nodes", "10"], "no option"),
        ([*two, "--nodes", "10", "--book", tmp_path / "none.epd"], "none.epd"),
        ([*two, "--nodes", "10", "--variant", "nonsense"], "nonsense"),
        (["--from", tmp_path / "none.pgn"], "none.pgn"),
    ]
    for args, message in cases:
        done = run(mola, "match", *args, check=False)
        assert done.returncode != 0 and message in done.stderr, (args, done.stderr)


def test_ctrl_c_ends_with_the_report(mola, two, tmp_path):
    pgn = tmp_path / "games.pgn"
    command = [mola, "match", *two, "--tc", "0.1+0.01", "--games", "10000", "--pgn", str(pgn)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not (pgn.exists() and pgn.stat().st_size):
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    text, _ = process.communicate(timeout=20)
    assert process.returncode == 0
    assert "interrupted" in text and "Elo" in text
    assert games_of(pgn)


@pytest.mark.parametrize("variant", ["chess960", "atomic", "crazyhouse", "3check"])
def test_variants(mola, two, tmp_path, variant):
    pgn = tmp_path / "games.pgn"
    done = run(mola, "match", *two, "--nodes", 100, "--games", 2, "--variant", variant, "--pgn", pgn,
               "--max-moves", 20, "--json", "-")  # fmt: skip
    assert json.loads(done.stdout)["faults"] == [{}, {}]
    assert len(games_of(pgn)) == 2


SLEEPY = """#!/usr/bin/env python3
import sys
for number, line in enumerate(sys.stdin, 1):
    word = line.split()[0] if line.split() else ""
    if number == 3:
        print("Sleepy", flush=True)
    elif number == 4:
        print("feature setboard=1 usermove=1 done=1", flush=True)
    elif word == "go":
        print("resign", flush=True)
    elif word in ("edit", "quit"):
        break
"""


def test_an_engine_may_sleep_over_its_first_lines(mola, two, tmp_path):
    """As GNU Chess does: it says nothing of its features until it is sent more."""
    book = tmp_path / "book.epd"
    book.write_text("4k3/8/8/8/8/8/8/QQ2K3 b - - 0 1\n")
    opponent = f"name=S,proto=xboard,cmd={script(tmp_path, 'sleepy', SLEEPY)}"
    done = run(mola, "match", opponent, two[0], "--depth", 1, "--games", 2, "--book", book)
    assert "Faults  S: illegal move 0, time loss 0, crash 0, hang 0" in done.stdout
    assert "Ends    2 resignation" in done.stdout


# Not GNU Chess in XBoard mode: on a pipe it now and then keeps silent until it is spoken to again.
@pytest.mark.parametrize("opponent", ["gnuchess --uci", "xboard:fairymax"])
def test_opponents(mola, tmp_path, opponent):
    program = opponent.removeprefix("xboard:").split()[0]
    if not shutil.which(program):
        pytest.skip(f"no {program}")
    summary = tmp_path / "summary.json"
    run(mola, "match", f"cmd={mola} uci", opponent, "--tc", "1+0.05", "--games", 2, "--margin", 500,
        "--option", "OwnBook=false", "--json", summary, "--max-moves", 40)  # fmt: skip
    found = json.loads(summary.read_text())
    assert found["tally"]["wins"] + found["tally"]["draws"] + found["tally"]["losses"] == 2
    assert found["faults"] == [{}, {}]


def test_analyse_a_suite(mola, tmp_path):
    suite = tmp_path / "suite.epd"
    suite.write_text(
        "6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8#; id \"mate\";\n"
        "6k1/5ppp/8/8/8/8/8/R3K3 w Q - am Ra8#; id \"not\";\n"
        "6k1/5ppp/8/8/8/8/8/R3K3 w Q - c0 \"Ra8=10, Ra7=5\";\n"
    )
    done = run(mola, "analyse", suite, "--depth", 5)
    assert "1 of 2 solved, 10 of 10 points" in done.stdout
    assert re.search(r"^missed not: Ra8#, #1", done.stdout, re.M) and "missed mate" not in done.stdout
    assert run(mola, "analyse", suite, "--depth", 5, "--least", 2, check=False).returncode == 1
    assert run(mola, "analyse", suite, check=False).returncode == 1


def test_analyse_resumes(mola, tmp_path):
    positions = tmp_path / "positions.fen"
    board, fens = chess.Board(), []
    for san in "e4 e5 Nf3 Nc6 Bb5 a6".split():
        board.push_san(san)
        fens.append(board.fen())
    positions.write_text("\n".join(fens))
    out = tmp_path / "out.jsonl"
    args = ["analyse", positions, "--depth", 4, "--json", out]
    run(mola, *args)
    whole = out.read_text()
    records = [json.loads(line) for line in whole.splitlines()][1:]
    assert [record["fen"] for record in records] == fens
    for record in records:
        board = chess.Board(record["fen"])
        assert board.parse_san(record["san"]).uci() == record["best"] == record["lines"][0]["pv"].split()[0]
    # A file that was cut anywhere is completed to the same records.
    out.write_text(whole[: len(whole) // 2])
    run(mola, *args)
    strip = lambda text: re.sub(r'"seconds":[^,]*', "", text)  # noqa: E731
    assert strip(out.read_text()) == strip(whole)
    other = run(mola, "analyse", positions, "--depth", 5, "--json", out, check=False)
    assert other.returncode == 1 and "other limits" in other.stderr


def test_analyse_games_and_another_engine(mola, tmp_path):
    pgn, annotated = tmp_path / "game.pgn", tmp_path / "annotated.pgn"
    pgn.write_text('[White "A"]\n\n1. e4 {king} e5 (1... c5) 2. Qh5 Ke7 3. Qxe5# 1-0\n')
    run(mola, "analyse", pgn, "--depth", 4, "--annotate", annotated, "--multipv", 2)
    (game,) = games_of(annotated)
    evals = [node.eval() for node in game.mainline()]
    assert evals[3].white().mate() == 1
    assert all(evals[:4])
    stockfish = shutil.which("stockfish") or "/usr/games/stockfish"
    if Path(stockfish).exists():
        done = run(mola, "analyse", "--fen", chess.STARTING_FEN, "--nodes", 1000, "--engine", stockfish)
        assert re.search(r"^1: \w+, [+-]\d", done.stdout)
