"""Duplicate deals: every bot gets every hand, the tables repeat, and the intervals are honest."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from president_env import Rules, arena, bots
from president_env.arena import Results, interval, play_duplicates
from president_env.bots.policy import save_policy
from president_env.game import MAX_SEED
from tests.test_policy import random_tensors

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
    assert results.summary(0)["reward"]["mean"] == pytest.approx(results.reward(0).mean, abs=1e-5)


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


@pytest.mark.parametrize("rounds", [3, 120])
def test_a_match_of_several_rounds_counts_each_round(rounds):
    rules = Rules.preset("quebec", players=4, rounds=rounds, tiebreak=False)
    results = play_duplicates(rules, [bots.make("easy")] * 4, num_deals=5)
    assert (results.rounds == rounds).all()
    assert (results.firsts.sum(axis=2) == rounds).all()


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


def test_deals_come_out_the_same_however_many_are_played_at_once(monkeypatch):
    """What training.parts rests on: bots draw by seed and view, and keep nothing from one game for the next."""
    lineup = [bots.make(name, seed=k) for k, name in enumerate(("level4", "random", "level3", "random"))]
    at_once = play_duplicates(QUEBEC, lineup, num_deals=4)
    monkeypatch.setattr(arena, "ROWS_AT_ONCE", 4)
    one_by_one = play_duplicates(QUEBEC, lineup, num_deals=4)
    assert (one_by_one.rewards == at_once.rewards).all()


evaluate = pytest.importorskip("training.evaluate")
parts = pytest.importorskip("training.parts")


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


LONG = ["--rules", "basic", "--agent", "easy", "--against", "random", "--against", "random,level1", "--deals", 12]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """JSON and CSV of an evaluation that nothing interrupted."""
    json_file, csv_file = (tmp_path_factory.mktemp("whole") / name for name in ("r.json", "r.csv"))
    command = [*LONG, "--players", 3, "--json", json_file, "--csv", csv_file]
    assert evaluate.main([str(argument) for argument in command]) == 0
    return json_file.read_text(), csv_file.read_text()


@pytest.fixture
def small_parts(monkeypatch):
    monkeypatch.setattr(parts, "PART_DEALS", 5)


@pytest.mark.usefixtures("small_parts")
def test_two_processes_come_to_the_same_as_one(capsys, tmp_path, whole):
    command = [*LONG, "--players", 3, "--json", tmp_path / "r.json", "--csv", tmp_path / "r.csv", "--processes", 2]
    assert run(capsys, *command)[0] == 0
    assert ((tmp_path / "r.json").read_text(), (tmp_path / "r.csv").read_text()) == whole


@pytest.mark.usefixtures("small_parts")
def test_a_stopped_evaluation_goes_on_and_comes_to_the_same(capsys, tmp_path, monkeypatch, whole):
    command = [*LONG, "--players", 3, "--json", tmp_path / "r.json", "--folder", tmp_path / "kept"]
    make, made = parts.make_part, list[Path]()

    def stopped(part, file):
        if len(made) == 4:
            raise KeyboardInterrupt
        made.append(file)
        return make(part, file)

    monkeypatch.setattr(parts, "make_part", stopped)
    status, out, said = run(capsys, *command)
    assert (status, out, said) == (parts.STOPPED, "", "evaluate: stopped; the same command goes on from here\n")
    assert not (tmp_path / "r.json").exists()
    kept = {file: file.stat().st_mtime_ns for file in made}
    monkeypatch.setattr(parts, "make_part", make)
    assert run(capsys, *command)[0] == 0
    assert (tmp_path / "r.json").read_text() == whole[0]
    assert {file: file.stat().st_mtime_ns for file in made} == kept
    assert len(list((tmp_path / "kept" / "parts").iterdir())) == 2 * 3


@pytest.mark.usefixtures("small_parts")
def test_a_damaged_part_is_named_and_played_again_when_it_is_gone(capsys, tmp_path, whole):
    command = [*LONG, "--players", 3, "--json", tmp_path / "r.json", "--folder", tmp_path / "kept"]
    assert run(capsys, *command)[0] == 0
    damaged = min((tmp_path / "kept" / "parts").iterdir())
    content = damaged.read_bytes()
    for left in (b"", b"no archive", content[:300]):
        damaged.write_bytes(left)
        status, _, said = run(capsys, *command)
        assert status == 2
        assert said == f"evaluate: {damaged}: damaged; delete it, and the same command plays its deals again\n"
    damaged.unlink()
    assert run(capsys, *command)[0] == 0
    assert (tmp_path / "r.json").read_text() == whole[0]


@pytest.mark.usefixtures("small_parts")
def test_more_deals_begin_with_those_that_were_played(tmp_path):
    few, more = (parts.split(QUEBEC, ["easy", "random"], [0, 1, 1, 1], seed=3, deals=deals) for deals in (10, 18))
    assert more[:2] == few
    assert [part.deals for part in more] == [5, 5, 5, 3]


@pytest.mark.parametrize(("bot", "deals"), [("level5", 1), ("level4", 33), ("level3", 200)])
def test_parts_of_bots_that_take_long_are_small(bot, deals):
    part, *_ = parts.split(QUEBEC, ["easy", bot], [0, 1, 1, 1], seed=0, deals=1000)
    assert part.deals == deals


def test_a_policy_that_samples_is_not_taken_for_one_that_does_not(capsys, tmp_path):
    policy = tmp_path / "policy.safetensors"
    save_policy(policy, random_tensors(QUEBEC), QUEBEC, {})
    command = ["--agent", policy, "--against", policy, "--deals", 20, "--folder", tmp_path / "kept", "--json"]
    for name, options in {"greedy": [], "sampled": ["--sample"], "greedy again": []}.items():
        assert run(capsys, *command, tmp_path / name, *options)[0] == 0
    greedy, sampled, again = ((tmp_path / name).read_text() for name in ("greedy", "sampled", "greedy again"))
    assert greedy == again
    assert json.loads(greedy)["against"] != json.loads(sampled)["against"]


def test_of_one_deal_there_is_no_interval(capsys, tmp_path):
    command = ["--rules", "quebec", "--agent", "easy", "--against", "random", "--deals", 1, "--json", tmp_path / "r"]
    assert run(capsys, *command)[0] == 0
    assert json.loads((tmp_path / "r").read_text())["against"]["random"]["reward"]["low"] is None


def test_results_that_cannot_be_written_are_shown(capsys, tmp_path, monkeypatch):
    def full(path, data):
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(evaluate, "write_whole", full)
    command = ["--rules", "quebec", "--agent", "easy", "--against", "random", "--deals", 2, "--json", tmp_path / "r"]
    status, table, said = run(capsys, *command)
    assert status == 2
    assert "3 × random" in table
    assert "No space left" in said


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--agent", "esay", "--rules", "quebec"], "did you mean 'easy'"),
        (["--agent", "easy", "--rules", "quebek"], "quebec"),
        (["--agent", "easy"], "--rules is missing"),
        (["--agent", "none.safetensors"], "no such policy file"),
        (["--agent", "easy", "--rules", "quebec", "--players", "9"], "players"),
        (["--agent", "easy", "--rules", "quebec", "--players", "-1"], "players: -1 is not accepted; give 2 to 8"),
        (["--agent", "easy", "--rules", "none.yaml"], "none.yaml"),
        (["--agent", "easy", "--rules", "quebec", "--deals", "0"], "--deals 0: give a whole number from 1 to"),
        (["--agent", "easy", "--rules", "quebec", "--deals", "-2"], "--deals -2: give a whole number from 1 to"),
        (["--agent", "easy", "--rules", "quebec", "--seed", "-1"], "--seed -1: give a whole number from 0 to"),
        (["--agent", "easy", "--rules", "quebec", "--seed", str(MAX_SEED)], f"from 0 to {MAX_SEED - 10**6}"),
        (["--agent", "easy", "--rules", "quebec", "--processes", "0"], "--processes 0: give at least 1"),
        (["--agent", "easy", "--rules", "quebec", "--json", "none/r.json"], "--json none/r.json: nothing can be"),
        (["--agent", "easy", "--rules", "quebec", "--csv", "."], "--csv .: that is a folder"),
        (["--agent", "easy", "--rules", "quebec", "--folder", __file__], "that is a file; give a folder"),
        (["--agent", "easy", "--rules", "quebec", "--against", "easy,hard"], "or 3 for each its own"),
    ],
)
def test_mistakes_are_told_in_a_line_before_anything_is_played(capsys, monkeypatch, arguments, named):
    monkeypatch.setattr(parts, "make_part", lambda part, file: pytest.fail("it plays"))
    status, out, said = run(capsys, *arguments, "--against", "easy")
    assert status == 2
    assert out == ""
    assert said.startswith("evaluate: ")
    assert named in said
    assert said.count("\n") == 1


def test_the_highest_seed_is_played(capsys):
    command = ["--rules", "quebec", "--agent", "random", "--against", "random", "--seed", MAX_SEED - 10**6]
    assert run(capsys, *command, "--deals", 2)[0] == 0


def test_bots_come_by_name_or_file():
    assert arena.make_bot("easy").name == "easy"
    with pytest.raises(ValueError, match="no such policy file"):
        arena.make_bot("policy.safetensors")
