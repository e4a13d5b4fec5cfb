"""The same rules, seed and moves give the same game in another process, whatever its hash seed."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from president_env import Games, Rules
from tests.strategies import EVERYTHING
from tests.test_games_batch import choice

ROOT = Path(__file__).resolve().parent.parent


def digest() -> str:
    """A digest of all that batches of two rule sets show over some hundred steps."""
    seen = hashlib.sha256()
    for made in (Rules.preset("butt"), EVERYTHING):
        batch = Games(made, 16, seed=77)
        for step in range(200):
            for shown in (batch.seat, batch.mask, batch.observation, batch.rewards, batch.done, batch.seeds):
                seen.update(np.ascontiguousarray(shown).tobytes())
            batch.step(choice(batch.mask, batch.seeds, step))
    return seen.hexdigest()


def test_another_process_with_another_hash_seed_sees_the_same():
    script = "from tests.test_determinism import digest; print(digest())"
    environment = {**os.environ, "PYTHONHASHSEED": "4242"}
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == digest()
