"""Certificates made without the library, and the conditions by which the checker rejects one.

They share no code with the checker: the kernel is the inverse of the Hankel matrix of moments, the active
set is found by trying all, and lambda comes from mpmath.
"""

from __future__ import annotations

import ast
import copy
import hashlib
import itertools
import json
import traceback
from fractions import Fraction as Q
from functools import cache
from math import comb, prod
from pathlib import Path

import mpmath
import pytest

from orca_exact import checker
from orca_exact.checker import Rejected, check, kernels

BITS = 128
WITHOUT_MEASURES = ("linear", "polynomial", "rbf")
RBF_BITS = 400  # of the values of RBF kernels
KKT = ["dual feasibility", "stationarity", "primal feasibility", "complementarity"]


def solve(A, B):
    """Return A^(-1) B by elimination; raise ZeroDivisionError if A is singular."""
    rows = [[*a, *b] for a, b in zip(A, B, strict=True)]
    for k in range(len(rows)):
        pivot = next((i for i in range(k, len(rows)) if rows[i][k]), None)
        if pivot is None:
            raise ZeroDivisionError
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [x / rows[k][k] for x in rows[k]]
        for i in range(len(rows)):
            if i != k:
                rows[i] = [x - rows[i][k] * z for x, z in zip(rows[i], rows[k], strict=True)]
    return [row[len(A) :] for row in rows]


def coordinates(problem):
    """Return (measure, n) for each coordinate, or (kernel, 0) if the kernel has no measures."""
    d, kernel = len(problem["X"][0]), problem.get("kernel", problem)
    if kernel.get("family") in WITHOUT_MEASURES:
        return [(kernel, 0)] * d
    one = {"family": "jacobi"} | {key: kernel[key] for key in ("alpha", "beta") if key in kernel}
    both = kernel.get("measures", one), kernel["n"]
    measures, n = (value if isinstance(value, list) else [value] * d for value in both)
    return list(zip(measures, n, strict=True))


def points(problem):
    X = [[Q(float.fromhex(t)) if "x" in str(t) else Q(t) for t in x] for x in problem["X"]]
    columns = [list(column) for column in zip(*X, strict=True)]
    for j, (measure, _) in enumerate(coordinates(problem)):
        if problem["rescale"] and measure["family"] in ("jacobi", *WITHOUT_MEASURES):
            low, high = min(columns[j]), max(columns[j])
            columns[j] = [2 * (t - low) / (high - low) - 1 for t in columns[j]]
    return list(zip(*columns, strict=True))


def moments(measure, n):
    """Return the moments of t = (1+x)/2 (a Beta distribution) for Jacobi, and of x otherwise."""
    rising = lambda x, k: prod((x + j for j in range(k)), start=Q(1))  # noqa: E731
    if measure["family"] == "hermite":
        return [Q(k % 2 == 0) * prod(range(1, k, 2)) for k in range(2 * n + 1)]
    alpha, beta = Q(measure["alpha"]), Q(measure.get("beta", 0))
    if measure["family"] == "laguerre":
        return [rising(alpha + 1, k) for k in range(2 * n + 1)]
    return [rising(beta + 1, k) / rising(alpha + beta + 2, k) for k in range(2 * n + 1)]


def one_dimension(measure, n):
    """Return the kernel h_0 K(x, z) = phi(x)^T M^(-1) phi(z).

    M is the Gram matrix of phi divided by h_0; phi are powers, or Newton's basis for discrete measures.
    """
    if measure["family"] == "discrete":
        nodes, weights = ([Q(x) for x in measure[key]] for key in ("nodes", "weights"))
        phi = lambda x: [prod((x - node for node in nodes[:s]), start=Q(1)) for s in range(n + 1)]  # noqa: E731
        table = list(zip(map(phi, nodes), weights, strict=True))
        M = [
            [sum(w * f[i] * f[j] for f, w in table) / sum(weights) for j in range(n + 1)]
            for i in range(n + 1)
        ]
    else:
        moment, jacobi = moments(measure, n), measure["family"] == "jacobi"
        M = [[moment[i + j] for j in range(n + 1)] for i in range(n + 1)]
        phi = lambda x: [((1 + x) / 2 if jacobi else x) ** s for s in range(n + 1)]  # noqa: E731
    inverse = solve(M, [[Q(i == j) for j in range(n + 1)] for i in range(n + 1)])
    return lambda x, z: sum(s * inverse[i][j] * t for i, s in enumerate(phi(x)) for j, t in enumerate(phi(z)))


