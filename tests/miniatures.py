"""One small implementation of ORCA in plain NumPy, and deliberately wrong ones: one bug switched on each."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache, partial
from itertools import combinations, product
from math import factorial, gamma
from typing import Any

import numpy as np


def orthonormal(k: int, a: float, b: float, x: np.ndarray, bug: str) -> np.ndarray:
    """p_k by the explicit Jacobi sum; h_k by the Gamma formula."""
    p = np.zeros_like(x)
    for s in range(k + 1):
        binomials = gamma(k + a + 1) / (gamma(a + s + 1) * factorial(k - s))
        binomials *= gamma(k + b + 1) / (gamma(k + b - s + 1) * factorial(s))
        p += binomials * ((x - 1) / 2) ** s * ((x + 1) / 2) ** (k - s)
    h = 2 ** (a + b + 1) * gamma(k + a + 1) * gamma(k + b + 1) / factorial(k)
    h /= gamma(a + b + 2) if k == 0 else (2 * k + a + b + 1) * gamma(k + a + b + 1)
    if bug == "unnormalised":
        return p
    if bug == "monic":
        return p / np.prod([(a + b + k + j) / (2 * j) for j in range(1, k + 1)])
    return p / (h if bug == "missing root" else np.sqrt(h))


@cache
def _solve(data: bytes, labels: tuple[int, ...], C: float) -> tuple[np.ndarray, float]:
    import cvxpy as cp

    y = np.array(labels, dtype=float)
    K = np.frombuffer(data).reshape(len(y), len(y))
    D = np.sqrt(np.diag(K))
    values, vectors = np.linalg.eigh(K * np.outer(y / D, y / D))
    keep = values > 1e-14 * values[-1]
    factor = np.sqrt(values[keep])[:, None] * vectors[:, keep].T
    z = cp.Variable(len(y))
    objective = cp.Minimize(cp.sum_squares(factor @ z) / 2 - (1 / D) @ z)
    cp.Problem(objective, [z >= 0, z <= C * D, (y / D) @ z == 0]).solve(solver="CLARABEL")
    alpha = np.clip(z.value / D, 0, C)
    polished = polish(K, y, C, alpha)
    if polished.min() >= 0 and polished.max() <= C and gap(K, y, C, polished) <= gap(K, y, C, alpha):
        alpha = polished
    return alpha, bias(K, y, alpha)


def polish(K: np.ndarray, y: np.ndarray, C: float, alpha: np.ndarray) -> np.ndarray:
    """Newton on the active set that the solver found."""
    free = np.flatnonzero((alpha > 1e-6 * alpha.max()) & (alpha < C * (1 - 1e-6)))
    out = np.where(alpha > C / 2, C, 0.0)
    out[free] = 0
    M = np.block(
        [[K[np.ix_(free, free)], np.ones((len(free), 1))], [np.ones((1, len(free))), np.zeros((1, 1))]]
    )
    r = np.append(y[free] - K[free] @ (y * out), -(y @ out))
    if len(free):
        out[free] = y[free] * np.linalg.lstsq(M, r, rcond=1e-13)[0][:-1]
    return out if abs(y @ out) < 1e-10 * out.sum() else alpha


def bias(K: np.ndarray, y: np.ndarray, alpha: np.ndarray) -> float:
    kinks, positives = np.sort(y - K @ (y * alpha)), int((y > 0).sum())
    return float(kinks[positives - 1 : positives + 1].mean())


def gap(K: np.ndarray, y: np.ndarray, C: float, alpha: np.ndarray) -> float:
    f = K @ (y * alpha)
    return (y * alpha) @ f + C * np.maximum(0, 1 - y * (f + bias(K, y, alpha))).sum() - alpha.sum()


def solve(K: np.ndarray, y: np.ndarray, C: float) -> tuple[np.ndarray, float]:
    return _solve(np.ascontiguousarray(K, dtype=float).tobytes(), tuple(int(label) for label in y), C)


def implementation(problem: dict, bug: str = "", give: tuple[str, ...] = ()) -> dict[str, Any]:
    """A result of all stages, or of those in ``give``."""
    X = np.array([[float(Fraction(x)) for x in row] for row in problem["X"]])
    y, n = np.array(problem["y"], dtype=float), problem["n"]
    a, b, C = (float(Fraction(problem[key])) for key in ("alpha", "beta", "C"))
    m, d = X.shape
    if problem["rescale"]:
        X = (X - X.min(axis=0)) / (X.max(axis=0) - X.min(axis=0))
        X = X if bug == "rescaling" else 2 * X - 1
    if bug == "swapped":
        a, b = b, a
    n += {"n - 1": -1, "n + 1": 1}.get(bug, 0)
    n = max(n, 0)
    if bug == "columns backwards":
        X = X[:, ::-1]
    P = np.array([[orthonormal(k, a, b, x, bug) for k in range(n + 1)] for x in X.T])
    if bug in ("float32 basis", "all float32"):
        P = P.astype(np.float32)
    P[:, 1:2] *= 2**0.5 if bug == "p_1" else 1
    P[:, 2:3] *= 1.01 if bug == "p_2" else 1
    modes = [k for k in product(range(n + 1), repeat=d) if bug != "total degree" or sum(k) <= n]
    modes = modes[: -1 if bug == "top mode" else None]
    features = np.array([np.prod([P[i, k[i]] for i in range(d)], axis=0) for k in modes])
    features = features if bug == "all float32" else features.astype(float)
    K = features.T @ features
    K = K * (1.01 if bug == "kernel" else 1)
    if bug == "float32":
        K = K.astype(np.float32)
    K = K.astype(float)
    if bug == "top mode later":
        modes, features = modes[:-1], features[:-1]
    out: dict[str, Any] = {"id": problem["id"], "gram": K.tolist()}
    intercept = 0.0
    if "dual" in problem and bug != "dual ignored":
        alpha = np.array([float(Fraction(x)) for x in problem["dual"]])
    else:
        alpha, intercept = solve(K, y, C * {"C m": m, "C/m": 1 / m}.get(bug, 1))
        written = alpha * y if bug == "dual_coef_" else alpha
        out |= {"alpha": written.tolist(), "b": -intercept if bug == "rho" else intercept}
    c = features @ (alpha if bug == "without y" else alpha * y)
    if bug == "bias":
        c[0] += intercept
    if bug == "missing root later":
        c /= [np.prod([_classical_root(i, a, b) for i in k]) for k in modes]
    norm2 = float(c @ c)
    keys = [k[::-1] if bug == "keys backwards" else k for k in modes]
    out |= {"coefficients": {",".join(map(str, k)): v for k, v in zip(keys, c.tolist(), strict=True)}}
    out |= {"norm2": norm2, "okc": None}
    if norm2 > (1e-6 * (alpha @ np.sqrt(np.diag(K)))) ** 2:
        out["okc"] = indices(modes, c * c / norm2, d, n, bug)
    return {key: x for key, x in out.items() if key == "id" or not give or key in give}


def _classical_root(k: int, a: float, b: float) -> float:
    x = np.array([0.3])
    return float((orthonormal(k, a, b, x, "unnormalised") / orthonormal(k, a, b, x, ""))[0])


def indices(modes: list, share: np.ndarray, d: int, n: int, bug: str) -> dict[str, Any]:
    first = 0 if bug == "pairs from 0" else 1
    active = [tuple(i for i, x in enumerate(k) if x) for k in modes]
    pure = lambda S: float(sum(v for v, A in zip(share, active, strict=True) if A == S))  # noqa: E731
    sobol = lambda S: float(sum(v for v, A in zip(share, active, strict=True) if {*S} <= {*A}))  # noqa: E731
    block = np.zeros((d + 1, d * n + 1))
    for k, A, v in zip(modes, active, share, strict=True):
        block[len(A), sum(k)] += v
    degree = block.sum(axis=0)
    F = np.cumsum(degree)
    alone = sobol if bug in ("total marginals", "total indices") else pure
    both = sobol if bug in ("total pairs", "total indices") else pure
    marginal = [alone((i,)) for i in range(d)]
    last = int(np.flatnonzero(np.isclose(degree, degree.max(), rtol=1e-10))[-1])
    T = {}
    for eps in ("0.1", "0.05", "0.01"):
        reached = 1 - float(eps) < F if bug == "strict" else 1 - float(eps) <= F
        T[eps] = int(np.argmax(reached)) if reached.any() else d * n
        T[eps] += bug == "T + 1"
    return {
        "order": block.sum(axis=1).tolist(),
        "degree": degree.tolist(),
        "block": block.tolist(),
        "marginal": marginal[-1:] + marginal[:-1] if bug == "marginals" else marginal,
        "pair": {f"{i + first},{j + first}": both((i, j)) for i, j in combinations(range(d), 2)},
        "even": float(block[:, ::2].sum()),
        "odd": float(block[:, 1::2].sum()),
        "peak": last if bug == "last peak" else int(degree.argmax()),
        "threshold": T,
    }


# bug switched on -> (the likely bug's name, the stage at fault)
WRONG: dict[str, tuple[str, str]] = {
    "unnormalised": ("unnormalised polynomials", "basis"),
    "monic": ("unnormalised polynomials", "basis"),
    "missing root": ("missing sqrt h_k", "basis"),
    "missing root later": ("missing sqrt h_k", "coefficients"),
    "swapped": ("swapped alpha and beta", "basis"),
    "total degree": ("total-degree truncation", "Gram"),
    "n - 1": ("n off by one", "basis"),
    "n + 1": ("n off by one", "basis"),
    "bias": ("bias in c_0", "coefficients"),
    "without y": ("alpha without y", "coefficients"),
    "C/m": ("C scaled by m", "solver"),
    "C m": ("C scaled by m", "solver"),
    "float32": ("float32 kernel", "Gram"),
    "rescaling": ("wrong rescaling", "basis"),
    "pairs from 0": ("coordinates counted from 0", "aggregation"),
    "marginals": ("coordinates counted from 0", "aggregation"),
    "T + 1": ("T_eps off by one", "aggregation"),
    "strict": ("> instead of >=", "aggregation"),
    "dual_coef_": ("signed alpha", "solver"),
    "rho": ("sign of b", "solver"),
    "dual ignored": ("dual ignored", "solver"),
    "p_1": ("p_1 mis-scaled", "basis"),
    "float32 basis": ("float32", "basis"),
    "all float32": ("float32", "basis"),
    "top mode": ("top mode dropped", "basis"),
    "top mode later": ("top mode dropped", "coefficients"),
    "keys backwards": ("reversed multi-index", "coefficients"),
    "columns backwards": ("reversed multi-index", "coefficients"),
    "total marginals": ("total instead of pure marginals", "aggregation"),
    "total pairs": ("higher orders added to pairs", "aggregation"),
    "total indices": ("total instead of pure marginals", "aggregation"),
    "last peak": ("last of equal peaks", "aggregation"),
}


def wrong(bug: str) -> Callable[[dict], dict]:
    return partial(implementation, bug=bug)
