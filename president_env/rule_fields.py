"""What a field of the rules is: its documentation, and how a value given for it is read.

A `FieldDoc` is the one place where a field is documented. Error messages, the plain words of `Rules.describe()` and the
reference page of the rules are all made from it.
"""

import difflib
import operator
import reprlib
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
MAX_COUNT = 1_000_000
_SHORT = reprlib.Repr()
_SHORT.maxlevel, _SHORT.maxstring, _SHORT.maxlong, _SHORT.maxother = 2, 60, 60, 60
_OFF: tuple[Any, ...] = (False, "off", ())
_NEEDS_IN_WORDS = {"has_later_rounds": "more than one round", "has_exchange": "an exchange"}


@dataclass(frozen=True, kw_only=True)
class FieldDoc:
    """One field of the rules: what it is about, what it may be, and what each value does."""

    name: str
    family: str
    """A key of FAMILIES."""
    doc: str
    default: Any
    kind: str = "value"
    """"value", "ranks" (a tuple of rank letters), "deck" (a string of rank letters) or "pair" (two numbers)."""
    choices: Mapping[Any, str] = field(default_factory=dict)
    """Each named value with a sentence that says what it does."""
    low: int | None = None
    high: int | None = None
    """Numbers from low to high are taken as well; low without high is a seat, 0 to players - 1."""
    resolved: str | None = None
    """The property of the rules that holds the value in force, where a value like "auto" leaves it open."""
    says: "Callable[[Rules], str | None] | None" = None
    """What the field comes to in given rules, where the sentence of its value does not say it."""
    needs: tuple[str, ...] = ()
    """Without one of these the field has no effect: each a field or property that is on, or "field=value"."""

    @property
    def accepted(self) -> str:
        """The values that would be accepted, in a few words."""
        if self.kind == "ranks":
            return f"a list of ranks out of {' '.join(RANKS)}, or [] for none"
        if self.kind == "deck":
            return f"some of the ranks {RANKS}, each once"
        if self.kind == "pair":
            return f"two numbers from {self.low} to {self.high}, as in {list(self.default)}"
        values = [repr(value) for value in self.choices]
        if self.low is not None:
            values.insert(0, "a seat (0 to players - 1)" if self.high is None else f"{self.low} to {self.high}")
        return " or ".join([", ".join(values[:-1]), values[-1]] if len(values) > 1 else values)

    @property
    def needed(self) -> str:
        """What the field needs to have an effect, in a few words; empty if nothing."""
        return " or ".join(_NEEDS_IN_WORDS.get(need) or need.replace("=", " ") for need in self.needs)

    def sentence(self, rules: "Rules") -> str:
        """What the field comes to in these rules, in plain words; empty if it has no effect in them."""
        if self.needs and not any(_is_on(rules, need) for need in self.needs):
            return ""
        told = self.says(rules) if self.says is not None else None
        if told is not None:
            return told
        value = getattr(rules, self.resolved or self.name)
        return "" if value in _OFF else self.choices.get(value, "")


def _is_on(rules: "Rules", need: str) -> bool:
    name, _, value = need.partition("=")
    held = getattr(rules, name)
    return held == value if value else held not in _OFF


def read_value(doc: FieldDoc, value: Any) -> Any:
    """The value of a field in its one canonical form; ValueError names the field, the value and the choices."""
    if isinstance(value, np.generic):
        value = value.item()
    if doc.kind == "pair":
        return _read_pair(doc, value)
    if doc.kind in ("ranks", "deck"):
        return _read_ranks(doc, value)
    if value is None or isinstance(value, bool):
        # A rules file that says off without quotes means False: so YAML has it.
        if not value and "off" in doc.choices:
            return "off"
        taken = any(value is choice for choice in doc.choices)
    elif isinstance(value, str):
        taken = value in doc.choices
    else:
        return _read_number(doc, value, value)
    if not taken:
        raise _refusal(doc, value)
    return value


def _read_number(doc: FieldDoc, number: Any, given: Any) -> int:
    """A whole number, if it is one that the field takes; `given` is named if not."""
    try:
        read = operator.index(number)
    except TypeError:
        raise _refusal(doc, given) from None
    is_choice = any(read == choice for choice in doc.choices if type(choice) is int)
    in_range = doc.low is not None and doc.low <= read and (doc.high is None or read <= doc.high)
    if isinstance(number, bool) or not (is_choice or in_range):
        raise _refusal(doc, given)
    return read


def _read_pair(doc: FieldDoc, value: Any) -> tuple[int, ...]:
    if not isinstance(value, list | tuple | np.ndarray) or len(value) != len(doc.default):
        raise _refusal(doc, value)
    return tuple(_read_number(doc, number, value) for number in value)


def _read_ranks(doc: FieldDoc, given: Any) -> str | tuple[str, ...]:
    """Rank letters, from a string, a list or (so YAML reads 579 and 8) a whole number; in normal order."""
    value = given
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if doc.kind == "ranks" and (value is None or value is False):
        value = ()
    if not isinstance(value, Iterable):
        raise _refusal(doc, given)
    letters = [str(letter) for letter in value]
    for letter in letters:
        if len(letter) != 1 or letter not in RANKS:
            hint = " (write T for ten)" if letter in ("10", "1") else ""
            raise ValueError(f"{doc.name}: unknown rank {letter!r} in {given!r}{hint}; give {doc.accepted}")
        if letters.count(letter) > 1:
            raise ValueError(f"{doc.name}: rank {letter!r} is named twice in {given!r}; give {doc.accepted}")
    if not letters and doc.kind == "deck":
        raise _refusal(doc, given)
    ordered = sorted(letters, key=RANKS.index)
    return "".join(ordered) if doc.kind == "deck" else tuple(ordered)


def _refusal(doc: FieldDoc, value: Any) -> ValueError:
    """The error for a value that a field does not take."""
    # shortened: the value may be a huge nest in a rules file
    words = [choice for choice in doc.choices if isinstance(choice, str)]
    hint = did_you_mean(value if isinstance(value, str) else _SHORT.repr(value), words)
    return ValueError(f"{doc.name}: {_SHORT.repr(value)} is not accepted{hint}; give {doc.accepted}")


def did_you_mean(text: str, known: Iterable[str]) -> str:
    """A question whether a known word was meant that is close to the text, empty if none is."""
    words = {word.lower(): word for word in known}
    close = difflib.get_close_matches(text.lower(), words, n=1)
    return f" (did you mean {words[close[0]]!r}?)" if close else ""
