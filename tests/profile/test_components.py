"""Parts of h as functions, their covariances with h, the degrees of RBF, and the measure in words."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st
from marks import quick
from subsets import all_subsets, on_grid, parts_on_grid

from orca_exact import (
    RBF,
    Discrete,
    Empirical,
    Hermite,
    Jacobi,
    Laguerre,
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
from orca_exact.errors import BadParameter, TooLarge
from orca_exact.numbers.rationals import QQ, contains, to_float
from orca_exact.profile.under import describe_under, variance_over_rows
from orca_exact.svm.tau import Ratio

value = st.fractions(min_value=-1, max_value=1, max_denominator=8)
KERNELS = [
    Linear(), Polynomial(2, "1/2", 1), Polynomial(3, 1, 0), OrthogonalPolynomials(2),
    OrthogonalPolynomials(2, order=1), OrthogonalPolynomials([2, 0, 1]),
]  # fmt: skip


def h_at(problem: Problem, solution: Solution, points: list) -> list[fmpq]:
    """Return h by its definition, lambda included; lambda is rational here."""
    every = np.array([*problem.points, *points], dtype=object)
    from orca_exact.numbers.arithmetic import arithmetic

    R = problem.kernel.at(every, arithmetic("exact")).block(slice(problem.m, None), slice(problem.m))
    s = [a * y * problem.lambda_exact for a, y in zip(solution.alpha, problem.y, strict=True)]
    return [sum((r * c for r, c in zip(row, s, strict=True)), fmpq(0)) for row in R]


@st.composite
def solutions(draw):
    """Draw a problem with three columns and dual variables that need not be optimal."""
    X = [[QQ(draw(value)) for _ in range(3)] for _ in range(5)]
    X[0], X[1] = [fmpq(-1), fmpq(0), fmpq(1, 2)], [fmpq(1), fmpq(1), fmpq(-1)]
    kernel = draw(st.sampled_from(KERNELS))
    under = None
    if kernel.family != "orthogonal":
        under = draw(
            st.sampled_from([None, Uniform(), Normal(0, 2), [Uniform(-1, 2), Hermite(), Discrete([0, 1])]])
        )
    problem = Problem(X, [1, -1, 1, -1, 1], kernel=kernel, under=under)
    return problem, Solution(problem, tuple(fmpq(k, 10) for k in (3, 6, 7, 8, 4)))


@settings(max_examples=25)
@given(solutions(), st.lists(st.tuples(value, value, value), min_size=2, max_size=2))
def test_components_add_up_to_h(drawn, points):
    """The sum of all parts differs from h by a constant, also away from the nodes of a discrete measure."""
    problem, solution = drawn
    found = orca(problem, solution, "exact")
    rows = [[QQ(x) for x in row] for row in points]
    sums = [fmpq(0)] * len(rows)
    for S in all_subsets(3)[1:]:
        values = found.component(S)([[row[i - 1] for i in S] for row in rows])
        sums = [a + b for a, b in zip(sums, values, strict=True)]
    h = h_at(problem, solution, rows)
    assert h[0] - sums[0] == h[1] - sums[1]


@settings(max_examples=15)
@given(solutions())
def test_the_variance_of_a_component_is_its_share(drawn):
    """Under discrete measures the means over each column vanish, and Var(f_S) is the share of Var(h)."""
    problem, solution = drawn
    if problem.kernel.own_measures is not None:
        return
    nodes = [[fmpq(-1), fmpq(1, 2)], [fmpq(0), fmpq(1), fmpq(2)], [fmpq(-1), fmpq(1)]]
    problem = problem.replace(under=[Discrete(each) for each in nodes])
    found = orca(problem, Solution(problem, solution.alpha), "exact")
    for S in all_subsets(3)[1:]:
        axes = [nodes[i - 1] for i in S]
        grid = np.array(np.meshgrid(*map(range, map(len, axes)), indexing="ij")).reshape(len(S), -1).T
        values = found.component(S)([[axes[k][j] for k, j in enumerate(row)] for row in grid])
        shaped = np.array(values, dtype=object).reshape([len(axis) for axis in axes])
        for axis in range(len(S)):
            assert np.all(shaped.sum(axis=axis) == 0)
        assert sum((x * x for x in values), fmpq(0)) / len(values) == found.subset(S) * found.variance


def small(kernel, under=None, C=2, m=8, seed=2):
    pick = random.Random(seed)
    X = [[fmpq(pick.randint(-16, 16), 16) for _ in range(3)] for _ in range(m)]
    for row in X:
        row[2] = row[0] / 2 + fmpq(pick.randint(-2, 2), 16)  # correlated columns
    return Problem(X, [1, -1] * (m // 2), kernel=kernel, C=C, under=under, names=["a", "b", "c"])


@pytest.mark.parametrize("under", [None, Uniform(), Normal(0, "1/2")], ids=str)
def test_rbf_components_against_quadrature(under):
    problem = small(RBF("3/2"), under)
    certificate = certify(problem, level="ball", digits=20)
    s = np.array([float(a) for a in certificate.alpha()]) * problem.signs.astype(float)
    X = np.array([[to_float(x) for x in row] for row in problem.points])
    nodes, weights = [], []
    for mu in problem.index_measures:
        if isinstance(mu, Discrete):
            t, w = np.array([to_float(x) for x in mu.nodes]), np.array([to_float(x) for x in mu.weights])
        elif isinstance(mu, Uniform):
            t, w = np.polynomial.legendre.leggauss(20)
            t = to_float(mu.centre) + to_float(mu.half_width) * t
        else:
            t, w = np.polynomial.hermite_e.hermegauss(40)
            t = to_float(mu.mean) + to_float(mu.sd) * t
        nodes.append(t)
        weights.append(w / w.sum())
    expected = parts_on_grid(on_grid(lambda P: problem.kernel(P, X) @ s, nodes), weights)
    for arithmetic in ("ball", "verified", "float", "mp"):
        found = orca(problem, certificate, arithmetic, 20)
        for S in [(1,), (2, 3), (1, 2, 3)]:
            places = [(k, (k + 1) % len(nodes[0]), 0)[: len(S)] for k in (0, 3)]
            values = found.component(S)(
                [[float(nodes[i - 1][j]) for i, j in zip(S, place, strict=True)] for place in places]
            )
            for place, x in zip(places, values, strict=True):
                index = [0, 0, 0]
                for i, j in zip(S, place, strict=True):
                    index[i - 1] = j
                assert float(x) == pytest.approx(expected[S][tuple(index)], abs=1e-10)


@pytest.mark.parametrize("kernel", KERNELS[:5], ids=str)
def test_covariances_add_up_exactly(kernel):
    problem = small(kernel)
    found = orca(problem, certify(problem), "exact")
    table = found.covariances()
    assert sum(table.order) == 1 and table.order[0] == 0
    assert sum(table.marginal.values()) == table.order[1]
    assert sum(table.pair.values(), fmpq(0)) == table.order[2]
    enclosed = orca(problem, certify(problem, level="ball", digits=20), "ball", 20).covariances()
    assert contains(enclosed.variance, table.variance)
    for q in range(4):
        assert contains(enclosed.order[q], table.order[q])


def test_covariances_by_definition():
    """The covariance of the part of one column with h over the rows, computed in fractions."""
    problem = small(Polynomial(2, 1, 1))
    found = orca(problem, certify(problem), "exact")
    rows = problem.points.tolist()
    f = found.component(["b"])([row[1] for row in rows])
    parts = [found.component(S)([[row[i - 1] for i in S] for row in rows]) for S in all_subsets(3)[1:]]
    h = [sum(values, fmpq(0)) for values in zip(*parts, strict=True)]

    def covariance(x, z):
        mx, mz = (sum(v, fmpq(0)) / len(v) for v in (x, z))
        return sum(((a - mx) * (b - mz) for a, b in zip(x, z, strict=True)), fmpq(0)) / len(x)

    assert found.covariances().marginal["b"] == covariance(f, h) / covariance(h, h)
    assert found.covariances().variance == covariance(h, h)


def test_covariances_are_shares_if_the_rows_are_a_grid():
    X = [[a, b] for a in (0, 1, 2) for b in (0, 1)]
    problem = Problem(X, [1, -1, -1, 1, 1, -1], kernel=Polynomial(3, 1, 1), C=10)
    found = orca(problem, certify(problem), "exact")
    table = found.covariances()
    assert table.marginal == found.marginal and table.pair == found.pair
    assert table.variance == found.variance


def test_a_covariance_can_be_negative():
    """The second column is nearly the first one, and has the opposite sign in h."""
    X = [[4, 5], [6, 7], [1, 1], [0, 1], [0, 1], [2, 2]]
    problem = Problem(X, [1, -1, -1, -1, 1, -1], kernel=Linear(), C=100)
    table = orca(problem, certify(problem), "exact").covariances()
    assert min(table.marginal.values()) < 0 < max(table.marginal.values())
    frame = table.to_frame()
    assert list(frame.columns) == ["index", "covariance", "share"] and frame["covariance"].min() < 0


def test_components_with_an_irrational_lambda():
    X = [["0.5", "-0.25"], ["-0.75", "0.5"], ["0.1", "0.9"], ["-0.3", "-0.8"]]
    problem = Problem(X, [1, -1, 1, -1], n=2, measures=Jacobi("1/3", 0), C="1/20")
    certificate = certify(problem)
    exact, ball = orca(problem, certificate, "exact"), orca(problem, certificate, "ball", 30)
    for S in ([1], [1, 2]):
        for x, z in zip(
            *(found.component(S)([[0.25, 0.5][: len(S)]]) for found in (exact, ball)), strict=True
        ):
            enclosure = x.ball(40) if isinstance(x, Ratio) else arb(x)
            assert z.overlaps(enclosure) and not z.contains(0)
    assert sum(exact.covariances().order) == 1


def test_components_refuse_what_they_cannot_enclose():
    problem = small(RBF(1))
    found = orca(problem, certify(problem, level="gap"), "verified")
    with pytest.raises(BadParameter, match="which prove nothing"):
        found.covariances()
    with pytest.raises(BadParameter, match="the empty set has no component"):
        orca(problem, certify(problem, level="gap"), "float").component([])
    component = orca(problem, certify(problem, level="gap"), "float").component([1, 2])
    with pytest.raises(BadParameter, match="1 value was given for 2 columns"):
        component([[0.5]])


def test_a_limited_order_has_no_larger_components():
    problem = small(OrthogonalPolynomials(2, order=1))
    found = orca(problem, certify(problem), "exact")
    assert found.component([1, 2])([[0, "1/2"]]).tolist() == [0]
    assert found.covariances().pair["a", "b"] == 0


# Degrees of the RBF kernel.


def degree_shares(problem: Problem, s: np.ndarray, n: int) -> np.ndarray:
    """Return the squared coefficients of h by total degree, by equidistant nodes and QR of polynomials."""
    gamma, columns = to_float(problem.kernel.gamma), []
    for column, mu in enumerate(problem.index_measures):
        if isinstance(mu, Uniform):
            low, high = to_float(mu.lower), to_float(mu.upper)
            t, w = np.linspace(low, high, 8001), np.tile([4.0, 2.0], 4001)[:8001]  # Simpson's rule
            w = np.roll(w, 1)
            w[[0, -1]] = 1
        else:
            t = np.linspace(-12, 12, 4001)
            w = np.exp(-(t**2) / 2)
            t = to_float(mu.mean) + to_float(mu.sd) * t
        w = w / w.sum()
        z = (t - t.mean()) / (t.max() - t.mean()) * (1 if isinstance(mu, Uniform) else 3)
        basis = np.linalg.qr(np.polynomial.legendre.legvander(z, n) * np.sqrt(w)[:, None])[0]
        x = np.array([to_float(row[column]) for row in problem.points])
        columns.append((np.exp(-gamma * (x[:, None] - t) ** 2) * np.sqrt(w)) @ basis)
    squares = np.einsum("i,ia,ib,ic->abc", s, *columns) ** 2
    sums = np.zeros(3 * n + 1)
    for k, value in np.ndenumerate(squares):
        sums[sum(k)] += value
    return sums[: n + 1]


@pytest.mark.parametrize("gamma", quick(["0.01", "0.7", "20", "300"], ["0.7", "20"]))
@pytest.mark.parametrize(
    "under", [Uniform(), Normal(0, "1/2"), [Uniform(-2, 3), Normal(1, 1), Uniform()]], ids=str
)
def test_degrees_of_rbf(gamma, under):
    n = 6
    problem = small(RBF(gamma), under)
    certificate = certify(problem, level="ball", digits=20)
    s = np.array([float(a) for a in certificate.alpha()]) * problem.signs.astype(float)
    ball = orca(problem, certificate, "ball", 20)
    expected = degree_shares(problem, s, n) / float(ball.variance)
    found = ball.spectrum(n)
    assert found.n == n and found.degree[0] == 0
    for N in range(1, n + 1):
        assert float(found.degree[N]) == pytest.approx(expected[N], abs=1e-9)
    assert contains(sum(found.degree) + found.beyond, fmpq(1))
    assert found.beyond.rad() < 1e-15
    for arithmetic in ("verified", "float", "mp"):
        other = orca(problem, certificate, arithmetic, 20).spectrum(n)
        for x, z in zip(other.degree, found.degree, strict=True):
            assert float(x) == pytest.approx(float(z), abs=1e-7)
            assert arithmetic != "verified" or x.overlaps(z)


def test_more_degrees_leave_less_beyond():
    problem = small(RBF(1), Uniform())
    found = orca(problem, certify(problem, level="ball", digits=20), "ball", 20)
    few, many = found.spectrum(2), found.spectrum(5)
    assert few.beyond > many.beyond > 0
    for x, z in zip(few.degree, many.degree, strict=False):
        assert x.overlaps(z)


def test_a_constant_column_has_degree_zero():
    X = [[0, 1, 2], [1, 0, 2], [1, 1, 2], [0, 0, 2]]
    problem = Problem(X, [1, 1, -1, -1], kernel=RBF(1), under=Uniform(), C=5)
    plain = Problem([row[:2] for row in X], [1, 1, -1, -1], kernel=RBF(1), under=Uniform(), C=5)
    three, two = (
        orca(p, certify(p, level="ball", digits=20), "ball", 20).spectrum(4) for p in (problem, plain)
    )
    assert all(x.overlaps(z) for x, z in zip(three.degree, two.degree, strict=True))


def test_degrees_are_refused_with_the_reason():
    problem = small(RBF(1))
    found = orca(problem, certify(problem, level="ball", digits=20), "float")
    with pytest.raises(BadParameter, match=r"discrete measure of a has no polynomials of every degree"):
        found.spectrum(3)
    with pytest.raises(BadParameter, match=r"'degree' does not exist for the RBF kernel.*spectrum\(n\)"):
        found.degree  # noqa: B018
    other = small(Linear(), Uniform())
    with pytest.raises(BadParameter, match="has finitely many degrees"):
        orca(other, certify(other), "exact").spectrum(3)
    uniform = small(RBF(1), Uniform())
    with pytest.raises(TooLarge, match="n: 500 is more than 200"):
        orca(uniform, certify(uniform, level="ball", digits=20), "float").spectrum(500)


# The measure in words.


@pytest.mark.parametrize(
    ("under", "words"),
    [
        (None, "the empirical distribution of each column"),
        (Uniform(), "the uniform distribution on the range of each column"),
        (Uniform(0, "1/2"), "uniform on [0, 0.5] in each column"),
        (Normal(0, 0.1), "normal (mean 0, sd 0.1 (rounded)) in each column"),
        ([Empirical(), Empirical(), Discrete([0, 1])], "empirical x 2, discrete on 2 values"),
        (
            [Discrete([0, 1]), Discrete([0, 1, 2]), Discrete([0, 1])],
            "a discrete distribution of each column, on 2 to 3 values",
        ),
    ],
)
def test_the_measure_in_words(under, words):
    problem = small(Linear(), under)
    found = orca(problem, certify(problem), "float")
    assert describe_under(problem) == found.under_description == words
    assert f"under {words}" in found._repr_html_()
    assert "under" in found.to_dict()


def test_own_measures_are_those_of_the_kernel():
    problem = small(OrthogonalPolynomials(1))
    found = orca(problem, certify(problem), "float")
    assert found.under_description == "the measures of the kernel" and found.warnings == ()
    assert "under" not in found.to_dict()


def diagonal_points(m: int = 24, d: int = 6) -> list[list[Fraction]]:
    """Return points near the diagonal of a cube, which is nearly empty."""
    pick = random.Random(1)
    rows = [[Fraction(2 * i - m, m) + Fraction(pick.randint(-2, 2), 40) for _ in range(d)] for i in range(m)]
    return rows


def test_a_nearly_empty_measure_is_a_warning():
    y = [1 if (i // 4) % 2 else -1 for i in range(24)]
    for under, warned in ((Uniform(), True), (None, False)):
        problem = Problem(diagonal_points(), y, kernel=RBF(4), C=10, under=under)
        found = orca(problem, certify(problem, level="ball", digits=15), "ball", 15)
        assert bool(found.warnings) == warned
    (sentence,) = orca(
        problem := Problem(diagonal_points(), y, kernel=RBF(4), C=10, under=Uniform()),
        certify(problem, level="ball", digits=15), "verified",
    ).warnings  # fmt: skip
    assert "times smaller than over the rows of the data (an estimate)" in sentence


def test_no_warning_if_the_rows_fill_the_measure():
    X = [[fmpq(a, 4), fmpq(b, 4)] for a in range(-4, 5) for b in range(-4, 5)]
    problem = Problem(X, [1 if a * b > 0 else -1 for a, b in X], kernel=RBF(1), under=Uniform())
    assert orca(problem, certify(problem, level="gap"), "float").warnings == ()


@pytest.mark.parametrize("kernel", [Polynomial(2, 1, 1), RBF(1)], ids=str)
def test_the_estimated_variance_over_the_rows(kernel):
    problem = small(kernel)
    certificate = certify(problem, digits=20)
    for arithmetic in ("exact", "ball", "verified", "float", "mp") if kernel.rational else ("ball", "float"):
        found = orca(problem, certificate, arithmetic, 20)
        assert variance_over_rows(found) == pytest.approx(float(found.covariances().variance), rel=1e-9)


@pytest.mark.parametrize("alpha", [(), ("1/3", "1/7")], ids=["optimum", "given"])
def test_fractions_with_an_irrational_lambda(alpha):
    """A common denominator of the coefficients is divided out: the exact parts lie in the balls.

    λ = 1/Γ(1/2) is irrational, and no point is at its bound, so that h does not depend on λ at the optimum.
    """
    problem = Problem([[2], [1]], [1, -1], n=3, measures=Laguerre("-1/2"), C=7)
    result = Solution(problem, tuple(map(QQ, alpha))) if alpha else certify(problem)
    exact, balls = (orca(problem, result, arithmetic, 30) for arithmetic in ("exact", "ball"))
    part, enclosure = (float(profile.component([1])([2])[0]) for profile in (exact, balls))
    assert part == pytest.approx(enclosure, rel=1e-14)
    row, enclosed = (float(profile.attributions([2]).values[0, 0]) for profile in (exact, balls))
    assert row == pytest.approx(enclosed, rel=1e-14) and part == pytest.approx(row, rel=1e-14)


def test_pairs_of_names():
    problem = small(RBF(1))
    table = orca(problem, certify(problem, level="ball", digits=15), "float").covariances()
    assert list(table.pair) == list(combinations("abc", 2)) and table.pair["c", "a"] == table.pair[1, 3]
