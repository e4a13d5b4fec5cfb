"""Out of turn: quartets and the 3 of clubs at any time."""

import pytest

from tests.scenes import play, table

pytestmark = pytest.mark.plain

QUARTET = {"quartet": "any_time"}
CLUB3 = {"club3_bomb": "any_time"}


def test_a_seat_that_can_complete_the_quartet_is_offered_it():
    game = table(None, "9C 9D 4D | 5D TD | 9H 9S 6D | 8D", leader=0, **QUARTET)
    play(game, "0:99")
    assert (game.phase, game.seat, game.legal) == ("offer", 2, ["pass", "99"])


def test_it_burns_and_the_seat_that_made_it_leads():
    game = table(None, "9C 9D 4D | 5D TD | 9H 9S 6D | 8D", leader=0, **QUARTET)
    play(game, "0:99 2:99")
    assert (game.phase, game.trick, game.seat, game.legal) == ("play", [], 2, ["6"])


def test_when_all_have_declined_the_turn_goes_on():
    game = table(None, "9C 9D 4D | TC TD 5D | 9H 9S 6D | 8D", leader=0, **QUARTET)
    play(game, "0:99 2:pass")
    assert (game.phase, game.seat, game.legal) == ("play", 1, ["pass", "TT"])
    assert game.trick == [(0, "99")]


def test_the_seat_whose_turn_comes_next_has_the_move_on_its_own_turn():
    game = table(None, "9C 9D 4D | 9H 9S 5D | 6D | 8D", leader=0, **QUARTET)
    play(game, "0:99")
    assert (game.phase, game.seat, game.legal) == ("play", 1, ["pass", "99"])


def test_offers_go_clockwise_past_the_seat_on_turn():
    hands = "9C 9D 9H 4D | TD 5D | 9C 6D | 9D 8D | 9S 7D"
    game = table(None, hands, leader=0, decks=2, **QUARTET)
    play(game, "0:999")
    seats = []
    while game.phase == "offer":
        assert game.legal == ["pass", "9"]
        seats.append(game.seat)
        game.play("pass")
    assert seats == [2, 3, 4]
    assert game.seat == 1


def test_the_seat_that_played_is_asked_last():
    game = table(None, "9C 9D 9H 9S 4D | TD 5D | 9C 6D", leader=0, decks=2, **QUARTET)
    play(game, "0:999")
    assert game.seat == 2
    play(game, "2:pass")
    assert (game.phase, game.seat, game.legal) == ("offer", 0, ["pass", "9"])
    play(game, "0:9")
    assert (game.trick, game.seat) == ([], 0)


def test_the_first_to_take_it_ends_the_offers():
    game = table(None, "9C 9D 9H 9S 4D | TD 5D | 9C 6D", leader=0, decks=2, **QUARTET)
    play(game, "0:999 2:9")
    assert (game.phase, game.seat) == ("play", 2)


def test_an_offer_may_hold_the_quartets_of_several_ranks():
    game = table(None, "9C 9D 4D | TC TD 5D | 6D 7D | 9H 9S TH TS 3D", leader=0, **QUARTET)
    play(game, "0:99 3:pass 1:TT")
    assert (game.phase, game.seat, game.legal) == ("offer", 3, ["pass", "99", "TT"])


def test_a_decline_is_no_pass():
    rules = {"passing": "strict", **QUARTET}
    game = table(None, "9C 9D 4D | 5D TD | 9H 9S QC QD 6D | 8D 7D", leader=0, **rules)
    play(game, "0:99 2:pass 1:pass")
    assert (game.phase, game.seat, game.legal) == ("play", 2, ["pass", "99", "QQ"])


def test_seats_barred_by_strict_passing_are_offered_nothing():
    rules = {"passing": "strict", **QUARTET}
    game = table(None, "7C 4D | 9H 9S 9D 5D | 9C JD | 8D QD", leader=0, **rules)
    play(game, "0:7 1:pass 2:9")
    assert (game.phase, game.seat) == ("play", 3)


def test_a_seat_that_passed_softly_is_offered_it_at_the_next_play():
    game = table(None, "7C 4D | 9H 9S 9D 5D | 9C JD | 8D QD", leader=0, **QUARTET)
    play(game, "0:7 1:pass 2:9")
    assert (game.phase, game.seat, game.legal) == ("offer", 1, ["pass", "999"])


def test_a_pass_is_followed_by_no_offers():
    game = table(None, "9C 9D 4D | 5D TD | 6D QD | 9H 9S 8D", leader=0, **QUARTET)
    play(game, "0:99 3:pass 1:pass")
    assert (game.phase, game.seat) == ("play", 2)


def test_a_cleared_table_is_followed_by_no_offers():
    rules = {"clearing_ranks": ["2"], **CLUB3}
    game = table(None, "2D 4D | 5D TD | 3C 6D", leader=0, **rules)
    play(game, "0:2")
    assert (game.phase, game.seat, game.trick) == ("play", 0, [])


def test_a_run_drop_is_followed_by_no_offers():
    game = table(None, "5D 4D | 6D TD | 7D 8D QD | 3C 9D", leader=0, run_drop=True, **CLUB3)
    play(game, "0:5 3:pass 1:6 3:pass 2:7")
    assert (game.phase, game.seat) == ("drop", 0)


