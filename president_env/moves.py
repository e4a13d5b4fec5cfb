"""Moves and their table: action id <-> move <-> text.

Every rule set has one table of all its moves; the row number is the action id, and the order never changes: pass,
plays by size and then wild cards, the 3 of clubs bomb, gives, asks, drops, stop, accept, reject. Within each of
these groups the ranks ascend. A group is what the engine handles at once: a mask of ranks answers for all its rows.
"""

from collections.abc import Iterator
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from president_env.cards import JOKER, JOKER_TEXT, NUM_SUITS, SIX, TWO, card_text, rank_text
from president_env.limits import Limits
from president_env.rules import Rules


class Kind(IntEnum):
    """What a move does."""

    PASS = 0
    PLAY = 1
    BOMB = 2
    GIVE = 3
    ASK = 4
    DROP = 5
    STOP = 6
    ACCEPT = 7
    REJECT = 8


WORDS = {Kind.PASS: "pass", Kind.STOP: "stop", Kind.ACCEPT: "accept", Kind.REJECT: "reject"}
BOMB_TEXT = "3!"


class Move(NamedTuple):
    """One row of the table; fields that a kind has no use for are 0."""

    kind: Kind
    rank: int = 0
    size: int = 0
    """Cards of a play, wild ones included."""
    wild: int = 0
    """How many of them are wild."""
    suit: int = 0
    """Suit of a card that is asked for."""

    @property
    def text(self) -> str:
        """The notation of the move, as in records and error messages."""
        match self.kind:
            case Kind.PLAY:
                return rank_text(self.rank) * (self.size - self.wild) + JOKER_TEXT * self.wild
            case Kind.BOMB:
                return BOMB_TEXT
            case Kind.GIVE:
                return f"give {rank_text(self.rank)}"
            case Kind.DROP:
                return f"drop {rank_text(self.rank)}"
            case Kind.ASK:
                return f"ask {card_text(self.rank, self.suit)}"
        return WORDS[self.kind]


class Group(NamedTuple):
    """Moves that differ in rank alone; they follow one another in the table, lowest rank first."""

    kind: Kind
    size: int
    wild: int
    suit: int
    ranks: tuple[int, ...]


class MoveTable:
    """All moves of a rule set, or of all rule sets within limits, in the order of their ids."""

    def __init__(self, rules: Rules | Limits) -> None:
        self.groups = tuple(_groups(_span(rules)))
        self.moves = tuple(
            Move(group.kind, rank, group.size, group.wild, group.suit) for group in self.groups for rank in group.ranks
        )
        self.texts = tuple(move.text for move in self.moves)
        self._ids = {text: index for index, text in enumerate(self.texts)}

    def __len__(self) -> int:
        return len(self.moves)

    def __getitem__(self, action: int) -> Move:
        return self.moves[action]

    def __iter__(self) -> Iterator[Move]:
        return iter(self.moves)

    def text(self, action: int) -> str:
        """The notation of the move with this id."""
        return self.texts[action]

    def id(self, text: str) -> int:
        """The id of the move; KeyError if the rules know no such move."""
        return self._ids[text]

    def __contains__(self, text: object) -> bool:
        return text in self._ids


class _Span(NamedTuple):
    """What a move table has to hold."""

    ranks: tuple[int, ...]
    suits: int
    copies: int
    """Cards of a natural rank in the deck."""
    max_size: int
    joker_sizes: int
    """The largest play of jokers alone."""
    wild_jokers: int
    wild_sixes: bool
    wild_twos_from: int
    """The least size of twos with wild cards beside them."""
    kinds: frozenset[Kind]


def _span(rules: Rules | Limits) -> _Span:
    if isinstance(rules, Limits):
        ranks, copies = tuple(range(JOKER)), rules.copies
        return _Span(ranks, NUM_SUITS, copies, 4 * rules.decks, rules.jokers, rules.jokers, True, 1, frozenset(Kind))
    copies = rules.suits * rules.num_decks
    wanted = {
        Kind.BOMB: rules.club3_bomb != "off",
        Kind.GIVE: _gives(rules),
        Kind.ASK: rules.exchange == "ask",
        Kind.DROP: rules.run_drop,
        Kind.STOP: rules.run_drop or rules.exchange == "ask",
        Kind.ACCEPT: rules.haggle_rounds > 0,
        Kind.REJECT: rules.haggle_rounds > 0,
    }
    # burning twos are natural cards; beside wild ones they are at most a bomb
    wild_twos_from = 1 if not rules.burn_twos else 4 if rules.bombs else 99
    return _Span(
        rules.rank_indices,
        rules.suits,
        copies,
        4 * rules.num_decks,
        1 if rules.joker == "burn" else rules.jokers,
        rules.jokers if rules.joker == "wild" else 0,
        rules.wild_sixes,
        wild_twos_from,
        frozenset(kind for kind, is_wanted in wanted.items() if is_wanted),
    )


def _gives(rules: Rules) -> bool:
    """Whether anybody ever chooses a card to give."""
    returns = rules.exchange != "off" and rules.exchange_return == "choice"
    return rules.exchange == "any" or returns or rules.middle_trade


def _groups(span: _Span) -> Iterator[Group]:
    jokers = (JOKER,) if span.joker_sizes else ()
    cards = (*span.ranks, *jokers)
    yield Group(Kind.PASS, 0, 0, 0, (0,))
    for size in range(1, span.max_size + 1):
        for wild in range(size):
            ranks = tuple(rank for rank in cards if _can_exist(span, rank, size, wild))
            if ranks:
                yield Group(Kind.PLAY, size, wild, 0, ranks)
    if Kind.BOMB in span.kinds:
        yield Group(Kind.BOMB, 1, 0, 0, (0,))
    if Kind.GIVE in span.kinds:
        yield Group(Kind.GIVE, 1, 0, 0, cards)
    if Kind.ASK in span.kinds:
        for suit in range(span.suits):
            yield Group(Kind.ASK, 1, 0, suit, span.ranks)
        if jokers:
            yield Group(Kind.ASK, 1, 0, 0, jokers)
    if Kind.DROP in span.kinds:
        yield Group(Kind.DROP, 1, 0, 0, cards)
    for kind in (Kind.STOP, Kind.ACCEPT, Kind.REJECT):
        if kind in span.kinds:
            yield Group(kind, 0, 0, 0, (0,))


def _can_exist(span: _Span, rank: int, size: int, wild: int) -> bool:
    """Whether the deck has cards for such a play and no rule forbids it everywhere."""
    if rank == JOKER:
        return wild == 0 and size <= span.joker_sizes
    wild_cards = span.wild_jokers + (span.copies if span.wild_sixes and rank != SIX else 0)
    if size - wild > span.copies or wild > wild_cards:
        return False
    return rank != TWO or not wild or size >= span.wild_twos_from


@lru_cache(maxsize=256)
def move_table(rules: Rules | Limits) -> MoveTable:
    """The table of a rule set, or the universal one within limits; made once."""
    return MoveTable(rules)
