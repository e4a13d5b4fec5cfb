"""Duplicate deals: every bot gets every hand, the tables repeat, and the intervals are honest."""

import json
import math

import numpy as np
import pytest

from president_env import Rules, arena, bots
from president_env.arena import Results, interval, play_duplicates

QUEBEC = Rules.preset("quebec", players=4, rounds=1)


class Slow:
    """A bot without `act_batch`: first legal move that is no pass."""

    name = "slow"

    def __init__(self):
        self.openings = []

    def act(self, view, legal):
        if not view.trick and len(view.hand(view.seat).split()) == 13:
            self.openings.append((view.seat, view.hand(view.seat)))
        return legal[-1]


def test_equal_bots_share_places_evenly():
    easy = bots.make("easy")
    results = play_duplicates(QUEBEC, [easy] * 4, num_deals=50, seed=3)
    assert results.rewards.shape == (50, 4, 4)
    assert np.allclose(results.rewards.sum(axis=2), 0.0)
    assert (results.rounds == 1).all()
    # the same four bots in every rotation: each deal gives each of them each seat's result once
    assert np.allclose(results.rewards.mean(axis=(1, 2)), 0.0)
    assert results.reward(0).mean == pytest.approx(0.0)
    assert results.place(2).mean == pytest.approx(2.5)
    assert results.first_share(1).mean == pytest.approx(0.25)


def test_easy_beats_random_and_places_go_with_rewards():
    easy, random = bots.make("easy"), bots.make("random", seed=1)
    results = play_duplicates(QUEBEC, [easy, random, random, random], num_deals=300)
    assert results.reward(0).low > 0.6
    assert results.place(0).mean == pytest.approx(1 + 1.5 * (1 - results.reward(0).mean))
    assert results.first_share(0).low > 0.5
    assert results.summary(0)["reward"]["mean"] == results.reward(0).mean


def test_the_same_seed_gives_the_same_results_and_another_does_not():
    def rewards(seed):
        lineup = [bots.make("easy"), *[bots.make("random", seed=2)] * 3]
        return play_duplicates(QUEBEC, lineup, num_deals=20, seed=seed).rewards

    assert (rewards(4) == rewards(4)).all()
    assert (rewards(4)[1:] == rewards(5)[:-1]).all(), "deal 5 is deal 5, whatever deals come before"
    assert (rewards(4) != rewards(5)).any()


def test_every_seat_gets_the_same_cards():
    slow = Slow()
    play_duplicates(QUEBEC, [slow, *[bots.make("easy")] * 3], num_deals=6)
    alone = Slow()
    play_duplicates(QUEBEC, [alone] * 4, num_deals=6)
    # the holder of the 3 of clubs opens, so one rotation in four has the slow bot lead, with the cards of that deal
    assert set(slow.openings) == set(alone.openings)
    assert len(set(slow.openings)) == 6


def test_a_bot_that_plays_one_game_at_a_time_gets_the_same_results():
    class OneByOne:
        name = "easy, one by one"

        def __init__(self):
            self.act = bots.make("easy").act

    random = bots.make("random", seed=2)
    fast = play_duplicates(QUEBEC, [bots.make("easy"), *[random] * 3], num_deals=5)
    slow = play_duplicates(QUEBEC, [OneByOne(), *[random] * 3], num_deals=5)
    assert (fast.rewards == slow.rewards).all()


def test_a_match_of_several_rounds_counts_each_round():
    rules = Rules.preset("quebec", players=4, rounds=3, tiebreak=False)
    results = play_duplicates(rules, [bots.make("easy")] * 4, num_deals=10)
    assert (results.rounds == 3).all()
    assert (results.firsts.sum(axis=2) == 3).all()


def test_a_lineup_needs_a_bot_a_seat():
    with pytest.raises(ValueError, match="a lineup of 2 bots for 4 players"):
        play_duplicates(QUEBEC, [bots.make("easy")] * 2, num_deals=1)


@pytest.mark.parametrize(
    ("size", "quantile"), [(2, 12.706), (3, 4.303), (4, 3.182), (6, 2.571), (11, 2.228), (31, 2.042)]
)
def test_intervals_use_students_t(size, quantile):
    values = np.arange(size, dtype=float)
    expected = quantile * values.std(ddof=1) / math.sqrt(size)
    assert interval(values).half_width == pytest.approx(expected, rel=0.01)


