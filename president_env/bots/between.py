# mypy: allow-untyped-defs, no-check-untyped-defs
"""What the rule-based levels do where no play is made: drops, gives, asks, swaps."""

import numpy as np
from numpy import int64

from president_env.bots.conduct import TABLE_SHAPE, held_value, threats_set
from president_env.bots.simple import move_id
from president_env.cards import JOKER, NUM_RANKS
from president_env.engine.compiled import allocating, part
from president_env.engine.finish import finishes_last
from president_env.engine.legal import ACCEPT_MOVE, ASK_MOVE, REJECT_MOVE, STOP_MOVE, group_ranks
from president_env.engine.parameters import JOKER_OFF
from president_env.engine.state import CLUB_THREE, DROP, TRADE, num_held


@allocating
def chosen_between(g, p, w):
    """The action of the seat to move in phases DROP, EXCHANGE and TRADE."""
    seat, phase = int64(g["seat"]), int64(g["phase"])
    best, best_score = -1, -1e9
    table = np.empty(TABLE_SHAPE)
    turned = int64(g["revolution"])
    threats_set(g, p, seat, turned, table)
    drops_last_card = phase == DROP and g["hand_size"][seat] == 1
    for k in range(int64(p["first_group"][phase]), int64(p["last_group"][phase]) + 1):
        ranks = group_ranks(g, p, seat, k)
        if not ranks:
            continue
        kind = int64(p["group_kind"][k])
        for rank in range(NUM_RANKS):
            if not (ranks >> rank) & 1:
                continue
            if kind == ASK_MOVE:
                score = _ask_score(p, rank)
            elif kind == STOP_MOVE:
                score = -100.0
            elif kind == ACCEPT_MOVE:
                score = _swap_gain(g, p, seat, table, w)
            elif kind == REJECT_MOVE:
                score = 0.0
            else:
                score = _shed_gain(g, p, seat, rank, table, turned, w)
                if drops_last_card and finishes_last(p, rank, 0, int64(g["hands"][seat, rank])):
                    score = -200.0
            if score > best_score:
                best, best_score = move_id(p, k, rank), score
    return best


@part
def _shed_gain(g, p, seat, rank, table, turned, w):
    """What the hand gains a card by losing cards of the rank, as many as may still leave it."""
    held = num_held(g, seat, rank)
    left = int64(g["left"]) if g["phase"] != TRADE else 1
    before = held_value(p, table, rank, held, turned, w)
    best = -1e9
    for number in range(1, min(held, max(left, 1)) + 1):
        best = max(best, (held_value(p, table, rank, held - number, turned, w) - before) / number)
    if rank == 0 and p["club3_finish_last"] and int64(g["hands"][seat, 0]) & CLUB_THREE and held == 1:
        best += 1.0
    return best


@part
def _ask_score(p, rank):
    """The highest cards first; of jokers that have no power none."""
    if rank == JOKER:
        return 50.0 if p["joker"] != JOKER_OFF else -50.0
    return 1.0 * rank


@part
def _swap_gain(g, p, seat, table, w):
    """What the hand gains by the swap that lies open."""
    side = 0 if g["trade_step"] == 2 else 1
    given, received = int64(g["trade_offer"][side]), int64(g["trade_offer"][1 - side])
    if given == received:
        return -1.0
    held, other = num_held(g, seat, given), num_held(g, seat, received)
    gain = held_value(p, table, given, held - 1, 0, w) - held_value(p, table, given, held, 0, w)
    return gain + held_value(p, table, received, other + 1, 0, w) - held_value(p, table, received, other, 0, w)
