"""`mola.env`: the reinforcement learning environment in process, against PettingZoo itself.

`$ENV_GAMES` is how many random games are compared (default 25, some 15 seconds).
"""

import os
import random
import time

import python_package  # first: it puts `mola` on the path
import pytest
from engine import ROOT
from threads import in_threads

np = pytest.importorskip("numpy")
pytest.importorskip("pettingzoo", reason="PettingZoo is not installed")
os.environ["SDL_VIDEODRIVER"] = "dummy"

from pettingzoo.classic import chess_v6
from pettingzoo.test import api_test, render_test, seed_test

import mola.chess as chess
import mola.env
from mola.env import ACTIONS, Games, VecEnv

GAMES = int(os.environ.get("ENV_GAMES", "25"))
SEED = int(os.environ.get("SEED", time.time()))
BOTH = ("player_0", "player_1")


def same(ours, theirs) -> bool:
    """Compares two environments from outside."""
    for name in ("agents", "agent_selection", "rewards", "terminations", "truncations", "infos"):
        # Also the types: the reward of an illegal action is a float, all others are integers.
        assert repr(getattr(ours, name)) == repr(getattr(theirs, name)), name
    assert repr(ours.unwrapped._cumulative_rewards) == repr(theirs.unwrapped._cumulative_rewards)
    for agent in BOTH:
        a, b = ours.observe(agent), theirs.observe(agent)
        for key in ("observation", "action_mask"):
            assert a[key].dtype == b[key].dtype
            assert np.array_equal(a[key], b[key]), (agent, key)
    return True


def action_of(env, move: str) -> int:
    """The action of a legal move, in the position of an environment."""
    games = Games(1, fen=env.unwrapped.board.fen())
    games.reset()
    return next(action for action in range(ACTIONS) if games.move(action) == move)


@pytest.mark.timeout(7200)
@pytest.mark.filterwarnings("ignore")
def test_random_games():
    """New games to their end, and one in twenty to an illegal action, with the steps of dead agents."""
    print(f"SEED={SEED}")
    chance = random.Random(SEED)
    ours, theirs = mola.env.env(), chess_v6.env()
    for game in range(GAMES):
        ours.reset()
        theirs.reset()
        lost_at = chance.randrange(60) if game % 20 == 0 else None
        ply = 0
        while theirs.agents and same(ours, theirs):
            observation, reward, terminated, truncated, _ = theirs.last()
            assert repr(ours.last()[1:4]) == repr((reward, terminated, truncated))
            assert ours.unwrapped.board.fen() == theirs.unwrapped.board.fen()
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
    api_test(mola.env.env(), num_cycles=300)
    seed_test(mola.env.env, num_cycles=100)
    render_test(mola.env.env, custom_tests={"svg": lambda text: text.startswith("<svg")})


def test_pictures():
    env = mola.env.env(render_mode="rgb_array", screen_height=200)
    env.reset()
    first = env.render()
    assert first.shape == (200, 200, 3) and first.dtype == np.uint8
    env.step(77)
    assert not np.array_equal(first, env.render())
    assert env.render().flags.c_contiguous
    assert mola.env.raw_env("rgb_array", 50.0).render().shape == (50, 50, 3)
    with pytest.raises(ValueError, match="screen_height"):
        mola.env.env(screen_height=-5)


@pytest.mark.filterwarnings("ignore")
def test_the_board_has_its_moves():
    """Seven moves, after which a draw by repetition can be claimed."""
    ours, theirs = mola.env.env(), chess_v6.env()
    for env in (ours, theirs):
        env.reset()
        for move in ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"]:
            env.step(action_of(env, move))
    assert ours.terminations["player_0"] and theirs.terminations["player_0"]
    board, theirs = ours.unwrapped.board, theirs.unwrapped.board
    assert isinstance(board, chess.Board) and board.fen() == theirs.fen()
    assert [move.uci() for move in board.move_stack] == [move.uci() for move in theirs.move_stack]
    assert board.result(claim_draw=True) == theirs.result(claim_draw=True) == "1/2-1/2"


def test_ansi_is_that_of_pettingzoo():
    ours, theirs = (make(render_mode="ansi") for make in (mola.env.env, chess_v6.env))
    for env in (ours, theirs):
        env.reset()
        env.step(77)
    assert ours.render() == theirs.render()


def test_misuse_is_refused_as_by_pettingzoo():
    for make in (mola.env.env, chess_v6.env):
        env = make()
        with pytest.raises(Exception, match="reset"):
            env.step(0)
        env.reset()
        with pytest.raises(AssertionError, match="not in action space"):
            env.step(ACTIONS)
        env.close()


@pytest.mark.filterwarnings("ignore")
def test_a_closed_environment_goes_on_as_that_of_pettingzoo():
    for make in (mola.env.env, chess_v6.env):
        env = make()
        env.reset()
        env.step(77)
        env.close()
        assert not env.last()[2]
        env.reset()
        env.step(77)


