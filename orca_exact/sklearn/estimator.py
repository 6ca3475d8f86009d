"""OrcaSVC, a classifier that scales its columns and fits an SVC with the orthogonal polynomial kernel."""

from __future__ import annotations

from dataclasses import replace
from math import log2
from numbers import Real
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import MinMaxScaler
from sklearn.svm import SVC
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from ..errors import BadParameter
from ..kernels.orthogonal import OrthogonalPolynomials
from ..profile.profile import Profile
from .audit import Audit, Audits, audit
from .explain import Explanation, Explanations, explain
from .kernel import ScaledKernel
from .wrappers import PairKey, row_weights


class OrcaSVC(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Support vector classifier with the orthogonal polynomial kernel on columns scaled to [-1, 1].

    Rows of weight 0 are left out of the fit and of the scaling. A constant column has the degree 0, so that
    the model does not depend on it.

    Parameters
    ----------
    n : int or sequence of int
        Degree of the kernel, one for all columns or one for each.
    order : int, optional
        Highest number of columns that interact: 1 for an additive model, 2 for interactions of two columns,
        None for all, which is the kernel of the paper. A number larger than that of the columns means all.
    C : float
        Regularization parameter, relative to the mean of K(x, x) over the rows of the fit: the model is that
        of ``SVC`` with this C and the kernel divided by the mean. So the same C suits any number of columns.
        There is one mean for all classes; with ``sample_weight`` it is the weighted mean, so that a row of
        weight 2 is the same as two rows.
    alpha, beta : number
        Parameters of the Jacobi weight, above -1.
    class_weight : dict or "balanced", optional
        As in ``SVC``.
    clip : bool
        Whether rows outside the training range are moved to its edge before a prediction. Otherwise they are
        predicted where they are, with a warning: the polynomials grow without bound there.
    tol : float
        Tolerance of libsvm; indices need a smaller one than labels.
    cache_size : float
        As in ``SVC``.
    max_iter : int
        Limit of the iterations; libsvm may not terminate on badly scaled kernels.
    decision_function_shape : {"ovr", "ovo"}
        As in ``SVC``.
    break_ties : bool
        As in ``SVC``.

    Attributes
    ----------
    classes_ : ndarray
        The labels.
    C_ : float
        The absolute C, which belongs to the kernel that is not divided: C divided by the mean of K(x, x). The
        problems of ``audit`` have it.
    order_ : int
        The order, at most the number of columns.
    pipeline_ : Pipeline
        The fitted scaler and SVC. Its kernel is divided by the power of 2 next to the mean, because libsvm
        computes in single precision; its C and ``dual_coef_`` are multiplied by it.
    n_iter_ : int
        Largest number of iterations of libsvm for a pair of classes.

    Examples
    --------
    >>> X, y = [[1.0, 5], [2, 7], [3, 5], [4, 8], [5, 6], [6, 9]], [0, 0, 1, 1, 0, 0]
    >>> model = OrcaSVC(C=100).fit(X, y)
    >>> model.predict([[3, 5], [1, 6]]), model.profile_.peak
    (array([1, 0]), 2)
    """

    def __init__(
        self,
        n: Any = 2,
        order: int | None = 2,
        C: float = 1.0,
        *,
        alpha: Any = 0,
        beta: Any = 0,
        class_weight: Any = None,
        clip: bool = True,
        tol: float = 1e-8,
        cache_size: float = 200,
        max_iter: int = 1_000_000,
        decision_function_shape: str = "ovr",
        break_ties: bool = False,
    ):
        self.n, self.order, self.C = n, order, C
        self.alpha, self.beta = alpha, beta
        self.class_weight = class_weight
        self.clip = clip
        self.tol, self.cache_size, self.max_iter = tol, cache_size, max_iter
        self.decision_function_shape, self.break_ties = decision_function_shape, break_ties

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> OrcaSVC:
        """Scale the columns and fit the SVC."""
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        weights = None
        if sample_weight is not None:
            weights = row_weights(sample_weight, len(X))
            X, y, weights = (rows[weights > 0] for rows in (X, y, weights))
        scaler = MinMaxScaler((-1, 1), clip=self.clip)
        points = scaler.fit_transform(X)
        kernel, C = self._scaled(points, weights)
        svc = SVC(
            kernel=kernel, C=C, class_weight=self.class_weight, tol=self.tol,
            cache_size=self.cache_size, max_iter=self.max_iter, break_ties=self.break_ties,
            decision_function_shape=self.decision_function_shape,
        )  # fmt: skip
        svc.fit(points, y, sample_weight=weights)
        self.pipeline_ = Pipeline([("scale", scaler), ("svc", svc)])
        self.C_, self.order_ = float(kernel.absolute(C)), kernel.order
        self.classes_, self.n_iter_ = svc.classes_, int(svc.n_iter_.max())
        return self

    def _scaled(self, points: np.ndarray, weights: np.ndarray | None) -> tuple[ScaledKernel, float]:
        """Return the kernel with a mean of K(x, x) between 2^-0.5 and 2^0.5, and C in its units."""
        d = points.shape[1]
        given = OrthogonalPolynomials(self.n, order=self.order)
        degrees = replace(given, order=None).for_columns(d).n
        if (constant := np.ptp(points, axis=0) == 0).any():
            degrees = [0 if c else n for n, c in zip(degrees, constant, strict=True)]
        kernel = ScaledKernel(
            degrees if constant.any() else self.n, self.alpha, self.beta, order=min(given.order or d, d)
        )
        if not isinstance(self.C, Real) or not 0 < self.C < np.inf:
            raise BadParameter("C", repr(self.C)[:60], "is not a positive finite number", "pass C=1.0")
        mean = kernel.mean_diagonal(points, weights)
        if np.isfinite(mean) and mean > 0:
            kernel.exponent = round(log2(mean))
            C = float(self.C / np.ldexp(mean, -kernel.exponent))
            if 0 < kernel.absolute(C) < np.inf:
                return kernel, C
        rule = f"are too many for float64: the mean of K(x, x) is {mean:.3g}"
        raise BadParameter("X", f"{d} columns", rule, "select columns, or reduce n and order")

    def decision_function(self, X: Any) -> np.ndarray:
        """Return g(x) for two classes, or the scores of ``SVC`` for more."""
        check_is_fitted(self)
        found: np.ndarray = self.pipeline_.decision_function(
            validate_data(self, X, dtype=np.float64, reset=False)
        )
        return found

    def predict(self, X: Any) -> np.ndarray:
        """Return the class of each row."""
        check_is_fitted(self)
        found: np.ndarray = self.pipeline_.predict(validate_data(self, X, dtype=np.float64, reset=False))
        return found

    @property
    def profile_(self) -> Profile[float] | dict[PairKey, Profile[float] | None]:
        """Indices of the model as fitted, in float64 and without proof; by pair for more than two classes.

        A pair with w = 0, or whose w cannot be distinguished from 0 in float64, has None.
        """
        found = self.explain()
        if isinstance(found, Explanation):
            return found.profile
        return {key: part.profile for key, part in found.items()} | dict.fromkeys(
            found.undefined | found.undecided
        )

    def explain(self) -> Explanation | Explanations:
        """Return ``explain(self)``: the indices as fitted, without proof."""
        check_is_fitted(self)
        return explain(self)

    def audit(self, X: Any, y: Any, sample_weight: Any = None, **options: Any) -> Audit | Audits:
        """Return ``audit(self, X, y, sample_weight)`` for the data that were passed to ``fit``."""
        check_is_fitted(self)
        return audit(self, X, y, sample_weight, **options)
