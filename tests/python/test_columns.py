"""`mola pgn convert --to parquet|arrow`: the tables as DuckDB and Polars read them, against python-chess."""

import collections
import gzip
import io
import re
import statistics
import subprocess
import sys
from datetime import date

import chess
import chess.pgn
import chess.polyglot
import duckdb
import polars as pl
import pytest
from engine import ROOT
from games import first

PAGE = ROOT / "toolbox/pgn/TABLES.md"
ODD = """
[Event "odd \\"one\\""]
[Date "2023.02.30"]
[White "?"]
[Black "M\u00fcller"]
[WhiteElo "abc"]
[BlackElo "2000"]
[Note "a"]
[Note "b"]

{before} 1. e4! {good} $7 (1. d4 {no}) {[%eval 0.17,20] better [%clk 0:05:00.5]} 1... e5 $2 2. -- {[%emt 0:00:07][%eval #-3]} 2... Ke7 *

[Event "corner"]
[Variant "Chess960"]
[FEN "nrbbqnkr/pppppppp/8/8/8/8/PPPPPPPP/NRBBQNKR w HBhb - 0 1"]
[Result "1-0"]

1. Ng3 Ng6 2. O-O O-O 1-0

[Event "empty"]
[Result "0-1"]

0-1

[Event "broken"]

1. e4 e5 2. Ke3 Nc6 *
"""


def convert(mola, *args, text=b"", check=True):
    args = [mola, "pgn", "convert", *map(str, args)]
    return subprocess.run(args, input=text, capture_output=True, check=check)


def tables(mola, path, folder, *args):
    for table in ("games", "plies"):
        out = folder / f"{table}.parquet"
        convert(mola, path, "--to", "parquet", "--table", table, "-o", out, "-q", *args)


def read(path):
    stream = io.StringIO(path.read_bytes().decode("utf-8"))
    return list(iter(lambda: chess.pgn.read_game(stream), None))


@pytest.fixture(scope="module")
def collection(mola, data, tmp_path_factory):
    """Some games, both of their tables, and python-chess's reading of them."""
    folder = tmp_path_factory.mktemp("columns")
    path = folder / "games.pgn"
    text = b""
    for name in ("lichess_db_1000k.pgn", "twic1599_1000k.pgn"):
        text += first(data / "pgn" / name, 150, folder / "some.pgn").read_bytes() + b"\n\n"
    path.write_bytes(text)
    tables(mola, path, folder, "--threads", 2)
    return folder, read(path)


def signed(key):
    return key - (1 << 64) if key >> 63 else key


def spoken(node):
    """The comment of a node without the commands that have columns."""
    text = re.sub(r"\[%(eval|clk|emt)\s[^\]]*\]", " ", node.comment)
    return " ".join(text.split()) or None


def check_game(game, row, plies):
    headers = {name: value.replace('\\"', '"') for name, value in game.headers.items() if value not in ("?", "")}
    for column in ("event", "site", "round", "white", "black", "termination"):
        assert row[column] == headers.get(column.title()), column
    assert row["time_control"] == headers.get("TimeControl")
    assert row["result"] == headers["Result"]
    for column, tag in (("white_elo", "WhiteElo"), ("black_elo", "BlackElo")):
        text = headers.get(tag) or ""
        assert row[column] == (int(text) if text.isdigit() else None)
    parts = headers["Date"].split(".")
    assert row["year"] == (int(parts[0]) if parts[0].isdigit() else None)
    if all(part.isdigit() for part in parts) and parts[1:] != ["02", "30"]:
        assert row["date"] == date(*map(int, parts))
    else:
        assert row["date"] is None
    board = game.board()
    nodes = list(game.mainline())
    assert row["plies"] == len(nodes) == len(plies)
    for number, (node, ply) in enumerate(zip(nodes, plies), 1):
        assert ply["ply"] == number
        assert (ply["number"], ply["color"]) == (board.fullmove_number, "white" if board.turn else "black")
        assert ply["key"] == signed(chess.polyglot.zobrist_hash(board))
        assert ply["fen"] == board.fen()
        assert ply["san"] == board.san(node.move)
        assert ply["uci"] == board.uci(node.move)
        score = node.eval()
        white = score and score.white()
        assert (ply["centipawns"], ply["mate"]) == ((white.score(), white.mate()) if score else (None, None))
        assert ply["depth"] == node.eval_depth()
        assert (ply["clock"], ply["move_time"]) == (node.clock(), node.emt())
        assert set(ply["nags"]) == node.nags
        assert ply["comment"] == spoken(node)
        board.push(node.move)
    assert row["final_key"] == signed(chess.polyglot.zobrist_hash(board))


