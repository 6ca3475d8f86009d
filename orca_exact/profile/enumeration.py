"""The second route: every mode of the (n+1)^d by itself, for profiles small enough.

Two matrices of half the coordinates each are multiplied, so that c_k for all modes is one matrix product.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from flint import arb, fmpq, fmpq_poly

from ..arithmetic import Arithmetic
from ..errors import TooLarge
from ..kernel import MAX_MODES, fold, modes
from ..problem import Problem
from ..svm.tau import Ratio

STRIP = 16  # left multi-indices at a time
MAX_DICT = 1_000_000


class Enumeration:
    """What a profile can say mode by mode."""

    problem: Problem
    arithmetic: Arithmetic
    n: int
    d: int
    s: np.ndarray
    scale: Any
    values: np.ndarray
    weights: np.ndarray
    _norm: Any
    _w_error: arb | None

    def _few_enough(self, limit: int) -> None:
        if self.problem.modes > limit:
            raise TooLarge(
                "modes", f"(n+1)^d = {self.problem.modes}", limit, "use the profile's indices instead"
            )

    def _halves(self) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """First d//2 coordinates, and the rest: for each mode its label (q, N), values, prod h_0/h_k."""
        h, out = self.d // 2, []
        for P in (self.values[:h], self.values[h:]):
            g = np.broadcast_to(self.weights[None, :, None], (len(P), self.n + 1, 1))
            one = self.arithmetic.array([[fmpq(1)]])
            out.append(
                (_labels(self.n, len(P)), fold(P) if len(P) else one, (fold(g) if len(P) else one)[:, 0])
            )
        return out

    def blocks_by_enumeration(self) -> np.ndarray:
        """``blocks`` again, by summing c_k^2 over every mode."""
        self._few_enough(MAX_MODES)
        with self.arithmetic.scope():
            return self._sum_modes()

    def _sum_modes(self) -> np.ndarray:
        C = np.empty((self.d + 1, self.d * self.n + 1), dtype=self.s.dtype)
        C.fill(0 * self._norm)
        (rows, left, g), (columns, right, h) = self._halves()
        order = np.lexsort(columns.T)  # equal labels side by side, so that reduceat adds them up
        columns, right, h = columns[order], right[order], h[order]
        starts = np.flatnonzero(np.diff(columns, axis=0, prepend=-1).any(axis=1))
        for a in range(0, len(left), STRIP):
            strip = slice(a, a + STRIP)
            amplitudes = self.arithmetic.matmul(left[strip] * self.s, right.T)
            sums = np.add.reduceat(amplitudes * amplitudes * h, starts, axis=1) * g[strip, None]
            _gather(C, rows[strip], columns[starts], sums)
        return C

    def coefficients(self) -> dict[tuple[int, ...], Any]:
        """c_k by multi-index: elements of the arithmetic; in exact arithmetic, SymPy expressions."""
        self._few_enough(MAX_DICT)
        if self.arithmetic.name == "exact":
            return self._exact_coefficients()
        with self.arithmetic.scope():
            root = self.arithmetic.sqrt
            a, g = self._amplitudes()
            c = a * root(g * self.scale)
            if self._w_error is not None:  # |c_k - c*_k| <= ||w - w*||
                c = c + arb(0, self._w_error)
            return dict(zip(modes(self.n, self.d), c, strict=True))

    def _amplitudes(self) -> tuple[np.ndarray, np.ndarray]:
        """sum_i s_i pi_k(x_i) and prod_l h_0/h_{k_l}, in the order of ``modes``."""
        (_, left, g), (_, right, h) = self._halves()
        a = self.arithmetic.matmul(left * self.s, right.T)
        return a.reshape(-1), (g[:, None] * h).reshape(-1)

    def _exact_coefficients(self) -> dict:
        from sympy import Rational, sqrt

        from ..jacobi import _sympy

        lam = self.problem.jacobi.h0**-self.d

        def expression(value: Any) -> Any:
            if isinstance(value, fmpq_poly):
                tau_value = lam * _sympy(self.problem.C)
                return sum((_sympy(c) * tau_value**k for k, c in enumerate(value.coeffs())), Rational(0))
            return _sympy(value)

        scale = self.scale
        scale = (
            expression(scale.numerator) / expression(scale.denominator)
            if isinstance(scale, Ratio)
            else expression(scale)
        )
        return {
            k: expression(a) * sqrt(_sympy(g) * scale)
            for k, a, g in zip(modes(self.n, self.d), *self._amplitudes(), strict=True)
        }


def _labels(n: int, d: int) -> np.ndarray:
    """(q(k), N(k)) for the multi-indices of {0..n}^d, in the order of ``modes``."""
    out = np.zeros((1, 2), dtype=int)
    one = np.array([[int(k > 0), k] for k in range(n + 1)])
    for _ in range(d):
        out = (out[:, None, :] + one[None, :, :]).reshape(-1, 2)
    return out


def _gather(C: np.ndarray, rows: np.ndarray, columns: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Add values[a, b] to C at (q, N) = rows[a] + columns[b]; the columns' labels are distinct."""
    for (q, N), row in zip(rows, values, strict=True):
        C[q + columns[:, 0], N + columns[:, 1]] += row
    return C