def test_a_start_that_cannot_be_played_changes_nothing():
    env = mola.env.env()
    env.reset()
    env.step(0)  # illegal
    before = (env.agents, env.terminations, env.rewards, env.unwrapped.board.fen())
    with pytest.raises(ValueError, match="FEN"):
        env.reset(options={"fen": "bad"})
    assert before == (env.agents, env.terminations, env.rewards, env.unwrapped.board.fen())


def test_a_game_that_is_over_at_its_start():
    mate = "7k/5KQ1/8/8/8/8/8/8 b - - 0 1"
    env = mola.env.env()
    env.reset(options={"fen": mate})
    rewards = {}
    for agent in env.agent_iter():
        _, rewards[agent], terminated, _, _ = env.last()
        assert terminated
        env.step(None)
    assert rewards == {"player_0": 1, "player_1": -1}
    envs = VecEnv(2)
    with pytest.raises(ValueError, match="game 1 is over"):
        envs.reset(options={"fens": [chess.STARTING_FEN, mate]})
    with pytest.raises(ValueError, match="^fen: the game is over"):
        VecEnv(2, fen=mate).reset()
    for mask in (np.ones(7, bool), np.ones(0, bool), np.zeros(2, bool)):
        with pytest.raises(ValueError, match="reset_mask"):
            envs.reset(options={"reset_mask": mask})


def test_before_the_first_reset_it_is_pettingzoos():
    for name in ("agents", "agent_selection", "rewards", "terminations", "truncations", "infos"):
        ours, theirs = (getattr(module.raw_env(), name) for module in (mola.env, chess_v6))
        assert ours == theirs, name
    for agent in BOTH:
        ours, theirs = (module.raw_env().observe(agent) for module in (mola.env, chess_v6))
        assert all(np.array_equal(ours[key], theirs[key]) for key in ("observation", "action_mask"))


def test_a_window_shows_two_pictures_a_second():
    env = mola.env.env(render_mode="human", screen_height=80)
    env.reset()
    start = time.monotonic()
    env.step(77)
    env.render()
    assert time.monotonic() - start > 0.8
    env.close()


def test_extensions():
    fen = "4k3/P7/8/8/8/8/8/4K3 b - - 7 30"
    games = Games(2, frames=1, fen=fen, max_plies=1)
    state = games.reset()
    assert state.observations.shape == (2, 8, 8, 20) and state.players.tolist() == [1, 1]
    assert np.argwhere(state.observations[0, :, :, 7]).tolist() == [[6, 0]]
    state = games.step(Games.sample(state, np.random.default_rng(SEED)))
    assert state.truncations.all() and not state.terminations.any()
    env = mola.env.env(frames=1, max_plies=1)
    env.reset(options={"fen": fen})
    assert env.agent_selection == "player_1" and env.unwrapped.board.fen() == fen
    assert env.observation_space("player_1").contains(env.observe("player_1"))
    env.step(int(np.flatnonzero(env.observe("player_1")["action_mask"])[0]))
    assert env.truncations == dict.fromkeys(BOTH, True)


def test_the_board_castles_as_in_chess960():
    env = mola.env.raw_env(fen="1k6/8/8/8/8/8/8/1K4R1 w G - 0 1")
    env.reset()
    moves = {env.games.move(int(action)): action for action in np.flatnonzero(env.observe("player_0")["action_mask"])}
    env.step(int(moves["b1g1"]))
    assert env.board.chess960 and env.board.board_fen() == "1k6/8/8/8/8/8/8/5RK1"


def test_gymnasium_accepts_vectors():
    envs = VecEnv(8, max_plies=40)
    observations, infos = envs.reset(seed=1)
    assert envs.observation_space.contains(observations)
    ended = 0
    for _ in range(120):
        actors, over = infos["player"], None
        actions = envs.sample_legal()
        assert envs.action_masks()[np.arange(8), actions].all() or ended
        observations, rewards, terminations, truncations, infos = envs.step(actions)
        assert rewards.dtype == np.float64 and rewards.shape == (8,)
        assert np.array_equal(rewards, infos["rewards"][np.arange(8), actors])
        ended += int(terminations.sum() + truncations.sum())
    assert envs.observation_space.contains(observations)
    assert ended >= 8
    assert over is None
    envs.close()


def test_what_vectors_return_may_be_changed():
    """As in Gymnasium, unless copies are not wanted."""
    envs, same = VecEnv(2), VecEnv(2, copy=False)
    for each in (envs, same):
        observations, infos = each.reset(seed=1)
        observations["action_mask"][:] = 0
        infos["player"][:] = 1
    assert (envs.action_masks().sum(axis=1) == 20).all() and not same.action_masks().any()
    envs.action_masks()[:] = False
    actions = envs.sample_legal()
    assert envs.action_masks()[np.arange(2), actions].all()
    assert envs.state.players.tolist() == [0, 0] and same.state.players.tolist() == [1, 1]
    _, _, terminations, _, infos = envs.step(actions)
    infos["_player"][:] = False
    assert not terminations.any() and infos["_rewards"].all()


