# mypy: allow-untyped-defs, no-check-untyped-defs
"""Worlds: deals of the hidden cards that agree with all that a seat knows, each equally likely.

The cards that the seat does not hold are gone through from the highest to the lowest, within a rank in the order in
which they leave a hand. A table says for every card and every state (free places in each hand, cards marked as moved in
an exchange that the seat has not seen) in how many ways the rest can be dealt; a world is one walk through it, each
step drawn by these numbers, so that every way is equally likely and no walk ends in nothing.
"""

import numpy as np
from numpy import int64

from president_env.bots.knowledge import (
    GIVEN_BACK,
    HIDDEN,
    KEPT,
    NUM_PLACES,
    OWN,
    PLAIN,
    TAKEN,
    THERE_AND_BACK,
)
from president_env.engine.compiled import allocating, part
from president_env.engine.parameters import EXCHANGE_ANY, EXCHANGE_BEST, RETURN_LOWEST
from president_env.engine.rng import random_below, random_word


@part
def columns_set(q, g, p):
    """Give each place that holds hidden cards a column; places that no condition tells apart share one."""
    special = 0
    pair = int64(q["pair"])
    if pair >= 0:
        special = (1 << int64(g["taker"][pair])) | (1 << int64(g["giver"][pair]))
    q["num_groups"] = 0
    for place in range(NUM_PLACES):
        q["places"][place] = 0
        q["size"][place] = 0
    free_column = -1
    for place in range(NUM_PLACES):
        size = int64(q["room"][place])
        if size <= 0:
            continue
        free = not (special >> place) & 1
        for c in range(int64(q["num_cards"])):
            if q["hidden"][c] == HIDDEN and not (int64(q["allowed"][c]) >> place) & 1:
                free = False
        if free and free_column >= 0:
            column = free_column
        else:
            column = int64(q["num_groups"])
            q["num_groups"] = column + 1
            if free:
                free_column = column
        q["places"][column] |= 1 << place
        q["size"][column] += size
    _strides_set(q, p)


@part
def _strides_set(q, p):
    """Where a state stands in the table: the free places of all columns but the last, then the marks."""
    columns = int64(q["num_groups"])
    stride = 1
    for column in range(columns - 1):
        q["stride"][column] = stride
        stride *= int64(q["size"][column]) + 1
    if columns:
        q["stride"][columns - 1] = 0
    q["num_marks"] = 1
    pair = int64(q["pair"])
    if pair >= 0:
        flags = 2
        if p["exchange"] == EXCHANGE_ANY or p["exchange_return"] == RETURN_LOWEST:
            flags = 8
        q["num_marks"] = (int64(q["num_taken"][pair]) + 1) * (int64(q["num_returned"][pair]) + 1) * flags
    q["num_states"] = stride * int64(q["num_marks"])


@part
def marked(q, p, pair, marks, label, first_of_rank):
    """The marks of an exchange after a card of this label; -1 if it cannot be.

    Marks: cards taken, cards returned, and three flags: the taker has kept a card of this rank; the giver has; cards of
    a higher rank were returned.
    """
    if pair < 0:
        return marks
    most_taken, most_returned = int64(q["num_taken"][pair]), int64(q["num_returned"][pair])
    wide = p["exchange"] == EXCHANGE_ANY or p["exchange_return"] == RETURN_LOWEST
    flags = marks & 7 if wide else marks & 1
    counts = marks >> 3 if wide else marks >> 1
    returned = counts % (most_returned + 1)
    taken = counts // (most_returned + 1)
    if first_of_rank:
        flags = 4 if wide and p["exchange_return"] == RETURN_LOWEST and returned else 0
    if label == KEPT:
        if p["exchange"] == EXCHANGE_BEST and taken < most_taken:
            return -1
        if p["exchange"] == EXCHANGE_ANY:
            flags |= 2
    if label in (TAKEN, THERE_AND_BACK):
        if taken == most_taken or flags & 2:
            return -1
        taken += 1
    if label in (GIVEN_BACK, THERE_AND_BACK):
        if returned == most_returned or flags & 1:
            return -1
        returned += 1
    if label in (OWN, TAKEN):
        if flags & 4:
            return -1
        if most_returned:
            flags |= 1
    counts = taken * (most_returned + 1) + returned
    return (counts << 3 if wide else counts << 1) | flags


