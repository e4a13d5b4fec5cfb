"""Recorded matches as Parquet, a row a decision: for offline reinforcement learning and imitation.

from president_env.adapters import datasets

data = datasets.load("data/quebec.parquet")
print(data.rules.describe(), data.players, len(data))
strong = data["player"] == data.players.index("level3")
observations, masks, actions = (data[name][strong] for name in ("observation", "action_mask", "action"))

`python -m training.record` writes such files. What a seat knew at its decision is in `observation` and `action_mask`,
and in nothing else: the other columns tell which decision it was and what came of it. A file that is larger than memory
can be read in parts with pyarrow, pandas or polars: it is plain Parquet, a row group for some hundred matches.
"""

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from glob import escape
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from president_env.bots.policy import fingerprints
from president_env.moves import move_table
from president_env.observation import observation_layout
from president_env.rule_fields import did_you_mean
from president_env.rules import Rules

FORMAT = 1
KEY = b"president_dataset"
COLUMNS = {
    "match": "number of the match in the file, from 0; rows stand by match, then by step",
    "seed": "of the match: with it and the actions, Game(rules, seed=seed) plays the match again",
    "round": "of the match, from 1",
    "step": "number of the decision in the match, from 0, those of all seats counted",
    "seat": "who decides",
    "player": "the bot or the policy file that holds the seat; when loaded, its index in `players`",
    "observation": "what the seat sees, as observation_layout(rules) describes it",
    "action_mask": "1 for each legal action",
    "action": "the id that was chosen, a row of move_table(rules)",
    "reward": "place rewards that came to the seat until its next decision, or until the end of the match",
    "return_to_go": "place rewards that came to it from this decision to the end of the match",
    "place": "in which the seat ended the round",
    "terminated": "whether this was the seat's last decision in a match that was played to its end",
    "truncated": "whether this was the seat's last decision in a match that was cut off",
}
"""The columns and what they hold."""
LISTS = ("observation", "action_mask")


@dataclass(frozen=True)
class Dataset:
    """The columns of a file as arrays, a row a decision."""

    rules: Rules
    players: tuple[str, ...]
    """Names of the players, without repetition."""
    metadata: dict[str, Any]
    """How the file was made: format, version of president_env, fingerprints, and what the writer noted."""
    columns: dict[str, NDArray[Any]]

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self.columns[name]

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))


def load(
    path: str | os.PathLike[str], *, rules: Rules | None = None, columns: Sequence[str] = tuple(COLUMNS)
) -> Dataset:
    """The file's columns, without a copy where Arrow has one in a piece. ValueError if it is no whole dataset, was
    recorded with other observations or action ids than this version has, or does not fit the `rules` given."""
    for name in columns:
        if name not in COLUMNS:
            raise ValueError(f"no column {name!r}{did_you_mean(name, COLUMNS)}; columns are {', '.join(COLUMNS)}")
    if not columns:
        raise ValueError(f"columns: none was given; give some of {', '.join(COLUMNS)}")
    try:
        with pq.ParquetFile(path) as file:
            found, metadata = _checked_metadata(file.schema_arrow.metadata or {})
            if rules is not None:
                _check_fit(found, rules)
            _check_columns(file.schema_arrow, found)
            table = file.read(columns=list(columns))
        arrays = {name: _array(table.column(name).combine_chunks()) for name in columns}
    except FileNotFoundError:
        raise ValueError(f"{os.fspath(path)}: no such dataset; python -m training.record writes one") from None
    except (pa.ArrowException, OSError, KeyError, TypeError, ValueError) as error:
        reason = f"its metadata lack {error}" if isinstance(error, KeyError) else str(error).splitlines()[0]
        raise ValueError(f"{os.fspath(path)}: no dataset that can be read: {reason}") from None
    return Dataset(rules or found, tuple(metadata["players"]), metadata, arrays)


