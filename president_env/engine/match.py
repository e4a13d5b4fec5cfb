"""A match: rounds, exchanges and scores, from the seed to the end; `move_applied` is one move of anybody."""

from numpy import int64

from president_env.engine.compiled import part
from president_env.engine.deal import cards_dealt, play_opened, round_reset
from president_env.engine.exchange import asks_stopped, card_asked, card_given, exchange_stage_begun, pairs_set
from president_env.engine.finish import table_cleared
from president_env.engine.legal import ACCEPT_MOVE, ASK_MOVE, BOMB_MOVE, PASS_MOVE, PLAY_MOVE, REJECT_MOVE, STOP_MOVE
from president_env.engine.offers import offer_declined
from president_env.engine.parameters import EXCHANGE_OFF
from president_env.engine.play import cards_played, club3_bombed
from president_env.engine.rng import random_below, rng_seeded
from president_env.engine.run_drop import card_dropped, drops_stopped
from president_env.engine.state import DEAL, DROP, EXCHANGE, MAX_PLAYERS, OFFER, OVER, TRADE
from president_env.engine.trade import card_offered, offer_accepted, offer_rejected, trade_begun
from president_env.engine.turn import turn_passed


@part
def match_begun(g, p, seed):
    """Set the record to a match before its first deal: phase DEAL, round 1, the dealer drawn or fixed."""
    g["seed"] = seed
    rng_seeded(g["rng"], seed)
    drawn = random_below(g["rng"], int64(p["players"]))
    g["dealer"] = drawn if p["dealer"] < 0 else p["dealer"]
    g["viewer"] = -1
    g["round"] = 1
    g["phase"] = DEAL
    g["seat"] = -1
    g["fresh"] = 0
    for seat in range(MAX_PLAYERS):
        g["scores"][seat] = 0
        g["last_place"][seat] = 0


@part
def round_begun(g, p, given_leader):
    """Deal the next round of a record of phase DEAL from its own random numbers, up to the first decision."""
    round_emptied(g, p)
    cards_dealt(g, p)
    round_started(g, p, given_leader)


@part
def round_emptied(g, p):
    """Wipe the last round; the next one can be dealt."""
    round_reset(g, p)
    g["revolution"] = 0
    table_cleared(g)


@part
def round_started(g, p, given_leader):
    """Begin a round that has been dealt: the exchange from round 2 on, else the play."""
    if g["round"] > 1 and p["exchange"] != EXCHANGE_OFF:
        pairs_set(g, p)
        _exchange_goes_on(g, p)
    else:
        play_opened(g, p, given_leader)


@part
def _exchange_goes_on(g, p):
    """Enter stage after stage until somebody has to choose; after the last the play begins."""
    while g["stage"] < 4:
        if exchange_stage_begun(g, p):
            return
        g["stage"] += 1
    if not trade_begun(g, p):
        play_opened(g, p, -1)


@part
def _between_rounds_applied(g, p, kind, rank, suit):
    stage = int64(g["stage"])
    if g["phase"] == EXCHANGE:
        if kind == ASK_MOVE:
            card_asked(g, rank, suit)
        elif kind == STOP_MOVE:
            asks_stopped(g)
        else:
            card_given(g, rank)
    elif kind == ACCEPT_MOVE:
        offer_accepted(g, p)
    elif kind == REJECT_MOVE:
        offer_rejected(g, p)
    else:
        card_offered(g, p, rank)
    if g["stage"] != stage:
        _exchange_goes_on(g, p)


@part
def move_applied(g, p, move):
    """Apply a legal move of the seat to move; `move` is a MOVE record.

    A round that ends so leaves phase DEAL or, at the end of the match, OVER; scores and roles are settled then.
    """
    kind, rank = int64(move["kind"]), int64(move["rank"])
    phase, seat = g["phase"], int64(g["seat"])
    g["fresh"] = 0
    if phase in (EXCHANGE, TRADE):
        _between_rounds_applied(g, p, kind, rank, int64(move["suit"]))
        return
    if kind == PLAY_MOVE:
        cards_played(g, p, seat, rank, int64(move["size"]), int64(move["wild"]))
    elif kind == PASS_MOVE:
        if phase == OFFER:
            offer_declined(g, p)
        else:
            turn_passed(g, p)
    elif kind == BOMB_MOVE:
        club3_bombed(g, p, seat)
    elif kind == STOP_MOVE:
        drops_stopped(g, p)
    elif phase == DROP:
        card_dropped(g, p, rank)
    if g["phase"] == DEAL:
        _round_settled(g, p)


@part
def _round_settled(g, p):
    """Add up the scores of the round that is over; then the match is over too, or the bum deals the next."""
    players = int64(p["players"])
    for seat in range(players):
        place = int64(g["place"][seat])
        g["last_place"][seat] = place
        g["scores"][seat] += p["points"][place]
    if _match_ended(g, p):
        g["phase"] = OVER
        return
    for seat in range(players):
        if g["last_place"][seat] == players:
            g["dealer"] = seat
    g["round"] += 1


@part
def _match_ended(g, p):
    top, sharing = -1, 0
    for seat in range(int64(p["players"])):
        score = int64(g["scores"][seat])
        if score > top:
            top, sharing = score, 1
        elif score == top:
            sharing += 1
    rounds, target = int64(p["rounds"]), int64(p["target_score"])
    ends = (rounds > 0 and g["round"] >= rounds) or (target > 0 and top >= target)
    return ends and not (p["tiebreak"] and sharing > 1)
