"""The middle trade: the neutral seats swap a card."""

import pytest

from tests.scenes import play, table

pytestmark = pytest.mark.plain

RULES = {"exchange": "best", "exchange_return": "none", "middle_trade": True, "rounds": 2}
SIX = "3C 8C | 4C 9D | 5C 9S TC | 6C JD JS | 7C QD | AC KD 2D"
"""Round 2 of six players: seats 2 and 3 are neutral."""


def second_round(hands, **rules):
    """Round 2 with these hands, places as the seats go."""
    players = hands.count("|") + 1
    ranks = "56789TJQ"[:players]
    game = table(None, " | ".join(f"{rank}H" for rank in ranks), hands, leader=0, **{**RULES, **rules})
    play(game, " ".join(f"{seat}:{rank}" for seat, rank in enumerate(ranks[:-1])))
    assert game.round == 2
    return game


def test_the_better_place_offers_first_then_the_worse():
    game = second_round(SIX)
    assert (game.phase, game.seat, game.legal) == ("trade", 2, ["give 5", "give 9", "give T"])
    play(game, "2:give 5")
    assert (game.phase, game.seat, game.legal) == ("trade", 3, ["give 6", "give J"])


def test_the_cards_stay_in_their_hands_until_they_are_swapped():
    game = second_round(SIX)
    play(game, "2:give 5")
    assert game.hands[2:4] == ["5C 9S TC", "6C JD JS"]
    play(game, "3:give J")
    assert game.hands[2:4] == ["9S TC JS", "5C 6C JD"]


def test_it_comes_after_the_exchange_and_then_the_play_begins():
    game = second_round(SIX, exchange_return="choice")
    play(game, "0:give 3 0:give 8 1:give 4")
    assert (game.phase, game.seat) == ("trade", 2)
    play(game, "2:give 5 3:give J")
    assert (game.phase, game.seat) == ("play", 5)


def test_best_with_worst_and_inwards_pair_by_pair():
    hands = " | ".join(["3C 8C", "4C 8D", "5C 9S", "6C JS", "7C QD", "9C KH", "TC TH", "AC KD 2D"])
    game = second_round(hands)
    play(game, "2:give 5 5:give K 3:give 6 4:give Q")
    assert game.hands[2:6] == ["9S KH", "JS QD", "6C 7C", "5C 9C"]
    assert game.phase == "play"


def test_an_odd_one_out_is_left_alone():
    hands = "3C 8C | 4C 8D | 5C 9S | 6C JS | 7C QD | 9C KH | AC KD 2D"
    game = second_round(hands)
    play(game, "2:give 5 4:give Q")
    assert (game.phase, game.hand(3)) == ("play", "6C JS")


def test_five_players_have_one_neutral_seat_and_no_trade():
    assert second_round("3C 8C | 4C 8D | 5C 9S | 7C QD | AC KD 2D").phase == "play"


def test_without_vices_all_but_president_and_bum_trade():
    game = second_round("3C 8C | 4C 8D | 7C QD | AC KD 2D", vice_roles=False)
    play(game, "1:give 8 2:give 7")
    assert game.hands[1:3] == ["4C 7C", "8D QD"]


class TestHaggling:
    def test_both_see_the_ranks_and_two_accepts_swap(self):
        game = second_round(SIX, haggle_rounds=2)
        play(game, "2:give 5 3:give J")
        assert (game.phase, game.seat, game.legal) == ("trade", 2, ["accept", "reject"])
        play(game, "2:accept")
        assert (game.seat, game.legal, game.hand(2)) == (3, ["accept", "reject"], "5C 9S TC")
        play(game, "3:accept")
        assert game.hands[2:4] == ["9S TC JS", "5C 6C JD"]
        assert game.phase == "play"

    def test_a_reject_by_the_better_place_ends_the_offer(self):
        game = second_round(SIX, haggle_rounds=2)
        play(game, "2:give 5 3:give J 2:reject")
        assert (game.seat, game.legal) == (2, ["give 5", "give 9", "give T"])

    def test_a_reject_by_the_worse_brings_new_offers_too(self):
        game = second_round(SIX, haggle_rounds=2)
        play(game, "2:give 5 3:give J 2:accept 3:reject")
        assert (game.phase, game.seat) == ("trade", 2)

    def test_the_same_ranks_may_be_offered_again(self):
        game = second_round(SIX, haggle_rounds=2)
        play(game, "2:give 5 3:give J 2:reject 2:give 5 3:give J 2:accept 3:accept")
        assert game.hands[2:4] == ["9S TC JS", "5C 6C JD"]

    def test_after_so_many_offers_nothing_is_swapped(self):
        game = second_round(SIX, haggle_rounds=2)
        play(game, "2:give 5 3:give J 2:reject 2:give 9 3:give 6 2:accept 3:reject")
        assert (game.phase, game.hands[2:4]) == ("play", ["5C 9S TC", "6C JD JS"])

    def test_the_offers_are_counted_for_each_pair(self):
        hands = " | ".join(["3C 8C", "4C 8D", "5C 9S", "6C JS", "7C QD", "9C KH", "TC TH", "AC KD 2D"])
        game = second_round(hands, haggle_rounds=1)
        play(game, "2:give 5 5:give K 2:reject")
        assert (game.phase, game.seat) == ("trade", 3)
        play(game, "3:give 6 4:give Q 3:accept 4:accept")
        assert game.hands[2:6] == ["5C 9S", "JS QD", "6C 7C", "9C KH"]


class TestWhoKnowsWhat:
    def test_the_worse_place_offers_without_knowing_the_better_s(self):
        game = second_round(SIX, haggle_rounds=1)
        play(game, "2:give T")
        other = second_round(SIX, haggle_rounds=1)
        play(other, "2:give 5")
        assert game.observation(3).tolist() == other.observation(3).tolist()
        assert game.view(3).history == other.view(3).history
        assert game.view(3).history[-1] == (2, 2, "give ?")

    def test_then_the_pair_knows_both(self):
        game = second_round(SIX, haggle_rounds=1)
        play(game, "2:give T 3:give J")
        for seat in (2, 3):
            assert game.view(seat).history[-2:] == [(2, 2, "give T"), (2, 3, "give J")]

    def test_nobody_else_does(self):
        game = second_round(SIX, haggle_rounds=1)
        play(game, "2:give T 3:give J 2:accept")
        for seat in (0, 1, 4, 5):
            assert game.view(seat).history[-3:] == [(2, 2, "give ?"), (2, 3, "give ?"), (2, 2, "accept")]
