"""Settings for every test."""

import os

import pytest
from hypothesis import HealthCheck, settings

# Two workers share the machine: one thread each, set before NumPy and torch are loaded, inherited by subprocesses.
for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")

pytest.register_assert_rewrite("tests.scenes")

# Compiling makes a first example slow and says nothing about the code: no deadline.
_SLOW_IS_FINE = (HealthCheck.too_slow, HealthCheck.data_too_large)
settings.register_profile("local", deadline=None, suppress_health_check=_SLOW_IS_FINE)
settings.register_profile("ci", settings.get_profile("local"), derandomize=True, database=None, print_blob=True)
settings.register_profile("thorough", settings.get_profile("local"), max_examples=2000)
# pytest --hypothesis-profile=thorough chooses another
settings.load_profile("ci" if os.environ.get("CI") else "local")
