"""What the command lines of training have in common: their arguments, and how a run is asked to stop."""

import argparse
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Protocol


class Stoppable(Protocol):
    """A run that looks now and then whether it has been asked to stop."""

    stop_asked: bool


def run_arguments(argv: Sequence[str] | None, module: str, about: str, config: str, change: str) -> argparse.Namespace:
    """The arguments of `python -m module`; `config` and `change` are the examples that its help gives."""
    parser = argparse.ArgumentParser(prog=f"python -m {module}", description=about)
    parser.add_argument("config", help=f"a YAML file, such as {config}")
    parser.add_argument("overrides", nargs="*", metavar="section.key=value", help=f"changes, as {change}")
    parser.add_argument("--resume", action="store_true", help="go on from the last checkpoint of the run")
    parser.add_argument("--run-dir", type=Path, help="folder of the run (by default runs/ and the config's name)")
    return parser.parse_intermixed_args(argv)


@contextmanager
def stopped_by_signals(run: Stoppable) -> Iterator[None]:
    """Let Ctrl-C and SIGTERM ask the run to stop; the second time they end it at once."""

    def stop(number: int, frame: FrameType | None) -> None:
        run.stop_asked = True
        signal.signal(number, signal.default_int_handler)

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
