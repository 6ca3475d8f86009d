"""Tests of the checker with linear, polynomial and RBF kernels: values, errors, certificates, forgeries."""

from __future__ import annotations

import json
from fractions import Fraction as Q
from random import Random

import mpmath
import pytest
from by_hand import (
    CUBIC,
    EXACT_RBF,
    KKT,
    LIMITED,
    OTHERS,
    PLANE,
    RBF_BITS,
    changed,
    rational_gram,
    rbf_certificates,
    rejected_condition,
    shrunk_gap_certificate,
    signed,
)
from command import orca

from orca_exact import (
    RBF,
    Empirical,
    Hermite,
    Linear,
    Normal,
    Polynomial,
    Problem,
    Uniform,
    certify,
    checker,
    path,
)
from orca_exact.checker import Rejected, conditions, limits, other_kernels, reading
from orca_exact.svm.gram import gram_ratio

POLYNOMIALS = [Linear(), Polynomial(1, "2/3", -5), Polynomial(2, "1/7", "0.3"), Polynomial(5, 3, 0)]


def random_problem(kernel, seed, m=6, d=3):
    """Return a problem with columns of different scales, a constant one, and repeated points."""
    random = Random(f"{kernel!r} {seed}")
    scales = ["1", random.choice(["1e6", "1e-5", "1/3"]), "1"]
    X = [[str(Q(random.randint(-9, 9), random.randint(1, 9)) * Q(t)) for t in scales] for _ in range(m)]
    constant, rescale = random.random() < 0.3, random.random() < 0.3
    if constant:
        X = [[x[0], x[1], "3/2"] for x in X]
    X[-1] = X[0].copy()
    y = [1, -1] + [random.choice([1, -1]) for _ in range(m - 2)]
    C = random.choice([1, "1/30", 100, [str(random.randint(1, 9)) for _ in range(m)]])
    under = random.choice([None, Uniform(), Uniform(-1, 2), Normal("1/2", 3), [Empirical()] * d])
    return Problem(X, y, kernel=kernel, C=C, under=under, rescale=rescale and not constant)


def written(problem):
    """Return the problem as the checker reads it."""
    return reading.read_problem(reading.parse(problem.to_json(), reading.CERTIFICATE["problem"], "problem"))


# Values of the kernels.


@pytest.mark.parametrize("kernel", POLYNOMIALS, ids=repr)
def test_three_routes_to_the_gram_matrix_meet(kernel):
    """Compare the checker, the library and the sum over the powers of x.z."""
    for seed in range(5):
        problem = random_problem(kernel, seed)
        gram, m = other_kernels.gram_of_problem(written(problem), 128), range(problem.m)
        R = [[Q(gram.entry(i, j), gram.c * gram.D[i] * gram.D[j]) for j in m] for i in m]
        assert rational_gram(problem.to_json()) == R
        dropped = min(Q(int(problem.kernel.coef0.p), int(problem.kernel.coef0.q)), 0)  # by the library
        assert [[Q(int(x.p), int(x.q)) + dropped for x in row] for row in gram_ratio(problem)] == R
        assert max(gram.entry(i, j).bit_length() for i in m for j in m) <= gram.bits
        x = [2, 0, -3, 0, 1, 0]
        assert gram.times(x) == [gram.unit * sum(map(Q.__mul__, row, map(Q, x))) for row in R]
        assert gram.error == 0 and set(gram.rows) == {0, 2, 4}


@pytest.mark.parametrize("bits", [1, 2, 7, 53, 128, 300, 1000])
def test_the_exponential_is_within_one_unit(bits):
    random, d = Random(bits), 3
    exp = other_kernels.Exponential(bits, d)
    exponents = [Q(0), Q(1, 10**400), Q(bits), Q(bits) * Q(7, 10), bits - Q(1, 2**bits), Q(10) ** 400]
    exponents += [Q(random.getrandbits(80), 2 ** random.randint(40, 160)) for _ in range(200)]
    most = 0
    with mpmath.workprec(bits + 200):
        for t in exponents:
            for loss in range(d):
                T = max(0, int(t * 2**exp.fraction) - loss)
                value = mpmath.ldexp(mpmath.exp(-mpmath.mpf(t.numerator) / t.denominator), bits)
                most = max(most, abs(value - exp(T)))
    assert exp(0) == 2**bits and 0.4 < most <= 1


