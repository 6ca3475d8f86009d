"""The first route, at any d: C_N^(q) is the coefficient of t^q z^N in

sum_ij s_i s_j prod_l (1 + t sum_{k=1}^n z^k pi_k(x_il) pi_k(x_jl) h_0/h_k),

up to one scale. Nothing here is normalised: these are the sums whose quotients by ``norm`` are the indices.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, wraps
from itertools import accumulate
from typing import Any

import numpy as np
from flint import fmpq

from .support import Support, gather


def elementary(A: Sequence) -> list:
    """[1, e_1, ..., e_d]: the coefficients of t^q in prod_l (1 + t A_l), e_0 left implicit as None."""
    e: list = [None]
    for a in A:
        grown = [None, *e[1:], None]
        for q in range(1, len(e) + 1):
            term = a if q == 1 else e[q - 1] * a
            grown[q] = term if q == len(e) else e[q] + term
        e = grown
    return e


def scoped(method: Any) -> Any:
    """A lazily computed attribute, at the precision of the arithmetic."""

    @wraps(method)
    def compute(self: Any) -> Any:
        with self.arithmetic.scope():
            return method(self)

    return compute


class GeneratingFunction:
    """Sums over pairs of points, each unordered pair once."""

    def __init__(self, support: Support):
        self.support, self.arithmetic = support, support.arithmetic
        self.n, self.d = support.problem.n, support.problem.d
        self._i, self._j = np.triu_indices(len(support.s))

    @cached_property
    @scoped
    def weights(self) -> np.ndarray:
        """s_i s_j, twice where i < j."""
        twice = [fmpq(1 if a == b else 2) for a, b in zip(self._i, self._j, strict=True)]
        return self.support.s[self._i] * self.support.s[self._j] * self.arithmetic.array(twice)

    @cached_property
    @scoped
    def factors(self) -> list:
        """A_l(1) = sum_{k>=1} pi_k(x_il) pi_k(x_jl) h_0/h_k for each coordinate, over the pairs."""
        return self._factors(1)

    def _factors(self, z: int) -> list:
        out = []
        for P, weights in zip(self.support.values, self.support.weights, strict=True):
            total = 0 * P[0][self._i]
            for k in range(1, len(P)):
                total = total + P[k][self._i] * (P[k] * (weights[k] * z**k))[self._j]
            out.append(total)
        return out

    def _sum(self, form: np.ndarray | None) -> Any:
        """sum_ij s_i s_j F_ij; F = 1 where form is None."""
        return self.weights.sum() if form is None else self.arithmetic.dot(self.weights, form)

    @cached_property
    @scoped
    def norm(self) -> Any:
        """||h||^2 over the scale."""
        return self._sum(_product(self.factors))

    @cached_property
    @scoped
    def orders(self) -> list:
        """sum_N C_N^(q), q = 0 ... d."""
        forms = [self._sum(form) for form in elementary(self.factors if self.n else [])]
        return forms + [0 * self.norm] * (self.d + 1 - len(forms))

    def subset(self, S: Sequence[int]) -> Any:
        """The sum over modes whose active coordinates are exactly S, counted from 1."""
        with self.arithmetic.scope():
            form: Any = None
            for i in S:
                form = self.factors[i - 1] if form is None else form * self.factors[i - 1]
            return self._sum(form)

    @cached_property
    @scoped
    def parities(self) -> tuple[Any, Any]:
        """The sums over even and over odd degrees: at z = -1 the generating function is even - odd."""
        alternating = self._sum(_product(self._factors(-1)))
        half = self.arithmetic(fmpq(1, 2))
        return (self.norm + alternating) * half, (self.norm - alternating) * half

    @cached_property
    @scoped
    def blocks(self) -> np.ndarray:
        """C_N^(q) as a (d+1, dn+1) array."""
        A, C = self.arithmetic, self.support.zeros(self.norm)
        degrees = self.support.problem.degrees
        some = [i for i, n in enumerate(degrees) if n]  # the others have no k >= 1
        if not some:
            C[0, 0] = self.norm
            return C
        values = [self.support.values[i] for i in some]
        weights = [self.support.weights[i][:, None] for i in some]
        tops = [degrees[i] for i in some]
        h, count = A.split(len(some)), len(self._i)
        product: Any = 0
        for start in range(0, count, A.pairs or count):
            piece = slice(start, start + (A.pairs or count))
            i, j = self._i[piece], self._j[piece]
            factors = [  # A_l(z)/z: the coefficient of z^(k-1) belongs to degree k
                A.polynomials(P[1:, i] * (P[1:] * w[1:])[:, j]) for P, w in zip(values, weights, strict=True)
            ]
            (rows, left), (columns, right) = (
                self._stack(factors[half], tops[half], len(i)) for half in (slice(h), slice(h, None))
            )
            product = product + A.contract(left, self.weights[piece], right)
        return gather(C, rows, columns, product)

    def _stack(self, factors: list, tops: list[int], count: int) -> tuple[np.ndarray, Any]:
        """The labels (q, N) and, row by row over the pairs, the coefficients of t^q z^N."""
        lengths = [top - q + 1 for q, top in enumerate(accumulate(sorted(tops, reverse=True)), 1)]
        labels = [(0, 0)] + [(q, q + k) for q, length in enumerate(lengths, 1) for k in range(length)]
        return np.array(labels), self.arithmetic.stack(elementary(factors)[1:], lengths, count)


def _product(factors: list) -> Any:
    out: Any = 1
    for factor in factors:
        out = out * (factor + 1)
    return out
