"""The vector environment: each row is the single environment, whatever the others do."""

import copy
from typing import Any, cast

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from numpy.typing import NDArray

from president_env import Game, Games, IllegalMove
from president_env.vector import PresidentVectorEnv


def make(num_envs: int = 5, **arguments: Any) -> PresidentVectorEnv:
    made = gymnasium.make_vec("President-v0", num_envs=num_envs, **arguments)
    assert isinstance(made, PresidentVectorEnv)
    return made


def singles(num_envs: int, **arguments: Any) -> SyncVectorEnv:
    def one() -> gymnasium.Env[Any, Any]:
        return gymnasium.make("President-v0", disable_env_checker=True, **arguments)

    return SyncVectorEnv([one] * num_envs, autoreset_mode=AutoresetMode.SAME_STEP)


def first_steps(made: PresidentVectorEnv) -> None:
    _, infos = made.reset(seed=0)
    for _ in range(3):
        _, _, _, _, infos = made.step(infos["action_mask"].argmax(axis=1))


class Wrong:
    """A bot whose `act_batch` returns what was given."""

    name = "wrong"

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def act(self, view: Game, legal: list[str]) -> str:
        raise AssertionError("a bot with act_batch is asked for all rows at once")

    def act_batch(self, batch: Games, rows: NDArray[np.intp]) -> NDArray[np.int64]:
        answer: NDArray[np.int64] = self.answer(len(rows))
        return answer


def highest(view: Game, legal: list[str]) -> str:
    return legal[-1]


def random_actions(masks: np.ndarray, chance: np.random.Generator) -> np.ndarray:
    return np.asarray((chance.random(masks.shape) * masks).argmax(axis=1))


def assert_same(ours: Any, theirs: Any) -> None:
    if isinstance(theirs, dict):
        assert ours.keys() == theirs.keys()
        for key in theirs:
            assert_same(ours[key], theirs[key])
    elif theirs.dtype == object:
        assert [one is None for one in ours] == [one is None for one in theirs]
        for one, other in zip(ours, theirs, strict=True):
            assert np.array_equal(one, other)
    else:
        assert ours.dtype == theirs.dtype or ours.dtype.kind == theirs.dtype.kind
        assert np.array_equal(ours, theirs)


@pytest.mark.parametrize(
    "arguments",
    [
        {"rules": "quebec", "opponents": "easy"},
        {"rules": "butt", "opponents": ["random", "easy", highest]},
        {"rules": "house", "players": 6, "opponents": "random", "seat": 2, "rounds": 1},
        {"rules": "norwegian", "players": 3, "opponents": highest, "max_rounds": 2, "reward": "score"},
        {"rules": "prezident", "opponents": "random", "illegal": "end"},
        {"rules": "basic", "players": 3, "ranks": "345", "suits": 1, "opponents": "easy"},
    ],
    ids=lambda arguments: arguments["rules"],
)
def test_it_is_as_many_single_environments(arguments):
    ours, theirs, chance = make(5, **arguments), singles(5, **arguments), np.random.default_rng(1)
    ended = 0
    seen, infos = ours.reset(seed=7)
    other, other_infos = theirs.reset(seed=7)
    for step in range(150):
        assert_same(seen, other)
        assert_same(infos, other_infos)
        actions = random_actions(infos["action_mask"], chance)
        if arguments.get("illegal") == "end" and step % 10 == 0:
            actions[step % 5] = infos["action_mask"][step % 5].argmin()
        seen, rewards, terminated, truncated, infos = ours.step(actions)
        other, *results, other_infos = theirs.step(actions)
        for result, other_result in zip((rewards, terminated, truncated), results, strict=True):
            assert_same(result, other_result)
        ended += int(np.logical_or(terminated, truncated).sum())
    assert ended > 5


