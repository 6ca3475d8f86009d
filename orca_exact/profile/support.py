"""The support vectors of h = sum_i s_i R(x_i, .), on which both routes to the indices work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..kernels.kernel import Decomposition, KernelValues
from ..numbers.arithmetic import Arithmetic
from ..numbers.midrad import MidRad
from ..problem import Problem

_STRIP = 1024  # points whose scores are computed at a time


@dataclass(frozen=True)
class Support:
    """The coefficients s_i != 0 and the kernel at these points, in one arithmetic."""

    problem: Problem
    arithmetic: Arithmetic
    s: np.ndarray
    at: KernelValues
    rows: Sequence[int] = ()  # the support vectors, by their number from 0

    @classmethod
    def from_coefficients(cls, problem: Problem, A: Arithmetic, s: Any) -> Support:
        """Return the support of the coefficients ``s`` of all points; it is empty if every s_i is 0."""
        if isinstance(s, MidRad):
            support = s.nonzero().tolist()
            elements = s[support]
        else:
            support = [i for i, value in enumerate(s) if not _is_zero(value)]
            elements = A.elements(s[i] for i in support)
        return cls(problem, A, elements, problem.values_at(support, A), support)

    @cached_property
    def parts(self) -> Decomposition:
        """The decomposition under the measures of the indices."""
        return self.at.decompose(self.problem.index_measures)

    @cached_property
    def t(self) -> Any:
        """The coefficients of the points for sums over pairs."""
        return self.parts.scale(self.s)

    @cached_property
    def form(self) -> Any:
        """s^T R s."""
        A, total = self.arithmetic, None
        with A.scope():
            for i in range(0, len(self.s), _STRIP):
                rows = slice(i, i + _STRIP)
                scores = A.matmul(self.at.block(rows, slice(None)), self.s.reshape(-1, 1)).reshape(-1)
                part = A.dot(self.s[rows], scores)
                total = part if total is None else total + part
        return total

    def zeros(self, like: Any) -> np.ndarray:
        """Return zeros of the type of ``like``, one for each order q <= d and each total degree."""
        top = self.problem.kernel.top_degree or 0
        C = np.empty((self.problem.d + 1, top + 1), dtype=self.s.dtype)
        C.fill(0 * like)
        return C


def _is_zero(value: Any) -> bool:
    return bool(value.is_zero() if hasattr(value, "is_zero") else value == 0)


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
