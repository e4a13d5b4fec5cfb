"""Results of measurements: how they are kept in `docs/results/`, and what the README says of them."""

import json
import os
import platform
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from president_env.docs.markdown import code, table
from president_env.files import write_whole

CURVES = "docs/images/curves.png"
STRENGTH = "docs/images/strength.png"
EVALUATION = "evaluation.json"
MEASURES = (("place", "mean place", ".2f"), ("first", "share of firsts", ".1%"), ("reward", "mean reward", "+.3f"))


def training_part(result: dict[str, Any]) -> list[str]:
    """What a training run came to, from `docs/results/training.json`."""
    evaluation = result["evaluation"]
    players = evaluation["rules"]["players"]
    rows = [
        (f"{players - 1} × `{bot}`", *(_estimate(measures[key], form) for key, _, form in MEASURES))
        for bot, measures in evaluation["against"].items()
    ]
    return [
        f"`{result['command']}` plays {result['decisions'] / 1e6:.0f} million decisions in "
        f"{result['seconds'] / 60:.1f} minutes on {result['machine']}: {result['speed']}. One seat of the policy, "
        f"{evaluation['deals']:,} deals, each played from every seat, with 95 % intervals:",
        "",
        *table(("against", *(f"{title}>" for _, title, _ in MEASURES)), rows),
        "",
        f"![Reward of one seat against the bots over decisions and over wall time]({CURVES})",
    ]


def _estimate(estimate: dict[str, float], form: str) -> str:
    half = (estimate["high"] - estimate["low"]) / 2
    return f"{estimate['mean']:{form}} ± {half:{form.removeprefix('+')}}"


def headline_part(result: dict[str, Any]) -> list[str]:
    """The speeds in a sentence: the loop that the ratios which are wanted are about, and those to other projects."""
    name = result["wanted"][0]["what"]
    (row,) = (row for row in result["faces"] if row["what"] == name)
    others = [f"{_times(each['ratio'])} times those of {each['beside']}" for each in result["wanted"]]
    others = [text for text, each in zip(others, result["wanted"], strict=True) if each["what"] == name]
    return [
        f"**{row['decisions'] / 1e6:.1f} million decisions a second** on one core, observations, masks and rewards "
        f"included ({name}): {' and '.join(others)} in the same run ([Speed](#speed))."
    ]


def speed_part(result: dict[str, Any]) -> list[str]:
    """How fast the environment is, from `docs/results/speed.json`, a result of `benchmarks`."""
    lines = [
        f"Decisions and games a second on {result['machine']}, as `{result['command']}` prints them in one run, with "
        "the rules quebec at four players; the last column says how many times as fast the loop named before it is:",
        "",
        *table(*speed_table(result["faces"], "times as fast")),
    ]
    if result["wanted"]:
        lines += ["", *(f"- {ratio_text(ratio)}." for ratio in result["wanted"])]
    if result["growth"]:
        lines += [
            "",
            "How the cost of a decision grows in `Games`, 1,024 games on one thread where nothing else is said; "
            "further threads may run on any core:",
            "",
            *table(*speed_table(result["growth"], "cost")),
        ]
    return [*lines, "", memory_text(result["memory"])]


def speed_table(rows: list[dict[str, Any]], ratio: str) -> tuple[Sequence[str], list[Sequence[str]]]:
    """Titles and cells of timed loops; `ratio` is the title of the last column."""
    cells: list[Sequence[str]] = [
        (
            row["what"],
            f"{row['decisions']:,.0f}",
            f"{row['games']:,.0f}" if row["games"] else "",
            row["beside"] or "",
            _times(row["ratio"]) if row["beside"] else "",
        )
        for row in rows
    ]
    return ("what", "decisions a second>", "games a second>", "beside", f"{ratio}>"), cells


