"""Values as JSON: numbers are strings, tagged by what they are, each with a readable decimal beside it.

``{"exact": "p/q"}``, ``{"exact": {"numerator", "denominator", "in": "lambda*C"}}``,
``{"ball": ["mid", "rad"]}`` (dyadic, lossless) or ``{"decimal": "...", "digits": n}`` (a witness).
"""

from __future__ import annotations

from typing import Any

from flint import arb, fmpq

from .arithmetic import QQ, decimal, is_mpf, text
from .errors import BadFile, Undecided
from .profile.profile import Profile, Ratio

LONG = 400  # characters of a fraction that a file carries unasked


def tagged(value: Any, digits: int = 50, fractions: bool = False) -> dict:
    """The JSON of one value. ``fractions``: write exact fractions however long they are."""
    if isinstance(value, Ratio):
        shown = {"decimal": decimal(value, digits), "ball": text(value.ball(digits))}
        coefficients = [[str(c) for c in p.coeffs()] for p in (value.numerator, value.denominator)]
        if fractions or sum(map(len, coefficients[0] + coefficients[1])) <= LONG:
            keys = {"numerator": coefficients[0], "denominator": coefficients[1], "in": "lambda*C"}
            shown["exact"] = keys
        return shown
    if isinstance(value, fmpq):
        fraction = str(value)
        shown = {"decimal": decimal(value, digits)}
        if fractions or len(fraction) <= LONG:
            return shown | {"exact": fraction}
        from .arithmetic import precision

        with precision(digits):
            return shown | {"ball": text(arb(value))}
    if isinstance(value, arb):
        return {"decimal": decimal(value, digits), "ball": text(value)}
    shown_digits = min(digits, value.context.dps) if is_mpf(value) else 17
    return {"decimal": decimal(value, shown_digits), "digits": shown_digits}


def untagged(data: Any, place: str, witnesses: bool = False) -> fmpq | arb:
    """The rational or the ball that ``tagged`` wrote (a Ratio comes back as its ball).

    A bare decimal is a witness, rounded somewhere: it is taken, as the rational it prints, only if asked for.
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
    if witnesses and isinstance(data.get("decimal"), str):
        return QQ(data["decimal"], place)
    raise BadFile(place, f"no proved value in {sorted(data)}", "expected 'exact' or 'ball'")


def decided(question: Any) -> Any:
    """What a peak or threshold is, or the candidates an enclosure leaves."""
    try:
        return question()
    except Undecided as error:
        return {"undecided": list(error.candidates), "why": str(error)}


def profile_json(profile: Profile, digits: int = 50, fractions: bool = False, blocks: bool = True) -> dict:
    """Every index of the paper, as in the "okc" field of ``orca-exact/result/1``."""

    def put(value: Any) -> dict:
        return tagged(value, digits, fractions)

    okc: dict[str, Any] = {
        "order": [put(x) for x in profile.order],
        "marginal": [put(profile.marginal[i]) for i in range(1, profile.d + 1)],
        "pair": {f"{i},{j}": put(x) for (i, j), x in profile.pair.items()},
        "even": put(profile.even),
        "odd": put(profile.odd),
    }
    if blocks:
        width = profile.d * profile.n + 1
        okc["degree"] = [put(x) for x in profile.degree]
        okc["block"] = [[put(profile.block[q, N]) for N in range(width)] for q in range(profile.d + 1)]
        okc["peak"] = decided(lambda: profile.peak)
        okc["threshold"] = {eps: decided(lambda e=eps: profile.threshold(e)[0]) for eps in EPSILONS}
    return okc


EPSILONS = ("0.1", "0.05", "0.01")
