"""The engine and a second, slow implementation of the rules play the same games.

``python -m tests.oracle.compare`` does the same for as many matches as there is time for.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

from president_env import Game, Rules
from tests.oracle import Oracle
from tests.oracle.compare import compare
from tests.oracle.scene import Scene
from tests.oracle.scenes_of_rounds import SCENES as SCENES_OF_ROUNDS
from tests.oracle.scenes_of_tricks import SCENES as SCENES_OF_TRICKS
from tests.oracle.trees import TREES, Tree, count_leaves_by_engine, count_leaves_by_oracle

SCENES = [*SCENES_OF_TRICKS, *SCENES_OF_ROUNDS]
MATCHES = 400
PART = 50


def play_scene(scene: Scene, side: Oracle | Game) -> None:
    for seat, text in scene.answers:
        assert side.seat == seat, f"before {seat}:{text} seat {side.seat} is to move, in phase {side.phase}"
        side.play(text)
    for name, wanted in scene.expect.items():
        if name == "hands":
            assert {seat: side.hands[seat] for seat in wanted} == wanted
        elif name == "legal":
            assert sorted(side.legal) == sorted(wanted.split(", ") if wanted else [])
        else:
            assert getattr(side, name) == wanted, name


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.about)
def test_scene_on_the_oracle(scene: Scene) -> None:
    play_scene(scene, Oracle(scene.fields, scene.hands_by_round, scene.rules.get("dealer") or 0, scene.leader))


@pytest.mark.plain
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.about)
def test_scene_on_the_engine(scene: Scene) -> None:
    play_scene(scene, Game(Rules(**scene.fields), deals=scene.hands_by_round, leader=scene.leader))


def test_the_oracle_shares_nothing_with_the_engine() -> None:
    look = "import sys, tests.oracle; sys.exit(bool({'president_env', 'numpy', 'numba'} & set(sys.modules)))"
    subprocess.run([sys.executable, "-c", look], check=True)


def test_the_oracle_refuses_what_is_not_legal() -> None:
    oracle = Oracle({"players": 2}, [["3C 4C", "5C 6C"]], dealer=0)
    for text in ("pass", "33", "5", "", "give 3"):
        with pytest.raises(ValueError, match="seat 0 may not say"):
            oracle.play(text)
    assert oracle.hands == ["3C 4C", "5C 6C"]


def test_the_oracle_knows_its_rules() -> None:
    with pytest.raises(ValueError, match="no such rules"):
        Oracle({"player": 2}, [["3C", "5C"]], dealer=0)


@pytest.mark.plain
@pytest.mark.parametrize("first", range(0, MATCHES, PART))
def test_random_matches_by_random_rules(first: int) -> None:
    for number in range(first, first + PART):
        difference = compare(seed=0, number=number)
        assert difference is None, difference


@pytest.mark.parametrize("tree", TREES, ids=lambda tree: tree.about)
def test_exact_count_of_leaves(tree: Tree) -> None:
    assert count_leaves_by_oracle(tree) == tree.leaves
    assert count_leaves_by_engine(tree) == tree.leaves
