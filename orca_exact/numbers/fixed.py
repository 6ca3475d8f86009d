"""mpmath's numbers as integers that share a power of two, where there are many to multiply and to add.

An mpf is an integer with an exponent of its own, and takes ten times its integer's time. Here the numbers
of a column, or of a row, share the exponent of the largest, and are cut so many bits below it as are twice
the context's: what is 10^-digits of the largest still has its own digits. Nothing bounds the error: mpmath is
a witness, and ``tests/numbers/test_fixed.py`` holds it to rationals and balls.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import mul
from typing import Any

import numpy as np
from mpmath.libmp import from_man_exp, to_fixed

_NOTHING = -(10**6)  # the exponent of zeros, below that of any number


def share_exponent(numbers: Iterable, bits: int) -> tuple[list[int], int]:
    """Integers k and e with numbers = k 2^(e - bits), but for what is cut off."""
    raw = [x._mpf_ for x in numbers]
    e = max((exponent + length for _, man, exponent, length in raw if man), default=_NOTHING)
    return [to_fixed(x, bits - e) for x in raw], e


def nearest_mpf(context: Any, man: int, exponent: int) -> Any:
    """The mpf nearest to man 2^exponent."""
    return context.make_mpf(from_man_exp(man, exponent, context.prec, "n"))


def matmul(a: np.ndarray, b: np.ndarray, context: Any) -> np.ndarray:
    """The matrix product: one exponent for each row of a, and for each column of b."""
    bits = 2 * context.prec
    right = [share_exponent(column, bits) for column in b.T]
    out = np.empty((len(a), len(right)), dtype=object)
    for i, row in enumerate(a):
        left, e = share_exponent(row, bits)
        out[i] = [nearest_mpf(context, sum(map(mul, left, k)), e + f - 2 * bits) for k, f in right]
    return out


class Fixed:
    """A batch of polynomials in z: ``rows[k]`` holds the coefficients of z**k, one column each, as integers;
    they are rows[k] 2^(exponents - bits)."""

    def __init__(self, rows: np.ndarray, exponents: np.ndarray, context: Any):
        self.rows, self.exponents, self.context = rows, exponents, context

    @classmethod
    def of(cls, rows: np.ndarray, context: Any) -> Fixed:
        """From mpmath's numbers."""
        columns, exponents = zip(
            *(share_exponent(column, 2 * context.prec) for column in rows.T), strict=True
        )
        return cls(np.array(columns, dtype=object).T, np.array(exponents, dtype=object), context)

    def numbers(self) -> np.ndarray:
        """The coefficients as mpmath's numbers."""
        exponents = self.exponents - 2 * self.context.prec
        flat = [
            nearest_mpf(self.context, k, e) for row in self.rows for k, e in zip(row, exponents, strict=True)
        ]
        return np.array(flat, dtype=object).reshape(self.rows.shape)

    def __add__(self, other: Fixed) -> Fixed:
        exponents = np.maximum(self.exponents, other.exponents)
        aligned = [each.rows >> (exponents - each.exponents) for each in (self, other)]
        short, long = sorted(aligned, key=len)
        long[: len(short)] += short
        return Fixed(long, exponents, self.context)

    def __mul__(self, other: Fixed) -> Fixed:
        rows = np.zeros((len(self.rows) + len(other.rows) - 1, self.rows.shape[1]), dtype=object)
        for k, row in enumerate(other.rows):
            rows[k : k + len(self.rows)] += self.rows * row
        return Fixed(rows >> 2 * self.context.prec, self.exponents + other.exponents, self.context)
