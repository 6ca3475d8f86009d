"""Judges: a proposal becomes a certificate only by proof.

gap    any alpha from anywhere, projected exactly into the feasible set: a rigorous P - D, and
       ||w - w*|| <= sqrt(P - D).
ball   the same at high precision (enough for ``digits`` of w), from an active set; where the active set
       is strict its alpha is enclosed and proved unique.
exact  the KKT system solved over Q, equalities exact, inequalities exact or by a ball for lambda.

See ``dual`` for the units: a = lambda*alpha = u + tau*v with rational u, v and tau = lambda*C.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from flint import arb, ctx, fmpq, fmpq_mat

from ..arithmetic import QQ, arithmetic, bits, precision
from ..errors import BadParameter, Undecided
from ..problem import Problem
from .active import ActiveSet, find_active_set, independent
from .certificate import Bias, Certificate
from .dual import BallDual, best_b, midpoint
from .solvers import Solution, solve

LEVELS = ("gap", "ball", "exact")
MAX_DOUBLINGS = 6


def certify(
    problem: Problem,
    solution: Solution | Any = None,
    level: str = "exact",
    digits: int = 50,
) -> Certificate:
    """A proof of optimality. ``solution``: a Solution, a sequence of alpha_i, or None to solve first."""
    if level not in LEVELS:
        raise BadParameter("level", repr(level), "is unknown", "take " + ", ".join(LEVELS))
    bits(digits)
    alpha = _alpha(problem, solution)
    if level == "gap":
        return _gap(problem, alpha, digits=20)
    try:
        return _prove(problem, alpha, level, digits)
    except Undecided:
        if solution is None:
            raise
    return _prove(
        problem, solve(problem, digits=0).alpha, level, digits
    )  # a hopeless proposal: start from our own


def _alpha(problem: Problem, solution: Any) -> tuple[fmpq, ...]:
    if solution is None:
        solution = solve(problem, digits=0)
    values = solution.alpha if isinstance(solution, Solution) else solution
    values = [QQ(x, f"alpha[{i}]") for i, x in enumerate(values)]
    if len(values) != problem.m:
        raise BadParameter("alpha", f"{len(values)} values", f"for {problem.m} points", "give one per point")
    return tuple(values)


def _prove(problem: Problem, alpha: tuple[fmpq, ...], level: str, digits: int) -> Certificate:
    """Double the precision until the digits are there; degenerate sets need more of it than others."""
    working, reached = 2 * digits + 40, -1
    reason = "the active set was not found"
    for _ in range(MAX_DOUBLINGS):
        A = arithmetic("ball", working)
        with A.scope():
            dual = BallDual(problem, A)
            active = find_active_set(dual, [x * dual.lam for x in alpha])
            if active is not None:
                if level == "exact":
                    return _exact(problem, active)
                certificate = _ball(problem, dual, active, digits)
                if certificate.digits >= digits:
                    return certificate
                reason = f"only {certificate.digits} of {digits} digits at {working} working digits"
                if certificate.digits <= reached:
                    break
                reached = certificate.digits
        working *= 2
    raise Undecided(f"no {level} certificate: {reason}; try level='gap', or other digits")


# Level gap.


def _gap(problem: Problem, alpha: tuple[fmpq, ...], digits: int) -> Certificate:
    """Project alpha into the feasible set, exactly, and bound P - D."""
    with precision(2 * digits + 60):
        lam = problem.lambda_ball()
        rounded = [midpoint((x * lam).max(arb(0))) for x in alpha]
    active = ActiveSet([], [], [], dict(enumerate(rounded)), None)
    for working in (2 * digits + 60, 8 * digits + 240):  # the second only where the first sees cancellation
        A = arithmetic("ball", working)
        with A.scope():
            certificate = _close(problem, BallDual(problem, A), active, "gap")
            if certificate.gap.rel_accuracy_bits() > 10 or certificate.gap < 1e-30:
                break
    return certificate


def _project(
    problem: Problem, tau: arb, values: dict[int, fmpq], bound: list[int]
) -> tuple[list[fmpq], list[fmpq]]:
    """u, v with 0 <= u + tau v <= tau and sum y u = sum y v = 0, near the given values.

    A value at tau is u = 0, v = 1. What the classes then differ by goes to one point with room for it;
    if it is more than any has room for, the heavier class is first scaled down.
    """
    y, m = problem.y, problem.m
    top = problem.lambda_exact * problem.C if problem.lambda_is_rational else midpoint(tau.lower())
    doubt = fmpq(0) if problem.lambda_is_rational else midpoint(tau.upper()) - top
    dust = fmpq(1, 2 ** (ctx.prec // 2))  # what high precision leaves of a 0 or of a bound
    x = [min(max(values.get(i, fmpq(0)), fmpq(0)), top) for i in range(m)]
    x = [fmpq(0) if value < top * dust else top if value > top * (1 - dust) else value for value in x]
    for i in bound:
        x[i] = top
    for _ in range(2):
        u = [fmpq(0) if value >= top else value for value in x]
        v = [fmpq(value >= top) for value in x]
        U = sum((label * p for label, p in zip(y, u, strict=True)), fmpq(0))
        V = sum((label * q for label, q in zip(y, v, strict=True)), fmpq(0))
        if U == V == 0:
            return u, v
        room = [min(value, top - value) for value in x]
        j = max(range(m), key=lambda i: room[i])
        if 2 * (abs(U + V * top) + abs(V) * doubt) < room[j]:
            v[j] -= y[j] * V
            u[j] -= y[j] * U
            return u, v
        heavy = 1 if U + V * top > 0 else -1
        total = sum((value for value, label in zip(x, y, strict=True) if label == heavy), fmpq(0))
        keep = 1 - abs(U + V * top) / total
        x = [value * keep if label == heavy else value for value, label in zip(x, y, strict=True)]
        total = sum((label * value for label, value in zip(y, x, strict=True)), fmpq(0))
        assert total == 0
        if all(value < top for value in x):
            return x, [fmpq(0)] * m
    return [value * (1 - dust) for value in x], [fmpq(0)] * m  # balanced: only off the bound, by a little


def _close(problem: Problem, dual: BallDual, active: ActiveSet, level: str) -> Certificate:
    """The gap certificate of an active set's values, with the best b for them."""
    u, v = _project(problem, dual.tau, active.values, active.bound)
    a = {i: u[i] + dual.tau * v[i] for i in range(problem.m) if u[i] != 0 or v[i] != 0}
    s = {i: value * problem.y[i] for i, value in a.items()}
    f = dual.scores(s)
    if active.b is None:
        low, high = best_b([midpoint(x) for x in f], problem.y)
        b = (low + high) / 2
    else:
        b = active.b
    norm = sum((s[i] * f[i] for i in s), arb(0))
    xi = sum(((1 - label * (x + b)).max(arb(0)) for x, label in zip(f, problem.y, strict=True)), arb(0))
    gap = (norm + dual.tau * xi - sum(a.values(), arb(0))) / dual.lam
    gap = arb(gap.upper()).max(arb(0))
    at_bound = {i for i in a if (u[i], v[i]) == (0, 1)}
    if not all(value >= 0 and dual.tau - value >= 0 for i, value in a.items() if i not in at_bound):
        raise Undecided("alpha is not proved to lie in [0, C]; raise digits")
    return Certificate(
        problem, level, tuple(u), tuple(v), Bias((b, fmpq(0))),
        gap=gap, w_error=arb(gap.sqrt().upper()), norm2=norm / dual.lam, unit=dual.unit,
    )  # fmt: skip


