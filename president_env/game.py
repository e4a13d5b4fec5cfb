"""One readable game: for people, tests, notebooks and bots.

game = Game(Rules.preset("quebec"), seed=7)
while not game.over:
    game.play(game.legal[0])
print(game.places)
"""

import secrets
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from president_env.cards import Hand, hand_text
from president_env.dealing import given_deals
from president_env.engine import entry
from president_env.engine.observe import observe
from president_env.engine.parameters import moves_of, parameters_of
from president_env.engine.state import DEAL, GAME, OFFER, PHASES, TRADE
from president_env.moves import Kind, Move, MoveTable, move_table
from president_env.observation import observation_layout
from president_env.rules import Rules

ROLES = ("president", "vice president", "neutral", "vice bum", "bum")
MAX_SEED = 2**63 - 1
EVERYBODY = -1


class IllegalMove(ValueError):
    """A move that the rules do not allow now; the game is unchanged."""


class Entry(NamedTuple):
    """A move in the history, and which seats know it."""

    round: int
    seat: int
    text: str
    knowers: int
    """One bit a seat; EVERYBODY is all."""
    declined: bool
    """A declined offer: nobody else is told that there was one."""

    def seen_by(self, seat: int) -> "Entry":
        """The move as the seat knows it, with "?" for a card that it does not."""
        return self if self.knowers >> seat & 1 else self._replace(text=f"{self.text.split()[0]} ?")


