"""The random and the easy bot, and how bots are named and given."""

from collections import Counter, deque

import numpy as np
import pytest

from president_env import Game, Rules, bots
from president_env.games import Games
from tests.scenes import play, table

RULES = [Rules.preset(name) for name in Rules.presets()]
EVERYTHING = Rules.preset(
    "norwegian",
    players=6,
    jokers=2,
    joker="wild",
    wild_sixes=True,
    club3_bomb="any_time",
    first_leader="left_of_dealer",
    quartet="any_time",
    equal_rank="skip",
    exchange="ask",
    middle_trade=True,
    haggle_rounds=2,
    run_drop=True,
    rounds=3,
)


def view_of_mover(game: Game) -> Game:
    assert game.seat is not None
    return game.view(game.seat)


def easy_move(game: Game) -> str:
    view = view_of_mover(game)
    return bots.make("easy").act(view, view.legal)


@pytest.mark.plain
def test_easy_leads_its_lowest_rank_with_all_its_cards():
    assert easy_move(table("basic", "9C 4C 4D 4S KH | 5D 6D | 7C 7D")) == "444"


@pytest.mark.plain
def test_easy_follows_with_the_lowest_rank_that_beats():
    game = table("basic", "4C 4D 9H | JD JC QD QH AS AC | 7C 7D")
    play(game, "0:44")
    assert easy_move(game) == "JJ"


@pytest.mark.plain
def test_easy_plays_the_high_ranks_first_when_the_order_is_turned():
    game = table("prezident", "4C 4D 4H 4S KC KD | 3C JD QC 9C | 7C 8D AS")
    play(game, "0:4444 1:pass 2:pass")
    assert easy_move(game) == "KK"


@pytest.mark.plain
def test_easy_keeps_jokers_and_bombs():
    game = table("norwegian", "4C 4D 9H | 5D 5H * KD KH | 7C 7D", jokers=2, joker="wild", leader=0)
    play(game, "0:44 1:55 2:77 0:pass")
    assert easy_move(game) == "KK"
    game = table("norwegian", "4C 4D 9H | 5D 5H * KD | 7C 7D", jokers=2, joker="wild", leader=0)
    play(game, "0:44 1:55 2:77 0:pass")
    assert easy_move(game) == "pass"
    game = table("house", "TC TD 9H | 4C 4D 4H 4S KH | 7C 7D", leader=0)
    play(game, "0:TT")
    assert easy_move(game) == "pass"


@pytest.mark.plain
def test_easy_gives_back_its_lowest_and_asks_for_the_highest():
    second = "9C 9H 5D 3D | 4D KC 8S 8D | 7C 7D QD QS"
    game = table("house", "3S | 3D 4D | 4C 5D 5C", second, leader=0)
    play(game, "0:3 1:pass 2:4 1:pass 2:55")
    assert (game.phase, game.seat) == ("exchange", 0)
    assert easy_move(game) == "give 3"
    game = table("butt", "3C | 3D 4D | 4C 5D 5C", second)
    play(game, "0:3 1:pass 2:4 1:pass 2:55")
    assert (game.phase, game.seat) == ("exchange", 0)
    assert easy_move(game) == "ask 2S"


@pytest.mark.parametrize("rules", [*RULES, EVERYTHING], ids=[*Rules.presets(), "everything"])
@pytest.mark.parametrize("name", [name for name in bots.names() if isinstance(bots.make(name), bots.CompiledBot)])
def test_a_bot_plays_whole_matches_and_chooses_alike_from_view_game_and_batch(rules, name):
    bot = bots.make(name, seed=5)
    game, batch = Game(rules, seed=11), Games(rules, 1, seed=11)
    for _ in range(2000):
        if game.over:
            return
        view = view_of_mover(game)
        move = bot.act(view, view.legal)
        assert move == bot.act(game, game.legal) in view.legal
        action = bot.act_batch(batch, np.zeros(1, dtype=np.intp))
        assert batch.table.text(int(action[0])) == move
        game.play(move)
        batch.step(action)
    pytest.fail("the match does not end")


def test_random_draws_all_legal_moves_about_equally():
    batch = Games(Rules.preset("basic"), 3000)
    drawn = bots.make("random").act_batch(batch, np.arange(3000))
    assert batch.mask[np.arange(3000), drawn].all()
    share = [
        np.flatnonzero(mask).tolist().index(action) / mask.sum() for mask, action in zip(batch.mask, drawn, strict=True)
    ]
    counts = Counter(int(4 * value) for value in share)
    assert all(600 < counts[quarter] < 900 for quarter in range(4)), counts


def test_another_seed_is_another_random_bot():
    batch, rows = Games(Rules.preset("basic"), 100), np.arange(100)
    first, again, other = (bots.make("random", seed=seed).act_batch(batch, rows) for seed in (1, 1, 2))
    assert (first == again).all()
    assert (first != other).any()


def test_a_bot_is_given_by_name_as_an_object_or_as_a_function():
    easy = bots.make("easy")

    def first(view: Game, legal: list[str]) -> str:
        return legal[0]

    assert bots.bots_of("easy", 2)[1].name == "easy"
    assert bots.bots_of([easy, first], 2)[0] is easy
    assert bots.bot_of(first).name == "first"


def test_a_bot_without_a_name_goes_by_that_of_its_class():
    class Eager:
        def act(self, view: Game, legal: list[str]) -> str:
            return legal[-1]

    game = table("basic", "4C 9D | 5D | 7C")
    bot = bots.bot_of(Eager())
    assert (bot.name, bot.act(view_of_mover(game), game.legal)) == ("Eager", "9")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("esay", "unknown bot 'esay' (did you mean 'easy'?); bots are random, easy"),
        (3, "opponent 3 is no bot; wanted is a name"),
        (["easy"], "opponents: 1 were given; wanted is one for all or a list of 2"),
        (deque(["easy", "easy"]), "opponents deque(['easy', 'easy']) are no list or tuple; wanted is one for all or a"),
        (range(2), "opponents range(0, 2) are no list or tuple; wanted is one for all or a list of 2"),
        ("runs/none/policy.safetensors", "no such policy file"),
    ],
)
def test_what_is_no_bot_is_refused(wrong, message):
    with pytest.raises(ValueError) as refused:
        bots.bots_of(wrong, 2)
    assert message in str(refused.value)
    assert str(refused.value).count("\n") == 0


def test_options_that_a_bot_does_not_take_are_refused():
    with pytest.raises(ValueError, match="bot 'easy' does not take the options depth"):
        bots.make("easy", depth=3)
    with pytest.raises(ValueError, match="seed -1 of bot 'easy' is not a whole number"):
        bots.make("easy", seed=-1)
