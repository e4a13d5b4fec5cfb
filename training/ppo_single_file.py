"""Masked PPO self-play in one file: python -m training.ppo_single_file --decisions 10_000_000

One policy holds every seat of a batch of tables and learns from all of their decisions. The file is made to be read
from top to bottom, copied and changed: beside president_env it needs NumPy and torch alone, so a copy runs anywhere.
`training.self_play` is the larger sister, with checkpoints, a config, two threads and bots at some of the tables.

Self-play of all seats differs from PPO of one agent in one thing: from step to step of a table another seat decides.
What follows a decision is its *seat's own next decision*, and the rewards that came to the seat in between belong to
it; see `advantages_of`.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from president_env import Games, Rules
from president_env.arena import make_bot, play_duplicates
from president_env.bots.policy import PolicyBot, PolicyNetwork, save_policy
from president_env.files import check_writable
from president_env.games import check_positive
from president_env.observation import LATER_BLOCKS, observation_layout
from president_env.rule_source import rules_of


def option(default: Any, meaning: str) -> Any:
    """A field of Args, which is an option of the command line as well."""
    return field(default=default, metadata={"help": meaning})


@dataclass(frozen=True)
class Args:
    rules: str = option("quebec", "a preset or a rules file")
    players: int = option(0, "seats at the table; 0: as many as the rules have")
    rounds: int = option(1, "rounds of a match; 0 for as many as the rules say")
    seed: int = option(0, "everything random follows from it: first weights, deals, moves, the order of samples")
    decisions: int = option(20_000_000, "moves of all seats to learn from; the step size falls to 0 by then")
    tables: int = option(512, "matches side by side")
    steps: int = option(64, "decisions at each table between two updates; give more than a seat may have to wait")
    epochs: int = option(2, "how often each decision is learned from")
    minibatch: int = option(2048, "decisions to one step of the optimizer")
    rate: float = option(2e-3, "the optimizer's step size at the start")
    entropy: float = option(0.01, "weight of the bonus for undecided policies at the start")
    entropy_end: float = option(0.001, "the same at the end")
    discount: float = option(1.0, "gamma, from one decision of a seat to its next")
    trace: float = option(0.95, "lambda of generalized advantage estimation")
    clip: float = option(0.2, "ratio of new to old probability, as 1 +- clip, beyond which a move teaches nothing")
    value_weight: float = option(0.5, "weight of the value function's error in the loss")
    max_gradient: float = option(0.5, "longest gradient; a longer one is shortened to it")
    width: int = option(256, "units in each of the two hidden layers of the policy; the value function has half")
    # Layers of this size gain little from a second thread, and two threads on busy cores are slower than one by far.
    # With one, the sums come in the same order on any number of cores, so that a seed repeats.
    threads: int = option(1, "threads of torch; another number may lead to other weights")
    deals: int = option(2000, "deals of the evaluation at the end, each played from every seat; 0 for none")
    print_every: int = option(20, "updates between two lines of progress")
    tensorboard: str = option("", "folder for TensorBoard's logs; none if empty")
    out: str = option("runs/ppo_single_file/policy.safetensors", "where the policy goes")


MOST = 10**9
"""The largest number that an option takes which may be 0."""
AGAINST = ("random", "easy", "level3")
"""Bots that hold the other seats in the evaluation."""

METRICS = {
    "decisions_per_second": "moves of all seats a second in this update, learning included",
    "samples": "decisions that were learned from; those whose seat waits at the end of a rollout come in the next one",
    "policy_loss": "PPO's clipped surrogate; its size says little",
    "value_loss": "mean squared error of the value function against the returns",
    "entropy": "mean entropy of the legal moves' probabilities, in nats; it falls as the policy makes up its mind",
    "kl": "how far the policy moved from the one that played, estimated; above about 0.05 the steps are too large",
    "clipped": "share of samples whose probability ratio was beyond the clip",
    "explained_variance": "share of the returns' variance that the value function foresaw; 1 is all, 0 is none",
    "rate": "the optimizer's step size",
    "entropy_weight": "weight of the entropy in the loss",
}
"""What is logged of each update."""
THERMOMETERS = ("hand_size", "place")
"""Blocks of the observation whose counts become a bit for each value they reach: "one card left" is an input."""
MASKED = -1e8
"""Logit of an illegal action; finite, so that p · log p is 0 and not NaN."""


class Network(nn.Module):
    """Observations (n, D) int8 -> logits (n, A) of all actions, and values (n,): the seat's rewards from here on."""

    bit_columns: torch.Tensor
    thresholds: torch.Tensor
    scaled_columns: torch.Tensor
    scale: torch.Tensor

    def __init__(self, rules: Rules, num_actions: int, width: int) -> None:
        super().__init__()
        bits: list[tuple[int, int]] = []
        scaled: list[tuple[int, float]] = []
        for block in observation_layout(rules).blocks:
            if rules.rounds == 1 and block.name in LATER_BLOCKS - {"left"}:
                continue  # zero all through a match of one round
            most = -(-rules.num_cards // rules.players) if block.name == "hand_size" else block.high
            for column in range(block.start, block.start + block.size):
                if most == 1 or block.name in THERMOMETERS:
                    bits += [(column, threshold) for threshold in range(1, most + 1)]
                else:
                    scaled.append((column, 1.0 / most))
        self.register_buffer("bit_columns", torch.tensor([column for column, _ in bits]))
        self.register_buffer("thresholds", torch.tensor([threshold for _, threshold in bits], dtype=torch.int8))
        self.register_buffer("scaled_columns", torch.tensor([column for column, _ in scaled]))
        self.register_buffer("scale", torch.tensor([scale for _, scale in scaled]))
        # two networks, so that the value function's gradients do not reach the policy
        self.policy = perceptron(len(bits) + len(scaled), width, num_actions)
        self.value = perceptron(len(bits) + len(scaled), width // 2, 1)

    def forward(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        bits = observations.index_select(1, self.bit_columns) >= self.thresholds
        scaled = observations.index_select(1, self.scaled_columns) * self.scale
        inputs = torch.cat((bits.float(), scaled), dim=1)
        return self.policy(inputs), self.value(inputs).squeeze(1)

    def tensors(self) -> dict[str, NDArray[Any]]:
        """The weights under the names of a policy file, which `president_env.bots.policy` plays without torch."""
        named = {name: buffer.numpy() for name, buffer in self.named_buffers()}
        for name, layers in (("policy", self.policy), ("value", self.value)):
            dense = [layer for layer in layers if isinstance(layer, nn.Linear)]
            for index, layer in enumerate(dense):
                for part, tensor in layer.named_parameters():
                    named[f"{name}.{index}.{part}"] = tensor.detach().numpy()
        return named


def perceptron(num_inputs: int, width: int, num_outputs: int) -> nn.Sequential:
    """Two hidden layers."""
    return nn.Sequential(
        nn.Linear(num_inputs, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, num_outputs)
    )


def log_probabilities(logits: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
    """(n, A) log probabilities of the actions; those of illegal ones are so low that they are never drawn."""
    return functional.log_softmax(logits.masked_fill(masks == 0, MASKED), dim=1)


def advantages_of(
    seats: NDArray[np.int8],
    values: NDArray[np.float32],
    rewards: NDArray[np.float32],
    dones: NDArray[np.bool_],
    discount: float,
    trace: float,
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Generalized advantage estimation for each seat of each table; (T, n) advantages, and which are closed.

    At step t the seat seats[t] of each table decides, with the value values[t]; the step then brings rewards[t],
    (n, P), to all seats, and where dones[t] the match ends and the next one begins. A decision is closed when its seat
    decides again, and by the end of the match; until then it has no next value and its advantage is 0. Its own value
    is the next value of the decision before it.
    """
    n, num_seats = rewards.shape[1:]
    tables = np.arange(n)
    advantages, closed = np.zeros_like(values), np.zeros(values.shape, dtype=np.bool_)
    # what lies ahead of each seat: whether it is known, the next value and advantage, and the rewards until then
    known = np.zeros((n, num_seats), dtype=np.bool_)
    ahead = np.zeros((3, n, num_seats), dtype=np.float32)
    for t in reversed(range(len(values))):
        ahead[:, dones[t]] = 0.0
        known[dones[t]] = True
        ahead[2] += rewards[t]
        closed[t] = known[tables, seats[t]]
        next_value, next_advantage, reward = ahead[:, tables, seats[t]]
        delta = reward + discount * next_value - values[t]
        advantages[t] = np.where(closed[t], delta + discount * trace * next_advantage, 0.0)
        known[tables, seats[t]] = True
        ahead[0, tables, seats[t]] = values[t]
        ahead[1, tables, seats[t]] = advantages[t]
        ahead[2, tables, seats[t]] = 0.0
    return advantages, closed


def table_rules(args: Args) -> Rules:
    """The rules that are trained on. ValueError names what does not fit."""
    length = {"rounds": args.rounds, "target_score": None} if args.rounds else {}
    return rules_of(args.rules, args.players or None, **length)


def checked(args: Args) -> Rules:
    """The rules to train on. ValueError names an option that cannot be."""
    counts = {name: value for name, value in vars(args).items() if isinstance(value, int)}
    may_be_zero = ("seed", "players", "rounds", "deals")
    check_positive(**{name: value for name, value in counts.items() if name not in may_be_zero})
    for name in ("seed", "deals"):
        if not 0 <= counts[name] <= MOST:
            raise ValueError(f"--{name} {counts[name]}: give a whole number from 0 to {MOST}")
    for name, value in vars(args).items():
        if isinstance(value, float) and not 0 <= value <= MOST:
            raise ValueError(f"--{name.replace('_', '-')} {value:g}: give a number from 0 to {MOST}")
    return table_rules(args)


def train(args: Args) -> None:
    """Play and learn, write the policy, evaluate it."""
    rules = checked(args)
    Path(args.out).parent.mkdir(parents=True, exist_ok=True)
    check_writable(Path(args.out), "--out")
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)

    games = Games(rules, args.tables, args.seed, reward="place")
    network = Network(rules, games.num_actions, args.width)
    optimizer = torch.optim.Adam(network.parameters(), lr=args.rate, eps=1e-5, fused=True)
    writer: Any = None
    if args.tensorboard:
        from torch.utils.tensorboard import SummaryWriter

        writer = SummaryWriter(args.tensorboard)

    # Two rollouts: rows T … 2T-1 are the one being played, rows 0 … T-1 the one before. Decisions that were open at its
    # end are closed in this one and learned from now, with the probability of the policy that made them. To drop them
    # would favour moves that are soon followed by another; and the view of a seat that is not on turn, which could
    # stand for its next decision, is unlike all that the value function learns from.
    T, n = args.steps, args.tables
    observations = np.zeros((2 * T, n, games.observation_size), dtype=np.int8)
    masks = np.zeros((2 * T, n, games.num_actions), dtype=np.int8)
    actions = np.zeros((2 * T, n), dtype=np.int64)
    log_probs, values = np.zeros((2, 2 * T, n), dtype=np.float32)
    seats = np.zeros((2 * T, n), dtype=np.int8)
    rewards = np.zeros((2 * T, n, games.num_players), dtype=np.float32)
    dones = np.zeros((2 * T, n), dtype=np.bool_)
    learned = np.ones((2 * T, n), dtype=np.bool_)

    num_updates = -(-args.decisions // (T * n))
    print(f"{num_updates} updates of {T * n} decisions; {len(network.bit_columns) + len(network.scale)} inputs, "
          f"{games.num_actions} actions")  # fmt: skip
    start = time.perf_counter()
    for update in range(1, num_updates + 1):
        update_start = time.perf_counter()
        progress = (update - 1) / num_updates
        optimizer.param_groups[0]["lr"] = rate = args.rate * (1 - progress)
        entropy_weight = args.entropy + (args.entropy_end - args.entropy) * progress

        # play: every decision of every seat is the policy's, drawn by its probabilities
        for buffer in (observations, masks, actions, log_probs, values, seats, rewards, dones, learned):
            buffer[:T] = buffer[T:]
        learned[T:] = False
        for t in range(T, 2 * T):
            observations[t], masks[t], seats[t] = games.observation, games.mask, games.seat
            with torch.no_grad():
                logits, value = network(torch.from_numpy(observations[t]))
                all_log_probs = log_probabilities(logits, torch.from_numpy(masks[t]))
                action = torch.multinomial(all_log_probs.exp(), 1)
                log_probs[t] = all_log_probs.gather(1, action).squeeze(1).numpy()
            actions[t], values[t] = action.squeeze(1).numpy(), value.numpy()
            games.step(actions[t])  # a match that ends is followed by the next one at once
            rewards[t], dones[t] = games.rewards, games.done

        # what to learn from: decisions that are closed by now and were not before
        advantages, closed = advantages_of(seats, values, rewards, dones, args.discount, args.trace)
        chosen = torch.from_numpy(np.flatnonzero(closed & ~learned))
        learned |= closed
        if not len(chosen):
            continue
        samples = [
            torch.from_numpy(array.reshape(2 * T * n, *array.shape[2:])).index_select(0, chosen)
            for array in (observations, masks, actions, log_probs, advantages, advantages + values)
        ]
        returns, scale = samples[5], samples[4].std(correction=0) + 1e-8
        missed = samples[4].var(correction=0) / (returns.var(correction=0) + 1e-8)
        samples[4] = (samples[4] - samples[4].mean()) / scale

        # learn
        totals = torch.zeros(5)
        for _ in range(args.epochs):
            for indices in torch.randperm(len(chosen)).split(args.minibatch):
                part = [sample.index_select(0, indices) for sample in samples]
                observation, mask, action, old_log_prob, advantage, target = part
                logits, value = network(observation)
                all_log_probs = log_probabilities(logits, mask)
                log_ratio = all_log_probs.gather(1, action.unsqueeze(1)).squeeze(1) - old_log_prob
                ratio = log_ratio.exp()
                bounded = ratio.clamp(1 - args.clip, 1 + args.clip)
                policy_loss = -torch.min(advantage * ratio, advantage * bounded).mean()
                value_loss = functional.mse_loss(value, target)
                entropy = -(all_log_probs.exp() * all_log_probs).sum(dim=1).mean()
                loss = policy_loss + args.value_weight * value_loss - entropy_weight * entropy
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(network.parameters(), args.max_gradient)
                optimizer.step()
                with torch.no_grad():
                    kl, clipped = (ratio - 1 - log_ratio).mean(), ((ratio - 1).abs() > args.clip).float().mean()
                    totals += len(indices) * torch.stack((policy_loss, value_loss, entropy, kl, clipped))

        # say how it goes
        now = time.perf_counter()
        means = (totals / (args.epochs * len(chosen))).tolist()
        metrics = dict(zip(METRICS, (
            T * n / (now - update_start), len(chosen), *means, 1 - float(missed), rate, entropy_weight,
        ), strict=True))  # fmt: skip
        if writer is not None:
            for name, number in metrics.items():
                writer.add_scalar(f"train/{name}", number, update * T * n)
        if update % args.print_every == 0 or update == num_updates:
            shown = "  ".join(f"{name} {metrics[name]:.3f}" for name in ("entropy", "kl", "explained_variance"))
            speed = update * T * n / (now - start)
            print(
                f"{update * T * n / 1e6:7.2f} M  {now - start:5.0f} s  {speed:7,.0f} decisions/s  {shown}", flush=True
            )
    if writer is not None:
        writer.close()

    tensors = network.tensors()
    save_policy(args.out, tensors, rules, {"decisions": num_updates * T * n, "seed": args.seed})
    print(f"policy in {args.out}")
    if args.deals:
        evaluate(PolicyBot(PolicyNetwork(tensors), rules), rules, args)


def evaluate(policy: PolicyBot, rules: Rules, args: Args) -> None:
    """Print how one seat of the policy, making its likeliest moves, fares against each of the bots."""
    print(f"one seat of it, {args.deals} deals from every seat, mean and half of the 95 % interval:")
    for name in AGAINST:
        field = [make_bot(name, seed=args.seed)] * (rules.players - 1)
        results = play_duplicates(rules, [policy, *field], num_deals=args.deals, seed=args.seed)
        reward, first = results.reward(0), results.first_share(0)
        print(f"  against {name:7} reward {reward.mean:+.3f} ± {reward.half_width:.3f}   first {first.mean:6.1%}")


def main(argv: Sequence[str] | None = None) -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m training.ppo_single_file",
        description=(__doc__ or "").split("\n")[0],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    for each in fields(Args):
        name = "--" + each.name.replace("_", "-")
        parser.add_argument(name, type=type(each.default), default=each.default, help=each.metadata["help"])
    try:
        train(Args(**vars(parser.parse_args(argv))))
    except (ValueError, OSError) as error:
        print(f"ppo_single_file: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
