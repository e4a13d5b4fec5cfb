"""Bots at some of the tables: a policy that only ever meets itself forgets how to use the mistakes of others."""

import numpy as np
from numpy.typing import NDArray

from president_env import Games, bots
from president_env.bots.protocol import BatchBot
from training.config import Tables


class TableBots:
    """Who holds which seats: at the last `bots_share` of the tables one seat learns, a bot holds the others.

    The bots of `tables.bots` take turns from table to table, and so do the learning seats.
    """

    def __init__(self, tables: Tables, num_players: int) -> None:
        self.learners: NDArray[np.bool_] = np.ones((tables.number, num_players), dtype=np.bool_)
        """(tables, seats): the seats that the policy holds."""
        self._bots: list[tuple[BatchBot, NDArray[np.intp]]] = []
        first = tables.number - round(tables.bots_share * tables.number)
        for k, name in enumerate(tables.bots):
            rows = np.arange(first + k, tables.number, len(tables.bots))
            self.learners[rows] = np.arange(num_players) == (np.arange(len(rows)) % num_players)[:, None]
            self._bots.append((bots.make(name), rows))

    def act(self, batch: Games, actions: NDArray[np.int64]) -> None:
        """Write the bots' actions over those of the policy, where it is a bot's turn."""
        for bot, tables in self._bots:
            rows = tables[~self.learners[tables, batch.seat[tables]]]
            if len(rows):
                actions[rows] = bot.act_batch(batch, rows)
