"""An EnvRunner that steps many tables at once: one compiled step and one forward pass for all of them."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import torch
from gymnasium.spaces import Box, Dict, Discrete
from numpy.typing import NDArray
from ray.rllib.core.columns import Columns
from ray.rllib.env.multi_agent_env_runner import MultiAgentEnvRunner
from ray.rllib.env.multi_agent_episode import MultiAgentEpisode
from ray.rllib.env.single_agent_episode import SingleAgentEpisode
from ray.rllib.env.utils.infinite_lookback_buffer import InfiniteLookbackBuffer
from ray.rllib.utils import metrics as keys

from president_env import Games
from president_env.adapters.rllib_episodes import SEEN, Cut, Decisions, Step, cut_episodes
from president_env.adapters.rllib_module import MASKED
from president_env.arena import make_bot
from president_env.bots.protocol import BatchBot
from president_env.engine.aec import seed_drawn
from president_env.game import MAX_SEED
from president_env.rule_source import RuleSets
from president_env.vector import NUM_RULES

METRICS_WINDOW = 5
"""Samples over which the means of matches are taken."""


class Tables:
    """The tables of an env runner, with the spaces that RLlib asks of its environments."""

    def __init__(self, number: int, seed: NDArray[np.int64], arguments: dict[str, Any]) -> None:
        given = dict(arguments)
        own = {name: given.pop(name) for name in ("reward", "max_rounds") if name in given}
        limits = given.pop("limits", None)
        source, players = given.pop("rules", "quebec"), given.pop("players", None)
        rules = RuleSets(source, players, limits, given).drawn(NUM_RULES)
        self.games = Games(rules, number, seed, limits=limits, **own)
        self.num_envs = number
        layout, num_actions = self.games.layout, self.games.num_actions
        self.agents = [f"player_{seat}" for seat in range(self.games.num_players)]
        observation = Dict(
            observation=Box(layout.low, layout.high, dtype=np.int8),
            action_mask=Box(0, 1, (num_actions,), dtype=np.int8),
        )
        self.single_observation_space = self.observation_space = Dict(dict.fromkeys(self.agents, observation))
        self.single_action_space = self.action_space = Dict(dict.fromkeys(self.agents, Discrete(num_actions)))

    @property
    def unwrapped(self) -> "Tables":
        """Itself, as RLlib asks wrappers for what they wrap."""
        return self

    def close(self) -> None:
        """Nothing to close."""


@dataclass
class Match:
    """What an env runner remembers of the match at a table."""

    id_: str
    holders: list[str]
    """Who holds each seat: the id of a module, or a bot's name."""


class SeatEpisode(SingleAgentEpisode):
    """An episode that stays its seat's when RLlib cuts it up for several learners; others forget whose they are."""

    def slice(self, slice_: slice, *, len_lookback_buffer: int | None = None) -> SingleAgentEpisode:
        """A part of the episode, as in the base class."""
        part = super().slice(slice_, len_lookback_buffer=len_lookback_buffer)
        return SeatEpisode(
            part.id_,
            observations=part.observations,
            infos=part.infos,
            actions=part.actions,
            rewards=part.rewards,
            extra_model_outputs=part.extra_model_outputs,
            terminated=part.is_terminated,
            truncated=part.is_truncated,
            t_started=part.t_started,
            agent_id=self.agent_id,
            module_id=self.module_id,
            multi_agent_episode_id=self.multi_agent_episode_id,
        )


