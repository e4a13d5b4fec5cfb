"""The outside libraries that are tested, for the README: what works, how to see it, what does not and why."""

import re
from dataclasses import dataclass
from pathlib import Path

from president_env.docs.markdown import code, table

LOCK = Path(__file__).resolve().parents[2] / "requirements" / "lock.txt"


@dataclass(frozen=True)
class Library:
    """A row of the table; `packages` are names in the lock file, empty for what cannot be installed beside the rest."""

    name: str
    packages: tuple[str, ...]
    works: str
    command: str
    not_so: str


LIBRARIES = (
    Library(
        "PettingZoo",
        ("pettingzoo",),
        "AEC `raw_env` and `env`, in its registry as `president-v0`; its API, seed and render tests; "
        "`turn_based_aec_to_parallel`",
        "python -m pytest tests/test_conformance.py",
        "`aec_to_parallel` is for seats that move at once, and refuses",
    ),
    Library(
        "Gymnasium",
        ("gymnasium",),
        "`make`, `make_vec`, its environment checker",
        "python -m pytest tests/test_conformance.py",
        "",
    ),
    Library(
        "stable-baselines3, sb3-contrib",
        ("stable_baselines3", "sb3_contrib"),
        "`adapters.sb3.PresidentVecEnv`, a VecEnv over the batch, for MaskablePPO's own loop, VecMonitor and "
        "`evaluate_policy`; all seats in self-play by `training.self_play`",
        "python examples/sb3_maskable_ppo.py",
        "other algorithms know no masks; the VecEnv has one seat, and refuses `set_attr` and reset options",
    ),
    Library(
        "Ray RLlib",
        ("ray",),
        "PPO in self-play on many machines: env runners over the batch, a module that masks, a league of frozen copies "
        "and bots, checkpoints, lost env runners replaced, policy files; its PettingZooEnv plays too",
        "python -m training.rllib configs/train/rllib_laptop.yaml",
        "no callbacks an episode and no connectors a step in the batch runner, which has neither; only PPO is tested; "
        "its checkpoints are pickles; GPUs and several learner processes are untested",
    ),
    Library(
        "TorchRL",
        ("torchrl",),
        "`adapters.torchrl.PresidentEnv`, an EnvBase over `Games` with a reward for every seat; self-play with "
        "ClipPPOLoss and MaskedCategorical; its PettingZooWrapper",
        "python examples/torchrl_ppo.py",
        "on the CPU only; where a match ends, `next` shows the first decision of the next one",
    ),
    Library(
        "Tianshou",
        ("tianshou",),
        "`adapters.tianshou.masked_env`: its DQN in one seat, with masks",
        "python examples/tianshou_dqn.py",
        "only its DQN family masks; over its PettingZooEnv targets lead from the view of one seat to that of another, "
        "so that all seats cannot be learned there",
    ),
    Library(
        "OpenSpiel",
        ("open-spiel",),
        "`adapters.openspiel`: the game `president` with chance for every card, its simulation test, CFR+, MCCFR and "
        "NashConv on tiny decks, its Python ISMCTS with worlds from `determinize`",
        "python examples/openspiel_cfr.py",
        "its C++ ISMCTSBot crashes on games written in Python; tabular methods are for tiny decks; tensors of "
        "information states are those of matches of one round; its serialized states are pickles",
    ),
    Library(
        "RLCard",
        ("rlcard",),
        '`adapters.rlcard`: the environment `president` for its agents, `rlcard.make("president")`',
        "python examples/rlcard_dqn.py",
        "payoffs come at the end of a match, since RLCard has none before",
    ),
    Library(
        "SuperSuit",
        ("SuperSuit",),
        "wrappers of rewards, actions and observations; those that take no dictionary after `observation_lambda_v0` "
        "has chosen the vector, with the mask from `info`",
        "python -m pytest tests/adapters/test_farama.py",
        "`sticky_actions` and `nan_random` make illegal moves; `black_death` and the vector environments are for seats "
        "that move at once",
    ),
    Library(
        "Parquet (pyarrow)",
        ("pyarrow",),
        "recorded matches for offline and imitation learning",
        "python -m training.record --bots level3 --matches 100 --out data/level3.parquet",
        "",
    ),
    Library(
        "Shimmy",
        (),
        "not needed",
        "",
        "leads from other libraries to Gymnasium and PettingZoo, where President is already",
    ),
    Library(
        "AgileRL",
        (),
        "cannot be used",
        "",
        "AgileRL 2.58 requires PettingZoo below 1.27, so it cannot be installed beside it, and it knows no AEC "
        "environments",
    ),
)


def libraries_part() -> list[str]:
    """A row for each library, with the version that the tests run on."""
    versions = dict(re.findall(r"^([\w.-]+)==(\S+)$", LOCK.read_text(encoding="utf-8"), re.MULTILINE))
    rows = [
        (
            each.name,
            ", ".join(versions[name] for name in each.packages) or "—",
            each.works,
            code(each.command) if each.command else "",
            each.not_so,
        )
        for each in LIBRARIES
    ]
    return table(("library", "version", "what works", "command", "what does not, and why"), rows)
