"""The levels: what they do at the table, that they know no more than their seat, and that they play by any rules."""

import copy
import pickle
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings

from president_env import Game, Games, Rules, bots
from president_env.bots.determinize import worlds_of
from president_env.bots.monte_carlo_bot import MonteCarloBot
from tests.scenes import play, table
from tests.strategies import positions, preset_rules

BY_RULE = ("normal", "hard", "level1", "level2", "level3")
TABLES = {
    "quebec": Rules.preset("quebec", players=4),
    "prezident": Rules.preset("prezident", players=4, rounds=2),
    "norwegian": Rules.preset("norwegian", players=5),
    "house": Rules.preset("house", players=4),
}


def move_of(name: str, game: Game) -> str:
    assert game.seat is not None
    view = game.view(game.seat)
    return bots.make(name).act(view, view.legal)


@pytest.mark.parametrize("name", BY_RULE)
def test_a_pair_is_not_broken_to_follow_a_single(name):
    game = table("basic", "5C 9C 9D 4D | 6C 6D 8S KC | 3C 4C 7D", leader=0)
    play(game, "0:5")
    assert move_of(name, game) == "8"


@pytest.mark.parametrize("name", ["normal", "hard", "level2", "level3"])
def test_a_two_is_not_spent_on_a_low_card_early(name):
    game = table("quebec", "4C 4D 5S 6S 7D 9S JC | 2S 3C 3S 8H 8D TC | 5C 5D 7S 9D QD KD | 9C TD JD JS QC AD", leader=0)
    play(game, "0:9")
    assert move_of(name, game) != "2"


@pytest.mark.parametrize("name", ["hard", "level3"])
def test_the_lead_is_taken_to_go_out(name):
    game = table("quebec", "5C 6D 7D 9C JS | 2S 4S | 3C 3D 8D QD | TD JD KD AD", leader=0)
    play(game, "0:5")
    assert move_of(name, game) == "2"


def test_a_seat_about_to_be_out_is_blocked():
    game = table("basic", "4C 4D 5H 7S AC | 8H | 3C 6D 9D", leader=0)
    assert move_of("level3", game) == "44"


@pytest.mark.parametrize("name", BY_RULE)
def test_the_president_gives_back_its_weakest_cards_and_breaks_no_set(name):
    game = table(
        "prezident",
        "3S | 4C | 5C 5D | 6C 6D 6H",
        "3D 3H 3C 4D 5S QS QH | 4S 6S 7S 8S 9D JD JH | 8D 9S TD TC JS KC AH | 5H 7C 9H TH KS AS 2S",
        rounds=2,
        leader=0,
    )
    play(game, "0:3 1:4 2:5 3:6 2:pass 3:66")
    assert (game.phase, game.seat) == ("exchange", 0)
    for _ in range(2):
        game.play(move_of(name, game))
    given = [text for number, seat, text in game.history if number == 2 and seat == 0]
    assert sorted(given) == ["give 4", "give 5"]


@pytest.mark.parametrize("name", [*BY_RULE, "level4"])
def test_nobody_goes_out_with_a_card_that_finishes_last_if_it_can_do_otherwise(name):
    game = table("house", "2S 9C | 5C 5D 8C TC | 6C 7D 7S | 4C KD KS", leader=0)
    assert move_of(name, game) == "2"
    game = table("house", "4D 6S | 2S TC | 6C 7D 7S | 4C KD KS", leader=0)
    play(game, "0:4")
    assert move_of(name, game) != "T"


def positions_dealt_anew(name: str) -> Iterator[tuple[Games, Games]]:
    """500 games after every eleven moves, five times; beside each one with its hidden cards dealt anew."""
    batch, other = (Games(TABLES[name], 500, seed=7) for _ in range(2))
    mover = bots.make("random", seed=3)
    rows = np.arange(500)
    for _ in range(5):
        for _ in range(11):
            batch.step(mover.act_batch(batch, rows))
        for row in rows:
            other.games[row] = worlds_of(batch.view(int(row)), 1, int(row))[0]
        yield batch, other


