"""Going out: places, the end of a round, roles."""

from numpy import int64

from president_env.cards import NUM_RANKS
from president_env.engine.compiled import part
from president_env.engine.state import CLUB_THREE, DEAL, is_active

BURN, EQUAL, CLEAR = 1, 2, 4
"""What a play clears the trick by, one bit each: BURN is burning twos, the burning joker, a bomb and `3!`; EQUAL a burn
by equal rank; CLEAR a quartet or a clearing rank."""


@part
def finishes_last(p, rank, burns, cards):
    """Whether going out with a play or a drop of the rank takes the worst free place.

    `burns` is what a play clears the trick by, 0 for a drop; `cards` the suit mask of its natural cards.
    """
    if p["burn_finish_last"] and burns & BURN:
        return True
    if p["equal_burn_finish_last"] and burns & EQUAL:
        return True
    return p["club3_finish_last"] != 0 and rank == 0 and (cards & CLUB_THREE) != 0


@part
def place_taken(g, seat, worst):
    """Give the seat, which is out of cards, the best free place, or the worst."""
    if worst:
        place = int64(g["worst_free"])
        g["worst_free"] = place - 1
    else:
        place = int64(g["best_free"])
        g["best_free"] = place + 1
    g["place"][seat] = place
    g["active"] &= ~(1 << seat)
    g["fresh"] |= 1 << seat


@part
def round_ended(g, p):
    """End the round if one seat alone is left: it takes the place that is left. True if so."""
    active = int64(g["active"])
    if active & (active - 1):
        return False
    for seat in range(int64(p["players"])):
        if is_active(g, seat):
            place_taken(g, seat, False)
    table_cleared(g)
    g["revolution"] = 0
    g["turned"] = 0
    g["phase"] = DEAL
    g["seat"] = -1
    return True


@part
def table_cleared(g):
    """Put the trick away: bars, counts and a reversal for the trick end with it."""
    for rank in range(NUM_RANKS):
        g["trick_count"][rank] = 0
    g["top_rank"] = -1
    g["top_size"] = 0
    g["top_wild"] = 0
    g["top_seat"] = -1
    g["trick_plays"] = 0
    g["passed"] = 0
    g["barred"] = 0
    g["trick_turn"] = 0
    g["turned"] = g["revolution"]
    g["run_length"] = 0
    g["resume"] = -1
