"""Kernels of limited order, compared with sums over their modes in fractions.

The polynomials come from Gram-Schmidt on the moments (``oracle.gram_schmidt``), not from the recurrence.
"""

from __future__ import annotations

import random
from fractions import Fraction as Q
from itertools import product
from math import prod

import numpy as np
import pytest
from flint import fmpq
from oracle import gram_schmidt

from orca_exact import (
    Discrete,
    Hermite,
    Jacobi,
    Laguerre,
    OrthogonalPolynomials,
    Problem,
    certify,
    orca,
    path,
)
from orca_exact.errors import Undecided
from orca_exact.kernels.modes import Modes, elementary_symmetric, extend_symmetric, leave_one_out
from orca_exact.numbers.arithmetic import arithmetic
from orca_exact.numbers.rationals import QQ, precision_digits
from orca_exact.profile.indices import INDICES
from orca_exact.profile.profile import Profile
from orca_exact.svm.gram import gram_ratio

MEASURES = [Jacobi(0, 0), Jacobi("1/2", 0), Hermite(), Laguerre("1/3"), Discrete(["-1", "0", "1/2", "1"])]


def made(seed: int, m: int = 5) -> Problem:
    """Return a problem with a measure and a degree for each column and a limit on the order."""
    pick = random.Random(seed)
    d = pick.randint(2, 4)
    measures = [pick.choice(MEASURES) for _ in range(d)]
    n = [pick.choice([0, 1, 1, 2, 3]) for _ in range(d)]
    n[0] = max(n[0], 1)
    X = [[fmpq(pick.randint(0, 8), 8) for _ in range(d)] for _ in range(m)]
    kernel = OrthogonalPolynomials(n, measures, order=pick.randint(1, d - 1))
    return Problem(X, [1, -1, 1, -1, 1][:m], kernel=kernel, C=pick.choice([1, 10, "1/3"]))


def fraction(x: fmpq) -> Q:
    return Q(int(x.p), int(x.q))


def features(problem: Problem) -> dict[tuple[int, ...], tuple[list[Q], Q]]:
    """Return P_k(x_i) for all points and h_k/h_0, for each mode with at most ``order`` active columns."""
    bases = [gram_schmidt(J.to_json(), n) for J, n in zip(problem.measures, problem.degrees, strict=True)]
    shifted = [J.to_json()["family"] == "jacobi" for J in problem.measures]  # polynomials in 1 - x
    columns = [
        [1 - fraction(x) if shift else fraction(x) for x in column]
        for shift, column in zip(shifted, problem.points.T, strict=True)
    ]
    out = {}
    for k in product(*(range(n + 1) for n in problem.degrees)):
        if sum(map(bool, k)) <= problem.kernel.modes.order:
            chosen = [basis[degree] for basis, degree in zip(bases, k, strict=True)]
            rows = [
                [sum(c * x**e for e, c in enumerate(polynomial)) for x in column]
                for (polynomial, _), column in zip(chosen, columns, strict=True)
            ]
            out[k] = [prod(values) for values in zip(*rows, strict=True)], prod(h for _, h in chosen)
    return out


@pytest.mark.parametrize("seed", range(12))
def test_gram_matrix_and_every_index(seed):
    problem = made(seed)
    modes = features(problem)
    assert list(problem.kernel.modes) == list(modes) and problem.modes == len(modes)
    R = gram_ratio(problem)
    for i, j in product(range(problem.m), repeat=2):
        assert fraction(R[i, j]) == sum(values[i] * values[j] / h for values, h in modes.values())
    s = [fmpq(random.Random(seed).randint(-9, 9), 7) for _ in range(problem.m - 1)]
    s.append(-sum(s, fmpq(0)) + 1)
    squares = {
        k: sum(fraction(x) * value for x, value in zip(s, values, strict=True)) ** 2 / h
        for k, (values, h) in modes.items()
    }
    total = sum(squares.values())
    for name in ("exact", "ball", "verified", "mp", "float"):
        A = arithmetic(name, 40)
        profile = Profile(problem, A.array(s), A, A(1))
        for index in INDICES.values():
            expected = dict.fromkeys(index.keys(sum(problem.degrees), problem.d), Q(0))
            for k, x in squares.items():
                for key in index.keys_of(k, sum(problem.degrees)):
                    expected[key] += x / index.divisor(k) / total
            found = profile.family(index.name)
            for key, value in expected.items():
                close = abs(Q(float(found[key])) - value) <= Q(1, 10**12)
                assert fraction(found[key]) == value if name == "exact" else close, (name, index.name, key)
                if A.encloses:
                    with precision_digits(60):
                        assert found[key].contains(fmpq(value.numerator, value.denominator))
        blocks = profile.generating.blocks, profile.enumeration.blocks()
        sums = profile.generating.by_coordinate, profile.enumeration.by_coordinate()
        for first, second in (blocks, (np.array(sums[0]), np.array(sums[1]))):
            for a, b in zip(first.flat, second.flat, strict=True):
                assert abs(float((a - b) / profile.sums.norm)) < 1e-12


