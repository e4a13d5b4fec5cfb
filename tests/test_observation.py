"""Observations: the layout, and what the vector says, worked out a second time from the rules of its blocks."""

import numpy as np
import pytest
from hypothesis import given, settings

from president_env import Game, Rules
from president_env.engine.observe import observe
from president_env.engine.parameters import parameters_of
from president_env.features import features_of
from president_env.limits import Limits
from president_env.observation import ObservationLayout, observation_layout
from tests.scenes import play, table
from tests.strategies import positions, preset_rules, rules

PHASES = ["play", "offer", "drop", "exchange", "trade"]
RANKS = range(14)


def one_hot(size: int, *ones: int) -> np.ndarray:
    vector = np.zeros(size, dtype=int)
    for one in ones:
        if one >= 0:
            vector[one] = 1
    return vector


def bits(mask: int) -> list[int]:
    return [k for k in range(14) if int(mask) >> k & 1]


class Expected:
    """The blocks of an observation as plain NumPy code has them, without the shape that the layout gives them."""

    def __init__(self, game: Game, seat: int, seats: int) -> None:
        self.game, self.seat, self.state = game, seat, game.state[0]
        self.seats = seats
        """Seats that the layout has room for."""
        self.players = game.rules.players
        self.order = [(seat + k) % self.players for k in range(self.players)]

    def relative(self, other: int) -> int:
        return -1 if other < 0 else (other - self.seat) % self.players

    def block(self, name: str) -> np.ndarray:
        return np.asarray(getattr(self, name)())

    def turn_shown(self) -> tuple[str, int]:
        """Phase and seat to move; for others the next seat is on turn while one is offered a play."""
        game = self.game
        if game.phase == "offer" and game.seat != self.seat:
            return "play", int(self.state["resume"])
        return game.phase, -1 if game.seat is None else game.seat

    def phase(self):
        return one_hot(5, -1 if self.game.over else PHASES.index(self.turn_shown()[0]))

    def turn(self):
        return one_hot(self.players, self.relative(self.turn_shown()[1]))

    def hand_size(self):
        return [len((self.game.hand(other) or "").split()) for other in self.order]

    def place(self):
        return [self.game.places[other] or 0 for other in self.order]

    def last_place(self):
        return [self.state["last_place"][other] for other in self.order]

    def passed(self):
        return [self.state["passed"] >> other & 1 for other in self.order]

    def passed_on(self):
        return [self.state["passed_on"][other] for other in self.order]

    def top_seat(self):
        return one_hot(self.players, self.relative(int(self.state["top_seat"])))

    def top_size(self):
        return one_hot(8, len(self.game.trick[-1][1]) - 1 if self.game.trick else -1)

    def round(self):
        left = (self.game.rules.rounds or 0) - self.game.round
        return [min(self.game.round, 127), min(max(left, 0), 127)]

    def top_rank(self):
        text = self.game.trick[-1][1][0] if self.game.trick else ""
        return one_hot(14, "3456789TJQKA2*".index(text) if text else -1)

    def held(self) -> np.ndarray:
        return np.bitwise_count(self.state["hands"][self.seat]).astype(int)

    def hand(self):
        return [self.held() > k for k in range(8)]

    def unseen(self):
        cards = np.bitwise_count(self.state["deck"]).astype(int)
        played = np.bitwise_count(self.state["played"]).astype(int).sum(axis=0)
        return [cards - played - self.held() > k for k in range(8)]

    def played(self):
        return [np.bitwise_count(self.state["played"][other]) for other in self.order]

    def score(self):
        return [min(self.game.scores[other], 127) for other in self.order]

    def barred(self):
        return [self.state["barred"] >> other & 1 for other in self.order]

    def order_(self):
        return [self.game.reversed, self.state["revolution"]]

    def opening(self):
        return [self.state["opening_rank"] >= 0]

    def top_wild(self):
        text = self.game.trick[-1][1] if self.game.trick else ""
        return [text.count("*") if text.strip("*") else 0]

    def trick_count(self):
        counts = np.zeros(14, dtype=int)
        for _, text in self.game.trick:
            counts["3456789TJQKA2*".index(text[0])] += len(text)
        return counts

    def club3(self):
        played = sum(int(self.state["played"][other][0] & 17).bit_count() for other in self.order)
        return [(self.game.hand(self.seat) or "").split().count("3C"), played]

    def resume(self):
        offered = self.game.phase == "offer" and self.game.seat == self.seat
        return one_hot(self.players, self.relative(int(self.state["resume"])) if offered else -1)

    def run(self):
        length = int(self.state["run_length"])
        makers = [self.relative(int(self.state["run_seats"][1 - back])) for back in range(length)]
        vectors = [one_hot(self.seats, maker) for maker in makers]
        vectors += [one_hot(self.seats)] * (2 - length)
        return np.concatenate([[length], *vectors])

    def droppers(self):
        dropping = self.game.phase == "drop"
        seats = self.state["drop_seats"][self.state["drop_index"] :] if dropping else []
        return one_hot(self.players, *(self.relative(int(other)) for other in seats))

    def left(self):
        return [self.state["left"] if self.game.phase in ("drop", "exchange") else 0]

    def stage(self):
        return one_hot(4, int(self.state["stage"]) if self.game.phase == "exchange" else -1)

    def partner(self):
        return one_hot(self.players, self.relative(int(self.state["partner"][self.seat])))

    def known(self):
        partner = int(self.state["partner"][self.seat])
        if partner < 0:
            return np.zeros((2, 14))
        return [np.bitwise_count(self.state["known"][other]) for other in (partner, self.seat)]

    def members(self) -> list[bool]:
        return [self.seat in (self.state["taker"][pair], self.state["giver"][pair]) for pair in range(2)]

    def taken(self):
        heard = self.game.rules.exchange == "ask"
        return [
            np.bitwise_count(self.state["taken"][pair]) * (member or heard)
            for pair, member in enumerate(self.members())
        ]

    def returned(self):
        return [np.bitwise_count(self.state["returned"][pair]) * member for pair, member in enumerate(self.members())]

    def missed(self):
        if self.game.rules.exchange != "ask":
            return np.zeros((2, 14))
        asked = np.zeros((2, 14), dtype=int)
        for pair in range(2):
            for mask in self.state["asked"][pair]:
                asked[pair, bits(mask)] += 1
        return asked - np.bitwise_count(self.state["taken"])

    def trade(self):
        state, partner = self.state, int(self.state["partner"][self.seat])
        steps, own, other, shown, told = np.zeros(5, dtype=int), one_hot(14), one_hot(14), one_hot(14), one_hot(14)
        if self.game.phase == "trade":
            step = int(state["trade_step"])
            steps[step] = 1
            steps[4] = state["trade_tries"]
            if self.seat in (self.game.seat, int(state["partner"][self.game.seat])):
                better = self.game.seat if step % 2 == 0 else int(state["partner"][self.game.seat])
                side = 0 if self.seat == better else 1
                own = one_hot(14, int(state["trade_offer"][side]))
                other = one_hot(14, int(state["trade_offer"][1 - side]) if step >= 2 else -1)
        if partner >= 0:
            shown, told = one_hot(14, *bits(state["shown"][partner])), one_hot(14, *bits(state["shown"][self.seat]))
        return np.concatenate([steps, own, other, shown, told])

    def rules(self):
        return features_of(self.game.rules)


