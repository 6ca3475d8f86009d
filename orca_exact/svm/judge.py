"""Test whether a given alpha, with or without b, is optimal, without replacing it by a better one.

exact  optimal or not: 0 <= alpha <= C_i, sum y alpha = 0, y g >= 1 if alpha < C_i, y g <= 1 if alpha > 0, at
       the given b or at any b. The test is over Q; a ball for lambda decides the signs.
gap    digits of w by ||w - w*|| <= ||w - w'|| + sqrt(P - D), with w' of a feasible alpha nearby and P at the
       given b or at the best one.
ball   digits of w and of the dual objective, compared with an enclosed optimum (w may be right although alpha
       is not), and of b, compared with the best one for this w.

The levels gap and ball accept what is right to the required number of digits. Feasibility is measured
relative to max alpha. See ``dual`` for the units.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from flint import arb, fmpq

from ..files.formats import JsonObject
from ..numbers.arithmetic import arithmetic, object_vector
from ..numbers.rationals import QQ, format_decimal, midpoint, precision_digits, working_bits
from ..problem import Problem
from .certificate import Certificate
from .certify import certify, find_level, parse_alpha, require_level
from .dual import BallDual, best_b
from .exact import prove_exactly
from .gap import certify_near, has_digits
from .gram import gram_ratio
from .tau import SIGN_DIGITS, Affine, Tau

DIGITS = 4  # required of a solution by default


@dataclass(frozen=True)
class Violation:
    """A violated condition: its name, the point (from 1) if it concerns one, what was found, and the size."""

    condition: str
    point: int | None
    found: str
    by: arb

    def __str__(self) -> str:
        return "{condition}: {found}, off by {by}".format_map(self.to_json())

    def to_json(self) -> JsonObject:
        """Return the fault as ``certify --solution --format json`` writes it."""
        by = format_decimal(self.by, 3)
        return {"condition": self.condition, "point": self.point, "found": self.found, "by": by}


@dataclass(frozen=True, repr=False)
class SolutionCheck:
    """The result of ``check_solution``: the violated conditions at this level, and what is proved anyway.

    Attributes
    ----------
    level : str
        The level of the test.
    faults : tuple of Violation
        The violated conditions; empty if alpha is optimal.
    certificate : Certificate
        The exact certificate of this alpha if it is optimal at level exact; else the gap certificate of a
        feasible alpha nearby.
    proved : Certificate
        The same bounds for the given w itself, which ``accuracy`` and ``digits`` report.
    """

    level: str
    faults: tuple[Violation, ...]
    certificate: Certificate
    bounds_for_w: Certificate

    def __repr__(self) -> str:
        found = "optimal" if self.optimal else f"not optimal: {'; '.join(map(str, self.faults))}"
        return f"<SolutionCheck {self.level}: {found}>"

    @property
    def optimal(self) -> bool:
        """Whether alpha is optimal: exactly, or to the required number of digits."""
        return not self.faults

    @property
    def digits(self) -> int:
        """Number of digits of w* that the given w is proved to have."""
        return self.bounds_for_w.digits

    @property
    def accuracy(self) -> str:
        """Clause that states how accurate the given w is proved to be."""
        return self.bounds_for_w.accuracy


def check_solution(
    problem: Problem, alpha: Sequence[Any], b: Any = None, level: str = "exact", digits: int = DIGITS
) -> SolutionCheck:
    """Test whether exactly these dual variables, with this b if one is given, are optimal.

    Parameters
    ----------
    problem : Problem
        The problem that is solved.
    alpha : sequence
        One dual variable for each point.
    b : number, optional
        The bias. By default any b will do.
    level : {"exact", "ball", "gap"}
        How to test: over Q, against an enclosed optimum, or by the duality gap.
    digits : int
        How many digits are required at the levels ball and gap.

    Returns
    -------
    SolutionCheck
        The violated conditions, if any, and what is proved about the given w.

    Examples
    --------
    >>> from orca_exact import Problem
    >>> problem = Problem([["-1/2"], ["1/2"], ["1"]], [1, -1, 1], n=2, alpha=0, beta=0, C=10)
    >>> check_solution(problem, ["244/135", "124/45", "128/135"]).optimal
    True
    >>> for fault in check_solution(problem, ["1.8074", "2.7556", "1"]).faults:
    ...     print(fault)
    balance: sum y_i alpha_i = 0.0518000 should be 0, off by 0.0518
    margin: y_1 g(x_1) = 0.868762 should be at least 1, off by 0.131
    """
    chosen = find_level(level, lambda known: known.checks_solutions)
    require_level(chosen, problem, lambda known: known.checks_solutions)
    working_bits(digits)
    given = parse_alpha(problem, alpha)
    bias = None if b is None else QQ(b, "b")
    faults = _infeasibility(problem, given)
    if chosen.exact:
        R, a = gram_ratio(problem), _in_units(problem, given)
        faults += _margin_fault(problem, given, R, a, bias)
        if not faults:
            proved = prove_exactly(problem, R, a)
            return SolutionCheck(level, (), proved, proved)
    else:
        slack = max(map(abs, given)) * fmpq(1, 10**digits)
        faults = [fault for fault in faults if not fault.by <= slack]
    optimum = certify(problem, level=level, digits=digits + 10) if chosen.compares_with_optimum else None
    least = max(digits, 20)
    for working in (2 * least + 60, 8 * least + 240):  # more digits only in case of cancellation
        A = arithmetic("ball", working)
        with A.scope():
            dual = BallDual(problem, A)
            certificate, proved, f = _near(dual, given, bias)
            if optimum:
                error = w_distance(dual, given, optimum.alpha(working)) + optimum.w_error
                proved = replace(proved, w_error=arb(error.upper()))
                faults += _bias_fault(f, problem, bias, digits) + _objective_fault(
                    proved, given, optimum, digits
                )
            if faults or has_digits(dual, proved, digits):
                break
    else:
        found = f"{proved.digits} digits of w are proved, but {digits} are required"
        faults = [Violation("accuracy", None, found, proved.w_error)]
    return SolutionCheck(level, tuple(faults), certificate, proved)


def w_distance(dual: BallDual, alpha: Sequence[Any], other: Sequence[Any]) -> arb:
    """Return an upper bound of ||w - w'|| for the w of two alphas."""
    pairs = enumerate(zip(alpha, other, dual.problem.y, strict=True))
    ds = {i: (arb(a) - x) * label for i, (a, x, label) in pairs}
    scores = dual.scores(ds)
    square = arb((sum((x * scores[i] for i, x in ds.items()), arb(0)) * dual.lam).upper())
    return arb((square.sqrt() if square > 0 else arb(0)).upper())


