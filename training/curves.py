"""The learning curves of a run: a row of numbers per update in a CSV file, and a picture of them."""

import csv
import io
import math
import pathlib
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib
from matplotlib.figure import Figure

from president_env.files import write_whole

METRICS = "metrics.csv"
CURVES = "curves.png"
COLORS = ("#0b7189", "#c8553d", "#6a4c93", "#588157", "#bc8a00", "#444444")


class Metrics:
    """Rows of numbers that are appended to a CSV file as they come."""

    def __init__(self, path: pathlib.Path, columns: Sequence[str]) -> None:
        self.path = path
        self.columns = list(columns)
        self.rows: list[dict[str, float]] = []

    def resume(self, decisions: int) -> None:
        """Begin the file with the rows up to this many decisions of the file that is there, if there is one."""
        if self.path.is_file():
            self.rows = [row for row in read_metrics(self.path) if row["decisions"] <= decisions]
        text = io.StringIO()
        writer = csv.DictWriter(text, self.columns, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows([_filled(row) for row in self.rows])
        write_whole(self.path, text.getvalue().encode())

    def append(self, row: Mapping[str, float]) -> None:
        """A row; columns that it lacks stay empty."""
        self.rows.append(dict(row))
        with self.path.open("a", newline="") as file:
            csv.DictWriter(file, self.columns, lineterminator="\n").writerow(_filled(row))


def read_metrics(path: pathlib.Path) -> list[dict[str, float]]:
    """The rows of a metrics file; empty cells are left out, and so is a row that was cut off."""
    rows = []
    with path.open(newline="") as file:
        for cells in csv.DictReader(file):
            if None not in cells.values():
                rows.append({name: float(cell) for name, cell in cells.items() if cell})
    return [row for row in rows if "decisions" in row]


def _filled(row: Mapping[str, float]) -> dict[str, Any]:
    return {name: f"{value:.6g}" if isinstance(value, float) else value for name, value in row.items()}


def speed(rows: Sequence[Mapping[str, float]]) -> str:
    """How fast a run was, and where the time went, in a line."""
    if not rows:
        return "no update yet"
    decisions = [row["decisions"] for row in rows]
    walls = [(after - before) / row["decisions_per_second"]
             for before, after, row in zip([0.0, *decisions], decisions, rows, strict=False)]  # fmt: skip
    total = sum(walls)
    phases = [name for name in rows[-1] if name.startswith("share_")]
    shares = {name: sum(row[name] * wall for row, wall in zip(rows, walls, strict=True)) / total for name in phases}
    words = ", ".join(f"{name.removeprefix('share_')} {share:.1%}" for name, share in shares.items())
    return f"{decisions[-1] / total:,.0f} decisions a second, learning and evaluation included; {words}"


def draw_curves(path: pathlib.Path, rows: Sequence[Mapping[str, float]], opponents: Sequence[str], title: str) -> None:
    """Reward against each bot, with its interval, over decisions and over wall time; below, how the learning went."""
    with matplotlib.rc_context({"font.size": 10, "axes.grid": True, "grid.alpha": 0.3, "axes.spines.top": False,
                                "axes.spines.right": False}):  # fmt: skip
        figure = Figure(figsize=(11, 7), layout="constrained")
        axes = figure.subplots(2, 2)
        for axis, column, unit, label in (
            (axes[0][0], "decisions", 1e6, "decisions (millions)"),
            (axes[0][1], "seconds", 60.0, "wall time (minutes)"),
        ):
            _draw_rewards(axis, rows, opponents, column, unit)
            axis.set_xlabel(label)
            axis.set_ylabel("reward of one seat against the bot")
            axis.locator_params(axis="x", nbins=6)
        _draw_line(axes[1][0], rows, "entropy", COLORS[2])
        axes[1][0].set_ylabel("entropy of the moves (nats)")
        _draw_line(axes[1][1], rows, "explained_variance", COLORS[3])
        axes[1][1].set_ylabel("explained variance of the returns")
        figure.suptitle(title)
        picture = io.BytesIO()
        figure.savefig(picture, format="png", dpi=120)
    write_whole(path, picture.getvalue())


def _draw_rewards(
    axis: Any, rows: Sequence[Mapping[str, float]], opponents: Sequence[str], column: str, unit: float
) -> None:
    for index, opponent in enumerate(opponents):
        name = f"reward_vs_{opponent}"
        points = [(row[column] / unit, row[name], row[f"{name}_half"]) for row in rows if name in row]
        if not points:
            continue
        x, mean, half = zip(*points, strict=True)
        color = COLORS[index % len(COLORS)]
        axis.plot(x, mean, color=color, marker="o", markersize=3, label=f"against {opponent}")
        low, high = ([m + sign * h for m, h in zip(mean, half, strict=True)] for sign in (-1, 1))
        axis.fill_between(x, low, high, color=color, alpha=0.2, linewidth=0)
        axis.annotate(f"{mean[-1]:+.2f}", (x[-1], mean[-1]), xytext=(4, 0), textcoords="offset points", color=color)
    axis.axhline(0.0, color="#888888", linewidth=0.8)
    if axis.get_legend_handles_labels()[0]:
        axis.legend(loc="lower right", frameon=False)


def _draw_line(axis: Any, rows: Sequence[Mapping[str, float]], name: str, color: str) -> None:
    points = [(row["decisions"] / 1e6, row[name]) for row in rows if not math.isnan(row.get(name, math.nan))]
    if points:
        axis.plot(*zip(*points, strict=True), color=color, linewidth=1.2)
    axis.set_xlabel("decisions (millions)")
    axis.locator_params(axis="x", nbins=6)
