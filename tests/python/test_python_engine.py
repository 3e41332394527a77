"""`mola.chess.engine` with real engines, and with engines that misbehave."""

import asyncio
import concurrent.futures
import contextlib
import os
import signal
import subprocess
import sys
import threading
import time

from python_package import ENVIRONMENT  # first: it puts `mola` on the path
import chess.engine as chess_engine
import pytest
from engine import binary, fairymax, program
from threads import in_threads

import mola.chess as chess
import mola.chess.engine as engines
from mola.chess.engine import Cp, Limit, Mate, MateGiven

MOLA = binary()
MATE = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1"

# A scripted engine: each test gives its reactions.
FAKE = """
import sys, time
def say(text):
    print(text, flush=True)
for line in sys.stdin:
    word = line.split()[0] if line.split() else ""
    if word == "uci":
        say("id name Fake")
        say("option name Ponder type check default false")
        say("uciok")
    elif word == "isready":
        say("readyok")
    elif word == "quit":
        break
"""


def fake(tmp_path, script):
    """The command of a scripted engine."""
    path = tmp_path / "fake.py"
    path.write_text(FAKE + script)
    return [sys.executable, str(path)]


def uci_engines():
    return {
        "mola": lambda: [MOLA, "uci"],
        "stockfish": lambda: [program("stockfish")],
        "gnuchess": lambda: [program("gnuchess"), "--uci"],
    }


def xboard_engines():
    return {
        "mola": lambda: [MOLA, "xboard"],
        "fairymax": lambda: [fairymax()],
    }


@pytest.fixture(params=list(uci_engines()))
def uci(request):
    with engines.SimpleEngine.popen_uci(uci_engines()[request.param]()) as engine:
        yield engine


@pytest.fixture(params=list(xboard_engines()))
def xboard(request, tmp_path):
    with engines.SimpleEngine.popen_xboard(
        xboard_engines()[request.param](), cwd=tmp_path, setpgrp=True
    ) as engine:
        yield engine


@pytest.fixture
def mola():
    with engines.SimpleEngine.popen_uci([MOLA, "uci"]) as engine:
        yield engine


def test_uci_engines_play(uci):
    board = chess.Board()
    for _ in range(6):
        result = uci.play(board, Limit(time=0.02), info=engines.INFO_ALL)
        board.push(result.move)
    assert uci.id["name"]
    assert "Hash" in uci.options
    assert board.is_valid()
    uci.quit()


def test_xboard_engines_play(xboard):
    board = chess.Board()
    for _ in range(6):
        result = xboard.play(board, Limit(depth=3, time=0.5), game="one")
        board.push(result.move)
    board.pop()
    board.pop()
    result = xboard.play(board, Limit(depth=2, time=0.5), game="one")
    assert result.move in board.legal_moves
    xboard.ping()
    xboard.quit()


def test_xboard_engines_analyse(xboard):
    info = xboard.analyse(chess.Board(), Limit(depth=3, time=5))
    assert info["depth"] >= 3
    assert info["pv"][0] in chess.Board().legal_moves
    with xboard.analysis(chess.Board()) as analysis:
        assert analysis.next()["depth"] >= 1
    assert analysis.wait().move in chess.Board().legal_moves


def test_xboard_limits_end_with_their_search(xboard):
    board = chess.Board()
    for limit in (Limit(depth=2), Limit(time=0.01), Limit(depth=4)):
        info = xboard.play(board, limit, info=engines.INFO_ALL).info
        assert limit.depth is None or info["depth"] == limit.depth
    xboard.play(board, Limit(depth=2))
    # Fairy-Max reads whole seconds.
    assert xboard.play(board, Limit(time=1), info=engines.INFO_ALL).info["depth"] > 2
    xboard.play(board, Limit(depth=2))
    with xboard.analysis(board) as analysis:
        assert any(info["depth"] > 2 for info in analysis)


def test_xboard_engines_are_offered_draws(xboard):
    board = chess.Board()
    for _ in range(2):
        result = xboard.play(board, Limit(time=0.05), draw_offered=True)
        board.push(result.move)
        board.push(next(iter(board.legal_moves)))


