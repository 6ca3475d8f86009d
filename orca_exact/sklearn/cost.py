"""Announcement of the cost of an audit, and its progress."""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Sequence

import numpy as np

from ..cost import ball_profile_cost, duration, float_profile_cost
from ..problem import Problem
from .reading import BinaryProblem

DIGITS_OF_FLOAT64 = 8  # digits that are first tried in float64
MINUTE, GIGABYTE = 60.0, 1e9  # seconds and bytes above which an audit is announced
_MAX_BALL_BYTES = 4e9  # memory above which an audit does not use balls


def count_support(binary: BinaryProblem) -> tuple[Problem, int, int]:
    """Return the problem and the numbers of libsvm's support vectors and of the free ones among them."""
    alpha = np.array([float(a) for a in binary.solution.alpha])
    free = (alpha > 0) & (alpha < np.array([float(C) for C in binary.problem.bounds]))
    return binary.problem, int((alpha > 0).sum()), int(free.sum())


def describe_excessive_balls(binary: BinaryProblem) -> str:
    """Describe the cost of a proof in balls if it needs too much memory, else return an empty string."""
    cost = ball_profile_cost(*count_support(binary))
    return f"{duration(cost.seconds)} and {cost.memory / 1e9:.1f} GB" if cost.memory > _MAX_BALL_BYTES else ""


def describe_balls(binary: BinaryProblem) -> str:
    """Describe the time of an audit in balls, as in 'seconds' or '3 minutes'."""
    return duration(ball_profile_cost(*count_support(binary)).seconds)


def warn_about_cost(found: Sequence[BinaryProblem], digits: int) -> None:
    """Warn if an audit takes more than a minute or a gigabyte."""
    estimate = float_profile_cost if digits <= DIGITS_OF_FLOAT64 else ball_profile_cost
    costs = [estimate(*count_support(binary)) for binary in found]
    seconds = sum(cost.seconds for cost in costs)
    memory = max((cost.memory for cost in costs), default=0.0)
    if seconds > MINUTE or memory > GIGABYTE:
        largest = max(binary.problem.m for binary in found)
        problems = f"{len(costs)} problems, the largest with" if len(costs) > 1 else "a problem with"
        warnings.warn(
            f"This audit will take about {seconds / 60:.0f} min and {memory / 1e9:.1f} GB ({problems} "
            f"{largest} points). verbose=1 shows its progress; explain is faster but proves nothing.",
            UserWarning,
            stacklevel=3,
        )


class VerboseProgress:
    """Progress lines on stderr with the seconds since the start, if ``verbose``."""

    def __init__(self, verbose: bool | int):
        self.verbose, self.start = verbose, time.monotonic()

    def __call__(self, line: str) -> None:
        if self.verbose:
            print(f"[{time.monotonic() - self.start:7.1f} s] {line}", file=sys.stderr, flush=True)