class TablesEnvRunner(MultiAgentEnvRunner):
    """`num_envs_per_env_runner` tables of `president_env.Games`, stepped together.

    `env_config` holds the arguments of `president_v0.raw_env`. Who holds a seat is asked of `policy_mapping_fn` when
    the match begins; it may name a bot (`president_env.bots.names()`) or a policy file as well as a module.

    `sample` returns a SingleAgentEpisode for each seat that a trained module holds: its own decisions, each with the
    rewards that came to the seat until its next one, or the end of the match. A decision whose seat has not been on
    turn again is kept for the next sample; what it saw then is the last observation of the episode. Per-step connectors
    and the callbacks `on_episode_…` are not called.
    """

    env: Tables
    _open: Decisions | None
    """Decisions of the sample before whose seats have not been on turn again."""

    def make_env(self) -> None:
        """Set up the tables; every env runner has matches of its own."""
        config = self.config
        self.num_envs = config.num_envs_per_env_runner
        rng = np.random.default_rng(None if config.seed is None else [config.seed, self.worker_index or 0])
        seeds = rng.integers(MAX_SEED, size=self.num_envs)
        self.env = Tables(self.num_envs, seeds, config.env_config)
        self._bots: dict[str, BatchBot] = {}
        self._needs_initial_reset = True

    def _sample(
        self,
        *,
        num_timesteps: int | None = None,
        num_episodes: int | None = None,
        explore: bool,
        random_actions: bool = False,
        force_reset: bool = False,
    ) -> list[SingleAgentEpisode]:
        if force_reset or num_episodes is not None or self._needs_initial_reset:
            self.begin()
        played = [[match] for match in self._matches]
        steps: list[Step] = []
        made = ended = 0
        while made < (num_timesteps or 0) or ended < (num_episodes or 0):
            steps.append(self._step(explore, random_actions))
            for row in np.flatnonzero(steps[-1].done).tolist():
                self._matches[row] = self._new_match(row)
                played[row].append(self._matches[row])
            made += self.num_envs
            ended += int(steps[-1].done.sum())
        self._needs_initial_reset = num_episodes is not None
        cuts, self._open = cut_episodes(self._open, steps)
        self._log(steps, played)
        whole = num_timesteps is None
        return [
            self._episode(cut, played[cut.row][cut.match])
            for cut in cuts
            if cut.terminated or cut.truncated or not whole
        ]

    def begin(self, seeds: Sequence[int] | None = None) -> None:
        """Start new matches at all tables, from a seed each or from what the matches before draw."""
        games = self.env.games
        if seeds is None:
            seeds = [seed_drawn(games.games[row : row + 1]) for row in range(self.num_envs)]
        games.reset(seeds)
        self._needs_initial_reset = False
        self._names: list[str] = []
        self._holders = np.zeros((self.num_envs, len(self.env.agents)), dtype=np.int64)
        self._matches = [self._new_match(row) for row in range(self.num_envs)]
        self._open = None
        self._returns = np.zeros(self._holders.shape)
        self._lengths = np.zeros(self.num_envs, dtype=np.int64)

    def _new_match(self, row: int) -> Match:
        """Ask who plays; RLlib's mapping functions are given the episode that the match would be."""
        episode = MultiAgentEpisode(
            str(self.env.games.games["seed"][row]),  # what a mapping draws from it repeats with the seed of the run
            observation_space=self.env.single_observation_space.spaces,
            agent_to_module_mapping_fn=self.config.policy_mapping_fn,
        )
        match = Match(episode.id_, [episode.module_for(agent) for agent in self.env.agents])
        for seat, name in enumerate(match.holders):
            if name not in self._names:
                self._names.append(name)
            self._holders[row, seat] = self._names.index(name)
        return match

    def _step(self, explore: bool, random_actions: bool) -> Step:
        """One move at each table."""
        games = self.env.games
        seat, observation, mask = games.seat.copy(), games.observation, games.mask
        actions = np.zeros(self.num_envs, dtype=np.int64)
        kept = np.zeros(self.num_envs, dtype=np.bool_)
        extra = {Columns.ACTION_LOGP: np.zeros(self.num_envs, dtype=np.float32)}
        if getattr(self.config, "use_kl_loss", False):
            extra[Columns.ACTION_DIST_INPUTS] = np.zeros(mask.shape, dtype=np.float32)
        on_turn = self._holders[np.arange(self.num_envs), seat]
        for number in np.unique(on_turn):
            name, rows = self._names[number], np.flatnonzero(on_turn == number)
            if name not in self.module:
                actions[rows] = self._bot(name).act_batch(games, rows)
                continue
            outputs = self._decide(self.module[name], observation[rows], mask[rows], explore, random_actions)
            actions[rows] = outputs[Columns.ACTIONS]
            kept[rows] = self._is_trained(name)
            for column in extra:
                extra[column][rows] = outputs[column]
        rows = np.flatnonzero(kept)
        columns = {"observation": observation, "action_mask": mask, Columns.ACTIONS: actions, **extra}
        decisions = Decisions(
            rows, seat[rows], np.zeros(len(rows), dtype=np.float32), {name: c[rows] for name, c in columns.items()}
        )
        games.step(actions)
        return Step(decisions, seat, games.rewards.copy(), games.done.copy(), games.truncated.copy())

    def _decide(
        self, module: Any, observation: NDArray[np.int8], mask: NDArray[np.int8], explore: bool, random_actions: bool
    ) -> dict[str, NDArray[Any]]:
        """Actions, their log probabilities and the logits that they were drawn by."""
        seen = {"observation": torch.from_numpy(observation), "action_mask": torch.from_numpy(mask)}
        batch = {Columns.OBS: {name: tensor.to(self._device) for name, tensor in seen.items()}}
        if random_actions:
            logits = torch.zeros(mask.shape).masked_fill(seen["action_mask"] == 0, MASKED)
        else:
            forward = module.forward_exploration if explore else module.forward_inference
            logits = forward(batch)[Columns.ACTION_DIST_INPUTS]
        distribution = module.get_exploration_action_dist_cls().from_logits(logits)
        actions = (distribution if explore or random_actions else distribution.to_deterministic()).sample()
        outputs = {
            Columns.ACTIONS: actions,
            Columns.ACTION_LOGP: distribution.logp(actions),
            Columns.ACTION_DIST_INPUTS: logits,
        }
        return {name: tensor.cpu().numpy() for name, tensor in outputs.items()}

    def _bot(self, name: str) -> BatchBot:
        if name not in self._bots:
            try:
                self._bots[name] = cast(BatchBot, make_bot(name))  # all that have a name are
            except ValueError as error:
                modules = ", ".join(self.module.keys())
                raise ValueError(f"policy_mapping_fn: {name!r} is none of the modules {modules}, and {error}") from None
        return self._bots[name]

    def _is_trained(self, module_id: str) -> bool:
        """Whether the learner wants the decisions of the module; the same question as `Learner` asks."""
        trained = self.config.policies_to_train
        if trained is None:
            return True
        return bool(trained(module_id, None)) if callable(trained) else module_id in trained

    def _episode(self, cut: Cut, match: Match) -> SingleAgentEpisode:
        columns = {name: InfiniteLookbackBuffer(column) for name, column in cut.columns.items() if name not in SEEN}
        return SeatEpisode(
            observations=InfiniteLookbackBuffer({name: cut.columns[name] for name in SEEN}),
            actions=columns.pop(Columns.ACTIONS),
            rewards=InfiniteLookbackBuffer(cut.rewards),
            extra_model_outputs=columns,
            terminated=cut.terminated,
            truncated=cut.truncated,
            len_lookback_buffer=0,
            agent_id=self.env.agents[cut.seat],
            module_id=match.holders[cut.seat],
            multi_agent_episode_id=match.id_,
        )

    # metrics, once a sample

    def _log(self, steps: list[Step], played: list[list[Match]]) -> None:
        """Decisions, and of the matches that ended lengths and returns, under the names that RLlib gives them."""
        log, made = self.metrics.log_value, len(steps) * self.num_envs
        log(keys.NUM_ENV_STEPS_SAMPLED, made, reduce="sum")
        log(keys.NUM_ENV_STEPS_SAMPLED_LIFETIME, made, reduce="lifetime_sum", with_throughput=True)
        self.num_env_steps_sampled_lifetime += made
        on_turn = np.bincount(np.concatenate([step.seat for step in steps]), minlength=len(self.env.agents))
        for agent, number in zip(self.env.agents, on_turn.tolist(), strict=True):
            log((keys.NUM_AGENT_STEPS_SAMPLED, agent), number, reduce="sum")
            log((keys.NUM_AGENT_STEPS_SAMPLED_LIFETIME, agent), number, reduce="lifetime_sum")
        ended, lengths, returns = self._ended(steps, played)
        log(keys.NUM_EPISODES, len(ended), reduce="sum")
        log(keys.NUM_EPISODES_LIFETIME, len(ended), reduce="lifetime_sum")
        if not ended:
            return
        of_module: dict[str, list[float]] = defaultdict(list)
        for match, gained in zip(ended, returns, strict=True):
            for name in set(match.holders):
                held = [holder == name for holder in match.holders]
                of_module[name].append(float(gained[held].sum()))
        means = {
            keys.EPISODE_LEN_MEAN: float(lengths.mean()),
            keys.EPISODE_RETURN_MEAN: float(returns.sum(axis=1).mean()),
            keys.EPISODE_AGENT_RETURN_MEAN: dict(zip(self.env.agents, returns.mean(axis=0).tolist(), strict=True)),
            keys.EPISODE_MODULE_RETURN_MEAN: {name: float(np.mean(sums)) for name, sums in of_module.items()},
        }
        self.metrics.log_dict(means, window=METRICS_WINDOW)

    def _ended(
        self, steps: list[Step], played: list[list[Match]]
    ) -> tuple[list[Match], NDArray[np.int64], NDArray[np.float64]]:
        """The matches that ended in these steps, how many decisions they took, and what each seat was rewarded with."""
        ended, lengths, returns = [], [], []
        finished = np.zeros(self.num_envs, dtype=np.int64)
        for step in steps:
            self._lengths += 1
            self._returns += step.rewards
            rows = np.flatnonzero(step.done)
            ended += [played[row][finished[row]] for row in rows]
            finished[rows] += 1
            lengths.append(self._lengths[rows])
            returns.append(self._returns[rows])
            self._lengths[rows] = 0
            self._returns[rows] = 0
        return ended, np.concatenate(lengths), np.concatenate(returns)
