#!/usr/bin/env python3
"""ORCA with NumPy and scikit-learn: problems as JSON lines on stdin, results as JSON lines on stdout.

Check it with::

    orca-exact crosscheck --run "python examples/implementations/orca_sklearn.py"
"""

import json
import sys
from collections import defaultdict
from fractions import Fraction
from itertools import combinations
from math import ceil, gamma, pi, prod, sqrt

import numpy as np
import sklearn
from sklearn.svm import SVC


def number(text):
    text = str(text)
    return float.fromhex(text) if "x" in text.lower() else float(Fraction(text))


def numbers(values):
    return np.array([number(value) for value in values])


def each(value, count):
    """Return a list as it is, and a single value as often as needed."""
    return value if isinstance(value, list) else [value] * count


# Measures and their orthonormal polynomials.


def read_measure(given, x):
    """Return a measure with numbers for texts; what is absent depends on the column x."""
    family, given = given["family"], {key: value for key, value in given.items() if value is not None}
    measure = {"lower": x.min(), "upper": x.max()}
    measure |= {key: number(given[key]) for key in given if key not in ("family", "nodes", "weights")}
    nodes = numbers(given.get("nodes", x))
    weights = numbers(given.get("weights", [Fraction(1, len(nodes))] * len(nodes)))
    if family == "empirical" or (family == "uniform" and measure["lower"] == measure["upper"]):
        family = "discrete"
    return measure | {"family": family, "nodes": nodes, "weights": weights}


def recurrence(measure, n):
    """Return rows (a_k, b_k), k = 0 ... n, of pi_{k+1} = (x - a_k) pi_k - b_k pi_{k-1}; b_0 = h_0."""
    if measure["family"] == "discrete":
        return stieltjes(measure["nodes"], measure["weights"], n)
    a, b = measure.get("alpha"), measure.get("beta")

    def jacobi(k):
        s, t = a + b, a + b + 2 * k
        if k == 0:
            return (b - a) / (s + 2), 2 ** (s + 1) * gamma(a + 1) * gamma(b + 1) / gamma(s + 2)
        if k == 1:  # the general formula is 0/0 at a + b = -1
            return (b * b - a * a) / (t * (t + 2)), 4 * (a + 1) * (b + 1) / (t * t * (t + 1))
        second = 4 * k * (a + k) * (b + k) * (s + k) / (t * t * (t + 1) * (t - 1))
        return (b * b - a * a) / (t * (t + 2)), second

    def uniform(k):
        middle, half = (measure["lower"] + measure["upper"]) / 2, (measure["upper"] - measure["lower"]) / 2
        return middle, (half * k) ** 2 / (4 * k * k - 1)

    formula = {
        "jacobi": jacobi,
        "hermite": lambda k: (0, k or sqrt(2 * pi)),
        "laguerre": lambda k: (2 * k + a + 1, k * (k + a) if k else gamma(a + 1)),
        "normal": lambda k: (measure["mean"], k * measure["sd"] ** 2),
        "uniform": uniform,
    }[measure["family"]]
    return np.array([formula(k) for k in range(n + 1)])


def stieltjes(t, w, n):
    steps = np.zeros((n + 1, 2))  # b_k = 0 from the number of different nodes on
    previous, current, last = np.zeros_like(t), np.ones_like(t), 1
    for k in range(min(n + 1, len(np.unique(t)))):
        h = w @ current**2
        a, b = steps[k] = (w * t) @ current**2 / h, h / last
        previous, current, last = current, (t - a) * current - b * previous, h
    return steps


def basis(x, steps):
    """Return the orthonormal polynomials p_0, p_1, ... at x, one row for each."""
    rows = [np.zeros_like(x), np.ones_like(x)]
    for a, b in steps[:-1]:
        rows.append((x - a) * rows[-1] - b * rows[-2])
    return np.array(rows[1:]) / np.sqrt(np.cumprod(steps[:, 1]))[:, None]


# Expansions in modes: the coefficients of each mode, one for each point.


