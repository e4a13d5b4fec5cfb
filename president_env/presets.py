"""The presets: the published rules that the project plays, as overrides of the default rules."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Preset:
    """A published set of house rules."""

    title: str
    about: str
    fewest: int
    most: int
    overrides: dict[str, Any] = field(default_factory=dict)
    variations: dict[str, str] = field(default_factory=dict)
    """Overrides that the source itself offers, as they are written in a rules file, and what they do."""


PRESETS = {
    "basic": Preset(
        title="President, without house rules",
        about="Play higher or pass, for one round: the plain game that the house rules are added to.",
        fewest=3,
        most=8,
    ),
    "house": Preset(
        title="President, with every house rule of its page",
        about="Twos, jokers, bombs and equal plays burn the trick, and a run of three lets its players drop cards.",
        fewest=3,
        most=8,
        overrides={
            "jokers": 2,
            "first_leader": "3S",
            "equal_rank": "burn",
            "burn_twos": True,
            "joker": "burn",
            "bombs": True,
            "run_drop": True,
            "burn_finish_last": True,
            "equal_burn_finish_last": True,
            "exchange": "best",
            "exchange_return": "choice",
            "rounds": 3,
        },
        variations={
            "exchange: any": "the bums choose what they give",
            "exchange_return: lowest": "the game returns the lowest cards",
        },
    ),
    "butt": Preset(
        title="Butt",
        about="An equal play skips the next seat, a quartet may be completed out of turn, and the winners of the last "
        "round ask the losers for cards by name.",
        fewest=3,
        most=8,
        overrides={
            "first_leader": "3C",
            "opening_card_forced": True,
            "next_leader": "opening",
            "equal_rank": "skip",
            "clearing_ranks": ("2",),
            "quartet": "any_time",
            "exchange": "ask",
            "exchange_return": "choice",
            "rounds": 3,
        },
        variations={
            "deal: equal": "hands of one size, the cards left over face down",
            "exchange_return: none": "nothing is given back for the cards taken",
        },
    ),
    "prezident": Preset(
        title="Prezident",
        about="The Czech game: strict passing, and four of a kind turn the order of the ranks round.",
        fewest=3,
        most=6,
        overrides={
            "passing": "strict",
            "revolution": True,
            "exchange": "best",
            "exchange_return": "choice",
            "scoring": "places",
            "rounds": 1,
        },
        variations={"revolution: false": "the order of the ranks never turns", "rounds: 5": "a longer match"},
    ),
    "quebec": Preset(
        title="President of Quebec",
        about="A two clears the table, every opponent left behind is a point, and a tie is played off.",
        fewest=4,
        most=6,
        overrides={
            "first_leader": "3C",
            "next_leader": "bum",
            "clearing_ranks": ("2",),
            "exchange": "best",
            "exchange_return": "choice",
            "scoring": "opponents_below",
            "tiebreak": True,
            "rounds": 3,
        },
        variations={"rounds: 5": "a longer match"},
    ),
    "norwegian": Preset(
        title="President of Norway, also called bum",
        about="Two points to the president, one to the vice president, eleven win; two decks at seven and eight "
        "players, and a long list of variants.",
        fewest=3,
        most=8,
        overrides={
            "decks": "auto",
            "first_leader": "3C",
            "next_leader": "bum",
            "exchange": "best",
            "exchange_return": "choice",
            "rounds": None,
            "target_score": 11,
            "scoring": "president_two",
        },
        variations={
            "first_leader: left_of_dealer": "nobody looks for the 3 of clubs",
            "club3_bomb: any_time": "the 3 of clubs is a bomb; give first_leader another value too",
            "joker: wild": "jokers are wild; give jokers a number too",
            "wild_sixes: true": "sixes are wild",
            "quartet: any_time": "completing four of a kind burns",
            "revolution: true": "four of a kind turn the order of the ranks round",
            "equal_rank: skip": "an equal play skips the next seat",
            "passing: strict": "who passes is out of the trick",
            "reversing_ranks: ['8']": "an eight must be followed by something lower",
            "next_leader: president": "the president leads the next round",
            "exchange: ask": "the president asks for cards by name",
            "middle_trade: true": "the seats in the middle swap a card each",
        },
    ),
}
