"""Opening books in `mola book` and the engine, against python-chess."""

import gzip
import json
import os
import random
import struct
import subprocess

import chess
import chess.polyglot
import chess.variant
import pytest

from engine import Uci, XBoard, binary, program


def mola(*args: object, code: int = 0, **options) -> str:
    args = [binary(), "book", *map(str, args)]
    done = subprocess.run(args, capture_output=True, text=True, timeout=120, **options)
    assert done.returncode == code, done.stderr
    return done.stdout


def probe(book, positions: list[dict], *options: str, code: int = 0) -> list[dict]:
    lines = "".join(json.dumps(position) + "\n" for position in positions)
    answers = mola("probe", book, "--batch", *options, code=code, input=lines)
    return [json.loads(line) for line in answers.splitlines()]


@pytest.fixture
def book(data):
    return data / "book/performance.bin"


def test_entries_decode_as_in_python_chess(book):
    lines = mola("dump", book).splitlines()
    with chess.polyglot.open_reader(book) as reader:
        theirs = [f"{e.key:016x}\t{e.move.uci()}\t{e.weight}\t{e.learn}" for e in reader]
    assert lines == theirs


def test_moves_of_positions(book):
    """Walks through the book at random: every move with its weight, and positions out of book."""
    rng = random.Random(1)
    boards = []
    with chess.polyglot.open_reader(book) as reader:
        for _ in range(200):
            board = chess.Board()
            while True:
                boards.append(board.copy(stack=False))
                entry = rng.choice([*reader.find_all(board)] or [None])
                if entry is None:
                    break
                board.push(entry.move)
                if rng.random() < 0.1 and any(board.legal_moves):
                    board.push(rng.choice([*board.legal_moves]))
        theirs = [[(e.move.uci(), e.weight, e.learn) for e in reader.find_all(b, minimum_weight=0)] for b in boards]
    answers = probe(book, [{"fen": board.fen(en_passant="fen")} for board in boards])
    assert [a["key"] for a in answers] == [f"{chess.polyglot.zobrist_hash(b):016x}" for b in boards]
    assert [[(m["uci"], m["weight"], m["learn"]) for m in a["moves"]] for a in answers] == theirs
    assert sum(map(len, theirs)) > 2000


def test_every_kind_of_move(tmp_path):
    """Castling in both modes, promotions, en passant; illegal moves and weight 0."""
    rng = random.Random(2)
    boards = [chess.Board.from_chess960_pos(rng.randrange(960)) for _ in range(150)]
    boards += [chess.Board() for _ in range(150)]
    entries = []
    for board in boards:
        for _ in range(rng.randrange(5, 160)):
            moves = [*board.legal_moves]
            if not moves:
                board.pop()
                break
            castles = [move for move in moves if board.is_castling(move)]
            board.push(rng.choice(castles or moves))
        key = chess.polyglot.zobrist_hash(board)
        for move in board.legal_moves:
            raw = move.to_square | move.from_square << 6 | max((move.promotion or 1) - 1, 0) << 12
            if board.is_castling(move) and not board.chess960:
                rook = (7 if move.to_square % 8 == 6 else 0) + move.to_square // 8 * 8
                raw = rook | move.from_square << 6
            entries.append((key, raw, rng.randrange(4), rng.randrange(2**32)))
        entries.append((key, rng.randrange(2**15), 5, 0))
    entries.sort()
    path = tmp_path / "all.bin"
    path.write_bytes(b"".join(struct.pack(">QHHI", *entry) for entry in entries))
    with chess.polyglot.open_reader(path) as reader:
        for chess960 in (False, True):
            some = [board for board in boards if board.chess960 == chess960]
            options = ["--chess960"] if chess960 else []
            answers = probe(path, [{"fen": board.shredder_fen() if chess960 else board.fen(en_passant="fen")} for board in some], *options)
            for board, answer in zip(some, answers, strict=True):
                ours = [(m["uci"], m["weight"]) for m in answer["moves"]]
                theirs = [(board.uci(e.move), e.weight) for e in reader.find_all(board, minimum_weight=0)]
                assert ours == theirs, board.fen()


