"""Plays that clear the trick: clearing ranks, twos, jokers, bombs, quartets on turn, the 3 of clubs."""

import pytest

from tests.scenes import play, table

pytestmark = pytest.mark.plain


class TestClearingRanks:
    def test_a_two_clears_at_once_and_its_player_leads(self):
        game = table(None, "6D 4D | 2D 5D | AD KD", leader=0, clearing_ranks=["2"])
        play(game, "0:6 1:2")
        assert (game.trick, game.seat, game.legal) == ([], 1, ["5"])

    def test_a_two_that_is_led_clears_too(self):
        game = table(None, "2C 2D 4D | 5D | AD KD", leader=0, clearing_ranks=["2"])
        play(game, "0:22")
        assert (game.trick, game.seat, game.legal) == ([], 0, ["4"])

    def test_as_many_twos_as_the_trick_has_cards(self):
        game = table(None, "6C 6D 4D | 2C 2D 2H | AD KD", leader=0, clearing_ranks=["2"])
        play(game, "0:66")
        assert game.legal == ["pass", "22"]

    def test_any_rank_may_be_a_clearing_one(self):
        game = table(None, "6D 4D | TD 5D | AD KD", leader=0, clearing_ranks=["T", "2"])
        play(game, "0:6 1:T")
        assert (game.trick, game.seat) == ([], 1)

    def test_a_clearing_rank_has_to_beat_the_top_play(self):
        game = table(None, "JD 4D | TD 5D | AD KD", leader=0, clearing_ranks=["T"])
        play(game, "0:J")
        assert game.legal == ["pass"]

    def test_in_a_turned_order_a_two_beats_nothing(self):
        rules = {"clearing_ranks": ["2"], "revolution": True}
        game = table(None, "9C 9D 9H 9S KD | 2D 5D | AD TD", leader=0, **rules)
        play(game, "0:9999 1:pass 2:pass 0:K")
        assert game.legal == ["pass", "5"]

    def test_out_on_the_clearing_play_the_next_seat_leads(self):
        game = table(None, "6D 4D | 2D | AD KD", leader=0, clearing_ranks=["2"])
        play(game, "0:6 1:2")
        assert (game.seat, game.places) == (2, [None, 1, None])


class TestBurningTwos:
    RULES = {"burn_twos": True}

    @pytest.mark.parametrize(
        ("trick", "hand", "twos"),
        [("7", "7D", "2"), ("77", "7C 7D", "2"), ("777", "7C 7D 7H", "22"), ("7777", "7C 7D 7H 7S", "222")],
    )
    def test_one_on_singles_and_pairs_then_one_less_than_the_trick(self, trick, hand, twos):
        game = table(None, f"{hand} 4D | 2C 2D 2H 2S 5D | 8D", leader=0, **self.RULES)
        play(game, f"0:{trick}")
        assert game.legal == ["pass", twos]
        play(game, f"1:{twos}")
        assert (game.trick, game.seat) == ([], 1)

    def test_four_on_five_of_two_decks(self):
        game = table(None, "7C 7C 7D 7H 7S 4D | 2C 2C 2D 2H 2S 2S 5D | 8D", leader=0, decks=2, **self.RULES)
        play(game, "0:77777")
        assert game.legal == ["pass", "2222"]

    def test_too_few_twos_do_not_burn(self):
        game = table(None, "7C 7D 7H 4D | 2C 5D | 8D", leader=0, **self.RULES)
        play(game, "0:777")
        assert game.legal == ["pass"]

    def test_any_number_burns_an_empty_table_and_the_player_leads_again(self):
        game = table(None, "2C 2D 2H 4D | 5D | 8D", leader=0, **self.RULES)
        assert game.legal == ["4", "2", "22", "222"]
        play(game, "0:22")
        assert (game.trick, game.seat, game.legal) == ([], 0, ["4", "2"])

    def test_they_burn_in_a_turned_order_as_well(self):
        game = table(None, "7C 7D 7H 7S 4D 3D | 2C 5D | 3H 8D", leader=0, revolution=True, **self.RULES)
        play(game, "0:7777 1:pass 2:pass 0:4")
        assert game.legal == ["pass", "2"]

    def test_twos_are_above_nothing(self):
        # as many twos as cards do not beat a pair as a pair of the highest rank would
        game = table(None, "AC AD 4D | 2C 2D | 8D", leader=0, **self.RULES)
        play(game, "0:AA")
        assert game.legal == ["pass", "2"]

    def test_no_wild_card_stands_for_a_burning_two(self):
        game = table(None, "7C 7D 7H 4D | 2C * 8C | 8D", leader=0, joker="wild", jokers=1, **self.RULES)
        assert "2*" not in game.table
        play(game, "0:777")
        assert game.legal == ["pass"]

    def test_a_seat_that_is_out_on_its_burn_gives_the_lead_to_its_left(self):
        game = table(None, "7D 4D | 2C | 8D 9D", leader=0, **self.RULES)
        play(game, "0:7 1:2")
        assert (game.seat, game.places) == (2, [None, 1, None])


