"""The games of a tournament in parts, each a file: made in any order, by any number of processes, and never twice.

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
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from president_env.arena import Results, joined, make_bot, play_duplicates
from president_env.engine.compiled import sources_hash
from president_env.files import write_whole
from president_env.rules import Rules
from training.tournament_config import TournamentConfig

if TYPE_CHECKING:
    from president_env.bots import Bot

PARTS = 10
"""Parts that the deals of a pair are split into."""
FIRST_STREAM = 1
"""The bots' seeds are the tournament's and their number in the lineup from here, as in training.evaluate."""


@dataclass(frozen=True)
class Part:
    """Some deals of a pair, or of the mixed tables."""

    table: str
    rules: Rules
    bots: tuple[str, ...]
    """Of a pair, the single one and the one at the other seats; of mixed tables, those that are drawn from."""
    mixed: bool
    seed: int
    first: int
    deals: int

    def file(self) -> str:
        """The path of its file in the folder of the tournament."""
        source = {
            "rules": self.rules.to_dict(), "bots": [_mark(spec) for spec in self.bots], "mixed": self.mixed,
            "seed": self.seed, "first": self.first, "deals": self.deals, "code": _code(),
        }  # fmt: skip
        digest = hashlib.sha256(json.dumps(source, sort_keys=True, default=str).encode()).hexdigest()[:16]
        title = "mixed" if self.mixed else " against ".join(Path(spec).stem for spec in self.bots)
        return f"parts/{self.table}/{title} {self.first} {digest}.npz"


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


def parts_of(config: TournamentConfig) -> list[Part]:
    """All parts, so ordered that every pair gets some deals early on, and the costly ones begin."""
    parts: list[tuple[int, Part]] = []
    for table, rules in config.tables.items():
        games = [(pair, False, config.deals[pair]) for pair in config.pairs]
        for bots, mixed, deals in [*games, (config.bots, True, config.mixed_deals)]:
            edges = [deals * k // PARTS for k in range(PARTS + 1)]
            parts += [
                (k, Part(table, rules, bots, mixed, config.seed, edges[k], edges[k + 1] - edges[k]))
                for k in range(PARTS)
                if edges[k + 1] > edges[k]
            ]
    # the strongest bots come last in a config, and fewer deals are asked of those that take long
    return [part for _, part in sorted(parts, key=lambda item: (item[0], item[1].deals))]


def play_part(part: Part) -> Played:
    """Play the deals of a part."""
    players = part.rules.players
    bots = [_bot(spec, part.seed + FIRST_STREAM + k) for k, spec in enumerate(part.bots)]
    if not part.mixed:
        lineup = [0] + [1] * (players - 1)
        results = _duplicates(part, bots, lineup, part.first, part.deals)
        return Played(results, np.tile(lineup, (part.deals, 1)))
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


@lru_cache
def _bot(spec: str, seed: int) -> "Bot":
    return make_bot(spec, seed=seed)


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


def read_parts(files: Iterable[Path]) -> Played | None:
    """The results of the parts whose files are there, in the order given; None if none is."""
    found = []
    for file in files:
        if file.is_file():
            with np.load(file, allow_pickle=False) as data:
                results = Results(*(data[name] for name in ("rewards", "places", "rounds")))
                found.append(Played(results, data["lineups"]))
    if not found:
        return None
    return Played(joined([part.results for part in found]), np.concatenate([part.lineups for part in found]))


def make_parts(
    todo: Sequence[tuple[Part, Path]],
    *,
    processes: int,
    seconds: float | None,
    on_progress: Callable[[int], None],
) -> None:
    """Make the parts, given with their files; begin none after so many seconds."""
    end = float("inf") if seconds is None else time.monotonic() + seconds
    for file in {file.parent for _, file in todo}:
        file.mkdir(parents=True, exist_ok=True)
    if processes == 1:
        for part, file in todo:
            if time.monotonic() < end:
                on_progress(make_part(part, file))
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
