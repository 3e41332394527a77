"""`mola pgn`: the corpus, python-chess on mutated games, an independent grammar, formats, sizes."""

import bz2
import contextlib
import csv
import fcntl
import gzip
import io
import itertools
import json
import logging
import os
import pty
import random
import re
import resource
import shutil
import struct
import subprocess
import termios
import time

import chess
import chess.pgn
import chess.polyglot
import pytest
from games import run

SEED = int(os.environ.get("SEED", "1"))
# How many mutated games are compared with python-chess.
FUZZ = int(os.environ.get("PGN_FUZZ", "600"))


def parse(mola, texts, *args):
    lines = "\n".join(json.dumps({"pgn": text}) for text in texts) + "\n"
    answers = run(mola, "parse", "--batch", *args, text=lines).stdout.decode().splitlines()
    assert len(answers) == len(texts)
    return [json.loads(answer) for answer in answers]


def test_corpus(mola, data):
    with gzip.open(data / "notation/pgn.jsonl.gz", "rt") as lines:
        records = [json.loads(line) for line in lines]
    answers = parse(mola, [record["pgn"] for record in records], "--compat", "python-chess")
    for answer, record in zip(answers, records):
        assert answer["games"] == record["games"], record["name"]
        assert answer["skim"] == record["skim"], record["name"]


# --- mutated games -------------------------------------------------------------------------------

BASE = [
    '[Event "a"]\n[Site "b"]\n[Result "*"]\n\n1. e4 e5 2. Nf3 (2. f4 exf4 (2... d5!? {x}) 3. Nf3 $14) '
    "Nc6 {[%clk 0:01:02] [%eval 0.25,3]} 3. Bb5 a6 ; line\n4. Ba4 Nf6 5. O-O b5 1-0\n\n1. d4 *\n",
    '[Variant "Crazyhouse"]\n\n1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 4. P@e4 {a\n\nb } N@f3 *\n',
    '[FEN "4k3/P7/8/8/8/8/8/4K2R w K - 0 1"]\n[SetUp "1"]\n\n1. a8=Q+ Kd7 2. 0-0 (2. Rh7+ Ke6) '
    "Kc7 {[%csl Ga1,Rb2][%cal Ge2e4]} 3. -- Kd7 1/2-1/2\n",
    '[Variant "Chess960"]\n[FEN "bqnrkbrn/pppppppp/8/8/8/8/PPPPPPPP/BQNRKBRN w GDgd - 0 1"]\n\n'
    "1. Nd3 (1. g3 {[%emt 0:00:07]} g6) 1... Nd6 2. Ng3 Ng6 *\n",
    '[Variant "Atomic"]\n\n1. Nf3 f6 2. Ne5 fxe5 *\n\n[Variant "3check"]\n\n1. e4 e5 2. Bc4 a6 3. Bxf7+ *\n',
]
PIECES = list("(){};$!?[]%\"*\n +-=@#.xO0") + [
    "\n\n", " 1-0 ", " * ", "e4", "Nf3", "O-O", "--", "(1. d4)", "{ c }", "{", "}", "$5", "1...", "\ufeff",
    "\u00a0", "é", "e7e8", "a7a8", "e2-e4", "Z0", "@@@@", "P@e4", "\r\n", '[A "b"]', "%x", "; y", "e1g1",
]


def mutate(rng, counts=(1, 1, 2, 3, 6)):
    text = rng.choice(BASE)
    for _ in range(rng.choice(counts)):
        at = rng.randrange(len(text) + 1)
        kind = rng.random()
        if kind < 0.45:
            text = text[:at] + rng.choice(PIECES) + text[at:]
        elif kind < 0.75:
            text = text[:at] + text[at + rng.choice([1, 1, 2, 5]) :]
        elif kind < 0.9:
            other = rng.randrange(len(text) + 1)
            text = text[:at] + text[other : other + rng.randrange(12)] + text[at:]
        else:
            text = text[:at] + rng.choice(PIECES) + text[at + 1 :]
    return text


def tree(node):
    return [
        [child.san(), child.move.uci(), sorted(child.nags), child.starting_comment, child.comment, tree(child)]
        for child in node.variations
    ]


def own_tree(nodes):
    return [
        [
            node["san"],
            node["uci"],
            node.get("nags", []),
            " ".join(node.get("starting_comment", [])),
            " ".join(node.get("comment", [])),
            own_tree(node.get("next", [])),
        ]
        for node in nodes
    ]


def by_python_chess(text):
    """The games as the pinned release reads them, or None where it fails."""
    games, handle = [], io.StringIO(text)
    try:
        while (game := chess.pgn.read_game(handle)) is not None:
            errors = [f"{type(error).__name__}: {error}" for error in game.errors]
            games.append([dict(game.headers), errors, tree(game)])
    except (AssertionError, IndexError, ValueError):
        return None
    return games


def test_mutated_games(mola):
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)
    rng = random.Random(SEED)
    texts = [mutate(rng) for _ in range(FUZZ)]
    # Releases after the pinned one allow blanks before a tag.
    texts = [text for text in texts if not re.search(r"^\s+\[", text, re.M)]
    expected = [by_python_chess(text) for text in texts]
    compared = 0
    for text, games, answer in zip(texts, expected, parse(mola, texts, "--compat", "python-chess")):
        found = answer["games"]
        if games is None or any("tree_error" in game for game in found):
            continue
        found = [[dict(game["headers"]), game["errors"], own_tree(game["tree"])] for game in found]
        assert found == games, text
        compared += 1
    assert compared > FUZZ // 2


# --- the article's grammar -----------------------------------------------------------------------


def grammar():
    """The grammar of Matteson, "Parsing PGN Chess Games With Python" (2021), by its facts: a file
    is entries; an entry is annotations and a game; a game is turns (number, move, move) and an
    outcome; the last turn may lack Black's move."""
    parsita = pytest.importorskip("parsita")
    lit, opt, reg, rep, rep1 = parsita.lit, parsita.opt, parsita.reg, parsita.rep, parsita.rep1

    class Pgn(parsita.ParserContext, whitespace=r"\s*"):
        value = reg(r'"(?:[^"\\]|\\.)*"') > (lambda text: text[1:-1].replace('\\"', '"').replace("\\\\", "\\"))
        tag = lit("[") >> reg(r"[A-Za-z0-9_]+") & value << lit("]")
        move = reg(r"O-O-O[+#]?|O-O[+#]?|[KQRBN]?[a-h]?[1-8]?x?[a-h][1-8](?:=[QRBN])?[+#]?|--")
        turn = (reg(r"\d+(?=\.)") << lit(".") > int) & move & (opt(move) > (lambda found: found[0] if found else None))
        outcome = lit("1-0", "0-1", "1/2-1/2", "*")
        game = rep(turn) & outcome > (lambda parts: {"moves": parts[0], "outcome": parts[1]})
        entry = (rep1(tag) > dict) & game > (lambda parts: {"annotations": parts[0], "game": parts[1]})

    return Pgn.entry


