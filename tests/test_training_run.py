"""Runs of a few seconds: what they leave behind, that they can be killed and go on, and that they repeat."""

import io
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import torch
from rich.console import Console
from safetensors.numpy import load_file

pytest.importorskip("sb3_contrib")

from president_env import Games
from president_env.bots.policy import PolicyBot, load_policy
from training import self_play
from training.checkpoint import CHECKPOINT, POLICY, load_checkpoint, save_checkpoint
from training.config import load_config
from training.curves import CURVES, METRICS, read_metrics
from training.evaluate import evaluate
from training.self_play import RESOLVED, new_model, train

ROOT = Path(__file__).resolve().parents[1]
TINY = ROOT / "configs" / "train" / "tiny.yaml"
QUIET = Console(file=io.StringIO())


def tiny(*overrides):
    return load_config(TINY, ["evaluation.deals=4", "evaluation.final_deals=0", *overrides])


def learn(folder, config):
    """The model after a whole run in the folder."""
    folder.mkdir(exist_ok=True)
    model = new_model(config)
    assert train(config, model, folder, QUIET)
    return model


def weights(folder):
    return {name: array for name, array in load_file(folder / CHECKPOINT).items() if name.startswith("weights.")}


def assert_same_weights(one, other):
    assert one.keys() == other.keys()
    for name, array in one.items():
        assert array.tobytes() == other[name].tobytes(), name


@pytest.fixture(scope="module")
def whole_run(tmp_path_factory):
    """A run of the tiny config that nothing interrupted."""
    folder = tmp_path_factory.mktemp("runs") / "whole"
    learn(folder, tiny())
    return folder


def test_a_run_learns_to_beat_random(whole_run):
    rows = read_metrics(whole_run / METRICS)
    last = rows[-1]
    assert last["decisions"] >= 20_000
    assert last["explained_variance"] > 0.2
    assert last["entropy"] < rows[0]["entropy"]
    policy = str(whole_run / POLICY)
    results = evaluate(tiny().rules, policy, ["random"], num_deals=200, seed=1, console=QUIET)
    assert results["random"].reward(0).low > 0.3


def test_a_run_leaves_its_files(whole_run):
    assert (whole_run / CURVES).read_bytes().startswith(b"\x89PNG")
    assert list((whole_run / "tensorboard").iterdir())
    rows = read_metrics(whole_run / METRICS)
    decisions = [row["decisions"] for row in rows]
    assert decisions == sorted(set(decisions))
    shares = [sum(value for name, value in row.items() if name.startswith("share_")) for row in rows]
    assert max(shares) <= 1.0


def test_a_run_repeats_from_its_seed_on_any_number_of_threads(whole_run, tmp_path):
    learn(tmp_path / "again", tiny("compute.threads=2"))
    assert_same_weights(weights(whole_run), weights(tmp_path / "again"))
    learn(tmp_path / "other", tiny("seed=1", "budget.decisions=600"))
    assert weights(tmp_path / "other")["weights.value_net.bias"] != weights(whole_run)["weights.value_net.bias"]


def test_a_run_that_was_stopped_goes_on_as_if_it_had_not_been(whole_run, tmp_path):
    config = tiny()
    model = new_model(config)
    save_after(model, tmp_path, updates=9)
    resumed = new_model(config)
    load_checkpoint(tmp_path, resumed)
    assert resumed.num_timesteps == 9 * 512
    assert train(config, resumed, tmp_path, QUIET)
    assert_same_weights(weights(whole_run), weights(tmp_path))


def save_after(model, folder, updates):
    """Learn for some updates, and leave a checkpoint."""
    from stable_baselines3.common.callbacks import BaseCallback
    from stable_baselines3.common.logger import Logger

    class Stop(BaseCallback):
        stopped = False

        def _on_rollout_start(self):
            if self.model.num_timesteps == updates * model.n_steps * model.n_envs:
                save_checkpoint(folder, model)
                self.stopped = True

        def _on_step(self):
            return not self.stopped

    model.set_logger(Logger(None, []))
    model.learn(10**9, Stop())


