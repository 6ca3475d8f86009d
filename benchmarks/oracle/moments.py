"""Measures, known to the oracle by their moments alone.

The moments of a probability measure follow from an integration by parts, the mass of a weight from a power
series; Gamma functions and recurrences of polynomials are not used.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property
from typing import Any

import numpy as np
from mpmath import MPContext

DIGITS = 100
"""Digits of lambda and of the values of an RBF kernel."""

BITS = 340
"""The same in bits."""

mp = MPContext()
"""Our own context: its precision is that of the integrals."""
mp.dps = 75


def to_fraction(x: Any) -> Fraction:
    """Return the exact value of an mpf."""
    sign, man, exp, _ = x._mpf_
    value = Fraction(int(man)) * (Fraction(2) ** int(exp))
    return -value if sign else value


def shorten(x: Fraction) -> Fraction:
    """Return x itself if it is a simple fraction to 80 digits, else x rounded to ``BITS`` bits."""
    simple = x.limit_denominator(10**30)
    if abs(simple - x) < abs(x) / 10**80:
        return simple
    scale = Fraction(2) ** (BITS - x.numerator.bit_length() + x.denominator.bit_length())
    return round(x * scale) / scale


def to_mpf(x: Fraction) -> Any:
    """Return the mpf next to a fraction, at mpmath's current precision."""
    return mp.mpf(x.numerator) / x.denominator


@dataclass(frozen=True)
class Distribution:
    """A probability measure: E t^j for j = 0, 1, ..., and the mass of the weight it belongs to.

    ``kind`` and ``parameters`` are "jacobi" (alpha, beta), "hermite" (), "laguerre" (alpha), "discrete"
    (nodes, weights), "uniform" (lower, upper) or "normal" (mean, sd).
    """

    kind: str
    parameters: tuple = ()
    _moments: list[Fraction] = field(default_factory=lambda: [Fraction(1)], compare=False, hash=False)

    def moment(self, j: int) -> Fraction:
        """Return E t^j."""
        while len(self._moments) <= j:
            self._moments.append(self._next(len(self._moments)))
        return self._moments[j]

    def _next(self, j: int) -> Fraction:
        m = self._moments
        if self.kind == "jacobi":
            # 0 = the integral of the derivative of t^(j-1) (1-t)^(alpha+1) (1+t)^(beta+1)
            alpha, beta = self.parameters
            before = (j - 1) * m[j - 2] if j > 1 else 0
            return ((beta - alpha) * m[j - 1] + before) / (alpha + beta + 1 + j)
        if self.kind in ("hermite", "normal"):
            mean, sd = self.parameters or (Fraction(0), Fraction(1))
            return mean * m[j - 1] + (sd * sd * (j - 1) * m[j - 2] if j > 1 else 0)
        if self.kind == "laguerre":
            return (self.parameters[0] + j) * m[j - 1]
        if self.kind == "uniform":
            lower, upper = self.parameters
            if lower == upper:
                return lower**j
            return (upper ** (j + 1) - lower ** (j + 1)) / ((j + 1) * (upper - lower))
        nodes, weights = self.parameters
        return sum((w * t**j for t, w in zip(nodes, weights, strict=True)), Fraction(0)) / sum(weights)

    @cached_property
    def mass(self) -> Fraction:
        """The integral of the weight, rounded to ``DIGITS`` digits if it is irrational."""
        return mass(self.kind, self.parameters)

    def quadrature(self, gamma: Fraction) -> list[tuple[Any, Any]]:
        """Return nodes and weights for polynomials times one or two factors exp(-gamma (x - t)^2)."""
        if self.kind == "discrete":
            nodes, weights = self.parameters
            total = sum(weights)
            return [(to_mpf(t), to_mpf(w / total)) for t, w in zip(nodes, weights, strict=True)]
        if self.kind == "uniform":
            lower, upper = map(to_mpf, self.parameters)
            if lower == upper:
                return [(lower, mp.mpf(1))]
            width = gamma * (self.parameters[1] - self.parameters[0]) ** 2
            count = 72 if width < 8 else 128 if width < 128 else 224
            centre, half = (lower + upper) / 2, (upper - lower) / 2
            return [(centre + half * t, w / 2) for t, w in gauss_legendre(count)]
        # The trapezoidal rule converges exponentially for functions that are analytic and decay.
        mean, sd = map(to_mpf, self.parameters)
        step = sd * mp.mpf("0.34") / mp.sqrt(1 + 4 * to_mpf(gamma) * sd * sd)
        count = int(17 * sd / step) + 1
        norm = step / (sd * mp.sqrt(2 * mp.pi))
        return [
            (mean + k * step, norm * mp.exp(-((k * step / sd) ** 2) / 2)) for k in range(-count, count + 1)
        ]


