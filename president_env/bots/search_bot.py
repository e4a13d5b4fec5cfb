"""The bot `search`: tree search over information sets, guided by rules of conduct or by a trained policy."""

import os
import time
from collections import deque

import numpy as np
from numpy.typing import NDArray

from president_env.bots.compiled_network import packed, working_memory
from president_env.bots.monte_carlo import MOST_CANDIDATES
from president_env.bots.monte_carlo_bot import LOOK_AT_CLOCK, MonteCarloBot, SearchSpace
from president_env.bots.policy import PolicyBot
from president_env.bots.tree_search import (
    HOW,
    MOST_DEPTH,
    MOST_GUIDED_MOVES,
    empty_tree,
    tree_begun,
    tree_decided,
    tree_searched,
)
from president_env.engine.parameters import moves_of, parameters_of
from president_env.observation import observation_layout
from president_env.rules import Rules


class TreeSpace(SearchSpace):
    """Memory of one search at a time, its tree included."""

    def __init__(self) -> None:
        super().__init__()
        self.tree = empty_tree()
        self.listed = (np.zeros(MOST_CANDIDATES, dtype=np.int64), np.zeros(MOST_CANDIDATES))


_free_spaces: deque[TreeSpace] = deque()
"""Those that no search uses now; a search takes one, so that threads can share a bot."""


class SearchBot(MonteCarloBot):
    """A bot that searches a tree of its own decisions in worlds that agree with what it knows; see `tree_search`.

    `policy`, the path of a policy file or a `PolicyBot`, guides the search, and is refused for rules that it was not
    trained on: its probabilities are the prior of the tree, it makes the bot's own next `policy_moves` decisions behind
    the tree, and its value counts for `value_weight`, from 0 to 1, of the reward where the tree ends; with
    1 nothing is played out there. `depth` own decisions behind a candidate are in the tree, none of them if it is 0;
    the larger `explore`, the more it tries what was not good so far. Each world is chosen among `draws` of them by how
    plausible it makes what the others have done, see `belief`; with 1, all that agree are equally likely. Budgets, seed
    and threads: see `MonteCarloBot`.
    """

    def __init__(
        self,
        name: str = "search",
        playouts: int = 2000,
        *,
        policy: str | os.PathLike[str] | PolicyBot | None = None,
        depth: int = 1,
        explore: float = 1.0,
        policy_moves: int = 2,
        value_weight: float = 0.0,
        draws: int = 8,
        seed: int = 0,
        milliseconds: float | None = None,
        num_threads: int = 1,
    ) -> None:
        super().__init__(name, playouts, seed=seed, milliseconds=milliseconds, num_threads=num_threads)
        _check(name, "depth", depth, whole=True, most=MOST_DEPTH)
        _check(name, "explore", explore)
        _check(name, "value_weight", value_weight, most=1)
        _check(name, "policy_moves", policy_moves, whole=True)
        _check(name, "draws", draws, whole=True, least=1)
        if policy is None and value_weight:
            raise ValueError(f"value_weight of bot {name!r} without a policy: give policy='RUN_DIR/policy.safetensors'")
        self.policy = PolicyBot.load(policy) if isinstance(policy, str | os.PathLike) else policy
        if not isinstance(self.policy, PolicyBot | None):
            raise ValueError(
                f"policy {policy!r:.60} of bot {name!r}: wanted is a path of a policy file, or a PolicyBot"
            )
        network = self.policy.network if self.policy else None
        self._network = packed(network)
        self._how: NDArray[np.void] = np.zeros(1, dtype=HOW)
        self._how["has_policy"] = network is not None
        self._how["depth"] = depth
        self._how["explore"] = explore
        self._how["draws"] = draws
        self._how["value_weight"] = value_weight
        self._how["policy_moves"] = min(policy_moves, MOST_GUIDED_MOVES) if network else 0

    def check(self, rules: Rules) -> None:
        """Raise ValueError if these rules have other observations or moves than those of the policy."""
        if self.policy is not None:
            self.policy.check(rules)

    def _searched(
        self, games: NDArray[np.void], rules: Rules, rows: NDArray[np.int64], free_leader: bool
    ) -> NDArray[np.int64]:
        self.check(rules)
        try:
            space = _free_spaces.pop()
        except IndexError:
            space = TreeSpace()
        space.counts[3] = free_leader
        layout = observation_layout(rules)
        memory = working_memory(self.policy.network if self.policy else None, layout.size)
        guide = (self._how, layout.record, self._network, memory, *space.listed, space.tree)
        actions = [self._row_searched(games, rules, row, space, guide) for row in rows]
        _free_spaces.append(space)
        return np.array(actions, dtype=np.int64)

    def _row_searched(
        self, games: NDArray[np.void], rules: Rules, row: np.int64, space: TreeSpace, guide: tuple[object, ...]
    ) -> int:
        parameters, moves, arrays = parameters_of(rules), moves_of(rules), space.arrays
        goes_on = tree_begun(games, row, parameters, self.seed, arrays, guide, space.views)
        if self.milliseconds is None:
            if goes_on:
                tree_searched(parameters, moves, self.playouts, arrays, guide, space.views)
        else:
            end = time.perf_counter() + self.milliseconds / 1000
            while goes_on and (space.counts[1] == 0 or time.perf_counter() < end):
                goes_on = tree_searched(parameters, moves, LOOK_AT_CLOCK, arrays, guide, space.views)
        return int(tree_decided(parameters, arrays, guide, space.views))


def _check(name: str, what: str, given: float, *, whole: bool = False, least: int = 0, most: float = np.inf) -> None:
    """ValueError if an option is no number from `least` to `most`."""
    kinds = int | np.integer if whole else int | float | np.number
    if isinstance(given, bool) or not isinstance(given, kinds) or not least <= given <= most:
        numbers = "a whole number" if whole else "a number"
        wanted = f"{numbers} from {least}" + (f" to {most}" if most < np.inf else "")
        raise ValueError(f"{what} {given!r} of bot {name!r}: wanted is {wanted}")
