"""A proof of optimality as a value and as a file. ``checker`` verifies the file independently."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import flint
import numpy as np
from flint import arb, fmpq, fmpz

from .. import __version__
from ..errors import BadParameter, Undecided
from ..files.formats import seal
from ..numbers.arithmetic import Arithmetic
from ..numbers.quantity import quantity, structurally_equal
from ..numbers.rationals import QQ, dyadic, precision, precision_bits, rounded_up
from ..plots.tables import html_table
from ..problem import Problem
from .tau import Affine, Tau

CERTIFICATE_SCHEMA = "orca-exact/certificate/1"
LAMBDA_BITS, MOST_BITS = 256, 2**14  # what is written at least, and what a checker reads at most
_ZERO = fmpq(0)
EXACT_DIGITS = 10**9  # said of what is exact
_EXACT, _FLOAT, GAP = "exact", "float", "gap"  # levels whose certificates differ from the others, see below


class Expansion(NamedTuple):
    """h = sum_i s_i R(x_i, .) in one arithmetic; ``scale`` turns s^T R s into ||h||^2.

    ``w_error`` bounds the distance from w to the optimal w, where that is all that is known; ``centred``:
    sum s_i = 0 of what is expanded, exactly, whatever rounding makes of it.
    """

    arithmetic: Arithmetic
    s: np.ndarray
    scale: Any
    w_error: arb | None = None
    centred: bool = False


@dataclass(frozen=True, repr=False)
class Solution:
    """A proposal: dual variables 0 <= alpha_i <= C_i and b, as exact values of what a solver returned.

    ``digits`` is what a certificate proved about w (0 if it proved nothing).

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

    def __repr__(self) -> str:
        support = f"{sum(1 for a in self.alpha if a != 0)} of {len(self.alpha)} support vectors"
        proved = f", {self.digits} digits of w proved" * bool(self.digits)
        return f"<Solution {self.form} by {self.solver}: {support}{proved}>"

    def expansion(self, A: Arithmetic) -> Expansion:
        """Its own alpha: nothing is claimed of the optimum."""
        s = np.array(self.alpha, dtype=object) * self.problem.signs
        return Expansion(*A.enter(Tau(self.problem).affine(s)), centred=sum(s, _ZERO) == 0)


@dataclass(frozen=True)
class Bias:
    """b: a point, or an interval where no free support vector pins it."""

    lower: Affine
    upper: Affine | None = None  # None: the free support vectors give b itself

    @property
    def is_point(self) -> bool:
        """Whether it is one number."""
        return self.upper is None or self.upper == self.lower

    def bounds(self) -> list[Affine]:
        """What is written down: b, or both ends of its interval."""
        return [self.lower] if self.upper is None else [self.lower, self.upper]

    def to_json(self) -> dict:
        """As a certificate writes it."""
        if self.upper is None:
            return self.lower.to_json()
        return {"lower": self.lower.to_json(), "upper": self.upper.to_json()}


class Enclosure(NamedTuple):
    """The optimum where its active set was proved strict: balls for s and b, and that set, from 1."""

    s: dict[int, arb]
    b: arb
    free: tuple[int, ...]
    bound: tuple[int, ...]


