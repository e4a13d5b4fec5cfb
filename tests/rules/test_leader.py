"""Who leads a round, and the card that has to be led."""

import pytest

from president_env import Game, Rules
from tests.scenes import play, table

pytestmark = pytest.mark.plain

FIRST_ROUND = "9C | TC | JC"  # 0:9 1:T makes seat 0 president and seat 2 bum


def next_round(hands, **rules):
    """Round 2 with these hands, seat 0 president and seat 2 bum."""
    game = table(None, FIRST_ROUND, hands, leader=0, rounds=2, **rules)
    play(game, "0:9 1:T")
    assert game.round == 2
    return game


def test_a_seat_leads():
    game = table(None, "9D | 3C | 3S 4C", first_leader=2)
    assert (game.seat, game.leader_of_round) == (2, 2)


@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_the_left_of_the_dealer_leads(dealer):
    assert table(None, "9D | 3C | 3S", first_leader="left_of_dealer", dealer=dealer).seat == (dealer + 1) % 3


def test_the_holder_of_the_3_of_clubs_leads_with_what_it_likes():
    game = table(None, "3S 4C | 5D | 3C 3D 8H", first_leader="3C")
    assert game.seat == 2
    assert game.legal == ["3", "8", "33"]


def test_the_holder_of_the_3_of_spades_leads():
    assert table(None, "3C 4C | 3S | 3D", first_leader="3S").seat == 1


@pytest.mark.parametrize(
    ("hands", "holder"),
    [
        ("4D | 3H | 3D", 2),  # no 3 of clubs: the 3 of diamonds comes next
        ("3S | 4C | 4D", 0),
        ("4H | 5C | 4D", 2),  # no three at all: four by four
    ],
)
def test_without_the_3_of_clubs_the_next_card_by_rank_and_suit(hands, holder):
    assert table(None, hands, first_leader="3C").seat == holder


@pytest.mark.parametrize(
    ("hands", "holder"),
    [
        ("3H | 3C | 3D", 1),  # no 3 of spades: clubs, diamonds, hearts
        ("3H | 4S | 3D", 2),
        ("3H | 4C | 4S", 0),
        ("4S | 5C | 4D", 2),  # among the fours spades have no precedence
    ],
)
def test_without_the_3_of_spades_the_other_threes_and_then_the_fours(hands, holder):
    assert table(None, hands, first_leader="3S").seat == holder


@pytest.mark.parametrize(("dealer", "holder"), [(0, 1), (1, 3), (2, 3), (3, 1)])
def test_of_two_decks_the_first_holder_from_the_left_of_the_dealer(dealer, holder):
    assert table(None, "9D | 3C | 8D | 3C", first_leader="3C", decks=2, dealer=dealer).seat == holder


def test_where_there_are_only_jokers_the_first_seat_from_the_left_of_the_dealer():
    game = table(None, "* | * * | *", first_leader="3C", dealer=0, jokers=4, joker="wild")
    assert (game.seat, game.legal) == (1, ["*", "**"])


def test_a_leader_set_by_hand():
    game = table(None, "9D | 3C | 5D", first_leader="3C", leader=2)
    assert (game.seat, game.leader_of_round) == (2, 2)


