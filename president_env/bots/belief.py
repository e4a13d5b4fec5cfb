# mypy: allow-untyped-defs, no-check-untyped-defs
"""Drawing worlds by how plausible they make what the other seats have done.

Every world of `deals` agrees with the play, but many have the others pass or split their sets as hardly anybody does: a
player keeps a set whole, plays one that beats what it would pass on, and sheds the low ones first. So every set in the
hand of another seat speaks against a world if cards of its rank have been played by that seat, if it beats what the
seat has passed on at its size, or if it is lower than any of its size that the seat has played. Twos, jokers and wild
sixes are kept and split for what else they can do, and say nothing.
"""

import math

import numpy as np
from numpy import int64

from president_env.bots.deals import world_drawn
from president_env.cards import JOKER, NUM_RANKS, SIX, TWO
from president_env.engine.compiled import compiled, part
from president_env.engine.order import ranks_above
from president_env.engine.rng import random_word
from president_env.engine.state import NATURAL_RANKS, num_held, ranks_held

SPLIT, PASSED_ON, LOWER = range(3)
AGAINST = np.array([1.4, 2.5, 0.6])
"""What a set speaks against a world, as the logarithm of a likelihood ratio.

Conditional logit, the true deal among equally likely ones, puts SPLIT at 2 to 4 where level3 plays and at 0.4 where
easy does, PASSED_ON at 3 to 5 and LOWER at 0.3 to 1 with either. These are low enough to be of use with both.
"""


@part
def _below_all_shed(world, seat, turned):
    """Masks of the ranks below all of which the seat has played one card and holds none, and of which it has two."""
    single, pair = 0, 0
    for step in range(JOKER):
        rank = step if turned else JOKER - 1 - step
        if num_held(world, seat, rank) == 0:
            number = int64(world["played_count"][seat, rank])
            below = NATURAL_RANKS & ~ranks_above(rank, turned) & ~(1 << rank)
            single = below if number == 1 else single
            pair = below if number == 2 else pair
    return single, pair


@compiled
def spoken_against(world, p, viewer):
    """How much the sets in the hands of others speak against a world."""
    total = 0.0
    turned = int64(world["revolution"])
    silent = 1 << TWO | 1 << JOKER | (1 << SIX if p["wild_sixes"] else 0)
    for seat in range(int64(p["players"])):
        if seat == viewer:
            continue
        below = _below_all_shed(world, seat, turned)
        held = ranks_held(world, seat, 1) & ~silent
        for rank in range(NUM_RANKS):
            if not (held >> rank) & 1:
                continue
            number = num_held(world, seat, rank)
            noted = int64(world["passed_on"][seat, min(number, 4) - 1]) - 1
            if world["played_count"][seat, rank]:
                total += AGAINST[SPLIT]
            elif noted >= 0 and (ranks_above(noted, turned) >> rank) & 1:
                total += AGAINST[PASSED_ON]
            elif number <= 2 and (below[number - 1] >> rank) & 1:
                total += AGAINST[LOWER]
    return total


@compiled
def plausible_world_drawn(q, how, views, p, ways, trans, rng, worlds, draws):
    """Write one of so many worlds of views[0] into row 0 of `worlds`, chosen by plausibility; row 1 is room for it."""
    viewer = int64(views[0]["viewer"])
    total = 0.0
    for k in range(draws):
        world_drawn(q, how, views, 0, p, ways, trans, rng, worlds, 1)
        plausibility = math.exp(-spoken_against(worlds[1], p, viewer))
        total += plausibility
        if k == 0 or random_word(rng) * 2.0**-32 * total < plausibility:
            worlds[0] = worlds[1]
