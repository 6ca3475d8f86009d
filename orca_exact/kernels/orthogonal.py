"""The truncated Christoffel-Darboux kernel and its tensor product (sections 3 and 4 of the paper).

Let R = sum_k pi_k(x) pi_k(z) h_0/h_k, which is rational for rational arguments. Then K_n = R/h_0 and
K_n^(d) = lambda * prod R with lambda = prod 1/h_0 over the coordinates. ``gram``, ``design_matrix`` and
``Kernel`` include lambda; the other functions return the rational part in the arithmetic of their arguments.
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
from ..numbers.rationals import QQ, embed_rational, symbolic
from ..problem import Problem

MAX_MODES = 20_000_000


def cd_sum(measure: Measure, n: int, x: Any, z: Any) -> Any:
    """Return h_0 K_n(x, z) as a sum, eq. (CD-def)."""
    terms = zip(measure.monic(n, x), measure.monic(n, z), measure.h_ratios(n), strict=True)
    return sum(p * q / _make_embedding(measure, x)(h) for p, q, h in terms)


def cd_closed(measure: Measure, n: int, x: Any, z: Any) -> Any:
    """Return h_0 K_n(x, z) for x != z in closed form, eq. (CD-identity).

    It is used that kappa_n/kappa_{n+1} p_{n+1} p_n = pi_{n+1} pi_n/h_n.
    """
    *_, px, qx = measure.monic(n + 1, x)
    *_, pz, qz = measure.monic(n + 1, z)
    return (qx * pz - px * qz) / ((x - z) * _make_embedding(measure, x)(measure.h_ratio(n)))


def cd_confluent(measure: Measure, n: int, x: Any) -> Any:
    """Return h_0 K_n(x, x) by derivatives, eq. (CD-diagonal)."""
    *_, p, q = measure.monic(n + 1, x)
    *_, dp, dq = measure.derivatives(n + 1, x)
    return (dq * p - dp * q) / _make_embedding(measure, x)(measure.h_ratio(n))


def _make_embedding(measure: Measure, x: Any) -> Callable[[Any], Any]:
    return embed_rational(x) if measure.is_rational else lambda c: c


def degrees_by_coordinate(n: int | Sequence[int], d: int) -> tuple[int, ...]:
    """Return a degree for each of d coordinates, from one for all or one for each."""
    return (n,) * d if isinstance(n, int) else tuple(n)


def basis(problem: Problem, A: Arithmetic) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Return for each coordinate the values pi_k(x_i), shape (n+1, m), and weights h_0/h_k, shape (n+1,)."""
    pairs = list(zip(problem.measures, problem.degrees, strict=True))
    weights = {(J, n): A.array([1 / h for h in J.h_ratios(n)]) for J, n in dict.fromkeys(pairs)}
    B = A.recurrence_arithmetic(problem.m * (problem.d + sum(problem.degrees)))
    with B.scope():
        X = B.array(problem.points)
        values = [A.from_recurrence(B.rows(J.monic(n, x))) for (J, n), x in zip(pairs, X.T, strict=True)]
    return values, [weights[pair] for pair in pairs]


def gram_ratio(problem: Problem, A: Arithmetic | None = None) -> np.ndarray:
    """Return the Gram matrix divided by lambda, R_ij = prod_l sum_k pi_k(x_il) pi_k(x_jl) h_0/h_k.

    It is exact by default.
    """
    A = A or arithmetic("exact")
    needed, hint = cost.gram_bytes(problem, A), "use fewer points, or the level 'float'"
    cost.require_memory(needed, f"the Gram matrix of {problem.m} points ({A.name})", hint)
    with A.scope():
        R: Any = 1
        for P, weights in zip(*basis(problem, A), strict=True):
            R = R * A.matmul((P * weights[:, None]).T, P)
        return R


def gram(problem: Problem, A: Arithmetic) -> np.ndarray:
    """Return the Gram matrix K_n^(d)(x_i, x_j)."""
    with A.scope():
        return gram_ratio(problem, A) * problem.lambda_in(A)


def modes(n: int | Sequence[int], d: int) -> list[tuple[int, ...]]:
    """Return the multi-indices {0, ..., n}^d in lexicographic order; n may differ by coordinate."""
    return list(product(*(range(degree + 1) for degree in degrees_by_coordinate(n, d))))