def other_kernel(kernel, x, z):
    """Return the value of a linear or polynomial kernel by its monomials, or of an RBF kernel by mpmath."""
    if kernel["family"] == "rbf":
        t = Q(kernel["gamma"]) * sum((a - b) ** 2 for a, b in zip(x, z, strict=True))
        with mpmath.workprec(RBF_BITS + 64):
            value = mpmath.exp(-mpmath.mpf(t.numerator) / t.denominator)
            return Q(int(mpmath.nint(mpmath.ldexp(value, RBF_BITS))), 2**RBF_BITS)
    gamma, coef0, p = (Q(kernel.get(key, of)) for key, of in (("gamma", 1), ("coef0", 0), ("degree", 1)))
    inner = sum(a * b for a, b in zip(x, z, strict=True))
    return sum(comb(int(p), k) * (gamma * inner) ** k * coef0 ** int(p - k) for k in range(int(p) + 1))


def rational_gram(problem):
    """Return R, the sum of prod_(l in S) (R_l - 1) over the sets S of at most ``order`` coordinates.

    For a kernel without measures, return its values, rounded to ``RBF_BITS`` bits if they are irrational.
    """
    X, kernel = points(problem), problem.get("kernel", {})
    if kernel.get("family") in WITHOUT_MEASURES:
        return [[other_kernel(kernel, x, z) for z in X] for x in X]
    kernels = [one_dimension(*pair) for pair in coordinates(problem)]
    order = problem.get("kernel", problem).get("order")
    sizes = range((len(kernels) if order is None else order) + 1)
    sets = [S for size in sizes for S in itertools.combinations(range(len(kernels)), size)]

    def entry(x, z):
        rest = [k(s, t) - 1 for k, s, t in zip(kernels, x, z, strict=True)]
        return sum(prod((rest[i] for i in S), start=Q(1)) for S in sets)

    return [[entry(x, z) for z in X] for x in X]


def h_0(measure):
    """Return h_0 by mpmath's functions; it is 1 for kernels without measures."""
    if measure["family"] in WITHOUT_MEASURES:
        return mpmath.mpf(1)
    mpf = lambda x: mpmath.mpf(Q(x).numerator) / Q(x).denominator  # noqa: E731
    if measure["family"] == "hermite":
        return mpmath.sqrt(2 * mpmath.pi)
    if measure["family"] == "discrete":
        return mpf(sum(map(Q, measure["weights"])))
    alpha, beta = mpf(measure["alpha"]), mpf(measure.get("beta", 0))
    if measure["family"] == "laguerre":
        return mpmath.gamma(alpha + 1)
    return mpmath.mpf(2) ** (alpha + beta + 1) * mpmath.beta(alpha + 1, beta + 1)


def lambda_bounds(problem, bits=BITS):
    with mpmath.workprec(2000):
        lam = 1 / mpmath.fprod(h_0(measure) for measure, _ in coordinates(problem))
        nearby = Q(int(mpmath.floor(lam * 2**900)), 2**900).limit_denominator(10**20)
        if abs(mpmath.mpf(nearby.numerator) / nearby.denominator / lam - 1) < mpmath.mpf(2) ** -500:
            return nearby, nearby
        e = int(mpmath.floor(mpmath.log(lam, 2))) + 1
        low = int(mpmath.floor(mpmath.ldexp(lam, bits - e)))
    return Q(low) * Q(2) ** (e - bits), Q(low + 1) * Q(2) ** (e - bits)


