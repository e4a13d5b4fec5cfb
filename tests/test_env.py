"""The PettingZoo environment: order, masks, rewards, ends, refusals."""

import copy
import pickle
from typing import Any

import numpy as np
import pettingzoo
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from president_env import Game, IllegalMove, Rules
from president_env.president_v0 import env, raw_env
from tests.strategies import preset_rules, seeds
from tests.test_properties import with_hidden_cards_swapped

FOUR = "3C 4C | 3D 4D 5D | 6C | 7C"
ROUND = ["3", "pass", "6", "7", "pass", "pass", "4"]
"""A round with these hands: seat 2 is out first, then 3, then 0."""


def laid(preset: str, *rounds: str, leader: int | None = 0, reward: str = "place", **overrides: Any) -> raw_env:
    """An environment with these hands on the table, as `tests.scenes.table` has it for a Game."""
    deals = [[hand.strip() for hand in text.split("|")] for text in rounds]
    made = raw_env(preset, players=len(deals[0]), reward=reward, **overrides)
    made.reset(seed=0, options={"deals": deals, "leader": leader})
    return made


def move(played: raw_env, text: str) -> None:
    played.step(played.table.id(text))


def legal(played: raw_env, agent: str) -> list[str]:
    mask = played.observe(agent)["action_mask"]
    return [played.table.text(int(action)) for action in np.flatnonzero(mask)]


def random_action(played: raw_env, chance: np.random.Generator) -> int:
    return int(chance.choice(np.flatnonzero(played.infos[played.agent_selection]["action_mask"])))


# what it shows


@given(preset_rules(), seeds, seeds)
@settings(max_examples=12)
def test_it_is_the_game_of_the_same_seed(rules, seed, moves):
    played, game, chance = raw_env(rules, max_rounds=3), Game(rules, seed=seed), np.random.default_rng(moves)
    played.reset(seed=seed)
    while not any(played.terminations.values()) and not any(played.truncations.values()):
        seat = int(game.seat or 0)
        assert played.agent_selection == f"player_{seat}"
        observed, _, _, _, info = played.last()
        assert np.array_equal(observed["observation"], game.observation(seat))
        assert np.array_equal(observed["action_mask"], game.action_mask())
        assert info["action_mask"] is observed["action_mask"]
        for agent, other in zip(played.agents, range(rules.players), strict=True):
            seen = played.observe(agent)
            assert np.array_equal(seen["observation"], game.observation(other))
            assert np.array_equal(seen["action_mask"], game.view(other).action_mask())
            assert np.array_equal(seen["action_mask"], played.infos[agent]["action_mask"])
        action = random_action(played, chance)
        played.step(action)
        game.play_id(action)
    assert played.game.history == game.history
    assert played.game.places == game.places


def test_a_seat_that_is_not_on_turn_has_no_moves_and_still_sees():
    played = laid("basic", FOUR)
    assert legal(played, "player_0") == ["3", "4"]
    assert legal(played, "player_1") == []
    assert played.observe("player_1")["observation"].any()


@pytest.mark.plain
def test_the_seat_that_comes_next_is_not_told_of_an_offer():
    played = laid("butt", "5C 3C 6S | 6D 7C | 8C 5H 5S 5D 9C | TC JC", leader=0, opening_card_forced=False)
    move(played, "5")
    assert (played.game.phase, played.agent_selection) == ("offer", "player_2")
    assert legal(played, "player_2") == ["pass", "555"]
    assert legal(played, "player_1") == ["pass", "6", "7"]
    assert legal(played, "player_3") == []
    seen_before, info_before = played.observe("player_1"), played.infos["player_1"]
    move(played, "pass")
    assert played.agent_selection == "player_1"
    for name, seen in played.observe("player_1").items():
        assert np.array_equal(seen, seen_before[name])
    assert np.array_equal(info_before["action_mask"], played.infos["player_1"]["action_mask"])


@pytest.mark.plain
def test_a_play_out_of_turn_takes_the_turn_back_from_the_seat_that_came_next():
    played = laid("butt", "5C 3C 6S | 6D 7C | 8C 5H 5S 5D 9C | TC JC", leader=0, opening_card_forced=False)
    move(played, "5")
    move(played, "555")
    assert played.agent_selection == "player_2"
    assert not played.infos["player_1"]["action_mask"].any()


@given(preset_rules(), seeds, st.integers(1, 120), st.randoms(use_true_random=False))
@settings(max_examples=40)
def test_cards_that_a_seat_cannot_see_change_nothing_of_what_it_is_shown(rules, seed, moves, chance):
    played, draws = raw_env(rules), np.random.default_rng(seed)
    played.reset(seed=seed)
    for _ in range(moves):
        if any(played.terminations.values()):
            return
        played.step(random_action(played, draws))
    viewer = chance.randrange(rules.players)
    other = copy.deepcopy(played)
    other._games[:] = with_hidden_cards_swapped(Game.of_state(rules, played._games[0]), viewer, chance).state
    other.agent_selection = "nobody"  # what the seat on turn sees was written down when its turn came: write it anew
    agent = f"player_{viewer}"
    for name, seen in played.observe(agent).items():
        assert np.array_equal(seen, other.observe(agent)[name])


