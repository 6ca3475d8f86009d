"""The doors: how numbers enter and leave.

``QQ`` is the one way in; ``text`` and ``decimal`` are the ways out. After that plain operators do the work.

>>> QQ("0.1"), QQ(0.5), QQ("0x1.8p-1"), QQ("-3/7")
(1/10, 1/2, 3/4, -3/7)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from math import inf, isfinite, nextafter
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
_DECIMAL = re.compile(r"([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?", re.ASCII)
_HEX = re.compile(r"([+-]?)0[xX]([0-9a-fA-F]*)\.?([0-9a-fA-F]*)(?:[pP]([+-]?\d+))?", re.ASCII)


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
        sign, whole, part = match[1], match[2], match[3]
        if whole or part:
            exp = _exponent(text, match[4], MAX_EXPONENT * 4, place)
            return dyadic(int(sign + whole + part, 16), exp - 4 * len(part))
    elif match := _DECIMAL.fullmatch(text):
        sign, whole, part = match[1], match[2], match[3]
        if whole or part:
            exp = _exponent(text, match[4], MAX_EXPONENT, place) - len(part)
            man = fmpz((sign if sign == "-" else "") + whole + part)
            return fmpq(man * fmpz(10) ** exp) if exp >= 0 else fmpq(man, fmpz(10) ** -exp)
    raise NotANumber(text, place)


def _exponent(text: str, exponent: str | None, most: int, place: str) -> int:
    """Return the exponent of a number, 0 if it has none."""
    found = fmpz((exponent or "0").lstrip("+"))
    if abs(found) > most:
        raise NotANumber(text, place, most)
    return int(found)


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


def nonnegative_sqrt(ball: arb) -> arb:
    """The square root of a number >= 0 whose ball may reach below 0."""
    low, high = (arb(end).max(arb(0)).sqrt() for end in (ball.lower(), ball.upper()))
    return low.union(high)


def decimal(value: Any, digits: int = 16, radius: bool = True) -> str:
    """Write a number as a decimal of at most ``digits`` significant digits, each of which is proved.

    A digit is proved if *every* number that the value may be (every number of a ball; a rational itself)
    rounds to the decimal shown, at that many digits. Rounding is to the nearest, a tie goes to the even
    digit; trailing zeros are digits like the others. Digits that are not determined are not shown. If not
    even one digit is, the text is "middle ± radius" and holds the whole ball; "0 ± radius" if that contains
    0. Without ``radius``, a ball that contains 0 and lies within 10**-digits of it is written "0", so that a
    program can read it as a number. What is not finite is "undefined". A float64 or a number of mpmath's
    proves nothing; it is rounded to the digits asked for.

    >>> decimal(QQ("2/3"), 4), decimal(QQ("1/8"), 2), decimal(arb(1, 0.001), 9), decimal(arb(1, 0.5))
    ('0.6667', '0.12', '1.0', '1.00 ± 0.51')
    """
    if isinstance(value, float):
        return f"{value:.{min(digits, 17)}g}"
    if is_mpf(value):
        return value.context.nstr(value, digits)
    if isinstance(value, arb) and not value.is_finite():
        return "undefined"
    tries = [bounds(value, work) for work in (digits + 5, 8 * digits + 300)[: 1 + hasattr(value, "ball")]]
    low, high = tries[-1]
    most = min(digits, _determined(low, high))
    shown = agreed(tries, most, lambda q, k, _: _significant(q, max(k, 1)))
    if shown is not None:
        return shown
    if low <= 0 <= high and max(high, -low) < fmpq(10) ** -digits and not radius:
        return "0"
    return spread(low, high)


def rounded_up(bound: Any, digits: int = 2) -> str:
    """Write an upper bound >= 0 as a decimal that is at least the bound.

    >>> rounded_up(4.0092e-07), rounded_up(arb("0.1"), 3), rounded_up(0), rounded_up(QQ(25))
    ('4.1e-7', '0.101', '0', '25')
    """
    return _one_sided(bound, digits, ROUND_CEILING)


def rounded_down(bound: Any, digits: int = 2) -> str:
    """Write a lower bound >= 0 as a decimal that is at most the bound."""
    return _one_sided(bound, digits, ROUND_FLOOR)


def digits_of(error: arb) -> float:
    """Return how many digits are right at least, if the relative error is at most ``error``.

    That is -log10 of the error, rounded down: at most 99, and -inf if the error has no finite bound.
    """
    top = arb(error.upper())
    if not top.is_finite():
        return -inf
    return 99.0 if top <= 0 else min(99.0, float_below(-(top.log() / arb(10).log())))


def digits_down(count: float) -> str:
    """Write how many digits are right, to one decimal, and never more than there are.

    >>> digits_down(6.397), digits_down(6.3), digits_down(-0.01)
    ('6.3', '6.2', '-0.1')
    """
    return str(Decimal(count).quantize(Decimal("0.1"), ROUND_FLOOR)) if isfinite(count) else str(count)


def digits_up(count: float) -> str:
    """Write how many digits are needed, to one decimal, and never fewer than are."""
    return str(-Decimal(digits_down(-count))) if isfinite(count) else str(count)


def float_above(x: Any) -> float:
    """Return a float64 that is at least every number that x may be, next to the greatest of them."""
    high = bounds(x, 30)[1]
    near = real(high)
    return near if QQ(near) >= high else nextafter(near, inf)


def float_below(x: Any) -> float:
    """Return a float64 that is at most every number that x may be, next to the least of them."""
    return -float_above(-x)


def _one_sided(bound: Any, digits: int, mode: str) -> str:
    if isinstance(bound, arb | float) and not isfinite(float(bound)):
        return str(float(bound))
    low, high = bounds(bound, digits + 30)
    end = high if mode == ROUND_CEILING else max(low, fmpq(0))
    return _significant(end, digits, mode)


Bounds = tuple[fmpq, fmpq]


def bounds(value: Any, digits: int) -> Bounds:
    """Return the least and the greatest rational that a finite number may be; closer for more digits."""
    if hasattr(value, "ball"):
        value = value.ball(digits)
    if not isinstance(value, arb):
        return QQ(value), QQ(value)
    middle, radius = midpoint(value), midpoint(value.rad())
    return middle - radius, middle + radius


def _determined(low: fmpq, high: fmpq) -> int:
    """Return a number of digits beyond which the two ends differ."""
    if low == high:
        return MAX_DIGITS
    ratio = max(high, -low) / (high - low)
    return max(0, (ratio.p.bit_length() - ratio.q.bit_length() + 1) * 302 // 1000) + 2


def agreed(tries: Sequence[Bounds], digits: int, write: Callable[..., str]) -> str | None:
    """Return what both ends are written as, with the most digits for which that is the same text, or None.

    ``write(q, k, mode)`` writes an end to k digits; ``mode`` is the way in which it may round before that.
    ``tries`` are enclosures of one number, the closest last.
    """
    for k in range(digits, -1, -1):
        for low, high in tries:
            shown = write(low, k, ROUND_FLOOR)
            if shown == write(high, k, ROUND_CEILING):
                return shown
    return None


def spread(low: fmpq, high: fmpq, unit: str = "") -> str:
    """Write middle and radius, to two digits of the radius; all that lies between the ends is within it.

    The middle is 0 if 0 lies between the ends.
    """
    centre = fmpq(0) if low <= 0 <= high else (low + high) / 2
    half = max(high - centre, centre - low)
    size = Context(2, ROUND_CEILING).divide(Decimal(int(half.p)), Decimal(int(half.q)))
    step = size.adjusted() - 1
    scale = fmpq(10) ** step
    middle = round(centre / scale)
    radius = max(high / scale - middle, middle - low / scale).ceil()
    shown = (Decimal(int(k)).scaleb(step) if k else Decimal(0) for k in (middle, radius))
    return " ± ".join(format(x, "f" if abs(step) < 7 else "").replace("E", "e") + unit for x in shown)


def _significant(q: fmpq, digits: int, mode: str = ROUND_HALF_EVEN) -> str:
    """Write a rational, correctly rounded to so many significant digits, as FLINT writes them."""
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
    """python-flint's precision is process-global: this sets it and puts it back, for one thread at a time."""
    with _SCOPE, ctx.workprec(bits):
        yield


def precision(digits: int) -> AbstractContextManager[None]:
    """The working precision for so many digits."""
    return precision_bits(bits(digits))


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


def embed_rational(x: Any) -> Callable[[fmpq], Any]:
    """How a rational coefficient enters the arithmetic that x (a number, an array, a polynomial) is in."""
    if isinstance(x, np.ndarray):
        return embed_rational(x.flat[0] if x.size and x.dtype == object else 0.0)
    if isinstance(x, float | np.floating | complex):
        return real
    if is_mpf(x):
        return lambda q: x.context.mpf(int(q.p)) / int(q.q)
    if hasattr(x, "is_Rational"):  # SymPy
        return symbolic
    return lambda q: q
