"""Going out: places, who finishes last, roles."""

import pytest

from tests.scenes import play, table

pytestmark = pytest.mark.plain


def test_who_goes_out_takes_the_best_free_place():
    game = table(None, "5D | 6D 7D | 8D | 9D KD", leader=0)
    play(game, "0:5 1:6 2:8")
    assert game.places == [1, None, 2, None]


def test_the_seat_left_alone_takes_the_place_that_is_left_and_the_round_is_over_at_once():
    game = table(None, "5D | 6D | 8D 9D TD", leader=0)
    play(game, "0:5 1:6")
    assert (game.over, game.phase, game.seat, game.places) == (True, "over", None, [1, 2, 3])
    assert game.legal == []


def test_its_cards_stay_in_its_hand_and_the_table_is_cleared():
    game = table(None, "5D | 6D | 8D 9D TD", leader=0)
    play(game, "0:5 1:6")
    assert (game.hands, game.trick) == (["", "", "8D 9D TD"], [])


class TestBurnFinishLast:
    RULES = {"burn_finish_last": True}

    def test_out_with_a_two(self):
        game = table(None, "5D 6D | 2D | 8D 9D", leader=0, burn_twos=True, **self.RULES)
        play(game, "0:5 1:2")
        assert (game.places, game.seat) == ([None, 3, None], 2)

    def test_out_with_a_joker(self):
        game = table(None, "5D 6D | * | 8D 9D", leader=0, joker="burn", jokers=1, **self.RULES)
        play(game, "0:5 1:*")
        assert game.places == [None, 3, None]

    def test_out_with_a_bomb(self):
        game = table(None, "5D 6D | 7C 7D 7H 7S | 8D 9D", leader=0, bombs=True, **self.RULES)
        play(game, "0:5 1:7777")
        assert game.places == [None, 3, None]

    def test_out_with_the_3_of_clubs_as_a_bomb(self):
        game = table(None, "5D 6D | 3C | 8D 9D", leader=0, club3_bomb="on_turn", **self.RULES)
        play(game, "0:5 1:3!")
        assert game.places == [None, 3, None]

    def test_a_lead_of_four_is_no_bomb(self):
        game = table(None, "7C 7D 7H 7S | 5D 6D | 8D 9D", leader=0, bombs=True, **self.RULES)
        play(game, "0:7777")
        assert game.places == [1, None, None]

    def test_out_with_a_clearing_rank_is_no_burn(self):
        game = table(None, "5D 6D | 2D | 8D 9D", leader=0, clearing_ranks=["2"], **self.RULES)
        play(game, "0:5 1:2")
        assert game.places == [None, 1, None]

    def test_out_with_a_quartet_is_no_burn(self):
        game = table(None, "5C 5D 6D | 5H 5S | 8D 9D", leader=0, quartet="on_turn", **self.RULES)
        play(game, "0:55 1:55")
        assert game.places == [None, 1, None]

    def test_out_with_an_equal_rank_is_not_meant(self):
        game = table(None, "5D 6D | 5H | 8D 9D", leader=0, equal_rank="burn", **self.RULES)
        play(game, "0:5 1:5")
        assert game.places == [None, 1, None]

    def test_a_bomb_that_is_a_quartet_as_well_is_a_burn(self):
        rules = {"bombs": True, "quartet": "on_turn", **self.RULES}
        game = table(None, "5D 6D | 7C 7D 7H 7S | 8D 9D", leader=0, **rules)
        play(game, "0:5 1:7777")
        assert game.places == [None, 3, None]

    def test_places_close_in_from_both_ends(self):
        game = table(None, "5D 6D | 2D | 2H | 8D 9D | TD 3D", leader=0, burn_twos=True, **self.RULES)
        play(game, "0:5 1:2 2:2")
        assert (game.places, game.seat) == ([None, 5, 4, None, None], 3)
        play(game, "3:8 4:pass 0:pass 3:9 4:T 0:pass 4:3")
        assert game.places == [3, 5, 4, 1, 2]

    def test_the_seat_left_alone_takes_whatever_is_left(self):
        game = table(None, "5D 6D | 2D", leader=0, burn_twos=True, **self.RULES)
        play(game, "0:5 1:2")
        assert (game.over, game.places) == (True, [1, 2])

    def test_without_the_rule_a_burn_finishes_first(self):
        game = table(None, "5D 6D | 2D | 8D 9D", leader=0, burn_twos=True)
        play(game, "0:5 1:2")
        assert game.places == [None, 1, None]


