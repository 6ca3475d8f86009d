"""Jacobi polynomials, exactly: the weight (1-x)^alpha (1+x)^beta on [-1, 1].

Carried are the monic pi_k and their squared norms h_k; every h_k/h_0 lies in the field of the
parameters, so roots appear only where an orthonormal p_k = pi_k/sqrt(h_k) is written down. One
recurrence serves rationals, balls, mpmath, float arrays, polynomials and Q(alpha, beta).

>>> legendre.polynomial(2)
Poly(x**2 - 1/3, x, domain='QQ')
>>> legendre.orthonormal(1)
sqrt(6)*x/2
>>> chebyshev1.h_ratio(1)                    # k = 1: 0/0 in the general formula
1/2
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice
from math import comb
from typing import Any

import numpy as np
from flint import fmpq, fmpq_poly

from .arithmetic import Arithmetic
from .errors import BadParameter, NotANumber, TooLarge
from .number import QQ, door, symbolic, text

MAX_DEGREE = 10_000
CHUNK = 8192  # points at a time, so that float64 columns stay in cache


def degree(n: Any, place: str = "n") -> int:
    """n, if it is a degree this package computes with."""
    if isinstance(n, bool) or not isinstance(n, int | np.integer):
        raise BadParameter(place, repr(n), "is not an integer", "give a degree such as 5")
    if n < 0:
        raise BadParameter(place, n, "is negative", "degrees start at 0")
    if n > MAX_DEGREE:
        raise TooLarge(place, n, MAX_DEGREE, "take a smaller degree")
    return int(n)


@dataclass(frozen=True)
class Jacobi:
    """alpha, beta > -1: rationals, irrational SymPy numbers, or free symbols.

    >>> J = Jacobi("1/2", 0)
    >>> J.polynomial(1), J.h_ratio(1), J.h0
    (Poly(x + 1/5, x, domain='QQ'), 48/175, 4*sqrt(2)/3)
    """

    alpha: Any
    beta: Any

    def __post_init__(self) -> None:
        for name in ("alpha", "beta"):
            value = getattr(self, name)
            if not (getattr(value, "is_number", None) is False or getattr(value, "is_irrational", False)):
                value = self._rational(value, name)
            if (value <= -1) == True:  # noqa: E712  (SymPy relations have three truth values)
                raise BadParameter(
                    name, value, "is not greater than -1", "the weight is integrable only above"
                )
            object.__setattr__(self, name, value)

    @staticmethod
    def _rational(value: Any, name: str) -> Any:
        try:
            return QQ(value, name)
        except NotANumber:
            if getattr(value, "is_number", False) and value.is_real:  # irrationality not known to SymPy
                return value
            raise

    def __repr__(self) -> str:
        return f"Jacobi({self.alpha}, {self.beta})"

    def to_json(self) -> dict:
        """As a problem file writes it."""
        return {"family": "jacobi", "alpha": text(self.alpha), "beta": text(self.beta)}

    @property
    def is_rational(self) -> bool:
        """Both parameters are rational: everything but h_0 is then over Q."""
        return isinstance(self.alpha, fmpq) and isinstance(self.beta, fmpq)

    @cached_property
    def field(self) -> Any:
        """SymPy's field of the parameters: QQ, an algebraic field, or Q(alpha, beta)."""
        return self._domain[0]

    @cached_property
    def _domain(self) -> tuple[Any, Any, Any]:
        from sympy import construct_domain

        K, (a, b) = construct_domain([symbolic(self.alpha), symbolic(self.beta)], field=True, extension=True)
        return K, a, b

    @cached_property
    def parameters(self) -> tuple[Any, Any]:
        """alpha and beta as elements of their field; fmpq where they are rational."""
        return (self.alpha, self.beta) if self.is_rational else self._domain[1:]

    # The three-term recurrence pi_{k+1} = (x - a_k) pi_k - b_k pi_{k-1}, b_k = h_k/h_{k-1}.

    def recurrence(self, k: int) -> tuple[Any, Any]:
        """(a_k, b_k), with b_0 = 0."""
        alpha, beta = self.parameters
        sigma = alpha + beta
        if k == 0:  # the general a_0 is 0/0 at alpha + beta = 0
            return (beta - alpha) / (sigma + 2), 0 * sigma
        t = sigma + 2 * k
        a = (beta * beta - alpha * alpha) / (t * (t + 2))
        if k == 1:  # the general b_1 is 0/0 at alpha + beta = -1
            return a, 4 * (alpha + 1) * (beta + 1) / (t * t * (t + 1))
        return a, 4 * k * (alpha + k) * (beta + k) * (sigma + k) / (t * t * (t + 1) * (t - 1))

    def monic(self, n: int, x: Any) -> list:
        """[pi_0(x), ..., pi_n(x)] in the arithmetic of x."""
        return list(islice(self._monic(x), degree(n) + 1))

    def _monic(self, x: Any) -> Iterator:
        enter = door(x) if self.is_rational else lambda c: c
        previous, current, k = 0 * x, 0 * x + 1, 0
        while True:
            yield current
            a, b = self.recurrence(k)
            previous, current, k = current, (x - enter(a)) * current - enter(b) * previous, k + 1

    def h_ratio(self, k: int) -> Any:
        """h_k/h_0, the product of the recurrence's b_1 ... b_k."""
        return self.h_ratios(k)[-1]

    def h_ratios(self, n: int) -> list:
        """[h_0/h_0, ..., h_n/h_0]."""
        return list(_h_ratios(self, degree(n)))

    def derivatives(self, n: int, x: Any, order: int = 1) -> list:
        """The order-th derivatives of pi_0 ... pi_n at x: (d/dx) pi_k = k pi_{k-1} of (alpha+1, beta+1)."""
        if order == 0:
            return self.monic(n, x)
        shifted = [] if n == 0 else Jacobi(self.alpha + 1, self.beta + 1).derivatives(n - 1, x, order - 1)
        return [0 * x] + [value * (k + 1) for k, value in enumerate(shifted)]

    # Exact expressions.

    def polynomial(self, k: int) -> Any:
        """pi_k as a SymPy Poly in x over the field of the parameters."""
        from sympy import Poly, Symbol
        from sympy.polys.rings import ring

        k = degree(k, "k")
        if self.is_rational:
            element = self.field.dtype
            coefficients = [element(int(c.p), int(c.q)) for c in self.monic(k, fmpq_poly([0, 1]))[k].coeffs()]
            return Poly.from_list(coefficients[::-1], Symbol("x"), domain=self.field)
        _, x = ring("x", self.field)
        return Poly(self.monic(k, x)[k].as_expr(), Symbol("x"), domain=self.field)

    def orthonormal(self, k: int) -> Any:
        """p_k = pi_k/sqrt(h_k) as a SymPy expression."""
        from sympy import Add

        p, kappa = self.polynomial(k), self.kappa(k)
        return Add(*(c * (kappa * p.gen**j) for (j,), c in p.terms()))  # three times as quick as expand()

    def h(self, k: int) -> Any:
        """h_k = ||pi_k||^2, exactly, in SymPy: the recurrence's h_k/h_0 times h_0."""
        ratio = self.h_ratio(degree(k, "k"))
        return (symbolic(ratio) if self.is_rational else self.field.to_sympy(ratio)) * self.h0

    @cached_property
    def h0(self) -> Any:
        """h_0 = 2^(alpha+beta+1) B(alpha+1, beta+1), exactly, in SymPy."""
        from sympy import gamma

        a, b = symbolic(self.alpha), symbolic(self.beta)
        return 2 ** (a + b + 1) * gamma(a + 1) * gamma(b + 1) / gamma(a + b + 2)

    def kappa(self, k: int) -> Any:
        """The leading coefficient of p_k."""
        from sympy import sqrt

        return 1 / sqrt(self.h(k))

    def h_classical(self, k: int) -> Any:
        """The paper's h_k: the squared norm of the classical P_k, by the Gamma formula of section 6.

        At k = 0 the factor (alpha+beta+1) Gamma(alpha+beta+1) is 0 * infinity when alpha + beta = -1;
        it means Gamma(alpha+beta+2).
        """
        from sympy import factorial, gamma

        a, b = symbolic(self.alpha), symbolic(self.beta)
        if degree(k, "k") == 0:
            return self.h0
        return (
            2 ** (a + b + 1) * gamma(k + a + 1) * gamma(k + b + 1)
            / ((2 * k + a + b + 1) * factorial(k) * gamma(k + a + b + 1))
        )  # fmt: skip

    def leading_classical(self, k: int) -> Any:
        """The leading coefficient of the classical P_k: 2^-k binom(2k+alpha+beta, k)."""
        from sympy import Integer, factorial, prod

        s = symbolic(self.alpha) + symbolic(self.beta)
        return prod([s + k + j for j in range(1, k + 1)], Integer(1)) / (2**k * factorial(k))

    # The weight's own moments: the second, recurrence-free route.

    def moment_ratios(self, n: int) -> list:
        """[integral of x^j dmu / h_0 for j = 0 ... n].

        With x = 2t - 1 the moments of t^i are (beta+1)_i/(alpha+beta+2)_i.
        """
        alpha, beta = self.parameters
        t = [alpha * 0 + 1]
        for i in range(degree(n)):
            t.append(t[-1] * (beta + 1 + i) / (alpha + beta + 2 + i))
        return [sum(comb(j, i) * 2**i * (-1) ** (j - i) * t[i] for i in range(j + 1)) for j in range(n + 1)]

    def moment(self, j: int) -> Any:
        """The integral of x^j dmu, exactly, in SymPy."""
        ratio = self.moment_ratios(degree(j, "j"))[j]
        return (symbolic(ratio) if self.is_rational else self.field.to_sympy(ratio)) * self.h0

    def inner_ratio(self, f: list, g: list) -> Any:
        """<f, g>/h_0 of two polynomials given by their coefficients (lowest first), by moments."""
        mu = self.moment_ratios(max(len(f) + len(g) - 2, 0))
        return sum((a * b * mu[i + j] for i, a in enumerate(f) for j, b in enumerate(g)), mu[0] * 0)

    # Values.

    def h0_in(self, arithmetic: Arithmetic) -> Any:
        """h_0 as an element of an arithmetic; exact only where it is rational (integer parameters)."""
        with arithmetic.scope():
            return arithmetic.exp2(self.alpha + self.beta + 1) * arithmetic.beta(
                self.alpha + 1, self.beta + 1
            )

    def values(self, n: int, x: Any, arithmetic: Arithmetic) -> np.ndarray:
        """Orthonormal p_0 ... p_n at an array x of the arithmetic's elements: shape (n+1, *x.shape)."""
        if arithmetic.max_degree is not None and n > arithmetic.max_degree:
            most = f"{arithmetic.max_degree} in {arithmetic!r}"
            raise TooLarge("n", n, most, "take the arithmetic 'mp' or 'ball'")
        with arithmetic.scope():
            h0, flat = self.h0_in(arithmetic), np.asarray(x).reshape(-1)
            kappa = [1 / arithmetic.sqrt(arithmetic(ratio) * h0) for ratio in self.h_ratios(n)]
            out = np.empty((n + 1, flat.size), dtype=flat.dtype)
            for start in range(0, flat.size, CHUNK):
                piece = slice(start, start + CHUNK)
                for k, value in enumerate(self.monic(n, flat[piece])):
                    np.multiply(value, kappa[k], out=out[k, piece])
            return out.reshape(n + 1, *np.shape(x))


@lru_cache(maxsize=64)
def _h_ratios(jacobi: Jacobi, n: int) -> tuple:
    ratios = [jacobi.parameters[0] * 0 + 1]
    for k in range(1, n + 1):
        ratios.append(ratios[-1] * jacobi.recurrence(k)[1])
    return tuple(ratios)


def read_measure(data: dict) -> Jacobi:
    """The measure that a problem file names."""
    return Jacobi(QQ(data["alpha"], "alpha"), QQ(data["beta"], "beta"))


legendre = Jacobi(0, 0)
chebyshev1 = Jacobi("-1/2", "-1/2")
chebyshev2 = Jacobi("1/2", "1/2")


def gegenbauer(lam: Any) -> Jacobi:
    """Gegenbauer C_k^(lam): the weight (1 - x^2)^(lam - 1/2), lam > -1/2.

    >>> gegenbauer(1) == chebyshev2, gegenbauer("3/2")
    (True, Jacobi(1, 1))
    """
    if getattr(lam, "is_number", None) is False:
        from sympy import Rational

        return Jacobi(lam - Rational(1, 2), lam - Rational(1, 2))
    return Jacobi(QQ(lam, "lambda") - fmpq(1, 2), QQ(lam, "lambda") - fmpq(1, 2))
