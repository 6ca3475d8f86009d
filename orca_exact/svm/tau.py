"""Exact values in tau = lambda*C, with C the largest C_i: p + q*tau, polynomials, and their quotients.

With a = lambda*alpha the trained SVM is a = u + tau*v with rational u, v, and an index is a quotient of two
quadratics in tau. If lambda is rational, so is tau, and these are plain rationals. If it is irrational, p +
q*tau = 0 only if p = q = 0, and a ball for tau decides every other sign. The same is done if it is not known
whether lambda is rational.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from math import isfinite
from typing import Any, cast

import numpy as np
from flint import arb, fmpq, fmpq_mat, fmpq_poly, fmpz

from ..errors import BadFile, Undecided
from ..files.formats import JsonObject
from ..numbers.arithmetic import Arithmetic, Ball, Exact, object_vector
from ..numbers.quantity import Enclosed, Quantity, to_quantity
from ..numbers.rationals import QQ, certain_sign, format_decimal, precision_digits, to_sympy, to_text
from ..numbers.values import MAX_FRACTION_LENGTH, from_json_value
from ..problem import Problem

SIGN_DIGITS = (50, 500, 5000)
_DIGITS = SIGN_DIGITS[0]  # default digits of a ball around a quotient


class Tau:
    """The number lambda*C of one problem."""

    def __init__(self, problem: Problem):
        self.problem, self.C = problem, problem.C
        self._known: dict[int, arb] = {}

    def _identity(self) -> tuple[Any, ...]:
        return self.problem.kernel.mass, self.C

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tau) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    @cached_property
    def exact(self) -> fmpq | None:
        """The rational value of tau, or None."""
        return self.problem.lambda_exact * self.C if self.problem.lambda_is_rational else None

    def to_arithmetic(self, A: Arithmetic) -> Any:
        """Return tau as an element of an arithmetic."""
        with A.scope():
            return self.problem.lambda_in(A) * A(self.C)

    def ball(self) -> arb:
        """Enclose tau at python-flint's current precision."""
        found: arb = self.to_arithmetic(Ball())
        return found

    def affine(self, p: Any, q: Any = 0) -> Affine:
        """Return p + q*tau, with p and q rationals or arrays of them."""
        return Affine(p, p * 0 + q, self)

    @property
    def bound(self) -> Affine:
        """Upper bounds lambda*C_i of the a_i."""
        weights = object_vector(self.problem.weights)
        return self.affine(weights * 0, weights)

    def sign(self, value: Callable[[Any], Any]) -> int:
        """Return the sign of value(tau), computed in balls unless tau is rational.

        Raise Undecided if balls do not decide it.
        """
        if self.exact is not None:
            return certain_sign(value(self.exact))
        for digits in SIGN_DIGITS:
            with precision_digits(digits):
                if digits not in self._known:
                    self._known[digits] = self.ball()
                if found := certain_sign(value(self._known[digits])):
                    return found
        raise Undecided(f"The sign of a value in lambda*C is undecided at {digits} digits.")

    def scale(self) -> fmpq | Ratio:
        """Return lambda exactly: a rational, or tau/C."""
        if self.exact is not None:
            return self.problem.lambda_exact
        return Ratio(fmpq_poly([0, 1]), fmpq_poly([self.C]), self)

    def to_sympy(self) -> Any:
        """Return tau as a SymPy expression."""
        return to_sympy(self.C) / to_sympy(self.problem.kernel.mass)


