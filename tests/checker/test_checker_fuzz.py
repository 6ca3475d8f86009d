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
from contextlib import redirect_stderr, redirect_stdout
from fractions import Fraction as Q
from functools import cache
from io import StringIO
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from by_hand import (
    CASES,
    HERMITE,
    LAMBDA,
    MIXED,
    NODES,
    coordinates,
    lambda_bounds,
    optimum,
    rational_gram,
    signed,
    sloppy,
    solve,
)

from orca_exact import Problem, checker, path
from orca_exact.checker import conditions, reading
from orca_exact.cli import limited
from orca_exact.cli.parser import make_parser, run_verb

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


def problem_in_fractions(problem):
    """Return R, y, C = max C_i, C_i / C and bounds of lambda."""
    each, m = coordinates(problem), len(problem["X"])
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
    given = problem["C"] if isinstance(problem["C"], list) else [problem["C"]] * m
    C = max(map(rational, given))
    y = [int(rational(label)) for label in problem["y"]]
    return rational_gram(plain), y, C, [rational(c) / C for c in given], low, high


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
    tiny = Q(1, 2**1000)  # lambda is known to 1500 bits
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
    return [*found, *(sloppy(c)[0] for c in found[:3])]


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
                keys = [key for key in ("n", "alpha", "beta", "C") if key in problem]
                problem[random.choice(keys or ["n"])] = random.choice(values)
                if "measures" in problem and random.random() < 0.5:
                    problem["measures"] = copy.deepcopy(
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
    return [path(even, level="exact").to_json(), path(uneven, 1, 2, level="exact").to_json()]


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
            unused |= {"X", "C", "measures", "alpha", "beta"}
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


INTEGERS = {"bits", "free", "bound", "point", "n"}


def meaning(value, key=None):
    """Return the value with exact numbers in place of texts."""
    if isinstance(value, dict):
        return {k: meaning(x, k) for k, x in value.items() if k not in ("versions", "sha256", "id")}
    if isinstance(value, list):
        return [meaning(x, key) for x in value]
    assert key not in INTEGERS or type(value) is int, (key, value)
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
