"""The first route, at any d: C_N^(q) is the coefficient of t^q z^N in

sum_ij s_i s_j prod_l (1 + t sum_{k=1}^n z^k pi_k(x_il) pi_k(x_jl) h_0/h_k),

up to one scale. Nothing here is normalised: these are the sums whose quotients by ``norm`` are the indices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, reduce, wraps
from operator import mul
from typing import Any

import numpy as np
from flint import fmpq

from .. import cost
from .support import Support, gather

HINT = "take the arithmetic 'verified' or 'float'"


def elementary_symmetric(A: Sequence) -> list:
    """[1, e_1, ..., e_d]: the coefficients of t^q in prod_l (1 + t A_l), e_0 left implicit as None."""
    e: list = [None]
    for a in A:
        grown = [None, *e[1:], None]
        for q in range(1, len(e) + 1):
            term = a if q == 1 else e[q - 1] * a
            grown[q] = term if q == len(e) else e[q] + term
        e = grown
    return e


def in_scope(method: Any) -> Any:
    """A lazily computed attribute, at the precision of the arithmetic."""

    @wraps(method)
    def compute(self: Any) -> Any:
        with self.arithmetic.scope():
            return method(self)

    return compute


class PairBatch:
    """Some pairs (i, j) of points: their s_i s_j, and for each coordinate A_l = K_l h_0 - 1."""

    def __init__(self, support: Support, i: np.ndarray, j: np.ndarray, weights: Any):
        self.support, self.i, self.j, self.weights = support, i, j, weights

    @cached_property
    def factors(self) -> list:
        """A_l(1) = sum_{k>=1} pi_k(x_il) pi_k(x_jl) h_0/h_k for each coordinate."""
        return self.at(1)

    def at(self, z: int) -> list:
        """A_l(z) = sum_{k>=1} z^k pi_k(x_il) pi_k(x_jl) h_0/h_k."""
        out = []
        for P, weights in zip(self.support.values, self.support.weights, strict=True):
            total = 0 * P[0][self.i]
            for k in range(1, len(P)):
                total = total + P[k][self.i] * (P[k] * (weights[k] * z**k))[self.j]
            out.append(total)
        return out

    def sum(self, form: Any) -> Any:
        """sum_ij s_i s_j F_ij; F = 1 where form is None."""
        return self.weights.sum() if form is None else self.support.arithmetic.dot(self.weights, form)


class GeneratingFunction:
    """Sums over pairs of points, each unordered pair once."""

    def __init__(self, support: Support):
        self.support, self.arithmetic = support, support.arithmetic
        self.n, self.d = support.problem.n, support.problem.d

    @cached_property
    def _pairs(self) -> tuple[np.ndarray, np.ndarray]:
        return np.triu_indices(len(self.support.s))

    @cached_property
    @in_scope
    def weights(self) -> np.ndarray:
        """s_i s_j, twice where i < j."""
        A, points, (i, j) = self.arithmetic, len(self.support.s), self._pairs
        long = max(map(_length, self.support.s)) if A.exact else 0
        needed = cost.pairs_bytes(self.support.problem, A, points, long)
        cost.require_memory(needed, f"the profile of {points} support vectors ({A.name})", HINT)
        twice = A.array([fmpq(1), fmpq(2)])[(i != j).astype(int)]
        return self.support.s[i] * self.support.s[j] * twice

    @cached_property
    def _whole(self) -> PairBatch:
        return PairBatch(self.support, *self._pairs, self.weights)

    def _pieces(self) -> Iterator[PairBatch]:
        """All pairs at once, and kept, or, where these take too much memory, some at a time."""
        i, j = self._pairs
        step = self.arithmetic.pairs_kept or len(i)
        if len(i) <= step:
            yield self._whole
            return
        for start in range(0, len(i), step):
            some = slice(start, start + step)
            yield PairBatch(self.support, i[some], j[some], self.weights[some])

    def _sums(self, forms: Callable[[PairBatch], Iterable]) -> list:
        """Of one or more forms over the pairs."""
        totals: list = []
        for piece in self._pieces():
            found = [piece.sum(form) for form in forms(piece)]
            totals = [a + b for a, b in zip(totals, found, strict=True)] if totals else found
        return totals

    @cached_property
    @in_scope
    def norm(self) -> Any:
        """||h||^2 over the scale."""
        return self._sums(lambda piece: [_product(piece.factors)])[0]

    @cached_property
    @in_scope
    def orders(self) -> list:
        """sum_N C_N^(q), q = 0 ... d."""
        sums = self._sums(lambda piece: elementary_symmetric(piece.factors if self.n else []))
        return sums + [0 * self.norm] * (self.d + 1 - len(sums))

    def subset(self, S: Sequence[int]) -> Any:
        """The sum over modes whose active coordinates are exactly S, counted from 1."""
        return self.subsets([S])[0]

    def subsets(self, sets: Sequence[Sequence[int]]) -> list:
        """The same for several sets."""
        with self.arithmetic.scope():
            return self._sums(lambda piece: (_meet(piece.factors, S) for S in sets))

    @cached_property
    @in_scope
    def parities(self) -> tuple[Any, Any]:
        """The sums over even and over odd degrees: at z = -1 the generating function is even - odd."""
        (alternating,) = self._sums(lambda piece: [_product(piece.at(-1))])
        half = self.arithmetic(fmpq(1, 2))
        return (self.norm + alternating) * half, (self.norm - alternating) * half

    @cached_property
    @in_scope
    def blocks(self) -> np.ndarray:
        """C_N^(q) as a (d+1, dn+1) array."""
        A, C = self.arithmetic, self.support.zeros(self.norm)
        degrees, points = self.support.problem.degrees, len(self.support.s)
        needed = cost.blocks_bytes(self.support.problem, A, points)
        cost.require_memory(needed, f"the indices by degree of {points} support vectors ({A.name})", HINT)
        some = [i for i, n in enumerate(degrees) if n]  # the others have no k >= 1
        if not some:
            C[0, 0] = self.norm
            return C
        values = [self.support.values[i] for i in some]
        weights = [self.support.weights[i][:, None] for i in some]
        tops = [degrees[i] for i in some]
        (first, second), h = self._pairs, cost.split(tops, A)
        count = len(first)
        step = int(min(A.pairs or count, cost.pairs_at_once(tops, A)))
        product: Any = 0
        for start in range(0, count, step):
            piece = slice(start, start + step)
            i, j = first[piece], second[piece]
            factors = [  # A_l(z)/z: the coefficient of z^(k-1) belongs to degree k
                A.polynomials(P[1:, i] * (P[1:] * w[1:])[:, j]) for P, w in zip(values, weights, strict=True)
            ]
            (rows, left), (columns, right) = (
                self._stack(factors[half], tops[half], len(i)) for half in (slice(h), slice(h, None))
            )
            product = product + A.contract(left, self.weights[piece], right)
        return gather(C, rows, columns, A.members(product))

    @cached_property
    @in_scope
    def degrees(self) -> list:
        """sum_q C_N^(q), N = 0 ... dn: the same at t = 1, where there is less to carry."""
        A, (first, second) = self.arithmetic, self._pairs
        if self.d == 1 or A.exact:  # nothing to divide
            return list(self.blocks.sum(axis=0))
        halves = [list(zip(self.support.values, self.support.weights, strict=True))[k::2] for k in (0, 1)]
        step = A.pairs or len(first)
        product: Any = 0
        for start in range(0, len(first), step):
            piece = slice(start, start + step)
            i, j = first[piece], second[piece]
            left, right = (
                reduce(mul, (A.polynomials(P[:, i] * (P * w[:, None])[:, j]) for P, w in half))
                for half in halves
            )
            lengths = [sum(len(P) - 1 for P, _ in half) + 1 for half in halves]
            rows, columns = (A.stack([x], [n], len(i)) for x, n in ((left, lengths[0]), (right, lengths[1])))
            product = product + A.contract(rows, self.weights[piece], columns)
        found = A.members(product)[1:, 1:]  # without the rows of ones
        out = [0 * self.norm] * (sum(lengths) - 1)
        for (a, b), x in np.ndenumerate(found):
            out[a + b] = out[a + b] + x
        return out

    def _stack(self, factors: list, tops: list[int], count: int) -> tuple[np.ndarray, Any]:
        """The labels (q, N) and, row by row over the pairs, the coefficients of t^q z^N."""
        lengths = cost.row_lengths(tops)
        labels = [(0, 0)] + [(q, q + k) for q, length in enumerate(lengths, 1) for k in range(length)]
        return np.array(labels), self.arithmetic.stack(elementary_symmetric(factors)[1:], lengths, count)


class PairForms(GeneratingFunction):
    """The same before the sum: for each pair the number that its weight is multiplied by."""

    def _sums(self, forms: Callable[[PairBatch], Iterable]) -> list:
        return [self._ones if form is None else form for form in forms(self._whole)]

    @property
    def _ones(self) -> np.ndarray:
        return self.arithmetic.array([fmpq(1)] * len(self._pairs[0]))

    @cached_property
    @in_scope
    def blocks(self) -> np.ndarray:
        """As a (d+1, dn+1) array of them."""
        A, degrees, (i, j) = self.arithmetic, self.support.problem.degrees, self._pairs
        C = np.empty((self.d + 1, sum(degrees) + 1, len(i)), dtype=object)
        C.fill(0 * self.norm[0])
        C[0, 0] = self._ones
        points = [(P, w[:, None]) for P, w in zip(self.support.values, self.support.weights, strict=True)]
        factors = [A.polynomials(P[1:, i] * (P[1:] * w[1:])[:, j]) for P, w in points if len(P) > 1]
        for q, batch in enumerate(elementary_symmetric(factors)[1:], 1):
            for pair, p in enumerate(batch):
                C[q, q : q + len(p.coeffs()), pair] = p.coeffs()
        return C

    @cached_property
    @in_scope
    def degrees(self) -> Any:
        """As a (dn+1)-array of them."""
        A, (i, j) = self.arithmetic, self._pairs
        points = zip(self.support.values, self.support.weights, strict=True)
        batch: Any = reduce(mul, (A.polynomials(P[:, i] * (P * w[:, None])[:, j]) for P, w in points))
        if hasattr(batch, "rows"):
            return batch.rows
        C = np.empty((sum(self.support.problem.degrees) + 1, len(i)), dtype=object)
        C.fill(0 * self.norm[0])
        for pair, p in enumerate(batch):
            C[: len(p.coeffs()), pair] = p.coeffs()
        return C


def _length(x: Any) -> int:
    """Bits of a rational, or of the longest coefficient of a polynomial in tau."""
    return max((c.p.bit_length() for c in ([x] if isinstance(x, fmpq) else x.coeffs())), default=0)


def _meet(factors: list, S: Sequence[int]) -> Any:
    """prod_{i in S} A_i; None where S is empty."""
    return reduce(mul, (factors[i - 1] for i in S)) if S else None


def _product(factors: list) -> Any:
    out: Any = 1
    for factor in factors:
        out = out * (factor + 1)
    return out
