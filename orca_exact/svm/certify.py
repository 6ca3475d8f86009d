"""Judges: a proposal becomes a certificate only by proof.

gap    any alpha from anywhere, projected exactly into the feasible set: a rigorous P - D, and
       ||w - w*|| <= sqrt(P - D).
float  the optimum enclosed in float64 with proved error bounds, where its active set is strict: quick.
ball   the same at high precision (enough for ``digits`` of w), from an active set; where the active set
       is strict its alpha is enclosed and proved unique.
exact  the KKT system solved over Q, equalities exact, inequalities exact or by a ball for lambda.

See ``dual`` for the units: a = lambda*alpha = u + tau*v with rational u, v and tau = lambda*C.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, ClassVar

from flint import arb, fmpq

from .. import cost
from ..errors import BadParameter, SolverFailed, TooLarge, Undecided
from ..numbers.arithmetic import arithmetic
from ..numbers.rationals import QQ, bits, midpoint, precision
from ..problem import Problem
from .active import ActiveSet, Degenerate, find_active_set
from .certificate import Certificate, Enclosure, Solution
from .dual import BallDual, FloatDual
from .exact import exact_certificate, try_all_active_sets
from .gap import certify_near, gap_certificate, has_digits
from .refine import refine
from .solvers import propose, proposed_alpha
from .verified import Start, find_start, float_certificate
from .zero import zero_certificate

_Alpha = tuple[fmpq, ...]
_Progress = Callable[[str], object]
MAX_DOUBLINGS = 6
FAILURES = (Undecided, SolverFailed, TooLarge, ImportError)  # of float64, where CVXPY may do better
_FEW = 6  # points: every active set can be tried


class Level(ABC):
    """A kind of certificate: its name in files, how it is proved, and what that costs."""

    name: ClassVar[str]
    quicker: ClassVar[str | None] = "float"  # the name of the level to try instead
    arithmetic: ClassVar[str] = "ball"  # that computes the indices, unless another one is asked for
    exact: ClassVar[bool] = False  # whether its certificates are exact
    judges: ClassVar[bool] = True  # whether ``judge`` judges a given alpha at this level
    encloses: ClassVar[bool] = False  # and compares it with an enclosure of the optimum
    follows: ClassVar[bool] = False  # whether ``path`` follows the optimum over all C at this level

    @abstractmethod
    def cost(self, problem: Problem) -> cost.Cost:
        """Estimate what a proof takes."""

    @abstractmethod
    def prove(self, problem: Problem, given: _Alpha | None, digits: int, progress: _Progress) -> Certificate:
        """Return a certificate; ``given`` is an alpha to begin with, or to bound."""

    def instead(self, problem: Problem) -> str:
        """Return a hint at something quicker, for the command line."""
        if self.quicker is None:
            return "fewer points take less"
        return f"--level {self.quicker} takes {cost.duration(LEVELS[self.quicker].cost(problem).seconds)}"


class GapLevel(Level):
    """A bound of the duality gap."""

    name = "gap"

    def cost(self, problem: Problem) -> cost.Cost:
        return cost.gap_proof(problem)

    def prove(self, problem: Problem, given: _Alpha | None, digits: int, progress: _Progress) -> Certificate:
        if given is not None:
            return gap_certificate(problem, given)
        begin = next(_starts(problem, None, progress))
        progress(f"bounding the duality gap: {problem.m} points ...")
        return gap_certificate(problem, begin.alpha)


class FloatLevel(Level):
    """The optimum enclosed in float64."""

    name, quicker, judges = "float", None, False
    arithmetic = "verified"

    def cost(self, problem: Problem) -> cost.Cost:
        return cost.float_proof(problem)

    def prove(self, problem: Problem, given: _Alpha | None, digits: int, progress: _Progress) -> Certificate:
        progress(f"solving and proving in float64: {problem.m} points ...")
        return float_certificate(problem, given)


class BallLevel(Level):
    """The optimum enclosed in balls."""

    name = "ball"
    encloses = follows = True

    def cost(self, problem: Problem) -> cost.Cost:
        return cost.ball_proof(problem)

    def prove(self, problem: Problem, given: _Alpha | None, digits: int, progress: _Progress) -> Certificate:
        reason: Undecided | None = None
        for begin in _starts(problem, given, progress):
            try:
                return _prove(problem, begin, self, digits, progress)
            except Undecided as undecided:
                reason = undecided
        assert reason
        raise reason

    def at(self, dual: BallDual, alpha: _Alpha, known: ActiveSet | None, progress: _Progress) -> Certificate:
        """Prove the optimum at the precision of ``dual``, from an active set that is known or found."""
        return _ball(dual, alpha, known)


class ExactLevel(BallLevel):
    """The optimum over Q."""

    name, quicker, arithmetic = "exact", "ball", "exact"
    exact, encloses = True, False

    def cost(self, problem: Problem) -> cost.Cost:
        return cost.exact_proof(problem)

    def at(self, dual: BallDual, alpha: _Alpha, known: ActiveSet | None, progress: _Progress) -> Certificate:
        return _exact(dual, alpha, known, progress)


LEVELS: dict[str, Level] = {
    level.name: level for level in (GapLevel(), FloatLevel(), BallLevel(), ExactLevel())
}


def find_level(name: str, allowed: Callable[[Level], bool] = lambda level: True) -> Level:
    """Return the level of this name, if it is an allowed one."""
    known = [level.name for level in LEVELS.values() if allowed(level)]
    if name not in known:
        raise BadParameter("level", repr(name), "is unknown", "take " + ", ".join(known))
    return LEVELS[name]


def solve(
    problem: Problem,
    form: str | None = None,
    solver: str | None = None,
    digits: int = 16,
    progress: Callable[[str], None] | None = None,
) -> Solution:
    """A solution with ``digits`` certified digits of w, from an active set that float64 found.

    Where that fails, or a form or solver is named, by refinement around CVXPY. digits=0 returns what the
    solver left, with the digits that are certified of it.

    >>> from orca_exact import Problem, solve
    >>> problem = Problem([["-1/2"], ["1/2"], ["1"]], [1, -1, 1], n=2, alpha=0, beta=0, C=10)
    >>> solution = solve(problem)
    >>> solution.digits >= 16, round(solution.objective, 6)
    (True, 2.755556)
    """
    if form is None and solver is None:
        try:
            return _solved(problem, find_start(problem), digits)
        except FAILURES as failure:
            if progress:
                progress(f"{failure}: asking CVXPY")
    data = FloatDual(problem)
    proposal = propose(data, form, solver)
    if digits:
        return refine(data, proposal, digits, progress)
    alpha, b = data.alpha(proposal.a), QQ(data.best_b(proposal.a))
    s = data.y * proposal.a
    objective = float((proposal.a.sum() - s @ data.R @ s / 2) / data.lam)
    proved = gap_certificate(problem, alpha).digits
    return Solution(problem, alpha, b, objective, proposal.form, proposal.solver, proved)


def _solved(problem: Problem, begin: Start, digits: int) -> Solution:
    """The optimum from an active set; for digits=0 as float64 left it."""
    if digits:
        found = _prove(problem, begin, BallLevel(), digits)
        alpha = tuple(midpoint(x) for x in found.alpha(2 * digits + 40))
    else:
        found, alpha = gap_certificate(problem, begin.alpha), begin.alpha
    with precision(2 * digits + 40):
        total = sum((arb(x) for x in alpha), arb(0))
        objective, b = float(total - found.norm2 / 2), midpoint(found.bias())
    reached = 0 if found.is_zero else min(found.digits, digits) if digits else found.digits
    return Solution(problem, alpha, b, objective, "dual", begin.solver, reached)


def certify(
    problem: Problem,
    solution: Solution | Sequence[Any] | None = None,
    level: str = "exact",
    digits: int = 50,
    progress: Callable[[str], object] = str,
) -> Certificate:
    """A proof of optimality. ``solution``: a Solution, a sequence of alpha_i, or None to solve first.

    If w = 0, the certificate is exact at the levels ball and exact. ``progress`` is told what is begun.

    >>> from orca_exact import Problem, certify
    >>> problem = Problem([["-1/2"], ["1/2"], ["1"]], [1, -1, 1], n=2, alpha=0, beta=0, C=10)
    >>> certify(problem)
    <Certificate exact: 3 free, 0 bound of 3, exact>
    >>> certify(problem, ["1.8074", "2.7556", "0.9482"], level="gap").digits  # what a rounded alpha is worth
    1
    """
    chosen = find_level(level)
    bits(digits)
    given = None if solution is None else _given(problem, solution)
    hint = "take fewer points" + ", or the level 'float'" * (chosen.quicker is not None)
    needed = chosen.cost(problem).memory
    cost.require_memory(needed, f"a certificate of level {level} for {problem.m} points", hint)
    return chosen.prove(problem, given, digits, progress)


def _starts(
    problem: Problem, given: tuple[fmpq, ...] | None, progress: Callable[[str], object]
) -> Iterator[Start]:
    """What is given if float64 proves its active set, our own in float64, what is given as it is, CVXPY's."""
    progress(f"solving in float64: {problem.m} points ...")
    near: list[Start] = []
    if given is not None:
        with suppress(Undecided, TooLarge):
            near.append(find_start(problem, given))
        near.append(Start(given, "given", None))
    if near and near[0].proved:
        yield near.pop(0)
    with suppress(*FAILURES):
        yield find_start(problem)
    yield from near
    needed = cost.SOLVER_BYTES * problem.m**2
    cost.require_memory(needed, f"CVXPY on the Gram matrix of {problem.m} points", "take fewer points")
    progress(f"asking CVXPY: {problem.m} points ...")
    yield Start(proposed_alpha(problem), "CVXPY", None)


