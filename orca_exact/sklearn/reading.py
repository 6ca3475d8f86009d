"""The binary problem behind each pair of classes of a fitted SVC.

Everything libsvm left is held against the data given: the points (where scikit-learn keeps them), the
labels of the support vectors, the box of each, and the optimality that libsvm ended with. Data that are not
those of the fit are an error here, not a bad mark for libsvm later. Rows count from 0, as in NumPy.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from sklearn.svm import NuSVC

from ..errors import BadParameter, Undecided
from ..kernels.orthogonal import Kernel
from ..numbers.rationals import QQ
from ..problem import Problem
from ..svm.certificate import Solution
from .kernel import OrthogonalPolynomialKernel, column_names, column_title, require_finite_rows
from .wrappers import NAMED, Machine, PairKey, require_known_labels

SAME = 1e-9  # relative: what a transform may differ from its fit_transform, and an alpha from its bound
SINGLE = 1e-6  # relative: what libsvm's single-precision kernel may do to a score
_ENTRIES = 2**22  # of the kernel at a time
STOPPED = "libsvm stopped at max_iter, before its tolerance"
MISPLACED = "these are not the support vectors that libsvm found"
ALTERED = "these may not be the coefficients that libsvm found"


@dataclass(frozen=True)
class Binary:
    """What libsvm solved for two classes: the second one of the key is y = +1; rows are the caller's."""

    key: PairKey
    problem: Problem
    solution: Solution
    names: tuple[str, ...]
    rows: np.ndarray
    notes: tuple[str, ...] = ()


class Unread(NamedTuple):
    """Two classes whose problem the model does not show, and why."""

    key: PairKey
    error: Undecided


class FittedExpansion(NamedTuple):
    """g = sum_i s_i K(x_i, .) + b as libsvm left it; its problem has the support vectors alone."""

    key: PairKey
    problem: Problem
    s: np.ndarray
    names: tuple[str, ...]
    rows: np.ndarray
    notes: tuple[str, ...] = ()


def kernel_of(svc: Any, kernel: Any) -> OrthogonalPolynomialKernel:
    """The kernel of a fit; for kernel="precomputed" the one that is named."""
    named = kernel is not None and svc.kernel == "precomputed"
    found, given = (
        OrthogonalPolynomialKernel(x.n, x.alpha, x.beta, x.measures) if isinstance(x, Kernel) else x
        for x in (kernel if named else svc.kernel, kernel)
    )
    if isinstance(found, OrthogonalPolynomialKernel):
        same = isinstance(given, type(found)) and repr(given.get_params()) == repr(found.get_params())
        if given is not None and not same:
            raise BadParameter("kernel", repr(given)[:60], f"is not {found}, that of the fit", "leave it out")
        return found
    hint = "name it: kernel=OrthogonalPolynomialKernel(n, alpha, beta)" if found == "precomputed" else NAMED
    raise BadParameter("kernel", repr(found)[:60], "is not an OrthogonalPolynomialKernel", hint)


def fitted_points(machine: Machine) -> np.ndarray | None:
    """The points as scikit-learn keeps them for a callable kernel, which need not be asked for again."""
    kept = getattr(machine.svc, "_BaseLibSVM__Xfit", None) if callable(machine.svc.kernel) else None
    return None if kept is None else require_finite_rows(kept)


def fitted_expansions(machine: Machine, kernel: Any = None) -> Iterator[FittedExpansion]:
    """What the machine computes for each pair of classes; no claim of what it solved."""
    K, svc = kernel_of(machine.svc, kernel), machine.svc
    points = fitted_points(machine)
    if points is None and machine.data.X is None:
        raise BadParameter(
            "X", "nothing", "is given, and a precomputed kernel keeps no points", "give the points"
        )
    given = points if points is not None else require_finite_rows(machine.data.X)
    points, _ = K.inside(given, machine.data.names)
    for i, j in combinations(range(len(svc.classes_)), 2):
        at, s, b = pair_coefficients(svc, i, j)
        at, s = at[s != 0], s[s != 0]
        if len(at) and at.max() >= len(points):
            raise BadParameter("X", f"{len(points)} rows", "are too few for this fit", "give what fit got")
        if not len(at):
            raise _did_nothing(svc)
        key = _key(machine, i, j)
        problem = K.problem(points[at], np.where(s > 0, 1, -1), float(np.abs(s).max()), _id(key))
        notes = (STOPPED,) if svc.fit_status_ else _doubts(svc, K(points[at], points[at]), s, b, (i, j))
        yield FittedExpansion(key, problem, s, _names(machine, problem.d), at, notes)


