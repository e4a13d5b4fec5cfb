"""The batch: many games a call, each stepped and written out without Python.

Loops go over rows `low` to `high − 1`, so that threads can share a batch; a row depends on nothing but itself.
"""

from numpy import int64

from president_env.engine.compiled import compiled
from president_env.engine.legal import mask_written
from president_env.engine.match import match_begun, move_applied, round_begun
from president_env.engine.observe import observation_written
from president_env.engine.rng import random_word
from president_env.engine.state import DEAL, OVER


@compiled
def begin_rows(games, parameters, seeds, low, high):
    """Start a match in each row from its seed, up to the first decision."""
    p = parameters[0]
    for i in range(low, high):
        g = games[i]
        match_begun(g, p, seeds[i])
        round_begun(g, p, -1)


@compiled
def first_illegal(mask, actions):
    """The first row whose action its mask does not allow, −1 if all are legal."""
    for i in range(len(actions)):
        action = int64(actions[i])
        if action < 0 or action >= mask.shape[1] or mask[i, action] != 1:
            return i
    return -1


@compiled
def step_rows(games, parameters, moves, actions, reward_of_place, max_rounds, results, low, high):
    """Apply one action per row and start the next match where one has ended.

    `results` are the arrays (rewards, done, truncated, final_places, final_scores).
    """
    p = parameters[0]
    rewards, done, truncated, final_places, final_scores = results
    players = int64(p["players"])
    for i in range(low, high):
        g = games[i]
        move_applied(g, p, moves[actions[i]])
        fresh = int64(g["fresh"])
        for seat in range(players):
            rewards[i, seat] = reward_of_place[g["place"][seat]] if (fresh >> seat) & 1 else 0.0
        done[i] = False
        truncated[i] = False
        if g["phase"] == DEAL:
            if g["round"] > max_rounds:
                truncated[i] = True
            else:
                round_begun(g, p, -1)
        if truncated[i] or g["phase"] == OVER:
            done[i] = True
            for seat in range(players):
                final_places[i, seat] = g["last_place"][seat]
                final_scores[i, seat] = g["scores"][seat]
            match_begun(g, p, next_seed(g))
            round_begun(g, p, -1)


@compiled
def next_seed(g):
    """The seed of the match that follows in the same row, drawn from the one that has ended; below 2**53."""
    return (random_word(g["rng"]) << 21) ^ random_word(g["rng"])


@compiled
def write_rows(games, parameters, layout, seats, masks, observations, low, high):
    """Write the seat to move of each row, its mask and its observation; `masks` and `observations` are flat."""
    p, o = parameters[0], layout[0]
    width, size = int64(p["num_actions"]), int64(o["size"])
    for i in range(low, high):
        g = games[i]
        seats[i] = g["seat"]
        mask_written(g, p, masks, i * width)
        observation_written(g, p, o, int64(g["seat"]), observations, i * size)


@compiled
def observe_rows(games, parameters, layout, rows, seats, observations):
    """Write what `seats[k]` sees of row `rows[k]` into row k of the flat `observations`."""
    p, o = parameters[0], layout[0]
    size = int64(o["size"])
    for k in range(len(rows)):
        observation_written(games[rows[k]], p, o, int64(seats[k]), observations, k * size)
