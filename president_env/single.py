"""President for one learner: a Gymnasium environment in which bots hold the other seats.

    env = gymnasium.make("President-v0", rules="quebec", opponents="easy")

Description
-----------
You hold one seat of a table; an episode is a match. A step is your move and then those of the others, up to your
next decision or the end. The rules are chosen as for `president_v0.env`: a preset, a rules file or Rules, and fields by
name. For many games at once there is the vector environment: `gymnasium.make_vec("President-v0", num_envs=1024, …)`.

Action space
------------
`Discrete(n)`, the moves of the rules, as in `president_v0.env`: `env.table.text(action)` names them. Which are legal
is in `info["action_mask"]`, and `env.action_masks()` returns the same for sb3-contrib's MaskablePPO. An action that
is not legal raises IllegalMove and changes nothing; with `illegal="end"` it ends the episode (terminated) with the
reward of the last place, for learners that cannot mask.

Observation space
-----------------
`Box(0, high, (size,), int8)`: what your seat may know, laid out as `env.layout.table()` says. It is a plain vector
so that any policy network takes it. `info["seat"]` is your seat. At the end of an episode the mask allows `pass`
alone.

Rewards
-------
The reward for your place comes once a round, with the move that fixes it: `reward="place"` from +1 for the first
evenly down to −1 for the last, `"score"` the points of the round, `"win"` 1 for the first place. Others may play on
between that move and your next decision; a step brings all that was earned until then.

Starting state
--------------
`reset(seed=s)` starts the match that `Game(rules, seed=s)` is or, if you had nothing to decide in it, one that
follows from it. Without a seed the match before draws that of the next. `options` may hold `deals`, with the hands
of the first round, and `leader`, as for `Game`.

Episode end
-----------
Terminated when the match is over, truncated after `max_rounds` rounds.

Arguments
---------
rules, players: as for `president_v0.env`.
limits: as for `president_v0.env`: with `Limits(…)` moves and observations are the universal ones, and `rules` may be a
    list or a function, from which each match draws its own; `env.rules` are those of the match.
opponents: who holds the other seats: the name of a bot (`bots.names()`), the path of a trained policy, an object with
    `act(view, legal)`, or a function of these two; or a list, one for each seat to the left of yours. With `limits` the
    list is for the largest table, and smaller ones take the first of it.
seat: yours; None draws it for each match from its seed.
illegal: "raise" or "end".
reward, max_rounds, render_mode: as for `president_v0.env`; the table is rendered as you see it.
and every field of the rules by name.

Version history
---------------
v0: the first.
"""

from collections.abc import Sequence
from functools import partial
from operator import index
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete
from numpy.typing import NDArray

from president_env.bots import bots_of
from president_env.bots.registry import Opponent
from president_env.bots.seated import Outcome, SeatedGames
from president_env.dealing import deals_and_leader
from president_env.engine.aec import seed_drawn
from president_env.game import MAX_SEED, Game, IllegalMove
from president_env.games import MAX_ROUNDS, check_positive
from president_env.limits import Limits
from president_env.moves import MoveTable, move_table
from president_env.observation import ObservationLayout, observation_layout
from president_env.render import checked_render_mode
from president_env.render.text import refusal_text, table_text
from president_env.rule_source import RulesDraw, RuleSets, RulesSource
from president_env.rules import Rules

PASS = 0
ILLEGAL = ("raise", "end")


def checked_illegal(illegal: str) -> str:
    """What an illegal action does; ValueError names the choices."""
    if illegal not in ILLEGAL:
        raise ValueError(f"illegal {illegal!r} is unknown; choose from {', '.join(ILLEGAL)}")
    return illegal


