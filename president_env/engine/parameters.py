"""The PARAMETERS record: a rule set and its move table as numbers, made once and read by every engine function."""

from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from president_env.cards import JOKER, NUM_RANKS, SUITS, parse_rank
from president_env.engine.compiled import say_if_compiling
from president_env.engine.state import ALL_RANKS, ANY_TIME, MAX_PLAYERS, MAX_SIZE, OFF, ON_TURN
from president_env.features import NUM_FEATURES, features_of
from president_env.limits import Limits
from president_env.moves import Kind, Move, MoveTable, move_table
from president_env.rules import Rules

MAX_GROUPS = 80

EQUAL_ILLEGAL, EQUAL_LEGAL, EQUAL_SKIP, EQUAL_BURN = range(4)
JOKER_OFF, JOKER_BURN, JOKER_WILD = range(3)
LEADER_SEAT, LEADER_LEFT_OF_DEALER, LEADER_CARD = range(3)
NEXT_BUM, NEXT_PRESIDENT, NEXT_OPENING = range(3)
EXCHANGE_OFF, EXCHANGE_BEST, EXCHANGE_ANY, EXCHANGE_ASK = range(4)
RETURN_CHOICE, RETURN_LOWEST, RETURN_NONE = range(3)

_NEXT_LEADERS = {"bum": NEXT_BUM, "president": NEXT_PRESIDENT, "opening": NEXT_OPENING}
_EQUAL_RANKS = {"illegal": EQUAL_ILLEGAL, "legal": EQUAL_LEGAL, "skip": EQUAL_SKIP, "burn": EQUAL_BURN}
_JOKERS = {"off": JOKER_OFF, "burn": JOKER_BURN, "wild": JOKER_WILD}
_EXCHANGES = {"off": EXCHANGE_OFF, "best": EXCHANGE_BEST, "any": EXCHANGE_ANY, "ask": EXCHANGE_ASK}
_RETURNS = {"choice": RETURN_CHOICE, "lowest": RETURN_LOWEST, "none": RETURN_NONE}
_INTERRUPTS = {"off": OFF, "on_turn": ON_TURN, "any_time": ANY_TIME}

_FIELDS: list[tuple[str, str, tuple[int, ...]]] = [
    # the table and the deck
    ("players", "i1", ()),
    ("deck", "u1", (NUM_RANKS,)),
    ("max_size", "i1", ()),
    ("deal_equal", "i1", ()),
    ("dealer", "i1", ()),
    ("rank_position", "i1", (NUM_RANKS,)),
    # leading, turns, order
    ("first_leader", "i1", ()),
    ("leader_seat", "i1", ()),
    ("opening_suit", "i1", ()),
    ("opening_forced", "i1", ()),
    ("next_leader", "i1", ()),
    ("strict", "i1", ()),
    ("equal_rank", "i1", ()),
    ("revolution", "i1", ()),
    ("reversing_ranks", "i2", ()),
    ("reversal_for_trick", "i1", ()),
    # clears, burns, wild cards, runs
    ("clearing_ranks", "i2", ()),
    ("burn_twos", "i1", ()),
    ("joker", "i1", ()),
    ("bombs", "i1", ()),
    ("quartet", "i1", ()),
    ("club3_bomb", "i1", ()),
    ("wild_sixes", "i1", ()),
    ("run_drop", "i1", ()),
    ("burn_finish_last", "i1", ()),
    ("equal_burn_finish_last", "i1", ()),
    ("club3_finish_last", "i1", ()),
    # between rounds
    ("vice_roles", "i1", ()),
    ("exchange", "i1", ()),
    ("exchange_cards", "i1", (2,)),
    ("exchange_return", "i1", ()),
    ("middle_trade", "i1", ()),
    ("haggle_rounds", "i4", ()),
    ("rounds", "i4", ()),
    ("target_score", "i4", ()),
    ("points", "i4", (MAX_PLAYERS + 1,)),
    ("tiebreak", "i1", ()),
    # derived: which special cases legal.py has to look for
    ("only_size_matters", "i1", ()),
    ("size_first", "i1", (MAX_SIZE + 1,)),
    ("size_last", "i1", (MAX_SIZE + 1,)),  # [0] is that of all sizes; before the first: there are none
    # the rules as a block of universal observations
    ("features", "i1", (NUM_FEATURES,)),
    # the move table
    ("num_actions", "i2", ()),
    ("group_kind", "i1", (MAX_GROUPS,)),
    ("group_size", "i1", (MAX_GROUPS,)),
    ("group_wild", "i1", (MAX_GROUPS,)),
    ("group_suit", "i1", (MAX_GROUPS,)),
    ("group_ranks", "i2", (MAX_GROUPS,)),
    ("group_base", "i2", (MAX_GROUPS,)),
    ("group_low", "i1", (MAX_GROUPS,)),
    ("group_dense", "i1", (MAX_GROUPS,)),  # written as a whole row of ranks, which has at most this gap:
    ("group_below_gap", "i2", (MAX_GROUPS,)),  # its members below the gap, counted from group_low; all if there is none
    ("group_gap", "i1", (MAX_GROUPS,)),  # how many ranks are missing
    ("first_group", "i1", (6,)),
    ("last_group", "i1", (6,)),
]

