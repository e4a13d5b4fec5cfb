"""What a tournament came to: per pair, per seat, placements and ratings, as plain values, JSON and CSV."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from president_env.arena import interval
from president_env.files import write_whole
from training.parts import Part, Played, read_parts
from training.tournament_config import Pair, TournamentConfig

MEASURES = ("reward", "place", "first")


def gathered(config: TournamentConfig, games: Mapping[tuple[str, Pair | None], Sequence[Part]]) -> dict[str, Any]:
    """The results of what has been played of the games of each table and pair; None stands for its mixed tables.

    Every number is rounded to five digits.
    """
    tables = []
    for table, rules in config.tables.items():
        pairs = []
        for pair in config.pairs:
            if played := read_parts(config.folder, games[table, pair]):
                pairs.append(_pair(pair, played))
        mixed = read_parts(config.folder, games[table, None])
        tables.append(
            {
                "name": table,
                "rules": rules.to_dict(),
                "pairs": pairs,
                "mixed": _mixed(config.bots, mixed) if mixed else None,
            }
        )
    return {
        "seed": config.seed,
        "bots": list(config.bots),
        "steps": [list(step) for step in config.steps],
        "tables": tables,
    }


def _pair(pair: Pair, played: Played) -> dict[str, Any]:
    results = played.results
    return {
        "bot": pair[0], "against": pair[1], "deals": len(results.rewards), "rounds": int(results.rounds.sum()),
        **results.summary(0),
        "seats": [results.reward(0, seat).plain() for seat in range(results.rewards.shape[2])],
    }  # fmt: skip


def _mixed(bots: Sequence[str], played: Played) -> dict[str, Any]:
    """Of each bot at the mixed tables: reward, share of each place, and rating."""
    results, lineups = played.results, played.lineups
    rows = []
    for k, (name, rating) in enumerate(zip(bots, ratings(len(bots), played), strict=True)):
        its = lineups == k
        present = its.any(axis=1)
        if not present.any():
            continue
        totals = (results.rewards * its[:, None, :]).sum(axis=(1, 2))[present]
        rounds = (results.rounds.sum(axis=1) * its.sum(axis=1))[present]
        places = (results.places * its[:, None, :, None]).sum(axis=(0, 1, 2))
        rows.append(
            {
                "bot": name,
                "deals": int(present.sum()),
                "reward": interval(totals / rounds).plain(),
                "places": [round(float(share), 5) for share in places / places.sum()],
                "rating": round(rating[0], 3),
                "sigma": round(rating[1], 3),
            }
        )
    return {"deals": len(lineups), "bots": rows}


def ratings(num_bots: int, played: Played) -> list[tuple[float, float]]:
    """(μ, σ) of each bot by openskill's Plackett–Luce model, from the order at each table.

    Bots do not change over time, so τ is 0. A bot with several seats at a table counts once, by its mean reward there.
    """
    from openskill.models import PlackettLuce

    model = PlackettLuce(tau=0.0)
    rated = [model.rating() for _ in range(num_bots)]
    for rewards, lineup in zip(played.results.rewards, played.lineups, strict=True):
        present = sorted(set(lineup.tolist()))
        if len(present) < 2:
            continue
        for at_table in rewards:
            means = [at_table[lineup == bot].mean() for bot in present]
            teams = model.rate([[rated[bot]] for bot in present], ranks=_ranks(np.array(means)))
            for bot, team in zip(present, teams, strict=True):
                rated[bot] = team[0]
    return [(float(rating.mu), float(rating.sigma)) for rating in rated]


def _ranks(means: NDArray[np.float64]) -> list[float]:
    """0 for the highest mean, 1 for the next one …; the same for equal ones."""
    return [float(rank) for rank in np.unique(-means.round(9), return_inverse=True)[1]]


def write_results(results: Mapping[str, Any], folder: Path) -> list[Path]:
    """Write results.json, pairs.csv, seats.csv and ratings.csv; returns their paths."""
    pairs, seats, rated = [], [], []
    for table in results["tables"]:
        for pair in table["pairs"]:
            names = {"table": table["name"], "bot": pair["bot"], "against": pair["against"], "deals": pair["deals"]}
            pairs.append({**names, "rounds": pair["rounds"], **flat(pair, MEASURES)})
            seats += [
                {**names, "seat": k, **flat({"reward": seat}, ("reward",))} for k, seat in enumerate(pair["seats"])
            ]
        for bot in (table["mixed"] or {"bots": []})["bots"]:
            places = {f"place_{k}": share for k, share in enumerate(bot["places"], 1)}
            row = {"table": table["name"], "bot": bot["bot"], "deals": bot["deals"], **flat(bot, ("reward",))}
            rated.append({**row, "rating": bot["rating"], "sigma": bot["sigma"], **places})
    texts = {
        "results.json": json.dumps(results, indent=1) + "\n",
        "pairs.csv": csv_text(pairs), "seats.csv": csv_text(seats), "ratings.csv": csv_text(rated),
    }  # fmt: skip
    for name, text in texts.items():
        write_whole(folder / name, text)
    return [folder / name for name in texts]


def flat(estimates: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """The estimates of these names as columns."""
    columns = {"mean": "", "low": "_low", "high": "_high"}
    return {f"{name}{suffix}": estimates[name][end] for name in names for end, suffix in columns.items()}


def csv_text(rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows with the columns of all of them; tables of more players have more places."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
