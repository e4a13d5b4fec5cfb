"""RLlib on two nodes: env runners that train, one that is killed, checkpoints, a policy's copies, and a whole run."""

import json
import os
import time

import numpy as np
import pytest

from president_env import Games, Rules
from president_env.bots.policy import PolicyBot
from tests.adapters.common import needs

needs("ray.rllib")

import ray  # noqa: E402
from ray.cluster_utils import Cluster  # noqa: E402

from president_env.adapters.rllib import League, export_policy, freeze, learner_state, tables_config  # noqa: E402
from training.curves import read_metrics  # noqa: E402
from training.rllib import main  # noqa: E402

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default")]  # Ray warns of its own old names
RULES = Rules.preset("quebec", rounds=1)
NUM_TABLES, STEPS = 8, 32


@pytest.fixture(scope="module", autouse=True)
def cluster(tmp_path_factory):
    """Two nodes' worth of processes, a core each."""
    before, os.environ["HOME"] = os.environ.get("HOME"), str(tmp_path_factory.mktemp("home"))
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    cluster.add_node(num_cpus=1)
    ray.init(address=cluster.address, log_to_driver=False)
    yield cluster
    ray.shutdown()
    cluster.shutdown()
    if before is not None:
        os.environ["HOME"] = before


def config_of(runners):
    config = tables_config(
        {"rules": RULES}, num_tables=NUM_TABLES, steps=STEPS, model_config={"policy": [16], "value": [16]}
    )
    size = NUM_TABLES * STEPS * max(1, runners)
    return (
        config.env_runners(num_env_runners=runners)
        .training(train_batch_size_per_learner=size, minibatch_size=128, num_epochs=1, lr=1e-3)
        .fault_tolerance(restart_failed_env_runners=True)
        .debugging(seed=0, log_level="ERROR")
    )


@pytest.fixture(scope="module")
def algorithm(cluster):
    algorithm = config_of(runners=2).build_algo()
    yield algorithm
    algorithm.stop()


def of_runners(algorithm, question):
    return algorithm.env_runner_group.foreach_env_runner(question, local_env_runner=False)


def decisions(algorithm):
    return algorithm.train()["env_runners"]["num_env_steps_sampled_lifetime"]


def same(one, other):
    return all(np.array_equal(one[name], other[name]) for name in one)


def test_env_runners_on_both_nodes_train_one_policy(algorithm):
    nodes = of_runners(algorithm, lambda runner: ray.get_runtime_context().get_node_id())
    assert len(set(nodes)) == 2
    before = learner_state(algorithm)
    first = decisions(algorithm)
    assert decisions(algorithm) - first == 2 * NUM_TABLES * STEPS
    after = learner_state(algorithm)
    assert not same(before, after)
    for weights in of_runners(algorithm, lambda runner: runner.module["main"].get_state()):
        assert same(weights, after)
    seeds = of_runners(algorithm, lambda runner: runner.env.games.seeds.tolist())
    assert not set(seeds[0]) & set(seeds[1])  # each has matches of its own


def test_a_checkpoint_gives_the_same_weights_to_another_cluster(algorithm, tmp_path):
    freeze(algorithm, "frozen_0", League({"frozen_0": 0.5}))
    frozen = learner_state(algorithm)
    decisions(algorithm)
    path = algorithm.save_to_path(str(tmp_path / "checkpoint"))
    other = config_of(runners=0).build_algo()
    freeze(other, "frozen_0", League({"frozen_0": 0.5}))
    other.restore_from_path(path)
    assert same(learner_state(algorithm), learner_state(other))
    assert same(frozen, learner_state(other, "frozen_0"))
    assert not same(frozen, learner_state(other))
    assert decisions(other) > 0
    other.stop()


def test_training_goes_on_when_an_env_runner_is_killed(algorithm, tmp_path):
    league = League({"frozen_1": 1.0})
    freeze(algorithm, "frozen_1", league)
    path = algorithm.save_to_path(str(tmp_path / "checkpoint"))
    before, weights = decisions(algorithm), learner_state(algorithm)
    group = algorithm.env_runner_group
    group.foreach_env_runner(
        lambda runner: os._exit(1), remote_worker_ids=[1], local_env_runner=False, timeout_seconds=0
    )
    made = [decisions(algorithm) for _ in range(3)]
    assert before < made[0] < made[1] < made[2]
    assert not same(weights, learner_state(algorithm))
    began = time.monotonic()
    while group.num_healthy_remote_workers() < 2 and time.monotonic() - began < 240:
        decisions(algorithm)
        time.sleep(0.5)
    assert group.num_remote_worker_restarts() >= 1
    decisions(algorithm)
    for mapping, modules in of_runners(algorithm, lambda r: (r.config.policy_mapping_fn, list(r.module.keys()))):
        assert mapping == league  # the one started anew plays by the league of today
        assert {"main", "frozen_1"} <= set(modules)
    algorithm.restore_from_path(path)


def test_the_exported_policy_plays(algorithm, tmp_path):
    export_policy(tmp_path / "policy.safetensors", algorithm, RULES, {"by": "a test"})
    bot, games = PolicyBot.load(tmp_path / "policy.safetensors"), Games(RULES, 4)
    for _ in range(100):
        games.step(bot.act_batch(games, np.arange(4)))


RUN = """
rules: {players: 3, ranks: "3456", clearing_ranks: ["6"]}
budget: {decisions: 2_000}
tables: {number: 8, steps: 16, bots: [easy], bots_share: 0.25}
learning: {minibatch: 64}
network: {policy: [16], value: [16]}
ray: {runners: 0}
league: {every: 4, share: 0.25, most: 2}
evaluation: {against: [random], every: 1_000, deals: 10, final_deals: 10}
"""


def test_a_run_trains_and_is_resumed(tmp_path, capsys):
    config, folder = tmp_path / "tiny.yaml", tmp_path / "run"
    config.write_text(RUN)
    arguments = [str(config), "--run-dir", str(folder)]
    assert main(arguments) == 0
    rows = read_metrics(folder / "metrics.csv")
    assert rows[-1]["decisions"] >= 2_000
    assert -1 <= rows[-1]["reward_vs_random"] <= 1
    assert (folder / "curves.png").is_file()
    assert main(arguments) == 2
    assert "add --resume" in capsys.readouterr().err
    assert main([*arguments, "--resume", "budget.decisions=3_000", "tables.steps=8"]) == 2
    assert "begun with another tables.steps" in capsys.readouterr().err
    assert main([*arguments, "--resume", "budget.decisions=3_000"]) == 0
    standing = json.loads((folder / "standing.json").read_text())
    assert standing["decisions"] >= 3_000
    assert standing["frozen"] == standing["iterations"] // 4
    assert [path.name for path in folder.glob("checkpoint_*")] == [standing["checkpoint"]]
    assert [row["decisions"] for row in read_metrics(folder / "metrics.csv")][: len(rows)] == [
        row["decisions"] for row in rows
    ]
    assert PolicyBot.load(folder / "policy.safetensors").rules.players == 3
