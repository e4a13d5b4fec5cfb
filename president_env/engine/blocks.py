"""Names and order of the blocks of an observation, shared by the layout table and the compiled writer."""

import numpy as np

BLOCKS = (
    # common to all rules; the writer fills them in this order, a word at a time
    "phase",
    "turn",
    "hand_size",
    "place",
    "last_place",
    "passed",
    "passed_on",
    "top_seat",
    "top_size",
    "round",
    "top_rank",
    "hand",
    "unseen",
    "played",
    # where the rules have a use for them
    "score",
    "barred",
    "order",
    "opening",
    "top_wild",
    "trick_count",
    "club3",
    "resume",
    "run",
    "droppers",
    "left",
    "stage",
    "partner",
    "known",
    "taken",
    "returned",
    "missed",
    "trade",
    "rules",
)
NUM_COMMON = BLOCKS.index("played") + 1

LAYOUT = np.dtype(
    [
        ("at", "i2", (len(BLOCKS),)),  # where each block begins, -1 if the layout lacks it
        ("players", "i2"),
        ("levels", "i2"),  # rows of the blocks that count cards of a rank one by one
        ("more_at", "i2"),  # where the blocks that follow the common ones begin, 0 if there are none
        ("house", "i2"),  # whether some of those can be other than 0 in the first round
        ("size", "i2"),
    ]
)
"""An observation layout as the compiled writer reads it."""


def block_index(name: str) -> int:
    """The place of a block in BLOCKS."""
    return BLOCKS.index(name)
