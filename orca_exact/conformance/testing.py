"""Conformance tests for an implementation of ORCA, in three lines of a test file.

::

    from orca_exact.conformance.testing import orca_conformance
    from my_package import my_function
    test_orca = orca_conformance(my_function)

``my_function`` takes a problem (``orca-exact/problem/1``, 2 or 3, a dict) and returns a result
(``orca-exact/result/1``, a dict). Each vector is a test of its own; a failure shows which numbers are wrong,
which stage is at fault and which known bug would explain it. As a pytest plug-in this module adds a summary
of the bugs that explain most failures: ``pytest -p orca_exact.conformance.testing``, or
``pytest_plugins = ["orca_exact.conformance.testing"]`` in ``conftest.py``.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..files.formats import JsonObject
from ..files.outcomes import FAILS, HOLDS, UNDECIDED

if TYPE_CHECKING:  # a plug-in is loaded at every start of pytest, so slow imports wait until they are used
    from .crosscheck import Report
    from .vectors import Vector

_reports: list[Report] = []
_indices: list[tuple[int, int]] = []  # of each report: how many were compared, and how many there are


class NotConformant(AssertionError):
    """A vector failed; the message is its report."""


def check_vector(
    function: Callable[[JsonObject], Any], vector: Vector, diagnose: bool = True, **rule: float
) -> Report:
    """Run an implementation on one vector and return the report; an exception is a failure.

    Parameters
    ----------
    function : callable
        Takes a problem and returns a result, both as dicts of JSON values.
    vector : Vector
    diagnose : bool, default True
        Whether to look for known bugs that explain a failure.
    **rule : float
        As for ``crosscheck``.

    Returns
    -------
    Report
    """
    from .crosscheck import Report, count_indices, crosscheck

    try:
        answer = function(json.loads(json.dumps(vector.task)))
        answer = json.loads(json.dumps(answer, default=lambda x: x.tolist()))  # as read from a file
    except Exception as error:
        why = f"the function raised {type(error).__name__}: {error}"
        return Report(vector.id, FAILS, failure=why, indices=count_indices(vector.reference))
    if isinstance(answer, dict):
        answer = {"id": vector.id} | answer
    report = crosscheck(vector.reference, answer, diagnose, **rule)
    if report.outcome == UNDECIDED and not report.lines and "skipped" not in answer:
        return replace(
            report, outcome=FAILS, failure="; ".join(report.notes), notes=()
        )  # an empty result fails
    return report


def orca_conformance(
    function: Callable[[JsonObject], Any],
    flags: set[str] | None = None,
    diagnose: bool = True,
    version: int = 3,
    **rule: float,
) -> Callable[[Vector], None]:
    """Return a test function for pytest, with one case for each vector.

    Parameters
    ----------
    function : callable
        Takes a problem and returns a result, both as dicts of JSON values.
    flags : set of str, optional
        Select the vectors that have one of these flags.
    diagnose : bool, default True
        Whether to look for known bugs that explain a failure.
    version : int, default 3
        Select the vectors up to this version of the problem format.
    **rule : float
        As for ``crosscheck``.

    Returns
    -------
    callable
        A parametrised test.
    """
    import pytest

    from .vectors import vectors

    chosen = [v for v in vectors() if v.version <= version and (flags is None or flags & set(v.flags))]

    @pytest.mark.parametrize("vector", chosen, ids=lambda v: f"{v.id}-{v.group.replace(' ', '_')}")
    def test_conformance(vector: Vector) -> None:
        __tracebackhide__ = True
        report = check_vector(function, vector, diagnose, **rule)
        _indices.append(report.indices)
        if report.outcome == UNDECIDED:
            pytest.skip(f"UNDECIDED: {'; '.join(report.notes)}")
        if report.outcome != HOLDS:
            _reports.append(report)
            raise NotConformant(f"{report}\n  group: {vector.group}; flags: {', '.join(vector.flags)}")

    return test_conformance


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print how many indices were compared, if that is not all, and the bugs that explain most failures."""
    compared, expected = map(sum, zip((0, 0), *_indices, strict=True))
    if compared < expected or _reports:
        terminalreporter.section("orca conformance")
    if compared < expected:
        terminalreporter.line(f"Only {compared:,} of {expected:,} indices were compared.")
    if _reports:
        from .bugs import rank_bugs

        terminalreporter.line(f"{len(_reports)} vectors failed.")
        for bug, count in rank_bugs(report.bugs for report in _reports):
            what = f"{bug.name} ({bug.stage}). {bug.means}"
            terminalreporter.line(f"{count} of them would be explained by: {what}")
    _indices.clear()
    _reports.clear()
