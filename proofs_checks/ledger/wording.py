"""Short text for values in evidence, and LaTeX for numbers and formulas.

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

LONG, WIDE, FEW = 90, 21, 6  # most characters of a text and of a fraction; members at the start of a list
CLEAR = 1e-5  # a ball with a larger relative radius is shown as midpoint ± radius


def shown(value: Any, digits: int = 12) -> str:
    """Format a value in one line: exact if that is short, and never as a Python repr.

    ``digits`` is the number of digits of a ball.
    """
    value = _normalise(value)
    if isinstance(value, fmpq):
        return _fraction(value, f"{value.p}/{value.q}")
    if isinstance(value, arb) and value.is_finite() and value.rad() > CLEAR * abs(value.mid()):
        return spread(*bounds(value, digits))  # "0.29 > 0.2500 ± 0.0013" is clear, "0.29 > 0.3" is not
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
    """Format a number or formula in LaTeX; empty if the value is neither, or is long."""
    value = _normalise(value)
    if isinstance(value, fmpq):
        return _fraction(value, rf"\frac{{{value.p}}}{{{value.q}}}")
    if hasattr(value, "free_symbols"):
        import sympy

        found = sympy.latex(value)
        return found if len(found) <= LONG else ""
    if isinstance(value, int | arb | Ratio) and not isinstance(value, bool):
        return shown(value, digits)
    return ""


def words(members: Iterable) -> str:
    """Return 'a, b and c', sorted; a long list ends with the number of those left out."""
    texts = sorted(map(shown, members))
    few = next((k for k in range(1, len(texts)) if len(", ".join(texts[: k + 1])) > LONG), len(texts))
    texts = texts if few == len(texts) else [*texts[:few], f"{len(texts) - few} more"]
    return " and ".join(filter(None, (", ".join(texts[:-1]), texts[-1]))) if texts else "none"


def listed(members: Iterable, show: Callable[[Any], str] = shown) -> str:
    """Return 'a, b, c'; the middle of a long list is left out."""
    texts = [show(member) for member in members]
    return ", ".join(texts if len(texts) <= 2 * FEW else [*texts[:FEW], "…", texts[-1]])


def _normalise(value: Any) -> Any:
    """Turn rational numbers into fmpq or int, and arrays into lists."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, Fraction):
        value = fmpq(value.numerator, value.denominator)
    elif getattr(value, "is_Rational", False):
        value = fmpq(int(value.p), int(value.q))
    return int(value.p) if isinstance(value, fmpq) and value.q == 1 else value


def _fraction(value: fmpq, text: str) -> str:
    """Return a short decimal if the fraction has one, else the fraction itself, or its first digits."""
    if value.q > 10 and 10**6 % int(value.q) == 0 and len(text) <= WIDE:
        return str(Decimal(int(value.p)) / Decimal(int(value.q)))
    return text if len(text) <= WIDE else decimal(value, 10) + "…"