def optimum(R, y, tau, believed=None, weights=None):
    """Return u, v, the bounds of b as pairs, and the free and bound points.

    The active set is the first that satisfies the KKT conditions, or the one given as ``believed``. The
    weights are C_i / max C_i, 1 by default.
    """
    m = len(y)
    omega = weights or [Q(1)] * m
    for states in [believed] if believed else itertools.product("0FB", repeat=m):
        F, B = ([i for i in range(m) if states[i] == state] for state in "FB")
        try:
            A = (
                [[y[j] * R[i][j] for j in F] + [Q(1)] for i in F] + [[Q(y[j]) for j in F] + [Q(0)]]
                if F
                else []
            )
            rhs = [[Q(y[i]), -sum(omega[j] * y[j] * R[i][j] for j in B)] for i in F]
            rhs.append([Q(0), -sum((omega[j] * y[j] for j in B), start=Q(0))])
            *a, b = solve(A, rhs) if F else [None]
        except ZeroDivisionError:
            continue
        u, v = [Q(0)] * m, [omega[i] * (i in B) for i in range(m)]
        for i, (p, q) in zip(F, a, strict=True):
            u[i], v[i] = p, q
        if sum(map(Q.__mul__, map(Q, y), v)) or any(not 0 < u[i] + tau * v[i] < tau * omega[i] for i in F):
            continue
        h = [[sum(y[j] * w[j] * R[i][j] for j in range(m)) for w in (u, v)] for i in range(m)]
        stops = [(y[i] - h[i][0], -h[i][1]) for i in range(m)]
        if not F:
            floor = [stop for i, stop in enumerate(stops) if (y[i] > 0) != (i in B)]
            ceiling = [stop for i, stop in enumerate(stops) if (y[i] > 0) == (i in B)]
            value = lambda stop: stop[0] + tau * stop[1]  # noqa: E731
            ends = [max(floor, key=value), min(ceiling, key=value)]
            if value(ends[0]) > value(ends[1]):
                continue
        else:
            ends = [tuple(b)]
        margin = [[y[i] * (h[i][0] + p + tau * (h[i][1] + q)) - 1 for i in range(m)] for p, q in ends]
        right = [i in F or (r[i] <= 0 if i in B else r[i] >= 0) for r in margin for i in range(m)]
        if believed or all(right):
            return u, v, ends, F, B
    raise AssertionError("no active set satisfies KKT")


def signed(certificate):
    body = {key: value for key, value in certificate.items() if key != "sha256"}
    text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return {**body, "sha256": hashlib.sha256(text.encode()).hexdigest()}


def changed(certificate, path, value, sign=True):
    """Return a copy with one value replaced, with a new digest if ``sign`` is true."""
    copied = copy.deepcopy(certificate)
    *way, last = path
    place = copied
    for step in way:
        place = place[step]
    place[last] = value
    return signed(copied) if sign else copied


def rejected_condition(certificate):
    with pytest.raises(Rejected) as rejection:
        check(certificate)
    return rejection.value.condition


def pair(p, q):
    return {"u": str(p), "v": str(q)}


