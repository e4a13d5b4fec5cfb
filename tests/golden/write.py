"""Write the golden files anew, after a change of the rules or of their moves that is meant:

    python -m tests.golden.write

`<rules>.json` holds whole matches, one a line; `tables.json` a digest of the texts of every move table.
"""

import hashlib
import json
from pathlib import Path

from president_env import Game, Rules
from president_env.files import write_whole
from president_env.limits import Limits
from president_env.moves import move_table
from president_env.presets import PRESETS
from tests.strategies import EVERYTHING

FOLDER = Path(__file__).parent


def tables_played() -> dict[str, list[Rules]]:
    """The rules of the golden games, by file name."""
    played = {"everything": [EVERYTHING, EVERYTHING]}
    for name in Rules.presets():
        shorter: dict[str, int] = {"target_score": 3} if name == "norwegian" else {"rounds": 2}
        fewest, most = Rules.preset_players(name)
        played[name] = [Rules.preset(name, players=players, **shorter) for players in (fewest + 1, most)]
    return played


def games_of(name: str) -> str:
    """Two matches as JSON, a record a line."""
    lines = []
    for seed, rules in enumerate(tables_played()[name], start=1):
        game = Game(rules, seed=seed)
        step = 0
        while not game.over:
            legal = game.legal
            game.play(legal[(step * step + 7 * step + seed) % len(legal)])
            step += 1
        lines.append(json.dumps(game.record(), separators=(",", ":")))
    return "[\n" + ",\n".join(lines) + "\n]\n"


def tables() -> str:
    """Length and digest of the move tables of all presets, at each number of players and with each variation."""
    numbered: dict[str, Rules | Limits] = {"everything": EVERYTHING, "within limits": Limits()}
    for name, preset in PRESETS.items():
        for players in range(preset.fewest, preset.most + 1):
            numbered[f"{name}, {players} players"] = Rules.preset(name, players=players)
        for title, overrides in preset.variations.items():
            numbered[f"{name}, {title}"] = Rules.preset(name, **overrides)
    lines = []
    for name, rules in numbered.items():
        texts = move_table(rules).texts
        digest = hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]
        lines.append(f'"{name}": [{len(texts)}, "{digest}"]')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def golden_files() -> dict[str, str]:
    """Content by file name."""
    return {f"{name}.json": games_of(name) for name in tables_played()} | {"tables.json": tables()}


if __name__ == "__main__":
    for file_name, content in golden_files().items():
        write_whole(FOLDER / file_name, content)
