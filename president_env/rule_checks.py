"""Combinations of rules that contradict each other, refused when the rules are made."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from president_env.rules import Rules

OPENING_CARDS = ("3C", "3S")


def check_rules(rules: "Rules") -> None:
    """Raise ValueError, naming the fields and what would be accepted, if two rules contradict each other."""
    _check_seats(rules)
    _check_deck(rules)
    _check_ranks(rules)
    _check_plays(rules)
    _check_exchange(rules)
    _check_match(rules)


def _check_seats(rules: "Rules") -> None:
    for name in ("first_leader", "dealer"):
        seat = getattr(rules, name)
        if isinstance(seat, int) and seat >= rules.players:
            raise ValueError(
                f"{name}: no seat {seat} at a table of players {rules.players}; give a seat from 0 to "
                f"{rules.players - 1}, or more players"
            )


def _check_deck(rules: "Rules") -> None:
    if rules.num_cards < rules.players:
        raise ValueError(
            f"players {rules.players} are more than the {rules.num_cards} cards of ranks {rules.ranks!r}, suits "
            f"{rules.suits}, decks {rules.decks!r}, jokers {rules.jokers}; every seat needs a card"
        )
    if rules.jokers and rules.joker == "off":
        raise ValueError(
            f"jokers {rules.jokers} without a rule for them: joker is 'off'; give joker 'burn' or 'wild', or jokers 0"
        )
    if rules.joker != "off" and not rules.jokers:
        raise ValueError(f"joker {rules.joker!r} without jokers in the deck; give jokers 1 to 4, or joker 'off'")


def _check_ranks(rules: "Rules") -> None:
    """A rule that names a rank needs it in the deck; the opening card does not, the next card stands in for it."""
    named = {"reversing_ranks": rules.reversing_ranks, "clearing_ranks": rules.clearing_ranks}
    named["burn_twos"] = ("2",) if rules.burn_twos else ()
    named["wild_sixes"] = ("6",) if rules.wild_sixes else ()
    named["club3_bomb"] = ("3",) if rules.club3_bomb != "off" else ()
    named["club3_finish_last"] = ("3",) if rules.club3_finish_last else ()
    for name, ranks in named.items():
        missing = [rank for rank in ranks if rank not in rules.ranks]
        if missing:
            raise ValueError(
                f"{name} needs rank {missing[0]!r}, which ranks {rules.ranks!r} leave out; give ranks with "
                f"{missing[0]!r}, or leave {name} out"
            )


def _check_plays(rules: "Rules") -> None:
    if rules.burn_twos and "2" in rules.clearing_ranks:
        raise ValueError(
            "burn_twos takes the twos out of the order, so clearing_ranks cannot name '2'; give burn_twos False, "
            "or clearing_ranks without '2'"
        )
    if rules.club3_bomb != "off" and rules.first_leader == "3C":
        raise ValueError(
            f"club3_bomb {rules.club3_bomb!r} and first_leader '3C' exclude each other: the bomb does not open; "
            "give first_leader '3S', 'left_of_dealer' or a seat, or club3_bomb 'off'"
        )
    if rules.opening_card_forced and rules.first_leader not in OPENING_CARDS:
        raise ValueError(
            f"opening_card_forced needs a first_leader that names a card, not {rules.first_leader!r}; give "
            "first_leader '3C' or '3S', or opening_card_forced False"
        )


def _check_exchange(rules: "Rules") -> None:
    owed = max(rules.exchange_cards) if rules.has_vice_roles else rules.exchange_cards[0]
    if rules.exchange != "off" and owed >= rules.smallest_hand:
        most = rules.smallest_hand - 1
        accepted = f"give 1 to {most}, or a larger deck" if most >= 1 else "give a larger deck"
        raise ValueError(
            f"exchange_cards {list(rules.exchange_cards)}: a giver keeps a card, and the smallest hand is "
            f"{rules.smallest_hand}; {accepted}, or exchange 'off'"
        )
    if rules.middle_trade and rules.exchange == "off":
        raise ValueError(
            "middle_trade comes after an exchange, but exchange is 'off'; give exchange 'best', 'any' or 'ask', "
            "or middle_trade False"
        )
    if rules.haggle_rounds and not rules.middle_trade:
        raise ValueError(
            f"haggle_rounds {rules.haggle_rounds} without a trade to haggle over; give middle_trade True, or "
            "haggle_rounds 0"
        )


def _check_match(rules: "Rules") -> None:
    if rules.rounds is None and rules.target_score is None:
        raise ValueError("a match needs an end: give rounds, or target_score with a scoring, or both")
    for name in ("target_score", "tiebreak"):
        value = getattr(rules, name)
        if value and rules.scoring == "none":
            raise ValueError(
                f"{name} {value} without a score: scoring is 'none'; give scoring 'places', 'opponents_below', "
                f"'president_two' or 'presidencies', or {name} {None if name == 'target_score' else False}"
            )
