"""Certificates made by hand, accepted; tampered with, rejected by the name of what broke.

The maker shares nothing with the checker: its kernel is the inverse of the Hankel matrix of moments, its
active set is found by trying all of them, its lambda comes from mpmath's ``beta``.
"""

from __future__ import annotations

import copy
import hashlib
import itertools
import json
import re
import subprocess
import sys
from fractions import Fraction as Q
from math import prod
from pathlib import Path

import mpmath
import pytest

from orca_exact import checker
from orca_exact.checker import Rejected, check, main

BITS = 128


def solve(A, B):
    """A^(-1) B by elimination; ZeroDivisionError if A is singular."""
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


def points(problem):
    X = [[Q(float.fromhex(t)) if "x" in str(t) else Q(t) for t in x] for x in problem["X"]]
    if problem["rescale"]:
        low, high = ([f(column) for column in zip(*X, strict=True)] for f in (min, max))
        X = [[2 * (t - a) / (b - a) - 1 for t, a, b in zip(x, low, high, strict=True)] for x in X]
    return X


def rational_gram(problem):
    """With t = (1+x)/2 and the moments M of the Beta law of t: R_1d(x, z) = phi(x)^T M^(-1) phi(z)."""
    n, alpha, beta = problem["n"], Q(problem["alpha"]), Q(problem["beta"])
    moment = [prod(((beta + 1 + j) / (alpha + beta + 2 + j) for j in range(k)), start=Q(1)) for k in range(2 * n + 1)]
    identity = [[Q(i == j) for j in range(n + 1)] for i in range(n + 1)]
    inverse = solve([[moment[i + j] for j in range(n + 1)] for i in range(n + 1)], identity)

    def one(x, z):
        s, t = (1 + x) / 2, (1 + z) / 2
        return sum(s**i * inverse[i][j] * t**j for i in range(n + 1) for j in range(n + 1))

    X = points(problem)
    return [[prod(one(s, t) for s, t in zip(x, z, strict=True)) for z in X] for x in X]


def lambda_bounds(problem, bits=BITS):
    d = len(problem["X"][0])
    with mpmath.workprec(2000):
        alpha, beta = (mpmath.mpf(Q(problem[key]).numerator) / Q(problem[key]).denominator for key in ("alpha", "beta"))
        lam = (mpmath.mpf(2) ** (alpha + beta + 1) * mpmath.beta(alpha + 1, beta + 1)) ** -d
        nearby = Q(int(mpmath.floor(lam * 2**900)), 2**900).limit_denominator(10**20)
        if abs(mpmath.mpf(nearby.numerator) / nearby.denominator / lam - 1) < mpmath.mpf(2) ** -500:
            return nearby, nearby
        e = int(mpmath.floor(mpmath.log(lam, 2))) + 1
        low = int(mpmath.floor(mpmath.ldexp(lam, bits - e)))
    return Q(low) * Q(2) ** (e - bits), Q(low + 1) * Q(2) ** (e - bits)


def optimum(R, y, tau):
    """u, v and the end or ends of b as pairs, and the free and bound sets: the first that satisfies KKT."""
    m = len(y)
    for states in itertools.product("0FB", repeat=m):
        F, B = ([i for i in range(m) if states[i] == state] for state in "FB")
        try:
            A = [[y[j] * R[i][j] for j in F] + [Q(1)] for i in F] + [[Q(y[j]) for j in F] + [Q(0)]] if F else []
            rhs = [[Q(y[i]), -sum(y[j] * R[i][j] for j in B)] for i in F] + [[Q(0), Q(-sum(y[j] for j in B))]]
            *a, b = solve(A, rhs) if F else [None]
        except ZeroDivisionError:
            continue
        u, v = [Q(0)] * m, [Q(i in B) for i in range(m)]
        for i, (p, q) in zip(F, a, strict=True):
            u[i], v[i] = p, q
        if sum(map(Q.__mul__, map(Q, y), v)) or any(not 0 < u[i] + tau * v[i] < tau for i in F):
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
        if all((i in F or i in B or r[i] >= 0) and (i not in B or r[i] <= 0) for r in margin for i in range(m)):
            return u, v, ends, F, B
    raise AssertionError("no active set satisfies KKT")


def signed(certificate):
    body = {key: value for key, value in certificate.items() if key != "sha256"}
    text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return {**body, "sha256": hashlib.sha256(text.encode()).hexdigest()}


def pair(p, q):
    return {"u": str(p), "v": str(q)}


def make(X, y, n, alpha="0", beta="0", C="1", rescale=False, alpha_unique=True):
    problem = {"schema": "orca-exact/problem/1", "id": "by hand", "X": X, "y": y, "n": n, "alpha": alpha, "beta": beta}
    problem |= {"C": C, "rescale": rescale}
    R, (low, high) = rational_gram(problem), lambda_bounds(problem)
    tau = Q(C) * (low + high) / 2
    u, v, ends, F, B = optimum(R, y, tau)
    s = [yi * (p + tau * q) for yi, p, q in zip(y, u, v, strict=True)]
    norm2 = sum(a * b * R[i][j] for i, a in enumerate(s) for j, b in enumerate(s)) * 2 / (low + high)
    return signed(
        {
            "schema": "orca-exact/certificate/1",
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
                "norm2": {"lower": f"{float(norm2) * (1 - 1e-9):.12e}", "upper": f"{float(norm2) * (1 + 1e-9):.12e}"},
                "alpha_unique": alpha_unique,
                "b_unique": bool(F) or ends[0] == ends[1],
                "hard_margin": not B,
            },
            "versions": {"by": "hand"},
        }
    )


LINE = [["-0.9"], ["-1/3"], ["0x1.8p-2"], ["0.8"]]
PLANE = [["-0.5", "0.25"], ["0.5", "0.5"], ["0", "-0.75"], ["0.875", "-0.125"], ["-1", "1"]]
CASES = {
    "legendre line": lambda: make(LINE, [1, -1, 1, -1], 3, C="100"),
    "legendre line soft": lambda: make(LINE, [1, -1, 1, -1], 3, C="1/2"),
    "legendre plane": lambda: make(PLANE, [1, -1, -1, 1, 1], 2, C="2"),
    "jacobi hard": lambda: make(LINE, [1, -1, 1, -1], 3, "1/2", "1/3", C="100"),
    "jacobi soft": lambda: make(LINE, [1, 1, -1, 1], 2, "1/2", "1/3", C="1/2"),
    "jacobi plane soft": lambda: make(PLANE, [1, -1, 1, -1, 1], 2, "4.3", "1.8", C="0.2"),
    "chebyshev": lambda: make(LINE, [1, -1, 1, -1], 3, "-1/2", "-1/2", C="1"),
    "gegenbauer, rescaled": lambda: make([["1"], ["2.5"], ["7"], ["11"]], [1, 1, -1, -1], 2, "1", "2", rescale=True),
    "root of 2": lambda: make(LINE, [1, 1, -1, -1], 2, "1/2", "0", C="1"),
    "root of 2, squared": lambda: make(PLANE, [1, -1, -1, 1, 1], 1, "1/2", "0", C="1"),
    "interval": lambda: make(LINE, [1, 1, -1, -1], 1, "1/2", "1/3", C="1/100"),
    "interval, rational": lambda: make(LINE, [1, 1, -1, -1], 1, C="1/100"),
    "json numbers": lambda: make([[-0.9], [0.1], [1], [0]], [1, 1, -1, -1], 2),
    "degree 0": lambda: make(LINE, [1, 1, -1, 1], 0, alpha_unique=None),
}
