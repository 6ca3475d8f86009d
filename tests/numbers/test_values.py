"""Results can be formatted, rounded, compared, copied, pickled and shown like Python values."""

import copy
import json
import math
import pickle
import subprocess
import sys
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from operator import add, eq, ge, gt, le, lt, mul, ne, sub, truediv

import numpy as np
import pytest
from flint import arb, arb_mat, arb_poly, ctx, fmpq, fmpq_mat, fmpq_poly
from hypothesis import given
from hypothesis import strategies as st

from orca_exact import (
    QQ,
    Discrete,
    Hermite,
    Jacobi,
    Laguerre,
    OrthogonalPolynomials,
    Problem,
    Solution,
    certify,
    path,
    solve,
)
from orca_exact import orca as profile_of
from orca_exact.conformance.crosscheck import crosscheck
from orca_exact.conformance.reference_maker import make_reference
from orca_exact.conformance.result import Result
from orca_exact.conformance.three_routes import compare_routes
from orca_exact.errors import BadParameter, TooLarge, Undecided, UnknownKey, ZeroClassifier
from orca_exact.numbers.quantity import Enclosed, Rational, mpmath_context, to_quantity
from orca_exact.numbers.rationals import precision_bits
from orca_exact.numbers.values import to_json_value
from orca_exact.paths.curve import Extremum
from orca_exact.paths.path import Path
from orca_exact.plots.tables import split_radius
from orca_exact.profile.indices import INDICES
from orca_exact.profile.profile import Profile
from orca_exact.svm.certificate import Certificate
from orca_exact.svm.judge import check_solution
from orca_exact.svm.tau import Ratio, Tau

ARITHMETICS = ("float", "mp", "ball", "verified", "exact")
X = [["-0.9", "-0.8"], ["-0.7", "0.6"], ["0.3", "0.4"], ["0.5", "-0.9"], ["0.1", "0.2"]]
Y = [1, -1, 1, -1, -1]
RATIONAL = Problem(X, Y, n=3, alpha=0, beta=0, C="0.3", id="rational lambda")
IRRATIONAL = Problem(X, Y, n=3, alpha="1/2", beta="1/3", C="0.3", id="irrational lambda")
CERTIFICATE = certify(IRRATIONAL)
PROFILES = {name: profile_of(IRRATIONAL, CERTIFICATE, name, 30) for name in ARITHMETICS}


# Numbers.


def ball(middle, radius):
    return Enclosed(arb(middle, radius))


def test_formatting():
    third, eighth = Rational(1, 3), Rational(1, 8)
    assert f"{third:.3f}" == "0.333"
    assert f"{third:8.2f}|{third:<8.2f}|{third:+.1f}" == "    0.33|0.33    |+0.3"
    assert f"{eighth:.2f} {Rational(3, 8):.2f}" == "0.12 0.38"  # ties go to even, as Python's do
    assert f"{third:.1%}" == "33.3%"
    assert f"{third:>5}|{third}" == "  1/3|1/3"
    assert f"{Rational(10**40, 3):.2f}" == "3" * 40 + ".33"
    assert f"{Rational(-1, 3000):.2f}" == "0.00"
    near = Rational(QQ("0.125") + fmpq(1, 10**200))  # a tie but for the 200th digit
    assert f"{near:.2f}" == "0.13"
    with pytest.raises(ValueError):
        format(third, "d")


@pytest.mark.parametrize(
    ("middle", "radius", "spec", "shown"),
    [
        (0.1234, 1e-6, ".3f", "0.123"),
        (0.1234, 1e-3, ".3f", "0.12"),  # 0.122 or 0.124
        (0.1234, 1e-2, ".3f", "0.1"),
        (0.5, 0.1, ".3f", "0.50 ± 0.11"),
        (0.5, 0.1, "14.3f", "   0.50 ± 0.11"),
        (0, 1e-40, ".3f", "0.000"),
        (-1e-50, 1e-40, ".3f", "0.000"),
        (0, 1e-40, ".3e", "0 ± 1.1e-40"),
        (0.25, 0, ".1f", "0.2"),
        (12345.6, 0.01, ".2e", "1.23e+04"),
        (0, 0, ".2e", "0.00e+00"),
        (0, 1, ".6f", "0 ± 1.1"),
        (0.5, 0.1, ".1%", "50% ± 11%"),
        (0.5, 0.1, "*^15.3f", "**0.50 ± 0.11**"),
        (0.5, 0.1, "<14.3f", "0.50 ± 0.11   "),
        (0.5, 0, "#.3g", "0.500"),
        (1234.5, 0, "_.1f", "1_234.5"),
        (0.999, 1e-5, ".1%", "99.9%"),
    ],
)
def test_a_ball_prints_what_it_proves(middle, radius, spec, shown):
    assert format(ball(middle, radius), spec) == shown