@part
def _first_label(q, g, place):
    """The first of the labels that a card at this place can have in the followed exchange."""
    pair = int64(q["pair"])
    if pair >= 0 and place == g["giver"][pair]:
        return KEPT
    if pair >= 0 and place == g["taker"][pair]:
        return OWN
    return PLAIN


@part
def _last_label(first):
    return THERE_AND_BACK if first == KEPT else TAKEN if first == OWN else PLAIN


@part
def _place_of(places):
    """The lowest place of a mask."""
    place = 0
    while not (places >> place) & 1:
        place += 1
    return place


@part
def can_be(q, c, label):
    """Whether the card may have been that in the followed exchange."""
    return label == PLAIN or (int64(q["labels"][c]) >> label) & 1 != 0


@part
def first_of_rank(q, c):
    """1 if the card is the first of its rank in the list, else 0."""
    return 1 if c == 0 or q["rank"][c] != q["rank"][c - 1] else 0


@part
def _start(q):
    """Where the state stands in which nothing has been dealt."""
    slot = 0
    for column in range(int64(q["num_groups"])):
        slot += int64(q["size"][column]) * int64(q["stride"][column])
    return slot * int64(q["num_marks"])


@part
def _transitions_set(q, p, trans):
    for first in range(2):
        for label in range(6):
            for marks in range(int64(q["num_marks"])):
                trans[first, label, marks] = marked(q, p, int64(q["pair"]), marks, label, first)


@part
def _ends_set(q, p, ways):
    """Behind the last card there is one way if all that moved has been marked."""
    states, cards, pair = int64(q["num_states"]), int64(q["num_cards"]), int64(q["pair"])
    for s in range(states):
        ways[cards * states + s] = 0.0
    for marks in range(int64(q["num_marks"])):
        if pair < 0 or all_marked(q, p, pair, marks):
            ways[cards * states + marks] = 1.0


@part
def all_marked(q, p, pair, marks):
    """Whether the marks are those of an exchange whose cards have all been seen."""
    wide = p["exchange"] == EXCHANGE_ANY or p["exchange_return"] == RETURN_LOWEST
    counts = marks >> 3 if wide else marks >> 1
    most_returned = int64(q["num_returned"][pair])
    return counts == int64(q["num_taken"][pair]) * (most_returned + 1) + most_returned


