"""A classifier that scales its columns, fits libsvm on the kernel and can be read."""

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
    """An SVM on the kernel of degree ``n``, its columns scaled to [-1, 1] by the rows of the fit.

    ``clip=True`` moves a row to the edge of the training range before it is judged: beyond it the
    polynomials grow without bound. ``clip=False`` judges it where it is, with a warning. Rows of weight 0
    are left out, of the scaling too. ``tol`` and ``max_iter`` are libsvm's: an index needs a smaller
    tolerance than a label, and on badly scaled kernels libsvm may not end.

    ``classes_`` are the labels, ``pipeline_`` the scaler and the SVC, ``n_iter_`` libsvm's iterations.

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
        """Scale, and let libsvm solve."""
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        kernel = OrthogonalPolynomialKernel(self.n, self.alpha, self.beta)
        given = (
            "C",
            "class_weight",
            "tol",
            "cache_size",
            "max_iter",
            "decision_function_shape",
            "break_ties",
        )
        svc = SVC(kernel=kernel, **{name: getattr(self, name) for name in given})
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
        """g(x), or a score for each class."""
        check_is_fitted(self)
        return self.pipeline_.decision_function(validate_data(self, X, dtype=np.float64, reset=False))

    def predict(self, X: Any) -> np.ndarray:
        """The class of each row."""
        check_is_fitted(self)
        return self.pipeline_.predict(validate_data(self, X, dtype=np.float64, reset=False))

    @property
    def profile_(self) -> Profile[float] | dict[PairKey, Profile[float] | None]:
        """The indices as fitted, in float64, nothing proved; by pair where there are several classes.

        It is None for a pair with w = 0, or whose w float64 cannot tell from 0.
        """
        found = self.explain()
        if isinstance(found, Explanation):
            return found.profile
        return {key: part.profile for key, part in found.items()} | dict.fromkeys(
            found.undefined | found.undecided
        )

    def explain(self) -> Explanation | Explanations:
        """``explain(self)``."""
        check_is_fitted(self)
        return explain(self)

    def audit(self, X: Any, y: Any, sample_weight: Any = None, **options: Any) -> Audit | Audits:
        """``audit(self, X, y, sample_weight)``: X, y and the weights as ``fit`` got them."""
        check_is_fitted(self)
        return audit(self, X, y, sample_weight, **options)
