"""What a given alpha, with or without b, is worth: judged as it is, never replaced by a better one.

exact  optimal or not: 0 <= alpha <= C_i, sum y alpha = 0, y g >= 1 where alpha < C_i, y g <= 1 where it is
       positive, at the b given or at any b; over Q, a ball for lambda deciding the signs.
gap    digits of w by ||w - w*|| <= ||w - w'|| + sqrt(P - D), w' of a feasible alpha nearby, P at the b given
       or at the best one.
ball   digits of w and of the dual objective against an enclosed optimum (w may be right where alpha is not),
       and of b against the best one for this w.

Levels gap and ball pass what is right to so many digits, feasibility on the scale of max alpha.
See ``dual`` for the units.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from flint import arb, fmpq

from ..errors import BadParameter
from ..kernels.orthogonal import gram_ratio
from ..numbers.arithmetic import arithmetic, object_vector
from ..numbers.rationals import QQ, bits, decimal, midpoint, precision
from ..problem import Problem
from .certificate import Certificate
from .certify import certify, find_level
from .dual import BallDual, best_b
from .exact import prove_exactly
from .gap import certify_near, has_digits
from .tau import SIGN_DIGITS, Affine, Tau

DIGITS = 4  # that a solver is asked for


@dataclass(frozen=True)
class Fault:
    """A condition that does not hold: where (a point, from 1), what is there, and by how much it is off."""

    condition: str
    point: int | None
    found: str
    by: arb

    def __str__(self) -> str:
        return "{condition}: {found}, off by {by}".format_map(self.to_json())

    def to_json(self) -> dict:
        """As ``certify --solution --format json`` writes it."""
        by = decimal(self.by, 3)
        return {"condition": self.condition, "point": self.point, "found": self.found, "by": by}


@dataclass(frozen=True, repr=False)
class Judgement:
    """What is wrong at its level, if anything, and what is proved all the same.

    ``certificate`` is of this alpha where it is optimal at level exact, else the gap of one nearby.
    ``accuracy`` and ``digits`` are of the given w itself.
    """

    level: str
    faults: tuple[Fault, ...]
    certificate: Certificate
    proved: Certificate

    def __repr__(self) -> str:
        found = "optimal" if self.optimal else f"{len(self.faults)} faults, the first is {self.faults[0]}"
        return f"<Judgement {self.level}: {found}>"

    @property
    def optimal(self) -> bool:
        """Exactly, or to the digits asked for."""
        return not self.faults

    @property
    def digits(self) -> int:
        """Digits of w* that the given w has, proved."""
        return self.proved.digits

    @property
    def accuracy(self) -> str:
        """The same in words."""
        return self.proved.accuracy


def judge(
    problem: Problem, alpha: Sequence[Any], b: Any = None, level: str = "exact", digits: int = DIGITS
) -> Judgement:
    """Of exactly these dual variables, and this b where one is given.

    >>> from orca_exact import Problem
    >>> problem = Problem([["-1/2"], ["1/2"], ["1"]], [1, -1, 1], n=2, alpha=0, beta=0, C=10)
    >>> judge(problem, ["244/135", "124/45", "128/135"]).optimal
    True
    >>> for fault in judge(problem, ["1.8074", "2.7556", "1"]).faults:
    ...     print(fault)
    balance: sum y_i alpha_i = 0.0518000, off by 0.0518
    margin: y g = 0.868762 at point 1 where at least 1 is asked, off by 0.131
    """
    chosen = find_level(level, lambda known: known.judges)
    bits(digits)
    given = tuple(QQ(x, f"alpha[{i}]") for i, x in enumerate(alpha))
    if len(given) != problem.m:
        raise BadParameter("alpha", f"{len(given)} values", f"for {problem.m} points", "give one per point")
    bias = None if b is None else QQ(b, "b")
    faults = _infeasible(problem, given)
    if chosen.exact:
        R, a = gram_ratio(problem), _in_units(problem, given)
        faults += _margin(problem, given, R, a, bias)
        if not faults:
            proved = prove_exactly(problem, R, a)
            return Judgement(level, (), proved, proved)
    else:
        slack = max(map(abs, given)) * fmpq(1, 10**digits)
        faults = [fault for fault in faults if not fault.by <= slack]
    optimum = certify(problem, level=level, digits=digits + 10) if chosen.encloses else None
    for working in (2 * max(digits, 20) + 60, 8 * max(digits, 20) + 240):  # the second where terms cancel
        A = arithmetic("ball", working)
        with A.scope():
            dual = BallDual(problem, A)
            certificate, worth, f = _near(dual, given, bias)
            if optimum:
                error = distance(dual, given, optimum.alpha(working)) + optimum.w_error
                worth = replace(worth, w_error=arb(error.upper()))
                faults += _off(f, problem, bias, digits) + _short(worth, given, optimum, digits)
            if faults or has_digits(dual, worth, digits):
                break
    else:
        found = f"{worth.digits} digits of w are proved where {digits} are asked"
        faults = [Fault("accuracy", None, found, worth.w_error)]
    return Judgement(level, tuple(faults), certificate, worth)


def distance(dual: BallDual, alpha: Sequence[Any], other: Sequence[Any]) -> arb:
    """||w - w'|| of two alphas, at most."""
    pairs = enumerate(zip(alpha, other, dual.problem.y, strict=True))
    ds = {i: (arb(a) - x) * label for i, (a, x, label) in pairs}
    scores = dual.scores(ds)
    square = arb((sum((x * scores[i] for i, x in ds.items()), arb(0)) * dual.lam).upper())
    return arb((square.sqrt() if square > 0 else arb(0)).upper())


