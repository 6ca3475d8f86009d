"""Numbers as results have them: FLINT's rationals and balls, formatted, rounded and compared as Python's.

A ball prints only what it proves: as many of the digits asked for as all of it rounds to, or its radius where
that is none. It is less than another where all of it is, and rounds where all of it rounds to one number;
what it does not tell, such as its floor or whether it is 0, is ``Undecided``.

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
    agreed,
    bounds,
    decimal,
    is_mpf,
    midpoint,
    precision_bits,
    real,
    spread,
    text,
)

SPEC = re.compile(  # fill, align, sign, #, 0, width, grouping, digits, kind
    r"(?:(.?)([<>=^]))?([-+ ]?)z?(#?)(0?)(\d*)([,_]?)(?:\.(\d+))?([eEfFgG%]?)", re.DOTALL
)
_SHOWN = 100  # characters of a fraction that are shown


def quantity(x: Any) -> Any:
    """A number as a result has it."""
    if isinstance(x, fmpq):
        return x if isinstance(x, Rational) else Rational(x)
    if isinstance(x, arb):
        return x if isinstance(x, Enclosed) else Enclosed(x)
    return float(x) if isinstance(x, float) else x  # NumPy's too


class Quantity:
    """A number between two rationals, its ``ends``: it is written and rounded as both of them are."""

    def bounds(self, digits: int = 0) -> Bounds:
        """The least and the greatest rational that it may be; nearer for more digits, where that is known."""
        raise NotImplementedError

    def __format__(self, spec: str) -> str:
        match = SPEC.fullmatch(spec)
        if match is None or (match[8] is None and not match[9]):
            return format(str(self), spec)
        fill, align, sign, sharp, zero, width, group, digits, kind = match.groups()
        head = sign + f"0{width}" * bool(zero and group) + "," * bool(group)
        asked = 6 if digits is None else int(digits)
        pad = lambda text, fill, align: _padded(text, fill or " ", align or ">", int(width or 0))  # noqa: E731
        try:
            tries = [
                self.bounds(work) for work in (asked + 30, 8 * asked + 300)
            ]  # ties, and what is near one
        except Undecided:
            return pad("undefined", fill, align)
        write = lambda q, k, mode: _written(q, f"{head}.{k}{kind}", 8 * asked + 300, mode, sharp)  # noqa: E731
        if (shown := agreed(tries, asked, write)) is not None:
            return pad(shown.replace(",", group or ","), fill or zero, align or "=" * bool(zero))
        low, high = tries[-1]
        scale = 100 if kind == "%" else 1
        return pad(spread(low * scale, high * scale, "%" * (scale > 1)), fill, align)

    def __round__(self, digits: int | None = None) -> Any:
        """The integer, or the float64 nearest to the decimal, that all of it rounds to."""
        low, high = (round(fmpq(end), digits or 0) for end in self.bounds(40 + (digits or 0)))
        if low != high:
            shown = " or to ".join(map(text, (low, high)))
            raise Undecided(f"it rounds to {shown}; raise digits, or round to fewer", (low, high))
        return int(low.p) if digits is None else real(low)

    def _whole(self, name: str) -> int:
        low, high = (int(getattr(fmpq(end), name)()) for end in self.bounds(40))
        if low != high:
            raise Undecided(
                f"its {name} is {low} or {high}: the ball does not tell; raise digits", (low, high)
            )
        return low

    def __floor__(self) -> int:
        return self._whole("floor")

    def __ceil__(self) -> int:
        return self._whole("ceil")

    def __trunc__(self) -> int:
        return self._whole("trunc")

    __int__ = __trunc__


def _padded(text: str, fill: str, align: str, width: int) -> str:
    if align == "=" and text[:1] in "+- ":
        return text[0] + text[1:].rjust(width - 1, fill)
    return f"{text:{fill}{'>' if align == '=' else align}{width}}"


def _written(q: fmpq, spec: str, work: int, mode: str, sharp: str = "") -> str:
    """By ``decimal``, an exponent as a float has it; ``sharp``: g keeps its zeros."""
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
        shown = (
            format(abs(x), spec) if x < 0 and not re.search("[1-9]", shown.lower().split("e")[0]) else shown
        )
        return re.sub(r"([eE][+-])(\d)$", r"\g<1>0\2", shown)


class Rational(Quantity, fmpq):  # type: ignore[misc]
    """A rational number."""

    def bounds(self, digits: int = 0) -> Bounds:
        """Itself, twice."""
        return self, self

    def __repr__(self) -> str:
        text = str(self)
        return (
            text if len(text) <= _SHOWN else f"{decimal(self, 20)}... (a fraction of {len(text)} characters)"
        )

    def _repr_latex_(self) -> str | None:
        if len(str(self)) > _SHOWN or self.q == 1:
            return f"${self.p}$" if len(str(self)) <= _SHOWN else None
        return rf"$\displaystyle {'-' * (self < 0)}\frac{{{abs(self.p)}}}{{{self.q}}}$"

    def __float__(self) -> float:
        return real(self)

    def __reduce__(self) -> tuple:
        return Rational, (int(self.p), int(self.q))

    @property
    def numerator(self) -> int:  # type: ignore[override]
        """As ``fractions.Fraction`` has it."""
        return int(self.p)

    @property
    def denominator(self) -> int:  # type: ignore[override]
        """Positive."""
        return int(self.q)

    __hash__ = fmpq.__hash__  # that of the equal Python number


numbers.Rational.register(Rational)  # so that Fraction(x) takes it


class Enclosed(Quantity, arb):
    """A number in a ball. ``==`` is True where that is certain: a ball that is no point equals nothing, not
    even itself, for two numbers may lie in it; ``same`` asks whether two balls are one."""

    def bounds(self, digits: int = 0) -> Bounds:
        """Of the ball, exactly."""
        if not self.is_finite():
            raise Undecided("nothing is known of this number; certify again, or raise digits")
        return bounds(self, digits)

    def __bool__(self) -> bool:
        if self.is_zero() or not self.contains(0):
            return not self.is_zero()
        raise Undecided(f"whether {decimal(self, 6)} is 0 is not told; compare it, or raise digits")

    def _repr_latex_(self) -> str:
        text = format(self, ".15g").replace("±", r"\pm").replace("undefined", r"\text{undefined}")
        return "$" + re.sub(r"e([+-])0*(\d+)", _power, text) + "$"

    def __reduce__(self) -> tuple:
        return read_ball, (Enclosed, *ball_parts(self))

    def __hash__(self) -> int:
        if not (self.is_finite() and self.is_exact()):
            raise TypeError("a ball has no hash: its number is not known; take float(x), or x.ends()")
        return hash(midpoint(self))


def _power(match: re.Match) -> str:
    return rf" \cdot 10^{{{match[1].strip('+')}{match[2]}}}"


def structurally_equal(x: Any, y: Any) -> bool:
    """Whether two values are made of the same: ``==``, but for balls (the same one), nan, and arrays."""
    if x is y:
        return True
    if isinstance(x, arb) or isinstance(y, arb):
        return isinstance(x, arb) and isinstance(y, arb) and ball_parts(x) == ball_parts(y)
    if is_mpf(x) or is_mpf(y):  # of two contexts, perhaps
        return is_mpf(x) and is_mpf(y) and x._mpf_ == y._mpf_
    if isinstance(x, float) and isinstance(y, float):
        return x == y or (x != x and y != y)
    if isinstance(x, Mapping):
        return (
            isinstance(y, Mapping)
            and x.keys() == y.keys()
            and all(structurally_equal(x[key], y[key]) for key in x)
        )
    if isinstance(x, np.ndarray) and isinstance(y, np.ndarray) and object not in (x.dtype, y.dtype):
        return np.array_equal(x, y)
    if isinstance(x, tuple | list | np.ndarray):
        return type(x) is type(y) and len(x) == len(y) and all(map(structurally_equal, x, y))
    held = (
        [field.name for field in fields(x) if field.compare]
        if is_dataclass(x)
        else [*getattr(x, "__slots__", ())]
    )
    if held:
        return type(x) is type(y) and all(
            structurally_equal(getattr(x, name), getattr(y, name)) for name in held
        )
    return bool(x == y)


# Operators: what enters is exact, balls keep their precision, and what comes out is such a number again.

_PLAIN = (int, float, Fraction, Decimal, fmpq, fmpz)


def _calculated(base: type, name: str) -> Callable:
    method = getattr(base, name)

    def calculate(self: Any, *others: Any) -> Any:
        others = tuple(QQ(x) if isinstance(x, float | Fraction | Decimal) else x for x in others)
        balls = [x.bits() for x in (self, *others) if isinstance(x, arb)]
        with precision_bits(max(ctx.prec, *balls)) if balls else nullcontext():
            return quantity(method(self, *others))

    return calculate


def _compared(base: type, name: str, side: int) -> Callable:
    """With a rational by the end that decides: FLINT would round the rational first."""
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
            setattr(_kind, _operator, _calculated(_base, _operator))
    for _operator in ("__neg__", "__pos__", "__abs__"):
        setattr(_kind, _operator, _calculated(_base, _operator))
    for _name, _side in (("lt", 1), ("le", 1), ("gt", 0), ("ge", 0), ("eq", 0), ("ne", 0)):
        setattr(_kind, f"__{_name}__", _compared(_base, _name, _side))


@lru_cache(maxsize=64)
def context(bits: int) -> Any:
    """mpmath's, with so many bits: never the global one. Its numbers format and pickle."""
    import mpmath

    made = mpmath.MPContext()
    made.prec = bits
    made.mpf.__format__ = lambda x, spec: format(
        Rational(QQ(x)) if spec and made.isfinite(x) else str(x), spec
    )
    made.mpf.__reduce__ = lambda x: (read_mpf, (bits, tuple(map(int, x._mpf_))))
    return made


def read_mpf(bits: int, parts: tuple) -> Any:
    """A number of mpmath's from its parts."""
    return context(bits).make_mpf(parts)
