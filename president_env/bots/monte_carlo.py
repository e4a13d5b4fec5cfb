# mypy: allow-untyped-defs, no-check-untyped-defs
"""Monte Carlo over worlds: every candidate move is played out in the same worlds, and the best on average is chosen.

The candidates race: after every block of worlds those are dropped whose loss against the best is beyond doubt, measured
over common worlds; with one left the search is over. A move other than the one that the rules of conduct choose has to
be better by more than chance would have it.
"""

import math

import numpy as np
from numpy import int64

from president_env.bots.deals import world_drawn, worlds_prepared
from president_env.bots.levels import WEIGHTS
from president_env.bots.playout import conducted_move, played_out
from president_env.bots.simple import move_id, view_mark
from president_env.cards import NUM_RANKS
from president_env.engine.compiled import allocating, compiled, part
from president_env.engine.legal import group_ranks
from president_env.engine.match import move_applied
from president_env.engine.rng import rng_seeded
from president_env.engine.view import view_wiped

MOST_CANDIDATES = 160
BLOCK = 8
"""Worlds between two looks at the race."""
FEWEST_WORLDS = 16
DOUBT = 2.6
"""Standard errors behind the best at which a candidate is dropped."""
LEAN = 0.6
"""Standard errors by which a move has to beat the one of the rules of conduct."""


@part
def candidates_listed(g, p, actions):
    """Write the legal action ids; their number."""
    seat, phase = int64(g["seat"]), int64(g["phase"])
    number = 0
    for k in range(int64(p["first_group"][phase]), int64(p["last_group"][phase]) + 1):
        ranks = group_ranks(g, p, seat, k)
        for rank in range(NUM_RANKS):
            if (ranks >> rank) & 1 and number < len(actions):
                actions[number] = move_id(p, k, rank)
                number += 1
    return number


@compiled
def race_begun(views, i, p, space):
    """List the candidates for the view in row i and work out its worlds. Whether there is anything to choose."""
    actions, alive, sums, squares, counts, puzzle, ways, trans = space[:8]
    number = candidates_listed(views[i], p, actions)
    counts[0] = number
    counts[1] = 0
    if number < 2:
        return False
    alive[:number] = 1
    sums[:number] = 0.0
    squares[:number, :number] = 0.0
    counts[2] = worlds_prepared(puzzle[0], views[i], p, counts[3] != 0, ways, trans)
    return True


@allocating
def race_run(views, i, p, moves, level, most_playouts, space):
    """Go on with the race until it is decided or so many more playouts have been made. Whether it goes on."""
    actions, alive, _, _, counts, puzzle, ways, trans, rng, scratch = space
    seat, players, number = int64(views[i]["viewer"]), int64(p["players"]), counts[0]
    rewards = np.zeros(number)
    playouts = 0
    while playouts < most_playouts:
        world_drawn(puzzle[0], counts[2], views, i, p, ways, trans, rng, scratch, 0)
        for c in range(number):
            if alive[c]:
                scratch[1] = scratch[0]
                move_applied(scratch[1], p, moves[actions[c]])
                place = played_out(scratch[1], p, moves, WEIGHTS[level], seat)
                rewards[c] = 1.0 - 2.0 * (place - 1) / (players - 1)
                playouts += 1
                reward_noted(space, rewards, c)
        if world_ends_race(space):
            return False
    return True


@part
def reward_noted(space, rewards, c):
    """Add up what candidate c came to in this world, and how that differs from the candidates before it."""
    alive, sums, squares = space[1], space[2], space[3]
    sums[c] += rewards[c]
    for other in range(c):
        if alive[other]:
            squares[c, other] += (rewards[c] - rewards[other]) ** 2


@part
def world_ends_race(space):
    """Count a world; whether it leaves a single candidate in the race."""
    counts = space[4]
    counts[1] += 1
    return counts[1] >= FEWEST_WORLDS and counts[1] % BLOCK == 0 and losers_dropped(space) == 1


@part
def standard_error(space, a, b):
    """The standard error of the difference of two means over the common worlds."""
    sums, squares, worlds = space[2], space[3], space[4][1]
    mean = (sums[a] - sums[b]) / worlds
    spread = squares[max(a, b), min(a, b)] / worlds - mean * mean
    # worlds that have not been drawn yet may differ: never quite nothing
    return math.sqrt((max(spread, 0.0) + 0.5 / worlds) / worlds)


@part
def losers_dropped(space):
    """Drop the candidates that are beyond doubt behind the best; how many are left."""
    alive, sums, counts = space[1], space[2], space[4]
    best, left = leader_of(space), 0
    for c in range(counts[0]):
        if alive[c] and c != best and (sums[best] - sums[c]) / counts[1] > DOUBT * standard_error(space, best, c):
            alive[c] = 0
        left += alive[c]
    return left


@part
def leader_of(space):
    alive, sums, counts = space[1], space[2], space[4]
    best = -1
    for c in range(counts[0]):
        if alive[c] and (best < 0 or sums[c] > sums[best]):
            best = c
    return best


@part
def race_decided(views, i, p, level, space):
    """The action that wins, in doubt that of the rules of conduct."""
    if space[4][0] == 1:
        return space[0][0]
    return race_won(space, conducted_move(views[i], p, WEIGHTS[level]))


@part
def race_won(space, favourite):
    """The action that leads; the favourite if it is in the race and not clearly behind."""
    actions, alive, sums, counts = space[0], space[1], space[2], space[4]
    best = leader_of(space)
    for c in range(counts[0]):
        behind = (sums[best] - sums[c]) / counts[1]
        if actions[c] == favourite and alive[c] and c != best and behind < LEAN * standard_error(space, best, c):
            return actions[c]
    return actions[best]


@part
def view_taken(games, row, parameters, seed, space, views):
    """Write the view of the seat to move of a row into views[0], and seed the search by what it sees."""
    seat = int64(games[row]["seat"])
    views[0] = games[row]
    if views[0]["viewer"] < 0:
        view_wiped(views[0], parameters[0], seat)
    mark = view_mark(views[0], seat, seed)
    rng_seeded(space[8], mark | (seed & 0x3FFFFFFF) << 32)


@compiled
def search_rows(games, parameters, moves, level, seed, rows, most_playouts, space, views, actions):
    """Write the choice for row `rows[k]` into `actions[k]`, each after at most so many playouts."""
    p = parameters[0]
    for k in range(len(rows)):
        view_taken(games, rows[k], parameters, seed, space, views)
        if race_begun(views, 0, p, space):
            race_run(views, 0, p, moves, level, most_playouts, space)
        actions[k] = race_decided(views, 0, p, level, space)


@compiled
def begin_search(games, row, parameters, seed, space, views):
    """Begin a search without a budget for a row. Whether there is anything to choose."""
    view_taken(games, row, parameters, seed, space, views)
    return race_begun(views, 0, parameters[0], space)


@compiled
def go_on_searching(parameters, moves, level, most_playouts, space, views):
    """So many more playouts of it. Whether it goes on."""
    return race_run(views, 0, parameters[0], moves, level, most_playouts, space)


@compiled
def found_move(parameters, level, space, views):
    """Its choice."""
    return race_decided(views, 0, parameters[0], level, space)
