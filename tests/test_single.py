"""The single-seat Gymnasium environment: who plays, what is rewarded, what is refused."""

import copy
import pickle
import re
from typing import Any

import gymnasium
import numpy as np
import pytest

from president_env import Game, IllegalMove, Rules, bots
from president_env.bots.policy import save_policy
from president_env.president_v0 import raw_env
from president_env.single import President
from tests.test_policy import random_tensors

FOUR = ["3C 4C", "3D 4D 5D", "6C", "7C"]


def make(**arguments: Any) -> President:
    made = gymnasium.make("President-v0", disable_env_checker=True, **arguments).unwrapped
    assert isinstance(made, President)
    return made


def laid(hands: list[str] = FOUR, leader: int = 0, **arguments: Any) -> tuple[President, dict[str, Any]]:
    """A table of these hands; everybody else plays the first legal move that is no pass."""
    made = make(**{"rules": "basic", "players": len(hands), "seat": 0, "opponents": eager, **arguments})
    _, info = made.reset(seed=0, options={"deals": [hands], "leader": leader})
    return made, info


def eager(view: Game, legal: list[str]) -> str:
    return next((text for text in legal if text != "pass"), "pass")


def legal(made: President, info: dict[str, Any]) -> list[str]:
    return [made.table.text(int(action)) for action in np.flatnonzero(info["action_mask"])]


# play and rewards


@pytest.mark.plain
def test_a_step_goes_on_to_the_next_decision():
    made, info = laid()
    assert (info["seat"], legal(made, info)) == (0, ["3", "4"])
    _, reward, terminated, _, info = made.step(made.table.id("3"))
    assert made.game.history == [(1, 0, "3"), (1, 1, "4"), (1, 2, "6"), (1, 3, "7")]
    assert (reward, terminated, legal(made, info)) == (0.0, False, ["pass"])


@pytest.mark.plain
def test_the_reward_of_a_place_comes_when_it_is_fixed():
    made, _ = laid()
    made.step(made.table.id("3"))
    _, reward, terminated, _, _ = made.step(made.table.id("pass"))
    assert (reward, terminated) == (0.0, False)
    _, reward, terminated, truncated, info = made.step(made.table.id("4"))
    assert reward == pytest.approx(-1 / 3)
    assert (terminated, truncated) == (True, False)
    assert made.game.places == [3, 4, 1, 2]
    assert legal(made, info) == ["pass"]


@pytest.mark.plain
def test_a_place_that_others_fix_is_rewarded_too():
    made, _ = laid(["3C TC JC", "4C", "5C", "6C"])
    _, reward, terminated, _, _ = made.step(made.table.id("3"))
    assert (reward, terminated) == (-1.0, True)


@pytest.mark.parametrize(("reward", "earned"), [("win", 0.0), ("score", 2.0)])
def test_other_rewards(reward, earned):
    made, _ = laid(leader=0, reward=reward, scoring="places")
    total = 0.0
    for text in ["3", "pass", "4"]:
        total += made.step(made.table.id(text))[1]
    assert total == earned


@pytest.mark.parametrize("preset", Rules.presets())
def test_it_is_the_same_match_as_with_bots_in_the_aec_environment(preset):
    names = ["easy", "random", "easy", "random", "easy", "random", "easy"]
    rules = Rules.preset(preset, players=Rules.preset_players(preset)[1])
    opponents = [bots.make(name) for name in names[: rules.players - 1]]
    made, table = make(rules=rules, opponents=opponents, max_rounds=2), raw_env(rules, max_rounds=2)
    chance = np.random.default_rng(8)
    for seed in (4, 5):
        seen, info = made.reset(seed=seed)
        table.reset(seed=seed)
        learner = f"player_{info['seat']}"
        earned = ended = 0.0
        while not ended:
            bots_move(table, learner, opponents)
            assert np.array_equal(seen, table.observe(learner)["observation"])
            assert np.array_equal(info["action_mask"], table.observe(learner)["action_mask"])
            action = int(chance.choice(np.flatnonzero(info["action_mask"])))
            table.step(action)
            seen, reward, terminated, truncated, info = made.step(action)
            earned, ended = earned + reward, terminated or truncated
            bots_move(table, learner, opponents)
            assert reward == pytest.approx(table._cumulative_rewards[learner])
        assert (terminated, truncated) == (table.terminations[learner], table.truncations[learner])
        assert np.array_equal(seen, table.observe(learner)["observation"])
        assert made.game.history == table.game.history


