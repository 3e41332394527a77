"""`mola.Engine`, the searcher in this process, and positions in bulk."""

import math
import os
import re
import signal
import subprocess
import sys
import threading
import time

from python_package import ENVIRONMENT  # first: it puts `mola` on the path
from engine import binary
import pytest
from threads import in_threads

import mola
import mola.chess as chess
import mola.chess.variant
from mola.chess.engine import Cp, EngineError, Limit, Mate, MateGiven, PovWdl, SimpleEngine, Wdl

MATE = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1"


@pytest.fixture
def engine():
    with mola.Engine(Hash=4) as engine:
        yield engine


def test_it_finds_a_mate(engine):
    info = engine.analyse(chess.Board(MATE), depth=4)
    assert info["score"].white() == Mate(1)
    assert [move.uci() for move in info["pv"]] == ["d1d8"]
    assert engine.play(chess.Board(MATE), Limit(nodes=100)).move.uci() == "d1d8"


def test_the_same_search_gives_the_same(engine):
    found = []
    for _ in range(2):
        engine.new_game()
        info = engine.analyse(chess.Board(), nodes=3000)
        found.append((info["depth"], info["score"], info["pv"], info["nodes"]))
    assert found[0] == found[1]


def test_lines_come_in_their_order(engine):
    infos = engine.analyse(chess.Board(), depth=5, multipv=3)
    assert [info["multipv"] for info in infos] == [1, 2, 3]
    assert len({info["pv"][0] for info in infos}) == 3
    assert isinstance(engine.analyse(chess.Board(), depth=3), dict)


def test_analysis_takes_no_move_from_the_book_and_plays_at_full_strength(engine, tmp_path):
    book = tmp_path / "book.bin"
    # 1. a4 alone: the key of the start position, the move, weight 1, nothing learned.
    book.write_bytes(bytes.fromhex("463b96181691fc9c 0218 0001 00000000".replace(" ", "")))
    engine.configure({"OwnBook": True, "BookFile": str(book), "Skill Level": 1})
    assert engine.play(chess.Board(), nodes=100).move.uci() == "a2a4"
    info = engine.analyse(chess.Board(), depth=4)
    assert info["depth"] == 4 and info["pv"][0].uci() != "a2a4"
    mate = chess.Board("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1")
    assert {engine.analyse(mate, depth=6)["pv"][0].uci() for _ in range(5)} == {"f3f7"}


def test_a_game_that_the_side_to_move_has_won_already(engine):
    board = mola.chess.variant.AntichessBoard("8/8/2k5/8/8/8/8/8 w - - 0 40")
    assert board.outcome().winner == chess.WHITE
    assert engine.analyse(board, depth=2)["score"].relative == MateGiven
    assert mola.evaluate([board.fen()], variant="antichess", nodes=100).tolist() == [mola.MATE]


