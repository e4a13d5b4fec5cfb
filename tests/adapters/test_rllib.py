"""RLlib without its processes: what an env runner plays and hands on, what the learner makes of it, and the network."""

import os
from collections import defaultdict
from itertools import pairwise

import numpy as np
import pytest
import torch

from president_env.bots.policy import PolicyBot, PolicyNetwork, save_policy
from president_env.moves import move_table
from president_env.observation import observation_layout
from tests.adapters.common import TABLES, needs, script

needs("ray.rllib")

from ray.rllib.core.columns import Columns  # noqa: E402
from ray.rllib.core.rl_module.rl_module import RLModuleSpec  # noqa: E402
from ray.rllib.core.rl_module.torch import TorchRLModule  # noqa: E402
from ray.rllib.env.multi_agent_env_runner import MultiAgentEnvRunner  # noqa: E402
from ray.rllib.env.multi_agent_episode import MultiAgentEpisode  # noqa: E402
from ray.rllib.evaluation.postprocessing import Postprocessing  # noqa: E402
from ray.rllib.utils.minibatch_utils import ShardEpisodesIterator  # noqa: E402

from president_env.adapters.rllib import League, PresidentEnv, TablesEnvRunner, tables_config  # noqa: E402
from president_env.adapters.rllib_batch import TablesBatch  # noqa: E402
from president_env.adapters.rllib_module import MASKED, TableModule, policy_tensors  # noqa: E402
from training.network import inputs_of  # noqa: E402

pytestmark = pytest.mark.filterwarnings("default")  # RLlib and Ray warn of their own old names
QUEBEC = TABLES["quebec-4"]
SMALL = {"policy": [16], "value": [16]}


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """RLlib writes into the home directory."""
    monkeypatch.setenv("HOME", os.fspath(tmp_path))


def runner_of(table, number=4, rules=None, **options):
    arguments = {"rules": TABLES[table], "max_rounds": 3, **(rules or {})}
    config = tables_config(arguments, num_tables=number, model_config=SMALL, **options)
    return TablesEnvRunner(config=config.env_runners(num_env_runners=0).debugging(seed=7), worker_index=0)


def of_seats(episodes):
    """What is known of each seat of each match, its pieces put together in order."""
    seats = defaultdict(list)
    for episode in episodes:
        seats[episode.multi_agent_episode_id, episode.agent_id].append(episode)
    return seats


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("random_actions", [False, True])
def test_moves_are_legal_and_every_match_is_whole(table, random_actions):
    runner = runner_of(table)
    episodes = runner.sample(num_episodes=5, random_actions=random_actions)
    matches = defaultdict(list)
    for episode in episodes:
        mask = episode.observations.data["action_mask"][:-1]
        assert mask[np.arange(len(episode)), episode.actions.data].all()
        assert (episode.extra_model_outputs[Columns.ACTION_LOGP].data <= 0).all()
        assert episode.is_terminated or episode.is_truncated
        matches[episode.multi_agent_episode_id].append(episode)
    assert len(matches) >= 5
    for seats in matches.values():
        assert len({episode.agent_id for episode in seats}) == TABLES[table].players
        assert sum(episode.get_return() for episode in seats) == pytest.approx(0, abs=1e-5)  # places of whole rounds


class Scripted(TorchRLModule):
    """Plays what stands in `moves`, one after the other."""

    moves: list[int] = []

    def setup(self):
        self.register_buffer("zero", torch.zeros(1))

    def _forward(self, batch, **kwargs):
        logits = torch.full(batch[Columns.OBS]["action_mask"].shape, MASKED)
        logits[0, Scripted.moves.pop(0) if Scripted.moves else 0] = 0.0
        return {Columns.ACTION_DIST_INPUTS: logits}


def scripted(told):
    config = tables_config({"rules": told.rules}, num_tables=1).env_runners(num_env_runners=0)
    Scripted.moves = list(told.actions)
    return config.rl_module(rl_module_spec=RLModuleSpec(module_class=Scripted)).debugging(seed=told.seed)


def assert_as_told(told, episodes):
    """Each seat made its moves of the script, and the episode of each returns its rewards."""
    for seat, expected in enumerate(told.returns):
        episode = episodes[f"player_{seat}"]
        assert episode.get_return() == pytest.approx(expected, abs=1e-5)
        moves = [a for s, a in zip(told.seats, told.actions, strict=True) if s == seat]
        assert list(episode.get_actions()) == moves


