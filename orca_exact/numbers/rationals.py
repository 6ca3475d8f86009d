"""Parsing and formatting of exact rationals, and formatting of balls.

``QQ`` converts every kind of number to an exact rational. ``to_text`` writes a number without loss,
``format_decimal`` as a decimal with proved digits, and ``format_rational`` for a message.

>>> QQ("0.1"), QQ(0.5), QQ("0x1.8p-1"), QQ("-3/7")
(1/10, 1/2, 3/4, -3/7)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from decimal import (
    MAX_EMAX,
    MAX_PREC,
    MIN_EMIN,
    ROUND_CEILING,
    ROUND_FLOOR,
    ROUND_HALF_EVEN,
    Context,
    Decimal,
    Inexact,
)
from fractions import Fraction
from math import inf, isfinite, nextafter
from numbers import Rational, Real
from threading import RLock
from typing import Any, TypeGuard, overload

import numpy as np
from flint import arb, ctx, fmpq, fmpz

from ..errors import BadParameter, NotANumber, TooLarge

Number = int | float | str | Decimal | Fraction | fmpq | fmpz | np.integer | np.floating
MAX_EXPONENT = 20_000
MAX_DIGITS = 100_000
_MAX_BITS = 2**26  # of a rational
_PRECISION_LOCK = RLock()  # held while python-flint's global precision is changed
_RATIONAL = re.compile(r"([+-]?\d+)(?:/(\d+))?", re.ASCII)
_DECIMAL = re.compile(r"([+-]?)(?=\.?\d)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?", re.ASCII)
_HEX = re.compile(r"([+-]?)0x(?=\.?[\da-f])([\da-f]*)\.?([\da-f]*)(?:p([+-]?\d+))?", re.ASCII | re.IGNORECASE)


def QQ(value: Any, place: str = "value") -> fmpq:
    """Convert a number to an exact rational.

    Parameters
    ----------
    value : int, float, str, Decimal, Fraction, fmpq, mpf or a NumPy or SymPy number
        A string is an integer, "p/q", a decimal or a hex float. A decimal is taken literally, a float
        by its exact dyadic value.
    place : str
        Name of the value in error messages.

    Returns
    -------
    fmpq

    Raises
    ------
    NotANumber
        If the value is not a finite number, or its exponent is too large.

    Examples
    --------
    >>> QQ("0.1"), QQ(0.1) == QQ("0.1"), QQ("-3/7")
    (1/10, False, -3/7)
    """
    if not isinstance(place, str):
        raise TypeError(f"QQ takes one number, not two: write QQ('{value}/{place}')")
    if isinstance(value, fmpq):
        return value
    if isinstance(value, float) and isfinite(value):  # the most frequent case; np.float64 is a float
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
        return make_dyadic(-int(man) if sign else int(man), int(exp))
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
        sign, whole, part, exponent = match.groups()
        exp = _read_exponent(text, exponent, MAX_EXPONENT * 4, place) - 4 * len(part)
        return make_dyadic(int(sign + whole + part, 16), exp)
    elif match := _DECIMAL.fullmatch(text):
        sign, whole, part, exponent = match.groups()
        exp = _read_exponent(text, exponent, MAX_EXPONENT, place) - len(part)
        return fmpq(fmpz((sign + whole + part).lstrip("+"))) * fmpq(10) ** exp
    raise NotANumber(text, place)


def _read_exponent(text: str, exponent: str | None, most: int, place: str) -> int:
    found = fmpz((exponent or "0").lstrip("+"))
    if abs(found) > most:
        raise NotANumber(text, place, most)
    return int(found)


def is_mpf(value: Any) -> TypeGuard[Any]:
    """Return whether a value is an mpf of mpmath."""
    return hasattr(value, "_mpf_") and hasattr(value, "context")  # an arb has only _mpf_


def make_dyadic(man: int | fmpz, exp: int) -> fmpq:
    """Return man * 2**exp; raise TooLarge if it would fill the memory."""
    if abs(exp) > _MAX_BITS:
        raise TooLarge("number", f"the exponent {exp}", f"{_MAX_BITS} in size", "rescale the data")
    two = fmpz(2) ** abs(exp)
    return fmpq(man * two) if exp >= 0 else fmpq(man, two)


@overload
def to_text(value: arb) -> list[str]: ...


@overload
def to_text(value: Number) -> str: ...


def to_text(value: Any) -> str | list[str]:
    """Write a number without loss, as ``QQ`` reads it; a ball as a list of midpoint and radius."""
    if isinstance(value, arb):
        return [to_text(midpoint(value)), to_text(midpoint(value.rad()))]
    q = QQ(value)
    two = int(q.q) & -int(q.q)
    if q.q == two and two > 2**20:  # a hex float is shorter than p/q
        sign = "-" if q < 0 else ""
        return f"{sign}0x{int(abs(q.p)):x}p-{two.bit_length() - 1}"
    for digits in range(13):
        if (fmpz(10) ** digits) % q.q == 0:
            return _format_positional(q, digits)
    return f"{q.p}/{q.q}"


def _format_positional(q: fmpq, digits: int) -> str:
    """Write a multiple of 10**-digits in positional notation."""
    body = str(abs(q.p * fmpz(10) ** digits / q.q)).rjust(digits + 1, "0")
    body = f"{body[:-digits]}.{body[-digits:]}" if digits else body
    return ("-" if q < 0 else "") + body


def format_rational(value: Any) -> str:
    """Write a rational for a message: exactly if that is short, else as a decimal.

    >>> format_rational(QQ("-1/3")), format_rational(QQ(0.1)), format_rational(QQ(1 + 2**-52))
    ('-1/3', '0.1', '1.0000000000000002')
    >>> format_rational(QQ("1e-30") + 1), format_rational(fmpq(3**50, 7**50))
    ('1.000000000000000000000000000001', 'about 3.9917261145931320e-19')
    """
    q = QQ(value)
    exact = to_text(q)
    if len(exact) <= 20 and "x" not in exact:
        return exact
    with suppress(TooLarge):
        if QQ(near := to_float(q)) == q:
            return repr(near)
    context = Context(40)
    x = context.divide(Decimal(int(q.p)), Decimal(int(q.q)))
    return f"about {format_decimal(q, 17)}" if context.flags[Inexact] else str(x).replace("E", "e")


def format_count(count: int) -> str:
    """Write a whole number; one of more than 15 digits as a decimal with three digits.

    >>> format_count(27), format_count(3**1000)
    ('27', 'about 1.32e+477')
    """
    return str(count) if count < 10**15 else f"about {_format_significant(fmpq(count), 3)}"


def midpoint(ball: arb) -> fmpq:
    """Return the exact midpoint of a ball."""
    man, exp = ball.mid().man_exp()
    return make_dyadic(man, int(exp))


def contains(ball: arb, q: fmpq) -> bool:
    """Return whether a ball contains a rational, decided exactly (``arb.contains`` rounds q first)."""
    return abs(q - midpoint(ball)) <= midpoint(ball.rad())


def nonnegative_sqrt(ball: arb) -> arb:
    """Enclose the square root of a nonnegative number whose ball may contain negative numbers."""
    low, high = (arb(end).max(arb(0)).sqrt() for end in (ball.lower(), ball.upper()))
    return low.union(high)


def format_decimal(value: Any, digits: int = 16, radius: bool = True) -> str:
    """Write a number as a decimal of at most ``digits`` significant digits, each of which is proved.

    A digit is proved if the rational, or *every* number in the ball, rounds to the decimal shown. Rounding
    is to nearest, ties to even; trailing zeros are digits like the others. Digits that are not proved are
    not shown. If not even one digit is proved, the text is "midpoint ± radius", which includes the whole
    ball, or "0 ± radius" if the ball contains 0. Without ``radius``, a ball that contains 0 and lies within
    10**-digits of it is written "0", so that a program can read it as a number. A value that is not finite
    is "undefined". A float64 or an mpf has no proved digits; it is rounded to the given number of digits.

    >>> format_decimal(QQ("2/3"), 4), format_decimal(QQ("1/8"), 2)
    ('0.6667', '0.12')
    >>> format_decimal(arb(1, 0.001), 9), format_decimal(arb(1, 0.5))
    ('1.0', '1.00 ± 0.51')
    """
    if isinstance(value, float):
        return f"{value:.{min(digits, 17)}g}"
    if is_mpf(value):
        return str(value.context.nstr(value, digits))
    if isinstance(value, arb) and not value.is_finite():
        return "undefined"
    tries = [bounds(value, work) for work in (digits + 5, 8 * digits + 300)[: 1 + hasattr(value, "ball")]]
    low, high = tries[-1]
    most = min(digits, _max_common_digits(low, high))
    shown = common_text(tries, most, lambda q, k, _: _format_significant(q, max(k, 1)))
    if shown is not None:
        return shown
    if low <= 0 <= high and max(high, -low) < fmpq(10) ** -digits and not radius:
        return "0"
    return format_interval(low, high)


def format_upper_bound(bound: Any, digits: int = 2) -> str:
    """Write an upper bound >= 0 as a decimal that is at least the bound.

    >>> format_upper_bound(4.0092e-07), format_upper_bound(arb("0.1"), 3), format_upper_bound(QQ(25))
    ('4.1e-7', '0.101', '25')
    >>> format_upper_bound(0)
    '0'
    """
    return _format_bound(bound, digits, ROUND_CEILING)


def format_lower_bound(bound: Any, digits: int = 2) -> str:
    """Write a lower bound >= 0 as a decimal that is at most the bound."""
    return _format_bound(bound, digits, ROUND_FLOOR)


def correct_digits(error: arb) -> float:
    """Return the number of correct digits if the relative error is at most ``error``.

    This is -log10 of the error, rounded down: at most 99, and -inf if the error has no finite bound.
    """
    top = arb(error.upper())
    if not top.is_finite():
        return -inf
    return 99.0 if top <= 0 else min(99.0, float_lower_bound(-(top.log() / arb(10).log())))


def format_digits_down(count: float) -> str:
    """Write a number of correct digits, rounded down to one decimal.

    >>> format_digits_down(6.397), format_digits_down(6.3), format_digits_down(-0.01)
    ('6.3', '6.2', '-0.1')
    """
    return str(Decimal(count).quantize(Decimal("0.1"), ROUND_FLOOR)) if isfinite(count) else str(count)


def format_digits_up(count: float) -> str:
    """Write a number of digits that are needed, rounded up to one decimal."""
    return str(-Decimal(format_digits_down(-count))) if isfinite(count) else str(count)


def float_upper_bound(x: Any) -> float:
    """Return a close float64 upper bound of a number or of all numbers in a ball."""
    high = bounds(x, 30)[1]
    near = to_float(high)
    return near if QQ(near) >= high else nextafter(near, inf)


def float_lower_bound(x: Any) -> float:
    """Return a close float64 lower bound of a number or of all numbers in a ball."""
    return -float_upper_bound(-x)


def _format_bound(bound: Any, digits: int, mode: str) -> str:
    if isinstance(bound, arb | float) and not isfinite(float(bound)):
        return str(float(bound))
    low, high = bounds(bound, digits + 30)
    end = high if mode == ROUND_CEILING else max(low, fmpq(0))
    return _format_significant(end, digits, mode)


Bounds = tuple[fmpq, fmpq]


def bounds(value: Any, digits: int) -> Bounds:
    """Return a rational lower and upper bound of a finite number.

    If the number has a method ``ball``, the bounds are closer for more digits.
    """
    if hasattr(value, "ball"):
        value = value.ball(digits)
    if not isinstance(value, arb):
        return QQ(value), QQ(value)
    middle, radius = midpoint(value), midpoint(value.rad())
    return middle - radius, middle + radius


def _max_common_digits(low: fmpq, high: fmpq) -> int:
    """Return a number of significant digits beyond which the two bounds differ."""
    if low == high:
        return MAX_DIGITS
    ratio = max(high, -low) / (high - low)
    return max(0, (ratio.p.bit_length() - ratio.q.bit_length() + 1) * 302 // 1000) + 2


def common_text(tries: Sequence[Bounds], digits: int, write: Callable[..., str]) -> str | None:
    """Return the common text of both bounds of a number with as many digits as possible, or None.

    ``tries`` are pairs of bounds of the same number, the closest pair last. ``write(q, k, mode)`` writes a
    bound with k digits; ``mode`` is the rounding mode of intermediate results.
    """
    for k in range(digits, -1, -1):
        for low, high in tries:
            shown = write(low, k, ROUND_FLOOR)
            if shown == write(high, k, ROUND_CEILING):
                return shown
    return None


def format_interval(low: fmpq, high: fmpq, unit: str = "") -> str:
    """Write an interval as "midpoint ± radius", with two digits of the radius, rounded outwards.

    The midpoint is 0 if the interval contains 0.
    """
    centre = fmpq(0) if low <= 0 <= high else (low + high) / 2
    half = max(high - centre, centre - low)
    size = Context(2, ROUND_CEILING).divide(Decimal(int(half.p)), Decimal(int(half.q)))
    step = size.adjusted() - 1
    scale = fmpq(10) ** step
    middle = round(centre / scale)
    radius = max(high / scale - middle, middle - low / scale).ceil()
    # A context of unlimited precision: the current one, of 28 digits by default, would round.
    exact = Context(MAX_PREC, Emin=MIN_EMIN, Emax=MAX_EMAX)
    shown = (Decimal(int(k)).scaleb(step, exact) if k else Decimal(0) for k in (middle, radius))
    return " ± ".join(format(x, "f" if abs(step) < 7 else "").replace("E", "e") + unit for x in shown)


def _format_significant(q: fmpq, digits: int, mode: str = ROUND_HALF_EVEN) -> str:
    """Write a rational with so many significant digits, correctly rounded, in FLINT's notation."""
    if not q:
        return "0"
    x = Context(digits, mode, MIN_EMIN, MAX_EMAX).divide(Decimal(int(q.p)), Decimal(int(q.q)))
    exp, sign = x.adjusted(), "-" if x < 0 else ""
    body = "".join(map(str, x.as_tuple().digits)).ljust(digits, "0")
    if exp < -4 or exp >= digits:
        return f"{sign}{body[0]}{'.' * (digits > 1)}{body[1:]}e{exp:+d}"
    if exp < 0:
        return f"{sign}0.{'0' * (-exp - 1)}{body}"
    return f"{sign}{body[: exp + 1]}.{body[exp + 1 :]}".rstrip(".")


