"""Sums of c_k^2 by enumerating all modes: the second, independent route.

If every combination of degrees is a mode, the coordinates are split into two halves, each with a matrix of
products of basis values, and one matrix product of the two gives c_k for every mode. This is only possible if
there are few enough modes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, reduce
from operator import mul
from typing import Any

import numpy as np
from flint import fmpq

from .. import cost
from ..errors import BadParameter, TooLarge
from ..kernels.modes import MAX_MODES, Modes
from .support import Support, add_by_label

_HINT = "use the indices of the profile instead of its coefficients"
MODES_PER_BATCH = 16  # multi-indices of the first half per matrix product
_FEW = 2**17  # modes whose squares are kept


class Enumeration:
    """Sums over modes, and the single modes. Nothing is divided by ||h||^2."""

    def __init__(self, support: Support):
        self.support, self.arithmetic = support, support.arithmetic

    @property
    def modes(self) -> Modes:
        """The modes of the decomposition."""
        if (modes := self.support.parts.modes) is None:
            description = self.support.problem.kernel_description
            raise BadParameter("kernel", description, "has no modes that can be listed", _HINT)
        return modes

    def require_at_most(self, limit: int = MAX_MODES) -> None:
        """Raise TooLarge if there are more than ``limit`` modes."""
        if self.modes.count > limit:
            raise TooLarge("modes", self.modes.count, limit, _HINT)

    def blocks(self) -> np.ndarray:
        """Return C_N^(q), the sum of c_k^2 over modes of order q and degree N, as a (d+1, dn+1) array."""
        self.require_at_most()
        if not self.modes.is_product:
            return self._limited_blocks()
        with self.arithmetic.scope():
            (rows, left, g), (columns, right, h) = self.support.at.halves()  # type: ignore[attr-defined]
            C = self.support.zeros(right[0, 0])
            order = np.lexsort(columns.T)  # equal labels become neighbours, so that ``grouped`` can add them
            columns, right, h = columns[order], right[order], h[order]
            starts = np.flatnonzero(np.diff(columns, axis=0, prepend=-1).any(axis=1))
            for start in range(0, len(left), MODES_PER_BATCH):
                strip = slice(start, start + MODES_PER_BATCH)
                amplitudes = self.arithmetic.matmul(left[strip] * self.support.s, right.T)
                sums = self.arithmetic.sum_groups(amplitudes * amplitudes * h, starts) * g[strip, None]
                add_by_label(
                    C, rows[strip], columns[starts], self.arithmetic.to_scalars(sums), self.modes.order
                )
            return C

    def _limited_blocks(self) -> np.ndarray:
        with self.arithmetic.scope():
            labels, sums = self._sums_by(self.modes.labels)
            C = self.support.zeros(sums[0])
            C[tuple(labels.T)] = sums
            if not self.support.parts.has_constant:
                C[0, 0] = 0 * C[0, 0]
            return C

    def _sums_by(self, labels: np.ndarray) -> tuple[np.ndarray, Any]:
        """Return the different rows of ``labels``, which has one for each mode, and the sum for each."""
        order = np.lexsort(labels.T)
        labels = labels[order]
        starts = np.flatnonzero(np.append(True, (labels[1:] != labels[:-1]).any(axis=1)))
        sums = self.arithmetic.sum_groups(self.squares()[order].reshape(1, -1), starts)
        return labels[starts], self.arithmetic.to_scalars(sums)[0]

    def squares(self) -> Any:
        """Return c_k^2 without the common factor, for each mode; they are kept if they are few."""
        return self._squares if self.modes.count <= _FEW else self._compute_squares()

    @cached_property
    def _squares(self) -> Any:
        return self._compute_squares()

    def _compute_squares(self) -> Any:
        with self.arithmetic.scope():
            amplitudes, weights = self.amplitudes()
            return amplitudes * amplitudes * weights

    @cached_property
    def _by_subset(self) -> dict[tuple[int, ...], Any]:
        """The sum for each set of active coordinates, counted from 1."""
        with self.arithmetic.scope():
            rows, sums = self._sums_by(self.modes.active)
            return {tuple((np.flatnonzero(row) + 1).tolist()): x for row, x in zip(rows, sums, strict=True)}

    def subset(self, S: Sequence[int]) -> Any:
        """Return the sum over the modes whose active coordinates, counted from 1, are exactly S."""
        A, support, at = self.arithmetic, self.support, self.support.at
        with A.scope():
            total = support.s.sum()
            if not all(self.modes.degrees[i - 1] for i in S) or len(S) > self.modes.order:
                return 0 * total
            if not S:
                return total * total * support.parts.has_constant
            if not support.parts.by_pairs or (not self.modes.is_product and self.modes.count <= _FEW):
                return self._by_subset.get(tuple(sorted(S)), 0 * total)
            active = Modes(tuple(self.modes.degrees[i - 1] - 1 for i in S), len(S))  # k_i - 1 for k_i >= 1
            values = active.products([at.values[i - 1][1:] for i in S])  # type: ignore[attr-defined]
            weights = active.products([at.weights[i - 1][1:, None] for i in S])  # type: ignore[attr-defined]
            amplitudes = A.matmul(values, support.s.reshape(-1, 1))
            return (amplitudes * amplitudes * weights).sum()

    def amplitudes(self) -> tuple[np.ndarray, np.ndarray]:
        """Return a and g with c_k^2 = a_k^2 g_k up to a common factor, in the order of ``Modes``."""
        A, modes = self.arithmetic, self.modes.count
        needed = cost.GRAM_COPIES * modes * cost.number_bytes(A, A.bits)
        cost.require_memory(needed, f"computing c_k for {modes} modes (arithmetic {A.name!r})", _HINT)
        with A.scope():
            return self.support.parts.amplitudes(self.support.s)

    def amplitudes_of(self, modes: Sequence[tuple[int, ...]]) -> tuple[Any, Any]:
        """Return a and g for some of the modes of a kernel of orthogonal polynomials."""
        at: Any = self.support.at
        with self.arithmetic.scope():
            a = [
                reduce(mul, (P[j] for P, j in zip(at.values, k, strict=True)), self.support.s).sum()
                for k in modes
            ]
            g = [reduce(mul, (w[j] for w, j in zip(at.weights, k, strict=True))) for k in modes]
            return self.arithmetic.elements(a), self.arithmetic.elements(g)

    def by_coordinate(self) -> tuple[list[Any], list[Any]]:
        """Return for each coordinate the sum over the modes in which it is active, as total and Shapley part.

        The Shapley part divides the summand of each mode by the number of its active coordinates.
        """
        self.require_at_most()
        A = self.arithmetic
        with A.scope():
            squares = self.squares()
            share = A.array([fmpq(1, max(q, 1)) for q in range(len(self.modes.degrees) + 1)])
            shared = squares * share[self.modes.labels[:, 0]]
            active, zero = self.modes.active.T, 0 * squares.sum()
            total, shapley = ([zero + part[rows].sum() for rows in active] for part in (squares, shared))
            return total, shapley
