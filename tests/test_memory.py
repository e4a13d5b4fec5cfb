"""Memory does not grow with what is played."""

import gc
import os
import tracemalloc
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from numba.core.runtime import _nrt_python, rtsys

from benchmarks.kernels import legal_actions
from president_env import Game, Games, Limits, Rules
from president_env.env import raw_env

STATM = Path("/proc/self/statm")
SHORT = Rules(players=3, ranks="345", suits=2, rounds=2, exchange="best", exchange_cards=(1, 1), scoring="places")
"""Two rounds of two cards each, with the exchange between them."""
MEGABYTE = 2**20


@pytest.fixture(autouse=True, scope="module")
def _compiled_arrays_are_counted() -> Iterator[None]:
    _nrt_python.memsys_enable_stats()
    yield
    _nrt_python.memsys_disable_stats()


def resident() -> int:
    """Bytes of this process in memory; 0 where the system does not tell."""
    return int(STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") if STATM.is_file() else 0


def assert_memory_stays(play: Callable[[], object]) -> None:
    """What the process holds is the same before and after, but for a little; likewise what Python knows to be in use,
    and the arrays that compiled code has made and not given back."""
    gc.collect()
    tracemalloc.start()
    try:
        held, used, stats = resident(), tracemalloc.get_traced_memory()[0], rtsys.get_allocation_stats()
        play()
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] - used <= MEGABYTE / 4
        now = rtsys.get_allocation_stats()
        assert now.alloc - now.free == stats.alloc - stats.free
        assert resident() - held <= 8 * MEGABYTE
    finally:
        tracemalloc.stop()


def play_batch(games: Games, matches: int) -> None:
    """Random moves until so many matches have ended."""
    rng, actions = np.random.default_rng(0), np.zeros(games.num_games, dtype=np.int64)
    while matches > 0:
        legal_actions(games.mask, rng.random(games.num_games), actions)
        games.step(actions)
        matches -= int(np.count_nonzero(games.done))


def play_vector(envs: Any, matches: int) -> None:
    mask = envs.reset()[1]["action_mask"]
    while matches > 0:
        _, _, terminated, _, infos = envs.step(mask.argmax(axis=1))
        mask = infos["action_mask"]
        matches -= int(np.count_nonzero(terminated))


def play_aec(env: Any, matches: int) -> None:
    for seed in range(matches):
        env.reset(seed=seed)
        for _ in env.agent_iter():
            observation, _, terminated, _, _ = env.last()
            env.step(None if terminated else int(observation["action_mask"].argmax()))


def play_games(matches: int) -> None:
    for seed in range(matches):
        game = Game(SHORT, seed=seed)
        while not game.over:
            game.play(game.legal[-1])


@pytest.mark.slow
def test_a_batch_takes_no_more_after_a_million_matches():
    games = Games(SHORT, 4096)
    play_batch(games, 10_000)
    assert_memory_stays(lambda: play_batch(games, 1_000_000))


def test_nor_does_one_on_two_threads_or_of_many_rules():
    for games in (Games(SHORT, 256, num_threads=2), Games([SHORT, Rules()], 256, limits=Limits())):
        play_batch(games, 1_000)
        assert_memory_stays(partial(play_batch, games, 20_000))


@pytest.mark.parametrize("opponents", ["random", "level1"])
def test_nor_the_vector_environment(opponents):
    envs = gymnasium.make_vec("President-v0", num_envs=64, rules=SHORT, opponents=opponents)
    play_vector(envs, 500)
    assert_memory_stays(lambda: play_vector(envs, 5_000))


def test_nor_the_aec_environment():
    env = raw_env(SHORT)
    play_aec(env, 100)
    assert_memory_stays(lambda: play_aec(env, 1_000))


def test_nor_games_that_are_made_and_left():
    play_games(100)
    assert_memory_stays(lambda: play_games(300))


def test_a_leak_would_be_noticed():
    kept: list[Game] = []
    with pytest.raises(AssertionError):
        assert_memory_stays(lambda: kept.extend(Game(SHORT, seed=seed) for seed in range(300)))