@contextmanager
def precision_bits(bits: int) -> Iterator[None]:
    """Set python-flint's precision inside a ``with`` statement.

    The precision is global, so only one thread at a time may change it.
    """
    with _PRECISION_LOCK, ctx.workprec(bits):
        yield


def precision_digits(digits: int) -> AbstractContextManager[None]:
    """Set python-flint's precision to that of ``working_bits(digits)`` inside a ``with`` statement."""
    return precision_bits(working_bits(digits))


def working_bits(digits: int) -> int:
    """Return a working precision in bits for so many decimal digits, with 32 guard bits."""
    if not isinstance(digits, int) or not 1 <= digits <= MAX_DIGITS:
        raise BadParameter(
            "digits", digits, f"is not an integer from 1 to {MAX_DIGITS}", "pass 50, for example"
        )
    return digits * 3322 // 1000 + 32


def to_float(q: fmpq) -> float:
    """Return the float64 nearest to a rational."""
    try:
        return int(q.p) / int(q.q)
    except OverflowError:
        size, hint = format_decimal(abs(q), 5), "rescale the data or the parameters"
        raise TooLarge("absolute value of a number", size, "the largest float64", hint) from None


def to_sympy(value: Any) -> Any:
    """Return a number as a SymPy expression."""
    if hasattr(value, "to_sympy"):
        return value.to_sympy()
    from sympy import Rational, sympify

    return Rational(int(value.p), int(value.q)) if isinstance(value, fmpq) else sympify(value)


