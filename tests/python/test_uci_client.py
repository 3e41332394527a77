"""python-chess drives the engine over UCI."""

import asyncio
import time

import chess
import chess.engine
import pytest
from chess.engine import Limit, Mate

import client


@pytest.fixture
def uci_client(mola, no_complaints):
    engine = chess.engine.SimpleEngine.popen_uci(mola)
    yield engine
    engine.close()


def test_names_itself(uci_client):
    assert uci_client.id["name"].startswith("Mola")
    assert uci_client.id["author"]


def test_declares_the_usual_options(uci_client):
    for name in (
        "Hash",
        "Threads",
        "Clear Hash",
        "Ponder",
        "MultiPV",
        "Move Overhead",
        "UCI_Chess960",
    ):
        assert name in uci_client.options, name
    assert uci_client.options["Hash"].default == 16
    assert uci_client.options["Threads"].default == 1


def test_plays_and_reports(uci_client):
    result = uci_client.play(chess.Board(), Limit(depth=6), info=chess.engine.INFO_ALL)
    assert result.move in chess.Board().legal_moves
    assert result.info["depth"] >= 6
    assert result.info["nodes"] > 0
    assert result.info["pv"][0] == result.move
    client.plays_legal_line(chess.Board(), result.info["pv"])


@pytest.mark.parametrize(
    "limit",
    [Limit(nodes=2000), Limit(time=0.1), Limit(white_clock=1, black_clock=1, remaining_moves=3)],
    ids=["nodes", "time", "clock"],
)
def test_every_limit_ends_a_search(uci_client, limit):
    start = time.monotonic()
    assert uci_client.play(chess.Board(), limit).move
    assert time.monotonic() - start < 2


def test_sees_mates(uci_client):
    info = uci_client.analyse(client.BACK_RANK, Limit(depth=4))
    assert info["score"].white() == Mate(1)
    assert info["pv"] == [chess.Move.from_uci("a1a8")]
    info = uci_client.analyse(client.LADDER, Limit(depth=8))
    assert info["score"].white() == Mate(2)
    assert len(info["pv"]) == 3


def test_sees_being_mated(uci_client):
    board = client.LADDER.copy()
    board.push_uci("b1b7")
    info = uci_client.analyse(board, Limit(depth=8))
    assert info["score"].black() == Mate(-1)


def test_multipv_orders_distinct_lines(uci_client):
    board = chess.Board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
    infos = uci_client.analyse(board, Limit(depth=6), multipv=4)
    assert [info["multipv"] for info in infos] == [1, 2, 3, 4]
    assert len({info["pv"][0] for info in infos}) == 4
    scores = [info["score"].white() for info in infos]
    assert scores == sorted(scores, reverse=True)
    for info in infos:
        client.plays_legal_line(board, info["pv"])


def test_multipv_stops_at_the_legal_moves(uci_client):
    board = chess.Board("7k/8/8/8/8/8/6q1/7K w - - 0 1")  # Kxg2 alone
    assert len(uci_client.analyse(board, Limit(depth=3), multipv=5)) == 1


def test_root_moves_restrict(uci_client):
    only = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h4")]
    assert uci_client.play(chess.Board(), Limit(depth=5), root_moves=only).move in only
    infos = uci_client.analyse(chess.Board(), Limit(depth=4), root_moves=only, multipv=3)
    assert {info["pv"][0] for info in infos} == set(only)


def test_analysis_streams_and_stops(uci_client):
    with uci_client.analysis(chess.Board()) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 7 and "pv" in info:
                break
        analysis.stop()
        assert analysis.wait().move in chess.Board().legal_moves
    # The next search starts afresh.
    assert uci_client.play(chess.Board(), Limit(depth=2)).move


def test_ponders_and_hits(uci_client):
    board = chess.Board()
    for _ in range(6):
        result = uci_client.play(board, Limit(white_clock=2, black_clock=2), ponder=True)
        board.push(result.move)
        if result.ponder:
            assert result.ponder in board.legal_moves
            board.push(result.ponder)  # the guess comes true: ponderhit
        else:
            board.push(next(iter(board.legal_moves)))
    # ... and once it does not.
    board.push(next(iter(board.legal_moves)))
    assert uci_client.play(board, Limit(time=0.05)).move in board.legal_moves


def test_takes_options(uci_client):
    uci_client.configure({"Hash": 32, "Threads": 2, "Move Overhead": 50})
    assert uci_client.play(chess.Board(), Limit(time=0.2)).move
    uci_client.configure({"Hash": 1, "Threads": 1, "Clear Hash": None})
    assert uci_client.play(chess.Board(), Limit(nodes=1000)).move
    with pytest.raises(chess.engine.EngineError):
        uci_client.configure({"Threads": 0})


def test_plays_games_to_the_end(uci_client):
    assert client.random_game_won(uci_client, Limit(nodes=3000)).is_checkmate()
    over = client.self_play(uci_client, chess.Board(), Limit(nodes=1500), plies=600)
    assert over.is_game_over(claim_draw=True)


@pytest.mark.parametrize("number", [0, 356, 517, 959])
def test_plays_chess960(uci_client, number):
    board = chess.Board.from_chess960_pos(number)
    board = client.self_play(uci_client, board, Limit(nodes=1500), plies=60)
    assert board.ply() > 0


def test_castles_in_chess960_as_king_takes_rook(uci_client):
    board = chess.Board("4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1", chess960=True)
    castle = chess.Move.from_uci("f1h1")
    assert uci_client.play(board, Limit(depth=3), root_moves=[castle]).move == castle


def test_castles_in_standard_chess_as_two_steps(uci_client):
    board = chess.Board("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    castle = chess.Move.from_uci("e1g1")
    assert uci_client.play(board, Limit(depth=3), root_moves=[castle]).move == castle


def test_quits_with_zero(mola):
    async def session() -> int:
        _, engine = await chess.engine.popen_uci(mola)
        analysis = await engine.analysis(chess.Board())
        await asyncio.sleep(0.2)
        analysis.stop()
        await engine.quit()
        return await asyncio.wait_for(engine.returncode, 5)

    assert asyncio.run(session()) == 0
