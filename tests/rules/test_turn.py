"""A turn: playing, passing, the walk round the table, equal ranks."""

import pytest

from president_env.game import IllegalMove
from tests.scenes import play, table

pytestmark = pytest.mark.plain


def test_a_play_has_the_same_size_and_a_higher_rank():
    game = table(None, "6C 6D TD | 5C 5D 6H 7S QC QD KC KD KH | 9D", leader=0)
    play(game, "0:66")
    assert game.legal == ["pass", "QQ", "KK"]


def test_a_seat_that_leads_plays_any_number_of_one_rank_and_may_not_pass():
    assert table(None, "8C 8D 8H 2D | 5D | 9D", leader=0).legal == ["8", "2", "88", "888"]


def test_passing_is_legal_with_the_best_card_in_hand():
    game = table(None, "3D 4D | 2S 5D | 9D", leader=0)
    play(game, "0:3")
    assert game.legal == ["pass", "5", "2"]


def test_a_seat_that_cannot_play_passes():
    game = table(None, "8C 8D TD | 2S 9D | 9H TH", leader=0)
    play(game, "0:88")
    assert game.legal == ["pass"]


def test_of_the_cards_of_a_rank_spades_leave_first_and_clubs_last():
    game = table(None, "8C 8D 8H 8S 3D | 9C 9D KD | TC TD 4D", leader=0)
    play(game, "0:88")
    assert game.hand(0) == "3D 8C 8D"


def test_the_turn_goes_clockwise_past_seats_that_are_out():
    game = table(None, "5D 9D | 6D | 7D TD | 8D JD", leader=0)
    play(game, "0:5 1:6 2:pass 3:pass 0:9")
    assert (game.seat, game.places) == (2, [2, 1, None, None])


def test_when_all_have_passed_the_trick_is_cleared_and_its_player_leads():
    game = table(None, "5D 9D | 8D JD | 7D TD", leader=0)
    play(game, "0:5 1:8 2:pass 0:pass")
    assert (game.trick, game.seat, game.legal) == ([], 1, ["J"])


def test_if_its_player_has_gone_out_the_next_active_seat_to_the_left_leads():
    game = table(None, "5D 6H 9D | 7D QD | KD | 3D TD", leader=0)
    play(game, "0:5 1:7 2:K 3:pass 0:pass 1:pass")
    assert (game.trick, game.seat) == ([], 3)


def test_the_lead_passes_over_seats_that_went_out_before():
    game = table(None, "5D 6H 9D | QD AD | KD 4D | 7D", leader=0)
    play(game, "0:5 1:pass 2:pass 3:7 0:9 1:pass 2:K 0:pass 1:A 2:pass 0:pass")
    # seat 1 won with the ace and leads; seat 3 is out
    assert (game.seat, game.places) == (1, [None, None, None, 1])
    play(game, "1:Q")
    # seat 1 is out, and the seats that can act are 2 and 0
    assert game.seat == 2
    play(game, "2:pass 0:pass")
    assert (game.trick, game.seat) == ([], 2)


class TestSoftPassing:
    def test_a_pass_costs_one_turn(self):
        game = table(None, "5D 9D | 8D JD | 7D TD", leader=0)
        play(game, "0:5 1:pass 2:7 0:9 1:J")
        assert game.trick == [(0, "5"), (2, "7"), (0, "9"), (1, "J")]


class TestStrictPassing:
    def test_a_pass_is_for_the_whole_trick(self):
        game = table(None, "5D 9D QD | 8D JD KD | 7D TD AD", leader=0, passing="strict")
        play(game, "0:5 1:pass 2:7 0:9")
        assert game.seat == 2
        play(game, "2:T")
        assert game.seat == 0

    def test_the_bar_ends_with_the_trick(self):
        game = table(None, "5D 9D QD | 8D JD KD | 7D TD AD", leader=0, passing="strict")
        play(game, "0:5 1:pass 2:7 0:9 2:pass 0:Q")
        assert (game.trick, game.seat) == ([(0, "Q")], 1)

    def test_a_trick_ends_when_all_others_are_barred_or_out(self):
        game = table(None, "5D 9D QD | 8D JD KD | 7D TD AD", leader=0, passing="strict")
        play(game, "0:5 1:pass 2:pass")
        assert (game.trick, game.seat) == ([], 0)

    def test_a_play_with_nobody_left_to_act_clears_at_once(self):
        game = table(None, "9D 4D | 5D 6D | TD", leader=0, passing="strict")
        play(game, "0:4 1:pass 2:T 0:pass")
        assert (game.trick, game.seat, game.places) == ([], 0, [None, None, 1])


