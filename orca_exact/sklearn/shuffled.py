"""Comparison of a model with models of shuffled labels.

Two questions are asked, each with the kernel, C and the columns that the SVC saw left as they are.

- *Does it predict?* For five fixed folds, which do not depend on the labels, the SVC is fitted without a fold
  and applied to it. The statistic is the accuracy on the rows that were left out; for each column it is the
  mean of y f over these rows, where f is what the column adds to the decision function (the sum of all parts
  of h in which it takes part). Both are one-sided: only values larger than those of shuffled labels count.
  This is computed with libsvm in float64: evidence, not a proof.
- *Are the shares unusual?* The indices of the fits to all rows with the same shuffled labels form a band.
  They are those of ``studies.null``, which certifies each fit and bounds the error of each index.

Shares are not tested: a model of random labels must divide its variance somehow, so that a share says little
about whether there is anything to divide.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from math import ceil

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import KFold
from sklearn.svm import SVC

from ..errors import BadParameter
from ..problem import Problem
from ..profile.expansions import Expansions
from ..profile.index import Key
from ..studies.engine import MISSING
from ..studies.left_out import LeftOutPrediction
from ..studies.null import Null, null
from ..studies.work import check_repeats, generator

SHOWN_FAMILIES = ("order", "total", "shapley", "marginal")
FOLDS = 5
_SEED = 1  # of the shufflings; the folds have their own
MAX_ITERATIONS = 100_000  # of libsvm in one fit; the same limit for every labelling keeps the test valid
_ROUNDING = 1e-9  # of the standard deviation of a share, which is between 0 and 1
_LEAST = 4  # rows of the smaller class below which folds cannot be made
IndexBand = Mapping[tuple[str, Key], tuple[float, float, float]]


def simultaneous_band(samples: Mapping[tuple[str, Key], np.ndarray]) -> IndexBand:
    """Return (low, median, high) of each index, such that 95 % of the samples lie within all bands.

    The band is mean - c sd to mean + c sd, with one c for all indices, within [0, 1]. Samples with nan are
    left out. An index that is the same for all samples, but for rounding, has no part in c.
    """
    table = np.array(list(samples.values())).T
    known = table[np.isfinite(table).all(axis=1)]
    if not len(known):
        return {}
    mean, sd = known.mean(axis=0), known.std(axis=0)
    away = np.divide(np.abs(known - mean), sd, out=np.zeros_like(known), where=sd > _ROUNDING).max(axis=1)
    c = np.sort(away)[ceil(0.95 * len(away)) - 1]
    ends = zip((mean - c * sd).clip(0, 1), np.median(known, axis=0), (mean + c * sd).clip(0, 1), strict=True)
    return {key: (float(a), float(b), float(c)) for key, (a, b, c) in zip(samples, ends, strict=True)}


def shuffled_band(study: Null) -> IndexBand:
    """Return (low, median, high) of each index shown; 95 % of the shufflings lie within all bands."""
    chosen = study.select(*SHOWN_FAMILIES)
    samples = {
        (c.name, c.key): np.where(x == MISSING, np.nan, x / c.unit)
        for c, x in zip(chosen.columns, chosen.samples.T, strict=True)
    }
    return simultaneous_band(samples)


def compare_with_shuffled(
    problem: Problem, repeats: int, progress: Callable[[str], None] = lambda line: None
) -> Null:
    """Compare the SVM of a problem with those of shuffled labels, each label with its C_i.

    Parameters
    ----------
    problem : Problem
        The problem; its labels are +1 and -1.
    repeats : int
        Number of shufflings.
    progress : callable
        Receives a line now and then.

    Returns
    -------
    Null
        The certified study of the indices, with the prediction of rows that were left out.

    Raises
    ------
    BadParameter
        If there are too few rows of a class to leave some of them out.
    """
    prediction = predict_left_out(problem, repeats, progress)
    study = null(
        problem, repeats=repeats, seed=_SEED, progress=lambda line: progress(line and f"indices: {line}")
    )
    return replace(study, prediction=prediction)


def predict_left_out(
    problem: Problem, repeats: int, progress: Callable[[str], None] = lambda line: None
) -> LeftOutPrediction:
    """Predict rows that were left out, with the given labels and with the shuffled labels of ``null``.

    The parameters are those of ``compare_with_shuffled``.
    """
    check_repeats(repeats, _SEED)
    m, y = problem.m, np.array(problem.y, dtype=float)
    if min((y > 0).sum(), (y < 0).sum()) < _LEAST:
        rule = f"has fewer than {_LEAST} rows, too few to leave some of them out"
        raise BadParameter("null", "the smaller class", rule, "leave null out, or add rows")
    bounds = np.array([float(C) for C in problem.bounds])
    orders = [np.arange(m), *(generator(_SEED, k).permutation(m) for k in range(repeats))]
    Y, C = (np.stack([values[order] for order in orders], axis=1) for values in (y, bounds))
    points = problem.points.astype(float)
    K = problem.kernel(points, points)
    scale = float(np.trace(K)) / m or 1.0  # libsvm keeps its kernel values in single precision
    K, C = K / scale, C * scale
    expansions = Expansions(problem)
    fits, count = 0, FOLDS * len(orders)

    def fit(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return s for all points, 0 outside ``rows``, and b, of the fit to these rows for each labelling."""
        nonlocal fits
        S, b = np.zeros(Y.shape), np.zeros(Y.shape[1])
        for k in range(Y.shape[1]):
            progress(f"{fits} of {count} fits with shuffled labels")
            fits += 1
            S[rows, k], b[k] = _fit(K[np.ix_(rows, rows)], Y[rows, k], C[rows, k])
        return S, b

    right, agreement = np.zeros(len(orders)), np.zeros((problem.d, len(orders)))
    for train, left in KFold(FOLDS, shuffle=True, random_state=_SEED).split(K):
        S, b = fit(train)
        right += ((K[left] @ S + b) * Y[left] > 0).sum(axis=0)
        for j, values in enumerate(expansions.column_parts(left, S)):
            agreement[j] += (values * Y[left]).sum(axis=0)
    return LeftOutPrediction(right / m, agreement / m)


def _fit(K: np.ndarray, y: np.ndarray, C: np.ndarray) -> tuple[np.ndarray, float]:
    """Return s and b of libsvm; without one of the classes, 0 and its label."""
    s = np.zeros(len(y))
    if abs(y.sum()) == len(y):
        return s, float(y[0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        svc = SVC(kernel="precomputed", C=1.0, max_iter=MAX_ITERATIONS).fit(K, y, sample_weight=C)
    s[svc.support_] = svc.dual_coef_[0]
    return s, float(svc.intercept_[0])
