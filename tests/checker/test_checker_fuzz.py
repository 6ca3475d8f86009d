"""Tests with hostile certificates: no false one is accepted, nothing crashes, nothing takes long.

Accepted certificates are proved again here, in fractions and with the formulas of ``by_hand``.
``PYTHONPATH=tests/helpers python tests/checker/test_checker_fuzz.py COUNT [SEED]`` runs COUNT
trials and prints the results.
"""

from __future__ import annotations

import copy
import json
import re
import sys
import time
from collections import Counter
from contextlib import redirect_stderr, redirect_stdout, suppress
from fractions import Fraction as Q
from functools import cache
from io import StringIO
from itertools import cycle, pairwise
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from by_hand import (
    CASES,
    HERMITE,
    LAMBDA,
    LIMITED,
    MIXED,
    NODES,
    OTHERS,
    WITHOUT_MEASURES,
    coordinates,
    lambda_bounds,
    optimum,
    rational_gram,
    rbf_certificates,
    shrunk_gap_certificate,
    signed,
    solve,
)

from orca_exact import Problem, certify, checker, path
from orca_exact.checker import conditions, reading
from orca_exact.cli import limited
from orca_exact.cli.parser import make_parser, run_verb
from orca_exact.errors import OrcaError

SAMPLE = 150
TEXT = re.compile(r"[+-]?(\d+(/\d+)?|(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?)", re.ASCII)
JUNK = [
    None,
    True,
    False,
    0,
    -1,
    1,
    2,
    1000,
    10**400,
    1.5,
    -0.0,
    1e300,
    float("nan"),
    float("inf"),
    "",
    " ",
    "x",
    "٣",
    "１",
    "1_0",
    " 1",
    "1\n",
    "1/0",
    "-1/-2",
    "1/ 2",
    "--1",
    "+1",
    "nan",
    "inf",
    "0x",
    "0x1p-3",
    "0x1p99999",
    "1e99999",
    "1e-99999",
    "1e-2000",
    "1e-999999999",
    "9" * 5000,
    "9" * 600_000,
    "1" * 300_000 + "x",
    "0x" + "f" * 300_000 + "g",
    "1\u0000",
    "\ud800",
    [],
    {},
    [[]],
    [["0"]],
    [0] * 1000,
    ["1/3"] * 5,
    {"u": "0", "v": "0"},
    {"lower": "0"},
    "exact",
    "gap",
]


UNDER = [
    {"family": "empirical"},
    {"family": "uniform"},
    {"family": "uniform", "lower": "-2", "upper": "1/2"},
    {"family": "normal", "mean": "1", "sd": "0.1"},
    NODES,
]


# An independent proof of all claims.


def rational(value):
    if isinstance(value, str) and "x" in value.lower():
        return Q(float.fromhex(value))
    assert type(value) in (int, float) or (type(value) is str and TEXT.fullmatch(value)), value
    return Q(value)


@cache
def enclosed(measures, d):
    given = [dict(measure) for measure in measures]
    return lambda_bounds({"measures": given, "n": 0, "X": [[0] * d]}, 1500)


def in_fractions(measure):
    """Return the certificate with fractions in place of texts."""
    read = lambda x: [rational(t) for t in x] if isinstance(x, list) else rational(x)  # noqa: E731
    return {key: x if key == "family" else read(x) for key, x in measure.items()}


def inner(R, s, t):
    return sum(p * q * R[i][j] for i, p in enumerate(s) for j, q in enumerate(t))


def other_kernel_in_fractions(problem):
    """Return a problem whose kernel has no measures; assert that the kernel is positive definite."""
    X, kernel = [[rational(t) for t in x] for x in problem["X"]], problem["kernel"]
    fields = {"linear": {"family"}, "rbf": {"family", "gamma"}}
    assert set(kernel) == fields.get(kernel["family"], {"family", "degree", "gamma", "coef0"})
    assert rational(kernel.get("gamma", 1)) > 0 and type(degree := kernel.get("degree", 1)) is int
    assert degree == 1 or (degree > 1 and rational(kernel["coef0"]) >= 0)
    return {"rescale": problem["rescale"], "X": X, "kernel": in_fractions(kernel)}


