# mypy: allow-untyped-defs, no-check-untyped-defs
"""Drawing worlds: `worlds_prepared` once for a view, then `world_drawn` as often as wanted.

What the table of `worlds` cannot hold is drawn by trial: a second exchange of others, who leads by the opening card
with two decks or cards face down, ranks shown in a trade. Where the table would grow too large (mostly at seven hands
and more), what the plays of some hands say of suits is left to trial too, then the exchange. Worlds drawn so are
equally likely. Trials are bounded: after some in vain, swaps of cards mend what the plays rule out, which leaves the
worlds all but equally likely, and when all are used up a world agrees with the table alone.

Measured on decks of 12 cards, every world mended that does not fit at once: the distance in total variation from even
chances was at most 0.004 above that of as many even draws, and of 10,000 worlds one did not agree with the plays.
"""

import numpy as np
from numpy import int64

from president_env.bots.knowledge import (
    FACE_DOWN,
    GIVEN_BACK,
    HIDDEN,
    KEPT,
    MAX_CARDS,
    OWN,
    PLAIN,
    PLAYED,
    SIZES_ALONE,
    TAKEN,
    THERE_AND_BACK,
    labels_of,
    puzzle_set,
)
from president_env.bots.surplus import has_surplus, surplus_dealt
from president_env.bots.worlds import all_marked, columns_set, first_of_rank, marked, places_drawn, walked, ways_counted
from president_env.cards import NUM_RANKS
from president_env.engine.compiled import allocating, part
from president_env.engine.deal import opening_found
from president_env.engine.parameters import EXCHANGE_ASK
from president_env.engine.rng import random_below
from president_env.engine.state import TRADE, cards_added, num_held

TRIES_AT_FIRST = 4000
TRIES_A_WORLD = 40
"""Deals tried for one that fits what the table does not hold: so many for the worlds of a view together, and more for
each; what one world leaves over the next may use."""
TRIES_UNMENDED = 20
SWAPS_A_CARD = 12
BY_TABLE, BY_RANK = range(2)


@part
def worlds_prepared(q, view, p, free_leader, ways, trans):
    """Work out the view's puzzle; how worlds are drawn from it is the result, BY_TABLE or BY_RANK.

    `free_leader`: the leader of round 1 was set by hand, so it tells nothing of its cards.
    """
    viewer = int64(view["viewer"])
    q["tries_left"] = TRIES_AT_FIRST
    if has_surplus(view, p, viewer):
        return BY_RANK
    impossible = False
    for looseness in range(SIZES_ALONE + 1):
        if impossible and looseness < SIZES_ALONE:
            continue
        puzzle_set(q, view, p, viewer, free_leader, looseness)
        columns_set(q, view, p)
        size = (int64(q["num_cards"]) + 1) * int64(q["num_states"])
        if size <= len(ways) and q["num_marks"] <= trans.shape[2]:
            if ways_counted(q, view, p, ways, trans):
                return BY_TABLE
            impossible = True
    return BY_RANK


@allocating
def world_drawn(q, how, views, i, p, ways, trans, rng, worlds, j):
    """Write a world of view i into row j of `worlds`: every hidden card in its place, the exchanges complete."""
    world = worlds[j]
    if how == BY_RANK:
        worlds[j] = views[i]
        surplus_dealt(world, p, rng)
        _offers_filled(world, rng)
        return
    where = np.empty(MAX_CARDS, dtype=np.int64)
    labels = np.full(MAX_CARDS, PLAIN, dtype=np.int64)
    other_labels = np.full(MAX_CARDS, PLAIN, dtype=np.int64)
    q["tries_left"] += TRIES_A_WORLD
    tried = 0
    while True:
        tried += 1
        q["tries_left"] -= 1
        last = q["tries_left"] <= 0
        walked(q, views[i], ways, trans, rng, where, labels)
        places_drawn(q, rng, where)
        if q["by_trial"] and not _plays_fit(q, where):
            if tried < TRIES_UNMENDED and not last:
                continue
            _swapped(q, rng, where, labels)
        guessed = q["other_pair"] < 0 or _exchange_guessed(q, views[i], p, rng, where, other_labels)
        if not guessed and not last:
            continue
        worlds[j] = views[i]
        _hands_written(q, world, p, where)
        if last or (
            (not q["check_opening"] or _opening_fits(world, p)) and (not q["check_shown"] or _shown_fits(q, world))
        ):
            if q["pair"] >= 0:
                _exchange_written(q, world, int64(q["pair"]), labels)
            if q["other_pair"] >= 0 and guessed:
                _exchange_written(q, world, int64(q["other_pair"]), other_labels)
            _offers_filled(world, rng)
            return


@part
def _plays_fit(q, where):
    """Whether no hand holds a card that its plays rule out."""
    misplaced = 0
    for c in range(int64(q["num_cards"])):
        misplaced += (int64(q["ruled_out"][c]) >> where[c]) & 1
    return misplaced == 0


@part
def _swapped(q, rng, where, labels):
    """Swap hidden cards of hands outside the followed exchange, at random, wherever both come to stand right."""
    cards = int64(q["num_cards"])
    for _ in range(SWAPS_A_CARD * cards):
        a, b = random_below(rng, cards), random_below(rng, cards)
        if q["hidden"][a] == HIDDEN and q["hidden"][b] == HIDDEN and labels[a] == PLAIN and labels[b] == PLAIN:
            right_there = int64(q["allowed"][a]) & ~int64(q["ruled_out"][a])
            right_here = int64(q["allowed"][b]) & ~int64(q["ruled_out"][b])
            if (right_there >> where[b]) & 1 and (right_here >> where[a]) & 1:
                where[a], where[b] = where[b], where[a]