def test_article_format(mola, data):
    entry = grammar()
    path = data / "pgn/twic1599_1000k.pgn"
    text = path.read_text(encoding="latin-1")
    texts = re.split(r"\n\n(?=\[Event )", text.strip())
    found = json.loads(run(mola, "convert", path, "--to", "article", "-q").stdout)
    assert len(found) == len(texts) > 500
    for text, answer in zip(texts, found):
        result = entry.parse(text)
        if not re.search(r"(1-0|0-1|1/2-1/2|\*)\s*$", text):
            continue  # The file is cut inside its last game.
        assert json.loads(json.dumps(result.unwrap())) == answer, text


# --- formats -------------------------------------------------------------------------------------

GAMES = (
    '[Event "first, \\"quoted\\""]\n[White "M\u00fcller"]\n[Black "B"]\n[Result "1-0"]\n\n'
    "1. e4 {[%clk 0:01:00] a, b} e5 (1... c5) 2. Nf3 $1 1-0\n\n"
    '[Event "second"]\n[White "C"]\n[Black "D"]\n[Result "*"]\n'
    '[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 0 30"]\n[SetUp "1"]\n\n30... Kd7 31. e4 *\n'
)


def test_tables_and_lines(mola):
    games = list(csv.DictReader(io.StringIO(run(mola, "convert", "--to", "csv", text=GAMES).stdout.decode())))
    assert [game["game"] for game in games] == ["1", "2"]
    assert (games[0]["Event"], games[0]["White"]) == ('first, "quoted"', "Müller")
    assert (games[0]["moves"], games[1]["plies"]) == ("e4 e5 Nf3", "2")
    plies = list(csv.DictReader(io.StringIO(run(mola, "convert", "--to", "plies", text=GAMES).stdout.decode())))
    assert [ply["san"] for ply in plies] == ["e4", "e5", "Nf3", "Kd7", "e4"]
    assert (plies[0]["clock"], plies[3]["number"], plies[3]["color"]) == ("60", "30", "black")
    lines = run(mola, "convert", "--to", "jsonl", text=GAMES).stdout.decode().splitlines()
    records = [json.loads(line) for line in lines]
    assert [len(record["moves"]) for record in records] == [3, 2]
    assert json.loads(run(mola, "convert", "--to", "json", text=GAMES).stdout) == records
    article = json.loads(run(mola, "convert", "--to", "article", text=GAMES).stdout)
    assert article[0]["game"] == {"moves": [[1, "e4", "e5"], [2, "Nf3", None]], "outcome": "1-0"}
    assert article[1]["game"]["moves"] == [[30, None, "Kd7"], [31, "e4", None]]
    uci = run(mola, "convert", "--to", "uci", text=GAMES).stdout.decode().splitlines()
    assert uci[0] == "position startpos moves e2e4 e7e5 g1f3"
    assert uci[1].endswith("moves e8d7 e2e4")
    epd = run(mola, "convert", "--to", "epd", text=GAMES).stdout.decode().splitlines()
    board = chess.Board()
    assert board.set_epd(epd[0])["sm"] == chess.Move.from_uci("e2e4")
    assert len(epd) == 5


def test_rows_are_those_of_the_games(mola, data):
    """Every format has a row for each game or move that python-chess finds in clean games."""
    text = (data / "pgn/twic1599_1000k.pgn").read_text(encoding="latin-1")
    text = text[: text.rindex("\n\n[Event ")] + "\n"
    games = text.count("[Event ")
    handle, plies = io.StringIO("\n\n".join(text.split("\n\n")[:60])), []
    while (game := chess.pgn.read_game(handle)) is not None:
        plies.append(len(list(game.mainline_moves())))
    rows = list(csv.DictReader(io.StringIO(run(mola, "convert", "--to", "csv", "-q", text=text).stdout.decode())))
    assert len(rows) == games and [int(row["plies"]) for row in rows[: len(plies)]] == plies
    records = [json.loads(line) for line in run(mola, "convert", "--to", "jsonl", "-q", text=text).stdout.splitlines()]
    assert [len(record["moves"]) for record in records] == [int(row["plies"]) for row in rows]
    lines = run(mola, "convert", "--to", "plies", "-q", text=text).stdout.decode()
    moves = sum(int(row["plies"]) for row in rows)
    assert sum(1 for _ in csv.DictReader(io.StringIO(lines))) == moves
    for form, count in (("uci", games), ("epd", moves)):
        assert run(mola, "convert", "--to", form, "-q", text=text).stdout.count(b"\n") == count


def test_languages(mola):
    german = "1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 4. 0-0 axb5 5. Te1 De7 *"
    english = b"1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O axb5 5. Re1 Qe7 *"
    read = run(mola, "convert", "--no-headers", "--lang", "de", text=german)
    assert (read.stdout.strip(), read.stderr) == (english, b"")
    guessed = run(mola, "convert", "--no-headers", text=german)
    assert guessed.stdout.strip() == english and b'"Lb5" is read as Bb5' in guessed.stderr
    french = run(mola, "convert", "--no-headers", "--to-lang", "fr", text=english).stdout
    assert french.strip() == b"1. e4 e5 2. Cf3 Cc6 3. Fb5 a6 4. O-O axb5 5. Te1 De7 *"


def test_pgn_is_written_as_it_was(mola, data):
    for name in ("lichess_db_1000k.pgn", "twic1599_1000k.pgn"):
        once = run(mola, "convert", data / "pgn" / name, "-q").stdout
        assert run(mola, "convert", "-q", text=once).stdout == once
        handle, count = io.StringIO(once.decode("utf-8", "surrogateescape")), 0
        while (game := chess.pgn.read_game(handle)) is not None:
            count += not game.errors
            if count == 20:
                break
        assert count == 20


def test_what_is_written_of_damaged_games_is_written_again(mola):
    rng = random.Random(SEED)
    for _ in range(200):
        text = mutate(rng, (1,))
        once = run(mola, "convert", "-q", text=text).stdout
        assert run(mola, "convert", "-q", text=once).stdout == once, text


def zst_frame(data):
    """A Zstandard frame of stored blocks (RFC 8878), which every decoder reads."""
    frame = b"\x28\xb5\x2f\xfd\xa0" + len(data).to_bytes(4, "little")
    blocks = [data[at : at + 100_000] for at in range(0, len(data), 100_000)]
    for number, block in enumerate(blocks):
        is_last = number == len(blocks) - 1
        frame += (is_last | len(block) << 3).to_bytes(3, "little") + block
    return frame


