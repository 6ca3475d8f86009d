"""Unwrap meta-estimators (pipelines, searches, calibration and so on) to their SVCs and training data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from sklearn.base import OneToOneFeatureMixin
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import SelectorMixin
from sklearn.model_selection import check_cv
from sklearn.svm import SVC, NuSVC

from ..errors import BadParameter
from .fitted import require_whole_fit
from .kernel import column_names, require_finite_rows

SUPPORTED_MODELS_HINT = "fit an SVC with the kernel 'rbf', 'poly' or 'linear', or OrcaSVC(n)"
_REGRESSION = "is a regression model, and only classifiers can be certified"
UNSUPPORTED_MODELS = {
    "SVR": _REGRESSION,
    "NuSVR": _REGRESSION,
    "LinearSVR": _REGRESSION,
    "OneClassSVM": "has one class, and only classifiers of two or more classes can be certified",
    "LinearSVC": "solves another problem (it penalises the intercept, and its loss is the squared hinge "
    "unless loss='hinge') and keeps no dual variables",
}
_HINTS = {"LinearSVC": "fit SVC(kernel='linear')"}
PairKey = tuple[Any, ...]


@dataclass(frozen=True)
class TrainingData:
    """Training data at one step of a model, as far as they are known.

    ``rows`` are the row numbers of the caller's X; ``pair`` is the meaning of y = 0 and y = 1 if a
    meta-estimator encoded the labels. ``steps`` are the fitted transformers that X has passed, and ``single``
    says whether X was in single precision before or after one of them.
    """

    X: Any = None
    y: np.ndarray | None = None
    weights: np.ndarray | None = None
    rows: np.ndarray | None = None
    names: tuple[str, ...] | None = None
    pair: PairKey = ()
    steps: tuple[Any, ...] = ()
    single: bool = False

    @classmethod
    def from_caller(cls, X: Any, y: Any = None, sample_weight: Any = None) -> TrainingData:
        """Check the data that the caller passed; the labels may be unknown."""
        m = X.shape[0] if hasattr(X, "shape") and X.shape else len(X) if hasattr(X, "__len__") else -1
        if m < 1:
            raise BadParameter("X", type(X).__name__, "has no rows", "pass the X of the fit")
        weights = None if sample_weight is None else row_weights(sample_weight, m)
        if y is None:
            return cls(X, None, weights, np.arange(m), column_names(X))
        y = np.asarray(y)
        y = y.ravel() if y.shape == (m, 1) else y
        if y.ndim == 2 and len(y) == m:
            hint = "audit one of them at a time, model.estimators_[k] with y[:, k]"
            raise BadParameter("y", f"{y.shape[1]} columns", "were given, and an audit takes one", hint)
        if y.shape != (m,):
            rule = f"does not match the {m} rows of X"
            raise BadParameter("y", f"shape {y.shape}", rule, "pass the labels of the fit")
        return cls(X, y, weights, np.arange(m), column_names(X))

    def take(self, rows: np.ndarray) -> TrainingData:
        """Select rows."""
        if self.X is None:
            return self
        X = self.X.iloc[rows] if hasattr(self.X, "iloc") else np.asarray(self.X)[rows]
        weights = None if self.weights is None else self.weights[rows]
        assert self.rows is not None
        y = None if self.y is None else self.y[rows]
        return replace(self, X=X, y=y, weights=weights, rows=self.rows[rows])

    def transformed_by(self, transformer: Any) -> TrainingData:
        """Return the output of a fitted transformer, with its column names."""
        names: Any = column_names(self.X) or self.names or getattr(transformer, "feature_names_in_", None)
        if names is None and hasattr(transformer, "n_features_in_"):
            names = [f"x{i}" for i in range(1, transformer.n_features_in_ + 1)]
        try:
            names = tuple(str(name) for name in transformer.get_feature_names_out(names))
        except (AttributeError, ValueError, TypeError, NotFittedError):
            names = None
        X = None if self.X is None else _transformed(transformer, self.X)
        single = self.single or _is_single(self.X) or _is_single(X)
        return replace(self, X=X, names=names, steps=(*self.steps, transformer), single=single)

    @property
    def mixes_columns(self) -> bool:
        """Whether a step may compute a column from several others, so that it has their rounding errors."""
        return not all(_keeps_columns_apart(step) for step in self.steps)


def _is_single(X: Any) -> bool:
    """Return whether a column of X is in single or half precision."""
    kinds = list(X.dtypes) if hasattr(X, "dtypes") else [getattr(X, "dtype", None)]  # DataFrame, or array
    return any(kind in (np.float32, np.float16) for kind in kinds)


def _keeps_columns_apart(transformer: Any) -> bool:
    """Return whether each output column is known to depend on one input column only."""
    if hasattr(transformer, "steps"):
        return all(_keeps_columns_apart(step) for _, step in transformer.steps)
    return transformer == "passthrough" or isinstance(transformer, OneToOneFeatureMixin | SelectorMixin)


def _transformed(transformer: Any, X: Any) -> Any:
    try:
        return transformer.transform(X)
    except NotFittedError:
        raise _not_fitted(transformer) from None
    except (ValueError, TypeError, KeyError) as error:
        why = str(error).strip().splitlines() or [type(error).__name__]
        rule = f"was rejected by the steps before the SVC ({why[0].rstrip('.')})"
        raise BadParameter("X", type(X).__name__, rule, "pass the X of the fit") from None


def row_weights(sample_weight: Any, m: int) -> np.ndarray:
    """Return one finite, non-negative weight for each row."""
    hint = "pass one number for each row"
    try:
        weights = np.asarray(sample_weight, dtype=float)
    except (TypeError, ValueError):
        given = repr(sample_weight)[:40]
        raise BadParameter("sample_weight", given, "is not a list of numbers", hint) from None
    if weights.shape not in ((), (m,)):
        raise BadParameter("sample_weight", f"shape {weights.shape}", f"does not match {m} rows", hint)
    weights = np.broadcast_to(weights, (m,))
    if len(bad := np.flatnonzero(~np.isfinite(weights))):
        raise BadParameter(f"sample_weight[{bad[0]}]", weights[bad[0]], "is not finite", hint)
    if len(bad := np.flatnonzero(weights < 0)):
        hint = "pass 0 to leave the row out, as libsvm does"
        raise BadParameter(f"sample_weight[{bad[0]}]", weights[bad[0]], "is negative", hint)
    if not (weights > 0).any():
        raise BadParameter("sample_weight", "every weight", "is zero", "pass a positive weight for some row")
    return weights


def _not_fitted(model: Any) -> BadParameter:
    return BadParameter("model", type(model).__name__, "is not fitted", "call its fit(X, y) first")


@dataclass(frozen=True)
class Machine:
    """One fitted SVC or NuSVC, its training data, and the key of its part of the model."""

    svc: Any
    data: TrainingData
    key: PairKey = ()


def unwrap_machines(model: Any, data: TrainingData, key: PairKey = ()) -> Iterator[Machine]:
    """Yield every SVC in a fitted model with its own training data."""
    kind = type(model).__name__
    if isinstance(model, type):
        raise BadParameter("model", model.__name__, "is a class", "pass a fitted model")
    if kind == "FrozenEstimator":
        yield from unwrap_machines(model.estimator, data, key)
    elif isinstance(model, SVC | NuSVC):
        if not hasattr(model, "dual_coef_"):
            raise _not_fitted(model)
        if getattr(model, "_sparse", False):
            rule = "was fitted to a sparse matrix"
            raise BadParameter("model", kind, rule, "fit it to X.toarray(): certificates need dense points")
        require_whole_fit(model)
        yield Machine(model, data, key)
    elif kind in UNSUPPORTED_MODELS:
        hint = _HINTS.get(kind, SUPPORTED_MODELS_HINT)
        raise BadParameter("model", kind, UNSUPPORTED_MODELS[kind], hint)
    elif hasattr(model, "steps"):
        if len(model.steps) > 1:
            data = data.transformed_by(model[:-1])
        yield from unwrap_machines(model.steps[-1][1], data, key)
    elif hasattr(model, "pipeline_"):
        if data.weights is not None:
            data = data.take(np.flatnonzero(data.weights > 0))  # OrcaSVC.fit leaves the others out
        names = data.names or tuple(map(str, getattr(model, "feature_names_in_", ())))
        X = None if data.X is None else require_finite_rows(data.X)
        yield from unwrap_machines(model.pipeline_, replace(data, X=X, names=names), key)
    elif hasattr(model, "best_estimator_"):
        yield from unwrap_machines(model.best_estimator_, data, key)
    elif hasattr(model, "cv_results_"):
        best = hasattr(model, "best_params_")  # absent with several metrics
        params, refit = ("best_params_", "True") if best else ("cv_results_['params'][k]", "a metric's name")
        raise BadParameter(
            "model", kind, "was fitted with refit=False",
            f"pass clone(search.estimator).set_params(**search.{params}).fit(X, y), or set refit to {refit}",
        )  # fmt: skip
    elif hasattr(model, "calibrated_classifiers_"):
        yield from _calibrated(model, data, key)
    elif kind in ("OneVsRestClassifier", "OneVsOneClassifier") and hasattr(model, "estimators_"):
        yield from (_against_rest if kind == "OneVsRestClassifier" else _against_one)(model, data, key)
    elif kind in ("FixedThresholdClassifier", "TunedThresholdClassifierCV") and hasattr(model, "estimator_"):
        if not getattr(model, "refit", True) and data.X is not None:
            rule = "was fitted to a part of X with refit=False"
            raise BadParameter("model", kind, rule, "pass model.estimator_ and that part of X")
        yield from unwrap_machines(model.estimator_, data, key)
    elif isinstance(getattr(model, "estimators_", None), list):
        raise BadParameter(
            "model", kind, "is an ensemble", "pass one of model.estimators_ with its own training rows"
        )
    elif kind == "OrcaSVC":
        raise _not_fitted(model)
    elif hasattr(model, "get_params") and any("estimator" in name for name in model.get_params(deep=False)):
        if any(name.endswith("_") and not name.startswith("_") for name in vars(model)):
            raise BadParameter("model", kind, "is an unknown meta-estimator", "pass the SVC inside it")
        raise _not_fitted(model)
    else:
        raise BadParameter("model", kind, "is not an SVC and does not contain one", SUPPORTED_MODELS_HINT)


def _calibrated(model: Any, data: TrainingData, key: PairKey) -> Iterator[Machine]:
    """Unwrap a calibrated classifier: one machine for all rows, or one for each fold."""
    members = [member.estimator for member in model.calibrated_classifiers_]
    if len(members) == 1:
        yield from unwrap_machines(members[0], data, key)
        return
    folds: list[Any] = [None] * len(members)
    data = _without_unlabelled(data)
    if data.X is not None:
        folds = _folds(model.cv, data)
        if len(folds) != len(members):
            raise BadParameter(
                "model", type(model).__name__, "does not store its folds, and they cannot be reproduced",
                "pass model.calibrated_classifiers_[k].estimator and its rows, or fit with ensemble=False",
            )  # fmt: skip
    for k, (member, rows) in enumerate(zip(members, folds, strict=True), 1):
        part = data if rows is None else data.take(rows)
        yield from unwrap_machines(member, part, (*key, f"fold {k}"))


def _folds(cv: Any, data: TrainingData) -> list[np.ndarray]:
    """Return the training rows of each fold; nothing if they depend on random numbers or groups."""
    cv = check_cv(cv, data.y, classifier=True)
    if getattr(cv, "shuffle", True) and not isinstance(getattr(cv, "random_state", 0), int):
        return []
    try:
        return [train for train, _ in cv.split(data.X, data.y)]
    except ValueError:
        return []


def _against_rest(model: Any, data: TrainingData, key: PairKey) -> Iterator[Machine]:
    """Unwrap a OneVsRestClassifier: each class is 1, all others are 0."""
    classes = model.classes_.tolist()
    require_known_labels(data, classes)
    positive = classes if len(model.estimators_) > 1 else classes[1:]
    for label, member in zip(positive, model.estimators_, strict=True):
        y = None if data.y is None else (data.y == label).astype(int)
        yield from unwrap_machines(member, replace(data, y=y, pair=("rest", label)), key)


def _against_one(model: Any, data: TrainingData, key: PairKey) -> Iterator[Machine]:
    """Unwrap a OneVsOneClassifier: one SVC for each pair of classes, which are 0 and 1."""
    classes = model.classes_.tolist()
    require_known_labels(data, classes)
    data = _without_unlabelled(data)
    for (a, b), member in zip(combinations(classes, 2), model.estimators_, strict=True):
        part = data
        if data.y is not None:
            part = data.take(np.flatnonzero((data.y == a) | (data.y == b)))
            part = replace(part, y=(part.y == b).astype(int))
        yield from unwrap_machines(member, replace(part, pair=(a, b)), key)


def _without_unlabelled(data: TrainingData) -> TrainingData:
    """Drop X if y is unknown, because it decides which rows belong to which member."""
    return data if data.y is not None else replace(data, X=None)


def require_known_labels(data: TrainingData, classes: list[Any]) -> None:
    """Raise BadParameter if a label is not one of the fitted classes."""
    if data.y is None or data.rows is None:
        return
    for row, label in zip(data.rows, data.y.tolist(), strict=True):
        if label not in classes:
            hint = "pass the labels of the fit"
            raise BadParameter(f"y[{row}]", repr(label), "is not a class of the fit", hint)
