"""Jacobi polynomials compared with their weight, SymPy, SciPy and closed forms, in every arithmetic."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import sympy as sp
from flint import arb, fmpq, fmpq_poly
from hypothesis import given
from hypothesis import strategies as st

from orca_exact.errors import BadParameter, NotANumber, TooLarge
from orca_exact.measures.jacobi import Jacobi, chebyshev1, chebyshev2, gegenbauer, legendre
from orca_exact.numbers.arithmetic import arithmetic
from orca_exact.numbers.rationals import QQ, contains, precision_digits, to_sympy

x = sp.Symbol("x")
parameters = st.fractions(min_value=Fraction(-9, 10), max_value=6, max_denominator=12)
points = st.fractions(min_value=-1, max_value=1, max_denominator=50)
CORNERS = [("0", "0"), ("-1/2", "-1/2"), ("-1/3", "-2/3"), ("1/2", "-1/2"), ("43/10", "9/5"), ("-9/10", "6")]


@given(parameters, parameters, st.integers(0, 7))
def test_orthogonal_for_the_weights_own_moments(alpha, beta, n):
    """The recurrence agrees with the moments, which are computed independently."""
    J = Jacobi(alpha, beta)
    polynomials = [p.coeffs() for p in J.monic(n, fmpq_poly([0, 1]))]
    for k, p in enumerate(polynomials):
        assert p[k] == 1
        for j, q in enumerate(polynomials[: k + 1]):
            assert J.inner_ratio(p, q) == (J.h_ratio(k) if j == k else 0)


@pytest.mark.parametrize("alpha, beta", CORNERS)
def test_gamma_formula_meets_the_recurrence(alpha, beta):
    J = Jacobi(alpha, beta)
    for k in range(6):
        assert sp.simplify(J.h_classical(k) / J.leading_classical(k) ** 2 / J.h(k)) == 1
        assert sp.simplify(J.kappa(k) ** 2 * J.h(k)) == 1


@pytest.mark.parametrize("alpha, beta", [c for c in CORNERS if c[0] != "1/2"])  # not a polynomial in SymPy
def test_agreement_with_sympy(alpha, beta):
    J = Jacobi(alpha, beta)
    a, b = sp.Rational(alpha), sp.Rational(beta)
    for k in range(6):
        classical = sp.Poly(sp.jacobi(k, a, b, x), x)
        assert classical.monic() == J.polynomial(k)
        assert sp.simplify(classical.LC() - J.leading_classical(k)) == 0


def test_moments_are_integrals():
    for alpha, beta in [(0, 0), (1, 2), (3, 0)]:
        J = Jacobi(alpha, beta)
        for j in range(5):
            integral = sp.integrate(x**j * (1 - x) ** alpha * (1 + x) ** beta, (x, -1, 1))
            assert sp.simplify(integral - J.moment(j)) == 0


def test_chebyshev_corner():
    """For alpha + beta = -1, SymPy's jacobi_normalized(0) is nan and the general formula of b_1 is 0/0."""
    assert chebyshev1.orthonormal(0) == 1 / sp.sqrt(sp.pi)
    assert sp.simplify(chebyshev1.orthonormal(3) - sp.sqrt(2 / sp.pi) * sp.chebyshevt(3, x)).expand() == 0
    assert sp.simplify(chebyshev2.orthonormal(3) - sp.sqrt(2 / sp.pi) * sp.chebyshevu(3, x)).expand() == 0
    assert gegenbauer(1) == chebyshev2
    assert gegenbauer("1/2") == legendre


def test_symbols_and_irrational_parameters():
    a, b = sp.symbols("alpha beta", positive=True)
    J = Jacobi(a, b)
    for k in range(4):
        at = {a: sp.Rational(43, 10), b: sp.Rational(9, 5)}
        assert sp.expand(J.pi(k).subs(at) - Jacobi("4.3", "1.8").pi(k)) == 0
    alpha, beta = J.parameters
    assert J.inner_ratio([1], [0, 1]) == (beta - alpha) / (alpha + beta + 2)
    root = Jacobi(sp.sqrt(2), 0)
    polynomials = [
        [root.field.from_sympy(c) for c in reversed(root.polynomial(k).all_coeffs())] for k in range(4)
    ]
    assert root.inner_ratio(polynomials[3], polynomials[1]) == root.field.zero
    assert root.inner_ratio(polynomials[3], polynomials[3]) == root.h_ratio(3)
    assert gegenbauer(a).alpha == a - sp.Rational(1, 2)


@given(parameters, parameters, points, st.integers(0, 12))
def test_the_recurrence_in_four_arithmetics(alpha, beta, t, n):
    J, q = Jacobi(alpha, beta), QQ(t)
    exact = J.monic(n, q)[n]
    assert isinstance(exact, fmpq)
    for name in ("float", "mp", "ball"):
        A = arithmetic(name, 30)
        with A.scope():
            value = J.monic(n, A(q))[n]
            assert type(value) is type(A(q))
            if name == "ball":
                assert contains(value, exact)
                assert float(value.rad()) < 1e-28
            else:
                assert abs(float(QQ(value) - exact)) < 10.0 ** (-A.digits + 3)


