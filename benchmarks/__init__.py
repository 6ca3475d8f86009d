"""Ratios measured in one run: this package against what one would use instead. ``python -m benchmarks``."""

import os

for _name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(_name, "1")  # before NumPy loads: one thread each, so that CPU seconds compare
