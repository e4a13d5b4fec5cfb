"""Hold the engine against the oracle: whole matches by random house rules, every position compared.

    python -m tests.oracle.compare --games 20000 --seed 0 --processes 2

Match i of a seed is always the same one: `--seed 0 --first 1234 --games 1` plays match 1234 again.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any

from president_env import Game, Rules
from tests.oracle.match import Oracle
from tests.oracle.random_rules import random_deals, random_fields
from tests.oracle.words import Fields, complete, deck, read_hand

MOST_ROUNDS = 6  # a tiebreak may go on for ever


@dataclass
class Match:
    """A match that both sides play: what it takes to set it up, and the moves made so far."""

    fields: dict[str, Any]
    seed: int
    deals: list[list[str]] = field(default_factory=list)
    leader: int | None = None
    moves: list[str] = field(default_factory=list)

    def game(self) -> Game:
        return Game(Rules(**self.fields), seed=self.seed, deals=self.deals, leader=self.leader)

    def oracle(self, game: Game) -> Oracle:
        """The oracle of a game that has just begun; later rounds are dealt to it as they were to the game."""
        return Oracle(self.fields, [], game.dealer, self.leader, next_deal=lambda: last_deal(game))


class DifferenceError(AssertionError):
    """The engine and the oracle do not agree."""

    def __init__(self, match: Match, game: Game, what: list[str]) -> None:
        story = {
            "fields": match.fields,
            "seed": match.seed,
            "deals": game.deals,
            "dealer": game.dealer,
            "leader": match.leader,
            "moves": match.moves,
        }
        super().__init__("\n".join([*what, json.dumps(story)]))


def last_deal(game: Game) -> list[str]:
    return [hand or "" for hand in game.deals[-1]]  # only views have hands that they do not know


def draw_match(seed: int, number: int) -> Match:
    """Match ``number`` of a seed: rules, and now and then hands or a leader set by hand."""
    rng = Random(f"{seed}-{number}")
    fields = random_fields(rng)
    match = Match(fields, seed=rng.randrange(2**31))
    if rng.random() < 0.4:
        match.deals = random_deals(rng, fields, rounds=rng.randint(1, 3))
    if rng.random() < 0.2:
        match.leader = rng.randrange(fields["players"])
    return match


def shown(side: Game | Oracle) -> dict[str, Any]:
    """What both sides have to agree on."""
    return {
        "phase": side.phase,
        "seat": side.seat,
        "legal": sorted(side.legal),
        "hands": list(side.hands),
        "trick": [(int(seat), text) for seat, text in side.trick],
        "places": list(side.places),
        "roles": list(side.roles),
        "scores": [int(score) for score in side.scores],
        "round": side.round,
        "dealer": side.dealer,
        "reversed": bool(side.reversed),
        "over": bool(side.over),
    }


def differences(game: Game, oracle: Oracle) -> list[str]:
    engine_says, oracle_says = shown(game), shown(oracle)
    if oracle.phase in ("play", "offer", "drop"):  # before the exchange is done it may be open who leads
        engine_says["leader"], oracle_says["leader"] = game.leader_of_round, oracle.leader_of_round
    return [
        f"{name}: the engine has {engine_says[name]}, the oracle {oracle_says[name]}"
        for name in oracle_says
        if engine_says[name] != oracle_says[name]
    ]


def play_match(match: Match, rng: Random) -> Match:
    """Play a match with random moves on both sides; raises DifferenceError where they part."""
    game = match.game()
    oracle = match.oracle(game)
    passes = rng.choice((0.05, 0.2, 0.5))
    dealt = 0
    while True:
        what = differences(game, oracle)
        if dealt < len(game.deals):
            dealt = len(game.deals)
            if dealt > len(match.deals):
                what += wrong_deal(complete(match.fields), last_deal(game), game.dealer)
        if what:
            raise DifferenceError(match, game, what)
        if oracle.over or oracle.round > MOST_ROUNDS:
            return match
        if rng.random() < 0.05:
            _try_illegal(match, game, rng)
        move = _choose(oracle, rng, passes)
        match.moves.append(f"{oracle.seat}:{move}")
        try:
            game.play(move)
        except Exception as error:
            raise DifferenceError(match, game, [f"the engine on {move!r}: {type(error).__name__}: {error}"]) from error
        oracle.play(move)


def wrong_deal(rules: Fields, hands: list[str], dealer: int) -> list[str]:
    """What is wrong with a deal from the seed: cards that are not in the deck, or hands of a wrong size."""
    left, players = deck(rules), rules["players"]
    for card in read_hand(" ".join(hands)):
        if card not in left:
            return [f"{card} was dealt more often than the deck has it"]
        left.remove(card)
    each, odd = divmod(len(deck(rules)), players)
    sizes = [each] * players
    if rules["deal"] == "all":
        for step in range(odd):
            sizes[(dealer + 1 + step) % players] += 1
    found = [len(read_hand(hand)) for hand in hands]
    return [] if found == sizes else [f"hands of {found} cards were dealt by seat {dealer}, not {sizes}"]


def _choose(oracle: Oracle, rng: Random, passes: float) -> str:
    """A random legal move; passing is rarer than other moves, and questions tend to hit."""
    legal = sorted(oracle.legal)
    if "pass" in legal and len(legal) > 1:
        if rng.random() < passes:
            return "pass"
        legal.remove("pass")
    hits = [move for move in legal if move[:4] == "ask " and any(move[4:] in hand.split() for hand in oracle.hands)]
    return rng.choice(hits if hits and rng.random() < 0.7 else legal)


def _try_illegal(match: Match, game: Game, rng: Random) -> None:
    """An illegal move is refused and changes nothing."""
    legal, before = set(game.legal), shown(game)
    move = rng.choice([text for text in game.table.texts if text not in legal] or ["nonsense"])
    try:
        game.play(move)
    except ValueError:
        if shown(game) == before:
            return
    raise DifferenceError(match, game, [f"the illegal {move!r} was accepted, or changed the game"])


def compare(seed: int, number: int) -> str | None:
    """Play match ``number`` of a seed on both sides; the difference as text, or None."""
    match = draw_match(seed, number)
    try:
        play_match(match, Random(number))
    except DifferenceError as difference:
        return f"match {number} of seed {seed}\n{difference}"
    except Exception as error:  # a side that breaks is a difference as well
        return f"match {number} of seed {seed}\n{type(error).__name__}: {error}\n{match}"
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description="Play random matches by random rules on the engine and the oracle.")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first match")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--stop-after", type=int, default=1, help="differences to print before stopping")
    options = parser.parse_args()
    numbers = range(options.first, options.first + options.games)
    job: Callable[[int], str | None] = partial(compare, options.seed)
    began, found, done = time.monotonic(), 0, 0
    with multiprocessing.get_context("spawn").Pool(options.processes) as pool:
        results = pool.imap(job, numbers, chunksize=20) if options.processes > 1 else map(job, numbers)
        for done, difference in enumerate(results, start=1):
            if difference is not None:
                found += 1
                print(difference, flush=True)
                if found >= options.stop_after:
                    break
            if done % 1000 == 0:
                print(f"{done} matches, {found} differ, {time.monotonic() - began:.0f} s", flush=True)
    print(f"{done} matches played, {found} differ")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
