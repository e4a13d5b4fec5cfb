"""RLCard: its environment `president`, and its agents on it."""

import subprocess
import sys
from collections import OrderedDict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from president_env import Game, IllegalMove
from president_env.moves import move_table
from president_env.observation import observation_layout
from tests.adapters.common import TABLES, needs, script

rlcard = needs("rlcard")

from rlcard.agents import RandomAgent  # noqa: E402
from rlcard.utils import reorganize, tournament  # noqa: E402

import president_env.adapters.rlcard  # noqa: E402, F401 (registers the environment)

ROOT = Path(__file__).resolve().parents[2]


class Seeds:
    """Random numbers of which each is the seed of a script."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def randint(self, *_: Any, **__: Any) -> int:
        return self.seed


class Player:
    """An agent that makes its moves of a script."""

    use_raw = False

    def __init__(self, table: str, seat: int) -> None:
        told = script(table)
        self.moves = [action for made_by, action in zip(told.seats, told.actions, strict=True) if made_by == seat]

    def step(self, state: dict[str, Any]) -> int:
        action = self.moves.pop(0)
        assert action in state["legal_actions"]
        return action

    def eval_step(self, state: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        return self.step(state), {}


def make(table: str, **config: Any) -> Any:
    return rlcard.make("president", {"rules": TABLES[table], "seed": 3, **config})


@pytest.mark.parametrize("table", TABLES)
def test_a_script_brings_its_payoffs(table):
    told, env = script(table), make(table)
    env.game.np_random = Seeds(told.seed)
    env.set_agents([Player(table, seat) for seat in range(env.num_players)])
    trajectories, payoffs = env.run(is_training=True)
    assert payoffs == pytest.approx(told.returns, abs=1e-6)
    transitions = reorganize(trajectories, payoffs)
    for seat, moves in enumerate(transitions):
        assert [move[1] for move in moves] == Player(table, seat).moves
        assert sum(move[2] for move in moves) == pytest.approx(told.returns[seat], abs=1e-6)
        assert [move[4] for move in moves] == [False] * (len(moves) - 1) + [True]


@pytest.mark.parametrize("table", TABLES)
def test_states_are_what_the_seat_sees(table):
    env, told = make(table), script(table)
    env.game.np_random = Seeds(told.seed)
    twin = Game(told.rules, seed=told.seed)
    state, player = env.reset()
    for action in told.actions[:400]:
        view = twin.view(player)
        assert player == twin.seat
        assert np.array_equal(state["obs"], twin.observation(player))
        assert list(state["legal_actions"]) == twin.legal_ids
        assert isinstance(state["legal_actions"], OrderedDict)
        assert state["raw_legal_actions"] == twin.legal
        assert state["raw_obs"]["hand"] == twin.hand(player)
        assert state["action_record"] == [(seat, text) for _, seat, text in view.history]
        other = env.get_state((player + 1) % env.num_players)
        assert other["raw_obs"]["hand"] != twin.hand(player)
        twin.play_id(action)
        state, player = env.step(action)
    if table != "norwegian-7":
        assert env.is_over()
        assert list(state["legal_actions"]) == [0]


@pytest.mark.parametrize("table", TABLES)
def test_actions_and_shapes_are_those_of_the_rules(table):
    env, rules = make(table), TABLES[table]
    assert env.num_actions == len(move_table(rules))
    assert [env._decode_action(action) for action in range(env.num_actions)] == list(move_table(rules).texts)
    assert env.num_players == rules.players
    assert env.state_shape == [[observation_layout(rules).size]] * rules.players
    assert env.action_shape == [None] * rules.players
    assert env.reset()[0]["obs"].shape == tuple(env.state_shape[0])


@pytest.mark.parametrize("table", TABLES)
def test_random_agents_play_matches(table):
    env = make(table, max_rounds=2)
    env.set_agents([RandomAgent(env.num_actions)] * env.num_players)
    assert sum(tournament(env, 2)) == pytest.approx(0, abs=1e-6)


def test_a_seed_brings_the_same_matches_and_each_is_another():
    hands = []
    for _ in range(2):
        env = make("quebec-4")
        hands.append([env.reset() and env.get_perfect_information()["hands"] for _ in range(2)])
    assert hands[0] == hands[1]
    assert hands[0][0] != hands[0][1]


def test_a_match_is_cut_off_after_its_most_rounds():
    env = make("norwegian-7", max_rounds=1)
    env.set_agents([RandomAgent(env.num_actions)] * env.num_players)
    _, payoffs = env.run()
    assert sorted(payoffs) == pytest.approx(np.linspace(-1, 1, 7), abs=1e-6)


def test_steps_are_taken_back():
    env = make("quebec-4", rounds=1, allow_step_back=True)
    env.reset()
    while not env.is_over():
        before = env.get_state(env.get_player_id())
        player = env.get_player_id()
        env.step(next(iter(before["legal_actions"])))
        last = env.get_payoffs()
        state, back = env.step_back()
        assert (back, state["action_record"]) == (player, before["action_record"])
        assert np.array_equal(state["obs"], before["obs"])
        assert not env.get_payoffs().any()
        env.step(before["raw_legal_actions"][0], raw_action=True)
        assert np.array_equal(env.get_payoffs(), last)
    while env.step_back():
        pass
    assert env.get_state(0)["action_record"] == []


def test_what_cannot_be_is_refused():
    with pytest.raises(ValueError, match="max_rounds"):
        make("quebec-4", max_rounds=0)
    with pytest.raises(ValueError, match="game_num_players"):
        make("quebec-4", game_num_players=5)
    env = make("quebec-4")
    state, _ = env.reset()
    with pytest.raises(IllegalMove):
        env.step(0)
    assert env.get_state(env.get_player_id())["action_record"] == state["action_record"] == []


@pytest.mark.parametrize("name", ["DQNAgent", "NFSPAgent"])
def test_agents_of_torch_learn(name, capsys):
    torch = needs("torch")
    from rlcard import agents

    torch.manual_seed(0)
    torch.set_num_threads(1)
    env = make("quebec-4", rounds=1)
    shape = {"num_actions": env.num_actions, "state_shape": env.state_shape[0]}
    agent: Any
    if name == "DQNAgent":
        agent = agents.DQNAgent(**shape, mlp_layers=[32], replay_memory_init_size=32, batch_size=16, train_every=4)
        network = agent.q_estimator.qnet
    else:
        small = {"min_buffer_size_to_learn": 16, "batch_size": 16, "train_every": 4, "anticipatory_param": 0.5}
        agent = agents.NFSPAgent(**shape, hidden_layers_sizes=[32], q_mlp_layers=[32], q_batch_size=16, **small)
        network = agent.policy_network
    env.set_agents([agent, *[RandomAgent(env.num_actions)] * 3])
    before = [weights.clone() for weights in network.parameters()]
    for _ in range(10):
        if name == "NFSPAgent":
            agent.sample_episode_policy()
        trajectories, payoffs = env.run(is_training=True)
        for transition in reorganize(trajectories, payoffs)[0]:
            agent.feed(transition)
    after = list(network.parameters())
    assert any(not torch.equal(old, new) for old, new in zip(before, after, strict=True))
    assert all(torch.isfinite(weights).all() for weights in after)
    assert "loss" in capsys.readouterr().out
    env.run(is_training=False)


def test_the_example_trains():
    command = [sys.executable, "examples/rlcard_dqn.py", "--matches", "5", "--evaluation", "3"]
    told = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    assert "before: mean payoff" in told
    assert "after: mean payoff" in told
