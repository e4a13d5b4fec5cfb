"""The GAME record: everything that a match is, in one fixed-size NumPy record.

A copy is an assignment, a batch an array of records, a saved game bytes. A hand is a suit mask per rank (see
`cards`), so naming a card is a bit. `sets`, `hand_count` and `hand_size` repeat what `hands` says, because every
decision reads them; `cards_added` and `cards_removed` alone write them. `played_count` and `gone` repeat `played` in
the same way, by `cards_spent`.
"""

import numpy as np
from numpy import int64

from president_env.cards import JOKER, NUM_RANKS
from president_env.engine.compiled import inlined, part
from president_env.engine.words import load_word, store_word

MAX_PLAYERS = 8
MAX_SIZE = 8
ALL_RANKS = (1 << NUM_RANKS) - 1
NATURAL_RANKS = (1 << JOKER) - 1
BOTH_DECKS = 0x11
"""Both copies of the card of suit 0 in the suit mask of a rank; shifted by s, those of suit s."""
CLUB_THREE = BOTH_DECKS
"""The 3 of clubs of either deck in the suit mask of rank 0."""

PLAY, OFFER, DROP, EXCHANGE, TRADE, OVER, DEAL = range(7)
"""Phases. DEAL is seen inside the engine only: the round is over and the next one has not been dealt."""
PHASES = ("play", "offer", "drop", "exchange", "trade", "over")

OFF, ON_TURN, ANY_TIME = range(3)

