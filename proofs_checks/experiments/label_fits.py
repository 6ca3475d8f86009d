"""Fits of one kernel to many labellings of the same points: libsvm proposes, a linear system improves.

libsvm finds which dual variables are free, at their bound or 0. Given these, alpha and b solve a linear
system, here with the Gram matrix scaled to a diagonal of ones, since its own diagonal may vary by a factor of
10^9. Every fit has a duality gap, which bounds the distance of its w to the optimal w. The gap is computed in
float64 without a bound of its rounding errors: it is evidence, not a proof.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sklearn.svm import _libsvm

from orca_exact import certify
from orca_exact.numbers.arithmetic import arithmetic
from orca_exact.numbers.midrad import MidRad
from orca_exact.problem import Problem
from orca_exact.profile.forms import BoundedForms
from orca_exact.studies.engine import Engine

TOLERANCES = (1e-2, 1e-4, 1e-6, 1e-9)  # of libsvm; the next one where the last one did not reach SINE
SINE = 1e-5  # ||w - w*||/||w|| at which a fit is accepted
WORST = 1e-4  # the same above which a fit is replaced by a certified one
_DIGITS = 20
_REPAIRS = 3  # of the active set of one proposal
_AT_ONCE = 1_000  # labellings
_MEGABYTES = 50  # of the cache of libsvm, which contains the whole matrix


@dataclass(frozen=True, eq=False)
class Fits:
    """The fits of several labellings, one in each row."""

    s: np.ndarray  # s_i = y_i alpha_i
    b: np.ndarray
    sine: np.ndarray  # a bound of ||w - w*||/||w||, up to rounding


class LabelFits:
    """The points, the kernel and the one C of a problem, for any labels."""

    def __init__(self, problem: Problem):
        self.problem = problem
        points = problem.points.astype(float)
        self.gram: np.ndarray = np.ascontiguousarray(problem.kernel(points, points))
        (self.C,) = {float(C) for C in problem.bounds}
        self._root = np.sqrt(np.diag(self.gram))
        self._unit_gram = self.gram / np.outer(self._root, self._root)
        with arithmetic("verified").scope():
            self._forms = BoundedForms(Engine(problem).parts, problem.m)

    def fit(self, Y: np.ndarray) -> Fits:
        """Return the fits of labellings, each a row of labels +1 and -1."""
        parts = [self._fit(Y[start : start + _AT_ONCE]) for start in range(0, len(Y), _AT_ONCE)]
        return Fits(*(np.concatenate([getattr(part, name) for part in parts]) for name in ("s", "b", "sine")))

    def orders(self, fits: Fits) -> tuple[np.ndarray, np.ndarray]:
        """Return OKC^(1), OKC^(2), ... of each fit, and a bound of their errors; a fit is a row.

        An index is cos^2 of an angle, and w is wrong by an angle of at most arcsin(sine).
        """
        rows = [self._forms.rows["order", (q,)] for q in self._orders]
        values = np.empty((len(fits.s), len(rows)))
        for start in range(0, len(fits.s), _AT_ONCE):
            sums = self._forms.sums(MidRad(fits.s[start : start + _AT_ONCE].T)).near
            values[start : start + _AT_ONCE] = (sums[rows] / sums[-1]).T
        sine = fits.sine[:, None]
        return values, 2 * np.sqrt(values.clip(0, 1)) * sine + sine * sine

    @property
    def _orders(self) -> range:
        return range(1, self.problem.d + 1)

    def _fit(self, Y: np.ndarray) -> Fits:
        found = Fits(np.zeros(Y.shape), np.zeros(len(Y)), np.full(len(Y), np.inf))
        for tolerance in TOLERANCES:
            left = np.flatnonzero(~(found.sine <= SINE))
            if not len(left):
                break
            proposed = [propose(self.gram, y, self.C, tolerance) for y in Y[left]]
            s, b = np.array([s for s, _ in proposed]), np.array([b for _, b in proposed])
            at_zero, at_bound = s * Y[left] <= 0, s * Y[left] >= self.C
            self._keep(found, left, self._judge(Y[left], s, b, at_bound)[0])
            for _ in range(_REPAIRS):
                y = Y[left]
                s, b = self._solve(y, at_zero, at_bound)
                fits, margins = self._judge(y, s, b, at_bound)
                self._keep(found, left, fits)
                free = ~at_zero & ~at_bound
                at_zero = (at_zero & (margins <= 0)) | (free & (s * y < 0))
                at_bound = (at_bound & (margins >= 0)) | (free & (s * y > self.C))
                rest = ~(found.sine[left] <= SINE)
                left, at_zero, at_bound = left[rest], at_zero[rest], at_bound[rest]
                if not len(left):
                    break
        for k in np.flatnonzero(~(found.sine <= WORST)):
            self._keep(found, np.array([k]), self._certify(Y[k]))
        return found

    def _certify(self, y: np.ndarray) -> Fits:
        """Return the fit of one labelling from its certificate, which takes longer than the other ways."""
        proof = certify(self.problem.replace(y=y.astype(int).tolist()))
        s = y * [float(a) for a in proof.alpha(_DIGITS)]
        return self._judge(y[None], s[None], np.array([float(proof.bias(_DIGITS))]), (s * y >= self.C)[None])[
            0
        ]

    def _keep(self, found: Fits, left: np.ndarray, fits: Fits) -> None:
        """Put those of the fits of some labellings that have lesser bounds into ``found``."""
        better = fits.sine < found.sine[left]
        for name in ("s", "b", "sine"):
            getattr(found, name)[left[better]] = getattr(fits, name)[better]

    def _solve(self, Y: np.ndarray, at_zero: np.ndarray, at_bound: np.ndarray) -> tuple[np.ndarray, ...]:
        """Return s and b with y f = 1 at the free points and sum s = 0; the other s are given."""
        count, m = Y.shape
        free = ~at_zero & ~at_bound
        A, right = np.zeros((count, m + 1, m + 1)), np.zeros((count, m + 1))
        A[:, :m, :m] = np.where(free[:, :, None], self._unit_gram, np.eye(m))
        A[:, :m, m], A[:, m, :m] = free / self._root, 1 / self._root
        none = ~free.any(axis=1)
        A[none, m], A[none, m, m] = 0.0, 1.0
        right[:, :m] = np.where(free, Y / self._root, np.where(at_bound, self.C * Y * self._root, 0.0))
        try:
            found = np.linalg.solve(A, right[:, :, None])[:, :, 0]
        except np.linalg.LinAlgError:  # of one of the systems
            found = np.array([np.linalg.lstsq(a, r, rcond=None)[0] for a, r in zip(A, right, strict=True)])
        s, b = found[:, :m] / self._root, found[:, m]
        if none.any():
            b[none] = self._middle(Y[none], s[none], at_zero[none])
        return s, b

    def _middle(self, Y: np.ndarray, s: np.ndarray, at_zero: np.ndarray) -> np.ndarray:
        """Return a b for which y f >= 1 where alpha is 0 and y f <= 1 where it is C, if there is one."""
        limits = Y - s @ self.gram
        lower = (Y > 0) == at_zero
        low = np.where(lower, limits, -np.inf).max(axis=1)
        high = np.where(lower, np.inf, limits).min(axis=1)
        middle: np.ndarray = (low + high) / 2
        return middle

    def _judge(
        self, Y: np.ndarray, s: np.ndarray, b: np.ndarray, at_bound: np.ndarray
    ) -> tuple[Fits, np.ndarray]:
        """Return the fits with alpha clipped to [0, C] and their bounds, and 1 - y f at each point.

        Both ||w - w*||^2 / 2 and ||w' - w*||^2 / 2 are at most the duality gap of alpha and any w'. Here w'
        is w and, for the lesser gap, the multiple of w that leaves no point with y f < 1 but those at C.
        """
        alpha = (s * Y).clip(0, self.C)
        s = alpha * Y
        h = ((s * self._root) @ self._unit_gram) * self._root
        scores = Y * (h + b[:, None])
        norm2 = (s * h).sum(axis=1)
        excess = np.where(at_bound, 0.0, 1 - scores).max(axis=1).clip(0)
        gaps = []
        for stretch in (np.zeros_like(excess), excess / (1 - excess).clip(0.5)):
            missing = 1 - scores * (1 + stretch)[:, None]
            loss = np.maximum((self.C - alpha) * missing, -alpha * missing).sum(axis=1)
            gaps.append(loss + stretch**2 * norm2 / 2)
        with np.errstate(divide="ignore", invalid="ignore"):
            sine = np.sqrt(2 * np.minimum(*gaps) / norm2)
        return Fits(s, b, np.where(norm2 > 0, sine, np.inf)), 1 - scores


def propose(gram: np.ndarray, y: np.ndarray, C: float, tolerance: float) -> tuple[np.ndarray, float]:
    """Return s and b of libsvm, called without the checks of scikit-learn, which take longer than a fit."""
    _libsvm.set_verbosity_wrap(0)
    support, _, _, coefficients, intercept, *_ = _libsvm.fit(
        gram, y, svm_type=0, kernel="precomputed", C=C, tol=tolerance, cache_size=_MEGABYTES, shrinking=0
    )
    s = np.zeros(len(y))
    s[support] = coefficients[0]
    sign = 1.0 if s @ y >= 0 else -1.0
    return sign * s, sign * float(intercept[0])
