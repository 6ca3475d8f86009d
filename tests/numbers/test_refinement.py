"""Systems solved by refinement from float64 contain the solution over the rationals."""

import numpy as np
import pytest
from flint import arb, arb_mat, fmpq, fmpq_mat

from orca_exact.numbers.midrad import MidRad
from orca_exact.numbers.rationals import contains, precision_digits
from orca_exact.numbers.refinement import refine_solution


def system(size: int, spread: int) -> tuple[fmpq_mat, fmpq_mat]:
    """Return a random rational system whose rows and columns differ by powers of two."""
    random = np.random.default_rng(size)
    whole = random.integers(-999, 1000, (size, size + 2)).tolist()
    powers = [fmpq(2) ** int(k) for k in random.integers(-spread, spread + 1, size)]
    A = [
        [fmpq(x, 1001) * powers[i] * powers[j] for j, x in enumerate(row[:size])]
        for i, row in enumerate(whole)
    ]
    return fmpq_mat(A), fmpq_mat(
        [[fmpq(x, 7) * powers[i] for x in row[size:]] for i, row in enumerate(whole)]
    )


def scaled(A: fmpq_mat) -> tuple[MidRad, np.ndarray]:
    rows = np.array(A.tolist(), dtype=object)
    scale = np.exp2(-np.round(np.log2(abs(rows.astype(float)).max(axis=1)) / 2))
    return MidRad.from_rationals(rows) * np.outer(scale, scale), scale


@pytest.mark.parametrize(("size", "spread"), [(1, 0), (5, 3), (30, 0), (30, 10)])
@pytest.mark.parametrize("digits", [20, 80, 400])
def test_the_solution_is_enclosed_to_the_working_precision(size, spread, digits):
    A, b = system(size, spread)
    truth, (M, scale) = A.solve(b), scaled(A)
    with precision_digits(digits):
        found = refine_solution(arb_mat(A), arb_mat(b), M, scale)
    assert found is not None
    for x, q in zip(found.entries(), truth.entries(), strict=True):
        assert contains(x, q)
        assert float(x.rad() / abs(arb(q))) < 10.0 ** (6 - min(digits, 290)) or q == 0


def test_a_wide_right_hand_side_stays_inside():
    """The radius covers every system in the balls, not only that of the midpoints."""
    A, b = system(6, 0)
    M, scale = scaled(A)
    with precision_digits(50):
        wide = arb_mat([[arb(x, arb("1e-9")) for x in row] for row in b.tolist()])
        found = refine_solution(arb_mat(A), wide, M, scale)
    assert found is not None
    for sign in (1, -1):
        moved = fmpq_mat([[x + sign * fmpq(1, 10**9) for x in row] for row in b.tolist()])
        assert all(contains(x, q) for x, q in zip(found.entries(), A.solve(moved).entries(), strict=True))


def test_a_system_that_float64_cannot_solve_is_left_to_others():
    near = fmpq_mat([[1, 1], [1, 1 + fmpq(1, 10**17)]])
    for A in (near, fmpq_mat([[1, 1], [1, 1]])):
        M, scale = MidRad.from_rationals(np.array(A.tolist(), dtype=object)), np.ones(2)
        assert refine_solution(arb_mat(A), arb_mat([[1], [0]]), M, scale) is None
