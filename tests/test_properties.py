"""What holds in every game, whatever the rules: checked over random rules and random play."""

import json
from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from president_env import Game, Rules
from president_env.cards import RANKS, parse_hand
from president_env.engine import entry
from president_env.engine.parameters import deck_of, moves_of, parameters_of
from tests.strategies import MAX_ROUNDS, positions, preset_rules, rules, seeds, walk


def shown(game: Game) -> dict[str, object]:
    """All that a game says of itself."""
    names = "phase seat legal hands hand_sizes trick history deals places roles scores round dealer leader_of_round"
    return {name: getattr(game, name) for name in [*names.split(), "reversed", "over", "viewer"]}


def check_cards(game: Game) -> None:
    """Every card of the round is in one hand, face down, or has been played once."""
    state = game.state[0]
    places = np.concatenate([state["hands"], state["played"], state["face_down"][None]])
    assert np.array_equal(np.bitwise_or.reduce(places), state["deck"])
    assert np.bitwise_count(places).sum() == np.bitwise_count(state["deck"]).sum()


def check_repeated_fields(game: Game) -> None:
    """Fields that are kept for speed agree with those that they repeat."""
    state = game.state[0]
    counts = np.bitwise_count(state["hands"]).astype(int)
    assert np.array_equal(state["hand_count"], counts)
    assert np.array_equal(state["hand_size"], counts.sum(axis=1))
    bits = 1 << np.arange(14)
    for number in range(1, 9):
        assert np.array_equal(state["sets"][:, number - 1], ((counts >= number) * bits).sum(axis=1))
    assert np.array_equal(state["played_count"], np.bitwise_count(state["played"]))
    assert np.array_equal(state["gone"], np.bitwise_count(state["played"]).sum(axis=0))
    assert np.array_equal(state["deck_count"], np.bitwise_count(state["deck"]))
    assert not (state["known"] & ~state["hands"]).any()
    active = [seat for seat in range(8) if state["active"] >> seat & 1]
    places = game.places
    if not game.over:
        assert active == [seat for seat, place in enumerate(places) if place is None]
        assert all(game.hand_sizes[seat] for seat in active)


def check_turn(game: Game) -> None:
    """Somebody can move, unless the match is over; the mask says the same as the texts."""
    assert game.over == (game.seat is None) == (game.phase == "over")
    assert bool(game.legal) == (not game.over)
    mask = game.action_mask()
    assert mask.shape == (len(game.table),)
    assert [game.table.texts[action] for action in np.flatnonzero(mask)] == game.legal
    assert set(np.unique(mask)) <= {0, 1}


def check_single_moves(game: Game) -> None:
    """A single question is answered as the whole mask is."""
    mask = game.action_mask()
    for action in range(len(game.table)):
        assert (
            entry.legal_action(game.state, 0, parameters_of(game.rules), moves_of(game.rules), action) == mask[action]
        )


def check_views(game: Game, seats: Iterable[int]) -> None:
    """A view hides what it has to, and shows the same as the game does."""
    for seat in seats:
        view = game.view(seat)
        assert view.viewer == seat
        assert [hand is None for hand in view.hands] == [other != seat for other in range(game.rules.players)]
        assert view.hand(seat) == game.hand(seat)
        assert view.hand_sizes == game.hand_sizes
        state = view.state[0]
        others = np.arange(8) != seat
        assert not state["hands"][others].any()
        assert not state["face_down"].any()
        assert not state["rng"].any()
        assert np.array_equal(view.observation(seat), game.observation(seat))
        if seat == game.seat:
            assert view.legal == game.legal
            assert view.phase == game.phase


def check_position(game: Game, number: int) -> None:
    """Check all of it; what takes long, of one seat a move and in one move of ten."""
    check_cards(game)
    check_repeated_fields(game)
    check_turn(game)
    check_views(game, {number % game.rules.players, game.seat or 0})
    if number % 10 == 0:
        check_single_moves(game)
        check_views(game, range(game.rules.players))


