"""Whose turn it is: leading, the walk round the table, passing."""

from numpy import int64

from president_env.engine.compiled import part
from president_env.engine.finish import table_cleared
from president_env.engine.state import PLAY, first_seat_after, is_active, next_active


@part
def lead_taken(g, p, seat):
    """Clear the table; the seat leads, or if it has gone out the next active seat to its left."""
    table_cleared(g)
    g["phase"] = PLAY
    g["seat"] = seat if is_active(g, seat) else next_active(g, p, seat)


@part
def next_to_act(g, p, seat, skips):
    """The seat that acts after `seat`, passing over `skips` that could; -1 if the walk reaches the top player first."""
    able, top = int64(g["active"]) & ~int64(g["barred"]), 1 << int64(g["top_seat"])
    walk = first_seat_after(p, able | top, seat)
    while skips and walk != g["top_seat"]:
        walk = first_seat_after(p, able | top, walk)
        skips -= 1
    return -1 if walk == g["top_seat"] else walk


@part
def turn_passed(g, p):
    """The seat on turn passes: under strict passing it is out of the trick."""
    seat = int64(g["seat"])
    g["passed"] |= 1 << seat
    if p["strict"]:
        g["barred"] |= 1 << seat
    _pass_noted(g, seat)
    after = next_to_act(g, p, seat, 0)
    if after < 0:
        lead_taken(g, p, int64(g["top_seat"]))
    else:
        g["seat"] = after


@part
def _pass_noted(g, seat):
    """Keep the weakest rank that the seat has passed on, by size of play: what it declined tells of its hand."""
    k = min(int64(g["top_size"]), 4) - 1
    rank = int64(g["top_rank"]) + 1
    noted = int64(g["passed_on"][seat, k])
    weaker = rank > noted if g["turned"] else rank < noted
    g["passed_on"][seat, k] = rank if (noted == 0) | weaker else noted  # a toss-up, so no branch
