"""Golden files: games play as they always did, and the ids of moves stay what they are."""

import json

import pytest

from president_env import Game
from tests.golden.write import FOLDER, games_of, tables, tables_played

pytestmark = pytest.mark.plain

HINT = "if the change is meant: python -m tests.golden.write"


@pytest.mark.parametrize("name", tables_played())
def test_golden_games_play_back(name):
    for record in json.loads((FOLDER / f"{name}.json").read_text()):
        assert Game.replay(record).over


@pytest.mark.parametrize("name", tables_played())
def test_seeds_and_moves_lead_where_they_did(name):
    assert games_of(name) == (FOLDER / f"{name}.json").read_text(), HINT


def test_ids_of_moves_are_the_same_for_ever():
    assert tables() == (FOLDER / "tables.json").read_text(), HINT
