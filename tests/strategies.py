"""Hypothesis strategies: rules of every kind, and games somewhere on their way."""

import random
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from president_env import Game, Rules
from president_env.cards import RANKS

EVERYTHING = Rules(
    players=5,
    jokers=2,
    joker="wild",
    ranks="356789A2",
    first_leader="3S",
    equal_rank="skip",
    revolution=True,
    reversing_ranks=("8",),
    clearing_ranks=("2",),
    bombs=True,
    quartet="any_time",
    club3_bomb="any_time",
    run_drop=True,
    burn_finish_last=True,
    exchange="ask",
    vice_roles=False,
    middle_trade=True,
    haggle_rounds=2,
    rounds=2,
    scoring="places",
)
"""A table of nearly all house rules at once, whose games go through every phase."""

MAX_ROUNDS = 4
"""A tiebreak may go on for ever; games are given up after so many rounds."""


def _subset(ranks: str, most: int) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(ranks), max_size=most, unique=True)


@st.composite
def _fields(draw: st.DrawFn, max_players: int, max_cards: int) -> dict[str, Any]:
    players = draw(st.integers(2, max_players))
    few = draw(st.lists(st.sampled_from(RANKS), min_size=1, max_size=4, unique=True))
    ranks = "".join({*few, *"362"})
    if max_cards >= 52 and draw(st.booleans()):
        ranks = RANKS
    first_leader = draw(st.sampled_from(["3C", "3S", "left_of_dealer"]) | st.integers(0, players - 1))
    joker = draw(st.sampled_from(["off", "burn", "wild"]))
    twos = draw(st.sampled_from(["plain", "clear", "burn"]))
    exchange = draw(st.sampled_from(["off", "best", "any", "ask"]))
    middle_trade = exchange != "off" and draw(st.booleans())
    scoring = draw(st.sampled_from(["none", "places", "opponents_below", "president_two", "presidencies"]))
    scored = scoring != "none"
    return {
        "players": players,
        "decks": draw(st.sampled_from([1, 1, 2, "auto"])),
        "jokers": draw(st.integers(1, 4)) if joker != "off" else 0,
        "joker": joker,
        "ranks": ranks,
        "suits": draw(st.sampled_from([4, 4, 4, 3, 2, 1])),
        "deal": draw(st.sampled_from(["all", "equal"])),
        "dealer": draw(st.none() | st.integers(0, players - 1)),
        "first_leader": first_leader,
        "opening_card_forced": first_leader in ("3C", "3S") and draw(st.booleans()),
        "next_leader": draw(st.sampled_from(["auto", "bum", "president", "opening"])),
        "passing": draw(st.sampled_from(["soft", "strict"])),
        "equal_rank": draw(st.sampled_from(["illegal", "legal", "skip", "burn"])),
        "revolution": draw(st.booleans()),
        "reversing_ranks": draw(_subset(ranks, 2)),
        "reversal_lasts": draw(st.sampled_from(["next_play", "trick"])),
        "clearing_ranks": ["2"] if twos == "clear" else [],
        "burn_twos": twos == "burn",
        "bombs": draw(st.booleans()),
        "quartet": draw(st.sampled_from(["off", "on_turn", "any_time"])),
        "club3_bomb": draw(st.sampled_from(["off", "on_turn", "any_time"])) if first_leader != "3C" else "off",
        "wild_sixes": draw(st.booleans()),
        "run_drop": draw(st.booleans()),
        "burn_finish_last": draw(st.booleans()),
        "equal_burn_finish_last": draw(st.booleans()),
        "club3_finish_last": draw(st.booleans()),
        "vice_roles": draw(st.booleans()),
        "exchange": exchange,
        "exchange_cards": draw(st.sampled_from([(1, 1), (2, 1), (1, 2), (3, 2)])),
        "exchange_return": draw(st.sampled_from(["choice", "lowest", "none"])),
        "middle_trade": middle_trade,
        "haggle_rounds": draw(st.integers(0, 2)) if middle_trade else 0,
        "rounds": draw(st.integers(1 if exchange == "off" else 2, 3)),
        "target_score": draw(st.none() | st.integers(1, 12)) if scored else None,
        "scoring": scoring,
        "tiebreak": scored and draw(st.booleans()),
    }


def _rules_or_none(fields: dict[str, Any]) -> Rules | None:
    try:
        return Rules(**fields)
    except ValueError:
        return None


def rules(max_players: int = 8, max_cards: int = 60) -> st.SearchStrategy[Rules]:
    """Valid rules with fields of every kind; what the rules refuse (too few cards) is drawn again."""
    drawn = _fields(max_players, max_cards).map(_rules_or_none)
    return drawn.filter(lambda made: made is not None and made.num_cards <= max_cards)  # type: ignore[return-value]


def preset_rules() -> st.SearchStrategy[Rules]:
    """Every preset, with any number of players that it takes."""
    choices = [
        (name, players)
        for name in Rules.presets()
        for players in range(Rules.preset_players(name)[0], Rules.preset_players(name)[1] + 1)
    ]
    return st.sampled_from(choices).map(lambda choice: Rules.preset(choice[0], players=choice[1]))


seeds = st.integers(0, 2**53)


def walk(game: Game, seed: int, max_moves: int = 10_000) -> Iterator[str]:
    """Play random legal moves, each yielded when it has been made; passes are rarer than their number would have it."""
    chance = random.Random(seed)
    for _ in range(max_moves):
        if game.over or game.round > MAX_ROUNDS:
            return
        legal = game.legal
        plays = legal[1:] if legal[0] == "pass" and len(legal) > 1 and chance.random() < 0.8 else legal
        move = chance.choice(plays)
        game.play(move)
        yield move


@st.composite
def positions(draw: st.DrawFn, made: st.SearchStrategy[Rules] | None = None, max_moves: int = 150) -> Game:
    """A game after some random moves, by random rules unless others are given."""
    game = Game(draw(rules() if made is None else made), seed=draw(seeds))
    for _ in walk(game, draw(seeds), draw(st.integers(0, max_moves))):
        pass
    return game
