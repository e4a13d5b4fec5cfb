"""Duplicate deals in parts, each a file: made in any order, by any number of processes, and never twice.

The name of a part's file says all that its games follow from: rules, bots, deals, seed, and the code of bots
and engine.
"""

import hashlib
import io
import json
import multiprocessing
import os
import signal
import threading
import time
import zipfile
import zlib
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from president_env.arena import Results, joined, make_bot, play_duplicates
from president_env.bots.monte_carlo_bot import MonteCarloBot
from president_env.engine.compiled import sources_hash
from president_env.files import write_whole
from president_env.rules import Rules

if TYPE_CHECKING:
    from president_env.bots import Bot

PART_DEALS = 200
"""Deals of a part, enough for a batch to pay and few enough to be soon done."""
PART_PLAYOUTS = 2000
"""For bots that search, deals times playouts of a decision; a part has one deal at least."""
FIRST_STREAM = 1
"""The seeds of the bots are that of the deals and their number from here, so that their random numbers differ."""
STOPPED = 130
"""The exit status after Ctrl-C."""


@dataclass(frozen=True)
class Part:
    """Some duplicate deals of some bots."""

    rules: Rules
    bots: tuple[str, ...]
    """Names or policy files."""
    lineup: tuple[int, ...] | None
    """For each seat the number of its bot; None for lineups that are drawn, another for each deal."""
    seed: int
    first: int
    """The number of its first deal, whose seed is that much above `seed`."""
    deals: int
    greedy: bool
    """Whether the first bot, if it is a policy, takes its likeliest move; the others do."""

    def file(self) -> str:
        """The path of its file in the folder that the parts are kept in."""
        source = vars(self) | {
            "rules": self.rules.to_dict(), "bots": [_mark(spec) for spec in self.bots], "code": _code()
        }  # fmt: skip
        digest = hashlib.sha256(json.dumps(source, sort_keys=True).encode()).hexdigest()[:16]
        one, *others = (Path(spec).stem for spec in self.bots)
        title = "mixed" if self.lineup is None else f"{one} against {', '.join(others)}"
        return f"parts/{title[:80]} {self.first} {digest}.npz"


