"""Rules that are refused, and what the error says: the fields, what was given, and what would be accepted."""

import re

import pytest

from president_env.cards import RANKS
from president_env.presets import PRESETS
from president_env.rules import Rules


def refusal(preset=None, **overrides):
    """What the error says that these rules raise."""
    with pytest.raises(ValueError) as error:
        Rules.preset(preset, **overrides) if preset else Rules(**overrides)
    assert len(str(error.value)) < 420
    return str(error.value)


def test_an_unknown_preset_is_refused_with_the_choices():
    told = refusal("quebek")
    assert "'quebek'" in told
    assert "did you mean 'quebec'" in told
    assert all(name in told for name in PRESETS)
    with pytest.raises(ValueError, match="unknown preset"):
        Rules.preset_players("bridge")


# Values that are refused

WRONG_VALUES = [
    ({"players": 1}, "2 to 8"),
    ({"players": 9}, "2 to 8"),
    ({"players": True}, "2 to 8"),
    ({"players": "4"}, "2 to 8"),
    ({"players": 4.0}, "2 to 8"),
    ({"players": None}, "2 to 8"),
    ({"decks": 3}, "1, 2 or 'auto'"),
    ({"decks": True}, "1, 2 or 'auto'"),
    ({"decks": "Auto"}, "did you mean 'auto'"),
    ({"jokers": -1}, "0 to 4"),
    ({"jokers": 5}, "0 to 4"),
    ({"suits": 0}, "1 to 4"),
    ({"suits": 5}, "1 to 4"),
    ({"ranks": ""}, RANKS),
    ({"ranks": None}, RANKS),
    ({"ranks": "3345"}, "rank '3' is named twice"),
    ({"ranks": "345X"}, "unknown rank 'X'"),
    ({"ranks": ["9", "10"]}, "write T for ten"),
    ({"deal": "most"}, "'all' or 'equal'"),
    ({"dealer": 4}, "0 to 3"),
    ({"dealer": -1}, "0 to players - 1"),
    ({"dealer": False}, "0 to players - 1"),
    ({"first_leader": 4}, "0 to 3"),
    ({"first_leader": -1}, "0 to players - 1"),
    ({"first_leader": True}, "'left_of_dealer'"),
    ({"first_leader": "3c"}, "did you mean '3C'"),
    ({"first_leader": "left_of_the_dealer"}, "did you mean 'left_of_dealer'"),
    ({"opening_card_forced": 1}, "False or True"),
    ({"next_leader": "last"}, "'bum', 'president', 'opening' or 'auto'"),
    ({"passing": "hard"}, "'soft' or 'strict'"),
    ({"passing": "strikt"}, "did you mean 'strict'"),
    ({"passing": None}, "'soft' or 'strict'"),
    ({"equal_rank": "burns"}, "did you mean 'burn'"),
    ({"equal_rank": False}, "'illegal', 'legal', 'skip' or 'burn'"),
    ({"revolution": "yes"}, "False or True"),
    ({"revolution": None}, "False or True"),
    ({"reversing_ranks": ["*"]}, "unknown rank '*'"),
    ({"reversing_ranks": ["8", "8"]}, "rank '8' is named twice"),
    ({"reversing_ranks": True}, "a list of ranks"),
    ({"reversing_ranks": "10"}, "write T for ten"),
    ({"reversal_lasts": "round"}, "'next_play' or 'trick'"),
    ({"clearing_ranks": [2.0]}, "unknown rank '2.0'"),
    ({"joker": True}, "'off', 'burn' or 'wild'"),
    ({"joker": "Wild"}, "did you mean 'wild'"),
    ({"quartet": "on turn"}, "did you mean 'on_turn'"),
    ({"club3_bomb": "always"}, "'off', 'on_turn' or 'any_time'"),
    ({"exchange": "worst"}, "'off', 'best', 'any' or 'ask'"),
    ({"exchange_return": False}, "'choice', 'lowest' or 'none'"),
    ({"exchange_cards": 2}, "two numbers"),
    ({"exchange_cards": (2,)}, "two numbers"),
    ({"exchange_cards": (0, 1)}, "two numbers from 1"),
    ({"exchange_cards": (2, 0)}, "two numbers from 1"),
    ({"exchange_cards": (2, True)}, "two numbers"),
    ({"exchange_cards": "21"}, "two numbers"),
    ({"haggle_rounds": -1}, "0 to"),
    ({"rounds": 0}, "1 to"),
    ({"rounds": 2.5}, "1 to"),
    ({"target_score": 0, "scoring": "places"}, "1 to"),
    ({"scoring": "points"}, "'places', 'opponents_below', 'president_two', 'presidencies' or 'none'"),
    ({"scoring": None}, "did you mean 'none'"),
]


@pytest.mark.parametrize(("overrides", "accepted"), WRONG_VALUES, ids=lambda value: str(value))
def test_a_wrong_value_is_refused_with_field_value_and_choices(overrides, accepted):
    told = refusal(**overrides)
    field, value = next(iter(overrides.items()))
    assert told.startswith(f"{field}: ")
    assert accepted in told
    assert repr(value) in told or str(value) in told


