"""What every adapter is tried on: three tables, and matches whose moves and returns are known beforehand."""

import os
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from president_env import Game, Rules

TABLES = {
    "quebec-4": Rules.preset("quebec", players=4),
    "butt-4": Rules.preset("butt", players=4),  # plays out of turn, asks
    "norwegian-7": Rules.preset("norwegian", players=7),  # two decks
}


def needs(module: str) -> Any:
    """The module of an outside library; where it is missing the tests that need it are skipped, or, when every
    adapter is to be tested (ALL_ADAPTERS=1), fail."""
    return import_module(module) if os.environ.get("ALL_ADAPTERS") else pytest.importorskip(module)


@dataclass(frozen=True)
class Script:
    """A whole match: who makes which move, and what each seat's place rewards add up to."""

    rules: Rules
    seed: int
    seats: list[int]
    actions: list[int]
    returns: NDArray[np.float64]
    """(players,); +1 to −1 a round, evenly by place, summed over the rounds."""


@cache
def script(table: str, seed: int = 7) -> Script:
    """A match at one of TABLES, moves of many kinds in it."""
    rules = TABLES[table]
    game, returns = Game(rules, seed=seed), np.zeros(rules.players)
    seats: list[int] = []
    actions: list[int] = []
    while not game.over:
        legal, number = game.legal_ids, game.round
        assert game.seat is not None
        seats.append(game.seat)
        actions.append(legal[(7 * len(actions) + 3) % len(legal)])
        game.play_id(actions[-1])
        if game.over or game.round > number:
            places = game.state["last_place"][0][: rules.players].astype(int)
            returns += 1 - 2 * (places - 1) / (rules.players - 1)
    return Script(rules, seed, seats, actions, returns)
