"""Announcement of the cost of an audit, and its progress."""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ..cost import Cost, ball_profile_cost, duration, float_profile_cost
from ..measures.families import Discrete
from ..problem import Problem
from .reading import BinaryProblem

_FLOAT_DIGITS = 8  # digits that are first tried in float64
MINUTE, GIGABYTE = 60.0, 1e9  # seconds and bytes above which an audit is announced
_MAX_BALL_BYTES = 4e9  # memory above which an audit does not use balls
_QUADRATURE = 64  # nodes for a measure that is not discrete


class ProofCosts(NamedTuple):
    """Costs of certificates and indices in float64, or in balls.

    The seconds are those of a value of the RBF kernel at a node of a measure, and of a product of two values.
    """

    estimate: Callable[[Problem, int, int], Cost]
    value_seconds: float
    product_seconds: float
    number_bytes: float


FLOAT_COSTS = ProofCosts(float_profile_cost, 2e-7, 2e-10, 16.0)
BALL_COSTS = ProofCosts(ball_profile_cost, 3e-6, 5e-8, 120.0)


def count_support(binary: BinaryProblem) -> tuple[Problem, int, int]:
    """Return the problem and the numbers of libsvm's support vectors and of the free ones among them."""
    alpha = np.array([float(a) for a in binary.solution.alpha])
    free = (alpha > 0) & (alpha < np.array([float(C) for C in binary.problem.bounds]))
    return binary.problem, int((alpha > 0).sum()), int(free.sum())


def measure_cost(problem: Problem, support: int, costs: ProofCosts) -> Cost:
    """Estimate the means and covariances of an RBF kernel under the measures of the indices."""
    if problem.kernel.own_measures is not None or problem.kernel.modes is not None:
        return Cost(0.0)
    counts = [len(x.nodes) if isinstance(x, Discrete) else _QUADRATURE for x in problem.index_measures]
    memory = costs.number_bytes * (2 * problem.d * support**2 + 6 * support * max(counts))
    seconds = costs.value_seconds + costs.product_seconds * support
    return Cost(seconds * support * sum(counts), memory)


def audit_cost(binary: BinaryProblem, costs: ProofCosts) -> Cost:
    """Estimate a certificate and all indices."""
    problem, support, free = count_support(binary)
    return costs.estimate(problem, support, free) + measure_cost(problem, support, costs)


def describe_excessive_balls(binary: BinaryProblem) -> str:
    """Describe the cost of a proof in balls if it needs too much memory, else return an empty string."""
    cost = audit_cost(binary, BALL_COSTS)
    return f"{duration(cost.seconds)} and {cost.memory / 1e9:.1f} GB" if cost.memory > _MAX_BALL_BYTES else ""


def warn_about_cost(found: Sequence[BinaryProblem], digits: int) -> None:
    """Warn if an audit takes more than a minute or a gigabyte."""
    costs = [audit_cost(binary, FLOAT_COSTS if digits <= _FLOAT_DIGITS else BALL_COSTS) for binary in found]
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
