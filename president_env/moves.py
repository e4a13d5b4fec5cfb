"""Moves and their table: action id <-> move <-> text.

Every rule set has one table of all its moves; the row number is the action id, and the order never changes: pass,
plays by size and then wild cards, the 3 of clubs bomb, gives, asks, drops, stop, accept, reject. Within each of
these groups the ranks ascend. A group is what the engine handles at once: a mask of ranks answers for all its rows.
"""

from collections.abc import Iterator
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from president_env.cards import JOKER, JOKER_TEXT, card_text, rank_text
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
    """All moves of a rule set, in the order of their ids."""

    def __init__(self, rules: Rules) -> None:
        self.groups = tuple(_groups(rules))
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


def _groups(rules: Rules) -> Iterator[Group]:
    ranks = rules.rank_indices
    copies = rules.suits * rules.num_decks
    jokers = (JOKER,) if rules.jokers else ()
    yield Group(Kind.PASS, 0, 0, 0, (0,))
    for size in range(1, 4 * rules.num_decks + 1):
        for wild in range(size):
            able = tuple(rank for rank in (*ranks, *jokers) if _can_exist(rules, rank, size, wild, copies))
            if able:
                yield Group(Kind.PLAY, size, wild, 0, able)
    if rules.club3_bomb != "off":
        yield Group(Kind.BOMB, 1, 0, 0, (0,))
    returns = rules.exchange != "off" and rules.exchange_return == "choice"
    if rules.exchange == "any" or returns or rules.middle_trade:
        yield Group(Kind.GIVE, 1, 0, 0, (*ranks, *jokers))
    if rules.exchange == "ask":
        for suit in range(rules.suits):
            yield Group(Kind.ASK, 1, 0, suit, ranks)
        if jokers:
            yield Group(Kind.ASK, 1, 0, 0, jokers)
    if rules.run_drop:
        yield Group(Kind.DROP, 1, 0, 0, (*ranks, *jokers))
    if rules.run_drop or rules.exchange == "ask":
        yield Group(Kind.STOP, 0, 0, 0, (0,))
    if rules.haggle_rounds:
        yield Group(Kind.ACCEPT, 0, 0, 0, (0,))
        yield Group(Kind.REJECT, 0, 0, 0, (0,))


def _can_exist(rules: Rules, rank: int, size: int, wild: int, copies: int) -> bool:
    """Whether the deck has cards for such a play and no rule forbids it everywhere."""
    if rank == JOKER:
        return wild == 0 and size <= (1 if rules.joker == "burn" else rules.jokers)
    six = rank == 3
    wild_cards = (rules.jokers if rules.joker == "wild" else 0) + (copies if rules.wild_sixes and not six else 0)
    if size - wild > copies or wild > wild_cards:
        return False
    burning_two = rules.burn_twos and rank == 12
    return not (burning_two and wild) or (rules.bombs and size >= 4)


@lru_cache(maxsize=256)
def move_table(rules: Rules) -> MoveTable:
    """The table of a rule set, made once."""
    return MoveTable(rules)
