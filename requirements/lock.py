"""Write requirements/lock.txt: the exact version of everything that pyproject.toml asks for, and of what that needs.

usage: python requirements/lock.py            (or: make lock)

pip resolves, and installs nothing. The file holds names and versions only, so it serves any index and any platform.
"""

import itertools
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements" / "lock.txt"

# Versions that pip would not choose by itself, each with its reason.
HELD = (
    "torch==2.13.0",  # a new torch is gigabytes of download: move to it knowingly
)

# torch for CUDA names these in its own metadata, exactly; they exist on some platforms only.
LEFT_TO_TORCH = re.compile(r"(nvidia|cuda|triton)\b")

HEADER = """\
# Exact versions for make setup and for CI, written by `make lock`: do not edit.
"""


def requirements() -> list[str]:
    """The requirements of the package and of all its extras, as pyproject.toml has them."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lines = [*project["dependencies"], *itertools.chain(*project["optional-dependencies"].values())]
    return [line for line in lines if not line.startswith(project["name"])]  # extras made of other extras


def resolve(wanted: list[str]) -> dict[str, str]:
    """Version by name of all that pip would install for `wanted` in an empty environment."""
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed", "-qq", "--report", "-"]
    report = json.loads(subprocess.run([*command, *wanted], check=True, stdout=subprocess.PIPE).stdout)
    found = [entry["metadata"] for entry in report["install"]]
    return {entry["name"]: entry["version"].partition("+")[0] for entry in found}


def main() -> None:
    try:
        versions = resolve([*requirements(), *HELD])
    except subprocess.CalledProcessError as error:
        sys.exit(f"lock: pip found no set of versions (exit status {error.returncode}); {LOCK.name} is unchanged")
    names = sorted((name for name in versions if not LEFT_TO_TORCH.match(name.lower())), key=str.lower)
    draft = LOCK.with_suffix(".draft")
    draft.write_text(HEADER + "".join(f"{name}=={versions[name]}\n" for name in names))
    os.replace(draft, LOCK)
    print(f"{LOCK.relative_to(ROOT)}: {len(names)} packages")


if __name__ == "__main__":
    main()
