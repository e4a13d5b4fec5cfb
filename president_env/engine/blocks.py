"""Names and order of the blocks of an observation, shared by the layout table and the compiled writer."""

BLOCKS = (
    "phase",
    "turn",
    "hand",
    "unseen",
    "played",
    "hand_size",
    "place",
    "top_rank",
    "top_size",
    "top_seat",
    "passed",
    "passed_on",
    "last_place",
    "round",
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
)
NUM_BLOCKS = len(BLOCKS)

PLAYERS_AT, LEVELS_AT, SIZES_AT = NUM_BLOCKS, NUM_BLOCKS + 1, NUM_BLOCKS + 2
"""Where `offsets` holds the layout's dimensions, behind the offset of each block (−1: not in the layout)."""
NUM_OFFSETS = NUM_BLOCKS + 3


def block_index(name: str) -> int:
    """The place of a block in BLOCKS."""
    return BLOCKS.index(name)
