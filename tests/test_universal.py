"""Environments of many rule sets: one action space and one observation, and the same games as with the rules alone."""

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest

from president_env import Game, Games, Limits, Rules
from president_env.bots.policy import PolicyBot, PolicyNetwork
from president_env.features import features_of
from president_env.president_v0 import raw_env
from president_env.single import President
from president_env.vector import PresidentVectorEnv
from tests.strategies import EVERYTHING
from tests.test_policy import random_tensors
from tests.test_vector import assert_same, random_actions, singles

WIDEST = Limits()
TABLES = [
    Rules.preset("house", rounds=2),
    Rules.preset("butt", players=6, quartet="any_time"),
    Rules.preset("quebec", players=5, passing="strict"),
    Rules.preset("prezident", players=3),
    Rules.preset("norwegian", players=8, rounds=2),
    Rules.preset("basic", players=3, ranks="34567", suits=2),
    EVERYTHING,
]
MATCHES = [pytest.param(rules, id=f"{number}-{rules.players}") for number, rules in enumerate(TABLES)]


def any_table(rng: np.random.Generator) -> Rules:
    """A distribution: a preset at a table of three to five."""
    name = str(rng.choice(["house", "butt", "prezident"]))
    return Rules.preset(name, players=int(rng.integers(3, 6)), revolution=bool(rng.integers(2)))


def at_eight(rng: np.random.Generator) -> Rules:
    return Rules.preset("house", players=8 if rng.integers(2) else 4)


def first(view: Game, legal: list[str]) -> str:
    return legal[0]


def texts(table: Any, mask: np.ndarray) -> list[str]:
    return [table.text(int(action)) for action in np.flatnonzero(mask)]


def over(played: raw_env) -> bool:
    return any(played.terminations.values()) or any(played.truncations.values())


# the same games


@pytest.mark.plain
@pytest.mark.parametrize("rules", MATCHES)
def test_the_moves_lead_to_the_same_game_as_without_limits(rules):
    wide, plain = raw_env(rules, limits=WIDEST, max_rounds=3), raw_env(rules, max_rounds=3)
    chance = np.random.default_rng(1)
    wide.reset(seed=5)
    plain.reset(seed=5)
    while not over(plain):
        assert wide.agents == plain.agents
        assert wide.agent_selection == plain.agent_selection
        for agent in plain.agents:
            seen, other = wide.observe(agent), plain.observe(agent)
            assert texts(wide.table, seen["action_mask"]) == texts(plain.table, other["action_mask"])
            assert np.array_equal(seen["action_mask"], wide.infos[agent]["action_mask"])
        move = str(chance.choice(texts(plain.table, plain.infos[plain.agent_selection]["action_mask"])))
        wide.step(wide.table.id(move))
        plain.step(plain.table.id(move))
        assert wide.rewards == plain.rewards
    assert (wide.terminations, wide.truncations) == (plain.terminations, plain.truncations)
    assert wide.game.record() == plain.game.record()


@pytest.mark.parametrize("rules", MATCHES)
def test_it_sees_the_same_and_the_rules(rules):
    wide, plain = raw_env(rules, limits=WIDEST), raw_env(rules)
    for made in (wide, plain):
        made.reset(seed=8)
        for _ in range(6):
            made.step(made.table.id(texts(made.table, made._mask)[-1]))
    seen = wide.layout.split(wide.last()[0]["observation"])
    for name, block in plain.layout.split(plain.last()[0]["observation"]).items():
        within = tuple(slice(length) for length in block.shape)
        assert np.array_equal(seen[name][within], block), name
    assert np.array_equal(seen["rules"], features_of(rules))


@pytest.mark.parametrize("opponents", ["random", first])
@pytest.mark.parametrize("rules", MATCHES)
def test_a_single_seat_plays_the_same_matches_as_without_limits(rules, opponents):
    arguments = {"opponents": opponents, "max_rounds": 2}
    wide, plain = President(rules, limits=WIDEST, **arguments), President(rules, **arguments)
    chance = np.random.default_rng(2)
    for seed in (3, None):
        _, info = wide.reset(seed=seed)
        _, other = plain.reset(seed=seed)
        ended = False
        while not ended:
            legal = texts(plain.table, other["action_mask"])
            assert texts(wide.table, info["action_mask"]) == legal
            assert info["seat"] == other["seat"]
            move = str(chance.choice(legal))
            _, *results, info = wide.step(wide.table.id(move))
            _, *other_results, other = plain.step(plain.table.id(move))
            assert results == other_results
            ended = bool(results[1] or results[2])
        assert wide.game.record() == plain.game.record()