def bots_move(table: raw_env, learner: str, opponents: list[Any]) -> None:
    """Let the bots play on in the AEC environment up to the learner's decision or the end."""
    while not any(table.terminations.values()) and not any(table.truncations.values()):
        if table.agent_selection == learner:
            return
        seat = table.possible_agents.index(table.agent_selection)
        bot = opponents[(seat - table.possible_agents.index(learner) - 1) % len(table.possible_agents)]
        view = table.game.view(seat)
        table.step(table.table.id(bot.act(view, view.legal)))


@pytest.mark.plain
def test_matches_without_a_decision_of_the_learner_are_passed_over():
    made = make(rules="basic", players=3, ranks="345", suits=1, seat=2, opponents="easy")
    played = {}
    for seed in range(20):
        made.reset(seed=seed)
        played[seed] = made.game.seed
        assert made.game.seat == 2
    assert {seed == other for seed, other in played.items()} == {True, False}


def test_a_seat_that_never_decides_is_refused():
    made = make(rules=Rules(players=2, ranks="34", suits=1, first_leader=0), seat=1)
    with pytest.raises(ValueError, match="the learner had nothing to decide"):
        made.reset(seed=0)


# opponents and seats


def test_opponents_sit_by_their_places_to_the_left():
    asked: list[tuple[str, int | None]] = []

    def bot(name: str) -> Any:
        def choose(view: Game, legal: list[str]) -> str:
            asked.append((name, view.seat))
            return legal[0]

        return choose

    made = make(rules="basic", players=4, opponents=[bot("left"), "easy", bot("right")], seat=1)
    _, info = made.reset(seed=0)
    for _ in range(3):
        _, _, ended, _, info = made.step(int(info["action_mask"].argmax()))
        if ended:
            break
    assert set(asked) == {("left", 2), ("right", 0)}


def test_a_function_is_given_the_view_with_its_history():
    views = []

    def choose(view: Game, legal: list[str]) -> str:
        views.append(view)
        assert legal == view.legal
        return legal[-1]

    made, _ = laid(opponents=choose)
    made.step(made.table.id("3"))
    assert views[0].viewer == 1
    assert views[0].history == [(1, 0, "3")]
    assert views[0].hands == [None, "3D 4D 5D", None, None]


def test_a_trained_policy_can_be_an_opponent(tmp_path):
    rules = Rules.preset("quebec")
    save_policy(tmp_path / "policy.safetensors", random_tensors(rules), rules, {})
    made = make(rules=rules, opponents=str(tmp_path / "policy.safetensors"))
    _, info = made.reset(seed=1)
    for _ in range(10):
        _, _, ended, _, info = made.step(int(info["action_mask"].argmax()))
        if ended:
            break
    assert len(made.game.history) > 20
    with pytest.raises(ValueError, match="trained for other rules"):
        make(rules="house", opponents=str(tmp_path / "policy.safetensors"))


def test_without_a_fixed_seat_all_seats_come_up_and_the_seed_tells_which():
    made = make(rules="basic", players=3)
    seats = [made.reset(seed=seed)[1]["seat"] for seed in range(60)]
    assert set(seats) == {0, 1, 2}
    assert seats == [made.reset(seed=seed)[1]["seat"] for seed in range(60)]


def test_bots_that_cheat_are_found_out():
    made, _ = laid(opponents=lambda view, legal: "2222")
    with pytest.raises(IllegalMove, match="bot '<lambda>' chose '2222' for seat 1; legal are pass, 4, 5"):
        made.step(made.table.id("3"))


# seeds, masks, ends, refusals


def test_without_a_seed_the_match_before_draws_that_of_the_next():
    made = make(rules="quebec", opponents="easy")
    first = made.reset(seed=3)[0], made.reset()[0], made.reset()[0]
    again = made.reset(seed=3)[0], made.reset()[0], made.reset()[0]
    assert all(np.array_equal(*pair) for pair in zip(first, again, strict=True))
    assert not np.array_equal(first[0], first[1])


def test_masks_are_those_that_sb3_contrib_asks_for():
    made, info = laid()
    assert made.action_masks().dtype == np.bool_
    assert np.array_equal(made.action_masks(), info["action_mask"])


def test_maskable_ppo_learns_on_it():
    from sb3_contrib import MaskablePPO

    made = gymnasium.make("President-v0", rules="quebec", opponents="easy", rounds=1)
    model = MaskablePPO("MlpPolicy", made, n_steps=64, batch_size=32, n_epochs=1, seed=0, device="cpu")
    model.learn(128)  # an illegal action would raise
    assert model.num_timesteps == 128


