"""Endgame tables: `mola tables` against python-chess's probers on real tables, and endings played
out against Stockfish without tables.

$SEED draws other positions; $TABLE_POSITIONS is how many of each family (default 600).
"""

import json
import os
import random
import re
import shutil
import subprocess
import time

import chess
import chess.engine
import chess.gaviota
import chess.syzygy
import chess.variant
import pytest
from engine import binary, program, scored

SEED = int(os.environ.get("SEED", time.time()))
POSITIONS = int(os.environ.get("TABLE_POSITIONS", "600"))

FAMILIES = {
    "chess": (chess.Board, "rtbw", ["syzygy/regular", "syzygy/five"]),
    "suicide": (chess.variant.SuicideBoard, "stbw", ["tables/suicide"]),
    "giveaway": (chess.variant.GiveawayBoard, "gtbw", ["tables/giveaway"]),
    "antichess": (chess.variant.AntichessBoard, "gtbw", ["tables/giveaway"]),
    "atomic": (chess.variant.AtomicBoard, "atbw", ["tables/atomic"]),
}


def place(names, board_type, rng):
    """A legal position with the material of one of these names, now and then with en passant."""
    while True:
        white, black = rng.choice(names).split("v")
        if rng.random() < 0.5:
            white, black = black, white
        board = board_type(None)
        pieces = [(kind, chess.WHITE) for kind in white] + [(kind, chess.BLACK) for kind in black]
        squares = rng.sample(chess.SQUARES, len(pieces))
        for (kind, color), square in zip(pieces, squares):
            board.set_piece_at(square, chess.Piece.from_symbol(kind.upper() if color else kind.lower()))
        board.turn = rng.random() < 0.5
        rank = 3 if board.turn == chess.BLACK else 4
        pushed = list(board.pieces(chess.PAWN, not board.turn) & chess.BB_RANKS[rank])
        if pushed and rng.random() < 0.7:
            board.ep_square = rng.choice(pushed) + (8 if board.turn == chess.WHITE else -8)
        if board.is_valid():
            return board


def ask(positions, variant, *folders, code=0):
    paths = [argument for folder in folders for argument in ("--path", str(folder))]
    lines = "".join(json.dumps({"fen": fen, "variant": variant}) + "\n" for fen in positions)
    run = subprocess.run(
        [binary(), "tables", "probe", "--batch", *paths],
        input=lines,
        text=True,
        capture_output=True,
        timeout=120,
    )
    assert run.returncode == code, run.stderr
    return [json.loads(line) for line in run.stdout.splitlines()]


@pytest.mark.parametrize("variant", FAMILIES)
def test_syzygy_of_random_positions(data, variant):
    board_type, suffix, folders = FAMILIES[variant]
    folders = [data / folder for folder in folders]
    rng = random.Random(SEED)
    with chess.syzygy.Tablebase(VariantBoard=board_type) as oracle:
        for folder in folders:
            oracle.add_directory(str(folder))
        names = sorted(path.stem for folder in folders for path in folder.glob(f"*.{suffix}"))
        boards, wanted = [], []
        while len(boards) < POSITIONS:
            board = place(names, board_type, rng)
            wdl, dtz = oracle.get_wdl(board), oracle.get_dtz(board)
            if wdl is not None and dtz is not None:
                boards.append(board)
                wanted.append((wdl, dtz))
    answers = ask([board.fen(en_passant="fen") for board in boards], variant, *folders)
    wrong = [
        (answer["fen"], answer, values)
        for answer, values in zip(answers, wanted, strict=True)
        if (answer["wdl"], answer["dtz"]) != values
    ]
    assert not wrong, f"SEED={SEED}: {len(wrong)} of {len(boards)}: {wrong[:5]}"


def test_gaviota_of_random_positions(data):
    rng = random.Random(SEED)
    with chess.gaviota.open_tablebase(str(data / "gaviota")) as oracle:
        boards = [place(["KQvK", "KRvK", "KBvK", "KNvK", "KPvK"], chess.Board, rng) for _ in range(POSITIONS)]
        wanted = [oracle.probe_dtm(board) for board in boards]
    answers = ask([board.fen() for board in boards], "chess", data / "gaviota")
    assert [answer["dtm"] for answer in answers] == wanted, f"SEED={SEED}"