def test_all_columns(mola, collection, tmp_path):
    folder, games = collection
    odd = tmp_path / "odd.pgn"
    odd.write_text(ODD, encoding="utf-8")
    for path, games in ((folder / "games.pgn", games), (odd, read(odd))):
        tables(mola, path, tmp_path, "--force")
        convert(mola, path, "--to", "parquet", "--table", "plies", "--fen", "--force", "-q",
                "-o", tmp_path / "plies.parquet")
        rows = pl.read_parquet(tmp_path / "games.parquet").to_dicts()
        plies = pl.read_parquet(tmp_path / "plies.parquet").to_dicts()
        by_game = collections.defaultdict(list)
        for ply in plies:
            by_game[ply["game"]].append(ply)
        assert len(rows) == len(games)
        text = path.read_bytes()
        for number, (row, game) in enumerate(zip(rows, games), 1):
            assert (row["game"], row["file"]) == (number, str(path))
            assert text[row["file_offset"] :].startswith(b"[Event ")
            assert text[: row["file_offset"]].count(b"\n") == row["line"] - 1
            check_game(game, row, by_game[number])
    odd, _, empty, broken = rows
    assert odd["event"] == 'odd "one"' and odd["black"] == "Müller"
    # What its column cannot hold is not lost.
    assert odd["tags"] == {"Note": "b", "Date": "2023.02.30", "WhiteElo": "abc"}
    assert (empty["plies"], empty["movetext"]) == (0, "0-1")
    assert (broken["plies"], broken["problems"]) == (2, 1)
    assert broken["movetext"] == "1. e4 e5 2. Ke3 Nc6 *"


def test_errors_in_variations_are_problems(mola, tmp_path):
    """Nothing else of a variation is in the tables."""
    text = b"1. e4 $4000000000 e5 (1... Ke7 2. Nf3) 2. Nf3! (2. f4!? {no} 2... exf4) {yes} *"
    for table in ("games", "plies"):
        words = ("-", "--to", "parquet", "--table", table, "--force", "-o", tmp_path / f"{table}.parquet")
        strict = convert(mola, *words, "--strict", text=text, check=False)
        assert strict.returncode == 1 and b"Ke7: not a legal move" in strict.stderr
        convert(mola, *words, "-q", text=text)
    (game,) = pl.read_parquet(tmp_path / "games.parquet").to_dicts()
    assert (game["plies"], game["problems"], game["eco"]) == (3, 1, "C40")
    plies = pl.read_parquet(tmp_path / "plies.parquet").to_dicts()
    assert [(ply["san"], ply["nags"], ply["comment"]) for ply in plies] == [("e4", [], None), ("e5", [], None), ("Nf3", [1], "yes")]


def test_what_a_column_cannot_hold_is_among_the_tags(mola, tmp_path):
    held = {"Date": ["2023.02.28", "2023.??.??", "2023.05.00", "????.??.??", "?"], "WhiteElo": ["2400", "?"], "Result": ["1-0", "0-1", "?"]}
    lost = {"Date": ["Nov 2020", "2023.??.05", "????.05.01", "2023.02.30"], "WhiteElo": ["2400?", "0", "-", "99999"], "Result": ["won", "*"]}
    cases = [(tag, value, True) for tag in held for value in held[tag]] + [(tag, value, False) for tag in lost for value in lost[tag]]
    text = "".join(f'[{tag} "{value}"]\n\n1. e4 1-0\n\n' for tag, value, _ in cases)
    out = tmp_path / "games.parquet"
    convert(mola, "-", "--to", "parquet", "-q", "-o", out, text=text.encode())
    for row, (tag, value, is_held) in zip(pl.read_parquet(out).to_dicts(), cases, strict=True):
        assert row["tags"] == ({} if is_held else {tag: value})
        assert row["result"] == ("0-1" if value == "0-1" else "1-0")


