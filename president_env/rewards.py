"""What a place is worth to a learner."""

import numpy as np
from numpy.typing import NDArray

from president_env.engine.parameters import points_of_places
from president_env.engine.state import MAX_PLAYERS
from president_env.rules import Rules

REWARDS = {
    "place": "+1 for the first place to -1 for the last, evenly between; a round sums to 0",
    "score": "the points that the round's place brings",
    "win": "1 for the first place, 0 for the others",
}
"""Names of the rewards and what they give; each comes with the move that fixes a seat's place."""


def reward_of_place(rules: Rules, reward: str) -> NDArray[np.float32]:
    """Reward by place, from 1; other places are 0. Shape (MAX_PLAYERS + 1,) float32. ValueError names the choices."""
    if not isinstance(reward, str) or reward not in REWARDS:
        raise ValueError(f"reward {reward!r} is unknown; choose from {', '.join(REWARDS)}")
    players = rules.players
    if reward == "score":
        if rules.scoring == "none":
            raise ValueError("reward 'score' needs a scoring, and these rules have scoring 'none'")
        values = [float(points) for points in points_of_places(rules)]
    elif reward == "win":
        values = [0.0, 1.0]
    else:
        values = [0.0] + [1 - 2 * place / (players - 1) for place in range(players)]
    padded = np.zeros(MAX_PLAYERS + 1, dtype=np.float32)
    padded[: len(values)] = values
    return padded
