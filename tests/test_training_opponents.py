"""Bots at some of the training tables: they hold their seats, and only the policy's decisions are learned from."""

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from president_env import Games, Rules, bots
from training.config import Tables, make_config
from training.opponents import TableBots

QUEBEC = Rules.preset("quebec", rounds=1)


def test_one_seat_learns_at_the_tables_of_bots():
    held = TableBots(Tables(number=16, bots=("random", "easy"), bots_share=0.5), 4)
    assert held.learners[:8].all()
    assert held.learners[8:].sum(axis=1).tolist() == [1] * 8
    learning = held.learners[8:].argmax(axis=1).tolist()
    assert learning == [0, 0, 1, 1, 2, 2, 3, 3]


def test_bots_play_their_seats_and_no_others():
    batch = Games(QUEBEC, 16, seed=3)
    held = TableBots(Tables(number=16, bots=("easy",), bots_share=0.5), 4)
    easy = bots.make("easy")
    for _ in range(40):
        actions = np.full(16, -1, dtype=np.int64)
        held.act(batch, actions)
        learns = held.learners[np.arange(16), batch.seat]
        assert (actions[learns] == -1).all()
        others = np.flatnonzero(~learns)
        assert (actions[others] == easy.act_batch(batch, others)).all()
        batch.step(np.where(learns, batch.mask.argmax(axis=1), actions))


def test_decisions_of_bots_are_no_samples():
    from training.algorithm import SelfPlayPPO

    tables = {"number": 8, "steps": 16, "bots": ["random"], "bots_share": 0.5}
    config = make_config({"rules": {"preset": "quebec", "rounds": 1}, "tables": tables, "compute": {"shards": 1}})
    model = SelfPlayPPO(config, Games(config.rules, 8, seed=1))
    buffer = model.rollout_buffer
    buffer.reset()
    batch = model.batch
    for _ in range(16):
        actions, values, log_probs = model.decide(batch.observation, batch.mask)
        model.bots.act(batch, actions)
        buffer.add(batch.observation, batch.mask, batch.seat, actions, values, log_probs)
        batch.step(actions)
        buffer.add_outcome(batch.rewards, batch.done)
    buffer.compute_returns_and_advantage()
    rows, at = np.nonzero(buffer.closed[:16])
    assert model.bots.learners[at, buffer.seats[rows, at]].all()
    assert set(at) == set(range(8))


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ({"bots": ["esy"], "bots_share": 0.1}, "did you mean 'easy'"),
        ({"bots_share": 0.1}, "needs tables.bots"),
        ({"bots": ["easy"], "bots_share": 1.5}, "tables.bots_share 1.5"),
    ],
)
def test_bots_that_cannot_be_meant_are_refused(tables, message):
    with pytest.raises(ValueError, match=message):
        make_config({"rules": {"preset": "quebec"}, "tables": tables})


def test_a_rollout_too_short_to_learn_from_changes_nothing():
    from stable_baselines3.common.logger import Logger

    from training.algorithm import SelfPlayPPO

    tables = {"number": 1, "steps": 1}
    config = make_config({"rules": {"preset": "quebec", "rounds": 1}, "tables": tables, "compute": {"shards": 1}})
    model = SelfPlayPPO(config, Games(config.rules, 1, seed=1))
    model.set_logger(Logger(None, []))
    before = {name: tensor.clone() for name, tensor in model.policy.state_dict().items()}
    model.learn(1)
    assert all((tensor == before[name]).all() for name, tensor in model.policy.state_dict().items())
