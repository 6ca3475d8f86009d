"""The Christoffel-Darboux kernel in three forms, its tensor product, and the projection."""

from __future__ import annotations

import warnings
from fractions import Fraction
from operator import mul

import numpy as np
import pytest
import sympy as sp
from flint import fmpq
from hypothesis import assume, given
from hypothesis import strategies as st

from orca_exact.errors import BadParameter, TooLarge
from orca_exact.kernels.modes import Modes
from orca_exact.kernels.orthogonal import (
    OrthogonalPolynomials,
    cd_closed,
    cd_confluent,
    cd_sum,
    gauss,
    project_callable,
    project_polynomial,
)
from orca_exact.kernels.polynomial import Linear, Polynomial
from orca_exact.kernels.rbf import RBF
from orca_exact.measures.families import Laguerre
from orca_exact.measures.jacobi import Jacobi
from orca_exact.measures.probability import Normal, Uniform
from orca_exact.numbers.arithmetic import arithmetic
from orca_exact.numbers.rationals import QQ
from orca_exact.problem import Problem
from orca_exact.svm.gram import design_matrix, gram, gram_ratio

parameters = st.fractions(min_value=Fraction(-9, 10), max_value=5, max_denominator=10)
points = st.fractions(min_value=-1, max_value=1, max_denominator=20)
x = sp.Symbol("x")


@given(parameters, parameters, points, points, st.integers(0, 8))
def test_sum_equals_closed_form(alpha, beta, s, t, n):
    J = Jacobi(alpha, beta)
    assert cd_sum(J, n, QQ(s), QQ(s)) == cd_confluent(J, n, QQ(s)) > 0
    assume(s != t)
    assert cd_sum(J, n, QQ(s), QQ(t)) == cd_closed(J, n, QQ(s), QQ(t))


def problem(d=2, n=3, m=5, alpha="1/2", beta="1/3"):
    X = [[fmpq((7 * i + 3 * j * j + i * j) % 19 - 9, 9 + j) for j in range(d)] for i in range(m)]
    return Problem(X, [1, -1, 1, -1, 1][:m], n, alpha, beta)


@pytest.mark.parametrize("name", ["float", "mp", "ball"])
def test_gram_is_design_times_its_transpose(name):
    p, A = problem(), arithmetic(name, 30)
    with A.scope():
        K, P = gram(p, A), design_matrix(p, A)
        assert P.shape == (p.m, p.modes)
        for (i, j), value in np.ndenumerate(P @ P.T):
            assert abs(float(value - K[i, j])) < 10.0 ** (-A.digits + 5) * float(K[i, i] + K[j, j])


def test_gram_is_lambda_times_a_rational_matrix():
    p, A = problem(), arithmetic("ball", 40)
    R = gram_ratio(p)
    assert all(isinstance(value, fmpq) for value in R.flat)
    with A.scope():
        for (i, j), value in np.ndenumerate(gram(p, A)):
            assert value.overlaps(R[i, j] * p.lambda_ball())
            assert float(value.rad()) < 1e-35
    direct = [
        [cd_sum(p.jacobi, p.n, a[0], b[0]) * cd_sum(p.jacobi, p.n, a[1], b[1]) for b in p.X] for a in p.X
    ]
    assert np.array_equal(R, np.array(direct, dtype=object))


def test_float_kernel_and_features():
    p = problem(alpha="4.3", beta="1.8", n=6)
    X = arithmetic("float").array(p.points)
    kernel = OrthogonalPolynomials(6, Jacobi("4.3", "1.8"))
    assert np.allclose(kernel(X, X), gram(p, arithmetic("float")), rtol=1e-12)
    assert np.allclose(kernel.features(X) @ kernel.features(X).T, kernel(X, X), rtol=1e-10)
    with pytest.raises(BadParameter, match="1 coordinate was given"):
        kernel(X, X[:, :1])


def test_modes_are_counted():
    assert len(list(Modes((5,) * 3, 3))) == 216
    assert Problem([["0"] * 6, ["1"] * 6], [1, -1], 5, 0, 0).modes == 46_656


def test_a_large_design_is_refused():
    X = [["0"] * 9, ["0.5"] * 9]
    with pytest.raises(TooLarge, match="design"):
        design_matrix(Problem(X, [1, -1], 9, 0, 0), arithmetic("float"))


