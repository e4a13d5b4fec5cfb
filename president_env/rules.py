"""The house rules of a match: fields, presets, and rules files.

    rules = Rules.preset("quebec", players=5, rounds=2)
    print(rules.describe())

What a field means and may be is said in `president_env.rule_table`, combinations that contradict each other in
`president_env.rule_checks`.
"""

import dataclasses
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import yaml

from president_env.cards import RANKS
from president_env.files import parse_yaml, write_whole
from president_env.presets import PRESETS, Preset
from president_env.rule_checks import check_rules
from president_env.rule_fields import FAMILIES, FieldDoc, did_you_mean, read_value
from president_env.rule_table import FIELDS


def _rule(name: str) -> Any:
    """A dataclass field with its default and documentation."""
    return dataclasses.field(default=FIELDS[name].default, metadata={"doc": FIELDS[name]})


@dataclass(frozen=True, kw_only=True, repr=False)
class Rules:
    """The rules of a match: immutable, comparable, hashable. A field that is not given has its default.

    A value of the wrong kind, an unknown field and rules that contradict each other raise a ValueError that names the
    fields and what would be accepted. Lists become tuples, ranks are put in normal order, and None and False stand for
    "off" where a field can be "off".
    """

    players: int = _rule("players")
    decks: int | str = _rule("decks")
    jokers: int = _rule("jokers")
    ranks: str = _rule("ranks")
    suits: int = _rule("suits")
    deal: str = _rule("deal")
    dealer: int | None = _rule("dealer")
    first_leader: int | str = _rule("first_leader")
    opening_card_forced: bool = _rule("opening_card_forced")
    next_leader: str = _rule("next_leader")
    passing: str = _rule("passing")
    equal_rank: str = _rule("equal_rank")
    revolution: bool = _rule("revolution")
    reversing_ranks: tuple[str, ...] = _rule("reversing_ranks")
    reversal_lasts: str = _rule("reversal_lasts")
    clearing_ranks: tuple[str, ...] = _rule("clearing_ranks")
    burn_twos: bool = _rule("burn_twos")
    joker: str = _rule("joker")
    bombs: bool = _rule("bombs")
    quartet: str = _rule("quartet")
    club3_bomb: str = _rule("club3_bomb")
    wild_sixes: bool = _rule("wild_sixes")
    run_drop: bool = _rule("run_drop")
    burn_finish_last: bool = _rule("burn_finish_last")
    equal_burn_finish_last: bool = _rule("equal_burn_finish_last")
    club3_finish_last: bool = _rule("club3_finish_last")
    vice_roles: bool = _rule("vice_roles")
    exchange: str = _rule("exchange")
    exchange_cards: tuple[int, int] = _rule("exchange_cards")
    exchange_return: str = _rule("exchange_return")
    middle_trade: bool = _rule("middle_trade")
    haggle_rounds: int = _rule("haggle_rounds")
    rounds: int | None = _rule("rounds")
    target_score: int | None = _rule("target_score")
    scoring: str = _rule("scoring")
    tiebreak: bool = _rule("tiebreak")

    def __new__(cls, *args: Any, **fields: Any) -> Self:
        if args:
            raise TypeError(f"Rules takes fields by name, not {args[0]!r}; for a preset call Rules.preset(name)")
        _check_names(fields)
        return super().__new__(cls)

    def __post_init__(self) -> None:
        for name, doc in FIELDS.items():
            object.__setattr__(self, name, read_value(doc, getattr(self, name)))
        check_rules(self)

    @property
    def num_decks(self) -> int:
        """The number of decks, "auto" resolved."""
        if isinstance(self.decks, int):
            return self.decks
        return 2 if self.players >= 7 else 1

    @property
    def rank_indices(self) -> tuple[int, ...]:
        """The indices of the ranks in the deck, ascending, without the joker."""
        return tuple(RANKS.index(rank) for rank in self.ranks)

    @property
    def num_cards(self) -> int:
        """How many cards the deck has, jokers included."""
        return len(self.ranks) * self.suits * self.num_decks + self.jokers

    @property
    def smallest_hand(self) -> int:
        """The size of the smallest hand that is dealt."""
        return self.num_cards // self.players

    @property
    def has_vice_roles(self) -> bool:
        """Whether there are a vice president and a vice bum."""
        return self.vice_roles and self.players >= 4

    @property
    def has_later_rounds(self) -> bool:
        """Whether a match can have more than one round; a tiebreak adds none to one, whose first place alone leads."""
        return self.rounds != 1

    @property
    def has_exchange(self) -> bool:
        """Whether an exchange can take place."""
        return self.exchange != "off" and self.has_later_rounds

    @property
    def later_leader(self) -> str:
        """Who leads the rounds after the first, "auto" resolved."""
        if self.next_leader != "auto":
            return self.next_leader
        return "opening" if self.exchange == "off" else "bum"

    def __repr__(self) -> str:
        """Only the fields that differ from their defaults; evaluates to equal rules."""
        values = {name: getattr(self, name) for name in FIELDS}
        given = [f"{name}={value!r}" for name, value in values.items() if value != FIELDS[name].default]
        return f"Rules({', '.join(given)})"

    def replace(self, **overrides: Any) -> "Rules":
        """These rules with some fields changed; checked like new ones."""
        _check_names(overrides)
        return dataclasses.replace(self, **overrides)

    def describe(self) -> str:
        """The rules in plain words: a heading for each family of rules in force, a line for each rule."""
        lines = []
        for family, title in FAMILIES.items():
            sentences = [doc.sentence(self) for doc in FIELDS.values() if doc.family == family]
            told = [f"- {sentence}" for sentence in sentences if sentence]
            lines += [title, *told] if told else []
        return "\n".join(lines)

    @staticmethod
    def field_docs() -> dict[str, FieldDoc]:
        """The documentation of every field, in the order of the game."""
        return dict(FIELDS)

    @staticmethod
    def presets() -> tuple[str, ...]:
        """The names of the presets."""
        return tuple(PRESETS)

    @staticmethod
    def preset_players(name: str) -> tuple[int, int]:
        """The fewest and the most players that a preset takes."""
        preset = find_preset(name)
        return preset.fewest, preset.most

    @classmethod
    def preset(cls, name: str, **overrides: Any) -> "Rules":
        """The rules of a preset, with some fields changed."""
        preset = find_preset(name)
        _check_names(overrides)
        rules = cls(**{**preset.overrides, **overrides})
        if not preset.fewest <= rules.players <= preset.most:
            raise ValueError(
                f"players: preset {name!r} is for {preset.fewest} to {preset.most} players, not {rules.players}"
            )
        return rules

    def to_dict(self) -> dict[str, Any]:
        """Every field and its value, ready for JSON and YAML."""
        values = {name: getattr(self, name) for name in FIELDS}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> "Rules":
        """Rules from a mapping of fields; the key "preset" names a preset that the other fields override."""
        if not isinstance(fields, Mapping):
            raise ValueError(f"rules are a mapping of fields and values, not {fields!r:.60}")
        overrides = dict(fields)
        if "preset" not in overrides:
            return cls(**_named(overrides))
        name = overrides.pop("preset")
        return cls.preset(name, **_named(overrides))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a rules file (YAML) with every field; the file is written whole or not at all."""
        parts = ["# House rules of a President card game.\n"]
        values = self.to_dict()
        for family, title in FAMILIES.items():
            lines = {name: values[name] for name, doc in FIELDS.items() if doc.family == family}
            parts.append(f"\n# {title}\n" + yaml.safe_dump(lines, sort_keys=False))
        write_whole(path, "".join(parts))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Rules":
        """Rules from a rules file (YAML): fields, or "preset: name" and the fields that it overrides."""
        try:
            text = Path(path).read_text(encoding="utf-8")
        except FileNotFoundError:
            raise FileNotFoundError(f"no rules file {os.fspath(path)!r}") from None
        except OSError as error:
            raise ValueError(f"{os.fspath(path)}: cannot be read: {error.strerror}") from None
        except UnicodeDecodeError as error:
            raise ValueError(f"{os.fspath(path)}: not valid YAML: {error}") from None
        try:
            return cls.from_dict(parse_yaml(text))
        except ValueError as error:
            raise ValueError(f"{os.fspath(path)}: {error}") from None


def find_preset(name: str) -> Preset:
    """The preset of that name; ValueError names the choices."""
    if not isinstance(name, str) or name not in PRESETS:
        hint = did_you_mean(str(name), PRESETS)
        raise ValueError(f"unknown preset {name!r}{hint}; presets are {', '.join(PRESETS)}")
    return PRESETS[name]


def _check_names(names: Iterable[str]) -> None:
    for name in names:
        if name not in FIELDS:
            hint = did_you_mean(name, FIELDS) or f"; the fields are {', '.join(FIELDS)}"
            raise ValueError(f"unknown field {name!r}{hint}")


def _named(fields: Mapping[Any, Any]) -> dict[str, Any]:
    """The fields, whose names can be anything in a file."""
    _check_names(str(name) for name in fields)
    return {str(name): value for name, value in fields.items()}
