"""The config of a training run: YAML checked strictly, with overrides from the command line.

Each key is explained in `configs/train/quebec4.yaml`.
"""

import dataclasses
import os
import pathlib
import types
import typing
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import yaml

from president_env import Rules
from president_env.bots import names
from president_env.files import parse_yaml, write_whole
from president_env.games import MAX_ROUNDS
from president_env.observation import observation_layout
from president_env.rewards import REWARDS
from president_env.rule_fields import did_you_mean

Section = TypeVar("Section")
Kind = TypeVar("Kind", bound="Config")


@dataclass(frozen=True)
class Budget:
    decisions: int = 20_000_000
    seconds: float | None = None

    def progress(self, decisions: int, seconds: float) -> float:
        """How much of the budget is used, 0 to 1; the schedules run over it."""
        used = decisions / self.decisions
        if self.seconds is not None:
            used = max(used, seconds / self.seconds)
        return min(used, 1.0)


@dataclass(frozen=True)
class Tables:
    number: int = 512
    steps: int = 64
    reward: str = "place"
    max_rounds: int = MAX_ROUNDS
    bots: tuple[str, ...] = ()
    bots_share: float = 0.0


@dataclass(frozen=True)
class Learning:
    rate: float = 2e-3
    rate_end: float = 0.0
    entropy: float = 0.01
    entropy_end: float = 0.001
    epochs: int = 2
    minibatch: int = 2048
    clip: float = 0.2
    value_weight: float = 0.5
    max_gradient: float = 0.5
    discount: float = 1.0
    trace: float = 0.95


@dataclass(frozen=True)
class Network:
    trunk: tuple[int, ...] = ()
    policy: tuple[int, ...] = (256, 256)
    value: tuple[int, ...] = (128, 128)
    thermometers: tuple[str, ...] = ("hand_size", "place")


@dataclass(frozen=True)
class Compute:
    shards: int = 2
    threads: int = 2


@dataclass(frozen=True)
class Checkpoints:
    minutes: float = 1.0


@dataclass(frozen=True)
class Evaluation:
    against: tuple[str, ...] = ("random", "easy")
    every: int = 1_000_000
    deals: int = 200
    final_deals: int = 3000


@dataclass(frozen=True)
class Config:
    rules: Rules
    seed: int = 0
    budget: Budget = field(default_factory=Budget)
    tables: Tables = field(default_factory=Tables)
    learning: Learning = field(default_factory=Learning)
    network: Network = field(default_factory=Network)
    compute: Compute = field(default_factory=Compute)
    checkpoints: Checkpoints = field(default_factory=Checkpoints)
    evaluation: Evaluation = field(default_factory=Evaluation)

    def __post_init__(self) -> None:
        for name, low in _AT_LEAST.items():
            value = lookup(self, name)
            if value is not None and value < low:
                raise ValueError(f"{name} {value} is too small; give {low} or more")
        for name in ("learning.discount", "learning.trace", "tables.bots_share"):
            if not 0 <= lookup(self, name) <= 1:
                raise ValueError(f"{name} {lookup(self, name)} is not between 0 and 1")
        if self.tables.reward not in REWARDS:
            raise ValueError(f"tables.reward {self.tables.reward!r} is unknown; give {' or '.join(REWARDS)}")
        if self.tables.bots_share and not self.tables.bots:
            raise ValueError(f"tables.bots_share {self.tables.bots_share} needs tables.bots, the bots that play there")
        for bot in self.tables.bots:
            if bot not in names():
                raise ValueError(
                    f"tables.bots: no bot {bot!r}{did_you_mean(bot, names())}; bots are {', '.join(names())}"
                )
        if min((1, *self.network.trunk, *self.network.policy, *self.network.value)) < 1:
            raise ValueError("network: a layer needs at least one unit")
        blocks = [block.name for block in observation_layout(self.rules).blocks]
        for name in self.network.thermometers:
            if name not in blocks:
                hint = did_you_mean(name, blocks)
                raise ValueError(f"network.thermometers: no block {name!r}{hint}; blocks are {', '.join(blocks)}")
        if self.tables.number < self.compute.shards:
            raise ValueError(f"compute.shards {self.compute.shards} are more than tables.number {self.tables.number}")

    def to_dict(self) -> dict[str, Any]:
        """Every key as plain values, the rules in full."""
        return {**_plain(dataclasses.asdict(self)), "rules": self.rules.to_dict()}

    def save(self, path: pathlib.Path) -> None:
        write_whole(path, yaml.safe_dump(self.to_dict(), sort_keys=False).encode())


_AT_LEAST = {
    "seed": 0, "budget.decisions": 1, "budget.seconds": 1, "tables.number": 1, "tables.steps": 1,
    "tables.max_rounds": 1, "learning.rate": 0, "learning.rate_end": 0, "learning.entropy": 0,
    "learning.entropy_end": 0, "learning.epochs": 1, "learning.minibatch": 1, "learning.clip": 0,
    "learning.value_weight": 0, "learning.max_gradient": 0, "compute.shards": 1,
    "compute.threads": 1, "checkpoints.minutes": 0, "evaluation.every": 1, "evaluation.deals": 2,
    "evaluation.final_deals": 0,
}  # fmt: skip
CHANGEABLE = ("budget", "compute.threads", "checkpoints", "evaluation")
"""What may be given anew when a run is resumed; anything else would make it another run."""


