"""President as a game of OpenSpiel, `president`; importing this module registers it.

    import pyspiel
    import president_env.adapters.openspiel

    game = pyspiel.load_game("president(rules=quebec,players=5,overrides=(rounds=1,passing=strict))")
    game = pyspiel.load_game("president", {"rules": "", "players": 2, "overrides": {"ranks": "3456", "suits": 2}})

Parameters
----------
rules: the name of a preset, or the path of a rules file; empty for `Rules()`, which two may play too.
players: how many; 0 leaves it to the rules.
max_rounds: rounds after which a match ends in any case. A match with a tiebreak or a target has no bound of its own.
overrides: fields of the rules by name. Lists of ranks are texts ("8A"), pairs are too ("2 1"); "None" is None.

States
------
Chance chooses the first dealer, unless the rules fix it, and where each card of the deck goes, round after round: a
node a card, its outcomes the seats and, as `num_players()`, face down. Every deal is a single path. Actions are the ids
of `president_env.moves.move_table(game.rules)`; those of chance are apart. Returns are the rewards for the place, from
+1 to −1, added up over the rounds, and come at the end.

The information state is all that a seat has seen since the match began, suits of cards played included; the
observation is that of `president_env.observation`. As a tensor an information state is offered for matches of one
round alone: longer ones have no use for a vector of every move that might be made. At nodes of chance nobody observes
anything, and tensors are zeros.

The suits of cards matter little to the game, but seats see them: for tables of policies a deck of one suit is smallest.
`state.resample_from_infostate` draws hands that agree with all that the seat knows.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray

from president_env.adapters.openspiel_match import Match
from president_env.cards import JOKER, NUM_SUITS
from president_env.games import MAX_ROUNDS, check_positive
from president_env.observation import observation_layout
from president_env.render.text import table_text
from president_env.rule_source import rules_of
from president_env.rules import Rules

SHORT_NAME = "president"
_NO_NAME = {"name": ""}  # an empty set of parameters, which has a text that can be read back


def _game_type(information_tensor: bool) -> pyspiel.GameType:
    return pyspiel.GameType(
        short_name=SHORT_NAME,
        long_name="President",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=8,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=information_tensor,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"rules": "quebec", "players": 0, "max_rounds": MAX_ROUNDS, "overrides": _NO_NAME},
    )


class PresidentGame(pyspiel.Game):
    """The game by some rules, as `pyspiel.load_game("president", …)` makes it."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {"rules": "quebec", "players": 0, "max_rounds": MAX_ROUNDS, "overrides": {}, **(params or {})}
        check_positive(max_rounds=given["max_rounds"])
        overrides = {name: _value(name, text) for name, text in given["overrides"].items() if name != "name"}
        if given["players"]:
            overrides["players"] = given["players"]
        self.rules: Rules = rules_of(given["rules"] or Rules(), **overrides)
        self.start = Match(self.rules, given["max_rounds"])
        self.most_rounds = _most_rounds(self.rules, given["max_rounds"])
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.start.table),
            max_chance_outcomes=self.rules.players + 1,
            num_players=self.rules.players,
            min_utility=-float(self.most_rounds),
            max_utility=float(self.most_rounds),
            utility_sum=0.0,
            max_game_length=self.most_rounds * (most_moves(self.rules) + _most_moves_between(self.rules)),
        )
        super().__init__(_game_type(self.most_rounds == 1), info, params or {})

    def new_initial_state(self) -> "PresidentState":
        """The state before the first outcome of chance."""
        return PresidentState(self)

    def max_chance_nodes_in_history(self) -> int:
        """The first dealer, and every card of every round."""
        return 1 + self.most_rounds * self.rules.num_cards

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: dict[str, Any] | None = None
    ) -> "PresidentObserver":
        """An observer of one seat: of its information state with perfect recall, else of its observation."""
        return PresidentObserver(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


class PresidentState(pyspiel.State):
    """A state of the game; everything that changes is in its match."""

    def __init__(self, game: PresidentGame) -> None:
        super().__init__(game)
        self._match = game.start

    @property
    def match(self) -> Match:
        """The match so far: all hands, the history, texts."""
        return self._match

    def current_player(self) -> int:
        """The seat to move, or chance, or that the match is over."""
        if self._match.finished:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if self._match.waiting else int(self._match.state["seat"][0])

    def is_terminal(self) -> bool:
        """Whether the match is over."""
        return self._match.finished

    def returns(self) -> list[float]:
        """The sum of the rewards for each seat's places; zeros before the end."""
        match = self._match
        return list(match.returns) if match.finished else [0.0] * len(match.returns)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Who may deal, or where the next card may go, with the chances."""
        return self._match.outcomes()

    def _legal_actions(self, player: int) -> list[int]:
        return self._match.legal_ids

    def _apply_action(self, action: int) -> None:
        self._match = self._match.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return self._match.outcome_text(action)
        return self._match.table.text(action)

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> "PresidentState":
        """A state that the seat cannot tell from this one, all that agree equally likely; its `history()` is empty.

        `sampler` draws a number from 0 up to 1.
        """
        state: PresidentState = self.get_game().new_initial_state()
        state._match = self._match.resampled(player, int(sampler() * 2**53))
        return state

    def __str__(self) -> str:
        match = self._match
        if match.waiting:
            return f"Round {match.round} is to be dealt: {' '.join(map(str, self.history()))}"
        return table_text(match)


class PresidentObserver:
    """What one seat sees: `tensor` is float32, `dict` holds its pieces by name."""

    def __init__(
        self, game: PresidentGame, iig_obs_type: pyspiel.IIGObservationType, params: dict[str, Any] | None
    ) -> None:
        if params:
            raise ValueError(f"params {params!r:.60} were given; an observer of president takes none")
        if not iig_obs_type.public_info or iig_obs_type.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise ValueError(f"{iig_obs_type} was asked for; president can be observed by one seat, public and private")
        self._recalls: bool = iig_obs_type.perfect_recall
        self.tensor: NDArray[np.float32] | None = None
        self.dict: dict[str, NDArray[np.float32]] = {}
        rules, layout = game.rules, observation_layout(game.rules)
        shapes: dict[str, tuple[int, ...]] = {block.name: block.shape for block in layout.blocks}
        if self._recalls:
            if game.most_rounds > 1:
                return
            moves = (most_moves(rules), rules.players + game.num_distinct_actions())
            shapes |= {"dealer": (rules.players,), "cards": (1 + rules.players, JOKER + 1, NUM_SUITS), "moves": moves}
        ends = np.cumsum([np.prod(shape) for shape in shapes.values()])
        self._observed = layout.size
        self.tensor = np.zeros(ends[-1], dtype=np.float32)
        pieces = np.split(self.tensor, ends[:-1])
        self.dict = {name: piece.reshape(shapes[name]) for name, piece in zip(shapes, pieces, strict=True)}

    def set_from(self, state: PresidentState, player: int) -> None:
        """Write what the seat sees into `tensor` and so into `dict`."""
        if self.tensor is None:
            return
        self.tensor.fill(0)
        match = state.match
        if match.waiting:
            return
        self.tensor[: self._observed] = match.observation(player)
        if self._recalls:
            self._recall(match, player)

    def _recall(self, match: Match, player: int) -> None:
        """Beside the observation the dealer, by card the own hand and what each seat has played, and every move, seat
        and action one-hot: a match of one round has no cards handed over, so that this is all there is to see."""
        record = match.record_seen(player)
        self.dict["dealer"][record["dealer"]] = 1
        self.dict["cards"][0] = _by_card(record["hands"][player])
        for seat in range(match.rules.players):
            self.dict["cards"][1 + seat] = _by_card(record["played"][seat])
        for row, (made, _) in zip(self.dict["moves"], match.moves_seen(player), strict=False):
            row[[made.seat, match.rules.players + match.table.id(made.text)]] = 1

    def string_from(self, state: PresidentState, player: int) -> str:
        """The same as text: all that the seat has seen, or the table as it sees it."""
        match = state.match
        if self._recalls:
            return match.seen(player)
        return "" if match.waiting else table_text(match.view(player))


def _by_card(hand: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """How many of each card a hand holds, (14, 4); jokers, which have no suit, in the first column."""
    masks = hand[:, None] >> np.arange(NUM_SUITS, dtype=np.uint8)
    cards: NDArray[np.uint8] = (masks & 1) + (masks >> NUM_SUITS & 1)
    cards[JOKER] = [np.bitwise_count(hand[JOKER]), 0, 0, 0]
    return cards


def _value(name: str, given: Any) -> Any:
    """The value of a field of the rules, from what a parameter of a game can be: a text, a number or a bool."""
    if given == "None":
        return None
    doc = Rules.field_docs().get(name)
    if doc is not None and doc.kind == "pair" and isinstance(given, str):
        return [int(number) if number.isdigit() else number for number in given.split()]
    return given


def _most_rounds(rules: Rules, max_rounds: int) -> int:
    """The most rounds that a match can have."""
    bounded = rules.rounds is not None and not (rules.tiebreak and rules.has_later_rounds)
    return min(rules.rounds, max_rounds) if rules.rounds is not None and bounded else max_rounds


def most_moves(rules: Rules) -> int:
    """A bound on the moves of a round without its exchange.

    Every play and drop spends a card, and between two plays each other seat passes once at most and declines once; a
    run of three plays brings three stops at most.
    """
    declines = rules.players - 1 if "any_time" in (rules.quartet, rules.club3_bomb) else 0
    return rules.num_cards * (rules.players + declines + rules.run_drop)


def _most_moves_between(rules: Rules) -> int:
    """A bound on the moves of an exchange: gives or asks and a stop, as many returns, and four moves a haggle."""
    if not rules.has_exchange:
        return 0
    trades = rules.players // 2 * 4 * max(1, rules.haggle_rounds) if rules.middle_trade else 0
    return 2 * sum(rules.exchange_cards) + 2 + trades


pyspiel.register_game(_game_type(True), PresidentGame)