def zst(data):
    """Several frames with a skippable one between them; compressed if zstd is installed."""
    packed = zst_frame(data[:300_000]) + b"\x50\x2a\x4d\x18\x03\0\0\0abc" + zst_frame(data[300_000:])
    program = shutil.which("zstd")
    if program is None:
        return [packed]
    return [packed, subprocess.run([program, "-c"], input=data, capture_output=True, check=True).stdout]


def test_packed_input_threads_and_latin1(mola, data, tmp_path):
    path = data / "pgn/twic1599_1000k.pgn"
    raw = path.read_bytes() + '\n\n[White "M\u00fcller"]\n\n1. e4 {gr\u00fc\u00df} *\n'.encode("latin-1")
    plain = run(mola, "convert", "--to", "jsonl", "-q", text=raw).stdout
    assert "Müller" in plain.decode()
    for packed in (gzip.compress(raw), bz2.compress(raw), gzip.compress(raw[:5000]) + gzip.compress(raw[5000:]), *zst(raw)):
        assert run(mola, "convert", "--to", "jsonl", "-q", text=packed).stdout == plain
    both = run(mola, "convert", "--to", "jsonl", "-q", "--threads", 2, text=raw)
    assert both.stdout == plain and both.stderr == b""
    loud = [run(mola, "validate", "--threads", n, path, check=False).stderr for n in (1, 2)]
    assert loud[0] == loud[1]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_is_told(mola, tmp_path, encoding):
    file = tmp_path / "games.pgn"
    file.write_text('\ufeff[Event "?"]\n\n1. e4 *\n', encoding=encoding)
    done = subprocess.run([mola, "pgn", "validate", file], capture_output=True, text=True)
    assert done.returncode == 1 and f"{file}: it is UTF-16 text; save it as UTF-8" in done.stderr


def test_problems_have_places(mola):
    text = '[Event "a"]\n\n1. e4 e5\n2. Ke3 Nf6 *\n\n[Event "b"]\n\n1. d4 { open\n\n[Event "c"]\n\n1. Sf3 *\n'
    result = run(mola, "validate", text=text, check=False)
    assert result.returncode == 1
    lines = result.stderr.decode().splitlines()
    assert lines[0] == "stdin:4:4: game 1, ply 2: error: Ke3: not a legal move"
    assert lines[1:3] == ["  2. Ke3 Nf6 *", "     ^"]
    places = [line.split(": ")[0] for line in lines if line.startswith("stdin")]
    assert places == ["stdin:4:4", "stdin:8:7", "stdin:10:1", "stdin:12:4"]
    strict = run(mola, "convert", "--strict", text=text, check=False)
    assert strict.returncode == 1 and b"stdin:4:4" in strict.stderr


def test_commands_know_the_problems(mola):
    text = '[Result "1-0"]\n\n1. f3 e5 2. g4 Qh4# 3. Ke2 1-0\n'
    assert run(mola, "filter", "-q", "--sound", text=text).stdout == b""
    assert run(mola, "filter", "-q", "-w", "has problems", text=text).stdout.strip() == text.strip().encode()
    assert b'[Result "1-0"]' in run(mola, "convert", "-q", "--fix", text=text).stdout


def test_ratings_may_have_blanks_around_them(mola):
    text = '[WhiteElo " 2700"]\n[BlackElo "2710 "]\n\n1. e4 *\n'
    assert run(mola, "filter", "-q", "--min-elo", 2700, text=text).stdout.strip() == text.strip().encode()


def test_errors_count_after_many_repaired_problems(mola):
    for times in (6, 600):
        text = "1. Sf3 Sf6 2. Sg1 Sg8 " * times + "Ke5 *"
        result = run(mola, "validate", text=text, check=False)
        assert result.returncode == 1
        assert result.stdout == f"1 game, 1 error, {4 * times} repaired\n".encode()
        assert b"Ke5: not a legal move" in result.stderr


def test_games_that_differ_are_no_duplicates(mola):
    variants = "".join(f'[Variant "{name}"]\n\n1. e4 e5 1-0\n\n' for name in ("Atomic", "King of the Hill", "Atomic"))
    unread = "1. e4 e5 2. Ke3 Nc6 1-0\n1. e4 e5 2. Qxh8 d5 0-1\n1. e4 e5\n2. Ke3\nNc6 1-0\n"
    descriptive = "1. P-K4 P-K4 1-0\n1. P-Q4 P-Q4 1-0\n1. P-K4 P-K4 1-0\n"
    for text in (variants, unread, descriptive):
        for position in ([], ["--position-after", 0]):
            result = run(mola, "dedupe", *position, text=text)
            assert b"2 games kept, 1 left out" in result.stderr, (text, position)


def test_what_is_wrong_beside_the_main_line_hides_no_duplicate(mola):
    variation = "1. e4 e5 (1... Ke5) 2. Nf3 *\n\n1. Nf3 e5 2. e4 *\n"
    result = "1. f3 e5 2. g4 Qh4# 1-0\n\n1. g4 e5 2. f3 Qh4# 0-1\n"
    for text in (variation, result):
        done = run(mola, "dedupe", "--position-after", 0, text=text)
        assert b"1 game kept, 1 left out" in done.stderr, text


def test_filter_compares_only_what_is_known(mola):
    known = '[WhiteElo "2800"]\n[Date "2021.05.01"]\n\n1. e4 *\n\n'
    unknown = '[WhiteElo "?"]\n[Date "????.??.??"]\n\n1. d4 *\n\n[WhiteElo "-"]\n[Date ""]\n\n1. c4 *\n\n'
    bounds = ("WhiteElo>2700", "WhiteElo<2900", "WhiteElo<=2800", "WhiteElo >= 2800", "Date>2020", "Date<2022", "Date<=2021.05")
    for test in (*bounds, "WhiteElo=2800"):
        assert run(mola, "filter", "-q", "--tag", test, text=known + unknown).stdout.decode() == known
    assert run(mola, "filter", "-q", "--tag", "WhiteElo!=2800", text=known + unknown).stdout.decode() == unknown
    two = '[WhiteElo "{}"]\n[BlackElo "{}"]\n\n*\n'.format
    for white, black, met in ((900, 2000, ("<", "!=")), (2000, " 2000", ("=", "<=")), ("?", 2000, ()), ("?", "?", ())):
        for sign in ("<", "<=", "=", "!=", ">"):
            for option in ("--tag", "--where"):
                found = run(mola, "filter", "-q", option, f"WhiteElo{sign}BlackElo", text=two(white, black)).stdout
                assert (found != b"") == (sign in met or sign == "<=" and "<" in met), (white, black, sign, option)
    for test in ("WhiteElo<abc", "Date>=May", "WhiteElo", "WhiteElo==2800", "=2800", "White Elo>2", "WhiteElo=>2"):
        refused = run(mola, "filter", "--tag", test, text=known, check=False)
        assert refused.returncode == 2 and b"--tag" in refused.stderr, test