FORK = """
import mola, mola.chess as chess, mola.chess.variant, os, sys, threading, time
work = {
    "evaluate": lambda board: mola.evaluate([board.fen()] * 2000, variant=board.uci_variant),
    "engine": lambda board: mola.Engine(Hash=2).play(board, nodes=2000),
    "perft": lambda board: board.perft(4),
}[sys.argv[1]]
# Another variant first: what Python and PyO3 do once must not be under way during the fork.
work(chess.variant.SuicideBoard())
board = chess.Board()
threading.Thread(target=work, args=(board,), daemon=True).start()
time.sleep(float(sys.argv[2]))
child = os.fork()
if child == 0:
    work(board)
    os._exit(0)
os._exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
@pytest.mark.parametrize("what", ["evaluate", "engine", "perft"])
def test_a_fork_during_the_first_use_does_not_hang(what):
    for delay in ("0", "0.001", "0.002", "0.004"):
        done = subprocess.run([sys.executable, "-c", FORK, what, delay], timeout=60, env=ENVIRONMENT)
        assert done.returncode == 0


def test_root_moves_alone_are_searched(engine):
    moves = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h4")]
    assert engine.play(chess.Board(), depth=4, root_moves=moves).move in moves
    with pytest.raises(ValueError, match="root_moves"):
        engine.play(chess.Board(), depth=4, root_moves=[chess.Move.from_uci("e2e5")])


def test_the_moves_before_count(engine):
    board = chess.Board("r5k1/5ppp/8/8/8/8/7P/6K1 w - - 0 1")
    for move in ("g1g2", "a8b8", "g2g1", "b8a8", "g1g2", "a8b8", "g2g1"):
        board.push_uci(move)
    back = [chess.Move.from_uci("b8a8")]  # the third time
    assert engine.analyse(board, depth=4, root_moves=back)["score"].relative == Cp(0)
    forgotten = board.copy(stack=False)
    assert engine.analyse(forgotten, depth=4, root_moves=back)["score"].relative > Cp(200)


def test_an_analysis_streams_and_stops(engine):
    with engine.analysis(chess.Board()) as analysis:
        depths = []
        for info in analysis:
            depths.append(info["depth"])
            if info["depth"] >= 5:
                break
    assert depths == sorted(depths)
    assert analysis.wait().move in chess.Board().legal_moves
    assert analysis.next() is None
    assert not analysis.would_block()


def test_a_further_search_takes_the_place_of_the_first(engine):
    first = engine.analysis(chess.Board())
    second = engine.analysis(chess.Board(MATE), depth=3)
    assert first.wait().move is None
    assert second.wait().move.uci() == "d1d8"


def test_threads_wait_for_one_analysis(engine):
    for _ in range(50):
        analysis = engine.analysis(chess.Board(), nodes=1000)
        found = []
        in_threads(4, lambda: found.append(analysis.wait()), 10)
        best = analysis.wait().move
        assert best in chess.Board().legal_moves
        assert [end.move for end in found] == [best] * 4


def test_all_variants(engine):
    from mola.chess import variant

    for board in [board() for board in variant.VARIANTS] + [chess.Board.from_chess960_pos(5)]:
        assert engine.play(board, nodes=200).move in board.legal_moves


def test_options(engine, tmp_path):
    text = tmp_path / "text"
    text.write_text("no weights, and no book")
    assert engine.options["hash"].max > 1000
    engine.configure({"Threads": 2, "skill level": 3, "Clear Hash": None})
    for options, message in [
        ({"Hash": 0}, "at least 1"),
        ({"Hash": None}, "expected integer for spin option 'Hash', got: None"),
        ({"Hash": math.inf}, "expected integer for spin option 'Hash', got: inf"),
        ({"nonsense": 1}, "does not support option"),
        ({"MultiPV": 2}, "automatically managed"),
        ({"Debug Log File": str(tmp_path / "log")}, "only an engine that speaks UCI or XBoard has lines to log"),
        ({"BookFile": str(tmp_path / "none")}, "cannot open book"),
        ({"BookFile": str(text)}, "cannot open book"),
        ({"EvalFile": str(tmp_path / "none")}, "cannot read weights"),
        ({"EvalFile": str(text)}, "text: not a weights file"),
        ({"SyzygyPath": str(tmp_path / "none")}, "no tables"),
        ({"SyzygyPath": f"{tmp_path / 'none'};{tmp_path}"}, "none: .*; no tables: .* has none"),
    ]:
        with pytest.raises(EngineError, match=message):
            engine.configure(options)
    for options in ({"Nonsense": 1}, {"EvalFile": str(text)}, {"Debug_Log_File": str(tmp_path / "log")}):
        with pytest.raises(EngineError):
            mola.Engine(**options)
    assert not (tmp_path / "log").exists()


def test_chances_are_those_of_the_program():
    """`UCI_ShowWDL` did nothing."""
    over = chess.Board("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1")
    with mola.Engine(UCI_ShowWDL=True) as engine, SimpleEngine.popen_uci(binary()) as program:
        program.configure({"UCI_ShowWDL": True})
        for board in (chess.Board(), chess.Board(MATE), over, chess.Board("4k3/8/8/8/8/8/4q3/K7 w - - 0 1")):
            ours, theirs = engine.analyse(board, depth=4), program.analyse(board, Limit(depth=4))
            assert ours["wdl"] == theirs["wdl"] and ours["wdl"].turn == board.turn, board.fen()
        assert engine.play(over, depth=2).info["wdl"] == PovWdl(Wdl(0, 1000, 0), chess.BLACK)
        engine.configure({"UCI_ShowWDL": False})
        assert "wdl" not in engine.analyse(chess.Board(), depth=2)


def test_switches_may_be_texts(engine):
    searched = {}
    for value in (True, "True", "1", False, "False", "0", "off", "false"):
        engine.configure({"UCI_LimitStrength": value, "UCI_Elo": 1000})
        engine.new_game()
        searched[value] = engine.play(chess.Board(), nodes=20_000).info["nodes"]
    for value, nodes in searched.items():
        assert (nodes < 10_000) == (value in (True, "True", "1")), value
    with pytest.raises(EngineError, match="true or false expected"):
        engine.configure({"UCI_LimitStrength": "perhaps"})


@pytest.mark.skipif(sys.platform != "linux", reason="a limit of the address space")
def test_shortages_are_warnings():
    script = """
