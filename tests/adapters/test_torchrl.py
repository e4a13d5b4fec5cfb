"""TorchRL: its PettingZooWrapper around the AEC environment, the batch as an EnvBase of its own, and PPO on that."""

import itertools
import re
import runpy
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from president_env import Game, Games, Rules, president_v0
from president_env.moves import move_table
from president_env.observation import observation_layout
from tests.adapters.common import TABLES, Script, needs, script

needs("torchrl")
import torch  # noqa: E402

with warnings.catch_warnings():  # of what torch itself no longer likes
    warnings.simplefilter("ignore")
    from tensordict.nn import TensorDictModule
    from torchrl.envs import PettingZooWrapper, check_env_specs
    from torchrl.envs.utils import MarlGroupMapType, step_mdp
    from torchrl.objectives.value import GAE

    from president_env.adapters.torchrl import PresidentEnv

EXAMPLE = Path(__file__).parents[2] / "examples/torchrl_ppo.py"


def wrapped(rules: Rules) -> Any:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="PettingZoo in TorchRL is tested using version")
        return PettingZooWrapper(
            env=president_v0.raw_env(rules), use_mask=True, group_map=MarlGroupMapType.ALL_IN_ONE_GROUP
        )


# the PettingZooWrapper


@pytest.mark.parametrize(
    "table", [pytest.param(table, marks=pytest.mark.slow if table == "norwegian-7" else ()) for table in TABLES]
)
def test_the_wrapper_pays_every_seat_what_the_script_says(table):
    known = script(table)
    env = wrapped(known.rules)
    now = env.reset(seed=known.seed)
    earned = torch.zeros(known.rules.players)
    for seat, action in zip(known.seats, known.actions, strict=True):
        assert now["agents", "mask"].nonzero().flatten().tolist() == [seat]
        assert now["agents", "action_mask"][seat, action]
        now["agents", "action"] = torch.full((known.rules.players,), action)
        after = env.step(now)["next"]
        earned += after["agents", "reward"].squeeze(-1)
        assert not after["done"] or action == known.actions[-1]
        now = step_mdp(now)
    assert after["done"]
    assert after["terminated"]
    assert np.allclose(earned, known.returns, atol=1e-5)


def test_the_wrapper_plays_random_legal_moves_by_itself():
    env = wrapped(TABLES["butt-4"])
    rollout = env.rollout(5_000)
    assert rollout["next", "done"].nonzero().tolist() == [[len(rollout) - 1, 0]]
    agents = rollout["agents"]
    made = agents["action_mask"].gather(-1, agents["action"].unsqueeze(-1)).squeeze(-1)
    assert made[agents["mask"]].all()


# the batch


@pytest.mark.parametrize("table", TABLES)
def test_every_seat_earns_what_the_script_says(table):
    scripts = [script(table, seed) for seed in (7, 8)]
    env = PresidentEnv(Games(TABLES[table], num_games=2))
    env.set_seed(7)
    longest = max(len(known.actions) for known in scripts)
    rollout = env.rollout(longest, reading(scripts), break_when_any_done=False)
    for known, row in zip(scripts, rollout, strict=True):
        match = row[: len(known.actions)]
        assert match["next", "done"].nonzero().tolist() == [[len(match) - 1, 0]]
        assert match["next", "terminated"][-1]
        assert match["seat"].flatten().tolist() == known.seats
        assert match["action_mask"].gather(1, match["action"].unsqueeze(1)).all()
        assert np.allclose(match["next", "reward"].sum(0), known.returns, atol=1e-5)


def reading(scripts: list[Script]) -> TensorDictModule:
    """A policy that makes the moves of the scripts, a row each, and then the first that is legal."""
    steps = itertools.count()

    def moves(mask: torch.Tensor) -> torch.Tensor:
        step, actions = next(steps), mask.int().argmax(dim=1)
        for row, known in enumerate(scripts):
            if step < len(known.actions):
                actions[row] = known.actions[step]
        return actions

    return TensorDictModule(moves, in_keys=["action_mask"], out_keys=["action"])


