"""The Python package `stockfish`, which drives any engine that behaves as Stockfish does."""

import chess
import pytest

stockfish = pytest.importorskip("stockfish")

FEN = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 4 4"


@pytest.fixture
def client(mola, monkeypatch):
    # It takes the third word of `id name` for a version and parses it.
    client = stockfish.Stockfish(mola, depth=6)
    yield client
    client.send_quit_command()


def test_positions(client):
    client.set_fen_position(FEN)
    assert client.get_fen_position() == FEN
    assert client.is_fen_valid(FEN)
    client.make_moves_from_start(["e2e4", "e7e6"])
    client.make_moves_from_current_position(["g1f3", "a7a6"])
    board = chess.Board()
    for move in ("e2e4", "e7e6", "g1f3", "a7a6"):
        board.push_uci(move)
    assert client.get_fen_position() == board.fen()
    assert client.is_move_legal("d2d4") and not client.is_move_legal("d2d5")
    before = client.get_fen_position()
    client.flip()
    assert client.get_fen_position() != before


def test_the_picture(client):
    rows = client.get_board_visual().splitlines()
    assert rows[0] == "+---+---+---+---+---+---+---+---+"
    assert rows[1] == "| r | n | b | q | k | b | n | r | 8"
    assert rows[-1].split() == list("abcdefgh")
    assert client.get_board_visual(False).splitlines()[1].startswith("| R | N | B | K |")


def test_moves(client):
    legal = {move.uci() for move in chess.Board().legal_moves}
    assert client.get_best_move() in legal
    assert client.get_best_move(wtime=1000, btime=1000) in legal
    assert client.get_best_move_time(100) in legal
    client.set_fen_position("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
    assert client.get_best_move() == "a1a8"
    client.set_fen_position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    assert client.get_best_move() is None


@pytest.mark.parametrize("verbose", [False, True])
def test_top_moves(client, verbose):
    """As many as requested, each once."""
    moves = client.get_top_moves(3, verbose=verbose)
    assert len(moves) == 3 and len({move["Move"] for move in moves}) == 3
    moves = client.get_top_moves(3, verbose=verbose, num_nodes=20000)
    assert len(moves) == 3 and len({move["Move"] for move in moves}) == 3
    client.set_fen_position("7k/8/8/8/8/8/6q1/7K w - - 0 1")
    assert len(client.get_top_moves(3, verbose=verbose)) == 1


def test_evaluations(client):
    assert set(client.get_evaluation()) == {"type", "value"}
    assert client.get_evaluation(searchtime=50)["type"] == "cp"
    assert -3 < client.get_static_eval() < 3
    client.set_fen_position("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1")
    assert client.get_static_eval() is None
    client.set_fen_position(FEN)
    assert client.get_evaluation() == {"type": "mate", "value": 1}
    assert sum(client.get_wdl_stats()) == 1000
    assert sum(client.get_wdl_stats(get_as_tuple=True, time=50)) == 1000


def test_settings(client):
    client.set_depth(5)
    client.set_num_nodes(10000)
    client.set_turn_perspective(False)
    assert (client.get_depth(), client.get_num_nodes()) == (5, 10000)
    client.set_skill_level(5)
    assert client.get_best_move()
    client.set_elo_rating(1400)
    assert client.get_best_move()
    client.resume_full_strength()
    client.update_engine_parameters({"Threads": 1, "Hash": 32, "MultiPV": 2})
    assert client.get_engine_parameters()["Hash"] == 32
    client.reset_engine_parameters()
    client.send_ucinewgame_command()
    assert client.get_best_move()


def test_counts_and_pieces(client):
    total, moves = client.get_perft(3)
    assert total == 8902 and len(moves) == 20
    assert client.get_what_is_on_square("e1") == stockfish.Stockfish.Piece.WHITE_KING
    assert client.get_what_is_on_square("e4") is None
    client.make_moves_from_start(["e2e4", "d7d5"])
    assert client.will_move_be_a_capture("e4d5") == stockfish.Stockfish.Capture.DIRECT_CAPTURE
    assert client.will_move_be_a_capture("e4e5") == stockfish.Stockfish.Capture.NO_CAPTURE


def test_bench(client):
    line = client.benchmark(stockfish.Stockfish.BenchmarkParameters(ttSize=4, limit=3))
    assert line.startswith("Nodes/second")
