"""Level float: the optimum enclosed at BLAS speed, in float64 with proved error bounds.

A proposal is improved in plain float64 until its active set no longer changes. Then the bordered system of
the free points is solved with a proof, and every inequality must hold strictly. Without free points, alpha is
known exactly, and only the inequalities must be proved. Other cases, such as ties and dependent points, are
left to balls. See ``dual`` for the units and ``midrad`` for the bounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple, cast

import numpy as np
from flint import arb, fmpq

from ..errors import TooLarge, Undecided
from ..kernels.kernel import KernelValues
from ..numbers.arithmetic import object_vector
from ..numbers.midrad import INFLATION, MidRad
from ..numbers.rationals import QQ, midpoint, nonnegative_sqrt, precision_digits, to_float
from ..problem import Problem
from .bordered import FreeSystem, SystemEnclosure
from .certificate import ACTIVE_SET, Bias, Certificate, Enclosure
from .dual import MAX_GRAM, positive_sizes
from .gap import project_feasible
from .interior import solve_interior_point
from .solvers import solve_by_libsvm
from .tau import Tau

_FEW = 400  # points up to which their matrix is factored
_ROUNDS = 200
_NEAR = 1e-9  # a_i below this, relative to the bound, counts as 0
SCORE_ROUNDING = 1e-14  # rounding error of a score in plain float64, relative to its terms
_ENTRIES = 2**22  # entries of R that are computed at a time
_KEPT = 2_000  # points whose matrix R in plain float64 is kept after libsvm has used it
FLOAT_DIGITS = 30  # of lambda, far more than float64 has
_OUT_OF_RANGE = "The problem is outside the range of float64; take level='ball'."


class KernelBlocks:
    """The matrix R between points, in float64 or in ``MidRad``.

    R s is computed by pairs of points or, if these are fewer, by modes. No m x m matrix is stored unless
    ``matrix`` is used.
    """

    def __init__(self, at: KernelValues):
        self.at, self.m = at, at.m
        self.by_modes = at.dimension <= self.m and at.dimension * self.m <= 16 * _ENTRIES

    @property
    def features(self) -> tuple[Any, Any]:
        """M and g by mode, with R = M^T diag(g) M."""
        return self.at.features

    @property
    def diagonal(self) -> Any:
        """Diagonal entries R_ii."""
        return self.at.diagonal

    @cached_property
    def matrix(self) -> Any:
        """Full matrix R; once it is computed, blocks are taken from it."""
        return self.block(slice(None), slice(None))

    def subset(self, rows: np.ndarray) -> KernelBlocks:
        """Return the blocks of some of the points."""
        some = KernelBlocks(self.at.select(rows))
        if "matrix" in self.__dict__:
            some.__dict__["matrix"] = self.block(rows, rows)
        return some

    def block(self, rows: Any, columns: Any) -> Any:
        """Return R between two sets of points."""
        if "matrix" in self.__dict__:
            return self.matrix[rows][:, columns]
        return self.at.block(rows, columns)

    def scores(self, s: Any, support: np.ndarray) -> Any:
        """Return (R s)_i at every point, for the s of the support."""
        if self.by_modes:
            M, g = self.features
            w = M[:, support].matvec(s) if isinstance(s, MidRad) else M[:, support] @ s
            return ((w.reshape(-1, 1) * g).T @ M).reshape(-1)
        step = max(1, _ENTRIES // max(1, len(support)))
        join = MidRad.concatenate if isinstance(s, MidRad) else np.concatenate
        return join([self.block(slice(i, i + step), support) @ s for i in range(0, self.m, step)])


class VerifiedDual:
    """A problem in float64: with error bounds (``R``), and without (``plain``)."""

    def __init__(self, problem: Problem):
        with precision_digits(FLOAT_DIGITS):
            self.lam = problem.lambda_ball()
        at = problem.verified_values.select(slice(None))  # so that its features are not kept
        self.R, self.plain = KernelBlocks(at), KernelBlocks(at.midpoints())
        self._label(problem)

    def _label(self, problem: Problem) -> None:
        self.problem, self.y = problem, np.array(problem.y, dtype=float)
        with precision_digits(FLOAT_DIGITS):
            tau = MidRad.from_balls(self.lam * problem.C)
        weights = np.array(problem.weights, dtype=object)
        shares = MidRad.from_rationals(weights) if problem.is_weighted else MidRad(np.ones(len(weights)))
        self.upper_bound = shares * tau

    def with_labels(self, problem: Problem, rows: np.ndarray | None = None) -> VerifiedDual:
        """Return the same points, or these rows of them, with the labels and the C_i of another problem."""
        other = copy(self)
        if rows is not None:
            other.R, other.plain = self.R.subset(rows), self.plain.subset(rows)
            for name in ("D", "rows"):
                other.__dict__.pop(name, None)
        other._label(problem)
        return other

    @cached_property
    def rows(self) -> np.ndarray | None:
        """A matrix Z with Z Z^T = R/(D D^T), by modes or by points; None if there are many of both."""
        R, D = self.plain, self.D
        if R.by_modes:
            M, g = R.features
            return _require_finite(cast(np.ndarray, (M * np.sqrt(g)).T / D[:, None]))
        if R.m <= _FEW:
            scaled = _require_finite(R.block(slice(None), slice(None)) / np.outer(D, D))
            values, vectors = np.linalg.eigh(scaled)
            Z: np.ndarray = vectors * np.sqrt(np.maximum(values, 0))
            return Z
        return None

    def scale_alpha(self, alpha: Sequence[fmpq]) -> np.ndarray:
        """Return a = lambda*alpha without error bounds."""
        self.require_range()
        return np.array([to_float(x) for x in alpha]) * float(self.lam)

    def require_range(self) -> None:
        """Raise Undecided if the problem is outside the range of float64."""
        if not self.in_range:
            raise Undecided(_OUT_OF_RANGE)

    @property
    def in_range(self) -> bool:
        """Whether the problem is within the range of float64."""
        ends = (positive_sizes(self.plain.diagonal), self.upper_bound.mid, float(self.lam))
        return all(bool(np.all((x > 0) & (x < np.inf))) for x in ends)

    @cached_property
    def D(self) -> np.ndarray:
        """Powers of two near sqrt(R_ii)."""
        found: np.ndarray = np.exp2(np.round(np.log2(np.sqrt(positive_sizes(self.plain.diagonal)))))
        return found


class NoFreePoint(Undecided):
    """Every point seems to be at 0 or at its bound, so that no free point determines b."""


def _require_finite(values: np.ndarray) -> np.ndarray:
    """Return the values; raise Undecided if one is not finite, as that of a kernel at huge points."""
    if not np.isfinite(values).all():
        raise Undecided(_OUT_OF_RANGE)
    return values


class Start(NamedTuple):
    """A proposal in float64, exactly 0 off the support vectors; its solver; and what it proves."""

    alpha: tuple[fmpq, ...]
    solver: str
    proved: Certificate | None


def find_start(problem: Problem, alpha: Sequence[fmpq] | None = None) -> Start:
    """Return a starting point from alpha or, by default, from a float64 solver.

    Raise Undecided if the problem is outside the range of float64.
    """
    with np.errstate(all="ignore"):
        dual, bounds, solver = VerifiedDual(problem), problem.bounds, "given"
        if alpha is None:
            a, solver = propose_in_float64(dual)
        else:
            a = dual.scale_alpha(alpha)
        try:
            found = _prove_active_set(dual, a)
        except Undecided:
            free, bound = guess_active_set(dual, a)
            kept = np.where(bound, dual.upper_bound.mid, np.where(free, a, 0)) / float(dual.lam)
            exact = (min(QQ(x), C) for x, C in zip(kept.tolist(), bounds, strict=True))
            return Start(tuple(max(x, fmpq(0)) for x in exact), solver, None)
        with precision_digits(FLOAT_DIGITS):
            values = [midpoint(arb(x)) for x in found.a.ball() / dual.lam]
        for i in found.bound:
            values[i - 1] = bounds[i - 1]
        return Start(tuple(values), f"{solver}{ACTIVE_SET}", found)


def certify_in_float64(dual: VerifiedDual, alpha: Sequence[fmpq] | None = None) -> Certificate:
    """Enclose the optimum whose active set is near that of alpha or, by default, of a float64 solution.

    If equal points with equal labels prevent a proof, they are merged into one. Raise Undecided unless every
    inequality is proved strict.
    """
    with np.errstate(all="ignore"):
        a, solver = propose_in_float64(dual) if alpha is None else (dual.scale_alpha(alpha), "given")
        solver += ACTIVE_SET
        try:
            return replace(_prove_active_set(dual, a), proposer=solver)
        except Undecided:
            groups = _equal_points(dual.problem)
            if len(groups) == dual.problem.m:
                raise
        merged = _merge_points(dual, groups)
        a = np.array([a[group].sum() for group in groups])
        proved = prove_in_float64(merged, *refine_active_set(merged, a))
        return replace(_split_points(dual.problem, groups, proved), proposer=solver)


def _prove_active_set(dual: VerifiedDual, a: np.ndarray) -> Certificate:
    """Prove the optimum whose active set is near that of a; raise Undecided if float64 does not prove it."""
    try:
        active = refine_active_set(dual, a)
    except NoFreePoint:
        return _prove_at_bounds(dual, a)
    return prove_in_float64(dual, *active)


def _equal_points(problem: Problem) -> list[list[int]]:
    """Return groups of points that are equal and have the same label."""
    groups: dict[tuple[Any, ...], list[int]] = {}
    for i, (point, label) in enumerate(zip(problem.X, problem.y, strict=True)):
        groups.setdefault((*point, label), []).append(i)
    return list(groups.values())


def _merge_points(dual: VerifiedDual, groups: list[list[int]]) -> VerifiedDual:
    """Return the dual problem with one point for each group, whose bound is the sum of the C_i."""
    problem, first = dual.problem, [group[0] for group in groups]
    C = [sum((problem.bounds[i] for i in group), fmpq(0)) for group in groups]
    labels = [problem.y[i] for i in first]
    merged = Problem(problem.points[first], labels, kernel=problem.kernel, C=C)
    return dual.with_labels(merged, np.array(first))


def _split_points(problem: Problem, groups: list[list[int]], merged: Certificate) -> Certificate:
    """Return a certificate of all points: a merged alpha is divided in proportion to the C_i."""
    shares = [problem.weights[i] for i in range(problem.m)]
    for group in groups:
        total = sum((shares[i] for i in group), fmpq(0))
        for i in group:
            shares[i] /= total
    place = {i: k for k, group in enumerate(groups) for i in group}
    own, ratio = [place[i] for i in range(problem.m)], merged.problem.C / problem.C
    p, q = (
        object_vector(part[k] * x for k, x in zip(own, shares, strict=True)) for part in (merged.u, merged.v)
    )
    tau, b, found = Tau(problem), merged.b.lower, merged.enclosure
    assert found is not None
    free, bound = (
        tuple(sorted(i + 1 for k in points for i in groups[k - 1])) for points in (found.free, found.bound)
    )
    s = {i: found.s[k] * shares[i] for i, k in enumerate(own) if k in found.s}
    return replace(
        merged, problem=problem, a=tau.affine(p, q * ratio), b=Bias(tau.affine(b.p, b.q * ratio)),
        alpha_unique=None, enclosure=Enclosure(s, found.b, free, bound),
    )  # fmt: skip


def propose_in_float64(dual: VerifiedDual) -> tuple[np.ndarray, str]:
    """Return a = lambda*alpha, and the name of the solver.

    The solver is an interior-point method if there are few modes or few points, else libsvm. As in ``dual``,
    it works with z_i = D_i a_i in units of theta.
    """
    dual.require_range()
    R, D, y, rows = dual.plain, dual.D, dual.y, dual.rows
    if rows is None and R.m > MAX_GRAM:
        raise TooLarge("X", f"{R.m} points", MAX_GRAM, "pass a solution, or take a sample of the points")
    if rows is None:
        gram = R.matrix if R.m <= _KEPT else R.block(slice(None), slice(None))
        return solve_by_libsvm(_require_finite(gram), y, dual.upper_bound.mid), "libsvm"
    theta = 1 / D.min()
    c = 1 / (D * theta)
    z = solve_interior_point(rows * y[:, None], c, y * c, dual.upper_bound.mid * D / theta)
    return z * theta / D, "interior point"


def refine_active_set(dual: VerifiedDual, a: np.ndarray) -> tuple[np.ndarray, np.ndarray, FreeSystem]:
    """Return the free and the bound points of the optimum as plain float64 computes them, and their system.

    Raise Undecided if the active set does not converge.
    """
    y, top, D, R = dual.y, dual.upper_bound.mid, dual.D, dual.plain
    free, bound = guess_active_set(dual, a)
    fewest = R.m + 1
    for _ in range(_ROUNDS):
        F, B = np.flatnonzero(free), np.flatnonzero(bound)
        if not len(F):
            raise NoFreePoint("No point is free, so float64 cannot determine b; take level='ball'.")
        if len(F) > max(R.at.dimension + 1, _KEPT):
            raise Undecided("There are more free points than modes, so they are dependent.")
        known = R.scores((y * top)[B], B)
        right = np.append((y - known)[F] / D[F], -(y * top)[B].sum())
        system = FreeSystem(R.block(F, F), D[F])
        try:
            x = system.solve(right)
        except np.linalg.LinAlgError:
            raise Undecided("The free points are dependent; take level='ball'.") from None
        s, b = x[:-1] / D[F], x[-1]
        margin = y * (R.scores(s, F) + known + b) - 1
        noise = SCORE_ROUNDING * (1 + D * (D[F] @ abs(s) + D[B] @ top[B]))
        off = np.where(bound, margin, -margin) * (~free & (abs(margin) > noise)) / D
        off[F] = np.maximum(-s * y[F], s * y[F] - top[F]) * D[F]
        wrong = np.flatnonzero(off > 0)
        if not len(wrong):
            return F, B, system
        if len(wrong) >= fewest:  # moving all at once makes no progress, so move only the worst
            wrong = wrong[[off[wrong].argmax()]]
        fewest = min(fewest, len(wrong))
        was_free, upper = free[wrong], np.isin(wrong, F[s * y[F] > top[F] / 2])
        free[wrong], bound[wrong] = ~was_free, was_free & upper
    raise Undecided("The active-set iteration did not converge in float64; take level='ball'.")


def guess_active_set(dual: VerifiedDual, a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return masks of the points that look free and of those that look bound.

    A point is free if its scaled variable a_i D_i exceeds its scaled margin (y_i g_i - 1)/D_i.
    """
    y, top, D = dual.y, dual.upper_bound.mid, dual.D
    moved = np.flatnonzero(a > top * _NEAR)
    f = dual.plain.scores((y * a)[moved], moved)
    b = middle_b(f, y, top)
    margin = (y * (f + b) - 1) / D
    bound = -margin > (top - a) * D
    return ~bound & (margin < a * D), bound


