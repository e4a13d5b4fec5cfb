"""How soon a new process plays: the import, the first match from the cache, and where the cache is kept."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from president_env.engine import compiled

ROOT = Path(__file__).resolve().parent.parent
LIBRARIES = "import numba, gymnasium, pettingzoo"
COMPILING = "president_env: compiling the engine"

# seconds of the processor, which what else runs on the machine changes less than those of the clock
TIMED = """
import time
began = time.process_time()
{first}
between = time.process_time()
{then}
print(between - began, time.process_time() - between)
"""
FIRST_MATCH = """
from president_env import president_v0
president_v0.env("quebec").reset(seed=1)
"""
ONE_FUNCTION = """
import numpy as np
from president_env.engine.batch import first_illegal
print(first_illegal(np.ones((3, 2), np.int8), np.array([0, 1, 5])))
"""
FIRST_DEAL = """
from president_env import Game, Rules
from president_env.engine import entry
print(Game(Rules.preset("quebec"), seed=7).hands)
print(sum(entry.begin_round.stats.cache_misses.values()))
"""


def ended(process: "subprocess.Popen[str]") -> tuple[str, str]:
    """What the process printed, when it has ended well."""
    printed, told = process.communicate()
    assert process.returncode == 0, told
    return printed, told


def begun(script: str, package: Path = ROOT, caches: Path | None = None) -> "subprocess.Popen[str]":
    """A new Python that runs the script with this copy of the package, and that folder as its user's for caches."""
    env = {name: value for name, value in os.environ.items() if name not in ("NUMBA_CACHE_DIR", "PYTHONPATH")}
    if caches:
        env |= dict.fromkeys(("XDG_CACHE_HOME", "HOME", "LOCALAPPDATA"), str(caches))
    command = [sys.executable, "-c", script]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=package, env=env, stdout=pipe, stderr=pipe, text=True)


def seconds(first: str, then: str = "") -> tuple[float, float]:
    """The least that each of the two took in three new processes."""
    runs = [ended(begun(TIMED.format(first=first, then=then)))[0].split() for _ in range(3)]
    return min(float(run[0]) for run in runs), min(float(run[1]) for run in runs)


def test_the_import_takes_half_a_second_or_little_more_than_the_libraries():
    libraries, package = seconds(LIBRARIES, "import president_env")
    assert libraries + package <= max(0.5, 1.6 * libraries)


def test_the_first_reset_from_the_cache_takes_a_second_at_most():
    ended(begun(FIRST_MATCH))  # compiles what is not in the cache yet
    imported, reset = seconds("import president_env", FIRST_MATCH)
    assert reset <= max(1.0, 2 * imported)


@pytest.fixture
def installed(tmp_path):
    """A folder with a copy of the package, that has never been compiled."""
    folder = tmp_path / "site-packages"
    shutil.copytree(ROOT / "president_env", folder / "president_env", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def close(folder: Path) -> None:
    """Let nobody, root included, make a folder for compiled code in this one."""
    (folder / "__pycache__").write_text("a file where the folder would be")


def cache_of(installed: Path, caches: Path, monkeypatch: pytest.MonkeyPatch) -> Path | None:
    """The folder for compiled code of this copy of the package; None if it would have none."""
    for name in ("XDG_CACHE_HOME", "HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(caches))
    monkeypatch.setattr(compiled, "PACKAGE", installed / "president_env")
    folder = compiled.cache_folder()
    return Path(folder) if folder else None


def test_the_cache_lies_beside_a_package_that_can_be_written(installed, tmp_path, monkeypatch):
    folder = cache_of(installed, tmp_path / "caches", monkeypatch)
    assert folder is not None
    assert folder.parent == installed / "president_env" / "__pycache__"


def test_the_cache_of_a_package_that_cannot_be_written_is_the_users(installed, tmp_path, monkeypatch):
    close(installed / "president_env")
    folder = cache_of(installed, tmp_path / "caches", monkeypatch)
    assert folder is not None
    assert folder.parent.name == "president-env"
    assert folder.is_relative_to(tmp_path / "caches")


def test_where_nothing_can_be_written_the_engine_is_compiled_for_this_process_alone(installed, tmp_path, monkeypatch):
    close(installed / "president_env")
    (tmp_path / "caches").write_text("a file where the folder would be")
    assert cache_of(installed, tmp_path / "caches", monkeypatch) is None
    assert ended(begun(ONE_FUNCTION, installed, tmp_path / "caches"))[0] == "2\n"


def test_an_edit_of_any_source_gives_another_folder(installed, tmp_path, monkeypatch):
    folders = {cache_of(installed, tmp_path, monkeypatch)}
    assert folders == {cache_of(installed, tmp_path, monkeypatch)}
    for name in ("engine/deal.py", "bots/simple.py", "rule_table.py"):
        with (installed / "president_env" / name).open("a") as file:
            file.write("# edited\n")
        folders.add(cache_of(installed, tmp_path, monkeypatch))
    assert len(folders) == 4


def test_an_empty_cache_is_told_of_once_and_a_filled_one_is_not(installed, tmp_path):
    asked = f"""
from president_env import Rules
from president_env.engine.parameters import parameters_of
parameters_of(Rules())
parameters_of(Rules(players=5))
{ONE_FUNCTION}
"""
    assert ended(begun(asked, installed))[1].count(COMPILING) == 1
    assert COMPILING not in ended(begun(asked, installed))[1]


@pytest.mark.slow
def test_two_processes_that_begin_at_once_in_a_read_only_install_fill_one_cache(installed, tmp_path):
    close(installed / "president_env")
    both = [begun(FIRST_DEAL, installed, tmp_path / "caches") for _ in range(2)]
    (one, told), (other, told_too) = (ended(process) for process in both)
    assert COMPILING in told + told_too
    again, nothing = ended(begun(FIRST_DEAL, installed, tmp_path / "caches"))
    assert nothing == ""
    assert one.splitlines()[0] == other.splitlines()[0] == again.splitlines()[0]
    assert again.splitlines()[1] == "0"