def _did_nothing(svc: Any) -> BadParameter:
    hint = "fit with a larger max_iter" if svc.fit_status_ else f"fit with tol < 2, not {svc.tol:g}"
    return BadParameter("model", "alpha = 0", "is where libsvm began: it did nothing", hint)


def _doubts(svc: Any, K: np.ndarray, s: np.ndarray, b: float, pair: tuple[int, int]) -> tuple[str, ...]:
    """Note what contradicts a fit to libsvm's tol: y g > 1, or all y g < 1 with an alpha below its bound."""
    tol = svc.tol * (max(1.0, np.abs(s).sum()) if isinstance(svc, NuSVC) else 1.0)
    margins = np.sign(s) * (K @ s + b)
    slack = 2 * tol + SINGLE * (np.abs(K) @ np.abs(s) + abs(b) + 1)
    k = int((margins - slack).argmax())
    if (margins + slack).max() < 1:
        tops = (
            np.abs(s).max()
            if isinstance(svc, NuSVC)
            else svc.C * svc.class_weight_[np.where(s > 0, *pair[::-1])]
        )
        if (np.abs(s) >= tops * (1 - SAME)).all():
            return ()
        return (
            f"{ALTERED}: y g(x) is {margins.max():.6g} or less at every support vector, and 1 where alpha is "
            "below its bound; dual_coef_ or intercept_ was changed after the fit, or sample_weight put "
            "every alpha at its bound: audit(model, X, y, sample_weight) tells",
        )
    if not margins[k] - slack[k] > 1:
        return ()
    return (
        f"{MISPLACED}: y g(x) = {margins[k]:.6g} at one, where it is at most 1; SVC mistakes its rows where "
        "some have weight 0: fit without these (or the kernel was changed after the fit)",
    )


def pair_coefficients(svc: Any, i: int, j: int) -> tuple[np.ndarray, np.ndarray, float]:
    """Of classes i < j: indices of their support vectors, alpha_l y_l there with y = +1 for j, and b.

    Row j - 1 of ``dual_coef_`` has class i against j, row i has class j against i; where there are more than
    two classes the first one is libsvm's +1.
    """
    ends = np.concatenate([[0], np.cumsum(svc.n_support_)])
    first, second = slice(ends[i], ends[i + 1]), slice(ends[j], ends[j + 1])
    at = np.concatenate([svc.support_[first], svc.support_[second]])
    s = np.concatenate([svc.dual_coef_[j - 1, first], svc.dual_coef_[i, second]])
    k = len(svc.classes_)
    pair = i * k - i * (i + 1) // 2 + (j - i - 1)
    sign = 1.0 if k == 2 else -1.0
    return at, sign * s, sign * float(svc.intercept_[pair])


