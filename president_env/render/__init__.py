"""Drawing the table: as text in `text`."""

from collections.abc import Sequence


def checked_render_mode(mode: str | None, modes: Sequence[str]) -> str | None:
    """The render mode if it is one; ValueError names the choices."""
    if mode is not None and mode not in modes:
        raise ValueError(f"render_mode {mode!r} is unknown; choose from {', '.join(modes)}, or None")
    return mode
