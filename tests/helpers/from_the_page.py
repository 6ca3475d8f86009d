"""A program written from docs/implementation.md and nothing else.

Its parts are arguments, so that ``wrong_programs`` can replace one of them.
"""

from fractions import Fraction
from itertools import combinations
from math import factorial, gamma

import cvxpy as cp
import numpy as np
from standard_kernels import standard_program


def number(x):
    return float.fromhex(x) if isinstance(x, str) and "x" in x.lower() else float(Fraction(x))


def jacobi(x, n, alpha, beta):
    a, b = number(alpha), number(beta)
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
    return P, h


def hermite(x, n):
    P = [np.ones_like(x), x][: n + 1]
    for k in range(2, n + 1):
        P.append(x * P[k - 1] - (k - 1) * P[k - 2])
    return P, [np.sqrt(2 * np.pi) * factorial(k) for k in range(n + 1)]


def laguerre(x, n, alpha):
    a = number(alpha)
    P = [np.ones_like(x), x - a - 1][: n + 1]
    for k in range(2, n + 1):
        P.append((x - 2 * k + 1 - a) * P[k - 1] - (k - 1) * (k - 1 + a) * P[k - 2])
    return P, [factorial(k) * gamma(k + a + 1) for k in range(n + 1)]


def discrete(x, n, nodes, weights=None):
    t = np.array([number(q) for q in nodes])
    w = np.array([number(q) for q in weights]) if weights else np.full(len(t), 1 / len(t))
    P, at, h = [np.ones_like(x)], [np.ones_like(t)], []
    for k in range(n + 1):
        h.append(w @ at[k] ** 2)
        a, b = w @ (t * at[k] ** 2) / h[k], h[k] / h[k - 1] if k else 0
        P, at = ([*Q, (z - a) * Q[k] - b * (Q[k - 1] if k else 0)] for Q, z in ((P, x), (at, t)))
    return P[: n + 1], h


def each(value, count):
    return value if isinstance(value, list) else [value] * count


FAMILIES = {"jacobi": jacobi, "hermite": hermite, "laguerre": laguerre, "discrete": discrete}


def basis(x, n, families, family, **parameters):
    values, h = families[family](x, n, **parameters)
    return [p / np.sqrt(norm) for p, norm in zip(values, h, strict=True)]


def factor_of(K):
    values, vectors = np.linalg.eigh(K)
    kept = values > 1e-15 * values[-1]
    return np.sqrt(values[kept])[:, None] * vectors[:, kept].T


def svm(features, K, y, C):
    root = np.sqrt(np.where(np.diag(K) > 0, np.diag(K), np.diag(K).max()))
    z = cp.Variable(len(y))  # alpha_i sqrt(K_ii)
    loss = cp.sum_squares((features * (y / root)) @ z) / 2 - (1 / root) @ z
    tight = dict.fromkeys(("tol_gap_abs", "tol_gap_rel", "tol_feas"), 1e-10)
    constraints = [z >= 0, z <= C * root, (y / root) @ z == 0]
    cp.Problem(cp.Minimize(loss), constraints).solve(solver="CLARABEL", **tight)
    alpha = np.clip(z.value / root, 0, C)
    kinks = y - K @ (alpha * y)
    losses = [C @ np.maximum(0, 1 - y * (y - kinks + b)) for b in kinks]
    return alpha, kinks[int(np.argmin(losses))]


def modes_of(n, order):
    modes = [()]
    for top in n:
        modes = [(*k, j) for k in modes for j in range(top + 1)]
        modes = [k for k in modes if sum(j > 0 for j in k) <= order]
    return modes


def program(problem, families=FAMILIES, solve=svm, modes_of=modes_of):
    if problem.get("kernel", {}).get("family", "orthogonal") != "orthogonal":
        return standard_program(problem, lambda K, y, C: svm(factor_of(K), K, y, C))
    X = np.array([[number(x) for x in row] for row in problem["X"]])
    y, (m, d) = np.array(problem["y"], dtype=float), X.shape
    kernel = problem.get("kernel", problem)
    if "measures" in kernel:
        measures = each(kernel["measures"], d)
    else:
        measures = [{"family": "jacobi", "alpha": problem["alpha"], "beta": problem["beta"]}] * d
    n, C = each(kernel["n"], d), np.array([number(x) for x in each(problem.get("C", 1), m)])
    for x, measure in zip(X.T, measures, strict=True):
        if problem.get("rescale") and measure["family"] == "jacobi":
            x[:] = 2 * (x - x.min()) / (x.max() - x.min()) - 1
    p = [basis(x, top, families, **measure) for x, top, measure in zip(X.T, n, measures, strict=True)]
    modes = modes_of(n, kernel.get("order") or d)
    features = np.array([np.prod([p[i][k[i]] for i in range(d)], axis=0) for k in modes])
    K = features.T @ features
    out = {"id": problem["id"], "gram": K.tolist()}
    if "dual" in problem:
        alpha = np.array([number(x) for x in problem["dual"]])
    else:
        alpha, bias = solve(features, K, y, C)
        out |= {"b": bias}
    out["alpha"] = alpha.tolist()
    c = features @ (alpha * y)
    out["coefficients"] = {",".join(map(str, k)): x for k, x in zip(modes, c, strict=True)}
    out["norm2"] = norm2 = c @ c
    zero = norm2 <= (1e-5 * (alpha @ np.sqrt(np.diag(K)))) ** 2
    return out | {"okc": None if zero else indices(modes, c * c / norm2, d, sum(n))}


def indices(modes, share, d, top):
    def total(condition):
        return sum(x for k, x in zip(modes, share, strict=True) if condition(k))

    def active(k):
        return [i for i, degree in enumerate(k, 1) if degree]

    degree = [total(lambda k, N=N: sum(k) == N) for N in range(top + 1)]
    F = np.cumsum(degree)
    return {
        "order": [total(lambda k, q=q: len(active(k)) == q) for q in range(d + 1)],
        "degree": degree,
        "block": [
            [total(lambda k, q=q, N=N: len(active(k)) == q and sum(k) == N) for N in range(top + 1)]
            for q in range(d + 1)
        ],
        "cumulative": F.tolist(),
        "marginal": [total(lambda k, i=i: active(k) == [i]) for i in range(1, d + 1)],
        "pair": {
            f"{i},{j}": total(lambda k, i=i, j=j: active(k) == [i, j])
            for i, j in combinations(range(1, d + 1), 2)
        },
        "total": [total(lambda k, i=i: i in active(k)) for i in range(1, d + 1)],
        "shapley": [
            sum(x / len(active(k)) for k, x in zip(modes, share, strict=True) if i in active(k))
            for i in range(1, d + 1)
        ],
        "even": total(lambda k: sum(k) % 2 == 0),
        "odd": total(lambda k: sum(k) % 2 == 1),
        "peak": degree.index(max(degree)),
        "threshold": {
            eps: next((T for T, x in enumerate(F) if 1 - float(eps) <= x), top)
            for eps in ("0.1", "0.05", "0.01")
        },
    }
