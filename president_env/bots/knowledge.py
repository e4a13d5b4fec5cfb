# mypy: allow-untyped-defs, no-check-untyped-defs
"""What a view says of a world: a puzzle, worked out once, that `worlds` counts and `deals` draws from.

What is known, beside the cards seen and the sizes of the hands:

- cards that changed hands in an exchange of the seat itself; what its partner kept ranks no higher than what it gave
  under "best", no lower than what it returned under "lowest", and misses what it was asked for in vain;
- in an exchange of others, that there was one: the cards that moved are part of the world;
- the cards of a rank leave a hand in a fixed order: who has played a seven of diamonds holds no seven of spades;
- who leads because of the opening card held it;
- in a middle trade of the seat itself, the cards that were swapped, as long as they are in a hand.

Not used, because a record does not tell: what a card swapped in a middle trade said of the hand it came from, once it
has been played (its giver has no card of that rank that leaves a hand before it), and the suits of threes where the 3
of clubs may have been played as a bomb.
"""

import numpy as np
from numpy import int64

from president_env.cards import JOKER, NUM_RANKS
from president_env.engine.compiled import part
from president_env.engine.parameters import (
    EXCHANGE_ASK,
    EXCHANGE_BEST,
    LEADER_CARD,
    NEXT_OPENING,
    RETURN_LOWEST,
    RETURN_NONE,
)
from president_env.engine.state import BOTH_DECKS, CLUB_THREE, EXCHANGE, LEAVING_ORDER, MAX_PLAYERS, OFF, num_cards

FACE_DOWN = 8
NUM_PLACES = 9
MAX_CARDS = 112

EXCHANGE_BY_TRIAL, SIZES_ALONE = MAX_PLAYERS, MAX_PLAYERS + 1
"""How loose the table of ways is. Below: of so many hands what their plays say of suits is left to trial. Then that of
all hands, and the hidden exchange. At last it holds sizes and sure cards alone, for which there always is a world."""
PLAYED, HIDDEN, FIXED = range(3)
KEPT, GIVEN_BACK, THERE_AND_BACK, OWN, TAKEN, PLAIN = range(6)
"""What a card was in the exchange of two other seats: kept by the giver; the taker's own, returned; taken and returned;
the taker's own, kept; taken. PLAIN: a card of nobody in it."""

PUZZLE = np.dtype(
    [
        ("num_cards", "i4"),
        ("rank", "i1", (MAX_CARDS,)),
        ("bit", "i2", (MAX_CARDS,)),
        ("allowed", "i4", (MAX_CARDS,)),  # places where the card may be, one bit each
        ("ruled_out", "i4", (MAX_CARDS,)),  # allowed places where it cannot be, which is left to trial
        ("labels", "i4", (MAX_CARDS,)),  # what it may have been in the hidden exchange, one bit each
        ("hidden", "i1", (MAX_CARDS,)),  # PLAYED, HIDDEN or, in a hand that is sure, FIXED
        ("place", "i1", (MAX_CARDS,)),  # where it is, if that is sure
        ("num_groups", "i4"),
        ("places", "i4", (NUM_PLACES,)),  # the places of each column of the table; those without conditions share one
        ("stride", "i8", (NUM_PLACES,)),
        ("size", "i4", (NUM_PLACES,)),  # free places of each column
        ("room", "i4", (NUM_PLACES,)),  # free places of each place
        ("pair", "i4"),  # the hidden exchange that the table follows; -1 is none
        ("other_pair", "i4"),  # another one
        ("num_taken", "i4", (2,)),
        ("num_returned", "i4", (2,)),
        ("num_marks", "i4"),
        ("num_states", "i8"),
        ("by_trial", "i4"),  # hands of which it is left to trial what their plays rule out, one bit each
        ("check_opening", "i1"),
        ("check_shown", "i1"),
        ("viewer", "i4"),
        ("tries_left", "i4"),
    ],
    align=True,
)
"""What is asked of a world, worked out once for a view."""


@part
def _later_cards(cards):
    """The cards of a rank that leave a hand after all of the mask; all if it is empty."""
    later = 0
    for k in range(7, -1, -1):
        card = 1 << LEAVING_ORDER[k]
        if cards & card:
            break
        later |= card
    return later


