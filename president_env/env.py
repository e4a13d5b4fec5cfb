"""President for several learners, one move at a time: a PettingZoo AEC environment.

Description
-----------
A game for 2 to 8 players who race to get rid of their cards. A match has one round or several; between rounds the
losers hand their best cards to the winners, and scores add up. `rules` chooses the house rules: a preset
(`Rules.presets()`), a rules file or `Rules`; every field of the rules can be given by name as well, so
`president_v0.env("quebec", players=5, rounds=2)` is a table of five for two rounds. `Rules.describe()` says in plain
words what is being played.

`env` is `raw_env` in PettingZoo's OrderEnforcingWrapper. Legality is checked by `raw_env` itself: PettingZoo's own
wrappers for that know less to say. To train use `raw_env`, or better `president_env.Games`, the batch of all seats.

Action space
------------
`Discrete(n)`: an action is the row of a move in the table of the rules. `env.table` is that table:
`env.table.text(action)` is the move as people write it, `env.table.id("77")` the other way round. For the same
rules the ids are always the same. What a seat may do is in `action_mask`; another action raises IllegalMove, which
names the legal ones, and changes nothing.

Observation space
-----------------
`Dict(observation=Box(0, high, (size,), int8), action_mask=Box(0, 1, (n,), int8))`. The observation holds all that a
seat may know, as blocks of whole numbers; `env.layout.table()` lists them for the rules of the environment, and
`env.layout.split(observation)` takes a vector apart. Seats are relative: 0 is the observer, 1 its left neighbour.

The mask is also in `infos`, where it is the same array. A seat that is not on turn has a mask of zeros, with one
exception: while another seat is offered a play out of turn, the seat whose turn comes next sees what it would see
without the offer, so as not to be told. When the match is over every mask allows `pass` alone (a mask
of zeros would make NaN of many a target value), though `step` takes nothing but None then.

`state()` is the whole game for centralised critics: the observations of all seats, one after the other, from player_0
on, (players × size,) int8; as `state_space` says.

Rewards
-------
A seat is rewarded for its place, with the move that fixes it, once a round: `reward="place"` from +1 for the first
evenly down to −1 for the last, `"score"` the points of the round, `"win"` 1 for the first place.

Starting state
--------------
`reset(seed=s)` starts the match that `Game(rules, seed=s)` is. Without a seed the match before draws that of the next;
the first is drawn at random. `options` may hold `deals` and `leader`, as for `Game`.

Episode end
-----------
All agents live until the match ends, and end together: terminated when it is over, truncated after `max_rounds` rounds
(a match with a tiebreak or a target has no bound of its own).

Many rule sets
--------------
With `limits=Limits(players=…, decks=…, jokers=…)` all rules within these limits have the same possible agents, moves
and observations: the universal ones, where the observation holds the rules too. `rules` may then be a list, or a
function `(rng: numpy.random.Generator) -> rules`, and each match has its own: of n rule sets in a list the match of
seed s plays number s modulo n, counted from 0; a function is called with `numpy.random.default_rng(s)`. `env.rules` are
the rules of the match, and `agents` the first of `possible_agents`, as many as sit at its table; in `state()` the seats
that it lacks are zeros. Rules outside the limits are refused when the environment is made, or by `reset` if a function
draws them.

Arguments
---------
rules: a preset's name, the path of a rules file, or Rules; with `limits` also a list of these, or a function.
players: how many; by default what the rules say.
render_mode: "ansi": `render()` returns the table as text; "human": it is printed after every move.
reward: "place", "score" or "win".
max_rounds: rounds after which a match is truncated.
limits: None for the moves and observations of the rules, Limits for the universal ones.
and every field of the rules by name, which changes all of them.

Version history
---------------
v0: the first.
"""