def test_an_unbounded_ball():
    assert f"{Enclosed(arb('nan')):.2f}" == f"{Enclosed(arb.pos_inf()):.2f}" == "undefined"


@given(
    st.fractions(-100, 100, max_denominator=10**6),
    st.sampled_from([0, 1e-30, 1e-9, 1e-4, 0.004, 0.3]),
    st.integers(0, 12),
)
def test_no_digit_is_printed_that_is_not_proved(middle, radius, digits):
    x = Enclosed(arb(fmpq(middle.numerator, middle.denominator), radius))
    text = f"{x:.{digits}f}"
    low, high = x.bounds()
    if "±" in text:
        centre, spread = map(QQ, text.split(" ± "))
        assert centre - spread <= low <= high <= centre + spread
    else:
        half = fmpq(1, 2 * 10 ** len(text.partition(".")[2]))
        assert QQ(text) - half <= low <= high <= QQ(text) + half


@given(
    st.floats(-1e6, 1e6),
    st.sampled_from([".3f", ".0f", "12.5f", "+.2f", ".1%", ",.2f", "_.1f", "*^12.1f", "012,.1f", ".3e"]),
)
def test_a_float_prints_as_python_prints_it(x, spec):
    shown = f"{x:{spec}}"
    if any(c in shown for c in "123456789"):  # else it may be -0.00
        assert f"{Rational(QQ(x)):{spec}}" == f"{Enclosed(arb(x)):{spec}}" == shown


def test_rounding():
    assert round(Rational(2, 3), 2) == 0.67 and type(round(Rational(2, 3), 2)) is float
    assert round(Rational(5, 2)) == 2
    assert type(round(ball(2.7, 0.1))) is int
    assert round(ball(0.1234, 1e-6), 3) == 0.123
    with pytest.raises(Undecided, match=r"0\.122 or to 0\.124;") as error:
        round(ball(0.1234, 1e-3), 3)
    assert error.value.candidates == (QQ("0.122"), QQ("0.124"))


def test_whole_numbers():
    for whole in (math.floor, math.ceil, math.trunc, int):
        for x in (2.5, -2.5, 0.25):
            assert whole(Rational(QQ(x))) == whole(ball(x, 0.1)) == whole(x)
        with pytest.raises(Undecided, match="compute it with more digits"):
            whole(ball(2, 1.5))
    with pytest.raises(Undecided, match="the floor of the number may be 1 or 2"):
        math.floor(ball(2, 0.1))
    assert ball(1, 0.5) and not ball(0, 0)
    for nothing in (ball(0, 1), Enclosed("nan")):
        with pytest.raises(Undecided, match="may or may not be 0"):
            bool(nothing)


def test_hashes_and_fractions():
    assert Fraction(Rational(-3, 7)) == Fraction(-3, 7)
    assert {Rational(1, 2): 1}[0.5] == {ball(0.5, 0): 1}[Fraction(1, 2)] == 1
    with pytest.raises(TypeError, match="a ball with a positive radius has no hash"):
        hash(ball(0, 1))
    wide = ball(0.5, 0.1)
    assert not eq(wide, wide)  # it contains different numbers


def test_comparing():
    half, wide = Rational(1, 2), ball(0.5, 0.1)
    assert half == 0.5 == half and half == Fraction(1, 2) and half < 0.75 and half >= Decimal("0.5")
    assert hash(half) == hash(0.5)
    assert half < float("inf") and not half > float("inf") and half != float("nan")
    assert half != True  # noqa: E712
    assert wide < 0.75 and wide > Fraction(1, 3) and wide != 1
    assert not any(compare(wide, half) for compare in (lt, le, gt, ge, eq, ne))  # undecided
    assert Enclosed(arb(1)) and not Enclosed(arb(0))
    with precision_bits(400):
        third = Enclosed(arb(1) / 3)
    just_above = QQ(Fraction(1, 3)) + fmpq(1, 10**100)
    assert third < just_above and not third >= just_above  # FLINT could not decide this at 53 bits


def test_operators_keep_type_and_precision():
    with precision_bits(400):
        third = Enclosed(arb(1) / 3)
    assert f"{third + third:.50f}" == "0." + "6" * 49 + "7"
    assert f"{1 - third * 0.5:.50f}" == "0.8" + "3" * 49
    assert f"{-(third**2) / 2:.20f}" == "-0.05555555555555555556"
    assert type(Rational(1, 3) + 1) is type(1 / Rational(3)) is type(abs(Rational(-1))) is Rational
    assert Rational(1, 3) * 0.5 == Fraction(1, 6)
    assert type(Rational(1, 3) + third) is type(third + Rational(1, 3)) is Enclosed
    assert ctx.prec == 53


