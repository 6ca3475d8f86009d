"""The measure of the indices in words, and whether the data leave it nearly empty."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import numpy as np
from flint import fmpq

from ..errors import pluralize
from ..kernels.polynomial import readable
from ..measures.families import Discrete
from ..measures.probability import Empirical, Normal, Uniform
from ..numbers.midrad import MidRad
from ..numbers.rationals import to_float
from ..problem import Problem

_STRIP = 1024  # points at which h is computed at a time
_RATIO = 10  # by which two variances may differ without a warning


def describe_under(problem: Problem) -> str:
    """Return the measure of the indices in words.

    Examples
    --------
    >>> from orca_exact import Linear, Normal, Uniform
    >>> describe_under(Problem([[0, 1], [1, 0]], [1, -1], kernel=Linear()))
    'the empirical distribution of each column'
    >>> describe_under(Problem([[0, 1], [1, 0]], [1, -1], kernel=Linear(), under=[Uniform(), Normal(0, 2)]))
    'uniform on its range, normal (mean 0, sd 2)'
    """
    if problem.kernel.own_measures is not None:
        return "the measures of the kernel"
    if len(set(problem.under)) == 1:
        if isinstance(problem.under[0], Empirical):
            return "the empirical distribution of each column"
        if problem.under[0] == Uniform():
            return "the uniform distribution on the range of each column"
    sizes = {measure.size for measure in problem.under if isinstance(measure, Discrete)}
    if len(sizes) > 1 and all(isinstance(measure, Discrete) for measure in problem.under):
        return f"a discrete distribution of each column, on {min(sizes)} to {max(sizes)} values"
    names = [_name(measure) for measure in problem.under]
    if len(set(names)) == 1:
        return names[0] + " in each column" * (len(names) > 1)
    runs = [(name, len(list(run))) for name, run in groupby(names)]
    return ", ".join(f"{name} x {count}" if count > 1 else name for name, count in runs)


def _name(measure: Any) -> str:
    if isinstance(measure, Empirical):
        return "empirical"
    if isinstance(measure, Discrete):
        return f"discrete on {pluralize(len(measure.nodes), 'value')}"
    if isinstance(measure, Normal):
        return f"normal (mean {readable(measure.mean)}, sd {readable(measure.sd)})"
    if isinstance(measure, Uniform):
        ends = measure.lower, measure.upper
        return "uniform on " + ("its range" if ends[0] is None else f"[{', '.join(map(readable, ends))}]")
    return str(measure)


def under_to_json(problem: Problem) -> Any:
    """Return the measure of the indices as files have it: one for all columns, or one for each."""
    written = [measure.to_json() for measure in problem.under]
    return written[0] if all(each == written[0] for each in written) else written


def empty_measure_warning(profile: Any) -> str | None:
    """Return a sentence if the variance of h under the measure is far from that over the rows of the data.

    Both are compared in float64: they are estimates, and nothing is proved. Under the empirical
    distributions and under the measures of a kernel there is no warning.
    """
    problem = profile.problem
    if problem.kernel.own_measures is not None or all(isinstance(u, Empirical) for u in problem.under):
        return None
    measured, seen = float(profile.variance), variance_over_rows(profile)
    if not (measured > 0 and seen > 0) or seen / _RATIO <= measured <= seen * _RATIO:
        return None
    low = measured < seen
    ratio = seen / measured if low else measured / seen
    return (
        f"warning: under this measure the variance of h is about {float(f'{ratio:.2g}'):,.0f} times "
        f"{'smaller' if low else 'larger'} than over the rows of the data (an estimate): most of the measure "
        "lies where there are no data, and the indices describe h there; compare them with those under the "
        "empirical distributions"
    )


def variance_over_rows(profile: Any) -> float:
    """Return the variance of h over the rows of the data, computed in float64 without error bounds."""
    problem, support = profile.problem, profile.generating.support
    X = np.array([[to_float(x) for x in row] for row in problem.points])
    centres, s = X[list(support.rows)], float_ratios(support.s)
    h = [problem.kernel(X[i : i + _STRIP], centres) @ s for i in range(0, len(X), _STRIP)]
    norm = float(s @ problem.kernel(centres, centres) @ s)  # h is known up to a factor: ||h||^2 gives it
    return float(np.concatenate(h).var()) * float(profile.norm2) / norm if norm > 0 else 0.0


def float_ratios(s: Any) -> np.ndarray:
    """Return multiples of the coefficients in float64; exact ones may be too large for it."""
    if isinstance(s, MidRad):
        return s.mid
    largest = max(map(abs, s)) if isinstance(s[0], fmpq) else None
    return np.array([float(x) if largest is None else to_float(x / largest) for x in s])
