"""Rational functions over FLINT, compared with SymPy's field, and the linear programs."""

from __future__ import annotations

import operator

import pytest
import sympy
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from proofs_checks.linear_program import minimise
from proofs_checks.rational_functions import NAMES, free
from proofs_checks.samples import FreeJacobi, coefficients, gram_schmidt, symbolic, symbols

K = sympy.QQ.frac_field(*sympy.symbols("alpha beta x"))
OURS, THEIRS = (
    dict(zip("abx", free("alpha", "beta", "x"), strict=True)),
    dict(zip("abx", K.gens, strict=True)) | {number: K.one * number for number in (2, -3)},
)
OPERATORS = (operator.add, operator.sub, operator.mul, operator.truediv)


def in_sympy(value):
    names = {str(symbol): symbol for symbol in K.symbols}
    return K.from_sympy(sympy.sympify(str(value).replace("^", "**"), locals=names))


@given(
    st.lists(
        st.tuples(st.sampled_from(OPERATORS), st.sampled_from(["a", "b", "x", 2, -3]), st.booleans()),
        max_size=8,
    )
)
def test_operations_agree_with_sympy(steps):
    ours, theirs = OURS["a"] * 0 + 1, K.one
    for apply, operand, reverse in steps:
        pairs = (ours, OURS.get(operand, operand)), (theirs, THEIRS[operand])
        if apply is operator.truediv and not pairs[0][not reverse]:
            with pytest.raises(ZeroDivisionError):
                apply(*pairs[0][::-1] if reverse else pairs[0])
            return
        ours, theirs = (apply(*(pair[::-1] if reverse else pair)) for pair in pairs)
    assert in_sympy(ours) == theirs and bool(ours) == bool(theirs)
    assert ours == ours * 2 / 2 and ours != ours + OURS["x"]


def test_fractions_are_in_lowest_terms_and_equal_numbers():
    a, b = OURS["a"], OURS["b"]
    assert str((a * a - b * b) / (b - a)) == "-alpha - beta"
    assert str(a / (-2 * b)) == "(-alpha)/(2*beta)" and str(2 / (4 * a)) == "(1)/(2*alpha)"
    assert a / a == 1 and a / (3 * a) == fmpq(1, 3) and a != 1 and (a == "alpha") is False
    assert a**0 == 1 and a**3 == a * a * a and fmpq(1, 2) * a == a / 2


def test_terms_of_a_polynomial():
    a, x, z = free("alpha", "x", "z")
    found = dict(((a * x**2 - z + 3) / (a + 1)).terms("x", "z"))
    assert found == {(2, 0): a / (a + 1), (0, 1): -1 / (a + 1), (0, 0): 3 / (a + 1)}
    with pytest.raises(ValueError, match="not a polynomial in x"):
        list((1 / (x + a)).terms("x"))
    with pytest.raises(KeyError):
        free("theta")
    assert len(set(NAMES)) == len(NAMES)


def test_the_free_jacobi_weight_is_sympys():
    ours, theirs = FreeJacobi(*symbols()), symbolic()
    assert str(ours) == str(theirs) == "Jacobi(alpha, beta)"
    pairs = [(J.moment_ratios(3) + J.h_ratios(3)) for J in (ours, theirs)]
    for mine, other in zip(*pairs, strict=True):
        assert in_sympy(mine) == K.from_sympy(theirs.field.to_sympy(theirs.field.one * other))
    assert coefficients(ours, 3) == gram_schmidt(ours, 3)[0]


def test_linear_programs():
    assert minimise([1, 1], [[1, 2], [3, 1]], None, [4, 6], lower=0) == pytest.approx([1.6, 1.2])
    assert minimise([-1], [[1]], 5) == pytest.approx([5])
    assert minimise([-1, 0], [[1, 1]], 1, 1, lower=[0, 0.25], upper=1) == pytest.approx([0.75, 0.25])
    assert minimise([1], [[1], [1]], [0, 2], [-1, 1]) is None  # infeasible
    assert minimise([1], [[1]], 0) is None  # unbounded
