"""The functions exp(x) and exp(x) - 1 in float64 with proved error bounds.

With u = 2^-53, let k be the integer nearest to x/log 2 and r = x - k log 2, so that |r| < 0.3467. log 2 is
split into a number of 32 bits, whose product with k is exact, and a rest; the error of r is below 0.75 u, and
r is exact if k = 0. Horner's scheme for q = r (1 + r/2 + ... + r^14/15!) has a relative error below 3.1 u:
the partial sums 1/2 + ... and 1 + ... have absolute errors below 0.81 u and 1.68 u, the first term is exact
and the truncation is below 10^-19. Hence |fl(1 + q) - e^r| < 4 u, which is at most 6 u e^r, and multiplying
by 2^k is exact unless the result is subnormal. The bounds used, 4 u for e^x - 1 with k = 0 and 8 u for e^x,
are larger.
"""

from __future__ import annotations

from math import factorial

import numpy as np

from .midrad import INFLATION, UNIT_ROUNDOFF, MidRad, enlarge_radius

_LOG2_HIGH = float.fromhex("0x1.62e42feep-1")  # 32 bits
_LOG2_LOW = float.fromhex("0x1.a39ef35793c76p-33")
_COEFFICIENTS = [1 / factorial(j) for j in range(15, 0, -1)]
_EXP_ERROR, _EXPM1_ERROR = 8 * UNIT_ROUNDOFF, 4 * UNIT_ROUNDOFF
_LEAST, _MOST = -1100.0, 1000.0  # beyond these the result underflows or overflows


def _reduced(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return q and k with e^x = 2^k (1 + q)."""
    x = np.clip(x, _LEAST, _MOST)
    k = np.rint(x * (1 / np.log(2.0)))
    r = (x - k * _LOG2_HIGH) - k * _LOG2_LOW
    q = np.full_like(r, _COEFFICIENTS[0])
    for c in _COEFFICIENTS[1:]:
        q *= r
        q += c
    return q * r, k.astype(int)


def _growth(radius: np.ndarray) -> np.ndarray:
    """Return an upper bound of e^r - 1 for radii r: r + r^2 if r <= 1, and r e^r otherwise."""
    if (radius <= 1).all():
        return enlarge_radius(radius * (1 + radius))
    q, k = _reduced(radius)
    return enlarge_radius(radius * np.ldexp(1 + q, k) * INFLATION)


def exp(x: MidRad) -> MidRad:
    """Enclose e^x."""
    q, k = _reduced(x.mid)
    mid = np.ldexp(1 + q, k)
    return MidRad(mid, enlarge_radius(mid * (_EXP_ERROR + _growth(x.rad) * (1 + _EXP_ERROR))))


def expm1(x: MidRad) -> MidRad:
    """Enclose e^x - 1, with a small relative error near 0 too."""
    q, k = _reduced(x.mid)
    near, whole = k == 0, np.ldexp(1 + q, k)
    mid = np.where(near, q, whole - 1)
    error = np.where(near, _EXPM1_ERROR * abs(q), _EXP_ERROR * whole + UNIT_ROUNDOFF * abs(mid))
    return MidRad(mid, enlarge_radius(error + whole * _growth(x.rad) * (1 + _EXP_ERROR)))
