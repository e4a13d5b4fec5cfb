"""Games: the batch plays what single games play, whatever its size, threads and history."""

import copy
import os
import pickle
import time

import numpy as np
import pytest
from hypothesis import given, settings
from numba.core import config

from president_env import Game, Games, IllegalMove, Rules
from president_env.engine.parameters import PARAMETERS
from president_env.engine.state import GAME
from president_env.engine.tickets import MOST_THREADS
from president_env.limits import Limits
from president_env.rewards import REWARDS, reward_of_place
from tests.strategies import EVERYTHING, rules, seeds

SHORTER = {"norwegian": {"target_score": 3}}
MANY = [*(Rules.preset(name, **SHORTER.get(name, {})) for name in Rules.presets()), EVERYTHING]
IDS = [*Rules.presets(), "all"]


def choice(mask: np.ndarray, seeds: np.ndarray, step: int) -> np.ndarray:
    """A legal action for each row, drawn from the seed of its match and the step."""
    number = mask.sum(axis=1)
    drawn = (seeds % 100_003 * 7919 + step * 104_729) % 1_000_003 % number
    return np.argmax(mask.cumsum(axis=1) == (drawn + 1)[:, None], axis=1)


def final_place(game: Game, seat: int) -> int:
    """The seat's place in the round in which it has just taken it."""
    return game.places[seat] or int(game.state[0]["last_place"][seat])


class Single:
    """A row of a batch, played by a Game that starts anew like the row does."""

    def __init__(self, batch: Games, row: int, reward: str = "place") -> None:
        self.batch, self.row = batch, row
        self.worth = reward_of_place(batch.rules, reward)
        self.start()

    def start(self) -> None:
        self.game = Game(self.batch.rules, seed=int(self.batch.seeds[self.row]))

    def check_turn(self) -> None:
        game, batch, row = self.game, self.batch, self.row
        seat = int(batch.seat[row])
        assert game.seat == seat
        assert np.array_equal(game.action_mask(), batch.mask[row])
        assert np.array_equal(game.observation(seat), batch.observation[row])

    def check_step(self, action: int) -> None:
        """Make the move that the batch has made, and compare what came of it."""
        game, batch, row = self.game, self.batch, self.row
        before, number = game.places, game.round
        game.play_id(int(action))
        expected = np.zeros(batch.num_players, dtype=np.float32)
        for seat, place in enumerate(before):
            if place is None and (game.places[seat] or game.over or game.round > number):
                expected[seat] = self.worth[final_place(game, seat)]
        assert batch.rewards[row].tolist() == expected.tolist()
        assert batch.done[row] == game.over
        assert not batch.truncated[row]
        if game.over:
            assert batch.final_places[row].tolist() == game.places
            assert batch.final_scores[row].tolist() == game.scores
            self.start()


def play_against_games(batch: Games, rows: list[int], steps: int) -> int:
    """Step the batch, with a Game beside each of these rows; returns how many of their matches ended."""
    singles, ended = [Single(batch, row) for row in rows], 0
    for step in range(steps):
        for single in singles:
            single.check_turn()
        actions = choice(batch.mask, batch.seeds, step)
        batch.step(actions)
        for single in singles:
            single.check_step(actions[single.row])
        ended += int(batch.done[rows].sum())
    return ended


@pytest.mark.parametrize("made", MANY, ids=IDS)
def test_a_batch_of_seven_plays_seven_single_games(made):
    batch = Games(made, 7, seed=20)
    assert batch.seeds.tolist() == list(range(20, 27))
    assert play_against_games(batch, list(range(7)), steps=350) > 0