def _given(problem: Problem, solution: Solution | Sequence[Any]) -> tuple[fmpq, ...]:
    values: Sequence[Any] = solution.alpha if isinstance(solution, Solution) else solution
    alpha = tuple(QQ(x, f"alpha[{i}]") for i, x in enumerate(values))
    if len(alpha) != problem.m:
        raise BadParameter("alpha", f"{len(alpha)} values", f"for {problem.m} points", "give one per point")
    return alpha


def _prove(
    problem: Problem, begin: Start, level: BallLevel, digits: int, progress: Callable[[str], object] = str
) -> Certificate:
    """Double the precision until the digits are there; degenerate sets need more of it than others.

    w = 0 is decided first, over Q: that certificate is exact at either level.
    """
    if zero := zero_certificate(problem, begin.alpha):
        return zero
    working, error = 2 * digits + 40, None
    reason = "the active set was not found"
    known = None if begin.proved is None else _active(begin.proved)
    for _ in range(MAX_DOUBLINGS):
        A = arithmetic("ball", working)
        progress(f"the active set in balls of {working} digits: {problem.m} points ...")
        with A.scope():
            dual = BallDual(problem, A)
            try:
                certificate = level.at(dual, begin.alpha, known, progress)
            except Degenerate:
                raise
            except Undecided as undecided:
                reason = str(undecided)
            else:
                if certificate.exact or has_digits(dual, certificate, digits):
                    return certificate
                reason = f"only {certificate.digits} of {digits} digits at {working} working digits"
                if error is not None and not certificate.w_error < error:
                    break
                error = certificate.w_error
        working *= 2
    raise Undecided(f"no {level.name} certificate: {reason}; try level='gap', or other digits")


