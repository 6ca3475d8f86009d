"""How right is somebody else's implementation, and if it is wrong, where?

Digits of agreement (LRE) are -log10(max |x - c| / scale): the scale is sqrt(K_ii K_jj) for the Gram matrix,
max alpha for alpha, ||w|| for w and the c_k, max(1, |b|) for b, ||h||^2 for itself and 1 for indices.

Attainable digits are -log10(u d (n+1)^2 kappa), u = 2^-53: a kernel value cannot be had better than
u d (n+1)^2 (its argument is rounded, and Markov's inequality bounds the slope), and kappa is the problem's
condition for that quantity (``reference.condition``).

The rule: what a formula gives (Gram matrix; c_k from its own alpha; indices from its own c_k) must reach 10
digits, what a solver gives (alpha, b, and everything compared to the optimum) 4, or two fewer than attainable
where that is less: libsvm caches its kernel in single precision and cannot do much better. Every comparison
must pass. Below one digit nothing can be judged: UNDECIDED. T_eps and N* are judged by the program's own
spectrum, and against the optimum wherever rounding cannot decide them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf, log10
from typing import Any

from flint import arb, fmpq

from ..arithmetic import arithmetic
from ..errors import BadInput, BadParameter, OrcaError
from ..numbers import QQ, precision
from ..outcomes import FAILS, HOLDS, UNDECIDED
from ..problem import Problem
from .bugs import likely_bugs
from .reference import DIGITS, MAX_COEFFICIENTS, Reference, ball
from .result import Result
from .stages import SOLVED, STAGES, Line, Pipeline, agreement, digits_of, gap_digits, square_sum, stages

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
    certificate: dict = field(default_factory=dict)

    @property
    def failed(self) -> list[Line]:
        return [line for line in self.lines if line.fails]

    def to_json(self) -> dict:
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
        self, reference: Reference, formula: float = FORMULA, solver: float = SOLVER, bits: int = BITS
    ):
        self.check(formula, solver, bits)
        self.formula, self.solver = formula, solver
        self.kappa = reference.condition
        self.base = bits * log10(2) - log10(self.kappa["gram"])

    @staticmethod
    def check(formula: float = FORMULA, solver: float = SOLVER, bits: int = BITS) -> None:
        for name, x in (("--formula-digits", formula), ("--solver-digits", solver), ("--bits", bits)):
            if not x > 0:
                raise BadParameter(name, x, "is not positive", "with nothing asked for, anything would pass")

    def attainable(self, kind: str) -> float:
        if kind == "squares":
            return self.base
        factor = {"gram": 1.0, "okc": 2 * self.kappa["coefficients"]}.get(kind) or self.kappa[kind]
        return self.base - log10(max(factor, 1.0))

    def formula_needs(self, kind: str) -> tuple[float, float]:
        best = self.attainable(kind)
        return min(self.formula, best - SLACK), best

    def solver_needs(self, kind: str) -> tuple[float, float]:
        best = self.attainable(kind)
        return min(self.solver, best - SLACK), best


def crosscheck(reference: Reference, result: Result | Any, diagnose: bool = True, **rule: Any) -> Report:
    """Compare a result (or its JSON) to a reference; ``rule``: formula, solver (digits) and bits."""
    problem, judge = reference.problem, Rule(reference, **rule)
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
        lines, notes, facts = _compare(reference, result, judge)
    except (OrcaError, ArithmeticError, ValueError) as error:  # numbers beyond any arithmetic
        return Report(reference.id, FAILS, stage="format", failure=f"cannot be compared: {str(error)[:200]}")
    failed = [line for line in lines if line.fails]
    if not failed:
        hopeless = [line.quantity for line in lines if line.hopeless]
        if hopeless:
            notes.append(f"the condition leaves no digits to compare: {', '.join(sorted(set(hopeless)))}")
        outcome = UNDECIDED if hopeless or not lines else HOLDS
        return Report(reference.id, outcome, tuple(lines), notes=tuple(notes), certificate=facts)
    bugs = tuple(likely_bugs(problem, result, judge.formula_needs)) if diagnose else ()
    stage = min((line.stage for line in failed), key=STAGES.index)
    alone = result.alpha is None and result.gram is None  # what is upstream is not known
    if bugs and (stage == "solver" or alone or STAGES.index(bugs[0].stage) <= STAGES.index(stage)):
        stage = bugs[0].stage
    elif stage == "solver" and result.gram is None:
        notes.append("no Gram matrix was given: basis or Gram may be at fault as well as the solver")
    elif result.alpha is None and result.coefficients is None:
        notes.append("neither alpha nor coefficients were given: the stage cannot be told from the indices")
    return Report(reference.id, FAILS, tuple(lines), stage, bugs, tuple(notes), certificate=facts)


def _compare(reference: Reference, result: Result, rule: Rule) -> tuple[list[Line], list[str], dict]:
    problem = reference.problem
    truth = Pipeline(problem, arithmetic("ball", DIGITS))
    notes: list[str] = []
    lines = stages(problem, result, truth, rule.formula_needs)
    if any(line.quantity == "alpha" and line.where for line in lines):  # of another length
        return lines, notes, {}
    facts: dict = {}
    if reference.dual is not None:
        if result.alpha is not None:
            needed, best = rule.formula_needs("gram")
            digits, where = agreement(result.alpha, list(reference.dual), max(map(abs, reference.dual)))
            lines.append(Line("alpha", "the given ones", "solver", digits, needed, best, where))
    elif result.alpha is not None:
        lines += _judge_alpha(reference, result.alpha, truth, rule)
        facts = _gap(problem, result.alpha)
    if reference.dual is None and result.b is not None:
        lines += _judge_b(reference, result.b, rule)
    lines += _judge_w(reference, result, rule)
    return lines, notes, facts


def _gap(problem: Problem, alpha: list[fmpq]) -> dict:
    """The certificate's own view of alpha: rigorous, whatever the reference says."""
    from ..svm.certify import certify

    try:
        certificate = certify(problem, alpha, level="gap")
    except (OrcaError, ArithmeticError, ValueError):
        return {}
    return {"gap": f"{float(certificate.gap):.3g}", "digits_of_w": certificate.digits}