def assert_index_measures(problem, own):
    """Assert that the field ``under`` is well-formed."""
    under, d = problem["under"], len(problem["X"][0])
    for given in under if isinstance(under, list) and len(under) == d else [under]:
        family, numbers = given["family"], in_fractions(given)
        assert not own or family in {measure["family"] for measure, _ in coordinates(problem)}
        if family == "uniform":
            assert set(given) == {"family"} or numbers["lower"] < numbers["upper"]
        elif family == "normal":
            assert set(given) == {"family", "mean", "sd"} and numbers["sd"] > 0
        elif family == "discrete":
            assert len(set(numbers["nodes"])) == len(numbers["weights"]) and min(numbers["weights"]) > 0
        else:
            parameters = {"empirical": (), "hermite": (), "laguerre": ("alpha",), "jacobi": ("alpha", "beta")}
            assert set(given) == {"family", *parameters[family]}
            assert all(numbers[key] > -1 for key in parameters[family])


def problem_in_fractions(problem):
    """Return R, y, C = max C_i, C_i / C and bounds of lambda."""
    m = len(problem["X"])
    if other := problem.get("kernel", {}).get("family") in WITHOUT_MEASURES:
        plain, low, high = other_kernel_in_fractions(problem), Q(1), Q(1)
    else:
        plain, low, high = orthogonal_in_fractions(problem)
    if "under" in problem:
        assert_index_measures(problem, own=not other)
    given = problem["C"] if isinstance(problem["C"], list) else [problem["C"]] * m
    C = max(map(rational, given))
    y = [int(rational(label)) for label in problem["y"]]
    return rational_gram(plain), y, C, [rational(c) / C for c in given], low, high


def orthogonal_in_fractions(problem):
    """Return a problem with a kernel of orthogonal polynomials, and bounds of lambda."""
    each = coordinates(problem)
    plain = {"rescale": problem["rescale"], "n": [n for _, n in each]}
    plain["X"] = [[rational(t) for t in x] for x in problem["X"]]
    plain["measures"] = [in_fractions(measure) for measure, _ in each]
    if problem["schema"] == "orca-exact/problem/3":
        assert problem["kernel"]["family"] == "orthogonal"
        order = plain["order"] = problem["kernel"].get("order")
        assert order is None or (type(order) is int and 1 <= order <= len(each))
    assert all(type(n) is int for n in plain["n"])
    low, high = enclosed(
        tuple(
            tuple((key, tuple(x) if isinstance(x, list) else x) for key, x in measure.items())
            for measure in plain["measures"]
        ),
        len(each),
    )
    return plain, low, high


def assert_true(certificate):
    """Assert each statement of the certificate, computed from its problem alone."""
    assert certificate == signed(certificate)
    problem, claims, exact = certificate["problem"], certificate["claims"], certificate["level"] == "exact"
    assert certificate["schema"][-1] == ("2" if problem["schema"][-1] == "3" else "1")
    R, y, C, omega, low, high = problem_in_fractions(problem)
    stated = [rational(certificate["lambda"][end]) for end in ("lower", "upper")]
    assert stated[0] <= low <= high <= stated[1] and (low == high or stated[0] < stated[1])
    taus = [C * low, C * high]

    def sign(p, q):
        signs = {(z > 0) - (z < 0) for z in (p + tau * q for tau in taus)}
        assert len(signs) == 1, "1500 bits of lambda do not decide"
        return signs.pop()

    u, v = ([rational(t) for t in certificate[part]] for part in "uv")
    b = certificate["b"]
    ends = [(rational(e["u"]), rational(e["v"])) for e in ([b["lower"], b["upper"]] if "lower" in b else [b])]
    points = range(len(y))
    assert len(u) == len(v) == len(y) and {1, -1} == set(y)
    assert sum(map(Q.__mul__, map(Q, y), u)) == sum(map(Q.__mul__, map(Q, y), v)) == 0
    assert all(sign(u[i], v[i]) >= 0 and sign(-u[i], omega[i] - v[i]) >= 0 for i in points)
    bound = [i for i in points if not sign(-u[i], omega[i] - v[i])]
    free = [i for i in points if sign(u[i], v[i]) and i not in bound]
    listed = {key: [rational(i) - 1 for i in certificate["active"][key]] for key in ("free", "bound")}
    assert listed == {"free": free, "bound": bound}
    h = [[sum(y[j] * part[j] * R[i][j] for j in points) for part in (u, v)] for i in points]
    margins = [[(y[i] * (h[i][0] + p) - 1, y[i] * (h[i][1] + q)) for i in points] for p, q in ends]
    tau, lam = taus[0], low
    w2 = sum(y[i] * (u[i] + tau * v[i]) * (h[i][0] + tau * h[i][1]) for i in points) / lam
    xi = [[max(Q(0), -p - tau * q) for p, q in end] for end in margins]
    slack = [C * sum(map(Q.__mul__, omega, x)) for x in xi]
    gaps = [w2 - sum(p + tau * q for p, q in zip(u, v, strict=True)) / lam + part for part in slack]
    gap, error = rational(claims["gap"]), rational(claims["w_error"])
    assert error >= 0
    rbf = problem.get("kernel", {}).get("family") == "rbf"
    assert not (rbf and exact)
    tiny = Q(1, 2**300 if rbf else 2**1000)  # lambda is known to 1500 bits, R to 400 if it is irrational
    assert all(-tiny < g <= gap + tiny and g <= error**2 + tiny for g in gaps)
    bounds = [rational(claims["norm2"][end]) for end in ("lower", "upper")]
    if not exact:
        best = [p + tau * q for p, q in zip(*optimum(R, y, tau, weights=omega)[:2], strict=True)]
        off = [y[i] * (best[i] - u[i] - tau * v[i]) for i in points]
        assert inner(R, off, off) / lam <= error**2 + tiny
        s = [y[i] * best[i] for i in points]
        assert bounds[0] - tiny <= inner(R, s, s) / lam <= bounds[1] + tiny
        assert claims["alpha_unique"] is claims["b_unique"] is claims["hard_margin"] is None
        return
    assert bounds[0] - tiny <= w2 <= bounds[1] + tiny
    assert gap == error == 0
    for end in margins:
        signs = [sign(*margin) for margin in end]
        assert all(s == 0 if i in free else s <= 0 if i in bound else s >= 0 for i, s in enumerate(signs))
    assert claims["hard_margin"] is (not any(sign(*margins[0][i]) for i in bound))  # no slack
    difference = [q - p for p, q in zip(ends[0], ends[-1], strict=True)]
    assert claims["b_unique"] in (None, not sign(*difference))
    if claims["alpha_unique"] is not None:
        E = [i for i in points if not any(sign(*end[i]) for end in margins)]
        bordered = [[*(R[i][j] for j in E), Q(1)] for i in E] + [[Q(1)] * len(E) + [Q(0)]]
        assert claims["alpha_unique"] is True
        solve(bordered, [[Q(0)]] * len(bordered)) if E else None