MOVE = np.dtype([(name, "i1") for name in Move._fields])
"""A row of the move table as a record."""

PARAMETERS = np.dtype([(name, kind, shape) for name, kind, shape in _FIELDS], align=True)

_PHASE_KINDS: tuple[tuple[Kind, ...], ...] = (
    (Kind.PASS, Kind.PLAY, Kind.BOMB),
    (Kind.PASS, Kind.PLAY, Kind.BOMB),
    (Kind.DROP, Kind.STOP),
    (Kind.GIVE, Kind.ASK, Kind.STOP),
    (Kind.GIVE, Kind.ACCEPT, Kind.REJECT),
    (),
)


def _mask(texts: tuple[str, ...]) -> int:
    return sum(1 << parse_rank(text) for text in texts)


def points_of_places(rules: Rules) -> list[int]:
    """Points of a round by place, from 1; index 0 stands for no place and is 0."""
    players = rules.players
    match rules.scoring:
        case "places":
            points = [players - place for place in range(players)]
        case "opponents_below":
            points = [players - 1 - place for place in range(players)]
        case "president_two":
            points = [2, int(rules.has_vice_roles)]
        case "presidencies":
            points = [1]
        case _:
            points = []
    return [0, *points, *[0] * (MAX_PLAYERS - len(points))]


def deck_of(rules: Rules) -> NDArray[np.uint8]:
    """The whole deck as a suit mask per rank, shape (14,)."""
    deck = np.zeros(NUM_RANKS, dtype=np.uint8)
    suits = (1 << rules.suits) - 1
    for rank in rules.rank_indices:
        deck[rank] = suits | (suits << 4 if rules.num_decks == 2 else 0)
    deck[JOKER] = (1 << rules.jokers) - 1
    return deck