def _judge_alpha(reference: Reference, alpha: list[fmpq], truth: Pipeline, rule: Rule) -> list[Line]:
    """Feasible, the same w, and (where it is the only one) the same alpha."""
    problem, C = reference.problem, reference.problem.C
    with precision(DIGITS):
        outside = max([fmpq(0), *(-a for a in alpha), *(a - C for a in alpha)]) / C
        balance = abs(sum((a * label for a, label in zip(alpha, problem.y, strict=True)), fmpq(0)))
        balance = balance / max(sum((abs(a) for a in alpha), fmpq(0)), C)
        digits = digits_of(arb(max(outside, balance)))
    out = [Line("alpha", "its constraints", "solver", digits, *rule.solver_needs("gram"))]
    distance, norm = _distance(reference, alpha, truth)
    if distance is not None:
        with precision(DIGITS):
            digits = digits_of(distance if norm.is_zero() else distance / norm)
        out.append(Line("w", "the optimum", "solver", digits, *rule.solver_needs("w")))
    if reference.okc is None or distance is None:  # w = 0, or not comparable: the gap decides
        digits = gap_digits(truth.gram, problem.y, float(arb(C)), alpha)
        out.append(Line("alpha", "the duality gap", "solver", digits, SOLVED))
    if reference.alpha_unique and reference.alpha is not None:
        top = max((ball(x) for x in reference.alpha), key=float)
        digits, where = agreement(alpha, reference.alpha, top)
        out.append(Line("alpha", "the optimum", "solver", digits, *rule.solver_needs("alpha"), where))
    return out


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


