"""The base class of orthogonality measures: monic orthogonal polynomials pi_k, squared norms h_k, mass h_0.

The monic pi_k are computed by a three-term recurrence, with the same code for rationals, balls, mpmath
numbers, float arrays, polynomials and elements of Q(alpha, beta). Every h_k/h_0 lies in the field of the
parameters, so that square roots occur only in the orthonormal p_k = pi_k/sqrt(h_k). A subclass defines its
recurrence, its mass and its moments.
"""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from math import isfinite
from typing import Any, ClassVar

import numpy as np
from flint import fmpq, fmpq_poly

from ..errors import BadParameter, TooLarge
from ..files.formats import JsonObject
from ..numbers.arithmetic import Arithmetic
from ..numbers.arithmetic import arithmetic as make_arithmetic
from ..numbers.quantity import to_quantity
from ..numbers.rationals import QQ, embed_rational, to_sympy, to_text

MAX_DEGREE = 10_000
_ZERO, ONE = fmpq(0), fmpq(1)
INTEGRABLE = "pass a larger number, for which the weight is integrable"
NUMBER_SCHEMA = {"$ref": "#/$defs/number"}
_CHUNK = 8192  # points evaluated at once, so that float64 columns stay in the processor cache


def check_degree(n: Any, place: str = "n") -> int:
    """Return n as an int; raise BadParameter or TooLarge if it is not a degree from 0 to ``MAX_DEGREE``."""
    if isinstance(n, bool) or not isinstance(n, int | np.integer):
        raise BadParameter(place, repr(n), "is not an integer", "pass a degree such as 5")
    if n < 0:
        raise BadParameter(place, n, "is negative", "pass a degree of at least 0")
    if n > MAX_DEGREE:
        raise TooLarge(place, n, MAX_DEGREE, "use a smaller degree")
    return int(n)


def check_index(k: Any) -> Any:
    """Return the step k of a recurrence, a checked degree or a SymPy symbol."""
    return k if hasattr(k, "is_number") and k.is_number is False else check_degree(k, "k")


def warn_of_float(value: Any, name: str) -> None:
    """Warn that a float such as 0.1 is not the decimal that was written."""
    if isinstance(value, float) and isfinite(value) and QQ(value) != QQ(repr(float(value))):
        text = repr(float(value))
        why = f"{name} = {text} is a float and means the fraction {QQ(value)}"
        warnings.warn(f"{why}; write {name}={text!r} for the decimal {text}", stacklevel=4)


def python_literal(x: Any) -> str:
    """Return a number as a Python literal: 2, '1/3', or the text of a SymPy expression."""
    return repr(str(x)) if isinstance(x, fmpq) and x.q != 1 else str(x)


def to_latex(x: Any) -> str:
    """Return a number or a SymPy expression in LaTeX."""
    from sympy import latex

    return str(latex(to_sympy(x)))


@dataclass(frozen=True)
class Mass:
    """The number rational * 2^exponent_of_two * prod Gamma(f)^e in normal form.

    Each f with 0 < f < 1 occurs once and 0 <= exponent_of_two < 1, so that equal products are equal objects.

    >>> Mass.gamma("5/2") * Mass.gamma("1/2")            # 3 pi/4, pi = Gamma(1/2)^2
    Mass(rational=3/4, exponent_of_two=0, gammas=((1/2, 2),))
    """

    rational: fmpq = ONE
    exponent_of_two: fmpq = _ZERO
    gammas: tuple[tuple[fmpq, int], ...] = ()

    @classmethod
    def gamma(cls, x: Any) -> Mass:
        """Return Gamma(x) for x > 0, reduced to 0 < f <= 1 by Gamma(x + 1) = x Gamma(x)."""
        rational, x = fmpq(1), QQ(x)
        while x > 1:
            x -= 1
            rational *= x
        return cls(rational, gammas=() if x == 1 else ((x, 1),))

    def __mul__(self, other: Mass) -> Mass:
        powers = Counter(dict(self.gammas))
        powers.update(dict(other.gammas))
        gammas = sorted((f, e) for f, e in powers.items() if e)
        two = self.exponent_of_two + other.exponent_of_two
        rational = self.rational * other.rational * fmpq(2) ** int(two.floor())
        return Mass(rational, two - two.floor(), tuple(gammas))

    def __pow__(self, e: int) -> Mass:
        return (
            Mass(self.rational**e, self.exponent_of_two * e, tuple((f, k * e) for f, k in self.gammas if e))
            * Mass()
        )

    @property
    def is_rational(self) -> bool | None:
        """Whether the number is rational; None if it has Gamma values for which that is unknown."""
        if not self.gammas:
            return self.exponent_of_two == 0
        return False if [f for f, _ in self.gammas] == [fmpq(1, 2)] else None

    def to_arithmetic(self, A: Arithmetic) -> Any:
        """Return the number as an element of an arithmetic; exact arithmetic requires it to be rational."""
        return A.constant(self.rational, self.exponent_of_two, self.gammas)

    def to_sympy(self) -> Any:
        """Return the number as a SymPy expression."""
        from sympy import gamma, prod

        return to_sympy(self.rational) * prod(
            (gamma(to_sympy(f)) ** e for f, e in self.gammas), 2 ** to_sympy(self.exponent_of_two)
        )


