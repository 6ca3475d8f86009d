"""The support vectors of h = sum_i s_i R(x_i, .), on which both routes to the indices work."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..numbers.arithmetic import Arithmetic
from ..problem import Problem


@dataclass(frozen=True)
class Support:
    """Coefficients and basis values of the points with s_i != 0, in one arithmetic.

    ``values`` has for each coordinate an (n+1, m) array of pi_k(x_i), ``weights`` an (n+1,) array of h_0/h_k.
    """

    problem: Problem
    arithmetic: Arithmetic
    s: np.ndarray
    values: list[np.ndarray]
    weights: list[np.ndarray]

    @classmethod
    def from_coefficients(cls, problem: Problem, A: Arithmetic, s: Any) -> Support:
        """Return the support of the coefficients ``s`` of all points; it is empty if every s_i is 0."""
        support = [i for i, value in enumerate(s) if not _is_zero(value)]
        at = problem.kernel.at(problem.points, A).select(support)
        return cls(problem, A, A.elements(s[i] for i in support), at.values, at.weights)

    def zeros(self, like: Any) -> np.ndarray:
        """Return zeros of the type of ``like`` for sums by order and degree.

        The shape is (d+1, dn+1), where dn stands for the sum of the degrees of the coordinates.
        """
        C = np.empty((self.problem.d + 1, sum(self.problem.degrees) + 1), dtype=self.s.dtype)
        C.fill(0 * like)
        return C


def _is_zero(value: Any) -> bool:
    return value.is_zero() if hasattr(value, "is_zero") else value == 0


def add_by_label(
    C: np.ndarray, rows: np.ndarray, columns: np.ndarray, values: np.ndarray, order: int
) -> np.ndarray:
    """Add values[a, b] to C at (q, N) = rows[a] + columns[b] if q is at most ``order``, and return C.

    The labels in ``columns`` must be distinct.
    """
    for (q, N), row in zip(rows, values, strict=True):
        kept = columns[:, 0] <= order - q
        C[q + columns[kept, 0], N + columns[kept, 1]] += row[kept]
    return C
