"""President for Tianshou: the environment of one learner, with its mask where Tianshou's DQN looks for it.

    train_envs = DummyVectorEnv([lambda: masked_env(rules="quebec", opponents="easy")] * 8)

Of Tianshou's algorithms those of the DQN family mask; leave `is_double` as it is, since without it the targets are
taken over all moves, illegal ones too. Others sample from all moves: make the environment with `illegal="end"` for
them, or use a library that masks.
"""

from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Dict, MultiBinary
from numpy.typing import NDArray

from president_env.single import President


def masked_env(**arguments: Any) -> "MaskedObservation":
    """The environment that `gymnasium.make("President-v0", …)` makes from the same arguments, with masks."""
    return MaskedObservation(President(**arguments))


class MaskedObservation(gymnasium.ObservationWrapper[dict[str, NDArray[Any]], np.int64, NDArray[np.int8]]):
    """Observations as {"obs": observation, "mask": legal moves, (n,) bool}."""

    def __init__(self, env: President) -> None:
        super().__init__(env)
        self.table, self.layout = env.table, env.layout
        self.action_masks = env.action_masks
        spaces: Any = Dict({"obs": env.observation_space, "mask": MultiBinary(len(env.table))})
        self.observation_space = spaces

    def observation(self, observation: NDArray[np.int8]) -> dict[str, NDArray[Any]]:
        """The observation and the mask of the same moment."""
        return {"obs": observation, "mask": self.action_masks()}
