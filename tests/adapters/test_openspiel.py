"""OpenSpiel: the game `president`, its chance, its information states, and the library's algorithms on it."""

import subprocess
import sys
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from president_env import Game, IllegalMove, Rules
from president_env.moves import move_table
from tests.adapters.common import TABLES, needs, script

pyspiel = needs("pyspiel")

from open_spiel.python import rl_environment  # noqa: E402
from open_spiel.python.algorithms import cfr, exploitability, external_sampling_mccfr, ismcts, mcts  # noqa: E402

from president_env.adapters.openspiel import PresidentGame, PresidentState  # noqa: E402
from president_env.adapters.openspiel_match import deck_cards  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
GAMES = {
    "quebec-4": "president(rules=quebec,players=4)",
    "butt-4": "president(rules=butt,players=4)",
    "norwegian-7": "president(rules=norwegian,players=7)",
}
TINY_EXCHANGES = {
    "asked": {"exchange": "ask", "quartet": "any_time", "suits": 4, "ranks": "34"},
    "chosen": {
        "exchange": "any",
        "middle_trade": True,
        "haggle_rounds": 2,
        "vice_roles": False,
        "ranks": "34",
        "suits": 4,
    },
    "best": {"exchange": "best", "deal": "equal", "first_leader": "3C", "next_leader": "opening", "suits": 2},
}


def load(players: int, **overrides: Any) -> Any:
    """A small deck without house rules, its dealer fixed."""
    overrides = {"dealer": 0, "suits": 1, "ranks": "345"} | overrides
    return pyspiel.load_game("president", {"rules": "", "players": players, "overrides": overrides})


def deal(state: PresidentState, dealer: int, hands: list[str | None]) -> None:
    """Force the outcomes of chance that bring these hands."""
    left = [(hand or "").split() for hand in hands]
    while state.is_chance_node():
        texts = {state.action_to_string(outcome): outcome for outcome in state.legal_actions()}
        if f"seat {dealer} deals" in texts:
            state.apply_action(texts[f"seat {dealer} deals"])
            continue
        card = next(iter(texts)).split()[0]
        seat = next(seat for seat, hand in enumerate(left) if card in hand)
        left[seat].remove(card)
        state.apply_action(texts[f"{card} to seat {seat}"])
    assert not any(left)


def play_randomly(game: Any, seed: int, first_round: int | None = None) -> Any:
    """The states of a match, each before its action, and the actions; the first round may have a seed of its own."""
    rng, first = np.random.default_rng(seed), np.random.default_rng(seed if first_round is None else first_round)
    state = game.new_initial_state()
    while not state.is_terminal():
        action = int((first if state.match.round == 1 else rng).choice(state.legal_actions()))
        yield state, action
        state.apply_action(action)


@pytest.mark.parametrize("table", TABLES)
def test_a_script_brings_its_returns(table):
    told = script(table)
    twin = Game(told.rules, seed=told.seed)
    dealer = twin.dealer
    for action in told.actions:
        twin.play_id(action)
    game = pyspiel.load_game(GAMES[table])
    state, deals = game.new_initial_state(), iter(twin.deals)
    for seat, action in zip(told.seats, told.actions, strict=True):
        if state.is_chance_node():
            deal(state, dealer, next(deals))
        assert state.current_player() == seat
        assert action in state.legal_actions()
        assert state.returns() == [0.0] * told.rules.players
        state.apply_action(action)
    assert state.is_terminal()
    assert state.returns() == pytest.approx(told.returns, abs=1e-6)
    assert state.match.history == twin.history


@pytest.mark.parametrize("table", TABLES)
def test_actions_are_those_of_the_move_table(table):
    rules, game = TABLES[table], pyspiel.load_game(GAMES[table])
    moves, state = move_table(rules), game.new_initial_state()
    assert game.num_distinct_actions() == len(moves)
    assert [state.action_to_string(0, action) for action in range(len(moves))] == list(moves.texts)
    assert game.num_players() == rules.players


@pytest.mark.filterwarnings("ignore")  # nothing of ours warns, and the library's simulation reports errors itself
@pytest.mark.parametrize(
    "name",
    [
        "president(rules=quebec,players=4,max_rounds=2)",
        "president(rules=butt,players=4,max_rounds=2)",
        "president(rules=norwegian,players=7,max_rounds=1)",
        "president(rules=house,max_rounds=2)",
    ],
)
def test_random_simulation(name):
    game = pyspiel.load_game(name)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def test_every_deal_is_one_path_and_all_are_equally_likely():
    game = load(2, suits=2, ranks="34")
    chances: dict[str, float] = {}
    stack = [(game.new_initial_state(), 1.0)]
    while stack:
        state, chance = stack.pop()
        if state.is_chance_node():
            stack += [(state.child(outcome), chance * share) for outcome, share in state.chance_outcomes()]
        else:
            assert str(state.match.hands) not in chances
            chances[str(state.match.hands)] = chance
    assert len(chances) == 6  # two of four cards
    assert list(chances.values()) == pytest.approx([1 / 6] * 6)


