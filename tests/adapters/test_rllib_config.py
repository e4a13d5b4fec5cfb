"""Configs of runs with RLlib."""

import pytest

from president_env import Rules
from training.rllib_config import load_rllib_config


@pytest.mark.parametrize("name", ["laptop", "workstation", "cluster"])
def test_shipped_configs_are_read(name):
    config = load_rllib_config(f"configs/train/rllib_{name}.yaml")
    assert config.rules == Rules.preset("quebec", players=4, rounds=1)
    assert config.rollout >= config.learning.minibatch


@pytest.mark.parametrize(
    ("override", "words"),
    [
        ("ray.runner=2", "unknown key ray.runner.*runners"),
        ("compute.threads=2", "compute.*ray.runners"),
        ("league.share=0.9", "add up to 1"),
        ("league.every=0", "needs league.every"),
        ("learning.minibatch=99999", "is more than"),
        ("ray.runners=-1", "ray.runners -1 is too small"),
    ],
)
def test_what_is_wrong_in_a_config_is_named(override, words):
    with pytest.raises(ValueError, match=words):
        load_rllib_config("configs/train/rllib_laptop.yaml", [override])
