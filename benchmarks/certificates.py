"""Cost of certificates by level and size, and of checking them."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial

from orca_exact import Problem, certify, solve

from .measure import Timing, measured
from .profiles import points

LEVELS = ("gap", "ball", "exact")


@dataclass(frozen=True)
class Row:
    """CPU seconds to solve in double precision, to certify the solution at one level, and to check it."""

    m: int
    level: str
    solve: float
    certify: float
    check: float
    digits: int | None  # of w; None if exact
    kilobytes: int
    peak: float

    def to_json(self) -> dict:
        return asdict(self)


def by_size(sizes: list[int], d: int = 3, n: int = 5, alpha: str = "1/2", C: str = "10") -> list[Row]:
    from orca_exact import checker

    rows = []
    for m in [4, *sizes]:  # the first run loads CVXPY and is discarded
        X, y = points(m, d)
        problem = Problem(X, y, n, alpha, "0", C)
        start = time.process_time()
        solution = solve(problem, digits=0)
        solving = time.process_time() - start
        for level in LEVELS:
            proof = partial(certify, problem, solution, level)
            seconds, peak = measured(proof)
            certificate = proof()
            data = certificate.to_json()
            checking, _ = measured(partial(checker.check, data))
            digits, size = None if level == "exact" else certificate.digits, len(json.dumps(data))
            rows.append(Row(m, level, solving, seconds, checking, digits, size // 1024, peak))
    return rows[len(LEVELS) :]


def largest(m: int = 61, d: int = 5, n: int = 25) -> list[tuple[str, Timing]]:
    """Measure an exact proof and its indices for synthetic points of the paper's largest size."""
    from orca_exact import orca

    X, y = points(m, d)
    problem = Problem(X, y, n, "0", "0")
    found: list = []
    rows = [("certify exactly", Timing("exact", *_one(lambda: found.append(certify(problem)))))]
    profile = orca(problem, found[0], "exact")
    parts = (lambda: profile.order, lambda: profile.marginal, lambda: profile.pair)
    rows.append(("orders, marginals, pairs", Timing("exact", *_one(lambda: [part() for part in parts]))))
    rows.append(("all blocks (q, N)", Timing("exact", *_one(lambda: profile.generating.blocks))))
    return [(f"{name}, d = {d}, n = {n}, m = {m}", timing) for name, timing in rows]


def _one(function: Callable) -> tuple[float, int, float]:
    seconds, peak = measured(function)
    return seconds, 1, peak


def whole(*commands: str) -> list[tuple[str, Timing]]:
    """Measure complete commands: wall time and peak memory of the process."""
    return [(f"orca-exact {command}", _process(command)) for command in commands]


def _process(command: str) -> Timing:
    code = (
        "import resource, subprocess, sys\n"
        f"code = subprocess.run([sys.executable, '-m', 'orca_exact', *{command.split()!r}],"
        " stdout=subprocess.DEVNULL).returncode\n"
        "print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)"
    )
    start = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    seconds = time.perf_counter() - start
    exit_code, peak = done.stdout.split()
    return Timing(f"exit {exit_code}", seconds, 1, float(peak))
