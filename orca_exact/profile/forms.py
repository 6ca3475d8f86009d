"""The sums of many functions on the same points at once, in plain float64 with a proved bound of each.

With a product kernel of all orders, each sum is a quadratic form Q(t) = sum_ij t_i t_j F_ij of the
coefficients of a function. F depends on the points only: it is a polynomial p with nonnegative coefficients
in the B_l(i, j), with at most one factor of each column l. So the sums of many functions are one product of
matrices: (sums x pairs of points) times (pairs x functions), where a pair i < j counts twice.

The bound follows from these facts; u is the unit roundoff and gamma_k = k u/(1 - k u) (Higham, Accuracy and
Stability, 3.1).

1. *Size.* Each B_l is a covariance, hence positive semidefinite: |B_l(i, j)| <= r_l(i) r_l(j) for any
   r_l(i)^2 >= B_l(i, i). Let G_i^2 = p(r_1(i)^2, ..., r_d(i)^2). By the Cauchy-Schwarz inequality for the
   monomials of p, p(r_1(i) r_1(j), ...) <= G_i G_j. In particular, |F_ij| <= G_i G_j.
2. *Entries of F.* B_l is known to within e_l r_l(i) r_l(j). p is evaluated by additions and multiplications
   of expressions with nonnegative coefficients, so that each monomial is multiplied by at most n factors
   1 + delta, |delta| <= u, those of rounded constants included (see ``_ROUNDINGS``). Hence the computed entry
   is wrong by at most (prod_l (1 + e_l) (1 + gamma_n) - 1) G_i G_j.
3. *Sums over the pairs.* The weight t_i t_j is rounded once. In a product of matrices, the sums of k terms
   are computed in any order, fused or not, and the sums of n_k of them are added: this is a factor
   1 + delta, |delta| <= gamma_(k + n_k + 1), for each term (the same, 3.1 and lemma 3.3).
   By 2 and 3 together, if x = sum_l e_l + gamma_n + gamma_(k + n_k + 1) <= 2^-10, the sum is wrong by at most
   (e^x - 1) a^2 <= 1.001 x a^2, where a = sum_i |t_i| G_i.
4. *Coefficients.* If t is known to within a vector q >= 0, the form of the midpoints differs from that of t
   by 2 t^T F z + z^T F z with |z| <= q and the midpoints t. F is positive semidefinite, as a sum of Hadamard
   products of such matrices, so |x^T F z| <= sqrt(Q(x) Q(z)) and sqrt(Q(z)) <= sum_i |z_i| sqrt(F_ii): the
   difference is at most (2 a + b) b with b = sum_i q_i G_i. This includes coefficients whose midpoint is 0.
5. *Underflow.* Each operation is wrong by at most 2^-1022 more, flushed to zero or not. What follows
   multiplies this by at most M = prod_l max_ij (1 + |B_l(i, j)|) within p, and by T = max(1, max |t_i|)^2 in
   the sum. An entry takes at most 4 (d + 2)^2 operations, a sum m^2 of them: in all at most
   2^-1000 m^2 (d + 2)^2 M T, since 9 * 2^-1022 < 2^-1000.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, reduce
from itertools import combinations
from operator import mul
from typing import NamedTuple

import numpy as np

from ..kernels.kernel import Decomposition
from ..numbers.midrad import (
    UNDERFLOW_BOUND,
    UNIT_ROUNDOFF,
    FloatArray,
    MidRad,
    enlarge_radius,
    rounding_gamma,
)
from .index import Key
from .positive import gauss_on_unit_interval

FORM_FAMILIES = {"order", "marginal", "pair", "total", "shapley"}  # the indices whose forms are known
_PAIRS = 2048  # pairs whose forms are computed at once
_TERMS = 512  # of the sums in a product of matrices
_ROUNDINGS = 8  # times d + 2: of one monomial in any form, see ``_forms``
_LARGEST_ERROR = 2.0**-10
_LEAST_SQUARE = 2.0**-900  # added to r_l(i)^2, so that no quotient of underflows is large


class FormSums(NamedTuple):
    """The sums of several functions: one row for each index, the last one for all sets of columns together.

    The true sums of a function are within ``error`` of ``near``.
    """

    near: FloatArray
    error: FloatArray


class BoundedForms:
    """The quadratic forms of all indices under one decomposition."""

    def __init__(self, parts: Decomposition, m: int):
        self._parts, self.d, self.m = parts, parts.d, m
        self.scale: MidRad = parts.scale(MidRad(np.ones(m)))  # t_i for s_i = 1
        everywhere = np.arange(m)
        diagonal = [B.abs_upper() for B in parts.factors(everywhere, everywhere)]
        self._sizes = [np.sqrt(own + _LEAST_SQUARE) * (1 + 4 * UNIT_ROUNDOFF) for own in diagonal]  # r_l(i)
        errors, largest = np.zeros(self.d), np.ones(self.d)
        for i, j in self._pairs():
            for k, (B, size) in enumerate(zip(parts.factors(i, j), self._sizes, strict=True)):
                errors[k] = max(errors[k], float((B.rad / (size[i] * size[j])).max()))
                largest[k] = max(largest[k], 1 + float(B.abs_upper().max()))
        count = m * (m + 1) // 2
        groups = -(-count // _TERMS) + -(-count // _PAIRS)
        roundings = rounding_gamma(_ROUNDINGS * (self.d + 2)) + rounding_gamma(_TERMS + groups + 1)
        self.relative = (float(errors.sum()) + roundings) * (1 + 4 * (self.d + 8) * UNIT_ROUNDOFF)  # x
        self._underflow = 1.01 * UNDERFLOW_BOUND * float(m) ** 2 * (self.d + 2) ** 2 * float(largest.prod())
        self._magnitudes = self._bound_forms()  # G_i

    def _pairs(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield the pairs i <= j of points, some at a time."""
        i, j = np.triu_indices(self.m)
        for start in range(0, len(i), _PAIRS):
            yield i[start : start + _PAIRS], j[start : start + _PAIRS]

    @property
    def is_suitable(self) -> bool:
        """Whether the errors are small enough for the bound."""
        return self.relative <= _LARGEST_ERROR and bool(np.isfinite(self._magnitudes).all())

    @cached_property
    def rows(self) -> dict[tuple[str, Key], int]:
        """The row of each family and key in the sums; the last row belongs to all sets of columns."""
        columns = [(i,) for i in range(1, self.d + 1)]
        pairs = list(combinations(range(1, self.d + 1), 2))
        orders = [(q,) for q in range(self.d + 1)]
        keys: dict[str, Sequence[Key]] = {
            "order": orders, "marginal": columns, "pair": pairs, "total": columns, "shapley": columns
        }  # fmt: skip
        return {label: row for row, label in enumerate((name, key) for name in keys for key in keys[name])}

    def _bound_forms(self) -> FloatArray:
        """Return G_i of each form and point (rows and columns), rounded up."""
        squares = np.stack(_forms([size * size * (1 + 4 * UNIT_ROUNDOFF) for size in self._sizes]))
        own_error = 2 * rounding_gamma(_ROUNDINGS * (self.d + 2))
        found: FloatArray = np.sqrt(squares * (1 + own_error) + self._underflow) * (1 + 4 * UNIT_ROUNDOFF)
        return found

    def sums(self, s: MidRad) -> FormSums:
        """Return the sums of functions with the coefficients s, one column for each function."""
        t = s * self.scale.reshape(-1, 1)
        T = t.mid
        near = np.zeros((len(self._magnitudes), T.shape[1]))
        for i, j in self._pairs():
            weights = T[i] * T[j] * np.where(i == j, 1.0, 2.0)[:, None]
            forms = np.stack(_forms([B.mid for B in self._parts.factors(i, j)]))
            for k in range(0, len(i), _TERMS):
                near += forms[:, k : k + _TERMS] @ weights[k : k + _TERMS]
        whole, off = (enlarge_radius(self._magnitudes @ x, self.m) for x in (abs(T), t.rad))
        largest = np.maximum(1.0, abs(T).max(axis=0) + t.rad.max(axis=0)) ** 2
        error = 1.001 * self.relative * whole * whole + (2 * whole + off) * off + self._underflow * largest
        return FormSums(near, enlarge_radius(error))


