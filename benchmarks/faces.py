"""The faces of the environment as loops to be timed: random legal moves.

The batches leave the choice of the moves out of the time, the others leave it in, which is how the AEC environment that
does nothing and the peers are timed too. A game is a match, whatever its number of rounds; a decision of `single` and
`vector` is one of the learner, with the moves of the three others up to its next.
"""

from random import Random
from time import perf_counter
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray
from pettingzoo import AECEnv

from benchmarks.kernels import legal_actions, random_matches, write_only
from benchmarks.timing import Loop, Played
from president_env import Game, Games, Rules
from president_env.engine.parameters import moves_of
from president_env.limits import Limits

MATCHES = 100
"""Played out in one compiled call."""
FEW, SPAN = 8, 1200
"""Games that moments of matches are taken from, and over how many of their decisions."""


def batch(rules: Rules, num_games: int, *, limits: Limits | None = None, num_threads: int = 1) -> Loop:
    """`Games`: every decision with observation, mask, rewards and the next match where one ends."""
    games = Games(rules, num_games, seed=1, limits=limits, num_threads=num_threads)
    games.restore(_moments(rules, num_games, limits))
    rng, actions = np.random.default_rng(0), np.zeros(num_games, dtype=np.int64)

    def run(seconds: float) -> Played:
        spent, steps, ended, end = 0.0, 0, 0, perf_counter() + seconds
        while perf_counter() < end:
            legal_actions(games.mask, rng.random(num_games), actions)
            started = perf_counter()
            games.step(actions)
            spent += perf_counter() - started
            steps += 1
            ended += int(np.count_nonzero(games.done))
        return Played(steps * num_games, ended, spent)

    return run


def _moments(rules: Rules, num_games: int, limits: Limits | None) -> NDArray[np.void]:
    """Records of matches at so many moments, from the first deals to later matches, so that in a batch of them matches
    end and begin at every step, as they do in the long run; a batch that begins all at once takes long to get there."""
    few = Games(rules, min(num_games, FEW), seed=2, limits=limits)
    rng, actions = np.random.default_rng(1), np.zeros(few.num_games, dtype=np.int64)
    moments = np.empty(num_games, dtype=few.games.dtype)
    apart = max(1, SPAN * few.num_games // num_games)
    for low in range(0, num_games, few.num_games):
        for _ in range(apart):
            legal_actions(few.mask, rng.random(few.num_games), actions)
            few.step(actions)
        moments[low : low + few.num_games] = few.games[: num_games - low]
    return moments


def playouts(rules: Rules) -> Loop:
    """Random matches in compiled code, the choice of the moves included, without observations."""
    games = Games(rules, 1, seed=1)
    moves = moves_of(rules)

    def run(seconds: float) -> Played:
        decisions, ended, started = 0, 0, perf_counter()
        while perf_counter() < started + seconds:
            decisions += random_matches(games.games, games.parameters, moves, MATCHES)
            ended += MATCHES
        return Played(decisions, ended, perf_counter() - started)

    return run


def single_game(rules: Rules) -> Loop:
    """`Game`: texts and history, as people and tests use it."""
    rng = Random(0)

    def run(seconds: float) -> Played:
        decisions, ended, started = 0, 0, perf_counter()
        while perf_counter() < started + seconds:
            game = Game(rules, seed=rng.getrandbits(32))
            while not game.over:
                game.play(rng.choice(game.legal))
                decisions += 1
            ended += 1
        return Played(decisions, ended, perf_counter() - started)

    return run


def vector(rules: Rules, num_envs: int) -> Loop:
    """`gymnasium.make_vec`: a learner's decision, the moves of compiled opponents included."""
    envs: Any = gymnasium.make_vec("President-v0", num_envs=num_envs, rules=rules, opponents="random")
    _, infos = envs.reset(seed=1)
    rng, actions = np.random.default_rng(0), np.zeros(num_envs, dtype=np.int64)
    mask = infos["action_mask"]

    def run(seconds: float) -> Played:
        nonlocal mask
        spent, steps, ended, end = 0.0, 0, 0, perf_counter() + seconds
        while perf_counter() < end:
            legal_actions(mask, rng.random(num_envs), actions)
            started = perf_counter()
            _, _, terminated, truncated, infos = envs.step(actions)
            spent += perf_counter() - started
            mask = infos["action_mask"]
            steps += 1
            ended += int(np.count_nonzero(terminated | truncated))
        return Played(steps * num_envs, ended, spent)

    return run


def single(rules: Rules) -> Loop:
    """`gymnasium.make`, without its wrappers: a learner's decision against random opponents."""
    env: Any = gymnasium.make("President-v0", rules=rules, opponents="random").unwrapped
    rng = Random(0)

    def run(seconds: float) -> Played:
        decisions, ended, started = 0, 0, perf_counter()
        _, info = env.reset(seed=1)
        while perf_counter() < started + seconds:
            _, _, terminated, truncated, info = env.step(_any_of(info["action_mask"], rng))
            decisions += 1
            if terminated or truncated:
                _, info = env.reset()
                ended += 1
        return Played(decisions, ended, perf_counter() - started)

    return run


def _any_of(mask: np.ndarray, rng: Random) -> int:
    """A legal action, at random."""
    legal = mask.nonzero()[0]
    return int(legal[int(rng.random() * len(legal))])


def aec(env: AECEnv) -> Loop:
    """A PettingZoo loop: `last`, a random legal action, `step`."""
    rng = Random(0)

    def run(seconds: float) -> Played:
        decisions, ended, started = 0, 0, perf_counter()
        while perf_counter() < started + seconds:
            env.reset(seed=decisions)
            while env.agents:
                observation, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    break
                env.step(_any_of(observation["action_mask"], rng))
                decisions += 1
            ended += 1
        return Played(decisions, ended, perf_counter() - started)

    return run


class DoNothing(AECEnv):  # type: ignore[misc] # PettingZoo has no types
    """An AEC environment that only does what the API asks for: turns, rewards of 0, fresh observations and masks."""

    metadata = {"name": "do_nothing"}  # noqa: RUF012

    def __init__(self, observed: int, num_actions: int, turns: int = 100) -> None:
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


def writing(observed: int, num_actions: int, num_rows: int = 1024) -> Loop:
    """A compiled loop that only writes an observation and a mask of so many bytes a row; it has no games."""
    observations, masks = np.zeros((num_rows, observed), np.int8), np.zeros((num_rows, num_actions), np.int8)

    def run(seconds: float) -> Played:
        rows, started = 0, perf_counter()
        while perf_counter() < started + seconds:
            for _ in range(20):
                write_only(observations, masks)
            rows += 20 * num_rows
        return Played(rows, 0, perf_counter() - started)

    return run