def test_too_few_terms_of_the_exponential_are_seen():
    exp = other_kernels.Exponential(128, 1)
    right = exp(1 << exp.fraction)
    exp.terms //= 2
    assert exp(1 << exp.fraction) != right


@pytest.mark.parametrize("gamma", ["1e-4", "0.05", "3/7", "20", "1e3"])
def test_rbf_values_are_within_their_error(gamma):
    for seed in range(3):
        problem = random_problem(RBF(gamma), seed)
        R = rational_gram(problem.to_json())
        for bits in (5, 64, 300):
            gram, m = other_kernels.gram_of_problem(written(problem), bits), range(problem.m)
            assert gram.error == Q(1, 2**bits)
            off = [abs(Q(gram.entry(i, j), gram.c) - R[i][j]) for i in m for j in m]
            assert max(off) <= gram.error + Q(1, 2**RBF_BITS)
            assert gram.entry(0, 0) == gram.entry(0, 5) == gram.c and gram.places[0] == gram.places[5]


# Certificates and paths that the library writes, and those made by hand.


@pytest.mark.parametrize("kernel", [*POLYNOMIALS[::2], *(RBF(g) for g in ("1e-4", "1/3", "1e3"))], ids=repr)
def test_certificates_and_paths_are_accepted(kernel):
    for seed in range(3):
        problem = random_problem(kernel, seed)
        for level in ("gap", "ball", *["exact"] * kernel.rational):
            data = certify(problem, level=level, digits=20).to_json()
            found = checker.check(json.loads(json.dumps(data)))
            assert found["level"] in (level, "exact") and found["problem"]["sha256"] == problem.sha256
            assert found["problem"]["kernel"] == kernel.family and data["schema"] == checker.SCHEMA_2
        if kernel.rational:
            data = path(problem, level="exact").to_json()
            assert checker.check(data)["problem"]["sha256"] == problem.sha256


def test_a_certificate_in_float64_is_accepted():
    random = Random(2)
    X = [[f"{random.randint(-99, 99)}/100" for _ in range(5)] for _ in range(50)]
    y = [1 if Q(x[0]) * Q(x[1]) + Q(x[2]) > 0 else -1 for x in X]
    for kernel, wrong in ((RBF("1/2"), ("gamma", "0.501")), (Polynomial(3, 1, 1), ("degree", 2))):
        data = certify(Problem(X, y, kernel=kernel, C=10), level="float").to_json()
        assert checker.check(data)["level"] == "gap"
        assert rejected_condition(changed(data, ("problem", "kernel", wrong[0]), wrong[1])) in KKT


@pytest.mark.parametrize("name", OTHERS)
def test_certificates_by_hand_are_accepted(name):
    certificate = OTHERS[name]()
    assert checker.check(certificate)["level"] == "exact"
    if name == "degree 1":  # with a negative value on the diagonal
        return
    again = certify(Problem.from_json(certificate["problem"])).to_json()
    assert again["active"] == certificate["active"] and checker.check(again)["level"] == "exact"


def test_rbf_certificates_by_hand_are_accepted():
    for certificate in rbf_certificates():
        found = checker.check(certificate)
        assert found["level"] == "gap" and found["conditions"]["lambda"] == "rational, R enclosed to 128 bits"


def test_all_points_at_one_place():
    """Prove P - D = 0: values of the RBF kernel between equal points have no error."""
    problem = {"X": [["1/3"], ["1/3"], ["1/3"]], "y": [1, -1, 1], "C": "2"}
    certificate = rbf_certificates()[0]
    claims = {"gap": "0", "w_error": "0", "norm2": {"lower": "0", "upper": "0"}}
    one = {"bits": 1, "lower": "1", "upper": "1"}
    dual = {"u": ["0"] * 3, "v": ["1", "1", "0"], "active": {"free": [], "bound": [1, 2]}}
    dual |= {"problem": certificate["problem"] | problem, "claims": certificate["claims"] | claims}
    certificate = signed(certificate | dual | {"b": {"u": "1", "v": "0"}, "lambda": one})
    assert checker.check(certificate)["gap"] == "0"
    assert rejected_condition(changed(certificate, ("problem", "X", 0, 0), "1/4")) == "complementarity"


