"""Numbers are read exactly and written without loss, and all arithmetics agree on products."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from threading import Barrier, Thread
from time import sleep

import mpmath
import numpy as np
import pytest
import sympy
from flint import arb, ctx, fmpq, fmpq_mat, fmpq_poly
from hypothesis import given
from hypothesis import strategies as st

from orca_exact.errors import BadParameter, NotANumber
from orca_exact.numbers.arithmetic import arithmetic, object_vector
from orca_exact.numbers.rationals import (
    QQ,
    bounds,
    contains,
    correct_digits,
    float_lower_bound,
    float_upper_bound,
    format_decimal,
    format_digits_down,
    format_interval,
    format_lower_bound,
    format_upper_bound,
    make_dyadic,
    precision_digits,
    to_text,
    working_bits,
)
from orca_exact.numbers.values import to_json_value

rationals = st.fractions(max_denominator=10**6)


@pytest.mark.parametrize(
    "value, expected",
    [
        (3, "3"), (-7, "-7"), ("3/7", "3/7"), ("-6/4", "-3/2"), ("0.1", "1/10"), (".5", "1/2"), ("5.", "5"),
        ("1e-3", "1/1000"), ("-2.5E2", "-250"), ("0x1.9p-4", "25/256"), ("-0x1p3", "-8"), (0.5, "1/2"),
        (Fraction(2, 6), "1/3"), (Decimal("0.30"), "3/10"), (sympy.Rational(2, 3), "2/3"),
        (np.float64(0.25), "1/4"), (np.float32(0.5), "1/2"), (np.int64(4), "4"), (mpmath.mpf("0.75"), "3/4"),
        (" 1/2 ", "1/2"), ("+4", "4"), (fmpq(1, 9), "1/9"),
    ],
)  # fmt: skip
def test_numbers_are_read(value, expected):
    assert QQ(value) == fmpq(*map(int, (expected + "/1").split("/")[:2]))


def test_a_float_is_its_dyadic_value_and_a_decimal_is_that_decimal():
    assert QQ(0.1) == fmpq(*(0.1).as_integer_ratio()) != QQ("0.1")


@pytest.mark.parametrize(
    "value",
    ["nan", "inf", "-inf", "", "1/0", "abc", "1/2/3", "0x", "1e", ".", "1e99999999", "0x1p99999999", "1 2",
     "٣", float("nan"), float("inf"), True, None, [], Decimal("NaN"), mpmath.mpf("inf"), 1j, sympy.sqrt(2),
     arb(1) / 3],
)  # fmt: skip
def test_other_values_are_refused(value):
    with pytest.raises(NotANumber, match="alpha"):
        QQ(value, "alpha")


@given(rationals)
def test_text_is_lossless(q):
    assert QQ(to_text(q)) == QQ(q) == QQ(to_text(QQ(q)))


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_floats_are_lossless(x):
    assert QQ(to_text(x)) == QQ(x)


@given(rationals, st.integers(1, 60))
def test_balls_are_lossless(q, digits):
    with precision_digits(digits):
        ball = arb(QQ(q)).sqrt() if q >= 0 else arb(QQ(q)) / 3
    mid, rad = to_text(ball)
    assert QQ(mid) == make_dyadic(*map(int, ball.mid().man_exp()))
    assert QQ(rad) == make_dyadic(*map(int, ball.rad().man_exp()))


def test_decimals_show_only_what_a_ball_proves():
    assert format_decimal(arb(1, 0.001), 20) == "1.0"  # 0.999 and 1.001 are 1.0 to two digits, not to three
    assert format_decimal(arb(0, 1e-9), 20) == "0 ± 1.1e-9"
    assert float(format_decimal(arb(0, 1.249)).split("± ")[1]) >= 1.249
    assert format_decimal(arb(1.0, 0.5), 5) == format_decimal(arb(1.0, 0.5), 5, radius=False) == "1.00 ± 0.51"
    assert format_decimal(arb(0.95, 0.06)) == "0.950 ± 0.061"  # python-flint writes 0e+1
    assert format_decimal(arb(0, 3), radius=False) == "0 ± 3.1"  # not even the integer part is proved
    assert format_decimal(arb("nan")) == "undefined"


@pytest.mark.parametrize(
    ("q", "digits", "shown"),
    [
        ("1/3", 5, "0.33333"),
        ("2/3", 5, "0.66667"),
        ("-2/3", 1, "-0.7"),
        ("1/8", 2, "0.12"),  # a tie goes to the even digit
        ("3/8", 2, "0.38"),
        ("0.99996", 4, "1.000"),
        ("12345", 5, "12345"),
        ("12345", 3, "1.23e+4"),
        ("1/2", 4, "0.5000"),
        ("0.00012", 2, "0.00012"),
        ("0.000012", 3, "1.20e-5"),
        ("7", 1, "7"),
        ("0", 9, "0"),
    ],
)
def test_decimals_of_rationals_are_rounded_to_the_nearest(q, digits, shown):
    assert format_decimal(QQ(q), digits) == format_decimal(QQ(q), digits, radius=False) == shown


@given(rationals, st.integers(-80, 0))
def test_an_interval_is_written_with_as_many_digits_as_its_radius_needs(q, exponent):
    """The current decimal context, of 28 digits by default, must not round the midpoint."""
    low, high = QQ(q), QQ(q) + fmpq(10) ** exponent * fmpq(2, 3)
    centre, spread = map(QQ, format_interval(low, high).split(" ± "))
    assert centre - spread <= low and high <= centre + spread


@given(rationals, st.integers(1, 20), st.integers(-30, 0), st.sampled_from([True, False]))
def test_every_digit_shown_is_proved(q, digits, exponent, radius):
    """Check that both ends of a ball round to the decimal shown, or lie within the radius shown."""
    with precision_digits(40):
        ball = arb(QQ(q)) + arb(0, fmpq(10) ** exponent * fmpq(1, 3))
    middle, width = (make_dyadic(*map(int, part.man_exp())) for part in (ball.mid(), ball.rad()))
    ends = middle - width, middle + width
    shown = format_decimal(ball, digits, radius)
    if "±" in shown:
        centre, spread = map(QQ, shown.split(" ± "))
        assert centre - spread <= ends[0] and ends[1] <= centre + spread
    elif shown == "0":
        assert not radius and all(abs(end) < fmpq(1, 2) for end in ends)
    else:
        body = Decimal(shown)
        unit = fmpq(10) ** body.as_tuple().exponent
        assert 1 <= len(body.as_tuple().digits) <= digits
        assert all(abs(end - QQ(shown)) <= unit / 2 for end in ends)


@given(st.fractions(min_value=0, max_denominator=10**9), st.integers(1, 12), st.integers(-40, 0))
def test_bounds_are_rounded_outwards(q, digits, exponent):
    with precision_digits(30):
        ball = arb(QQ(q)) + arb(0, fmpq(10) ** exponent)
    low, high = bounds(ball, 0)
    assert QQ(format_upper_bound(ball, digits)) >= high and QQ(format_lower_bound(ball, digits)) <= max(
        low, 0
    )
    assert QQ(format_upper_bound(QQ(q), digits)) >= QQ(q) >= QQ(format_lower_bound(QQ(q), digits))
    assert QQ(format_upper_bound(QQ(q), digits)) <= QQ(q) * (1 + fmpq(10) ** (1 - digits))
    near = float(q)
    assert QQ(format_digits_down(near)) <= QQ(near) < QQ(format_digits_down(near)) + fmpq(1, 10)
    assert QQ(float_lower_bound(ball)) <= low and high <= QQ(float_upper_bound(ball))
    if low > 0:
        with precision_digits(40):
            assert not arb(10) ** -correct_digits(ball) < arb(high)


def test_threads_share_one_precision():
    """Check that each thread keeps its own precision, and that the original one is restored."""
    before, met, seen = ctx.prec, Barrier(2, timeout=60), {}

    def work(digits):
        met.wait()
        for _ in range(20):
            with arithmetic("ball", digits).scope():
                sleep(0.001)  # let the other thread run
                seen.setdefault(digits, set()).add(ctx.prec)

    threads = [Thread(target=work, args=(digits,)) for digits in (30, 300)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == {digits: {working_bits(digits)} for digits in (30, 300)}
    assert ctx.prec == before


def test_a_ball_around_0_is_a_number_in_json_if_it_is_small():
    ball = arb(0, "1.3e-38")
    assert format_decimal(ball, 20) == to_json_value(ball)["decimal"] == "0 ± 1.4e-38"
    assert format_decimal(ball, 20, radius=False) == to_json_value(ball, 20)["decimal"] == "0"
    assert to_json_value(ball)["ball"][1] != "0"


def test_precision_is_a_scope():
    before = ctx.prec
    with precision_digits(100):
        assert ctx.prec > 330
        with arithmetic("ball", 10).scope():
            assert ctx.prec < 100
        assert ctx.prec > 330
    assert ctx.prec == before


def test_the_global_mpmath_context_is_not_changed():
    before = mpmath.mp.prec
    A = arithmetic("mp", 77)
    assert A(fmpq(1, 3)).context.prec > 250
    assert mpmath.mp.prec == before


@pytest.mark.parametrize("digits", [0, -1, 2.5, 10**9])
def test_digits_are_refused(digits):
    with pytest.raises(BadParameter, match="digits"):
        arithmetic("ball", digits)


def test_unknown_arithmetic_is_refused():
    with pytest.raises(BadParameter, match="'quad'"):
        arithmetic("quad")


matrices = st.lists(st.lists(rationals, min_size=3, max_size=3), min_size=2, max_size=2)


@given(matrices, matrices, st.lists(rationals, min_size=3, max_size=3))
def test_contractions_agree(left, right, w):
    """Compare sum_p w_p L_ap R_bp in all arithmetics; the exact one uses limbs."""
    rows = [[QQ(x) for x in row] for row in left]
    weights = object_vector(QQ(x) for x in w)
    columns = [object_vector(fmpq_poly([row[p] for row in rows]) for p in range(3))]
    E = arithmetic("exact")
    exact = E.contract(E.stack(columns, [2], 3), weights, None)[:, 0]
    assert exact[0] == sum(weights)
    for a, row in enumerate(rows):
        assert (
            exact[a + 1]
            == sum(x * y for x, y in zip(row, weights, strict=True))
            == E.dot(weights, object_vector(row))
        )
    for name in ("float", "mp", "ball"):
        A = arithmetic(name, 30)
        with A.scope():
            L, R = A.array(rows), A.array([[QQ(x) for x in row] for row in right])
            product = A.contract(L, A.array(weights), R)
            for (a, b), value in np.ndenumerate(product):
                truth = sum(rows[a][p] * weights[p] * QQ(right[b][p]) for p in range(3))
                scale = 1 + sum(abs(rows[a][p] * weights[p] * QQ(right[b][p])) for p in range(3))
                if name == "ball":
                    assert contains(value, truth)
                    assert float(value.rad()) <= 1e-30 * float(scale)
                else:
                    assert abs(float(QQ(value) - truth)) <= 10.0 ** (-A.digits + 1) * float(scale)


def test_long_weights_are_split_into_limbs():
    E = arithmetic("exact")
    w = object_vector([fmpq(-(3**2000), 7**300), fmpq(5**1500, 11**200), fmpq(1)])
    row = [fmpq(2, 3), fmpq(-(2**70), 5), fmpq(0)]
    stack = E.stack([object_vector(fmpq_poly([c]) for c in row)], [1], 3)
    assert E.contract(stack, w, None)[1, 0] == sum(a * b for a, b in zip(w, row, strict=True))


@pytest.mark.parametrize(("rows", "columns"), [(40, 60), (61, 40), (62, 63), (39, 40), (2, 3)])
def test_products_of_matrices_of_balls_contain_the_exact_ones(rows, columns):
    """Some sizes are filled up with zeros, because Arb multiplies larger matrices faster."""
    A, inner = arithmetic("ball", 20), 501
    a, b = (
        np.array([fmpq(x * x % 91 - 40, x % 7 + 1) for x in range(start, start + r * c)]).reshape(r, c)
        for start, r, c in ((1, rows, inner), (9, inner, columns))
    )
    with A.scope():
        found = A.matmul(A.array(a), A.array(b))
    assert found.shape == (rows, columns)
    exact = (fmpq_mat(a.tolist()) * fmpq_mat(b.tolist())).tolist()
    for ball, value in zip(found.flat, (x for row in exact for x in row), strict=True):
        assert contains(ball, value) and ball.rel_accuracy_bits() > 50
