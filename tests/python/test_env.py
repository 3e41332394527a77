"""Reinforcement learning: `mola env`, by JSON lines and binary frames, against PettingZoo.

`$ENV_GAMES` is how many random games are compared in test_python_env.py, a tenth of them here.
"""

import json
import os
import random
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from engine import DEADLINE, binary
from env_server import ACTIONS, Refused, Server, State

GAMES = max(1, int(os.environ.get("ENV_GAMES", "25")) // 10)
SEED = int(os.environ.get("SEED", time.time()))
BOTH = ("player_0", "player_1")


# Against PettingZoo.


def unpacked(rows: np.ndarray, *shape: int) -> np.ndarray:
    bits = np.unpackbits(rows, axis=1)[:, : np.prod(shape)]
    return bits.reshape(-1, *shape)


def test_recorded_games(data):
    """Every ply of the shared games: both views, mask, rewards and flags."""
    files = sorted((data / "env").glob("*.npz"))
    assert files
    for path in files:
        game = np.load(path)
        own, other = (unpacked(game[key], 8, 8, 111) for key in ("obs", "obs_o"))
        masks = unpacked(game["mask"], ACTIONS)
        with Server(1) as server:
            for ply in range(len(own)):
                state = server.step(game["actions"][ply - 1 : ply]) if ply else server.reset()
                where = f"{path.name}, ply {ply}"
                assert np.array_equal(state.observations[0], own[ply]), where
                assert np.array_equal(server.observe(1 - state.players[0])[0], other[ply]), where
                assert np.array_equal(state.masks[0], masks[ply]), where
                assert np.array_equal(state.rewards[0], game["reward"][ply]), where
                assert (state.terminations[0] == game["term"][ply]).all(), where
                assert (state.truncations[0] == game["trunc"][ply]).all(), where


def check(server: Server, state: State, theirs) -> None:
    """Compares a served game with PettingZoo's."""
    for player, agent in enumerate(BOTH):
        seen = theirs.observe(agent)
        assert np.array_equal(server.observe(player)[0], seen["observation"])
        assert state.rewards[0, player] == theirs.rewards[agent]
        assert state.terminations[0] == theirs.terminations[agent]
        assert state.truncations[0] == theirs.truncations[agent]
        if state.players[0] == player:
            assert np.array_equal(state.observations[0], seen["observation"])
            assert np.array_equal(state.masks[0], seen["action_mask"])


@pytest.mark.timeout(7200)
@pytest.mark.filterwarnings("ignore")
def test_random_games(monkeypatch):
    """Fresh games to their end; the step after it starts the next one."""
    pytest.importorskip("pettingzoo", reason="PettingZoo is not installed")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    from pettingzoo.classic import chess_v6

    print(f"SEED={SEED}")
    chance = random.Random(SEED)
    theirs = chess_v6.env()
    with Server(1) as server:
        state = server.reset()
        for _ in range(GAMES):
            theirs.reset()
            check(server, state, theirs)
            while not (state.terminations[0] or state.truncations[0]):
                action = int(chance.choice(np.flatnonzero(state.masks[0])))
                state = server.step([action])
                theirs.step(action)
                check(server, state, theirs)
            state = server.step([0])


# Many games.


def any_legal(state: State, rng: np.random.Generator) -> list[int]:
    """A legal action for each game, and 0 where there is none."""
    legal = map(np.flatnonzero, state.masks)
    return [int(rng.choice(actions)) if len(actions) else 0 for actions in legal]


def test_batch_is_as_many_games():
    """Each game of a batch is the same as alone; a finished game starts again."""
    rng = np.random.default_rng(SEED)
    with Server(4, "--max-plies=30") as batch, Server(1, "--max-plies=30") as alone:
        state, single = batch.reset(), alone.reset()
        ended = 0
        for _ in range(100):
            for ours, theirs in zip(state, single, strict=True):
                assert np.array_equal(ours[2], theirs[0])
            ended += int(state.truncations[2])
            actions = any_legal(state, rng)
            state, single = batch.step(actions), alone.step(actions[2:3])
        assert ended >= 2


def test_extensions():
    fen = "4k3/P7/8/8/8/8/8/4K3 b - - 7 30"
    with Server(2, f"--fen={fen}", "--max-plies=1", frames=1) as server:
        state = server.reset()
        assert state.observations.shape == (2, 8, 8, 20)
        assert state.players.tolist() == [1, 1]
        # The view is Black's, as are the rows; White's pawn is in White's channel.
        assert np.argwhere(state.observations[0, :, :, 7]).tolist() == [[6, 0]]
        # 7 plies are 3 moves.
        assert np.flatnonzero(state.observations[0, :, :, 5]).tolist() == [3]
        state = server.step(any_legal(state, np.random.default_rng(1)))
        assert state.truncations.all() and not state.terminations.any()
        state = server.reset([fen, "4k3/8/8/8/8/8/8/4K2R w K - 0 1"])
        assert state.players.tolist() == [1, 0]
        assert server.render(1).splitlines()[7] == ". . . . K . . R"
        with pytest.raises(Refused, match="2 needed"):
            server.reset([fen] * 3)
        assert server.render(0).startswith(". . . . k")


def test_wrong_actions_change_nothing():
    with Server(2) as server:
        with pytest.raises(Refused, match="reset comes first"):
            server.step([77, 77])
        server.reset()
        before = server.render(0), server.render(1)
        for actions in ([], [77], [77] * 3, [77, ACTIONS], [65535, 77]):
            with pytest.raises(Refused):
                server.step(actions)
        with pytest.raises(Refused, match="half"):
            server.ask(b"s\x4d\0\x4d")
        with pytest.raises(Refused, match="no such game"):
            server.render(2)
        assert (server.render(0), server.render(1)) == before
        state = server.step([77, 0])
        assert state.rewards.tolist() == [[0, 0], [-1, 0]]
        assert state.terminations.tolist() == state.truncations.tolist() == [False, True]


@pytest.mark.parametrize(
    "arguments, said",
    [
        (["--fen=8/8/8/8/8/8/8/8 w - - 0 1"], "king"),
        (["--batch=0"], "4096"),
        (["--batch=4097"], "4096"),
        (["--frames=2"], "8 or 1"),
        (["--max-plies=0"], "max-plies"),
    ],
)
def test_a_bad_start_is_told(arguments, said):
    command = [binary(), "env", *arguments]
    done = subprocess.run(command, input="", capture_output=True, text=True, timeout=20)
    assert done.returncode and said in done.stderr and not done.stdout


# JSON lines.


def session(*lines: str | bytes, args=()) -> list[dict]:
    text = b"\n".join(line if isinstance(line, bytes) else line.encode() for line in lines)
    done = subprocess.run([binary(), "env", *args], input=text, capture_output=True, timeout=20)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_json_session():
    replies = session(
        '{"cmd":"reset"}',
        '{"cmd":"mask"}',
        '{"cmd":"step","action":77}',
        '{"cmd":"observe"}',
        '{"cmd":"observe","player":0}',
        '{"cmd":"mask","player":0}',
        '{"cmd":"render"}',
        '{"cmd":"render","mode":"svg"}',
        '{"cmd":"close"}',
        '{"cmd":"reset"}',
    )
    assert len(replies) == 9
    reset, mask, step, observed, white, none, ansi, svg, closed = replies
    assert reset["player"] == 0 and reset["end"] is None
    assert dict(zip(mask["actions"], mask["moves"], strict=True))[77] == "a2a3"
    assert step["player"] == 1 and step["fen"].startswith("rnbqkbnr/pppppppp/8/8/8/P7/1P")
    with Server(1) as server:
        server.reset()
        state = server.step([77])
        for player, reply in ((1, observed), (0, white)):
            bits = np.unpackbits(np.frombuffer(bytes.fromhex(reply["observation"]), np.uint8))
            assert np.array_equal(bits.reshape(1, *reply["shape"]), server.observe(player))
        assert np.array_equal(server.observe(1), state.observations)
    assert none == {"player": 0, "actions": [], "moves": []}
    assert ansi["render"].startswith("r n b q")
    assert svg["render"].startswith("<svg")
    assert closed == {"closed": True}


def test_json_errors_change_nothing():
    bad = [
        "",
        "reset",
        "{",
        "[]",
        '["reset"]',
        '["step",77]',
        "[" * 100_000,
        b"\xff\x00\xfe",
        '{"cmd":"fly"}',
        '{"cmd":"step"}',
        '{"cmd":"step","action":-1}',
        '{"cmd":"step","action":4672}',
        '{"cmd":"step","action":1e99}',
        '{"cmd":"step","action":77,"action":77}',
        '{"cmd":"observe","player":2}',
        '{"cmd":"reset","fen":"8/8/8/8/8/8/8/8 w - - 0 1"}',
        '{"cmd":"render","mode":"oil"}',
        '{"cmd":"mask"' + " " * (1 << 21) + "}",
    ]
    for action, why in [
        ("-1", "-1 is not an action: 0 to 4671 expected"),
        ("99999999999999999999", "1e+20 is not an action: 0 to 4671 expected"),
        ("1.5", "1.5 is not an action: 0 to 4671 expected"),
        ('"e4"', 'expected a number, found string "e4"'),
    ]:
        (reply,) = session(f'{{"cmd":"step","action":{action}}}')
        assert reply["error"].startswith(why), reply
    replies = session('{"cmd":"step","action":77}', *bad, '{"cmd":"reset"}', *bad, '{"cmd":"mask"}')
    assert replies[0] == {"error": "reset comes first"}
    errors, started, again, mask = replies[1:19], replies[19], replies[20:38], replies[38]
    assert all(set(reply) == {"error"} for reply in errors + again)
    assert {reply["error"] for reply in errors[3:7]} == {"expected an object, found a list"}
    assert "error" not in started
    assert len(mask["actions"]) == 20


def test_json_illegal_action_and_limit():
    lost, over, anew = session(
        '{"cmd":"reset"}', '{"cmd":"step","action":0}', '{"cmd":"step","action":77}', '{"cmd":"reset"}'
    )[1:]
    assert lost["rewards"] == [-1, 0] and lost["end"] == "illegal action"
    assert lost["terminated"] and lost["truncated"]
    assert "over" in over["error"]
    assert anew["end"] is None
    step = session('{"cmd":"reset"}', '{"cmd":"step","action":77}', args=["--max-plies=1"])[1]
    assert step["truncated"] and not step["terminated"] and step["end"] == "ply limit"


# Ends.


def frames(data: bytes) -> subprocess.CompletedProcess:
    return subprocess.run([binary(), "env", "--batch=1"], input=data, capture_output=True, timeout=20)


def test_malformed_frames():
    done = frames(struct.pack("<I", 1 << 31) + b"r")
    assert done.returncode == 1 and b"frame" in done.stdout and b"frame" in done.stderr
    for cut in (b"\x05", b"\x05\0\0\0r"):
        done = frames(cut)
        assert done.returncode == 1 and done.stderr
    done = frames(struct.pack("<I", 1) + b"?" + struct.pack("<I", 1) + b"c")
    assert done.returncode == 0 and b"no such request" in done.stdout


def wait_for_end(pid: int) -> bool:
    for _ in range(100):
        try:
            # The zombie of a killed parent is left to init.
            with open(f"/proc/{pid}/stat") as file:
                if file.read().split()[2] == "Z":
                    return True
        except FileNotFoundError:
            return True
        time.sleep(0.05)
    return False


def test_a_killed_parent_leaves_no_orphan():
    script = (
        "import time; from env_server import Server; server = Server(2); server.reset();"
        "print(server.process.pid, flush=True); time.sleep(60)"
    )
    path = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    parent = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, env=path)
    pid = int(parent.stdout.readline())
    assert os.path.exists(f"/proc/{pid}")
    parent.kill()
    parent.wait()
    assert wait_for_end(pid)


def test_a_killed_engine_is_seen_at_once():
    """Nothing else holds its end of the pipe open."""
    with Server(2) as server:
        server.reset()
        server.process.kill()
        assert server.process.wait(DEADLINE) == -signal.SIGKILL
        assert server.process.stdout.read() == b""


def test_the_end_of_input_is_the_end():
    close = struct.pack("<I", 1) + b"c"
    for data in (b"", close, close + b"more"):
        done = frames(data)
        assert done.returncode == 0 and not done.stderr
