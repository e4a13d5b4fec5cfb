"""Masked PPO in self-play: sb3-contrib's MaskablePPO, with one policy in all seats but those of `tables.bots`."""

import time
from collections import defaultdict
from collections.abc import Callable
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBufferSamples
from stable_baselines3.common.callbacks import BaseCallback
from torch.distributions import Distribution
from torch.nn import functional

from president_env import Games
from training.config import Config, Learning
from training.network import MASKED, TablePolicy, policy_kwargs
from training.opponents import TableBots
from training.rollouts import SeatRolloutBuffer
from training.tables import TablesVecEnv
from training.workers import Workers, split

STATISTICS = ("policy_loss", "value_loss", "entropy", "kl", "clipped")


class SelfPlayPPO(MaskablePPO):
    """MaskablePPO that learns from all seats but those of `tables.bots`, its work split over shards and threads.

    Overridden: `collect_rollouts` (all those seats, no Python per table, no distribution objects), `train` (the loss of
    the parent, with an entropy weight on a schedule, advantages normalized over the rollout, and gradients summed
    over shards in a fixed order, so that the result does not depend on the number of threads) and `dump_logs`.
    """

    policy: TablePolicy
    rollout_buffer: SeatRolloutBuffer

    def __init__(self, config: Config, batch: Games) -> None:
        learning = config.learning
        self.config = config
        self.batch = batch
        self.workers = Workers(config.compute.threads)
        self.num_shards = config.compute.shards
        self.bots = TableBots(config.tables, batch.num_players)
        self.seconds_used = 0.0
        self.seconds_in: dict[str, float] = defaultdict(float)
        Distribution.set_default_validate_args(False)
        super().__init__(
            TablePolicy,
            TablesVecEnv(batch, config.seed),
            learning_rate=_falling(learning.rate, learning.rate_end),
            n_steps=config.tables.steps,
            batch_size=learning.minibatch,
            n_epochs=learning.epochs,
            gamma=learning.discount,
            gae_lambda=learning.trace,
            clip_range=learning.clip,
            ent_coef=learning.entropy,
            vf_coef=learning.value_weight,
            max_grad_norm=learning.max_gradient,
            rollout_buffer_class=SeatRolloutBuffer,
            rollout_buffer_kwargs={
                "num_seats": batch.num_players,
                "seed": config.seed,
                "learners": self.bots.learners,
            },
            policy_kwargs=policy_kwargs(config.network, config.rules),
            seed=config.seed,
            device="cpu",
        )
        self.generator = torch.Generator().manual_seed(config.seed)

    def collect_rollouts(  # type: ignore[override]
        self,
        env: TablesVecEnv,
        callback: BaseCallback,
        rollout_buffer: SeatRolloutBuffer,
        n_rollout_steps: int,
        use_masking: bool = True,
    ) -> bool:
        """One rollout of every table; False if a callback says stop."""
        batch = self.batch
        self.policy.set_training_mode(False)
        rollout_buffer.reset()
        callback.on_rollout_start()
        for _ in range(n_rollout_steps):
            start = time.perf_counter()
            observation, mask, seat = batch.observation, batch.mask, batch.seat
            actions, values, log_probs = self.decide(observation, mask)
            self.bots.act(batch, actions)
            rollout_buffer.add(observation, mask, seat, actions, values, log_probs)
            self.seconds_in["rollout"] += time.perf_counter() - start
            start = time.perf_counter()
            batch.step(actions)
            self.seconds_in["environment"] += time.perf_counter() - start
            rollout_buffer.add_outcome(batch.rewards, batch.done)
            self.num_timesteps += batch.num_games
            callback.update_locals(locals())
            if not callback.on_step():
                return False
        rollout_buffer.compute_returns_and_advantage()
        callback.on_rollout_end()
        return True

    def decide(
        self, observation: NDArray[np.int8], mask: NDArray[np.int8]
    ) -> tuple[NDArray[np.int64], NDArray[np.float32], NDArray[np.float32]]:
        """Actions drawn from the policy, the values of the views, and the log probabilities of the actions."""
        observations, masks = torch.from_numpy(observation), torch.from_numpy(mask)
        noise = torch.rand(mask.shape, generator=self.generator)

        def on_shard(shard: slice) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
            with torch.no_grad():
                logits, values = self.policy.logits_and_values(observations[shard])
                log_probs = functional.log_softmax(logits.masked_fill(masks[shard] == 0, MASKED), dim=1)
                # the Gumbel trick: the largest of log p - log(-log u) is a sample from p
                actions = (log_probs - (-noise[shard].log()).log()).argmax(dim=1)
                return actions, values, log_probs.gather(1, actions.unsqueeze(1)).squeeze(1)

        results = self.workers.map(on_shard, split(len(mask), self.num_shards))
        actions, values, log_probs = (torch.cat(parts).numpy() for parts in zip(*results, strict=True))
        return actions, values, log_probs

    def train(self) -> None:
        """Some epochs of clipped policy gradient over the rollout."""
        start = time.perf_counter()
        self.policy.set_training_mode(True)
        self._update_learning_rate(self.policy.optimizer)
        learning = self.config.learning
        entropy_weight = _falling(learning.entropy, learning.entropy_end)(self._current_progress_remaining)
        buffer = self.rollout_buffer
        closed = buffer.closed
        if not closed.any():
            return  # every decision of so short a rollout is still open
        advantages = buffer.advantages[closed]
        mean, scale = float(advantages.mean()), float(advantages.std()) + 1e-8
        totals = np.zeros(len(STATISTICS))
        num_samples = 0
        parameters = list(self.policy.parameters())
        for _ in range(self.n_epochs):
            for data in buffer.get(self.batch_size):
                data = data._replace(advantages=(data.advantages - mean) / scale)
                totals += self._learn(data, parameters, learning, entropy_weight)
                num_samples += len(data.actions)
            self._n_updates += 1
        self.seconds_in["learning"] += time.perf_counter() - start
        for name, total in zip(STATISTICS, totals, strict=True):
            self.logger.record(f"train/{name}", total / num_samples)
        returns = buffer.returns[closed]
        explained = 1.0 - np.var(returns - buffer.values[closed]) / max(float(np.var(returns)), 1e-8)
        self.logger.record("train/explained_variance", float(explained))
        self.logger.record("train/entropy_weight", entropy_weight)

    def _learn(
        self,
        data: MaskableRolloutBufferSamples,
        parameters: list[torch.nn.Parameter],
        learning: Learning,
        entropy_weight: float,
    ) -> NDArray[np.float64]:
        """One step of the optimizer; the sums of STATISTICS over the minibatch."""
        size = len(data.actions)

        def on_shard(shard: slice) -> tuple[tuple[torch.Tensor, ...], torch.Tensor]:
            part = MaskableRolloutBufferSamples(*(column[shard] for column in data))
            loss, statistics = self._loss(part, learning, entropy_weight)
            return torch.autograd.grad(loss / size, parameters), statistics

        results = self.workers.map(on_shard, split(size, self.num_shards))
        for parameter, *gradients in zip(parameters, *(gradients for gradients, _ in results), strict=True):
            parameter.grad = cast(torch.Tensor, sum(gradients[1:], gradients[0]))
        torch.nn.utils.clip_grad_norm_(parameters, learning.max_gradient)
        self.policy.optimizer.step()
        return np.sum([statistics.numpy() for _, statistics in results], axis=0, dtype=np.float64)

    def _loss(
        self, data: MaskableRolloutBufferSamples, learning: Learning, entropy_weight: float
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """The summed loss of some samples, and the sums of STATISTICS."""
        logits, values = self.policy.logits_and_values(data.observations)
        illegal = data.action_masks == 0
        all_log_probs = functional.log_softmax(logits.masked_fill(illegal, MASKED), dim=1).masked_fill(illegal, 0.0)
        log_probs = all_log_probs.gather(1, data.actions.unsqueeze(1)).squeeze(1)
        log_ratio = log_probs - data.old_log_prob
        ratio = log_ratio.exp()
        clipped = ratio.clamp(1 - learning.clip, 1 + learning.clip)
        policy_loss = -torch.min(data.advantages * ratio, data.advantages * clipped).sum()
        value_loss = functional.mse_loss(values, data.returns, reduction="sum")
        entropy = -(all_log_probs.exp() * all_log_probs).sum()
        loss = policy_loss + learning.value_weight * value_loss - entropy_weight * entropy
        with torch.no_grad():
            kl = (ratio - 1 - log_ratio).sum()
            num_clipped = ((ratio - 1).abs() > learning.clip).sum()
            statistics = torch.stack((policy_loss, value_loss, entropy, kl, num_clipped.float()))
        return loss, statistics

    def _update_current_progress_remaining(self, num_timesteps: int, total_timesteps: int) -> None:
        progress = self.config.budget.progress(num_timesteps, self.seconds_used)
        self._current_progress_remaining = 1.0 - progress

    def dump_logs(self, iteration: int = 0) -> None:
        """Nothing here: the callback of the run writes the logs, when the update is complete."""

    def rng_state(self) -> dict[str, Any]:
        """The state of every random generator that the run draws from."""
        return {"actions": self.generator.get_state().numpy(), "order": self.rollout_buffer.rng.bit_generator.state}

    def restore_rng(self, state: dict[str, Any]) -> None:
        self.generator.set_state(torch.from_numpy(state["actions"]))
        self.rollout_buffer.rng.bit_generator.state = state["order"]


def _falling(first: float, last: float) -> Callable[[float], float]:
    """A schedule over stable-baselines3's `progress_remaining`, which goes from 1 to 0."""

    def at(progress_remaining: float) -> float:
        return last + (first - last) * progress_remaining

    return at
