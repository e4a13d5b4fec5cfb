"""Scenes: a table laid by hand, and moves played on it.

game = table("house", "3C 9D | 5D 5H 8S | 2S 4C | KD", leader=1)
play(game, "1:55 2:2")
"""

import re
from typing import Any

from president_env import Game, Rules


def table(preset: str | None, *rounds: str, leader: int | None = None, seed: int = 0, **overrides: Any) -> Game:
    """A game with these hands on the table, seat by seat between bars, one text a round.

    Rounds beyond those given are dealt from the seed. Without a preset the rules are the defaults of `Rules`.
    """
    deals = [[hand.strip() for hand in text.split("|")] for text in rounds]
    fields = {"players": len(deals[0]), **overrides}
    rules = Rules.preset(preset, **fields) if preset else Rules(**fields)
    return Game(rules, deals=deals, leader=leader, seed=seed)


def play(game: Game, moves: str) -> None:
    """Play moves written `seat:move`, as `1:55 2:pass 0:give 2`; each must be made by the seat to move."""
    for move in re.split(r"\s+(?=\d:)", moves.strip()):  # a move may be of two words
        seat, _, text = move.partition(":")
        assert game.seat == int(seat), f"before {move} seat {game.seat} is to move, in phase {game.phase}"
        game.play(text)
