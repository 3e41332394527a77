"""Matches and analyses: the games as python-chess reads them, the totals, and faults."""

import bz2
import gzip
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import chess
import chess.pgn
import pytest

from engine import INTERRUPTED, fairymax, program
from games import games_of

UCI_FAKE = """#!/usr/bin/env python3
import os, sys, time
for line in sys.stdin:
    word = line.split()[0] if line.split() else ""
    if word == "uci":
        print("id name Fake{options}\\nuciok", flush=True)
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


def fake(folder: Path, name: str, go: str, options: str = "") -> str:
    """An engine that answers `go` in this way, and declares these lines of options."""
    return f"name={name},cmd={script(folder, name, UCI_FAKE.format(go=go, options=options))}"


PONDER = "\\noption name Ponder type check default false"


def script(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    path.chmod(0o755)
    return path


@pytest.fixture
def two(mola):
    """Mola twice, under two names."""
    return f"name=A,cmd={mola} uci", f"name=B,cmd={mola} uci"


def test_too_few_openings_are_told(mola, two):
    short = (*two, "--depth", 1, "--max-moves", 2)
    assert "mola: 2 pairs of games from 1 opening:" in run(mola, "match", *short, "--games", 4).stderr
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
    # The same totals from the file.
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


def test_parts_make_the_whole(mola, two, tmp_path):
    """Two machines play the games that one would have played."""

    def played(*part):
        pgn = tmp_path / "-".join(("games", *part)).replace("/", "")
        run(mola, "match", *two, "--nodes", 30, "--games", 7, "--pgn", pgn, "--max-moves", 10, *part)
        return sorted((game.headers["White"], *map(str, game.mainline_moves())) for game in games_of(pgn))

    parts = [played("--shard", f"{part}/2") for part in (1, 2)]
    assert [len(part) for part in parts] == [4, 3]
    assert sorted(parts[0] + parts[1]) == played()


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
               "--json", summary, "--pgn", pgn, check=False)  # fmt: skip
    is_useless = fault in ("crash", "hang")
    assert done.returncode == is_useless
    assert ("broken failed in its only game: " in done.stderr) == is_useless
    found = json.loads(summary.read_text())
    assert found["tally"]["losses"] == 1
    assert found["faults"] == [{fault: 1}, {}]
    assert fault.replace("_", " ") in done.stderr
    if fault == "crash":
        assert "exit status: 7" in done.stderr and "nonsense" in done.stderr
    standard = {"crash": "abandoned", "hang": "abandoned", "time_loss": "time forfeit"}
    assert {game.headers["Termination"] for game in games_of(pgn)} == {standard.get(fault, "rules infraction")}
    failed = run(mola, "match", broken, f"cmd={mola} uci,tc=60", "--tc", "0.3", "--games", 1,
                 "--strict", check=False)  # fmt: skip
    assert failed.returncode == 1


def test_no_engine_hangs_within_the_margin(mola, tmp_path):
    slow = fake(tmp_path, "slow", "time.sleep(5.6); print('bestmove e2e4', flush=True)")
    done = run(mola, "match", slow, f"cmd={mola} uci", "--st", 0.1, "--games", 1, "--max-moves", 1, "--margin", 20000)
    assert "Faults  slow: illegal move 0, time loss 0, crash 0, hang 0" in done.stdout, done.stdout


def test_a_hang_after_a_ponder_hit_is_found_soon(mola, tmp_path):
    ponders = """print("bestmove e2e4 ponder e7e5", flush=True) if "ponder" not in line else None"""
    hung = fake(tmp_path, "hung", ponders, PONDER)
    other = fake(tmp_path, "other", "print('bestmove e7e5', flush=True)")
    done = run(mola, "match", hung, other, "--tc", "0.3", "--games", 1, "--ponder", check=False, timeout=60)
    assert "Faults  hung: illegal move 0, time loss 0, crash 0, hang 1" in done.stdout, done.stdout


@pytest.mark.parametrize("options", ["", PONDER])
def test_only_engines_that_can_ponder_do(mola, tmp_path, options):
    log = tmp_path / "log"
    answer = "print('bestmove', 'g1f3' if 'ponder' in line else 'e2e4 ponder e7e5', flush=True)"
    engine = fake(tmp_path, "A", f"open({str(log)!r}, 'a').write(line); {answer}", options)
    run(mola, "match", engine, f"cmd={mola} uci", "--tc", "5", "--games", 1, "--ponder", "--max-moves", 1)
    assert ("go ponder" in log.read_text()) == bool(options)


def test_wrong_lines_are_counted(mola, tmp_path):
    line = "print('info depth 1 score cp 0 pv e2e4 e2e4'); print('bestmove e2e4', flush=True)"
    liar = fake(tmp_path, "liar", line)
    summary = tmp_path / "summary.json"
    run(mola, "match", liar, f"cmd={mola} uci", "--nodes", 100, "--games", 1, "--max-moves", 1,
        "--json", summary)  # fmt: skip
    assert json.loads(summary.read_text())["bad_lines"] == [1, 0]


def test_a_resumed_match_keeps_its_counts_and_its_verdict(mola, tmp_path):
    """Wrong lines of the games before the stop count, and no game is played after the test has ended."""
    line = "print('info depth 1 score cp 0 pv e2e4 e2e4'); print('bestmove e2e4', flush=True)"
    liar, pgn = fake(tmp_path, "liar", line), tmp_path / "games.pgn"
    command = ["match", liar, f"cmd={mola} uci", "--nodes", 100, "--games", 2000, "--max-moves", 1, "--pgn", pgn]
    stop([mola, *command], tmp_path / "games.pgn.part", 8)
    played = (tmp_path / "games.pgn.part").read_text().count("[Result ")
    # Black's e2e4 is illegal, so that every pair is lost.
    done = run(mola, *command, "--sprt", "0,50,alpha=0.45,beta=0.45")
    report = rf"liar against Mola .*: {played} games, 100 nodes, \d+ s since it was resumed\n"
    assert re.match(report, done.stdout), done.stdout
    games = games_of(pgn)
    assert len(games) == played
    wrong = sum(int(game.headers.get("WhiteBadLines", 0)) for game in games)
    assert wrong >= 1 and f"bad line {wrong}\n" in done.stdout


def test_a_folder_that_is_not_there_is_told(mola, two):
    done = run(mola, "match", f"cmd={mola} uci,dir=/nowhere", two[0], "--nodes", 5, check=False)
    assert done.returncode == 1 and "cannot be started" in done.stderr and "there is no folder /nowhere" in done.stderr


def test_a_program_without_its_interpreter_is_told(mola, tmp_path):
    path = script(tmp_path, "engine", "#!/no/such/interpreter\n")
    done = run(mola, "analyse", "--fen", "startpos", "--depth", 1, "--engine", path, check=False)
    told = f"mola: engine: cannot be started: {path}: its interpreter or loader is not found\n"
    assert (done.returncode, done.stderr) == (1, told)


@pytest.mark.parametrize("closed", [True, False])
def test_files_are_written_where_the_standard_output_cannot_be(mola, two, tmp_path, closed):
    """It is a closed pipe, or on a full disk."""
    if not closed and not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full")
    match = ["match", *two, "--nodes", "20", "--games", "2", "--random-plies", "4", "--json", "match.json", "--plot", "match.svg"]
    spsa = "spsa --param Hash,16,1,64 --nodes 5 --pairs 1 --random-plies 4 --max-moves 4 --plot spsa.svg".split()
    analyse = "analyse --fen startpos --fen startpos --depth 1 --json analyse.json".split()
    for words in (match, spsa, analyse):
        if closed:
            end, out = os.pipe()
            os.close(end)
        else:
            out = os.open("/dev/full", os.O_WRONLY)
        done = subprocess.run([mola, *words], stdout=out, stderr=subprocess.PIPE, text=True, cwd=tmp_path, timeout=60)
        os.close(out)
        assert done.returncode == (not closed or words == analyse), (words, done.stderr)
    for name in ("match.json", "match.svg", "spsa.svg"):
        assert (tmp_path / name).stat().st_size, name
    # What was found is kept, and the run is told to be unfinished.
    assert len((tmp_path / "analyse.json.part").read_text().splitlines()) == 2
    assert ("standard output is closed" in done.stderr) == closed


def test_what_cannot_be_played_is_told(mola, two, tmp_path):
    cases = [
        (["/no/such/engine", two[0], "--nodes", "10"], "cannot be started: program /no/such/engine not found"),
        ([*two, two[0], "--nodes", "10", "--sprt", "0,5"], "--sprt compares two engines, not 3"),
        ([two[0], two[1]], "a limit is needed"),
        ([two[0], "--nodes", "10"], "two engines"),
        ([f"cmd={mola} uci,option.Hush=1", two[1], "--nodes", "10"], "no option"),
        ([*two, "--nodes", "10", "--book", tmp_path / "none.epd"], "none.epd"),
        ([*two, "--nodes", "10", "--variant", "nonsense"], "nonsense"),
        (["--from", tmp_path / "none.pgn"], "none.pgn"),
        ([*two, "--nodes", "10", "--option", "Hush=1"], 'no engine has an option "Hush"'),
        ([*two, "--nodes", "10", "--option", "Hash=0"], "option Hash: at least 1, not \"0\""),
        ([two[0], f"{two[1]},depth=4294967297", "--nodes", 10], "depth=4294967297 of an engine: a whole number from 1 to 4294967295"),
        ([two[0], f"{two[1]},nodes=0", "--nodes", 10], "nodes=0 of an engine: a whole number from 1"),
        ([two[0], f"{two[1]},ponder=yes", "--nodes", 10], "ponder=yes of an engine: true or false is expected"),
    ]
    for args, message in cases:
        done = run(mola, "match", *args, check=False)
        assert done.returncode != 0 and message in done.stderr, (args, done.stderr)
    done = run(mola, "match", *two, "--nodes", "10", "--pgn", "-", check=False)
    assert done.returncode == 2 and "-: a file is expected" in done.stderr


def test_what_an_engine_says_to_its_options_is_told(mola, two):
    many = f"{two[1]},option.Threads=1024"
    done = run(mola, "match", two[0], many, "--depth", 1, "--games", 2, "--max-moves", 2, "--concurrency", 2)
    told = re.findall(r"^mola: (.*) says: (.*)$", done.stderr, re.M)
    assert [(name, said.split(",")[0][:16]) for name, said in told] == [("B", "this machine has")]


@pytest.mark.parametrize("command", ["match", "ablate", "analyse"])
def test_other_weights_than_those_asked_for_are_not_measured(mola, two, command):
    """An engine that cannot use the value of an option goes on with another one, and says so."""
    file = "/no/such/weights"
    wrong = f"{two[1]},option.Hash=2,option.EvalFile={file}"
    words = {
        "match": [two[0], wrong, "--games", 2],
        "ablate": ["--engine", wrong, "--feature", "Hash=1", "--games", 2, "--random-plies", 4],
        "analyse": ["--engine", wrong, "--fen", "startpos"],
    }
    done = run(mola, command, *words[command], "--depth", 1, check=False)
    why = f"mola: B: option EvalFile: cannot read weights {file}: No such file or directory\n"
    assert (done.returncode, done.stdout) == (1, "") and done.stderr.endswith(why), done.stderr


def test_an_option_that_xboard_engines_refuse_is_told(mola, two):
    wrong = f"name=X,cmd='{mola}' xboard,proto=xboard,option.EvalFile=/no/such/weights"
    done = run(mola, "match", two[0], wrong, "--depth", 1, "--games", 2, check=False)
    assert done.returncode == 1 and "X: option EvalFile: " in done.stderr and not done.stdout, done.stderr


OLD_XBOARD_FAKE = """#!/usr/bin/env python3
import sys
for line in sys.stdin:
    if line.startswith("protover"):
        print("feature done=1", flush=True)
    elif line.startswith("quit"):
        break