def test_projection_is_a_projection():
    J = Jacobi("1/2", "2")
    f = sp.Poly(3 * x**5 - x**2 + 7, x)
    once = project_polynomial(J, 3, f)
    assert once.degree() == 3
    assert project_polynomial(J, 3, once) == once
    assert project_polynomial(J, 5, f) == f.set_domain(sp.QQ)
    rest = [QQ(c) for c in reversed((f - once).all_coeffs())]
    for k in range(4):
        assert J.inner_ratio(rest, [QQ(c) for c in reversed(J.polynomial(k).all_coeffs())]) == 0
    with pytest.raises(BadParameter, match="rational polynomial"):
        project_polynomial(J, 2, sp.sqrt(2) * x)


def test_projection_by_quadrature_agrees_with_the_exact_one():
    J = Jacobi("1/2", "2")
    f = sp.Poly(3 * x**5 - x**2 + 7, x)
    c = project_callable(J, 3, lambda t: 3 * t**5 - t**2 + 7)
    exact = project_polynomial(J, 3, f)
    for t in (-0.7, 0.2, 0.9):
        values = J.values(3, np.array([t]), arithmetic("float"))[:, 0]
        assert abs(values @ c - float(exact.eval(sp.Rational(str(t))))) < 1e-11


def test_gauss_integrates_polynomials():
    legendre = Jacobi(0, 0)
    nodes, weights = gauss(legendre, 4)
    for j in range(8):
        assert abs((weights * nodes**j).sum() - float(legendre.moment(j))) < 1e-13


EXACT_KERNELS = [
    (OrthogonalPolynomials(3, Jacobi(1, 0), order=1), lambda x, z: None),
    (Polynomial(3, "1/2", 1), lambda x, z: (Fraction(1, 2) * sum(map(mul, x, z)) + 1) ** 3),
    (Linear(), lambda x, z: sum(map(mul, x, z))),
]


@pytest.mark.parametrize(("kernel", "formula"), EXACT_KERNELS, ids=["orthogonal", "polynomial", "linear"])
def test_a_kernel_in_every_arithmetic(kernel, formula):
    X, Z = [["1/3", "-0.7"], ["0", "1/2"]], [["0.25", "1"], ["-1", "1/7"], ["0.9", "0"]]
    exact = kernel.values(X, Z)
    for name, close in (("ball", 1e-14), ("verified", 1e-14), ("mp", 1e-14), ("float", 1e-14)):
        found = kernel.values(X, Z, name, 20)
        assert np.max(np.abs(found.astype(float) - exact.astype(float))) < close, name
    points = (
        [[float(Fraction(x)) for x in row] for row in X],
        [[float(Fraction(x)) for x in row] for row in Z],
    )
    assert np.allclose(exact.astype(float), kernel(*points), rtol=1e-13, atol=0)
    for i, x in enumerate(X):
        for j, z in enumerate(Z):
            value = formula(list(map(Fraction, x)), list(map(Fraction, z)))
            assert value is None or exact[i, j] == value


def test_an_irrational_lambda_gives_a_symbolic_kernel():
    kernel = OrthogonalPolynomials(4, Jacobi("-1/2", "-1/2"))
    (value,) = kernel.values([["1/3"]], [["-0.7"]])[0]
    angles = sp.acos(sp.Rational(1, 3)), sp.acos(sp.Rational(-7, 10))  # p_k = sqrt(2/pi) cos(k t), k >= 1
    terms = [2 * sp.cos(k * angles[0]) * sp.cos(k * angles[1]) for k in range(1, 5)]
    assert sp.N(value - (1 + sum(terms)) / sp.pi, 30, chop=True) == 0
    assert value.has(sp.pi)


def test_what_has_no_exact_values_is_refused():
    with pytest.raises(BadParameter, match="use 'ball'"):
        RBF(1).values([[0]], [[1]])
    with pytest.raises(BadParameter, match="different numbers of columns"):
        Linear().values([[0]], [[1, 2]])


def test_a_float_that_is_not_the_decimal_written_gives_a_warning():
    for make in (lambda: Jacobi(0.1, 0), lambda: Laguerre(0.1)):
        with pytest.warns(UserWarning, match="write alpha='0.1' for the decimal") as caught:
            make()
        assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for alpha in (0.5, "0.1", QQ(0.1), np.float64(0.25), 2):
            Jacobi(alpha, 0)


def test_sympy_prints_measures_in_latex():
    assert sp.latex(Jacobi("1/3", 0)) == r"\sqrt[3]{1 - x}\,dx\text{ on }[-1,1]"
    assert sp.latex(Jacobi(0, 0)) == r"dx\text{ on }[-1,1]"
    assert sp.latex(Laguerre("1/2")) == r"\sqrt{x} e^{- x}\,dx\text{ on }[0,\infty)"
    assert "$" not in "".join(map(sp.latex, (Laguerre(2), Uniform(0, 1), Normal(0, 1))))
