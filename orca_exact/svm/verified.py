"""Level float: the optimum enclosed at BLAS speed, in float64 with proved error bounds.

A proposal is polished in plain float64 until its active set stands still; then the bordered system of the
free points is solved with a proof, and every inequality must hold strictly. What that does not decide, ties
and dependent points among it, is left to balls. See ``dual`` for the units and ``midrad`` for the bounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from flint import arb, fmpq

from ..errors import TooLarge, Undecided
from ..kernels.orthogonal import basis, tensor_rows
from ..numbers.arithmetic import arithmetic
from ..numbers.midrad import UP, MidRad, Solved, solve_linear
from ..numbers.rationals import QQ, midpoint, nonnegative_sqrt, precision, real
from ..problem import Problem
from .certificate import Bias, Certificate, Enclosure
from .dual import MAX_GRAM, best_b
from .gap import project_feasible
from .interior import solve_interior_point
from .solvers import solve_by_libsvm
from .tau import Tau

_FEW = 400  # points: a matrix of theirs is factored at once
_ROUNDS = 200
_NEAR = 1e-9  # of a bound, in plain float64
FUZZ = 1e-14  # of plain float64 in a score, relative to its terms
_ENTRIES = 2**22  # of R at a time
FLOAT_DIGITS = 30  # of lambda, far more than float64 sees


class Factors:
    """R from pi_k(x_il) and h_0/h_k by pairs of points; R s by pairs or, where these are fewer, by modes.

    One text for float64 arrays and for ``MidRad``; no m x m matrix is made.
    """

    def __init__(self, values: list, weights: list, modes: int):
        self.values, self.weights, self._modes = values, weights, modes
        self.m = values[0].shape[1]
        self.by_modes = modes <= self.m and modes * self.m <= 8 * _ENTRIES

    @cached_property
    def modes(self) -> tuple[Any, Any]:
        """pi_k(x_i) and prod_l h_0/h_k by mode: R = M^T diag(g) M."""
        return tensor_rows(self.values), tensor_rows([weights.reshape(-1, 1) for weights in self.weights])

    @cached_property
    def diagonal(self) -> Any:
        """R_ii."""
        R: Any = 1.0
        for P, weights in zip(self.values, self.weights, strict=True):
            R = R * (P * P * weights.reshape(-1, 1)).sum(axis=0)
        return R

    @cached_property
    def whole(self) -> Any:
        """R, once it is asked for: blocks are then taken from it."""
        return self.block(slice(None), slice(None))

    def among(self, rows: np.ndarray) -> Factors:
        """The same of some of the points."""
        some = Factors([P[:, rows] for P in self.values], self.weights, self._modes)
        if "whole" in self.__dict__:
            some.__dict__["whole"] = self.block(rows, rows)
        return some

    def block(self, rows: Any, columns: Any) -> Any:
        """R between some points and others."""
        if "whole" in self.__dict__:
            return self.whole[rows][:, columns]
        R: Any = None
        for P, weights in zip(self.values, self.weights, strict=True):
            factor = (P[:, rows] * weights.reshape(-1, 1)).T @ P[:, columns]
            R = factor if R is None else R * factor
        return R

    def scores(self, s: Any, support: np.ndarray) -> Any:
        """(R s)_i at every point, for the s of the support."""
        if self.by_modes:
            M, g = self.modes
            w = M[:, support].matvec(s) if isinstance(s, MidRad) else M[:, support] @ s
            return ((w.reshape(-1, 1) * g).T @ M).reshape(-1)
        step = max(1, _ENTRIES // max(1, len(support)))
        join = MidRad.concatenate if isinstance(s, MidRad) else np.concatenate
        return join([self.block(slice(i, i + step), support) @ s for i in range(0, self.m, step)])


class VerifiedDual:
    """One problem in float64: with error bounds, and (``plain``) without."""

    def __init__(self, problem: Problem):
        with precision(FLOAT_DIGITS):
            self.lam = problem.lambda_ball()
        values, weights = (list[Any](part) for part in basis(problem, arithmetic("verified")))
        self.R = Factors(values, weights, problem.modes)
        self.plain = Factors([P.mid for P in values], [w.mid for w in weights], problem.modes)
        self._label(problem)

    def _label(self, problem: Problem) -> None:
        self.problem, self.y = problem, np.array(problem.y, dtype=float)
        with precision(FLOAT_DIGITS):
            tau = MidRad.from_balls(self.lam * problem.C)
        self.upper_bound = MidRad.of(np.array(problem.weights, dtype=object)) * tau

    def relabelled(self, problem: Problem, rows: np.ndarray | None = None) -> VerifiedDual:
        """The same points, or these of them, with the labels and the C_i of another problem."""
        other = copy(self)
        if rows is not None:
            other.R, other.plain = self.R.among(rows), self.plain.among(rows)
            for name in ("D", "rows"):
                other.__dict__.pop(name, None)
        other._label(problem)
        return other

    @cached_property
    def rows(self) -> np.ndarray | None:
        """Some Z with Z Z^T = R over D D^T, by modes or by points where one of these are few."""
        R, D = self.plain, self.D
        if R.by_modes:
            M, g = R.modes
            return (M * np.sqrt(g)).T / D[:, None]
        if R.m <= _FEW:
            values, vectors = np.linalg.eigh(R.block(slice(None), slice(None)) / np.outer(D, D))
            return vectors * np.sqrt(np.maximum(values, 0))
        return None

    def entered(self, alpha: Sequence[fmpq]) -> np.ndarray:
        """a = lambda*alpha, without error bounds."""
        self.require()
        return np.array([real(x) for x in alpha]) * float(self.lam)

    def require(self) -> None:
        """Undecided where float64 cannot hold it."""
        if not self.holds:
            raise Undecided("float64 cannot hold the problem")

    @property
    def holds(self) -> bool:
        """Whether float64 can hold it."""
        ends = (self.plain.diagonal, self.upper_bound.mid, float(self.lam))
        return all(bool(np.all((x > 0) & (x < np.inf))) for x in ends)

    @cached_property
    def D(self) -> np.ndarray:
        """The powers of two near sqrt(R_ii)."""
        return np.exp2(np.round(np.log2(np.sqrt(self.plain.diagonal))))


class Start(NamedTuple):
    """A proposal as float64 leaves it, 0 where a point is no support vector; who made it; what it proves."""

    alpha: tuple[fmpq, ...]
    solver: str
    proved: Certificate | None


def find_start(problem: Problem, alpha: Sequence[fmpq] | None = None) -> Start:
    """From alpha, or from a proposal of its own; Undecided where float64 cannot hold the problem."""
    with np.errstate(all="ignore"):
        dual, bounds, solver = VerifiedDual(problem), problem.bounds, "given"
        if alpha is None:
            a, solver = propose_in_float64(dual)
        else:
            a = dual.entered(alpha)
        try:
            found = prove_in_float64(dual, *polish(dual, a))
        except Undecided:
            free, bound = guess_active_set(dual, a)
            kept = np.where(bound, dual.upper_bound.mid, np.where(free, a, 0)) / float(dual.lam)
            exact = (min(QQ(x), C) for x, C in zip(kept.tolist(), bounds, strict=True))
            return Start(tuple(max(x, fmpq(0)) for x in exact), solver, None)
        with precision(FLOAT_DIGITS):
            values = [midpoint(arb(x)) for x in found.a.ball() / dual.lam]
        for i in found.bound:
            values[i - 1] = bounds[i - 1]
        return Start(tuple(values), f"{solver} + active set", found)


def float_certificate(problem: Problem, alpha: Sequence[fmpq] | None = None) -> Certificate:
    """The optimum whose active set is near that of alpha, every inequality strict; else Undecided."""
    with np.errstate(all="ignore"):
        return certify_in_float64(VerifiedDual(problem), alpha)


def certify_in_float64(dual: VerifiedDual, alpha: Sequence[fmpq] | None = None) -> Certificate:
    """The same of a problem that is in float64 already."""
    with np.errstate(all="ignore"):
        a = propose_in_float64(dual)[0] if alpha is None else dual.entered(alpha)
        return prove_in_float64(dual, *polish(dual, a))


def propose_in_float64(dual: VerifiedDual) -> tuple[np.ndarray, str]:
    """a = lambda*alpha, by modes or by points where one of these are few, else by libsvm; and by which.

    As ``dual`` has it, the solver sees z_i = D_i a_i in units of theta.
    """
    dual.require()
    R, D, y, rows = dual.plain, dual.D, dual.y, dual.rows
    if rows is None and R.m > MAX_GRAM:
        raise TooLarge("X", f"{R.m} points", MAX_GRAM, "give a solution, or take a sample")
    if rows is None:
        return solve_by_libsvm(R.block(slice(None), slice(None)), y, dual.upper_bound.mid), "libsvm"
    theta = 1 / D.min()
    c = 1 / (D * theta)
    return solve_interior_point(
        rows * y[:, None], c, y * c, dual.upper_bound.mid * D / theta
    ) * theta / D, "interior point"


def polish(dual: VerifiedDual, a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The free and the bound points of the optimum, as far as plain float64 can see."""
    y, top, D, R = dual.y, dual.upper_bound.mid, dual.D, dual.plain
    free, bound = guess_active_set(dual, a)
    fewest = R.m + 1
    for _ in range(_ROUNDS):
        F, B = np.flatnonzero(free), np.flatnonzero(bound)
        if not len(F):
            raise Undecided("no point is free: float64 leaves b open; take the level 'ball' or 'exact'")
        known = R.scores((y * top)[B], B)
        right = np.append((y - known)[F] / D[F], -(y * top)[B].sum())
        try:
            x = np.linalg.solve(bordered_system(R.block(F, F), D[F]), right)
        except np.linalg.LinAlgError:
            raise Undecided("the free points are dependent") from None
        s, b = x[:-1] / D[F], x[-1]
        margin = y * (R.scores(s, F) + known + b) - 1
        noise = FUZZ * (1 + D * (D[F] @ abs(s) + D[B] @ top[B]))
        off = np.where(bound, margin, -margin) * (~free & (abs(margin) > noise)) / D
        off[F] = np.maximum(-s * y[F], s * y[F] - top[F]) * D[F]
        wrong = np.flatnonzero(off > 0)
        if not len(wrong):
            return F, B
        if len(wrong) >= fewest:  # all at once leads nowhere: the worst alone
            wrong = wrong[[off[wrong].argmax()]]
        fewest = min(fewest, len(wrong))
        was, over = free[wrong], np.isin(wrong, F[s * y[F] > top[F] / 2])
        free[wrong], bound[wrong] = ~was, was & over
    raise Undecided("the active set does not stand still")


