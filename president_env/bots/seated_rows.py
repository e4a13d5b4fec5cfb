# mypy: allow-untyped-defs
"""The compiled part of `seated`: rows played on to the next decision that no compiled bot makes."""

from numpy import int64

from president_env.bots.compiled_bot import chosen_move
from president_env.engine.batch import next_seed
from president_env.engine.compiled import compiled, part
from president_env.engine.legal import mask_written
from president_env.engine.match import match_begun, move_applied, round_begun
from president_env.engine.observe import observation_written
from president_env.engine.state import DEAL, OVER

NOTHING, MOVE, BEGIN, GO_ON, GIVE_UP = range(5)
"""What to do in a row: nothing, make the given move, begin a match, go on with it as it is, or end it for an illegal
action."""

DECIDES, WAITS, ENDED, TRUNCATED = range(4)
"""Where a row then stands: at the learner's decision, at that of a bot that is not compiled, at the end."""

ASK = -1
"""The code of a bot that is not compiled."""
TRIES = 1000
"""Matches in a row without a decision of the learner, after which there is no hope of one."""


@compiled
def drawn_seat(seed, players):
    """The learner's seat in the match of this seed, where none is fixed."""
    mark = (((seed ^ (seed >> 31)) & 0x7FFFFFFF) * 0x2C1B3C6D) & 0xFFFFFFFF
    mark = ((mark ^ (mark >> 15)) * 0x297A2D39) & 0xFFFFFFFF
    return ((mark ^ (mark >> 15)) * players) >> 32


@part
def _begun(g, tables, seed, seat, i):
    """Start the match of the seed, or with −1 of the one that the match before draws; returns the learner's seat.

    Of several rule sets the seed says which is played, as `RuleSets.of_seed` has it.
    """
    parameters, rule_of = tables[0], tables[1]
    if seed < 0:
        seed = next_seed(g)
    rule_of[i] = seed % len(parameters)
    p = parameters[rule_of[i]]
    match_begun(g, p, seed)
    round_begun(g, p, -1)
    return seat if seat >= 0 else drawn_seat(seed, int64(p["players"]))


@part
def _moved(g, p, moves, action, logs, i):
    """Make the move and note it in the row's log, as far as that has room."""
    log, logged = logs
    move_applied(g, p, moves[action])
    if logged[i] < log.shape[1]:
        log[i, logged[i]] = action
    logged[i] += 1


@part
def _played_on(g, tables, bots, learner, logs, i):
    """Let compiled bots move up to the learner's decision: where the row stands, and the learner's reward so far."""
    parameters, rule_of, moves, _, worth, max_rounds = tables
    codes, seeds = bots
    rule = rule_of[i]
    p = parameters[rule]
    players = int64(p["players"])
    reward = 0.0
    while True:
        if (int64(g["fresh"]) >> learner) & 1:
            reward += worth[rule, int64(g["place"][learner])]
        if g["phase"] == OVER:
            return ENDED, reward
        if g["phase"] == DEAL:
            if g["round"] > max_rounds:
                return TRUNCATED, reward
            round_begun(g, p, -1)
        seat = int64(g["seat"])
        if seat == learner:
            return DECIDES, reward
        other = seat - learner - 1 if seat > learner else seat - learner - 1 + players
        if codes[other] == ASK:
            return WAITS, reward
        _moved(g, p, moves, chosen_move(g, p, codes[other], seeds[other]), logs, i)


@compiled
def play_rows(games, tables, bots, todo, given, seat, goes_on, learners, results, shown, waiting, logs, low, high):
    """Do in rows low to high − 1 what `todo` says and play on. Returns how many of them wait, −1 if in one the learner
    never decides.

    tables   parameters, the row's index in them, moves, layout, rewards by place for each of them, max_rounds
    bots     codes and seeds of the bots, by seats to the left of the learner; a small table has no use for the last
    given    the actions for MOVE, the seeds for BEGIN (−1: drawn by the match before)
    goes_on  whether a match that ends is followed by the next in the same row; `results` are those of the first
    results  stands, rewards, ends (how a match ended), begun (whether the row's next match has: no rewards any more)
    shown    the learner's observations and masks, and its last observations of matches that end; flat
    waiting  seats, observations and masks of rows that wait; flat
    """
    parameters, rule_of, moves, layout, worth, _ = tables
    stands, rewards, ends, begun = results
    size = int64(layout[0]["size"])
    num_waiting = 0
    for i in range(low, high):
        if todo[i] == NOTHING:
            continue
        g, p = games[i], parameters[rule_of[i]]
        stand, reward = ENDED, 0.0
        if todo[i] == GIVE_UP:
            reward += worth[rule_of[i], int64(p["players"])]
        else:
            if todo[i] == MOVE:
                _moved(g, p, moves, given[i], logs, i)
            elif todo[i] == BEGIN:
                learners[i] = _begun(g, tables, given[i], seat, i)
            stand, reward = _played_on(g, tables, bots, int64(learners[i]), logs, i)
        if not begun[i]:
            rewards[i] += reward
        tries = 0
        while stand >= ENDED:
            if not begun[i]:
                ends[i] = stand
                observation_written(g, parameters[rule_of[i]], layout[0], int64(learners[i]), shown[2], i * size)
                if not goes_on:
                    break
                begun[i] = True
            tries += 1
            if tries > TRIES:
                return -1
            logs[1][i] = 0
            learners[i] = _begun(g, tables, -1, seat, i)
            stand, reward = _played_on(g, tables, bots, int64(learners[i]), logs, i)
        stands[i] = stand
        p = parameters[rule_of[i]]
        if stand == WAITS:
            num_waiting += 1
            waiting[0][i] = g["seat"]
            _shown(g, p, layout[0], i, waiting[1], waiting[2])
        elif stand == DECIDES:
            _shown(g, p, layout[0], i, shown[0], shown[1])
    return num_waiting


@part
def _shown(g, p, o, i, observations, masks):
    """Write what the seat to move sees and may do as row i."""
    mask_written(g, p, masks, i * int64(p["num_actions"]))
    observation_written(g, p, o, int64(g["seat"]), observations, i * int64(o["size"]))