def ratio_text(ratio: dict[str, Any]) -> str:
    """One of the ratios that were wanted, in words."""
    return f"{ratio['what']}: {_times(ratio['ratio'])} times as fast as {ratio['beside']}"


def _times(ratio: float) -> str:
    return f"{ratio:,.{2 if ratio < 10 else 0}f}"


def memory_text(memory: dict[str, Any]) -> str:
    """What games take in memory."""
    rows = ", ".join(f"{size:,} ({name})" for name, size in memory["rows"].items())
    return (
        f"A match is a record of {memory['record']:,} bytes. In `Games`, with two sets of the arrays that a step hands "
        f"out, it takes so many: {rows}."
    )


def strength_part(result: dict[str, Any]) -> list[str]:
    """How the bots do against one another, from `docs/results/strength.json`, a result of `training.tournament`."""
    tables = result["tables"]
    names = [f"{table['name']}>" for table in tables]
    pairs = [{(pair["bot"], pair["against"]): pair for pair in found["pairs"]} for found in tables]
    steps = [
        (code(bot), code(against), *(_estimate(of[step]["reward"], "+.3f") if step in of else "" for of in pairs))
        for step in map(tuple, result["steps"])
        for bot, against in [step]
    ]
    deals = [pair["deals"] for found in tables for pair in found["pairs"]]
    stopped = f", stopped with {result['left']:,} deals left to play" if result["left"] else ""
    lines = [
        f"Mean place reward of one seat of a bot against another at all other seats, with 95 % intervals, in single "
        f"rounds of {len(tables)} tables: {min(deals):,} to {max(deals):,} deals a pair, each played from every seat "
        f"(`{result['command']}`{stopped}).",
        "",
        *table(("one seat", "against", *names), steps),
    ]
    mixed = [found["mixed"] for found in tables]
    if all(mixed):
        ratings = [
            {bot["bot"]: f"{bot['rating']:.1f} (σ {bot['sigma']:.1f})" for bot in found["bots"]} for found in mixed
        ]
        rows = [(code(bot), *(of.get(bot, "") for of in ratings)) for bot in reversed(result["bots"])]
        lines += [
            "",
            "Ratings by the Plackett–Luce model of openskill, in which all begin at 25, from "
            f"{min(found['deals'] for found in mixed):,} deals or more at tables of different bots:",
            "",
            *table(("bot", *names), rows),
        ]
    return [*lines, "", f"![Mean reward of one seat of each bot against each weaker one]({STRENGTH})"]


def adopt_run(folder: Path, root: Path) -> None:
    """Keep a training run's result for the README: its numbers and its curves. ValueError if it lacks a file."""
    from training.curves import CURVES as DRAWN
    from training.curves import METRICS, read_metrics, speed

    for name in (METRICS, DRAWN, EVALUATION):
        if not (folder / name).is_file():
            raise ValueError(f"{folder / name} is missing; {EVALUATION} is what training.evaluate writes with --json")
    rows = read_metrics(folder / METRICS)
    evaluation = json.loads((folder / EVALUATION).read_text(encoding="utf-8"))
    evaluation["agent"] = Path(evaluation["agent"]).name  # where it lay on this machine is nobody else's concern
    result = {
        "command": "make train",
        "machine": machine(),
        "decisions": int(rows[-1]["decisions"]),
        "seconds": rows[-1]["seconds"],
        "speed": speed(rows),
        "evaluation": evaluation,
    }
    results = root / "docs" / "results"
    results.mkdir(parents=True, exist_ok=True)
    write_whole(results / "training.json", json.dumps(result, indent=1) + "\n")
    write_whole(root / CURVES, (folder / DRAWN).read_bytes())


def machine() -> str:
    """The processor of this machine and how many cores of it this process may use."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{cores} cores of {processor()}"


def processor() -> str:
    """The processor of this machine, by name."""
    listing = Path("/proc/cpuinfo")
    lines = listing.read_text().splitlines() if listing.is_file() else []
    names = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
