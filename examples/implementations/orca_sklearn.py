#!/usr/bin/env python3
"""ORCA with scikit-learn and SciPy: problems as JSON lines on stdin, results as JSON lines on stdout.

Check it with::

    orca-exact crosscheck --run "python examples/implementations/orca_sklearn.py"
"""

import json
import sys
from fractions import Fraction
from itertools import combinations
from math import factorial

import numpy as np
import sklearn
from scipy.special import beta as beta_function
from scipy.special import erf, eval_genlaguerre, eval_hermitenorm, eval_jacobi, gamma, poch
from sklearn.svm import SVC

MAKER = {"program": "orca_sklearn.py", "scikit-learn": sklearn.__version__}


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


# Linear, polynomial and RBF kernels: the indices are shares of the variance under the measures of "under".


def recurrence(measure, x, n):
    """Return a_k and b_k of the monic polynomials, k = 0 ... n; b_k = 0 from the number of nodes on."""
    k, family = np.arange(n + 1), measure["family"]
    if family == "uniform":
        low, high = interval(measure, x)
        return np.full(n + 1, (low + high) / 2), ((high - low) / 2 * k) ** 2 / (4 * k**2 - 1)
    if family == "normal":
        return np.full(n + 1, number(measure["mean"])), number(measure["sd"]) ** 2 * k
    if family == "hermite":
        return 0.0 * k, 1.0 * k
    if family == "laguerre":
        a = number(measure["alpha"])
        return 2 * k + a + 1, k * (k + a)
    if family == "jacobi":
        a, b = number(measure["alpha"]), number(measure["beta"])
        s = a + b + 2.0 * k
        first = [(b - a) / (a + b + 2), *((b * b - a * a) / (s * (s + 2)))[1:]]
        second = [
            0,
            *(4 * k * (k + a) * (k + b) * (k + a + b) / (s**2 * (s + 1) * np.where(k > 1, s - 1, 1)))[1:],
        ]
        if n:  # the general formula is 0/0 at a + b = -1
            second[1] = 4 * (a + 1) * (b + 1) / (s[1] ** 2 * (s[1] + 1))
        return np.array(first), np.array(second)
    t, w = nodes_of(measure, x)
    t, place = np.unique(t, return_inverse=True)
    w = np.bincount(place, w)
    a, b = np.zeros((2, n + 1))
    behind, current = np.zeros_like(t), np.ones_like(t)
    for j in range(min(n + 1, len(t))):  # Stieltjes
        a[j] = (w * t * current**2).sum()
        following = (t - a[j]) * current - np.sqrt(b[j]) * behind
        if j + 1 < min(n + 1, len(t)):
            b[j + 1] = (w * following**2).sum()
            behind, current = current, following / np.sqrt(b[j + 1])
    return a, b


def interval(measure, x):
    """Return the ends of a uniform measure: the given ones, or the range of the column."""
    return (number(measure["lower"]), number(measure["upper"])) if "lower" in measure else (x.min(), x.max())


def nodes_of(measure, x):
    """Return nodes and weights of an empirical or a discrete measure, or of a constant column."""
    nodes = [number(t) for t in measure.get("nodes", [])] or x
    w = np.array([number(v) for v in measure.get("weights") or [1] * len(nodes)])
    return np.array(nodes), w / w.sum()