class TestBurningJoker:
    RULES = {"joker": "burn", "jokers": 2}

    @pytest.mark.parametrize("trick", ["7", "77", "777"])
    def test_exactly_one_burns_any_trick(self, trick):
        game = table(None, "7C 7D 7H 4D | * * 5D | 8D", leader=0, **self.RULES)
        play(game, f"0:{trick}")
        assert game.legal == ["pass", "*"]
        play(game, "1:*")
        assert (game.trick, game.seat, game.hand(1)) == ([], 1, "5D *")

    def test_one_burns_an_empty_table(self):
        game = table(None, "* * 4D | 5D | 8D", leader=0, **self.RULES)
        assert game.legal == ["4", "*"]
        play(game, "0:*")
        assert (game.trick, game.seat) == ([], 0)

    def test_it_is_no_wild_card(self):
        assert "4*" not in table(None, "* 4D | 5D | 8D", leader=0, **self.RULES).table


class TestBombs:
    RULES = {"bombs": True}

    @pytest.mark.parametrize("trick", ["K", "KK", "KKK"])
    def test_four_of_a_kind_burn_any_trick(self, trick):
        game = table(None, "KC KD KH 4D | 5C 5D 5H 5S 6D | 8D", leader=0, **self.RULES)
        play(game, f"0:{trick}")
        assert "5555" in game.legal
        play(game, "1:5555")
        assert (game.trick, game.seat) == ([], 1)

    def test_on_an_empty_table_four_of_a_kind_are_an_ordinary_lead(self):
        game = table(None, "KC KD KH KS 4D | 5C 5D 5H 5S 6D | 8D", leader=0, **self.RULES)
        play(game, "0:KKKK")
        assert (game.trick, game.seat, game.legal) == ([(0, "KKKK")], 1, ["pass", "5555"])

    def test_four_twos_are_a_bomb_even_where_twos_burn(self):
        game = table(None, "KD 4D | 2C 2D 2H 2S 6D | 8D", leader=0, burn_twos=True, **self.RULES)
        play(game, "0:K")
        assert game.legal == ["pass", "2", "2222"]

    def test_wild_cards_count(self):
        rules = {"joker": "wild", "jokers": 1, "wild_sixes": True, **self.RULES}
        game = table(None, "KD 4D | 5C 5D 6H * 9D | 8D", leader=0, **rules)
        play(game, "0:K 1:55**")
        assert (game.trick, game.seat, game.hand(1)) == ([], 1, "9D")

    def test_a_bomb_of_twos_may_have_wild_cards_where_twos_burn(self):
        rules = {"joker": "wild", "jokers": 2, "burn_twos": True, **self.RULES}
        game = table(None, "KD 4D | 2C 2D * * 9D | 8D", leader=0, **rules)
        assert "22**" in game.table
        play(game, "0:K")
        assert game.legal == ["pass", "2", "*", "22**"]
        play(game, "1:22**")
        assert (game.trick, game.seat) == ([], 1)

    def test_a_lead_of_twos_with_wild_cards_is_none(self):
        rules = {"joker": "wild", "jokers": 2, "burn_twos": True, **self.RULES}
        game = table(None, "2C 2D * * 9D | KD 4D | 8D", leader=0, **rules)
        assert not [text for text in game.legal if text.startswith("2") and "*" in text]

    def test_five_of_two_decks_are_a_bomb_as_well(self):
        game = table(None, "KC KD 4D | 5C 5C 5D 5H 5S 9D | 8D", leader=0, decks=2, **self.RULES)
        play(game, "0:KK")
        assert game.legal == ["pass", "5555", "55555"]

    def test_without_the_rule_four_of_a_kind_beat_fours_only(self):
        game = table(None, "KD 4D | AC AD AH AS | 8D", leader=0)
        play(game, "0:K")
        assert game.legal == ["pass", "A"]


