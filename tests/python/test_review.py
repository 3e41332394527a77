"""`mola review` and `mola puzzles`: results against an independent calculation, hostile games, resuming."""

import csv
import io
import json
import math
import re
import signal
import statistics
import subprocess
import sys
import time

import chess
import chess.pgn
import pytest

from engine import INTERRUPTED

# Evaluations for every move, a variation, clocks, and a mate at the end.
SCHOLAR = """[Event "Test"]
[Site "https://example.org/abc"]
[White "Anna"]
[Black "Bert"]
[Result "1-0"]
[TimeControl "300+3"]

1. e4 {[%eval 0.3] [%clk 0:05:00]} e5 {[%eval 0.25] [%clk 0:04:58]} 2. Qh5 {[%eval -0.4] [%clk 0:04:50]}
Nc6 {[%eval -0.3] [%clk 0:04:40]} (2... Ke7 3. Qxe5# {quick}) 3. Bc4 {[%eval -0.45] [%clk 0:04:51]}
Nf6 {[%eval #1] [%clk 0:04:30]} 4. Qxf7# {[%clk 0:04:45] the end} 1-0
"""


def run(mola, *args, **options):
    done = subprocess.run([mola, *map(str, args)], capture_output=True, text=True, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


def reviewed(mola, text, folder, *args):
    games = folder / "games.pgn"
    games.write_text(text)
    lines = run(mola, "review", games, "--json", "-", *args).splitlines()
    return [json.loads(line) for line in lines]


def facts_of(page):
    """The data of a game's page."""
    found = re.search(r'<script type="application/json" id="facts">(.*?)</script>', page, re.DOTALL)
    return json.loads(found.group(1))


def test_no_games_leave_nothing_to_resume(mola, tmp_path):
    page = tmp_path / "page.html"
    done = subprocess.run([mola, "review", "/dev/null", "-o", page], capture_output=True, text=True)
    assert done.returncode == 1 and done.stderr == "mola: no games\n" and not list(tmp_path.iterdir())


# An independent calculation, after https://lichess.org/page/accuracy and lila's AccuracyPercent.


def mate(node):
    """The moves to a mate, negative when Black mates; 1 where White has mated."""
    ended = {"white": 1, "black": -1}.get(node.get("winner"))
    assert (ended is None) == (node.get("mate") != 0), node
    return ended or node.get("mate", 0)


def centipawns(node):
    if "mate" in node:
        return math.copysign(1000, mate(node))
    return max(-1000, min(1000, node["cp"]))


def percent(cp):
    return 50 + 50 * (2 / (1 + math.exp(-0.00368208 * cp)) - 1)


def accuracy(before, after):
    if after >= before:
        return 100
    return max(0, min(100, 103.1668100711649 * math.exp(-0.04354415386753951 * (before - after)) - 2.166924740191411))


def reckoned(nodes):
    """Marks of the main line, accuracies and average losses of both sides."""
    main = [node for node in nodes if node.get("main")]
    cps = [centipawns(node) for node in main]
    wins = [percent(cp) for cp in cps]
    size = max(2, min(8, len(cps[1:]) // 10))
    windows = [wins[:size]] * (min(size, len(wins)) - 2)
    windows += [wins[at : at + size] for at in range(len(wins) - size + 1)]
    weights = [max(0.5, min(12, statistics.pstdev(window))) for window in windows]
    first = chess.Board(main[0]["fen"]).turn
    marks, sides, losses = [], {True: [], False: []}, {True: [], False: []}
    for ply in range(len(cps) - 1):
        color = first == (ply % 2 == 0)
        sign = 1 if color else -1
        drop = sign * (wins[ply] - wins[ply + 1])
        pair = main[ply : ply + 2]
        by_points = next((name for least, name in MARKS if drop / 50 >= least), None)
        marks.append(mark_of_mate(sign, *pair) if any("mate" in node for node in pair) else by_points)
        sides[color].append((accuracy(drop, 0), weights[ply]))
        losses[color].append(max(0, sign * (cps[ply] - cps[ply + 1])))

    def overall(pairs):
        weighted = sum(value * weight for value, weight in pairs) / sum(weight for _, weight in pairs)
        return (weighted + len(pairs) / sum(1 / max(1, value) for value, _ in pairs)) / 2

    return marks, {color: overall(pairs) for color, pairs in sides.items()}, losses


MARKS = [(0.3, "blunder"), (0.2, "mistake"), (0.1, "inaccuracy")]


def mark_of_mate(sign, before, after):
    """Of a move that allows a mate or gives one away."""
    mates = [sign * mate(node) for node in (before, after)]
    if mates[1] < 0 <= mates[0]:
        ahead = -sign * before.get("cp", 0)
    elif mates[1] == 0 < mates[0]:
        ahead = sign * after["cp"]
    else:
        return None
    return "inaccuracy" if ahead > 999 else "mistake" if ahead > 700 else "blunder"


def check_facts(review):
    marks, accuracies, losses = reckoned(review["nodes"])
    main = [node for node in review["nodes"] if node.get("main")]
    assert [node.get("fault", {}).get("mark") for node in main[1:]] == marks
    for name, color in (("white", True), ("black", False)):
        side = review[name]
        assert side["accuracy"] == pytest.approx(accuracies[color], abs=0.006)
        assert side["average_loss"] == pytest.approx(statistics.mean(losses[color]), abs=0.006)
        own = marks[0 if chess.Board(main[0]["fen"]).turn == color else 1 :: 2]
        counts = [own.count(mark) for mark in ("inaccuracy", "mistake", "blunder")]
        assert counts == [side["inaccuracies"], side["mistakes"], side["blunders"]]


def test_evaluations_and_clocks_of_the_game_are_used(mola, tmp_path):
    (review,) = reviewed(mola, SCHOLAR, tmp_path, "--no-search")
    check_facts(review)
    nodes = review["nodes"]
    assert [node["san"] for node in nodes[1:]] == "e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7# Ke7 Qxe5#".split()
    assert nodes[6]["fault"]["mark"] == "blunder"
    assert nodes[6]["fault"]["why"] == "Nf6 allows mate in 1."
    # White's clock has not begun before the second move, as on lichess.
    assert [node.get("time") for node in nodes[1:5]] == [None, 5, 13, 21]
    assert (nodes[7]["mate"], nodes[7]["winner"]) == (0, "white") and nodes[7]["comment"] == "the end" and nodes[9]["comment"] == "quick"
    assert nodes[8]["parent"] == 3 and review["turning_points"] == [6]
    assert review["opening"]["eco"] == "C20"


def test_a_mate_given_away_is_marked(mola, tmp_path):
    """By how decided the game is without it; a move by which a mate takes longer loses nothing."""
    for after, mark in (("+9.99", "mistake"), ("10.00", "inaccuracy"), ("0.50", "blunder"), ("#9", None)):
        game = f"1. e4 {{[%eval 0.2]}} e5 {{[%eval #3]}} 2. Nf3 {{[%eval {after}]}} *\n"
        (review,) = reviewed(mola, game, tmp_path, "--no-search")
        check_facts(review)
        assert review["nodes"][2]["fault"]["mark"] == "blunder"
        assert review["nodes"][3].get("fault", {}).get("mark") == mark, after


def test_a_game_from_a_position_has_accuracies_without_a_search(mola, tmp_path):
    """Of all moves but the first, before which there is no comment that could have an evaluation."""
    moves = "1... e5 {[%eval 0.2]} 2. g4 {[%eval -1.5]} d5 {[%eval -1.4]} 3. f3 {[%eval -3.0]} *"
    fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    tags = f'[SetUp "1"]\n[FEN "{fen}"]\n\n'
    (review,) = reviewed(mola, f"{tags}{moves}\n", tmp_path, "--no-search")
    main = review["nodes"][1:]
    _, accuracies, _ = reckoned(main)
    # The first of these nodes is the position after Black's first move.
    for name, color in (("white", True), ("black", False)):
        assert review[name]["accuracy"] == pytest.approx(accuracies[color], abs=0.006)
    # An evaluation before the first move counts, too.
    (review,) = reviewed(mola, f"{tags}{{[%eval 0.2]}} {moves}\n", tmp_path, "--no-search")
    check_facts(review)
    # One that is missing elsewhere leaves the accuracy unknown.
    without = moves.replace("{[%eval -1.5]} ", "")
    (review,) = reviewed(mola, f"{tags}{without}\n", tmp_path, "--no-search")
    assert "accuracy" not in review["white"]


def test_tables_evaluate_without_a_search(mola, tmp_path):
    ending = '[SetUp "1"]\n[FEN "{}"]\n\n{} *\n'
    game = ending.format("8/8/8/3k4/8/4K3/4P3/8 w - - 1 2", "2. Kf2 Ke4")
    (review,) = reviewed(mola, game, tmp_path, "--no-search")
    fault = review["nodes"][1]["fault"]
    assert fault["mark"] == "blunder" and "gives away a won ending, now drawn" in fault["why"]
    assert [node["cp"] for node in review["nodes"]] == [1000, 0, 0] and review["white"]["accuracy"] < 50
    # A mate that an engine no longer sees is still there.
    moves = "1. Qe3 {[%eval #7]} Kd6 {[%eval #7]} 2. Qe4 {[%eval 9.5]}"
    game = ending.format("8/8/8/3k4/8/8/4Q3/4K3 w - - 0 1", moves)
    (review,) = reviewed(mola, game, tmp_path, "--no-search")
    assert not any("fault" in node for node in review["nodes"])


@pytest.mark.parametrize("tag", ["", '[Result "*"]\n', '[Result "1-0"]\n'])
def test_the_result_is_that_of_the_tag_or_after_the_moves(mola, tmp_path, tag):
    (review,) = reviewed(mola, f'[White "A"]\n{tag}\n1. e4 e5 {"*" if "1" in tag else "1-0"}\n', tmp_path, "--no-search")
    assert review["result"] == "1-0"


def test_page_and_json_have_the_same_facts_as_searched(mola, data, tmp_path):
    text = (data / "pgn/kasparov-deep-blue-1997.pgn").read_text()
    games = io.StringIO(text)
    chess.pgn.skip_game(games)
    game = tmp_path / "game.pgn"
    game.write_text(str(chess.pgn.read_game(games)))
    page, facts = tmp_path / "game.html", tmp_path / "game.json"
    run(mola, "review", game, "--nodes", 2000, "-o", page, "--json", facts)
    review = json.loads(facts.read_text())
    assert facts_of(page.read_text()) == review
    check_facts(review)
    for node in review["nodes"]:
        # The move that the search prefers is never marked as a mistake.
        assert "fault" not in node or review["nodes"][node["parent"]]["line"]["uci"] != node["uci"]
    board = chess.Board()
    for node in review["nodes"][1:]:
        if fault := node.get("fault"):
            assert sorted(uci for uci, _ in fault["choices"]) == sorted(map(chess.Move.uci, board.legal_moves))
            assert fault["why"].startswith(node["san"])
        board.push_uci(node["uci"])
        assert board.fen(en_passant="legal") == node["fen"]
        if line := node.get("line"):
            assert chess.Move.from_uci(line["uci"]) in board.legal_moves
    assert page.stat().st_size < 250_000
    assert set(tmp_path.iterdir()) == {game, page, facts}


def test_hostile_text_is_text(mola, tmp_path):
    evil = '</script><script>alert(1)</script><img src=x onerror=alert(2)> \' & {{ <!-- '
    text = f'[White "{evil}"]\n[Black "\\"><b>"]\n[Site "javascript:alert(3)"]\n[Opening "{evil}"]\n\n'
    text += f"1. e4 {{{evil} {'x' * (1 << 20)}}} e5 {{\x01\x02 [%eval 0.1]}} (1... c5 {{{evil}}}) *\n"
    games = tmp_path / "games.pgn"
    games.write_text(text)
    one, many = tmp_path / "one.html", tmp_path / "many"
    run(mola, "review", games, "-q", "--no-search", "-o", one)
    games.write_text(text + "\n" + text)
    run(mola, "review", games, "-q", "--no-search", "-o", many)
    for page in [one, *many.iterdir()]:
        html = page.read_text()
        # Title, content security policy, style and scripts are Mola's; any other tag would come from the game.
        assert "<script>alert" not in html and "<img" not in html and "<b>" not in html, page
        assert html.count("<script") == (1 if page.name == "index.html" else 2)
        assert "default-src 'none'" in html and "http-equiv" in html
    assert facts_of(one.read_text())["white"]["name"] == evil.strip()


def test_many_games_have_an_index(mola, tmp_path):
    games = tmp_path / "games.pgn"
    games.write_text(SCHOLAR + "\n" + SCHOLAR.replace("Anna", "Carl") + '\n[FEN "what"]\n\n1. e4 *\n')
    done = subprocess.run([mola, "review", games, "-o", tmp_path / "x.html"], capture_output=True, text=True)
    assert done.returncode == 1 and "more than one game" in done.stderr
    # Nothing is searched, and kept for a run that could only fail again.
    words = [mola, "review", "-", "--depth", "2", "-o", tmp_path / "x.html"]
    done = subprocess.run(words, input=games.read_text(), capture_output=True, text=True)
    assert done.returncode == 1 and "more than one game" in done.stderr and "resumes" not in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["games.pgn"]
    folder = tmp_path / "folder"
    run(mola, "review", games, "-q", "-o", folder, "--no-search")
    assert {path.name for path in folder.iterdir()} == {"index.html", "game-00001.html", "game-00002.html"}
    rows = re.findall(r"<tr><td.*?</tr>", (folder / "index.html").read_text())
    texts = [re.sub("(<[^>]*>)+", "|", row).strip("|").split("|") for row in rows]
    assert [row[:4] for row in texts[:2]] == [["1", "Anna", "Bert", "1-0"], ["2", "Carl", "Bert", "1-0"]]
    by_name = {row[0]: row for row in texts[2:]}
    assert by_name["Bert"][1:3] == ["2", "0.0 %"] and by_name["Carl"][1:3] == ["1", "100.0 %"]
    assert by_name["King's Pawn Game"][1] == "2"


def test_a_page_is_named_as_one(mola, tmp_path):
    games, out = tmp_path / "games.pgn", tmp_path / "out.txt"
    games.write_text(SCHOLAR)
    done = subprocess.run([mola, "review", games, "--no-search", "-o", out], capture_output=True, text=True)
    assert done.returncode == 2 and "name a page .html" in done.stderr and not out.exists()
    run(mola, "review", games, "--no-search", "-o", f"{out}/")
    assert (out / "index.html").exists()


def test_games_that_cannot_be_reviewed_are_not_counted(mola, tmp_path):
    broken = '[Event "x"]\n[SetUp "1"]\n[FEN "garbage"]\n\n1. e4 *\n\n'
    games, page, folder = tmp_path / "games.pgn", tmp_path / "page.html", tmp_path / "folder"
    games.write_text(broken)
    for out in (page, folder):
        done = subprocess.run([mola, "review", games, "--no-search", "-o", out], capture_output=True, text=True)
        assert done.returncode == 1 and "no game can be reviewed" in done.stderr and not out.exists()
    games.write_text(broken + SCHOLAR)
    done = subprocess.run([mola, "review", games, "--no-search", "-o", folder], capture_output=True, text=True)
    assert done.returncode == 0 and "1 of 2 games reviewed" in done.stderr


@pytest.mark.parametrize("end", ["4. Nf3", "4. Qxe8 Rb8 {[%eval 9.5]} 5. Qxd8 {[%eval -9.5]}"])
def test_a_king_that_could_be_taken_is_not_searched(mola, tmp_path, end):
    """After a null move in check, and after its king was taken; no engine accepts such a position."""
    text = f"1. e4 e5 2. Qh5 Nc6 3. Qxf7+ -- {end} *\n\n1. d4 d5 *\n"
    passed, usual = reviewed(mola, text, tmp_path, "--nodes", "500")
    # An engine that gets such a position answers for another one.
    assert [bool({"cp", "mate"} & set(node)) for node in passed["nodes"][:8]] == [True] * 6 + [False, "N" in end]
    assert "line" in passed["nodes"][5] and not any("line" in node for node in passed["nodes"][6:7])
    assert all("cp" in node for node in usual["nodes"])
    run(mola, "puzzles", tmp_path / "games.pgn", "--nodes", "500", "-o", tmp_path / "puzzles.csv")


def test_the_facts_tell_of_chess960(mola, tmp_path):
    """Also where castling alone does."""
    fen = '[SetUp "1"]\n[FEN "qnnrbbkr/pppppppp/8/8/8/8/PPPPPPPP/QNNRBBKR w HDhd - 0 1"]\n'
    for tags, is_other in (("", False), ('[Variant "Chess960"]\n', True), (fen, True)):
        (review,) = reviewed(mola, f"{tags}\n1. g3 *\n", tmp_path, "--no-search")
        assert review["variant"] == "Standard" and review.get("chess960", False) == is_other


@pytest.mark.parametrize("name", ["\u05d2\u05dc\u05e4\u05e0\u05d3", "x \u202e y"])
def test_a_name_from_right_to_left_stays_in_its_place(mola, tmp_path, name):
    games, page = tmp_path / "games.pgn", tmp_path / "page.html"
    games.write_text(f'[White "Carlsén"]\n[Black "{name}"]\n\n1. e4 1-0\n')
    run(mola, "review", games, "--no-search", "-o", page)
    assert f"<title>Carlsén \u2013 \u2068{name}\u2069</title>" in page.read_text()


@pytest.mark.parametrize("name", ["index.html", "game-00001.html"])
def test_facts_do_not_take_the_place_of_a_page(mola, tmp_path, name):
    games, folder = tmp_path / "games.pgn", tmp_path / "folder"
    games.write_text(SCHOLAR)
    run(mola, "review", games, "--no-search", "-o", folder)
    before = (folder / name).read_bytes()
    again = [mola, "review", games, "--no-search", "-o", folder, "--json", folder / name, "--force"]
    done = subprocess.run(again, capture_output=True, text=True)
    assert done.returncode == 1 and "two outputs" in done.stderr
    assert (folder / name).read_bytes() == before


# Mola as an external engine that delays each search while a file exists: so long that no
# run ends before it can be stopped.
LATE = """import pathlib, subprocess, sys, time
engine = subprocess.Popen([{mola!r}, "uci"], stdin=subprocess.PIPE, text=True)
for line in sys.stdin:
    if line.startswith("go") and pathlib.Path({late!r}).exists():
        time.sleep(0.2)
    engine.stdin.write(line)
    engine.stdin.flush()
engine.stdin.close()
engine.wait()
"""


def stopped(command, note):
    """Stops a run as soon as it has a further result."""
    before = len(note.read_bytes().splitlines()) if note.exists() else 1
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 30
    while not note.exists() or len(note.read_bytes().splitlines()) <= before:
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    # Between two searches, the signal itself ends it.
    assert process.returncode in (INTERRUPTED, -signal.SIGINT) and "the same command resumes" in said


def test_a_review_that_fails_leaves_no_folder(mola, tmp_path):
    games, folder = tmp_path / "games.pgn", tmp_path / "new/folder"
    games.write_text(SCHOLAR)
    for source, flag in ((tmp_path / "none.pgn", "--no-search"), (games, "--engine=nosuch")):
        done = subprocess.run([mola, "review", source, "-o", folder, flag], capture_output=True)
        assert done.returncode == 1 and not folder.parent.exists()
    page = tmp_path / "page.HTML"
    run(mola, "review", games, "-o", page, "--no-search")
    assert page.read_text().startswith("<!")


@pytest.mark.parametrize("words", ["review", "puzzles --deeper 1"])
def test_a_stopped_run_goes_on(mola, data, tmp_path, words):
    folder, late, engine = tmp_path / "place", tmp_path / "late", tmp_path / "engine.py"
    folder.mkdir()
    engine.write_text(LATE.format(mola=mola, late=str(late)))
    page = folder / "page.html"
    games = data / "pgn/nepomniachtchi-liren-game1.pgn"
    same = [mola, *words.split(), games, "-o", page, "--nodes", "500", "--engine", f"cmd={sys.executable} {engine}"]
    late.touch()
    for _ in range(2):
        stopped(same, folder / "page.html.run")
        assert not page.exists()
    late.unlink()
    run(*same)
    assert [page] == list(folder.iterdir())
    resumed = page.read_bytes()
    run(*same, "--force")
    assert resumed == page.read_bytes()


@pytest.mark.parametrize("torn", [0, 2])
def test_searches_that_cannot_be_resumed(mola, data, tmp_path, torn):
    """The message names what helps, and that helps."""
    late, engine, page = tmp_path / "late", tmp_path / "engine.py", tmp_path / "page.html"
    engine.write_text(LATE.format(mola=mola, late=str(late)))
    games = data / "pgn/nepomniachtchi-liren-game1.pgn"
    same = [mola, "puzzles", games, "-o", page, "--nodes", "500", "--engine", f"cmd={sys.executable} {engine}"]
    run(*same)
    whole = page.read_bytes()
    late.touch()
    page.unlink()
    for _ in range(3):
        stopped(same, tmp_path / "page.html.run")
    part = tmp_path / "page.html.part"
    lines = part.read_text().splitlines(keepends=True)
    # As long as before: the lengths of the records stay right.
    lines[torn] = lines[torn].replace(" w ", " x ").replace(" b ", " x ")
    part.write_text("".join(lines))
    late.unlink()
    done = subprocess.run(same, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr == (
        f"mola: {part} cannot be resumed: a search is of another position; begin anew with --force\n"
    )
    run(*same, "--force")
    assert page.read_bytes() == whole and not part.exists()


# Its smallest hash is larger than Mola's.
LARGE_HASH = """import chess, sys
for line in sys.stdin:
    word = line.split()[0]
    if word == "uci":
        print("option name Hash type spin default 64 min 32 max 1024\\nuciok", flush=True)
    if word == "isready":
        print("readyok", flush=True)
    if word == "position":
        board = chess.Board()
        for move in line.split()[3:]:
            board.push_uci(move)
    if word == "go":
        print("bestmove", next(iter(board.legal_moves)), flush=True)
"""


def test_another_engine_keeps_its_own_hash(mola, tmp_path):
    (tmp_path / "game.pgn").write_text("1. f3 e5 2. g4 Qh4# 0-1\n")
    (tmp_path / "engine.py").write_text(LARGE_HASH)
    words = [mola, "review", "game.pgn", "--json", "-", "--engine", f"cmd={sys.executable} engine.py"]
    for hash_size, code in (([], 0), (["--hash", "32"], 0), (["--hash", "16"], 1)):
        done = subprocess.run([*words, *hash_size], capture_output=True, text=True, cwd=tmp_path, timeout=60)
        assert done.returncode == code, done.stderr


def test_puzzles(mola, data, tmp_path):
    text = (data / "pgn/lichess_db_1000k.pgn").read_text()
    games = tmp_path / "games.pgn"
    # Each game twice, but no puzzle.
    games.write_text("\n\n".join(re.split(r"\n\n(?=\[Event )", text)[:5] * 2) + "\n")
    table, page, pgn = (tmp_path / f"puzzles.{kind}" for kind in ("csv", "html", "pgn"))
    for path in (table, page, pgn):
        run(mola, "puzzles", games, "-q", "-o", path, "--nodes", 2000, "--deeper", 1)
    puzzles = list(csv.DictReader(table.open()))
    assert puzzles and len({puzzle["PuzzleId"] for puzzle in puzzles}) == len(puzzles)
    shown = facts_of(page.read_text())
    with pgn.open() as file:
        read = list(iter(lambda: chess.pgn.read_game(file), None))
    assert len(shown) == len(read) == len(puzzles)
    roster = ["Event", "Site", "Date", "Round", "White", "Black", "Result"]
    assert all(list(game.headers)[:7] == roster and all(game.headers.values()) for game in read)
    for puzzle, fact, game in zip(puzzles, shown, read):
        board = chess.Board(puzzle["FEN"])
        moves = puzzle["Moves"].split()
        assert len(moves) % 2 == 0 and fact["uci"] == moves
        assert [move.uci() for move in game.mainline_moves()] == moves
        assert puzzle["GameUrl"].startswith("https://lichess.org/")
        themes = puzzle["Themes"].split()
        assert game.headers["Themes"].split() == fact["themes"] == themes
        for ply, move in enumerate(moves):
            assert fact["fens"][ply] == board.fen(en_passant="legal")
            if ply % 2:
                choices = [uci for uci, _ in fact["choices"][ply // 2]]
                assert sorted(choices) == sorted(map(chess.Move.uci, board.legal_moves))
            board.push_uci(move)
        assert ("mate" in themes) == board.is_checkmate()
        if board.is_checkmate():
            assert f"mateIn{min(5, len(moves) // 2)}" in themes
        assert 400 <= int(puzzle["Rating"]) <= 2800