def check_match(game: Game, seed: int) -> None:
    """Play a match at random; everything above holds after every move."""
    check_position(game, 0)
    rounds = [game.round]
    for number, _ in enumerate(walk(game, seed), start=1):
        check_position(game, number)
        if game.round != rounds[-1]:
            assert game.round == rounds[-1] + 1
            rounds.append(game.round)
            assert sorted(game.state[0]["last_place"][: game.rules.players]) == list(range(1, game.rules.players + 1))
    assert game.over or game.round > MAX_ROUNDS
    if game.over:
        assert sorted(place or 0 for place in game.places) == list(range(1, game.rules.players + 1))
        assert not game.trick
        assert not game.reversed


@given(rules(), seeds, seeds)
@settings(max_examples=40)
def test_all_of_it_over_random_rules(made, seed, moves):
    check_match(Game(made, seed=seed), moves)


@given(preset_rules(), seeds, seeds)
@settings(max_examples=10)
def test_all_of_it_over_the_presets(made, seed, moves):
    check_match(Game(made, seed=seed), moves)


@pytest.mark.plain
@given(rules(max_players=4, max_cards=32), seeds, seeds)
@settings(max_examples=15)
def test_all_of_it_with_few_cards(made, seed, moves):
    check_match(Game(made, seed=seed), moves)


@given(positions())
@settings(max_examples=40)
def test_a_dealt_round_is_the_deck_of_the_rules(game):
    for hands in game.deals:
        dealt = counts_of(hands)
        assert (dealt <= np.bitwise_count(deck_of(game.rules))).all()
        if game.rules.deal == "all":
            assert dealt.sum() == game.rules.num_cards
        else:
            assert len({len(hand.split()) for hand in hands}) == 1


def counts_of(hands: list[str]) -> np.ndarray:
    """How many cards of each rank there are in the hands."""
    return np.sum([np.bitwise_count(parse_hand(hand)).astype(int) for hand in hands], axis=0)


@given(positions())
@settings(max_examples=50)
def test_records_round_trip_through_json(game):
    record = json.loads(json.dumps(game.record()))
    again = Game.replay(record)
    assert shown(again) == shown(game)
    assert again.state == game.state
    assert again.record() == record


@given(positions(), seeds)
@settings(max_examples=40)
def test_copies_are_independent(game, seed):
    before = shown(game)
    copy = game.copy()
    assert shown(copy) == before
    view = game.view(0)
    seen = shown(view)
    for _ in walk(copy, seed, 30):
        pass
    assert shown(game) == before
    assert shown(view) == seen
    kept = shown(copy)
    for _ in walk(game, seed + 1, 30):
        pass
    assert shown(copy) == kept


@given(positions() | positions(preset_rules()), st.randoms(use_true_random=False))
@settings(max_examples=80)
def test_hidden_cards_may_be_anywhere(game, chance):
    """Dealing the cards that a seat cannot see anew changes nothing of what it sees."""
    viewer = chance.randrange(game.rules.players)
    other = with_hidden_cards_swapped(game, viewer, chance)
    assert np.array_equal(other.observation(viewer), game.observation(viewer))
    assert shown(other.view(viewer)) == shown(game.view(viewer))
    assert other.view(viewer).state == game.view(viewer).state
    if viewer == game.seat:
        assert other.legal == game.legal


