"""Sums of products of mpmath numbers in block fixed-point arithmetic.

An mpf is an integer with its own exponent, and operations take ten times as long as those on its integer.
Here the numbers of a column or row share the exponent of the largest one and are truncated to twice the
precision of the context, so that a number of 10^-digits of the largest one still has all its digits. Errors
are not bounded; ``tests/numbers/test_fixed.py`` compares results with rationals and balls.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import mul
from typing import Any

import numpy as np
from mpmath.libmp import from_man_exp, to_fixed

_ZERO_EXPONENT = -(10**6)  # exponent of zeros, below that of any number


def share_exponent(numbers: Iterable[Any], bits: int) -> tuple[list[int], int]:
    """Return integers k and e with numbers = k 2^(e - bits), up to truncation."""
    raw = [x._mpf_ for x in numbers]
    e = max((exponent + length for _, man, exponent, length in raw if man), default=_ZERO_EXPONENT)
    return [to_fixed(x, bits - e) for x in raw], e


def nearest_mpf(context: Any, man: int, exponent: int) -> Any:
    """Return the mpf nearest to man 2^exponent."""
    return context.make_mpf(from_man_exp(man, exponent, context.prec, "n"))


def matmul(a: np.ndarray, b: np.ndarray, context: Any) -> np.ndarray:
    """Return the matrix product, with one exponent for each row of a and each column of b."""
    bits = 2 * context.prec
    right = [share_exponent(column, bits) for column in b.T]
    out = np.empty((len(a), len(right)), dtype=object)
    for i, row in enumerate(a):
        left, e = share_exponent(row, bits)
        out[i] = [nearest_mpf(context, sum(map(mul, left, k)), e + f - 2 * bits) for k, f in right]
    return out


class FixedPointPolynomials:
    """A batch of polynomials in z, one for each column, in block fixed-point arithmetic.

    The coefficients of z**k are rows[k] 2^(exponents - bits), with integers ``rows``, an exponent for each
    column, and twice as many bits as the context.
    """

    def __init__(self, rows: np.ndarray, exponents: np.ndarray, context: Any):
        self.rows, self.exponents, self.context = rows, exponents, context

    @classmethod
    def from_mpf(cls, rows: np.ndarray, context: Any) -> FixedPointPolynomials:
        """Convert rows of mpmath numbers."""
        shared = [share_exponent(column, 2 * context.prec) for column in rows.T]
        columns, exponents = zip(*shared, strict=True)
        return cls(np.array(columns, dtype=object).T, np.array(exponents, dtype=object), context)

    def numbers(self) -> np.ndarray:
        """Return the coefficients as mpmath numbers."""
        exponents = self.exponents - 2 * self.context.prec
        nearest = np.frompyfunc(lambda k, e: nearest_mpf(self.context, k, e), 2, 1)
        found: np.ndarray = nearest(self.rows, exponents)
        return found

    def __add__(self, other: FixedPointPolynomials) -> FixedPointPolynomials:
        exponents = np.maximum(self.exponents, other.exponents)
        aligned = [each.rows >> (exponents - each.exponents) for each in (self, other)]
        short, long = sorted(aligned, key=len)
        long[: len(short)] += short
        return FixedPointPolynomials(long, exponents, self.context)

    def __mul__(self, other: FixedPointPolynomials) -> FixedPointPolynomials:
        rows = np.zeros((len(self.rows) + len(other.rows) - 1, self.rows.shape[1]), dtype=object)
        for k, row in enumerate(other.rows):
            rows[k : k + len(self.rows)] += self.rows * row
        return FixedPointPolynomials(
            rows >> 2 * self.context.prec, self.exponents + other.exponents, self.context
        )
