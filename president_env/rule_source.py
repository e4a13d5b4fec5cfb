"""Rules from whatever they were given as: the name of a preset, a rules file, or rules."""

import os
from pathlib import Path
from typing import Any

from president_env.presets import PRESETS
from president_env.rules import Rules

RulesSource = Rules | str | os.PathLike[str]


def rules_of(source: RulesSource, players: int | None = None, **overrides: Any) -> Rules:
    """The rules that a preset's name, a path of a rules file or Rules stand for, with fields changed.

    A text is a preset unless it looks like a path: with a folder, or ending in .yaml or .yml.
    """
    if players is not None:
        overrides["players"] = players
    if isinstance(source, Rules):
        return source.replace(**overrides)
    if isinstance(source, str) and (source in PRESETS or not _looks_like_path(source)):
        return Rules.preset(source, **overrides)
    if isinstance(source, str | os.PathLike):
        return Rules.load(source).replace(**overrides)
    raise ValueError(
        f"rules: {source!r:.60} was given; wanted is a preset ({', '.join(PRESETS)}), a rules file, or Rules"
    )


def _looks_like_path(text: str) -> bool:
    return Path(text).suffix in (".yaml", ".yml") or Path(text).name != text
