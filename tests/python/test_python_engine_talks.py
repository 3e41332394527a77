"""`mola.chess.engine` against that of python-chess: both talk with the same scripted engines."""

import asyncio
import importlib
import logging
import re

import python_package  # first: it puts `mola` on the path
import chess
import chess.engine
import chess.variant
import pytest

import mola.chess
import mola.chess.engine
import mola.chess.variant

FEATURES = 'feature ping=1 setboard=1 usermove=1 analyze=1 myname="Fake" variants="normal,atomic" done=1'


class Scripted(asyncio.SubprocessTransport):
    """An engine that answers commands by fixed lines, and may wait for some seconds between them."""

    def __init__(self, protocol, answers):
        super().__init__()
        self.protocol = protocol
        self.answers = answers
        self.lines = []
        self.tasks = []
        protocol.connection_made(self)

    def get_pid(self):
        return 1

    def get_returncode(self):
        return 0

    def get_pipe_transport(self, fd):
        return self

    def write(self, data):
        line = data.decode().rstrip("\n")
        word = line.split()[0]
        self.lines.append("ping" if word == "ping" else line)
        answer = [line.replace("ping", "pong")] if word == "ping" else self.answers.get(word, [])
        self.tasks.append(asyncio.ensure_future(self.say(answer)))

    async def say(self, answer):
        for part in answer:
            if isinstance(part, str):
                self.protocol.pipe_data_received(1, part.encode("latin1") + b"\n")
            else:
                await asyncio.sleep(part)


async def talk(chess, protocol, answers, action):
    """What an action in one of the libraries gives or raises, and what the engine has heard."""
    engine = getattr(chess.engine, protocol)()
    transport = Scripted(engine, answers)
    await engine.initialize()
    try:
        outcome = shown(await asyncio.wait_for(action(chess, engine), 10))
    except chess.engine.EngineError as error:
        # The libraries find out at different times.
        outcome, transport.lines = f"EngineError: {error}", []
    engine.connection_lost(None)
    return shown(engine.id), outcome, transport.lines


def shown(value):
    return re.sub("0x[0-9a-f]+", "", repr(value))


def told(caplog):
    """The warnings and errors of the log, and how the talk has ended."""
    records = caplog.record_tuples
    return [
        (level, text) for _, level, text in records if level >= logging.WARNING or "Connection lost" in text
    ]


def play(limits, board="", **options):
    def action(chess, engine):
        options.setdefault("info", chess.engine.INFO_ALL)
        return engine.play(moved(chess, board), chess.engine.Limit(**limits), **options)

    return action


def moved(chess, moves):
    """The board after moves in UCI notation."""
    board = chess.Board()
    for move in moves.split():
        board.push(chess.Move.from_uci(move))
    return board


def analyse(**limits):
    async def action(chess, engine):
        analysis = await engine.analysis(chess.Board(), chess.engine.Limit(**limits))
        return [info async for info in analysis], await analysis.wait()

    return action


async def ping(chess, engine):
    await engine.ping()


async def opponent(chess, engine):
    bob = chess.engine.Opponent("Bob", "GM", 2000, True)
    await engine.play(chess.Board(), chess.engine.Limit(depth=1), opponent=bob)


async def opponent_of_a_game(chess, engine):
    """Names the opponent with a move, but not in an analysis and the result."""
    bob = chess.engine.Opponent("Bob", "GM", 2000, True)
    limit = chess.engine.Limit(depth=1)
    best = await engine.play(chess.Board(), limit, game=1, opponent=bob)
    board = moved(chess, best.move.uci())
    analysis = await engine.analysis(board, limit, game=1)
    await analysis.wait()
    await engine.send_game_result(board, chess.BLACK, "White resigns")


async def features(chess, engine):
    return sorted(engine.features.items()), sorted(engine.options)


def analyse_lines(chess, engine):
    return engine.analysis(chess.Board(), chess.engine.Limit(depth=1), multipv=2)


async def results(chess, engine):
    """Tells the ends of games."""
    variant = importlib.import_module(f"{chess.__name__}.variant")
    boards = [
        chess.Board("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"),
        chess.Board("k7/2Q5/1K6/8/8/8/8/8 b - - 0 1"),
        chess.Board("k7/8/1K6/8/8/8/8/7R w - - 100 90"),
        chess.Board("k7/8/1K6/8/8/8/8/7R w - - 150 90"),
        moved(chess, "g1f3 g8f6 f3g1 f6g8 " * 2),
        variant.AtomicBoard("rnbqkb1r/pppp1ppp/8/4p3/8/8/PPPP1PPP/RNBQ1B1R b kq - 0 1"),
        chess.Board(),
    ]
    for board in boards:
        await engine.send_game_result(board)
    await engine.send_game_result(chess.Board(), chess.BLACK, "Time forfeit")
    await engine.send_game_result(chess.Board(), game_ending="agreed")
    await engine.send_game_result(chess.Board(), game_complete=False)


