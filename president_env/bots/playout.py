# mypy: allow-untyped-defs, no-check-untyped-defs
"""Playing a round on: the moves of the rule-based levels, and playouts."""

from numpy import int64

from president_env.bots.between import chosen_between
from president_env.bots.conduct import chosen_play
from president_env.engine.compiled import part
from president_env.engine.match import move_applied
from president_env.engine.state import DEAL, OFFER, OVER, PLAY

MOST_MOVES = 1 << 15
"""More than any round has: each card leaves a hand once, and between two of them every seat passes and declines once.

Eight hands hold 896 cards at most, which makes 20,000 moves, and a few hundred in the exchange before.
"""


@part
def conducted_move(g, p, w):
    """The action of the seat to move by the rules of conduct, weighed by `w`."""
    if g["phase"] in (PLAY, OFFER):
        return chosen_play(g, p, w)
    return chosen_between(g, p, w)


@part
def played_out(g, p, moves, w, seat):
    """Play the round on by the rules of conduct until the seat has its place; the place.

    Should a round not end, or leave a seat without a move, the place is the worst that is free.
    """
    for _ in range(MOST_MOVES):
        if g["place"][seat] or g["phase"] == DEAL or g["phase"] == OVER:
            break
        action = conducted_move(g, p, w)
        if action < 0:
            break
        move_applied(g, p, moves[action])
    return int64(g["place"][seat]) if g["place"][seat] else int64(g["worst_free"])
