"""Positive definite matrices in float64: approximate solutions, and a proved bound of the least eigenvalue.

The factor L of Cholesky's method is a proposal, however it is computed. If A - c I = L L^T + E, then no
eigenvalue of A is below c - ||E||, and E is computed with a bound of its rounding errors (Rump, Verification
of positive definiteness, 2006).
"""

from __future__ import annotations

import numpy as np

from .midrad import UNDERFLOW_BOUND, UNIT_ROUNDOFF, enlarge_radius, rounding_gamma

_BLOCK = 128  # columns of L that are computed at a time
_STEPS = 8  # of inverse iteration
_PARTS = (0.7, 0.2, 0.02)  # of the estimated least eigenvalue, tried in turn


class CholeskyFactor:
    """L with L L^T near A - shift I. Raise LinAlgError if this is not positive definite.

    Only the lower half of A is used. L is computed from left to right, so that nearly all of the time is
    spent in products of long matrices.
    """

    def __init__(self, A: np.ndarray, shift: float = 0.0):
        self._A, self._shift, self.L = A, shift, np.zeros(A.shape)
        self._strips = [slice(i, min(i + _BLOCK, len(A))) for i in range(0, len(A), _BLOCK)]
        self._inverses = []
        for strip in self._strips:
            panel = self._subtract_product(strip, strip.start)
            width = strip.stop - strip.start
            self.L[strip, strip] = top = np.linalg.cholesky(panel[:width])
            self._inverses.append(np.linalg.inv(top))
            self.L[strip.stop :, strip] = panel[width:] @ self._inverses[-1].T

    def _subtract_product(self, strip: slice, stop: int) -> np.ndarray:
        """Return a strip of columns of A - shift I - L L^T from its diagonal on, with L up to ``stop``."""
        panel = self._A[strip.start :, strip].copy()
        panel[np.diag_indices(panel.shape[1])] -= self._shift
        return panel - self.L[strip.start :, :stop] @ self.L[strip, :stop].T

    def solve(self, r: np.ndarray) -> np.ndarray:
        """Return an approximate solution x of (A - shift I) x = r."""
        L, x = self.L, np.array(r)
        pairs = list(zip(self._strips, self._inverses, strict=True))
        for strip, inverse in pairs:
            x[strip] = inverse @ (x[strip] - L[strip, : strip.start] @ x[: strip.start])
        for strip, inverse in reversed(pairs):
            x[strip] = inverse.T @ (x[strip] - L[strip.stop :, strip].T @ x[strip.stop :])
        return x

    def estimate_least_eigenvalue(self) -> float:
        """Return an estimate of the least eigenvalue, by inverse iteration."""
        x = np.random.default_rng(0).normal(size=len(self.L))
        size = 1.0
        for _ in range(_STEPS):
            x = self.solve(x / np.linalg.norm(x))
            size = float(np.linalg.norm(x))
        return 1 / size

    def bound_rest(self) -> float:
        """Return an upper bound of ||A - shift I - L L^T||, where A is symmetric with the same lower half.

        The error of each entry is at most gamma times the sum of the sizes of its terms; the Frobenius norm
        of these sums is at most that of A and of the shift plus the sum of the squares of L.
        """
        size = len(self.L)
        squares = sum(np.square(self._subtract_product(strip, strip.stop)).sum() for strip in self._strips)
        terms = 2 * np.linalg.norm(self._A) + self._shift * np.sqrt(size) + np.square(self.L).sum()
        rest = np.sqrt(2 * squares + UNDERFLOW_BOUND) + rounding_gamma(size + 3) * terms  # either half
        return float(enlarge_radius(rest, size**2))


def bound_least_eigenvalue(A: np.ndarray, error: float, estimate: float) -> float:
    """Return a lower bound of the eigenvalues of the symmetric matrices near A, or 0 if nothing is proved.

    ``error`` bounds the Frobenius norm of the difference from A. Only the lower half of A is used, and
    twice the error bounds that of the lower half and its mirror image.
    """
    for part in _PARTS:
        try:
            factor = CholeskyFactor(A, part * estimate)
        except np.linalg.LinAlgError:
            continue
        rest = enlarge_radius(factor.bound_rest() + 2 * error)
        if (found := (part * estimate - rest) * (1 - 4 * UNIT_ROUNDOFF)) > 0:
            return float(found)
    return 0.0