XBOARD = {
    "resigns and writes the result": (play({"depth": 1}), {"go": ["resign", "0-1 {White gives up}"]}),
    "writes that the other one has won": (play({"depth": 1}), {"go": ["1-0 {Black resigns}"]}),
    "has no node limit": (play({"nodes": 100}), {"protover": [FEATURES.replace("done", "nps=0 done")]}),
    "nodes and an increment": (play({"nodes": 100, "white_inc": 1}), {}),
    "empty clocks": (play({"white_clock": 0.0, "black_clock": 0.0}), {}),
    "wants SAN": (play({"depth": 1}, "g1f3"), {"protover": [FEATURES.replace("done", "san=1 done")]}),
    "wants to be ended": (
        play({"depth": 1}),
        {"protover": [FEATURES.replace("done", "reuse=0 sigterm=0 done")]},
    ),
    "has a name in single quotes": (ping, {"protover": [FEATURES.replace('"Fake"', "'Fake 1'")]}),
    "gives a hint": (play({"depth": 1}), {"go": ["move e2e4", "Hint: e7e5", "Hint: d7d5"]}),
    "gives a hint before its move": (play({"depth": 1}), {"go": ["Hint: e2e4", "move e2e4"]}),
    "gives an illegal hint": (play({"depth": 1}), {"go": ["move e2e4", "Hint: e2e4"]}),
    "writes less in a later line": (
        play({"depth": 2}),
        {"go": ["1 10 5 20 4 1000 0\te4", "2 15 6 40 e4 e5", "move e2e4"]},
    ),
    "writes numbers of moves": (play({"depth": 1}), {"go": ["1 10 5 20 Nf3 2 Nc6 3. d4", "move g1f3"]}),
    "is mated, then mates": (
        analyse(mate=3),
        {"analyze": ["1 -100002 5 20 e4 e5", 0.05, "2 100004 5 20 e4", 0.05, "3 100003 5 20 d4", 0.05, "4 1 1 1 a3"]},
    ),
    "fails low at the end": (analyse(depth=2), {"analyze": ["1 13 5 20 e4 e5", "2 13 5 20 (fail low)"]}),
    "hears the opponent's name": (opponent, {}),
    "does not": (opponent, {"protover": [FEATURES.replace("done", "name=0 done")]}),
    "hears the opponent's name once a game": (opponent_of_a_game, {"analyze": ["1 13 5 20 e5"]}),
    "hears how games end": (results, {}),
    "has a feature without a value": (features, {"protover": [FEATURES.replace('"normal,atomic"', "")]}),
    "has an option after it": (
        features,
        {"protover": ['feature egt= option="Style -combo A /// *B"', FEATURES]},
    ),
    "chats": (
        play({"depth": 1}),
        {"go": ["# comment", "tellics hello", "1 10 5 20 e4", "# \xff", "move e2e4", "1. ... x"]},
    ),
    "chats in analysis": (analyse(depth=1), {"analyze": ["# comment", "hello", "1 10 5 20 e4"]}),
}

UCI = {
    "after a null move": (play({"depth": 1}, "e2e4 0000"), {}),
    "chats": (
        play({"depth": 1}),
        {
            "isready": ["hello", "readyok"],
            "go": ["", "hello", "info depth 1", "info \xff", "readyok", "bestmove e2e4"],
        },
    ),
    "chats in analysis": (analyse(depth=1), {"go": ["hello", "readyok", "info depth 1", "bestmove e2e4"]}),
    "chats before its answer": (ping, {"isready": ["hello", "info string x", "readyok"]}),
    "has no option to ponder": (play({"depth": 1}, options={"Ponder": True}), {}),
    "has no option for lines": (analyse_lines, {"uci": ["option name Hash type string", "uciok"]}),
    "expects an illegal move": (play({"depth": 1}), {"go": ["bestmove e2e4 ponder e2e4"]}),
}


def compare(caplog, protocol, answers, action):
    caplog.set_level(logging.DEBUG, "chess.engine")
    heard = []
    for library in (chess, mola.chess):
        caplog.clear()
        heard.append((*asyncio.run(talk(library, protocol, answers, action)), told(caplog)))
    theirs, ours = heard
    for expected, got in zip(theirs, ours):
        assert got == expected


@pytest.mark.parametrize("name", list(XBOARD))
def test_xboard(caplog, name):
    action, answers = XBOARD[name]
    usual = {"protover": [FEATURES], "go": ["1 13 5 20 e4 e5", "move h2h3"]}
    compare(caplog, "XBoardProtocol", usual | answers, action)


