"""Tests of the checker with certificates made by hand, and with tampered ones."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import subprocess
import sys
from fractions import Fraction as Q
from functools import reduce
from math import prod
from pathlib import Path
from random import Random

import mpmath
import pytest
from by_hand import (
    BITS,
    CASES,
    CUBIC,
    EXACT_RBF,
    HERMITE,
    KKT,
    LAMBDA,
    LIMITED,
    LINE,
    MIXED,
    NODES,
    OTHERS,
    SOFT,
    changed,
    lambda_bounds,
    make,
    pair,
    rational_gram,
    rejected_condition,
    rejecting_calls,
    rejection,
    shrunk_gap_certificate,
    signed,
)

from orca_exact import Problem, certify, checker
from orca_exact.checker import Rejected, check, conditions, kernels, limits, main, reading


@pytest.fixture(autouse=True)
def one_lambda_for_all_mutants(monkeypatch):
    monkeypatch.setattr(conditions, "lambda_bounds", LAMBDA)


@pytest.fixture(scope="module", params=CASES | LIMITED)
def certificate(request):
    return (CASES | LIMITED)[request.param]()


def test_accepts(certificate):
    summary = check(certificate)
    assert summary["level"] == "exact" and summary["gap"] == summary["w_error"] == "0"
    assert list(summary["conditions"]) == ["lambda", *KKT, "claims", "sha256"]


def test_the_cases_are_those_meant():
    active = {name: make()["active"] for name, make in CASES.items()}
    assert active["jacobi line"] == {"free": [1, 2, 3, 4], "bound": []}
    assert active["jacobi plane, soft"] == {"free": [1, 3, 4], "bound": [2]}
    assert active["interval"] == {"free": [], "bound": [1, 2, 3, 4]}
    assert active["chebyshev"]["free"]


def entries(gram):
    """Return R_ij for all pairs of points."""
    m = range(len(gram.D))
    return [[Q(gram.entry(i, j), gram.c * gram.D[i] * gram.D[j]) for j in m] for i in m]


def longest(gram):
    """Return the largest number of bits of an N_ij."""
    m = range(len(gram.D))
    return max(gram.entry(i, j).bit_length() for i in m for j in m)


@pytest.mark.parametrize(
    "alpha, beta", [("0", "0"), ("-1/2", "-1/2"), ("-0.9", "-0.1"), ("1/2", "1/3"), ("7", "2")]
)
@pytest.mark.parametrize("n", [0, 1, 2, 5])
def test_two_routes_to_the_gram_matrix_meet(n, alpha, beta):
    X = [[Q(1, 3), Q(-1)], [Q(1), Q(0)], [Q(-3, 7), Q(1, 2)]]
    gram = kernels.gram(X, (kernels.Measure("jacobi", n, (Q(alpha), Q(beta))),) * 2)
    R = rational_gram({"X": X, "n": n, "alpha": alpha, "beta": beta, "rescale": False})
    assert entries(gram) == R
    assert gram.times([2, -3, 5]) == [gram.unit * sum(map(Q.__mul__, row, map(Q, [2, -3, 5]))) for row in R]


@pytest.mark.parametrize(
    "name", ["hermite", "laguerre", "discrete", "mixed", "mixed, rescaled", "mixed, rational"]
)
def test_two_routes_meet_for_any_measure(name):
    """Check that R is exact, lambda correct to its last bit, and no entry longer than its bound."""
    problem = CASES[name]()["problem"]
    read = reading.read_certificate(CASES[name]())["problem"]
    R, gram = rational_gram(problem), kernels.gram(read["X"], read["measures"])
    assert entries(gram) == R
    assert LAMBDA(read["measures"], BITS) == lambda_bounds(problem)
    assert longest(gram) <= gram.bits


def test_long_numbers_are_hashed_once():
    class Number(int):
        hashed = 0

        def __hash__(self):
            Number.hashed += 1
            return 0

    measure = kernels.Measure("discrete", 2, (kernels.Numbers([Number()] * 3), 1))
    assert len({hash(measure), hash(measure), hash(measure._replace(n=2))}) == 1 and Number.hashed == 3


# The cheaper of two methods is used, pairs of points or modes; the result is the same.

ROUTES = {"modes": lambda terms, most: most - 1, "pairs": lambda terms, most: most}


def by_route(monkeypatch, judge):
    for route in ROUTES.values():
        monkeypatch.setattr(kernels, "mode_steps", route)
        yield judge()


@pytest.mark.parametrize("name", CASES)
def test_modes_and_pairs_meet(name, monkeypatch):
    certificate = CASES[name]()
    read = reading.read_certificate(certificate)["problem"]
    x = [3**k * (-1) ** k for k in range(len(read["X"]))]
    grams = list(by_route(monkeypatch, lambda: kernels.gram(read["X"], read["measures"])))
    assert [gram.by_modes for gram in grams] == [True, False]
    assert grams[0].times(x) == grams[1].times(x)
    assert not grams[0].rows and len(grams[1].rows) == len(x)
    first, second = by_route(monkeypatch, lambda: check(certificate))
    assert first == second


def test_modes_and_pairs_reject_the_same(monkeypatch):
    forged = [(changed(SOFT, path, value), expected) for path, value, expected in FORGERIES]
    forged += [(changed(CASES[c](), ("problem", *path), value), found) for c, path, value, found in TAMPERED]
    for certificate, expected in forged:
        assert list(by_route(monkeypatch, lambda bad=certificate: rejected_condition(bad))) == [expected] * 2


MUTANTS = {  # another order of the modes; the last mode left out
    "mode_products": lambda vectors, of=kernels.mode_products: of(vectors[::-1]),
    "sum_over_modes": lambda sums, vectors, of=kernels.sum_over_modes: of([*sums[:-1], 0], vectors),
}


@pytest.mark.parametrize("name", MUTANTS)
@pytest.mark.parametrize("case", ["mixed", "mixed, rescaled"])
def test_a_wrong_mode_is_seen(case, name, monkeypatch):
    monkeypatch.setattr(kernels, "mode_steps", ROUTES["modes"])
    check(CASES[case]())
    monkeypatch.setattr(kernels, name, MUTANTS[name])
    assert rejected_condition(CASES[case]()) in KKT


def test_many_points_and_few_modes(monkeypatch):
    """Check that 2000 points with 16 modes do not need an m x m matrix."""
    monkeypatch.setattr(kernels.Gram, "entry", None)
    random = Random(1)
    X = [[f"{random.randint(-99, 99)}/100" for _ in "xy"] for _ in range(2000)]
    y = [1 if Q(a) * Q(b) + Q(a) > Q(random.randint(-50, 50), 100) else -1 for a, b in X]
    data = certify(Problem(X, y, n=3, alpha=0, beta=0, C=1), level="float").to_json()
    assert check(data)["problem"]["m"] == 2000
    assert rejected_condition(changed(data, ("u", data["active"]["free"][0] - 1), "0")) in KKT


PARAMETERS = ["0 0", "3 2", "-1/2 -1/2", "1/2 -1/2", "1/2 0", "1 1/3", "4.3 1.8"]
PARAMETERS += ["-0.999999 0.5", "1e-30 0", "0.4616 0.4617", "900.5 30.25"]


@pytest.mark.parametrize("d", [1, 2, 3])
@pytest.mark.parametrize("parameters", PARAMETERS)
def test_two_routes_to_lambda_meet(parameters, d):
    alpha, beta = parameters.split()
    expected = lambda_bounds({"X": [["0"] * d], "n": 0, "alpha": alpha, "beta": beta})
    assert kernels.lambda_bounds((kernels.Measure("jacobi", 0, (Q(alpha), Q(beta))),) * d, BITS) == expected
    rational = (
        1 in (Q(alpha).denominator, Q(beta).denominator) and (d * (Q(alpha) + Q(beta) + 1)).denominator == 1
    )
    assert (expected[0] == expected[1]) == rational


MASSES = {"hermite": [()], "laguerre": [(Q(1, 3),)], "jacobi": [(Q(1, 2), Q(-1, 3)), (Q(7, 2), Q(9, 4))]}


@pytest.mark.parametrize("family", MASSES)
def test_a_mass_in_gammas_is_the_integral(family):
    """Compare the two formulas of the mass: one decides whether lambda is rational, one encloses it."""

    def real(q):
        return mpmath.mpf(q.numerator) / q.denominator

    iv = mpmath.MPIntervalContext()
    iv.prec = 100
    for numbers in MASSES[family]:
        measure = kernels.Measure(family, 0, numbers)
        rational, two, powers = kernels.mass_in_gammas(measure)
        with mpmath.workprec(100):
            gammas = prod(mpmath.gamma(real(f)) ** e for f, e in powers.items())
            found = kernels.enclose_mass(iv, measure) / (real(rational) * 2 ** real(two) * gammas)
            assert abs(found.a - 1) < 1e-20 and abs(found.b - 1) < 1e-20


# Tampering. The digest is checked last; if it is not listed for a field, a new digest does not help.


def leaves(value, path=()):
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from leaves(value[key], (*path, key))
    else:
        yield path, value


def mutants(leaf):
    if isinstance(leaf, str):
        yield from (
            leaf[: k.start()] + str((int(k[0]) + 1) % 10) + leaf[k.end() :]
            for k in re.finditer("[0-9]", leaf)
        )
        yield from ["-" + leaf] * (leaf != "0") + [leaf + "7", "a" + leaf]
    elif leaf is None or isinstance(leaf, bool):
        yield from {True, False, None} - {leaf}
    else:
        yield from [leaf + 1, -leaf - 1, -leaf]


BREAKS = {
    "schema": set(),
    "problem.schema": set(),
    "problem.id": {"sha256"},
    "problem.X": {*KKT[2:], "claims", "sha256"},  # a point that is not a support vector may move a little
    "problem.y": {*KKT},
    "problem.n": {*KKT},
    "problem.measures": {*KKT, "lambda", "claims", "sha256"},  # a node counts only by n + 1 moments
    "problem.kernel.family": set(),
    "problem.kernel.n": {*KKT},
    "problem.kernel.measures": {*KKT, "lambda", "claims", "sha256"},
    "problem.kernel.order": {*KKT},
    "problem.alpha": {*KKT, "lambda"},  # h_0 = 2 at (0, 0) and at (1, 0)
    "problem.beta": {*KKT, "lambda"},
    "problem.C": {*KKT, "claims", "sha256"},  # a = u + tau v solves a range of C; if v = 0, with the same w
    "problem.rescale": {*KKT, "sha256"},  # of Jacobi's coordinates alone
    "level": {"claims"},
    "lambda.bits": {"lambda", "sha256"},  # not used if lambda is rational
    "lambda.lower": {"lambda"},
    "lambda.upper": {"lambda"},
    "u": {"dual feasibility"},
    "v": {"dual feasibility"},
    "b": {"primal feasibility", "complementarity"},
    "active": {"stationarity"},
    "claims": {"claims", "sha256"},
    "versions": {"sha256"},
    "sha256": {"sha256"},
}


@pytest.mark.slow
def test_every_changed_character_is_caught(certificate):
    for path, leaf in leaves(certificate):
        name = ".".join(map(str, path))
        (allowed,) = (breaks for start, breaks in BREAKS.items() if re.match(rf"{start}(\.|$)", name))
        for mutant in mutants(leaf):
            if mutant != leaf:
                found = rejected_condition(changed(certificate, path, mutant, sign=False))
                assert found in allowed | {"format"}, (name, leaf, mutant)


FORGERIES = [
    (("u", 1), "-1/1000", "dual feasibility"),
    (("u", 4), "1/1000", "dual feasibility"),
    (("v", 1), "1001/1000", "dual feasibility"),
    (("active", "free"), [1, 3], "stationarity"),
    (("active", "free"), [1, 3, 4, 5], "stationarity"),
    (("active", "free"), [4, 3, 1], "stationarity"),
    (("active", "bound"), [], "stationarity"),
    (("b", "u"), "2", "primal feasibility"),
    (("problem", "X", 4), ["0.5", "0.5"], "primal feasibility"),
    (("problem", "n"), 3, "primal feasibility"),
    (("problem", "n"), 1001, "format"),
    (("problem", "alpha"), "-1", "format"),
    (("problem", "beta"), "1e3000", "format"),
    (("problem", "C"), "0", "format"),
    (("problem", "y"), [1] * 5, "format"),
    (("problem", "y"), [1, -1, 1, -1], "format"),
    (("problem", "y"), [1, -1, True, -1, 1], "format"),
    (("problem", "X", 1), ["0"], "format"),
    (("problem", "X", 1), ["1.01", "0"], "format"),
    (("problem", "X", 1), ["0", float("nan")], "format"),
    (("lambda", "bits"), limits.BITS + 1, "format"),
    (("lambda", "bits"), 64, "lambda"),
    (("u",), ["0"], "format"),
    (("u", 0), 0, "format"),
    (("v", 0), "0.0", "format"),
    (("b",), {"lower": None, "upper": pair(0, 0)}, "format"),
    (("b",), {"lower": SOFT["b"], "upper": SOFT["b"]}, "complementarity"),
    (("claims", "norm2"), {"lower": "0", "upper": "1e-9"}, "claims"),
    (("claims", "norm2"), {"lower": "1e9", "upper": "1e10"}, "claims"),
    (("claims", "gap"), "1", "claims"),
    (("claims", "w_error"), "1", "claims"),
    (("claims", "w_error"), "-1", "claims"),
    (("claims", "hard_margin"), True, "claims"),
    (("claims", "b_unique"), False, "claims"),
    (("claims", "alpha_unique"), False, "claims"),
    (("level",), "ball", "claims"),
    (("versions",), {"nan": float("nan")}, "format"),
    (("extra",), 1, "format"),
]


@pytest.mark.parametrize("path, value, expected", FORGERIES)
def test_forgeries(path, value, expected):
    assert rejected_condition(changed(SOFT, path, value)) == expected


TAMPERED = [
    ("hermite", ("measures",), {"family": "jacobi", "alpha": "0", "beta": "0"}, "format"),
    ("hermite", ("measures",), MIXED[0], "format"),
    ("hermite", ("measures",), NODES, "lambda"),
    ("hermite", ("n",), 2, "primal feasibility"),
    ("laguerre", ("measures", "alpha"), "1/3", "lambda"),
    ("laguerre", ("measures", "alpha"), "-1", "format"),
    ("laguerre", ("measures", "alpha"), "1001", "format"),
    ("laguerre", ("measures",), HERMITE, "lambda"),
    ("laguerre", ("X", 0, 0), "-0.1", "format"),
    ("discrete", ("measures", "nodes", 3), "3.1", "primal feasibility"),
    ("discrete", ("measures", "nodes", 3), "1/2", "format"),
    ("discrete", ("measures", "nodes"), ["-1", "0", "3"], "format"),
    ("discrete", ("measures", "weights"), ["1/3", "1", "2", "0.1"], "complementarity"),
    ("discrete", ("measures", "weights", 3), "0.2", "lambda"),
    ("discrete", ("measures", "weights", 3), "0", "format"),
    ("discrete", ("measures", "nodes"), [], "format"),
    ("discrete", ("n",), 3, "primal feasibility"),
    ("discrete", ("n",), 4, "format"),
    ("mixed", ("measures",), [HERMITE, MIXED[0]], "format"),
    ("mixed", ("measures",), [MIXED[0]], "format"),
    ("mixed", ("n",), [1, 2], "complementarity"),
    ("mixed", ("n",), [2], "format"),
    ("mixed", ("measures", 1, "family"), "hermit", "format"),
    ("mixed", ("alpha",), "0", "format"),
    ("mixed", ("schema",), "orca-exact/problem/1", "format"),
    ("mixed, rescaled", ("rescale",), False, "format"),
    ("mixed, rational", ("measures", 0, "alpha"), "1", "lambda"),
]


@pytest.mark.parametrize("name, path, value, expected", TAMPERED)
def test_another_measure_is_another_problem(name, path, value, expected):
    """Check that the proof fails even if the digest is computed again."""
    assert rejected_condition(changed(CASES[name](), ("problem", *path), value)) == expected


@pytest.mark.parametrize("shift", [10, -10])
def test_balance_alone_is_not_feasible(shift):
    shifted = changed(SOFT, ("u", 0), str(Q(SOFT["u"][0]) + shift))
    assert rejected_condition(changed(shifted, ("u", 3), str(Q(SOFT["u"][3]) + shift))) == "dual feasibility"


def test_forgeries_of_other_cases():
    interval, rescaled = CASES["interval"](), CASES["rescaled"]()
    assert rejected_condition(changed(interval, ("level",), "gap")) == "format"
    assert rejected_condition(changed(rescaled, ("problem", "X"), [["1"]] * 4)) == "format"
    assert rejected_condition(changed(rescaled, ("problem", "rescale"), False)) == "format"


@pytest.mark.parametrize("key", SOFT)
def test_missing_keys(key):
    assert rejected_condition({k: v for k, v in SOFT.items() if k != key}) == "format"


DEEP = reduce(lambda inside, _: [inside], range(900), 0)
JUNK = [
    DEEP,
    None,
    True,
    3,
    -1,
    1.5,
    "",
    "x",
    "1/0",
    "nan",
    "0x",
    "1e999999",
    float("inf"),
    10**5000,
    "٣",
    [],
    {},
    [[]],
    [{}],
]


def test_junk_is_rejected_not_crashed_on():
    paths = {path[:k] for path, _ in leaves(SOFT) for k in range(1, len(path) + 1)}
    for path in paths:
        for junk in JUNK:
            try:
                check(changed(SOFT, path, junk, sign=False) | {"sha256": "0"})
            except Rejected:
                continue
            raise AssertionError((path, junk))
    for junk in JUNK:
        assert rejected_condition(junk) == "format"


@pytest.mark.parametrize("name", ["jacobi plane, soft", "interval", "mixed"])
def test_an_integer_is_a_json_integer(name):
    honest = CASES[name]()
    found = [path for path, leaf in leaves(honest) if type(leaf) is int and "y" not in path]
    assert {path[0] for path in found} == {"problem", "lambda", "active"}
    for path in found:
        value = reduce(lambda at, key: at[key], path, honest)
        for wrong in (
            float(value),
            value + 0.25,
            str(value),
            f"{value}.0",
            f"{value}/1",
            value == 1,
            [value],
        ):
            assert rejected_condition(changed(honest, path, wrong)) == "format", (path, wrong)


def test_lambda_is_not_enclosed_to_more_bits_than_take_seconds():
    with pytest.raises(Rejected, match=r"lambda\.bits must be from 1 to 16384"):
        check(changed(SOFT, ("lambda", "bits"), 2**16))
    many = tuple(kernels.Measure("laguerre", 0, (Q(k, 997),)) for k in range(1, 13))
    with pytest.raises(Rejected, match=r"too large: .* bits of lambda times bits .* 8388608 are allowed"):
        kernels.lambda_bounds(many, limits.BITS)
    kernels.lambda_bounds(many, BITS)


LONG = [[f"1/{10**300 + 2 * k + 1}"] * 3 for k in range(5)]
OTHER_KERNELS = [
    (("kernel", "degree"), 0),
    (("kernel", "gamma"), "0"),
    (("kernel", "coef0"), "-1"),
    (("under",), [{"family": "empirical"}]),
    (("under",), {"family": "normal", "mean": "0", "sd": "0"}),
    (("under",), {"family": "uniform", "lower": "0", "upper": "0"}),
    (("kernel",), CUBIC | {"degree": 1000, "gamma": "1/" + "7" * 2000}),
    (("X",), LONG),  # in the memory that this test allows
]


def refused():
    """Yield a certificate for each reason of rejection that FORGERIES do not cover."""
    yield from (changed(SOFT, path, value) for path, value, _ in FORGERIES)
    yield from (changed(CASES[name](), ("problem", *path), value) for name, path, value, _ in TAMPERED)
    yield from (None, changed(SOFT, ("u",), None), changed(SOFT, ("versions",), {}, sign=False))
    yield changed(CASES["rescaled"](), ("problem", "X"), [["1"]] * 4)
    yield changed(LIMITED["order 1"](), ("problem", "kernel", "order"), 4)
    yield changed(LIMITED["order 1"](), ("schema",), checker.SCHEMA)
    yield from (changed(OTHERS["polynomial"](), ("problem", *way), value) for way, value in OTHER_KERNELS)
    yield changed(LIMITED["order 1"](), ("problem", "under"), {"family": "empirical"})
    steep = changed(OTHERS["polynomial"](), ("problem", "kernel", "degree"), 1000)
    yield from (changed(steep, ("problem", "X"), LONG), EXACT_RBF["rbf"]())
    interval, legendre = CASES["interval"](), CASES["legendre line, soft"]()
    yield changed(interval, ("level",), "gap")
    yield changed(interval, ("b", "upper"), interval["b"]["lower"])
    yield changed(SOFT, ("b",), undecided(SOFT))
    assert legendre["lambda"]["lower"] == legendre["lambda"]["upper"] and legendre["active"]["free"]
    yield changed(legendre, ("b",), undecided(legendre))  # the same number, but only for this tau
    yield wrong_active_sets()["B"]
    loose, gap = shrunk_gap_certificate(SOFT)
    yield from (changed(loose, ("claims", key), str(gap / 9)) for key in ("gap", "w_error"))
    balanced = changed(SOFT, ("u", 0), str(Q(SOFT["u"][0]) - 10))
    yield changed(balanced, ("u", 3), str(Q(SOFT["u"][3]) - 10))
    nearly = changed(SOFT, ("problem", "alpha"), "1e-1500")  # h_0 = 2 to 4900 bits, and is not 2
    yield changed(changed(nearly, ("problem", "beta"), "1e-1500"), ("lambda", "bits"), 1)
    yield CASES["legendre line"]()  # with more tight points than are allowed here
    yield from (busy() for busy in BUSY.values())


SHORT = CASES["legendre line"]()


def with_points(X, n):
    """Return the certificate SHORT with other points and the lambda of their dimension."""
    lam = f"1/{2 ** len(X[0])}"
    new = changed(SHORT, ("lambda",), {"bits": BITS, "lower": lam, "upper": lam})
    return changed(changed(new, ("problem", "X"), X), ("problem", "n"), n)


COPRIME = [f"1/1{'0' * 149_999}{k}" for k in (1, 3, 7, 9, 0)]
BUSY = {
    "X": lambda: changed(SHORT, ("problem", "X", 0, 0), "1e-99999"),
    "n": lambda: changed(SHORT, ("problem", "n"), 1000),
    "X and n": lambda: changed(changed(SHORT, ("problem", "X", 0, 0), "1e-2000"), ("problem", "n"), 500),
    "alpha": lambda: changed(SOFT, ("problem", "alpha"), "1e-99999"),
    "lambda.bits": lambda: changed(
        changed(SOFT, ("lambda", "bits"), limits.BITS), ("problem", "alpha"), "0." + 999 * "3"
    ),
    "d": lambda: changed(changed(SHORT, ("problem", "X"), [["1/3"] * 1000] * 4), ("problem", "alpha"), 1000),
    "digits": lambda: changed(SOFT, ("u", 0), "7" * 10**6),
    "denominators": lambda: changed(SOFT, ("u",), COPRIME),
    "a denominator": lambda: with_points([["1e-500"] * 1000] * 4, 1),
    "denominators of X": lambda: with_points([[f"1/{10**300 + 1 + 2 * i}"] * 220 for i in range(4)], 1),
    "common denominators": lambda: with_points([["0"] * 1000, *[["1"] * 1000] * 3], 200),
    "items": lambda: changed(SHORT, ("problem", "y"), [1] * (limits.ITEMS + 1)),
    "memory": lambda: changed(SHORT, ("problem", "n"), 100),
    "hermite": lambda: changed(CASES["hermite"](), ("problem", "n"), 1000),
    "nodes": lambda: changed(
        changed(CASES["discrete"](), ("problem", "n"), 500),
        ("problem", "measures"),
        {"family": "discrete", "nodes": list(range(600)), "weights": ["103/18000"] * 600},
    ),
    "denominators of nodes": lambda: changed(
        CASES["discrete"](),
        ("problem", "measures"),
        {"family": "discrete", "nodes": [f"1/{10**1200 + k}" for k in range(900)], "weights": [1] * 900},
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", BUSY)
def test_what_would_take_for_ever_is_refused_at_once(name, monkeypatch):
    monkeypatch.setattr(limits, "MEMORY", 2**13)
    monkeypatch.setattr(kernels.Gram, "entry", None)
    with pytest.raises(Rejected, match=r"^format: .* too (long|large): .*\d"):
        check(BUSY[name]())


@pytest.mark.slow
def test_every_refusal_refuses_something(monkeypatch):
    monkeypatch.setattr(limits, "MEMORY", 2**13)  # 2^32 takes a file of many points
    monkeypatch.setattr(limits, "TIGHT", 3)
    places, found = zip(*map(rejection, refused()), strict=True)
    assert set(rejecting_calls()) - set(places) == set() == set(places) - set(rejecting_calls())
    assert set(found) == {"format", *check(SOFT)["conditions"]}


# Claims.


def test_alpha_unique_needs_its_proof():
    twice = make([*LINE, LINE[0]], [1, -1, 1, -1, 1], 3, C="100", alpha_unique=None)
    check(twice)
    assert rejected_condition(changed(twice, ("claims", "alpha_unique"), True)) == "claims"


def wrong_active_sets():
    """Return a certificate with wrong active sets: all equalities hold, an inequality does not."""
    hard = CASES["legendre line"]()
    i = max(range(4), key=lambda i: Q(hard["u"][i]))
    C = str(Q(hard["u"][i]) * 2 * Q(101, 100))  # lambda = 1/2: tau just above the largest a_i
    return {k: make(LINE, [1, -1, 1, -1], 3, C=C, believed=["F"] * i + [k] + ["F"] * (3 - i)) for k in "B0"}


def test_wrong_active_sets():
    wrong = wrong_active_sets()
    with pytest.raises(Rejected, match=r"complementarity: y_i g_i > 1 at the bound point"):
        check(wrong["B"])
    with pytest.raises(Rejected, match=r"primal feasibility: y_i g_i < 1 but alpha_i < C_i"):
        check(wrong["0"])


def test_an_irrational_tau_is_strictly_between_its_bounds():
    tau = conditions.Tau(Q(1), Q(2))
    assert [tau.sign(-1, 1, ""), tau.sign(-2, 1, ""), tau.sign(0, 0, "")] == [1, -1, 0]
    with pytest.raises(Rejected, match=r"raise lambda.bits"):
        tau.sign(-3, 2, "")


def test_an_interval_may_be_one_point():
    constant = make(LINE, [1, 1, -1, 1], 0, alpha_unique=None)
    assert constant["b"]["lower"] == constant["b"]["upper"] and check(constant)["b_unique"] is True
    assert rejected_condition(changed(constant, ("claims", "b_unique"), False)) == "claims"
    assert rejected_condition(changed(constant, ("claims", "alpha_unique"), True)) == "claims"


def test_an_unlucky_prime_is_not_the_last():
    p, q, r = conditions.PRIMES
    assert not kernels.nonsingular([[p, 0], [0, 1]], p) and kernels.nonsingular([[p, 0], [0, 1]], q)
    assert kernels.nonsingular([[0, 1], [1, 0]], r) and not kernels.nonsingular([[1, 2], [2, 4]], r)


def test_b_is_the_whole_interval():
    narrow = CASES["interval"]()
    low, high = narrow["b"]["lower"], narrow["b"]["upper"]
    middle = pair(*((Q(low[key]) + Q(high[key])) / 2 for key in "uv"))
    for b in ({"lower": middle, "upper": high}, {"lower": low, "upper": middle}, middle):
        assert rejected_condition(changed(narrow, ("b",), b)) == "complementarity"
    outside = pair(Q(high["u"]) + 1, high["v"])
    assert rejected_condition(changed(narrow, ("b", "upper"), outside)) in {
        "complementarity",
        "primal feasibility",
    }


def undecided(certificate):
    """Return b plus tau minus the midpoint of tau, which is 0 or less than 2^-128."""
    low, high = (Q(certificate["lambda"][end]) for end in ("lower", "upper"))
    b, midpoint = certificate["b"], Q(certificate["problem"]["C"]) * (low + high) / 2
    return pair(Q(b["u"]) - midpoint, Q(b["v"]) + 1)


def test_bits_that_do_not_decide_are_said_to():
    b = undecided(SOFT)
    with pytest.raises(Rejected, match=r"primal feasibility: .* raise lambda.bits"):
        check(changed(SOFT, ("b",), b))
    loose = changed(SOFT, ("b",), b)
    loose["claims"] |= {"gap": "1e-36", "w_error": "1e-18", "alpha_unique": None, "b_unique": None}
    loose["claims"]["hard_margin"] = None
    assert check(changed(loose, ("level",), "ball"))["level"] == "ball"
    loose["claims"]["gap"] = "1e-60"
    assert rejected_condition(changed(loose, ("level",), "ball")) == "complementarity"


@pytest.mark.parametrize(
    "name", ["legendre line", "legendre plane", "jacobi line", "jacobi plane, soft", "json numbers"]
)
def test_gap(name):
    exact = CASES[name]()
    certificate, gap = shrunk_gap_certificate(exact)
    assert check(certificate)["level"] == "gap" and gap > 0
    assert check(changed(certificate, ("level",), "ball"))["level"] == "ball"
    assert (
        rejected_condition(changed(certificate, ("claims", "gap"), f"{gap * 0.9999:.9e}"))
        == "complementarity"
    )
    assert rejected_condition(changed(certificate, ("claims", "gap"), "0")) == "complementarity"
    assert (
        rejected_condition(changed(certificate, ("claims", "w_error"), f"{gap**0.5 * 0.9999:.9e}"))
        == "claims"
    )
    assert rejected_condition(changed(certificate, ("claims", "w_error"), str(-gap))) == "claims"
    assert rejected_condition(changed(certificate, ("claims", "b_unique"), True)) == "claims"
    assert rejected_condition(changed(certificate, ("claims", "alpha_unique"), True)) == "claims"
    assert rejected_condition(changed(certificate, ("level",), "exact")) in {
        "primal feasibility",
        "complementarity",
    }
    assert rejected_condition(changed(certificate, ("u", 1), "1")) == "dual feasibility"
    for end, factor in (("lower", 1.001), ("upper", 0.999)):
        beyond = f"{float(certificate['claims']['norm2'][end]) * factor:.9e}"
        assert rejected_condition(changed(certificate, ("claims", "norm2", end), beyond)) == "claims"
    # |w - w*|^2 <= gap, which is what w_error means
    R, lam = rational_gram(exact["problem"]), Q(exact["lambda"]["lower"])
    tau = lam * Q(exact["problem"]["C"])
    a, best = ([Q(p) + tau * Q(q) for p, q in zip(c["u"], c["v"], strict=True)] for c in (certificate, exact))
    e = [yi * (p - q) for yi, p, q in zip(exact["problem"]["y"], a, best, strict=True)]
    assert sum(p * q * R[i][j] for i, p in enumerate(e) for j, q in enumerate(e)) / lam <= gap


def test_a_norm_that_lambda_does_not_tell_from_zero():
    """Twins of opposite labels; a_1, a_4 = tau/2 + (tau - its midpoint): |w|^2 < 2^-250, and not below 0."""
    X = [["1/3"], ["1/3"], ["-1/2"], ["-1/2"]]
    body = make(X, [1, -1, 1, -1], 1, "1/2", "1/3", alpha_unique=None)
    tau = (Q(body["lambda"]["lower"]) + Q(body["lambda"]["upper"])) / 2
    body |= {"level": "gap", "u": [str(-tau), "0", "0", str(-tau)], "v": ["3/2", "1/2", "1/2", "3/2"]}
    body |= {"b": pair(0, 0), "active": {"free": [1, 2, 3, 4], "bound": []}}
    body["claims"] |= {"gap": "2.1", "w_error": "1.5", "norm2": {"lower": "0", "upper": "2.2501"}}
    body["claims"] |= {"b_unique": None, "hard_margin": None}
    check(signed(body))
    assert rejected_condition(changed(body, ("claims", "norm2", "lower"), "1e-90")) == "claims"
    assert (
        rejected_condition(changed(body, ("claims", "norm2", "upper"), "2.25")) == "claims"
    )  # |w*| <= |w| + 1.5


def test_long_fractions_and_the_limit_on_digits():
    limit, factor = sys.get_int_max_str_digits(), 10**5000 + 1
    p, q = Q(SOFT["u"][0]).as_integer_ratio()
    sys.set_int_max_str_digits(0)
    try:
        long = changed(SOFT, ("u", 0), f"{p * factor}/{q * factor}")
    finally:
        sys.set_int_max_str_digits(limit)
    check(long)
    assert sys.get_int_max_str_digits() == limit


# The program.


def test_program(tmp_path, capsys):
    path = tmp_path / "certificate.json"
    path.write_text(json.dumps(SOFT))
    assert main([str(path)]) == 0
    out = capsys.readouterr().out
    assert "accepted at level exact" in out
    problem = Problem.from_json(SOFT["problem"])
    path.write_text(json.dumps(changed(SOFT, ("problem",), problem.to_json())))
    assert main([str(path)]) == 0
    line = f"problem: sha256 = {problem.sha256}, m = 5, d = 2, n = 2, alpha = 0.5, beta = 1/3, C = 0.5\n"
    assert capsys.readouterr().out.startswith(line)
    path.write_text(json.dumps(changed(SOFT, ("u", 0), "1/7")))
    assert main([str(path)]) == 1
    assert capsys.readouterr().err.startswith("rejected: dual feasibility: ")
    assert main([]) == 2


PACKED = gzip.compress(json.dumps(SOFT).encode())


@pytest.mark.parametrize(
    "text, code",
    [
        (json.dumps(SOFT)[:-20], 4),
        ("not json", 4),
        ("", 4),
        ("NaN", 4),
        ("[]", 4),
        ("[" * 100_000, 4),
        (json.dumps(SOFT).replace('"by hand"', "[" * 18 + "]" * 18), 1),  # in the file and in the problem
        *((json.dumps(SOFT).replace('"by hand"', "[" * k + "]" * k), 4) for k in (19, 900, 5000, 50_000)),
        ('{"schema": "orca-exact/problem/1"}', 4),
        ('{"schema": "orca-exact/certificate/1"}', 1),
        (json.dumps(SOFT).replace('"-0.5"', "NaN"), 1),
        (json.dumps(SOFT).replace('"-0.5"', "-1e400"), 1),
        (b"\xff\xfe\x00", 4),
        (json.dumps(SOFT).replace('"problem":', '"problem": {}, "problem":'), 4),
        (json.dumps(SOFT).replace('"n":', '"n": 3, "n":'), 4),
        (json.dumps(SOFT).replace("1", "1" * 5000), 4),
        (json.dumps(SOFT) + " " * checker.SIZE, 4),
        (PACKED, 0),
        (PACKED[:-9], 4),
        (PACKED[:40] + b"\xff" + PACKED[41:], 4),
        (PACKED + b"{}", 4),
        (gzip.compress(b'{"schema": "orca-exact/certificate/1"}' + b" " * checker.SIZE), 4),
        (gzip.compress(json.dumps(SOFT | {"level": "gap"}).encode()), 1),
    ],
)
def test_program_on_anything_else(tmp_path, capsys, text, code):
    path = tmp_path / "certificate.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    assert main([str(path)]) == code
    assert capsys.readouterr().err.count("\n") == (code > 0)


def test_program_without_a_file(tmp_path):
    assert main([str(tmp_path / "absent.json")]) == main([str(tmp_path)]) == 4


def test_program_in_its_place(tmp_path):
    file = tmp_path / "certificate.json"
    file.write_text(json.dumps(SOFT))
    for words in (["-m", "orca_exact.checker"], [Path(checker.__file__).parent]):
        assert subprocess.run([sys.executable, *words, file]).returncode == 0


@pytest.mark.parametrize("words", [["-m", "checker"], ["checker"]])
def test_program_alone(words, tmp_path):
    """Check that a copy of the folder runs with only the standard library and mpmath."""
    shutil.copytree(Path(checker.__file__).parent, tmp_path / "checker")
    (tmp_path / "certificate.json").write_text(json.dumps(SOFT))
    run = subprocess.run(
        [sys.executable, "-X", "importtime", *words, "certificate.json"],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
    )
    assert run.returncode == 0, run.stderr
    imported = set(re.findall(r"\| +([\w.]+)$", run.stderr, re.MULTILINE))
    assert "mpmath" in imported and not imported & {"orca_exact", "flint", "numpy", "sympy", "scipy", "cvxpy"}
