"""One turn of a turn-by-turn environment in a single call: check, move, deal on, show the next seat.

The arrays that belong to one match are a GAME array of one record and `shown`, (observation size + actions,) int8:
what the seat to move sees, then its mask.
"""

from numpy import int64

from president_env.engine.batch import next_seed
from president_env.engine.compiled import compiled
from president_env.engine.legal import mask_written
from president_env.engine.match import move_applied, round_begun
from president_env.engine.observe import observation_written
from president_env.engine.state import DEAL, OFFER, OVER, PLAY

ILLEGAL = -1
"""What `turn_taken` returns for an action that is not legal; nothing has changed. Else it returns the sum of:"""
SEAT = 15
"""the seat to move,"""
NEXT = 16
"""1 + the seat whose turn comes when all have declined, times NEXT, while a play out of turn is offered,"""
MATCH_OVER, TRUNCATED, ROUND_OVER, HANDS_WANTED = 1 << 8, 1 << 9, 1 << 10, 1 << 11
"""and flags; HANDS_WANTED: the next round has given hands, to be dealt before `turn_shown`."""
FRESH = 1 << 16
"""A bit times FRESH for each seat that took its place by the move."""


@compiled
def turn_shown(games, parameters, layout, shown):
    """Write what the seat to move sees and may do; returns SEAT and NEXT."""
    g, p = games[0], parameters[0]
    seat = int64(g["seat"])
    size = len(shown) - int64(p["num_actions"])
    observation_written(g, p, layout[0], seat, shown, 0)
    mask_written(g, p, shown, size)
    return seat + NEXT * (int64(g["resume"]) + 1 if g["phase"] == OFFER else 0)


@compiled
def turn_taken(games, parameters, moves, layout, shown, action, max_rounds, given_rounds):
    """Make the move and go on to the next decision; rounds up to `given_rounds` have given hands."""
    g, p = games[0], parameters[0]
    actions = int64(p["num_actions"])
    if action < 0 or action >= actions or shown[len(shown) - actions + action] != 1:
        return ILLEGAL
    move_applied(g, p, moves[action])
    passed = FRESH * int64(g["fresh"])
    if g["phase"] == OVER:
        return passed + MATCH_OVER + ROUND_OVER
    if g["phase"] == DEAL:
        passed += ROUND_OVER
        if g["round"] > max_rounds:
            return passed + TRUNCATED
        if g["round"] <= given_rounds:
            return passed + HANDS_WANTED
        round_begun(g, p, -1)
    return passed + turn_shown(games, parameters, layout, shown)


@compiled
def seed_drawn(games):
    """The seed of the match that follows, drawn from the one that has been played."""
    return next_seed(games[0])


@compiled
def write_mask_of(games, parameters, seat, mask):
    """Write the moves that the seat takes to be its own: those of its turn.

    While a play out of turn is offered to another, the seat whose turn comes next sees itself on turn.
    """
    g, p = games[0], parameters[0]
    phase, mover = g["phase"], g["seat"]
    if phase == OFFER and seat == g["resume"]:
        g["phase"] = PLAY
        g["seat"] = seat
        mask_written(g, p, mask, 0)
        g["phase"] = phase
        g["seat"] = mover
    elif seat == mover:
        mask_written(g, p, mask, 0)
    else:
        mask[:] = 0