def test_a_row_does_not_depend_on_how_many_there_are():
    few, many, chance = make(2, opponents="random"), make(40, opponents="random"), np.random.default_rng(2)
    seen_few, infos_few = few.reset(seed=5)
    seen_many, infos_many = many.reset(seed=5)
    for _ in range(60):
        assert np.array_equal(seen_few, seen_many[:2])
        actions = random_actions(infos_many["action_mask"], chance)
        seen_few, _, _, _, infos_few = few.step(actions[:2])
        seen_many, _, _, _, infos_many = many.step(actions)
        assert np.array_equal(infos_few["action_mask"], infos_many["action_mask"][:2])


def test_it_is_what_make_vec_makes():
    made = make(3)
    assert made.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert made.single_action_space == gymnasium.spaces.Discrete(len(made.table))
    assert made.action_space.shape == (3,)
    seen, infos = made.reset(seed=1)
    assert seen in made.observation_space
    assert infos["action_mask"].shape == (3, len(made.table))
    assert np.array_equal(made.action_masks(), infos["action_mask"])
    assert gymnasium.make_vec("President-v0", num_envs=2, vectorization_mode="sync").num_envs == 2


def test_arrays_handed_out_belong_to_the_caller():
    made, chance = make(6, opponents="easy"), np.random.default_rng(3)
    twin = make(6, opponents="easy")
    seen, infos = made.reset(seed=1)
    twin.reset(seed=1)
    kept = [(seen, seen.copy())]
    for _ in range(30):
        actions = random_actions(infos["action_mask"], chance)
        infos["action_mask"][:] = 1  # what is done to them does nothing to the environment
        seen, _, _, _, infos = made.step(actions)
        assert np.array_equal(seen, twin.step(actions)[0])
        kept.append((seen, seen.copy()))
    for array, copied in kept:
        assert np.array_equal(array, copied)


def test_some_rows_can_begin_anew():
    made, chance = make(4, opponents="easy"), np.random.default_rng(3)
    seen, infos = made.reset(seed=1)
    for _ in range(3):
        seen, _, _, _, infos = made.step(random_actions(infos["action_mask"], chance))
    again, infos_again = made.reset(seed=[9, 9, 50, 9], options={"reset_mask": np.array([False, False, True, False])})
    stay = [0, 1, 3]
    assert np.array_equal(again[stay], seen[stay])
    assert np.array_equal(infos_again["action_mask"][stay], infos["action_mask"][stay])
    assert np.array_equal(again[2], make(1, opponents="easy").reset(seed=50)[0][0])


def test_without_a_seed_the_matches_before_draw_those_of_the_next():
    made = make(3)
    first = made.reset(seed=3)[0], made.reset()[0]
    assert np.array_equal(first[0], made.reset(seed=3)[0])
    assert np.array_equal(first[1], made.reset()[0])
    assert not np.array_equal(*first)


def test_an_illegal_action_names_its_row_and_changes_nothing():
    made = make(3, rules="basic", opponents="easy")
    seen, infos = made.reset(seed=2)
    actions = infos["action_mask"].argmax(axis=1)
    wrong = actions.copy()
    wrong[1] = infos["action_mask"][1].argmin()
    for action, named in [(wrong[1], f"(id {wrong[1]})"), (500, "action 500"), (-1, "action -1")]:
        wrong[1] = action
        with pytest.raises(IllegalMove, match="row 1: your seat may not play") as refused:
            made.step(wrong)
        assert named in str(refused.value)
    twin = make(3, rules="basic", opponents="easy")
    assert np.array_equal(twin.reset(seed=2)[0], seen)
    assert np.array_equal(made.step(actions)[0], twin.step(actions)[0])


def test_actions_of_the_wrong_shape_or_kind_are_refused():
    made = make(3)
    with pytest.raises(IllegalMove, match=r"call reset\(\) first"):
        made.step(np.zeros(3, dtype=np.int64))
    made.reset(seed=0)
    for wrong in (np.zeros(2, dtype=np.int64), np.zeros(3), 0):
        with pytest.raises(IllegalMove, match="wanted are 3 whole numbers, one a row"):
            made.step(wrong)


