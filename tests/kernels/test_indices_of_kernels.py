"""Linear, polynomial and RBF kernels: their indices against brute force over all sets of columns.

The brute force knows only the formula of the kernel. Under discrete measures it is exact; otherwise it uses
quadrature or, for polynomials, exact moments.
"""

from __future__ import annotations

import random
from contextlib import suppress
from fractions import Fraction as Q
from itertools import product
from math import comb, prod

import numpy as np
import pytest
from flint import arb, fmpq
from marks import quick
from mpmath import mp
from subsets import all_subsets, on_grid, shares, variances

from orca_exact import (
    RBF,
    Discrete,
    Empirical,
    Hermite,
    Jacobi,
    Linear,
    Normal,
    Polynomial,
    Problem,
    Solution,
    Uniform,
    certify,
    orca,
)
from orca_exact.checker import check
from orca_exact.conformance.crosscheck import crosscheck
from orca_exact.conformance.reference_maker import make_reference
from orca_exact.errors import BadInput, BadParameter, NotANumber, OrcaError, TooLarge
from orca_exact.files.outcomes import HOLDS
from orca_exact.numbers.rationals import QQ, contains, midpoint, precision_digits, to_float

FAMILIES = ("order", "marginal", "pair", "total", "shapley")


def fraction(x: fmpq) -> Q:
    return Q(int(x.p), int(x.q))


def points(pick: random.Random, m: int, d: int, kind: str) -> list[list[fmpq]]:
    """Return points; the first column may be constant, binary or on another scale than the others."""
    X = [[fmpq(pick.randint(-16, 16), 16) for _ in range(d)] for _ in range(m)]
    for row in X:
        if kind == "constant":
            row[0] = fmpq(1)
        elif kind == "binary":
            row[0] = fmpq(pick.randint(0, 1))
        elif kind == "scales":
            row[0] = row[0] * 10**6
    return X


def labels(m: int) -> list[int]:
    return [1 if i % 2 else -1 for i in range(m)]


# Polynomials, in fractions.


def expectation(measure: object, power: int) -> Q:
    """Return E[t^power] by the definition of the measure."""
    if isinstance(measure, Discrete):
        mass = sum(map(fraction, measure.weights))
        return (
            sum(
                fraction(w) * fraction(t) ** power
                for t, w in zip(measure.nodes, measure.weights, strict=True)
            )
            / mass
        )
    if isinstance(measure, Uniform):
        a, b = fraction(measure.lower), fraction(measure.upper)
        return (b ** (power + 1) - a ** (power + 1)) / ((power + 1) * (b - a))
    if isinstance(measure, Normal | Hermite):
        mean, sd = (Q(0), Q(1)) if isinstance(measure, Hermite) else map(fraction, (measure.mean, measure.sd))
        odd = [Q(prod(range(1, k, 2))) if k % 2 == 0 else Q(0) for k in range(power + 1)]
        return sum(comb(power, k) * mean ** (power - k) * sd**k * odd[k] for k in range(power + 1))
    raise TypeError(measure)


def polynomial_variances(problem: Problem, s: list[Q]) -> dict[tuple[int, ...], Q]:
    """Expand h in monomials and integrate: Var(E[h | x_S]) for all S, then inclusion and exclusion."""
    kernel, d, p = problem.kernel, problem.d, problem.kernel.degree
    gamma, coef0 = fraction(kernel.gamma), fraction(kernel.coef0)
    X = [[fraction(x) for x in row] for row in problem.points]
    monomials: dict[tuple[int, ...], Q] = {}
    for k in product(range(p + 1), repeat=d):
        if (N := sum(k)) <= p:
            count, left = 1, p
            for e in (*k, p - N):
                count, left = count * comb(left, e), left - e
            value = sum(
                si * prod(x**e for x, e in zip(row, k, strict=True)) for si, row in zip(s, X, strict=True)
            )
            monomials[k] = count * gamma**N * coef0 ** (p - N) * value
    moments = [[expectation(mu, e) for e in range(2 * p + 1)] for mu in problem.index_measures]
    closed = {}
    for S in all_subsets(d):
        square = Q(0)
        for (a, x), (b, z) in product(monomials.items(), repeat=2):
            square += (
                x
                * z
                * prod(m[a[j] + b[j]] if j + 1 in S else m[a[j]] * m[b[j]] for j, m in enumerate(moments))
            )
        closed[S] = square
    inside = {S: closed[S] - closed[()] for S in closed}
    return {
        S: sum((-1) ** (len(S) - len(T)) * inside[T] for T in inside if set(T) <= set(S)) for S in inside if S
    }


