"""Short text for values in evidence, and LaTeX for numbers and formulas.

>>> format_value(fmpq(8047, 10000)), format_value(fmpq(2, 3)), format_value(arb(0.25, 0.001))
('0.8047', '2/3', '0.2500 ± 0.0011')
>>> format_value({"b", "a"}), format_value([1, None])
('a and b', '(1, none)')
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from flint import arb, fmpq

from orca_exact.numbers.rationals import bounds, format_decimal, format_interval
from orca_exact.svm.tau import Ratio

LONG, WIDE, FEW = 90, 21, 6  # most characters of a text and of a fraction; members at the start of a list
CLEAR = 1e-5  # a ball with a larger relative radius is shown as midpoint ± radius


def format_value(value: Any, digits: int = 12) -> str:
    """Format a value in one line: exact if that is short, and never as a Python repr.

    ``digits`` is the number of digits of a ball.
    """
    value = _normalise(value)
    if isinstance(value, fmpq):
        return _fraction(value, f"{value.p}/{value.q}")
    if isinstance(value, arb) and value.is_finite() and value.rad() > CLEAR * abs(value.mid()):
        return format_interval(
            *bounds(value, digits)
        )  # "0.29 > 0.2500 ± 0.0013" is clear, "0.29 > 0.3" is not
    if isinstance(value, arb | Ratio):
        return format_decimal(value, digits)
    if isinstance(value, dict):
        return (
            "("
            + join_list(value.items(), lambda item: f"{format_value(item[0])}: {format_value(item[1])}")
            + ")"
        )
    if isinstance(value, list | tuple):
        return "(" + join_list(value) + ")"
    if isinstance(value, set | frozenset):
        return join_words(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
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
        return format_value(value, digits)
    return ""


def statement_text(c: Any) -> str:
    """Return the title of a claim without 'as printed' or 'corrected', capitalised unless it is a symbol.

    >>> from proofs_checks.ledger.claims import claims
    >>> print(statement_text(*claims(["offset-variants"])))
    Without an explicit bias the offset is c_0 + b
    >>> print(statement_text(*claims(["echo-d2-dominates"])))
    d = 2, n >= 12: OKC^(2) is above 0.85 for Legendre
    """
    text = c.title.removeprefix("as printed: ").removeprefix("corrected: ")
    text = text.removesuffix("(our spiral)").strip()
    return text[0].upper() + text[1:] if re.match(r"(?:a|[a-z]{2,})[ ,:]", text) else text


class Paragraph(NamedTuple):
    """A title, a text, and members of a list that the text introduces."""

    title: str
    text: str
    members: tuple[str, ...] = ()


def as_sentence(text: str) -> str:
    """Return the text with a full stop at its end."""
    return text if text.endswith((".", "…", "?", "!")) else text + "."


def join_words(members: Iterable) -> str:
    """Return 'a, b and c', sorted; a long list ends with the number of those left out."""
    texts = sorted(map(format_value, members))
    few = next((k for k in range(1, len(texts)) if len(", ".join(texts[: k + 1])) > LONG), len(texts))
    texts = texts if few == len(texts) else [*texts[:few], f"{len(texts) - few} more"]
    return " and ".join(filter(None, (", ".join(texts[:-1]), texts[-1]))) if texts else "none"


def join_list(members: Iterable, show: Callable[[Any], str] = format_value) -> str:
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
    if value.p == 1 and (digits := len(str(value.q)) - 1) > 6 and value.q == 10**digits:
        return f"10^-{digits}"
    if value.q > 10 and 10**6 % int(value.q) == 0 and len(text) <= WIDE:
        return str(Decimal(int(value.p)) / Decimal(int(value.q)))
    return text if len(text) <= WIDE else format_decimal(value, 10) + "…"
