"""One run that times every face of the environment beside what it is measured against.

usage: python -m benchmarks [--seconds S] [--growth] [--json FILE]

All loops run in turn, several times over, on one core unless they name threads; what is printed is the median of the
repetitions, and as a ratio the median of the ratios to the same repetition of the loop that only writes (batches) or
does nothing (AEC): the machine's moods fall on both.
"""

import argparse
import json
import platform
from collections.abc import Iterator
from statistics import median

from rich.console import Console
from rich.table import Table

from benchmarks import faces
from benchmarks.faces import Loop
from benchmarks.peers import installed_peers
from president_env import Rules
from president_env.docs.measured import machine
from president_env.files import write_whole

REPETITIONS = 5
WRITES, NOTHING = "a loop that only writes 256 + 64 bytes a row", "a do-nothing AEC env"


def main() -> None:
    """Time, print, and write the JSON that the README takes its table from."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Decisions a second of every face.")
    parser.add_argument("--seconds", type=float, default=0.4, help="of one repetition of one loop (default 0.4)")
    parser.add_argument("--growth", action="store_true", help="also how the cost grows with players, rules, threads")
    parser.add_argument("--json", metavar="FILE", help="write the results there")
    given = parser.parse_args()
    results = {"faces": timed(list(compared()), given.seconds)}
    if given.growth:
        results["growth"] = timed(list(growth()), given.seconds)
    for title, rows in results.items():
        show(title, rows)
    if given.json:
        write_whole(given.json, json.dumps(result_of(results), indent=1) + "\n")


def compared() -> Iterator[tuple[str, str, Loop]]:
    """What is timed: a name, what it is a ratio to, the loop."""
    quebec, house = Rules.preset("quebec"), Rules.preset("house")
    norwegian = Rules.preset("norwegian")
    yield WRITES, WRITES, faces.writing()
    yield NOTHING, NOTHING, faces.do_nothing()
    for size in (64, 1024, 16384):
        yield f"Games, quebec, {size:,} tables", WRITES, faces.batch(quebec, size)
    yield "Games, house, 1,024 tables", WRITES, faces.batch(house, 1024)
    yield "Games, norwegian, 1,024 tables", WRITES, faces.batch(norwegian, 1024)
    yield "playouts without observation, quebec", WRITES, faces.playouts(quebec.replace(rounds=1, tiebreak=False))
    yield "make_vec, quebec, 1,024 tables, random opponents", WRITES, faces.vector(quebec, 1024)
    yield "AEC raw_env, quebec", NOTHING, faces.president_aec(quebec)
    yield "gymnasium.make, quebec, random opponents", NOTHING, faces.single(quebec)
    yield "Game, quebec", NOTHING, faces.single_game(quebec)
    for name, loop in installed_peers():
        yield name, NOTHING, loop


def growth() -> Iterator[tuple[str, str, Loop]]:
    """How the cost of a decision in a batch grows."""
    yield WRITES, WRITES, faces.writing()
    for players in range(3, 9):
        yield f"house, {players} players", WRITES, faces.batch(Rules.preset("house", players=players), 1024)
    everything = {
        "revolution": True,
        "reversing_ranks": ["8"],
        "quartet": "any_time",
        "joker": "wild",
        "jokers": 2,
        "wild_sixes": True,
        "equal_rank": "skip",
        "run_drop": True,
        "bombs": True,
        "exchange": "ask",
        "middle_trade": True,
        "club3_bomb": "any_time",
        "first_leader": "left_of_dealer",
    }
    yield "norwegian with every option, 5 players", WRITES, faces.batch(_norwegian(everything), 1024)
    for threads in (1, 2):
        for size in (1024, 16384):
            name = f"quebec, {size:,} tables, {threads} thread{'s' * (threads > 1)}"
            yield name, WRITES, faces.batch(Rules.preset("quebec"), size, threads)


def _norwegian(options: dict[str, object]) -> Rules:
    return Rules.preset("norwegian", players=5, **options)


def timed(loops: list[tuple[str, str, Loop]], seconds: float) -> list[tuple[str, float, str, float]]:
    """(name, decisions a second, what it is compared with, ratio to it) of each loop."""
    speeds: dict[str, list[float]] = {name: [] for name, _, _ in loops}
    for _, _, loop in loops:
        loop(seconds / 4)
    for _ in range(REPETITIONS):
        for name, _, loop in loops:
            decisions, spent = loop(seconds)
            speeds[name].append(decisions / spent)
    return [
        (
            name,
            median(speeds[name]),
            base,
            median(own / other for own, other in zip(speeds[name], speeds[base], strict=True)),
        )
        for name, base, _ in loops
    ]


def show(title: str, rows: list[tuple[str, float, str, float]]) -> None:
    """Print the rows as a table."""
    table = Table("what", "decisions a second", "ratio", "to", title=title, title_justify="left")
    for column in (1, 2):
        table.columns[column].justify = "right"
    for name, speed, base, ratio in rows:
        table.add_row(name, f"{speed:,.0f}", "" if name == base else f"{ratio:.4f}", "" if name == base else base)
    Console(width=140).print(table)


def result_of(results: dict[str, list[tuple[str, float, str, float]]]) -> dict[str, object]:
    """The results as JSON for the README."""
    return {
        "command": "make bench",
        "machine": f"one core of {machine().split(' of ', 1)[-1]}, Python {platform.python_version()}",
        "rows": [[name, speed] for rows in results.values() for name, speed, _, _ in rows],
        "ratios": {name: [base, ratio] for rows in results.values() for name, _, base, ratio in rows if name != base},
    }


if __name__ == "__main__":
    main()