# Hostile changes.


@cache
def honest():
    names = (
        "legendre line",
        "legendre line, soft",
        "jacobi plane, soft",
        "rescaled",
        "interval",
        "json numbers",
        "mixed",
        "mixed, rescaled",
        "mixed, rational",
    )
    found = [CASES[name]() for name in names]
    shrunk = (shrunk_gap_certificate(c)[0] for c in found[:3])
    return [*found, *shrunk, *limited_certificates(), *other_certificates()]


@cache
def limited_certificates():
    """Return certificates of kernels of limited order."""
    found = [make() for make in LIMITED.values()]
    return [*found, *(shrunk_gap_certificate(c)[0] for c in found[1:4])]


@cache
def other_certificates():
    """Return certificates of linear, polynomial and RBF kernels, some of them with measures of indices."""
    found = [make() for make in OTHERS.values()]
    found += [shrunk_gap_certificate(found[k])[0] for k in (0, 2)] + copy.deepcopy(rbf_certificates())
    for certificate, under in zip(found[::2], cycle(UNDER), strict=False):
        certificate["problem"]["under"] = under
    return [signed(certificate) for certificate in found]


def places(value, path=()):
    yield path
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[key], (*path, key))


def spelled(text, random):
    """Return the same number, or nearly the same, in another notation."""
    k = random.randrange(len(text) + 1)
    return random.choice(
        [
            text[:k] + random.choice("0123456789.-+/eExp_ ٣\x00") + text[k:],
            text[:k] + text[k + 1 :],
            "-" + text,
            text + random.choice(["e1", "e-99999", "e99999", "p-1074", "/1", "/7", "0" * 5000, ".0"]),
            "0" * k + text,
            "".join(chr(0x660 + int(c)) if c in "0123456789" else c for c in text),
            text.replace("/", "//"),
        ]
    )


def equivalent(certificate, random):
    """Return an equivalent certificate, which must be accepted."""
    choice = random.randrange(4)
    if choice == 0:
        k, i = random.randrange(2, 10**9), random.randrange(len(certificate["u"]))
        p, q = Q(certificate["u"][i]).as_integer_ratio()
        certificate["u"][i] = f"{p * k}/{q * k}"
    elif choice == 1:
        certificate["claims"]["norm2"] = {"lower": "0", "upper": "1e" + str(random.randrange(9, 300))}
    elif choice == 2:
        certificate["problem"]["id"] = random.choice(["", "\n\x1b[2K", None, 7, [[]], "accepted"])
    else:
        certificate["versions"] = {random.choice(["a", "\n", "é"]): random.choice([1, None, {}, [1.5]])}
    return certificate