@part
def _hands_written(q, world, p, where):
    """Put the cards into the hands of a copy of the view."""
    for seat in range(int64(p["players"])):
        if seat != q["viewer"]:
            world["hand_size"][seat] = 0
    for c in range(int64(q["num_cards"])):
        if q["hidden"][c] == PLAYED:
            continue
        place, rank, bit = where[c], int64(q["rank"][c]), int64(q["bit"][c])
        if place == FACE_DOWN:
            world["face_down"][rank] |= bit
        else:
            cards_added(world, place, rank, bit)
    world["viewer"] = -1


@part
def _exchange_written(q, world, pair, labels):
    """Note the cards that moved, and that their new holder's partner knows them."""
    taker, giver = int64(world["taker"][pair]), int64(world["giver"][pair])
    for c in range(int64(q["num_cards"])):
        rank, bit, label = int64(q["rank"][c]), int64(q["bit"][c]), labels[c]
        if label in (TAKEN, THERE_AND_BACK):
            world["taken"][pair, rank] |= bit
        if label in (GIVEN_BACK, THERE_AND_BACK):
            world["returned"][pair, rank] |= bit
            world["known"][giver, rank] |= bit & int64(world["hands"][giver, rank])
        if label == TAKEN:
            world["known"][taker, rank] |= bit & int64(world["hands"][taker, rank])


@part
def _offers_filled(world, rng):
    """In a trade that runs, what has been offered face down is any card."""
    if world["phase"] != TRADE:
        return
    seat = int64(world["seat"])
    partner = int64(world["partner"][seat])
    step = int64(world["trade_step"])
    for side in range(2):
        offered = step > side
        offerer = seat if (step & 1) == side else partner
        if offered and world["trade_offer"][side] < 0:
            drawn = random_below(rng, int64(world["hand_size"][offerer]))
            for rank in range(NUM_RANKS):
                number = num_held(world, offerer, rank)
                if 0 <= drawn < number:
                    world["trade_offer"][side] = rank
                drawn -= number


@part
def _opening_fits(world, p):
    """Whether the rule would have found the leader of the round in this world."""
    rank, card = int64(world["opening_rank"]), int64(world["opening_card"])
    for seat in range(int64(p["players"])):
        for k in range(NUM_RANKS):
            world["hands"][seat, k] |= world["played"][seat, k]
    found = opening_found(world, p)
    if found != world["leader"]:
        return False
    for seat in range(int64(p["players"])):
        for k in range(NUM_RANKS):
            world["hands"][seat, k] &= 255 - int64(world["played"][seat, k])
    world["opening_rank"] = rank
    world["opening_card"] = card
    return True


@part
def _shown_fits(q, world):
    """Whether the viewer's partner had the ranks that it offered; one of them may have come to the viewer."""
    viewer = int64(q["viewer"])
    partner = int64(world["partner"][viewer])
    if partner < 0 or not world["shown"][partner]:
        return True
    for rank in range(NUM_RANKS):
        if (int64(world["shown"][partner]) >> rank) & 1:
            had = int64(world["hands"][partner, rank]) | int64(world["played"][partner, rank])
            mine = int64(world["known"][viewer, rank]) | int64(world["played"][viewer, rank])
            if not had and not mine:
                return False
    return True


@part
def _exchange_guessed(q, view, p, rng, where, labels):
    """Mark cards at random as those that moved in the other exchange. Whether they can be."""
    pair = int64(q["other_pair"])
    taker, giver = int64(view["taker"][pair]), int64(view["giver"][pair])
    cards, most_taken, most_returned = (
        int64(q["num_cards"]),
        int64(q["num_taken"][pair]),
        int64(q["num_returned"][pair]),
    )
    of_giver, of_taker = 0, 0
    for c in range(cards):
        of_giver += 1 if where[c] == giver else 0
        of_taker += 1 if where[c] == taker else 0
    returned, taken = most_returned, most_taken
    of_both = of_taker + most_returned
    if returned > of_giver or taken > of_both:
        return False
    marks = 0
    for c in range(cards):
        labels[c] = PLAIN
        if where[c] != giver and where[c] != taker:
            continue
        came_back, went = False, False
        if where[c] == giver:
            came_back = random_below(rng, of_giver) < returned
            of_giver -= 1
            returned -= 1 if came_back else 0
        options = labels_of(view, p, pair, int64(q["rank"][c]), int64(q["bit"][c]))
        if came_back or where[c] == taker:
            if p["exchange"] == EXCHANGE_ASK:
                went = (options >> TAKEN) & 1 != 0
            else:
                went = random_below(rng, of_both) < taken
            of_both -= 1
            taken -= 1 if went else 0
        if where[c] == giver:
            labels[c] = THERE_AND_BACK if came_back and went else GIVEN_BACK if came_back else KEPT
        else:
            labels[c] = TAKEN if went else OWN
        if not (options >> labels[c]) & 1:
            return False
    for c in range(cards):
        marks = marked(q, p, pair, marks, labels[c], first_of_rank(q, c))
        if marks < 0:
            return False
    return all_marked(q, p, pair, marks)
