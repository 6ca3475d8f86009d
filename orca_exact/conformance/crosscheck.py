"""How right is somebody else's implementation, and if it is wrong, where?

Digits of agreement (LRE) are -log10(max |x - c| / scale): the scale is sqrt(K_ii K_jj) for the Gram matrix,
max |alpha| for alpha and its constraints, ||w|| for w and the c_k, max(1, |b|) for b, 1 for indices; D and
||h||^2 are their own.

The rule: what a formula gives (Gram matrix; c_k from its own alpha; indices from its own c_k) must reach 10
digits, what a solver gives (alpha, b, and everything compared to the optimum) 4, or two fewer than attainable
where that is less: libsvm caches its kernel in single precision and cannot do much better. alpha is also
projected exactly into the feasible set, and its D compared to the certified one: w does not tell all of it.
Every comparison must pass. Below one digit nothing can be judged: UNDECIDED. N* and T_eps must be the
certified ones; at a tie, within the digits needed, those of the program's own degrees.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from math import inf
from textwrap import indent
from typing import Any

from ..errors import BadInput, OrcaError, printable
from ..files.outcomes import FAILS, HOLDS, UNDECIDED
from ..numbers.arithmetic import arithmetic
from ..numbers.rationals import digits_down, rounded_up
from ..runtime.run import run_unordered
from ..svm.certificate import Certificate
from .bugs import likely_bugs
from .comparison import COMPARISON_DIGITS, Comparison, to_ball
from .optimum import certify_gap, compare_with_optimum
from .pipeline import STAGES, Pipeline
from .reference import Reference
from .result import Result
from .solver_bugs import IndicesOfZero
from .stages import OWN_ALPHA, compare_stages
from .tolerance import Tolerance


@dataclass(frozen=True, repr=False)
class Report:
    """What was compared, the verdict, the stage at fault and the bugs that would explain it."""

    id: str
    outcome: str
    lines: tuple[Comparison, ...] = ()
    stage: str | None = None
    bugs: tuple[type[Pipeline], ...] = ()
    notes: tuple[str, ...] = ()
    failure: str | None = None  # the program gave no result: why
    certificate: dict[str, Any] = field(default_factory=dict)

    @property
    def failed(self) -> list[Comparison]:
        """The comparisons that fail."""
        return [line for line in self.lines if line.fails]

    def to_json(self) -> dict[str, Any]:
        """As ``crosscheck --format json`` writes it."""
        show = lambda line, x: round(x, 1) if line.has_digits and -inf < x < inf else None  # noqa: E731
        down = lambda line, x: float(digits_down(x)) if line.has_digits and -inf < x < inf else None  # noqa: E731
        return {
            "id": self.id,
            "outcome": self.outcome,
            "stage": self.stage,
            "likely_bugs": [{"name": bug.name, "stage": bug.stage, "means": bug.means} for bug in self.bugs],
            "failure": self.failure,
            "notes": list(self.notes),
            "certificate": self.certificate,
            "lines": [
                {"quantity": x.quantity, "from": x.source, "stage": x.stage, "digits": down(x, x.digits),
                 "attainable": show(x, x.attainable), "needed": show(x, x.needed),
                 "passes": x.passes and not x.hopeless,
                 "where": x.where, "program": x.own, "certified": x.certified}
                for x in self.lines
            ],
        }  # fmt: skip

    def __str__(self) -> str:
        text = f"{printable(self.id)}: {self.outcome}"
        if self.failure:
            return f"{text}: {self.failure}"
        for line in self.failed[:6]:
            text += "\n" + indent(str(line), "  ")
        if self.stage:
            text += f"\n  stage at fault: {self.stage}"
        for bug in self.bugs[:3]:
            text += f"\n  likely bug: {bug.name}: {bug.means}"
        return "\n  ".join([text, *self.notes])

    __repr__ = __str__


def crosscheck(reference: Reference, result: Result | Any, diagnose: bool = True, **rule: float) -> Report:
    """Compare a result (or its JSON) to a reference; ``rule``: formula, solver (digits) and bits."""
    judge = Tolerance(reference, **rule)
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
    norm2 = to_ball(reference.norm2)
    if not (norm2.is_zero() or 0 < norm2 < inf):
        why = "the reference does not tell ||h||^2 from 0; make it with more digits"
        return Report(reference.id, UNDECIDED, notes=(why,))
    try:
        given = certify_gap(reference, result.alpha)
        truth = Pipeline(reference.problem, arithmetic("ball", COMPARISON_DIGITS), reference.dual)
        own = compare_stages(result, truth, judge.formula_needs)
        lines = (*own, *compare_with_optimum(reference, result, truth, judge, given))
    except (OrcaError, ArithmeticError, ValueError) as error:  # numbers beyond any arithmetic
        return Report(reference.id, FAILS, stage="format", failure=f"cannot be compared: {str(error)[:200]}")
    facts = {} if given is None else _facts(given)
    if any(line.fails for line in lines):
        needs = judge.formula_needs
        bugs = tuple(likely_bugs(reference.problem, result, needs, reference.dual)) if diagnose else ()
        if reference.okc is None and result.okc:
            bugs += (IndicesOfZero,)
        stage, notes = _blame(result, lines, bugs)
        return Report(reference.id, FAILS, lines, stage, bugs, notes, certificate=facts)
    hopeless = sorted({line.quantity for line in lines if line.hopeless})
    notes = (f"the condition leaves no digits to compare: {', '.join(hopeless)}",) if hopeless else ()
    outcome = UNDECIDED if hopeless or not lines else HOLDS
    return Report(reference.id, outcome, lines, notes=notes, certificate=facts)


def crosscheck_all(
    pairs: Sequence[tuple[Reference, Any]],
    jobs: int = 1,
    scheduler: str | None = None,
    progress: Callable[[str], object] = lambda message: None,
    **rule: float,
) -> list[Report]:
    """``crosscheck`` of each reference with a result, or its JSON; text says why there is none."""
    found = {i: Report(a.id, FAILS, failure=b) for i, (a, b) in enumerate(pairs) if isinstance(b, str)}
    tasks = {
        i: (a.to_json(), b.raw if isinstance(b, Result) else b, rule)
        for i, (a, b) in enumerate(pairs)
        if i not in found
    }
    with closing(run_unordered(_crosscheck, tasks, jobs, scheduler)) as results:
        for i, report in results:
            found[i] = report
            progress(f"comparing {len(found)} of {len(pairs)} ...")
    return [found[i] for i in range(len(pairs))]


def _crosscheck(reference: dict, result: Any, rule: dict[str, Any]) -> Report:
    return crosscheck(Reference(reference), result, **rule)


def _blame(
    result: Result, lines: Sequence[Comparison], bugs: Sequence[type[Pipeline]]
) -> tuple[str, tuple[str, ...]]:
    """The stage at fault, and what to know about it."""
    stage = min((line.stage for line in lines if line.fails), key=STAGES.index)
    alone = result.alpha is None and result.gram is None  # what is upstream is not known
    if bugs and (stage == "solver" or alone or STAGES.index(bugs[0].stage) <= STAGES.index(stage)):
        return bugs[0].stage, ()
    if stage == "Gram" and any(line.fails and line.source == OWN_ALPHA for line in lines):
        return "basis", ("the Gram matrix and what follows from its own alpha are wrong, each by itself",)
    if stage == "solver" and result.gram is None:
        return stage, ("no Gram matrix was given: basis or Gram may be at fault as well as the solver",)
    if result.alpha is None and result.coefficients is None:
        why = "neither alpha nor coefficients were given: the stage cannot be told from the indices"
        return stage, (why,)
    return stage, ()


def _facts(certificate: Certificate) -> dict[str, Any]:
    """As a report carries them."""
    words = {} if certificate.digits else {"w": certificate.accuracy}
    return {"gap": rounded_up(certificate.gap, 3), "digits_of_w": certificate.digits} | words