def test_an_unknown_field_is_refused_with_the_one_that_was_meant():
    assert "unknown field 'equal_rnk' (did you mean 'equal_rank'?)" in refusal(equal_rnk="skip")
    assert "did you mean 'scoring'" in refusal("quebec", scorin="none")
    assert "the fields are players, decks" in refusal_of_dict({"xyzzy": 1})
    assert "did you mean 'rounds'" in refusal_of_dict({"preset": "quebec", "round": 2})


def refusal_of_dict(values):
    with pytest.raises(ValueError) as error:
        Rules.from_dict(values)
    return str(error.value)


def test_rules_take_no_positional_fields():
    with pytest.raises(TypeError, match=r"Rules\.preset"):
        Rules("quebec")  # type: ignore[call-arg, arg-type]


# Rules that contradict each other

CONTRADICTIONS = [
    ("quebec", {"burn_twos": True}, "burn_twos clearing_ranks"),
    ("house", {"clearing_ranks": "2"}, "burn_twos clearing_ranks"),
    ("basic", {"jokers": 2}, "jokers joker 'burn' 'wild'"),
    ("basic", {"joker": "wild"}, "jokers joker 'off'"),
    ("house", {"jokers": 0}, "jokers joker 'off'"),
    ("norwegian", {"club3_bomb": "on_turn"}, "club3_bomb first_leader '3C' 'left_of_dealer'"),
    ("basic", {"club3_bomb": "any_time", "first_leader": "3C"}, "club3_bomb first_leader"),
    ("basic", {"tiebreak": True}, "tiebreak scoring 'places' 'presidencies'"),
    ("quebec", {"scoring": "none"}, "tiebreak scoring"),
    ("basic", {"target_score": 5}, "target_score scoring"),
    ("norwegian", {"scoring": "none"}, "target_score scoring"),
    ("basic", {"rounds": None}, "rounds target_score"),
    ("norwegian", {"target_score": None}, "rounds target_score"),
    ("quebec", {"exchange_cards": (13, 1)}, "exchange_cards 13 exchange '1 to 12'"),
    ("quebec", {"exchange_cards": (1, 13)}, "exchange_cards 13 exchange"),
    ("basic", {"exchange": "any", "ranks": "34"}, "exchange_cards exchange"),
    ("basic", {"exchange": "any", "ranks": "3", "exchange_cards": (1, 1)}, "exchange_cards 'a larger deck'"),
    ("basic", {"middle_trade": True, "players": 6}, "middle_trade exchange 'best'"),
    ("basic", {"haggle_rounds": 2}, "haggle_rounds middle_trade"),
    ("norwegian", {"haggle_rounds": 1}, "haggle_rounds middle_trade"),
    ("basic", {"players": 5, "ranks": "3", "suits": 4}, "players ranks suits decks jokers"),
    ("basic", {"reversing_ranks": ["8"], "ranks": "3456"}, "reversing_ranks ranks '8'"),
    ("quebec", {"ranks": "3456789"}, "clearing_ranks ranks '2'"),
    ("basic", {"burn_twos": True, "ranks": "3456789"}, "burn_twos ranks '2'"),
    ("basic", {"wild_sixes": True, "ranks": "345"}, "wild_sixes ranks '6'"),
    ("basic", {"club3_bomb": "on_turn", "ranks": "456"}, "club3_bomb ranks '3'"),
    ("basic", {"club3_finish_last": True, "ranks": "456"}, "club3_finish_last ranks '3'"),
    ("basic", {"opening_card_forced": True}, "opening_card_forced first_leader '3C' '3S'"),
    ("butt", {"first_leader": "left_of_dealer"}, "opening_card_forced first_leader"),
    ("quebec", {"first_leader": 4}, "first_leader players 0 3"),
    ("basic", {"players": 8, "dealer": 8}, "dealer players 0 7"),
]


@pytest.mark.parametrize(("preset", "overrides", "named"), CONTRADICTIONS, ids=lambda value: str(value))
def test_rules_that_contradict_each_other_are_refused_by_name(preset, overrides, named):
    told = refusal(preset, **overrides)
    for word in re.findall(r"'[^']*'|\S+", named):
        word = word.strip("'") if " " in word else word
        assert re.search(rf"(?<!\w){re.escape(word)}(?!\w)", told), f"{word} is not in: {told}"


@pytest.mark.parametrize(
    "overrides",
    [
        {"equal_burn_finish_last": True},
        {"burn_finish_last": True},
        {"reversal_lasts": "trick"},
        {"exchange": "best"},
        {"exchange": "any", "middle_trade": True, "haggle_rounds": 3},
        {"exchange_cards": (40, 1)},
        {"players": 3, "exchange": "best", "exchange_cards": (2, 40)},
        {"players": 3, "vice_roles": True},
        {"next_leader": "bum"},
        {"ranks": "34"},
        {"ranks": "45", "first_leader": "3C", "opening_card_forced": True},
        {"suits": 3, "first_leader": "3S"},
        {"wild_sixes": True, "ranks": "6"},
        {"players": 2, "suits": 1, "ranks": "34"},
    ],
    ids=str,
)
def test_an_option_that_cannot_take_effect_is_not_refused(overrides):
    rules = Rules(**overrides)
    assert rules.replace() == rules