class TestEqualBurnFinishLast:
    RULES = {"equal_rank": "burn", "equal_burn_finish_last": True}

    def test_out_with_an_equal_burn(self):
        game = table(None, "5D 6D | 5H | 8D 9D", leader=0, **self.RULES)
        play(game, "0:5 1:5")
        assert game.places == [None, 3, None]

    def test_out_with_another_burn_is_not_meant(self):
        game = table(None, "5D 6D | 2D | 8D 9D", leader=0, burn_twos=True, **self.RULES)
        play(game, "0:5 1:2")
        assert game.places == [None, 1, None]

    def test_a_quartet_that_is_an_equal_burn_as_well(self):
        game = table(None, "5C 5D 6D | 5H 5S | 8D 9D", leader=0, quartet="on_turn", **self.RULES)
        play(game, "0:55 1:55")
        assert game.places == [None, 3, None]

    def test_a_quartet_out_of_size_is_no_equal_burn(self):
        game = table(None, "5C 6D | 5D 5H 5S | 8D 9D", leader=0, quartet="on_turn", **self.RULES)
        play(game, "0:5 1:555")
        assert game.places == [None, 1, None]

    def test_an_equal_bomb_counts_as_each(self):
        game = table(None, "7C 7D 7H 7S 6D | 7C 7D 7H 7S | 8D 9D", leader=0, decks=2, bombs=True, **self.RULES)
        play(game, "0:7777 1:7777")
        assert game.places == [None, 3, None]

    def test_the_3_of_clubs_bombing_another_three_is_an_equal_burn_as_well(self):
        game = table(None, "3D 6D | 3C | 8D 9D", leader=0, club3_bomb="on_turn", **self.RULES)
        play(game, "0:3 1:3!")
        assert game.places == [None, 3, None]

    def test_bombing_anything_else_it_is_none(self):
        game = table(None, "3D 3H 6D | 3C | 8D 9D", leader=0, club3_bomb="on_turn", **self.RULES)
        play(game, "0:33 1:3!")
        assert game.places == [None, 1, None]

    def test_a_skip_by_equal_rank_is_no_burn(self):
        game = table(None, "5D 6D | 5H | 8D 9D", leader=0, equal_rank="skip", equal_burn_finish_last=True)
        play(game, "0:5 1:5")
        assert game.places == [None, 1, None]


class TestClub3FinishLast:
    RULES = {"club3_finish_last": True}

    def test_out_with_the_3_of_clubs(self):
        game = table(None, "3C | 5D 6D | 8D 9D", leader=0, **self.RULES)
        play(game, "0:3")
        assert game.places == [3, None, None]

    def test_out_with_a_pair_that_contains_it(self):
        game = table(None, "3C 3S | 5D 6D | 8D 9D", leader=0, **self.RULES)
        play(game, "0:33")
        assert game.places == [3, None, None]

    def test_out_with_it_as_a_bomb(self):
        game = table(None, "5D 6D | 3C | 8D 9D", leader=0, club3_bomb="on_turn", **self.RULES)
        play(game, "0:5 1:3!")
        assert game.places == [None, 3, None]

    def test_out_with_another_three(self):
        game = table(None, "3D 3H | 5D 6D | 8D 9D", leader=0, **self.RULES)
        play(game, "0:33")
        assert game.places == [1, None, None]

    def test_played_before_the_last_play_it_does_no_harm(self):
        game = table(None, "3C 4D | 5D 6D | 8D 9D", leader=0, **self.RULES)
        play(game, "0:3 1:pass 2:pass 0:4")
        assert game.places == [1, None, None]

    def test_every_drop_counts_by_itself(self):
        hands = "5C 5D 3C 4D | 6C 6D 8H 9H | 7C 7D 8S 9S | TD"
        game = table(None, hands, leader=0, run_drop=True, **self.RULES)
        play(game, "0:55 1:66 2:77")
        first = game.copy()
        play(first, "0:drop 3 0:drop 4")
        assert first.places == [1, None, None, None]
        play(game, "0:drop 4 0:drop 3")
        assert game.places == [4, None, None, None]


class TestRoles:
    def roles(self, players, **rules):
        """The roles after a round in which seat 0 was first, seat 1 second and so on."""
        hands = [f"{rank}D" for rank in "56789TJQ"[:players]]
        game = table(None, " | ".join(hands), leader=0, rounds=1, **rules)
        assert game.roles == [None] * players
        play(game, " ".join(f"{seat}:{hand[0]}" for seat, hand in enumerate(hands[:-1])))
        return game.roles

    def test_two_players(self):
        assert self.roles(2) == ["president", "bum"]

    def test_three_players_have_no_vices(self):
        assert self.roles(3) == ["president", "neutral", "bum"]

    def test_from_four_players_on_there_are_vices(self):
        assert self.roles(4) == ["president", "vice president", "vice bum", "bum"]
        assert self.roles(6) == ["president", "vice president", "neutral", "neutral", "vice bum", "bum"]

    def test_without_vices(self):
        assert self.roles(5, vice_roles=False) == ["president", "neutral", "neutral", "neutral", "bum"]

    def test_eight_players(self):
        assert self.roles(8) == ["president", "vice president", *["neutral"] * 4, "vice bum", "bum"]

    def test_they_are_those_of_the_last_finished_round(self):
        game = table(None, "5D | 6D | 7D", "5D | 6D | 7D", leader=0, rounds=2)
        play(game, "0:5 1:6")
        assert game.roles == ["president", "neutral", "bum"]
        play(game, "0:5 1:6")
        assert (game.over, game.roles) == (True, ["president", "neutral", "bum"])