@pytest.mark.parametrize(
    "games",
    [
        ['[Event "a"]\n\n1. e4 {unclosed', "1. d4 d5"],
        ["1. e4 e5 2. Nf3", "2. d4 d5"],
        ["1. e4 e5 1-0", "2. d4 d5 *"],
        ["1. e4 (1. d4 *", "1. c4 *"],
        ['[Event "a"]\n\n1. e4 *', '; note\n[Event "b"]\n\n1. d4 *'],
        ["1. e4 *", "1. d4 *", "; note\n1. c4 *"],
        # The end of a tag that was cut.
        ["1. e4 *", '592"]'],
        ["1. e4 *", "1. {resigned before the first move} 0-1"],
    ],
)
def test_merged_games_stay_apart(mola, tmp_path, games):
    files = [tmp_path / f"{number}.pgn" for number, _ in enumerate(games)]
    for file, game in zip(files, games):
        file.write_text(game)
    merged = run(mola, "merge", "-q", *files).stdout
    assert json.loads(run(mola, "stats", "--json", "-q", text=merged).stdout)["games"] == len(games)
    # Nothing is added where nothing is needed.
    assert (b"[Event" in merged) == (len(games) == 2)


def test_tags_of_one_game_are_not_merged_with_the_next(mola, tmp_path):
    bare = ('[White "A"]\n', '[Event "x"]\n[White "A', '[White "A"]\nSite "x"]\n')
    after = ('[Event "y"]\n[White "B"]\n\n1. e4 *\n', '[White "B"]\n\n*\n', "1. d4 *\n", "d4 *\n", "[Site y]\n\n1. e4 *\n")
    for number, (first, second) in enumerate(itertools.product(bare, after)):
        files = [tmp_path / f"{number}{name}.pgn" for name in "ab"]
        for file, game in zip(files, (first, second)):
            file.write_text(game)
        merged = run(mola, "merge", "-q", *files).stdout.decode()
        parts = tmp_path / f"parts{number}"
        run(mola, "split", "-q", "--games", 2, "--output", parts, *files)
        assert [file.read_text() for file in parts.iterdir()] == [merged]
        assert first.strip() + "\n\n*\n\n" in merged and second in merged
        stats = json.loads(run(mola, "stats", "--json", "-q", text=merged).stdout)
        assert stats["games"] == 2, merged
    # The result is that of the tag.
    for result in ("1-0", "0-1", "1/2-1/2"):
        bare = f'[White "A"]\n[Result "{result}"]\n'
        files[0].write_text(bare)
        merged = run(mola, "merge", "-q", *files).stdout.decode()
        assert merged.startswith(f"{bare}\n{result}\n\n"), merged
        for options in (["filter"], ["sort", "--by", "Nothing"], ["dedupe"]):
            assert run(mola, *options, "-q", *files).stdout.decode() == merged, options
        assert run(mola, "stats", "-q", "--json", text=merged).stdout.count(f'"{result}":1'.encode()) == 1
    # A file that ends among the tags of its last game.
    cut = '[White "B"]\n\n1. e4 *\n\n[White "A"]\n'
    ordered = run(mola, "sort", "-q", "--by", "White", text=cut).stdout
    assert ordered == b'[White "A"]\n\n*\n\n[White "B"]\n\n1. e4 *\n\n'


def test_more_files_than_can_be_open(mola, tmp_path):
    for number in range(60):
        (tmp_path / f"{number}.pgn").write_text("1. e4 *\n")
    few = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40))  # noqa: E731
    done = subprocess.run(
        [mola, "pgn", "stats", "--json", *tmp_path.iterdir()], capture_output=True, check=True, preexec_fn=few
    )
    assert json.loads(done.stdout)["games"] == 60
    done = subprocess.run([mola, "pgn", "stats", *tmp_path.iterdir(), tmp_path / "none.pgn"], capture_output=True)
    assert done.returncode == 1 and done.stdout == b"" and b"none.pgn" in done.stderr


@pytest.mark.parametrize("mark, name", [(b"\xfd7zXZ\0", b"xz"), (b"7z\xbc\xaf\x27\x1c", b"7-Zip"), (b"PK\x03\x04", b"ZIP")])
def test_other_packings_are_named(mola, mark, name):
    refused = run(mola, "stats", text=mark + b"rest", check=False)
    assert refused.returncode == 1 and name in refused.stderr and refused.stdout == b""


def test_duplicates_are_not_written_over_the_games(mola, tmp_path):
    """The standard output is an output like another."""
    out = tmp_path / "out.pgn"
    for words in (["dedupe", "--duplicates"], ["players", "--player", "A", "--plot"]):
        with open(out, "w") as stdout:
            done = subprocess.run(
                [mola, "pgn", *words, out, "--force"], input=b'[White "A"]\n\n1. e4 *\n', stdout=stdout, stderr=subprocess.PIPE
            )
        assert done.returncode == 1 and b"out.pgn: an output cannot be" in done.stderr and out.read_bytes() == b"", words
    with open(out, "w") as stdout:
        words = [mola, "pgn", "dedupe", "--duplicates", tmp_path / "twice.pgn"]
        subprocess.run(words, input=b"1. e4 *\n\n[White \"A\"]\n\n1. e4 *\n", stdout=stdout, check=True)
    assert out.read_text() == "1. e4 *\n\n" and "White" in (tmp_path / "twice.pgn").read_text()


@pytest.mark.parametrize("option", ["-o", "--duplicates"])
@pytest.mark.parametrize("ending", ["gz", "zst", "bz2", "XZ"])
def test_output_under_the_name_of_a_packed_file_is_refused(mola, tmp_path, option, ending):
    path = tmp_path / f"out.pgn.{ending}"
    refused = run(mola, "dedupe", option, path, text="1. e4 *\n", check=False)
    assert refused.returncode == 1 and not path.exists() and refused.stdout == b""
    assert f"{path}: output is not packed: leave out .{ending}".encode() in refused.stderr


