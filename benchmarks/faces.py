"""The faces of the environment as loops to be timed: random legal moves, the choice of the move left out of batches."""

from collections.abc import Callable
from time import perf_counter
from typing import Any

import gymnasium
import numpy as np
from pettingzoo import AECEnv

from benchmarks.kernels import legal_actions, random_rounds, write_only
from president_env import Game, Games, Rules
from president_env.engine.parameters import moves_of
from president_env.env import raw_env

Loop = Callable[[float], tuple[int, float]]
"""Runs for about so many seconds; returns how many decisions it made and the seconds that count."""


def batch(rules: Rules, num_games: int, num_threads: int = 1) -> Loop:
    """`Games`: every decision with observation, mask, rewards and the next match where one ends."""
    games = Games(rules, num_games, seed=1, num_threads=num_threads)
    rng, actions = np.random.default_rng(0), np.zeros(num_games, dtype=np.int64)

    def run(seconds: float) -> tuple[int, float]:
        spent, steps, end = 0.0, 0, perf_counter() + seconds
        while perf_counter() < end:
            legal_actions(games.mask, rng.random(num_games), actions)
            started = perf_counter()
            games.step(actions)
            spent += perf_counter() - started
            steps += 1
        return steps * num_games, spent

    return run


def playouts(rules: Rules) -> Loop:
    """Random rounds in compiled code, the choice of the move included, without observations."""
    games = Games(rules, 1, seed=1)
    moves = moves_of(rules)

    def run(seconds: float) -> tuple[int, float]:
        decisions, started = 0, perf_counter()
        while perf_counter() < started + seconds:
            decisions += random_rounds(games.games, games.parameters, moves, 200)
        return decisions, perf_counter() - started

    return run


def single_game(rules: Rules) -> Loop:
    """`Game`: texts and history, as people and tests use it."""
    rng = np.random.default_rng(0)

    def run(seconds: float) -> tuple[int, float]:
        decisions, started = 0, perf_counter()
        while perf_counter() < started + seconds:
            game = Game(rules, seed=int(rng.integers(2**32)))
            while not game.over:
                legal = game.legal
                game.play(legal[int(rng.random() * len(legal))])
                decisions += 1
        return decisions, perf_counter() - started

    return run


def vector(rules: Rules, num_envs: int) -> Loop:
    """`gymnasium.make_vec`: a learner's decision, the moves of three compiled opponents included."""
    envs: Any = gymnasium.make_vec("President-v0", num_envs=num_envs, rules=rules, opponents="random")
    _, infos = envs.reset(seed=1)
    rng, actions = np.random.default_rng(0), np.zeros(num_envs, dtype=np.int64)
    mask = [infos["action_mask"]]

    def run(seconds: float) -> tuple[int, float]:
        spent, steps, end = 0.0, 0, perf_counter() + seconds
        while perf_counter() < end:
            legal_actions(mask[0], rng.random(num_envs), actions)
            started = perf_counter()
            mask[0] = envs.step(actions)[4]["action_mask"]
            spent += perf_counter() - started
            steps += 1
        return steps * num_envs, spent

    return run


def single(rules: Rules) -> Loop:
    """`gymnasium.make`, without its wrappers: a learner's decision against three random opponents."""
    env: Any = gymnasium.make("President-v0", rules=rules, opponents="random").unwrapped

    def run(seconds: float) -> tuple[int, float]:
        decisions, started = 0, perf_counter()
        _, info = env.reset(seed=1)
        while perf_counter() < started + seconds:
            _, _, terminated, truncated, info = env.step(_first_of_random(info["action_mask"]))
            decisions += 1
            if terminated or truncated:
                _, info = env.reset()
        return decisions, perf_counter() - started

    return run


_RNG = np.random.default_rng(0)


def _first_of_random(mask: np.ndarray) -> int:
    legal = mask.nonzero()[0]
    return int(legal[int(_RNG.random() * len(legal))])


def aec(env: AECEnv) -> Loop:
    """A PettingZoo loop: `last`, a random legal action, `step`."""

    def run(seconds: float) -> tuple[int, float]:
        decisions, started = 0, perf_counter()
        while perf_counter() < started + seconds:
            env.reset(seed=decisions)
            while env.agents:
                observation, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    break
                env.step(_first_of_random(observation["action_mask"]))
                decisions += 1
        return decisions, perf_counter() - started

    return run


def president_aec(rules: Rules) -> Loop:
    """`raw_env`, the AEC environment without wrappers."""
    return aec(raw_env(rules))


class DoNothing(AECEnv):  # type: ignore[misc] # PettingZoo has no types
    """An AEC environment that only does what the API asks for: turns, rewards of 0, fresh observations and masks."""

    metadata = {"name": "do_nothing"}  # noqa: RUF012

    def __init__(self, observed: int = 330, num_actions: int = 66, turns: int = 100) -> None:
        super().__init__()
        self.possible_agents = [f"player_{seat}" for seat in range(4)]
        self.turns, self._observation = turns, np.zeros(observed, dtype=np.int8)
        self._mask = np.zeros(num_actions, dtype=np.int8)
        self._mask[:3] = 1

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode."""
        agents = self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        self.agent_selection, self._turn = agents[0], 0

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """Fresh arrays."""
        return {"observation": self._observation.copy(), "action_mask": self._mask.copy()}

    def step(self, action: int) -> None:
        """Pass the turn on."""
        self._cumulative_rewards[self.agent_selection] = 0
        self._clear_rewards()
        self._turn += 1
        if self._turn == self.turns:
            self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.possible_agents[self._turn % 4]
        self._accumulate_rewards()


def do_nothing() -> Loop:
    """The same loop over an AEC environment that does nothing."""
    return aec(DoNothing())


def writing(num_rows: int = 1024) -> Loop:
    """A compiled loop that only writes an observation of 256 bytes and a mask of 64 a row."""
    observations, masks = np.zeros((num_rows, 256), np.int8), np.zeros((num_rows, 64), np.int8)

    def run(seconds: float) -> tuple[int, float]:
        rows, started = 0, perf_counter()
        while perf_counter() < started + seconds:
            for _ in range(20):
                write_only(observations, masks)
            rows += 20 * num_rows
        return rows, perf_counter() - started

    return run
