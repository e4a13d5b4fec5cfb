"""Tianshou: DQN with masks in one seat, and what its PettingZooEnv does with all of them."""

import itertools
import re
import runpy
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from president_env import president_v0
from president_env.moves import move_table
from president_env.observation import observation_layout
from tests.adapters.common import TABLES, Script, needs, script
from tests.adapters.replaying import Replay

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of what its own libraries no longer like
    needs("tianshou")
    import torch
    from tianshou.algorithm import DQN
    from tianshou.algorithm.algorithm_base import Policy
    from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
    from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
    from tianshou.algorithm.optim import AdamOptimizerFactory
    from tianshou.data import Batch, Collector, CollectStats, ReplayBuffer, VectorReplayBuffer
    from tianshou.env import DummyVectorEnv
    from tianshou.env.pettingzoo_env import PettingZooEnv
    from tianshou.utils.net.common import Net
    from tianshou.utils.torch_utils import policy_within_training_step

    from president_env.adapters.tianshou import masked_env

EXAMPLE = Path(__file__).parents[2] / "examples/tianshou_dqn.py"


class Reader(Policy):
    """A policy that makes the moves it is told, each of which has to be legal by the mask."""

    def __init__(self, env: Any, next_move: Callable[[], int]) -> None:
        super().__init__(
            action_space=env.action_space,
            observation_space=env.observation_space,
            action_scaling=False,
            action_bound_method=None,
        )
        self.next_move = next_move

    def forward(self, batch: Any, state: Any = None, **_: Any) -> Any:
        action = self.next_move()
        assert batch.obs.mask[0, action]
        return Batch(act=np.array([action]), state=state)


def read(env: Any, known: Script, next_move: Callable[[], int]) -> tuple[Any, ReplayBuffer]:
    """The result of the one match that is the script, and the buffer it is collected in."""
    buffer = VectorReplayBuffer(len(known.actions), 1)
    collector = Collector[CollectStats](Reader(env, next_move), DummyVectorEnv([lambda: env]), buffer)
    collector.reset(gym_reset_kwargs={"seed": known.seed})
    return collector.collect(n_episode=1), buffer


def q_learning(env: Any, space: Any, **options: Any) -> DQN:
    network = Net(state_shape=space.shape, action_shape=env.action_space.n, hidden_sizes=(64,))
    policy = DiscreteQLearningPolicy(model=network, action_space=env.action_space, eps_training=0.3)
    return DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), gamma=1.0, **options)


# one seat


@pytest.mark.parametrize("table", TABLES)
def test_a_seat_earns_what_the_script_says(table):
    known = script(table)
    for learner in range(known.rules.players if table != "norwegian-7" else 2):
        replay = Replay(known, learner)
        result, _ = read(masked_env(**replay.arguments), known, replay.learn)
        assert replay.over
        assert result.returns == pytest.approx(known.returns[learner])


@pytest.mark.parametrize("table", TABLES)
def test_spaces_are_those_of_the_rules(table):
    rules = TABLES[table]
    env: Any = masked_env(rules=rules)
    assert env.action_space.n == len(move_table(rules))
    assert np.array_equal(env.observation_space["obs"].high, observation_layout(rules).high)
    seen, info = env.reset(seed=2)
    assert env.observation_space.contains(seen)
    assert np.array_equal(seen["mask"], info["action_mask"])


def test_exploring_and_learning_q_values_never_makes_an_illegal_move():
    envs = DummyVectorEnv([lambda: masked_env(rules="butt", opponents="random")] * 4)
    one: Any = masked_env(rules="butt")
    with torch.random.fork_rng():
        algorithm = q_learning(one, one.observation_space["obs"], target_update_freq=20)
        buffer = VectorReplayBuffer(2_000, 4)
        collector = Collector[CollectStats](algorithm, envs, buffer, exploration_noise=True)
        collector.reset(gym_reset_kwargs={"seed": 0})
        with policy_within_training_step(algorithm.policy):
            for _ in range(10):
                collector.collect(n_step=60)
                algorithm.update(buffer=buffer, sample_size=64)
    decisions, _ = buffer.sample(0)
    assert len(decisions) == 600
    assert decisions.obs.mask[np.arange(600), decisions.act].all()


@pytest.mark.slow
def test_the_example_learns(monkeypatch, capsys):
    arguments = {"--rules": "basic", "--opponents": "random", "--decisions": "4000"}
    monkeypatch.setattr(sys, "argv", [str(EXAMPLE), *itertools.chain(*arguments.items())])
    with torch.random.fork_rng():
        runpy.run_path(str(EXAMPLE), run_name="__main__")
    before, after = (float(number) for number in re.findall(r"[+-]\d\.\d+", capsys.readouterr().out))
    assert after > before + 0.2


# all seats


@pytest.mark.parametrize("table", TABLES)
def test_its_pettingzoo_env_pays_every_seat_what_the_script_says(table):
    known = script(table)
    moves = iter(known.actions)
    result, buffer = read(PettingZooEnv(president_v0.raw_env(known.rules)), known, lambda: next(moves))
    assert np.allclose(result.returns, [known.returns])
    assert [f"player_{seat}" for seat in known.seats] == buffer.obs.agent_id.tolist()


@pytest.mark.parametrize(("horizon", "right"), [(1, False), (300, True)])
def test_its_targets_are_right_only_when_they_reach_to_the_end_of_the_match(horizon, right):
    known = script("quebec-4")
    moves = iter(known.actions)
    env = PettingZooEnv(president_v0.raw_env(known.rules))
    _, buffer = read(env, known, lambda: next(moves))
    space = env.observation_space["observation"]
    with torch.random.fork_rng():
        learners = [q_learning(env, space, n_step_return_horizon=horizon) for _ in range(known.rules.players)]
    algorithm = MultiAgentOffPolicyAlgorithm(algorithms=learners, env=env)
    batch, indices = buffer.sample(0)
    targets = algorithm._preprocess_batch(batch, buffer, indices)
    to_come = np.cumsum(buffer.rew[::-1], axis=0)[::-1]
    for seat in range(known.rules.players):
        expected = to_come[np.array(known.seats) == seat, seat]
        assert np.allclose(targets[f"player_{seat}"].returns.flatten(), expected, atol=1e-5) == right