@pytest.mark.parametrize("seed", [[1, 2], [1, 2, -3], -1])
def test_seeds_that_do_not_fit_are_refused(seed):
    with pytest.raises((ValueError, gymnasium.error.Error)):
        make(3).reset(seed=seed)


def test_tables_are_drawn_as_their_learners_see_them():
    made = make(2, rules="quebec", render_mode="ansi")
    assert made.render() is None
    _, infos = made.reset(seed=1)
    tables = made.render()
    assert tables is not None
    for table, seat in zip(tables, infos["seat"], strict=True):
        assert f"seen by seat {seat}" in table
        assert table.count("hidden") == 3


@pytest.mark.parametrize("opponents", ["random", ["easy", "random", highest]], ids=["compiled", "asked"])
def test_what_comes_out_does_not_depend_on_threads(opponents):
    alone = make(7, rules="quebec", opponents=opponents)
    shared = make(7, rules="quebec", opponents=opponents, num_threads=3)
    chance = np.random.default_rng(1)
    shared.reset(seed=3)
    alone.reset(seed=3)
    for _ in range(120):
        actions = random_actions(alone.action_masks(), chance)
        for one, other in zip(shared.step(actions), alone.step(actions), strict=True):
            assert_same(one, other)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda n: np.full(n, -1), "bot 'wrong' chose action -1; ids are 0 to"),
        (lambda n: np.full(n, 5000), "bot 'wrong' chose action 5000; ids are 0 to"),
        (lambda n: np.ones(n), r"bot 'wrong' returned float64 of shape \(\d+,\); wanted are integer action ids"),
        (lambda n: np.ones((n, 2), dtype=int), r"bot 'wrong' returned int64 of shape \(\d+, 2\); wanted are integer"),
        (lambda n: None, r"bot 'wrong' returned object of shape \(\)"),
    ],
)
def test_what_is_no_action_of_a_batch_bot_is_refused(answer, message):
    made = make(3, rules="basic", opponents=Wrong(answer))
    with pytest.raises(IllegalMove, match=message):
        first_steps(made)


@pytest.mark.parametrize(
    "options", [5, [1], {"reset_mask": [1, 0]}, {"reset_mask": [True]}, {"reset_mask": np.zeros((2, 1), dtype=bool)}]
)
def test_options_that_make_no_sense_are_refused(options):
    made = make(2)
    made.reset(seed=1)
    with pytest.raises(ValueError, match="options: "):
        made.reset(options=options)


def test_a_numpy_number_is_a_seed():
    made = make(3)
    assert np.array_equal(made.reset(seed=cast(int, np.int64(4)))[0], made.reset(seed=4)[0])


def test_copies_go_on_alike_with_bots_that_are_asked():
    made = make(4, opponents=lambda view, legal: legal[view.hand_sizes[view.seat] % len(legal)])
    _, infos = made.reset(seed=2)
    twin = copy.deepcopy(made)
    for _ in range(30):
        actions = infos["action_mask"].argmax(axis=1)
        observations, rewards, _, _, infos = made.step(actions)
        seen, brought, _, _, _ = twin.step(actions)
        assert np.array_equal(observations, seen)
        assert np.array_equal(rewards, brought)


@pytest.mark.parametrize("num_envs", [1, 2])
def test_bots_that_are_asked_see_the_match_that_is_played(num_envs):
    asked = []

    def last(view: Any, legal: list[str]) -> str:
        asked.append(view.round)
        return legal[-1]

    made = make(num_envs, rules="basic", opponents=last)
    _, infos = made.reset(seed=1)
    ends = 0
    for _ in range(150):
        _, _, terminated, _, infos = made.step(infos["action_mask"].argmax(axis=1))
        ends += terminated.sum()
    assert ends >= 3
    assert set(asked) == {1}
