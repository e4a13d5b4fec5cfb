"""The engine's entries for Python: compiled calls on row `i` of an array of GAME records.

Every call takes `(games, i, parameters, …)`: arrays cross into compiled code at a fraction of the cost of records.
"""

from numpy import int64

from president_env.engine.compiled import compiled
from president_env.engine.deal import hands_set
from president_env.engine.legal import is_legal, mask_written
from president_env.engine.match import match_begun, move_applied, round_begun, round_emptied, round_started
from president_env.engine.view import view_wiped


@compiled
def begin_match(games, i, parameters, seed):
    """Set row i to a match before its first deal."""
    match_begun(games[i], parameters[0], seed)


@compiled
def begin_round(games, i, parameters, leader):
    """Deal the next round of row i from its own random numbers; `leader` leads round 1 unless it is −1."""
    game, p = games[i], parameters[0]
    round_begun(game, p, leader)


@compiled
def begin_given_round(games, i, parameters, hands, leader):
    """The same with given hands, (players, 14) uint8."""
    game, p = games[i], parameters[0]
    round_emptied(game, p)
    hands_set(game, p, hands)
    round_started(game, p, leader)


@compiled
def apply_move(games, i, parameters, moves, action):
    """Apply a legal action id to row i."""
    move_applied(games[i], parameters[0], moves[action])


@compiled
def write_mask(games, i, parameters, mask):
    """Write the legal moves of row i into `mask`, (num_actions,) int8."""
    mask_written(games[i], parameters[0], mask, 0)


@compiled
def legal_action(games, i, parameters, moves, action):
    """Whether the action id is legal in row i."""
    m = moves[action]
    return is_legal(
        games[i],
        parameters[0],
        int64(m["kind"]),
        int64(m["rank"]),
        int64(m["size"]),
        int64(m["wild"]),
        int64(m["suit"]),
    )


@compiled
def write_view(games, i, parameters, seat, views, j):
    """Write what the seat may know of row i into row j of `views`."""
    views[j] = games[i]
    view_wiped(views[j], parameters[0], seat)
