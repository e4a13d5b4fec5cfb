"""What is timed, and what it is compared with."""

from collections.abc import Iterator

from benchmarks import faces
from benchmarks.peers import classic_peers, open_spiel_peers, rlcard_peers
from benchmarks.timing import Entry, Timings
from president_env import Games, Limits, Rules
from president_env.env import raw_env

NOTHING = "AEC env that does nothing"
AEC, BATCH = "AEC raw_env", "Games, 1,024 games"
FASTEST = "OpenSpiel"
"""Of several loops whose names begin so, the fastest is the one to compare with."""

EVERY_OPTION = {
    "first_leader": "left_of_dealer",
    "passing": "strict",
    "equal_rank": "skip",
    "revolution": True,
    "reversing_ranks": ["8"],
    "clearing_ranks": ["2"],
    "joker": "wild",
    "jokers": 2,
    "bombs": True,
    "quartet": "any_time",
    "club3_bomb": "any_time",
    "wild_sixes": True,
    "run_drop": True,
    "burn_finish_last": True,
    "club3_finish_last": True,
    "exchange": "ask",
    "middle_trade": True,
    "haggle_rounds": 3,
}
"""The norwegian rules with every option that can be on together with the others."""


def compared() -> Iterator[Entry]:
    """Every face of the environment with the rules quebec at four players, and the peers that are installed."""
    quebec = Rules.preset("quebec")
    games = Games(quebec, 1)
    observed, num_actions = games.observation_size, games.num_actions
    writes = f"only writing {observed} + {num_actions} bytes a row"
    yield Entry("only writing 256 + 64 bytes a row", faces.writing(256, 64))
    yield Entry(writes, faces.writing(observed, num_actions))
    for size in (64, 1024, 16384):
        yield Entry(f"Games, {size:,} games", faces.batch(quebec, size), writes)
    one_round = quebec.replace(rounds=1, tiebreak=False)
    yield Entry("Games, 1,024 games of one round", faces.batch(one_round, 1024), writes)
    yield Entry("playouts, without observations", faces.playouts(quebec), writes)
    yield Entry("make_vec, 1,024 tables, random opponents", faces.vector(quebec, 1024), writes)
    yield Entry(NOTHING, faces.aec(faces.DoNothing(observed, num_actions)))
    yield Entry(AEC, faces.aec(raw_env(quebec)), NOTHING)
    yield Entry("gymnasium.make, random opponents", faces.single(quebec), NOTHING)
    yield Entry("Game", faces.single_game(quebec), NOTHING)
    for peers in (rlcard_peers(), open_spiel_peers(), classic_peers()):
        for what, loop in peers:
            yield Entry(what, loop, BATCH)


THREADED = (1024, 4096, 16384, 65536)
"""Batches that are timed with several threads."""


def threaded(num_games: int, num_threads: int = 1) -> str:
    """What a batch of quebec is called among the loops."""
    return f"quebec, {num_games:,} games" + f", {num_threads} threads" * (num_threads > 1)


WANTED = (
    (BATCH, "RLCard doudizhu", "at least", 1000.0),
    (BATCH, FASTEST, "at least", 20.0),
    (NOTHING, AEC, "at most", 3.0),
    *((threaded(size, 2), threaded(size), "at least", 1.8) for size in THREADED),
)
"""(what, how many times as fast it is as this, bound, figure)."""


def wanted(timings: Timings) -> list[dict[str, object]]:
    """What was wanted of those that were timed, and what came of it."""
    found = []
    for what, beside, bound, figure in WANTED:
        named = [name for name in timings.played if name == beside or name.startswith(f"{beside} ")]
        if what in timings.played and named:
            fastest = max(named, key=timings.decisions)
            ratio = timings.times_as_fast(what, fastest)
            found.append({"what": what, "beside": fastest, "ratio": ratio, "wanted": [bound, figure]})
    return found


def growth(threads: int) -> Iterator[Entry]:
    """How the cost of a decision in a batch grows with players, rules, games and, where there are so many, threads."""
    for players in range(3, 9):
        rules = Rules.preset("house", players=players)
        yield Entry(f"{players} players, house", faces.batch(rules, 1024), "3 players, house")
    for name in ("basic", "quebec", "house", "butt", "norwegian"):
        yield Entry(f"{name}, 4 players", faces.batch(Rules.preset(name, players=4), 1024), "basic, 4 players")
    norwegian = Rules.preset("norwegian", players=4, **EVERY_OPTION)
    yield Entry("norwegian with every option, 4 players", faces.batch(norwegian, 1024), "basic, 4 players")
    quebec = Rules.preset("quebec")
    universal = faces.batch(quebec, 1024, limits=Limits())
    yield Entry("quebec, 4 players, universal moves and observations", universal, "basic, 4 players")
    for size in (16, 64, 256, 1024, 4096, 16384, 65536):
        yield Entry(threaded(size), faces.batch(quebec, size), threaded(1024))
    for number in range(2, threads + 1):
        for size in THREADED:
            yield Entry(threaded(size, number), faces.batch(quebec, size, num_threads=number), threaded(size))
