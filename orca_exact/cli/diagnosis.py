"""Text on a program that fails a crosscheck, in at most forty lines.

First the wrong quantities, then the bug that explains most failures with the reasons why it does not explain
the rest, then examples, those that the bug explains first. Problems without an answer are shown once for each
kind of failure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from typing import TYPE_CHECKING, Any

from ..errors import pluralize, printable
from ..files.outcomes import FAILS
from .compliance import Implementation, digits_table

if TYPE_CHECKING:
    from ..conformance.comparison import Comparison
    from ..conformance.crosscheck import Report

MAX_LINES = 40  # of the text on a program that fails
CLOSING_LINES = 5  # after the examples, with the number of those not shown
_FEW = 2  # failed comparisons of an example, if there are several
_OTHERS = 2  # bugs that explain other failures than the first bug
_REASONS = 4  # reasons why a bug does not explain the rest
_ALL_INDICES = "okc (all kinds)"


def wrong_quantities(reports: Sequence[Report]) -> dict[tuple[str, str], tuple[Any, ...]]:
    """Return the rows of ``digits_table`` with failures; the kinds of indices are one quantity."""
    wrong = {(_quantity(line), line.source) for report in reports for line in report.failed}
    return {key: row for key, row in digits_table(reports, _quantity).items() if key in wrong}


def _quantity(line: Comparison) -> str:
    return _ALL_INDICES if line.quantity.startswith("okc.") and line.has_digits else line.quantity


def describe_bugs(program: Implementation, unexplained: Mapping[Any, int]) -> Iterator[str]:
    """Yield lines on the bug that explains most failures, why not all, and on bugs that explain others."""
    if not program.bugs:
        return
    from ..conformance.bugs import Obstacle, rank_bugs

    (first, count), failed = program.bugs[0], program.failed
    explained = f"explains {count} of {pluralize(len(failed), 'failure')}"
    yield f"likely bug: {first.name} (stage {first.stage}, {explained}): {first.means}"
    reasons = Counter(unexplained).most_common()
    for why, number in reasons[:_REASONS]:
        if isinstance(why, Obstacle):
            yield f"  not {number}: {why.value}"
        else:
            yield f"  not {number}: {why[0]} against {why[1]} has too few digits even with this bug"
    if more := sum(number for _, number in reasons[_REASONS:]):
        yield f"  not {more}: other reasons"
    if silent := sum(bool(report.failure) for report in failed):
        yield f"  not {silent}: there are no numbers to compare"
    others = [report for report in failed if first not in report.bugs]
    for bug, number in list(rank_bugs(report.bugs for report in others))[:_OTHERS]:
        yield f"of the others, {number} would be explained by: {bug.name} (stage {bug.stage}): {bug.means}"


def examples(program: Implementation, space: int, width: int) -> Iterator[str]:
    """Yield blocks of text on failures, as many as fit into ``space`` lines, and how many are not shown."""
    groups: dict[str, list[Report]] = {}
    for report in program.failed:
        if report.failure:
            groups.setdefault(report.kind or "", []).append(report)
    first = program.bugs[0][0] if program.bugs else None
    compared = [report for report in program.failed if not report.failure]
    compared.sort(key=lambda report: (report.outcome != FAILS, first not in report.bugs))
    blocks = [(_describe_group(group), len(group)) for group in groups.values()]
    most = {"most": _FEW} if len(compared) > 1 else {}
    blocks += [(_describe(report, **most) if most else str(report), 1) for report in compared]
    left, hidden = space, 0
    for i, (text, count) in enumerate(blocks):
        lines = 1 + sum(ceil(len(line) / width) or 1 for line in text.split("\n"))
        if hidden or (i and lines > left):
            hidden += count
            continue
        left -= lines
        yield text
    if hidden:
        yield f"not shown: {hidden} more; --verbose shows all"


def _describe_group(group: Sequence[Report]) -> str:
    """Return the failure of the first of several problems without an answer for the same kind of reason."""
    first, *others = group
    ids = printable(first.id) + f" and {len(others)} more" * bool(others)
    return f"{ids}: {first.outcome}: {first.failure}"


def _describe(report: Report, most: int) -> str:
    return "\n  ".join([report.summary(most), *report.notes])