def test_keys(data, book):
    rows = gzip.open(data / "tables/polyglot_keys.csv.gz", "rt").read().splitlines()[1:]
    rows = [row.rsplit(",", 2) for row in rows]
    answers = probe(book, [{"fen": fen} for fen, _, _ in rows])
    assert [answer["key"] for answer in answers] == [key for _, key, _ in rows]


@pytest.mark.parametrize("variant", ["crazyhouse", "3check"])
def test_books_of_variants(tmp_path, variant):
    """python-chess finds every move of a book that is made of a game, pockets and checks or not."""
    board = chess.variant.find_variant(variant)()
    game = tmp_path / "game.pgn"
    sans = "e4 d5 exd5 Qxd5 Nc3 Qe5+ Qe2 Qxe2+".split()
    game.write_text(f'[Variant "{board.uci_variant}"]\n[Result "1/2-1/2"]\n\n{" ".join(sans)} 1/2-1/2\n')
    mola("make", game, "--variant", variant, "--min-game", "1", "--out", tmp_path / "book.bin")
    with chess.polyglot.open_reader(tmp_path / "book.bin") as reader:
        for san in sans:
            m = board.parse_san(san)
            assert m in [entry.move for entry in reader.find_all(board)]
            (answer,) = probe(tmp_path / "book.bin", [{"fen": board.fen(), "variant": variant}])
            assert answer["key"] == f"{chess.polyglot.zobrist_hash(board):016x}"
            assert board.uci(m) in [move["uci"] for move in answer["moves"]]
            board.push(m)


def test_lines_of_variants(tmp_path):
    """Captures explode: after 2. Nxe5 Black has moves that standard chess does not know."""
    sans = "Nf3 e5 Nxe5 d5 e3 c6 d4 Be6 c4".split()
    game = tmp_path / "game.pgn"
    game.write_text(f'[Variant "Atomic"]\n[Result "1-0"]\n\n{" ".join(sans)} 1-0\n')
    atomic = ["--variant", "atomic"]
    mola("make", game, *atomic, "--min-game", "1", "--out", tmp_path / "book.bin")
    survey = json.loads(mola("info", tmp_path / "book.bin", *atomic, "--json"))
    # Black lost, so the moves of Black have the weight 0.
    assert (survey["lines"], survey["on_lines"], survey["isolated"]) == ([1, 0], [5, 0], 0)
    (line,) = mola("dump", tmp_path / "book.bin", "--lines", "white", *atomic).splitlines()
    assert line == "1: 1. Nf3{100%} e5 2. Nxe5{100%} d5 3. e3{100%} c6 4. d4{100%} Be6 5. c4{100%}"
    fields = json.loads(mola("dump", tmp_path / "book.bin", "--lines", "white", *atomic, "--json"))
    assert fields["moves"] == "g1f3 e7e5 f3e5 d7d5 e2e3 c7c6 d2d4 c8e6 c2c4".split()
    needs_lines = subprocess.run([binary(), "book", "dump", tmp_path / "book.bin", *atomic], capture_output=True, text=True)
    assert needs_lines.returncode == 2 and "--lines <SIDE>" in needs_lines.stderr


def test_the_engine_plays_from_a_book(tmp_path):
    board = chess.Board()
    path = tmp_path / "small.bin"
    moves = [("e2e4", 1), ("d2d4", 3), ("a2a3", 0)]
    key = chess.polyglot.zobrist_hash(board)
    entries = []
    for text, weight in moves:
        move = chess.Move.from_uci(text)
        entries.append(struct.pack(">QHHI", key, move.to_square | move.from_square << 6, weight, 0))
    path.write_bytes(b"".join(entries))
    with Uci() as engine:
        engine.send("setoption name OwnBook value true")
        engine.send(f"setoption name BookFile value {path}")

        def play(go: str) -> str:
            engine.send("position startpos")
            engine.send(go)
            return engine.until("bestmove")[-1].split()[1]

        played = [play("go depth 1") for _ in range(60)]
        assert set(played) == {"e2e4", "d2d4"}
        engine.send("setoption name BookChoice value Best")
        assert {play("go depth 1") for _ in range(10)} == {"d2d4"}
        # Another book move is asked for.
        engine.send("position startpos", "go depth 1 searchmoves e2e4")
        assert engine.until("bestmove")[-1].split()[:2] == ["bestmove", "e2e4"]
        engine.send("position startpos", "go depth 1 searchmoves e2e4")
        assert not any(line.startswith("info depth") for line in engine.until("bestmove"))
        # A book move that must not be played: the engine searches.
        assert play("go depth 1 searchmoves b1c3") == "b1c3"
        # In analysis the book is not used.
        engine.send("go infinite")
        engine.send("stop")
        assert any(line.startswith("info depth") for line in engine.until("bestmove"))
        engine.send("setoption name BookFile value /nowhere/at.all")
        assert any("cannot open" in line for line in engine.until("info string"))
        # The book before stays.
        assert {play("go depth 1") for _ in range(3)} == {"d2d4"}
        engine.send("setoption name BookFile value <empty>", "position startpos", "go depth 1")
        assert any(line.startswith("info depth") for line in engine.until("bestmove"))


