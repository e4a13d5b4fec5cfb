"""Bots in a batch of several rule sets: each row is played by its own rules, with the universal ids."""

import numpy as np
import pytest

from president_env import Games, Limits, Rules, bots

TABLES = [
    Rules.preset("quebec", players=5),
    Rules.preset("house", players=3, rounds=2),
    Rules.preset("butt", players=4, rounds=2),
    Rules.preset("norwegian", players=6, joker="wild", jokers=2, revolution=True, rounds=2),
]


@pytest.mark.parametrize("name", bots.names())
def test_every_bot_plays_each_row_by_its_own_rules(name):
    options = {"playouts": 8} if name in ("level4", "level5", "search") else {}
    bot = bots.make(name, seed=3, **options)
    batch = Games(TABLES, len(TABLES), seed=1, limits=Limits(players=6))
    for step in range(60):
        rows = np.arange(batch.num_games)
        actions = bot.act_batch(batch, rows)
        if step % 10 == 0:
            alone = [bot.act(view, view.legal) for view in (batch.view(int(row)) for row in rows)]
            assert [batch.table.text(int(action)) for action in actions] == alone
        batch.step(actions)
