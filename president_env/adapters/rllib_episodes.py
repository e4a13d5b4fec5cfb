"""Decisions of many tables, as they were made step by step, cut into the episodes of single seats."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SEEN = ("observation", "action_mask")
"""Columns that an episode has one more of than of the others: what the seat sees in the end."""
Columns = dict[str, NDArray]  # type: ignore[type-arg]


@dataclass
class Decisions:
    """Decisions by name of column, (n, …) each, and who made them."""

    rows: NDArray[np.intp]
    """The table of each decision, (n,)."""
    seats: NDArray[np.int8]
    gained: NDArray[np.float32]
    """What its seat was rewarded with since, (n,)."""
    columns: Columns


@dataclass
class Step:
    """One step of all tables: the decisions to keep, and what the step brought."""

    decisions: Decisions
    seat: NDArray[np.int8]
    """Who decided at each table, (N,); `decisions` may be some of them."""
    rewards: NDArray[np.float32]
    """To each seat of each table, (N, P)."""
    done: NDArray[np.bool_]
    truncated: NDArray[np.bool_]


@dataclass
class Cut:
    """The decisions of one seat in one match, in order."""

    row: int
    seat: int
    match: int
    """Which of the table's matches in these steps it is, from 0."""
    columns: Columns
    rewards: NDArray[np.float32]
    """After each decision, until the seat's next one or the end."""
    terminated: bool
    truncated: bool


def cut_episodes(before: Decisions | None, steps: Sequence[Step]) -> tuple[list[Cut], Decisions]:
    """The episodes of these steps, and the decisions whose seats have not been on turn again.

    `before` are such decisions of earlier steps. A match that has ended closes its episodes; what they see last stands
    for the end, which has no view of its own. Other episodes end with what the seat sees at its open decision.
    """
    num_steps, num_rows = len(steps), len(steps[0].done)
    parts = [*([] if before is None else [before]), *(step.decisions for step in steps)]
    _add_rewards(before, steps)
    # how many matches of its table ended before each step
    matches = np.zeros((num_steps + 1, num_rows), dtype=np.int64)
    np.cumsum([step.done for step in steps], axis=0, out=matches[1:])
    truncated = np.zeros((num_rows, matches[-1].max() + 1), dtype=np.bool_)
    for number, step in zip(matches, steps, strict=False):
        truncated[step.truncated, number[step.truncated]] = True
    made = _joined(parts)
    counts = matches if before is None else np.concatenate((matches[:1], matches))
    match = np.concatenate([number[part.rows] for number, part in zip(counts, parts, strict=False)])
    order = np.lexsort((match, made.seats, made.rows))  # stable, so in order of time within a seat's match
    made, match = _chosen(made, order), match[order]
    over = match < matches[-1][made.rows]
    new = (np.diff(made.rows) != 0) | (np.diff(made.seats) != 0) | (np.diff(match) != 0)
    starts = np.flatnonzero(np.append(True, new)[: len(match)])
    ends = np.append(starts, len(match))[1:]
    seen, shifts = _seen(made, over, ends)
    cuts = []
    for start, end, shift in zip(starts.tolist(), ends.tolist(), shifts.tolist(), strict=True):
        length = end - start - (not over[start])
        if length:
            columns = {name: column[start + shift : start + shift + length + 1] for name, column in seen.items()}
            columns |= {name: c[start : start + length] for name, c in made.columns.items() if name not in SEEN}
            row, which = int(made.rows[start]), int(match[start])
            cut_off = bool(truncated[row, which])
            cuts.append(
                Cut(
                    row, int(made.seats[start]), which, columns, made.gained[start : start + length],
                    terminated=bool(over[start]) and not cut_off, truncated=cut_off,
                )
            )  # fmt: skip
    return cuts, _chosen(made, ends[~over[starts]] - 1)


def _add_rewards(before: Decisions | None, steps: Sequence[Step]) -> None:
    """Give every decision what came to its seat until its next one, or the end of the match."""
    coming = np.zeros_like(steps[0].rewards)
    rows = np.arange(len(coming))
    for step in reversed(steps):
        coming[step.done] = 0
        coming += step.rewards
        step.decisions.gained = coming[step.decisions.rows, step.decisions.seats]
        coming[rows, step.seat] = 0
    if before is not None:
        before.gained = before.gained + coming[before.rows, before.seats]


def _seen(made: Decisions, over: NDArray[np.bool_], ends: NDArray[np.intp]) -> tuple[Columns, NDArray[np.intp]]:
    """What was seen, the last of a match that is over twice, and by how much each episode is shifted by that."""
    closed = over[ends - 1]
    counts = np.ones(len(over), dtype=np.int64)
    counts[ends[closed] - 1] = 2
    return {name: np.repeat(made.columns[name], counts, axis=0) for name in SEEN}, np.cumsum(closed) - closed


def _joined(parts: Sequence[Decisions]) -> Decisions:
    names = parts[0].columns
    return Decisions(
        np.concatenate([part.rows for part in parts]),
        np.concatenate([part.seats for part in parts]),
        np.concatenate([part.gained for part in parts]),
        {name: np.concatenate([part.columns[name] for part in parts]) for name in names},
    )


def _chosen(decisions: Decisions, which: NDArray[np.intp]) -> Decisions:
    columns = {name: column[which] for name, column in decisions.columns.items()}
    return Decisions(decisions.rows[which], decisions.seats[which], decisions.gained[which], columns)
