"""Checkpoints: everything that a run needs to go on as if it had not stopped, in one file that is always whole.

A checkpoint is a safetensors file: tensors by name, and counters as JSON in its metadata. It is put in the place of
the one before by a rename, so a run killed at any moment leaves the old one or the new one.
"""

import json
import pathlib
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from president_env.bots.policy import INPUTS, save_policy
from president_env.files import write_whole
from training.algorithm import SelfPlayPPO
from training.network import TableFeatures

CHECKPOINT = "checkpoint.safetensors"
POLICY = "policy.safetensors"
FORMAT = 1
KEY = "president_checkpoint"


def save_checkpoint(folder: pathlib.Path, model: SelfPlayPPO) -> None:
    """Write the checkpoint and the policy file of a run (call between updates)."""
    tensors: dict[str, NDArray[Any]] = {}
    for name, tensor in model.policy.state_dict().items():
        tensors[f"weights.{name}"] = tensor.numpy()
    optimizer = model.policy.optimizer.state_dict()
    for index, state in optimizer["state"].items():
        for name, tensor in state.items():
            tensors[f"optimizer.{index}.{name}"] = torch.as_tensor(tensor).numpy()
    for name, array in model.rollout_buffer.state().items():
        tensors[f"rollout.{name}"] = array
    games = model.batch.games
    tensors["games"] = np.frombuffer(games.tobytes(), dtype=np.uint8)
    rng = model.rng_state()
    tensors["rng.actions"] = rng["actions"]
    counters = {
        "format": FORMAT,
        "decisions": model.num_timesteps,
        "updates": model._n_updates,
        "seconds": model.seconds_used,
        "order_rng": rng["order"],
        "games_dtype": str(games.dtype),
    }
    arrays = {name: np.ascontiguousarray(array) for name, array in tensors.items()}
    write_whole(folder / CHECKPOINT, save(arrays, metadata={KEY: json.dumps(counters)}))
    note = {"decisions": model.num_timesteps, "seconds": round(model.seconds_used, 1), "seed": model.config.seed}
    save_policy(folder / POLICY, policy_tensors(model), model.config.rules, note)


def clear_leftovers(folder: pathlib.Path) -> None:
    """Remove the half-written files of a run that was killed."""
    for name in (CHECKPOINT, POLICY):
        for path in folder.glob(f".{name}.*"):
            path.unlink(missing_ok=True)


def load_checkpoint(folder: pathlib.Path, model: SelfPlayPPO) -> None:
    """Put a model that was just made from the same config where the checkpoint stands."""
    path = folder / CHECKPOINT
    if not path.is_file():
        raise ValueError(f"{path}: no checkpoint to go on from; start the run without --resume")
    try:
        with safe_open(path, framework="numpy") as file:
            counters = json.loads((file.metadata() or {})[KEY])
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (it is no dict)
        if counters["format"] != FORMAT or counters["games_dtype"] != str(model.batch.games.dtype):
            raise ValueError("it is of another version of this project; start a new run")
        _restore(model, counters, tensors)
    except (SafetensorError, OSError, KeyError, RuntimeError, ValueError) as error:
        reason = f"it lacks {error}" if isinstance(error, KeyError) else str(error).splitlines()[0]
        raise ValueError(f"{path}: cannot go on from this checkpoint: {reason}") from None


def _restore(model: SelfPlayPPO, counters: dict[str, Any], tensors: dict[str, NDArray[Any]]) -> None:
    def part(prefix: str) -> dict[str, NDArray[Any]]:
        return {name.removeprefix(prefix): array for name, array in tensors.items() if name.startswith(prefix)}

    model.policy.load_state_dict({name: torch.from_numpy(array) for name, array in part("weights.").items()})
    states: dict[int, dict[str, torch.Tensor]] = {}
    for name, array in part("optimizer.").items():
        index, key = name.split(".")
        states.setdefault(int(index), {})[key] = torch.from_numpy(array)
    optimizer = model.policy.optimizer
    optimizer.load_state_dict({"state": states, "param_groups": optimizer.state_dict()["param_groups"]})
    model.rollout_buffer.restore(part("rollout."))
    model.batch.restore(tensors["games"].view(model.batch.games.dtype))
    model.restore_rng({"actions": tensors["rng.actions"], "order": counters["order_rng"]})
    model.num_timesteps = counters["decisions"]
    model._n_updates = counters["updates"]
    model.seconds_used = counters["seconds"]


def policy_tensors(model: SelfPlayPPO) -> dict[str, NDArray[Any]]:
    """The weights under the names of the policy file."""
    policy = model.policy
    features = cast(TableFeatures, policy.features_extractor)
    tensors = {name: getattr(features, name) for name in INPUTS}
    parts = {
        "trunk": [*features.trunk],
        "policy": [*policy.mlp_extractor.policy_net, policy.action_net],
        "value": [*policy.mlp_extractor.value_net, policy.value_net],
    }
    for part, modules in parts.items():
        dense = [module for module in modules if isinstance(module, torch.nn.Linear)]
        for index, layer in enumerate(dense):
            tensors[f"{part}.{index}.weight"] = layer.weight.detach()
            tensors[f"{part}.{index}.bias"] = layer.bias.detach()
    return {name: tensor.numpy() for name, tensor in tensors.items()}