@pytest.mark.parametrize("protocol", ["uci", "xboard"])
def test_a_limit_is_required(protocol):
    popen = getattr(engines.SimpleEngine, f"popen_{protocol}")
    with popen([MOLA, protocol]) as engine:
        for command in ("play", "analyse"):
            with pytest.raises(engines.EngineError, match=f"{command} without a limit"):
                getattr(engine, command)(chess.Board(), None)
        engine.ping()


def test_a_mate_is_seen(mola):
    board = chess.Board(MATE)
    info = mola.analyse(board, Limit(depth=8))
    assert info["score"].white() == Mate(1)
    assert info["score"].black() == Mate(-1)
    assert mola.play(board, Limit(mate=1)).move.uci() == "d1d8"


def test_lines_come_in_their_order(mola):
    infos = mola.analyse(chess.Board(), Limit(depth=6), multipv=3)
    assert [info["multipv"] for info in infos] == [1, 2, 3]
    assert len({info["pv"][0] for info in infos}) == 3
    scores = [info["score"].relative for info in infos]
    assert scores == sorted(scores, reverse=True)


def test_an_analysis_streams_and_stops(mola):
    with mola.analysis(chess.Board()) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 5:
                break
    best = analysis.wait()
    assert best.move in chess.Board().legal_moves
    assert not analysis.would_block()
    for _ in analysis:
        pass
    assert analysis.empty()
    with pytest.raises(engines.AnalysisComplete):
        analysis.get()


def test_variants_and_chess960(mola):
    from mola.chess import variant

    for board in (
        variant.AtomicBoard(),
        variant.CrazyhouseBoard(),
        variant.ThreeCheckBoard(),
        chess.Board.from_chess960_pos(5),
        chess.Board(),
    ):
        result = mola.play(board, Limit(nodes=500))
        assert result.move in board.legal_moves


def test_ponder_is_taken_up_or_dropped(mola):
    board = chess.Board()
    for answer in ("expected", "other"):
        result = mola.play(board, Limit(time=0.05), ponder=True, info=engines.INFO_ALL)
        board.push(result.move)
        expected = result.ponder
        others = [move for move in board.legal_moves if move != expected]
        board.push(expected if answer == "expected" and expected else others[0])
    mola.ping()


def test_options_hold_for_a_call_or_for_good():
    with engines.SimpleEngine.popen_uci([MOLA, "uci"]) as engine:
        engine.configure({"hash": 8})
        engine.play(chess.Board(), Limit(depth=1), options={"Hash": 4})
        with pytest.raises(engines.EngineError, match="at least"):
            engine.configure({"Hash": 0})
        with pytest.raises(engines.EngineError, match="automatically managed"):
            engine.configure({"MultiPV": 2})
        with pytest.raises(engines.EngineError, match="does not support option"):
            engine.configure({"Nonsense": 2})
        engine.ping()


@pytest.mark.parametrize("wait", ["play", "analyse", "ping", "next"])
def test_a_killed_engine_is_an_error(wait, tmp_path):
    engine = engines.SimpleEngine.popen_uci([MOLA, "uci"])
    with engine:
        pid = engine.transport.get_pid()
        if wait != "ping":
            threading.Timer(0.2, os.kill, (pid, signal.SIGKILL)).start()
        else:
            os.kill(pid, signal.SIGKILL)
        with pytest.raises(engines.EngineTerminatedError):
            if wait == "play":
                engine.play(chess.Board(), Limit(time=60))
            elif wait == "analyse":
                engine.analyse(chess.Board(), Limit(time=60))
            elif wait == "next":
                for _ in engine.analysis(chess.Board()):
                    pass
            for _ in range(1000):
                engine.ping()
        assert engine.returncode.result(5) == -signal.SIGKILL


def test_an_unknown_instruction_is_named(tmp_path):
    script = "    elif word == 'go':\n        import os\n        os.kill(os.getpid(), 4)\n"
    with engines.SimpleEngine.popen_uci(fake(tmp_path, script)) as engine:
        with pytest.raises(engines.EngineTerminatedError, match=r"\(exit code: -4, binary not compatible with cpu\?\)"):
            engine.play(chess.Board(), Limit(depth=1))