def test_the_program_names_the_kernel(tmp_path):
    file = tmp_path / "certificate.json"
    expected = {"polynomial": "kernel = polynomial, degree = 3, gamma = 1/2, coef0 = 0.7, C = 40"}
    expected["linear"] = "kernel = linear, C = 2"
    for name, line in expected.items():
        file.write_text(json.dumps(OTHERS[name]()))
        code, out, _ = orca("check-certificate", str(file))
        assert code == 0 and line in out and checker.main([str(file)]) == 0


def test_a_field_given_twice_is_not_read(tmp_path):
    text = json.dumps(rbf_certificates()[0])
    for key in ('"gamma": ', '"family": ', '"kernel": '):
        assert text.count(key) == 1
        file = tmp_path / "certificate.json"
        file.write_text(text.replace(key, f'{key}"1", {key}'))
        assert checker.main([str(file)]) == 4


# The errors of the RBF kernel.


def tightest(certificate, key):
    """Return the least claim of gap or w_error that the checker proves, up to one part in 10^5."""
    low, high = Q(0), Q(certificate["claims"][key])
    while high - low > high / 10**5:
        middle = (low + high) / 2
        try:
            checker.check(changed(certificate, ("claims", key), str(middle)))
            high = middle
        except Rejected:
            low = middle
    return high


@pytest.mark.parametrize("bits", [8, 128])
def test_no_precision_proves_a_smaller_gap(bits):
    """Check that a low precision proves less, never more."""
    for name, make_exact in EXACT_RBF.items():
        certificate, gap = shrunk_gap_certificate(make_exact())
        wide = certificate["claims"] | {
            "gap": "1000",
            "w_error": "40",
            "norm2": {"lower": "0", "upper": "1e6"},
        }
        certificate = signed(certificate | {"claims": wide, "lambda": certificate["lambda"] | {"bits": bits}})
        least = tightest(certificate, "gap")
        assert least > gap * (1 - 1e-12), name
        assert least < gap * (1 + 1e-4) if bits == 128 else least > gap * (1 + 1e-4)


def test_the_errors_are_needed(monkeypatch):
    """Check that without the errors a false gap would be accepted."""
    monkeypatch.setattr(conditions.Solution, "errors", (Q(0), Q(0)))
    false = 0
    for make_exact in EXACT_RBF.values():
        certificate, gap = shrunk_gap_certificate(make_exact())
        wide = certificate["claims"] | {"w_error": "40", "norm2": {"lower": "0", "upper": "1e6"}}
        certificate = signed(certificate | {"claims": wide})
        for bits in (6, 8, 10, 12):
            rough = changed(certificate, ("lambda", "bits"), bits)
            try:
                checker.check(changed(rough, ("claims", "gap"), str(Q(gap) * Q(999, 1000))))
                false += 1
            except Rejected:
                continue
    assert false > 0


def test_norm2_is_not_proved_more_tightly_than_it_is_known():
    (certificate, *_) = rbf_certificates()
    for bits in (16, 24, 128):
        rough = changed(certificate, ("lambda", "bits"), bits)
        rough["claims"] |= {"gap": "100", "w_error": "10"}
        w2 = certificate["claims"]["norm2"]
        for end, factor in (("lower", "1.001"), ("upper", "0.999")):
            tight = w2 | {end: str(Q(w2[end]) * Q(factor))}
            assert rejected_condition(changed(rough, ("claims", "norm2"), tight)) == "claims"


# Forgeries, each with a correct digest.

