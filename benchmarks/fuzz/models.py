"""Fitted scikit-learn models whose attributes or data were changed, for ``audit`` and ``explain``.

A trial is a description in JSON: the model, its data, the changes, and the call. What is accepted is compared
with the data of the fit, and the certified optimum with the oracle.
"""

from __future__ import annotations

import copy
import json
import warnings
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import numpy as np
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.svm import SVC, NuSVC

from orca_exact.errors import OrcaError
from orca_exact.sklearn import OrcaSVC, OrthogonalPolynomialKernel, audit, explain

from ..oracle.certificates import CertificateJudge
from ..oracle.problems import Drawn
from ..oracle.reading import read_model
from ..oracle.tally import Tally
from .changes import Finding

MODELS: dict[str, Callable[[], Any]] = {
    "rbf": lambda: SVC(C=3),
    "linear": lambda: SVC(kernel="linear", C=2, max_iter=20_000),
    "poly": lambda: SVC(kernel="poly", degree=2, coef0=1, max_iter=20_000),
    "balanced": lambda: SVC(C=3, class_weight="balanced"),
    "nu": lambda: NuSVC(nu=0.3),
    "polynomials": lambda: SVC(kernel=OrthogonalPolynomialKernel(2), C=4),
    "scaled": lambda: make_pipeline(StandardScaler(), SVC(C=3)),
    "scaled to [0, 1]": lambda: make_pipeline(MinMaxScaler(), SVC(C=3)),
    "orca": lambda: OrcaSVC(n=2, C=10),
}
SIZES = (1.0, 1.0, 1.0, 1e-10, 1e8)
LABELS: tuple[tuple[Any, ...], ...] = (
    (0, 1),
    ("no", "yes"),
    ("1", "1.0"),
    ("1/2", "2/4"),
    (1.0, 2.0),
    (False, True),
    ("<b>", "\u202e|"),
    ("a", "b", "c"),
    ("1", "01", "1e0"),
)
NAMES = (
    "a|b",
    "<script>",
    "$x_1$",
    "\u202eevil",
    "\x1b[2J",
    "*bold*",
    "[x](y)",
    "\\input{a}",
    "",
    "a\nb",
    "é",
)
ATTRIBUTES = (
    *("dual_coef_", "dual_coef_", "support_", "support_vectors_", "_gamma", "classes_", "intercept_"),
    *("n_features_in_", "_n_support", "shape_fit_", "class_weight_", "C", "tol", "fit_status_", "kernel"),
    *("nu", "feature_names_in_"),
)
DAMAGES = (
    *("scale", "nudge", "negate", "swap", "zero", "nan", "inf", "shorten", "lengthen", "reverse", "reshape"),
    *("none", "delete", "text", "list", "single", "integer", "empty", "shift", "foreign", "object", "null"),
)
DATA = (
    *(
        "reorder",
        "reorder X",
        "reorder y",
        "drop",
        "add",
        "foreign",
        "foreign row",
        "rescale",
        "column",
        "single",
    ),
    *(
        "nudge",
        "nan",
        "flip",
        "names",
        "labels as text",
        "weights",
        "columns",
        "text",
        "transpose",
        "objects",
    ),
)
CALLS = ("audit", "audit", "explain", "explain without X")
SMALL = 1e-6  # a relative change of a support vector that must be seen, in double precision


def draw_model(random: Random) -> dict:
    """Return a description of a changed model."""
    return {
        "model": random.choice(list(MODELS)),
        "seed": random.randrange(40),
        "labels": random.randrange(len(LABELS)),
        "size": random.choice(SIZES),
        "single": random.random() < 0.15,
        "attributes": [
            [random.choice(ATTRIBUTES), random.choice(DAMAGES), random.randrange(1000)]
            for _ in range(random.choice((0, 1, 1, 1, 2)))
        ],
        "data": [
            [random.choice(DATA), random.randrange(1000)] for _ in range(random.choice((0, 0, 1, 1, 2)))
        ],
        "call": random.choice(CALLS),
    }


