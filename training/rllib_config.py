"""The config of a run with RLlib: that of `training.self_play` with the sections `ray` and `league`, without `compute`.

Each key is explained in `configs/train/rllib_laptop.yaml`.
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from training.config import Compute, Config, differences, read_config


@dataclass(frozen=True)
class Ray:
    address: str | None = None
    runners: int = 1
    cpus_per_runner: float = 1.0
    learners: int = 0
    cpus_per_learner: int = 1
    gpus_per_learner: float = 0.0


@dataclass(frozen=True)
class Frozen:
    every: int = 0
    share: float = 0.0
    most: int = 8


ONE_THREAD = Compute(shards=1, threads=1)


@dataclass(frozen=True)
class RllibConfig(Config):
    compute: Compute = ONE_THREAD
    ray: Ray = field(default_factory=Ray)
    league: Frozen = field(default_factory=Frozen)

    def __post_init__(self) -> None:
        if self.compute != ONE_THREAD:
            raise ValueError("compute: unknown key; Ray does the work here, give ray.runners and ray.learners")
        super().__post_init__()
        for section, name, low in _AT_LEAST:
            value = getattr(getattr(self, section), name)
            if value < low:
                raise ValueError(f"{section}.{name} {value} is too small; give {low} or more")
        if self.league.share + self.tables.bots_share > 1:
            raise ValueError(
                f"league.share {self.league.share} and tables.bots_share {self.tables.bots_share} are more than all "
                "matches; give shares that add up to 1 or less"
            )
        if self.league.share and not self.league.every:
            raise ValueError(f"league.share {self.league.share} needs league.every, the iterations between two copies")
        if self.learning.minibatch > self.rollout // max(1, self.ray.learners):
            raise ValueError(
                f"learning.minibatch {self.learning.minibatch} is more than a learner's part of tables.number × "
                f"tables.steps × ray.runners, {self.rollout // max(1, self.ray.learners)}"
            )

    @property
    def rollout(self) -> int:
        """Decisions between two updates."""
        return self.tables.number * self.tables.steps * max(1, self.ray.runners)

    def to_dict(self) -> dict[str, Any]:
        """Every key as plain values, the rules in full."""
        values = super().to_dict()
        del values["compute"]
        return values


_AT_LEAST = (
    ("ray", "runners", 0), ("ray", "cpus_per_runner", 0), ("ray", "learners", 0), ("ray", "cpus_per_learner", 1),
    ("ray", "gpus_per_learner", 0), ("league", "every", 0), ("league", "share", 0), ("league", "most", 1),
)  # fmt: skip


def load_rllib_config(path: str | os.PathLike[str], overrides: Iterable[str] = ()) -> RllibConfig:
    """The config in a YAML file, with `key.of.section=value` overrides; ValueError names the key and the choices."""
    return read_config(RllibConfig, path, overrides)


def other_run(old: RllibConfig, new: RllibConfig) -> list[str]:
    """Keys, written with dots, that may not change when a run is resumed; the machines it runs on may."""
    return [name for name in differences(old, new) if not name.startswith("ray.")]