@pytest.mark.parametrize(
    "name, settings",
    [
        ("a", ["--max-ply", "200", "--min-game", "1"]),
        ("b", ["--min-game", "3"]),
        ("c", ["--min-game", "3", "--uniform"]),
    ],
)
def test_books_that_polyglot_made(data, tmp_path, name, settings):
    made = tmp_path / "made.bin"
    mola("make", data / "book/polybook_in.pgn", "--out", made, *settings)
    assert made.read_bytes() == (data / f"book/polybook_{name}.bin").read_bytes()


@pytest.mark.parametrize(
    "settings",
    [[], ["-min-game", "1", "-max-ply", "30"], ["-min-score", "55"], ["-min-game", "2", "-only-black"]],
)
def test_books_that_polyglot_makes(data, tmp_path, settings):
    games = data / "pgn/twic1599_1000k.pgn"
    theirs, ours = tmp_path / "theirs.bin", tmp_path / "ours.bin"
    polyglot = [program("polyglot"), "make-book", "-pgn", games, "-bin", theirs, *settings]
    subprocess.run(polyglot, check=True, capture_output=True, timeout=120)
    settings = [word.replace("-only-black", "-only=black") for word in settings]
    mola("make", games, "--out", ours, *(f"-{word}" if word[:1] == "-" else word for word in settings))
    assert ours.read_bytes() == theirs.read_bytes()


def test_a_damaged_game_is_skipped(tmp_path):
    games, made = tmp_path / "games.pgn", tmp_path / "made.bin"
    whole = '[Event "?"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0\n\n'
    games.write_text(whole + '[Event "?"]\n[Result "1-0"]\n\n1. d4 d5 2. Qh' + "\n\n" + whole)
    said = mola("make", games, "--out", made, "--min-game", "2")
    assert "2 games, 1 skipped" in said
    moves = sorted(line.split("\t")[1:3] for line in mola("dump", made).splitlines())
    assert moves == [["e2e4", "4"], ["g1f3", "4"]]


def test_a_line_that_repeats_does_not_refer_to_itself(tmp_path):
    games, made = tmp_path / "games.pgn", tmp_path / "made.bin"
    games.write_text('[Event "?"]\n[Result "1-0"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 1-0\n')
    mola("make", games, "--out", made, "--min-game", "1")
    (line,) = mola("dump", made, "--lines", "white").splitlines()
    assert line.endswith("2. Ng1{100%} Ng8 {repetition}"), line
    fields = json.loads(mola("dump", made, "--lines", "white", "--json"))
    assert fields["joins"] is None and fields["repeats"] is True


@pytest.mark.parametrize(
    "settings, why",
    [
        (["--min-score", "101"], "a number from 0 to 100 is expected"),
        (["--min-score", "nan"], "a number from 0 to 100 is expected"),
        (["--max-ply", "0"], "a whole number of 1 or more is expected"),
        (["--min-game", "2"], "no move of 1 game meets --min-game"),
    ],
)
def test_no_book_is_empty(tmp_path, settings, why):
    games, made = tmp_path / "games.pgn", tmp_path / "made.bin"
    games.write_text('[Event "?"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0\n')
    done = subprocess.run([binary(), "book", "make", games, "--out", made, *settings], capture_output=True, text=True)
    assert done.returncode != 0 and why in done.stderr and not made.exists()


