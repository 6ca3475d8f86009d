"""How many digits two numbers agree to, and the line of a report that says so.

Numbers are compared as balls of ``COMPARISON_DIGITS`` digits; what has no finite bound has no digits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, NamedTuple

import numpy as np
from flint import arb, fmpq

from ..numbers.rationals import QQ, decimal, digits_down, digits_of, digits_up, midpoint, precision
from ..svm.tau import Ratio

COMPARISON_DIGITS = 60  # working digits of comparisons
ComparedValue = fmpq | arb | Ratio  # as a reference holds it
ComparedNumber = ComparedValue | float
Numbers = (
    ComparedNumber | Sequence | np.ndarray | Mapping[Any, ComparedNumber]
)  # one, a list, a matrix, or by key


@dataclass(frozen=True)
class Comparison:
    """One comparison. ``digits`` agree, ``attainable`` could have, ``needed`` must."""

    quantity: str
    source: str
    stage: str
    digits: float
    needed: float
    attainable: float = inf
    where: str = ""
    own: str = ""  # the program's number where they differ most, and
    certified: str = ""  # ours
    has_digits: bool = True  # False: an integer, a shape or a key, which is right or wrong

    @property
    def passes(self) -> bool:
        """Whether it has the digits needed."""
        return self.digits >= self.needed

    @property
    def hopeless(self) -> bool:
        """Below one digit nothing can be judged, but for a wrong shape (digits -inf)."""
        return self.needed < 1 and self.attainable < inf and self.digits > -inf

    @property
    def fails(self) -> bool:
        """Whether it could have had the digits needed and has not."""
        return not self.passes and not self.hopeless

    def __str__(self) -> str:
        """Say what the program has and what it should have."""
        if not self.has_digits:
            against = f"{self.quantity} against {self.source}"
            if not self.own:
                return f"{against}: {self.where}"
            return f"{self.where} is {self.own} and must be {self.certified} ({against})"
        digits = "no digits" if self.digits <= 0 else f"{digits_down(self.digits)} digits"
        text = f"{self.quantity} against {self.source}: {digits}, {digits_up(self.needed)} needed"
        text += f" (worst at {self.where})" if self.where else ""
        return text + (f"\n  program {self.own}, certified {self.certified}" if self.own else "")


def compare_digits(
    quantity: str, source: str, stage: str, own: Numbers, expected: Numbers,
    scale: ComparedNumber | Mapping[Any, ComparedNumber], needs: tuple[float, float],
    label: Callable[[Any], str] = str, pad: bool = False,
) -> Comparison:  # fmt: skip
    """The line of an ``find_agreement``; ``needs``: digits needed, digits attainable."""
    found = find_agreement(own, expected, scale, pad, label)
    return Comparison(quantity, source, stage, found.digits, *needs, *found[1:])


def compare_exactly(
    quantity: str, source: str, stage: str, right: bool | None, where: str, own: str = "", certified: str = ""
) -> Comparison:
    """What is right or wrong without digits: a shape, a key, an integer. None: it cannot be judged."""
    if right is None:
        return Comparison(quantity, source, stage, 0, 0.5, 0, where, own, certified, False)
    return Comparison(quantity, source, stage, 99 if right else -inf, 0, inf, where, own, certified, False)


def format_number(x: ComparedNumber) -> str:
    """A number as a report shows it."""
    return decimal(to_ball(x), 17)


class Agreement(NamedTuple):
    """Digits, where the two differ most, and the two numbers there."""

    digits: float
    where: str
    own: str = ""
    certified: str = ""


def to_ball(x: ComparedNumber) -> arb:
    """A ball at the current precision around a rational, a Ratio, a float or a ball."""
    if isinstance(x, Ratio):
        return x.ball(COMPARISON_DIGITS)
    if isinstance(x, float | np.floating | int):
        return arb(float(x))
    return x if isinstance(x, arb) else arb(x)


def midpoint_of(x: Any) -> fmpq:
    """The rational that stands for a float, or for a ball: its midpoint."""
    return midpoint(x) if isinstance(x, arb) else QQ(x)


def find_agreement(
    own: Numbers,
    expected: Numbers,
    scale: ComparedNumber | Mapping[Any, ComparedNumber] = 1,
    pad: bool = False,
    label: Callable[[Any], str] = str,
) -> Agreement:
    """Digits of agreement, -log10(max |own - expected| / scale), and where the worst one is.

    Lists, lists of lists and dicts; another shape has no digits (``pad``: what is missing counts as 0).
    ``label`` names a place that was expected.
    """
    a, b = _flat(own), _flat(expected)
    known = b.keys()
    if len(a) != len(b) or a.keys() != known:
        if not pad:
            return Agreement(-inf, f"{len(a)} values where {len(b)} were expected")
        a, b = ({k: part.get(k, fmpq(0)) for k in {**a, **b}} for part in (a, b))
    named = lambda key: label(key) if key in known else str(key)  # noqa: E731
    with precision(COMPARISON_DIGITS):
        worst, at = arb(0), None
        for key, x in a.items():
            size = to_ball(scale[key] if isinstance(scale, Mapping) else scale)
            error = arb((abs(to_ball(x) - to_ball(b[key])) / size).upper())
            if not error.is_finite():
                worst, at = error, key
                break
            if error > worst:
                worst, at = error, key
        if at is None:
            return Agreement(99.0, "")
        return Agreement(digits_of(worst), named(at), format_number(a[at]), format_number(b[at]))


def square_sum(values: Iterable[ComparedNumber]) -> arb:
    """The sum of the squares; not by ``**``: FLINT's arb(0, r)**2 is nan."""
    balls = [to_ball(x) for x in values]
    total = sum((x * x for x in balls), arb(0))
    if not total.is_finite():
        raise ArithmeticError("a sum of squares beyond any arithmetic")
    return total


def _flat(data: Numbers) -> Mapping[Any, ComparedNumber]:
    """By key; of a matrix by (row, column)."""
    if isinstance(data, Mapping):
        return data
    if not isinstance(data, Sequence | np.ndarray):
        return {"": data}
    if len(data) and isinstance(data[0], list | np.ndarray):
        return {(i, j): x for i, row in enumerate(data) for j, x in enumerate(row)}
    return dict(enumerate(data))
