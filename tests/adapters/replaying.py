"""A scripted match at a table where one seat learns: the others play their moves of the script."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from president_env import Game, Games
from tests.adapters.common import Script


class Replay:
    """Who makes the next move of a script. As the opponents of a single table it makes those of the other seats."""

    name = "replay"

    def __init__(self, script: Script, learner: int) -> None:
        self.script = script
        self.learner = learner
        self.made = 0

    @property
    def arguments(self) -> dict[str, Any]:
        """How to make an environment in which the script can be played."""
        return {"rules": self.script.rules, "opponents": self, "seat": self.learner}

    @property
    def over(self) -> bool:
        """Whether every move of the script has been made."""
        return self.made == len(self.script.actions)

    def learn(self) -> int:
        """The id of the learner's move, whose turn it has to be."""
        assert self.script.seats[self.made] == self.learner
        return self._next()

    def act(self, view: Game, legal: list[str]) -> str:
        """Not called: a bot with `act_batch` is asked for that."""
        raise AssertionError("act was called")

    def act_batch(self, batch: Games, rows: NDArray[np.intp]) -> NDArray[np.int64]:
        """The id of another seat's move; in the match after the script the first that is legal."""
        if self.over:
            return batch.mask[rows].argmax(axis=1)
        assert batch.seat[rows] == self.script.seats[self.made] != self.learner
        return np.array([self._next()])

    def _next(self) -> int:
        self.made += 1
        return self.script.actions[self.made - 1]
