"""Between two rounds: cards owed and returned, named-card asks, and where they stand.

Stages follow one another: 0 the bum and 1 the vice bum give or are asked, 2 the president and 3 the vice president
return, from 4 on the middle trades, a pair a stage (see `trade`). What the game chooses itself happens in passing.
"""

from numpy import int64

from president_env.cards import JOKER, NUM_RANKS
from president_env.engine.compiled import part
from president_env.engine.parameters import EXCHANGE_ANY, EXCHANGE_BEST, RETURN_LOWEST, RETURN_NONE
from president_env.engine.state import (
    BOTH_DECKS,
    EXCHANGE,
    TOP_CARDS,
    cards_added,
    cards_removed,
    num_cards,
    num_held,
    top_cards,
)


@part
def seat_of_place(g, p, place):
    """The seat that took the place in the last round."""
    for seat in range(int64(p["players"])):
        if g["last_place"][seat] == place:
            return seat
    return -1


@part
def pairs_set(g, p):
    """Settle who owes whom how much: a giver keeps a card."""
    players = int64(p["players"])
    for pair in range(2):
        g["taker"][pair] = -1
        g["giver"][pair] = -1
        g["owed"][pair] = 0
        if pair == 1 and not p["vice_roles"]:
            continue
        taker, giver = seat_of_place(g, p, 1 + pair), seat_of_place(g, p, players - pair)
        g["taker"][pair] = taker
        g["giver"][pair] = giver
        g["partner"][taker] = giver
        g["partner"][giver] = taker
        g["owed"][pair] = min(int64(p["exchange_cards"][pair]), int64(g["hand_size"][giver]) - 1)


@part
def _free_label(hand, card):
    """The card's bit, or where hands given by hand have more copies than the deck, one that the hand has free."""
    if not hand & card:
        return card
    twin = ((card << 4) | (card >> 4)) & 255
    free = ~hand & 255
    return twin if free & twin else free & -free


@part
def card_moved(g, sender, receiver, rank, card):
    """Hand over a card; the sender, its partner in the exchange, knows where it is.

    Of two equal cards of which the partner knows one, the known one is taken to be the one that leaves first: which
    of them is played later then says nothing.
    """
    cards_removed(g, sender, rank, card)
    card = _free_label(int64(g["hands"][receiver, rank]), card)
    cards_added(g, receiver, rank, card)
    known = int64(g["known"][receiver, rank]) | card
    hand = int64(g["hands"][receiver, rank])
    if rank == JOKER:
        known = int64(TOP_CARDS[hand, num_cards(known)])
    else:
        single = hand & (hand >> 4) & (known ^ (known >> 4)) & 15
        known = (known | single) & ~(single << 4)
    g["known"][receiver, rank] = known


@part
def card_given(g, rank):
    """`give`: in the exchange the card of the rank that leaves the hand first moves at once."""
    seat = int64(g["seat"])
    _pair_moves(g, seat, rank, top_cards(g, seat, rank, 1))
    g["left"] -= 1
    if g["left"] == 0:
        g["stage"] += 1


@part
def _pair_moves(g, sender, rank, card):
    pair = int64(g["stage"]) & 1
    if g["stage"] < 2:
        g["taken"][pair, rank] |= card
        card_moved(g, sender, int64(g["taker"][pair]), rank, card)
    else:
        g["returned"][pair, rank] |= card
        card_moved(g, sender, int64(g["giver"][pair]), rank, card)


@part
def card_asked(g, rank, suit):
    """`ask`: the giver hands one copy over if it has one; a miss uses up a question like a hit."""
    pair = int64(g["stage"])
    giver = int64(g["giver"][pair])
    held = int64(g["hands"][giver, rank])
    if rank == JOKER:
        g["asked"][pair, 0] |= 1 << JOKER
        card = top_cards(g, giver, rank, 1)
    else:
        g["asked"][pair, suit] |= 1 << rank
        copies = held & (BOTH_DECKS << suit)
        card = copies & -copies
    if card:
        _pair_moves(g, giver, rank, card)
    g["left"] -= 1
    if g["left"] == 0:
        g["stage"] += 1


@part
def asks_stopped(g):
    """`stop`: the taker asks no more."""
    g["left"] = 0
    g["stage"] += 1


@part
def _chosen_moves(g, sender, number, highest):
    """The game moves the sender's highest or lowest cards; normal order, the joker above the 2."""
    for _ in range(number):
        rank = -1
        for candidate in range(NUM_RANKS):
            if num_held(g, sender, candidate) and (rank < 0 or highest):
                rank = candidate
        _pair_moves(g, sender, rank, top_cards(g, sender, rank, 1))


@part
def num_taken(g, pair):
    """How many cards the taker of the pair took."""
    number = 0
    for rank in range(NUM_RANKS):
        number += num_cards(g["taken"][pair, rank])
    return number


@part
def exchange_stage_begun(g, p):
    """Enter the stage in `stage` (0–3). True if somebody has to choose, False if the stage is done already."""
    stage = int64(g["stage"])
    pair = stage & 1
    if g["taker"][pair] < 0:
        return False
    taker, giver = int64(g["taker"][pair]), int64(g["giver"][pair])
    if stage < 2:
        number = int64(g["owed"][pair])
        chooser = giver if p["exchange"] == EXCHANGE_ANY else taker
        automatic = p["exchange"] == EXCHANGE_BEST
    else:
        number = 0 if p["exchange_return"] == RETURN_NONE else num_taken(g, pair)
        chooser = taker
        automatic = p["exchange_return"] == RETURN_LOWEST
    if number <= 0:
        return False
    if automatic:
        _chosen_moves(g, giver if stage < 2 else taker, number, stage < 2)
        return False
    g["phase"] = EXCHANGE
    g["seat"] = chooser
    g["left"] = number
    return True
