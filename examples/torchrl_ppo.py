"""Self-play in TorchRL: one policy holds all seats and learns from each of them with ClipPPOLoss.

    python examples/torchrl_ppo.py --decisions 1000000 --rules quebec

The critic sees what the seat to move sees, and values all seats, itself first. So advantages can be estimated for each
seat along the steps of its table, with the rewards that came to it, and a decision takes that of the seat that made
it. Needs `pip install '.[torchrl]'`.
"""

import argparse
import time

import gymnasium
import torch
from tensordict import TensorDictBase
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.modules import MaskedCategorical, ProbabilisticActor
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

from president_env import Games, Rules
from president_env.adapters.torchrl import PresidentEnv

STEPS = 32
EPOCHS = 4
MINIBATCH = 1024


class Actor(nn.Module):
    """Logits of all moves."""

    def __init__(self, size: int, num_actions: int) -> None:
        super().__init__()
        self.layers = _layers(size, num_actions)

    def forward(self, observation: torch.Tensor) -> torch.Tensor:
        return self.layers(observation.float())


class Critic(nn.Module):
    """Values of all seats, player_0 first; the layers know them by their distance from the seat that sees."""

    def __init__(self, size: int, players: int) -> None:
        super().__init__()
        self.layers = _layers(size, players)
        self.players = players

    def forward(self, observation: torch.Tensor, seat: torch.Tensor) -> torch.Tensor:
        distance = (torch.arange(self.players) - seat) % self.players
        return self.layers(observation.float()).gather(-1, distance)


def _layers(size: int, outputs: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(size, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, outputs))


def with_advantages(rollout: TensorDictBase, gae: GAE) -> TensorDictBase:
    """The decisions of a rollout, each with the advantage of its own seat and the returns of all."""
    after = rollout["next"]
    for end in ("done", "terminated"):
        after[f"seat_{end}"] = after[end].expand_as(after["reward"])
    gae(rollout)
    rollout["advantage"] = rollout["advantage"].gather(-1, rollout["seat"])
    kept = rollout.select(
        "observation", "action_mask", "seat", "action", "action_log_prob", "advantage", "value_target"
    )
    return kept.reshape(-1)


def main() -> None:
    parser = argparse.ArgumentParser(description="Self-play with TorchRL's PPO.")
    parser.add_argument("--decisions", type=int, default=500_000)
    parser.add_argument("--tables", type=int, default=256)
    parser.add_argument("--rules", default="quebec", help="a preset")
    arguments = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(1)
    rules = Rules.preset(arguments.rules)
    env = PresidentEnv(Games(rules, num_games=arguments.tables))
    size, num_actions = env.games.observation_size, env.games.num_actions
    logits = TensorDictModule(Actor(size, num_actions), in_keys=["observation"], out_keys=["logits"])
    policy = ProbabilisticActor(
        logits,
        in_keys={"logits": "logits", "mask": "action_mask"},
        distribution_class=MaskedCategorical,
        distribution_kwargs={"neg_inf": -1e8},
        return_log_prob=True,
    )
    critic = TensorDictModule(Critic(size, rules.players), in_keys=["observation", "seat"], out_keys=["state_value"])
    gae = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
    gae.set_keys(done="seat_done", terminated="seat_terminated")
    loss = ClipPPOLoss(policy, critic, entropy_coeff=0.01, critic_coeff=0.5, normalize_advantage=True)
    optimizer = torch.optim.Adam(loss.parameters(), lr=1e-3)
    print(f"before: {reward_against('easy', rules, logits):+.3f} a match against easy")
    frames = arguments.tables * STEPS
    collector = Collector(
        env,
        policy,
        frames_per_batch=frames,
        total_frames=arguments.decisions // frames * frames,
        auto_register_policy_transforms=False,
    )
    start = time.perf_counter()
    for number, rollout in enumerate(collector, start=1):
        with torch.no_grad():
            decisions = with_advantages(rollout, gae)
        for _ in range(EPOCHS):
            for chosen in torch.randperm(len(decisions)).split(MINIBATCH):
                losses = loss(decisions[chosen])
                optimizer.zero_grad()
                (losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]).backward()
                nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
                optimizer.step()
        if number % 10 == 0:
            speed = number * frames / (time.perf_counter() - start)
            reward = reward_against("easy", rules, logits)
            print(f"{number * frames} decisions, {speed:.0f} a second: {reward:+.3f} a match against easy")
    collector.shutdown()


@torch.no_grad()
def reward_against(bot: str, rules: Rules, logits: TensorDictModule, num_matches: int = 500) -> float:
    """Mean reward of a match, the likeliest moves in one seat and a bot in the others."""
    envs = gymnasium.make_vec("President-v0", num_envs=num_matches, rules=rules, opponents=bot)
    observation, infos = envs.reset(seed=1_000_000)
    reward, playing = 0.0, torch.ones(num_matches, dtype=torch.bool).numpy()
    while playing.any():
        scores = logits.module(torch.from_numpy(observation))
        actions = scores.masked_fill(torch.from_numpy(infos["action_mask"]) == 0, -torch.inf).argmax(dim=1)
        observation, rewards, terminated, truncated, infos = envs.step(actions.numpy())
        reward += float(rewards[playing].sum())
        playing &= ~(terminated | truncated)
    return reward / num_matches


if __name__ == "__main__":
    main()
