"""Reinforcement learning: `mola env` and its Python client against PettingZoo itself.

$ENV_GAMES is how many random games are compared (default 25, some 15 seconds).
"""

import json
import os
import random
import signal
import struct
import subprocess
import sys
import time

import numpy as np
import pytest
from engine import ROOT, binary

pytest.importorskip("pettingzoo", reason="PettingZoo is not installed")
os.environ["SDL_VIDEODRIVER"] = "dummy"

from mola_env import ACTIONS, MolaError, VecEnv, aec
from mola_env.server import Server
from pettingzoo.classic import chess_v6
from pettingzoo.test import api_test, render_test, seed_test

GAMES = int(os.environ.get("ENV_GAMES", "25"))
SEED = int(os.environ.get("SEED", time.time()))
BOTH = ("player_0", "player_1")


@pytest.fixture(autouse=True)
def this_mola(monkeypatch):
    monkeypatch.setenv("MOLA", binary())


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
        server = Server(1)
        for ply in range(len(own)):
            state = server.step(game["actions"][ply - 1 : ply]) if ply else server.reset()
            where = f"{path.name}, ply {ply}"
            assert np.array_equal(state.observations[0], own[ply]), where
            assert np.array_equal(server.observe(1 - state.players[0])[0], other[ply]), where
            assert np.array_equal(state.masks[0], masks[ply]), where
            assert np.array_equal(state.rewards[0], game["reward"][ply]), where
            assert (state.terminations[0] == game["term"][ply]).all(), where
            assert (state.truncations[0] == game["trunc"][ply]).all(), where
        server.close()


def same(ours, theirs) -> bool:
    """Whether two environments look the same from outside."""
    for name in ("agents", "agent_selection", "rewards", "terminations", "truncations", "infos"):
        assert getattr(ours, name) == getattr(theirs, name), name
    assert ours.unwrapped._cumulative_rewards == theirs.unwrapped._cumulative_rewards
    for agent in BOTH:
        a, b = ours.observe(agent), theirs.observe(agent)
        for key in ("observation", "action_mask"):
            assert a[key].dtype == b[key].dtype
            assert np.array_equal(a[key], b[key]), (agent, key)
    return True


@pytest.mark.timeout(7200)
@pytest.mark.filterwarnings("ignore")
def test_random_games():
    """Fresh games to their end, and one in twenty to an illegal action, with the dead steps."""
    print(f"SEED={SEED}")
    chance = random.Random(SEED)
    ours, theirs = aec.env(), chess_v6.env()
    for game in range(GAMES):
        ours.reset()
        theirs.reset()
        lost_at = chance.randrange(60) if game % 20 == 0 else None
        ply = 0
        while theirs.agents and same(ours, theirs):
            observation, reward, terminated, truncated, _ = theirs.last()
            assert ours.last()[1:4] == (reward, terminated, truncated)
            if terminated or truncated:
                action = None
            else:
                wanted = 0 if ply == lost_at else 1
                action = int(chance.choice(np.flatnonzero(observation["action_mask"] == wanted)))
            ours.step(action)
            theirs.step(action)
            ply += 1
        assert not ours.agents
    ours.close()


@pytest.mark.filterwarnings("ignore")
def test_pettingzoo_accepts_it():
    api_test(aec.env(), num_cycles=300)
    seed_test(aec.env, num_cycles=100)
    render_test(aec.env, custom_tests={"svg": lambda text: text.startswith("<svg")})


def test_ansi_is_that_of_pettingzoo():
    ours, theirs = (make(render_mode="ansi") for make in (aec.env, chess_v6.env))
    for env in (ours, theirs):
        env.reset()
        env.step(77)
    assert ours.render() == theirs.render()


def test_misuse_is_refused_as_by_pettingzoo():
    env = aec.env()
    with pytest.raises(Exception, match="reset"):
        env.step(0)
    env.reset()
    with pytest.raises(AssertionError, match="not in action space"):
        env.step(ACTIONS)
    env.close()
    with pytest.raises(MolaError, match="closed"):
        env.reset()


# Many games.


def test_batch_is_as_many_games():
    """Each game of a batch goes as it does alone; one that is over starts again."""
    rng = np.random.default_rng(SEED)
    with VecEnv(4, max_plies=30) as batch, VecEnv(1, max_plies=30) as alone:
        state, single = batch.reset(), alone.reset()
        ended = 0
        for _ in range(100):
            for ours, theirs in zip(state[:7], single[:7], strict=True):
                assert np.array_equal(ours[2], theirs[0])
            assert np.array_equal(np.flatnonzero(single.masks), np.sort(single.actions))
            ended += int(state.truncations[2])
            actions = VecEnv.sample(state, rng)
            state, single = batch.step(actions), alone.step(actions[2:3])
        assert ended >= 2


