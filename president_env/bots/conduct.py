# mypy: allow-untyped-defs, no-check-untyped-defs
"""Rules of conduct: one compiled scoring of plays, of which the rule-based levels use more and more.

A hand is worth the sum over its ranks of what holding that many cards of the rank is worth: minus one for a set that
has to be shed some day, plus what it controls. A play is worth what it changes in that sum, plus what the trick brings.
Nothing is read but what the seat to move may know.
"""

import math

import numpy as np
from numpy import int64

from president_env.bots.simple import move_id
from president_env.cards import JOKER, NUM_RANKS, SIX, TWO
from president_env.engine.compiled import allocating, compiled, part
from president_env.engine.finish import BURN, finishes_last
from president_env.engine.legal import BOMB_MOVE, PASS_MOVE, group_ranks
from president_env.engine.order import ranks_above, stands_one_above
from president_env.engine.parameters import JOKER_BURN, JOKER_WILD
from president_env.engine.play import burns_of
from president_env.engine.state import CLUB_THREE, MAX_SIZE, num_held, ranks_held

# weights of a level, in the order of its row
(
    GROUP,
    CONTROL,
    TOP,
    SPLIT,
    RANK,
    PASSING,
    STRICT,
    LEAD,
    RUN_OUT,
    BLOCK,
    BLOCK_RANK,
    LEAD_SIZE,
    PASSED_ON,
    WILD,
    DECAY,
    TURN_ORDER,
    RUN_DROP,
    LOSERS,
    BREAK,
) = range(19)
NUM_WEIGHTS = 19
MUST, NEVER = 1000.0, -1000.0
STUCK = 6.0
"""What it costs to keep nothing but cards that finish last."""
NO_THREAT = 1e-9
TABLE_SHAPE = (MAX_SIZE + 1, NUM_RANKS)


def _expected_holders() -> np.ndarray:
    table = np.zeros((8, 9, 17))
    for holders in range(1, 8):
        for unseen in range(17):
            chance = [
                math.comb(unseen, k) * (1 / holders) ** k * (1 - 1 / holders) ** (unseen - k) for k in range(unseen + 1)
            ]
            for size in range(9):
                table[holders, size, unseen] = holders * sum(chance[size:])
    return table


HOLDERS = _expected_holders()
"""[n, k, u]: how many of n seats are expected to hold k or more of u cards that lie among them."""
DANGER = np.array([1.0, 1.0, 0.6, 0.35, 0.2, 0.1] + [0.0] * 120)
"""By the cards in the shortest other hand: how soon somebody may be out."""


@compiled
def unseen(g, seat, rank):
    """Cards of the rank that the seat has not seen: with others or face down."""
    return int64(g["deck_count"][rank]) - int64(g["gone"][rank]) - int64(g["hand_count"][seat, rank])


@part
def is_burner(p, rank):
    """Whether a card of the rank burns by itself."""
    return (p["burn_twos"] and rank == TWO) or (p["joker"] == JOKER_BURN and rank == JOKER)


@part
def threats(g, p, seat, rank, size, turned, holders):
    """How many plays of others are expected that beat such a set, by what is unseen."""
    if holders <= 0:
        return 0.0
    above = ranks_above(rank, turned)
    threat = 0.0
    if p["burn_twos"]:
        above &= ~(1 << TWO)
        threat += HOLDERS[holders, max(1, size - 1), unseen(g, seat, TWO)]
    if p["joker"] == JOKER_BURN:
        above &= ~(1 << JOKER)
        threat += HOLDERS[holders, 1, unseen(g, seat, JOKER)]
    for other in range(NUM_RANKS):
        if (above >> other) & 1:
            threat += HOLDERS[holders, size, unseen(g, seat, other)]
    return threat


@part
def num_others(g, p, seat, size, barred):
    """Active other seats with at least `size` cards, but not those in the mask."""
    seats = int64(g["active"]) & ~barred & ~(1 << seat)
    number = 0
    for other in range(int64(p["players"])):
        if (seats >> other) & 1 and g["hand_size"][other] >= size:
            number += 1
    return number


