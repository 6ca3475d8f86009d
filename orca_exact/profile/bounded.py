"""Sums over pairs of points in plain float64, with one proved bound of the error of each sum.

Each sum is sum_ij t_i t_j sum_k prod_l u_l(i) u_l(j) over some modes k, where u_l(i) is pi_k(x_il) times the
root of its weight. Let b(i)^2 bound the sum of prod_l u_l(i)^2 over these modes. By the Cauchy-Schwarz
inequality the terms of the sum add up to at most (sum_i |t_i| b(i))^2 in absolute value. All relative errors
of a term, those of the values included, add up to at most a multiple of the unit roundoff, whatever the order
of the operations, so that this number of additions is the whole error analysis. It is a bound for a sum of
millions of terms in the time of a few operations for each point.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, reduce
from operator import mul
from typing import Any

import numpy as np
from flint import arb

from ..kernels.modes import Modes, elementary_symmetric
from ..kernels.orthogonal import VALUE_ERROR, PolynomialValues
from ..numbers.midrad import UNDERFLOW_BOUND, MidRad, enlarge_radius, rounding_gamma
from .generating import GeneratingFunction, in_scope
from .modular import modular_sums
from .support import Support

_ROWS, _COLUMNS = 16, 512  # pairs of points that are computed at a time
_MODES = 64  # of neighbouring columns that are summed in matrix products
_FEW = 256  # points up to which the error of each pair is bounded
_LARGEST_ERROR = 2.0**-10  # sum of relative errors up to which products of 1 + error are within 1.01 of it
Tile = tuple[slice, slice, np.ndarray]  # some rows and columns of pairs, and their weights


def sum_pairs(support: Support) -> GeneratingFunction:
    """Return the sums over pairs: by residues or with one error bound for each sum if that is faster."""
    if (modular := modular_sums(support)) is not None:
        return modular
    many = isinstance(support.s, MidRad) and len(support.s) > _FEW
    return (BoundedSums if many and isinstance(support.at, PolynomialValues) else GeneratingFunction)(support)


class BoundedSums(GeneratingFunction):
    """The sums by order and by degree for orthogonal polynomials."""

    speedup = 6

    def _tiles(self) -> Iterator[Tile]:
        """Yield tiles that contain each pair once, or twice with i and j exchanged."""
        t = self.support.t.mid
        for start in range(0, len(t), _ROWS):
            rows = slice(start, start + _ROWS)
            for left in range(start, len(t), _COLUMNS):
                columns = slice(left, left + _COLUMNS)
                j = np.arange(left, min(left + _COLUMNS, len(t)))
                yield rows, columns, np.outer(t[rows], np.where(j < start + _ROWS, 1.0, 2.0) * t[columns])

    def _contract(self, halves: Callable[[Tile], Sequence[np.ndarray]]) -> tuple[np.ndarray, int]:
        """Return sum_ij t_i t_j L_a R_b for the stacks L, R of each tile, and the additions for a term."""
        total, count = None, 0
        for tile in self._tiles():
            left, right = halves(tile)
            weighted = (left * tile[2]).transpose(1, 0, 2)
            part = np.matmul(weighted, right.transpose(1, 2, 0)).sum(axis=0)
            total, count = part if total is None else total + part, count + 1
        assert total is not None
        return total, _ROWS + _COLUMNS + count

    @cached_property
    def _bounds(self) -> tuple[list[np.ndarray], float]:
        """Bounds of u_l(i)^2 for each column l and degree k, and the sum of the relative errors of values."""
        bounds, error, at = [], 0.0, self.support.at
        for P, w in zip(at.values, at.weights, strict=True):  # type: ignore[attr-defined]
            size = np.maximum(P.abs_upper(), P.rad / VALUE_ERROR)
            bounds.append(enlarge_radius(w.abs_upper().reshape(-1, 1) * size * size))
            error += 2 * VALUE_ERROR + float((w.rad / w.mid).max()) + rounding_gamma(1)
        return bounds, error

    def _enclose(self, values: Sequence[float], squares: Sequence[np.ndarray], roundings: int) -> list[arb]:
        """Return balls around the sums, from b(i)^2 for each sum and the roundings of a term."""
        t, (bounds, error) = self.support.t, self._bounds
        error = 1.01 * (error + rounding_gamma(roundings + 4))
        if not error < _LARGEST_ERROR:
            error = np.inf
        largest = reduce(mul, (max(1.0, float(b.sum(axis=0).max())) for b in bounds))
        tiny = UNDERFLOW_BOUND * len(t) ** 2 * largest * max(1.0, float(t.abs_upper().max())) ** 2
        found = []
        for value, square in zip(values, squares, strict=True):
            size = enlarge_radius(np.sqrt(square), sum(len(b) + 8 for b in bounds))
            whole, off = (enlarge_radius((x * size).sum(), len(t)) for x in (t.abs_upper(), t.rad))
            found.append(arb(float(value), float(enlarge_radius(whole * (error * whole + 2 * off) + tiny))))
        return found

    @cached_property
    @in_scope
    def orders(self) -> list[Any]:
        at: Any = self.support.at
        bounds = [b[1:].sum(axis=0) for b in self._bounds[0]]
        active = [column for column, P in enumerate(at.values) if len(P) > 1]
        order = min(self.order, len(active))
        ones = np.ones(len(self.support.s))
        if not active:
            values, additions = self._contract(lambda tile: [np.ones((1, *tile[2].shape))] * 2)
            squares = [ones]
        else:
            near = at.midpoints()
            weighted = [P[1:] * w[1:, None] for P, w in zip(near.values, near.weights, strict=True)]

            def halves(tile: Tile) -> list[np.ndarray]:
                rows, columns, weights = tile
                found = []
                for half in (active[::2], active[1::2]):
                    factors = [weighted[k][:, rows].T @ near.values[k][1:, columns] for k in half]
                    found.append(
                        np.stack([np.ones(weights.shape), *elementary_symmetric(factors, order)[1:]])
                    )
                return found

            values, additions = self._contract(halves)
            squares = [ones, *elementary_symmetric([bounds[k] for k in active], order)[1:]]
        sums = _sum_antidiagonals(values, order + 1)
        roundings = additions + len(sums) + sum(len(b) for b in self._bounds[0]) + 3 * self.d
        found = self._enclose(sums, squares, roundings)
        return found + [0 * found[0]] * (self.d + 1 - len(found))

    @cached_property
    @in_scope
    def norm(self) -> Any:
        return reduce(lambda a, b: a + b, self.orders)

    @cached_property
    @in_scope
    def degrees(self) -> list[Any]:
        if self.d == 1 or not self._is_product:
            found: list[Any] = super().degrees
            return found
        groups = [self._group(*columns) for columns in self._grouped_columns()]

        def halves(tile: Tile) -> list[np.ndarray]:
            rows, columns, weights = tile
            found = []
            for half in (groups[::2], groups[1::2]):
                polynomials = (
                    np.stack([W[:, rows].T @ F[:, columns] for W, F in degrees]) for degrees in half
                )
                found.append(reduce(_multiply, polynomials, np.ones((1, *weights.shape))))
            return found

        values, additions = self._contract(halves)
        top = sum(self._degrees)
        squares = reduce(_multiply, self._bounds[0])
        roundings = additions + top + 2 * sum(n + 6 for n in self._degrees) + _MODES * len(groups)
        return self._enclose(_sum_antidiagonals(values, top + 1), list(squares), roundings)

    def _grouped_columns(self) -> Iterator[tuple[int, int]]:
        """Yield first and last + 1 of neighbouring columns that have at most ``_MODES`` modes together."""
        start, count = 0, 1
        for column, n in enumerate(self._degrees):
            if column > start and count * (n + 1) > _MODES:
                yield start, column
                start, count = column, 1
            count *= n + 1
        yield start, self.d

    def _group(self, start: int, stop: int) -> list[tuple[np.ndarray, np.ndarray]]:
        """Return, for each sum of degrees, the modes of some columns with and without their weights."""
        near: Any = self.support.at.midpoints()
        modes = Modes(self._degrees[start:stop], stop - start)
        plain = modes.products(near.values[start:stop])
        weighted = plain * modes.products([w[:, None] for w in near.weights[start:stop]])
        chosen = (modes.labels[:, 1] == N for N in range(modes.top_degree + 1))
        return [(weighted[some], plain[some]) for some in chosen]


def _sum_antidiagonals(values: np.ndarray, count: int) -> list[float]:
    """Return the sums of the entries with a + b = 0, 1, ..., so many of them."""
    flipped = np.flipud(values)
    return [float(flipped.diagonal(k - len(values) + 1).sum()) for k in range(count)]


def _multiply(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return products of polynomials; the first axis has their coefficients."""
    short, long = sorted((a, b), key=len)
    out = np.zeros((len(a) + len(b) - 1, *a.shape[1:]))
    terms = np.empty_like(long)
    for k, factor in enumerate(short):
        out[k : k + len(long)] += np.multiply(long, factor, out=terms)
    return out
