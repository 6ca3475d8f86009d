"""Shapley values of single rows: the closed form against all sets of columns, and their enclosures."""

from __future__ import annotations

import random
from functools import partial
from itertools import product
from math import factorial

import numpy as np
import pytest
from flint import arb, fmpq
from subsets import all_subsets

from orca_exact import (
    RBF,
    Discrete,
    Jacobi,
    Linear,
    Normal,
    OrthogonalPolynomials,
    Polynomial,
    Problem,
    Solution,
    Uniform,
    certify,
    orca,
)
from orca_exact.errors import BadParameter
from orca_exact.numbers.arithmetic import arithmetic
from orca_exact.numbers.rationals import contains, to_float
from orca_exact.profile.attributions import gauss_rule
from orca_exact.profile.profile import Profile

KERNELS = [
    Linear(), Polynomial(2, "1/2", 1), Polynomial(4, 1, 0), OrthogonalPolynomials(2),
    OrthogonalPolynomials([2, 0, 1, 1]), OrthogonalPolynomials(2, order=1), OrthogonalPolynomials(1, order=2),
    OrthogonalPolynomials(2, order=3),
]  # fmt: skip
ROWS = [[fmpq(1, 3), fmpq(-1, 2), fmpq(3, 4), fmpq(0)], [fmpq(1), fmpq(1, 5), fmpq(-1), fmpq(2, 7)]]