def _found(dual: BallDual, alpha: tuple[fmpq, ...]) -> ActiveSet:
    active = find_active_set(dual, [x * dual.lam for x in alpha])
    if active is None:
        raise Undecided("the active set was not found")
    return active


def _exact(
    dual: BallDual, alpha: tuple[fmpq, ...], known: ActiveSet | None, progress: Callable[[str], object]
) -> Certificate:
    if known:
        with suppress(Undecided):
            return exact_certificate(dual.problem, known, progress)
    try:
        return exact_certificate(dual.problem, _found(dual, alpha), progress)
    except Undecided:
        if dual.problem.m > _FEW:
            raise
    return try_all_active_sets(dual.problem)


def _ball(dual: BallDual, alpha: tuple[fmpq, ...], known: ActiveSet | None) -> Certificate:
    if known and (strict := _enclose(dual, known)):
        y = dual.problem.y
        values = {i: midpoint(x * y[i]) for i, x in strict.s.items()}
        certificate = certify_near(dual, values, known.bound, midpoint(strict.b), "ball")
        return replace(certificate, enclosure=strict, alpha_unique=True, hard_margin=not strict.bound)
    try:
        active = _found(dual, alpha)
    except Undecided:
        if dual.problem.m > _FEW:
            raise
        active = _active(try_all_active_sets(dual.problem))
    certificate = certify_near(dual, active.values, active.bound, active.b, "ball")
    if (strict := _enclose(dual, active)) is None:
        return certificate
    return replace(certificate, enclosure=strict, alpha_unique=True, hard_margin=not strict.bound)


def _active(proved: Certificate) -> ActiveSet:
    """Of a certificate, at the working precision."""
    free, bound = ([i - 1 for i in points] for points in (proved.free, proved.bound))
    values = {i: midpoint(arb(x)) for i, x in enumerate(proved.a.ball())}
    return ActiveSet(free, [], bound, values, midpoint(arb(proved.b.lower.ball())))


def _enclose(dual: BallDual, active: ActiveSet) -> Enclosure | None:
    """Balls for s and b if the active set is proved to be the optimal one, every inequality strict."""
    if active.fixed or not active.basis:
        return None
    F, B, y = active.basis, active.bound, dual.problem.y
    s = {i: dual.upper_bound[i] * y[i] for i in B}
    f = dual.scores(s)
    rhs = [[y[i] - f[i]] for i in F] + [[-sum(s.values(), arb(0))]]
    try:
        solution = dual.bordered(F, rhs)[:, 0]
    except ZeroDivisionError:
        return None
    s.update(zip(F, solution[:-1], strict=True))
    b = solution[-1]
    if not all(s[i] * y[i] > 0 and s[i] * y[i] < dual.upper_bound[i] for i in F):
        return None
    margins = [label * (x + b) - 1 for x, label in zip(dual.scores(s), y, strict=True)]
    outside = set(range(dual.problem.m)) - set(F) - set(B)
    if all(margins[i] > 0 for i in outside) and all(margins[i] < 0 for i in B):
        return Enclosure(s, b, *(tuple(i + 1 for i in sorted(points)) for points in (F, B)))
    return None