def test_extensions():
    fen = "4k3/P7/8/8/8/8/8/4K3 b - - 7 30"
    with VecEnv(2, fen=fen, frames=1, max_plies=1) as env:
        state = env.reset()
        assert state.observations.shape == (2, 8, 8, 20)
        assert state.players.tolist() == [1, 1]
        # The view is Black's, and so are the rows; White's pawn is in White's channel.
        assert np.argwhere(state.observations[0, :, :, 7]).tolist() == [[6, 0]]
        # 7 plies are 3 moves.
        assert np.flatnonzero(state.observations[0, :, :, 5]).tolist() == [3]
        state = env.step(VecEnv.sample(state, np.random.default_rng(1)))
        assert state.truncations.all() and not state.terminations.any()
        state = env.reset([fen, "4k3/8/8/8/8/8/8/4K2R w K - 0 1"])
        assert state.players.tolist() == [1, 0]
        assert env.render(1).splitlines()[7] == ". . . . K . . R"
        with pytest.raises(MolaError, match="2 needed"):
            env.reset([fen] * 3)
        assert env.render(0).startswith(". . . . k")


def test_wrong_actions_change_nothing():
    with VecEnv(2) as env:
        with pytest.raises(MolaError, match="reset comes first"):
            env.step([77, 77])
        env.reset()
        before = env.render()
        for actions in ([77], [77, ACTIONS], [-1, 77], [[77, 77]]):
            with pytest.raises(ValueError):
                env.step(actions)
        with pytest.raises(MolaError, match="no such game"):
            env.render(2)
        assert env.render() == before
        state = env.step([77, 0])
        assert state.rewards.tolist() == [[0, 0], [-1, 0]]
        assert state.terminations.tolist() == state.truncations.tolist() == [False, True]


def test_a_bad_start_is_told():
    with pytest.raises(MolaError, match="king"):
        VecEnv(1, fen="8/8/8/8/8/8/8/8 w - - 0 1").reset()
    with pytest.raises(MolaError, match="4096"):
        VecEnv(0).reset()
    with pytest.raises(FileNotFoundError):
        VecEnv(1, mola="no-such-engine")


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
    with VecEnv(1) as env:
        env.reset()
        state = env.step([77])
        for player, reply in ((1, observed), (0, white)):
            bits = np.unpackbits(np.frombuffer(bytes.fromhex(reply["observation"]), np.uint8))
            assert np.array_equal(bits.reshape(1, *reply["shape"]), env.observe(player))
        assert np.array_equal(env.observe(1), state.observations)
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
    replies = session('{"cmd":"step","action":77}', *bad, '{"cmd":"reset"}', *bad, '{"cmd":"mask"}')
    assert replies[0] == {"error": "reset comes first"}
    errors, started, again, mask = replies[1:17], replies[17], replies[18:34], replies[34]
    assert all(set(reply) == {"error"} for reply in errors + again)
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
            # A zombie of a killed parent is init's.
            with open(f"/proc/{pid}/stat") as file:
                if file.read().split()[2] == "Z":
                    return True
        except FileNotFoundError:
            return True
        time.sleep(0.05)
    return False


def test_a_killed_parent_leaves_no_orphan():
    script = (
        "import time; from mola_env import VecEnv; env = VecEnv(2); env.reset();"
        "print(env._server._process.pid, flush=True); time.sleep(60)"
    )
    path = {**os.environ, "PYTHONPATH": str(ROOT / "toolbox/env/python")}
    parent = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, env=path)
    pid = int(parent.stdout.readline())
    assert os.path.exists(f"/proc/{pid}")
    parent.kill()
    parent.wait()
    assert wait_for_end(pid)


def test_a_killed_engine_is_told():
    env = VecEnv(2)
    env.reset()
    os.kill(env._server._process.pid, signal.SIGKILL)
    with pytest.raises(MolaError, match="ended"):
        env.step([77, 77])
    with pytest.raises(MolaError, match="closed"):
        env.step([77, 77])


def test_closing_twice():
    env = VecEnv(1)
    pid = env._server._process.pid
    env.close()
    env.close()
    assert wait_for_end(pid)


# What the README says.


@pytest.mark.filterwarnings("ignore")
def test_readme_examples(capsys):
    text = (ROOT / "README.md").read_text().partition("## Reinforcement learning")[2]
    blocks = [block.partition("```")[0] for block in text.split("```python\n")[1:]]
    assert len(blocks) == 2
    for block in blocks:
        exec(block, {})
    assert capsys.readouterr().out
