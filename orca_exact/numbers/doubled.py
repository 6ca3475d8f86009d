"""Arrays of numbers with about 31 digits: unevaluated sums of a float64 and a small ball.

The sum and the product of two float64 numbers are computed with their rounding errors, which are float64
numbers themselves (Knuth's two-sum, Dekker's two-product), and all that is small is a ``MidRad``. Underflows
are covered by the radius that each operation of ``MidRad`` adds; an overflow gives a radius with which no
comparison is true. This costs a tenth of what balls cost, and serves recurrences, whose radii in float64
would grow with the degree.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from flint import fmpq

from .midrad import MidRad, enlarge_radius

_SPLITTER = 2.0**27 + 1


def two_sum(a: Any, b: Any) -> tuple[Any, Any]:
    """Return the rounded sum and its error."""
    total = a + b
    other = total - a
    return total, (a - (total - other)) + (b - other)


def two_product(a: Any, b: Any) -> tuple[Any, Any]:
    """Return the rounded product and its error."""
    product = a * b
    (a_high, a_low), (b_high, b_low) = _split(a), _split(b)
    return product, a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low)


def _split(a: Any) -> tuple[Any, Any]:
    """Return two numbers with half of the digits each, whose sum is a (Dekker)."""
    scaled = _SPLITTER * a
    high = scaled - (scaled - a)
    return high, a - high


class Doubled:
    """An array of numbers high + low, where high is float64 and low is a ``MidRad``."""

    __array_ufunc__ = None
    __slots__ = ("high", "low")

    def __init__(self, high: Any, low: MidRad):
        """Move as much of ``low`` as possible to ``high``."""
        self.high, rest = two_sum(high, low.mid)
        self.low = MidRad(rest, low.rad)

    @classmethod
    def from_rationals(cls, values: Any) -> Doubled:
        """Enclose an array of rationals."""
        values = np.asarray(values, dtype=object)
        near = MidRad.from_rationals(values)
        low = MidRad(np.zeros(values.shape), np.where(np.isfinite(near.mid), 0.0, np.inf))
        for place in np.argwhere((near.rad > 0) & np.isfinite(near.mid)):
            i = tuple(place)
            low[i] = MidRad.from_rationals(values[i] - fmpq(*float(near.mid[i]).as_integer_ratio()))
        return cls(near.mid, low)

    def __neg__(self) -> Doubled:
        return Doubled(-self.high, -self.low)

    def __add__(self, other: Any) -> Doubled:
        other = _to_doubled(other)
        total, error = two_sum(self.high, other.high)
        return Doubled(total, self.low + other.low + error)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Doubled:
        return self + -_to_doubled(other)

    def __mul__(self, other: Any) -> Doubled:
        other = _to_doubled(other)
        product, error = two_product(self.high, other.high)
        return Doubled(product, self.low * other.high + (self.high + self.low) * other.low + error)

    __rmul__ = __mul__

    def to_midrad(self) -> MidRad:
        """Return the nearest float64 numbers with error bounds."""
        return MidRad(self.high, enlarge_radius(abs(self.low.mid) + self.low.rad))


def _to_doubled(value: Any) -> Doubled:
    if isinstance(value, Doubled):
        return value
    return Doubled.from_rationals(value if isinstance(value, fmpq) else fmpq(value))