MIXED = [Uniform(), Normal("1/2", 2), Discrete([0, 1, 3], ["1/2", "1/4", "1/4"])]


@pytest.mark.parametrize("under", [None, Uniform(-1, 2), Normal(1, "1/2"), MIXED], ids=str)
@pytest.mark.parametrize("kind", ["plain", "constant", "binary", "scales"])
def test_polynomial_indices_are_exact(under, kind):
    pick = random.Random(str((under, kind)))
    d, p = 3 if isinstance(under, list) else pick.choice([2, 3]), pick.choice([1, 2, 3])
    kernel = pick.choice([Linear(), Polynomial(p, "1/2", 0), Polynomial(p, "1/3", "1/2")])
    problem = Problem(points(pick, 4, d, kind), labels(4), kernel=kernel, under=under)
    solution = Solution(problem, tuple(fmpq(k, 7) for k in (1, 3, 4, 2)))
    found = orca(problem, solution, "exact")
    s = [fraction(a * y) for a, y in zip(solution.alpha, problem.y, strict=True)]
    parts = polynomial_variances(problem, s)
    assert fraction(found.variance) == sum(parts.values())
    expected = shares(parts, d)
    for name in FAMILIES:
        family = found.family(name)
        assert {key: fraction(family[key]) for key in expected[name]} == expected[name]
    assert fraction(found.subset([1, 2])) == expected["pair"][1, 2]
    for arithmetic in ("ball", "verified"):
        enclosed = orca(problem, solution, arithmetic)
        for name in (*FAMILIES, "degree", "block", "cumulative"):
            for key, x in found.family(name).items():
                assert contains(enclosed.family(name)[key], x), (arithmetic, name, key)


def test_degrees_of_a_polynomial_kernel_add_up_to_the_orders():
    problem = Problem(points(random.Random(5), 6, 3, "plain"), labels(6), kernel=Polynomial(3, 1, 1), C=5)
    found = orca(problem, certify(problem), "exact")
    assert sum(found.degree) == sum(found.order) == found.even + found.odd == 1
    for q in range(4):
        assert sum(found.block[q, N] for N in range(4)) == found.order[q]


def test_a_limited_degree_limits_the_order():
    problem = Problem(points(random.Random(6), 6, 4, "plain"), labels(6), kernel=Polynomial(2, 1, 1), C=5)
    found = orca(problem, certify(problem), "exact")
    assert found.order[3] == found.order[4] == 0 != found.order[2]


# RBF.


