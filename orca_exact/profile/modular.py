"""Sums over pairs of points in rationals, computed modulo many primes.

The coefficients of an exact optimum have 10^5 bits and the kernels 10^3, so that sums of their products
take long. Here the weights t_i t_j are cut into limbs; each sum of products of a limb and of a kernel is
computed modulo primes by matrix products in float64, and is the integer that a bound of its absolute value
leaves. By the Cauchy-Schwarz inequality sum_k |pi_k(x_il) pi_k(x_jl)| h_0/h_k over k >= 1 is at most b_l, the
largest value for i = j, and every sum of this package adds some terms of prod_l (1 + b_l), each with a factor
of at most 1.

Indices by degree are polynomials in z. They are evaluated at roots of unity modulo p, where products of
polynomials are products of numbers, and their coefficients are computed from the weighted sums.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cached_property, reduce
from itertools import islice
from math import gcd, lcm
from operator import mul
from typing import Any, NamedTuple

import numpy as np
from flint import fmpq, fmpz

from .. import cost
from ..kernels.modes import elementary_symmetric
from ..kernels.orthogonal import PolynomialValues
from ..numbers.arithmetic import Exact, over_common_denominator
from ..numbers.residues import (
    TERMS,
    Residues,
    find_primes,
    from_residues,
    integer_residues,
    limb_residues,
    rational_residue,
    reduce_modulo,
    root_of_unity,
)
from .generating import GeneratingFunction, PairBatch
from .support import Support

_MIN_BITS = 2**22  # bits of all products of two coefficients from which residues are faster
_LIMBS = (24 * 20, 24 * 128)  # least and most bits of a limb
_NODES = 32  # roots of unity at which polynomials are evaluated at a time; more exceed the cache
_FORMS = 32  # of which sums are computed at a time


def modular_sums(support: Support) -> ModularSums | None:
    """Return the sums by residues if that is faster than in rationals, and possible."""
    if type(support.arithmetic) is not Exact or not isinstance(support.at, PolynomialValues):
        return None
    bits = max((x.p.bit_length() for x in support.s), default=0)
    sums = ModularSums(support)
    return sums if bits * len(support.s) ** 2 > _MIN_BITS and sums.has_primes else None


class IntegerColumn(NamedTuple):
    """One column: D pi_k(x_i) and E h_0/h_k as integers for k >= 1, D and E, b_l, and a smaller denominator.

    The last one is a common denominator of pi_k(x_i) pi_k(x_j) h_0/h_k for all k, i and j.
    """

    values: list[fmpz]
    weights: list[fmpz]
    D: fmpz
    E: fmpz
    bound: fmpq
    denominator: fmpz


class ResidueBatch(PairBatch):
    """All pairs of points modulo one prime."""

    def __init__(self, sums: ModularSums, prime: int):
        super().__init__(sums.support, *sums._pairs, sums.limbs[prime])
        self.p = p = sums.primes[prime]
        self.columns = [  # for each column pi_k(x_i) D and pi_k(x_i) h_0/h_k/D, k >= 1
            tuple(Residues(x[prime].astype(float), p, p / 2 + 4) for x in column)
            for column in sums.column_residues
        ]

    def _sums_over_degrees(self, sign: int) -> list[Any]:
        found = []
        for plain, weighted in self.columns:
            signs = float(sign) ** np.arange(1, len(plain.values) + 1).reshape(-1, 1)
            found.append(((Residues(signs, self.p, 1) * weighted).T @ plain).reduce()[self.i, self.j])
        return found

    @cached_property
    def factors(self) -> list[Any]:
        return self._sums_over_degrees(1)

    def alternating_factors(self) -> list[Any]:
        return self._sums_over_degrees(-1)

    def weighted_values(self, nodes: np.ndarray, counts: list[int]) -> list[np.ndarray]:
        """Return sum_ij t_i t_j e_q(A_1(z)/z, ..., A_d(z)/z) for each q >= 1, nodes z and limbs of t_i t_j.

        ``nodes`` has a row for each z, with its powers from 0 on; ``counts`` are the numbers of nodes for q.
        """
        active = [column for column in self.columns if len(column[0].values)]
        total: Any = 0.0
        for start in range(0, len(self.i), TERMS):
            pairs = slice(start, start + TERMS)
            i, j = self.i[pairs], self.j[pairs]
            terms = [(weighted[:, i] * plain[:, j]).reduce() for plain, weighted in active]
            rows: list[list[np.ndarray]] = [[] for _ in counts]
            for first in range(0, len(nodes), _NODES):
                some = Residues(nodes[first : first + _NODES], self.p, self.p / 2 + 4)
                factors = [some[:, : len(term.values)] @ term for term in terms]
                symmetric = elementary_symmetric(factors, len(counts))[1:]
                for row, count, e in zip(rows, counts, symmetric, strict=True):
                    if first < count:
                        row.append(e.reduce().values)
            total = total + self.contract(np.concatenate([part for row in rows for part in row]), start)
        return np.split(reduce_modulo(total, self.p), np.cumsum(counts)[:-1])

    def contract(self, rows: np.ndarray, first: int = 0) -> np.ndarray:
        """Return residues of sum_p rows[a, p] limb[p, c] over the pairs p from the first on."""
        total: Any = 0.0
        for start in range(0, rows.shape[1], TERMS):
            part = rows[:, start : start + TERMS]
            limbs = self.weights[first + start : first + start + part.shape[1]].astype(float)
            total = total + reduce_modulo(part @ limbs, self.p)
        return reduce_modulo(total, self.p)


class ModularSums(GeneratingFunction):
    """The sums over pairs of points in rationals, by residues."""

    @cached_property
    def columns(self) -> list[IntegerColumn]:
        """The values and weights of each column as integers."""
        found, m = [], len(self.support.s)
        at: Any = self.support.at
        for P, w in zip(at.values, at.weights, strict=True):
            D, values = over_common_denominator(P[1:].flat)
            E, weights = over_common_denominator(w[1:])
            terms = [[v * x * x for x in values[k * m : (k + 1) * m]] for k, v in enumerate(weights)]
            largest = max((sum(column, fmpz(0)) for column in zip(*terms, strict=True)), default=fmpz(0))
            rows = (reduce(fmpz.lcm, (x.q for x in row), fmpz(1)) for row in P[1:])
            smallest = reduce(fmpz.lcm, ((v / q**2).q for v, q in zip(w[1:], rows, strict=True)), fmpz(1))
            found.append(IntegerColumn(values, weights, D, E, fmpq(largest, D**2 * E), smallest))
        return found

    @cached_property
    def _coefficients(self) -> tuple[fmpz, list[fmpz]]:
        """The t_i over a common denominator."""
        return over_common_denominator(self.support.t)

    @cached_property
    def _denominator(self) -> fmpz:
        """A common denominator of all sums of kernels over modes."""
        shares = fmpz(lcm(*range(1, self.d + 1)))
        return reduce(mul, (column.denominator for column in self.columns), shares)

    @cached_property
    def _limb_bits(self) -> int:
        least, most = _LIMBS
        return int(min(max(self._denominator.bit_length() // 48 * 24, least), most))

    @cached_property
    def _order_of_roots(self) -> int:
        """A power of 2 that is larger than the degree in z."""
        return 1 << sum(self._degrees).bit_length()

    @property
    def has_primes(self) -> bool:
        """Whether there are enough primes, and sums over the degrees have few enough terms."""
        with suppress(OverflowError):
            return self._order_of_roots <= TERMS and bool(self.primes)
        return False

    @cached_property
    def primes(self) -> tuple[int, ...]:
        """Primes whose product is more than twice as large as any sum of a limb and a kernel."""
        size = reduce(mul, (1 + column.bound for column in self.columns), fmpq(len(self._pairs[0])))
        most = (size * self._denominator).ceil() << self._limb_bits
        besides = int(reduce(mul, (column.D * column.E for column in self.columns), self._denominator))
        return find_primes(most.bit_length() + 2, self._order_of_roots, besides)

    @cached_property
    def column_residues(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """For each column the residues of pi_k(x_i) D and of pi_k(x_i) h_0/h_k/D, arrays (primes, k, i)."""
        primes, found = self.primes, []
        for column in self.columns:
            shape = len(primes), len(column.weights), len(self.support.s)
            values = integer_residues(column.values, primes).reshape(shape)
            weights, weighted = integer_residues(column.weights, primes), np.empty_like(values)
            for prime, p in enumerate(primes):
                scale = rational_residue(fmpq(1, column.D**2 * column.E), p)
                row = reduce_modulo(weights[prime].astype(float) * scale, p)
                weighted[prime] = reduce_modulo(row[:, None] * values[prime], p)
            found.append((values, weighted))
        return found

    @cached_property
    def limbs(self) -> np.ndarray:
        """The residues of the limbs of the weight of each pair, an array (primes, pairs, limbs)."""
        (_, t), bits = self._coefficients, self._limb_bits
        weights = [t[i] * t[j] * (1 + (i != j)) for i, j in zip(*self._pairs, strict=True)]
        count = max(abs(x).bit_length() for x in weights) // bits + 1
        kept = 2 * _FORMS + 6 * self.d  # float64 numbers for each pair, modulo one prime
        needed = len(weights) * (8 * kept + count * (bits / 3 + 4 * len(self.primes)))
        what = f"the profile of {len(t)} support vectors (arithmetic 'exact')"
        cost.require_memory(needed, what, "use the arithmetic 'ball'")
        return limb_residues(weights, bits, self.primes)

    def _residue_batches(self) -> Iterator[ResidueBatch]:
        """Yield a batch for each prime; none is kept: their factors take much memory but little time."""
        return (ResidueBatch(self, prime) for prime in range(len(self.primes)))

    @property
    def has_factors(self) -> bool:
        return True  # they take no time

    def _sums(self, forms: Callable[[PairBatch], Iterable[Any]]) -> list[Any]:
        found = []
        for batch in self._residue_batches():
            ones = np.ones(len(batch.i))
            rows = (ones if form is None else form.reduce().values for form in forms(batch))
            parts = []
            while some := list(islice(rows, _FORMS)):
                parts.append(batch.contract(np.array(some)))
            found.append(np.concatenate(parts))
        return self._reconstruct(found)

    def _reconstruct(self, residues: list[np.ndarray]) -> list[fmpq]:
        """Return the sums from the residues of the sums for each limb."""
        denominator, bits = self._denominator, self._limb_bits
        scaled = []
        for found, p in zip(residues, self.primes, strict=True):
            factor = rational_residue(denominator, p)
            scaled.append((Residues(found, p).reduce() * factor).reduce().values.reshape(-1))
        integers = from_residues(np.array(scaled), self.primes)
        rows, count = residues[0].shape
        sums = []
        for row in range(rows):
            limbs = integers[row * count : (row + 1) * count]
            sums.append(reduce(lambda total, limb: (total << bits) + limb, reversed(limbs), fmpz(0)))
        common = denominator * self._coefficients[0] ** 2
        return [fmpq(total, common) for total in sums]

    def _add_blocks(self, C: np.ndarray, degrees: list[int]) -> np.ndarray:
        lengths = cost.row_lengths(degrees, self.order)
        residues = [self._coefficients_by_degree(batch, lengths) for batch in self._residue_batches()]
        labels = [(q, q + k) for q, length in enumerate(lengths, 1) for k in range(length)]
        for label, x in zip(labels, self._reconstruct(residues), strict=True):
            C[label] = x
        C[0, 0] = self.orders[0]
        return C

    def _coefficients_by_degree(self, batch: ResidueBatch, lengths: list[int]) -> np.ndarray:
        """Return the residues of the sums for each order q >= 1, degree and limb.

        A polynomial with so many coefficients is evaluated at the roots of unity of the next power of 2.
        These come first in the list of all.
        """
        p, size = batch.p, self._order_of_roots
        root, powers = root_of_unity(size, p), [1]
        for _ in range(size - 1):
            powers.append(powers[-1] * root % p)
        table = reduce_modulo(np.array(powers, dtype=float), p)
        exponents = np.array(sorted(range(size), key=lambda k: (-gcd(k, size), k)))
        degrees = np.arange(max(self._degrees))
        counts = [1 << (length - 1).bit_length() for length in lengths]
        counts = [max(count, min(_NODES, size)) for count in counts]
        values = batch.weighted_values(table[np.outer(exponents, degrees) % size], counts)
        found = []
        for length, count, x in zip(lengths, counts, values, strict=True):
            # The coefficient of z^k is the mean of z^-k times the values.
            back = Residues(table[-np.outer(np.arange(length), exponents[:count]) % size], p) * fmpq(1, count)
            found.append((back @ Residues(x, p)).reduce().values)
        return np.concatenate(found)