@part
def _exchange_counts(g, p, pair):
    """How many cards of the pair have been taken and returned so far, as 16 × taken + returned."""
    if g["taker"][pair] < 0:
        return 0
    stage = int64(g["stage"])
    running = g["phase"] == EXCHANGE
    taken = 0
    if p["exchange"] == EXCHANGE_ASK:
        for rank in range(NUM_RANKS):
            taken += num_cards(g["taken"][pair, rank])
    elif stage > pair:
        taken = max(0, int64(g["owed"][pair]))
    elif stage == pair and running:
        taken = int64(g["owed"][pair]) - int64(g["left"])
    returned = 0
    if p["exchange_return"] != RETURN_NONE:
        if stage > 2 + pair:
            returned = taken
        elif stage == 2 + pair and running:
            returned = taken - int64(g["left"])
    return 16 * taken + returned


@part
def _opening_known(g, p):
    """Whether the leader of the round leads because it holds the opening card."""
    if g["leader"] < 0 or p["first_leader"] != LEADER_CARD:
        return False
    return g["round"] == 1 or p["next_leader"] == NEXT_OPENING


@part
def _evidence(g, p, seat, rank):
    """Cards of the rank that the seat played and that say that it held none that leaves a hand before them."""
    cards = int64(g["played"][seat, rank])
    if rank == 0 and p["club3_bomb"] != OFF:
        cards &= ~CLUB_THREE
    if p["opening_forced"] and seat == g["leader"]:
        cards &= ~_first_played(g, p, seat, rank)
    return cards


@part
def _first_played(g, p, seat, rank):
    """The card of the rank that may have been the opening card, which went before its turn; 0 for none."""
    cards = int64(g["played"][seat, rank])
    named = cards & (BOTH_DECKS << int64(p["opening_suit"])) if rank == 0 else 0
    if named:
        return named & -named
    for suit in range(4):
        copies = cards & (BOTH_DECKS << suit)
        if copies:
            return copies & -copies
    return 0


@part
def _missed(g, pair, rank, bit):
    """Whether the card was asked for in this exchange and not there."""
    taken = int64(g["taken"][pair, rank])
    if rank == JOKER:
        return (int64(g["asked"][pair, 0]) >> JOKER) & 1 != 0 and taken == 0
    for suit in range(4):
        copies = BOTH_DECKS << suit
        if copies & bit:
            return (int64(g["asked"][pair, suit]) >> rank) & 1 != 0 and not taken & copies
    return False


@part
def _is_single(g, rank, bit):
    """Whether the deck has the card once."""
    if rank == JOKER:
        return g["deck_count"][rank] == 1
    return int64(g["deck"][rank]) & (BOTH_DECKS * ((bit | bit >> 4) & 15)) == bit


@part
def _own_exchange(g, p, viewer, pair, rank, bit):
    """Places ruled out for a hidden card by what the viewer saw in its own exchange."""
    ruled_out = 0
    taker, giver = int64(g["taker"][pair]), int64(g["giver"][pair])
    if viewer == taker and giver >= 0:
        taken = int64(g["taken"][pair, rank])
        above = 0
        if p["exchange"] == EXCHANGE_BEST:
            for lower in range(rank):
                above |= int64(g["taken"][pair, lower])
        if above or (p["exchange"] != EXCHANGE_ASK and not _later_cards(taken) & bit):
            ruled_out |= 1 << giver
        if p["exchange"] == EXCHANGE_ASK and _missed(g, pair, rank, bit):
            ruled_out |= 1 << giver
    elif viewer == giver and taker >= 0:
        returned = int64(g["returned"][pair, rank])
        below = 0
        if p["exchange_return"] == RETURN_LOWEST:
            for higher in range(rank + 1, NUM_RANKS):
                below |= int64(g["returned"][pair, higher])
        if below or not _later_cards(returned) & bit:
            ruled_out |= 1 << taker
    return ruled_out


@part
def _hidden_pairs(q, g, p, viewer):
    """The exchanges of others: the one with more cards is followed by the table."""
    q["pair"] = -1
    q["other_pair"] = -1
    for pair in range(2):
        counts = _exchange_counts(g, p, pair)
        q["num_taken"][pair] = counts >> 4
        q["num_returned"][pair] = counts & 15
        if viewer == g["taker"][pair] or viewer == g["giver"][pair]:
            continue
        if counts == 0 or (p["exchange"] == EXCHANGE_ASK and counts & 15 == 0 and not _any_asked(g, pair)):
            continue
        if q["pair"] < 0:
            q["pair"] = pair
        else:
            q["other_pair"] = pair