KERNEL_FIELDS = ("n", "alpha", "beta", "order", "C", "degree", "gamma", "coef0")


def mutant(certificate, random):
    for _ in range(random.choice([1, 1, 1, 2, 4])):
        path = random.choice([p for p in places(certificate) if p])
        *way, last = path
        place = certificate
        for step in way:
            place = place[step]
        leaf, choice = place[last], random.randrange(8)
        if choice < 3 and isinstance(leaf, str | int | float) and not isinstance(leaf, bool):
            text = spelled(str(leaf), random)
            whole = isinstance(leaf, int) and re.fullmatch(r"-?\d{1,4000}", text, re.ASCII)
            place[last] = int(text) if whole else text
        elif choice == 3:
            del place[last]
        elif choice == 4 and isinstance(place, list):
            place.insert(last, copy.deepcopy(random.choice(place)))
        elif choice == 5 and isinstance(place, list):
            random.shuffle(place)
        elif choice == 6:
            problem = certificate.get("problem")
            if isinstance(problem, dict):
                values = [0, 7, 200, 1000, "1e-99999", "1e-2000", "-1/2", "999.5", "0x1p-1074", "-0.999999"]
                place = kernel if isinstance(kernel := problem.get("kernel"), dict) else problem
                keys = [key for key in KERNEL_FIELDS if key in place]
                place[random.choice(keys or ["n"])] = random.choice(values)
                if "measures" in place and random.random() < 0.5:
                    place["measures"] = copy.deepcopy(
                        random.choice(
                            [
                                HERMITE,
                                MIXED,
                                MIXED[0],
                                NODES,
                                [NODES, HERMITE],
                                [HERMITE, MIXED[1]],
                                NODES | {"family": "x"},
                            ]
                        )
                    )
        else:
            place[last] = random.choice(JUNK)
    return certificate


# Values of another type: an accepted file states the same, and numbers of points, bits and n are integers.


@cache
def honest_paths():
    X = [["-0.9"], ["-0.5"], ["-0.1"], ["0.2"], ["0.4"], ["0.8"]]
    even = Problem(X, [1, -1, 1, -1, -1, 1], n=2, alpha=0, beta=0)
    uneven = Problem(X, [1, -1, -1, -1, -1, 1], n=2, alpha="1/2", beta=0, C=[1, 2, 1, 1, 1, 1])
    found = [path(even, level="exact").to_json(), path(uneven, 1, 2, level="exact").to_json()]
    return [*found, *limited_paths(), *other_paths()]


@cache
def limited_paths():
    """Return paths of kernels of limited order."""
    names = ("order 1", "order 2, irrational", "order 2, mixed", "order 1, interval", "order 2 of 2")
    problems = [Problem.from_json(LIMITED[name]()["problem"]) for name in names]
    weighted = problems[1].replace(C=["1", "2", "1/2", "1", "1"])
    return [path(problem, level="exact").to_json() for problem in [*problems, weighted]]


@cache
def other_paths():
    """Return paths of linear and polynomial kernels."""
    problems = [Problem.from_json(make()["problem"]) for make in OTHERS.values()]
    weighted = problems[2].replace(C=["1", "2", "1/2", "1", "1"])
    return [path(problem, level="exact").to_json() for problem in [*problems, weighted]]


def retyped(leaf, random):
    """Return the value in another type, or another value that a conversion would make equal."""
    exact = rational(leaf) if isinstance(leaf, str) and TEXT.fullmatch(leaf) else leaf
    if isinstance(exact, int | Q) and not isinstance(exact, bool):
        near = float(exact) + random.choice([0, 0, 0.25, 0.5, 0.999, 1e-9])
        return random.choice([near, str(near), int(exact), str(exact), f"{exact}.0", bool(exact), [leaf]])
    return random.choice([bool(leaf), int(bool(leaf)), str(leaf), [leaf], {"value": leaf}, None, 0, 1.0, ""])


def aimed(data, random):
    """Change the type of one to three values, or repeat an item of a list with another type."""
    for _ in range(random.choice([1, 1, 2, 3])):
        unused = {"versions", "sha256", "id"}
        if data["schema"] == checker.PATH:  # the path may stay true for a point that is far from the margin
            unused |= {"X", "C", "measures", "alpha", "beta", "gamma", "coef0"}
        *way, last = random.choice([p for p in places(data) if p and not unused.intersection(p)])
        place = data
        for step in way:
            place = place[step]
        leaf = place[last]
        if isinstance(leaf, list) and leaf and not isinstance(leaf[0], list | dict):
            leaf.insert(random.randrange(len(leaf) + 1), retyped(random.choice(leaf), random))
        elif not isinstance(leaf, dict | list):
            place[last] = retyped(leaf, random)
    return data