def split(
    rules: Rules, bots: Sequence[str], lineup: Sequence[int] | None, *, seed: int, deals: int, greedy: bool = True
) -> list[Part]:
    """So many deals as parts. Those of more deals begin with them, so that what has been played serves again."""
    playouts = max(_playouts(spec) for spec in bots)
    size = min(PART_DEALS, max(PART_PLAYOUTS // playouts, 1)) if playouts else PART_DEALS
    fixed = None if lineup is None else tuple(lineup)
    return [
        Part(rules, tuple(bots), fixed, seed, first, min(size, deals - first), greedy)
        for first in range(0, deals, size)
    ]


@lru_cache
def _playouts(spec: str) -> int:
    """Of a decision; 0 for a bot that does not search."""
    bot = make_bot(spec)
    return bot.playouts if isinstance(bot, MonteCarloBot) else 0


_code = lru_cache(sources_hash)


@lru_cache
def _mark(spec: str) -> str:
    """What a bot is, beyond its name: of a policy file its contents."""
    return hashlib.sha256(Path(spec).read_bytes()).hexdigest() if spec.endswith(".safetensors") else spec


@dataclass(frozen=True)
class Played:
    """The results of some deals; `lineups` (deals, players) are numbers of bots in the part."""

    results: Results
    lineups: NDArray[np.int64]


def play_part(part: Part) -> Played:
    """Play the deals of a part."""
    players = part.rules.players
    bots = [
        make_bot(spec, seed=part.seed + FIRST_STREAM + k, greedy=part.greedy or k > 0)
        for k, spec in enumerate(part.bots)
    ]
    if part.lineup is not None:
        results = _duplicates(part, bots, part.lineup, part.first, part.deals)
        return Played(results, np.tile(part.lineup, (part.deals, 1)))
    lineups = [mixed_lineup(len(bots), players, part.seed, deal) for deal in range(part.first, part.first + part.deals)]
    one_by_one = [_duplicates(part, bots, lineup, part.first + k, 1) for k, lineup in enumerate(lineups)]
    return Played(joined(one_by_one), np.array(lineups))


def mixed_lineup(num_bots: int, players: int, seed: int, deal: int) -> list[int]:
    """The bots of a mixed table, drawn evenly: all different, or if there are too few, each about as often."""
    rng = np.random.default_rng((seed, deal))
    rounds = -(-players // num_bots)
    order = np.concatenate([rng.permutation(num_bots) for _ in range(rounds)])
    return [int(bot) for bot in order[:players]]


def _duplicates(part: Part, bots: Sequence["Bot"], lineup: Sequence[int], first: int, deals: int) -> Results:
    return play_duplicates(part.rules, [bots[k] for k in lineup], num_deals=deals, seed=part.seed + first)


def make_part(part: Part, file: Path) -> int:
    """Play a part into its file; returns the number of its deals."""
    played = play_part(part)
    data = io.BytesIO()
    results = played.results
    np.savez_compressed(
        data, rewards=results.rewards, places=results.places, rounds=results.rounds, lineups=played.lineups
    )
    write_whole(file, data.getvalue())
    return part.deals


def read_parts(folder: Path, parts: Iterable[Part]) -> Played | None:
    """The results of the parts whose files are there, in the order given; None if none is. ValueError names a file
    that cannot be read."""
    found = [_read(file) for file in (folder / part.file() for part in parts) if file.is_file()]
    if not found:
        return None
    return Played(joined([part.results for part in found]), np.concatenate([part.lineups for part in found]))


def _read(file: Path) -> Played:
    try:
        with np.load(io.BytesIO(file.read_bytes()), allow_pickle=False) as data:
            return Played(Results(*(data[name] for name in ("rewards", "places", "rounds"))), data["lineups"])
    except (ValueError, KeyError, OSError, EOFError, TypeError, AttributeError, zipfile.BadZipFile, zlib.error):
        raise ValueError(f"{file}: damaged; delete it, and the same command plays its deals again") from None


def play_parts(
    folder: Path, parts: Iterable[Part], *, processes: int = 1, seconds: float | None = None, console: Console
) -> int:
    """Play, behind a progress bar, what is not in the folder yet, but begin nothing after so many seconds.

    Returns the number of deals that are left.
    """
    if processes < 1:
        raise ValueError(f"--processes {processes}: give at least 1")
    files = {folder / part.file(): part for part in parts}
    todo = [(part, file) for file, part in files.items() if not file.is_file()]
    deals = sum(part.deals for part in files.values())
    left = sum(part.deals for part, _ in todo)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("deals", total=deals, completed=deals - left)
        _make_parts(todo, processes, seconds, lambda made: progress.advance(task, made))
    return sum(part.deals for part, file in todo if not file.is_file())


def _make_parts(
    todo: Sequence[tuple[Part, Path]], processes: int, seconds: float | None, on_progress: Callable[[int], None]
) -> None:
    end = float("inf") if seconds is None else time.monotonic() + seconds
    for folder in {file.parent for _, file in todo}:
        folder.mkdir(parents=True, exist_ok=True)
    if processes == 1 or len(todo) < 2:
        for part, file in todo:
            on_progress(_make_in_time(part, file, end))
        return
    # a fresh process each: a copy of this one would hold copies of its threads' locks
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, context, initializer=_begin_process) as pool:
        futures = [pool.submit(_make_in_time, part, file, end) for part, file in todo]
        try:
            for future in as_completed(futures):
                on_progress(future.result())
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def _begin_process() -> None:
    """Let a process end without a word at Ctrl-C, and with the one that began it, however that ended."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _make_in_time(part: Part, file: Path, end: float) -> int:
    """`make_part` unless it is too late; the clock is the same in every process."""
    return make_part(part, file) if time.monotonic() < end else 0
