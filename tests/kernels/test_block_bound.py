"""One error bound for all entries of a large block covers each entry."""

from __future__ import annotations

import numpy as np
import pytest
from flint import fmpq

from orca_exact import Jacobi, Laguerre, OrthogonalPolynomials
from orca_exact.kernels import orthogonal
from orca_exact.numbers.arithmetic import arithmetic
from orca_exact.numbers.rationals import QQ


@pytest.mark.parametrize("order", [None, 1, 2])
@pytest.mark.parametrize("n", [1, 4, 25])
def test_large_blocks_enclose_the_exact_entries(n, order, monkeypatch):
    pick = np.random.default_rng(n)
    points = np.array(
        [[fmpq(int(k), 77) for k in row] for row in pick.integers(0, 78, (20, 3))], dtype=object
    )
    points[0] = fmpq(0)  # only the constant mode is not 0 there
    kernel = OrthogonalPolynomials(n, [Jacobi(0, 0), Jacobi("1/3", 1), Laguerre(0)], order).for_columns(3)
    exact = kernel.at(points, arithmetic("exact")).block(slice(None), slice(None))
    each = kernel.at(points, arithmetic("verified")).block(slice(None), slice(None))
    monkeypatch.setattr(orthogonal, "_ENTRIES", 0)
    found = kernel.at(points, arithmetic("verified")).block(slice(None), slice(None))
    near, radius = (x.ravel().tolist() for x in (found.mid, found.rad))
    entries = zip(near, radius, exact.ravel(), strict=True)
    assert all(abs(QQ(m) - q) <= QQ(r) for m, r, q in entries)
    size = np.sqrt(np.diagonal(found.mid))
    most = 1e-12 * np.outer(size, size)
    assert (found.rad <= most).all() and (each.rad <= most).all()
