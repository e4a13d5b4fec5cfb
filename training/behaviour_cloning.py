"""Learn a player's moves from recorded matches: python -m training.behaviour_cloning data/quebec.parquet

Trains a network to name the move that the player made, by the cross entropy over the legal moves, and to foresee what
the player still won, and writes a policy file. A start for reinforcement learning, and an example of how a dataset of
`python -m training.record` is read:

    python -m training.record --bots level3 --rounds 1 --matches 20000 --out data/level3.parquet
    python -m training.behaviour_cloning data/level3.parquet --player level3 --against easy
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

from president_env.arena import make_bot, play_duplicates
from president_env.bots.policy import PolicyBot, PolicyNetwork, save_policy
from president_env.files import check_writable
from president_env.games import check_positive
from president_env.moves import move_table
from training.ppo_single_file import MOST, Network, log_probabilities

try:
    from president_env.adapters import datasets
except ModuleNotFoundError:
    sys.exit("behaviour_cloning: pyarrow is not installed; make setup-all adds it, and so does pip install '.[data]'")

COLUMNS = ("observation", "action_mask", "action", "return_to_go")
TESTED = 10
"""Each tenth match is kept out of the training, to test on."""


@dataclass(frozen=True)
class Scores:
    """How well moves that were not trained on are foretold."""

    loss: float
    """Mean cross entropy over the legal moves, in nats, where there is a choice."""
    accuracy: float
    """Share of the decisions with a choice where the likeliest move is the one that was made."""


class Samples:
    """Decisions of a player, as tensors."""

    def __init__(self, data: datasets.Dataset, rows: np.ndarray) -> None:
        tensors = [torch.from_numpy(data[name][rows]) for name in COLUMNS]
        self.observations, self.masks, self.actions, self.returns = tensors
        self.actions = self.actions.long()

    def __len__(self) -> int:
        return len(self.actions)


def main(argv: Sequence[str] | None = None) -> int:
    """The command line; returns the exit status."""
    arguments = parsed(argv)
    torch.set_num_threads(1)  # so that a seed repeats on any number of cores
    try:
        check_positive(epochs=arguments.epochs, minibatch=arguments.minibatch, width=arguments.width)
        for name, number in (("seed", arguments.seed), ("deals", arguments.deals), ("rate", arguments.rate)):
            if not 0 <= number <= MOST:
                raise ValueError(f"--{name} {number}: give a number from 0 to {MOST}")
        torch.manual_seed(arguments.seed)
        opponent = make_bot(arguments.against, seed=arguments.seed)
        data = datasets.load(arguments.dataset, columns=("match", "player", *COLUMNS))
        training, testing = samples_of(data, arguments.player)
        arguments.out.parent.mkdir(parents=True, exist_ok=True)
        check_writable(arguments.out, "--out")
        network = Network(data.rules, len(move_table(data.rules)), arguments.width)
        print(f"{len(training):,} decisions to learn from, {len(testing):,} to test on")
        clone(network, training, testing, arguments)
        note = {"cloned": arguments.player or list(data.players), "decisions": len(training), "seed": arguments.seed}
        save_policy(arguments.out, network.tensors(), data.rules, note)
        print(f"policy in {arguments.out}")
        if arguments.deals:
            policy = PolicyBot(PolicyNetwork(network.tensors()), data.rules)
            field = [opponent] * (data.rules.players - 1)
            results = play_duplicates(data.rules, [policy, *field], num_deals=arguments.deals, seed=arguments.seed)
            reward = results.reward(0)
            print(f"one seat of it against {arguments.against}: reward {reward.mean:+.3f} ± {reward.half_width:.3f}")
    except (ValueError, OSError) as error:
        print(f"behaviour_cloning: {error}", file=sys.stderr)
        return 2
    return 0


def parsed(argv: Sequence[str] | None) -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(
        prog="python -m training.behaviour_cloning",
        description=(__doc__ or "").split("\n")[0],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    parser.add_argument("dataset", help="a file that python -m training.record wrote")
    parser.add_argument("--player", default="", help="whose moves to learn; those of all if not given")
    parser.add_argument("--epochs", type=int, default=5, help="how often each decision is learned from")
    parser.add_argument("--minibatch", type=int, default=1024, help="decisions to one step of the optimizer")
    parser.add_argument("--rate", type=float, default=1e-3, help="Adam's step size at the start; it falls to 0")
    parser.add_argument("--width", type=int, default=256, help="units in each hidden layer of the policy")
    parser.add_argument("--seed", type=int, default=0, help="of the first weights and the order of samples")
    parser.add_argument("--against", default="easy", help="the bot that the policy is tried against")
    parser.add_argument("--deals", type=int, default=2000, help="deals for that, each from every seat; 0 for none")
    parser.add_argument("--out", type=Path, default=Path("runs/behaviour_cloning/policy.safetensors"),
                        help="where the policy goes")  # fmt: skip
    return parser.parse_args(argv)


def samples_of(data: datasets.Dataset, player: str) -> tuple[Samples, Samples]:
    """The player's decisions to learn from and to test on. ValueError if there are none."""
    chosen = np.ones(len(data), dtype=np.bool_)
    if player:
        if player not in data.players:
            raise ValueError(f"--player {player}: players of this dataset are {', '.join(data.players)}")
        chosen = data["player"] == data.players.index(player)
    actions, masks = data["action"], data["action_mask"]
    known = (actions >= 0) & (actions < masks.shape[1])
    if not (known & (masks[np.arange(len(masks)), np.where(known, actions, 0)] == 1)).all():
        raise ValueError("the dataset has moves that were not legal: it was altered; record it again")
    tested = data["match"] % TESTED == TESTED - 1  # whole matches: decisions of one are too much alike
    if not tested.any():
        raise ValueError(f"{len(np.unique(data['match']))} matches are too few; give {TESTED} or more")
    return Samples(data, np.flatnonzero(chosen & ~tested)), Samples(data, np.flatnonzero(chosen & tested))