@part
def threats_set(g, p, seat, turned, table):
    """Fill [size, rank] with `threats` against all others in one walk over the ranks; −1: takes the trick by itself."""
    for size in range(1, int64(p["max_size"]) + 1):
        holders = num_others(g, p, seat, size, 0)
        threat = 0.0
        if p["burn_twos"]:
            threat += HOLDERS[holders, max(1, size - 1), unseen(g, seat, TWO)]
        if p["joker"] == JOKER_BURN:
            threat += HOLDERS[holders, 1, unseen(g, seat, JOKER)]
        for step in range(NUM_RANKS):
            rank = JOKER if step == 0 else step - 1 if turned else JOKER - step
            if is_burner(p, rank):
                table[size, rank] = -1.0
                continue
            table[size, rank] = -1.0 if (int64(p["clearing_ranks"]) >> rank) & 1 else threat
            threat += HOLDERS[holders, size, unseen(g, seat, rank)]


@part
def control(table, rank, size, w):
    """From 0 to 1: how surely a set of the rank takes the lead when it is played. 2 stands for surely."""
    threat = table[size, rank]
    return 2.0 if threat < NO_THREAT else math.exp(-w[DECAY] * threat)


@part
def held_value(p, table, rank, number, turned, w):
    """What holding so many cards of the rank is worth."""
    if number <= 0:
        return 0.0
    if (rank == JOKER and p["joker"] == JOKER_WILD) or (rank == SIX and p["wild_sixes"]):
        return number * w[WILD]
    position = rank / 12.0 if not turned or rank == JOKER else 1.0 - rank / 12.0
    value = w[RANK] * position - w[GROUP]
    if table[1, rank] < NO_THREAT:
        return value + (w[CONTROL] + w[TOP]) * (1.0 + w[SPLIT] * (number - 1))
    x = control(table, rank, number, w)
    return value + w[CONTROL] + w[TOP] if x > 1.0 else value + w[CONTROL] * x


@part
def losers(table, rank, number, w):
    """How much of a set has to be given the lead to be shed."""
    return max(0.0, 1.0 - control(table, rank, number, w)) if number > 0 else 0.0


@part
def hand_losers(g, seat, table, w):
    """Sets in the hand that have to be given the lead."""
    total = 0.0
    held = ranks_held(g, seat, 1)
    for rank in range(NUM_RANKS):
        if (held >> rank) & 1:
            total += losers(table, rank, num_held(g, seat, rank), w)
    return total


@part
def shortest_other(g, p, seat):
    """Cards in the shortest hand of the other active seats."""
    shortest = 99
    for other in range(int64(p["players"])):
        if other != seat and (int64(g["active"]) >> other) & 1:
            shortest = min(shortest, int64(g["hand_size"][other]))
    return shortest


@part
def stuck_after(g, p, seat, rank, size, wild):
    """Whether the play leaves nothing but cards that would finish the seat last."""
    if not (p["burn_finish_last"] or p["club3_finish_last"]):
        return False
    left, bad = int64(g["hand_size"][seat]) - size, 0
    if p["burn_finish_last"]:
        for other in (TWO, JOKER):
            if is_burner(p, other):
                bad += num_held(g, seat, other) - (size if other == rank else 0)
    if p["club3_finish_last"] and int64(g["hands"][seat, 0]) & CLUB_THREE:
        bad += num_held(g, seat, 0) - (size - wild if rank == 0 else 0)
    return left > 0 and bad >= left


@part
def chance_to_win(g, p, seat, rank, size, table, w):
    """How likely a play that burns nothing takes the trick."""
    turned = int64(g["revolution"])
    next_turned = int64(g["turned"])
    if p["reversing_ranks"]:
        turns = (int64(p["reversing_ranks"]) >> rank) & 1
        next_turned = next_turned ^ turns if p["reversal_for_trick"] else turned ^ turns
    if p["revolution"] and size >= 4:
        next_turned ^= 1
    able = num_others(g, p, seat, size, int64(g["barred"]))
    if g["barred"] or next_turned != turned:
        threat = threats(g, p, seat, rank, size, next_turned, able)
    else:
        threat = max(0.0, table[size, rank])
    if threat > 0:
        threat *= 1.0 - w[PASSED_ON] * share_passed_on(g, p, seat, rank, size, able)
    return math.exp(-w[DECAY] * threat)


