"""Sums in plain float64 with one error bound each enclose the exact sums."""

from __future__ import annotations

import numpy as np
import pytest
from flint import fmpq

from orca_exact import Hermite, Jacobi, OrthogonalPolynomials, Problem, Solution, orca
from orca_exact.numbers.arithmetic import arithmetic
from orca_exact.numbers.midrad import MidRad
from orca_exact.numbers.rationals import QQ
from orca_exact.profile import bounded
from orca_exact.profile.bounded import BoundedSums
from orca_exact.profile.support import Support

KERNELS = {
    "product": OrthogonalPolynomials(2),
    "degrees": OrthogonalPolynomials([3, 0, 1], [Jacobi("1/2", 2), Jacobi(0, 0), Hermite()]),
    "order": OrthogonalPolynomials(3, order=2),
    "constant": OrthogonalPolynomials(0),
    "high": OrthogonalPolynomials([20, 4, 30]),
}


def problem(kernel: OrthogonalPolynomials, m: int = 24) -> tuple[Problem, list[fmpq]]:
    """Return a problem with points that are not float64, and coefficients of either sign."""
    pick = np.random.default_rng(3)
    X = [[fmpq(int(k), 999) for k in row] for row in pick.integers(-999, 1000, (m, 3))]
    X[0] = [fmpq(0)] * 3
    y = [1 if i % 3 else -1 for i in range(m)]
    alpha = [QQ(float(x)) for x in pick.random(m)]
    return Problem(X, y, kernel=kernel), alpha


def both(kernel: OrthogonalPolynomials) -> tuple[BoundedSums, list, list, object]:
    given, alpha = problem(kernel)
    s = np.array(alpha, dtype=object) * given.signs
    A, B = arithmetic("verified"), arithmetic("exact")
    exact = bounded.GeneratingFunction(Support.from_coefficients(given, B, s))
    found = BoundedSums(Support.from_coefficients(given, A, MidRad.from_rationals(s)))
    return found, exact.orders, exact.degrees, exact.norm


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("tile", [(16, 512), (5, 3)])
def test_sums_enclose_the_exact_ones(name, tile, monkeypatch):
    monkeypatch.setattr(bounded, "_ROWS", tile[0])
    monkeypatch.setattr(bounded, "_COLUMNS", tile[1])
    found, orders, degrees, norm = both(KERNELS[name])
    assert found.norm.contains(norm) and found.norm.rad() < norm / 10**9
    for mine, exact in ((found.orders, orders), (found.degrees, degrees)):
        assert len(mine) == len(exact)
        assert all(x.contains(q) for x, q in zip(mine, exact, strict=True))


def test_bound_is_needed(monkeypatch):
    """A sum that is wrong by more than its bound is noticed: the bound is not merely large."""
    monkeypatch.setattr(BoundedSums, "_bounds", ([np.zeros((3, 24))] * 3, 0.0))
    found, orders, _, _ = both(KERNELS["product"])
    assert not all(x.contains(q) for x, q in zip(found.orders, orders, strict=True))


def test_profiles_of_many_points_use_it(monkeypatch):
    given, alpha = problem(KERNELS["product"])
    before = orca(given, Solution(given, tuple(alpha)), "verified")
    monkeypatch.setattr(bounded, "_FEW", 10)
    profile = orca(given, Solution(given, tuple(alpha)), "verified")
    assert isinstance(profile.generating, BoundedSums) and not isinstance(before.generating, BoundedSums)
    for name in ("order", "degree", "cumulative", "total", "shapley", "pair", "block", "even"):
        pairs = zip(profile.family(name).values(), before.family(name).values(), strict=True)
        assert all(x.overlaps(y) for x, y in pairs)
