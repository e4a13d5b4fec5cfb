"""The environments' names in the registries of Gymnasium and PettingZoo.

The registries are given names of modules, which are loaded when an environment is made.
"""

import gymnasium
import pettingzoo


def register_environments() -> None:
    """Make "President-v0" known to Gymnasium and "president-v0" to PettingZoo; once is enough."""
    if "President-v0" not in gymnasium.registry:
        gymnasium.register(
            "President-v0",
            entry_point="president_env.single:President",
            vector_entry_point="president_env.vector:PresidentVectorEnv",
        )
    if "president-v0" not in pettingzoo.aec_registry:
        pettingzoo.register("aec", "president-v0", entry_point="president_env.president_v0:env")