def mp_moments(problem: Problem, column: int) -> tuple[list, list]:
    """Return means and covariances of exp(-gamma (x_i - t)^2) in 60 digits, by integration of the density."""
    gamma = mp.mpf(int(problem.kernel.gamma.p)) / int(problem.kernel.gamma.q)
    x = [mp.mpf(int(row[column].p)) / int(row[column].q) for row in problem.points]
    mu = problem.index_measures[column]

    def number(q: fmpq):
        return mp.mpf(int(q.p)) / int(q.q)

    if isinstance(mu, Discrete):
        mass = sum(map(number, mu.weights))
        nodes = [(number(t), number(w) / mass) for t, w in zip(mu.nodes, mu.weights, strict=True)]

        def mean(rate, centre):
            return sum(w * mp.exp(-rate * (t - centre) ** 2) for t, w in nodes)
    elif isinstance(mu, Uniform):
        a, b = number(mu.lower), number(mu.upper)

        def mean(rate, centre):
            ends = mp.erf(mp.sqrt(rate) * (b - centre)) - mp.erf(mp.sqrt(rate) * (a - centre))
            return ends * mp.sqrt(mp.pi / rate) / 2 / (b - a)
    else:
        m, sd = number(mu.mean), number(mu.sd)

        def mean(rate, centre):
            spread = 1 + 2 * rate * sd**2
            return mp.exp(-rate * (centre - m) ** 2 / spread) / mp.sqrt(spread)

    means = [mean(gamma, xi) for xi in x]
    both = [
        [mp.exp(-gamma * (xi - xj) ** 2 / 2) * mean(2 * gamma, (xi + xj) / 2) - mi * mj
         for xj, mj in zip(x, means, strict=True)]
        for xi, mi in zip(x, means, strict=True)
    ]  # fmt: skip
    return means, both


def rbf_variances(problem: Problem, s: list) -> dict[tuple[int, ...], object]:
    columns = [mp_moments(problem, column) for column in range(problem.d)]
    out = {}
    for S in all_subsets(problem.d)[1:]:
        total = mp.mpf(0)
        for i, j in product(range(problem.m), repeat=2):
            term = s[i] * s[j]
            for column, (means, both) in enumerate(columns, 1):
                term *= both[i][j] if column in S else means[i] * means[j]
            total += term
        out[S] = total
    return out


GAMMAS = quick(["0.0001", "0.01", "0.7", "20", "1000"], ["0.0001", "0.7", "1000"])


@pytest.mark.parametrize("gamma", GAMMAS)
@pytest.mark.parametrize("under", [None, Uniform(), Normal(0, "1/2"), Uniform(-3, 2)], ids=str)
def test_rbf_indices_are_enclosed(gamma, under):
    pick = random.Random(gamma + str(under))
    kind = pick.choice(["plain", "constant", "binary"])
    problem = Problem(points(pick, 5, 3, kind), labels(5), kernel=RBF(gamma), under=under)
    solution = Solution(problem, tuple(fmpq(k, 10) for k in (3, 6, 7, 8, 4)))
    with mp.workdps(80):
        s = [mp.mpf(int(a.p)) / int(a.q) * y for a, y in zip(solution.alpha, problem.y, strict=True)]
        parts = rbf_variances(problem, s)
        expected, whole = shares(parts, 3), sum(parts.values())
        for arithmetic in ("ball", "verified"):
            found = orca(problem, solution, arithmetic, 30)
            assert_contains(found.variance, whole)
            for name in FAMILIES:
                for key, x in expected[name].items():
                    assert_contains(found.family(name)[key], x)
                    if arithmetic == "ball":
                        assert found.family(name)[key].rad() < 1e-25


def assert_contains(ball: arb, x: object) -> None:
    with precision_digits(80):
        value = arb(mp.nstr(x, 70))
        assert ball.overlaps(value + arb(0, abs(value) * arb("1e-60") + arb("1e-75"))), (ball, x)


def test_columns_on_very_different_scales():
    pick = random.Random(3)
    X = [[row[0] * 10**6, row[1] / 10**6, row[2]] for row in points(pick, 5, 3, "plain")]
    problem = Problem(X, labels(5), kernel=RBF("1/2"))
    solution = Solution(problem, tuple(fmpq(k, 10) for k in (3, 6, 7, 8, 4)))
    found = orca(problem, solution, "ball", 20)
    assert contains(sum(found.order), fmpq(1))
    assert found.total[2] < 1e-9 < found.total[3]  # the second column hardly varies


