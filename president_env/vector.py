"""President for one learner at many tables: the vector environment of "President-v0".

    envs = gymnasium.make_vec("President-v0", num_envs=1024, rules="quebec", opponents="easy")

Every row is the environment of `president_env.single`, with the same arguments, spaces and rewards, and plays the same
matches: row i of `reset(seed=s)` is the single environment after `reset(seed=s + i)`. With opponents that are
compiled bots a step is one compiled call, whatever the number of rows; other bots are asked for all their rows at
once if they have `act_batch`.

With `limits` and a list of rule sets each match has its own, as in the single environment: row i plays
`envs.all_rules[envs.rule_of[i]]`. A function that draws rules is called when the environment is made, with
`numpy.random.default_rng(k)` for each k below `num_rules`; what it returns is the list then. Opponents that are not
compiled are asked for one row after the other; but those that know the universal moves and observations, and say so by
an attribute `universal` that is true, have their `act_batch` called.

A match that ends is followed by the next one in the same step (AutoresetMode.SAME_STEP): observation, mask and seat
are then those of its first decision, and `infos` hold the last of the match that ended as `final_obs` and
`final_info`. The arrays of a step are fresh and belong to the caller. `infos["action_mask"]` is (num_envs, n), and so
is what `action_masks()` returns. `num_threads` threads share the rows; what comes out does not depend on it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from president_env.bots import bots_of
from president_env.bots.registry import Opponent
from president_env.bots.seated import Outcome, SeatedGames
from president_env.engine.batch import first_illegal
from president_env.game import MAX_SEED, Game, IllegalMove, checked_seeds
from president_env.games import MAX_ROUNDS, check_positive
from president_env.limits import Limits
from president_env.moves import MoveTable
from president_env.observation import ObservationLayout
from president_env.render import checked_render_mode
from president_env.render.text import refusal_text, table_text
from president_env.rule_source import RulesDraw, RuleSets, RulesSource
from president_env.single import PASS, checked_illegal

NUM_RULES = 256
"""Rule sets that are drawn when `rules` is a function, unless told otherwise."""


class PresidentVectorEnv(VectorEnv[NDArray[np.int8], NDArray[np.int64], NDArray[Any]]):
    """One seat at each of many tables; see the module's documentation."""

    metadata = {"render_modes": ["ansi"], "autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012 (as in Gymnasium)

    def __init__(
        self,
        num_envs: int = 1,
        rules: RulesSource | Sequence[RulesSource] | RulesDraw = "quebec",
        players: int | None = None,
        opponents: Opponent | Sequence[Opponent] = "random",
        seat: int | None = None,
        illegal: str = "raise",
        reward: str = "place",
        max_rounds: int = MAX_ROUNDS,
        render_mode: str | None = None,
        limits: Limits | None = None,
        num_rules: int = NUM_RULES,
        num_threads: int = 1,
        **overrides: Any,
    ) -> None:
        check_positive(num_envs=num_envs, num_rules=num_rules, num_threads=num_threads)
        self.all_rules = RuleSets(rules, players, limits, overrides).drawn(num_rules)
        self.rules = self.all_rules[0]
        """The rules, the first of them if there are several."""
        self.limits = limits
        self.render_mode = checked_render_mode(render_mode, self.metadata["render_modes"])
        self.autoreset_mode = self.metadata["autoreset_mode"]
        """What happens after a match, where wrappers look for it."""
        self.illegal = checked_illegal(illegal)
        self.num_envs = num_envs
        self._seated = SeatedGames(
            self.all_rules,
            num_envs,
            bots_of(opponents, (limits or self.rules).players - 1),
            seat,
            reward=reward,
            max_rounds=max_rounds,
            goes_on=True,
            limits=limits,
            num_threads=num_threads,
        )
        self.table: MoveTable = self._seated.batch.table
        self.layout: ObservationLayout = self._seated.batch.layout
        self.single_observation_space = Box(self.layout.low, self.layout.high, dtype=np.int8)
        self.single_action_space = Discrete(len(self.table))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._rows = np.arange(num_envs)
        self._mask: NDArray[np.int8] | None = None
        """Legal moves of the learners, None before the first reset."""
        self._seats = np.zeros(num_envs, dtype=np.int8)

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int8], dict[str, Any]]:
        """Start matches in all rows: from seed + i, from a seed each, or from what the matches before draw.

        `options["reset_mask"]`, (num_envs,) bool, names the rows to begin anew; the others stay as they are.
        """
        rows, seeds = self._rows_to_reset(options), self._seeds(seed)
        super().reset(seed=int(seed) if isinstance(seed, int | np.integer) else None)
        outcome = self._seated.begin(seeds, rows)
        return outcome.observation, self._infos(outcome)

    def _rows_to_reset(self, options: dict[str, Any] | None) -> NDArray[np.bool_] | None:
        """`options["reset_mask"]`, None if all rows begin anew."""
        if options is not None and not isinstance(options, Mapping):
            raise ValueError(f"options: {options!r:.60} was given; wanted is a dict, which may hold reset_mask")
        given = (options or {}).get("reset_mask")
        if given is None:
            return None
        if self._mask is None:
            raise ValueError("options: reset_mask was given, but there is no match yet that could stay as it is")
        rows = np.asarray(given)
        if rows.shape != (self.num_envs,) or rows.dtype != np.bool_:
            raise ValueError(f"options: reset_mask is {given!r:.60}; wanted are {self.num_envs} booleans, one a row")
        return rows

    def _seeds(self, seed: int | Sequence[int] | None) -> NDArray[np.int64]:
        if seed is None and self._mask is not None:
            return np.full(self.num_envs, -1, dtype=np.int64)
        if seed is None:
            return self.np_random.integers(MAX_SEED, size=self.num_envs)
        return checked_seeds(seed, self.num_envs)

    def step(
        self, actions: ArrayLike
    ) -> tuple[NDArray[np.int8], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Make the learners' moves, (num_envs,) whole numbers, then those of the others up to the next decisions."""
        legal = self._legal()
        made = np.asarray(actions)
        if made.shape != (self.num_envs,) or made.dtype.kind not in "iu":
            raise IllegalMove(
                f"actions of shape {made.shape} and type {made.dtype} were given; "
                f"wanted are {self.num_envs} whole numbers, one a row"
            )
        outcome = self._seated.step(*self._checked(made.astype(np.int64), legal))
        return outcome.observation, outcome.rewards, outcome.terminated, outcome.truncated, self._infos(outcome)

    def _checked(
        self, actions: NDArray[np.int64], legal: NDArray[np.int8]
    ) -> tuple[NDArray[np.int64], NDArray[np.bool_] | None]:
        """The actions, and in which rows they are illegal."""
        row = first_illegal(legal, actions)
        if row < 0:
            return actions, None
        if self.illegal == "raise":
            raise IllegalMove(refusal_text(f"row {row}: your seat", int(actions[row]), legal[row], self.table))
        known = (actions >= 0) & (actions < len(self.table))
        return actions, ~known | (legal[self._rows, np.where(known, actions, PASS)] != 1)

    def _infos(self, now: Outcome) -> dict[str, Any]:
        """Masks and seats, and of matches that ended what was seen last, in Gymnasium's form."""
        self._mask, self._seats = now.mask.copy(), now.seat.copy()
        every = np.ones(self.num_envs, dtype=np.bool_)
        infos: dict[str, Any] = {
            "action_mask": now.mask,
            "_action_mask": every,
            "seat": now.seat,
            "_seat": every.copy(),
        }
        if len(now.ended):
            final_obs = np.full(self.num_envs, None, dtype=object)
            final_mask = np.zeros_like(now.mask)
            final_seat = np.zeros_like(now.seat)
            ended = np.zeros(self.num_envs, dtype=np.bool_)
            for k, row in enumerate(now.ended):
                final_obs[row] = now.last_observation[k]
            final_mask[now.ended, PASS] = 1
            final_seat[now.ended] = now.last_seat
            ended[now.ended] = True
            final = {"action_mask": final_mask, "_action_mask": ended, "seat": final_seat, "_seat": ended.copy()}
            infos |= {
                "final_obs": final_obs,
                "_final_obs": ended.copy(),
                "final_info": final,
                "_final_info": ended.copy(),
            }
        return infos

    @property
    def rule_of(self) -> NDArray[np.int32]:
        """Which of `all_rules` each row plays, (num_envs,)."""
        return self._seated.batch.rule_of.copy()

    def action_masks(self) -> NDArray[np.bool_]:
        """The learners' legal moves, (num_envs, n) bool."""
        return self._legal().astype(np.bool_)

    def _legal(self) -> NDArray[np.int8]:
        if self._mask is None:
            raise IllegalMove("no match is being played; call reset() first")
        return self._mask

    def render(self) -> tuple[str, ...] | None:
        """The table of each row as text, as its learner sees it."""
        if self.render_mode is None or self._mask is None:
            return None
        states = zip(self.rule_of, self._seated.batch.games, strict=True)
        games = [Game.of_state(self.all_rules[rule], state) for rule, state in states]
        return tuple(table_text(game.view(int(seat))) for game, seat in zip(games, self._seats, strict=True))
