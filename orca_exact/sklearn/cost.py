"""What an audit will cost, said before it starts, and how far it is."""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Iterable

import numpy as np

from ..problem import Problem
from .reading import Binary

FEW = 8  # digits that float64 is asked for
FLOP, MEMBER = 1e-10, 1e-8  # seconds of an operation in a matrix product; by itself, with its error bound
# Balls: fitted to CPU seconds of audits with 15 to 400 points, d = 2 to 64, n = 1 to 6, 30 digits.
SCORE, PIVOT, SHARE = 1.6e-5, 8e-8, 4.2e-6  # of a point and a support vector, a pivot, a pair: by coordinate
BLOCK = 3.9e-8  # of a pair: by two rows of C_N^(q), one of each half of the coordinates
BYTES = 300  # of one ball in an array
MINUTE, GIGABYTE, MOST = 60.0, 1e9, 4e9


def estimate(problem: Problem, support: int, free: int) -> tuple[float, float]:
    """Seconds and bytes of balls, within a factor of three or so."""
    m, d, n = problem.m, problem.d, problem.n
    seconds = SCORE * m * support * d + PIVOT * free**3 + SHARE * support**2 * d * n
    rows = d / 2 + d**2 * (n - 1) / 8
    seconds += BLOCK * (support * rows) ** 2
    return seconds, BYTES * (2 * m * support + support**2 * (d + 2) / 2) + 24.0 * m * m


def quick(problem: Problem, support: int, free: int) -> tuple[float, float]:
    """The same of float64 with error bounds."""
    m, d, n = problem.m, problem.d, problem.n
    by_one = m * support * d + min(support**2 / 2 * (d * n + d**2 / 2), support * problem.modes / 10)
    seconds = FLOP * (20 * free**3 + 6 * (m - free) * free**2) + MEMBER * by_one
    return seconds, 3e8 + 150.0 * free**2 + 200.0 * m * d * (n + 1)


def counted(binary: Binary) -> tuple[Problem, int, int]:
    """The problem, its support vectors and the free ones among them, as libsvm has them."""
    alpha = np.array([float(a) for a in binary.solution.alpha])
    free = (alpha > 0) & (alpha < np.array([float(C) for C in binary.problem.bounds]))
    return binary.problem, int((alpha > 0).sum()), int(free.sum())


def beyond_balls(binary: Binary) -> str:
    """What balls would take, where that is too much."""
    seconds, memory = estimate(*counted(binary))
    return f"{seconds / 60:.0f} min and {memory / 1e9:.1f} GB" if memory > MOST else ""


def foretell(found: Iterable[Binary], digits: int) -> None:
    """A warning where all of it takes more than a minute or a gigabyte."""
    cost = quick if digits <= FEW else estimate
    seconds, most, largest, count = 0.0, 0.0, 0, 0
    for binary in found:
        time_, memory = cost(*counted(binary))
        seconds, most = seconds + time_, max(most, memory)
        largest, count = max(largest, binary.problem.m), count + 1
    if seconds > MINUTE or most > GIGABYTE:
        problems = f"{count} problems, the largest of" if count > 1 else "a problem of"
        warnings.warn(
            f"this audit will take about {seconds / 60:.0f} min and {most / 1e9:.1f} GB ({problems} "
            f"{largest} points); verbose=1 shows how far it is, explain(model) is at once, without a proof",
            UserWarning,
            stacklevel=3,
        )


class Progress:
    """Lines on stderr, with the seconds since the start, where ``verbose`` asks for them."""

    def __init__(self, verbose: bool | int):
        self.verbose, self.start = verbose, time.monotonic()

    def __call__(self, line: str) -> None:
        if self.verbose:
            print(f"[{time.monotonic() - self.start:7.1f} s] {line}", file=sys.stderr, flush=True)
