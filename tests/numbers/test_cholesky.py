"""The bound of the least eigenvalue holds, and is not far from it."""

from __future__ import annotations

import numpy as np
import pytest

from orca_exact.numbers.cholesky import CholeskyFactor, bound_least_eigenvalue


def matrix(size: int, least: float) -> np.ndarray:
    """Return a symmetric matrix whose least eigenvalue is known, up to rounding."""
    Q = np.linalg.qr(np.random.default_rng(size).normal(size=(size, size)))[0]
    A = (Q * np.geomspace(least, 5, size)) @ Q.T
    return (A + A.T) / 2


@pytest.mark.parametrize("size", [1, 5, 128, 300])
def test_solve(size):
    A, r = matrix(size, 0.1), np.arange(1.0, size + 1)
    factor = CholeskyFactor(A)
    assert np.allclose(factor.L @ factor.L.T, A, atol=1e-13)
    assert np.allclose(factor.solve(r), np.linalg.solve(A, r), rtol=1e-10)
    assert factor.bound_rest() >= np.linalg.norm(A - factor.L @ factor.L.T, 2)


@pytest.mark.parametrize("least", [0.5, 1e-3, 1e-7])
def test_bound_of_least_eigenvalue(least):
    A = matrix(200, least)
    estimate = CholeskyFactor(A).estimate_least_eigenvalue()
    found = bound_least_eigenvalue(A, 1e-12, estimate)
    assert least / 10 < found < least
    assert bound_least_eigenvalue(A, 1e-12, 40 * estimate) < least  # an estimate is not believed
    assert bound_least_eigenvalue(A, least, estimate) == 0  # the error is as large as the eigenvalue


def test_rest_counts_a_wrong_factor():
    A = matrix(200, 0.5)
    factor = CholeskyFactor(A, 0.25)
    factor.L[150, 20] += 0.01
    assert factor.bound_rest() > 0.01 * abs(factor.L[150:, 20]).max()


def test_rest_counts_numbers_whose_squares_underflow():
    factor = CholeskyFactor(np.eye(2) * 2.0**-545)
    factor.L[:] = 0
    assert factor.bound_rest() >= 2.0**-544.5


def test_indefinite_matrices_prove_nothing():
    A = matrix(150, 0.5) - np.eye(150)
    with pytest.raises(np.linalg.LinAlgError):
        CholeskyFactor(A)
    assert bound_least_eigenvalue(A, 0.0, 1e-3) == 0
    assert bound_least_eigenvalue(np.full((3, 3), np.nan), 0.0, 1e-3) == 0
