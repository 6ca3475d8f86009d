"""Level gap: any dual variables, projected exactly into the feasible set, prove P - D, hence a bound on w.

||w - w*|| <= sqrt(P - D), whatever the solver, degenerate or not. See ``dual`` for the units.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from flint import arb, ctx, fmpq

from ..errors import Undecided
from ..numbers.arithmetic import arithmetic, object_vector
from ..numbers.rationals import midpoint, precision
from ..problem import Problem
from .certificate import LAMBDA_BITS, Bias, Certificate
from .dual import BallDual, best_b
from .tau import Affine, Tau

_DIGITS = 20


def gap_certificate(problem: Problem, alpha: Sequence[fmpq], digits: int = _DIGITS) -> Certificate:
    """Project alpha into the feasible set, exactly, and bound P - D."""
    with precision(2 * digits + 60):
        lam = problem.lambda_ball()
        values = {i: midpoint((x * lam).max(arb(0))) for i, x in enumerate(alpha)}
    for working in (2 * digits + 60, 8 * digits + 240):  # the second only where the first sees cancellation
        A = arithmetic("ball", working)
        with A.scope():
            certificate = certify_near(BallDual(problem, A), values)
            if certificate.gap.rel_accuracy_bits() > 10 or certificate.gap < 1e-30:
                break
    return certificate


def certify_near(
    dual: BallDual, values: dict[int, fmpq], bound: Sequence[int] = (), b: fmpq | None = None,
    level: str = "gap",
) -> Certificate:  # fmt: skip
    """The gap certificate of values a_i near the feasible set, with the b given or the best one for them."""
    problem, tau = dual.problem, Tau(dual.problem)
    a = project_feasible(problem, tau, dual.tau, values, bound)
    balls = {i: p + q * dual.tau for i, (p, q) in enumerate(zip(a.p, a.q, strict=True)) if p != 0 or q != 0}
    s = {i: value * problem.y[i] for i, value in balls.items()}
    f = dual.scores(s)
    if b is None:
        low, high = best_b([midpoint(x) for x in f], problem.y, problem.weights)
        b = (low + high) / 2
    norm = sum((s[i] * f[i] for i in s), arb(0))
    points = zip(dual.upper_bound, f, problem.y, strict=True)
    xi = sum((top * (1 - label * (x + b)).max(arb(0)) for top, x, label in points), arb(0))
    gap = (norm + xi - sum(balls.values(), arb(0))) / dual.lam
    gap = arb(gap.upper()).max(arb(0))
    inside = [i for i in balls if (a.p[i], a.q[i]) != (0, problem.weights[i])]
    if not all(balls[i] >= 0 and dual.upper_bound[i] - balls[i] >= 0 for i in inside):
        raise Undecided("alpha is not proved to lie in [0, C]; raise digits")
    norm2 = norm / dual.lam
    return Certificate(
        problem, level, a, Bias(tau.affine(b)), gap=gap, w_error=arb(gap.sqrt().upper()), norm2=norm2,
        bits=_bits(dual, b, [gap, norm2]),
    )  # fmt: skip


def _bits(dual: BallDual, b: fmpq, seen: list[arb]) -> int:
    """Of lambda, to see these numbers through sums of terms that cancel, and are of this size at most."""
    m, reach = dual.problem.m, dual.tau * arb(max(dual.scale)) ** 2
    size = dual.problem.C * m**2 * (1 + abs(b) + m * reach)
    cancelled = max(0, *(float((size / x).log() / arb(2).log()) for x in seen if x > 0), 0)
    return LAMBDA_BITS + 64 * ceil(cancelled / 64)


def has_digits(dual: BallDual, certificate: Certificate, digits: int) -> bool:
    """So many digits of w; where w is not told from 0, so many of its natural unit."""
    if certificate.digits >= digits:
        return True
    small = certificate.w_error < dual.unit * arb(10) ** -digits
    return bool(small) and certificate.least_norm.is_zero()


def project_feasible(
    problem: Problem, tau: Tau, enclosed: arb, values: dict[int, fmpq], bound: Sequence[int]
) -> Affine:
    """u + tau*v in [0, tau_i] with sum y u = sum y v = 0, near the given values.

    A value at tau_i is u = 0, v = the weight of the point. What the classes then differ by goes to one point
    with room for it; if it is more than any has room for, the heavier class is first scaled down.
    """
    y, m, weights = problem.signs, problem.m, problem.weights
    least = tau.exact if tau.exact is not None else midpoint(enclosed.lower())
    doubt = fmpq(0) if tau.exact is not None else midpoint(enclosed.upper()) - least
    top = [least * weight for weight in weights]
    dust = fmpq(1, 2 ** (ctx.prec // 2))  # what high precision leaves of a 0 or of a bound
    x = [min(max(values.get(i, fmpq(0)), fmpq(0)), top[i]) for i in range(m)]
    x = [
        fmpq(0) if value < t * dust else t if value > t * (1 - dust) else value
        for value, t in zip(x, top, strict=True)
    ]
    for i in bound:
        x[i] = top[i]
    for _ in range(2):
        a = tau.affine(
            object_vector(fmpq(0) if value >= t else value for value, t in zip(x, top, strict=True)),
            object_vector(w if value >= t else fmpq(0) for value, t, w in zip(x, top, weights, strict=True)),
        )
        off = (a * y).sum()
        if off.p == off.q == 0:
            return a
        excess = off.p + off.q * least
        room = [min(value, t - value) for value, t in zip(x, top, strict=True)]
        j = max(range(m), key=lambda i: room[i])
        if 2 * (abs(excess) + abs(off.q) * doubt) < room[j]:
            a.p[j] -= y[j] * off.p
            a.q[j] -= y[j] * off.q
            return a
        heavy = 1 if excess > 0 else -1
        total = sum((value for value, label in zip(x, y, strict=True) if label == heavy), fmpq(0))
        keep = 1 - abs(excess) / total
        x = [value * keep if label == heavy else value for value, label in zip(x, y, strict=True)]
        if all(value < t for value, t in zip(x, top, strict=True)):
            return tau.affine(object_vector(x))
    return tau.affine(object_vector(x) * (1 - dust))  # balanced: only off the bound, by a little
