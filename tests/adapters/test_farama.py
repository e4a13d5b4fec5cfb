"""SuperSuit's wrappers and PettingZoo's own conversions around the AEC environment: which fit a game of turns."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from pettingzoo.utils import aec_to_parallel, turn_based_aec_to_parallel

from president_env import IllegalMove, Rules, president_v0
from tests.adapters.common import TABLES, Script, needs, script

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of libraries that SuperSuit itself does without
    supersuit = needs("supersuit")

Wrap = Callable[[Any], Any]


def vector(env: Any) -> Any:
    """The observation alone, for the wrappers that take no dictionary; the mask is in the infos as well."""
    return supersuit.observation_lambda_v0(env, lambda seen, _: seen["observation"], lambda space: space["observation"])


def returns_of(env: Any, known: Script) -> list[float]:
    """What every agent earns in the match of the script; each move has to be legal by the mask in the info."""
    earned = dict.fromkeys(env.possible_agents, 0.0)
    env.reset(seed=known.seed)
    for seat, action in zip(known.seats, known.actions, strict=True):
        assert env.agent_selection == f"player_{seat}"
        assert env.last()[4]["action_mask"][action]
        env.step(action)
        for agent, reward in env.rewards.items():
            earned[agent] += reward
    assert all(env.terminations.values())
    return list(earned.values())


ON_DICTIONARIES: dict[str, Wrap] = {
    "reward_lambda_v0": lambda env: supersuit.reward_lambda_v0(env, lambda reward: reward),
    "clip_reward_v0": lambda env: supersuit.clip_reward_v0(env, -1, 1),
    "action_lambda_v1": lambda env: supersuit.action_lambda_v1(env, lambda action, _: action, lambda space: space),
    "pad_action_space_v0": lambda env: supersuit.pad_action_space_v0(env),
    "nan_noop_v0": lambda env: supersuit.nan_noop_v0(env, 0),
    "observation_lambda_v0": vector,
}
ON_VECTORS: dict[str, Wrap] = {
    "dtype_v0": lambda env: supersuit.dtype_v0(env, "float32"),
    "normalize_obs_v0": lambda env: supersuit.normalize_obs_v0(supersuit.dtype_v0(env, "float32")),
    "flatten_v0": lambda env: supersuit.flatten_v0(env),
    "reshape_v0": lambda env: supersuit.reshape_v0(env, (1, *env.observation_space("player_0").shape)),
    "frame_stack_v1": lambda env: supersuit.frame_stack_v1(env, 2),
    "delay_observations_v0": lambda env: supersuit.delay_observations_v0(env, 1),
    "max_observation_v0": lambda env: supersuit.max_observation_v0(env, 2),
    "agent_indicator_v0": lambda env: supersuit.agent_indicator_v0(ON_VECTORS["normalize_obs_v0"](env)),
    "pad_observations_v0": lambda env: supersuit.pad_observations_v0(env),
}


@pytest.mark.parametrize("name", ON_DICTIONARIES)
@pytest.mark.parametrize("table", ["quebec-4", "butt-4"])
def test_wrappers_that_take_the_dictionary(table, name):
    known = script(table)
    env = ON_DICTIONARIES[name](president_v0.env(known.rules))
    assert np.allclose(returns_of(env, known), known.returns)


@pytest.mark.parametrize("name", ON_VECTORS)
@pytest.mark.parametrize("table", ["quebec-4", "butt-4"])
def test_wrappers_that_take_a_vector(table, name):
    known = script(table)
    env = ON_VECTORS[name](vector(president_v0.env(known.rules)))
    assert np.allclose(returns_of(env, known), known.returns)
    assert env.observation_space("player_0").contains(env.observe("player_0"))


@pytest.mark.slow
def test_a_long_match_of_two_decks_in_several_wrappers():
    known = script("norwegian-7")
    env = vector(president_v0.env(known.rules))
    env = supersuit.normalize_obs_v0(supersuit.dtype_v0(supersuit.clip_reward_v0(env, -1, 1), "float32"))
    assert np.allclose(returns_of(env, known), known.returns)


@pytest.mark.parametrize("name", sorted(ON_VECTORS.keys() - {"delay_observations_v0"}))
def test_wrappers_of_vectors_fail_on_the_dictionary(name):
    with pytest.raises((AssertionError, AttributeError, TypeError)):
        play(ON_VECTORS[name], lambda mask: mask.argmax())


def play(wrap: Wrap, choose: Callable[[Any], Any]) -> None:
    env = wrap(president_v0.env("quebec"))
    env.reset(seed=0)
    for _ in range(50):
        env.step(choose(env.last()[4]["action_mask"]))


def test_wrappers_that_repeat_or_invent_moves_make_illegal_ones():
    with pytest.raises(IllegalMove, match="may not play"):
        play(lambda env: supersuit.sticky_actions_v0(env, 0.9), lambda mask: int(mask.argmax()))
    with pytest.warns(UserWarning, match="Taking a random action"), pytest.raises(IllegalMove, match="may not play"):
        play(supersuit.nan_random_v0, lambda _: np.nan)


def test_what_is_for_simultaneous_moves_is_refused():
    for convert in (aec_to_parallel, supersuit.black_death_v3):
        with pytest.raises(AssertionError, match="not generally safe"):
            convert(president_v0.env("quebec"))
    with pytest.raises(AssertionError, match="ParallelEnv"):
        supersuit.pettingzoo_env_to_vec_env_v1(president_v0.env("quebec"))


@pytest.mark.parametrize("table", TABLES)
def test_a_parallel_environment_in_which_one_seat_acts_at_a_time(table):
    known = script(table)
    env: Any = turn_based_aec_to_parallel(president_v0.raw_env(known.rules))
    earned = np.zeros(known.rules.players)
    _, infos = env.reset(seed=known.seed)
    for seat, action in zip(known.seats, known.actions, strict=True):
        assert infos[f"player_{seat}"]["action_mask"][action]
        _, rewards, terminations, _, infos = env.step({f"player_{seat}": action})
        earned += list(rewards.values())
    assert all(terminations.values())
    assert env.agents == []
    assert np.allclose(earned, known.returns)


def test_shapes_and_moves_are_those_of_the_rules():
    rules = Rules.preset("butt")
    env = supersuit.flatten_v0(vector(president_v0.env(rules)))
    assert env.observation_space("player_2").shape == (env.unwrapped.layout.size,)
    assert env.action_space("player_2").n == len(env.unwrapped.table)