INTEGERS = {"bits", "free", "bound", "point", "n", "degree"}  # and order, which may be null


def meaning(value, key=None):
    """Return the value with exact numbers in place of texts."""
    if isinstance(value, dict):
        return {k: meaning(x, k) for k, x in value.items() if k not in ("versions", "sha256", "id")}
    if isinstance(value, list):
        return [meaning(x, key) for x in value]
    assert key not in INTEGERS or type(value) is int, (key, value)
    assert key != "order" or value is None or type(value) is int, (key, value)
    is_number = type(value) in (int, float) or (isinstance(value, str) and TEXT.fullmatch(value))
    return rational(value) if is_number else value


@pytest.mark.parametrize("first", range(0, 600, 100))
def test_values_of_another_type(first, monkeypatch):
    monkeypatch.setattr(conditions, "lambda_bounds", LAMBDA)
    accepted = 0
    for seed in range(first, first + 100):
        accepted += aimed_trial(Random(seed))
    assert accepted < 50


def aimed_trial(random):
    """Return whether a file with changed types is accepted; if so, assert that it states the same."""
    original = random.choice([*honest(), *honest_paths()])
    data = signed(aimed(copy.deepcopy(original), random))
    try:
        checker.check(data)
    except checker.Rejected:
        return False
    if data["schema"] == checker.PATH:
        assert meaning(data) == meaning(original)
    else:
        meaning(data)
        assert_true(data)
    return True


# Changes of the kernel: its order, degrees and measures, and solutions of other kernels.


def assert_path_true(data):
    """Assert that each segment is optimal for every tau in it, and that all C of the interval are covered."""
    assert data == signed(data)
    R, y, _, omega, low, high = problem_in_fractions(data["problem"])
    points, segments = range(len(y)), data["segments"]
    ends = [[None if s[end] is None else rational(s[end]) for end in ("lower", "upper")] for s in segments]
    assert all(one[1] == other[0] for one, other in pairwise(ends))
    assert 0 <= ends[0][0] <= low * rational(data["C"]["lower"])
    stop = data["C"]["upper"]
    assert ends[-1][1] is None or (stop is not None and ends[-1][1] >= high * rational(stop))
    for s, (start, end) in zip(segments, ends, strict=True):
        assert end is None or start < end
        inner = [start + 1, start + 2] if end is None else [start + (end - start) * k / 3 for k in (1, 2)]
        free, bound = ([i - 1 for i in s[key]] for key in ("free", "bound"))
        u, v = [Q(0)] * len(y), [omega[i] * (i in bound) for i in points]
        for i, p, q in zip(free, s["u"], s["v"], strict=True):
            u[i], v[i] = rational(p), rational(q)
        edges = [start, *([] if end is None else [end])]
        for tau in [*edges, *inner, *([10**9 * (start + 1)] if end is None else [])]:
            a = [p + tau * q for p, q in zip(u, v, strict=True)]
            assert sum(map(Q.__mul__, map(Q, y), a)) == 0
            assert all(0 <= a[i] <= tau * omega[i] for i in points)
            assert tau in edges or all(0 < a[i] < tau * omega[i] for i in free)
            h = [sum(y[j] * a[j] * R[i][j] for j in points) for i in points]
            biases = [rational(b["u"]) + tau * rational(b["v"]) for b in s["b"]]
            floor = [y[i] - h[i] for i in points if i in free or (y[i] > 0) != (i in bound)]
            ceiling = [y[i] - h[i] for i in points if i in free or (y[i] > 0) == (i in bound)]
            assert [max(floor), min(ceiling)] == [biases[0], biases[-1]] and len(biases) == 2 - bool(free)
            assert biases[0] <= biases[-1]
    hard = all(y[i] * (h[i] + biases[0]) == 1 for i in bound) if end is None else None
    assert data["claims"]["hard_margin"] is hard