def test_lines_that_are_no_positions_are_answered_too(data):
    answers = ask(["x", "8/8/8/8/8/8/8/8 w - - 0 1", chess.STARTING_FEN], "chess", data / "syzygy", code=1)
    assert len(answers) == 3
    assert all(answer[key] is None for answer in answers for key in ("wdl", "dtz", "dtm"))
    assert "error" in answers[0]


def test_verify_names_what_is_broken(data, tmp_path):
    for name in ("KQvK.rtbw", "KRvK.rtbw", "KRvK.rtbz"):
        shutil.copy(data / "syzygy/regular" / name, tmp_path)
        (tmp_path / name).chmod(0o644)
    run = lambda: subprocess.run(
        [binary(), "tables", "verify", str(tmp_path)], text=True, capture_output=True, timeout=60
    )
    whole = run()
    assert whole.returncode == 0 and "3 tables are intact" in whole.stdout
    # Each counts once, however often it is named.
    again = verify(tmp_path, tmp_path / "KQvK.rtbw", tmp_path / ".")
    assert again.stdout == "3 tables are intact\n", again.stdout
    table = bytearray((tmp_path / "KRvK.rtbz").read_bytes())
    table[-100] ^= 1
    (tmp_path / "KRvK.rtbz").write_bytes(table)
    broken = run()
    assert broken.returncode == 1
    assert "KRvK.rtbz: corrupt: wrong checksum" in broken.stdout


@pytest.mark.parametrize("material", ["KBNvK", "KQvKR", "KRPvK", "KPvKP"])
def test_endings_against_stockfish(data, material):
    """Endings that are won by the tables are won within fifty moves, drawn ones are held."""
    stockfish = program("stockfish")
    rng = random.Random(SEED)
    folder = str(data / "syzygy/regular")
    with (
        chess.syzygy.open_tablebase(folder) as oracle,
        chess.engine.SimpleEngine.popen_uci(binary()) as mola,
        chess.engine.SimpleEngine.popen_uci(stockfish) as opponent,
    ):
        mola.configure({"SyzygyPath": folder})
        for _ in range(4):
            board = place([material], chess.Board, rng)
            while board.is_game_over():
                board = place([material], chess.Board, rng)
            wdl = oracle.probe_wdl(board)
            ours = board.turn if wdl >= 0 else not board.turn
            start = board.fen()
            while not board.is_game_over(claim_draw=True):
                player = mola if board.turn == ours else opponent
                board.push(player.play(board, chess.engine.Limit(nodes=2000)).move)
            winner = board.outcome(claim_draw=True).winner
            if wdl:
                assert winner == ours, f"SEED={SEED}: {start} ended {board.fen()}"
            else:
                assert winner in (ours, None), f"SEED={SEED}: {start} ended {board.fen()}"


def test_without_a_path_the_way_to_one_is_told(mola):
    fen = "8/8/8/3k4/8/8/8/KQR5 w - - 0 1"
    done = subprocess.run([mola, "tables", "probe", fen], capture_output=True, text=True)
    assert done.returncode == 1 and "--path" in done.stderr