@pytest.mark.plain
@given(rules(max_players=5, max_cards=40), seeds)
@settings(max_examples=12)
def test_a_batch_of_any_rules_plays_single_games(made, seed):
    play_against_games(Games(made, 2, seed=seed // 2), [0, 1], steps=60)


@pytest.mark.parametrize("made", [MANY[2], MANY[-1]], ids=["butt", "all"])
def test_a_batch_of_one_is_the_same_as_a_row_of_4096(made):
    large, threaded = Games(made, 4096, seed=0), Games(made, 4096, seed=0, num_threads=2)
    ones = {row: Games(made, 1, seed=row) for row in (0, 1, 2048, 4095)}
    for step in range(120):
        for row, one in ones.items():
            for name in ("seat", "mask", "observation", "rewards", "done", "final_scores"):
                assert np.array_equal(getattr(one, name)[0], getattr(large, name)[row]), name
        actions = choice(large.mask, large.seeds, step)
        large.step(actions)
        threaded.step(actions)
        for row, one in ones.items():
            one.step(actions[row : row + 1])
        if step % 25 == 0:
            assert np.array_equal(threaded.observation, large.observation)
            assert np.array_equal(threaded.mask, large.mask)
            assert np.array_equal(threaded.rewards, large.rewards)
    assert (threaded.games == large.games).all()


def test_a_row_of_4096_plays_a_single_game():
    batch = Games(Rules.preset("quebec", rounds=1), 4096, seed=3)
    assert play_against_games(batch, [0, 1000, 4095], steps=200) > 0


@pytest.mark.plain
@pytest.mark.parametrize("reward", REWARDS)
def test_rewards_come_with_the_move_that_fixes_the_place(reward):
    batch = Games(Rules.preset("prezident"), 1, seed=4, reward=reward)
    single = Single(batch, 0, reward)
    total = np.zeros(4, dtype=np.float32)
    for step in range(1000):
        action = choice(batch.mask, batch.seeds, step)
        batch.step(action)
        total += batch.rewards[0]
        single.check_step(action[0])
        if batch.done[0]:
            break
    by_place = {"place": (1, 1 / 3, -1 / 3, -1), "score": (4, 3, 2, 1), "win": (1, 0, 0, 0)}[reward]
    assert total == pytest.approx([by_place[place - 1] for place in batch.final_places[0]])


@pytest.mark.parametrize("players", [2, 3, 8])
def test_place_rewards_go_evenly_from_one_to_minus_one(players):
    worth = reward_of_place(Rules(players=players), "place")[1 : players + 1]
    assert (worth[0], worth[-1]) == (1, -1)
    assert np.diff(worth) == pytest.approx([-2 / (players - 1)] * (players - 1))
    assert worth.sum() == pytest.approx(0, abs=1e-6)


def test_a_reward_that_is_unknown_or_has_no_scoring():
    with pytest.raises(ValueError, match="reward 'points' is unknown; choose from place, score, win"):
        Games(Rules(), 1, reward="points")
    with pytest.raises(ValueError, match="reward 'score' needs a scoring, and these rules have scoring 'none'"):
        Games(Rules(), 1, reward="score")


@pytest.mark.plain
def test_a_match_is_given_up_after_the_most_rounds():
    made = Rules(players=3, ranks="345", rounds=50, scoring="places")
    batch = Games(made, 3, seed=0, max_rounds=2)
    for step in range(200):
        batch.step(choice(batch.mask, batch.seeds, step))
        if batch.done[0]:
            break
    assert batch.truncated[0]
    assert sorted(batch.final_places[0]) == [1, 2, 3]
    assert batch.final_scores[0].sum() == 2 * (3 + 2 + 1)
    assert Game(made, seed=int(batch.seeds[0])).seat == batch.seat[0]


@pytest.mark.plain
def test_a_match_that_ends_by_itself_in_the_last_round_is_not_truncated():
    batch = Games(Rules(players=3, ranks="345", rounds=2), 1, seed=0, max_rounds=2)
    for step in range(200):
        batch.step(choice(batch.mask, batch.seeds, step))
        if batch.done[0]:
            break
    assert not batch.truncated[0]


def shown(batch: Games) -> list[np.ndarray]:
    return [batch.observation, batch.mask, batch.rewards]


def test_tensors_share_the_memory_of_the_two_sets_of_arrays():
    torch = pytest.importorskip("torch")
    batch = Games(Rules.preset("basic"), 6, seed=2)
    tensors = []
    for _ in range(2):
        tensors.append([torch.from_numpy(array) for array in shown(batch)])
        batch.step(batch.mask.argmax(axis=1))
    for step in range(6):
        for tensor, array in zip(tensors[step % 2], shown(batch), strict=True):
            assert tensor.data_ptr() == array.ctypes.data
            assert np.array_equal(tensor.numpy(), array)
        batch.step(batch.mask.argmax(axis=1))


@pytest.mark.parametrize(("games", "threads"), [(1, 4), (3, 3), (50, 2)])
def test_more_threads_play_the_same_also_after_a_rest(games, threads):
    alone = Games(Rules.preset("house"), games, seed=4)
    shared = Games(Rules.preset("house"), games, seed=4, num_threads=threads)
    for step in range(300):
        actions = choice(alone.mask, alone.seeds, step)
        if step % 100 == 50:
            time.sleep(0.02)  # the other threads have gone to sleep
        if step % 100 == 70:
            with pytest.raises(IllegalMove):
                shared.step(np.full(games, -1))
        alone.step(actions)
        shared.step(actions)
        assert np.array_equal(alone.observation, shared.observation)
        assert np.array_equal(alone.rewards, shared.rewards)
    assert (alone.games == shared.games).all()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_batch_with_threads_goes_on_in_a_process_that_was_forked():
    batch = Games(Rules.preset("basic"), 8, seed=4, num_threads=2)
    batch.step(batch.mask.argmax(axis=1))
    child = os.fork()
    if child == 0:
        batch.step(batch.mask.argmax(axis=1))
        os._exit(int(batch.observation.sum()) % 256)
    batch.step(batch.mask.argmax(axis=1))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == int(batch.observation.sum()) % 256


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))])
def test_a_copy_has_threads_of_its_own(copied):
    batch = Games(Rules.preset("quebec"), 3, seed=1, num_threads=2)
    other = copied(batch)
    assert len(other.team.ranges) == 2
    for _ in range(50):
        for each in (batch, other):
            each.step(each.mask.argmax(axis=1))
        assert all(map(np.array_equal, shown(batch), shown(other)))