def another_kernel(data, random):
    """Change the kernel of a certificate or path in one of many ways, which may leave it true."""
    problem = data["problem"]
    kernel, d = problem["kernel"], len(problem["X"][0])
    n = kernel["n"] if isinstance(kernel["n"], list) else [kernel["n"]] * d
    measures = kernel["measures"] if isinstance(kernel["measures"], list) else [kernel["measures"]] * d
    i, j = random.randrange(d), random.randrange(d)
    choice = random.randrange(16)
    if choice < 4:
        kernel["order"] = random.choice(
            [1, 2, 3, 4, d, d + 1, d - 1, 0, -1, None, "1", "2", 2.0, 1.0, True, False, [2], {}, "", 10**30]
        )
    elif choice == 4:
        del kernel["order"]
    elif choice == 5:
        n[i] = random.choice([n[j], n[i] + 1, n[i] - 1, 0, str(n[i]), float(n[i]), True, None])
        kernel["n"] = n
    elif choice == 6:
        kernel["n"] = random.choice([n[i], n[::-1], n[1:], [*n, 1], sorted(n), n[i:] + n[:i]])
    elif choice == 7:
        measures[i] = copy.deepcopy(random.choice([measures[j], HERMITE, *MIXED, NODES]))
        kernel["measures"] = measures
    elif choice == 8:
        kernel["measures"] = random.choice([measures[i], measures[::-1], measures[1:], [*measures, HERMITE]])
    elif choice == 9:
        data["schema"] = random.choice([checker.SCHEMA, checker.SCHEMA_2, checker.PATH])
    elif choice == 10:
        problem["schema"] = f"orca-exact/problem/{random.choice([1, 2, 3, 4])}"
    elif choice == 11:  # a problem of version 2
        del problem["kernel"]
        problem |= {"schema": "orca-exact/problem/2", "n": kernel["n"], "measures": kernel["measures"]}
        if random.random() < 0.5 and data["schema"] != checker.PATH:
            data["schema"] = checker.SCHEMA
    elif choice == 12:
        key = random.choice(list(kernel))
        problem[key] = kernel[key] if random.random() < 0.5 else kernel.pop(key)
    elif choice == 13:
        kernel["family"] = random.choice(["linear", "rbf", "Orthogonal", None, "jacobi", ["orthogonal"]])
    elif choice == 14:  # columns in another order, in a part of the problem or in all of it
        shuffled = random.sample(range(d), d)
        if random.random() < 0.7:
            problem["X"] = [[x[k] for k in shuffled] for x in problem["X"]]
        if random.random() < 0.7:
            kernel["n"] = [n[k] for k in shuffled]
        if random.random() < 0.7:
            kernel["measures"] = [measures[k] for k in shuffled]
    else:  # the optimum of another order
        other = random.randint(1, d)
        if data["schema"] != checker.PATH and not isinstance(problem["C"], list):
            data |= {key: x for key, x in copy.deepcopy(of_order(data, other)).items() if key != "problem"}
            if random.random() < 0.3:
                kernel["order"] = other
    return data


GAMMAS = [
    "3/4",
    "0.75",
    "1/2",
    "0.7500001",
    "1e-400",
    "1e400",
    "-1",
    "0",
    "nan",
    float("nan"),
    None,
    "",
    True,
]
GAMMAS += ["1e99999", "9" * 3000, "9" * 2000 + "e-2000", 0.75, 1, "3/4 ", "0x1.8p-1", ["3/4"], "1e-2400"]
MEASURES_OF_INDICES = [
    *UNDER,
    HERMITE,
    MIXED[0],
    MIXED,
    [*UNDER[:3]],
    [UNDER[0]] * 4,
    [UNDER[3]],
    [],
    None,
    "uniform",
]
MEASURES_OF_INDICES += [
    {},
    {"family": "Uniform"},
    {"family": "rbf"},
    {"family": ["normal"]},
    {"family": None},
]
MEASURES_OF_INDICES += [
    {"family": "uniform", "lower": "0"},
    {"family": "uniform", "lower": "1", "upper": "1"},
]
MEASURES_OF_INDICES += [{"family": "normal", "mean": "0", "sd": sd} for sd in ("0", "-1", "1e-400", "inf", 2)]
MEASURES_OF_INDICES += [{"family": "normal"}, {"family": "empirical", "sd": "1"}, NODES | {"weights": ["1"]}]


