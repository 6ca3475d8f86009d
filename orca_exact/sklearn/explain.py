"""Indices of a model as fitted, computed in float64 without proof."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from math import fsum
from typing import Any, cast

import numpy as np

from ..errors import Undecided, ZeroClassifier
from ..numbers.arithmetic import arithmetic
from ..profile.profile import Profile
from .class_pairs import ByClassPair, PairResult, describe_kernel, for_each_pair, pair_title
from .reading import ALTERED, MISPLACED, FittedExpansion, fitted_expansions
from .wrappers import TrainingData, unwrap_machines

_NOTHING = 1e-13  # a ratio ||w||^2/(sum alpha_i sqrt K_ii)^2 below this is only rounding error in float64


class Explanation(PairResult[float]):
    """Indices of two classes of a model as fitted, in float64 and without certificate.

    ``problem`` contains only the support vectors; ``rows`` are their row numbers in the fit. ``key`` has the
    two classes, ``notes`` what contradicts a converged fit.
    """

    def to_dict(self, number: Callable[[Any], Any] = float) -> dict[str, Any]:
        about = {"classes": pair_title(self.key), "support": self.problem.m}
        return about | self.profile.to_dict(number)

    def summary_row(self) -> dict[str, Any]:
        return {"support": self.problem.m}

    def facts(self) -> list[str]:
        return [
            "the model as fitted, in float64; nothing is proved, use audit(model, X, y) for a proof",
            f"{self.problem.m} support vectors, {describe_kernel(self.problem)}",
        ]


class Explanations(ByClassPair[Explanation]):
    """Explanations for each pair of classes."""

    title = "{} machines as fitted, in float64; nothing is proved, use audit(model, X, y) for a proof"


def explain(model: Any, X: Any = None, *, kernel: Any = None) -> Explanation | Explanations:
    """Compute the indices of a model as fitted, in float64 and without proof; see ``audit`` for a proof.

    The support vectors, ``dual_coef_`` and ``intercept_`` are taken as they are. Without the labels and
    weights of the fit it cannot be verified that libsvm computed them. Two contradictions are noted and
    warned of: a support vector with y g(x) > 1, and no support vector with y g(x) = 1 although some alpha_i
    are below C.

    Parameters
    ----------
    model : estimator
        A fitted model as for ``audit``.
    X : array, optional
        Points of the fit; required only for ``kernel="precomputed"``.
    kernel : OrthogonalPolynomialKernel, optional
        Kernel of the Gram matrix; required only for ``kernel="precomputed"``.

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
    data = TrainingData() if X is None else TrainingData(X)
    found = (part for machine in unwrap_machines(model, data) for part in fitted_expansions(machine, kernel))
    done = cast(Explanation | Explanations, for_each_pair(found, _explanation, Explanations))
    parts = [done] if isinstance(done, Explanation) else done.values()
    if wrong := [
        f"{pair_title(part.key)}: {x}"
        for part in parts
        for x in part.notes
        if x.startswith((MISPLACED, ALTERED))
    ]:
        warnings.warn(wrong[0], UserWarning, stacklevel=2)
    return done


def _explanation(found: FittedExpansion) -> Explanation:
    problem, A = found.problem, arithmetic("float")
    if _cancels(found):
        raise ZeroClassifier()
    try:
        profile: Profile[float] = Profile(problem, found.s, A, problem.lambda_in(A))
    except Undecided:  # 0 in float64
        raise _too_small(0.0) from None
    s, diagonal = profile.generating.support.s, problem.kernel.at(problem.points, A).diagonal
    if not profile.sums.norm > _NOTHING * float(np.abs(s) @ np.sqrt(diagonal)) ** 2:
        raise _too_small(profile.sums.norm)
    return Explanation(problem, profile.named(*found.names), found.names, found.rows, found.key, found.notes)


def _cancels(found: FittedExpansion) -> bool:
    """Return whether w is certainly 0: K is constant, or the coefficients of equal points sum to 0."""
    sums: dict[tuple, list[float]] = {}
    for x, s in zip(found.problem.X, found.s, strict=True):
        sums.setdefault(x, []).append(float(s))
    return not any(found.problem.degrees) or not any(fsum(group) for group in sums.values())


def _too_small(norm2: float) -> Undecided:
    return Undecided(
        f"w cannot be distinguished from 0 in float64: ||w||^2 is {norm2:.3g}, within its rounding errors; "
        "use audit(model, X, y)"
    )
