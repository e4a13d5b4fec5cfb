"""docs/observations.md: the blocks of an observation, which rules have them, and the universal layout."""

from collections.abc import Iterator
from itertools import groupby

from president_env.docs.markdown import code, page, span, table
from president_env.features import FEATURE_NAMES
from president_env.limits import Limits
from president_env.observation import ObservationLayout
from president_env.presets import PRESETS
from president_env.rules import Rules

INTRODUCTION = (
    "# Observations",
    "What a seat sees is a vector of small whole numbers (int8), made of blocks. It holds what the seat may know and "
    "nothing else: cards that others hold unseen do not change it.",
    "```python\n"
    "from president_env import Game, Rules\n"
    "from president_env.observation import ObservationLayout\n\n"
    'rules = Rules.preset("quebec")\n'
    "layout = ObservationLayout(rules)                        # env.layout and games.layout are the same\n"
    "observation = Game(rules, seed=7).observation(seat=0)    # (layout.size,)\n"
    'print(layout.split(observation)["hand"])                 # a block in its shape; rows of observations work too\n'
    "print(layout.table())                                    # the layout of these rules, as below\n"
    "```",
    "**Seats** are relative: index 0 is the observer, 1 its left neighbour, and so on round the table. **Ranks** are "
    "14 columns: 3 4 5 6 7 8 9 T J Q K A 2 and the joker, whatever the deck. In the tables below, *that play* and *it* "
    "are the play to beat.",
)
FULL = "The blocks of {name!r} with {players} players, {size} numbers:"
WHICH = (
    "Blocks that a rule set has no use for are left out. The numbers are the sizes of the blocks with the fewest "
    "players; they grow with the players, the decks and the jokers."
)
UNIVERSAL = (
    '<a id="universal"></a>With `limits=Limits()` all rules within the limits share one layout with every block, and '
    "one [table of moves](moves.md). Seats that a table lacks are zeros. These are the limits unless others are given: "
    "`{limits}`; then an observation has {size} numbers:"
)
FEATURES = (
    "The block `rules` says which rules are played, in {number} numbers: a field with named values is one-hot over "
    "them, a number stands as it is (127 stands for more), a list of ranks is a flag for each rank. Numbers count from "
    "0 within the block."
)
EXAMPLE = "quebec"


def observations_page() -> str:
    """The whole page."""
    rules, limits = Rules.preset(EXAMPLE), Limits()
    layout, universal = ObservationLayout(rules), ObservationLayout(limits)
    return page(
        *INTRODUCTION,
        "## The layout of a rule set",
        FULL.format(name=EXAMPLE, players=rules.players, size=layout.size),
        layout.table(),
        "## Which rules have which blocks",
        WHICH,
        _matrix(universal),
        "## Sizes",
        _sizes(),
        "## Universal observations",
        UNIVERSAL.format(limits=limits, size=universal.size),
        universal.table(),
        "### The rules as numbers",
        FEATURES.format(number=len(FEATURE_NAMES)),
        table(("numbers", "field", "stand for"), _features()),
    )


def _matrix(universal: ObservationLayout) -> list[str]:
    """Sizes of all blocks (rows) for all presets (columns)."""
    sizes = {}
    for name, preset in PRESETS.items():
        layout = ObservationLayout(Rules.preset(name, players=preset.fewest))
        sizes[f"{code(name)}, {preset.fewest} players"] = {block.name: block.size for block in layout.blocks}
    rows = [
        (code(block.name), *(column.get(block.name, "") for column in sizes.values())) for block in universal.blocks
    ]
    return table(("block", *(f"{title}>" for title in sizes)), rows)


def _sizes() -> list[str]:
    """The size of the vector for each preset and number of players."""
    least = min(preset.fewest for preset in PRESETS.values())
    most = max(preset.most for preset in PRESETS.values())
    rows = []
    for name, preset in PRESETS.items():
        cells: list[object] = [""] * (most - least + 1)
        for players in range(preset.fewest, preset.most + 1):
            cells[players - least] = ObservationLayout(Rules.preset(name, players=players)).size
        rows.append((code(name), *cells))
    return table(("preset", *(f"{players} players>" for players in range(least, most + 1))), rows)


def _features() -> Iterator[tuple[str, str, str]]:
    """The numbers of the block `rules`, those of a field together."""
    docs = Rules.field_docs()
    first = 0
    for field, group in groupby(FEATURE_NAMES, key=lambda name: name.split("=")[0].split("[")[0]):
        names = [name.removeprefix(field).lstrip("=") for name in group]
        if docs[field].kind != "pair":
            names = [name.strip("[]") for name in names]
        yield span(first, first + len(names) - 1), code(field), ", ".join(name or "the value" for name in names)
        first += len(names)
