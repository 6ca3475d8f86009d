"""The dual SVM problem in rational units: R = K/lambda, a = lambda*alpha, tau = lambda*C.

Dual: max sum a_i - 1/2 s^T R s, s_i = y_i a_i, 0 <= a_i <= tau_i, sum s_i = 0. The bound tau_i = lambda*C_i
is tau times the weight of the point, and g(x_i) = (R s)_i + b is in the original units. The diagonal of R
spans many orders of magnitude, so the floating-point solvers work with z_i = D_i a_i in units of theta, where
D_i is the power of two near sqrt(R_ii).
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from flint import arb, arb_mat, fmpq

from .. import cost
from ..errors import TooLarge
from ..kernels.kernel import KernelValues
from ..numbers.arithmetic import Arithmetic, arithmetic
from ..numbers.midrad import MidRad
from ..numbers.rationals import QQ, format_decimal, midpoint
from ..numbers.refinement import refine_solution
from ..problem import Problem
from .gram import gram_ratio

MAX_GRAM = 6_000
_REFINED_FROM = 16  # points from which systems are solved by refinement


def positive_sizes(diagonal: np.ndarray) -> np.ndarray:
    """Return K(x, x), or its root, for each point; the largest if it is not positive, as for K = x.z at 0."""
    largest = max(float(diagonal.max()), 0.0) or 1.0
    return np.where(diagonal > 0, diagonal, largest)


class FloatDual:
    """The dual problem in scaled float64 arrays."""

    def __init__(self, problem: Problem):
        if problem.m > MAX_GRAM:
            raise TooLarge("X", f"{problem.m} points", MAX_GRAM, "take a sample of the points")
        self.problem = problem
        A = arithmetic("float")
        self.y = np.array(problem.y, dtype=float)
        parameters = "n, d, C, alpha or beta" if problem.kernel.own_measures else "C, gamma or degree"
        remedy = f"take a smaller {parameters}, or rescale the columns"
        try:
            with np.errstate(all="ignore"):
                self.R = gram_ratio(problem, A)
            self.lam = float(problem.lambda_ball())
            self.tau = self.lam * A(problem.C)
            holds = np.isfinite(self.R).all() and 0 < self.lam < np.inf and 0 < self.tau < np.inf
            remedy = "take a larger C" if self.tau == 0 < self.lam else remedy
        except TooLarge:  # a single number is outside the range of float64
            holds = False
        if not holds:
            size = f"{problem.kernel_description}, d = {problem.d}, C = {format_decimal(problem.C, 5)}"
            raise TooLarge("problem", size, "float64 can represent", remedy)
        self.upper_bound = self.tau * A.array(problem.weights)
        self.D = np.exp2(np.round(np.log2(np.sqrt(positive_sizes(np.diag(self.R))))))
        self.theta = 1 / self.D.min()  # a_i = theta z_i/D_i: the solvers' linear terms are then at most 1
        self.c = 1 / (self.D * self.theta)

    @cached_property
    def factor(self) -> np.ndarray:
        """Matrix F with F^T F = (y_i y_j R_ij/(D_i D_j)), from the positive eigenvalues."""
        values, vectors = np.linalg.eigh(self.R * np.outer(self.y / self.D, self.y / self.D))
        keep = values > values[-1] * 1e-15
        found: np.ndarray = np.sqrt(values[keep])[:, None] * vectors[:, keep].T
        return found

    def alpha(self, a: np.ndarray) -> tuple[fmpq, ...]:
        """Return dual variables clipped to [0, C_i], as the exact values of these floats."""
        return tuple(QQ(float(x)) for x in np.clip(a / self.lam, 0, self.upper_bound / self.lam))

    def margins(self, a: np.ndarray, b: float) -> np.ndarray:
        """Return y_i g(x_i) - 1 for every point."""
        found: np.ndarray = self.y * (self.R @ (self.y * a) + b) - 1
        return found

    def best_b(self, a: np.ndarray) -> float:
        """Return the middle of the interval of b with the least total slack."""
        low, high = best_b(list(self.R @ (self.y * a)), self.problem.y, self.problem.weights)
        return float((low + high) / 2)


def best_b(f: list[Any], y: Sequence[int], weights: Sequence[Any] | None = None) -> tuple[Any, Any]:
    """Return the interval of b minimising sum_i w_i max(0, 1 - y_i (f_i + b)), as (lower, upper).

    The slope is minus the weights of the +1 with b < 1 - f_i, plus those of the -1 with b > -1 - f_i. The
    weights w_i are 1 by default.
    """
    weights = weights or [1] * len(y)
    kinks = sorted((label - value, i) for i, (value, label) in enumerate(zip(f, y, strict=True)))
    slope = -sum(weight for label, weight in zip(y, weights, strict=True) if label > 0)
    for (kink, i), (following, _) in pairwise(kinks):
        slope += weights[i]  # for a kink of either class
        if slope >= 0:
            return kink, following if slope == 0 else kink
    return kinks[-1][0], kinks[-1][0]


class BallDual:
    """The dual problem in balls at the precision of ``A``; R and features are computed on demand."""

    def __init__(self, problem: Problem, A: Arithmetic):
        self.problem, self.A = problem, A
        with A.scope():
            self.lam = problem.lambda_ball()
            self.tau = self.lam * problem.C
            self.upper_bound = [self.tau * weight for weight in problem.weights]
        self._columns: dict[int, np.ndarray] = {}

    @cached_property
    def _at(self) -> KernelValues:
        return self.problem.kernel.at(self.problem.points, self.A)

    @cached_property
    def scale(self) -> list[float]:
        """Values sqrt(R_ii), which make a_i and the margins comparable across points."""
        known = [float(x.sqrt()) if x > 0 else 0.0 for x in self._at.diagonal]
        roots: list[float] = positive_sizes(np.array(known)).tolist()
        if not all(0 < root < np.inf for root in roots):
            raise TooLarge(
                "kernel", "sqrt K(x, x)", "float64 can represent", "take a smaller n, d, alpha or beta"
            )
        return roots

    @cached_property
    def unit(self) -> arb:
        """Natural unit of ||w||: the smaller of 1/k and C*k with k = sqrt(max K_ii).

        A w of norm 1/k changes no score by more than 1; C*k is the largest contribution of a single point.
        """
        k = arb(max(self.scale)) * self.lam.sqrt()
        return (1 / k).min(k * self.problem.C)

    def columns(self, J: list[int]) -> np.ndarray:
        """Return R[:, J]."""
        missing = [j for j in J if j not in self._columns]
        if missing:
            needed = cost.GRAM_COPIES * len(missing) * self.problem.m * cost.number_bytes(self.A, self.A.bits)
            what = f"the kernel matrix of {self.problem.m} by {len(missing)} points in balls"
            cost.require_memory(needed, what, "take fewer points, or level='float'")
            block = self._at.block(slice(None), missing)
            self._columns.update(zip(missing, block.T, strict=True))
        if not J:
            return np.empty((self.problem.m, 0), dtype=object)
        return np.array([self._columns[j] for j in J], dtype=object).T

    @property
    def few_features(self) -> bool:
        """Whether the features are fewer than half the points."""
        return 2 * self._at.dimension <= self.problem.m

    @property
    def features(self) -> tuple[np.ndarray, np.ndarray]:
        """M and g with R = M^T diag(g) M."""
        return self._at.features

    @cached_property
    def _features(self) -> tuple[arb_mat, arb_mat] | None:
        """M^T diag(g) and M with R = M^T diag(g) M if they are smaller than R, else None."""
        if not self.few_features:
            return None
        M, g = self.features
        return arb_mat((M * g.reshape(-1, 1)).T.tolist()), arb_mat(M.tolist())

    @cached_property
    def _gram(self) -> arb_mat:
        return arb_mat(self.columns(list(range(self.problem.m))).tolist())

    def scores(self, s: dict[int, Any]) -> np.ndarray:
        """Return (R s)_i for every point, for a sparse s.

        This takes the features if they are few, and R if it is known; otherwise only some columns of R.
        """
        m = self.problem.m
        if not s:
            return np.array([arb(0)] * m, dtype=object)
        if self._features or len(self._columns) == m:
            product = arb_mat([[s.get(i, 0)] for i in range(m)])
            for matrix in reversed(self._features or (self._gram,)):
                product = matrix * product
            return np.array(product.entries(), dtype=object)
        columns = self.columns(list(s))
        return self.A.matmul(columns, np.array([[v] for v in s.values()], dtype=object))[:, 0]

    def best_b(self, f: np.ndarray) -> fmpq:
        """Return the middle of the interval of b with the least total slack, for scores f without radii."""
        low, high = best_b([midpoint(x) for x in f], self.problem.y, self.problem.weights)
        found: fmpq = (low + high) / 2
        return found

    def right_hand_side(self, F: list[int], s: dict[int, Any]) -> list[list[Any]]:
        """Return the right-hand side of the bordered system of the points F if the other s_i are given."""
        f = self.scores(s)
        return [[self.problem.y[i] - f[i]] for i in F] + [[-sum(s.values(), arb(0))]]

    def bordered(self, F: list[int], rhs: list[list[Any]], rigorous: bool = True) -> np.ndarray:
        """Solve [[R_FF, 1], [1^T, 0]] x = rhs; raise ZeroDivisionError if balls cannot."""
        R = self._at.block(F, F) if self.few_features else self.columns(F)[F, :]
        matrix, right = arb_mat([[*row, 1] for row in R.tolist()] + [[1] * len(F) + [0]]), arb_mat(rhs)
        solution = self._refined(F, matrix, right) if len(F) >= _REFINED_FROM else None
        if solution is None:
            solution = matrix.solve(right, algorithm=None if rigorous else "approx")
        return np.array(solution.entries(), dtype=object).reshape(len(F) + 1, -1)

    @cached_property
    def _in_float64(self) -> KernelValues | None:
        with suppress(TooLarge):
            return self.problem.verified_values
        return None

    def _refined(self, F: list[int], matrix: arb_mat, right: arb_mat) -> arb_mat | None:
        """Solve the bordered system by refinement from float64; return None if that is not possible."""
        if self._in_float64 is None:
            return None
        size, M = len(F), MidRad.zeros((len(F) + 1,) * 2)
        with np.errstate(all="ignore"):
            M[:size, :size] = self._in_float64.block(F, F)
            M[size, :size] = M[:size, size] = 1.0
            scale = np.exp2(-np.round(np.log2(positive_sizes(M.mid.diagonal())) / 2))
            scale[size] = 1 / scale[:size].max()
            M = M * np.outer(scale, scale)
            usable = np.isfinite(M.mid).all() and np.isfinite(M.rad).all()
            return refine_solution(matrix, right, M, scale) if usable else None
