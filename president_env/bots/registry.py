"""Bots by name, and a bot of whatever was given as one."""

import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from president_env.bots.compiled_bot import CompiledBot
from president_env.bots.levels import EASY, HARD, LEVEL1, LEVEL2, LEVEL3, NORMAL, RANDOM
from president_env.bots.monte_carlo_bot import MonteCarloBot
from president_env.bots.policy import PolicyBot
from president_env.bots.protocol import BatchBot, Bot
from president_env.bots.search_bot import SearchBot
from president_env.game import Game
from president_env.rule_fields import did_you_mean


class Mover(Protocol):
    """A `Bot` that may lack its name."""

    def act(self, view: Game, legal: list[str]) -> str:
        """One of the legal moves of the seat to move, whose view this is."""
        ...


Opponent = str | os.PathLike[str] | Mover | Callable[[Game, list[str]], str]
"""A bot's name, the path of a policy file, a bot, or a function of a view and its legal moves."""

_BOTS: dict[str, Callable[..., BatchBot]] = {
    name: partial(CompiledBot, name, code)
    for name, code in {
        "random": RANDOM,
        "easy": EASY,
        "level1": LEVEL1,
        "normal": NORMAL,
        "level2": LEVEL2,
        "hard": HARD,
        "level3": LEVEL3,
    }.items()
}
_BOTS |= {
    name: partial(MonteCarloBot, name, playouts=playouts) for name, playouts in (("level4", 60), ("level5", 2000))
}
_BOTS["search"] = SearchBot

ABOUT = {
    "random": "any legal move, all equally likely",
    "easy": "the lowest rank that is legal, on a lead with all its cards",
    "level1": "the lowest set that is whole: pairs and triples are not broken without need",
    "normal": "keeps sets whole, and twos, fours and other controls to take the lead back",
    "level2": "does that with a better eye: counts what is unseen to know its controls",
    "hard": "counts what is unseen of each rank and plans how to be out: which sets need the lead, which take it",
    "level3": "hard, and it blocks a seat that is about to be out",
    "level4": "plays every move out by level3 in a few worlds that agree with what it knows, and takes the best",
    "level5": "the same in many worlds",
    "search": "a tree of its own next decisions, in worlds that make what the others did plausible; a trained policy "
    "may guide it (`policy=`)",
}
"""A line on how each bot plays."""


def names() -> tuple[str, ...]:
    """The bots that can be asked for by name, the weakest first."""
    return tuple(_BOTS)


def make(name: str, **options: Any) -> BatchBot:
    """The bot of that name; every one takes a `seed`. ValueError names the choices."""
    if name not in _BOTS:
        raise ValueError(f"unknown bot {name!r}{did_you_mean(str(name), _BOTS)}; bots are {', '.join(_BOTS)}")
    try:
        return _BOTS[name](**options)
    except TypeError:
        raise ValueError(f"bot {name!r} does not take the options {', '.join(options)}") from None


class FunctionBot:
    """A bot whose move a function chooses."""

    def __init__(self, function: Callable[[Game, list[str]], str], name: str | None = None) -> None:
        self.function = function
        self.name: str = getattr(function, "__name__", type(function).__name__) if name is None else name

    def act(self, view: Game, legal: list[str]) -> str:
        """What the function returns."""
        return self.function(view, legal)


def bot_of(given: Opponent) -> Bot:
    """The bot that was meant. ValueError says what would be one."""
    if isinstance(given, str | os.PathLike):
        if isinstance(given, str) and (given in _BOTS or Path(given).suffix != ".safetensors"):
            return make(given)
        return PolicyBot.load(given)
    act = getattr(given, "act", None)
    if callable(act):
        return given if isinstance(given, Bot) else FunctionBot(act, name=type(given).__name__)
    if callable(given):
        return FunctionBot(given)
    raise ValueError(
        f"opponent {given!r:.60} is no bot; wanted is a name ({', '.join(_BOTS)}), the path of a policy, an object "
        "with act(view, legal), or a function of these two"
    )


def bots_of(given: Opponent | Sequence[Opponent], others: int) -> list[Bot]:
    """One bot for each of the `others`: from one for all, or from a list or tuple of them."""
    if isinstance(given, list | tuple):
        if len(given) != others:
            raise ValueError(f"opponents: {len(given)} were given; wanted is one for all or a list of {others}")
        return [bot_of(one) for one in given]
    if isinstance(given, Sequence) and not isinstance(given, str):
        raise ValueError(f"opponents {given!r:.60} are no list or tuple; wanted is one for all or a list of {others}")
    return [bot_of(given)] * others
