"""Out of turn: quartets and the 3 of clubs at any time.

After a play that leaves a trick on the table, the seats that hold such a play are asked one after the other,
clockwise from the left of the seat that played, itself last; never the seat whose turn comes next, nor one that
strict passing bars.
"""

from numpy import int64

from president_env.engine.compiled import part
from president_env.engine.legal import can_interrupt
from president_env.engine.state import ANY_TIME, OFFER, PLAY, first_seat_after


@part
def offers_made(g, p, after):
    """Begin the offers that follow a play; `after` is the seat whose turn comes when all have declined."""
    g["resume"] = after
    if p["quartet"] == ANY_TIME or p["club3_bomb"] == ANY_TIME:
        _next_offer(g, p, int64(g["top_seat"]))
    else:
        _turn_goes_on(g)


@part
def offer_declined(g, p):
    """The offered seat declines: nobody is told, and the next one is asked."""
    if g["seat"] == g["top_seat"]:
        _turn_goes_on(g)
    else:
        _next_offer(g, p, int64(g["seat"]))


@part
def _next_offer(g, p, seat):
    """Offer to the first able seat left of `seat`, as far as the seat that made the top play."""
    able = int64(g["active"]) & ~int64(g["barred"]) & ~(1 << int64(g["resume"]))
    stop = 1 << int64(g["top_seat"])
    walk = seat
    for _ in range(int64(p["players"])):
        walk = first_seat_after(p, able | stop, walk)
        if (able >> walk) & 1 and can_interrupt(g, p, walk):
            g["phase"] = OFFER
            g["seat"] = walk
            return
        if walk == g["top_seat"]:
            break
    _turn_goes_on(g)


@part
def _turn_goes_on(g):
    g["phase"] = PLAY
    g["seat"] = g["resume"]
    g["resume"] = -1
