"""The move table: ids, moves, texts."""

import pytest
from hypothesis import given, settings

from president_env import Rules
from president_env.moves import Kind, Move, MoveTable, move_table
from tests.strategies import rules

pytestmark = pytest.mark.plain

EVERYTHING = Rules(
    players=3,
    jokers=2,
    joker="wild",
    ranks="36K2",
    suits=2,
    quartet="any_time",
    club3_bomb="any_time",
    wild_sixes=True,
    run_drop=True,
    exchange="ask",
    middle_trade=True,
    haggle_rounds=1,
)


def test_a_plain_table():
    assert MoveTable(Rules(players=2, ranks="TK", suits=2)).texts == ("pass", "T", "K", "TT", "KK")


def test_the_order_of_kinds_sizes_wild_cards_and_ranks():
    texts = move_table(EVERYTHING).texts
    assert texts[:6] == ("pass", "3", "6", "K", "2", "*")
    assert texts[6:15] == ("33", "66", "KK", "22", "**", "3*", "6*", "K*", "2*")
    others = (
        "3!, give 3, give 6, give K, give 2, give *, ask 3C, ask 6C, ask KC, ask 2C, ask 3D, ask 6D, ask KD, ask 2D"
    )
    others += ", ask *, drop 3, drop 6, drop K, drop 2, drop *, stop, accept, reject"
    assert list(texts[texts.index("3!") :]) == others.split(", ")


def test_no_play_is_larger_than_four_cards_a_deck_nor_than_there_are():
    assert "33**" in move_table(EVERYTHING)
    assert "3****" not in move_table(EVERYTHING)
    assert "33333333" in MoveTable(Rules(players=2, decks=2, ranks="3"))
    assert "333" not in MoveTable(Rules(players=2, suits=2))


def test_a_move_and_its_parts():
    table = move_table(EVERYTHING)
    assert table[table.id("3*")] == Move(Kind.PLAY, rank=0, size=2, wild=1)
    assert table[table.id("**")] == Move(Kind.PLAY, rank=13, size=2)
    assert table[table.id("ask KD")] == Move(Kind.ASK, rank=10, size=1, suit=1)
    assert table[0].text == "pass"


def test_a_text_that_is_no_move():
    table = move_table(EVERYTHING)
    assert "44" not in table
    assert 7 not in table
    with pytest.raises(KeyError):
        table.id("44")


def test_only_what_the_rules_know():
    texts = MoveTable(Rules()).texts
    assert not [text for text in texts if " " in text or "*" in text or "!" in text]
    assert len(texts) == 1 + 13 * 4


def test_a_burning_joker_is_played_alone():
    texts = MoveTable(Rules(jokers=2, joker="burn")).texts
    assert [text for text in texts if "*" in text] == ["*"]


@pytest.mark.parametrize("exchange_return", ["choice", "lowest", "none"])
@pytest.mark.parametrize("exchange", ["off", "best", "any", "ask"])
def test_gives_and_asks_where_they_can_be_made(exchange, exchange_return):
    words = {text.split()[0] for text in MoveTable(Rules(exchange=exchange, exchange_return=exchange_return)).texts}
    assert ("give" in words) == (exchange == "any" or (exchange != "off" and exchange_return == "choice"))
    assert ("ask" in words) == (exchange == "ask") == ("stop" in words)


@given(rules())
@settings(max_examples=60)
def test_texts_and_ids_round_trip(made):
    table = MoveTable(made)
    assert len(set(table.texts)) == len(table) == len(list(table))
    for action, move in enumerate(table):
        assert table.text(action) == move.text
        assert table.id(move.text) == action
        assert table[action] == move
    assert [move for group in table.groups for move in group.ranks] == [move.rank for move in table]


def test_equal_rules_have_one_table():
    assert move_table(Rules(players=5)) is move_table(Rules(players=5))
