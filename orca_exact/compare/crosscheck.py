"""How right is somebody else's implementation, and if it is wrong, where?

Digits of agreement (LRE) are -log10(max |x - c| / scale): the scale is sqrt(K_ii K_jj) for the Gram matrix,
max alpha for alpha, ||w|| for w and the c_k, max(1, |b|) for b, ||h||^2 for itself and 1 for indices.

Attainable digits are -log10(u d (n+1)^2 kappa), u = 2^-53: a kernel value cannot be had better than
u d (n+1)^2 (its argument is rounded, and Markov's inequality bounds the slope), and kappa is the problem's
condition for that quantity (``condition.condition``).

The rule: what a formula gives (Gram matrix; c_k from its own alpha; indices from its own c_k) must reach 10
digits, what a solver gives (alpha, b, and everything compared to the optimum) 4, or two fewer than attainable
where that is less: libsvm caches its kernel in single precision and cannot do much better. Every comparison
must pass. Below one digit nothing can be judged: UNDECIDED. T_eps and N* are judged by the program's own
spectrum, and against the optimum wherever rounding cannot decide them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from math import inf, log10
from typing import Any

from flint import arb, fmpq

from ..arithmetic import arithmetic
from ..errors import BadInput, BadParameter, OrcaError
from ..number import QQ, precision, real
from ..outcomes import FAILS, HOLDS, UNDECIDED
from ..profile.indices import INDICES, Summary
from ..svm.certify import certify
from .agreement import DIGITS, Line, Number, Numbers, Value, agreement, ball, digits_of, settled, square_sum
from .bugs import likely_bugs
from .pipeline import STAGES, Pipeline
from .reference import MAX_COEFFICIENTS, Reference
from .result import Result
from .stages import SOLVED, gap_digits, stages

FORMULA, SOLVER, SLACK = 10.0, 4.0, 2.0
BITS = 53


@dataclass(frozen=True)
class Report:
    """What was compared, the verdict, the stage at fault and the bugs that would explain it."""

    id: str
    outcome: str
    lines: tuple[Line, ...] = ()
    stage: str | None = None
    bugs: tuple[type[Pipeline], ...] = ()
    notes: tuple[str, ...] = ()
    failure: str | None = None  # the program gave no result: why
    certificate: dict[str, Any] = field(default_factory=dict)

    @property
    def failed(self) -> list[Line]:
        """The comparisons that fail."""
        return [line for line in self.lines if line.fails]

    def to_json(self) -> dict[str, Any]:
        """As ``crosscheck --format json`` writes it."""
        show = lambda x: round(x, 1) if -inf < x < inf else None  # noqa: E731
        return {
            "id": self.id,
            "outcome": self.outcome,
            "stage": self.stage,
            "likely_bugs": [{"name": bug.name, "stage": bug.stage, "means": bug.means} for bug in self.bugs],
            "failure": self.failure,
            "notes": list(self.notes),
            "certificate": self.certificate,
            "lines": [
                {"quantity": x.quantity, "from": x.source, "stage": x.stage, "digits": show(x.digits),
                 "attainable": show(x.attainable), "needed": show(x.needed),
                 "passes": x.passes and not x.hopeless,
                 "where": x.where}
                for x in self.lines
            ],
        }  # fmt: skip

    def __str__(self) -> str:
        text = f"{self.id}: {self.outcome}"
        if self.failure:
            return f"{text}: {self.failure}"
        for line in self.failed[:6]:
            digits = "no digits" if line.digits <= 0 else f"{line.digits:.1f} digits"
            text += f"\n  {line.quantity} against {line.source}: {digits}, {line.needed:.1f} needed"
            text += f" (worst at {line.where})" if line.where else ""
        if self.stage:
            text += f"\n  stage at fault: {self.stage}"
        for bug in self.bugs[:3]:
            text += f"\n  likely bug: {bug.name}: {bug.means}"
        return "\n  ".join([text, *self.notes])


class Rule:
    """Digits needed and attainable for one problem."""

    def __init__(
        self, reference: Reference, formula: float = FORMULA, solver: float = SOLVER, bits: float = BITS
    ):
        self.check(formula, solver, bits)
        self.formula, self.solver = formula, solver
        self.kappa = reference.condition
        self.base = bits * log10(2) - log10(self.kappa["gram"])

    @staticmethod
    def check(formula: float = FORMULA, solver: float = SOLVER, bits: float = BITS) -> None:
        """BadParameter where nothing would be asked for."""
        for name, x in (("--formula-digits", formula), ("--solver-digits", solver), ("--bits", bits)):
            if not x > 0:
                raise BadParameter(name, x, "is not positive", "with nothing asked for, anything would pass")

    def attainable(self, kind: str) -> float:
        """Digits that ``bits`` bits can deliver of a kind of quantity."""
        if kind == "squares":
            return self.base
        factor = {"gram": 1.0, "okc": 2 * self.kappa["coefficients"]}.get(kind) or self.kappa[kind]
        return self.base - log10(max(factor, 1.0))

    def formula_needs(self, kind: str) -> tuple[float, float]:
        """Digits needed of what a formula gives, and digits attainable."""
        best = self.attainable(kind)
        return min(self.formula, best - SLACK), best

    def solver_needs(self, kind: str) -> tuple[float, float]:
        """Digits needed of what a solver gives, and digits attainable."""
        best = self.attainable(kind)
        return min(self.solver, best - SLACK), best


def crosscheck(reference: Reference, result: Result | Any, diagnose: bool = True, **rule: float) -> Report:
    """Compare a result (or its JSON) to a reference; ``rule``: formula, solver (digits) and bits."""
    judge = Rule(reference, **rule)
    try:
        result = result if isinstance(result, Result) else Result.from_json(result)
        if result.id != reference.id:
            raise BadInput(f"id: {result.id!r} answers another problem than {reference.id!r}; echo the id")
    except OrcaError as error:
        return Report(reference.id, FAILS, stage="format", failure=str(error))
    if result.skipped is not None:
        return Report(reference.id, UNDECIDED, notes=(f"skipped by the program: {result.skipped[:200]}",))
    if result.is_empty:
        return Report(reference.id, UNDECIDED, notes=("nothing to compare: give alpha, coefficients or okc",))
    norm2 = ball(reference.norm2)
    if not (norm2.is_zero() or 0 < norm2 < inf):
        why = "the reference does not tell ||h||^2 from 0; make it with more digits"
        return Report(reference.id, UNDECIDED, notes=(why,))
    try:
        lines = tuple(_lines(reference, result, judge))
    except (OrcaError, ArithmeticError, ValueError) as error:  # numbers beyond any arithmetic
        return Report(reference.id, FAILS, stage="format", failure=f"cannot be compared: {str(error)[:200]}")
    facts = _gap(reference, result.alpha)
    if any(line.fails for line in lines):
        bugs = tuple(likely_bugs(reference.problem, result, judge.formula_needs)) if diagnose else ()
        stage, notes = _blame(result, lines, bugs)
        return Report(reference.id, FAILS, lines, stage, bugs, notes, certificate=facts)
    hopeless = sorted({line.quantity for line in lines if line.hopeless})
    notes = (f"the condition leaves no digits to compare: {', '.join(hopeless)}",) if hopeless else ()
    outcome = UNDECIDED if hopeless or not lines else HOLDS
    return Report(reference.id, outcome, lines, notes=notes, certificate=facts)


def _blame(
    result: Result, lines: Iterable[Line], bugs: Sequence[type[Pipeline]]
) -> tuple[str, tuple[str, ...]]:
    """The stage at fault, and what to know about it."""
    stage = min((line.stage for line in lines if line.fails), key=STAGES.index)
    alone = result.alpha is None and result.gram is None  # what is upstream is not known
    if bugs and (stage == "solver" or alone or STAGES.index(bugs[0].stage) <= STAGES.index(stage)):
        return bugs[0].stage, ()
    if stage == "solver" and result.gram is None:
        return stage, ("no Gram matrix was given: basis or Gram may be at fault as well as the solver",)
    if result.alpha is None and result.coefficients is None:
        why = "neither alpha nor coefficients were given: the stage cannot be told from the indices"
        return stage, (why,)
    return stage, ()


def _gap(reference: Reference, alpha: list[fmpq] | None) -> dict[str, Any]:
    """The certificate's own view of alpha: rigorous, whatever the reference says."""
    if alpha is None or reference.dual is not None or len(alpha) != reference.problem.m:
        return {}
    try:
        certificate = certify(reference.problem, alpha, level="gap")
    except (OrcaError, ArithmeticError, ValueError):
        return {}
    words = {} if certificate.digits else {"w": certificate.accuracy}
    return {"gap": f"{float(certificate.gap):.3g}", "digits_of_w": certificate.digits} | words


