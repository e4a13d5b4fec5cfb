"""The batch of all seats: many matches side by side, every seat's decision given to the caller."""

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from president_env.engine import batch
from president_env.engine.parameters import PARAMETERS, moves_of, parameters_of
from president_env.engine.state import GAME
from president_env.engine.team import Team
from president_env.game import Game, IllegalMove, checked_seeds
from president_env.limits import Limits
from president_env.moves import MoveTable, move_table
from president_env.observation import ObservationLayout, observation_layout
from president_env.rewards import reward_of_place
from president_env.rules import Rules

NUM_BUFFERS = 2
MAX_ROUNDS = 100
"""Rounds after which environments truncate a match, unless told otherwise."""


@dataclass
class _Buffers:
    """What a step hands out; the next step writes into the other set."""

    seat: NDArray[np.int8]
    mask: NDArray[np.int8]
    observation: NDArray[np.int8]
    rewards: NDArray[np.float32]
    done: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    final_places: NDArray[np.int8]
    final_scores: NDArray[np.int32]

    @property
    def shown(self) -> tuple[NDArray[np.int8], ...]:
        """Seats, masks and observations, as the compiled writer takes them."""
        return self.seat, self.mask, self.observation

    @property
    def results(self) -> tuple[NDArray[Any], ...]:
        """What a step brought, as the compiled step takes it."""
        return self.rewards, self.done, self.truncated, self.final_places, self.final_scores


