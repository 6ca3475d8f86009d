"""FLINT rationals and balls that can be formatted, rounded and compared like Python numbers.

A ball is formatted with the digits that it proves, at most as many as requested, or with its radius if it
proves none. A comparison of balls is true if it holds for all numbers in them. Rounding, the floor and the
truth value of a ball raise ``Undecided`` if they are not the same for all numbers in it.

>>> f"{Rational(1, 8):.2f}", f"{Enclosed(arb(0.1234, 1e-6)):.3f}", f"{Enclosed(arb(0.1234, 1e-3)):.3f}"
('0.12', '0.123', '0.12')
>>> f"{Enclosed(arb(0.5, 0.1)):.3f}", round(Rational(2, 3), 2), Rational(1, 2) == 0.5
('0.50 ± 0.11', 0.67, True)
"""

from __future__ import annotations

import numbers
import operator
import re
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import fields, is_dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from math import isfinite
from typing import Any

import numpy as np
from flint import arb, ctx, fmpq, fmpz

from ..errors import Undecided
from .pickles import ball_parts, read_ball
from .rationals import (
    QQ,
    Bounds,
    bounds,
    common_text,
    format_decimal,
    format_interval,
    is_mpf,
    midpoint,
    precision_bits,
    to_float,
    to_text,
)

FORMAT_SPEC = re.compile(  # fill, align, sign, #, 0, width, grouping, digits, kind
    r"(?:(.?)([<>=^]))?([-+ ]?)z?(#?)(0?)(\d*)([,_]?)(?:\.(\d+))?([eEfFgG%]?)", re.DOTALL
)
_MAX_SHOWN = 100  # length of a fraction above which it is not shown


def to_quantity(x: Any) -> Any:
    """Convert a rational, ball or float to the type that results use."""
    if isinstance(x, fmpq):
        return x if isinstance(x, Rational) else Rational(x)
    if isinstance(x, arb):
        return x if isinstance(x, Enclosed) else Enclosed(x)
    return float(x) if isinstance(x, float) else x  # also an np.float64


class Quantity:
    """Base class of numbers that lie between two rational bounds.

    A number is formatted and rounded only as far as both bounds agree.
    """

    def bounds(self, digits: int = 0) -> Bounds:
        """Return a rational lower and upper bound; more digits may give closer ones."""
        raise NotImplementedError

    def __format__(self, spec: str) -> str:
        match = FORMAT_SPEC.fullmatch(spec)
        if match is None or (match[8] is None and not match[9]):
            return format(str(self), spec)
        fill, align, sign, sharp, zero, width, group, digits, kind = match.groups()
        head = sign + f"0{width}" * bool(zero and group) + "," * bool(group)
        asked = 6 if digits is None else int(digits)

        def pad(text: str, fill: str | None, align: str | None) -> str:
            return _pad(text, fill or " ", align or ">", int(width or 0))

        try:
            tries = [self.bounds(work) for work in (asked + 30, 8 * asked + 300)]  # the second for near ties
        except Undecided:
            return pad("undefined", fill, align)
        write = lambda q, k, mode: _format_like_float(q, f"{head}.{k}{kind}", 8 * asked + 300, mode, sharp)  # noqa: E731
        if (shown := common_text(tries, asked, write)) is not None:
            return pad(shown.replace(",", group or ","), fill or zero, align or "=" * bool(zero))
        low, high = tries[-1]
        scale = 100 if kind == "%" else 1
        return pad(format_interval(low * scale, high * scale, "%" * (scale > 1)), fill, align)

    def __round__(self, digits: int | None = None) -> Any:
        """Round to an integer or, with ``digits``, to the float64 nearest to the rounded decimal."""
        low, high = (round(fmpq(end), digits or 0) for end in self.bounds(40 + (digits or 0)))
        if low != high:
            shown = " or to ".join(map(to_text, (low, high)))
            hint = "compute it with more digits, or round to fewer decimals"
            raise Undecided(f"the number rounds to {shown}; {hint}", (low, high))
        return int(low.p) if digits is None else to_float(low)

    def _to_integer(self, name: str) -> int:
        low, high = (int(getattr(fmpq(end), name)()) for end in self.bounds(40))
        if low != high:
            message = f"the {name} of the number may be {low} or {high}; compute it with more digits"
            raise Undecided(message, (low, high))
        return low

    def __floor__(self) -> int:
        return self._to_integer("floor")

    def __ceil__(self) -> int:
        return self._to_integer("ceil")

    def __trunc__(self) -> int:
        return self._to_integer("trunc")

    __int__ = __trunc__


