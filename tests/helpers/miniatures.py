"""A small implementation of ORCA in NumPy, in which one bug at a time can be switched on."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from itertools import combinations, product
from math import factorial, gamma, pi
from typing import Any

import numpy as np
from from_the_page import each, number
from numpy.polynomial.hermite import hermval
from numpy.polynomial.hermite_e import hermeval
from standard_kernels import STANDARD_DIAGNOSIS, standard_program

# A multiple of pi_k at x, its squared norm and its leading coefficient.
Classical = tuple[np.ndarray, float, float]


def jacobi(k: int, x: np.ndarray, a: float, b: float) -> Classical:
    """Sum P_k explicitly, and compute h_k by Gamma functions."""
    p = np.zeros_like(x)
    for s in range(k + 1):
        binomials = gamma(k + a + 1) / (gamma(a + s + 1) * factorial(k - s))
        binomials *= gamma(k + b + 1) / (gamma(k + b - s + 1) * factorial(s))
        p += binomials * ((x - 1) / 2) ** s * ((x + 1) / 2) ** (k - s)
    h = 2 ** (a + b + 1) * gamma(k + a + 1) * gamma(k + b + 1) / factorial(k)
    h /= gamma(a + b + 2) if k == 0 else (2 * k + a + b + 1) * gamma(k + a + b + 1)
    return p, h, float(np.prod([(a + b + k + j) / (2 * j) for j in range(1, k + 1)]))


def hermite(k: int, x: np.ndarray) -> Classical:
    return hermeval(x, [0] * k + [1]), (2 * pi) ** 0.5 * factorial(k), 1.0


def physics(k: int, x: np.ndarray) -> Classical:
    return hermval(x, [0] * k + [1]), pi**0.5 * 2**k * factorial(k), 2.0**k


def laguerre(k: int, x: np.ndarray, a: float) -> Classical:
    binomials = [gamma(k + a + 1) / (gamma(a + j + 1) * factorial(k - j)) for j in range(k + 1)]
    p = sum(((-x) ** j * c / factorial(j) for j, c in enumerate(binomials)), np.zeros_like(x))
    return p, gamma(k + a + 1) / factorial(k), (-1) ** k / factorial(k)


def discrete(k: int, x: np.ndarray, t: np.ndarray, w: np.ndarray) -> Classical:
    """Orthogonalise by the QR factorisation of the Vandermonde matrix at the nodes."""
    R = np.linalg.qr(np.vander(t, k + 1, increasing=True) * np.sqrt(w)[:, None])[1]
    p = np.vander(x, k + 1, increasing=True) @ np.linalg.inv(R)[:, k]
    return p * R[k, k], R[k, k] ** 2, 1.0


def classical(k: int, x: np.ndarray, measure: dict, bug: str) -> Classical:
    family = measure["family"]
    if family == "hermite":
        return physics(k, x) if bug == "physics" else hermite(k, x)
    if family == "discrete":
        nodes = measure["nodes"]
        weights = measure.get("weights") or [1 / len(nodes)] * len(nodes)
        t, w = (np.array([number(q) for q in part]) for part in (nodes, weights))
        return discrete(k, x, t, np.full_like(w, 1 / len(w)) if bug == "equal nodes" else w)
    a, *b = (number(measure[key]) for key in ("alpha", "beta") if key in measure)
    return jacobi(k, x, *((*b, a) if bug == "swapped" else (a, *b))) if b else laguerre(k, x, a)


def orthonormal(k: int, x: np.ndarray, measure: dict, bug: str) -> np.ndarray:
    p, h, lead = classical(k, x, measure, bug)
    if bug == "unnormalised":
        return p
    if bug == "monic":
        return p / lead
    if bug == "missing root":
        return p / h
    return p / np.sqrt(h) * (1 if bug == "laguerre sign" else np.sign(lead))


TIGHT = dict.fromkeys(("tol_gap_abs", "tol_gap_rel", "tol_feas"), 1e-10)


@cache
def _solve(data: bytes, labels: tuple[int, ...], bounds: tuple[float, ...]) -> tuple[np.ndarray, float]:
    import cvxpy as cp

    y, C = np.array(labels, dtype=float), np.array(bounds)
    K = np.frombuffer(data).reshape(len(y), len(y))
    D = np.sqrt(np.where(np.diag(K) > 0, np.diag(K), np.diag(K).max()))
    values, vectors = np.linalg.eigh(K * np.outer(y / D, y / D))
    keep = values > 1e-14 * values[-1]
    factor = np.sqrt(values[keep])[:, None] * vectors[:, keep].T
    z = cp.Variable(len(y))
    objective = cp.Minimize(cp.sum_squares(factor @ z) / 2 - (1 / D) @ z)
    cp.Problem(objective, [z >= 0, z <= C * D, (y / D) @ z == 0]).solve(solver="CLARABEL", **TIGHT)
    alpha = np.clip(z.value / D, 0, C)
    polished = polish(K, y, C, alpha)
    if polished.min() >= 0 and (polished <= C).all() and gap(K, y, C, polished) <= gap(K, y, C, alpha):
        alpha = polished
    return alpha, bias(K, y, C, alpha)


def polish(K: np.ndarray, y: np.ndarray, C: np.ndarray, alpha: np.ndarray) -> np.ndarray:
    """Solve the linear equations of the active set that the solver found."""
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


def bias(K: np.ndarray, y: np.ndarray, C: np.ndarray, alpha: np.ndarray) -> float:
    """Return the middle of the interval of b with the least loss sum C_i max(0, 1 - y_i g(x_i))."""
    kinks = y - K @ (y * alpha)
    losses = np.array([C @ np.maximum(0, y * (kinks - b)) for b in kinks])
    best = kinks[losses <= losses.min() + 1e-9 * C.sum()]
    return float(best.min() + best.max()) / 2


def gap(K: np.ndarray, y: np.ndarray, C: np.ndarray, alpha: np.ndarray) -> float:
    f = K @ (y * alpha)
    return (y * alpha) @ f + C @ np.maximum(0, 1 - y * (f + bias(K, y, C, alpha))) - alpha.sum()


def solve(K: np.ndarray, y: np.ndarray, C: np.ndarray) -> tuple[np.ndarray, float]:
    data = np.ascontiguousarray(K, dtype=float).tobytes()
    return _solve(data, tuple(int(label) for label in y), tuple(C.tolist()))


def implementation(problem: dict, bug: str = "", give: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return a result with all stages, or with those in ``give``."""
    if problem.get("kernel", {}).get("family", "orthogonal") != "orthogonal":
        return standard_program(problem, solve, bug, give)
    X = np.array([[number(x) for x in row] for row in problem["X"]])
    y, (m, d) = np.array(problem["y"], dtype=float), X.shape
    one = {"family": "jacobi", "alpha": problem.get("alpha"), "beta": problem.get("beta")}
    kernel = problem.get("kernel", problem)
    measures, n = each(kernel.get("measures", one), d), each(kernel["n"], d)
    order = kernel.get("order") or d
    limit = {"order ignored": d, "order - 1": max(order - 1, 1), "order + 1": order + 1}.get(bug, order)
    C = np.array([number(x) for x in each(problem.get("C", 1), m)])
    C = {"largest C": C * 0 + C.max(), "first C": C * 0 + C[0], "no C": C * 0 + 1}.get(bug, C)
    for x, measure in zip(X.T, measures, strict=True):
        if problem.get("rescale") and (measure["family"] == "jacobi" or bug == "rescaled everywhere"):
            x[:] = (x - x.min()) / (x.max() - x.min())
            x[:] = x if bug == "rescaling" else 2 * x - 1
    measures = measures[:1] * d if bug == "one measure" else measures
    n = [max(top + {"n - 1": -1, "n + 1": 1}.get(bug, 0), 0) for top in n]
    if bug == "columns backwards":
        X, measures, n = X[:, ::-1], measures[::-1], n[::-1]
    P = [
        np.array([orthonormal(k, x, measure, bug) for k in range(top + 1)])
        for x, measure, top in zip(X.T, measures, n, strict=True)
    ]
    if bug in ("float32 basis", "all float32"):
        P = [p.astype(np.float32) for p in P]
    for p in P:
        p[1:2] *= 2**0.5 if bug == "p_1" else 1
        p[2:3] *= 1.01 if bug == "p_2" else 1
    if bug == "constants left out" and order < d:
        for p in P:
            p[0] = 1
    modes = modes_up_to(n, limit)
    if bug == "total degree":
        modes = [k for k in modes if sum(k) <= max(n)]
    if bug == "order of degrees" and order < d:
        modes = [k for k in modes if sum(k) <= order]
    modes = modes[: -1 if bug == "top mode" else None]
    features = np.array([np.prod([P[i][k[i]] for i in range(d)], axis=0) for k in modes])
    features = features if bug == "all float32" else features.astype(float)
    K = features.T @ features
    K = K * (1.01 if bug == "kernel" else 1)
    if bug == "mean diagonal" and order < d:
        K = K / np.diag(K).mean()
    if bug == "order ignored in K" or bug == "order ignored in c_k":
        every = modes_up_to(n, d)
        wider = np.array([np.prod([P[i][k[i]] for i in range(d)], axis=0) for k in every])
        if bug == "order ignored in K":
            K = wider.T @ wider
        else:
            modes, features = every, wider
    if bug == "float32":
        K = K.astype(np.float32)
    K = K.astype(float)
    if bug == "top mode later":
        modes, features = modes[:-1], features[:-1]
    out: dict[str, Any] = {"id": problem["id"], "gram": K.tolist()}
    intercept = 0.0
    if "dual" in problem and bug != "dual ignored":
        alpha = np.array([number(x) for x in problem["dual"]])
    else:
        alpha, intercept = solve(K, y, C * {"C m": m, "C/m": 1 / m}.get(bug, 1))
        intercept = bias(K, y, np.ones(m), alpha) if bug == "b without C" else intercept
        written = alpha * y if bug == "dual_coef_" else alpha
        out |= {"alpha": written.tolist(), "b": -intercept if bug == "rho" else intercept}
    c = features @ (alpha if bug == "without y" else alpha * y)
    if bug == "bias":
        c[0] += intercept
    if bug == "missing root later":
        c /= [np.prod([_classical_root(*pair) for pair in zip(k, measures, strict=True)]) for k in modes]
    norm2 = float(c @ c)
    keys = [k[::-1] if bug == "keys backwards" else k for k in modes]
    out |= {"coefficients": {",".join(map(str, k)): v for k, v in zip(keys, c.tolist(), strict=True)}}
    out |= {"norm2": norm2, "okc": None}
    if norm2 > (1e-6 * (alpha @ np.sqrt(np.diag(K)))) ** 2 or bug == "indices of zero":
        out["okc"] = indices(modes, c * c / (norm2 or 1), d, sum(n), bug)
        if bug == "total undivided":
            out["okc"]["total"] = [x * norm2 for x in out["okc"]["total"]]
    return {key: x for key, x in out.items() if key == "id" or not give or key in give}


