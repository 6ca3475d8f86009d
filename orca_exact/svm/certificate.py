"""Solutions and certificates of optimality; ``checker`` verifies the certificate file independently."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import flint
import numpy as np
from flint import arb, fmpq, fmpz

from .. import __version__
from ..errors import BadParameter, Undecided
from ..files.formats import JsonObject, add_digest
from ..numbers.arithmetic import Arithmetic
from ..numbers.quantity import structurally_equal, to_quantity
from ..numbers.rationals import QQ, format_upper_bound, make_dyadic, precision_bits, precision_digits
from ..plots.tables import html_table
from ..problem import PROBLEM_SCHEMA_3, Problem
from .tau import Affine, Tau

CERTIFICATE_SCHEMA, CERTIFICATE_SCHEMA_2 = "orca-exact/certificate/1", "orca-exact/certificate/2"
LAMBDA_BITS = 256  # least precision of lambda in a file
MOST_BITS = 2**14  # the most that a checker reads
_ZERO = fmpq(0)
EXACT_DIGITS = 10**9  # stands for an exact w
_EXACT, _FLOAT, GAP_LEVEL = "exact", "float", "gap"  # levels that Certificate treats in their own way


class Expansion(NamedTuple):
    """The function h = sum_i s_i R(x_i, .) in one arithmetic; ``scale`` turns s^T R s into ||h||^2.

    ``w_error`` bounds the distance from w to the optimal w, or is None if the s_i themselves enclose the
    optimum. ``centred`` states that the exact s_i sum to 0, even if rounding changes their sum.
    """

    arithmetic: Arithmetic
    s: np.ndarray
    scale: Any
    w_error: arb | None = None
    centred: bool = False


ACTIVE_SET = " + active set"  # at the end of a solver's name: Newton's method on its active set came last


class Refinement(NamedTuple):
    """The answer of a solver in float64, and how it was refined."""

    status: str  # as CVXPY calls it
    gap: float  # the relative duality gap in float64, which is not proved
    rounds: int  # of refinement
    used_active_set: bool  # whether Newton's method on the active set was needed in the end


@dataclass(frozen=True, repr=False)
class Solution:
    """A proposed solution: dual variables 0 <= alpha_i <= C_i and b, as exact values of a solver's result.

    Parameters
    ----------
    problem : Problem
        The problem that is solved.
    alpha : tuple of fmpq
        One dual variable for each point.
    b : fmpq
        The bias.
    objective : float
        The dual objective.
    form, solver : str
        Which problem was solved ("dual", "primal" or "given"), and by which solver.
    digits : int
        How many digits of w a certificate proved; 0 if it proved none.
    refinement : Refinement, optional
        What the solver returned in float64, and how it was refined.

    Examples
    --------
    >>> from orca_exact import Problem, QQ, Solution, orca
    >>> problem = Problem([["-1/2"], ["1/2"]], [1, -1], n=1, alpha=0, beta=0)
    >>> orca(problem, Solution(problem, (QQ("0.6"), QQ("0.6"))), "exact").degree
    [0, 1]
    """

    problem: Problem
    alpha: tuple[fmpq, ...]
    b: fmpq = _ZERO
    objective: float = 0.0
    form: str = "given"
    solver: str = "given"
    digits: int = 0
    refinement: Refinement | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        support = f"{sum(1 for a in self.alpha if a != 0)} of {len(self.alpha)} points are support vectors"
        proved = f", {self.digits} digits of w are proved" * bool(self.digits)
        return f"<Solution {self.form} by {self.solver}: {support}{proved}>"

    def expansion(self, A: Arithmetic) -> Expansion:
        """Return the expansion of w with this alpha, without any claim about the optimum."""
        s = np.array(self.alpha, dtype=object) * self.problem.signs
        return Expansion(*A.convert_affine(Tau(self.problem).affine(s)), centred=sum(s, _ZERO) == 0)


@dataclass(frozen=True)
class Bias:
    """The bias b: a number, or an interval if no free support vector determines it."""

    lower: Affine
    upper: Affine | None = None  # None: b is a single number

    @property
    def is_point(self) -> bool:
        """Whether b is a single number."""
        return self.upper is None or self.upper == self.lower

    def bounds(self) -> list[Affine]:
        """Return [b], or both ends of its interval."""
        return [self.lower] if self.upper is None else [self.lower, self.upper]

    def to_json(self) -> JsonObject:
        """Return b as it is written in a certificate."""
        if self.upper is None:
            return self.lower.to_json()
        return {"lower": self.lower.to_json(), "upper": self.upper.to_json()}


class Enclosure(NamedTuple):
    """Balls for the optimal s and b, with the active set (from 1) whose inequalities were proved strict."""

    s: dict[int, arb]
    b: arb
    free: tuple[int, ...]
    bound: tuple[int, ...]


@dataclass(frozen=True, repr=False, eq=False)
class Certificate:
    """A proof about the optimum: a_i = lambda*alpha_i = u_i + tau*v_i, b, and the bounds proved for them.

    Attributes
    ----------
    problem : Problem
        The problem that is solved.
    level : str
        "gap", "float", "ball" or "exact".
    gap : arb
        A bound of the duality gap P - D; 0 at level exact.
    w_error : arb
        A bound of ||w - w*||, the distance from the optimal w*; 0 at level exact.
    norm2 : arb
        An enclosure of ||w||^2.
    alpha_unique, hard_margin : bool or None
        Whether alpha is unique and whether no point has slack; None if that is not proved.
    enclosure : Enclosure or None
        Balls for the optimum itself, if its active set was proved strict.
    bits : int
        The precision of lambda, in bits, with which a checker can verify all this.
    proposer : str
        Which solver proposed the solution; it is no part of the proof.

    Examples
    --------
    >>> from orca_exact import Problem, certify
    >>> found = certify(Problem([["-1/2"], ["1/2"], ["1"]], [1, -1, 1], n=2, alpha=0, beta=0, C=10))
    >>> found.u, found.free, found.hard_margin  # lambda alpha = u: lambda is 1/2
    ((122/135, 62/45, 64/135), (1, 2, 3), True)
    """

    problem: Problem
    level: str
    a: Affine
    b: Bias
    gap: arb
    w_error: arb
    norm2: arb
    alpha_unique: bool | None = None
    hard_margin: bool | None = None  # see ``exact.has_no_slack``
    enclosure: Enclosure | None = None
    bits: int = LAMBDA_BITS
    proposer: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        for name in ("gap", "w_error", "norm2"):
            object.__setattr__(self, name, to_quantity(getattr(self, name)))

    __eq__ = structurally_equal

    def __hash__(self) -> int:
        return hash((self.problem.sha256, self.level))

    def __repr__(self) -> str:
        points = f"{self.problem.m} points, {len(self.free)} free, {len(self.bound)} bound"
        return f"<Certificate {self.level}: {points}; {self.accuracy}>"

    def _repr_html_(self) -> str:
        facts = {
            "level": self.level, "accuracy": self.accuracy, "points": self.problem.m,
            "free": len(self.free), "bound": len(self.bound),
            "duality gap, at most": format_upper_bound(self.gap, 3),
            "||w||^2": self.norm2, "b": self.bias(20), "hard margin": self.hard_margin,
        }  # fmt: skip
        return html_table("Certificate", [{"": key, "value": value} for key, value in facts.items()])

    @property
    def u(self) -> tuple[fmpq, ...]:
        """Rational parts u_i of a_i = u_i + tau*v_i."""
        return tuple(self.a.p)

    @property
    def v(self) -> tuple[fmpq, ...]:
        """Coefficients v_i of tau in a_i = u_i + tau*v_i."""
        return tuple(self.a.q)

    @property
    def exact(self) -> bool:
        """Whether optimality was proved in rational arithmetic."""
        return self.level == _EXACT

    @property
    def only_gap(self) -> bool:
        """Whether only a bound of the duality gap was proved."""
        return self.level == GAP_LEVEL

    @property
    def in_float64(self) -> bool:
        """Whether w_error was proved in float64, which bounds w more tightly than alpha_i or the gap."""
        return self.level == _FLOAT

    # The active set, 1-based as in the paper: of the enclosed optimum if there is one, else of u and v.

    @cached_property
    def bound(self) -> tuple[int, ...]:
        """Points with alpha_i = C_i, counted from 1."""
        return self.enclosure.bound if self.enclosure else self._active_set[1]

    @cached_property
    def free(self) -> tuple[int, ...]:
        """Points with 0 < alpha_i < C_i, counted from 1."""
        return self.enclosure.free if self.enclosure else self._active_set[0]

    @cached_property
    def _active_set(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        full = (self.a.tau.bound - self.a).zeros()
        kinds = list(enumerate(zip(self.a.zeros(), full, strict=True), 1))
        free = tuple(i for i, (zero, at_bound) in kinds if not zero and not at_bound)
        return free, tuple(i for i, (_, at_bound) in kinds if at_bound)

    @property
    def b_unique(self) -> bool | None:
        """Whether b is unique; None if that is not proved."""
        if self.exact:
            return self.b.is_point
        return True if self.enclosure else None

    @property
    def is_zero(self) -> bool:
        """Whether w = 0 is proved."""
        return (self.exact or self.w_error.is_zero()) and self.norm2.is_zero()

    @cached_property
    def norm_lower_bound(self) -> arb:
        """Lower bound of ||w*||: the larger of ||w|| - w_error and 0."""
        with precision_digits(60):
            norm = self.norm2.lower().max(arb(0)).sqrt()
            return arb((norm - self.w_error).lower()).max(arb(0))

    @property
    def digits(self) -> int:
        """Number of proved digits of w*: log10 of ||w*||/w_error, rounded down; 10^9 if w is exact."""
        if self.exact or self.w_error.is_zero():
            return EXACT_DIGITS
        with precision_digits(60):
            ratio = self.norm_lower_bound / self.w_error
            return max(0, int(float((ratio.log() / arb(10).log()).lower()))) if ratio > 1 else 0

    @property
    def accuracy(self) -> str:
        """Clause that states how accurate w is proved to be."""
        if self.exact or self.w_error.is_zero():
            return "w is exact"
        if self.digits:
            return f"{self.digits} digits of w are proved"
        none = f"no digit of w is proved: ||w - w*|| is at most {format_upper_bound(self.w_error)}"
        return (
            none if self.norm_lower_bound > self.w_error else f"{none}, and ||w*|| may be smaller than that"
        )

    def expansion(self, A: Arithmetic) -> Expansion:
        """Return the expansion of the optimal w: exact, enclosed by balls or by a bound on w, or rounded.

        Raise BadParameter for exact arithmetic unless the certificate is exact.
        """
        if A.exact and not self.exact:
            if not self.problem.kernel.rational:
                rule = f"cannot represent the {self.problem.kernel_description}: its values are not rational"
                raise BadParameter("arithmetic", "'exact'", rule, "use 'ball' or 'verified'")
            rule = f"arithmetic needs an exact certificate, not one of level {self.level}"
            raise BadParameter("arithmetic", "exact", rule, "certify with level='exact'")
        A, s, lam = A.convert_affine(self.a * self.problem.signs)
        w_error = None
        if A.encloses and self.enclosure and not self.in_float64:
            s = A.elements(self.enclosure.s.get(i, arb(0)) for i in range(self.problem.m))
        elif A.encloses and not self.exact:
            w_error = arb(self.w_error)
        return Expansion(A, s, 1 / lam, w_error, centred=True)

    def alpha(self, digits: int = 50) -> list[arb]:
        """Return the alpha_i as balls.

        They enclose the optimum at level exact and if its active set was proved strict; otherwise they are
        the values of the certificate.

        Parameters
        ----------
        digits : int
            The working precision in decimal digits.

        Returns
        -------
        list of arb
            One ball for each point.
        """
        with precision_digits(digits):
            lam = self.problem.lambda_ball()
            if self.enclosure:
                s, y = self.enclosure.s, self.problem.y
                return [to_quantity(s.get(i, arb(0)) * y[i] / lam) for i in range(self.problem.m)]
            return [to_quantity(arb(a) / lam) for a in self.a.ball()]

    def bias_ends(self, digits: int = 50) -> list[arb]:
        """Return b as a list of one ball, or both ends of its interval as two balls."""
        if self.enclosure:
            return [to_quantity(self.enclosure.b)]
        with precision_digits(digits):
            ends = [self.b.lower] if self.b.is_point else self.b.bounds()
            return [to_quantity(arb(end.ball())) for end in ends]

    def bias(self, digits: int = 50) -> arb:
        """Return b as a ball; at level exact it contains the whole interval of b if b is not unique."""
        ends = self.bias_ends(digits)
        with precision_digits(digits):
            found: arb = to_quantity(ends[0].union(ends[-1]))
            return found

    def to_json(self) -> JsonObject:
        """Return the content of the certificate file, with its digest.

        Level float is written as level gap, which an independent checker can verify.
        """
        exact, quick = self.exact, self.in_float64
        free, bound = self._active_set
        w_error = "0" if exact else format_upper_bound(self.gap.sqrt() if quick else self.w_error, 12)
        bits = lambda_bits_needed(self.problem, (self.a, self.a.tau.bound - self.a), self.bits)
        problem = self.problem.to_json(names=False)
        data: dict[str, Any] = {
            "schema": CERTIFICATE_SCHEMA_2 if problem["schema"] == PROBLEM_SCHEMA_3 else CERTIFICATE_SCHEMA,
            "problem": problem,
            "level": GAP_LEVEL if quick else self.level,
            "lambda": lambda_bounds(self.problem, bits),
            "u": [str(x) for x in self.u],
            "v": [str(x) for x in self.v],
            "b": self.b.to_json(),
            "active": {"free": list(free), "bound": list(bound)},
            "claims": {
                "gap": "0" if exact else format_upper_bound(self.gap, 12),
                "w_error": w_error,
                "norm2": norm2_bounds(self.norm2, w_error),
                "alpha_unique": self.alpha_unique if exact else None,
                "b_unique": self.b.is_point if exact else None,
                "hard_margin": self.hard_margin if exact else None,
            },
            "versions": library_versions(),
        }
        return add_digest(data)


def library_versions() -> dict[str, str]:
    """Return the versions of orca-exact and python-flint."""
    return {"orca-exact": __version__, "python-flint": flint.__version__}


def lambda_bounds(problem: Problem, bits: int = LAMBDA_BITS) -> JsonObject:
    """Return bounds of lambda: equal if it is rational, else adjacent numbers of ``bits`` bits."""
    if problem.lambda_is_rational:
        value = str(problem.lambda_exact)
        return {"bits": bits, "lower": value, "upper": value}
    for extra in (64, 1024, 1 << 14):  # alpha = 1e-400 puts lambda 1,330 bits from a dyadic number
        with precision_bits(bits + extra):
            lam = problem.lambda_ball()
            e = int(lam.mid().man_exp()[1]) + lam.mid().man_exp()[0].bit_length()
            floor = (lam * arb(2) ** (bits - e)).floor().unique_fmpz()
            if floor is not None and floor.bit_length() == bits:
                low, high = make_dyadic(floor, e - bits), make_dyadic(floor + fmpz(1), e - bits)
                return {"bits": bits, "lower": str(low), "upper": str(high)}
    raise Undecided("lambda is too close to a dyadic number to be bounded; change alpha or beta slightly.")


def lambda_bits_needed(problem: Problem, values: Iterable[Affine], start: int = LAMBDA_BITS) -> int:
    """Return a number of bits of lambda, at least ``start``, that decides the sign of every p + q*tau.

    Raise Undecided if more than ``MOST_BITS`` are needed.
    """
    if problem.lambda_is_rational:
        return start
    pairs = [pair for value in values for pair in zip(value.p, value.q, strict=True) if pair[1] != 0]
    bits = start
    while bits <= MOST_BITS:
        written = lambda_bounds(problem, bits)
        low, high = (QQ(written[end]) * problem.C for end in ("lower", "upper"))
        if all((p + q * low) * (p + q * high) >= 0 for p, q in pairs):
            return bits
        bits *= 2
    raise Undecided(f"A sign is undecided with {MOST_BITS} bits of lambda, the limit; change C slightly.")


def norm2_bounds(norm2: arb, error: str, digits: int = 30) -> JsonObject:
    """Return short decimals that enclose (||w|| - error)^2 and (||w|| + error)^2; none is negative."""
    with precision_digits(2 * digits):
        e = arb(error)
        least = arb((arb(norm2.lower()).max(arb(0)).sqrt() - e).lower()).max(arb(0))
        most = arb((arb(norm2.upper()).sqrt() + e).upper())
        (low, down, shift), (high, up, exp) = ((x * x).mid_rad_10exp(digits) for x in (least, most))
    return {"lower": f"{max(low - down - 1, fmpz(0))}e{shift}", "upper": f"{high + up + 1}e{exp}"}