"""


@pytest.mark.parametrize(
    "protocol, args, why",
    [
        ("xboard", ["--nodes", 50, "--st", 1], "the XBoard protocol has nodes or time, not both"),
        ("xboard", ["--nodes", 50], "it has no node limit (feature nps)"),
        ("xboard", ["--st", 1, "--variant", "atomic"], "it plays normal, not atomic"),
        ("xboard", ["--st", 1, "--variant", "chess960"], "it plays normal, not fischerandom"),
        ("uci", ["--nodes", 50, "--variant", "atomic"], "it does not play Atomic"),
        ("uci", ["--nodes", 50, "--variant", "chess960"], "it does not play Chess960"),
    ],
)
def test_what_an_engine_cannot_play_is_refused_before_the_first_game(mola, two, tmp_path, protocol, args, why):
    engine = script(tmp_path, "other", UCI_FAKE.format(go="pass", options="") if protocol == "uci" else OLD_XBOARD_FAKE)
    done = run(mola, "match", *two, f"name=F,cmd={engine},proto={protocol}", *args, "--games", 2, "--max-moves", 1, check=False)
    assert (done.returncode, done.stdout) == (1, "") and done.stderr.endswith(f"mola: F: {why}\n"), done.stderr


def test_own_limits_replace_those_of_their_kind(mola, two):
    """As in cutechess-cli, an engine with its own nodes still has the clock of all."""
    own = f"{two[1]},nodes=50"
    args = [two[0], own, "--tc", "5+0.1", "--nodes", 90, "--games", 2, "--max-moves", 2, "--json", "-"]
    summary = json.loads(run(mola, "match", *args).stdout)
    assert "5+0.1, 90 nodes" in str(summary["limits"]) and "5+0.1, 50 nodes" in str(summary["limits"])


def test_ctrl_c_ends_with_the_report(mola, two, tmp_path):
    pgn = tmp_path / "games.pgn"
    command = [mola, "match", *two, "--tc", "0.1+0.01", "--games", "10000", "--pgn", str(pgn)]
    text, error = stop(command, Path(f"{pgn}.part"), 2)
    assert "interrupted" in text and "Elo" in text
    assert "the same command resumes" in error
    assert games_of(Path(f"{pgn}.part")) and not pgn.exists()


def stop(command: list, file: Path, games: int, mark: str = "[Event ") -> tuple[str, str]:
    """Starts a command and presses Ctrl-C when the file has this many games, or other marks."""
    process = subprocess.Popen([*map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not (file.exists() and file.read_text().count(mark) >= games):
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    text, error = process.communicate(timeout=30)
    assert process.returncode == INTERRUPTED, error
    return text, error


def test_a_match_goes_on_where_it_was_stopped(mola, two, tmp_path):
    """It gives the result of an uninterrupted run, whatever a kill left of the last game."""
    whole, pgn = tmp_path / "whole.pgn", tmp_path / "games.pgn"
    args = [*two, "--nodes", 300, "--games", 20, "--max-moves", 30, "--variant", "chess960"]
    reference = run(mola, "match", *args, "--pgn", whole).stdout
    part = Path(f"{pgn}.part")
    text, _ = stop([mola, "match", *args, "--pgn", pgn], part, 3)
    assert "interrupted" in text
    with part.open("a") as file:
        file.write('[Event "torn"]\n[White "A"]\n\n1. e4 {half')
    for more in (["--event", "Other"], ["--depth", 2]):
        other = run(mola, "match", *args, "--pgn", pgn, *more, check=False)
        assert other.returncode != 0 and "other settings" in other.stderr
    assert "--nodes=300 --seed=1 --variant=chess960 --max-moves=30" in other.stderr and "None" not in other.stderr
    done = run(mola, "match", *args, "--pgn", pgn, "--concurrency", 2)
    moves = lambda path: [[str(m) for m in game.mainline_moves()] for game in games_of(path)]  # noqa: E731
    assert moves(pgn) == moves(whole) and not part.exists()
    for line in ("Score", "Elo", "Pairs", "Ends"):
        pattern = rf"^{line} .*$"
        assert re.search(pattern, done.stdout, re.M)[0] == re.search(pattern, reference, re.M)[0]
    # No existing file is replaced.
    again = run(mola, "match", *args, "--pgn", pgn, check=False)
    assert again.returncode != 0 and "--force" in again.stderr
    assert len(games_of(pgn)) == 20


def results(path: Path, *games: str) -> Path:
    """A PGN of games `WHITE BLACK RESULT ROUND`."""
    texts = []
    for game in games:
        white, black, result, number = game.split()
        texts.append(f'[White "{white}"]\n[Black "{black}"]\n[Round "{number}"]\n[Result "{result}"]\n\n{result}\n')
    path.write_text("\n".join(texts))
    return path


def test_every_game_counts(mola, tmp_path):
    odd = results(tmp_path / "odd.pgn", "A B 1-0 1", "B A 1/2-1/2 1", "A B 0-1 2")
    text = run(mola, "match", "--from", odd).stdout
    assert "A against B: 3 games\n" in text
    assert "Score   +1 =1 -1, 50.00 %" in text and "Elo     0.00, error unknown" in text
    untagged = tmp_path / "untagged.pgn"
    untagged.write_text('[White "A"]\n[Black "B"]\n\n1. e4 1-0\n\n[White "B"]\n[Black "A"]\n[Result "*"]\n\n1. d4 0-1\n')
    assert "Score   +2 =0 -0" in run(mola, "match", "--from", untagged).stdout
    one = results(tmp_path / "one.pgn", "A B 1-0 1")
    assert "A against B: 1 game\n" in run(mola, "match", "--from", one).stdout


def test_games_of_a_file_tell_faults_and_ends(mola, two, tmp_path):
    """As the match has told them, and as its parts told them together."""
    crash = fake(tmp_path, "crash", "os._exit(3)")
    illegal = fake(tmp_path, "illegal", "print('info depth 1 score cp 0 pv e2e5\\nbestmove e2e5', flush=True)")
    pgn, summary, again = (tmp_path / name for name in ("games.pgn", "one.json", "two.json"))
    limits = ("--depth", 1, "--games", 2, "--max-moves", 4)
    run(mola, "match", two[0], crash, illegal, *limits, "--pgn", pgn, "--json", summary, check=False)
    text = run(mola, "match", "--from", pgn, "--json", again).stdout
    played, read = (json.loads(path.read_text()) for path in (summary, again))
    for key in ("engines", "endings"):
        assert played[key] == read[key], (played, read)
    assert {row["name"]: row["faults"] for row in read["engines"]}["crash"] == {"crash": 3}
    assert re.search(r"^Ends    3 crash, 3 illegal move$", text, re.M) and "Faults  crash: crash 3\n" in text, text
    duel = run(mola, "match", "--from", pgn, "A", "crash").stdout
    assert "Ends    2 crash\n" in duel and "Faults  crash: illegal move 0, time loss 0, crash 2," in duel and "Faults  A" not in duel


def test_bad_lines_of_a_file_are_counted(mola, two, tmp_path):
    go = "print('info depth 1 score cp 0 pv e2e4 e2e4\\nbestmove ' + ('e7e5' if 'moves' in board else 'e2e4'), flush=True)"
    text = UCI_FAKE.format(go=go, options="").replace("for line", "board = ''\nfor line").replace('    if word == "uci"', '    if word == "position":\n        board = line\n    if word == "uci"')
    liar, pgn = f"name=liar,cmd={script(tmp_path, 'liar', text)}", tmp_path / "games.pgn"
    args = ("--depth", 1, "--games", 2, "--max-moves", 1, "--pgn", pgn, "--json", "-")
    played = json.loads(run(mola, "match", two[0], liar, *args).stdout)
    read = json.loads(run(mola, "match", "--from", pgn, "--json", "-").stdout)
    assert read["bad_lines"] == played["bad_lines"] and read["bad_lines"][1] > 0
    assert read["endings"] == played["endings"] == {"adjudication: length": 2}


def test_games_of_other_programs_tell_what_their_tags_and_positions_do(mola, tmp_path):
    games = tmp_path / "games.pgn"
    game = '[White "{}"]\n[Black "{}"]\n[Result "{}"]\n{}\n{} {}\n\n'.format
    forfeit, gone = ('[Termination "Time forfeit"]\n', '[Termination "abandoned"]\n')
    mate = "1. f3 e5 2. g4 Qh4# {+M1/5 0.1s, crash: no}"
    games.write_text(
        game("A", "B", "1-0", forfeit, "1. e4 {a good move}", "1-0") + game("B", "A", "0-1", gone, "1. e4", "0-1")
        + game("A", "B", "0-1", "", mate, "0-1") + game("A", "C", "0-1", forfeit + '[BlackBadLines "3"]\n', "1. e4", "0-1")
        + game("B", "A", "1/2-1/2", '[Termination "time forfeit"]\n', "1. d4", "1/2-1/2")
    )  # fmt: skip
    text = run(mola, "match", "--from", games, "A", "B").stdout
    assert "Ends    1 checkmate, 1 crash, 1 time loss, 1 unknown\n" in text
    assert "Faults  B: illegal move 0, time loss 1, crash 1, hang 0, wrong claim 0, bad line 0\n" in text and "Faults  A" not in text
    table = run(mola, "match", "--from", games).stdout
    assert re.search(r"^ +\d  B .* 2$", table, re.M) and re.search(r"^ +\d  C .* 0$", table, re.M), table
    assert "Faults  A: time loss 1\n" in table and "Faults  C: bad line 3\n" in table


def test_one_name_is_counted_against_an_opponent_of_its_own(mola, tmp_path):
    games = results(tmp_path / "games.pgn", "X Mola 1-0 1", "Y Mola 1-0 1", "Mola Y 1/2-1/2 1")
    assert "Y against Mola: 2 games\n" in run(mola, "match", "--from", games, "Y").stdout


def test_names_cannot_drive_a_terminal(mola, tmp_path):
    games = results(tmp_path / "games.pgn", "A\x1b[31m B\x9b2J 1-0 1")
    done = run(mola, "match", "--from", games)
    assert done.stdout.startswith("A [31m against B 2J: 1 game\n")
    failed = run(mola, "match", "--from", games, "C\x1b[31m", check=False)
    assert failed.stderr == f"mola: {games}: no games of C [31m\n"
    unfinished = results(tmp_path / "unfinished.pgn", "A B * 1")
    failed = run(mola, "match", "--from", unfinished, check=False)
    assert failed.stderr == f"mola: {unfinished}: no finished games of A and B\n"


def test_engines_of_one_interpreter_are_told_apart(mola, two, tmp_path):
    """Before they have said their names, and if they have none."""
    plain = "import sys\nfor line in sys.stdin:\n if line == 'uci\\n': print('uciok', flush=True)\n if line == 'isready\\n': print('readyok', flush=True)"
    nameless, broken = script(tmp_path, "nameless.py", plain), script(tmp_path, "broken.py", "")
    python = lambda path: f"cmd={sys.executable} {path}"
    done = run(mola, "match", python(broken), two[0], "--nodes", 10, "--games", 1, check=False)
    assert f"({sys.executable} {broken}): ended while" in done.stderr
    done = run(mola, "match", f"name=,{python(nameless)}", two[0], "--tc", "0.1", "--games", 1, check=False)
    assert f"{Path(sys.executable).name} nameless.py against A: 1 game" in done.stdout, done.stdout + done.stderr


def test_a_bound_is_no_exact_score(mola, tmp_path):
    """Scores are White's, so that a bound of Black's turns round."""
    says = "print('info depth 3 score mate 3 {} pv ' + pv + '\\nbestmove ' + pv, flush=True)"
    text = UCI_FAKE.replace("{go}", "pv = 'e2e4'; " + says)
    cases = [("w", "lowerbound", "lower", ">=#3", True), ("w", "upperbound", "upper", "<=#3", False), ("w", "", None, "#3", True)]
    cases += [("b", "lowerbound", "upper", "<=#-3", True), ("b", "upperbound", "lower", ">=#-3", False)]
    for turn, word, bound, sign, solved in cases:
        pv = "e1e2" if turn == "w" else "e8e7"
        engine = script(tmp_path, "engine", text.replace("e2e4", pv).replace("score mate 3 {}", f"score mate 3 {word}"))
        args = ("analyse", "--fen", f"4k3/8/8/8/8/8/8/4K2R {turn} - -", "--mate", 4, "--engine", engine)
        found = json.loads(run(mola, *args, "--json", "-").stdout.splitlines()[1])
        assert (found["lines"][0]["bound"], found["solved"]) == (bound, solved), word
        assert f", {sign} at depth 3" in run(mola, *args, "--verbose").stdout, word


def test_a_hung_engine_does_not_outlive_the_match(mola, tmp_path):
    """It reads nothing, so it does not notice that its input is closed."""
    here = tmp_path / "pid"
    hung = fake(tmp_path, "hung", f"open({str(here)!r}, 'w').write(str(os.getpid())); time.sleep(600)")
    command = [mola, "match", hung, f"{mola} uci", "--nodes", "100", "--games", "2"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    end = time.monotonic() + 30
    while not (here.exists() and here.read_text()):
        assert time.monotonic() < end
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    while runs(here.read_text()):
        assert time.monotonic() < end, "the engine runs on"
        time.sleep(0.05)


def runs(process: str) -> bool:
    try:
        return Path("/proc", process, "stat").read_text().rsplit(")")[-1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_a_binary_file_is_no_book_of_openings(mola, two, tmp_path):
    book = tmp_path / "book.bin"
    book.write_bytes(bytes.fromhex("463b96181691fc9c031c000100000000"))
    done = run(mola, "match", *two, "--nodes", 10, "--book", book, check=False)
    assert done.returncode == 1 and "not a text of FEN, EPD or PGN; a Polyglot book" in done.stderr


def test_a_tuning_that_cannot_start_shows_nothing(mola):
    done = run(mola, "spsa", "--engine", f"{mola} uci", "--param", "UCI_Chess960,0,0,1", "--pairs", 2, "--nodes", 1, check=False)
    assert done.returncode == 1 and "set automatically" in done.stderr and done.stdout == ""


def test_two_games_alike_prove_nothing(mola, tmp_path):
    alike = results(tmp_path / "alike.pgn", "A B 1/2-1/2 1", "B A 1/2-1/2 1")
    done = run(mola, "match", "--from", alike, "--json", tmp_path / "summary.json")
    assert "+- 0.00" not in done.stdout and "LOS" not in done.stdout
    estimate = json.loads((tmp_path / "summary.json").read_text())["estimate"]
    assert estimate["elo_error"] is None and estimate["los"] is None


def test_why_an_error_is_unknown_is_told(mola, tmp_path):
    games = [f"A B 1-0 {number}" for number in range(1, 20)]
    many = results(tmp_path / "many.pgn", *games, "A B 1/2-1/2 20")
    text = run(mola, "match", "--from", many).stdout
    assert "Elo     636.43, error unbounded: the score has +- 4.78 %, normalised" in text
    assert "LOS     100.00 %" in text
    alike = results(tmp_path / "alike.pgn", "A B 1-0 1", "B A 1-0 1", "A B 1/2-1/2 2", "B A 1/2-1/2 2")
    assert "error unknown: all pairs have the same score" in run(mola, "match", "--from", alike).stdout


def test_files_of_positions_may_begin_with_a_byte_order_mark(mola, two, tmp_path):
    path = tmp_path / "marked.epd"
    path.write_text("4k3/8/8/8/8/8/8/4K2R w K - bm Rh8+;\n", encoding="utf-8-sig")
    short = ("--depth", 1, "--games", 2, "--max-moves", 2)
    for command in (["match", *two, "--book", path, *short], ["analyse", path, "--depth", 1], ["epd", "--file", path]):
        run(mola, *command)
    path.write_text("epd 4k3/8/8/8/8/8/8/4K3 w - - 0 1\nperft 1 5\n", encoding="utf-8-sig")
    run(mola, "perft", "--suite", path)


def test_files_may_be_packed(mola, two, tmp_path):
    suite = tmp_path / "suite.epd.gz"
    suite.write_bytes(gzip.compress(b"4k3/8/8/8/8/8/8/4K2R w K - bm Rh8+;\n"))
    run(mola, "match", *two, "--book", suite, "--depth", 1, "--games", 2, "--max-moves", 2)
    assert json.loads(run(mola, "analyse", suite, "--depth", 1, "--json", "-").stdout.splitlines()[1])["wanted"] == "expected Rh8+"
    # Without a tag the name tells that it is a PGN.
    game = tmp_path / "game.pgn.bz2"
    game.write_bytes(bz2.compress(b"1. e4 e5 *\n"))
    assert len(run(mola, "analyse", game, "--depth", 1, "--json", "-").stdout.splitlines()) == 3
    games = results(tmp_path / "games.pgn", "A B 1-0 1")
    packed = tmp_path / "games.pgn.gz"
    packed.write_bytes(gzip.compress(games.read_bytes()))
    assert run(mola, "match", "--from", packed).stdout == run(mola, "match", "--from", games).stdout
    packed.write_bytes(packed.read_bytes()[:-9])
    done = run(mola, "match", "--from", packed, check=False)
    assert done.returncode == 1 and f"{packed}: " in done.stderr and "panicked" not in done.stderr


def test_several_engines_play_everybody_or_a_gauntlet(mola, two, tmp_path):
    engines, pgn = (*two, f"name=C,cmd={mola} uci,depth=3"), tmp_path / "games.pgn"
    args = (*engines, "--depth", 1, "--games", 2, "--max-moves", 15, "--resign=moves=1,score=200")
    done = run(mola, "match", *args, "--pgn", pgn, "--concurrency", 2)
    games = games_of(pgn)
    pairs = sorted((game.headers["White"], game.headers["Black"]) for game in games)
    assert pairs == [(one, two) for one in "ABC" for two in "ABC" if one != two]
    assert done.stdout.startswith("3 engines: 6 games, depth 1 against depth 1 against depth 3, ")
    points = dict.fromkeys("ABC", 0.0)
    for game in games:
        share = {"1-0": 1, "0-1": 0, "1/2-1/2": 0.5}[game.headers["Result"]]
        points[game.headers["White"]] += share
        points[game.headers["Black"]] += 1 - share
    rows = re.findall(r"^ +\d  (\w) +(\d+) +([\d.]+) +([\d.]+) ", done.stdout, re.M)
    assert {name: float(sum_) for name, _, sum_, _ in rows} == points
    assert [float(row[2]) for row in rows] == sorted(points.values(), reverse=True)
    assert "Points against" in done.stdout
    again = run(mola, "match", "--from", pgn).stdout
    assert re.findall(r"^ +\d  .*$", again, re.M) == re.findall(r"^ +\d  .*$", done.stdout, re.M)
    found = json.loads(run(mola, "match", *args, "--gauntlet", "--json", "-").stdout)
    by_name = {row["name"]: row for row in found["engines"]}
    assert [sum(games for _, games in by_name[name]["against"]) for name in "ABC"] == [4, 2, 2]


def test_an_engine_that_never_starts_ends_the_match(mola, two, tmp_path):
    """It does not lose: no move has been played."""
    path = script(tmp_path, "broken", "#!/bin/sh\necho 'no network file' >&2\nexit 3\n")
    for command in (["match", f"name=X,cmd={path}", two[0]], ["analyse", "--fen", "startpos", "--engine", path]):
        done = run(mola, *command, "--nodes", 10, check=False)
        assert done.returncode == 1
        for word in ("exit status: 3", "no network file", str(path)):
            assert word in done.stderr, done.stderr
        assert "Score" not in done.stdout


def test_an_engine_that_cannot_be_started_again_ends_the_match(mola, two, tmp_path):
    go = "os.remove(sys.argv[0]) if os.path.exists('{0}') else open('{0}', 'w'); os._exit(7)"
    broken, pgn = fake(tmp_path, "broken", go.format(tmp_path / "mark")), tmp_path / "games.pgn"
    done = run(mola, "match", broken, two[0], "--nodes", 10, "--games", 8, "--pgn", pgn, check=False)
    assert done.returncode == 1
    assert "broken against" in done.stdout and "=0 -2" in done.stdout and "crash 2" in done.stdout, done.stdout
    assert "cannot be started" in done.stderr and "the same command resumes" in done.stderr, done.stderr


def test_an_engine_that_never_plays_fails_the_match(mola, two, tmp_path):
    """It answers `uci`, and exits whenever it is to move."""
    text = "#!/bin/sh\nread x; echo uciok; read x; echo 'no network file' >&2; exit 3\n"
    path = script(tmp_path, "broken", text)
    for others in (two[:1], two):
        done = run(mola, "match", f"name=X,cmd={path}", *others, "--nodes", 10, "--games", 2, check=False)
        assert done.returncode == 1
        last = done.stderr.splitlines()[-1]
        for word in (f"X failed in all of its {2 * len(others)} games", "exit status: 3", "no network file", str(path)):
            assert word in last, done.stderr
        assert "crash" in done.stdout


def test_an_engine_that_never_answers_is_told_soon(mola, two, tmp_path):
    path = script(tmp_path, "silent", "#!/bin/sh\nexec sleep 60\n")
    command = [mola, "match", f"name=X,cmd={path}", two[0], "--nodes", "10", "--games", "2"]
    began = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    told = process.stderr.readline()
    assert time.monotonic() - began < 8
    assert f"X ({path}): no answer" in told, told
    _, error = process.communicate(timeout=30)
    assert process.returncode == 1 and "no answer" in error


def test_engines_of_debian_are_found(mola, tmp_path):
    if not Path("/usr/games/stockfish").exists():
        pytest.skip("no /usr/games/stockfish")
    command = [mola, "analyse", "--fen", "startpos", "--engine", "stockfish", "--nodes", "100"]
    done = subprocess.run(command, capture_output=True, text=True, env={"PATH": "/usr/bin:/bin"})
    assert done.returncode == 0, done.stderr


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
    """As GNU Chess does: it sends its features only after further input."""
    book = tmp_path / "book.epd"
    book.write_text("4k3/8/8/8/8/8/8/QQ2K3 b - - 0 1\n")
    opponent = f"name=S,proto=xboard,cmd={script(tmp_path, 'sleepy', SLEEPY)}"
    done = run(mola, "match", opponent, two[0], "--depth", 1, "--games", 2, "--book", book)
    assert "Faults  S: illegal move 0, time loss 0, crash 0, hang 0" in done.stdout
    assert "Ends    2 resignation" in done.stdout


XBOARD_FAKE = """#!{python}
import sys, time
import chess
board, plays = chess.Board(), False
for line in sys.stdin:
    word, *rest = line.split() or [""]
    if word == "protover":
        print("feature ping=1 setboard=1 usermove=1 done=1", flush=True)
    elif word == "ping":
        print("pong", *rest, flush=True)
    elif word == "new":
        board = chess.Board()
    elif word == "setboard":
        board = chess.Board(" ".join(rest))
    elif word == "draw":
        {draw}
    elif word == "quit":
        break
    elif word == "usermove":
        board.push_uci(*rest)
    plays = word == "go" or plays and word not in ("new", "force")
    if plays and word in ("go", "usermove"):
        {before}
        move = next(iter(board.legal_moves))
        board.push(move)
        print("move", move, flush=True)
        {after}
