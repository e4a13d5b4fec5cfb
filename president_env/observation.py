"""The layout of an observation: which block stands where, what it means, in which range.

The vector is int8. The same table tells the compiled writer where to write, makes the spaces of the environments, and
is printed into the documentation. Blocks that a rule set has no use for are left out.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import prod

import numpy as np
from numpy.typing import NDArray

from president_env.cards import NUM_RANKS
from president_env.engine.blocks import BLOCKS, LAYOUT, NUM_COMMON
from president_env.features import NUM_FEATURES
from president_env.limits import Limits
from president_env.rules import Rules

MAX_COUNT = 127
LATER_BLOCKS = frozenset(["score", "left", "stage", "partner", "known", "taken", "returned", "missed", "trade"])
"""Blocks that are 0 all through the first round, unless `run_drop` uses `left`."""


@dataclass(frozen=True)
class _Dimensions:
    """The dimensions of a layout."""

    players: int
    levels: int
    """The most cards of one rank in the deck."""
    sizes: int
    """The largest size of a play."""
    cards: int
    """The most cards that a seat can hold."""


@dataclass(frozen=True)
class Block:
    """A named stretch of the vector."""

    name: str
    shape: tuple[int, ...]
    high: int
    """Values go from 0 to this."""
    meaning: str
    start: int

    @property
    def size(self) -> int:
        """How many numbers the block has."""
        return prod(self.shape)


@dataclass(frozen=True)
class _Kind:
    meaning: str
    shape: Callable[[_Dimensions], tuple[int, ...]]
    high: Callable[[_Dimensions], int]
    wanted: Callable[[Rules], bool]
    """Whether the rules have a use for the block; a universal layout has all of them."""


def _one(_: _Dimensions) -> int:
    return 1


def _always(_: Rules) -> bool:
    return True


def _exchanges(rules: Rules) -> bool:
    return rules.exchange != "off"


def _seats(size: _Dimensions) -> tuple[int, ...]:
    return (size.players,)


def _ranks(_: _Dimensions) -> tuple[int, ...]:
    return (NUM_RANKS,)


def _levels(size: _Dimensions) -> int:
    return size.levels


_KINDS: dict[str, _Kind] = {
    "phase": _Kind("the phase, one-hot: play, offer, drop, exchange, trade", lambda _: (5,), _one, _always),
    "turn": _Kind("the seat to move, one-hot", _seats, _one, _always),
    "hand_size": _Kind("cards in each hand", _seats, lambda size: size.cards, _always),
    "place": _Kind("place of each seat in this round, 0 while playing", _seats, lambda size: size.players, _always),
    "last_place": _Kind("place of each seat in the last round: its role", _seats, lambda size: size.players, _always),
    "passed": _Kind("who has passed since the play to beat", _seats, _one, _always),
    "passed_on": _Kind(
        "1 + the weakest rank that each seat has passed on in this round, by size 1, 2, 3, 4 and more; a revolution "
        "sets it back to 0",
        lambda size: (size.players, 4),
        lambda _: NUM_RANKS,
        _always,
    ),
    "top_seat": _Kind("who made the play to beat, one-hot", _seats, _one, _always),
    "top_size": _Kind("size of the play to beat, one-hot from 1", lambda size: (size.sizes,), _one, _always),
    "round": _Kind(
        "the round, and how many are to come if their number is fixed (127 stands for more)",
        lambda _: (2,),
        lambda _: MAX_COUNT,
        _always,
    ),
    "top_rank": _Kind("rank of the play to beat, one-hot; zeros on an empty table", _ranks, _one, _always),
    "hand": _Kind(
        "own cards: [k, rank] is 1 if the seat holds more than k of the rank",
        lambda size: (size.levels, NUM_RANKS),
        _one,
        _always,
    ),
    "unseen": _Kind(
        "cards neither in the own hand nor gone, in the same form",
        lambda size: (size.levels, NUM_RANKS),
        _one,
        _always,
    ),
    "played": _Kind(
        "cards that each seat has played or dropped in this round, by rank",
        lambda size: (size.players, NUM_RANKS),
        _levels,
        _always,
    ),
    "score": _Kind(
        "points of each seat (127 stands for more)",
        _seats,
        lambda _: MAX_COUNT,
        lambda rules: rules.scoring != "none",
    ),
    "barred": _Kind("who is out of the trick by strict passing", _seats, _one, lambda rules: rules.passing == "strict"),
    "order": _Kind(
        "whether the order is turned for the next play, and whether a revolution holds",
        lambda _: (2,),
        _one,
        lambda rules: rules.revolution or bool(rules.reversing_ranks),
    ),
    "opening": _Kind(
        "whether the next play has to contain the opening card",
        lambda _: (1,),
        _one,
        lambda rules: rules.opening_card_forced,
    ),
    "top_wild": _Kind(
        "wild cards in the play to beat",
        lambda _: (1,),
        lambda size: size.sizes,
        lambda rules: rules.joker == "wild" or rules.wild_sixes,
    ),
    "trick_count": _Kind(
        "cards in the trick by the rank they were played as",
        _ranks,
        lambda _: MAX_COUNT,
        lambda rules: rules.quartet != "off",
    ),
    "club3": _Kind(
        "3 of clubs in the own hand, and gone",
        lambda _: (2,),
        lambda _: 2,
        lambda rules: rules.club3_bomb != "off" or rules.club3_finish_last,
    ),
    "resume": _Kind(
        "when offered a play out of turn: whose turn comes next, one-hot",
        _seats,
        _one,
        lambda rules: "any_time" in (rules.quartet, rules.club3_bomb),
    ),
    "run": _Kind(
        "plays in a row that each stand one rank above the one before, then who made the last and the one before, "
        "one-hot each",
        lambda size: (1 + 2 * size.players,),
        lambda size: 2,
        lambda rules: rules.run_drop,
    ),
    "droppers": _Kind("who may still drop, the seat to move included", _seats, _one, lambda rules: rules.run_drop),
    "left": _Kind(
        "drops, gives or asks that the seat to move has left",
        lambda _: (1,),
        lambda size: size.cards,
        lambda rules: rules.run_drop or rules.exchange != "off",
    ),
    "stage": _Kind(
        "in the exchange, one-hot: president takes, vice takes, president returns, vice returns",
        lambda _: (4,),
        _one,
        _exchanges,
    ),
    "partner": _Kind("whom the seat exchanges with in this round, one-hot", _seats, _one, _exchanges),
    "known": _Kind(
        "by rank: cards known to be in the partner's hand, then own cards that the partner knows",
        lambda _: (2, NUM_RANKS),
        _levels,
        _exchanges,
    ),
    "taken": _Kind(
        "by rank: cards that the president, then the vice president, took in this round's exchange, as far as known",
        lambda _: (2, NUM_RANKS),
        _levels,
        _exchanges,
    ),
    "returned": _Kind(
        "by rank: cards that they gave back, as far as known",
        lambda _: (2, NUM_RANKS),
        _levels,
        lambda rules: rules.exchange != "off" and rules.exchange_return != "none",
    ),
    "missed": _Kind(
        "by rank: cards that they asked for in vain",
        lambda _: (2, NUM_RANKS),
        lambda size: 4,
        lambda rules: rules.exchange == "ask",
    ),
    "trade": _Kind(
        "the middle trade: step one-hot (two offers, two answers), offers rejected, then by rank own offer, the "
        "partner's once both are made, ranks that the partner has offered so far, ranks offered to it",
        lambda _: (5 + 4 * NUM_RANKS,),
        lambda _: MAX_COUNT,
        lambda rules: rules.middle_trade,
    ),
    "rules": _Kind(
        "the rules, in universal observations: see `president_env.features`",
        lambda _: (NUM_FEATURES,),
        lambda _: MAX_COUNT,
        lambda _: False,
    ),
}
assert tuple(_KINDS) == BLOCKS


class ObservationLayout:
    """Blocks and ranges of the observations of a rule set, or of all rule sets within limits."""

    def __init__(self, rules: Rules | Limits) -> None:
        size = _dimensions(rules)
        blocks: list[Block] = []
        self.record: NDArray[np.void] = np.zeros(1, dtype=LAYOUT)
        """The layout as the compiled writer reads it, shape (1,)."""
        self.record["at"] = -1
        start = 0
        for index, (name, kind) in enumerate(_KINDS.items()):
            if isinstance(rules, Limits) or kind.wanted(rules):
                block = Block(name, kind.shape(size), kind.high(size), kind.meaning, start)
                blocks.append(block)
                self.record["at"][0, index] = start
                start += block.size
        more = {block.name for block in blocks[NUM_COMMON:]}
        self.record["players"] = size.players
        self.record["levels"] = size.levels
        self.record["more_at"] = blocks[NUM_COMMON].start if more else 0
        self.record["house"] = bool(more - LATER_BLOCKS)
        self.record["size"] = start
        self.blocks = tuple(blocks)
        self.size = start
        """Length of the vector."""

    def __getitem__(self, name: str) -> Block:
        for block in self.blocks:
            if block.name == name:
                return block
        raise KeyError(f"no block {name!r}; there are {', '.join(block.name for block in self.blocks)}")

    def slice(self, name: str) -> slice:
        """Where the block stands in the vector."""
        block = self[name]
        return slice(block.start, block.start + block.size)

    def split(self, observation: NDArray[np.int8]) -> dict[str, NDArray[np.int8]]:
        """The blocks of one observation, or of rows of them, each in its shape."""
        leading = observation.shape[:-1]
        return {
            block.name: observation[..., self.slice(block.name)].reshape(*leading, *block.shape)
            for block in self.blocks
        }

    @property
    def low(self) -> NDArray[np.int8]:
        """The lowest value of each number, all 0; (size,) int8."""
        return np.zeros(self.size, dtype=np.int8)

    @cached_property
    def high(self) -> NDArray[np.int8]:
        """The highest value of each number, (size,) int8."""
        high = np.concatenate([np.full(block.size, block.high) for block in self.blocks])
        return high.astype(np.int8)

    def table(self) -> str:
        """The layout as a Markdown table."""
        lines = ["| block | from | shape | values | meaning |", "|---|---|---|---|---|"]
        for block in self.blocks:
            shape = " × ".join(str(length) for length in block.shape)
            lines.append(f"| `{block.name}` | {block.start} | {shape} | 0–{block.high} | {block.meaning} |")
        return "\n".join(lines)


def _dimensions(rules: Rules | Limits) -> _Dimensions:
    if isinstance(rules, Limits):
        levels, decks = max(rules.copies, rules.jokers), rules.decks
    else:
        levels, decks = max(rules.suits * rules.num_decks, rules.jokers), rules.num_decks
    return _Dimensions(rules.players, levels, 4 * decks, min(rules.num_cards, MAX_COUNT))


@lru_cache(maxsize=256)
def observation_layout(rules: Rules | Limits) -> ObservationLayout:
    """The layout of a rule set, or the universal one within limits; made once."""
    return ObservationLayout(rules)
