"""Rules from whatever they were given as: the name of a preset, a rules file, or rules; and several of them."""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from president_env.limits import Limits
from president_env.presets import PRESETS
from president_env.rules import Rules

RulesSource = Rules | str | os.PathLike[str]
RulesDraw = Callable[[np.random.Generator], RulesSource]
"""A distribution: a function that draws rules with the random numbers that it is given, and nothing else."""


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


class RuleSets:
    """What an environment plays by: one rule set, several, or a distribution; a match draws its own from its seed.

    More than one rule set needs `limits`, which all must fit. `players` and `overrides` change every one of them.
    """

    def __init__(
        self,
        source: RulesSource | Sequence[RulesSource] | RulesDraw,
        players: int | None,
        limits: Limits | None,
        overrides: Mapping[str, Any],
    ) -> None:
        if limits is not None and not isinstance(limits, Limits):
            raise ValueError(
                f"limits: {limits!r:.60} was given; wanted is Limits(players=…, decks=…, jokers=…), or None"
            )
        self.limits = limits
        self._players, self._overrides = players, dict(overrides)
        self._draw = source if callable(source) else None
        many: Sequence[Any] = source if isinstance(source, list | tuple) else [source]
        self.given: tuple[Rules, ...] = () if self._draw else tuple(self._checked(one) for one in many)
        """The rule sets; none if a distribution draws them."""
        if not many:
            raise ValueError("rules: an empty list was given; wanted is at least one rule set")
        if limits is None and len(self.given) != 1:
            raise ValueError(f"rules: {source!r:.60} was given; without `limits` wanted is one rule set")

    @property
    def many(self) -> bool:
        """Whether the rules of a match depend on its seed."""
        return len(self.given) != 1

    def of_seed(self, seed: int) -> Rules:
        """The rules of the match of this seed: of n rule sets the (seed modulo n)-th, in the order given."""
        if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
            raise ValueError(f"seed {seed!r} is not a whole number from 0")
        if self._draw:
            return self._checked(self._draw(np.random.default_rng(seed)))
        return self.given[int(seed) % len(self.given)]

    def drawn(self, number: int) -> tuple[Rules, ...]:
        """The rule sets, of a distribution those of the seeds below `number`."""
        return self.given or tuple(self.of_seed(seed) for seed in range(number))

    def _checked(self, source: RulesSource) -> Rules:
        rules = rules_of(source, self._players, **self._overrides)
        if self.limits is not None:
            self.limits.check(rules)
        return rules
