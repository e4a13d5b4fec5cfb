# mypy: allow-untyped-defs, no-check-untyped-defs
"""Worlds of deals given by hand that have more copies of a card than the deck.

Such a card has the same bit in several hands, so a list of bits does not tell what is hidden: the counts by rank do.
The hidden cards are dealt by rank to the free places of the hands; beyond the cards that the viewer's partner is known
to hold, nothing else that the viewer knows is used.
"""

import numpy as np
from numpy import int64

from president_env.bots.knowledge import FACE_DOWN, NUM_PLACES
from president_env.cards import NUM_RANKS
from president_env.engine.compiled import allocating, part
from president_env.engine.rng import random_below
from president_env.engine.state import MAX_SIZE, cards_added, num_cards, num_held

ALL_CARDS = 255
TRIES = 20


@part
def _num_hidden(g, viewer, rank):
    """How many cards of the rank the viewer does not see."""
    return int64(g["deck_count"][rank]) - num_held(g, viewer, rank) - int64(g["gone"][rank])


@part
def _hidden_cards(g, p, viewer, rank):
    """The cards of the rank, as bits of the deck, that the viewer has seen nowhere."""
    cards = int64(g["deck"][rank]) & ~int64(g["hands"][viewer, rank])
    for seat in range(int64(p["players"])):
        cards &= ~int64(g["played"][seat, rank])
    return cards


@part
def has_surplus(g, p, viewer):
    """Whether more cards are hidden than the deck has bits for."""
    for rank in range(NUM_RANKS):
        if _num_hidden(g, viewer, rank) != num_cards(_hidden_cards(g, p, viewer, rank)):
            return True
    return False


@allocating
def surplus_dealt(world, p, rng):
    """Deal what is hidden from the viewer into the hands of a copy of its view."""
    counts = np.zeros((NUM_PLACES, NUM_RANKS), dtype=np.int64)
    for tried in range(TRIES + 1):
        if _ranks_dealt(world, p, rng, tried == TRIES, counts):
            break
    viewer, partner = int64(world["viewer"]), int64(world["partner"][int64(world["viewer"])])
    for seat in range(int64(p["players"])):
        if seat != viewer:
            world["hand_size"][seat] = 0
    for rank in range(NUM_RANKS):
        cards = _hidden_cards(world, p, viewer, rank)
        if partner >= 0:
            known = int64(world["known"][partner, rank])
            cards &= ~known
            counts[partner, rank] -= num_cards(known)
            cards_added(world, partner, rank, known)
        first = random_below(rng, NUM_PLACES)
        for k in range(NUM_PLACES):
            place = (first + k) % NUM_PLACES
            for _ in range(counts[place, rank]):
                card = _free_card(world, place, rank, cards)
                cards &= ~card
                if place == FACE_DOWN:
                    world["face_down"][rank] |= card
                else:
                    cards_added(world, place, rank, card)
    world["viewer"] = -1


@allocating
def _ranks_dealt(g, p, rng, evenly, counts):
    """Draw how many cards of each rank go to each place, `evenly` where there is most room. Whether all found one.

    A place holds eight cards of a rank at most. Dealt evenly they find room if they can at all.
    """
    viewer, partner = int64(g["viewer"]), int64(g["partner"][int64(g["viewer"])])
    room = np.zeros(NUM_PLACES, dtype=np.int64)
    counts[:] = 0
    for rank in range(NUM_RANKS):
        room[FACE_DOWN] += _num_hidden(g, viewer, rank)
        if partner >= 0:
            counts[partner, rank] = num_cards(g["known"][partner, rank])
    for seat in range(int64(p["players"])):
        if seat != viewer:
            room[seat] = int64(g["hand_size"][seat]) - counts[seat].sum()
            room[FACE_DOWN] -= int64(g["hand_size"][seat])
    dealt = True
    for rank in range(NUM_RANKS):
        for _ in range(_num_hidden(g, viewer, rank) - counts[:, rank].sum()):
            place = _place_drawn(room, counts[:, rank], rng, evenly)
            if place < 0:
                dealt = False
            else:
                room[place] -= 1
                counts[place, rank] += 1
    return dealt


@part
def _place_drawn(room, held, rng, evenly):
    """A place by its free room; −1 if there is none."""
    total, widest = 0, -1
    for place in range(NUM_PLACES):
        if room[place] > 0 and held[place] < MAX_SIZE:
            total += room[place]
            if widest < 0 or room[place] > room[widest]:
                widest = place
    if evenly or total == 0:
        return widest
    drawn = random_below(rng, total)
    for place in range(NUM_PLACES):
        if room[place] > 0 and held[place] < MAX_SIZE:
            if drawn < room[place]:
                return place
            drawn -= room[place]
    return -1


@part
def _free_card(g, place, rank, cards):
    """The bit for one more card of the rank at a place: one of `cards` if they last, else any that is free there."""
    if cards:
        return cards & -cards
    if place == FACE_DOWN:
        free = ALL_CARDS & ~int64(g["face_down"][rank])
        return free & -free
    held, played = int64(g["hands"][place, rank]), int64(g["played"][place, rank])
    free = ALL_CARDS & ~held & ~played
    if free == 0:
        free = ALL_CARDS & ~held
    return free & -free