@pytest.mark.parametrize("name", list(UCI))
def test_uci(caplog, name):
    action, answers = UCI[name]
    usual = {"uci": ["id name Fake", "uciok"], "isready": ["readyok"], "go": ["bestmove e7e5"]}
    compare(caplog, "UciProtocol", usual | answers, action)


def test_the_clock_runs_before_pondering():
    answers = {"uci": ["uciok"], "isready": ["readyok"], "go": [0.5, "bestmove e2e4 ponder e7e5"]}
    action = play({"white_clock": 3, "black_clock": 3, "white_inc": 1, "black_inc": 1}, ponder=True)
    for library in (chess, mola.chess):
        _, _, lines = asyncio.run(talk(library, "UciProtocol", answers, action))
        go = re.fullmatch(r"go ponder wtime (\d+) btime 4000 winc 1000 binc 1000", lines[-1])
        assert go and int(go[1]) <= 3510, lines[-1]


def test_an_identification_without_a_key_is_none():
    answers = {"uci": ["id", "uciok"], "isready": ["readyok"]}
    assert asyncio.run(talk(mola.chess, "UciProtocol", answers, ping))[0] == "{}"


@pytest.mark.parametrize("engine", [chess.engine, mola.chess.engine], ids=["chess", "mola"])
def test_maps_of_options_equal_dictionaries_with_the_same_names(engine):
    options = engine.UciOptionMap({"Hash": 2, "x": 3})
    assert options == {"Hash": 2, "x": 3} == options
    assert options == engine.UciOptionMap({"hash": 2, "X": 3})
    for other in ({"hash": 2, "x": 3}, {"Hash": 2}, {"Hash": 2, "x": 4}, {"Hash": 2, "x": 3, 4: 5}, 6):
        assert options != other


# Searches of one game, and what the engine must hear of their limits.
CLOCKS = {"white_clock": 60, "black_clock": 60, "clock_id": 1}
LIMITS = [
    ("play", {"depth": 2}, ["new", "sd 2"]),
    ("play", {"depth": 3}, ["sd 3"]),
    ("play", {"time": 1, "depth": 4}, ["st 1", "sd 4"]),
    ("play", {"time": 1}, ["st 1", "sd 127"]),
    ("play", {"time": 2}, ["st 2"]),
    ("play", {"depth": 9}, ["st 3600", "sd 9"]),
    ("play", {"depth": 9}, ["sd 9"]),
    ("play", {"nodes": 9}, ["nps 1", "st 9", "sd 127"]),
    ("play", {"nodes": 8, "depth": 7}, ["nps 1", "st 8", "sd 7"]),
    # Time is counted in nodes until the next game.
    ("play", CLOCKS, ["new", "level 0 1:00 0", "sd 127", "time 6000", "otim 6000"]),
    ("play", CLOCKS, ["time 6000", "otim 6000"]),
    ("play", {"time": 2}, ["st 2"]),
    ("play", CLOCKS, ["level 0 1:00 0", "time 6000", "otim 6000"]),
    ("play", {"depth": 5}, ["st 3600", "sd 5"]),
    ("analyse", {"depth": 5}, []),
    ("analyse", {"depth": 6}, ["sd 127"]),
    ("analyse", {"time": 0.01}, []),
    ("play", {"nodes": 9}, ["nps 1", "st 9"]),
    ("analyse", {"nodes": 9}, ["new"]),
    ("play", {"depth": 5}, ["st 3600", "sd 5"]),
]


def heard(action, answers):
    """The outcome of an action with `mola.chess` and an XBoard engine, and the lines that the engine heard."""
    features = FEATURES.replace("done", "exclude=1 done")
    usual = {"protover": [features], "go": ["move h2h3"], "analyze": ["9 13 5 20 e4 e5"]}
    answers = usual | answers
    _, outcome, lines = asyncio.run(talk(mola.chess, "XBoardProtocol", answers, action))
    return outcome, lines[2:]


def test_xboard_limits_end_with_their_search():
    told = []

    async def searches(chess, engine):
        for name, limits, _ in LIMITS:
            begin = len(engine.transport.lines)
            await getattr(engine, name)(chess.Board(), chess.engine.Limit(**limits))
            lines = engine.transport.lines[begin:]
            told.append((name, limits, [line for line in lines if line.split()[0] in words]))

    words = {"new", "level", "nps", "st", "sd", "time", "otim"}
    heard(searches, {})
    assert told == LIMITS


def test_an_xboard_opponent_and_game_outlive_limits():
    async def searches(chess, engine):
        bob = chess.engine.Opponent("Bob", None, 2000, False)
        nodes, time = chess.engine.Limit(nodes=1), chess.engine.Limit(time=1)
        await engine.play(chess.Board(), nodes, game=1, opponent=bob)
        await engine.play(moved(chess, "h2h3 h7h6"), time, game=1)

    lines = heard(searches, {"go": ["resign"]})[1]
    again = lines[lines.index("go") + 2 :]
    assert again[:7] == [
        "new", "name Bob", "rating 0 2000", "force", "usermove h2h3", "usermove h7h6", "st 1"
    ]


