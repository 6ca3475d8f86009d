"""The second route: every mode of the (n+1)^d by itself, for profiles small enough.

Two matrices of half the coordinates each are multiplied, so that c_k for all modes is one matrix product.
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

STRIP = 16  # left multi-indices at a time


class Enumeration:
    """Sums over modes, and the modes themselves; nothing is normalised."""

    def __init__(self, support: Support):
        self.support, self.arithmetic = support, support.arithmetic
        self.degrees = support.problem.degrees

    def require(self, limit: int = MAX_MODES) -> None:
        """No more than so many modes."""
        if self.support.problem.modes > limit:
            size = f"(n+1)^d = {self.support.problem.modes}"
            raise TooLarge("modes", size, limit, "use the profile's indices instead")

    def _halves(self) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """First d//2 coordinates, and the rest: for each mode its label (q, N), values, prod h_0/h_k."""
        h, out = len(self.degrees) // 2, []
        one = self.arithmetic.array([[fmpq(1)]])
        for half in (slice(h), slice(h, None)):
            n, P, g = self.degrees[half], self.support.values[half], self.support.weights[half]
            values, weights = (tensor_rows(P), tensor_rows([w[:, None] for w in g])) if n else (one, one)
            out.append((mode_labels(n, len(n)), values, weights[:, 0]))
        return out

    def blocks(self) -> np.ndarray:
        """C_N^(q) as a (d+1, dn+1) array."""
        self.require()
        with self.arithmetic.scope():
            (rows, left, g), (columns, right, h) = self._halves()
            C = self.support.zeros(right[0, 0])
            order = np.lexsort(columns.T)  # equal labels side by side, so that reduceat adds them up
            columns, right, h = columns[order], right[order], h[order]
            starts = np.flatnonzero(np.diff(columns, axis=0, prepend=-1).any(axis=1))
            for a in range(0, len(left), STRIP):
                strip = slice(a, a + STRIP)
                amplitudes = self.arithmetic.matmul(left[strip] * self.support.s, right.T)
                sums = self.arithmetic.grouped(amplitudes * amplitudes * h, starts) * g[strip, None]
                gather(C, rows[strip], columns[starts], self.arithmetic.members(sums))
            return C

    def subset(self, S: Sequence[int]) -> Any:
        """The sum over modes whose active coordinates are exactly S, counted from 1."""
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
        """sum_i s_i pi_k(x_i) and prod_l h_0/h_{k_l}, in the order of ``kernel.modes``."""
        modes, A = self.support.problem.modes, self.arithmetic
        needed = cost.COPIES * modes * cost.number_bytes(A, A.bits)
        cost.require_memory(needed, f"c_k of {modes} modes ({A.name})", "use the profile's indices instead")
        with self.arithmetic.scope():
            (_, left, g), (_, right, h) = self._halves()
            a = self.arithmetic.matmul(left * self.support.s, right.T)
            return a.reshape(-1), (g[:, None] * h).reshape(-1)


def mode_labels(n: int | Sequence[int], d: int) -> np.ndarray:
    """(q(k), N(k)) for the multi-indices, in the order of ``kernel.modes``."""
    out = np.zeros((1, 2), dtype=int)
    for top in degrees_by_coordinate(n, d):
        one = np.array([[int(k > 0), k] for k in range(top + 1)])
        out = (out[:, None, :] + one[None, :, :]).reshape(-1, 2)
    return out