class Game:
    """A match, from the first deal to the last place.

    `deals` gives hands per round and seat ("3C 4D *"); rounds beyond are dealt from the seed. `leader` leads round 1 in
    place of the seat that the rules would choose. Without a seed one is drawn; `game.seed` tells it.
    """

    def __init__(
        self,
        rules: Rules,
        seed: int | None = None,
        deals: Sequence[Sequence[str]] = (),
        leader: int | None = None,
    ) -> None:
        if not isinstance(rules, Rules):
            raise ValueError(f"rules: {rules!r:.60} was given; wanted are Rules, as Rules.preset('quebec')")
        self.rules = rules
        self.table: MoveTable = move_table(rules)
        self.seed: int | None = checked_seed(secrets.randbits(53) if seed is None else seed)
        if leader is not None and not _is_seat(leader, rules):
            raise ValueError(f"leader {leader!r} is not at the table: seats are 0 to {rules.players - 1}")
        self.given_leader = None if leader is None else int(leader)
        self._parameters = parameters_of(rules)
        self._moves = moves_of(rules)
        self._given = given_deals(rules, deals)
        self._history: list[Entry] = []
        self._trick: list[tuple[int, str]] = []
        self._deals: list[list[str | None]] = []
        self._games: NDArray[np.void] = np.zeros(1, dtype=GAME)
        entry.begin_match(self._games, 0, self._parameters, self.seed)
        self._begin_round()

    @classmethod
    def of_state(cls, rules: Rules, state: np.void) -> "Game":
        """The game that a GAME record is, a row of `Games.games` say, as a copy.

        A record does not hold what happened before: history and deals are empty, the trick is the play to beat alone.
        """
        game = object.__new__(cls)
        game.rules, game.table = rules, move_table(rules)
        game.seed = int(state["seed"]) if state["seed"] >= 0 else None
        game.given_leader = None
        game._parameters, game._moves = parameters_of(rules), moves_of(rules)
        game._given, game._history, game._deals, game._trick = [], [], [], []
        if state["top_rank"] >= 0:
            size, wild = int(state["top_size"]), int(state["top_wild"])
            top = Move(Kind.PLAY, int(state["top_rank"]), size, wild)
            game._trick = [(int(state["top_seat"]), top.text)]
        game._games = np.zeros(1, dtype=GAME)
        game._games[0] = state
        return game

    # the table

    @property
    def phase(self) -> str:
        """ "play", "offer", "drop", "exchange", "trade" or "over"."""
        return PHASES[self._record["phase"]]

    @property
    def seat(self) -> int | None:
        """The seat to move, None when over."""
        seat = int(self._record["seat"])
        return None if seat < 0 else seat

    @property
    def legal(self) -> list[str]:
        """The legal moves of the seat to move, in the order of their ids; none in the view of another seat."""
        return [self.table.texts[action] for action in self.legal_ids]

    @property
    def legal_ids(self) -> list[int]:
        """Their action ids."""
        return [int(action) for action in np.flatnonzero(self.action_mask())]

    def action_mask(self) -> NDArray[np.int8]:
        """1 for every legal move of the seat to move, (len(table),) int8."""
        mask = np.zeros(len(self.table), dtype=np.int8)
        if self.viewer is None or self.viewer == self.seat:
            entry.write_mask(self._games, 0, self._parameters, mask)
        return mask

    def hand(self, seat: int) -> str | None:
        """The cards of a seat, "3C 4D *"; None where a view does not know them."""
        self._check_seat(seat)
        if self.viewer is not None and seat != self.viewer:
            return None
        return hand_text(self.hand_masks(seat))

    @property
    def hands(self) -> list[str | None]:
        """The cards of every seat."""
        return [self.hand(seat) for seat in range(self.rules.players)]

    def hand_masks(self, seat: int) -> Hand:
        """The cards of a seat as suit masks per rank, (14,) uint8; zeros where a view does not know them."""
        hand: Hand = self._record["hands"][seat].copy()
        return hand

    @property
    def hand_sizes(self) -> list[int]:
        """How many cards each seat holds; everybody may know."""
        return [int(size) for size in self._record["hand_size"][: self.rules.players]]

    @property
    def trick(self) -> list[tuple[int, str]]:
        """The plays since the table was last cleared; passes are none."""
        return list(self._trick)

    @property
    def history(self) -> list[tuple[int, int, str]]:
        """Every move as (round, seat, text). A view has no declined offers, and "give ?" for cards it may not know."""
        return [(made.round, made.seat, made.text) for made in self._history]

    @property
    def deals(self) -> list[list[str | None]]:
        """The hands of each round as dealt, before any exchange; a view knows its own."""
        return [list(hands) for hands in self._deals]

    @property
    def places(self) -> list[int | None]:
        """The place of each seat in this round, None while playing; after the match those of the last round."""
        return [int(place) or None for place in self._record["place"][: self.rules.players]]

    @property
    def roles(self) -> list[str | None]:
        """The role of each seat from the last finished round, None in round 1."""
        return [role_of_place(self.rules, int(place)) for place in self._record["last_place"][: self.rules.players]]

    @property
    def scores(self) -> list[int]:
        """The points of the match so far."""
        return [int(score) for score in self._record["scores"][: self.rules.players]]

    @property
    def round(self) -> int:
        """The round being played, from 1."""
        return int(self._record["round"])

    @property
    def dealer(self) -> int:
        """Who dealt this round."""
        return int(self._record["dealer"])

    @property
    def leader_of_round(self) -> int | None:
        """Who led or leads this round, None before the exchange is done."""
        leader = int(self._record["leader"])
        return None if leader < 0 else leader

    @property
    def reversed(self) -> bool:
        """Whether the order that the next play has to follow is turned round."""
        return bool(self._record["turned"])

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self.seat is None

    @property
    def viewer(self) -> int | None:
        """The seat whose view this is, None for the game itself."""
        viewer = int(self._record["viewer"])
        return None if viewer < 0 else viewer

    # moving

    def play(self, text: str) -> None:
        """Make a move of the seat to move, in the notation of docs/moves.md; IllegalMove leaves the game unchanged."""
        if text not in self.table or not self._is_legal(self.table.id(text)):
            raise IllegalMove(self._refusal(repr(text)))
        self._apply(self.table.id(text))

    def play_id(self, action: int) -> None:
        """The same by action id."""
        if isinstance(action, bool) or not isinstance(action, int | np.integer) or not 0 <= action < len(self.table):
            raise IllegalMove(f"action {action!r} is no id of these rules: ids are 0 to {len(self.table) - 1}")
        if not self._is_legal(int(action)):
            raise IllegalMove(self._refusal(f"{self.table.text(int(action))!r} (id {action})"))
        self._apply(int(action))

    def _is_legal(self, action: int) -> bool:
        return self.viewer is None and entry.legal_action(self._games, 0, self._parameters, self._moves, action)

    def _refusal(self, move: str) -> str:
        if self.viewer is not None:
            return f"{move} cannot be played on a view; play it on the game"
        if self.over:
            return f"{move} cannot be played: the match is over"
        return f"seat {self.seat} may not play {move}; legal are {', '.join(self.legal)}"

    def _apply(self, action: int) -> None:
        before = self._record.copy()
        entry.apply_move(self._games, 0, self._parameters, self._moves, action)
        self._note(before, action)
        if self._record["phase"] == DEAL:
            self._begin_round()

    def _note(self, before: np.void, action: int) -> None:
        """Write the move into the history and the trick."""
        kind, seat, text = self.table[action].kind, int(before["seat"]), self.table.text(action)
        knowers, declined = EVERYBODY, False
        if kind == Kind.GIVE:
            knowers = 1 << seat | 1 << int(before["partner"][seat])
            if before["phase"] == TRADE and before["trade_step"] == 0:
                knowers = 1 << seat
            elif before["phase"] == TRADE:
                self._history[-1] = self._history[-1]._replace(knowers=knowers)
        elif kind == Kind.PASS:
            declined = bool(before["phase"] == OFFER)
        self._history.append(Entry(int(before["round"]), seat, text, knowers, declined))
        if self._record["trick_plays"] == 0:
            self._trick = []
        elif kind == Kind.PLAY:
            self._trick.append((seat, text))

    def _begin_round(self) -> None:
        number = len(self._deals)
        leader = -1 if self.given_leader is None else self.given_leader
        if number < len(self._given):
            entry.begin_given_round(self._games, 0, self._parameters, self._given[number], leader)
        else:
            entry.begin_round(self._games, 0, self._parameters, leader)
        self._deals.append([hand_text(self._dealt(seat)) for seat in range(self.rules.players)])

    def _dealt(self, seat: int) -> Hand:
        """The seat's hand before what the game has moved itself in the exchange that has just begun."""
        hand = self.hand_masks(seat)
        for pair in range(2):
            taken, returned = self._record["taken"][pair], self._record["returned"][pair]
            if seat == self._record["giver"][pair]:
                hand = (hand & ~returned) | taken
            elif seat == self._record["taker"][pair]:
                hand = (hand | returned) & ~taken
        return hand

    # views, copies, records

    def view(self, seat: int) -> "Game":
        """What the seat may know, as a Game whose unknown hands are None."""
        self._check_seat(seat)
        if self.viewer is not None and seat != self.viewer:
            raise ValueError(f"this is the view of seat {self.viewer}; ask the game for that of seat {seat}")
        view = self._twin()
        view.seed, view._given = None, []
        view._deals = [[hand if other == seat else None for other, hand in enumerate(hands)] for hands in self._deals]
        view._history = [made.seen_by(seat) for made in self._history if not made.declined]
        entry.write_view(self._games, 0, self._parameters, seat, view._games, 0)
        return view

    def copy(self) -> "Game":
        """An independent copy."""
        copy = self._twin()
        copy._games = self._games.copy()
        return copy

    def _twin(self) -> "Game":
        twin = object.__new__(Game)
        twin.__dict__.update(self.__dict__)
        twin._games = np.zeros(1, dtype=GAME)
        twin._history = list(self._history)
        twin._trick = list(self._trick)
        twin._deals = list(self._deals)
        return twin

    def observation(self, seat: int) -> NDArray[np.int8]:
        """What the seat sees, as the vector that `observation_layout(rules)` describes, (size,) int8."""
        self._check_seat(seat)
        layout = observation_layout(self.rules)
        vector = np.zeros(layout.size, dtype=np.int8)
        observe(self._games, 0, self._parameters, layout.record, seat, vector, 0)
        return vector

    def record(self) -> dict[str, Any]:
        """The match as a JSON-able dict; `Game.replay` plays it back."""
        from president_env.record import record_of

        return record_of(self)

    @classmethod
    def replay(cls, record: dict[str, Any]) -> "Game":
        """Play a record back; ValueError at the first move that is not legal or result that differs."""
        from president_env.record import replayed

        return replayed(record)

    @property
    def num_given_deals(self) -> int:
        """How many rounds have their hands from `deals`, those not reached yet included."""
        return len(self._given)

    @property
    def state(self) -> NDArray[np.void]:
        """The GAME record, as an array of one; read it, do not write it."""
        return self._games

    @property
    def _record(self) -> np.void:
        record: np.void = self._games[0]
        return record

    def _check_seat(self, seat: int) -> None:
        if not _is_seat(seat, self.rules):
            raise ValueError(f"seat {seat!r} is not at the table: seats are 0 to {self.rules.players - 1}")

    def __repr__(self) -> str:
        whose = "" if self.viewer is None else f", seen by seat {self.viewer}"
        return f"<Game of {self.rules.players} players, round {self.round}, {self.phase}, seat {self.seat}{whose}>"


