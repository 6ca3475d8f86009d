"""The truncated Christoffel-Darboux kernel and its tensor product (sections 3 and 4 of the paper).

With R = sum_k pi_k(x) pi_k(z) h_0/h_k, a rational number for rational arguments,
K_n = R/h_0 and K_n^(d) = lambda * prod R, lambda = h_0^-d. Everything here returns the rational
part R in the arithmetic of its arguments; ``Kernel`` puts lambda back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from .arithmetic import Arithmetic, arithmetic
from .errors import BadParameter, TooLarge
from .jacobi import Jacobi, degree
from .number import QQ, door, real, symbolic
from .problem import Problem

MAX_MODES = 20_000_000


def cd_sum(jacobi: Jacobi, n: int, x: Any, z: Any) -> Any:
    """h_0 K_n(x, z), eq. (CD-def)."""
    terms = zip(jacobi.monic(n, x), jacobi.monic(n, z), jacobi.h_ratios(n), strict=True)
    return sum(p * q / _enter(jacobi, x)(h) for p, q, h in terms)


def cd_closed(jacobi: Jacobi, n: int, x: Any, z: Any) -> Any:
    """h_0 K_n(x, z) for x != z, eq. (CD-identity): kappa_n/kappa_{n+1} p_{n+1} p_n = pi_{n+1} pi_n/h_n."""
    *_, px, qx = jacobi.monic(n + 1, x)
    *_, pz, qz = jacobi.monic(n + 1, z)
    return (qx * pz - px * qz) / ((x - z) * _enter(jacobi, x)(jacobi.h_ratio(n)))


def cd_confluent(jacobi: Jacobi, n: int, x: Any) -> Any:
    """h_0 K_n(x, x), eq. (CD-diagonal)."""
    *_, p, q = jacobi.monic(n + 1, x)
    *_, dp, dq = jacobi.derivatives(n + 1, x)
    return (dq * p - dp * q) / _enter(jacobi, x)(jacobi.h_ratio(n))


def _enter(jacobi: Jacobi, x: Any) -> Callable[[Any], Any]:
    return door(x) if jacobi.is_rational else lambda c: c


def basis(problem: Problem, A: Arithmetic) -> tuple[np.ndarray, np.ndarray]:
    """Values pi_k(x_il) as an array (d, n+1, m), and the weights h_0/h_k as an array (n+1,)."""
    X = A.array(problem.points)
    values = np.empty((problem.d, problem.n + 1, problem.m), dtype=X.dtype)
    for coordinate in range(problem.d):
        values[coordinate] = problem.jacobi.monic(problem.n, X[:, coordinate])
    return values, A.array([1 / h for h in problem.jacobi.h_ratios(problem.n)])


def gram_ratio(problem: Problem, A: Arithmetic | None = None) -> np.ndarray:
    """The Gram matrix over lambda: R_ij = prod_l sum_k pi_k(x_il) pi_k(x_jl) h_0/h_k, exact by default."""
    A = A or arithmetic("exact")
    with A.scope():
        values, weights = basis(problem, A)
        R: Any = 1
        for P in values:
            R = R * A.matmul((P * weights[:, None]).T, P)
        return R


def gram(problem: Problem, A: Arithmetic) -> np.ndarray:
    """The Gram matrix K_n^(d)(x_i, x_j)."""
    with A.scope():
        return gram_ratio(problem, A) * problem.lambda_in(A)


def modes(n: int, d: int) -> list[tuple[int, ...]]:
    """The multi-indices {0, ..., n}^d in lexicographic order."""
    return list(product(range(n + 1), repeat=d))


def fold(columns: np.ndarray) -> np.ndarray:
    """Row-wise tensor products: (d, n+1, m) -> ((n+1)^d, m), rows in the order of ``modes``."""
    out = columns[0]
    for column in columns[1:]:
        out = (out[:, None, :] * column[None, :, :]).reshape(-1, out.shape[1])
    return out


def design(problem: Problem, A: Arithmetic) -> np.ndarray:
    """The design matrix P_{i,k} = p_k(x_i), m rows and (n+1)^d columns in the order of ``modes``."""
    if problem.modes * problem.m > MAX_MODES * 4:
        raise TooLarge(
            "design matrix", problem.modes * problem.m, MAX_MODES * 4, "use the Gram matrix instead"
        )
    with A.scope():
        return fold(feature_values(problem.jacobi, problem.n, A.array(problem.points).T, A)).T


def feature_values(jacobi: Jacobi, n: int, X: np.ndarray, A: Arithmetic) -> np.ndarray:
    """p_k(x) for coordinates X (d, m): an array (d, n+1, m)."""
    return np.moveaxis(jacobi.values(n, X, A), 0, 1)


@dataclass(frozen=True)
class Kernel:
    """K_n^(d) on float arrays: ``Kernel(n, alpha, beta)(X, Z)`` for X (m, d) and Z (k, d).

    >>> Kernel(1)([[0.0, 0.0]], [[0.5, 0.5], [1.0, 0.0]])  # 1/4 (1 + 3 x_1 z_1)(1 + 3 x_2 z_2)
    array([[0.25, 0.25]])
    """

    n: int
    alpha: Any = 0
    beta: Any = 0

    def __call__(self, X: Any, Z: Any) -> np.ndarray:
        A, jacobi = arithmetic("float"), Jacobi(self.alpha, self.beta)
        X, Z = (np.atleast_2d(np.asarray(points, dtype=float)) for points in (X, Z))
        if X.shape[1] != Z.shape[1]:
            raise BadParameter(
                "Z", f"{Z.shape[1]} coordinates", f"where X has {X.shape[1]}", "make them equal"
            )
        K: Any = 1.0
        for x, z in zip(X.T, Z.T, strict=True):
            K = K * (jacobi.values(self.n, x, A).T @ jacobi.values(self.n, z, A))
        return K

    def features(self, X: Any) -> np.ndarray:
        """The feature map: rows Phi_n(x_i), columns in the order of ``modes``."""
        X = np.atleast_2d(np.asarray(X, dtype=float))
        return fold(feature_values(Jacobi(self.alpha, self.beta), self.n, X.T, arithmetic("float"))).T


# The projection Pi_n.


def project(jacobi: Jacobi, n: int, f: Any) -> Any:
    """Pi_n f of a SymPy polynomial f in x, exactly, by the weight's moments."""
    from sympy import Poly, Symbol

    x = Symbol("x")
    f = Poly(f, x)
    if not jacobi.is_rational or not all(c.is_Rational for c in f.all_coeffs()):
        raise BadParameter("f", f.as_expr(), "is not a rational polynomial", "project a callable instead")
    coefficients = [QQ(c) for c in reversed(f.all_coeffs())]
    total = Poly(0, x)
    for k, h in enumerate(jacobi.h_ratios(degree(n))):
        p = jacobi.polynomial(k)
        c = jacobi.inner_ratio(coefficients, [QQ(a) for a in reversed(p.all_coeffs())]) / h
        total += p * symbolic(c)
    return total


def gauss(jacobi: Jacobi, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Nodes and weights of Gauss-Jacobi quadrature in float64 (Golub-Welsch)."""
    a, b = zip(*(jacobi.recurrence(k) for k in range(count)), strict=True)
    off = [real(q) ** 0.5 for q in b[1:]]
    nodes, vectors = np.linalg.eigh(np.diag([real(q) for q in a]) + np.diag(off, 1) + np.diag(off, -1))
    return nodes, vectors[0] ** 2 * jacobi.h0_in(arithmetic("float"))


def project_callable(jacobi: Jacobi, n: int, f: Callable, count: int | None = None) -> np.ndarray:
    """The coefficients <f, p_k>, k = 0 ... n, by Gauss-Jacobi quadrature with ``count`` nodes."""
    nodes, weights = gauss(jacobi, count or 2 * n + 20)
    return jacobi.values(n, nodes, arithmetic("float")) @ (weights * np.array([f(t) for t in nodes]))