def _fill_rules(p: np.ndarray, rules: Rules) -> None:
    p["players"] = rules.players
    p["deck"] = deck_of(rules)
    p["max_size"] = 4 * rules.num_decks
    p["deal_equal"] = rules.deal == "equal"
    p["dealer"] = -1 if rules.dealer is None else rules.dealer
    p["rank_position"] = -9
    for position, rank in enumerate(rules.rank_indices):
        p["rank_position"][0, rank] = position
    leader = rules.first_leader
    if isinstance(leader, int):
        p["first_leader"], p["leader_seat"] = LEADER_SEAT, leader
    elif leader == "left_of_dealer":
        p["first_leader"] = LEADER_LEFT_OF_DEALER
    else:
        p["first_leader"], p["opening_suit"] = LEADER_CARD, SUITS.index(leader[1])
    p["opening_forced"] = rules.opening_card_forced
    p["next_leader"] = _NEXT_LEADERS[rules.later_leader]
    p["strict"] = rules.passing == "strict"
    p["equal_rank"] = _EQUAL_RANKS[rules.equal_rank]
    p["reversing_ranks"] = _mask(rules.reversing_ranks)
    p["reversal_for_trick"] = rules.reversal_lasts == "trick"
    p["clearing_ranks"] = _mask(rules.clearing_ranks)
    p["joker"] = _JOKERS[rules.joker]
    p["quartet"] = _INTERRUPTS[rules.quartet]
    p["club3_bomb"] = _INTERRUPTS[rules.club3_bomb]
    for flag in ("revolution", "burn_twos", "bombs", "wild_sixes", "run_drop", "burn_finish_last", "middle_trade"):
        p[flag] = getattr(rules, flag)
    for flag in ("equal_burn_finish_last", "club3_finish_last", "haggle_rounds", "tiebreak"):
        p[flag] = getattr(rules, flag)
    p["vice_roles"] = rules.has_vice_roles
    p["exchange"] = _EXCHANGES[rules.exchange]
    p["exchange_cards"] = rules.exchange_cards
    p["exchange_return"] = _RETURNS[rules.exchange_return]
    p["rounds"] = rules.rounds or 0
    p["target_score"] = rules.target_score or 0
    p["points"] = points_of_places(rules)
    out_of_size = (rules.quartet != "off", rules.club3_bomb != "off", rules.joker == "burn")
    p["only_size_matters"] = not (rules.bombs or rules.burn_twos or any(out_of_size))


def _fill_table(p: np.ndarray, table: MoveTable) -> None:
    """Describe the groups of the move table: where their rows begin and which ranks they hold."""
    p["num_actions"] = len(table)
    p["size_first"], p["size_last"] = 1, 0
    base = 0
    for k, group in enumerate(table.groups):
        p["group_kind"][0, k] = group.kind
        p["group_size"][0, k] = group.size
        p["group_wild"][0, k] = group.wild
        p["group_suit"][0, k] = group.suit
        p["group_ranks"][0, k] = sum(1 << rank for rank in group.ranks)
        p["group_base"][0, k] = base
        p["group_low"][0, k] = group.ranks[0]
        gaps = [(at, after) for at, after in pairwise(group.ranks) if after != at + 1]
        p["group_dense"][0, k] = len(gaps) < 2 and base + NUM_RANKS <= len(table)
        p["group_below_gap"][0, k] = ALL_RANKS
        for at, after in gaps[:1]:
            p["group_below_gap"][0, k] = (2 << at - group.ranks[0]) - 1
            p["group_gap"][0, k] = after - at - 1
        if group.kind == Kind.PLAY:
            if p["size_last"][0, group.size] == 0:
                p["size_first"][0, group.size] = k
            p["size_last"][0, group.size] = p["size_last"][0, 0] = k
        base += len(group.ranks)
    for phase, kinds in enumerate(_PHASE_KINDS):
        among = [k for k, group in enumerate(table.groups) if group.kind in kinds]
        p["first_group"][0, phase] = min(among, default=0)
        p["last_group"][0, phase] = max(among, default=-1)


@lru_cache(maxsize=256)
def parameters_of(rules: Rules, limits: Limits | None = None) -> NDArray[np.void]:
    """The PARAMETERS of a rule set, shape (1,), read-only; with limits its moves are those of the universal table."""
    if limits is not None:
        limits.check(rules)
    say_if_compiling()  # whoever plays asks for parameters before the first compiled call
    p = np.zeros(1, dtype=PARAMETERS)
    _fill_rules(p, rules)
    _fill_table(p, move_table(limits or rules))
    p["features"] = features_of(rules)
    p.flags.writeable = False
    return p


@lru_cache(maxsize=256)
def moves_of(rules: Rules | Limits) -> NDArray[np.void]:
    """The rows of a move table as MOVE records, shape (num_actions,), read-only."""
    moves = np.array([tuple(move) for move in move_table(rules)], dtype=MOVE)
    moves.flags.writeable = False
    return moves
