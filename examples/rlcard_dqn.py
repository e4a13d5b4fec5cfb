"""Train one seat with RLCard's DQN agent against random ones, as RLCard's users know it.

    python examples/rlcard_dqn.py --matches 2000 --rules quebec

Needs `pip install '.[rlcard]'` and torch.
"""

import argparse
import contextlib
import io

import numpy as np
import rlcard
import torch
from rlcard.agents import DQNAgent, RandomAgent
from rlcard.utils import reorganize, tournament

import president_env.adapters.rlcard  # noqa: F401 (registers the environment)


def main() -> None:
    parser = argparse.ArgumentParser(description="Train one seat with RLCard's DQN agent.")
    parser.add_argument("--matches", type=int, default=2_000)
    parser.add_argument("--evaluation", type=int, default=200, help="matches of an evaluation")
    parser.add_argument("--rules", default="quebec", help="a preset or a rules file")
    arguments = parser.parse_args()
    np.random.seed(0)  # noqa: NPY002 (the agents draw from it)
    torch.manual_seed(0)
    env = rlcard.make("president", {"rules": arguments.rules, "rounds": 1, "seed": 0})
    agent = DQNAgent(
        num_actions=env.num_actions,
        state_shape=env.state_shape[0],
        mlp_layers=[128, 128],
        learning_rate=5e-4,
        epsilon_decay_steps=max(1, arguments.matches * 10),
    )
    env.set_agents([agent, *(RandomAgent(env.num_actions) for _ in range(env.num_players - 1))])
    print(f"before: mean payoff of a match {tournament(env, arguments.evaluation)[0]:+.3f}")
    for _ in range(arguments.matches):
        trajectories, payoffs = env.run(is_training=True)
        with contextlib.redirect_stdout(io.StringIO()):  # the agent prints a line a step
            for transition in reorganize(trajectories, payoffs)[0]:
                agent.feed(transition)
    print(f"after: mean payoff of a match {tournament(env, arguments.evaluation)[0]:+.3f}")


if __name__ == "__main__":
    main()
