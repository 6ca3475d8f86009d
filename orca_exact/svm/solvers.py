"""Proposed solutions by CVXPY (dual and primal) and by libsvm.

Nothing here is proved: certificates decide how good a proposal is.
"""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np
from flint import fmpq

from ..errors import BadParameter, SolverFailed
from ..numbers.arithmetic import arithmetic
from ..problem import Problem
from .dual import FloatDual, positive_sizes

FEATURES = 10_000  # modes up to which the feature space is explicit; else the Gram matrix is factored
_GOOD = 1e-6  # relative duality gap that ends the search
LIBSVM = ("libsvm", "sklearn", "svc")  # names of libsvm
ORDER: tuple[tuple[str, str], ...] = (
    ("dual", "CLARABEL"), ("dual", "libsvm"), ("primal", "CLARABEL"), ("dual", "OSQP"), ("dual", "SCS"),
)  # fmt: skip


class Proposal(NamedTuple):
    """A solver's a = lambda*alpha, with the form it solved, its name, its status and its gap."""

    a: np.ndarray
    form: str
    solver: str
    status: str  # as CVXPY calls it
    gap: float  # relative, in float64 and not proved

    def __str__(self) -> str:
        return f"{self.solver} on the {self.form} problem"


def propose(data: FloatDual, form: str | None = None, solver: str | None = None) -> Proposal:
    """Return the first proposal with a small duality gap in float64, else the best one found.

    Raise SolverFailed if no solver returns a solution.
    """
    if form not in (None, "dual", "primal"):
        raise BadParameter("form", repr(form), "is unknown", "choose 'dual' or 'primal'")
    chosen = solver and ("libsvm" if solver.lower() in LIBSVM else solver.upper())
    tries = [(form or "dual", chosen)] if chosen else [(f, s) for f, s in ORDER if form in (None, f)]
    best, failures = None, []
    for kind, name in tries:
        try:
            a, status = _solve(data, kind, name)
        except (SolverFailed, ImportError) as error:
            failures.append(f"{name} ({kind}): {error}")
            continue
        gap = relative_gap(data, a)
        if best is None or gap < best[0]:
            best = gap, Proposal(a, kind, name, status, gap)
        if gap < _GOOD:
            break
    if best is None:
        raise SolverFailed("no solver returned a solution: " + "; ".join(failures))
    return best[1]


def proposed_alpha(problem: Problem) -> tuple[tuple[fmpq, ...], str]:
    """Return alpha of the best proposal, clipped to [0, C_i], and who proposed it."""
    data = FloatDual(problem)
    proposal = propose(data)
    return data.alpha(proposal.a), str(proposal)


def quadratic_solvers() -> list[str]:
    """Return the names of the installed solvers of CVXPY that take a quadratic objective."""
    import cvxpy as cp
    from cvxpy.reductions.solvers.defines import SOLVER_MAP_CONIC, SOLVER_MAP_QP

    found = []
    for name in cp.installed_solvers():  # type: ignore[no-untyped-call]
        conic = SOLVER_MAP_CONIC.get(name)
        cones: list[Any] = list(conic.SUPPORTED_CONSTRAINTS) if conic else []
        if name in SOLVER_MAP_QP or cp.SOC in cones:
            found.append(name)
    return found


def relative_gap(data: FloatDual, a: np.ndarray) -> float:
    """Return (P - D)/max(P, tiny) in float64 after clipping a to the box. It is an estimate, not a proof."""
    a = np.clip(a, 0, data.upper_bound)
    s = data.y * a
    f = data.R @ s
    xi = np.maximum(0, -data.margins(a, data.best_b(a)))
    norm = s @ f
    primal, dual = norm / 2 + data.upper_bound @ xi, a.sum() - norm / 2
    infeasible = abs(s.sum()) / max(a.sum(), 1e-300)
    return float((primal - dual) / max(abs(primal), 1e-300) + infeasible)


def _solve(data: FloatDual, form: str, solver: str) -> tuple[np.ndarray, str]:
    if solver == "libsvm":
        if form != "dual":
            raise BadParameter("form", repr(form), "is not what libsvm solves", "choose 'dual', or CLARABEL")
        return solve_by_libsvm(data.R, data.y, data.upper_bound), "ended"
    return (_dual if form == "dual" else _primal)(data, solver)


