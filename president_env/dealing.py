"""Hands given by hand, checked against the deck and turned into suit masks.

They may be any cards of the deck: a few, the rest of the deck then lying face down, or for studies more copies of a
card than it has, two in one hand at most. A third copy that an exchange brings into a hand counts as another suit.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from president_env.cards import JOKER, NUM_RANKS, parse_card
from president_env.engine.parameters import deck_of
from president_env.engine.state import BOTH_DECKS
from president_env.rules import Rules


def given_hands(rules: Rules, number: int, hands: Sequence[str]) -> NDArray[np.uint8]:
    """The hands of round `number` as (players, 14) suit masks; ValueError names what the deck does not have."""
    if isinstance(hands, str) or len(hands) != rules.players:
        given = "a single text" if isinstance(hands, str) else f"{len(hands)} hands"
        raise ValueError(f"deals: round {number} gives {given}; the rules want a list of {rules.players} hands")
    deck = [int(mask) for mask in deck_of(rules)]
    left = list(deck)
    masks = np.zeros((rules.players, NUM_RANKS), dtype=np.uint8)
    for seat, hand in enumerate(hands):
        if not hand.split():
            raise ValueError(f"deals: the hand of seat {seat} in round {number} is empty; give at least one card")
        for card in hand.split():
            rank, suit = parse_card(card)
            copies = deck[rank] if rank == JOKER else deck[rank] & (BOTH_DECKS << suit)
            if not copies:
                raise ValueError(f"deals: round {number} has {card}, a card that the deck of these rules lacks")
            either = 15 if rank == JOKER else BOTH_DECKS << suit
            free = copies & left[rank] or either & ~int(masks[seat, rank])
            if not free:
                most = "four jokers" if rank == JOKER else f"two of {card}"
                raise ValueError(f"deals: the hand of seat {seat} in round {number} has more than {most}")
            bit = free & -free
            left[rank] &= ~bit
            masks[seat, rank] |= bit
    return masks
