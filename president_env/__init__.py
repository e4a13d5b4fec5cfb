"""President, the climbing card game, as an environment for reinforcement learning."""

from president_env.game import Game, IllegalMove
from president_env.games import Games
from president_env.limits import Limits
from president_env.registration import register_environments
from president_env.rules import Rules

__all__ = ["Game", "Games", "IllegalMove", "Limits", "Rules"]

register_environments()
