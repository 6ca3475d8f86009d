"""The kernel as a callable for ``SVC``, with parameters that a grid search can reach."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator

from ..errors import BadParameter, NotANumber, TooLarge
from ..jacobi import Jacobi, degree
from ..kernel import Kernel
from ..problem import MAX_PARAMETER, Problem

ROUNDING = 1e-9  # how far beyond its domain a scaler's rounding may put a point
LOW, HIGH = -1.0, 1.0


class OrthogonalPolynomialKernel(BaseEstimator):
    """K_n^(d) for ``SVC(kernel=OrthogonalPolynomialKernel(n, alpha, beta))``, on columns in [-1, 1].

    It has ``get_params`` and ``set_params``: ``svc__kernel__n`` is a key for a grid search. It refuses to be
    fitted outside [-1, 1], where its weight is not defined, and warns where a prediction is made there.

    >>> from sklearn.svm import SVC
    >>> SVC(kernel=OrthogonalPolynomialKernel(3)).set_params(kernel__n=5).kernel
    OrthogonalPolynomialKernel(n=5)
    """

    def __init__(self, n: int, alpha: Any = 0, beta: Any = 0):
        self.n, self.alpha, self.beta = n, alpha, beta
        self._check()

    def set_params(self, **params: Any) -> OrthogonalPolynomialKernel:
        """Other parameters, checked like the first ones."""
        before = self.get_params(deep=False)
        super().set_params(**params)
        try:
            self._check()
        except ValueError:
            super().set_params(**before)
            raise
        return self

    def _check(self) -> None:
        degree(self.n)
        for name in ("alpha", "beta"):
            value = getattr(self, name)
            try:
                found = getattr(Jacobi(**{"alpha": 0, "beta": 0, name: value}), name)
            except (NotANumber, TypeError):
                raise BadParameter(
                    name, repr(value)[:60], "is not a number", "take 0, 0.5, '1/3' or another above -1"
                ) from None
            if found > MAX_PARAMETER:
                raise TooLarge(name, value, MAX_PARAMETER, "take a smaller parameter")

    def __call__(self, X: Any, Z: Any) -> np.ndarray:
        """The matrix K(x_i, z_j). Z are the points of the fit: outside [-1, 1] they are an error."""
        inside(Z)
        points = numbers(X)
        if X is not Z and (place := outside(points)):
            i, j = place
            warnings.warn(
                f"{column(j, columns(X))}: {points[i, j]:.6g} in row {i} lies outside [-1, 1], where the "
                "kernel is not bounded; scale with MinMaxScaler((-1, 1), clip=True), or distrust this row",
                UserWarning,
                stacklevel=2,
            )
        return Kernel(self.n, self.alpha, self.beta)(points, numbers(Z))

    def problem(self, points: np.ndarray, y: Any, C: Any, id: str) -> Problem:
        """The exact problem with this kernel on these points."""
        return Problem(points, y, self.n, self.alpha, self.beta, C=C, id=id)


def numbers(X: Any) -> np.ndarray:
    """Rows of finite floats, or an error that names the place."""
    if issparse(X):
        raise BadParameter("X", type(X).__name__, "is sparse", "give X.toarray(): the kernel is dense")
    try:
        points = np.asarray(X, dtype=float)
    except (TypeError, ValueError):
        raise BadParameter(
            "X", type(X).__name__, "is not a table of numbers", "encode or drop the other columns"
        ) from None
    if points.ndim != 2 or not points.size:
        raise BadParameter(
            "X", f"shape {points.shape}", "is not a table", "give rows of columns, at least one"
        )
    if len(bad := np.argwhere(~np.isfinite(points))):
        i, j = bad[0]
        raise BadParameter(
            column(j, columns(X)),
            f"{points[i, j]} in row {i}",
            "is not a finite number",
            "impute or drop the row",
        )
    return points


def inside(X: Any, names: tuple[str, ...] | None = None) -> tuple[np.ndarray, int]:
    """Points of a fit as numbers in [-1, 1], and how many a scaler's rounding had put just beyond."""
    points = numbers(X)
    if place := outside(points):
        i, j = place
        raise BadParameter(
            column(j, names or columns(X)), f"{points[i, j]:.6g} in row {i}", "lies outside [-1, 1]",
            "put MinMaxScaler((-1, 1)) before the SVC, or take OrcaSVC, which scales",
        )  # fmt: skip
    beyond = (points < LOW) | (points > HIGH)
    return np.clip(points, LOW, HIGH), int(beyond.sum())


def outside(points: np.ndarray) -> tuple[int, int] | None:
    """Row and column of the number farthest outside [-1, 1], if one is beyond rounding."""
    far = np.abs(points)
    i, j = np.unravel_index(int(far.argmax()), far.shape)
    return (int(i), int(j)) if far[i, j] > HIGH + ROUNDING else None


def columns(X: Any) -> tuple[str, ...] | None:
    """The names of a DataFrame's columns."""
    names = getattr(X, "columns", None)
    return None if names is None else tuple(str(name) for name in names)


def column(j: int, names: tuple[str, ...] | None) -> str:
    """'column age', or 'column 3', counted from 0 as scikit-learn does."""
    return f"column {names[j]}" if names is not None and j < len(names) else f"column {j}"
