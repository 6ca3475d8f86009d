"""Relations that judge: equal, different, less, true. Exact values and balls decide; floats may not.

>>> Equal(fmpq(1, 3), fmpq(2, 6)).decide(), Less(arb(1) / 3, arb(1) / 3).decide()
('HOLDS', 'UNDECIDED')
>>> Equal(0.1, 0.1).decide()
Traceback (most recent call last):
TypeError: a float judges nothing: 0.1 (compare exact values or balls)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, fmpq

from .arithmetic import decimal, is_mpf
from .profile import Ratio

HOLDS, FAILS, UNDECIDED, SKIPPED = "HOLDS", "FAILS", "UNDECIDED", "SKIPPED"
LONG = 90


class Relation:
    where: str = ""

    def decide(self) -> str:
        raise NotImplementedError

    def evidence(self) -> str:
        return self.where


@dataclass(frozen=True)
class Note(Relation):
    """Evidence only: nothing is decided by it."""

    text: str


@dataclass(frozen=True)
class Unknown(Relation):
    """Something that cannot be decided, and why."""

    where: str

    def decide(self) -> str:
        return UNDECIDED


@dataclass(frozen=True)
class Holds(Relation):
    """A fact decided by exact means elsewhere."""

    truth: bool
    where: str = ""

    def decide(self) -> str:
        if not isinstance(self.truth, bool | np.bool_):
            raise TypeError(f"Holds takes True or False, not {type(self.truth).__name__}")
        return HOLDS if self.truth else FAILS


@dataclass(frozen=True)
class _Pair(Relation):
    left: Any
    right: Any
    where: str = ""
    sign = "="

    def evidence(self) -> str:
        left, right = shown(self.left), shown(self.right)
        place = f"{self.where}: " if self.where else ""
        return f"{place}{left} {self.sign} {right} is false"


@dataclass(frozen=True)
class Equal(_Pair):
    def decide(self) -> str:
        return _all(_equal, self.left, self.right)


@dataclass(frozen=True)
class Differs(_Pair):
    sign = "!="

    def decide(self) -> str:
        return {HOLDS: FAILS, FAILS: HOLDS}.get(_all(_equal, self.left, self.right), UNDECIDED)


@dataclass(frozen=True)
class Less(_Pair):
    """left < right; with ``strict=False`` left <= right."""

    strict: bool = True

    @property
    def sign(self) -> str:  # type: ignore[override]
        return "<" if self.strict else "<="

    def decide(self) -> str:
        return _less(_exact(self.left), _exact(self.right), self.strict)


def shown(value: Any) -> str:
    """A value as evidence: short, exact where it fits."""
    if isinstance(value, arb | Ratio):
        return decimal(value, 15)
    text = str(value)
    if len(text) <= LONG:
        return text
    return decimal(value, 15) + "..." if isinstance(value, fmpq) else text[: LONG - 3] + "..."


def _all(decide: Callable[[Any, Any], str], a: Any, b: Any) -> str:
    """Containers agree when their shapes and all their members do."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        a, b = np.asarray(a, dtype=object), np.asarray(b, dtype=object)
        if a.shape != b.shape:
            return FAILS
        a, b = list(a.flat), list(b.flat)
    if isinstance(a, dict) and isinstance(b, dict):
        if a.keys() != b.keys():
            return FAILS
        a, b = [a[key] for key in a], [b[key] for key in a]
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        if len(a) != len(b):
            return FAILS
        outcomes = {_all(decide, x, y) for x, y in zip(a, b, strict=True)}
        return next((o for o in (FAILS, UNDECIDED) if o in outcomes), HOLDS)
    return decide(_exact(a), _exact(b))


def _exact(value: Any) -> Any:
    """The value, if it may judge."""
    if isinstance(value, float | np.floating | complex | np.complexfloating) or is_mpf(value):
        raise TypeError(f"a float judges nothing: {value} (compare exact values or balls)")
    if isinstance(value, Fraction):
        return fmpq(value.numerator, value.denominator)
    if hasattr(value, "free_symbols"):
        from sympy import Float

        if value.has(Float):
            raise TypeError(f"a float judges nothing: {value} (compare exact values or balls)")
        if value.is_Rational:
            return fmpq(int(value.p), int(value.q))
    return value


def _is_symbolic(*values: Any) -> bool:
    return any(hasattr(value, "free_symbols") for value in values)


def _equal(a: Any, b: Any) -> str:
    if isinstance(a, Ratio) and isinstance(b, Ratio) and _same(a, b):
        return HOLDS
    if isinstance(a, arb | Ratio) or isinstance(b, arb | Ratio):
        a, b = _ball(a), _ball(b)
        if a.is_exact() and b.is_exact():
            return HOLDS if a == b else FAILS
        return UNDECIDED if a.overlaps(b) else FAILS
    if _is_symbolic(a, b):
        return _zero(_symbolic(a) - _symbolic(b))
    return HOLDS if a == b else FAILS


def _same(a: Ratio, b: Ratio) -> bool:
    return a.numerator * b.denominator == b.numerator * a.denominator


def _less(a: Any, b: Any, strict: bool) -> str:
    if isinstance(a, arb | Ratio) or isinstance(b, arb | Ratio):
        a, b = _ball(a), _ball(b)
        if a < b or (not strict and a <= b):
            return HOLDS
        return FAILS if a > b or (strict and a >= b) else UNDECIDED
    if _is_symbolic(a, b):
        from sympy import simplify

        difference = simplify(_symbolic(b) - _symbolic(a))
        truth = difference.is_positive if strict else difference.is_nonnegative
        return UNDECIDED if truth is None else HOLDS if truth else FAILS
    return HOLDS if (a < b if strict else a <= b) else FAILS


def _ball(value: Any) -> arb:
    return value.ball() if isinstance(value, Ratio) else value if isinstance(value, arb) else arb(value)


def _symbolic(value: Any) -> Any:
    from sympy import Rational, sympify

    return Rational(int(value.p), int(value.q)) if isinstance(value, fmpq) else sympify(value)


def _zero(difference: Any) -> str:
    """Is a SymPy expression (or polynomial) identically zero? Rational functions are decided by expansion."""
    from sympy import Poly, simplify, together

    if isinstance(difference, Poly):
        return HOLDS if difference.is_zero else FAILS
    numerator = together(difference).as_numer_denom()[0].expand()
    if numerator.is_zero:
        return HOLDS
    if numerator.is_rational_function() and numerator.is_polynomial():
        return FAILS
    if simplify(difference) == 0:
        return HOLDS
    answer = difference.equals(0)
    return UNDECIDED if answer is None else HOLDS if answer else FAILS
