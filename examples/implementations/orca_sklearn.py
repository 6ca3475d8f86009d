#!/usr/bin/env python3
"""ORCA with scikit-learn and SciPy: problems as JSON lines on stdin, results as JSON lines on stdout.

orca-exact crosscheck --run "python examples/implementations/orca_sklearn.py"
"""

import json
import sys
from fractions import Fraction
from itertools import combinations, product

import numpy as np
from scipy.special import beta as beta_function
from scipy.special import eval_jacobi, poch
from sklearn.svm import SVC


def number(text):
    text = str(text)
    return float.fromhex(text) if "x" in text.lower() else float(Fraction(text))


def basis(x, n, a, b):
    """Orthonormal Jacobi polynomials p_0 ... p_n at x: rows k."""
    h0 = 2 ** (a + b + 1) * beta_function(a + 1, b + 1)
    rows = [np.full_like(x, 1 / np.sqrt(h0))]
    for k in range(1, n + 1):  # h_k/h_0; (a+b+2)_(k-1) is safe at a + b = -1
        ratio = poch(a + 1, k) * poch(b + 1, k) / ((2 * k + a + b + 1) * poch(1, k) * poch(a + b + 2, k - 1))
        rows.append(eval_jacobi(k, a, b, x) / np.sqrt(h0 * ratio))
    return np.array(rows)


def kernel(n, a, b):
    def gram(X, Z):
        columns = zip(X.T, Z.T, strict=True)
        return np.prod([basis(x, n, a, b).T @ basis(z, n, a, b) for x, z in columns], axis=0)

    return gram


def profile(problem):
    X = np.array([[number(x) for x in row] for row in problem["X"]])
    y = np.array(problem["y"], dtype=float)
    n, a, b, C = problem["n"], *(number(problem.get(key, 1)) for key in ("alpha", "beta", "C"))
    m, d = X.shape
    if problem.get("rescale"):
        X = 2 * (X - X.min(axis=0)) / (X.max(axis=0) - X.min(axis=0)) - 1
    K = kernel(n, a, b)
    out = {"id": problem["id"], "gram": K(X, X).tolist(), "made_by": {"program": "scikit-learn SVC"}}
    if "dual" in problem:
        alpha = np.array([number(x) for x in problem["dual"]])
    else:
        svc = SVC(kernel=K, C=C, tol=1e-10, max_iter=10_000_000).fit(X, y)
        alpha = np.zeros(m)
        alpha[svc.support_] = np.abs(svc.dual_coef_[0])
        out |= {"alpha": alpha.tolist(), "b": svc.intercept_[0]}
    modes = np.array(list(product(range(n + 1), repeat=d)))
    p = np.array([basis(x, n, a, b) for x in X.T])  # (d, n+1, m)
    c = np.prod([p[i, modes[:, i]] for i in range(d)], axis=0) @ (alpha * y)
    norm2 = c @ c
    out["coefficients"] = {",".join(map(str, k)): v for k, v in zip(modes.tolist(), c.tolist(), strict=True)}
    out["norm2"] = norm2
    noise = 1e-5 * (alpha @ np.sqrt(np.diag(out["gram"])))  # libsvm's kernel cache is single precision
    out["okc"] = indices(modes, c**2 / norm2, d, n) if norm2 > noise**2 else None
    return out


def indices(modes, share, d, n):
    q, N = (modes > 0).sum(axis=1), modes.sum(axis=1)

    def active(*S):
        return share[((modes > 0) == np.isin(range(1, d + 1), S)).all(axis=1)].sum()

    degree = np.bincount(N, share, d * n + 1)
    F = np.cumsum(degree)
    return {
        "order": np.bincount(q, share, d + 1).tolist(),
        "degree": degree.tolist(),
        "block": [np.bincount(N[q == k], share[q == k], d * n + 1).tolist() for k in range(d + 1)],
        "marginal": [active(i) for i in range(1, d + 1)],
        "pair": {f"{i},{j}": active(i, j) for i, j in combinations(range(1, d + 1), 2)},
        "even": share[N % 2 == 0].sum(),
        "odd": share[N % 2 == 1].sum(),
        "peak": int(degree.argmax()),
        "threshold": {eps: int(np.argmax(1 - float(eps) <= F)) for eps in ("0.1", "0.05", "0.01")},
    }


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(profile(json.loads(line))), flush=True)
