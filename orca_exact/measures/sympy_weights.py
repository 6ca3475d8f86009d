"""The measures as SymPy knows them: moments from its gamma and beta functions, integrals by ``integrate``.

This is the second route to everything that the recurrences say: it uses no recurrence, norm or moment of
the classes of measures, and no arithmetic but SymPy's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from sympy import (
    Add,
    Expr,
    Integer,
    Rational,
    S,
    Symbol,
    beta,
    cos,
    exp,
    gamma,
    gammasimp,
    integrate,
    oo,
    pi,
    root,
    symbols,
)

from ..errors import BadParameter
from ..numbers.rationals import to_sympy

if TYPE_CHECKING:  # ``measure`` imports this module
    from .measure import Measure

X = Symbol("x")
_U = Symbol("u", positive=True)


@dataclass(frozen=True)
class Substitution:
    """The integral of f(x) dmu as that of f(place) density du from lower to upper.

    SymPy integrates a polynomial times the density in milliseconds, but (1-x)^alpha p(x) in minutes or not.
    """

    variable: Expr
    place: Expr
    density: Expr
    lower: Expr
    upper: Expr
    density_terms: int  # of the expanded density

    def integrate(self, f: Expr) -> Expr:
        """Return the integral of f(x) dmu by ``sympy.integrate``."""
        whole = (f.subs(X, self.place) * self.density).expand()
        found: Expr = integrate(whole, (self.variable, self.lower, self.upper))
        return found

    def terms(self, degree: int) -> int:
        """Return the number of terms of the integrand for an f of this degree."""
        return degree + self.density_terms

    def __str__(self) -> str:
        return "by sympy.integrate" + ("" if self.place == X else f" with x = {self.place}")


@dataclass(frozen=True)
class NodeSum:
    """The integral with respect to a discrete measure: a sum over its nodes."""

    nodes: Sequence[Expr]
    weights: Sequence[Expr]

    def integrate(self, f: Expr) -> Expr:
        """Return the sum of f over the nodes."""
        return Add(*(w * f.subs(X, x) for x, w in zip(self.nodes, self.weights, strict=True))).expand()

    def terms(self, degree: int) -> int:
        """Return the number of terms of the sum."""
        return len(self.nodes)

    def __str__(self) -> str:
        return "as sums over the nodes"


Integral = Substitution | NodeSum


@dataclass(frozen=True)
class SympyWeight:
    """A measure in SymPy.

    ``moments`` returns the integrals of x^j dmu, j = 0 ... n, divided by ``mass``; ``integral`` is None if
    SymPy does not find the integrals.
    """

    mass: Expr
    moments: Callable[[int], list[Expr]]
    moments_from: str
    integral: Integral | None


def sympy_weight(measure: Measure) -> SympyWeight:
    """Return the measure in SymPy; raise BadParameter if its family is not in ``SYMPY_WEIGHTS``."""
    if measure.family not in SYMPY_WEIGHTS:
        rule = "has no weight in SymPy"
        raise BadParameter("family", measure.family, rule, f"add one to SYMPY_WEIGHTS of {__name__}")
    return SYMPY_WEIGHTS[measure.family](measure)


def _running_products(ratio: Expr, i: Expr, n: int) -> list[Expr]:
    found = [S.One]
    for j in range(n):
        found.append(found[-1] * ratio.subs(i, j))
    return found


def _gamma_ratios(a: Expr, n: int) -> list[Expr]:
    """Return gamma(a + j)/gamma(a) for j = 0 ... n."""
    i, c = symbols("i c", positive=True)
    return _running_products(gammasimp(gamma(c + i + 1) / gamma(c + i)).subs(c, a), i, n)


def _jacobi(measure: Any) -> SympyWeight:
    a, b = to_sympy(measure.alpha), to_sympy(measure.beta)

    def moments(n: int) -> list[Expr]:
        """Return the moments from those of (1+x)^i, 2^(a+b+1+i) B(a+1, b+1+i), by the binomial theorem."""
        i, c, d = symbols("i c d", positive=True)
        step = 2 * beta(c + 1, d + i + 2) / beta(c + 1, d + i + 1)
        shifted = _running_products(gammasimp(step.rewrite(gamma)).subs({c: a, d: b}), i, n)
        found, row = [], shifted
        while row:  # x^(j+1) (1+x)^i = x^j (1+x)^(i+1) - x^j (1+x)^i
            found.append(row[0])
            row = [(later - now).cancel() for now, later in pairwise(row)]
        return found

    mass = 2 ** (a + b + 1) * beta(a + 1, b + 1).rewrite(gamma)
    return SympyWeight(mass, moments, "SymPy's beta function", _jacobi_substitution(a, b))


def _jacobi_substitution(a: Expr, b: Expr) -> Substitution | None:
    """Return a substitution after which the density is a polynomial, or one in cos(u)."""
    if not (a.is_Rational and b.is_Rational):
        return None
    if b.is_Integer:
        q = a.q  # 1 - x = u^q
        place = 1 - _U**q if q > 1 else X
        density = _U ** (a.p + q - 1) * q * (2 - _U**q) ** b if q > 1 else (1 - X) ** a * (1 + X) ** b
    elif a.is_Integer:
        q = b.q  # 1 + x = u^q
        place, density = _U**q - 1, _U ** (b.p + q - 1) * q * (2 - _U**q) ** a
    elif a.q == b.q == 2:
        half, c = Rational(1, 2), cos(_U)
        density = (1 - c) ** (a + half) * (1 + c) ** (b + half)
        return Substitution(_U, c, density, S.Zero, pi, int(a + b) + 2)
    else:
        return None
    factors = [int(c) for c in (a, b) if c.is_Integer]
    variable, lower, upper = (X, -S.One, S.One) if place == X else (_U, S.Zero, root(Integer(2), q))
    return Substitution(variable, place, density, lower, upper, 1 + sum(factors))


def _hermite(measure: Any) -> SympyWeight:
    def moments(n: int) -> list[Expr]:
        """Return 2^i gamma(i + 1/2)/gamma(1/2) for j = 2i, else 0."""
        even = _gamma_ratios(Rational(1, 2), n // 2)
        return [S.Zero if j % 2 else 2 ** (j // 2) * even[j // 2] for j in range(n + 1)]

    mass = root(Integer(2), 2) * gamma(Rational(1, 2))
    density = exp(-(X**2) / 2)
    return SympyWeight(mass, moments, "SymPy's gamma function", Substitution(X, X, density, -oo, oo, 1))


def _laguerre(measure: Any) -> SympyWeight:
    a = to_sympy(measure.alpha)
    q = a.q  # x = u^q
    density = _U ** (a.p + q - 1) * q * exp(-(_U**q))
    place = _U**q if q > 1 else X
    variable = _U if q > 1 else X
    integral = Substitution(variable, place, density.subs(_U, variable), S.Zero, oo, 1)
    return SympyWeight(gamma(a + 1), lambda n: _gamma_ratios(a + 1, n), "SymPy's gamma function", integral)


def _discrete(measure: Any) -> SympyWeight:
    nodes, weights = ([to_sympy(x) for x in part] for part in (measure.nodes, measure.weights))
    mass = Add(*weights)

    def moments(n: int) -> list[Expr]:
        terms, found = weights, []
        for _ in range(n + 1):
            found.append(Add(*terms) / mass)
            terms = [w * x for w, x in zip(terms, nodes, strict=True)]
        return found

    return SympyWeight(mass, moments, "sums of powers of the nodes", NodeSum(nodes, weights))


SYMPY_WEIGHTS: dict[str, Callable[[Any], SympyWeight]] = {  # by the name of the family
    "jacobi": _jacobi, "hermite": _hermite, "laguerre": _laguerre, "discrete": _discrete,
}  # fmt: skip