def test_cards_left_over_lie_face_down():
    game = load(3, ranks="34567", deal="equal")
    for state, _ in play_randomly(game, seed=1):
        if not state.is_chance_node():
            assert state.match.hand_sizes == [1, 1, 1]
            break
    assert sum(outcome == 3 for outcome in state.history()[:5]) == 2


def test_the_next_deal_begins_left_of_the_bum():
    game = load(3, rounds=2, ranks="3456")
    for state, _ in play_randomly(game, seed=2):
        if not state.is_chance_node() and state.match.round == 2:
            match = state.match
            bum = match.roles.index("bum")
            assert match.dealer == bum
            assert len(match.deals[1][(bum + 1) % 3].split()) == 2
            return
    raise AssertionError("there was no second round")


@pytest.mark.parametrize("rules", TINY_EXCHANGES)
def test_a_seat_forgets_nothing(rules):
    """Equal information states come after the same own decisions in the same states, and allow the same moves."""
    players = 4 if rules == "chosen" else 3
    game = load(players, rounds=2, exchange_cards="1 1", **TINY_EXCHANGES[rules])
    before: dict[str, Any] = {}
    met = late = 0
    for seed in range(100):
        last: list[tuple[str, int] | None] = [None] * players
        for state, action in play_randomly(game, seed, first_round=seed % 3):
            if not state.is_chance_node():
                seat = state.current_player()
                told = state.information_state_string()
                known = (last[seat], tuple(state.legal_actions()), tuple(state.observation_tensor()))
                met += told in before
                late += told in before and state.match.round == 2
                assert before.setdefault(told, known) == known
                last[seat] = (told, action)
    assert (met > 200, late > 20) == (True, True)


def test_the_tensor_of_an_information_state_tells_as_much_as_its_text():
    game = load(3, suits=2, ranks="345", dealer="None")
    texts: dict[bytes, str] = {}
    tensors: dict[str, bytes] = {}
    for seed in range(60):
        for state, _ in play_randomly(game, seed):
            if not state.is_chance_node():
                seat = state.current_player()
                text = state.information_state_string(seat)
                tensor = np.array(state.information_state_tensor(seat)).tobytes()
                assert texts.setdefault(tensor, text) == text
                assert tensors.setdefault(text, tensor) == tensor
    assert pyspiel.load_game(GAMES["quebec-4"]).get_type().provides_information_state_tensor is False


@pytest.mark.parametrize("table", TABLES)
def test_a_resampled_state_looks_the_same_and_plays_on(table):
    game, rng = pyspiel.load_game(GAMES[table].replace(")", ",max_rounds=2)")), np.random.default_rng(5)
    differs = late = 0
    for number, (state, _) in enumerate(play_randomly(game, seed=4)):
        if state.is_chance_node() or number % 23:
            continue
        seat = state.current_player()
        drawn = state.resample_from_infostate(seat, rng.random)
        assert drawn.current_player() == seat
        assert drawn.information_state_string(seat) == state.information_state_string(seat)
        assert drawn.observation_tensor(seat) == state.observation_tensor(seat)
        assert drawn.legal_actions() == state.legal_actions()
        assert drawn.history() == []  # which would tell the cards
        differs += drawn.match.hands != state.match.hands
        late += state.match.round == 2
        for _ in range(30):
            if not drawn.is_terminal():
                drawn.apply_action(int(rng.choice(drawn.legal_actions())))
    assert differs > 2
    assert late > 0


def test_a_state_survives_serialization():
    game = pyspiel.load_game(GAMES["butt-4"])
    state, _ = next(islice(play_randomly(game, seed=3), 200, None))
    assert state.match.round == 2
    text = pyspiel.serialize_game_and_state(game, state)
    other_game, other = pyspiel.deserialize_game_and_state(text)
    assert str(other_game) == str(game)
    for _ in range(30):
        assert str(other) == str(state)
        assert other.history() == state.history()
        assert [other.information_state_string(seat) for seat in range(4)] == [
            state.information_state_string(seat) for seat in range(4)
        ]
        action = state.legal_actions()[-1]
        state.apply_action(action)
        other.apply_action(action)


def test_a_clone_goes_its_own_way():
    state = load(2).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    clone, text = state.clone(), str(state)
    clone.apply_action(clone.legal_actions()[0])
    assert str(state) == text != str(clone)


