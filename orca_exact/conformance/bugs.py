"""Known bugs, and the search for those that explain the numbers of a program.

Each bug is a subclass of ``Pipeline`` that changes one thing; ``means`` is the explanation that a report
prints. A bug is likely if its pipeline, recomputing each stage in float64 from the program's own previous
stage, passes every comparison. The verdict itself depends on the correct pipeline alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum

import numpy as np
from flint import fmpq

from ..errors import OrcaError
from ..problem import Problem
from . import kernel_bugs, solver_bugs, standard_bugs
from .comparison import Comparison
from .pipeline import Pipeline
from .result import Result
from .stages import Needs, compare_stages

# In this order reports list bugs that explain equally many vectors.
BUGS: tuple[type[Pipeline], ...] = (
    kernel_bugs.Unnormalised, kernel_bugs.Monic, kernel_bugs.UnnormalisedRatio, kernel_bugs.MissingRoot,
    kernel_bugs.MonicMissingRoot, solver_bugs.CoefficientsWithoutRoot,
    solver_bugs.CoefficientsWithSquaredRoot, solver_bugs.MonicCoefficientsWithoutRoot,
    solver_bugs.MonicCoefficientsWithSquaredRoot, kernel_bugs.Swapped,
    kernel_bugs.FirstMeasure,
    kernel_bugs.IgnoredOrder, kernel_bugs.IgnoredOrderInKernel, kernel_bugs.IgnoredOrderLater,
    kernel_bugs.OrderOfDegrees, kernel_bugs.OrderOneFewer, kernel_bugs.OrderOneMore,
    kernel_bugs.ConstantsLeftOut, kernel_bugs.DividedByMeanDiagonal,
    kernel_bugs.EqualWeights, kernel_bugs.PhysicistsHermite, kernel_bugs.LaguerreSign,
    kernel_bugs.TotalDegree, kernel_bugs.OneFewer, kernel_bugs.OneMore, kernel_bugs.MissingTopMode,
    solver_bugs.CoefficientsWithoutTopMode,
    kernel_bugs.WrongScaleOfP1, solver_bugs.BiasInConstant, solver_bugs.BiasProjected, solver_bugs.WithoutY,
    solver_bugs.CTimesM, solver_bugs.COverM, solver_bugs.LargestC, solver_bugs.FirstC, solver_bugs.NoC,
    solver_bugs.UnweightedB, solver_bugs.SignedAlpha, solver_bugs.SignOfB, solver_bugs.IgnoredDual,
    kernel_bugs.Float32, kernel_bugs.Float32Basis, solver_bugs.FewDigits, kernel_bugs.ToUnitInterval,
    kernel_bugs.ByLargest, kernel_bugs.Standardised, kernel_bugs.TogetherNotByColumn, kernel_bugs.NotRescaled,
    kernel_bugs.RescaledEverywhere, kernel_bugs.RescaledUnasked, solver_bugs.ReversedKeys,
    solver_bugs.ReversedModes, solver_bugs.CountedFromZero, solver_bugs.MarginalsShifted,
    solver_bugs.MarginalsShiftedBack, solver_bugs.TotalMarginals, solver_bugs.TotalPairs,
    solver_bugs.TotalBoth, solver_bugs.MarginalAsTotal, solver_bugs.PairsAsTotal, solver_bugs.UndividedTotal,
    solver_bugs.ShapleyByColumns, solver_bugs.ShapleyUndivided,
    solver_bugs.LastPeak, solver_bugs.ThresholdLate, solver_bugs.ThresholdEarly,
    solver_bugs.PeakFromOne, solver_bugs.BothFromOne, solver_bugs.Strict, *solver_bugs.OTHER_EPS,
    solver_bugs.IndicesOfZero,
    standard_bugs.HalvedGamma, standard_bugs.GammaAsSigma, standard_bugs.GammaOne, standard_bugs.GammaOutside,
    standard_bugs.ScaledGamma, standard_bugs.AutomaticGamma, standard_bugs.PlainDistance,
    standard_bugs.SumOfDistances, standard_bugs.WithoutCoef0, standard_bugs.Coef0One,
    standard_bugs.LinearWithConstant, standard_bugs.PowerOneLess, standard_bugs.PowerOneMore,
    standard_bugs.UniformOnTheRange, standard_bugs.UniformOnMinusOneToOne, standard_bugs.UniformOnZeroToOne,
    standard_bugs.SdAsVariance, standard_bugs.VarianceAsSd, standard_bugs.StandardNormal,
    standard_bugs.DistinctValues, standard_bugs.IgnoredMeasure, standard_bugs.AlwaysUniform,
    standard_bugs.FirstOfTheMeasures, standard_bugs.SampleCovariance, standard_bugs.ConstantKept,
    standard_bugs.Cancellation,
)  # fmt: skip


class Obstacle(Enum):
    """A reason why a bug does not explain a result, other than a comparison that fails."""

    OTHER_KERNEL = "the kernel cannot have the bug"
    ENOUGH = "the numbers are those of the correct method in float64, with too few digits"
    TOO_LARGE = "there are too many coefficients to recompute them"
    ABSENT = "the bug has no effect on such a result"
    IMPOSSIBLE = "the computation with the bug fails"


def likely_bugs(
    problem: Problem, result: Result, needs: Needs, dual: Sequence[fmpq] | None = None
) -> list[type[Pipeline]]:
    """Return the known bugs that explain every number of a result that failed.

    Parameters
    ----------
    problem : Problem
    result : Result
        The numbers of the program.
    needs : callable
        Map a kind of quantity to the digits needed and the digits attainable.
    dual : sequence of fmpq, optional
        The dual variables, if the problem gives them.

    Returns
    -------
    list of type
        Subclasses of ``Pipeline``; empty if there are too many coefficients to enumerate, or if the correct
        pipeline in float64 agrees, so that the program merely lacks digits.
    """
    correct = kernel_bugs.Float64(problem, dual=dual)
    if _obstacle(correct, result, needs) is not None:
        return []
    return [bug for bug in BUGS if _contradiction(bug, correct, result, needs) is None]


def why_not(
    bug: type[Pipeline], problem: Problem, result: Result, needs: Needs, dual: Sequence[fmpq] | None = None
) -> Obstacle | Comparison | None:
    """Return why a bug does not explain a result that failed: the first comparison that fails, say.

    The parameters are those of ``likely_bugs``. None means that the bug explains the result.
    """
    correct = kernel_bugs.Float64(problem, dual=dual)
    return _obstacle(correct, result, needs) or _contradiction(bug, correct, result, needs)


def _obstacle(correct: Pipeline, result: Result, needs: Needs) -> Obstacle | None:
    """Return why no bug is looked for in a result, if so."""
    if correct.is_orthogonal and not correct.lists_parts:
        return Obstacle.TOO_LARGE
    return Obstacle.ENOUGH if _first_failure(correct, result, needs) is None else None


def _contradiction(
    bug: type[Pipeline], correct: Pipeline, result: Result, needs: Needs
) -> Obstacle | Comparison | None:
    if not bug.concerns(correct.problem):
        return Obstacle.OTHER_KERNEL
    pipe = bug(correct.problem, dual=correct.dual, correct=correct)
    if bug.changes_parts() and not pipe.lists_parts:
        return Obstacle.TOO_LARGE
    return _first_failure(pipe, result, needs)


def _first_failure(pipe: Pipeline, result: Result, needs: Needs) -> Obstacle | Comparison | None:
    solve = result.alpha is None
    # Without alpha the results of two solvers are compared, unless alpha is given, and agree to fewer digits.
    softer: Needs = (lambda kind: (3.0, needs(kind)[1])) if solve and pipe.dual is None else needs
    try:
        with np.errstate(all="ignore"):
            if not pipe.applies(result):
                return Obstacle.ABSENT
            line = None
            for line in compare_stages(result, pipe, softer, solve):
                if not line.passes:
                    return line
    except (OrcaError, ArithmeticError, ValueError, np.linalg.LinAlgError):
        return Obstacle.IMPOSSIBLE
    return Obstacle.ABSENT if line is None else None


def rank_bugs(found: Iterable[Iterable[type[Pipeline]]]) -> Iterator[tuple[type[Pipeline], int]]:
    """Yield each bug with the number of failed vectors that it explains, most first.

    Of several bugs with the same name only the first is yielded.
    """
    counts = Counter(bug for bugs in found for bug in bugs)
    seen = set()
    for bug, count in sorted(counts.items(), key=lambda item: (-item[1], BUGS.index(item[0]))):
        if bug.name not in seen:
            seen.add(bug.name)
            yield bug, count
