"""A program written from docs/implementation.md alone passes every vector."""

import pytest
from from_the_page import program
from marks import quick

from orca_exact.conformance.testing import check_vector
from orca_exact.conformance.vectors import vectors
from orca_exact.files.outcomes import HOLDS

GROUPS = sorted({vector.group for vector in vectors()})


@pytest.mark.parametrize("group", quick(GROUPS, GROUPS[::4]))
def test_a_program_written_from_the_page_passes(group):
    for vector in vectors():
        if vector.group == group:
            report = check_vector(program, vector, diagnose=False)
            assert report.outcome == HOLDS, str(report)