@dataclass(frozen=True, repr=False, eq=False)
class Certificate:
    """a_i = lambda*alpha_i = u_i + tau*v_i, b, and what is proved of them.

    ``gap`` bounds P - D, ``w_error`` bounds ||w - w*||; both are 0 at level exact. ``norm2`` is ||w||^2, of
    this w; ``bits`` of lambda let a checker see all this. ``enclosure`` has the optimum itself, where its
    active set was proved strict.

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
    hard_margin: bool | None = None  # see ``exact.has_no_slack``; None: not proved
    enclosure: Enclosure | None = None
    bits: int = LAMBDA_BITS

    def __post_init__(self) -> None:
        for name in ("gap", "w_error", "norm2"):
            object.__setattr__(self, name, quantity(getattr(self, name)))

    __eq__ = structurally_equal

    def __hash__(self) -> int:
        return hash((self.problem.sha256, self.level))

    def __repr__(self) -> str:
        return (
            f"<Certificate {self.level}: {len(self.free)} free, {len(self.bound)} bound of {self.problem.m}, "
            f"{self.accuracy}>"
        )

    def _repr_html_(self) -> str:
        facts = {
            "level": self.level, "proved of w": self.accuracy, "points": self.problem.m,
            "free": len(self.free), "bound": len(self.bound), "gap, at most": rounded_up(self.gap, 3),
            "||w||^2": self.norm2, "b": self.bias(20), "hard margin": self.hard_margin,
        }  # fmt: skip
        return html_table("Certificate", [{"": key, "value": value} for key, value in facts.items()])

    @property
    def u(self) -> tuple[fmpq, ...]:
        """The rational parts of a."""
        return tuple(self.a.p)

    @property
    def v(self) -> tuple[fmpq, ...]:
        """The multiples of tau in a."""
        return tuple(self.a.q)

    @property
    def exact(self) -> bool:
        """Whether it was proved over Q."""
        return self.level == _EXACT

    @property
    def only_gap(self) -> bool:
        """Whether nothing but a bound of the duality gap was proved."""
        return self.level == GAP

    @property
    def in_float64(self) -> bool:
        """Whether w_error was proved in float64, which knows w better than each alpha_i and than the gap."""
        return self.level == _FLOAT

    # The active set, 1-based as in the paper: the optimum's where it was proved strict, else that of u and v.

    @cached_property
    def bound(self) -> tuple[int, ...]:
        """The points with alpha_i = C_i."""
        return self.enclosure.bound if self.enclosure else self._written[1]

    @cached_property
    def free(self) -> tuple[int, ...]:
        """The points with 0 < alpha_i < C_i."""
        return self.enclosure.free if self.enclosure else self._written[0]

    @cached_property
    def _written(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        full = (self.a.tau.bound - self.a).zeros()
        kinds = list(enumerate(zip(self.a.zeros(), full, strict=True), 1))
        free = tuple(i for i, (zero, at_bound) in kinds if not zero and not at_bound)
        return free, tuple(i for i, (_, at_bound) in kinds if at_bound)

    @property
    def b_unique(self) -> bool | None:
        """Whether b is one number; None: not proved."""
        if self.exact:
            return self.b.is_point
        return True if self.enclosure else None

    @property
    def is_zero(self) -> bool:
        """w = 0, proved."""
        return self.exact and self.norm2.is_zero()

    @cached_property
    def least_norm(self) -> arb:
        """A lower bound of ||w*||: ||w|| - w_error, not below 0."""
        with precision(60):
            norm = self.norm2.lower().max(arb(0)).sqrt()
            return arb((norm - self.w_error).lower()).max(arb(0))

    @property
    def digits(self) -> int:
        """Digits of w* that are proved: log10 of ||w*||/w_error, at least, rounded down; 10^9 when exact."""
        if self.exact or self.w_error.is_zero():
            return EXACT_DIGITS
        with precision(60):
            ratio = self.least_norm / self.w_error
            return max(0, int(float((ratio.log() / arb(10).log()).lower()))) if ratio > 1 else 0

    @property
    def accuracy(self) -> str:
        """What is proved of w, in words."""
        if self.exact or self.w_error.is_zero():
            return "exact"
        if self.digits:
            return f"{self.digits} digits of w"
        within = f"w is proved within {rounded_up(self.w_error)}"
        return within if self.least_norm > self.w_error else f"{within}; ||w*|| may be smaller"

    # Values.

    def expansion(self, A: Arithmetic) -> Expansion:
        """The optimum's: exact, enclosed (by its own balls, or by a bound on w), or rounded."""
        if A.exact and not self.exact:
            raise BadParameter(
                "arithmetic", "exact", f"needs more than a {self.level} certificate", "certify exactly"
            )
        A, s, lam = A.enter(self.a * self.problem.signs)
        inside = self.enclosure and not self.in_float64
        if A.encloses and self.enclosure and inside:
            s = A.elements(self.enclosure.s.get(i, arb(0)) for i in range(self.problem.m))
        bounded = A.encloses and not self.exact and not inside
        return Expansion(
            A, s, 1 / lam, arb(self.w_error) if bounded else None, centred=True
        )  # the optimum is

    def alpha(self, digits: int = 50) -> list[arb]:
        """alpha_i as balls: the certificate's own values (the optimum where level is exact or strict)."""
        with precision(digits):
            lam = self.problem.lambda_ball()
            if self.enclosure:
                s, y = self.enclosure.s, self.problem.y
                return [quantity(s.get(i, arb(0)) * y[i] / lam) for i in range(self.problem.m)]
            return [quantity(arb(a) / lam) for a in self.a.ball()]

    def bias_ends(self, digits: int = 50) -> list[arb]:
        """b as a ball, or the two ends of its interval."""
        if self.enclosure:
            return [quantity(self.enclosure.b)]
        with precision(digits):
            return [
                quantity(arb(end.ball())) for end in ([self.b.lower] if self.b.is_point else self.b.bounds())
            ]

    def bias(self, digits: int = 50) -> arb:
        """b as a ball; the hull of its interval where it is one."""
        ends = self.bias_ends(digits)
        with precision(digits):
            return quantity(ends[0].union(ends[-1]))

    # The file.

    def to_json(self) -> dict:
        """The file, sealed by its digest. Level float is written as its gap, which a checker can compute."""
        exact, quick = self.exact, self.in_float64
        free, bound = self._written
        w_error = "0" if exact else rounded_up(self.gap.sqrt() if quick else self.w_error, 12)
        bits = deciding_bits(self.problem, (self.a, self.a.tau.bound - self.a), self.bits)
        data: dict[str, Any] = {
            "schema": CERTIFICATE_SCHEMA,
            "problem": self.problem.to_json(names=False),
            "level": GAP if quick else self.level,
            "lambda": lambda_bounds(self.problem, bits),
            "u": [str(x) for x in self.u],
            "v": [str(x) for x in self.v],
            "b": self.b.to_json(),
            "active": {"free": list(free), "bound": list(bound)},
            "claims": {
                "gap": "0" if exact else rounded_up(self.gap, 12),
                "w_error": w_error,
                "norm2": enclosing_decimals(self.norm2, w_error),
                "alpha_unique": self.alpha_unique if exact else None,
                "b_unique": self.b.is_point if exact else None,
                "hard_margin": self.hard_margin if exact else None,
            },
            "versions": library_versions(),
        }
        return seal(data)