# name, type, shape, meaning
_FIELDS: tuple[tuple[str, str, tuple[int, ...], str], ...] = (
    ("seed", "i8", (), "what the match was started from; -1 in a view"),
    ("rng", "u4", (4,), "xoshiro128++ state, four 32-bit words; 0 in a view"),
    ("viewer", "i1", (), "the seat whose view this is; -1 is the game itself"),
    ("phase", "i1", (), "PLAY, OFFER, DROP, EXCHANGE, TRADE, OVER or DEAL"),
    ("seat", "i1", (), "the seat to move; -1 when over"),
    ("round", "i4", (), "counts from 1"),
    ("dealer", "i1", (), "who dealt this round"),
    ("leader", "i1", (), "who leads or led this round; -1 during the exchange"),
    ("scores", "i4", (MAX_PLAYERS,), "points of the match"),
    ("last_place", "i1", (MAX_PLAYERS,), "places of the last finished round, 0 before there is one"),
    ("fresh", "i2", (), "seats that took their place by the last move, one bit each"),
    ("deck", "u1", (NUM_RANKS,), "every card of this round"),
    ("hands", "u1", (MAX_PLAYERS, NUM_RANKS), "suit mask per rank: low nibble deck one, high nibble deck two"),
    ("sets", "i2", (MAX_PLAYERS, MAX_SIZE), "[seat, k - 1]: the ranks of which the seat holds k cards or more"),
    ("hand_count", "i1", (MAX_PLAYERS, NUM_RANKS), "cards in hand by rank"),
    ("hand_size", "i1", (MAX_PLAYERS,), "cards in hand"),
    ("played", "u1", (MAX_PLAYERS, NUM_RANKS), "cards that the seat has played or dropped in this round"),
    ("played_count", "i1", (MAX_PLAYERS, NUM_RANKS), "how many they are by rank"),
    ("gone", "i1", (NUM_RANKS,), "cards played or dropped by anybody, by rank"),
    ("deck_count", "i1", (NUM_RANKS,), "cards of this round by rank"),
    ("face_down", "u1", (NUM_RANKS,), "cards dealt to nobody"),
    ("active", "i2", (), "seats with cards and without a place, one bit each"),
    ("place", "i1", (MAX_PLAYERS,), "places of this round, 0 while playing"),
    ("best_free", "i1", (), "the best place not taken"),
    ("worst_free", "i1", (), "the worst place not taken"),
    ("top_rank", "i1", (), "rank of the play to beat; -1 on an empty table"),
    ("top_size", "i1", (), "its size, wild cards included; 0 on an empty table"),
    ("top_wild", "i1", (), "how many of its cards are wild"),
    ("top_seat", "i1", (), "who made it; -1 on an empty table"),
    ("trick_count", "i1", (NUM_RANKS,), "cards in the trick by the rank they were played as"),
    ("trick_plays", "i2", (), "plays in the trick"),
    ("passed", "i2", (), "seats that passed since the play to beat, one bit each"),
    ("barred", "i2", (), "seats that strict passing keeps out of the trick, one bit each"),
    ("passed_on", "i1", (MAX_PLAYERS, 4), "[seat, size - 1]: 1 + the weakest rank it passed on (sizes over 4 as 4)"),
    ("revolution", "i1", (), "1 while a revolution holds"),
    ("trick_turn", "i1", (), "1 while reversing ranks have turned the order for the trick"),
    ("turned", "i1", (), "1 if the order that the next play has to follow is turned round, all reversals together"),
    ("opening_rank", "i1", (), "rank of the card that the first play has to contain; -1 if it is free"),
    ("opening_card", "u1", (), "that card as a bit of its rank"),
    ("run_length", "i1", (), "plays in a row that each stand one rank above the one before"),
    ("run_seats", "i1", (2,), "who made the last two plays"),
    ("resume", "i1", (), "phase OFFER: the seat whose turn comes when all have declined"),
    ("drop_seats", "i1", (3,), "phase DROP: who may drop, in order; -1 is nobody"),
    ("drop_index", "i1", (), "phase DROP: the one whose drop it is"),
    ("drop_size", "i1", (), "phase DROP: how many cards each may drop"),
    ("left", "i1", (), "drops, gives or asks that the seat to move has left"),
    ("completer", "i1", (), "phase DROP: who completed the run"),
    ("stage", "i1", (), "0-1 cards taken by president and vice, 2-3 cards returned by them, 4… middle trades"),
    ("taker", "i1", (2,), "president and vice president in the exchange; -1 is none"),
    ("giver", "i1", (2,), "bum and vice bum in the exchange; -1 is none"),
    ("owed", "i1", (2,), "cards that each giver owes"),
    ("taken", "u1", (2, NUM_RANKS), "cards that went from giver to taker"),
    ("returned", "u1", (2, NUM_RANKS), "cards that went back"),
    ("asked", "i2", (2, 4), "[pair, suit]: ranks of the cards that the taker asked for; jokers with suit 0"),
    ("partner", "i1", (MAX_PLAYERS,), "whom the seat exchanges cards with in this round; -1 is nobody"),
    ("known", "u1", (MAX_PLAYERS, NUM_RANKS), "cards in the seat's hand that its partner has seen there"),
    ("trade_step", "i1", (), "phase TRADE: 0-1 the better and the worse place offer, 2-3 they answer"),
    ("trade_offer", "i1", (2,), "phase TRADE: the ranks offered by the better and the worse place; -1 is none yet"),
    ("trade_tries", "i1", (), "phase TRADE: offers of this pair that were rejected"),
    ("shown", "i2", (MAX_PLAYERS,), "ranks that the seat has offered its partner in this round's trade"),
)

GAME = np.dtype(
    [(name, kind, shape) for name, kind, shape, _ in sorted(_FIELDS, key=lambda field: -np.dtype(field[1]).itemsize)],
    align=True,
)
"""One match; the fields stand in the record by falling size of their type, which leaves no gaps."""
GAME_FIELDS: dict[str, str] = {name: meaning for name, _, _, meaning in _FIELDS}
"""A line of meaning per field of GAME."""

POPCOUNT = np.array([bin(mask).count("1") for mask in range(256)], dtype=np.int8)


LOWEST_BIT = np.array([8, *((mask & -mask).bit_length() - 1 for mask in range(1, 256))], dtype=np.int8)
"""[mask]: the index of its lowest bit, 8 if it has none."""


