"""Recorded matches: every decision with what its seat saw and what came of it, whole or not at all."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from president_env import Game, Rules
from president_env.bots.policy import fingerprints
from president_env.record import read_record
from tests.adapters.common import TABLES, needs, script
from tests.test_properties import with_hidden_cards_swapped

pa = needs("pyarrow")
pq = needs("pyarrow.parquet")

from president_env.adapters import datasets  # noqa: E402 (only where pyarrow is installed)
from training.record import main  # noqa: E402
from training.record_matches import games_of, play_matches  # noqa: E402


class Scripted:
    """A player of every seat that makes the moves of a script."""

    name = "scripted"

    def __init__(self, actions: list[int]) -> None:
        self.ahead = iter(actions)

    def act(self, view: Game, legal: list[str]) -> str:
        return view.table.text(next(self.ahead))

    def act_batch(self, batch: Any, rows: Any) -> Any:
        return np.array([next(self.ahead) for _ in rows])


class Wilful:
    """A player that makes a legal move of any kind, always the same one with the same view."""

    name = "wilful"

    def act(self, view: Game, legal: list[str]) -> str:
        return legal[0]

    def act_batch(self, batch: Any, rows: Any) -> Any:
        legal = [np.flatnonzero(mask) for mask in batch.mask[rows]]
        marks = batch.observation[rows].sum(axis=1, dtype=np.int64)
        return np.array([actions[mark % len(actions)] for actions, mark in zip(legal, marks, strict=True)])


def recorded(out: Path, *options: str) -> datasets.Dataset:
    assert main(["--out", str(out), *options]) == 0
    return datasets.load(out)


@pytest.mark.parametrize("table", TABLES)
def test_a_scripted_match_is_recorded_move_by_move(table):
    wanted = script(table)
    rules, players = wanted.rules, wanted.rules.players
    columns = play_matches(rules, [Scripted(wanted.actions)] * players, np.array([wanted.seed]), 100)
    assert columns["seat"].tolist() == wanted.seats
    assert columns["action"].tolist() == wanted.actions
    assert columns["step"].tolist() == list(range(len(wanted.actions)))
    game, phases = Game(rules, seed=wanted.seed), set()
    for row, action in enumerate(wanted.actions):
        assert game.seat is not None
        phases.add(game.phase)
        assert np.array_equal(columns["observation"][row], game.observation(game.seat))
        assert np.array_equal(columns["action_mask"][row], game.action_mask())
        assert columns["round"][row] == game.round
        game.play_id(action)
    assert phases == {"play", "exchange"} | ({"offer"} if table == "butt-4" else set())
    for seat in range(players):
        its = columns["seat"] == seat
        rewards, to_go = columns["reward"][its], columns["return_to_go"][its]
        assert rewards.sum() == pytest.approx(wanted.returns[seat], abs=1e-5)
        assert to_go == pytest.approx(rewards[::-1].cumsum()[::-1], abs=1e-5)
        assert columns["terminated"][its].tolist() == [False] * (its.sum() - 1) + [True]
        last = its & (columns["round"] == game.round)
        assert set(columns["place"][last]) <= {game.places[seat]}
    assert not columns["truncated"].any()


@pytest.mark.parametrize("table", TABLES)
def test_whole_matches_of_many_are_legal_and_each_place_is_taken_once(table):
    rules = TABLES[table]
    columns = play_matches(rules, [Wilful()] * rules.players, np.arange(6), 100)
    assert (columns["action_mask"][np.arange(len(columns["action"])), columns["action"]] == 1).all()
    for match, game in enumerate(games_of(rules, columns)):
        assert game.over
        its = columns["match"] == match
        for number in range(1, game.round + 1):
            round_ = its & (columns["round"] == number)
            places = set(zip(columns["seat"][round_].tolist(), columns["place"][round_].tolist(), strict=True))
            assert len(places) == len({seat for seat, _ in places}) == len({place for _, place in places})


def test_a_match_is_the_same_alone_as_among_others():
    rules = TABLES["quebec-4"]
    bots: list[Any] = [Wilful()] * 4
    among = play_matches(rules, bots, np.arange(5), 100)
    alone = play_matches(rules, bots, np.array([3]), 100)
    its = among["match"] == 3
    for name, column in alone.items():
        assert name == "match" or np.array_equal(among[name][its], column)


def test_a_match_that_is_cut_off_says_so():
    columns = play_matches(TABLES["norwegian-7"], [Wilful()] * 7, np.arange(2), max_rounds=1)
    assert columns["round"].max() == 1
    assert columns["truncated"].sum() == 2 * 7
    assert not columns["terminated"].any()
    assert np.isclose(columns["reward"].sum(), 0.0, atol=1e-4)


@pytest.mark.parametrize("table", TABLES)
def test_hidden_cards_do_not_show_in_a_row(table):
    """Where the cards lie that a seat cannot see changes neither what is recorded of it nor what a bot then does."""
    rules, chance = TABLES[table], Random(4)
    columns = play_matches(rules, [Wilful()] * rules.players, np.array([2]), 100)
    game, looked_at = Game(rules, seed=2), 0
    for row, action in enumerate(columns["action"]):
        if row % 9 == 0 and game.phase != "trade":
            assert game.seat is not None
            other = with_hidden_cards_swapped(game, game.seat, chance)
            looked_at += other.state[0]["hands"].tolist() != game.state[0]["hands"].tolist()
            assert np.array_equal(other.observation(game.seat), columns["observation"][row])
            assert np.array_equal(other.action_mask(), columns["action_mask"][row])
        game.play_id(int(action))
    assert looked_at > 5


def test_what_was_written_is_read(tmp_path):
    path = tmp_path / "new" / "a.parquet"
    bots = ["level3", "easy", "level3", "random"]
    data = recorded(path, "--bots", *bots, "--matches", "150", "--rounds", "2")
    assert data.rules == Rules.preset("quebec", rounds=2)
    assert data.players == ("level3", "easy", "random")
    assert set(data.columns) == set(datasets.COLUMNS)
    assert np.array_equal(data["player"], np.array([0, 1, 0, 2])[data["seat"]])
    assert np.array_equal(data["seed"], data["match"])
    assert data["observation"].dtype == np.int8
    assert data["observation"].shape == (len(data), 330)
    assert data["action_mask"].shape == (len(data), 66)
    assert (data["action_mask"][np.arange(len(data)), data["action"]] == 1).all()
    order = np.stack((data["match"], data["step"]))
    assert (np.lexsort(order[::-1]) == np.arange(len(data))).all()
    assert np.unique(data["match"]).tolist() == list(range(150))
    assert data["terminated"].sum() == 150 * 4
    assert data["reward"][data["player"] == 0].mean() > data["reward"][data["player"] == 2].mean()
    few = datasets.load(path, columns=["action", "player"], rules=data.rules)
    assert list(few.columns) == ["action", "player"]
    assert np.array_equal(few["action"], data["action"])


def test_what_lies_in_a_piece_is_not_copied(tmp_path):
    data = recorded(tmp_path / "a.parquet", "--bots", "easy", "--matches", "3", "--rounds", "1")
    assert all(not data[name].flags.owndata for name in ("observation", "action_mask", "action", "seed"))


def test_the_same_seed_is_the_same_file(tmp_path):
    options = ["--bots", "level3", "random", "easy", "easy", "--matches", "5", "--rounds", "1"]
    for name, more in (("a", []), ("b", []), ("c", ["--seed", "1"])):
        recorded(tmp_path / name, *options, *more)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert (tmp_path / "a").read_bytes() != (tmp_path / "c").read_bytes()


def test_records_of_the_matches_replay(tmp_path):
    options = ["--rules", "butt", "--players", "5", "--bots", "level1", "--matches", "3", "--seed", "9"]
    data = recorded(tmp_path / "a.parquet", *options, "--records", str(tmp_path / "records"))
    assert main([*options, "--records", str(tmp_path / "all.jsonl")]) == 0
    lines = [json.loads(line) for line in (tmp_path / "all.jsonl").read_text().splitlines()]
    files = [read_record(path) for path in sorted((tmp_path / "records").iterdir())]
    assert lines == files
    for match, one in enumerate(files):
        game = Game.replay(one)
        assert game.over
        assert game.seed == 9 + match
        assert len(game.history) == (data["match"] == match).sum()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--bots", "levle3"], "did you mean 'level3'"),
        (["--bots", "easy", "easy"], "2 were given; give one for all seats, or 4"),
        (["--bots", "gone.safetensors"], "gone.safetensors: no such policy"),
        (["--bots", "easy", "--matches", "0"], "matches: 0"),
        (["--bots", "easy", "--matches", "1000000000000"], "at most"),
        (["--bots", "easy", "--out", "same.jsonl", "--records", "same.jsonl"], "give two names"),
        (["--bots", "easy", "--seed", "-1"], "--seed -1"),
        (["--bots", "easy", "--rules", "quebeck"], "quebec"),
        (["--bots", "easy", "--players", "3"], "players"),
        (["--bots", "easy", "--max-rounds", "0"], "max_rounds: 0"),
    ],
)
def test_what_cannot_be_is_refused_in_a_line(options, words, tmp_path, capsys):
    assert main(["--out", str(tmp_path / "a.parquet"), *options]) == 2
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") <= 2
    assert list(tmp_path.iterdir()) == []


def test_what_is_there_is_replaced_only_by_force(tmp_path, capsys):
    out, folder = tmp_path / "a.parquet", tmp_path / "records"
    folder.mkdir()
    for path in (out, folder / "mine.txt"):
        path.write_text("mine")
    options = ["--bots", "easy", "--matches", "2", "--rounds", "1"]
    assert main([*options, "--out", str(out)]) == 2
    assert "--force" in capsys.readouterr().err
    assert main([*options, "--records", str(folder)]) == 2
    assert main([*options, "--out", str(folder)]) == 2
    assert main([*options, "--records", str(out)]) == 2
    assert main([*options, "--out", str(out / "in_a_file.parquet")]) == 2
    assert main(options) == 2
    assert "nothing to write" in capsys.readouterr().err
    assert out.read_text() == "mine"
    assert [path.name for path in folder.iterdir()] == ["mine.txt"]
    assert len(recorded(out, *options, "--force")) > 0


def test_a_run_that_fails_leaves_nothing(tmp_path, monkeypatch, capsys):
    def fails_later(*_: Any) -> Any:
        columns = play_matches(*_)
        monkeypatch.setattr("training.record.play_matches", fails)
        return columns

    def fails(*_: Any) -> Any:
        assert [path.suffix for path in tmp_path.iterdir()] == [".part"]
        raise OSError("no space left")

    monkeypatch.setattr("training.record.play_matches", fails_later)
    assert main(["--bots", "easy", "--matches", "200", "--rounds", "1", "--out", str(tmp_path / "a.parquet")]) == 2
    assert "no space left" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_killed_run_leaves_no_half_file(tmp_path):
    out = tmp_path / "a.parquet"
    command = [sys.executable, "-m", "training.record", "--bots", "easy", "--matches", "1000000", "--out", str(out)]
    process = subprocess.Popen(command, cwd=Path(__file__).parents[2])
    while not list(tmp_path.glob(".*.part")):
        assert process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not out.exists()
    recorded(out, "--bots", "easy", "--matches", "1", "--rounds", "1")
    assert list(tmp_path.iterdir()) == [out], "the next run clears up"


def test_a_file_that_does_not_fit_is_refused(tmp_path):
    path = tmp_path / "a.parquet"
    data = recorded(path, "--bots", "easy", "--matches", "1", "--rounds", "1")
    assert data.metadata["layout"] == fingerprints(data.rules)["layout"]
    with pytest.raises(ValueError, match=r"jokers 0"):
        datasets.load(path, rules=Rules.preset("quebec", jokers=2, joker="wild"))
    with pytest.raises(ValueError, match="did you mean 'action'"):
        datasets.load(path, columns=["acton"])
    with pytest.raises(ValueError, match="none was given"):
        datasets.load(path, columns=[])
    with pytest.raises(ValueError, match="no such dataset"):
        datasets.load(tmp_path / "b.parquet")
    cut = tmp_path / "cut.parquet"
    cut.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(ValueError, match=r"cut\.parquet: no dataset that can be read"):
        datasets.load(cut)
    other = tmp_path / "other.parquet"
    table = pq.read_table(path)
    pq.write_table(table.replace_schema_metadata({}), other)
    with pytest.raises(ValueError, match="another Parquet file"):
        datasets.load(other)
    for change, words in (({"moves": "0"}, "record it again"), ({"format": 2}, "its format is 2")):
        changed = {datasets.KEY: json.dumps(data.metadata | change).encode()}
        pq.write_table(table.replace_schema_metadata(changed), other)
        with pytest.raises(ValueError, match=words):
            datasets.load(other)
    changed = {datasets.KEY: json.dumps({"format": 1}).encode()}
    pq.write_table(table.replace_schema_metadata(changed), other)
    with pytest.raises(ValueError, match="lack 'rules'"):
        datasets.load(other)


def test_a_file_whose_columns_were_altered_is_refused(tmp_path):
    path = tmp_path / "a.parquet"
    recorded(path, "--bots", "easy", "--matches", "1", "--rounds", "1")
    table = pq.read_table(path)
    at, rows = table.column_names.index("action"), len(table)
    for changed, words in (
        (table.drop_columns(["action"]), "its column action is missing"),
        (table.set_column(at, "action", [["pass"] * rows]), "its column action is string, wanted is int32"),
        (table.set_column(at, "action", pa.nulls(rows, "int32")), "nulls"),
    ):
        pq.write_table(changed, path)
        with pytest.raises(ValueError, match=rf"a\.parquet: no dataset that can be read: .*{words}"):
            datasets.load(path)
    note = json.loads(table.schema.metadata[datasets.KEY]) | {"players": 3}
    pq.write_table(table.replace_schema_metadata({datasets.KEY: json.dumps(note).encode()}), path)
    with pytest.raises(ValueError, match="its players are 3, wanted is a list of names"):
        datasets.load(path)
