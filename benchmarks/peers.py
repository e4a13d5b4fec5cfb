"""Other environments of card games and boards, where they are installed: random legal play, everything observed."""

from collections.abc import Iterator
from importlib.util import find_spec
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks.faces import Loop, aec


def installed_peers() -> Iterator[tuple[str, Loop]]:
    """Name and loop of each peer that can be imported here."""
    if find_spec("rlcard"):
        for name in ("doudizhu", "uno", "leduc-holdem"):
            yield f"RLCard {name}", _rlcard(name)
    if find_spec("pyspiel"):
        for name in ("hearts", "dou_dizhu", "crazy_eights"):
            yield f"OpenSpiel {name} (C++, from Python)", _open_spiel(name)
    if find_spec("pettingzoo.classic") and find_spec("rlcard"):
        from pettingzoo.classic import gin_rummy_v4

        yield "PettingZoo classic gin_rummy (raw_env)", aec(gin_rummy_v4.raw_env())


def _rlcard(name: str) -> Loop:
    import rlcard
    from rlcard.agents import RandomAgent

    env = rlcard.make(name, config={"seed": 1})
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])

    def run(seconds: float) -> tuple[int, float]:
        decisions, started = 0, perf_counter()
        while perf_counter() < started + seconds:
            trajectories, _ = env.run(is_training=False)
            decisions += sum(len(trajectory) // 2 for trajectory in trajectories)
        return decisions, perf_counter() - started

    return run


def _open_spiel(name: str) -> Loop:
    import pyspiel
    from open_spiel.python.observation import make_observation

    game: Any = pyspiel.load_game(name)
    observation: Any = make_observation(game)
    rng = np.random.default_rng(1)

    def run(seconds: float) -> tuple[int, float]:
        decisions, started = 0, perf_counter()
        while perf_counter() < started + seconds:
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(outcomes[int(np.searchsorted(np.cumsum(chances), rng.random()))])
                    continue
                observation.set_from(state, state.current_player())
                legal = state.legal_actions_mask()
                allowed = state.legal_actions()
                assert len(legal) >= len(allowed)
                state.apply_action(allowed[int(rng.random() * len(allowed))])
                decisions += 1
        return decisions, perf_counter() - started

    return run