# Level ball.


def _ball(problem: Problem, dual: BallDual, active: ActiveSet, digits: int) -> Certificate:
    certificate = _close(problem, dual, active, "ball")
    strict = _enclose(problem, dual, active)
    if strict is None:
        return certificate
    return certificate.with_enclosure(*strict)


def _enclose(problem: Problem, dual: BallDual, active: ActiveSet) -> tuple[dict[int, arb], arb] | None:
    """Balls for s and b if the active set is proved to be the optimal one, every inequality strict."""
    if active.fixed or not active.basis:
        return None
    F, B, y = active.basis, active.bound, problem.y
    s = {i: dual.tau * y[i] for i in B}
    f = dual.scores(s)
    rhs = [[y[i] - f[i]] for i in F] + [[-sum(s.values(), arb(0))]]
    try:
        solution = dual.bordered(F, rhs)[:, 0]
    except ZeroDivisionError:
        return None
    s.update(zip(F, solution[:-1], strict=True))
    b = solution[-1]
    if not all(s[i] * y[i] > 0 and s[i] * y[i] < dual.tau for i in F):
        return None
    margins = [label * (x + b) - 1 for x, label in zip(dual.scores(s), y, strict=True)]
    outside = set(range(problem.m)) - set(F) - set(B)
    if all(margins[i] > 0 for i in outside) and all(margins[i] < 0 for i in B):
        return s, b
    return None


