"""MaskablePPO of sb3-contrib learns against a random player, many games at a time.

    pip install sb3-contrib
    python maskable_ppo.py [--steps 20000] [--games 32]
"""

import argparse
from typing import Any, List, Optional

import numpy as np
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecEnv as LearnerEnv

from mola.env import ACTIONS, VecEnv


class AgainstRandom(LearnerEnv):
    """Games of `mola.env.VecEnv` in which a random player answers each action of the learner.

    A game that has ended restarts, and the first action is ignored: the learner plays
    White in some games, and Black in others.
    """

    def __init__(self, games: int, max_plies: int = 200) -> None:
        self.games = VecEnv(games, frames=1, max_plies=max_plies)
        seen = self.games.single_observation_space["observation"]
        self.render_mode: Optional[str] = None
        super().__init__(games, spaces.Box(0, 1, seen.shape, np.int8), spaces.Discrete(ACTIONS))

    def reset(self) -> Any:
        observations, _ = self.games.reset()
        return observations["observation"].view(np.int8)

    def step_async(self, actions: Any) -> None:
        self.actions = actions

    def step_wait(self) -> Any:
        every = np.arange(self.num_envs)
        assert self.games.state is not None
        learner = self.games.state.players.copy()
        _, rewards, ended, cut, _ = self.games.step(self.actions)
        over = ended | cut
        observations, _, ended, cut, infos = self.games.step(self.games.sample_legal())
        # Games that were over before the reply have restarted with it.
        rewards = rewards + np.where(over, 0, infos["rewards"][every, learner])
        over = over | ended | cut
        told: List[Any] = [{} for _ in every]
        return observations["observation"].view(np.int8), rewards, over, told

    def action_masks(self) -> Any:
        """The legal actions; in a game that is over, any."""
        masks = self.games.action_masks().copy()
        masks[~masks.any(axis=1)] = True
        return masks

    def env_method(self, name: str, *args: Any, indices: Any = None, **kwargs: Any) -> List[Any]:
        return list(getattr(self, name)(*args, **kwargs))

    def get_attr(self, name: str, indices: Any = None) -> List[Any]:
        return [getattr(self, name)] * self.num_envs

    def set_attr(self, name: str, value: Any, indices: Any = None) -> None:
        setattr(self, name, value)

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> List[bool]:
        return [False] * self.num_envs

    def close(self) -> None:
        self.games.close()


def average_result(model: MaskablePPO, envs: AgainstRandom, steps: int) -> float:
    """The average result of a game, from -1 to 1."""
    observations, results = envs.reset(), []
    for _ in range(steps):
        actions, _ = model.predict(observations, action_masks=envs.action_masks())
        observations, rewards, over, _ = envs.step(actions)
        results.extend(rewards[over])
    return float(np.mean(results)) if results else 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--steps", type=int, default=20_000)
    parser.add_argument("--games", type=int, default=32)
    options = parser.parse_args()
    envs = AgainstRandom(options.games)
    model = MaskablePPO("MlpPolicy", envs, n_steps=64, batch_size=256, seed=1)
    print(f"before: {average_result(model, envs, 200):+.2f}")
    model.learn(options.steps)
    print(f"after {options.steps} steps: {average_result(model, envs, 200):+.2f}")


if __name__ == "__main__":
    main()