def _dual(data: FloatDual, solver: str) -> tuple[np.ndarray, str]:
    """Solve eq. (svm-dual): max c.z - 1/2 |F z|^2, 0 <= z <= top D, y.(c z) = 0, in units of theta."""
    import cvxpy as cp

    z = cp.Variable(len(data.c))
    objective = cp.Minimize(cp.sum_squares(data.factor @ z) / 2 - data.c @ z)  # type: ignore[attr-defined]
    constraints = [z >= 0, z <= data.upper_bound / data.theta * data.D, (data.y * data.c) @ z == 0]
    status = run_solver(cp.Problem(objective, constraints), solver)
    return require_finite(z.value, solver) / data.D * data.theta, status


def _primal(data: FloatDual, solver: str) -> tuple[np.ndarray, str]:
    """Solve eq. (svm-primal): min 1/2 |v|^2 + top.xi in the orthonormal feature space, with a free bias.

    Row i is divided by D_i, so that its dual variable is z_i. If there are more features than points, a QR
    factorisation comes first.
    """
    import cvxpy as cp

    m = len(data.c)
    if data.problem.modes <= FEATURES:
        M, g = data.problem.kernel.at(data.problem.points, arithmetic("float")).features
        rows = (M * np.sqrt(g)).T / data.D[:, None]
        if data.problem.modes > m:
            rows = np.asarray(np.linalg.qr(rows.T, mode="r")).T
    else:
        rows = data.factor.T * data.y[:, None]
    v, b, xi = cp.Variable(rows.shape[1]), cp.Variable(), cp.Variable(m)
    margin = cp.multiply(data.y, rows @ v + b * data.c) >= data.c - xi  # type: ignore[attr-defined]
    cost = cp.sum_squares(v) / 2 + (data.upper_bound / data.theta * data.D) @ xi  # type: ignore[attr-defined]
    status = run_solver(cp.Problem(cp.Minimize(cost), [margin, xi >= 0]), solver)
    return require_finite(margin.dual_value, solver) / data.D * data.theta, status


def run_solver(problem: Any, solver: str) -> str:
    """Solve a CVXPY problem in place and return its status; raise SolverFailed if the solver fails.

    So does one that is missing, or that does not take a quadratic objective.
    """
    import cvxpy as cp
    from cvxpy.error import SolverError

    known = quadratic_solvers()
    if solver not in known:
        installed = solver in cp.installed_solvers()  # type: ignore[no-untyped-call]
        why = "does not take a quadratic objective" if installed else "is not installed"
        raise SolverFailed(f"solver {solver!r} {why}; choose one of {', '.join(known)}, libsvm")
    options: dict[str, dict[str, Any]] = {
        "OSQP": {"max_iter": 20_000, "eps_abs": 1e-9, "eps_rel": 1e-9},
        "SCS": {"max_iters": 20_000},
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            problem.solve(solver=solver, **options.get(solver, {}))
        except (SolverError, ValueError, ArithmeticError) as error:
            raise SolverFailed(str(error).splitlines()[0]) from None
    return str(problem.status)


def require_finite(values: Any, solver: str) -> np.ndarray:
    """Return a solver's result as an array; raise SolverFailed unless all its numbers are finite."""
    if values is None or not np.all(np.isfinite(values)):
        raise SolverFailed(f"{solver} did not return finite numbers")
    return np.asarray(values, dtype=float)


def solve_by_libsvm(R: np.ndarray, y: np.ndarray, top: np.ndarray) -> np.ndarray:
    """Return a from libsvm on a precomputed kernel.

    The iterations are limited because libsvm, which caches the kernel in single precision, may not end by
    itself.
    """
    from sklearn.svm import SVC

    scale, most = float(np.exp(np.mean(np.log(positive_sizes(np.diag(R)))))), float(top.max())
    svc = SVC(kernel="precomputed", C=most * scale, tol=1e-10, max_iter=2_000_000, cache_size=500)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            svc.fit(R / scale, y, sample_weight=top / most)
        except ValueError as error:  # also raised if libsvm returns numbers that are not finite
            raise SolverFailed(f"libsvm failed: {error}") from None
    a = np.zeros(len(y))
    a[svc.support_] = np.abs(svc.dual_coef_[0]) / scale
    return require_finite(a, "libsvm")