import secrets
import warnings
from collections.abc import Sequence
from operator import index
from typing import Any, ClassVar

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from president_env.dealing import deals_and_leader, given_deals
from president_env.engine import aec, entry
from president_env.engine.observe import observe
from president_env.engine.parameters import moves_of, parameters_of
from president_env.engine.state import GAME
from president_env.game import MAX_SEED, Game, IllegalMove
from president_env.games import MAX_ROUNDS, check_positive
from president_env.limits import Limits
from president_env.moves import MoveTable, move_table
from president_env.observation import ObservationLayout, observation_layout
from president_env.render import checked_render_mode
from president_env.render.text import refusal_text, table_text
from president_env.rewards import reward_of_place
from president_env.rule_source import RulesDraw, RuleSets, RulesSource
from president_env.rules import Rules

PASS = 0
"""The action id of `pass`, in every table."""


def env(*args: Any, **kwargs: Any) -> OrderEnforcingWrapper:
    """`raw_env` with a check that it is used in order; takes the same arguments."""
    return OrderEnforcingWrapper(raw_env(*args, **kwargs))


class raw_env(AECEnv):  # type: ignore[misc] # noqa: N801 (PettingZoo has no types, and names the class so)
    """The environment without wrappers; see the module's documentation."""

    metadata: ClassVar[dict[str, Any]] = {
        "name": "president_v0",
        "render_modes": ["human", "ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        rules: RulesSource | Sequence[RulesSource] | RulesDraw = "quebec",
        players: int | None = None,
        render_mode: str | None = None,
        reward: str = "place",
        max_rounds: int = MAX_ROUNDS,
        limits: Limits | None = None,
        **overrides: Any,
    ) -> None:
        super().__init__()
        self._rule_sets = RuleSets(rules, players, limits, overrides)
        self.limits = limits
        self.render_mode = checked_render_mode(render_mode, self.metadata["render_modes"])
        check_positive(max_rounds=max_rounds)
        self.max_rounds = max_rounds
        self._reward_name = reward
        given = self._rule_sets.given
        self._spaces_of: Rules | Limits = limits or given[0]
        self.possible_agents = [f"player_{seat}" for seat in range(self._spaces_of.players)]
        self._games: NDArray[np.void] = np.zeros(1, dtype=GAME)
        self._shown = np.zeros(observation_layout(self._spaces_of).size + len(move_table(self._spaces_of)), np.int8)
        self._look_into_arrays()
        self._make_spaces()
        for one in reversed(given):  # all are tried, the first stays
            self._play_by(one)
        self._over = True
        self.agents: list[str] = []
        self.agent_selection = self.possible_agents[0]

    def _look_into_arrays(self) -> None:
        self.table: MoveTable = move_table(self._spaces_of)
        self.layout: ObservationLayout = observation_layout(self._spaces_of)
        self._moves, self._layout = moves_of(self._spaces_of), self.layout.record
        self._observation, self._mask = self._shown[: self.layout.size], self._shown[self.layout.size :]

    def _play_by(self, rules: Rules) -> None:
        """Play the matches that follow by these rules; ValueError if they have no such reward."""
        parameters, worth = parameters_of(rules, self.limits), reward_of_place(rules, self._reward_name)
        self.rules = rules
        """The rules of the match; a function that draws them has not done so before the first reset."""
        self._parameters = parameters
        self._reward_of_place = [float(value) for value in worth]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents[: rules.players])}

    def _make_spaces(self) -> None:
        num_actions = self._num_actions = len(self.table)
        self.observation_spaces = {
            agent: Dict(
                observation=Box(self.layout.low, self.layout.high, dtype=np.int8),
                action_mask=Box(0, 1, (num_actions,), dtype=np.int8),
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: Discrete(num_actions) for agent in self.possible_agents}
        players = len(self.possible_agents)
        self.state_space = Box(np.tile(self.layout.low, players), np.tile(self.layout.high, players), dtype=np.int8)

    def observation_space(self, agent: str) -> Dict:
        """The space of the agent's observations, the same object at each call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """The space of its actions, the same object at each call."""
        return self.action_spaces[agent]

    def __setstate__(self, state: dict[str, Any]) -> None:
        """A copied or unpickled environment looks into its own arrays, and at the shared ones of its rules."""
        self.__dict__.update(state)
        self._look_into_arrays()
        if "rules" in state:
            self._play_by(self.rules)

    # a match

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a match. `options` may hold `deals` and `leader`, as for `Game`; other keys are left alone."""
        self._over, self.agents = True, []  # until all that is given has been found right
        deals, leader = deals_and_leader(options)
        if seed is None:
            seed = self._next_seed()
        if self._rule_sets.many:
            seed = secrets.randbits(53) if seed is None else seed
            self._play_by(self._rule_sets.of_seed(seed))
        self._begin(seed, deals, leader)
        agents = self.agents = list(self._seats)
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self.infos = {agent: self._idle_info() for agent in agents}
        self._over = self._eventful = False
        self._turn_comes(aec.turn_shown(self._games, self._parameters, self._layout, self._shown))
        if self.render_mode == "human":
            self.render()

    def _next_seed(self) -> int | None:
        """The seed that the match before draws; before the first there is none."""
        return int(aec.seed_drawn(self._games)) if self._games["round"][0] else None

    def _begin(self, seed: int | None, deals: Sequence[Sequence[str]], leader: int | None) -> None:
        """Deal the first round. A Game checks what is not plainly right, and draws a seed if there is none."""
        self._given = given_deals(self.rules, deals)
        self._num_given = len(self._given)
        self._actions: list[int] = []
        self._game: Game | None = None
        if deals or leader is not None or type(seed) is not int or not 0 <= seed <= MAX_SEED:
            self._game = Game(self.rules, seed=seed, deals=deals, leader=leader)
            self._games[:] = self._game.state
        else:
            entry.begin_match(self._games, 0, self._parameters, seed)
            entry.begin_round(self._games, 0, self._parameters, -1)

    def step(self, action: int | np.integer[Any] | None) -> None:
        """Make the move of the agent on turn; once the match is over, None for one agent after the other."""
        if self._over:
            self._step_when_over(action)
            return
        try:
            made = index(action)  # type: ignore[arg-type]
        except TypeError:
            made = aec.ILLEGAL
        if isinstance(action, bool) or made >= len(self._mask):
            made = aec.ILLEGAL
        status = aec.turn_taken(
            self._games,
            self._parameters,
            self._moves,
            self._layout,
            self._shown,
            made,
            self.max_rounds,
            self._num_given,
        )
        if status < 0:
            raise IllegalMove(refusal_text(self.agent_selection, action, self._mask, self.table))
        self._actions.append(made)
        agent = self.agent_selection
        self._cumulative_rewards[agent] = 0.0
        self.infos[agent] = self._idle_info()
        if self._eventful:
            self._event_ends()
        if status <= aec.SEAT:
            agent = self.agent_selection = self.possible_agents[status]
            self.infos[agent] = {"action_mask": self._mask.copy()}
        else:
            self._event(status)
        if self.render_mode == "human":
            self.render()

    # what happens now and then

    def _event(self, status: int) -> None:
        """After a move by which more happens than that another seat is on turn."""
        fresh = status // aec.FRESH
        if fresh:
            self._reward(fresh, self._games["last_place" if status & aec.ROUND_OVER else "place"][0])
        if status & (aec.MATCH_OVER | aec.TRUNCATED):
            self._end(truncated=bool(status & aec.TRUNCATED))
            return
        if status & aec.HANDS_WANTED:
            hands = self._given[int(self._games["round"][0]) - 1]
            entry.begin_given_round(self._games, 0, self._parameters, hands, -1)
            status = aec.turn_shown(self._games, self._parameters, self._layout, self._shown)
        self._turn_comes(status)

    def _reward(self, fresh: int, places: NDArray[np.int8]) -> None:
        """Reward the seats, one bit each, that have just taken their places."""
        self._eventful = True
        for agent, seat in self._seats.items():
            if fresh >> seat & 1:
                reward = self._reward_of_place[places[seat]]
                self.rewards[agent] = reward
                self._cumulative_rewards[agent] += reward

    def _turn_comes(self, status: int) -> None:
        self.agent_selection = self.possible_agents[status & aec.SEAT]
        self.infos[self.agent_selection] = {"action_mask": self._mask.copy()}
        following = status // aec.NEXT & aec.SEAT
        if following:
            self._eventful = True
            agent = self.possible_agents[following - 1]
            self.infos[agent] = {"action_mask": self._mask_of(following - 1)}

    def _event_ends(self) -> None:
        """Rewards are those of one move, and what the seat that comes next was shown holds for one offer."""
        self._eventful = False
        for agent in self.agents:
            self.rewards[agent] = 0.0
            self.infos[agent] = self._idle_info()

    def _end(self, truncated: bool) -> None:
        self._over = True
        self._mask[:] = 0
        self._mask[PASS] = 1
        self.agent_selection = self.agents[0]
        for agent in self.agents:
            self.terminations[agent] = not truncated
            self.truncations[agent] = truncated
            self.infos[agent] = {"action_mask": self._mask.copy()}

    def _step_when_over(self, action: int | np.integer[Any] | None) -> None:
        if not self.agents:
            raise IllegalMove(f"action {action!r} cannot be taken: no match is being played; call reset() first")
        if action is not None:
            raise IllegalMove(f"action {action!r} cannot be taken: the match is over; step(None) or call reset()")
        self._was_dead_step(None)

    def _idle_info(self) -> dict[str, NDArray[np.int8]]:
        return {"action_mask": np.zeros(self._num_actions, dtype=np.int8)}

    # what is seen

    def observe(self, agent: str) -> dict[str, NDArray[np.int8]]:
        """What the agent sees and may do, in fresh arrays; the mask is that of its info."""
        if agent == self.agent_selection and not self._over:
            return {"observation": self._observation.copy(), "action_mask": self.infos[agent]["action_mask"]}
        seat = self._seats[agent]
        observation = np.empty(len(self._observation), dtype=np.int8)
        observe(self._games, 0, self._parameters, self._layout, seat, observation, 0)
        mask = self._mask.copy() if self._over else self._mask_of(seat)
        return {"observation": observation, "action_mask": mask}

    def _mask_of(self, seat: int) -> NDArray[np.int8]:
        mask = np.empty(len(self._mask), dtype=np.int8)
        aec.write_mask_of(self._games, self._parameters, seat, mask)
        return mask

    def state(self) -> NDArray[np.int8]:
        """The whole game: the observations of all seats, from player_0 on, (players × size,) int8."""
        size = len(self._observation)
        state = np.zeros(len(self.possible_agents) * size, dtype=np.int8)
        for seat in range(self.rules.players):
            observe(self._games, 0, self._parameters, self._layout, seat, state, seat * size)
        return state

    @property
    def game(self) -> Game:
        """The match so far as a Game of its own, with hands, history and texts, for people and records."""
        if self._game is None:
            self._game = Game(self.rules, seed=int(self._games["seed"][0]))
        for action in self._actions[len(self._game.history) :]:
            self._game.play(self.table.texts[action])
        return self._game.copy()

    def render(self) -> str | None:
        """The table as text, all hands open: returned for "ansi", printed for "human"."""
        if self.render_mode is None:
            warnings.warn(
                "render() does nothing without a render_mode; choose one when making the environment", stacklevel=2
            )
            return None
        text = table_text(self.game)
        if self.render_mode == "ansi":
            return text
        print(text, end="\n\n")
        return None

    def close(self) -> None:
        """Nothing has to be released."""