@pytest.mark.parametrize("table", TABLES)
def test_rewards_reach_the_seat_that_earned_them(table):
    told = script(table)
    runner = TablesEnvRunner(config=scripted(told), worker_index=0)
    runner.begin([told.seed])
    episodes = runner.sample(num_timesteps=len(told.actions), explore=False)
    assert_as_told(told, {episode.agent_id: episode for episode in episodes if episode.is_terminated})


@pytest.mark.parametrize("table", ["quebec-4", "butt-4"])
def test_rewards_reach_it_in_rllib_s_own_env_runner_too(table):
    """Over RLlib's wrapper of PettingZoo's environment."""
    told = script(table)
    (match,) = MultiAgentEnvRunner(config=scripted(told), worker_index=0).sample(num_episodes=1, explore=False)
    assert_as_told(told, match.agent_episodes)


def test_pieces_of_matches_put_together_are_the_matches():
    """Decisions that are open at the end of a sample are in the next, with their rewards."""
    whole, pieces = (runner_of("quebec-4", rules={"rounds": 1}) for _ in range(2))
    at_once = of_seats(whole.sample(num_timesteps=4 * 240, explore=False))
    bit_by_bit = of_seats([e for _ in range(20) for e in pieces.sample(num_timesteps=4 * 12, explore=False)])
    known = []
    for seats in (at_once, bit_by_bit):
        ended = [parts for parts in seats.values() if parts[-1].is_terminated]
        known.append(
            sorted(
                (
                    parts[0].agent_id,
                    [a for p in parts for a in p.actions.data],
                    [r for p in parts for r in p.rewards.data],
                )
                for parts in ended
            )
        )
    assert len(known[0]) > 8
    assert known[0] == known[1]
    for parts in bit_by_bit.values():
        for before, after in pairwise(parts):  # the last view of one is the first of the next
            assert (before.observations.data["observation"][-1] == after.observations.data["observation"][0]).all()


@pytest.mark.parametrize("table", TABLES)
def test_spaces_and_texts_are_those_of_the_tables(table):
    rules, runner = TABLES[table], runner_of(table)
    layout, moves = observation_layout(rules), move_table(rules)
    env = PresidentEnv({"rules": rules})
    for spaces, actions in (
        (env.observation_space, env.action_space),
        (runner.env.single_observation_space, runner.env.single_action_space),
    ):
        assert list(spaces) == [f"player_{seat}" for seat in range(rules.players)]
        for agent in spaces:
            assert spaces[agent]["observation"].shape == (layout.size,)
            assert (spaces[agent]["observation"].high == layout.high).all()
            assert spaces[agent]["action_mask"].shape == (actions[agent].n,) == (len(moves),)
    assert env.env.table.texts == moves.texts


def module_for(runner, **model_config):
    return TableModule(
        observation_space=runner.env.single_observation_space["player_0"],
        action_space=runner.env.single_action_space["player_0"],
        model_config={**SMALL, **model_config},
    )


def test_advantages_follow_each_seat_s_own_decisions():
    runner = runner_of("quebec-4", number=8)
    episodes = [e for _ in range(3) for e in runner.sample(num_timesteps=8 * 50)]
    gamma, trace = 0.9, 0.8
    module = module_for(runner)
    batch = TablesBatch(gamma=gamma, lambda_=trace)(rl_module={"main": module}, batch={}, episodes=episodes)["main"]
    rows = []
    for episode in episodes:
        seen = {name: torch.from_numpy(column) for name, column in episode.observations.data.items()}
        values = module.compute_values({Columns.OBS: seen}).detach().numpy()
        following = 0.0
        if episode.is_terminated:
            values[-1] = 0.0
        for t in reversed(range(len(episode))):
            following = episode.rewards.data[t] + gamma * values[t + 1] - values[t] + gamma * trace * following
            rows.append((following, following + values[t], int(episode.actions.data[t])))
    expected = np.array(sorted(rows, key=lambda row: row[1]))
    order = np.argsort(batch[Postprocessing.VALUE_TARGETS].numpy())
    advantages = (expected[:, 0] - expected[:, 0].mean()) / expected[:, 0].std()
    assert np.allclose(batch[Postprocessing.VALUE_TARGETS].numpy()[order], expected[:, 1], atol=1e-5)
    assert np.allclose(np.sort(batch[Postprocessing.ADVANTAGES].numpy()), np.sort(advantages), atol=1e-4)
    taken = batch[Columns.OBS]["action_mask"].gather(1, batch[Columns.ACTIONS].unsqueeze(1))
    assert taken.all()  # rows still belong together after the shuffle


