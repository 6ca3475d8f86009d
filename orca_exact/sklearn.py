"""For scikit-learn users: the kernel as a callable for ``SVC``, and an audit of the fitted classifier.

>>> from sklearn.svm import SVC
>>> X, y = [[-0.9], [-0.2], [0.3], [0.8]], ["no", "yes", "yes", "no"]
>>> svc = SVC(kernel=OrthogonalPolynomialKernel(3), C=10).fit(X, y)
>>> audit(svc, X, y).profile.peak
2
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from flint import arb, fmpq

from .arithmetic import arithmetic
from .errors import BadParameter
from .kernel import Kernel
from .number import QQ, decimal, precision
from .problem import Problem
from .profile.indices import INDICES
from .profile.profile import Profile, orca
from .svm.certificate import Certificate, Solution
from .svm.certify import certify
from .svm.dual import BallDual
from .svm.judge import distance

ROUNDING = 1e-9  # how far beyond [-1, 1] a scaler's rounding may put a point


class OrthogonalPolynomialKernel(Kernel):
    """K_n^(d) for ``SVC(kernel=OrthogonalPolynomialKernel(n, alpha, beta))``: picklable, on float arrays."""


@dataclass(frozen=True)
class Audit:
    """A fitted SVC against the certified optimum of the very problem it was given.

    ``solution`` is what libsvm returned; ``gap`` its own certificate (rigorous, no optimum needed);
    ``optimum`` a certificate of the true optimum; ``profile`` the optimum's indices as balls.
    """

    problem: Problem
    solution: Solution
    gap: Certificate
    optimum: Certificate
    profile: Profile[arb]
    names: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @cached_property
    def fitted_profile(self) -> Profile[arb]:
        """The indices of the classifier as fitted, exactly its own alpha, in balls."""
        return orca(self.problem, self.solution, "ball", 30)

    @cached_property
    def distance(self) -> arb:
        """||w - w*||: how far the fitted w is from the optimum, at most."""
        A = arithmetic("ball", 60)
        with A.scope():
            own = distance(BallDual(self.problem, A), self.solution.alpha, self.optimum.alpha(60))
            return arb((own + self.optimum.w_error).upper())

    @property
    def digits(self) -> float:
        """Digits of w that libsvm got right."""
        with precision(60):
            relative = self.distance / self.profile.norm2.sqrt()
            return 99.0 if not relative > 0 else round(float(-(relative.log() / arb(10).log())), 1)

    @property
    def proved_digits(self) -> int:
        """Digits of w that the duality gap of libsvm's own alpha proves."""
        return self.gap.digits

    @property
    def index_error(self) -> float:
        """The largest error of an index of the fitted classifier."""
        own, true = self.fitted_profile, self.profile
        with precision(60):
            return max(
                float(arb(abs(x - true.family(name)[key]).upper()))
                for name in INDICES
                for key, x in own.family(name).items()
            )

    @property
    def marginal(self) -> dict[str, arb]:
        """OKC_i by column name."""
        return dict(zip(self.names, self.profile.marginal.values(), strict=True))

    def __str__(self) -> str:
        lines = [
            f"{self.problem.m} points, {self.problem.d} columns, n = {self.problem.n}: "
            f"{self.problem.modes} modes",
            f"libsvm: {self.digits} digits of w are right; "
            f"its duality gap proves {self.proved_digits or self.gap.accuracy}",
            f"largest error of an index: {self.index_error:.1e}",
            f"optimum: level {self.optimum.level}, {self.optimum.accuracy}"
            + " proved" * bool(self.optimum.digits),
            *(f"OKC_{name} = {decimal(value, 12)}" for name, value in self.marginal.items()),
            *(f"OKC^({q}) = {decimal(value, 12)}" for q, value in enumerate(self.profile.order)),
        ]
        return "\n".join([*lines, *self.notes])


