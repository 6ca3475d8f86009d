"""High-precision solutions by scaled iterative refinement around a double-precision solver of CVXPY.

Each round solves the magnified correction problem: with residuals in high precision, min 1/2 e^T Q e +
zoom*grad^T e over -zoom*z <= e <= zoom*(top - z), then z += e/zoom. The solver always works with numbers of
ordinary size, and each round adds the digits it can compute.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from flint import arb, fmpq

from ..errors import SolverFailed, Undecided
from ..numbers.arithmetic import arithmetic
from ..numbers.rationals import midpoint
from .active import find_active_set
from .certificate import ACTIVE_SET, Certificate, Refinement, Solution
from .dual import BallDual, FloatDual
from .gap import certify_near, has_digits
from .solvers import Proposal, require_finite, run_solver

_ROUNDS, _PATIENCE = 60, 3
_FAR = 1e4  # bounds and gradients beyond this, in magnified units, are cut off


def refine(
    data: FloatDual, proposal: Proposal, digits: int, progress: Callable[[str], object] | None = None
) -> Solution:
    """Refine a proposal to ``digits`` certified digits of w.

    If the refinement stalls, Newton's method is applied to the active set. Raise Undecided if that fails too.
    """
    report = progress or (lambda message: None)
    A, problem = arithmetic("ball", 2 * digits + 60), data.problem
    with A.scope():
        dual = BallDual(problem, A)
        z, rounds, certificate = _rounds(data, dual, proposal.a, digits, report)
        name = f"{proposal.solver} + {rounds} rounds"
        if not has_digits(dual, certificate, digits):
            report(f"refinement stalled at {certificate.digits} digits; solving for the active set ...")
            active = find_active_set(dual, z)
            if active is not None:
                certificate = certify_near(dual, active.values, active.bound, active.b, "ball")
                name += ACTIVE_SET
        if not has_digits(dual, certificate, digits):
            raise Undecided(f"{name} reached {certificate.digits} of {digits} digits of w; ask for fewer.")
        a = certificate.a.ball()
        alpha = tuple(midpoint(x / dual.lam) for x in a)
        objective = float(sum(a, arb(0)) / dual.lam - certificate.norm2 / 2)
        reached = min(certificate.digits, digits)
        refined = Refinement(proposal.status, proposal.gap, rounds, name.endswith(ACTIVE_SET))
        bias = certificate.b.lower.p
        return Solution(problem, alpha, bias, objective, proposal.form, name, reached, refined)


def _rounds(
    data: FloatDual, dual: BallDual, a: np.ndarray, digits: int, report: Callable[[str], object]
) -> tuple[list[arb], int, Certificate]:
    y = data.problem.y
    D = [fmpq(*float(x).as_integer_ratio()) for x in data.D]
    z = [arb(float(x)) * d for x, d in zip(np.clip(a, 0, data.upper_bound), D, strict=True)]
    correction = Correction(data)
    certificate, best, zoom, improved = _certificate(dual, z, D), z, 1.0, 0
    for count in range(1, _ROUNDS + 1):
        if has_digits(dual, certificate, digits):
            return [x / d for x, d in zip(z, D, strict=True)], count - 1, certificate
        s = {i: x / d * label for i, (x, d, label) in enumerate(zip(z, D, y, strict=True))}
        f = dual.scores(s)
        gradient = [(label * v - 1) / d for label, v, d in zip(y, f, D, strict=True)]
        b = certificate.b.lower.p
        centred = [g + label * b / d for g, label, d in zip(gradient, y, D, strict=True)]
        imbalance = sum(s.values(), arb(0))
        try:
            e, zoom = correction(
                z, [top * d for top, d in zip(dual.upper_bound, D, strict=True)], centred, imbalance, zoom
            )
        except SolverFailed:
            break
        z = [(x + arb(float(c)) / arb(zoom)).max(arb(0)).mid() for x, c in zip(z, e, strict=True)]
        new = _certificate(dual, z, D)
        report(f"refinement round {count}: {new.digits} digits")
        if new.w_error < certificate.w_error:
            certificate, best, improved = new, z, count
        elif count - improved > _PATIENCE:
            break
    return [x / d for x, d in zip(best, D, strict=True)], count, certificate


def _certificate(dual: BallDual, z: list[arb], D: list[fmpq]) -> Certificate:
    return certify_near(dual, {i: midpoint(x / d) for i, (x, d) in enumerate(zip(z, D, strict=True))})


class Correction:
    """The magnified correction problem, compiled once."""

    def __init__(self, data: FloatDual):
        import cvxpy as cp

        m = len(data.c)
        self.e = cp.Variable(m)
        self.gradient, self.low, self.high = cp.Parameter(m), cp.Parameter(m), cp.Parameter(m)
        self.imbalance = cp.Parameter()
        objective = cp.sum_squares(data.factor @ self.e) / 2 + self.gradient @ self.e  # type: ignore[attr-defined]
        constraints = [self.e >= self.low, self.e <= self.high, (data.y / data.D) @ self.e == self.imbalance]
        self.problem = cp.Problem(cp.Minimize(objective), constraints)

    def __call__(
        self, z: list[arb], top: list[arb], gradient: list[arb], imbalance: arb, zoom: float
    ) -> tuple[np.ndarray, float]:
        # the natural residual z - clip(z - gradient, 0, top) measures how far the variables have to move
        moves = [
            max(-float(x), min(-float(g), float(t - x))) for x, t, g in zip(z, top, gradient, strict=True)
        ]
        distance = max(abs(float(imbalance)), *(abs(move) for move in moves))
        zoom = float(np.exp2(np.floor(np.log2(min(1 / max(distance, 1e-300), zoom * 1e12)))))
        g = np.array([float(value * arb(zoom)) for value in gradient])
        low = np.array([max(float(-x * arb(zoom)), -_FAR) for x in z])
        high = np.array([min(float((t - x) * arb(zoom)), _FAR) for x, t in zip(z, top, strict=True)])
        high[g > _FAR], low[g < -_FAR] = low[g > _FAR], high[g < -_FAR]  # these end at a known bound
        g[abs(g) > _FAR] = 0
        self.gradient.value, self.low.value, self.high.value = g, low, high
        self.imbalance.value = float(-imbalance * arb(zoom))
        run_solver(self.problem, "CLARABEL")
        return require_finite(self.e.value, "CLARABEL"), zoom
