"""Comparison of a model with models of shuffled labels, in float64 and with libsvm: evidence, not a proof.

Two questions are asked, each with the kernel, C and the columns that the SVC saw left as they are.

- *Does it predict?* For five fixed folds, which do not depend on the labels, the SVC is fitted without a fold
  and applied to it. The statistic is the accuracy on the rows that were left out; for each column it is the
  mean of y f over these rows, where f is what the column adds to the decision function (the sum of all parts
  of h in which it takes part). Both are one-sided: only values larger than those of shuffled labels count.
- *Are the shares unusual?* The indices of the fits to all rows with shuffled labels form a band.

Under the hypothesis that the labels do not depend on the rows, all permutations of the labels are equally
likely, so that p = (r + 1)/(B + 1) is valid. The accuracy and the columns are one family, whose p-values are
corrected by the step-down maxT method of Westfall and Young. Shares are not tested: a model of random labels
must divide its variance somehow, so that a share says little about whether there is anything to divide.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import ceil

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import KFold
from sklearn.svm import SVC

from ..errors import BadParameter
from ..problem import Problem
from ..profile.expansions import Expansions
from ..profile.index import Key
from ..studies.statistics import step_down
from ..studies.work import check_repeats, generator

SHOWN_FAMILIES = ("order", "total", "shapley", "marginal")
FOLDS = 5
_SEED = 1  # of the shufflings; the folds have their own
MAX_ITERATIONS = 100_000  # of libsvm in one fit; the same limit for every labelling keeps the test valid
_ROUNDING = 1e-9  # of the standard deviation of a share, which is between 0 and 1
_LEAST = 4  # rows of the smaller class below which folds cannot be made
IndexBand = Mapping[tuple[str, Key], tuple[float, float, float]]


@dataclass(frozen=True, eq=False)
class ShuffledLabels:
    """Indices, accuracies and predictive parts of columns for shuffled labels.

    Parameters
    ----------
    repeats : int
        Number of shufflings.
    shares : dict
        The indices by family and key: of the given labels first, then of each shuffling; nan if libsvm does
        not distinguish w from 0.
    accuracies : ndarray
        Accuracy on rows that were left out: of the given labels first, then of each shuffling.
    agreement : ndarray
        For each column a row with the mean of y f over the rows that were left out, in the same order.
    """

    repeats: int
    shares: Mapping[tuple[str, Key], np.ndarray]
    accuracies: np.ndarray
    agreement: np.ndarray

    @cached_property
    def _p_values(self) -> tuple[float, ...]:
        return step_down(np.vstack([self.accuracies, self.agreement]))

    @property
    def p_accuracy(self) -> float:
        """The p-value of the accuracy on new rows, corrected for all columns."""
        return self._p_values[0]

    @property
    def p_columns(self) -> tuple[float, ...]:
        """The p-value of each column for the prediction of new rows, corrected for all columns."""
        return self._p_values[1:]

    @cached_property
    def band(self) -> IndexBand:
        """(low, median, high) of each index, such that 95 % of the shufflings lie within all bands."""
        return simultaneous_band({key: x[1:] for key, x in self.shares.items()})


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


def shuffle_labels(
    problem: Problem, repeats: int, progress: Callable[[str], None] = lambda line: None
) -> ShuffledLabels:
    """Compare the SVM of a problem with those of shuffled labels, each label with its C_i.

    Parameters
    ----------
    problem : Problem
        The problem; its labels are +1 and -1.
    repeats : int
        Number of shufflings.
    progress : callable
        Receives a line now and then.

    Raises
    ------
    BadParameter
        If there are too few rows of a class to leave some of them out.
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
    fits, count = 0, (FOLDS + 1) * len(orders)

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
    S, b = fit(np.arange(m))
    progress("indices of shuffled labels")
    S[:, _may_be_zero(K, S, b, Y, C)] = 0.0
    shares = expansions.shares(S, SHOWN_FAMILIES)
    return ShuffledLabels(repeats, shares, right / m, agreement / m)


def _may_be_zero(K: np.ndarray, S: np.ndarray, b: np.ndarray, Y: np.ndarray, C: np.ndarray) -> np.ndarray:
    """Return for which labellings w = 0 may be the optimum: |w|^2 does not exceed the duality gap."""
    h = K @ S
    norm = (S * h).sum(axis=0)
    loss = (C * np.maximum(0.0, 1 - Y * (h + b))).sum(axis=0)
    found: np.ndarray = norm <= norm + loss - np.abs(S).sum(axis=0)
    return found


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
