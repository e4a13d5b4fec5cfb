"""The outside libraries that are tested, for the README: what works, how to see it, what does not and why."""

import re
from dataclasses import dataclass
from pathlib import Path

from president_env.docs.markdown import code, table

LOCK = Path(__file__).resolve().parents[2] / "requirements" / "lock.txt"


@dataclass(frozen=True)
class Library:
    """A row of the table; `packages` are names in the lock file, empty for what cannot be installed beside the rest."""

    name: str
    packages: tuple[str, ...]
    works: str
    command: str
    not_so: str


LIBRARIES = (
    Library(
        "stable-baselines3, sb3-contrib",
        ("stable_baselines3", "sb3_contrib"),
        "MaskablePPO from its own loop on a VecEnv over the batch; all seats in self-play by `training.self_play`",
        "python examples/sb3_maskable_ppo.py",
        'Other algorithms know no masks: make the environment with `illegal="end"` for them',
    ),
)


def libraries_part() -> list[str]:
    """A row for each library, with the version that the tests run on."""
    versions = dict(re.findall(r"^([\w.-]+)==(\S+)$", LOCK.read_text(encoding="utf-8"), re.MULTILINE))
    rows = [
        (each.name, ", ".join(versions[name] for name in each.packages), each.works, code(each.command), each.not_so)
        for each in LIBRARIES
    ]
    return table(("library", "version", "what works", "command", "what does not, and why"), rows)
