# mypy: allow-untyped-defs
"""Bots whose choice is a compiled function: they play whole batches, and searches, without Python per move.

A new one is a number in `levels`, a row of weights there or a branch in `chosen_move`, and a name in `registry`.
"""

import numpy as np
from numpy import int64
from numpy.typing import NDArray

from president_env.bots.levels import EASY, RANDOM, WEIGHTS
from president_env.bots.playout import conducted_move
from president_env.bots.simple import lowest_set, random_move
from president_env.engine.compiled import compiled, part
from president_env.engine.parameters import parameters_of
from president_env.game import Game, checked_seed
from president_env.games import Games


@part
def chosen_move(g, p, code, seed):
    """The action id that the bot with this number chooses for the seat to move."""
    if code == EASY:
        return lowest_set(g, p)
    if code == RANDOM:
        return random_move(g, p, seed)
    return conducted_move(g, p, WEIGHTS[code])


@compiled
def choose_rows(games, parameters, rule_of, code, seed, rows, actions):
    """Write what the bot chooses in row `rows[k]` into `actions[k]`; `rule_of` is each row's index in parameters."""
    for k in range(len(rows)):
        row = int64(rows[k])
        actions[k] = chosen_move(games[row], parameters[rule_of[row]], code, seed)


class CompiledBot:
    """A bot of `chosen_move`. It keeps no memory: the same view and seed bring the same move, in a batch as alone."""

    def __init__(self, name: str, code: int, seed: int = 0) -> None:
        self.name = name
        self.code = code
        self.seed = checked_seed(seed, f" of bot {name!r}")

    def act(self, view: Game, legal: list[str]) -> str:
        """The bot's move for the seat to move, whose view this is."""
        only = np.zeros(1, dtype=np.int32)
        return view.table.text(int(self._chosen(view.state, parameters_of(view.rules), only, only)[0]))

    def act_batch(self, batch: Games, rows: NDArray[np.intp]) -> NDArray[np.int64]:
        """Action ids for these rows of the batch."""
        return self._chosen(batch.games, batch.parameters, batch.rule_of, rows)

    def _chosen(
        self,
        games: NDArray[np.void],
        parameters: NDArray[np.void],
        rule_of: NDArray[np.int32],
        rows: NDArray[np.integer],
    ) -> NDArray[np.int64]:
        actions = np.empty(len(rows), dtype=np.int64)
        choose_rows(games, parameters, rule_of, self.code, self.seed, rows, actions)
        return actions

    def __repr__(self) -> str:
        return f"<bot {self.name}, seed {self.seed}>"
