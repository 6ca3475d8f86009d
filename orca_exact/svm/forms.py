"""The primal and the dual problem solved by CVXPY to many digits, and compared with the exact optimum.

The values of a solution are enclosed in balls; the optimum comes from ``certify``, which starts from another
solver, so that the comparison has two independent routes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any

from flint import arb, fmpq

from ..numbers.arithmetic import arithmetic
from ..numbers.rationals import nonnegative_sqrt
from ..problem import Problem
from .certificate import Certificate, Solution
from .certify import certify, solve
from .dual import BallDual

SVM_FORMS = ("primal", "dual")


@dataclass(frozen=True)
class FormValues:
    """A solution with enclosures of its values: ||w||, the primal objective P and the dual objective D."""

    solution: Solution
    norm: arb
    primal: arb
    dual: arb

    @property
    def gap(self) -> arb:
        """P - D, the duality gap."""
        return self.primal - self.dual


@dataclass(frozen=True)
class FormAgreement:
    """In how many digits two solutions agree, rounded down; None if a number is 0 or is not unique."""

    w: int | None
    alpha: int | None
    b: int | None


@dataclass(frozen=True)
class FormComparison:
    """Solutions by CVXPY to ``digits`` digits, and the optimum."""

    values: list[FormValues]
    optimum: Certificate
    digits: int

    @cached_property
    def with_optimum(self) -> list[FormAgreement]:
        """The digits in which each solution agrees with the optimum."""
        precision = _precision(self.digits)
        alpha, b = self.optimum.alpha(precision), self.optimum.bias(precision)
        unique = bool(self.optimum.alpha_unique), bool(self.optimum.b_unique)
        return [self._agreement(found.solution, alpha, b, *unique) for found in self.values]

    @cached_property
    def between_forms(self) -> FormAgreement | None:
        """The digits in which the solutions of the two forms agree; None if there is only one."""
        if len(self.values) < 2:
            return None
        first, second = (found.solution for found in self.values)
        return self._agreement(first, second.alpha, second.b, True, True)

    @property
    def agrees(self) -> bool:
        """Whether w agrees with the optimum in as many digits as were asked for."""
        return all(found.w is None or found.w >= self.digits for found in self.with_optimum)

    def _agreement(
        self, found: Solution, others: Sequence[Any], other_b: Any, alpha_unique: bool, b_unique: bool
    ) -> FormAgreement:
        with arithmetic("ball", _precision(self.digits)).scope():
            dual = BallDual(self.optimum.problem, arithmetic("ball", _precision(self.digits)))
            alpha, b = [arb(x) for x in others], arb(other_b)
            apart = [arb(x) - y for x, y in zip(found.alpha, alpha, strict=True)]
            difference, norm = (_norm(dual, x) for x in (apart, alpha))
            largest = reduce(arb.max, (abs(x) for x in alpha))
            most = _precision(self.digits)
            furthest = reduce(arb.max, (abs(x) for x in apart))
            return FormAgreement(
                _common_digits(difference, norm, most),
                _common_digits(furthest, largest, most) if alpha_unique else None,
                _common_digits(abs(arb(found.b) - b), abs(b), most) if b_unique else None,
            )


def solve_forms(
    problem: Problem,
    forms: tuple[str, ...] = SVM_FORMS,
    solver: str | None = None,
    digits: int = 50,
    level: str | None = None,
    progress: Callable[[str], object] = str,
) -> FormComparison:
    """Solve the primal, the dual or both by CVXPY to ``digits`` digits of w and compare with the optimum.

    Parameters
    ----------
    problem : Problem
        The problem to solve.
    forms : tuple of str
        "primal", "dual" or both.
    solver : str, optional
        The name of a solver of CVXPY, or "libsvm" for the dual; by default the first that succeeds.
    digits : int
        How many digits of w to prove.
    level : str, optional
        The level of the certificate of the optimum, see ``certify``.
    progress : callable
        Called with a line of text when a new step begins.

    Returns
    -------
    FormComparison

    Raises
    ------
    Undecided
        If fewer digits were reached, or the level cannot prove the optimum.
    SolverFailed
        If the solver failed.
    """
    found = []
    for form in forms:
        progress(f"solving the {form} problem with CVXPY ...")
        found.append(enclose_values(solve(problem, form, solver, digits, progress), digits))
    progress("proving the optimum ...")
    return FormComparison(found, certify(problem, level=level, digits=digits + 10, progress=progress), digits)


def enclose_values(solution: Solution, digits: int) -> FormValues:
    """Enclose ||w||, P and D of a solution: P from its slacks, D from its dual variables."""
    problem, A = solution.problem, arithmetic("ball", _precision(digits))
    with A.scope():
        dual = BallDual(problem, A)
        s = {i: arb(x) * dual.lam * y for i, (x, y) in enumerate(zip(solution.alpha, problem.y, strict=True))}
        scores = dual.scores(s)
        norm2 = sum((s[i] * score for i, score in enumerate(scores)), arb(0)) / dual.lam
        points = zip(problem.bounds, scores, problem.y, strict=True)
        slack = sum((C * (1 - y * (f + solution.b)).max(arb(0)) for C, f, y in points), arb(0))
        total = sum((arb(x) for x in solution.alpha), arb(0))
        return FormValues(solution, nonnegative_sqrt(norm2), norm2 / 2 + slack, total - norm2 / 2)


def _precision(digits: int) -> int:
    return 2 * digits + 60


def _norm(dual: BallDual, alpha: list[arb]) -> arb:
    """Return ||w|| for w = sum alpha_i y_i K(x_i, .)."""
    s = {i: x * dual.lam * y for i, (x, y) in enumerate(zip(alpha, dual.problem.y, strict=True))}
    return nonnegative_sqrt(sum((s[i] * f for i, f in enumerate(dual.scores(s))), arb(0)) / dual.lam)


def _common_digits(difference: arb, size: arb, most: int) -> int | None:
    """Return -log10(difference/size), rounded down and at most ``most``; None if the size may be 0."""
    low, high = arb(size.lower()), arb(difference.upper())
    if not low > 0:
        return None
    if high == 0:
        return most
    count = (low / high).log() / arb(10).log()
    return min(most, max(0, int(fmpq(*float(count.lower()).as_integer_ratio()).floor())))
