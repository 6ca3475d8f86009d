"""Certificates of problems from real data sets."""

from __future__ import annotations

import numpy as np
import pytest
from flint import fmpq

from orca_exact import checker
from orca_exact.numbers.rationals import contains, precision_digits
from orca_exact.problem import Problem
from orca_exact.profile.profile import orca
from orca_exact.svm.certify import certify, solve


def two_classes(name: str, labels: tuple[int, int], n: int, alpha: str = "0", beta: str = "0") -> Problem:
    datasets = pytest.importorskip("sklearn.datasets")
    data = getattr(datasets, f"load_{name}")()
    keep = np.isin(data.target, labels)
    X = [[repr(float(v)) for v in row] for row in data.data[keep]]
    y = np.where(data.target[keep] == labels[1], 1, -1)
    return Problem(X, y, n, alpha, beta, rescale=True, id=name)


@pytest.mark.parametrize(
    "name, labels, n, alpha, beta",
    [
        ("iris", (1, 2), 3, "0.5", "1.5"),
        ("wine", (0, 1), 2, "0", "0"),
        pytest.param("breast_cancer", (0, 1), 1, "0", "0", marks=pytest.mark.slow),
    ],
)
def test_other_data_sets(name, labels, n, alpha, beta):
    p = two_classes(name, labels, n, alpha, beta)
    c = certify(p, level="ball", digits=50)
    assert c.digits >= 50
    assert c.enclosure is not None
    order = orca(p, c, "ball", 40).order
    with precision_digits(60):
        total = sum(order[1:], order[0])
        assert contains(total, fmpq(1))
        assert float(total.rad()) < 1e-38
    if p.m < 200:
        checker.check(c.to_json())


LARGEST = pytest.param(25, "0", "0", marks=pytest.mark.slow)


def paper(table, n: int, alpha: str, beta: str) -> Problem:
    return Problem(table.X, table.y, n, alpha, beta, C=1, rescale=True)


@pytest.mark.parametrize(
    "n, alpha, beta", [(1, "0", "0"), (2, "0", "0"), (10, "0", "0"), LARGEST, (5, "4.3", "1.8")]
)
def test_echocardiogram_exactly(echocardiogram, n, alpha, beta):
    """For Legendre, and for any hard margin, the indices are rationals, and the checker accepts the proof."""
    p = paper(echocardiogram, n, alpha, beta)
    exact, ball = certify(p, level="exact"), certify(p, level="ball", digits=50)
    assert checker.check(exact.to_json())["level"] == "exact"
    assert ball.digits >= 50
    assert (exact.free, exact.bound) == (ball.free, ball.bound)
    E, B = orca(p, exact, "exact"), orca(p, ball, "ball", 50)
    for e, b in zip(E.order, B.order, strict=True):
        assert isinstance(e, fmpq)
        assert contains(b, e)
        assert float(b.rad()) < 1e-50
    assert E.order[0] == 0
    assert sum(E.order) == 1


def test_cvxpy_refinement_reaches_forty_digits(echocardiogram):
    p = paper(echocardiogram, 25, "4.3", "1.8")
    s = solve(p, form="dual", digits=40)
    assert s.digits >= 40
    assert "rounds" in s.solver
    assert "active set" not in s.solver
    truth = certify(p, level="ball", digits=50)
    with precision_digits(60):
        largest = max(abs(a) for a in truth.alpha(60))
        for mine, certified in zip(s.alpha, truth.alpha(60), strict=True):
            assert abs(mine - certified) < largest * fmpq(1, 10**35)
