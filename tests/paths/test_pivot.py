"""Rational systems by features are those of the Gram matrix; every basis leads to the same optimum."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from flint import fmpq

from orca_exact import Problem
from orca_exact.paths import pivot
from orca_exact.paths.pivot import Basis, Rationals, find_basis
from orca_exact.svm.gram import FeatureGram, gram_ratio


def few_modes() -> Problem:
    """Return 16 points with four modes; the last point is the middle of the first two in feature space."""
    pick = np.random.default_rng(2)
    X = [[fmpq(int(k), 7) for k in row] for row in pick.integers(-7, 8, (16, 2))]
    X[0], X[1], X[15] = [fmpq(0), fmpq(1, 3)], [fmpq(1), fmpq(1, 3)], [fmpq(1, 2), fmpq(1, 3)]
    return Problem(X, [1, -1] * 8, 1, 0, 0)


@pytest.mark.parametrize("bound", [(), (3,), (5, 6, 7, 12)])
def test_solutions_by_features(bound):
    problem, basis = few_modes(), Basis((0, 1, 4), frozenset(bound))
    quick, slow = Rationals(problem), Rationals(problem)
    slow.R = gram_ratio(problem)
    assert isinstance(quick.R, FeatureGram)
    one, other = quick.solution(basis), slow.solution(basis)
    assert one[:3] == other[:3]
    assert [one.margins[i] for i in range(problem.m)] == [other.margins[i] for i in range(problem.m)]


def test_dependent_points_by_features():
    field = Rationals(few_modes())
    assert field.affine_combination((0, 1, 4), 15) == [fmpq(1, 2), fmpq(1, 2), 0]
    assert field.affine_combination((0, 1, 4), 5) is None


def test_every_basis_leads_to_the_same_optimum(monkeypatch):
    """Among them are bases whose first point is at its bound, depends on the free points and has to be 0."""
    monkeypatch.setattr(pivot, "PIVOTS", 100)
    problem, tau = Problem([["1"], ["-1"], ["0"], ["1/2"]], [1, -1, 1, -1], 1, 0, 0), fmpq(1, 2)
    points, found = set(range(problem.m)), set()
    for free in [*combinations(points, 1), *combinations(points, 2)]:
        rest = sorted(points - {*free})
        for bound in [bound for k in range(len(rest) + 1) for bound in combinations(rest, k)]:
            _, line = find_basis(Rationals(problem), Basis(free, frozenset(bound)), tau, ())
            found.add(tuple(p + q * tau for p, q in (line.margins[i] for i in points)))
    assert len(found) == 1