KERNEL = ("problem", "kernel")
WRONG_KERNELS = [
    ({"family": "linear", "gamma": "1"}, "format"),
    ({"family": "sigmoid", "gamma": "1", "coef0": "0"}, "format"),
    ({"family": "rbf"}, "format"),
    ({"family": "rbf", "gamma": "0"}, "format"),
    ({"family": "rbf", "gamma": "-1"}, "format"),
    ({"family": "rbf", "gamma": "nan"}, "format"),
    ({"family": "rbf", "gamma": float("nan")}, "format"),
    ({"family": "rbf", "gamma": "1e99999"}, "format"),
    ({"family": "rbf", "gamma": "9" * 10**6}, "format"),
    ({"family": "rbf", "gamma": "1", "degree": 3}, "format"),
    ({"family": "rbf", "gamma": "1e-400"}, KKT),
    ({"family": "rbf", "gamma": "1e400"}, KKT),
    ({"family": "rbf", "gamma": "0.7"}, KKT),
    ({"family": "linear"}, KKT),
    (CUBIC, KKT),
    (CUBIC | {"degree": 0}, "format"),
    (CUBIC | {"degree": 1001}, "format"),
    (CUBIC | {"degree": 3.0}, "format"),
    (CUBIC | {"degree": "3"}, "format"),
    (CUBIC | {"degree": True}, "format"),
    (CUBIC | {"coef0": "-1/10"}, "format"),
    (CUBIC | {"coef0": None}, "format"),
    (CUBIC | {"gamma": "0"}, "format"),
    (CUBIC | {"order": 2}, "format"),
    ({"family": "orthogonal", "n": 1, "measures": {"family": "hermite"}}, "lambda"),
    ({}, "format"),
    ("rbf", "format"),
    (None, "format"),
]  # fmt: skip


@pytest.mark.parametrize("kernel, expected", WRONG_KERNELS)
def test_another_kernel_is_another_problem(kernel, expected):
    found = rejected_condition(changed(rbf_certificates()[0], KERNEL, kernel))
    assert found == expected or found in expected


def test_another_parameter_is_another_problem():
    certificate = OTHERS["polynomial"]()
    for key, values in {
        "degree": [1, 2, 4],
        "gamma": ["0.4999999", "1e-400"],
        "coef0": ["0", "0.71"],
    }.items():
        for value in values:
            assert rejected_condition(changed(certificate, (*KERNEL, key), value)) in KKT
    one = OTHERS["degree 1"]()
    checker.check(changed(one, (*KERNEL, "coef0"), "17"))  # changes nothing
    assert rejected_condition(changed(one, (*KERNEL, "degree"), 2)) == "format"


def test_lambda_is_1():
    for certificate in (OTHERS["polynomial"](), rbf_certificates()[0]):
        for lower, upper in (("1/2", "1/2"), ("1", "2"), ("999/1000", "1"), ("0", "1")):
            bounds = {"bits": 128, "lower": lower, "upper": upper}
            assert rejected_condition(changed(certificate, ("lambda",), bounds)) == "lambda"


def test_no_exact_certificate_and_no_path_of_an_rbf_kernel():
    for make_exact in EXACT_RBF.values():
        with pytest.raises(Rejected, match=r"RBF kernel are irrational: the level must be gap or ball"):
            checker.check(make_exact())
    problem = Problem.from_json(OTHERS["polynomial"]()["problem"])
    data = path(problem, level="exact").to_json()
    with pytest.raises(Rejected, match=r"RBF kernel are irrational"):
        checker.check(changed(data, KERNEL, {"family": "rbf", "gamma": "1"}))


UNDER = ("problem", "under")
RIGHT_MEASURES = [
    {"family": "empirical"},
    {"family": "uniform"},
    {"family": "uniform", "lower": "-1", "upper": "1/3"},
    {"family": "normal", "mean": "-7", "sd": "1e-9"},
    {"family": "hermite"},
    {"family": "discrete", "nodes": ["0", "1"], "weights": ["1", "2"]},
    [{"family": "empirical"}, {"family": "uniform"}, {"family": "normal", "mean": 0, "sd": 1}],
]
WRONG_MEASURES = [
    None,
    "uniform",
    [],
    {},
    {"family": "Normal"},
    {"family": "empirical", "n": 1},
    {"family": "uniform", "lower": "0"},
    {"family": "uniform", "upper": "0"},
    {"family": "uniform", "lower": "1", "upper": "1"},
    {"family": "uniform", "lower": "1", "upper": "inf"},
    {"family": "normal", "mean": "0"},
    {"family": "normal", "mean": "0", "sd": "0"},
    {"family": "normal", "mean": "0", "sd": "-1"},
    {"family": "jacobi", "alpha": "-1", "beta": "0"},
    {"family": "discrete", "nodes": ["0", "0"], "weights": ["1", "2"]},
    {"family": "discrete", "nodes": [], "weights": []},
    [{"family": "empirical"}] * 2,
    [{"family": "empirical"}, {"family": "uniform"}, []],
]