def test_arrays_stay_for_one_more_step():
    batch = Games(Rules.preset("quebec"), 5, seed=1)
    mask, observation, seat = batch.mask, batch.observation, batch.seat
    kept = mask.copy(), observation.copy(), seat.copy()
    batch.step(choice(mask, batch.seeds, 0))
    assert all(np.array_equal(now, then) for now, then in zip((mask, observation, seat), kept, strict=True))
    assert batch.mask is not mask


@pytest.mark.plain
def test_reset_starts_again_from_the_seeds_given():
    batch = Games(Rules.preset("quebec"), 3, seed=[5, 5, 9])
    first = batch.observation.copy()
    assert np.array_equal(first[0], first[1])
    assert not np.array_equal(first[0], first[2])
    for step in range(4):
        batch.step(choice(batch.mask, batch.seeds, step))
    batch.reset()
    assert np.array_equal(batch.observation, first)
    assert not batch.rewards.any()
    batch.reset(seed=9)
    assert batch.seeds.tolist() == [9, 10, 11]
    assert np.array_equal(batch.observation[0], first[2])


@pytest.mark.plain
def test_other_seats_can_look_too():
    batch = Games(Rules.preset("house"), 3, seed=1)
    seen = batch.observe([2, 0, 0], [3, 1, 2])
    for observation, row, seat in zip(seen, [2, 0, 0], [3, 1, 2], strict=True):
        assert np.array_equal(observation, Game(batch.rules, seed=1 + row).observation(seat))


# What is refused


@pytest.mark.plain
@pytest.mark.parametrize(("row", "action"), [(0, 53), (1, -1), (2, 0), (1, 10_000)])
def test_an_illegal_action_names_row_and_move_and_changes_nothing(row, action):
    batch = Games(Rules.preset("basic"), 3, seed=0)
    actions = choice(batch.mask, batch.seeds, 0)
    actions[row] = action
    games, mask = batch.games.copy(), batch.mask.copy()
    with pytest.raises(IllegalMove, match=f"game {row}: action {action} is .*, which seat 0 may not play; legal are "):
        batch.step(actions)
    assert (batch.games == games).all()
    assert np.array_equal(batch.mask, mask)
    batch.step(choice(batch.mask, batch.seeds, 0))


@pytest.mark.parametrize("actions", [[1], [1.0, 1.0], [[1, 1]], 1, ["a", "b"], [True, True]])
def test_actions_of_the_wrong_shape_or_type(actions):
    batch = Games(Rules.preset("basic"), 2, seed=0)
    with pytest.raises(IllegalMove, match="wanted are 2 whole numbers, one a game"):
        batch.step(actions)


@pytest.mark.parametrize("seed", [-1, 1.5, "7", [1], [1, -2], [0.5, 1], [True, False], 2**63 - 1, [1, 2**63]])
def test_seeds_that_are_none(seed):
    with pytest.raises(ValueError, match=r"seed: .* was given; wanted is a whole number from 0, or 2 of them"):
        Games(Rules(), 2, seed=seed)


@pytest.mark.parametrize("name", ["num_games", "max_rounds", "num_threads"])
@pytest.mark.parametrize("number", [0, -1, 1.5, True, "2"])
def test_numbers_that_are_none(name, number):
    with pytest.raises(ValueError, match=f"{name}: .* was given; wanted is a whole number from 1"):
        Games(Rules(), **{"num_games": 1, name: number})


# Many tables


@pytest.mark.plain
def test_rules_within_limits_share_a_table_and_play_as_they_do_alone():
    many = [each for each in MANY if each.players <= 5]
    batch = Games(many, 2 * len(many), seed=30, limits=Limits(players=5))
    games: dict[int, Game] = {}
    for step in range(120):
        for row in range(batch.num_games):
            if row not in games:
                games[row] = Game(batch.all_rules[batch.rule_of[row]], seed=int(batch.seeds[row]))
            game = games[row]
            assert game.seat == batch.seat[row]
            assert [batch.table.text(int(action)) for action in np.flatnonzero(batch.mask[row])] == game.legal
        actions = choice(batch.mask, batch.seeds, step)
        batch.step(actions)
        for row, game in list(games.items()):
            game.play(batch.table.text(int(actions[row])))
            assert game.over == batch.done[row]
            if game.over:
                assert batch.final_places[row, : game.rules.players].tolist() == game.places
                del games[row]