def check(game: Game, seat: int, layout: ObservationLayout, observation: np.ndarray) -> None:
    """Compare every block with the one expected; where the layout has more room the rest is 0."""
    expected = Expected(game, seat, seats=layout["turn"].size)
    for block in layout.blocks:
        found = observation[layout.slice(block.name)].reshape(block.shape)
        wanted = expected.block("order_" if block.name == "order" else block.name).astype(int)
        room = np.zeros(block.shape, dtype=int)
        common = tuple(slice(0, min(a, b)) for a, b in zip(wanted.shape, block.shape, strict=True))
        room[common] = wanted[common]
        assert found.tolist() == room.tolist(), f"block {block.name} of seat {seat}"
        assert wanted.sum() == room.sum(), f"block {block.name} is too small for its content"
    assert (observation >= layout.low).all()
    assert (observation <= layout.high).all()


@given(positions() | positions(preset_rules()))
@settings(max_examples=80)
def test_every_block_says_what_it_should(game):
    layout = observation_layout(game.rules)
    for seat in range(game.rules.players):
        check(game, seat, layout, game.observation(seat))


@pytest.mark.plain
@given(positions(rules(max_players=5, max_cards=32)))
@settings(max_examples=25)
def test_every_block_with_few_cards(game):
    layout = observation_layout(game.rules)
    for seat in range(game.rules.players):
        check(game, seat, layout, game.observation(seat))


