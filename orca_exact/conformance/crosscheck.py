"""Comparison of another implementation's result with certified values, and the stage at fault.

Digits of agreement (log relative error) are -log10(max |x - c| / scale). The scale is sqrt(K_ii K_jj) for the
Gram matrix, max |alpha| for alpha and its constraints, ||w|| for w and the c_k, max(1, |b|) for b, 1 for
indices, and the value itself for D and ||h||^2.

Values that follow by a formula (the Gram matrix, the c_k of the program's alpha, the indices of its c_k) must
agree to 10 digits. Values that depend on the solver (alpha, b, and everything compared with the optimum) must
agree to 4: libsvm caches its kernel in single precision and cannot do much better. If two digits fewer than
attainable are less, these suffice. Since w does not determine alpha, alpha is also projected exactly into the
feasible set, and its D is compared with the optimal value. N* and T_eps must be the certified ones or, at a
tie within the tolerance, those of the program's own OKC_N.

The outcome is HOLDS if every comparison passes, and UNDECIDED if a comparison needs less than one digit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from math import inf
from textwrap import indent
from typing import Any

from ..errors import BadInput, OrcaError, printable
from ..files.formats import JsonObject
from ..files.outcomes import FAILS, HOLDS, UNDECIDED
from ..measures.probability import read_index_measure
from ..numbers.arithmetic import arithmetic
from ..numbers.rationals import format_digits_down, format_upper_bound
from ..profile.indices import Indices
from ..profile.under import describe_under
from ..runtime.run import run_unordered
from ..svm.certificate import Certificate
from .bugs import Obstacle, likely_bugs, why_not
from .comparison import COMPARISON_DIGITS, Comparison, to_ball
from .optimum import certify_gap, compare_with_optimum
from .pipeline import STAGES, Pipeline
from .reference import Reference
from .result import Failure, Result
from .solver_bugs import IndicesOfZero
from .stages import OWN_ALPHA, compare_stages
from .tolerance import Tolerance


@dataclass(frozen=True, repr=False)
class Report:
    """The outcome for one problem: the comparisons, the stage at fault and the bugs that would explain it."""

    id: str
    outcome: str
    lines: tuple[Comparison, ...] = ()
    stage: str | None = None
    bugs: tuple[type[Pipeline], ...] = ()
    notes: tuple[str, ...] = ()
    failure: str | None = None  # why there is nothing to compare
    kind: str | None = None  # that of the ``Failure``, if the program gave no answer
    certificate: dict[str, Any] = field(default_factory=dict)
    given: tuple[str, ...] = ()  # the fields of the result with something to compare
    indices: tuple[int, int] = (0, 0)  # how many were compared, and how many the problem has

    @property
    def failed(self) -> list[Comparison]:
        """Failed comparisons."""
        return [line for line in self.lines if line.fails]

    def to_json(self) -> dict[str, Any]:
        """Return the report as ``crosscheck --format json`` writes it."""

        def shown(line: Comparison, x: float, down: bool = False) -> float | None:
            if not (line.has_digits and -inf < x < inf):
                return None
            return float(format_digits_down(x)) if down else round(x, 1)

        return {
            "id": self.id,
            "outcome": self.outcome,
            "stage": self.stage,
            "likely_bugs": [{"name": bug.name, "stage": bug.stage, "means": bug.means} for bug in self.bugs],
            "failure": self.failure,
            "notes": list(self.notes),
            "certificate": self.certificate,
            "given": list(self.given),
            "indices": dict(zip(("compared", "expected"), self.indices, strict=True)),
            "lines": [
                {"quantity": x.quantity, "from": x.source, "stage": x.stage,
                 "digits": shown(x, x.digits, down=True), "attainable": shown(x, x.attainable),
                 "needed": shown(x, x.needed),
                 "passes": x.passes and not x.undecidable,
                 "where": x.where, "program": x.own, "certified": x.certified}
                for x in self.lines
            ],
        }  # fmt: skip

    def summary(self, most: int = 6) -> str:
        """Return the outcome with at most so many of the failed comparisons."""
        text = f"{printable(self.id)}: {self.outcome}"
        if self.failure:
            return f"{text}: {self.failure}"
        for line in self.failed[:most]:
            text += "\n" + indent(str(line), "  ")
        return text

    def __str__(self) -> str:
        text = self.summary()
        if self.failure:
            return text
        if self.stage:
            text += f"\n  stage at fault: {self.stage}"
        for bug in self.bugs[:3]:
            text += f"\n  likely bug: {bug.name}: {bug.means}"
        return "\n  ".join([text, *self.notes])

    __repr__ = __str__


def crosscheck(reference: Reference, result: Result | Any, diagnose: bool = True, **rule: float) -> Report:
    """Compare a result with a reference.

    Parameters
    ----------
    reference : Reference
        The certified values.
    result : Result or dict
        The values of the program, also as JSON (``orca-exact/result/1``).
    diagnose : bool, default True
        Whether to look for known bugs that explain a failure.
    **rule : float
        ``formula`` and ``solver``: digits needed, 10 and 4 by default; ``bits``: the precision of the
        program, 53 by default.

    Returns
    -------
    Report

    Examples
    --------
    >>> from orca_exact import Problem
    >>> from orca_exact.conformance.reference import plain_result
    >>> from orca_exact.conformance.reference_maker import make_reference
    >>> problem = Problem([["-0.5"], ["0.25"]], [1, -1], n=1, alpha=0, beta=0, id="two")
    >>> reference = make_reference(problem)
    >>> crosscheck(reference, plain_result(reference)).outcome
    'HOLDS'
    >>> print(crosscheck(reference, {"id": "two", "okc": {"peak": 2}}))
    two: FAILS
      N* is 2 and must be 1 (okc.peak against the optimum)
      stage at fault: aggregation
      neither alpha nor coefficients were given: the fault may be in any stage
    """
    tolerance = Tolerance(reference, **rule)
    try:
        result = result if isinstance(result, Result) else Result.from_json(result)
    except OrcaError as error:
        indices = count_indices(reference)
        return Report(reference.id, FAILS, stage="format", failure=str(error), indices=indices)
    report = _crosscheck_result(reference, result, diagnose, tolerance)
    return replace(report, given=result.given, indices=count_indices(reference, result))


def count_indices(reference: Reference, result: Result | None = None) -> tuple[int, int]:
    """Return how many indices of a reference a result has, and how many there are.

    N* and each T_eps count as one, and so does the statement that w = 0 has no indices.
    """
    if reference.okc is None:
        return int(result is not None and "okc" in result.given), 1
    expected = _index_names(reference.okc)
    own = _index_names(result.okc) if result is not None and result.okc else set()
    return len(expected & own), len(expected)


def _index_names(okc: Indices[Any]) -> set[tuple[Any, ...]]:
    """Return a name for each index, for N* and for each T_eps; F(T) is no index but a sum of OKC_N."""
    summary = okc.stated_summary
    peak = [("N*",)] if summary.peak is not None else []
    indices = {(name, key) for name, key, _ in okc if name != "cumulative"}
    return indices | {*peak, *(("T", eps) for eps in summary.threshold)}


def _crosscheck_result(reference: Reference, result: Result, diagnose: bool, tolerance: Tolerance) -> Report:
    """Return the report on a result that could be read."""
    try:
        if result.id != reference.id:
            raise BadInput(f"id: {result.id!r} is not the id of the problem, {reference.id!r}; copy that id")
        _check_under(reference, result)
    except OrcaError as error:
        return Report(reference.id, FAILS, stage="format", failure=str(error))
    if (why := _obstacle(reference, result)) is not None:
        return Report(reference.id, UNDECIDED, notes=(why,))
    try:
        given = certify_gap(reference, result.alpha)
        truth = Pipeline(reference.problem, arithmetic("ball", COMPARISON_DIGITS), reference.dual)
        own = compare_stages(result, truth, tolerance.formula_digits)
        lines = (*own, *compare_with_optimum(reference, result, truth, tolerance, given))
    except (OrcaError, ArithmeticError, ValueError) as error:  # such as an overflow
        why = f"the result cannot be compared: {str(error)[:200]}"
        return Report(reference.id, FAILS, stage="format", failure=why)
    facts = _accuracy(given)
    if any(line.fails for line in lines):
        needs = tolerance.formula_digits
        bugs = tuple(likely_bugs(reference.problem, result, needs, reference.dual)) if diagnose else ()
        if reference.okc is None and result.okc:
            bugs += (IndicesOfZero,)
        stage, notes = _blame(result, lines, bugs)
        return Report(reference.id, FAILS, lines, stage, bugs, notes, certificate=facts)
    hopeless = sorted({line.quantity for line in lines if line.undecidable})
    notes = (f"too ill-conditioned to compare: {', '.join(hopeless)}",) if hopeless else ()
    outcome = UNDECIDED if hopeless or not lines else HOLDS
    return Report(reference.id, outcome, lines, notes=notes, certificate=facts)


def _check_under(reference: Reference, result: Result) -> None:
    """Raise BadInput if the result states another measure of the indices than the problem."""
    if (stated := result.raw.get("under")) is None:
        return
    problem, several = reference.problem, isinstance(stated, list)
    given = [read_index_measure(each) for each in (stated if several else [stated] * problem.d)]
    if tuple(given) not in (problem.under, problem.index_measures):
        wanted = f"the problem asks for indices under {describe_under(problem)}"
        raise BadInput(f"under: the result states another measure; {wanted}")


def crosscheck_all(
    pairs: Sequence[tuple[Reference, Any]],
    jobs: int = 1,
    scheduler: str | None = None,
    progress: Callable[[str], object] = lambda message: None,
    **rule: float,
) -> list[Report]:
    """Compare several results, in parallel if ``jobs`` > 1.

    Parameters
    ----------
    pairs : sequence of tuple
        Each a Reference with a Result, the JSON of one, or a text or ``Failure`` that explains why there is
        no result.
    jobs, scheduler
        Number of processes, and the address of a Dask scheduler instead of processes.
    progress : callable
        Called with a line of text after each comparison.
    **rule : float
        As for ``crosscheck``.

    Returns
    -------
    list of Report
    """
    found = {
        i: Report(
            a.id,
            FAILS,
            failure=str(b),
            kind=b.kind if isinstance(b, Failure) else None,
            indices=count_indices(a),
        )
        for i, (a, b) in enumerate(pairs)
        if isinstance(b, str | Failure)
    }
    tasks = {
        i: (a.to_json(), b.raw if isinstance(b, Result) else b, rule)
        for i, (a, b) in enumerate(pairs)
        if i not in found
    }
    with closing(run_unordered(_crosscheck, tasks, jobs, scheduler)) as results:
        for i, report in results:
            found[i] = report
            progress(f"{len(found)} of {len(pairs)} results compared")
    return [found[i] for i in range(len(pairs))]


def count_unexplained(
    bug: type[Pipeline], pairs: Sequence[tuple[Reference, Any]], reports: Sequence[Report], **rule: float
) -> Counter[Obstacle | tuple[str, str]]:
    """Count why a bug does not explain the other failures that have numbers.

    The keys are obstacles, and quantity and source of the first comparison that fails with the bug. The
    parameters are those of ``crosscheck_all``, with its reports.
    """
    found: Counter[Obstacle | tuple[str, str]] = Counter()
    for (reference, answer), report in zip(pairs, reports, strict=True):
        if report.lines and report.outcome == FAILS and bug not in report.bugs:
            result = answer if isinstance(answer, Result) else Result.from_json(answer)
            needs = Tolerance(reference, **rule).formula_digits
            why = why_not(bug, reference.problem, result, needs, reference.dual)
            if isinstance(why, Comparison):
                found[why.quantity, why.source] += 1
            elif why is not None:
                found[why] += 1
    return found


def _crosscheck(reference: JsonObject, result: Any, rule: dict[str, Any]) -> Report:
    return crosscheck(Reference(reference), result, **rule)


def _obstacle(reference: Reference, result: Result) -> str | None:
    """Return why nothing can be compared, if so."""
    if result.skipped is not None:
        return f"the program skipped this problem: {result.skipped[:200]}"
    if not result.given:
        return "nothing to compare: the result has no values; add alpha, b, gram, coefficients, norm2 or okc"
    norm2 = to_ball(reference.norm2)
    if not (norm2.is_zero() or 0 < norm2 < inf):
        return "the reference leaves open whether ||h||^2 = 0; make it with more digits"
    return None


def _blame(
    result: Result, lines: Sequence[Comparison], bugs: Sequence[type[Pipeline]]
) -> tuple[str, tuple[str, ...]]:
    """Return the stage at fault, and notes about it."""
    stage = min((line.stage for line in lines if line.fails), key=STAGES.index)
    unknown = result.alpha is None and result.gram is None  # the result does not show the earlier stages
    if bugs and (stage == "solver" or unknown or STAGES.index(bugs[0].stage) <= STAGES.index(stage)):
        return bugs[0].stage, ()
    if stage == "Gram" and any(line.fails and line.source == OWN_ALPHA for line in lines):
        return "basis", ("the Gram matrix and the values computed from alpha are wrong: both use the basis",)
    if stage == "solver" and result.gram is None:
        return stage, ("no Gram matrix was given: the fault may also be in the basis or the Gram matrix",)
    if result.alpha is None and result.coefficients is None:
        return stage, ("neither alpha nor coefficients were given: the fault may be in any stage",)
    return stage, ()


def _accuracy(certificate: Certificate | None) -> dict[str, Any]:
    if certificate is None:
        return {}
    accuracy = {} if certificate.digits else {"w": certificate.accuracy}
    return {"gap": format_upper_bound(certificate.gap, 3), "digits_of_w": certificate.digits} | accuracy