def features(X, steps, order):
    """Return p_k(x_i) for the modes k with at most ``order`` active columns."""
    terms = {(): np.ones(len(X))}
    for x, step in zip(X.T, steps, strict=True):
        terms = {(*k, j): v * p for k, v in terms.items() for j, p in enumerate(basis(x, step))}
        terms = {k: v for k, v in terms.items() if np.count_nonzero(k) <= order}
    return terms


def expand_power(X, p, g, r, steps):
    """Expand (g x_i.t + r)^p in t, with t p_k = sqrt(b_{k+1}) p_{k+1} + a_k p_k + sqrt(b_k) p_{k-1}."""
    terms = {(0,) * X.shape[1]: np.ones(len(X))}
    for _ in range(p):
        product = defaultdict(float)
        for k, v in terms.items():
            product[k] += r * v
            for i, (x, step) in enumerate(zip(X.T, steps, strict=True)):
                j, left, right = k[i], k[:i], k[i + 1 :]
                product[k] += g * x * v * step[j, 0]
                product[*left, j + 1, *right] += g * x * v * sqrt(step[j + 1, 1])
                if j:
                    product[*left, j - 1, *right] += g * x * v * sqrt(step[j, 1])
        terms = product
    return terms


# RBF kernels.


def moments(x, g, measure):
    """Return the means of exp(-g (x_i - t)^2) and their covariances under a measure of t."""
    t, w = measure["nodes"], measure["weights"] / measure["weights"].sum()
    if measure["family"] == "normal":
        a, u = x - measure["mean"], 2 * g * measure["sd"] ** 2
        mean = np.exp(-g * a**2 / (1 + u)) / np.sqrt(1 + u)
        E = g * u * (2 * np.outer(a, a) - u / (1 + u) * np.add.outer(a**2, a**2)) / (1 + 2 * u)
        return mean, np.outer(mean, mean) * np.expm1(E + np.log1p(u**2 / (1 + 2 * u)) / 2)
    if measure["family"] == "uniform":
        half = (measure["upper"] - measure["lower"]) / 2
        z, w = np.polynomial.legendre.leggauss(20 * ceil(1 + half * sqrt(g)))
        t, w = measure["lower"] + half * (z + 1), w / 2
    less = np.expm1(-g * np.subtract.outer(x, t) ** 2)  # k - 1, so that no digits cancel if g is small
    centred = less - (less @ w)[:, None]
    return 1 + less @ w, (centred * w) @ centred.T


# Indices: parts(*inside) is the variance that is due to the columns ``inside`` and q others, q = 0, 1, ...


def parts_of_modes(squares, d):
    def parts(*inside):
        found = np.zeros(d - len(inside) + 1)
        for k, v in squares.items():
            if all(k[i] for i in inside):
                found[np.count_nonzero(k) - len(inside)] += v
        return found

    return parts


def parts_of_rbf(s, columns):
    def parts(*inside):
        E = [prod((columns[i][1] for i in inside), start=np.outer(s, s))]
        for i, (mean, B) in enumerate(columns):
            if i not in inside:
                M = np.outer(mean, mean)
                E = [M * same + B * more for same, more in zip([*E, 0], [0, *E], strict=True)]
        found = np.array([part.sum() for part in E])
        found[0] *= len(inside) > 0  # the constant part belongs to the bias
        return found

    return parts


def indices_by_column(parts, d):
    variance = parts().sum()
    with_i = [parts(i) / variance for i in range(d)]
    return {
        "order": (parts() / variance).tolist(),
        "marginal": [share[0] for share in with_i],
        "pair": {f"{i + 1},{j + 1}": parts(i, j)[0] / variance for i, j in combinations(range(d), 2)},
        "total": [share.sum() for share in with_i],
        "shapley": [(share / np.arange(1, d + 1)).sum() for share in with_i],
    }


def indices_by_degree(squares, d, top):
    block = np.zeros((d + 1, top + 1))
    for k, v in squares.items():
        block[np.count_nonzero(k), sum(k)] += v / sum(squares.values())
    degree = block.sum(axis=0)
    reached = {eps: degree.cumsum() >= 1 - float(eps) for eps in ("0.1", "0.05", "0.01")}
    return {
        "degree": degree.tolist(),
        "block": block.tolist(),
        "even": degree[::2].sum(),
        "odd": degree[1::2].sum(),
        "peak": int(degree.argmax()),
        "threshold": {eps: int(yes.argmax()) for eps, yes in reached.items()},
    }


