"""A run with RLlib as it goes: iterations, copies for the league, evaluation, metrics, checkpoints."""

import json
import shutil
import time
from dataclasses import asdict
from pathlib import Path

import torch
from ray.rllib.algorithms.algorithm import Algorithm
from ray.rllib.algorithms.ppo import PPOConfig
from rich.console import Console

from president_env.adapters.rllib import League, export_policy, freeze, learner_state, tables_config
from president_env.adapters.rllib_module import policy_tensors
from president_env.arena import Estimate, make_bot, play_duplicates
from president_env.bots.policy import PolicyBot, PolicyNetwork
from president_env.files import write_whole
from training.checkpoint import POLICY
from training.curves import METRICS, Metrics
from training.network import inputs_of
from training.rllib_config import RllibConfig
from training.run import EVALUATION_SEED

STANDING = "standing.json"
"""Which checkpoint counts, and where the run stood when it was written."""
LEARNED = {
    "policy_loss": "policy_loss", "value_loss": "vf_loss", "entropy": "entropy",
    "explained_variance": "vf_explained_var", "learning_rate": "default_optimizer_learning_rate",
}  # fmt: skip
"""Columns of metrics.csv and the names that RLlib has for them."""
TIMERS = {"rollout_seconds": "env_runner_sampling_timer", "learning_seconds": "learner_update_timer"}
"""How long an iteration plays and learns, smoothed over iterations by RLlib."""

PATIENCE = 600.0
"""Seconds for a rollout, after which RLlib goes on without it; one that was lost with its process is known at once."""


def algorithm_config(config: RllibConfig) -> PPOConfig:
    """What RLlib makes of the config of a run."""
    tables, learning, ray = config.tables, config.learning, config.ray
    decisions = config.budget.decisions
    widths = {part: list(width) for part, width in asdict(config.network).items() if part != "thermometers"}
    inputs = inputs_of(config.rules, config.network.thermometers)._asdict()
    return (
        tables_config(
            {"rules": config.rules, "reward": tables.reward, "max_rounds": tables.max_rounds},
            num_tables=tables.number,
            steps=tables.steps,
            model_config={"inputs": inputs, **widths},
            opponents=league_of(config, 0).opponents,
        )
        .env_runners(
            num_env_runners=ray.runners,
            num_cpus_per_env_runner=ray.cpus_per_runner,
            sample_timeout_s=PATIENCE,
        )
        .learners(
            num_learners=ray.learners,
            num_cpus_per_learner=ray.cpus_per_learner if ray.learners else "auto",
            num_gpus_per_learner=ray.gpus_per_learner,
        )
        .training(
            train_batch_size_per_learner=config.rollout // max(1, ray.learners),
            minibatch_size=learning.minibatch,
            num_epochs=learning.epochs,
            lr=[[0, learning.rate], [decisions, learning.rate_end]],
            entropy_coeff=[[0, learning.entropy], [decisions, learning.entropy_end]],
            gamma=learning.discount,
            lambda_=learning.trace,
            clip_param=learning.clip,
            vf_loss_coeff=learning.value_weight,
            vf_clip_param=float("inf"),
            grad_clip=learning.max_gradient,
            grad_clip_by="global_norm",
        )
        .fault_tolerance(restart_failed_env_runners=True)
        .debugging(seed=config.seed, log_level="ERROR")
    )


def league_of(config: RllibConfig, num_frozen: int) -> League:
    """Who plays whom once so many copies have been made."""
    tables, league = config.tables, config.league
    shares = {bot: tables.bots_share / len(tables.bots) for bot in tables.bots if tables.bots_share}
    kept = min(num_frozen, league.most)
    return League(shares | {f"frozen_{k}": league.share / kept for k in range(kept) if league.share})


