"""The profile by two routes and in four arithmetics; sums of indices; undecided cases."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np
import pytest
from flint import arb, fmpq, fmpq_poly
from hypothesis import given
from hypothesis import strategies as st
from problems import classifiers, exact_profile

from orca_exact import OrthogonalPolynomials, certify, orca
from orca_exact.errors import BadParameter, TooLarge, Undecided, ZeroClassifier
from orca_exact.numbers.arithmetic import arithmetic
from orca_exact.numbers.rationals import QQ, contains, precision_digits
from orca_exact.problem import Problem
from orca_exact.profile import profile as profiles
from orca_exact.profile.generating import GeneratingFunction
from orca_exact.profile.indices import INDICES
from orca_exact.profile.profile import Profile, widen_share
from orca_exact.profile.sums import ModeSums
from orca_exact.svm.tau import Ratio, Tau, TauPolynomials


@given(classifiers())
def test_generating_function_agrees_with_enumeration(classifier):
    P = exact_profile(*classifier)
    assert (P.generating.blocks == P.enumeration.blocks()).all()


@given(classifiers())
def test_every_decomposition_sums_to_one(classifier):
    P = exact_profile(*classifier)
    assert sum(P.block.values()) == sum(P.order) == sum(P.degree) == P.even + P.odd == P.cumulative[-1] == 1
    assert min(P.block.values()) >= 0
    assert sum(P.marginal.values(), fmpq(0)) == P.order[1]
    if P.d >= 2:
        assert sum(P.pair.values(), fmpq(0)) == P.order[2]
    assert P.even == sum(P.degree[0::2])
    for q in range(P.d + 1):
        assert P.order[q] == sum(P.block[q, N] for N in range(P.d * P.n + 1))
    subsets = [P.subset(S) for S in ((), (1,), tuple(range(1, P.d + 1)))]
    assert subsets[0] == P.order[0]
    assert subsets[1] == P.marginal[1]
    assert subsets[2] == P.order[P.d]


@given(classifiers())
def test_indices_against_the_definition(classifier):
    """Each index is the sum of c_k^2 over the modes in its definition in the paper."""
    p, s = classifier
    P = exact_profile(p, s)
    c2 = {}
    for k in np.ndindex(*(p.n + 1,) * p.d):
        amplitude = fmpq(0)
        for i, x in enumerate(p.points):
            term = s[i]
            for j, degree in enumerate(k):
                term = term * p.jacobi.monic(degree, x[j])[degree]
            amplitude += term
        weight = fmpq(1)
        for degree in k:
            weight = weight / p.jacobi.h_ratio(degree)
        c2[k] = amplitude * amplitude * weight
    total = sum(c2.values())
    active = lambda k: tuple(i + 1 for i, degree in enumerate(k) if degree > 0)  # noqa: E731
    assert P.generating.norm * P.scale == total
    for i in range(1, p.d + 1):
        assert P.marginal[i] == sum((v for k, v in c2.items() if active(k) == (i,)), fmpq(0)) / total
    for ij, value in P.pair.items():
        assert value == sum((v for k, v in c2.items() if active(k) == ij), fmpq(0)) / total
    spectrum = [sum((v for k, v in c2.items() if sum(k) == N), fmpq(0)) / total for N in range(p.d * p.n + 1)]
    assert P.degree == spectrum
    assert P.peak == max(range(len(spectrum)), key=lambda N: (spectrum[N], -N))
    for eps in ("0.1", "0.05", "0.01"):
        T, F = P.threshold(eps)
        assert F == sum(spectrum[: T + 1]) >= 1 - QQ(eps)
        assert T == 0 or sum(spectrum[:T]) < 1 - QQ(eps)


@given(classifiers())
def test_four_arithmetics(classifier):
    p, s = classifier
    E = exact_profile(p, s)
    for name in ("float", "mp", "ball"):
        A = arithmetic(name, 30)
        with A.scope():
            try:
                P = Profile(p, A.array(s), A, A(1))
            except (ZeroClassifier, Undecided):
                continue  # ||h||^2 is too small to be separated from 0 in this arithmetic
            size = float(sum(abs(w) for w in E.generating.weights)) * 50.0 ** (p.d * max(p.n, 1))
            condition = size / max(float(E.generating.norm), 1e-300)
            for value, truth in zip(
                P.generating.blocks.flat, (E.generating.blocks / E.generating.norm).flat, strict=True
            ):
                index = value / P.generating.norm
                if name == "ball":
                    assert contains(index, truth)
                    assert float(index.rad()) < 1e-28 * (1 + condition)
                else:
                    assert abs(float(QQ(index) - truth)) < 10.0 ** (-A.digits + 2) * (1 + condition)
            if name == "ball":
                assert all(contains(a, b) for a, b in zip(P.order, E.order, strict=True))
                assert contains(P.even, E.even)


def small():
    X = [["0.1", "0.7"], ["-0.4", "0.2"], ["0.9", "-0.3"], ["-1", "1"]]
    return Problem(X, [1, -1, 1, -1], 3, "1/2", "-1/3"), [QQ(v) for v in ("1", "-3/2", "2", "-3/2")]


def test_pairs_of_points_in_batches(monkeypatch):
    """The result does not depend on the size of the batches of pairs."""
    p, s = small()
    A = arithmetic("exact")
    whole = Profile(p, s, A, fmpq(1))
    expected = whole.indices, whole.subset((2,)), whole.norm2
    for most in (3, 4, 9, 10, 11):
        monkeypatch.setattr(type(A), "pairs", most)
        monkeypatch.setattr(type(A), "pairs_kept", most)
        some = Profile(p, s, A, fmpq(1))
        assert (some.indices, some.subset((2,)), some.norm2) == expected
        assert ("_all_pairs" in vars(some.generating)) == (most >= 10)


def test_sums_have_the_precision_of_their_arithmetic():
    p, s = small()
    A = arithmetic("ball", 50)
    with A.scope():
        g = GeneratingFunction(Profile(p, A.array(s), A, A(1)).generating.support)
    sums = [g.norm, *g.orders[1:], *g.parities, *g.subsets([(1,)]), g.blocks[1, 1], *g.weights]
    assert min(x.rel_accuracy_bits() for x in sums) > 100


def test_coefficients_square_to_the_blocks():
    p, s = small()
    for name in ("float", "mp", "ball"):
        A = arithmetic(name, 30)
        with A.scope():
            P = Profile(p, A.array(s), A, A(1) * 2)
            c = P.coefficients()
            assert len(c) == 16
            assert abs(float(sum(v * v for v in c.values()) - P.norm2)) < 1e-12
            assert abs(float(c[0, 2] ** 2 / P.norm2 - P.block[1, 2] + c[2, 0] ** 2 / P.norm2)) < 1e-13
            assert abs(float(c[0, 0])) < 1e-15  # sum s = 0


def test_exact_coefficients_are_sympy_numbers():
    p, s = small()
    P = Profile(p.replace(alpha=0, beta=0), s, arithmetic("exact"), fmpq(1, 4))
    c = P.coefficients()
    total = sum(v**2 for v in c.values())
    assert QQ(total) == P.norm2


def test_ties_and_thresholds():
    """For x = -1, 1 with s = (1, 1), n = 1 and d = 1: c_0 = 2 p_0, c_1 = 0."""
    p = Problem([["-1"], ["1"]], [1, -1], 1, 0, 0)
    E = Profile(p, [fmpq(1), fmpq(1)], arithmetic("exact"), fmpq(1))
    assert E.degree == [1, 0]
    # p_1^2/p_0^2 = 3 x^2, so s = (1, t) gives degrees (1+t)^2 : 3 (1-t)^2, a tie at t = 2 - sqrt(3)
    A = arithmetic("ball", 30)
    with A.scope():
        t = 2 - arb(3).sqrt()
        B = Profile(p, np.array([arb(1), t], dtype=object), A, arb(1))
        with pytest.raises(Undecided) as caught:
            B.peak  # noqa: B018
        assert caught.value.candidates == (0, 1)
        with pytest.raises(Undecided, match="F"):
            B.threshold("1/2")
    half = Profile(p, [fmpq(3), fmpq(-1)], arithmetic("exact"), fmpq(1))  # degrees 4 : 48
    assert half.degree == [fmpq(1, 13), fmpq(12, 13)]
    assert half.threshold("12/13") == (0, fmpq(1, 13))  # F(0) = 1 - eps exactly, and the definition has >=
    assert half.threshold(QQ("12/13") - fmpq(1, 10**9))[0] == 1
    with pytest.raises(BadParameter, match="eps"):
        half.threshold(2)


def test_w_zero_is_an_error():
    p = Problem([["0.5"], ["0.5"]], [1, -1], 2, 0, 0)
    with pytest.raises(ZeroClassifier, match="w = 0"):
        Profile(p, [fmpq(1), fmpq(-1)], arithmetic("exact"), fmpq(1))
    with pytest.raises(ZeroClassifier):
        Profile(p, [fmpq(0), fmpq(0)], arithmetic("exact"), fmpq(1))
    A = arithmetic("ball", 30)
    with A.scope(), pytest.raises(Undecided, match="not separated from 0"):
        third = arb(1) / 3
        Profile(p, np.array([third, -third], dtype=object), A, A(1))


def test_error_messages():
    p = Problem([["0.5"] * 30, ["0.1"] * 30], [1, -1], 2, 0, 0)
    P = Profile(p, [1.0, -1.0], arithmetic("float"), 1.0)
    with pytest.raises(TooLarge, match=r"modes: 205891132094649 is more than"):
        P.coefficients()
    with pytest.raises(TooLarge):
        P.enumeration.blocks()
    with pytest.raises(BadParameter, match="counted from 1"):
        P.subset([0])
    with pytest.raises(BadParameter):
        P.subset([1, 1])
    assert abs(sum(P.degree) - 1) < 1e-13


def test_many_dimensions():
    """For 8e38 modes, the product form of ||h||^2 equals the sum over all blocks."""
    generator = np.random.default_rng(5)
    X = generator.uniform(-1, 1, (12, 50)).round(3)
    p = Problem(X, [1, -1] * 6, 5, 0, 0)
    P = Profile(p, generator.normal(size=12), arithmetic("float"), 1.0)
    assert p.modes > 8e38
    assert abs(sum(P.degree) - 1) < 1e-12
    assert abs(sum(P.order) - 1) < 1e-12
    assert abs(P.even - sum(P.degree[::2])) < 1e-12


def test_largest_configuration_by_both_routes():
    """There are 11,881,376 modes for d = 5 and n = 25."""
    generator = np.random.default_rng(7)
    p = Problem(generator.uniform(-1, 1, (61, 5)).round(3), [1, -1] * 30 + [1], 25, "4.3", "1.8")
    P = Profile(p, generator.normal(size=61), arithmetic("float"), 1.0)
    assert np.abs(P.generating.blocks - P.enumeration.blocks()).max() <= 1e-14 * P.generating.norm


def test_ratios_in_lambda_c():
    p, _ = small()
    s = [fmpq_poly([1, 2]), fmpq_poly([-3]), fmpq_poly([1, -1]), fmpq_poly([1, -1])]
    P = Profile(p, s, TauPolynomials(Tau(p)), fmpq(1))
    with precision_digits(40):
        tau = p.lambda_ball() * p.C
        numbers = [value[0] + value[1] * tau for value in s]
        A = arithmetic("ball", 40)
        B = Profile(p, np.array(numbers, dtype=object), A, A(1))
        assert isinstance(P.order[1], Ratio)
        assert P.order[1].ball(40).overlaps(B.order[1])
        for value, ball in zip(P.degree, B.degree, strict=True):
            assert value.ball().overlaps(ball) if isinstance(value, Ratio) else contains(ball, value)
        assert P.peak == B.peak
        assert P.threshold("0.1")[0] == B.threshold("0.1")[0]
        assert abs(float(P.order[1]) - float(B.order[1])) < 1e-15


@given(
    st.fractions(0, 1, max_denominator=50),
    st.fractions(0, Fraction(9, 10), max_denominator=50),
    st.floats(-1, 1),
)
def test_widened_share_contains_every_angle(index, sine, t):
    """The widened share contains cos^2(phi + t theta) for any |t| <= 1."""
    phi, theta = np.arccos(np.sqrt(float(index))), np.arcsin(float(sine))
    with precision_digits(30):
        wide = widen_share(arb(QQ(index)), arb(QQ(sine)))
        moved = np.cos(min(max(phi + t * theta, 0), np.pi / 2)) ** 2
        assert float(wide.lower()) - 1e-12 <= moved <= float(wide.upper()) + 1e-12
        assert float(wide.rad()) <= float(sine) + 1e-12


@given(classifiers())
def test_both_routes_give_the_same_indices(classifier):
    first, second = exact_profile(*classifier), exact_profile(*classifier)
    second.sums.is_enumeration_cheaper = lambda work, modes=None: True
    for name in INDICES:
        assert first.family(name) == second.family(name)
    assert first.subset(range(1, first.d + 1)) == second.subset(range(1, first.d + 1))
    assert first.norm2 == second.norm2


def random_profile(m: int, d: int, n: int) -> Profile:
    random = np.random.default_rng(m)
    X, s = random.uniform(-1, 1, (m, d)), random.normal(size=m)
    return Profile(Problem(X, np.where(s > 0, 1, -1), n, 0, 0), s, arithmetic("float"), 1.0)


def test_few_modes_and_many_points_make_no_pairs(monkeypatch):
    profile = random_profile(6000, 2, 5)
    monkeypatch.setattr(np, "triu_indices", None)
    assert sum(profile.order) == pytest.approx(1)
    assert sum(profile.marginal.values()) == pytest.approx(profile.order[1])
    assert [sum(profile.degree), profile.even + profile.odd] == pytest.approx([1, 1])


def test_the_route_follows_the_work():
    """Pairs of coordinates can be enumerated even if all modes cannot; small problems use the pairs."""
    wide = random_profile(700, 40, 1)
    assert not wide.sums.is_enumeration_cheaper(80)
    assert wide.sums.is_enumeration_cheaper(80, modes=780)
    assert sum(wide.pair.values()) == pytest.approx(wide.order[2])
    assert not random_profile(50, 2, 2).sums.is_enumeration_cheaper(10)


def test_slow_numbers_enumerate_few_modes_sooner():
    """A product of rationals or balls takes 100 times as long as one in float64.

    Verified float64 is fast too, but its bounds are better by modes.
    """
    X, y = np.random.default_rng(0).uniform(-1, 1, (150, 2)), [1, -1] * 75
    problem = Problem(X, y, 2, 0, 0)
    for name, by_points in (("float", True), ("verified", False), ("ball", False), ("exact", False)):
        A = arithmetic(name)
        with A.scope():
            profile = Profile(problem, A.array([QQ(label) for label in y]), A, A(1))
            by_pairs = [sums / profile.generating.norm for sums in profile.generating.orders]
        assert profile.sums.is_enumeration_cheaper(4) != by_points
        assert [float(x) for x in profile.order] == pytest.approx([float(x) for x in by_pairs])


def test_every_index_needs_the_sums_by_degree_only_once(monkeypatch):
    random, A = np.random.default_rng(1), arithmetic("ball")
    problem = Problem(random.uniform(-1, 1, (20, 5)), [1, -1] * 10, 15, 0, "1/2")
    with A.scope():
        s = A.array(random.integers(1, 9, 20).tolist())
        alone = Profile(problem, s, A, A(1)).degree
        monkeypatch.setattr(GeneratingFunction, "degrees", None)
        from_blocks = Profile(problem, s, A, A(1)).indices.degree
        assert all(x.overlaps(y) for x, y in zip(alone, from_blocks, strict=True))


@pytest.mark.parametrize("name", ["float", "mp", "ball", "verified", "exact"])
@pytest.mark.parametrize(("d", "n"), [(1, 3), (2, [0, 2]), (3, 2), (5, [1, 0, 3, 2, 1])])
def test_degrees_are_the_sums_of_the_blocks(name, d, n):
    random, A = np.random.default_rng(d), arithmetic(name, 20)
    problem = Problem(random.uniform(-1, 1, (6, d)), [1, -1] * 3, n, 0, "1/2")
    with A.scope():
        s = A.elements(A(QQ(x)) for x in random.normal(size=6))
        g = Profile(problem, s, A, 1).generating
        for N, x in enumerate(g.degrees):
            assert abs(float(x - g.blocks[:, N].sum())) <= 1e-13 * float(g.norm)
    assert len(g.degrees) == sum(problem.degrees) + 1


def test_widened_share_contains_0():
    """If the angle can exceed 90 degrees, the widened share contains 0."""
    wide = widen_share(arb("0.001"), arb("0.2"))
    assert contains(wide, QQ(0))
    assert contains(wide, QQ("0.02")) and not contains(wide, QQ("0.06"))


SCOPED = ("norm", "orders", "by_coordinate", "parities", "degrees", "blocks", "subsets")


@pytest.mark.parametrize("by_modes", [True, False])
@pytest.mark.parametrize("order", [None, 1])
def test_sums_asked_for_outside_a_precision_scope_lose_no_digits(by_modes, order, monkeypatch):
    """They are kept, so that a rounding to the 53 bits of the default precision would stay for good."""
    random = Random(4)
    X = [[f"{random.randint(-99, 99)}/100" for _ in range(3)] for _ in range(12)]
    problem = Problem(X, [1, -1, 1] * 4, kernel=OrthogonalPolynomials(2, order=order))
    certificate = certify(problem, level="ball")
    monkeypatch.setattr(ModeSums, "is_enumeration_cheaper", lambda self, *arguments: by_modes)

    def accuracies(families):
        values = [x for name in families for x in profile.family(name).values() if not x.contains(0)]
        return [x.rel_accuracy_bits() for x in values]

    families = ("order", "marginal", "pair", "total", "shapley", "degree", "block")
    profile = orca(problem, certificate, "ball", 50)
    expected = accuracies(families)
    assert len(expected) > 12 and min(expected) > 150
    for name in SCOPED:
        profile = orca(problem, certificate, "ball", 50)
        first = getattr(profile.sums, name)
        first = first([(1,), (1, 2)]) if name == "subsets" else first
        balls = [x for x in np.ravel(np.array(first, dtype=object)) if not x.contains(0)]
        assert min(x.rel_accuracy_bits() for x in balls) > 150, name
        assert min(a - b for a, b in zip(accuracies(families), expected, strict=True)) > -8, name


@pytest.mark.parametrize("level", ["ball", "exact"])
def test_more_digits_are_tried_until_the_norm_is_separated_from_0(level):
    """With degree 60 six digits of the arithmetic cancel; the certificate has enough of them."""
    random = Random(4)
    X = [[f"{random.randint(-99, 99)}/100" for _ in range(3)] for _ in range(20)]
    problem = Problem(X, [1, -1] * 10, n=60, alpha=0, beta=0)
    certificate = certify(problem, level=level, digits=6)
    found, more = (orca(problem, certificate, "ball", digits) for digits in (6, 80))
    for x, y in zip(found.order, more.order, strict=True):
        assert x.overlaps(y) and float(x.rad()) < 1e-4


def test_no_error_recommends_a_level_that_was_given(monkeypatch):
    monkeypatch.setattr(profiles, "_MOST_TRIED", 6)
    random = Random(4)
    X = [[f"{random.randint(-99, 99)}/100" for _ in range(3)] for _ in range(20)]
    problem = Problem(X, [1, -1] * 10, n=100, alpha=0, beta=0)
    with pytest.raises(Undecided, match=r"not separated from 0 with .* use the arithmetic 'exact'") as error:
        orca(problem, certify(problem, level="exact"), "ball", 1)
    assert "level" not in str(error.value)
