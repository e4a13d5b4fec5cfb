"""The batch of tables as the VecEnv that stable-baselines3 asks for."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv

from president_env import Games


class TablesVecEnv(VecEnv):
    """One column per table; at each step the seat on turn acts, and the reward is the acting seat's alone.

    Self-play reads `batch` for the rewards of the other seats; the rest is there because the base class wants it.
    """

    def __init__(self, batch: Games, seed: int) -> None:
        self.batch = batch
        self.render_mode = None
        self.first_seed = seed
        layout = batch.layout
        super().__init__(
            batch.num_games, spaces.Box(layout.low, layout.high, dtype=np.int8), spaces.Discrete(batch.num_actions)
        )

    def reset(self) -> NDArray[np.int8]:
        self.batch.reset(self.first_seed)
        return self.batch.observation

    def step_async(self, actions: NDArray[np.int64]) -> None:
        self._actions = actions

    def step_wait(self) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], list[dict[str, Any]]]:
        batch = self.batch
        actors = batch.seat.copy()
        batch.step(self._actions)
        rewards = batch.rewards[np.arange(batch.num_games), actors]
        return batch.observation, rewards, batch.done.copy(), [{} for _ in range(batch.num_games)]

    def close(self) -> None:
        pass

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [getattr(self, attr_name)] * len(self._indices(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        setattr(self, attr_name, value)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> Any:
        if method_name == "action_masks":
            return self.batch.mask
        return [getattr(self, method_name)(*args, **kwargs)] * len(self._indices(indices))

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        return [False] * len(self._indices(indices))

    def _indices(self, indices: Any) -> Sequence[int]:
        return list(self._get_indices(indices))
