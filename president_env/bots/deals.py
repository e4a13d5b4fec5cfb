# mypy: allow-untyped-defs, no-check-untyped-defs
"""Drawing worlds: `worlds_prepared` once for a view, then `world_drawn` as often as wanted.

What the table of `worlds` cannot hold is drawn by trial: a second exchange of others, who leads by the opening card
with two decks or cards face down, ranks shown in a trade. Where the table would grow too large (seven hands and more),
a random walk of swaps takes its place, which leaves every deal all but equally likely.
"""

import numpy as np
from numpy import int64

from president_env.bots.knowledge import (
    FACE_DOWN,
    GIVEN_BACK,
    HIDDEN,
    KEPT,
    MAX_CARDS,
    NUM_PLACES,
    OWN,
    PLAIN,
    PLAYED,
    TAKEN,
    THERE_AND_BACK,
    labels_of,
    puzzle_set,
)
from president_env.bots.worlds import all_marked, columns_set, first_of_rank, marked, places_drawn, walked, ways_counted
from president_env.cards import NUM_RANKS
from president_env.engine.compiled import compiled
from president_env.engine.deal import opening_found
from president_env.engine.parameters import EXCHANGE_ASK
from president_env.engine.rng import random_below
from president_env.engine.state import TRADE, cards_added, num_held

MOST_TRIES = np.array([4000, 40])
"""Deals tried for one that fits what the table does not hold, BY_TABLE or BY_SWAPS; then the last is taken as it is."""
SWAPS_A_CARD = 12
BY_TABLE, BY_SWAPS = range(2)


@compiled
def worlds_prepared(q, view, p, free_leader, ways, trans):
    """Work out the view's puzzle; how worlds are drawn from it is the result, BY_TABLE or BY_SWAPS.

    `free_leader`: the leader of round 1 was set by hand, so it tells nothing of its cards.
    """
    viewer = int64(view["viewer"])
    for relaxed in range(2):
        puzzle_set(q, view, p, viewer, free_leader, relaxed)
        columns_set(q, view, p)
        if _table_size(q) > len(ways) and q["pair"] >= 0 and q["other_pair"] < 0:
            # the exchange by trial instead
            q["other_pair"] = q["pair"]
            q["pair"] = -1
            q["num_states"] = int64(q["num_states"]) // int64(q["num_marks"])
            q["num_marks"] = 1
        if _table_size(q) > len(ways) or q["num_marks"] > trans.shape[2]:
            if q["pair"] >= 0 and q["other_pair"] < 0:
                q["other_pair"] = q["pair"]
            q["pair"] = -1
            q["num_marks"] = 1
            if swaps_started(q):
                return BY_SWAPS
        elif ways_counted(q, view, p, ways, trans):
            return BY_TABLE
    return BY_SWAPS


@compiled
def _table_size(q):
    return (int64(q["num_cards"]) + 1) * int64(q["num_states"])


@compiled
def swaps_started(q):
    """Find some deal that the cards allow, into `place` of the hidden cards. False if there is none."""
    room = np.zeros(NUM_PLACES, dtype=np.int64)
    for place in range(NUM_PLACES):
        room[place] = q["room"][place]
    cards = int64(q["num_cards"])
    for c in range(cards):
        if q["hidden"][c] == HIDDEN:
            q["place"][c] = -1
    found = True
    for c in range(cards):
        if q["hidden"][c] == HIDDEN:
            found = found and _placed(q, c, room)
    return found


@compiled
def _placed(q, card, room):
    """Place a card, moving others on where it must: a breadth-first search over the places."""
    came_from = np.full(NUM_PLACES, -1, dtype=np.int64)
    by_card = np.full(NUM_PLACES, -1, dtype=np.int64)
    queue = np.zeros(NUM_PLACES, dtype=np.int64)
    head, tail = 0, 0
    for place in range(NUM_PLACES):
        if (int64(q["allowed"][card]) >> place) & 1:
            by_card[place] = card
            queue[tail] = place
            tail += 1
    while head < tail:
        place = queue[head]
        head += 1
        if room[place] > 0:
            room[place] -= 1
            while place >= 0:
                q["place"][by_card[place]] = place
                place = came_from[place]
            return True
        for c in range(int64(q["num_cards"])):
            if q["hidden"][c] == HIDDEN and q["place"][c] == place:
                for other in range(NUM_PLACES):
                    if (int64(q["allowed"][c]) >> other) & 1 and by_card[other] < 0:
                        by_card[other] = c
                        came_from[other] = place
                        queue[tail] = other
                        tail += 1
    return False


@compiled
def _swapped(q, rng, where):
    """A walk of random swaps of two hidden cards that both may change places; it goes on from the last deal."""
    cards = int64(q["num_cards"])
    for _ in range(SWAPS_A_CARD * cards):
        a, b = random_below(rng, cards), random_below(rng, cards)
        if q["hidden"][a] == HIDDEN and q["hidden"][b] == HIDDEN:
            here, there = int64(q["place"][a]), int64(q["place"][b])
            if (int64(q["allowed"][a]) >> there) & 1 and (int64(q["allowed"][b]) >> here) & 1:
                q["place"][a] = there
                q["place"][b] = here
    for c in range(cards):
        where[c] = q["place"][c]


@compiled
def world_drawn(q, how, views, i, p, ways, trans, rng, worlds, j):
    """Write a world of view i into row j of `worlds`: every hidden card in its place, the exchanges complete."""
    where = np.empty(MAX_CARDS, dtype=np.int64)
    labels = np.full(MAX_CARDS, PLAIN, dtype=np.int64)
    other_labels = np.full(MAX_CARDS, PLAIN, dtype=np.int64)
    world = worlds[j]
    for tried in range(MOST_TRIES[how]):
        last = tried == MOST_TRIES[how] - 1
        if how == BY_TABLE:
            walked(q, views[i], ways, trans, rng, where, labels)
            places_drawn(q, rng, where)
        else:
            _swapped(q, rng, where)
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


@compiled
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


@compiled
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


@compiled
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


@compiled
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


@compiled
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


@compiled
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
