"""The binary problem of each pair of classes of a fitted SVC, checked against the model.

Everything that scikit-learn stored is compared with the data: the number of rows, the points (all for a
callable kernel, the support vectors for a named one), the labels of the support vectors, the bounds of the
dual variables, their sum, and the optimality conditions. So data that are not those of the fit raise an
error here instead of looking like a bad solution of libsvm. Rows count from 0, as in NumPy.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from sklearn.svm import NuSVC

from ..errors import BadParameter, Undecided
from ..files.escaping import distinct
from ..kernels.kernel import Kernel
from ..kernels.orthogonal import OrthogonalPolynomials, is_list
from ..kernels.polynomial import Linear, Polynomial
from ..kernels.rbf import RBF
from ..measures.probability import Empirical, IndexMeasure, Uniform, measure_for_column
from ..numbers.rationals import QQ
from ..problem import Problem
from ..svm.certificate import Solution
from .kernel import (
    SINGLE_PRECISION_ERROR,
    FittedKernel,
    LibraryKernel,
    OrthogonalPolynomialKernel,
    column_names,
    column_title,
    require_finite_rows,
)
from .wrappers import SUPPORTED_MODELS_HINT, Machine, PairKey, TrainingData, require_known_labels

RELATIVE_TOLERANCE = (
    1e-9  # relative difference allowed between transform and fit_transform, and of alpha from its bound
)
BALANCE_TOLERANCE = 1e-6  # of sum alpha_i y_i, as a part of sum alpha_i; libsvm keeps it at 0 up to rounding
COUNT_TOLERANCE = 1e-6  # of a number of rows that is computed from a class weight
_ROUNDINGS = 8  # rounding errors in a number of a step that keeps the columns apart
_MIXED, _MIXED_SINGLE = 1e-11, 1e-3  # errors of a step that mixes columns, as parts of the largest range
_SAME_ROWS = "pass the rows of the fit in the same order"
_ENTRIES = 2**22  # entries of the kernel matrix that are computed at a time
STOPPED = "libsvm stopped at max_iter before reaching its tolerance"
MISPLACED = "these are not the support vectors that libsvm found"
ALTERED = "these may not be the coefficients that libsvm found"


@dataclass(frozen=True)
class BinaryProblem:
    """The problem that libsvm solved for two classes, and its solution.

    The second class of ``key`` is y = +1; ``rows`` are the row numbers of the caller's X.
    """

    key: PairKey
    problem: Problem
    solution: Solution
    names: tuple[str, ...]
    rows: np.ndarray
    notes: tuple[str, ...] = ()


class UnreadablePair(NamedTuple):
    """A pair of classes whose problem cannot be reconstructed from the model, and the reason."""

    key: PairKey
    error: Undecided


class FittedExpansion(NamedTuple):
    """The expansion g = sum_i s_i K(x_i, .) + b of a fitted model.

    Its problem has only the support vectors; ``under`` has the measures of the indices as they were given.
    """

    key: PairKey
    problem: Problem
    s: np.ndarray
    names: tuple[str, ...]
    rows: np.ndarray
    under: tuple[IndexMeasure, ...]
    notes: tuple[str, ...] = ()


def find_kernel(svc: Any, kernel: Any) -> FittedKernel:
    """Return the kernel of a fit, or the one that the caller passed for kernel="precomputed"."""
    given, is_precomputed = _wrap_kernel(kernel), isinstance(svc.kernel, str) and svc.kernel == "precomputed"
    found = given if is_precomputed else _wrap_kernel(_libsvm_kernel(svc))
    if isinstance(found, FittedKernel):
        if given is not None and not found.is_same(given):
            raise BadParameter(
                "kernel", repr(given)[:60], f"is not {found}, the kernel of the fit", "leave it out"
            )
        return found
    if found is None:
        rule = "does not say how the matrix was computed"
        hint = "pass kernel=RBF(gamma), kernel=OrthogonalPolynomialKernel(n) or another kernel of orca_exact"
        raise BadParameter("kernel", "'precomputed'", rule, hint)
    rule = "is not a kernel of this package"
    if isinstance(found, str) and found == "sigmoid":
        rule = "is not positive definite, so that the solution of libsvm need not be an optimum"
    name = getattr(found, "__name__", repr(found))  # the repr of a function has an address
    raise BadParameter("kernel", name[:60], rule, SUPPORTED_MODELS_HINT)


def _libsvm_kernel(svc: Any) -> Any:
    """Return the kernel that a name stands for, with the gamma of the fit; another kernel as it is."""
    match svc.kernel if isinstance(svc.kernel, str) else None:
        case "linear":
            return Linear()
        case "poly":
            return Polynomial(svc.degree, svc._gamma, svc.coef0)
        case "rbf":
            return RBF(svc._gamma)
    return svc.kernel


def _wrap_kernel(kernel: Any) -> Any:
    """Return a kernel of the library as a FittedKernel; another object as it is."""
    if isinstance(kernel, OrthogonalPolynomials):
        return OrthogonalPolynomialKernel(kernel.n, measures=kernel.measures, order=kernel.order)
    return LibraryKernel(kernel) if isinstance(kernel, Kernel) else kernel


def has_named_kernel(svc: Any) -> bool:
    """Return whether libsvm computed the kernel, so that scikit-learn stores the support vectors."""
    return isinstance(svc.kernel, str) and svc.kernel != "precomputed"


def fitted_points(machine: Machine) -> np.ndarray | None:
    """Return the training points, which scikit-learn stores for a callable kernel; otherwise None."""
    kept = getattr(machine.svc, "_BaseLibSVM__Xfit", None) if callable(machine.svc.kernel) else None
    return None if kept is None else require_finite_rows(kept)


def fitted_expansions(machine: Machine, kernel: Any = None, under: Any = None) -> Iterator[FittedExpansion]:
    """Yield the expansion of a fitted machine for each pair of classes, without checking its optimality."""
    K, svc = find_kernel(machine.svc, kernel), machine.svc
    notes: tuple[str, ...] = ()
    points: np.ndarray | None
    y: np.ndarray | None
    if machine.data.X is not None:
        points, _, y, _, _ = fitted_rows(machine, K)
    else:
        stored = fitted_points(machine)
        points = None if stored is None else K.clip_to_domain(stored, machine.data.names)[0]
        y = None
    if has_named_kernel(svc):
        vectors = svc.support_vectors_
        if points is None and _needs_rows(K, under):
            if machine.data.rows is not None:  # X was given without the y that assigns its rows
                raise _rows_missing(K)
            points, y = vectors, np.repeat(np.arange(len(svc.classes_)), svc.n_support_)
            notes = (
                f"no X was given: the measure of the indices is that of the {len(vectors)} support vectors, "
                f"not of the {svc.shape_fit_[0]} rows of the fit, for which the indices may be others; pass "
                "the X of the fit",
            )
    elif points is None:
        rule = "was passed, but a precomputed kernel does not store its points"
        raise BadParameter("X", None, rule, "pass the points of the fit")
    else:
        vectors = points[svc.support_]
    for i, j in combinations(range(len(svc.classes_)), 2):
        at, s, b = pair_coefficients(svc, i, j)
        at, s = at[s != 0], s[s != 0]
        if not len(at):
            raise _no_progress(svc)
        key = _key(machine, i, j)
        top = float(K.absolute(np.abs(s).max()))
        measures, has_own = under, isinstance(K, OrthogonalPolynomialKernel)
        if not has_own:
            measures = _measures_of_fit(machine, K, under, points, y, (i, j))
        problem = K.problem(vectors[at], np.where(s > 0, 1, -1), top, _id(key), measures)
        doubts = (STOPPED,) if svc.fit_status_ else _find_doubts(svc, K, vectors[at], s, b, (i, j))
        names, rows = _names(machine, problem.d), svc.support_[at]
        given = problem.under if has_own else given_measures(under, problem.d)
        yield FittedExpansion(key, problem, K.absolute(s), names, rows, given, (*doubts, *notes))


def given_measures(under: Any, d: int) -> tuple[IndexMeasure, ...]:
    """Return the measure that the caller passed for each of d columns; the empirical one by default."""
    return tuple(under) if is_list(under) else (Empirical() if under is None else under,) * d


def _needs_rows(K: FittedKernel, under: Any) -> bool:
    """Return whether a measure of the indices is that of the data."""
    if isinstance(K, OrthogonalPolynomialKernel):
        return False
    return any(measure in (Empirical(), Uniform()) for measure in given_measures(under, 1))


def _measures_of_fit(
    machine: Machine,
    K: FittedKernel,
    under: Any,
    points: np.ndarray | None,
    y: np.ndarray | None,
    pair: tuple[int, int],
) -> list[IndexMeasure]:
    """Return the measure of the indices for each column, those of the data from the rows of two classes.

    ``y`` has the numbers of the classes of the points.
    """
    d = machine.svc.shape_fit_[1] if points is None else points.shape[1]
    measures = K._kernel().check_under(given_measures(under, d), d)
    if not any(measure in (Empirical(), Uniform()) for measure in measures):
        return list(measures)
    assert points is not None  # see ``_needs_rows``
    if len(machine.svc.classes_) > 2:
        if y is None:
            raise _rows_missing(K)
        points = points[np.isin(y, pair)]
    columns = ([QQ(x) for x in column] for column in points.T.tolist())
    return [measure_for_column(measure, x) for measure, x in zip(measures, columns, strict=True)]


def _rows_missing(K: FittedKernel) -> BadParameter:
    rule = "has indices that depend on the data, and explain needs the X and y of the fit for them"
    hint = "pass these, or a measure such as under=Normal(mean, sd) or under=Uniform(lower, upper)"
    return BadParameter("kernel", repr(K), rule, hint)


def _no_progress(svc: Any) -> BadParameter:
    hint = "fit with a larger max_iter" if svc.fit_status_ else f"fit with tol < 2, not {svc.tol:g}"
    return BadParameter("model", "alpha", "is 0: libsvm made no progress", hint)


def _find_doubts(
    svc: Any, kernel: FittedKernel, vectors: np.ndarray, s: np.ndarray, b: float, pair: tuple[int, int]
) -> tuple[str, ...]:
    """Return notes on what contradicts a converged fit.

    That is a sum of alpha_i y_i that is not 0, y g > 1 at a support vector, or y g < 1 at all of them
    although an alpha is below its bound.
    """
    if (off := _imbalance(s)) > BALANCE_TOLERANCE:
        why = "where a fit leaves 0; dual_coef_ was changed after the fit"
        return (f"{ALTERED}: sum alpha_i y_i is {off:.2g} of sum alpha_i, {why}",)
    tol = svc.tol * (max(1.0, np.abs(s).sum()) if isinstance(svc, NuSVC) else 1.0)
    K = kernel(vectors, vectors)
    margins = np.sign(s) * (K @ s + b)
    slack = 2 * tol + kernel.libsvm_error(vectors) * (np.abs(K) @ np.abs(s) + abs(b) + 1)
    k = int((margins - slack).argmax())
    if (margins + slack).max() < 1:
        tops = (
            np.abs(s).max()
            if isinstance(svc, NuSVC)
            else svc.C * svc.class_weight_[np.where(s > 0, *pair[::-1])]
        )
        if (np.abs(s) >= tops * (1 - RELATIVE_TOLERANCE)).all():
            return ()
        return (
            f"{ALTERED}: y g(x) is at most {margins.max():.6g} at every support vector, but must be 1 "
            "where alpha is below its bound; either dual_coef_ or intercept_ was changed after the fit, or "
            "sample_weight puts every alpha at its bound: audit(model, X, y, sample_weight) decides",
        )
    if not margins[k] - slack[k] > 1:
        return ()
    why = "the kernel, dual_coef_ or intercept_ was changed after the fit"
    if not has_named_kernel(svc):
        why = f"SVC confuses its rows if some have weight 0: fit without these (or {why})"
    return (f"{MISPLACED}: y g(x) = {margins[k]:.6g} at one of them, but should be at most 1; {why}",)


def _imbalance(s: np.ndarray) -> float:
    """Return |sum alpha_i y_i| / sum alpha_i for the products s_i = alpha_i y_i."""
    return float(abs(s.sum()) / np.abs(s).sum())


def pair_coefficients(svc: Any, i: int, j: int) -> tuple[np.ndarray, np.ndarray, float]:
    """Return the support vectors of classes i < j, their alpha_l y_l with y = +1 for j, and b.

    The support vectors are given by their places in ``support_``. Row j - 1 of ``dual_coef_`` has class i
    against j, row i has class j against i. With more than two classes libsvm's +1 is the first one.
    """
    ends = np.concatenate([[0], np.cumsum(svc.n_support_)])
    first, second = slice(ends[i], ends[i + 1]), slice(ends[j], ends[j + 1])
    at = np.concatenate([np.arange(ends[-1])[first], np.arange(ends[-1])[second]])
    s = np.concatenate([svc.dual_coef_[j - 1, first], svc.dual_coef_[i, second]])
    k = len(svc.classes_)
    pair = i * k - i * (i + 1) // 2 + (j - i - 1)
    sign = 1.0 if k == 2 else -1.0
    return at, sign * s, sign * float(svc.intercept_[pair])


def reconstruct_problems(
    machine: Machine, kernel: Any = None, under: Any = None
) -> Iterator[BinaryProblem | UnreadablePair]:
    """Yield the k(k - 1)/2 problems that a machine solved, checked against the fitted model."""
    svc, data = machine.svc, machine.data
    K, classes = find_kernel(svc, kernel), svc.classes_.tolist()
    points, rows, y, weights, notes = fitted_rows(machine, K)
    assert y is not None
    if svc.fit_status_:
        notes.append(f"{STOPPED}: only the labels and weights of support vectors could be checked")
    if data.weights is not None:
        notes.append(
            "weights are verified where alpha is at its bound; the model does not determine the others, but "
            "all weights that leave the optimal alpha within its bounds have the same optimum"
        )
    for i, j in combinations(range(len(classes)), 2):
        mine = np.flatnonzero((y == i) | (y == j))
        key = _key(machine, i, j)
        try:
            fit = PairFit(svc, (i, j), mine, rows[mine], y[mine], weights[mine])
        except Undecided as error:
            yield UnreadablePair(key, error)
            continue
        fit.check_boxes()
        if not fit.alpha.any():
            raise _no_progress(svc)
        fit.check_balance()
        if not svc.fit_status_:
            fit.check_optimality(K, points[mine])
        problem = K.problem(points[mine], fit.signs, K.absolute(fit.bounds), _id(key), under)
        alpha = tuple(min(QQ(a), C) for a, C in zip(K.absolute(fit.alpha), problem.bounds, strict=True))
        solution = Solution(problem, alpha, QQ(fit.b), form="dual", solver="libsvm")
        yield BinaryProblem(
            key, problem, solution, _names(machine, problem.d), fit.rows, (*notes, *fit.notes)
        )


class FittedRows(NamedTuple):
    """The rows of positive weight that a machine was fitted to, checked against what the model stores.

    ``rows`` are their numbers in the caller's X; ``y`` has the numbers of their classes, if they are known.
    """

    points: np.ndarray
    rows: np.ndarray
    y: np.ndarray | None
    weights: np.ndarray
    notes: list[str]


def fitted_rows(machine: Machine, K: FittedKernel) -> FittedRows:
    """Return the rows of the fit; raise BadParameter if they differ from what the model stores.

    A named kernel stores the support vectors, and a callable one all points. Every model stores the number
    of its rows and the classes of its support vectors, and with class_weight="balanced" their frequencies.
    """
    svc, data, kept = machine.svc, machine.data, fitted_points(machine)
    assert data.rows is not None
    X = require_finite_rows(data.X)
    if kept is not None:
        _require_shape(X, kept.shape)
        _require_equal(X, kept, np.arange(len(kept)), machine)
    elif has_named_kernel(svc):
        _require_shape(X, svc.shape_fit_)
    elif len(X) != svc.shape_fit_[0]:
        rule = f"do not match the {svc.shape_fit_[0]} rows of the fit"
        raise BadParameter("X", f"{len(X)} rows", rule, "pass the X of the fit")
    points, beyond = K.clip_to_domain(X if kept is None else kept, data.names)
    were = "coordinate was" if beyond == 1 else "coordinates were"
    notes = [f"{beyond} {were} outside the domain by rounding and moved to its edge"] * bool(beyond)
    y = _class_numbers(machine)
    weights = np.ones(len(points)) if data.weights is None else data.weights
    some = np.flatnonzero(weights > 0)  # libsvm drops the others and numbers its support vectors without them
    if len(some) < len(points):
        left_out = f"{len(points) - len(some)} rows of weight 0 were left out"
        wrong = (
            "unless they are the last rows, SVC.predict uses wrong support vectors: fit without these rows"
        )
        notes.append(left_out if has_named_kernel(svc) else f"{left_out}; {wrong}")
    if len(svc.support_) and svc.support_.max() >= len(some):
        rule = f"are too few: X[{svc.support_.max()}] is a support vector"
        raise BadParameter("X", f"{len(some)} rows", rule, "pass the X, y and sample_weight of the fit")
    points, weights, rows, y = points[some], weights[some], data.rows[some], None if y is None else y[some]
    if has_named_kernel(svc):
        _require_equal(points[svc.support_], svc.support_vectors_, some[svc.support_], machine)
        points = points.copy()
        points[svc.support_] = svc.support_vectors_  # as libsvm saw them
    if y is not None:
        _check_support_labels(svc, y, rows)
    return FittedRows(points, rows, y, weights, notes)


def _class_numbers(machine: Machine) -> np.ndarray | None:
    """Return the number of the class of each row; raise BadParameter if their frequencies are not right."""
    svc, labels = machine.svc, machine.data.y
    if labels is None:
        return None
    classes = svc.classes_.tolist()
    require_known_labels(machine.data, classes)
    index = {label: k for k, label in enumerate(classes)}
    y = np.array([index[label] for label in labels.tolist()])
    if isinstance(svc.class_weight, str):  # "balanced": m/(k m_c) for each of the k classes
        counts = len(y) / (len(classes) * svc.class_weight_)
        own = np.bincount(y, minlength=len(classes))
        if len(other := np.flatnonzero(abs(own - counts) > COUNT_TOLERANCE)):
            k = other[0]
            rule = f"were {counts[k]:.0f} in the fit, by its balanced class weights"
            raise BadParameter("y", f"{own[k]} rows of the class {classes[k]!r}", rule, _SAME_ROWS)
    return y


def _require_shape(X: np.ndarray, shape: tuple[int, ...]) -> None:
    """Raise BadParameter unless X has the shape that it had in the fit."""
    if X.shape != tuple(shape):
        given, fitted = ("{} rows of {} columns".format(*each) for each in (X.shape, shape))
        hint = "pass the X of the fit, also its rows of weight 0, with sample_weight"
        raise BadParameter("X", given, f"do not match the {fitted} of the fit", hint)


def _require_equal(X: np.ndarray, kept: np.ndarray, rows: np.ndarray, machine: Machine) -> None:
    """Raise BadParameter at the first row of X that is not the one of the fit.

    ``rows`` are the places of the rows in the data of the machine.
    """
    data, svc = machine.data, machine.svc
    if not len(other := np.argwhere(~(np.abs(X - kept) <= _tolerances(kept, data)))):
        return
    i, j = other[0]
    hint = _SAME_ROWS
    if has_named_kernel(svc):
        hint += (
            f"; a fitted SVC keeps only its support vectors ({len(kept)} of {svc.shape_fit_[0]} rows), "
            "so that no other rows can be compared"
        )
    if data.steps:
        hint += "; if a step's fit_transform differs from its transform, pass model[-1] and the transformed X"
    if data.weights is None:
        hint += "; if rows had the weight 0, pass sample_weight"
    near = (np.abs(X - kept) <= SINGLE_PRECISION_ERROR * np.abs(kept).max(axis=0, initial=0)).all()
    if near and _fits_single(X) != _fits_single(kept):
        hint = "pass the X of the fit in its own precision: one of the two was float32"
    value = f"{float(X[i, j])!r} ({column_title(j, data.names)} as seen by the SVC)"
    assert data.rows is not None
    raise BadParameter(f"X[{data.rows[rows[i]]}]", value, f"was {float(kept[i, j])!r} in the fit", hint)


def _tolerances(kept: np.ndarray, data: TrainingData) -> np.ndarray:
    """Return how far each column may be from the stored points.

    It is a small part of the range of the column, and its rounding errors in the precision of the steps
    before the SVC. A step that mixes columns makes errors in proportion to the largest of them: the last
    principal components may consist of nothing else.
    """
    single = data.single and _fits_single(kept)
    spread, largest = np.ptp(kept, axis=0), np.abs(kept).max(axis=0, initial=0)
    epsilon = float(np.finfo(np.float32 if single else np.float64).eps)
    allowed: np.ndarray = RELATIVE_TOLERANCE * spread + _ROUNDINGS * epsilon * largest
    if data.mixes_columns:
        allowed = np.maximum(allowed, (_MIXED_SINGLE if single else _MIXED) * spread.max(initial=0))
    return allowed


def _fits_single(points: np.ndarray) -> bool:
    """Return whether all numbers are in single precision."""
    with np.errstate(over="ignore"):
        return bool((points == points.astype(np.float32)).all())


def _check_support_labels(svc: Any, y: np.ndarray, rows: np.ndarray) -> None:
    """Raise BadParameter unless each support vector has the label of the fit."""
    fitted = np.repeat(np.arange(len(svc.classes_)), svc.n_support_)
    if len(other := np.flatnonzero(y[svc.support_] != fitted)):
        row = svc.support_[other[0]]
        was, now = (svc.classes_.tolist()[k] for k in (fitted[other[0]], y[row]))
        hint = "pass the X, y and sample_weight of the fit"
        raise BadParameter(f"y[{rows[row]}]", repr(now), f"was {was!r} in the fit", hint)


class PairFit:
    """Solution of libsvm for classes i and j, with y = +1 for j, and the bounds of the dual variables."""

    HINT = "pass the y and sample_weight of the fit, and do not change C and kernel after it"

    def __init__(
        self, svc: Any, pair: PairKey, mine: np.ndarray, rows: np.ndarray, y: np.ndarray, W: np.ndarray
    ):
        i, j = pair
        at, s, self.b = pair_coefficients(svc, i, j)
        at = svc.support_[at]
        self.rows, self.signs, self.alpha = rows, np.where(y == j, 1, -1), np.zeros(len(y))
        place = np.searchsorted(mine, at)
        self.alpha[place] = np.abs(s)
        self.notes: tuple[str, ...] = ()
        self.tol, self.is_nu = svc.tol, isinstance(svc, NuSVC)
        against = np.flatnonzero(s * self.signs[place] < 0)
        if not self.is_nu:
            if len(against):
                k = against[0]
                raise BadParameter(
                    "dual_coef_", f"{s[k]:.6g} for X[{rows[place[k]]}]", "has the sign of the other class",
                    "fit the model again: its coefficients were changed",
                )  # fmt: skip
            self.bounds = W * (svc.C * svc.class_weight_[y])  # multiplied in the same order as in libsvm
            return
        # libsvm divided alpha, b and its tolerance by r: sum alpha = nu sum W/r, and C = 1/r.
        C = float(self.alpha.sum() / (svc.nu * W.sum()))
        self.bounds, self.tol = C * W, svc.tol * max(1.0, C)
        self.notes = (f"NuSVC with nu = {svc.nu:g} is equivalent to the SVC with C = {C:.6g}",)
        if svc.tol * C >= 1 or len(against):
            raise Undecided(
                f"nu: with {svc.nu:g}, w is 0 within the tolerance of libsvm, so that only noise was fitted; "
                "use another nu, or a smaller tol"
            )

    def check_boxes(self) -> None:
        """Raise BadParameter unless every bound is finite and positive and every alpha is within it."""
        if len(bad := np.flatnonzero(~(np.isfinite(self.bounds) & (self.bounds > 0)))):
            raise BadParameter(
                f"X[{self.rows[bad[0]]}]", f"C times its weights, {self.bounds[bad[0]]:g},",
                "is not a positive finite bound", "fit with a finite positive C and class_weight",
            )  # fmt: skip
        if (over := self.alpha / self.bounds).max() > 1 + RELATIVE_TOLERANCE:
            k = int(over.argmax())
            raise BadParameter(
                f"sample_weight[{self.rows[k]}]", f"alpha = {self.alpha[k]:.6g}",
                f"exceeds its bound, C times the weights = {self.bounds[k]:.6g}", self.HINT,
            )  # fmt: skip

    def check_balance(self) -> None:
        """Raise BadParameter unless sum alpha_i y_i is 0 up to rounding."""
        if (off := _imbalance(self.alpha * self.signs)) > BALANCE_TOLERANCE:
            raise BadParameter(
                "dual_coef_", f"sum alpha_i y_i = {off:.2g} of sum alpha_i", "is not 0, as after every fit",
                "fit the model again: its coefficients were changed",
            )  # fmt: skip

    def check_optimality(self, kernel: FittedKernel, points: np.ndarray) -> None:
        """Raise BadParameter if two rows violate the optimality conditions by more than libsvm's tol."""
        alpha, y = self.alpha, self.signs
        f, size = np.empty(len(y)), np.empty(len(y))
        s, step = (alpha * y)[alpha > 0], max(1, _ENTRIES // max(1, int((alpha > 0).sum())))
        for some in (slice(i, i + step) for i in range(0, len(y), step)):
            K = kernel(points[some], points[alpha > 0])
            f[some], size[some] = K @ s, np.abs(K) @ np.abs(s)
        rest = y - self.b - f  # y_i - g(x_i): <= 0 if alpha_i y_i can grow, >= 0 if it can shrink
        slack = kernel.libsvm_error(points) * (size + abs(self.b) + 1)
        slack = np.full_like(slack, slack.max()) if self.is_nu else slack  # the error of r is from all rows
        full, empty = alpha >= self.bounds * (1 - RELATIVE_TOLERANCE), alpha <= 0
        up, down = np.where(y > 0, ~full, ~empty), np.where(y > 0, ~empty, ~full)
        high, low = np.where(up, rest - slack, -np.inf), np.where(down, rest + slack, np.inf)
        if high.max() - low.min() > 2 * self.tol:
            k = int(high.argmax() if high.max() > -low.min() else low.argmin())
            raise BadParameter(
                f"X[{self.rows[k]}]", f"optimality is violated by {abs(rest[k]):.2g},",
                f"more than libsvm's tol = {self.tol:.2g}: its label or weight is not that of the fit",
                self.HINT,
            )  # fmt: skip
        if (off := max(high.max(), -low.min())) > 2 * self.tol:
            raise BadParameter(
                "intercept_", f"{self.b:.6g}", f"is off by {off:.2g}, more than tol = {self.tol:.2g}",
                "fit the model again: its intercept was changed",
            )  # fmt: skip


def _key(machine: Machine, i: int, j: int) -> PairKey:
    """Return the key of the machine followed by the two classes."""
    classes = machine.svc.classes_.tolist()
    return (*machine.key, *(machine.data.pair or (classes[i], classes[j])))


def _id(key: PairKey) -> str:
    return " against ".join(str(part) for part in key)


def _names(machine: Machine, d: int) -> tuple[str, ...]:
    fitted = column_names(getattr(machine.svc, "_BaseLibSVM__Xfit", None))
    names = machine.data.names or fitted or tuple(map(str, getattr(machine.svc, "feature_names_in_", ())))
    return tuple(distinct(names)) if len(names) == d else tuple(f"x{i}" for i in range(1, d + 1))