@pytest.mark.parametrize(
    "arguments",
    [
        {"opponents": "easy"},
        {"opponents": ["easy", first, "random", "easy", "random", first, "random"]},
        {"opponents": "random", "seat": 2, "max_rounds": 1},
    ],
    ids=["compiled", "mixed", "seated"],
)
def test_rows_are_single_environments_whose_rules_change_from_match_to_match(arguments):
    arguments = {"rules": TABLES, "limits": WIDEST, **arguments}
    ours, theirs = gymnasium.make_vec("President-v0", num_envs=5, **arguments), singles(5, **arguments)
    chance = np.random.default_rng(4)
    seen, infos = ours.reset(seed=7)
    other, other_infos = theirs.reset(seed=7)
    played = set()
    for _ in range(150):
        assert_same(seen, other)
        assert_same(infos, other_infos)
        assert isinstance(ours, PresidentVectorEnv)
        rules = [ours.all_rules[rule] for rule in ours.rule_of]
        assert rules == [one.unwrapped.rules for one in theirs.envs]  # type: ignore[attr-defined]
        played |= set(rules)
        actions = random_actions(infos["action_mask"], chance)
        seen, *results, infos = ours.step(actions)
        other, *other_results, other_infos = theirs.step(actions)
        for result, other_result in zip(results, other_results, strict=True):
            assert_same(result, other_result)
    assert played == set(TABLES)


# drawing


@pytest.mark.plain
def test_the_seed_says_which_rules_are_played():
    played = raw_env(TABLES, limits=WIDEST)
    assert len(played.possible_agents) == 8
    spaces = [played.observation_space("player_7"), played.action_space("player_0")]
    for seed in [*range(7), 3, 700]:
        played.reset(seed=seed)
        assert played.rules == TABLES[seed % 7]
        assert played.game.hands == Game(TABLES[seed % 7], seed=seed).hands
        assert played.agents == played.possible_agents[: played.rules.players]
        assert list(played.rewards) == list(played.infos) == played.agents
        assert played.last()[0] in spaces[0]
    assert spaces == [played.observation_space("player_7"), played.action_space("player_0")]


@pytest.mark.parametrize("rules", [TABLES, any_table], ids=["list", "function"])
def test_matches_without_a_seed_draw_their_rules_from_the_one_before(rules):
    chains = []
    for _ in range(2):
        played, single = raw_env(rules, limits=WIDEST), President(rules, limits=WIDEST, opponents="easy")
        played.reset(seed=1)
        single.reset(seed=1)
        chain = [(played.rules, single.rules)]
        for _ in range(60):
            played.reset()
            single.reset()
            chain.append((played.rules, single.rules))
        chains.append(chain)
    assert chains[0] == chains[1]
    for face in zip(*chains[0], strict=True):
        assert len(set(face)) > 5
        assert rules is any_table or set(face) == set(TABLES)


def test_the_first_match_without_a_seed_is_by_chance():
    drawn = set()
    for _ in range(40):
        played = raw_env(TABLES, limits=WIDEST)
        played.reset()
        drawn.add(played.rules)
    assert len(drawn) > 1


def test_a_function_draws_from_the_seed():
    played, single = raw_env(any_table, limits=Limits(players=5)), President(any_table, limits=Limits(players=5))
    for seed in (4, 5, 4):
        drawn = any_table(np.random.default_rng(seed))
        played.reset(seed=seed)
        assert played.game.hands == Game(drawn, seed=seed).hands
        single.reset(seed=seed)
        assert single.rules == played.rules == drawn


def test_a_vector_environment_draws_its_rule_sets_when_it_is_made():
    made = PresidentVectorEnv(9, any_table, limits=Limits(players=5), num_rules=3, opponents="easy")
    assert made.all_rules == tuple(any_table(np.random.default_rng(k)) for k in range(3))
    made.reset(seed=1)
    assert made.rule_of.tolist() == [1, 2, 0] * 3


