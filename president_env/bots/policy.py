"""Trained policies: a file of weights, and the bot that plays it in NumPy.

A policy file is a safetensors file. Its metadata say, as JSON under the key "president_policy", the format, the rules
in full, and fingerprints of the observation layout and the move table that the weights are for. Nothing in it is code.
"""

import hashlib
import json
import os
import pathlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from president_env.files import write_whole
from president_env.moves import MoveTable, move_table
from president_env.observation import ObservationLayout, observation_layout
from president_env.rules import Rules

if TYPE_CHECKING:
    from president_env import Game, Games

FORMAT = 1
KEY = "president_policy"
INPUTS = ("bit_columns", "thresholds", "scaled_columns", "scale")
"""Tensors that turn an observation into inputs: a bit for each (column, threshold) that the observation reaches, then
the scaled columns."""
PARTS = ("trunk", "policy", "value")
"""Dense layers: the shared trunk, and the two heads behind it. ReLU after each but the last of a head."""


class PolicyNetwork:
    """The arithmetic of a trained network."""

    def __init__(self, tensors: Mapping[str, NDArray[Any]]) -> None:
        self.tensors = dict(tensors)
        self.layers = {part: _layers(self.tensors, part) for part in PARTS}
        self._check_shapes()

    def logits(self, observations: NDArray[np.int8]) -> NDArray[np.float32]:
        """(n, D) observations -> (n, A) logits, illegal actions included."""
        return self._head("policy", observations)

    def values(self, observations: NDArray[np.int8]) -> NDArray[np.float32]:
        """(n, D) observations -> (n,) expected rewards of the seats whose views they are, from here to the end."""
        return self._head("value", observations)[:, 0]

    def _head(self, part: str, observations: NDArray[np.int8]) -> NDArray[np.float32]:
        bit_columns, thresholds, scaled_columns, scale = (self.tensors[name] for name in INPUTS)
        bits = observations[:, bit_columns] >= thresholds
        scaled = observations[:, scaled_columns] * scale
        x = np.concatenate((bits.astype(np.float32), scaled), axis=1)
        for weight, bias in self.layers["trunk"]:
            x = np.maximum(x @ weight.T + bias, 0.0)
        *hidden, (weight, bias) = self.layers[part]
        for inner, inner_bias in hidden:
            x = np.maximum(x @ inner.T + inner_bias, 0.0)
        result: NDArray[np.float32] = x @ weight.T + bias
        return result

    def _check_shapes(self) -> None:
        missing = [name for name in INPUTS if name not in self.tensors]
        if missing or not self.layers["policy"] or not self.layers["value"]:
            raise ValueError(f"it lacks the tensor {missing[0]!r}" if missing else "it lacks the layers of a head")
        inputs = len(self.tensors["bit_columns"]) + len(self.tensors["scaled_columns"])
        widths = {"trunk": inputs}
        for part in PARTS:
            width = widths["trunk"]
            for weight, bias in self.layers[part]:
                if weight.ndim != 2 or weight.shape[1] != width or bias.shape != weight.shape[:1]:
                    raise ValueError(f"the layers of {part!r} do not fit together")
                width = weight.shape[0]
            widths[part] = width
        if widths["value"] != 1:
            raise ValueError("the value head has more than one output")
        self._check_numbers()

    def _check_numbers(self) -> None:
        """A file can hold numbers of any type: what would play at random or read beside the observation is refused."""
        for name, tensor in self.tensors.items():
            if name in ("bit_columns", "scaled_columns", "thresholds"):
                if tensor.dtype.kind not in "iu" or tensor.ndim != 1 or (tensor < 0).any():
                    raise ValueError(f"{name!r} is no list of whole numbers from 0")
            elif tensor.dtype != np.float32 or not np.isfinite(tensor).all():
                raise ValueError(f"{name!r} has other values than finite float32 numbers")
        for columns, values in (INPUTS[:2], INPUTS[2:]):
            if self.tensors[columns].shape != self.tensors[values].shape:
                raise ValueError(f"{columns!r} and {values!r} are not equally long")

    @property
    def last_column(self) -> int:
        """The highest column of the observation that it reads."""
        return max(int(self.tensors[name].max(initial=0)) for name in ("bit_columns", "scaled_columns"))

    @property
    def num_actions(self) -> int:
        """How many actions there are logits for."""
        return int(self.layers["policy"][-1][1].shape[0])


