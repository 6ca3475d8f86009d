"""Linear programs in float64, solved by HiGHS. They propose; exact arithmetic decides."""

from __future__ import annotations

from typing import Any

import numpy as np


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