def test_tiny_balls_are_enclosed_in_float64():
    """The means of the first column are about 2^-10^11: they must not become rationals."""
    X = [[fmpq(8000), fmpq(1)], [fmpq(-7000), fmpq(2)], [fmpq(3000), fmpq(0)]]
    problem = Problem(X, [1, -1, 1], kernel=RBF(1000), under=Uniform(-10, 10))
    with pytest.raises(OrcaError):
        orca(problem, Solution(problem, (fmpq(1, 2), fmpq(1), fmpq(1, 2))), "verified").order  # noqa: B018


def test_a_constant_column_has_no_share():
    problem = Problem(points(random.Random(8), 6, 3, "constant"), labels(6), kernel=RBF(1), C=3)
    found = orca(problem, certify(problem, digits=20), "ball", 20)
    assert found.total[1] == 0 and found.marginal[1] == 0 and found.pair[1, 2] == 0


def test_certified_indices_agree_with_quadrature():
    pick = random.Random(11)
    problem = Problem(points(pick, 8, 3, "binary"), labels(8), kernel=RBF("3/2"), C=2, under=Uniform())
    certificate = certify(problem, level="ball", digits=20)
    found = orca(problem, certificate, "ball", 20)
    s = np.array([float(a) for a in certificate.alpha()]) * problem.signs.astype(float)
    z, w = np.polynomial.legendre.leggauss(24)
    measures = problem.index_measures
    nodes = [to_float(mu.centre) + to_float(mu.half_width) * z for mu in measures]
    X = np.array([[to_float(x) for x in row] for row in problem.points])
    h = on_grid(lambda P: problem.kernel(P, X) @ s, nodes)
    expected = shares(variances(h, [w / 2] * 3), 3)
    for name in FAMILIES:
        for key, x in expected[name].items():
            assert float(found.family(name)[key]) == pytest.approx(x, abs=1e-12)


# Bad input.


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: RBF(0), BadParameter, "gamma: 0 is not positive; pass a positive number such as 0.1"),
        (lambda: RBF("-1/2"), BadParameter, "gamma: -0.5 is not positive"),
        (lambda: RBF(float("nan")), NotANumber, "gamma: nan is not a finite number"),
        (lambda: RBF("scale"), NotANumber, "gamma: 'scale' is not a finite number"),
        (lambda: Polynomial(2.5), BadParameter, "degree: 2.5 is not an integer of at least 1"),
        (lambda: Polynomial(0), BadParameter, "degree: 0 is not an integer of at least 1"),
        (lambda: Polynomial(True), BadParameter, "degree: True is not an integer of at least 1"),
        (lambda: Polynomial(51), TooLarge, "degree: 51 is more than 50"),
        (lambda: Polynomial(2, 1, -1), BadParameter, "coef0: -1 is negative"),
        (lambda: Polynomial(2, 0, 1), BadParameter, "gamma: 0 is not positive"),
        (lambda: Uniform(1, 0), BadParameter, "upper: 0 is not above 1; pass a larger one"),
        (lambda: Uniform(1), BadParameter, "Uniform: one end was given without the other"),
        (lambda: Normal(0, 0), BadParameter, "sd: 0 is not positive"),
        (lambda: Normal(float("inf"), 1), NotANumber, "mean: inf is not a finite number"),
    ],
)  # fmt: skip
def test_bad_parameters(make, error, message):
    with pytest.raises(error) as found:
        make()
    assert message in str(found.value)


@pytest.mark.parametrize(
    ("kernel", "under", "message"),
    [
        (Linear(), [Uniform()], "under: 1 measure was given for 2 columns"),
        (Linear(), [Uniform()] * 3, "under: 3 measures were given for 2 columns"),
        (Linear(), "uniform", "is not a measure of indices"),
        (RBF(1), Hermite(), "is not a measure under which indices of the RBF kernel are computed"),
        (RBF(1), [Uniform(), Jacobi(0, 0)], "under[1]: Jacobi(0, 0)"),
    ],
)
def test_bad_measures(kernel, under, message):
    with pytest.raises(BadInput) as found:
        Problem([[0, 1], [1, 0]], [1, -1], kernel=kernel, under=under)
    assert message in str(found.value)


