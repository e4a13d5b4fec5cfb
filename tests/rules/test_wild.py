"""Wild jokers and wild sixes."""

import pytest

from tests.scenes import play, table

pytestmark = pytest.mark.plain

JOKERS = {"joker": "wild", "jokers": 2}


class TestJokers:
    def test_a_joker_stands_for_a_card_beside_a_natural_one(self):
        game = table(None, "7C 7D * | 9D TD | 8D", leader=0, **JOKERS)
        assert game.legal == ["7", "*", "77", "7*", "77*"]

    def test_the_player_chooses_how_many_are_wild(self):
        game = table(None, "5C 5D KD | 7C 7D 7H * * 8D | TD", leader=0, **JOKERS)
        play(game, "0:55")
        assert game.legal == ["pass", "77", "**", "7*", "8*"]

    def test_the_joker_leaves_the_hand(self):
        game = table(None, "7C 7D * * KD | 9D TD | 8D", leader=0, **JOKERS)
        play(game, "0:7*")
        assert game.hand(0) == "7C KD *"

    def test_it_counts_as_that_rank(self):
        game = table(None, "7C * KD | 7D 7H 8C 8D | 9C 9D TD", leader=0, **JOKERS)
        play(game, "0:7*")
        assert game.legal == ["pass", "88"]

    def test_a_joker_alone_beats_a_two(self):
        game = table(None, "2D KD | * 5D | 9C", leader=0, **JOKERS)
        play(game, "0:2")
        assert game.legal == ["pass", "*"]

    def test_jokers_alone_beat_plays_of_their_number(self):
        game = table(None, "2C 2D KD | * * 5D | 9C", leader=0, **JOKERS)
        play(game, "0:22")
        assert game.legal == ["pass", "**"]

    def test_nothing_beats_a_joker_but_an_equal_rank_may_follow(self):
        game = table(None, "* KD | * 2D | 9C", leader=0, equal_rank="legal", **JOKERS)
        play(game, "0:*")
        assert game.legal == ["pass", "*"]

    def test_equal_jokers_are_illegal_where_equal_ranks_are(self):
        game = table(None, "* KD | * 2D | 9C", leader=0, **JOKERS)
        play(game, "0:*")
        assert game.legal == ["pass"]

    def test_equal_jokers_burn_where_equal_ranks_do(self):
        game = table(None, "* KD | * 2D | 9C", leader=0, equal_rank="burn", **JOKERS)
        play(game, "0:* 1:*")
        assert (game.trick, game.seat) == ([], 1)

    def test_four_jokers_are_a_bomb(self):
        game = table(None, "2D KD | * * * * 5D | 9C", leader=0, joker="wild", jokers=4, bombs=True)
        play(game, "0:2")
        assert game.legal == ["pass", "*", "****", "5***"]
        play(game, "1:****")
        assert (game.trick, game.seat) == ([], 1)

    def test_four_jokers_in_the_trick_burn_as_a_quartet(self):
        rules = {"joker": "wild", "jokers": 4, "quartet": "on_turn", "equal_rank": "legal"}
        game = table(None, "* * KD | * * 5D | 9C", leader=0, **rules)
        play(game, "0:** 1:**")
        assert (game.trick, game.seat) == ([], 1)

    def test_jokers_complete_no_quartet_out_of_size(self):
        rules = {"joker": "wild", "jokers": 4, "quartet": "any_time"}
        game = table(None, "* KD | * * * 5D | * 9C", leader=0, **rules)
        play(game, "0:*")
        assert (game.phase, game.seat, game.legal) == ("play", 1, ["pass"])

    def test_no_play_is_larger_than_four_cards_of_one_deck(self):
        game = table(None, "7C 7D 7H 7S * * | 9D TD | 8D", leader=0, **JOKERS)
        assert max(len(text) for text in game.legal) == 4

    def test_nor_than_eight_of_two(self):
        game = table(None, "7C 7C 7D 7D 7H 7H 7S 7S * | 9D TD | 8D", leader=0, decks=2, **JOKERS)
        assert "7777777*" in game.legal
        assert max(len(text) for text in game.legal) == 8

    def test_four_cards_whatever_the_number_of_suits(self):
        game = table(None, "7C * * * * | 9C | 8C", leader=0, suits=1, joker="wild", jokers=4)
        assert game.legal == ["7", "*", "**", "7*", "***", "7**", "****", "7***"]


class TestSixes:
    RULES = {"wild_sixes": True}

    def test_a_six_is_wild_beside_another_rank(self):
        game = table(None, "6D 9C 9D | 7D | 8D", leader=0, **self.RULES)
        assert game.legal == ["6", "9", "99", "9*", "99*"]

    def test_it_leaves_the_hand_as_a_six(self):
        game = table(None, "6D 6S 9C TD | 7D | 8D", leader=0, **self.RULES)
        play(game, "0:9*")
        assert game.hand(0) == "6D TD"  # of two sixes the spade goes first

    def test_alone_it_is_a_six(self):
        game = table(None, "7D KD | 6D 8D | 5D", leader=0, **self.RULES)
        play(game, "0:7")
        assert game.legal == ["pass", "8"]

    def test_sixes_alone_are_sixes(self):
        game = table(None, "5C 5D KD | 6C 6D 3D | 8D", leader=0, **self.RULES)
        play(game, "0:55")
        assert game.legal == ["pass", "66"]

    def test_a_six_with_a_joker_is_a_pair_of_sixes(self):
        game = table(None, "5C 5D KD | 6C * 4D | 8D", leader=0, **self.RULES, **JOKERS)
        play(game, "0:55")
        assert game.legal == ["pass", "6*"]
        play(game, "1:6*")
        assert (game.trick[-1], game.hand(1)) == ((1, "6*"), "4D")

    def test_a_six_is_not_wild_beside_sixes(self):
        game = table(None, "6C 6D 6H KD | 7D | 8D", leader=0, **self.RULES)
        assert [text for text in game.legal if text.startswith("6")] == ["6", "66", "666"]

    def test_sixes_are_spent_before_jokers(self):
        game = table(None, "6D 9C * KD | 7D | 8D", leader=0, **self.RULES, **JOKERS)
        play(game, "0:9*")
        assert game.hand(0) == "KD *"

    def test_then_jokers(self):
        game = table(None, "6D 9C * * KD | 7D | 8D", leader=0, **self.RULES, **JOKERS)
        play(game, "0:9**")
        assert game.hand(0) == "KD *"

    def test_beside_a_six_only_jokers_are_spent(self):
        game = table(None, "6C 6D * KD | 7D | 8D", leader=0, **self.RULES, **JOKERS)
        play(game, "0:6*")
        assert game.hand(0) == "6C KD"

    def test_more_cards_than_there_are_suits(self):
        game = table(None, "3C 3D 6C 9D | 5D 9C | 8C 8D 6D TC", leader=0, suits=2, **self.RULES)
        play(game, "0:33*")
        assert game.legal == ["pass"]
        play(game, "1:pass")
        assert game.legal == ["pass", "88*"]

    def test_a_trick_of_wild_sixes_holds_no_six(self):
        game = table(None, "6D 6H 9C TD | 6C 6S | 8D", leader=0, quartet="on_turn", **self.RULES)
        play(game, "0:9**")
        assert game.legal == ["pass"]  # two sixes are in the trick, as nines
