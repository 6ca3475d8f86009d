"""The kernels of fitted models, and the orthogonal polynomial kernel as a callable for ``SVC``."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator

from ..errors import BadParameter, NotANumber, wrong_count
from ..kernels.kernel import Kernel
from ..kernels.orthogonal import OrthogonalPolynomials
from ..kernels.rbf import RBF
from ..measures.jacobi import Jacobi
from ..numbers.arithmetic import arithmetic
from ..numbers.rationals import QQ, to_float
from ..problem import Problem

DOMAIN_TOLERANCE = 1e-9  # largest distance from the domain that is attributed to rounding in a scaler
SINGLE_PRECISION_ERROR = 1e-6  # relative error of a score from libsvm's single-precision kernel
_UNIT = "[-1, 1]"


class FittedKernel(ABC):
    """The kernel of a fitted model: its values in float64, and the exact problem that it belongs to."""

    @abstractmethod
    def _kernel(self) -> Kernel:
        """Return the kernel of the library."""

    @abstractmethod
    def __call__(self, X: Any, Z: Any) -> np.ndarray:
        """Return the matrix K(x_i, z_j)."""

    def clip_to_domain(self, X: Any, names: tuple[str, ...] | None = None) -> tuple[np.ndarray, int]:
        """Return the points of a fit clipped to the domain, and the number of coordinates that changed."""
        return require_finite_rows(X), 0

    def problem(self, points: Any, y: Any, C: Any, id: str, under: Any = None) -> Problem:
        """Return the exact problem with this kernel on these points."""
        return Problem(points, y, C=C, id=id, kernel=self._kernel(), under=under)

    def is_same(self, other: Any) -> bool:
        """Return whether another object is this kernel, up to a scale."""
        return isinstance(other, FittedKernel) and self._kernel() == other._kernel()

    def absolute(self, coefficients: Any) -> Any:
        """Return dual coefficients, or their bounds, of a fitted SVC in the units of ``problem``."""
        return coefficients

    def libsvm_error(self, points: np.ndarray) -> float:
        """Bound the relative error of the values of the kernel in libsvm."""
        return SINGLE_PRECISION_ERROR


class LibraryKernel(FittedKernel):
    """A linear, polynomial or RBF kernel of a fitted model."""

    def __init__(self, kernel: Kernel):
        self.kernel = kernel

    def __repr__(self) -> str:
        return repr(self.kernel)

    def _kernel(self) -> Kernel:
        return self.kernel

    def __call__(self, X: Any, Z: Any) -> np.ndarray:
        return self.kernel(X, Z)

    def libsvm_error(self, points: np.ndarray) -> float:
        """Bound the same; libsvm computes |x - z|^2 as |x|^2 + |z|^2 - 2x.z, which loses digits."""
        if not isinstance(self.kernel, RBF):
            return SINGLE_PRECISION_ERROR
        largest = float((points * points).sum(axis=1).max())
        exponent = to_float(self.kernel.gamma) * 4 * largest * (points.shape[1] + 3) * 2.0**-53
        return SINGLE_PRECISION_ERROR + float(np.expm1(min(exponent, 1.0)))


class OrthogonalPolynomialKernel(FittedKernel, BaseEstimator):  # type: ignore[misc]
    """Orthogonal polynomial kernel for ``SVC(kernel=OrthogonalPolynomialKernel(n, order=2))``.

    Without ``order`` it is the kernel K_n^(d) of the paper. The columns must lie in [-1, 1], or in the
    domains of ``measures``. A fit outside the domain raises an error, because the weight is not defined
    there; a prediction outside it warns. The kernel has ``get_params`` and ``set_params``, so that
    ``svc__kernel__n`` and ``svc__kernel__order`` are keys for a grid search.

    Parameters
    ----------
    n : int or sequence of int
        Degree, one for all columns or one for each.
    alpha, beta : number
        Parameters of the Jacobi weight, above -1.
    measures : Measure or sequence of Measure, optional
        Measures that replace the Jacobi weight, one for all columns or one for each.
    order : int, optional
        Highest number of columns that interact: 1 for an additive model, 2 for interactions of two columns,
        None for all. A fit to fewer columns than ``order`` is an error.

    Examples
    --------
    >>> from sklearn.svm import SVC
    >>> SVC(kernel=OrthogonalPolynomialKernel(3)).set_params(kernel__n=5).kernel
    OrthogonalPolynomialKernel(n=5)
    """

    def __init__(self, n: Any, alpha: Any = 0, beta: Any = 0, measures: Any = None, order: int | None = None):
        self.n, self.alpha, self.beta, self.measures, self.order = n, alpha, beta, measures, order
        self._check()

    def set_params(self, **params: Any) -> OrthogonalPolynomialKernel:
        """Set parameters and check them; on error the old ones are restored."""
        before = self.get_params(deep=False)
        super().set_params(**params)
        try:
            self._check()
        except ValueError:
            super().set_params(**before)
            raise
        return self

    def _check(self) -> None:
        """Raise BadParameter if a parameter is not valid, or if n and measures differ in length."""
        for name in ("alpha", "beta"):
            try:
                QQ(value := getattr(self, name))
            except NotANumber:
                hint = "pass a number above -1, such as 0, 0.5 or '1/3'"
                raise BadParameter(name, repr(value)[:60], "is not a number", hint) from None
        both = zip(("n", "measures"), self._lists, strict=True)
        counts = {name: len(x) for name, x in both if isinstance(x, list | tuple)}
        if 0 in counts.values() or len(set(counts.values())) > 1:
            name = min(counts, key=lambda name: counts[name])
            wanted = f"for {max(counts.values()) or 'any number of'} columns"
            hint = "pass one for all columns, or one for each"
            raise wrong_count(name, counts[name], "value", wanted, hint)
        kernel = self._kernel()
        kernel.for_columns(max(counts.values(), default=kernel.order or 1))

    @property
    def _lists(self) -> tuple[Any, Any]:
        """Degree and measures, converted from NumPy to a single value or a list."""
        n, measures = (
            x.tolist() if isinstance(x, np.ndarray | np.integer) else x for x in (self.n, self.measures)
        )
        return n, measures

    def _each(self, d: int) -> Any:
        """Return a measure for each of d columns."""
        _, measures = self._lists
        return measures if isinstance(measures, list | tuple) else [measures or Jacobi(0, 0)] * d

    def __call__(self, X: Any, Z: Any) -> np.ndarray:
        """Return the matrix K(x_i, z_j) for points X to predict and points Z of the fit."""
        self.clip_to_domain(Z)
        points = require_finite_rows(X)
        if X is not Z and (found := self._outside(points)):
            i, j, domain = found
            clip = "scale with MinMaxScaler(clip=True)" if domain == _UNIT else "correct the point"
            warnings.warn(
                f"{cell_title(i, j, column_names(X))}: {points[i, j]:.6g} lies outside {domain}, where the "
                f"kernel is unbounded and the prediction is unreliable; {clip}",
                UserWarning,
                stacklevel=2,
            )
        return self._kernel()(points, require_finite_rows(Z))

    def _ends(self, d: int) -> np.ndarray:
        """Return the lower and the upper end of the domain of each column."""
        each = self._each(d)
        if len(each) != d:
            hint = "pass one measure for each column"
            raise BadParameter("X", f"{d} columns", f"do not match {len(each)} measures", hint)
        domains = [measure.domain for measure in each]
        return np.array(
            [[-np.inf if a is None else a, np.inf if b is None else b] for a, b in domains], float
        ).T

    def _outside(self, points: np.ndarray) -> tuple[int, int, str] | None:
        """Return row, column and domain of the number farthest outside; None if all are inside."""
        low, high = self._ends(points.shape[1])
        far = np.maximum(low - points, points - high)
        i, j = (int(k) for k in np.unravel_index(int(far.argmax()), far.shape))
        domain = f"[{low[j]:g}, {high[j]:g}]".replace("[-inf", "(-oo").replace("inf]", "oo)")
        return (i, j, domain) if far[i, j] > DOMAIN_TOLERANCE else None

    def clip_to_domain(self, X: Any, names: tuple[str, ...] | None = None) -> tuple[np.ndarray, int]:
        """Return the points of a fit clipped to the domain, and the number of coordinates that changed.

        Raises BadParameter if a point lies outside by more than rounding errors.
        """
        points = require_finite_rows(X)
        if found := self._outside(points):
            i, j, domain = found
            scale = "put MinMaxScaler((-1, 1)) before the SVC, or use OrcaSVC, which scales"
            raise BadParameter(
                cell_title(i, j, names or column_names(X)), f"{points[i, j]:.6g}", f"lies outside {domain}",
                scale if domain == _UNIT else "shift the column into it, or use another measure",
            )  # fmt: skip
        within = np.clip(points, *self._ends(points.shape[1]))
        return within, int((within != points).sum())

    def mean_diagonal(self, points: np.ndarray, weights: np.ndarray | None = None) -> float:
        """Return the mean of K(x, x) over the points, in float64."""
        A, kernel = arithmetic("float"), self._kernel().for_columns(points.shape[1])
        diagonal = kernel.at(points, A).diagonal
        return float((kernel.mass**-1).to_arithmetic(A) * np.average(diagonal, weights=weights))

    def _kernel(self) -> OrthogonalPolynomials:
        n, measures = self._lists
        order = self.order.item() if isinstance(self.order, np.integer) else self.order
        weighted = any(QQ(x) != 0 for x in (self.alpha, self.beta))
        if measures is not None and weighted:
            hint = "pass either measures, or alpha and beta"
            raise BadParameter("measures", "a value", "was given together with alpha or beta", hint)
        measures = Jacobi(self.alpha, self.beta) if measures is None else measures
        return OrthogonalPolynomials(n, measures, order)


class ScaledKernel(OrthogonalPolynomialKernel):
    """The orthogonal polynomial kernel divided by 2^exponent.

    libsvm keeps its kernel values in single precision, in which the kernel underflows from about 140 columns
    on. Dividing the kernel by a power of 2 multiplies C and the dual coefficients by it, without rounding.
    """

    def __init__(
        self, n: Any, alpha: Any = 0, beta: Any = 0, measures: Any = None, order: int | None = None,
        exponent: int = 0,
    ):  # fmt: skip
        self.exponent = exponent
        super().__init__(n, alpha, beta, measures, order)

    def __call__(self, X: Any, Z: Any) -> np.ndarray:
        """Return K(x_i, z_j)/2^exponent."""
        found: np.ndarray = np.ldexp(super().__call__(X, Z), -self.exponent)
        return found

    def absolute(self, coefficients: Any) -> Any:
        """Return the coefficients for the kernel itself."""
        return np.ldexp(coefficients, -self.exponent)


def require_finite_rows(X: Any) -> np.ndarray:
    """Return X as a matrix of finite floats; raise BadParameter with the place of the first bad value."""
    if issparse(X):
        raise BadParameter("X", type(X).__name__, "is sparse", "pass X.toarray(): the kernel is dense")
    try:
        points = np.asarray(X, dtype=float)
    except (TypeError, ValueError):
        raise BadParameter(
            "X", type(X).__name__, "is not a table of numbers", "encode or drop the other columns"
        ) from None
    if points.ndim != 2 or not points.size:
        hint = "pass a matrix with at least one row and one column"
        raise BadParameter("X", f"shape {points.shape}", "is not a table", hint)
    if len(bad := np.argwhere(~np.isfinite(points))):
        i, j = bad[0]
        place, hint = cell_title(i, j, column_names(X)), "impute the value, or drop the row"
        raise BadParameter(place, points[i, j], "is not a finite number", hint)
    return points


def column_names(X: Any) -> tuple[str, ...] | None:
    """Return the column names of a DataFrame; None for other data."""
    names = getattr(X, "columns", None)
    return None if names is None else tuple(str(name) for name in names)


def column_title(j: int, names: tuple[str, ...] | None) -> str:
    """Return 'column age', or 'column 3' without names, counted from 1."""
    return f"column {names[j]}" if names and j < len(names) else f"column {j + 1}"


def cell_title(i: int, j: int, names: tuple[str, ...] | None) -> str:
    """Return 'X[2], column age', or 'X[2][0]' without names, counted from 0."""
    return f"X[{i}], {column_title(j, names)}" if names and j < len(names) else f"X[{i}][{j}]"
