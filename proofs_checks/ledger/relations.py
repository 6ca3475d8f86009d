"""Relations between exact values or balls: equal, different, less, true. Floats are rejected.

>>> Equal(fmpq(1, 3), fmpq(2, 6)).decide(), Less(arb(1) / 3, arb(1) / 3).decide()
('HOLDS', 'UNDECIDED')
>>> Equal(0.1, 0.1).decide()
Traceback (most recent call last):
TypeError: the float 0.1 decides nothing; compare exact values or balls
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any

import numpy as np
from flint import arb, fmpq

from orca_exact.files.outcomes import FAILS, HOLDS, UNDECIDED
from orca_exact.numbers.rationals import is_mpf, precision_digits, to_sympy
from orca_exact.svm.tau import Ratio

from .wording import format_value, join_words, latex

SIGNS = {"=": "=", "≠": r"\ne", ">": ">", "≥": r"\ge"}
CONTAINERS = (list, tuple, dict, set, frozenset, np.ndarray)
FEW_DIGITS, SHORT = 6, 60  # digits of a ball, and most characters, in the evidence of what holds
FLOAT = "the float {} decides nothing; compare exact values or balls"


class Relation:
    """A statement that can be decided; claims yield relations."""

    where: str = ""

    def decide(self) -> str:
        """Return HOLDS, FAILS or UNDECIDED."""
        raise NotImplementedError

    def evidence(self, outcome: str = FAILS) -> str:
        """Return what is true instead, for an outcome other than HOLDS; a referee can quote it."""
        return self.where

    def shown(self) -> str:
        """Return what holds, with its numbers, for a relation that HOLDS."""
        return self.where

    def counterexample(self) -> str:
        """Return what a reader of errata needs of a failure; ``formula`` is a part of it."""
        return self.evidence()

    def formula(self) -> tuple[str, str]:
        """Return the formula in the evidence of a failure, as plain text and in LaTeX."""
        return "", ""


@dataclass(frozen=True)
class Note(Relation):
    """A text for the evidence, which decides nothing."""

    text: str


@dataclass(frozen=True)
class Unknown(Relation):
    """A statement that cannot be decided; ``where`` gives the reason."""

    where: str

    def decide(self) -> str:
        return UNDECIDED


@dataclass(frozen=True)
class Holds(Relation):
    """A fact that exact computation has decided; ``where`` says what was found, also for a failure."""

    truth: bool
    where: str = ""

    def decide(self) -> str:
        if not isinstance(self.truth, bool | np.bool_):
            raise TypeError(f"Holds needs True or False, not {type(self.truth).__name__}")
        return HOLDS if self.truth else FAILS


@dataclass(frozen=True)
class _Pair(Relation):
    left: Any
    right: Any
    where: str = ""
    sign = "="

    def evidence(self, outcome: str = FAILS) -> str:
        if _is_empty(self.left) and _is_empty(self.right):
            found = "nothing was compared"
        elif outcome == FAILS:
            found = self._failure()
        else:
            found = (
                f"it is not decided whether {format_value(self.left)} {self.sign} {format_value(self.right)}"
            )
        return ": ".join(filter(None, (self.where, found)))

    def shown(self) -> str:
        left, right = format_value(self.left, FEW_DIGITS), format_value(self.right, FEW_DIGITS)
        found = f"{left} {self.sign} {right}"
        short = len(found) <= SHORT
        return ": ".join(filter(None, (self.where, found * short)))

    def counterexample(self) -> str:
        return ": ".join(filter(None, (self.where, self._difference())))

    def formula(self) -> tuple[str, str]:
        # As many digits as are needed to see the difference.
        digits = next((d for d in (6, 12) if format_value(self.left, d) != format_value(self.right, d)), 24)
        sign, (left, right) = self._true_sign(), (latex(side, digits) for side in (self.left, self.right))
        text = f"{format_value(self.left, digits)} {sign} {format_value(self.right, digits)}"
        return (text, f"{left} {SIGNS[sign]} {right}") if left and right else (text, "")

    def _true_sign(self) -> str:
        """Return the sign that is true between left and right if the relation fails."""
        return "≠"

    def _failure(self) -> str:
        return f"{self.formula()[0]}, but {self.sign} is claimed"

    def _difference(self) -> str:
        """Return the true relation, with the claimed one where the true one alone would not contradict it."""
        return self._failure() if self._true_sign() == "=" else self.formula()[0]


@dataclass(frozen=True)
class Equal(_Pair):
    """Exact equality; containers are compared member by member."""

    def decide(self) -> str:
        return _all_equal(self.left, self.right)

    def _failure(self) -> str:
        pairs = list(_members(self.left, self.right))
        more = f" ({len(self._differ())} of {len(pairs)} entries differ)" if len(pairs) > 1 else ""
        return self._difference() + more

    def _differ(self) -> list[tuple[str, Any, Any]]:
        """Return (place, member, member) of the entries that differ."""
        pairs = _members(self.left, self.right)
        return [(place, x, y) for place, x, y in pairs if _equal(_exact(x), _exact(y)) == FAILS]

    def _difference(self) -> str:
        place, x, y = self._differ()[0]
        if isinstance(x, set | frozenset) and isinstance(y, set | frozenset):
            only = (
                f"only in the {nth}: {join_words(own)}" for nth, own in (("first", x - y), ("second", y - x))
            )
            text = f"{len(x)} and {len(y)} members; {'; '.join(only)}"
        else:
            text = Equal(x, y).formula()[0]
        return ": ".join(filter(None, (place, text)))


@dataclass(frozen=True)
class Differs(_Pair):
    """Proved inequality: left is not equal to right."""

    sign = "≠"

    def decide(self) -> str:
        return {HOLDS: FAILS, FAILS: HOLDS}.get(_all_equal(self.left, self.right), UNDECIDED)

    def _true_sign(self) -> str:
        return "="

    def _failure(self) -> str:
        if isinstance(self.left, CONTAINERS):
            size = len(list(_members(self.left, self.right)))
            return f"the two are equal in all {size} entries, but a difference is claimed"
        return super()._failure()


@dataclass(frozen=True)
class Less(_Pair):
    """left < right, or left <= right with ``strict=False``."""

    strict: bool = True

    @property
    def sign(self) -> str:  # type: ignore[override]
        return "<" if self.strict else "≤"

    def decide(self) -> str:
        return _less(_exact(self.left), _exact(self.right), self.strict)

    def _true_sign(self) -> str:
        left, right = _exact(self.left), _exact(self.right)
        return ">" if _less(right, left, True) == HOLDS else "=" if _equal(left, right) == HOLDS else "≥"


def _all_equal(a: Any, b: Any) -> str:
    """Compare shapes and all members; two empty containers are UNDECIDED."""
    outcomes = {_equal(_exact(x), _exact(y)) for _, x, y in _members(a, b)}
    return next((o for o in (FAILS, UNDECIDED) if o in outcomes), HOLDS if outcomes else UNDECIDED)


def _members(a: Any, b: Any, at: tuple = ()) -> Iterator[tuple[str, Any, Any]]:
    """Yield (place, member, member) for all pairs to compare; different sizes are one pair of sizes."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        a, b = np.asarray(a, dtype=object), np.asarray(b, dtype=object)
    left, right = _entries(a), _entries(b)
    if left is None or right is None or isinstance(a, dict) != isinstance(b, dict):
        if not (_is_empty(a) and _is_empty(b)):
            yield _place(at), a, b
        return
    _exact(tuple(left)), _exact(tuple(right))
    if left.keys() != right.keys():
        _exact(a), _exact(b)
        yield _place(at, "keys" if isinstance(a, dict) else "size"), _size(a), _size(b)
        return
    for k, x in left.items():
        yield from _members(x, right[k], at + k)


