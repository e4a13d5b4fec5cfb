"""Matches in which bots hold every seat but one: what the single-seat environments are made of.

Compiled bots move within compiled code, up to the learner's next decision. A row that comes to a seat of another bot
waits there, and the bot is asked, for all the rows where it is to move at once if it can.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from president_env.bots.compiled_bot import CompiledBot
from president_env.bots.protocol import BatchBot, Bot
from president_env.bots.seated_rows import (
    ASK,
    BEGIN,
    ENDED,
    GIVE_UP,
    GO_ON,
    MOVE,
    NOTHING,
    TRIES,
    TRUNCATED,
    WAITS,
    drawn_seat,
    play_rows,
)
from president_env.engine.parameters import moves_of
from president_env.game import Game, IllegalMove
from president_env.games import Games
from president_env.limits import Limits
from president_env.rewards import reward_of_place
from president_env.rules import Rules

LOG_SIZE = 1 << 14
"""Moves between two decisions of the learner that are kept; with more of them the history of the match is lost."""


@dataclass
class Outcome:
    """What a call brought, in arrays that nobody else holds."""

    observation: NDArray[np.int8]
    """What the learners see at their next decisions, (n, size)."""
    mask: NDArray[np.int8]
    """Their legal moves, (n, actions)."""
    seat: NDArray[np.int8]
    """Their seats, (n,)."""
    rewards: NDArray[np.float64]
    """What they were rewarded since the decision before, (n,)."""
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    ended: NDArray[np.intp]
    """Rows whose match ended, (k,)."""
    last_observation: NDArray[np.int8]
    """What the learners saw at its end, (k, size)."""
    last_seat: NDArray[np.int8]
    """Their seats in it, (k,)."""


class SeatedGames:
    """`num_games` matches of one learner each against the same bots.

    `opponents` are the bots by their seats to the left of the learner. `seat` is the learner's; None draws it for each
    match from its seed. If `goes_on`, a match that ends is followed by the next one in the same call. Several rule
    sets, within `limits`, are played as `RuleSets.of_seed` says; smaller tables have no seat for the last bots.
    """

    def __init__(
        self,
        all_rules: Sequence[Rules],
        num_games: int,
        opponents: Sequence[Bot],
        seat: int | None = None,
        *,
        reward: str = "place",
        max_rounds: int,
        goes_on: bool,
        limits: Limits | None = None,
        num_threads: int = 1,
    ) -> None:
        fewest = min(rules.players for rules in all_rules)
        if seat is not None and (isinstance(seat, bool) or seat not in range(fewest)):
            raise ValueError(f"seat {seat!r} is not at the table: seats are 0 to {fewest - 1}, or None to draw one")
        self.batch = Games(
            all_rules, num_games, max_rounds=max_rounds, reward=reward, limits=limits, num_threads=num_threads
        )
        """The games, with what the bots see that are not compiled."""
        self.opponents = list(opponents)
        self._seat = -1 if seat is None else int(seat)
        self._goes_on = goes_on
        self._tables = (
            self.batch.parameters,
            self.batch.rule_of,
            moves_of(limits or all_rules[0]),
            self.batch.layout.record,
            np.stack([reward_of_place(rules, reward) for rules in all_rules]),
            max_rounds,
        )
        compiled = [bot if isinstance(bot, CompiledBot) else None for bot in self.opponents]
        self._bots = (
            np.array([bot.code if bot else ASK for bot in compiled], dtype=np.int64),
            np.array([bot.seed if bot else 0 for bot in compiled], dtype=np.int64),
        )
        self._learners = np.zeros(num_games, dtype=np.int8)
        self._last = np.zeros((num_games, self.batch.observation_size), dtype=np.int8)
        self._history: _History | None = None
        kept = LOG_SIZE if num_games == 1 else 0
        self._logs = (np.zeros((num_games, kept), dtype=np.int16), np.zeros(num_games, dtype=np.int64))
        for bot in self.opponents:
            check = getattr(bot, "check", None)
            if check is not None:
                for rules in all_rules:
                    check(rules)  # a policy says here that it was trained for other rules

    def begin(self, seeds: NDArray[np.int64], rows: NDArray[np.bool_] | None = None) -> Outcome:
        """Start matches from the seeds, −1 being one that the match before draws: in all rows, or in `rows` only."""
        todo = np.full(len(seeds), BEGIN, dtype=np.int8)
        if rows is not None:
            todo[~rows] = GO_ON
        return self._play(todo, seeds.copy())

    def begin_with(self, game: Game) -> Outcome:
        """Start the only match as this one, which has just begun."""
        self.batch.games[:] = game.state
        self.batch.rule_of[:] = self.batch.all_rules.index(game.rules)
        self._learners[:] = drawn_seat(game.seed, game.rules.players) if self._seat < 0 else self._seat
        self._history = _History(self.rules, int(game.state["seed"][0]), game.copy())
        return self._play(np.full(1, GO_ON, dtype=np.int8), np.zeros(1, dtype=np.int64))

    def step(self, actions: NDArray[np.int64], illegal: NDArray[np.bool_] | None = None) -> Outcome:
        """Make the learners' moves; where `illegal`, the match ends with the reward of the last place instead."""
        todo = np.full(len(actions), MOVE, dtype=np.int8)
        if illegal is not None:
            todo[illegal] = GIVE_UP
        return self._play(todo, actions.copy())

    @property
    def rules(self) -> Rules:
        """The rules of the only match."""
        return self.batch.all_rules[self.batch.rule_of[0]]

    @property
    def game(self) -> Game:
        """The only match, with its history unless that is lost."""
        found = self._history.game() if self._history else None
        return found or Game.of_state(self.rules, self.batch.games[0])

    def _play(self, todo: NDArray[np.int8], given: NDArray[np.int64]) -> Outcome:
        n, batch = len(todo), self.batch
        observation = np.empty((n, batch.observation_size), dtype=np.int8)
        mask = np.empty((n, batch.num_actions), dtype=np.int8)
        rewards, stands, ends = np.zeros(n), np.zeros(n, dtype=np.int8), np.zeros(n, dtype=np.int8)
        begun = todo == BEGIN
        playing = self._learners.copy()
        shown = (observation.reshape(-1), mask.reshape(-1), self._last.reshape(-1))
        waiting = (batch.seat, batch.observation.reshape(-1), batch.mask.reshape(-1))
        results = (stands, rewards, ends, begun)

        def play(low: int, high: int) -> int:
            return play_rows(
                batch.games,
                self._tables,
                self._bots,
                todo,
                given,
                self._seat,
                self._goes_on,
                self._learners,
                results,
                shown,
                waiting,
                self._logs,
                low,
                high,
            )

        while True:
            numbers_waiting = batch.team.share(play)
            if min(numbers_waiting) < 0:
                raise ValueError(f"in {TRIES} matches in a row the learner had nothing to decide; give it more cards")
            if n == 1:
                self._note(begins=bool(todo[0] == BEGIN))
            if not any(numbers_waiting):
                break
            rows = np.flatnonzero(stands == WAITS)
            given[rows] = self._asked(rows)
            todo[:] = NOTHING
            todo[rows] = MOVE
            stands[rows] = NOTHING
        ended = np.flatnonzero(ends)
        return Outcome(
            observation,
            mask,
            self._learners.copy(),
            rewards,
            ends == ENDED,
            ends == TRUNCATED,
            ended,
            self._last[ended],
            playing[ended],
        )

    def _note(self, begins: bool) -> None:
        seed = int(self.batch.games["seed"][0])
        if begins or self._history is None or self._history.seed != seed:
            self._history = _History(self.rules, seed)
        log, logged = self._logs
        texts = [self.batch.table.texts[action] for action in log[0, : logged[0]]]
        self._history.add(texts, lost=bool(logged[0] > LOG_SIZE))
        logged[0] = 0

    def _asked(self, rows: NDArray[np.intp]) -> NDArray[np.int64]:
        """What the bots that are not compiled choose in the rows that wait for them."""
        actions = np.empty(len(rows), dtype=np.int64)
        players = self.batch.parameters["players"][self.batch.rule_of[rows]].astype(np.int64)
        places = (self.batch.seat[rows] - self._learners[rows] - 1) % players
        for bot in {id(bot): bot for bot in self.opponents}.values():
            its = np.flatnonzero([self.opponents[place] is bot for place in places])
            if len(its):
                actions[its] = self._asked_of(bot, rows[its])
        return actions

    def _asked_of(self, bot: Bot, rows: NDArray[np.intp]) -> NDArray[np.int64]:
        batch = self.batch
        # a bot reads the moves and observations of the rules, unless it says that it knows the universal ones
        if isinstance(bot, BatchBot) and (batch.limits is None or getattr(bot, "universal", False)):
            actions = _checked_ids(bot, bot.act_batch(batch, rows), len(rows), batch.num_actions)
        else:
            actions = np.array([self._asked_for_one(bot, int(row)) for row in rows])
        wrong = np.flatnonzero(batch.mask[rows, actions] != 1)
        if len(wrong):
            row, move = rows[wrong[0]], batch.table.text(int(actions[wrong[0]]))
            raise IllegalMove(f"bot {bot.name!r} chose {move!r} for seat {batch.seat[row]}, which is not legal there")
        return actions

    def _asked_for_one(self, bot: Bot, row: int) -> int:
        view = self.game.view(int(self.batch.seat[row])) if self._history else self.batch.view(row)
        legal = view.legal
        move = bot.act(view, legal)
        if move not in legal:
            raise IllegalMove(f"bot {bot.name!r} chose {move!r} for seat {view.seat}; legal are {', '.join(legal)}")
        return self.batch.table.id(move)