def with_hidden_cards_swapped(game: Game, viewer: int, chance) -> Game:
    """A copy in which the cards that the viewer cannot see are where chance puts them."""
    other = game.copy()
    state = other.state[0]
    partner = int(state["partner"][viewer])
    kept = state["known"][partner].copy() if partner >= 0 else np.zeros(14, dtype=np.uint8)
    if game.phase == "trade":  # a card on offer has to be in its hand
        return other
    slots, cards = [], []
    for seat in [*range(game.rules.players), None]:
        pile = state["face_down"] if seat is None else state["hands"][seat]
        if seat == viewer:
            continue
        fixed = kept if seat == partner else np.zeros(14, dtype=np.uint8)
        for rank in range(14):
            for bit in range(8):
                if int(pile[rank] & ~fixed[rank]) >> bit & 1:
                    slots.append(seat)
                    cards.append((rank, bit))
                    pile[rank] &= 255 - (1 << bit)
    chance.shuffle(cards)
    for seat, (rank, bit) in zip(slots, cards, strict=True):
        pile = state["face_down"] if seat is None else state["hands"][seat]
        pile[rank] |= 1 << bit
    counts = np.bitwise_count(state["hands"]).astype(int)
    state["hand_count"] = counts
    for number in range(1, 9):
        state["sets"][:, number - 1] = ((counts >= number) * (1 << np.arange(14))).sum(axis=1)
    return other


@given(positions(rules(max_players=5), max_moves=60), st.randoms(use_true_random=False))
@settings(max_examples=100)
def test_another_deal_with_the_same_public_moves_looks_the_same(game, chance):
    """Two seats swap a card that neither of them has played: a third sees the same game move by move."""
    if game.round > 1 or game.rules.players < 3:
        return
    viewer, *two = chance.sample(range(game.rules.players), 3)
    hands = [set(game.hand(seat).split()) - {"*"} for seat in range(game.rules.players)]
    ours, theirs = sorted(hands[two[0]]), sorted(hands[two[1]])
    if not ours or not theirs:
        return
    given_away, taken = chance.choice(ours), chance.choice(theirs)
    deals = [hand.split() for hand in game.deals[0]]
    if taken in deals[two[0]] or given_away in deals[two[1]]:
        return
    deals[two[0]][deals[two[0]].index(given_away)] = taken
    deals[two[1]][deals[two[1]].index(taken)] = given_away
    texts = [" ".join(hand) for hand in deals]
    first, second = (
        Game(game.rules, seed=game.seed, deals=[game.deals[0]]),
        Game(game.rules, seed=game.seed, deals=[texts]),
    )
    if first.leader_of_round == second.leader_of_round:
        follow(first, second, viewer, game.history)


def follow(first: Game, second: Game, viewer: int, history) -> None:
    """Make the moves in both games, declining what is offered in the second alone; the viewer sees the same."""
    for _, seat, text in history:
        while second.phase == "offer" and (first.phase != "offer" or second.seat != first.seat) and text != "pass":
            if second.seat == viewer:
                return
            second.play("pass")
        if not np.array_equal(first.state["played"], second.state["played"]):
            return  # of the cards of a rank others were laid on the table, for all to see
        assert shown(first.view(viewer)) | {"deals": 0} == shown(second.view(viewer)) | {"deals": 0}
        assert np.array_equal(first.observation(viewer), second.observation(viewer))
        declined = first.phase == "offer" and text == "pass"
        if not declined and (second.seat != seat or text not in second.legal):
            return  # the swapped card has come to matter
        first.play(text)
        if not declined or (second.phase == "offer" and second.seat == seat):
            second.play(text)


def test_bombs_and_offers_are_reached_by_random_rules():
    """The properties above are worth what their games go through: all phases and kinds of moves come up."""
    phases, words = set(), set()

    @given(rules(), seeds)
    @settings(max_examples=60, database=None, derandomize=True)
    def play_on(made, seed):
        game = Game(made, seed=seed)
        for move in walk(game, seed):
            phases.add(game.phase)
            words.add(move.split()[0] if move[0].islower() else move.lstrip(RANKS))

    play_on()
    assert phases == {"play", "offer", "drop", "exchange", "trade", "over"}
    assert words >= {"", "*", "**", "!", "pass", "give", "ask", "drop", "stop", "accept", "reject"}


def test_rules_of_every_field_come_up():
    seen: dict[str, set[object]] = {name: set() for name in Rules.field_docs()}

    @given(rules())
    @settings(max_examples=150, database=None, derandomize=True)
    def collect(made):
        for name, values in seen.items():
            values.add(getattr(made, name))

    collect()
    assert [name for name, values in seen.items() if len(values) < 2] == []
