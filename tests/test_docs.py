"""The documentation says what the code does: generated pages are up to date, examples run, options exist."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from president_env import bots
from president_env.bots.registry import ABOUT
from president_env.docs import PAGES, filled
from president_env.docs.__main__ import main, out_of_date
from president_env.docs.libraries import LIBRARIES
from president_env.docs.markdown import table, value_text
from president_env.docs.moves_page import KINDS
from president_env.limits import Limits
from president_env.moves import Kind, MoveTable
from president_env.presets import PRESETS
from president_env.rules import Rules

ROOT = Path(__file__).resolve().parent.parent
TEXTS = [ROOT / "README.md", *(ROOT / name for name in PAGES)]
EVALUATION = {
    "agent": "/somewhere/runs/quebec4/policy.safetensors",
    "rules": {"players": 4},
    "deals": 5000,
    "against": {
        "easy": {
            "place": {"mean": 1.75, "low": 1.74, "high": 1.76},
            "first": {"mean": 0.512, "low": 0.501, "high": 0.523},
            "reward": {"mean": 0.456, "low": 0.446, "high": 0.466},
        }
    },
}


def python_blocks() -> list[Any]:
    """Every Python example of the README and of the generated pages."""
    found = []
    for path in TEXTS:
        blocks = re.findall(r"^```python\n(.*?)^```", path.read_text(), re.MULTILINE | re.DOTALL)
        found += [pytest.param(block, id=f"{path.name}-{number}") for number, block in enumerate(blocks, 1)]
    return found


def test_generated_pages_are_up_to_date():
    assert list(out_of_date(ROOT)) == [], "run: make docs"


@pytest.mark.parametrize("block", python_blocks())
def test_examples_run(block, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    exec(compile(block, "example", "exec"), {"__name__": "__main__"})


def test_there_are_examples():
    assert len(python_blocks()) > 8


def test_the_rules_page_tells_every_field_preset_and_option():
    text = PAGES["docs/rules.md"]()
    for doc in Rules.field_docs().values():
        assert f"### `{doc.name}`\n" in text
        assert all(sentence in text for sentence in doc.choices.values())
    for name, preset in PRESETS.items():
        assert f"### `{name}`\n" in text
        assert all(title in text for title in preset.variations)
        assert all(f"`{field}={value_text(value)}`" in text for field, value in preset.overrides.items()
                   if getattr(Rules.preset(name), field) != Rules.field_docs()[field].default)  # fmt: skip


def test_examples_of_moves_are_moves_of_their_kind():
    moves = MoveTable(Limits())
    assert list(KINDS) == list(Kind)
    for kind, (_, examples) in KINDS.items():
        assert {moves[moves.id(text)].kind for text in examples} == {kind}


def test_every_bot_is_described():
    assert tuple(ABOUT) == bots.names()


def test_links_between_pages_lead_somewhere():
    for path in TEXTS:
        for target in re.findall(r"\]\((?!https?:)([^)]*)\)", path.read_text()):
            name, _, anchor = target.partition("#")
            page = path.parent / name if name else path
            assert page.exists(), f"{path.name}: {target}"
            assert not anchor or anchor in anchors_of(page.read_text()), f"{path.name}: {target}"


def anchors_of(text: str) -> set[str]:
    """What a link into the page may name: headings of one word, and anchors set by hand."""
    headings = re.findall(r"^#+ `?([\w-]+)`?$", text, re.MULTILINE)
    return {heading.lower() for heading in headings} | set(re.findall(r'<a id="([\w-]+)">', text))


def test_contributing_names_files_and_functions_that_exist():
    text = (ROOT / "CONTRIBUTING.md").read_text()
    sources = set(re.findall(r"`((?:president_env|tests)/[\w/]+\.py)`", text))
    assert len(sources) > 10
    assert [path for path in sources if not (ROOT / path).is_file()] == []
    code = "".join((ROOT / path).read_text() for path in sources)
    named = re.findall(r"`(_?[a-z]+_[a-z_]+|_?[A-Z]{4,}[A-Z_]*)`", text)
    own = {"finish_last_ranks"}
    assert [name for name in named if name not in own and name not in code and name not in ("ARGS", "WORKERS")] == []


def test_commands_of_the_readme_have_the_options_that_it_names():
    used: dict[str, set[str]] = {}
    for module, rest in re.findall(r"python -m ([\w.]+)([^\n`#]*)", (ROOT / "README.md").read_text()):
        used.setdefault(module, set()).update(word for word in shlex.split(rest) if word.startswith("--"))
    assert used
    for module, options in used.items():
        asked = subprocess.run([sys.executable, "-m", module, "--help"], cwd=ROOT, capture_output=True, text=True)
        if "make setup-all adds it" in asked.stderr:
            continue  # what it needs is not part of the core
        assert asked.returncode == 0, asked.stderr
        assert options <= set(re.findall(r"--[\w-]+", asked.stdout)), module


def test_what_was_measured_stands_between_its_marks(tmp_path):
    text = "before\n<!-- measured:training -->\nold\n<!-- /measured:training -->\nafter\n"
    assert filled(text, tmp_path) == "before\n<!-- measured:training -->\n<!-- /measured:training -->\nafter\n"
    result = {"command": "make train", "machine": "2 cores of a test", "decisions": 20_000_000, "seconds": 540.0,
              "speed": "37,000 decisions a second", "evaluation": EVALUATION}  # fmt: skip
    (tmp_path / "training.json").write_text(json.dumps(result))
    told = filled(text, tmp_path)
    assert "20 million decisions in 9.0 minutes on 2 cores of a test: 37,000 decisions a second." in told
    assert "| 3 × `easy` | 1.75 ± 0.01 | 51.2% ± 1.1% | +0.456 ± 0.010 |" in told
    assert filled(told, tmp_path) == told


def test_a_run_becomes_a_result_of_the_readme(tmp_path, monkeypatch):
    monkeypatch.setattr("president_env.docs.__main__.ROOT", tmp_path)
    shutil.copytree(ROOT / "docs", tmp_path / "docs", ignore=shutil.ignore_patterns("results"))
    shutil.copy(ROOT / "README.md", tmp_path)
    run = tmp_path / "runs" / "quebec4"
    run.mkdir(parents=True)
    assert main(["--run", str(run)]) == 2
    rows = ["decisions,seconds,decisions_per_second,share_environment", "1000,1.0,1000,0.02", "3000,3.0,1000,0.02"]
    (run / "metrics.csv").write_text("\n".join(rows) + "\n")
    (run / "curves.png").write_bytes(b"picture")
    (run / "evaluation.json").write_text(json.dumps(EVALUATION))
    assert main(["--run", str(run)]) == 0
    kept = (tmp_path / "docs" / "results" / "training.json").read_text()
    assert json.loads(kept)["decisions"] == 3000
    assert "/somewhere" not in kept
    assert "1,000 decisions a second" in (tmp_path / "README.md").read_text()
    assert (tmp_path / "docs" / "images" / "curves.png").read_bytes() == b"picture"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<!-- generated:bots -->\nno end", "not closed"),
        ("<!-- generated:bots -->\n<!-- /generated:presets -->", "not closed"),
        ("<!-- generated:weather -->\n<!-- /generated:weather -->", "no generated part 'weather'"),
        ("<!-- measured:bots -->\n<!-- /measured:bots -->", "no measured part 'bots'"),
    ],
)
def test_marks_that_are_wrong_are_refused(text, message, tmp_path):
    with pytest.raises(ValueError, match=message):
        filled(text, tmp_path)


def test_check_names_what_is_out_of_date_and_writes_nothing(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("president_env.docs.__main__.ROOT", tmp_path)
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    shutil.copy(ROOT / "README.md", tmp_path)
    page = tmp_path / "docs" / "moves.md"
    page.write_text("old")
    assert main(["--check"]) == 1
    assert "docs/moves.md is out of date; run: make docs" in capsys.readouterr().err
    assert page.read_text() == "old"
    assert main([]) == 0
    assert page.read_text() == PAGES["docs/moves.md"]()
    assert main(["--check"]) == 0


def test_without_a_checkout_there_is_one_line_of_error(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("president_env.docs.__main__.ROOT", tmp_path)
    assert main([]) == 2
    assert capsys.readouterr().err.startswith("docs: no README.md")


def test_a_cell_may_hold_a_bar():
    assert table(("a", "b>"), [("x|y", 1)]) == ["| a | b |", "| --- | ---: |", "| x\\|y | 1 |"]


def test_the_picture_of_the_table_can_be_drawn_again(tmp_path):
    drawn = tmp_path / "table.png"
    command = [sys.executable, "examples/draw_table.py", "docs/images/table.json", str(drawn), "--moves", "40"]
    subprocess.run(command, cwd=ROOT, check=True)
    assert drawn.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("library", LIBRARIES, ids=lambda library: library.name)
def test_commands_for_the_libraries_are_there(library):
    if library.packages:
        words = library.command.split()
        assert words[0] == "python"
        named = [word for word in words if word.endswith((".py", ".yaml"))]
        named += [f"{word.replace('.', '/')}.py" for word in words if word.startswith("training.")]
        assert named
        assert all((ROOT / name).is_file() for name in named)
    else:
        assert library.not_so
