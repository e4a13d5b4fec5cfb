"""A scene with a known end, to try the oracle itself on.

A scene has as many players as hands. ``legal`` and ``hands`` are written as people would: "5, 66, pass".
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple


class Scene(NamedTuple):
    about: str
    rules: dict[str, Any]
    deals: str  # seats between bars, rounds between slashes
    moves: str
    expect: dict[str, Any]
    leader: int | None = 0

    @property
    def fields(self) -> dict[str, Any]:
        return {"players": len(self.hands_by_round[0]), **self.rules}

    @property
    def hands_by_round(self) -> list[list[str]]:
        return [[hand.strip() for hand in deal.split("|")] for deal in self.deals.split("/")]

    @property
    def answers(self) -> list[tuple[int, str]]:
        said = re.findall(r"(\d):(.*?)(?=\s+\d:|$)", self.moves)
        return [(int(seat), text) for seat, text in said]