@contextmanager
def writing(
    path: str | os.PathLike[str], rules: Rules, players: Sequence[str], note: Mapping[str, Any]
) -> Iterator[Callable[[Mapping[str, NDArray[Any]]], None]]:
    """Write a file, whole or not at all: gives a function that appends columns as a row group.

    `players` are the names that the column "player" gives the indices of. The note goes into the metadata. The file
    takes its place when the block ends without an exception.
    """
    path = Path(path)
    metadata = {"format": FORMAT, "version": version("president-env"), "rules": rules.to_dict(), **fingerprints(rules)}
    metadata |= {"players": list(players), **note}
    schema = _schema(rules).with_metadata({KEY: json.dumps(metadata).encode()})
    names = pa.array(players, pa.string())

    def append(columns: Mapping[str, NDArray[Any]]) -> None:
        arrays = {name: pa.array(columns[name], type=schema.field(name).type) for name in COLUMNS
                  if name not in (*LISTS, "player")}  # fmt: skip
        arrays["player"] = pa.DictionaryArray.from_arrays(pa.array(columns["player"], pa.int8()), names)
        for name in LISTS:
            flat = pa.array(columns[name].reshape(-1), type=pa.int8())
            arrays[name] = pa.FixedSizeListArray.from_arrays(flat, type=schema.field(name).type)
        writer.write_table(pa.Table.from_arrays([arrays[name] for name in COLUMNS], schema=schema))

    for leftover in path.parent.glob(f".{escape(path.name)}.*.part"):  # of a run that was killed
        leftover.unlink(missing_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    scalars = [name for name in COLUMNS if name not in LISTS]
    try:
        with pq.ParquetWriter(temporary, schema, compression="zstd", write_statistics=scalars) as writer:
            yield append
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def _schema(rules: Rules) -> pa.Schema:
    def vector(size: int) -> pa.DataType:
        return pa.list_(pa.field("item", pa.int8(), nullable=False), size)

    types = {
        "match": pa.int32(),
        "seed": pa.int64(),
        "round": pa.int32(),
        "step": pa.int32(),
        "seat": pa.int8(),
        "player": pa.dictionary(pa.int8(), pa.string()),
        "observation": vector(observation_layout(rules).size),
        "action_mask": vector(len(move_table(rules))),
        "action": pa.int32(),
        "reward": pa.float32(),
        "return_to_go": pa.float32(),
        "place": pa.int8(),
        "terminated": pa.bool_(),
        "truncated": pa.bool_(),
    }
    return pa.schema([pa.field(name, types[name], False, {"meaning": meaning}) for name, meaning in COLUMNS.items()])


def _array(column: Any) -> NDArray[Any]:
    """An Arrow array as NumPy: lists of a fixed size as rows, names as their indices."""
    if pa.types.is_dictionary(column.type):
        column = column.indices
    if pa.types.is_fixed_size_list(column.type):
        flat: NDArray[Any] = column.flatten().to_numpy()
        return flat.reshape(-1, column.type.list_size)
    # flags are bits in Arrow, so they alone are copied
    array: NDArray[Any] = column.to_numpy(zero_copy_only=not pa.types.is_boolean(column.type))
    return array


def _checked_metadata(schema: Mapping[bytes, bytes]) -> tuple[Rules, dict[str, Any]]:
    if KEY not in schema:
        raise ValueError("it is another Parquet file, not one of python -m training.record")
    metadata = json.loads(schema[KEY])
    if metadata["format"] != FORMAT:
        raise ValueError(f"its format is {metadata['format']}, this version reads {FORMAT}")
    rules = Rules.from_dict(metadata["rules"])
    if any(metadata[name] != mark for name, mark in fingerprints(rules).items()):
        raise ValueError(f"its observations or moves are those of version {metadata['version']}; record it again")
    players = metadata["players"]
    if not isinstance(players, list) or not all(isinstance(name, str) for name in players):
        raise ValueError(f"its players are {players!r:.60}, wanted is a list of names")
    return rules, metadata


def _check_columns(found: pa.Schema, rules: Rules) -> None:
    """ValueError if they are not those that `writing` writes for these rules."""
    for wanted in _schema(rules):
        at = found.get_field_index(wanted.name)
        if at < 0 or found.field(at).type != wanted.type:
            what = f"is {found.field(at).type}" if at >= 0 else "is missing"
            raise ValueError(f"its column {wanted.name} {what}, wanted is {wanted.type}")


def _check_fit(found: Rules, wanted: Rules) -> None:
    if fingerprints(found) != fingerprints(wanted):
        mine, theirs = found.to_dict(), wanted.to_dict()
        differing = ", ".join(f"{name} {mine[name]!r}" for name in mine if mine[name] != theirs[name])
        raise ValueError(f"other observations or moves than those of the rules given: it was recorded with {differing}")


def players_of(names: Sequence[str]) -> tuple[tuple[str, ...], NDArray[np.int8]]:
    """Names without repetition, and the index among them of each seat's player: what `writing` and its column want."""
    players = tuple(dict.fromkeys(names))
    return players, np.array([players.index(name) for name in names], dtype=np.int8)
