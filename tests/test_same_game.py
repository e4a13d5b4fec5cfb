"""The PettingZoo environment plays, sees and allows what a Game does, move by move."""

import numpy as np
import pytest

from president_env import Game, IllegalMove, Rules
from president_env.env import raw_env
from tests.strategies import EVERYTHING

pytestmark = pytest.mark.plain

DEALS = [
    ["3C 5C 6C 9D 2S", "3D 5D 6D 9H *", "3H 5S 7C 7D 2H", "3S 5H 8C 8D AH", "6H 6S 7H 7S 8H"],
    ["3C 9C 9D 9H", "3D 5D 6D 9S", "3H 5S 7C 7D", "3S 5H 8C 8D", "6H 6S 7H *"],
]


def seen(game: Game, seat: int) -> tuple[list[int], list[int]]:
    """Observation and mask as the seat may know them."""
    return game.observation(seat).tolist(), game.view(seat).action_mask().tolist()


def play_both(env: raw_env, game: Game, choose: int) -> int:
    """Make the same moves in both until the match ends; the number of moves."""
    number = 0
    while not game.over and not any(env.truncations.values()):
        assert env.agent_selection == f"player_{game.seat}"
        for seat, agent in enumerate(env.agents):
            observed = env.observe(agent)
            assert (observed["observation"].tolist(), observed["action_mask"].tolist()) == seen(game, seat)
            assert np.array_equal(env.infos[agent]["action_mask"], observed["action_mask"])
        legal = game.legal_ids
        action = legal[(number * number + choose * number + 1) % len(legal)]
        env.step(action)
        game.play_id(action)
        number += 1
    return number


@pytest.mark.parametrize("choose", range(4))
@pytest.mark.parametrize("deals", [[], DEALS[:1], DEALS], ids=len)
def test_nearly_all_house_rules_at_once(deals, choose):
    env, game = raw_env(EVERYTHING), Game(EVERYTHING, seed=choose, deals=deals, leader=1)
    env.reset(seed=choose, options={"deals": deals, "leader": 1})
    assert play_both(env, game, choose) > 20
    assert game.over
    assert all(env.terminations.values())


@pytest.mark.parametrize("name", Rules.presets())
def test_the_presets(name):
    rules = Rules.preset(name, **({"target_score": 2} if name == "norwegian" else {"rounds": 1, "players": 5}))
    env, game = raw_env(rules), Game(rules, seed=3)
    env.reset(seed=3)
    play_both(env, game, 5)
    assert all(env.terminations.values())


def test_a_match_is_given_up_after_the_most_rounds():
    rules = Rules(players=3, ranks="345", rounds=9)
    env, game = raw_env(rules, max_rounds=2), Game(rules, seed=3)
    env.reset(seed=3)
    play_both(env, game, 5)
    assert (game.round, game.over) == (3, False)
    assert all(env.truncations.values())
    env.reset()
    env.step(Game(rules, seed=int(env.game.seed or 0)).legal_ids[0])


def test_an_illegal_action_changes_nothing():
    env, game = raw_env("basic"), Game(Rules.preset("basic"), seed=3)
    env.reset(seed=3)
    for action in (0, -1, 99, 52):
        with pytest.raises(IllegalMove):
            env.step(action)
    play_both(env, game, 5)
