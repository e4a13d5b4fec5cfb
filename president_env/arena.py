"""Duplicate deals: the same cards played with the bots rotated through the seats, and what that says of the bots.

A deal is a seed. It is played once for every seat of the first bot, so luck in the cards falls on all alike, and what
is left is play. The deals are the independent units: intervals are taken over the means of the deals.
"""

import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from president_env import bots
from president_env.bots.policy import PolicyBot
from president_env.games import MAX_ROUNDS, Games
from president_env.rules import Rules

if TYPE_CHECKING:
    from president_env.bots import Bot

ROWS_AT_ONCE = 8192
"""Matches in a batch."""


@dataclass(frozen=True)
class Estimate:
    """A mean over deals, and half the width of its 95 % interval."""

    mean: float
    half_width: float

    @property
    def low(self) -> float:
        """The lower end of the interval."""
        return self.mean - self.half_width

    @property
    def high(self) -> float:
        """The upper end of the interval."""
        return self.mean + self.half_width

    def plain(self) -> dict[str, float | None]:
        """As it is written, to five digits; what nothing is known of is None."""
        ends = {"mean": self.mean, "low": self.low, "high": self.high}
        return {name: round(float(value), 5) if math.isfinite(value) else None for name, value in ends.items()}


@dataclass(frozen=True)
class Results:
    """What came of duplicate deals. In rotation r the bot k of the lineup sits at seat (k + r) mod players."""

    rewards: NDArray[np.float64]
    """(deals, rotations, lineup) sum of the place rewards of the match: a round brings +1 for the first place … −1 for
    the last."""
    places: NDArray[np.int64]
    """(deals, rotations, lineup, players) rounds that ended in each place, the first at index 0."""
    rounds: NDArray[np.int64]
    """(deals, rotations) rounds played."""

    @property
    def firsts(self) -> NDArray[np.int64]:
        """(deals, rotations, lineup) rounds won."""
        return self.places[..., 0]

    def reward(self, bot: int, seat: int | None = None) -> Estimate:
        """Place reward per round of one bot of the lineup, at every seat or at one of them."""
        if seat is None:
            return interval(_per_round(self.rewards[:, :, bot], self.rounds))
        rotation = (seat - bot) % self.rewards.shape[2]
        return interval(self.rewards[:, rotation, bot] / self.rounds[:, rotation])

    def first_share(self, bot: int) -> Estimate:
        """Share of rounds in which it was first."""
        return interval(_per_round(self.firsts[:, :, bot], self.rounds))

    def place(self, bot: int) -> Estimate:
        """Its mean place; the place reward falls evenly from place to place."""
        reward = self.reward(bot)
        gaps = (self.rewards.shape[2] - 1) / 2
        return Estimate(1 + gaps * (1 - reward.mean), gaps * reward.half_width)

    def summary(self, bot: int) -> dict[str, dict[str, float | None]]:
        """The three estimates as they are written."""
        estimates = {"place": self.place(bot), "first": self.first_share(bot), "reward": self.reward(bot)}
        return {name: estimate.plain() for name, estimate in estimates.items()}


def interval(per_deal: NDArray[np.float64]) -> Estimate:
    """Mean and 95 % half-width of independent values, by Student's t."""
    n = len(per_deal)
    if n < 2:
        return Estimate(float(per_deal.mean()) if n else math.nan, math.inf)
    spread = float(per_deal.std(ddof=1)) / math.sqrt(n)
    return Estimate(float(per_deal.mean()), _student_quantile(n - 1) * spread)


def _student_quantile(freedom: int) -> float:
    """The 97.5 % quantile of Student's t, by Hill's expansion around the normal; exact for 1 and 2."""
    if freedom == 1:
        return math.tan(math.pi * 0.475)
    if freedom == 2:
        return 0.95 * math.sqrt(2 / (1 - 0.95**2))
    z, v = statistics.NormalDist().inv_cdf(0.975), freedom
    terms = (
        z,
        (z**3 + z) / (4 * v),
        (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2),
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3),
    )
    return sum(terms)


def _per_round(totals: NDArray[Any], rounds: NDArray[np.int64]) -> NDArray[np.float64]:
    """Means per deal: totals over its rotations, over all their rounds."""
    shares: NDArray[np.float64] = totals.sum(axis=1) / rounds.sum(axis=1)
    return shares


