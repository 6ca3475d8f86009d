"""Solving and certifying: the four levels at which a proposed solution is proved.

gap    any alpha, projected exactly into the feasible set: a rigorous P - D, and ||w - w*|| <= sqrt(P - D).
float  the optimum enclosed in float64 with proved error bounds, if its active set is strict: the fastest.
ball   the same at high precision (enough for ``digits`` of w), from an active set; if the active set is
       strict, alpha is enclosed and proved unique.
exact  the KKT system solved over Q: equalities are exact, inequalities exact or decided by a ball for lambda.

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
from ..cost import Cost
from ..errors import BadParameter, SolverFailed, TooLarge, Undecided, pluralize, wrong_count
from ..numbers.arithmetic import arithmetic
from ..numbers.rationals import QQ, midpoint, precision_digits, working_bits
from ..problem import Problem, require_problem
from .active import ActiveSet, Degenerate, find_active_set
from .certificate import Certificate, Enclosure, Solution
from .dual import BallDual, FloatDual
from .exact import exact_certificate, try_all_active_sets
from .gap import certify_near, gap_certificate, has_digits
from .refine import refine
from .solvers import propose, proposed_alpha
from .verified import Start, VerifiedDual, certify_in_float64, find_start
from .zero import zero_certificate

_Alpha = tuple[fmpq, ...]
_Progress = Callable[[str], object]
MAX_DOUBLINGS = 6
FAILURES = (Undecided, SolverFailed, TooLarge, ImportError)  # errors in float64 after which CVXPY is tried
LONGEST_EXACT = 10.0  # estimated seconds up to which the level exact is the default
_FEW = 6  # points for which every active set can be tried


class Level(ABC):
    """A kind of certificate: its name in files, how it is proved, and the cost of the proof."""

    name: ClassVar[str]
    faster_level: ClassVar[str | None] = "float"  # a faster level
    arithmetic: ClassVar[str] = "ball"  # default arithmetic of the indices
    exact: ClassVar[bool] = False  # whether its certificates are exact
    checks_solutions: ClassVar[bool] = True  # whether ``judge`` accepts this level
    compares_with_optimum: ClassVar[bool] = (
        False  # whether ``judge`` compares alpha with an enclosure of the optimum
    )
    has_path: ClassVar[bool] = False  # whether ``path`` follows the optimum over all C at this level

    @abstractmethod
    def cost(self, problem: Problem) -> Cost:
        """Estimate the time and memory of a proof."""

    def cost_of_solved(self, problem: Problem) -> Cost:
        """Estimate a proof; a long one over Q from the free points, if float64 finds them in a second."""
        return self.cost(problem)

    @abstractmethod
    def prove(self, problem: Problem, given: _Alpha | None, digits: int, progress: _Progress) -> Certificate:
        """Return a certificate; ``given`` is an alpha to start from or, at level gap, to bound."""

    def faster_hint(self, problem: Problem) -> str:
        """Return a hint at a faster alternative, for the command line."""
        if self.faster_level is None:
            return "fewer points take less"
        return f"--level {self.faster_level} {LEVELS[self.faster_level].cost(problem).as_alternative}"


class GapLevel(Level):
    """The level that bounds the duality gap."""

    name = "gap"

    def cost(self, problem: Problem) -> Cost:
        return cost.gap_proof_cost(problem)

    def prove(self, problem: Problem, given: _Alpha | None, digits: int, progress: _Progress) -> Certificate:
        if given is not None:
            return replace(gap_certificate(problem, given), proposer="given")
        start = next(_starts(problem, None, progress))
        progress(f"bounding the duality gap: {problem.m} points ...")
        return replace(gap_certificate(problem, start.alpha), proposer=start.solver)


class FloatLevel(Level):
    """The level that encloses the optimum in float64."""

    name, faster_level, checks_solutions = "float", None, False
    arithmetic = "verified"

    def cost(self, problem: Problem) -> Cost:
        return cost.float_proof_cost(problem)

    def prove(self, problem: Problem, given: _Alpha | None, digits: int, progress: _Progress) -> Certificate:
        progress(f"solving and proving in float64: {problem.m} points ...")
        try:
            return certify_in_float64(VerifiedDual(problem), given)
        except Undecided:
            with suppress(*FAILURES):
                if zero := zero_certificate(problem, find_start(problem, given).alpha):
                    return zero
            raise


class BallLevel(Level):
    """The level that encloses the optimum in balls."""

    name = "ball"
    compares_with_optimum = has_path = True

    def cost(self, problem: Problem) -> Cost:
        return cost.ball_proof_cost(problem)

    def prove(self, problem: Problem, given: _Alpha | None, digits: int, progress: _Progress) -> Certificate:
        last = Undecided("no solution was proposed")
        for start in _starts(problem, given, progress):
            try:
                return replace(_prove(problem, start, self, digits, progress), proposer=start.solver)
            except Undecided as undecided:
                last = undecided
        raise last

    def prove_at_precision(
        self, dual: BallDual, alpha: _Alpha, known: ActiveSet | None, progress: _Progress
    ) -> Certificate:
        """Prove the optimum at the precision of ``dual``, from its active set if that is known."""
        return _prove_in_balls(dual, alpha, known)


class ExactLevel(BallLevel):
    """The level that proves the optimum over Q."""

    name, faster_level, arithmetic = "exact", "ball", "exact"
    exact, compares_with_optimum = True, False

    def cost(self, problem: Problem) -> Cost:
        return cost.exact_proof_cost(problem)

    def cost_of_solved(self, problem: Problem) -> Cost:
        upper = self.cost(problem)
        if upper.notable and LEVELS["float"].cost(problem).seconds < 1:
            with suppress(*FAILURES):
                if proved := find_start(problem).proved:
                    free, bound = len(proved.free), len(proved.bound)
                    return cost.exact_proof_cost(problem, free + bound, free)
        return upper

    def prove_at_precision(
        self, dual: BallDual, alpha: _Alpha, known: ActiveSet | None, progress: _Progress
    ) -> Certificate:
        return _prove_exactly(dual, alpha, known, progress)


LEVELS: dict[str, Level] = {
    level.name: level for level in (GapLevel(), FloatLevel(), BallLevel(), ExactLevel())
}


def find_level(name: str, allowed: Callable[[Level], bool] = lambda level: True) -> Level:
    """Return the level of this name; raise BadParameter if it is unknown or not allowed."""
    known = [level.name for level in LEVELS.values() if allowed(level)]
    if name not in known:
        raise BadParameter("level", repr(name), "is unknown", "choose one of " + ", ".join(known))
    return LEVELS[name]


def default_level(problem: Problem) -> str:
    """Return "exact" if the kernel is rational and that proof takes at most ten seconds, else "ball".

    The seconds are those of ``cost``, so that the level does not depend on the machine.
    """
    fast = problem.kernel.rational and LEVELS["exact"].cost(problem).seconds <= LONGEST_EXACT
    return "exact" if fast else "ball"


def require_level(level: Level, problem: Problem, fits: Callable[[Level], bool] = lambda known: True) -> None:
    """Raise BadParameter if the kernel does not have this level; ``fits`` selects those to recommend."""
    if level.exact and not problem.kernel.rational:
        rule = f"does not exist for the {problem.kernel_description}: its values are not rational"
        others = [repr(name) for name, known in LEVELS.items() if not known.exact and fits(known)][::-1]
        raise BadParameter("level", repr(level.name), rule, "take " + " or ".join(others))


def solve(
    problem: Problem,
    form: str | None = None,
    solver: str | None = None,
    digits: int = 16,
    progress: Callable[[str], object] | None = None,
) -> Solution:
    """Solve the problem to ``digits`` certified digits of w.

    The active set is found in float64. If that fails, or if a form or solver is named, CVXPY's solution is
    refined.

    Parameters
    ----------
    problem : Problem
        The problem to solve.
    form : {"dual", "primal"}, optional
        Which problem to pass to CVXPY.
    solver : str, optional
        The name of a solver that CVXPY knows, or "libsvm".
    digits : int
        How many digits of w to certify. 0 returns the solver's own result, with the digits certified for it.
    progress : callable, optional
        Called with a line of text when a new step begins.

    Returns
    -------
    Solution
        The dual variables, b and the number of certified digits.

    Raises
    ------
    Undecided
        If fewer digits were reached.
    SolverFailed
        If no solver returned a solution.

    Examples
    --------
    >>> from orca_exact import Problem, solve
    >>> problem = Problem([["-1/2"], ["1/2"], ["1"]], [1, -1, 1], n=2, alpha=0, beta=0, C=10)
    >>> solution = solve(problem)
    >>> solution.digits >= 16, round(solution.objective, 6)
    (True, 2.755556)
    """
    require_problem(problem)
    if form is None and solver is None:
        try:
            return _solution_from(problem, find_start(problem), digits)
        except FAILURES as failure:
            if progress:
                progress(f"float64 failed ({failure}); trying CVXPY ...")
    data = FloatDual(problem)
    proposal = propose(data, form, solver)
    if digits:
        return refine(data, proposal, digits, progress)
    alpha, b = data.alpha(proposal.a), QQ(data.best_b(proposal.a))
    s = data.y * proposal.a
    objective = float((proposal.a.sum() - s @ data.R @ s / 2) / data.lam)
    proved = gap_certificate(problem, alpha).digits
    return Solution(problem, alpha, b, objective, proposal.form, proposal.solver, proved)


def _solution_from(problem: Problem, start: Start, digits: int) -> Solution:
    """Return the optimum with the active set of ``start``; for digits=0, the solution of ``start`` itself."""
    if digits:
        found = _prove(problem, start, BallLevel(), digits)
        alpha = tuple(midpoint(x) for x in found.alpha(2 * digits + 40))
    else:
        found, alpha = gap_certificate(problem, start.alpha), start.alpha
    with precision_digits(2 * digits + 40):
        total = sum((arb(x) for x in alpha), arb(0))
        objective, b = float(total - found.norm2 / 2), midpoint(found.bias())
    reached = 0 if found.is_zero else min(found.digits, digits) if digits else found.digits
    return Solution(problem, alpha, b, objective, "dual", start.solver, reached)


def certify(
    problem: Problem,
    solution: Solution | Sequence[Any] | None = None,
    level: str | None = None,
    digits: int = 50,
    progress: Callable[[str], object] = str,
) -> Certificate:
    """Prove a solution optimal, or bound how far it is from the optimum.

    If w = 0, the certificate is exact at the levels float, ball and exact.

    Parameters
    ----------
    problem : Problem
        The problem that is solved.
    solution : Solution or sequence, optional
        A solution or its alpha_i to start from or, at level gap, to bound. By default, it is solved for.
    level : {"exact", "ball", "float", "gap"}, optional
        What to prove: the optimum in rationals, in balls or in float64, or a bound of the duality gap. By
        default it is "exact" if that takes at most ten seconds by an estimate (``Level.cost``), else "ball",
        which proves as many digits as are asked for; many points and high degrees make "exact" slow.
    digits : int
        How many digits of w to prove at the levels ball and exact.
    progress : callable
        Called with a line of text when a new step begins.

    Returns
    -------
    Certificate
        The proof.

    Raises
    ------
    Undecided
        If the level cannot prove the optimum.

    Examples
    --------
    >>> from orca_exact import Problem, certify
    >>> problem = Problem([["-1/2"], ["1/2"], ["1"]], [1, -1, 1], n=2, alpha=0, beta=0, C=10)
    >>> certify(problem)
    <Certificate exact: 3 points, 3 free, 0 bound; w is exact>
    >>> certify(problem, ["1.8074", "2.7556", "0.9482"], level="gap").digits  # of a rounded alpha
    1
    """
    require_problem(problem)
    chosen = find_level(level or default_level(problem))
    require_level(chosen, problem)
    working_bits(digits)
    values = solution.alpha if isinstance(solution, Solution) else solution
    given = None if values is None else parse_alpha(problem, values)
    hint = "take fewer points" + ", or level='float'" * (chosen.faster_level is not None)
    needed = chosen.cost(problem).memory
    cost.require_memory(needed, f"a certificate of level {chosen.name} for {problem.m} points", hint)
    return chosen.prove(problem, given, digits, progress)


def _starts(problem: Problem, given: _Alpha | None, progress: _Progress) -> Iterator[Start]:
    """Yield starting points, in the order in which they are tried.

    First the given alpha if float64 proves its active set, then the float64 solution, the given alpha as it
    is, and CVXPY's solution.
    """
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
    progress(f"solving with CVXPY: {problem.m} points ...")
    yield Start(*proposed_alpha(problem), None)


def parse_alpha(problem: Problem, values: Sequence[Any]) -> tuple[fmpq, ...]:
    """Return the alpha_i as rationals; raise BadInput unless there is one number for each point."""
    alpha = tuple(QQ(x, f"alpha[{i}]") for i, x in enumerate(values))
    if len(alpha) != problem.m:
        wanted = f"for {pluralize(problem.m, 'point')}"
        raise wrong_count("alpha", len(alpha), "value", wanted, "pass one value for each point")
    return alpha


def _prove(
    problem: Problem, start: Start, level: BallLevel, digits: int, progress: _Progress = str
) -> Certificate:
    """Return a certificate, doubling the precision until the digits are proved.

    Degenerate active sets need more precision than others. w = 0 is decided first, over Q, and that
    certificate is exact at either level.
    """
    if zero := zero_certificate(problem, start.alpha):
        return zero
    working, error = 2 * digits + 40, None
    known = None if start.proved is None else _active_set_of(start.proved)
    for _ in range(MAX_DOUBLINGS):
        A = arithmetic("ball", working)
        progress(f"searching the active set with {working} digits: {problem.m} points ...")
        with A.scope():
            dual = BallDual(problem, A)
            try:
                certificate = level.prove_at_precision(dual, start.alpha, known, progress)
            except Degenerate:
                raise
            except Undecided as undecided:
                reason = str(undecided)
            else:
                if certificate.exact or has_digits(dual, certificate, digits):
                    return certificate
                reason = (
                    f"Only {certificate.digits} of {digits} digits of w were proved with {working} digits."
                )
                if error is not None and not certificate.w_error < error:
                    break
                error = certificate.w_error
        working *= 2
    raise Undecided(f"Level {level.name} failed: {reason} Try level='gap', or another number of digits.")


def _search_active_set(dual: BallDual, alpha: _Alpha) -> ActiveSet:
    active = find_active_set(dual, [x * dual.lam for x in alpha])
    if active is None:
        raise Undecided("The active set was not found.")
    return active


def _prove_exactly(
    dual: BallDual, alpha: _Alpha, known: ActiveSet | None, progress: _Progress
) -> Certificate:
    if known:
        with suppress(Undecided):
            return exact_certificate(dual.problem, known, progress)
    try:
        return exact_certificate(dual.problem, _search_active_set(dual, alpha), progress)
    except Undecided:
        if dual.problem.m > _FEW:
            raise
    return try_all_active_sets(dual.problem)


def _prove_in_balls(dual: BallDual, alpha: _Alpha, known: ActiveSet | None) -> Certificate:
    if known and (strict := _enclose(dual, known)):
        values = {i: midpoint(x * dual.problem.y[i]) for i, x in strict.s.items()}
        active = replace(known, values=values, b=midpoint(strict.b))
    else:
        try:
            active = _search_active_set(dual, alpha)
        except Undecided:
            if dual.problem.m > _FEW:
                raise
            active = _active_set_of(try_all_active_sets(dual.problem))
        strict = _enclose(dual, active)
    certificate = certify_near(dual, active.values, active.bound, active.b, "ball")
    if strict is None:
        return certificate
    return replace(certificate, enclosure=strict, alpha_unique=True, hard_margin=not strict.bound)


def _active_set_of(proved: Certificate) -> ActiveSet:
    """Return the active set of a certificate, with values at the working precision."""
    free, bound = ([i - 1 for i in points] for points in (proved.free, proved.bound))
    values = {i: midpoint(arb(x)) for i, x in enumerate(proved.a.ball())}
    return ActiveSet(free, [], bound, values, midpoint(arb(proved.b.lower.ball())))


def _enclose(dual: BallDual, active: ActiveSet) -> Enclosure | None:
    """Return balls for s and b if every inequality of the active set is proved strict, else None."""
    if active.fixed or not active.basis:
        return None
    F, B, y = active.basis, active.bound, dual.problem.y
    s = {i: dual.upper_bound[i] * y[i] for i in B}
    try:
        solution = dual.bordered(F, dual.right_hand_side(F, s))[:, 0]
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