def test_tables_of_another_variant_are_told(mola, data):
    fen = "8/2K5/4B3/3N4/8/8/4k3/8 w - - 0 1"
    words = [mola, "tables", "probe", "--variant", "atomic", fen]
    for path, end in [(["--path", data / "syzygy/regular"], ""), ([], "; --path names the folders of your tables")]:
        done = subprocess.run([*words, *path], capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (1, f"mola: none of the tables is for Atomic{end}\n")


def test_every_line_of_a_batch_has_its_answer(mola):
    lines = [json.dumps({"fen": "8/8/8/3k4/8/8/8/KQ6 w - - 0 1"}), "", "nonsense"]
    done = subprocess.run(
        [mola, "tables", "probe", "--batch"], input="\n".join(lines) + "\n", capture_output=True, text=True
    )
    answers = done.stdout.split("\n")
    assert json.loads(answers[0])["wdl"] == 2 and answers[1] == "" and "error" in answers[2]
    said = "mola: 1 of 3 lines could not be answered; each has an `error` in its place\n"
    assert done.returncode == 1 and done.stderr == said


def test_info_tells_what_is_missing(mola, tmp_path):
    done = subprocess.run([mola, "tables", "generate", "KNNvK", "--out", tmp_path], capture_output=True)
    assert done.returncode == 0, done.stderr
    done = subprocess.run([mola, "tables", "info", "--path", tmp_path], capture_output=True, text=True)
    assert re.search(r"29 of 30 \.rtbw of 4 pieces are missing: .* and 19 more", done.stdout), done.stdout


def test_numbers_out_of_range_are_refused_in_words(mola):
    for command in (["tables", "generate", "--out", "x", "--pieces", "9"], ["play", "--level", "0"]):
        done = subprocess.run([mola, *command], capture_output=True, text=True, input="")
        assert done.returncode == 2 and "a whole number from" in done.stderr, done.stderr
        assert "..=" not in done.stderr


def verify(*paths, **options):
    command = [binary(), "tables", "verify", *paths]
    return subprocess.run(command, text=True, capture_output=True, timeout=60, **options)


def test_a_pipe_is_no_table(tmp_path):
    for name in ("KRvK.rtbw", "krk.gtb.cp4"):
        os.mkfifo(tmp_path / name)
    done = verify(tmp_path)
    assert done.returncode == 1 and done.stdout.count(": not a file") == 2, done.stdout


def test_the_names_of_files_cannot_drive_the_terminal(tmp_path):
    (tmp_path / "\x1b]0;owned\a.rtbw").write_text("x")
    done = verify(tmp_path)
    assert done.returncode == 1 and "owned" in done.stdout and "\x1b" not in done.stdout, done.stdout


@pytest.mark.parametrize("words", ["verify {0}", "info --path {0}", "probe --path {0} FEN", "generate --out {0} KQvK"])
def test_a_table_is_no_output(mola, tmp_path, words):
    """`>>` would damage it."""
    subprocess.run([mola, "tables", "generate", "--out", tmp_path, "KQvK"], capture_output=True, check=True)
    table = tmp_path / "KQvK.rtbw"
    before = table.read_bytes()
    command = [word.format(tmp_path).replace("FEN", "4k3/8/8/8/8/8/8/4KQ2 w - - 0 1") for word in words.split()]
    with table.open("ab") as output:
        done = subprocess.run([mola, "tables", *command], stdout=output, stderr=subprocess.PIPE, timeout=60)
    assert done.returncode == 1 and b"is the input and the output" in done.stderr, done.stderr
    assert table.read_bytes() == before


def test_folders_of_any_name(data, tmp_path):
    for name in (b"a;b", b"blank ", b"\xff", b"a"):
        folder = os.path.join(os.fsencode(tmp_path), name)
        os.mkdir(folder)
        shutil.copy(data / "syzygy/regular/KQvK.rtbw", os.path.join(folder, b"KQvK.rtbw"))
        done = verify(folder)
        assert done.stdout == "1 table is intact\n", (name, done.stdout, done.stderr)
    # The folder `a` is no drive.
    assert "2 tables are intact" in verify(f"a:{tmp_path}/blank ", cwd=tmp_path).stdout


def test_a_path_is_asked_for_where_it_helps(mola):
    for fen, variant in [
        ("4k3/8/8/8/8/8/8/R3K3[] w - - 0 1", "crazyhouse"),
        (chess.STARTING_FEN, "chess"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", "atomic"),
    ]:
        done = subprocess.run([mola, "tables", "probe", fen, "--variant", variant], capture_output=True, text=True)
        assert done.returncode == 1 and "--path" not in done.stderr, done.stderr


def test_lines_of_lost_endings_keep_to_the_mate(uci, data):
    """By the built-in tables: exact, and every move of the line is one of the best."""
    draw = random.Random(SEED)
    with chess.gaviota.open_tablebase(str(data / "gaviota")) as tables:
        for _ in range(60):
            board = chess.Board(None)
            for letter, square in zip("Kk" + draw.choice("qr"), draw.sample(range(64), 3)):
                board.set_piece_at(square, chess.Piece.from_symbol(letter))
            if not board.is_valid() or board.is_game_over() or tables.probe_dtm(board) == 0:
                continue
            uci.send(f"position fen {board.fen()}")
            *_, last, best = uci.ask("go depth 5", "^bestmove")
            line = last.split(" pv ")[1].split()
            assert "bound" not in last and best.split()[1::2] in (line[:1], line[:2]), (SEED, board.fen(), last, best)
            for move in line:
                distance = tables.probe_dtm(board)
                board.push_uci(move)
                if not board.is_game_over():
                    assert abs(tables.probe_dtm(board)) == abs(distance) - 1, (SEED, board.fen(), last)
            assert board.is_checkmate()


def test_uci_keeps_tables_that_work(uci, data, tmp_path):
    uci.send(f"setoption name SyzygyPath value {data / 'syzygy/regular'}")
    assert any("Syzygy tables" in line for line in uci.ready())
    uci.send(f"setoption name SyzygyPath value {tmp_path / 'none'}", "position fen 8/8/4k3/8/8/3RK3/8/7r w - - 0 1")
    assert any("no tables" in line for line in uci.ready())
    hits = [re.search(r"tbhits (\d+)", line) for line in uci.ask("go depth 1", "^bestmove")]
    assert any(found and int(found[1]) > 0 for found in hits)


def test_uci_tells_of_tables_that_cannot_be_used(uci, tmp_path):
    uci.send(f"setoption name SyzygyPath value {tmp_path}")
    assert uci.ready() == [f"info string error: no tables: {tmp_path} has none of Syzygy"]
    (tmp_path / "KRvKN.rtbw").touch()
    uci.send(f"setoption name SyzygyPath value {tmp_path}", "position fen 8/8/8/4k3/8/8/n7/K2R4 w - - 0 1")
    uci.ready()
    told = [[line for line in uci.ask("go depth 2", "^bestmove") if "KRvKN.rtbw: 0 bytes" in line] for _ in range(2)]
    assert [len(lines) for lines in told] == [1, 0], told


@pytest.mark.parametrize(
    "variant, tables, fen",
    [
        ("chess", "syzygy/regular", "2Q5/8/5k2/8/5P2/4b3/5K2/8 w - - 0 1"),
        ("giveaway", "tables/giveaway", "8/8/7B/8/8/5k2/8/4qK1r b - - 0 1"),
        ("giveaway", "tables/giveaway", "8/7N/3N4/2Pk4/8/p7/8/8 b - - 0 1"),
    ],
)
@pytest.mark.parametrize("driver", ["PVS", "MTDF"])
def test_a_capture_into_a_won_ending_is_a_win_for_both_drivers(uci, data, variant, tables, fen, driver):
    uci.send(f"setoption name UCI_Variant value {variant}", f"setoption name Search Driver value {driver}")
    uci.send(f"setoption name SyzygyPath value {data / tables}", f"position fen {fen}")
    last = scored(uci.ask("go depth 8", "^bestmove", 60))[-1]
    kind, score = last["score"].split()
    assert kind == "mate" or int(score) > 30000, last


@pytest.mark.parametrize("fen", ["8/8/6b1/8/1R6/3Q4/1p2k3/8 w - - 0 1", "8/4K3/8/1n2R3/8/8/n3b3/8 w - - 0 1"])
def test_a_missing_table_matters_only_if_no_capture_wins(mola, data, fen):
    command = [mola, "tables", "probe", "--json", "--variant", "giveaway", "--path", data / "tables/giveaway", fen]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["wdl"] == 2


def test_a_threat_may_win_where_the_table_is_missing(mola, data):
    fen = "8/8/7Q/8/k7/6Q1/r7/5n2 w - - 0 1"
    command = [mola, "tables", "probe", "--json", "--variant", "suicide", "--path", data / "tables/suicide", fen]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    answer = json.loads(done.stdout)
    assert answer["wdl"] == 2 and answer["dtz"] == 2, answer


def test_moves_that_are_known_are_shown_beside_others(mola, data):
    probe = lambda fen, *flags: subprocess.run(
        [mola, "tables", "probe", *flags, fen], capture_output=True, text=True, check=True
    ).stdout
    fen = "3k4/8/8/8/8/8/1r6/KQ5R w - - 0 1"
    text = probe(fen, "--path", data / "syzygy/regular")
    assert "WDL    2" in text and "KQRvKR.rtbw is missing" in text and re.search(r"^Kxb2 +win +DTZ +1", text, re.M)
    castling = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"
    assert re.search(r"^Rd1 +win +DTZ", probe(castling), re.M)
    moves = json.loads(probe(castling, "--json"))["moves"]
    assert len(moves) == chess.Board(castling).legal_moves.count() and moves[0]["dtz"] is not None


def test_a_batch_tells_of_damaged_tables(data, tmp_path):
    table = (data / "syzygy/regular/KRvKP.rtbw").read_bytes()
    (tmp_path / "KRvKP.rtbw").write_bytes(table[:3000])
    done = subprocess.run(
        [binary(), "tables", "probe", "--batch", "--path", tmp_path],
        input='{"fen":"8/8/3k4/8/4p3/8/8/K6R w - - 0 1"}\n',
        capture_output=True,
        text=True,
    )
    assert json.loads(done.stdout)["wdl"] is None
    assert done.returncode == 1 and "KRvKP.rtbw: 3000 bytes" in done.stderr and "answered" not in done.stderr


def test_damage_within_a_table_is_told(mola, data, tmp_path):
    """Of a table that can be opened, but whose blocks are spoiled."""
    table = bytearray((data / "gaviota/kqk.gtb.cp4").read_bytes())
    start = int.from_bytes(table[32:36], "little")
    table[start:] = bytes(len(table) - start)
    (tmp_path / "kqk.gtb.cp4").write_bytes(table)
    fen, said = "8/8/8/3k4/8/8/8/KQ6 w - - 0 1", "kqk.gtb.cp4: corrupt"
    probe = [mola, "tables", "probe", "--path", tmp_path]
    done = subprocess.run([*probe, "--batch"], input=json.dumps({"fen": fen}), capture_output=True, text=True)
    # The built-in table answers.
    assert json.loads(done.stdout)["dtm"] == 17
    assert done.returncode == 1 and said in done.stderr
    done = subprocess.run([*probe, fen], capture_output=True, text=True)
    assert done.returncode == 0 and "DTM   17" in done.stdout and said in done.stdout
    done = subprocess.run([*probe, "--json", fen], capture_output=True, text=True)
    assert said in json.loads(done.stdout)["missing"]


@pytest.mark.parametrize("fen, m", [("7K/8/8/8/3k4/8/6P1/8 b - - 80 1", "d4c5"), ("8/8/8/4k3/8/3K2p1/8/8 w - - 95 1", "d3c3")])
def test_a_pawn_that_moves_in_time_wins_in_spite_of_the_fifty_move_rule(uci, fen, m):
    """The move loses, though the mate comes after more than fifty moves from the last pawn move."""
    uci.send(f"position fen {fen}")
    last = scored(uci.ask(f"go depth 4 searchmoves {m}", "^bestmove"))[-1]
    kind, score = last["score"].split()
    assert int(score) < (0 if kind == "mate" else -30000), last


def test_mates_have_time_before_the_fifty_move_rule():
    """No line tells of a mate that comes after the draw, whatever the distance to mate is."""
    rng = random.Random(SEED)
    mates = 0
    with chess.engine.SimpleEngine.popen_uci(binary()) as mola:
        for number in range(60):
            board = place(["KQvK", "KRvK"], chess.Board, rng)
            board.halfmove_clock, board.fullmove_number = rng.randrange(70, 100), 200
            if number % 10 == 0:
                board = chess.Board(f"4k3/8/8/8/8/8/8/4K2R w K - {board.halfmove_clock} 200")
            if board.is_game_over():
                continue
            with mola.analysis(board, chess.engine.Limit(depth=4), multipv=5) as analysis:
                for info in analysis:
                    mate = info["score"].relative.mate() if "score" in info else None
                    if mate is not None:
                        mates += 1
                        plies = 2 * mate - 1 if mate > 0 else -2 * mate
                        assert board.halfmove_clock + plies <= 100, f"SEED={SEED}: {board.fen()}: {info}"
    assert mates > 20
