"""The benchmarks count right, refuse early, and the guard that stands on them notices a slower engine."""

import json
import os
from time import perf_counter

import pytest

from benchmarks import faces, guard
from benchmarks.__main__ import main
from benchmarks.memory import bytes_a_row
from benchmarks.peers import classic_peers, open_spiel_peers, rlcard_peers
from benchmarks.timing import Entry, Played, available_cores, on_one_core, timed
from president_env import Games, Rules
from president_env.docs import filled
from president_env.env import raw_env

ONE_MOVE = Rules(players=2, ranks="34", suits=1)
"""A card each: the first move is the match."""


def scripted(*played):
    """A loop that tells the warm-up and each repetition what it is given here."""
    told = iter([Played(1, 0, 1.0), *played])
    return lambda seconds: next(told)


def test_a_ratio_is_the_median_of_those_within_a_repetition():
    calm, busy, calmer = (scripted(*(Played(n, n // 10, 1.0) for n in speeds))
                          for speeds in ((100, 10, 120), (50, 5, 40), (90, 9, 90)))  # fmt: skip
    timings = timed([Entry("a", calm), Entry("b", busy, "a"), Entry("c", calmer)], 0.1, 3)
    assert timings.decisions("a") == 100
    assert timings.games("a") == 10
    assert timings.times_as_fast("a", "b") == 2
    assert timings.times_as_fast("b", "a") == 0.5


@pytest.mark.parametrize(
    "loop",
    [
        lambda: faces.batch(ONE_MOVE, 8),
        lambda: faces.playouts(ONE_MOVE),
        lambda: faces.single_game(ONE_MOVE),
        lambda: faces.aec(raw_env(ONE_MOVE)),
    ],
    ids=["Games", "playouts", "Game", "AEC"],
)
def test_where_each_match_is_a_move_there_are_as_many_games_as_decisions(loop):
    played = loop()(0.02)
    assert played.decisions == played.games > 0
    assert played.seconds > 0


def test_in_the_batch_to_be_timed_matches_end_at_every_step():
    games = Games(Rules.preset("quebec"), 512)
    games.restore(faces._moments(games.rules, 512, None))
    rounds, cards = games.games["round"], games.games["hand_size"].sum(axis=1)
    assert set(rounds.tolist()) >= {1, 2, 3}
    assert len(set(cards.tolist())) > 30


@pytest.mark.filterwarnings("ignore")  # those of other libraries
def test_peers_that_are_installed_play():
    for name, loop in (*rlcard_peers(), *open_spiel_peers(), *classic_peers()):
        played = loop(0.02)
        assert played.decisions >= played.games > 0, name


@pytest.mark.skipif(not available_cores(), reason="the system does not tell which cores there are")
def test_one_core_is_kept_to_and_then_all_are_there_again():
    before = os.sched_getaffinity(0)
    with on_one_core() as core:
        assert os.sched_getaffinity(0) == {core}
    assert os.sched_getaffinity(0) == before


@pytest.mark.filterwarnings("ignore")  # those of other libraries
def test_one_command_makes_what_the_readme_tells(tmp_path, capsys):
    assert main(["--seconds", "0.005", "--repetitions", "1", "--json", str(tmp_path / "speed.json")]) == 0
    printed = capsys.readouterr().out
    result = json.loads((tmp_path / "speed.json").read_text())
    names = [row["what"] for row in result["faces"]]
    assert {"Game", "AEC raw_env", "Games, 64 games", "Games, 1,024 games", "Games, 16,384 games"} <= set(names)
    assert all(row["decisions"] > 0 for row in result["faces"])
    assert all(row["beside"] in {None, *names} for row in result["faces"])
    told = filled("<!-- measured:speed -->\n<!-- /measured:speed -->", tmp_path)
    for row in result["faces"]:
        assert f"| {row['what']} | {row['decisions']:,.0f} |" in told
        assert f"{row['decisions']:,.0f}" in printed
    assert "AEC env that does nothing: " in told
    assert "(wanted: at most 3)" in printed
    assert "A match is a record of" in told


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["--json", "absent/speed.json"], "--json absent/speed.json: nothing can be written there"),
        (["--json", "file/speed.json"], "--json file/speed.json: nothing can be written there"),
        (["--json", "."], "--json .: that is a folder; give a file"),
        (["--seconds", "0"], "--seconds 0: give more than 0 and at most 60"),
        (["--seconds", "nan"], "--seconds nan: give more than 0"),
        (["--repetitions", "0"], "--repetitions 0: give at least 1"),
    ],
)
def test_what_cannot_be_done_is_refused_before_anything_is_timed(given, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    monkeypatch.setattr("benchmarks.__main__.measured", lambda *args, **kwargs: pytest.fail("it was timed"))
    assert main(given) == 2
    assert message in capsys.readouterr().err


def test_a_record_and_a_row_are_as_small_as_is_said():
    games = Games(Rules.preset("quebec"), 1)
    assert games.games.itemsize <= 1024
    handed_out = 2 * (games.observation_size + games.num_actions)
    beside = 200  # seats, rewards, places, scores, flags
    assert 0 <= bytes_a_row(games.rules) - games.games.itemsize - handed_out <= beside


def test_the_engine_is_as_fast_as_it_was():
    entries = guard.entries()
    if guard.slowed(guard.costs(entries), guard.stored()):
        # once more, at length: something else may have had the core
        assert guard.slowed(guard.costs(entries, seconds=0.2), guard.stored()) == []


class SlowGames(Games):
    """A batch whose steps take two and a half times as long."""

    def step(self, actions):
        started = perf_counter()
        super().step(actions)
        end = started + 2.5 * (perf_counter() - started)
        while perf_counter() < end:
            pass


def test_a_batch_that_takes_two_and_a_half_times_as_long_is_noticed(monkeypatch):
    writing, batch = guard.entries()[:2]
    monkeypatch.setattr(faces, "Games", SlowGames)
    slow = Entry("slow", faces.batch(Rules.preset("quebec"), 1024), "writing")
    costs = guard.costs([writing, batch, slow])
    lines = guard.slowed({"Games": costs["slow"]}, {"Games": costs["Games"]})
    assert [line.split(":")[0] for line in lines] == ["Games"]


def test_an_aec_environment_that_has_become_slow_is_noticed():
    before = guard.stored()
    assert [line.split(":")[0] for line in guard.slowed({**before, "AEC": 2.5 * before["AEC"]}, before)] == ["AEC"]
    assert guard.slowed({name: 1.9 * cost for name, cost in before.items()}, before) == []
