"""What every measure has: monic orthogonal polynomials pi_k by a recurrence, squared norms h_k, a mass h_0.

Carried are pi_k and h_k; every h_k/h_0 lies in the field of the parameters, so roots appear only where an
orthonormal p_k = pi_k/sqrt(h_k) is written down. One recurrence serves rationals, balls, mpmath, float
arrays, polynomials and Q(alpha, beta). A family says its recurrence, its mass and its moments.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any, ClassVar

import numpy as np
from flint import fmpq, fmpq_poly

from ..errors import BadParameter, TooLarge
from ..numbers.arithmetic import Arithmetic
from ..numbers.arithmetic import arithmetic as make_arithmetic
from ..numbers.quantity import quantity
from ..numbers.rationals import QQ, embed_rational, symbolic, text

MAX_DEGREE = 10_000
_ZERO, ONE = fmpq(0), fmpq(1)
NUMBER_RULE = {"$ref": "#/$defs/number"}
_CHUNK = 8192  # points at a time, so that float64 columns stay in cache


def check_degree(n: Any, place: str = "n") -> int:
    """n, if it is a degree this package computes with."""
    if isinstance(n, bool) or not isinstance(n, int | np.integer):
        raise BadParameter(place, repr(n), "is not an integer", "give a degree such as 5")
    if n < 0:
        raise BadParameter(place, n, "is negative", "degrees start at 0")
    if n > MAX_DEGREE:
        raise TooLarge(place, n, MAX_DEGREE, "take a smaller degree")
    return int(n)


def check_step(k: Any) -> Any:
    """k, which may be a symbol, of a recurrence."""
    return k if hasattr(k, "is_number") and k.is_number is False else check_degree(k, "k")


def python_literal(x: Any) -> str:
    """A number as it is typed in Python: 2, '1/3', or what SymPy writes."""
    return repr(str(x)) if isinstance(x, fmpq) and x.q != 1 else str(x)


def latex_exponent(x: Any) -> str:
    """In LaTeX."""
    from sympy import latex

    return latex(symbolic(x))


@dataclass(frozen=True)
class Mass:
    """rational * 2^two * prod Gamma(f)^e, each 0 < f < 1 once: products of masses have one such form.

    >>> Mass.gamma("5/2") * Mass.gamma("1/2")            # 3 pi/4, pi = Gamma(1/2)^2
    Mass(rational=3/4, two=0, gammas=((1/2, 2),))
    """

    rational: fmpq = ONE
    two: fmpq = _ZERO
    gammas: tuple[tuple[fmpq, int], ...] = ()

    @classmethod
    def gamma(cls, x: Any) -> Mass:
        """Gamma(x), x > 0: down to 0 < f <= 1 by Gamma(x + 1) = x Gamma(x)."""
        rational, x = fmpq(1), QQ(x)
        while x > 1:
            x -= 1
            rational *= x
        return cls(rational, gammas=() if x == 1 else ((x, 1),))

    def __mul__(self, other: Mass) -> Mass:
        powers = Counter(dict(self.gammas))
        powers.update(dict(other.gammas))
        left = sorted((f, e) for f, e in powers.items() if e)
        two = self.two + other.two
        whole = two.floor()  # 0 <= two < 1
        rational = self.rational * other.rational * fmpq(2) ** int(whole)
        return Mass(rational, two - whole, tuple(left))

    def __pow__(self, e: int) -> Mass:
        return Mass(self.rational**e, self.two * e, tuple((f, k * e) for f, k in self.gammas if e)) * Mass()

    @property
    def is_rational(self) -> bool | None:
        """None where it is not known: of Gamma values that remain, only powers of pi are judged here."""
        if not self.gammas:
            return self.two == 0
        return False if [f for f, _ in self.gammas] == [fmpq(1, 2)] else None

    def within(self, A: Arithmetic) -> Any:
        """As an element of an arithmetic; exact only where it is rational."""
        return A.constant(self.rational, self.two, self.gammas)

    def symbol(self) -> Any:
        """As a SymPy expression."""
        from sympy import gamma, prod

        return symbolic(self.rational) * prod(
            (gamma(symbolic(f)) ** e for f, e in self.gammas), 2 ** symbolic(self.two)
        )


class Measure(ABC):
    """A measure on the line with all its moments.

    >>> from orca_exact import Hermite, Jacobi, Laguerre
    >>> [measure.h_ratio(2) for measure in (Jacobi(0, 0), Hermite(), Laguerre(0))]
    [4/45, 2, 4]
    """

    family: ClassVar[str]  # its name in files
    weight: ClassVar[str]  # in words, for the schema
    fields: ClassVar[dict[str, dict]] = {}  # its parameters, and what the schema says of each
    optional: ClassVar[frozenset[str]] = frozenset()  # of the fields
    is_rational = True  # its parameters: everything but h_0 is then over Q
    domain: tuple[int | None, int | None] = (None, None)  # the ends of where its points may lie, if any
    size: int | None = None  # how many of the pi_k are not 0 on it; None: all

    @abstractmethod
    def recurrence(self, k: int) -> tuple[Any, Any]:
        """(a_k, b_k) of pi_{k+1} = (x - a_k) pi_k - b_k pi_{k-1}: b_0 = 0, else b_k = h_k/h_{k-1}."""

    @property
    @abstractmethod
    def mass(self) -> Mass:
        """h_0 in its one form."""

    @property
    @abstractmethod
    def h0(self) -> Any:
        """h_0, exactly, in SymPy."""

    @abstractmethod
    def moment_ratios(self, n: int) -> list:
        """[integral of x^j dmu / h_0 for j = 0 ... n]: the second, recurrence-free route."""

    def to_json(self) -> dict:
        """As a problem file writes it."""
        return {"family": self.family} | {name: _written(getattr(self, name)) for name in self.fields}

    @classmethod
    def schema(cls) -> dict:
        """Return what a problem file may write for it; ``#/$defs/number`` is a number."""
        return {
            "type": "object",
            "required": ["family", *(name for name in cls.fields if name not in cls.optional)],
            "additionalProperties": False,
            "properties": {"family": {"const": cls.family, "description": cls.weight}, **cls.fields},
        }

    @classmethod
    def is_typed(cls) -> bool:
        """Whether a command line can name it: every parameter is one number."""
        return all("$ref" in rule for rule in cls.fields.values())

    def classical_leads(self, n: int) -> list[float]:
        """Return the leading coefficients of the classical polynomials of degrees 0 ... n (1: monic)."""
        return [1.0] * (n + 1)

    @property
    def field(self) -> Any:
        """SymPy's field of the parameters."""
        import sympy

        return sympy.QQ

    @property
    def one(self) -> Any:
        """Of the field of the parameters."""
        return ONE

    # The recurrence.

    def monic(self, n: int, x: Any) -> list:
        """[pi_0(x), ..., pi_n(x)] in the arithmetic of x."""
        return list(islice(self._monic(x), check_degree(n) + 1))

    def _monic(self, x: Any) -> Iterator:
        enter = embed_rational(x) if self.is_rational else lambda c: c
        previous, current, k = 0 * x, 0 * x + 1, 0
        while True:
            yield current
            a, b = self.recurrence(k)
            previous, current, k = current, (x - enter(a)) * current - enter(b) * previous, k + 1

    def h_ratio(self, k: int) -> Any:
        """h_k/h_0, the product of the recurrence's b_1 ... b_k."""
        return quantity(self.h_ratios(k)[-1])

    def h_ratios(self, n: int) -> list:
        """[h_0/h_0, ..., h_n/h_0]."""
        return list(_h_ratios(self, check_degree(n)))

    def derivatives(self, n: int, x: Any, order: int = 1) -> list:
        """The order-th derivatives of pi_0 ... pi_n at x, by the recurrence differentiated so often."""
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
        """pi_k as a SymPy Poly in x over the field of the parameters."""
        from sympy import Poly, Symbol
        from sympy.polys.rings import ring

        k = self._defined(k, beyond=1)  # that of all nodes too
        if self.is_rational:
            element = self.field.dtype
            coefficients = [element(int(c.p), int(c.q)) for c in self.monic(k, fmpq_poly([0, 1]))[k].coeffs()]
            return Poly.from_list(coefficients[::-1], Symbol("x"), domain=self.field)
        _, x = ring("x", self.field)
        return Poly(self.monic(k, x)[k].as_expr(), Symbol("x"), domain=self.field)

    def orthonormal(self, k: int) -> Any:
        """p_k = pi_k/sqrt(h_k) as a SymPy expression."""
        from sympy import Add

        p, kappa = self.polynomial(self._defined(k)), self.kappa(k)
        return Add(*(c * (kappa * p.gen**j) for (j,), c in p.terms()))  # three times as quick as expand()

    def pi(self, k: int) -> Any:
        """pi_k as a SymPy expression in x."""
        return self.polynomial(k).as_expr()

    def p(self, k: int) -> Any:
        """p_k = pi_k/sqrt(h_k) as a SymPy expression in x: ``orthonormal``."""
        return self.orthonormal(k)

    def _defined(self, k: Any, place: str = "k", beyond: int = 0) -> int:
        k = check_degree(k, place)
        if self.size is not None and k >= self.size + beyond:
            limit = f"{self.size - 1 + beyond}, for {self.size} nodes"
            raise TooLarge(place, k, limit, "take a smaller degree")
        return k

    def _symbolic(self, ratio: Any) -> Any:
        from sympy import factor

        return symbolic(ratio) if self.is_rational else factor(self.field.to_sympy(ratio))

    def h(self, k: int) -> Any:
        """h_k = ||pi_k||^2, exactly, in SymPy: the recurrence's h_k/h_0 times h_0."""
        return self._symbolic(self.h_ratio(self._defined(k))) * self.h0

    def kappa(self, k: int) -> Any:
        """The leading coefficient of p_k."""
        from sympy import sqrt

        return 1 / sqrt(self.h(k))

    # The measure's own moments.

    def moment(self, j: int) -> Any:
        """The integral of x^j dmu, exactly, in SymPy."""
        return self._symbolic(self.moment_ratios(check_degree(j, "j"))[j]) * self.h0

    def inner_ratio(self, f: list, g: list) -> Any:
        """<f, g>/h_0 of two polynomials given by their coefficients (lowest first), by moments."""
        mu = self.moment_ratios(max(len(f) + len(g) - 2, 0))
        return sum((a * b * mu[i + j] for i, a in enumerate(f) for j, b in enumerate(g)), mu[0] * 0)

    # Values.

    def h0_in(self, arithmetic: Arithmetic) -> Any:
        """h_0 as an element of an arithmetic; exact only where it is rational."""
        return self.mass.within(arithmetic)

    def values(self, n: int, x: Any, arithmetic: Arithmetic | str = "float", digits: int = 50) -> np.ndarray:
        """Orthonormal p_0 ... p_n at an array x: shape (n+1, *x.shape).

        Of an arithmetic by its name x are any numbers; else they are its elements. Exact values are SymPy's.
        """
        n = self._defined(n, "n")
        if isinstance(arithmetic, str):
            A = make_arithmetic(arithmetic, digits).single()
            return A.returned(self.values(n, A.given(np.asarray(x)), A))
        A = arithmetic
        if A.max_degree is not None and n > A.max_degree:
            raise TooLarge("n", n, f"{A.max_degree} in {A!r}", "take the arithmetic 'mp' or 'ball'")
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

    # Where points may lie.

    def contains(self, x: fmpq) -> bool:
        """Whether x is in the domain."""
        low, high = self.domain
        return (low is None or x >= low) and (high is None or x <= high)


def _written(value: Any) -> Any:
    return [text(x) for x in value] if isinstance(value, tuple) else text(value)


@lru_cache(maxsize=64)
def _h_ratios(measure: Measure, n: int) -> tuple:
    ratios = [measure.one]
    for k in range(1, n + 1):
        ratios.append(ratios[-1] * measure.recurrence(k)[1])
    return tuple(ratios)
