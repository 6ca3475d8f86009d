"""How much faster a study is on a Dask cluster with two workers than with one, by the wall clock.

Both clusters run on this machine, which needs two idle cores, and take turns; Dask gives each worker one
thread for BLAS. CPU seconds would not show whether the workers wait for each other.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from orca_exact import Problem

from .contenders import data
from .show import seconds

WANTED = ">= 1.7"
LOCAL = "127.0.0.1"
SIZES = {False: ((426, 5, 1), (61, 5, 25)), True: ((30, 3, 1),)}  # by ``quick``; m, d, n
SHUFFLINGS = {False: 1_000, True: 100}


def speedup(size: tuple[int, int, int], shufflings: int, runs: int) -> tuple[float, float]:
    """Return the least wall times of the same study with one worker and with two; the results must agree."""
    from distributed import LocalCluster

    from orca_exact.studies import null

    m, d, n = size
    problem = Problem(*data(m, d), n, 0, 0, 10)
    best, found = [float("inf")] * 2, []
    with ExitStack() as stack:
        clusters = [
            stack.enter_context(
                LocalCluster(
                    n_workers=k,
                    threads_per_worker=1,
                    host=LOCAL,
                    dashboard_address=f"{LOCAL}:0",
                    silence_logs=50,
                )
            )
            for k in (1, 2)
        ]
        for cluster in clusters:  # every worker imports the library and prepares the problem
            null(problem, 40, scheduler=cluster.scheduler_address, keep=False)
        for _ in range(runs):
            for i, cluster in enumerate(clusters):
                start = time.perf_counter()
                found.append(null(problem, shufflings, scheduler=cluster.scheduler_address, keep=False))
                best[i] = min(best[i], time.perf_counter() - start)
    assert all(study == found[0] for study in found), "the results depend on the number of workers"
    return best[0], best[1]


def run(progress: Callable[[str], Any] = lambda text: None, quick: bool = False) -> dict:
    """Measure every size; with ``quick``, a small one without a target."""
    from .targets import row

    rows = []
    for size in SIZES[quick]:
        m, d, n = size
        text = f"{SHUFFLINGS[quick]:,} shufflings on Dask, one worker over two: m = {m}, d = {d}, n = {n}"
        progress(f"study null, {text} ...")
        try:
            one, two = speedup(size, SHUFFLINGS[quick], 1 if quick else 3)
        except ImportError as error:
            rows.append(row(f"study null, {text}", "times", None, "", f"{error.name} is not installed"))
            continue
        note = f"wall time, {seconds(one)} and {seconds(two)}"
        rows.append(row(f"study null, {text}", "times", one / two, "" if quick else WANTED, note))
    return {"targets": rows}