class TestQuartetOnTurn:
    RULES = {"quartet": "on_turn"}

    def test_four_of_a_rank_in_the_trick_burn_for_whoever_completed_them(self):
        game = table(None, "9C 9D 4D | 9H 9S 5D | KD 8D", leader=0, equal_rank="legal", **self.RULES)
        play(game, "0:99 1:99")
        assert (game.trick, game.seat, game.legal) == ([], 1, ["5"])

    def test_the_missing_natural_cards_go_on_whatever_lies_on_top(self):
        game = table(None, "9C 9D 4D | KC KD 5D | 9H 9S AC AD 8D", leader=0, **self.RULES)
        play(game, "0:99 1:KK")
        assert game.legal == ["pass", "99", "AA"]
        play(game, "2:99")
        assert (game.trick, game.seat) == ([], 2)

    def test_exactly_the_missing_ones(self):
        game = table(None, "9C 4D | 9D 9H 9S TD 5D | 8D", leader=0, **self.RULES)
        play(game, "0:9")
        assert game.legal == ["pass", "T", "999"]

    def test_they_count_over_plays_that_do_not_follow_one_another(self):
        rules = {"reversing_ranks": ["T"], **self.RULES}
        game = table(None, "9C TC 4D | TD 9S 6D | 9D 9H 8D", leader=0, **rules)
        play(game, "0:9 1:T 2:9 0:T 1:9")
        assert game.legal == ["pass", "9"]
        play(game, "2:9")
        assert (game.trick, game.seat) == ([], 2)

    def test_four_played_together_burn(self):
        game = table(None, "9C 9D 9H 9S 4D | 5D | 8D", leader=0, **self.RULES)
        play(game, "0:9999")
        assert (game.trick, game.seat) == ([], 0)

    def test_six_of_two_decks_are_four_or_more(self):
        game = table(None, "9C 9C 9D 4D | 9D 9H 9H 5D | 8D", leader=0, decks=2, equal_rank="legal", **self.RULES)
        play(game, "0:999")
        assert game.legal == ["pass", "9", "999"]
        play(game, "1:999")
        assert (game.trick, game.seat) == ([], 1)

    def test_wild_cards_count_as_what_they_were_played_as(self):
        game = table(None, "9C 9D * 4D | 9H 5D | 8D", leader=0, joker="wild", jokers=1, **self.RULES)
        play(game, "0:99*")
        assert game.legal == ["pass", "9"]
        play(game, "1:9")
        assert (game.trick, game.seat) == ([], 1)

    def test_wild_cards_do_not_complete_it_out_of_size(self):
        game = table(None, "9C 9D 4D | 9H * TD TH 5D | 8D", leader=0, joker="wild", jokers=1, **self.RULES)
        play(game, "0:99")
        assert "9*" not in game.legal

    def test_with_a_wild_card_it_is_completed_where_an_equal_play_is_legal(self):
        rules = {"joker": "wild", "jokers": 1, "equal_rank": "legal", **self.RULES}
        game = table(None, "9C 9D 4D | 9H * 5D | 8D", leader=0, **rules)
        play(game, "0:99 1:9*")
        assert (game.trick, game.seat) == ([], 1)

    def test_a_completing_equal_play_burns_and_skips_nobody(self):
        game = table(None, "9C 9D 4D | 9H 9S 5D | 8D | KD", leader=0, equal_rank="skip", **self.RULES)
        play(game, "0:99 1:99")
        assert (game.trick, game.seat) == ([], 1)

    def test_the_count_starts_anew_with_every_trick(self):
        game = table(None, "9C 9D 9H 4D | 9S 5D | 8D TD", leader=0, **self.RULES)
        play(game, "0:99 1:pass 2:pass 0:9 1:pass")
        assert game.legal == ["pass", "T"]

    def test_nobody_is_asked_out_of_turn(self):
        game = table(None, "9C 9D 9H 4D | TC TD TH 5D | 9S 8D", leader=0, **self.RULES)
        play(game, "0:999")
        assert (game.phase, game.seat) == ("play", 1)


class TestThreeOfClubs:
    RULES = {"club3_bomb": "on_turn"}

    @pytest.mark.parametrize("trick", ["K", "KKK"])
    def test_it_bombs_anything(self, trick):
        game = table(None, "KC KD KH 4D | 3C 3D 6D | 8D", leader=0, **self.RULES)
        play(game, f"0:{trick}")
        assert "3!" in game.legal
        play(game, "1:3!")
        assert (game.trick, game.seat, game.hand(1)) == ([], 1, "3D 6D")

    def test_it_bombs_an_empty_table(self):
        game = table(None, "3C 4D | 6D | 8D", leader=0, **self.RULES)
        assert game.legal == ["3", "4", "3!"]
        play(game, "0:3!")
        assert (game.trick, game.seat, game.hand(0)) == ([], 0, "4D")

    def test_another_three_is_no_bomb(self):
        game = table(None, "3D 3H 3S 4D | 6D | 8D", leader=0, **self.RULES)
        assert "3!" not in game.legal

    def test_ordinary_plays_spend_it_last(self):
        game = table(None, "3C 3D 3S 4D | 6D 7D | 8D 9D", leader=0, **self.RULES)
        play(game, "0:33")
        assert game.hand(0) == "3C 4D"

    def test_one_of_two_decks_leaves_the_other(self):
        game = table(None, "3C 3C 4D | 6D | 8D", leader=0, decks=2, **self.RULES)
        play(game, "0:3!")
        assert game.hand(0) == "3C 4D"
        play(game, "0:3!")
        assert game.hand(0) == "4D"

    def test_it_is_no_part_of_a_run_or_of_the_order(self):
        game = table(None, "KD 4D | 3C 6D | 8D", leader=0, revolution=True, reversing_ranks=["3"], **self.RULES)
        play(game, "0:K 1:3!")
        assert (game.reversed, game.trick) == (False, [])
