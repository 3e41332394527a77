"""The Python package `mola`: python-chess's own tests, random games, and errors."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine import ROOT

TOOLS = ROOT / "tests/tools"


def python(package: Path, *arguments, **options) -> str:
    """The output of a script that can import the package."""
    env = os.environ | {"PYTHONPATH": str(package), "PYTHONDONTWRITEBYTECODE": "1"}
    result = subprocess.run(
        [sys.executable, *map(str, arguments)],
        env=env,
        capture_output=True,
        text=True,
        timeout=120,
        **options,
    )
    assert result.returncode == 0, result.stderr[-3000:]
    return result.stdout


def test_python_chess_tests(package, source):
    """All tests of the python-chess release pass on `mola.chess`."""
    assert python(package, TOOLS / "run_python_chess_tests.py", source) == "289 tests\n"


def test_facts_of_random_games(package):
    """Boards of all variants answer as python-chess's, in the same order and with the same messages."""
    numbers = os.environ.get("SEED", "1"), "30", "30"
    ours = python(package, TOOLS / "board_facts.py", "mola", *numbers).splitlines()
    theirs = python(package, TOOLS / "board_facts.py", "chess", *numbers).splitlines()
    assert len(ours) > 5000
    differences = [pair for pair in zip(ours, theirs) if pair[0] != pair[1]]
    assert not differences and len(ours) == len(theirs), differences[:3]


def test_illegal_moves_are_made_as_in_python_chess(package):
    """Pieces of both colours go anywhere, with any promotion, on random boards of all variants."""
    assert int(python(package, TOOLS / "pushes.py", os.environ.get("SEED", "1"))) > 4000


TABLES = """
import random, sys
import chess, chess.gaviota, chess.syzygy
import mola.chess, mola.chess.gaviota, mola.chess.syzygy, mola.chess.variant

data, folder = sys.argv[1:]
regular = data + "/syzygy/regular/"
good = open(regular + "KRvKP.rtbw", "rb").read()
damaged = bytearray(good)
for at in range(20_000, len(good) - 16, 97):
    damaged[at] ^= 0x55
path = folder + "/KRvKP.rtbw"
open(path, "wb").write(damaged)
chance = random.Random(1)
boards = []
while len(boards) < 300:
    board = chess.Board(None)
    for square, letter in zip(chance.sample(chess.SQUARES, 4), "KRkp"):
        board.set_piece_at(square, chess.Piece.from_symbol(letter))
    board.turn = chance.random() < 0.5
    if board.is_valid():
        boards.append(board)


def values(library, last):
    tables = library.syzygy.Tablebase()
    if last is damaged:
        tables.add_directory(regular)
        tables.add_file(path)
    else:
        tables.add_file(path)
        tables.add_directory(regular)
    found = []
    for board in boards:
        try:
            found.append(tables.probe_wdl_table(library.Board(board.fen())))
        except Exception as error:
            found.append(None)
    return found


# The table that was added last is used.
right = values(chess, good)
assert values(mola.chess, good) == right and None not in right
pairs = list(zip(values(chess, damaged), values(mola.chess, damaged), right))
known = [pair for pair in pairs if None not in pair]
assert known and all(theirs == ours for theirs, ours, _ in known)
assert any(theirs != value for theirs, _, value in known)

told = []
for library in (chess, mola.chess):
    tables = library.syzygy.open_tablebase(regular)
    castling = library.Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    assert tables.probe_dtz_table(castling, 2) == (20, 1)
    for board in (library.Board(), library.Board("4k3/pp6/8/8/8/8/PP6/4K3 w - - 0 1")):
        for probe in (tables.probe_wdl_table, lambda board: tables.probe_dtz_table(board, 2)):
            try:
                probe(board)
            except KeyError as error:
                told.append((type(error).__name__, str(error)))
assert len(told) == 8 and told[:4] == told[4:], told
ours = mola.chess.syzygy.open_tablebase(regular)
try:
    ours.probe_dtz_table(mola.chess.Board("8/8/8/8/8/2k5/6p1/KQ6 w - - 0 1"), 1)
except ValueError as error:
    assert "is not 1" in str(error)
# None has the position after the king is captured; bare kings are a draw.
theirs = chess.syzygy.open_tablebase(regular)
illegal = (
    "6Q1/K7/4k3/8/8/8/8/8 w - - 0 1",
    "8/8/8/8/3r4/2k5/1K6/8 b - - 0 1",
    "8/8/8/8/8/2k5/1K6/8 b - - 0 1",
    "8/8/2k5/r1R5/3K4/8/8/8 w - - 0 1",
    "2k5/1P6/8/8/8/8/8/K7 w - - 0 1",
)
for fen in illegal:
    told = []
    for library, tables in ((chess, theirs), (mola.chess, ours)):
        board = library.Board(fen)
        for name in ("wdl", "dtz"):
            told.append(getattr(tables, "get_" + name)(board, 7))
            try:
                told.append(getattr(tables, "probe_" + name)(board))
            except library.syzygy.MissingTableError as error:
                told.append(str(error))
    assert told[:4] == told[4:], (fen, told)
# Of illegal positions tables know nothing: they are not damaged.
for fen in ("2P5/Kk6/8/8/8/8/8/8 b - - 0 1", "5p2/7K/8/8/8/8/8/1k4R1 b - - 0 1"):
    assert ours.get_wdl(mola.chess.Board(fen)) is None
tables = mola.chess.gaviota.open_tablebase(data + "/gaviota")
for fen in ("8/8/8/8/8/1p6/8/6kK b - - 0 1", "3k4/3Q4/8/8/8/8/8/3K4 w - - 0 1"):
    assert tables.get_dtm(mola.chess.Board(fen)) is None
# Variants have none.
board = mola.chess.variant.AtomicBoard("8/8/8/3k4/8/8/8/KQ6 w - - 0 1")
assert tables.get_dtm(board) is None
print("done")
"""