def _entries(value: Any) -> dict[tuple, Any] | None:
    """Return the members of a container by index, counted from 1, or None for other values."""
    if isinstance(value, np.ndarray):
        return {tuple(k + 1 for k in index): x for index, x in np.ndenumerate(value)}
    if isinstance(value, dict | list | tuple):
        return {(k,): x for k, x in (value.items() if isinstance(value, dict) else enumerate(value, 1))}
    return None


def _size(value: Any) -> Any:
    if isinstance(value, dict):
        return set(value)
    return value.shape if isinstance(value, np.ndarray) else len(value)


def _place(at: tuple, what: str = "") -> str:
    """Return 'entry 2', 'entry (2, 1)' or 'size of entry 2'."""
    entry = f"entry {format_value(at[0] if len(at) == 1 else at)}" if at else ""
    return " of ".join(filter(None, (what, entry)))


def _is_empty(value: Any) -> bool:
    return isinstance(value, CONTAINERS) and not len(value)


def _exact(value: Any) -> Any:
    """Return the value with rationals as fmpq, or raise TypeError if it is or contains a float."""
    if isinstance(value, dict):
        value = tuple(value.items())
    if isinstance(value, list | tuple | set | frozenset | np.ndarray):
        for member in value.flat if isinstance(value, np.ndarray) else value:
            _exact(member)
        return value
    if isinstance(value, float | np.floating | complex | np.complexfloating) or is_mpf(value):
        raise TypeError(FLOAT.format(value))
    if isinstance(value, Fraction):
        return fmpq(value.numerator, value.denominator)
    if hasattr(value, "free_symbols"):
        from sympy import Float

        if value.has(Float):
            raise TypeError(FLOAT.format(value))
        if value.is_Rational:
            return fmpq(int(value.p), int(value.q))
    return value


