"""Comparison of each stage of a program with its recomputation from the program's own previous stage."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import floor, inf, log10
from typing import Any

import numpy as np
from flint import arb, fmpq

from ..numbers.rationals import precision_digits
from ..profile.index import Mode
from ..profile.indices import INDICES, IndexTable, Summary
from ..profile.profile import orca
from ..svm.certificate import Solution
from ..svm.dual import best_b
from .comparison import (
    COMPARISON_DIGITS,
    ComparedNumber,
    Comparison,
    Numbers,
    compare_digits,
    compare_exactly,
    sum_of_squares,
    to_ball,
    to_rational,
)
from .pipeline import Pipeline
from .result import Result, ResultNumber

_NOISE = 1e-5  # a ||w|| below this multiple of sum alpha_i sqrt(K_ii) may be an error of the solver
MOST_SHARE_DIGITS = 10_000  # of shares from which N* and T_eps are compared
MIN_GAP_DIGITS = (
    1.5  # digits of w that the duality gap of alpha must prove, for its own or a suspected Gram matrix
)
OWN_COEFFICIENTS, OWN_ALPHA = "its own coefficients", "its own alpha"

Needs = Callable[[str], tuple[float, float]]  # kind of quantity -> (digits needed, digits attainable)


def compare_stages(result: Result, pipe: Pipeline, needs: Needs, solve: bool = False) -> Iterator[Comparison]:
    """Yield every comparison that the result allows.

    If ``solve`` is true and the result has no alpha, the pipeline solves for one.
    """
    problem, stages = pipe.problem, StageComparison(result, pipe, needs)
    gram = list(stages.gram())
    yield from gram
    if result.alpha is not None and len(result.alpha) != problem.m:
        where = f"{len(result.alpha)} instead of {problem.m} values"
        yield compare_exactly("alpha", "its length", "solver", False, where)
        return
    alpha = None if result.alpha is None else pipe.true_alpha(result.alpha)
    b = None if result.b is None else pipe.true_b(result.b)
    if alpha is not None and (pipe.is_bug or any(not line.passes for line in gram)):
        yield stages.alpha(alpha)  # for a correct Gram matrix the comparison with the optimum is sharper
    yield from stages.without_degrees()
    if not pipe.lists_parts:
        yield from stages.by_generating_function()
        return
    if solve and alpha is None:
        alpha, b = pipe.solution[0], b if b is not None else pipe.solution[1]
    if pipe.is_bug and alpha is not None and result.b is not None and b is not None and pipe.dual is None:
        yield stages.bias(alpha, b)
    c: Mapping[Mode, ComparedNumber] | None = None if alpha is None else pipe.coefficients(alpha, b)
    source = "this solution" if result.alpha is None else OWN_ALPHA
    if not pipe.is_orthogonal and alpha is not None:
        yield from stages.form(alpha, source)
    if result.coefficients is not None and stages.has_degrees:
        if c is not None and alpha is not None:
            yield stages.coefficients(c, alpha, source)
        c, source = result.coefficients, OWN_COEFFICIENTS
        if any(len(k) != problem.d for k in result.coefficients):
            yield compare_exactly(
                "coefficients", "their keys", "coefficients", False, f"not {problem.d} degrees in each"
            )
            return
    if c is not None:
        yield from stages.aggregation(c, source)
    yield from stages.summaries()


@dataclass(frozen=True)
class StageComparison:
    """A result, the pipeline that it is compared with, and the digits needed for each kind of quantity."""

    result: Result
    pipe: Pipeline
    needs: Needs

    def line(
        self, quantity: str, source: str, stage: str, own: Numbers, expected: Numbers,
        scale: ComparedNumber | Mapping[Any, Any], kind: str, label: Callable[..., str] = str,
    ) -> Comparison:  # fmt: skip
        """Compare one quantity; for a bug, missing numbers count as 0 and fewer digits may suffice."""
        needed, attainable = self.needs(kind)
        loose, kinds = self.pipe.needed_digits, self.pipe.needed_digits_kinds
        needs = needed if loose is None or kind not in (kinds or [kind]) else min(needed, loose), attainable
        return compare_digits(quantity, source, stage, own, expected, scale, needs, label, self.pipe.is_bug)

    def gram(self) -> Iterator[Comparison]:
        """Compare the Gram matrix with that of the points."""
        own, m = self.result.gram, self.pipe.problem.m
        if own is None:
            return
        if {len(row) for row in own} | {len(own)} != {m}:
            yield compare_exactly("gram", "the points", "Gram", False, f"not a {m} x {m} matrix")
            return
        with precision_digits(COMPARISON_DIGITS):
            constant, root = self.pipe.model.kernel.dropped_constant, self.pipe.sizes
            size = arb(abs(constant))
            scale = {(i, j): p * q + size for i, p in enumerate(root) for j, q in enumerate(root)}
            expected = self.pipe.gram + self.pipe.A(constant) if constant else self.pipe.gram
        yield self.line("gram", "the points", "Gram", own, expected, scale, "gram")

    def alpha(self, alpha: Sequence[ResultNumber]) -> Comparison:
        """Compare alpha with the given dual variables, or bound the error of w by its duality gap.

        The gap is that of the program's Gram matrix, or the reference program's if the program gives none.
        """
        if self.pipe.dual is not None:
            scale = max(map(abs, self.pipe.dual)) or 1
            return self.line("alpha", "the given alpha", "solver", alpha, self.pipe.dual, scale, "gram")
        K, source = self._kernel()
        off, needed = 1e-6, MIN_GAP_DIGITS
        if self.pipe.needed_digits is not None:
            off, needed = 10.0**-self.pipe.needed_digits, min(MIN_GAP_DIGITS, self.pipe.needed_digits / 2)
        digits = gap_digits(K, self.pipe.problem.y, self.pipe.bounds, alpha, off)
        return Comparison("alpha", source, "solver", digits, needed)

    def _kernel(self) -> tuple[Sequence[Any] | np.ndarray, str]:
        own = self.result.gram
        return (self.pipe.gram, "this Gram matrix") if own is None else (own, "its own Gram matrix")

    def bias(self, alpha: Sequence[ResultNumber], b: ResultNumber) -> Comparison:
        """Compare b with the optimal interval for alpha."""
        K, source = self._kernel()
        y = self.pipe.problem.y
        s = [float(to_ball(a)) * label for a, label in zip(alpha, y, strict=True)]
        f = [sum(float(to_ball(x)) * z for x, z in zip(row, s, strict=True)) for row in K]
        low, high = self.pipe.optimal_b(f)
        short = max(low - float(to_ball(b)), float(to_ball(b)) - high, 0.0) / max(1.0, abs(low), abs(high))
        return Comparison("b", source, "solver", -log10(max(short, 1e-30)), 1.0)

    def coefficients(
        self, c: Mapping[Mode, ComparedNumber], alpha: Sequence[ResultNumber], source: str
    ) -> Comparison:
        """Compare the c_k with those of alpha."""
        given = self.result.coefficients or {}
        own = {k: given.get(k, fmpq(0)) for k in c} | given
        return self.line("coefficients", source, "coefficients", own, c, self.size(c, alpha), "coefficients")

    def size(self, c: Mapping[Mode, ComparedNumber], alpha: Sequence[ResultNumber]) -> arb:
        """Return ||w||, or sum alpha_i sqrt(K_ii) if ||w|| is no more than a rounding error of that sum."""
        with precision_digits(COMPARISON_DIGITS):
            norm, spread = sum_of_squares(c.values()), self._spread(alpha)
            if norm > _NOISE * spread * _NOISE * spread:
                return norm.sqrt()
            return spread if spread > 0 else arb(1)

    def _spread(self, alpha: Sequence[ResultNumber]) -> arb:
        """Return sum |alpha_i| sqrt(K_ii)."""
        pairs = zip(alpha, self.pipe.sizes, strict=True)
        return sum((abs(to_ball(a)) * root for a, root in pairs), arb(0))

    def aggregation(self, c: Mapping[Mode, ComparedNumber], source: str) -> Iterator[Comparison]:
        """Compare the indices and, for orthogonal polynomials, ||h||^2 with those of the c_k."""
        expected = self.pipe.indices(c)
        if expected is not None:
            indices, norm2 = expected
            kind = "squares" if source == OWN_COEFFICIENTS else "okc"
            if self.result.norm2 is not None and self.pipe.is_orthogonal:
                yield self.line("norm2", source, "aggregation", self.result.norm2, norm2, norm2, kind)
            yield from self.families(indices, source, kind)
        elif self.result.okc and all(to_ball(x).is_zero() for x in c.values()):
            yield compare_exactly("okc", source, "aggregation", False, "indices are given although w = 0")
        elif self.result.okc:  # balls around 0
            yield compare_exactly("okc", source, "aggregation", None, "whether w = 0 is undecided")

    def families(self, expected: IndexTable[Any], source: str, kind: str) -> Iterator[Comparison]:
        """Compare every given index."""
        for name, family in (self.result.okc.table if self.result.okc else {}).items():
            if self.has_degrees or not INDICES[name].by_degree:
                yield self.line(
                    f"okc.{name}", source, "aggregation", family, expected.family(name), 1, kind,
                    INDICES[name].label_of,
                )  # fmt: skip

    @property
    def has_degrees(self) -> bool:
        """Whether the kernel has modes and indices by degree."""
        return self.pipe.problem.kernel.top_degree is not None

    def without_degrees(self) -> Iterator[Comparison]:
        """Reject coefficients and indices by degree if the kernel has none."""
        if self.has_degrees:
            return
        okc, why = self.result.okc, "the kernel has no degrees; leave it out"
        given = [f"okc.{name}" for name in (okc.table if okc else {}) if INDICES[name].by_degree]
        if okc and okc.stated_summary != Summary():
            given.append("okc.peak, okc.threshold")
        given += ["coefficients"] * bool(self.result.coefficients)
        for quantity in given:
            yield compare_exactly(quantity, "the kernel", "format", False, why)

    def form(self, alpha: Sequence[ResultNumber], source: str) -> Iterator[Comparison]:
        """Compare ||h||^2 with s^T K s."""
        if self.result.norm2 is None:
            return
        with precision_digits(COMPARISON_DIGITS):
            expected, spread = self.pipe.form(alpha), self._spread(alpha)
            noise = not expected > _NOISE * spread * _NOISE * spread
            scale = (spread * spread if spread > 0 else arb(1)) if noise else expected
        yield self.line("norm2", source, "aggregation", self.result.norm2, expected, scale, "norm2")

    def summaries(self) -> Iterator[Comparison]:
        """Compare N* and T_eps with those of the program's own OKC_N.

        A program may compute them from better shares than it writes. So every answer is right that shares
        within the digits needed give; only a bug must give the very answer.
        """
        okc, slack, source = self.result.okc, self.result.share_error, "its own OKC_N"
        if okc is None or not okc.table.get("degree"):
            return
        if not self.pipe.is_bug:
            slack += len(okc.degree) * fmpq(10) ** -floor(min(self.needs("okc")[0], MOST_SHARE_DIGITS))
        if isinstance(N := okc.stated_summary.peak, int):
            best = {self.pipe.written_peak(best) for best in self.pipe.peaks(okc.degree, slack)}
            yield compare_exactly("okc.peak", source, "aggregation", N in best, "N*", str(N), join_or(best))
        for eps, T in okc.stated_summary.threshold.items():
            if isinstance(T, int):
                best = self.pipe.thresholds(okc.degree, eps, slack)
                found = T in best, f"T_{eps}", str(T), join_or(best)
                yield compare_exactly("okc.threshold", source, "aggregation", *found)

    def by_generating_function(self) -> Iterator[Comparison]:
        """Compare the indices with those of alpha by the generating function, if the modes are too many."""
        alpha, problem = self.result.alpha, self.pipe.problem
        if alpha is not None and self.result.okc and any(alpha):
            model = problem if self.pipe.is_orthogonal else self.pipe.model
            s = tuple(map(to_rational, self.pipe.true_alpha(alpha)))
            name = "float" if self.pipe.is_bug else "ball"
            profile = orca(model, Solution(model, s), name, 30)
            yield from self.families(profile, OWN_ALPHA, "okc")
            if not self.pipe.is_orthogonal:
                yield from self.form(s, OWN_ALPHA)


def join_or(values: Iterable[int]) -> str:
    """Join integers: '1', '1 or 2'."""
    return " or ".join(map(str, sorted(values)))


@np.errstate(all="ignore")  # an overflow leaves no digits
def gap_digits(
    gram: Sequence[Any] | np.ndarray, y: Sequence[int], bounds: Sequence[fmpq], alpha: Sequence[ResultNumber],
    off: float = 1e-6,
) -> float:  # fmt: skip
    """Estimate in float64 the digits of w that the duality gap of alpha guarantees for a Gram matrix.

    The primal value is the least of t g for several t, since for a large C the losses of g itself are large
    however small its errors are.

    ``bounds`` are the C_i; ``off`` is the relative error that alpha may have in its constraints.
    """
    K = np.array([[float(arb(x)) if isinstance(x, fmpq) else float(x) for x in row] for row in gram])
    a, C, signs = (np.array([float(arb(x)) for x in part]) for part in (alpha, bounds, y))
    if K.shape != (len(y), len(y)) or len(a) != len(y) or not all(np.isfinite(x).all() for x in (K, a)):
        return -inf
    outside = max(0.0, float(-a.min()), float((a - C).max()))
    if not (outside <= off * np.abs(a).max() and abs(signs @ a) <= off * (a.sum() + 1e-300)):
        return 0.0
    a = np.clip(a, 0, C)
    s = signs * a
    f = K @ s
    low, high = best_b(list(f), y, bounds)
    margins, norm = signs * (f + (low + high) / 2), s @ f
    stretched = np.concatenate([[1.0], 1 / margins[margins > 0.5]])  # t g: each bounds the optimum
    losses = np.maximum(0, 1 - np.outer(stretched, margins)) @ C
    gap = float(np.min(norm * stretched**2 / 2 + losses)) - (a.sum() - norm / 2)
    scale = norm if norm > 1e-14 * a.sum() else a.sum()
    if not (0 < scale < inf and abs(gap) < inf):
        return 0.0
    return -log10(max(abs(gap) / scale, 1e-30)) / 2
