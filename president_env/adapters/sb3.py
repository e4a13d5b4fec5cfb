"""President for stable-baselines3: its VecEnv over the batch of `president_env.vector`.

    env = PresidentVecEnv(256, rules="quebec", opponents="easy")
    model = MaskablePPO("MlpPolicy", env).learn(1_000_000)

A row is the environment that `gymnasium.make("President-v0", …)` makes from the same arguments, and plays the same
matches as in a DummyVecEnv of these; only that all rows make their step in one compiled call. Masks come from
`env_method("action_masks")`, where sb3-contrib looks for them. The dicts of a step's infos are empty, except in rows
whose match ended.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import Wrapper
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices

from president_env.vector import PresidentVectorEnv

ROW_METHODS = ("action_masks", "render")
"""Methods of the batch that answer for each row."""


class PresidentVecEnv(VecEnv):
    """`num_envs` tables of one learner each; the other arguments are those of `PresidentVectorEnv`."""

    def __init__(self, num_envs: int, **arguments: Any) -> None:
        self.batch = PresidentVectorEnv(num_envs, **arguments)
        super().__init__(num_envs, self.batch.single_observation_space, self.batch.single_action_space)

    def reset(self) -> NDArray[np.int8]:
        """Start matches in all rows: from the seeds that `seed` set, or from what the matches before draw."""
        if any(self._options):
            raise ValueError("options: the rows of a batch take none; gymnasium.make('President-v0') does")
        seeds = [seed for seed in self._seeds if seed is not None]
        observation, infos = self.batch.reset(seed=seeds or None)
        self.reset_infos = _of_rows(infos, range(self.num_envs))
        self._reset_seeds()
        return observation

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Take the learners' moves, (num_envs,) action ids."""
        self._actions = actions

    def step_wait(self) -> tuple[NDArray[np.int8], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Make the moves, and those of the others up to the next decisions; all arrays are fresh."""
        observation, rewards, terminated, truncated, batch_infos = self.batch.step(self._actions)
        done = terminated | truncated
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        ended = np.flatnonzero(done)
        if len(ended):
            for row, info, next_info in zip(
                ended, _of_rows(batch_infos["final_info"], ended), _of_rows(batch_infos, ended), strict=True
            ):
                info["terminal_observation"] = batch_infos["final_obs"][row]
                info["TimeLimit.truncated"] = bool(truncated[row])
                infos[row] = info
                self.reset_infos[row] = next_info
        return observation, rewards.astype(np.float32), done, infos

    def close(self) -> None:
        """Close the batch."""
        self.batch.close()

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """The attribute of the batch, once for each row."""
        return [getattr(self.batch, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Refused: the rows have no attributes of their own."""
        raise AttributeError(f"{attr_name}: the rows of a batch are set up together, by PresidentVecEnv(…)")

    def env_method(
        self, method_name: str, *method_args: Any, indices: VecEnvIndices = None, **method_kwargs: Any
    ) -> list[Any]:
        """What `action_masks` or `render` return for each row; other methods are refused."""
        if method_name not in ROW_METHODS:
            raise AttributeError(f"{method_name}: the rows of a batch have only {' and '.join(ROW_METHODS)}")
        answers = getattr(self.batch, method_name)(*method_args, **method_kwargs)
        return [answers[row] for row in self._get_indices(indices)]

    def env_is_wrapped(
        self, wrapper_class: type[Wrapper[Any, Any, Any, Any]], indices: VecEnvIndices = None
    ) -> list[bool]:
        """False for every row."""
        return [False for _ in self._get_indices(indices)]


def _of_rows(infos: dict[str, Any], rows: Sequence[int] | NDArray[np.intp]) -> list[dict[str, Any]]:
    """The info of each of these rows, as the single environment has it."""
    return [{"action_mask": infos["action_mask"][row], "seat": int(infos["seat"][row])} for row in rows]
