"""The truncated Christoffel-Darboux kernel and its tensor product (sections 3 and 4 of the paper).

With R = sum_k pi_k(x) pi_k(z) h_0/h_k, a rational number for rational arguments,
K_n = R/h_0 and K_n^(d) = lambda * prod R, lambda = prod 1/h_0 over the coordinates. Everything here returns
the rational part R in the arithmetic of its arguments; ``Kernel`` puts lambda back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from .. import cost
from ..errors import BadParameter, TooLarge
from ..measures.jacobi import Jacobi
from ..measures.measure import Measure, check_degree
from ..numbers.arithmetic import Arithmetic, arithmetic
from ..numbers.rationals import QQ, embed_rational, real, symbolic
from ..problem import Problem

MAX_MODES = 20_000_000


def cd_sum(measure: Measure, n: int, x: Any, z: Any) -> Any:
    """h_0 K_n(x, z), eq. (CD-def)."""
    terms = zip(measure.monic(n, x), measure.monic(n, z), measure.h_ratios(n), strict=True)
    return sum(p * q / _enter(measure, x)(h) for p, q, h in terms)


def cd_closed(measure: Measure, n: int, x: Any, z: Any) -> Any:
    """h_0 K_n(x, z) for x != z, eq. (CD-identity): kappa_n/kappa_{n+1} p_{n+1} p_n = pi_{n+1} pi_n/h_n."""
    *_, px, qx = measure.monic(n + 1, x)
    *_, pz, qz = measure.monic(n + 1, z)
    return (qx * pz - px * qz) / ((x - z) * _enter(measure, x)(measure.h_ratio(n)))


def cd_confluent(measure: Measure, n: int, x: Any) -> Any:
    """h_0 K_n(x, x), eq. (CD-diagonal)."""
    *_, p, q = measure.monic(n + 1, x)
    *_, dp, dq = measure.derivatives(n + 1, x)
    return (dq * p - dp * q) / _enter(measure, x)(measure.h_ratio(n))


def _enter(measure: Measure, x: Any) -> Callable[[Any], Any]:
    return embed_rational(x) if measure.is_rational else lambda c: c


def degrees_by_coordinate(n: int | Sequence[int], d: int) -> tuple[int, ...]:
    """One for each of d coordinates: n for all, or those given."""
    return (n,) * d if isinstance(n, int) else tuple(n)


def basis(problem: Problem, A: Arithmetic) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """For each coordinate the values pi_k(x_i), an array (n+1, m), and the weights h_0/h_k, one (n+1,)."""
    pairs = list(zip(problem.measures, problem.degrees, strict=True))
    weights = {(J, n): A.array([1 / h for h in J.h_ratios(n)]) for J, n in dict.fromkeys(pairs)}
    B = A.recurrence_arithmetic(problem.m * (problem.d + sum(problem.degrees)))
    with B.scope():
        X = B.array(problem.points)
        values = [A.from_recurrence(B.rows(J.monic(n, x))) for (J, n), x in zip(pairs, X.T, strict=True)]
    return values, [weights[pair] for pair in pairs]


def gram_ratio(problem: Problem, A: Arithmetic | None = None) -> np.ndarray:
    """The Gram matrix over lambda: R_ij = prod_l sum_k pi_k(x_il) pi_k(x_jl) h_0/h_k, exact by default."""
    A = A or arithmetic("exact")
    needed, hint = cost.gram_bytes(problem, A), "take fewer points, or the level 'float'"
    cost.require_memory(needed, f"the Gram matrix of {problem.m} points ({A.name})", hint)
    with A.scope():
        R: Any = 1
        for P, weights in zip(*basis(problem, A), strict=True):
            R = R * A.matmul((P * weights[:, None]).T, P)
        return R


def gram(problem: Problem, A: Arithmetic) -> np.ndarray:
    """The Gram matrix K_n^(d)(x_i, x_j)."""
    with A.scope():
        return gram_ratio(problem, A) * problem.lambda_in(A)


def modes(n: int | Sequence[int], d: int) -> list[tuple[int, ...]]:
    """The multi-indices {0, ..., n}^d, or with an n for each coordinate, in lexicographic order."""
    return list(product(*(range(top + 1) for top in degrees_by_coordinate(n, d))))


def tensor_rows(columns: Sequence[np.ndarray] | np.ndarray) -> np.ndarray:
    """Row-wise tensor products: d arrays (n+1, m) -> ((n+1)^d, m), rows in the order of ``modes``."""
    out = columns[0]
    for column in columns[1:]:
        out = (out[:, None, :] * column[None, :, :]).reshape(-1, out.shape[1])
    return out


def design_matrix(problem: Problem, A: Arithmetic) -> np.ndarray:
    """The design matrix P_{i,k} = p_k(x_i), m rows and a column for each of the ``modes``."""
    if problem.modes * problem.m > MAX_MODES * 4:
        raise TooLarge(
            "design matrix", problem.modes * problem.m, MAX_MODES * 4, "use the Gram matrix instead"
        )
    needed = 2 * problem.modes * problem.m * cost.number_bytes(A, A.bits)
    cost.require_memory(needed, f"the design matrix of {problem.m} points", "use the Gram matrix instead")
    with A.scope():
        X = A.array(problem.points).T
        return tensor_rows(feature_values(problem.measures, problem.degrees, X, A)).T


def feature_values(
    measures: Sequence[Measure], n: Sequence[int], X: np.ndarray, A: Arithmetic
) -> list[np.ndarray]:
    """p_k(x) for coordinates X (d, m): for each an array (n+1, m)."""
    return [measure.values(top, x, A) for measure, top, x in zip(measures, n, X, strict=True)]


@dataclass(frozen=True)
class Kernel:
    """K_n^(d) on float arrays: ``Kernel(n, alpha, beta)(X, Z)`` for X (m, d) and Z (k, d).

    ``measures``, one or one for each coordinate, stand in for alpha and beta; n may be a list too.

    >>> Kernel(1)([[0.0, 0.0]], [[0.5, 0.5], [1.0, 0.0]])  # 1/4 (1 + 3 x_1 z_1)(1 + 3 x_2 z_2)
    array([[0.25, 0.25]])
    """

    n: Any
    alpha: Any = 0
    beta: Any = 0
    measures: Any = None

    def __call__(self, X: Any, Z: Any) -> np.ndarray:
        X, Z = (np.atleast_2d(np.asarray(points, dtype=float)) for points in (X, Z))
        if X.shape[1] != Z.shape[1]:
            raise BadParameter(
                "Z", f"{Z.shape[1]} coordinates", f"where X has {X.shape[1]}", "make them equal"
            )
        K: Any = 1.0
        for x, z in zip(self._values(X), self._values(Z), strict=True):
            K = K * (x.T @ z)
        return K

    def features(self, X: Any) -> np.ndarray:
        """The feature map: rows Phi_n(x_i), columns in the order of ``modes``."""
        return tensor_rows(self._values(np.atleast_2d(np.asarray(X, dtype=float)))).T

    def _values(self, X: np.ndarray) -> list[np.ndarray]:
        d, given = X.shape[1], self.measures
        measures = Jacobi(self.alpha, self.beta) if given is None else given
        each = (measures,) * d if isinstance(measures, Measure) else tuple(measures)
        tops = degrees_by_coordinate(self.n, d)
        if not len(each) == len(tops) == d:
            raise BadParameter(
                "X", f"{d} coordinates", f"for {len(each)} measures, {len(tops)} degrees", "make them equal"
            )
        return feature_values(each, tops, X.T, arithmetic("float"))


# The projection Pi_n.


def project_polynomial(measure: Measure, n: int, f: Any) -> Any:
    """Pi_n f of a SymPy polynomial f in x, exactly, by the weight's moments."""
    from sympy import Poly, Symbol

    x = Symbol("x")
    f = Poly(f, x)
    if not measure.is_rational or not all(c.is_Rational for c in f.all_coeffs()):
        raise BadParameter("f", f.as_expr(), "is not a rational polynomial", "project a callable instead")
    coefficients = [QQ(c) for c in reversed(f.all_coeffs())]
    total = Poly(0, x)
    for k, h in enumerate(measure.h_ratios(check_degree(n))):
        p = measure.polynomial(k)
        c = measure.inner_ratio(coefficients, [QQ(a) for a in reversed(p.all_coeffs())]) / h
        total += p * symbolic(c)
    return total


def gauss(measure: Measure, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Nodes and weights of Gauss quadrature in float64 (Golub-Welsch)."""
    a, b = zip(*(measure.recurrence(k) for k in range(count)), strict=True)
    off = [real(q) ** 0.5 for q in b[1:]]
    nodes, vectors = np.linalg.eigh(np.diag([real(q) for q in a]) + np.diag(off, 1) + np.diag(off, -1))
    return nodes, vectors[0] ** 2 * measure.h0_in(arithmetic("float"))


def project_callable(measure: Measure, n: int, f: Callable, count: int | None = None) -> np.ndarray:
    """The coefficients <f, p_k>, k = 0 ... n, by Gauss quadrature with ``count`` nodes."""
    nodes, weights = gauss(measure, count or 2 * n + 20)
    return measure.values(n, nodes, arithmetic("float")) @ (weights * np.array([f(t) for t in nodes]))