def test_an_illegal_action_is_refused_and_changes_nothing():
    made, info = laid()
    for action, named in [(0, "'pass' (id 0)"), (999, "action 999"), (-3, "action -3"), (None, "action None")]:
        with pytest.raises(IllegalMove) as refused:
            made.step(action)  # type: ignore[arg-type]
        assert str(refused.value) == f"your seat may not play {named}; legal are '3' (id 1), '4' (id 2)"
    assert made.game.history == []
    assert legal(made, info) == ["3", "4"]


@pytest.mark.plain
@pytest.mark.parametrize(("reward", "worst"), [("place", -1.0), ("win", 0.0)])
def test_an_illegal_action_can_end_the_episode_instead(reward, worst):
    made, _ = laid(illegal="end", reward=reward)
    seen, earned, terminated, truncated, _ = made.step(0)
    assert (earned, terminated, truncated) == (worst, True, False)
    assert seen in made.observation_space
    _, info = made.reset()
    assert info["action_mask"].any()
    assert made.game.places == [None] * 4  # a new match is being played


def test_after_the_end_a_reset_is_wanted():
    made, _ = laid(illegal="end")
    made.step(0)
    with pytest.raises(IllegalMove, match=r"no match is being played; call reset\(\) first"):
        made.step(0)


def test_a_match_is_truncated_after_the_most_rounds_it_may_have():
    made = make(rules="norwegian", players=4, max_rounds=1, opponents="easy")
    _, info = made.reset(seed=2)
    terminated = truncated = False
    while not truncated:
        assert not terminated
        _, _, terminated, truncated, info = made.step(int(info["action_mask"].argmax()))
    assert not terminated


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"opponents": "esay"}, "unknown bot 'esay' (did you mean 'easy'?); bots are random, easy"),
        ({"opponents": ["easy"]}, "opponents: 1 were given; wanted is one for all or a list of 3"),
        ({"seat": 4}, "seat 4 is not at the table: seats are 0 to 3, or None to draw one"),
        ({"illegal": "ignore"}, "illegal 'ignore' is unknown; choose from raise, end"),
        ({"max_rounds": 0}, "max_rounds: 0 was given"),
        ({"render_mode": "rgb"}, "render_mode 'rgb' is unknown; choose from human, ansi, or None"),
        ({"reward": "money"}, "reward 'money' is unknown"),
        ({"rounds": 0}, "rounds"),
    ],
)
def test_arguments_that_make_no_sense_are_refused(arguments, message):
    with pytest.raises(ValueError) as refused:
        President(**arguments)
    assert message in str(refused.value)


def test_hands_of_more_rounds_than_the_first_are_refused():
    with pytest.raises(ValueError, match="a single seat takes those of the first round"):
        make(rules="basic").reset(options={"deals": [FOUR, FOUR]})


class ByHandSize:
    name = "by hand size"

    def act(self, view, legal):
        return legal[view.hand_sizes[view.seat] % len(legal)]


def test_copies_and_pickles_go_on_alike_with_bots_that_are_asked():
    played = President("quebec", opponents=ByHandSize())
    played.reset(seed=2)
    twins = [played, copy.deepcopy(played), pickle.loads(pickle.dumps(played))]
    for _ in range(40):
        masks = [twin.action_masks() for twin in twins]
        outcomes = [twin.step(int(mask.argmax())) for twin, mask in zip(twins, masks, strict=True)]
        for observation, reward, terminated, truncated, _ in outcomes[1:]:
            assert np.array_equal(observation, outcomes[0][0])
            assert (reward, terminated, truncated) == outcomes[0][1:4]
        if terminated or truncated:
            break


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (5, "options: 5 was given; wanted is a dict"),
        ({"deals": 7}, "deals: 7 was given; wanted is a list of rounds"),
        ({"deals": "3C"}, "deals: '3C' was given; wanted is a list of rounds"),
        ({"deals": [5]}, "deals: round 1 gives 5; the rules want a list of 4 hands"),
        ({"deals": [["3C", "4C", 5, "6C"]]}, "deals: a hand in round 1 is 5; wanted is a text"),
        ({"leader": "x"}, "leader 'x' is not at the table"),
    ],
)
@pytest.mark.parametrize("make_env", [President, raw_env])
def test_options_that_make_no_sense_are_refused(make_env, options, message):
    with pytest.raises(ValueError, match="^" + re.escape(message)):
        make_env("quebec").reset(options=options)