class PolicyBot:
    """A seat held by a trained network: its likeliest legal move, or one drawn by its probabilities.

    It plays any rules whose observations and moves are those it was trained on, whatever the number of rounds. It keeps
    no memory: what it draws follows from its seed and the observation, in a batch as alone.
    """

    def __init__(
        self, network: PolicyNetwork, rules: Rules, *, greedy: bool = True, seed: int = 0, name: str = "policy"
    ) -> None:
        self.network = network
        self.rules = rules
        self.name = name
        self.greedy = greedy
        self.seed = seed
        self._checked: Rules | None = None
        size = observation_layout(rules).size
        if network.num_actions != len(move_table(rules)):
            raise ValueError(f"the policy knows {network.num_actions} moves, its rules {len(move_table(rules))}")
        if network.last_column >= size:
            raise ValueError(f"the policy reads column {network.last_column}; its rules have {size}, from 0")

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, greedy: bool = True, seed: int = 0) -> Self:
        """The bot in a policy file; ValueError says what is wrong with the file."""
        network, metadata = load_policy(path)
        return cls(network, metadata["rules"], greedy=greedy, seed=seed, name=os.fspath(path))

    def act(self, view: "Game", legal: list[str]) -> str:
        """One of the legal moves."""
        self.check(view.rules)
        assert view.seat is not None
        actions = [view.table.id(text) for text in legal]
        mask = np.zeros((1, len(view.table)), dtype=np.int8)
        mask[0, actions] = 1
        return view.table.text(int(self._choose(view.observation(view.seat)[None], mask)[0]))

    def act_batch(self, batch: "Games", rows: NDArray[np.intp]) -> NDArray[np.int64]:
        """Action ids for these rows of a batch, whose seat to move is this bot's."""
        if batch.limits is not None:
            raise ValueError(f"{self.name}: trained on the observations of its own rules, not on universal ones")
        self.check(batch.rules)
        return self._choose(batch.observation[rows], batch.mask[rows])

    def check(self, rules: Rules) -> None:
        """Raise ValueError if these rules have other observations or moves than the policy's."""
        if rules is self._checked:
            return
        if fingerprints(rules) != fingerprints(self.rules):
            mine, theirs = self.rules.to_dict(), rules.to_dict()
            given = ", ".join(f"{name} {theirs[name]!r}" for name in theirs if theirs[name] != mine[name])
            needed = ", ".join(f"{name} {mine[name]!r}" for name in theirs if theirs[name] != mine[name])
            raise ValueError(f"{self.name}: trained for other rules: this game has {given}; it needs {needed}")
        self._checked = rules

    def _choose(self, observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        logits = self.network.logits(observations)
        if not self.greedy:
            logits -= np.log(-np.log(_uniform(observations, logits.shape[1], self.seed)))  # the Gumbel trick
        chosen: NDArray[np.int64] = np.where(masks != 0, logits, -np.inf).argmax(axis=1)
        return chosen


def save_policy(
    path: str | os.PathLike[str], tensors: Mapping[str, NDArray[Any]], rules: Rules, training: Mapping[str, Any]
) -> None:
    """Write a policy file, whole or not at all; `training` is kept as a note on how the weights came about."""
    metadata = {"format": FORMAT, "rules": rules.to_dict(), **fingerprints(rules), "training": dict(training)}
    arrays = {name: np.ascontiguousarray(array) for name, array in tensors.items()}
    write_whole(path, save(arrays, metadata={KEY: json.dumps(metadata)}))


def load_policy(path: str | os.PathLike[str]) -> tuple[PolicyNetwork, dict[str, Any]]:
    """The network of a policy file and its metadata, "rules" as Rules."""
    if not pathlib.Path(path).is_file():
        raise ValueError(f"{os.fspath(path)}: no such policy file; training writes RUN_DIR/policy.safetensors")
    try:
        with safe_open(path, framework="numpy") as file:
            text = (file.metadata() or {}).get(KEY)
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (it is no dict)
    except (SafetensorError, OSError) as error:
        raise ValueError(f"{os.fspath(path)}: not a whole policy file ({error}); train again or copy it anew") from None
    if text is None:
        raise ValueError(f"{os.fspath(path)}: no policy, but another safetensors file; give a policy.safetensors")
    try:
        metadata = json.loads(text)
        if metadata["format"] != FORMAT:
            raise ValueError(f"its format is {metadata['format']}, this version reads {FORMAT}")
        metadata["rules"] = Rules.from_dict(metadata["rules"])
        if any(metadata[name] != mark for name, mark in fingerprints(metadata["rules"]).items()):
            raise ValueError("its observations or moves are those of another version of president_env; train it again")
        network = PolicyNetwork(tensors)
        PolicyBot(network, metadata["rules"])  # says whether it fits them
        return network, metadata
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ValueError(f"{os.fspath(path)}: cannot be played: {error}") from None


def fingerprints(rules: Rules) -> dict[str, str]:
    """Short hashes that change with anything a network depends on: the observation's columns, the moves' ids."""
    return {"layout": layout_fingerprint(observation_layout(rules)), "moves": moves_fingerprint(move_table(rules))}


def layout_fingerprint(layout: ObservationLayout) -> str:
    """A short hash of the blocks: names, order, shapes and ranges."""
    return _hash([(block.name, block.shape, block.high) for block in layout.blocks])


def moves_fingerprint(table: MoveTable) -> str:
    """A short hash of the moves in the order of their ids."""
    return _hash(table.texts)


def _uniform(observations: NDArray[np.int8], width: int, seed: int) -> NDArray[np.float32]:
    """(n, width) numbers between 0 and 1 that look random and follow from the seed and the observation of each row."""
    multipliers = np.random.default_rng(seed).integers(2**63, size=observations.shape[1] + width, dtype=np.uint64) | 1
    marks = (observations.astype(np.uint64) * multipliers[: observations.shape[1]]).sum(axis=1, dtype=np.uint64)
    mixed = (marks[:, None] ^ (marks[:, None] >> np.uint64(29))) * multipliers[observations.shape[1] :]
    mixed = (mixed ^ (mixed >> np.uint64(32))) * np.uint64(0xD6E8FEB86659FD93)
    return ((mixed >> np.uint64(41)).astype(np.float32) + 0.5) / 2**23


def _hash(value: Any) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:16]


def _layers(tensors: Mapping[str, NDArray[Any]], part: str) -> list[tuple[NDArray[np.float32], NDArray[np.float32]]]:
    layers: list[tuple[NDArray[np.float32], NDArray[np.float32]]] = []
    while f"{part}.{len(layers)}.weight" in tensors:
        name = f"{part}.{len(layers)}"
        if f"{name}.bias" not in tensors:
            raise ValueError(f"it lacks the tensor '{name}.bias'")
        layers.append((tensors[f"{name}.weight"], tensors[f"{name}.bias"]))
    return layers
