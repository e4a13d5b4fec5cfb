"""Files: written whole or not at all; YAML read as data, without keys that stand twice."""

import os
import tempfile
from collections.abc import Hashable
from pathlib import Path
from typing import Any

import yaml


class _Loader(yaml.SafeLoader):
    """PyYAML's safe loader, which alone would let the last of two equal keys win in silence."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        keys = [self.construct_object(key, deep=True) for key, _ in node.value if key.tag != "tag:yaml.org,2002:merge"]
        for number, key in enumerate(keys):
            if key in keys[:number]:
                raise yaml.constructor.ConstructorError(None, None, f"the key {key!r} stands twice", node.start_mark)
        return super().construct_mapping(node, deep=deep)


def parse_yaml(text: str) -> Any:
    """The value that a YAML text is. ValueError says what is wrong with it, and in which line."""
    try:
        return yaml.load(text, Loader=_Loader)  # a safe one
    except (yaml.YAMLError, ValueError, RecursionError, TypeError) as error:
        where = getattr(error, "problem_mark", None)
        line = f" (line {where.line + 1})" if where else ""
        problem = getattr(error, "problem", None) or " ".join(str(error).split()) or "unreadable"
        raise ValueError(f"not valid YAML{line}: {problem}") from None


def check_writable(path: Path, name: str) -> None:
    """ValueError, which calls the file by this name, if `write_whole` could not write it now."""
    if path.is_dir():
        raise ValueError(f"{name} {path}: that is a folder; give a file")
    try:
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise ValueError(f"{name} {path}: nothing can be written there ({error.strerror})") from None


def write_whole(path: str | os.PathLike[str], data: str | bytes) -> None:
    """Write a file by way of a temporary one beside it, so that nobody ever finds half of it."""
    path = Path(path)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        temporary.write_bytes(data.encode() if isinstance(data, str) else data)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