def _lines(reference: Reference, result: Result, rule: Rule) -> Iterator[Line]:
    """Each stage from its own previous one, then everything against the reference."""
    truth, alpha = Pipeline(reference.problem, arithmetic("ball", DIGITS)), result.alpha
    yield from stages(result, truth, rule.formula_needs)
    if alpha is not None and len(alpha) != reference.problem.m:
        return
    if reference.dual is None:
        if alpha is not None:
            yield from _judge_alpha(reference, alpha, truth, rule)
        if result.b is not None and reference.b is not None:
            yield _judge_b(reference.b, result.b, rule)
    elif alpha is not None:
        digits, where = agreement(alpha, list(reference.dual), max(map(abs, reference.dual)))
        yield Line("alpha", "the given ones", "solver", digits, *rule.formula_needs("gram"), where)
    yield from _judge_w(reference, result, rule)


def _judge_alpha(reference: Reference, alpha: list[fmpq], truth: Pipeline, rule: Rule) -> Iterator[Line]:
    """Feasible, the same w, and (where it is the only one) the same alpha."""
    problem, C = reference.problem, reference.problem.C
    outside = max([fmpq(0), *(-a for a in alpha), *(a - C for a in alpha)]) / C
    balance = abs(sum((a * label for a, label in zip(alpha, problem.y, strict=True)), fmpq(0)))
    balance = balance / max(sum((abs(a) for a in alpha), fmpq(0)), C)
    with precision(DIGITS):
        digits = digits_of(arb(max(outside, balance)))
    yield Line("alpha", "its constraints", "solver", digits, *rule.solver_needs("gram"))
    distance, norm = _distance(reference, alpha, truth)
    if distance is not None:
        with precision(DIGITS):
            digits = digits_of(distance if norm.is_zero() else distance / norm)
        yield Line("w", "the optimum", "solver", digits, *rule.solver_needs("w"))
    if reference.okc is None or distance is None:  # w = 0, or not comparable: the gap decides
        digits = gap_digits(truth.gram, problem.y, float(arb(C)), alpha)
        yield Line("alpha", "the duality gap", "solver", digits, SOLVED)
    if reference.alpha_unique and reference.alpha is not None:
        top = max((ball(x) for x in reference.alpha), key=float)
        digits, where = agreement(alpha, reference.alpha, top)
        yield Line("alpha", "the optimum", "solver", digits, *rule.solver_needs("alpha"), where)


