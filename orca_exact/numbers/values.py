"""Values as JSON: numbers are strings, tagged by what they are, each with a readable decimal beside it.

``{"exact": "p/q"}``, ``{"exact": {"numerator", "denominator", "in": "lambda*C"}}``,
``{"ball": ["mid", "rad"]}`` (dyadic, lossless) or ``{"decimal": "...", "digits": n}`` (a witness).
"""

from __future__ import annotations

from typing import Any

from flint import arb, fmpq

from ..errors import BadFile
from .rationals import QQ, decimal, is_mpf, precision, text

LONG = 400  # characters of a fraction that a file carries unasked


def to_json_value(value: Any, digits: int = 50, fractions: bool = False) -> dict:
    """The JSON of one value. ``fractions``: write exact fractions however long they are."""
    if hasattr(value, "to_json"):
        return value.to_json(digits, fractions)
    if isinstance(value, fmpq):
        fraction = str(value)
        if fractions or len(fraction) <= LONG:
            return {"decimal": decimal(value, digits, False), "exact": fraction}
        with precision(digits):
            return {"decimal": decimal(value, digits, False), "ball": text(arb(value))}
    if isinstance(value, arb):
        return {"decimal": decimal(value, digits, False), "ball": text(value)}
    shown_digits = min(digits, value.context.dps) if is_mpf(value) else 17
    return {"decimal": decimal(value, shown_digits), "digits": shown_digits}


def from_json_value(data: Any, place: str) -> fmpq | arb:
    """The rational or the ball that ``to_json_value`` wrote (a quotient in lambda*C comes back as its ball).

    A bare decimal is a witness, rounded somewhere: it is not taken.
    """
    if not isinstance(data, dict):
        raise BadFile(
            place, f"{data!r} is not a tagged value", 'write {"exact": ...} or {"ball": [mid, rad]}'
        )
    if isinstance(data.get("exact"), str):
        return QQ(data["exact"], place)
    ball = data.get("ball")
    if isinstance(ball, list) and len(ball) == 2:
        mid, radius = QQ(ball[0], place), QQ(ball[1], place)
        if radius < 0:
            raise BadFile(place, f"the radius {ball[1]} is negative", "write the ball again")
        return arb(mid, radius)
    raise BadFile(place, f"no proved value in {sorted(data)}", "expected 'exact' or 'ball'")
