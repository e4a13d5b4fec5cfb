"""Matches of bots, decision by decision: many side by side, and then sorted by match."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from president_env import Game, Games, Rules
from president_env.bots import BatchBot

MATCHES_AT_ONCE = 128
"""Matches in a batch; their decisions are in memory together."""


def play_matches(
    rules: Rules, bots: Sequence[BatchBot], seeds: NDArray[np.int64], max_rounds: int
) -> dict[str, NDArray[Any]]:
    """Every decision of the matches of these seeds, bot k at seat k: the columns of `adapters.datasets` but "player".

    "match" counts from 0 here. A reward that came to a seat before its first decision is in no row.
    """
    batch = Games(rules, len(seeds), seeds, max_rounds=max_rounds)
    playing = np.ones(len(seeds), dtype=np.bool_)
    cut_off = np.zeros(len(seeds), dtype=np.bool_)
    steps: list[dict[str, NDArray[Any]]] = []
    while playing.any():
        rows = np.flatnonzero(playing)
        step: dict[str, NDArray[Any]] = {
            "match": rows,
            "seat": batch.seat[rows],
            "observation": batch.observation[rows],
            "action_mask": batch.mask[rows],
            "action": _chosen(batch, bots, rows),
            "round": batch.games["round"][rows],
        }
        # a row whose match is over goes on with another that nobody looks at: any legal move will do
        actions = batch.mask.argmax(axis=1)
        actions[rows] = step["action"]
        batch.step(actions)
        done = batch.done[rows]
        after = batch.games["last_place"][rows, : rules.players]
        step["brought"] = batch.rewards[rows]
        step["round_over"] = done | (batch.games["round"][rows] != step["round"])
        step["places"] = np.where(done[:, None], batch.final_places[rows], after)
        cut_off[rows] = batch.truncated[rows]
        playing &= ~batch.done
        steps.append(step)
    _look_ahead(steps, cut_off, rules.players)
    columns = {name: np.concatenate([step[name] for step in steps]) for name in steps[0]}
    order = np.argsort(columns["match"], kind="stable")
    number = np.repeat(np.arange(len(steps)), [len(step["match"]) for step in steps])
    columns |= {"step": number, "seed": seeds[columns["match"]]}
    return {name: column[order] for name, column in columns.items() if name not in ("brought", "round_over", "places")}


def _chosen(batch: Games, bots: Sequence[BatchBot], rows: NDArray[np.intp]) -> NDArray[np.int64]:
    """What the bots choose in these rows; a bot that holds several seats is asked once."""
    actions = np.zeros(batch.num_games, dtype=np.int64)
    for bot in {id(bot): bot for bot in bots}.values():
        its = rows[np.array([other is bot for other in bots])[batch.seat[rows]]]
        if len(its):
            actions[its] = bot.act_batch(batch, its)
    return actions[rows]


def _look_ahead(steps: list[dict[str, NDArray[Any]]], cut_off: NDArray[np.bool_], players: int) -> None:
    """Add to each step what came of its decisions: from the last step to the first."""
    shape = (len(cut_off), players)
    since, to_go = np.zeros((2, *shape), dtype=np.float32)
    places = np.zeros(shape, dtype=np.int8)
    decides_again = np.zeros(shape, dtype=np.bool_)
    for step in reversed(steps):
        rows, over = step["match"], step["round_over"]
        its = rows, step["seat"]
        since[rows] += step["brought"]
        to_go[rows] += step["brought"]
        places[rows[over]] = step["places"][over]
        step |= {"reward": since[its], "return_to_go": to_go[its], "place": places[its]}
        step["terminated"] = ~decides_again[its] & ~cut_off[rows]
        step["truncated"] = ~decides_again[its] & cut_off[rows]
        since[its] = 0.0
        decides_again[its] = True


def games_of(rules: Rules, columns: Mapping[str, NDArray[Any]]) -> Iterator[Game]:
    """The matches of `play_matches` played again, one after another, for a record of each."""
    starts = np.flatnonzero(columns["step"] == 0)
    for start, end in zip(starts, [*starts[1:], len(columns["step"])], strict=True):
        game = Game(rules, seed=int(columns["seed"][start]))
        for action in columns["action"][start:end]:
            game.play_id(int(action))
        yield game
