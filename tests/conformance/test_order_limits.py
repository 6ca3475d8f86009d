"""Kernels of limited order against SymPy, CVXPY and mpmath, and the vectors about them."""

from __future__ import annotations

from itertools import product

import pytest
import sympy as sp
from flint import fmpq

from orca_exact import Discrete, Hermite, Jacobi, Problem, certify, orca, solve
from orca_exact.conformance.testing import check_vector
from orca_exact.conformance.three_routes import compare_routes
from orca_exact.conformance.vectors import generate, vectors, version_of
from orca_exact.conformance.vectors.cases import GROUPS
from orca_exact.files.outcomes import UNDECIDED
from orca_exact.kernels.orthogonal import OrthogonalPolynomials
from orca_exact.numbers.arithmetic import arithmetic
from orca_exact.numbers.rationals import QQ, to_sympy
from orca_exact.profile.indices import INDICES

X = [["0", "1/2", "-1"], ["1", "-1/3", "2"], ["1", "0.7", "1/2"], ["0", "-0.9", "1"], ["1", "1/4", "-3/2"]]
MEASURES = [Discrete([0, 1], ["3/10", "7/10"]), Jacobi(0, 0), Hermite()]
x = sp.Symbol("x")
# The integral of a polynomial over each measure, divided by that of 1.
INTEGRALS = (
    lambda f: sp.Rational(3, 10) * f.subs(x, 0) + sp.Rational(7, 10) * f.subs(x, 1),
    lambda f: sp.integrate(f, (x, -1, 1)) / 2,
    lambda f: sp.integrate(f * sp.exp(-(x**2) / 2), (x, -sp.oo, sp.oo)) / sp.sqrt(2 * sp.pi),
)


def limited(order: int, C: object = 10) -> Problem:
    kernel = OrthogonalPolynomials([1, 2, 2], MEASURES, order)
    return Problem(X, [1, -1, 1, -1, 1], kernel=kernel, C=C, id="limited")


def monic(integral, n: int) -> list[tuple[sp.Expr, sp.Expr]]:
    """Return pi_k and h_k/h_0 by the Gram-Schmidt process."""
    found: list[tuple[sp.Expr, sp.Expr]] = []
    for k in range(n + 1):
        p = x**k - sum(sp.simplify(integral(sp.expand(x**k * q))) / h * q for q, h in found)
        found.append((sp.expand(p), sp.simplify(integral(sp.expand(p**2)))))
    return found


@pytest.fixture(scope="module")
def bases():
    return [monic(integral, n) for integral, n in zip(INTEGRALS, (1, 2, 2), strict=True)]


def modes(order: int) -> list[tuple[int, ...]]:
    return [k for k in product(range(2), range(3), range(3)) if sum(j > 0 for j in k) <= order]


@pytest.mark.parametrize("order", [1, 2])
def test_the_exact_features_are_those_of_sympy(order, bases):
    problem = limited(order)
    M, g = problem.kernel.at(problem.points, arithmetic("exact")).features
    points = [[sp.Rational(entry) for entry in row] for row in X]
    assert M.shape == (len(modes(order)), 5)
    for row, weight, k in zip(M, g[:, 0] if g.ndim > 1 else g, modes(order), strict=True):
        columns = [basis[j] for basis, j in zip(bases, k, strict=True)]
        assert to_sympy(weight) == 1 / sp.prod(h for _, h in columns)
        for value, point in zip(row, points, strict=True):
            assert to_sympy(value) == sp.prod(p.subs(x, z) for (p, _), z in zip(columns, point, strict=True))