def test_an_xboard_opponent_may_be_named_in_any_case():
    """As any other option, which python-chess refuses."""
    told = {"Computer": True, "RANDOM": True, "Name": "Bob"}
    lines = heard(play({"depth": 1}, options=told), {})[1]
    assert lines[:5] == ["new", "random", "name Bob", "computer", "force"]


def test_xboard_root_moves_end_with_their_analysis():
    async def searches(chess, engine):
        limit = chess.engine.Limit(depth=1)
        for roots in ([chess.Move.from_uci("e2e4")], None, None):
            await engine.analyse(chess.Board(), limit, root_moves=roots)

    lines = heard(searches, {})[1]
    told = [line for line in lines if line.split()[0] in ("exclude", "include", "analyze")]
    assert told == ["exclude all", "include e2e4", "analyze", "include all", "analyze", "analyze"]


def offer_a_draw(chess, engine):
    return engine.play(chess.Board(), chess.engine.Limit(depth=1), draw_offered=True)


def test_an_xboard_engine_need_not_know_draw_offers():
    outcome, lines = heard(offer_a_draw, {"draw": ["Error (unknown command): draw"]})
    assert "move=h2h3" in outcome and "draw" in lines


def test_an_xboard_engine_need_not_know_how_limits_are_lifted():
    async def searches(chess, engine):
        def unknown(*commands):
            errors = {command: [f"Error (unknown command): {command} 1"] for command in commands}
            engine.transport.answers = usual | errors

        async def play(**limits):
            await engine.play(chess.Board(), chess.engine.Limit(**limits))

        usual = engine.transport.answers
        await play(depth=5, time=1)
        unknown("st")
        await play(depth=6)
        unknown("sd")
        await play(time=2)
        unknown()
        await play(depth=3)
        unknown("sd")
        found = await engine.analyse(chess.Board(), chess.engine.Limit(depth=9))
        # What is asked for must be known.
        with pytest.raises(chess.engine.EngineError, match="sd 1"):
            await play(depth=7)
        return found["depth"]

    outcome, lines = heard(searches, {})
    told = [line for line in lines if line.split()[0] in ("st", "sd")]
    assert outcome == "9", outcome
    assert told == ["st 1", "sd 5", "st 3600", "sd 6", "st 2", "sd 127", "st 3600", "sd 3", "sd 127", "sd 7"]


def test_an_xboard_engine_that_cannot_count_nodes_is_asked_once():
    async def searches(chess, engine):
        for _ in range(2):
            with pytest.raises(chess.engine.EngineError, match="nps"):
                await engine.play(chess.Board(), chess.engine.Limit(nodes=10**6))
        return await engine.play(chess.Board(), chess.engine.Limit(depth=1))

    outcome, lines = heard(searches, {"nps": ["Error (unknown command): nps 1"]})
    assert "move=h2h3" in outcome, outcome
    assert lines == ["new", "force", "nps 1", "ping", "new", "force", "sd 1", "nopost", "easy", "go", "ping"]


@pytest.mark.parametrize("answer, word", [(["Error (busy): usermove"], "busy"), ([], None)])
def test_a_search_of_nodes_begins_when_they_are_counted(answer, word):
    async def searches(chess, engine):
        limit = chess.engine.Limit(nodes=9)
        if word:
            with pytest.raises(chess.engine.EngineError, match=word):
                await engine.play(chess.Board(), limit)
            engine.transport.answers = {**engine.transport.answers, "nps": []}
        # One that is cancelled before it begins leaves the engine free.
        search = asyncio.ensure_future(engine.play(chess.Board(), limit))
        while engine.transport.lines[-2:] != ["nps 1", "ping"]:
            await asyncio.sleep(0)
        search.cancel()
        return await engine.play(chess.Board(), limit)

    outcome, lines = heard(searches, {"nps": answer})
    assert "move=h2h3" in outcome, outcome
    assert lines[-7:] == ["nps 1", "ping", "st 9", "nopost", "easy", "go", "ping"]
    assert lines.count("go") == 1


def test_a_move_after_an_error_is_not_that_of_the_next_search():
    async def searches(chess, engine):
        with pytest.raises(chess.engine.EngineError, match="busy"):
            await offer_a_draw(chess, engine)
        return await engine.play(moved(chess, "h2h3"), chess.engine.Limit(depth=1))

    answers = {"draw": ["Error (busy): draw now"], "go": ["move a7a6"], "?": ["move e2e4"]}
    outcome, lines = heard(searches, answers)
    assert "a7a6" in outcome
    assert lines[lines.index("go") : lines.index("usermove h2h3")] == ["go", "?", "force", "ping", "new", "force"]
