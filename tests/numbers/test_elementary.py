"""exp and exp - 1 in float64 with proved bounds, products of positive factors, and products of rows."""

import random

import numpy as np
import pytest
from flint import arb, fmpq

from orca_exact.numbers.elementary import exp, expm1
from orca_exact.numbers.midrad import MidRad, row_products, square_root
from orca_exact.numbers.rationals import precision_bits
from orca_exact.profile.positive import gauss_on_unit_interval, positive_products

FUNCTIONS = [(exp, arb.exp), (expm1, arb.expm1)]
EDGES = [
    0.0,
    -0.0,
    0.34657359,
    0.3465736,
    -0.34657359,
    -0.3465736,
    1e-320,
    -1e-20,
    -708.4,
    -745.2,
    -2000.0,
    709.7,
]


def numbers(count: int) -> np.ndarray:
    pick = random.Random(7)
    near = [pick.uniform(-1, 1) * 10 ** pick.uniform(-18, 0) for _ in range(count)]
    ties = [(pick.randint(-900, 900) + 0.5) * np.log(2) for _ in range(count)]  # halfway between two k
    return np.array(
        [*near, *(x for x in ties if x < 709), *(pick.uniform(-750, 709) for _ in range(count)), *EDGES]
    )


@pytest.mark.parametrize(("function", "true"), FUNCTIONS)
def test_values_are_enclosed_to_a_few_units(function, true):
    x = numbers(1500)
    found = function(MidRad(x))
    with precision_bits(200):
        for value, ball in zip(x.tolist(), found.balls().tolist(), strict=True):
            exact = true(arb(value))
            assert ball.contains(exact), value
            if abs(exact) > 1e-280:
                assert ball.rad() <= abs(exact) * 2.0**-48, value


@pytest.mark.parametrize(("function", "true"), FUNCTIONS)
def test_radii_are_propagated(function, true):
    pick = random.Random(8)
    for radius in (1e-12, 0.3, 1.5, 20.0):
        x = np.array([pick.uniform(-30, 5) for _ in range(50)])
        found = function(MidRad(x, np.full(50, radius))).balls()
        with precision_bits(100):
            for value, ball in zip(x.tolist(), found.tolist(), strict=True):
                assert ball.contains(true(arb(value) + radius)) and ball.contains(true(arb(value) - radius))


@pytest.mark.parametrize(("function", "true"), FUNCTIONS)
def test_overflow_and_nan_prove_nothing(function, true):
    with np.errstate(all="ignore"):
        found = function(MidRad([2000.0, np.nan, 0.0], [0.0, 0.0, np.inf]))
    assert not np.isfinite(found.rad).any()


def test_square_roots_and_products_of_rows_are_enclosed():
    pick = random.Random(9)
    for shape in ((3, 4), (5, 700)):
        values = np.array(
            [
                [fmpq(pick.randint(-99, 99), pick.randint(1, 99)) for _ in range(shape[1])]
                for _ in range(shape[0])
            ]
        )
        found, exact = row_products(MidRad.from_rationals(values)), values @ values.T
        assert all(found[i, j].contains(exact[i, j]) for i in range(shape[0]) for j in range(shape[0]))
        assert (found.rad <= 1e-12 * np.outer(*[np.sqrt(found.mid.diagonal())] * 2)).all()
    roots = square_root(MidRad.from_rationals(np.array([fmpq(2), fmpq(1, 3), fmpq(4)])))
    assert all((x * x).contains(q) for x, q in zip(roots, (fmpq(2), fmpq(1, 3), fmpq(4)), strict=True))


def test_products_of_positive_factors_against_rationals():
    pick = random.Random(10)
    for d in (1, 2, 5, 8):
        exact = [[fmpq(pick.randint(-90, 300), 100) for _ in range(4)] for _ in range(d)]
        found = list(positive_products([MidRad.from_rationals(np.array(row)) for row in exact]))
        for i, (product, integral) in enumerate(found):
            for p in range(4):
                e = [fmpq(1)]  # elementary symmetric polynomials of the other factors
                for row in (row for k, row in enumerate(exact) if k != i):
                    e = [a + b * row[p] for a, b in zip([*e, fmpq(0)], [fmpq(0), *e], strict=True)]
                assert product[p].contains(sum(e, fmpq(0)))
                assert integral[p].contains(sum((x / (k + 1) for k, x in enumerate(e)), fmpq(0)))
                assert integral[p].rad() <= abs(integral[p]) * 1e-12


def test_factors_that_may_vanish_are_left_to_another_method():
    assert positive_products([MidRad([-1.0, 2.0]), MidRad([0.5, 0.5])]) is None
    assert positive_products([MidRad([-0.5], [0.6])]) is None
    assert positive_products([MidRad([1.0], [0.1])]) is None  # too wide for the bound


def test_quadrature_integrates_polynomials():
    for count in (1, 4, 15):
        rule = gauss_on_unit_interval(count)
        for k in range(2 * count):
            assert abs(sum(w * t**k for t, w in rule) - 1 / (k + 1)) < 1e-14