import logging, resource
logging.basicConfig(level=logging.WARNING, format="%(name)s: %(levelname)s: %(message)s")
import mola, mola.chess as chess
engine = mola.Engine(Hash=4096, Threads=1024)
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
assert engine.play(chess.Board(), nodes=100).move
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, env=ENVIRONMENT
    )
    assert done.returncode == 0, done.stderr
    threads, table = done.stderr.splitlines()
    assert re.fullmatch(r"mola.engine: WARNING: this machine has \d+ processors, .*, not 1024", threads)
    assert re.fullmatch(r"mola.engine: WARNING: no memory for a hash table of 4096 MB, only for \d+ MB", table)


def test_what_cannot_be_played_is_an_error(engine):
    with pytest.raises(ValueError, match="king"):
        engine.play(chess.Board(None), depth=1)
    with pytest.raises(EngineError, match="limit"):
        engine.play(chess.Board())
    mated = chess.Board("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1")
    mated.push_uci("d1d8")
    assert engine.play(mated, depth=2).move is None
    passed_in_check = chess.Board("4k3/8/8/8/8/8/4R3/4K3 b - - 0 1")
    passed_in_check.push(chess.Move.null())
    for search in (engine.play, engine.analyse):
        with pytest.raises(ValueError, match="0000: the null move is not legal"):
            search(passed_in_check, depth=1)


def test_limits_that_end_no_search_are_errors(engine):
    board = chess.Board()
    for search in (engine.analyse, engine.play):
        for limit in ({}, {"time": None}, {"limit": Limit()}, {"remaining_moves": 3}):
            with pytest.raises(EngineError, match="without a limit"):
                search(board, **limit)
        for name, value in {"mate": 0, "depth": -1, "nodes": -5, "remaining_moves": -4}.items():
            with pytest.raises(ValueError, match=f"{name}: at least .* expected, not {value}"):
                search(board, **{name: value})
        with pytest.raises(TypeError, match="depth: expected an integer, not '3'"):
            search(board, depth="3")
        with pytest.raises(ValueError, match="white_clock: not a number"):
            search(board, white_clock=float("nan"))


def test_other_threads_run_meanwhile(engine):
    counted = 0
    with engine.analysis(chess.Board()) as analysis:
        waiter = threading.Thread(target=analysis.wait)
        waiter.start()
        end = time.monotonic() + 0.2
        while time.monotonic() < end:
            counted += 1
    waiter.join(10)
    assert not waiter.is_alive()
    assert counted > 100


def test_threads_share_an_engine(engine):
    def ask():
        for _ in range(3):
            engine.play(chess.Board(), nodes=300)
            engine.configure({"Hash": 2})

    in_threads(16, ask, 60)


def test_ctrl_c_ends_a_search():
    program = """
import mola, mola.chess as chess
engine = mola.Engine()
print("ready", flush=True)
try:
    engine.play(chess.Board(), time=60)
except KeyboardInterrupt:
    print(engine.play(chess.Board(), depth=2).move is not None, flush=True)
"""
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, env=ENVIRONMENT
    )
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=20)[0] == "True\n"
    assert process.returncode == 0


# Bulk.


def boards(count):
    import random

    chance = random.Random(count)
    board = chess.Board()
    for _ in range(count):
        moves = list(board.legal_moves)
        if not moves or len(board.move_stack) > 100:
            board = chess.Board()
            continue
        board.push(chance.choice(moves))
        yield board.copy(stack=False)