def discrete(nodes: Iterable[Fraction], weights: Iterable[Fraction]) -> Distribution:
    """Return a measure with finitely many nodes, in increasing order."""
    return Distribution("discrete", tuple(zip(*sorted(zip(nodes, weights, strict=True)), strict=True)))


@cache
def gauss_legendre(n: int) -> list[tuple[Any, Any]]:
    """Return nodes and weights of Gauss-Legendre quadrature on [-1, 1], for an even n."""
    rule = []
    for start in np.polynomial.legendre.leggauss(n)[0]:
        if start > 0:  # n is even, and the nodes are symmetric
            x = mp.mpf(float(start))
            for _ in range(3):  # 16 digits, then 30, 60 and more than 75
                p0, p1 = mp.mpf(1), x
                for k in range(2, n + 1):
                    p0, p1 = p1, ((2 * k - 1) * x * p1 - (k - 1) * p0) / k
                slope = n * (x * p1 - p0) / (x * x - 1)
                x -= p1 / slope
            weight = 2 / ((1 - x * x) * slope * slope)
            rule += [(x, weight), (-x, weight)]
    return rule


@cache
def mass(kind: str, parameters: tuple) -> Fraction:
    """Return the integral of a weight from a power series."""
    if kind in ("uniform", "normal"):
        return Fraction(1)
    if kind == "discrete":
        return sum(parameters[1], Fraction(0))
    with mp.workdps(3 * DIGITS):
        if kind == "hermite":  # the trapezoidal rule with step 1/8 has an error below 10^-500
            total = mp.mpf(1) + 2 * sum(mp.exp(-(mp.mpf(k) ** 2) / 128) for k in range(1, 350))
            value = total / 8
        elif kind == "laguerre":  # termwise integration of t^alpha e^-t from 0 to 360; the rest is negligible
            alpha, T = to_mpf(parameters[0]), mp.mpf(360)
            term, value = mp.power(T, alpha + 1), mp.mpf(0)
            for j in range(1400):
                value += term / (alpha + 1 + j)
                term *= -T / (j + 1)
        else:  # with t = 1 - x from 0 to 1: t^alpha (2 - t)^beta, expanded in t/2; and the same reversed
            alpha, beta = map(to_mpf, parameters)
            value = mp.mpf(0)
            for p, q in ((alpha, beta), (beta, alpha)):
                term = mp.power(2, q)
                for j in range(int(3.6 * DIGITS)):
                    value += term / (p + 1 + j)
                    term *= -(q - j) / (2 * (j + 1))
        rough = to_fraction(value)
    return shorten(rough)


def decompose(distribution: Distribution, n: int) -> tuple[list[list[Fraction]], list[Fraction]]:
    """Return L and D with (E t^(i+j)) = L diag(D) L^T: t^i = sum_j L_ij pi_j, and D_j = E pi_j^2.

    This is the Gram-Schmidt process. If the measure has few nodes, D_j is 0 from their number on.
    """
    L = [[Fraction(int(i == j)) for j in range(n + 1)] for i in range(n + 1)]
    D: list[Fraction] = []
    for j in range(n + 1):
        D.append(distribution.moment(2 * j) - sum((L[j][k] ** 2 * D[k] for k in range(j)), Fraction(0)))
        for i in range(j + 1, n + 1):
            rest = distribution.moment(i + j) - sum((L[i][k] * L[j][k] * D[k] for k in range(j)), Fraction(0))
            L[i][j] = rest / D[j] if D[j] else Fraction(0)
    return L, D