class Run:
    """A run in its folder, new or where its last checkpoint stands."""

    def __init__(self, config: RllibConfig, folder: Path, console: Console) -> None:
        self.config = config
        self.folder = folder
        self.console = console
        self.stop_asked = False
        """Set to true to stop after the iteration."""
        if not config.ray.learners:
            torch.set_num_threads(config.ray.cpus_per_learner)
        self.algorithm: Algorithm = algorithm_config(config).build_algo()
        self.decisions = 0
        self.iterations = 0
        self.num_frozen = 0
        self._seconds_before = 0.0
        if (folder / STANDING).is_file():
            self._restore()
        self._start = time.perf_counter()
        self._saved = time.perf_counter()
        self._said = (self.decisions, self.seconds)
        self.metrics = Metrics(folder / METRICS, self._columns())
        self.metrics.resume(self.decisions)

    @property
    def seconds(self) -> float:
        """Wall time of the run, without the time between a stop and a resume."""
        return self._seconds_before + time.perf_counter() - self._start

    @property
    def finished(self) -> bool:
        """Whether the budget is used up."""
        return self.config.budget.progress(self.decisions, self.seconds) >= 1.0

    def train(self) -> None:
        """Go on until the budget is used up or somebody asks to stop; the end is a checkpoint."""
        while not self.finished and not self.stop_asked:
            self._iterate()
            if time.perf_counter() - self._saved >= self.config.checkpoints.minutes * 60:
                self.save()
        self.save()

    def _iterate(self) -> None:
        """A rollout, its learning, and what is due after it."""
        began, before, every = time.perf_counter(), self.decisions, self.config.evaluation.every
        results = self.algorithm.train()
        self.iterations += 1
        self.decisions = int(results.get("env_runners", {}).get("num_env_steps_sampled_lifetime", before))
        if self.decisions == before:
            self.console.print("No env runner answered; waiting for those that are started anew.")
            return
        if self.config.league.every and self.iterations % self.config.league.every == 0:
            self._freeze()
        row: dict[str, float] = {}
        trained = time.perf_counter()
        if self.decisions // every > before // every or self.decisions >= self.config.budget.decisions:
            row = self.evaluate()
        now = time.perf_counter()
        row |= {"decisions": self.decisions, "seconds": self.seconds}
        row["decisions_per_second"] = (self.decisions - before) / (now - began)
        row |= {
            "share_training": (trained - began) / (now - began),
            "share_evaluation": (now - trained) / (now - began),
        }
        row |= {name: results["timers"][timer] for name, timer in TIMERS.items() if timer in results["timers"]}
        learned = results["learners"]["main"]
        row |= {name: float(learned[theirs]) for name, theirs in LEARNED.items() if theirs in learned}
        self.metrics.append(row)

    def _freeze(self) -> None:
        """A copy of the policy joins the league, in the place of the oldest if there are enough."""
        name = f"frozen_{self.num_frozen % self.config.league.most}"
        self.num_frozen += 1
        freeze(self.algorithm, name, league_of(self.config, self.num_frozen))

    def evaluate(self) -> dict[str, float]:
        """Play against the bots, and say how it went; the columns of metrics.csv."""
        config = self.config
        agent = PolicyBot(PolicyNetwork(policy_tensors(learner_state(self.algorithm))), config.rules)
        row: dict[str, float] = {}
        words = ""
        for spec in config.evaluation.against:
            field = [make_bot(spec, seed=config.seed)] * (config.rules.players - 1)
            results = play_duplicates(
                config.rules, [agent, *field], num_deals=config.evaluation.deals, seed=EVALUATION_SEED
            )
            reward: Estimate = results.reward(0)
            row |= {f"reward_vs_{spec}": reward.mean, f"reward_vs_{spec}_half": reward.half_width}
            words += f"   {spec} {reward.mean:+.3f} ± {reward.half_width:.3f}"
        (decisions, seconds), self._said = self._said, (self.decisions, self.seconds)
        minutes, rest = divmod(int(self.seconds), 60)
        speed = (self.decisions - decisions) / (self.seconds - seconds)
        text = f"{self.decisions / 1e6:6.2f} M  {minutes:3d}:{rest:02d}  {speed:7,.0f}/s{words}"
        self.console.print(text, highlight=False, soft_wrap=True)
        return row

    def save(self) -> None:
        """Write RLlib's checkpoint, then the note that makes it count, then the policy file."""
        self._saved = time.perf_counter()
        name = f"checkpoint_{self.iterations:08d}"
        shutil.rmtree(self.folder / name, ignore_errors=True)
        self.algorithm.save_to_path(str((self.folder / name).resolve()))
        standing = {
            "checkpoint": name,
            "decisions": self.decisions,
            "iterations": self.iterations,
            "frozen": self.num_frozen,
            "seconds": self.seconds,
        }
        write_whole(self.folder / STANDING, json.dumps(standing, indent=1).encode())
        note = {"decisions": self.decisions, "seconds": round(self.seconds, 1), "seed": self.config.seed}
        export_policy(self.folder / POLICY, self.algorithm, self.config.rules, note)
        for older in self.folder.glob("checkpoint_*"):
            if older.name != name:
                shutil.rmtree(older)

    def close(self) -> None:
        """Let the processes go."""
        self.algorithm.stop()

    def _restore(self) -> None:
        try:
            standing = json.loads((self.folder / STANDING).read_text(encoding="utf-8"))
            path = (self.folder / standing["checkpoint"]).resolve()
            self.decisions, self.iterations = int(standing["decisions"]), int(standing["iterations"])
            self.num_frozen, self._seconds_before = int(standing["frozen"]), float(standing["seconds"])
            for k in range(min(self.num_frozen, self.config.league.most)):
                freeze(self.algorithm, f"frozen_{k}", league_of(self.config, self.num_frozen))
            self.algorithm.restore_from_path(str(path))
        except (OSError, KeyError, TypeError, ValueError) as error:
            self.close()
            raise ValueError(f"{self.folder / STANDING}: cannot go on from this checkpoint: {error}") from None

    def _columns(self) -> list[str]:
        times = ["decisions", "seconds", "decisions_per_second", "share_training", "share_evaluation", *TIMERS]
        rewards = [f"reward_vs_{bot}{end}" for bot in self.config.evaluation.against for end in ("", "_half")]
        return [*times, *LEARNED, *rewards]
