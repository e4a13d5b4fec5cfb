"""Cards, hands and their text.

A hand is a uint8 array of 14 suit masks, one per rank (13 ranks, then the joker). In the mask of a rank, bit s is the
card of suit s of the first deck and bit 4 + s the same card of the second. Jokers have no suit: they are bits 0 to 3
of the last mask.
"""

import numpy as np
from numpy.typing import NDArray

RANKS = "3456789TJQKA2"
SUITS = "CDHS"
JOKER = len(RANKS)
SIX, TWO = RANKS.index("6"), RANKS.index("2")
JOKER_TEXT = "*"
NUM_RANKS = JOKER + 1
NUM_SUITS = len(SUITS)
MAX_JOKERS = 4

Hand = NDArray[np.uint8]


def rank_text(rank: int) -> str:
    """The letter of a rank index: "3" to "2", and "*" for the joker."""
    return JOKER_TEXT if rank == JOKER else RANKS[rank]


def card_text(rank: int, suit: int) -> str:
    """The text of a card, "TD"; a joker is "*", whatever its suit bit."""
    return JOKER_TEXT if rank == JOKER else RANKS[rank] + SUITS[suit]


def parse_rank(text: str) -> int:
    """The index of a rank letter, 13 for the joker "*"."""
    if text == JOKER_TEXT:
        return JOKER
    rank = RANKS.find(text) if len(text) == 1 else -1
    if rank < 0:
        raise ValueError(f"unknown rank {text!r}{_hint(text)}: ranks are {' '.join(RANKS)}, and * for the joker")
    return rank


def parse_card(text: str) -> tuple[int, int]:
    """Rank and suit of a card; the joker "*" is (13, 0)."""
    if text == JOKER_TEXT:
        return JOKER, 0
    if len(text) != 2 or text[0] not in RANKS or text[1] not in SUITS:
        raise ValueError(
            f"unknown card {text!r}{_hint(text)}: a card is a rank of {RANKS} and a suit of {SUITS}, as in TD, "
            "or * for a joker"
        )
    return RANKS.index(text[0]), SUITS.index(text[1])


def _hint(text: str) -> str:
    """A guess at what was meant: tens written in figures, small letters."""
    meant = text.upper().replace("10", "T")
    is_rank = len(meant) == 1 and meant in RANKS
    is_card = len(meant) == 2 and meant[0] in RANKS and meant[1] in SUITS
    return f" (did you mean {meant}?)" if meant != text and (is_rank or is_card) else ""


def parse_hand(text: str) -> Hand:
    """The hand of a text like "3C 3D TH *", in any order.

    The first copy of a card is taken to be of the first deck, the second of the second; a third is refused, and so is
    a fifth joker.
    """
    hand = np.zeros(NUM_RANKS, dtype=np.uint8)
    for word in text.split():
        rank, suit = parse_card(word)
        held = int(hand[rank])
        if rank == JOKER:
            if held.bit_count() == MAX_JOKERS:
                raise ValueError(f"too many jokers in hand {text!r}: a deck has at most {MAX_JOKERS}")
            hand[rank] = held << 1 | 1
            continue
        bit = 1 << suit
        if held & bit:
            bit <<= NUM_SUITS
        if held & bit:
            raise ValueError(f"card {word} is three times in hand {text!r}: two decks hold it twice")
        hand[rank] = held | bit
    return hand


def hand_text(hand: Hand) -> str:
    """The cards of a hand, lowest rank first, within a rank C D H S, jokers last."""
    words: list[str] = []
    for rank in range(JOKER):
        mask = int(hand[rank])
        for suit in range(NUM_SUITS):
            copies = (mask >> suit & 1) + (mask >> (NUM_SUITS + suit) & 1)
            words += [card_text(rank, suit)] * copies
    words += [JOKER_TEXT] * int(hand[JOKER]).bit_count()
    return " ".join(words)


def counts(hand: Hand) -> NDArray[np.int64]:
    """How many cards of each rank a hand holds, shape (14,)."""
    return np.bitwise_count(hand).astype(np.int64)


def count_cards(hand: Hand) -> int:
    """How many cards a hand holds."""
    return int(np.bitwise_count(hand).sum())