def moments(x, g, measure):
    """Return the means of exp(-g (x_i - t)^2) and their covariances under a measure of t."""
    if measure["family"] == "normal":
        a, u = x - number(measure["mean"]), 2 * g * number(measure["sd"]) ** 2
        mean = np.exp(-g * a**2 / (1 + u)) / np.sqrt(1 + u)
        E = g * u * (2 * np.outer(a, a) - u / (1 + u) * np.add.outer(a**2, a**2)) / (1 + 2 * u)
        return mean, np.outer(mean, mean) * np.expm1(E + np.log1p(u**2 / (1 + 2 * u)) / 2)
    if measure["family"] == "uniform" and interval(measure, x)[0] < interval(measure, x)[1]:
        low, high = interval(measure, x)
        if g * (high - low) ** 2 >= 1:

            def integral(rate, centre):
                ends = erf(np.sqrt(rate) * (high - centre)) - erf(np.sqrt(rate) * (low - centre))
                return np.sqrt(np.pi / rate) / (2 * (high - low)) * ends

            mean = integral(g, x)
            both = np.exp(-g / 2 * np.subtract.outer(x, x) ** 2) * integral(2 * g, np.add.outer(x, x) / 2)
            return mean, both - np.outer(mean, mean)
        z, w = np.polynomial.legendre.leggauss(20)
        t, w = (low + high) / 2 + (high - low) / 2 * z, w / 2
    else:
        t, w = nodes_of(measure, x)
    less = np.expm1(-g * np.subtract.outer(x, t) ** 2)  # k - 1, so that no digits cancel if g is small
    centred = less - (less @ w)[:, None]
    return 1 + less @ w, (centred * w) @ centred.T


def rbf_indices(s, columns):
    """Return the shares by sums over pairs of points; columns are the means and covariances."""
    d = len(columns)
    M, B = [np.outer(mean, mean) for mean, _ in columns], [cov for _, cov in columns]

    def by_order(start, others):
        """Return s^T E_q s, where E_q are the coefficients in t of start * prod (M_l + t B_l)."""
        E = [start]
        for i in others:
            E = [M[i] * a + B[i] * b for a, b in zip([*E, 0], [0, *E], strict=True)]
        return np.array([s @ part @ s for part in E])

    order = by_order(np.ones_like(M[0]), range(d))
    order[0] = 0  # the constant part belongs to the bias
    variance = order.sum()
    with_i = [by_order(B[i], [j for j in range(d) if j != i]) / variance for i in range(d)]
    pairs = {}
    for i, j in combinations(range(d), 2):
        rest = np.prod([M[k] for k in range(d) if k not in (i, j)], axis=0)
        pairs[f"{i + 1},{j + 1}"] = s @ (B[i] * B[j] * rest) @ s / variance
    return {
        "order": (order / variance).tolist(),
        "marginal": [part[0] for part in with_i],
        "pair": pairs,
        "total": [part.sum() for part in with_i],
        "shapley": [(part / np.arange(1, d + 1)).sum() for part in with_i],
    }


def polynomial_coefficients(X, s, p, g, r, measures):
    """Return the modes with k_1 + ... + k_d <= p, and c_k in the orthonormal polynomials of the measures."""
    d = X.shape[1]
    modes = [k for k in modes_of([p] * d, min(d, p)).tolist() if sum(k) <= p]
    change, centre = [], []
    for x, measure in zip(X.T, measures, strict=True):
        a, b = recurrence(measure, x, p)
        J = np.diag(a - a[0]) + np.diag(np.sqrt(b[1:]), 1) + np.diag(np.sqrt(b[1:]), -1)
        change.append([np.linalg.matrix_power(J, e)[:, 0] for e in range(p + 1)])  # (t - a_0)^e in the p_k
        centre.append(a[0])
    shifted = g * (X @ centre) + r
    exponential = np.array([shifted**e / factorial(e) for e in range(p + 1)])

    def coefficient(k):
        """Return c_k: p! times the coefficient of z^p in exp(z r_i) prod_l sum_e (z g x_il)^e/e! change."""
        series = exponential
        for x, T, j in zip(X.T, change, k, strict=True):
            factor = [(g * x) ** e / factorial(e) * T[e][j] for e in range(p + 1)]
            series = [sum(series[e - i] * factor[i] for i in range(e + 1)) for e in range(p + 1)]
        return factorial(p) * (s @ series[p])

    return np.array(modes), np.array([coefficient(k) for k in modes])


