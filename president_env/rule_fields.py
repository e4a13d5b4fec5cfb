"""What a field of the rules is: its documentation, and how a value given for it is read.

A `FieldDoc` is the one place where a field is documented. Error messages, the plain words of `Rules.describe()` and the
reference page of the rules are all made from it.
"""

import difflib
import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from president_env.cards import RANKS

if TYPE_CHECKING:
    from president_env.rules import Rules

FAMILIES = {
    "table": "The table",
    "lead": "Who leads",
    "turn": "A turn",
    "order": "The order of ranks",
    "clear": "Plays that clear the table",
    "wild": "Wild cards",
    "run": "Run drop",
    "out": "Going out",
    "exchange": "The exchange between rounds",
    "match": "Match and score",
}
OFF_VALUES: tuple[Any, ...] = (False, None, "off", "none", 0, ())
MAX_COUNT = 1_000_000


@dataclass(frozen=True, kw_only=True)
class FieldDoc:
    """One field of the rules: what it is about, what it may be, and what each value does."""

    name: str
    family: str
    doc: str
    default: Any
    kind: str = "value"
    """"value", "ranks" (a tuple of rank letters), "deck" (a string of rank letters) or "pair" (two numbers)"""
    choices: Mapping[Any, str] = field(default_factory=dict)
    """Each named value with a sentence that says what it does; empty where there is nothing to say."""
    low: int | None = None
    high: int | None = None
    """Numbers from low to high are taken as well; without a high a number is a seat, up to players - 1."""
    needs: tuple[str, ...] = ()
    """Takes effect only with one of these, each a field (or property) that is on or "field=value"; none: always."""
    says: Callable[["Rules"], str] | None = None
    """What the field comes to in given rules, where the sentence of the choice does not say it."""

    @property
    def accepted(self) -> str:
        """The values that would be accepted, in a few words."""
        if self.kind == "ranks":
            return f"a list of ranks out of {' '.join(RANKS)}, or [] for none"
        if self.kind == "deck":
            return f"some of the ranks {RANKS}, each once"
        if self.kind == "pair":
            return f"two numbers from {self.low} to {self.high}, as in [2, 1]"
        values = [repr(value) for value in self.choices]
        if self.low is not None:
            values.insert(0, "a seat from 0 to players - 1" if self.high is None else f"{self.low} to {self.high}")
        return " or ".join([", ".join(values[:-1]), values[-1]] if len(values) > 1 else values)

    def in_force(self, rules: "Rules") -> bool:
        """Whether the field can make a difference in these rules, whatever its own value."""
        return not self.needs or any(_is_on(rules, need) for need in self.needs)

    def sentence(self, rules: "Rules") -> str:
        """What the field comes to in these rules, in plain words; empty if there is nothing to say."""
        if not self.in_force(rules):
            return ""
        if self.says is not None:
            return self.says(rules)
        value = getattr(rules, self.name)
        return self.choices.get(value, "")


def _is_on(rules: "Rules", need: str) -> bool:
    name, _, value = need.partition("=")
    held = getattr(rules, name)
    return str(held) == value if value else held not in OFF_VALUES


def read_value(doc: FieldDoc, value: Any) -> Any:
    """The value of a field in its one canonical form; ValueError names the field, the value and the choices."""
    if doc.kind in ("ranks", "deck"):
        return _read_ranks(doc, value)
    if doc.kind == "pair":
        if not isinstance(value, Iterable) or isinstance(value, str):
            raise refusal(doc, value)
        numbers = tuple(value)
        if len(numbers) != 2:
            raise refusal(doc, value)
        return tuple(_read_number(doc, number, value) for number in numbers)
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool):
        # A YAML file that says "off" without quotes means False.
        if not value and "off" in doc.choices:
            return "off"
        if any(value is choice for choice in doc.choices):
            return value
        raise refusal(doc, value)
    if isinstance(value, str):
        if value in doc.choices:
            return str(value)
        raise refusal(doc, value)
    return _read_number(doc, value, value)


def _read_number(doc: FieldDoc, number: Any, given: Any) -> int:
    try:
        read = operator.index(number)
    except TypeError:
        raise refusal(doc, given) from None
    is_choice = any(read == choice for choice in doc.choices if type(choice) is int)
    in_range = doc.low is not None and doc.low <= read <= (MAX_COUNT if doc.high is None else doc.high)
    if isinstance(number, bool) or not (is_choice or in_range):
        raise refusal(doc, given)
    return read


def _read_ranks(doc: FieldDoc, value: Any) -> str | tuple[str, ...]:
    """Rank letters from a string, a list or, as YAML reads 579 and 8, a whole number; in normal order."""
    given = value
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        value = str(value)
    if doc.kind == "ranks" and (value is None or value is False):
        value = ()
    if not isinstance(value, Iterable):
        raise refusal(doc, given)
    letters = [str(letter) for letter in value]
    wrong = [letter for letter in letters if len(letter) != 1 or letter not in RANKS]
    if wrong:
        hint = " (write T for ten)" if "10" in wrong or "1" in wrong else ""
        raise ValueError(f"{doc.name}: unknown rank {wrong[0]!r} in {given!r}{hint}; give {doc.accepted}")
    twice = [letter for letter in RANKS if letters.count(letter) > 1]
    if twice:
        raise ValueError(f"{doc.name}: rank {twice[0]!r} is named twice in {given!r}; give {doc.accepted}")
    if not letters and doc.kind == "deck":
        raise refusal(doc, given)
    ordered = sorted(letters, key=RANKS.index)
    return "".join(ordered) if doc.kind == "deck" else tuple(ordered)


def refusal(doc: FieldDoc, value: Any) -> ValueError:
    """The error for a value that a field does not take."""
    words = [choice for choice in doc.choices if isinstance(choice, str)]
    hint = did_you_mean(str(value), words) if isinstance(value, str) or value is None else ""
    return ValueError(f"{doc.name}: {value!r} is not accepted{hint}; give {doc.accepted}")


def did_you_mean(text: str, known: Iterable[str]) -> str:
    """", did you mean ...?" if one of the known words is close to the text, else nothing."""
    close = difflib.get_close_matches(text.lower(), list(known), n=1)
    return f" (did you mean {close[0]!r}?)" if close else ""
