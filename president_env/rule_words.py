"""Sentences that a field of the rules comes to where they depend on more than its own value.

Each function returns the sentence, "" where there is nothing to say, or None where the field's value says it all.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from president_env.cards import NUM_SUITS, RANKS

if TYPE_CHECKING:
    from president_env.rules import Rules

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_RANK_NAMES = dict(zip("TJQKA", ("10", "jack", "queen", "king", "ace"), strict=True))
_SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")


def count(number: int, noun: str) -> str:
    """A number of things in words: "two cards"."""
    word = _NUMBERS[number] if number < len(_NUMBERS) else str(number)
    return f"{word} {noun}" if number == 1 else f"{word} {noun}s"


def listed(words: Sequence[str], last: str = "and") -> str:
    """The words with commas, and a word before the last one."""
    return f" {last} ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def one_of(ranks: Sequence[str]) -> str:
    """Ranks as the cards of which one is played: "a 5, an 8 or an ace"."""
    names = [_RANK_NAMES.get(rank, rank) for rank in ranks]
    return listed([f"{'an' if name in ('8', 'ace') else 'a'} {name}" for name in names], "or")


def players(rules: "Rules") -> str:
    jokers = f", {count(rules.jokers, 'joker')} among them" if rules.jokers else ""
    return f"{count(rules.players, 'player').capitalize()} share {rules.num_cards} cards{jokers}."


def decks(rules: "Rules") -> str:
    return "Two decks are shuffled together." if rules.num_decks == 2 else ""


def ranks(rules: "Rules") -> str:
    return "" if rules.ranks == RANKS else f"The deck has no other ranks than {' '.join(rules.ranks)}."


def suits(rules: "Rules") -> str:
    if rules.suits == NUM_SUITS:
        return ""
    return f"Each rank has {count(rules.suits, 'suit')}: {listed(_SUIT_NAMES[: rules.suits])}."


def dealer(rules: "Rules") -> str:
    later = "; later the bum deals" if rules.has_later_rounds else ""
    return f"{'Chance decides who' if rules.dealer is None else f'Seat {rules.dealer}'} deals the first round{later}."


def first_leader(rules: "Rules") -> str | None:
    return f"Seat {rules.first_leader} leads the first round." if isinstance(rules.first_leader, int) else None


def reversing_ranks(rules: "Rules") -> str:
    if not rules.reversing_ranks:
        return ""
    back = ", and back to normal during a revolution" if rules.revolution else ""
    return f"A play of {one_of(rules.reversing_ranks)} turns the order of the ranks round{back}."


def clearing_ranks(rules: "Rules") -> str:
    if not rules.clearing_ranks:
        return ""
    turns = rules.revolution or rules.reversing_ranks
    beats = ", but in a turned order it must beat the top play as any other does" if turns else ""
    return f"A play of {one_of(rules.clearing_ranks)} clears the table at once, and its player leads again{beats}."


def roles(rules: "Rules") -> str:
    vice = "the second vice president, the last but one vice bum and " if rules.has_vice_roles else ""
    neutral = rules.players - (4 if rules.has_vice_roles else 2)
    between = f", with {count(neutral, 'neutral seat')} between" if neutral else ""
    return f"The first seat out is president, {vice or 'and '}the last one bum{between}."


def exchange_cards(rules: "Rules") -> str:
    bum, vice = (count(number, "card") for number in rules.exchange_cards)
    second = f", the vice bum owes the vice president {vice}" if rules.has_vice_roles else ""
    return f"The bum owes the president {bum}{second}; a giver always keeps a card."


def haggle_rounds(rules: "Rules") -> str:
    if not rules.haggle_rounds:
        return "They swap without a word."
    return (
        "Both see the two ranks on offer and say yes or no, the better place first; a no brings new offers, and after "
        f"{count(rules.haggle_rounds, 'offer')} without two yeses nothing is swapped."
    )


def rounds(rules: "Rules") -> str:
    return "" if rules.rounds is None else f"The match is {count(rules.rounds, 'round')} long."


def target_score(rules: "Rules") -> str:
    if rules.target_score is None:
        return ""
    start = "The match ends" if rules.rounds is None else "It ends sooner"
    return f"{start} when a seat has {count(rules.target_score, 'point')} after a round."