def test_measures_of_indices():
    for certificate in (OTHERS["polynomial"](), rbf_certificates()[0]):
        plain = checker.check(certificate)["problem"]["sha256"]
        for under in RIGHT_MEASURES:
            given = changed(certificate, UNDER, under)
            assert checker.check(given)["problem"]["sha256"] != plain
            unsigned = given | {"sha256": certificate["sha256"]}
            assert rejected_condition(unsigned) == "sha256"
        for under in WRONG_MEASURES:
            assert rejected_condition(changed(certificate, UNDER, under)) == "format", under


def test_orthogonal_polynomials_have_only_their_own_measures():
    certificate = LIMITED["order 2, mixed"]()
    own = certificate["problem"]["kernel"]["measures"]
    checker.check(changed(certificate, UNDER, own))
    for under in (own[::-1], own[0], {"family": "empirical"}, own[:3]):
        assert rejected_condition(changed(certificate, UNDER, under)) == "format"


def test_data_of_another_problem():
    certificates = [*(make_exact() for make_exact in OTHERS.values()), *rbf_certificates()]
    for own in certificates:
        for key in ("X", "y", "kernel"):
            for other in certificates:
                forged = changed(own, ("problem", key), other["problem"][key])
                if forged["problem"] != own["problem"] and rational_gram_differs(own, forged):
                    assert rejected_condition(forged) in {*KKT, "format", "claims"}


def rational_gram_differs(own, forged):
    """Return whether the forgery is about another problem, or cannot be one."""
    try:
        same = rational_gram(own["problem"]) == rational_gram(forged["problem"])
    except (ValueError, ZeroDivisionError):
        return True
    return not same or own["problem"]["y"] != forged["problem"]["y"]


def test_claims_tightened_by_one_unit():
    """Tighten the bounds of an alpha whose gap is much larger than all errors."""
    data = certify(
        Problem(PLANE, [1, -1, 1, -1, 1], kernel=RBF("1/3"), C=3), ["1"] * 5, level="gap"
    ).to_json()
    checker.check(data)
    for key in ("gap", "w_error"):
        smaller = Q(data["claims"][key]) * (1 - Q(2, 10**11))
        assert rejected_condition(changed(data, ("claims", key), str(smaller))) in {*KKT, "claims"}


# Sizes.


def test_large_sizes_are_refused_before_they_are_computed(monkeypatch):
    for kind in (other_kernels.PowerGram, other_kernels.Gaussian):
        monkeypatch.setattr(kind, "entry", None)
    cubic, rbf = OTHERS["polynomial"](), rbf_certificates()[0]
    steep = CUBIC | {"degree": 1000}
    long = [[f"1/{10**300 + 2 * k + 1}"] * 3 for k in range(5)]
    for certificate, expected in (
        (changed(cubic, KERNEL, steep | {"gamma": "1/" + "7" * 2000}), "degree, gamma or coef0 is"),
        (changed(changed(cubic, KERNEL, steep), ("problem", "X"), long), "the denominators of X are"),
        (changed(changed(cubic, KERNEL, steep), ("problem", "X", 0, 0), "9" * 2000), "the Gram matrix is"),
        (changed(rbf, ("problem", "X", 0, 0), "1e-99999"), ""),
    ):
        with pytest.raises(Rejected, match=rf"^format: {expected}.* too (long|large): .*\d"):
            checker.check(certificate)
    monkeypatch.setattr(limits, "MEMORY", 2**11)
    for certificate in (cubic, rbf):
        with pytest.raises(Rejected, match=r"^format: (the Gram matrix|X, or its common .*) .*too large: "):
            checker.check(certificate)


def test_a_high_precision_of_many_points_is_refused():
    problem = {"X": [[Q(k)] for k in range(300)], "kernel": {"family": "rbf", "gamma": Q(1, 10**6)}}
    gram = other_kernels.gram_of_problem(problem, limits.BITS)
    with pytest.raises(Rejected, match=r"^format: the Gram matrix is too large: products of \d"):
        gram.times([1] * 300)


def test_measures_of_the_library_are_read():
    problem = Problem(PLANE, [1, -1, 1, -1, 1], kernel=Polynomial(2, 1, 1), under=Hermite())
    assert checker.check(certify(problem).to_json())["problem"]["sha256"] == problem.sha256