def library_versions() -> dict[str, str]:
    """Of what computes."""
    return {"orca-exact": __version__, "python-flint": flint.__version__}


def lambda_bounds(problem: Problem, bits: int = LAMBDA_BITS) -> dict:
    """lower <= lambda <= upper: equal where it is rational, else neighbours with ``bits`` bits."""
    if problem.lambda_is_rational:
        value = str(problem.lambda_exact)
        return {"bits": bits, "lower": value, "upper": value}
    for extra in (64, 1024, 1 << 14):  # alpha = 1e-400 puts lambda 1,330 bits from a dyadic number
        with precision_bits(bits + extra):
            lam = problem.lambda_ball()
            e = int(lam.mid().man_exp()[1]) + lam.mid().man_exp()[0].bit_length()
            floor = (lam * arb(2) ** (bits - e)).floor().unique_fmpz()
            if floor is not None and floor.bit_length() == bits:
                low, high = dyadic(floor, e - bits), dyadic(floor + fmpz(1), e - bits)
                return {"bits": bits, "lower": str(low), "upper": str(high)}
    raise Undecided("lambda is too near a dyadic number to be written in bounds; take alpha and beta apart")


def deciding_bits(problem: Problem, values: Iterable[Affine], start: int = LAMBDA_BITS) -> int:
    """Bits of lambda, from ``start``, whose bounds alone tell the sign of every p + q*tau."""
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
    raise Undecided(f"a sign needs lambda to more than {MOST_BITS} bits")


def enclosing_decimals(norm2: arb, error: str, digits: int = 30) -> dict:
    """Short decimals around (||w|| -+ error)^2, not below 0."""
    with precision(2 * digits):
        e = arb(error)
        least = arb((arb(norm2.lower()).max(arb(0)).sqrt() - e).lower()).max(arb(0))
        most = arb((arb(norm2.upper()).sqrt() + e).upper())
        (low, down, shift), (high, up, exp) = ((x * x).mid_rad_10exp(digits) for x in (least, most))
    return {"lower": f"{max(low - down - 1, fmpz(0))}e{shift}", "upper": f"{high + up + 1}e{exp}"}
