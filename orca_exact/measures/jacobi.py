"""Exact Jacobi polynomials, for the weight (1-x)^alpha (1+x)^beta on [-1, 1].

>>> legendre.polynomial(2)
Poly(x**2 - 1/3, x, domain='QQ')
>>> legendre.orthonormal(1)
sqrt(6)*x/2
>>> chebyshev1.h_ratio(1)                    # the general formula is 0/0 at k = 1
1/2
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import comb, prod
from typing import Any, ClassVar

from flint import fmpq

from ..errors import BadParameter, NotANumber
from ..numbers.rationals import QQ, to_float, to_sympy
from .measure import (
    INTEGRABLE,
    NUMBER_SCHEMA,
    Mass,
    Measure,
    check_degree,
    check_index,
    to_latex,
    warn_of_float,
)


@dataclass(frozen=True, repr=False)
class Jacobi(Measure):
    """The measure (1-x)^alpha (1+x)^beta dx on [-1, 1].

    Parameters
    ----------
    alpha, beta : number or str
        Parameters greater than -1: rational numbers, irrational SymPy numbers, or SymPy symbols.

    Examples
    --------
    >>> J = Jacobi("1/2", 0)
    >>> J, J.polynomial(1), J.h_ratio(1), J.h0
    (Jacobi('1/2', 0), Poly(x + 1/5, x, domain='QQ'), 48/175, 4*sqrt(2)/3)
    >>> J.pi(2), J.values(1, ["1/3"], "exact")[1, 0]
    (x**2 + 2*x/9 - 17/63, 2**(3/4)*sqrt(7)/6)
    """

    alpha: Any
    beta: Any
    family, weight_description = "jacobi", "weight (1-x)^alpha (1+x)^beta on [-1, 1]"
    fields: ClassVar = {
        "alpha": NUMBER_SCHEMA | {"description": "the exponent of 1-x, greater than -1"},
        "beta": NUMBER_SCHEMA | {"description": "the exponent of 1+x, greater than -1"},
    }
    domain = (-1, 1)

    def __post_init__(self) -> None:
        for name in ("alpha", "beta"):
            value = getattr(self, name)
            warn_of_float(value, name)
            if not (getattr(value, "is_number", None) is False or getattr(value, "is_irrational", False)):
                value = self._rational(value, name)
            if (value <= -1) == True:  # noqa: E712  (SymPy relations have three truth values)
                raise BadParameter(name, value, "is not greater than -1", INTEGRABLE)
            object.__setattr__(self, name, value)

    def __hash__(self) -> int:
        # the hash of an fmpq takes a modular inverse, and every look-up in a cache needs it
        return hash(tuple((x.p, x.q) if isinstance(x, fmpq) else x for x in (self.alpha, self.beta)))

    @staticmethod
    def _rational(value: Any, name: str) -> Any:
        try:
            return QQ(value, name)
        except NotANumber:
            if (
                getattr(value, "is_number", False) and value.is_real
            ):  # SymPy does not know whether it is rational
                return value
            raise

    def _repr_latex_(self) -> str:
        from sympy import Symbol

        x = Symbol("x")
        weight = (1 - x) ** to_sympy(self.alpha) * (1 + x) ** to_sympy(self.beta)
        return rf"${to_latex(weight)}\,dx$ on $[-1,1]$" if weight != 1 else "$dx$ on $[-1,1]$"

    def classical_leads(self, n: int) -> list[float]:
        s = to_float(self.alpha + self.beta)
        return [prod((s + k + j) / (2 * j) for j in range(1, k + 1)) for k in range(n + 1)]

    @property
    def is_rational(self) -> bool:  # type: ignore[override]
        """Whether both parameters are rational; then everything except h_0 is."""
        return isinstance(self.alpha, fmpq) and isinstance(self.beta, fmpq)

    @cached_property
    def field(self) -> Any:
        """The field of the parameters in SymPy: QQ, an algebraic field, or Q(alpha, beta)."""
        return self._domain[0]

    @cached_property
    def _domain(self) -> tuple[Any, Any, Any]:
        from sympy import construct_domain

        K, (a, b) = construct_domain([to_sympy(self.alpha), to_sympy(self.beta)], field=True, extension=True)
        return K, a, b

    @cached_property
    def parameters(self) -> tuple[Any, Any]:
        """The pair (alpha, beta) of elements of their field, which are fmpq if both are rational."""
        return (self.alpha, self.beta) if self.is_rational else self._domain[1:]

    @property
    def one(self) -> Any:
        """The number 1 in the field of the parameters."""
        return self.parameters[0] * 0 + 1

    def recurrence(self, k: int) -> tuple[Any, Any]:
        """Return (a_k, b_k); a_0, b_0 and b_1 have formulas of their own, as the general ones may be 0/0."""
        alpha, beta = self.parameters
        sigma, k = alpha + beta, check_index(k)
        if k == 0:  # the general a_0 is 0/0 at alpha + beta = 0
            return (beta - alpha) / (sigma + 2), 0 * sigma
        t = sigma + 2 * k
        a = (beta * beta - alpha * alpha) / (t * (t + 2))
        if k == 1:  # the general b_1 is 0/0 at alpha + beta = -1
            return a, 4 * (alpha + 1) * (beta + 1) / (t * t * (t + 1))
        return a, 4 * k * (alpha + k) * (beta + k) * (sigma + k) / (t * t * (t + 1) * (t - 1))

    @cached_property
    def mass(self) -> Mass:
        """h_0 = 2^(alpha+beta+1) Gamma(alpha+1) Gamma(beta+1)/Gamma(alpha+beta+2)."""
        gammas = Mass.gamma(self.alpha + 1) * Mass.gamma(self.beta + 1)
        total = self.alpha + self.beta
        return Mass(exponent_of_two=total + 1) * gammas * Mass.gamma(total + 2) ** -1

    @cached_property
    def h0(self) -> Any:
        """h_0 = 2^(alpha+beta+1) B(alpha+1, beta+1) as an exact SymPy expression."""
        from sympy import gamma

        a, b = to_sympy(self.alpha), to_sympy(self.beta)
        return 2 ** (a + b + 1) * gamma(a + 1) * gamma(b + 1) / gamma(a + b + 2)

    def h_classical(self, k: int) -> Any:
        """Return the paper's h_k, the squared norm of the classical P_k, by the Gamma formula of section 6.

        At k = 0 and alpha + beta = -1 the factor (alpha+beta+1) Gamma(alpha+beta+1) is 0 * infinity and
        stands for Gamma(alpha+beta+2).
        """
        from sympy import factorial, gamma

        a, b = to_sympy(self.alpha), to_sympy(self.beta)
        if check_degree(k, "k") == 0:
            return self.h0
        return (
            2 ** (a + b + 1) * gamma(k + a + 1) * gamma(k + b + 1)
            / ((2 * k + a + b + 1) * factorial(k) * gamma(k + a + b + 1))
        )  # fmt: skip

    def leading_classical(self, k: int) -> Any:
        """Return the leading coefficient 2^-k binom(2k+alpha+beta, k) of the classical P_k."""
        from sympy import Integer, factorial, prod

        s, k = to_sympy(self.alpha) + to_sympy(self.beta), check_degree(k, "k")
        return prod([s + k + j for j in range(1, k + 1)], Integer(1)) / (2**k * factorial(k))

    def moment_ratios(self, n: int) -> list[Any]:
        """Return the integrals of x^j dmu / h_0 for j = 0 ... n.

        They follow from x = 2t - 1, as the moments of t^i are (beta+1)_i/(alpha+beta+2)_i.
        """
        alpha, beta = self.parameters
        t = [self.one]
        for i in range(check_degree(n)):
            t.append(t[-1] * (beta + 1 + i) / (alpha + beta + 2 + i))
        return [sum(comb(j, i) * 2**i * (-1) ** (j - i) * t[i] for i in range(j + 1)) for j in range(n + 1)]


legendre = Jacobi(0, 0)
chebyshev1 = Jacobi("-1/2", "-1/2")
chebyshev2 = Jacobi("1/2", "1/2")


def gegenbauer(lam: Any) -> Jacobi:
    """Return the measure of the Gegenbauer polynomials C_k^(lam).

    Parameters
    ----------
    lam : number or str
        The parameter of the weight (1 - x^2)^(lam - 1/2), greater than -1/2.

    Returns
    -------
    Jacobi
        The measure with alpha = beta = lam - 1/2.

    Examples
    --------
    >>> gegenbauer(1) == chebyshev2, gegenbauer("3/2")
    (True, Jacobi(1, 1))
    """
    if getattr(lam, "is_number", None) is False:
        from sympy import Rational

        alpha = lam - Rational(1, 2)
    else:
        alpha = QQ(lam, "lambda") - fmpq(1, 2)
    return Jacobi(alpha, alpha)
