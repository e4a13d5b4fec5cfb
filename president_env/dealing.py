"""Hands given by hand, checked against the deck and turned into suit masks.

They may be any cards of the deck: a few, the rest of the deck then lying face down, or for studies more copies of a
card than it has, two in one hand at most. A third copy that an exchange brings into a hand counts as another suit.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from president_env.cards import JOKER, NUM_RANKS, parse_card
from president_env.engine.parameters import deck_of
from president_env.engine.state import BOTH_DECKS
from president_env.rules import Rules


def deals_and_leader(options: Mapping[str, Any] | None) -> tuple[Sequence[Sequence[str]], Any]:
    """What the `options` of an environment's reset say: the deals, empty if there are none, and the leader or None."""
    if options is not None and not isinstance(options, Mapping):
        raise ValueError(f"options: {options!r:.60} was given; wanted is a dict, which may hold deals and leader")
    options = options or {}
    deals = options.get("deals")
    return () if deals is None else deals, options.get("leader")


def given_deals(rules: Rules, deals: Sequence[Sequence[str]]) -> list[NDArray[np.uint8]]:
    """The hands of each round that is given, as `given_hands` has them."""
    if not isinstance(deals, list | tuple):
        raise ValueError(f"deals: {deals!r:.60} was given; wanted is a list of rounds, each a list of hands")
    return [given_hands(rules, number, hands) for number, hands in enumerate(deals, start=1)]


def given_hands(rules: Rules, number: int, hands: Sequence[str]) -> NDArray[np.uint8]:
    """The hands of round `number` as (players, 14) suit masks; ValueError names what the deck does not have."""
    if not isinstance(hands, list | tuple) or len(hands) != rules.players:
        given = f"{len(hands)} hands" if isinstance(hands, list | tuple) else f"{hands!r:.40}"
        raise ValueError(f"deals: round {number} gives {given}; the rules want a list of {rules.players} hands")
    deck = [int(mask) for mask in deck_of(rules)]
    left = list(deck)
    masks = np.zeros((rules.players, NUM_RANKS), dtype=np.uint8)
    for seat, hand in enumerate(hands):
        if not isinstance(hand, str):
            raise ValueError(f"deals: a hand in round {number} is {hand!r:.40}; wanted is a text as '3C 4D'")
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