@pytest.mark.parametrize(("players", "ranks"), [(2, "3456"), (3, "3456")])
def test_cfr_plus_comes_nearer_to_an_equilibrium(players, ranks):
    game = load(players, ranks=ranks)
    solver, convs = cfr.CFRPlusSolver(game), []
    for _ in range(3):
        solver.evaluate_and_update_policy()
        convs.append(exploitability.nash_conv(game, solver.average_policy()))
    assert convs == sorted(convs, reverse=True)
    assert convs[-1] < convs[0] / 2


def test_external_sampling_mccfr_runs():
    game = load(3)
    solver = external_sampling_mccfr.ExternalSamplingSolver(game)
    for _ in range(5):
        solver.iteration()
    assert exploitability.nash_conv(game, solver.average_policy()) < 4


def test_the_ismcts_bot_plays_a_round_with_the_full_deck():
    game, rng = pyspiel.load_game("president(rules=quebec,overrides=(rounds=1))"), np.random.RandomState(0)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    bot = ismcts.ISMCTSBot(game, evaluator, uct_c=2.0, max_simulations=3, random_state=rng)
    bot.set_resampler(lambda state, seat: state.resample_from_infostate(seat, rng.random_sample))
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(bot.step(state) if not state.is_chance_node() else rng.choice(state.legal_actions()))
    assert sorted(state.returns()) == pytest.approx([-1, -1 / 3, 1 / 3, 1])


def test_agents_of_the_rl_environment_see_observations():
    game = pyspiel.load_game(GAMES["quebec-4"])
    env = rl_environment.Environment(game)
    step = env.reset()
    while not step.last():
        seat = step.observations["current_player"]
        assert len(step.observations["info_state"][seat]) == env.observation_spec()["info_state"][0]
        step = env.step([step.observations["legal_actions"][seat][-1]])
    assert sum(step.rewards) == pytest.approx(0)


def test_rules_come_from_a_file_and_a_game_is_its_text(tmp_path):
    path = tmp_path / "house.yaml"
    Rules.preset("prezident", players=3, revolution=False).save(path)
    game = pyspiel.load_game("president", {"rules": str(path), "overrides": {"rounds": 2, "target_score": "None"}})
    assert game.rules == Rules.preset("prezident", players=3, revolution=False, rounds=2)
    overrides = "overrides=(club3_finish_last=True,exchange_cards=1 1,first_leader=2,ranks=3456789,reversing_ranks=8)"
    game = pyspiel.load_game(f"president(rules=prezident,{overrides})")
    assert game.rules == Rules.preset(
        "prezident",
        club3_finish_last=True,
        exchange_cards=(1, 1),
        first_leader=2,
        ranks="3456789",
        reversing_ranks=["8"],
    )
    twin = pyspiel.load_game(str(game))
    assert twin.rules == game.rules


@pytest.mark.parametrize(
    ("params", "told"),
    [
        ({"rules": "quebek"}, "quebek"),
        ({"players": 9}, "players: 9"),
        ({"max_rounds": 0}, "max_rounds"),
        ({"overrides": {"passing": "hard"}}, "passing: 'hard'"),
        ({"overrides": {"exchange_cards": "1 x"}}, "exchange_cards: \\['1', 'x'\\]|exchange_cards: \\[1, 'x'\\]"),
        ({"overrides": {"pasing": "soft"}}, "pasing"),
    ],
)
def test_what_the_rules_do_not_take_is_refused(params, told):
    with pytest.raises(ValueError, match=told):
        PresidentGame(params)
    with pytest.raises(ValueError, match=told):
        pyspiel.load_game("president", params)


def test_illegal_moves_and_observers_are_refused():
    game = load(2)
    state = game.new_initial_state()
    with pytest.raises(ValueError, match="outcome 7 of chance cannot be"):
        state.apply_action(7)
    with pytest.raises(ValueError, match="nothing to draw anew"):
        state.resample_from_infostate(0, lambda: 0.5)
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    with pytest.raises(IllegalMove, match="seat 0 may not play 'pass'"):
        state.apply_action(0)
    with pytest.raises(ValueError, match="takes none"):
        game.make_py_observer(None, {"all": True})
    with pytest.raises(ValueError, match="one seat"):
        game.make_py_observer(
            pyspiel.IIGObservationType(perfect_recall=True, private_info=pyspiel.PrivateInfoType.NONE)
        )


def test_cards_are_dealt_by_rank_and_suit():
    assert deck_cards(Rules(ranks="34", suits=2, decks=2, jokers=2, joker="wild")) == (
        *("3C", "3C", "3D", "3D", "4C", "4C", "4D", "4D"),
        *("*", "*"),
    )


def test_the_example_prints_nashconv():
    command = [sys.executable, "examples/openspiel_cfr.py", "--ranks", "345", "--suits", "1", "--iterations", "2"]
    told = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    assert told.count("NashConv") == 2
    assert "value of each seat" in told
