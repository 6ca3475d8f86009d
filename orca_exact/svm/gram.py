"""Gram matrices and design matrices of problems, computed only if the memory suffices."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import cost
from ..errors import TooLarge
from ..kernels.kernel import KernelValues
from ..kernels.modes import MAX_MODES
from ..numbers.arithmetic import Arithmetic, arithmetic
from ..problem import Problem


def gram_ratio(problem: Problem, A: Arithmetic | None = None) -> np.ndarray:
    """Return the Gram matrix divided by lambda, R_ij = K(x_i, x_j)/lambda; exact by default."""
    A = A or arithmetic("exact")
    needed, hint = cost.gram_bytes(problem, A), "use fewer points, or the level 'float'"
    cost.require_memory(needed, f"the Gram matrix of {problem.m} points ({A.name})", hint)
    with A.scope():
        found: np.ndarray = problem.kernel.at(problem.points, A).block(slice(None), slice(None))
        return found


class FeatureGram:
    """R over the rationals by few features: parts of it and its products are computed on demand."""

    def __init__(self, at: KernelValues):
        self.features = at.features
        M, g = self.features
        self._at, self._weighted = at, (M * g.reshape(-1, 1)).T

    def __getitem__(self, rows_and_columns: tuple[np.ndarray, ...]) -> np.ndarray:
        """Return R[np.ix_(rows, columns)]."""
        rows, columns = (np.ravel(part).astype(int) for part in rows_and_columns)
        found: np.ndarray = self._at.block(rows, columns)
        return found

    def __matmul__(self, s: Any) -> Any:
        """Multiply a vector from the left by R."""
        return self._weighted @ (self.features[0] @ s)


def exact_gram(problem: Problem) -> np.ndarray | FeatureGram:
    """Return R over the rationals: by features if they are fewer than half the points, else as a matrix."""
    if 2 * problem.modes > problem.m:
        return gram_ratio(problem)
    return FeatureGram(problem.kernel.at(problem.points, arithmetic("exact")))


def gram(problem: Problem, A: Arithmetic) -> np.ndarray:
    """Return the Gram matrix K(x_i, x_j), without the constant that is dropped from R."""
    with A.scope():
        found: np.ndarray = gram_ratio(problem, A) * problem.lambda_in(A)
        return found


def design_matrix(problem: Problem, A: Arithmetic) -> np.ndarray:
    """Return the design matrix P_{i,k} = p_k(x_i), with a row for each point and a column for each mode."""
    hint = "use the Gram matrix instead"
    if problem.modes * problem.m > MAX_MODES * 4:
        raise TooLarge("entries of the design matrix", problem.modes * problem.m, MAX_MODES * 4, hint)
    needed = 2 * problem.modes * problem.m * cost.number_bytes(A, A.bits)
    cost.require_memory(needed, f"the design matrix of {problem.m} points", hint)
    with A.scope():
        return problem.polynomials.orthonormal_features(A.array(problem.points), A)
