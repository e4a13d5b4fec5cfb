# mypy: allow-untyped-defs, no-check-untyped-defs
"""Playing a round on: the moves of the rule-based levels, and playouts."""

from numpy import int64

from president_env.bots.between import chosen_between
from president_env.bots.conduct import chosen_play
from president_env.engine.compiled import compiled
from president_env.engine.match import move_applied
from president_env.engine.state import DEAL, OFFER, OVER, PLAY


@compiled
def conducted_move(g, p, w):
    """The action of the seat to move by the rules of conduct, weighed by `w`."""
    if g["phase"] in (PLAY, OFFER):
        return chosen_play(g, p, w)
    return chosen_between(g, p, w)


@compiled
def played_out(g, p, moves, w, seat):
    """Play the round on by the rules of conduct until the seat has its place; the place."""
    while g["place"][seat] == 0 and g["phase"] != DEAL and g["phase"] != OVER:
        move_applied(g, p, moves[conducted_move(g, p, w)])
    return int64(g["place"][seat])
