"""Random house rules and random tables, weighted so that much happens: few ranks, many fours, short hands."""

from __future__ import annotations

from random import Random
from typing import Any

from president_env import Rules
from tests.oracle.words import RANKS, complete, deck, write_hand


def random_fields(rng: Random) -> dict[str, Any]:
    """Random rule fields of every kind that the rules accept together."""
    while True:
        fields = _draw_fields(rng)
        try:
            Rules(**fields)
        except ValueError:
            continue
        return fields


def random_deals(rng: Random, fields: dict[str, Any], rounds: int) -> list[list[str]]:
    """Hands laid by hand: any part of the deck, some of them short."""
    rules = complete(fields)
    deals = []
    for _ in range(rounds):
        cards = deck(rules)
        rng.shuffle(cards)
        hands = []
        for seat in range(rules["players"]):
            most = len(cards) - (rules["players"] - 1 - seat)
            size = min(most, rng.choice((1, 1, 2, 2, 3, 3, 4, 5, 8)))
            hands.append(write_hand([cards.pop() for _ in range(size)]))
        rng.shuffle(hands)
        deals.append(hands)
    return deals


def _some(rng: Random, ranks: str, most: int) -> tuple[str, ...]:
    chosen = rng.sample(ranks, min(len(ranks), rng.randint(1, most)))
    return tuple(rank for rank in ranks if rank in chosen)


def _draw_fields(rng: Random) -> dict[str, Any]:
    fields = _draw_table(rng)
    fields |= _draw_plays(rng, fields["ranks"])
    fields |= _draw_order_of_finishing(rng, fields["ranks"])
    fields |= _draw_match(rng, fields["players"])
    return fields


def _draw_table(rng: Random) -> dict[str, Any]:
    players = rng.choice((2, 3, 3, 4, 4, 4, 5, 6, 7, 8))
    chosen = set(rng.sample(RANKS, rng.choice((1, 2, 2, 3, 4, 5, 13))))
    chosen |= {rank for rank in "362" if rng.random() < 0.6}  # the ranks that rules are about
    return {
        "players": players,
        "decks": rng.choice((1, 1, 1, 2, "auto")),
        "ranks": "".join(rank for rank in RANKS if rank in chosen),
        "suits": rng.choice((1, 2, 3, 4, 4, 4, 4, 4)),
        "deal": rng.choice(("all", "all", "equal")),
        "dealer": rng.choice((None, None, rng.randrange(players))),
        "first_leader": rng.choice(("3C", "3S", "left_of_dealer", rng.randrange(players))),
        "opening_card_forced": rng.random() < 0.4,
        "next_leader": rng.choice(("auto", "auto", "bum", "president", "opening")),
    }


def _draw_plays(rng: Random, ranks: str) -> dict[str, Any]:
    joker = rng.choice(("off", "off", "burn", "wild", "wild"))
    twos = rng.choice(("plain", "clear", "burn")) if "2" in ranks else "plain"
    return {
        "joker": joker,
        "jokers": 0 if joker == "off" else rng.randint(1, 4),
        "passing": rng.choice(("soft", "strict")),
        "equal_rank": rng.choice(("illegal", "legal", "skip", "skip", "burn")),
        "revolution": rng.random() < 0.4,
        "reversing_ranks": _some(rng, ranks, 2) if rng.random() < 0.4 else (),
        "reversal_lasts": rng.choice(("next_play", "trick")),
        "clearing_ranks": ("2",) if twos == "clear" else _some(rng, ranks, 2) if rng.random() < 0.1 else (),
        "burn_twos": twos == "burn",
        "bombs": rng.random() < 0.35,
        "quartet": rng.choice(("off", "off", "on_turn", "any_time", "any_time")),
        "club3_bomb": rng.choice(("off", "on_turn", "any_time")) if "3" in ranks else "off",
        "wild_sixes": "6" in ranks and rng.random() < 0.4,
        "run_drop": rng.random() < 0.4,
    }


def _draw_order_of_finishing(rng: Random, ranks: str) -> dict[str, Any]:
    return {
        "burn_finish_last": rng.random() < 0.5,
        "equal_burn_finish_last": rng.random() < 0.5,
        "club3_finish_last": "3" in ranks and rng.random() < 0.4,
        "vice_roles": rng.random() < 0.7,
    }


def _draw_match(rng: Random, players: int) -> dict[str, Any]:
    exchange = rng.choice(("off", "best", "any", "ask"))
    middle_trade = exchange != "off" and rng.random() < 0.5
    scoring = rng.choice(("none", "places", "opponents_below", "president_two", "presidencies"))
    rounds = rng.choice((None, 1, 2, 2, 3, 3))
    scored = scoring != "none"
    return {
        "exchange": exchange,
        "exchange_cards": rng.choice(((2, 1), (1, 1), (1, 2), (3, 2), (3, 1))),
        "exchange_return": rng.choice(("choice", "choice", "lowest", "none")),
        "middle_trade": middle_trade,
        "haggle_rounds": rng.randint(0, 3) if middle_trade else 0,
        "rounds": rounds,
        "target_score": rng.randint(1, 2 * players) if scored and (rounds is None or rng.random() < 0.4) else None,
        "scoring": scoring,
        "tiebreak": scored and rng.random() < 0.4,
    }
