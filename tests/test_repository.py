"""What holds for the repository as a whole: imports, sizes, versions, commands."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parent.parent

# Imports point from a line to lines above it, or to the same line.
LAYERS = (
    ("cards", "files"),
    ("rules", "rule_*", "presets", "limits", "features"),
    ("moves",),
    ("engine",),
    ("dealing", "game", "games", "observation", "record", "rewards"),
    ("render", "bots"),
    ("env", "president_v0", "registration", "single", "vector"),
    ("arena", "adapters"),
    ("training",),
)
ABOVE_ALL = {"__init__", "docs"}

LONGEST = 400
LONGER_WITH_REASON: dict[str, str] = {}

SOURCES = sorted([*(ROOT / "president_env").rglob("*.py"), *(ROOT / "training").rglob("*.py")])


def texts() -> list[Path]:
    """Every text file of the repository, the new ones too; what git ignores is somebody's own."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not in a git checkout")
    kinds = {".py", ".md", ".yaml", ".txt", ".toml", ".cff", ""}
    found = (ROOT / name for name in listed.stdout.splitlines())
    return sorted(path for path in found if path.suffix in kinds and path.is_file())


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def unit_of(module: str) -> str:
    """The name in LAYERS that a dotted module belongs to: `president_env.engine.deal` to `engine`."""
    parts = module.split(".")
    return parts[0] if parts[0] == "training" else (*parts[1:], "__init__")[0]


def layer_of(module: str) -> int | None:
    """Index of the layer of a module; None if it has no place there."""
    unit = unit_of(module)
    return next((i for i, names in enumerate(LAYERS) if any(fnmatch(unit, name) for name in names)), None)


def imported(path: Path) -> Iterator[tuple[int, str]]:
    """(line, dotted module) of everything of this project that a file imports, at its top or inside a function."""
    package = list(path.relative_to(ROOT).parent.parts)
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) + 1 - node.level] if node.level else []
            base = ".".join([*start, *([node.module] if node.module else [])])
            # `from president_env import rules` may name a module or a thing in one
            modules = [f"{base}.{alias.name}" for alias in node.names] if base == "president_env" else [base]
        else:
            continue
        yield from ((node.lineno, name) for name in modules if name.split(".")[0] in ("president_env", "training"))


def test_imports_point_one_way():
    wrong = []
    for path in SOURCES:
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        if unit_of(module) in ABOVE_ALL:
            continue
        own = layer_of(module)
        assert own is not None, f"{relative(path)} has no place in LAYERS: say what it may import"
        wrong += [
            f"{relative(path)}:{line} imports {name}" for line, name in imported(path) if (layer_of(name) or 0) > own
        ]
    assert wrong == []


def test_files_stay_short():
    lengths = {relative(path): len(path.read_text().splitlines()) for path in SOURCES}
    assert {name for name, lines in lengths.items() if lines > LONGEST} == set(LONGER_WITH_REASON)


def test_no_file_names_a_folder_of_somebodys_machine():
    folder = re.compile(r"(?<![\w.~$}])/(?:tmp|root|home|Users|mnt)/\w")
    found = [
        f"{relative(path)}:{number}: {line.strip()[:100]}"
        for path in texts()
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if folder.search(line)
    ]
    assert found == []


def test_importing_the_package_loads_no_heavy_library():
    script = "import sys, president_env; print(*sorted({'torch', 'matplotlib', 'pandas'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(), re.MULTILINE))


@pytest.mark.parametrize("page", sorted(ROOT.glob("*.md")), ids=relative)
def test_pages_name_make_targets_that_exist(page):
    named = set(re.findall(r"(?:^|`)make ([a-z][a-z-]*)", page.read_text(), re.MULTILINE))
    assert named <= make_targets()


@pytest.mark.parametrize("page", sorted(ROOT.glob("*.md")), ids=relative)
def test_pages_name_files_and_modules_that_exist(page):
    text = page.read_text()
    modules = re.findall(r"python -m ((?:president_env|training|tests|benchmarks)(?:\.\w+)*)", text)
    missing = [
        name for name in modules if not list((ROOT / name.replace(".", "/")).parent.glob(f"{name.split('.')[-1]}*"))
    ]
    links = re.findall(r"\]\((?!https?:|#|mailto:)([^)#]+)", text)
    configs = re.findall(r"\bconfigs/[\w/.-]+\.yaml", text)
    missing += [name for name in [*links, *configs] if not (ROOT / name).exists()]
    assert missing == []


def pins() -> dict[str, str]:
    """Version by name, as in the lock file; names in lower case with dashes."""
    lines = (ROOT / "requirements" / "lock.txt").read_text().splitlines()
    requirements = [Requirement(line) for line in lines if not line.startswith("#")]
    return {r.name.lower().replace("_", "-"): str(r.specifier).removeprefix("==") for r in requirements}


def test_the_lock_file_holds_a_fitting_version_of_every_requirement():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    wanted = [Requirement(line) for line in [*project["dependencies"], *extras["train"], *extras["dev"]]]
    locked = pins()
    assert [str(w) for w in wanted if not w.specifier.contains(locked.get(w.name.lower(), "0"))] == []


def test_locked_versions_are_those_of_no_one_platform():
    assert {name: version for name, version in pins().items() if not re.fullmatch(r"[\w.]+", version)} == {}