def test_months_of_ratings(mola):
    dates = ("2024.1.5", "2024/01/20", "2024-01-25", "2024.02.??", "????.??.??")
    text = "".join(f'[White "A"]\n[WhiteElo "{2000 + 10 * n}"]\n[Date "{date}"]\n\n1. e4 1-0\n\n' for n, date in enumerate(dates))
    report = json.loads(run(mola, "players", "--player", "A", "--to", "json", text=text).stdout)
    assert report["ratings"] == [{"month": "2024.01", "rating": 2020}, {"month": "2024.02", "rating": 2030}]


def test_a_player_has_no_single_csv_and_must_be_in_a_game(mola):
    for options, said in ((["A", "--to", "csv"], b"--to json"), (["Nobody"], b"Nobody: no game has this player")):
        refused = run(mola, "players", "--player", *options, text='[White "A"]\n\n1. e4 *\n', check=False)
        assert refused.returncode != 0 and said in refused.stderr and not refused.stdout, options


def test_unknown_players_are_no_players(mola):
    text = "".join(f'[White "{white}"]\n[Black "Tal"]\n[Result "1-0"]\n\n1. e4 1-0\n\n' for white in ("?", "", "A"))
    players = json.loads(run(mola, "players", "--to", "json", text=text).stdout)
    assert {player["player"]: player["games"] for player in players} == {"A": 1, "Tal": 3}


@pytest.mark.parametrize("words", [
    ("split", "--by", "ECO,Result"), ("split", "--by", ""), ("sort", "--by", "No Such"), ("sort", "--by", "-"),
    ("headers", "--tags", "White,,Black"), ("dedupe", "--tags", "White;Black"),
])
def test_what_cannot_be_the_name_of_a_tag_is_refused(mola, words):
    refused = run(mola, *words, text="1. e4 *", check=False)
    assert refused.returncode == 2 and not refused.stdout and b"is no name of a tag" in refused.stderr


def test_split_says_what_it_needs(mola):
    refused = run(mola, "split", text="1. e4 *", check=False)
    assert refused.returncode == 2 and b"--games <N>|--by <TAG>" in refused.stderr


def test_options_without_effect_are_refused(mola):
    for options in (["--to", "csv", "--no-headers"], ["--fen"], ["--to", "arrow", "--fen"], ["--by", "year"]):
        refused = run(mola, "convert", *options, text="1. e4 *", check=False)
        assert refused.returncode == 2 and b"need" in refused.stderr, options
    assert run(mola, "filter", "--limit", 0, text="1. e4 *", check=False).returncode == 2


def test_stats_know_the_result_of_the_tag(mola):
    text = '[Result "1-0"]\n\n1. e4 e5\n\n[Result "0-1"]\n\n1. e4 1-0\n\n[White "A"]\n\n1. e4\n'
    results = json.loads(run(mola, "stats", "--json", text=text).stdout)["results"]
    assert results == {"1-0": 1, "0-1": 1, "none": 1}


@pytest.mark.parametrize(
    "tag, marker, result",
    [("1-0", "*", "1-0"), ("1-0", "0-1", "1-0"), ("*", "0-1", "0-1"), ("?", "1/2-1/2", "1/2-1/2"), ("won", "*", "*")],
)
def test_the_result_is_that_of_the_tag_if_it_names_one(mola, tmp_path, tag, marker, result):
    """As in python-chess; and the text after the moves stays as it is."""
    games = tmp_path / "games.pgn"
    games.write_text(f'[Event "x"]\n[White "A"]\n[Black "B"]\n[Result "{tag}"]\n\n1. e4 e5 {marker}\n')
    out = lambda *args: run(mola, *args, games, "-q").stdout.decode()
    if tag in ("1-0", "*"):
        with games.open() as file:
            assert chess.pgn.read_game(file).headers["Result"] == result
    assert json.loads(out("stats", "--json"))["results"] == {result: 1}
    assert bool(out("filter", "--where", f'result = "{result}"')) and bool(out("filter", "--result", result))
    assert out("find", "--fen", "startpos", "--list").endswith(f"\t{result}\n")
    assert json.loads(out("convert", "--to", "jsonl"))["result"] == result
    assert next(csv.DictReader(io.StringIO(out("convert", "--to", "csv"))))["Result"] == result
    score = {"1-0": 100.0, "0-1": 0.0, "1/2-1/2": 50.0, "*": None}[result]
    assert json.loads(out("tree", "--to", "json"))["score"] == score
    assert out("convert").rstrip().endswith(f"1. e4 e5 {marker}")
    book = tmp_path / "book.bin"
    subprocess.run([mola, "book", "make", games, "-o", book, "--min-game", "1"], capture_output=True, check=True)
    weights = [entry.weight for entry in chess.polyglot.open_reader(book)]
    assert (max(weights) == 1) == (result in ("1/2-1/2", "*"))

def test_stats_count_years_and_ratings_that_are_known_once_a_game(mola):
    elo, date = '[WhiteElo "{}"]\n', '[Date "{}.??.??"]\n'
    text = elo.format("0") + '[BlackElo " 2000 "]\n\n*\n\n'
    text += date.format(2001) + elo.format(1) + date.format(2002) + elo.format(2200) + "\n*\n"
    stats = json.loads(run(mola, "stats", "--json", "-q", text=text).stdout)
    assert (stats["rated_players"], stats["rating_sum"]) == (2, 4200)
    assert stats["years"] == {"2002": 1} and stats["tags"] == 6


def test_the_year_is_that_of_a_date_as_the_standard_has_it(mola):
    dates = ["24.05.2024", "20240501", "12024.01.01", "1.5.2024", "May 2024", "????.??.??", " 2024.05.01", "2024"]
    text = "".join(f'[Date "{date}"]\n\n1. e4 *\n\n' for date in dates)
    assert json.loads(run(mola, "stats", "--json", "-q", text=text).stdout)["years"] == {"2024": 2, "????": 6}
    assert json.loads(run(mola, "tree", "--to", "json", "-q", text=text).stdout)["last_year"] == 2024
    for query, found in (("year = 2024", 2), ("year < 100", 0), ("year > 4000", 0), ("Date < 1975", 0)):
        assert run(mola, "filter", "-q", "-w", query, text=text).stdout.count(b"[Date") == found, query
    assert run(mola, "filter", "-q", "--since", "2024", text=text).stdout.count(b"[Date") == 2