def _checked_ids(bot: Bot, given: object, num_rows: int, num_actions: int) -> NDArray[np.int64]:
    """What `act_batch` returned, as ids that can be looked up; IllegalMove names the bot."""
    ids = np.asarray(given)
    if ids.shape != (num_rows,) or ids.dtype.kind not in "iu":
        what = f"{ids.dtype} of shape {ids.shape}"
        raise IllegalMove(f"bot {bot.name!r} returned {what}; wanted are integer action ids of shape ({num_rows},)")
    unknown = ids[(ids < 0) | (ids >= num_actions)]
    if len(unknown):
        raise IllegalMove(f"bot {bot.name!r} chose action {unknown[0]}; ids are 0 to {num_actions - 1}")
    return ids.astype(np.int64)


class _History:
    """The moves of a match, and the Game that they lead to."""

    def __init__(self, rules: Rules, seed: int, game: Game | None = None) -> None:
        self._rules, self.seed = rules, seed
        self._game = game
        self._ahead: list[str] = []
        self._lost = False

    def add(self, texts: list[str], lost: bool) -> None:
        """Note some moves; `lost` if they are not all."""
        self._ahead += texts
        self._lost |= lost

    def game(self) -> Game | None:
        """The match so far, None if some of its moves are lost."""
        if self._lost:
            return None
        if self._game is None:
            self._game = Game(self._rules, seed=self.seed)
        for text in self._ahead:
            self._game.play(text)
        self._ahead = []
        return self._game
