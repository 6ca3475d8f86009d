"""Check that the attributes of a fitted SVC fit together, before anything is computed from them."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.svm import NuSVC

from ..errors import BadParameter

_AGAIN = "fit the model again: its attributes were changed"
_NUMBERS = "biuf"  # the kinds of arrays that have numbers


def require_whole_fit(svc: Any) -> None:
    """Raise BadParameter at the first attribute of a fitted SVC or NuSVC that no fit can have left.

    Types, shapes, row numbers and finite values are checked, and nothing else: attributes that pass may
    still not belong to the data.
    """
    classes = _array(svc, "classes_")
    is_list = classes.ndim == 1 and isinstance(svc.classes_, np.ndarray)
    if not is_list or len(classes) < 2 or _has_equal_entries(classes.tolist()):
        raise _altered(
            "classes_", f"shape {classes.shape}", "is not an array of two or more different classes"
        )
    shape = _array(svc, "shape_fit_")
    kernel = _attribute(svc, "kernel")
    rows_only = callable(kernel) and shape.shape == (1,)  # the rows of a callable kernel may be lists
    if not (rows_only or shape.shape == (2,)) or shape.dtype.kind not in "iu" or shape.min() < 1:
        raise _altered("shape_fit_", repr(svc.shape_fit_), "is not a number of rows and of columns")
    k, m = len(classes), int(shape[0])
    counts = _integers(svc, "_n_support", (k,), m)
    support = _integers(svc, "support_", (int(counts.sum()),), m - 1)
    if len(np.unique(support)) < len(support):
        raise _altered("support_", "a row", "is listed twice")
    _numbers(svc, "dual_coef_", (k - 1, len(support)))
    _numbers(svc, "intercept_", (k * (k - 1) // 2,))
    _numbers(svc, "class_weight_", (k,), finite=False)
    named = kernel if isinstance(kernel, str) and kernel != "precomputed" else None
    if named is not None:
        _numbers(svc, "support_vectors_", (len(support), int(shape[1])))
    for name in ("fit_status_", *(("degree", "coef0") if named == "poly" else ())):
        _numbers(svc, name, ())
    weight = "nu" if isinstance(svc, NuSVC) else "C"
    for name in (weight, *(("_gamma",) if named in ("rbf", "poly") else ())):
        _numbers(svc, name, (), finite=False)  # a fit accepts C = oo and gamma = 0, which are refused later
    if not _numbers(svc, "tol", ()) > 0:
        raise _altered("tol", repr(svc.tol), "is not positive")


def _has_equal_entries(entries: list[Any]) -> bool:
    """Return whether two entries are equal, or one of them cannot be a label."""
    try:
        return len(set(entries)) < len(entries)
    except TypeError:
        return True


def _altered(name: str, value: str, rule: str) -> BadParameter:
    return BadParameter(name, value, rule, _AGAIN)


def _attribute(svc: Any, name: str) -> Any:
    """Return an attribute; raise BadParameter if it is missing."""
    try:
        return getattr(svc, name)
    except AttributeError:
        raise _altered(name, "the attribute", "is missing") from None


def _array(svc: Any, name: str) -> np.ndarray:
    """Return an attribute as an array; raise BadParameter if it is missing or ragged."""
    given = _attribute(svc, name)
    try:
        return np.asarray(given)
    except ValueError:
        raise _altered(name, repr(given)[:40], "is not an array") from None


def _numbers(svc: Any, name: str, shape: tuple[int, ...], finite: bool = True) -> np.ndarray:
    """Return an attribute of this shape without NaN, and without infinite numbers if ``finite``."""
    array, given = _array(svc, name), getattr(svc, name)
    if array.dtype.kind not in _NUMBERS or (shape and not isinstance(given, np.ndarray)):
        raise _altered(
            name, repr(given)[:40], "does not consist of numbers in an array" if shape else "is not a number"
        )
    if array.shape != shape:
        raise _altered(name, f"shape {array.shape}", f"is not the shape of the fit, {shape}")
    bad = ~np.isfinite(array) if finite else np.isnan(array)
    if bad.any():
        raise _altered(name, f"the value {array[bad][0]}", f"is not a {'finite ' * finite}number")
    return array


def _integers(svc: Any, name: str, shape: tuple[int, ...], most: int) -> np.ndarray:
    """Return an attribute of this shape with integers from 0 to ``most``; otherwise raise BadParameter."""
    array = _numbers(svc, name, shape)
    if array.dtype.kind not in "iu":
        raise _altered(name, f"the type {array.dtype}", "is not a type of integers")
    if len(bad := array[(array < 0) | (array > most)]):
        raise _altered(name, f"the value {bad[0]}", f"is not between 0 and {most}")
    return array
