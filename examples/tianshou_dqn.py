"""Train one seat against bots with Tianshou's DQN, which masks illegal moves.

    python examples/tianshou_dqn.py --decisions 100000 --rules quebec --opponents easy

Tianshou's PettingZooEnv plays President too, but its targets lead from the decision of one seat to that of the next:
for all-seat self-play take another library, or `python -m training.self_play`. Needs
`pip install '.[tianshou]'`.
"""

import argparse

import torch
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, CollectStats, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

from president_env.adapters.tianshou import masked_env

TABLES = 16


def main() -> None:
    parser = argparse.ArgumentParser(description="Train one seat against bots with Tianshou's DQN.")
    parser.add_argument("--decisions", type=int, default=50_000)
    parser.add_argument("--rules", default="quebec", help="a preset or a rules file")
    parser.add_argument("--opponents", default="easy", help="a bot's name or the path of a policy")
    arguments = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(1)

    def make() -> DummyVectorEnv:
        table = {"rules": arguments.rules, "opponents": arguments.opponents}
        return DummyVectorEnv([lambda: masked_env(**table)] * TABLES)

    one = masked_env(rules=arguments.rules)
    network = Net(state_shape=one.layout.size, action_shape=len(one.table), hidden_sizes=(256, 256))
    policy = DiscreteQLearningPolicy(
        model=network, action_space=one.action_space, observation_space=one.observation_space, eps_training=0.1
    )
    algorithm = DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), gamma=1.0, target_update_freq=200)
    learner = Collector[CollectStats](algorithm, make(), VectorReplayBuffer(50_000, TABLES), exploration_noise=True)
    judge = Collector[CollectStats](algorithm, make())
    report("before", judge)
    algorithm.run_training(
        OffPolicyTrainerParams(
            training_collector=learner,
            max_epochs=1,
            epoch_num_steps=arguments.decisions,
            collection_step_num_env_steps=4 * TABLES,
            update_step_num_gradient_steps_per_sample=0.1,
            batch_size=128,
            verbose=False,
            show_progress=False,
        )
    )
    report("after", judge)


def report(when: str, judge: Collector) -> None:
    judge.reset(gym_reset_kwargs={"seed": 1_000_000})
    print(f"{when}: mean reward of a match {judge.collect(n_episode=300).returns.mean():+.3f}")


if __name__ == "__main__":
    main()
