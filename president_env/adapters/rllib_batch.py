"""From the episodes of `TablesEnvRunner` to the batch that PPO learns from."""

from typing import Any

import numpy as np
import torch
from ray.rllib.algorithms.ppo.torch.ppo_torch_learner import PPOTorchLearner
from ray.rllib.connectors.connector_v2 import ConnectorV2
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModule
from ray.rllib.env.single_agent_episode import SingleAgentEpisode
from ray.rllib.env.utils.infinite_lookback_buffer import InfiniteLookbackBuffer
from ray.rllib.evaluation.postprocessing import Postprocessing
from ray.rllib.utils.postprocessing.value_predictions import compute_value_targets
from ray.rllib.utils.typing import EpisodeType


class TablesBatch(ConnectorV2):
    """One learner connector in place of RLlib's defaults, which handle every decision in Python.

    Episodes are joined array by array, an estimate of the advantage is made with the values of the learner's module,
    and the decisions are shuffled, since RLlib goes through its first epoch in the order of the batch.
    """

    def __init__(self, *, gamma: float, lambda_: float, device: torch.device | str | None = None) -> None:
        super().__init__()
        self.gamma = gamma
        self.lambda_ = lambda_
        self.device = device

    def __call__(
        self, *, rl_module: MultiRLModule, batch: dict[str, Any], episodes: list[EpisodeType], **kwargs: Any
    ) -> dict[str, Any]:
        """A batch for each module: observations, actions, log probabilities, advantages and value targets."""
        of_module: dict[str, list[SingleAgentEpisode]] = {}
        for episode in self.single_agent_episode_iterator(episodes, agents_that_stepped_only=False):
            if len(episode):
                of_module.setdefault(episode.module_id, []).append(episode)
        return {module_id: self._batch(rl_module[module_id], of) for module_id, of in of_module.items()}

    def _batch(self, module: Any, episodes: list[SingleAgentEpisode]) -> dict[str, Any]:
        lengths = np.array([len(episode) for episode in episodes])
        # a row more an episode: what the seat sees at its end, for the value to come
        last = np.cumsum(lengths + 1) - 1
        decided = np.ones(last[-1] + 1, dtype=np.bool_)
        decided[last] = False
        seen = [_own(episode.observations) for episode in episodes]
        observations = {
            name: torch.from_numpy(np.concatenate([columns[name] for columns in seen])).to(self.device)
            for name in seen[0]
        }
        with torch.no_grad():
            values = module.unwrapped().compute_values({Columns.OBS: observations}).cpu().numpy()
        rewards, terminateds, truncateds = np.zeros((3, len(decided)), dtype=np.float32)
        rewards[decided] = np.concatenate([_own(episode.rewards) for episode in episodes])
        terminateds[last - 1] = [episode.is_terminated for episode in episodes]
        truncateds[last - 1] = [not episode.is_terminated for episode in episodes]
        targets = compute_value_targets(values, rewards, terminateds, truncateds, self.gamma, self.lambda_)
        advantages = (targets - values)[decided]
        order = np.flatnonzero(decided)[torch.randperm(int(lengths.sum())).numpy()]
        among_decisions = (np.cumsum(decided) - 1)[order]
        spread = max(float(advantages.std()), 1e-4)
        columns = {
            Columns.ACTIONS: np.concatenate([_own(episode.actions) for episode in episodes]),
            Postprocessing.ADVANTAGES: (advantages - advantages.mean()) / spread,
            Postprocessing.VALUE_TARGETS: targets[decided],
        }
        for name in episodes[0].extra_model_outputs:
            columns[name] = np.concatenate([_own(episode.extra_model_outputs[name]) for episode in episodes])
        # PPO builds the old distribution from this column in any case, and uses it for the KL term alone
        columns.setdefault(Columns.ACTION_DIST_INPUTS, np.zeros((len(order), 1), dtype=np.float32))
        chosen = torch.from_numpy(order).to(self.device)
        return {
            Columns.OBS: {name: tensor.index_select(0, chosen) for name, tensor in observations.items()},
            **{name: torch.from_numpy(column[among_decisions]).to(self.device) for name, column in columns.items()},
        }


def _own(buffer: InfiniteLookbackBuffer) -> Any:
    """The data of an episode without what went before it; RLlib cuts episodes so when several learners share them."""
    if isinstance(buffer.data, dict):
        return {name: column[buffer.lookback :] for name, column in buffer.data.items()}
    return buffer.data[buffer.lookback :]


class TablesLearner(PPOTorchLearner):
    """PPO's learner with `TablesBatch` in its pipeline, where others have GeneralAdvantageEstimation at the end."""

    def build(self) -> None:
        """Set up the learner as its config says; called by RLlib."""
        super().build()
        self._learner_connector.append(
            TablesBatch(gamma=self.config.gamma, lambda_=self.config.lambda_, device=self._device)
        )
