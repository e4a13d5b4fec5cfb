"""Write the generated documentation, or check it: python -m president_env.docs [--check]"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from president_env.docs import PAGES, filled
from president_env.docs.measured import adopt_run
from president_env.docs.readme import README, RESULTS
from president_env.files import write_whole

ROOT = Path(__file__).resolve().parents[2]


def main(argv: Sequence[str] | None = None) -> int:
    """The command line; returns the exit status, 1 if `--check` found a page out of date."""
    parser = argparse.ArgumentParser(prog="python -m president_env.docs", description=(__doc__ or "").split(":")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; name the pages that are out of date")
    parser.add_argument("--run", type=Path, metavar="FOLDER", help="take the README's training result from this run")
    arguments = parser.parse_args(argv)
    try:
        if not (ROOT / README).is_file():
            raise ValueError(f"no {README} in {ROOT}; the documentation is made in a checkout")
        if arguments.run and not arguments.check:
            adopt_run(arguments.run, ROOT)
        stale = out_of_date(ROOT)
        for name, text in stale.items():
            if arguments.check:
                print(f"docs: {name} is out of date; run: make docs", file=sys.stderr)
            else:
                write_whole(ROOT / name, text)
                print(f"wrote {name}")
    except (ValueError, OSError) as error:
        print(f"docs: {error}", file=sys.stderr)
        return 2
    return 1 if arguments.check and stale else 0


def out_of_date(root: Path) -> dict[str, str]:
    """The files that differ from what would be written, and what that is."""
    wanted = {name: make() for name, make in PAGES.items()}
    wanted[README] = filled((root / README).read_text(encoding="utf-8"), root / RESULTS)
    found = {name: (root / name).read_text(encoding="utf-8") if (root / name).is_file() else "" for name in wanted}
    return {name: text for name, text in wanted.items() if text != found[name]}


if __name__ == "__main__":
    sys.exit(main())
