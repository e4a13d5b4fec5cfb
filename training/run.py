"""A run as it goes: progress on the screen, metrics, evaluation against bots, checkpoints, and the end."""

import time
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TimeRemainingColumn
from rich.table import Column
from rich.text import Text
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger, TensorBoardOutputFormat
from torch.utils.tensorboard import SummaryWriter

from president_env.arena import Estimate, make_bot, play_duplicates
from president_env.bots.policy import PolicyBot, PolicyNetwork
from training.algorithm import SelfPlayPPO
from training.checkpoint import policy_tensors, save_checkpoint
from training.config import Config
from training.curves import METRICS, Metrics

EVALUATION_SEED = 1_000_000_007
"""First deal of the evaluations during training, the same each time, so that the curve moves with the policy alone."""
PHASES = {
    "environment": "in the engine: moves, masks, observations",
    "rollout": "choosing the moves",
    "learning": "in the optimizer's epochs",
    "evaluation": "in matches against the bots",
}
LEARNED = {
    "policy_loss": "the clipped surrogate loss of PPO",
    "value_loss": "mean squared error of the value function against the returns",
    "entropy": "mean entropy of the legal moves' probabilities, in nats",
    "kl": "how far the policy moved from the one that played, estimated; above about 0.05 the steps are too large",
    "clipped": "share of samples whose probability ratio was beyond the clip",
    "explained_variance": "1 - variance of what the value function missed / variance of the returns",
    "entropy_weight": "weight of the entropy in the loss",
    "learning_rate": "the optimizer's step size",
}


def metric_columns(config: Config) -> dict[str, str]:
    """The columns of metrics.csv, a row an update, and what each says."""
    columns = {
        "decisions": "moves made by all seats since the run began",
        "seconds": "wall time since then, without the time between a stop and a resume",
        "decisions_per_second": "in this update, learning and evaluation included",
    }
    columns |= {f"share_{phase}": f"share of the update's time {doing}" for phase, doing in PHASES.items()}
    columns |= LEARNED
    for bot in config.evaluation.against:
        columns[f"reward_vs_{bot}"] = f"mean place reward of one seat of the policy, the others held by {bot}"
        columns[f"reward_vs_{bot}_half"] = "half the width of its 95 % interval"
    return columns


