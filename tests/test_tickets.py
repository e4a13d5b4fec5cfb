"""Tickets: a thread that serves makes what was posted, once, and resigns when nothing comes."""

import numpy as np
import pytest
from numba.core import config

from president_env import Games, Rules
from president_env.engine.tickets import NUMBER, SERVES, all_finished, no_tickets, post

pytestmark = pytest.mark.plain


def served(games: Games, tickets: np.ndarray, low: int, high: int) -> None:
    games._serve(tickets, 1, low, high)


def test_a_step_is_posted_served_and_finished():
    alone, shared = Games(Rules.preset("basic"), 4, seed=1), Games(Rules.preset("basic"), 4, seed=1)
    tickets, actions = no_tickets(2), alone.mask.argmax(axis=1)
    alone.step(actions)
    shared._take(actions)
    assert post(tickets, 1) == 0b10, "nobody serves yet, so thread 1 has to be sent for"
    assert not all_finished(tickets)
    served(shared, tickets, 0, 4)
    assert all_finished(tickets)
    assert tickets[:, NUMBER].tolist() == [1, 1]
    assert tickets[1, SERVES] == 0, "it resigned when nothing came"
    assert np.array_equal(shared._buffers[1].observation, alone.observation)
    assert (shared.games == alone.games).all()


def test_who_serves_is_not_sent_for_and_makes_no_step_twice():
    games, tickets = Games(Rules.preset("basic"), 4, seed=1), no_tickets(3)
    assert post(tickets, 0) == 0b110
    tickets[1:, NUMBER] = 1
    before = games.games.copy()
    served(games, tickets, 0, 4)
    assert (games.games == before).all()
    assert post(tickets, 1) == 0b010, "thread 1 has resigned, thread 2 still serves"


@pytest.mark.skipif(config.DISABLE_JIT, reason="plain Python has one thread")
def test_a_step_that_is_broken_off_does_not_hang_the_next(monkeypatch):
    shared, alone = (Games(Rules.preset("basic"), 4, seed=1, num_threads=number) for number in (2, 1))
    pool = shared.team._pool
    assert pool is not None

    def broken(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(pool, "submit", broken)
    with pytest.raises(KeyboardInterrupt):
        shared.step(shared.mask.argmax(axis=1))
    shared.reset(seed=1)
    for _ in range(20):
        actions = alone.mask.argmax(axis=1)
        shared.step(actions)
        alone.step(actions)
    assert np.array_equal(shared.observation, alone.observation)