def another_other_kernel(data, random):
    """Change a file with a kernel without measures in one of many ways, which may leave it true."""
    problem, claims = data["problem"], data["claims"]
    kernel, choice = problem["kernel"], random.randrange(16)
    if choice < 3:
        kernel["gamma"] = random.choice(GAMMAS)
        if random.random() < 0.5 and isinstance(kernel["gamma"], str) and TEXT.fullmatch(kernel["gamma"]):
            kernel["gamma"] = str(rational(kernel["gamma"]) * (1 + random.choice([1, -1]) * Q(1, 10**9)))
    elif choice == 3:
        kernel["degree"] = random.choice([1, 2, 3, 4, 5, 0, -1, 1000, 1001, 10**30, 3.0, "3", True, None])
    elif choice == 4:
        kernel["coef0"] = random.choice(["0", "0.7", "0.70000001", "1", "-0.7", "-1e-400", 1, None, "1e400"])
    elif choice == 5:
        kernel["family"] = random.choice(
            ["linear", "polynomial", "rbf", "RBF", "sigmoid", "orthogonal", None]
        )
    elif choice == 6:
        problem["kernel"] = random.choice(other_certificates())["problem"]["kernel"].copy()
    elif choice == 7:
        problem["under"] = copy.deepcopy(random.choice(MEASURES_OF_INDICES))
    elif choice == 8:
        problem["X"] = copy.deepcopy(random.choice(other_certificates())["problem"]["X"])
    elif choice == 9:
        i, j = (random.randrange(len(problem["X"])) for _ in "ij")
        key = random.choice(["X", "y"])
        problem[key][i], problem[key][j] = problem[key][j], problem[key][i]
    elif choice == 10:
        row = random.choice(problem["X"])
        row[random.randrange(len(row))] = random.choice(["0.001", "1e-300", "1e300", "1/3", "-1"])
    elif choice == 11:
        problem["C"] = random.choice(["2", "40", "39.999", "1/9", "1e300", ["1"] * len(problem["y"])])
    elif choice == 12:
        bound = random.choice([1, 1, 0.5, 1.5, 2])
        data["lambda"] |= {random.choice(["lower", "upper"]): str(bound)}
        data["lambda"]["bits"] = random.choice([1, 2, 5, 10, 20, 64, 128, 300, 16384, 16385, 0])
    elif choice == 13:
        data["lambda"]["bits"] = random.choice([1, 4, 8, 16, 32, 64, 128, 256])
    elif choice == 14 and "gap" in claims:
        key = random.choice(["gap", "w_error"])
        claims[key] = str(rational(claims[key]) * random.choice([Q(9999, 10000), Q(99, 100), Q(1, 2), 0, 2]))
    elif "norm2" in claims:
        ends, end = claims["norm2"], random.choice(["lower", "upper"])
        ends[end] = str(rational(ends[end]) * random.choice([Q(9999, 10000), Q(10001, 10000), 2, Q(1, 2), 0]))
    return data


def other_kernel_trial(random):
    """Return whether a file with another kernel without measures is accepted; if so, assert it is true."""
    data = copy.deepcopy(random.choice([*other_certificates(), *other_certificates(), *other_paths()]))
    for _ in range(random.choice([1, 1, 1, 2])):
        with suppress(AttributeError, AssertionError, TypeError, ValueError):  # a value was changed before
            data = another_other_kernel(data, random)
    try:
        data = signed(data)
        checker.check(data)
    except checker.Rejected:
        return False
    (assert_path_true if data["schema"] == checker.PATH else assert_true)(data)
    return True


@pytest.mark.parametrize(
    "first", [0, *(pytest.param(first, marks=pytest.mark.slow) for first in range(150, 3000, 150))]
)
def test_another_kernel_without_measures(first):
    accepted = sum(other_kernel_trial(Random(seed)) for seed in range(first, first + 150))
    assert 0 < accepted < 100


def of_order(data, order):
    """Return the exact certificate of the same problem with another order."""
    return made_of_order(json.dumps(data["problem"], sort_keys=True), order)


@cache
def made_of_order(problem, order):
    problem = json.loads(problem)
    problem["kernel"]["order"] = order
    try:
        return certify(Problem.from_json(problem)).to_json() | {"schema": checker.SCHEMA_2}
    except OrcaError:  # the problem was changed before
        return {}


def kernel_trial(random):
    """Return whether a file with another kernel is accepted; if so, assert that it is true."""
    data = copy.deepcopy(random.choice([*limited_certificates(), *limited_certificates(), *limited_paths()]))
    try:
        for _ in range(random.choice([1, 1, 2, 3])):
            data = another_kernel(data, random)
    except (KeyError, TypeError, IndexError):
        pass  # there is no kernel any more, or no list, that could be changed
    data = signed(data)
    try:
        checker.check(data)
    except checker.Rejected:
        return False
    (assert_path_true if data["schema"] == checker.PATH else assert_true)(data)
    return True


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 600, 100))
def test_another_kernel(first, monkeypatch):
    monkeypatch.setattr(conditions, "lambda_bounds", LAMBDA)
    accepted = sum(kernel_trial(Random(seed)) for seed in range(first, first + 100))
    assert 0 < accepted < 50