def test_several_learners_share_the_decisions():
    runner = runner_of("quebec-4", number=8)
    episodes, module = runner.sample(num_timesteps=8 * 100), module_for(runner)
    made = sorted(int(action) for episode in episodes for action in episode.actions.data)
    shards = list(ShardEpisodesIterator(episodes, 3, len_lookback_buffer=1))
    batches = [
        TablesBatch(gamma=1.0, lambda_=0.9)(rl_module={"main": module}, batch={}, episodes=shard)["main"]
        for shard in shards
    ]
    assert sorted(int(action) for batch in batches for action in batch[Columns.ACTIONS]) == made
    for batch in batches:
        assert abs(len(batch[Columns.ACTIONS]) - len(made) / 3) < 3
        assert batch[Columns.OBS]["action_mask"].gather(1, batch[Columns.ACTIONS].unsqueeze(1)).all()


def test_the_policy_file_gives_the_logits_of_the_module(tmp_path):
    inputs = inputs_of(QUEBEC, ("hand_size", "place"))._asdict()
    runner = runner_of("quebec-4", number=32)
    games = runner.env.games
    module = module_for(runner, inputs=inputs, trunk=[24], policy=[16, 8], value=[8])
    seen = {"observation": torch.from_numpy(games.observation), "action_mask": torch.from_numpy(games.mask)}
    logits = module.forward_inference({Columns.OBS: seen})[Columns.ACTION_DIST_INPUTS].numpy()
    tensors = policy_tensors(module.get_state())
    network = PolicyNetwork(tensors)
    assert np.allclose(network.logits(games.observation)[games.mask != 0], logits[games.mask != 0], atol=1e-5)
    assert (logits[games.mask == 0] == MASKED).all()
    values = module.compute_values({Columns.OBS: seen}).detach().numpy()
    assert np.allclose(network.values(games.observation), values, atol=1e-5)
    save_policy(tmp_path / "policy.safetensors", tensors, QUEBEC, {})
    chosen = PolicyBot.load(tmp_path / "policy.safetensors").act_batch(games, np.arange(32))
    assert (chosen == logits.argmax(axis=1)).all()


def test_one_seat_against_an_opponent_in_a_share_of_the_matches():
    runner = runner_of("norwegian-7", number=3)
    league = League({"easy": 0.3, "frozen_0": 0.2})
    tables: dict[tuple[str, ...], int] = defaultdict(int)
    for _ in range(600):
        match = MultiAgentEpisode(observation_space=runner.env.single_observation_space)
        holders = sorted(league(agent, match) for agent in runner.env.agents)
        tables[tuple(holders)] += 1
    assert set(tables) == {("main",) * 7, ("easy",) * 6 + ("main",), ("frozen_0",) * 6 + ("main",)}
    assert 130 < tables["easy", *("easy",) * 5, "main"] < 230
    assert 80 < tables["frozen_0", *("frozen_0",) * 5, "main"] < 160


def test_bots_hold_seats_and_only_the_learner_s_decisions_are_handed_on():
    runner = runner_of("quebec-4", number=8, opponents={"easy": 1.0})
    seats = of_seats(runner.sample(num_episodes=6))
    assert len({match for match, _ in seats}) == len(seats)  # one seat a match
    assert {episode.module_id for parts in seats.values() for episode in parts} == {"main"}
    returns = runner.get_metrics()["module_episode_returns_mean"]
    assert returns["main"].peek() == pytest.approx(-returns["easy"].peek(), abs=1e-6)


def test_matches_that_are_begun_anew_are_others_and_repeat_with_the_seed():
    def begun():
        runner = runner_of("quebec-4", number=32, opponents={"easy": 0.5})
        for _ in range(2):
            runner.begin()
            yield runner.env.games.seeds.tolist(), [match.holders for match in runner._matches]

    (seeds, holders), (later_seeds, _) = first = list(begun())
    assert not set(seeds) & set(later_seeds)
    assert len({tuple(seats) for seats in holders}) > 2
    assert list(begun()) == first


def test_an_opponent_that_there_is_not_is_named():
    with pytest.raises(ValueError, match="'eazy' is none of the modules main, and unknown bot 'eazy'"):
        runner_of("quebec-4", opponents={"eazy": 1.0}).sample(num_timesteps=8)