@part
def play_score(g, p, seat, rank, size, wild, burns, near, table, w):
    """What a play is worth to the seat; passing is worth w[PASSING]. `near` is (danger, losers)."""
    danger, all_losers = near
    hand_size, held = int64(g["hand_size"][seat]), num_held(g, seat, rank)
    if size == hand_size:
        return NEVER if finishes_last(p, rank, burns, int64(g["hands"][seat, rank])) else MUST
    turned = int64(g["revolution"])
    kept = held - (size - wild)
    score = held_value(p, table, rank, kept, turned, w) - held_value(p, table, rank, held, turned, w)
    left = all_losers + losers(table, rank, kept, w) - losers(table, rank, held, w)
    if kept:
        score -= w[BREAK]
    wins = 1.0 if burns else chance_to_win(g, p, seat, rank, size, table, w)
    score += w[LEAD] * wins - w[LOSERS] * left - w[WILD] * wild
    score += w[RUN_OUT] * wins * math.exp(-max(0.0, left - 1.0) * 1.5)
    position = 1.0 - rank / 12.0 if g["turned"] and rank != JOKER else rank / 12.0
    score += danger * (w[BLOCK] * wins + w[BLOCK_RANK] * position)
    if g["top_rank"] < 0:
        score += w[LEAD_SIZE] * (size - 1)
    if stuck_after(g, p, seat, rank, size, wild):
        score -= STUCK
    if p["revolution"] and size >= 4:
        score += w[TURN_ORDER] * turned_gain(g, p, seat, rank, table, w)
    completes_run = p["run_drop"] and not burns and g["run_length"] == 2
    if completes_run and stands_one_above(p, rank, int64(g["top_rank"]), int64(g["turned"])):
        score += w[RUN_DROP] * size
    return score


@part
def share_passed_on(g, p, seat, rank, size, able):
    """Share of the able others that have passed on a play that is not stronger."""
    number = 0
    seats = int64(g["active"]) & ~int64(g["barred"]) & ~(1 << seat)
    for other in range(int64(p["players"])):
        if (seats >> other) & 1 and g["hand_size"][other] >= size:
            noted = int64(g["passed_on"][other, min(size, 4) - 1]) - 1
            if noted >= 0 and (rank <= noted if g["turned"] else rank >= noted):
                number += 1
    return number / able if able else 0.0


@allocating
def turned_gain(g, p, seat, rank, table, w):
    """What the rest of the hand gains by turning the order round."""
    gain = 0.0
    turned = int64(g["revolution"])
    other_table = np.empty(TABLE_SHAPE)
    threats_set(g, p, seat, 1 - turned, other_table)
    held = ranks_held(g, seat, 1) & ~(1 << rank)
    for other in range(NUM_RANKS):
        if (held >> other) & 1:
            number = num_held(g, seat, other)
            gain += held_value(p, other_table, other, number, 1 - turned, w)
            gain -= held_value(p, table, other, number, turned, w)
    return gain


@allocating
def chosen_play(g, p, w):
    """The action of the seat to move in phases PLAY and OFFER."""
    seat, phase = int64(g["seat"]), int64(g["phase"])
    best, best_score = -1, -1e9
    pass_action = -1
    ready = False
    near = (0.0, 0.0)
    table = np.empty(TABLE_SHAPE)
    for k in range(int64(p["first_group"][phase]), int64(p["last_group"][phase]) + 1):
        ranks = group_ranks(g, p, seat, k)
        if not ranks:
            continue
        kind = int64(p["group_kind"][k])
        if kind == PASS_MOVE:
            pass_action = int64(p["group_base"][k])
            continue
        if not ready:
            threats_set(g, p, seat, int64(g["revolution"]), table)
            near = (DANGER[shortest_other(g, p, seat)], hand_losers(g, seat, table, w))
            ready = True
        size, wild = int64(p["group_size"][k]), int64(p["group_wild"][k])
        for rank in range(NUM_RANKS):
            if not (ranks >> rank) & 1:
                continue
            burns = BURN if kind == BOMB_MOVE else burns_of(g, p, rank, size, wild)
            score = play_score(g, p, seat, rank, size, wild, burns, near, table, w)
            if score > best_score:
                best, best_score = move_id(p, k, rank), score
    if pass_action >= 0:
        if best < 0:
            return pass_action
        passing = w[PASSING] + (w[STRICT] if p["strict"] else 0.0) - w[LOSERS] * near[1]
        if passing >= best_score:
            return pass_action
    return best
