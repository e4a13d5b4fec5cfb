"""The config of a training run: strict, with errors of one line that say what to write instead."""

from pathlib import Path

import pytest
import yaml

pytest.importorskip("sb3_contrib")

from president_env import Rules
from training.config import differences, load_config, make_config

CONFIGS = Path(__file__).resolve().parents[1] / "configs" / "train"
QUEBEC = CONFIGS / "quebec4.yaml"
TINY = CONFIGS / "tiny.yaml"


def refused(tmp_path, text, *overrides):
    path = tmp_path / "run.yaml"
    path.write_text(text)
    with pytest.raises(ValueError) as refusal:
        load_config(path, overrides)
    message = str(refusal.value)
    assert "\n" not in message
    assert str(path) in message
    return message


def test_the_shipped_config_is_read_as_written():
    config = load_config(QUEBEC)
    assert config.rules == Rules.preset("quebec", players=4, rounds=1)
    assert config.learning.rate == 2e-3
    assert config.evaluation.against == ("random", "easy")


def test_the_shipped_config_names_every_key():
    written = yaml.safe_load(QUEBEC.read_text())
    for section, keys in make_config({"rules": written["rules"]}).to_dict().items():
        assert section in written
        if isinstance(keys, dict) and section != "rules":
            assert list(written[section]) == list(keys)


def test_overrides_win():
    config = load_config(TINY, ["learning.rate=3e-4", "network.policy=[8, 8]", "rules.players=2", "seed=5"])
    assert config.learning.rate == 3e-4
    assert config.network.policy == (8, 8)
    assert config.rules.players == 2
    assert config.seed == 5


def test_a_resolved_config_reads_back_the_same(tmp_path):
    config = load_config(TINY)
    config.save(tmp_path / "config.yaml")
    assert load_config(tmp_path / "config.yaml") == config


def test_a_misspelt_key_is_named_with_a_better_one(tmp_path):
    message = refused(tmp_path, "rules: {preset: quebec}\nlearning: {rat: 1}")
    assert "learning.rat " in message
    assert "did you mean 'rate'" in message


def test_a_misspelt_section_or_rule_is_named_too(tmp_path):
    assert "did you mean 'learning'" in refused(tmp_path, "rules: {preset: quebec}\nlerning: {}")
    assert "did you mean 'passing'" in refused(tmp_path, "rules: {preset: quebec, pasing: soft}")
    assert "did you mean 'seed'" in refused(tmp_path, "rules: {preset: quebec}", "seeed=1")


@pytest.mark.parametrize(
    ("override", "named"),
    [
        ("learning.rate=fast", "learning.rate: 'fast' is not a number"),
        ("tables.number=2.5", "tables.number: 2.5 is not a whole number"),
        ("tables.number=0", "tables.number 0 is too small"),
        ("tables.reward=gold", "give place or score or win"),
        ("network.policy=[0]", "at least one unit"),
        ("network.thermometers=[hand_sizes]", "did you mean 'hand_size'"),
        ("learning=3", "learning: 3 is no mapping"),
        ("learning.trace=1.5", "not between 0 and 1"),
        ("seed", "is not of the form section.key=value"),
        ("learning.rate=[", "not valid YAML"),
        ("rules=quebec", "rules: 'quebec' is no mapping"),
        ("compute.shards=1000", "are more than tables.number"),
    ],
)
def test_a_wrong_value_is_named_with_what_would_do(tmp_path, override, named):
    path = tmp_path / "run.yaml"
    path.write_text("rules: {preset: quebec}")
    with pytest.raises(ValueError) as refusal:
        load_config(path, [override])
    assert named in str(refusal.value)


def test_files_that_are_no_config_are_refused(tmp_path):
    assert "line 2" in refused(tmp_path, "rules: {preset: quebec}\n  seed: 1")
    assert "is a mapping" in refused(tmp_path, "- 1")
    with pytest.raises(ValueError, match="cannot be read as a config"):
        load_config(tmp_path / "missing.yaml")


def test_only_what_leaves_a_run_the_same_may_change():
    config = load_config(TINY)
    assert differences(config, load_config(TINY, ["budget.decisions=9", "compute.threads=2"])) == []
    assert differences(config, load_config(TINY, ["learning.rate=1", "rules.players=2", "budget.decisions=9"])) == [
        "rules.players",
        "learning.rate",
    ]


@pytest.mark.parametrize(
    ("override", "message"), [("rules.file=5", "path of a rules file"), ("seed=" + "9" * 400, "seed")]
)
def test_odd_values_are_refused_in_a_line(override, message):
    with pytest.raises(ValueError, match=message):
        load_config(QUEBEC, [override])
