"""Level float: the optimum enclosed at BLAS speed, in float64 with proved error bounds.

A proposal is polished in plain float64 until its active set stands still; then the bordered system of the
free points is solved with a proof, and every inequality must hold strictly. What that does not decide, ties
and dependent points among it, is left to balls. See ``dual`` for the units and ``midrad`` for the bounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from flint import arb, fmpq

from ..arithmetic import arithmetic
from ..errors import Undecided
from ..kernel import basis, fold
from ..midrad import MidRad, solve
from ..number import midpoint, precision, real
from ..problem import Problem
from .certificate import Bias, Certificate, Enclosure
from .dual import best_b
from .gap import project
from .interior import interior
from .solvers import libsvm
from .tau import Tau

ROUNDS = 50
NEAR = 1e-9  # of a bound, in plain float64
FUZZ = 1e-14  # of plain float64 in a score, relative to its terms
ENTRIES = 2**22  # of R at a time
DIGITS = 30  # of lambda, far more than float64 sees


class Factors:
    """R from pi_k(x_il) and h_0/h_k by pairs of points; R s by pairs or, where these are fewer, by modes.

    One text for float64 arrays and for ``MidRad``; no m x m matrix is made.
    """

    def __init__(self, values: list, weights: list, modes: int):
        self.values, self.weights = values, weights
        self.m = values[0].shape[1]
        self.by_modes = modes <= self.m

    @cached_property
    def modes(self) -> tuple[Any, Any]:
        """pi_k(x_i) and prod_l h_0/h_k by mode: R = M^T diag(g) M."""
        return fold(self.values), fold([weights.reshape(-1, 1) for weights in self.weights])

    @cached_property
    def diagonal(self) -> Any:
        """R_ii."""
        R: Any = 1.0
        for P, weights in zip(self.values, self.weights, strict=True):
            R = R * (P * P * weights.reshape(-1, 1)).sum(axis=0)
        return R

    def block(self, rows: Any, columns: Any) -> Any:
        """R between some points and others."""
        R: Any = None
        for P, weights in zip(self.values, self.weights, strict=True):
            factor = (P[:, rows] * weights.reshape(-1, 1)).T @ P[:, columns]
            R = factor if R is None else R * factor
        return R

    def scores(self, s: Any, support: np.ndarray) -> Any:
        """(R s)_i at every point, for the s of the support."""
        if self.by_modes:
            M, g = self.modes
            return (((M[:, support] @ s).reshape(-1, 1) * g).T @ M).reshape(-1)
        step = max(1, ENTRIES // max(1, len(support)))
        join = MidRad.concatenate if isinstance(s, MidRad) else np.concatenate
        return join([self.block(slice(i, i + step), support) @ s for i in range(0, self.m, step)])


class VerifiedDual:
    """One problem in float64: with error bounds, and (``plain``) without."""

    def __init__(self, problem: Problem):
        self.problem, self.y = problem, np.array(problem.y, dtype=float)
        with precision(DIGITS):
            self.lam = problem.lambda_ball()
            tau = MidRad.holding(self.lam * problem.C)
        self.top = MidRad.of(np.array(problem.weights, dtype=object)) * tau
        values, weights = (list[Any](part) for part in basis(problem, arithmetic("verified")))
        self.R = Factors(values, weights, problem.modes)
        self.plain = Factors([P.mid for P in values], [w.mid for w in weights], problem.modes)

    @cached_property
    def D(self) -> np.ndarray:
        """The powers of two near sqrt(R_ii)."""
        return np.exp2(np.round(np.log2(np.sqrt(self.plain.diagonal))))


def float_certificate(problem: Problem, alpha: Sequence[fmpq] | None = None) -> Certificate:
    """The optimum whose active set is near that of alpha, every inequality strict; else Undecided."""
    with np.errstate(all="ignore"):
        dual = VerifiedDual(problem)
        given = propose(dual) if alpha is None else np.array([real(x) for x in alpha]) * float(dual.lam)
        return prove(dual, *polish(dual, given))


def propose(dual: VerifiedDual) -> np.ndarray:
    """a = lambda*alpha: by modes where these are fewer than points, else by libsvm."""
    if dual.plain.by_modes:
        M, g = dual.plain.modes
        return interior((M * np.sqrt(g)).T * dual.y[:, None], dual.y, dual.top.mid)
    return libsvm(dual.plain.block(slice(None), slice(None)), dual.y, dual.top.mid)


def polish(dual: VerifiedDual, a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The free and the bound points of the optimum, as far as plain float64 can see."""
    y, top, D, R = dual.y, dual.top.mid, dual.D, dual.plain
    free, bound = guess(dual, a)
    for _ in range(ROUNDS):
        F, B = np.flatnonzero(free), np.flatnonzero(bound)
        if not len(F):
            raise Undecided("no point is free")
        known = R.scores((y * top)[B], B)
        right = np.append((y - known)[F] / D[F], -(y * top)[B].sum())
        try:
            x = np.linalg.solve(bordered(R.block(F, F), D[F]), right)
        except np.linalg.LinAlgError:
            raise Undecided("the free points are dependent") from None
        s, b = x[:-1] / D[F], x[-1]
        margin = y * (R.scores(s, F) + known + b) - 1
        noise = FUZZ * (1 + D * (D[F] @ abs(s) + D[B] @ top[B]))
        below, above = F[s * y[F] <= 0], F[s * y[F] >= top[F]]
        back = np.flatnonzero(bound & (margin > noise))
        enter = np.flatnonzero(~free & ~bound & (margin < -noise))
        if not any(map(len, (below, above, back, enter))):
            return F, B
        free[below] = free[above] = bound[back] = False
        bound[above] = free[back] = free[enter] = True
    raise Undecided("the active set does not stand still")