@part
def _any_asked(g, pair):
    asked = 0
    for suit in range(4):
        asked |= int64(g["asked"][pair, suit])
    return asked != 0


@part
def labels_of(g, p, pair, rank, bit):
    """What a card may have been in the exchange of two others."""
    returned = (1 << GIVEN_BACK) | (1 << THERE_AND_BACK)
    if p["exchange"] == EXCHANGE_ASK:
        if int64(g["taken"][pair, rank]) & bit:
            return (1 << TAKEN) | (1 << THERE_AND_BACK)
        kept = 0 if _missed(g, pair, rank, bit) else 1 << KEPT
        return kept | (1 << GIVEN_BACK) | (1 << OWN)
    return (1 << KEPT) | returned | (1 << OWN) | (1 << TAKEN)


@part
def puzzle_set(q, g, p, viewer, free_leader, looseness):
    """Work out what the view asks of a world; `looseness` is from 0, all in the table, to SIZES_ALONE."""
    q["viewer"] = viewer
    q["pair"], q["other_pair"] = -1, -1
    q["by_trial"] = 0
    q["check_opening"] = 0
    q["check_shown"] = 0
    opening = -1
    if looseness < SIZES_ALONE:
        _hidden_pairs(q, g, p, viewer)
        _left_to_trial(q, g, p, looseness)
        q["check_shown"] = 1
        if not free_leader and _opening_known(g, p):
            opening = _sure_opening(g, p, viewer)
            q["check_opening"] = 1 if opening == -2 else 0
    _cards_listed(q, g, p, viewer, opening, looseness)


@part
def _left_to_trial(q, g, p, looseness):
    """Choose the hands whose plays are left to trial; those of the followed exchange have columns of their own."""
    pair = int64(q["pair"])
    if looseness == EXCHANGE_BY_TRIAL:
        q["other_pair"] = max(pair, int64(q["other_pair"]))
        q["pair"], pair = -1, -1
    for seat in range(int64(p["players"])):
        followed = pair >= 0 and (seat == g["taker"][pair] or seat == g["giver"][pair])
        if looseness > 0 and seat != q["viewer"] and g["hand_size"][seat] > 0 and not followed:
            q["by_trial"] |= 1 << seat
            looseness -= 1


@part
def _sure_opening(g, p, viewer):
    """The opening card, 256 × rank + bit, if its holder is open; -1: it is not. -2: not sure which card it is."""
    for rank in range(NUM_RANKS):
        if g["deck"][rank] and int64(g["deck"][rank]) >> 4 and rank != JOKER:
            return -2
    dealt = 0
    for seat in range(int64(p["players"])):
        dealt += int64(g["hand_size"][seat])
        for rank in range(NUM_RANKS):
            dealt += num_cards(g["played"][seat, rank])
    total = 0
    for rank in range(NUM_RANKS):
        total += int64(g["deck_count"][rank])
    if dealt != total:
        return -2
    named = int64(p["opening_suit"])
    for step in range(1 + 4 * NUM_RANKS):
        rank, suit = (0, named) if step == 0 else ((step - 1) >> 2, (step - 1) & 3)
        card = int64(g["deck"][rank]) & (1 << suit)
        if card:
            for seat in range(int64(p["players"])):
                if int64(g["played"][seat, rank]) & card:
                    return -1
            return -1 if int64(g["hands"][viewer, rank]) & card else 256 * rank + card
    return -1


