"""Pictures of a tournament: the cross tables as heat maps, and how often each bot came in which place."""

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import FuncNorm, LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from numpy.typing import NDArray

from president_env.files import write_whole

CROSS, PLACES = "cross_tables.png", "placements.png"
INK, PAPER, FAINT = "#22333b", "#ffffff", "#e9ecef"
BEST, WORST = "#0b7189", "#c8553d"
COLUMNS = 2


def draw_pictures(results: Mapping[str, Any], folder: Path) -> list[Path]:
    """Draw what there are results for; returns the paths of the pictures."""
    drawn = []
    crossed = [table for table in results["tables"] if table["pairs"]]
    mixed = [table for table in results["tables"] if table["mixed"]]
    if crossed:
        drawn.append(_saved(_cross_figure(crossed, results["bots"]), folder / CROSS))
    if mixed:
        drawn.append(_saved(_places_figure(mixed), folder / PLACES))
    return drawn


def _saved(figure: Figure, path: Path) -> Path:
    data = io.BytesIO()
    figure.savefig(data, format="png", dpi=110, facecolor=PAPER)
    write_whole(path, data.getvalue())
    return path


def _panels(number: int, width: float, height: float) -> tuple[Figure, list[Axes]]:
    """A figure with so many panels of that size in inches, row by row."""
    columns = min(number, COLUMNS)
    rows = -(-number // columns)
    with matplotlib.rc_context({"font.family": "DejaVu Sans", "font.size": 9, "text.color": INK}):
        figure = Figure(
            figsize=(width * columns, height * rows), layout=ConstrainedLayoutEngine(w_pad=0.12, h_pad=0.12)
        )
        axes = figure.subplots(rows, columns, squeeze=False).flatten()
    for spare in axes[number:]:
        spare.set_axis_off()
    for panel in axes:
        panel.tick_params(length=0, labelsize=9, colors=INK)
        for side in panel.spines.values():
            side.set_visible(False)
    return figure, list(axes[:number])


def _short(spec: str) -> str:
    return Path(spec).stem if spec.endswith(".safetensors") else spec


def _cross_figure(tables: Sequence[Mapping[str, Any]], bots: Sequence[str]) -> Figure:
    """Rows are the single seat, the strongest on top, columns those at the other seats, the weakest at the left."""
    rows = [bot for bot in reversed(bots) if any(p["bot"] == bot for t in tables for p in t["pairs"])]
    columns = [bot for bot in bots if any(p["against"] == bot for t in tables for p in t["pairs"])]
    figure, axes = _panels(len(tables), 1.6 + 0.62 * len(columns), 1.3 + 0.46 * len(rows))
    most = max(0.1, *(abs(pair["reward"]["mean"]) for table in tables for pair in table["pairs"]))
    colors = LinearSegmentedColormap.from_list("rewards", (WORST, "#fbfaf7", BEST))
    # by the root, so that small differences are seen beside large ones
    norm = FuncNorm((_signed_root, _signed_square), -most, most)
    for axis, table in zip(axes, tables, strict=True):
        cells = np.full((len(rows), len(columns)), np.nan)
        for pair in table["pairs"]:
            row, column = rows.index(pair["bot"]), columns.index(pair["against"])
            cells[row, column] = pair["reward"]["mean"]
            _write_cell(axis, column, row, pair["reward"], dark=abs(pair["reward"]["mean"]) > 0.38 * most)
        axis.imshow(np.ma.masked_invalid(cells), cmap=colors, norm=norm, aspect="auto")
        axis.set_xticks(range(len(columns)), [_short(bot) for bot in columns])
        axis.set_yticks(range(len(rows)), [_short(bot) for bot in rows])
        axis.set_xticks(np.arange(len(columns) + 1) - 0.5, minor=True)
        axis.set_yticks(np.arange(len(rows) + 1) - 0.5, minor=True)
        axis.grid(which="minor", color=PAPER, linewidth=2)
        axis.tick_params(which="minor", length=0)
        axis.set_title(table["name"], loc="left", fontsize=12, fontweight="bold", color=INK)
        axis.set_xlabel(f"at the other {table['rules']['players'] - 1} seats", color=INK)
        axis.set_ylabel("one seat", color=INK)
    figure.suptitle("Mean place reward of one seat, ± half of the 95 % interval", fontsize=13, color=INK)
    return figure


def _signed_root(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.sign(values) * np.sqrt(np.abs(values))


def _signed_square(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.sign(values) * np.square(values)


def _write_cell(axis: Axes, column: int, row: int, reward: Mapping[str, Any], *, dark: bool) -> None:
    color = PAPER if dark else INK
    axis.text(column, row - 0.1, f"{reward['mean']:+.2f}".replace("-", "−"), ha="center", va="center", color=color)
    if reward["low"] is not None:
        half = f"±{(reward['high'] - reward['low']) / 2:.2f}"
        axis.text(column, row + 0.25, half, ha="center", va="center", color=color, fontsize=6.5, alpha=0.85)


def _places_figure(tables: Sequence[Mapping[str, Any]]) -> Figure:
    """A bar for each bot, the strongest on top, of the shares of its places."""
    most = max(len(table["mixed"]["bots"]) for table in tables)
    figure, axes = _panels(len(tables), 5.6, 1.4 + 0.36 * most)
    colors = LinearSegmentedColormap.from_list("places", (BEST, "#f2efe6", WORST))
    for axis, table in zip(axes, tables, strict=True):
        bots = table["mixed"]["bots"]
        shares = np.array([bot["places"] for bot in bots])
        starts = np.zeros(len(bots))
        places = shares.shape[1]
        for place in range(places):
            color = colors(place / (places - 1))
            axis.barh(range(len(bots)), shares[:, place], left=starts, color=color, height=0.78, label=_ordinal(place))
            for k, share in enumerate(shares[:, place]):
                if share >= 0.07:
                    ink = PAPER if place in (0, places - 1) else INK
                    axis.text(starts[k] + share / 2, k, f"{share:.0%}", ha="center", va="center", color=ink, fontsize=8)
            starts += shares[:, place]
        axis.set_yticks(range(len(bots)), [_short(bot["bot"]) for bot in bots])
        axis.set_xlim(0, 1)
        axis.set_xticks([])
        axis.set_title(table["name"], loc="left", fontsize=12, fontweight="bold", color=INK)
        axis.legend(ncols=places, loc="upper center", bbox_to_anchor=(0.5, 0.0), frameon=False, fontsize=8,
                    handlelength=1.0, columnspacing=1.2)  # fmt: skip
    figure.suptitle("How often each bot came in which place, at tables of different bots", fontsize=13, color=INK)
    return figure


def _ordinal(place: int) -> str:
    return ("1st", "2nd", "3rd")[place] if place < 3 else f"{place + 1}th"
