"""Ray's workers play games for training, and RLlib trains in Mola's environment.

    pip install "ray[rllib]" torch
    python ray_workers.py selfplay --games 400 --workers 2 --out data    # by `mola datagen`
    python ray_workers.py random --steps 2000 --workers 2                # the environment as actors
    python ray_workers.py rllib --iterations 2 --workers 2
"""

import argparse
import subprocess
import time
from pathlib import Path
from typing import Any, Dict, Optional, Tuple

import gymnasium
import numpy as np
import ray
from gymnasium import spaces

from mola.env import ACTIONS, VecEnv


@ray.remote(num_cpus=1)
class SelfPlay:
    """Plays one part of all games. A part gives the same file on any machine."""

    def play(self, mola: str, part: int, parts: int, games: int, nodes: int, out: str) -> str:
        name = str(Path(out) / f"games-{part}.data")
        subprocess.run(
            [mola, "datagen", "--games", str(games), "--nodes", str(nodes), "--out", name,
             "--shard", f"{part}/{parts}"],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        return name


@ray.remote(num_cpus=1)
class RandomGames:
    """Many games at a time in one actor; a learner's actor would ask its network for actions."""

    def __init__(self, games: int) -> None:
        self.envs = VecEnv(games, frames=1)
        self.envs.reset(seed=1)

    def play(self, steps: int) -> Tuple[int, int]:
        """The numbers of actions played and games ended."""
        ended = 0
        for _ in range(steps):
            _, _, terminations, truncations, _ = self.envs.step(self.envs.sample_legal())
            ended += int((terminations | truncations).sum())
        return steps * self.envs.num_envs, ended


class AgainstRandom(gymnasium.Env):  # type: ignore[misc,type-arg,unused-ignore]
    """One game against a random player, in the form that RLlib's action masking needs."""

    def __init__(self, config: Optional[Dict[str, Any]] = None) -> None:
        self.games = VecEnv(1, frames=1, max_plies=200)
        size = int(np.prod(self.games.single_observation_space["observation"].shape))
        self.observation_space = spaces.Dict(
            {
                "action_mask": spaces.Box(0.0, 1.0, (ACTIONS,), np.float32),
                "observations": spaces.Box(0.0, 1.0, (size,), np.float32),
            }
        )
        self.action_space = spaces.Discrete(ACTIONS)

    def reset(self, *, seed: Optional[int] = None, options: Any = None) -> Tuple[Any, Dict[str, Any]]:
        super().reset(seed=seed)
        return self._seen(self.games.reset(seed=seed)[0]), {}

    def step(self, action: Any) -> Tuple[Any, float, bool, bool, Dict[str, Any]]:
        seen, rewards, ended, cut, _ = self.games.step([int(action)])
        reward = float(rewards[0])
        if not (ended[0] or cut[0]):
            seen, rewards, ended, cut, _ = self.games.step(self.games.sample_legal())
            reward -= float(rewards[0])
        return self._seen(seen), reward, bool(ended[0]), bool(cut[0]), {}

    @staticmethod
    def _seen(seen: Dict[str, Any]) -> Dict[str, Any]:
        return {
            "action_mask": seen["action_mask"][0].astype(np.float32),
            "observations": seen["observation"][0].astype(np.float32).ravel(),
        }


def selfplay(options: argparse.Namespace) -> None:
    out = Path(options.out).resolve()
    out.mkdir(parents=True, exist_ok=True)
    started = time.perf_counter()
    parts = range(1, options.workers + 1)
    files = ray.get(
        [
            SelfPlay.remote().play.remote(
                options.mola, part, options.workers, options.games, options.nodes, str(out)
            )
            for part in parts
        ]
    )
    seconds = time.perf_counter() - started
    print(f"{options.games} games in {seconds:.1f} s: {', '.join(Path(f).name for f in files)}")


def random(options: argparse.Namespace) -> None:
    actors = [RandomGames.remote(64) for _ in range(options.workers)]
    ray.get([actor.play.remote(1) for actor in actors])
    started = time.perf_counter()
    done = ray.get([actor.play.remote(options.steps) for actor in actors])
    seconds = time.perf_counter() - started
    actions, games = (sum(numbers) for numbers in zip(*done))
    print(f"{actions} actions, {games} games, {actions / seconds:,.0f} actions a second")


def rllib(options: argparse.Namespace) -> None:
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.core.rl_module.rl_module import RLModuleSpec
    from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule

    config = (
        PPOConfig()
        .environment(AgainstRandom)
        .env_runners(num_env_runners=options.workers)
        .rl_module(
            rl_module_spec=RLModuleSpec(
                module_class=ActionMaskingTorchRLModule,
                model_config={"head_fcnet_hiddens": [64]},
            )
        )
        .training(train_batch_size_per_learner=512, minibatch_size=128, num_epochs=2)
    )
    algorithm = config.build_algo()
    for iteration in range(1, options.iterations + 1):
        found = algorithm.train()["env_runners"]
        print(
            f"iteration {iteration}: {found['num_env_steps_sampled_lifetime']:.0f} steps, "
            f"result {found.get('episode_return_mean', float('nan')):+.2f}"
        )
    algorithm.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(required=True)
    for command in (selfplay, random, rllib):
        subparser = commands.add_parser(command.__name__)
        subparser.set_defaults(run=command)
        subparser.add_argument("--workers", type=int, default=2)
        if command is selfplay:
            subparser.add_argument("--mola", default="mola", help="the program")
            subparser.add_argument("--games", type=int, default=400)
            subparser.add_argument("--nodes", type=int, default=500)
            subparser.add_argument("--out", default="data")
        elif command is random:
            subparser.add_argument("--steps", type=int, default=1000)
        else:
            subparser.add_argument("--iterations", type=int, default=2)
    options = parser.parse_args()
    ray.init(num_cpus=options.workers + 1, include_dashboard=False, logging_level="ERROR")
    options.run(options)
    ray.shutdown()


if __name__ == "__main__":
    main()
