"""Tests that results are computed only if they are needed."""

from __future__ import annotations

from io import StringIO
from unittest.mock import patch

import pytest

from orca_exact import Problem, certify
from orca_exact.cli.parser import make_parser, run_verb
from orca_exact.conformance import vectors as conformance
from orca_exact.svm import dual


def test_an_exact_proof_evaluates_no_polynomial_in_balls():
    problem = Problem([["-1/2"], ["1/2"], ["1"]], [1, -1, 1], n=2, alpha=0, beta=0, C=10)
    with patch.object(dual.BallDual, "columns", side_effect=AssertionError):
        assert certify(problem).level == "exact"


def test_only_the_selected_vector_is_parsed():
    conformance.vectors.cache_clear()
    args = make_parser("crosscheck").parse_args(["crosscheck", "--show", "--vector", "v002"])
    with patch.object(conformance, "reference_of", wraps=conformance.reference_of) as parsed:
        run_verb(args, StringIO(), StringIO())
    assert parsed.call_count == 1


def test_a_silent_audit_does_not_measure_the_distance():
    sklearn = pytest.importorskip("orca_exact.sklearn")
    X, y = [[0, 0], [1, 1], [0, 1], [1, 0]], [1, 1, -1, -1]
    audit = sklearn.audit(sklearn.OrcaSVC(n=2).fit(X, y), X, y)
    assert "distance" not in vars(audit)
    assert audit.digits >= 0 and "distance" in vars(audit)
