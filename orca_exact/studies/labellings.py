"""Certified indices of many labellings of the same points at once, each index with a proved bound.

Each labelling has its own certificate in float64. Then the indices of all labellings are one product with
matrices that do not depend on the labels (``BoundedForms`` or ``Engine.sums``). A number is rounded to the
nearest unit of the last decimal, and kept with a bound of its distance from the correctly rounded one, which
is 0 for most. Balls are used only for a labelling that float64 does not certify, never to round a number.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
from flint import arb, fmpq

from ..errors import Undecided
from ..numbers.arithmetic import arithmetic
from ..numbers.midrad import MidRad
from ..numbers.rationals import float_upper_bound
from ..profile.indices import INDICES
from ..profile.profile import orca
from ..svm.certificate import Certificate
from .engine import EXPECTED_FAILURES, MISSING, UNIT, Engine, Reading

_ENTRIES = 2**22  # numbers of the labellings that are multiplied at a time
_SLACK = 1e-12  # exceeds the rounding errors of a share and its bound, and of their conversion to units

Labelling = tuple[Sequence[int], Sequence[fmpq]]  # the labels and the C_i


class _Certified(NamedTuple):
    """A certified labelling: the coefficients of all points, and the factor of the square of the norm."""

    proof: Certificate
    s: MidRad
    scale: Any


def read_labellings(engine: Engine, labellings: Sequence[Labelling]) -> list[Reading]:
    """Return the numbers of the classifiers of several labellings, with bounds.

    Parameters
    ----------
    engine : Engine
        The points, the kernel and the numbers that are computed.
    labellings : sequence
        The labels and the C_i of each classifier. A point whose C_i is 0 is left out.

    Returns
    -------
    list of Reading
        One for each labelling.
    """
    found: dict[int, Reading] = {}
    certified: dict[int, _Certified] = {}
    with np.errstate(all="ignore"):
        for k, (y, C) in enumerate(labellings):
            with suppress(*EXPECTED_FAILURES):
                certified[k] = _certify(engine, y, C)
        most = engine.problem.m**2 if engine.pair_forms is None else engine.problem.m
        step = max(1, _ENTRIES // most)
        numbers = list(certified)
        for start in range(0, len(numbers), step):
            some = {k: certified[k] for k in numbers[start : start + step]}
            found |= _read(engine, some)
    for k, (y, C) in enumerate(labellings):
        if k not in found:
            found[k] = engine.read_in_balls(y, C)
    return [found[k] for k in range(len(labellings))]


def _certify(engine: Engine, y: Sequence[int], C: Sequence[fmpq]) -> _Certified:
    rows, proof = engine.certify(y, C)
    A = arithmetic("verified")
    with A.scope():
        expansion = proof.expansion(A)
        s = MidRad.zeros(engine.problem.m)
        s[rows] = expansion.s
    return _Certified(proof, s, expansion.scale)


def _read(engine: Engine, certified: dict[int, _Certified]) -> dict[int, Reading]:
    """Return the readings of those labellings whose norm is separated from 0."""
    found = {}
    with arithmetic("verified").scope():
        if engine.pair_forms is None and not engine.has_sums:
            for k, each in certified.items():
                if (reading := _read_profile(engine, each)) is not None:
                    found[k] = reading
            return found
        s = MidRad.stack([each.s for each in certified.values()]).T
        if engine.pair_forms is not None:
            near, error = engine.pair_forms.sums(s)
            order = [engine.pair_forms.rows[column] for column in engine.columns]
            near, error = (part[[*order, -1]] for part in (near, error))
        else:
            sums = engine.sums(s)
            near, error = sums.mid, sums.rad
        for place, (k, each) in enumerate(certified.items()):
            reading = _read_sums(engine, each, MidRad(near[:, place], error[:, place]))
            if reading is not None:
                found[k] = reading
    return found


def _read_sums(engine: Engine, certified: _Certified, sums: MidRad) -> Reading | None:
    """Return the numbers from the sums, ||h||^2 last; None if float64 does not decide enough.

    If |V_S - v_S| <= e_S and |V - v| <= e, then |V_S/V - v_S/v| <= (e_S + |v_S/v| e)/(v - e). The share of
    the optimum differs from it by at most the sine of the angle theta between both functions: for 0 <= T <= 1
    and unit vectors u, v, the eigenvalues of u u^T - v v^T are +-sin(theta) and 0, so that
    |<Tu, u> - <Tv, v>| <= sin(theta).
    """
    norm = sums[-1]
    try:
        sine = engine.sine(certified.proof, norm, certified.scale)
    except Undecided:
        return None
    v, e = float(sums.mid[-1]), float(sums.rad[-1])
    if not v > 2 * e:
        return None
    shares = sums.mid[:-1] / v
    bounds = (sums.rad[:-1] + abs(shares) * e) / (v - e) + float_upper_bound(sine)
    if not np.isfinite(bounds).all():
        return None
    values, errors = round_with_bounds(shares, bounds)
    summaries: list[int] = []
    if engine.problem.kernel.top_degree is not None:
        balls = (sums[:-1] / MidRad.from_balls(norm)).balls()
        summaries = engine.decide_summaries(balls, sine)
        if MISSING in summaries:
            return None
    return Reading(values + summaries, "float", certified.proof, errors + [0] * len(summaries))


def _read_profile(engine: Engine, certified: _Certified) -> Reading | None:
    """Return the numbers of one classifier if the matrices for many are too large; None if undecided."""
    try:
        profile = orca(certified.proof.problem, certified.proof, "verified")
        shares = [arb(profile.family(c.name)[c.key]) for c in engine.columns if c.name in INDICES]
        summary = profile.summary()
    except EXPECTED_FAILURES:
        return None
    values, errors = round_with_bounds(
        np.array([float(x.mid()) for x in shares]),
        np.array([float_upper_bound(x.rad()) for x in shares]) * (1 + _SLACK),
    )
    known = [] if engine.problem.kernel.top_degree is None else [summary.peak, *summary.threshold.values()]
    summaries = [x for x in known if isinstance(x, int)]
    if len(summaries) < len(known):
        return None
    return Reading(values + summaries, "float", certified.proof, errors + [0] * len(summaries))


def round_with_bounds(shares: np.ndarray, bounds: np.ndarray) -> tuple[list[int], list[int]]:
    """Round shares to the nearest unit; return the units, and bounds of their errors in units.

    The share is within ``bounds`` of the given one, up to rounding errors of float64, and within [0, 1]. The
    correctly rounded share is within the second result of the first one.

    >>> round_with_bounds(np.array([0.25, 0.0000015, -1e-9]), np.array([1e-9, 1e-9, 1e-9]))
    ([250000, 2, 0], [0, 1, 0])
    """
    reach = bounds * (1 + 2.0**-40) + _SLACK
    nearest, low, high = (
        np.clip(np.floor(x * UNIT + 0.5), 0, UNIT).astype(np.int64)
        for x in (shares, np.clip(shares - reach, 0, 1), np.clip(shares + reach, 0, 1))
    )
    errors = np.maximum(nearest - low, high - nearest)
    return nearest.tolist(), errors.tolist()
