"""Evaluate policies and bots on duplicate deals: python -m training.evaluate --agent POLICY --against easy

One seat is the agent's, the others hold the opponent, or a mix such as easy,hard,level3. Each deal is played once for
every seat of the agent, so that the cards favour nobody, and the 95 % intervals are over deals.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from president_env import Rules
from president_env.arena import Results, make_bot, play_duplicates
from president_env.bots import Bot
from president_env.bots.policy import PolicyBot
from president_env.files import write_whole
from president_env.rule_source import rules_of

MEASURES = {"place": "mean place", "first": "share of firsts", "reward": "mean reward"}
AGENT_STREAM, FIELD_STREAM = 1, 2
"""Added to the seed, so that the random numbers of the agent and of its opponents differ."""


def main(argv: Sequence[str] | None = None) -> int:
    """The command line; returns the exit status."""
    arguments = _arguments(argv)
    console = Console()
    try:
        agent = make_bot(arguments.agent, seed=arguments.seed + AGENT_STREAM)
        if isinstance(agent, PolicyBot):
            agent.greedy = not arguments.sample
        rules = _rules(arguments, agent)
        rows = evaluate(
            rules, agent, arguments.against, num_deals=arguments.deals, seed=arguments.seed, console=console
        )
        if arguments.json:
            write_whole(arguments.json, json.dumps(_plain(rows, arguments, rules), indent=1).encode())
    except (ValueError, OSError) as error:
        print(f"evaluate: {error}", file=sys.stderr)
        return 2
    console.print(results_table(rows, arguments.agent, arguments.deals, rules))
    if arguments.seats:
        console.print(seats_table(rows, rules))
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
    parser.add_argument("--seats", action="store_true", help="show the mean reward at each seat too")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results there too")
    return parser.parse_args(argv)


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
    rules: Rules, agent: Bot, against: Sequence[str], *, num_deals: int, seed: int, console: Console
) -> dict[str, Results]:
    """The results of one seat of the agent against each of the opponents."""
    fields = {spec: _field(spec, rules, seed + FIELD_STREAM) for spec in against}
    for bot in (agent, *(bot for field in fields.values() for bot in field)):
        if isinstance(bot, PolicyBot):
            bot.check(rules)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    rows = {}
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        for spec, field in fields.items():
            task = progress.add_task(f"against {spec}", total=num_deals)
            rows[spec] = play_duplicates(
                rules, [agent, *field], num_deals=num_deals, seed=seed,
                on_progress=lambda done, task=task: progress.update(task, completed=done),  # type: ignore[misc]
            )  # fmt: skip
    return rows


def _field(spec: str, rules: Rules, seed: int) -> list[Bot]:
    """The bots at the other seats: one for all, or a list of one for each."""
    specs, others = spec.split(","), rules.players - 1
    if len(specs) == 1:
        return [make_bot(spec, seed=seed)] * others
    if len(specs) != others:
        raise ValueError(
            f"--against {spec}: {len(specs)} bots; give one for all other seats, or {others} for each its own"
        )
    return [make_bot(one, seed=seed + k) for k, one in enumerate(specs)]


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


def _plain(rows: dict[str, Results], arguments: argparse.Namespace, rules: Rules) -> dict[str, Any]:
    against: dict[str, dict[str, Any]] = {spec: results.summary(0) for spec, results in rows.items()}
    for spec, results in rows.items():
        seats = [results.reward(0, seat) for seat in range(rules.players)]
        against[spec]["reward_at_seats"] = [{"mean": e.mean, "low": e.low, "high": e.high} for e in seats]
    return {
        "agent": arguments.agent, "rules": rules.to_dict(), "deals": arguments.deals, "seed": arguments.seed,
        "against": against,
    }  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