class Measure(ABC):
    """A measure on the real line with finite moments.

    The subclasses ``Jacobi``, ``Hermite``, ``Laguerre`` and ``Discrete`` are the families of measures.

    Examples
    --------
    >>> from orca_exact import Hermite, Jacobi, Laguerre
    >>> [measure.h_ratio(2) for measure in (Jacobi(0, 0), Hermite(), Laguerre(0))]
    [4/45, 2, 4]
    """

    family: ClassVar[str]  # the name of the family in files
    weight_description: ClassVar[str]  # the description in the schema
    fields: ClassVar[dict[str, JsonObject]] = {}  # the schema of each parameter
    optional: ClassVar[frozenset[str]] = frozenset()  # the names of the optional fields
    is_rational = True  # whether the parameters are rational: then everything except h_0 is
    domain: tuple[int | None, int | None] = (None, None)  # the interval of the points; None: unbounded
    size: int | None = None  # the number of pi_k with h_k > 0; None: infinite

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}({', '.join(python_literal(getattr(self, name)) for name in self.fields)})"
        )

    def __str__(self) -> str:
        return f"{type(self).__name__}({', '.join(str(getattr(self, name)) for name in self.fields)})"

    def _latex(self, printer: Any) -> str:
        """Return the measure as one formula, for SymPy's ``latex``."""
        parts = enumerate(self._repr_latex_().split("$"))  # text, formula, text, ...
        return "".join(part if i % 2 else rf"\text{{{part}}}" for i, part in parts if part)

    def _repr_latex_(self) -> str:
        return rf"$\text{{{self}}}$"

    @abstractmethod
    def recurrence(self, k: int) -> tuple[Any, Any]:
        """Return (a_k, b_k) of pi_{k+1} = (x - a_k) pi_k - b_k pi_{k-1}; b_0 = 0, else b_k = h_k/h_{k-1}."""

    @property
    @abstractmethod
    def mass(self) -> Mass:
        """h_0 in normal form."""

    @property
    @abstractmethod
    def h0(self) -> Any:
        """h_0 as an exact SymPy expression."""

    @abstractmethod
    def moment_ratios(self, n: int) -> list[Any]:
        """Return the integrals of x^j dmu / h_0 for j = 0 ... n, computed without the recurrence."""

    def to_json(self) -> JsonObject:
        """Return the measure in the form that problem files use."""
        return {"family": self.family} | {name: _to_json(getattr(self, name)) for name in self.fields}

    @classmethod
    def schema(cls) -> JsonObject:
        """Return the JSON schema of the family in problem files; ``#/$defs/number`` is a number."""
        return {
            "type": "object",
            "required": ["family", *(name for name in cls.fields if name not in cls.optional)],
            "additionalProperties": False,
            "properties": {
                "family": {"const": cls.family, "description": cls.weight_description},
                **cls.fields,
            },
        }

    @classmethod
    def has_scalar_parameters(cls) -> bool:
        """Return whether every parameter is one number, so that the command line can take the measure."""
        return all("$ref" in rule for rule in cls.fields.values())

    def classical_leads(self, n: int) -> list[float]:
        """Return the leading coefficients of the classical polynomials of degrees 0 ... n."""
        return [1.0] * (n + 1)

    @property
    def field(self) -> Any:
        """The field of the parameters in SymPy."""
        import sympy

        return sympy.QQ

    @property
    def one(self) -> Any:
        """The number 1 in the field of the parameters."""
        return ONE

    # The recurrence.

    def monic(self, n: int, x: Any) -> list[Any]:
        """Return [pi_0(x), ..., pi_n(x)].

        Parameters
        ----------
        n : int
            The largest degree.
        x : number or array
            A number, an array of numbers or a polynomial, in any arithmetic.

        Returns
        -------
        list
            The values of the monic polynomials, of the type of ``x``.
        """
        return self._extend([0 * x + 1], x, check_degree(n))

    def _extend(self, found: list[Any], x: Any, n: int) -> list[Any]:
        """Append to [pi_0(x), pi_1(x), ...] until it contains pi_n(x), and return it."""
        enter = embed_rational(x) if self.is_rational else lambda c: c
        steps = self._recurrences(n)
        for k in range(len(found) - 1, n):
            a, b = steps[k]
            found.append((x - enter(a)) * found[k] - enter(b) * (found[k - 1] if k else 0 * x))
        return found

    def _recurrences(self, n: int) -> list[tuple[Any, Any]]:
        """Return (a_k, b_k) for k = 0 ... n - 1, and more if they are known."""
        known = _steps(self)
        if len(known) < n:
            known[:] = [*known, *map(self.recurrence, range(len(known), n))]  # at once, see h_ratios
        return known

    def h_ratio(self, k: int) -> Any:
        """Return h_k/h_0, the product of b_1 ... b_k of the recurrence."""
        return to_quantity(self.h_ratios(k)[-1])

    def h_ratios(self, n: int) -> list[Any]:
        """Return [h_0/h_0, ..., h_n/h_0]."""
        known = _h_ratios(self)
        if len(known) <= check_degree(n):
            ratios = known[:]
            for k in range(len(ratios), n + 1):
                ratios.append(ratios[-1] * self.recurrence(k)[1])
            known[:] = ratios  # at once, because other threads may read it
        return known[: n + 1]

    def derivatives(self, n: int, x: Any, order: int = 1) -> list[Any]:
        """Return the order-th derivatives of pi_0 ... pi_n at x, by differentiating the recurrence."""
        if order == 0:
            return self.monic(n, x)
        enter = embed_rational(x) if self.is_rational else lambda c: c
        out, previous = [0 * x], 0 * x
        for k, below in enumerate(self.derivatives(n, x, order - 1)[:n]):
            a, b = self.recurrence(k)
            following = (x - enter(a)) * out[-1] + below * order - enter(b) * previous
            previous = out[-1]
            out.append(following)
        return out

    # Exact expressions.

    def polynomial(self, k: int) -> Any:
        """Return pi_k as a SymPy Poly in x over the field of the parameters."""
        from sympy import Poly, Symbol
        from sympy.polys.polyclasses import DMP
        from sympy.polys.rings import ring

        k = self.check_degree(k, beyond=1)  # for N nodes, pi_N is defined too
        if self.is_rational:
            known = _polynomials(self)
            if len(known) <= k:
                known[:] = self._extend(known[:], fmpq_poly([0, 1]), k)
            coefficients = known[k].coeffs()[::-1]
            if not isinstance(self.field.one, fmpq):  # SymPy's rationals are not python-flint's
                coefficients = [self.field.dtype(int(c.p), int(c.q)) for c in coefficients]
            return Poly.new(DMP.from_list(coefficients, 0, self.field), Symbol("x"))
        _, x = ring("x", self.field)
        return Poly(self.monic(k, x)[k].as_expr(), Symbol("x"), domain=self.field)

    def orthonormal(self, k: int) -> Any:
        """Return p_k = pi_k/sqrt(h_k) as a SymPy expression in x."""
        from sympy import Add

        p, kappa = self.polynomial(self.check_degree(k)), self.kappa(k)
        return Add(*(c * (kappa * p.gen**j) for (j,), c in p.terms()))  # three times faster than expand()

    def pi(self, k: int) -> Any:
        """Return pi_k as a SymPy expression in x."""
        return self.polynomial(k).as_expr()

    p = sympy = orthonormal

    def gram(self, n: int) -> Any:
        """Return the SymPy matrix of the integrals of p_j p_k dmu, j, k <= n, from SymPy's own moments.

        It is the identity matrix; neither the recurrence nor ``moment_ratios`` is used for the integrals.
        """
        from .orthonormal_basis import OrthonormalBasis

        return OrthonormalBasis(self, n).gram()

    def check_degree(self, k: Any, place: str = "k", beyond: int = 0) -> int:
        """Return k as an int; raise an error if it is no degree or too large for the nodes."""
        degree = check_degree(k, place)
        if self.size is not None and degree >= self.size + beyond:
            limit = f"{self.size - 1 + beyond}, the largest degree for {self.size} nodes"
            raise TooLarge(place, degree, limit, "use a smaller degree")
        return degree

    def _symbolic(self, ratio: Any) -> Any:
        from sympy import factor

        return to_sympy(ratio) if self.is_rational else factor(self.field.to_sympy(self.field.convert(ratio)))

    def h(self, k: int) -> Any:
        """Return h_k = ||pi_k||^2 as an exact SymPy expression."""
        from sympy.core.mul import _keep_coeff

        ratio = self._symbolic(self.h_ratio(self.check_degree(k)))
        if not self.is_rational:
            return ratio * self.h0
        factor, irrational = self.h0.as_coeff_Mul()
        return _keep_coeff(ratio * factor, irrational)  # without sorting the other factors again

    def kappa(self, k: int) -> Any:
        """Return the leading coefficient of p_k as a SymPy expression."""
        from sympy import sqrt

        return 1 / sqrt(self.h(k))

    # Moments.

    def moment(self, j: int) -> Any:
        """Return the integral of x^j dmu as an exact SymPy expression."""
        return self._symbolic(self.moment_ratios(check_degree(j, "j"))[j]) * self.h0

    def inner_ratio(self, f: list[Any], g: list[Any]) -> Any:
        """Return <f, g>/h_0 by moments, for polynomials given by their coefficients, lowest first."""
        mu = _moment_ratios(self, max(len(f) + len(g) - 2, 0))
        short, long = sorted((f, g), key=len)
        zero = mu[0] * 0
        inner = (sum((b * mu[i + j] for j, b in enumerate(long) if b), zero) for i in range(len(short)))
        return sum((a * x for a, x in zip(short, inner, strict=True) if a), zero)

    # Values.

    def h0_in(self, arithmetic: Arithmetic) -> Any:
        """Return h_0 as an element of an arithmetic; exact arithmetic requires it to be rational."""
        return self.mass.to_arithmetic(arithmetic)

    def values(self, n: int, x: Any, arithmetic: Arithmetic | str = "float", digits: int = 50) -> np.ndarray:
        """Return the orthonormal polynomials p_0 ... p_n at x.

        Parameters
        ----------
        n : int
            The largest degree.
        x : array_like
            Points: any numbers if ``arithmetic`` is a name, else elements of the arithmetic.
        arithmetic : str or Arithmetic
            The arithmetic, or its name: "float", "mp", "ball", "verified" or "exact".
        digits : int
            The number of digits, if ``arithmetic`` is "mp" or "ball".

        Returns
        -------
        numpy.ndarray
            Values of the shape (n+1, *x.shape); SymPy expressions in exact arithmetic.
        """
        n = self.check_degree(n, "n")
        if isinstance(arithmetic, str):
            A = make_arithmetic(arithmetic, digits).scalar_arithmetic()
            return A.to_user(self.values(n, A.from_user(np.asarray(x)), A))
        A = arithmetic
        if A.max_degree is not None and n > A.max_degree:
            limit = f"{A.max_degree}, the largest degree in {A!r}"
            raise TooLarge("n", n, limit, "use the arithmetic 'mp' or 'ball'")
        with A.scope():
            flat = np.asarray(x).reshape(-1)
            if A.exact:
                ones, scale = np.full(flat.size, ONE, dtype=object), 1 / self.h0
                found = zip(self.monic(n, flat), self.h_ratios(n), strict=True)
                rows = [A.roots(value, ones / ratio, scale) for value, ratio in found]
                return np.array(rows, dtype=object).reshape(n + 1, *np.shape(x))
            h0 = self.h0_in(A)
            kappa = [1 / A.sqrt(A(ratio) * h0) for ratio in self.h_ratios(n)]
            out = np.empty((n + 1, flat.size), dtype=flat.dtype)
            for start in range(0, flat.size, _CHUNK):
                piece = slice(start, start + _CHUNK)
                for k, value in enumerate(self.monic(n, flat[piece])):
                    np.multiply(value, kappa[k], out=out[k, piece])
            return out.reshape(n + 1, *np.shape(x))

    # Domain.

    def contains(self, x: fmpq) -> bool:
        """Return whether x lies in the domain."""
        low, high = self.domain
        return (low is None or x >= low) and (high is None or x <= high)


def _to_json(value: Any) -> Any:
    return [to_text(x) for x in value] if isinstance(value, tuple) else to_text(value)


@lru_cache(maxsize=64)
def _moment_ratios(measure: Measure, n: int) -> list[Any]:
    return measure.moment_ratios(n)


@lru_cache(maxsize=64)
def _steps(measure: Measure) -> list[tuple[Any, Any]]:
    """Return the list of the (a_k, b_k) that are known, which grows."""
    return []


@lru_cache(maxsize=64)
def _h_ratios(measure: Measure) -> list[Any]:
    """Return the list of the h_k/h_0 that are known, which grows."""
    return [measure.one]


@lru_cache(maxsize=64)
def _polynomials(measure: Measure) -> list[fmpq_poly]:
    """Return the list of the pi_k with rational coefficients that are known, which grows."""
    return [fmpq_poly([1])]
