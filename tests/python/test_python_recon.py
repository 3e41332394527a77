"""`mola.recon`: reconchess's API, and reconchess bots in Mola's games."""

import importlib
import json
import multiprocessing
import os
import random
import socket
import subprocess
import sys
import threading

import python_package  # first: it puts `mola` on the path
import pytest
from engine import binary

import mola.chess as chess
from mola import recon

MOLA = binary()

BOT = """
import json, os, random, sys
from reconchess import *
from reconchess.history import GameHistoryEncoder

os.system("echo loading a model")

class Number:
    # An integer of another kind, as NumPy has them.
    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value

class MyBot(Player):
    def handle_game_start(self, color: Color, board: chess.Board, opponent_name: str):
        assert isinstance(board, chess.Board)
        self.color = color
        print("this is not an answer")
        print("nor is this", file=sys.__stdout__, flush=True)
        try:
            input()
        except EOFError:
            print("there is nothing to read")

    def handle_opponent_move_result(self, captured_my_piece: bool, capture_square: Optional[Square]):
        assert captured_my_piece == (capture_square is not None)

    def choose_sense(self, sense_actions, move_actions: List[chess.Move], seconds_left: float):
        return Number(random.choice(sense_actions))

    def handle_sense_result(self, sense_result):
        assert all(piece is None or isinstance(piece, chess.Piece) for _, piece in sense_result)

    def choose_move(self, move_actions, seconds_left):
        return random.choice(move_actions + [None])

    def handle_move_result(self, requested_move, taken_move, captured_opponent_piece, capture_square):
        pass

    def handle_game_end(self, winner_color, win_reason: WinReason, game_history: GameHistory):
        assert isinstance(game_history, GameHistory) and json.dumps(game_history, cls=GameHistoryEncoder)
        board = game_history.truth_board_before_move(game_history.last_turn())
        assert win_reason in WinReason and isinstance(board, chess.Board)
        print("the end was heard")
"""


class Random(recon.Player):
    def __init__(self, seed=0):
        self.chance = random.Random(seed)

    def choose_sense(self, sense_actions, move_actions, seconds_left):
        return self.chance.choice(sense_actions)

    def choose_move(self, move_actions, seconds_left):
        return self.chance.choice([*move_actions, None])


def test_a_game_is_played_and_recorded(tmp_path):
    winner, reason, history = recon.play_local_game(Random(1), Random(2))
    assert reason in recon.WinReason
    assert not history.is_empty()
    assert history.get_winner_color() == winner
    path = tmp_path / "game.json"
    history.save(str(path))
    read = recon.GameHistory.from_file(str(path))
    assert read.to_dict() == history.to_dict()
    assert list(read.turns()) == list(history.turns())
    last = read.last_turn()
    assert read.is_last_turn(last) and read.truth_board_after_move(last)
    assert read.last_turn().previous.next == last


