"""The tensor-product kernel of the paper, K_n^(d), as the claims use it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from orca_exact.kernels.modes import Modes
from orca_exact.kernels.orthogonal import (
    OrthogonalPolynomials,
    cd_closed,
    cd_confluent,
    cd_sum,
    project_polynomial,
)
from orca_exact.measures.jacobi import Jacobi
from orca_exact.numbers.arithmetic import Arithmetic, arithmetic
from orca_exact.numbers.rationals import QQ
from orca_exact.problem import Problem
from orca_exact.svm.gram import gram, gram_ratio

__all__ = [
    "QQ", "Jacobi", "OrthogonalPolynomials", "arithmetic", "basis", "cd_closed", "cd_confluent", "cd_sum",
    "gram", "gram_ratio", "mode_labels", "modes", "project_polynomial", "tensor_rows",
]  # fmt: skip


def modes(n: int, d: int) -> list[tuple[int, ...]]:
    """Return the multi-indices {0, ..., n}^d in lexicographic order."""
    return list(Modes((n,) * d, d))


def mode_labels(n: int, d: int) -> np.ndarray:
    """Return the order and the degree (q, N) of each multi-index, in the order of ``modes``."""
    return Modes((n,) * d, d).labels


def tensor_rows(columns: Sequence[np.ndarray]) -> np.ndarray:
    """Return products of rows, one of each array of shape (n+1, m), in the order of ``modes``."""
    return Modes(tuple(len(column) - 1 for column in columns), len(columns)).products(columns)


def basis(problem: Problem, A: Arithmetic) -> tuple[list[Any], list[Any]]:
    """Return for each coordinate the values pi_k(x_i), shape (n+1, m), and weights h_0/h_k, shape (n+1,)."""
    at = problem.polynomials.at(problem.points, A)
    return at.values, at.weights
