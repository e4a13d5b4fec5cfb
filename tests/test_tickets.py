"""Tickets: a step that was posted is made once, by whoever is there, or refused as a whole."""

import signal

import numpy as np
import pytest
from numba.core import config

from president_env import Games, IllegalMove, Rules
from president_env.engine import batch, tickets
from president_env.engine.batch import FINISHED, ILLEGAL, UNFINISHED
from president_env.engine.tickets import BOARD, CHECKED, COUNTS, FIRST_THREAD, MADE, NUMBER, PIECE, SERVES, TAKEN, post

pytestmark = pytest.mark.plain

NUM_GAMES, HALF = 2 * PIECE + 40, PIECE + 20
RANGES = [(0, HALF), (HALF, NUM_GAMES)]
PIECES = 4
"""Two a range."""


@pytest.fixture
def alone() -> Games:
    return Games(Rules.preset("basic"), NUM_GAMES, seed=1)


@pytest.fixture
def shared() -> Games:
    return Games(Rules.preset("basic"), NUM_GAMES, seed=1)


@pytest.fixture
def board(shared: Games) -> np.ndarray:
    """Tickets of two threads, for `shared`, of which neither is there unless a test plays it."""
    return tickets.no_tickets(RANGES)


def take_part(games: Games, board: np.ndarray, place: int) -> int:
    return batch.take_part(board, place, *games._compiled_step)


def same(games: Games, other: Games) -> bool:
    """Whether the step of `games` that filled the second set of buffers is that of `other`."""
    filled = games._buffers[1]
    seen = np.array_equal(filled.observation, other.observation) and np.array_equal(filled.mask, other.mask)
    return seen and bool((games.games == other.games).all())


@pytest.mark.parametrize("place", [0, 1])
def test_one_thread_that_is_there_makes_the_whole_step(alone, shared, board, place):
    actions = alone.mask.argmax(axis=1)
    alone.step(actions)
    assert post(board, 0, actions) == 0b10, "nobody serves yet, so thread 1 has to be sent for"
    assert take_part(shared, board, place) == FINISHED
    assert same(shared, alone)
    assert board[COUNTS, [CHECKED, MADE]].tolist() == [2, PIECES]


def test_a_step_is_made_once_however_often_it_is_taken_part_in(alone, shared, board):
    actions = alone.mask.argmax(axis=1)
    alone.step(actions)
    post(board, 0, actions)
    assert [take_part(shared, board, place) for place in (0, 1, 0)] == [FINISHED] * 3
    assert same(shared, alone)


def test_a_thread_that_serves_makes_what_is_posted_and_resigns_when_nothing_comes(alone, shared, board):
    actions = alone.mask.argmax(axis=1)
    alone.step(actions)
    post(board, 0, actions)
    shared._serve(board, 1)
    assert board[FIRST_THREAD + 1, SERVES] == 0
    assert take_part(shared, board, 0) == FINISHED
    assert same(shared, alone)


def test_who_serves_is_not_sent_for():
    three = tickets.no_tickets([(0, 2), (2, 4), (4, 6)])
    actions = np.zeros(6, dtype=np.int64)
    assert post(three, 0, actions) == 0b110
    three[FIRST_THREAD + 1, SERVES] = 0
    assert post(three, 1, actions) == 0b010, "thread 1 has resigned, thread 2 still serves"


def test_a_step_waits_for_a_piece_that_another_has_taken(shared, board):
    actions = shared.mask.argmax(axis=1)
    post(board, 0, actions)
    board[FIRST_THREAD + 1, TAKEN] += 1  # its check
    before = shared.games.copy()
    assert take_part(shared, board, 0) == UNFINISHED
    assert (shared.games == before).all(), "no move before all actions are checked"
    board[COUNTS, CHECKED] += 1
    board[FIRST_THREAD + 1, TAKEN] += 1  # its first games
    assert take_part(shared, board, 0) == UNFINISHED
    assert board[COUNTS, MADE] == PIECES - 1
    board[COUNTS, MADE] += 1
    assert take_part(shared, board, 0) == FINISHED