def test_tables_are_those_of_python_chess(package, data, tmp_path):
    script = tmp_path / "tables.py"
    script.write_text(TABLES)
    assert python(package, script, data, tmp_path) == "done\n"


SCRIPTS = {
    "as_python_chess": """
# What both libraries answer, errors included.
import copy, pickle
import chess, chess.variant, chess.syzygy
import mola.chess, mola.chess.variant, mola.chess.syzygy

def answers(chess):
    def asked(function, *arguments, **options):
        try:
            return str(function(*arguments, **options))
        except Exception as error:
            return f"{type(error).__name__}: {error}"

    # Kings side by side, and en passant without a pawn: what is legal is readable, and nothing else.
    for fen in (
        "8/6K1/2n4k/8/8/8/2q5/5Q2 w - - 99 2",
        "4k3/8/8/3P1P2/8/8/8/4K3 w - e6 0 1",
        "r3k2r/8/8/8/8/8/3kPPPP/R3K2R w KQkq - 0 1",
        "8/P7/1K6/2k5/8/8/8/8 w - - 0 1",
    ):
        for board in (chess.Board(fen), chess.variant.KingOfTheHillBoard(fen)):
            yield asked(lambda: [board.parse_san(board.san(move)) for move in board.legal_moves])
            for san in ("Qa1", "Qf1a1", "Q1f2", "fxe6", "exe6", "Ke2", "O-O", "O-O-O", "--", "a8", "a8=Q", "x"):
                yield asked(board.parse_san, san)
    # An EPD may take on an en passant square that no pawn has passed, and then play on.
    for board, epd in (
        (chess.Board, "4k3/8/8/4PP2/8/8/8/4K3 w - f6 bm exf6;"),
        (chess.Board, "4k3/8/8/4P3/8/8/8/4K3 w - f6 pv exf6 Kf7 Ke2 Kxf6;"),
        (chess.Board, "4k3/8/8/4P3/8/8/8/r3K3 w - f6 bm exf6;"),
        (chess.Board, "8/5p1k/5Q2/6Pb/5r2/8/8/3K4 w - h6 pv gxh6;"),
        (chess.variant.AtomicBoard, "4k3/8/8/4P3/8/8/8/4K3 w - f6 pv exf6 Kf8 f7;"),
        (chess.variant.AtomicBoard, "8/8/5k2/8/1p6/8/1Q6/q1K5 b - a3 pv bxa3;"),
        (chess.variant.AtomicBoard, "8/5K2/8/4P1P1/5k2/8/8/8 w - f6 pv exf6;"),
        (chess.variant.CrazyhouseBoard, "4k3/8/8/4P3/8/8/8/4K3[] w - f6 pv exf6 Kf8 f7;"),
        (chess.variant.CrazyhouseBoard, "4k3/8/8/4P3/8/8/8/4K3[] w - f6 pv exf6 Kf8 P@a3;"),
        (
            chess.variant.HordeBoard,
            "rnbqkbnr/ppp2ppp/2P5/1P1pPPP1/PPP1PPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq g6 bm fxg6;",
        ),
    ):
        yield asked(lambda: board.from_epd(epd)[1])
        yield asked(lambda: board.from_epd(epd)[0].fen())
    # It matters which king was a pawn, where kings without a home may castle.
    for variant in (chess.variant.SuicideBoard, chess.variant.GiveawayBoard):
        for rights in "A-":
            first, second = (
                variant(f"4k3/8/8/8/8/8/8/{kings} w {rights} - 0 1", chess960=True) for kings in ("RKK~5", "RK~K5")
            )
            yield (first == second, first._transposition_key() == second._transposition_key())
    for base in (chess.BaseBoard, chess.Board, chess.variant.CrazyhouseBoard):
        board = base()
        yield board.chess960_pos()
        board.set_piece_at(chess.G8, chess.Piece.from_symbol("n"), promoted=True)
        yield board.chess960_pos()
    # Marks of promoted pieces are kept under all rules.
    for variant in (chess.Board, chess.variant.AtomicBoard, chess.variant.HordeBoard, chess.variant.SuicideBoard):
        board = variant("4k3/8/8/8/8/8/Q~6R~/4K2N~ w - - 0 1")
        yield board.promoted
        yield board.fen(promoted=True)
    yield chess.BaseBoard("q~6k/8/8/8/8/8/8/K6R~").promoted
    bare = chess.Board("8/8/2K5/6k1/8/8/8/8 b - - 0 1")
    tables = chess.syzygy.Tablebase()
    for probe in (tables.probe_wdl, tables.get_wdl, tables.probe_dtz, tables.get_dtz):
        yield asked(probe, bare)
    squares = chess.SquareSet(0xff)
    for shift in (lambda: squares << -1, lambda: squares >> -1, lambda: squares << 70, lambda: squares >> 3):
        yield asked(shift)
    yield asked(chess.variant.CrazyhouseBoard().push, chess.Move.from_uci("Q@e4"))
    checked = chess.variant.ThreeCheckBoard("3rk1n1/1N5b/8/5Q2/8/3N1q2/8/3NRK2 w - - 3+3 0 1")
    checked.push(chess.Move.null())
    yield checked.fen()
    for clocks in ("hmvc 3000000000; fmvn 4000000000;", "hmvc 3000000000;", "fmvn 4000000000;", "hmvc 7; fmvn 8;"):
        yield chess.Board.from_epd(f"4k3/8/8/8/8/8/8/4K3 w - - {clocks}")[0].fen()
    for pieces in ("8/8/8/8/8/8/8/8\tw", "8/8/8/8/8/8/8/8 w", "8/8/8/8/8/8/8/8\u3000-", "", "\t", "8/8/8/8/8/8/8/9"):
        yield asked(chess.BaseBoard, pieces)

    # Methods that an overridden one may call do not call it.
    class Overriding(chess.Board):
        def fen(self, **options):
            return self.shredder_fen(**options)

        def san(self, move):
            return self.copy(stack=False).san_and_push(move) + "!"

        def epd(self, **options):
            return f"{super().epd(**options)} overridden"

    board, move = Overriding(), chess.Move.from_uci("e2e4")
    yield from (board.fen(en_passant="fen"), board.san(move), board.variation_san([move]))

    class Hidden(chess.Board):
        def piece_at(self, square):
            return None if square < 16 else super().piece_at(square)

    yield from (str(Hidden()), Hidden().unicode(borders=True))

    # Marks of promoted pieces in EPDs.
    for variant in chess.variant.VARIANTS:
        pockets = "[]" if variant is chess.variant.CrazyhouseBoard else ""
        for operations in ("", 'id "x";', "hmvc 3;"):
            checks = "3+3 " if variant is chess.variant.ThreeCheckBoard else ""
            board, _ = variant.from_epd(f"1q~2k3/8/8/8/8/8/8/4K3{pockets} b - - {checks}{operations}")
            yield (board.promoted, board.fen(promoted=True), board.epd(True, "fen") if pockets else board.epd())
    # Empty pockets as other programs write them.
    for text in ("k7/8/8/8/8/8/8/K7[-] w - - 0 1", "k7/8/8/8/8/8/8/K7[-] w - - bm Kb1;"):
        yield asked(chess.variant.CrazyhouseBoard, text)
        yield asked(chess.variant.CrazyhouseBoard.from_epd, text)
        yield asked(chess.variant.CrazyhouseBoard().set_epd, text)
    # A king in hand may be dropped, but that is not legal.
    board = chess.variant.CrazyhouseBoard("k7/8/8/8/8/8/8/K7[KN] w - - 0 1")
    drop = chess.Move(36, 36, drop=chess.KING)
    yield (board.is_legal(drop), board.is_pseudo_legal(drop), drop in list(board.legal_moves))
    for read in (board.parse_san, board.parse_uci):
        yield asked(read, "K@e5")
    for call in (board.variation_san, lambda moves: [chess.variant.CrazyhouseBoard().san(move) for move in moves]):
        yield asked(call, [drop])
    # Checks after the last one count on, but are not written.
    for fields in ("0 1 +4+0", "0 1 +0+3", "0 1 +3+3", "-1+2 0 1", "2+-3 0 1", "1_0+２ 0 1"):
        board = chess.variant.ThreeCheckBoard(f"rnb1kbnr/ppppqppp/8/8/8/8/PPPP1PPP/RNBQKBNR w KQkq - {fields}")
        for uci in ("f1e2", "e7e2", "e1e2", "a7a6", "e2e1"):
            board.push(chess.Move.from_uci(uci))
        again = pickle.loads(pickle.dumps(board))
        yield (board.remaining_checks, board.fen(), board.epd(False, "fen"), again.remaining_checks)
        yield (board.pop(), board.pop(), board.pop(), board.pop(), board.remaining_checks)
    checks = chess.variant.ThreeCheckBoard()
    checks.remaining_checks = (1, 2)
    yield checks.fen()
    # The stack of moves belongs to the user.
    for change in (
        lambda board: board.move_stack.append(chess.Move.from_uci("e7e5")),
        lambda board: board.move_stack.insert(0, chess.Move.null()),
        lambda board: setattr(board, "move_stack", [chess.Move.from_uci("d2d4")] * 3),
        lambda board: board.move_stack.clear(),
    ):
        for moves in ((), ("e2e4",), ("e2e4", "e7e5", "g1f3")):
            board = chess.Board()
            for uci in moves:
                board.push_uci(uci)
            change(board)
            for stack in (True, False, 1, 2, 7, -1):
                again = board.copy(stack=stack)
                yield (again.move_stack, asked(again.pop), asked(again.fen))
            yield copy.deepcopy(board).move_stack
    # A piece type of 0 is not `None`.
    yield (chess.Move(1, 2, 0) == chess.Move(1, 2), chess.Move(1, 2, 0).promotion, chess.Move(1, 2, None, 0).drop)
    yield (chess.Move(1, 2, 0).uci(), bool(chess.Move(0, 0, 0)), len({chess.Move(1, 2, 0), chess.Move(1, 2)}))
    # Moves of no piece, and from or to no square.
    for cls in (chess.Board, chess.variant.SuicideBoard, chess.variant.AtomicBoard, chess.variant.RacingKingsBoard):
        for board in (cls(), cls("8/4k3/8/8/8/8/4r3/4K3 w - - 0 1")):
            for name in "is_into_check gives_check is_capture is_castling is_zeroing is_legal push san uci".split():
                yield asked(getattr(board.copy(), name), chess.Move(36, 44))
                if name not in ("is_into_check", "gives_check"):
                    yield asked(getattr(board.copy(), name), chess.Move(64, 1))
    # Moves that no piece can make, in check and out of it.
    for fen, moves in (
        ("4k3/8/8/8/4R3/8/8/4K3 b - - 0 1", "e8a3 e8d8q e8d8 e8e7 e8e4"),
        ("4k3/8/8/8/4R3/8/3n4/r3K3 b - - 0 1", "a1e4 a1e6 d2e4 d2e6 d2f1 a1a4"),
        ("4k3/8/8/8/8/8/8/rR1K4 w - - 0 1", "b1h1 b1a1 b1b3 d1d5 d1a2q d1a2 d1b1"),
    ):
        for uci in moves.split():
            yield (fen, uci, chess.Board(fen).is_into_check(chess.Move.from_uci(uci)))
    # Who castles for the opponent captures the rook, so that king and rook explode.
    for uci in ("e8c8", "e8a8", "e8g8", "e8c8b", "e1c1", "e1g1"):
        board, move = chess.variant.AtomicBoard("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"), chess.Move.from_uci(uci)
        yield (uci, board.is_into_check(move), board.gives_check(move), board.san(move))
    # A colour is an index.
    for color in (None, 2, -1, "white"):
        for call in (
            lambda board: board.king(color), lambda board: board.pieces(1, color),
            lambda board: board.is_attacked_by(color, 28), lambda board: board.attackers(color, 28),
            lambda board: board.has_insufficient_material(color),
        ):
            yield asked(call, chess.Board()).split(":")[0]
    yield (chess.Board().pin(True, -1), chess.Board().is_pinned(True, -1))
    for call in (chess.Board, chess.BaseBoard, chess.Board.from_epd, chess.variant.ThreeCheckBoard):
        for value in (5, []):
            yield asked(call, value)
    for letters in (" KQ", "KQ ", "\\nKQ", "e\\n", "\\xa0b", "-", "", "KQkq", "HAha"):
        board = chess.Board()
        yield (asked(board.set_castling_fen, letters), board.castling_rights)
    for name in ("vertical", "horizontal", "diagonal", "anti_diagonal"):
        flip = getattr(chess, f"flip_{name}")
        yield (repr(flip(chess.SquareSet(5))), flip(5))

ours, theirs = (list(map(str, answers(library))) for library in (mola.chess, chess))
assert ours == theirs, [pair for pair in zip(ours, theirs) if pair[0] != pair[1]]
""",
    "install": """
import mola
mola.install()
mola.install()
import chess, chess.variant
import mola.chess as ours
assert chess is ours and chess.variant is ours.variant
assert chess.Board.__module__ == "mola.chess"
""",
    "subclass": """
import copy
import mola.chess as chess

class Counting(chess.Board):
    def __init__(self, fen=chess.STARTING_FEN, *, chess960=False):
        self.pushes = 0
        super().__init__(fen, chess960=chess960)

    def push(self, move):
        self.pushes += 1
        super().push(move)

    def generate_legal_moves(self, from_mask=chess.BB_ALL, to_mask=chess.BB_ALL):
        return (move for move in super().generate_legal_moves(from_mask, to_mask)
                if move != chess.Move.from_uci("e2e4"))

board = Counting()
board.push_san("d4")
board.push_uci("d7d5")
assert board.pushes == 2
assert type(board.copy()) is type(copy.deepcopy(board)) is type(board.mirror()) is Counting
assert board.copy().pushes == 0
assert Counting().legal_moves.count() == 19
board.note = 5
""",
    "pickle": """
import copy, pickle
import mola.chess as chess, mola.chess.variant as variant

for cls in variant.VARIANTS:
    board = cls()
    for _ in range(5):
        board.push(next(iter(board.legal_moves)))
    board.note = "kept"
    again = pickle.loads(pickle.dumps(board))
    assert again == board and again.move_stack == board.move_stack and again.note == "kept"
    assert [again.pop() for _ in range(5)] == [board.pop() for _ in range(5)] and again == board
    assert board.__getstate__() == {"note": "kept"}
    again.__setstate__({"note": "another"})
    assert again == board and again.note == "another"
for value in (chess.Move.from_uci("a7a8q"), chess.Piece.from_symbol("k"), chess.SquareSet(77),
              chess.BaseBoard(), variant.CrazyhousePocket("qp")):
    assert pickle.loads(pickle.dumps(value)) == copy.deepcopy(value) == copy.copy(value) == value
""",
    "values": """
import dataclasses, sys, weakref
import mola.chess as chess
from mola.chess.engine import Cp, Mate
from mola.chess.variant import CrazyhousePocket

move = chess.Move(12, 28)
move.promotion = chess.QUEEN
assert move == chess.Move.from_uci("e2e4q") and hash(move) == hash(chess.Move.from_uci("e2e4q"))
assert dataclasses.replace(move, promotion=None) == chess.Move.from_uci("e2e4")
assert dataclasses.asdict(chess.Piece(1, True)) == {"piece_type": 1, "color": True}
assert sys.getsizeof(move) <= 56
for make in (lambda: chess.Move(1, 2), lambda: chess.Piece(1, True), lambda: chess.SquareSet(3),
             lambda: chess.Board().legal_moves, lambda: chess.Board().pseudo_legal_moves,
             CrazyhousePocket, lambda: Cp(1), lambda: Mate(1)):
    # The first objects of a class may come from elsewhere than later ones.
    for _ in range(600):
        value = make()
        reference = weakref.ref(value)
        assert reference() is value
        del value
        assert reference() is None
match move:
    case chess.Move(from_square=12, to_square=to):
        assert to == chess.E4
board = chess.Board()
board.occupied_co[chess.WHITE] &= ~chess.BB_E2
board.pawns &= ~chess.BB_E2
board.occupied &= ~chess.BB_E2
assert board.piece_at(chess.E2) is None and chess.Move.from_uci("e1e2") in board.legal_moves
assert chess.BB_DIAG_ATTACKS[0][0] == chess.SquareSet(chess.ray(0, 63)).mask & ~1
""",
    "threads": """
import threading
import mola.chess as chess

board, errors = chess.Board(), []

def play(number):
    try:
        for _ in range(300):
            moves = list(board.legal_moves)
            try:
                board.push(moves[number % len(moves)] if moves else chess.Move.null())
                board.san(next(iter(board.legal_moves), chess.Move.null()))
                board.is_game_over(claim_draw=True)
                board.perft(2)
                board.pop()
            except (AssertionError, IndexError, ValueError, RuntimeError):
                pass  # Another thread has changed the board meanwhile.
    except BaseException as error:
        errors.append(error)

threads = [threading.Thread(target=play, args=(number,)) for number in range(64)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
assert not errors, errors
""",
    "finalizers": """
import gc, sys
import mola.chess as chess

board, errors = chess.Board(), []
e2e4 = chess.Move.from_uci("e2e4")

class Cycle:
    def __init__(self):
        self.me = self

    def __del__(self):
        # Within an allocation: the board may be in use.
        try:
            board.push(chess.Move.null())
            board.pop()
        except RuntimeError as error:
            errors.append(str(error))

sys.unraisablehook = lambda raised: errors.append(repr(raised.exc_value))
for count in range(120):
    # Each allocation is one at which garbage is collected, once.
    gc.set_threshold(1 + count % 40)
    for act in [
        lambda: list(board.legal_moves), lambda: list(board.pseudo_legal_moves), board.generate_legal_captures,
        board.copy, board.fen, board.epd, board.piece_map, board.checkers, lambda: board.san(e2e4),
        lambda: board.push_san("Nf3"), board.pop, lambda: board.is_game_over(claim_draw=True),
    ]:
        Cycle()
        act()
assert board == chess.Board() and not board.move_stack, board
assert set(errors) <= {"Already borrowed", "Already mutably borrowed"}, set(errors)
# Later versions collect between the instructions of Python alone.
assert errors or sys.version_info >= (3, 12)
""",
    "threads in bulk": """
import tempfile, threading
import mola, mola.chess as chess

fens, games = [chess.STARTING_FEN] * 200, '[White "a"]\\n\\n1. e4 e5 *\\n\\n' * 500
file = tempfile.NamedTemporaryFile("w", suffix=".pgn")
file.write(games)
file.flush()
expected = mola.evaluate(fens).tolist(), mola.evaluate(fens[:2], nodes=500).tolist()
errors, done = [], []

def work():
    try:
        for _ in range(5):
            assert mola.evaluate(fens).tolist() == expected[0]
            assert mola.evaluate(fens[:2], nodes=500).tolist() == expected[1]
            assert len(mola.legal_moves(fens).moves) == 20 * 200
            assert len(mola.read_pgn(file.name)) == 500
        done.append(True)
    except BaseException as error:
        errors.append(error)

threads = [threading.Thread(target=work, daemon=True) for _ in range(64)]
[thread.start() for thread in threads]
[thread.join(60) for thread in threads]
assert not errors and len(done) == 64, (errors[:1], len(done))
""",
    "fork": """
import os
import mola.chess as chess

board = chess.Board()
child = os.fork()
if child == 0:
    os._exit(0 if board.perft(3) == 8902 else 1)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0 and board.perft(3) == 8902
""",
    "fork after work": """
import os, signal
import mola, mola.chess as chess
from mola._mola.recon import Bot

fens = [chess.STARTING_FEN] * 50
before, engine, bot = list(mola.evaluate(fens)), mola.Engine(), Bot("trout:time=0.01", 1)
engine.play(chess.Board(), nodes=1000)
child = os.fork()
if child == 0:
    signal.alarm(30)  # A child that hangs is killed.
    assert list(mola.evaluate(fens)) == before and len(mola.legal_moves(fens).moves) == 1000
    assert mola.Engine().play(chess.Board(), nodes=1000).move
    for refused in (lambda: engine.play(chess.Board(), nodes=9), lambda: bot.choose_sense([], 1.0)):
        try:
            refused()
            os._exit(1)
        except RuntimeError as error:
            assert "fork" in str(error)
    del engine, bot
    os._exit(0)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
assert engine.play(chess.Board(), nodes=1000).move
""",
    "fork in a step": """
import os, signal, threading, time
from mola._mola.env import Games

games, done = Games(512, 8, None, None), threading.Event()

def play():
    while not done.is_set():
        games.reset([])

thread = threading.Thread(target=play)
thread.start()
for _ in range(10):
    time.sleep(0.01)
    child = os.fork()
    if child == 0:
        signal.alarm(30)  # A child that hangs is killed.
        try:
            assert games.fen(0)
        except RuntimeError as error:
            assert "fork" in str(error)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
done.set()
thread.join()
""",
    "garbage": """
import gc, weakref
import mola.chess as chess

def dies(attribute):
    board = chess.Board()
    board.held = getattr(board, attribute)
    dead = weakref.ref(board)
    del board
    gc.collect()
    return dead() is None

for attribute in ("legal_moves", "pseudo_legal_moves", "occupied_co", "move_stack"):
    # The first objects of a class may come from elsewhere than later ones.
    assert all(dies(attribute) for _ in range(40)), attribute
""",
    "interrupt": """
import os, signal, threading, time
import mola.chess as chess

threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
start = time.monotonic()
try:
    chess.Board().perft(12)
    raise SystemExit("the count ended by itself")
except KeyboardInterrupt:
    assert time.monotonic() - start < 20
""",
    "deep count": """
import subprocess, sys

code = "import mola.chess as chess; chess.Board('7k/8/8/8/8/8/8/K7 w - - 0 1').perft(20_000)"
try:
    raise SystemExit(subprocess.run([sys.executable, "-c", code], timeout=5).returncode or "it ended")
except subprocess.TimeoutExpired:
    pass  # it counts on, and has not overflowed the stack
""",
    "names": """
import mola

names = set(dir(mola))
assert {*mola.__all__, "chess", "recon"} <= names
assert {name for name in names if not name.startswith("_")} <= {*mola.__all__, "chess", "env", "recon"}
assert mola.chess.Board().turn and mola.recon.Player
for name in names:
    getattr(mola, name)
""",
    "a bad position before long searches": """
import signal
import mola, mola.chess as chess

signal.alarm(60)  # The searches would take longer.
try:
    mola.evaluate([chess.STARTING_FEN] * 5000 + ["x"], nodes=10**9)
except ValueError as error:
    assert str(error).startswith("fens[5000]: "), error
""",
    "interrupt of bulk work": """
import os, signal, tempfile, threading, time
import mola, mola.chess as chess

def is_interrupted(work):
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    start = time.monotonic()
    try:
        work()
    except KeyboardInterrupt:
        return time.monotonic() - start < 20
    return False

fens = [chess.STARTING_FEN] * 5000
assert is_interrupted(lambda: mola.evaluate(fens, nodes=20_000))
assert is_interrupted(lambda: mola.evaluate(fens[:1], nodes=10**12))

# No time goes into the many positions that are left.
fens = ["r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"] * 4096
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
start = time.monotonic()
try:
    mola.evaluate(fens, nodes=10**12)
except KeyboardInterrupt:
    assert time.monotonic() - start < 1.8

def many_games():
    with tempfile.NamedTemporaryFile("w", suffix=".pgn") as file:
        file.write("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\\n\\n" * 200_000)
        file.flush()
        while True:
            mola.read_pgn(file.name)

assert is_interrupted(many_games)
assert mola.evaluate(fens[:1]).tolist()
""",
    "pipes": """
import os, signal, tempfile, threading, time
import mola

signal.alarm(60)  # A wait without end is killed.
with tempfile.TemporaryDirectory() as folder:
    pipe = os.path.join(folder, "pipe")
    os.mkfifo(pipe)

    def write():
        with open(pipe, "w") as file:
            time.sleep(0.2)
            file.write("1. e4 *\\n\\n1. d4 *\\n")

    # A thread of this process writes what another one reads.
    threading.Thread(target=write, daemon=True).start()
    assert len(mola.read_pgn(pipe)) == 2

    def is_interrupted():
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        start = time.monotonic()
        try:
            mola.read_pgn(pipe)
        except KeyboardInterrupt:
            return time.monotonic() - start < 20
        return False

    assert is_interrupted()  # before anything opens the pipe
    silent = os.open(pipe, os.O_RDWR)
    assert is_interrupted()
""",
    "examples": """
import doctest, importlib, pkgutil
import mola

tried = 0
for module in pkgutil.walk_packages(mola.__path__, "mola."):
    results = doctest.testmod(importlib.import_module(module.name))
    assert results.failed == 0
    tried += results.attempted
assert tried > 40
""",
    "surrogates": """
import chess, mola.chess

def message(call, text):
    try:
        call(text)
    except ValueError as error:
        return str(error)

for text in "\\ud800", "\\ud800\\U0010d8ff", "\\U0010d8ff\\udfff\\U000fd800", "\\ud800\\\\U0010d8ff":
    ours, theirs = (
        [message(call, text) for call in (rules.Board().parse_san, rules.Move.from_uci, rules.Board)]
        for rules in (mola.chess, chess)
    )
    assert ours == theirs and None not in ours, (ours, theirs)
""",
    "hostile": """
import mola.chess as chess

board = chess.Board()
for call in (
    lambda: board.piece_at(64), lambda: board.piece_at(-65), lambda: board.piece_at("e4"),
    lambda: chess.Board("x" * 100000), lambda: chess.Board("\\0"), lambda: board.parse_san("é" * 9),
    lambda: board.push(chess.Move(70, 71)), lambda: board.push(None), lambda: chess.Move(300, 1),
    lambda: chess.SquareSet(["a1"]), lambda: chess.SquareSet(None), lambda: board.peek(), lambda: board.pop(),
    lambda: str(chess.Move(64, 3)), lambda: board.__setstate__((True, [[1, 2]])),
    lambda: setattr(board, "ep_square", 64), lambda: board.set_chess960_pos(10**30),
):
    try:
        call()
    except Exception as error:
        assert type(error).__name__ != "PanicException", error
    else:
        raise AssertionError("not refused")
board.move_stack.append("no move")
assert board.fen() == chess.STARTING_FEN
""",
    "pockets at their limit": """
import mola.chess as chess
from mola.chess.variant import CrazyhousePocket

pocket = CrazyhousePocket("p" * 255)
for call in (lambda: pocket.add(chess.PAWN), lambda: CrazyhousePocket("q" * 256)):
    try:
        call()
    except ValueError as error:
        assert str(error) == "a pocket holds at most 255 pieces of a type", error
    else:
        raise AssertionError("not refused")
assert pocket.count(chess.PAWN) == 255
""",
    "clocks at their limit": """
# They stay there, where python-chess counts on in integers of any size.
import mola.chess as chess

board = chess.Board()
limit = 2**63 - 1
board.halfmove_clock = board.fullmove_number = limit
board.push_uci("g1f3")
board.push(chess.Move.null())
assert (board.halfmove_clock, board.fullmove_number) == (limit, limit)
board.pop()
board.pop()
assert (board.halfmove_clock, board.fullmove_number) == (limit, limit)

class Quiet(chess.Board):
    def is_zeroing(self, move):
        return False

board.push_uci("g1f3")
quiet = Quiet(board.fen())
quiet.push_uci("g8f6")
assert quiet.halfmove_clock == limit

for large in limit, limit + 1, 10**30:
    for board in (
        chess.Board(f"4k3/8/8/8/8/8/8/4K3 w - - {large} {large}"),
        chess.Board.from_epd(f"4k3/8/8/8/8/8/8/4K3 w - - hmvc {large}; fmvn {large};")[0],
    ):
        assert (board.halfmove_clock, board.fullmove_number) == (limit, limit)
""",
    "arguments that look at the board": """
import mola.chess as chess
from mola.chess.variant import CrazyhouseBoard, ThreeCheckBoard

class Flipped(dict):
    def items(self):
        return [(square ^ 56, piece) for square, piece in board.piece_map().items()]

board = chess.Board("4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
board.set_piece_map(Flipped())
assert board.board_fen() == "r3k3/8/8/8/8/8/8/4K3".swapcase()
board = ThreeCheckBoard("4k3/8/8/8/8/8/8/R3K3 w - - 2+3 0 1")
board.remaining_checks = (checks - board.turn for checks in board.remaining_checks)
assert board.remaining_checks == [2, 1]
board = CrazyhouseBoard("4k3/8/8/8/8/8/8/R3K3[Q] w - - 0 1")
board.pockets = (pocket for pocket in reversed(board.pockets) if board.turn)
assert [str(pocket) for pocket in board.pockets] == ["q", ""]
""",
    "named pipes of games": """
import os, signal, subprocess, tempfile
import mola.chess.pgn as pgn

signal.alarm(60)  # A wait without end is killed.
with tempfile.TemporaryDirectory() as folder:
    pipe = os.path.join(folder, "pipe")
    os.mkfifo(pipe)
    for read in (pgn.read_game, pgn.read_headers, pgn.skip_game):
        writer = subprocess.Popen(["sh", "-c", 'echo "1. d4 *" > "$0"', pipe])
        with open(pipe) as games:
            # Nobody writes any more when the pipe is read.
            writer.wait()
            assert read(games) not in (None, False)
            assert read(games) in (None, False)
""",
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_script(package, name):
    """Short self-contained scripts."""
    python(package, "-c", SCRIPTS[name])