def _pad(text: str, fill: str, align: str, width: int) -> str:
    if align == "=" and text[:1] in "+- ":
        return text[0] + text[1:].rjust(width - 1, fill)
    return f"{text:{fill}{'>' if align == '=' else align}{width}}"


def _format_like_float(q: fmpq, spec: str, work: int, mode: str, sharp: str = "") -> str:
    """Format a rational as a float would be; with ``sharp``, g keeps trailing zeros."""
    if not q:
        return format(0.0, spec)
    size = work + max(0, q.p.bit_length() - q.q.bit_length()) * 302 // 1000
    x = Context(size, mode).divide(Decimal(int(q.p)), Decimal(int(q.q)))
    with localcontext(Context(size + 10, ROUND_HALF_EVEN)):
        if sharp and spec[-1] in "gG":
            digits = max(1, int(spec[:-1].rpartition(".")[2]))
            x = Context(digits).plus(x)
            x = x.quantize(Decimal(1).scaleb(x.adjusted() - digits + 1))
        shown = format(x, spec)
        if x < 0 and not re.search("[1-9]", shown.lower().split("e")[0]):  # not "-0.00"
            shown = format(abs(x), spec)
        return re.sub(r"([eE][+-])(\d)$", r"\g<1>0\2", shown)


class Rational(Quantity, fmpq):  # type: ignore[misc]
    """A rational number in a result."""

    def bounds(self, digits: int = 0) -> Bounds:
        return self, self

    def __repr__(self) -> str:
        length = len(str(self))
        if length <= _MAX_SHOWN:
            return str(self)
        return f"{format_decimal(self, 20)}... (a fraction of {length} characters)"

    def _repr_latex_(self) -> str | None:
        if len(str(self)) > _MAX_SHOWN:
            return None
        if self.q == 1:
            return f"${self.p}$"
        return rf"$\displaystyle {'-' * (self < 0)}\frac{{{abs(self.p)}}}{{{self.q}}}$"

    def __float__(self) -> float:
        return to_float(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return Rational, (int(self.p), int(self.q))

    @property
    def numerator(self) -> int:  # type: ignore[override]
        return int(self.p)

    @property
    def denominator(self) -> int:  # type: ignore[override]
        return int(self.q)

    __hash__ = fmpq.__hash__  # equal to the hash of an equal Python number


numbers.Rational.register(Rational)  # so that Fraction(x) accepts it


class Enclosed(Quantity, arb):
    """A number in a ball.

    ``==`` is true only if equality is certain. A ball with a positive radius is not equal to anything, not
    even to itself, since it contains different numbers; ``structurally_equal`` compares the balls.
    """

    def bounds(self, digits: int = 0) -> Bounds:
        """Return the exact endpoints of the ball."""
        if not self.is_finite():
            raise Undecided("the ball is unbounded; compute the number with more digits")
        return bounds(self, digits)

    def __bool__(self) -> bool:
        if self.is_zero() or not self.contains(0):
            return not self.is_zero()
        raise Undecided(f"{format_decimal(self, 6)} may or may not be 0; compute the number with more digits")

    def _repr_latex_(self) -> str:
        text = format(self, ".15g").replace("±", r"\pm").replace("undefined", r"\text{undefined}")
        return "$" + re.sub(r"e([+-])0*(\d+)", _latex_power, text) + "$"

    def __reduce__(self) -> tuple[Any, ...]:
        return read_ball, (Enclosed, *ball_parts(self))

    def __hash__(self) -> int:
        if not (self.is_finite() and self.is_exact()):
            raise TypeError("a ball with a positive radius has no hash; use float(x) or x.bounds()")
        return hash(midpoint(self))


def _latex_power(match: re.Match[str]) -> str:
    return rf" \cdot 10^{{{match[1].strip('+')}{match[2]}}}"


def structurally_equal(x: Any, y: Any) -> bool:
    """Return whether two values are equal, and balls and nan in them the same."""
    if x is y:
        return True
    if isinstance(x, arb) or isinstance(y, arb):
        return isinstance(x, arb) and isinstance(y, arb) and ball_parts(x) == ball_parts(y)
    if is_mpf(x) or is_mpf(y):  # possibly of different contexts
        return is_mpf(x) and is_mpf(y) and x._mpf_ == y._mpf_
    if isinstance(x, float) and isinstance(y, float):
        return x == y or (x != x and y != y)
    if isinstance(x, Mapping):
        same_keys = isinstance(y, Mapping) and x.keys() == y.keys()
        return same_keys and all(structurally_equal(x[key], y[key]) for key in x)
    if isinstance(x, np.ndarray) and isinstance(y, np.ndarray) and object not in (x.dtype, y.dtype):
        return np.array_equal(x, y)
    if isinstance(x, tuple | list | np.ndarray):
        return type(x) is type(y) and len(x) == len(y) and all(map(structurally_equal, x, y))
    names = [f.name for f in fields(x) if f.compare] if is_dataclass(x) else getattr(x, "__slots__", ())
    if names:
        same_type = type(x) is type(y)
        return same_type and all(structurally_equal(getattr(x, name), getattr(y, name)) for name in names)
    return bool(x == y)


# Operators: other operands are converted exactly, and balls keep their precision.

_PLAIN = (int, float, Fraction, Decimal, fmpq, fmpz)


def _make_operator(base: type, name: str) -> Callable[..., Any]:
    method = getattr(base, name)

    def calculate(self: Any, *others: Any) -> Any:
        others = tuple(QQ(x) if isinstance(x, float | Fraction | Decimal) else x for x in others)
        balls = [x.bits() for x in (self, *others) if isinstance(x, arb)]
        with precision_bits(max(ctx.prec, *balls)) if balls else nullcontext():
            return to_quantity(method(self, *others))

    return calculate


def _make_comparison(base: type, name: str, side: int) -> Callable[..., Any]:
    """Return a comparison that is exact for rationals (FLINT would first round them to balls)."""
    method, compare = getattr(base, f"__{name}__"), getattr(operator, name)

    def decide(self: Any, other: Any) -> Any:
        if not isinstance(other, _PLAIN) or isinstance(other, bool):
            return method(self, other)
        if isinstance(other, float) and not isfinite(other):
            return compare(0.0, other)
        if base is fmpq or not self.is_finite():
            return method(self, QQ(other))
        low, high = self.bounds()
        if name in ("eq", "ne"):
            return low == high == QQ(other) if name == "eq" else not low <= QQ(other) <= high
        return compare(high if side else low, QQ(other))

    return decide


for _kind, _base in ((Rational, fmpq), (Enclosed, arb)):
    for _name in ("add", "sub", "mul", "truediv", "pow"):
        for _operator in (f"__{_name}__", f"__r{_name}__"):
            setattr(_kind, _operator, _make_operator(_base, _operator))
    for _operator in ("__neg__", "__pos__", "__abs__"):
        setattr(_kind, _operator, _make_operator(_base, _operator))
    for _name, _side in (("lt", 1), ("le", 1), ("gt", 0), ("ge", 0), ("eq", 0), ("ne", 0)):
        setattr(_kind, f"__{_name}__", _make_comparison(_base, _name, _side))


@lru_cache(maxsize=64)
def mpmath_context(bits: int) -> Any:
    """Return an mpmath context of so many bits, whose numbers can be formatted and pickled."""
    import mpmath

    own = mpmath.MPContext()
    own.prec = bits
    own.mpf.__format__ = lambda x, spec: format(Rational(QQ(x)) if spec and own.isfinite(x) else str(x), spec)
    own.mpf.__reduce__ = lambda x: (read_mpf, (bits, tuple(map(int, x._mpf_))))
    return own


def read_mpf(bits: int, parts: tuple[int, ...]) -> Any:
    """Return an mpf from its parts (unpickling)."""
    return mpmath_context(bits).make_mpf(parts)
