"""Digits of agreement between numbers, and the line of a report that shows them.

Numbers are compared as balls of ``COMPARISON_DIGITS`` digits. An error without a finite bound leaves no
digits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, NamedTuple

import numpy as np
from flint import arb, fmpq

from ..numbers.rationals import (
    QQ,
    correct_digits,
    format_decimal,
    format_digits_down,
    format_digits_up,
    midpoint,
    precision_digits,
)
from ..svm.tau import Ratio

COMPARISON_DIGITS = 60  # working digits of comparisons
ComparedValue = fmpq | arb | Ratio  # a value of a reference
ComparedNumber = ComparedValue | float
Numbers = (
    ComparedNumber | Sequence[Any] | np.ndarray | Mapping[Any, ComparedNumber]
)  # a scalar, list, matrix or dict


@dataclass(frozen=True)
class Comparison:
    """One comparison of a program's numbers with the correct ones.

    ``digits`` agree, ``needed`` must agree, ``attainable`` could agree in the program's arithmetic.
    """

    quantity: str
    source: str
    stage: str
    digits: float
    needed: float
    attainable: float = inf
    where: str = ""
    own: str = ""  # the program's number at the largest difference
    certified: str = ""  # the correct number there
    has_digits: bool = True  # False for an integer, a shape or a key, which is either right or wrong

    @property
    def passes(self) -> bool:
        """Whether enough digits agree."""
        return self.digits >= self.needed

    @property
    def undecidable(self) -> bool:
        """Whether less than one digit is needed, so that only a wrong shape (digits -inf) can be detected."""
        return self.needed < 1 and self.attainable < inf and self.digits > -inf

    @property
    def fails(self) -> bool:
        """Whether too few digits agree although more are attainable."""
        return not self.passes and not self.undecidable

    def __str__(self) -> str:
        against = f"{self.quantity} against {self.source}"
        if self.where and not self.own:  # a wrong shape, or a value that has none
            return f"{against}: {self.where}"
        if not self.has_digits:
            return f"{self.where} is {self.own} and must be {self.certified} ({against})"
        digits = "no digits" if self.digits <= 0 else f"{format_digits_down(self.digits)} digits"
        text = f"{against}: {digits}, {format_digits_up(self.needed)} needed"
        text += f" (worst at {self.where})" if self.where else ""
        return text + (f"\n  program {self.own}, certified {self.certified}" if self.own else "")


def compare_digits(
    quantity: str, source: str, stage: str, own: Numbers, expected: Numbers,
    scale: ComparedNumber | Mapping[Any, ComparedNumber], needs: tuple[float, float],
    label: Callable[[Any], str] = str, for_bug: bool = False,
) -> Comparison:  # fmt: skip
    """Compare numbers digit by digit; ``needs`` are the digits needed and the digits attainable.

    For a bug missing numbers count as 0, and the comparison ends at the first number with too few digits.
    """
    found = find_agreement(own, expected, scale, for_bug, label, needs[0] if for_bug else None)
    return Comparison(quantity, source, stage, found.digits, *needs, *found[1:])


def compare_exactly(
    quantity: str, source: str, stage: str, right: bool | None, where: str, own: str = "", certified: str = ""
) -> Comparison:
    """Return the line of a shape, a key or an integer that is right, wrong or (None) undecided."""
    if right is None:
        return Comparison(quantity, source, stage, 0, 0.5, 0, where, own, certified, False)
    return Comparison(quantity, source, stage, 99 if right else -inf, 0, inf, where, own, certified, False)


def format_number(x: ComparedNumber) -> str:
    """Format a number for a report."""
    return format_decimal(to_ball(x), 17)


class Agreement(NamedTuple):
    """Digits of agreement, the place of the largest difference, and the two numbers there."""

    digits: float
    where: str
    own: str = ""
    certified: str = ""


def to_ball(x: ComparedNumber) -> arb:
    """Enclose a rational, a Ratio, a float or a ball in a ball of the current precision."""
    if isinstance(x, Ratio):
        return x.ball(COMPARISON_DIGITS)
    if isinstance(x, float | np.floating | int):
        return arb(float(x))
    return x if isinstance(x, arb) else arb(x)


def to_rational(x: Any) -> fmpq:
    """Return a float or rational as a rational, and a ball as the rational midpoint."""
    return midpoint(x) if isinstance(x, arb) else QQ(x)


def find_agreement(
    own: Numbers,
    expected: Numbers,
    scale: ComparedNumber | Mapping[Any, ComparedNumber] = 1,
    pad: bool = False,
    label: Callable[[Any], str] = str,
    enough: float | None = None,
) -> Agreement:
    """Return the digits of agreement, -log10(max |own - expected| / scale), and the place of the maximum.

    Scalars, lists, matrices and dicts are compared; if the shapes differ, no digit agrees, or (``pad``)
    missing numbers count as 0. ``label`` formats an expected key. If only ``enough`` digits matter, the first
    number with fewer of them ends the comparison.
    """
    a, b = _flat(own), _flat(expected)
    known = b.keys()
    if len(a) != len(b) or a.keys() != known:
        if not pad:
            where = f"{len(a)} instead of {len(b)} values" if len(a) != len(b) else "wrong keys"
            return Agreement(-inf, where)
        a, b = ({k: part.get(k, fmpq(0)) for k in {**a, **b}} for part in (a, b))
    with precision_digits(COMPARISON_DIGITS):
        worst, at = arb(0), None
        limit = arb("inf") if enough is None else arb(10) ** -arb(enough)
        for key, x in a.items():
            size = to_ball(scale[key] if isinstance(scale, Mapping) else scale)
            error = arb((abs(to_ball(x) - to_ball(b[key])) / size).upper())
            if error > worst or not error.is_finite():
                worst, at = error, key
            if not error.is_finite() or error > limit:
                break
        if at is None:
            return Agreement(99.0, "")
        if enough is not None:
            return Agreement(correct_digits(worst), "")
        return Agreement(
            correct_digits(worst),
            label(at) if at in known else str(at),
            format_number(a[at]),
            format_number(b[at]),
        )


def sum_of_squares(values: Iterable[ComparedNumber]) -> arb:
    """Return the sum of the squares, without ``**``: FLINT's arb(0, r)**2 is nan."""
    balls = [to_ball(x) for x in values]
    total = sum((x * x for x in balls), arb(0))
    if not total.is_finite():
        raise ArithmeticError("The sum of squares is not finite.")
    return total


def _flat(data: Numbers) -> Mapping[Any, ComparedNumber]:
    """Return the numbers by key; those of a matrix by (row, column)."""
    if isinstance(data, Mapping):
        return data
    if not isinstance(data, Sequence | np.ndarray):
        return {"": data}
    if len(data) and isinstance(data[0], list | np.ndarray):
        return {(i, j): x for i, row in enumerate(data) for j, x in enumerate(row)}
    return dict(enumerate(data))
