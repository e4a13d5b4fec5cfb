"""Files that are written whole or not at all."""

import os
from pathlib import Path


def write_whole(path: str | os.PathLike[str], data: str | bytes) -> None:
    """Write a file by way of a temporary one beside it, so that nobody ever finds half of it."""
    path = Path(path)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        temporary.write_bytes(data.encode() if isinstance(data, str) else data)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
