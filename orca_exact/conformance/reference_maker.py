"""Construction of references from certificates.

Values are exact if they are rational (or a ratio in lambda*C), and balls otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from flint import arb, fmpq

from ..errors import Undecided, ZeroClassifier
from ..files.formats import JsonObject, add_digest
from ..numbers.arithmetic import arithmetic
from ..numbers.rationals import QQ, to_float
from ..numbers.values import to_json_value
from ..problem import Problem
from ..profile.profile import Profile, orca
from ..svm.certificate import Certificate, Solution, library_versions
from ..svm.certify import LEVELS, certify, default_level
from ..svm.gram import gram, gram_ratio
from .comparison import ComparedValue
from .condition import condition_numbers, estimate_conditions
from .reference import MAX_COEFFICIENTS, REFERENCE_SCHEMA, Reference
from .result import format_mode

Encode = Callable[[ComparedValue], JsonObject]

_MAX_POINTS = 100  # a file contains the Gram matrix of so many points by default


def make_reference(
    problem: Problem,
    level: str | None = None,
    digits: int = 50,
    fractions: bool = False,
    everything: bool = False,
) -> Reference:
    """Certify a problem and return its reference.

    Parameters
    ----------
    problem : Problem
    level : str, optional
        Level of the certificate; by default "exact", or "ball" for a kernel whose values are not rational.
    digits : int, default 50
        Digits of values that are not exact.
    fractions : bool, default False
        Whether to write exact values as fractions.
    everything : bool, default False
        Whether to write the Gram matrix and the c_k whatever their number.

    Returns
    -------
    Reference
    """
    level = level or default_level(problem)
    certificate = certify(problem, level=level, digits=digits)

    def encode(x: ComparedValue) -> JsonObject:
        return to_json_value(x, digits, fractions)

    exact = certificate.exact
    alpha = [encode(x) for x in _alpha(certificate, digits)]
    values = {"alpha": alpha, "alpha_unique": certificate.alpha_unique, "b": _b(certificate, digits, encode)}
    zero = certificate.is_zero
    profile = None if zero else orca(problem, certificate, LEVELS[certificate.level].arithmetic, digits)
    balls = orca(problem, certificate, "ball", digits) if exact and not zero else profile
    values |= _of_w(problem, profile, balls, digits, encode, everything)
    written = certificate.to_json()
    about = {
        "level": level,
        "digits": "exact" if exact else str(certificate.digits),
        "free": list(certificate.free),
        "bound": list(certificate.bound),
        "alpha_unique": certificate.alpha_unique,
        "b_unique": certificate.b_unique,
        "hard_margin": certificate.hard_margin,
        "w_error": "0" if exact else written["claims"]["w_error"],
        "sha256": written["sha256"],
    }
    return _seal(problem, values, condition_numbers(problem, certificate), {"certificate": about})


def make_dual_reference(problem: Problem, dual: Iterable[Any], digits: int = 50) -> Reference:
    """Return the reference of given dual variables, optimal or not: coefficients and indices."""
    alpha = tuple(QQ(x, f"dual[{i}]") for i, x in enumerate(dual))
    solution = Solution(problem, alpha)
    profile: Profile[Any] | None
    try:
        balls = orca(problem, solution, "ball", digits)
        profile = orca(problem, solution, "exact", digits) if problem.kernel.rational else balls
    except ZeroClassifier:
        profile = balls = None
    values = {"alpha": [to_json_value(x, digits, True) for x in alpha], "alpha_unique": True}
    values |= _of_w(problem, profile, balls, digits, lambda x: to_json_value(x, digits))
    s = np.array([to_float(x) * label for x, label in zip(alpha, problem.y, strict=True)])
    facts = {"dual": [str(x) for x in alpha], "certificate": {"level": "given"}}
    return _seal(problem, values, estimate_conditions(problem, s, [], profile is None), facts)


def _seal(problem: Problem, values: JsonObject, condition: JsonObject, more: JsonObject) -> Reference:
    data = {
        "schema": REFERENCE_SCHEMA,
        "problem": problem.to_json(names=False),
        "problem_sha256": problem.sha256,
        **more,
        "condition": condition,
        "values": values,
        "versions": library_versions(),
    }
    return Reference(add_digest(data))


def _alpha(certificate: Certificate, digits: int) -> list[fmpq] | list[arb]:
    a, tau = certificate.a, certificate.a.tau
    if certificate.exact and tau.exact is not None:
        return list((a.p + a.q * tau.exact) / certificate.problem.lambda_exact)
    return certificate.alpha(digits)


def _b(certificate: Certificate, digits: int, encode: Encode) -> JsonObject | None:
    if certificate.b_unique is None:
        return None
    values: list[ComparedValue] = [end.exact for end in certificate.b.bounds() if end.exact is not None]
    if not certificate.exact or len(values) < len(certificate.b.bounds()):
        values = [*certificate.bias_ends(digits)]
    return (
        encode(values[0])
        if certificate.b_unique
        else {"lower": encode(values[0]), "upper": encode(values[1])}
    )


def _of_w(
    problem: Problem, profile: Profile[Any] | None, balls: Profile[Any] | None, digits: int,
    encode: Encode, everything: bool = False,
) -> JsonObject:  # fmt: skip
    """Return the values that depend on w alone, and the Gram matrix."""
    out: dict[str, Any] = {}
    if problem.m <= _MAX_POINTS or everything:
        if problem.lambda_is_rational and problem.kernel.rational:
            K = gram_ratio(problem) * problem.lambda_exact
        else:
            K = gram(problem, arithmetic("ball", digits))
        K = K + problem.kernel.dropped_constant if problem.kernel.dropped_constant else K
        out["gram"] = [[encode(x) for x in row] for row in K]
    modes = problem.kernel.modes
    if profile is None or balls is None:
        return out | ({} if modes is None else {"coefficients": {}}) | {"norm2": encode(fmpq(0)), "okc": None}
    if modes is not None and (modes.count <= MAX_COEFFICIENTS or everything):
        zero = _zeros(profile)
        out["coefficients"] = {
            format_mode(k): encode(fmpq(0) if zero[i] else c)
            for i, (k, c) in enumerate(balls.coefficients().items())
        }
    out["norm2"] = encode(profile.norm2)
    out["okc"] = profile.indices.to_json(encode) | ({"peaks": _peaks(profile)} if profile.has_degrees else {})
    return out


def _zeros(profile: Profile[Any]) -> list[bool]:
    """Return which c_k are proved to be 0; c_0 is, if sum alpha_i y_i = 0."""
    if not profile.arithmetic.exact:
        return [False] * profile.enumeration.modes.count
    return [a == 0 or g == 0 for a, g in zip(*profile.enumeration.amplitudes(), strict=True)]


def _peaks(profile: Profile[Any]) -> list[int]:
    try:
        return profile.peaks
    except Undecided:
        return []