def _infeasibility(problem: Problem, alpha: tuple[fmpq, ...]) -> list[Violation]:
    """Return the worst violation of 0 <= alpha <= C_i, and that of sum y alpha = 0."""
    tops = problem.bounds
    beyond = [max(-x, x - top) for x, top in zip(alpha, tops, strict=True)]
    worst, off = max(beyond), sum((x * label for x, label in zip(alpha, problem.y, strict=True)), fmpq(0))
    found = []
    if worst > 0:
        i = beyond.index(worst)
        end = "0" if alpha[i] < 0 else f"C_{i + 1} = {format_decimal(tops[i], 6)}"
        side = "below" if alpha[i] < 0 else "above"
        text = f"alpha_{i + 1} = {format_decimal(alpha[i], 6)} is {side} {end}"
        found.append(Violation("box", i + 1, text, arb(worst)))
    if off != 0:
        text = f"sum y_i alpha_i = {format_decimal(off, 6)} should be 0"
        found.append(Violation("balance", None, text, arb(abs(off))))
    return found


def _in_units(problem: Problem, alpha: tuple[fmpq, ...]) -> Affine:
    """Return a = lambda*alpha."""
    tau, x = Tau(problem), object_vector(alpha)
    return tau.affine(x * problem.lambda_exact) if tau.exact is not None else tau.affine(x * 0, x / problem.C)


