"""Permutation tests and confidence intervals of integers.

No comparison depends on rounding, and ties count against significance. A MISSING value (undecided, or w = 0)
counts against significance as well; intervals leave it out. So does a comparison that the proved bounds of
the values, their ``errors``, leave open.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, inf, isfinite, sqrt
from statistics import NormalDist
from typing import Any

import numpy as np
from flint import fmpq

from ..numbers.rationals import QQ
from .engine import MISSING

QUANTILES = ("0.025", "0.05", "0.25", "0.5", "0.75", "0.95", "0.975")
_NORMAL = NormalDist()
_SLACK = 1 - 1e-9  # distances in float64 whose ratio is closer to 1 count as equal
_LARGEST_CHANGE = 0.1  # of a standard deviation by the errors of the values
_NEAR = 1e-9  # a rank in float64 that is closer to an integer counts as that integer


def mean_sd(values: Sequence[int]) -> tuple[float, float]:
    """Return mean and sample standard deviation of integers, from exact sums."""
    n, total = len(values), sum(values)
    squares = n * sum(x * x for x in values) - total * total
    return total / n, sqrt(squares / (n * (n - 1))) if n > 1 else 0.0


def read_decimal(x: Any) -> fmpq:
    """Return the decimal that x is written as: also the float 0.95 means 19/20, not its binary value.

    >>> read_decimal(0.95), read_decimal("0.975"), (1 - read_decimal(0.95)) / 2
    (19/20, 39/40, 1/40)
    """
    return QQ(repr(float(x)) if isinstance(x, float) else x)


def quantile(ordered: Sequence[int], q: Any) -> int:
    """Return the smallest value such that at least a share q of the values is not greater.

    The share is read by ``read_decimal``.

    >>> quantile(range(1, 201), 0.025), quantile(range(1, 201), "0.975")
    (5, 195)
    """
    return _ranked(ordered, int((read_decimal(q) * len(ordered)).ceil()))


def _ranked(ordered: Sequence[int], rank: int) -> int:
    """Return the value of this rank, counted from 1; a rank outside the list is clipped."""
    return ordered[min(len(ordered), max(1, rank)) - 1]


def p_values(
    observed: int, samples: np.ndarray, errors: np.ndarray | None = None, observed_error: int = 0
) -> dict[str, Any]:
    """Return p = (r + 1)/(B + 1) for values as large, as small, and two-sided (twice the smaller one).

    ``errors`` bound the errors of the samples, and ``observed_error`` that of the observed value. Of the
    ``ties``, which include undecided values, ``open`` are comparisons that these bounds do not decide.

    >>> p_values(5, np.array([1, 2, 3, 5]))
    {'p': 0.8, 'p_high': 0.4, 'p_low': 1.0, 'ties': 1, 'open': 0}
    >>> p_values(5, np.array([1, 2, 4, 5]), np.array([0, 0, 1, 0]))
    {'p': 1.0, 'p_high': 0.6, 'p_low': 1.0, 'ties': 2, 'open': 1}
    """
    B, missing = len(samples), samples == MISSING
    if observed == MISSING:
        return {"p": 1.0, "p_high": 1.0, "p_low": 1.0, "ties": B, "open": 0}
    reach = observed_error + (np.zeros_like(samples) if errors is None else errors)
    sides = (samples + reach >= observed, samples - reach <= observed)
    high, low = (int((side | missing).sum()) + 1 for side in sides)
    return {
        "p": min(1.0, 2 * min(high, low) / (B + 1)),
        "p_high": high / (B + 1),
        "p_low": low / (B + 1),
        "ties": int(((sides[0] & sides[1]) | missing).sum()),
        "open": int((sides[0] & sides[1] & ~missing & (reach > 0)).sum()),
    }


def family_wise(
    observed: Sequence[int], samples: np.ndarray, errors: np.ndarray | None = None
) -> list[float]:
    """Return the family-wise p-value of each column (single-step max-T of Westfall and Young).

    The distance of a value is |x - mean|/sd, with mean and sd over the samples *and* the observed value.
    These are exchangeable, so the p-values are valid under any dependence. A constant column has p = 1.

    ``errors`` bound the errors e of the observed values (first row) and of the samples. They change mean and
    sd by at most the mean of e and sqrt(sum e^2/B); the largest possible distance of a sample is compared
    with the smallest one of the observed value. A column in which they may change sd by more than a tenth is
    treated as constant: it says nothing.
    """
    B = len(samples)
    table = np.vstack([np.asarray(observed, dtype=samples.dtype), samples])
    e = np.zeros_like(table) if errors is None else errors
    own, others = np.zeros(table.shape[1]), np.zeros((B, table.shape[1]))
    for j, x in enumerate(table[0]):
        missing = table[:, j] == MISSING
        known = table[~missing, j]
        if x == MISSING or known.min() == known.max():
            continue
        (mean, sd), around = mean_sd(known.tolist()), e[~missing, j].astype(float)
        away, reach = abs(table[:, j] - mean), e[:, j] + around.mean()
        change = sqrt((around @ around) / (len(known) - 1))
        if change > _LARGEST_CHANGE * sd:
            continue
        own[j] = max(0.0, away[0] - reach[0]) / (sd + change)
        others[:, j] = (away[1:] + reach[1:]) / (sd - change)
        others[missing[1:], j] = inf
    largest = others.max(axis=1)
    return [1.0 if x == 0 else (int((largest >= x * _SLACK).sum()) + 1) / (B + 1) for x in own.tolist()]


def step_down(
    table: np.ndarray, two_sided: bool = False, error: Sequence[float] | None = None
) -> tuple[float, ...]:
    """Return the family-wise p-value of each row (step-down maxT of Westfall and Young).

    The first entry of a row is the observed value, the others are permutations. Each row is standardised by
    its mean and standard deviation over all entries, which are exchangeable. Large values count, or large
    distances from the mean if the test is two-sided. The largest row is compared with the maximum over all
    rows, the next one with that over the rows that are left, and no p-value is below an earlier one. A row
    without variation has p = 1.

    Parameters
    ----------
    table : ndarray
        One row for each number.
    two_sided : bool
        Whether small values count as well.
    error : sequence of float, optional
        For each row a bound of the errors of its permutations. The observed values are exact. A comparison
        that could change within these bounds counts against significance.

    Examples
    --------
    >>> step_down(np.array([[9.0, 1, 2, 3], [2.0, 1, 2, 9], [5.0, 5, 5, 5]]))
    (0.5, 0.75, 1.0)
    >>> below = np.array([[0.0, 4, 4, 5, 5, 6, 8, 5]])
    >>> step_down(below), step_down(below, two_sided=True), step_down(below, True, error=[0.5])
    ((1.0,), (0.125,), (0.25,))
    """
    counts = step_down_counts(table, two_sided, error)
    return tuple(count / table.shape[1] for count in counts)


def step_down_counts(
    table: np.ndarray, two_sided: bool = False, error: Sequence[float] | None = None
) -> tuple[int, ...]:
    """Return the p-values of ``step_down`` times the number of entries of a row, which are integers."""
    near, far, varies = _standardised(table, two_sided, error)
    counts, largest = np.full(len(near), table.shape[1]), np.full(table.shape[1] - 1, -inf)
    ranked = [j for j in np.argsort(-near, kind="stable") if varies[j]]
    for j in reversed(ranked):
        np.maximum(largest, far[j], out=largest)
        counts[j] = (largest >= near[j] - _NEAR).sum() + 1
    counts[ranked] = np.maximum.accumulate(counts[ranked])
    return tuple(counts.tolist())


def _standardised(
    table: np.ndarray, two_sided: bool, error: Sequence[float] | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the least observed scores, the largest scores of the permutations, and which rows vary.

    If every entry is wrong by at most e, so are mean and standard deviation.
    """
    wrong = np.zeros((len(table), 1)) if error is None else np.array(error, dtype=float)[:, None]
    away, sd = table - table.mean(axis=1, keepdims=True), table.std(axis=1, keepdims=True)
    if two_sided:
        away = np.abs(away)
    varies = sd > _NEAR * np.abs(table).max(axis=1, keepdims=True) + wrong
    with np.errstate(divide="ignore", invalid="ignore"):
        observed, others = away[:, :1] - wrong, away[:, 1:] + 2 * wrong
        near = observed / (sd + np.where(observed < 0, -wrong, wrong))
        far = others / (sd + np.where(others < 0, wrong, -wrong))
    return near.ravel(), far, varies.ravel()