@pytest.mark.parametrize(("name", "rounds", "rotations"), [("random", 1, 4), ("random", 2, 4), ("easy", 1, 1)])
def test_intervals_cover_the_truth(name, rounds, rotations):
    """Of 200 small evaluations of equal players, about 95 in 100 must cover 0.

    Players that draw moves differ in all rotations. For players that do not, the rotations of a deal cancel exactly:
    what varies is one rotation alone.
    """
    rules = Rules.preset("quebec", players=4, rounds=rounds, target_score=None)
    one, other = bots.make(name, seed=1), bots.make(name, seed=2)
    results = play_duplicates(rules, [one, other, other, other], num_deals=200 * 8)
    covered = []
    for first in range(0, 200 * 8, 8):
        some = np.s_[first : first + 8, :rotations]
        estimate = Results(results.rewards[some], results.places[some], results.rounds[some]).reward(0)
        covered.append(estimate.low <= 0 <= estimate.high)
    assert 0.91 <= np.mean(covered) <= 0.985


@pytest.mark.parametrize(("preset", "players"), [("quebec", 4), ("norwegian", 5), ("house", 3)])
def test_places_are_counted_for_every_round(preset, players):
    rules = Rules.preset(preset, players=players, rounds=2, target_score=None, tiebreak=False)
    lineup = [bots.make("easy"), *[bots.make("random", seed=2)] * (players - 1)]
    results = play_duplicates(rules, lineup, num_deals=12)
    assert (results.places.sum(axis=3) == 2).all(), "each bot ends each round in one place"
    assert (results.places.sum(axis=2) == 2).all(), "and each place is taken once"
    rewards = (results.places * np.linspace(1, -1, players)).sum(axis=3)
    assert np.allclose(rewards, results.rewards)


def test_the_reward_at_a_seat_is_that_of_the_rotation_that_sits_there():
    easy, random = bots.make("easy"), bots.make("random", seed=1)
    results = play_duplicates(QUEBEC, [random, easy, random, random], num_deals=10)
    # the bot 1 of the lineup sits at seat 0 in rotation 3
    assert results.reward(1, seat=0).mean == pytest.approx(results.rewards[:, 3, 1].mean())
    seats = [results.reward(1, seat).mean for seat in range(4)]
    assert np.mean(seats) == pytest.approx(results.reward(1).mean)


evaluate = pytest.importorskip("training.evaluate")


def run(capsys, *arguments):
    status = evaluate.main([str(argument) for argument in arguments])
    said = capsys.readouterr()
    return status, said.out, said.err


def test_the_command_prints_a_table_and_repeats_it(capsys, tmp_path):
    command = ["--rules", "quebec", "--players", 4, "--agent", "easy", "--against", "random", "--against", "easy"]
    command += ["--deals", 30, "--seed", 2, "--json", tmp_path / "results.json"]
    status, table, _ = run(capsys, *command)
    assert status == 0
    assert "3 × random" in table
    assert "3 × easy" in table
    assert run(capsys, *command)[1] == table
    written = json.loads((tmp_path / "results.json").read_text())
    assert written["against"]["easy"]["reward"]["mean"] == pytest.approx(0.0)
    assert written["rules"]["rounds"] == 1


def test_a_mix_of_opponents_and_whole_matches(capsys, tmp_path):
    command = ["--rules", "quebec", "--players", 4, "--agent", "hard", "--deals", 4, "--json", tmp_path / "r.json"]
    status, table, _ = run(capsys, *command, "--against", "easy,random,level1", "--match", "--seats")
    assert status == 0
    assert "Mean reward at each seat" in table
    assert "seat 3" in table
    written = json.loads((tmp_path / "r.json").read_text())
    assert written["rules"] == Rules.preset("quebec", players=4).to_dict()
    seats = written["against"]["easy,random,level1"]["reward_at_seats"]
    assert len(seats) == 4


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--agent", "esay", "--rules", "quebec"], "did you mean 'easy'"),
        (["--agent", "easy", "--rules", "quebek"], "quebec"),
        (["--agent", "easy"], "--rules is missing"),
        (["--agent", "none.safetensors"], "no such policy file"),
        (["--agent", "easy", "--rules", "quebec", "--players", "9"], "players"),
        (["--agent", "easy", "--rules", "none.yaml"], "none.yaml"),
        (["--agent", "easy", "--rules", "quebec", "--deals", "0"], "at least 1"),
        (["--agent", "easy", "--rules", "quebec", "--against", "easy,hard"], "or 3 for each its own"),
    ],
)
def test_mistakes_are_told_in_a_line(capsys, arguments, named):
    status, out, said = run(capsys, *arguments, "--against", "easy")
    assert status == 2
    assert out == ""
    assert said.startswith("evaluate: ")
    assert named in said
    assert said.count("\n") <= 2


def test_bots_come_by_name_or_file():
    assert arena.make_bot("easy").name == "easy"
    with pytest.raises(ValueError, match="no such policy file"):
        arena.make_bot("policy.safetensors")