@cache
def fitted(
    name: str, seed: int, labels: int, size: float, single: bool
) -> tuple[Any, np.ndarray, np.ndarray]:
    """Return a fitted model and its data."""
    random = np.random.default_rng(seed)
    m, d = int(random.integers(8, 13)), int(random.integers(1, 4))
    X = random.normal(size=(m, d))
    if seed % 4 == 0:
        X = np.round(X)  # equal rows and ties
    score = X[:, 0] + 0.5 * random.normal(size=m)
    names = LABELS[labels]
    codes = np.argsort(np.argsort(score)) * len(names) // m
    y = np.array(names)[codes]
    X = X * size
    if name == "polynomials":
        X = X / max(1.0, float(np.abs(X).max()))
    if single:
        X = X.astype(np.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return MODELS[name]().fit(X, y), X, y


def inner(model: Any) -> Any:
    """Return the SVC inside a model."""
    model = getattr(model, "pipeline_", model)
    return model.steps[-1][1] if hasattr(model, "steps") else model


def damage(value: Any, how: str, number: int) -> Any:
    """Return a changed attribute of a model."""
    random = Random(number)
    if how == "none":
        return None
    if how == "text":
        return random.choice(("", "x", "1/2", "nan", "linear", "sigmoid", "precomputed"))
    if how == "object":
        return object()
    array = np.array(value)
    is_scalar = array.ndim == 0
    flat = array.reshape(-1).copy()
    k = random.randrange(max(1, flat.size))
    if how == "list":
        return array.tolist()
    if how == "empty":
        return array[:0] if array.ndim else np.array([])
    if how == "reverse":
        return array[..., ::-1] if array.ndim else value
    if how == "shorten":
        return array[..., :-1] if array.ndim else value
    if how == "lengthen":
        return np.concatenate([array, array[..., :1]], axis=-1) if array.ndim else [value, value]
    if how == "reshape":
        return array.reshape(-1, 1) if array.ndim < 2 else array.T
    if how == "swap":
        j = random.randrange(max(1, flat.size))
        if flat.size:
            flat[[j, k]] = flat[[k, j]]
    elif how == "foreign":
        return np.array([7, "foreign"][: max(1, array.size)]) if array.dtype.kind in "OUS" else array + 5
    elif array.dtype.kind not in "biuf":
        return array
    elif how == "single":
        flat = flat.astype(np.float32)
    elif how == "integer":
        flat = np.nan_to_num(flat).clip(-1e9, 1e9).astype(int)
    elif how == "shift":
        flat = flat + random.choice((1, -1, 100))
    elif how == "negate":
        flat = -flat.astype(float) if array.dtype.kind == "b" else -flat
    elif how == "scale":
        flat = flat * random.choice((2, 0.5, 1e-10, 1e8, 1.001, 1 + 1e-7, -1))
    elif flat.size:
        flat = flat.astype(float)
        flat[k] = {
            "nudge": flat[k] * (1 + random.choice((1e-3, 1e-6, 1e-12, 1))),
            "zero": 0.0,
            "nan": np.nan,
            "inf": np.inf,
        }[how]
        if array.dtype.kind in "iu" and np.isfinite(flat).all() and random.random() < 0.8:
            flat = flat.astype(array.dtype)
    return flat[0] if is_scalar else flat.reshape(array.shape)


def spoil_model(model: Any, changes: list) -> Any:
    """Return a copy of a fitted model with changed attributes."""
    model = copy.deepcopy(model)
    svc = inner(model)
    for name, how, number in changes:
        if how == "delete":
            vars(svc).pop(name, None)
        elif how == "null":
            move_along_null_space(svc, number)
        elif hasattr(svc, name):
            setattr(svc, name, damage(getattr(svc, name), how, number))
    return model


def move_along_null_space(svc: Any, number: int) -> None:
    """Change the coefficients so that w stays, but not necessarily their sum."""
    vectors, s = getattr(svc, "support_vectors_", None), getattr(svc, "dual_coef_", None)
    if getattr(vectors, "ndim", 0) != 2 or getattr(s, "shape", None) != (1, len(vectors)) or not vectors.size:
        return
    kernel = np.nan_to_num(vectors @ vectors.T)
    values, basis = np.linalg.eigh(kernel)
    null = basis[:, np.abs(values) <= 1e-9 * np.abs(values).max()]
    if null.shape[1]:
        step = null @ np.random.default_rng(number).normal(size=null.shape[1])
        svc.dual_coef_ = s + np.abs(s).max() * (number % 10) / 10 * step


def spoil_data(X: Any, y: Any, changes: list) -> tuple[Any, Any, Any]:
    """Return changed data, and weights or None."""
    weights = None
    for how, number in changes:
        random = np.random.default_rng(number)
        m, d = X.shape if getattr(X, "ndim", 0) == 2 else (0, 0)
        if not m or not d or len(y) != m:
            break
        order, i, j = random.permutation(m), int(random.integers(m)), int(random.integers(d))
        numeric = isinstance(X, np.ndarray) and X.dtype.kind == "f"
        if how in ("reorder", "reorder X", "reorder y"):
            if how != "reorder y":
                X = X.iloc[order] if hasattr(X, "iloc") else X[order]
            y = y if how == "reorder X" else y[order]
        elif how == "drop":
            X, y = X[1:], y[1:]
        elif how == "flip":
            y = y.copy()
            y[i] = next((label for label in y.tolist() if label != y[i]), y[i])
        elif how == "labels as text":
            y = np.array([str(label) for label in y])
        elif how == "weights":
            weights = random.choice([0.0, 0.5, 1.0, 1.0, 2.0], size=m)
        elif not numeric:
            break
        elif how == "add":
            X, y = np.vstack([X, X[i]]), np.append(y, y[i])
        elif how == "foreign":
            X = random.normal(size=X.shape) * (np.abs(X).max() + 1e-300)
        elif how == "foreign row":
            X = X.copy()
            X[i] = random.normal(size=d) * (np.abs(X).max() + 1e-300)
        elif how == "rescale":
            X = X * X.dtype.type(random.choice([2, 1e-10, 1e8, 1 + 1e-5]))
        elif how == "column":
            X = X.copy()
            X[:, j] *= X.dtype.type(random.choice([2, 1 + 1e-4, -1, 0]))
        elif how == "single":
            X = X.astype(np.float32)
        elif how == "nudge":
            X = X.copy()
            X[i, j] *= X.dtype.type(1 + random.choice([1e-2, 1e-5, 1e-15]))
        elif how == "nan":
            X = X.copy()
            X[i, j] = random.choice([np.nan, np.inf])
        elif how == "columns":
            X = X[:, ::-1].copy()
        elif how == "text":
            X = X.astype(str)
        elif how == "objects":
            X = X.astype(object)
        elif how == "transpose":
            X = X.T
        elif how == "names":
            from pandas import DataFrame

            X = DataFrame(X, columns=list(random.permutation(NAMES)[:d]))
    return X, y, weights


def explain_model(data: dict) -> str:
    """Return how audit or explain answers; whatever is accepted must be true."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            model, X, y = fitted(data["model"], data["seed"], data["labels"], data["size"], data["single"])
        except ValueError:
            return "scikit-learn refuses the data"
        model = spoil_model(model, data["attributes"])
        points, labels, weights = spoil_data(X, y, data["data"])
        try:
            if data["call"] == "audit":
                result = audit(model, points, labels, weights, cv=None)
            elif data["call"] == "explain":
                result = explain(model, points, labels, sample_weight=weights, cv=None)
            else:
                result = explain(model)
            shown = [str(result), result._repr_html_(), json.dumps(result.to_dict())]
        except OrcaError as error:
            if len(str(error).splitlines()) != 1 or len(str(error)) > 1000:
                raise Finding(f"a message of {len(str(error))} characters: {str(error)[:200]!r}") from error
            return type(error).__name__
        except Exception as error:
            raise Finding(f"{type(error).__name__}: {error}"[:300]) from error
    require_clean(shown)
    parts = list(result.values()) if hasattr(result, "values") else [result]
    for part in parts:
        require_shares(part)
    if data["call"] != "explain without X":
        require_stored_rows(data, X, y, points, labels)
    if data["call"] == "audit":
        for part in parts:
            require_data(part, points, labels)
            require_optimum(part)
    return "accepted"


def require_clean(shown: list[str]) -> None:
    """Raise Finding if a text could control a terminal or a page."""
    for text in shown:
        if bad := [c for c in text if not c.isprintable() and c != "\n"]:
            raise Finding(f"the character {bad[0]!r} is printed")
    if any(name in shown[1] for name in ("<script>", "<b>\u202e")):
        raise Finding("a name is markup in HTML")


def require_shares(part: Any) -> None:
    """Raise Finding unless the indices by order are shares."""
    orders = [float(x) for x in part.profile.order]
    if not all(-1e-6 <= x <= 1 + 1e-6 for x in orders) or abs(sum(orders) - 1) > 1e-6:
        raise Finding(f"the orders {orders} are not shares")


def require_stored_rows(data: dict, X: Any, y: Any, points: Any, labels: Any) -> None:
    """Raise Finding if a support vector is not the row that it was in the fit, or has another label."""
    if any(
        name in ("support_", "support_vectors_", "_n_support", "classes_") for name, *_ in data["attributes"]
    ):
        return
    model = fitted(data["model"], data["seed"], data["labels"], data["size"], data["single"])[0]
    svc, values = inner(model), np.asarray(points, dtype=float)
    for _, step in getattr(getattr(model, "pipeline_", model), "steps", [])[:-1]:
        X, values = (
            step.transform(X),
            step.transform(values),
        )  # OrcaSVC moves values beyond the fit to its end
    if any(how == "weights" for how, _ in data["data"]):
        return  # rows of weight 0 are left out, and support_ counts the others
    at = svc.support_
    scale = SMALL if not (data["single"] or any(how == "single" for how, _ in data["data"])) else 1e-3
    moved = np.abs(values[at] - X[at]) > scale * np.abs(X).max(axis=0)
    if moved.any():
        raise Finding(f"the support vector {at[np.argwhere(moved)[0][0]]} is not that of the fit")
    if [*map(str, labels[at])] != [*map(str, y[at])] and [*labels[at]] != [*y[at]]:
        raise Finding("a support vector has another label")


def require_data(part: Any, points: Any, labels: Any) -> None:
    """Raise Finding unless the problem has the labels that were passed."""
    *_, first, second = part.key
    for row, sign in zip(part.rows, part.problem.y, strict=True):
        if labels[row] != (second if sign > 0 else first):
            raise Finding(f"row {row} has the label {labels[row]!r}, but the sign {sign}")


def require_optimum(part: Any) -> None:
    """Raise Finding if the oracle refutes the certified optimum, or the digits of libsvm's w."""
    problem = part.problem.to_json()
    if problem.get("kernel", {}).get("family") == "rbf" and len(part.problem.y) > 12:
        return
    model, C = read_model(problem)
    size = max((abs(x) for row in model.points for x in row), default=Fraction(0))
    if size > 10**4 or size < Fraction(1, 10**4):
        return  # the oracle's digits may be too few
    tally = Tally()
    file = part.optimum.to_json()
    drawn = Drawn(0, "model", "audit", part.problem, model, C)
    optimum = model.solve(C)
    CertificateJudge(drawn, tally).compare_file(file["level"], json.loads(json.dumps(file)), C, optimum)
    if tally.failures:
        raise Finding("accepted although " + "; ".join(tally.failures)[:400])
    balance = sum(Fraction(int(a.p), int(a.q)) * t for a, t in zip(part.solution.alpha, model.y, strict=True))
    if abs(balance) > sum(C) / 10**5:
        raise Finding(f"libsvm's sum of y alpha is {float(balance)}, not 0")
    lam = model.lam
    own = [lam * Fraction(int(a.p), int(a.q)) for a in part.solution.alpha]
    difference = [x - z for x, z in zip(own, optimum.a, strict=True)]
    true = model.form(difference, difference) / lam
    stated = float(part.distance.upper())
    if float(true) ** 0.5 > stated * (1 + 1e-9) + 1e-15:
        raise Finding(f"libsvm's w is off by {float(true) ** 0.5}, not by at most {stated}")
