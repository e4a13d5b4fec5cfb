"""Rules: fields, presets, and the rules in plain words."""

import copy
import json
import pickle
import re
from dataclasses import FrozenInstanceError, fields
from pathlib import Path

import numpy as np
import pytest

from president_env.cards import RANKS
from president_env.presets import PRESETS
from president_env.rule_fields import FAMILIES
from president_env.rules import Rules

CONFIGS = Path(__file__).parents[1] / "configs" / "rules"


# Fields


def test_without_a_preset_every_option_is_off():
    rules = Rules()
    assert rules == Rules.preset("basic")
    assert (rules.players, rules.decks, rules.jokers, rules.suits, rules.ranks) == (4, 1, 0, 4, RANKS)
    assert (rules.first_leader, rules.passing, rules.equal_rank, rules.exchange) == (0, "soft", "illegal", "off")
    assert (rules.exchange_cards, rules.rounds, rules.target_score, rules.scoring) == ((2, 1), 1, None, "none")
    flags = [name for name, doc in Rules.field_docs().items() if isinstance(doc.default, bool)]
    assert [name for name in flags if getattr(rules, name)] == ["vice_roles"]


def test_lists_become_tuples_and_ranks_stand_in_normal_order():
    rules = Rules.preset(
        "basic", ranks=["2", "8", "3", "A"], clearing_ranks={"A"}, reversing_ranks="28", exchange_cards=[3, 2]
    )
    assert rules.ranks == "38A2"
    assert rules.clearing_ranks == ("A",)
    assert rules.reversing_ranks == ("8", "2")
    assert rules.exchange_cards == (3, 2)


@pytest.mark.parametrize("nothing", [None, False, "off"])
def test_none_and_false_are_off(nothing):
    rules = Rules(joker=nothing, quartet=nothing, club3_bomb=nothing, exchange=nothing)
    assert (rules.joker, rules.quartet, rules.club3_bomb, rules.exchange) == ("off", "off", "off", "off")


@pytest.mark.parametrize("nothing", [None, False, "", [], ()])
def test_no_ranks_at_all_is_written_in_many_ways(nothing):
    assert Rules(clearing_ranks=nothing, reversing_ranks=nothing) == Rules()


def test_numpy_numbers_become_plain_ones():
    rules = Rules.preset(
        "basic", players=np.int64(5), decks=np.uint8(2), bombs=np.bool_(True), exchange_cards=np.array([1, 1])
    )
    assert rules == Rules(players=5, decks=2, bombs=True, exchange_cards=(1, 1))
    assert json.dumps(rules.to_dict())
    assert [type(value) for value in (rules.players, rules.decks, rules.bombs)] == [int, int, bool]


def test_auto_takes_a_second_deck_at_seven_players():
    assert [Rules(players=players, decks="auto").num_decks for players in (2, 6, 7, 8)] == [1, 1, 2, 2]
    assert Rules(players=7, decks=1).num_decks == 1


def test_sizes_of_deck_and_hands():
    rules = Rules(players=5, ranks="3456", suits=3, decks=2, jokers=1, joker="wild")
    assert (rules.num_cards, rules.smallest_hand) == (25, 5)
    assert Rules(players=3).smallest_hand == 17
    assert Rules(ranks="36A").rank_indices == (0, 3, 11)


def test_vice_roles_are_there_from_four_players_on():
    assert [Rules(players=players).has_vice_roles for players in (2, 3, 4, 8)] == [False, False, True, True]
    assert not Rules(players=6, vice_roles=False).has_vice_roles


def test_who_leads_later_rounds_is_the_bum_after_an_exchange():
    assert Rules(rounds=2).later_leader == "opening"
    assert Rules(rounds=2, exchange="best").later_leader == "bum"
    assert Rules(rounds=2, exchange="best", next_leader="president").later_leader == "president"