@pytest.mark.parametrize("digits", [15, 30, 100])
def test_orthonormal_values_agree(digits):
    J = Jacobi("4.3", "1.8")
    M, B = arithmetic("mp", digits), arithmetic("ball", digits)
    nodes = [QQ("-1"), QQ("0.3"), QQ(1)]
    mp, balls = J.values(25, M.array(nodes), M), J.values(25, B.array(nodes), B)
    floats = J.values(25, np.array([-1, 0.3, 1]), arithmetic("float"))
    with precision_digits(digits + 20):
        for a, b, c in zip(mp.flat, balls.flat, floats.flat, strict=True):
            assert abs(float(QQ(a) - b)) < 10.0 ** (-digits + 5) * max(1, abs(float(b)))
            assert float(b.rad()) < 10.0 ** (-digits + 5) * max(1, abs(float(b)))
            assert abs(c - float(b)) < 1e-12 * max(1, abs(float(b)))


def test_endpoint_values_have_a_closed_form():
    """P_k(1) = (alpha+1)_k/k!, so pi_k(1)^2/h_k = that squared over the paper's h_k."""
    J = Jacobi("4.3", "1.8")
    for k in (0, 1, 5):
        classical = sp.rf(sp.Rational(53, 10), k) / sp.factorial(k)
        assert sp.nsimplify(J.polynomial(k).eval(1) * J.leading_classical(k) - classical) == 0


@given(parameters, parameters, points, st.integers(0, 6), st.integers(0, 3))
def test_derivatives(alpha, beta, t, n, order):
    J = Jacobi(alpha, beta)
    for k, value in enumerate(J.derivatives(n, QQ(t), order)):
        p = J.monic(k, fmpq_poly([0, 1]))[k]
        for _ in range(order):
            p = p.derivative()
        assert value == p(QQ(t))


def test_degree_200():
    J = Jacobi("4.3", "1.8")
    exact = J.monic(200, QQ("0.3"))[200] ** 2 / J.h_ratio(200)
    floating = J.values(200, np.array([0.3]), arithmetic("float"))[200, 0] ** 2 * J.h0_in(arithmetic("float"))
    with precision_digits(30):
        assert abs(floating / float(arb(exact)) - 1) < 1e-11
    assert J.polynomial(200).degree() == 200
    with pytest.raises(TooLarge, match=r"450, the largest degree in arithmetic.'float'"):
        J.values(500, np.array([0.3]), arithmetic("float"))


def test_agreement_with_scipy():
    scipy = pytest.importorskip("scipy.special")
    J, t = Jacobi("4.3", "1.8"), np.linspace(-1, 1, 11)
    values = J.values(10, t, arithmetic("float"))
    for k in range(11):
        reference = scipy.eval_jacobi(k, 4.3, 1.8, t) / float(J.h_classical(k)) ** 0.5
        assert np.allclose(values[k], reference, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("bad", [-1, "-1", "-3/2", -1.0, sp.Integer(-2), -sp.sqrt(2)])
def test_parameters_at_or_below_minus_one(bad):
    with pytest.raises(BadParameter, match=r"beta.*greater than -1"):
        Jacobi(0, bad)


@pytest.mark.parametrize("bad", [float("nan"), "abc", None, sp.I])
def test_parameters_that_are_not_numbers(bad):
    with pytest.raises((NotANumber, BadParameter), match="alpha"):
        Jacobi(bad, 0)


@pytest.mark.parametrize("bad", [-1, 2.5, "3", True, 10**9])
def test_bad_degrees(bad):
    with pytest.raises((BadParameter, TooLarge)):
        legendre.monic(bad, QQ(0))


def test_the_recurrence_begins_without_b():
    for J in (Jacobi("1/2", "1/3"), chebyshev1):
        assert J.recurrence(0)[1] == 0


def test_gegenbauer_of_a_symbol():
    lam = sp.Symbol("lambda", positive=True)
    assert gegenbauer(lam) == Jacobi(lam - sp.Rational(1, 2), lam - sp.Rational(1, 2))


@pytest.mark.parametrize("alpha, beta", CORNERS)
def test_h_is_the_canonical_product_of_h_0_and_the_ratio(alpha, beta):
    J = Jacobi(alpha, beta)
    for k in range(6):
        product = to_sympy(J.h_ratio(k)) * J.h0
        assert J.h(k) == product and J.h(k).args == product.args


def test_equal_measures_have_the_same_hash():
    symbol = sp.Symbol("alpha")
    assert hash(Jacobi("1/2", 0)) == hash(Jacobi("0.5", "0")) != hash(Jacobi(0, "1/2"))
    assert hash(Jacobi(symbol, 0)) == hash(Jacobi(symbol, 0))
