"""Both ways to enclose the system of the free points contain the exact solution."""

from __future__ import annotations

import numpy as np
import pytest
from flint import fmpq, fmpq_mat

from orca_exact.numbers.midrad import MidRad
from orca_exact.numbers.rationals import QQ
from orca_exact.svm import bordered
from orca_exact.svm.bordered import ByEigenvalue, ByInverse, FreeSystem


def system(size: int = 12) -> tuple[np.ndarray, np.ndarray, list[fmpq], fmpq_mat]:
    """Return R, D, the right side and the exact solution (D s, b)."""
    pick = np.random.default_rng(5)
    F = pick.integers(-4, 5, (size, size + 4)) / 4
    R, D = F @ F.T + np.eye(size), np.exp2(pick.integers(0, 3, size))  # exact in float64
    right = [fmpq(int(k), 8) for k in pick.integers(-20, 20, size + 1)]
    rows = [[QQ(R[i, j] / (D[i] * D[j])) for j in range(size)] + [QQ(1 / D[i])] for i in range(size)]
    rows.append([QQ(1 / d) for d in D.tolist()] + [fmpq(0)])
    return R, D, right, fmpq_mat(rows).solve(fmpq_mat([[q] for q in right]))


@pytest.mark.parametrize("few, kind", [(0, ByEigenvalue), (100, ByInverse)])
def test_enclosures_contain_the_solution(few, kind, monkeypatch):
    monkeypatch.setattr(bordered, "_FEW", few)
    R, D, right, exact = system()
    free = FreeSystem(R, D)
    x = [exact[i, 0] for i in range(len(right))]
    assert np.allclose(free.solve(np.array([float(q) for q in right])), [float(q) for q in x], rtol=1e-12)
    found = free.enclose(MidRad(R, 1e-15 * abs(R)), MidRad.from_rationals(right))
    assert isinstance(found, kind)
    off = [q - QQ(float(near)) for q, near in zip(x, found.near, strict=True)]
    assert all(abs(e) <= QQ(float(r)) for e, r in zip(off, found.error, strict=True))
    assert (found.error < 1e-10).all()
    A = [[QQ(R[i, j] / (D[i] * D[j])) for j in range(len(D))] for i in range(len(D))]
    energy = sum(off[i] * A[i][j] * off[j] for i in range(len(D)) for j in range(len(D)))
    assert energy <= QQ(found.energy) and found.energy < 1e-20
    rows = np.random.default_rng(1).integers(-3, 4, (4, len(D))) / 8
    sizes = np.linalg.norm(np.linalg.solve(np.linalg.cholesky(R / np.outer(D, D)), rows.T), axis=0) * 1.001
    near, true = found.scores(MidRad(rows), sizes)
    for k, row in enumerate(rows.tolist()):
        for ball, values in ((near, map(QQ, found.near.tolist())), (true, x)):
            *z, b = values
            score = sum((QQ(r) * q for r, q in zip(row, z, strict=True)), b)
            assert abs(score - QQ(float(ball.mid[k]))) <= QQ(float(ball.rad[k]))


def test_a_wide_matrix_proves_nothing(monkeypatch):
    monkeypatch.setattr(bordered, "_FEW", 0)
    R, D, right, _ = system()
    assert FreeSystem(R, D).enclose(MidRad(R, abs(R)), MidRad.from_rationals(right)) is None