def test_rules_that_do_not_fit_the_limits():
    with pytest.raises(ValueError, match=r"outside the limits of the universal table: players 6 \(at most 5\)"):
        Games([Rules(players=6)], 1, limits=Limits(players=5))
    with pytest.raises(ValueError, match="several need `limits`"):
        Games([Rules(), Rules(players=3)], 2)


def test_a_batch_goes_on_from_saved_records():
    rules = Rules.preset("quebec")
    first, second = Games(rules, 8, seed=1), Games(rules, 8, seed=99)
    for _ in range(30):
        first.step(first.mask.argmax(axis=1))
    second.restore(first.games.copy())
    assert np.array_equal(first.observation, second.observation)
    for _ in range(200):
        for batch in (first, second):
            batch.step(batch.mask.argmax(axis=1))
        assert np.array_equal(first.mask, second.mask)
        assert np.array_equal(first.rewards, second.rewards)
    for none in (first.games[:3], None, 3, first.games["seed"]):
        with pytest.raises(ValueError, match="wanted are the 8 records"):
            second.restore(none)  # type: ignore[arg-type]


def test_a_reset_repeats_the_rules_too():
    tables = [Rules.preset("quebec"), Rules.preset("house"), Rules.preset("butt")]
    batch = Games(tables, 7, seed=5, limits=Limits(players=4))
    first = batch.rule_of.copy(), batch.observation.copy()
    assert first[0].tolist() == [(5 + row) % 3 for row in range(7)]
    for _ in range(600):
        batch.step(batch.mask.argmax(axis=1))
    batch.reset(5)
    assert np.array_equal(batch.rule_of, first[0])
    assert np.array_equal(batch.observation, first[1])


@pytest.mark.parametrize(
    ("rows", "seats"),
    [([0, 9], [0, 0]), ([0, 1], [0, 4]), ([-1], [0]), ([0, 1], [0]), (0, 0), ([0.5], [0]), (["a"], [0])],
)
def test_seats_and_rows_that_are_not_there_are_refused(rows, seats):
    with pytest.raises(ValueError, match="wanted are"):
        Games(Rules.preset("quebec"), 3).observe(rows, seats)


@pytest.mark.parametrize("given", ["quebec", None, 5, [Rules(), None]])
def test_what_is_no_rules_is_refused(given):
    with pytest.raises(ValueError, match="wanted are Rules"):
        Games(given, 2)


def test_what_is_no_limits_or_reward_is_refused():
    with pytest.raises(ValueError, match="limits: 3 was given"):
        Games(Rules(), 2, limits=3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="choose from place"):
        Games(Rules(), 2, reward=[])  # type: ignore[arg-type]


def test_copies_and_pickles_of_a_batch_with_threads_go_on_alike():
    batch = Games(Rules.preset("quebec"), 6, seed=4, num_threads=2)
    twins = [batch, copy.deepcopy(batch), pickle.loads(pickle.dumps(batch))]
    for _ in range(50):
        actions = batch.mask.argmax(axis=1)
        for twin in twins:
            twin.step(actions)
            assert np.array_equal(twin.observation, batch.observation)
    assert not np.shares_memory(twins[1].games, batch.games)


def test_more_threads_than_can_be_posted_to_are_not_hired():
    batch, one = Games(Rules.preset("basic"), 200, seed=4, num_threads=150), Games(Rules.preset("basic"), 200, seed=4)
    assert len(batch.team.ranges) == (1 if config.DISABLE_JIT else MOST_THREADS)
    for _ in range(3):
        actions = batch.mask.argmax(axis=1)
        batch.step(actions)
        one.step(actions)
    assert np.array_equal(batch.observation, one.observation)


def test_records_are_of_the_very_dtypes_that_compiled_code_knows():
    batch = Games([Rules.preset("basic"), Rules.preset("quebec")], 3, limits=Limits())
    assert batch.parameters.dtype is PARAMETERS, "a call takes microseconds longer if it is merely equal"
    assert batch.games.dtype is GAME


@pytest.mark.parametrize(
    "all_rules", [[EVERYTHING], [Rules.preset("quebec"), Rules.preset("house", players=7), EVERYTHING]]
)
def test_a_match_is_the_same_record_whatever_was_played_in_its_row_before(all_rules):
    used, fresh = (Games(all_rules, 24, seed=9, limits=Limits()) for _ in range(2))
    for seed in range(3):
        used.reset(seed=seed)
        for _ in range(400):
            used.step((used.mask * np.random.default_rng(seed).random(used.mask.shape)).argmax(axis=1))
        used.reset(seed=9)
        assert [name for name in GAME.names or () if not np.array_equal(used.games[name], fresh.games[name])] == []
