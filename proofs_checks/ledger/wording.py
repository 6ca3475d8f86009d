"""Values as a referee reads them: short text, and LaTeX where a value is a number or a formula.

>>> shown(fmpq(8047, 10000)), shown(fmpq(2, 3)), shown({"b", "a"}), shown([1, None]), shown(arb(0.25, 0.001))
('0.8047', '2/3', 'a and b', '(1, none)', '0.2500 ± 0.0011')
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, fmpq

from orca_exact.numbers.rationals import bounds, decimal, spread
from orca_exact.svm.tau import Ratio

LONG, WIDE, FEW = 90, 21, 6  # characters of a text, of a fraction; members of a list
CLEAR = 1e-5  # a ball of a larger relative radius is shown as middle and radius


def shown(value: Any, digits: int = 12) -> str:
    """A value in a line: exact where it is short, and never as a program writes it; ``digits`` of a ball."""
    value = _plain(value)
    if isinstance(value, fmpq):
        return _fraction(value, f"{value.p}/{value.q}")
    if isinstance(value, arb) and value.is_finite() and value.rad() > CLEAR * abs(value.mid()):
        return spread(*bounds(value, digits))  # 0.29 > 0.2500 ± 0.0013 says why, 0.29 > 0.3 does not
    if isinstance(value, arb | Ratio):
        return decimal(value, digits)
    if isinstance(value, dict):
        return "(" + listed(value.items(), lambda item: f"{shown(item[0])}: {shown(item[1])}") + ")"
    if isinstance(value, list | tuple):
        return "(" + listed(value) + ")"
    if isinstance(value, set | frozenset):
        return words(value)
    text = "none" if value is None else str(value)
    return text if len(text) <= LONG else text[: LONG - 1] + "…"


def latex(value: Any, digits: int = 12) -> str:
    """The same, set; empty where the value is no number and no formula, or a long one."""
    value = _plain(value)
    if isinstance(value, fmpq):
        return _fraction(value, rf"\frac{{{value.p}}}{{{value.q}}}")
    if hasattr(value, "free_symbols"):
        from sympy import latex as set_

        found = set_(value)
        return found if len(found) <= LONG else ""
    if isinstance(value, int | arb | Ratio) and not isinstance(value, bool):
        return shown(value, digits)
    return ""


def words(members: Iterable) -> str:
    """'a, b and c', in one order whatever the hash seed; only the first of many."""
    texts = sorted(map(shown, members))
    few = next((k for k in range(1, len(texts)) if len(", ".join(texts[: k + 1])) > LONG), len(texts))
    texts = texts if few == len(texts) else [*texts[:few], f"{len(texts) - few} more"]
    return " and ".join(filter(None, (", ".join(texts[:-1]), texts[-1]))) if texts else "none"


def listed(members: Iterable, show: Callable[[Any], str] = shown) -> str:
    """'a, b, c', without the middle of many."""
    texts = [show(member) for member in members]
    return ", ".join(texts if len(texts) <= 2 * FEW else [*texts[:FEW], "…", texts[-1]])


def _plain(value: Any) -> Any:
    """Rational numbers are fmpq, or int; arrays are lists."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, Fraction):
        value = fmpq(value.numerator, value.denominator)
    elif getattr(value, "is_Rational", False):
        value = fmpq(int(value.p), int(value.q))
    return int(value.p) if isinstance(value, fmpq) and value.q == 1 else value


def _fraction(value: fmpq, text: str) -> str:
    """A decimal where it is a short one, such as a printed figure; else the fraction, or its first digits."""
    if value.q > 10 and 10**6 % int(value.q) == 0 and len(text) <= WIDE:
        return str(Decimal(int(value.p)) / Decimal(int(value.q)))
    return text if len(text) <= WIDE else decimal(value, 10) + "…"
