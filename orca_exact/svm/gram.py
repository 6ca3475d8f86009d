"""Gram matrices and design matrices of problems, computed only if the memory suffices."""

from __future__ import annotations

import numpy as np

from .. import cost
from ..errors import TooLarge
from ..kernels.modes import MAX_MODES
from ..numbers.arithmetic import Arithmetic, arithmetic
from ..problem import Problem


def gram_ratio(problem: Problem, A: Arithmetic | None = None) -> np.ndarray:
    """Return the Gram matrix divided by lambda, R_ij = K(x_i, x_j)/lambda; exact by default."""
    A = A or arithmetic("exact")
    needed, hint = cost.gram_bytes(problem, A), "use fewer points, or the level 'float'"
    cost.require_memory(needed, f"the Gram matrix of {problem.m} points ({A.name})", hint)
    with A.scope():
        return problem.kernel.at(problem.points, A).block(slice(None), slice(None))


def gram(problem: Problem, A: Arithmetic) -> np.ndarray:
    """Return the Gram matrix K(x_i, x_j)."""
    with A.scope():
        return gram_ratio(problem, A) * problem.lambda_in(A)


def design_matrix(problem: Problem, A: Arithmetic) -> np.ndarray:
    """Return the design matrix P_{i,k} = p_k(x_i), with a row for each point and a column for each mode."""
    hint = "use the Gram matrix instead"
    if problem.modes * problem.m > MAX_MODES * 4:
        raise TooLarge("entries of the design matrix", problem.modes * problem.m, MAX_MODES * 4, hint)
    needed = 2 * problem.modes * problem.m * cost.number_bytes(A, A.bits)
    cost.require_memory(needed, f"the design matrix of {problem.m} points", hint)
    with A.scope():
        return problem.polynomials.orthonormal_features(A.array(problem.points), A)