def binaries(machine: Machine, kernel: Any = None) -> Iterator[Binary | Unread]:
    """The k(k - 1)/2 problems that a machine solved, held against what libsvm left of them."""
    svc, data = machine.svc, machine.data
    K, classes = kernel_of(svc, kernel), svc.classes_.tolist()
    assert data.y is not None and data.rows is not None
    require_known_labels(data, classes)
    points, notes = _points(machine, K)
    weights = np.ones(len(points)) if data.weights is None else data.weights
    kept = np.flatnonzero(weights > 0)  # libsvm drops the others, and counts its support vectors without them
    if len(kept) < len(points):
        notes.append(
            f"{len(points) - len(kept)} rows of weight 0 were left out; SVC.predict then takes wrong support "
            "vectors where they are not last: fit without these rows"
        )
    points, weights, rows = points[kept], weights[kept], data.rows[kept]
    index = {label: k for k, label in enumerate(classes)}
    y = np.array([index[label] for label in data.y[kept].tolist()])
    _supports(svc, y, rows)
    if svc.fit_status_:
        notes.append(
            f"{STOPPED}: labels and weights of rows that are no support vectors could not be checked"
        )
    if data.weights is not None:
        notes.append(
            "weights are verified where alpha is at its bound; elsewhere the model does not show them, and "
            "any weight that leaves the optimal alpha in its box has the same optimum"
        )
    for i, j in combinations(range(len(classes)), 2):
        mine = np.flatnonzero((y == i) | (y == j))
        key = _key(machine, i, j)
        try:
            fit = Fit(svc, (i, j), mine, rows[mine], y[mine], weights[mine])
        except Undecided as error:
            yield Unread(key, error)
            continue
        fit.check_boxes()
        if not fit.alpha.any():
            raise _did_nothing(svc)
        if not svc.fit_status_:
            fit.check_optimality(K, points[mine])
        problem = K.problem(points[mine], fit.signs, fit.bounds, _id(key))
        alpha = tuple(min(QQ(a), C) for a, C in zip(fit.alpha, problem.bounds, strict=True))
        solution = Solution(problem, alpha, QQ(fit.b), form="dual", solver="libsvm")
        yield Binary(key, problem, solution, _names(machine, problem.d), fit.rows, (*notes, *fit.notes))


def _points(machine: Machine, K: OrthogonalPolynomialKernel) -> tuple[np.ndarray, list[str]]:
    """Those of the fit; X must be the same."""
    data, kept = machine.data, fitted_points(machine)
    assert data.rows is not None
    X = require_finite_rows(data.X)
    if kept is not None:
        if X.shape != kept.shape:
            raise BadParameter(
                "X", "{} rows of {} columns".format(*X.shape),
                "where the fit had {} of {}".format(*kept.shape), "give the X of the fit",
            )  # fmt: skip
        if len(other := np.argwhere(np.abs(X - kept) > SAME * (1 + np.abs(kept)))):
            i, j = other[0]
            hint = "give the X of the fit (or model[-1] and what reached it, if a fit_transform differs)"
            if np.allclose(X, kept, rtol=SINGLE, atol=SINGLE):
                hint = "give the X of the fit in its own precision: one of the two was float32"
            raise BadParameter(
                f"X[{data.rows[i]}]", f"{float(X[i, j])!r} in {column_title(j, data.names)} reaches the SVC",
                f"where the fit had {float(kept[i, j])!r}", hint,
            )  # fmt: skip
    points, beyond = K.inside(X if kept is None else kept, data.names)
    were = "coordinate was" if beyond == 1 else "coordinates were"
    note = f"{beyond} {were} beyond the domain by rounding and put to its end"
    return points, [note] * bool(beyond)


def _supports(svc: Any, y: np.ndarray, rows: np.ndarray) -> None:
    """Each support vector has the label it was fitted with."""
    given = "give X, y and sample_weight as fit got them"
    if len(svc.support_) and svc.support_.max() >= len(rows):
        raise BadParameter(
            "X", f"{len(rows)} rows", f"where X[{svc.support_.max()}] is a support vector", given
        )
    fitted = np.repeat(np.arange(len(svc.classes_)), svc.n_support_)
    if len(other := np.flatnonzero(y[svc.support_] != fitted)):
        row = svc.support_[other[0]]
        was, now = (svc.classes_.tolist()[k] for k in (fitted[other[0]], y[row]))
        raise BadParameter(f"y[{rows[row]}]", repr(now), f"was {was!r} in the fit", given)