@pytest.mark.parametrize("order", [1, 2])
def test_the_exact_indices_are_those_of_sympy(order, bases):
    """With nothing at its bound, c_k^2 up to a factor, and every index, are rational."""
    problem = limited(order, C="1e9")
    certificate = certify(problem)
    profile = orca(problem, certificate, "exact")
    assert certificate.hard_margin
    points = [[sp.Rational(entry) for entry in row] for row in X]
    s = [to_sympy(a) * label for a, label in zip(certificate.a.p, problem.y, strict=True)]
    squares = {}
    for k in modes(order):
        columns = [basis[j] for basis, j in zip(bases, k, strict=True)]
        values = [sp.prod(p.subs(x, z) for (p, _), z in zip(columns, point, strict=True)) for point in points]
        total = sum(a * value for a, value in zip(s, values, strict=True))
        squares[k] = total**2 / sp.prod(h for _, h in columns)
    norm = sum(squares.values())
    active = {k: [i for i, j in enumerate(k, 1) if j] for k in squares}
    for i in (1, 2, 3):
        uses = [k for k in squares if i in active[k]]
        assert to_sympy(profile.total[i]) == sum(squares[k] for k in uses) / norm
        assert to_sympy(profile.shapley[i]) == sum(squares[k] / len(active[k]) for k in uses) / norm
    assert sum((profile.shapley[i] for i in (1, 2, 3)), fmpq(0)) == 1
    assert to_sympy(profile.order[1]) == sum(v for k, v in squares.items() if len(active[k]) == 1) / norm
    assert [value == 0 for value in profile.order] == [q == 0 or q > order for q in range(4)]


@pytest.mark.parametrize("order", [1, 2])
def test_primal_and_dual_agree_to_50_digits(order):
    problem = limited(order)
    dual, primal = (solve(problem, form=form, digits=50) for form in ("dual", "primal"))
    assert min(dual.digits, primal.digits) >= 50
    size = max(abs(a) for a in dual.alpha)
    for a, b in zip((*dual.alpha, dual.b), (*primal.alpha, primal.b), strict=True):
        assert abs(a - b) <= fmpq(1, 10**50) * max(size, fmpq(1))


@pytest.mark.parametrize("level", ["gap", "ball", "exact"])
@pytest.mark.parametrize("order", [1, 2])
def test_the_three_routes_agree(order, level):
    problem = limited(order)
    found = compare_routes(problem, certify(problem, level=level), 20)
    assert found.agrees
    assert set(found.families) == {"c_k", *INDICES} - {"cumulative", "block"}
    assert {row.key for row in found.family("c_k")} == set(modes(order))
    if level != "gap":
        assert found.least_accurate("float").decimals["float"] > 12
        assert found.least_accurate("mp").decimals["mp"] > 20


# The vectors.


LIMITED = [vector for vector in vectors() if "OrderLimit" in vector.flags]


def test_vectors_cover_several_orders_and_numbers_of_columns():
    found = {(v.reference.problem.d, v.reference.problem.kernel.order) for v in LIMITED}
    assert {(3, 1), (3, 2), (4, 1), (4, 2), (4, 3), (5, 1), (5, 2), (5, 4), (30, 1), (30, 2)} <= found
    for flag in ("BinaryColumn", "Rescale", "Weighted", "GivenDual", "DegreesByCoordinate", "ZeroClassifier"):
        assert any(flag in vector.flags for vector in LIMITED), flag


def test_order_1_of_one_column_is_written_in_version_1():
    made = [generate.build_group("order 1 of one column", limit=1)["tests"][0]["problem"]]
    shipped = [vector.task for vector in vectors() if vector.group == "order 1 of one column"]
    assert {version_of(task) for task in made + shipped} == {1} and "kernel" not in shipped[0]
    assert all(isinstance(problem, Problem) for _, problem, _ in GROUPS["order 1 of one column"]())


def test_every_vector_has_total_indices_and_shapley_effects():
    for vector in vectors():
        if (okc := vector.test["expected"]["okc"]) is not None:
            assert len(okc["total"]) == len(okc["shapley"]) == vector.reference.problem.d
            constant = float(QQ(okc["order"][0]).p) / float(QQ(okc["order"][0]).q)
            assert abs(sum(map(float, okc["shapley"])) + constant - 1) < 1e-12
            assert all(float(s) <= float(t) for s, t in zip(okc["shapley"], okc["total"], strict=True))


def test_a_program_may_skip_version_3():
    assert check_vector(lambda problem: {"skipped": "version 3"}, LIMITED[0]).outcome == UNDECIDED
