"""python-chess drives the engine over the XBoard protocol."""

import asyncio
import time

import chess
import chess.engine
import pytest
from chess.engine import Limit, Mate

import client


@pytest.fixture
def xboard_client(mola, no_complaints):
    engine = chess.engine.SimpleEngine.popen_xboard(mola)
    yield engine
    engine.close()


def test_names_itself(xboard_client):
    assert xboard_client.id["name"].startswith("Mola")


def test_features_make_options(xboard_client):
    for name in ("memory", "cores", "MultiPV", "Move-Overhead"):
        assert name in xboard_client.options, name
    # python-chess offers `egtpath` as an option, too.
    names = [name for name in xboard_client.options if not name.startswith("egtpath")]
    assert all(" " not in name for name in names)


def test_plays_and_reports(xboard_client):
    result = xboard_client.play(chess.Board(), Limit(depth=6), info=chess.engine.INFO_ALL)
    assert result.move in chess.Board().legal_moves
    assert result.info["nodes"] > 0
    assert result.info["pv"][0] == result.move
    client.plays_legal_line(chess.Board(), result.info["pv"])


@pytest.mark.parametrize(
    "limit",
    [
        Limit(time=0.1),
        Limit(white_clock=1, black_clock=1, white_inc=0.1, black_inc=0.1),
        Limit(white_clock=0.9, black_clock=0.9),
        Limit(nodes=2000),
    ],
    ids=["time", "clock", "less than a second", "nodes"],
)
def test_every_limit_ends_a_search(xboard_client, limit):
    start = time.monotonic()
    assert xboard_client.play(chess.Board(), limit).move
    assert time.monotonic() - start < 3


def test_sees_mates(xboard_client):
    info = xboard_client.analyse(client.BACK_RANK, Limit(depth=4))
    assert info["score"].white() == Mate(1)
    info = xboard_client.analyse(client.LADDER, Limit(depth=8))
    assert info["score"].white() == Mate(2)


def test_plays_the_mate(xboard_client):
    result = xboard_client.play(client.BACK_RANK, Limit(depth=3))
    assert result.move == chess.Move.from_uci("a1a8")


def test_root_moves_restrict(xboard_client):
    only = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h4")]
    info = xboard_client.analyse(chess.Board(), Limit(depth=4), root_moves=only)
    assert info["pv"][0] in only


def test_analysis_streams_and_stops(xboard_client):
    with xboard_client.analysis(chess.Board()) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 6 and "pv" in info:
                client.plays_legal_line(chess.Board(), info["pv"])
                break
        analysis.stop()
    assert xboard_client.play(chess.Board(), Limit(depth=2)).move


def test_ponders(xboard_client):
    board = chess.Board()
    for _ in range(4):
        result = xboard_client.play(board, Limit(white_clock=2, black_clock=2), ponder=True)
        board.push(result.move)
        board.push(next(iter(board.legal_moves)))
    assert xboard_client.play(board, Limit(time=0.05)).move in board.legal_moves


def test_takes_options(xboard_client):
    xboard_client.configure({"memory": 32, "cores": 2})
    assert xboard_client.play(chess.Board(), Limit(time=0.1)).move
    xboard_client.configure({"memory": 8, "cores": 1, "Move-Overhead": 50})
    assert xboard_client.play(chess.Board(), Limit(time=0.1)).move


def test_knows_takebacks(xboard_client):
    """python-chess rewinds with `remove` and `undo` when the position steps back."""
    board = chess.Board()
    for uci in ("e2e4", "e7e5", "g1f3"):
        board.push_uci(uci)
    assert xboard_client.play(board, Limit(depth=3), game=1).move in board.legal_moves
    for _ in range(3):
        board.pop()
        assert xboard_client.play(board, Limit(depth=3), game=1).move in board.legal_moves


def test_plays_games_to_the_end(xboard_client):
    assert client.random_game_won(xboard_client, Limit(depth=5)).is_checkmate()
    over = client.self_play(xboard_client, chess.Board(), Limit(depth=3), plies=600)
    assert over.is_game_over(claim_draw=True)


@pytest.mark.parametrize("number", [0, 517, 959])
def test_plays_chess960(xboard_client, number):
    board = chess.Board.from_chess960_pos(number)
    assert client.self_play(xboard_client, board, Limit(depth=3), plies=40).ply() > 0


def test_quits_with_zero(mola):
    async def session() -> int:
        _, engine = await chess.engine.popen_xboard(mola)
        await engine.play(chess.Board(), Limit(depth=3))
        await engine.quit()
        return await asyncio.wait_for(engine.returncode, 5)

    assert asyncio.run(session()) == 0
