"""The decorator of every compiled function, and where its machine code is kept.

Numba's own cache notices an edit of the file a function stands in, but not of the files it calls into. So the
cache folder is named after a hash of all sources of the engine: an edit anywhere starts a fresh folder. It lies
beside the package if that can be written, else in the user's cache folder. `NUMBA_DISABLE_JIT=1` leaves every
function plain Python.
"""

import hashlib
import os
import pathlib
import sys
import tempfile
from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeVar

import numba
from numba.core import config, types

Function = TypeVar("Function", bound=Callable[..., Any])

PACKAGE = pathlib.Path(__file__).resolve().parents[1]


def sources_hash() -> str:
    """Twelve hex digits that change with any source the engine is compiled from or takes constants from."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version_info[:2]} {config.BOUNDSCHECK}".encode())
    constants = [*PACKAGE.glob("rule_*.py"), *(PACKAGE / name for name in ("cards.py", "moves.py", "features.py"))]
    compiled = [*(PACKAGE / "engine").glob("*.py"), *(PACKAGE / "bots").glob("*.py"), *constants]
    for path in sorted(compiled):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:12]


def user_cache_folder() -> pathlib.Path:
    """The folder for regenerable files of this user, by the habits of the platform."""
    if sys.platform == "win32":
        return pathlib.Path(os.environ.get("LOCALAPPDATA", pathlib.Path.home() / "AppData" / "Local"))
    if sys.platform == "darwin":
        return pathlib.Path.home() / "Library" / "Caches"
    return pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")


def cache_folder() -> str:
    """A folder that this process can write, the same for every process of these sources; empty if there is none.

    Never a folder that others can write: cached machine code is trusted when it is loaded.
    """
    name = f"president-{sources_hash()}"
    for parent in (lambda: PACKAGE / "__pycache__", lambda: user_cache_folder() / "president-env"):
        try:
            folder = parent() / name
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                return str(folder)
        except (OSError, RuntimeError):  # RuntimeError: a user without a home
            continue
    return ""


CACHE_FOLDER = config.CACHE_DIR or cache_folder()


@lru_cache(maxsize=1)
def say_if_compiling() -> None:
    """Tell the user, once, that the first match waits for the compiler because there is no cache yet."""
    if not config.DISABLE_JIT and not any(pathlib.Path(CACHE_FOLDER or os.devnull).rglob("*.nbi")):
        print("president_env: compiling the engine; later starts take it from the cache", file=sys.stderr, flush=True)


def _entry(function: Function, counted: bool) -> Function:
    kept = config.CACHE_DIR
    config.CACHE_DIR = CACHE_FOLDER
    try:
        # `_nrt` counts references to arrays, also to those that a function is merely handed
        decorated: Function = numba.njit(cache=bool(CACHE_FOLDER), nogil=True, _nrt=counted)(function)
        return decorated
    finally:
        config.CACHE_DIR = kept


def compiled(function: Function) -> Function:
    """`numba.njit` with the engine's cache, free of the global lock while it runs: for what Python calls. It makes
    no arrays."""
    return _entry(function, False)


def allocating(function: Function) -> Function:
    """The same for what makes arrays of its own; with many arguments a call takes twice as long."""
    return _entry(function, True)


def _part(function: Function, inline: bool) -> Function:
    decorated: Function = numba.njit(
        nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=False, forceinline=inline
    )(function)
    if config.DISABLE_JIT:
        return decorated
    call_template: Any = decorated.get_call_template  # type: ignore[attr-defined]

    def of_any_number(args: Any, kws: Any) -> Any:
        """Without it Numba compiles the function once more for every constant that it is called with."""
        return call_template([types.unliteral(each) for each in args], kws)  # type: ignore[attr-defined]

    decorated.get_call_template = of_any_number  # type: ignore[attr-defined]
    return decorated


def part(function: Function) -> Function:
    """What compiled functions alone call: part of their machine code, not to be called from Python. It makes no arrays
    and returns none: callers that count references and those that do not would disagree about them."""
    return _part(function, False)


def inlined(function: Function) -> Function:
    """The same, copied into each of its callers: for what is small, or of a batch's every step."""
    return _part(function, True)
