"""The PettingZoo environment by its versioned name: `president_v0.env(…)`; documented in `president_env.env`."""

from president_env.env import env, raw_env

__all__ = ["env", "raw_env"]
