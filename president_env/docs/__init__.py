"""The pages of `docs/` and the tables of the README, made from the code they document.

    python -m president_env.docs            # write them
    python -m president_env.docs --check    # say which are out of date, and fail if any is

A developer's tool: it needs a checkout.
"""

from president_env.docs.pages import PAGES
from president_env.docs.readme import filled

__all__ = ["PAGES", "filled"]
