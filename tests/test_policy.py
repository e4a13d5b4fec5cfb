"""Policy files and the bot that plays them."""

import re
from itertools import pairwise

import numpy as np
import pytest
from safetensors.numpy import save_file

from president_env import Game, Games, Rules
from president_env.bots.policy import PolicyBot, load_policy, save_policy
from president_env.limits import Limits
from president_env.moves import move_table
from president_env.observation import observation_layout

RULES = Rules.preset("quebec", players=4, rounds=1)


def random_tensors(rules, seed=0):
    """A network of random weights, with a trunk and heads of one hidden layer."""
    rng = np.random.default_rng(seed)
    columns = observation_layout(rules).size
    tensors = {
        "bit_columns": np.arange(columns - 20),
        "thresholds": np.ones(columns - 20, dtype=np.int8),
        "scaled_columns": np.arange(columns - 20, columns),
        "scale": np.full(20, 0.25, dtype=np.float32),
    }
    widths = {"trunk": [columns, 24], "policy": [24, 16, len(move_table(rules))], "value": [24, 16, 1]}
    for part, sizes in widths.items():
        for index, (before, after) in enumerate(pairwise(sizes)):
            tensors[f"{part}.{index}.weight"] = rng.normal(size=(after, before)).astype(np.float32)
            tensors[f"{part}.{index}.bias"] = rng.normal(size=after).astype(np.float32)
    return tensors


def view_to_move(game):
    assert game.seat is not None
    return game.view(game.seat)


@pytest.fixture(scope="module")
def policy_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("policy") / "policy.safetensors"
    save_policy(path, random_tensors(RULES), RULES, {"decisions": 7})
    return path


@pytest.mark.parametrize("greedy", [True, False])
def test_a_policy_plays_the_same_alone_and_in_a_batch(policy_file, greedy):
    bot = PolicyBot.load(policy_file, greedy=greedy, seed=3)
    batch = Games(RULES, 3, seed=11)
    games = [Game(RULES, seed=int(seed)) for seed in batch.seeds]
    for _ in range(20):
        actions = bot.act_batch(batch, np.arange(3))
        for game, action in zip(games, actions, strict=True):
            view = view_to_move(game)
            text = bot.act(view, view.legal)
            assert text == game.table.text(int(action))
            game.play(text)
        batch.step(actions)


def test_sampled_moves_follow_the_probabilities(policy_file):
    batch = Games(RULES, 1, seed=5)
    view = batch.observation
    legal = np.flatnonzero(batch.mask[0])
    logits = PolicyBot.load(policy_file).network.logits(view)[0, legal].astype(float) / 30
    tensors = random_tensors(RULES)
    for name in ("policy.1.weight", "policy.1.bias"):
        tensors[name] = tensors[name] / 30
    save_policy(policy_file.parent / "soft.safetensors", tensors, RULES, {})
    expected = np.exp(logits - logits.max())
    expected /= expected.sum()
    drawn = np.zeros(batch.num_actions)
    bot = PolicyBot.load(policy_file.parent / "soft.safetensors", greedy=False)
    for bot.seed in range(3000):
        drawn[bot.act_batch(batch, np.array([0]))] += 1
    assert drawn[legal].sum() == 3000
    assert np.abs(drawn[legal] / 3000 - expected).max() < 0.04


def test_values_are_one_number_a_view(policy_file):
    network, metadata = load_policy(policy_file)
    assert network.values(Games(RULES, 6).observation).shape == (6,)
    assert metadata["training"] == {"decisions": 7}
    assert metadata["rules"] == RULES


def test_the_number_of_rounds_does_not_matter(policy_file):
    bot = PolicyBot.load(policy_file)
    game = Game(Rules.preset("quebec", players=4, rounds=3), seed=1)
    view = view_to_move(game)
    assert bot.act(view, view.legal) in view.legal


def test_other_rules_are_refused_by_name(policy_file):
    bot = PolicyBot.load(policy_file)
    game = Game(Rules.preset("quebec", players=5), seed=1)
    view = view_to_move(game)
    with pytest.raises(ValueError, match=r"trained for other rules.*players 5.*needs.*players 4"):
        bot.act(view, view.legal)