# Level exact.


def _exact(problem: Problem, active: ActiveSet) -> Certificate:
    """Solve the bordered system over Q with right-hand sides 1 and tau, then prove every condition."""
    from ..kernel import gram_ratio

    y, F, B = problem.signs, active.basis, active.bound
    R = gram_ratio(problem)
    zero = fmpq(0)
    u, v = np.array([zero] * problem.m, dtype=object), np.array([zero] * problem.m, dtype=object)
    for i in active.fixed:
        u[i] = active.values[i]
    for i in B:
        v[i] = fmpq(1)
    rational = problem.lambda_is_rational
    if rational:
        u, v = u + v * (problem.lambda_exact * problem.C), v * 0
    parts = []
    for part, target in ((u, y), (v, y * 0)):
        known = R @ (part * y) if any(part) else part
        rhs = [[target[i] - known[i]] for i in F] + [[-(part * y).sum()]]
        parts.append(rhs)
    bias = None
    if F:
        matrix = [[R[i, j] for j in F] + [fmpq(1)] for i in F] + [[fmpq(1)] * len(F) + [zero]]
        rhs = [p + q for p, q in zip(*parts, strict=True)] if any(v) else parts[0]
        try:
            x = fmpq_mat(matrix).solve(fmpq_mat(rhs))
        except ZeroDivisionError:
            return _exact(problem, _without_dependent(R, active))
        for row, i in enumerate(F):
            u[i] = x[row, 0] * y[i]
            if any(rhs_row[1:] for rhs_row in rhs):
                v[i] = x[row, 1] * y[i]
        bias = (x[len(F), 0], x[len(F), 1] if x.ncols() > 1 else zero)
    return _prove_exactly(problem, R, u, v, bias)


def _without_dependent(R: np.ndarray, active: ActiveSet) -> ActiveSet:
    """Affinely independent points stay in the basis; the others keep their values, rounded inside the box."""
    F = active.basis
    rows, rank = fmpq_mat([[R[i, j] + 1 for j in F] for i in F]).rref()  # the Gram matrix of (Phi, 1)
    pivots = [next(k for k in range(len(F)) if rows[r, k] != 0) for r in range(rank)]
    basis = [F[k] for k in pivots]
    rest = [i for i in F if i not in set(basis)]
    if not rest:
        raise Undecided("the free support vectors are affinely dependent: try more digits")
    values = active.values | {i: max(active.values[i], fmpq(0)) for i in rest}
    return ActiveSet(basis, sorted(active.fixed + rest), active.bound, values, active.b)


