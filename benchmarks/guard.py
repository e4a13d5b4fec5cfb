"""Has something become slow? Two costs that a few seconds can tell, against what they were.

usage: python -m benchmarks.guard [--write]

A cost is how many times as long a decision takes as one of a yardstick timed in turn with it, so that it says little of
the machine and of what else runs on it. `tests/golden/speed_guard.json` keeps what the costs were; after a change that
is meant to make them others, `--write` keeps those of now.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks import faces
from benchmarks.timing import Entry, on_one_core, timed
from president_env import Games, Rules
from president_env.env import raw_env
from president_env.files import write_whole

STORED = Path(__file__).resolve().parents[1] / "tests" / "golden" / "speed_guard.json"
ALLOWED = 2.0
"""How many times a stored cost is too much."""


def entries() -> list[Entry]:
    """`Games` beside a loop that only writes as many bytes a row, the AEC environment beside one that does nothing."""
    quebec = Rules.preset("quebec")
    games = Games(quebec, 1)
    observed, num_actions = games.observation_size, games.num_actions
    return [
        Entry("writing", faces.writing(observed, num_actions)),
        Entry("Games", faces.batch(quebec, 1024), "writing"),
        Entry("nothing", faces.aec(faces.DoNothing(observed, num_actions))),
        Entry("AEC", faces.aec(raw_env(quebec)), "nothing"),
    ]


def costs(timed_entries: Sequence[Entry], seconds: float = 0.05, repetitions: int = 9) -> dict[str, float]:
    """What a decision of each costs in decisions of its yardstick."""
    with on_one_core():
        timings = timed(timed_entries, seconds, repetitions)
    return {what: timings.times_as_fast(beside, what) for what, _, beside in timed_entries if beside}


def stored() -> dict[str, float]:
    """The costs as they were."""
    kept: dict[str, float] = json.loads(STORED.read_text(encoding="utf-8"))
    return kept


def slowed(now: Mapping[str, float], before: Mapping[str, float]) -> list[str]:
    """A line for each cost that is more than ALLOWED times what it was."""
    return [
        f"{what}: a decision costs {now[what]:.1f} yardsticks, and cost {before[what]:.1f}; "
        f"more than {ALLOWED:g} times that is too much"
        for what in before
        if now[what] > ALLOWED * before[what]
    ]


def main() -> int:
    """The command line; returns the exit status, 1 if something has become slow."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.guard", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--write", action="store_true", help="keep the costs of now as those to compare with")
    arguments = parser.parse_args()
    now = costs(entries())
    print(", ".join(f"{what} {cost:.2f}" for what, cost in now.items()))
    if arguments.write:
        write_whole(STORED, json.dumps({what: round(cost, 2) for what, cost in now.items()}, indent=1) + "\n")
        print(f"wrote {STORED}")
        return 0
    lines = slowed(now, stored())
    print(*lines, sep="\n", file=sys.stderr, end="\n" * bool(lines))
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
