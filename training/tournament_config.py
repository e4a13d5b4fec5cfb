"""The config of a tournament: who plays whom, at which tables, how often. `configs/arena/levels.yaml` explains it."""

import os
import pathlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from president_env.arena import make_bot
from president_env.bots.policy import PolicyBot
from president_env.files import parse_yaml
from president_env.game import MAX_SEED
from president_env.rule_fields import did_you_mean
from president_env.rule_source import rules_of
from president_env.rules import Rules

KEYS = ("tables", "bots", "pairs", "deals", "mixed_deals", "seed", "steps", "folder", "publish")
NEEDED = ("tables", "bots", "deals")
PAIRS = ("higher", "all")
DEFAULT = "default"
Pair = tuple[str, str]


@dataclass(frozen=True)
class TournamentConfig:
    """A tournament, checked."""

    tables: Mapping[str, Rules]
    bots: tuple[str, ...]
    """Names or policy files, the weakest first."""
    pairs: tuple[Pair, ...]
    """(bot, against): one seat of the first against the second at all others."""
    deals: Mapping[Pair, int]
    mixed_deals: int
    """Deals at tables of different bots, which ratings and placements come from."""
    seed: int
    steps: tuple[Pair, ...]
    """The pairs that a summary names."""
    folder: pathlib.Path
    publish: str | None
    """The name under which the results are kept in `docs/`."""


def load_tournament(path: str | os.PathLike[str]) -> TournamentConfig:
    """The tournament of a YAML file; ValueError names the key and what would be accepted."""
    try:
        data = parse_yaml(pathlib.Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        words = " ".join(str(error).split())
        raise ValueError(f"{path}: cannot be read as a config ({words}); give a YAML file") from None
    try:
        return make_tournament(data, name=pathlib.Path(path).stem)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def make_tournament(data: Any, *, name: str) -> TournamentConfig:
    """A tournament from plain values; results go to runs/arena/`name` unless there is a folder in it."""
    if not isinstance(data, Mapping):
        raise ValueError(f"a config is a mapping with the keys {', '.join(NEEDED)}")
    for key in data:
        if key not in KEYS:
            raise ValueError(f"unknown key {key}{did_you_mean(str(key), KEYS)}; known keys are {', '.join(KEYS)}")
    for key in NEEDED:
        if key not in data:
            raise ValueError(f"{key} is missing; needed are {', '.join(NEEDED)}")
    tables, bots, publish = _tables(data["tables"]), _bots(data["bots"]), data.get("publish")
    if publish is not None and not (isinstance(publish, str) and publish.isidentifier()):
        raise ValueError(f"publish: {publish!r} is no name; give a word such as strength, or leave it out")
    _check_policies(tables, bots)
    pairs = _pairs(data.get("pairs", PAIRS[0]), bots)
    return TournamentConfig(
        tables=tables,
        bots=bots,
        pairs=pairs,
        deals=_deals(data["deals"], bots, pairs),
        mixed_deals=_number(data.get("mixed_deals", 0), "mixed_deals"),
        seed=_number(data.get("seed", 0), "seed", MAX_SEED // 2),
        steps=_steps(data.get("steps"), pairs, bots),
        folder=pathlib.Path(data.get("folder") or f"runs/arena/{name}"),
        publish=publish,
    )


def _tables(given: Any) -> dict[str, Rules]:
    if not isinstance(given, Mapping) or not given:
        raise ValueError("tables: wanted are names with rules, as in quebec-4: {rules: quebec, players: 4, rounds: 1}")
    tables = {}
    for name, fields in given.items():
        if not isinstance(fields, Mapping) or "rules" not in fields or pathlib.Path(str(name)).name != name:
            raise ValueError(f"tables.{name}: {fields!r:.60}; wanted is a plain name with {{rules: a preset or file}}")
        changes = {str(key): value for key, value in fields.items() if key != "rules"}
        try:
            tables[name] = rules_of(fields["rules"], **changes)
        except ValueError as error:
            raise ValueError(f"tables.{name}: {error}") from None
    return tables


def _bots(given: Any) -> tuple[str, ...]:
    if not isinstance(given, list) or len(given) < 2 or not all(isinstance(spec, str) for spec in given):
        raise ValueError(f"bots: {given!r:.60}; wanted is a list of two or more names or policy files, weakest first")
    if len(set(given)) < len(given):
        raise ValueError("bots: one is named twice; name each once")
    return tuple(given)


def _check_policies(tables: Mapping[str, Rules], bots: tuple[str, ...]) -> None:
    """ValueError for a bot that there is not, and for a policy that cannot play one of the tables."""
    for bot in map(make_bot, bots):
        if isinstance(bot, PolicyBot):
            for rules in tables.values():
                bot.check(rules)


def _pairs(given: Any, bots: tuple[str, ...]) -> tuple[Pair, ...]:
    if given not in PAIRS:
        raise ValueError(f"pairs: {given!r}; wanted is higher (each against the weaker ones) or all")
    ranks = range(len(bots))
    return tuple((bots[a], bots[b]) for a in ranks for b in ranks if a > b or (given == "all" and a != b))


def _pair_of(text: Any) -> Pair | None:
    words = str(text).split(" against ")
    return (words[0], words[1]) if len(words) == 2 else None


def _deals(given: Any, bots: tuple[str, ...], pairs: tuple[Pair, ...]) -> dict[Pair, int]:
    """The deals of each pair: its own number, else the smaller one of its two bots, else the default."""
    numbers = given if isinstance(given, Mapping) else {DEFAULT: given}
    for key, number in numbers.items():
        if key != DEFAULT and key not in bots and _pair_of(key) not in pairs:
            raise ValueError(f"deals.{key}: wanted is {DEFAULT}, a bot, or a pair such as {' against '.join(pairs[0])}")
        _number(number, f"deals.{key}", least=1)
    if DEFAULT not in numbers:
        raise ValueError(f"deals: {DEFAULT} is missing; give a number, or {{{DEFAULT}: 2000, level5: 100}}")
    deals = {}
    for pair in pairs:
        of_bots = [numbers[bot] for bot in pair if bot in numbers] or [numbers[DEFAULT]]
        deals[pair] = numbers.get(" against ".join(pair), min(of_bots))
    return deals


def _steps(given: Any, pairs: tuple[Pair, ...], bots: tuple[str, ...]) -> tuple[Pair, ...]:
    if given is None:
        return tuple((bots[k + 1], bots[k]) for k in range(len(bots) - 1))
    steps = [_pair_of(text) for text in given] if isinstance(given, list) else [None]
    found = tuple(step for step in steps if step in pairs and step is not None)
    if len(found) < len(steps):
        raise ValueError(f"steps: {given!r:.60}; wanted is a list of pairs such as {' against '.join(pairs[0])}")
    return found


def _number(given: Any, name: str, most: int = 10**9, least: int = 0) -> int:
    if isinstance(given, bool) or not isinstance(given, int) or not least <= given <= most:
        raise ValueError(f"{name}: {given!r} is not a whole number from {least} to {most}")
    return given
