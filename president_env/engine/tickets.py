"""How threads that share a batch make a step together without Python: counters that all can see.

`tickets` is (2 + threads, LINE) int64, a row far enough from the next that no two share a cache line. The thread that
wants a step posts it in the row BOARD; the threads count in the row COUNTS how far they are. The others have a row each
for the range of games that is theirs: its work is cut into pieces, of which the first is to check its actions, and
whoever has nothing left of his own takes pieces of the others. So a step is made by the threads that are there, and
one that is held up holds up a piece.

Who serves sees that there is a new step and takes part in it. One that has waited for long resigns, and has to be sent
for when the next step is posted.
"""

import ctypes
from typing import Any

import numpy as np
from numba.core import types

from president_env.engine.compiled import compiled, part
from president_env.engine.emit import BYTE, WORD, compile_to

LINE = 16
MOST_THREADS = 63
"""As many as `post` has bits for."""
BOARD, COUNTS, FIRST_THREAD = range(3)
"""Rows; that of thread k is FIRST_THREAD + k."""
NUMBER, BUFFERS, ACTIONS = range(3)
"""Columns of the board: how many steps were posted; the set of buffers that holds the masks to be checked; where in
memory the actions are."""
CHECKED, REFUSED, MADE = range(3)
"""Columns of the counts: ranges whose actions have been checked, those that hold an illegal one, pieces made."""
TAKEN, SERVES, LOW, HIGH = range(4)
"""Columns of a thread: the step and how many pieces of it have been taken, in one word; whether the thread serves;
the games of its range, from and up to."""

PIECE = 64
"""Games in a piece."""
_STEP = 32
"""The bit from which on TAKEN holds the step."""
PATIENCE = 3_000_000
"""How often a thread looks for the next step before it resigns: in about half a millisecond."""
PATIENCE_WITHIN = PATIENCE // 10
"""How often it looks, within a step, for what the others have yet to do."""


def read(tickets, row, column):
    """A counter as it is now."""
    return int(tickets[row, column])


def exchanged(tickets, row, column, old, new):
    """Set a counter that is `old` to `new`; whether it was."""
    found = read(tickets, row, column) == old
    if found:
        tickets[row, column] = new
    return found


def written(tickets, row, column, number):
    """Set a counter."""
    tickets[row, column] = number


def added(tickets, row, column, number):
    """Add the number to a counter."""
    tickets[row, column] += number


def number_at(address, index):
    """The int64 number at this index of those that lie at this address of the memory."""
    return ctypes.c_int64.from_address(int(address) + 8 * int(index)).value


def _counter(builder: Any, first: Any, row: Any, column: Any) -> Any:
    index = builder.add(builder.mul(row, row.type(LINE)), column)
    at = builder.gep(first, [builder.mul(index, index.type(WORD.width // BYTE.width))])
    return builder.bitcast(at, WORD.as_pointer())


def _read(builder: Any, first: Any, row: Any, column: Any) -> Any:
    return builder.load_atomic(_counter(builder, first, row, column), "seq_cst", WORD.width // BYTE.width)


def _exchanged(builder: Any, first: Any, row: Any, column: Any, old: Any, new: Any) -> Any:
    pair = builder.cmpxchg(_counter(builder, first, row, column), old, new, "seq_cst", "seq_cst")
    return builder.extract_value(pair, 1)


def _written(builder: Any, first: Any, row: Any, column: Any, number: Any) -> None:
    builder.store_atomic(number, _counter(builder, first, row, column), "seq_cst", WORD.width // BYTE.width)


def _added(builder: Any, first: Any, row: Any, column: Any, number: Any) -> None:
    builder.atomic_rmw("add", _counter(builder, first, row, column), number, "seq_cst")


def _number_at(builder: Any, address: Any, index: Any) -> Any:
    return builder.load(builder.gep(builder.inttoptr(address, WORD.as_pointer()), [index]))


compile_to(number_at, types.int64, _number_at)
compile_to(read, types.int64, _read)
compile_to(exchanged, types.boolean, _exchanged)
compile_to(written, types.void, _written)
compile_to(added, types.void, _added)


def no_tickets(ranges: list[tuple[int, int]]) -> np.ndarray:
    """Tickets of threads with these ranges of games, before the first step, when nobody serves yet."""
    tickets = np.zeros((FIRST_THREAD + len(ranges), LINE), dtype=np.int64)
    tickets[FIRST_THREAD:, LOW : HIGH + 1] = ranges
    return tickets


@compiled
def post(tickets, buffers, actions):
    """Post the next step. Returns which threads have to be sent for, a bit each; they count as serving from now on.

    The actions are int64, one a game, and have to stay where they are until the step is made or refused. The first
    thread is the one that posts. Steps must not overlap: the last must have been made or refused, or its threads must
    be gone.
    """
    number = read(tickets, BOARD, NUMBER) + 1
    tickets[BOARD, BUFFERS] = buffers
    tickets[BOARD, ACTIONS] = actions.ctypes.data
    # before the counts: who has not yet seen that the last step was refused must find no piece of it
    for row in range(FIRST_THREAD, len(tickets)):
        written(tickets, row, TAKEN, number << _STEP)
    for column in (CHECKED, REFUSED, MADE):
        written(tickets, COUNTS, column, 0)
    written(tickets, BOARD, NUMBER, number)
    resigned = 0
    for place in range(1, len(tickets) - FIRST_THREAD):
        if exchanged(tickets, FIRST_THREAD + place, SERVES, 0, 1):
            resigned |= 1 << place
    return resigned


@part
def piece_taken(tickets, row, number, from_piece, up_to):
    """Take the next piece of this range, if it is one of these, for this step; −1 if there is none any more."""
    while True:
        taken = read(tickets, row, TAKEN)
        piece = taken - (number << _STEP)  # out of bounds if another step has been posted since
        if not from_piece <= piece < up_to:
            return -1
        if exchanged(tickets, row, TAKEN, taken, taken + 1):
            return piece


@part
def all_counted(tickets, column, number, wanted):
    """Wait a while for a count of this step to come to what is wanted; whether it has."""
    for _ in range(PATIENCE_WITHIN):
        if read(tickets, COUNTS, column) == wanted:
            return True
        if read(tickets, BOARD, NUMBER) != number:
            return False
    return False


@part
def num_pieces(tickets, row):
    """Pieces of games in this range; the check is one more."""
    return (tickets[row, HIGH] - tickets[row, LOW] + PIECE - 1) // PIECE


@part
def next_step(tickets, place, last):
    """Wait for a step after the last one that this thread has seen: its number, or −1 if there is none for so long that
    the thread resigns."""
    row = FIRST_THREAD + place
    while True:
        for _ in range(PATIENCE):
            number = read(tickets, BOARD, NUMBER)
            if number != last:
                return number
        exchanged(tickets, row, SERVES, 1, 0)
        # a step may have been posted before this was seen
        if read(tickets, BOARD, NUMBER) == last or not exchanged(tickets, row, SERVES, 0, 1):
            return -1
