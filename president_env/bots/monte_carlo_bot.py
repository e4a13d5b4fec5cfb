"""The levels that search: Monte Carlo over worlds, within a budget of playouts or of time."""

import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from president_env.bots.determinize import MOST_MARKS, MOST_WAYS, leader_is_free
from president_env.bots.knowledge import PUZZLE
from president_env.bots.levels import LEVEL3
from president_env.bots.monte_carlo import MOST_CANDIDATES, begin_search, found_move, go_on_searching, search_rows
from president_env.engine.parameters import moves_of, parameters_of
from president_env.engine.state import GAME
from president_env.game import Game, checked_seed
from president_env.games import Games
from president_env.rules import Rules

MOST = 10**9
"""Playouts, milliseconds or threads that can be asked for."""
LOOK_AT_CLOCK = 200
"""Playouts between two looks at the clock."""


class SearchSpace:
    """Memory of one search at a time, and the view it searches."""

    def __init__(self, most_ways: int = MOST_WAYS) -> None:
        n = MOST_CANDIDATES
        self.views: NDArray[np.void] = np.zeros(1, dtype=GAME)
        self.counts = np.zeros(4, dtype=np.int64)
        self.arrays = (
            np.zeros(n, dtype=np.int64),  # actions
            np.zeros(n, dtype=np.int64),  # which are still in the race
            np.zeros(n),  # sums of rewards
            np.zeros((n, n)),  # sums of squared differences
            self.counts,  # candidates, worlds, how worlds are drawn, whether the leader was set by hand
            np.zeros(1, dtype=PUZZLE),
            np.empty(most_ways),
            np.empty((2, 6, MOST_MARKS), dtype=np.int64),
            np.ones(4, dtype=np.uint32),
            np.zeros(2, dtype=GAME),
        )


_free_spaces: deque[SearchSpace] = deque()
"""Those that no search uses now. A search takes one, so that threads can share a bot, and a bot can be copied."""


class MonteCarloBot:
    """A bot that plays every candidate move out in many worlds and chooses the best on average.

    The budget of a decision is a number of `playouts`, which makes it repeatable, or, where given, `milliseconds`. It
    keeps no memory: with playouts the same view and seed bring the same move. `num_threads` share the rows of a batch.
    """

    def __init__(
        self,
        name: str,
        playouts: int,
        *,
        seed: int = 0,
        milliseconds: float | None = None,
        num_threads: int = 1,
        playout_level: int = LEVEL3,
    ) -> None:
        for what, number in (("playouts", playouts), ("num_threads", num_threads)):
            if isinstance(number, bool) or not isinstance(number, int | np.integer) or not 1 <= number <= MOST:
                raise ValueError(f"{what} {number!r} of bot {name!r}: wanted is a whole number from 1 to {MOST}")
        is_number = isinstance(milliseconds, int | float | np.number) and not isinstance(milliseconds, bool)
        if milliseconds is not None and not (is_number and 0 < milliseconds <= MOST):
            raise ValueError(
                f"milliseconds {milliseconds!r} of bot {name!r}: wanted is a number above 0, up to {MOST}, or None"
            )
        self.name = name
        self.playouts = int(playouts)
        self.seed = checked_seed(seed, f" of bot {name!r}")
        self.milliseconds = milliseconds
        self.playout_level = playout_level
        self.num_threads = int(num_threads)

    def act(self, view: Game, legal: list[str]) -> str:
        """The bot's move for the seat to move, whose view this is."""
        if view.viewer is None:
            assert view.seat is not None
            view = view.view(view.seat)
        rows = np.zeros(1, dtype=np.int64)
        return view.table.text(int(self._chosen(view.state, view.rules, rows, leader_is_free(view))[0]))

    def act_batch(self, batch: Games, rows: NDArray[np.intp]) -> NDArray[np.int64]:
        """Action ids for these rows of the batch."""
        if batch.limits is not None:
            views = [batch.view(int(row)) for row in rows]
            return np.array([batch.table.id(self.act(view, view.legal)) for view in views], dtype=np.int64)
        return self._chosen(batch.games, batch.rules, np.asarray(rows, dtype=np.int64), False)

    def _chosen(
        self, games: NDArray[np.void], rules: Rules, rows: NDArray[np.int64], free_leader: bool
    ) -> NDArray[np.int64]:
        actions = np.empty(len(rows), dtype=np.int64)
        parts = [
            part for part in np.array_split(np.arange(len(rows)), min(self.num_threads, len(rows)) or 1) if len(part)
        ]

        def work(part: NDArray[np.intp]) -> None:
            actions[part] = self._searched(games, rules, rows[part], free_leader)

        if len(parts) > 1:
            with ThreadPoolExecutor(len(parts), thread_name_prefix="search") as pool:
                list(pool.map(work, parts))
        else:
            for part in parts:
                work(part)
        return actions

    def _searched(
        self, games: NDArray[np.void], rules: Rules, rows: NDArray[np.int64], free_leader: bool
    ) -> NDArray[np.int64]:
        try:
            space = _free_spaces.pop()
        except IndexError:
            space = SearchSpace()
        space.counts[3] = free_leader
        search = self._search_by_playouts if self.milliseconds is None else self._search_by_the_clock
        actions = search(games, rules, rows, space)
        _free_spaces.append(space)
        return actions

    def _search_by_playouts(
        self, games: NDArray[np.void], rules: Rules, rows: NDArray[np.int64], space: SearchSpace
    ) -> NDArray[np.int64]:
        actions = np.empty(len(rows), dtype=np.int64)
        budget = (self.playout_level, self.seed, rows, self.playouts)
        search_rows(games, parameters_of(rules), moves_of(rules), *budget, space.arrays, space.views, actions)
        return actions

    def _search_by_the_clock(
        self, games: NDArray[np.void], rules: Rules, rows: NDArray[np.int64], space: SearchSpace
    ) -> NDArray[np.int64]:
        assert self.milliseconds is not None
        parameters, moves, level = parameters_of(rules), moves_of(rules), self.playout_level
        actions = np.empty(len(rows), dtype=np.int64)
        for k, row in enumerate(rows):
            end = time.perf_counter() + self.milliseconds / 1000
            goes_on = begin_search(games, row, parameters, self.seed, space.arrays, space.views)
            while goes_on and (space.counts[1] == 0 or time.perf_counter() < end):
                goes_on = go_on_searching(parameters, moves, level, LOOK_AT_CLOCK, space.arrays, space.views)
            actions[k] = found_move(parameters, level, space.arrays, space.views)
        return actions

    def __repr__(self) -> str:
        budget = f"{self.playouts} playouts" if self.milliseconds is None else f"{self.milliseconds} ms"
        return f"<bot {self.name}, {budget}, seed {self.seed}>"