def _forms(B: Sequence[FloatArray]) -> list[FloatArray]:
    """Return p(B) of each index, in the order of ``BoundedForms.rows``, and of all sets of columns together.

    A monomial is rounded at most 2 d times in the orders and 3 d times in the product of all 1 + B_l. In a
    Shapley part these are, for each other column, 2 for its node of the quadrature, 2 for 1 + node * B_l and
    1 for the product, and 2 for the weight, 1 for the product with it, d/2 + 1 for the sum and 1 for B_i:
    less than 6 (d + 2).
    """
    d, one = len(B), np.ones_like(B[0])
    e = [one]
    for b in B:
        e = [one, *(x + b * below for x, below in zip(e[1:], e, strict=False)), b * e[-1]]
    totals = _products_of_others(B, 1.0)
    shared = [0.0 * one] * d
    for node, weight in gauss_on_unit_interval((d + 1) // 2):
        shared = [x + weight * y for x, y in zip(shared, _products_of_others(B, node), strict=True)]
    whole = reduce(lambda found, b: found * (b + 1) + b, B)
    pairs = (x * y for x, y in combinations(B, 2))
    return [0.0 * one, *e[1:], *B, *pairs, *map(mul, B, totals), *map(mul, B, shared), whole]


def _products_of_others(B: Sequence[FloatArray], node: float) -> list[FloatArray]:
    """Return prod_(l != i) (1 + node B_l) for each i."""
    factors = [1.0 + node * b for b in B]
    after = [np.ones_like(B[0])]
    for x in factors[:0:-1]:
        after.append(after[-1] * x)
    before, found = np.ones_like(B[0]), []
    for x, rest in zip(factors, reversed(after), strict=True):
        found.append(before * rest)
        before = before * x
    return found
