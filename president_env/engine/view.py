"""What a seat may know: the same record with the rest wiped."""

from numpy import int64

from president_env.cards import NUM_RANKS
from president_env.engine.compiled import part
from president_env.engine.parameters import EXCHANGE_ASK
from president_env.engine.state import MAX_PLAYERS, MAX_SIZE, OFFER, PLAY


@part
def view_wiped(g, p, seat):
    """Turn the record, a copy of a game, into the view of the seat."""
    g["viewer"] = seat
    g["seed"] = -1
    g["fresh"] = 0
    for k in range(4):
        g["rng"][k] = 0
    partner = int64(g["partner"][seat])
    for other in range(MAX_PLAYERS):
        if other == seat:
            continue
        for rank in range(NUM_RANKS):
            g["hands"][other, rank] = 0
            g["hand_count"][other, rank] = 0
            if other != partner:
                g["known"][other, rank] = 0
        for k in range(MAX_SIZE):
            g["sets"][other, k] = 0
        if other != partner:
            g["shown"][other] = 0
    for rank in range(NUM_RANKS):
        g["face_down"][rank] = 0
    _exchange_wiped(g, p, seat)
    _offers_wiped(g, seat)


@part
def _exchange_wiped(g, p, seat):
    """The cards of an exchange are known to its two seats, those asked for to all."""
    for pair in range(2):
        if seat == g["taker"][pair] or seat == g["giver"][pair]:
            continue
        for rank in range(NUM_RANKS):
            g["returned"][pair, rank] = 0
            if p["exchange"] != EXCHANGE_ASK:
                g["taken"][pair, rank] = 0


@part
def _offers_wiped(g, seat):
    """A swap is offered between two seats; a play out of turn to one seat, for others the next seat is on turn."""
    if g["trade_step"] < 2 or (seat != g["seat"] and seat != g["partner"][int64(g["seat"])]):
        own = int64(g["trade_step"]) if seat == g["seat"] else -1
        if g["trade_step"] == 1 and seat == g["partner"][int64(g["seat"])]:
            own = 0
        for side in range(2):
            if side != own:
                g["trade_offer"][side] = -1
    if g["phase"] == OFFER and seat != g["seat"]:
        g["phase"] = PLAY
        g["seat"] = g["resume"]
        g["resume"] = -1
