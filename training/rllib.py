"""Train a policy with Ray RLlib: python -m training.rllib CONFIG [section.key=value ...]

For more than one machine, or more processes than one machine has cores for; on one with few cores `training.self_play`
is faster. The run's folder holds the resolved config, policy.safetensors, RLlib's checkpoint, metrics.csv and
curves.png. Ctrl-C stops after the iteration with a checkpoint; --resume goes on, on other machines if need be.

RLlib's checkpoints are pickles, which can run code when they are read: resume only runs of your own. The policy file
can be given to others.
"""

import logging
import math
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

try:
    import ray
except ModuleNotFoundError:
    sys.exit("rllib: Ray is not installed; make setup-all adds it, and so does pip install '.[train,rllib]'")

from president_env.arena import make_bot
from training.checkpoint import POLICY
from training.command import run_arguments, stopped_by_signals
from training.curves import CURVES, METRICS, draw_curves, read_metrics, speed
from training.evaluate import evaluate, results_table
from training.parts import STOPPED
from training.rllib_config import RllibConfig, load_rllib_config, other_run
from training.rllib_run import STANDING, Run
from training.self_play import RESOLVED, RULES, RUNS


def main(argv: Sequence[str] | None = None) -> int:
    """The command line; returns the exit status."""
    about, example = (__doc__ or "").split("\n")[0], "configs/train/rllib_laptop.yaml"
    arguments = run_arguments(argv, "training.rllib", about, example, "ray.runners=4")
    console = Console()
    joined_before = ray.is_initialized()
    try:
        config = load_rllib_config(arguments.config, arguments.overrides)
        folder = arguments.run_dir or RUNS / Path(arguments.config).stem
        _check_folder(folder, config, arguments.resume)
        for spec in config.evaluation.against:
            make_bot(spec)
        if not joined_before:
            _connect(config)
        folder.mkdir(parents=True, exist_ok=True)
        config.save(folder / RESOLVED)
        config.rules.save(folder / RULES)
        finished = train(config, folder, console)
    except (ValueError, OSError) as error:
        print(f"rllib: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("rllib: stopped at once; --resume goes on from the last checkpoint", file=sys.stderr)
        return STOPPED
    finally:
        if not joined_before:
            ray.shutdown()
    if not finished:
        console.print(f"Stopped with a checkpoint. Go on with: python -m training.rllib {arguments.config} --resume "
                      f"--run-dir {folder}", soft_wrap=True)  # fmt: skip
        return STOPPED
    _report(config, folder, console)
    return 0


def _check_folder(folder: Path, config: RllibConfig, resume: bool) -> None:
    """ValueError if the folder does not fit with --resume."""
    held = (folder / STANDING).is_file()
    if held and not resume:
        raise ValueError(f"{folder} holds a run already; add --resume to go on with it, or give another --run-dir")
    if resume and not held:
        raise ValueError(f"{folder} holds no {STANDING} to go on from; start the run without --resume")
    if resume:
        differing = other_run(load_rllib_config(folder / RESOLVED), config)
        if differing:
            raise ValueError(
                f"{folder} was begun with another {', '.join(differing)}; resume it with the config it has in "
                f"{RESOLVED}, or start a new run"
            )


def _connect(config: RllibConfig) -> None:
    """Start Ray here, or join the cluster; OSError if that fails."""
    given, quiet = config.ray, {"logging_level": logging.ERROR, "log_to_driver": False}
    # Ray counts cores to share them out; on a machine with fewer the processes take turns
    wanted = math.ceil(given.runners * given.cpus_per_runner) + given.learners * given.cpus_per_learner
    try:
        if given.address is not None:
            ray.init(address=given.address, **quiet)
        else:
            ray.init(num_cpus=max(os.cpu_count() or 1, wanted), include_dashboard=False, **quiet)
    except Exception as error:  # Ray raises no narrower one when its processes are late
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        what = f"there is no cluster at ray.address {given.address}" if given.address else "Ray did not start"
        raise OSError(f"{what}: {reason}") from None


def train(config: RllibConfig, folder: Path, console: Console) -> bool:
    """Learn until the budget is used up or somebody asks to stop; whether it is used up."""
    run = Run(config, folder, console)
    try:
        with stopped_by_signals(run):
            console.print("decisions, time, decisions a second, reward of one seat against the bots")
            run.train()
    finally:
        run.close()
    title = f"Self-play with RLlib, run {folder.name}: {config.rules.players} players, seed {config.seed}"
    draw_curves(folder / CURVES, run.metrics.rows, config.evaluation.against, title)
    return run.finished


def _report(config: RllibConfig, folder: Path, console: Console) -> None:
    """Evaluate the final policy, and say where everything is."""
    policy, deals = folder / POLICY, config.evaluation.final_deals
    if deals:
        opponents = config.evaluation.against
        rows = evaluate(config.rules, str(policy), opponents, num_deals=deals, seed=config.seed, console=console)
        console.print(results_table(rows, "the trained policy", deals, config.rules))
    lines = (
        ("speed", speed(read_metrics(folder / METRICS))),
        ("policy", policy),
        ("curves", folder / CURVES),
        ("metrics", folder / METRICS),
        ("config", folder / RESOLVED),
        ("play against it", f'gymnasium.make("President-v0", rules="{folder / RULES}", opponents="{policy}")'),
    )
    for name, value in lines:
        console.print(Text(f"{name:>16}  {value}"), soft_wrap=True)


if __name__ == "__main__":
    sys.exit(main())
