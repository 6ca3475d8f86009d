"""Numbers in JSON: tagged strings, each with a readable decimal.

A value is ``{"exact": "p/q"}``, ``{"exact": {"numerator", "denominator", "in": "lambda*C"}}``,
``{"ball": ["mid", "rad"]}`` (dyadic, without loss) or ``{"decimal": "...", "digits": n}`` (not proved).
"""

from __future__ import annotations

from typing import Any

from flint import arb, fmpq

from ..errors import BadFile
from ..files.formats import JsonObject
from .rationals import QQ, format_decimal, is_mpf, precision_digits, to_text

MAX_FRACTION_LENGTH = 400  # length of a fraction above which a ball is written by default


def to_json_value(value: Any, digits: int = 50, fractions: bool = False) -> JsonObject:
    """Return a number as JSON data; with ``fractions``, write also long fractions exactly."""
    if hasattr(value, "to_json"):
        found: JsonObject = value.to_json(digits, fractions)
        return found
    if isinstance(value, fmpq):
        fraction = str(value)
        if fractions or len(fraction) <= MAX_FRACTION_LENGTH:
            return {"decimal": format_decimal(value, digits, False), "exact": fraction}
        with precision_digits(digits):
            return {"decimal": format_decimal(value, digits, False), "ball": to_text(arb(value))}
    if isinstance(value, arb):
        return {"decimal": format_decimal(value, digits, False), "ball": to_text(value)}
    shown_digits = min(digits, value.context.dps) if is_mpf(value) else 17
    return {"decimal": format_decimal(value, shown_digits), "digits": shown_digits}


def from_json_value(data: Any, place: str) -> fmpq | arb:
    """Return the rational or ball that ``to_json_value`` wrote; a quotient in lambda*C as its ball.

    A value with only a decimal is refused, since it is rounded without a proved error bound.
    """
    hint = 'write {"exact": "p/q"} or {"ball": ["mid", "rad"]}'
    if not isinstance(data, dict):
        raise BadFile(place, f"{data!r} is not a tagged value", hint)
    if isinstance(data.get("exact"), str):
        return QQ(data["exact"], place)
    ball = data.get("ball")
    if isinstance(ball, list) and len(ball) == 2:
        mid, radius = QQ(ball[0], place), QQ(ball[1], place)
        if radius < 0:
            raise BadFile(place, f"the radius {ball[1]} is negative", "write a nonnegative radius")
        return arb(mid, radius)
    raise BadFile(place, f"the fields {sorted(data)} contain no proved value", hint)