class Affine:
    """A number p + q*tau, or a vector of them, with sums, rational multiples and exact signs."""

    __array_ufunc__ = None  # let Affine handle ``ndarray op Affine``
    __slots__ = ("p", "q", "tau")

    def __init__(self, p: Any, q: Any, tau: Tau):
        self.p, self.q, self.tau = p, q, tau

    def __repr__(self) -> str:
        return f"{self.p} + {self.q}*tau"

    def __len__(self) -> int:
        return len(self.p)

    def __getitem__(self, i: Any) -> Affine:
        return Affine(self.p[i], self.q[i], self.tau)

    def __add__(self, other: Any) -> Affine:
        if isinstance(other, Affine):
            return Affine(self.p + other.p, self.q + other.q, self.tau)
        return Affine(self.p + other, self.q + other * 0, self.tau)

    __radd__ = __add__

    def __neg__(self) -> Affine:
        return Affine(-self.p, -self.q, self.tau)

    def __sub__(self, other: Any) -> Affine:
        found: Affine = self + -other
        return found

    def __rsub__(self, other: Any) -> Affine:
        found: Affine = -self + other
        return found

    def __mul__(self, rational: Any) -> Affine:
        return Affine(self.p * rational, self.q * rational, self.tau)

    __rmul__ = __mul__

    def __rmatmul__(self, R: np.ndarray) -> Affine:
        """Multiply this vector by a rational matrix from the left."""
        return Affine(_product(R, self.p), _product(R, self.q), self.tau)

    def sum(self) -> Affine:
        """Return the sum of a vector."""
        return Affine(sum(self.p, fmpq(0)), sum(self.q, fmpq(0)), self.tau)

    def dot(self, other: Affine) -> fmpq_poly:
        """Return the inner product of two vectors, a quadratic in tau."""
        A = Exact()
        pp, pq, qp, qq = (A.dot(x, y) for x in (self.p, self.q) for y in (other.p, other.q))
        return fmpq_poly([pp, pq + qp, qq])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Affine):
            other = self.tau.affine(QQ(other))
        return (self - other).sign() == 0

    __hash__ = None  # type: ignore[assignment]

    def __lt__(self, other: Affine) -> bool:
        return (self - other).sign() < 0

    def sign(self) -> int:
        """Return the exact sign: 1, 0 or -1."""
        return certain_sign(self.p) if self.q == 0 else self.tau.sign(lambda tau: self.p + self.q * tau)

    def signs(self) -> list[int]:
        """Return the signs of a vector."""
        return [self[i].sign() for i in range(len(self))]

    def zeros(self) -> list[bool]:
        """Return which elements of a vector are 0.

        With an irrational tau these are the ones with p = q = 0. If it is not known whether tau is rational,
        balls show that the others are not 0.
        """
        if self.tau.exact is not None:
            return [value == 0 for value in self.p + self.q * self.tau.exact]
        if self.tau.problem.lambda_is_rational is None:
            return [not sign for sign in self.signs()]
        return [p == 0 and q == 0 for p, q in zip(self.p, self.q, strict=True)]

    @property
    def exact(self) -> fmpq | None:
        """The rational value, or None."""
        if self.q == 0:
            found: fmpq | None = self.p
            return found
        return None if self.tau.exact is None else self.p + self.q * self.tau.exact

    def ball(self) -> Any:
        """Enclose the value, or each element of a vector, at python-flint's current precision."""
        return self.p + self.q * self.tau.ball()

    def to_exact(self) -> tuple[Exact, np.ndarray, fmpq | Ratio]:
        """Return a vector as (its exact arithmetic, its elements, lambda)."""
        if self.tau.exact is not None:
            return Exact(), self.p + self.q * self.tau.exact, self.tau.scale()
        if not any(self.q):
            return Exact(), self.p, self.tau.scale()
        pairs = zip(self.p, self.q, strict=True)
        elements = object_vector(fmpq_poly([p, q]) if q != 0 else p for p, q in pairs)
        return TauPolynomials(self.tau), elements, self.tau.scale()

    def to_json(self) -> JsonObject:
        """Return the value as it is written in a certificate."""
        return {"u": str(self.p), "v": str(self.q)}


def _product(R: np.ndarray, s: np.ndarray) -> np.ndarray:
    support = [j for j, value in enumerate(s) if value != 0]
    if not support:
        return object_vector([fmpq(0)] * len(R))
    product = fmpq_mat(R[:, support].tolist()) * fmpq_mat([[s[j]] for j in support])
    return np.array(product.entries(), dtype=object)


def evaluate_polynomial(p: fmpq_poly, tau: Any) -> Any:
    """Evaluate a polynomial at tau by Horner's scheme."""
    total = tau * 0
    for c in reversed(p.coeffs()):
        total = total * tau + c
    return total