def lookup(config: Config, name: str) -> Any:
    """The value of a key written with dots."""
    value: Any = config
    for part in name.split("."):
        value = getattr(value, part)
    return value


def load_config(path: str | os.PathLike[str], overrides: Iterable[str] = ()) -> Config:
    """The config in a YAML file, with `key.of.section=value` overrides; ValueError names the key and the choices."""
    return read_config(Config, path, overrides)


def read_config(kind: type[Kind], path: str | os.PathLike[str], overrides: Iterable[str]) -> Kind:
    """`load_config` for a config with sections of its own."""
    try:
        text = pathlib.Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{path}: cannot be read as a config ({error}); give a YAML file") from None
    data = _parse_yaml(text, str(path))
    if not isinstance(data, dict):
        raise ValueError(f"{path}: a config is a mapping of sections such as 'rules:' and 'learning:'")
    for override in overrides:
        _override(data, override)
    try:
        return _config_of(kind, data)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def make_config(data: Mapping[str, Any]) -> Config:
    """A config from plain values, as `Config.to_dict` gives them; "rules" may name a preset or a rules file."""
    return _config_of(Config, data)


def _config_of(kind: type[Kind], data: Mapping[str, Any]) -> Kind:
    values = dict(data)
    rules = values.pop("rules", None)
    if not isinstance(rules, Mapping):
        raise ValueError(f"rules: {rules!r} is no mapping; give for example {{preset: quebec, players: 4}}")
    return _section(kind, values, "", {"rules": _rules(rules)})


def _rules(fields: Mapping[str, Any]) -> Rules:
    try:
        if "file" not in fields:
            return Rules.from_dict(fields)
        overrides = {name: value for name, value in fields.items() if name != "file"}
        if not isinstance(fields["file"], str):
            raise ValueError(f"rules.file is {fields['file']!r}; give the path of a rules file")
        rules = Rules.load(fields["file"])
        return rules.replace(**overrides) if overrides else rules
    except ValueError as error:
        raise ValueError(f"rules: {error}") from None


def _parse_yaml(text: str, source: str) -> Any:
    try:
        return parse_yaml(text)
    except ValueError as error:
        raise ValueError(f"{source}: {error}") from None


def _override(data: dict[str, Any], override: str) -> None:
    name, equals, text = override.partition("=")
    if not equals or not name:
        raise ValueError(f"override {override!r} is not of the form section.key=value, as in learning.rate=3e-4")
    *sections, key = name.split(".")
    place = data
    for section in sections:
        inner = place.get(section)
        place[section] = dict(inner) if isinstance(inner, dict) else {}
        place = place[section]
    place[key] = _parse_yaml(text, f"override {name}")


def _section(
    cls: type[Section], data: Any, where: str, known: Mapping[str, Any] = types.MappingProxyType({})
) -> Section:
    """An instance of a config class from plain values; unknown keys and wrong types are refused by name."""
    if not isinstance(data, Mapping):
        raise ValueError(f"{where}: {data!r} is no mapping of keys")
    hints = typing.get_type_hints(cls)
    values = dict(known)
    for key, value in data.items():
        name = f"{where}.{key}" if where else str(key)
        if key not in hints:
            hint = did_you_mean(str(key), hints)
            raise ValueError(f"unknown key {name}{hint}; known keys are {', '.join(hints)}")
        kind = hints[key]
        is_section = isinstance(kind, type) and dataclasses.is_dataclass(kind)
        values[key] = _section(kind, value, name) if is_section else _value(kind, value, name)
    return cls(**values)


def _value(kind: Any, value: Any, name: str) -> Any:
    """The value as the annotated type; YAML reads 1e-3 as text, so numbers in text are taken."""
    options = typing.get_args(kind) if isinstance(kind, types.UnionType) else (kind,)
    if value is None and type(None) in options:
        return None
    wanted = options[0]
    if typing.get_origin(wanted) is tuple:
        items = [value] if isinstance(value, str | int) else value
        if isinstance(items, list | tuple):
            return tuple(_value(typing.get_args(wanted)[0], item, name) for item in items)
    elif wanted is str and isinstance(value, str):
        return value
    elif wanted in (int, float) and not isinstance(value, bool):
        try:
            number = float(value)
        except (TypeError, ValueError, OverflowError):
            number = float("nan")
        if wanted is float and abs(number) < float("inf"):
            return number
        if wanted is int and number == number // 1:
            return int(value) if isinstance(value, int) else int(number)
    words = {int: "a whole number", float: "a number", str: "text"}.get(wanted, "a list")
    raise ValueError(f"{name}: {value!r} is not {words}")


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, tuple | list) else value


def differences(old: Config, new: Config) -> list[str]:
    """Keys, written with dots, that differ in a way that would make a resumed run another run."""
    before, after = _flat(old.to_dict()), _flat(new.to_dict())
    names = [name for name in before if before[name] != after.get(name)]
    return [name for name in names if not any(name == c or name.startswith(f"{c}.") for c in CHANGEABLE)]


def _flat(values: Mapping[str, Any], where: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in values.items():
        name = f"{where}{key}"
        flat.update(_flat(value, f"{name}.") if isinstance(value, Mapping) else {name: value})
    return flat