def test_collections(mola, tmp_path):
    count = lambda text: text.count(b"[Event ")
    games = run(mola, "merge", text=GAMES + "\n" + GAMES).stdout
    assert count(games) == 4
    assert count(run(mola, "dedupe", "-q", text=games).stdout) == 2
    assert count(run(mola, "filter", "--player", "müller", text=games).stdout) == 2
    assert count(run(mola, "filter", "--result", "*", "--limit", 1, text=games).stdout) == 1
    assert count(run(mola, "filter", "--tag", "Event~SECOND", "--invert", text=games).stdout) == 2
    after = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -"
    assert count(run(mola, "find", "--fen", after, text=GAMES).stdout) == 1
    listed = run(mola, "find", "--material", "KvKP", "--list", text=GAMES).stdout.decode()
    assert listed == "stdin:8\tply 0\tC - D\t*\n"
    run(mola, "split", "--games", 3, "-o", tmp_path, text=games)
    assert [count(path.read_bytes()) for path in sorted(tmp_path.iterdir())] == [3, 1]
    run(mola, "split", "--by", "White", "-o", tmp_path / "by", text=games)
    assert sorted(path.name for path in (tmp_path / "by").iterdir()) == ["C.pgn", "Müller.pgn"]
    skim = [json.loads(line) for line in run(mola, "headers", "--json", text=games).stdout.splitlines()]
    assert [games[record["offset"] :][:7] for record in skim] == [b"[Event "] * 4
    stats = json.loads(run(mola, "stats", "--json", text=games).stdout)
    assert (stats["games"], stats["plies"], stats["variations"]) == (4, 10, 2)


# Both once made the reader loop, the second with growing memory.
@pytest.mark.parametrize("text", ['e4 "G"]\n[B', '[Event "x"]\ne4 "G"]\n[Black'])
def test_reading_ends(mola, text):
    for command in ("headers", "validate", "stats", "parse", "convert"):
        done = subprocess.run([mola, "pgn", command], input=text.encode(), capture_output=True, timeout=20)
        # A panic ends with 101.
        assert done.returncode == (command == "validate"), (command, done.stderr)


@pytest.mark.parametrize("command", ["headers", "index"])
def test_commands_of_one_way_refuse_another(mola, command):
    refused = run(mola, command, "--compat", "python-chess", text="1. e4 *", check=False)
    assert refused.returncode == 2 and b"only one way" in refused.stderr


def test_results_are_compared_by_what_they_mean(mola):
    games = [(tag, marker) for tag in ("1/2", "1-0 ", "0-1") for marker in ("1/2-1/2", "1-0")]
    text = "\n\n".join(f'[Event "x"]\n[Result "{tag}"]\n\n1. e4 e5 {marker}' for tag, marker in games)
    assert run(mola, "validate", text=text, check=False).stdout == b"6 games, 4 errors, 0 repaired\n"
    mended = run(mola, "convert", "-q", "--fix", text=text).stdout.decode()
    assert re.findall(r'Result "(.*)"', mended) == ["1/2-1/2", "1/2", "1-0 ", "1-0", "0-1", "0-1"]


def test_lines_of_games_that_lack_something(mola):
    """A game without a start has a line of UCI, and a null move none of EPD."""
    text = '[FEN "x"]\n\n1. e4 *\n\n[Event "2"]\n\n1. d4 -- 2. c4 *'
    lines = run(mola, "convert", "-q", "--to", "uci", text=text).stdout.decode().splitlines()
    assert lines == ["", "position startpos moves d2d4 0000 c2c4"]
    epd = run(mola, "convert", "-q", "--to", "epd", text=text).stdout.decode().splitlines()
    boards = [(chess.Board(), line) for line in epd]
    assert [board.san(board.set_epd(line)["sm"]) for board, line in boards] == ["d4", "c4"]


def test_standard_input_is_read_once(mola, tmp_path):
    game = "1. e4 e5 1-0\n"
    path = tmp_path / "games.pgn"
    path.write_text(game)
    for words in (["merge", "-", "-"], ["dedupe", "--known", "-"], ["dedupe", "-", "--known", "-"], ["stats", "-", path, "-"], ["tree", "-", "-"]):
        refused = run(mola, *words, text=game, check=False)
        assert refused.returncode == 2 and b"standard input can be read only once" in refused.stderr, words
        assert refused.stdout == b"", words
    assert b"0 games kept, 1 left out" in run(mola, "dedupe", "-", "--known", path, text=game).stderr


def test_outputs_are_refused_before_known_games_are_read(mola, tmp_path):
    (tmp_path / "there.pgn").touch()
    for option in ("-o", "--duplicates"):
        words = ("dedupe", "--known", tmp_path / "no.pgn", option, tmp_path / "there.pgn")
        refused = run(mola, *words, text="1. e4 *\n", check=False)
        assert refused.returncode == 1 and b"exists already" in refused.stderr, refused.stderr


def test_joined_files_keep_their_first_tags(mola):
    file = '\ufeff[Event "A"]\n[White "X"]\n\n1. e4 *\n\n'
    lines = run(mola, "headers", "--tags", "Event,White", text=2 * file).stdout.decode().splitlines()
    assert [line.split("\t")[1:] for line in lines] == [["1", "A", "X"], ["6", "A", "X"]]
    assert run(mola, "validate", text=2 * file).stdout == b"2 games, 0 errors, 0 repaired\n"


def test_tagless_games(mola):
    text = "e4 e5 1-0\nd4 d5 0-1\nc4 *\nb4 1/2-1/2\n"
    assert run(mola, "validate", text=text).stdout == b"4 games, 0 errors, 0 repaired\n"
    assert len(run(mola, "headers", text=text).stdout.splitlines()) == 4
    # Nothing is lost where the variant is unknown.
    record = run(mola, "convert", "--to", "jsonl", text='[Variant "x"]\n\n{c} e4 *', check=False)
    assert json.loads(record.stdout)["comment"] == "c"


def test_parse_reads_the_standard_input(mola, tmp_path):
    text, path = b"1. e4 e5 *\n", tmp_path / "x.pgn"
    path.write_bytes(text)
    answers = {run(mola, "parse", *file, text=text).stdout for file in ([], ["-"], [path])}
    assert len(answers) == 1 and b'"e7e5"' in answers.pop()


def test_a_variant_that_is_unknown_is_chess(mola, tmp_path):
    path = tmp_path / "x.pgn"
    for value in ("?", "-", ""):
        text = f'[Variant "{value}"]\n\n1. e4 e5 *\n'
        theirs = chess.pgn.read_game(io.StringIO(text))
        path.write_text(text)
        assert run(mola, "convert", "--to", "uci", "-q", path).stdout == b"position startpos moves e2e4 e7e5\n"
        assert len(theirs.errors) == 1 and len(list(theirs.mainline_moves())) == 2
        told = run(mola, "validate", path)
        assert b"the moves are read as chess" in told.stdout + told.stderr
        for query in (["--variant", "standard"], ["-w", "variant = standard"]):
            assert run(mola, "filter", "-q", *query, path).stdout.count(b"1. e4") == 1, query


