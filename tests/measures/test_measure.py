"""Measures compared with their moments, SciPy and closed forms; masses, domains and bad input."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest
import sympy as sp
from command import orca as command
from flint import fmpq, fmpq_poly
from hypothesis import given
from hypothesis import strategies as st
from oracle import Oracle

from orca_exact import (
    Discrete,
    Hermite,
    Jacobi,
    Laguerre,
    OrthogonalPolynomials,
    Problem,
    certify,
    checker,
    orca,
)
from orca_exact.errors import (
    BadInput,
    BadParameter,
    NotANumber,
    OutsideDomain,
    TooLarge,
    Undecided,
    ZeroClassifier,
)
from orca_exact.kernels.orthogonal import (
    cd_closed,
    cd_confluent,
    cd_sum,
)
from orca_exact.measures.families import read_measure
from orca_exact.measures.measure import Mass
from orca_exact.numbers.arithmetic import arithmetic
from orca_exact.numbers.rationals import QQ, contains, precision_digits
from orca_exact.profile.profile import Profile
from orca_exact.svm.gram import design_matrix, gram, gram_ratio
from orca_exact.svm.tau import Tau
from proofs_checks.ledger.mutants import clear_caches

small = st.fractions(min_value=Fraction(-9, 10), max_value=6, max_denominator=12)
nodes = st.lists(st.fractions(-3, 3, max_denominator=9), min_size=6, max_size=8, unique=True)
weights = st.lists(st.fractions(Fraction(1, 9), 5, max_denominator=9), min_size=8, max_size=8)
measures = st.one_of(
    st.builds(Jacobi, small, small),
    st.builds(Hermite),
    st.builds(Laguerre, small),
    st.builds(lambda x, w: Discrete(x, w[: len(x)]), nodes, weights),
)
NODES = Discrete([0, 1, 3, "1/2", -2], [1, "1/3", 2, 1, 5])
SAMPLES = [Jacobi("1/2", "-1/3"), Hermite(), Laguerre("1/2"), NODES]


def is_orthogonal(measure, n):
    """Return whether, by the moments, the pi_k are monic and orthogonal with the norms h_k/h_0."""
    polynomials = [p.coeffs() for p in measure.monic(n, fmpq_poly([0, 1]))]
    return all(p[k] == 1 for k, p in enumerate(polynomials)) and all(
        measure.inner_ratio(p, q) == (measure.h_ratio(k) if j == k else 0)
        for k, p in enumerate(polynomials)
        for j, q in enumerate(polynomials[: k + 1])
    )


@given(measures, st.integers(0, 5))
def test_orthogonal_for_the_measures_own_moments(measure, n):
    assert is_orthogonal(measure, n)
    assert min(measure.h_ratios(n)) > 0


@pytest.fixture
def without_known_values():
    """Forget the values of measures before and after a test that changes a measure."""
    clear_caches(("orca_exact.measures",))
    yield
    clear_caches(("orca_exact.measures",))


@pytest.mark.usefixtures("without_known_values")
@pytest.mark.parametrize("measure", SAMPLES[1:], ids=repr)
@pytest.mark.parametrize("mistake", ["a", "b", "shift"])
def test_a_wrong_recurrence_is_not_orthogonal(measure, mistake, monkeypatch):
    right = type(measure).recurrence
    wrong = {
        "a": lambda self, k: (right(self, k)[0] + 1, right(self, k)[1]),
        "b": lambda self, k: (right(self, k)[0], right(self, k)[1] * (k + 1)),
        "shift": lambda self, k: right(self, k + 1),
    }[mistake]
    monkeypatch.setattr(type(measure), "recurrence", wrong)
    assert not is_orthogonal(measure, 3)


def test_moments_and_masses_are_integrals():
    x = sp.Symbol("x", real=True)
    for measure, weight, low in (
        (Hermite(), sp.exp(-(x**2) / 2), -sp.oo),
        (Laguerre("1/2"), sp.sqrt(x) * sp.exp(-x), 0),
    ):
        for j in range(4):
            assert sp.simplify(sp.integrate(x**j * weight, (x, low, sp.oo)) - measure.moment(j)) == 0
        assert sp.simplify(measure.mass.to_sympy() - measure.h0) == 0


def test_agreement_with_scipy():
    scipy = pytest.importorskip("scipy.special")
    t = np.linspace(0.1, 4, 9)
    for measure, classical, lead in (
        (Hermite(), scipy.hermitenorm, lambda k: 1),
        (Laguerre("1/2"), lambda k: scipy.genlaguerre(k, 0.5), lambda k: (-1) ** k / scipy.factorial(k)),
    ):
        for k, value in enumerate(measure.monic(6, t)):
            assert np.allclose(value * lead(k), classical(k)(t), rtol=1e-11)


@given(
    measures,
    st.fractions(0, 1, max_denominator=20),
    st.fractions(0, 1, max_denominator=20),
    st.integers(0, 3),
)
def test_christoffel_darboux_and_derivatives(measure, x, z, order):
    x, z = QQ(x), QQ(z)
    assert cd_confluent(measure, 4, x) == cd_sum(measure, 4, x, x)
    if x != z:
        assert cd_closed(measure, 4, x, z) == cd_sum(measure, 4, x, z)
    for value, p in zip(measure.derivatives(4, x, order), measure.monic(4, fmpq_poly([0, 1])), strict=True):
        for _ in range(order):
            p = p.derivative()
        assert value == p(x)


@pytest.mark.parametrize("measure", SAMPLES, ids=repr)
def test_masses_agree_in_all_arithmetics(measure):
    ball = measure.h0_in(arithmetic("ball", 40))
    assert float(ball.rad()) < 1e-38 * float(ball)
    assert abs(measure.h0_in(arithmetic("float")) / float(ball) - 1) < 1e-15
    with precision_digits(60):
        assert abs(float(QQ(measure.h0_in(arithmetic("mp", 40))) - ball)) < 1e-38
    assert abs(float(measure.h0) / float(ball) - 1) < 1e-14
    assert read_measure(json.loads(json.dumps(measure.to_json()))) == measure


def test_a_discrete_measure_is_its_sample():
    """The polynomials p_0 ... p_{N-1} are orthonormal on the nodes; ``empirical`` counts the values."""
    measure = Discrete.empirical(["1", "2", "2", "5/2", "2", "1"])
    assert (measure.nodes, measure.weights) == (
        (fmpq(1), fmpq(2), fmpq(5, 2)), (fmpq(1, 3), fmpq(1, 2), fmpq(1, 6))
    )  # fmt: skip
    assert measure == Discrete(["5/2", 1, 2], ["1/6", "1/3", "1/2"])
    p = measure.values(2, np.array([1, 2, 2.5]), arithmetic("float"))
    assert np.allclose((p * np.array([1 / 3, 1 / 2, 1 / 6])) @ p.T, np.eye(3))
    assert measure.monic(3, fmpq(2))[3] == 0  # the node polynomial
    with pytest.raises(TooLarge, match="2, the largest degree for 3 nodes"):
        measure.h_ratio(3)


# lambda.


def test_the_form_of_a_mass_decides():
    pi, root = Mass.gamma("1/2") ** 2, Hermite().mass
    assert (pi * pi**-1).is_rational and (root**2).is_rational is False
    assert Mass.gamma(5).rational == 24 and Mass.gamma("7/3").rational == fmpq(4, 9)
    assert Jacobi("1/2", 0).mass.is_rational is False and (Jacobi("1/2", 0).mass ** 2).is_rational
    assert (Laguerre("1/3").mass * Laguerre("4/3").mass ** -1).rational == fmpq(3, 4)


def line(*measures, C=1):
    """Return a problem with one point of each class."""
    return Problem([["0.1"] * len(measures), ["0.9"] * len(measures)], [1, -1], 1, measures=measures, C=C)


@pytest.mark.parametrize(
    "given, known",
    [
        ([Laguerre(3), Jacobi(1, 2), Discrete([0, 1])], True),
        ([Jacobi("1/2", 0)] * 2, True),
        ([Jacobi("1/2", 0)], False),
        ([Hermite()], False),
        ([Hermite(), Laguerre("1/2")], False),
        ([Laguerre("1/2"), Jacobi(0, "1/2")], False),
        ([Jacobi("1/3", "1/4"), Laguerre(0), Jacobi("1/4", "1/3")], False),
        ([Laguerre("1/3")], None),
        ([Jacobi("1/3", "1/4"), Hermite()], None),
        ([Jacobi("1/3", "1/4"), Jacobi("1/5", "1/4")], None),
    ],
)
def test_whether_lambda_is_rational_is_known(given, known):
    problem = line(*given)
    assert problem.lambda_is_rational is known
    with arithmetic("ball", 60).scope():
        product = problem.lambda_ball()
        for measure in given:
            product *= measure.h0_in(arithmetic("ball", 60))
        assert product.overlaps(1) and float(product.rad()) < 1e-50
        assert known is not True or contains(problem.lambda_ball(), problem.lambda_exact)


def test_an_unknown_lambda_is_never_assumed_irrational():
    """The sign of p + q tau near 0 is decided by a ball or not at all."""
    problem = line(Laguerre("1/5"))
    tau = Tau(problem)
    with arithmetic("ball", 6000).scope():
        near = QQ(tau.ball().mid().str(5900, radius=False))
    value = tau.affine(np.array([fmpq(0), fmpq(1)]), np.array([fmpq(0), fmpq(-1)]))
    assert value.zeros() == [True, False]
    with pytest.raises(Undecided):
        tau.affine(np.array([-near]), np.array([fmpq(1)])).zeros()


# Kernels and profiles.

MIXED = Problem(
    [["0.2", "-1.3", "0.5", "3", "0.1"], ["0.9", "0.4", "1.7", "1", "0.3"], ["-0.4", "1.1", "0.1", "2", "-1"],
     ["-0.8", "-0.3", "4.2", "3", "0.5"], ["0.5", "0.8", "2.6", "5", "-0.7"]],
    [1, 1, -1, -1, 1], n=[3, 1, 2, 2, 0], C=2,
    measures=[Jacobi("1/2", 0), Hermite(), Laguerre("1/2"), Discrete([1, 2, 3, 5]), Jacobi(0, 0)],
)  # fmt: skip


def test_the_kernel_is_the_sum_over_its_modes():
    B, F = arithmetic("ball", 30), arithmetic("float")
    P, K = design_matrix(MIXED, B), gram(MIXED, B)
    assert P.shape == (5, MIXED.modes) == (5, len(list(MIXED.kernel.modes)))
    with B.scope():
        assert all(a.overlaps(b) for a, b in zip((P @ P.T).flat, K.flat, strict=True))
    kernel = OrthogonalPolynomials(list(MIXED.degrees), MIXED.measures)
    X = F.array(MIXED.points)
    assert np.allclose(kernel(X, X), K.astype(float), rtol=1e-12)
    assert np.allclose(kernel.features(X), P.astype(float), rtol=1e-10, atol=1e-12)
    with pytest.raises(BadParameter, match="n: 5 values were given for 2 coordinates"):
        kernel(X[:, :2], X[:, :2])


@pytest.mark.parametrize("name", ["exact", "ball", "float", "mp"])
def test_two_routes_to_the_profile_meet(name):
    A = arithmetic(name, 30)
    with A.scope():
        profile = Profile(MIXED, [A(s) for s in (3, -1, 2, -5, 1)], A, A(1))
        first, second = profile.generating.blocks, profile.enumeration.blocks()
    assert first.shape == second.shape == (6, sum(MIXED.degrees) + 1)
    top = max(abs(float(x)) for x in first.flat)
    for x, z in zip(first.flat, second.flat, strict=True):
        assert x == z if name == "exact" else abs(float(x - z)) <= 1e-11 * top
    assert len(profile.degree) == 9 and len(profile.order) == 6
    assert set(profile.coefficients()) == set(MIXED.kernel.modes)
    assert abs(float(sum(profile.degree)) - 1) < 1e-12
    assert abs(float(profile.order[5])) < 1e-12  # the fifth coordinate has degree 0


def test_equal_degrees_and_measures_are_the_plain_problem():
    X, y = [["0.1", "0.5"], ["-0.3", "1"], ["0.7", "-1"]], [1, -1, 1]
    plain = Problem(X, y, 2, "1/2", 0)
    listed = Problem(X, y, [2, 2], measures=[Jacobi("1/2", 0)] * 2)
    assert listed == plain and listed.to_json() == plain.to_json()
    assert plain.to_json()["schema"].endswith("/1")
    with pytest.raises(BadParameter, match="does not have one Jacobi weight"):
        MIXED.alpha  # noqa: B018


def test_a_mixed_problem_from_file_to_checked_certificate(tmp_path):
    path = tmp_path / "certificate.json"
    certificate = certify(Problem.from_json(json.loads(json.dumps(MIXED.to_json()))))
    path.write_text(json.dumps(certificate.to_json()))
    assert checker.main([str(path)]) == 0
    truth, found = Oracle(MIXED).shares(), orca(MIXED, certificate, "ball", 40)
    for name, family in truth.items():
        for key, share in family.items():
            assert abs(Fraction(str(float(found.family(name)[key]))) - share) < Fraction(1, 10**12)
    R = gram_ratio(MIXED)
    assert [[Fraction(int(x.p), int(x.q)) for x in row] for row in R] == Oracle(MIXED).R


WRONG = {
    "mass": ("mass", property(lambda self: Mass.gamma("1/2"))),  # sqrt(pi) belongs to e^(-x^2)
    "normalisation": ("h_ratios", lambda self, n: [fmpq(1)] * (n + 1)),
    "Charlier's": ("recurrence", lambda self, k: (fmpq(k), fmpq(k))),
    "off by one": ("recurrence", lambda self, k: (fmpq(0), fmpq(k + 1))),
    "truncation": ("h_ratios", lambda self, n: [fmpq(1), *[fmpq(10**9)] * n]),
}


@pytest.mark.parametrize("mistake", WRONG)
def test_the_checker_does_not_share_the_librarys_mistakes(mistake, monkeypatch, without_known_values):
    X, y = [["-1.5"], ["-0.2"], ["0.4"], ["2"]], [1, -1, 1, -1]
    problem = Problem(X, y, 2, measures=Hermite(), C=5)
    assert checker.check(certify(problem).to_json())["level"] == "exact"
    name, wrong = WRONG[mistake]
    monkeypatch.setattr(Hermite, name, wrong)
    clear_caches(("orca_exact.measures",))
    certificate = certify(Problem(X, y, 2, measures=Hermite(), C=5)).to_json()
    with pytest.raises(checker.Rejected):
        checker.check(certificate)


def test_rescale_moves_jacobis_coordinates_only():
    X = [["5", "5"], ["6", "6"], ["9", "9"]]
    problem = Problem(X, [1, -1, 1], 1, measures=[Jacobi(0, 0), Hermite()], rescale=True)
    assert problem.points.T.tolist() == [[-1, fmpq(-1, 2), 1], [5, 6, 9]]


# Bad input.

BAD = [
    (lambda: Discrete([1, 2, 1]), BadParameter, r"nodes: 1 occurs 2 times"),
    (lambda: Discrete([]), BadParameter, "nodes: the list is empty"),
    (lambda: Discrete("12"), BadParameter, "nodes"),
    (lambda: Discrete([1, 2], [1]), BadParameter, "weights: 1 value was given for 2 nodes"),
    (lambda: Discrete([1, 2], [1, 0]), BadParameter, r"weights\[1\]: 0 is not positive"),
    (lambda: Discrete([1, 2], [1, "-1/2"]), BadParameter, r"weights\[1\]: -0.5 is not positive"),
    (lambda: Discrete([1, float("nan")]), NotANumber, r"nodes\[1\]: nan"),
    (lambda: Discrete([1, 2], [1, float("nan")]), NotANumber, r"weights\[1\]: nan"),
    (lambda: Discrete(range(30_000)), TooLarge, "number of nodes: 30000"),
    (lambda: Laguerre(-1), BadParameter, "alpha: -1 is not greater than -1"),
    (lambda: Laguerre("nan"), NotANumber, "alpha"),
    (lambda: line(Discrete([0])), TooLarge, r"n\[0\]: 1 is more than 0, the largest degree for 1 nodes"),
    (lambda: line(Laguerre(2000)), TooLarge, "alpha: 2000"),
    (lambda: line("hermite"), BadParameter, r"measures\[0\]: 'hermite' is not a measure"),
    (lambda: line(Jacobi(sp.sqrt(2), 0)), BadParameter, "is not rational"),
    (lambda: Problem([[0, -1], [0, 1]], [1, -1], 1, measures=[Hermite(), Laguerre(0)]), OutsideDomain,
     r"X\[0\]\[1\]: -1 lies outside \[0, oo\)"),
    (lambda: Problem([[0, 2], [0, 1]], [1, -1], 1, measures=[Hermite(), Jacobi(0, 0)]), OutsideDomain,
     r"X\[0\]\[1\]: 2 lies outside \[-1, 1\]; rescale"),
    (lambda: Problem([[0], [1]], [1, -1], 1, measures=[Hermite()] * 2), BadParameter,
     "2 values were given for 1 coord"),
]  # fmt: skip


@pytest.mark.parametrize("make, error, says", BAD, ids=[str(i) for i in range(len(BAD))])
def test_bad_measures(make, error, says):
    with pytest.raises(error, match=says) as caught:
        make()
    assert "\n" not in str(caught.value) and ";" in str(caught.value)


FILE = {"schema": "orca-exact/problem/2", "X": [["0", "1"], ["1", "2"]], "y": [1, -1], "n": 1}
HERMITE = {"family": "hermite"}
FILES = [
    ({"measures": {"family": "legendre"}}, "measures"),
    ({"measures": {"family": "laguerre"}}, "measures"),
    ({"measures": [HERMITE, {"family": "laguerre", "alpha": "-1"}]}, r"measures\[1\].alpha: -1 is not great"),
    ({"measures": {"family": "discrete", "nodes": ["1", "1"]}}, r"measures.nodes: 1 occurs"),
    (
        {"measures": {"family": "discrete", "nodes": ["1", "2"], "weights": ["1"]}},
        "1 value was given for 2 nodes",
    ),
    ({"measures": {"family": "discrete", "nodes": ["1"]}}, r"n\[0\]: 1 is more than 0"),
    ({"measures": [HERMITE]}, "measures: 1 value was given for 2 coordinates"),
    ({"measures": HERMITE, "n": [1]}, "n: 1 value was given for 2 coordinates"),
    ({"measures": HERMITE, "X": [["0", "1"], ["1", "nan"]]}, r"X\[1\]\[1\]"),
    ({"schema": "orca-exact/problem/1", "measures": HERMITE}, "'measures' is new in version 2; write"),
    ({"schema": "orca-exact/problem/1", "alpha": "0", "beta": "0", "C": ["1", "2"]}, "list for 'C' is new"),
    ({"schema": "orca-exact/problem/1", "alpha": "0", "beta": "0", "n": [1, 2]}, "list for 'n' is new"),
    ({"schema": "orca-exact/problem/2"}, "the field 'measures' is missing"),
]


@pytest.mark.parametrize("change, says", FILES, ids=[str(i) for i in range(len(FILES))])
def test_bad_files_exit_with_4_and_one_line(tmp_path, change, says):
    path = tmp_path / "problem.json"
    path.write_text(json.dumps(FILE | change))
    with pytest.raises(BadInput, match=says):
        Problem.load(path)
    target = tmp_path / "certificate.json"
    code, out, err = command("certify", str(path), "-o", str(target))
    assert code == 4 and err.count("\n") == 1 and not target.exists() and not out


def test_a_mixed_reference_is_cross_checked():
    """Correct values agree, and a wrong one does not."""
    from orca_exact.conformance.crosscheck import crosscheck
    from orca_exact.conformance.reference_maker import make_reference
    from orca_exact.conformance.result import Result

    problem = MIXED.replace(id="mixed")
    reference, solution = make_reference(problem, "exact", 40), certify(problem)
    answer = {"id": "mixed", "alpha": [float(x) for x in solution.alpha(30)]}
    K = gram(problem, arithmetic("float"))
    answer["gram"] = K.tolist()
    assert crosscheck(reference, Result.from_json(answer)).outcome == "HOLDS"
    answer["gram"] = (K * 1.5).tolist()
    assert crosscheck(reference, Result.from_json(answer)).outcome == "FAILS"


def test_w_is_0_in_every_arithmetic():
    nodes = Discrete(["-19", "-13", "-4", "-3/5", "7/3", "19"], [1] * 6)
    problem = Problem([["-4"], ["-13"], ["-13"]], [1, -1, 1], n=2, measures=nodes, C="4.1")
    certificate = certify(problem)
    for name in ("ball", "exact", "float", "mp"):
        with pytest.raises(ZeroClassifier):
            orca(problem, certificate, name)


def test_numbers_beyond_float64_are_named_as_such():
    nodes = Discrete(["1e5000", "1", "2"], [1, 1, 1])
    problem = Problem([["1"], ["2"]], [1, -1], n=1, measures=nodes)
    with pytest.raises(TooLarge, match="is more than float64 can represent; take a smaller"):
        certify(problem)
