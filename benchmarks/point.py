"""Measurement of one task at one size in a new process: CPU seconds and peak resident memory.

``measured`` starts ``python -m benchmarks.point``. Two tiny runs of the same task load the libraries and
are not timed; then the best of a few runs counts. A task that exceeds a limit or refuses the size is
recorded as failed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
WARM = ({"m": 12, "d": 2, "n": 2}, {"m": 12, "d": 4, "n": 2})  # fewer modes than points, and more
RUNS, BUDGET = 5, 0.5  # the largest number of runs, and the seconds after which no new run starts
THREADS = dict.fromkeys(("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"), "1")


def measured(task: str, size: dict[str, int], seconds: float, gibibytes: float) -> dict[str, Any]:
    """Return seconds, peak and base (memory after imports) in MiB and orders, or the reason of failure."""
    job = json.dumps({"task": task, "size": size, "gibibytes": gibibytes})
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    try:
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.point", job],
            capture_output=True, encoding="utf-8", timeout=seconds,
            env=os.environ | THREADS | {"PYTHONPATH": path},
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return {"failed": f"over {seconds:g} s"}
    if done.returncode:
        return {"failed": f"exit code {done.returncode}"}
    return json.loads(done.stdout.splitlines()[-1])


def peak() -> float:
    """Return the peak of resident memory of this process, in MiB."""
    import resource

    unit = 2**20 if sys.platform == "darwin" else 2**10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def timed(run: Callable[[], Any]) -> tuple[float, Any]:
    """Return the least CPU seconds of a few runs, and the result of the last."""
    found: list[float] = []
    start = time.perf_counter()
    while len(found) < RUNS and (not found or time.perf_counter() - start < BUDGET):
        before = time.process_time()
        answer = run()
        found.append(time.process_time() - before)
    return min(found), answer


def main(job: dict[str, Any]) -> dict[str, Any]:
    import resource

    cap = int(job["gibibytes"] * 2**30)
    resource.setrlimit(resource.RLIMIT_AS, (cap, resource.getrlimit(resource.RLIMIT_AS)[1]))
    from orca_exact.errors import OrcaError

    from .contenders import TASKS

    make, size = TASKS[job["task"]], job["size"]
    try:
        for tiny in WARM:
            make(**size | tiny)()
        base = peak()
        best, order = timed(make(**size))
    except MemoryError:
        return {"failed": f"over {job['gibibytes']:g} GiB"}
    except OrcaError as error:
        return {"failed": " ".join(str(error).split())[:120]}
    return {"seconds": best, "peak": peak(), "base": base, "order": order}


if __name__ == "__main__":
    print(json.dumps(main(json.loads(sys.argv[1]))))
