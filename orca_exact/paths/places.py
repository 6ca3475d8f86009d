"""Real numbers that are compared exactly: places in tau = lambda*C, and the values of indices there.

A number is a rational, a root of a rational quadratic (``Surd``), lambda*C or a quotient in it (``svm.tau``),
or a fixed ball. All but fixed balls are enclosed as closely as a comparison needs, up to ``MOST_DIGITS``. The
order of two fixed balls that overlap, or of a fixed ball and a number in it, is Undecided at once: more
digits do not help.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from flint import arb, ctx, fmpq

from ..errors import Undecided
from ..numbers.rationals import certain_sign, midpoint, precision_digits
from ..problem import Problem
from ..svm.tau import Ratio, Tau

INDEX_DIGITS = 80  # digits of the balls at first
MOST_DIGITS = 10_000  # limit for irrational numbers, which take a second at most
NARROW = 1e-20  # largest relative radius of a place, and largest radius of an index
T = TypeVar("T")


class Surd(NamedTuple):
    """The number centre + side*sqrt(square), with rational centre and square, side = 1 or -1.

    The square root is irrational, so that equal numbers have equal fields.
    """

    centre: fmpq
    square: fmpq
    side: int

    def ball(self) -> arb:
        """Enclose it at python-flint's current precision, without cancellation."""
        root = arb(self.square).sqrt() * self.side
        if self.centre * self.side >= 0:
            return self.centre + root
        return (self.centre * self.centre - self.square) / (self.centre - root)


def enclose(x: Any) -> Any:
    """Return a rational as it is, and any other number as a ball at python-flint's current precision."""
    if isinstance(x, fmpq | arb):
        return x
    return x.ball(ctx.dps) if isinstance(x, Ratio) else x.ball()


def place_bounds(x: Any) -> tuple[fmpq, fmpq]:
    """Return rationals below and above x, or x twice if it is rational."""
    x = enclose(x)
    if isinstance(x, fmpq):
        return x, x
    middle, radius = midpoint(x), midpoint(x.rad())
    return middle - radius, middle + radius


def is_narrow(x: Any) -> bool:
    """Return whether x is not a ball, or is a ball of a relative radius of at most ``NARROW``."""
    return not isinstance(x, arb) or bool(x.rad() <= NARROW * x.abs_lower())


def refine_until(attempt: Callable[[], T | None], *numbers: Any) -> T:
    """Repeat an attempt with more digits of these numbers until it returns a value other than None.

    Raise Undecided if it never does. There is a single attempt if one of the numbers is a fixed ball, which
    has no more digits.
    """
    fixed = any(isinstance(x, arb) for x in numbers) or all(isinstance(x, fmpq | None) for x in numbers)
    digits = INDEX_DIGITS
    while digits <= MOST_DIGITS:
        with precision_digits(digits):
            if (found := attempt()) is not None:
                return found
        if fixed:
            break
        digits *= 2
    raise Undecided("The order of two numbers is undecided at this precision.")


def compare(x: Any, y: Any) -> int:
    """Return the sign of x - y, which is 0 only if they are equal; raise Undecided if it is not decided."""
    if isinstance(x, fmpq) and isinstance(y, fmpq):
        return certain_sign(x - y)
    if isinstance(x, fmpq | arb) and isinstance(y, fmpq | arb) and (found := certain_sign(x - y)):
        return found
    if type(x) is type(y) and not isinstance(x, arb) and x == y:
        return 0
    return refine_until(lambda: certain_sign(enclose(x) - enclose(y)) or None, x, y)


def rational_between(lower: Any, upper: Any) -> fmpq:
    """Return a rational strictly between two numbers, or above the lower one if upper is None."""

    def attempt() -> fmpq | None:
        low = place_bounds(lower)[1]
        if upper is None:
            return 2 * low + 1
        high = place_bounds(upper)[0]
        return (low + high) / 2 if low < high else None

    return refine_until(attempt, lower, upper)


def sign_or_undecided(x: Any) -> int:
    """Return the sign of a rational or a ball; raise Undecided if a ball contains 0 and other numbers."""
    if (found := certain_sign(x)) or x == 0:
        return found
    raise Undecided("The sign of a number is undecided at this precision.")


def rational_root(q: fmpq) -> fmpq | None:
    """Return the square root of a rational if it is rational, else None."""
    if q < 0 or not (q.p.is_square() and q.q.is_square()):
        return None
    return fmpq(q.p.isqrt(), q.q.isqrt())


def place_in_tau(problem: Problem, C: fmpq) -> Any:
    """Return lambda*C: a rational or a surd if it is known to be one, else a ``Tau``."""
    if problem.lambda_is_rational:
        return problem.lambda_exact * C
    mass = problem.kernel.mass
    if not mass.gammas and mass.exponent_of_two == fmpq(1, 2):  # sqrt(2) times a rational
        return Surd(fmpq(0), (C / mass.rational) ** 2 / 2, 1)
    return Tau(problem.replace(C=C))
