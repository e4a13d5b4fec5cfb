"""The rule-based levels: which rules of conduct each follows, and how it weighs them.

The weights were found by playing: an evolution strategy on duplicate deals of four rule sets, level3 against level2 and
against itself, level2 against level1. Those of level1 and normal are set by hand.
"""

import numpy as np

from president_env.bots import conduct

RANDOM, EASY, NORMAL, HARD, LEVEL1, LEVEL2, LEVEL3 = range(7)
"""Numbers of the compiled bots."""

_KEEPS_SETS = {"GROUP": 1.0, "RANK": 0.4, "BREAK": 1.2, "PASSING": -1.5, "WILD": 1.0, "LEAD_SIZE": 0.05, "DECAY": 0.9}
_KEEPS_TWOS = {**_KEEPS_SETS, "RANK": 0.8, "PASSING": -1.0, "CONTROL": 0.4, "SPLIT": 0.4, "LEAD": 0.4}
_KEEPS_CONTROL = {
    "GROUP": 1.07,
    "CONTROL": 0.70,
    "TOP": -0.08,
    "SPLIT": 0.45,
    "RANK": 1.20,
    "PASSING": -0.41,
    "STRICT": -0.19,
    "LEAD": 0.81,
    "LEAD_SIZE": 0.10,
    "WILD": 0.27,
    "DECAY": 1.16,
    "TURN_ORDER": 0.63,
    "RUN_DROP": 0.49,
    "BREAK": 0.46,
}
_PLANS = {
    "GROUP": 1.70,
    "CONTROL": 1.13,
    "TOP": 0.36,
    "SPLIT": 0.32,
    "RANK": 1.53,
    "PASSING": -0.35,
    "STRICT": 0.05,
    "LEAD": 0.52,
    "RUN_OUT": 3.11,
    "LEAD_SIZE": 0.17,
    "PASSED_ON": 0.21,
    "WILD": 0.33,
    "DECAY": 1.53,
    "TURN_ORDER": 0.70,
    "RUN_DROP": 0.31,
    "LOSERS": 0.31,
    "BREAK": 0.33,
}
_BLOCKS = {"BLOCK": 0.35, "BLOCK_RANK": 0.36}

_WEIGHTS: dict[int, dict[str, float]] = {
    LEVEL1: _KEEPS_SETS,
    LEVEL2: _KEEPS_CONTROL,
    LEVEL3: {**_PLANS, **_BLOCKS},
    NORMAL: _KEEPS_TWOS,
    HARD: _PLANS,
}


def _rows() -> np.ndarray:
    rows = np.zeros((LEVEL3 + 1, conduct.NUM_WEIGHTS))
    for level, weights in _WEIGHTS.items():
        for name, weight in weights.items():
            rows[level, getattr(conduct, name)] = weight
    return rows


WEIGHTS = _rows()
"""[level, weight]: how a level weighs its rules of conduct; zeros for those that have none."""
