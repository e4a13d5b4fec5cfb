# mypy: allow-untyped-defs
"""Compiled loops of the benchmarks: random legal choices, whole games without observations, a loop that only writes."""

import numba
from numpy import int64

from president_env.bots.simple import move_id
from president_env.engine.batch import next_seed
from president_env.engine.legal import group_ranks
from president_env.engine.match import match_begun, move_applied, round_begun
from president_env.engine.rng import random_below
from president_env.engine.state import DEAL, LOWEST_BIT, OVER, num_cards


@numba.njit
def legal_actions(mask, draws, actions):
    """Write a random legal action per row; `draws` are random numbers from 0 to 1."""
    for i in range(mask.shape[0]):
        legal = 0
        for action in range(mask.shape[1]):
            legal += mask[i, action]
        left = int(draws[i] * legal)
        for action in range(mask.shape[1]):
            if mask[i, action]:
                if left == 0:
                    actions[i] = action
                    break
                left -= 1


@numba.njit
def write_only(observations, masks):
    """Write these bytes of each row, nothing else: the ceiling for all that hand out observations and masks."""
    for i in range(observations.shape[0]):
        for k in range(observations.shape[1]):
            observations[i, k] = i & 1
        for k in range(masks.shape[1]):
            masks[i, k] = i & 1


@numba.njit
def _random_action(g, p):
    seat, phase = int64(g["seat"]), int64(g["phase"])
    first, last = int64(p["first_group"][phase]), int64(p["last_group"][phase])
    number = 0
    for k in range(first, last + 1):
        ranks = group_ranks(g, p, seat, k)
        number += num_cards(ranks & 255) + num_cards(ranks >> 8)
    drawn = random_below(g["rng"], number)
    for k in range(first, last + 1):
        ranks = group_ranks(g, p, seat, k)
        within = num_cards(ranks & 255) + num_cards(ranks >> 8)
        if drawn < within:
            for _ in range(drawn):
                ranks &= ranks - 1
            low = int64(LOWEST_BIT[ranks & 255]) if ranks & 255 else 8 + int64(LOWEST_BIT[ranks >> 8])
            return move_id(p, k, low)
        drawn -= within
    return -1


@numba.njit
def random_matches(games, parameters, moves, matches):
    """Play so many matches at random in the first record, without observations or masks; returns the decisions."""
    g, p = games[0], parameters[0]
    decisions = 0
    while matches:
        move_applied(g, p, moves[_random_action(g, p)])
        decisions += 1
        if g["phase"] == OVER:
            matches -= 1
            match_begun(g, p, next_seed(g))
        if g["phase"] == DEAL:
            round_begun(g, p, -1)
    return decisions
