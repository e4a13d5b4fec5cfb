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
    variations: dict[str, dict[str, Any]] = field(default_factory=dict)
    """What the published rules offer as options, and the overrides that make it so."""


PRESETS = {
    "basic": Preset(
        title="President, without house rules",
        about="Play higher or pass, for one round: the plain game that the house rules are added to.",
        fewest=3,
        most=8,
    ),
    "house": Preset(
        title="President, with all the house rules at once",
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
            "the givers choose their cards": {"exchange": "any"},
            "the lowest cards are given back": {"exchange_return": "lowest"},
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
            "hands of one size": {"deal": "equal"},
            "nothing is given back": {"exchange_return": "none"},
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
        variations={
            "the order never turns": {"revolution": False},
            "a series of five rounds": {"rounds": 5},
        },
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
        variations={"five rounds": {"rounds": 5}},
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
            "the seat on the dealer's left opens": {"first_leader": "left_of_dealer"},
            "the 3 of clubs is a bomb": {"club3_bomb": "any_time", "first_leader": "left_of_dealer"},
            "the 3 of clubs must not be the last card": {"club3_finish_last": True},
            "two jokers are wild": {"jokers": 2, "joker": "wild"},
            "sixes are wild": {"wild_sixes": True},
            "completing four of a kind burns": {"quartet": "any_time"},
            "four of a kind turn the order round": {"revolution": True},
            "an equal rank skips a seat": {"equal_rank": "skip"},
            "who passes is out of the trick": {"passing": "strict"},
            "eights go down": {"reversing_ranks": ["8"]},
            "the president leads": {"next_leader": "president"},
            "the president asks for cards": {"exchange": "ask"},
            "the middle seats swap a card": {"middle_trade": True},
            "a tally of presidencies": {"scoring": "presidencies", "rounds": 10, "target_score": None},
        },
    ),
}
