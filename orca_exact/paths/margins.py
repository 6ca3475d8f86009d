"""The margins of all points along a segment, and float64 bounds that prove most conditions to be positive.

On a segment each condition of optimality is p + q*tau. If the kernel has few features, a margin is a product
of two short vectors, so that it is computed for a single point only if float64 with a proved error bound does
not decide the sign of its condition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from flint import arb, fmpq

from ..errors import TooLarge
from ..numbers.midrad import MidRad
from ..problem import Problem

Pair = tuple[Any, Any]  # (p, q) is p + q*tau
_ZERO = fmpq(0)
_REACH = 1e-9  # relative distance from the first zero within which conditions are computed at once


class AffineBounds(NamedTuple):
    """Enclosures in float64 of the functions p + q*tau, one for each point."""

    p: MidRad
    q: MidRad

    def minus(self, pair: Pair) -> AffineBounds:
        """Subtract another function."""
        p, q = (MidRad.from_balls(arb(x)) for x in pair)
        with np.errstate(all="ignore"):
            return AffineBounds(self.p - p, self.q - q)

    def times(self, factors: np.ndarray) -> AffineBounds:
        """Multiply the function of each point by a number."""
        with np.errstate(all="ignore"):
            return AffineBounds(self.p * factors, self.q * factors)

    def leave_out(self, points: list[int]) -> AffineBounds:
        """Return the same with the function 1 + tau for these points."""
        p, q = self.p.copy(), self.q.copy()
        p[points], q[points] = np.ones(len(points)), np.ones(len(points))
        return AffineBounds(p, q)

    def may_be_largest(self, points: list[int], tau: Any) -> list[int]:
        """Return those of some points whose function is not proved to be smaller than another one at tau."""
        with np.errstate(all="ignore"):
            values = (self.p + self.q * tau)[points]
            smaller = -(-values).lower() < values.lower().max()
        return [i for i, out in zip(points, smaller.tolist(), strict=True) if not out]

    def not_positive(self, tau: Any) -> np.ndarray:
        """Return the points whose function is not proved to be positive at tau."""
        with np.errstate(all="ignore"):
            return np.flatnonzero(~((self.p + self.q * tau).lower() > 0))

    def not_rising(self) -> np.ndarray:
        """Return the points whose slope is not proved to be positive."""
        with np.errstate(all="ignore"):
            return np.flatnonzero(~(self.q.lower() > 0))

    def near_first_zero(self, others: Iterable[Pair]) -> np.ndarray:
        """Return the points whose function seems to become 0 first, unless one of the others does."""
        with np.errstate(all="ignore"):
            roots = np.where(self.q.mid < 0, -self.p.mid / self.q.mid, np.inf)
        first = min([float(roots.min()), *(float(arb(-p / q)) for p, q in others if q < 0)])
        return self.not_positive(MidRad(first, abs(first) * _REACH)) if first < np.inf else np.empty(0, int)


class Margins:
    """The margins y g - 1 = p + tau*q, given as two arrays."""

    bounds: AffineBounds | None = None  # enclosures of all margins, if they are known

    def __init__(self, p: np.ndarray, q: np.ndarray):
        self._p, self._q = p, q

    def __getitem__(self, i: int) -> Pair:
        return self._p[i], self._q[i]


class BoundSum:
    """Sums of y_i (C_i/C) phi_i over the points at their bound, updated from one set of points to the next.

    ``combine`` returns sum_i s_i phi_i. In balls each update adds a rounding error; after as many updates as
    there are points the sum is computed anew.
    """

    def __init__(self, problem: Problem, combine: Callable[[dict[int, fmpq]], Any]):
        self._problem, self._combine = problem, combine
        self._points, self._updates, self._sum = frozenset[int](), 0, combine({})

    def __call__(self, bound: frozenset[int]) -> Any:
        """Return the sum over a set of points."""
        if self._updates > self._problem.m:
            self._points, self._updates, self._sum = frozenset(), 0, self._combine({})
        changed, y, weights = self._points ^ bound, self._problem.y, self._problem.weights
        if changed:
            steps = {i: weights[i] * (y[i] if i in bound else -y[i]) for i in changed}
            self._sum = self._sum + self._combine(steps)
        self._points, self._updates = bound, self._updates + len(changed)
        return self._sum


class Features:
    """Few features of a kernel, R = M^T diag(g) M, with a row for each point."""

    def __init__(self, problem: Problem, M: np.ndarray, g: np.ndarray):
        self.problem, self.g, self.rows = problem, g.reshape(-1), M.T
        self.sum_at_bounds = BoundSum(problem, self.combine)
        self.balance = BoundSum(problem, lambda s: sum(s.values(), _ZERO))

    @cached_property
    def most_independent(self) -> int:
        """The largest number of points that can be affinely independent in feature space."""
        constant = any(all(x == column[0] for x in column) for column in self.rows.T)
        return len(self.g) + 1 - constant

    @cached_property
    def _in_float64(self) -> tuple[MidRad, np.ndarray] | None:
        """The features with error bounds, a row for each point, and the labels; None if too large."""
        try:
            with np.errstate(all="ignore"):
                return self.problem.verified_values.features[0].T, np.array(self.problem.y, dtype=float)
        except TooLarge:
            return None

    def bounds(self, weights: Iterable[np.ndarray], b: Pair) -> AffineBounds | None:
        """Enclose all margins in float64."""
        if self._in_float64 is None:
            return None
        (rows, y), (b_u, b_v) = self._in_float64, (MidRad.from_balls(arb(x)) for x in b)
        columns = MidRad.from_balls([[arb(x) for x in part] for part in weights]).T
        with np.errstate(all="ignore"):
            f = rows @ columns
            return AffineBounds((f[:, 0] + b_u) * y - 1, (f[:, 1] + b_v) * y)

    def combine(self, s: dict[int, Any]) -> np.ndarray:
        """Return sum_i s_i phi(x_i)."""
        total = np.full(len(self.g), _ZERO, dtype=object)
        for i, value in s.items():
            total = total + self.rows[i] * value
        return total

    def dot(self, i: int, weights: Iterable[Any]) -> Any:
        """Return the product of phi(x_i) and a vector of weights."""
        return sum((x * w for x, w in zip(self.rows[i], weights, strict=True)), _ZERO)


class FeatureMargins(Margins):
    """Margins y_i (phi(x_i) . w + b) - 1, each computed when it is needed; w = w_u + tau*w_v."""

    def __init__(self, features: Features, weights: tuple[np.ndarray, np.ndarray], b: Pair):
        self._features, self._weights, self._b = features, weights, b
        self._known: dict[int, Pair] = {}

    def __getitem__(self, i: int) -> Pair:
        if i not in self._known:
            y = self._features.problem.y[i]
            f_u, f_v = (self._features.dot(i, part) for part in self._weights)
            self._known[i] = (f_u + self._b[0]) * y - 1, (f_v + self._b[1]) * y
        return self._known[i]

    @cached_property
    def bounds(self) -> AffineBounds | None:  # type: ignore[override]
        """Enclosures of all margins."""
        return self._features.bounds(self._weights, self._b)
