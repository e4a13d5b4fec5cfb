"""Other environments of card games and boards, where they are installed: random legal play, everything observed.

What is legal is asked for as a learner needs it, and the move is drawn from it in the cheapest way: the game is what is
measured, not the agents that come with it.
"""

import warnings
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from random import Random
from time import perf_counter
from typing import Any

from benchmarks.faces import aec
from benchmarks.timing import Loop, Played

RLCARD = ("doudizhu", "uno", "leduc-holdem")
OPEN_SPIEL = ("hearts", "dou_dizhu", "crazy_eights")
LONGEST_MASK = 1000
"""Actions up to which a peer is asked for its mask, as learners have to; that of dou_dizhu is 26,057 long."""
CLASSIC = ("connect_four_v3", "texas_holdem_no_limit_v6", "leduc_holdem_v4", "hanabi_v5")


def rlcard_peers() -> Iterator[tuple[str, Loop]]:
    """Name and loop of RLCard's games."""
    if find_spec("rlcard"):
        for name in RLCARD:
            yield f"RLCard {name}", _rlcard(name)


def open_spiel_peers() -> Iterator[tuple[str, Loop]]:
    """Those of OpenSpiel's card games, which are in C++, from Python."""
    if find_spec("pyspiel"):
        for name in OPEN_SPIEL:
            yield f"OpenSpiel {name}", _open_spiel(name)


def classic_peers() -> Iterator[tuple[str, Loop]]:
    """Those of PettingZoo's classic environments, as far as what they stand on is installed."""
    for name in CLASSIC:
        try:
            with warnings.catch_warnings(action="ignore"):
                env = import_module(f"pettingzoo.classic.{name}").raw_env()
        except ImportError:
            continue
        yield f"PettingZoo {name} raw_env", aec(env)


def _rlcard(name: str) -> Loop:
    import rlcard

    env: Any = rlcard.make(name, config={"seed": 1})
    rng = Random(1)

    def run(seconds: float) -> Played:
        decisions, ended, started = 0, 0, perf_counter()
        while perf_counter() < started + seconds:
            state, _ = env.reset()
            while not env.is_over():
                legal = list(state["legal_actions"])
                state, _ = env.step(legal[int(rng.random() * len(legal))])
                decisions += 1
            ended += 1
        return Played(decisions, ended, perf_counter() - started)

    return run


def _open_spiel(name: str) -> Loop:
    import pyspiel
    from open_spiel.python.observation import make_observation

    game: Any = pyspiel.load_game(name)
    # some games have a tensor of what a seat sees, others only one of all that it has seen
    recalls = pyspiel.IIGObservationType(perfect_recall=not game.get_type().provides_observation_tensor)
    observation: Any = make_observation(game, recalls)
    masks = game.num_distinct_actions() <= LONGEST_MASK
    rng = Random(1)

    def run(seconds: float) -> Played:
        decisions, ended, started = 0, 0, perf_counter()
        while perf_counter() < started + seconds:
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():  # a card is dealt, and all are equally likely
                    chances = state.chance_outcomes()
                    state.apply_action(chances[int(rng.random() * len(chances))][0])
                    continue
                observation.set_from(state, state.current_player())
                legal = state.legal_actions()
                if masks:
                    state.legal_actions_mask()
                state.apply_action(legal[int(rng.random() * len(legal))])
                decisions += 1
            ended += 1
        return Played(decisions, ended, perf_counter() - started)

    return run
