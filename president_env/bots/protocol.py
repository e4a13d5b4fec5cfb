"""What a bot is."""

from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from president_env.game import Game
    from president_env.games import Games


@runtime_checkable
class Bot(Protocol):
    """A player: given what a seat may know, it chooses a move."""

    name: str

    def act(self, view: "Game", legal: list[str]) -> str:
        """One of the legal moves of the seat to move, whose view this is."""
        ...


@runtime_checkable
class BatchBot(Bot, Protocol):
    """A bot that can also choose for many games in one call."""

    def act_batch(self, batch: "Games", rows: NDArray[np.intp]) -> NDArray[np.int64]:
        """Action ids for these rows of the batch, in each of which the bot's seat is to move.

        `batch.observation`, `batch.mask` and `batch.seat` are those of the seat to move. A bot that reads
        `batch.games` must look at nothing that this seat may not know.
        """
        ...
