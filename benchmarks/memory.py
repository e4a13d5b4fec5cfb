"""What a game takes in memory."""

import tracemalloc

from president_env import Games, Limits, Rules
from president_env.engine.state import GAME

FEW, MORE = 1024, 2048


def bytes_a_row(rules: Rules, limits: Limits | None = None) -> float:
    """What one more game takes in `Games`: its record, and its rows of all arrays that steps hand out."""
    Games(rules, 1, limits=limits)  # tables that all share, and the compiled code, are there before it is counted
    return (_traced(rules, limits, MORE) - _traced(rules, limits, FEW)) / (MORE - FEW)


def _traced(rules: Rules, limits: Limits | None, num_games: int) -> int:
    tracemalloc.start()
    try:
        games = Games(rules, num_games, limits=limits)
        taken = tracemalloc.get_traced_memory()[0]
        del games
        return taken
    finally:
        tracemalloc.stop()


def memory() -> dict[str, object]:
    """Bytes of the record of a match, and of a row of `Games` by its rules."""
    rows = {
        "quebec, 4 players": bytes_a_row(Rules.preset("quebec")),
        "house, 8 players": bytes_a_row(Rules.preset("house", players=8)),
        "quebec, universal moves and observations": bytes_a_row(Rules.preset("quebec"), Limits()),
    }
    return {"record": GAME.itemsize, "rows": {name: round(size) for name, size in rows.items()}}
