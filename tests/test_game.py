"""Game: making one, asking it, moving in it, views, and what it refuses."""

import json
import pickle

import numpy as np
import pytest

from president_env import Game, IllegalMove, Rules
from president_env.game import MAX_SEED
from tests.scenes import play, table

pytestmark = pytest.mark.plain


def everything(game):
    """All that a game shows."""
    names = "phase seat legal hands trick history deals places roles scores round dealer reversed over seed"
    return [getattr(game, name) for name in names.split()]


# Making a game


def test_the_same_seed_gives_the_same_game():
    rules = Rules.preset("quebec")
    assert everything(Game(rules, seed=7)) == everything(Game(rules, seed=7))
    assert Game(rules, seed=7).hands != Game(rules, seed=8).hands


def test_without_a_seed_one_is_drawn_and_told():
    rules = Rules.preset("quebec")
    game, other = Game(rules), Game(rules)
    assert game.seed != other.seed
    assert Game(rules, seed=game.seed).hands == game.hands


@pytest.mark.parametrize("seed", [0, MAX_SEED, np.int64(5)])
def test_seeds_from_0_to_the_largest(seed):
    assert Game(Rules(), seed=seed).seed == int(seed)


@pytest.mark.parametrize("seed", [-1, MAX_SEED + 1, 1.5, "7", True])
def test_other_seeds_are_refused(seed):
    with pytest.raises(ValueError, match=r"^seed .* is not a whole number from 0 to 9223372036854775807$"):
        Game(Rules(), seed=seed)


def test_a_game_takes_rules_and_not_their_name():
    with pytest.raises(ValueError, match=r"^rules: 'quebec' was given; wanted are Rules, as Rules.preset\('quebec'\)$"):
        Game("quebec")  # type: ignore[arg-type]


@pytest.mark.parametrize("leader", [-1, 4, "0", 1.0, True])
def test_a_leader_who_is_not_at_the_table(leader):
    with pytest.raises(ValueError, match=r"leader .* is not at the table: seats are 0 to 3"):
        Game(Rules(), leader=leader)


@pytest.mark.parametrize(
    ("hands", "message"),
    [
        (["3C", "4C"], "round 1 gives 2 hands; the rules want a list of 3 hands"),
        ("3C 4C 5C", "round 1 gives '3C 4C 5C'; the rules want a list of 3 hands"),
        (["3C", "", "5C"], "the hand of seat 1 in round 1 is empty"),
        (["3C", "4X", "5C"], "unknown card '4X'"),
        (["3C", "10C", "5C"], "unknown card '10C' (did you mean TC?)"),
        (["3C", "4C *", "5C"], "round 1 has *, a card that the deck of these rules lacks"),
        (["3C", "4H", "5C"], "round 1 has 4H, a card that the deck of these rules lacks"),
        (["3C", "4C 4C 4C", "5C"], "the hand of seat 1 in round 1 has more than two of 4C"),
    ],
)
def test_hands_that_the_deck_does_not_have(hands, message):
    with pytest.raises(ValueError) as error:
        Game(Rules(players=3, ranks="345", suits=2), deals=[hands])
    assert message in str(error.value)


def test_a_bad_second_deal_is_refused_at_once():
    with pytest.raises(ValueError, match="the hand of seat 0 in round 2 is empty"):
        table(None, "3C | 4C | 5C", " | 4C | 5C", rounds=2)


def test_given_hands_are_any_cards_and_more_rounds_are_dealt_from_the_seed():
    game = table(None, "3C | 4C | 5C", rounds=2, leader=0, seed=3)
    play(game, "0:3 1:4")
    assert game.deals[0] == ["3C", "4C", "5C"]
    assert sum(game.hand_sizes) == 52


def test_hands_are_shown_in_order_whatever_the_order_they_were_given_in():
    assert table(None, "KD 3S 3C TH | 4C | 5C").hand(0) == "3C 3S TH KD"