def test_paths_of_limited_order_are_true():
    for data in limited_paths():
        assert_path_true(data)


def spoiled(text, random):
    """Return bytes that may not be JSON."""
    k = random.randrange(len(text))
    deep = random.choice([10, 500, 5000, 10**5])
    keys = [m.start() for m in re.finditer(r'"\w+":', text)]
    at = random.choice(keys)
    key = re.match(r'"\w+":', text[at:])[0]
    raw = random.choice(
        [
            text[:k],
            text[:k] + "\x00" + text[k:],
            text[:k] + "[" * deep + text[k:],
            "\ufeff" + text,
            text + text,
            text + "\n ",
            text[:at] + key + " 0, " + text[at:],
            text[:at] + key + '"1", ' + text[at:],
            text.replace('"', "'"),
            text[:at] + '"versions": ' + "[" * deep + "]" * deep + ", " + text[at:],
            text.replace(":", ": NaN, ", 1),
            text.replace('"id":', '"id": ' + "9" * deep + ', "id":'),
            text.replace("1", "９"),
        ]
    ).encode("utf-8", "surrogatepass")
    if random.random() < 0.3:
        raw = bytearray(raw)
        raw[random.randrange(len(raw))] = random.randrange(256)
    return bytes(raw)


def hostile(random):
    """Return the bytes of a file, and whether it must be accepted."""
    certificate = copy.deepcopy(random.choice(honest()))
    kind = random.randrange(10)
    if kind == 0:
        return json.dumps(signed(equivalent(certificate, random))).encode(), True
    if kind < 8:
        certificate = mutant(certificate, random)
        if random.random() < 0.8:
            certificate = signed(certificate)
        return json.dumps(certificate).encode(), False
    return spoiled(json.dumps(certificate), random), False


def ran(path):
    """Return the exit codes and error messages of ``python -m checker`` and of the verb."""
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()) as err:
        code = checker.main([str(path)])
    complaint = StringIO()
    verb = run_verb(
        make_parser("check-certificate").parse_args(["check-certificate", str(path)]), StringIO(), complaint
    )
    return code, err.getvalue(), verb, complaint.getvalue()


def trial(raw, must, path):
    """Check one file in three ways; assert that the results agree and are true."""
    path.write_bytes(raw)
    code, err, verb, complaint = ran(path)
    assert {code, verb} <= {0, 1, 4} and (code == 0) == (verb == 0), (err, complaint)
    assert (code == 0) == (not err) and err.count("\n") <= 1 and "Traceback" not in err + complaint
    assert code == 0 or not must, err
    try:
        data = json.loads(raw)
    except (ValueError, RecursionError):
        assert code == 4
        return "not JSON"
    try:
        checker.check(data)
    except checker.Rejected as rejection:
        assert code in (1, 4)
        return rejection.condition
    if code == 0:
        with reading.unlimited_digits():
            assert_true(data)
        return "accepted"
    assert code == 4 and "twice" in err
    return "twice"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(SAMPLE))
def test_hostile(seed, tmp_path, monkeypatch):
    monkeypatch.setattr(conditions, "lambda_bounds", LAMBDA)
    if seed % 10:  # only every tenth trial starts a process
        monkeypatch.setattr(limited, "check_in_process", checker.check)
    trial(*hostile(Random(seed)), tmp_path / "certificate.json")


def main(count, seed=0):
    results, slowest = Counter(), []
    conditions.lambda_bounds, limited.check_in_process = LAMBDA, checker.check
    with TemporaryDirectory() as folder:
        for k in range(seed, seed + count):
            start = time.process_time()
            raw, must = hostile(Random(k))
            try:
                result = trial(raw, must, Path(folder) / "certificate.json")
                results["retyped, accepted" if aimed_trial(Random(k)) else "retyped, rejected"] += 1
                accepted = kernel_trial(Random(k))
                results["another kernel, accepted" if accepted else "another kernel, rejected"] += 1
                accepted = other_kernel_trial(Random(k))
                results["without measures, accepted" if accepted else "without measures, rejected"] += 1
            except BaseException as error:
                result = f"BROKEN {type(error).__name__}"
                print(k, repr(error)[:300], flush=True)
                if isinstance(error, KeyboardInterrupt):
                    break
            results[result] += 1
            slowest = sorted([*slowest, (time.process_time() - start, k)], reverse=True)[:5]
    print(dict(results), "slowest (CPU s, seed):", [(round(s, 2), k) for s, k in slowest])


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