def _prove_exactly(
    problem: Problem, R: np.ndarray, u: np.ndarray, v: np.ndarray, bias: tuple[fmpq, fmpq] | None
) -> Certificate:
    y = problem.signs
    sign = Signs(problem)
    scores = [_scores(R, part * y) for part in (u, v)]
    free = any(sign(p, q) > 0 and sign(-p, 1 - q) > 0 for p, q in zip(u, v, strict=True))
    interval = Bias(bias) if bias and free else _bias_interval(problem, sign, scores, u, v)
    for value in (sum(u * y, fmpq(0)), sum(v * y, fmpq(0))):
        if value != 0:
            raise Undecided(f"sum alpha_i y_i = {value} is not 0: the active set is wrong")
    tight = []
    for i in range(problem.m):
        low, high = sign(u[i], v[i]), sign(-u[i], 1 - v[i])
        if low < 0 or high < 0:
            raise Undecided(f"alpha_{i + 1} leaves [0, C]: the active set is wrong")
        for b in interval.ends():
            margin = y[i] * (scores[0][i] + b[0]) - 1, y[i] * (scores[1][i] + b[1])
            side = sign(*margin)
            if (low > 0 and side > 0) or (high > 0 and side < 0):
                raise Undecided(f"point {i + 1} has y g - 1 of the wrong sign: the active set is wrong")
        if free and side == 0:
            tight.append(i)
    norm = (
        sum(u * y * scores[0], fmpq(0)),
        sum(v * y * scores[0], fmpq(0)) * 2,
        sum(v * y * scores[1], fmpq(0)),
    )
    with precision(60):
        tau = problem.lambda_ball() * problem.C
        norm2 = (norm[0] + norm[1] * tau + norm[2] * tau**2) / problem.lambda_ball()
    unique = independent(R, tight) if free else None
    return Certificate(
        problem, "exact", tuple(u), tuple(v), interval,
        gap=arb(0), w_error=arb(0), norm2=norm2, alpha_unique=unique,
    )  # fmt: skip


def _scores(R: np.ndarray, s: np.ndarray) -> np.ndarray:
    support = [j for j, value in enumerate(s) if value != 0]
    if not support:
        return s * 0
    product = fmpq_mat(R[:, support].tolist()) * fmpq_mat([[s[j]] for j in support])
    return np.array(product.entries(), dtype=object)


class Signs:
    """The exact sign of p + q*tau: decided by rationals where tau is one or q = 0, else by a ball for tau."""

    def __init__(self, problem: Problem):
        self.problem = problem
        self.tau = problem.lambda_exact * problem.C if problem.lambda_is_rational else None

    def __call__(self, p: fmpq, q: fmpq) -> int:
        if q == 0 or self.tau is not None:
            value = p + q * (self.tau or 0)
            return (value > 0) - (value < 0)
        for digits in (50, 500, 5000):
            with precision(digits):
                ball = p + q * (self.problem.lambda_ball() * self.problem.C)
                if ball > 0 or ball < 0:
                    return 1 if ball > 0 else -1
        raise Undecided(f"lambda*C cannot be told from {-p / q} at 5000 digits")


def _bias_interval(problem: Problem, sign: Signs, scores: list, u: np.ndarray, v: np.ndarray) -> Bias:
    """No free support vector: b is any value the inequalities allow, [max of lower, min of upper]."""
    lower: tuple[fmpq, fmpq] | None = None
    upper: tuple[fmpq, fmpq] | None = None
    for i, label in enumerate(problem.y):
        b = label - scores[0][i], -scores[1][i]
        at_zero = sign(u[i], v[i]) == 0
        if at_zero == (label > 0):  # y g >= 1 with y = 1, or y g <= 1 with y = -1: b is at least this
            if lower is None or sign(b[0] - lower[0], b[1] - lower[1]) > 0:
                lower = b
        elif upper is None or sign(b[0] - upper[0], b[1] - upper[1]) < 0:
            upper = b
    assert lower is not None and upper is not None  # sum y a = 0: each class has a zero or a bound point
    if sign(upper[0] - lower[0], upper[1] - lower[1]) < 0:
        raise Undecided("no b satisfies the margins: the active set is wrong")
    return Bias(lower, upper)