def test_nothing_is_offered_when_nobody_is_left_to_act():
    rules = {"passing": "strict", **QUARTET}
    game = table(None, "5D 9C 9D 9H 9S 4D | TD 6D | 8D", leader=0, **rules)
    play(game, "0:5 1:pass 2:8 0:9")  # seat 1 is barred and seat 2 out
    assert (game.phase, game.trick, game.seat) == ("play", [], 0)


def test_the_play_of_a_seat_that_went_out_with_it_is_offered_on():
    game = table(None, "9C 9D | 5D TD | 9H 9S 6D | 8D", leader=0, **QUARTET)
    play(game, "0:99")
    assert (game.phase, game.seat, game.places[0]) == ("offer", 2, 1)
    play(game, "2:pass 1:pass 2:pass 3:pass")
    assert (game.trick, game.seat) == ([], 1)


def test_declining_after_a_skip_the_skip_still_holds():
    rules = {"equal_rank": "skip", **QUARTET}
    game = table(None, "9C 4D | 9D TD | 9H 9S 6D | 8D QD", leader=0, **rules)
    play(game, "0:9 1:9")
    assert (game.phase, game.seat, game.legal) == ("offer", 2, ["pass", "99"])
    play(game, "2:pass")
    assert (game.phase, game.seat) == ("play", 3)


def test_quartet_on_turn_is_not_offered():
    game = table(None, "9C 9D 4D | 5D TD | 9H 9S 6D | 8D", leader=0, quartet="on_turn")
    play(game, "0:99")
    assert (game.phase, game.seat) == ("play", 1)


class TestThreeOfClubs:
    def test_its_holder_is_offered_it_after_every_play(self):
        game = table(None, "KD 4D | AD TD | 3C 9D | 8D", leader=0, **CLUB3)
        play(game, "0:K")
        assert (game.phase, game.seat, game.legal) == ("offer", 2, ["pass", "3!"])
        play(game, "2:pass 1:A")
        assert (game.phase, game.seat) == ("play", 2)  # its turn comes next
        assert game.legal == ["pass", "3!"]

    def test_it_burns_out_of_turn(self):
        game = table(None, "KD 4D | AD TD | 3C 9D | 8D", leader=0, **CLUB3)
        play(game, "0:K 2:3!")
        assert (game.phase, game.trick, game.seat, game.legal) == ("play", [], 2, ["9"])

    def test_going_out_with_it_out_of_turn(self):
        game = table(None, "KD 4D | AD TD | 3C | 8D", leader=0, burn_finish_last=True, **CLUB3)
        play(game, "0:K 2:3!")
        assert (game.places, game.seat) == ([None, None, 4, None], 3)

    def test_on_turn_it_is_not_offered_but_the_quartet_is(self):
        rules = {"club3_bomb": "on_turn", **QUARTET}
        game = table(None, "9C 9D 4D | 5D TD | 3C 9H 9S | 3D 8D", leader=0, **rules)
        play(game, "0:99")
        assert (game.seat, game.legal) == (2, ["pass", "99"])

    def test_the_quartet_on_turn_is_not_in_an_offer_of_the_bomb(self):
        rules = {"quartet": "on_turn", **CLUB3}
        game = table(None, "9C 9D 4D | 5D TD | 3C 9H 9S | 3D 8D", leader=0, **rules)
        play(game, "0:99")
        assert (game.seat, game.legal) == (2, ["pass", "3!"])

    def test_a_trick_of_threes_offers_both(self):
        game = table(None, "3D 3H 4D | 5D TD | 3C 3S 9D | 8D", leader=0, **QUARTET, **CLUB3)
        play(game, "0:33")
        assert (game.seat, game.legal) == (2, ["pass", "33", "3!"])


class TestNobodyIsTold:
    HANDS = "9C 9D 4D | TC TD 5D | 9H 9S 6D | 8D"

    def test_for_every_other_seat_the_next_one_is_on_turn(self):
        game = table(None, self.HANDS, leader=0, **QUARTET)
        play(game, "0:99")
        assert [(game.view(s).phase, game.view(s).seat) for s in range(4)] == [
            ("play", 1), ("play", 1), ("offer", 2), ("play", 1),
        ]  # fmt: skip

    def test_the_seat_on_turn_next_does_not_see_its_moves_change(self):
        game = table(None, self.HANDS, leader=0, **QUARTET)
        play(game, "0:99")
        during = game.view(1).legal, game.observation(1).tolist()
        play(game, "2:pass")
        assert (game.view(1).legal, game.observation(1).tolist()) == during

    def test_a_decline_is_in_no_history_but_the_game_s_own(self):
        game = table(None, self.HANDS, leader=0, **QUARTET)
        play(game, "0:99 2:pass 1:TT")
        assert game.history == [(1, 0, "99"), (1, 2, "pass"), (1, 1, "TT")]
        assert all(game.view(seat).history == [(1, 0, "99"), (1, 1, "TT")] for seat in range(4))

    def test_a_pass_on_turn_is_in_everybody_s(self):
        game = table(None, self.HANDS, leader=0, **QUARTET)
        play(game, "0:99 2:pass 1:pass 2:pass")
        assert game.view(3).history == [(1, 0, "99"), (1, 1, "pass"), (1, 2, "pass")]