def make(
    X, y, n, alpha="0", beta="0", C="1", rescale=False,
    alpha_unique=True, believed=None, measures=None, order=None, kernel=None,
):  # fmt: skip
    kind = {"schema": "orca-exact/problem/1", "n": n, "alpha": alpha, "beta": beta}
    if measures is not None:
        kind = {"schema": "orca-exact/problem/2", "n": n, "measures": measures}
    if order is not None:
        measures = measures or {"family": "jacobi", "alpha": alpha, "beta": beta}
        kernel = {"family": "orthogonal", "n": n, "measures": measures, "order": order}
        kind = {"schema": "orca-exact/problem/3", "kernel": kernel}
    if kernel is not None:
        kind = {"schema": "orca-exact/problem/3", "kernel": kernel}
    problem = kind | {"id": "by hand", "X": X, "y": y, "C": C, "rescale": rescale}
    R, (low, high) = rational_gram(problem), lambda_bounds(problem)
    tau = Q(C) * (low + high) / 2
    u, v, ends, F, B = optimum(R, y, tau, believed)
    s = [yi * (p + tau * q) for yi, p, q in zip(y, u, v, strict=True)]
    norm2 = sum(a * b * R[i][j] for i, a in enumerate(s) for j, b in enumerate(s)) * 2 / (low + high)
    return signed(
        {
            "schema": f"orca-exact/certificate/{2 if 'kernel' in kind else 1}",
            "problem": problem,
            "level": "exact",
            "lambda": {"bits": BITS, "lower": str(low), "upper": str(high)},
            "u": [str(p) for p in u],
            "v": [str(q) for q in v],
            "b": pair(*ends[0]) if F else {"lower": pair(*ends[0]), "upper": pair(*ends[1])},
            "active": {"free": [i + 1 for i in F], "bound": [i + 1 for i in B]},
            "claims": {
                "gap": "0",
                "w_error": "0",
                "norm2": {
                    "lower": f"{float(norm2) * (1 - 1e-9):.12e}",
                    "upper": f"{float(norm2) * (1 + 1e-9):.12e}",
                },
                "alpha_unique": alpha_unique,
                "b_unique": bool(F) or ends[0] == ends[1],
                "hard_margin": not B,
            },
            "versions": {"by": "hand"},
        }
    )


LINE = [["-0.9"], ["-1/3"], ["0x1.8p-2"], ["0.8"]]
PLANE = [["-0.5", "0.25"], ["0.5", "0.5"], ["0", "-0.75"], ["0.875", "-0.125"], ["-1", "1"]]
HERMITE = {"family": "hermite"}
POSITIVE = [["0.5", "1/4"], ["2", "3.5"], ["0", "-0.75"], ["0.875", "-1"], ["1", "1"]]
NODES = {"family": "discrete", "nodes": ["-1", "0", "0.5", "3"], "weights": ["1", "1/3", "2", "0.1"]}
MIXED = [{"family": "laguerre", "alpha": "1/2"}, {"family": "jacobi", "alpha": "-1/2", "beta": "1/3"}]
LABELS = [1, -1, 1, -1, 1]
CASES = {
    "hermite": lambda: make([["-2.5"], ["0"], ["0.5"], ["3"]], [1, -1, 1, -1], 3, C="1/2", measures=HERMITE),
    "laguerre": lambda: make([["0"], ["1/2"], ["1"], ["7"]], [1, -1, 1, -1], 3, C="5", measures=MIXED[0]),
    "discrete": lambda: make([["-1"], ["0"], ["0.5"], ["2"]], [1, -1, 1, -1], 2, C="9", measures=NODES),
    "mixed": lambda: make(POSITIVE, LABELS, [2, 1], C="1/2", measures=[MIXED[0], HERMITE]),
    "mixed, rescaled": lambda: make(POSITIVE, LABELS, [1, 2], C="3", rescale=True, measures=MIXED),
    "mixed, rational": lambda: make(
        POSITIVE, LABELS, [2, 2], measures=[{"family": "laguerre", "alpha": "2"}, NODES]
    ),
    "legendre line": lambda: make(LINE, [1, -1, 1, -1], 3, C="100"),
    "legendre line, soft": lambda: make(LINE, [1, -1, 1, -1], 3, C="1/2"),
    "legendre plane": lambda: make(PLANE, [1, -1, -1, 1, 1], 2, C="2"),
    "jacobi line": lambda: make(LINE, [1, -1, 1, -1], 3, "1/2", "1/3", C="100"),
    "jacobi plane, soft": lambda: make(PLANE, [1, -1, 1, -1, 1], 2, "1/2", "1/3", C="1/2"),
    "jacobi plane": lambda: make(PLANE, [1, -1, 1, -1, 1], 2, "4.3", "1.8", C="0.2"),
    "chebyshev": lambda: make(LINE, [1, -1, 1, -1], 3, "-1/2", "-1/2", C="5"),
    "rescaled": lambda: make([["1"], ["2.5"], ["7"], ["11"]], [1, 1, -1, -1], 2, "1", "2", rescale=True),
    "lambda with a root of 2": lambda: make(LINE, [1, 1, -1, -1], 2, "1/2", "0"),
    "the root squared": lambda: make(PLANE, [1, -1, -1, 1, 1], 1, "1/2", "0"),
    "interval": lambda: make(LINE, [1, 1, -1, -1], 1, "1/2", "1/3", C="1/100"),
    "interval, rational": lambda: make(LINE, [1, 1, -1, -1], 1, C="1/100"),
    "json numbers": lambda: make([[-0.9], [0.1], [1], [0]], [1, 1, -1, -1], 2),
}

