"""docs/moves.md: the moves, their notation, and the order of their ids."""

from collections.abc import Iterator
from itertools import groupby

from president_env.docs.markdown import code, page, span, table
from president_env.limits import Limits
from president_env.moves import Kind, MoveTable
from president_env.presets import PRESETS
from president_env.rules import Rules

INTRODUCTION = (
    "# Moves and action ids",
    "An action is the row of a move in the table of the rules: `game.table`, `env.table` and `games.table` are that "
    "table. For the same rules the ids are always the same, in every environment.",
    "```python\n"
    "from president_env import Rules\n"
    "from president_env.moves import MoveTable\n\n"
    'table = MoveTable(Rules.preset("quebec"))\n'
    'action = table.id("77")        # the id of a move\n'
    "print(table.text(action))      # the move of an id: 77\n"
    "print(table[action])           # its kind, rank, size, number of wild cards, suit\n"
    "```",
    "Ranks are `3 4 5 6 7 8 9 T J Q K A 2`, a joker or any other wild card is `*`. A move does not name suits: of the "
    "cards of a rank, spades leave the hand first, then hearts, diamonds, clubs.",
)
KINDS = {
    Kind.PASS: ("let the turn go by, or decline a play out of turn", ("pass",)),
    Kind.PLAY: ("lay cards of a rank, a letter for each; wild ones as `*` at the end", ("7", "TTT", "AA*", "**")),
    Kind.BOMB: ("lay the 3 of clubs as a bomb", ("3!",)),
    Kind.GIVE: ("hand over a card of the rank, in the exchange or the middle trade", ("give 2", "give *")),
    Kind.ASK: ("ask for a card by name", ("ask 2S", "ask *")),
    Kind.DROP: ("drop an extra card of the rank after a run", ("drop 5", "drop *")),
    Kind.STOP: ("stop dropping, or asking", ("stop",)),
    Kind.ACCEPT: ("agree to the swap on offer", ("accept",)),
    Kind.REJECT: ("refuse it", ("reject",)),
}
"""What each kind of move does, and moves of the kind."""
ORDER = (
    "The ids follow the order of the kinds. Plays go by size, and among those of a size by the number of wild cards; "
    "questions by suit, clubs first; and then everything by rank, from the 3 to the 2 and the joker. Moves that the "
    "rules can never allow are left out, so the numbers differ from table to table."
)
UNIVERSAL = (
    "With `limits=Limits()` all rules within the limits share one table (and one "
    "[observation](observations.md#universal)), so that one policy can play them all. These are the limits unless "
    "others are given: `{limits}`."
)


def moves_page() -> str:
    """The whole page."""
    parts: list[list[str] | str] = [*INTRODUCTION, "## Kinds", _kinds(), "## Number of actions", *_numbers()]
    parts += ["## Ids", ORDER]
    for name in PRESETS:
        rules = Rules.preset(name)
        parts += [f"### {code(name)}", f"With {rules.players} players.", _groups(MoveTable(rules))]
    parts += ["### Universal", UNIVERSAL.format(limits=Limits()), _groups(MoveTable(Limits()))]
    return page(*parts)


def _kinds() -> list[str]:
    rows = []
    for kind in Kind:
        meaning, examples = KINDS[kind]
        rows.append((kind.name, meaning, " ".join(code(text) for text in examples)))
    return table(("kind", "what it does", "written"), rows)


def _numbers() -> Iterator[list[str] | str]:
    rows = []
    for name, preset in PRESETS.items():
        for decks, players in _tables_by_deck(name, preset.fewest, preset.most):
            size = len(MoveTable(Rules.preset(name, players=players[0])))
            rows.append((code(name), span(players[0], players[-1]), decks, size))
    yield table(("preset", "players", "decks", "actions>"), rows)
    yield f"The universal table has {len(MoveTable(Limits()))}."


def _tables_by_deck(name: str, fewest: int, most: int) -> Iterator[tuple[int, list[int]]]:
    """Numbers of players that share a move table, by the number of decks."""
    for decks, players in groupby(range(fewest, most + 1), lambda n: Rules.preset(name, players=n).num_decks):
        yield decks, list(players)


def _groups(moves: MoveTable) -> list[str]:
    """A row for each group of ids that differ in rank alone."""
    rows, first = [], 0
    for group in moves.groups:
        last = first + len(group.ranks) - 1
        texts = [code(moves.text(k)) for k in sorted({first, last})]
        rows.append((span(first, last), group.kind.name, " … ".join(texts)))
        first = last + 1
    return table(("ids", "kind", "moves"), rows)
