"""The single-file PPO: each seat's decisions follow one another, and what it writes plays."""

import ast
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from president_env import Game, Games, Rules
from president_env.bots.policy import PolicyBot, load_policy

pytest.importorskip("torch")

from training import ppo_single_file
from training.ppo_single_file import METRICS, advantages_of, main

TINY = ["--tables", "16", "--steps", "16", "--minibatch", "128", "--width", "16", "--deals", "4"]


def column(numbers, kind=np.float32):
    """One table's numbers, a row a step."""
    return np.array(numbers, dtype=kind)[:, None]


def test_advantages_of_three_seats_by_hand():
    # seat:      0    1    0    2    1    | 2    0     the bar is the end of a match
    # reward to 0:              +1               ; 1: -1 at step 4; 2: +0.5 at step 1, 0 at the end
    rewards = np.zeros((7, 1, 3), dtype=np.float32)
    rewards[3, 0, 0], rewards[1, 0, 2], rewards[4, 0, 1] = 1.0, 0.5, -1.0
    advantages, closed = advantages_of(
        column([0, 1, 0, 2, 1, 2, 0], np.int8),
        column([0.2, 0.1, 0.6, -0.4, -0.5, 0.3, 0.7]),
        rewards,
        column([0, 0, 0, 0, 1, 0, 0], np.bool_),
        discount=0.5,
        trace=0.5,
    )
    last_of_0 = 1.0 - 0.6  # the reward at step 3 comes to seat 0, though seat 2 moved
    last_of_1 = -1.0 - -0.5
    expected = [
        0.5 * 0.6 - 0.2 + 0.5 * 0.5 * last_of_0,
        0.5 * -0.5 - 0.1 + 0.5 * 0.5 * last_of_1,
        last_of_0,
        0.0 - -0.4,  # the reward at step 1 came before its first decision
        last_of_1,
        0.0,
        0.0,
    ]
    assert advantages[:, 0] == pytest.approx(expected)
    assert closed[:, 0].tolist() == [True] * 5 + [False] * 2


def test_an_open_decision_is_what_the_one_before_leads_to():
    advantages, closed = advantages_of(
        column([0, 1, 0], np.int8),
        column([0.1, 0.0, 0.4]),
        np.zeros((3, 1, 2), np.float32),
        column([0, 0, 0], np.bool_),
        discount=1.0,
        trace=0.9,
    )
    assert closed[:, 0].tolist() == [True, False, False]
    assert advantages[0, 0] == pytest.approx(0.4 - 0.1)


def test_without_values_the_advantage_is_what_the_seat_was_still_to_win():
    """A scripted match of two rounds: from each decision on, the place rewards that its seat gets until the end."""
    rules = Rules.preset("house", players=3, rounds=2)
    games, game = Games(rules, 1, seed=5), Game(rules, seed=5)
    seats: list[Any] = []
    rewards: list[Any] = []
    dones: list[Any] = []
    returns = np.zeros(3)
    while not game.over:
        action, number = game.legal_ids[len(seats) % len(game.legal_ids)], game.round
        seats.append(games.seat.copy())
        games.step(np.array([action]))
        game.play_id(action)
        rewards.append(games.rewards.copy())
        dones.append(games.done.copy())
        if game.over or game.round > number:
            returns += 2 - game.state["last_place"][0][:3].astype(float)
    assert dones[-1].all()
    advantages, closed = advantages_of(
        np.array(seats), np.zeros((len(seats), 1), np.float32), np.array(rewards), np.array(dones), 1.0, 1.0
    )
    assert closed.all()
    for seat in range(3):
        its = [float(a) for a, who in zip(advantages[:, 0], seats, strict=True) if who[0] == seat]
        assert its[0] == pytest.approx(returns[seat])
        assert its[-1] in (1.0, 0.0, -1.0), "only the second round is still to win"


@pytest.mark.parametrize(("preset", "players"), [("quebec", 4), ("butt", 4), ("norwegian", 7)])
def test_a_policy_is_learned_written_and_plays_a_whole_match(preset, players, tmp_path, capsys):
    out = tmp_path / "policy.safetensors"
    rules = Rules.preset(preset, players=players)
    options = ["--rules", preset, "--players", str(players), "--rounds", "0", "--decisions", "2000", "--deals", "0"]
    assert main([*TINY, *options, "--out", str(out)]) == 0
    assert "explained_variance" in capsys.readouterr().out
    bot = PolicyBot.load(out)
    assert bot.rules == rules
    game = Game(rules, seed=1)
    while game.seat is not None:
        game.play(bot.act(game.view(game.seat), game.legal))  # an illegal move raises
    assert set(game.places) == set(range(1, players + 1))


def test_a_run_repeats_from_its_seed(tmp_path):
    def policy(name, seed):
        out = tmp_path / name
        main([*TINY, "--decisions", "2000", "--seed", str(seed), "--deals", "0", "--out", str(out)])
        return out.read_bytes()

    first = policy("first", 3)
    assert policy("again", 3) == first
    assert policy("other", 4) != first


def test_it_evaluates_and_logs_what_it_explains(tmp_path, capsys):
    pytest.importorskip("tensorboard")
    from tensorboard.backend.event_processing.event_accumulator import (  # type: ignore[import-untyped]
        EventAccumulator,
    )

    out = tmp_path / "policy.safetensors"
    assert main([*TINY, "--decisions", "1000", "--out", str(out), "--tensorboard", str(tmp_path / "logs")]) == 0
    assert "against level3" in capsys.readouterr().out
    assert load_policy(out)[1]["training"] == {"decisions": 1024, "seed": 0}
    events = EventAccumulator(str(tmp_path / "logs"))
    events.Reload()
    assert events.Tags()["scalars"] == [f"train/{name}" for name in METRICS]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--rules", "quebeck"], "quebec"),
        (["--players", "9"], "9"),
        (["--tables", "0"], "tables: 0"),
        (["--seed", "-1"], "-1"),
        (["--seed", str(2**70)], "--seed"),
        (["--deals", "-1"], "--deals -1"),
        (["--clip", "nan"], "--clip nan"),
        (["--discount", "1e300"], "--discount 1e+300"),
        (["--max-gradient", "-1"], "--max-gradient -1"),
        (["--out", "."], "is a folder"),
    ],
)
def test_what_cannot_be_is_refused_in_a_line(options, words, tmp_path, capsys):
    assert main([*TINY, "--out", str(tmp_path / "policy.safetensors"), *options]) == 2
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") <= 2
    assert list(tmp_path.iterdir()) == []


def test_a_copy_of_the_file_needs_this_package_numpy_and_torch_alone():
    imported = set()
    for node in ast.walk(ast.parse(Path(ppo_single_file.__file__).read_text())):
        if isinstance(node, ast.Import):
            imported |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add(str(node.module).split(".")[0])
    assert imported - set(sys.stdlib_module_names) == {"president_env", "numpy", "torch"}
