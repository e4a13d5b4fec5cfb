"""Whole game trees of tiny decks, counted leaf by leaf on both sides."""

from __future__ import annotations

from typing import Any, NamedTuple

from president_env import Game, Rules
from tests.oracle.match import Oracle


class Tree(NamedTuple):
    about: str
    fields: dict[str, Any]
    deals: list[list[str]]
    leaves: int  # the ways in which the match can go


def count_leaves_by_oracle(tree: Tree) -> int:
    """Every line of moves, each played from the deal, as a conversation cannot be copied."""
    dealer = tree.fields.get("dealer") or 0

    def leaves_after(moves: list[str]) -> int:
        oracle = Oracle(tree.fields, tree.deals, dealer)
        for move in moves:
            oracle.play(move)
        return 1 if oracle.over else sum(leaves_after([*moves, move]) for move in oracle.legal)

    return leaves_after([])


def count_leaves_by_engine(tree: Tree) -> int:
    """The same by copies of the position before each move."""

    def leaves_of(game: Game) -> int:
        if game.over:
            return 1
        total = 0
        for move in game.legal:
            after = game.copy()
            after.play(move)
            total += leaves_of(after)
        return total

    return leaves_of(Game(Rules(**tree.fields), deals=tree.deals))


TREES = [
    # by hand: after 3 as after 4 the other passes, which leaves the last card to lead, or plays 5 and then its 3
    Tree("two cards each", {"players": 2}, [["3C 4D", "3D 5C"]], 4),
    Tree("plain", {"players": 3, "ranks": "345"}, [["3C 4D 5S", "4C 5C", "3D 5D 5H"]], 308),
    Tree(
        "strict, equal plays skip",
        {"players": 3, "ranks": "345", "suits": 3, "passing": "strict", "equal_rank": "skip"},
        [["3C 4D 5H", "4C 5C", "3D 5D"]],
        321,
    ),
    Tree(
        "quartets and the 3 of clubs out of turn",
        {"players": 3, "ranks": "34", "quartet": "any_time", "club3_bomb": "any_time", "equal_rank": "legal"},
        [["4C 4D 3D", "3C 4S", "3H 4H"]],
        863,
    ),
    Tree(
        "runs and drops",
        {"players": 3, "ranks": "3456", "run_drop": True, "club3_finish_last": True},
        [["3C 5C 5D", "4C 6D", "5H 6C 6H"]],
        275,
    ),
    Tree(
        "jokers, wild sixes, a turned order",
        {"players": 2, "ranks": "678", "joker": "wild", "jokers": 1, "wild_sixes": True, "reversing_ranks": ("7",)},
        [["6C 7D 7H 8C", "* 6D 7C 8D"]],
        963,
    ),
    Tree(
        "twos and jokers burn and finish last",
        {"players": 3, "ranks": "3K2", "burn_twos": True, "joker": "burn", "jokers": 1, "burn_finish_last": True},
        [["3C KD 3H", "2C KC KH", "* 3D 2D"]],
        1241,
    ),
    Tree(
        "an exchange by questions",
        {"players": 2, "ranks": "34", "suits": 3, "exchange": "ask", "exchange_cards": (1, 1), "rounds": 2},
        [["3C", "4D"], ["3C 4C 4H", "3D 4D"]],
        26,
    ),
    Tree(
        "a trade in the middle",
        {
            "players": 4,
            "ranks": "3456",
            "suits": 2,
            "exchange": "any",
            "exchange_cards": (1, 1),
            "vice_roles": False,
            "middle_trade": True,
            "haggle_rounds": 1,
            "rounds": 2,
        },
        [["6C", "5D", "4D", "3D"], ["3C", "4C 5C", "5D", "3D 6D"]],
        678,
    ),
]
