"""Rules in files and mappings: what is written is read back."""

import json
import re
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from president_env.cards import RANKS
from president_env.presets import PRESETS
from president_env.rules import Rules

CONFIGS = Path(__file__).parents[1] / "configs" / "rules"


@pytest.mark.parametrize("name", PRESETS)
def test_rules_round_trip_through_a_file(name, tmp_path):
    path = tmp_path / "house.yaml"
    rules = Rules.preset(name)
    rules.save(path)
    assert Rules.load(path) == Rules.load(str(path)) == rules
    assert [file.name for file in tmp_path.iterdir()] == ["house.yaml"]


def test_a_saved_file_is_grouped_and_keeps_what_yaml_would_change(tmp_path):
    path = tmp_path / "house.yaml"
    Rules(ranks="3457", clearing_ranks=("7",)).save(path)
    text = path.read_text()
    assert "# The exchange between rounds\n" in text
    assert "exchange: 'off'\n" in text
    assert "ranks: '3457'\n" in text
    assert "clearing_ranks:\n- '7'\n" in text


def test_a_file_may_name_a_preset_and_override_it(tmp_path):
    path = tmp_path / "house.yaml"
    path.write_text("preset: quebec\nplayers: 5\nexchange: off\nreversing_ranks: [8, J]\nclearing_ranks: 2\n")
    assert Rules.load(path) == Rules.preset("quebec", players=5, exchange="off", reversing_ranks=("8", "J"))


def test_a_file_may_give_a_few_fields(tmp_path):
    path = tmp_path / "house.yaml"
    path.write_text("ranks: 34567\nwild_sixes: yes\n")
    assert Rules.load(path) == Rules(ranks="34567", wild_sixes=True)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("players: [4\n", "not valid YAML"),
        ("- players\n", "a mapping of fields"),
        ("", "a mapping of fields"),
        ("playrs: 4\n", "did you mean 'players'"),
        ("3: 4\n", "unknown field '3'"),
        ("preset: quebek\n", "did you mean 'quebec'"),
        ("preset:\n", "unknown preset None"),
        ("preset: quebec\nplayers: 3\n", "4 to 6"),
        ("players: four\n", "2 to 8"),
        ("players: 4\njokers: 2\nplayers: 5\n", "the key 'players' stands twice"),
        ("exchange: on\n", "'off', 'best', 'any' or 'ask'"),
        ("rules: !!python/object/apply:os.getcwd []\n", "not valid YAML"),
    ],
)
def test_a_file_that_is_no_rules_is_refused_by_name(text, told, tmp_path):
    path = tmp_path / "house.yaml"
    path.write_text(text)
    with pytest.raises(ValueError) as error:
        Rules.load(path)
    assert "house.yaml: " in str(error.value)
    assert told in str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_that_is_no_text_or_not_there_is_refused_by_name(tmp_path):
    path = tmp_path / "house.yaml"
    with pytest.raises(FileNotFoundError, match=r"no rules file .*house\.yaml"):
        Rules.load(path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match=r"house\.yaml: not valid YAML"):
        Rules.load(path)


def test_a_save_that_fails_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "house.yaml"
    Rules().save(path)

    def no_room(*paths):
        raise OSError("no room")

    monkeypatch.setattr("os.replace", no_room)
    with pytest.raises(OSError, match="no room"):
        Rules.preset("quebec").save(path)
    assert Rules.load(path) == Rules()
    assert [file.name for file in tmp_path.iterdir()] == ["house.yaml"]


def some_rules():
    """Random rules: each field a value of its own, so far as they do not contradict each other."""
    values = {}
    for name, doc in Rules.field_docs().items():
        if doc.kind == "value":
            numbers = [] if doc.low is None else list(range(doc.low, min(doc.high or 1, 8) + 1))
            values[name] = st.sampled_from([*doc.choices, *numbers])
    values["exchange_cards"] = st.tuples(st.integers(1, 3), st.integers(1, 3))
    values["reversing_ranks"] = values["clearing_ranks"] = st.sets(st.sampled_from(RANKS), max_size=3)
    return st.fixed_dictionaries({}, optional=values)


def made(values):
    try:
        return Rules(**values), ""
    except ValueError as error:
        return None, str(error)


@given(some_rules())
def test_any_rules_are_refused_with_a_reason_or_round_trip(values):
    rules, reason = made(values)
    if rules is None:
        assert any(name in reason for name in values)
        return
    assert Rules.from_dict(json.loads(json.dumps(rules.to_dict()))) == rules
    assert Rules.from_dict(yaml.safe_load(yaml.safe_dump(rules.to_dict()))) == rules
    assert eval(repr(rules)) == rules
    assert rules.smallest_hand * rules.players <= rules.num_cards
    assert rules.describe()


# The files in configs/rules


def test_there_is_a_rules_file_for_each_preset():
    assert {path.stem for path in CONFIGS.glob("*.yaml")} == set(Rules.presets())


@pytest.mark.parametrize("name", PRESETS)
def test_the_rules_file_of_a_preset_is_the_preset_and_lists_its_options(name):
    text = (CONFIGS / f"{name}.yaml").read_text()
    assert Rules.load(CONFIGS / f"{name}.yaml") == Rules.preset(name)
    options = [yaml.safe_load(option) for option in re.findall(r"^#   (\{.*\})", text, flags=re.MULTILINE)]
    assert options == list(PRESETS[name].variations.values())


def test_a_huge_value_is_named_in_short(tmp_path):
    path = tmp_path / "nest.yaml"
    lines = ["players:", "  - &a [x, x, x, x, x, x, x, x, x]"]
    for inner, outer in zip("abcdefgh", "bcdefghi", strict=True):
        lines.append(f"  - &{outer} [{', '.join([f'*{inner}'] * 9)}]")
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(ValueError, match="players") as caught:
        Rules.load(path)
    assert len(str(caught.value)) < 1000


@pytest.mark.parametrize("text", ["players: " + "[" * 3000, "players: 2001-13-45"])
def test_what_yaml_stumbles_over_is_refused_with_the_file(tmp_path, text):
    path = tmp_path / "odd.yaml"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"odd\.yaml: not valid YAML"):
        Rules.load(path)


def test_a_folder_is_no_rules_file(tmp_path):
    with pytest.raises(ValueError, match="cannot be read"):
        Rules.load(tmp_path)