def small(kernel, under=None, m=8, d=4, seed=2):
    pick = random.Random(seed)
    X = [[fmpq(pick.randint(-16, 16), 16) for _ in range(d)] for _ in range(m)]
    return Problem(X, [1, -1] * (m // 2), kernel=kernel, C=2, under=under, names=list("abcdefghij")[:d])


def shapley_of_game(v, d):
    """Return the Shapley values of a game by their definition, a mean over all orders of the columns."""
    known = {S: v(S) for S in all_subsets(d)}
    out = []
    for j in range(1, d + 1):
        total = 0
        for S in known:
            if j not in S:
                weight = fmpq(factorial(len(S)) * factorial(d - len(S) - 1), factorial(d))
                step = known[tuple(sorted((*S, j)))] - known[S]
                total = total + (to_float(weight) if isinstance(step, float) else weight) * step
        out.append(total)
    return out


def h_at(problem, alpha, points):
    """Return h by its definition; lambda is rational here."""
    every = np.array([*problem.points, *points], dtype=object)
    R = problem.kernel.at(every, arithmetic("exact")).block(slice(problem.m, None), slice(problem.m))
    s = [a * y * problem.lambda_exact for a, y in zip(alpha, problem.y, strict=True)]
    return [sum((r * c for r, c in zip(row, s, strict=True)), fmpq(0)) for row in R]


def mean_game(h, row, others):
    """Return v(S), the mean of h over ``others`` with the columns in S replaced by those of a row."""

    def v(S):
        points = [[row[k] if k + 1 in S else z for k, z in enumerate(other)] for other in others]
        values = h(points)
        return sum(values[1:], values[0]) / len(values)

    return v


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_a_background_by_all_sets_of_columns(kernel):
    problem = small(kernel)
    alpha = tuple(fmpq(k, 10) for k in (3, 6, 7, 8, 4, 1, 5, 4))
    background = problem.points[:3].tolist()
    found = orca(problem, Solution(problem, alpha), "exact").attributions(ROWS, background)
    h = partial(h_at, problem, alpha)
    for row, values, decision in zip(ROWS, found.values, found.decision, strict=True):
        v = mean_game(h, row, background)
        assert list(values) == shapley_of_game(v, 4)
        assert found.base == v(()) and decision == v((1, 2, 3, 4)) == found.base + sum(values)


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_the_measure_by_all_components_and_by_all_sets(kernel):
    problem = small(kernel)
    nodes = [[fmpq(-1), fmpq(1, 2)], [fmpq(0), fmpq(1), fmpq(2)], [fmpq(-1), fmpq(1)], [fmpq(1, 3)]]
    own = kernel.family == "orthogonal"
    if not own:
        problem = problem.replace(under=[Discrete(each) for each in nodes])
    alpha = tuple(fmpq(k, 10) for k in (3, 6, 7, 8, 4, 1, 5, 4))
    profile = orca(problem, Solution(problem, alpha), "exact")
    found = profile.attributions(ROWS)
    for row, values in zip(ROWS, found.values, strict=True):
        sums = [fmpq(0)] * 4
        for S in all_subsets(4)[1:]:
            (part,) = profile.component(S)([[row[i - 1] for i in S]])
            for i in S:
                sums[i - 1] += part / len(S)
        assert list(values) == sums
        if not own:
            v = mean_game(partial(h_at, problem, alpha), row, [*product(*nodes)])
            assert list(values) == shapley_of_game(v, 4) and found.base == v(())


@pytest.mark.parametrize("under", [None, Uniform(), Normal(0, "1/2")], ids=str)
def test_rbf_in_every_arithmetic(under):
    """Under the empirical measure all sets are summed; otherwise the arithmetics and the sums must agree."""
    problem = small(RBF("3/2"), under)
    certificate = certify(problem, level="ball", digits=20)
    s = np.array([float(a) for a in certificate.alpha()]) * problem.signs.astype(float)
    P = problem.points.astype(float)

    def h(Z):
        return (problem.kernel(np.array(Z, dtype=float), P) @ s).tolist()

    row = [float(x) for x in ROWS[0]]
    cases = [(P[:3].tolist(), mean_game(h, row, P[:3].tolist()))]
    if under is None:
        cases.append((None, mean_game(h, row, [*product(*P.T.tolist())])))
    ball = orca(problem, certificate, "ball", 20)
    for background, v in cases:
        expected = shapley_of_game(v, 4)
        for name in ("ball", "verified", "float", "mp"):
            found = orca(problem, certificate, name, 20).attributions(row, background)
            assert np.array(found.values, dtype=float)[0] == pytest.approx(expected, abs=1e-12)
            assert float(found.base) == pytest.approx(v(()), abs=1e-12)
    exact = ball.attributions(row)
    for name in ("verified", "float", "mp"):
        found = orca(problem, certificate, name, 20).attributions(row)
        for x, z in zip(found.values[0], exact.values[0], strict=True):
            assert float(x) == pytest.approx(float(z), abs=1e-12)
            assert name != "verified" or x.overlaps(z)
    assert (sum(exact.values[0]) + exact.base).overlaps(exact.decision[0])
    assert float(exact.decision[0]) == pytest.approx(h([row])[0], abs=1e-12)


def test_many_columns_lose_no_digits():
    """With ten columns and a narrow kernel, differences between orders would cancel."""
    problem = small(RBF(3), Uniform(-2, 2), d=10)
    certificate = certify(problem, level="ball", digits=20)
    row = [fmpq(k, 11) for k in range(10)]
    plain, ball = (orca(problem, certificate, name, 20).attributions(row) for name in ("float", "ball"))
    assert plain.values[0] == pytest.approx([float(x) for x in ball.values[0]], rel=1e-9)
    assert max(float(x.rad()) for x in ball.values[0]) < 1e-15


@pytest.mark.parametrize("order", range(1, 8))
def test_the_rule_integrates_polynomials(order):
    for k in range(order):
        exact = gauss_rule(arithmetic("exact"), order)
        assert sum(w * t**k for t, w in exact) == fmpq(1, k + 1)
        ball = gauss_rule(arithmetic("ball", 20), order)
        assert contains(sum((w * t**k for t, w in ball), arb(0)), fmpq(1, k + 1))


NEAR = [(kernel, 4) for kernel in (*KERNELS[1:4], KERNELS[6], RBF("1/2"))] + [(RBF(50), 1)]


@pytest.mark.parametrize(("kernel", "d"), NEAR, ids=str)
def test_error_bounds_hold_for_another_w(kernel, d):
    """If w differs by a known distance, values are enclosed; the difference is a kernel at one row."""
    problem = small(kernel, None if kernel.family == "orthogonal" else Uniform(-1, 1), d=d)
    A, plain = arithmetic("verified"), arithmetic("float")
    s = np.array([to_float(y) * (k + 1) / 8 for k, y in enumerate(problem.signs)])
    profiles = []
    step = np.zeros(8)
    step[3] = 0.25
    distance = 0.25 * float(problem.kernel(problem.points[3:4], problem.points[3:4])[0, 0]) ** 0.5
    for coefficients, backend, error in ((s, A, arb(distance * 1.000001)), (s + step, plain, None)):
        with backend.scope():
            elements = backend.elements([arb(x) for x in coefficients] if error else coefficients)
            profiles.append(Profile(problem, elements, backend, problem.lambda_in(backend), error))
    near, optimal = profiles
    for x in (problem.points[3], np.array(ROWS[0][:d])):
        for background in (None, problem.points[:2]):
            wide, exact = (p.attributions(x, background) for p in (near, optimal))
            pairs = [*zip(wide.values[0], exact.values[0], strict=True), (wide.base, exact.base)]
            for enclosure, value in [*pairs, (wide.decision[0], exact.decision[0])]:
                assert abs(float(enclosure) - float(value)) <= float(enclosure.rad()) + 1e-12
            assert max(float(z.rad()) for z in wide.values[0]) < 60 * distance
        for S in all_subsets(d)[1:]:
            point = [[x[i - 1] for i in S]]
            (enclosure,), (value,) = (p.component(S)(point) for p in (near, optimal))
            if len(S) <= near.generating.support.parts.order:
                assert abs(float(enclosure) - float(value)) <= float(enclosure.rad()) + 1e-12


def test_a_gap_is_enough():
    problem = small(OrthogonalPolynomials(2, order=2))
    exact = orca(problem, certify(problem), "exact")
    near = orca(problem, certify(problem, level="gap"), "verified")
    for x, z in zip(near.attributions(ROWS).values.flat, exact.attributions(ROWS).values.flat, strict=True):
        assert contains(x, z) and float(x.rad()) > 0
    (x,), (z,) = (found.component(["a", "b"])([[0, "1/2"]]) for found in (near, exact))
    assert contains(x, z)


def test_a_bias_moves_the_base_and_nothing_else():
    problem = small(Polynomial(2, 1, 1))
    certificate = certify(problem)
    profile = orca(problem, certificate, "exact")
    plain, moved = profile.attributions(ROWS), profile.attributions(ROWS, bias="1/3")
    assert np.all(plain.values == moved.values)
    assert moved.base == plain.base + fmpq(1, 3) and moved.decision[1] == plain.decision[1] + fmpq(1, 3)
    ball = orca(problem, certificate, "float").attributions(ROWS, bias=certificate.bias())
    assert float(ball.base) == pytest.approx(float(plain.base) + float(certificate.bias()))


def test_an_irrational_lambda():
    X = [["0.5", "-0.25"], ["-0.75", "0.5"], ["0.1", "0.9"], ["-0.3", "-0.8"]]
    problem = Problem(X, [1, -1, 1, -1], n=2, measures=Jacobi("1/3", 0), C="1/20")
    certificate = certify(problem)
    exact, ball = orca(problem, certificate, "exact"), orca(problem, certificate, "ball", 30)
    for background in (None, [[0, 0], [0.5, 1]]):
        found, other = (each.attributions([0.25, 0.5], background) for each in (exact, ball))
        assert sum(found.values[0]) == found.decision[0] - found.base
        for x, z in zip(found.values[0], other.values[0], strict=True):
            assert z.overlaps(x.ball(40)) and z.rad() < 1e-15
        moved = exact.attributions([0.25, 0.5], background, certificate.bias())
        assert moved.decision[0].overlaps(found.decision[0].ball(50) + certificate.bias())


def test_tables_and_what_is_refused():
    problem = small(RBF(1))
    profile = orca(problem, certify(problem, level="ball", digits=20), "float")
    found = profile.attributions(ROWS)
    assert list(found.to_frame().columns) == list("abcd") and found.to_frame().shape == (2, 4)
    assert found.row(1)["c"] == found.values[1, 2] == found.row(1)[3]
    sizes = [abs(row["adds"]) for row in found.rows() if row["row"] == 0]
    assert sizes == sorted(sizes, reverse=True)
    assert "empirical distribution of each column" in found._repr_html_()
    assert "3 background rows" in profile.attributions(ROWS, problem.points[:3])._repr_html_()
    with pytest.raises(BadParameter, match="3 values were given for 4 columns"):
        profile.attributions([0, 1, 2])
    with pytest.raises(BadParameter, match="1 value was given for 4 columns"):
        profile.attributions([[0, 1, 2, 3], [0]])
    with pytest.raises(BadParameter, match="background: 3 is not a list of rows"):
        profile.attributions([0, 1, 2, 3], 3)
    with pytest.raises(BadParameter, match="row: 2 is not a row; pass one from 0 to 1"):
        found.row(2)
