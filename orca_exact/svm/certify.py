"""Judges: a proposal becomes a certificate only by proof.

gap    any alpha from anywhere, projected exactly into the feasible set: a rigorous P - D, and
       ||w - w*|| <= sqrt(P - D).
ball   the same at high precision (enough for ``digits`` of w), from an active set; where the active set
       is strict its alpha is enclosed and proved unique.
exact  the KKT system solved over Q, equalities exact, inequalities exact or by a ball for lambda.

See ``dual`` for the units: a = lambda*alpha = u + tau*v with rational u, v and tau = lambda*C.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from flint import arb, fmpq

from ..arithmetic import arithmetic
from ..errors import BadParameter, Undecided
from ..number import QQ, bits
from ..problem import Problem
from .active import ActiveSet, find_active_set
from .certificate import Certificate, Solution
from .dual import BallDual, FloatDual
from .exact import exact_certificate
from .gap import close, gap_certificate
from .refine import refine
from .solvers import propose, proposed_alpha

LEVELS = ("gap", "ball", "exact")
MAX_DOUBLINGS = 6


def solve(
    problem: Problem,
    form: str | None = None,
    solver: str | None = None,
    digits: int = 16,
    progress: Callable[[str], None] | None = None,
) -> Solution:
    """A solution with ``digits`` certified digits of w, by refinement around CVXPY.

    digits=0 returns what the solver left, with the digits that are certified of it.

    >>> from orca_exact import Problem, solve
    >>> problem = Problem([["-1/2"], ["1/2"], ["1"]], [1, -1, 1], n=2, alpha=0, beta=0, C=10)
    >>> solution = solve(problem)
    >>> solution.digits >= 16, round(solution.objective, 6)
    (True, 2.755556)
    """
    data = FloatDual(problem)
    proposal = propose(data, form, solver)
    if digits:
        return refine(data, proposal, digits, progress)
    alpha, b = data.alpha(proposal.a), QQ(data.best_b(proposal.a))
    s = data.y * proposal.a
    objective = float((proposal.a.sum() - s @ data.R @ s / 2) / data.lam)
    proved = gap_certificate(problem, alpha).digits
    return Solution(problem, alpha, b, objective, proposal.form, proposal.solver, proved)


def certify(
    problem: Problem,
    solution: Solution | Sequence[Any] | None = None,
    level: str = "exact",
    digits: int = 50,
) -> Certificate:
    """A proof of optimality. ``solution``: a Solution, a sequence of alpha_i, or None to solve first.

    >>> from orca_exact import Problem, certify
    >>> problem = Problem([["-1/2"], ["1/2"], ["1"]], [1, -1, 1], n=2, alpha=0, beta=0, C=10)
    >>> certify(problem)
    <Certificate exact: 3 free, 0 bound of 3, exact>
    >>> certify(problem, ["1.8074", "2.7556", "0.9482"], level="gap").digits  # what a rounded alpha is worth
    1
    """
    if level not in LEVELS:
        raise BadParameter("level", repr(level), "is unknown", "take " + ", ".join(LEVELS))
    bits(digits)
    alpha = proposed_alpha(problem) if solution is None else _given(problem, solution)
    if level == "gap":
        return gap_certificate(problem, alpha)
    try:
        return _prove(problem, alpha, level, digits)
    except Undecided:
        if solution is None:
            raise
    return _prove(problem, proposed_alpha(problem), level, digits)  # a hopeless proposal: our own


def _given(problem: Problem, solution: Solution | Sequence[Any]) -> tuple[fmpq, ...]:
    values: Sequence[Any] = solution.alpha if isinstance(solution, Solution) else solution
    alpha = tuple(QQ(x, f"alpha[{i}]") for i, x in enumerate(values))
    if len(alpha) != problem.m:
        raise BadParameter("alpha", f"{len(alpha)} values", f"for {problem.m} points", "give one per point")
    return alpha


def _prove(problem: Problem, alpha: tuple[fmpq, ...], level: str, digits: int) -> Certificate:
    """Double the precision until the digits are there; degenerate sets need more of it than others."""
    working, reached = 2 * digits + 40, -1
    reason = "the active set was not found"
    for _ in range(MAX_DOUBLINGS):
        A = arithmetic("ball", working)
        with A.scope():
            dual = BallDual(problem, A)
            active = find_active_set(dual, [x * dual.lam for x in alpha])
            if active is not None:
                if level == "exact":
                    return exact_certificate(problem, active)
                certificate = _ball(dual, active)
                if certificate.digits >= digits:
                    return certificate
                reason = f"only {certificate.digits} of {digits} digits at {working} working digits"
                if certificate.digits <= reached:
                    break
                reached = certificate.digits
        working *= 2
    raise Undecided(f"no {level} certificate: {reason}; try level='gap', or other digits")


def _ball(dual: BallDual, active: ActiveSet) -> Certificate:
    certificate = close(dual, active.values, active.bound, active.b, "ball")
    strict = _enclose(dual, active)
    return certificate if strict is None else certificate.with_enclosure(*strict)


def _enclose(dual: BallDual, active: ActiveSet) -> tuple[dict[int, arb], arb] | None:
    """Balls for s and b if the active set is proved to be the optimal one, every inequality strict."""
    if active.fixed or not active.basis:
        return None
    F, B, y = active.basis, active.bound, dual.problem.y
    s = {i: dual.tau * y[i] for i in B}
    f = dual.scores(s)
    rhs = [[y[i] - f[i]] for i in F] + [[-sum(s.values(), arb(0))]]
    try:
        solution = dual.bordered(F, rhs)[:, 0]
    except ZeroDivisionError:
        return None
    s.update(zip(F, solution[:-1], strict=True))
    b = solution[-1]
    if not all(s[i] * y[i] > 0 and s[i] * y[i] < dual.tau for i in F):
        return None
    margins = [label * (x + b) - 1 for x, label in zip(dual.scores(s), y, strict=True)]
    outside = set(range(dual.problem.m)) - set(F) - set(B)
    if all(margins[i] > 0 for i in outside) and all(margins[i] < 0 for i in B):
        return s, b
    return None
