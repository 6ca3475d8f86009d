"""An interior-point method whose linear systems have as many unknowns as there are modes (or points).

It solves the dual min a^T Z Z^T a/2 - c.a, 0 <= a <= top, y.a = 0, where Z = diag(y) Phi has a column for
each mode, or is another matrix with the same Gram matrix. Each step of Mehrotra's method solves (Theta + Z
Z^T) x = r, Theta diagonal, by the Sherman-Morrison-Woodbury formula: m modes^2 operations, and no m x m
matrix (Ferris and Munson 2002). As in ``solvers``, the result is a proposal without proof.

With many points, Newton's method for the primal problem with a smoothed hinge loss (Chapelle 2007) first
shows which of them are far from the margin. These are fixed at 0 or at their bound, the others are solved
for, and this is repeated until no fixed point is on the wrong side.
"""

from __future__ import annotations

import numpy as np

_STEPS = 300
_GOOD = 1e-14  # complementarity at which to stop, relative to the objective
STALLED = 5  # steps without progress before stopping
_SHORT = 0.995  # part of the way to the boundary that a step goes
_MANY, _MOST = 20_000, 500_000  # points from and up to which most of them are fixed
_WIDTHS = (10.0, 1.0, 0.1)  # of the part of the loss that is smoothed; all points begin in the first one
_SAMPLE = 5_000  # points for the first widths
_PART = 8  # one point in so many is not fixed
_PARTS = 4  # problems with fixed points that are solved at most
_SMOOTH_STEPS, _HALVINGS, _FLAT = 30, 20, 1e-3  # of Newton's method and of its step lengths


class NewtonStep:
    """Newton's equations at one point, factored once for the predictor and the corrector."""

    def __init__(
        self, Z: np.ndarray, c: np.ndarray, y: np.ndarray, a: np.ndarray, slack: np.ndarray, b: float,
        low: np.ndarray, high: np.ndarray, balance: float,
    ):  # fmt: skip
        self.off = y @ a - balance
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
        db = (self.y @ move + self.off) / (self.y @ self.along)
        da = move - self.along * db
        return da, float(db), (low - self.low * da) / self.a, (high + self.high * da) / self.slack

    def step_length(self, da: np.ndarray, dl: np.ndarray, dh: np.ndarray) -> float:
        """Return the step length at which a, slack, low or high reaches 0; at most 1 after shortening."""
        pairs = (self.a, da), (self.slack, -da), (self.low, dl), (self.high, dh)
        return float(min((-x[dx < 0] / dx[dx < 0]).min(initial=1 / _SHORT) for x, dx in pairs))


def solve_interior_point(Z: np.ndarray, c: np.ndarray, y: np.ndarray, top: np.ndarray) -> np.ndarray:
    """Return a near the optimum, as accurate as float64 allows."""
    found = _solve_by_parts(Z, c, y, top) if _MANY < len(c) <= _MOST else None
    return solve_all(Z, c, y, top)[0] if found is None else found