def _infeasible(problem: Problem, alpha: tuple[fmpq, ...]) -> list[Fault]:
    """The worst of the box, and the balance."""
    tops = problem.bounds
    beyond = [max(-x, x - top) for x, top in zip(alpha, tops, strict=True)]
    worst, off = max(beyond), sum((x * label for x, label in zip(alpha, problem.y, strict=True)), fmpq(0))
    found = []
    if worst > 0:
        i = beyond.index(worst)
        end = "0" if alpha[i] < 0 else f"C_{i + 1} = {decimal(tops[i], 6)}"
        side = "below" if alpha[i] < 0 else "above"
        found.append(
            Fault("box", i + 1, f"alpha_{i + 1} = {decimal(alpha[i], 6)} is {side} {end}", arb(worst))
        )
    if off != 0:
        found.append(Fault("balance", None, f"sum y_i alpha_i = {decimal(off, 6)}", arb(abs(off))))
    return found


def _in_units(problem: Problem, alpha: tuple[fmpq, ...]) -> Affine:
    """a = lambda*alpha."""
    tau, x = Tau(problem), object_vector(alpha)
    return tau.affine(x * problem.lambda_exact) if tau.exact is not None else tau.affine(x * 0, x / problem.C)


def _margin(
    problem: Problem, alpha: tuple[fmpq, ...], R: np.ndarray, a: Affine, b: fmpq | None
) -> list[Fault]:
    """The worst margin that has not the side its alpha asks for, at the b given or midway of those asked."""
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
    found = f"y g = {decimal(1 + by * signs[i], 6)} at point {i + 1}"
    side = "at least" if signs[i] < 0 else "at most"
    return [Fault("margin", i + 1, f"{found} where {side} 1 is asked", by)]


def _worst(margins: Affine, wrong: list[int]) -> tuple[int, arb]:
    """The largest of them, none of which is 0, to some digits."""
    for digits in SIGN_DIGITS:
        with precision(digits):
            sizes = {i: abs(arb(margins[i].ball())) for i in wrong}
            i = max(sizes, key=lambda i: midpoint(sizes[i]))
            if sizes[i].rel_accuracy_bits() > 20:
                break
    return i, sizes[i]


def _near(
    dual: BallDual, alpha: tuple[fmpq, ...], b: fmpq | None
) -> tuple[Certificate, Certificate, np.ndarray]:
    """The gap of a feasible alpha nearby; the same said of the w given; and the scores of that."""
    problem = dual.problem
    values = {i: midpoint((x * dual.lam).max(arb(0))) for i, x in enumerate(alpha)}
    certificate = certify_near(dual, values, b=b)
    near = [arb(x) / dual.lam for x in certificate.a.ball()]
    s = {i: x * dual.lam * problem.y[i] for i, x in enumerate(alpha)}
    f = dual.scores(s)
    error = certificate.w_error + distance(dual, alpha, near)
    norm2 = sum((x * f[i] for i, x in s.items()), arb(0)) / dual.lam
    return certificate, replace(certificate, norm2=norm2, w_error=arb(error.upper())), f


def _off(f: np.ndarray, problem: Problem, b: fmpq | None, digits: int) -> list[Fault]:
    """b, where it is given, from the interval of those that cost least."""
    if b is None:
        return []
    low, high = best_b([midpoint(x) for x in f], problem.y, problem.weights)
    by = max(low - b, b - high)
    if by <= max(fmpq(1), abs(b)) * fmpq(1, 10**digits):
        return []
    best = decimal(low, 6) if low == high else f"from {decimal(low, 6)} to {decimal(high, 6)}"
    return [Fault("bias", None, f"b = {decimal(b, 6)}, and the best for this w is {best}", arb(by))]


def _short(worth: Certificate, alpha: tuple[fmpq, ...], optimum: Certificate, digits: int) -> list[Fault]:
    """Of the largest dual objective, sum alpha - ||w||^2/2."""
    own = sum(alpha, fmpq(0)) - worth.norm2 / 2
    most = sum(optimum.alpha(digits + 20), arb(0)) - optimum.norm2 / 2
    by = abs(most - own)
    if by <= most * fmpq(1, 10**digits):
        return []
    return [Fault("objective", None, f"{decimal(own, 6)} where the largest is {decimal(most, 6)}", by)]
