"""Block fixed-point arithmetic agrees with exact sums for numbers of any size."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from flint import fmpq, fmpq_mat, fmpq_poly

from orca_exact import Problem, certify, orca
from orca_exact.numbers import fixed
from orca_exact.numbers.arithmetic import arithmetic
from orca_exact.numbers.rationals import QQ, precision_digits


def rationals(random, rows, columns, spread):
    """Return random rationals between 2^-spread and 2^spread, some of them 0."""
    return [
        [
            fmpq(random.randint(-99, 99), 7) * fmpq(2) ** random.randint(-spread, spread)
            for _ in range(columns)
        ]
        for _ in range(rows)
    ]


@pytest.mark.parametrize("digits", [15, 50, 200])
@pytest.mark.parametrize("seed", range(5))
def test_matrix_product(digits, seed):
    random, A = Random(seed), arithmetic("mp", digits)
    a, b = rationals(random, 3, 40, 30), rationals(random, 40, 4, 30)
    a[1] = [fmpq(0)] * 40
    exact = fmpq_mat(a) * fmpq_mat(b)
    found = A.matmul(A.array(a), A.array(b))
    for (i, j), value in np.ndenumerate(found):
        size = sum(abs(x * row[j]) for x, row in zip(a[i], b, strict=True))
        assert abs(QQ(value) - exact[i, j]) <= size / fmpq(10) ** digits
    assert A.matmul(A.array(np.zeros((2, 0))), A.array(np.zeros((0, 3)))).tolist() == [[0] * 3] * 2


@pytest.mark.parametrize("digits", [15, 50])
def test_polynomials(digits):
    """Check p q + r for many columns, some of them 0 and some a thousand bits below the others."""
    random, A = Random(digits), arithmetic("mp", digits)
    batches = [np.array(rationals(random, rows, 30, 10), dtype=object) for rows in (3, 4, 2)]
    for k, batch in enumerate(batches):
        batch[:, k] = fmpq(0)
        batch[:, 10:20] = batch[:, 10:20] * fmpq(2) ** -1000
    p, q, r = (A.polynomials(A.array(batch)) for batch in batches)
    found = [A.stack([batch], [6], 30)[1:] for batch in (p * q + r, r + p * q)]
    for column in range(30):
        P, Q, R = (fmpq_poly(list(batch[:, column])) for batch in batches)
        size = max(abs(x) for part in (P * Q, R) for x in [*part.coeffs(), fmpq(0)])
        for k in range(6):
            for rows in found:
                assert abs(QQ(rows[k, column]) - (P * Q + R)[k]) <= size / fmpq(10) ** digits


@pytest.mark.parametrize("digits", [15, 40])
def test_indices_agree_with_balls(digits):
    """Compare every index with balls, on kernels whose diagonal spans ten powers of ten."""
    X = [
        ["-1", "1"],
        ["99/100", "1"],
        ["1/3", "-1/7"],
        ["-1/2", "1"],
        ["1", "-3/5"],
        ["0", "0"],
        ["1/9", "1/3"],
    ]
    problem = Problem(X, [1, -1, 1, 1, -1, -1, 1], n=[12, 9], alpha="4.3", beta="1.8", C=10)
    certificate = certify(problem, level="ball", digits=2 * digits)
    witness, judge = orca(problem, certificate, "mp", digits), orca(problem, certificate, "ball", 2 * digits)
    with precision_digits(3 * digits):
        for name in ("order", "pair", "degree", "block", "even"):
            for key, ball in judge.family(name).items():
                assert abs(ball - QQ(witness.family(name)[key])) < fmpq(10) ** -digits


def test_too_few_bits_are_noticed(monkeypatch):
    """Check that 150 bits below the largest number are not enough for fifty digits."""
    whole = fixed.to_fixed
    monkeypatch.setattr(fixed, "to_fixed", lambda x, bits: whole(x, bits) >> 246 << 246)
    for test in (test_matrix_product, test_polynomials, test_indices_agree_with_balls):
        with pytest.raises(AssertionError):
            test(*(50, 0)[: test.__code__.co_argcount])