def test_games_are_named(mola, collection):
    folder, _ = collection
    named = subprocess.run([mola, "pgn", "eco", folder / "games.pgn"], capture_output=True, check=True).stdout
    tags = "ECO,Opening,Variation"
    lines = subprocess.run([mola, "pgn", "headers", "--tags", tags], input=named, capture_output=True, check=True)
    expected = [tuple(line.split("\t")[2:]) for line in lines.stdout.decode().splitlines()]
    columns = pl.read_parquet(folder / "games.parquet", columns=["eco", "opening", "variation"])
    named = [tuple(value or "" for value in row) for row in columns.iter_rows()]
    # A tag without a name cannot be a column.
    assert [row for row in named if row[0]] == [row for row, here in zip(expected, named) if here[0]]


def test_the_same_in_every_form(mola, collection, tmp_path):
    folder, _ = collection
    path = folder / "games.pgn"
    for table in ("games", "plies"):
        expected = pl.read_parquet(folder / f"{table}.parquet")
        ask = ("--to", "arrow", "--table", table, "-q")
        convert(mola, path, *ask, "-o", tmp_path / f"{table}.arrow")
        assert pl.read_ipc(tmp_path / f"{table}.arrow").equals(expected)
        stream = convert(mola, *ask, "--threads", 2, text=gzip.compress(path.read_bytes())).stdout
        assert pl.read_ipc_stream(stream).drop("file", strict=False).equals(expected.drop("file", strict=False))
        parquet = convert(mola, path, "--to", "parquet", "--table", table, "-q").stdout
        assert parquet == (folder / f"{table}.parquet").read_bytes()


def test_folders(mola, collection, tmp_path):
    folder, _ = collection
    path = folder / "games.pgn"
    for table in ("games", "plies"):
        whole = folder / f"{table}.parquet"
        out = tmp_path / table
        said = convert(mola, path, "--to", "parquet", "--table", table, "--by", "year,result,eco", "-o", out)
        assert b"300 games in " in said.stderr
        files = f"{out}/**/*.parquet"
        db = duckdb.connect()
        games = folder / "games.parquet"
        keys = "year, result, eco"
        counts = db.sql(f"""SELECT g.year, g.result, g.eco, count(*) FROM '{games}' AS g
            JOIN '{whole}' AS t USING (game) GROUP BY ALL ORDER BY ALL""").fetchall()
        parts = f"read_parquet('{files}', hive_partitioning = true, hive_types = {{'year': SMALLINT, 'eco': VARCHAR, 'result': VARCHAR}})"
        assert db.sql(f"SELECT {keys}, count(*) FROM {parts} GROUP BY ALL ORDER BY ALL").fetchall() == counts
        columns = [name for name in pl.read_parquet_schema(whole) if name not in keys.split(", ")]
        order = "game, ply" if table == "plies" else "game"
        select = f"SELECT {', '.join(columns)} FROM {{}} ORDER BY {order}"
        assert db.sql(select.format(parts)).fetchall() == db.sql(select.format(f"'{whole}'")).fetchall()
        lazy = pl.scan_parquet(files, hive_partitioning=True)
        assert lazy.select(pl.len()).collect().item() == len(pl.read_parquet(whole))
    assert (tmp_path / "games/year=2025/result=1%2F2-1%2F2").is_dir()
    refused = convert(mola, path, "--to", "parquet", "--by", "year", "-o", tmp_path / "games", check=False)
    assert refused.returncode == 1 and b"is not empty" in refused.stderr


PEAK = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def test_long_comments(mola, tmp_path):
    """Neither memory nor the offsets of a batch end at some number of rows."""
    games, out = tmp_path / "games.pgn", tmp_path / "plies.arrow"
    with open(games, "w") as file:
        for number in range(400):
            file.write(f"1. e4 {{{number} {'long ' * 200_000}}} e5 *\n\n[White \"x\"]\n\n")
    convert(mola, games, "--to", "arrow", "--table", "plies", "--threads", 2, "-o", out)
    # By a small process between, as what this one holds counts for what it starts.
    words = [mola, "pgn", "convert", games, "--to", "arrow", "--table", "plies", "--threads", "2"]
    measured = subprocess.run([sys.executable, "-c", PEAK, *words], check=True, capture_output=True)
    assert int(measured.stdout) < 256 << 10
    rows = pl.read_ipc(out, columns=["san", "comment"]).filter(pl.col("san") == "e4")
    assert rows["comment"].str.len_bytes().min() > 999_000
    assert rows["comment"].str.extract(r"^(\d+)").cast(int).to_list() == list(range(400))


