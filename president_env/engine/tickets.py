"""How threads that share a batch hand its steps to each other without Python: a row of counters that all can see.

`tickets` is (threads, LINE) int64, a cache line for each thread. Thread 0 posts the number of the step that is to be
made. The others serve: each sees that there is a new one, makes it for its own rows and notes that it is finished. One
that has waited for long resigns, and has to be sent for when the next step is posted.
"""

from typing import Any

import numpy as np
from numba.core import types

from president_env.engine.compiled import compiled, part
from president_env.engine.emit import BYTE, WORD, compile_to

LINE = 8
MOST_THREADS = 63
"""As many as `post` has bits for."""
NUMBER, SERVES, BUFFERS = range(3)
"""Columns: the step that was posted or is finished; whether the thread serves; which set of buffers the step fills."""
PATIENCE = 3_000_000
"""How often a thread looks for the next step before it resigns: in about half a millisecond."""
PATIENCE_AT_END = PATIENCE // 10
"""How often the first thread looks whether the others have finished before it sleeps: they make about as many rows."""


def read(tickets, index):
    """A counter as it is now, by its index in the flat array."""
    return int(tickets.reshape(-1)[index])


def exchanged(tickets, index, old, new):
    """Set a counter that is `old` to `new`; whether it was."""
    found = read(tickets, index) == old
    if found:
        tickets.reshape(-1)[index] = new
    return found


def _counter(builder: Any, first: Any, index: Any) -> Any:
    at = builder.gep(first, [builder.mul(index, index.type(WORD.width // BYTE.width))])
    return builder.bitcast(at, WORD.as_pointer())


def _read(builder: Any, first: Any, index: Any) -> Any:
    return builder.load_atomic(_counter(builder, first, index), "seq_cst", WORD.width // BYTE.width)


def _exchanged(builder: Any, first: Any, index: Any, old: Any, new: Any) -> Any:
    pair = builder.cmpxchg(_counter(builder, first, index), old, new, "seq_cst", "seq_cst")
    return builder.extract_value(pair, 1)


compile_to(read, types.int64, _read)
compile_to(exchanged, types.boolean, _exchanged)


@compiled
def post(tickets, buffers):
    """Post the next step. Returns which threads have to be sent for, a bit each; they count as serving from now on."""
    number = read(tickets, NUMBER)
    tickets[0, BUFFERS] = buffers
    exchanged(tickets, NUMBER, number, number + 1)
    resigned = 0
    for place in range(1, len(tickets)):
        if exchanged(tickets, place * LINE + SERVES, 0, 1):
            resigned |= 1 << place
    return resigned


@compiled
def all_finished(tickets):
    """Wait a while for the other threads to finish the step; whether they have."""
    number = read(tickets, NUMBER)
    for place in range(1, len(tickets)):
        for _ in range(PATIENCE_AT_END):
            if read(tickets, place * LINE) == number:
                break
        else:
            return False
    return True


@part
def next_step(tickets, place):
    """Wait for a step that this thread has not finished: its number, or −1 if there is none for so long that the thread
    resigns."""
    mine = place * LINE
    finished = read(tickets, mine)
    while True:
        for _ in range(PATIENCE):
            number = read(tickets, NUMBER)
            if number != finished:
                return number
        exchanged(tickets, mine + SERVES, 1, 0)
        # a step may have been posted before this was seen
        if read(tickets, NUMBER) == finished or not exchanged(tickets, mine + SERVES, 0, 1):
            return -1


@part
def step_finished(tickets, place, number):
    """Note that this thread has made the step."""
    exchanged(tickets, place * LINE, number - 1, number)


def no_tickets(num_threads: int) -> np.ndarray:
    """Tickets before the first step, when nobody serves yet."""
    return np.zeros((num_threads, LINE), dtype=np.int64)
