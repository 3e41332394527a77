"""`mola.recon`: reconchess's API, and reconchess bots in Mola's games."""

import os
import random
import subprocess
import sys

import python_package  # first: it puts `mola` on the path
import pytest
from engine import binary

import mola.chess as chess
from mola import recon

MOLA = binary()

BOT = """
import random
from reconchess import *

class MyBot(Player):
    def handle_game_start(self, color: Color, board: chess.Board, opponent_name: str):
        assert isinstance(board, chess.Board)
        self.color = color
        print("this is not an answer")

    def handle_opponent_move_result(self, captured_my_piece: bool, capture_square: Optional[Square]):
        assert captured_my_piece == (capture_square is not None)

    def choose_sense(self, sense_actions, move_actions: List[chess.Move], seconds_left: float):
        return random.choice(sense_actions)

    def handle_sense_result(self, sense_result):
        assert all(piece is None or isinstance(piece, chess.Piece) for _, piece in sense_result)

    def choose_move(self, move_actions, seconds_left):
        return random.choice(move_actions + [None])

    def handle_move_result(self, requested_move, taken_move, captured_opponent_piece, capture_square):
        pass

    def handle_game_end(self, winner_color, win_reason: WinReason, game_history: GameHistory):
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


def test_a_bot_of_reconchess_plays_in_games_of_mola(tmp_path):
    bot = tmp_path / "my bot.py"
    bot.write_text(BOT)
    path = os.pathsep.join(path for path in sys.path if path)
    python = tmp_path / "python3"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    folders = os.pathsep.join([str(tmp_path), os.environ["PATH"]])
    done = subprocess.run(
        [MOLA, "recon", "match", str(bot), "random", "--games", "2"],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PATH": folders, "PYTHONPATH": path},
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("the end was heard") == 2
    assert "faults" in done.stdout and "0 turns" not in done.stdout.split()


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
    with pytest.raises(RuntimeError, match="found B, C"):
        recon.load_player(str(two))


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
