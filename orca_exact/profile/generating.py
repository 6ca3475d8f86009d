"""Sums of squared norms by a generating function over pairs of points: the first route, for any dimension d.

Up to a common factor, the sum over the sets of q columns is the coefficient of z^q in the polynomial
sum_ij t_i t_j prod_l (1 + z B_l(i, j)) with t and B of ``Decomposition``. For orthogonal polynomials, t = s
and C_N^(q) is the coefficient of t^q z^N in

    sum_ij s_i s_j prod_l (1 + t sum_{k=1}^n z^k pi_k(x_il) pi_k(x_jl) h_0/h_k).

With a kernel of limited order only powers t^q up to that order are kept. The sums in this module are not
normalised: the indices are their quotients by ``norm``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, reduce, wraps
from operator import add, mul
from typing import Any

import numpy as np
from flint import arb, fmpq

from .. import cost
from ..kernels.modes import elementary_symmetric, extend_symmetric, leave_one_out
from ..numbers.arithmetic import Ball
from ..numbers.midrad import MidRad
from .positive import positive_products
from .support import Support, add_by_label

HALVES = slice(0, None, 2), slice(1, None, 2)  # of the coordinates, with about the same sum of degrees
_MANY_ORDERS = 64  # orders up to which all are computed in balls
_GUARD_BITS = 64  # by which the orders that are not computed are smaller than a rounding error
_HINT = "use the arithmetic 'verified' or 'float'"


def in_scope(method: Any) -> Any:
    """Decorate a method to run at the precision of ``self.arithmetic``."""

    @wraps(method)
    def compute(self: Any, *arguments: Any) -> Any:
        with self.arithmetic.scope():
            return method(self, *arguments)

    return compute


class PairBatch:
    """Some pairs (i, j) of points with their weights t_i t_j."""

    def __init__(self, support: Support, i: np.ndarray, j: np.ndarray, weights: Any):
        self.support, self.i, self.j, self.weights = support, i, j, weights

    @cached_property
    def factors(self) -> list[Any]:
        """B_l for each coordinate l, an array over the pairs."""
        return self.support.parts.factors(self.i, self.j)

    def alternating_factors(self) -> list[Any]:
        """Return sum_{k>=1} (-1)^k pi_k(x_il) pi_k(x_jl) h_0/h_k for each coordinate l."""
        found: list[Any] = self.support.at.factors(self.i, self.j, -1)  # type: ignore[attr-defined]
        return found

    def sum(self, form: Any) -> Any:
        """Return sum_ij t_i t_j F_ij, where ``form`` is F, or None for F = 1."""
        return self.weights.sum() if form is None else self.support.arithmetic.dot(self.weights, form)


class GeneratingFunction:
    """Sums over all pairs of points, in which each unordered pair occurs once."""

    speedup = 1  # of the sums by order and by degree, relative to the costs of the arithmetic

    def __init__(self, support: Support):
        self.support, self.arithmetic, self.d = support, support.arithmetic, support.problem.d

    @property
    def order(self) -> int:
        """The highest number of columns that act together."""
        return self.support.parts.order

    @property
    def _is_product(self) -> bool:
        """Whether every set of columns acts together."""
        modes = self.support.parts.modes
        return self.order >= self.d if modes is None else modes.is_product

    @cached_property
    def _pairs(self) -> tuple[np.ndarray, np.ndarray]:
        return np.triu_indices(len(self.support.s))

    @cached_property
    @in_scope
    def weights(self) -> np.ndarray:
        """Weight of each pair of points i <= j: t_i^2 for i = j, 2 t_i t_j for i < j."""
        A, points, (i, j) = self.arithmetic, len(self.support.s), self._pairs
        bits = max(map(_bit_length, self.support.s)) if A.exact else 0
        needed = cost.pairs_bytes(self.support.problem, A, points, bits)
        cost.require_memory(needed, f"the profile of {points} support vectors (arithmetic {A.name!r})", _HINT)
        multiplicity = A.array([fmpq(1), fmpq(2)])[(i != j).astype(int)]
        found: np.ndarray = self.support.t[i] * self.support.t[j] * multiplicity
        return found

    @cached_property
    def _all_pairs(self) -> PairBatch:
        return PairBatch(self.support, *self._pairs, self.weights)

    @property
    def has_factors(self) -> bool:
        """Whether the factors of all pairs are known already."""
        return "_all_pairs" in self.__dict__ and "factors" in self._all_pairs.__dict__

    def _batches(self) -> Iterator[PairBatch]:
        """Yield all pairs as one batch, which is kept, or several batches if they need too much memory."""
        i, j = self._pairs
        step = self.arithmetic.pairs_kept or len(i)
        if len(i) <= step:
            yield self._all_pairs
            return
        for batch in _slices(len(i), step):
            yield PairBatch(self.support, i[batch], j[batch], self.weights[batch])

    def _sums(self, forms: Callable[[PairBatch], Iterable[Any]]) -> list[Any]:
        """Return the sums over all pairs of the forms that ``forms`` computes for a batch."""
        totals: list[Any] = []
        for batch in self._batches():
            sums = [batch.sum(form) for form in forms(batch)]
            totals = [a + b for a, b in zip(totals, sums, strict=True)] if totals else sums
        return totals

    @cached_property
    @in_scope
    def norm(self) -> Any:
        """The sum over all sets of columns: ||h||^2, or the variance of h, without the common factor."""
        return self._sums(lambda batch: [self._over_sets(batch.factors)])[0]

    def _over_sets(self, factors: list[Any]) -> Any:
        """Return prod_l (1 + B_l), or the same up to the order of the kernel; without the 1 if need be."""
        if not self.support.parts.has_constant and self._is_product:
            return reduce(lambda total, factor: total * (factor + 1) + factor, factors)
        if self._is_product:
            return reduce(mul, (factor + 1 for factor in factors), 1)
        return reduce(add, elementary_symmetric(factors, self.order)[1:]) + self.support.parts.has_constant

    @cached_property
    @in_scope
    def orders(self) -> list[Any]:
        """The sums over the sets of q columns for q = 0 ... d."""
        constant = self.support.problem.kernel.top_degree == 0

        def forms(batch: PairBatch) -> list[Any]:
            factors = [] if constant else batch.factors
            rest = self._negligible_orders(factors, self.order)
            sums = elementary_symmetric(factors, self.order - len(rest))
            return sums + [0 * factors[0] + ball for ball in rest]

        sums = self._sums(forms)
        if not self.support.parts.has_constant:
            sums[0] = 0 * sums[0]
        return sums + [0 * self.norm] * (self.d + 1 - len(sums))

    def _negligible_orders(self, factors: list[Any], order: int) -> list[arb]:
        """Return balls around 0 that contain e_q of all pairs for the last of the orders up to ``order``.

        |e_q(B)| <= e_q(|B|) <= T^q/q! with T = sum_l |B_l|, because q! e_q(|B|) is a part of the expansion of
        T^q. For many columns this is soon below 2^-GUARD_BITS of the rounding error of a single B_l, which is
        about T 2^-bits. So few orders need to be computed; with few columns all are, so that small ones have
        as many digits as large ones.
        """
        A = self.arithmetic
        if not isinstance(A, Ball) or min(order, len(factors)) <= _MANY_ORDERS:
            return []
        sums = reduce(add, (abs(b) for b in factors))
        T = reduce(arb.max, (x.upper() for x in sums)).upper()
        negligible, bounds = T * arb(2) ** -(A.bits + _GUARD_BITS), [arb(1)]
        for q in range(1, order + 1):
            bounds.append((bounds[-1] * T / q).upper())
        kept = next((q for q in range(order, 0, -1) if not bounds[q] <= negligible), 0)
        return [arb(0, bound) for bound in bounds[kept + 1 :]]

    @property
    def _degrees(self) -> tuple[int, ...]:
        """The degree of each coordinate."""
        found: tuple[int, ...] = self.support.at.modes.degrees  # type: ignore[attr-defined]
        return found

    @in_scope
    def subsets(self, sets: Sequence[Sequence[int]]) -> list[Any]:
        """Return, for each set S of coordinates, the squared norm of the part that depends on S."""
        return self._sums(lambda batch: (self._product_over(S, batch.factors) for S in sets))

    def _product_over(self, S: Sequence[int], factors: list[Any]) -> Any:
        """Return prod_{i in S} A_i, None if S is empty, or zeros if S has more coordinates than any mode."""
        if len(S) > self.order:
            return 0 * factors[0]
        return reduce(mul, (factors[i - 1] for i in S)) if S else None

    @cached_property
    @in_scope
    def by_coordinate(self) -> tuple[list[Any], list[Any]]:
        """For each coordinate the sum over the modes in which it is active, as total and as Shapley part.

        The Shapley part divides the summand of each mode by the number of its active coordinates.
        """
        sums = self._sums(self._coordinate_forms)
        return sums[::2], sums[1::2]

    def _coordinate_forms(self, batch: PairBatch) -> Iterator[Any]:
        """Yield B_i sum_k e_k and B_i sum_k e_k/(k + 1) for each coordinate i, e_k of the other B_l."""
        order, A = self.order - 1, self.arithmetic
        if self._is_product and isinstance(batch.factors[0], MidRad):
            positive = positive_products(batch.factors)
            if positive is not None:
                for factor, parts in zip(batch.factors, positive, strict=True):
                    yield from (factor * part for part in parts)
                return
        rest = self._negligible_orders(batch.factors, order)
        kept, zero = order - len(rest), 0 * batch.factors[0]
        beyond, shared_beyond = (
            sum((ball * weight for ball, weight in zip(rest, weights, strict=True)), zero)
            for weights in ([1] * len(rest), [A(fmpq(1, k)) for k in range(kept + 2, order + 2)])
        )
        symmetric: Iterable[Sequence[Any]]
        if rest and all((abs(b) <= 1).all() for b in batch.factors):
            whole = elementary_symmetric(batch.factors, kept)
            symmetric = (_remove_factor(whole, b) for b in batch.factors)
        else:
            symmetric = leave_one_out(batch.factors, (None,), lambda e, rest: extend_symmetric(e, rest, kept))
        products = leave_one_out(batch.factors, 1, lambda x, rest: reduce(mul, (b + 1 for b in rest), x))
        for factor, e, product in zip(batch.factors, symmetric, products, strict=True):
            yield factor * product if self._is_product else (reduce(add, e[1:], 1) + beyond) * factor
            shared = reduce(add, (x * A(fmpq(1, k)) for k, x in enumerate(e[1:], 2)), 1)
            yield (shared + shared_beyond) * factor

    @cached_property
    @in_scope
    def parities(self) -> tuple[Any, Any]:
        """The sums over even and over odd degrees: at z = -1 the generating function is even - odd."""
        (alternating,) = self._sums(lambda batch: [self._over_sets(batch.alternating_factors())])
        half = self.arithmetic(fmpq(1, 2))
        return (self.norm + alternating) * half, (self.norm - alternating) * half

    @cached_property
    @in_scope
    def blocks(self) -> np.ndarray:
        """C_N^(q) as a (d+1, dn+1) array."""
        C = self.support.zeros(self.norm)
        degrees = [n for n in self._degrees if n]  # the other coordinates have no k >= 1
        if not degrees:
            C[0, 0] = self.norm
            return C
        return self._add_blocks(C, degrees)

    def _add_blocks(self, C: np.ndarray, degrees: list[int]) -> np.ndarray:
        """Add C_N^(q) to an array of zeros, from the degrees of the coordinates that have k >= 1."""
        A, points = self.arithmetic, len(self.support.s)
        needed = cost.blocks_bytes(self.support.problem, A, points)
        what = f"the indices by degree of {points} support vectors (arithmetic {A.name!r})"
        cost.require_memory(needed, what, _HINT)
        (first, second), order = self._pairs, self.order
        middle = cost.left_half_size(degrees, order, A)
        step = int(min(A.pairs or len(first), cost.pairs_per_step(degrees, order, A)))
        product: Any = 0
        for batch in _slices(len(first), step):
            i, j = first[batch], second[batch]
            factors = list(self._polynomials(i, j, 1))  # A_l(z)/z: the coefficient of z^(k-1) has degree k
            (rows, left), (columns, right) = (
                self._stack(factors[half], degrees[half], len(i))
                for half in (slice(middle), slice(middle, None))
            )
            product = product + A.contract(left, self.weights[batch], right)
        return add_by_label(C, rows, columns, A.to_scalars(product), order)

    @cached_property
    @in_scope
    def degrees(self) -> list[Any]:
        """sum_q C_N^(q) for N = 0 ... dn, computed at t = 1, which takes less memory than ``blocks``."""
        A, (first, second) = self.arithmetic, self._pairs
        if self.d == 1 or A.exact or not self._is_product:  # then there is nothing to gain
            return list(self.blocks.sum(axis=0))
        if A.has_fast_polynomials:
            return self._degrees_by_products()
        lengths = [sum(self._degrees[half]) + 1 for half in HALVES]
        product: Any = 0
        for batch in _slices(len(first), A.pairs or len(first)):
            i, j = first[batch], second[batch]
            left, right = (
                A.stack([reduce(mul, self._polynomials(i, j, 0, half))], [length], len(i))
                for half, length in zip(HALVES, lengths, strict=True)
            )
            product = product + A.contract(left, self.weights[batch], right)
        out = [0 * self.norm] * (sum(lengths) - 1)
        for (a, b), x in np.ndenumerate(A.to_scalars(product)[1:, 1:]):  # without the rows of ones
            out[a + b] = out[a + b] + x
        return out

    def _degrees_by_products(self) -> list[Any]:
        """Return ``degrees`` as the coefficients of one polynomial, to which each pair of points adds one."""
        first, second = self._pairs
        total: Any = 0
        for batch in _slices(len(first), self.arithmetic.pairs or len(first)):
            total = total + (self._products(first[batch], second[batch]) * self.weights[batch]).sum()
        return [total[N] for N in range(sum(self._degrees) + 1)]

    def _products(self, i: np.ndarray, j: np.ndarray) -> Any:
        """Return prod_l sum_k z^k pi_k(x_il) pi_k(x_jl) h_0/h_k for the pairs (i, j).

        Two halves of about the same degree are multiplied last, which takes less time than one factor by one.
        """
        halves = (self._polynomials(i, j, 0, half) for half in HALVES[: self.d])
        return reduce(mul, (reduce(mul, half) for half in halves))

    def _polynomials(
        self, i: np.ndarray, j: np.ndarray, start: int, coordinates: slice = slice(None)
    ) -> Iterator[Any]:
        """Yield sum_{k >= start} z^(k-start) pi_k(x_il) pi_k(x_jl) h_0/h_k for the pairs (i, j).

        There is one batch of polynomials for each of the coordinates l whose degree is at least ``start``.
        """
        at: Any = self.support.at
        for P, w in zip(at.values[coordinates], at.weights[coordinates], strict=True):
            if len(P) > start:
                yield self.arithmetic.polynomials(P[start:, i] * (P[start:] * w[start:, None])[:, j])

    def _stack(self, factors: list[Any], degrees: list[int], count: int) -> tuple[np.ndarray, Any]:
        """Return the labels (q, N), and for each of them the coefficients of t^q z^N over the pairs."""
        lengths = cost.row_lengths(degrees, self.order)
        labels = [(0, 0)] + [(q, q + k) for q, length in enumerate(lengths, 1) for k in range(length)]
        polynomials = elementary_symmetric(factors, self.order)[1:]
        return np.array(labels), self.arithmetic.stack(polynomials, lengths, count)


class PairSummands(GeneratingFunction):
    """The summands of the generating function: for each pair the number by which its weight is multiplied."""

    def _sums(self, forms: Callable[[PairBatch], Iterable[Any]]) -> list[Any]:
        return [self._ones if form is None else form for form in forms(self._all_pairs)]

    @property
    def _ones(self) -> np.ndarray:
        return self.arithmetic.array([fmpq(1)] * len(self._pairs[0]))

    def _zeros(self, *shape: int) -> np.ndarray:
        C = np.empty((*shape, len(self._pairs[0])), dtype=object)
        C.fill(0 * self.norm[0])
        return C

    @cached_property
    @in_scope
    def blocks(self) -> np.ndarray:
        """The summands of C_N^(q) as a (d+1, dn+1, pairs) array."""
        C = self._zeros(self.d + 1, sum(self._degrees) + 1)
        C[0, 0] = self._ones
        factors = list(self._polynomials(*self._pairs, 1))
        for q, polynomials in enumerate(elementary_symmetric(factors, self.order)[1:], 1):
            for pair, p in enumerate(polynomials):
                C[q, q : q + len(p.coeffs()), pair] = p.coeffs()
        return C

    @cached_property
    @in_scope
    def degrees(self) -> Any:
        """The summands of sum_q C_N^(q) as a (dn+1, pairs) array."""
        if not self._is_product:
            return self._limited_degrees()
        polynomials, length = self._products(*self._pairs), sum(self._degrees) + 1
        if hasattr(polynomials, "rows"):
            return polynomials.rows
        if self.arithmetic.has_fast_polynomials:
            stack: np.ndarray = self.arithmetic.stack([polynomials], [length], len(polynomials))
            return stack[1:]  # without the row of ones
        C = self._zeros(length)
        for pair, p in enumerate(polynomials):
            C[: len(p.coeffs()), pair] = p.coeffs()
        return C

    def _limited_degrees(self) -> Any:
        factors = list(self._polynomials(*self._pairs, 1))
        if not hasattr(factors[0], "rows"):
            return self.blocks.sum(axis=0)
        C = self.arithmetic.zeros((sum(self._degrees) + 1, len(self._pairs[0])))
        C[0] = self._ones
        for q, polynomials in enumerate(elementary_symmetric(factors, self.order)[1:], 1):
            degrees = slice(q, q + len(polynomials.rows))
            C[degrees] = C[degrees] + polynomials.rows
        return C


def _remove_factor(e: Sequence[Any], b: Any) -> list[Any]:
    """Return [None, e_1, ..., e_q] without the factor b: the series prod_l (1 + t b_l)/(1 + t b).

    For |b| <= 1, the error of a coefficient is at most the sum of those of the given ones before it.
    """
    found = [None, *([e[1] - b] if len(e) > 1 else [])]
    for x in e[2:]:
        found.append(x - b * found[-1])
    return found


def _slices(count: int, step: int) -> Iterator[slice]:
    for start in range(0, count, step):
        yield slice(start, start + step)


def _bit_length(x: Any) -> int:
    """Return the bits of the numerator of a rational, or of the longest one of a polynomial in tau."""
    return max((c.p.bit_length() for c in ([x] if isinstance(x, fmpq) else x.coeffs())), default=0)
