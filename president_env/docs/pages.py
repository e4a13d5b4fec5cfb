"""The generated pages by the file that holds them."""

from collections.abc import Callable

from president_env.docs.moves_page import moves_page
from president_env.docs.observations_page import observations_page
from president_env.docs.rules_page import rules_page

PAGES: dict[str, Callable[[], str]] = {
    "docs/rules.md": rules_page,
    "docs/observations.md": observations_page,
    "docs/moves.md": moves_page,
}