def test_for_studies_a_hand_may_hold_a_second_copy_that_one_deck_lacks():
    game = table(None, "9C 9C | 4C | 5C", leader=0)
    assert game.legal == ["9", "99"]


# Moving


def test_an_illegal_move_names_the_move_the_seat_and_the_legal_ones():
    game = table("basic", "6C 6D | 5D 9H 9S | KD", leader=0)
    play(game, "0:6")
    with pytest.raises(IllegalMove, match=r"^seat 1 may not play '99'; legal are pass, 9$"):
        game.play("99")


@pytest.mark.parametrize("text", ["5", "PASS", "", "9 ", "10", "give 9", "3!", "*", "stop"])
def test_an_illegal_move_leaves_the_game_unchanged(text):
    game = table("basic", "6C 6D | 5D 9H 9S | KD", leader=0)
    play(game, "0:6")
    before, state = everything(game), game.state.copy()
    with pytest.raises(IllegalMove):
        game.play(text)
    assert everything(game) == before
    assert (game.state == state).all()


def test_after_the_end_nothing_can_be_played():
    game = table("basic", "6C | 9H 9S | KD", leader=0)
    play(game, "0:6 1:pass 2:K")
    before = everything(game)
    assert game.over
    with pytest.raises(IllegalMove, match="'9' cannot be played: the match is over"):
        game.play("9")
    with pytest.raises(IllegalMove, match="the match is over"):
        game.play_id(0)
    assert everything(game) == before
    assert not game.action_mask().any()


def test_moves_by_id():
    game = table("basic", "6C 6D | 5D 9H 9S | KD", leader=0)
    game.play_id(game.table.id("66"))
    assert game.trick == [(0, "66")]
    assert game.legal_ids == [game.table.id("pass"), game.table.id("99")]
    game.play_id(np.int64(game.legal_ids[1]))  # type: ignore[arg-type]
    assert game.trick == [(0, "66"), (1, "99")]


@pytest.mark.parametrize("action", [-1, 53, 1.0, "1", True, None])
def test_an_id_that_is_none(action):
    game = table("basic", "6C 6D | 5D 9H 9S | KD", leader=0)
    with pytest.raises(IllegalMove, match=r"is no id of these rules: ids are 0 to 52"):
        game.play_id(action)


def test_an_id_that_is_not_legal_is_told_by_its_text():
    game = table("basic", "6C 6D | 5D 9H 9S | KD", leader=0)
    with pytest.raises(IllegalMove, match=r"seat 0 may not play 'pass' \(id 0\); legal are 6, 66"):
        game.play_id(0)


# Asking


def test_history_and_trick():
    game = table("basic", "6C 8D | 5D 9H 9S | 7D KD", leader=0, rounds=2)
    play(game, "0:6 1:pass 2:7")
    assert game.history == [(1, 0, "6"), (1, 1, "pass"), (1, 2, "7")]
    assert game.trick == [(0, "6"), (2, "7")]


@pytest.mark.parametrize("seat", [-1, 3, None])
def test_a_seat_that_is_not_at_the_table(seat):
    game = table("basic", "6C | 5D | KD")
    for ask in (game.hand, game.view, game.observation):
        with pytest.raises(ValueError, match=f"seat {seat} is not at the table: seats are 0 to 2"):
            ask(seat)


def test_what_is_handed_out_does_not_reach_into_the_game():
    game = table("basic", "6C 8D | 5D 9H 9S | 7D KD", leader=0)
    play(game, "0:6")
    before = everything(game)
    for handed in (game.trick, game.history, game.hands, game.deals, game.deals[0], game.places, game.scores):
        handed.clear()
    game.hand_masks(1)[:] = 0
    game.action_mask()[:] = 0
    assert everything(game) == before


