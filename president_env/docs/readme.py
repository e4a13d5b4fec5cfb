"""The parts of the README that come from the code, and those that come from results of measurements.

A part stands between `<!-- generated:NAME -->` or `<!-- measured:NAME -->` and the same with a slash. What is measured
comes from a file in `docs/results`; without it the part is empty.
"""

import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from president_env import bots
from president_env.bots.registry import ABOUT
from president_env.docs.libraries import libraries_part
from president_env.docs.markdown import code, table
from president_env.docs.measured import headline_part, speed_part, strength_part, training_part
from president_env.limits import Limits
from president_env.moves import MoveTable
from president_env.observation import ObservationLayout
from president_env.presets import PRESETS
from president_env.rule_fields import FAMILIES
from president_env.rules import Rules

README = "README.md"
RESULTS = "docs/results"


def presets_part() -> list[str]:
    """The presets, and how large their spaces are."""
    rows = []
    for name, preset in PRESETS.items():
        rules = Rules.preset(name)
        sizes = (len(MoveTable(rules)), ObservationLayout(rules).size)
        players = f"{preset.fewest} to {preset.most}"
        rows.append((f"[{code(name)}](docs/rules.md#{name})", players, preset.about, *sizes))
    most = Limits()
    rows.append(
        ("universal", f"2 to {most.players}", "every rule set", len(MoveTable(most)), ObservationLayout(most).size)
    )
    return [
        f"A rule set has {len(Rules.field_docs())} fields in {len(FAMILIES)} families; these are the presets, with the "
        f"numbers of actions and of observed values at {Rules().players} players (the universal tables: for any).",
        "",
        *table(("preset", "players", "about", "actions>", "observed>"), rows),
    ]


def bots_part() -> list[str]:
    """The bots by name, the weakest first."""
    return table(("name", "plays"), [(code(name), ABOUT[name]) for name in bots.names()])


GENERATED: dict[str, Callable[[], list[str]]] = {
    "presets": presets_part,
    "bots": bots_part,
    "libraries": libraries_part,
}
MEASURED: dict[str, tuple[str, Callable[[dict[str, Any]], list[str]]]] = {
    "headline": ("speed", headline_part),
    "training": ("training", training_part),
    "speed": ("speed", speed_part),
    "strength": ("strength", strength_part),
}
"""Which result a part is made from, and how."""
_PART = re.compile(r"<!-- (generated|measured):(\w+) -->\n.*?<!-- /\1:\2 -->", re.DOTALL)


def filled(text: str, results: Path) -> str:
    """The README with its parts made anew; ValueError for a marker that names none."""
    opened = len(re.findall(r"<!-- (?:generated|measured):", text))
    if opened != len(_PART.findall(text)):
        raise ValueError(f"{README}: a marker of a part is not closed, or closed by another name")
    return _PART.sub(lambda match: _part(match[1], match[2], results), text)


def _part(kind: str, name: str, results: Path) -> str:
    known: Iterable[str] = GENERATED if kind == "generated" else MEASURED
    if name not in known:
        raise ValueError(f"{README}: there is no {kind} part {name!r}; there are {', '.join(known)}")
    lines: list[str] = []
    if kind == "generated":
        lines = GENERATED[name]()
    else:
        source, make = MEASURED[name]
        if (path := results / f"{source}.json").is_file():
            lines = make(json.loads(path.read_text(encoding="utf-8")))
    body = "".join(f"{line}\n" for line in ["", *lines, ""]) if lines else ""
    return f"<!-- {kind}:{name} -->\n{body}<!-- /{kind}:{name} -->"
