"""The deck and the deal."""

import numpy as np
import pytest

from president_env import Game, Games, Rules
from tests.scenes import play, table

pytestmark = pytest.mark.plain


def dealt(game):
    """Every card in the hands, in order."""
    return sorted(" ".join(game.hands).split())


def test_one_at_a_time_from_the_left_of_the_dealer_so_the_odd_cards_fall_there():
    game = Game(Rules(players=5, dealer=3), seed=4)  # 52 cards: the first two seats have 11
    assert game.hand_sizes == [11, 10, 10, 10, 11]
    assert game.dealer == 3


def test_hands_of_one_size_leave_the_rest_face_down():
    game = Game(Rules(players=5, deal="equal"), seed=4)
    assert game.hand_sizes == [10] * 5
    assert int(np.bitwise_count(game.state[0]["face_down"]).sum()) == 2
    assert len(set(dealt(game))) == 50


def test_a_deck_of_some_ranks_and_suits_with_jokers():
    game = Game(Rules(players=3, ranks="47K", suits=2, jokers=3, joker="wild"), seed=1)
    assert dealt(game) == ["*", "*", "*", "4C", "4D", "7C", "7D", "KC", "KD"]


@pytest.mark.parametrize(("players", "copies"), [(6, 1), (7, 2), (8, 2)])
def test_two_decks_by_themselves_at_seven_and_eight_players(players, copies):
    cards = dealt(Game(Rules(players=players, decks="auto"), seed=1))
    assert len(cards) == 52 * copies
    assert cards.count("TD") == copies


def test_two_decks_when_asked_for():
    assert dealt(Game(Rules(players=3, decks=2, ranks="AK", suits=1), seed=0)) == ["AC", "AC", "KC", "KC"]


def test_the_dealer_of_round_one_is_drawn_from_the_seed():
    rules = Rules(players=3)
    assert {Game(rules, seed=seed).dealer for seed in range(30)} == {0, 1, 2}
    assert [Game(rules, seed=9).dealer for _ in range(3)] == [Game(rules, seed=9).dealer] * 3


def test_the_bum_deals_the_next_round():
    game = table(None, "9C | TC | JC", rounds=2, ranks="9TJQ", first_leader=0)
    play(game, "0:9 1:T")
    assert (game.round, game.dealer) == (2, 2)
    assert game.hand_sizes == [6, 5, 5]  # 16 cards: the odd one falls to the left of the bum


def test_the_rounds_of_a_match_have_different_cards():
    game = Game(Rules(players=3, rounds=2), seed=5)
    while game.round == 1:
        game.play(game.legal[-1])
    assert game.deals[0] != game.deals[1]


def test_every_seat_gets_every_card_as_often_as_any_other():
    games = Games(Rules(players=4, ranks="34567", suits=4), 2000, seed=11)
    holds = (games.games["hands"][:, :4, :5, None] >> np.arange(4)) & 1
    share = holds.mean(axis=0)  # of seat, rank, suit
    assert np.abs(share - 0.25).max() < 0.05  # five standard deviations


def test_all_hands_at_once_are_different_from_seed_to_seed():
    assert len({str(Game(Rules(players=3), seed=seed).hands) for seed in range(40)}) == 40