class TestEqualRank:
    HANDS = "8C 4D | 8D 5D | 8H 6D | 8S KD"

    def equal(self, moves, **rules):
        game = table(None, self.HANDS, leader=0, **rules)
        play(game, moves)
        return game

    def test_illegal(self):
        game = self.equal("0:8")
        assert game.legal == ["pass"]
        with pytest.raises(IllegalMove):
            game.play("8")

    def test_legal_changes_nothing_but_the_player(self):
        game = self.equal("0:8 1:8", equal_rank="legal")
        assert (game.seat, game.trick, game.legal) == (2, [(0, "8"), (1, "8")], ["pass", "8"])

    def test_it_has_to_be_of_the_same_size(self):
        game = table(None, "8C 8D 4D | 8H 8S 9D | 3D", leader=0, equal_rank="legal")
        play(game, "0:8")
        assert game.legal == ["pass", "8", "9"]

    def test_skip_takes_the_turn_of_the_next_seat(self):
        assert self.equal("0:8 1:8", equal_rank="skip").seat == 3

    def test_skip_is_once_a_play(self):
        game = self.equal("0:8 1:8 3:8", equal_rank="skip")
        assert game.seat == 1  # seat 0 is skipped

    def test_a_higher_play_skips_nobody(self):
        game = self.equal("0:4 1:8", equal_rank="skip")
        assert game.seat == 2

    def test_a_skip_is_no_pass(self):
        game = self.equal("0:8 1:8 3:K", equal_rank="skip", passing="strict")
        play(game, "0:pass 1:pass")
        assert game.seat == 2  # skipped before, and not barred

    def test_a_skip_takes_the_turn_of_the_next_seat_that_would_act(self):
        game = table(None, "5C 8C 4D | TD 5D | 8D 6D | 8S KD", leader=0, equal_rank="skip", passing="strict")
        play(game, "0:5 1:pass 2:8 3:8")
        assert game.seat == 2  # seat 0 is skipped, seat 1 is barred

    def test_a_skip_that_leaves_nobody_to_act_clears_at_once(self):
        game = table(None, "TD 9C 4D | 9D KD", leader=0, equal_rank="skip")
        play(game, "0:9 1:9")
        assert (game.trick, game.seat) == ([], 1)

    def test_if_the_skipping_seat_is_out_the_skipped_seat_may_lead(self):
        game = table(None, "9C 4D TD | 9D | 5D KD", leader=0, equal_rank="skip")
        play(game, "0:9 1:9")
        assert (game.seat, game.places) == (0, [None, 1, None])
        play(game, "0:pass")
        assert (game.trick, game.seat) == ([], 2)

    def test_a_skip_by_a_last_card_that_leaves_nobody_to_act_leads_to_the_left(self):
        game = table(None, "9C 4D TD | 5D KD | 9D", leader=0, equal_rank="skip", passing="strict")
        play(game, "0:9 1:pass 2:9")
        assert (game.trick, game.seat) == ([], 0)

    def test_burn_clears_and_its_player_leads(self):
        game = self.equal("0:8 1:pass 2:8", equal_rank="burn")
        assert (game.trick, game.seat, game.legal) == ([], 2, ["6"])

    def test_burn_of_pairs(self):
        game = table(None, "8C 8D 4D | 8H 8S 9D | 3D", leader=0, equal_rank="burn")
        play(game, "0:88 1:88")
        assert (game.trick, game.seat) == ([], 1)