@pytest.mark.parametrize("bits", [30, 53, 400])
def test_numbers_are_copied_without_loss(bits):
    with precision_bits(bits):
        numbers = [arb(1) / 3, arb(1, 2.0**-70), arb(2), arb(0), arb(-7) / 11 + arb(0, 1e-9), arb(1, 3e300)]
    for x in numbers:
        for kind in (arb, Enclosed):
            for again in (copy.copy(kind(x)), copy.deepcopy(kind(x)), pickle.loads(pickle.dumps(kind(x)))):
                assert type(again) is kind
                assert again.mid() == x.mid() and again.rad() == x.rad()
    assert pickle.loads(pickle.dumps(arb("nan"))).is_nan()
    assert pickle.loads(pickle.dumps(arb.neg_inf())) < 0
    assert pickle.loads(pickle.dumps(Rational(-1, 3))) == fmpq(-1, 3)
    for whole in (
        fmpq_poly([1, fmpq(1, 2)]), fmpq_poly([]), fmpq_mat([[1, 2]]), arb_poly([arb(1) / 3]), arb_mat([[2]]),
    ):  # fmt: skip
        again = pickle.loads(pickle.dumps(whole))
        assert type(again) is type(whole) and str(again) == str(copy.deepcopy(whole)) == str(whole)


def test_numbers_of_mpmath():
    x = mpmath_context(200).mpf(1) / 3
    assert f"{x:.40f}" == "0." + "3" * 40
    assert pickle.loads(pickle.dumps(x)) == copy.copy(x) == x
    assert f"{mpmath_context(200).mpf('inf'):>5}" == " +inf"


def test_a_long_fraction_is_not_shown():
    long = Rational(3**5000, 7**5000)
    assert len(repr(long)) < 80 and "a fraction of" in repr(long)
    assert QQ(str(long)) == long  # files contain all digits
    assert long._repr_latex_() is None
    assert Rational(-3, 7)._repr_latex_() == r"$\displaystyle -\frac{3}{7}$"
    assert ball(0, 1e-9)._repr_latex_() == r"$0 \pm 1.1 \cdot 10^{-9}$"
    assert Enclosed("nan")._repr_latex_() == r"$\text{undefined}$"
    assert ball("0.5", "0.25")._repr_latex_() == r"$0.50 \pm 0.26$"
    assert ball("9.9995", "0.0004")._repr_latex_() == "$10.0$"
    assert ball("1.5e-20", "1e-23")._repr_latex_() == r"$1.50 \cdot 10^{-20}$"
    assert type(to_quantity(np.float64(0.5))) is float


# Profiles.


@pytest.mark.parametrize("arithmetic", ARITHMETICS)
def test_indices_are_formatted_and_rounded(arithmetic):
    profile = PROFILES[arithmetic]
    exact = PROFILES["ball"]
    for x, true in zip(profile.order, exact.order, strict=True):
        assert f"{x:.3f}" == f"{float(true):.3f}"
        assert float(round(x, 3)) == round(float(true), 3)
        assert (x < 0.5) == (float(true) < 0.5)
    assert (
        f"{profile.norm2:.3f} {profile.subset([1]):.3f}"
        == f"{float(exact.norm2):.3f} {exact.marginal[1]:.3f}"
    )
    assert f"{profile.order[1] + profile.order[2]:.6f}" == "1.000000"


def test_quotients_in_tau():
    ratio = PROFILES["exact"].order[1]
    assert type(ratio).__name__ == "Ratio"
    assert f"{ratio:.30f}" == f"{PROFILES['ball'].order[1]:.30f}"[:32]
    assert round(ratio, 4) == round(PROFILES["ball"].order[1], 4)
    assert ratio + PROFILES["exact"].order[2] == 1 == PROFILES["exact"].order[2] - -ratio
    assert 1 - ratio == PROFILES["exact"].order[2]
    assert r"\tau=\lambda C" in ratio._repr_latex_() or "$0." in ratio._repr_latex_()
    for again in (copy.deepcopy(ratio), pickle.loads(pickle.dumps(ratio))):
        assert again == ratio


OTHERS = [
    3,
    -1,
    np.int64(2),
    fmpq(2, 7),
    Rational(-5, 3),
    Fraction(1, 3),
    Decimal("0.1"),
    0.5,
    np.float64(-0.1),
]


