"""The SVM in the units where everything is rational: R = K/lambda, a = lambda*alpha, tau = lambda*C.

Dual: max sum a_i - 1/2 s^T R s, s_i = y_i a_i, 0 <= a_i <= tau_i, sum s_i = 0; tau_i = lambda*C_i is tau
times the weight of the point, and g(x_i) = (R s)_i + b in the original units. Diagonals of R span many
orders of magnitude, so the floating-point solvers see z_i = D_i a_i, D_i the power of two near sqrt(R_ii), in
units of theta.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from flint import arb, arb_mat, fmpq

from .. import cost
from ..errors import TooLarge
from ..kernels.orthogonal import basis, gram_ratio
from ..numbers.arithmetic import Arithmetic, arithmetic
from ..numbers.rationals import QQ, decimal
from ..problem import Problem

MAX_GRAM = 6_000


class FloatDual:
    """Float64 data of one problem, scaled."""

    def __init__(self, problem: Problem):
        if problem.m > MAX_GRAM:
            raise TooLarge("X", f"{problem.m} points", MAX_GRAM, "take a sample: the Gram matrix is dense")
        self.problem = problem
        A = arithmetic("float")
        self.y = np.array(problem.y, dtype=float)
        less = "smaller n, d, C or parameters, or rescale the columns and nodes"
        try:
            with np.errstate(all="ignore"):
                self.R = gram_ratio(problem, A)
            self.lam = float(problem.lambda_ball())
            self.tau = self.lam * A(problem.C)
            holds = np.isfinite(self.R).all() and 0 < self.lam < np.inf and 0 < self.tau < np.inf
            less = "a larger C" if self.tau == 0 < self.lam else less
        except TooLarge:  # a number that is beyond float64 by itself
            holds = False
        if not holds:
            size = f"n = {problem.n}, d = {problem.d}, C = {decimal(problem.C, 5)} on these points"
            raise TooLarge("problem", size, "the solvers' float64 can hold", f"take {less}")
        self.weights = A.array(problem.weights)
        self.upper_bound = self.tau * self.weights  # of the box
        self.D = np.exp2(np.round(np.log2(np.sqrt(np.diag(self.R)))))
        self.Q = self.R * np.outer(self.y / self.D, self.y / self.D)
        self.theta = 1 / self.D.min()  # a_i = theta z_i/D_i: the solvers' linear terms are then at most 1
        self.c = 1 / (self.D * self.theta)

    @cached_property
    def factor(self) -> np.ndarray:
        """F with F^T F = Q, by eigenvalues: rows for the positive ones only."""
        values, vectors = np.linalg.eigh(self.Q)
        keep = values > values[-1] * 1e-15
        return np.sqrt(values[keep])[:, None] * vectors[:, keep].T

    def alpha(self, a: np.ndarray) -> tuple[fmpq, ...]:
        """Dual variables inside [0, C_i], as the exact values of these floats."""
        return tuple(QQ(float(x)) for x in np.clip(a / self.lam, 0, self.upper_bound / self.lam))

    def margins(self, a: np.ndarray, b: float) -> np.ndarray:
        """y_i g(x_i) - 1."""
        return self.y * (self.R @ (self.y * a) + b) - 1

    def best_b(self, a: np.ndarray) -> float:
        """The b that costs least."""
        low, high = best_b(list(self.R @ (self.y * a)), self.problem.y, self.problem.weights)
        return (low + high) / 2


def best_b(f: list, y: Sequence[int], weights: Sequence[Any] | None = None) -> tuple[Any, Any]:
    """The interval of b minimising sum_i w_i max(0, 1 - y_i (f_i + b)), as (lower, upper); w_i = 1 if none.

    The slope is minus the weights of the +1 with b < 1 - f_i, plus those of the -1 with b > -1 - f_i.
    """
    weights = weights or [1] * len(y)
    kinks = sorted((label - value, i) for i, (value, label) in enumerate(zip(f, y, strict=True)))
    slope = -sum(weight for label, weight in zip(y, weights, strict=True) if label > 0)
    for (kink, i), (following, _) in pairwise(kinks):
        slope += weights[i]  # at each kink, whichever class it belongs to
        if slope >= 0:
            return kink, following if slope == 0 else kink
    return kinks[-1][0], kinks[-1][0]


class BallDual:
    """The same in balls at the precision of ``A``; columns of R are made when they are needed."""

    def __init__(self, problem: Problem, A: Arithmetic):
        self.problem, self.A = problem, A
        with A.scope():
            self.lam = problem.lambda_ball()
            self.tau = self.lam * problem.C
            self.upper_bound = [self.tau * weight for weight in problem.weights]
        self._columns: dict[int, np.ndarray] = {}

    @cached_property
    def _factors(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """Of R, for each coordinate: the left one is weighted."""
        with self.A.scope():
            values, weights = basis(self.problem, self.A)
            return [((P * w[:, None]).T, P) for P, w in zip(values, weights, strict=True)]

    @cached_property
    def scale(self) -> list[float]:
        """sqrt(R_ii), so that a_i and margins compare across points."""
        total: Any = 1
        for left, right in self._factors:
            total = total * (left.T * right).sum(axis=0)
        roots = [float(x.sqrt()) for x in total]
        if not all(0 < root < np.inf for root in roots):
            raise TooLarge("kernel", "sqrt K(x, x)", "float64 can hold", "take smaller n, d, alpha or beta")
        return roots

    @cached_property
    def unit(self) -> arb:
        """The lesser of 1/k, a w that moves no score by 1, and C*k, one point's part; k = sqrt(max K_ii)."""
        k = arb(max(self.scale)) * self.lam.sqrt()
        return (1 / k).min(k * self.problem.C)

    def columns(self, J: list[int]) -> np.ndarray:
        """R[:, J]."""
        missing = [j for j in J if j not in self._columns]
        if missing:
            needed = cost.COPIES * len(missing) * self.problem.m * cost.number_bytes(self.A, self.A.bits)
            what = f"the kernel between {self.problem.m} points and {len(missing)}, in balls,"
            cost.require_memory(needed, what, "take fewer points, or the level 'float'")
            block: Any = 1
            for left, right in self._factors:
                block = block * self.A.matmul(left, right[:, missing])
            self._columns.update(zip(missing, block.T, strict=True))
        if not J:
            return np.empty((self.problem.m, 0), dtype=object)
        return np.array([self._columns[j] for j in J], dtype=object).T

    def scores(self, s: dict[int, Any]) -> np.ndarray:
        """(R s)_i for a sparse s."""
        if not s:
            return np.array([arb(0)] * self.problem.m, dtype=object)
        columns = self.columns(list(s))
        return self.A.matmul(columns, np.array([[v] for v in s.values()], dtype=object))[:, 0]

    def bordered(self, F: list[int], rhs: list[list[Any]], rigorous: bool = True) -> np.ndarray:
        """Solve [[R_FF, 1], [1^T, 0]] x = rhs; ZeroDivisionError where it cannot be done."""
        R = self.columns(F)[F, :]
        matrix = [[*row, 1] for row in R.tolist()] + [[1] * len(F) + [0]]
        solution = arb_mat(matrix).solve(arb_mat(rhs), algorithm=None if rigorous else "approx")
        return np.array(solution.entries(), dtype=object).reshape(len(F) + 1, -1)
