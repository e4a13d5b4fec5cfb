"""Train one seat against bots with sb3-contrib's MaskablePPO, as its users know it.

    python examples/sb3_maskable_ppo.py --decisions 1000000 --rules quebec --opponents easy

The rows of the VecEnv are one batch, so that the game takes a small part of the time. For a policy that plays all seats
and learns from each of them there is `python -m training.self_play`. Needs `pip install '.[train]'`.
"""

import argparse
import time

import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from stable_baselines3.common.vec_env import VecMonitor
from torch.distributions import Distribution

from president_env.adapters.sb3 import PresidentVecEnv


def main() -> None:
    parser = argparse.ArgumentParser(description="Train one seat against bots with MaskablePPO.")
    parser.add_argument("--decisions", type=int, default=500_000)
    parser.add_argument("--tables", type=int, default=256)
    parser.add_argument("--rules", default="quebec", help="a preset or a rules file")
    parser.add_argument("--opponents", default="easy", help="a bot's name or the path of a policy")
    parser.add_argument("--save", help="where to write the model, a .zip of stable-baselines3")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    Distribution.set_default_validate_args(False)  # saves a quarter of the time of a decision
    env = VecMonitor(PresidentVecEnv(arguments.tables, rules=arguments.rules, opponents=arguments.opponents))
    model = MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=32,
        batch_size=1024,
        n_epochs=4,
        learning_rate=1e-3,
        ent_coef=0.01,
        policy_kwargs={"net_arch": [256, 256]},
        seed=0,
    )
    _report("before", model, env)
    start = time.perf_counter()
    model.learn(arguments.decisions)
    seconds = time.perf_counter() - start
    print(f"{model.num_timesteps} decisions in {seconds:.0f} s, {model.num_timesteps / seconds:.0f} a second")
    _report("after", model, env)
    if arguments.save:
        model.save(arguments.save)


def _report(when: str, model: MaskablePPO, env: VecMonitor) -> None:
    mean, _ = evaluate_policy(model, env, n_eval_episodes=2000)
    print(f"{when}: mean reward of a match {mean:+.3f}")


if __name__ == "__main__":
    main()
