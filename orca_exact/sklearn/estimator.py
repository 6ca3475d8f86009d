"""OrcaSVC, a classifier that scales its columns and fits an SVC with the orthogonal polynomial kernel."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import MinMaxScaler
from sklearn.svm import SVC
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from ..profile.profile import Profile
from .audit import Audit, Audits, audit
from .explain import Explanation, Explanations, explain
from .kernel import OrthogonalPolynomialKernel
from .wrappers import PairKey, row_weights


class OrcaSVC(ClassifierMixin, BaseEstimator):
    """Support vector classifier with the orthogonal polynomial kernel on columns scaled to [-1, 1].

    Rows of weight 0 are left out of the fit and of the scaling.

    Parameters
    ----------
    n : int
        Degree of the kernel.
    alpha, beta : number
        Parameters of the Jacobi weight, above -1.
    C : float
        Regularization parameter of ``SVC``.
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
    pipeline_ : Pipeline
        The fitted scaler and SVC.
    n_iter_ : int
        Largest number of iterations of libsvm for a pair of classes.

    Examples
    --------
    >>> X, y = [[1.0, 5], [2, 7], [3, 5], [4, 8], [5, 6], [6, 9]], [0, 0, 1, 1, 0, 0]
    >>> model = OrcaSVC(n=2, C=100).fit(X, y)
    >>> model.predict([[3, 5], [1, 6]]), model.profile_.peak
    (array([1, 0]), 2)
    """

    def __init__(
        self,
        n: int = 3,
        alpha: Any = 0,
        beta: Any = 0,
        C: float = 1.0,
        *,
        class_weight: Any = None,
        clip: bool = True,
        tol: float = 1e-8,
        cache_size: float = 200,
        max_iter: int = 1_000_000,
        decision_function_shape: str = "ovr",
        break_ties: bool = False,
    ):
        self.n, self.alpha, self.beta, self.C = n, alpha, beta, C
        self.class_weight = class_weight
        self.clip = clip
        self.tol, self.cache_size, self.max_iter = tol, cache_size, max_iter
        self.decision_function_shape, self.break_ties = decision_function_shape, break_ties

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> OrcaSVC:
        """Scale the columns and fit the SVC."""
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        kernel = OrthogonalPolynomialKernel(self.n, self.alpha, self.beta)
        svc = SVC(
            kernel=kernel, C=self.C, class_weight=self.class_weight, tol=self.tol,
            cache_size=self.cache_size, max_iter=self.max_iter, break_ties=self.break_ties,
            decision_function_shape=self.decision_function_shape,
        )  # fmt: skip
        weights = None
        if sample_weight is not None:
            weights = row_weights(sample_weight, len(X))
            X, y, weights = (rows[weights > 0] for rows in (X, y, weights))
        scaler = MinMaxScaler((-1, 1), clip=self.clip)
        self.pipeline_ = Pipeline([("scale", scaler), ("svc", svc)])
        self.pipeline_.fit(X, y, svc__sample_weight=weights)
        self.classes_, self.n_iter_ = svc.classes_, int(svc.n_iter_.max())
        return self

    def decision_function(self, X: Any) -> np.ndarray:
        """Return g(x) for two classes, or the scores of ``SVC`` for more."""
        check_is_fitted(self)
        return self.pipeline_.decision_function(validate_data(self, X, dtype=np.float64, reset=False))

    def predict(self, X: Any) -> np.ndarray:
        """Return the class of each row."""
        check_is_fitted(self)
        return self.pipeline_.predict(validate_data(self, X, dtype=np.float64, reset=False))

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