SPACE = [["-0.5", "0.25", "1/3"], ["0.5", "0.5", "-1"], ["0", "-0.75", "0.6"], ["0.875", "-0.125", "0"],
         ["-1", "1", "1/7"]]  # fmt: skip
FOUR = [["0", "1/4", "0.5", "1"], ["2", "3.5", "-1", "0"], ["0", "-0.75", "0.25", "1"],
        ["0.875", "-1", "0.5", "0"], ["1", "1", "0", "1"]]  # fmt: skip
BINARY = {"family": "discrete", "nodes": ["0", "1"], "weights": ["1/2", "1/2"]}
LIMITED = {  # kernels of limited order
    "order 1": lambda: make(SPACE, LABELS, 3, C="40", order=1),
    "order 2": lambda: make(SPACE, LABELS, 2, C="1/2", order=2),
    "order 1, irrational": lambda: make(PLANE, LABELS, 2, "1/2", "1/3", C="1/2", order=1),
    "order 2, irrational": lambda: make(SPACE, LABELS, [2, 1, 3], "1/2", "1/3", C="1/2", order=2),
    "order 1, mixed": lambda: make(
        FOUR, LABELS, [2, 0, 1, 1], C="3", measures=[MIXED[0], HERMITE, NODES, BINARY], order=1
    ),
    "order 2, mixed": lambda: make(
        FOUR, LABELS, [1, 2, 0, 1], C="1/2", measures=[MIXED[0], HERMITE, NODES, BINARY], order=2
    ),
    "order 3, mixed": lambda: make(
        FOUR, LABELS, [1, 2, 2, 1], C="1/9", measures=[MIXED[0], HERMITE, NODES, BINARY], order=3
    ),
    "order 1, rescaled": lambda: make(
        FOUR, LABELS, [1, 2, 2, 1], C="2", rescale=True, measures=[*MIXED, NODES, BINARY], order=1
    ),
    "order 1, interval": lambda: make(SPACE[:4], LABELS[:4], 1, "1/2", "1/3", C="1/100", order=1),
    "order 2 of 2": lambda: make(PLANE, LABELS, 2, C="1/2", order=2),
}
RBF = {"family": "rbf", "gamma": "3/4"}
CUBIC = {"family": "polynomial", "degree": 3, "gamma": "1/2", "coef0": "0.7"}
OTHERS = {  # kernels without measures
    "linear": lambda: make(
        PLANE, [1, -1, -1, 1, -1], None, C="2", kernel={"family": "linear"}, alpha_unique=None
    ),
    "linear, rescaled": lambda: make(
        FOUR, LABELS, None, C="1/2", rescale=True, kernel={"family": "linear"}, alpha_unique=None
    ),
    "polynomial": lambda: make(SPACE, LABELS, None, C="40", kernel=CUBIC),
    "polynomial, soft": lambda: make(POSITIVE, LABELS, None, C="1/9", kernel=CUBIC | {"coef0": "0"}),
    "polynomial, interval": lambda: make(LINE, [1, 1, -1, -1], None, C="1/100", kernel=CUBIC | {"degree": 2}),
    "degree 1": lambda: make(
        PLANE, LABELS, None, kernel=CUBIC | {"degree": 1, "coef0": "-3"}, alpha_unique=None
    ),
}
EXACT_RBF = {  # not certificates: RBF kernels have none of level exact
    "rbf": lambda: make(SPACE, LABELS, None, C="40", kernel=RBF),
    "rbf, soft": lambda: make(POSITIVE, LABELS, None, C="1/2", kernel=RBF),
    "rbf, rescaled": lambda: make(FOUR, LABELS, None, C="1", rescale=True, kernel=RBF | {"gamma": "5"}),
}


