"""The network as an RLModule: illegal moves masked, and weights that go into a policy file."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI, ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn

from president_env.bots.policy import INPUTS, PARTS

MASKED = -1e8
"""Logit of an illegal move: finite, so that p · log p is 0 and not NaN."""
LAYERS: Mapping[str, tuple[int, ...]] = {"trunk": (), "policy": (256, 256), "value": (128, 128)}
"""Widths of the hidden layers, unless `model_config` gives others."""


class TableModule(TorchRLModule, InferenceOnlyAPI, ValueFunctionAPI):
    """A multilayer perceptron over the observation of a seat, with a policy and a value head.

    `model_config` may hold "trunk", "policy" and "value", the widths of hidden layers, and "inputs", which says how an
    observation becomes numbers: "bit_columns", "thresholds", "scaled_columns" and "scale", as in a policy file.
    Without it columns that are 0 or 1 stay as they are, and counts are scaled to 0…1.
    """

    inputs: torch.Tensor

    def setup(self) -> None:
        """Build the layers; called by the constructor."""
        inputs = self.model_config.get("inputs") or inputs_of_space(self.observation_space["observation"])
        for name, dtype in zip(INPUTS, (torch.int64, torch.int8, torch.int64, torch.float32), strict=True):
            self.register_buffer(name, torch.tensor(inputs[name], dtype=dtype))
        widths = {part: self.model_config.get(part, LAYERS[part]) for part in PARTS}
        num_inputs = len(inputs["bit_columns"]) + len(inputs["scaled_columns"])
        self.trunk = nn.Sequential(*_layers(num_inputs, widths["trunk"]))
        features = widths["trunk"][-1] if widths["trunk"] else num_inputs
        self.policy = _head(features, widths["policy"], int(self.action_space.n), gain=0.01)
        self.value = _head(features, widths["value"], 1, gain=1.0)

    def get_non_inference_attributes(self) -> list[str]:
        """What is left out where moves are only chosen."""
        return ["value"]

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, torch.Tensor]:
        features = self._features(batch)
        return {Columns.ACTION_DIST_INPUTS: self._logits(batch, features)}

    def _forward_train(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, torch.Tensor]:
        features = self._features(batch)
        return {Columns.ACTION_DIST_INPUTS: self._logits(batch, features), Columns.EMBEDDINGS: features}

    def compute_values(self, batch: dict[str, Any], embeddings: torch.Tensor | None = None) -> torch.Tensor:
        """(n,) expected rewards of the seats whose views they are, from here to the end of the match."""
        values: torch.Tensor = self.value(self._features(batch) if embeddings is None else embeddings)
        return values.squeeze(1)

    def _features(self, batch: dict[str, Any]) -> torch.Tensor:
        observations = batch[Columns.OBS]["observation"]
        bits = observations.index_select(1, self.bit_columns) >= self.thresholds
        scaled = observations.index_select(1, self.scaled_columns) * self.scale
        features: torch.Tensor = self.trunk(torch.cat((bits.float(), scaled), dim=1))
        return features

    def _logits(self, batch: dict[str, Any], features: torch.Tensor) -> torch.Tensor:
        logits: torch.Tensor = self.policy(features)
        return logits.masked_fill(batch[Columns.OBS]["action_mask"] == 0, MASKED)


def policy_tensors(state: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """The weights under the names of a policy file; `state` is that of a learner's TableModule."""
    tensors = {name: state[name] for name in INPUTS}
    for part in PARTS:
        # layers without weights are counted in the names of a Sequential
        dense = [name for name in state if name.startswith(f"{part}.") and name.endswith(".weight")]
        for index, name in enumerate(sorted(dense, key=lambda name: int(name.split(".")[1]))):
            tensors[f"{part}.{index}.weight"] = state[name]
            tensors[f"{part}.{index}.bias"] = state[name.removesuffix("weight") + "bias"]
    return tensors


def inputs_of_space(space: spaces.Box) -> dict[str, list[Any]]:
    """Columns of 0 and 1 as they are, others scaled by their highest value."""
    bits, counts = np.flatnonzero(space.high == 1).tolist(), np.flatnonzero(space.high > 1).tolist()
    return {
        "bit_columns": bits,
        "thresholds": [1] * len(bits),
        "scaled_columns": counts,
        "scale": [1.0 / int(space.high[column]) for column in counts],
    }


def _layers(num_inputs: int, widths: Sequence[int]) -> list[nn.Module]:
    modules: list[nn.Module] = []
    for width in widths:
        modules += [_linear(num_inputs, width, 2**0.5), nn.ReLU(inplace=True)]
        num_inputs = width
    return modules


def _head(num_inputs: int, widths: Sequence[int], num_outputs: int, gain: float) -> nn.Sequential:
    return nn.Sequential(*_layers(num_inputs, widths), _linear([num_inputs, *widths][-1], num_outputs, gain))


def _linear(num_inputs: int, num_outputs: int, gain: float) -> nn.Linear:
    """A dense layer as PPO likes to begin: orthogonal, and the move's logits near zero."""
    layer = nn.Linear(num_inputs, num_outputs)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer
