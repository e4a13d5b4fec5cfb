"""The words of the game, with cards as strings: "3C", "TD", "2S" and "*" for a joker.

Nothing here or in the other modules of this package (``compare`` excepted, which holds the two side by side) knows the
engine: a mistake would have to be made twice to go unseen.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, NamedTuple

RANKS = "3456789TJQKA2"
SUITS = "CDHS"
JOKER = "*"

Fields = dict[str, Any]

#: The rules of a game for which nothing is said.
DEFAULTS: Fields = {
    "players": 4,
    "decks": 1,
    "jokers": 0,
    "ranks": RANKS,
    "suits": 4,
    "deal": "all",
    "dealer": None,
    "first_leader": 0,
    "opening_card_forced": False,
    "next_leader": "auto",
    "passing": "soft",
    "equal_rank": "illegal",
    "revolution": False,
    "reversing_ranks": (),
    "reversal_lasts": "next_play",
    "clearing_ranks": (),
    "burn_twos": False,
    "joker": "off",
    "bombs": False,
    "quartet": "off",
    "club3_bomb": "off",
    "wild_sixes": False,
    "run_drop": False,
    "burn_finish_last": False,
    "equal_burn_finish_last": False,
    "club3_finish_last": False,
    "vice_roles": True,
    "exchange": "off",
    "exchange_cards": (2, 1),
    "exchange_return": "choice",
    "middle_trade": False,
    "haggle_rounds": 0,
    "rounds": 1,
    "target_score": None,
    "scoring": "none",
    "tiebreak": False,
}


class Question(NamedTuple):
    """What the table asks next: who has to say what, and what would be accepted."""

    phase: str
    seat: int
    legal: list[str]


#: A part of the game that asks questions, is sent the answers as texts, and returns nothing.
Talk = Generator[Question, str, None]


def complete(fields: Fields) -> Fields:
    """The rules in full: the defaults for what is not said, "off" for None and False, one number of decks."""
    unknown = set(fields) - set(DEFAULTS)
    if unknown:
        raise ValueError(f"no such rules: {sorted(unknown)}")
    rules = {**DEFAULTS, **fields}
    for name in ("joker", "quartet", "club3_bomb", "exchange"):
        rules[name] = rules[name] or "off"
    if rules["decks"] == "auto":
        rules["decks"] = 2 if rules["players"] >= 7 else 1
    return rules


def rank_of(card: str) -> str:
    return card[0]


def place_in_hand(card: str) -> tuple[int, int]:
    """Sorts a hand as it is written: lowest rank first, within a rank C D H S, jokers last."""
    if card == JOKER:
        return (len(RANKS), 0)
    return (RANKS.index(card[0]), SUITS.index(card[1]))


def read_hand(text: str) -> list[str]:
    return sorted(text.split(), key=place_in_hand)


def write_hand(cards: list[str]) -> str:
    return " ".join(sorted(cards, key=place_in_hand))


def count_rank(cards: list[str], rank: str) -> int:
    return sum(rank_of(card) == rank for card in cards)


def take_rank(cards: list[str], rank: str) -> str:
    """Take one card of a rank out of a hand: the spades leave first, then hearts, diamonds, clubs."""
    card = max((card for card in cards if rank_of(card) == rank), key=place_in_hand)
    cards.remove(card)
    return card


def ranks_held(cards: list[str]) -> list[str]:
    """The ranks in a hand, lowest first, each once, the joker last."""
    return [rank for rank in RANKS + JOKER if count_rank(cards, rank)]


def deck(rules: Fields) -> list[str]:
    """Every card of the deck."""
    suits = SUITS[: rules["suits"]]
    cards = [rank + suit for rank in rules["ranks"] for suit in suits]
    result: list[str] = cards * rules["decks"] + [JOKER] * rules["jokers"]
    return result