def joined(parts: Sequence[Results]) -> Results:
    """The results of the deals of several parts, in their order."""
    names = ("rewards", "places", "rounds")
    return Results(**{name: np.concatenate([getattr(part, name) for part in parts]) for name in names})


def make_bot(spec: str, *, seed: int = 0, greedy: bool = True) -> "Bot":
    """A bot by its name, or the policy in a file, for which `greedy` is; ValueError names the choices."""
    if spec.endswith(".safetensors"):
        return PolicyBot.load(spec, greedy=greedy, seed=seed)
    return bots.make(spec, seed=seed)


def play_duplicates(
    rules: Rules,
    lineup: Sequence["Bot"],
    *,
    num_deals: int,
    seed: int = 0,
    on_progress: Callable[[int], None] | None = None,
) -> Results:
    """Play deals seed, seed + 1, … with the lineup in every rotation; `on_progress` is given the deals done."""
    players = rules.players
    if len(lineup) != players:
        raise ValueError(f"a lineup of {len(lineup)} bots for {players} players; give one for each seat")
    if num_deals < 1:
        raise ValueError(f"num_deals {num_deals}: give at least 1")
    at_once = max(ROWS_AT_ONCE // players, 1)
    parts = []
    for first in range(0, num_deals, at_once):
        seeds = np.arange(seed + first, seed + min(first + at_once, num_deals), dtype=np.int64)
        parts.append(_play_batch(rules, lineup, seeds))
        if on_progress is not None:
            on_progress(first + len(seeds))
    return joined(parts)


def _play_batch(rules: Rules, lineup: Sequence["Bot"], seeds: NDArray[np.int64]) -> Results:
    players = rules.players
    num_rows = len(seeds) * players
    rows = np.arange(num_rows)
    rotation = rows % players
    batch = Games(rules, num_rows, reward="place", max_rounds=max(MAX_ROUNDS, rules.rounds or 0))
    batch.reset(seeds.repeat(players))
    bot_of_seat = (np.arange(players) - rotation[:, None]) % players
    rewards = np.zeros((num_rows, players))
    places = np.zeros((num_rows, players, players), dtype=np.int64)
    playing = np.ones(num_rows, dtype=np.bool_)
    while playing.any():
        actors = np.where(playing, bot_of_seat[rows, batch.seat], -1)
        # a row whose match is over goes on with another that nobody looks at: any legal move will do
        actions = batch.mask.argmax(axis=1)
        for bot, seats in _places_of_bots(lineup):
            its = np.flatnonzero(np.isin(actors, seats))
            if len(its):
                actions[its] = _act(bot, batch, its)
        batch.step(actions)
        live = playing[:, None]
        rewards += np.where(live, batch.rewards, 0.0)
        for place, reward in enumerate(np.linspace(1.0, -1.0, players)):
            if reward:
                places[:, :, place] += live & (np.abs(batch.rewards - reward) < 0.01)
        playing &= ~batch.done
    rounds = places[:, :, 0].sum(axis=1)
    if players % 2:
        # the reward of the place in the middle is 0, as that of a move that fixes no place
        places[:, :, players // 2] = rounds[:, None] - places.sum(axis=2)
    seat_of_bot = (np.arange(players) + rotation[:, None]) % players
    shape = (len(seeds), players, players)
    return Results(
        np.take_along_axis(rewards, seat_of_bot, axis=1).reshape(shape),
        np.take_along_axis(places, seat_of_bot[:, :, None], axis=1).reshape(*shape, players),
        rounds.reshape(shape[:2]),
    )


def _places_of_bots(lineup: Sequence["Bot"]) -> list[tuple["Bot", list[int]]]:
    """Each bot with the places of the lineup that it fills, so that one call serves them all."""
    distinct = {id(bot): bot for bot in lineup}
    return [(bot, [k for k, other in enumerate(lineup) if other is bot]) for bot in distinct.values()]


def _act(bot: "Bot", batch: Games, rows: NDArray[np.intp]) -> NDArray[np.int64]:
    """The bot's actions for these rows of the batch."""
    if hasattr(bot, "act_batch"):
        actions: NDArray[np.int64] = bot.act_batch(batch, rows)
        return actions
    chosen = []
    for row in rows:
        view = batch.view(int(row))
        chosen.append(batch.table.id(bot.act(view, view.legal)))
    return np.array(chosen, dtype=np.int64)
