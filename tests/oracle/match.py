"""The oracle: a match by the rules in plain Python, to hold the engine against."""

from __future__ import annotations

from collections.abc import Callable

from tests.oracle.exchange import exchange
from tests.oracle.rounds import play_round
from tests.oracle.table import Table
from tests.oracle.words import JOKER, RANKS, SUITS, Fields, Talk, complete, read_hand, write_hand

NextDeal = Callable[[], list[str]]


class Oracle:
    """A match, one question after another.

    ``fields`` are rule fields by name; those left out have their defaults. ``deals`` are the hands of each round and
    seat as dealt; when they are used up, ``next_deal`` is called for more. ``dealer`` deals round 1; ``leader``, if
    given, leads it.

    Readings where the rules can be read in two ways:

    - Twos that burn (``burn_twos``) go with wild cards only as a bomb on a trick, never otherwise.
    - Any play of four or more on a trick is a bomb under ``bombs``, one that is higher in the ordinary way too.
    - Four of a kind led under ``bombs`` and ``quartet`` burns as a quartet, so it is no bomb for ``burn_finish_last``.
    - `3!` is a play of rank 3 and size 1: on a single 3 it is an equal burn as well, where equal rank burns.
    - A quartet made out of turn is an equal burn as well if it equals the top play.
    - Where nobody holds the opening card or any card after it but jokers, the first joker is the opening card.
    - The numbers of cards owed go by the hands at the moment in which the giver's part of the exchange begins.
    - ``dealer`` stays what it was at the end of the match.
    """

    def __init__(
        self,
        fields: Fields,
        deals: list[list[str]],
        dealer: int,
        leader: int | None = None,
        next_deal: NextDeal | None = None,
    ) -> None:
        self.rules = complete(fields)
        self._deals = [list(hands) for hands in deals]
        self._next_deal = next_deal
        self._leader_by_hand = leader
        self._table = Table(self.rules)
        self.players: int = self.rules["players"]
        self.round = 1
        self.dealer = dealer
        self.leader_of_round: int | None = None
        self.roles: list[str | None] = [None] * self.players
        self.scores = [0] * self.players
        self.phase = "over"
        self.seat: int | None = None
        self.legal: list[str] = []
        self._talk = self._match()
        self._hear(None)

    # What is to be seen

    @property
    def hands(self) -> list[str]:
        return [write_hand(hand) for hand in self._table.hands]

    @property
    def trick(self) -> list[tuple[int, str]]:
        return [(play.seat, play.text) for play in self._table.trick]

    @property
    def places(self) -> list[int | None]:
        return list(self._table.places)

    @property
    def reversed(self) -> bool:
        return self._table.reversed

    @property
    def over(self) -> bool:
        return self.phase == "over"

    def play(self, text: str) -> None:
        """Answer the question on the table."""
        if text not in self.legal:
            raise ValueError(f"seat {self.seat} may not say {text!r}, but {self.legal}")
        self._hear(text)

    def _hear(self, answer: str | None) -> None:
        try:
            question = next(self._talk) if answer is None else self._talk.send(answer)
        except StopIteration:
            question = None
        self.phase, self.seat, self.legal = question or ("over", None, [])

    # The match

    def _match(self) -> Talk:
        yield from self._one_round()
        self._score()
        while not self._is_match_over():
            self.round += 1
            self.dealer = self.roles.index("bum")
            yield from self._one_round()
            self._score()

    def _one_round(self) -> Talk:
        """Deal, exchange, lead, play, and name the roles."""
        places_before = [place for place in self._table.places if place is not None]
        roles_before = [role for role in self.roles if role is not None]
        table = self._table = Table(self.rules)
        self.leader_of_round = None
        table.hands = [read_hand(hand) for hand in self._deal()]
        if self.round > 1 and self.rules["exchange"] != "off":
            yield from exchange(table, roles_before, places_before)
        leader = self.leader_of_round = self._find_leader()
        yield from play_round(table, leader)
        self.roles = [self._role(place) for place in table.places if place is not None]

    def _deal(self) -> list[str]:
        if self.round <= len(self._deals):
            return self._deals[self.round - 1]
        if self._next_deal is None:
            raise ValueError(f"no deal for round {self.round}")
        return self._next_deal()

    def _find_leader(self) -> int:
        """Who leads the round; where the leader is bound, the table is told the card that must be in its play."""
        rule = self.rules["next_leader"]
        if rule == "auto":
            rule = "bum" if self.rules["exchange"] != "off" else "opening"
        if self.round > 1 and rule in ("bum", "president"):
            return self.roles.index(rule)
        leader = self.rules["first_leader"]
        if leader == "left_of_dealer":
            leader = self._table.left_of(self.dealer)
        elif leader in ("3C", "3S"):
            leader, card = self._find_opening_card(leader)
            if self.rules["opening_card_forced"]:
                self._table.opening_card = card
        if self.round == 1 and self._leader_by_hand is not None:
            if self._leader_by_hand != leader:
                self._table.opening_card = None
            leader = self._leader_by_hand
        return int(leader)

    def _find_opening_card(self, named: str) -> tuple[int, str]:
        """The first card that was dealt of those in order, and its first holder from the dealer's left."""
        cards = [named] + [rank + suit for rank in RANKS for suit in SUITS if rank + suit != named] + [JOKER]
        for card in cards:
            for seat in self._table.seats_from(self._table.left_of(self.dealer)):
                if card in self._table.hands[seat]:
                    return seat, card
        raise ValueError("no cards were dealt")

    def _role(self, place: int) -> str:
        with_vices = self.players >= 4 and self.rules["vice_roles"]
        if place == 1:
            return "president"
        if place == self.players:
            return "bum"
        if place == 2 and with_vices:
            return "vice president"
        if place == self.players - 1 and with_vices:
            return "vice bum"
        return "neutral"

    def _score(self) -> None:
        for seat, (role, place) in enumerate(zip(self.roles, self._table.places, strict=True)):
            assert place is not None
            self.scores[seat] += {
                "none": 0,
                "places": self.players + 1 - place,
                "opponents_below": self.players - place,
                "president_two": {"president": 2, "vice president": 1}.get(role or "", 0),
                "presidencies": 1 if role == "president" else 0,
            }[self.rules["scoring"]]

    def _is_match_over(self) -> bool:
        rounds, target = self.rules["rounds"], self.rules["target_score"]
        best = max(self.scores)
        played = rounds is not None and self.round >= rounds
        reached = target is not None and best >= target
        tied = self.scores.count(best) >= 2
        return (played or reached) and not (self.rules["tiebreak"] and tied)
