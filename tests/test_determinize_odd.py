"""Worlds of deals given by hand that no dealer deals, and searches on them: always found, always finished."""

from typing import Any

import numpy as np
import pytest

from president_env import Game, Rules
from president_env.bots.determinize import worlds_of
from president_env.bots.monte_carlo_bot import MonteCarloBot
from tests.strategies import walk

EIGHT = "3C 3D 3H 3S | 3C 3D 3H 3S | 3C 3C 3D 3D | 3S | 3S 3S | 3H 3H | 3C 3D | 3C 3S"
DEALS: dict[str, tuple[str, dict[str, Any]]] = {
    "two players of one card": ("3C | 4C", {}),
    "two players of the same card": ("3C | 3C", {}),
    "more copies than the deck has": ("3C 3C 4D | 3C 3C 4D | 3C 5S", {}),
    "more jokers than the deck has": ("3C * * | 4C * | 5C * * * | *", {"jokers": 1, "joker": "wild"}),
    "some of the deck": ("3C 9D | 5D 5H 8S | 2S 4C | KD", {}),
    "one card against many": ("3C | 4C 4D 4H 4S 5C 5D 5H 5S 6C 6D | 7C", {}),
    "eight players of few ranks": (EIGHT, {"decks": 2}),
    "eight players, the deck over and over": (
        " | ".join(["3C 3C 3D 3D 3H 3H 3S 3S 4C 4C 4D 4D 4H 4H 4S 4S *"] * 8),
        {"decks": 2, "jokers": 2, "joker": "burn"},
    ),
}
RULES: tuple[dict[str, Any], ...] = (
    {"first_leader": "3C", "rounds": 2},
    {"exchange": "best", "rounds": 2, "passing": "strict", "bombs": True, "quartet": "any_time"},
    {"exchange": "ask", "rounds": 2, "run_drop": True, "equal_rank": "skip", "revolution": True},
    {"exchange": "any", "vice_roles": False, "middle_trade": True, "haggle_rounds": 1, "rounds": 2},
)


def sits_right(world: np.void, view: Game) -> None:
    """Every hand has its size, every rank its number of cards; viewer and partner have what they are known to hold."""
    state = view.state[0]
    viewer = state["viewer"]
    assert (world["hand_count"].sum(axis=1) == state["hand_size"]).all()
    assert (np.bitwise_count(world["hands"]) == world["hand_count"]).all()
    down = np.bitwise_count(world["face_down"])
    assert (world["hand_count"].sum(axis=0) + world["gone"] + down == state["deck_count"]).all()
    assert (world["hands"][viewer] == state["hands"][viewer]).all()
    partner = state["partner"][viewer]
    assert partner < 0 or not (state["known"][partner] & ~world["hands"][partner]).any()


@pytest.mark.parametrize("fields", RULES, ids=lambda fields: fields.get("exchange", "no exchange"))
@pytest.mark.parametrize("name", DEALS)
def test_a_deal_by_hand_has_worlds_and_searches_end(name: str, fields: dict[str, Any]) -> None:
    text, more = DEALS[name]
    deal = [hand.strip() for hand in text.split("|")]
    rules = Rules(players=len(deal), scoring="none", **{**more, **fields})
    # in both rounds, for the second goes through the exchange
    game = Game(rules, seed=4, deals=[deal, deal])
    bot = MonteCarloBot("few", 30)
    for number, _ in enumerate(walk(game, seed=number_of(name))):
        if game.over:
            break
        if number % 3 == 0:
            for viewer in range(rules.players):
                view = game.view(viewer)
                for world in worlds_of(view, 3, number):
                    sits_right(world, view)
            assert game.seat is not None
            view = game.view(game.seat)
            assert bot.act(view, view.legal) in view.legal


def number_of(name: str) -> int:
    return sum(name.encode())


def test_a_search_of_a_hand_with_more_jokers_than_the_deck_ends() -> None:
    """Eight hands of two decks with three jokers where the deck has one: a search of it once never came back."""
    deal = (
        "JH 3S 3H 3C JC 7D 7H 7H JC 7S | 7S JH 7D 7S 7D JC | 7S 3C 7D 7C 7D JH JC 3C 7S 3S | 3H JH 7H 7S 7H 3S 3S JS"
        " | 7C JH | 7S 7S 3D JD 7H JS 3H * JH | JC 3S 7S 7C 3D | 7S JD JC 3C * 7H 3D * JC"
    )
    rules = Rules(players=8, decks=2, jokers=1, joker="wild", ranks="37J", club3_bomb="any_time", quartet="any_time")
    game = Game(rules, seed=1, deals=[[hand.strip() for hand in deal.split("|")]])
    for _ in walk(game, seed=2, max_moves=12):
        pass
    assert game.seat is not None
    view = game.view(game.seat)
    assert MonteCarloBot("level5", 500).act(view, view.legal) in view.legal
