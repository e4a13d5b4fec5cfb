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
from president_env.engine.tickets import (
    ACTIONS,
    BOARD,
    BUFFERS,
    CHECKED,
    COUNTS,
    FIRST_THREAD,
    HIGH,
    LOW,
    MADE,
    NUMBER,
    PIECE,
    REFUSED,
    added,
    all_counted,
    next_step,
    num_pieces,
    number_at,
    piece_taken,
    read,
)
from president_env.engine.words import fetch

GAME_SIZE = GAME.itemsize
CACHE_LINE = 64

UNFINISHED, FINISHED, ILLEGAL = range(3)
"""How a step stands: others are at it, it is made, it is not because an action is illegal."""


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
    return _illegal_from(mask, actions.ctypes.data, 0, len(actions))


@inlined
def _illegal_from(mask, actions, low, high):
    """The same for rows low to high − 1."""
    for i in range(low, high):
        action = number_at(actions, i)
        if action < 0 or action >= mask.shape[1] or mask[i, action] != 1:
            return i
    return -1


@inlined
def _row_fetched(array, size, i):
    """Begin to bring row i, of so many bytes, near, as the rows before it are worked on."""
    for at in range(0, size, CACHE_LINE):
        fetch(array, i * size + at)


@inlined
def _rows_stepped(before, actions, results, shown, layout, low, high):
    """Apply one action per row and start the next match where one has ended; then write the row out as `write_rows`
    does, while its record is at hand."""
    games, parameters, rule_of, moves, reward_of_place, max_rounds = before
    rewards, done, truncated, final_places, final_scores = results
    seats, masks, observations = shown[0], shown[1].reshape(-1), shown[2].reshape(-1)
    o = layout[0]
    width, size = int64(parameters[0]["num_actions"]), int64(o["size"])
    for i in range(low, high):
        rule = rule_of[i]
        g, p = games[i], parameters[rule]
        players = int64(p["players"])
        if i + 2 < len(games):
            _row_fetched(games, GAME_SIZE, i + 2)
            _row_fetched(masks, width, i + 2)  # who has read it may have it in another core
        move_applied(g, p, moves[number_at(actions, i)])
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
def take_part(tickets, place, before, buffers, layout):
    """Take part in the step that is posted as thread `place`: check actions, and if all are legal make moves, as long
    as there is a piece of it left. Returns how the step then stands.

    before   games, parameters, the row's index in them, moves, rewards by place for each of the parameters, max_rounds
    buffers  of each set, (results, shown): the arrays (rewards, done, truncated, final_places, final_scores), and those
             of `write_rows`
    """
    number = read(tickets, BOARD, NUMBER)
    actions = tickets[BOARD, ACTIONS]
    now = tickets[BOARD, BUFFERS]
    masks = buffers[now][1][1]
    results, shown = buffers[(now + 1) % len(buffers)]
    threads = len(tickets) - FIRST_THREAD
    for k in range(threads):
        row = FIRST_THREAD + (place + k) % threads
        if piece_taken(tickets, row, number, 0, 1) == 0:
            if _illegal_from(masks, actions, tickets[row, LOW], tickets[row, HIGH]) >= 0:
                added(tickets, COUNTS, REFUSED, 1)
            added(tickets, COUNTS, CHECKED, 1)
    if not all_counted(tickets, CHECKED, number, threads):
        return UNFINISHED
    if read(tickets, COUNTS, REFUSED):
        return ILLEGAL
    pieces, made = 0, 0
    for k in range(threads):
        row = FIRST_THREAD + (place + k) % threads
        own_pieces = num_pieces(tickets, row)
        pieces += own_pieces
        while True:
            piece = piece_taken(tickets, row, number, 1, own_pieces + 1)
            if piece < 0:
                break
            low = tickets[row, LOW] + (piece - 1) * PIECE
            _rows_stepped(before, actions, results, shown, layout, low, min(low + PIECE, tickets[row, HIGH]))
            made += 1
    added(tickets, COUNTS, MADE, made)
    return FINISHED if all_counted(tickets, MADE, number, pieces) else UNFINISHED


@compiled
def serve_steps(tickets, place, before, buffers, layout):
    """Take part in steps as thread `place` of `tickets` until it resigns."""
    seen = 0
    while True:
        seen = next_step(tickets, place, seen)
        if seen < 0:
            return
        take_part(tickets, place, before, buffers, layout)


@part
def next_seed(g):
    """The seed of the match that follows in the same row, drawn from the one that has ended; below 2**53."""
    return (random_word(g["rng"]) << 21) ^ random_word(g["rng"])


@compiled
def write_rows(games, parameters, rule_of, layout, shown, low, high):
    """Write the seat to move of each row, its mask and its observation.

    `shown` are the arrays (seats, masks, observations).
    """
    seats, masks, observations = shown[0], shown[1].reshape(-1), shown[2].reshape(-1)
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
