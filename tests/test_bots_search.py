"""The bot `search`: what it finds, that it knows no more than its seat, and what a policy may be for it."""

import numpy as np
import pytest
from hypothesis import given, settings

from president_env import Games, Rules, bots
from president_env.arena import play_duplicates
from president_env.bots.belief import AGAINST, LOWER, PASSED_ON, SPLIT, spoken_against
from president_env.bots.compiled_network import POLICY, VALUE, head_outputs, packed, working_memory
from president_env.bots.determinize import worlds_of
from president_env.bots.policy import PolicyBot, PolicyNetwork, save_policy
from president_env.bots.search_bot import SearchBot
from president_env.engine.parameters import parameters_of
from tests.scenes import play, table
from tests.strategies import positions, preset_rules
from tests.test_policy import RULES, random_tensors

TABLES = {
    "quebec": Rules.preset("quebec", players=4),
    "prezident": Rules.preset("prezident", players=4, rounds=2),
    "norwegian": Rules.preset("norwegian", players=5),
    "house": Rules.preset("house", players=4),
}


@pytest.fixture(scope="module")
def policy_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("policy") / "policy.safetensors"
    save_policy(path, random_tensors(RULES), RULES, {})
    return path


def on_the_way(rules, num_games, moves, seed=7):
    batch = Games(rules, num_games, seed=seed)
    mover = bots.make("random", seed=3)
    for _ in range(moves):
        batch.step(mover.act_batch(batch, np.arange(num_games)))
    return batch


def test_a_network_is_compiled_to_the_same_numbers():
    network = PolicyNetwork(random_tensors(RULES))
    batch = on_the_way(RULES, 20, moves=15)
    arrays, memory = packed(network), working_memory(network, batch.observation_size)
    for observation in batch.observation:
        memory[0][:] = observation
        logits, value = network.logits(observation[None])[0], network.values(observation[None])[0]
        found = memory[1][head_outputs(arrays, memory, POLICY), : len(logits)]
        assert found == pytest.approx(logits, rel=1e-4, abs=1e-3)
        assert memory[1][head_outputs(arrays, memory, VALUE), 0] == pytest.approx(value, rel=1e-4, abs=1e-3)


def test_the_lead_is_taken_to_go_out_and_the_search_ends_when_that_is_clear():
    game = table("quebec", "5C 6D 7D 9C JS | 2S 4S | 3C 3D 8D QD | TD JD KD AD", leader=0)
    game.play("5")
    view = game.view(1)
    assert bots.make("search", playouts=10**9).act(view, view.legal) == "2"


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("depth", [1, 4])
def test_a_search_knows_no_more_than_its_seat(name, depth):
    """With the hidden cards dealt anew it chooses as before."""
    rules = TABLES[name]
    bot = SearchBot(playouts=60, depth=depth)
    for moves in (0, 9, 25):
        batch, other = on_the_way(rules, 12, moves), Games(rules, 12)
        for row in range(12):
            other.games[row] = worlds_of(batch.view(row), 1, row)[0]
        rows = np.arange(12)
        assert (bot.act_batch(batch, rows) == bot.act_batch(other, rows)).all()


@pytest.mark.parametrize("options", [{}, {"value_weight": 0.5, "policy_moves": 2}, {"value_weight": 1, "depth": 3}])
def test_with_a_policy_too(policy_file, options):
    bot = SearchBot(playouts=60, policy=policy_file, **options)
    for moves in (0, 9, 25):
        batch, other = on_the_way(RULES, 12, moves), Games(RULES, 12)
        for row in range(12):
            other.games[row] = worlds_of(batch.view(row), 1, row)[0]
        rows = np.arange(12)
        actions = bot.act_batch(batch, rows)
        assert (actions == bot.act_batch(other, rows)).all()
        assert batch.mask[rows, actions].all()


def test_a_search_is_repeatable_alone_in_a_batch_and_in_threads(policy_file):
    batch, rows = on_the_way(RULES, 12, moves=9), np.arange(12)
    for policy in (None, policy_file):
        once = SearchBot(playouts=60, policy=policy, seed=9).act_batch(batch, rows)
        shared = SearchBot(playouts=60, policy=policy, seed=9, num_threads=2).act_batch(batch, rows)
        alone = [
            batch.table.id(SearchBot(playouts=60, policy=policy, seed=9).act(batch.view(row), [])) for row in range(12)
        ]
        assert once.tolist() == shared.tolist() == alone