def test_python_chess_ends_moves_with_the_tag(mola):
    text = '[Result "foo"]\n\n1. e4 *\n'
    once = run(mola, "convert", "-q", "--compat", "python-chess", text=text).stdout.decode()
    assert once.rstrip() == str(chess.pgn.read_game(io.StringIO(text)))


def test_comments_of_a_game_without_a_start(mola):
    text = '[Variant "Nonsense"]\n\n{one} {two} 1. e4 {three} *\n'
    theirs = chess.pgn.read_game(io.StringIO(text))
    (game,) = json.loads(run(mola, "parse", "--compat", "python-chess", text=text).stdout)["games"]
    # Releases up to 1.11.2 join several comments.
    assert " ".join(game["comment"]) == " ".join([*theirs.comments] if hasattr(theirs, "comments") else [theirs.comment])
    (game,) = json.loads(run(mola, "parse", text=text).stdout)["games"]
    assert game["comment"] == ["one", "two", "1. e4 {three}"]


def test_empty_pockets_of_other_programs(mola):
    """`[-]`, as xboard and cutechess write them in the tag FEN; python-chess refuses that."""
    text = '[Variant "Crazyhouse"]\n[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3[-] w - - 0 1"]\n\n1. e4 *\n'
    assert run(mola, "validate", text=text).returncode == 0
    (theirs,) = chess.pgn.read_game(io.StringIO(text)).errors
    (game,) = json.loads(run(mola, "parse", "--compat", "python-chess", text=text).stdout)["games"]
    assert game["errors"] == [f"ValueError: {theirs}"]


def test_results_are_compared(mola):
    mate = '[Event "x"]\n[Result "1-0"]\n\n1. f3 e5 2. g4 Qh4# 1-0\n'
    result = run(mola, "validate", text=mate, check=False)
    assert result.returncode == 1
    told = "4:21: game 1, ply 4: error: the result is 1-0, but on the board the game ends 0-1 by checkmate"
    assert told in result.stderr.decode()
    other = '[Event "x"]\n[Result "0-1"]\n\n1. e4 {why} 1-0\n'
    result = run(mola, "validate", text=other, check=False)
    # Nothing is repaired: the game is written as it was.
    assert result.returncode == 1 and b"stdin:4:13: game 1, ply 1: error: the result here is 1-0" in result.stderr
    assert result.stdout == b"1 game, 1 error, 0 repaired\n"
    fixed = run(mola, "convert", "--fix", "-q", text=mate).stdout
    assert b'[Result "0-1"]' in fixed and b"Qh4# 0-1" in fixed
    # It is unclear which of the two is right.
    assert b'[Result "0-1"]\n\n1. e4 {why} 1-0' in run(mola, "convert", "--fix", "-q", text=other).stdout
    for text in ('[Result "0-1"]\n\n1. e4 *', '[Result "*"]\n\n1. e4 0-1', '[Result "0-1"]\n\n1. e4'):
        assert run(mola, "convert", "--fix", "-q", text=text).stdout == b'[Result "0-1"]\n\n1. e4 0-1\n\n'
    # A tag that is corrected is there once, for programs do not agree on which of two counts.
    twice = '[Result "*"]\n[Result "?"]\n\n1. e4 1-0\n'
    assert run(mola, "convert", "--fix", "-q", text=twice).stdout == b'[Result "1-0"]\n\n1. e4 1-0\n\n'
    study = b'[FEN "4k3/8/8/8/8/8/8/4K3 w - - 0 1"]\n[SetUp "1"]\n\n1. Ke2 *\n\n'
    assert run(mola, "convert", "--fix", "-q", text=study.replace(b'[SetUp "1"]\n', b"")).stdout == study


def test_a_part_of_a_game_with_two_starts_is_read_again(mola):
    text = '[FEN "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]\n[FEN "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"]\n\n1. Kd2 Kd7 2. Kd3 *\n'
    part = run(mola, "convert", "--skip-plies", "2", text=text).stdout
    assert part.count(b"[FEN ") == 1 and part.endswith(b"2. Kd3 *\n\n")
    game = chess.pgn.read_game(io.StringIO(part.decode()))
    assert not game.errors and game.end().board().board_fen() == "8/3k4/8/8/8/3K4/8/R7"


def test_json_keeps_the_order_of_tags(mola):
    tags = ["Event", "Site", "Date", "Round", "White", "Black", "Result", "ECO", "Annotator"]
    text = "".join(f'[{tag} "{tag[::-1]}"]\n' for tag in tags) + "\n1. e4 *\n"
    article = json.loads(run(mola, "convert", "--to", "article", "-q", text=text).stdout)[0]
    assert list(article["annotations"]) == tags
    for format in ("json", "jsonl"):
        record = json.loads(run(mola, "convert", "--to", format, "-q", text=text).stdout)
        record = record[0] if format == "json" else record
        assert list(record["headers"]) == tags
    assert list(json.loads(run(mola, "headers", "--json", text=text).stdout)["headers"]) == tags


def test_filters_are_checked_and_counted(mola):
    for arguments in (("--since", "yesterday"), ("--until", "2024.13"), ("--result", "2-0"), ("--variant", "x")):
        result = run(mola, "filter", *arguments, text=GAMES, check=False)
        assert result.returncode == 2 and arguments[1].encode() in result.stderr
    kept = run(mola, "filter", "--result", "*", text=GAMES)
    assert b" of 2 games written" in kept.stderr
    dated = "".join(f'[Date "{date}"]\n\n1. e4 *\n\n' for date in ("2023.12.31", "2024.05.??", "????.??.??"))
    count = lambda *arguments: run(mola, "filter", "-q", *arguments, text=dated).stdout.count(b"[Date")
    assert (count("--since", "2024"), count("--until", "2023"), count("--since", "2024.06")) == (1, 1, 0)


def test_annotate_judges_every_move(mola, tmp_path):
    path = tmp_path / "out.pgn"
    assert b"2 games annotated" in run(mola, "annotate", "--depth", 4, "-o", path, text=GAMES).stderr
    game = chess.pgn.read_game(io.StringIO(path.read_text()))
    assert all(node.eval() is not None for node in game.mainline())
    assert game.next().clock() == 60


def test_annotate_keeps_the_marks_of_the_author(mola, tmp_path):
    moves = '1. f3 $3 e5 2. g4 $5 {the author likes it} 2... Qh4# $3 0-1'
    judge = lambda name, text, *more: (
        run(mola, "annotate", "--depth", 6, "-q", *more, "-o", tmp_path / name, text=text), (tmp_path / name).read_text()
    )[1]
    nags = lambda text: [node.nags for node in chess.pgn.read_game(io.StringIO(text)).mainline()]
    assert nags(judge("author.pgn", moves)) == [{3}, set(), {5}, {3}]
    # Without them the moves have marks of their own, which the next run replaces.
    plain = re.sub(r" \$\d", "", moves)
    own = judge("own.pgn", plain)
    assert nags(own)[2] == {4} and judge("again.pgn", own) == own
    wrong = re.sub(r"\$4 ", "$2 ", own)
    assert nags(wrong)[2] == {2} and nags(judge("wrong.pgn", wrong)) == nags(own)
    # Other marks beside an evaluation are the author's, too.
    assert nags(judge("both.pgn", judge("evals.pgn", moves, "--evals-only"))) == nags(moves)