@pytest.mark.parametrize("other", OTHERS, ids=lambda x: f"{type(x).__name__} {x}")
@pytest.mark.parametrize("op", [add, sub, mul, truediv], ids=lambda op: op.__name__)
def test_quotients_in_tau_calculate_with_every_number(op, other):
    """Compare with balls; a float is its exact dyadic value."""
    ratio = PROFILES["exact"].order[1]
    with precision_bits(400):
        ball, exact = ratio.ball(100), arb(QQ(other))
        pairs = (op(ratio, other), op(ball, exact)), (op(other, ratio), op(exact, ball))
        for found, expected in pairs:
            assert type(found) is Ratio and found.ball(100).overlaps(expected)
            assert f"{found:.12f}" == f"{Enclosed(expected):.12f}"
            assert float(repr(found)) == pytest.approx(float(expected), rel=1e-14)


ratios = st.builds(
    lambda top, bottom: Ratio(fmpq_poly(top), fmpq_poly([*bottom, 1]), Tau(IRRATIONAL)),
    *[st.lists(st.integers(-9, 9), min_size=1, max_size=3)] * 2,
)


@given(ratios, ratios, st.integers(-3, 4))
def test_quotients_in_tau_calculate_with_each_other(a, b, power):
    with precision_bits(400):
        x, y = a.ball(100), b.ball(100)
        pairs = [(a + b, x + y), (a - b, x - y), (a * b, x * y), (-a, -x), (+a, x), (abs(a), abs(x))]
        if b:
            pairs.append((a / b, x / y))
        if a or power >= 0:
            pairs.append((a**power, x**power))
        for found, expected in pairs:
            enclosed = found.ball(100) if isinstance(found, Ratio) else arb(found)
            assert enclosed.overlaps(expected)
            assert str(found) and f"{found:.5f}"
        assert (a < b, a > b, a == b) == (x < y, x > y, not (x < y or x > y))
        assert (a <= b, a >= b) == (not a > b, not a < b)


def test_quotients_in_tau_meet_balls_and_other_tau():
    ratio = PROFILES["exact"].order[1]
    twice = Ratio(ratio.numerator, ratio.denominator, Tau(IRRATIONAL.replace(C="0.6")))
    for found in (
        ratio + ball(1, 0.1),
        ball(1, 0.1) * ratio,
        ratio / twice,
        ratio - twice,
        ratio**0.5,
        2**ratio,
    ):
        assert type(found) is Enclosed and found.is_finite()
    assert (ratio - twice).overlaps(ratio.ball() - twice.ball()) and (ratio < twice) == (ratio - twice < 0)
    assert ratio < ball(1, 0.1) and ratio != twice
    assert ratio == +ratio and ratio != 0.5 and ratio != "text" and ratio < math.inf and ratio != math.nan
    assert not ratio < math.nan and not ratio >= math.nan
    assert ratio / ratio == 1 and ratio - ratio == 0 and type(ratio**0) is Rational
    assert list(np.array([1, 2]) * ratio) == [ratio, 2 * ratio] == list(ratio * np.array([1, 2]))
    for wrong in (lambda: ratio / 0, lambda: 1 / Ratio(fmpq_poly([]), fmpq_poly([1]), ratio.tau)):
        with pytest.raises(ZeroDivisionError):
            wrong()
    for wrong in (lambda: ratio + "1", lambda: ratio * None, lambda: ratio < "1"):
        with pytest.raises(TypeError):
            wrong()


@pytest.mark.parametrize("problem", [RATIONAL, IRRATIONAL], ids=lambda problem: problem.id)
@pytest.mark.parametrize("level", ["exact", "ball", "gap", "float"])
def test_the_constant_of_an_optimum_is_0(problem, level):
    """Check that the constant is 0, since sum alpha_i y_i = 0, and not 0 ± 4.7e-40."""
    certificate = certify(problem, level=level)
    for arithmetic in ARITHMETICS:
        if arithmetic == "exact" and level != "exact":
            continue
        profile = profile_of(problem, certificate, arithmetic, 30)
        for name, index in INDICES.items():
            if index.constant is not None:
                x = profile.family(name)[index.constant]
                assert x == 0 and f"{x:.3f}" == "0.000" and not x, name
        assert profile.coefficients()[0, 0] == 0
        assert float(to_json_value(profile.order[0])["decimal"]) == 0


def test_the_constant_of_a_solution_is_what_it_is():
    off = Solution(RATIONAL, tuple(map(QQ, ("0.1", "0.1", "0.2", "0.1", "0.05"))))
    balanced = Solution(RATIONAL, tuple(map(QQ, ("0.1", "0.1", "0.2", "0.1", "0.1"))))
    for arithmetic in ARITHMETICS:
        assert profile_of(RATIONAL, off, arithmetic).order[0] > 1e-4
        assert profile_of(RATIONAL, balanced, arithmetic).order[0] == 0


def test_the_constant_along_a_path_is_0():
    for level in ("ball", "exact"):
        along = path(IRRATIONAL, "0.1", 1, level=level)
        assert along.order(0)("0.3") == 0 == along.order(0)(0.3)
        assert [extreme.value for extreme in along.order(0).extrema()] == [0, 0]
        assert f"{along.order(1)('0.3'):.6f}" == f"{PROFILES['ball'].order[1]:.6f}"


