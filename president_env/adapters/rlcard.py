"""President as an environment of RLCard, `president`; importing this module registers it.

    import rlcard
    import president_env.adapters.rlcard

    env = rlcard.make("president", {"rules": "quebec", "players": 4, "rounds": 1, "seed": 7})

The configuration holds RLCard's `seed` and `allow_step_back`, `rules` (a preset's name, the path of a rules file, or
Rules), `players`, `max_rounds`, and fields of the rules by name.

A game is a match. `obs` is the observation of `president_env.observation`, (size,) int8, an action an id of
`env.table`, a raw action its text. Payoffs are the rewards for the place, from +1 to −1, added up over the rounds:
RLCard has none before the end. `action_record` holds the moves as the player knows them.
"""

from collections import OrderedDict
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rlcard.envs import Env
from rlcard.envs.registration import register

from president_env.env import PASS
from president_env.game import Game
from president_env.games import MAX_ROUNDS, check_positive
from president_env.moves import MoveTable, move_table
from president_env.observation import observation_layout
from president_env.rewards import reward_of_place
from president_env.rule_source import rules_of
from president_env.rules import Rules

State = dict[str, Any]


class Match:
    """What RLCard calls a game: a match in its terms. `step` takes a move as text."""

    np_random: np.random.RandomState
    """The environment's random numbers; each match takes its seed from them."""
    allow_step_back: bool

    def __init__(self, rules: Rules, max_rounds: int) -> None:
        self.rules = rules
        self.max_rounds = max_rounds
        self._worth = reward_of_place(rules, "place").astype(np.float64)

    def init_game(self) -> tuple[Game, int]:
        """Begin a match; the game and the seat to move."""
        self.game = Game(self.rules, seed=int(self.np_random.randint(2**53, dtype=np.int64)))
        self.payoffs: NDArray[np.float64] = np.zeros(self.rules.players)
        self._past: list[tuple[Game, NDArray[np.float64]]] = []
        return self.game, self.get_player_id()

    def step(self, move: str) -> tuple[Game, int]:
        """Make a move of the seat to move; IllegalMove changes nothing."""
        before = (self.game.copy(), self.payoffs) if self.allow_step_back else None
        number = self.game.round
        self.game.play(move)
        if before:
            self._past.append(before)
        if self.game.over or self.game.round > number:
            self.payoffs = self.payoffs + self._worth[self.game.state["last_place"][0, : self.rules.players]]
        return self.game, self.get_player_id()

    def step_back(self) -> bool:
        """Take the last move back; False if there is none."""
        if self._past:
            self.game, self.payoffs = self._past.pop()
            return True
        return False

    def is_over(self) -> bool:
        """Whether the match is over, or `max_rounds` have been played."""
        return self.game.over or self.game.round > self.max_rounds

    def get_player_id(self) -> int:
        """The seat to move; 0 when nobody is."""
        return self.game.seat or 0

    def get_num_players(self) -> int:
        """How many seats the table has."""
        return self.rules.players

    def get_num_actions(self) -> int:
        """How many moves the rules know."""
        return len(move_table(self.rules))


class PresidentEnv(Env):
    """The environment that `rlcard.make("president", config)` makes."""

    def __init__(self, config: dict[str, Any]) -> None:
        overrides = {name: value for name, value in config.items() if name not in ("seed", "allow_step_back")}
        max_rounds = overrides.pop("max_rounds", MAX_ROUNDS)
        check_positive(max_rounds=max_rounds)
        self.name = "president"
        self.rules: Rules = rules_of(overrides.pop("rules", "quebec"), **overrides)
        self.table: MoveTable = move_table(self.rules)
        self.game = Match(self.rules, max_rounds)
        super().__init__(config)
        self.state_shape = [[observation_layout(self.rules).size]] * self.rules.players
        self.action_shape: list[None] = [None] * self.rules.players

    def get_state(self, player_id: int) -> State:
        """What the player sees and may do: nothing while others are to move, `pass` alone when the match is over."""
        game = self.game.game
        view = game.view(player_id)
        legal = [PASS] if self.is_over() else view.legal_ids
        return {
            "obs": game.observation(player_id),
            "legal_actions": OrderedDict.fromkeys(legal),
            "raw_obs": {
                "hand": view.hand(player_id),
                "trick": view.trick,
                "hand_sizes": view.hand_sizes,
                "places": view.places,
                "roles": view.roles,
                "scores": view.scores,
                "phase": view.phase,
            },
            "raw_legal_actions": [self.table.text(action) for action in legal],
            "action_record": [(seat, text) for _, seat, text in view.history],
        }

    def get_payoffs(self) -> NDArray[np.float64]:
        """What the places of each seat have been worth, (players,)."""
        return self.game.payoffs.copy()

    def get_perfect_information(self) -> State:
        """All hands, and whose move it is."""
        game = self.game.game
        return {"hands": game.hands, "trick": game.trick, "current_player": game.seat, "legal_actions": game.legal}

    def _extract_state(self, state: Game) -> State:
        return self.get_state(self.get_player_id())

    def _decode_action(self, action_id: int) -> str:
        return self.table.text(action_id)

    def _get_legal_actions(self) -> list[int]:
        return self.game.game.legal_ids


register("president", "president_env.adapters.rlcard:PresidentEnv")
