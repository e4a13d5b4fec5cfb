"""Worlds of a view: always found, always in agreement with it, under every rule set."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from president_env import Game, Rules
from president_env.bots.determinize import determinize, worlds_of
from president_env.cards import RANKS
from president_env.engine.state import GAME
from tests.scenes import play, table
from tests.strategies import positions, preset_rules

HIDDEN = ("seed", "rng")
"""Fields of a record that its view has wiped for all."""


def agrees(game: Game, view: Game) -> None:
    """The game's own view is the view it was made from."""
    assert view.viewer is not None
    seen = game.view(view.viewer)
    for name in GAME.names or ():
        if name not in HIDDEN:
            assert np.array_equal(seen.state[0][name], view.state[0][name]), name
    assert seen.history == view.history
    assert seen.deals == view.deals


def deck_is_whole(game: Game) -> None:
    state = game.state[0]
    held = np.bitwise_count(state["hands"]).sum(axis=0) + np.bitwise_count(state["played"]).sum(axis=0)
    assert (held + np.bitwise_count(state["face_down"]) == state["deck_count"]).all()


@given(positions(), st.integers(0, 2**32))
def test_a_world_agrees_with_the_view_under_any_rules(game, seed):
    for viewer in range(game.rules.players):
        view = game.view(viewer)
        world = determinize(view, seed)
        agrees(world, view)
        deck_is_whole(world)


@given(positions(preset_rules(), max_moves=400), st.integers(0, 2**32))
def test_a_world_agrees_with_the_view_under_every_preset(game, seed):
    viewer = game.rules.players - 1 if game.seat is None else game.seat
    view = game.view(viewer)
    world = determinize(view, seed)
    agrees(world, view)
    deck_is_whole(world)


@given(positions(max_moves=60), st.integers(0, 2**32))
def test_a_world_can_be_played_to_its_end(game, seed):
    world = determinize(game.view(0), seed)
    for _ in range(3000):
        if world.over or world.round > game.round:
            return
        world.play(world.legal[-1])
    raise AssertionError("the round does not end")


def test_the_same_seed_is_the_same_world():
    view = Game(Rules.preset("quebec"), seed=3).view(1)
    first, again, other = (determinize(view, seed).hands for seed in (1, 1, 2))
    assert first == again != other


def after_one_round(**overrides) -> Game:
    """Three players of whom seat 0 is president and seat 2 bum, in the exchange before round 2."""
    second = "3D 4D 8C 8D | 3H 6H TH JH | 5S 7S 9S KS"
    game = table(None, "3C | 4C | 5C 6C", second, exchange="best", rounds=2, exchange_cards=(2, 1), **overrides)
    play(game, "0:3 1:4")
    assert (game.phase, game.seat) == ("exchange", 0)
    return game


def test_the_bum_kept_nothing_above_what_it_gave():
    game = after_one_round()
    for world in worlds_of(game.view(0), 50, 1):
        assert not world["hands"][2][RANKS.index("T") :].any()


def test_the_bum_knows_where_the_cards_are_that_it_gave():
    game = after_one_round()
    play(game, "0:give 3 0:give 4")
    for world in worlds_of(game.view(2), 50, 1):
        assert all(world["hands"][0][RANKS.index(rank)] for rank in "9K")


def test_others_know_that_two_best_cards_moved():
    game = after_one_round()
    play(game, "0:give 3 0:give 4")
    for world in worlds_of(game.view(1), 50, 1):
        kept = world["hands"][2] & ~world["returned"][0]
        assert np.flatnonzero(kept).max() <= np.flatnonzero(world["taken"][0]).min()
        assert int(np.bitwise_count(world["taken"][0]).sum()) == int(np.bitwise_count(world["returned"][0]).sum()) == 2


def test_who_played_a_diamond_holds_no_spade_of_that_rank():
    game = table("basic", "4C 9D | 5D 8S | 5S 4D | 5C 7H", leader=1)
    play(game, "1:5 2:pass 3:7 0:9 1:pass 2:pass 3:pass")
    fives = [str(determinize(game.view(0), seed).hand(1)).split() for seed in range(400)]
    assert not any("5S" in hand for hand in fives)
    assert any("5C" in hand for hand in fives)


def test_a_game_itself_has_nothing_to_fill_in():
    with pytest.raises(ValueError, match="give the view of a seat"):
        determinize(Game(Rules()), 1)
