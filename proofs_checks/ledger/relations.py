"""Relations that judge: equal, different, less, true. Exact values and balls decide; floats may not.

>>> Equal(fmpq(1, 3), fmpq(2, 6)).decide(), Less(arb(1) / 3, arb(1) / 3).decide()
('HOLDS', 'UNDECIDED')
>>> Equal(0.1, 0.1).decide()
Traceback (most recent call last):
TypeError: a float judges nothing: 0.1 (compare exact values or balls)
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
from orca_exact.numbers.rationals import is_mpf, precision, symbolic
from orca_exact.svm.tau import Ratio

from .wording import latex, shown, words

SIGNS = {"=": "=", "≠": r"\ne", ">": ">", "≥": r"\ge"}
CONTAINERS = (list, tuple, dict, set, frozenset, np.ndarray)


class Relation:
    """What a claim yields: something that can be decided, and says what is the case when it fails."""

    where: str = ""

    def decide(self) -> str:
        """HOLDS, FAILS or UNDECIDED."""
        raise NotImplementedError

    def evidence(self, outcome: str = FAILS) -> str:
        """What a referee can quote when the outcome is not HOLDS: what is the case, never what is not."""
        return self.where

    def formula(self) -> tuple[str, str]:
        """The part of the evidence of a failure that is mathematics, as it stands there and in LaTeX."""
        return "", ""


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
    """A fact decided by exact means elsewhere; ``where`` says what was found, also where it fails."""

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

    def evidence(self, outcome: str = FAILS) -> str:
        return ": ".join(filter(None, (self.where, self._said(outcome))))

    def formula(self) -> tuple[str, str]:
        sides = self.left, self.right
        digits = next(
            (d for d in (6, 12) if shown(self.left, d) != shown(self.right, d)), 24
        )  # to tell apart
        sign, (left, right) = self._opposite(), (latex(side, digits) for side in sides)
        text = f"{shown(self.left, digits)} {sign} {shown(self.right, digits)}"
        return (text, f"{left} {SIGNS[sign]} {right}") if left and right else (text, "")

    def _said(self, outcome: str) -> str:
        if _is_empty(self.left) and _is_empty(self.right):
            return "nothing was compared"
        if outcome == FAILS:
            return self._instead()
        return f"whether {shown(self.left)} {self.sign} {shown(self.right)} is not decided"

    def _opposite(self) -> str:
        """The sign that does stand between left and right, where the relation fails."""
        return "≠"

    def _instead(self) -> str:
        return f"{self.formula()[0]}, where {self.sign} is claimed"


@dataclass(frozen=True)
class Equal(_Pair):
    """left = right, exactly; of containers, member by member."""

    def decide(self) -> str:
        return _all_equal(self.left, self.right)

    def _instead(self) -> str:
        pairs = list(_members(self.left, self.right))
        differ = [(place, x, y) for place, x, y in pairs if _equal(_exact(x), _exact(y)) == FAILS]
        place, x, y = differ[0]
        if isinstance(x, set | frozenset) and isinstance(y, set | frozenset):
            only = (f"only in the {nth}: {words(own)}" for nth, own in (("first", x - y), ("second", y - x)))
            text = f"{len(x)} against {len(y)}; {'; '.join(only)}"
        else:
            text = Equal(x, y).formula()[0]
        more = f" ({len(differ)} of {len(pairs)} entries differ)" if len(pairs) > 1 else ""
        return ": ".join(filter(None, (place, text))) + more


@dataclass(frozen=True)
class Differs(_Pair):
    """left != right, proved."""

    sign = "≠"

    def decide(self) -> str:
        return {HOLDS: FAILS, FAILS: HOLDS}.get(_all_equal(self.left, self.right), UNDECIDED)

    def _opposite(self) -> str:
        return "="

    def _instead(self) -> str:
        if isinstance(self.left, CONTAINERS):
            size = len(list(_members(self.left, self.right)))
            return f"the two are equal in all {size} entries, where a difference is claimed"
        return super()._instead()


@dataclass(frozen=True)
class Less(_Pair):
    """left < right; with ``strict=False`` left <= right."""

    strict: bool = True

    @property
    def sign(self) -> str:  # type: ignore[override]
        return "<" if self.strict else "≤"

    def decide(self) -> str:
        return _less(_exact(self.left), _exact(self.right), self.strict)

    def _opposite(self) -> str:
        left, right = _exact(self.left), _exact(self.right)
        return ">" if _less(right, left, True) == HOLDS else "=" if _equal(left, right) == HOLDS else "≥"


def _all_equal(a: Any, b: Any) -> str:
    """Containers agree when their shapes and all their members do; no members, no verdict."""
    outcomes = {_equal(_exact(x), _exact(y)) for _, x, y in _members(a, b)}
    return next((o for o in (FAILS, UNDECIDED) if o in outcomes), HOLDS if outcomes else UNDECIDED)


def _members(a: Any, b: Any, at: tuple = ()) -> Iterator[tuple[str, Any, Any]]:
    """Pairs of members to compare, each with its place; sizes that differ are such a pair."""
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
    """The members of a container in their places, which are counted from 1."""
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
    """'entry 2', 'entry (2, 1)', 'size of entry 2'."""
    entry = f"entry {shown(at[0] if len(at) == 1 else at)}" if at else ""
    return " of ".join(filter(None, (what, entry)))


def _is_empty(value: Any) -> bool:
    return isinstance(value, CONTAINERS) and not len(value)


def _exact(value: Any) -> Any:
    """The value, if it may judge: no float, and none inside it."""
    if isinstance(value, dict):
        value = tuple(value.items())
    if isinstance(value, list | tuple | set | frozenset | np.ndarray):
        for member in value.flat if isinstance(value, np.ndarray) else value:
            _exact(member)
        return value
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


def _issymbolic(*values: Any) -> bool:
    return any(hasattr(value, "free_symbols") for value in values)


def _equal(a: Any, b: Any) -> str:
    if isinstance(a, Ratio) and isinstance(b, Ratio) and a == b:
        return HOLDS
    if isinstance(a, arb | Ratio) or isinstance(b, arb | Ratio):
        a, b = _ball(a), _ball(b)
        if a.is_exact() and b.is_exact():
            return HOLDS if a == b else FAILS
        return UNDECIDED if a.overlaps(b) else FAILS
    if _issymbolic(a, b):
        return _zero(symbolic(a) - symbolic(b))
    return HOLDS if a == b else FAILS


def _less(a: Any, b: Any, strict: bool) -> str:
    if isinstance(a, CONTAINERS) or isinstance(b, CONTAINERS):
        raise TypeError("Less compares two numbers (one relation for each member)")
    if isinstance(a, arb | Ratio) or isinstance(b, arb | Ratio):
        a, b = _ball(a), _ball(b)
        if a < b or (not strict and a <= b):
            return HOLDS
        return FAILS if a > b or (strict and a >= b) else UNDECIDED
    if _issymbolic(a, b):
        from sympy import simplify

        difference = symbolic(b) - symbolic(a)
        if sign := _sign(difference):
            return HOLDS if sign > 0 else FAILS
        difference = simplify(difference)
        truth = difference.is_positive if strict else difference.is_nonnegative
        return UNDECIDED if truth is None else HOLDS if truth else FAILS
    return HOLDS if (a < b if strict else a <= b) else FAILS


def _ball(value: Any) -> arb:
    return value.ball() if isinstance(value, Ratio) else value if isinstance(value, arb) else arb(value)


def _zero(difference: Any) -> str:
    """Is a SymPy expression (or polynomial) identically zero?

    A polynomial is, if its coefficients are; a constant differs from zero if a ball around it does.
    """
    from sympy import Poly, gamma, simplify, together

    if isinstance(difference, Poly):
        difference = difference.as_expr()
    numerator = together(difference).as_numer_denom()[0].expand()
    if numerator == 0:
        return HOLDS
    free = sorted(numerator.free_symbols, key=str)
    if free and numerator.is_polynomial(*free):
        outcomes = {_zero(c) for c in Poly(numerator, *free).coeffs()}
        return next((o for o in (FAILS, UNDECIDED) if o in outcomes), HOLDS)
    if _sign(numerator) or (free and _sign(_somewhere(difference))):
        return FAILS
    if simplify(difference) == 0 or simplify(difference.rewrite(gamma)) == 0:
        return HOLDS
    return HOLDS if difference.equals(0) else UNDECIDED


def _somewhere(expression: Any) -> Any:
    """The expression with whole or broken numbers for its symbols, as their assumptions ask."""
    from sympy import Rational

    free = sorted(expression.free_symbols, key=str)
    return expression.subs(
        {x: Rational(k + 2) if x.is_integer else Rational(2 * k + 3, 7) for k, x in enumerate(free)}
    )


def _sign(constant: Any) -> int:
    """1 or -1 if a ball around the constant says so, else 0."""
    if constant.free_symbols:
        return 0
    for digits in (60, 240):
        with precision(digits):
            ball = _enclosed(constant)
            if ball is None or ball > 0 or ball < 0:
                return 0 if ball is None else 1 if ball > 0 else -1
    return 0


def _enclosed(e: Any) -> arb | None:
    """A ball around a real constant made of the functions below, else None."""
    import sympy

    if e.is_Rational:
        return arb(fmpq(int(e.p), int(e.q)))
    if e is sympy.pi or e is sympy.E:
        return arb.pi() if e is sympy.pi else arb(1).exp()
    if isinstance(e, sympy.beta):
        return _enclosed(e.rewrite(sympy.gamma))
    parts = [part for part in map(_enclosed, e.args) if part is not None]
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
