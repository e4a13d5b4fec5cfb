"""Evaluate policies and bots on duplicate deals: python -m training.evaluate --agent POLICY --against easy

One seat is the agent's, the others hold the opponent, or a mix such as easy,hard,level3. Each deal is played once for
every seat of the agent, so that the cards favour nobody, and the 95 % intervals are over deals. The same options give
the same table with any number of processes.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import nullcontext
from itertools import chain
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from president_env import Rules
from president_env.arena import Results, make_bot
from president_env.bots import Bot
from president_env.bots.policy import PolicyBot
from president_env.files import check_writable, write_whole
from president_env.game import MAX_SEED
from president_env.rule_source import rules_of
from training.parts import STOPPED, play_parts, read_parts, split
from training.tournament_results import csv_text, flat

MEASURES = {"place": "mean place", "first": "share of firsts", "reward": "mean reward"}
MOST_DEALS = 1_000_000
MOST_SEED = MAX_SEED - MOST_DEALS


def main(argv: Sequence[str] | None = None) -> int:
    """The command line; returns the exit status."""
    arguments = _arguments(argv)
    console = Console()
    try:
        _check(arguments)
        rules = _rules(arguments, make_bot(arguments.agent))
        rows = evaluate(
            rules, arguments.agent, arguments.against, num_deals=arguments.deals, seed=arguments.seed, console=console,
            greedy=not arguments.sample, processes=arguments.processes, folder=arguments.folder,
        )  # fmt: skip
        console.print(results_table(rows, arguments.agent, arguments.deals, rules))
        if arguments.seats:
            console.print(seats_table(rows, rules))
        if arguments.json:
            write_whole(arguments.json, json.dumps(_plain(rows, arguments, rules), indent=1) + "\n")
        if arguments.csv:
            write_whole(arguments.csv, _csv(rows, arguments))
    except (ValueError, OSError, BrokenExecutor) as error:
        print(f"evaluate: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("evaluate: stopped" + "; the same command goes on from here" * bool(arguments.folder), file=sys.stderr)
        return STOPPED
    return 0


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m training.evaluate", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--agent", required=True, help="a policy file or the name of a bot")
    parser.add_argument("--against", action="append", required=True, metavar="BOT",
                        help="a bot or a policy file for all other seats, or one for each of them with commas between; "
                        "may be given several times")  # fmt: skip
    parser.add_argument("--rules", help="a preset or a rules file; by default the rules of the policy's training")
    parser.add_argument("--players", type=int, help="seats at the table (by default those of the rules)")
    parser.add_argument("--rounds", type=int, help="rounds of a match (by default 1 with a preset)")
    parser.add_argument("--match", action="store_true", help="with a preset, whole matches as long as it says")
    parser.add_argument("--deals", type=int, default=2000, help="deals, each played with the agent at every seat")
    parser.add_argument("--seed", type=int, default=0, help="the first deal; the same seed gives the same table")
    parser.add_argument("--sample", action="store_true", help="draw the policy's moves instead of taking the likeliest")
    parser.add_argument("--processes", type=int, default=1, help="processes that play (default 1)")
    parser.add_argument("--folder", type=Path, metavar="DIR",
                        help="keep what has been played there: a command that was stopped goes on from it, and one "
                        "with more deals or opponents plays only what is new")  # fmt: skip
    parser.add_argument("--seats", action="store_true", help="show the mean reward at each seat too")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results there too")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write a row an opponent there too")
    return parser.parse_args(argv)


def _check(arguments: argparse.Namespace) -> None:
    """ValueError for numbers out of range and for files that could not be written in the end."""
    for name, least, most in (("deals", 1, MOST_DEALS), ("seed", 0, MOST_SEED)):
        number = getattr(arguments, name)
        if not least <= number <= most:
            raise ValueError(f"--{name} {number}: give a whole number from {least} to {most}")
    if arguments.folder and arguments.folder.exists() and not arguments.folder.is_dir():
        raise ValueError(f"--folder {arguments.folder}: that is a file; give a folder")
    for name in ("json", "csv"):
        if getattr(arguments, name):
            check_writable(getattr(arguments, name), f"--{name}")


def _rules(arguments: argparse.Namespace, agent: Bot) -> Rules:
    given = {name: getattr(arguments, name) for name in ("players", "rounds") if getattr(arguments, name) is not None}
    if arguments.rules is None:
        if not isinstance(agent, PolicyBot):
            raise ValueError("--rules is missing: give a preset or a rules file (only a policy file brings its own)")
        return agent.rules.replace(**given)
    if arguments.rules in Rules.presets() and not arguments.match:
        given = {"rounds": 1, "target_score": None, **given}
    return rules_of(arguments.rules, **given)


def evaluate(
    rules: Rules,
    agent: str,
    against: Sequence[str],
    *,
    num_deals: int,
    seed: int,
    console: Console,
    greedy: bool = True,
    processes: int = 1,
    folder: Path | None = None,
) -> dict[str, Results]:
    """The results of one seat of the agent against each of the opponents; without a folder nothing is kept."""
    games = {}
    for spec in against:
        field, lineup = _field(spec, rules)
        for bot in map(make_bot, (agent, *field)):
            if isinstance(bot, PolicyBot):
                bot.check(rules)
        games[spec] = split(rules, (agent, *field), lineup, seed=seed, deals=num_deals, greedy=greedy)
    with nullcontext(folder) if folder else tempfile.TemporaryDirectory() as kept:
        play_parts(Path(kept), chain.from_iterable(games.values()), processes=processes, console=console)
        played = {spec: read_parts(Path(kept), parts) for spec, parts in games.items()}
    return {spec: found.results for spec, found in played.items() if found}


def _field(spec: str, rules: Rules) -> tuple[list[str], list[int]]:
    """The bots at the other seats, one for all or one for each; and of each seat the number of its bot, the agent 0."""
    field, others = spec.split(","), rules.players - 1
    if len(field) not in (1, others):
        raise ValueError(
            f"--against {spec}: {len(field)} bots; give one for all other seats, or {others} for each its own"
        )
    return field, [0, *(range(1, rules.players) if len(field) == others else [1] * others)]


def results_table(rows: dict[str, Results], agent: str, num_deals: int, rules: Rules) -> Table:
    """The results as a table, a row an opponent."""
    table = Table(
        title=f"One seat of {agent}, {num_deals:,} deals × {rules.players} seats, mean ± half of the 95 % interval",
        title_justify="left",
    )
    table.add_column("against")
    for title in MEASURES.values():
        table.add_column(title, justify="right")
    for spec, results in rows.items():
        place, first, reward = results.place(0), results.first_share(0), results.reward(0)
        table.add_row(
            _field_title(spec, rules),
            f"{place.mean:.3f} ± {place.half_width:.3f}",
            f"{first.mean:.1%} ± {first.half_width:.1%}",
            f"{reward.mean:+.3f} ± {reward.half_width:.3f}",
        )
    return table


def seats_table(rows: dict[str, Results], rules: Rules) -> Table:
    """The mean reward of the agent at each seat, a row an opponent."""
    table = Table(title="Mean reward at each seat", title_justify="left")
    table.add_column("against")
    for seat in range(rules.players):
        table.add_column(f"seat {seat}", justify="right")
    for spec, results in rows.items():
        rewards = [results.reward(0, seat) for seat in range(rules.players)]
        table.add_row(_field_title(spec, rules), *(f"{e.mean:+.3f} ± {e.half_width:.3f}" for e in rewards))
    return table


def _field_title(spec: str, rules: Rules) -> str:
    return spec.replace(",", ", ") if "," in spec else f"{rules.players - 1} × {spec}"


def _plain(rows: Mapping[str, Results], arguments: argparse.Namespace, rules: Rules) -> dict[str, Any]:
    against: dict[str, dict[str, Any]] = {spec: dict(results.summary(0)) for spec, results in rows.items()}
    for spec, results in rows.items():
        against[spec]["reward_at_seats"] = [results.reward(0, seat).plain() for seat in range(rules.players)]
    return {
        "agent": arguments.agent, "sample": arguments.sample, "rules": rules.to_dict(), "deals": arguments.deals,
        "seed": arguments.seed, "against": against,
    }  # fmt: skip


def _csv(rows: Mapping[str, Results], arguments: argparse.Namespace) -> str:
    names = {"agent": arguments.agent, "deals": arguments.deals, "seed": arguments.seed}
    return csv_text(
        [{**names, "against": spec, **flat(results.summary(0), list(MEASURES))} for spec, results in rows.items()]
    )


if __name__ == "__main__":
    sys.exit(main())