@part
def _cards_listed(q, g, p, viewer, opening, looseness):
    """List the cards that the viewer did not get, from the highest, with the places where each may be."""
    players = int64(p["players"])
    places, total, partner = 0, 0, int64(g["partner"][viewer])
    for seat in range(players):
        if seat != viewer and g["hand_size"][seat] > 0:
            places |= 1 << seat
            total += int64(g["hand_size"][seat])
    number, hidden = 0, 0
    for rank in range(NUM_RANKS - 1, -1, -1):
        if not g["deck"][rank]:
            continue
        partner_cards = int64(g["known"][partner, rank]) if partner >= 0 else 0
        for k in range(8):
            bit = 1 << LEAVING_ORDER[k]
            if not int64(g["deck"][rank]) & bit or int64(g["hands"][viewer, rank]) & bit:
                continue
            if int64(g["played"][viewer, rank]) & bit:
                continue
            q["rank"][number] = rank
            q["bit"][number] = bit
            holder = -1
            for seat in range(players):
                if int64(g["played"][seat, rank]) & bit:
                    holder = seat
            q["place"][number] = holder
            q["hidden"][number] = PLAYED
            q["allowed"][number] = 1 << holder if holder >= 0 else 0
            q["ruled_out"][number] = 0
            if holder < 0:
                hidden += 1
                q["hidden"][number] = HIDDEN
                if partner_cards & bit:
                    q["allowed"][number] = 1 << partner
                elif opening == 256 * rank + bit:
                    q["allowed"][number] = 1 << int64(g["leader"])
                else:
                    _places_set(q, g, p, number, places | (1 << FACE_DOWN), looseness)
            q["labels"][number] = labels_of(g, p, int64(q["pair"]), rank, bit) if q["pair"] >= 0 else 0
            number += 1
    q["num_cards"] = number
    _sure_cards_fixed(q, g, p, viewer, hidden - total)


@part
def _places_set(q, g, p, c, places, looseness):
    """Where a hidden card may be by what the viewer has seen."""
    viewer, rank, bit = int64(q["viewer"]), int64(q["rank"][c]), int64(q["bit"][c])
    q["allowed"][c] = places
    if looseness < SIZES_ALONE:
        q["allowed"][c] &= ~_ruled_out_by_exchanges(g, p, viewer, rank, bit)
        by_plays = int64(q["allowed"][c]) & _ruled_out_by_plays(g, p, viewer, rank, bit)
        q["ruled_out"][c] = by_plays & int64(q["by_trial"])
        q["allowed"][c] &= ~by_plays | int64(q["by_trial"])


@part
def _sure_cards_fixed(q, g, p, viewer, down):
    """Cards that can be in one place alone take their room there."""
    for place in range(NUM_PLACES):
        inside = place < p["players"] and place != viewer
        q["room"][place] = down if place == FACE_DOWN else int64(g["hand_size"][place]) if inside else 0
    for c in range(int64(q["num_cards"])):
        if q["hidden"][c] != HIDDEN:
            continue
        if down == 0:
            q["allowed"][c] &= ~(1 << FACE_DOWN)
        for place in range(NUM_PLACES):
            if int64(q["allowed"][c]) & ~int64(q["ruled_out"][c]) == 1 << place:
                q["hidden"][c] = FIXED
                q["place"][c] = place
                q["room"][place] -= 1


@part
def _ruled_out_by_plays(g, p, viewer, rank, bit):
    """Hands where a hidden card cannot be, for another of its rank, which leaves a hand after it, has left that one."""
    ruled_out = 0
    for seat in range(int64(p["players"])):
        if seat != viewer and g["hand_size"][seat] > 0:
            played = _evidence(g, p, seat, rank)
            if played and not _later_cards(played) & bit:
                ruled_out |= 1 << seat
    return ruled_out


@part
def _ruled_out_by_exchanges(g, p, viewer, rank, bit):
    """Hands where a hidden card cannot be by what was seen of the exchanges and of the viewer's own trade."""
    ruled_out = 0
    in_exchange = False
    for pair in range(2):
        if g["taker"][pair] >= 0 and (viewer == g["taker"][pair] or viewer == g["giver"][pair]):
            in_exchange = True
            ruled_out |= _own_exchange(g, p, viewer, pair, rank, bit)
        if g["taker"][pair] >= 0 and p["exchange"] == EXCHANGE_ASK:
            two = (1 << int64(g["taker"][pair])) | (1 << int64(g["giver"][pair]))
            if int64(g["taken"][pair, rank]) & bit:
                ruled_out |= ~two
            elif _missed(g, pair, rank, bit) and _is_single(g, rank, bit):
                # who asks for a card does not hold it
                ruled_out |= two
    received = int64(g["known"][viewer, rank])
    if received and not in_exchange and rank != JOKER and not _later_cards(received) & bit:
        ruled_out |= 1 << int64(g["partner"][viewer])
    return ruled_out