@pytest.mark.parametrize("name", TABLES)
def test_a_level_knows_no_more_than_its_seat(name):
    """In 2,500 positions of each table, with the hidden cards dealt anew, every level chooses as before."""
    rows = np.arange(500)
    for batch, other in positions_dealt_anew(name):
        for level in BY_RULE:
            bot = bots.make(level)
            assert (bot.act_batch(batch, rows) == bot.act_batch(other, rows)).all(), level


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_a_search_knows_no_more_than_its_seat(name):
    """So do level4 with few playouts in 2,500 positions of each table, and level5 as it is in 100."""
    for batch, other in positions_dealt_anew(name):
        searches = ((bots.make("level4", playouts=14), range(500)), (bots.make("level5"), range(0, 500, 25)))
        for bot, some in searches:
            rows = np.array(some)
            assert (bot.act_batch(batch, rows) == bot.act_batch(other, rows)).all(), bot


@settings(max_examples=60)
@given(positions())
def test_levels_play_by_any_rules(game):
    if game.over:
        return
    for bot in (bots.make("level3"), MonteCarloBot("few", 20)):
        assert bot.act(game.view(game.seat), game.legal) in game.legal


@settings(max_examples=30)
@given(positions(preset_rules()))
def test_levels_play_by_every_preset(game):
    for name in (*BY_RULE, "level4"):
        if not game.over:
            assert move_of(name, game) in game.legal


def test_a_search_is_repeatable_alone_in_a_batch_and_in_threads():
    batch = Games(TABLES["quebec"], 12, seed=5)
    rows = np.arange(12)
    once = MonteCarloBot("few", 60, seed=9).act_batch(batch, rows)
    shared = MonteCarloBot("few", 60, seed=9, num_threads=2).act_batch(batch, rows)
    alone = [batch.table.id(MonteCarloBot("few", 60, seed=9).act(batch.view(row), [])) for row in range(12)]
    assert once.tolist() == shared.tolist() == alone


def test_threads_may_share_a_bot():
    """Eight threads ask one bot about twelve games each, again and again, and get what one thread gets."""
    batch = Games(TABLES["quebec"], 12, seed=5)
    rows = np.arange(12)
    bot = MonteCarloBot("few", 60, seed=9)
    alone = bot.act_batch(batch, rows).tolist()
    with ThreadPoolExecutor(8) as pool:
        found = pool.map(lambda number: bot.act_batch(batch, np.roll(rows, number)).tolist(), range(24))
        assert [np.roll(actions, -number).tolist() for number, actions in enumerate(found)] == [alone] * 24


def test_a_bot_can_be_copied_and_pickled():
    view = Games(TABLES["quebec"], 1, seed=1).view(0)
    bot = MonteCarloBot("few", 60, seed=9, num_threads=2)
    move = bot.act(view, view.legal)
    for other in (copy.deepcopy(bot), pickle.loads(pickle.dumps(bot))):
        assert other.act(view, view.legal) == move
        assert repr(other) == repr(bot)


def test_a_search_by_the_clock_ends_in_time():
    view = Games(TABLES["quebec"], 1, seed=1).view(0)
    assert MonteCarloBot("clock", 1, milliseconds=20).act(view, view.legal) in view.legal


@pytest.mark.parametrize(
    ("options", "message"),
    [({"playouts": 0}, "playouts 0"), ({"milliseconds": 0}, "milliseconds 0"), ({"seed": -1}, "seed -1")],
)
def test_a_budget_that_is_none_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        MonteCarloBot("x", **{"playouts": 10, **options})


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize(("higher", "lower"), [("easy", "random"), ("level1", "easy"), ("level3", "level1")])
def test_a_level_beats_a_lower_one(name, higher, lower):
    from president_env.arena import play_duplicates

    rules = TABLES[name]
    lineup = [bots.make(higher), *[bots.make(lower)] * (rules.players - 1)]
    assert play_duplicates(rules, lineup, num_deals=400).reward(0).low > 0