def clone(network: Network, training: Samples, testing: Samples, arguments: argparse.Namespace) -> list[Scores]:
    """Train the network; the scores on the test before the first and after each epoch."""
    optimizer = torch.optim.Adam(network.parameters(), lr=arguments.rate, fused=True)
    steps = arguments.epochs * -(-len(training) // arguments.minibatch)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, total_iters=steps)
    scores = [scored(network, testing)]
    for epoch in range(1, arguments.epochs + 1):
        for rows in torch.randperm(len(training)).split(arguments.minibatch):
            logits, values = network(training.observations.index_select(0, rows))
            log_probs = log_probabilities(logits, training.masks.index_select(0, rows))
            loss = functional.nll_loss(log_probs, training.actions.index_select(0, rows))
            loss = loss + functional.mse_loss(values, training.returns.index_select(0, rows))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
        scores.append(scored(network, testing))
        print(f"epoch {epoch}: loss {scores[-1].loss:.4f}, accuracy {scores[-1].accuracy:.2%}", flush=True)
    return scores


def scored(network: Network, samples: Samples) -> Scores:
    """The loss and the accuracy over the decisions with more than one legal move."""
    rows = torch.nonzero(samples.masks.sum(dim=1, dtype=torch.int64) > 1).squeeze(1)
    if not len(rows):
        raise ValueError("no decision of the player leaves a choice; record more matches")
    loss, right = 0.0, 0
    with torch.no_grad():
        for part in rows.split(8192):
            actions = samples.actions.index_select(0, part)
            logits, _ = network(samples.observations.index_select(0, part))
            log_probs = log_probabilities(logits, samples.masks.index_select(0, part))
            loss += float(functional.nll_loss(log_probs, actions, reduction="sum"))
            right += int((log_probs.argmax(dim=1) == actions).sum())
    return Scores(loss / len(rows), right / len(rows))


if __name__ == "__main__":
    sys.exit(main())
