"""The rules as numbers, for policies that play many tables: made from the documentation of the fields.

A field with named values is one-hot over them, a number stands as it is (127 stands for more), a list of ranks as one
flag a rank. A new field of the rules is a new feature without a line here.
"""

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from president_env.cards import RANKS
from president_env.rule_fields import FieldDoc
from president_env.rules import Rules

MAX_FEATURE = 127


def _features(doc: FieldDoc, rules: Rules) -> Iterator[tuple[str, int]]:
    """Name and value of each feature of a field."""
    value = getattr(rules, doc.name)
    if doc.kind in ("ranks", "deck"):
        yield from ((f"{doc.name}[{rank}]", int(rank in value)) for rank in RANKS)
    elif doc.kind == "pair":
        yield from ((f"{doc.name}[{k}]", min(number, MAX_FEATURE)) for k, number in enumerate(value))
    elif set(doc.choices) <= {True, False} and doc.choices:
        yield doc.name, int(value)
    else:
        yield from ((f"{doc.name}={choice}", int(value == choice)) for choice in doc.choices)
        if doc.low is not None:
            number = value if isinstance(value, int) and value not in doc.choices else 0
            yield doc.name, min(number, MAX_FEATURE)


def _all_features(rules: Rules) -> list[tuple[str, int]]:
    return [feature for doc in Rules.field_docs().values() for feature in _features(doc, rules)]


FEATURE_NAMES = tuple(name for name, _ in _all_features(Rules()))
"""What each feature stands for, in order."""
NUM_FEATURES = len(FEATURE_NAMES)


@lru_cache(maxsize=256)
def features_of(rules: Rules) -> NDArray[np.int8]:
    """The features of a rule set, (NUM_FEATURES,) int8."""
    return np.array([value for _, value in _all_features(rules)], dtype=np.int8)
