"""Tournaments: tables repeat from the seed in any number of processes, go on where they stopped, and are drawn."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
import yaml

from president_env import Rules, bots
from president_env.arena import play_duplicates
from president_env.docs.readme import filled

tournament = pytest.importorskip("training.tournament")
pytest.importorskip("openskill")
parts = pytest.importorskip("training.parts")
ROOT = Path(__file__).resolve().parent.parent

CONFIG = {
    "tables": {
        "basic-3": {"rules": "basic", "players": 3, "rounds": 1},
        "quebec-4": {"rules": "quebec", "players": 4, "rounds": 2, "target_score": None, "tiebreak": False},
    },
    "bots": ["random", "easy", "level3"],
    "deals": {"default": 20, "level3 against easy": 30},
    "mixed_deals": 20,
    "seed": 5,
}


def written(folder, name="small", **changes):
    path = folder / f"{name}.yaml"
    config = {**CONFIG, "folder": str(folder / name), **changes}
    path.write_text(yaml.safe_dump({key: value for key, value in config.items() if value is not None}))
    return path


def loaded(folder, **changes):
    return tournament.load_tournament(written(folder, **changes))


def pair_of(results, table, bot, against):
    (found,) = [t for t in results["tables"] if t["name"] == table]
    (pair,) = [p for p in found["pairs"] if (p["bot"], p["against"]) == (bot, against)]
    return pair


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    folder = tmp_path_factory.mktemp("arena")
    results, left = tournament.play(loaded(folder))
    assert left == 0
    return folder, results


def test_every_bot_meets_every_weaker_one_as_in_an_evaluation(played):
    _, results = played
    for table in results["tables"]:
        met = [(pair["bot"], pair["against"]) for pair in table["pairs"]]
        assert met == [("easy", "random"), ("level3", "random"), ("level3", "easy")]
    pair = pair_of(results, "quebec-4", "level3", "easy")
    assert (pair["deals"], pair["rounds"], len(pair["seats"])) == (30, 30 * 4 * 2, 4)
    rules = Rules.preset("quebec", players=4, rounds=2, target_score=None, tiebreak=False)
    lineup = [bots.make("level3", seed=6), *[bots.make("easy", seed=7)] * 3]
    alone = play_duplicates(rules, lineup, num_deals=30, seed=5)
    assert pair["reward"]["low"] == pytest.approx(alone.reward(0).low, abs=1e-5)
    assert pair["place"]["mean"] == pytest.approx(alone.place(0).mean, abs=1e-5)
    at_seat_2 = alone.rewards[:, 2, 0] / 2
    assert pair["seats"][2]["mean"] == pytest.approx(at_seat_2.mean(), abs=1e-5)


def test_mixed_tables_rate_the_bots_and_count_their_places(played):
    _, results = played
    for table in results["tables"]:
        rows = {row["bot"]: row for row in table["mixed"]["bots"]}
        assert rows["level3"]["rating"] > rows["random"]["rating"]
        assert rows["random"]["places"][-1] > 0.5
        for row in rows.values():
            assert len(row["places"]) == table["rules"]["players"]
            assert sum(row["places"]) == pytest.approx(1.0, abs=1e-4)


@pytest.mark.slow
def test_two_processes_come_to_the_same_as_one(played, tmp_path):
    assert tournament.play(loaded(tmp_path), processes=2)[0] == played[1]


def test_another_seed_is_another_tournament(played, tmp_path):
    other, _ = tournament.play(loaded(tmp_path, seed=6, mixed_deals=0))
    assert other["tables"][0]["pairs"] != played[1]["tables"][0]["pairs"]
    assert other["tables"][0]["mixed"] is None


def test_a_stopped_tournament_goes_on(played, tmp_path, monkeypatch, capsys):
    path = written(tmp_path)
    make, made = parts.make_part, list[Path]()

    def stopped(part, file):
        if len(made) == 7:
            raise KeyboardInterrupt
        made.append(file)
        return make(part, file)

    monkeypatch.setattr(parts, "make_part", stopped)
    assert tournament.main([str(path)]) == parts.STOPPED
    assert "goes on from here" in capsys.readouterr().err
    kept = {file: file.stat().st_mtime_ns for file in made}
    monkeypatch.setattr(parts, "make_part", make)
    results, left = tournament.play(tournament.load_tournament(path))
    assert left == 0
    assert results == played[1]
    assert {file: file.stat().st_mtime_ns for file in made} == kept


def test_out_of_time_there_are_tables_of_what_was_played(tmp_path):
    config = loaded(tmp_path)
    results, left = tournament.play(config, seconds=0.0)
    assert left == 2 * (20 + 20 + 30 + 20)
    assert all(table["pairs"] == [] and table["mixed"] is None for table in results["tables"])


def test_another_policy_file_or_code_is_not_taken_for_what_was_played(monkeypatch):
    (part,) = parts.split(Rules(), ("easy", "random"), [0, 1, 1, 1], seed=0, deals=5)
    name = part.file()
    monkeypatch.setattr(parts, "_code", lambda: "other")
    assert part.file() != name


def test_fewer_bots_than_seats_share_them():
    lineup = parts.mixed_lineup(3, 5, seed=0, deal=9)
    assert sorted(np.bincount(lineup, minlength=3)) == [1, 2, 2]
    assert lineup == parts.mixed_lineup(3, 5, seed=0, deal=9)
    assert len(set(parts.mixed_lineup(9, 4, seed=0, deal=1))) == 4


def test_the_command_writes_json_csv_and_pictures(played, tmp_path, monkeypatch, capsys):
    folder, results = played
    monkeypatch.setattr(tournament, "DOCS", tmp_path / "docs")
    assert tournament.main([str(written(folder, publish="strength"))]) == 0
    shown = capsys.readouterr().out
    assert "level3" in shown
    assert "left to play" not in shown
    assert json.loads((folder / "small" / "results.json").read_text()) == results
    with (folder / "small" / "pairs.csv").open() as file:
        rows = list(csv.DictReader(file))
    pair = pair_of(results, "basic-3", "easy", "random")
    assert float(rows[0]["reward_high"]) == pair["reward"]["high"]
    assert len((folder / "small" / "seats.csv").read_text().splitlines()) == 1 + 3 * 3 + 3 * 4
    assert len((folder / "small" / "ratings.csv").read_text().splitlines()) == 1 + 2 * 3
    for name in ("cross_tables.png", "placements.png"):
        picture = read_picture(folder / "small" / name)
        assert min(picture.shape[:2]) > 200
        assert len(np.unique(picture.reshape(-1, picture.shape[2]), axis=0)) > 50, "a picture of one colour"
    readme = filled("<!-- measured:strength -->\n<!-- /measured:strength -->", tmp_path / "docs" / "results")
    half = (pair["reward"]["high"] - pair["reward"]["low"]) / 2
    assert f"| `easy` | `random` | {pair['reward']['mean']:+.3f} ± {half:.3f} |" in readme
    assert "20 to 30 deals a pair" in readme
    assert (tmp_path / "docs" / "images" / "strength.png").is_file()


def read_picture(path):
    from matplotlib.image import imread

    return imread(path)


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"bots": ["random", "esay"]}, "did you mean 'easy'"),
        ({"bots": ["random"]}, "two or more"),
        ({"bots": ["easy", "easy"]}, "named twice"),
        ({"bots": ["easy", "none.safetensors"]}, "no such policy file"),
        ({"tables": {"x": {"rules": "quebek"}}}, "tables.x"),
        ({"tables": {"x": "quebec"}}, "tables.x"),
        ({"tables": {"../x": {"rules": "quebec"}}}, "plain name"),
        ({"pairs": "some"}, "higher"),
        ({"deals": {"default": 0}}, "deals.default"),
        ({"deals": {"level3": 5}}, "default is missing"),
        ({"deals": {"default": 5, "easy against level3": 5}}, "a pair such as"),
        ({"steps": ["random against easy"]}, "steps"),
        ({"seed": -1}, "seed"),
        ({"bot": ["easy"]}, "did you mean 'bots'"),
        ({"tables": None}, "tables is missing"),
        ({"publish": "../x"}, "publish"),
    ],
)
def test_mistakes_in_a_config_are_told_in_a_line(changes, named, tmp_path, capsys):
    assert tournament.main([str(written(tmp_path, **changes))]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("tournament: ")
    assert named in said.err
    assert said.err.count("\n") <= 2


@pytest.mark.parametrize("text", [": [", "just text", None])
def test_a_file_that_is_no_config_is_told_in_a_line(text, tmp_path, capsys):
    path = tmp_path / "c.yaml"
    if text is not None:
        path.write_text(text)
    assert tournament.main([str(path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_the_configs_of_the_repository_load():
    found = sorted((ROOT / "configs" / "arena").glob("*.yaml"))
    assert len(found) >= 2
    for path in found:
        assert tournament.load_tournament(path).pairs
    levels = tournament.load_tournament(ROOT / "configs" / "arena" / "levels.yaml")
    assert (*levels.bots, "search") == bots.names()
    assert levels.deals["level5", "random"] < levels.deals["level4", "random"] < levels.deals["easy", "random"]