def role_of_place(rules: Rules, place: int) -> str | None:
    """The role that a place brings; None for place 0, which is none."""
    from_below = rules.players + 1 - place
    if place == 0:
        return None
    if place == 1 or from_below == 1:
        return ROLES[0] if place == 1 else ROLES[4]
    if rules.has_vice_roles and (place == 2 or from_below == 2):
        return ROLES[1] if place == 2 else ROLES[3]
    return ROLES[2]


def _is_seat(given: object, rules: Rules) -> bool:
    """Whether it is the number of a seat; True and 1.0 are none."""
    return not isinstance(given, bool) and isinstance(given, int | np.integer) and given in range(rules.players)


def checked_seeds(seed: int | Sequence[int] | NDArray[np.integer], num_games: int) -> NDArray[np.int64]:
    """seed + i for each game, or the seeds that were given, one a game, (num_games,); ValueError if they are none."""
    given = np.asarray(seed)
    if given.ndim == 0 and given.dtype.kind in "iu" and 0 <= int(given) <= MAX_SEED - num_games + 1:
        return np.arange(int(given), int(given) + num_games, dtype=np.int64)
    one_a_game = given.shape == (num_games,) and given.dtype.kind in "iu"
    if not one_a_game or int(given.min()) < 0 or int(given.max()) > MAX_SEED:
        raise ValueError(
            f"seed: {seed!r:.60} was given; wanted is a whole number from 0, or {num_games} of them, one a game, "
            f"up to {MAX_SEED}"
        )
    return given.astype(np.int64)


def checked_seed(seed: int, of: str = "") -> int:
    """The seed as an int; ValueError, which says whose it is, if it is none."""
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= seed <= MAX_SEED:
        raise ValueError(f"seed {seed!r}{of} is not a whole number from 0 to {MAX_SEED}")
    return int(seed)
