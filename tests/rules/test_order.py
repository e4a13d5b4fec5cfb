"""The order of ranks: revolution, going down, and both together."""

import pytest

from tests.scenes import play, table

pytestmark = pytest.mark.plain


class TestRevolution:
    def test_four_cards_in_one_play_turn_the_order_at_once(self):
        game = table(None, "9C 9D 9H 9S KD | 5C 5D 5H 5S TC TD TH TS AD | 6D", leader=0, revolution=True)
        assert not game.reversed
        play(game, "0:9999")
        assert game.reversed
        assert game.trick == [(0, "9999")]  # the trick goes on
        assert game.legal == ["pass", "5555"]

    def test_three_cards_do_not(self):
        game = table(None, "9C 9D 9H KD | 5D | 6D", leader=0, revolution=True)
        play(game, "0:999")
        assert not game.reversed

    def test_four_cards_without_the_rule_do_not(self):
        game = table(None, "9C 9D 9H 9S KD | 5D | 6D", leader=0)
        play(game, "0:9999")
        assert not game.reversed

    def test_it_lasts_from_trick_to_trick(self):
        game = table(None, "9C 9D 9H 9S KD | 5D AD | 6D 2D", leader=0, revolution=True)
        play(game, "0:9999 1:pass 2:pass 0:K")
        assert (game.seat, game.reversed, game.legal, game.places) == (1, True, ["pass", "5"], [1, None, None])

    def test_another_turns_it_back(self):
        game = table(None, "9C 9D 9H 9S KD | 5C 5D 5H 5S 4D | 6D AD", leader=0, revolution=True)
        play(game, "0:9999 1:5555")
        assert not game.reversed
        play(game, "2:pass 0:pass 1:4")
        assert game.legal == ["pass", "6", "A"]

    def test_it_ends_with_the_round(self):
        game = table(None, "9C 9D 9H 9S | 5D | 6D", "5D 7D | 4D 9D | 6D 3D", leader=0, revolution=True, rounds=2)
        play(game, "0:9999 1:pass 2:pass")
        assert game.reversed
        play(game, "1:5")
        assert (game.round, game.reversed) == (2, False)

    def test_a_revolution_with_the_last_cards_of_the_round_is_over_too(self):
        game = table(None, "9C 9D 9H 9S | 5D", leader=0, revolution=True)
        play(game, "0:9999")
        assert (game.over, game.reversed) == (True, False)

    def test_five_of_two_decks_turn_it_as_well(self):
        game = table(None, "9C 9C 9D 9H 9S KD | 5D 7D | 6D", leader=0, revolution=True, decks=2)
        play(game, "0:99999")
        assert game.reversed

    def test_wild_cards_count_towards_the_four(self):
        rules = {"joker": "wild", "jokers": 2, "wild_sixes": True, "revolution": True}
        game = table(None, "6D 9C 9D * KD | 5D 7D | 8D", leader=0, **rules)
        play(game, "0:99**")  # the six and the joker
        assert game.reversed
        assert game.hand(0) == "KD"

    def test_four_jokers_turn_it(self):
        game = table(None, "* * * * KD | 5D 7D | 8D", leader=0, joker="wild", jokers=4, revolution=True)
        play(game, "0:****")
        assert game.reversed

    def test_a_joker_alone_is_above_all_in_either_order(self):
        rules = {"joker": "wild", "jokers": 1, "revolution": True}
        game = table(None, "9C 9D 9H 9S 8D | 5D KD 2D * | 3D TD", leader=0, **rules)
        play(game, "0:9999 1:pass 2:pass 0:8")
        assert game.legal == ["pass", "5", "*"]
        play(game, "1:*")
        assert game.legal == ["pass"]