def test_coordinates_by_number_and_by_name():
    problem = Problem([[*row, row[0]] for row in X], Y, n=1, alpha=0, beta=0)
    plain = profile_of(problem, certify(problem), "exact")
    named = plain.named("age", "epss", "lvdd")
    assert list(plain.marginal) == [1, 2, 3] and list(named.marginal) == ["age", "epss", "lvdd"]
    assert plain.pair[2, 1] == plain.pair[1, 2] == named.pair[2, 1] == named.pair["epss", "age"]
    assert named.marginal["lvdd"] == named.marginal[3] == plain.marginal[np.int64(3)] == plain.subset([3])
    assert named.subset(["age", "lvdd"]) == named.subset([3, 1]) == plain.pair[1, 3]
    assert ("lvdd", "age") in named.pair and (3, 4) not in named.pair and "x" not in named.marginal
    assert named.pair.get(("lvdd", 1)) == plain.pair[1, 3] and named.pair.get((1, 7)) is None
    assert plain.named("a", "a", "b").marginal == plain.marginal  # ambiguous names
    for again in (copy.deepcopy(named.pair), pickle.loads(pickle.dumps(named.pair))):
        assert again == named.pair and again["epss", "age"] == plain.pair[1, 2]
    for wrong in (0, 4, "agee", -1, True, (1, 2), 1.5):
        with pytest.raises(UnknownKey, match="this index; use a key from 'age' to 'lvdd'") as error:
            named.marginal[wrong]
        assert isinstance(error.value, KeyError)
    with pytest.raises(BadParameter, match=r"'x' is not a coordinate.*, or one of the names 'age'"):
        named.subset(["x"])
    with pytest.raises(BadParameter, match="2 names were given for 3 columns"):
        plain.named("a", "b")


def test_plain_values():
    profile = PROFILES["ball"].named("age", "epss")
    data = profile.to_dict()
    assert json.loads(json.dumps(data)) == data
    assert data["order"] == [float(x) for x in profile.order] and data["names"] == ["age", "epss"]
    assert 0 < data["radius"] == max(profile.to_frame()["radius"]) < 1e-15
    assert "radius" not in PROFILES["float"].to_dict()
    assert data["peak"] == profile.peak and data["norm2"] == float(profile.norm2)
    assert profile.to_dict(lambda x: f"{x:.3f}")["order"][0] == "0.000"
    assert profile.to_dict(to_json_value)["even"] == to_json_value(profile.even)
    pandas = pytest.importorskip("pandas")
    frame = profile.to_frame()
    assert isinstance(frame, pandas.DataFrame)
    pair = frame[frame["index"] == "pair"].iloc[0]
    assert pair["key"] == ("age", "epss") and pair["label"] == "OKC of age, epss"
    assert pair["value"] == float(profile.pair[1, 2]) and 0 < pair["radius"] < 1e-16
    assert len(frame) == sum(len(profile.family(name)) for name in INDICES)
    assert "radius" not in PROFILES["float"].to_frame()


def test_missing_pandas_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(Exception, match="pip install pandas"):
        PROFILES["float"].to_frame()


def test_a_path_as_plain_values():
    along = path(RATIONAL, level="exact")
    data = along.to_dict()
    assert json.loads(json.dumps(data)) == data
    assert len(data["segments"]) == len(along) and data["segments"][-1]["C_to"] is None
    pytest.importorskip("pandas")
    assert list(along.to_frame().columns) == ["C_from", "C_to", "free", "bound", "events"]
    at = along.to_frame(["0.1", 2])
    assert list(at["C"]) == [0.1, 2.0] and at["OKC^(1)"][1] == float(along.order(1)(2))


def test_keys_of_paths_and_labels_of_many_columns():
    along = path(RATIONAL.replace(names=["a", "b"]), "0.1", 1)
    pair = along.index("pair", (1, 2))("0.3")
    for key in ((2, 1), ["b", "a"], ("a", 2)):
        assert f"{along.index('pair', key)('0.3'):.20f}" == f"{pair:.20f}"
    assert along.index("marginal", "b").label == "OKC_2" and along.index("even").label == "even"
    for name, key in (("marginal", "c"), ("pair", 1), ("order", "a"), ("order", 3)):
        with pytest.raises(UnknownKey, match="is not a key of this index; use"):
            along.index(name, key)
    assert [INDICES["marginal"].label_of((i,)) for i in (9, 12)] == ["OKC_9", "OKC_{12}"]
    assert [INDICES["pair"].label_of(key) for key in ((1, 2), (1, 12))] == ["OKC_12", "OKC_{1,12}"]


