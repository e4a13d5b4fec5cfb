"""A match whose chance comes from outside, outcome by outcome: the engine of the OpenSpiel game."""

from collections.abc import Iterator
from copy import copy
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from president_env.bots.determinize import determinize
from president_env.cards import hand_text
from president_env.dealing import given_hands
from president_env.engine import entry
from president_env.engine.parameters import deck_of, moves_of, parameters_of
from president_env.engine.state import DEAL, GAME, OVER, PHASES
from president_env.game import EVERYBODY, Entry, Game
from president_env.moves import move_table
from president_env.rewards import reward_of_place
from president_env.rules import Rules

_OF_RULES = ("table", "_parameters", "_moves")
"""What a match holds that its rules alone decide; engine and processes share it."""


@lru_cache(maxsize=256)
def deck_cards(rules: Rules) -> tuple[str, ...]:
    """The cards of the deck in the order in which chance deals them: by rank, then suit, jokers last."""
    return tuple(hand_text(deck_of(rules)).split())


@lru_cache(maxsize=256)
def places_to_deal(rules: Rules, dealer: int) -> tuple[int, ...]:
    """How many cards every seat is dealt and, last, how many lie face down; (players + 1,)."""
    sizes = Game(rules.replace(dealer=dealer), seed=0).hand_sizes
    return (*sizes, rules.num_cards - sum(sizes))


@lru_cache(maxsize=256)
def worth_of_place(rules: Rules) -> tuple[float, ...]:
    """The reward for each place, from 1, whose sum is 0 to more digits than float32 has: OpenSpiel looks at nine."""
    worth = reward_of_place(rules, "place")[1 : rules.players + 1].astype(np.float64)
    return (0.0, *(worth - worth.mean()).tolist())