def test_dates_that_are_not_known(mola, tmp_path):
    games = tmp_path / "games.pgn"
    dates = ["0000.12.31", "1851.00.00", "1851.06.00", "1851.06.21"]
    games.write_text("".join(f'[Date "{date}"]\n\n1. e4 *\n\n' for date in dates))
    tables(mola, games, tmp_path)
    rows = pl.read_parquet(tmp_path / "games.parquet", columns=["date", "year", "month"]).rows()
    day = date(1851, 6, 21)
    assert rows == [(None, None, None), (None, 1851, None), (None, 1851, 6), (day, 1851, 6)]


def test_all_commands_are_taken_out_of_comments(mola, tmp_path):
    games = tmp_path / "games.pgn"
    games.write_text("1. e4 {[%eval 0.1] good [%eval 0.2]} {[%clk 0:00:01] [%clk 0:00:02]} e5 *\n")
    tables(mola, games, tmp_path)
    rows = pl.read_parquet(tmp_path / "plies.parquet", columns=["centipawns", "clock", "comment"]).rows()
    assert rows == [(10, 1.0, "good"), (None, None, None)]


def test_what_cannot_be(mola, collection, tmp_path):
    folder, _ = collection
    path, out = folder / "games.pgn", tmp_path / "out"
    for args, said in (
        (("--to", "parquet", "--fix", "-o", out), b"--fix"),
        (("--to", "parquet", "--by", "year"), b"--output must name the folder"),
        (("--to", "parquet", "--by", "age", "-o", out), b"invalid value 'age'"),
        (("--to", "parquet", "-o", folder / "games.parquet"), b"--force"),
        (("--to", "parquet", "-o", path, "--force"), b"games.pgn"),
    ):
        refused = convert(mola, path, *args, check=False)
        assert refused.returncode != 0 and said in refused.stderr, refused.stderr
    packed = gzip.compress(path.read_bytes())
    cut = convert(mola, "--to", "parquet", "-o", out, text=packed[: len(packed) // 2], check=False)
    assert cut.returncode == 1 and b"stdin: " in cut.stderr
    assert not out.exists() and list(tmp_path.iterdir()) == []
    broken = convert(mola, "--to", "parquet", "-o", out, text=b"1. e4 e5 2. Ke3 *\n\n1. d4 *\n")
    assert b"stdin:1:13: game 1, ply 2: error" in broken.stderr
    assert pl.read_parquet(out)["plies"].to_list() == [2, 1]
    nothing = convert(mola, "--to", "parquet", "-o", out, "--force", text=b"")
    assert nothing.returncode == 0 and len(pl.read_parquet(out)) == 0


Played = collections.namedtuple("Played", "san key number node")


def played(game):
    """The main line, with what counts of the positions before the moves."""
    board = game.board()
    for node in game.mainline():
        key = chess.polyglot.zobrist_hash(board) if board.ply() < 12 else None
        yield Played(board.san(node.move), key, board.fullmove_number, node)
        board.push(node.move)


def answers(games):
    """The page's ten questions, answered by python-chess."""
    scores = {"1-0": 1, "1/2-1/2": 0.5, "0-1": 0}
    heads = [game.headers for game in games]
    counter = collections.Counter
    results = [head["Result"] for head in heads]
    yield sorted(counter(results).items())

    moves = [list(played(game)) for game in games]
    by_first = collections.defaultdict(list)
    for line, result in zip(moves, results):
        if line:
            by_first[line[0].san].append(scores.get(result))
    yield sorted((san, len(found), round(100 * statistics.fmean(s for s in found if s is not None), 1))
                 for san, found in by_first.items())

    key = 7227515431820872427
    replies = (ply.san for line in moves for ply in line if ply.key == key)
    yield sorted(counter(replies).items())

    players = counter(head[color] for head in heads for color in ("White", "Black"))
    yield sorted(players.items(), key=lambda pair: (-pair[1], pair[0]))[:5]

    def ratings(head):
        found = [head.get(tag, "") for tag in ("WhiteElo", "BlackElo")]
        return [int(text) for text in found] if all(text.isdigit() for text in found) else None

    gaps = [(r[0] - r[1]) * (1 if head["Result"] == "1-0" else -1)
            for head in heads if head["Result"] in ("1-0", "0-1") and (r := ratings(head))]
    yield [(round(statistics.fmean(gaps), 2),)]

    months = collections.defaultdict(list)
    for head, line in zip(heads, moves):
        months[tuple(int(part) for part in head["Date"].split(".")[:2])].append(len(line))
    yield sorted((*month, len(n), round(statistics.fmean(n), 2), max(n)) for month, n in months.items())

    clocks = collections.defaultdict(list)
    for head, line in zip(heads, moves):
        for ply in line:
            if ply.number == 20 and ply.node.clock() is not None:
                clocks[head.get("TimeControl")].append(ply.node.clock())
    yield sorted((control, len(c), round(statistics.fmean(c), 2)) for control, c in clocks.items())

    costs = counter()
    for line in moves:
        last = None
        for ply in line:
            score = ply.node.eval() and ply.node.eval().white().score()
            if score is not None and last is not None:
                mover = not ply.node.turn()
                costs["white" if mover else "black"] += (score - last) * (1 if mover else -1) <= -300
            last = score
    yield sorted((color, n) for color, n in costs.items() if n)

    yield sorted(counter(ply.san[ply.san.index("=") + 1] for line in moves for ply in line if "=" in ply.san).items())

    codes = counter(head["ECO"] for head in heads if "ECO" in head)
    yield sorted(codes.items(), key=lambda pair: (-pair[1], pair[0]))[:5]


def asked(folder, monkeypatch):
    """The page's questions, with the answers of its SQL and of its Python."""
    monkeypatch.chdir(folder)
    questions = PAGE.read_text().split("## Ten questions")[1]
    sql, python = (re.findall(f"```{language}\n(.*?)```", questions, re.S) for language in ("sql", "python"))
    db = duckdb.connect()
    db.sql(sql.pop(0))
    names = {}
    exec(python.pop(0), names)
    assert len(sql) == len(python) == 10
    for question, polars in zip(sql, python):
        exec(polars, names)
        yield question, db.sql(question).fetchall(), names["answer"].collect().rows()


def test_ten_questions(collection, monkeypatch):
    """The page's SQL and Python give python-chess's answers."""
    folder, games = collection
    expected = list(answers(games))
    assert len(expected) == 10
    for (question, *both), answer in zip(asked(folder, monkeypatch), expected):
        assert answer
        assert both[0] == both[1], question
        for found in both:
            assert len(found) == len(answer), question
            for row, wanted in zip(found, answer):
                assert row == tuple(pytest.approx(v, abs=0.051) if isinstance(v, float) else v for v in wanted), question


def test_both_answers_are_rounded_alike(mola, tmp_path, monkeypatch):
    """Also where a number is halfway between two."""
    games = tmp_path / "games.pgn"
    game = '[Date "2024.01.01"]\n[WhiteElo "{}"]\n[BlackElo "2000"]\n[TimeControl "60"]\n\n1. e4 {} {{[%clk 0:00:0{}]}} {}\n\n'
    moves = " ".join(["e5"] + [f"{number}. {move}" for number, move in enumerate(["Nf3 Nc6", "Ng1 Nb8"] * 9 + ["Nf3 Nc6"], 2)])
    lines = [game.format(2000 + (number == 0), moves if number else moves + " 21. Ng1", number == 0, "1-0" if number else "0-1")
             for number in range(8)]
    games.write_text("".join(lines) + "1. d4 1/2-1/2\n\n" + "1. d4 0-1\n\n" * 7)
    tables(mola, games, tmp_path)
    for question, *both in asked(tmp_path, monkeypatch):
        assert both[0] == both[1], question