def test_legal_moves_are_those_of_boards():
    some = list(boards(300))
    columns = mola.legal_moves([board.fen() for board in some])
    assert len(columns.offsets) == len(some) + 1
    for index, board in enumerate(some):
        first, last = map(int, columns.offsets[index : index + 2])
        ours = {mola.unpack_move(move) for move in columns.moves[first:last]}
        assert ours == set(board.legal_moves) and len(ours) == last - first, board.fen()


def test_evaluations():
    numpy = pytest.importorskip("numpy")
    fens = [chess.STARTING_FEN, MATE]
    at_a_glance = mola.evaluate(fens)
    assert at_a_glance.dtype == numpy.int32 and at_a_glance.shape == (2,)
    assert mola.evaluate(numpy.array(fens)).tolist() == at_a_glance.tolist()
    searched = mola.evaluate(fens * 20, nodes=300)
    assert searched.tolist() == searched.tolist()[:2] * 20
    assert searched[1] == 99999
    searched *= -1  # The array is the caller's.
    assert searched[1] == -99999
    assert mola.evaluate([]).tolist() == []
    with pytest.raises(ValueError, match=r"fens\[2\]"):
        mola.evaluate([*fens, "nonsense"])
    for bulk in (mola.evaluate, mola.legal_moves):
        with pytest.raises(TypeError, match=r"fens\[1\]: expected a string, not None"):
            bulk(numpy.array([MATE, None], dtype=object))
        with pytest.raises(ValueError, match=r"fens\[1\]: .* surrogates not allowed"):
            bulk([MATE, "\udc80"])
    for one in (chess.STARTING_FEN, numpy.array(chess.STARTING_FEN)):
        with pytest.raises(TypeError, match="a list of FENs, not one"):
            mola.evaluate(one)
    with pytest.raises(ValueError, match="nodes: at least 0 expected, not -1"):
        mola.evaluate(fens, nodes=-1)


def test_limits_of_no_use_are_refused(engine):
    board = chess.Board()
    for limits in ({"black_clock": 0.5}, {"white_inc": 1}):
        with pytest.raises(EngineError, match="without a limit"):
            engine.play(board, **limits)
    for limits, error, message in (
        ({"depth": 2, "root_moves": []}, ValueError, "root_moves"),
        ({"depth": 2**40}, ValueError, "depth: .* too large"),
        ({"time": "3"}, TypeError, "time: expected"),
        ({"limit": 0.1}, TypeError, "limit: expected"),
        ({"limit": Limit(depth=3), "info": 1}, TypeError, r"^play\(\) got an unexpected keyword argument 'info'"),
    ):
        with pytest.raises(error, match=message):
            engine.play(board, **limits)


def test_castling_of_chess960_is_written_as_there():
    first, moves = mola.legal_moves(["4k3/8/8/8/8/8/8/5K1R w K - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"])
    names = [mola.unpack_move(move).uci() for move in moves]
    chess960, standard = names[: first[1]], names[first[1] :]
    assert len(set(chess960)) == len(chess960) and {"f1g1", "f1h1"} <= set(chess960) and "e1g1" in standard


def test_numbers_that_are_no_moves_are_refused():
    moves = []
    for number in range(-9, (1 << 16) + 9):
        try:
            moves.append(mola.unpack_move(number))
        except ValueError as error:
            assert str(error) == f"no move is packed as {number}"
    # From one square to another, maybe with a promotion to one of six; drops; and the null move.
    assert len(moves) == 64 * 63 * 7 + 64 * 6 + 1
    for move in moves:
        assert chess.Move.from_uci(move.uci()) == move
    for number in (1.9, "1", None):
        with pytest.raises(TypeError):
            mola.unpack_move(number)


def test_columns_are_no_larger_than_the_file(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text("".join(f'[T{number} "1"]\n\n1. e4 *\n\n' for number in range(9000)))
    with pytest.raises(ValueError, match="different tags"):
        mola.read_pgn(path)
    with pytest.raises(FileNotFoundError) as missing:
        mola.read_pgn(tmp_path / "none.pgn")
    assert missing.value.errno == 2 and missing.value.filename == str(tmp_path / "none.pgn")
    path.write_text("1. f3 e5 2. g4 Qh4# {[%eval #0]} *\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# {[%eval #0]} *\n")
    games = mola.read_pgn(path)
    assert [games.evals[end - 1] for end in games.first[1:]] == [-mola.MATE, mola.MATE]
