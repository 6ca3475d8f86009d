"""What both routes start from: h = sum_i s_i R(x_i, .) on the points where s_i is not 0."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..kernels.orthogonal import basis
from ..numbers.arithmetic import Arithmetic
from ..problem import Problem


@dataclass(frozen=True)
class Support:
    """s_i and for each coordinate pi_k(x_i), (n+1, m), and h_0/h_k, (n+1,), all in one arithmetic."""

    problem: Problem
    arithmetic: Arithmetic
    s: np.ndarray
    values: list[np.ndarray]
    weights: list[np.ndarray]

    @classmethod
    def of(cls, problem: Problem, A: Arithmetic, s: Any) -> Support:
        """Points with s_i = 0 are left out; none may remain."""
        support = [i for i, value in enumerate(s) if not _is_zero(value)]
        values, weights = basis(problem, A)
        return cls(problem, A, A.elements(s[i] for i in support), [P[:, support] for P in values], weights)

    def zeros(self, like: Any) -> np.ndarray:
        """A (d+1, dn+1) array of zeros (dn: the sum of the degrees), for sums by order and degree."""
        C = np.empty((self.problem.d + 1, sum(self.problem.degrees) + 1), dtype=self.s.dtype)
        C.fill(0 * like)
        return C


def _is_zero(value: Any) -> bool:
    return value.is_zero() if hasattr(value, "is_zero") else value == 0


def gather(C: np.ndarray, rows: np.ndarray, columns: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Add values[a, b] to C at (q, N) = rows[a] + columns[b]; the columns' labels are distinct."""
    for (q, N), row in zip(rows, values, strict=True):
        C[q + columns[:, 0], N + columns[:, 1]] += row
    return C
