"""Which moves are legal: masks of ranks per group of the move table, never a test per move.

`held_ranks` says which ranks a seat has the cards for, `allowed_ranks` which ranks the table takes; a play is legal
where both agree.
"""

from numpy import int64

from president_env.cards import JOKER, NUM_RANKS, SIX, TWO
from president_env.engine.compiled import inlined, part
from president_env.engine.order import ranks_above
from president_env.engine.parameters import EQUAL_ILLEGAL, JOKER_BURN, JOKER_WILD
from president_env.engine.state import (
    ALL_RANKS,
    ANY_TIME,
    BOTH_DECKS,
    CLUB_THREE,
    DROP,
    EXCHANGE,
    NATURAL_RANKS,
    OFFER,
    PLAY,
    TRADE,
    num_cards,
    num_held,
    ranks_held,
)
from president_env.engine.words import bits_of_equal, lanes_of_bits, load_lanes, store_row, zeros_written
from president_env.moves import Kind

PASS_MOVE, PLAY_MOVE, BOMB_MOVE = int(Kind.PASS), int(Kind.PLAY), int(Kind.BOMB)
GIVE_MOVE, ASK_MOVE, DROP_MOVE = int(Kind.GIVE), int(Kind.ASK), int(Kind.DROP)
STOP_MOVE, ACCEPT_MOVE, REJECT_MOVE = int(Kind.STOP), int(Kind.ACCEPT), int(Kind.REJECT)


@inlined
def _wild_jokers(g, p, seat):
    return num_held(g, seat, JOKER) if p["joker"] == JOKER_WILD else 0


@inlined
def wild_held(g, p, seat):
    """How many wild cards the seat holds."""
    return _wild_jokers(g, p, seat) + (num_held(g, seat, SIX) if p["wild_sixes"] else 0)


@inlined
def held_ranks(g, p, seat, size, wild):
    """Ranks of which the seat can play `size` cards, `wild` of them wild. Sixes beside a six are natural."""
    if wild == 0:
        return ranks_held(g, seat, size)
    jokers = _wild_jokers(g, p, seat)
    sixes = wild_held(g, p, seat) - jokers
    ranks = ranks_held(g, seat, size - wild) & NATURAL_RANKS
    if jokers + sixes < wild:
        return 0
    if sixes and jokers < wild:
        ranks &= ~(1 << SIX)
    return ranks


@part
def quartet_ranks(g, missing):
    """Ranks of which the trick lacks just `missing` natural cards to four."""
    return bits_of_equal(load_lanes(g["trick_count"], 0), 4 - missing) & NATURAL_RANKS


@inlined
def lead_ranks(g, p, size, wild):
    """Ranks that may be led with such a play."""
    ranks = ALL_RANKS
    if p["burn_twos"] and wild:
        ranks &= ~(1 << TWO)
    if p["joker"] == JOKER_BURN and size > 1:
        ranks &= NATURAL_RANKS
    if g["opening_rank"] >= 0:
        ranks &= 1 << int64(g["opening_rank"])
    return ranks


@inlined
def allowed_ranks(g, p, size, wild):
    """Ranks that a play of this size, with that many wild cards, may have on the table as it lies."""
    if size > p["max_size"]:
        return 0
    if g["top_rank"] < 0:
        return lead_ranks(g, p, size, wild)
    top_size = int64(g["top_size"])
    ranks = 0
    if size == top_size:
        top_rank = int64(g["top_rank"])
        ranks = ranks_above(top_rank, g["turned"])
        if p["equal_rank"] != EQUAL_ILLEGAL:
            ranks |= 1 << top_rank
    if p["only_size_matters"]:
        return ranks
    if p["burn_twos"]:
        ranks &= ~(1 << TWO)
        if wild == 0 and size == max(1, top_size - 1):
            ranks |= 1 << TWO
    if p["bombs"] and size >= 4:
        ranks = ALL_RANKS
    if p["joker"] == JOKER_BURN:
        ranks = ranks | (1 << JOKER) if size == 1 else ranks & NATURAL_RANKS
    if p["quartet"] and wild == 0 and size <= 3:
        ranks |= quartet_ranks(g, size)
    return ranks


@part
def play_ranks(g, p, seat, size, wild):
    """Ranks of which the seat, on turn, may play `size` cards, `wild` of them wild."""
    return allowed_ranks(g, p, size, wild) & held_ranks(g, p, seat, size, wild)


@part
def bomb_allowed(g, p, seat):
    """Whether the seat may play the 3 of clubs as a bomb now."""
    if not p["club3_bomb"] or not (int64(g["hands"][seat, 0]) & CLUB_THREE):
        return False
    if g["opening_rank"] >= 0:
        return g["opening_rank"] == 0 and (int64(g["opening_card"]) & CLUB_THREE) != 0
    return True


@part
def can_interrupt(g, p, seat):
    """Whether the seat holds a play that it may make out of turn."""
    if p["club3_bomb"] == ANY_TIME and int64(g["hands"][seat, 0]) & CLUB_THREE:
        return True
    if p["quartet"] == ANY_TIME:
        for missing in range(1, 4):
            if quartet_ranks(g, missing) & ranks_held(g, seat, missing):
                return True
    return False


@part
def askable_ranks(g, p, seat, suit):
    """Ranks of which the asker may name the card of this suit: not asked before, nor all copies its own."""
    pair = int64(g["stage"])
    ranks = 0
    for rank in range(JOKER):
        copies = int64(p["deck"][rank]) & (BOTH_DECKS << suit)
        if copies & ~int64(g["hands"][seat, rank]):
            ranks |= 1 << rank
    if num_cards(p["deck"][JOKER]) > num_held(g, seat, JOKER):
        ranks |= 1 << JOKER
    return ranks & ~int64(g["asked"][pair, suit])


