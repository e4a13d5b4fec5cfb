"""docs/rules.md: every field of the rules, and every preset."""

import re
from collections.abc import Iterator
from typing import Any

from president_env.docs.markdown import code, page, table, value_text
from president_env.presets import PRESETS, Preset
from president_env.rule_fields import FAMILIES, FieldDoc
from president_env.rules import Rules

INTRODUCTION = (
    "# The rules",
    "A table is a `Rules`: one value for each of the fields below. A field that is not given has its default. Rules "
    "that contradict each other are refused when they are made, with an error that names the fields and what would be "
    "accepted.",
    "```python\n"
    "from president_env import Rules\n\n"
    'rules = Rules.preset("quebec", players=5, rounds=2)  # a preset, and what is different at this table\n'
    "print(rules.describe())                              # in plain words\n"
    'rules.save("my_house.yaml")                          # and Rules.load("my_house.yaml")\n'
    "```",
    "In a rules file fields are given by name, with `preset: quebec` on a line of its own to begin from a preset; "
    "`configs/rules/` has one for each.",
)
OPTIONS = "The published rules leave these open; each stands for the fields beside it."


def rules_page() -> str:
    """The whole page."""
    parts: list[list[str] | str] = [*INTRODUCTION, _contents(), "## Presets", _preset_table()]
    for name, preset in PRESETS.items():
        parts += _preset_section(name, preset)
    for family, title in FAMILIES.items():
        parts.append(f"## {title}")
        for doc in _fields_of(family):
            parts += _field_section(doc)
    return page(*parts)


def _fields_of(family: str) -> list[FieldDoc]:
    return [doc for doc in Rules.field_docs().values() if doc.family == family]


def _contents() -> list[str]:
    rows = []
    for family, title in FAMILIES.items():
        links = [f"[{code(doc.name)}](#{doc.name})" for doc in _fields_of(family)]
        rows.append((title, " ".join(links)))
    return table(("about", "fields"), rows)


# presets


def _preset_table() -> list[str]:
    rows = [
        (f"[{code(name)}](#{name})", preset.title, f"{preset.fewest} to {preset.most}", preset.about)
        for name, preset in PRESETS.items()
    ]
    return table(("preset", "title", "players", "about"), rows)


def _preset_section(name: str, preset: Preset) -> Iterator[list[str] | str]:
    rules = Rules.preset(name)
    yield f"### {code(name)}"
    changed = _changed_fields(rules)
    yield f"{preset.title}, for {preset.fewest} to {preset.most} players. {_changes_text(changed)}"
    yield f"With {rules.players} players, in the words of `Rules.describe()`:"
    yield re.sub(r"^(?!- )(.+)$", r"\n**\1**\n", rules.describe(), flags=re.MULTILINE).strip()
    if preset.variations:
        yield OPTIONS
        rows = [(title, _given(overrides)) for title, overrides in preset.variations.items()]
        yield table(("option", "fields"), rows)


def _changed_fields(rules: Rules) -> dict[str, Any]:
    """The fields whose values are not their defaults."""
    docs = Rules.field_docs().values()
    return {doc.name: getattr(rules, doc.name) for doc in docs if getattr(rules, doc.name) != doc.default}


def _changes_text(changed: dict[str, Any]) -> str:
    return f"Different from the defaults: {_given(changed)}." if changed else "Every field has its default."


def _given(fields: dict[str, Any]) -> str:
    return ", ".join(code(f"{name}={value_text(value)}") for name, value in fields.items())


# fields


def _field_section(doc: FieldDoc) -> Iterator[list[str] | str]:
    yield f"### {code(doc.name)}"
    needs = f" It has an effect only with {doc.needed}." if doc.needs else ""
    yield f"{doc.doc}{needs} Default: {code(value_text(doc.default))}."
    if not doc.choices:
        yield f"Accepted: {doc.accepted}."
        yield from _example(doc)
    else:
        if doc.low is not None:
            yield f"{_numbers(doc)}, or:"
        yield table(("value", "what it does"), [(code(value_text(v)), sentence) for v, sentence in doc.choices.items()])
    yield from _uses(doc)


def _numbers(doc: FieldDoc) -> str:
    return "A seat, from 0 to players − 1" if doc.high is None else f"A number from {doc.low} to {doc.high}"


def _example(doc: FieldDoc) -> Iterator[str]:
    """What the field comes to in the first table whose `describe()` speaks of it."""
    for rules in _tables():
        if sentence := doc.sentence(rules):
            yield f"For example {_given({doc.name: getattr(rules, doc.name)})}: {sentence}"
            return


def _tables() -> Iterator[Rules]:
    """The default rules, the presets, and these with each of their options."""
    yield Rules()
    for name, preset in PRESETS.items():
        yield Rules.preset(name)
        yield from (Rules.preset(name, **overrides) for overrides in preset.variations.values())


def _uses(doc: FieldDoc) -> Iterator[str]:
    """The presets that set the field, by themselves and by an option."""
    uses = []
    for name, preset in PRESETS.items():
        value = getattr(Rules.preset(name), doc.name)
        if value != doc.default:
            uses.append(f"{code(name)} has {code(value_text(value))}")
        uses += [
            f"{code(name)} has {code(value_text(overrides[doc.name]))} as an option (*{title}*)"
            for title, overrides in preset.variations.items()
            if doc.name in overrides
        ]
    if uses:
        yield f"Presets: {'; '.join(uses)}."