@settings(max_examples=40)
@given(positions())
def test_a_search_plays_by_any_rules(game):
    if not game.over:
        assert SearchBot(playouts=30, depth=2).act(game.view(game.seat), game.legal) in game.legal


@settings(max_examples=20)
@given(positions(preset_rules()))
def test_a_search_plays_by_every_preset(game):
    if not game.over:
        assert SearchBot(playouts=30).act(game.view(game.seat), game.legal) in game.legal


@pytest.mark.parametrize(
    ("hand", "against"),
    [
        ("9D TC", 0),
        ("9D 9H", 0),
        ("KC KD", 0),  # to play a king would have split a pair
        ("2C TC", 0),  # a two is kept for when it is needed
        ("KC AC", 2 * AGAINST[PASSED_ON]),
        ("6D TC", AGAINST[SPLIT]),
        ("5D TC", AGAINST[LOWER]),
        ("5D 5H", 0),
    ],
)
def test_sets_that_a_player_would_have_played_or_kept_whole_speak_against_a_world(hand, against):
    """Seat 1 has led a six and passed on a queen."""
    game = table("quebec", f"3C 3D QD | 6C {hand} | 2D 2H | 2S", leader=1)
    play(game, "1:6 2:pass 3:pass 0:Q 1:pass 2:pass 3:pass")
    world, parameters = game.state[0], parameters_of(game.rules)[0]
    assert spoken_against(world, parameters, 0) == against
    assert spoken_against(world, parameters, 1) == 0


def test_a_search_by_the_clock_ends_in_time():
    view = Games(TABLES["quebec"], 1, seed=1).view(0)
    assert SearchBot(milliseconds=20).act(view, view.legal) in view.legal


def test_a_search_beats_the_bot_that_it_plays_out():
    lineup = [SearchBot(playouts=300), *[bots.make("level3")] * 3]
    assert play_duplicates(RULES, lineup, num_deals=40).reward(0).low > 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"playouts": 0}, "playouts 0"),
        ({"milliseconds": 0}, "milliseconds 0"),
        ({"seed": -1}, "seed -1"),
        ({"depth": 1.5}, "depth 1.5 of bot 'search': wanted is a whole number from 0 to 16"),
        ({"depth": 17}, "depth 17"),
        ({"explore": -1}, "explore -1"),
        ({"explore": float("nan")}, "explore nan"),
        ({"value_weight": 1.1}, "value_weight 1.1 of bot 'search': wanted is a number from 0 to 1"),
        ({"policy_moves": True}, "policy_moves True"),
        ({"draws": 0}, "draws 0 of bot 'search': wanted is a whole number from 1"),
        ({"playouts": 2**70}, "wanted is a whole number from 1 to 1000000000"),
        ({"num_threads": 10**10}, "wanted is a whole number from 1 to 1000000000"),
        ({"milliseconds": float("inf")}, "milliseconds inf of bot 'search': wanted is a number above 0"),
        ({"milliseconds": True}, "milliseconds True of bot 'search': wanted is a number above 0"),
        ({"milliseconds": "a"}, "milliseconds 'a' of bot 'search': wanted is a number above 0"),
        ({"value_weight": 0.5}, "value_weight of bot 'search' without a policy"),
        ({"policy": "missing.safetensors"}, "no such policy file"),
        ({"policy": 3}, "policy 3 of bot 'search'"),
        ({"iterations": 3}, "does not take the options iterations"),
    ],
)
def test_what_no_search_can_be_made_of_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        bots.make("search", **options)


def test_a_policy_for_other_rules_is_refused_by_name(policy_file):
    batch = Games(Rules.preset("quebec", players=5), 1)
    view = batch.view(0)
    bot = bots.make("search", policy=PolicyBot.load(policy_file))
    for refused in (lambda: bot.act(view, view.legal), lambda: bot.act_batch(batch, np.arange(1))):
        with pytest.raises(ValueError, match=r"trained for other rules.*players 5.*needs.*players 4"):
            refused()
