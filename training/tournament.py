"""All against all: every bot of a config against every weaker one, on duplicate deals at several tables.

    python -m training.tournament configs/arena/levels.yaml

Results go to the folder of the tournament as JSON, CSV and pictures. What has been played is kept there, so that a
tournament that was stopped goes on, and one with more bots or tables plays only what is new. The same config gives the
same results with any number of processes.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import BrokenExecutor
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from president_env.files import write_whole
from training.parts import STOPPED, Part, play_parts, split
from training.tournament_config import Pair, TournamentConfig, load_tournament
from training.tournament_results import gathered, write_results

DOCS = Path(__file__).resolve().parents[1] / "docs"


def main(argv: Sequence[str] | None = None) -> int:
    """The command line; returns the exit status."""
    arguments = _arguments(argv)
    console = Console()
    try:
        config = load_tournament(arguments.config)
        seconds = None if arguments.minutes is None else 60 * arguments.minutes
        results, left = play(config, processes=arguments.processes, seconds=seconds, console=console)
        paths = write_results(results, config.folder)
        from training.tournament_pictures import CROSS, draw_pictures  # loads matplotlib, so only now

        paths += draw_pictures(results, config.folder)
        if config.publish is not None and (config.folder / CROSS).is_file():
            publish({**results, "left": left}, config.publish, arguments.config, (config.folder / CROSS).read_bytes())
    except (ValueError, OSError, BrokenExecutor) as error:
        print(f"tournament: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("tournament: stopped; the same command goes on from here", file=sys.stderr)
        return STOPPED
    for shown in (steps_table(results), *ratings_tables(results)):
        console.print(shown)
    print("wrote " + ", ".join(map(str, paths)))
    if left:
        print(f"{left} deals are left to play; the same command goes on with them")
    return 0


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m training.tournament", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("config", type=Path, help="a YAML file such as configs/arena/levels.yaml")
    parser.add_argument("--processes", type=int, default=1, help="processes that play (default 1)")
    parser.add_argument("--minutes", type=float, metavar="M",
                        help="begin nothing after so long, and make the tables of what has been played")  # fmt: skip
    return parser.parse_args(argv)


def play(
    config: TournamentConfig, *, processes: int = 1, seconds: float | None = None, console: Console | None = None
) -> tuple[dict[str, Any], int]:
    """Play what is not in the folder yet; the results, and the number of deals that are left."""
    games = parts_of(config)
    left = play_parts(
        config.folder, in_turn(games), processes=processes, seconds=seconds, console=console or Console(quiet=True)
    )
    return gathered(config, games), left


def parts_of(config: TournamentConfig) -> dict[tuple[str, Pair | None], list[Part]]:
    """The parts of every table and pair, and, as None, of the table's mixed lineups."""
    games: dict[tuple[str, Pair | None], list[Part]] = {}
    for table, rules in config.tables.items():
        one_against_field = (0, *[1] * (rules.players - 1))
        for pair in config.pairs:
            games[table, pair] = split(rules, pair, one_against_field, seed=config.seed, deals=config.deals[pair])
        games[table, None] = split(rules, config.bots, None, seed=config.seed, deals=config.mixed_deals)
    return games


def in_turn(games: Mapping[tuple[str, Pair | None], Sequence[Part]]) -> list[Part]:
    """All parts, so ordered that every pair gets some deals early on, and the costly ones begin."""
    shares = [(k / len(parts), part.deals, part) for parts in games.values() for k, part in enumerate(parts)]
    # a part of bots that take long has few deals
    return [part for _, _, part in sorted(shares, key=lambda share: share[:2])]


def publish(results: Mapping[str, Any], name: str, command: Path, picture: bytes) -> None:
    """Keep results and cross tables for the README, which `python -m president_env.docs` writes."""
    kept = {"command": f"python -m training.tournament {command}", **results}
    for folder in ("results", "images"):
        (DOCS / folder).mkdir(parents=True, exist_ok=True)
    write_whole(DOCS / "results" / f"{name}.json", json.dumps(kept, separators=(",", ":")) + "\n")
    write_whole(DOCS / "images" / f"{name}.png", picture)


def steps_table(results: Mapping[str, Any]) -> Table:
    """The rewards of the pairs that the config calls steps, a column a table."""
    title = "Mean reward of one seat against the field, ± half of the 95 % interval"
    shown = Table(title=title, title_justify="left")
    shown.add_column("one seat")
    shown.add_column("field")
    for table in results["tables"]:
        shown.add_column(table["name"], justify="right")
    for bot, against in results["steps"]:
        cells = []
        for table in results["tables"]:
            found = [pair for pair in table["pairs"] if (pair["bot"], pair["against"]) == (bot, against)]
            cells.append(estimate_text(found[0]["reward"]) if found else "")
        shown.add_row(bot, against, *cells)
    return shown


def ratings_tables(results: Mapping[str, Any]) -> list[Table]:
    """Ratings and rewards at the mixed tables."""
    tables = []
    for table in results["tables"]:
        if table["mixed"]:
            title = f"{table['name']}: {table['mixed']['deals']:,} deals at mixed tables, ratings by Plackett–Luce"
            shown = Table(title=title, title_justify="left")
            for column in ("bot", "rating", "mean reward", "firsts", "lasts"):
                shown.add_column(column, justify="left" if column == "bot" else "right")
            for bot in sorted(table["mixed"]["bots"], key=lambda bot: -bot["rating"]):
                places = (f"{bot['places'][0]:.1%}", f"{bot['places'][-1]:.1%}")
                rating = f"{bot['rating']:.1f} (σ {bot['sigma']:.1f})"
                shown.add_row(bot["bot"], rating, estimate_text(bot["reward"]), *places)
            tables.append(shown)
    return tables


def estimate_text(estimate: Mapping[str, float | None]) -> str:
    """A mean and half the width of its interval."""
    if estimate["low"] is None or estimate["high"] is None:
        return f"{estimate['mean']:+.3f} ± ?"
    return f"{estimate['mean']:+.3f} ± {(estimate['high'] - estimate['low']) / 2:.3f}"


if __name__ == "__main__":
    sys.exit(main())