"""


def xboard_fake(folder: Path, name: str, draw="pass", before="pass", after="pass") -> str:
    """An engine that plays the first legal move, and does something else, too."""
    text = XBOARD_FAKE.format(python=sys.executable, draw=draw, before=before, after=after)
    return f"name={name},proto=xboard,cmd={script(folder, name, text)}"


OFFERS = "print('offer draw', flush=True)"
CLAIM = "print('1/2-1/2 {Draw by agreement}', flush=True)"


@pytest.mark.parametrize(
    "first, second, ending",
    [
        ({"draw": OFFERS}, {"before": OFFERS}, "agreement"),
        ({"draw": CLAIM}, {"before": OFFERS}, "agreement"),
        ({"draw": f"{OFFERS}; {CLAIM}"}, {"before": OFFERS}, "agreement"),
        ({"before": CLAIM}, {}, "wrong claim"),
        ({"after": "print('resign', flush=True)"}, {"before": "time.sleep(0.3)"}, "resignation"),
        ({"before": "print('0-1 {White resigns}' if board.turn else '1-0 {Black resigns}')"}, {}, "resignation"),
        ({"before": "print('1-0 {Black resigns}' if board.turn else '0-1 {White resigns}')"}, {}, "wrong claim"),
    ],
)
def test_xboard_engines_end_games(mola, tmp_path, first, second, ending):
    engines = [xboard_fake(tmp_path, "A", **first), xboard_fake(tmp_path, "B", **second)]
    done = run(mola, "match", *engines, "--depth", 1, "--games", 2)
    assert f"Ends    2 {ending}" in done.stdout, done.stdout + done.stderr


def test_a_mate_ends_a_game_in_which_draws_are_offered(mola, tmp_path):
    line = "move = next(chess.Move.from_uci(word) for word in ('f2f3', 'e7e5', 'g2g4', 'd8h4')[len(board.move_stack) :])"
    engines = []
    for name in "AB":
        text = XBOARD_FAKE.replace("move = next(iter(board.legal_moves))", line)
        # Each offers while the other thinks: neither with its own move, nor as an answer.
        before, after = "time.sleep(1.2)", f"time.sleep(0.3); {OFFERS}"
        text = text.format(python=sys.executable, draw="pass", before=before, after=after)
        engines.append(f"name={name},proto=xboard,cmd={script(tmp_path, name, text)}")
    done = run(mola, "match", *engines, "--depth", 1, "--games", 1)
    assert "Ends    1 checkmate" in done.stdout, done.stdout + done.stderr


def test_an_engine_that_is_not_to_be_reused_is_not(mola, tmp_path):
    log = tmp_path / "log"
    text = XBOARD_FAKE.format(python=sys.executable, draw="pass", before="pass", after="pass")
    text = text.replace("feature ping=1", "feature reuse=0 ping=1")
    text = text.replace('    if word == "protover":', f'    if word == "new":\n        open({str(log)!r}, "a").write(f"{{os.getpid()}} ")\n    if word == "protover":')
    engine = f"cmd={script(tmp_path, 'once', text.replace('import sys', 'import os, sys'))},proto=xboard"
    run(mola, "analyse", *["--fen", "startpos"] * 3, "--play", "--depth", 1, "--engine", engine)
    assert len(set(log.read_text().split())) == 3
    log.unlink()
    games = results(tmp_path / "games.pgn", "A B 1-0 1", "B A 1-0 1")
    run(mola, "pgn", "annotate", games, "--depth", 1, "--engine", engine, "-o", tmp_path / "out.pgn")
    assert len(set(log.read_text().split())) == 2


def test_an_engine_that_asks_for_patience_gets_it(mola, two, tmp_path):
    slow = "import time; print('feature done=0', flush=True); time.sleep(4); print('feature setboard=1 done=1', flush=True)"
    text = f"#!/usr/bin/env python3\ninput(); input(); {slow}\nwhile input() != 'go': pass\nprint('resign', flush=True)\n"
    opponent = f"name=S,proto=xboard,cmd={script(tmp_path, 'patient', text)}"
    done = run(mola, "match", opponent, two[0], "--depth", 1, "--games", 1)
    assert "it has 600 s in total" in done.stderr and "Ends    1 resignation" in done.stdout, done.stderr


# Not GNU Chess in XBoard mode: on a pipe it sometimes sends nothing until the next input.
@pytest.mark.parametrize("opponent", [lambda: f"{program('gnuchess')} --uci", lambda: f"xboard:{fairymax()}"],
                         ids=["gnuchess", "fairymax"])  # fmt: skip
def test_opponents(mola, tmp_path, opponent):
    summary = tmp_path / "summary.json"
    done = run(mola, "match", f"cmd={mola} uci", opponent(), "--tc", "1+0.05", "--games", 2, "--margin", 500,
               "--option", "OwnBook=false", "--json", summary, "--max-moves", 40, check=False)  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
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
    assert run(mola, "analyse", suite, check=False).returncode == 2


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
    header, *records = [json.loads(line) for line in whole.splitlines()]
    assert header["scores"] == "white"
    assert [record["fen"] for record in records] == fens
    for record in records:
        board = chess.Board(record["fen"])
        (line,) = record["lines"]
        assert board.parse_san(record["san"]).uci() == record["best"] == line["pv"].split()[0]
        assert sum(line["wdl"]) == 1000 and line["seldepth"] >= line["depth"]
        assert line["nps"] > 0 and line["time"] >= 0
    again = run(mola, *args, check=False)
    assert again.returncode == 1 and "--force" in again.stderr
    run(mola, *args, "--force")
    strip = lambda text: re.sub(r'"(seconds|time|nps)":[^,]*', "", text)  # noqa: E731
    assert strip(out.read_text()) == strip(whole)
    # A killed run is completed, but not with other settings.
    out.unlink()
    slow = ["analyse", positions, "--time", 0.3, "--json", out]
    process = subprocess.Popen([mola, *map(str, slow)], stdout=subprocess.PIPE)
    part = Path(f"{out}.part")
    while not (part.exists() and part.read_text().count("\n") > 2):
        time.sleep(0.02)
    process.kill()
    process.wait()
    begun = part.read_text()
    with part.open("a") as file:
        file.write('{"number":')
    other = run(mola, *args, check=False)
    assert other.returncode == 1 and "other settings" in other.stderr
    run(mola, *slow)
    text = out.read_text()
    assert text.startswith(begun)
    assert [json.loads(line)["fen"] for line in text.splitlines()[1:]] == fens


def test_other_positions_of_an_earlier_version_are_refused(mola, tmp_path):
    """Its tasks may have been others, as many as now."""
    positions, out = tmp_path / "positions.fen", tmp_path / "out.jsonl"
    fens = [chess.Board.from_chess960_pos(number).fen() for number in range(40)]
    positions.write_text("\n".join(fens))
    command = ["analyse", positions, "--time", "0.1", "--json", out]
    stop([mola, *command], tmp_path / "out.jsonl.part", 3, '"fen"')
    part = tmp_path / "out.jsonl.part"
    part.write_text(part.read_text().replace('"id":"2"', '"id":"9"'))
    done = run(mola, *command, check=False)
    assert done.returncode == 1, done.stderr
    assert done.stderr.endswith(f"{out} is of other positions; begin anew with --force\n"), done.stderr
    run(mola, *command, "--force")
    header, *records = [json.loads(line) for line in out.read_text().splitlines()]
    assert header["positions"] == 40 and [record["fen"] for record in records] == fens
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.jsonl", "positions.fen"]


@pytest.mark.parametrize(
    "words",
    [
        "analyse - --depth 1 --json out",
        "match a b --nodes 1 --book - --pgn out",
        "spsa --param Hash,16,1,64 --nodes 1 --pairs 1 --book - --state out",
        "screen --change Hash=1,2 --nodes 1 --pairs 1 --book - --state out",
    ],
)
def test_a_run_on_standard_input_cannot_be_resumed(mola, tmp_path, words):
    done = subprocess.run([mola, *words.split()], input=f"{chess.STARTING_FEN}\n", capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 2 and "standard input cannot be read again: name a file" in done.stderr, done.stderr
    assert not list(tmp_path.iterdir())


def test_stopped_annotations_of_standard_input_cannot_be_resumed(mola, tmp_path):
    command = [mola, "pgn", "annotate", "-", "--movetime", "50", "-o", tmp_path / "out.pgn"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, text=True) as process:
        process.stdin.write("1. e4 *\n\n1. d4 *\n\n" + "1. c4 c5 *\n\n" * 50)
        process.stdin.close()
        part = tmp_path / "out.pgn.part"
        deadline = time.monotonic() + 60
        while not (part.exists() and part.read_text().count("1. ")) and time.monotonic() < deadline:
            time.sleep(0.02)
        process.kill()
    begun = part.read_text()
    done = subprocess.run(command, input="1. e4 *\n", capture_output=True, text=True)
    assert done.returncode == 2 and "standard input cannot be read again" in done.stderr, done.stderr
    assert part.read_text().startswith(begun)


def test_other_positions_are_another_run(mola, two, tmp_path):
    """A stopped run does not go on with other positions under the same name."""
    positions, out = tmp_path / "positions.fen", tmp_path / "out.jsonl"
    boards = [chess.Board.from_chess960_pos(number).fen() for number in range(40)]
    positions.write_text("\n".join(boards))
    command = ["analyse", positions, "--time", "0.3", "--json", out]
    stop([mola, *command], tmp_path / "out.jsonl.part", 3, '"fen"')
    positions.write_text("\n".join(reversed(boards)))
    done = run(mola, *command, check=False)
    assert done.returncode == 1 and "out.jsonl.part" in done.stderr, done.stderr
    command = ["match", *two, "--nodes", 200, "--games", 4000, "--book", positions, "--pgn", tmp_path / "games.pgn"]
    stop([mola, *command], tmp_path / "games.pgn.part", 1)
    positions.write_text("\n".join(boards))
    done = run(mola, *command, check=False)
    assert done.returncode == 1 and "games.pgn.part" in done.stderr, done.stderr


def test_analyse_tells_moves_that_cannot_be_read(mola, tmp_path):
    pgn = tmp_path / "games.pgn"
    pgn.write_text("1. e4 e5 *\n\n1. e4 e5\n2. Ke3 d5 *\n")
    done = run(mola, "analyse", pgn, "--depth", 1)
    assert f"{pgn}:4:4: game 2: " in done.stderr and "Ke3" in done.stderr and done.stderr.count("game ") == 1


def test_analyse_tells_what_was_right_and_what_was_played(mola, tmp_path):
    suite, pgn = tmp_path / "suite.epd", tmp_path / "game.pgn"
    suite.write_text('6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra7; id "other";\n')
    done = run(mola, "analyse", suite, "--depth", 3)
    assert re.search(r"^missed other: Ra8#, #1 at depth \d+, expected Ra7: ", done.stdout, re.M)
    pgn.write_text("1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n")
    done = run(mola, "analyse", pgn, "--depth", 4)
    lines = done.stdout.splitlines()
    assert re.match(r"game 1, ply 3: .*, played Ke7: ", lines[2])
    assert re.match(r"game 1, ply 4: Qxe5#, #1 .*, played Qxe5#: ", lines[3])


def test_analyse_has_one_view(mola):
    """Scores are White's, whoever is to move."""
    mated = "r3k3/8/8/8/8/8/5PPP/6K1 b q - 0 1"
    done = run(mola, "analyse", "--fen", mated, "--depth", 4)
    assert re.match(r"1: Ra1#, #-1 at depth", done.stdout) and "scores are White's" in done.stdout
    (_, record) = run(mola, "analyse", "--fen", mated, "--depth", 4, "--json", "-").stdout.splitlines()
    line = json.loads(record)["lines"][0]
    assert (line["mate"], line["wdl"][2]) == (-1, 1000)
    over = run(mola, "analyse", "--fen", "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "--depth", 4).stdout
    assert over.splitlines()[0] == "1: no move: checkmate, White wins"


@pytest.mark.parametrize(
    "variant, fen, end",
    [
        ("chess", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "stalemate, a draw"),
        ("chess", "7K/5q2/6k1/8/8/8/8/8 w - - 0 1", "stalemate, a draw"),
        ("chess", "7K/6q1/6k1/8/8/8/8/8 w - - 0 1", "checkmate, Black wins"),
        ("kingofthehill", "7k/8/8/3K4/8/8/8/8 b - - 0 1", "end of the variant, White wins"),
    ],
)
def test_analyse_tells_how_a_game_is_over(mola, variant, fen, end):
    args = ["--variant", variant, "--fen", fen]
    assert run(mola, "analyse", *args, "--depth", 2).stdout.splitlines()[0] == f"1: no move: {end}"
    record = json.loads(run(mola, "analyse", *args, "--depth", 2, "--json", "-").stdout.splitlines()[1])
    assert (record["best"], record["end"]) == (None, end)
    process = subprocess.Popen([mola, "analyse", *args, "--infinite"], stdout=subprocess.PIPE, text=True)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    assert f"1: no move: {end}; scores are White's\n" in process.communicate(timeout=20)[0]


def test_analyse_with_moves_and_clocks(mola):
    done = run(mola, "analyse", "--fen", "startpos", "--depth", 3, "--moves", "a3,h2h4", "--multipv", 3)
    assert re.match(r"1: (a3|h4)\n", done.stdout) and done.stdout.count(" at depth ") == 2
    illegal = run(mola, "analyse", "--fen", "startpos", "--depth", 3, "--moves", "e5", check=False)
    assert illegal.returncode == 1 and "e5 is not a legal move" in illegal.stderr
    began = time.monotonic()
    run(mola, "analyse", "--fen", "startpos", "--clock", "2+0.01,3", "--play")
    assert time.monotonic() - began < 6


def test_analyse_lists_options(mola):
    done = run(mola, "analyse", "--list-options")
    assert re.search(r"^Hash: number from 1 to \d+, \d+ at start$", done.stdout, re.M)
    assert re.search(r"^Clear Hash: button$", done.stdout, re.M)


def test_analyse_without_end(mola):
    command = [mola, "analyse", "--fen", "startpos", "--infinite", "--moves", "e4"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    for _ in range(3):
        assert re.match(r"1\. [+-]\d+\.\d\d at depth \d+, \d+ nodes: 1\. e4", process.stdout.readline())
    process.send_signal(signal.SIGINT)
    text, _ = process.communicate(timeout=20)
    assert process.returncode == 0 and "1: 1. e4; scores are White's" in text


def test_an_endless_analysis_can_be_left(mola, tmp_path):
    """The engine writes and writes, and hears nothing."""
    engine = fake(tmp_path, "deaf", "while True: print('info string hello', flush=True)")
    command = [mola, "analyse", "--fen", "startpos", "--infinite", "--engine", engine]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    time.sleep(0.5)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=20)
    assert process.returncode == INTERRUPTED and "did not end its search" in said


def test_annotate_replaces_the_marks_of_earlier_evaluations(mola, tmp_path):
    games, out = tmp_path / "games.pgn", tmp_path / "out.pgn"
    games.write_text("1. e4 $4 {[%eval -5.0]} (1. d4 {[%eval 0.20]}) e5 $4 2. Nf3 $1 {[%eval 5.0]} *\n")
    run(mola, "pgn", "annotate", games, "--depth", 5, "-o", out)
    nodes = list(games_of(out)[0].mainline())
    # A mark is an earlier run's if it stands beside an evaluation and a better move.
    assert [node.nags for node in nodes] == [set(), {4}, {1}]
    assert len(nodes[0].parent.variations) == 1
    assert all(node.eval() for node in nodes)


def test_a_crash_fails_the_analysis(mola, tmp_path):
    engine = fake(tmp_path, "broken", "print('out of wits', flush=True); os._exit(7)")
    done = run(mola, "analyse", "--fen", "startpos", "--depth", 3, "--engine", engine, check=False)
    assert done.returncode == 1 and "1 of 1 position failed" in done.stderr
    assert "exit status: 7" in done.stderr and "out of wits" in done.stderr


def test_counts_of_an_engine_may_be_the_largest(mola, tmp_path):
    says = f"print('info depth 5 nodes {2**64 - 1} score mate {-2**31} pv e2e4'); print('bestmove e2e4', flush=True)"
    positions = tmp_path / "two.epd"
    positions.write_text(f"{chess.STARTING_FEN}\n" * 2)
    done = run(mola, "analyse", positions, "--depth", 1, "--engine", fake(tmp_path, "large", says))
    assert f"{2**64 - 1} nodes" in done.stdout


@pytest.mark.parametrize("end", ["4. Nf3", "4. Qxe8 Rb8 5. Qxd8"])
@pytest.mark.parametrize("words", ["analyse --annotate", "pgn annotate -o", "pgn annotate --engine MOLA -o"])
def test_a_king_that_could_be_taken_is_not_searched(mola, tmp_path, words, end):
    """After a null move in check, and after its king was taken; no engine accepts such a position."""
    games, out = tmp_path / "games.pgn", tmp_path / "out.pgn"
    games.write_text(f"1. e4 e5 2. Qh5 Nc6 3. Qxf7+ -- {end} *\n")
    words = [f"{mola} uci" if word == "MOLA" else word for word in words.split()]
    run(mola, *words, out, games, "--depth", 3)
    (game,) = games_of(out)
    evals = [node.eval() is not None for node in game.mainline()]
    assert evals == [True] * 5 + [False] + [end == "4. Nf3"] * (len(evals) - 6)


def test_analyse_tells_only_of_moves_that_it_could_not_read(mola, tmp_path):
    """Results may contradict each other: nothing of the analysis depends on them."""
    pgn = tmp_path / "games.pgn"
    pgn.write_text('[Result "1-0"]\n\n1. f3 e5 2. g4 Qh4# 1/2-1/2\n\n[Event "y"]\n\n1. e4 Ke5 *\n')
    told = run(mola, "analyse", pgn, "--depth", 1).stderr.splitlines()
    assert [line for line in told if "game " in line] == [f"{pgn}:7:7: game 2: Ke5: not a legal move"]


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
