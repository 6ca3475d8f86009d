"""Sums over many columns in balls: the orders that are not computed are enclosed."""

from __future__ import annotations

import numpy as np
import pytest
from flint import arb, fmpq

from orca_exact import RBF, OrthogonalPolynomials, Problem
from orca_exact.kernels.kernel import Kernel
from orca_exact.numbers.arithmetic import arithmetic
from orca_exact.profile import generating
from orca_exact.profile.generating import GeneratingFunction
from orca_exact.profile.support import Support

COLUMNS = 70
KERNELS = {
    "small B": RBF("1/100"),
    "tiny B": RBF("1e-30"),
    "large B": RBF(1),
    "limited order": OrthogonalPolynomials(1, order=66),
}


def sums(kernel: Kernel, seed: int) -> list[arb]:
    """Return the sums by order, the totals and the Shapley parts of a function with random coefficients."""
    rng = np.random.default_rng(seed)
    width = 0.05 if kernel.rational else 0.5  # B_l = 3 x z of the polynomials must be small
    X = rng.uniform(-width, width, (4, COLUMNS)).round(4)
    problem = Problem(X.tolist(), [1, -1, 1, -1], kernel=kernel)
    A = arithmetic("ball", 20)
    with A.scope():
        s = A.array([fmpq(int(k), 100) for k in rng.integers(-99, 99, 4)])
        found = GeneratingFunction(Support(problem, A, s, problem.kernel.at(problem.points, A)))
        return [arb(x) for x in (*found.orders, *found.by_coordinate[0], *found.by_coordinate[1])]


def agree(found: list[arb], truth: list[arb]) -> bool:
    return len(found) == len(truth) and all(x.overlaps(y) for x, y in zip(found, truth, strict=True))


@pytest.mark.parametrize("guard", [64, -60])
@pytest.mark.parametrize("name", KERNELS)
def test_the_bound_contains_what_is_left_out(monkeypatch, name, guard):
    """Compare with all orders; with negative guard bits, what is left out is much larger than a rounding."""
    kernel = KERNELS[name]
    for seed in range(3):
        with monkeypatch.context() as patch:
            patch.setattr(generating, "_MANY_ORDERS", COLUMNS)
            truth = sums(kernel, seed)
        monkeypatch.setattr(generating, "_GUARD_BITS", guard)
        found = sums(kernel, seed)
        assert agree(found, truth)
        if guard > 0:  # no number loses a digit, relative to the largest
            largest = max(float(abs(x)) for x in truth)
            assert all(
                float(x.rad()) <= 2 * float(y.rad()) + 1e-18 * largest
                for x, y in zip(found, truth, strict=True)
            )


@pytest.mark.parametrize("name", ["small B", "limited order"])
def test_orders_that_are_forgotten_are_noticed(monkeypatch, name):
    monkeypatch.setattr(generating, "_MANY_ORDERS", COLUMNS)
    truth = sums(KERNELS[name], 1)
    monkeypatch.setattr(generating, "_MANY_ORDERS", 3)
    monkeypatch.setattr(generating, "_GUARD_BITS", -60)
    negligible = GeneratingFunction._negligible_orders
    monkeypatch.setattr(
        GeneratingFunction,
        "_negligible_orders",
        lambda self, factors, order: [arb(0)] * len(negligible(self, factors, order)),
    )
    assert not agree(sums(KERNELS[name], 1), truth)


def test_few_columns_keep_every_order():
    A = arithmetic("ball", 20)
    problem = Problem([[0, 0], [1, 1]], [1, -1], kernel=RBF(1))
    with A.scope():
        s, factor = A.array([fmpq(1), fmpq(-1)]), A.array([fmpq(1, 10**9)])
        forms = GeneratingFunction(Support(problem, A, s, problem.kernel.at(problem.points, A)))
        assert forms._negligible_orders([factor] * 60, 60) == []
        assert len(forms._negligible_orders([factor] * 70, 70)) > 60