class Fit:
    """Classes i and j of a fit, +1 for j: alpha, b and the boxes, which must be those of the data."""

    GIVEN = "give y and sample_weight as fit got them, and the C and kernel of the fit"

    def __init__(
        self, svc: Any, pair: PairKey, mine: np.ndarray, rows: np.ndarray, y: np.ndarray, W: np.ndarray
    ):
        i, j = pair
        at, s, self.b = pair_coefficients(svc, i, j)
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
            self.bounds = W * (svc.C * svc.class_weight_[y])  # in libsvm's order
            return
        # libsvm divided alpha, b and its tolerance by r: sum alpha = nu sum W/r, and C = 1/r.
        C = float(self.alpha.sum() / (svc.nu * W.sum()))
        self.bounds, self.tol = C * W, svc.tol * max(1.0, C)
        self.notes = (f"NuSVC with nu = {svc.nu:g} is the SVC with C = {C:.6g}, as libsvm found it",)
        if svc.tol * C >= 1 or len(against):
            raise Undecided(
                f"nu: {svc.nu:g} leaves w = 0 within libsvm's tol, and only noise was fitted; take another "
                "nu or a smaller tol"
            )

    def check_boxes(self) -> None:
        """Every box is one, and alpha in it."""
        if len(bad := np.flatnonzero(~(np.isfinite(self.bounds) & (self.bounds > 0)))):
            raise BadParameter(
                f"X[{self.rows[bad[0]]}]", f"C times its weights is {self.bounds[bad[0]]:g}",
                "and has no box", "fit with a finite positive C and class_weight",
            )  # fmt: skip
        if (over := self.alpha / self.bounds).max() > 1 + SAME:
            k = int(over.argmax())
            raise BadParameter(
                f"sample_weight[{self.rows[k]}]", f"alpha = {self.alpha[k]:.6g}",
                f"is beyond C times the weights = {self.bounds[k]:.6g}", self.GIVEN,
            )  # fmt: skip

    def check_optimality(self, kernel: OrthogonalPolynomialKernel, points: np.ndarray) -> None:
        """libsvm ended where no two rows violate optimality by tol, in single precision."""
        alpha, y = self.alpha, self.signs
        f, size = np.empty(len(y)), np.empty(len(y))
        s, step = (alpha * y)[alpha > 0], max(1, _ENTRIES // max(1, int((alpha > 0).sum())))
        for some in (slice(i, i + step) for i in range(0, len(y), step)):
            K = kernel(points[some], points[alpha > 0])
            f[some], size[some] = K @ s, np.abs(K) @ np.abs(s)
        rest = y - self.b - f  # y_i - g(x_i): <= 0 where alpha_i y_i may grow, >= 0 where it may fall
        slack = SINGLE * (size + abs(self.b) + 1)
        slack = np.full_like(slack, slack.max()) if self.is_nu else slack  # of r, from all rows
        full, empty = alpha >= self.bounds * (1 - SAME), alpha <= 0
        up, down = np.where(y > 0, ~full, ~empty), np.where(y > 0, ~empty, ~full)
        high, low = np.where(up, rest - slack, -np.inf), np.where(down, rest + slack, np.inf)
        if high.max() - low.min() > 2 * self.tol:
            k = int(high.argmax() if high.max() > -low.min() else low.argmin())
            raise BadParameter(
                f"X[{self.rows[k]}]", f"y g(x) - 1 is off by {abs(rest[k]):.2g}",
                f"where libsvm ended within tol = {self.tol:.2g}: its label or weight is not that of the fit",
                self.GIVEN,
            )  # fmt: skip
        if (off := max(high.max(), -low.min())) > 2 * self.tol:
            raise BadParameter(
                "intercept_", f"{self.b:.6g}", f"is off by {off:.2g}, and libsvm ended within {self.tol:.2g}",
                "fit the model again: its intercept was changed",
            )  # fmt: skip


def _key(machine: Machine, i: int, j: int) -> PairKey:
    """The two classes, after the fold if there are several."""
    classes = machine.svc.classes_.tolist()
    return (*machine.key, *(machine.data.pair or (classes[i], classes[j])))


def _id(key: PairKey) -> str:
    return " against ".join(str(part) for part in key)


def _names(machine: Machine, d: int) -> tuple[str, ...]:
    names = machine.data.names or column_names(getattr(machine.svc, "_BaseLibSVM__Xfit", None)) or ()
    return names if len(names) == d else tuple(f"x{i}" for i in range(1, d + 1))