def test_lists_and_blocks_know_their_keys():
    profile = PROFILES["ball"]
    for wrong in (lambda: profile.order[4], lambda: profile.block[9, 9], lambda: profile.degree[99]):
        with pytest.raises(UnknownKey, match="is not a key of this index; use"):
            wrong()
    assert profile.order[-1] is profile.order[2] and profile.order[:1] == [0]
    again = pickle.loads(pickle.dumps(PROFILES["exact"].order))
    assert again == PROFILES["exact"].order and again.label == "order"


def test_a_radius_covers_the_rounding_of_the_value():
    third = Enclosed(arb(fmpq(1, 3)))
    with precision_bits(200):
        near = Enclosed(arb(1) / 3)
    for x in (third, near, ball(0.5, 0), ball(0.5, 1e-30), ball(1e300, 1e-300)):
        shown = split_radius(x)
        low, high = x.bounds()
        assert (
            QQ(shown["value"]) - QQ(shown["radius"])
            <= low
            <= high
            <= QQ(shown["value"]) + QQ(shown["radius"])
        )
    assert split_radius(ball(0.5, 0)) == {"value": 0.5, "radius": 0.0}
    assert split_radius(near)["radius"] < 2e-17 and split_radius(0.5) == {"value": 0.5}
    assert split_radius(Enclosed("nan"))["radius"] == math.inf


@pytest.mark.parametrize("arithmetic", ARITHMETICS)
def test_no_active_coordinate_is_the_constant(arithmetic):
    profile = PROFILES[arithmetic]
    assert profile.subset([]) is profile.family("order")[0,] and profile.subset([]) == 0


def test_at_C_0_w_is_0():
    for level in ("ball", "exact"):
        along = path(RATIONAL, level=level).order(2)
        with pytest.raises(ZeroClassifier, match=r"at C = 0, w = 0.*take a C > 0"):
            along(0)
        for extreme in along.extrema():
            assert (extreme.place_text == "as C falls to 0") == (extreme.where[0] == 0)
    assert Extremum(1, (None,)).place_text == "as C grows without end"
    assert Extremum(1, (fmpq(3, 2),)).place_text == "at C = 1.50000"
    assert Extremum(1, (fmpq(0),)).place_text == "as C falls to 0"


def test_rounding_makes_no_share_negative():
    """Check that a sum of squares that is rounded to a negative number is 0; a ball is kept."""
    problem = Problem([["0.5"], ["-0.25"], ["1"]], [1, -1, 1], n=2, alpha=0, beta=0)
    for arithmetic in ("float", "mp"):
        profile = profile_of(problem, certify(problem), arithmetic)
        norm = profile.sums.norm
        profile.sums.__dict__["degrees"] = [norm * 0, -norm * 2**-60, norm]
        assert profile.degree[1] == 0 and str(profile.degree[1])[0] == "0"
    ball = profile_of(problem, certify(problem), "ball")
    ball.sums.__dict__["degrees"] = [ball.sums.norm, -ball.sums.norm, ball.sums.norm]
    assert ball.degree[1] < 0  # a contradiction is not hidden


def test_problems_from_a_frame():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame([[0.5, -0.25], [0.25, 1], [-1, 0]], columns=["age", "epss"])
    problem = Problem(frame, [1, -1, 1], n=1, alpha=0, beta=0)
    assert (
        problem.names == ("age", "epss")
        and problem.sha256 == Problem(frame.to_numpy(), [1, -1, 1], n=1, alpha=0, beta=0).sha256
    )
    assert Problem(frame, [1, -1, 1], n=1, alpha=0, beta=0, names=["a", "b"]).names == ("a", "b")
    frame.columns = [0, 1]
    assert Problem(frame, [1, -1, 1], n=1, alpha=0, beta=0).names == ()


# Measures.


@pytest.mark.parametrize(
    "measure",
    [
        Jacobi("1/3", 0),
        Jacobi(QQ(0.1), "-1/2"),
        Hermite(),
        Laguerre("2/7"),
        Discrete([0, "1/3", 2], [1, 2, 3]),
    ],
    ids=repr,
)
def test_a_measure_can_be_typed_back(measure):
    assert eval(repr(measure)) == measure
    assert pickle.loads(pickle.dumps(measure)) == copy.deepcopy(measure) == measure
    assert measure.p(2) == measure.orthonormal(2) and measure.pi(2) == measure.polynomial(2).as_expr()
    with pytest.raises(BadParameter, match="k: -1 is negative"):
        measure.recurrence(-1)


