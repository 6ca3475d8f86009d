"""Comparison of a result with the optimum, or with the values of given dual variables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import inf

from flint import arb, fmpq

from ..errors import OrcaError
from ..numbers.rationals import QQ, correct_digits, is_less, precision_digits, to_float
from ..profile.indices import INDICES, Indices
from ..svm.certificate import Certificate
from ..svm.certify import certify
from .comparison import (
    COMPARISON_DIGITS,
    ComparedValue,
    Comparison,
    compare_digits,
    compare_exactly,
    format_number,
    sum_of_squares,
    to_ball,
    to_rational,
)
from .pipeline import Pipeline
from .reference import Reference
from .result import Result, ResultNumber
from .stages import join_or
from .tolerance import Tolerance

OPTIMUM = "the optimum"


def certify_gap(reference: Reference, alpha: Sequence[ResultNumber] | None) -> Certificate | None:
    """Certify the duality gap of alpha after an exact projection into the feasible set.

    Return None if no gap can be proved, or if the problem gives the dual variables.
    """
    if alpha is None or reference.dual is not None or len(alpha) != reference.problem.m:
        return None
    try:
        return certify(reference.problem, [to_rational(x) for x in alpha], level="gap")
    except (OrcaError, ArithmeticError, ValueError):
        return None


def compare_with_optimum(
    reference: Reference, result: Result, truth: Pipeline, rule: Tolerance, certificate: Certificate | None
) -> Iterator[Comparison]:
    """Yield every comparison with the reference; ``certificate`` is that of ``certify_gap``."""
    alpha = result.alpha
    if alpha is not None and len(alpha) != reference.problem.m:
        return
    if reference.dual is None:
        if alpha is not None:
            yield from _alpha(reference, alpha, truth, rule)
            yield _dual_value(reference, certificate, truth, rule)
        if result.b is not None and reference.b is not None:
            yield _bias(reference.b, result.b, rule)
    elif alpha is not None:
        scale, needs = max(map(abs, reference.dual)) or 1, rule.formula_digits("gram")
        yield compare_digits("alpha", "the given alpha", "solver", alpha, list(reference.dual), scale, needs)
    yield from _of_w(reference, result, truth, rule)


def _alpha(
    reference: Reference, alpha: Sequence[ResultNumber], truth: Pipeline, rule: Tolerance
) -> Iterator[Comparison]:
    """Compare the constraints, w and, if it is unique, alpha itself."""
    yield _constraints(reference, alpha, rule)
    distance, norm = _distance(reference, alpha, truth)
    if distance is not None:
        with precision_digits(COMPARISON_DIGITS):
            digits = correct_digits(distance if norm.is_zero() else distance / norm)
        yield Comparison("w", OPTIMUM, "solver", digits, *rule.solver_digits("w"))
    if reference.alpha_unique and reference.alpha is not None:
        top = max((to_ball(x) for x in reference.alpha), key=float)
        needs, place = rule.solver_digits("alpha"), lambda i: f"alpha_{i + 1}"
        yield compare_digits("alpha", OPTIMUM, "solver", alpha, reference.alpha, top, needs, place)


def _constraints(reference: Reference, alpha: Sequence[ResultNumber], rule: Tolerance) -> Comparison:
    """Compare alpha with 0 <= alpha_i <= C_i and sum alpha_i y_i = 0, relative to max |alpha_i|."""
    problem, size = reference.problem, max(abs(to_rational(a)) for a in alpha) or fmpq(1)
    with precision_digits(COMPARISON_DIGITS):
        balls = [to_ball(a) for a in alpha]
        total = sum((a * label for a, label in zip(balls, problem.y, strict=True)), arb(0))
        off = [(abs(total), "sum alpha_i y_i", format_number(total), "0")]
        for i, (a, C) in enumerate(zip(balls, problem.bounds, strict=True), 1):
            off += [(x, f"alpha_{i}", format_number(a), f"in [0, {format_number(C)}]") for x in (-a, a - C)]
        found = [(correct_digits(x / size), where, own, right) for x, where, own, right in off]
        digits, where, own, right = min(found)
    needs = rule.solver_digits("gram")
    return Comparison("alpha", "its constraints", "solver", digits, *needs, where, own, right)


def _distance(reference: Reference, alpha: Sequence[ResultNumber], truth: Pipeline) -> tuple[arb | None, arb]:
    """Return ||w(alpha) - w*|| and ||w*||, by the c_k or, if they are too many, by the Gram matrix."""
    with precision_digits(COMPARISON_DIGITS):
        norm = to_ball(reference.norm2).sqrt()
        if truth.is_orthogonal and reference.coefficients is not None and truth.lists_parts:
            c = truth.coefficients(alpha, None)
            square = sum_of_squares(x - to_ball(reference.coefficients.get(k, fmpq(0))) for k, x in c.items())
        elif reference.alpha is not None:
            triples = zip(alpha, reference.alpha, reference.problem.y, strict=True)
            s = [(a - to_ball(x)) * label for a, x, label in triples]
            scores = [sum((k * x for k, x in zip(row, s, strict=True)), arb(0)) for row in truth.gram]
            square = sum((x * f for x, f in zip(s, scores, strict=True)), arb(0))
        else:
            return None, norm
        upper = arb(square.upper())
        if upper < 0 or not upper.is_finite():  # impossible for a square: no bound is known
            return arb(inf), norm
        return upper.sqrt(), norm


def _dual_value(
    reference: Reference, certificate: Certificate | None, truth: Pipeline, rule: Tolerance
) -> Comparison:
    """Compare D = sum alpha_i - ||w||^2/2 of the projected alpha with the optimal value, which is unique."""
    best = _optimal_value(reference, truth)
    if certificate is None or best is None or not best > 0:
        why = "no value of D is proved for this alpha or for the optimum"
        return compare_exactly("D", OPTIMUM, "solver", None, why)
    with precision_digits(COMPARISON_DIGITS):
        own = sum(certificate.alpha(COMPARISON_DIGITS), arb(0)) - certificate.norm2 / 2
    return compare_digits("D", OPTIMUM, "solver", own, best, best, rule.solver_digits("w"))


def _optimal_value(reference: Reference, truth: Pipeline) -> arb | None:
    """Return D* = P*, from an optimal alpha, or from w* and an optimal b."""
    with precision_digits(COMPARISON_DIGITS):
        half = to_ball(reference.norm2) / 2
        if reference.alpha is not None:
            return sum(map(to_ball, reference.alpha), arb(0)) - half
        if not truth.is_orthogonal or reference.coefficients is None or reference.b is None:
            return None
        c = truth.A.elements(to_ball(reference.coefficients.get(k, fmpq(0))) for k in truth.modes)
        f = truth.A.matmul(c[None, :], truth.features)[0] + to_ball(reference.b[0])
        points = zip(f, reference.problem.y, reference.problem.bounds, strict=True)
        return half + sum(((1 - x * label).max(arb(0)) * C for x, label, C in points), arb(0))


def _bias(interval: tuple[ComparedValue, ComparedValue], b: ResultNumber, rule: Tolerance) -> Comparison:
    """Compare b with the interval of the optimal ones."""
    with precision_digits(COMPARISON_DIGITS):
        low, high = (to_ball(end) for end in interval)
        scale = max(1.0, abs(float(low)), abs(float(high)))
        digits = min(correct_digits(short / scale) for short in (low - b, b - high))
    point = interval[0] is interval[1]
    source = OPTIMUM if point else "the optimal interval"
    certified = format_number(low) if point else f"in [{format_number(low)}, {format_number(high)}]"
    return Comparison(
        "b", source, "solver", digits, *rule.solver_digits("b"), "", format_number(b), certified
    )


def _of_w(reference: Reference, result: Result, truth: Pipeline, rule: Tolerance) -> Iterator[Comparison]:
    """Compare everything that depends on w alone."""
    given = reference.dual is not None
    source = "the given alpha" if given else OPTIMUM
    needs = rule.formula_digits("coefficients") if given else rule.optimum_digits()
    with precision_digits(COMPARISON_DIGITS):
        norm2 = to_ball(reference.norm2)
        square, norm = (norm2, norm2.sqrt()) if norm2 > 0 else (1, 1)
    if result.norm2 is not None:
        own_needs = needs if truth.is_orthogonal else rule.solver_digits("w")
        own_needs = rule.formula_digits("norm2") if given and not truth.is_orthogonal else own_needs
        yield compare_digits("norm2", source, "aggregation", result.norm2, reference.norm2, square, own_needs)
    if result.coefficients is not None and reference.coefficients is not None:
        known = reference.coefficients
        if not truth.is_orthogonal and known:  # their sum of squares is not ||h||^2
            with precision_digits(COMPARISON_DIGITS):
                norm = sum_of_squares(known.values()).sqrt()
        own = {k: result.coefficients.get(k, fmpq(0)) for k in known} | result.coefficients
        expected = known or dict.fromkeys(own, fmpq(0))
        yield compare_digits("coefficients", source, "coefficients", own, expected, norm, needs)
    if reference.okc is None:
        if result.okc:
            yield compare_exactly("okc", "w = 0", "aggregation", False, "indices are given although w = 0")
        return
    if result.okc_is_null:
        yield compare_exactly("okc", source, "aggregation", False, "null although w is not 0")
    if result.okc is None:
        return
    for name, family in result.okc.table.items():
        if name in reference.okc.table:
            compared = family, reference.okc.family(name), 1, needs, INDICES[name].label_of
            yield compare_digits(f"okc.{name}", source, "aggregation", *compared)
    if reference.problem.kernel.top_degree is not None:
        yield from _summaries(reference.okc, result.okc, truth, source, needs[0])


def _summaries(
    okc: Indices[ComparedValue], own: Indices[ResultNumber], truth: Pipeline, source: str, needed: float
) -> Iterator[Comparison]:
    """Compare N* and T_eps with those that the certified enclosures allow.

    Another value is accepted only if errors within the tolerance could give it and the program's own OKC_N do
    give it.
    """
    with precision_digits(COMPARISON_DIGITS):
        degree = [to_ball(x) for x in okc.degree]
        F = list(accumulate(degree))
    tolerance = 10.0 ** -max(needed, 0.0)
    spectrum = list(own.table.get("degree", {}).values())

    def line(name: str, where: str, N: int, certified: set[int], near: bool, give: set[int]) -> Comparison:
        hopeless = needed < 1 and 0 <= N < len(degree)  # any value would pass
        unknown = near and not spectrum  # without its OKC_N, rounding and a bug cannot be distinguished
        right: bool | None = N in certified or (near and N in give)
        if hopeless or (not right and unknown):
            right = None
        return compare_exactly(name, source, "aggregation", right, where, str(N), join_or(certified))

    if isinstance(N := own.stated_summary.peak, int):
        best = max(float(x) for x in degree) - 2 * tolerance
        near = 0 <= N < len(degree) and float(degree[N]) >= best
        give = truth.peaks(spectrum) if spectrum else set()
        yield line("okc.peak", "N*", N, _allowed_peaks(okc, degree), near, give)
    for eps, T in own.stated_summary.threshold.items():
        if isinstance(T, int):
            level = to_float(1 - QQ(eps))
            reached = 0 <= T < len(F) and float(F[T]) >= level - tolerance
            near = reached and (T == 0 or float(F[T - 1]) < level + tolerance)
            give = truth.thresholds(spectrum, eps) if spectrum else set()
            yield line("okc.threshold", f"T_{eps}", T, _allowed_thresholds(okc, F, eps), near, give)


def _allowed_peaks(okc: Indices[ComparedValue], degree: list[arb]) -> set[int]:
    """Return the certified N* or, if it is undecided, every degree that the enclosures allow."""
    if isinstance(stated := okc.stated_summary.peak, int):
        return {stated}
    return {N for N, x in enumerate(degree) if not any(is_less(x, other) for other in degree)}


def _allowed_thresholds(okc: Indices[ComparedValue], F: list[arb], eps: str) -> set[int]:
    """Return the certified T_eps or, if it is undecided or not stated, all that the enclosures of F allow."""
    if isinstance(stated := okc.stated_summary.threshold.get(eps), int):
        return {stated}
    short = [is_less(x, 1 - QQ(eps)) for x in F[:-1]] + [False]  # F(dn) = 1
    first = next(T for T, is_short in enumerate(short) if not is_short)
    return set(range(first, short.index(False, first) + 1))
