"""A match: rounds, scores, targets, tiebreaks."""

import pytest

from tests.scenes import play, table

pytestmark = pytest.mark.plain

HANDS = "9C | TC | JC | QC"
ROUND = "0:9 1:T 2:J"
"""Seat 0 first, then 1, 2, 3."""


def match(rounds_of_hands=1, **rules):
    """A match whose first rounds all end with the places 1 2 3 4."""
    game = table(None, *[HANDS] * rounds_of_hands, first_leader=0, **rules)
    for _ in range(rounds_of_hands):
        play(game, ROUND)
    return game


@pytest.mark.parametrize(
    ("scoring", "points"),
    [
        ("places", [4, 3, 2, 1]),
        ("opponents_below", [3, 2, 1, 0]),
        ("president_two", [2, 1, 0, 0]),
        ("presidencies", [1, 0, 0, 0]),
        ("none", [0, 0, 0, 0]),
    ],
)
def test_scorings(scoring, points):
    assert match(scoring=scoring).scores == points


def test_without_a_vice_president_nobody_has_one_point():
    assert match(scoring="president_two", vice_roles=False).scores == [2, 0, 0, 0]


def test_three_players_have_no_vice_president_either():
    game = table(None, "9C | TC | JC", first_leader=0, scoring="president_two")
    play(game, "0:9 1:T")
    assert game.scores == [2, 0, 0]


def test_scores_add_up_over_the_rounds():
    game = match(2, rounds=2, scoring="places")
    assert (game.over, game.scores, game.round) == (True, [8, 6, 4, 2], 2)


def test_places_are_those_of_the_round_being_played_and_after_the_match_of_the_last():
    game = match(1, rounds=2, scoring="places")
    assert (game.round, game.places, game.over) == (2, [None] * 4, False)
    assert match(2, rounds=2).places == [1, 2, 3, 4]


def test_a_match_of_one_round():
    game = match()
    assert (game.over, game.seat, game.phase, game.round) == (True, None, "over", 1)


def test_a_target_ends_the_match_with_the_round_in_which_it_is_reached():
    game = match(1, rounds=None, target_score=7, scoring="places")
    assert not game.over
    assert match(2, rounds=None, target_score=7, scoring="places").over
    assert match(2, rounds=None, target_score=8, scoring="places").over
    assert not match(2, rounds=None, target_score=9, scoring="places").over


def test_rounds_and_target_whichever_comes_first():
    assert match(1, rounds=3, target_score=4, scoring="places").over
    assert match(2, rounds=2, target_score=99, scoring="places").over


class TestTiebreak:
    TIED = ("9C 3C | TC", "9C | TC 3C")
    """Rounds of two that seat 0 leads: 0:9 1:T makes seat 1 first, then 0:9 seat 0."""
    RULES = {"first_leader": 0, "scoring": "places", "tiebreak": True}

    def test_a_tie_at_the_top_brings_one_more_round(self):
        game = table(None, *self.TIED, "9C | TC", rounds=2, **self.RULES)
        play(game, "0:9 1:T 0:9")
        assert (game.over, game.scores, game.round) == (False, [3, 3], 3)
        play(game, "0:9")
        assert (game.over, game.scores) == (True, [5, 4])

    def test_without_a_tie_the_match_ends(self):
        game = table(None, self.TIED[0], rounds=1, **self.RULES)
        play(game, "0:9 1:T")
        assert (game.over, game.scores) == (True, [1, 2])

    def test_without_the_rule_a_tie_stands(self):
        game = table(None, *self.TIED, rounds=2, **{**self.RULES, "tiebreak": False})
        play(game, "0:9 1:T 0:9")
        assert (game.over, game.scores) == (True, [3, 3])

    def test_when_the_target_has_been_reached_too(self):
        game = table(None, *self.TIED, "9C | TC", rounds=None, target_score=3, **self.RULES)
        play(game, "0:9 1:T 0:9")
        assert (game.over, game.scores) == (False, [3, 3])
        play(game, "0:9")
        assert game.over

    def test_a_tie_of_three(self):
        hands = "9C | TC | JC", "9C 3C | TC | JC", "9C 3C | TC 3D | JC"
        game = table(None, *hands, rounds=3, **{**self.RULES, "scoring": "presidencies"})
        play(game, "0:9 1:T 0:9 1:T 2:J 0:9 1:T 2:J 0:pass 1:pass 0:3")
        assert (game.over, game.scores, game.round) == (False, [1, 1, 1], 4)

    def test_a_tie_below_the_top_does_not_count(self):
        assert match(1, scoring="president_two", tiebreak=True, rounds=1).over

    def test_the_extra_round_is_a_round_like_any_other(self):
        hands = self.TIED[0], "5C 9C | QC 3C", "4C 5C | 9C TC JC"
        game = table(None, *hands, rounds=2, exchange="best", exchange_return="none", **self.RULES)
        play(game, "0:9 1:T")
        assert game.hands == ["5C", "3C 9C QC"]
        play(game, "0:5")
        assert (game.round, game.scores) == (3, [3, 3])
        assert (game.hands, game.seat) == (["4C 5C TC JC", "9C"], 1)  # the bum gave two and leads
        play(game, "1:9")
        assert (game.over, game.scores) == (True, [4, 5])
