"""How much a problem magnifies the rounding of a kernel value: which digits an arithmetic can deliver."""

from __future__ import annotations

import numpy as np
from flint import fmpq_mat

from ..arithmetic import arithmetic
from ..kernel import gram_ratio
from ..problem import Problem
from ..svm.certificate import Certificate

KAPPAS, HOPELESS = ("coefficients", "w", "alpha", "b"), 2.0**53  # a condition that leaves float64 no digit


def condition(problem: Problem, certificate: Certificate) -> dict[str, str]:
    """How much each stage magnifies a relative error e of the kernel values, |dK_ij| <= e sqrt(K_ii K_jj).

    In float64, with the optimal active set held fixed: r_i = sqrt(K_ii) sum_j sqrt(K_jj) |s_j| bounds the
    residual that dK leaves in the margins, S is the free block of the inverse KKT matrix, and
    ||dw||^2 = r^T S r. A yardstick, not a proof: written with two digits.
    """
    signs = np.array(problem.y, dtype=float)
    s = np.array([float(x) for x in certificate.alpha(30)]) * signs
    return magnify(problem, s, [i - 1 for i in certificate.free], certificate.is_zero)


def magnify(problem: Problem, s: np.ndarray, free: list[int], zero: bool) -> dict[str, str]:
    """The same for signed coefficients s, of which those at ``free`` may move; ``zero``: w = 0."""
    R = gram_ratio(problem, arithmetic("float")) * float(problem.lambda_ball())
    root = np.sqrt(np.diag(R))
    spread = float(root @ np.abs(s))
    norm = 0.0 if zero else float(np.sqrt(max(s @ R @ s, 0.0)))
    out = {"gram": float(problem.d * (problem.n + 1) ** 2)}  # Markov: |p'| <= n^2 max|p|, in d coordinates
    if not zero and norm <= 1e-7 * spread:  # noise of float64: what it magnifies cannot be told
        return _written(out | dict.fromkeys(KAPPAS, HOPELESS))
    out |= dict.fromkeys(KAPPAS, 1 + (spread / norm if norm else 0.0))
    if len(free) > 1 and norm:
        S, rank = _free_block(R, root, free)
        dw = spread * float(np.sqrt(np.abs(S).sum()))
        out["w"] += dw / norm
        moved = spread * np.abs(S).sum(axis=1) / root[free]
        out["alpha"] += float(np.max(moved) / np.max(np.abs(s)))
        out["b"] += (spread + dw) * float(root[free].min())
        if rank < _rank(problem, free):  # a direction was cut that is bad, not null
            out |= dict.fromkeys(("w", "alpha", "b"), HOPELESS)
    elif norm:
        out["b"] += spread * float(root.min())
    return _written(out)


def _written(kappas: dict[str, float]) -> dict[str, str]:
    return {key: f"{x:.1e}" for key, x in kappas.items()}


def _free_block(R: np.ndarray, root: np.ndarray, free: list[int]) -> tuple[np.ndarray, int]:
    """S, scaled by sqrt(K_ii), on {ds : sum ds = 0}, and the rank that float64 sees."""
    Z = np.linalg.svd(np.ones((1, len(free))))[2][1:].T
    scaled = R[np.ix_(free, free)] / np.outer(root[free], root[free])
    Z = np.linalg.qr(root[free][:, None] * Z)[0]
    values, vectors = np.linalg.eigh(Z.T @ scaled @ Z)
    kept = values > 1e-12 * values[-1]
    V = Z @ vectors[:, kept]
    return V / values[kept] @ V.T, int(kept.sum())


def _rank(problem: Problem, free: list[int]) -> int:
    """Of K on {ds : sum ds = 0}, exactly."""
    R, last = gram_ratio(problem), free[-1]
    differences = [[R[i, j] - R[i, last] - R[last, j] + R[last, last] for j in free[:-1]] for i in free[:-1]]
    return fmpq_mat(differences).numer_denom()[0].rank()
