"""The network: card counts as thermometers, then a multilayer perceptron with a policy and a value head."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from president_env import Rules
from president_env.observation import LATER_BLOCKS, observation_layout
from training.config import Network

LATER_ROUNDS = LATER_BLOCKS - {"left"} | {"last_place", "round"}
"""Blocks of the observation that tell of earlier rounds and of the exchange; `left` tells of drops as well."""
MASKED = -1e8
"""Logit of an illegal action, the one that sb3-contrib uses: finite, so that p · log p is 0 and not NaN."""


class Inputs(NamedTuple):
    """How an observation becomes the inputs of a network.

    First a bit for each (column, threshold), on when the column reaches the threshold: a count as a thermometer, so
    that "one card left" is an input of its own. Then columns as numbers from 0 to 1.
    """

    bit_columns: list[int]
    thresholds: list[int]
    scaled_columns: list[int]
    scale: list[float]


def inputs_of(rules: Rules, thermometers: Sequence[str]) -> Inputs:
    """The inputs for these rules; blocks that stay zero in a match of one round are left out."""
    inputs = Inputs([], [], [], [])
    for block in observation_layout(rules).blocks:
        if rules.rounds == 1 and block.name in LATER_ROUNDS:
            continue
        # a hand may hold the whole deck in a set-up game, but is not dealt more than this
        high = -(-rules.num_cards // rules.players) if block.name == "hand_size" else block.high
        for column in range(block.start, block.start + block.size):
            if high == 1 or block.name in thermometers:
                inputs.bit_columns.extend([column] * high)
                inputs.thresholds.extend(range(1, high + 1))
            else:
                inputs.scaled_columns.append(column)
                inputs.scale.append(1.0 / high)
    return inputs


class TableFeatures(BaseFeaturesExtractor):
    """The inputs, and behind them the layers that policy and value share, if any."""

    thresholds: torch.Tensor
    bit_columns: torch.Tensor
    scaled_columns: torch.Tensor
    scale: torch.Tensor

    def __init__(self, space: spaces.Box, inputs: Inputs, trunk: Sequence[int]) -> None:
        num_inputs = len(inputs.bit_columns) + len(inputs.scaled_columns)
        super().__init__(space, trunk[-1] if trunk else num_inputs)
        self.register_buffer("bit_columns", torch.tensor(inputs.bit_columns, dtype=torch.int64))
        self.register_buffer("thresholds", torch.tensor(inputs.thresholds, dtype=torch.int8))
        self.register_buffer("scaled_columns", torch.tensor(inputs.scaled_columns, dtype=torch.int64))
        self.register_buffer("scale", torch.tensor(inputs.scale, dtype=torch.float32))
        self.trunk = nn.Sequential(*layers(num_inputs, trunk))

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        bits = observations.index_select(1, self.bit_columns) >= self.thresholds
        scaled = observations.index_select(1, self.scaled_columns) * self.scale
        features: torch.Tensor = self.trunk(torch.cat((bits.float(), scaled), dim=1))
        return features


class TablePolicy(MaskableActorCriticPolicy):
    """sb3-contrib's policy, with the two plain functions that self-play calls from several threads.

    The inherited methods keep the distribution of the last call on the policy, so they serve one thread at a time.
    """

    def logits_and_values(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """(n, D) observations -> (n, A) logits before masking, (n,) values."""
        features = self.features_extractor(observations)
        latent_policy, latent_value = self.mlp_extractor(features)
        return self.action_net(latent_policy), self.value_net(latent_value).squeeze(1)


def layers(num_inputs: int, widths: Sequence[int]) -> list[nn.Module]:
    """Dense layers with ReLU."""
    modules: list[nn.Module] = []
    for width in widths:
        modules += [nn.Linear(num_inputs, width), nn.ReLU(inplace=True)]
        num_inputs = width
    return modules


def policy_kwargs(network: Network, rules: Rules) -> dict[str, Any]:
    """What MaskablePPO needs to build a TablePolicy of this shape."""
    return {
        "net_arch": {"pi": list(network.policy), "vf": list(network.value)},
        "activation_fn": nn.ReLU,
        "features_extractor_class": TableFeatures,
        "features_extractor_kwargs": {
            "inputs": inputs_of(rules, network.thermometers),
            "trunk": list(network.trunk),
        },
        "optimizer_kwargs": {"eps": 1e-5, "fused": True},
    }
