"""stable-baselines3 and sb3-contrib: their VecEnv over the batch, and MaskablePPO on it."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.spaces import Box, Discrete

import president_env  # noqa: F401 (registers the environment)
from president_env.moves import move_table
from president_env.observation import observation_layout
from tests.adapters.common import TABLES, needs, script
from tests.adapters.replaying import Replay

needs("sb3_contrib")

from sb3_contrib import MaskablePPO  # noqa: E402
from sb3_contrib.common.maskable.evaluation import evaluate_policy  # noqa: E402
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported  # noqa: E402
from stable_baselines3.common.vec_env import DummyVecEnv, VecMonitor  # noqa: E402

from president_env.adapters.sb3 import PresidentVecEnv  # noqa: E402
from tests.test_vector import assert_same  # noqa: E402


def drawn(env: Any, chance: np.random.Generator) -> np.ndarray:
    masks = get_action_masks(env)
    assert masks.any(axis=1).all()
    return np.asarray((chance.random(masks.shape) * masks).argmax(axis=1))


@pytest.mark.parametrize("table", TABLES)
def test_it_is_as_many_gymnasium_environments(table):
    arguments: dict[str, Any] = {"rules": TABLES[table], "opponents": "random", "max_rounds": 3}
    ours: Any = PresidentVecEnv(4, **arguments)
    theirs: Any = DummyVecEnv([lambda: gymnasium.make("President-v0", disable_env_checker=True, **arguments)] * 4)
    assert (ours.observation_space, ours.action_space) == (theirs.observation_space, theirs.action_space)
    chance, ended, cut = np.random.default_rng(1), 0, 0
    for env in (ours, theirs):
        env.seed(11)
    assert np.array_equal(ours.reset(), theirs.reset())
    for _ in range(250):
        assert np.array_equal(get_action_masks(ours), get_action_masks(theirs))
        actions = drawn(ours, chance)
        *results, infos = ours.step(actions)
        *other_results, other_infos = theirs.step(actions)
        for result, other in zip(results, other_results, strict=True):
            assert_same(result, other)
        for row in range(4):
            assert_same_info(ours.reset_infos[row], theirs.reset_infos[row])
            if results[2][row]:
                assert_same_info(infos[row], other_infos[row])
                ended, cut = ended + 1, cut + infos[row]["TimeLimit.truncated"]
            else:
                assert infos[row] == {}
    assert ended > 4
    assert (cut > 0) == (table == "norwegian-7")  # a match to eleven points


def assert_same_info(ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    assert ours.keys() == theirs.keys()
    for key, value in theirs.items():
        assert np.array_equal(ours[key], value)


@pytest.mark.parametrize("table", TABLES)
def test_every_seat_earns_what_the_script_says(table):
    known = script(table)
    for learner in range(known.rules.players):
        replay = Replay(known, learner)
        env = VecMonitor(PresidentVecEnv(1, **replay.arguments))
        env.seed(known.seed)
        env.reset()
        done, earned = False, 0.0
        while not done:
            action = replay.learn()
            assert get_action_masks(env)[0, action]
            _, rewards, dones, infos = env.step(np.array([action]))
            earned, done = earned + rewards[0], dones[0]
        assert replay.over
        assert earned == pytest.approx(known.returns[learner], abs=1e-5)
        assert infos[0]["episode"]["r"] == pytest.approx(earned)


def test_moves_and_blocks_are_those_of_the_rules():
    env = PresidentVecEnv(2, rules=TABLES["butt-4"])
    table, layout = move_table(TABLES["butt-4"]), observation_layout(TABLES["butt-4"])
    assert env.get_attr("table") == [table, table]
    assert env.get_attr("layout", indices=1) == [layout]
    assert env.action_space == Discrete(len(table))
    assert env.observation_space == Box(layout.low, layout.high, dtype=np.int8)


def test_a_step_leaves_what_was_given_before():
    env = PresidentVecEnv(8, opponents="random")
    env.seed(3)
    chance, seen = np.random.default_rng(3), [env.reset()]
    kept = [seen[0].copy()]
    for _ in range(30):
        env.step_async(drawn(env, chance))
        seen.append(env.step_wait()[0])
        kept.append(seen[-1].copy())
    assert np.array_equal(np.stack(seen), np.stack(kept))


def test_what_rows_of_a_batch_cannot_do_is_refused():
    env = PresidentVecEnv(2, render_mode="ansi")
    env.set_options({"leader": 0})
    with pytest.raises(ValueError, match="options: the rows of a batch take none"):
        env.reset()
    env.set_options()
    env.reset()
    assert is_masking_supported(env)
    assert len(env.env_method("render")) == 2
    assert env.env_is_wrapped(gymnasium.Wrapper, indices=[0]) == [False]
    with pytest.raises(AttributeError, match="seat: the rows of a batch"):
        env.set_attr("seat", 1)
    with pytest.raises(AttributeError, match="have only action_masks and render"):
        env.env_method("reset")


def test_maskable_ppo_learns_on_it():
    env = VecMonitor(PresidentVecEnv(64, rules="basic", opponents="random"))
    model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=512, n_epochs=5, learning_rate=1e-3, seed=0)
    assert abs(mean_reward(model, env)) < 0.2
    model.learn(20_000)
    assert mean_reward(model, env) > 0.4


def mean_reward(model: MaskablePPO, env: VecMonitor) -> float:
    mean, _ = evaluate_policy(model, env, n_eval_episodes=512, deterministic=False)
    return float(np.mean(mean))