LAMBDA = cache(kernels.lambda_bounds)
SOFT = CASES["jacobi plane, soft"]()


REFUSING = {"require", "require_at_most"}


def rejecting_calls(of_paths=False):
    """Yield the file, function and line of every call that may raise Rejected.

    Calls inside the functions of ``REFUSING`` are left out. ``of_paths`` selects those of the module
    ``paths`` instead of the others.
    """
    for file in Path(checker.__file__).parent.glob("*.py"):
        if (file.name == "paths.py") == of_paths:
            for function in ast.walk(ast.parse(file.read_text())):
                if isinstance(function, ast.FunctionDef) and function.name not in REFUSING:
                    for call in ast.walk(function):
                        if isinstance(call, ast.Call) and ast.unparse(call.func) in {*REFUSING, "Rejected"}:
                            yield file.name, function.name, call.lineno


def rejection(certificate):
    with pytest.raises(Rejected) as rejection:
        check(certificate)
    frames = traceback.extract_tb(rejection.value.__traceback__)
    (*_, last) = (frame for frame in frames if frame.name not in REFUSING)
    return (Path(last.filename).name, last.name, last.lineno), rejection.value.condition


@cache
def rbf_certificates():
    """Return gap certificates with RBF kernels."""
    return [shrunk_gap_certificate(make_exact())[0] for make_exact in EXACT_RBF.values()]


def shrunk_gap_certificate(certificate):
    """Return a gap certificate with a scaled by 0.999 and b shifted, which is dual feasible, and its gap."""
    problem = certificate["problem"]
    R, y, C = rational_gram(problem), problem["y"], Q(problem["C"])
    lam = Q(certificate["lambda"]["lower"])
    u, v = ([Q(w) * 999 / 1000 for w in certificate[part]] for part in "uv")
    b = Q(certificate["b"]["u"]) + Q(1, 500), Q(certificate["b"]["v"])
    s = [yi * (p + lam * C * q) for yi, p, q in zip(y, u, v, strict=True)]
    h = [sum(map(Q.__mul__, row, s)) for row in R]
    norm2 = sum(map(Q.__mul__, s, h)) / lam
    xi = [max(Q(0), 1 - yi * (hi + b[0] + lam * C * b[1])) for yi, hi in zip(y, h, strict=True)]
    gap = float(norm2 - sum(map(abs, s)) / lam + C * sum(xi))
    active = [i for i, a in enumerate(s, 1) if a]
    claims = {"gap": f"{gap * 1.0001:.9e}", "w_error": f"{gap**0.5 * 1.0001:.9e}"}
    ends = [max(float(norm2) ** 0.5 + sign * gap**0.5 * 1.0002, 0) ** 2 for sign in (-1, 1)]  # of |w*|^2
    claims["norm2"] = {"lower": f"{ends[0] * 0.9999:.9e}", "upper": f"{ends[1] * 1.0001:.9e}"}
    claims |= {"alpha_unique": None, "b_unique": None, "hard_margin": None}
    body = {"level": "gap", "u": list(map(str, u)), "v": list(map(str, v)), "b": pair(*b), "claims": claims}
    return signed(certificate | body | {"active": {"free": active, "bound": []}}), gap
