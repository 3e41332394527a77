"""The nine variants against python-chess: rules in random games, play in both protocols."""

import os
import random

import chess
import chess.engine
import chess.variant
import pytest
from chess.engine import Limit, Mate

SEED = int(os.environ.get("SEED", "1"))
VARIANTS = [board for board in chess.variant.VARIANTS if board is not chess.Board]


def name(board: type[chess.Board]) -> str:
    return board.uci_variant


each_variant = pytest.mark.parametrize("board_type", VARIANTS, ids=name)


def random_games(board_type, seed: int, games: int):
    """Boards of random games that prefer rare kinds of moves."""
    rng = random.Random(f"{board_type.uci_variant} {seed}")
    for _ in range(games):
        board = board_type()
        for ply in range(rng.randrange(10, 120)):
            moves = list(board.legal_moves)
            if not moves:
                break
            rare = [
                move
                for move in moves
                if move.promotion or board.is_castling(move) or board.gives_check(move)
            ]
            board.push(rng.choice(rare if rare and rng.random() < 0.4 else moves))
            if ply % 8 == 7:
                yield board.copy()
        yield board


def divide(lines: list[str]) -> dict[str, int]:
    """`e2e4: 20` lines as a dictionary."""
    pairs = (line.split(": ") for line in lines if ": " in line and not line.startswith("Nodes"))
    return {move: int(nodes) for move, nodes in pairs}


@each_variant
def test_moves_and_their_counts_agree(uci, board_type):
    uci.send(f"setoption name UCI_Variant value {board_type.uci_variant}")
    for board in random_games(board_type, SEED, 5):
        line = " ".join(move.uci() for move in board.move_stack)
        uci.send(f"position startpos moves {line}")
        shown = uci.ask("d", "Checkers")
        fen = next(line for line in shown if line.startswith("Fen: "))
        assert fen == f"Fen: {board.fen()}"
        expected = {}
        for move in board.legal_moves:
            board.push(move)
            expected[move.uci()] = board.legal_moves.count()
            board.pop()
        assert divide(uci.ask("go perft 2", "Nodes searched")) == expected, board.fen()


@pytest.mark.parametrize("start", ["popen_uci", "popen_xboard"])
@each_variant
def test_plays_a_game(mola, no_complaints, start, board_type):
    """Against random moves, by python-chess's own clients, to the end: and it wins."""
    rng = random.Random(SEED)
    with getattr(chess.engine.SimpleEngine, start)(mola) as engine:
        board = board_type()
        while board.outcome(claim_draw=True) is None and len(board.move_stack) < 300:
            if board.turn == chess.WHITE:
                result = engine.play(board, Limit(nodes=4000))
                assert board.is_legal(result.move), board.fen()
                board.push(result.move)
            else:
                board.push(rng.choice(list(board.legal_moves)))
        outcome = board.outcome(claim_draw=True)
        assert outcome is not None and outcome.winner == chess.WHITE, (outcome, board.fen())


WINS = [
    # A capture beside the king explodes it, and wins although it loses the queen.
    ("atomic", "3qkr2/3ppp2/8/8/8/8/8/3QK3 w - - 0 1", "d1d7", 1),
    ("kingofthehill", "7k/8/8/8/8/2K5/8/7r w - - 0 1", "c3d4", 1),
    ("racingkings", "8/1K6/8/8/8/8/k7/8 w - - 0 1", None, 1),
    ("3check", "6k1/8/8/8/8/8/8/K6R w - - 1+3 0 1", None, 1),
    ("crazyhouse", "6rk/6pp/8/8/8/8/8/K7[N] w - - 0 1", "N@f7", 1),
    ("antichess", "8/8/8/8/1p6/8/P7/8 w - - 0 1", None, 1),
    ("suicide", "8/8/8/8/1p6/8/8/1N6 w - - 0 1", None, 1),
    # The forced capture of the last piece loses.
    ("giveaway", "8/8/8/8/8/1p6/P7/8 w - - 0 1", "a2b3", -1),
    ("horde", "8/8/8/8/8/8/1k6/P7 b - - 0 1", "b2a1", 1),
]


@pytest.mark.parametrize("case", WINS, ids=lambda case: f"{case[0]} {case[1].split()[0]}")
def test_sees_wins(mola, no_complaints, case):
    variant, fen, best, mate = case
    board = chess.variant.find_variant(variant)(fen)
    with chess.engine.SimpleEngine.popen_uci(mola) as engine:
        result = engine.play(board, Limit(depth=8), info=chess.engine.INFO_SCORE)
    assert board.is_legal(result.move)
    if best:
        assert result.move.uci() == best
    if mate:
        assert result.info["score"].relative == Mate(mate)


@each_variant
def test_every_name_is_known(uci, board_type):
    """`--variant` takes what python-chess's `find_variant` does."""
    import subprocess

    from engine import binary

    for alias in board_type.aliases:
        command = [binary(), "perft", "1", "--variant", alias.upper()]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        count = board_type().legal_moves.count()
        assert run.stdout.startswith(f"{count} nodes"), (alias, run)


def test_chess960_in_a_variant(mola, no_complaints):
    board = chess.variant.AtomicBoard(
        "nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w KQkq - 0 1", chess960=True
    )
    with chess.engine.SimpleEngine.popen_uci(mola) as engine:
        # White soon wins from there.
        while not board.is_game_over() and len(board.move_stack) < 20:
            board.push(engine.play(board, Limit(nodes=1000)).move)
