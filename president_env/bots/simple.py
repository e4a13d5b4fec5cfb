# mypy: allow-untyped-defs
"""The choices of the two simplest bots, compiled: any legal move, and the lowest rank.

Both read only what the seat to move may know, so a game and the seat's view of it get the same answer.
"""

from numpy import int64

from president_env.cards import JOKER, NUM_RANKS, SIX, TWO
from president_env.engine.compiled import part
from president_env.engine.legal import (
    ACCEPT_MOVE,
    ASK_MOVE,
    DROP_MOVE,
    GIVE_MOVE,
    PASS_MOVE,
    PLAY_MOVE,
    group_ranks,
)
from president_env.engine.state import num_cards

WORD = 0xFFFFFFFF
LAST = 2 * NUM_RANKS


@part
def move_id(p, k, rank):
    """The action id of the move of group k with this rank."""
    below = int64(p["group_ranks"][k]) & ((1 << rank) - 1)
    return int64(p["group_base"][k]) + num_cards(below & 255) + num_cards(below >> 8)


@part
def _stirred(mark, word):
    mark = (((mark ^ word) & WORD) * 0x7FEB352D) & WORD
    return mark ^ (mark >> 15)


@part
def view_mark(g, seat, seed):
    """32 bits that depend on the seed and on what the seat sees of the round, and look random."""
    mark = _stirred(seed & WORD, (seed >> 32) & WORD)
    for rank in range(NUM_RANKS):
        mark = _stirred(mark, int64(g["hands"][seat, rank]) | int64(g["gone"][rank]) << 8)
    mark = _stirred(mark, int64(g["passed"]) | (int64(g["top_seat"]) & 15) << 8 | int64(g["phase"]) << 12)
    mark = _stirred(mark, int64(g["left"]) | int64(g["trade_step"]) << 8 | int64(g["round"]) << 12)
    return _stirred(mark, int64(g["trade_tries"]))


@part
def random_move(g, p, seed):
    """Any legal move of the seat to move, all equally likely. The same seed and view bring the same move."""
    seat, phase = int64(g["seat"]), int64(g["phase"])
    first, last = int64(p["first_group"][phase]), int64(p["last_group"][phase])
    number = 0
    for k in range(first, last + 1):
        ranks = group_ranks(g, p, seat, k)
        number += num_cards(ranks & 255) + num_cards(ranks >> 8)
    drawn = (view_mark(g, seat, seed) * number) >> 32
    for k in range(first, last + 1):
        ranks = group_ranks(g, p, seat, k)
        within = num_cards(ranks & 255) + num_cards(ranks >> 8)
        if drawn < within:
            for _ in range(drawn):
                ranks &= ranks - 1
            return move_id(p, k, lowest_rank(ranks))
        drawn -= within
    return -1


@part
def lowest_rank(ranks):
    """The lowest rank of a mask in the normal order, jokers above all; LAST if it is empty."""
    for rank in range(NUM_RANKS):
        if ranks >> rank & 1:
            return rank
    return LAST


@part
def strength(g, p, rank):
    """How dear a rank is to play: its height in the order in force; then sixes that are wild, burning twos, jokers."""
    if rank == JOKER:
        return LAST - 1
    if rank == TWO and p["burn_twos"]:
        return LAST - 2
    if rank == SIX and p["wild_sixes"]:
        return LAST - 3
    return TWO - rank if g["turned"] else rank


@part
def weakest_rank(g, p, ranks):
    """The rank of a mask that is cheapest to play; LAST if it is empty."""
    weakest, least = LAST, LAST
    for rank in range(NUM_RANKS):
        if ranks >> rank & 1 and strength(g, p, rank) < least:
            weakest, least = rank, strength(g, p, rank)
    return weakest


@part
def lowest_set(g, p):
    """The easy bot: the lowest rank that is legal, on a lead with all its cards.

    It spends no wild card and no bomb out of size, always drops and accepts, gives its lowest rank and asks for the
    highest card.
    """
    seat, phase = int64(g["seat"]), int64(g["phase"])
    chosen, rank_chosen, least = -1, 0, LAST
    for k in range(int64(p["first_group"][phase]), int64(p["last_group"][phase]) + 1):
        kind, size = int64(p["group_kind"][k]), int64(p["group_size"][k])
        if kind == PLAY_MOVE:
            if p["group_wild"][k] or (p["bombs"] and g["top_rank"] >= 0 and size >= 4 and size != g["top_size"]):
                continue
        elif kind != GIVE_MOVE and kind != DROP_MOVE and kind != ASK_MOVE and kind != ACCEPT_MOVE:
            continue
        ranks = group_ranks(g, p, seat, k)
        if kind == ASK_MOVE:
            for rank in range(NUM_RANKS):
                if ranks >> rank & 1 and JOKER - rank <= least:
                    chosen, rank_chosen, least = k, rank, JOKER - rank
        elif ranks:
            rank = lowest_rank(ranks) if kind == GIVE_MOVE else weakest_rank(g, p, ranks)
            cost = strength(g, p, rank)
            larger = g["top_rank"] < 0 and rank == rank_chosen
            if cost < least or larger or (cost == least and size == g["top_size"]):
                chosen, rank_chosen, least = k, rank, cost
    if chosen >= 0:
        return move_id(p, chosen, rank_chosen)
    return _nothing_better(g, p, seat, phase)


@part
def _nothing_better(g, p, seat, phase):
    """Pass or stop where that is legal, else the first legal move there is."""
    for k in range(int64(p["first_group"][phase]), int64(p["last_group"][phase]) + 1):
        ranks = group_ranks(g, p, seat, k)
        if ranks:
            return move_id(p, k, lowest_rank(ranks))
    return PASS_MOVE