def test_the_state_is_what_all_seats_see():
    played = laid("quebec", "3C 4C | 3D 4D 5D | 6C | 7C")
    size = played.layout.size
    assert played.state() in played.state_space
    for seat, agent in enumerate(played.agents):
        seen = played.state()[seat * size : (seat + 1) * size]
        assert np.array_equal(seen, played.observe(agent)["observation"])


def test_spaces_are_the_same_objects_at_each_call():
    played = raw_env("quebec")
    for agent in played.possible_agents:
        assert played.observation_space(agent) is played.observation_space(agent)
        assert played.action_space(agent) is played.action_space(agent)
    assert played.action_space("player_0").n == len(played.table)


def test_arrays_handed_out_stay_as_they_are():
    played = raw_env("quebec")
    played.reset(seed=1)
    kept, chance = [], np.random.default_rng(0)
    for _ in range(20):
        observed = played.last()[0]
        kept.append((observed, copy.deepcopy(observed)))
        played.step(random_action(played, chance))
    for observed, copied in kept:
        for name in copied:
            assert np.array_equal(observed[name], copied[name])


# rewards and ends


@pytest.mark.plain
def test_a_place_is_rewarded_with_the_move_that_fixes_it():
    played = laid("basic", FOUR)
    third = 1 / 3
    told = []
    for text in ROUND:
        move(played, text)
        told.append([played.rewards[agent] for agent in played.possible_agents])
    nothing = [0.0] * 4
    assert told[:2] == [nothing, nothing]
    assert told[2] == [0.0, 0.0, 1.0, 0.0]
    assert told[3] == pytest.approx([0.0, 0.0, 0.0, third])
    assert told[4:6] == [nothing, nothing]
    assert told[6] == pytest.approx([-third, -1.0, 0.0, 0.0])
    assert played.game.places == [3, 4, 1, 2]


@pytest.mark.parametrize(
    ("reward", "overrides", "returns"),
    [
        ("place", {}, [-1 / 3, -1.0, 1.0, 1 / 3]),
        ("win", {}, [0.0, 0.0, 1.0, 0.0]),
        ("score", {"scoring": "opponents_below"}, [1.0, 0.0, 3.0, 2.0]),
    ],
)
def test_returns_of_a_scripted_round(reward, overrides, returns):
    played = laid("basic", FOUR, reward=reward, **overrides)
    totals = dict.fromkeys(played.possible_agents, 0.0)
    for text in ROUND:
        totals[played.agent_selection] += played.last()[1]
        move(played, text)
    for agent in played.agent_iter():
        totals[agent] += played.last()[1]
        played.step(None)
    assert list(totals.values()) == pytest.approx(returns)


def test_all_agents_live_to_the_end_and_end_together():
    played = laid("basic", FOUR)
    for text in ROUND:
        assert played.agents == played.possible_agents
        assert not any(played.terminations.values())
        move(played, text)
    assert all(played.terminations.values())
    assert not any(played.truncations.values())
    assert len(played.agents) == 4
    assert [played.table.text(int(k)) for k in np.flatnonzero(played.last()[0]["action_mask"])] == ["pass"]
    for _ in range(4):
        played.step(None)
    assert played.agents == []


@pytest.mark.plain
def test_a_match_is_truncated_after_the_most_rounds_it_may_have():
    played, chance = raw_env("norwegian", players=4, max_rounds=2), np.random.default_rng(3)
    played.reset(seed=3)
    moves = 0
    while not any(played.truncations.values()):
        assert not any(played.terminations.values())
        assert played.game.round <= 2
        played.step(random_action(played, chance))
        moves += 1
    assert all(played.truncations.values())
    assert sum(played.rewards.values()) != 0
    assert len(played.game.history) == moves
    assert played.game.round == 3


@pytest.mark.plain
def test_rounds_with_given_hands_are_dealt_as_given():
    second = "3H TH | 4H JH | 5H QH | 6H KH"
    played = laid("quebec", FOUR, second, leader=0)
    for text in ROUND:
        move(played, text)
    assert played.game.round == 2
    assert played.game.deals[1] == [hand.strip() for hand in second.split("|")]
    assert played.game.hands == Game.replay(played.game.record()).hands


# seeds, sources, copies


@pytest.mark.plain
def test_without_a_seed_the_match_before_draws_that_of_the_next():
    chains = []
    for _ in range(2):
        played = raw_env("quebec")
        played.reset(seed=5)
        hands = []
        for _ in range(3):
            hands.append(played.game.hands)
            played.reset()
        chains.append(hands)
    assert chains[0] == chains[1]
    assert chains[0][0] == Game(Rules.preset("quebec"), seed=5).hands
    assert chains[0][0] != chains[0][1] != chains[0][2]