def match_of_bot(folder, text, *arguments):
    """`mola recon match` between a bot in Python and `random`."""
    bot = folder / "my bot.py"
    bot.write_text(text)
    path = os.pathsep.join(path for path in sys.path if path)
    python = folder / "python3"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    folders = os.pathsep.join([str(folder), os.environ["PATH"]])
    done = subprocess.run(
        [MOLA, "recon", "match", str(bot), "random", "--games", "2", *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=folder,
        env={**os.environ, "PATH": folders, "PYTHONPATH": path},
    )
    assert done.returncode == 0, done.stderr
    return done


def test_a_bot_of_reconchess_plays_in_games_of_mola(tmp_path):
    done = match_of_bot(tmp_path, BOT)
    assert done.stderr.count("the end was heard") == 2
    assert done.stderr.count("nor is this") == done.stderr.count("there is nothing to read") == 2
    assert "faults" in done.stdout and "0 turns" not in done.stdout.split()


SLOW_BOT = """
import time
from reconchess import Player

class SlowBot(Player):
    def handle_game_start(self, color, board, opponent_name):
        time.sleep(2)

    def choose_sense(self, sense_actions, move_actions, seconds_left):
        return sense_actions[0]

    def choose_move(self, move_actions, seconds_left):
        return None

    def handle_game_end(self, winner_color, win_reason, game_history):
        time.sleep(2)
        with open("log.txt", "a") as log:
            log.write(f"{win_reason.name if win_reason else None}\\n")
"""


def test_a_bot_has_time_before_and_after_its_games(tmp_path):
    clock = ("--seconds-per-player", "1.5", "--seconds-increment", "0", "--full-turn-limit", "2")
    match_of_bot(tmp_path, SLOW_BOT, *clock)
    assert (tmp_path / "log.txt").read_text() == "TURN_LIMIT\nTURN_LIMIT\n"


POPPING_BOT = """
from reconchess import *

PLAN = ["a", "b", "c"]

class PoppingBot(Player):
    def __init__(self):
        self.plan = PLAN

    def handle_game_start(self, color, board, opponent_name):
        print(f"a game with {len(self.plan)} to do")

    def choose_sense(self, sense_actions, move_actions, seconds_left):
        return None

    def choose_move(self, move_actions, seconds_left):
        self.plan.pop()
        return None
"""


def test_each_game_has_a_new_bot(tmp_path):
    """As in reconchess: nothing of an earlier game is left, not even what the module holds."""
    done = match_of_bot(tmp_path, POPPING_BOT, "--full-turn-limit", "3")
    assert done.stderr.count("a game with 3 to do") == 2, done.stderr


def test_a_host_makes_a_player_for_each_game():
    from mola.recon import __main__ as host

    class Counting(recon.Player):
        games = 0

        def handle_game_start(self, color, board, opponent_name):
            self.games += 1
            assert self.games == 1

    counting = host.Host(Counting)
    for _ in range(3):
        counting.answer({"method": "game_start", "color": True, "board": chess.Board(), "opponent_name": "you"})
        assert counting.answer({"method": "ready"}) == {}


SPAWNING_BOT = """
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from reconchess import *
import chess

def choose(board, moves):
    assert isinstance(board, chess.Board) and isinstance(moves[0], chess.Move)
    return min(moves, key=chess.Move.uci)

class SpawningBot(Player):
    def __init__(self):
        context = multiprocessing.get_context("METHOD")
        self.pool = ProcessPoolExecutor(1, mp_context=context)

    def handle_game_start(self, color, board, opponent_name):
        self.board = board

    def choose_sense(self, sense_actions, move_actions, seconds_left):
        return None

    def choose_move(self, move_actions, seconds_left):
        return self.pool.submit(choose, self.board, move_actions).result()

    def handle_game_end(self, winner_color, win_reason, game_history):
        self.pool.shutdown()
"""


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_a_bot_has_worker_processes(tmp_path, method):
    """`chess` means `mola.chess` there, too, however they are started."""
    done = match_of_bot(tmp_path, SPAWNING_BOT.replace("METHOD", method), "--full-turn-limit", "2", "--seed", "1")
    assert [line.split()[-2] for line in done.stdout.splitlines()[1:3]] == ["0", "0"], done.stderr


RANDOM_BOT = """
import random
from reconchess import *

FIRST = random.random()
try:
    import numpy
except ImportError:
    numpy = None

class RandomBot(Player):
    def choose_sense(self, sense_actions, move_actions, seconds_left):
        return random.choice(sense_actions)

    def choose_move(self, move_actions, seconds_left):
        chance = numpy.random.random() if numpy else FIRST
        return move_actions[int((chance + FIRST) / 2 * len(move_actions))]
"""


def test_a_seed_repeats_a_match_of_a_bot(tmp_path):
    played = []
    for seed in ("7", "7", "8"):
        folder = tmp_path / f"games{len(played)}"
        match_of_bot(tmp_path, RANDOM_BOT, "--full-turn-limit", "5", "--seed", seed, "--histories", str(folder))
        played.append([path.read_text() for path in sorted(folder.iterdir())])
    assert played[0] == played[1] != played[2]
    assert played[0][0] != played[0][1]


def test_names_are_exported_as_in_reconchess(reconchess):
    """Where `import *` is used, names come through several modules. (`requests` is a package that Mola does not need.)"""
    for name in ("", ".game", ".history", ".play", ".player", ".types", ".utilities"):
        theirs, ours = (importlib.import_module(package + name) for package in ("reconchess", "mola.recon"))
        wanted = {name for name in vars(theirs) if not name.startswith("_")} - {"bots", "scripts", "requests"}
        assert not wanted - vars(ours).keys(), name


def test_a_player_senses_nothing_and_passes_by_default(reconchess):
    for library in (recon, reconchess):
        game = library.LocalGame(full_turn_limit=2)
        _, reason, history = library.play_local_game(library.Player(), library.Player(), game=game)
        assert reason is library.WinReason.TURN_LIMIT
        turns = list(history.turns())
        assert [(history.sense(turn), history.requested_move(turn)) for turn in turns] == [(None, None)] * 4


def test_moves_of_another_library_are_refused_by_name(reconchess):
    import chess as theirs

    game = recon.LocalGame()
    game.start()
    with pytest.raises(TypeError, match=r"^mola\.chess\.Move expected, not chess\.Move$"):
        game.move(theirs.Move.from_uci("e2e4"))


def test_files_without_a_bot_are_refused(tmp_path):
    empty = tmp_path / "empty.py"
    empty.write_text("from mola.recon import *\n")
    with pytest.raises(RuntimeError, match="found none"):
        recon.load_player(str(empty))
    two = tmp_path / "two.py"
    two.write_text(
        "from mola.recon import *\nclass A(Player): pass\nclass B(Player): pass\n"
        "class C(A): pass\n"
    )
    with pytest.raises(RuntimeError, match=r"found B, C; a function get_player\(\) that returns one"):
        recon.load_player(str(two))
    (tmp_path / "folder").mkdir()
    with pytest.raises(RuntimeError, match="is not a Python file"):
        recon.load_player(str(tmp_path / "folder"))


def test_a_player_may_have_two_names(tmp_path):
    bot = tmp_path / "names.py"
    bot.write_text("from mola.recon import *\nclass A(Player): pass\nOther = A\n")
    assert recon.load_player(str(bot))[0] == "A"


@pytest.mark.parametrize("library", ["mola.recon", "reconchess"])
def test_a_package_may_hold_a_player(tmp_path, library):
    load_player = pytest.importorskip(library).load_player
    package = tmp_path / f"package_for_{library.replace('.', '_')}"
    package.mkdir()
    (package / "part.py").write_text("PART = 7\n")
    (package / "__init__.py").write_text(f"import {library}\nfrom .part import PART\nclass A({library}.Player): part = PART\n")
    name, player = load_player(f"{package}{os.sep}" if library == "reconchess" else str(package))
    assert (name, player.part) == ("A", 7)


def test_a_file_with_several_players_says_which(tmp_path):
    bots = tmp_path / "bots.py"
    bots.write_text(
        "from mola.recon import *\nclass A(Player): pass\nclass B(Player): pass\n"
        "def get_player(): return A\n"
    )
    name, player = recon.load_player(str(bots))
    assert name == player.__name__ == "A"


def test_a_file_may_import_its_player(tmp_path):
    (tmp_path / "helper_of_bots.py").write_text("from mola.recon import *\nclass Helper(Player): pass\n")
    bot = tmp_path / "importing.py"
    bot.write_text("from helper_of_bots import Helper\n")
    assert recon.load_player(str(bot))[0] == "Helper"
    bot.write_text("from helper_of_bots import Helper\nclass Bot(Helper): pass\n")
    assert recon.load_player(str(bot))[0] == "Bot"


def answering(bodies):
    """The address of a server that sends these replies, one to each connection."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve():
        with listener:
            for body in bodies:
                connection, _ = listener.accept()
                with connection:
                    connection.recv(65536)
                    connection.sendall(body)

    threading.Thread(target=serve, daemon=True).start()
    return f"http://127.0.0.1:{listener.getsockname()[1]}"


def test_answers_that_are_cut_off_are_asked_for_again():
    whole = b'HTTP/1.1 200 OK\r\nContent-Length: 22\r\n\r\n{"seconds_left": null}'
    url = answering([whole[:45], b"nonsense\r\n\r\n", whole])
    assert recon.RemoteGame(url, 1, ("bot", "secret")).get_seconds_left() == float("inf")
    most = b'HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\n{"seconds_left": 1.7976931348623157e308}'
    assert recon.RemoteGame(answering([most]), 1, ("bot", "secret")).get_seconds_left() == float("inf")


@pytest.fixture
def reconchess():
    library = pytest.importorskip("reconchess", reason="reconchess is not installed")
    import chess as theirs

    if theirs is chess:
        pytest.skip("chess means mola.chess here")
    return library


def test_castling_and_slides_are_those_of_reconchess(reconchess):
    import chess as theirs
    from reconchess import utilities

    from mola.recon import utilities as ours

    assert ours.BACK_RANKS == utilities.BACK_RANKS
    for fen in ["r3k2r/p6p/8/8/8/8/P6P/R3K2R w Kq - 0 1", "r3k1nr/8/8/8/8/8/8/RN2K2R b KQq - 0 1",
                "4k3/2P5/1r3q2/8/3B2R1/8/P6P/4K3 w - - 0 1", "k7/7P/8/8/8/8/8/K7 w - - 0 1",
                "4k3/8/8/2pP4/8/4p3/4P3/4K3 w - c6 0 1", chess.STARTING_FEN]:
        their_board, our_board = theirs.Board(fen), chess.Board(fen)
        for uci in [f"{a}{b}" for a in chess.SQUARE_NAMES for b in chess.SQUARE_NAMES if a != b]:
            names = ["is_illegal_castle", "is_psuedo_legal_castle", "slide_move"]
            # Where no piece stands, reconchess's raises an AttributeError.
            if our_board.piece_at(chess.parse_square(uci[:2])):
                names.append("revise_move")
            for name in names:
                expected = getattr(utilities, name)(their_board, theirs.Move.from_uci(uci))
                got = getattr(ours, name)(our_board, chess.Move.from_uci(uci))
                assert str(got) == str(expected), (name, fen, uci)


def test_out_of_time_counts_before_the_king(reconchess):
    for times in [(1, 1), (0, 1), (1, 0), (0, 0)]:
        for lost in [[], ["e1"], ["e8"], ["e1", "e8"]]:
            results = []
            for library, game in [(recon, recon.LocalGame()), (reconchess, reconchess.LocalGame())]:
                game.start()
                game.seconds_left_by_color = {chess.WHITE: times[0] * 100, chess.BLACK: times[1] * 100}
                for square in lost:
                    game.board.remove_piece_at(chess.parse_square(square))
                reason = game.get_win_reason()
                # Of both kings or both times lost, reconchess takes White's first.
                results.append((reason and reason.name, game.get_winner_color(), game.is_over()))
            assert results[0] == results[1], (times, lost)


def test_an_ended_game_is_that_of_reconchess(reconchess):
    for seconds in (900, None):
        states = []
        for library in (recon, reconchess):
            game = library.LocalGame(seconds)
            game.start()
            game.end()
            states.append([
                game.sense_actions(), game.move_actions(), game.sense(9), game.move(None), len(game.board.move_stack),
                game.seconds_per_player, {color: round(left) for color, left in game.seconds_left_by_color.items()}
                if seconds else game.seconds_left_by_color, game.get_game_history().num_turns(), str(library.Turn(True, 3)),
            ])
        assert states[0] == states[1]


@pytest.mark.parametrize("turns", [
    # Each with a square to sense, if any, and a move.
    [(9, "e2e4"), (None, None), (9, None)],
    [(9, "e2e4"), (None, None), (9, None), (9, "e7e5")],
    [(9, None), (9, None), (9, None), (None, None), (9, "d2d4")],
    [(9, "e2e4"), (None, None), (None, None), (9, "e7e5")],
    [(9, "e2e4"), (None, None)],
])
def test_a_turn_in_which_nothing_was_done_counts_if_another_follows(reconchess, turns):
    answers = []
    for library, moves in ((recon, chess), (reconchess, importlib.import_module("chess"))):
        game = library.LocalGame()
        game.start()
        for square, move in turns:
            if square is not None:
                game.sense(square)
            if move:
                game.move(moves.Move.from_uci(move))
            game.end_turn()
        game.end()
        history = game.get_game_history()
        answers.append([
            ([str(turn) for turn in history.turns(color)], history.num_turns(color), str(history.last_turn(color)),
             [str(turn) for turn in history.turns(color, start=1, stop=2)])
            for color in (None, True, False)
        ])
    assert answers[0] == answers[1]


def test_the_last_turn_of_who_had_none(reconchess):
    """Black has no turn where White resigns in the first."""
    turns = []
    for library in (recon, reconchess):
        game = library.LocalGame()
        game.start()
        game.sense(None)
        game.resign()
        game.end()
        history = game.get_game_history()
        turns.append([
            (turn.color, turn.turn_number)
            for color in (None, True, False)
            for turn in (history.first_turn(color), history.last_turn(color))
        ])
    assert turns[0] == turns[1]
    for library in (recon, reconchess):
        empty = library.GameHistory()
        assert not list(empty.turns(start=-3))
        turn = library.Turn(chess.WHITE, 2)
        for ask in (empty.is_first_turn, empty.is_last_turn):
            with pytest.raises(ValueError, match="^GameHistory is empty$"):
                ask(turn)
        for find in (empty.first_turn, empty.last_turn):
            with pytest.raises(ValueError, match="^GameHistory is empty$"):
                find(chess.BLACK)
        for value in (empty.sense, empty.requested_move, empty.truth_fen_before_move):
            with pytest.raises(ValueError, match=r"^Turn\(white, 2\) did not happen in this game\.$"):
                value(turn)


def test_a_board_of_a_record_has_the_player_of_its_turn_to_move(reconchess):
    """Also after a turn without a move, when its FEN says otherwise."""
    fens = []
    for library in (recon, reconchess):
        game = library.LocalGame()
        game.start()
        for _ in range(2):
            game.sense(None)
            game.end_turn()
        for _ in range(2):
            game.sense(None)
            game.move(None)
            game.end_turn()
        game.end()
        history = game.get_game_history()
        for color in (True, False):
            turn = library.Turn(color, 0)
            fens.append((library, [history.truth_fen_before_move(turn), history.truth_board_before_move(turn).fen(), history.truth_board_after_move(turn).fen()]))
    assert [f for library, f in fens if library is recon] == [f for library, f in fens if library is reconchess]


def test_records_are_those_of_reconchess(reconchess, tmp_path):
    _, _, history = recon.play_local_game(Random(1), Random(2))
    path = tmp_path / "game.json"
    history.save(str(path))
    theirs = reconchess.GameHistory.from_file(str(path))
    text = json.dumps({"game": history}, cls=recon.GameHistoryEncoder)
    assert text == json.dumps({"game": theirs}, cls=reconchess.GameHistoryEncoder)
    again = json.loads(text, cls=recon.GameHistoryDecoder)["game"]
    assert again == history and not again != history
    again.store_players("other", "names")
    assert again == history
    again.store_results(None, None)
    assert again != history and history != 5
    for ours, other in zip(history.turns(), theirs.turns()):
        for name in ["truth_board_before_move", "truth_board_after_move"]:
            assert getattr(history, name)(ours).fen() == getattr(theirs, name)(other).fen()
    turns = list(history.turns())[:6]
    others = [reconchess.Turn(turn.color, turn.turn_number) for turn in turns]
    for a, c in zip(turns, others):
        for b, d in zip(turns, others):
            assert (a < b, a <= b, a > b, a >= b) == (c < d, c <= d, c > d, c >= d)
    with pytest.raises(TypeError):
        turns[0] < 3
    values = [chess.Piece.from_symbol("q"), chess.Move.from_uci("e2e4"), chess.Board(), recon.WinReason.TIMEOUT]
    text = json.dumps(values, cls=recon.ChessJSONEncoder)
    assert json.loads(text, cls=recon.ChessJSONDecoder) == values
    assert json.dumps(json.loads(text, cls=reconchess.ChessJSONDecoder), cls=reconchess.ChessJSONEncoder) == text
    assert json.loads('{"a": {"b": 1}}', cls=recon.ChessJSONDecoder, object_hook=lambda value: [*value]) == ["a"]
    with pytest.raises(TypeError):
        json.dumps({1, 2}, cls=recon.GameHistoryEncoder)


def test_a_game_on_a_server_of_reconchess(reconchess):
    import recon_server

    server = recon_server.Server(2, seed=1, fault_rate=0)
    for number in range(2):
        winner, reason, history = recon.play_remote_game(server.url, number, ("bot", "secret"), Random(number))
        assert history.num_turns() > 0
        assert (winner, reason) == (history.get_winner_color(), history.get_win_reason())
    with pytest.raises(ValueError):
        recon.RemoteGame(server.url, 0, ("bot", "wrong")).start()
    server.shutdown()


def test_the_rules_are_those_of_reconchess(tmp_path):
    """Turn by turn, with lists in the same order, and records byte for byte."""
    reconchess = pytest.importorskip("reconchess", reason="reconchess is not installed")
    import chess as theirs_chess

    if theirs_chess is chess:
        pytest.skip("chess means mola.chess here")
    for seed in range(8):
        chance = random.Random(seed)
        limits = {
            "full_turn_limit": chance.choice([None, 5, 30]),
            "reversible_moves_limit": chance.choice([100, 20, None]),
        }
        ours, theirs = recon.LocalGame(**limits), reconchess.LocalGame(**limits)
        ours.start()
        theirs.start()
        for _ in range(400):
            assert ours.is_over() == theirs.is_over()
            if ours.is_over():
                break
            moves = [move.uci() for move in ours.move_actions()]
            assert moves == [move.uci() for move in theirs.move_actions()]
            assert ours.opponent_move_results() == theirs.opponent_move_results()
            square = chance.choice([*range(64), None])
            sensed = [
                [(at, piece and piece.symbol()) for at, piece in game.sense(square)]
                for game in (ours, theirs)
            ]
            assert sensed[0] == sensed[1]
            uci = chance.choice([*moves, None])
            results = [
                [str(value) for value in game.move(uci and kind.from_uci(uci))]
                for game, kind in ((ours, chess.Move), (theirs, theirs_chess.Move))
            ]
            assert results[0] == results[1]
            ours.end_turn()
            theirs.end_turn()
        records = []
        for game in (ours, theirs):
            game.store_players("A", "B")
            game.end()
            game.get_game_history().save(str(tmp_path / "game.json"))
            records.append((tmp_path / "game.json").read_text())
        if ours.get_win_reason() is not None:
            assert records[0] == records[1]


@pytest.mark.parametrize("name", ["random", "attacker", "trout", "mola"])
def test_bots_of_mola_play_in_games_of_mola(name):
    from mola.recon import bots

    kind = getattr(bots, f"{name.title()}Bot")
    bot = kind(0.02) if name in ("trout", "mola") else kind()
    game = recon.LocalGame(full_turn_limit=4)
    _, reason, history = recon.play_local_game(bot, Random(1), game=game)
    assert reason in recon.WinReason and history.num_turns() > 0
    assert history.get_white_player_name() == f"{name.title()}Bot"


def test_bots_repeat_by_the_seed_of_random():
    from mola.recon.bots import AttackerBot, RandomBot

    records = []
    for _ in range(2):
        random.seed(5)
        game = recon.LocalGame(seconds_per_player=None, full_turn_limit=20)
        _, _, history = recon.play_local_game(RandomBot(), AttackerBot(), game=game)
        records.append([history.taken_move(turn) for turn in history.turns()])
    assert records[0] == records[1] and records[0]


def test_misuse_of_bots_is_told():
    from mola._mola.recon import Bot

    with pytest.raises(ValueError, match="unknown bot"):
        Bot("fish", 1)
    bot = Bot("trout", 1)
    for call in (
        lambda: bot.game_start(True, "nonsense", "you"),
        lambda: bot.choose_sense(["e2e9"], 1.0),
        lambda: bot.sense_result([(64, None)]),
        lambda: bot.sense_result([(0, "x")]),
        lambda: bot.sense_result([(0, None)] * 10),
        lambda: bot.move_result("e2", None, None),
    ):
        with pytest.raises(ValueError):
            call()


def test_bots_of_mola_play_in_reconchess_itself(tmp_path):
    """Its own arbiter on python-chess, and its own script with the files of the bots."""
    pytest.importorskip("reconchess", reason="reconchess is not installed")
    files = [python_package.FOLDER / f"mola/recon/bots/{name}_bot.py" for name in ("attacker", "random")]
    script = "from reconchess.scripts.rc_bot_match import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", script, *map(str, files)],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(python_package.FOLDER)},
    )
    assert "Game Over!" in done.stdout and "ERROR" not in done.stdout, done.stderr
    record = next(tmp_path.glob("AttackerBot-RandomBot-*.json"))
    assert recon.GameHistory.from_file(str(record)).num_turns() > 0
