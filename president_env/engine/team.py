"""Threads that make the steps of a batch together, each for its own rows."""

import os
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numba.core import config
from numpy.typing import NDArray

from president_env.engine.tickets import MOST_THREADS, no_tickets, post

Result = TypeVar("Result")
TakePart = Callable[[NDArray[np.int64]], int]
"""Compiled: takes part, as the first thread of these tickets, in the step that was posted; 0 if others are still at it,
else how it stands."""
Serve = Callable[[NDArray[np.int64], int], None]
"""Compiled: takes part in steps as the thread of these tickets at this place, until it resigns."""


class Team:
    """`num_threads` threads, the caller's included, for batches of `num_rows` rows.

    A thread that has made a step stays awake for about half a millisecond, so that it is there for a next one that
    follows soon; then it sleeps. In plain Python the caller's thread does all.
    """

    def __init__(self, num_rows: int, num_threads: int) -> None:
        num_threads = 1 if config.DISABLE_JIT else min(num_threads, num_rows, MOST_THREADS)
        cuts = [num_rows * k // num_threads for k in range(num_threads + 1)]
        self.ranges = list(pairwise(cuts))
        """The rows of each thread, from and up to."""
        self._hire()

    def __reduce__(self) -> tuple[type["Team"], tuple[int, int]]:
        """A copy hires threads of its own."""
        return Team, (self.ranges[-1][1], len(self.ranges))

    def _hire(self) -> None:
        others = len(self.ranges) - 1
        self._tickets = no_tickets(self.ranges)
        self._pool = ThreadPoolExecutor(others, thread_name_prefix="president") if others else None
        self._serving: dict[int, Future[None]] = {}
        self._process = os.getpid()

    def share(self, work: Callable[[int, int], Result]) -> list[Result]:
        """Do the work on the rows of every thread; returns what it returned, when all is done."""
        pool = self._awake()
        others = [pool.submit(work, *rows) for rows in self.ranges[1:]] if pool else []
        return [work(*self.ranges[0]), *(other.result() for other in others)]

    def step(self, buffers: int, actions: NDArray[np.int64], take_part: TakePart, serve: Serve) -> int:
        """Post a step with these actions, while this set of buffers shows the games, and take part in it, without a
        call of Python for it in each thread; returns how it stands in the end."""
        pool = self._awake()
        self._posted = actions  # which threads may still read if this step is broken off
        try:
            resigned = post(self._tickets, buffers, actions)
            for place in range(1, len(self.ranges)):
                if pool and resigned >> place & 1:
                    self._serving[place] = pool.submit(serve, self._tickets, place)
            while not (stands := take_part(self._tickets)):
                for future in self._serving.values():
                    if future.done():
                        future.result()
                time.sleep(1e-5)
            return stands
        except BaseException:  # Ctrl-C, say: who serves is not known any more
            if pool:
                pool.shutdown()
            self._hire()
            raise

    def _awake(self) -> ThreadPoolExecutor | None:
        if self._pool and self._process != os.getpid():
            self._hire()  # threads do not live on in a process that was forked
        return self._pool