def _distance(reference: Reference, alpha: list[fmpq], truth: Pipeline) -> tuple[arb | None, arb]:
    """||w(alpha) - w*|| and ||w*||, by the coefficients, or by the Gram matrix where they are too many."""
    with precision(DIGITS):
        norm = ball(reference.norm2).sqrt()
        if reference.coefficients is not None and reference.problem.modes <= MAX_COEFFICIENTS:
            c = truth.coefficients(alpha, None)
            square = square_sum(x - ball(reference.coefficients.get(k, fmpq(0))) for k, x in c.items())
        elif reference.alpha is not None:
            triples = zip(alpha, reference.alpha, reference.problem.y, strict=True)
            s = [(a - ball(x)) * label for a, x, label in triples]
            K = truth.gram
            square = sum(
                (s[i] * sum((K[i][j] * s[j] for j in range(len(s))), arb(0)) for i in range(len(s))), arb(0)
            )
        else:
            return None, norm
        upper = arb(square.upper())
        if upper < 0 or not upper.is_finite():  # a square is neither
            return arb(inf), norm
        return upper.sqrt(), norm


def _judge_b(interval: tuple[Value, Value], b: fmpq, rule: Rule) -> Line:
    """b, in the interval of the optimal ones."""
    with precision(DIGITS):
        low, high = (ball(end) for end in interval)
        scale = max(1.0, abs(float(low)), abs(float(high)))
        digits = min(digits_of(short / scale) for short in (low - b, b - high))
    source = "the optimum" if interval[0] is interval[1] else "the optimal interval"
    return Line("b", source, "solver", digits, *rule.solver_needs("b"))