def guess(dual: VerifiedDual, a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Free where the scaled variable outweighs the scaled margin: a_i D_i against (y_i g_i - 1)/D_i."""
    y, top, D = dual.y, dual.top.mid, dual.D
    moved = np.flatnonzero(a > top * NEAR)
    f = dual.plain.scores((y * a)[moved], moved)
    b = sum(best_b(f.tolist(), dual.problem.y, dual.problem.weights)) / 2
    margin = (y * (f + b) - 1) / D
    bound = -margin > (top - a) * D
    return ~bound & (margin < a * D), bound


def bordered(R: Any, D: np.ndarray) -> Any:
    """[[R_FF, 1], [1^T, 0]] with rows and columns over D_i: the unknowns are D_i s_i and b."""
    size = len(D)
    out = MidRad.zeros((size + 1, size + 1)) if isinstance(R, MidRad) else np.zeros((size + 1, size + 1))
    out[:size, :size] = R * np.outer(1 / D, 1 / D)  # exactly: powers of two
    out[:size, size] = out[size, :size] = 1 / D
    return out


def prove(dual: VerifiedDual, F: np.ndarray, B: np.ndarray) -> Certificate:
    """Balls for s and b if this active set is the optimal one, strictly; else Undecided."""
    y, D, R = dual.y, dual.D, dual.R
    s_B = dual.top[B] * y[B]
    rest = MidRad(y[F]) - R.block(F, B) @ s_B
    right = MidRad.concatenate([rest * (1 / D[F]), -s_B.sum(axis=0).reshape(1)])
    x = solve(bordered(R.block(F, F), D[F]), right)
    if x is None:
        raise Undecided("the system of the free points is not proved nonsingular in float64")
    s_F, b = x[: len(F)] * (1 / D[F]), x[len(F) :]
    support, s = np.concatenate([F, B]), MidRad.concatenate([s_F, s_B])
    scores = R.scores(s, support)
    margin = (scores + b) * y - 1.0
    zero = np.ones(R.m, dtype=bool)
    zero[support] = False
    strict = [s_F * y[F], dual.top[F] - s_F * y[F], margin[zero], -margin[B]]
    if not all((x.least() > 0).all() for x in strict):
        raise Undecided("an inequality is not proved strict in float64")
    balls = dict(zip(support.tolist(), s.balls(), strict=True))
    sets = (tuple(sorted(i + 1 for i in points.tolist())) for points in (F, B))
    norm2 = (s * scores[support]).sum() / dual.lam
    return _certificate(dual, Enclosure(balls, b[0], *sets), margin[F], norm2)


def _certificate(dual: VerifiedDual, optimum: Enclosure, margin: MidRad, norm2: arb) -> Certificate:
    """Beside the optimum a rational point in its balls: how far its w is, and its P - D.

    P - D = sum_i (C_i xi_i + alpha_i (y_i g_i - 1)), where the points that are not free add nothing.
    """
    problem, tau = dual.problem, Tau(dual.problem)
    F, B = ([i - 1 for i in points] for points in (optimum.free, optimum.bound))
    values = {i: midpoint(optimum.s[i]) * problem.y[i] for i in F}
    with precision(DIGITS):
        a = project(problem, tau, dual.lam * problem.C, values, B)
        s = a.ball() * problem.signs
        if not all(optimum.s[i].contains(s[i]) for i in F) or any(a.p[i] for i in B):
            raise Undecided("no rational point was found in the balls of float64")
        gap = (dual.top[F] * margin.most()).sum() / dual.lam
        sizes = dual.R.diagonal[F].balls()  # ||w - w*|| <= sum |s_i - s*_i| sqrt(K_ii), both s in one ball
        reach = sum(
            (2 * optimum.s[i].rad() * (R / dual.lam).sqrt() for i, R in zip(F, sizes, strict=True)), arb(0)
        )
    return Certificate(
        problem, "float", a, Bias(tau.affine(midpoint(optimum.b))), gap=arb(gap.upper()),
        w_error=arb(reach.upper()), norm2=norm2, alpha_unique=True, hard_margin=not B, enclosure=optimum,
    )  # fmt: skip