class Match(Game):
    """A Game that waits for its first dealer, unless the rules fix it, and for the cards of each round, one by one.

    It never changes once it is made: `after` returns another match. It ends after `max_rounds` rounds at the latest.
    """

    def __init__(self, rules: Rules, max_rounds: int) -> None:
        self.max_rounds = max_rounds
        self.waiting = True
        """Whether chance is to move: for the dealer, or for the next card of the deck."""
        self.has_dealer = rules.dealer is not None
        self.returns: tuple[float, ...] = (0.0,) * rules.players
        """What the places of each seat have been worth so far, round by round."""
        self._cards_at: tuple[int, ...] = ()
        self._spent: tuple[str, ...] = ()
        self._told: tuple[str, ...] = ("",) * rules.players
        self._first_move = 0
        super().__init__(rules, seed=0)

    @property
    def finished(self) -> bool:
        """Whether nothing is left to play or to deal."""
        return len(self._deals) >= self.max_rounds if self.waiting else self.over

    def after(self, action: int) -> "Match":
        """The match after an outcome of chance or a legal move."""
        match = copy(self)
        if self.waiting:
            match._chance_falls(action)
        else:
            match.play_id(action)
        return match

    # chance

    def outcomes(self) -> list[tuple[int, float]]:
        """Where the next card of the deck may go (a seat; `players` is face down), or who may deal, with the chances.

        A card goes to each place with a chance that is its share of the free places: all deals are equally likely,
        and each is one path.
        """
        if not self.has_dealer:
            return [(seat, 1 / self.rules.players) for seat in range(self.rules.players)]
        free = list(places_to_deal(self.rules, self.dealer))
        for place in self._cards_at:
            free[place] -= 1
        return [(place, number / sum(free)) for place, number in enumerate(free) if number]

    def outcome_text(self, outcome: int) -> str:
        """An outcome of chance in words."""
        if not self.has_dealer:
            return f"seat {outcome} deals"
        card = deck_cards(self.rules)[len(self._cards_at)]
        return f"{card} face down" if outcome == self.rules.players else f"{card} to seat {outcome}"

    def _chance_falls(self, outcome: int) -> None:
        if outcome not in dict(self.outcomes()):
            raise ValueError(f"outcome {outcome} of chance cannot be; possible are {dict(self.outcomes())}")
        if not self.has_dealer:
            self._games["dealer"] = outcome
            self.has_dealer = True
            return
        self._cards_at += (outcome,)
        if len(self._cards_at) == self.rules.num_cards:
            self._deal()

    def _deal(self) -> None:
        hands: list[list[str]] = [[] for _ in range(self.rules.players + 1)]
        for card, place in zip(deck_cards(self.rules), self._cards_at, strict=True):
            hands[place].append(card)
        texts = [" ".join(hand) for hand in hands[: self.rules.players]]
        self._given = [*self._given, given_hands(self.rules, self.round, texts)]
        self.waiting = False
        super()._begin_round()

    def _begin_round(self) -> None:
        """Wait for the cards, where a Game would deal them."""
        if self._deals:
            self._told = tuple(self.seen(seat) for seat in range(self.rules.players))
        self.waiting = True
        self._cards_at = ()
        self._first_move = len(self._history)

    # moves

    def _note(self, before: np.void, action: int) -> None:
        super()._note(before, action)
        seat, now = before["seat"], self._record
        self._spent += (hand_text(now["played"][seat] & ~before["played"][seat]),)
        if now["phase"] in (DEAL, OVER):
            places, worth = now["last_place"][: self.rules.players], worth_of_place(self.rules)
            self.returns = tuple(had + worth[place] for had, place in zip(self.returns, places, strict=True))

    def moves_seen(self, seat: int) -> Iterator[tuple[Entry, str]]:
        """The moves of this round as the seat knows them, its own declined offers among them, and the cards that all
        saw leave a hand by them."""
        first = self._first_move
        for made, spent in zip(self._history[first:], self._spent[first:], strict=True):
            if not made.declined or made.seat == seat:
                yield made.seen_by(seat), spent

    # what a seat has seen

    def record_seen(self, seat: int) -> np.void:
        """The GAME record as the seat may know it."""
        views = np.zeros(1, dtype=GAME)
        entry.write_view(self._games, 0, self._parameters, seat, views, 0)
        record: np.void = views[0]
        return record

    def seen(self, seat: int) -> str:
        """All that the seat has seen since the match began, as text; what chance is about to deal nobody sees."""
        if self.waiting:
            return self._told[seat]
        record = self.record_seen(seat)
        moves = [f"{made.seat}:{made.text}" + f" ({spent})" * bool(spent) for made, spent in self.moves_seen(seat)]
        lines = [
            f"dealer {record['dealer']}",
            f"dealt {self._deals[-1][seat]}",
            *(f"{name} {moved}" for name, moved in _cards_moved(record)),
            f"moves {'; '.join(moves)}",
            f"hand {hand_text(record['hands'][seat])}",
            f"{PHASES[record['phase']]} {record['seat']}\n" if record["phase"] != DEAL else "end\n",
        ]
        return (self._told[seat] or f"seat {seat}\n") + "\n".join(lines)

    def resampled(self, seat: int, seed: int) -> "Match":
        """A match that the seat cannot tell from this one; its other seats know of the past what the seat knows."""
        if self.waiting:
            raise ValueError("there is nothing to draw anew while the cards are being dealt")
        world = determinize(self.view(seat), seed)
        seen = list(self.moves_seen(seat))
        match = copy(self)
        match._games, match._deals = world._games, world._deals
        match._history = [made._replace(knowers=EVERYBODY) for made, _ in seen]
        match._spent = tuple(spent for _, spent in seen)
        match._told, match._first_move = (self._told[seat],) * self.rules.players, 0
        return match

    # copies

    def __copy__(self) -> "Match":
        match = object.__new__(Match)
        match.__dict__.update(self.copy().__dict__)
        return match

    def __deepcopy__(self, memo: dict[int, Any]) -> "Match":
        """Itself, since it never changes."""
        return self

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in _OF_RULES}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        rules = self.rules
        self.table, self._parameters, self._moves = move_table(rules), parameters_of(rules), moves_of(rules)


def _cards_moved(record: np.void) -> Iterator[tuple[str, str]]:
    """The cards of the exchange that a view knows of."""
    for name in ("taken", "returned"):
        for pair in range(2):
            moved: NDArray[np.uint8] = record[name][pair]
            if record["taker"][pair] >= 0 and moved.any():
                yield f"{name} by seat {record['taker'][pair]}", hand_text(moved)
