"""Known bugs, each the true pipeline with one thing changed, and the one that explains a program's numbers.

A bug's docstring says what it means, as a report prints it.

A bug is likely where its pipeline, stage by stage from the program's own numbers, passes every comparison
that the true pipeline does not. Bugs are witnesses in float64; only the true pipeline judges.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from flint import fmpq

from ..errors import OrcaError
from ..problem import Problem
from . import kernel_bugs as up
from . import solver_bugs as down
from .pipeline import Pipeline
from .reference import MAX_COEFFICIENTS
from .result import Result
from .stages import Needs, compare_stages

BUGS: tuple[type[Pipeline], ...] = (
    up.Unnormalised, up.Monic, up.UnnormalisedRatio, up.MissingRoot, down.MissingRootLater,
    down.MissingRootTwice, up.Swapped, up.FirstMeasure, up.EqualNodes, up.PhysicistsHermite,
    up.LaguerreSign, up.TotalDegree, up.OneFewer, up.OneMore, up.DroppedTop, down.DroppedTopLater,
    up.Misscaled, down.BiasInside, down.BiasProjected, down.WithoutY, down.CTimesM, down.COverM,
    down.LargestC, down.FirstC, down.NoC, down.UnweightedB, down.SignedAlpha, down.SignOfB,
    down.IgnoredDual, up.Float32, up.Float32Basis, down.FewDigits, up.ToUnitInterval, up.ByLargest,
    up.Standardised, up.TogetherNotByColumn, up.NotRescaled, up.RescaledEverywhere, up.RescaledUnasked,
    down.ReversedKeys, down.ReversedModes, down.CountedFromZero, down.MarginalsShifted,
    down.MarginalsShiftedBack, down.TotalMarginals, down.TotalPairs, down.TotalBoth, down.LastPeak,
    down.ThresholdLate, down.ThresholdEarly, down.PeakFromOne, down.BothFromOne, down.Strict,
    *down.OTHER_EPS, down.IndicesOfZero,
)  # fmt: skip


def likely_bugs(
    problem: Problem, result: Result, needs: Needs, dual: Sequence[fmpq] | None = None
) -> list[type[Pipeline]]:
    """The bugs that explain every number given; to be called where the true pipeline fails.

    ``dual``: the dual variables, where the problem gives them.
    """
    if problem.modes > MAX_COEFFICIENTS:
        return []
    if _explains(up.Float64(problem, dual=dual), result, needs):
        return []  # the true pipeline in float64 agrees: a matter of digits, not of a bug
    return [bug for bug in BUGS if _explains(bug(problem, dual=dual), result, needs)]


def _explains(pipe: Pipeline, result: Result, needs: Needs) -> bool:
    solve = result.alpha is None
    softer: Needs = (lambda kind: (3.0, needs(kind)[1])) if solve else needs  # two solvers meet: fewer digits
    try:
        with np.errstate(all="ignore"):
            lines = list(compare_stages(result, pipe, softer, solve)) if pipe.applies(result) else []
    except (OrcaError, ArithmeticError, ValueError, np.linalg.LinAlgError):
        return False  # this bug cannot even be carried out here
    return bool(lines) and all(line.passes for line in lines)


def vote(found: Iterable[Iterable[type[Pipeline]]]) -> Iterator[tuple[type[Pipeline], int]]:
    """Bugs by the number of failed vectors that they explain, most first; each name once."""
    counts = Counter(bug for bugs in found for bug in bugs)
    seen = set()
    for bug, count in sorted(counts.items(), key=lambda item: (-item[1], BUGS.index(item[0]))):
        if bug.name not in seen:
            seen.add(bug.name)
            yield bug, count
