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
from flint import arb, fmpq, fmpq_mat, fmpq_poly

from ..arithmetic import QQ, arithmetic, bits, precision
from ..certificate import Bias, Certificate
from ..errors import BadParameter, Undecided
from ..problem import Problem
from .active import ActiveSet, find_active_set, independent
from .dual import BallDual, best_b, midpoint
from .propose import Solution, solve

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
        return _gap(problem, alpha, None, digits=20)
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
    working = 2 * digits + 40
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
        working *= 2
    raise Undecided(f"no {level} certificate: {reason}; try level='gap', or other digits")


# Level gap.


def _gap(problem: Problem, alpha: tuple[fmpq, ...], b: fmpq | None, digits: int) -> Certificate:
    """Project alpha into the feasible set, exactly, and bound P - D."""
    with precision(2 * digits + 60):
        lam = problem.lambda_ball()
        rounded = [midpoint((x * lam).max(arb(0))) for x in alpha]
    active = ActiveSet([], [], [], dict(enumerate(rounded)), b)
    for working in (2 * digits + 60, 8 * digits + 240):  # the second only where the first sees cancellation
        A = arithmetic("ball", working)
        with A.scope():
            certificate = _close(problem, BallDual(problem, A), active, "gap")
            if certificate.gap.rel_accuracy_bits() > 10 or certificate.gap < 1e-30:
                break
    return certificate


def _project(problem: Problem, tau: arb, values: dict[int, fmpq], bound: list[int]) -> tuple[list, list]:
    """u, v with 0 <= u + tau v <= tau and sum y (u + tau v) = 0 exactly, near the given values.

    Values at or above tau become the bound itself (u = 0, v = 1). The v-part's imbalance goes to
    one free point (or is spread, if none can carry it); the u-part's is taken off the heavier class.
    """
    y, m = problem.y, problem.m
    zero = fmpq(0)
    u, v = [zero] * m, [zero] * m
    top = midpoint(tau) if not problem.lambda_is_rational else problem.lambda_exact * problem.C
    cap = top * (1 - fmpq(1, 2**40))
    at_bound = set(bound) | {i for i, x in values.items() if x >= cap}
    for i in at_bound:
        v[i] = fmpq(1)
    for i, x in values.items():
        if i not in at_bound:
            u[i] = max(x, zero)
    if problem.lambda_is_rational:
        u, v = [p + q * top for p, q in zip(u, v, strict=True)], [zero] * m
        _balance(u, y, top)
        return u, v
    _balance_bounds(u, v, y, top)
    _balance(u, y, cap, fixed={i for i in range(m) if v[i] != 0 and u[i] == 0})
    return u, v


def _balance(u: list, y: tuple[int, ...], top: fmpq, fixed: set[int] | frozenset = frozenset()) -> None:
    """Make sum y u = 0 by shrinking the heavier class: one entry if it can pay, else all in proportion."""
    excess = sum((label * x for label, x in zip(y, u, strict=True)), fmpq(0))
    if excess == 0:
        return
    sign = 1 if excess > 0 else -1
    payers = [i for i in range(len(u)) if y[i] == sign and u[i] > 0 and i not in fixed]
    room = [i for i in payers if u[i] < top and u[i] / 2 > abs(excess)]
    if room:
        i = max(room, key=lambda j: min(u[j], top - u[j]))
        u[i] -= abs(excess)
        return
    total = sum((u[i] for i in payers), fmpq(0))
    for i in payers:
        u[i] -= abs(excess) * u[i] / total


def _balance_bounds(u: list, v: list, y: tuple[int, ...], top: fmpq) -> None:
    """Make sum y v = 0 while the values u + tau v stay: a free point carries the bounds' imbalance."""
    excess = sum((label * x for label, x in zip(y, v, strict=True)), fmpq(0))
    if excess == 0:
        return
    free = [i for i in range(len(u)) if v[i] == 0 and u[i] > 0]
    if free:
        i = max(free, key=lambda j: min(u[j], top - u[j]))
        v[i] = -y[i] * excess
        u[i] -= v[i] * top
        return
    sign = 1 if excess > 0 else -1  # all at bound and unbalanced: lower the heavier class
    heavy = [i for i in range(len(u)) if v[i] != 0 and y[i] == sign]
    for i in heavy:
        v[i] -= abs(excess) / len(heavy)


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
    return Certificate(
        problem, level, tuple(u), tuple(v), Bias((b, fmpq(0))),
        gap=gap, w_error=arb(gap.sqrt().upper()), norm2=norm / dual.lam,
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
            raise Undecided("the free support vectors are affinely dependent: try more digits") from None
        for row, i in enumerate(F):
            u[i] = x[row, 0] * y[i]
            if any(rhs_row[1:] for rhs_row in rhs):
                v[i] = x[row, 1] * y[i]
        bias = (x[len(F), 0], x[len(F), 1] if x.ncols() > 1 else zero)
    return _prove_exactly(problem, R, u, v, bias)


def _prove_exactly(
    problem: Problem, R: np.ndarray, u: np.ndarray, v: np.ndarray, bias: tuple[fmpq, fmpq] | None
) -> Certificate:
    y = problem.signs
    sign = Signs(problem)
    scores = [_scores(R, part * y) for part in (u, v)]
    interval = Bias(bias) if bias is not None else _bias_interval(problem, sign, scores, u, v)
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
        if bias is not None and side == 0:
            tight.append(i)
    norm = (
        sum(u * y * scores[0], fmpq(0)),
        sum(v * y * scores[0], fmpq(0)) * 2,
        sum(v * y * scores[1], fmpq(0)),
    )
    with precision(60):
        tau = problem.lambda_ball() * problem.C
        norm2 = (norm[0] + norm[1] * tau + norm[2] * tau**2) / problem.lambda_ball()
    unique = independent(R, tight) if bias is not None else None
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
    if lower and upper and sign(upper[0] - lower[0], upper[1] - lower[1]) < 0:
        raise Undecided("no b satisfies the margins: the active set is wrong")
    return Bias(lower, upper)


def as_polynomial(p: fmpq, q: fmpq) -> fmpq | fmpq_poly:
    """p + q*tau: a rational where tau does not matter."""
    return fmpq_poly([p, q]) if q != 0 else p
