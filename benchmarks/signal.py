"""``python -m benchmarks signal``: nulls and resamples of every row of the paper's tables, to be shipped."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from orca_exact.paper.signal import compute

COMMAND = "python -m benchmarks signal"
DATASETS = ("echocardiogram", "spiral")


def run(say: Callable[[str], Any], quick: bool = False, jobs: int = 1) -> dict:
    """All of it, with the command that made it."""
    start = time.process_time()
    repeats, resamples = (20, 10) if quick else (1_000, 200)
    found = compute(DATASETS, repeats, resamples, jobs=jobs, progress=say)
    return (
        {"command": COMMAND + " --quick" * quick}
        | found
        | {"cpu_seconds": round(time.process_time() - start)}
    )