def modes_up_to(n: list[int], order: int) -> list[tuple[int, ...]]:
    """Return the modes with at most ``order`` active columns, subset by subset, in lexicographic order."""
    found = []
    for S in (S for q in range(order + 1) for S in combinations(range(len(n)), q)):
        found += list(product(*(range(1, top + 1) if i in S else (0,) for i, top in enumerate(n))))
    return sorted(found)


def _classical_root(k: int, measure: dict) -> float:
    _, h, lead = classical(k, np.array([0.3]), measure, "")
    return float(np.sqrt(h) * np.sign(lead))


def indices(modes: list, share: np.ndarray, d: int, top: int, bug: str) -> dict[str, Any]:
    first = 0 if bug == "pairs from 0" else 1
    active = [tuple(i for i, x in enumerate(k) if x) for k in modes]
    pure = lambda S: float(sum(v for v, A in zip(share, active, strict=True) if A == S))  # noqa: E731
    sobol = lambda S: float(sum(v for v, A in zip(share, active, strict=True) if {*S} <= {*A}))  # noqa: E731
    block = np.zeros((d + 1, top + 1))
    for k, A, v in zip(modes, active, share, strict=True):
        block[len(A), sum(k)] += v
    degree = block.sum(axis=0)
    F = np.cumsum(degree)
    alone = sobol if bug in ("total marginals", "total indices") else pure
    both = sobol if bug in ("total pairs", "total indices") else pure
    marginal = [alone((i,)) for i in range(d)]
    largest = {"total of order 1": 1, "total of pairs": 2}.get(bug, d)
    portion = {"Shapley/d": lambda A: d, "Shapley = total": lambda A: 1}.get(bug, len)
    uses = [[(len(A), v, portion(A)) for v, A in zip(share, active, strict=True) if i in A] for i in range(d)]
    last = int(np.flatnonzero(np.isclose(degree, degree.max(), rtol=1e-10))[-1])
    T = {}
    for eps in ("0.1", "0.05", "0.01"):
        level = 0.9 if bug == "other eps" else 1 - float(eps)
        reached = level < F if bug == "strict" else level <= F
        T[eps] = int(np.argmax(reached)) if reached.any() else top
        T[eps] += bug == "T + 1"
    return {
        "order": block.sum(axis=1).tolist(),
        "degree": degree.tolist(),
        "block": block.tolist(),
        "marginal": marginal[-1:] + marginal[:-1] if bug == "marginals" else marginal,
        "pair": {f"{i + first},{j + first}": both((i, j)) for i, j in combinations(range(d), 2)},
        "total": [float(sum(v for q, v, _ in found if q <= largest)) for found in uses],
        "shapley": [float(sum(v / part for _, v, part in found)) for found in uses],
        "even": float(block[:, ::2].sum()),
        "odd": float(block[:, 1::2].sum()),
        "peak": last if bug == "last peak" else int(degree.argmax()),
        "threshold": T,
    }


