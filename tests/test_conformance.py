"""The checkers of PettingZoo, Gymnasium and Stable-Baselines3, for every preset at every table it is played at, and for
environments that draw their rules.
"""

import os
import subprocess
import sys
import warnings
from collections.abc import Callable
from typing import Any

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, render_test, seed_test

from president_env import Limits, Rules, president_v0

TABLES = [
    pytest.param(name, players, id=f"{name}-{players}")
    for name in Rules.presets()
    for players in range(Rules.preset_players(name)[0], Rules.preset_players(name)[1] + 1)
]
MANY = [Rules.preset("house", rounds=1), Rules.preset("butt", players=6), Rules.preset("prezident", players=3)]
KNOWN = {
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
}
"""What PettingZoo says of every environment whose observation is a dictionary with an action mask."""


def warnings_of(check: Callable[[], Any]) -> set[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        check()
    return {str(warning.message) for warning in caught}


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_pettingzoo(preset, players):
    def make(**arguments: Any) -> Any:
        return president_v0.env(preset, players=players, **arguments)

    assert warnings_of(lambda: api_test(make(), num_cycles=1000)) == KNOWN
    seed_test(make, num_cycles=500)
    render_test(make)


def test_pettingzoo_without_wrappers():
    assert warnings_of(lambda: api_test(president_v0.raw_env("butt"), num_cycles=1000)) == KNOWN


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_gymnasium_and_stable_baselines(preset, players):
    from stable_baselines3.common.env_checker import check_env as check_env_of_sb3

    made = gymnasium.make("President-v0", rules=preset, players=players, opponents="easy", illegal="end")
    check_env(made.unwrapped)
    check_env_of_sb3(made)


def drawn(rng: Any) -> Rules:
    return MANY[int(rng.integers(len(MANY)))]


@pytest.mark.parametrize("rules", [MANY, drawn], ids=["list", "function"])
def test_pettingzoo_with_many_rule_sets(rules):
    def make(**arguments: Any) -> Any:
        return president_v0.env(rules, limits=Limits(players=6), **arguments)

    assert warnings_of(lambda: api_test(make(), num_cycles=1000)) == KNOWN
    seed_test(make, num_cycles=500)
    render_test(make)


@pytest.mark.parametrize("rules", [MANY, drawn], ids=["list", "function"])
def test_gymnasium_and_stable_baselines_with_many_rule_sets(rules):
    from stable_baselines3.common.env_checker import check_env as check_env_of_sb3

    made = gymnasium.make("President-v0", rules=rules, limits=Limits(players=6), opponents="easy", illegal="end")
    check_env(made.unwrapped)
    check_env_of_sb3(made)


PLAY = """
import hashlib, gymnasium, numpy as np
from president_env import president_v0
digest, chance = hashlib.sha256(), np.random.default_rng(5)
env = president_v0.env("butt", players=5)
env.reset(seed=3)
for agent in env.agent_iter():
    seen, reward, ended, _, info = env.last()
    digest.update(f"{agent} {reward}".encode() + seen["observation"].tobytes() + info["action_mask"].tobytes())
    env.step(None if ended else int(chance.choice(np.flatnonzero(seen["action_mask"]))))
envs = gymnasium.make_vec("President-v0", num_envs=6, rules="house", opponents=["easy", "random", "random"])
seen, infos = envs.reset(seed=4)
for _ in range(100):
    actions = [chance.choice(np.flatnonzero(mask)) for mask in infos["action_mask"]]
    seen, rewards, *ends, infos = envs.step(np.array(actions))
    digest.update(seen.tobytes() + rewards.tobytes() + infos["action_mask"].tobytes())
print(digest.hexdigest())
"""


def test_processes_with_different_hash_seeds_play_the_same_games():
    digests = set()
    for seed in ("0", "12345"):
        surroundings = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(
            [sys.executable, "-c", PLAY], capture_output=True, text=True, env=surroundings, check=True
        )
        digests.add(done.stdout)
    assert len(digests) == 1