def _solve_by_parts(Z: np.ndarray, c: np.ndarray, y: np.ndarray, top: np.ndarray) -> np.ndarray | None:
    """Return a near the optimum, or None if the points that are not fixed do not settle."""
    slope = _smoothed_slopes(Z, c, y, top)  # of the dual objective; a_i is 0 where it is positive
    if slope is None:
        return None
    free = np.zeros(len(c), dtype=bool)
    for _ in range(_PARTS):
        free[np.argpartition(abs(slope), len(c) // _PART)[: len(c) // _PART]] = True
        a = np.where(slope < 0, top, 0.0)
        a[free] = 0.0
        balance, reach = -float(y @ a), (y * top)[free]
        if not reach.clip(max=0).sum() < balance < reach.clip(min=0).sum():
            return None
        linear = c[free] - Z[free] @ (Z.T @ a)
        a[free], b = solve_all(Z[free], linear, y[free], top[free], balance)
        slope = Z @ (Z.T @ a) + y * b - c
        wrong = ~free & np.where(a > 0, slope > 0, slope < 0)
        if not wrong.any():
            return a
        free |= wrong
    return None


def _smoothed_slopes(Z: np.ndarray, c: np.ndarray, y: np.ndarray, top: np.ndarray) -> np.ndarray | None:
    """Return z_i.w + y_i b - c_i at the optimum for a smoothed loss, or None if it is not found.

    The start comes from a sample of the points.
    """
    some = np.random.default_rng(0).permutation(len(c))[:_SAMPLE]
    x: np.ndarray | None = np.zeros(Z.shape[1] + 1)
    for part in _WIDTHS[:-1]:
        if x is not None:
            x = _minimise_smoothed(Z[some], c[some], y[some], top[some] * (len(c) / len(some)), part, x)
    if x is not None:
        x = _minimise_smoothed(Z, c, y, top, _WIDTHS[-1], x)
    return None if x is None else Z @ x[:-1] + y * x[-1] - c


def _minimise_smoothed(
    Z: np.ndarray, c: np.ndarray, y: np.ndarray, top: np.ndarray, part: float, x: np.ndarray
) -> np.ndarray | None:
    """Return the minimum (w, b) of ||w||^2/2 + sum_i top_i h(c_i - z_i.w - y_i b), near (w, b) = x.

    The loss h(r) is r^2/(2 width) between 0 and a width, that part of c_i, and linear beyond. Newton's method
    ends after finitely many steps, since the objective is piecewise quadratic; return None if it does not.
    """
    w, b, width = x[:-1], x[-1], part * c
    r = c - Z @ w - y * b
    for _ in range(_SMOOTH_STEPS):
        band = (r > 0) & (r < width)
        a = top * np.clip(r / width, 0.0, 1.0)
        near = np.column_stack([Z[band], y[band]])
        hessian = (near * (top / width)[band, None]).T @ near + np.diag(np.append(np.ones(len(w)), 1e-9))
        step = np.linalg.solve(hessian, np.append(Z.T @ a - w, y @ a))
        change = -(Z @ step[:-1] + y * step[-1])
        t = _step_length(w, step[:-1], r, change, width, top)
        w, b, r = w + t * step[:-1], b + t * step[-1], r + t * change
        if t == 1.0 and (((r > 0) & (r < width)) == band).all():
            return np.append(w, b)
    return None


def _step_length(
    w: np.ndarray, step: np.ndarray, r: np.ndarray, change: np.ndarray, width: np.ndarray, top: np.ndarray
) -> float:
    """Return a step length of at most 1 at which the smoothed objective nearly stops to decrease."""

    def slope(t: float) -> float:
        losses = top * np.clip((r + t * change) / width, 0.0, 1.0)
        return float((w + t * step) @ step + losses @ change)

    flat, low, high = _FLAT * abs(slope(0.0)), 0.0, 1.0
    if slope(1.0) <= flat:
        return 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        found = slope(middle)
        if abs(found) <= flat:
            return middle
        low, high = (middle, high) if found < 0 else (low, middle)
    return low


def solve_all(
    Z: np.ndarray, c: np.ndarray, y: np.ndarray, top: np.ndarray, balance: float = 0.0
) -> tuple[np.ndarray, float]:
    """Return a with y.a = balance near the optimum, as accurate as float64 allows, and the multiplier b."""
    a, b = top / 2, 0.0
    gradient = Z @ (Z.T @ a) - c
    low, high = np.maximum(gradient, 1.0), np.maximum(-gradient, 1.0)  # multipliers of 0 <= a <= top
    best, found, stalled = np.inf, (a, b), 0
    for _ in range(_STEPS):
        try:
            now = NewtonStep(Z, c, y, a, top - a, b, low, high, balance)
            better = now.measure < best
            best, found, stalled = (now.measure, (a, b), 0) if better else (best, found, stalled + 1)
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
