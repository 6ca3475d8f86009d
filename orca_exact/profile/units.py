"""Values of columns in the data's own units, for figures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import BadParameter
from ..numbers.rationals import to_float
from ..problem import Problem

Units = Callable[[int, np.ndarray], np.ndarray]
_HINT = "pass a scaler with inverse_transform, or a function of an array with a row for each point"


def column_units(problem: Problem, units: Any = None) -> Units:
    """Return a function that takes a column, from 0, and values of ``problem.points`` to the data's units.

    Parameters
    ----------
    problem : Problem
        If it rescales its columns, its own rescaling is undone.
    units : transformer or callable, optional
        What turns rows of ``problem.X`` into rows of the data, each column on its own and in the same or the
        opposite order: a fitted scaler or pipeline with ``inverse_transform``, or a function.
    """
    apply = getattr(units, "inverse_transform", units)
    if apply is not None and not callable(apply):
        raise BadParameter("units", repr(units)[:60], "cannot be called", _HINT)
    rows = np.array([[to_float(x) for x in row] for row in problem.X])
    middle = np.median(rows, axis=0)

    def own(column: int, values: np.ndarray) -> np.ndarray:
        values = np.asarray(values, dtype=float)
        if problem.rescale and problem.kernel.is_rescaled(column):
            low, high = rows[:, column].min(), rows[:, column].max()
            values = low + (values + 1) * (high - low) / 2
        if apply is None or not len(values):
            return values
        grid = np.repeat(middle[None, :], len(values) + 1, axis=0)
        grid[1:, column] = values
        found = np.asarray(apply(grid), dtype=float)
        if found.shape != grid.shape:
            rule = f"turn {grid.shape[1]} columns into {found.shape[-1] if found.ndim else 0}"
            raise BadParameter("units", repr(units)[:60], rule, "leave them out")
        others = np.delete(found, column, axis=1)
        if not np.allclose(others, others[0], rtol=1e-9, atol=1e-12 * (1 + abs(others).max(initial=0))):
            raise BadParameter("units", repr(units)[:60], "mix several columns", "leave them out")
        steps = np.diff(found[1:, column][np.argsort(values)])
        if not ((steps >= 0).all() or (steps <= 0).all()):
            raise BadParameter("units", repr(units)[:60], "are not monotone in a column", "leave them out")
        return found[1:, column]

    return own


def rescale_rows(problem: Problem, rows: np.ndarray) -> np.ndarray:
    """Return rows of rationals in the units of ``problem.X`` in those of ``problem.points``."""
    X, out = np.array(problem.X, dtype=object), rows.copy()
    for column in range(problem.d):
        if problem.rescale and problem.kernel.is_rescaled(column):
            low, high = X[:, column].min(), X[:, column].max()
            out[:, column] = (out[:, column] - low) * 2 / (high - low) - 1
    return out
