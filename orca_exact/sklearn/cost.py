"""What an audit will cost, said before it starts, and how far it is."""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Iterable

import numpy as np

from ..cost import Cost, certified_profile_cost, duration
from ..problem import Problem
from .reading import Binary

_FEW = 8  # digits that float64 is asked for
FLOP, MEMBER = 1e-10, 1e-8  # seconds of an operation in a matrix product; by itself, with its error bound
MINUTE, GIGABYTE, _MOST = 60.0, 1e9, 4e9


def float_audit_cost(problem: Problem, support: int, free: int) -> Cost:
    """Of float64 with error bounds: a certificate and all indices."""
    m, d, n = problem.m, problem.d, problem.n
    by_one = m * support * d + min(support**2 / 2 * (d * n + d**2 / 2), support * problem.modes / 10)
    seconds = FLOP * (20 * free**3 + 6 * (m - free) * free**2) + MEMBER * by_one
    return Cost(seconds, 3e8 + 150.0 * free**2 + 200.0 * m * d * (n + 1))


def count_support(binary: Binary) -> tuple[Problem, int, int]:
    """The problem, its support vectors and the free ones among them, as libsvm has them."""
    alpha = np.array([float(a) for a in binary.solution.alpha])
    free = (alpha > 0) & (alpha < np.array([float(C) for C in binary.problem.bounds]))
    return binary.problem, int((alpha > 0).sum()), int(free.sum())


def beyond_balls(binary: Binary) -> str:
    """What balls would take, where that is too much."""
    proof = certified_profile_cost(*count_support(binary))
    return f"{duration(proof.seconds)} and {proof.memory / 1e9:.1f} GB" if proof.memory > _MOST else ""


def warn_of_cost(found: Iterable[Binary], digits: int) -> None:
    """A warning where all of it takes more than a minute or a gigabyte."""
    cost = float_audit_cost if digits <= _FEW else certified_profile_cost
    seconds, most, largest, count = 0.0, 0.0, 0, 0
    for binary in found:
        proof = cost(*count_support(binary))
        seconds, most = seconds + proof.seconds, max(most, proof.memory)
        largest, count = max(largest, binary.problem.m), count + 1
    if seconds > MINUTE or most > GIGABYTE:
        problems = f"{count} problems, the largest of" if count > 1 else "a problem of"
        warnings.warn(
            f"this audit will take about {seconds / 60:.0f} min and {most / 1e9:.1f} GB ({problems} "
            f"{largest} points); verbose=1 shows how far it is, explain(model) is at once, without a proof",
            UserWarning,
            stacklevel=3,
        )


class VerboseProgress:
    """Lines on stderr, with the seconds since the start, where ``verbose`` asks for them."""

    def __init__(self, verbose: bool | int):
        self.verbose, self.start = verbose, time.monotonic()

    def __call__(self, line: str) -> None:
        if self.verbose:
            print(f"[{time.monotonic() - self.start:7.1f} s] {line}", file=sys.stderr, flush=True)