def test_symbols_too():
    from sympy import Symbol, factor_list, sqrt, symbols

    a, b = symbols("alpha beta", positive=True)
    J = Jacobi(a, b)
    assert eval(repr(J), {"Jacobi": Jacobi, "alpha": a, "beta": b}) == J
    assert eval(repr(Jacobi(sqrt(2), 0)), {"Jacobi": Jacobi, "sqrt": sqrt}) == Jacobi(sqrt(2), 0)
    for k in (1, 2, 3):
        ratio = J.h(k) / J.h0
        assert (ratio.subs({a: 1, b: 2}) - Jacobi(1, 2).h(k) / Jacobi(1, 2).h0) == 0
        top, bottom = ratio.as_numer_denom()
        for part in (top, bottom):  # already factored
            factors = [base for base, _ in (f.as_base_exp() for f in part.as_ordered_factors())]
            assert all(len(factor_list(f)[1]) <= 1 for f in factors)
        assert len(factors) > 1
    assert Jacobi(Symbol("alpha"), 0).pi(1).free_symbols == {Symbol("alpha"), Symbol("x")}


@pytest.mark.parametrize(
    "measure", [Jacobi("1/3", 0), Hermite(), Laguerre(1), Discrete([0, 1, 2, 5])], ids=repr
)
def test_values_by_the_name_of_an_arithmetic(measure):
    from sympy import Rational as Q
    from sympy import Symbol

    points = ["1/2", 0.25]
    exact = measure.values(2, points, "exact")
    for k in range(3):
        assert (exact[k, 0] - measure.p(k).subs(Symbol("x"), Q(1, 2))).simplify() == 0
    for name in ("float", "mp", "ball"):
        found = measure.values(2, points, name, 30)
        assert found.shape == (3, 2)
        assert all(f"{x:.6f}" == f"{float(y):.6f}" for x, y in zip(found.flat, exact.flat, strict=True))
    assert measure.values(2, 0.5).shape == (3,)  # float64 by default
    proved = measure.values(2, points, "verified")
    assert all(float(y) in x for x, y in zip(proved.flat, exact.flat, strict=True) if y.is_Rational)
    assert all(
        isinstance(x, Enclosed) and x.overlaps(arb(str(y.evalf(30))))
        for x, y in zip(proved.flat, exact.flat, strict=True)
    )
    with pytest.raises(BadParameter, match="'quad' is unknown"):
        measure.values(2, points, "quad")


def test_a_degree_beyond_the_nodes_is_named():
    few = Discrete([0, 1, 2, 5])
    for wrong, told in (
        (few.p, "k: 5 is more than 3"),
        (few.pi, "k: 5 is more than 4"),
        (few.h, "k: 5 is more"),
    ):
        with pytest.raises(TooLarge, match=told):
            wrong(5)
    with pytest.raises(TooLarge, match="n: 5 is more than 3"):
        few.values(5, [1])
    assert few.pi(4).as_poly().degree() == 4  # 0 on every node


def test_measures_in_a_notebook():
    assert Jacobi("1/3", 0)._repr_latex_() == r"$\sqrt[3]{1 - x}\,dx$ on $[-1,1]$"
    assert all("dx" in measure._repr_latex_() for measure in (Hermite(), Laguerre(2)))
    assert r"\sum_{i=1}^{100}" in Discrete(range(100))._repr_latex_()
    assert repr(Discrete(range(100))) == "<Discrete(100 nodes from 0 to 99)>"


# Every result.


def results():
    """Return results of every kind."""
    ball = profile_of(IRRATIONAL, CERTIFICATE, "ball")
    reference = make_reference(RATIONAL)
    result = {"schema": "orca-exact/result/1", "id": RATIONAL.id, "alpha": ["0.1"] * 5}
    found = {
        "problem": IRRATIONAL,
        "wide problem": Problem([[i / 9 for i in range(9)]] * 2, [1, -1], list(range(9)), 0, 0, id="x" * 99),
        "solution": solve(IRRATIONAL),
        "reference": reference,
        "result": Result.from_json(result),
        "report": crosscheck(reference, result),
        "judgement": check_solution(RATIONAL, ["0.1"] * 5),
        "check": compare_routes(RATIONAL, certify(RATIONAL), 20),
        "kernel": OrthogonalPolynomials(3),
        "ball path": path(IRRATIONAL),
        "exact path": path(IRRATIONAL, level="exact"),
        "along": path(IRRATIONAL).order(1),
        "steps": path(RATIONAL).peak(),
        "extrema": path(RATIONAL, level="exact").order(1).extrema(),
        "order": PROFILES["exact"].order,
        "marginal": ball.named("a", "b").marginal,
    }
    found |= {
        f"{level} certificate": certify(IRRATIONAL, level=level)
        for level in ("gap", "float", "ball", "exact")
    }
    for name in ARITHMETICS:
        fresh = profile_of(RATIONAL, certify(RATIONAL), name)
        found |= {
            f"{name} profile": fresh,
            f"{name} used": PROFILES[name],
            f"{name} values": PROFILES[name].indices,
        }
    for measure in (Jacobi("1/3", 0), Hermite(), Laguerre(1), Discrete([0, 1, 2]), Discrete(range(1000))):
        measure.h_ratio(1)
        found[type(measure).__name__ + str(measure.size)] = measure
    return found