def test_games_may_be_packed(tmp_path):
    games, packed = tmp_path / "games.pgn", tmp_path / "games.pgn.gz"
    games.write_text('[Event "?"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0\n\n' * 100)
    packed.write_bytes(gzip.compress(games.read_bytes()))
    made = [tmp_path / name for name in ("plain.bin", "packed.bin", "piped.bin")]
    mola("make", games, "--out", made[0])
    mola("make", packed, "--out", made[1])
    with packed.open("rb") as pipe:
        mola("make", "-", "--out", made[2], stdin=pipe)
    assert len({path.read_bytes() for path in made}) == 1
    packed.write_bytes(packed.read_bytes()[:-20])
    words = [binary(), "book", "make", packed, "--out", tmp_path / "cut.bin"]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 1 and "games.pgn.gz" in done.stderr and not (tmp_path / "cut.bin").exists()


def test_xboard_lists_the_moves_of_the_book(book):
    with XBoard() as engine:
        # Lines that begin with a blank, then an empty one.
        asked = lambda: (engine.send("bk"), engine.sync())[1]
        assert asked() == [" no book", ""]
        engine.send("new", "force", f"option BookFile={book}", "usermove e2e4")
        *lines, end = asked()
        board = chess.Board()
        board.push_uci("e2e4")
        with chess.polyglot.open_reader(book) as reader:
            entries = list(reader.find_all(board))
        assert end == "" and all(line.startswith(" ") for line in lines)
        assert [line.split()[0] for line in lines] == [entry.move.uci() for entry in entries]
        total = sum(entry.weight for entry in entries)
        shares = [float(line.split()[1]) for line in lines]
        assert shares == pytest.approx([100 * entry.weight / total for entry in entries], abs=0.06)
        engine.send("usermove h7h5", "usermove h2h4")
        assert asked() == [" not in the book", ""]


def test_a_book_move_is_no_equal_score(tmp_path):
    """It says nothing of the value: a draw is neither offered nor accepted after it."""
    board = chess.Board("4k3/8/8/8/8/8/3Q4/3QK3 w - - 0 45")
    # The moves go back and forth for as long as no position repeats with the same counters.
    line = "d2d3 e8f8 d3d4 f8g8 d4d5 g8g7 d5d6 g7g8 d6d7 g8f8 d7c7 f8g8 c7c6 g8f8 c6c5 f8g8 c5c4 g8h8"
    entries = []
    for text in line.split():
        move = board.parse_uci(text)
        if board.turn:
            move_bits = move.to_square | move.from_square << 6
            entries.append((chess.polyglot.zobrist_hash(board), move_bits, 1, 0))
        board.push(move)
    path = tmp_path / "queens.bin"
    path.write_bytes(b"".join(struct.pack(">QHHI", *entry) for entry in sorted(entries)))
    with XBoard() as engine:
        engine.send("new", "easy", "option OwnBook=1", f"option BookFile={path}", "force")
        engine.send("setboard 4k3/8/8/8/8/8/3Q4/3QK3 w - - 0 45", "sd 2", "go")
        told = engine.sync()
        for reply in line.split()[1:-1:2]:
            engine.send(f"usermove {reply}", "draw")
            told += engine.sync()
    assert [line.split()[1] for line in told if line.startswith("move ")] == line.split()[::2]
    assert "offer draw" not in told


@pytest.fixture
def small(tmp_path):
    games = tmp_path / "games.pgn"
    games.write_text("1. e4 c5 *\n\n1. e4 c5 *\n\n1. d4 d5 *\n\n1. d4 d5 *\n")
    mola("make", games, "--out", tmp_path / "small.bin", "--min-game", "1")
    return tmp_path / "small.bin"


def test_every_line_of_a_batch_has_its_answer(small):
    lines = [json.dumps({"fen": chess.STARTING_FEN}), "", "nonsense", json.dumps({"fen": chess.STARTING_FEN})]
    answers = mola("probe", small, "--batch", code=1, input="\n".join(lines) + "\n").split("\n")
    assert answers[1] == "" and "error" in answers[2] and answers[0] == answers[3]