def test_two_environments_without_seeds_are_dealt_different_cards():
    one, other = raw_env("quebec"), raw_env("quebec")
    one.reset()
    other.reset()
    assert one.game.hands != other.game.hands


def test_rules_are_given_as_preset_as_file_or_as_rules(tmp_path):
    house = Rules.preset("house", players=5, rounds=2)
    house.save(tmp_path / "ours.yaml")
    assert raw_env("house", players=5, rounds=2).rules == house
    assert raw_env(house).rules == house
    assert raw_env(tmp_path / "ours.yaml").rules == house
    assert raw_env(str(tmp_path / "ours.yaml"), players=6, rounds=1).rules == house.replace(players=6, rounds=1)


@pytest.mark.plain
def test_copies_and_pickles_go_on_alike():
    played, chance = raw_env("house", players=5), np.random.default_rng(1)
    played.reset(seed=1)
    for _ in range(25):
        played.step(random_action(played, chance))
    twins = [played, copy.deepcopy(played), pickle.loads(pickle.dumps(played))]
    for _ in range(25):
        action = random_action(played, chance)
        for twin in twins:
            twin.step(action)
        for twin in twins[1:]:
            assert np.array_equal(twin.last()[0]["observation"], played.last()[0]["observation"])
            assert np.array_equal(twin.state(), played.state())


def test_the_registry_knows_it():
    made = pettingzoo.make("aec", "president-v0", rules="butt", players=3)
    made.reset(seed=1)
    assert made.num_agents == 3
    assert made.unwrapped.rules == Rules.preset("butt", players=3)


# refusals


@pytest.mark.plain
@pytest.mark.parametrize(
    ("action", "named"),
    [
        (0, "'pass' (id 0)"),
        (10_000, "action 10000"),
        (-1, "action -1"),
        (None, "action None"),
        (1.0, "action 1.0"),
        ("3", "action '3'"),
    ],
)
def test_an_illegal_action_is_refused_and_changes_nothing(action, named):
    played = laid("basic", FOUR)
    before = played.state(), played.agent_selection, played.game.history
    with pytest.raises(IllegalMove) as refused:
        played.step(action)
    assert str(refused.value) == f"player_0 may not play {named}; legal are '3' (id 1), '4' (id 2)"
    assert np.array_equal(played.state(), before[0])
    assert (played.agent_selection, played.game.history) == before[1:]


def test_numpy_integers_are_actions():
    played = laid("basic", FOUR)
    for kind in (np.int64, np.int32, np.uint8):
        played.step(kind(random_action(played, np.random.default_rng(0))))


def test_after_the_end_only_none_is_taken_and_then_nothing():
    played = laid("basic", FOUR)
    for text in ROUND:
        move(played, text)
    with pytest.raises(IllegalMove, match=r"the match is over; step\(None\) or call reset\(\)"):
        played.step(0)
    for _ in range(4):
        played.step(None)
    with pytest.raises(IllegalMove, match=r"no match is being played; call reset\(\) first"):
        played.step(None)


def test_before_reset_nothing_is_played():
    with pytest.raises(IllegalMove, match=r"call reset\(\) first"):
        raw_env("basic").step(0)
    with pytest.raises(AttributeError):
        env("basic").rewards  # noqa: B018 (the wrapper refuses it)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"rules": "quebeck"}, "unknown preset 'quebeck' (did you mean 'quebec'?)"),
        ({"rules": 5}, "rules: 5 was given; wanted is a preset (basic, house"),
        ({"rules": "none.yaml"}, "no rules file 'none.yaml'"),
        ({"round": 2}, "unknown field 'round' (did you mean 'rounds'?)"),
        ({"players": 8}, "preset 'quebec' is for 4 to 6 players, not 8"),
        ({"render_mode": "rgb"}, "render_mode 'rgb' is unknown; choose from human, ansi, or None"),
        ({"reward": "points"}, "reward 'points' is unknown; choose from place, score, win"),
        ({"max_rounds": 0}, "max_rounds: 0 was given; wanted is a whole number from 1"),
    ],
)
def test_arguments_that_make_no_sense_are_refused(arguments, message):
    with pytest.raises((ValueError, FileNotFoundError)) as refused:
        raw_env(**arguments)
    assert message in str(refused.value)


@pytest.mark.parametrize("seed", [-1, 1.5, "7", True])
def test_a_seed_that_is_none_is_refused(seed):
    with pytest.raises(ValueError, match="is not a whole number from 0"):
        raw_env("basic").reset(seed=seed)


@pytest.mark.parametrize("action", [True, 2**63, -(2**63)])
def test_what_is_no_action_id_is_refused(action):
    env = raw_env("quebec")
    env.reset(seed=1)
    before = env.state().copy()
    with pytest.raises(IllegalMove):
        env.step(action)
    assert (env.state() == before).all()
