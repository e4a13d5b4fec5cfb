"""Advantages in self-play: each seat's decisions follow one another, whatever the other seats do in between."""

from typing import Any

import numpy as np
import pytest
from gymnasium import spaces

pytest.importorskip("sb3_contrib")

from training.rollouts import SeatRolloutBuffer

STEPS, TABLES, SEATS, ACTIONS = 7, 5, 3, 4
DISCOUNT, TRACE = 0.9, 0.8


class Recorded:
    """Random play at some tables over several rollouts, kept decision by decision for the slow sum."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.buffer = SeatRolloutBuffer(
            STEPS,
            spaces.Box(0, 100, (2,), np.int8),
            spaces.Discrete(ACTIONS),
            gae_lambda=TRACE,
            gamma=DISCOUNT,
            n_envs=TABLES,
            num_seats=SEATS,
        )
        # per (table, seat): a list of matches, each a list of decisions [number, value, rewards until the next one]
        self.matches: dict[tuple[int, int], list[Any]] = {
            (table, seat): [[]] for table in range(TABLES) for seat in range(SEATS)
        }
        self.number = 0

    def rollout(self):
        """Fill the buffer once; {number of the decision: its advantage} of the samples."""
        self.buffer.reset()
        for _ in range(STEPS):
            seats = self.rng.integers(SEATS, size=TABLES, dtype=np.int8)
            values = self.rng.normal(size=TABLES).astype(np.float32)
            numbers = self.number + np.arange(TABLES)
            self.number += TABLES
            for table, seat in enumerate(seats):
                self.matches[table, int(seat)][-1].append([numbers[table], values[table], 0.0])
            masks = np.ones((TABLES, ACTIONS), dtype=np.int8)
            views = np.stack((numbers % 100, numbers // 100), axis=1).astype(np.int8)
            self.buffer.add(views, masks, seats, numbers % ACTIONS, values, np.zeros(TABLES, dtype=np.float32))
            rewards = self.rng.normal(size=(TABLES, SEATS)).astype(np.float32)
            dones = self.rng.random(TABLES) < 0.2
            for (table, seat), matches in self.matches.items():
                if matches[-1]:
                    matches[-1][-1][2] += rewards[table, seat]
                if dones[table]:
                    matches.append([])
            self.buffer.add_outcome(rewards, dones)
        self.buffer.compute_returns_and_advantage()
        chosen = self.buffer.closed
        views = self.buffer.observations[chosen].astype(int)
        numbers = views[:, 0] + 100 * views[:, 1]
        assert np.allclose(self.buffer.returns[chosen], self.buffer.advantages[chosen] + self.buffer.values[chosen])
        assert (self.buffer.actions[chosen] == numbers % ACTIONS).all()
        return dict(zip(numbers.tolist(), self.buffer.advantages[chosen].tolist(), strict=True))


def slow_advantages(decisions, ended, first):
    """GAE over the decisions of one seat in one match from index `first` on, the last one open unless it ended."""
    advantages = {}
    following_value = following_advantage = 0.0
    for index in reversed(range(first, len(decisions))):
        number, value, reward = decisions[index]
        if index == len(decisions) - 1 and not ended:
            following_value, following_advantage = value, 0.0
            continue
        delta = reward + DISCOUNT * following_value - value
        following_advantage = delta + DISCOUNT * TRACE * following_advantage
        following_value = value
        advantages[int(number)] = following_advantage
    return advantages


@pytest.mark.parametrize("seed", range(5))
def test_advantages_are_those_of_each_seat_alone(seed):
    played = Recorded(seed)
    learned: dict[int, float] = {}
    for _ in range(4):
        advantages = played.rollout()
        assert not advantages.keys() & learned.keys(), "a decision is learned from once"
        expected: dict[int, float] = {}
        for matches in played.matches.values():
            for index, decisions in enumerate(matches):
                ended = index < len(matches) - 1
                first = sum(int(number) in learned for number, _, _ in decisions)
                expected |= slow_advantages(decisions, ended, first)
        assert advantages.keys() == expected.keys()
        for number, advantage in advantages.items():
            assert advantage == pytest.approx(expected[number], abs=1e-4)
        learned |= advantages


def test_all_decisions_are_learned_from_but_the_open_ones():
    played = Recorded(seed=9)
    learned = {number for _ in range(6) for number in played.rollout()}
    opened = {int(matches[-1][-1][0]) for matches in played.matches.values() if matches[-1]}
    assert learned | opened == set(range(played.number))
    assert not learned & opened


def test_minibatches_hold_every_sample_once():
    played = Recorded(seed=1)
    numbers = set(played.rollout())
    seen = []
    for batch in played.buffer.get(6):
        assert len(batch.actions) <= 6
        seen += (batch.observations[:, 0].int() + 100 * batch.observations[:, 1].int()).tolist()
    assert sorted(seen) == sorted(numbers)


def test_state_carries_the_open_decisions_over():
    played, other = Recorded(seed=2), Recorded(seed=2)
    played.rollout()
    other.rollout()
    played.buffer.reset()
    fresh = Recorded(seed=0).buffer
    fresh.restore({name: array.copy() for name, array in played.buffer.state().items()})
    played.buffer = fresh
    assert played.rollout() == other.rollout()
