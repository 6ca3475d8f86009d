"""Products of positive factors in float64 with a bound of their relative errors.

The sum over the sets of columns that contain column i is B_i prod_{l != i} (1 + B_l). The same with each set
divided by its size is B_i times the integral of prod_{l != i} (1 + t B_l) for t from 0 to 1, a polynomial in
t for which Gauss quadrature with d/2 nodes is exact. If every 1 + B_l is positive, nothing cancels, and plain
float64 suffices: the relative error of 1 + t B_l is at most (rad B_l + 4 u max(1, |B_l|))/min(1, 1 + B_l) for
every t, and the relative errors of a product add up.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from flint import arb

from ..numbers.midrad import INFLATION, UNIT_ROUNDOFF, MidRad, enlarge_radius
from ..numbers.rationals import precision_digits

_LARGEST_ERROR = 2.0**-10  # relative error up to which e^x - 1 <= 1.001 x


def positive_products(factors: list[MidRad]) -> Iterator[tuple[MidRad, MidRad]] | None:
    """Return an iterator over prod_{l != i} (1 + B_l) and the integral, for each i; None if unsuitable."""
    B = np.stack([factor.mid for factor in factors])
    rad = np.stack([factor.rad for factor in factors])
    least = 1 + B - rad - 4 * UNIT_ROUNDOFF * (1 + abs(B))
    if not (least > 0).all():
        return None
    each = (rad + 4 * UNIT_ROUNDOFF * np.maximum(1, abs(B))) / np.minimum(1, least)
    d = len(factors)
    relative = enlarge_radius(each.sum(axis=0) + 3 * (d + 8) * UNIT_ROUNDOFF, d)
    if not (relative < _LARGEST_ERROR).all():
        return None
    relative = 1.001 * relative * INFLATION
    return _iterate(B, relative, gauss_on_unit_interval((d + 1) // 2))


@lru_cache(maxsize=16)
def gauss_on_unit_interval(count: int) -> list[tuple[float, float]]:
    """Return nodes and weights of Gauss quadrature on [0, 1], each rounded from a ball."""
    with precision_digits(30):
        pairs = (arb.legendre_p_root(count, k, weight=True) for k in range(count))
        return [(float((1 + node) / 2), float(weight / 2)) for node, weight in pairs]


def _iterate(
    B: np.ndarray, relative: np.ndarray, rule: list[tuple[float, float]]
) -> Iterator[tuple[MidRad, MidRad]]:
    integrals = np.zeros_like(B)
    for t, weight in rule:
        g = B * t + 1
        integrals += weight * g.prod(axis=0) / g
    g = B + 1
    products = g.prod(axis=0) / g
    for product, integral in zip(products, integrals, strict=True):
        yield tuple(MidRad(x, enlarge_radius(x * relative)) for x in (product, integral))  # type: ignore[misc]