def _judge_w(reference: Reference, result: Result, rule: Rule) -> Iterator[Line]:
    """Everything that w decides, against the optimum (or the given dual variables)."""
    given = reference.dual is not None
    source, needs = ("the given alpha", rule.formula_needs) if given else ("the optimum", rule.solver_needs)
    kind = "coefficients" if given else "w"

    def line(
        quantity: str, own: Numbers, expected: Numbers, scale: Number = 1, label: Callable[..., str] = str
    ) -> Line:
        digits, where = agreement(own, expected, scale, label=label)
        # with nothing upstream given, only the solver can be asked; else the earlier stage shows first
        stage = "coefficients" if quantity == "coefficients" else "aggregation"
        return Line(quantity, source, stage, digits, *needs(kind), where)

    with precision(DIGITS):
        norm2 = ball(reference.norm2)
        square, norm = (norm2, norm2.sqrt()) if norm2 > 0 else (1, 1)
    if result.norm2 is not None:
        yield line("norm2", result.norm2, reference.norm2, square)
    if result.coefficients is not None and reference.coefficients is not None:
        known = reference.coefficients
        own = {k: result.coefficients.get(k, fmpq(0)) for k in known} | result.coefficients
        yield line("coefficients", own, known or dict.fromkeys(own, fmpq(0)), norm)
    if reference.okc is None:
        if result.okc:
            yield settled("okc", "w = 0", "aggregation", False, "indices given where they are 0/0")
        return
    if result.undefined:
        yield settled("okc", source, "aggregation", False, "null, but w is not 0")
    if result.okc is None:
        return
    for name, family in result.okc.table.items():
        if name in reference.okc.table:
            yield line(f"okc.{name}", family, reference.okc.family(name), label=INDICES[name].labelled)
    yield from _judge_summaries(reference, reference.okc.degree, result.okc.stated, source, needs(kind))


def _judge_summaries(
    reference: Reference, spectrum: list[Value], stated: Summary, source: str, needs: tuple[float, float]
) -> Iterator[Line]:
    """N* and T_eps against the optimum: any that rounding beyond the digits needed could give."""
    needed, attainable = needs
    tolerance = 10.0 ** -max(needed, 0.0)
    with precision(DIGITS):
        balls = [ball(x) for x in spectrum]
        degree, F = [float(x) for x in balls], [float(x) for x in accumulate(balls)]

    def line(quantity: str, right: bool, N: int, where: str) -> Line:
        if needed < 1 and 0 <= N < len(degree):  # any would do
            return Line(quantity, source, "aggregation", 0, needed, attainable, where)
        return settled(quantity, source, "aggregation", right, where)

    if isinstance(N := stated.peak, int):
        possible = {M for M, x in enumerate(degree) if x >= max(degree) - 2 * tolerance}
        yield line("okc.peak", N in possible | set(reference.peaks), N, str(N))
    for eps, T in stated.threshold.items():
        if isinstance(T, int):
            level = real(1 - QQ(eps))
            reached = 0 <= T < len(F) and F[T] >= level - tolerance
            right = reached and (T == 0 or F[T - 1] < level + tolerance)
            yield line("okc.threshold", right, T, f"T_{eps} = {T}")
