"""The doors: how numbers enter and leave.

``QQ`` is the one way in; ``text`` and ``decimal`` are the ways out. After that plain operators do the work.

>>> QQ("0.1"), QQ(0.5), QQ("0x1.8p-1"), QQ("-3/7")
(1/10, 1/2, 3/4, -3/7)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from math import isfinite
from numbers import Rational, Real
from threading import RLock
from typing import Any

import numpy as np
from flint import arb, ctx, fmpq, fmpz

from ..errors import BadParameter, NotANumber, TooLarge

Number = int | float | str | Decimal | Fraction | fmpq | fmpz | np.integer | np.floating
MAX_EXPONENT = 20_000
MAX_DIGITS = 100_000
_SCOPE = RLock()  # held while the precision is not the one outside
_RATIONAL = re.compile(r"([+-]?\d+)(?:/(\d+))?", re.ASCII)
_DECIMAL = re.compile(r"([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d{1,8}))?", re.ASCII)
_HEX = re.compile(r"([+-]?)0[xX]([0-9a-fA-F]*)\.?([0-9a-fA-F]*)(?:[pP]([+-]?\d{1,8}))?", re.ASCII)


def QQ(value: Any, place: str = "value") -> fmpq:
    """The exact rational a number stands for: a decimal is that decimal, a float its dyadic value.

    >>> QQ("0.1"), QQ(0.1) == QQ("0.1"), QQ("-3/7")
    (1/10, False, -3/7)
    """
    if isinstance(value, fmpq):
        return value
    if isinstance(value, float) and isfinite(value):  # NumPy's too; the most, and quickly
        return fmpq(*value.as_integer_ratio())
    if isinstance(value, str):
        return _parse(value.strip(), place)
    if isinstance(value, bool | np.bool_):
        raise NotANumber(value, place)
    if isinstance(value, fmpz):
        return fmpq(value)
    if isinstance(value, Rational):  # Python's, NumPy's and SymPy's integers and fractions
        return fmpq(int(value.numerator), int(value.denominator))
    if is_mpf(value) and value.context.isfinite(value):
        sign, man, exp, _ = value._mpf_
        return dyadic(-int(man) if sign else int(man), int(exp))
    if isinstance(value, Decimal | Real):  # exact for Decimal, float and NumPy's reals
        try:
            p, q = value.as_integer_ratio()  # type: ignore[union-attr]
        except (ValueError, OverflowError, AttributeError):
            raise NotANumber(value, place) from None
        return fmpq(int(p), int(q))
    raise NotANumber(value, place)


def _parse(text: str, place: str) -> fmpq:
    if match := _RATIONAL.fullmatch(text):
        p, q = fmpz(match[1].lstrip("+")), fmpz(match[2] or 1)
        if q != 0:
            return fmpq(p, q)
    elif match := _HEX.fullmatch(text):
        sign, whole, part, exp = match[1], match[2], match[3], int(match[4] or 0)
        if (whole or part) and abs(exp) <= MAX_EXPONENT * 4:
            return dyadic(int(sign + whole + part, 16), exp - 4 * len(part))
    elif match := _DECIMAL.fullmatch(text):
        sign, whole, part, exp = match[1], match[2], match[3], int(match[4] or 0)
        if (whole or part) and abs(exp) <= MAX_EXPONENT:
            man, exp = fmpz((sign if sign == "-" else "") + whole + part), exp - len(part)
            return fmpq(man * fmpz(10) ** exp) if exp >= 0 else fmpq(man, fmpz(10) ** -exp)
    raise NotANumber(text, place)


def is_mpf(value: Any) -> bool:
    """Whether it is a number of mpmath's."""
    return hasattr(value, "_mpf_") and hasattr(value, "context")  # arb has the first, mpmath both


def dyadic(man: int | fmpz, exp: int) -> fmpq:
    """man * 2**exp, exactly."""
    two = fmpz(2) ** abs(exp)
    return fmpq(man * two) if exp >= 0 else fmpq(man, two)


def text(value: Any) -> Any:
    """Text that ``QQ`` (or, for a ball, two of them) reads back without loss."""
    if isinstance(value, arb):
        return [text(midpoint(value)), text(midpoint(value.rad()))]
    q = QQ(value)
    two = int(q.q) & -int(q.q)
    if q.q == two and two > 2**20:  # a long dyadic: hex is shorter than p/q
        sign = "-" if q < 0 else ""
        return f"{sign}0x{int(abs(q.p)):x}p-{two.bit_length() - 1}"
    for digits in range(13):
        if (fmpz(10) ** digits) % q.q == 0:
            return _fixed(q, digits)
    return f"{q.p}/{q.q}"