def test_other_values_are_not_equal():
    other = certify(IRRATIONAL.replace(C=1))
    assert certify(IRRATIONAL) == CERTIFICATE != other
    assert profile_of(IRRATIONAL, CERTIFICATE, "ball", 30) == PROFILES["ball"] != PROFILES["exact"]
    assert (
        PROFILES["ball"].named("a", "b") != PROFILES["ball"] != profile_of(other.problem, other, "ball", 30)
    )
    assert path(RATIONAL) == path(RATIONAL) != path(RATIONAL, 0, 1)
    assert PROFILES["ball"].indices == PROFILES["ball"].indices != PROFILES["exact"].indices


def test_models_are_values():
    for name, x in models().items():
        again = pickle.loads(pickle.dumps(x))
        assert again == x != "another", name
        if not name.endswith("s"):
            assert hash(again) == hash(x), name
            assert replace(x, notes=("other",)) != x, name


def models():
    sklearn = pytest.importorskip("orca_exact.sklearn")
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(3)
    frame = pandas.DataFrame(rng.uniform(-1, 1, (36, 14)), columns=["name" * 50 + str(i) for i in range(14)])
    y = np.array(["one", "two", "three", "four"] * 9)
    two = sklearn.OrcaSVC(n=1).fit(frame, y < "p")
    many = sklearn.OrcaSVC(n=1).fit(frame, y)
    return {
        "audit": sklearn.audit(two, frame, y < "p"),
        "explanation": sklearn.explain(two),
        "audits": sklearn.audit(many, frame, y),
        "explanations": sklearn.explain(many),
    }


VALUES = (Problem, Solution, Certificate, Profile, Path)


def numbers(x):
    """Return what a copy must have in common with x."""
    if hasattr(x, "to_indices"):
        return [str(value) for value in x.to_indices().map(str).table.values()]
    if hasattr(x, "to_json"):
        return x.to_json() if getattr(x, "level", "exact") != "ball" or hasattr(x, "gap") else repr(x)
    return repr(x)


@pytest.mark.parametrize("made", [results, models])
def test_every_result_is_copied_pickled_and_shown(made):
    for name, x in made().items():
        shown = repr(x)
        for again in (copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
            assert type(again) is type(x), name
            assert numbers(again) == numbers(x), name
            assert repr(again) == shown, name
            if isinstance(x, VALUES):
                assert again == x and hash(again) == hash(x), name
                assert x != "another" and x != None, name  # noqa: E711
        assert len(shown) < 2400 and len(shown.splitlines()) <= 30, name
        assert len(str(x)) < 2400, name


def test_an_unpickled_path_computes_its_own_sums():
    along = path(RATIONAL, level="exact")
    before = along.order(1)("0.2")
    again = pickle.loads(pickle.dumps(along))
    assert again.order(1)("0.2") == before == copy.deepcopy(along).order(1)("0.2")


def test_tables_for_a_notebook():
    found = results() | models()
    for name in (
        "ball profile", "exact used", "ball values", "exact certificate", "gap certificate", "ball path",
        "audit", "explanation", "audits", "explanations",
    ):  # fmt: skip
        html = found[name]._repr_html_()
        tables = 2 if name in ("audit", "explanation") else 1  # columns and orders
        assert html.count("<table>") == html.count("</table>") == tables, name
        assert 1 <= html.count("<tr>") <= 26 * tables and len(html) < 6000 * tables, name
    evil = PROFILES["float"].named("<script>", "b&b")._repr_html_()
    assert "<script>" not in evil and "&lt;script&gt;" in evil


def test_models_as_plain_values():
    for name, found in models().items():
        data = found.to_dict()
        assert json.loads(json.dumps(data)) == data
        if name.endswith("s"):
            assert len(data) == len(found) == len(found.to_frame()) == 6
        else:
            assert data["marginal"] == [float(x) for x in found.marginal.values()]
            assert found.marginal[1] is next(iter(found.marginal.values()))
            assert set(found.to_frame()["index"]) == set(INDICES)


def test_nothing_heavy_is_loaded():
    code = (
        "import sys; from orca_exact import Problem, certify, orca\n"
        "p = Problem([['-1/2'], ['1/2']], [1, -1], n=1, alpha=0, beta=0)\n"
        "repr(orca(p, certify(p))); orca(p, certify(p)).to_dict()\n"
        "assert not {'pandas', 'matplotlib', 'sklearn'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