@pytest.mark.parametrize(
    "end",
    ["engine.close()", "with engine: engine.ping()", "engine.analysis(Board()); engine.close()", ""],
)
def test_processes_end_with_the_program(end, tmp_path):
    # The end of its input does not end this engine.
    command = fake(tmp_path, "time.sleep(60)\n")
    script = f"""
from mola.chess import Board
from mola.chess.engine import SimpleEngine

engine = SimpleEngine.popen_uci({command!r})
print(engine.transport.get_pid())
{end}
"""
    program = [sys.executable, "-c", script]
    done = subprocess.run(program, env=ENVIRONMENT, stdout=subprocess.PIPE, timeout=50, check=True)
    with pytest.raises(ProcessLookupError):
        os.kill(int(done.stdout), signal.SIGKILL)


def test_an_engine_whose_child_holds_the_pipe_is_an_error(tmp_path):
    command = ["/bin/sh", "-c", "read line; echo uciok; sleep 30 & exec sleep 30"]
    with engines.SimpleEngine.popen_uci(command) as engine:
        os.kill(engine.transport.get_pid(), signal.SIGKILL)
        begin = time.monotonic()
        with pytest.raises(engines.EngineTerminatedError):
            engine.ping()
        assert time.monotonic() - begin < 5


def test_an_engine_that_never_answers_is_a_timeout(tmp_path):
    silent = [sys.executable, "-c", "import time; time.sleep(60)"]
    with pytest.raises(asyncio.TimeoutError):
        engines.SimpleEngine.popen_uci(silent, timeout=0.3)
    script = "    elif word == 'stop':\n        say('bestmove e2e4')\n"
    with engines.SimpleEngine.popen_uci(fake(tmp_path, script), timeout=0.3) as engine:
        with pytest.raises(asyncio.TimeoutError):
            engine.play(chess.Board(), Limit(time=0.1))
        engine.ping()  # it was stopped, and continues


@pytest.mark.parametrize(
    "answer", ["bestmove e2e5", "bestmove xyz", "bestmove a1a1", "bestmove e7e5"]
)
def test_an_illegal_move_is_an_error_and_no_more(answer, tmp_path):
    script = f"    elif word == 'go':\n        say({answer!r})\n"
    with engines.SimpleEngine.popen_uci(fake(tmp_path, script)) as engine:
        for _ in range(2):
            with pytest.raises(engines.EngineError):
                engine.play(chess.Board(), Limit(depth=1))
            with pytest.raises(engines.EngineError):
                engine.analyse(chess.Board(), Limit(depth=1))
        engine.ping()


@pytest.mark.parametrize("answer", ["bestmove NULL", "bestmove (none)", "bestmove"])
def test_an_engine_may_have_no_move(answer, tmp_path):
    script = f"    elif word == 'go':\n        say({answer!r})\n"
    with engines.SimpleEngine.popen_uci(fake(tmp_path, script)) as engine:
        result = engine.play(chess.Board(), Limit(depth=1))
        assert (result.move, result.ponder) == (None, None)


def test_nonsense_is_passed_over(tmp_path):
    script = """
    elif word == "go":
        sys.stdout.buffer.write(b"\\xff\\xfe\\x00 info\\n" + b"x" * 3_000_000 + b"\\n")
        say("info multipv 999999999 depth 3 pv e2e4 e2e4")
        say("info depth depth depth score cp pv multipv -1 time 99 string")
        say("info")
        say("bestmove e2e4 ponder e2e4")
"""
    with engines.SimpleEngine.popen_uci(fake(tmp_path, script)) as engine:
        result = engine.play(chess.Board(), Limit(depth=1), info=engines.INFO_ALL)
        assert result.move.uci() == "e2e4"
        assert result.ponder is None
        infos = engine.analyse(chess.Board(), Limit(depth=1))
        assert infos.get("time", 0.099) == 0.099


