"""Level gap: a bound of the duality gap P - D, hence of ||w - w*|| <= sqrt(P - D), for any dual variables.

The dual variables are projected exactly into the feasible set. The bound holds whatever the solver, and for
degenerate problems too. See ``dual`` for the units.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil

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
    y, m, weights = problem.signs, problem.m, problem.weights
    least = tau.exact if tau.exact is not None else midpoint(enclosed.lower())
    width = fmpq(0) if tau.exact is not None else midpoint(enclosed.upper()) - least
    top = [least * weight for weight in weights]
    tiny = fmpq(1, 2 ** (ctx.prec // 2))  # rounding error of a value that is 0 or at its bound
    x = [min(max(values.get(i, fmpq(0)), fmpq(0)), top[i]) for i in range(m)]
    x = [
        fmpq(0) if value < t * tiny else t if value > t * (1 - tiny) else value
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
        distances = [min(value, t - value) for value, t in zip(x, top, strict=True)]
        j = max(range(m), key=lambda i: distances[i])
        if 2 * (abs(excess) + abs(off.q) * width) < distances[j]:
            a.p[j] -= y[j] * off.p
            a.q[j] -= y[j] * off.q
            return a
        heavy = 1 if excess > 0 else -1
        total = sum((value for value, label in zip(x, y, strict=True) if label == heavy), fmpq(0))
        keep = 1 - abs(excess) / total
        x = [value * keep if label == heavy else value for value, label in zip(x, y, strict=True)]
        if all(value < t for value, t in zip(x, top, strict=True)):
            return tau.affine(object_vector(x))
    return tau.affine(object_vector(x) * (1 - tiny))  # balanced, and strictly inside the bounds