class RunCallback(BaseCallback):
    """Does between two updates all that is not learning: stable-baselines3 calls it before each rollout."""

    model: SelfPlayPPO

    def __init__(self, config: Config, folder: Path, console: Console) -> None:
        super().__init__()
        self.config = config
        self.folder = folder
        self.console = console
        self.metrics = Metrics(folder / METRICS, list(metric_columns(config)))
        self.stop_asked = False
        """Set to true to stop after the update."""
        self._stopping = False
        self.latest: dict[str, Estimate] = {}
        columns = (BarColumn(bar_width=20), _Numbers(self), TimeRemainingColumn(table_column=Column(no_wrap=True)))
        self._progress = Progress(*columns, console=console, disable=not console.is_terminal)

    @property
    def finished(self) -> bool:
        """Whether the budget is used up."""
        return self.config.budget.progress(self.model.num_timesteps, self.model.seconds_used) >= 1.0

    def _init_callback(self) -> None:
        decisions = self.model.num_timesteps
        self.metrics.resume(decisions)
        board = TensorBoardOutputFormat(str(self.folder / "tensorboard"))
        if decisions:  # what a killed run logged after its last checkpoint goes
            board.writer.close()
            board.writer = SummaryWriter(str(self.folder / "tensorboard"), purge_step=decisions + 1)
        self.model.set_logger(Logger(str(self.folder), [board]))
        self._start = time.perf_counter() - self.model.seconds_used
        self._update_start = time.perf_counter()
        self._saved = -float("inf")
        self._seen = decisions
        self._said: tuple[float, float] = (decisions, self.model.seconds_used)

    def _on_training_start(self) -> None:
        against = " and ".join(self.config.evaluation.against)
        self.console.print(f"decisions, time, decisions a second, reward of one seat against {against}")
        self._progress.start()
        self._task = self._progress.add_task("training", total=self.config.budget.decisions)
        self._progress.update(self._task, completed=self.model.num_timesteps)

    def _on_rollout_start(self) -> None:
        self._between_updates()

    def _on_step(self) -> bool:
        return not self._stopping

    def _on_training_end(self) -> None:
        if not self._stopping:
            self.model.rollout_buffer.reset()
            self._between_updates(last=True)
        self._progress.stop()
        self.logger.close()

    def _between_updates(self, last: bool = False) -> None:
        model = self.model
        model.seconds_used = time.perf_counter() - self._start
        if model.num_timesteps > self._seen:
            self._end_update()
        self._stopping = self.stop_asked or self.finished
        wait = self.config.checkpoints.minutes * 60
        if last or self._stopping or time.perf_counter() - self._saved >= wait:
            save_checkpoint(self.folder, model)
            self._saved = time.perf_counter()

    def _end_update(self) -> None:
        """Evaluate if it is time to, and put down what the update came to."""
        model, every = self.model, self.config.evaluation.every
        row: dict[str, float] = {}
        due = model.num_timesteps // every > self._seen // every
        if due or model.num_timesteps >= self.config.budget.decisions:
            row.update(self._evaluate())
        self._seen, decisions = model.num_timesteps, model.num_timesteps - self._seen
        now = time.perf_counter()
        wall, self._update_start = now - self._update_start, now
        model.seconds_used = now - self._start
        row |= {"decisions": model.num_timesteps, "seconds": model.seconds_used}
        row["decisions_per_second"] = decisions / wall
        row |= {f"share_{phase}": model.seconds_in[phase] / wall for phase in PHASES}
        model.seconds_in.clear()
        learned = self.logger.name_to_value
        row |= {name: float(learned[f"train/{name}"]) for name in LEARNED if f"train/{name}" in learned}
        for name, value in row.items():
            if name not in LEARNED and name != "decisions":
                self.logger.record(f"{'evaluation' if name.startswith('reward') else 'time'}/{name}", value)
        self.logger.dump(model.num_timesteps)
        self.metrics.append(row)
        self._progress.update(self._task, completed=model.num_timesteps)
        if any(name.startswith("reward") for name in row):
            self._say(row)

    def _evaluate(self) -> dict[str, float]:
        start = time.perf_counter()
        config = self.config
        agent = PolicyBot(PolicyNetwork(policy_tensors(self.model)), config.rules)
        row: dict[str, float] = {}
        for spec in config.evaluation.against:
            field = [make_bot(spec, seed=config.seed)] * (config.rules.players - 1)
            results = play_duplicates(
                config.rules, [agent, *field], num_deals=config.evaluation.deals, seed=EVALUATION_SEED
            )
            reward = self.latest[spec] = results.reward(0)
            row |= {f"reward_vs_{spec}": reward.mean, f"reward_vs_{spec}_half": reward.half_width}
        self.model.seconds_in["evaluation"] += time.perf_counter() - start
        return row

    def _say(self, row: dict[str, float]) -> None:
        minutes, seconds = divmod(int(row["seconds"]), 60)
        rewards = "".join(f"   {spec} {e.mean:+.3f} ± {e.half_width:.3f}" for spec, e in self.latest.items())
        before, self._said = self._said, (row["decisions"], row["seconds"])
        speed = (row["decisions"] - before[0]) / (row["seconds"] - before[1])
        words = f"{row['decisions'] / 1e6:6.2f} M  {minutes:3d}:{seconds:02d}  {speed:7,.0f}/s{rewards}"
        self.console.print(words, highlight=False, soft_wrap=True)


class _Numbers(ProgressColumn):
    """Decisions so far, decisions a second, and the reward against each bot at the last evaluation."""

    def __init__(self, run: RunCallback) -> None:
        super().__init__(table_column=Column(no_wrap=True))
        self.run = run

    def render(self, task: Task) -> Text:
        speed = f"{task.speed:,.0f}/s" if task.speed else "…"
        rewards = "".join(f" · {spec} {estimate.mean:+.2f}" for spec, estimate in self.run.latest.items())
        return Text(f"{task.completed / 1e6:.2f}/{(task.total or 0) / 1e6:.2f} M · {speed}{rewards}")