def test_universal_observations_are_refused(policy_file):
    batch = Games([RULES, RULES], 2, limits=Limits())
    with pytest.raises(ValueError, match="not on universal ones"):
        PolicyBot.load(policy_file).act_batch(batch, np.arange(2))


def refused(path, data):
    path.write_bytes(data)
    with pytest.raises(ValueError) as refusal:
        PolicyBot.load(path)
    message = str(refusal.value)
    assert message.count("\n") <= 1
    assert str(path) in message
    return message


def test_files_that_hold_no_whole_policy_are_refused(policy_file, tmp_path):
    whole = policy_file.read_bytes()
    path = tmp_path / "policy.safetensors"
    for size in (0, 7, 300, len(whole) // 2, len(whole) - 1):
        assert "not a whole policy file" in refused(path, whole[:size])
    assert "not a whole policy file" in refused(path, b"a text, no tensors at all")
    save_file({"x": np.zeros(3)}, path)
    assert "another safetensors file" in refused(path, path.read_bytes())
    with pytest.raises(ValueError, match="no such policy file"):
        PolicyBot.load(tmp_path / "missing.safetensors")
    with pytest.raises(ValueError, match="no such policy file"):
        PolicyBot.load(tmp_path)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (lambda tensors: tensors.pop("scale"), "lacks the tensor 'scale'"),
        (lambda tensors: tensors.pop("policy.0.bias"), "lacks the tensor 'policy.0.bias'"),
        (lambda tensors: tensors.pop("value.1.weight"), "more than one output"),
        (lambda tensors: tensors.update({"trunk.0.weight": np.zeros((24, 3), np.float32)}), "do not fit together"),
        (lambda tensors: tensors.update({"policy.1.weight": np.zeros((3, 16), np.float32),
                                         "policy.1.bias": np.zeros(3, np.float32)}), "knows 3 moves"),
    ],
)  # fmt: skip
def test_tensors_that_do_not_fit_are_named(tmp_path, change, named):
    tensors = random_tensors(RULES)
    change(tensors)
    path = tmp_path / "policy.safetensors"
    save_policy(path, tensors, RULES, {})
    with pytest.raises(ValueError) as refusal:
        PolicyBot.load(path)
    assert named in str(refusal.value)


def test_an_interrupted_save_leaves_the_old_file(policy_file, tmp_path, monkeypatch):
    path = tmp_path / "policy.safetensors"
    path.write_bytes(policy_file.read_bytes())

    def broken(source, target):
        raise OSError("no space left")

    monkeypatch.setattr("os.replace", broken)
    with pytest.raises(OSError, match="no space"):
        save_policy(path, random_tensors(RULES, seed=1), RULES, {})
    assert path.read_bytes() == policy_file.read_bytes()
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("name", "spoilt", "told"),
    [
        ("policy.1.bias", lambda tensor: tensor * np.float32(np.nan), "'policy.1.bias' has other values than finite"),
        ("trunk.0.weight", lambda tensor: tensor.astype(np.float64), "'trunk.0.weight' has other values than finite"),
        ("value.0.weight", lambda tensor: tensor.astype(np.int8), "'value.0.weight' has other values than finite"),
        ("scale", lambda tensor: tensor / np.float32(0), "'scale' has other values than finite"),
        ("bit_columns", lambda tensor: tensor - 1, "'bit_columns' is no list of whole numbers"),
        ("bit_columns", lambda tensor: tensor.astype(np.float32), "'bit_columns' is no list of whole numbers"),
        ("bit_columns", lambda tensor: tensor + 9999, "the policy reads column 10"),
        ("thresholds", lambda tensor: tensor[1:], "'bit_columns' and 'thresholds' are not equally long"),
    ],
)
def test_damaged_numbers_are_refused(tmp_path, name, spoilt, told):
    tensors = random_tensors(RULES)
    with np.errstate(divide="ignore"):
        tensors[name] = spoilt(tensors[name])
    save_policy(tmp_path / "policy.safetensors", tensors, RULES, {})
    with pytest.raises(ValueError, match=rf"policy\.safetensors: cannot be played: .*{re.escape(told)}"):
        load_policy(tmp_path / "policy.safetensors")