def solve(K, y, C, centre):
    """Return alpha and b by libsvm.

    It caches the kernel in single precision, which loses digits if all entries are near 1. Since
    sum alpha_i y_i = 0, K_ij - a_i - a_j has the same alpha; b changes by sum a_i alpha_i y_i.
    """
    a = K.mean(axis=0) - K.mean() / 2 if centre else np.zeros(len(y))
    svc = SVC(kernel="precomputed", C=C.max(), tol=1e-10, max_iter=10_000_000)
    svc.fit(K - a - a[:, None], y, C / C.max())
    alpha = np.zeros(len(y))
    alpha[svc.support_] = np.abs(svc.dual_coef_[0])
    return alpha, svc.intercept_[0] - a @ (alpha * y)


def profile(problem):
    X, y = np.array([numbers(row) for row in problem["X"]]), numbers(problem["y"])
    m, d = X.shape
    kernel = problem.get("kernel", problem)  # version 3 has these fields in "kernel"
    family = kernel.get("family", "orthogonal")
    p, g, r = kernel.get("degree", 1), number(kernel.get("gamma", 1)), number(kernel.get("coef0", 0))
    C, n = numbers(each(problem.get("C", 1), m)), each(kernel.get("n", p), d)
    given = problem.get("under", {"family": "empirical"})
    if family == "orthogonal":  # version 1 has one Jacobi weight
        weight = {"family": "jacobi", "alpha": problem.get("alpha"), "beta": problem.get("beta")}
        given = kernel.get("measures", weight)
    measures = []
    for x, measure in zip(X.T, each(given, d), strict=True):
        if problem.get("rescale") and (family != "orthogonal" or measure["family"] == "jacobi"):
            x[:] = 2 * (x - x.min()) / (x.max() - x.min()) - 1
        measures.append(read_measure(measure, x))
    steps = [recurrence(measure, degree) for measure, degree in zip(measures, n, strict=True)]
    terms = {}  # of K(x_i, t) as a function of t
    if family == "orthogonal":
        terms = features(X, steps, kernel.get("order") or d)
        K = sum(np.outer(v, v) for v in terms.values())
    elif family == "rbf":
        K = np.exp(-g * sum(np.subtract.outer(x, x) ** 2 for x in X.T))
    else:
        terms = expand_power(X, p, g, r, steps)
        K = (g * X @ X.T + r) ** p
    out = {"id": problem["id"], "gram": K.tolist(), "okc": None}
    out["made_by"] = {"program": "orca_sklearn.py", "scikit-learn": sklearn.__version__}
    if "dual" in problem:
        alpha = numbers(problem["dual"])
    else:
        alpha, b = solve(K, y, C, centre=family != "orthogonal")
        out |= {"alpha": alpha.tolist(), "b": b}
    s = alpha * y
    c = {k: s @ v for k, v in terms.items()}
    # The constant part of the other kernels belongs to the bias.
    squares = {k: v**2 for k, v in c.items() if family == "orthogonal" or any(k)}
    out["norm2"] = sum(squares.values()) if family == "orthogonal" else s @ K @ s
    if family != "rbf":
        out["coefficients"] = {",".join(map(str, k)): v for k, v in c.items()}
    if out["norm2"] <= (1e-5 * (alpha @ np.sqrt(np.diag(K)))) ** 2:
        return out
    if family == "rbf":
        columns = [moments(x, g, measure) for x, measure in zip(X.T, measures, strict=True)]
        out["okc"] = indices_by_column(parts_of_rbf(s, columns), d)
    elif sum(squares.values()) > 1e-20 * sum(v**2 for v in c.values()):
        by_degree = indices_by_degree(squares, d, sum(n) if family == "orthogonal" else p)
        out["okc"] = indices_by_column(parts_of_modes(squares, d), d) | by_degree
    return out


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(profile(json.loads(line))), flush=True)