class TestForcedOpening:
    RULES = {"first_leader": "3C", "opening_card_forced": True}

    def test_the_first_play_contains_the_card(self):
        game = table(None, "4D | 3C 3H 8C 8D | 5D", **self.RULES)
        assert (game.seat, game.legal) == (1, ["3", "33"])

    def test_the_card_itself_is_played(self):
        game = table(None, "4D | 3C 3D 3H 3S | 5D", **self.RULES)
        play(game, "1:3")
        assert game.hand(1) == "3D 3H 3S"

    def test_the_rest_of_the_play_is_the_usual_cards(self):
        game = table(None, "4D | 3C 3D 3H 3S | 5D", **self.RULES)
        play(game, "1:333")
        assert game.hand(1) == "3D"

    def test_later_plays_are_free(self):
        game = table(None, "4D 9D | 3C 8D | 5D 6D", **self.RULES)
        play(game, "1:3 2:pass 0:pass")
        assert (game.seat, game.legal) == (1, ["8"])

    def test_the_card_that_stands_in_is_forced_too(self):
        game = table(None, "4D 9D | 5D | 6D", **self.RULES)
        assert (game.seat, game.legal) == (0, ["4"])

    def test_a_joker_may_lie_beside_it(self):
        game = table(None, "3C 4D * | 5D | 6D", joker="wild", jokers=1, **self.RULES)
        assert game.legal == ["3", "3*"]

    def test_a_wild_six_is_no_opening_six(self):
        game = table(None, "6C 9D | 7D | 8D", ranks="6789", wild_sixes=True, **self.RULES)
        assert game.legal == ["6"]  # 9* would spend it as a wild card

    def test_as_a_bomb_the_3_of_clubs_counts(self):
        rules = {"first_leader": "3S", "opening_card_forced": True, "club3_bomb": "on_turn"}
        game = table(None, "3C 9D | 7D | 8D", **rules)  # the 3 of spades was not dealt
        assert game.legal == ["3", "3!"]

    def test_the_bomb_is_no_3_of_spades(self):
        rules = {"first_leader": "3S", "opening_card_forced": True, "club3_bomb": "on_turn"}
        assert table(None, "3C 3S 9D | 7D | 8D", **rules).legal == ["3", "33"]

    def test_a_leader_set_by_hand_is_free(self):
        assert table(None, "4D 9D | 3C | 5D", leader=0, **self.RULES).legal == ["4", "9"]

    def test_a_leader_set_by_hand_that_the_rule_would_find_is_bound(self):
        assert table(None, "4D 9D | 3C 8D | 5D", leader=1, **self.RULES).legal == ["3"]

    def test_a_leader_set_by_hand_with_the_same_card_of_the_other_deck_is_free(self):
        game = table(None, "9D | 3C 7D | 3C 8D", leader=2, decks=2, dealer=0, **self.RULES)
        assert game.legal == ["3", "8"]

    def test_later_rounds_as_in_round_one_again(self):
        game = next_round("3C 4C | 5C | 6C", next_leader="opening", **self.RULES)
        assert (game.seat, game.legal) == (0, ["3"])

    def test_a_bum_who_leads_is_free_even_with_the_card(self):
        game = next_round("8C | 5C | 3C 6C", next_leader="bum", **self.RULES)
        assert (game.seat, game.legal) == (2, ["3", "6"])

    def test_a_president_who_leads_is_free_too(self):
        game = next_round("3C 6C | 5C | 8C", next_leader="president", **self.RULES)
        assert (game.seat, game.legal) == (0, ["3", "6"])


class TestLaterRounds:
    def test_the_bum_leads(self):
        assert next_round("3C | 5C | 6C", next_leader="bum").leader_of_round == 2

    def test_the_president_leads(self):
        assert next_round("4C | 3C | 6C", next_leader="president").leader_of_round == 0

    def test_auto_is_the_bum_where_there_is_an_exchange(self):
        game = next_round("4C 5C | 3C 6C | 7C 8C", first_leader="3C", exchange="best", exchange_return="none")
        assert game.leader_of_round == 2

    def test_auto_is_the_bum_even_if_nothing_changed_hands(self):
        game = next_round("4C 5C | 3C 6C | 7C", first_leader="3C", exchange="best")
        assert game.hands == ["4C 5C", "3C 6C", "7C"]  # a giver keeps a card
        assert game.leader_of_round == 2

    def test_auto_is_as_in_round_one_without_an_exchange(self):
        assert next_round("4C | 3C | 6C", first_leader="3C").leader_of_round == 1

    def test_left_of_the_dealer_again_is_left_of_the_bum(self):
        assert next_round("4C | 3C | 6C", first_leader="left_of_dealer").leader_of_round == 0

    def test_the_opening_card_is_looked_for_after_the_exchange(self):
        rules = {"exchange": "ask", "exchange_return": "none", "exchange_cards": (1, 1)}
        game = next_round("4C 5C | 9C 6C | 3C 8C", first_leader="3C", next_leader="opening", **rules)
        assert game.leader_of_round is None
        play(game, "0:ask 3C")
        assert (game.hand(0), game.leader_of_round) == ("3C 4C 5C", 0)

    def test_a_leader_set_by_hand_leads_round_one_only(self):
        assert next_round("4C | 3C | 6C", first_leader=1).leader_of_round == 1


def test_the_leader_of_a_dealt_round_holds_the_card():
    for seed in range(10):
        game = Game(Rules.preset("butt", players=5), seed=seed)
        assert "3C" in game.hand(game.seat).split()
        assert {text[0] for text in game.legal} == {"3"}
