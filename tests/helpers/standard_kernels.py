"""Linear, polynomial and RBF kernels as docs/implementation.md describes them, with one bug at a time."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, product
from math import factorial
from typing import Any

import numpy as np
from scipy.special import erf

Numbers = np.ndarray
Measure = dict[str, Any]


def number(x: Any) -> float:
    from from_the_page import number as read

    return read(x)


def changed(measure: Measure, x: Numbers, bug: str) -> Measure:
    """Return the measure that a program with this bug uses."""
    family = measure["family"]
    if bug == "empirical":
        return {"family": "empirical"}
    if family == "uniform" and bug in ("fixed interval", "range"):
        return {"family": "uniform"} | ({"lower": "-1", "upper": "1"} if bug == "fixed interval" else {})
    if family == "normal" and bug == "variance":
        return measure | {"sd": float(np.sqrt(number(measure["sd"])))}
    if family == "normal" and bug == "standard normal":
        return {"family": "normal", "mean": 0, "sd": 1}
    if family == "empirical" and bug == "distinct":
        return {"family": "discrete", "nodes": np.unique(x).tolist()}
    return measure


def limits(measure: Measure, x: Numbers) -> tuple[float, float]:
    if "lower" in measure:
        return number(measure["lower"]), number(measure["upper"])
    return float(x.min()), float(x.max())


def weighted_nodes(measure: Measure, x: Numbers) -> tuple[Numbers, Numbers]:
    t = np.array([number(v) for v in measure["nodes"]]) if "nodes" in measure else x
    w = np.array([number(v) for v in measure.get("weights") or [1] * len(t)])
    return t, w / w.sum()


# RBF


def gaussian_moments(x: Numbers, g: float, measure: Measure, bug: str) -> tuple[Numbers, Numbers]:
    """Return the means and covariances of one column."""
    family = measure["family"]
    careless = bug == "cancellation"
    if family == "normal":
        u, a = 2 * g * number(measure["sd"]) ** 2, x - number(measure["mean"])
        m = np.exp(-g * a**2 / (1 + u)) / np.sqrt(1 + u)
        if careless:
            both = np.exp(
                -g * (np.add.outer(a**2, a**2) + u * np.subtract.outer(a, a) ** 2) / (1 + 2 * u)
            ) / np.sqrt(1 + 2 * u)
            return m, both - np.outer(m, m)
        E = g * u / (1 + 2 * u) * (2 * np.outer(a, a) - u / (1 + u) * np.add.outer(a**2, a**2))
        return m, np.outer(m, m) * np.expm1(E + np.log1p(u * u / (1 + 2 * u)) / 2)
    low, high = limits(measure, x) if family == "uniform" else (0.0, 0.0)
    if low < high and (g * (high - low) ** 2 >= 1 or careless):

        def mean(rate: float, c: Numbers) -> Numbers:
            ends = erf(np.sqrt(rate) * (high - c)) - erf(np.sqrt(rate) * (low - c))
            return np.sqrt(np.pi / rate) / (2 * (high - low)) * ends

        both = np.exp(-g / 2 * np.subtract.outer(x, x) ** 2) * mean(2 * g, np.add.outer(x, x) / 2)
        return mean(g, x), both - np.outer(mean(g, x), mean(g, x))
    t, w = weighted_nodes(measure, x)
    if low < high:
        z, w = np.polynomial.legendre.leggauss(20)
        t, w = (low + high + (high - low) * z) / 2, w / 2
    if careless:
        k = np.exp(-g * np.subtract.outer(x, t) ** 2)
        return k @ w, (k * w) @ k.T - np.outer(k @ w, k @ w)
    e = np.expm1(-g * np.subtract.outer(x, t) ** 2)
    c = e - (e @ w)[:, None]
    B = (c * w) @ c.T
    return 1 + e @ w, B * (len(x) / (len(x) - 1) if bug == "sample" and family == "empirical" else 1)


def gaussian_parts(X: Numbers, s: Numbers, g: float, measures: list[Measure], bug: str) -> dict:
    """Return the variance of the part of every set of columns, which is a key of 0 and 1."""
    columns = [gaussian_moments(x, g, J, bug) for x, J in zip(X.T, measures, strict=True)]
    return {
        S: s @ np.prod([B if k else np.outer(m, m) for k, (m, B) in zip(S, columns, strict=True)], axis=0) @ s
        for S in product((0, 1), repeat=X.shape[1])
    }


# Polynomials


def coefficients_of(measure: Measure, x: Numbers, n: int) -> tuple[Numbers, Numbers]:
    """Return a_k and b_k, k = 0 ... n, of the monic orthogonal polynomials."""
    k, family = np.arange(n + 1), measure["family"]
    if family == "normal":
        return np.full(n + 1, number(measure["mean"])), number(measure["sd"]) ** 2 * k
    if family == "hermite":
        return np.zeros(n + 1), k.astype(float)
    if family == "laguerre":
        alpha = number(measure["alpha"])
        return 2 * k + alpha + 1, k * (k + alpha)
    if family == "jacobi":
        alpha, beta = number(measure["alpha"]), number(measure["beta"])
        s = 2 * k[1:] + alpha + beta
        a = (beta**2 - alpha**2) / (s * (s + 2))
        b = 4 * k[1:] * (k[1:] + alpha) * (k[1:] + beta) * (s - k[1:]) / (s**2 * (s**2 - 1))
        return np.append((beta - alpha) / (alpha + beta + 2), a), np.append(0.0, b)
    low, high = limits(measure, x) if family == "uniform" else (0.0, 0.0)
    if low < high:
        return np.full(n + 1, (low + high) / 2), ((high - low) / 2 * k) ** 2 / (4 * k**2 - 1)
    t, w = weighted_nodes(measure, x)
    t, place = np.unique(t, return_inverse=True)
    w = np.bincount(place, w)
    a, b, h = np.zeros(n + 1), np.zeros(n + 1), 1.0
    P, before = np.ones_like(t), np.zeros_like(t)
    for j in range(min(n + 1, len(t))):
        last, h = h, w @ P**2
        a[j], b[j] = w @ (t * P**2) / h, h / last if j else 0.0
        P, before = (t - a[j]) * P - b[j] * before, P
    return a, b


def polynomial_parts(
    X: Numbers, s: Numbers, p: int, g: float, r: float, measures: list[Measure]
) -> dict[tuple[int, ...], float]:
    """Return c_k for the modes with k_1 + ... + k_d <= p."""
    d, z = X.shape[1], [np.array([1.0 / factorial(e) for e in range(p + 1)])] * 1
    changes, centres = [], []
    for x, J in zip(X.T, measures, strict=True):
        a, b = coefficients_of(J, x, p)
        matrix = np.diag(a - a[0]) + np.diag(np.sqrt(b[1:]), 1) + np.diag(np.sqrt(b[1:]), -1)
        changes.append(np.array([np.linalg.matrix_power(matrix, e)[:, 0] for e in range(p + 1)]))
        centres.append(a[0])
    powers = np.arange(p + 1)
    start = (g * X @ centres + r)[:, None] ** powers * z[0]
    found = {}
    for k in product(range(p + 1), repeat=d):
        if sum(k) <= p:
            series = start
            for x, T, j in zip(X.T, changes, k, strict=True):
                factor = (g * x)[:, None] ** powers * z[0] * T[:, j]
                series = np.array([np.convolve(u, v)[: p + 1] for u, v in zip(series, factor, strict=True)])
            found[k] = factorial(p) * float(s @ series[:, p])
    return found


# The program


def gram(X: Numbers, family: str, p: int, g: float, r: float, bug: str) -> Numbers:
    if family != "rbf":
        return g * (X @ X.T + r) ** p if bug == "gamma outside" else (g * X @ X.T + r) ** p
    squares = sum(np.subtract.outer(x, x) ** 2 for x in X.T)
    return np.exp(-g * (np.sqrt(squares) if bug == "distance" else squares))


def parameters(kernel: dict, X: Numbers, bug: str) -> tuple[int, float, float]:
    p, g, r = kernel.get("degree", 1), number(kernel.get("gamma", 1)), number(kernel.get("coef0", 0))
    if kernel["family"] == "linear":
        return p, g, 1.0 if bug == "linear + 1" else r
    scale = 1 / (X.shape[1] * X.var()) if X.var() else g
    g = {"half gamma": g / 2, "gamma as sigma": 1 / (2 * g * g), "gamma scale": scale, "gamma one": 1.0}.get(
        bug, g
    )
    p = max(p + {"degree - 1": -1, "degree + 1": 1}.get(bug, 0), 1)
    return p, g, 0.0 if bug == "no coef0" else r


Solver = Callable[[Numbers, Numbers, Numbers], tuple[Numbers, float]]


def standard_program(problem: dict, solve: Solver, bug: str = "", give: tuple[str, ...] = ()) -> dict:
    """Return the result of a program with this bug, for a linear, polynomial or RBF kernel."""
    X = np.array([[number(x) for x in row] for row in problem["X"]])
    y, (m, d), kernel = np.array(problem["y"], dtype=float), X.shape, problem["kernel"]
    if problem.get("rescale"):
        X = 2 * (X - X.min(axis=0)) / (X.max(axis=0) - X.min(axis=0)) - 1
    given = problem.get("under", {"family": "empirical"})
    under = given if isinstance(given, list) else [given] * d
    under = [changed(J, x, bug) for J, x in zip(under, X.T, strict=True)]
    C = problem.get("C", 1)
    bounds = np.array([number(c) for c in (C if isinstance(C, list) else [C] * m)])
    p, g, r = parameters(kernel, X, bug)
    K = gram(X, kernel["family"], p, g, r, bug)
    out: dict[str, Any] = {"id": problem["id"], "gram": K.tolist()}
    if "dual" in problem:
        alpha = np.array([number(x) for x in problem["dual"]])
    else:
        alpha, out["b"] = solve(K, y, bounds)
        out["alpha"] = alpha.tolist()
    s = alpha * y
    out |= {"norm2": float(s @ K @ s), "okc": None}
    if out["norm2"] > (1e-6 * (alpha @ np.sqrt(np.maximum(np.diag(K), 0)))) ** 2:
        factor = g if bug == "gamma outside" else 1.0
        if kernel["family"] == "rbf":
            squares = gaussian_parts(X, s, g, under, bug)
        else:
            inside = 1.0 if bug == "gamma outside" else g
            c = {k: v * factor for k, v in polynomial_parts(X, s, p, inside, r, under).items()}
            out["coefficients"] = {",".join(map(str, k)): v for k, v in c.items()}
            squares = {k: v * v for k, v in c.items()}
        if bug != "constant":
            squares[(0,) * d] = 0.0
        top = None if kernel["family"] == "rbf" else p
        out["okc"] = shares(squares, d, top)
    return {key: x for key, x in out.items() if key == "id" or not give or key in give}


def shares(squares: dict, d: int, top: int | None) -> dict[str, Any] | None:
    """Return every index; those by degree only if there are degrees."""
    total = sum(squares.values())
    if not total > 0:
        return None
    share = {k: v / total for k, v in squares.items()}
    active = {k: tuple(i for i, e in enumerate(k, 1) if e) for k in share}
    add = lambda chosen: float(sum(v for k, v in share.items() if chosen(k)))  # noqa: E731
    okc: dict[str, Any] = {
        "order": [add(lambda k, q=q: len(active[k]) == q) for q in range(d + 1)],
        "marginal": [add(lambda k, i=i: active[k] == (i,)) for i in range(1, d + 1)],
        "pair": {
            f"{i},{j}": add(lambda k, S=(i, j): active[k] == S) for i, j in combinations(range(1, d + 1), 2)
        },
        "total": [add(lambda k, i=i: i in active[k]) for i in range(1, d + 1)],
        "shapley": [
            float(sum(v / len(active[k]) for k, v in share.items() if i in active[k]))
            for i in range(1, d + 1)
        ],
    }
    if top is None:
        return okc
    degree = [add(lambda k, N=N: sum(k) == N) for N in range(top + 1)]
    F = np.cumsum(degree)
    reach = lambda eps: int(np.argmax(1 - float(eps) <= F)) if 1 - float(eps) <= F[-1] else top  # noqa: E731
    return okc | {
        "degree": degree,
        "cumulative": F.tolist(),
        "block": [
            [add(lambda k, q=q, N=N: (len(active[k]), sum(k)) == (q, N)) for N in range(top + 1)]
            for q in range(d + 1)
        ],
        "even": sum(degree[::2]),
        "odd": sum(degree[1::2]),
        "peak": degree.index(max(degree)),
        "threshold": {eps: reach(eps) for eps in ("0.1", "0.05", "0.01")},
    }


# bug switched on -> (the likely bug's name, the stage at fault, a flag of the vectors that detect it)
STANDARD_DIAGNOSIS: dict[str, tuple[str, str, str]] = {
    "half gamma": ("gamma halved", "Gram", "GammaHalved"),
    "gamma as sigma": ("gamma taken for sigma", "Gram", "GammaTakenForSigma"),
    "gamma scale": ("gamma not the given one", "Gram", "GammaRecomputed"),
    "gamma one": ("gamma not applied", "Gram", "GammaNotApplied"),
    "gamma outside": ("gamma not applied inside the power", "Gram", "GammaOutsideThePower"),
    "distance": ("distance not squared", "Gram", "DistanceNotSquared"),
    "no coef0": ("coef0 not the given one", "Gram", "Coef0Forgotten"),
    "linear + 1": ("constant added to the linear kernel", "Gram", "ConstantInLinearKernel"),
    "degree - 1": ("degree off by one", "Gram", "DegreeOffByOne"),
    "degree + 1": ("degree off by one", "Gram", "DegreeOffByOne"),
    "fixed interval": ("uniform measure on a fixed interval", "coefficients", "UniformOnFixedInterval"),
    "range": ("interval of the uniform measure ignored", "coefficients", "IgnoredInterval"),
    "empirical": ("measure of the indices ignored", "coefficients", "MeasureOfIndicesIgnored"),
    "variance": ("standard deviation and variance confused", "coefficients", "SdAndVarianceConfused"),
    "standard normal": ("standard normal measure", "coefficients", "StandardNormal"),
    "distinct": ("repeated values counted once", "coefficients", "DistinctValuesOnly"),
    "sample": ("covariances divided by m - 1", "coefficients", "SampleCovariances"),
    "constant": ("constant not removed from the variance", "aggregation", "ConstantInVariance"),
    "cancellation": ("cancellation in the covariances", "coefficients", "SmallGamma"),
}
