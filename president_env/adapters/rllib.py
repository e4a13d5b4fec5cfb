"""President for Ray RLlib: many tables on many machines.

    config = tables_config({"rules": "quebec", "players": 4, "rounds": 1}, num_tables=256, steps=64)
    algorithm = config.env_runners(num_env_runners=8).build_algo()
    algorithm.train()
    export_policy("policy.safetensors", algorithm, Rules.preset("quebec", players=4, rounds=1))

Two ways lead there, over the same `env_config`, the arguments of `president_v0.raw_env`:

- `tables_config` is a PPOConfig for the fast one: env runners that step `president_env.Games`, a batch of tables in one
  compiled call, with one forward pass for all of them. One policy holds every seat, or all but those that
  `policy_mapping_fn` gives to other modules, bots or policy files. RLlib's options remain, except for connectors a step
  and callbacks an episode.
- `PresidentEnv` is a MultiAgentEnv for everything else that RLlib has: PettingZoo's environment in RLlib's wrapper, a
  table at a time, in Python.

Rewards belong to the seat that earned them in both, though most come while another seat is on turn. Algorithms have to
mask illegal moves; `TableModule` does, and so has any module of your own to.
"""

import os
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray
from ray.rllib.algorithms.algorithm import Algorithm
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core import COMPONENT_LEARNER, COMPONENT_LEARNER_GROUP, COMPONENT_RL_MODULE
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv

from president_env import Rules, president_v0
from president_env.adapters.rllib_batch import TablesLearner
from president_env.adapters.rllib_module import TableModule, policy_tensors
from president_env.adapters.rllib_runner import TablesEnvRunner
from president_env.bots.policy import save_policy

__all__ = [
    "MAIN",
    "League",
    "PresidentEnv",
    "TableModule",
    "TablesEnvRunner",
    "export_policy",
    "freeze",
    "learner_state",
    "tables_config",
]

MAIN = "main"
"""The module that learns."""


class PresidentEnv(PettingZooEnv):
    """A table as a MultiAgentEnv; the config holds the arguments of `president_v0.raw_env`."""

    def __init__(self, config: Mapping[str, Any] | None = None) -> None:
        env = president_v0.raw_env(**(config or {}))
        self.agents, self.possible_agents = list(env.possible_agents), list(env.possible_agents)
        super().__init__(env)


@dataclass(frozen=True)
class League:
    """A `policy_mapping_fn`: in some matches one seat is `main`'s, and an opponent holds all others.

    `opponents` tells the share of the matches that each has; in the rest `main` holds every seat. They are modules, and
    with `TablesEnvRunner` bots and policy files as well.
    """

    opponents: Mapping[str, float] = field(default_factory=dict)

    def __call__(self, agent_id: str, episode: Any, **kwargs: Any) -> str:
        draw = random.Random(episode.id_)  # the same for all seats of the match
        left = draw.random()
        for opponent, share in self.opponents.items():
            left -= share
            if left < 0:
                return MAIN if agent_id == draw.choice(sorted(episode.observation_space)) else opponent
        return MAIN


def tables_config(
    env_config: Mapping[str, Any],
    *,
    num_tables: int = 512,
    steps: int = 64,
    model_config: Mapping[str, Any] | None = None,
    opponents: Mapping[str, float] | None = None,
) -> PPOConfig:
    """PPO in self-play over `num_tables` tables an env runner, `steps` decisions at each between two updates.

    `model_config` is that of `TableModule`, `opponents` those of `League`. Everything else is set as in RLlib, by the
    methods of the config.
    """
    return (
        PPOConfig()
        .environment(PresidentEnv, env_config=dict(env_config), disable_env_checking=True)
        .env_runners(env_runner_cls=TablesEnvRunner, num_envs_per_env_runner=num_tables, rollout_fragment_length=steps)
        .training(use_kl_loss=False)
        .learners(learner_class=TablesLearner, add_default_connectors_to_learner_pipeline=False)
        .multi_agent(policies={MAIN}, policy_mapping_fn=League(opponents or {}), policies_to_train=[MAIN])
        .callbacks(on_env_runners_recreated=_map_as_before)
        .rl_module(rl_module_spec=RLModuleSpec(module_class=TableModule, model_config=dict(model_config or {})))
    )


def _map_as_before(*, algorithm: Any, env_runner_group: Any, env_runner_indices: list[int], **kwargs: Any) -> None:
    """Give env runners that were started anew the mapping of today; RLlib gives them that of the beginning."""
    mapping = algorithm.config.policy_mapping_fn
    env_runner_group.foreach_env_runner(
        lambda runner: runner.config.multi_agent(policy_mapping_fn=mapping),
        remote_worker_ids=env_runner_indices,
        local_env_runner=False,
    )


def learner_state(algorithm: Algorithm, module_id: str = MAIN) -> dict[str, NDArray[Any]]:
    """The weights of a module as the learner has them, by name."""
    path = f"{COMPONENT_LEARNER}/{COMPONENT_RL_MODULE}"
    state = algorithm.learner_group.get_state(path)[COMPONENT_LEARNER][COMPONENT_RL_MODULE]
    weights: dict[str, NDArray[Any]] = state[module_id]
    return weights


def freeze(algorithm: Algorithm, module_id: str, league: League) -> None:
    """Keep `main` as it is now as a module that does not learn, and play by this league from the next matches on.

    A module of that name takes the new weights, also in the matches that it is playing.
    """
    if module_id not in algorithm.config.policies:
        spec = RLModuleSpec.from_module(algorithm.get_module(MAIN))
        algorithm.add_module(module_id, spec, new_agent_to_module_mapping_fn=league)
    modules = {COMPONENT_RL_MODULE: {module_id: learner_state(algorithm)}}
    algorithm.set_state({COMPONENT_LEARNER_GROUP: {COMPONENT_LEARNER: modules}})


def export_policy(
    path: str | os.PathLike[str], algorithm: Algorithm, rules: Rules, training: Mapping[str, Any] | None = None
) -> None:
    """Write `main` as the policy file that `president_env.bots` plays; the rules are those of its training."""
    save_policy(path, policy_tensors(learner_state(algorithm)), rules, {} if training is None else training)
