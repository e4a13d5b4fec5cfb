"""Self-play training and evaluation: scripts over a config file.

The numeric libraries get one thread each. Their own threading spins while it waits, so that two threads on two cores
fall to a tenth of their speed as soon as anything else runs on the machine; `training.workers` uses the cores instead.
"""

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")