@pytest.mark.parametrize("table", TABLES)
def test_specs_are_those_of_the_rules(table):
    rules = TABLES[table]
    env = PresidentEnv(Games(rules, num_games=3))
    check_env_specs(env)
    layout = observation_layout(rules)
    assert env.action_spec.space.n == len(move_table(rules))
    seen = env.observation_spec["observation"]
    assert np.array_equal(seen.space.low[0], layout.low)
    assert np.array_equal(seen.space.high[2], layout.high)
    game, now = Game(rules, seed=5), env.set_seed(4) and env.reset()
    legal = now["action_mask"][1].nonzero().flatten().tolist()
    assert [env.games.table.text(action) for action in legal] == game.legal
    assert now["seat"][1] == game.seat


def test_a_match_that_was_cut_off_is_truncated():
    env = PresidentEnv(Games(TABLES["norwegian-7"], num_games=2, max_rounds=1))
    rollout = env.rollout(2_000)
    assert rollout["next", "truncated"][:, -1].any()
    assert not rollout["next", "terminated"].any()


def test_a_match_that_ends_is_followed_by_the_one_that_reset_returns():
    env = PresidentEnv(Games(Rules.preset("basic"), num_games=4))
    rollout = env.rollout(300, break_when_any_done=False)
    done = rollout["next", "done"][:, :-1].squeeze(-1)
    assert done.sum() > 4
    assert torch.equal(rollout["next", "observation"][:, :-1], rollout["observation"][:, 1:])
    assert torch.equal(rollout["next", "seat"][:, :-1], rollout["seat"][:, 1:])


def test_reset_begins_other_matches_in_the_rows_that_are_named():
    env = PresidentEnv(Games(Rules.preset("basic"), num_games=4))
    first, second = env.reset(), env.reset()
    assert not (first["observation"] == second["observation"]).all(dim=1).any()
    now = step_mdp(env.rand_step(second))
    now["_reset"] = torch.tensor([[True], [False], [False], [True]])
    third = env.reset(now.clone())
    same = (third["observation"] == now["observation"]).all(dim=1)
    assert same.tolist() == [False, True, True, False]
    env.set_seed(0)
    assert torch.equal(env.reset()["observation"], first["observation"])


# PPO


def test_the_advantage_of_a_decision_is_that_of_its_own_seat():
    example = loaded("example")
    env = PresidentEnv(Games(TABLES["quebec-4"], num_games=4))
    rollout = env.rollout(150, break_when_any_done=False)
    rollout["action_log_prob"] = torch.zeros(4, 150)
    worthless = TensorDictModule(
        lambda observation: torch.zeros(*observation.shape[:-1], 4), in_keys=["observation"], out_keys=["state_value"]
    )
    gae = GAE(gamma=1.0, lmbda=1.0, value_network=worthless)
    gae.set_keys(done="seat_done", terminated="seat_terminated")
    found = example["with_advantages"](rollout, gae)["advantage"].reshape(4, 150)
    to_come = torch.zeros(4, 4)
    for step in reversed(range(150)):
        to_come[rollout["next", "done"][:, step, 0]] = 0
        to_come += rollout["next", "reward"][:, step]
        assert torch.allclose(found[:, step], to_come.gather(1, rollout["seat"][:, step]).squeeze(1), atol=1e-4)
    assert found.abs().max() > 0.9


@pytest.mark.slow
def test_the_example_learns(monkeypatch, capsys):
    arguments = {"--rules": "basic", "--tables": "64", "--decisions": "20480"}
    monkeypatch.setattr(sys, "argv", [str(EXAMPLE), *itertools.chain(*arguments.items())])
    with torch.random.fork_rng():
        loaded("__main__")
    before, after = (float(number) for number in re.findall(r"([+-]\d\.\d+) a match", capsys.readouterr().out))
    assert after > before + 0.2


def loaded(name: str) -> dict[str, Any]:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Creating .* which inherits from WeightUpdaterBase is deprecated")
        return runpy.run_path(str(EXAMPLE), run_name=name)