def test_rules_come_by_name_file_and_value_and_are_changed_alike(tmp_path):
    Rules.preset("house").save(tmp_path / "ours.yaml")
    given = ["butt", tmp_path / "ours.yaml", Rules()]
    made = PresidentVectorEnv(3, given, limits=WIDEST, players=5, opponents="easy", equal_rank="skip")
    same: dict[str, Any] = {"players": 5, "equal_rank": "skip"}
    assert made.all_rules == (Rules.preset("butt", **same), Rules.preset("house", **same), Rules(**same))
    single = President(lambda rng: str(rng.choice(["butt", "house"])), limits=WIDEST, players=5)
    single.reset(seed=0)
    assert single.rules.players == 5


# a table with fewer seats


def test_seats_that_the_table_lacks_are_zeros_in_the_state():
    played = raw_env(TABLES, limits=WIDEST)
    played.reset(seed=3)
    state = played.state().reshape(8, played.layout.size)
    assert played.state() in played.state_space
    for seat in range(3):
        assert np.array_equal(state[seat], played.observe(f"player_{seat}")["observation"])
    assert not state[3:].any()


def test_a_small_table_takes_the_first_of_the_opponents():
    asked = set()

    def bot(name: str) -> Any:
        def choose(view: Game, legal: list[str]) -> str:
            asked.add((view.rules.players, name))
            return legal[-1]

        return choose

    rules = [Rules.preset("basic", players=3), Rules.preset("basic", players=4)]
    made = President(rules, limits=Limits(players=5), opponents=[bot(name) for name in "abcd"], seat=0)
    for seed in (0, 1):
        _, info = made.reset(seed=seed)
        for _ in range(6):
            _, _, ended, _, info = made.step(int(info["action_mask"].argmax()))
            if ended:
                break
    assert asked == {(3, "a"), (3, "b"), (4, "a"), (4, "b"), (4, "c")}


@pytest.mark.plain
def test_all_agents_of_the_table_end_together_and_the_next_table_is_another():
    played, chance = raw_env(TABLES, limits=WIDEST, max_rounds=1), np.random.default_rng(6)
    for seed in (5, 6):
        played.reset(seed=seed)
        totals = dict.fromkeys(played.agents, 0.0)
        while not over(played):
            played.step(int(chance.choice(np.flatnonzero(played.last()[4]["action_mask"]))))
            for agent, reward in played.rewards.items():
                totals[agent] += reward
        assert sum(totals.values()) == pytest.approx(0)
        assert list(totals) == played.agents == played.possible_agents[: TABLES[seed].players]
        for _ in totals:
            played.step(None)
        assert played.agents == []


@pytest.mark.plain
def test_copies_and_pickles_go_on_alike():
    played, chance = raw_env(any_table, limits=WIDEST), np.random.default_rng(1)
    copy.deepcopy(played).reset(seed=2)
    played.reset(seed=2)
    twins = [played, copy.deepcopy(played), pickle.loads(pickle.dumps(played))]
    for _ in range(25):
        action = int(chance.choice(np.flatnonzero(played.last()[0]["action_mask"])))
        for twin in twins:
            twin.step(action)
        for twin in twins[1:]:
            assert np.array_equal(twin.state(), played.state())


def test_hands_can_be_given():
    hands = ["3C 4C", "3D 4D 5D", "6C"]
    options = {"deals": [hands], "leader": 1}
    played, single = raw_env(TABLES, limits=WIDEST), President(TABLES, limits=WIDEST, seat=2, opponents=first)
    played.reset(seed=5, options=options)
    single.reset(seed=5, options=options)
    assert (played.rules, played.game.hands, played.agent_selection) == (TABLES[5], hands, "player_1")
    assert (single.rules, single.game.seat, single.game.deals) == (TABLES[5], 2, [hands])


# opponents


class Watcher:
    """A bot that notes how it is asked."""

    name = "watcher"

    def __init__(self, universal: bool) -> None:
        self.universal = universal
        self.batches = self.views = 0

    def act(self, view: Game, legal: list[str]) -> str:
        self.views += 1
        assert len(view.table) < len(Games([view.rules], 1, limits=WIDEST).table)
        return legal[-1]

    def act_batch(self, batch: Games, rows: np.ndarray) -> np.ndarray:
        self.batches += 1
        assert batch.limits == WIDEST
        return np.asarray(batch.mask[rows].argmax(axis=1))