def test_rules_are_values():
    rules = Rules.preset("quebec")
    assert rules == Rules.preset("quebec")
    assert hash(rules) == hash(Rules.preset("quebec"))
    assert rules != Rules.preset("quebec", rounds=4)
    assert pickle.loads(pickle.dumps(rules)) == copy.deepcopy(rules) == rules
    with pytest.raises(FrozenInstanceError):
        rules.players = 5  # type: ignore[misc]


def test_the_repr_names_what_differs_from_the_defaults():
    rules = Rules(players=5, clearing_ranks=("2",))
    assert repr(rules) == "Rules(players=5, clearing_ranks=('2',))"
    assert all(eval(repr(Rules.preset(name))) == Rules.preset(name) for name in Rules.presets())


def test_replace_changes_fields_and_checks_again():
    rules = Rules.preset("quebec")
    assert rules.replace(rounds=5) == Rules.preset("quebec", rounds=5)
    assert rules.rounds == 3
    with pytest.raises(ValueError, match="burn_twos"):
        rules.replace(burn_twos=True)
    with pytest.raises(ValueError, match="did you mean 'rounds'"):
        rules.replace(round=2)


# Presets

PRESET_FIELDS = {
    "basic": {},
    "house": {
        "burn_twos": True,
        "joker": "burn",
        "jokers": 2,
        "bombs": True,
        "equal_rank": "burn",
        "burn_finish_last": True,
        "equal_burn_finish_last": True,
        "run_drop": True,
        "first_leader": "3S",
        "rounds": 3,
        "exchange": "best",
    },
    "butt": {
        "first_leader": "3C",
        "opening_card_forced": True,
        "next_leader": "opening",
        "equal_rank": "skip",
        "clearing_ranks": ("2",),
        "quartet": "any_time",
        "exchange": "ask",
        "rounds": 3,
    },
    "prezident": {"revolution": True, "passing": "strict", "scoring": "places", "exchange": "best"},
    "quebec": {
        "first_leader": "3C",
        "clearing_ranks": ("2",),
        "exchange": "best",
        "scoring": "opponents_below",
        "tiebreak": True,
        "next_leader": "bum",
        "rounds": 3,
    },
    "norwegian": {
        "decks": "auto",
        "first_leader": "3C",
        "next_leader": "bum",
        "exchange": "best",
        "scoring": "president_two",
        "target_score": 11,
        "rounds": None,
    },
}
PRESET_PLAYERS = {
    "basic": (3, 8),
    "house": (3, 8),
    "butt": (3, 8),
    "prezident": (3, 6),
    "quebec": (4, 6),
    "norwegian": (3, 8),
}


def test_the_presets_are_as_published():
    assert Rules.presets() == tuple(PRESET_FIELDS)
    assert {name: Rules.preset_players(name) for name in Rules.presets()} == PRESET_PLAYERS


@pytest.mark.parametrize("name", PRESET_FIELDS)
def test_a_preset_differs_from_the_defaults_in_its_own_rules_alone(name):
    defaults, values = Rules().to_dict(), Rules.preset(name).to_dict()
    differing = {field: getattr(Rules.preset(name), field) for field in values if values[field] != defaults[field]}
    assert differing == PRESET_FIELDS[name]


@pytest.mark.parametrize("name", PRESET_PLAYERS)
def test_a_preset_takes_its_own_range_of_players(name):
    fewest, most = PRESET_PLAYERS[name]
    for players in range(2, 9):
        if fewest <= players <= most:
            assert Rules.preset(name, players=players).players == players
        else:
            with pytest.raises(ValueError, match=f"players: .*{fewest} to {most}"):
                Rules.preset(name, players=players)


def test_a_preset_takes_overrides_by_field_name():
    assert Rules.preset("basic", exchange="best", rounds=3) == Rules(exchange="best", rounds=3)
    assert Rules.preset("prezident", revolution=False).revolution is False
    assert Rules.preset("norwegian", ranks="6789TJQKA2").first_leader == "3C"