def _fixed(q: fmpq, digits: int) -> str:
    """q, a multiple of 10**-digits, in positional decimals."""
    body = str(abs(q.p * fmpz(10) ** digits / q.q)).rjust(digits + 1, "0")
    body = f"{body[:-digits]}.{body[-digits:]}" if digits else body
    return ("-" if q < 0 else "") + body


def midpoint(ball: arb) -> fmpq:
    """The exact midpoint of a ball."""
    man, exp = ball.mid().man_exp()
    return dyadic(man, int(exp))


def contains(ball: arb, q: fmpq) -> bool:
    """Whether the ball holds the rational, exactly (arb.contains rounds q to a ball of its own first)."""
    return abs(q - midpoint(ball)) <= midpoint(ball.rad())


def root(ball: arb) -> arb:
    """The square root of a number >= 0 whose ball may reach below 0."""
    low, high = (arb(end).max(arb(0)).sqrt() for end in (ball.lower(), ball.upper()))
    return low.union(high)


def decimal(value: Any, digits: int = 16, radius: bool = True) -> str:
    """A readable decimal of at most ``digits`` significant digits; a ball shows only what it proves.

    One that may be 0 is "0 ± r"; without ``radius`` it is "0", a number like the others.
    """
    if isinstance(value, float):
        return f"{value:.{min(digits, 17)}g}"
    if is_mpf(value):
        return value.context.nstr(value, digits)
    if hasattr(value, "ball"):
        value = value.ball(digits + 5)
    with precision(digits + 5):
        ball = value if isinstance(value, arb) else arb(QQ(value))
        if ball.contains(0) and not radius:
            return "0"
        if ball.contains(0) and not ball.is_zero():
            mid, rad, exp = arb(ball.abs_upper()).mid_rad_10exp(2)
            return f"0 ± {Context(2, ROUND_CEILING).create_decimal(f'{mid + rad}e{exp}'):.2g}"
        return ball.str(digits, radius=False) if ball.is_finite() else "undefined"


@contextmanager
def working(bits: int) -> Iterator[None]:
    """python-flint's precision is process-global: this sets it and puts it back, for one thread at a time."""
    with _SCOPE, ctx.workprec(bits):
        yield


def precision(digits: int) -> AbstractContextManager[None]:
    """The working precision for so many digits."""
    return working(bits(digits))


def bits(digits: int) -> int:
    """How many bits so many digits take, and some to spare."""
    if not isinstance(digits, int) or not 1 <= digits <= MAX_DIGITS:
        raise BadParameter("digits", digits, f"is not an integer from 1 to {MAX_DIGITS}", "try digits=50")
    return digits * 3322 // 1000 + 32


def real(q: fmpq) -> float:
    """The nearest float64."""
    try:
        return int(q.p) / int(q.q)
    except OverflowError:
        raise TooLarge("a number", decimal(q, 5), "float64 holds", "take the arithmetic 'ball'") from None


def symbolic(value: Any) -> Any:
    """A number as SymPy has it."""
    if hasattr(value, "symbol"):
        return value.symbol()
    from sympy import Rational, sympify

    return Rational(int(value.p), int(value.q)) if isinstance(value, fmpq) else sympify(value)


def sign(x: Any) -> int:
    """1 or -1 where that is certain, else 0."""
    return 1 if x > 0 else -1 if x < 0 else 0


def less(a: Any, b: Any) -> bool | None:
    """Whether a < b, for numbers of one kind, or a ball and a rational; None where balls do not tell."""
    if isinstance(a, arb) and isinstance(b, fmpq):  # exactly: python-flint would round b to a ball first
        middle, radius = midpoint(a), midpoint(a.rad())
        return True if middle + radius < b else False if middle - radius >= b else None
    if a < b:
        return True
    return False if a >= b else None


def door(x: Any) -> Callable[[fmpq], Any]:
    """How a rational coefficient enters the arithmetic that x (a number, an array, a polynomial) is in."""
    if isinstance(x, np.ndarray):
        return door(x.flat[0] if x.size and x.dtype == object else 0.0)
    if isinstance(x, float | np.floating | complex):
        return real
    if is_mpf(x):
        return lambda q: x.context.mpf(int(q.p)) / int(q.q)
    if hasattr(x, "is_Rational"):  # SymPy
        return symbolic
    return lambda q: q