def test_a_move_is_drawn_by_weight(small):
    drawn = {json.loads(mola("probe", small, "--random", "--json"))["moves"][0]["uci"] for _ in range(40)}
    assert drawn == {"e2e4", "d2d4"}
    assert len(mola("probe", small, "--random").splitlines()) == 1


def test_what_is_no_book_is_refused(tmp_path):
    games = tmp_path / "games.pgn"
    games.write_text("1. e4 c5 *\n" * 16)
    for command in (["probe", games], ["dump", games], ["merge", games, games, "--out", tmp_path / "x.bin"]):
        done = subprocess.run([binary(), "book", *map(str, command)], capture_output=True, text=True)
        assert done.returncode == 1 and "no book" in done.stderr, command


def test_what_is_no_file_keeps_no_engine_waiting(uci, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for name in (tmp_path, tmp_path / "pipe", "/dev/zero", tmp_path / "missing"):
        uci.send(f"setoption name BookFile value {name}")
        lines = uci.ready()
        assert len(lines) == 1 and lines[0].startswith("info string error: cannot open book "), (name, lines)


def test_text_is_no_book_to_play_from(uci, tmp_path):
    path = tmp_path / "games.bin"
    path.write_text("1. e4 e5 2. Nf3 1. c4 c5 2. Nc3 ")
    uci.send(f"setoption name BookFile value {path}")
    assert uci.ready() == [f"info string error: cannot open book {path}: not a Polyglot book, or a damaged one"]


def test_merged_books_have_one_header(small, tmp_path):
    """Polyglot's header: text in the records of key 0."""
    path = tmp_path / "header.bin"
    text = b"@PG@\n1.0\n1\nnormal\n".ljust(24, b"\0")
    header = b"".join(bytes(8) + text[at : at + 8] for at in range(0, 24, 8))
    path.write_bytes(header + small.read_bytes())
    assert "Positions                    :         3" in mola("info", path)
    mola("merge", path, path, small, "--out", tmp_path / "merged.bin")
    merged = (tmp_path / "merged.bin").read_bytes()
    assert merged.startswith(header) and len(merged) == len(path.read_bytes())


def test_a_batch_names_what_is_wrong(small):
    lines = [{"fen": 5, "key": "x"}, {}, {"fen": chess.STARTING_FEN, "variant": 5}]
    for answer, line in zip(probe(small, lines, code=1), lines, strict=True):
        assert "error" in answer and "key" not in answer and "moves" not in answer, line
        assert "empty" not in answer["error"], line


def test_the_variant_of_a_batch_may_be_chess960(tmp_path):
    fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    entry = struct.pack(">QHHI", chess.polyglot.zobrist_hash(chess.Board(fen)), 7 | 4 << 6, 1, 0)
    (tmp_path / "castling.bin").write_bytes(entry)
    for variant, castling in ("chess", "e1g1"), ("chess960", "e1h1"):
        (answer,) = probe(tmp_path / "castling.bin", [{"fen": fen, "variant": variant}])
        assert answer["moves"][0]["uci"] == castling
        shown = mola("probe", tmp_path / "castling.bin", fen, "--variant", variant)
        assert castling in shown


def test_books_go_to_standard_output_too(small, tmp_path):
    games = small.parent / "games.pgn"
    for command in (["make", games, "--min-game", "1"], ["merge", small, tmp_path / "none.bin"]):
        (tmp_path / "none.bin").touch()
        args = [binary(), "book", *map(str, command), "--out", "-"]
        done = subprocess.run(args, capture_output=True, timeout=60, cwd=tmp_path)
        assert done.stdout == small.read_bytes() and done.stderr.startswith(b"-: "), done.stderr
    assert not (tmp_path / "-").exists()


def test_a_header_is_no_entry(mola, tmp_path):
    board = chess.Board()
    header = b"".join(bytes(8) + text for text in (b"@PG@\n1.0", b"\n2\nnorma", b"l\n      "))
    move = chess.E4 | chess.E2 << 6
    book = tmp_path / "book.bin"
    book.write_bytes(header + struct.pack(">QHHI", chess.polyglot.zobrist_hash(board), move, 7, 0))
    dumped = subprocess.run([mola, "book", "dump", book], capture_output=True, text=True, check=True).stdout
    assert dumped == "463b96181691fc9c\te2e4\t7\t0\n"
