"""How loops are timed: in turn, several times over, so that the machine's moods fall on all of them."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from statistics import median
from typing import NamedTuple


class Played(NamedTuple):
    """What a loop did in the time that it was given."""

    decisions: int
    games: int
    seconds: float
    """Those that count; a loop may leave out what is not the environment's."""


Loop = Callable[[float], Played]
"""Runs for about so many seconds."""


class Entry(NamedTuple):
    """A loop to be timed, and the name of the one that it is compared with."""

    what: str
    loop: Loop
    beside: str | None = None


class Timings:
    """What each loop played, a repetition after the other."""

    def __init__(self, played: dict[str, list[Played]]) -> None:
        self.played = played

    def decisions(self, what: str) -> float:
        """Decisions a second, the median of the repetitions."""
        return median(self._speeds(what))

    def games(self, what: str) -> float:
        """Games that ended a second, likewise."""
        return median(one.games / one.seconds for one in self.played[what])

    def times_as_fast(self, what: str, beside: str) -> float:
        """How many times the decisions of `beside` are made: the median of the ratios within a repetition."""
        return median(a / b for a, b in zip(self._speeds(what), self._speeds(beside), strict=True))

    def _speeds(self, what: str) -> list[float]:
        return [one.decisions / one.seconds for one in self.played[what]]


def timed(entries: Sequence[Entry], seconds: float, repetitions: int) -> Timings:
    """Run each loop for so many seconds, all in turn, after a shorter run that warms it up."""
    for entry in entries:
        entry.loop(seconds / 4)
    played: dict[str, list[Played]] = {entry.what: [] for entry in entries}
    for _ in range(repetitions):
        for entry in entries:
            played[entry.what].append(entry.loop(seconds))
    return Timings(played)


def available_cores() -> list[int]:
    """The cores that this thread may run on, by number; empty where the system does not tell."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


@contextmanager
def on_one_core() -> Iterator[int | None]:
    """Keep this thread, and those that it starts, on the last core that it may use; None where that cannot be asked."""
    allowed = available_cores()
    if not allowed:
        yield None
        return
    os.sched_setaffinity(0, allowed[-1:])
    try:
        yield allowed[-1]
    finally:
        os.sched_setaffinity(0, allowed)