def test_nan_in_the_data_is_refused():
    with pytest.raises(NotANumber, match=r"X\[1\]\[0\]"):
        Problem([[0.0], [float("nan")]], [1, -1], kernel=RBF(1))


def test_level_exact_is_refused_for_rbf():
    problem = Problem([[0, 1], [1, 0], [1, 1]], [1, -1, 1], kernel=RBF(1))
    with pytest.raises(BadParameter, match="values are not rational"):
        certify(problem, level="exact")
    with pytest.raises(BadParameter, match="exact"):
        orca(problem, certify(problem, level="ball", digits=20), "exact")


def test_files_keep_kernel_and_measure():
    for kernel in (Linear(), Polynomial(3, "0.1", "1/3"), RBF(0.1)):
        for under in (None, Uniform(), [Normal(0, 1), Empirical()], Uniform(0, "1/3")):
            problem = Problem([[0, 1], [1, 0], [1, 1]], [1, -1, 1], kernel=kernel, under=under)
            again = Problem.from_json(problem.to_json())
            assert again == problem and again.sha256 == problem.sha256


def test_a_duplicated_row_does_not_change_the_function():
    """No point is at its bound, so that the two equal rows share one alpha."""
    X = [[0, 0], [1, 1], [1, 0], [0, 1]]
    one = Problem(X, [1, 1, -1, -1], kernel=RBF(1), C=10, under=Uniform())
    two = Problem([*X, X[0]], [1, 1, -1, -1, 1], kernel=RBF(1), C=10, under=Uniform())
    first, second = (orca(p, certify(p, level="ball", digits=20), "ball", 20) for p in (one, two))
    assert abs(midpoint(first.order[2]) - midpoint(second.order[2])) < QQ("1e-12")


def test_a_constant_changes_nothing_with_degree_1():
    X, y = [[1, 2], [-1, 1], [2, 0], [0, "0.5"], [3, 1]], [1, -1, 1, -1, -1]
    found = [Problem(X, y, kernel=Polynomial(1, "1/2", c), C=3) for c in (0, 7, -5)]
    proofs = [certify(problem) for problem in found]
    assert len({(str(proof.u), str(proof.b.lower.p), str(proof.norm2)) for proof in proofs}) == 1
    shares = [orca(problem, proof, "exact").total for problem, proof in zip(found, proofs, strict=True)]
    assert shares[0] == shares[1] == shares[2] and len({problem.sha256 for problem in found}) == 3
    assert [check(proof.to_json())["level"] for proof in proofs] == ["exact"] * 3


@pytest.mark.parametrize("coef0", ["0", "7", "-1/3", "-2", "-5"])
def test_with_degree_1_and_any_constant_the_enclosures_contain_the_exact_values(coef0):
    """The enclosures rest on a bound of R(x, x), which a negative constant made too small or negative."""
    X, y = [[1, 2], [-1, 1], [2, 0], [0, "0.5"], [3, 1]], [1, -1, 1, -1, -1]
    problem = Problem(X, y, kernel=Polynomial(1, "1/2", coef0), C=3)
    exact = orca(problem, certify(problem, level="exact"), "exact")
    for level in ("gap", "float", "ball"):
        found = orca(problem, certify(problem, level=level), "ball", 20)
        for S, row in (([1], [5]), ([2], ["1/3"]), ([1, 2], [4, 9])):
            value, true = found.component(S)([row])[0], exact.component(S)([row])[0]
            assert value.is_finite() and contains(value, true) and float(value.rad()) < 1e-4
        shares, true = found.attributions([4, 9]).values[0], exact.attributions([4, 9]).values[0]
        assert all(x.is_finite() and contains(x, q) for x, q in zip(shares, true, strict=True))


