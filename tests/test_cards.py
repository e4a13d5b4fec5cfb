"""Cards and hands: text to masks and back."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from president_env import cards


def test_ranks_run_from_three_to_two_and_the_joker_is_last():
    assert [cards.parse_rank(letter) for letter in "3T2*"] == [0, 7, 12, 13]
    assert [cards.rank_text(rank) for rank in (0, 7, 12, 13)] == ["3", "T", "2", "*"]


def test_a_card_is_a_rank_and_a_suit():
    assert cards.parse_card("TD") == (7, 1)
    assert cards.parse_card("2S") == (12, 3)
    assert cards.parse_card("*") == (cards.JOKER, 0)
    assert cards.card_text(7, 1) == "TD"
    assert cards.card_text(cards.JOKER, 2) == "*"


def test_a_hand_is_a_mask_of_suits_per_rank():
    hand = cards.parse_hand("3C 3S TH")
    assert hand.dtype == np.uint8
    assert hand.shape == (14,)
    assert hand[0] == 0b1001
    assert hand[7] == 0b0100
    assert hand.sum() == 0b1101


def test_a_second_copy_is_of_the_second_deck():
    hand = cards.parse_hand("5D 5D 5H")
    assert hand[2] == 0b0010_0110
    assert cards.hand_text(hand) == "5D 5D 5H"


def test_a_card_of_the_second_deck_alone_has_the_same_text():
    hand = np.zeros(14, dtype=np.uint8)
    hand[2] = 0b0100_0010
    assert cards.hand_text(hand) == "5D 5H"


def test_jokers_fill_the_low_bits():
    hand = cards.parse_hand("* * *")
    assert hand[cards.JOKER] == 0b0111
    assert cards.hand_text(hand) == "* * *"


def test_a_hand_is_written_lowest_rank_first_then_by_suit_jokers_last():
    assert cards.hand_text(cards.parse_hand("* 2C TH 3D 3C AS")) == "3C 3D TH AS 2C *"


def test_an_empty_hand_has_empty_text():
    assert cards.hand_text(cards.parse_hand("")) == ""
    assert cards.count_cards(cards.parse_hand("")) == 0


def test_cards_are_counted_by_rank_and_in_all():
    hand = cards.parse_hand("5D 5D 5H KC * *")
    counts = cards.counts(hand)
    assert counts.shape == (14,)
    assert (counts[2], counts[10], counts[13], counts.sum()) == (3, 1, 2, 6)
    assert cards.count_cards(hand) == 6


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("3C 1D", "unknown card '1D'"),
        ("3C D3", "unknown card 'D3'"),
        ("3", "unknown card '3'"),
        ("10C", "did you mean TC?"),
        ("qh", "did you mean QH?"),
        ("joker", "or * for a joker"),
        ("4H 4H 4H", "card 4H is three times"),
        ("* * * * *", "at most 4"),
    ],
)
def test_a_hand_that_cannot_be_is_refused(text, told):
    with pytest.raises(ValueError) as error:
        cards.parse_hand(text)
    assert told in str(error.value)


@pytest.mark.parametrize(
    ("text", "told"), [("1", "'1'"), ("10", "did you mean T?"), ("", "''"), ("34", "ranks are 3 4")]
)
def test_an_unknown_rank_is_refused(text, told):
    with pytest.raises(ValueError) as error:
        cards.parse_rank(text)
    assert told in str(error.value)


WHOLE_DECKS = [rank + suit for rank in cards.RANKS for suit in cards.SUITS] * 2 + ["*"] * 4


@given(st.lists(st.sampled_from(range(len(WHOLE_DECKS))), unique=True))
def test_hands_and_texts_round_trip(picked):
    words = [WHOLE_DECKS[index] for index in picked]
    text = cards.hand_text(cards.parse_hand(" ".join(words)))
    assert sorted(text.split()) == sorted(words)
    assert cards.hand_text(cards.parse_hand(text)) == text
    assert cards.count_cards(cards.parse_hand(text)) == len(words)