def guess_active_set(dual: VerifiedDual, a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Free where the scaled variable outweighs the scaled margin: a_i D_i against (y_i g_i - 1)/D_i."""
    y, top, D = dual.y, dual.upper_bound.mid, dual.D
    moved = np.flatnonzero(a > top * _NEAR)
    f = dual.plain.scores((y * a)[moved], moved)
    b = sum(best_b(f.tolist(), dual.problem.y, dual.problem.weights)) / 2
    margin = (y * (f + b) - 1) / D
    bound = -margin > (top - a) * D
    return ~bound & (margin < a * D), bound


def bordered_system(R: Any, D: np.ndarray) -> Any:
    """[[R_FF, 1], [1^T, 0]] with rows and columns over D_i: the unknowns are D_i s_i and b."""
    size = len(D)
    out = MidRad.zeros((size + 1, size + 1)) if isinstance(R, MidRad) else np.zeros((size + 1, size + 1))
    out[:size, :size] = R * np.outer(1 / D, 1 / D)  # exactly: powers of two
    out[:size, size] = out[size, :size] = 1 / D
    return out


def prove_in_float64(dual: VerifiedDual, F: np.ndarray, B: np.ndarray) -> Certificate:
    """The optimum enclosed if this active set is the optimal one, strictly; else Undecided."""
    y, D, R = dual.y, dual.D, dual.R
    s_B = dual.upper_bound[B] * y[B]
    known = R.scores(s_B, B)
    off = s_B.reshape(1, -1).matvec(MidRad(np.ones(len(B))))
    solved = solve_linear(
        bordered_system(R.block(F, F), D[F]),
        MidRad.concatenate([(MidRad(y[F]) - known[F]) * (1 / D[F]), -off]),
    )
    if solved is None:
        raise Undecided("the system of the free points is not proved nonsingular in float64")
    s_F, b = solved.x[: len(F)] * (1 / D[F]), solved.x[len(F) :]
    near, margin = (MidRad.zeros(R.m) for _ in "ab")  # y g - 1 at the float64 nearby and at the optimum
    near[F] = -(solved.residual[: len(F)] * D[F] * y[F])
    others = np.flatnonzero(~np.isin(np.arange(R.m), F))
    step = max(1, _ENTRIES // (len(F) + 1))
    for start in range(0, len(others), step):
        some = others[start : start + step]
        rows = MidRad.zeros((len(some), len(F) + 1))
        rows[:, :-1], rows[:, -1] = R.block(some, F) * (1 / D[F]), 1.0
        near[some], margin[some] = ((g + known[some]) * y[some] - 1.0 for g in solved.matvec(rows))
    zero = np.setdiff1d(others, B)
    strict = [s_F * y[F], dual.upper_bound[F] - s_F * y[F], margin[zero], -margin[B]]
    if not all((x.lower() > 0).all() for x in strict):
        raise Undecided("an inequality is not proved strict in float64")
    support, s = np.concatenate([F, B]), MidRad.concatenate([s_F, s_B])
    balls = dict(zip(support.tolist(), s.balls(), strict=True))
    sets = (tuple(sorted(i + 1 for i in points.tolist())) for points in (F, B))
    return _certificate(dual, solved, near, Enclosure(balls, b[0], *sets))


def _certificate(dual: VerifiedDual, solved: Solved, near: MidRad, optimum: Enclosure) -> Certificate:
    """Beside the optimum a rational point near the float64 solution: how far its w is, and its P - D.

    M dx = rho for what the solution is off, so ||dw||^2 = ds^T R ds = dx.rho - 2 db rho_0 (over lambda).
    P - D = sum_i (C_i xi_i + alpha_i (y_i g_i - 1)), at most C_i times how far i is on the wrong side.
    """
    problem, y, tau = dual.problem, dual.y, Tau(dual.problem)
    F, B = (np.array(points, dtype=int) - 1 for points in (optimum.free, optimum.bound))
    s = MidRad.zeros(problem.m)
    s[F], s[B] = MidRad(solved.near[:-1] / dual.D[F]), dual.upper_bound[B] * y[B]
    b = float(solved.near[-1])
    with precision(FLOAT_DIGITS):
        values = {i: midpoint(s[i]) * problem.y[i] for i in F.tolist()}
        a = project_feasible(problem, tau, dual.lam * problem.C, values, B.tolist())
        rest = np.setdiff1d(np.arange(problem.m), F).tolist()
        weights = {i: problem.weights[i] for i in B.tolist()}
        if any(a.p[i] != 0 or a.q[i] != weights.get(i, 0) for i in rest):
            raise Undecided("no rational point was found near that of float64")
        moved = [(arb(a[i].ball() * problem.y[i]) - s[i]) for i in F.tolist()]
        roots = np.sqrt(dual.R.diagonal.abs_upper()) * UP  # sqrt(R_ii), at most
        shift = sum((abs(x) * arb(r) for x, r in zip(moved, roots[F].tolist(), strict=True)), arb(0))
        errors = np.append(solved.error[:-1], 3 * solved.error[-1])
        energy = (MidRad(errors) * solved.residual.abs_upper()).sum()
        wrong = near.abs_upper()
        zero = np.setdiff1d(np.arange(problem.m), np.concatenate([F, B]))
        wrong[zero], wrong[B] = (np.maximum(-side.lower(), 0) for side in (near[zero], -near[B]))
        gap = ((dual.upper_bound * wrong).sum() + (dual.upper_bound * roots).sum() * shift) / dual.lam
        scores = (near[np.append(F, B)] + 1.0) * y[np.append(F, B)] - b
        shift = shift / dual.lam.sqrt()
        reach = nonnegative_sqrt(energy / dual.lam) + shift
        norm = nonnegative_sqrt((s[np.append(F, B)] * scores).sum() / dual.lam) + arb(0, shift.upper())
    return Certificate(
        problem, "float", a, Bias(tau.affine(fmpq(*b.as_integer_ratio()))), gap=arb(gap.upper()),
        w_error=arb(reach.upper()), norm2=norm * norm, alpha_unique=True, hard_margin=not len(B),
        enclosure=optimum,
    )  # fmt: skip
