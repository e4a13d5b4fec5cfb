"""Train a policy by self-play: python -m training.self_play CONFIG [section.key=value ...]

Everything about the run goes into its folder: the resolved config, policy.safetensors, the checkpoint to go on from,
metrics.csv, curves.png and TensorBoard logs. Ctrl-C stops after the update with a checkpoint; --resume goes on.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

from president_env import Games
from president_env.arena import make_bot
from training.algorithm import SelfPlayPPO
from training.checkpoint import CHECKPOINT, POLICY, clear_leftovers, load_checkpoint
from training.command import run_arguments, stopped_by_signals
from training.config import Config, differences, load_config
from training.curves import CURVES, METRICS, draw_curves, read_metrics, speed
from training.evaluate import evaluate, results_table
from training.parts import STOPPED
from training.run import RunCallback

RESOLVED = "config.yaml"
RULES = "rules.yaml"
RUNS = Path("runs")


def main(argv: Sequence[str] | None = None) -> int:
    """The command line; returns the exit status."""
    about, example = (__doc__ or "").split("\n")[0], "configs/train/quebec4.yaml"
    arguments = run_arguments(argv, "training.self_play", about, example, "learning.rate=3e-4")
    console = Console()
    try:
        config = load_config(arguments.config, arguments.overrides)
        folder = _run_folder(Path(arguments.config).stem, arguments.run_dir, arguments.resume)
        if arguments.resume:
            _check_same_run(folder, config)
        for spec in config.evaluation.against:
            make_bot(spec)
        model = new_model(config)
        if arguments.resume:
            load_checkpoint(folder, model)
        else:
            folder.mkdir(parents=True, exist_ok=True)
        config.save(folder / RESOLVED)
        config.rules.save(folder / RULES)
        finished = train(config, model, folder, console)
    except (ValueError, OSError) as error:
        print(f"self_play: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("self_play: stopped at once; --resume goes on from the last checkpoint", file=sys.stderr)
        return STOPPED
    if not finished:
        words = f" --resume --run-dir {folder}"
        console.print(f"Stopped with a checkpoint. Go on with: python -m training.self_play {arguments.config}{words}")
        return STOPPED
    _report(config, folder, console)
    return 0


def new_model(config: Config) -> SelfPlayPPO:
    """A model at its start, with its tables, and the engine compiled, so that the clock of the run starts after it."""
    tables = config.tables
    warm = Games(config.rules, 1)
    warm.step(warm.mask.argmax(axis=1))
    batch = Games(config.rules, tables.number, config.seed, reward=tables.reward, max_rounds=tables.max_rounds)
    return SelfPlayPPO(config, batch)


def train(config: Config, model: SelfPlayPPO, folder: Path, console: Console) -> bool:
    """Learn until the budget is used up or somebody asks to stop; whether it is used up."""
    clear_leftovers(folder)
    callback = RunCallback(config, folder, console)
    with stopped_by_signals(callback):
        left = config.budget.decisions - model.num_timesteps
        started = model.num_timesteps > 0
        if started:
            model._last_obs = model.batch.observation
        model.learn(left, callback, reset_num_timesteps=not started)
    draw_curves(folder / CURVES, callback.metrics.rows, config.evaluation.against, _title(config, folder))
    model.workers.close()
    return callback.finished


def _title(config: Config, folder: Path) -> str:
    return f"Self-play, run {folder.name}: {config.rules.players} players, seed {config.seed}"


def _run_folder(name: str, given: Path | None, resume: bool) -> Path:
    """Where the run lies or will lie; ValueError if that does not fit with --resume."""
    if not resume:
        if given is None:
            given = next(folder for folder in _candidates(name) if not (folder / CHECKPOINT).exists())
        elif (given / CHECKPOINT).exists():
            raise ValueError(f"{given} holds a run already; add --resume to go on with it, or give another --run-dir")
        return given
    if given is None:
        runs = [folder for folder in RUNS.glob(f"{name}*") if (folder / CHECKPOINT).is_file()]
        if not runs:
            raise ValueError(f"no run of {name} with a checkpoint in {RUNS}/; start one without --resume")
        return max(runs, key=lambda folder: (folder / CHECKPOINT).stat().st_mtime)
    if not (given / CHECKPOINT).is_file():
        raise ValueError(f"{given} holds no {CHECKPOINT} to go on from; start the run without --resume")
    return given


def _candidates(name: str) -> list[Path]:
    return [RUNS / name, *(RUNS / f"{name}-{number}" for number in range(2, 10_000))]


def _check_same_run(folder: Path, config: Config) -> None:
    differing = differences(load_config(folder / RESOLVED), config)
    if differing:
        raise ValueError(
            f"{folder} was begun with another {', '.join(differing)}; resume it with the config it has in {RESOLVED}, "
            "or start a new run"
        )


def _report(config: Config, folder: Path, console: Console) -> None:
    """Evaluate the final policy, and say where everything is and what to do next."""
    policy = folder / POLICY
    deals = config.evaluation.final_deals
    if deals:
        opponents = config.evaluation.against
        rows = evaluate(config.rules, str(policy), opponents, num_deals=deals, seed=config.seed, console=console)
        console.print(results_table(rows, "the trained policy", deals, config.rules))
    against = " ".join(f"--against {spec}" for spec in config.evaluation.against)
    lines = (
        ("speed", speed(read_metrics(folder / METRICS))),
        ("policy", policy),
        ("curves", folder / CURVES),
        ("metrics", folder / METRICS),
        ("config", folder / RESOLVED),
        ("logs", f"tensorboard --logdir {folder / 'tensorboard'}"),
        ("evaluate", f"python -m training.evaluate --agent {policy} {against} --deals 5000"),
        ("train on", f"python -m training.self_play {folder / RESOLVED} budget.decisions="
                     f"{2 * config.budget.decisions} --resume --run-dir {folder}"),
        ("play against it", f'gymnasium.make("President-v0", rules="{folder / RULES}", opponents="{policy}")'),
    )  # fmt: skip
    for name, value in lines:
        console.print(Text(f"{name:>16}  {value}"), soft_wrap=True)


if __name__ == "__main__":
    sys.exit(main())