def certain_sign(x: Any) -> int:
    """Return 1 or -1 if x is certainly positive or negative, else 0."""
    return 1 if x > 0 else -1 if x < 0 else 0


def is_less(a: Any, b: Any) -> bool | None:
    """Return whether a < b, or None if balls overlap.

    The numbers are of the same kind, or a is a ball and b a rational.
    """
    if isinstance(a, arb) and isinstance(b, fmpq):  # python-flint would first round b to a ball
        middle, radius = midpoint(a), midpoint(a.rad())
        return True if middle + radius < b else False if middle - radius >= b else None
    if isinstance(a, fmpq) and isinstance(b, fmpq):  # python-flint would divide out common factors first
        return bool(a.p * b.q < b.p * a.q)
    if a < b:
        return True
    return False if a >= b else None


def embed_rational(x: Any) -> Callable[[fmpq], Any]:
    """Return the function that converts a rational to the kind of number of x.

    x is a number, an array or a polynomial.
    """
    if isinstance(x, np.ndarray):
        return embed_rational(x.flat[0] if x.size and x.dtype == object else 0.0)
    if isinstance(x, float | np.floating | complex):
        return to_float
    if is_mpf(x):
        return lambda q: x.context.mpf(int(q.p)) / int(q.q)
    if hasattr(x, "is_Rational"):  # SymPy
        return to_sympy
    return lambda q: q
