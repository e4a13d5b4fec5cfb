"""Record matches of bots and policies: python -m training.record --bots level3 --out data/quebec.parquet

Writes every decision as a row of a Parquet file, for offline learning and imitation (`president_env.adapters.datasets`
describes the columns and reads it), the matches as records for `Game.replay`, or both. The same options lead to the
same file.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track

from president_env import Rules
from president_env.arena import make_bot
from president_env.bots import BatchBot
from president_env.bots.policy import PolicyBot
from president_env.files import write_whole
from president_env.game import MAX_SEED
from president_env.games import MAX_ROUNDS, check_positive
from president_env.record import record_of, write_record
from president_env.rule_source import rules_of
from training.parts import STOPPED
from training.record_matches import MATCHES_AT_ONCE, games_of, play_matches

LINES = ".jsonl"
MOST_MATCHES = 100_000_000
Append = Callable[[Mapping[str, NDArray[Any]]], None]


def main(argv: Sequence[str] | None = None) -> int:
    """The command line; returns the exit status."""
    arguments = _arguments(argv)
    console = Console()
    try:
        console.print(record(arguments, console), soft_wrap=True, highlight=False)
    except (ValueError, OSError) as error:
        print(f"record: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("record: stopped; a file that was not complete is gone", file=sys.stderr)
        return STOPPED
    return 0


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m training.record", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rules", default="quebec", help="a preset or a rules file (default: quebec)")
    parser.add_argument("--players", type=int, help="seats at the table (by default those of the rules)")
    parser.add_argument("--rounds", type=int, help="rounds of a match (by default as many as the rules say)")
    parser.add_argument("--bots", nargs="+", required=True, metavar="BOT",
                        help="bots or policy files: one for all seats, or one for each")  # fmt: skip
    parser.add_argument(
        "--sample", action="store_true", help="draw the policies' moves instead of taking the likeliest"
    )
    parser.add_argument("--matches", type=int, default=1000, help="how many (default: 1000)")
    parser.add_argument("--seed", type=int, default=0, help="of the first match; the next has the next")
    parser.add_argument(
        "--max-rounds", type=int, default=MAX_ROUNDS, help="a match that is not over by then is cut off"
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="Parquet file, a row a decision")
    parser.add_argument("--records", type=Path, metavar="FOLDER",
                        help=f"folder for the matches as JSON, or a file ending in {LINES} for one a line")  # fmt: skip
    parser.add_argument("--force", action="store_true", help="replace files that are there")
    return parser.parse_args(argv)


def record(arguments: argparse.Namespace, console: Console) -> str:
    """Play and write; returns a line on what was done. ValueError before anything is written."""
    check_positive(matches=arguments.matches, max_rounds=arguments.max_rounds)
    if arguments.matches > MOST_MATCHES:
        raise ValueError(f"--matches {arguments.matches}: give at most {MOST_MATCHES}")
    if not 0 <= arguments.seed <= MAX_SEED - arguments.matches:
        raise ValueError(f"--seed {arguments.seed}: give a whole number from 0 to {MAX_SEED - arguments.matches}")
    if arguments.out is None and arguments.records is None:
        raise ValueError("nothing to write: give --out FILE, --records FOLDER, or both")
    if arguments.out is not None and arguments.out == arguments.records:
        raise ValueError(f"--out and --records are both {arguments.out}; give two names")
    rules = _rules(arguments)
    bots = _bots(arguments, rules)
    if arguments.out is not None:
        _check_file(arguments.out, arguments.force)
    if arguments.records is not None:
        (_check_file if arguments.records.suffix == LINES else _check_folder)(arguments.records, arguments.force)
    start, num_decisions = time.perf_counter(), 0
    seeds = np.arange(arguments.seed, arguments.seed + arguments.matches, dtype=np.int64)
    firsts = range(0, len(seeds), MATCHES_AT_ONCE)
    with _rows(arguments, rules) as append_rows, _records(arguments.records, rules) as append_records:
        for first in track(firsts, "matches", console=console, transient=True, disable=not console.is_terminal):
            columns = play_matches(rules, bots, seeds[first : first + MATCHES_AT_ONCE], arguments.max_rounds)
            columns["match"] += first
            append_rows(columns)
            append_records(columns)
            num_decisions += len(columns["step"])
    seconds = time.perf_counter() - start
    written = " and ".join(str(path) for path in (arguments.out, arguments.records) if path is not None)
    return (
        f"{arguments.matches:,} matches, {num_decisions:,} decisions, {seconds:.1f} s "
        f"({num_decisions / seconds:,.0f} a second): {written}"
    )


def _rules(arguments: argparse.Namespace) -> Rules:
    length = {} if arguments.rounds is None else {"rounds": arguments.rounds, "target_score": None}
    return rules_of(arguments.rules, arguments.players, **length)


def _bots(arguments: argparse.Namespace, rules: Rules) -> list[BatchBot]:
    """One for each seat; the same object where the name is the same."""
    specs = arguments.bots * rules.players if len(arguments.bots) == 1 else arguments.bots
    if len(specs) != rules.players:
        raise ValueError(f"--bots: {len(specs)} were given; give one for all seats, or {rules.players} for one each")
    made: dict[str, Any] = {spec: make_bot(spec, seed=arguments.seed) for spec in dict.fromkeys(specs)}
    for bot in made.values():
        if isinstance(bot, PolicyBot):
            bot.check(rules)
            bot.greedy = not arguments.sample
    return [made[spec] for spec in specs]


def _check_file(path: Path, force: bool) -> None:
    if path.is_dir():
        raise ValueError(f"{path} is a folder; give the name of a file in it")
    if path.exists() and not force:
        raise ValueError(f"{path} is there already; give another name, or --force to replace it")


def _check_folder(path: Path, force: bool) -> None:
    if path.exists() and not path.is_dir():
        raise ValueError(f"{path} is a file; give a folder, or a name that ends in {LINES}")
    if path.exists() and any(path.iterdir()) and not force:
        raise ValueError(f"{path} holds files already; give another folder, or --force to write into it")


@contextmanager
def _rows(arguments: argparse.Namespace, rules: Rules) -> Iterator[Append]:
    """A function that appends decisions to the Parquet file, if one is wanted."""
    if arguments.out is None:
        yield lambda _: None
        return
    try:
        from president_env.adapters import datasets
    except ModuleNotFoundError as error:
        raise ValueError(f"--out needs {error.name}: make setup-all adds it, or pip install '.[data]'") from None
    names = arguments.bots * rules.players if len(arguments.bots) == 1 else arguments.bots
    players, of_seat = datasets.players_of(names)
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    note = {name: getattr(arguments, name) for name in ("seed", "matches", "max_rounds", "sample")}
    with datasets.writing(arguments.out, rules, players, note) as append:
        yield lambda columns: append({**columns, "player": of_seat[columns["seat"]]})


@contextmanager
def _records(path: Path | None, rules: Rules) -> Iterator[Append]:
    """A function that appends matches to the records, if they are wanted; a file of lines is written at the end."""
    lines: list[str] = []
    if path is not None:
        (path.parent if path.suffix == LINES else path).mkdir(parents=True, exist_ok=True)

    def append(columns: Mapping[str, NDArray[Any]]) -> None:
        if path is None:
            return
        for number, game in enumerate(games_of(rules, columns), int(columns["match"][0])):
            if path.suffix == LINES:
                lines.append(json.dumps(record_of(game)) + "\n")
            else:
                write_record(game, path / f"match_{number:06}.json")

    yield append
    if path is not None and path.suffix == LINES:
        write_whole(path, "".join(lines))


if __name__ == "__main__":
    sys.exit(main())