@pytest.mark.parametrize("coef0", [-5, 0, 3])
def test_the_values_of_a_kernel_have_its_constant(coef0):
    kernel, X = Polynomial(1, "1/2", coef0), [["1", "2"], ["-1", "1/4"]]
    plain = np.array([[1.0, 2.0], [-1.0, 0.25]])
    for name in ("exact", "ball", "mp", "verified", "float"):
        found = kernel.values(X, X, name).astype(float)
        assert np.allclose(found, kernel(plain, plain), rtol=1e-14)
    certified = make_reference(Problem(X, [1, -1], kernel=kernel)).gram
    assert np.allclose(np.array(certified).astype(float), kernel(plain, plain), rtol=1e-14)


def test_a_program_that_uses_a_negative_constant_is_right():
    """Its Gram matrix may have no positive entry, so that its scale is that of the entries themselves."""
    X = [["1", "2"], ["-1", "1"], ["2", "0"], ["0", "0.5"], ["3", "1"]]
    problem = Problem(X, [1, -1, 1, -1, -1], kernel=Polynomial(1, "1/2", -50), C=3, id="shifted")
    reference = make_reference(problem)
    points = np.array([[float(x) for x in row] for row in X])
    right = {"id": "shifted", "gram": problem.kernel(points, points).tolist()}
    right["alpha"] = [float(x) for x in reference.alpha]
    report = crosscheck(reference, right, diagnose=False)
    assert report.outcome == HOLDS, str(report)
    right["gram"] = (problem.kernel(points, points) + 50).tolist()
    assert crosscheck(reference, right).stage == "Gram"


@pytest.mark.parametrize("e", [154, 160, -154])
@pytest.mark.parametrize("family", ["empirical", "uniform", "normal"])
def test_the_indices_do_not_depend_on_the_unit_however_large_it_is(e, family):
    """RBF(gamma/u^2) at the points u x is RBF(gamma) at x; float64 cannot square u."""

    def indices(e):
        X = [[f"{v}e{e}", f"{w}e{e}"] for v, w in ((1, 0), (-1, 1), ("0.3", 2), ("0.5", 1), (0, 3))]
        under = {"empirical": None, "uniform": Uniform(f"-2e{e}", f"3e{e}"), "normal": Normal(0, f"1e{e}")}
        problem = Problem(X, [1, -1, 1, -1, 1], kernel=RBF(f"1e{-2 * e}"), under=under[family])
        found = orca(problem, certify(problem, level="ball"), "ball", 20)
        if family != "empirical":
            found.spectrum(2)
        return [
            *found.order,
            *found.total.values(),
            *found.shapley.values(),
            found.component([1])(X[0][:1])[0],
        ]

    assert all(x.overlaps(y) and float(x.rad()) < 1e-9 for x, y in zip(indices(e), indices(0), strict=True))


@pytest.mark.parametrize("big", ["1e154", "1e200", "1e308", "1e400", "1e-200"])
@pytest.mark.parametrize("gamma", ["1", "1e-308", "1e-400"])
def test_huge_columns_give_indices_or_an_error_of_ours(big, gamma):
    X = [[big, "0"], [f"-{big}", "1"], ["0", "2"], ["1", "1"], ["0", "3"]]
    for under in (None, Uniform(), Normal(0, 1)):
        problem = Problem(X, [1, -1, 1, -1, 1], kernel=RBF(gamma), under=under)
        for level, name in (("gap", "ball"), ("float", "verified"), ("ball", "ball"), ("ball", "float")):
            with suppress(OrcaError):
                assert sum(map(float, orca(problem, certify(problem, level=level), name).order)) > 1 - 1e-6
        if under is not None:
            with suppress(OrcaError):
                orca(problem, certify(problem, level="ball"), "ball").spectrum(2)


@pytest.mark.parametrize("kernel", [Linear, Polynomial, RBF])
def test_the_number_of_columns_comes_from_the_points(kernel):
    with pytest.raises(TypeError, match="columns"):
        kernel(columns=3)
