"""Indices of a model as fitted, computed in float64 without proof."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from math import fsum
from textwrap import wrap
from typing import Any, cast

import numpy as np

from ..errors import BadParameter, Undecided, ZeroClassifier
from ..numbers.arithmetic import arithmetic
from ..problem import Problem
from ..profile.profile import Profile
from ..profile.under import under_to_json
from ..runtime.progress import SlowProgress
from .class_pairs import ByClassPair, PairResult, describe_kernel, for_each_pair, pair_title
from .reading import (
    ALTERED,
    MISPLACED,
    BinaryProblem,
    FittedExpansion,
    fitted_expansions,
    reconstruct_problems,
)
from .resampling import studies_of
from .worth import WIDTH, gather_evidence
from .wrappers import Machine, PairKey, TrainingData, unwrap_machines

_CERTAINTY = (
    "as libsvm fitted it, in float64: the last digits depend on libsvm's tolerance and nothing is proved; "
    "use audit(model, X, y) for a proof"
)
_NOTHING = 1e-13  # a share of a sum of float64 below which there is only rounding error


class Explanation(PairResult[float]):
    """Indices of two classes of a model as fitted, in float64 and without certificate.

    ``problem`` contains only the support vectors; ``rows`` are their row numbers in the fit. If the measure
    of the indices is that of the data, the measures in ``problem.under`` come from all rows. ``key`` has the
    two classes, ``notes`` what contradicts a converged fit.
    """

    def to_dict(self, number: Callable[[Any], Any] = float) -> dict[str, Any]:
        about = {
            "classes": pair_title(self.key), "support": self.problem.m, "worth": self.worth.to_dict(),
        }  # fmt: skip
        under = {} if self.problem.kernel.own_measures else {"under": under_to_json(self.stated_problem)}
        return about | self.profile.to_dict(number) | under

    def summary_row(self) -> dict[str, Any]:
        return {"support": self.problem.m}

    def facts(self) -> list[str]:
        return [f"{self.problem.m} support vectors, {describe_kernel(self.problem)}"]

    def certainty(self) -> list[str]:
        return wrap(f"the model {_CERTAINTY}", WIDTH)


class Explanations(ByClassPair[Explanation]):
    """Explanations for each pair of classes."""

    title = "\n".join(wrap(f"{{}} machines {_CERTAINTY.replace(' it,', ' them,')}", WIDTH))


def explain(
    model: Any,
    X: Any = None,
    y: Any = None,
    *,
    sample_weight: Any = None,
    kernel: Any = None,
    under: Any = None,
    cv: Any = 5,
    null: Any = None,
    bootstrap: Any = None,
) -> Explanation | Explanations:
    """Compute the indices of a model as fitted, in float64 and without proof; see ``audit`` for a proof.

    With X and y, the result begins with the answer to the question whether the model is worth reading: see
    ``Explanation.worth``, for which the model is cross-validated.

    The support vectors, ``dual_coef_`` and ``intercept_`` are taken as they are, and X and y must be the data
    of the fit, as far as the model stores them. It is not verified that libsvm computed the coefficients.
    Three contradictions are noted and warned of: a support vector with y g(x) > 1, no support vector with
    y g(x) = 1 although some alpha_i are below C, and a sum of alpha_i y_i that is not 0.

    Parameters
    ----------
    model : estimator
        A fitted model as for ``audit``.
    X, y : array, optional
        Points and labels of the fit. The points are required for ``kernel="precomputed"``. For a linear,
        polynomial or RBF kernel they carry the measure of the indices, unless ``under`` does not depend on
        the data; without them it is that of the support vectors, and a note says so. With them, the labels
        are required for more than two classes.
    sample_weight : array, optional
        The weights that were passed to ``fit``; needed if some are 0.
    kernel : OrthogonalPolynomialKernel or Kernel, optional
        Kernel of the Gram matrix; required only for ``kernel="precomputed"``.
    under : Measure, Empirical, or a sequence of them, optional
        The measure of the indices, as for ``audit``.
    cv : int, splitter or None
        Folds of the cross-validation, as for ``audit``.
    null, bootstrap : int or study, optional
        Comparison with shuffled labels, and intervals, as for ``audit``; they need X and y.

    Returns
    -------
    Explanation or Explanations
        One explanation for two classes, or a mapping of pairs of classes to explanations for more.

    Raises
    ------
    ZeroClassifier
        If w = 0 for every pair of classes.
    Undecided
        If w cannot be distinguished from 0 in float64 for any pair.

    Examples
    --------
    >>> from orca_exact.sklearn import OrcaSVC
    >>> model = OrcaSVC(n=2, C=100).fit([[1.0], [2], [3], [4], [5], [6]], [0, 0, 1, 1, 0, 0])
    >>> explain(model).profile.peak
    2
    """
    if X is None and (y is not None or sample_weight is not None):
        given = "y" if y is not None else "sample_weight"
        raise BadParameter("X", None, f"was passed together with {given}", "pass the X of the fit as well")
    data = TrainingData() if X is None else TrainingData.from_caller(X, y, sample_weight)
    machines = list(unwrap_machines(model, data))
    steps: dict[PairKey, tuple[Any, ...]] = {}

    def expansions() -> Iterator[FittedExpansion]:
        for machine in machines:
            for part in fitted_expansions(machine, kernel, under):
                steps[part.key] = machine.data.steps
                yield part

    evidence = gather_evidence(model, data, cv, kernel)
    studies = _studies(machines, kernel, under, null=null, bootstrap=bootstrap)

    def explained(part: FittedExpansion) -> Explanation:
        with SlowProgress() as slow:
            slow(f"{pair_title(part.key)}: indices of {part.problem.m} support vectors")
            found = _explanation(part)
        return replace(found, evidence=evidence, steps=steps[part.key], **studies.get(part.key, {}))

    done = cast(Explanation | Explanations, for_each_pair(expansions(), explained, Explanations))
    parts = [done] if isinstance(done, Explanation) else done.values()
    if wrong := [
        f"{pair_title(part.key)}: {x}"
        for part in parts
        for x in part.notes
        if x.startswith((MISPLACED, ALTERED))
    ]:
        warnings.warn(wrong[0], UserWarning, stacklevel=2)
    return done


def _studies(machines: list[Machine], kernel: Any, under: Any, **given: Any) -> dict[PairKey, dict[str, Any]]:
    """Return the studies of each pair of classes, if there are any."""
    if asked := next((name for name, value in given.items() if value is not None), None):
        if any(machine.data.y is None for machine in machines):
            raise BadParameter(asked, "it", "needs the labels of the fit", "pass explain(model, X, y, ...)")
        binaries = [part for machine in machines for part in reconstruct_problems(machine, kernel, under)]
        return {part.key: studies_of(part, **given) for part in binaries if isinstance(part, BinaryProblem)}
    return {}


def _explanation(found: FittedExpansion) -> Explanation:
    problem, A = found.problem, arithmetic("float")
    if _cancels(found):
        raise ZeroClassifier()
    try:
        with np.errstate(all="ignore"):
            profile: Profile[float] = Profile(problem, found.s, A, problem.lambda_in(A))
    except Undecided:  # 0 in float64
        raise _too_small(problem, 0.0) from None
    if not profile.sums.norm > _rounding_error(profile):
        raise _too_small(problem, profile.sums.norm)
    return Explanation(
        problem, profile.named(*found.names), found.names, found.rows, found.key, found.notes, found.under
    )


def _rounding_error(profile: Profile[float]) -> float:
    """Estimate the rounding error of the sum of all parts of h, which is its squared norm or variance."""
    support = profile.generating.support
    parts, size = support.parts, float(np.abs(support.s) @ np.sqrt(support.at.diagonal)) ** 2
    if parts.has_constant:
        return _NOTHING * size
    if parts.by_pairs:  # a sum over pairs (i, j) of terms of at most this size
        i = np.arange(len(support.s))
        own = np.prod([1 + B for B in parts.factors(i, i)], axis=0) - 1
        return _NOTHING * float(np.abs(support.t) @ np.sqrt(np.maximum(own, 0))) ** 2
    return _NOTHING**2 * size * float(parts.embedding)  # a sum of squares of sums


def _cancels(found: FittedExpansion) -> bool:
    """Return whether w is certainly 0: K is constant, or the coefficients of equal points sum to 0."""
    sums: dict[tuple[Any, ...], list[float]] = {}
    for x, s in zip(found.problem.X, found.s, strict=True):
        sums.setdefault(x, []).append(float(s))
    return found.problem.kernel.top_degree == 0 or not any(fsum(group) for group in sums.values())


def _too_small(problem: Problem, square: float) -> Undecided:
    own = problem.kernel.own_measures is not None
    what, name = ("w", "||w||^2") if own else ("h", "its variance under the measure of the indices")
    return Undecided(
        f"{what} cannot be distinguished from {'0' if own else 'a constant'} in float64: {name} is "
        f"{square:.3g}, within its rounding errors; use audit(model, X, y)"
    )
