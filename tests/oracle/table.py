"""What lies on the table and in the hands, and which plays the rules allow there."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.oracle.words import JOKER, RANKS, Fields, count_rank, rank_of, take_rank


@dataclass
class Play:
    """Cards laid at once: a rank, a size, and how many of them are wild."""

    seat: int
    rank: str
    size: int
    wild: int = 0
    is_club3_bomb: bool = False
    cards: list[str] = field(default_factory=list)
    order_was_reversed: bool = False  # when it was made

    @property
    def text(self) -> str:
        if self.is_club3_bomb:
            return "3!"
        return self.rank * (self.size - self.wild) + "*" * self.wild


class Table:
    """One round's table. ``rules`` are the rule fields in full."""

    def __init__(self, rules: Fields) -> None:
        self.rules = rules
        self.players: int = rules["players"]
        self.hands: list[list[str]] = [[] for _ in range(self.players)]
        self.trick: list[Play] = []
        self.barred: set[int] = set()
        self.revolution = False
        self.places: list[int | None] = [None] * self.players
        self.opening_card: str | None = None  # the card that the very next play must contain

    # Seats

    def seats_from(self, seat: int) -> list[int]:
        """All seats clockwise, the given one first."""
        return [(seat + step) % self.players for step in range(self.players)]

    def left_of(self, seat: int) -> int:
        return (seat + 1) % self.players

    def is_active(self, seat: int) -> bool:
        """A seat that holds cards and has no place yet in this round."""
        return bool(self.hands[seat]) and self.places[seat] is None

    def active_seats(self) -> list[int]:
        return [seat for seat in range(self.players) if self.is_active(seat)]

    def leader_after(self, seat: int) -> int:
        """The seat itself leads, or, if it has gone out, the next active seat to its left."""
        return next(other for other in self.seats_from(seat) if self.is_active(other))

    # The order of ranks

    @property
    def top(self) -> Play:
        return self.trick[-1]

    @property
    def reversed(self) -> bool:
        """Whether the order that the next play has to follow is turned round, both reversals together."""
        reversing = [play.rank in self.rules["reversing_ranks"] for play in self.trick]
        if self.rules["reversal_lasts"] == "next_play":
            by_rank = bool(reversing) and reversing[-1]
        else:
            by_rank = reversing.count(True) % 2 == 1
        return self.revolution != by_rank

    def order(self, turned: bool) -> list[str]:
        """The ranks of the deck from low to high, without jokers, and without twos where these leave the order."""
        ranks = [rank for rank in RANKS if rank in self.rules["ranks"]]
        if self.rules["burn_twos"]:
            ranks.remove("2")
        return ranks[::-1] if turned else ranks

    def is_higher(self, rank: str, than: str) -> bool:
        """In the order now in force; a joker is above all in any order."""
        order = [*self.order(self.reversed), JOKER]
        return order.index(rank) > order.index(than)

    # Which plays there are

    def possible_plays(self, seat: int) -> list[Play]:
        """Every play that the cards of a seat can make, whatever lies on the table."""
        rules, hand = self.rules, self.hands[seat]
        largest = 4 * rules["decks"]
        jokers = count_rank(hand, JOKER)
        plays = []
        for rank in RANKS:
            wild = jokers if rules["joker"] == "wild" else 0
            if rules["wild_sixes"] and rank != "6":
                wild += count_rank(hand, "6")
            for natural in range(1, count_rank(hand, rank) + 1):
                for spent in range(wild + 1):
                    if natural + spent <= largest:
                        plays.append(Play(seat, rank, natural + spent, spent))
        alone = {"off": 0, "burn": min(jokers, 1), "wild": min(jokers, largest)}[rules["joker"]]
        plays += [Play(seat, JOKER, size) for size in range(1, alone + 1)]
        if rules["club3_bomb"] != "off" and "3C" in hand:
            plays.append(Play(seat, "3", 1, is_club3_bomb=True))
        return plays

    def may_play(self, play: Play) -> bool:
        """Whether the rules let a seat on turn make a play."""
        if self.opening_card is not None and not self.has_opening_card(play):
            return False
        return self.beats(play) if self.trick else self.may_lead(play)

    def has_opening_card(self, play: Play) -> bool:
        """Played as a natural card: a wild six is none; `3!` is the 3 of clubs and no other three."""
        if play.is_club3_bomb:
            return self.opening_card == "3C"
        return self.opening_card is not None and play.rank == rank_of(self.opening_card)

    def may_lead(self, play: Play) -> bool:
        """Anything may be led, but twos that burn are natural cards."""
        return not (self.is_burning_two(play) and play.wild)

    def beats(self, play: Play) -> bool:
        """Whether a play may be made on the trick that lies there."""
        if play.is_club3_bomb or self.is_burning_joker(play) or self.is_bomb(play) or self.fills_quartet(play):
            return True
        if self.is_burning_two(play):
            return not play.wild and play.size == max(1, self.top.size - 1)
        if play.size != self.top.size:
            return False
        if play.rank == self.top.rank:
            return bool(self.rules["equal_rank"] != "illegal")
        return self.is_higher(play.rank, self.top.rank)

    def is_burning_two(self, play: Play) -> bool:
        return bool(self.rules["burn_twos"]) and play.rank == "2"

    def is_burning_joker(self, play: Play) -> bool:
        return bool(self.rules["joker"] == "burn") and play.rank == JOKER

    def is_bomb(self, play: Play) -> bool:
        """Four or more of one rank in one play, on a trick; on an empty table it is an ordinary lead."""
        return bool(self.rules["bombs"]) and bool(self.trick) and play.size >= 4

    def is_equal(self, play: Play) -> bool:
        """A play of the same rank and size as the top play."""
        return bool(self.trick) and (play.rank, play.size) == (self.top.rank, self.top.size)

    def in_trick(self, rank: str) -> int:
        """The cards of a rank in the trick, wild cards counted as what they were played as."""
        return sum(play.size for play in self.trick if play.rank == rank)

    def fills_quartet(self, play: Play) -> bool:
        """Exactly the natural cards missing to four of a rank that has one to three cards in the trick."""
        if self.rules["quartet"] == "off" or play.rank == JOKER or play.wild or play.is_club3_bomb:
            return False
        return 1 <= self.in_trick(play.rank) <= 3 and self.in_trick(play.rank) + play.size == 4

    def plays_on_turn(self, seat: int) -> list[Play]:
        return [play for play in self.possible_plays(seat) if self.may_play(play)]

    def plays_out_of_turn(self, seat: int) -> list[Play]:
        """The quartets and 3-of-clubs bombs that a seat could make now although another is on turn."""
        plays = []
        for play in self.possible_plays(seat):
            rule = "club3_bomb" if play.is_club3_bomb else "quartet" if self.fills_quartet(play) else None
            if rule is not None and self.rules[rule] == "any_time":
                plays.append(play)
        return plays

    # What a play does at once

    def burns(self, play: Play) -> set[str]:
        """The rules by which a play that is about to be laid clears the trick."""
        rules = set()
        if play.rank in self.rules["clearing_ranks"]:
            rules.add("clearing rank")
        if self.is_burning_two(play):
            rules.add("twos")
        if self.is_burning_joker(play):
            rules.add("joker")
        if self.is_bomb(play):
            rules.add("bomb")
        if play.is_club3_bomb:
            rules.add("3 of clubs")
        if self.rules["equal_rank"] == "burn" and self.is_equal(play):
            rules.add("equal rank")
        if self.rules["quartet"] != "off" and self.in_trick(play.rank) + play.size >= 4:
            rules.add("quartet")
        return rules

    def lay(self, play: Play) -> None:
        """Move the cards from the hand to the trick, and turn the order if they are four or more."""
        hand = self.hands[play.seat]
        if play.is_club3_bomb:
            named = "3C"
        else:
            named = self.opening_card or ""  # a forced card goes first, whatever the order of suits says
        natural = play.size - play.wild
        if named:
            hand.remove(named)
            play.cards.append(named)
            natural -= 1
        play.cards += [take_rank(hand, play.rank) for _ in range(natural)]
        for _ in range(play.wild):  # sixes are spent before jokers
            six_is_wild = self.rules["wild_sixes"] and play.rank != "6" and count_rank(hand, "6")
            play.cards.append(take_rank(hand, "6" if six_is_wild else JOKER))
        self.opening_card = None
        play.order_was_reversed = self.reversed
        self.trick.append(play)
        if self.rules["revolution"] and play.size >= 4:
            self.revolution = not self.revolution

    def completes_run(self) -> bool:
        """Whether the last three plays of the trick each stand one rank above the one before."""
        if not self.rules["run_drop"] or len(self.trick) < 3:
            return False
        for lower, upper in zip(self.trick[-3:-1], self.trick[-2:], strict=True):
            order = self.order(upper.order_was_reversed)
            if lower.rank == JOKER or upper.rank == JOKER or order.index(upper.rank) != order.index(lower.rank) + 1:
                return False
        return True

    def clear(self) -> None:
        """The trick is put away, and those who passed are in again."""
        self.trick = []
        self.barred = set()

    def go_out(self, seat: int, worst: bool) -> None:
        """Give a seat whose hand is empty the best free place, or the worst."""
        free = [place for place in range(1, self.players + 1) if place not in self.places]
        self.places[seat] = free[-1] if worst else free[0]

    def is_round_over(self) -> bool:
        """Where one seat is left alone it takes the place that is left, the table is cleared, the order is normal."""
        active = self.active_seats()
        if len(active) > 1:
            return False
        for seat in active:
            self.go_out(seat, worst=False)
        self.clear()
        self.revolution = False
        return True