def test_a_run_that_was_killed_goes_on_as_if_it_had_not_been(tmp_path):
    overrides = ["budget.decisions=40000", "checkpoints.minutes=0", "evaluation.every=1000000", "network.policy=[8]"]
    killed = tmp_path / "killed"
    command = [sys.executable, "-m", "training.self_play", str(TINY), "--run-dir", str(killed), *overrides]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) as process:
        wait_for_updates(process, killed, number=10)
        process.kill()
    assert process.returncode == -signal.SIGKILL
    assert not list(killed.glob("*.png")), "the run had ended before it was killed"
    PolicyBot.load(killed / POLICY)
    config = load_config(TINY, [*overrides, "evaluation.final_deals=0", "checkpoints.minutes=1"])
    arguments = ["evaluation.final_deals=0", "checkpoints.minutes=1", "--resume", "--run-dir", str(killed)]
    assert self_play.main([str(TINY), *overrides, *arguments]) == 0
    learn(tmp_path / "whole", config)
    assert_same_weights(weights(killed), weights(tmp_path / "whole"))
    decisions = [row["decisions"] for row in read_metrics(killed / METRICS)]
    assert decisions == [row["decisions"] for row in read_metrics(tmp_path / "whole" / METRICS)]


def wait_for_updates(process, folder, number):
    """Until the run has put down so many updates."""
    for _ in range(12000):
        assert process.poll() is None, "the run ended by itself"
        if (folder / METRICS).is_file() and len(read_metrics(folder / METRICS)) >= number:
            return
        time.sleep(0.05)
    raise AssertionError("the run does not get on")


def test_a_whole_command_line_run_says_where_everything_is(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    overrides = ["budget.decisions=1024", "evaluation.deals=4", "evaluation.final_deals=4"]
    assert self_play.main([str(TINY), *overrides]) == 0
    said = capsys.readouterr().out
    for name in (POLICY, CURVES, METRICS, RESOLVED, "tensorboard", "training.evaluate"):
        assert f"runs/tiny/{name}" in said or f"{name} " in said
    assert "mean place" in said
    assert self_play.main([str(TINY), *overrides]) == 0, "a second run gets a folder of its own"
    assert (tmp_path / "runs" / "tiny-2" / POLICY).is_file()
    assert load_config(tmp_path / "runs" / "tiny" / RESOLVED) == load_config(TINY, overrides)


def test_the_policy_file_plays_like_the_network(whole_run):
    config = tiny()
    model = new_model(config)
    load_checkpoint(whole_run, model)
    batch = Games(config.rules, 64, seed=5)
    network, _ = load_policy(whole_run / POLICY)
    with torch.no_grad():
        logits, values = model.policy.logits_and_values(torch.from_numpy(batch.observation))
    assert np.allclose(network.logits(batch.observation), logits.numpy(), atol=1e-4)
    assert np.allclose(network.values(batch.observation), values.numpy(), atol=1e-4)
    greedy, _ = model.predict(batch.observation, deterministic=True, action_masks=batch.mask)
    assert (PolicyBot.load(whole_run / POLICY).act_batch(batch, np.arange(64)) == greedy).all()


def refusal(capsys, *arguments):
    """What the command line says about arguments that it does not take."""
    assert self_play.main([str(argument) for argument in arguments]) == 2
    said = capsys.readouterr().err
    assert said.startswith("self_play: ")
    assert said.count("\n") <= 2
    return said


def test_mistakes_on_the_command_line_are_told_in_a_line(whole_run, tmp_path, capsys):
    assert "did you mean 'rate'" in refusal(capsys, TINY, "learning.rat=1")
    assert "cannot be read as a config" in refusal(capsys, tmp_path / "none.yaml")
    assert "unknown bot 'esay'" in refusal(capsys, TINY, "evaluation.against=[esay]", "--run-dir", tmp_path / "run")
    assert not (tmp_path / "run").exists()
    assert "start the run without --resume" in refusal(capsys, TINY, "--resume", "--run-dir", tmp_path / "run")
    whole = ["evaluation.deals=4", "evaluation.final_deals=0", "--run-dir", whole_run]
    assert "add --resume" in refusal(capsys, TINY, *whole)
    tiny().save(whole_run / RESOLVED)
    assert "learning.rate" in refusal(capsys, TINY, "learning.rate=1", *whole, "--resume")


def test_a_cut_checkpoint_is_refused(whole_run, tmp_path):
    (tmp_path / CHECKPOINT).write_bytes((whole_run / CHECKPOINT).read_bytes()[:-9])
    with pytest.raises(ValueError, match="cannot go on from this checkpoint"):
        load_checkpoint(tmp_path, new_model(tiny()))