def _margin_fault(
    problem: Problem, alpha: tuple[fmpq, ...], R: np.ndarray, a: Affine, b: fmpq | None
) -> list[Violation]:
    """Return the worst margin on the wrong side of 1, at the given b.

    By default b is the middle of the interval that the margins require.
    """
    y, f = problem.signs, R @ (a * problem.signs)
    below = [x < top for x, top in zip(alpha, problem.bounds, strict=True)]
    above = [x > 0 for x in alpha]
    at = [label - f[i] for i, label in enumerate(problem.y)]  # y g = 1 at this b
    up = [label > 0 for label in problem.y]
    low = [end for end, i, j, k in zip(at, up, below, above, strict=True) if (j if i else k)]
    high = [end for end, i, j, k in zip(at, up, below, above, strict=True) if (k if i else j)]
    middle = (max(low or high) + min(high or low)) * fmpq(1, 2)
    margins = y * (f + (middle if b is None else a.tau.affine(b))) - 1
    signs = margins.signs()
    wrong = [i for i, side in enumerate(signs) if (below[i] and side < 0) or (above[i] and side > 0)]
    if not wrong:
        return []
    i, by = _worst(margins, wrong)
    found = f"y_{i + 1} g(x_{i + 1}) = {format_decimal(1 + by * signs[i], 6)}"
    side = "at least" if signs[i] < 0 else "at most"
    return [Violation("margin", i + 1, f"{found} should be {side} 1", by)]


def _worst(margins: Affine, wrong: list[int]) -> tuple[int, arb]:
    """Return the point with the largest of these margins, and that margin; none of them is 0."""
    for digits in SIGN_DIGITS:
        with precision_digits(digits):
            sizes = {i: abs(arb(margins[i].ball())) for i in wrong}
            i = max(sizes, key=lambda i: midpoint(sizes[i]))
            if sizes[i].rel_accuracy_bits() > 20:
                break
    return i, sizes[i]


def _near(
    dual: BallDual, alpha: tuple[fmpq, ...], b: fmpq | None
) -> tuple[Certificate, Certificate, np.ndarray]:
    """Return gap certificates of a feasible alpha nearby and of the given w, and the scores of the latter."""
    problem = dual.problem
    values = {i: midpoint((x * dual.lam).max(arb(0))) for i, x in enumerate(alpha)}
    certificate = certify_near(dual, values, b=b)
    near = [arb(x) / dual.lam for x in certificate.a.ball()]
    s = {i: x * dual.lam * problem.y[i] for i, x in enumerate(alpha)}
    f = dual.scores(s)
    error = certificate.w_error + w_distance(dual, alpha, near)
    norm2 = sum((x * f[i] for i, x in s.items()), arb(0)) / dual.lam
    return certificate, replace(certificate, norm2=norm2, w_error=arb(error.upper())), f


def _bias_fault(f: np.ndarray, problem: Problem, b: fmpq | None, digits: int) -> list[Violation]:
    """Return a fault if b is given and is not in the interval with the least slack."""
    if b is None:
        return []
    low, high = best_b([midpoint(x) for x in f], problem.y, problem.weights)
    by = max(low - b, b - high)
    if by <= max(fmpq(1), abs(b)) * fmpq(1, 10**digits):
        return []
    best = (
        format_decimal(low, 6)
        if low == high
        else f"from {format_decimal(low, 6)} to {format_decimal(high, 6)}"
    )
    return [
        Violation("bias", None, f"b = {format_decimal(b, 6)}, but the best b for this w is {best}", arb(by))
    ]


def _objective_fault(
    proved: Certificate, alpha: tuple[fmpq, ...], optimum: Certificate, digits: int
) -> list[Violation]:
    """Return a fault if the dual objective, sum alpha - ||w||^2/2, is not the largest one."""
    own = sum(alpha, fmpq(0)) - proved.norm2 / 2
    most = sum(optimum.alpha(digits + 20), arb(0)) - optimum.norm2 / 2
    by = abs(most - own)
    if by <= most * fmpq(1, 10**digits):
        return []
    found = (
        f"the dual objective is {format_decimal(own, 6)}, "
        f"but its maximum over feasible alpha is {format_decimal(most, 6)}"
    )
    return [Violation("objective", None, found, by)]
