"""Condition numbers: how much a problem amplifies rounding errors of the kernel values."""

from __future__ import annotations

import numpy as np
from flint import arb, fmpq_mat

from ..errors import Undecided, ZeroClassifier
from ..kernels.polynomial import PowerKernel
from ..measures.families import Discrete
from ..measures.measure import Measure
from ..numbers.arithmetic import arithmetic
from ..numbers.rationals import QQ, to_float
from ..problem import Problem
from ..profile.profile import orca
from ..svm.certificate import Certificate, Solution
from ..svm.gram import gram_ratio

CONDITION_NAMES = ("coefficients", "w", "alpha", "b")
NO_DIGITS = 2.0**53  # a condition number that leaves float64 no digit


def condition_numbers(problem: Problem, certificate: Certificate) -> dict[str, str]:
    """Estimate how much each stage amplifies a relative error e of the kernel, |dK_ij| <= e sqrt(K_ii K_jj).

    The optimal active set is held fixed. r_i = sqrt(K_ii) sum_j sqrt(K_jj) |s_j| bounds the residual that dK
    leaves in the margins, S is the free block of the inverse KKT matrix, and ||dw||^2 = r^T S r. These are
    float64 estimates with two digits, not proved bounds.
    """
    signs = np.array(problem.y, dtype=float)
    s = np.array([float(x) for x in certificate.alpha(30)]) * signs
    return estimate_conditions(problem, s, [i - 1 for i in certificate.free], certificate.is_zero)


def estimate_conditions(problem: Problem, s: np.ndarray, free: list[int], zero: bool) -> dict[str, str]:
    """Estimate the same for signed coefficients s.

    ``free`` lists the s_i that are not at a bound; ``zero`` is true if w = 0.
    """
    R = gram_ratio(problem, arithmetic("float")) * float(problem.lambda_ball())
    root = np.sqrt(np.maximum(np.diag(R), np.max(np.diag(R)) * 2.0**-40))
    spread = float(root @ np.abs(s))
    norm = 0.0 if zero else float(np.sqrt(max(s @ R @ s, 0.0)))
    own = problem.kernel.own_measures is not None
    if own:
        columns = zip(problem.measures, problem.degrees, problem.points.T, strict=True)
        out = {"gram": sum(estimate_coordinate_condition(measure, n, x) for measure, n, x in columns)}
    else:
        out = {"gram": _standard_condition(problem, R), "norm2": NO_DIGITS, "share": NO_DIGITS}
    if not zero and norm <= 1e-7 * spread:  # ||w|| is rounding noise in float64
        return _written(out | dict.fromkeys(CONDITION_NAMES, NO_DIGITS))
    out |= dict.fromkeys(CONDITION_NAMES, 1 + (spread / norm if norm else 0.0))
    if len(free) > 1 and norm:
        S, rank = _free_block(R, root, free)
        dw = spread * float(np.sqrt(np.abs(S).sum()))
        out["w"] += dw / norm
        moved = spread * np.abs(S).sum(axis=1) / root[free]
        out["alpha"] += float(np.max(moved) / np.max(np.abs(s)))
        out["b"] += (spread + dw) * float(root[free].min())
        if rank < _rank(problem, free):  # float64 dropped a direction that is ill-conditioned, not null
            out |= dict.fromkeys(("w", "alpha", "b"), NO_DIGITS)
    elif norm:
        out["b"] += spread * float(root.min())
    if not own:
        out["norm2"] = out["coefficients"] ** 2
        out |= _condition_under_measures(problem, s, norm) if norm else {"share": 1.0}
    return _written({key: min(x, NO_DIGITS) for key, x in out.items()})


def _standard_condition(problem: Problem, K: np.ndarray) -> float:
    """Estimate how much a linear, polynomial or RBF kernel amplifies errors, relative to the diagonal.

    A relative error u of every coordinate changes gamma |x - z|^2 by at most 2 u gamma sum |x_l - z_l| (|x_l|
    + |z_l|), and (gamma x.z + coef0)^p by at most p (d + 3) u times the geometric mean of the diagonal.
    """
    kernel = problem.kernel
    if isinstance(kernel, PowerKernel):
        return float(kernel.degree * (problem.d + 3))
    X = np.array([[to_float(x) for x in row] for row in problem.points])
    steps = sum(np.abs(np.subtract.outer(x, x)) * np.add.outer(np.abs(x), np.abs(x)) for x in X.T)
    return problem.d + 3 + 2 * to_float(kernel.gamma) * float(np.max(K * steps))  # type: ignore[attr-defined]