class Games:
    """`num_games` matches of the same rules; row i starts from seed + i, or from the i-th of the seeds given. Without a
    seed (None) one is drawn.

    Several rule sets share the universal moves and observations within `limits`: of n rule sets a match plays the
    (seed modulo n)-th. With `limits` seats that a table lacks are never to move.

    A match that ends is followed by a new one in the same step, from a seed that the old one drew: `seeds` tells it,
    and `Game(all_rules[rule_of[i]], seed=seeds[i])` is the same match.

    What a step hands out are the arrays themselves, C-contiguous and not copied: `torch.from_numpy(games.observation)`
    shares their memory. There are two sets of them in turn, so they stay as they are for one more step and are
    overwritten by the one after it; copy what has to last longer. `num_threads` threads share the rows; what comes out
    does not depend on it.
    """

    def __init__(
        self,
        rules: Rules | Sequence[Rules],
        num_games: int,
        seed: int | Sequence[int] | NDArray[np.integer] | None = 0,
        *,
        reward: str = "place",
        max_rounds: int = MAX_ROUNDS,
        num_threads: int = 1,
        limits: Limits | None = None,
    ) -> None:
        check_positive(num_games=num_games, max_rounds=max_rounds, num_threads=num_threads)
        self.all_rules = tuple(rules) if isinstance(rules, Iterable) else (rules,)
        strangers = [each for each in self.all_rules if not isinstance(each, Rules)]
        if strangers:
            raise ValueError(
                f"rules: {strangers[0]!r:.60} was given; wanted are Rules, as Rules.preset('quebec'), or a list of them"
            )
        if limits is not None and not isinstance(limits, Limits):
            raise ValueError(f"limits: {limits!r:.60} was given; wanted is Limits(), or None")
        if not self.all_rules or (len(self.all_rules) > 1 and limits is None):
            raise ValueError(f"{len(self.all_rules)} rule sets were given; several need `limits`, and one is the least")
        self.rules = self.all_rules[0]
        """The rules, the first of them if there are several."""
        self.limits = limits
        self.table: MoveTable = move_table(limits or self.rules)
        self.layout: ObservationLayout = observation_layout(limits or self.rules)
        self.num_games = num_games
        self.num_players = limits.players if limits else self.rules.players
        self.num_actions = len(self.table)
        self.observation_size = self.layout.size
        self.max_rounds = max_rounds
        # compiled code knows records by their dtype, quickly if it is the very object
        self.parameters: NDArray[np.void] = np.concatenate(
            [parameters_of(each, limits) for each in self.all_rules]
        ).view(PARAMETERS)
        self.rule_of: NDArray[np.int32] = np.zeros(num_games, dtype=np.int32)
        """Which of `all_rules` each row plays, (num_games,)."""
        self.games: NDArray[np.void] = np.zeros(num_games, dtype=GAME)
        self._buffers = [self._new_buffers() for _ in range(NUM_BUFFERS)]
        self._number = 0
        before = (
            self.games,
            self.parameters,
            self.rule_of,
            moves_of(limits or self.rules),
            np.stack([reward_of_place(each, reward) for each in self.all_rules]),
            max_rounds,
        )
        buffers = tuple((each.results, each.shown) for each in self._buffers)
        self._compiled_step = (before, buffers, self.layout.record)
        """What a step goes by, as the compiled step takes it."""
        self.team = Team(num_games, num_threads)
        """The threads that make the steps."""
        self.reset(secrets.randbits(53) if seed is None else seed)

    def _new_buffers(self) -> _Buffers:
        n, players = self.num_games, self.num_players
        return _Buffers(
            seat=np.zeros(n, dtype=np.int8),
            mask=np.zeros((n, self.num_actions), dtype=np.int8),
            observation=np.zeros((n, self.observation_size), dtype=np.int8),
            rewards=np.zeros((n, players), dtype=np.float32),
            done=np.zeros(n, dtype=np.bool_),
            truncated=np.zeros(n, dtype=np.bool_),
            final_places=np.zeros((n, players), dtype=np.int8),
            final_scores=np.zeros((n, players), dtype=np.int32),
        )

    @property
    def seat(self) -> NDArray[np.int8]:
        """The seat to move in each row, (num_games,)."""
        return self._now.seat

    @property
    def mask(self) -> NDArray[np.int8]:
        """Its legal moves, (num_games, num_actions), 1 is legal."""
        return self._now.mask

    @property
    def observation(self) -> NDArray[np.int8]:
        """What it sees, (num_games, observation_size), as `layout` describes."""
        return self._now.observation

    @property
    def rewards(self) -> NDArray[np.float32]:
        """What the last step brought to every seat, (num_games, num_players)."""
        return self._now.rewards

    @property
    def done(self) -> NDArray[np.bool_]:
        """Whether the last step ended the row's match, (num_games,); the row shows the next match already."""
        return self._now.done

    @property
    def truncated(self) -> NDArray[np.bool_]:
        """Whether it ended because `max_rounds` were played, (num_games,)."""
        return self._now.truncated

    @property
    def final_places(self) -> NDArray[np.int8]:
        """Places of the last round of the match that ended, (num_games, num_players); valid where `done`."""
        return self._now.final_places

    @property
    def final_scores(self) -> NDArray[np.int32]:
        """Scores of the match that ended, (num_games, num_players); valid where `done`."""
        return self._now.final_scores

    @property
    def seeds(self) -> NDArray[np.int64]:
        """The seed of each row's match, (num_games,)."""
        return self.games["seed"].copy()

    def reset(self, seed: int | Sequence[int] | NDArray[np.integer] | None = None) -> None:
        """Begin matches in all rows: from seed + i or from one seed a row; without any, those played begin again."""
        seeds = self.seeds if seed is None else checked_seeds(seed, self.num_games)

        def begin_range(low: int, high: int) -> None:
            batch.begin_rows(self.games, self.parameters, self.rule_of, seeds, low, high)
            self._write_range(low, high)

        self.team.share(begin_range)
        self._now.rewards[:] = 0
        self._now.done[:] = False
        self._now.truncated[:] = False

    def restore(self, games: NDArray[np.void]) -> None:
        """Go on from a copy of the `games` of a batch like this one. ValueError if they are none such."""
        given = np.asarray(games)
        if given.dtype != self.games.dtype or given.shape != self.games.shape:
            raise ValueError(
                f"games: an array {given.shape} of {given.dtype.name} was given; "
                f"wanted are the {self.num_games} records that `games` of a batch like this one holds"
            )
        self.games[...] = games
        self.rule_of[...] = games["seed"] % len(self.all_rules)
        self.team.share(self._write_range)

    def step(self, actions: ArrayLike) -> None:
        """Make the move with this id in each row, (num_games,) integers; IllegalMove leaves everything unchanged.

        One that is broken off (Ctrl-C) has been made in some rows and not in others: reset, or restore a copy.
        """
        given = np.asarray(actions)
        if given.shape != (self.num_games,) or given.dtype.kind not in "iu":
            raise IllegalMove(
                f"actions of shape {given.shape} and type {given.dtype} were given; "
                f"wanted are {self.num_games} whole numbers, one a game"
            )
        moves = np.ascontiguousarray(given, dtype=np.int64)
        if self.team.step(self._number, moves, self._take_part, self._serve) == batch.ILLEGAL:
            raise IllegalMove(self._refusal(moves))
        self._number = (self._number + 1) % NUM_BUFFERS

    def _take_part(self, tickets: NDArray[np.int64]) -> int:
        return batch.take_part(tickets, 0, *self._compiled_step)

    def _serve(self, tickets: NDArray[np.int64], place: int) -> None:
        batch.serve_steps(tickets, place, *self._compiled_step)

    def _refusal(self, moves: NDArray[np.int64]) -> str:
        row = batch.first_illegal(self.mask, moves)
        legal = [self.table.texts[action] for action in np.flatnonzero(self.mask[row])]
        action = int(moves[row])
        text = repr(self.table.texts[action]) if 0 <= action < self.num_actions else "no move"
        return (
            f"game {row}: action {action} is {text}, which seat {self.seat[row]} may not play; "
            f"legal are {', '.join(legal)}"
        )

    def observe(self, rows: ArrayLike, seats: ArrayLike) -> NDArray[np.int8]:
        """What `seats[k]` sees of row `rows[k]`, as a fresh array (k, observation_size)."""
        rows, seats = np.asarray(rows), np.asarray(seats)
        for what, given, most in (("rows", rows, self.num_games), ("seats", seats, self.num_players)):
            fits = given.shape == (rows.size,) and (not given.size or given.dtype.kind in "iu")
            if not fits or (given.size and not 0 <= given.min() <= given.max() < most):
                raise ValueError(
                    f"{what}: {given!r:.80} was given; wanted are {rows.size} whole numbers from 0 to {most - 1}"
                )
        rows, seats = rows.astype(np.int64), seats.astype(np.int64)
        observations = np.zeros((len(rows), self.observation_size), dtype=np.int8)
        batch.observe_rows(
            self.games, self.parameters, self.rule_of, self.layout.record, rows, seats, observations.reshape(-1)
        )
        return observations

    def view(self, row: int) -> Game:
        """What the seat to move in the row may know, for a bot that wants a Game; without history."""
        return Game.of_state(self.all_rules[self.rule_of[row]], self.games[row]).view(int(self.seat[row]))

    @property
    def _now(self) -> _Buffers:
        return self._buffers[self._number]

    def _write_range(self, low: int, high: int) -> None:
        batch.write_rows(self.games, self.parameters, self.rule_of, self.layout.record, self._now.shown, low, high)


def check_positive(**numbers: Any) -> None:
    """ValueError if one of the named numbers is no whole number from 1."""
    for name, number in numbers.items():
        if isinstance(number, bool) or not isinstance(number, int | np.integer) or number < 1:
            raise ValueError(f"{name}: {number!r} was given; wanted is a whole number from 1")
