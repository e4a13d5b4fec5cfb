"""Going out: places, the end of a round, roles."""

from numpy import int64

from president_env.engine.compiled import compiled
from president_env.engine.state import DEAL, is_active


@compiled
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


@compiled
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


@compiled
def table_cleared(g):
    """Put the trick away: bars, counts and a reversal for the trick end with it."""
    for rank in range(14):
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