def _condition_under_measures(problem: Problem, s: np.ndarray, norm: float) -> dict[str, float]:
    """Estimate how much the indices amplify errors of the kernel ("coefficients") and of w ("share").

    For modes the first is sum |s_i| || |k|(x_i, .) || / sd(h), where |k| is the kernel of absolute values.
    For pairs of points it is (sum |s_i| sd(k(x_i, .)) / sd(h))^2.
    """
    kernel, A = problem.kernel, arithmetic("ball", 40)
    alpha = [QQ(float(x)) * label for x, label in zip(s, problem.y, strict=True)]
    try:
        sd = float(orca(problem, Solution(problem, tuple(alpha)), "ball", 40).variance) ** 0.5
    except (Undecided, ZeroClassifier):  # h is constant, exactly or nearly
        return {"coefficients": NO_DIGITS, "share": NO_DIGITS}
    with A.scope():
        parts = kernel.at(problem.points, A).decompose(problem.index_measures)
        reach = float(arb(parts.embedding)) ** 0.5
    if isinstance(kernel, PowerKernel):
        p, X = kernel.degree, np.abs([[to_float(x) for x in row] for row in problem.points])
        size = [to_float(J.moment_ratios(2 * p)[2 * p]) ** (0.5 / p) for J in problem.index_measures]
        base = to_float(kernel.gamma) * (X @ np.array(size)) + abs(to_float(kernel.coef0))
        factor = float(np.abs(s) @ base**p) / sd
    else:
        every = np.arange(problem.m)
        with A.scope():
            means = parts.scale(A.array([QQ(1)] * problem.m)) * A(QQ(2) ** parts.exponent)
            squares = [B + 1 for B in parts.factors(every, every)]
            variances = means * means * (np.prod(squares, axis=0) - 1)
        deviations = np.sqrt([max(float(x), 0.0) for x in variances])
        factor = (float(np.abs(s) @ deviations) / sd) ** 2
    return {"coefficients": 1 + factor, "share": max(1.0, norm * reach / sd)}


def estimate_coordinate_condition(measure: Measure, n: int, x: np.ndarray) -> float:
    """Estimate how much the kernel of one coordinate amplifies rounding errors of x, nodes and weights.

    On [-1, 1] it is (n+1)^2, by Markov's inequality |p'| <= n^2 max|p|. Elsewhere no bound holds for all x;
    at the given points |x dK(x, z)/dx| <= |x| sqrt(sum p_k'(x)^2 K(z, z)) by Cauchy-Schwarz, once for x and
    once for z. Nodes t_j rounded by u change the integral of p^2 by at most 2u ||p|| ||t p'||, and K
    relatively by 2u times the norm of t d/dt on polynomials of degree n; weights rounded by u change K
    relatively by u. These are bounds to first order; (n+1)^2 is added as an estimate for the recurrence.
    """
    total = float((n + 1) ** 2)
    if measure.domain == (-1, 1):
        return total
    kappa = 1 / np.sqrt([to_float(h) for h in measure.h_ratios(n)])[:, None]  # h_0 cancels

    def at(t: np.ndarray, order: int) -> np.ndarray:
        return np.array(measure.derivatives(n, t, order), dtype=float) * kappa

    X = np.array([to_float(t) for t in x])
    with np.errstate(all="ignore"):
        slopes = np.sqrt((at(X, 1) ** 2).sum(axis=0) / (at(X, 0) ** 2).sum(axis=0))
        total += 2 * float(np.max(np.abs(X) * slopes))
    if isinstance(measure, Discrete):
        t, w = (np.array([to_float(q) for q in part]) for part in (measure.nodes, measure.weights))
        share = np.sqrt(w / w.sum())
        total += 1 + 2 * float(np.linalg.norm(at(t, 1) * t * share, 2))
    return min(total, NO_DIGITS) if total == total else NO_DIGITS


def _written(kappas: dict[str, float]) -> dict[str, str]:
    return {key: f"{x:.1e}" for key, x in kappas.items()}


def _free_block(R: np.ndarray, root: np.ndarray, free: list[int]) -> tuple[np.ndarray, int]:
    """Return S, scaled by sqrt(K_ii), on {ds : sum ds = 0}, and its numerical rank in float64."""
    Z = np.linalg.svd(np.ones((1, len(free))))[2][1:].T
    scaled = R[np.ix_(free, free)] / np.outer(root[free], root[free])
    Z = np.linalg.qr(root[free][:, None] * Z)[0]
    values, vectors = np.linalg.eigh(Z.T @ scaled @ Z)
    kept = values > 1e-12 * values[-1]
    V = Z @ vectors[:, kept]
    return V / values[kept] @ V.T, int(kept.sum())


def _rank(problem: Problem, free: list[int]) -> int:
    """Return the exact rank of K on {ds : sum ds = 0}."""
    if not problem.kernel.rational:  # distinct points have a regular Gram matrix
        return len({problem.X[i] for i in free}) - 1
    R, last = gram_ratio(problem), free[-1]
    differences = [[R[i, j] - R[i, last] - R[last, j] + R[last, last] for j in free[:-1]] for i in free[:-1]]
    return fmpq_mat(differences).numer_denom()[0].rank()
