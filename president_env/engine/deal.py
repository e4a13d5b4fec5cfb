"""Dealing: a fresh round, its cards, who leads it."""

from numpy import int64

from president_env.cards import JOKER, NUM_RANKS
from president_env.engine.compiled import part
from president_env.engine.exchange import seat_of_place
from president_env.engine.parameters import (
    LEADER_CARD,
    LEADER_SEAT,
    NEXT_OPENING,
    NEXT_PRESIDENT,
)
from president_env.engine.rng import random_below
from president_env.engine.state import BOTH_DECKS, MAX_PLAYERS, MAX_SIZE, PLAY, cards_added, num_cards


@part
def round_reset(g, p):
    """Wipe what belongs to one round; all hands are empty then."""
    players = int64(p["players"])
    for seat in range(MAX_PLAYERS):
        g["hand_size"][seat] = 0
        g["place"][seat] = 0
        g["partner"][seat] = -1
        g["shown"][seat] = 0
        for rank in range(NUM_RANKS):
            g["hands"][seat, rank] = 0
            g["hand_count"][seat, rank] = 0
            g["played"][seat, rank] = 0
            g["played_count"][seat, rank] = 0
            g["known"][seat, rank] = 0
        for k in range(MAX_SIZE):
            g["sets"][seat, k] = 0
        for k in range(4):
            g["passed_on"][seat, k] = 0
    for rank in range(NUM_RANKS):
        g["face_down"][rank] = 0
        g["gone"][rank] = 0
    for pair in range(2):
        for rank in range(NUM_RANKS):
            g["taken"][pair, rank] = 0
            g["returned"][pair, rank] = 0
        for suit in range(4):
            g["asked"][pair, suit] = 0
    g["active"] = (1 << players) - 1
    g["best_free"] = 1
    g["worst_free"] = players
    g["leader"] = -1
    g["stage"] = 0
    g["left"] = 0
    g["opening_rank"] = -1
    g["taker"][0] = -1
    g["taker"][1] = -1
    g["giver"][0] = -1
    g["giver"][1] = -1
    g["owed"][0] = 0
    g["owed"][1] = 0
    for k in range(2):
        g["run_seats"][k] = -1
    for k in range(3):
        g["drop_seats"][k] = -1
    g["drop_index"] = -1
    g["drop_size"] = 0
    g["completer"] = -1
    g["trade_offer"][0] = -1
    g["trade_offer"][1] = -1
    g["trade_step"] = 0
    g["trade_tries"] = 0


@part
def deck_set(g, rank, cards):
    """Note which cards of the rank are in this round."""
    g["deck"][rank] = cards
    g["deck_count"][rank] = num_cards(cards)


@part
def cards_dealt(g, p):
    """Deal the deck from the game's own random numbers, the odd cards to the seats left of the dealer.

    Card by card, each goes to a seat with a chance that is its number of free slots among all that are left: every
    deal with these hand sizes is equally likely, and nothing has to be shuffled.
    """
    players = int64(p["players"])
    total = 0
    for rank in range(NUM_RANKS):
        deck_set(g, rank, int64(p["deck"][rank]))
        total += int64(g["deck_count"][rank])
    base = total // players
    odd = 0 if p["deal_equal"] else total - base * players
    for k in range(players):
        seat = (int64(g["dealer"]) + 1 + k) % players
        g["hand_size"][seat] = base + (1 if k < odd else 0)
    slots = total
    for rank in range(NUM_RANKS):
        deck = int64(p["deck"][rank])
        while deck:
            card = deck & -deck
            deck ^= card
            drawn = random_below(g["rng"], slots)
            slots -= 1
            seat = 0
            while seat < players and drawn >= g["hand_size"][seat]:
                drawn -= int64(g["hand_size"][seat])
                seat += 1
            if seat == players:
                g["face_down"][rank] |= card
            else:
                g["hands"][seat, rank] |= card
                g["hand_size"][seat] -= 1
    hands_counted(g, p)


@part
def hands_counted(g, p):
    """Set what repeats `hands`."""
    for seat in range(int64(p["players"])):
        g["hand_size"][seat] = 0
        for rank in range(NUM_RANKS):
            cards = int64(g["hands"][seat, rank])
            if cards:
                g["hands"][seat, rank] = 0
                cards_added(g, seat, rank, cards)


@part
def hands_set(g, p, hands):
    """Deal given hands, (players, 14) suit masks; the cards of the deck that nobody was given lie face down."""
    for rank in range(NUM_RANKS):
        dealt, number = 0, 0
        for seat in range(int64(p["players"])):
            g["hands"][seat, rank] = hands[seat, rank]
            dealt |= int64(hands[seat, rank])
            number += num_cards(hands[seat, rank])
        face_down = int64(p["deck"][rank]) & ~dealt
        g["face_down"][rank] = face_down
        g["deck"][rank] = face_down | dealt
        g["deck_count"][rank] = num_cards(face_down) + number
    hands_counted(g, p)


@part
def opening_found(g, p):
    """Find the opening card and the first seat that holds it, from the dealer's left; sets the two opening fields.

    The named card first, then in order of rank and C D H S whatever was dealt. Returns the seat.
    """
    players = int64(p["players"])
    named = int64(p["opening_suit"])
    for step in range(1 + 4 * NUM_RANKS):
        rank, suit = (0, named) if step == 0 else ((step - 1) >> 2, (step - 1) & 3)
        copies = 15 if rank == JOKER else BOTH_DECKS << suit
        for k in range(players):
            seat = (int64(g["dealer"]) + 1 + k) % players
            held = int64(g["hands"][seat, rank]) & copies
            if held:
                g["opening_rank"] = rank
                g["opening_card"] = held & -held
                return seat
    return -1


@part
def _leader_by_opening(g, p):
    """The seat that leads as in round 1, and whether it is bound to the opening card, in `opening_rank`."""
    if p["first_leader"] == LEADER_CARD:
        seat = opening_found(g, p)
        if not p["opening_forced"]:
            g["opening_rank"] = -1
        return seat
    if p["first_leader"] == LEADER_SEAT:
        return int64(p["leader_seat"])
    return (int64(g["dealer"]) + 1) % int64(p["players"])


@part
def play_opened(g, p, given_leader):
    """Choose who leads the round and begin the play. `given_leader` leads round 1 unless it is −1.

    A leader set by hand is bound to the opening card only if the rule would have found it too.
    """
    rule = int64(p["next_leader"]) if g["round"] > 1 else NEXT_OPENING
    if rule == NEXT_OPENING:
        seat = _leader_by_opening(g, p)
        if g["round"] == 1 and given_leader >= 0 and given_leader != seat:
            seat = given_leader
            g["opening_rank"] = -1
    else:
        seat = seat_of_place(g, p, 1 if rule == NEXT_PRESIDENT else int64(p["players"]))
    g["leader"] = seat
    g["seat"] = seat
    g["phase"] = PLAY
