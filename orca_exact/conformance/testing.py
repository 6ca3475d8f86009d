"""Conformance tests for an implementation of ORCA, in three lines of a test file:

    from orca_exact.conformance.testing import orca_conformance
    from my_package import my_function
    test_orca = orca_conformance(my_function)

``my_function`` takes a problem (``orca-exact/problem/1`` or 2, a dict) and returns a result
(``orca-exact/result/1``, a dict). Each vector is a test of its own; a failure says which numbers are off,
which stage is at fault and which known bug would explain it. As a pytest plug-in this module adds a summary
of the bugs that explain most failures.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..files.outcomes import FAILS, HOLDS, UNDECIDED

if TYPE_CHECKING:  # pytest loads this module whenever it starts: what is heavy waits for its use
    from .crosscheck import Report
    from .vectors import Vector

_reports: list[Report] = []


class NotConformant(AssertionError):
    """The report of a vector that failed."""


def check_vector(
    function: Callable[[dict], Any], vector: Vector, diagnose: bool = True, **rule: float
) -> Report:
    """One vector: the report, whatever the function does."""
    from .crosscheck import Report, crosscheck

    try:
        answer = function(json.loads(json.dumps(vector.task)))
        answer = json.loads(json.dumps(answer, default=lambda x: x.tolist()))  # as a file would hold it
    except Exception as error:
        return Report(vector.id, FAILS, failure=f"it raised {type(error).__name__}: {error}")
    if isinstance(answer, dict):
        answer = {"id": vector.id} | answer
    report = crosscheck(vector.reference, answer, diagnose, **rule)
    if report.outcome == UNDECIDED and not report.lines and "skipped" not in answer:
        return replace(report, outcome=FAILS, failure="; ".join(report.notes), notes=())  # {} is no answer
    return report


def orca_conformance(
    function: Callable[[dict], Any],
    flags: set[str] | None = None,
    diagnose: bool = True,
    version: int = 2,
    **rule: float,
) -> Callable[[Vector], None]:
    """A test function for pytest, one case per vector.

    ``flags``: only vectors that carry one of them. ``version``: of the problem format, the last one that the
    function knows.
    """
    import pytest

    from .vectors import vectors

    chosen = [v for v in vectors() if v.version <= version and (flags is None or flags & set(v.flags))]

    @pytest.mark.parametrize("vector", chosen, ids=lambda v: f"{v.id}-{v.group.replace(' ', '_')}")
    def test_conformance(vector: Vector) -> None:
        __tracebackhide__ = True
        report = check_vector(function, vector, diagnose, **rule)
        if report.outcome == UNDECIDED:
            pytest.skip(f"UNDECIDED: {'; '.join(report.notes)}")
        if report.outcome != HOLDS:
            _reports.append(report)
            raise NotConformant(f"{report}\n  group {vector.group!r}, flags {', '.join(vector.flags)}")

    return test_conformance


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """The bugs that explain most failures."""
    if not _reports:
        return
    from .bugs import vote

    terminalreporter.section("orca conformance")
    terminalreporter.line(f"{len(_reports)} vectors failed")
    for bug, count in vote(report.bugs for report in _reports):
        terminalreporter.line(f"{count} of them would be explained by: {bug.name} ({bug.stage}): {bug.means}")
    _reports.clear()