# bug switched on -> (the likely bug's name, the stage at fault)
EXPECTED_DIAGNOSIS: dict[str, tuple[str, str]] = {
    "unnormalised": ("unnormalised polynomials", "basis"),
    "monic": ("unnormalised polynomials", "basis"),
    "missing root": ("wrong power of h_k", "basis"),
    "missing root later": ("wrong power of h_k", "coefficients"),
    "swapped": ("alpha and beta swapped", "basis"),
    "total degree": ("total-degree truncation", "Gram"),
    "n - 1": ("n off by one", "basis"),
    "n + 1": ("n off by one", "basis"),
    "bias": ("b added to c_0", "coefficients"),
    "without y": ("y_i missing in c_k", "coefficients"),
    "C/m": ("C scaled by m", "solver"),
    "C m": ("C scaled by m", "solver"),
    "float32": ("Gram matrix in float32", "Gram"),
    "rescaling": ("wrong rescaling", "basis"),
    "pairs from 0": ("coordinates counted from 0", "aggregation"),
    "marginals": ("coordinates counted from 0", "aggregation"),
    "T + 1": ("T_eps off by one", "aggregation"),
    "strict": ("> instead of >= in T_eps", "aggregation"),
    "dual_coef_": ("alpha multiplied by y", "solver"),
    "rho": ("wrong sign of b", "solver"),
    "dual ignored": ("given dual variables ignored", "solver"),
    "p_1": ("p_1 wrongly scaled", "basis"),
    "float32 basis": ("polynomials in float32", "basis"),
    "all float32": ("polynomials in float32", "basis"),
    "top mode": ("mode (n, ..., n) missing", "basis"),
    "top mode later": ("mode (n, ..., n) missing", "coefficients"),
    "keys backwards": ("coordinates in reverse order", "coefficients"),
    "columns backwards": ("coordinates in reverse order", "coefficients"),
    "total marginals": ("OKC_i includes interactions", "aggregation"),
    "total pairs": ("OKC_ij includes higher orders", "aggregation"),
    "total indices": ("OKC_i includes interactions", "aggregation"),
    "last peak": ("last instead of first maximum for N*", "aggregation"),
    "largest C": ("individual C_i ignored", "solver"),
    "first C": ("individual C_i ignored", "solver"),
    "no C": ("individual C_i ignored", "solver"),
    "b without C": ("individual C_i ignored", "solver"),
    "one measure": ("one measure for all coordinates", "basis"),
    "equal nodes": ("node weights ignored", "basis"),
    "physics": ("physicists' Hermite polynomials", "basis"),
    "laguerre sign": ("sign of the Laguerre polynomials", "basis"),
    "rescaled everywhere": ("wrong rescaling", "basis"),
    "other eps": ("T_eps with another eps", "aggregation"),
    "order ignored": ("order limit ignored", "Gram"),
    "order ignored in K": ("order limit ignored", "Gram"),
    "order ignored in c_k": ("order limit ignored", "coefficients"),
    "order of degrees": ("order limit applied to the total degree", "Gram"),
    "order - 1": ("order off by one", "Gram"),
    "order + 1": ("order off by one", "Gram"),
    "constants left out": ("lambda of the limited kernel rescaled", "basis"),
    "mean diagonal": ("lambda of the limited kernel rescaled", "Gram"),
    "total of order 1": ("total index without interactions", "aggregation"),
    "total of pairs": ("total index without higher orders", "aggregation"),
    "total undivided": ("total index not divided by ||h||^2", "aggregation"),
    "Shapley/d": ("Shapley effect divided by d", "aggregation"),
    "Shapley = total": ("Shapley effect equal to the total index", "aggregation"),
    "indices of zero": ("indices given although w = 0", "aggregation"),
    **{bug: (name, stage) for bug, (name, stage, _) in STANDARD_DIAGNOSIS.items()},
}


def wrong(bug: str) -> Callable[[dict], dict]:
    return partial(implementation, bug=bug)
