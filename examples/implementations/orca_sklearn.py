#!/usr/bin/env python3
"""ORCA with scikit-learn and SciPy: problems as JSON lines on stdin, results as JSON lines on stdout.

Check it with::

    orca-exact crosscheck --run "python examples/implementations/orca_sklearn.py"
"""

import json
import sys
from fractions import Fraction
from itertools import combinations

import numpy as np
from scipy.special import beta as beta_function
from scipy.special import eval_genlaguerre, eval_hermitenorm, eval_jacobi, gamma, poch
from sklearn.svm import SVC


def number(text):
    text = str(text)
    return float.fromhex(text) if "x" in text.lower() else float(Fraction(text))


def jacobi(x, n, alpha, beta):
    a, b = number(alpha), number(beta)
    h0 = 2 ** (a + b + 1) * beta_function(a + 1, b + 1)
    rows = [np.full_like(x, 1 / np.sqrt(h0))]
    for k in range(1, n + 1):  # h_k/h_0 without the 0/0 of the usual formula at a + b = -1
        ratio = poch(a + 1, k) * poch(b + 1, k) / ((2 * k + a + b + 1) * poch(1, k) * poch(a + b + 2, k - 1))
        rows.append(eval_jacobi(k, a, b, x) / np.sqrt(h0 * ratio))
    return rows


def hermite(x, n):
    return [eval_hermitenorm(k, x) / np.sqrt(np.sqrt(2 * np.pi) * gamma(k + 1)) for k in range(n + 1)]


def laguerre(x, n, alpha):
    a = number(alpha)
    # L_k has the leading coefficient (-1)^k/k!; that of p_k is positive.
    root = [(-1) ** k * np.sqrt(gamma(k + a + 1) / gamma(k + 1)) for k in range(n + 1)]
    return [eval_genlaguerre(k, a, x) / root[k] for k in range(n + 1)]


def discrete(x, n, nodes, weights=None):
    t = np.array([number(node) for node in nodes])
    w = np.array([number(weight) for weight in weights]) if weights else np.full(len(t), 1 / len(t))
    both = np.concatenate([t, x])  # Stieltjes: the values at the nodes give the recurrence at x
    rows, behind, b = [], np.zeros_like(both), 0.0
    current = np.full_like(both, 1 / np.sqrt(w.sum()))
    for _ in range(n + 1):
        rows.append(current[len(t) :])
        a = (w * t * current[: len(t)] ** 2).sum()
        following = (both - a) * current - b * behind
        b = np.sqrt((w * following[: len(t)] ** 2).sum())
        behind, current = current, following / (b or 1)
    return rows


FAMILIES = {"jacobi": jacobi, "hermite": hermite, "laguerre": laguerre, "discrete": discrete}


def basis(x, n, measure):
    """Return the orthonormal polynomials p_0 ... p_n at x, one row for each."""
    parameters = {key: value for key, value in measure.items() if key != "family"}
    return np.array(FAMILIES[measure["family"]](x, n, **parameters))


def kernel(degrees, measures, order):
    def gram(X, Z):
        total = [np.ones((len(X), len(Z)))] + [0] * order  # sums over the modes with 0, 1, ... active columns
        for x, z, n, measure in zip(X.T, Z.T, degrees, measures, strict=True):
            p, q = basis(x, n, measure), basis(z, n, measure)
            constant, rest = np.outer(p[0], q[0]), p[1:].T @ q[1:]
            total = [constant * a + rest * b for a, b in zip(total, [0, *total[:-1]], strict=True)]
        return sum(total)

    return gram


def modes_of(degrees, order):
    """Return the modes with at most ``order`` active columns, one row for each."""
    modes = [()]
    for n in degrees:
        modes = [(*k, j) for k in modes for j in range(n + 1)]
        modes = [k for k in modes if np.count_nonzero(k) <= order]
    return np.array(modes)


def each(value, count):
    """Return a list as it is, and a single value as often as needed."""
    return value if isinstance(value, list) else [value] * count


def profile(problem):
    X = np.array([[number(x) for x in row] for row in problem["X"]])
    y = np.array(problem["y"], dtype=float)
    m, d = X.shape
    one = {"family": "jacobi", "alpha": problem.get("alpha"), "beta": problem.get("beta")}  # version 1
    about = problem.get("kernel", problem)  # version 3 has these fields in "kernel"
    degrees, measures = each(about["n"], d), each(about.get("measures", one), d)
    order = about.get("order") or d
    C = np.array([number(x) for x in each(problem.get("C", 1), m)])
    if problem.get("rescale"):
        for x, measure in zip(X.T, measures, strict=True):
            if measure["family"] == "jacobi":
                x[:] = 2 * (x - x.min()) / (x.max() - x.min()) - 1
    K = kernel(degrees, measures, order)
    out = {"id": problem["id"], "gram": K(X, X).tolist(), "made_by": {"program": "scikit-learn SVC"}}
    if "dual" in problem:
        alpha = np.array([number(x) for x in problem["dual"]])
    else:
        svc = SVC(kernel=K, C=C.max(), tol=1e-10, max_iter=10_000_000).fit(X, y, C / C.max())
        alpha = np.zeros(m)
        alpha[svc.support_] = np.abs(svc.dual_coef_[0])
        out |= {"alpha": alpha.tolist(), "b": svc.intercept_[0]}
    modes = modes_of(degrees, order)
    p = [basis(*column) for column in zip(X.T, degrees, measures, strict=True)]
    c = np.prod([p[i][modes[:, i]] for i in range(d)], axis=0) @ (alpha * y)
    norm2 = c @ c
    out["coefficients"] = {",".join(map(str, k)): v for k, v in zip(modes.tolist(), c.tolist(), strict=True)}
    out["norm2"] = norm2
    noise = 1e-5 * (alpha @ np.sqrt(np.diag(out["gram"])))  # libsvm caches the kernel in single precision
    out["okc"] = indices(modes, c**2 / norm2, sum(degrees)) if norm2 > noise**2 else None
    return out


def indices(modes, share, top):
    d = modes.shape[1]
    q, N = (modes > 0).sum(axis=1), modes.sum(axis=1)

    def active(*S):
        return share[((modes > 0) == np.isin(range(1, d + 1), S)).all(axis=1)].sum()

    degree = np.bincount(N, share, top + 1)
    F = np.cumsum(degree)
    return {
        "order": np.bincount(q, share, d + 1).tolist(),
        "degree": degree.tolist(),
        "block": [np.bincount(N[q == k], share[q == k], top + 1).tolist() for k in range(d + 1)],
        "marginal": [active(i) for i in range(1, d + 1)],
        "pair": {f"{i},{j}": active(i, j) for i, j in combinations(range(1, d + 1), 2)},
        "total": (share @ (modes > 0)).tolist(),
        "shapley": (share / np.maximum(q, 1) @ (modes > 0)).tolist(),
        "even": share[N % 2 == 0].sum(),
        "odd": share[N % 2 == 1].sum(),
        "peak": int(degree.argmax()),
        "threshold": {eps: int(np.argmax(1 - float(eps) <= F)) for eps in ("0.1", "0.05", "0.01")},
    }


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(profile(json.loads(line))), flush=True)
