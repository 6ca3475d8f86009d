"""The kernel as a callable for ``SVC``, with parameters that a grid search can reach."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator

from ..errors import BadParameter, NotANumber
from ..kernels.orthogonal import Kernel
from ..measures.jacobi import Jacobi
from ..numbers.rationals import QQ
from ..problem import Problem

ROUNDING = 1e-9  # how far beyond its domain a scaler's rounding may put a point
_UNIT = "[-1, 1]"


class OrthogonalPolynomialKernel(BaseEstimator):
    """K_n^(d) for ``SVC(kernel=OrthogonalPolynomialKernel(n, alpha, beta))``, on columns in [-1, 1].

    It has ``get_params`` and ``set_params``: ``svc__kernel__n`` is a key for a grid search. It refuses to be
    fitted outside [-1, 1], where its weight is not defined, and warns where a prediction is made there.
    ``measures``, one or one for each column, stand in for alpha and beta and bring their own domains; n may
    then be a list too.

    >>> from sklearn.svm import SVC
    >>> SVC(kernel=OrthogonalPolynomialKernel(3)).set_params(kernel__n=5).kernel
    OrthogonalPolynomialKernel(n=5)
    """

    def __init__(self, n: Any, alpha: Any = 0, beta: Any = 0, measures: Any = None):
        self.n, self.alpha, self.beta, self.measures = n, alpha, beta, measures
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
        """As a problem is: of two points with as many coordinates as n and the measures speak of."""
        for name in ("alpha", "beta"):
            try:
                QQ(value := getattr(self, name))
            except NotANumber:
                raise BadParameter(
                    name, repr(value)[:60], "is not a number", "take 0, 0.5, '1/3' or another above -1"
                ) from None
        both = zip(("n", "measures"), self._lists, strict=True)
        counts = {name: len(x) for name, x in both if isinstance(x, list | tuple)}
        if 0 in counts.values() or len(set(counts.values())) > 1:
            name = min(counts, key=lambda name: counts[name])
            rule = f"for {max(counts.values()) or 'any number of'} columns"
            raise BadParameter(name, f"{counts[name]} values", rule, "give one for all columns, or one each")
        each = self._each(max(counts.values(), default=1))
        point = [getattr(measure, "domain", (0, 0))[0] or 0 for measure in each]
        self.problem([point, point], [1, -1], 1, "")

    @property
    def _lists(self) -> tuple[Any, Any]:
        """n and the measures as Python has them: one, or a list."""
        n, measures = (
            x.tolist() if isinstance(x, np.ndarray | np.integer) else x for x in (self.n, self.measures)
        )
        return n, measures

    def _each(self, d: int) -> Any:
        """A measure for each of d columns."""
        _, measures = self._lists
        return measures if isinstance(measures, list | tuple) else [measures or Jacobi(0, 0)] * d

    def __call__(self, X: Any, Z: Any) -> np.ndarray:
        """The matrix K(x_i, z_j). Z are the points of the fit: outside [-1, 1] they are an error."""
        self.inside(Z)
        points = require_finite_rows(X)
        if X is not Z and (found := self._outside(points)):
            i, j, domain = found
            clip = "clip what is scaled (MinMaxScaler(clip=True))" if domain == _UNIT else "correct the point"
            warnings.warn(
                f"{cell_title(i, j, column_names(X))}: {points[i, j]:.6g} lies outside {domain}, where the "
                f"kernel is not bounded; {clip}, or distrust it",
                UserWarning,
                stacklevel=2,
            )
        n, measures = self._lists
        return Kernel(n, self.alpha, self.beta, measures)(points, require_finite_rows(Z))

    def _ends(self, d: int) -> np.ndarray:
        """The least and largest value of each column."""
        each = self._each(d)
        if len(each) != d:
            raise BadParameter("X", f"{d} columns", f"for {len(each)} measures", "make them equal")
        domains = [measure.domain for measure in each]
        return np.array(
            [[-np.inf if a is None else a, np.inf if b is None else b] for a, b in domains], float
        ).T

    def _outside(self, points: np.ndarray) -> tuple[int, int, str] | None:
        """Row and column of the number farthest outside its domain, if beyond rounding, and that domain."""
        low, high = self._ends(points.shape[1])
        far = np.maximum(low - points, points - high)
        i, j = (int(k) for k in np.unravel_index(int(far.argmax()), far.shape))
        domain = f"[{low[j]:g}, {high[j]:g}]".replace("[-inf", "(-oo").replace("inf]", "oo)")
        return (i, j, domain) if far[i, j] > ROUNDING else None

    def inside(self, X: Any, names: tuple[str, ...] | None = None) -> tuple[np.ndarray, int]:
        """Points of a fit as numbers in the domain, and how many a scaler's rounding had put just beyond."""
        points = require_finite_rows(X)
        if found := self._outside(points):
            i, j, domain = found
            scale = "put MinMaxScaler((-1, 1)) before the SVC, or take OrcaSVC, which scales"
            raise BadParameter(
                cell_title(i, j, names or column_names(X)), f"{points[i, j]:.6g}", f"lies outside {domain}",
                scale if domain == _UNIT else "shift the column into it, or take another measure",
            )  # fmt: skip
        within = np.clip(points, *self._ends(points.shape[1]))
        return within, int((within != points).sum())

    def problem(self, points: Any, y: Any, C: Any, id: str) -> Problem:
        """The exact problem with this kernel on these points."""
        weight = {"alpha": self.alpha, "beta": self.beta}
        n, measures = self._lists
        if measures is not None:
            weight = {name: x for name, x in weight.items() if QQ(x) != 0} | {"measures": measures}
        return Problem(points, y, n, C=C, id=id, **weight)


def require_finite_rows(X: Any) -> np.ndarray:
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
            cell_title(i, j, column_names(X)),
            points[i, j],
            "is not a finite number",
            "impute or drop the row",
        )
    return points


def column_names(X: Any) -> tuple[str, ...] | None:
    """The names of a DataFrame's columns."""
    names = getattr(X, "columns", None)
    return None if names is None else tuple(str(name) for name in names)


def column_title(j: int, names: tuple[str, ...] | None) -> str:
    """'column age', or 'column 3', counted from 1."""
    return f"column {names[j]}" if names and j < len(names) else f"column {j + 1}"


def cell_title(i: int, j: int, names: tuple[str, ...] | None) -> str:
    """'X[2], column age', or 'X[2][0]': as Python finds it."""
    return f"X[{i}], {column_title(j, names)}" if names and j < len(names) else f"X[{i}][{j}]"
