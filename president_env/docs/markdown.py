"""Small pieces of Markdown."""

from collections.abc import Iterable, Sequence
from typing import Any

NOTE = "<!-- Made by `make docs` from the code; an edit here is lost. -->"


def code(text: object) -> str:
    """The text as code; one with a backtick in it is given two."""
    return f"`` {text} ``" if "`" in str(text) else f"`{text}`"


def value_text(value: Any) -> str:
    """A value of a rule as it is written in Python, with double quotes."""
    if isinstance(value, tuple | list):
        return f"[{', '.join(value_text(item) for item in value)}]"
    return f'"{value}"' if isinstance(value, str) else repr(value)


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """The lines of a table. A title that ends in ">" is that of a column of numbers."""
    rule = ["---:" if title.endswith(">") else "---" for title in columns]
    head = [title.removesuffix(">") for title in columns]
    return [_row(head), _row(rule), *(_row([str(cell) for cell in cells]) for cells in rows)]


def page(*parts: Iterable[str] | str) -> str:
    """Lines and groups of lines, with an empty line between the parts, and the note that the page is generated."""
    groups = [NOTE, *("\n".join([part] if isinstance(part, str) else part) for part in parts)]
    return "\n\n".join(groups) + "\n"


def span(first: int, last: int) -> str:
    """A range of whole numbers, or the one that it is."""
    return str(first) if first == last else f"{first} – {last}"


def _row(cells: Sequence[str]) -> str:
    escaped = (cell.replace("|", "\\|") for cell in cells)
    return f"| {' | '.join(escaped)} |"
