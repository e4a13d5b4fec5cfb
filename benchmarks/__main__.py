"""One run that times every face of the environment beside what it is compared with.

usage: python -m benchmarks [--growth] [--seconds S] [--repetitions N] [--json FILE]

All loops run in turn, several times over, on one core, but for those that name threads. A speed is the median of the
repetitions, and a ratio the median of the ratios to the same repetition of another loop. Peers are timed where they are
installed.
"""

import argparse
import json
import os
import platform
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.compared import compared, growth, wanted
from benchmarks.memory import memory
from benchmarks.timing import Entry, Timings, available_cores, on_one_core, timed
from president_env.docs.measured import memory_text, processor, ratio_text, speed_table
from president_env.files import check_writable, write_whole


def main(argv: Sequence[str] | None = None) -> int:
    """The command line: time, print, and write the JSON that the README takes its tables from; the exit status."""
    arguments = _arguments(argv)
    try:
        _check(arguments)
        result = measured(arguments.seconds, arguments.repetitions, with_growth=arguments.growth)
        show(result, Console())
        if arguments.json:
            write_whole(arguments.json, json.dumps(result, indent=1) + "\n")
            print(f"wrote {arguments.json}")
    except (ValueError, OSError) as error:
        print(f"benchmarks: {error}", file=sys.stderr)
        return 2
    return 0


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Decisions and games a second.")
    parser.add_argument("--growth", action="store_true", help="also how the cost grows with players, rules, games")
    parser.add_argument("--seconds", type=float, default=0.4, help="of one repetition of one loop (default 0.4)")
    parser.add_argument("--repetitions", type=int, default=7, help="of every loop (default 7)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results there too")
    return parser.parse_args(argv)


def _check(arguments: argparse.Namespace) -> None:
    """ValueError or OSError for what could not be done, before minutes are spent on it."""
    if not 0 < arguments.seconds <= 60:
        raise ValueError(f"--seconds {arguments.seconds:g}: give more than 0 and at most 60")
    if arguments.repetitions < 1:
        raise ValueError(f"--repetitions {arguments.repetitions}: give at least 1")
    if arguments.json:
        check_writable(arguments.json, "--json")


def measured(seconds: float, repetitions: int, *, with_growth: bool) -> dict[str, Any]:
    """The results, as JSON has them."""
    faces = list(compared())
    # made before this thread is kept on one core: the threads of the batches may run on all
    growing = list(growth(min(2, len(available_cores()) or os.cpu_count() or 1))) if with_growth else []
    with on_one_core() as core:
        timings = timed(faces, seconds, repetitions)
        grown = timed(growing, seconds, repetitions)
    kept = "one core" if core is None else f"core {core} alone"
    return {
        "command": "make bench" + " ARGS=--growth" * with_growth,
        "machine": f"{kept} of {processor()}, Python {platform.python_version()}",
        "faces": rows_of(faces, timings),
        "wanted": wanted(timings) + wanted(grown),
        "growth": rows_of(growing, grown),
        "memory": memory(),
    }


def rows_of(entries: Sequence[Entry], timings: Timings) -> list[dict[str, Any]]:
    """A row for each loop: its speeds, and how many times as fast the one is that it is compared with."""
    return [
        {
            "what": what,
            "decisions": timings.decisions(what),
            "games": timings.games(what),
            "beside": beside,
            "ratio": timings.times_as_fast(beside, what) if beside else None,
        }
        for what, _, beside in entries
    ]


def show(result: dict[str, Any], console: Console) -> None:
    """Print the results as tables."""
    for title, ratio, rows in (("faces", "times as fast", result["faces"]), ("growth", "cost", result["growth"])):
        if rows:
            titles, cells = speed_table(rows, ratio)
            console.print(_table(f"{title}, on {result['machine']}", titles, cells))
    for found in result["wanted"]:
        bound, figure = found["wanted"]
        console.print(f"{ratio_text(found)} (wanted: {bound} {figure:,g})", highlight=False)
    console.print(memory_text(result["memory"]), highlight=False)


def _table(title: str, titles: Sequence[str], cells: Sequence[Sequence[str]]) -> Table:
    shown = Table(title=title, title_justify="left")
    for name in titles:
        shown.add_column(name.removesuffix(">"), justify="right" if name.endswith(">") else "left")
    for row in cells:
        shown.add_row(*row)
    return shown


if __name__ == "__main__":
    sys.exit(main())
