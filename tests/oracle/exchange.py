"""What happens between the deal and the first lead of a later round: the exchange and the trade in the middle."""

from __future__ import annotations

from tests.oracle.table import Table
from tests.oracle.words import RANKS, SUITS, Question, Talk, deck, place_in_hand, rank_of, ranks_held, take_rank


def exchange(table: Table, roles: list[str], places: list[int]) -> Talk:
    """The whole exchange, by the roles and places of the round before."""
    rules = table.rules
    pairs = [("bum", "president", rules["exchange_cards"][0])]
    if "vice bum" in roles:
        pairs.append(("vice bum", "vice president", rules["exchange_cards"][1]))
    taken = []
    for giver, taker, owed in pairs:
        hand_over = Handover(table, roles.index(giver), roles.index(taker), owed)
        yield from hand_over.talk()
        taken.append(hand_over)
    for hand_over in taken:
        yield from hand_over.talk_of_return()
    if rules["middle_trade"]:
        neutral = [places.index(place) for place in sorted(places) if roles[places.index(place)] == "neutral"]
        while len(neutral) >= 2:
            yield from trade(table, better=neutral.pop(0), worse=neutral.pop())


def give(giver: list[str], taker: list[str], rank: str) -> None:
    taker.append(take_rank(giver, rank))


def gifts(hand: list[str]) -> list[str]:
    return [f"give {rank}" for rank in ranks_held(hand)]


class Handover:
    """The cards that one seat owes another, and those that come back for them."""

    def __init__(self, table: Table, giver: int, taker: int, owed: int) -> None:
        self.rules = table.rules
        self.giver = giver
        self.taker = taker
        self.giving = table.hands[giver]
        self.taking = table.hands[taker]
        # a giver keeps a card: who holds no more than it owes, owes all but one
        self.owed = owed if len(self.giving) > owed else len(self.giving) - 1
        self.taken = 0

    def talk(self) -> Talk:
        if self.rules["exchange"] == "ask":
            yield from self.asks()
            return
        for _ in range(self.owed):
            if self.rules["exchange"] == "best":
                highest = rank_of(max(self.giving, key=place_in_hand))
                give(self.giving, self.taking, highest)
            else:
                answer = yield Question("exchange", self.giver, gifts(self.giving))
                give(self.giving, self.taking, answer.removeprefix("give "))
            self.taken += 1

    def asks(self) -> Talk:
        """The taker names cards, as many as are owed, or stops; a miss uses up a question."""
        asked: set[str] = set()
        for _ in range(self.owed):
            answer = yield Question("exchange", self.taker, [*self.questions(asked), "stop"])
            if answer == "stop":
                return
            card = answer.removeprefix("ask ")
            asked.add(card)
            if card in self.giving:
                self.giving.remove(card)
                self.taking.append(card)
                self.taken += 1

    def questions(self, asked: set[str]) -> list[str]:
        """Every card of the deck, dealt or not, but those asked for before or of which the asker holds every copy."""
        copies = deck(self.rules)
        named = [rank + suit for rank in RANKS for suit in SUITS] + ["*"]
        return [
            f"ask {card}"
            for card in named
            if card in copies and card not in asked and self.taking.count(card) < copies.count(card)
        ]

    def talk_of_return(self) -> Talk:
        """The taker gives back as many as it took, of all it holds."""
        if self.rules["exchange_return"] == "none":
            return
        for _ in range(self.taken):
            if self.rules["exchange_return"] == "lowest":
                lowest = rank_of(min(self.taking, key=place_in_hand))
                give(self.taking, self.giving, lowest)
            else:
                answer = yield Question("exchange", self.taker, gifts(self.taking))
                give(self.taking, self.giving, answer.removeprefix("give "))


def trade(table: Table, better: int, worse: int) -> Talk:
    """Two neutral seats swap a card, at once or when both accept; the offered cards stay in hand until then."""
    haggles: int = table.rules["haggle_rounds"]
    for _ in range(max(1, haggles)):
        offers = {}
        for seat in (better, worse):
            answer = yield Question("trade", seat, gifts(table.hands[seat]))
            offers[seat] = answer.removeprefix("give ")
        if haggles:
            accepted = True
            for seat in (better, worse):
                if accepted:  # a reject by the better place ends the offer, the worse is not asked
                    accepted = (yield Question("trade", seat, ["accept", "reject"])) == "accept"
            if not accepted:
                continue
        from_better = take_rank(table.hands[better], offers[better])
        from_worse = take_rank(table.hands[worse], offers[worse])
        table.hands[better].append(from_worse)
        table.hands[worse].append(from_better)
        return