@pytest.mark.parametrize("name", PRESET_FIELDS)
def test_every_option_that_a_preset_lists_is_accepted(name):
    for overrides in PRESETS[name].variations.values():
        assert Rules.preset(name, **overrides) != Rules.preset(name)


# Plain words


@pytest.mark.parametrize("name", PRESET_FIELDS)
def test_a_description_is_sentences_under_headings(name):
    lines = Rules.preset(name).describe().splitlines()
    headings = [line for line in lines if not line.startswith("- ")]
    assert headings[0] == "The table"
    assert headings == [title for title in FAMILIES.values() if title in headings]
    assert all(re.fullmatch(r"- [A-Z].*[^.\s]\.", line) for line in lines if line not in headings)


def test_a_description_says_the_rules_in_force_and_no_others():
    told = Rules.preset("butt", players=5).describe()
    assert "Five players share 52 cards." in told
    assert "with one neutral seat between" in told
    assert "A play of a 2 clears the table" in told
    assert "skip" not in told  # the words of the table, not the values of the fields
    assert "Twos have" not in told
    assert "Wild cards" not in told


def test_a_description_leaves_out_what_has_no_effect():
    assert "exchange" not in Rules.preset("prezident").describe().lower()
    assert "The bum owes the president two cards" in Rules.preset("prezident", rounds=2).describe()
    assert "They swap without a word." in Rules.preset("norwegian", middle_trade=True).describe()
    assert "swap" not in Rules.preset("norwegian").describe()
    once = Rules.preset("quebec", rounds=1, target_score=5).describe()
    assert not any(word in once for word in ("later the bum", "exchange", "sooner", "one more round"))
    assert "stays turned" not in Rules(reversal_lasts="trick").describe()
    assert "equal" not in Rules(equal_burn_finish_last=True).describe()


def test_a_description_puts_numbers_and_ranks_in_words():
    told = Rules(
        players=3, decks=2, jokers=1, joker="wild", suits=2, ranks="378A2", reversing_ranks=("8", "A"), revolution=True,
        dealer=2, exchange="any", exchange_cards=(1, 1), middle_trade=True, haggle_rounds=2, rounds=4, target_score=20,
        scoring="places",
    ).describe()  # fmt: skip
    for sentence in (
        "Three players share 21 cards, one joker among them.",
        "Two decks are shuffled together.",
        "The deck has no other ranks than 3 7 8 A 2.",
        "Each rank has two suits: clubs and diamonds.",
        "Seat 2 deals the first round; later the bum deals.",
        "A play of an 8 or an ace turns the order of the ranks round, and back to normal during a revolution.",
        "The bum owes the president one card; a giver always keeps a card.",
        "after two offers without two yeses nothing is swapped.",
        "The match is four rounds long.",
        "It ends sooner when a seat has 20 points after a round.",
    ):
        assert sentence in told


@pytest.mark.parametrize("name", Rules.field_docs())
def test_every_value_of_a_field_is_documented(name):
    doc = Rules.field_docs()[name]
    assert doc.family in FAMILIES
    assert doc.doc.endswith(".")
    assert all(sentence.endswith(".") for sentence in doc.choices.values())
    assert doc.accepted
    assert all(hasattr(Rules(), need.partition("=")[0]) for need in doc.needs)


def test_the_documented_fields_are_the_fields_in_order():
    assert list(Rules.field_docs()) == [field.name for field in fields(Rules)]
    assert all(field.metadata["doc"].name == field.name for field in fields(Rules))
    assert {doc.family for doc in Rules.field_docs().values()} == set(FAMILIES)


def test_what_a_field_needs_is_said_in_words():
    docs = Rules.field_docs()
    assert docs["exchange_return"].needed == "an exchange"
    assert docs["equal_burn_finish_last"].needed == "equal_rank burn"
    assert docs["players"].needed == ""
