# mypy: allow-untyped-defs
"""Full games that agree with all that a seat knows."""

import numpy as np
from numpy.typing import NDArray

from president_env.bots.deals import world_drawn, worlds_prepared
from president_env.bots.knowledge import PUZZLE
from president_env.cards import hand_text
from president_env.engine.compiled import compiled
from president_env.engine.parameters import parameters_of
from president_env.engine.rng import random_word, rng_seeded
from president_env.engine.state import GAME
from president_env.game import EVERYBODY, Entry, Game

MOST_WAYS = 1_000_000
"""Numbers in the table of ways; a puzzle that needs more is drawn by trial in part."""
MOST_MARKS = 1024


class Workspace:
    """Memory that drawing worlds needs; one for each thread, used again and again."""

    def __init__(self, most_ways: int = MOST_WAYS) -> None:
        self.puzzle: NDArray[np.void] = np.zeros(1, dtype=PUZZLE)
        self.ways = np.empty(most_ways)
        self.marks = np.empty((2, 6, MOST_MARKS), dtype=np.int64)
        self.random = np.ones(4, dtype=np.uint32)


@compiled
def write_worlds(views, parameters, free_leader, puzzle, ways, trans, rng, worlds):
    """Fill all of `worlds` with worlds of views[0]."""
    p = parameters[0]
    how = worlds_prepared(puzzle[0], views[0], p, free_leader, ways, trans)
    for j in range(len(worlds)):
        world_drawn(puzzle[0], how, views, 0, p, ways, trans, rng, worlds, j)
        rng_seeded(worlds[j]["rng"], random_word(rng))


def worlds_of(view: Game, number: int, rng: np.random.Generator | int) -> NDArray[np.void]:
    """`number` worlds of the view as GAME records; see `determinize`."""
    if view.viewer is None:
        raise ValueError("nothing is hidden in a game itself: give the view of a seat, game.view(seat)")
    work = Workspace()
    work.random[:] = np.random.default_rng(rng).integers(1, 2**32, size=4)
    worlds = np.zeros(number, dtype=GAME)
    write_worlds(
        view.state,
        parameters_of(view.rules),
        leader_is_free(view),
        work.puzzle,
        work.ways,
        work.marks,
        work.random,
        worlds,
    )
    return worlds


def leader_is_free(view: Game) -> bool:
    """Whether the leader was set by hand, so that it tells nothing of the leader's cards."""
    return view.given_leader is not None and view.round == 1


def determinize(view: Game, rng: np.random.Generator | int) -> Game:
    """A full game that agrees with all that the viewer of `view` knows: its view of that game is this view.

    Every combination of dealt hands and cards moved in exchanges that agrees is equally likely; with seven and eight
    hands, where `deals` has to mend a world, all but (it says how nearly). Of deals given by hand with more copies of a
    card than the deck has, the sizes of the hands and the numbers of each rank agree.

    The same seed brings the same game; a generator goes on. Of earlier rounds the game knows as much as the view, and
    it has no seed.
    """
    game = view.copy()
    game._games = worlds_of(view, 1, rng)
    game._history = [Entry(number, seat, text, EVERYBODY, False) for number, seat, text in view.history]
    if view.deals:
        dealt = _dealt(game.state[0], view.rules.players)
        own = view.viewer
        assert own is not None
        dealt[own] = view.deals[-1][own]
        game._deals = [*view.deals[:-1], dealt]
    return game


def _dealt(world: np.void, players: int) -> list[str | None]:
    """The hands as they were dealt, before the exchange."""
    hands = world["hands"] | world["played"]
    for pair in range(2):
        taker, giver = world["taker"][pair], world["giver"][pair]
        if taker >= 0:
            hands[giver] = hands[giver] & ~world["returned"][pair] | world["taken"][pair]
            hands[taker] = (hands[taker] | world["returned"][pair]) & ~world["taken"][pair]
    return [hand_text(hand) for hand in hands[:players]]