@pytest.mark.parametrize("row", [0, HALF - 1, HALF, NUM_GAMES - 1])
@pytest.mark.parametrize("action", [-1, "illegal", 10**6])
def test_an_illegal_action_anywhere_refuses_the_whole_step(shared, board, row, action):
    actions = shared.mask.argmax(axis=1)
    actions[row] = shared.mask[row].argmin() if action == "illegal" else action
    before = shared.games.copy()
    post(board, 0, actions)
    assert [take_part(shared, board, place) for place in (1, 0)] == [ILLEGAL] * 2
    assert (shared.games == before).all()
    assert board[COUNTS, MADE] == 0


def test_who_is_late_finds_nothing_of_a_step_that_was_refused(alone, shared, board):
    actions = alone.mask.argmax(axis=1)
    wrong = actions - 1000
    post(board, 0, wrong)
    assert take_part(shared, board, 0) == ILLEGAL
    alone.step(actions)
    post(board, 0, actions)
    assert board[FIRST_THREAD:, TAKEN].tolist() == [board[BOARD, NUMBER] << 32] * 2, "its pieces are gone"
    assert take_part(shared, board, 0) == FINISHED
    assert same(shared, alone)


def test_actions_of_other_types_and_strides_are_taken():
    one, other = Games(Rules.preset("basic"), 5, seed=3), Games(Rules.preset("basic"), 5, seed=3)
    for kind in (np.int8, np.int16, np.int32, np.uint8, np.uint64, ">i8"):
        actions = one.mask.argmax(axis=1)
        one.step(actions)
        other.step(np.repeat(actions.astype(kind), 3)[::3])
        assert np.array_equal(one.observation, other.observation)
    other.step(one.mask.argmax(axis=1).tolist())


@pytest.mark.skipif(config.DISABLE_JIT, reason="plain Python has one thread")
def test_threads_step_on_after_an_illegal_action():
    shared, alone = (Games(Rules.preset("basic"), 300, seed=1, num_threads=number) for number in (2, 1))
    for k in range(60):
        actions = alone.mask.argmax(axis=1)
        if k % 3 == 0:
            wrong = actions.copy()
            wrong[k * 5] = -7
            with pytest.raises(IllegalMove, match=f"game {k * 5}: action -7"):
                shared.step(wrong)
        shared.step(actions)
        alone.step(actions)
        assert np.array_equal(shared.observation, alone.observation)
        assert np.array_equal(shared.rewards, alone.rewards)


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


@pytest.mark.skipif(config.DISABLE_JIT or not hasattr(signal, "setitimer"), reason="needs threads and timers")
@pytest.mark.parametrize(("num_games", "num_threads"), [(2, 2), (300, 4), (1024, 2)])
def test_whenever_a_step_is_broken_off_the_batch_begins_anew(num_games, num_threads):
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    shared = Games(Rules.preset("basic"), num_games, seed=1, num_threads=num_threads)
    alone = Games(Rules.preset("basic"), num_games, seed=1)
    usual = signal.signal(signal.SIGALRM, interrupted)
    try:
        for k in range(12):
            with pytest.raises(KeyboardInterrupt):  # noqa: PT012 (it may come at any of the steps)
                signal.setitimer(signal.ITIMER_REAL, 0.0005 + k * 0.0001)
                while True:
                    shared.step(shared.mask.argmax(axis=1))
            for batch_of in (shared, alone):
                batch_of.reset(seed=k)
                for _ in range(5):
                    batch_of.step(batch_of.mask.argmax(axis=1))
            assert np.array_equal(shared.observation, alone.observation)
            assert (shared.games == alone.games).all()
    finally:
        signal.signal(signal.SIGALRM, usual)