def percentile(samples: Sequence[int], level: Any) -> tuple[int, int] | None:
    """Return the interval between the quantiles (1 - level)/2 and (1 + level)/2; level is a rational."""
    ordered, tail = sorted(samples), (1 - read_decimal(level)) / 2
    return (quantile(ordered, tail), quantile(ordered, 1 - tail)) if ordered else None


def bca(
    observed: int, samples: Sequence[int], jackknife: Sequence[int], level: Any
) -> tuple[int, int] | None:
    """Return Efron's bias-corrected and accelerated interval; None if all samples lie on one side.

    The bias comes from the share of samples below the observed value (ties count half), the acceleration from
    the skewness of the jackknife. Without both it equals the percentile interval, because a rank within 1e-9
    of an integer counts as that integer.
    """
    below = sum(x < observed for x in samples) + sum(x == observed for x in samples) / 2
    if not samples or not 0 < below < len(samples):
        return None
    z0 = _NORMAL.inv_cdf(below / len(samples))
    mean = sum(jackknife) / len(jackknife) if jackknife else 0.0
    away = [mean - x for x in jackknife]
    spread = sum(x * x for x in away)
    a = sum(x**3 for x in away) / (6 * spread**1.5) if spread else 0.0
    ordered, ends = sorted(samples), []
    reach = -_NORMAL.inv_cdf(float((1 - read_decimal(level)) / 2))
    for z in (z0 - reach, z0 + reach):
        adjusted = z0 + z / (1 - a * z) if a * z < 1 else inf
        rank = len(ordered) * (_NORMAL.cdf(adjusted) if isfinite(adjusted) else 1.0)
        ends.append(_ranked(ordered, ceil(rank - _NEAR)))
    return ends[0], ends[1]


def wilson(share: float, trials: int, level: float) -> tuple[float, float]:
    """Return Wilson's confidence interval of a share in so many trials.

    >>> [round(x, 4) for x in wilson(0.5, 100, 0.95)]
    [0.4038, 0.5962]
    """
    z = _NORMAL.inv_cdf((1 + level) / 2)
    middle = share + z * z / (2 * trials)
    reach = z * sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    low, high = ((middle + sign * reach) / (1 + z * z / trials) for sign in (-1, 1))
    return max(0.0, low), min(1.0, high)