@pytest.mark.parametrize("seed", range(6))
def test_every_level_and_the_path_agree(seed):
    problem = made(seed)
    exact = orca(problem, certify(problem), "exact")
    ball = orca(problem, certify(problem, level="ball", digits=60), "ball", 60)
    C = problem.C
    followed = path(problem, level="exact").at(C)
    for q, value in enumerate(exact.order):
        assert float(followed.order[q]) == pytest.approx(float(value), abs=1e-12)
        assert abs(float(ball.order[q]) - float(value)) < 1e-15
    for i in range(1, problem.d + 1):
        assert abs(float(ball.total[i]) - float(exact.total[i])) < 1e-15
        assert abs(float(ball.shapley[i]) - float(exact.shapley[i])) < 1e-15
    assert sum(exact.order[problem.kernel.order + 1 :]) == 0


def test_the_order_of_all_columns_is_no_limit():
    X, y = [["0.1", "0.5"], ["-0.3", "1"], ["0.7", "-1"]], [1, -1, 1]
    full = Problem(X, y, 2, 0, 0)
    limited = Problem(X, y, kernel=OrthogonalPolynomials(2, order=2))
    assert limited == full and limited.sha256 == full.sha256
    assert limited.to_json()["schema"].endswith("/1")
    one = Problem(X, y, kernel=OrthogonalPolynomials(2, order=1))
    assert one.to_json()["schema"].endswith("/3") and Problem.from_json(one.to_json()) == one
    assert one.replace(C=7).kernel == one.kernel and one.replace(n=3).kernel.order == 1


def test_an_additive_problem_has_no_interactions():
    problem = Problem(
        [["0.1", "0.5"], ["-0.3", "1"], ["0.7", "-1"]], [1, -1, 1], kernel=OrthogonalPolynomials(3, order=1)
    )
    profile = orca(problem, certify(problem), "exact")
    assert profile.order == [0, 1, 0] and profile.pair[1, 2] == 0
    assert profile.total == profile.marginal == profile.shapley


def test_totals_of_known_shares():
    """With shares a of {1}, b of {2} and c of {1, 2}, the totals are a + c and b + c."""
    problem = Problem(
        [["1", "1"], ["-1", "-1"], ["1", "-1"], ["-1", "1/2"]], [1, 1, -1, -1], n=1, alpha=0, beta=0, C=10
    )
    profile = orca(problem, certify(problem), "exact")
    a, b, c = profile.marginal[1], profile.marginal[2], profile.pair[1, 2]
    assert (profile.total[1], profile.total[2]) == (a + c, b + c)
    assert (profile.shapley[1], profile.shapley[2]) == (a + c / 2, b + c / 2)
    assert profile.variance == profile.norm2 * problem.lambda_exact


@pytest.mark.parametrize(
    ("kernel", "message"),
    [
        (lambda: OrthogonalPolynomials(2, order=0), "order: 0 is not an integer of at least 1"),
        (lambda: OrthogonalPolynomials(2, order=1.5), "order: 1.5 is not an integer of at least 1"),
        (lambda: OrthogonalPolynomials(2, order=3), "order: 3 is more than the 2 columns"),
        (lambda: OrthogonalPolynomials([1, 2, 3]), "n: 3 values were given for 2 coordinates"),
        (lambda: OrthogonalPolynomials(2, "legendre"), "measures: 'legendre' is not a measure"),
        (lambda: "rbf", "kernel: 'rbf' is not a kernel"),
    ],
)
def test_bad_kernels(kernel, message):
    with pytest.raises(ValueError, match=message):
        Problem([[0, 1], [1, 0]], [1, -1], kernel=kernel())


