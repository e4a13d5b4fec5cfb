"""Saved games: write, read, replay. A record is plain JSON: data, never code."""

import json
import os
from typing import Any

from president_env.files import write_whole
from president_env.game import Game, IllegalMove
from president_env.rules import Rules

FORMAT = "president-game-1"
_TYPES: dict[str, type | tuple[type, ...]] = {
    "format": str,
    "rules": dict,
    "seed": int,
    "leader": (int, type(None)),
    "given_deals": int,
    "deals": list,
    "moves": list,
    "places": list,
    "scores": list,
}


def record_of(game: Game) -> dict[str, Any]:
    """The match so far as a JSON-able dict. ValueError for a view: a record tells everything."""
    if game.viewer is not None:
        raise ValueError(f"this is the view of seat {game.viewer}; only the game itself can be recorded")
    return {
        "format": FORMAT,
        "rules": game.rules.to_dict(),
        "seed": game.seed,
        "leader": game.given_leader,
        "given_deals": min(game.num_given_deals, len(game.deals)),
        "deals": game.deals,
        "moves": [f"{seat}:{text}" for _, seat, text in game.history],
        "places": game.places,
        "scores": game.scores,
    }


def replayed(record: dict[str, Any]) -> Game:
    """Play a record back. ValueError names the first move that is not legal or the first result that differs."""
    _check_shape(record)
    rules = Rules.from_dict(record["rules"])
    given = record["deals"][: record["given_deals"]]
    game = Game(rules, seed=record["seed"], deals=given, leader=record["leader"])
    for number, move in enumerate(record["moves"], start=1):
        seat, _, text = str(move).partition(":")
        if seat != str(game.seat):
            raise ValueError(f"record: move {number} is {move!r}, but seat {game.seat} is to move")
        try:
            game.play(text)
        except IllegalMove as error:
            raise ValueError(f"record: move {number} is {move!r}: {error}") from None
    for name, found in (("deals", game.deals), ("places", game.places), ("scores", game.scores)):
        if record[name] != found:
            raise ValueError(f"record: {name} are {record[name]}, but the moves lead to {found}")
    return game


def _check_shape(record: Any) -> None:
    if not isinstance(record, dict):
        raise ValueError(f"record: a mapping is wanted, not {type(record).__name__}")
    if record.get("format") != FORMAT:
        raise ValueError(f"record: the format is {record.get('format')!r}; this version reads {FORMAT!r}")
    for name, kind in _TYPES.items():
        if name not in record:
            raise ValueError(f"record: {name!r} is missing; wanted are {', '.join(_TYPES)}")
        if not isinstance(record[name], kind) or isinstance(record[name], bool):
            raise ValueError(f"record: {name!r} is {record[name]!r}, of the wrong type")
    if not 0 <= record["given_deals"] <= len(record["deals"]):
        given, most = record["given_deals"], len(record["deals"])
        raise ValueError(f"record: 'given_deals' is {given}; with {most} deals it is a number from 0 to {most}")
    if not all(isinstance(hands, list) and all(isinstance(hand, str) for hand in hands) for hands in record["deals"]):
        raise ValueError("record: 'deals' wants a list of hands, each a text, per round")


def write_record(game: Game, path: str | os.PathLike[str]) -> None:
    """Save the match as JSON; the file is written whole or not at all."""
    write_whole(path, (json.dumps(record_of(game), indent=1) + "\n").encode())


def read_record(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read a record for `Game.replay`; ValueError names the file if it is none."""
    try:
        with open(path, encoding="utf-8") as file:
            record = json.load(file)
        _check_shape(record)
    except FileNotFoundError:
        raise ValueError(f"{path}: there is no such file; a record of a game is wanted") from None
    except OSError as error:
        raise ValueError(f"{path}: cannot be read: {error.strerror}") from None
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise ValueError(f"{path}: not a record of a game, or cut off: {error}") from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    assert isinstance(record, dict)
    return record