def test_lines_may_be_counted_from_0():
    def lines(library, numbers):
        async def post():
            analysis = library.AnalysisResult()
            for depth, number in enumerate(numbers):
                analysis.post({"multipv": number, "depth": depth, f"line {number}": 1})
            return analysis.multipv

        return asyncio.run(post())

    for numbers in ([0], [0, 1], [0, 1, 2, 0, 1, 2], [2, 0]):
        assert lines(engines, numbers) == lines(chess_engine, numbers)


def test_an_opponent_without_a_name_is_not_announced():
    async def main():
        protocol = engines.UciProtocol()
        mock = engines.MockTransport(protocol)
        mock.expect("uci", ["option name UCI_Opponent type string", "uciok"])
        await protocol.initialize()
        bob = "setoption name UCI_Opponent value none 2000 computer Bob"
        for name, told in ((None, []), ("", []), ("Bob", [bob])):
            opponent = engines.Opponent(name, None, 2000, True)
            await protocol.send_opponent_information(opponent=opponent)
            for line in ["ucinewgame", *told]:
                mock.expect(line)
            mock.expect("isready", ["readyok"])
            mock.expect("position startpos")
            mock.expect("go depth 1", ["bestmove e2e4"])
            await protocol.play(chess.Board(), Limit(depth=1), game=object(), opponent=opponent)
            mock.assert_done()

    asyncio.run(main())


def test_a_mock_answers_expected_pings_at_any_time():
    class Listening(engines.UciProtocol):
        def line_received(self, line):
            self.heard = line

    async def main():
        protocol = Listening()
        mock = engines.MockTransport(protocol)
        mock.expect_ping()
        mock.expect("first")
        assert mock.expected_pings == 1
        protocol.send_line("first")
        protocol.send_line("ping 7")
        await asyncio.sleep(0)
        assert protocol.heard == "pong 7" and mock.expected_pings == 0
        mock.assert_done()
        with pytest.raises(AssertionError, match="unexpected: 'ping 8'"):
            protocol.send_line("ping 8")

    asyncio.run(main())


def test_ctrl_c_stops_the_search():
    program = f"""
import mola.chess as chess
import mola.chess.engine as engines
with engines.SimpleEngine.popen_uci([{MOLA!r}, "uci"], setpgrp=True) as engine:
    print("ready", flush=True)
    try:
        engine.play(chess.Board(), engines.Limit(time=60))
    except KeyboardInterrupt:
        engine.ping()
        print("interrupted", flush=True)
"""
    import subprocess

    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, env=ENVIRONMENT
    )
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=15)[0] == "interrupted\n"
    assert process.returncode == 0


def test_threads_share_an_engine(mola):
    def ask():
        for _ in range(5):
            with contextlib.suppress(asyncio.CancelledError, concurrent.futures.CancelledError):
                mola.play(chess.Board(), Limit(nodes=200))

    in_threads(16, ask, 30)
    mola.ping()


def test_asyncio():
    async def main():
        transport, engine = await engines.popen_uci([MOLA, "uci"])
        board = chess.Board()
        result = await engine.play(board, Limit(nodes=1000))
        assert result.move in board.legal_moves
        with await engine.analysis(board) as analysis:
            async for info in analysis:
                if info.get("depth", 0) > 3:
                    break
        assert (await analysis.wait()).move in board.legal_moves
        # A cancelled task stops the search.
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(engine.play(board, Limit(time=60)), 0.2)
        await engine.ping()
        await engine.quit()
        assert await engine.returncode == 0
        with pytest.raises(engines.EngineTerminatedError):
            await engine.ping()

    asyncio.run(main())


def test_scores():
    order = [Mate(0), Mate(-1), Mate(-99), Cp(-50), Cp(0), Cp(30), Mate(77), Mate(1), MateGiven]
    assert sorted(reversed(order)) == order
    assert [-score for score in order] == sorted((-score for score in order), reverse=True)
    assert Cp(20).wdl().expectation() > 0.5
    assert [str(score) for score in (Cp(3), Cp(-3), Mate(2), Mate(0), MateGiven)] == [
        "+3",
        "-3",
        "#+2",
        "#-0",
        "#+0",
    ]