def standard_gram(X, kernel):
    if kernel["family"] == "rbf":
        return np.exp(-number(kernel["gamma"]) * sum(np.subtract.outer(x, x) ** 2 for x in X.T))
    p, g, r = power(kernel)
    return (g * X @ X.T + r) ** p


def power(kernel):
    return kernel.get("degree", 1), number(kernel.get("gamma", 1)), number(kernel.get("coef0", 0))


def standard_values(X, kernel, measures, s):
    """Return the coefficients, if the kernel has modes, and the indices."""
    if kernel["family"] == "rbf":
        columns = [moments(x, number(kernel["gamma"]), J) for x, J in zip(X.T, measures, strict=True)]
        return {"okc": rbf_indices(s, columns)}
    modes, c = polynomial_coefficients(X, s, *power(kernel), measures)
    out = {
        "coefficients": {",".join(map(str, k)): v for k, v in zip(modes.tolist(), c.tolist(), strict=True)}
    }
    square = np.where(modes.any(axis=1), c**2, 0)  # the constant part belongs to the bias
    if not square.sum() > 1e-20 * c[0] ** 2:
        return out | {"okc": None}
    return out | {"okc": indices(modes, square / square.sum(), power(kernel)[0])}


def profile(problem):
    X = np.array([[number(x) for x in row] for row in problem["X"]])
    y = np.array(problem["y"], dtype=float)
    m, d = X.shape
    one = {"family": "jacobi", "alpha": problem.get("alpha"), "beta": problem.get("beta")}  # version 1
    about = problem.get("kernel", problem)  # version 3 has these fields in "kernel"
    standard = about.get("family", "orthogonal") != "orthogonal"
    C = np.array([number(x) for x in each(problem.get("C", 1), m)])
    if standard:
        measures = each(problem.get("under", {"family": "empirical"}), d)
    else:
        degrees, measures = each(about["n"], d), each(about.get("measures", one), d)
        order = about.get("order") or d
    if problem.get("rescale"):
        for x, measure in zip(X.T, measures, strict=True):
            if standard or measure["family"] == "jacobi":
                x[:] = 2 * (x - x.min()) / (x.max() - x.min()) - 1
    K = standard_gram(X, about) if standard else kernel(degrees, measures, order)(X, X)
    out = {"id": problem["id"], "gram": K.tolist(), "made_by": MAKER}
    if "dual" in problem:
        alpha = np.array([number(x) for x in problem["dual"]])
    else:
        # libsvm caches the kernel in single precision, which loses digits if all entries are near 1. Since
        # sum alpha_i y_i = 0, K_ij - a_i - a_j has the same alpha; b changes by sum a_i alpha_i y_i.
        a = K.mean(axis=0) - K.mean() / 2 if standard else np.zeros(m)
        svc = SVC(kernel="precomputed", C=C.max(), tol=1e-10, max_iter=10_000_000)
        svc.fit(K - a - a[:, None], y, C / C.max())
        alpha = np.zeros(m)
        alpha[svc.support_] = np.abs(svc.dual_coef_[0])
        out |= {"alpha": alpha.tolist(), "b": svc.intercept_[0] - a @ (alpha * y)}
    noise = 1e-5 * (alpha @ np.sqrt(np.diag(K)))
    if standard:
        s = alpha * y
        out["norm2"] = s @ K @ s
        return out | (standard_values(X, about, measures, s) if out["norm2"] > noise**2 else {"okc": None})
    modes = modes_of(degrees, order)
    p = [basis(*column) for column in zip(X.T, degrees, measures, strict=True)]
    c = np.prod([p[i][modes[:, i]] for i in range(d)], axis=0) @ (alpha * y)
    norm2 = c @ c
    out["coefficients"] = {",".join(map(str, k)): v for k, v in zip(modes.tolist(), c.tolist(), strict=True)}
    out["norm2"] = norm2
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
