"""Benchmarks: the cost of this package relative to alternatives. Run ``python -m benchmarks``."""

import os

for _name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(
        _name, "1"
    )  # before NumPy is imported: one thread, so that CPU seconds are comparable
