"""Linear programs in float64, solved by HiGHS. They propose; exact arithmetic decides.

Two kinds of proposals answer whether a combination of functions is positive at some points: its coefficients,
or weights v >= 0, not all 0, with sum_i v_i f(x_i) = 0 for each of the functions (Farkas' lemma).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat

from orca_exact.errors import Undecided

Matrix = list[list[fmpq]]  # a row for each point, a column for each function


def minimise(
    cost: Any, rows: Any, at_most: Any, at_least: Any = None, lower: Any = None, upper: Any = None
) -> list[float] | None:
    """Return x with the least cost·x among at_least <= rows x <= at_most and lower <= x <= upper, or None.

    A bound that is not given does not apply; a single number is the bound of every row or variable.
    """
    import highspy  # scipy.optimize, which calls the same solver, takes half a second to import

    A = np.asarray(rows, dtype=float)
    program, used = highspy.HighsLp(), A != 0

    def bound(value: Any, default: float, size: int) -> np.ndarray:
        return np.broadcast_to(np.asarray(default if value is None else value, dtype=float), (size,)).copy()

    program.num_row_, program.num_col_ = A.shape
    program.col_cost_ = np.asarray(cost, dtype=float)
    program.row_lower_, program.row_upper_ = (
        bound(value, default, len(A)) for value, default in ((at_least, -np.inf), (at_most, np.inf))
    )
    program.col_lower_, program.col_upper_ = (
        bound(value, default, A.shape[1]) for value, default in ((lower, -np.inf), (upper, np.inf))
    )
    program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    program.a_matrix_.start_ = np.concatenate([[0], np.cumsum(used.sum(axis=1))]).astype(np.int32)
    program.a_matrix_.index_ = np.nonzero(used)[1].astype(np.int32)
    program.a_matrix_.value_ = A[used]
    solver = highspy.Highs()
    solver.silent()
    solver.setOptionValue("threads", 1)
    solver.passModel(program)
    solver.run()
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    return list(solver.getSolution().col_value)


def floats(values: Matrix) -> np.ndarray:
    """Return a rational matrix in float64, for a linear program."""
    return np.array([[int(v.p) / int(v.q) for v in row] for row in values])


def positive_combination(values: Matrix) -> list[fmpq] | None:
    """Return rational coefficients of a combination that may be positive at every point, or None.

    The linear program maximises the smallest value for functions that are divided by their largest value.
    """
    A = floats(values)
    scale = [fmpq(round(s * 2**20), 2**20) for s in np.abs(A).max(axis=0)]
    A = A / np.abs(A).max(axis=0)
    m, k = A.shape
    lower, upper = [-1000] * k + [-np.inf], [1000] * k + [1]
    found = minimise([0] * k + [-1], np.hstack([-A, np.ones((m, 1))]), 0, lower=lower, upper=upper)
    if found is None:
        return None
    return [fmpq(round(c * 2**20), 2**20) / s for c, s in zip(found[:k], scale, strict=True)]


def smallest_value(coefficients: list[fmpq], values: Matrix) -> fmpq:
    """Return the smallest value of a combination of the functions, exactly."""
    return min(sum((c * v for c, v in zip(coefficients, row, strict=True)), fmpq(0)) for row in values)


def farkas_weights(values: Matrix) -> list[fmpq] | None:
    """Return weights v with sum_i v_i f(x_i) = 0 for each function f and sum 1, or None.

    Whether all are nonnegative, as Farkas' lemma requires, is for the caller to check (``excludes``).
    """
    A = np.linalg.qr(floats(values))[0].T
    sums = [0] * len(A) + [1]
    found = minimise(
        np.linspace(1, 2, len(values)), np.vstack([A, np.ones(len(values))]), sums, sums, lower=0
    )
    if found is None:
        return None
    support = [i for i, v in enumerate(found) if v > 1e-9]
    count = len(values[0])
    matrix = fmpq_mat([[values[i][k] for i in support] for k in range(count)] + [[1] * len(support)])
    try:
        normal = matrix.transpose() * matrix
        v = normal.solve(matrix.transpose() * fmpq_mat([[0]] * count + [[1]]))
    except ZeroDivisionError:
        return None
    weights = [fmpq(0)] * len(values)
    for k, i in enumerate(support):
        weights[i] = v[k, 0]
    return weights


def excludes(weights: list[fmpq], values: Matrix) -> bool:
    """Return whether the weights are nonnegative, not all 0, and annihilate every function, over Q."""
    carried = [(v, row) for v, row in zip(weights, values, strict=True) if v != 0]
    zero = all(sum((v * row[k] for v, row in carried), fmpq(0)) == 0 for k in range(len(values[0])))
    return bool(carried) and all(v > 0 for v, _ in carried) and zero


def least_margin(values: Matrix) -> fmpq:
    """Return a positive smallest value that a combination reaches, or 0 if weights exclude every one."""
    found = positive_combination(values)
    if found is not None and (least := smallest_value(found, values)) > 0:
        return least
    weights = farkas_weights(values)
    if weights is None or not excludes(weights, values):
        raise Undecided("exact arithmetic confirms none of the proposals of the linear programs")
    return fmpq(0)