def middle_b(f: np.ndarray, y: np.ndarray, top: np.ndarray) -> float:
    """Return the middle of the interval of ``dual.best_b``, in plain float64."""
    kinks = y - f
    order = np.argsort(kinks, kind="stable")
    slopes = np.cumsum(top[order]) - top[y > 0].sum()
    k = min(int(np.searchsorted(slopes, -1e-12 * slopes[-1])), len(f) - 1)
    other = min(k + 1, len(f) - 1) if abs(slopes[k]) <= 1e-12 * slopes[-1] else k
    return float(kinks[order[k]] + kinks[order[other]]) / 2


def prove_in_float64(dual: VerifiedDual, F: np.ndarray, B: np.ndarray, system: FreeSystem) -> Certificate:
    """Enclose the optimum with the free points F, whose system is given, and the bound points B.

    Raise Undecided unless every inequality is proved strict.
    """
    y, D, R = dual.y, dual.D, dual.R
    s_B = dual.upper_bound[B] * y[B]
    known = R.scores(s_B, B)
    off = s_B.reshape(1, -1).matvec(MidRad(np.ones(len(B))))
    right = MidRad.concatenate([(MidRad(y[F]) - known[F]) * (1 / D[F]), -off])
    solved = system.enclose(R.block(F, F), right)
    if solved is None:
        raise Undecided("float64 does not prove the free points independent; take level='ball'.")
    x, sizes = MidRad(solved.near, solved.error), np.sqrt(R.diagonal.abs_upper()) * INFLATION
    s_F, b = x[: len(F)] * (1 / D[F]), x[len(F) :]
    near, margin = (MidRad.zeros(R.m) for _ in "ab")  # y g - 1 at the float64 solution and at the optimum
    near[F] = -(solved.residual[: len(F)] * D[F] * y[F])
    others = np.flatnonzero(~np.isin(np.arange(R.m), F))
    step = max(1, _ENTRIES // (len(F) + 1))
    for start in range(0, len(others), step):
        some = others[start : start + step]
        scores = solved.scores(R.block(some, F) * (1 / D[F]), sizes[some])
        near[some], margin[some] = ((g + known[some]) * y[some] - 1.0 for g in scores)
    zero = np.setdiff1d(others, B)
    strict = [s_F * y[F], dual.upper_bound[F] - s_F * y[F], margin[zero], -margin[B]]
    if not all((x.lower() > 0).all() for x in strict):
        raise Undecided("float64 does not prove every inequality strict; take level='ball'.")
    support, s = np.concatenate([F, B]), MidRad.concatenate([s_F, s_B])
    balls = dict(zip(support.tolist(), s.balls(), strict=True))
    sets = (tuple(sorted(i + 1 for i in points.tolist())) for points in (F, B))
    return _certificate(dual, solved, sizes, near, Enclosure(balls, b[0], *sets))


def _prove_at_bounds(dual: VerifiedDual, a: np.ndarray) -> Certificate:
    """Prove that the optimum has no free point, so that alpha and w are known exactly.

    Let alpha_i = C_i on B and 0 elsewhere, with sum_i y_i alpha_i = 0 over Q. If y_i g(x_i) < 1 on B and > 1
    elsewhere for one b, then alpha, w and b fulfil the optimality conditions. Any other optimal alpha is
    complementary to the same w and b (a convex program), so that these strict inequalities determine it: it
    is the same. b may be any number of an interval.
    """
    problem, y, tau = dual.problem, dual.y, Tau(dual.problem)
    at_bound = a > dual.upper_bound.mid / 2
    B, Z = np.flatnonzero(at_bound), np.flatnonzero(~at_bound)
    if not len(B) or sum((problem.weights[i] * problem.y[i] for i in B.tolist()), fmpq(0)) != 0:
        raise Undecided(
            "No point is free, and the C_i of the bound points of the two classes differ; take level='ball'."
        )
    s_B = dual.upper_bound[B] * y[B]
    scores = dual.R.scores(s_B, B)
    b = middle_b(scores.mid, y, dual.upper_bound.mid)
    margin = (scores + b) * y - 1.0
    if not ((margin[Z].lower() > 0).all() and ((-margin)[B].lower() > 0).all()):
        raise Undecided("float64 does not prove every inequality strict; take level='ball'.")
    zeros = object_vector([fmpq(0)] * problem.m)
    at = object_vector([problem.weights[i] if at_bound[i] else fmpq(0) for i in range(problem.m)])
    with precision_digits(FLOAT_DIGITS):
        norm2 = arb((s_B * scores[B]).sum()) / dual.lam
    if not norm2 > 0:
        raise Undecided("w cannot be distinguished from 0 in float64; take level='ball'.")
    # P - D = 0, but whoever checks it by intervals needs some room: that of the rounding errors of y g(x).
    bounds = np.array([to_float(C) for C in problem.bounds])
    room = arb(float((bounds * margin.rad).sum())) + norm2 * arb(2) ** -60
    found = Bias(tau.affine(fmpq(*b.as_integer_ratio())))
    return Certificate(
        problem, "float", tau.affine(zeros, at), found, gap=room.upper(), w_error=arb(0), norm2=norm2,
        alpha_unique=True, hard_margin=False,
    )  # fmt: skip


def _certificate(
    dual: VerifiedDual, solved: SystemEnclosure, sizes: np.ndarray, near: MidRad, optimum: Enclosure
) -> Certificate:
    """Return the certificate of the optimum, with a rational point near the float64 solution.

    The certificate bounds the distance of that point's w from w*, and its P - D. P - D = sum_i (C_i xi_i +
    alpha_i (y_i g_i - 1)), at most C_i times the distance of point i from the right side of its margin.
    """
    problem, y, tau = dual.problem, dual.y, Tau(dual.problem)
    F, B = (np.array(points, dtype=int) - 1 for points in (optimum.free, optimum.bound))
    s = MidRad.zeros(problem.m)
    s[F], s[B] = MidRad(solved.near[:-1] / dual.D[F]), dual.upper_bound[B] * y[B]
    b = float(solved.near[-1])
    with precision_digits(FLOAT_DIGITS):
        values = {i: midpoint(s[i]) * problem.y[i] for i in F.tolist()}
        a = project_feasible(problem, tau, dual.lam * problem.C, values, B.tolist())
        rest = np.setdiff1d(np.arange(problem.m), F).tolist()
        weights = {i: problem.weights[i] for i in B.tolist()}
        if any(a.p[i] != 0 or a.q[i] != weights.get(i, 0) for i in rest):
            raise Undecided(
                "No feasible rational point was found near the float64 solution; take level='ball'."
            )
        balls = a.ball()
        moved = [(arb(balls[i] * problem.y[i]) - s[i]) for i in F.tolist()]
        shift = sum((abs(x) * arb(r) for x, r in zip(moved, sizes[F].tolist(), strict=True)), arb(0))
        wrong = near.abs_upper()
        zero = np.setdiff1d(np.arange(problem.m), np.concatenate([F, B]))
        wrong[zero], wrong[B] = (np.maximum(-side.lower(), 0) for side in (near[zero], -near[B]))
        gap = ((dual.upper_bound * wrong).sum() + (dual.upper_bound * sizes).sum() * shift) / dual.lam
        scores = (near[np.append(F, B)] + 1.0) * y[np.append(F, B)] - b
        shift = shift / dual.lam.sqrt()
        distance = nonnegative_sqrt(arb(solved.energy) / dual.lam) + shift
        norm = nonnegative_sqrt((s[np.append(F, B)] * scores).sum() / dual.lam) + arb(0, shift.upper())
    return Certificate(
        problem, "float", a, Bias(tau.affine(fmpq(*b.as_integer_ratio()))), gap=arb(gap.upper()),
        w_error=arb(distance.upper()), norm2=norm * norm, alpha_unique=True, hard_margin=not len(B),
        enclosure=optimum,
    )  # fmt: skip