LEAVING_ORDER = np.array([3, 7, 2, 6, 1, 5, 0, 4], dtype=np.int64)
"""The bits of a suit mask in the order in which cards of a rank leave a hand: spades, hearts, diamonds, clubs."""


def _top_cards(mask: int, number: int) -> int:
    chosen = 0
    for bit in LEAVING_ORDER.tolist():
        if number and mask >> bit & 1:
            chosen |= 1 << bit
            number -= 1
    return chosen


TOP_CARDS = np.array([[_top_cards(mask, number) for number in range(9)] for mask in range(256)], dtype=np.uint8)
"""[mask, k]: the k cards of a rank that leave a hand first."""

SETS_UP_TO = np.array(
    [[sum(1 << 16 * k for k in range(4) if 4 * half + k < number) for number in range(9)] for half in range(2)],
    dtype=np.int64,
)
"""[half, k]: bit 0 of each of the four `sets` in that half of a seat's, if it is of k cards or fewer."""


@inlined
def num_cards(mask):
    """How many cards a suit mask names."""
    return int64(POPCOUNT[mask])


@inlined
def num_held(g, seat, rank):
    """How many cards of the rank the seat holds."""
    return int64(g["hand_count"][seat, rank])


@inlined
def ranks_held(g, seat, number):
    """Mask of the ranks of which the seat holds `number` cards or more; 1 to 8."""
    return int64(g["sets"][seat, number - 1])


@part
def _held_noted(g, seat, rank, number):
    """Note that the seat holds so many cards of the rank now; its bit changes in the sets between the two numbers."""
    before = num_held(g, seat, rank)
    g["hand_count"][seat, rank] = number
    g["hand_size"][seat] += number - before
    for half in range(2):
        at = 2 * MAX_SIZE * seat + 8 * half
        changes = (SETS_UP_TO[half, before] ^ SETS_UP_TO[half, number]) << rank
        store_word(g["sets"], at, load_word(g["sets"], at) ^ changes)


@part
def cards_added(g, seat, rank, cards):
    """Put the cards, a suit mask, into the hand."""
    g["hands"][seat, rank] |= cards
    _held_noted(g, seat, rank, num_held(g, seat, rank) + num_cards(cards))


@part
def cards_removed(g, seat, rank, cards):
    """Take the cards, a suit mask, out of the hand that holds them."""
    g["hands"][seat, rank] &= 255 - cards
    g["known"][seat, rank] &= 255 - cards
    _held_noted(g, seat, rank, num_held(g, seat, rank) - num_cards(cards))


@part
def cards_spent(g, seat, rank, cards):
    """Play or drop the cards, a suit mask: all see them, and they are gone for the round."""
    number = num_cards(cards)
    cards_removed(g, seat, rank, cards)
    g["played"][seat, rank] |= cards
    g["played_count"][seat, rank] += number
    g["gone"][rank] += number


@part
def top_cards(g, seat, rank, number):
    """Suit mask of the cards of the rank that leave the hand first."""
    return int64(TOP_CARDS[g["hands"][seat, rank], number])


@part
def is_active(g, seat):
    """Whether the seat holds cards and has no place yet."""
    return (int64(g["active"]) >> seat) & 1 != 0


@part
def first_seat_after(p, seats, seat):
    """The first of the seats, one bit each, to the left of `seat`, itself last; −1 if there is none."""
    players = int64(p["players"])
    turned = ((seats >> (seat + 1)) | (seats << (players - seat - 1))) & ((1 << players) - 1)
    if turned == 0:
        return -1
    found = seat + 1 + int64(LOWEST_BIT[turned])
    return found - players if found >= players else found


@part
def next_active(g, p, seat):
    """The first active seat to the left of the seat, itself last; −1 if there is none."""
    return first_seat_after(p, int64(g["active"]), seat)