def _equal(a: Any, b: Any) -> str:
    if isinstance(a, Ratio) and isinstance(b, Ratio) and a == b:
        return HOLDS
    if isinstance(a, arb | Ratio) or isinstance(b, arb | Ratio):
        a, b = _ball(a), _ball(b)
        if a.is_exact() and b.is_exact():
            return HOLDS if a == b else FAILS
        return UNDECIDED if a.overlaps(b) else FAILS
    if hasattr(a, "free_symbols") or hasattr(b, "free_symbols"):
        return _zero(to_sympy(a) - to_sympy(b))
    return HOLDS if a == b else FAILS


def _less(a: Any, b: Any, strict: bool) -> str:
    if isinstance(a, CONTAINERS) or isinstance(b, CONTAINERS):
        raise TypeError("Less compares two numbers; yield one relation for each member of a container")
    if isinstance(a, arb | Ratio) or isinstance(b, arb | Ratio):
        a, b = _ball(a), _ball(b)
        if a < b or (not strict and a <= b):
            return HOLDS
        return FAILS if a > b or (strict and a >= b) else UNDECIDED
    if hasattr(a, "free_symbols") or hasattr(b, "free_symbols"):
        from sympy import simplify

        difference = to_sympy(b) - to_sympy(a)
        if sign := _sign(difference):
            return HOLDS if sign > 0 else FAILS
        difference = simplify(difference)
        truth = difference.is_positive if strict else difference.is_nonnegative
        return UNDECIDED if truth is None else HOLDS if truth else FAILS
    return HOLDS if (a < b if strict else a <= b) else FAILS


def _ball(value: Any) -> arb:
    return value.ball() if isinstance(value, Ratio) else value if isinstance(value, arb) else arb(value)


def _zero(difference: Any) -> str:
    """Decide whether a SymPy expression or polynomial is identically zero.

    A polynomial is zero if all its coefficients are; a constant is not zero if a ball around it excludes 0.
    """
    from sympy import Poly, gamma, powsimp, simplify, together

    if isinstance(difference, Poly):
        if difference.is_zero:
            return HOLDS
        difference = difference.as_expr()
    numerator = together(difference).as_numer_denom()[0].expand(func=True)
    if numerator == 0:
        return HOLDS
    free = sorted(numerator.free_symbols, key=str)
    if free and numerator.is_polynomial(*free):
        outcomes = {_zero(c) for c in Poly(numerator, *free).coeffs()}
        return next((o for o in (FAILS, UNDECIDED) if o in outcomes), HOLDS)
    if _sign(numerator) or (free and _sign(_at_sample_point(difference))):
        return FAILS
    if powsimp(difference) == 0 or simplify(difference) == 0 or simplify(difference.rewrite(gamma)) == 0:
        return HOLDS
    return HOLDS if difference.equals(0) else UNDECIDED


def _at_sample_point(expression: Any) -> Any:
    """Return the expression at one point: integers for integer symbols, fractions for the others."""
    from sympy import Rational

    free = sorted(expression.free_symbols, key=str)
    return expression.subs(
        {x: Rational(k + 2) if x.is_integer else Rational(2 * k + 3, 7) for k, x in enumerate(free)}
    )


def _sign(constant: Any) -> int:
    """Return the sign of a constant if a ball around it excludes 0, else 0."""
    if constant.free_symbols:
        return 0
    for digits in (60, 240):
        with precision_digits(digits):
            ball = _enclose(constant)
            if ball is None or ball > 0 or ball < 0:
                return 0 if ball is None else 1 if ball > 0 else -1
    return 0


def _enclose(e: Any) -> arb | None:
    """Return a ball around a real constant, or None if it contains a function other than those below."""
    import sympy

    if e.is_Rational:
        return arb(fmpq(int(e.p), int(e.q)))
    if e is sympy.pi or e is sympy.E:
        return arb.pi() if e is sympy.pi else arb(1).exp()
    if isinstance(e, sympy.beta):
        return _enclose(e.rewrite(sympy.gamma))
    parts = [part for part in map(_enclose, e.args) if part is not None]
    if not parts or len(parts) < len(e.args):
        return None
    if isinstance(e, sympy.Add):
        return sum(parts, arb(0))
    if isinstance(e, sympy.Mul):
        return prod(parts, start=arb(1))
    if isinstance(e, sympy.Pow):
        base, exponent = parts
        if e.exp.is_Integer:
            power = prod([base] * abs(int(e.exp)), start=arb(1))
            return power if e.exp > 0 else 1 / power
        return (base.log() * exponent).exp() if base > 0 else None
    name = type(e).__name__
    return getattr(parts[0], name)() if name in ("gamma", "exp", "log", "sin", "cos", "tan") else None