class President(gymnasium.Env[NDArray[np.int8], np.int64]):
    """One seat of a table; see the module's documentation."""

    metadata = {"render_modes": ["human", "ansi"], "render_fps": 2}  # noqa: RUF012 (as Gymnasium types it)

    def __init__(
        self,
        rules: RulesSource | Sequence[RulesSource] | RulesDraw = "quebec",
        players: int | None = None,
        opponents: Opponent | Sequence[Opponent] = "random",
        seat: int | None = None,
        illegal: str = "raise",
        reward: str = "place",
        max_rounds: int = MAX_ROUNDS,
        render_mode: str | None = None,
        limits: Limits | None = None,
        **overrides: Any,
    ) -> None:
        self._rule_sets = RuleSets(rules, players, limits, overrides)
        self.limits = limits
        self.render_mode = checked_render_mode(render_mode, self.metadata["render_modes"])
        self.illegal = checked_illegal(illegal)
        check_positive(max_rounds=max_rounds)
        spaces_of = limits or self._rule_sets.given[0]
        self._seated_by = partial(
            SeatedGames,
            num_games=1,
            opponents=bots_of(opponents, spaces_of.players - 1),
            seat=seat,
            reward=reward,
            max_rounds=max_rounds,
            goes_on=False,
            limits=limits,
        )
        if self._rule_sets.given:
            self._seated: SeatedGames = self._seated_by(self._rule_sets.given)
        self.table: MoveTable = move_table(spaces_of)
        self.layout: ObservationLayout = observation_layout(spaces_of)
        self.observation_space = Box(self.layout.low, self.layout.high, dtype=np.int8)
        self.action_space = Discrete(len(self.table))
        self._mask = np.zeros(len(self.table), dtype=np.int8)
        self._playing = False
        self._begun = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int8], dict[str, Any]]:
        """Start a match, up to your first decision. `options` may hold `deals` and `leader`."""
        super().reset(seed=seed)
        self._playing = False  # until all that is given has been found right
        deals, leader = deals_and_leader(options)
        if seed is None:
            seed = self._next_seed()
        rules = self._rule_sets.of_seed(seed)
        if not self._rule_sets.given:
            self._seated = self._seated_by([rules])
        if deals or leader is not None or seed > MAX_SEED:
            outcome = self._begin_with(Game(rules, seed=seed, deals=deals, leader=leader))
        else:
            outcome = self._seated.begin(np.array([seed], dtype=np.int64))
        self._playing = self._begun = True
        shown = self._shown(outcome)
        if self.render_mode == "human":
            self.render()
        return shown

    def _next_seed(self) -> int:
        """The seed that the match before draws; of the first match a random one."""
        if self._begun:
            return int(seed_drawn(self._seated.batch.games))
        return int(self.np_random.integers(MAX_SEED))

    def _begin_with(self, game: Game) -> Outcome:
        if game.num_given_deals > 1:
            raise ValueError(
                f"deals: {game.num_given_deals} rounds were given; a single seat takes those of the first round"
            )
        outcome = self._seated.begin_with(game)
        if len(outcome.ended):
            raise ValueError("deals: with these hands the match is over before your seat has anything to decide")
        return outcome

    def step(self, action: int | np.integer[Any]) -> tuple[NDArray[np.int8], float, bool, bool, dict[str, Any]]:
        """Make your move, then those of the others up to your next decision."""
        if not self._playing:
            raise IllegalMove(f"action {action!r} cannot be taken: no match is being played; call reset() first")
        legal = self._is_legal(action)
        if not legal and self.illegal == "raise":
            raise IllegalMove(refusal_text("your seat", action, self._mask, self.table))
        outcome = self._seated.step(np.array([action if legal else PASS], dtype=np.int64), np.array([not legal]))
        terminated, truncated = bool(outcome.terminated[0]), bool(outcome.truncated[0])
        self._playing = not (terminated or truncated)
        observation, info = self._shown(outcome)
        if self.render_mode == "human":
            self.render()
        return observation, float(outcome.rewards[0]), terminated, truncated, info

    def _is_legal(self, action: Any) -> bool:
        try:
            made = index(action)
            return not isinstance(action, bool) and 0 <= made < len(self._mask) and bool(self._mask[made])
        except TypeError:
            return False

    def _shown(self, outcome: Outcome) -> tuple[NDArray[np.int8], dict[str, Any]]:
        """Observation and info, in fresh arrays; at the end the last observation and the mask that allows `pass`."""
        self._mask, observation = outcome.mask[0], outcome.observation[0]
        if len(outcome.ended):
            observation = outcome.last_observation[0]
            self._mask[:] = 0
            self._mask[PASS] = 1
        self._seat = int(outcome.seat[0])
        return observation, {"action_mask": self._mask.copy(), "seat": self._seat}

    def action_masks(self) -> NDArray[np.bool_]:
        """Your legal moves, (n,) bool, as sb3-contrib's MaskablePPO asks for them."""
        return self._mask.astype(np.bool_)

    @property
    def rules(self) -> Rules:
        """The rules of the match; a function that draws them has not done so before the first reset."""
        return self._seated.rules

    @property
    def game(self) -> Game:
        """The match so far as a Game of its own: all hands, history, texts."""
        return self._seated.game.copy()

    def render(self) -> str | None:
        """The table as you see it: returned as text for "ansi", printed for "human"."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() does nothing without a render_mode; choose one in gymnasium.make")
            return None
        text = table_text(self._seated.game.view(self._seat))
        if self.render_mode == "ansi":
            return text
        print(text, end="\n\n")
        return None