@pytest.mark.parametrize("nag", [2, 4, 6])
def test_annotate_knows_its_own_marks(mola, tmp_path, nag):
    """The author's stay in all runs, whether Mola would have marked the move or not."""
    text = f"1. f3 ${nag} e5 ${nag} 2. g4 ${nag} {{the author is sorry}} (2. d4 {{better}}) 2... Qh4# ${nag} 0-1"
    games = [text]
    for number in range(3):
        path = tmp_path / f"{number}.pgn"
        run(mola, "annotate", "--depth", 6 - number, "-q", "-o", path, text=games[-1])
        games.append(path.read_text())
    nodes = [list(chess.pgn.read_game(io.StringIO(game)).mainline()) for game in games]
    for line in nodes:
        assert [node.nags for node in line] == [{nag}] * 4
        assert [len(node.parent.variations) for node in line] == [1, 1, 2, 1]
    assert all(node.eval() is not None for node in nodes[-1][:3])


def test_positions_are_the_only_comments(mola):
    text = b"{start} 1. e4 $1 {best} (1. d4 {solid}) 1... e5 *"
    written = run(mola, "convert", "-q", "--positions", "key", "--no-comments", "--no-headers", text=text).stdout.decode()
    keys = []
    board = chess.Board()
    for move in ("e4", "e5"):
        board.push_san(move)
        keys.append(f"{chess.polyglot.zobrist_hash(board):016x}")
    assert written.split("\n") == [f"1. e4 {{{keys[0]}}} (1. d4) 1... e5 {{{keys[1]}}} *", "", ""]


# --- size ----------------------------------------------------------------------------------------

@pytest.mark.parametrize("locale, is_ascii", [("C", True), ("C.UTF-8", False)])
def test_annotate_tells_how_far_it_is(mola, tmp_path, locale, is_ascii):
    games, screen = tmp_path / "games.pgn", b""
    games.write_text("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 *\n\n" * 3)
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    command = [mola, "pgn", "annotate", games, "--depth", "9", "--output", tmp_path / "out.pgn"]
    with subprocess.Popen(command, stderr=slave, stdout=subprocess.DEVNULL, env={**os.environ, "LC_ALL": locale}) as process:
        os.close(slave)
        # EIO: the other side is closed.
        with contextlib.suppress(OSError):
            while piece := os.read(master, 65536):
                screen += piece
    os.close(master)
    assert process.returncode == 0
    assert b" of 3 games " in screen and b" left" in screen and b"3 games annotated" in screen
    assert screen.isascii() == is_ascii


def test_texts_of_epd_are_escaped(mola, tmp_path):
    games = tmp_path / "games.pgn"
    games.write_text('[White "X\\"Y"]\n[Black "\u00e9, \\\\ z"]\n\n1. e4 *\n', encoding="utf-8")
    done = subprocess.run([mola, "pgn", "convert", "-q", games, "--to", "epd"], capture_output=True, text=True, check=True)
    board = chess.Board()
    text = 'X"Y - \u00e9, \\ z, ?'
    assert done.stdout == board.epd(sm=board.parse_san("e4"), id=text) + "\n"
    assert chess.Board().set_epd(done.stdout.strip())["id"] == text


def test_an_unknown_variant_of_a_query_lists_all(mola, tmp_path):
    games = tmp_path / "games.pgn"
    games.write_text("1. e4 *\n")
    for words in (["--variant", "foo"], ["-w", "variant = foo"]):
        done = subprocess.run([mola, "pgn", "filter", games, *words], capture_output=True, text=True)
        assert done.returncode != 0 and 'unknown variant "foo"; expected one of chess ' in done.stderr, done.stderr
        assert " crazyhouse chess960" in done.stderr


TORTURE = ["(", ")", "{", "}", "[", "]", ";", "%", "$", "!", "\n", "\n\n", "1. ", "* ", "1-0 ", '[A "b"]\n',
           "{}", "!\n", "$1\n", "! ", "(1. e4 ", "e4 ", "Nf3 Nf6 Ng1 Ng8 ", "{\n\n[A ", '[Event "', "\\\"", "1.e4(", "$1", "é", "\0"]


def test_control_characters_do_not_reach_the_terminal(mola):
    text = b'[White "a\x1b[2Jb"]\n[Black "\xc2\x9b2J"]\n[Variant "\x1b[31m"]\n\n1. e4 \x1b[31mfoo\x07 e5 *\n'
    for words in ("validate", "headers", "stats", "players", "openings", "find --list --material KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPPP"):
        done = run(mola, *words.split(), text=text, check=False)
        for said in (done.stdout, done.stderr):
            assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f]", said.decode()), (words, said)


@pytest.mark.parametrize("command", ["convert --to arrow", "convert --compat python-chess", "parse --compat python-chess"])
def test_many_tags_take_no_long_time(mola, command):
    text = "".join(f'[T{number} "v"]\n' for number in range(200_000)) + "\n1. e4 *\n"
    subprocess.run([mola, "pgn", *command.split()], input=text.encode(), capture_output=True, check=True, timeout=20)


@pytest.mark.parametrize("unit", TORTURE, ids=repr)
def test_time_is_linear(mola, unit):
    def cost(size):
        text = (unit * (size // len(unit.encode()))).encode()
        begin = time.monotonic()
        result = run(mola, "stats", "-q", text=text, check=False)
        assert result.returncode in (0, 1), result.stderr
        return time.monotonic() - begin

    small, large = min(cost(1_000_000) for _ in range(2)), cost(10_000_000)
    assert large < 1 + 25 * small


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="needs /proc")
def test_memory_is_flat(mola, data):
    text = (data / "pgn/lichess_db_1000k.pgn").read_bytes()
    for threads in (1, 2):
        process = subprocess.Popen(
            [mola, "pgn", "validate", "-q", "--threads", str(threads)],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        peak = 0
        for _ in range(60):
            process.stdin.write(text)
            status = open(f"/proc/{process.pid}/status").read()
            peak = int(re.search(r"VmHWM:\s+(\d+)", status)[1])
        process.stdin.close()
        process.wait()
        assert peak < 64 * 1024