@part
def _exchange_ranks(g, p, seat, kind, suit):
    asking = g["stage"] < 2 and seat == g["taker"][int64(g["stage"])]
    if asking:
        if kind == ASK_MOVE:
            return askable_ranks(g, p, seat, suit)
        return 1 if kind == STOP_MOVE else 0
    return ranks_held(g, seat, 1) if kind == GIVE_MOVE else 0


@part
def group_ranks(g, p, seat, k):
    """Mask of the ranks for which the moves of group k are legal for the seat, which is to move."""
    kind = int64(p["group_kind"][k])
    phase = g["phase"]
    ranks = 0
    if phase == PLAY:
        if kind == PLAY_MOVE:
            size, wild = int64(p["group_size"][k]), int64(p["group_wild"][k])
            ranks = play_ranks(g, p, seat, size, wild)
        elif kind == PASS_MOVE:
            ranks = 1 if g["top_rank"] >= 0 else 0
        else:
            ranks = 1 if bomb_allowed(g, p, seat) else 0
    elif phase == OFFER:
        if kind == PLAY_MOVE:
            size = int64(p["group_size"][k])
            if p["quartet"] == ANY_TIME and size <= 3 and p["group_wild"][k] == 0:
                ranks = quartet_ranks(g, size) & ranks_held(g, seat, size)
        elif kind == PASS_MOVE:
            ranks = 1
        else:
            ranks = 1 if p["club3_bomb"] == ANY_TIME and bomb_allowed(g, p, seat) else 0
    elif phase == DROP:
        ranks = 1 if kind == STOP_MOVE else ranks_held(g, seat, 1) if kind == DROP_MOVE else 0
    elif phase == EXCHANGE:
        ranks = _exchange_ranks(g, p, seat, kind, int64(p["group_suit"][k]))
    elif phase == TRADE:
        offering = g["trade_step"] < 2
        if kind == GIVE_MOVE:
            ranks = ranks_held(g, seat, 1) if offering else 0
        else:
            ranks = 1 if kind in (ACCEPT_MOVE, REJECT_MOVE) and not offering else 0
    return ranks & int64(p["group_ranks"][k])


@part
def mask_written(g, p, row, start):
    """Write 1 for every legal move of the seat to move and 0 for all others into the flat int8 array, from `start`."""
    zeros_written(row, start, int64(p["num_actions"]))
    phase, seat = int64(g["phase"]), int64(g["seat"])
    if seat < 0:
        return
    if phase == PLAY:
        _plays_written(g, p, seat, row, start)
        return
    for k in range(int64(p["first_group"][phase]), int64(p["last_group"][phase]) + 1):
        _group_written(p, k, group_ranks(g, p, seat, k), row, start)


@inlined
def _plays_written(g, p, seat, row, start):
    """The moves of a seat on turn, plays size by size, so that what the table takes is worked out once for each."""
    size_on_table, wild_cards = int64(g["top_size"]), wild_held(g, p, seat)
    least, most = 1, int64(p["max_size"])
    if size_on_table:
        row[start] = 1  # pass
        if p["only_size_matters"]:
            least = most = size_on_table
    for size in range(least, most + 1):
        natural, beside_wild = allowed_ranks(g, p, size, 0), 0
        if wild_cards:
            beside_wild = allowed_ranks(g, p, size, 1)
        if natural | beside_wild == 0:
            continue
        for k in range(int64(p["size_first"][size]), int64(p["size_last"][size]) + 1):
            wild = int64(p["group_wild"][k])
            if wild > wild_cards:
                break  # the groups of a size stand in the order of their wild cards
            ranks = held_ranks(g, p, seat, size, wild) & (beside_wild if wild else natural)
            _group_written(p, k, ranks & int64(p["group_ranks"][k]), row, start)
    if bomb_allowed(g, p, seat):
        row[start + int64(p["group_base"][int64(p["last_group"][PLAY])])] = 1


@inlined
def _group_written(p, k, ranks, row, start):
    base = start + int64(p["group_base"][k])
    if p["group_dense"][k]:
        # bytes past the group are of later groups, which are written after it
        bits, below = ranks >> int64(p["group_low"][k]), int64(p["group_below_gap"][k])
        store_row(row, base, lanes_of_bits((bits & below) | ((bits & ~below) >> int64(p["group_gap"][k]))))
    else:
        _sparse_ranks_written(row, base, ranks, int64(p["group_ranks"][k]))


@part
def _sparse_ranks_written(row, base, ranks, members):
    """The same for a group whose ranks have several gaps, or that stands too near the end for a whole row of ranks."""
    for rank in range(NUM_RANKS):
        if members >> rank & 1:
            row[base] = ranks >> rank & 1
            base += 1


@part
def is_legal(g, p, kind, rank, size, wild, suit):
    """Whether the seat to move may make this move."""
    seat, phase = int64(g["seat"]), int64(g["phase"])
    if seat < 0:
        return False
    for k in range(int64(p["first_group"][phase]), int64(p["last_group"][phase]) + 1):
        same_size = p["group_size"][k] == size and p["group_wild"][k] == wild
        holds_rank = p["group_suit"][k] == suit and (int64(p["group_ranks"][k]) >> rank) & 1
        if p["group_kind"][k] == kind and same_size and holds_rank:
            return (group_ranks(g, p, seat, k) >> rank) & 1 != 0
    return False