@allocating
def ways_counted(q, g, p, ways, trans):
    """Fill the table of ways from the last card back. True if there is a world at all.

    `ways` has (num_cards + 1) × num_states numbers; `trans` [first of its rank, label, marks] is where the marks go.
    """
    states, marks_of = int64(q["num_states"]), int64(q["num_marks"])
    columns, cards = int64(q["num_groups"]), int64(q["num_cards"])
    _transitions_set(q, p, trans)
    _ends_set(q, p, ways)
    left = np.zeros(NUM_PLACES, dtype=np.int64)
    hidden_left = 0
    for c in range(cards - 1, -1, -1):
        hidden_left += 1 if q["hidden"][c] == HIDDEN else 0
        here, after = c * states, (c + 1) * states
        left[:] = 0
        for slot in range(states // marks_of):
            for marks in range(marks_of):
                ways[here + slot * marks_of + marks] = 0.0
            if columns:
                rest = hidden_left
                for column in range(columns - 1):
                    rest -= left[column]
                left[columns - 1] = rest
            if columns == 0 or 0 <= left[columns - 1] <= q["size"][columns - 1]:
                _card_counted(q, g, ways, trans, c, left, here + slot * marks_of, after + slot * marks_of)
            column = 0
            while column < columns - 1:
                left[column] += 1
                if left[column] <= q["size"][column]:
                    break
                left[column] = 0
                column += 1
    return ways[_start(q)] > 0.0


@part
def _card_counted(q, g, ways, trans, c, left, here, after):
    """Add up the ways of one card in one state of the hands, for all marks."""
    marks_of = int64(q["num_marks"])
    first = first_of_rank(q, c)
    if q["hidden"][c] != HIDDEN:
        _label_ways_added(q, g, ways, trans, c, first, int64(q["place"][c]), here, after)
        return
    for column in range(int64(q["num_groups"])):
        places = int64(q["places"][column]) & int64(q["allowed"][c])
        if left[column] > 0 and places:
            target = after - int64(q["stride"][column]) * marks_of
            _label_ways_added(q, g, ways, trans, c, first, _place_of(places), here, target)


@part
def _label_ways_added(q, g, ways, trans, c, first, place, here, after):
    low = _first_label(q, g, place)
    for label in range(low, _last_label(low) + 1):
        if can_be(q, c, label):
            for marks in range(int64(q["num_marks"])):
                reached = trans[first, label, marks]
                if reached >= 0:
                    ways[here + marks] += ways[after + reached]


@part
def _unit(rng):
    """A random number from 0 to below 1."""
    return random_word(rng) * 2.0**-32


@allocating
def walked(q, g, ways, trans, rng, where, label_of):
    """One walk through the table: writes the column, or for sure cards −1, and the label of each card."""
    states, marks_of = int64(q["num_states"]), int64(q["num_marks"])
    columns = int64(q["num_groups"])
    left = np.zeros(NUM_PLACES, dtype=np.int64)
    for column in range(columns):
        left[column] = q["size"][column]
    start = _start(q)
    slot, marks = start // marks_of, 0
    for c in range(int64(q["num_cards"])):
        first = first_of_rank(q, c)
        after = (c + 1) * states
        drawn = _unit(rng) * ways[c * states + slot * marks_of + marks]
        hidden = q["hidden"][c] == HIDDEN
        found, found_label, reached = -1, PLAIN, -1
        for column in range(columns if hidden else 1):
            place, target = int64(q["place"][c]), slot
            if hidden:
                places = int64(q["places"][column]) & int64(q["allowed"][c])
                if left[column] == 0 or not places:
                    continue
                place, target = _place_of(places), slot - int64(q["stride"][column])
            low = _first_label(q, g, place)
            for label in range(low, _last_label(low) + 1):
                then = trans[first, label, marks]
                if then < 0 or not can_be(q, c, label):
                    continue
                number = ways[after + target * marks_of + then]
                if number > 0.0 and drawn >= 0.0:
                    found, found_label, reached = column, label, then
                    drawn -= number
        where[c] = found if hidden else -1
        label_of[c] = found_label
        marks = reached
        if hidden:
            left[found] -= 1
            slot -= int64(q["stride"][found])


@allocating
def places_drawn(q, rng, where):
    """Turn columns into places: within a column that places share, every division is equally likely."""
    room = np.zeros(NUM_PLACES, dtype=np.int64)
    for place in range(NUM_PLACES):
        room[place] = q["room"][place]
    total = np.zeros(NUM_PLACES, dtype=np.int64)
    for column in range(int64(q["num_groups"])):
        total[column] = q["size"][column]
    for c in range(int64(q["num_cards"])):
        if q["hidden"][c] != HIDDEN:
            where[c] = q["place"][c]
            continue
        column = where[c]
        drawn = random_below(rng, total[column])
        total[column] -= 1
        places = int64(q["places"][column])
        for place in range(NUM_PLACES):
            if (places >> place) & 1:
                if drawn < room[place]:
                    where[c] = place
                    room[place] -= 1
                    break
                drawn -= room[place]