@pytest.mark.plain
@given(positions(rules(max_players=5, max_cards=40)))
@settings(max_examples=25)
def test_the_universal_layout_says_the_same_and_the_rules(game):
    limits = Limits(players=6)
    layout = observation_layout(limits)
    parameters = parameters_of(game.rules, limits)
    for seat in range(game.rules.players):
        observation = np.full(layout.size, 9, dtype=np.int8)
        observe(game.state, 0, parameters, layout.record, seat, observation, 0)
        check(game, seat, layout, observation)


@pytest.mark.plain
@given(positions(rules(max_players=8, max_cards=40)))
@settings(max_examples=25)
def test_the_writer_stays_in_its_row(game):
    layout = observation_layout(game.rules)
    for seat in range(game.rules.players):
        guarded = np.full(layout.size + 32, 77, dtype=np.int8)
        observe(game.state, 0, parameters_of(game.rules), layout.record, seat, guarded, 16)
        assert guarded[:16].tolist() == guarded[-16:].tolist() == [77] * 16
        assert np.array_equal(guarded[16:-16], game.observation(seat))


@given(rules() | preset_rules())
@settings(max_examples=60)
def test_blocks_follow_one_another_without_gaps(made):
    layout = observation_layout(made)
    starts = [block.start for block in layout.blocks]
    ends = [block.start + block.size for block in layout.blocks]
    assert starts == [0, *ends[:-1]]
    assert ends[-1] == layout.size == len(layout.low) == len(layout.high)
    assert len({block.name for block in layout.blocks}) == len(layout.blocks)
    assert layout.high.min() >= 1


def test_only_blocks_that_the_rules_have_a_use_for():
    basic = {block.name for block in observation_layout(Rules.preset("basic")).blocks}
    assert not basic & {"score", "barred", "order", "opening", "resume", "run", "known", "trade", "rules"}
    butt = {block.name for block in observation_layout(Rules.preset("butt")).blocks}
    assert butt >= {"opening", "resume", "trick_count", "known", "missed", "left"}


def test_a_table_of_the_layout():
    lines = observation_layout(Rules.preset("quebec")).table().splitlines()
    assert lines[0] == "| block | from | shape | values | meaning |"
    assert any(line.startswith("| `hand` | ") and "4 × 14" in line for line in lines)


def test_a_block_that_the_layout_lacks():
    with pytest.raises(KeyError, match="no block 'trade'; there are phase, turn"):
        observation_layout(Rules())["trade"]


def test_seats_are_counted_from_the_one_that_looks():
    game = table("basic", "5D 6D | 7C 7D 8H | KD KH", leader=1)
    play(game, "1:77")
    layout = observation_layout(game.rules)
    blocks = layout.split(game.observation(2))
    assert blocks["turn"].tolist() == [1, 0, 0]
    assert blocks["top_seat"].tolist() == [0, 0, 1]
    assert blocks["hand_size"].tolist() == [2, 2, 1]
    assert blocks["top_rank"].argmax() == 4
    assert blocks["top_size"].tolist() == [0, 1, 0, 0]
    assert blocks["hand"][:2, 10].tolist() == [1, 1]
    assert blocks["played"][2, 4] == 2


def test_split_takes_rows_of_observations():
    game = Game(Rules.preset("quebec"), seed=1)
    rows = np.stack([game.observation(seat) for seat in range(4)])
    blocks = observation_layout(game.rules).split(rows)
    assert blocks["hand"].shape == (4, 4, 14)
    assert blocks["hand"].sum(axis=(1, 2)).tolist() == [13] * 4


def test_equal_rules_have_one_layout():
    assert observation_layout(Rules(players=5)) is observation_layout(Rules(players=5))
