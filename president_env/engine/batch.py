"""The batch: many games a call, each stepped and written out without Python.

Loops go over rows `low` to `high − 1`, so that threads can share a batch; a row depends on nothing but itself.
"""

from numpy import int64

from president_env.engine.compiled import compiled, inlined, part
from president_env.engine.legal import mask_written
from president_env.engine.match import match_begun, move_applied, round_begun
from president_env.engine.observe import observation_written
from president_env.engine.rng import random_word
from president_env.engine.state import DEAL, GAME, OVER
from president_env.engine.tickets import BUFFERS, next_step, step_finished
from president_env.engine.words import fetch

GAME_SIZE = GAME.itemsize
CACHE_LINE = 64


@compiled
def begin_rows(games, parameters, rule_of, seeds, low, high):
    """Start a match in each row from its seed, up to the first decision.

    Of several rule sets the seed says which is played: `rule_of` is set to the row's index in parameters.
    """
    for i in range(low, high):
        rule_of[i] = seeds[i] % len(parameters)
        g, p = games[i], parameters[rule_of[i]]
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


@inlined
def _record_fetched(games, i):
    """Begin to bring row i near, as the rows before it are worked on."""
    for at in range(0, GAME_SIZE, CACHE_LINE):
        fetch(games, i * GAME_SIZE + at)


@compiled
def step_rows(
    games, parameters, rule_of, moves, actions, reward_of_place, max_rounds, results, layout, shown, low, high
):
    """Apply one action per row and start the next match where one has ended; then write the row out as `write_rows`
    does, while its record is at hand.

    `results` are the arrays (rewards, done, truncated, final_places, final_scores), `shown` those of `write_rows`;
    `reward_of_place` has a row for each of the parameters.
    """
    rewards, done, truncated, final_places, final_scores = results
    seats, masks, observations = shown
    o = layout[0]
    width, size = int64(parameters[0]["num_actions"]), int64(o["size"])
    for i in range(low, high):
        rule = rule_of[i]
        g, p = games[i], parameters[rule]
        players = int64(p["players"])
        if i + 2 < high:
            _record_fetched(games, i + 2)
        move_applied(g, p, moves[actions[i]])
        for seat in range(rewards.shape[1]):
            rewards[i, seat] = 0.0
        fresh = int64(g["fresh"])
        if fresh:
            for seat in range(players):
                if (fresh >> seat) & 1:
                    rewards[i, seat] = reward_of_place[rule, g["place"][seat]]
        done[i] = False
        truncated[i] = False
        if g["phase"] == DEAL:
            if g["round"] > max_rounds:
                truncated[i] = True
            else:
                round_begun(g, p, -1)
        if truncated[i] or g["phase"] == OVER:
            done[i] = True
            for seat in range(rewards.shape[1]):
                final_places[i, seat] = g["last_place"][seat]
                final_scores[i, seat] = g["scores"][seat]
            seed = next_seed(g)
            rule_of[i] = seed % len(parameters)
            p = parameters[rule_of[i]]
            match_begun(g, p, seed)
            round_begun(g, p, -1)
        seats[i] = g["seat"]
        mask_written(g, p, masks, i * width)
        observation_written(g, p, o, int64(g["seat"]), observations, i * size)


@compiled
def serve_steps(
    tickets, place, games, parameters, rule_of, moves, actions, reward_of_place, max_rounds, buffers, layout, low, high
):
    """Make the steps of these rows as thread `place` of `tickets` until it resigns.

    `buffers` are the pairs (results, shown) of `step_rows` of each set of buffers.
    """
    while True:
        number = next_step(tickets, place)
        if number < 0:
            return
        results, shown = buffers[tickets[0, BUFFERS]]
        step_rows(
            games, parameters, rule_of, moves, actions, reward_of_place, max_rounds, results, layout, shown, low, high
        )
        step_finished(tickets, place, number)


@part
def next_seed(g):
    """The seed of the match that follows in the same row, drawn from the one that has ended; below 2**53."""
    return (random_word(g["rng"]) << 21) ^ random_word(g["rng"])


@compiled
def write_rows(games, parameters, rule_of, layout, shown, low, high):
    """Write the seat to move of each row, its mask and its observation.

    `shown` are the arrays (seats, masks, observations), the last two flat.
    """
    seats, masks, observations = shown
    o = layout[0]
    width, size = int64(parameters[0]["num_actions"]), int64(o["size"])
    for i in range(low, high):
        g, p = games[i], parameters[rule_of[i]]
        seats[i] = g["seat"]
        mask_written(g, p, masks, i * width)
        observation_written(g, p, o, int64(g["seat"]), observations, i * size)


@compiled
def observe_rows(games, parameters, rule_of, layout, rows, seats, observations):
    """Write what `seats[k]` sees of row `rows[k]` into row k of the flat `observations`."""
    o = layout[0]
    size = int64(o["size"])
    for k in range(len(rows)):
        i = rows[k]
        observation_written(games[i], parameters[rule_of[i]], o, int64(seats[k]), observations, k * size)