@dataclass(frozen=True, eq=False, repr=False)
class Ratio(Quantity):
    """A quotient of rational polynomials in tau: an exact value that may be irrational.

    Operations with exact numbers (a float counts as its dyadic value) and with quotients in the same tau are
    exact. Operations with balls and with quotients in another tau give balls. A result that does not depend
    on tau becomes a ``Rational``.
    """

    numerator: fmpq_poly
    denominator: fmpq_poly
    tau: Tau

    def __repr__(self) -> str:
        return format_decimal(self)

    def _repr_latex_(self) -> str:
        top, bottom = (_latex(p) for p in (self.numerator, self.denominator))
        if len(top + bottom) > MAX_FRACTION_LENGTH:
            return f"${format_decimal(self)}$"
        return rf"$\displaystyle \frac{{{top}}}{{{bottom}}},\ \tau=\lambda C$"

    def bounds(self, digits: int = 16) -> tuple[fmpq, fmpq]:
        """Return rational bounds, from a ball of ``digits`` digits."""
        return Enclosed(self.ball(max(digits, 1))).bounds()

    def reduced(self) -> fmpq | Ratio:
        """Return the rational value if it does not depend on tau, else the quotient itself."""
        a, b = self.numerator, self.denominator
        c = a[a.degree()] / b[b.degree()] if a.degree() == b.degree() >= 0 else fmpq(0)
        return c if a == b * c else self

    def _as_ratio(self, other: Any) -> Ratio | None:
        """Return an exact number as a quotient in the same tau; None for anything else."""
        if isinstance(other, Ratio):
            return other if other.tau == self.tau else None
        if not isinstance(other, fmpq_poly):
            if not isinstance(other, int | np.number | Fraction | Decimal | float | fmpq | fmpz):
                return None
            other = fmpq_poly([QQ(int(other) if isinstance(other, bool) else other)])
        return Ratio(other, fmpq_poly([1]), self.tau)

    def _operate(self, op: Callable[[Any, Any], Any], other: Any, swapped: bool = False) -> Any:
        """Calculate exactly with an exact number, in balls with a ball or a quotient in another tau."""
        if (exact := self._as_ratio(other)) is not None:
            a, b = (exact, self) if swapped else (self, exact)
            top, bottom = EXACT_OPERATIONS[op](a, b)
            return to_quantity(Ratio(top, bottom, self.tau).reduced())
        if not isinstance(other, arb | Ratio):
            return NotImplemented
        digits = _useful_digits(other)
        with precision_digits(digits):
            x, y = (Enclosed(z.ball(digits) if isinstance(z, Ratio) else z) for z in (self, other))
            return op(y, x) if swapped else op(x, y)

    def __add__(self, other: Any) -> Any:
        return self._operate(operator.add, other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._operate(operator.sub, other)

    def __rsub__(self, other: Any) -> Any:
        return self._operate(operator.sub, other, swapped=True)

    def __mul__(self, other: Any) -> Any:
        return self._operate(operator.mul, other)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        return self._operate(operator.truediv, other)

    def __rtruediv__(self, other: Any) -> Any:
        return self._operate(operator.truediv, other, swapped=True)

    def __neg__(self) -> Ratio:
        return Ratio(-self.numerator, self.denominator, self.tau)

    def __pos__(self) -> Ratio:
        return self

    def __abs__(self) -> Ratio:
        return -self if self < 0 else self

    def __pow__(self, exponent: Any) -> Any:
        """Raise to a power: exactly for an integer, else in balls."""
        if not isinstance(exponent, int | np.integer):
            return Enclosed(self.ball()) ** exponent
        base = self if exponent >= 0 else 1 / self
        size = abs(int(exponent))
        return to_quantity(Ratio(base.numerator**size, base.denominator**size, self.tau).reduced())

    def __rpow__(self, base: Any) -> Any:
        return base ** Enclosed(self.ball())

    def __bool__(self) -> bool:
        return bool(self.numerator)

    def __eq__(self, other: object) -> bool:
        """Compare as functions of tau; the tau must be the same unless both are constant."""
        if isinstance(other, Ratio) and self.tau != other.tau:
            constant = all(p.degree() <= 0 for r in (self, other) for p in (r.numerator, r.denominator))
            other = replace(other, tau=self.tau) if constant else None
        if isinstance(other, float) and not isfinite(other):
            return False
        exact = self._as_ratio(other)
        return exact is not None and not _subtract(self, exact)[0]

    __hash__ = None  # type: ignore[assignment]

    def _compare(self, compare: Callable[[Any, Any], bool], other: Any) -> bool:
        """Compare exactly with an exact number, else as balls do; raise Undecided at a near tie."""
        if isinstance(other, arb):
            return compare(Enclosed(self.ball(_useful_digits(other))), other)
        if isinstance(other, float) and not isfinite(other):
            return compare(0.0, other)
        exact = self._as_ratio(other)
        if exact is None and not isinstance(other, Ratio):
            return cast(bool, NotImplemented)
        found = certain_sign(self.ball() - (cast(Ratio, other) if exact is None else exact).ball())
        if not found and exact is None:
            raise Undecided(
                f"The order of two quotients in different lambda*C is undecided at {_DIGITS} digits."
            )
        if not found and exact is not None:
            top, bottom = _subtract(self, exact)
            p = top * bottom  # has the sign of the difference
            found = (
                certain_sign(p[0])
                if p.degree() <= 0
                else self.tau.sign(lambda tau: evaluate_polynomial(p, tau))
            )
        return compare(found, 0)

    def __lt__(self, other: Any) -> bool:
        return self._compare(operator.lt, other)

    def __gt__(self, other: Any) -> bool:
        return self._compare(operator.gt, other)

    def __ge__(self, other: Any) -> bool:
        return self._compare(operator.ge, other)

    def __le__(self, other: Any) -> bool:
        return self._compare(operator.le, other)

    def ball(self, digits: int = _DIGITS) -> arb:
        """Enclose the value to at least ``digits`` digits."""
        with precision_digits(2 * digits + 20):
            tau = self.tau.ball()
            found: arb = evaluate_polynomial(self.numerator, tau) / evaluate_polynomial(self.denominator, tau)
            return found

    def __float__(self) -> float:
        return float(self.ball(20))

    def to_sympy(self) -> Any:
        """Return the value as a SymPy expression."""
        return _symbolic(self.numerator, self.tau) / _symbolic(self.denominator, self.tau)

    def to_json(self, digits: int, fractions: bool) -> JsonObject:
        """Return its decimal and ball, and the fractions if they are short or asked for."""
        shown: dict[str, Any] = {
            "decimal": format_decimal(self, digits, False),
            "ball": to_text(self.ball(digits)),
        }
        numerator, denominator = ([str(c) for c in p.coeffs()] for p in (self.numerator, self.denominator))
        if fractions or sum(map(len, numerator + denominator)) <= MAX_FRACTION_LENGTH:
            shown["exact"] = {"numerator": numerator, "denominator": denominator, "in": "lambda*C"}
        return shown


# The four operations on quotients, as (numerator, denominator).

_Pair = tuple[fmpq_poly, fmpq_poly]


def _add(a: Ratio, b: Ratio) -> _Pair:
    if a.denominator == b.denominator:
        return a.numerator + b.numerator, a.denominator
    return a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator


def _subtract(a: Ratio, b: Ratio) -> _Pair:
    return _add(a, -b)


def _multiply(a: Ratio, b: Ratio) -> _Pair:
    return a.numerator * b.numerator, a.denominator * b.denominator


def _divide(a: Ratio, b: Ratio) -> _Pair:
    if not b.numerator:
        raise ZeroDivisionError(f"division of {a} by 0")
    return a.numerator * b.denominator, a.denominator * b.numerator


EXACT_OPERATIONS: dict[Any, Callable[[Ratio, Ratio], _Pair]] = {
    operator.add: _add, operator.sub: _subtract, operator.mul: _multiply, operator.truediv: _divide,
}  # fmt: skip


def _useful_digits(x: Any) -> int:
    """Return the number of digits of a quotient that an operation with x can use."""
    return max(_DIGITS, int(x.bits()) * 302 // 1000) if isinstance(x, arb) else _DIGITS


def read_value(data: Any, place: str, tau: Tau, digits: int) -> fmpq | arb | Ratio:
    """Read a value that ``values.to_json_value`` wrote; a plain string is a rational."""
    if isinstance(data, str):
        return QQ(data, place)
    exact = data.get("exact") if isinstance(data, dict) else None
    if isinstance(exact, dict):
        top, bottom = (fmpq_poly([QQ(c, place) for c in exact[k]]) for k in ("numerator", "denominator"))
        if not bottom:
            raise BadFile(place, "the denominator is 0", "write the value again")
        return Ratio(top, bottom, tau)
    long = sum(len(part) for part in data.get("ball", ())) if isinstance(data, dict) else 0
    with precision_digits(digits + long):  # enough to read a ball without rounding
        return from_json_value(data, place)


def _latex(p: fmpq_poly) -> str:
    return str(p).replace("*x", r"\tau").replace("x", r"\tau")


def _symbolic(p: fmpq_poly, tau: Tau) -> Any:
    return sum((to_sympy(c) * tau.to_sympy() ** k for k, c in enumerate(p.coeffs())), to_sympy(0))


class TauPolynomials(Exact):
    """The exact arithmetic of polynomials in tau, which holds exact values if lambda is irrational."""

    has_fast_matrices = False

    def __init__(self, tau: Tau) -> None:
        super().__init__()
        self.tau = tau

    def __repr__(self) -> str:
        return "arithmetic('exact') in lambda*C"

    def __reduce__(self) -> tuple[Any, ...]:
        return TauPolynomials, (self.tau,)

    def roots(self, a: np.ndarray, g: np.ndarray, scale: Any) -> np.ndarray:
        return super().roots(
            object_vector(Ratio(fmpq_poly(x), fmpq_poly([1]), self.tau) for x in a), g, scale
        )

    def quotient(self, a: Any, b: Any) -> Any:
        return Ratio(fmpq_poly(a), fmpq_poly(b), self.tau).reduced()

    def simplify_scale(self, s: np.ndarray, scale: Any) -> tuple[np.ndarray, Any]:
        return s, scale

    def dot(self, w: np.ndarray, form: np.ndarray) -> Any:
        return (w * form).sum()

    def contract(self, left: Any, w: np.ndarray, right: Any) -> np.ndarray:
        denominators, rows = left
        totals = (sum((x * c for x, c in zip(w, row, strict=True)), fmpq_poly([])) for row in rows)
        return object_vector(total / q for total, q in zip(totals, denominators, strict=True))[:, None]

    def matmul(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        found: np.ndarray = a @ b
        return found
