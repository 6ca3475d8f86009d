"""An exact proof of w = 0, from a proposal in float64.

The constant classifier is optimal iff some feasible alpha with w = sum alpha_i y_i Phi(x_i) = 0 has the dual
objective sum alpha_i = P(0, b) for the best b, twice the smaller of the classes' sums of C_i. Equivalently,
every point of the lighter class is at its bound, and the heavier class balances it in every mode. These are
linear conditions with rational coefficients. One solution near a proposal is found by one linear system over
Q, with at most as many unknowns as there are modes or points. The precision is never raised: without a
solution inside the box there is no certificate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import frexp

import numpy as np
from flint import fmpq, fmpq_mat, nmod_mat

from ..errors import TooLarge
from ..numbers.arithmetic import Arithmetic, arithmetic, object_vector
from ..problem import Problem
from .certificate import Bias, Certificate
from .exact import PRIMES, prove_scores
from .tau import Tau

_ROWS = 300  # limit of the number of linear conditions
_NEAR = fmpq(1, 10**6)  # a proposal this close to 0 or C_i, relative to C_i, counts as there
_SMALL = 1e-5  # a component of w below this, relative to the sum of its terms, counts as 0
_BITS = 40  # of a proposed value that are kept
_ZERO = fmpq(0)


def zero_certificate(problem: Problem, alpha: Sequence[fmpq]) -> Certificate | None:
    """Return an exact certificate of w = 0 with dual variables near alpha, or None if none is found there.

    >>> problem = Problem([["0"], ["-1/2"], ["1/2"]], [1, -1, -1], n=1, alpha=0, beta=0)
    >>> zero_certificate(problem, [fmpq(1), fmpq(1, 2), fmpq(1, 2)])
    <Certificate exact: 3 points, 2 free, 1 bound; w is exact>
    """
    v = _balanced(problem, alpha)
    if v is None or min(problem.modes, problem.m) > _ROWS or not _is_small(problem, v):
        return None
    F = _features(problem, arithmetic("exact"))
    off = _applied(F, v * problem.signs)
    distances = [min(x, weight - x) for x, weight in zip(v, problem.weights, strict=True)]
    inside = sorted((i for i, x in enumerate(distances) if x > 0), key=lambda i: -_magnitude(distances[i]))
    points = [inside[k] for k in _pivots(F[:, inside])]
    rows = _pivots(F[:, points].T)
    if points:
        moved = fmpq_mat(F[np.ix_(rows, points)].tolist()).solve(fmpq_mat([[-off[k]] for k in rows]))
        v[points] += object_vector(moved.entries()) * problem.signs[points]
    inside_box = all(0 <= v[i] <= problem.weights[i] for i in points)
    if not inside_box or any(x != 0 for x in _applied(F, v * problem.signs)):
        return None
    tau = Tau(problem)
    a = tau.affine(v * _ZERO, v)
    found = prove_scores(problem, a, a * _ZERO, lambda tight: len(_pivots(F[:, tight])) == len(tight) or None)
    return found if problem.kernel.rational else replace(found, level="ball", b=Bias(found.b.lower))


def _balanced(problem: Problem, alpha: Sequence[fmpq]) -> np.ndarray | None:
    """Return alpha_i/C with the lighter class at its bound and the others rounded.

    Return None if alpha is not near such a point.
    """
    y, weights = problem.y, problem.weights
    totals = {1: _ZERO, -1: _ZERO}
    for weight, label in zip(weights, y, strict=True):
        totals[label] += weight
    light = min(totals, key=totals.__getitem__)
    v = []
    for x, weight, label in zip(alpha, weights, y, strict=True):
        share = x / problem.C / weight
        if share > 1 - _NEAR:
            v.append(weight)
        elif label == light or totals[1] == totals[-1]:
            return None
        else:
            v.append(weight * fmpq((share * 2**_BITS).floor(), 2**_BITS) if share > _NEAR else _ZERO)
    return object_vector(v)


def _features(problem: Problem, A: Arithmetic) -> np.ndarray:
    """Return a matrix F with F s = 0 iff sum_i s_i Phi(x_i) = 0 and sum_i s_i = 0.

    F has the rows of ``Kernel.zero_features`` and a row of ones.
    """
    with A.scope():
        rows = problem.kernel.zero_features(problem.points, A)
        return np.concatenate([rows, A.array([[fmpq(1)] * problem.m])])


def _is_small(problem: Problem, v: np.ndarray) -> bool:
    """Return whether w is small for these v in float64, so that a solution over Q may exist."""
    A = arithmetic("float")
    try:
        with np.errstate(all="ignore"):
            F, s = _features(problem, A), A.array(v * problem.signs)
            return bool(np.all(abs(F @ s) <= _SMALL * (abs(F) @ abs(s))))
    except TooLarge:
        return False


def _magnitude(x: fmpq) -> int:
    """Return the exponent of x to base 4; points with the largest x may lie close together."""
    return frexp(float(x))[1] // 2


def _applied(F: np.ndarray, s: np.ndarray) -> list[fmpq]:
    return (fmpq_mat(F.tolist()) * fmpq_mat([[x] for x in s])).entries()


def _pivots(F: np.ndarray) -> list[int]:
    """Return the first columns that are independent modulo a prime, hence over Q.

    They nearly always span all columns.
    """
    if not F.size:
        return []
    integers, _ = fmpq_mat(F.tolist()).numer_denom()
    reduced, rank = nmod_mat(integers, PRIMES[0]).rref()
    return [next(k for k in range(F.shape[1]) if int(reduced[row, k])) for row in range(rank)]