def _judge_b(reference: Reference, b: fmpq, rule: Rule) -> list[Line]:
    if reference.b is None:
        return []
    with precision(DIGITS):
        low, high = ((None if end is None else ball(end)) for end in reference.b)
        beyond = ([] if low is None else [low - b]) + ([] if high is None else [b - high])
        scale = max([1.0] + [abs(float(end)) for end in (low, high) if end is not None])
        digits = min((digits_of(short / scale) for short in beyond), default=99.0)
    source = "the optimum" if reference.b[0] is reference.b[1] else "the optimal interval"
    return [Line("b", source, "solver", digits, *rule.solver_needs("b"))]


def _judge_w(reference: Reference, result: Result, rule: Rule) -> list[Line]:
    """Everything that w decides, against the optimum (or the given dual variables)."""
    given = reference.dual is not None
    source, needs = ("the given alpha", rule.formula_needs) if given else ("the optimum", rule.solver_needs)
    kind, out = ("coefficients" if given else "w"), []

    def line(quantity: str, own: Any, expected: Any, scale: Any = 1) -> None:
        digits, where = agreement(own, expected, scale)
        # with nothing upstream given, only the solver can be asked; else the earlier stage shows first
        stage = "coefficients" if quantity == "coefficients" else "aggregation"
        out.append(Line(quantity, source, stage, digits, *needs(kind), where))

    norm2 = ball(reference.norm2)
    if result.norm2 is not None:
        line("norm2", result.norm2, reference.norm2, norm2 if norm2 > 0 else 1)
    if result.coefficients is not None and reference.coefficients is not None:
        known = {k: ball(x) for k, x in reference.coefficients.items()}
        own = {k: result.coefficients.get(k, fmpq(0)) for k in known} | result.coefficients
        with precision(DIGITS):
            zeros = known or {k: arb(0) for k in own}
            line("coefficients", own, zeros, norm2.sqrt() if norm2 > 0 else 1)
    if reference.okc is None:
        if result.okc:
            out.append(Line("okc", "w = 0", "aggregation", -inf, 0, inf, "indices given where they are 0/0"))
        return out
    if result.undefined:
        out.append(Line("okc", source, "aggregation", -inf, 0, inf, "null, but w is not 0"))
    for name, family in (result.okc.table if result.okc else {}).items():
        if name in reference.okc.table:
            line(f"okc.{name}", family, reference.okc.family(name))
    return out + _judge_summaries(reference, result, source, *needs(kind))


def _judge_summaries(
    reference: Reference, result: Result, source: str, needed: float, attainable: float
) -> list[Line]:
    """N* and T_eps against the optimum: any that rounding beyond the digits needed could give."""
    out: list[Line] = []
    if result.okc is None or reference.okc is None:
        return out
    stated = result.okc.stated

    def line(quantity: str, fine: bool, N: int, where: str) -> None:
        if needed < 1 and 0 <= N < len(degree):  # any would do
            out.append(Line(quantity, source, "aggregation", 0, needed, attainable, where))
        else:
            out.append(Line(quantity, source, "aggregation", 99 if fine else -inf, 0, inf, where))

    tolerance = 10.0 ** -max(needed, 0.0)
    with precision(DIGITS):
        degree = [ball(x) for x in reference.okc.degree]
        if isinstance(stated.peak, int):
            best = max(float(x) for x in degree)
            possible = {N for N, x in enumerate(degree) if float(x) >= best - 2 * tolerance}
            fine = stated.peak in possible | set(reference.peaks)
            line("okc.peak", fine, stated.peak, str(stated.peak))
        for eps, T in ((eps, T) for eps, T in stated.threshold.items() if isinstance(T, int)):
            level = float(arb(1 - QQ(eps)))
            F = [float(sum(degree[: t + 1], arb(0))) for t in range(len(degree))]
            reached = 0 <= T < len(F) and F[T] >= level - tolerance
            fine = reached and (T == 0 or F[T - 1] < level + tolerance)
            line("okc.threshold", fine, T, f"T_{eps} = {T}")
    return out
