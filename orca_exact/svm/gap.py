"""Level gap: a bound of the duality gap P - D, hence of ||w - w*|| <= sqrt(P - D), for any dual variables.

The dual variables are projected exactly into the feasible set. The bound holds whatever the solver, and for
degenerate problems too. See ``dual`` for the units.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil

import numpy as np
from flint import arb, ctx, fmpq

from ..errors import Undecided
from ..numbers.arithmetic import arithmetic, object_vector
from ..numbers.rationals import midpoint, precision_digits
from ..problem import Problem
from .certificate import LAMBDA_BITS, Bias, Certificate
from .dual import BallDual
from .tau import Affine, Tau

_DIGITS = 100, 400  # the second in case of cancellation


def gap_certificate(problem: Problem, alpha: Sequence[fmpq]) -> Certificate:
    """Project alpha exactly into the feasible set and bound P - D."""
    with precision_digits(_DIGITS[0]):
        lam = problem.lambda_ball()
        values = {i: midpoint((x * lam).max(arb(0))) for i, x in enumerate(alpha)}
    for digits in _DIGITS:
        A = arithmetic("ball", digits)
        with A.scope():
            certificate = certify_near(BallDual(problem, A), values)
            if certificate.gap.rel_accuracy_bits() > 10 or certificate.gap < 1e-30:
                break
    return certificate


def certify_near(
    dual: BallDual, values: dict[int, fmpq], bound: Sequence[int] = (), b: fmpq | None = None,
    level: str = "gap",
) -> Certificate:  # fmt: skip
    """Return the gap certificate of values a_i near the feasible set.

    ``bound`` are the points to put at their bound. ``b`` is the one with the least slack by default.
    """
    problem, tau = dual.problem, Tau(dual.problem)
    a = project_feasible(problem, tau, dual.tau, values, bound)
    balls = {i: p + q * dual.tau for i, (p, q) in enumerate(zip(a.p, a.q, strict=True)) if p != 0 or q != 0}
    s = {i: value * problem.y[i] for i, value in balls.items()}
    f = dual.scores(s)
    if b is None:
        b = dual.best_b(f)
    norm2, gap = norm_and_gap(dual, balls, f, b)
    gap = arb(gap.upper()).max(arb(0))
    inside = [i for i in balls if (a.p[i], a.q[i]) != (0, problem.weights[i])]
    if not all(balls[i] >= 0 and dual.upper_bound[i] - balls[i] >= 0 for i in inside):
        raise Undecided("alpha is not proved to lie in [0, C]; ask for more digits.")
    return Certificate(
        problem, level, a, Bias(tau.affine(b)), gap=gap, w_error=arb(gap.sqrt().upper()), norm2=norm2,
        bits=_bits(dual, b, [gap, norm2]),
    )  # fmt: skip


def norm_and_gap(dual: BallDual, a: dict[int, arb], f: Iterable[arb], b: arb | fmpq) -> tuple[arb, arb]:
    """Return ||w||^2 and P - D for feasible a_i > 0, the scores f of w and any b."""
    y = dual.problem.y
    scores = list(f)
    norm = sum((x * y[i] * scores[i] for i, x in a.items()), arb(0))
    points = zip(dual.upper_bound, scores, y, strict=True)
    xi = sum((top * (1 - label * (x + b)).max(arb(0)) for top, x, label in points), arb(0))
    return norm / dual.lam, (norm + xi - sum(a.values(), arb(0))) / dual.lam


def _bits(dual: BallDual, b: fmpq, results: list[arb]) -> int:
    """Return the bits of lambda that resolve these numbers, which are sums of larger terms that cancel."""
    m, score = dual.problem.m, dual.tau * arb(max(dual.scale)) ** 2  # of one point, at most
    size = dual.problem.C * m**2 * (1 + abs(b) + m * score)
    cancelled = max(0, *(float((size / x).log() / arb(2).log()) for x in results if x > 0), 0)
    return LAMBDA_BITS + 64 * ceil(cancelled / 64)


def has_digits(dual: BallDual, certificate: Certificate, digits: int) -> bool:
    """Return whether a certificate proves ``digits`` digits of w.

    If w may be 0, the error is compared with the natural unit of w instead.
    """
    if certificate.digits >= digits:
        return True
    small = certificate.w_error < dual.unit * arb(10) ** -digits
    return bool(small) and certificate.norm_lower_bound.is_zero()


def project_feasible(
    problem: Problem, tau: Tau, enclosed: arb, values: dict[int, fmpq], bound: Sequence[int]
) -> Affine:
    """Return u + tau*v in [0, tau_i] with sum y u = sum y v = 0, near the given values.

    A value at tau_i becomes u = 0, v = the weight of the point. The remaining difference between the classes
    is assigned to the point furthest from its bounds. If that point cannot take it, the heavier class is
    scaled down first.
    """
    y, weights, zero = problem.signs, problem.weights, fmpq(0)

    def vector(numbers: dict[int, fmpq]) -> np.ndarray:
        found = object_vector([zero] * problem.m)
        for i, number in numbers.items():
            found[i] = number
        return found

    least = tau.exact if tau.exact is not None else midpoint(enclosed.lower())
    width = zero if tau.exact is not None else midpoint(enclosed.upper()) - least
    tiny = fmpq(1, 2 ** (ctx.prec // 2))  # rounding error of a value that is 0 or at its bound
    top = {i: least * weights[i] for i in sorted({*values, *bound})}  # the other points have a = 0
    x = {i: min(max(values.get(i, zero), zero), t) for i, t in top.items()}
    for i, t in top.items():
        x[i] = zero if x[i] < t * tiny else t if x[i] > t * (1 - tiny) else x[i]
    x |= {i: top[i] for i in bound}
    for _ in range(2):
        u = vector({i: zero if x[i] >= t else x[i] for i, t in top.items()})
        v = vector({i: weights[i] if x[i] >= t else zero for i, t in top.items()})
        off_u, off_v = (sum((y[i] * part[i] for i in top), zero) for part in (u, v))
        if off_u == off_v == 0:
            return Affine(u, v, tau)
        excess = off_u + off_v * least
        distances = {i: min(x[i], t - x[i]) for i, t in top.items()}
        j = max(distances, key=lambda i: distances[i])
        if 2 * (abs(excess) + abs(off_v) * width) < distances[j]:
            u[j] -= y[j] * off_u
            v[j] -= y[j] * off_v
            return Affine(u, v, tau)
        heavy = 1 if excess > 0 else -1
        total = sum((x[i] for i in top if y[i] == heavy), zero)
        keep = 1 - abs(excess) / total
        x = {i: value * keep if y[i] == heavy else value for i, value in x.items()}
        if all(x[i] < t for i, t in top.items()):
            return tau.affine(vector(x))
    return tau.affine(vector(x) * (1 - tiny))  # balanced, and strictly inside the bounds
