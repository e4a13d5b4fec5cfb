"""Middle trade: the seats that owe nothing swap one card each, best place with worst and inwards."""

from numpy import int64

from president_env.engine.compiled import part
from president_env.engine.exchange import card_moved, seat_of_place
from president_env.engine.state import TRADE, top_cards


@part
def trade_places(g, p):
    """The better and the worse place of the pair of this stage, as one number 16 × better + worse; 0 for no pair."""
    owing = 2 if p["vice_roles"] else 1
    inwards = int64(g["stage"]) - 4
    better, worse = owing + 1 + inwards, int64(p["players"]) - owing - inwards
    return 16 * better + worse if better < worse else 0


@part
def trade_begun(g, p):
    """Begin the trade of this stage. False if there is no pair left."""
    places = trade_places(g, p) if p["middle_trade"] else 0
    if places == 0:
        return False
    better, worse = _traders(g, p)
    g["partner"][better] = worse
    g["partner"][worse] = better
    g["phase"] = TRADE
    g["trade_tries"] = 0
    _offers_opened(g, better)
    return True


@part
def _traders(g, p):
    places = trade_places(g, p)
    return seat_of_place(g, p, places >> 4), seat_of_place(g, p, places & 15)


@part
def _offers_opened(g, better):
    g["trade_step"] = 0
    g["trade_offer"][0] = -1
    g["trade_offer"][1] = -1
    g["seat"] = better


@part
def card_offered(g, p, rank):
    """`give`: the better place offers a card, then the worse, without knowing the other's offer."""
    better, worse = _traders(g, p)
    step = int64(g["trade_step"])
    g["trade_offer"][step] = rank
    if step == 0:
        g["trade_step"] = 1
        g["seat"] = worse
    elif p["haggle_rounds"] == 0:
        _cards_swapped(g, better, worse)
    else:
        g["shown"][better] |= 1 << int64(g["trade_offer"][0])
        g["shown"][worse] |= 1 << int64(g["trade_offer"][1])
        g["trade_step"] = 2
        g["seat"] = better


@part
def offer_accepted(g, p):
    """`accept`: the better place answers first; two accepts swap the cards."""
    better, worse = _traders(g, p)
    if g["trade_step"] == 2:
        g["trade_step"] = 3
        g["seat"] = worse
    else:
        _cards_swapped(g, better, worse)


@part
def offer_rejected(g, p):
    """`reject`: the offer is over, and new ones begin until the haggling is used up."""
    better, _ = _traders(g, p)
    g["trade_tries"] += 1
    if g["trade_tries"] >= p["haggle_rounds"]:
        _trade_over(g)
    else:
        _offers_opened(g, better)


@part
def _cards_swapped(g, better, worse):
    given, received = int64(g["trade_offer"][0]), int64(g["trade_offer"][1])
    card, other = top_cards(g, better, given, 1), top_cards(g, worse, received, 1)
    card_moved(g, better, worse, given, card)
    card_moved(g, worse, better, received, other)
    _trade_over(g)


@part
def _trade_over(g):
    g["trade_offer"][0] = -1
    g["trade_offer"][1] = -1
    g["trade_step"] = 0
    g["stage"] += 1