@pytest.mark.parametrize("universal", [True, False])
def test_a_batch_is_given_to_bots_that_know_its_moves(universal):
    watcher = Watcher(universal)
    made = PresidentVectorEnv(4, TABLES, limits=WIDEST, opponents=watcher)
    _, infos = made.reset(seed=0)
    for _ in range(4):
        _, _, _, _, infos = made.step(infos["action_mask"].argmax(axis=1))
    assert (watcher.batches > 0, watcher.views > 0) == (universal, not universal)


def test_a_policy_plays_the_rules_that_it_was_trained_for():
    rules = Rules.preset("quebec")
    policy = PolicyBot(PolicyNetwork(random_tensors(rules)), rules)
    histories = []
    for limits in (WIDEST, None):
        made = President(rules, limits=limits, opponents=policy)
        _, info = made.reset(seed=1)
        for _ in range(8):
            _, _, _, _, info = made.step(int(info["action_mask"].argmax()))
        histories.append(made.game.history)
    assert histories[0] == histories[1]
    with pytest.raises(ValueError, match="trained for other rules"):
        President([rules, "house"], limits=WIDEST, opponents=policy)


def test_maskable_ppo_learns_on_many_tables():
    from sb3_contrib import MaskablePPO

    made = gymnasium.make("President-v0", rules=any_table, limits=Limits(players=5), opponents="easy", rounds=1)
    model = MaskablePPO("MlpPolicy", made, n_steps=128, batch_size=64, n_epochs=1, seed=0, device="cpu")
    model.learn(256)  # an illegal action would raise
    assert model.num_timesteps == 256


# refusals


@pytest.mark.parametrize("face", [raw_env, President, lambda *given, **named: PresidentVectorEnv(2, *given, **named)])
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"rules": ["house", Rules.preset("butt", players=6)], "limits": Limits(players=5)},
            "rules outside the limits of the universal table: players 6 (at most 5)",
        ),
        ({"rules": ["house", "butt"]}, "rules: ['house', 'butt'] was given; without `limits` wanted is one rule set"),
        ({"rules": any_table}, "was given; without `limits` wanted is one rule set"),
        ({"rules": [], "limits": WIDEST}, "rules: an empty list was given; wanted is at least one rule set"),
        ({"rules": ["house", 5], "limits": WIDEST}, "rules: 5 was given; wanted is a preset (basic, house"),
        ({"rules": ["house"], "limits": 8}, "limits: 8 was given; wanted is Limits(players=…,"),
        ({"rules": ["quebec", "basic"], "limits": WIDEST, "reward": "score"}, "these rules have scoring 'none'"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused_when_the_environment_is_made(face, arguments, message):
    with pytest.raises(ValueError) as refused:
        face(**arguments)
    assert message in str(refused.value)


@pytest.mark.parametrize("face", [raw_env, President])
def test_rules_that_a_function_draws_outside_the_limits_are_refused_by_reset(face):
    wrong = next(seed for seed in range(9) if at_eight(np.random.default_rng(seed)).players == 8)
    right = next(seed for seed in range(9) if at_eight(np.random.default_rng(seed)).players == 4)
    made = face(at_eight, limits=Limits(players=6))
    for _ in range(2):
        with pytest.raises(ValueError, match=r"outside the limits of the universal table: players 8 \(at most 6\)"):
            made.reset(seed=wrong)
        with pytest.raises(ValueError, match=r"no match is being played; call reset\(\) first"):
            made.step(0)
        made.reset(seed=right)
        assert made.rules.players == 4


def test_a_seat_must_be_at_every_table():
    with pytest.raises(ValueError, match="seat 3 is not at the table: seats are 0 to 2, or None to draw one"):
        President(["house", Rules.preset("basic", players=3)], limits=WIDEST, seat=3)
    with pytest.raises(ValueError, match="opponents: 3 were given; wanted is one for all or a list of 7"):
        President(["house", "butt"], limits=WIDEST, opponents=["easy"] * 3)


@pytest.mark.parametrize("seed", [-1, 1.5, "7", True, 2**63])
@pytest.mark.parametrize("rules", [TABLES, any_table], ids=["list", "function"])
def test_a_seed_that_is_none_is_refused(rules, seed):
    with pytest.raises(ValueError, match="is not a whole number from 0"):
        raw_env(rules, limits=WIDEST).reset(seed=seed)
