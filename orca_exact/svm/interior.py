"""An interior-point method whose linear systems have as many unknowns as there are modes (or points).

It solves the dual min a^T Z Z^T a/2 - c.a, 0 <= a <= top, y.a = 0, where Z = diag(y) Phi has a column for
each mode, or is another matrix with the same Gram matrix. Each step of Mehrotra's method solves (Theta + Z
Z^T) x = r, Theta diagonal, by the Sherman-Morrison-Woodbury formula: m modes^2 operations, and no m x m
matrix (Ferris and Munson 2002). As in ``solvers``, the result is a proposal without proof.
"""

from __future__ import annotations

import numpy as np

_STEPS = 300
_GOOD = 1e-14  # complementarity at which to stop, relative to the objective
STALLED = 5  # steps without progress before stopping
_SHORT = 0.995  # part of the way to the boundary that a step goes


class NewtonStep:
    """Newton's equations at one point, factored once for the predictor and the corrector."""

    def __init__(
        self, Z: np.ndarray, c: np.ndarray, y: np.ndarray, a: np.ndarray, slack: np.ndarray, b: float,
        low: np.ndarray, high: np.ndarray,
    ):  # fmt: skip
        self.Z, self.y, self.a, self.slack, self.low, self.high = Z, y, a, slack, low, high
        self.rest = c - Z @ (Z.T @ a) - y * b + low - high  # residual of stationarity
        self.measure = (a @ low + slack @ high) / (2 * len(a))  # mean complementarity
        self.theta = low / a + high / slack
        self.W = Z / self.theta[:, None]
        self.inner = np.eye(Z.shape[1]) + Z.T @ self.W
        self.along = self._solve(y)

    def _solve(self, r: np.ndarray) -> np.ndarray:
        scaled = r / self.theta
        found: np.ndarray = scaled - self.W @ np.linalg.solve(self.inner, self.Z.T @ scaled)
        return found

    def direction(
        self, low: np.ndarray, high: np.ndarray
    ) -> tuple[np.ndarray, float, np.ndarray, np.ndarray]:
        """Return the direction (da, db, dlow, dhigh) towards given products a_i low_i and slack_i high_i."""
        low, high = low - self.a * self.low, high - self.slack * self.high
        move = self._solve(self.rest + low / self.a - high / self.slack)
        db = (self.y @ move + self.y @ self.a) / (self.y @ self.along)
        da = move - self.along * db
        return da, float(db), (low - self.low * da) / self.a, (high + self.high * da) / self.slack

    def step_length(self, da: np.ndarray, dl: np.ndarray, dh: np.ndarray) -> float:
        """Return the step length at which a, slack, low or high reaches 0; at most 1 after shortening."""
        pairs = (self.a, da), (self.slack, -da), (self.low, dl), (self.high, dh)
        return float(min((-x[dx < 0] / dx[dx < 0]).min(initial=1 / _SHORT) for x, dx in pairs))


def solve_interior_point(Z: np.ndarray, c: np.ndarray, y: np.ndarray, top: np.ndarray) -> np.ndarray:
    """Return a near the optimum, as accurate as float64 allows."""
    a, b = top / 2, 0.0
    gradient = Z @ (Z.T @ a) - c
    low, high = np.maximum(gradient, 1.0), np.maximum(-gradient, 1.0)  # multipliers of 0 <= a <= top
    best, found, stalled = np.inf, a, 0
    for _ in range(_STEPS):
        try:
            now = NewtonStep(Z, c, y, a, top - a, b, low, high)
            best, found, stalled = (now.measure, a, 0) if now.measure < best else (best, found, stalled + 1)
            if stalled > STALLED or now.measure * len(a) <= _GOOD * (1 + c @ a):
                break
            da, db, dl, dh = now.direction(0 * a, 0 * a)
            t = now.step_length(da, dl, dh)
            ahead = ((a + t * da) @ (low + t * dl) + (now.slack - t * da) @ (high + t * dh)) / (2 * len(a))
            target = now.measure * (ahead / now.measure) ** 3
            da, db, dl, dh = now.direction(target - da * dl, target + da * dh)
        except np.linalg.LinAlgError:  # the limit of float64 is reached
            break
        t = _SHORT * now.step_length(da, dl, dh)
        a, b, low, high = a + t * da, b + t * db, low + t * dl, high + t * dh
        if not (np.isfinite(a).all() and (a > 0).all() and (a < top).all()):
            break
    return found
