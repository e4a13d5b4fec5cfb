"""The order of ranks: revolution and reversing ranks (going down)."""

from numpy import int64

from president_env.cards import JOKER
from president_env.engine.compiled import inlined, part
from president_env.engine.state import ALL_RANKS


@inlined
def ranks_above(rank, turned):
    """Mask of the ranks that beat the rank; a joker alone is above all, in any order."""
    if rank == JOKER:
        return 0
    if turned:
        return ((1 << rank) - 1) | (1 << JOKER)
    return ALL_RANKS & ~((1 << (rank + 1)) - 1)


@part
def settle_order(g, p):
    """Work out `turned` after the trick or a reversal has changed."""
    turned = int64(g["revolution"])
    if p["reversing_ranks"]:
        if p["reversal_for_trick"]:
            turned ^= int64(g["trick_turn"])
        elif g["top_rank"] >= 0:
            turned ^= (int64(p["reversing_ranks"]) >> int64(g["top_rank"])) & 1
    g["turned"] = turned


@part
def order_turned_by(g, p, rank, size):
    """A play of this rank and size: four or more cards turn the order, and so do reversing ranks for the trick."""
    if p["revolution"] and size >= 4:
        g["revolution"] ^= 1
        for seat in range(int64(p["players"])):
            for k in range(4):
                g["passed_on"][seat, k] = 0
    if p["reversal_for_trick"] and (int64(p["reversing_ranks"]) >> rank) & 1:
        g["trick_turn"] ^= 1


@part
def stands_one_above(p, rank, below, turned):
    """Whether the rank follows `below` in the deck's ranks, in the order that was in force; jokers follow nothing."""
    step = int64(p["rank_position"][rank]) - int64(p["rank_position"][below])
    if rank == JOKER or below == JOKER:
        return False
    return step == (-1 if turned else 1)