class TestGoingDown:
    """`reversing_ranks`."""

    def test_only_the_very_next_play_has_to_be_lower(self):
        game = table(None, "8D 4D QD | 7D 9D | 5H 6H TD", leader=0, reversing_ranks=["8"])
        play(game, "0:8")
        assert (game.reversed, game.legal) == (True, ["pass", "7"])
        play(game, "1:7")
        assert (game.reversed, game.legal) == (False, ["pass", "T"])

    def test_pairs_go_down_too(self):
        game = table(None, "8C 8D 4D | 7D 7H 9C 9D | 5H 6H", leader=0, reversing_ranks=["8"])
        play(game, "0:88")
        assert game.legal == ["pass", "77"]

    def test_a_pass_is_no_play(self):
        game = table(None, "8D 4D | 9D TD | 5H QD", leader=0, reversing_ranks=["8"])
        play(game, "0:8 1:pass")
        assert (game.reversed, game.legal) == (True, ["pass", "5"])

    def test_the_same_rank_again_points_down_again(self):
        game = table(None, "8D 4D | 8H TD | 5H QD", leader=0, reversing_ranks=["8"], equal_rank="legal")
        play(game, "0:8 1:8")
        assert (game.reversed, game.legal) == (True, ["pass", "5"])

    def test_a_cleared_table_has_the_normal_order(self):
        game = table(None, "8D 4D | 9D TD | JD QD", leader=0, reversing_ranks=["8"])
        play(game, "0:8 1:pass 2:pass")
        assert (game.trick, game.reversed) == ([], False)

    def test_for_the_trick_the_order_stays_turned(self):
        rules = {"reversing_ranks": ["8"], "reversal_lasts": "trick"}
        game = table(None, "8D 4D | 7D 9D | 5H 6H QD", leader=0, **rules)
        play(game, "0:8 1:7")
        assert (game.reversed, game.legal) == (True, ["pass", "5", "6"])
        play(game, "2:6 0:pass 1:pass")
        assert (game.trick, game.reversed) == ([], False)

    def test_for_the_trick_it_ends_with_the_trick(self):
        rules = {"reversing_ranks": ["8"], "reversal_lasts": "trick"}
        game = table(None, "8D 4D | 7D 9D | JD QD", leader=0, **rules)
        play(game, "0:8 1:7 2:pass 0:4")
        assert (game.places, game.reversed) == ([1, None, None], True)
        play(game, "1:pass 2:pass")
        assert (game.trick, game.seat, game.reversed) == ([], 1, False)

    def test_for_the_trick_every_such_play_turns_it_once_more(self):
        rules = {"reversing_ranks": ["5", "8"], "reversal_lasts": "trick"}
        game = table(None, "8D 4D | 5D 9D | 4H 6H QD", leader=0, **rules)
        play(game, "0:8 1:5")
        assert (game.reversed, game.legal) == (False, ["pass", "6", "Q"])

    def test_for_the_trick_an_equal_one_turns_it_too(self):
        rules = {"reversing_ranks": ["8"], "reversal_lasts": "trick", "equal_rank": "legal"}
        game = table(None, "8D 4D | 8H TD | 5H QD", leader=0, **rules)
        play(game, "0:8 1:8")
        assert (game.reversed, game.legal) == (False, ["pass", "Q"])

    def test_wild_cards_do_not_matter_but_the_rank_played(self):
        rules = {"reversing_ranks": ["8"], "joker": "wild", "jokers": 1}
        game = table(None, "8D * 4D | 7D 7H 9C 9D | 5H 6H", leader=0, **rules)
        play(game, "0:8*")
        assert game.legal == ["pass", "77"]


class TestBothTogether:
    RULES = {"revolution": True, "reversing_ranks": ["8"]}

    def test_they_cancel(self):
        game = table(None, "9C 9D 9H 9S KD 3D | 8D 5D | 6D 7D TD", leader=0, **self.RULES)
        play(game, "0:9999 1:pass 2:pass 0:K")
        assert game.reversed
        play(game, "1:8")
        assert (game.reversed, game.legal) == (False, ["pass", "T"])
        play(game, "2:T")
        assert game.reversed

    def test_four_of_a_reversing_rank_turn_it_twice(self):
        game = table(None, "8C 8D 8H 8S KD | 5C 5D 5H 5S 3D | TC TD TH TS 4D", leader=0, **self.RULES)
        play(game, "0:8888")
        assert not game.reversed
        assert game.legal == ["pass"]
        play(game, "1:pass")
        assert game.legal == ["pass", "TTTT"]
        play(game, "2:pass")
        assert game.reversed  # on the empty table the revolution alone is in force

    def test_a_play_that_burns_turns_the_order_too(self):
        game = table(None, "KD 7D 4D | 9C 9D 9H 9S TD | 6D AD", leader=0, revolution=True, bombs=True)
        play(game, "0:K 1:9999")
        assert (game.trick, game.seat, game.reversed) == ([], 1, True)

    def test_a_quartet_laid_at_once_turns_and_burns(self):
        game = table(None, "9C 9D 9H 9S TD KD | 6D AD", leader=0, revolution=True, quartet="on_turn")
        play(game, "0:9999")
        assert (game.trick, game.seat, game.reversed) == ([], 0, True)

    def test_four_burning_twos_turn_the_order(self):
        game = table(None, "2C 2D 2H 2S TD KD | 6D AD", leader=0, revolution=True, burn_twos=True)
        play(game, "0:2222")
        assert (game.trick, game.seat, game.reversed) == ([], 0, True)

    def test_a_reversal_for_the_trick_ends_with_the_trick_it_burns(self):
        rules = {"reversing_ranks": ["8"], "reversal_lasts": "trick", "equal_rank": "burn"}
        game = table(None, "8D 4D | 8H TD | 5H QD", leader=0, **rules)
        play(game, "0:8 1:8")
        assert (game.trick, game.reversed) == ([], False)