def test_a_game_says_in_a_line_where_it_stands():
    game = table("basic", "6C 8D | 5D 9H 9S | 7D KD", leader=1)
    assert repr(game) == "<Game of 3 players, round 1, play, seat 1>"
    assert repr(game.view(2)) == "<Game of 3 players, round 1, play, seat 1, seen by seat 2>"


# Views and copies


def test_a_view_knows_the_own_hand_and_the_sizes_of_the_others():
    view = table("basic", "6C 8D | 5D 9H 9S | 7D", leader=0).view(1)
    assert view.hands == [None, "5D 9H 9S", None]
    assert view.hand_sizes == [2, 3, 1]
    assert view.deals == [[None, "5D 9H 9S", None]]
    assert view.seed is None
    assert not view.hand_masks(0).any()


def test_a_view_has_legal_moves_for_its_own_seat_only():
    game = table("basic", "6C 8D | 5D 9H 9S | 7D KD", leader=0)
    assert game.view(0).legal == ["6", "8"]
    assert game.view(1).legal == []
    assert not game.view(1).action_mask().any()


def test_a_view_cannot_be_played_on():
    view = table("basic", "6C 8D | 5D 9H 9S | 7D KD", leader=0).view(0)
    with pytest.raises(IllegalMove, match="'6' cannot be played on a view; play it on the game"):
        view.play("6")


def test_a_view_stays_as_it_was():
    game = table("basic", "6C 8D | 5D 9H 9S | 7D KD", leader=0)
    view = game.view(0)
    play(game, "0:6")
    assert (view.trick, view.history, view.hand(0)) == ([], [], "6C 8D")


def test_a_view_has_no_view_of_another_seat():
    view = table("basic", "6C 8D | 5D 9H 9S | 7D KD", leader=0).view(1)
    with pytest.raises(ValueError, match=r"^this is the view of seat 1; ask the game for that of seat 2$"):
        view.view(2)


def test_a_view_of_a_view_of_the_same_seat_is_the_same():
    view = table("basic", "6C 8D | 5D 9H 9S | 7D KD", leader=0).view(0)
    assert everything(view.view(0)) == everything(view)


def test_a_copy_goes_its_own_way():
    game = table("basic", "6C 8D | 5D 9H 9S | 7D KD", leader=0)
    copy = game.copy()
    play(copy, "0:6 1:9")
    play(game, "0:8")
    assert (game.trick, game.hand(0)) == ([(0, "8")], "6C")
    assert (copy.trick, copy.hand(0)) == ([(0, "6"), (1, "9")], "8D")


def test_a_view_holds_nothing_hidden_even_inside():
    game = Game(Rules.preset("norwegian", players=6, middle_trade=True, exchange="any", rounds=2), seed=3)
    while game.round == 1:
        game.play(game.legal[0])
    while game.phase in ("exchange", "trade"):
        game.play(game.legal[0])
    view = pickle.loads(pickle.dumps(game.view(1)))  # the project's own object, made here
    inside = repr({name: value for name, value in vars(view).items() if not name.startswith(("rules", "table"))})
    for seat, hand in enumerate(game.deals[1]):
        assert (str(hand) in inside) == (seat == 1)
    own = [text for _, seat, text in view.history if seat == 1 and text.startswith("give")]
    assert own
    assert "give ?" not in own
    assert any(text == "give ?" for _, seat, text in view.history if seat != 1)


def test_given_deals_of_rounds_not_reached_are_not_recorded():
    deals = [["3C 4C 3S", "5C 6C 3H", "7C 8C 5S", "9C TC 6S"]] * 2
    game = Game(Rules.preset("quebec", players=4, rounds=2), seed=1, deals=deals)
    assert Game.replay(game.record()).hands == game.hands


def test_a_leader_of_numpy_is_recorded_as_a_number():
    game = Game(Rules.preset("quebec"), seed=1, leader=np.int64(2))  # type: ignore[arg-type]
    assert json.loads(json.dumps(game.record()))["leader"] == 2