def audit(fitted: Any, X: Any, y: Any, kernel: Kernel | None = None, digits: int = 30) -> Audit:
    """Certify the problem that ``fitted`` (an SVC, or a Pipeline that ends in one) was fitted to.

    ``X`` and ``y`` are what ``fit`` got. For ``kernel="precomputed"`` give the points as ``X`` and the
    kernel that made the Gram matrix as ``kernel``.
    """
    svc, points = _unwrap(fitted, X)
    kernel = kernel if kernel is not None else svc.kernel
    if not isinstance(kernel, Kernel):
        raise BadParameter(
            "kernel", repr(kernel), "is not an OrthogonalPolynomialKernel",
            "fit with one, or name it: audit(svc, X, y, kernel=OrthogonalPolynomialKernel(n, alpha, beta))",
        )  # fmt: skip
    if np.any(np.asarray(getattr(svc, "class_weight_", 1.0)) != 1):
        raise BadParameter(
            "class_weight", svc.class_weight, "is not 1", "an audit needs one C for all points"
        )
    points, notes = _inside(points)
    labels = _labels(svc, y, len(points))
    problem = Problem(points, labels, kernel.n, kernel.alpha, kernel.beta, C=float(svc.C), id="audit")
    alpha = _alpha(svc, problem)
    solution = Solution(problem, alpha, QQ(float(svc.intercept_[0])), form="dual", solver="libsvm")
    optimum = certify(problem, solution, level="ball", digits=digits)
    profile = orca(problem, optimum, "ball", digits)
    gap = certify(problem, solution, level="gap")
    return Audit(problem, solution, gap, optimum, profile, _names(fitted, X, problem.d), notes)


def _unwrap(fitted: Any, X: Any) -> tuple[Any, np.ndarray]:
    """The SVC, and the points as it saw them."""
    from sklearn.svm import SVC

    steps = getattr(fitted, "steps", [("", fitted)])
    svc = steps[-1][1]
    if not isinstance(svc, SVC):
        name = type(svc).__name__
        raise BadParameter("fitted", name, "is not an SVC", "give one, or a Pipeline that ends in one")
    if not hasattr(svc, "dual_coef_"):
        raise BadParameter("fitted", type(svc).__name__, "is not a fitted SVC", "call fit first")
    if len(svc.classes_) != 2:
        raise BadParameter(
            "classes", len(svc.classes_), "were fitted", "an audit needs two; take them in pairs"
        )
    try:
        seen = fitted[:-1].transform(X) if len(steps) > 1 else X
        sparse = [x for x in (seen, svc.dual_coef_) if hasattr(x, "toarray")]
        points = np.empty(0) if sparse else np.asarray(seen, dtype=float)
    except (TypeError, ValueError) as error:
        why = str(error).splitlines()[0]
        raise BadParameter("X", type(X).__name__, f"cannot be read ({why})", "give what fit got") from None
    if sparse:
        raise BadParameter("X", type(sparse[0]).__name__, "is sparse", "fit and audit X.toarray()")
    known = 1 if svc.kernel == "precomputed" else 2  # then X was the Gram matrix: only its rows are points
    if points.shape[:known] != tuple(svc.shape_fit_)[:known]:
        raise BadParameter("X", f"shape {points.shape}", "is not that of fit", "give what fit got")
    return svc, points


def _inside(points: np.ndarray) -> tuple[np.ndarray, tuple[str, ...]]:
    """Points that a scaler's rounding put just beyond [-1, 1] go to the end; others are an error later."""
    beyond = (np.abs(points) > 1) & (np.abs(points) <= 1 + ROUNDING)
    if not beyond.any():
        return points, ()
    note = f"{int(beyond.sum())} coordinates were beyond [-1, 1] by rounding and were put to its ends"
    return np.where(beyond, np.sign(points), points), (note,)


def _labels(svc: Any, y: Any, m: int) -> list[int]:
    """+1 is the second class, as in scikit-learn."""
    y = np.asarray(y)
    if y.shape != (m,):
        raise BadParameter("y", f"shape {y.shape}", f"for {m} points", "give the labels that fit got")
    if unknown := set(y.tolist()) - set(svc.classes_.tolist()):
        raise BadParameter("y", sorted(unknown, key=str)[0], "was not fitted", "give the labels that fit got")
    return [1 if label == svc.classes_[1] else -1 for label in y.tolist()]


def _alpha(svc: Any, problem: Problem) -> tuple[fmpq, ...]:
    alpha = [fmpq(0)] * problem.m
    for i, coefficient in zip(svc.support_.tolist(), svc.dual_coef_[0].tolist(), strict=True):
        if i >= problem.m or coefficient * problem.y[i] < 0:
            raise BadParameter("y", f"point {i + 1}", "has the other label than in fit", "give what fit got")
        alpha[i] = QQ(abs(coefficient))
        if alpha[i] > problem.C * (1 + fmpq(1, 10**9)):
            raise BadParameter(
                "sample_weight", f"alpha_{i + 1} > C", "cannot be audited", "fit without weights"
            )
    return tuple(alpha)


def _names(fitted: Any, X: Any, d: int) -> tuple[str, ...]:
    names = getattr(fitted, "feature_names_in_", getattr(X, "columns", None))
    chosen = tuple(str(name) for name in names) if names is not None else ()
    return chosen if len(chosen) == d else tuple(f"x{i}" for i in range(1, d + 1))