def test_seeds_of_vectors():
    envs = VecEnv(3)

    def play(seed):
        envs.reset(seed=seed)
        return envs.sample_legal().tolist()

    assert play(7) == play(np.int64(7)) and play([1, 2, 3]) == play(np.array([1, 2, 3])) != play([1, 2, 4])
    for seed, error in [("7", TypeError), (7.0, TypeError), ([1, 2, "3"], TypeError), ([1, 2], ValueError)]:
        with pytest.raises(error):
            envs.reset(seed=seed)


def test_options_of_vectors():
    envs = VecEnv(2)
    fen = "4k3/P7/8/8/8/8/8/4K3 b - - 7 30"
    envs.reset(options={"fens": [fen], "reset_mask": np.ones(2, bool)})
    assert [envs.games.fen(game) for game in range(2)] == [fen] * 2
    with pytest.raises(ValueError, match="unknown options of reset: fen;"):
        envs.reset(options={"fen": fen})
    with pytest.raises(ValueError, match="reset_mask: only all games"):
        envs.reset(options={"reset_mask": np.array([True, False])})
    assert envs.games.fen() == fen


def test_arrays_are_not_changed_by_later_steps():
    games = Games(2)
    first = games.reset()
    copies = [array.copy() for array in first]
    games.step(Games.sample(first, np.random.default_rng(SEED)))
    assert all(np.array_equal(a, b) for a, b in zip(first, copies))
    assert first.observations.flags.writeable


def test_wrong_actions_change_nothing():
    games = Games(2)
    games.reset()
    before = games.fen()
    for actions in ([77], [77, ACTIONS], [-1, 77], [[77, 77]], [0.5, 1.0]):
        with pytest.raises(ValueError):
            games.step(actions)
    with pytest.raises(IndexError):
        games.render(2)
    assert games.fen() == before
    state = games.step([77, 0])
    assert state.rewards.tolist() == [[0, 0], [-1, 0]]
    assert state.terminations.tolist() == state.truncations.tolist() == [False, True]


def test_unknown_pictures_are_refused():
    with pytest.raises(ValueError, match="human is not one of"):
        Games(1).render(mode="human")
    for make in (mola.env.env, lambda render_mode: VecEnv(1, render_mode=render_mode)):
        with pytest.raises(ValueError, match="gif is not one of"):
            make(render_mode="gif")


def test_bad_starts_are_told():
    with pytest.raises(ValueError, match="king"):
        Games(1, fen="8/8/8/8/8/8/8/8 w - - 0 1")
    with pytest.raises(ValueError, match="4096"):
        Games(0)
    with pytest.raises(ValueError, match="max_plies: at least 1"):
        Games(1, max_plies=0)
    with pytest.raises(ValueError, match="needed"):
        Games(3).reset([chess.STARTING_FEN] * 2)
    with pytest.raises(TypeError, match="fens: a list"):
        VecEnv(2).reset(options={"fens": chess.STARTING_FEN})


def test_numbers_out_of_range_are_told():
    for games in (-1, 2**70):
        with pytest.raises(ValueError, match="4096 games"):
            VecEnv(games)
    for frames in (-1, 300):
        with pytest.raises(ValueError, match="frames: 8 or 1"):
            Games(1, frames=frames)
    with pytest.raises(ValueError, match="max_plies: at least 1"):
        Games(1, max_plies=-1)
    games = Games(1, max_plies=2**40)
    games.reset()
    for player in (-1, 2, 300):
        with pytest.raises(ValueError, match="player: 0 or 1"):
            games.observe(player)
    for ask in (games.render, games.fen, games.pieces, lambda game: games.move(0, game)):
        for game in (-1, 1, 2**70):
            with pytest.raises(IndexError, match="no such game"):
                ask(game)


def test_threads_share_games():
    games = Games(4)
    state = games.reset()

    def play():
        rng = np.random.default_rng()
        for _ in range(50):
            games.step(rng.integers(0, ACTIONS, 4))
            games.observe(0)

    in_threads(8, play, 30)
    assert state.masks.sum() == 80


@pytest.mark.filterwarnings("ignore")
def test_readme_examples(capsys):
    text = (ROOT / "README.md").read_text().partition("## Reinforcement learning")[2]
    blocks = [block.partition("```")[0] for block in text.split("```python\n")[1:]]
    assert len(blocks) == 3
    for block in blocks:
        exec(block, {})
        assert capsys.readouterr().out
