"""A program written from docs/implementation.md and nothing else passes every vector."""

from fractions import Fraction
from itertools import combinations, product
from math import factorial, gamma

import cvxpy as cp
import numpy as np
import pytest

from orca_exact.compare.conformance import check
from orca_exact.compare.vectors import vectors
from orca_exact.outcomes import HOLDS


def number(x):
    return float.fromhex(x) if isinstance(x, str) and "x" in x.lower() else float(Fraction(x))


def basis(x, n, a, b):
    P = [np.ones_like(x), (a + 1) + (a + b + 2) * (x - 1) / 2][: n + 1]
    for k in range(2, n + 1):
        s = 2 * k + a + b
        ahead = (s - 1) * (s * (s - 2) * x + a * a - b * b) * P[k - 1]
        behind = 2 * (k + a - 1) * (k + b - 1) * s * P[k - 2]
        P.append((ahead - behind) / (2 * k * (k + a + b) * (s - 2)))
    h = [2 ** (a + b + 1) * gamma(a + 1) * gamma(b + 1) / gamma(a + b + 2)]
    for k in range(1, n + 1):
        ratio = gamma(k + a + 1) * gamma(k + b + 1) / (factorial(k) * gamma(k + a + b + 1))
        h.append(2 ** (a + b + 1) / (2 * k + a + b + 1) * ratio)
    return [p / np.sqrt(norm) for p, norm in zip(P, h, strict=True)]


def svm(features, K, y, C):
    root = np.sqrt(np.diag(K))
    z = cp.Variable(len(y))  # alpha_i sqrt(K_ii)
    loss = cp.sum_squares((features * (y / root)) @ z) / 2 - (1 / root) @ z
    tight = dict.fromkeys(("tol_gap_abs", "tol_gap_rel", "tol_feas"), 1e-10)
    constraints = [z >= 0, z <= C * root, (y / root) @ z == 0]
    cp.Problem(cp.Minimize(loss), constraints).solve(solver="CLARABEL", **tight)
    alpha = np.clip(z.value / root, 0, C)
    kinks = y - K @ (alpha * y)
    losses = [np.maximum(0, 1 - y * (y - kinks + b)).sum() for b in kinks]
    return alpha, kinks[int(np.argmin(losses))]


def program(problem):
    X = np.array([[number(x) for x in row] for row in problem["X"]])
    y, n = np.array(problem["y"], dtype=float), problem["n"]
    a, b, C = number(problem["alpha"]), number(problem["beta"]), number(problem.get("C", 1))
    if problem.get("rescale"):
        X = 2 * (X - X.min(axis=0)) / (X.max(axis=0) - X.min(axis=0)) - 1
    d = X.shape[1]
    p = [basis(column, n, a, b) for column in X.T]
    modes = list(product(range(n + 1), repeat=d))
    features = np.array([np.prod([p[i][k[i]] for i in range(d)], axis=0) for k in modes])
    K = features.T @ features
    out = {"id": problem["id"], "gram": K.tolist()}
    if "dual" in problem:
        alpha = np.array([number(x) for x in problem["dual"]])
    else:
        alpha, bias = svm(features, K, y, C)
        out |= {"b": bias}
    out["alpha"] = alpha.tolist()
    c = features @ (alpha * y)
    out["coefficients"] = {",".join(map(str, k)): x for k, x in zip(modes, c, strict=True)}
    out["norm2"] = norm2 = c @ c
    zero = norm2 <= (1e-5 * (alpha @ np.sqrt(np.diag(K)))) ** 2
    return out | {"okc": None if zero else indices(modes, c * c / norm2, d, n)}


def indices(modes, share, d, n):
    def total(condition):
        return sum(x for k, x in zip(modes, share, strict=True) if condition(k))

    def active(k):
        return [i for i, degree in enumerate(k, 1) if degree]

    degree = [total(lambda k, N=N: sum(k) == N) for N in range(d * n + 1)]
    F = np.cumsum(degree)
    return {
        "order": [total(lambda k, q=q: len(active(k)) == q) for q in range(d + 1)],
        "degree": degree,
        "block": [
            [total(lambda k, q=q, N=N: len(active(k)) == q and sum(k) == N) for N in range(d * n + 1)]
            for q in range(d + 1)
        ],
        "cumulative": F.tolist(),
        "marginal": [total(lambda k, i=i: active(k) == [i]) for i in range(1, d + 1)],
        "pair": {
            f"{i},{j}": total(lambda k, i=i, j=j: active(k) == [i, j])
            for i, j in combinations(range(1, d + 1), 2)
        },
        "even": total(lambda k: sum(k) % 2 == 0),
        "odd": total(lambda k: sum(k) % 2 == 1),
        "peak": degree.index(max(degree)),
        "threshold": {
            eps: next((T for T, x in enumerate(F) if 1 - float(eps) <= x), d * n)
            for eps in ("0.1", "0.05", "0.01")
        },
    }


@pytest.mark.parametrize("group", sorted({vector.group for vector in vectors()}))
def test_a_program_written_from_the_page_passes(group):
    for vector in vectors():
        if vector.group == group:
            report = check(program, vector, diagnose=False)
            assert report.outcome == HOLDS, str(report)
