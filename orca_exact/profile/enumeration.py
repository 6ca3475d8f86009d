"""Sums of c_k^2 by enumerating all (n+1)^d modes: the second, independent route.

The coordinates are split into two halves, each with a matrix of products of basis values. One matrix product
of the two then gives c_k for every mode. This is only possible if there are few enough modes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from flint import fmpq

from .. import cost
from ..errors import TooLarge
from ..kernels.orthogonal import MAX_MODES, degrees_by_coordinate, tensor_rows
from .support import Support, gather

_HINT = "use the indices of the profile instead of its coefficients"
STRIP = 16  # multi-indices of the first half per matrix product


class Enumeration:
    """Sums over modes, and the single modes. Nothing is divided by ||h||^2."""

    def __init__(self, support: Support):
        self.support, self.arithmetic = support, support.arithmetic
        self.degrees = support.problem.degrees

    def require(self, limit: int = MAX_MODES) -> None:
        """Raise TooLarge if there are more than ``limit`` modes."""
        if self.support.problem.modes > limit:
            size = f"(n+1)^d = {self.support.problem.modes}"
            raise TooLarge("modes", size, limit, _HINT)

    def _halves(self) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Return, for the first d//2 coordinates and for the rest, the modes of these coordinates alone.

        Each entry holds the labels (q, N) of the modes, their values at the points, and prod h_0/h_k.
        """
        middle, out = len(self.degrees) // 2, []
        one = self.arithmetic.array([[fmpq(1)]])
        for half in (slice(middle), slice(middle, None)):
            n, P, g = self.degrees[half], self.support.values[half], self.support.weights[half]
            values, weights = (tensor_rows(P), tensor_rows([w[:, None] for w in g])) if n else (one, one)
            out.append((mode_labels(n, len(n)), values, weights[:, 0]))
        return out

    def blocks(self) -> np.ndarray:
        """Return C_N^(q), the sum of c_k^2 over modes of order q and degree N, as a (d+1, dn+1) array."""
        self.require()
        with self.arithmetic.scope():
            (rows, left, g), (columns, right, h) = self._halves()
            C = self.support.zeros(right[0, 0])
            order = np.lexsort(columns.T)  # equal labels become neighbours, so that ``grouped`` can add them
            columns, right, h = columns[order], right[order], h[order]
            starts = np.flatnonzero(np.diff(columns, axis=0, prepend=-1).any(axis=1))
            for start in range(0, len(left), STRIP):
                strip = slice(start, start + STRIP)
                amplitudes = self.arithmetic.matmul(left[strip] * self.support.s, right.T)
                sums = self.arithmetic.grouped(amplitudes * amplitudes * h, starts) * g[strip, None]
                gather(C, rows[strip], columns[starts], self.arithmetic.members(sums))
            return C

    def subset(self, S: Sequence[int]) -> Any:
        """Return the sum over the modes whose active coordinates, counted from 1, are exactly S."""
        A, support = self.arithmetic, self.support
        with A.scope():
            total = support.s.sum()
            if not all(self.degrees[i - 1] for i in S):
                return 0 * total
            if not S:
                return total * total
            values = tensor_rows([support.values[i - 1][1:] for i in S])
            weights = tensor_rows([support.weights[i - 1][1:, None] for i in S])
            amplitudes = A.matmul(values, support.s.reshape(-1, 1))
            return (amplitudes * amplitudes * weights).sum()

    def amplitudes(self) -> tuple[np.ndarray, np.ndarray]:
        """Return sum_i s_i pi_k(x_i) and prod_l h_0/h_{k_l} for each k, in the order of ``kernel.modes``."""
        modes, A = self.support.problem.modes, self.arithmetic
        needed = cost.COPIES * modes * cost.number_bytes(A, A.bits)
        cost.require_memory(needed, f"computing c_k for {modes} modes (arithmetic {A.name!r})", _HINT)
        with A.scope():
            (_, left, g), (_, right, h) = self._halves()
            amplitudes = A.matmul(left * self.support.s, right.T)
            return amplitudes.reshape(-1), (g[:, None] * h).reshape(-1)


def mode_labels(n: int | Sequence[int], d: int) -> np.ndarray:
    """Return the order and the degree (q, N) of each multi-index k, in the order of ``kernel.modes``."""
    labels = np.zeros((1, 2), dtype=int)
    for degree in degrees_by_coordinate(n, d):
        added = np.array([[int(k > 0), k] for k in range(degree + 1)])
        labels = (labels[:, None, :] + added).reshape(-1, 2)
    return labels