def tensor_rows(columns: Sequence[np.ndarray] | np.ndarray) -> np.ndarray:
    """Return products of rows, one of each array of shape (n+1, m), in the order of ``modes``."""
    out = columns[0]
    for column in columns[1:]:
        out = (out[:, None, :] * column[None, :, :]).reshape(-1, out.shape[1])
    return out


def design_matrix(problem: Problem, A: Arithmetic) -> np.ndarray:
    """Return the design matrix P_{i,k} = p_k(x_i), with a row for each point and a column for each mode."""
    hint = "use the Gram matrix instead"
    if problem.modes * problem.m > MAX_MODES * 4:
        raise TooLarge("entries of the design matrix", problem.modes * problem.m, MAX_MODES * 4, hint)
    needed = 2 * problem.modes * problem.m * cost.number_bytes(A, A.bits)
    cost.require_memory(needed, f"the design matrix of {problem.m} points", hint)
    with A.scope():
        X = A.array(problem.points).T
        return tensor_rows(feature_values(problem.measures, problem.degrees, X, A)).T


def feature_values(
    measures: Sequence[Measure], n: Sequence[int], X: np.ndarray, A: Arithmetic
) -> list[np.ndarray]:
    """Return the values p_k(x) for coordinates X of shape (d, m), an array (n+1, m) for each."""
    return [measure.values(degree, x, A) for measure, degree, x in zip(measures, n, X, strict=True)]


@dataclass(frozen=True)
class Kernel:
    """The kernel K_n^(d) in float64, a function of two arrays of points.

    Parameters
    ----------
    n : int or sequence of int
        Degree, for all coordinates or one for each.
    alpha, beta : number
        Parameters of the Jacobi weight.
    measures : Measure or sequence of Measure, optional
        Measure for all coordinates or one for each, instead of alpha and beta.

    Examples
    --------
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
            rule = f"were given, but X has {X.shape[1]}"
            raise BadParameter("Z", f"{Z.shape[1]} coordinates", rule, "pass points of the same dimension")
        K: Any = 1.0
        for x, z in zip(self._values(X), self._values(Z), strict=True):
            K = K * (x.T @ z)
        return K

    def features(self, X: Any) -> np.ndarray:
        """Return the feature vectors of points.

        Parameters
        ----------
        X : array of shape (m, d)
            Points.

        Returns
        -------
        ndarray
            Rows Phi_n(x_i), with columns in the order of ``modes``.

        Examples
        --------
        >>> Kernel(1).features([[0.0], [1.0]]).round(4)
        array([[0.7071, 0.    ],
               [0.7071, 1.2247]])
        """
        return tensor_rows(self._values(np.atleast_2d(np.asarray(X, dtype=float)))).T

    def _values(self, X: np.ndarray) -> list[np.ndarray]:
        d = X.shape[1]
        measures = Jacobi(self.alpha, self.beta) if self.measures is None else self.measures
        each = (measures,) * d if isinstance(measures, Measure) else tuple(measures)
        degrees = degrees_by_coordinate(self.n, d)
        if not len(each) == len(degrees) == d:
            rule = f"were given for {len(each)} measures and {len(degrees)} degrees"
            raise BadParameter("X", f"{d} coordinates", rule, "pass one for all, or one for each coordinate")
        return feature_values(each, degrees, X.T, arithmetic("float"))


def project_polynomial(measure: Measure, n: int, f: Any) -> Any:
    """Return the projection Pi_n f of a SymPy polynomial f in x, exactly, from the moments of the weight."""
    from sympy import Poly, Symbol

    x = Symbol("x")
    f = Poly(f, x)
    if not measure.is_rational or not all(c.is_Rational for c in f.all_coeffs()):
        raise BadParameter("f", f.as_expr(), "is not a rational polynomial", "use rational coefficients")
    coefficients = [QQ(c) for c in reversed(f.all_coeffs())]
    total = Poly(0, x)
    for k, h in enumerate(measure.h_ratios(check_degree(n))):
        p = measure.polynomial(k)
        c = measure.inner_ratio(coefficients, [QQ(a) for a in reversed(p.all_coeffs())]) / h
        total += p * symbolic(c)
    return total