def test_a_kernel_and_its_short_form_exclude_each_other():
    with pytest.raises(ValueError, match="kernel: a value was given together with n"):
        Problem([[0, 1], [1, 0]], [1, -1], n=2, kernel=OrthogonalPolynomials(2))
    with pytest.raises(ValueError, match="under: Hermite"):
        Problem([[0, 1], [1, 0]], [1, -1], kernel=OrthogonalPolynomials(2), under=Hermite())


@pytest.mark.parametrize("seed", range(20))
def test_modes_and_symmetric_polynomials(seed):
    pick = random.Random(seed)
    d = pick.randint(1, 5)
    degrees, order = tuple(pick.randint(0, 3) for _ in range(d)), pick.randint(1, d)
    modes = Modes(degrees, order)
    listed = [k for k in product(*(range(n + 1) for n in degrees)) if sum(map(bool, k)) <= order]
    assert list(modes) == listed and modes.count == len(listed)
    assert modes.labels.tolist() == [[sum(map(bool, k)), sum(k)] for k in listed]
    columns = [np.array([[QQ(1)], *([QQ(pick.randint(-5, 5))] for _ in range(n))]) for n in degrees]
    expected = [prod((columns[i][j, 0] for i, j in enumerate(k)), start=QQ(1)) for k in listed]
    assert modes.products(columns)[:, 0].tolist() == expected
    b = [pick.randint(-5, 5) for _ in range(d)]
    e = elementary_symmetric(b, order)
    polynomial = np.array([1], dtype=object)
    for x in b:
        polynomial = np.convolve(polynomial, [1, x])
    assert e[1:] == polynomial[1 : order + 1].tolist()
    others = leave_one_out(b, (None,), lambda e, rest: extend_symmetric(e, rest, order))
    for i, found in enumerate(others):
        assert list(found) == elementary_symmetric(b[:i] + b[i + 1 :], order)


def test_exact_coefficients_of_long_fractions():
    """The dual variables have hundreds of digits here; SymPy cannot take the root of their square."""
    pick = random.Random(1)
    X = [[fmpq(pick.randint(-9, 9), 10) for _ in range(4)] for _ in range(12)]
    y = [1 if x[0] * x[1] + x[2] / 3 > 0 else -1 for x in X]
    problem = Problem(X, y, kernel=OrthogonalPolynomials(2, order=2), C=5)
    proof = certify(problem)
    exact, ball = orca(problem, proof, "exact"), orca(problem, proof, "ball", 30)
    found = exact.coefficients()
    for k, c in ball.coefficients().items():
        assert float(found[k]) == pytest.approx(float(c), rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("alpha", [0, "1/2"], ids=["rational", "irrational"])
@pytest.mark.parametrize("order", [2, None])
def test_exact_coefficients_add_up_to_the_norm(alpha, order):
    X = [["1/2", "1/3", "0"], ["-1/2", "1", "1/4"], ["1/5", "-1", "1/2"], ["-1", "0", "-1/3"]]
    kernel = OrthogonalPolynomials(2, Jacobi(alpha, 0), order)
    problem = Problem(X, [1, -1, 1, -1], kernel=kernel, C="1/3")
    profile = orca(problem, certify(problem), "exact")
    squares = sum(float(c) ** 2 for c in profile.coefficients().values())
    assert squares == pytest.approx(float(profile.norm2), rel=1e-12)


def test_structural_zeros_are_exact():
    problem = made(1)
    profile = orca(problem, certify(problem, level="gap"), "ball")
    above = [q for q in range(problem.d + 1) if q > problem.kernel.order]
    assert above and all(profile.order[q].is_zero() for q in above)
    assert all(profile.block[q, N].is_zero() for q in above for N in range(sum(problem.degrees) + 1))


def test_plain_arithmetic_that_lost_all_digits_is_undecided():
    """At C = 1e8 the two equal points of different classes cancel in float64."""
    problem = Problem([["1"], ["-1/3"], ["-1/3"], ["1/2"]], [1, -1, 1, -1], n=1, alpha=0, beta=0, C="1e8")
    proof = certify(problem)
    assert orca(problem, proof, "exact").order[1] == 1
    with pytest.raises(Undecided, match="use the arithmetic 'ball' or 'exact'"):
        orca(problem, proof, "float").order  # noqa: B018
