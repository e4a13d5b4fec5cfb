"""Players that are not learners: `make(name)` for those that come along, `bot_of(anything)` for whatever plays.

A bot is given the view of the seat to move and its legal moves, never the game: see `Bot`.
"""

from president_env.bots.compiled_bot import CompiledBot
from president_env.bots.protocol import BatchBot, Bot
from president_env.bots.registry import bot_of, bots_of, make, names

__all__ = ["BatchBot", "Bot", "CompiledBot", "bot_of", "bots_of", "make", "names"]
