"""Digits from double precision: scaled iterative refinement around CVXPY.

Each round solves the correction problem, magnified: with residuals in high precision,
min 1/2 e^T Q e + zoom*grad^T e over -zoom*z <= e <= zoom*(top - z), then z += e/zoom. The solver only
ever sees numbers of ordinary size, and every round adds the digits it is good for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from flint import arb, fmpq

from ..arithmetic import arithmetic
from ..errors import SolverFailed, Undecided
from ..problem import Problem
from .active import ActiveSet, find_active_set
from .certify import _close
from .dual import BallDual, FloatDual, midpoint
from .solvers import Solution

ROUNDS, PATIENCE = 60, 3
FAR = 1e4  # further away than this, in magnified units, nothing acts


def refine(
    problem: Problem,
    a: np.ndarray,
    digits: int,
    form: str = "dual",
    solver: str = "CLARABEL",
    progress: Callable[[str], None] | None = None,
) -> Solution:
    """A solution with ``digits`` certified digits of w: refinement, then Newton on the active set."""
    say = progress or (lambda message: None)
    A = arithmetic("ball", 2 * digits + 60)
    with A.scope():
        dual = BallDual(problem, A)
        z, rounds, certificate = _rounds(FloatDual(problem), dual, a, digits, say)
        name = f"{solver} + {rounds} rounds"
        if certificate.digits < digits:
            say(f"refinement stalled at {certificate.digits} digits: Newton on the active set")
            active = find_active_set(dual, z)
            if active is not None:
                certificate, name = _close(problem, dual, active, "ball"), f"{name} + active set"
        if certificate.digits < digits:
            raise Undecided(f"{name} reached {certificate.digits} of {digits} digits of w; ask for fewer")
        lam = dual.lam
        alpha = tuple(
            midpoint((certificate.u[i] + certificate.v[i] * dual.tau) / lam) for i in range(problem.m)
        )
        b = certificate.b.lower
        assert b is not None
        total = sum((certificate.u[i] + certificate.v[i] * dual.tau for i in range(problem.m)), arb(0)) / lam
        objective = float(total - certificate.norm2 / 2)
        return Solution(problem, alpha, b[0], objective, form, name, min(certificate.digits, digits))


def _rounds(
    data: FloatDual, dual: BallDual, a: np.ndarray, digits: int, say: Callable[[str], None]
) -> tuple[list[arb], int, Any]:
    problem, y = data.problem, data.problem.y
    D = [fmpq(*float(x).as_integer_ratio()) for x in data.D]
    z = [arb(float(x)) * d for x, d in zip(np.clip(a, 0, data.tau), D, strict=True)]
    correction = Correction(data)
    certificate, best, zoom, improved = _certificate(problem, dual, z, D), z, 1.0, 0
    for count in range(1, ROUNDS + 1):
        if certificate.digits >= digits:
            return [x / d for x, d in zip(z, D, strict=True)], count - 1, certificate
        s = {i: x / d * label for i, (x, d, label) in enumerate(zip(z, D, y, strict=True))}
        f = dual.scores(s)
        gradient = [(label * v - 1) / d for label, v, d in zip(y, f, D, strict=True)]
        b = certificate.b.lower[0]
        centred = [g + label * b / d for g, label, d in zip(gradient, y, D, strict=True)]
        imbalance = sum(s.values(), arb(0))
        try:
            e, zoom = correction(z, [dual.tau * d for d in D], centred, imbalance, zoom)
        except SolverFailed:
            break
        z = [(x + arb(float(c)) / arb(zoom)).max(arb(0)).mid() for x, c in zip(z, e, strict=True)]
        new = _certificate(problem, dual, z, D)
        say(f"round {count}: {new.digits} digits")
        if new.w_error < certificate.w_error:
            certificate, best, improved = new, z, count
        elif count - improved > PATIENCE:
            break
    return [x / d for x, d in zip(best, D, strict=True)], count, certificate


def _certificate(problem: Problem, dual: BallDual, z: list[arb], D: list[fmpq]) -> Any:
    values = {i: midpoint(x / d) for i, (x, d) in enumerate(zip(z, D, strict=True))}
    return _close(problem, dual, ActiveSet([], [], [], values, None), "gap")


class Correction:
    """The magnified correction problem, compiled once."""

    def __init__(self, data: FloatDual):
        import cvxpy as cp

        m = len(data.c)
        self.e = cp.Variable(m)
        self.gradient, self.low, self.high = cp.Parameter(m), cp.Parameter(m), cp.Parameter(m)
        self.imbalance = cp.Parameter()
        objective = cp.sum_squares(data.factor @ self.e) / 2 + self.gradient @ self.e
        constraints = [self.e >= self.low, self.e <= self.high, (data.y / data.D) @ self.e == self.imbalance]
        self.problem = cp.Problem(cp.Minimize(objective), constraints)

    def __call__(
        self, z: list[arb], top: list[arb], gradient: list[arb], imbalance: arb, zoom: float
    ) -> tuple[np.ndarray, float]:
        from .solvers import _finite, _run

        # the natural residual z - clip(z - gradient, 0, top): how far anything still has to move
        moves = [
            max(-float(x), min(-float(g), float(t - x))) for x, t, g in zip(z, top, gradient, strict=True)
        ]
        distance = max(abs(float(imbalance)), *(abs(move) for move in moves))
        zoom = float(np.exp2(np.floor(np.log2(min(1 / max(distance, 1e-300), zoom * 1e12)))))
        g = np.array([float(value * arb(zoom)) for value in gradient])
        low = np.array([max(float(-x * arb(zoom)), -FAR) for x in z])
        high = np.array([min(float((t - x) * arb(zoom)), FAR) for x, t in zip(z, top, strict=True)])
        high[g > FAR], low[g < -FAR] = low[g > FAR], high[g < -FAR]  # no doubt which bound these go to
        g[abs(g) > FAR] = 0
        self.gradient.value, self.low.value, self.high.value = g, low, high
        self.imbalance.value = float(-imbalance * arb(zoom))
        _run(self.problem, "CLARABEL")
        return _finite(self.e.value, "CLARABEL"), zoom
