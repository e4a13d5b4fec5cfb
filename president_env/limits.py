"""How large the tables may be that one universal action space and observation serve."""

from dataclasses import dataclass

from president_env.cards import MAX_JOKERS, NUM_SUITS, RANKS
from president_env.rules import Rules


@dataclass(frozen=True)
class Limits:
    """Any rules with at most so many players, decks and jokers share one move table and one observation layout.

    Then the rules themselves are a block of the observation, so that one policy can learn many tables.
    """

    players: int = 8
    decks: int = 2
    jokers: int = MAX_JOKERS

    def __post_init__(self) -> None:
        for name, low, high in (("players", 2, 8), ("decks", 1, 2), ("jokers", 0, MAX_JOKERS)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
                raise ValueError(f"limits: {name} is {value!r}; wanted is a whole number from {low} to {high}")

    def check(self, rules: Rules) -> None:
        """ValueError if the rules do not fit, naming the fields."""
        wanted = {"players": rules.players, "decks": rules.num_decks, "jokers": rules.jokers}
        over = [f"{name} {value} (at most {getattr(self, name)})" for name, value in wanted.items()]
        over = [text for text, name in zip(over, wanted, strict=True) if wanted[name] > getattr(self, name)]
        if over:
            raise ValueError(f"rules outside the limits of the universal table: {', '.join(over)}")

    @property
    def copies(self) -> int:
        """The most cards of a natural rank in the deck."""
        return NUM_SUITS * self.decks

    @property
    def num_cards(self) -> int:
        """The most cards in the deck."""
        return len(RANKS) * self.copies + self.jokers
