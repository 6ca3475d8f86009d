"""What float64 and mpmath make of one classifier beside the balls, index by index.

All three start from the alpha of one certificate. The balls hold the optimum's indices; a witness is expected
to be as near as its arithmetic (u g kappa as in ``rule``, SLACK digits to spare) and its alpha allow.
Where it is farther from the ball than that, it is wrong, or the ball is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf, log10
from typing import Any

import numpy as np
from flint import arb

from ..numbers.arithmetic import ARITHMETICS, arithmetic
from ..numbers.rationals import QQ, digits_down, float_below, precision
from ..numbers.values import to_json_value
from ..problem import Problem
from ..profile.indices import INDICES, Key
from ..profile.profile import Profile, orca
from ..svm.certificate import Certificate
from .condition import magnifications

WITNESSES = {name: A.title for name, A in ARITHMETICS.items() if not (A.exact or A.encloses)}
JUDGE = "ball"  # the arithmetic that they are compared with
FINEST = ("cumulative", "block")  # not listed: sums of others, and too many
_SLACK = 2.0  # digits that rounding may cost beyond the yardstick
CHECK_SCHEMA = "orca-exact/check/1"


@dataclass(frozen=True)
class Statement:
    """One value of a witness; ``decimals``: -log10 of how far it may be from the index (inf: nowhere)."""

    value: Any
    decimals: float
    misses: bool


@dataclass(frozen=True)
class ComparedIndex:
    """One index: its ball, the decimals that proves, and what each witness says."""

    name: str
    key: Key
    proved: arb
    decimals: float
    said: Mapping[str, Statement]

    @property
    def label(self) -> str:
        """'OKC_13'."""
        return INDICES[self.name].labelled(self.key)


@dataclass(frozen=True, repr=False)
class ArithmeticCheck:
    """Every index; ``expected``: the decimals that each witness ought to have."""

    problem: Problem
    digits: int
    rows: list[ComparedIndex]
    expected: Mapping[str, float]

    def __repr__(self) -> str:
        said = ", ".join(
            f"{name} {digits_down(self.worst(name).said[name].decimals)}" for name in self.expected
        )
        return f"<Check of {len(self.rows)} indices, decimals at worst: {said}>"

    def worst(self, witness: str) -> ComparedIndex:
        """Where the witness agrees least."""
        return min(self.rows, key=lambda row: row.said[witness].decimals)

    def misses(self, witness: str) -> list[ComparedIndex]:
        """Where the witness is farther from the ball than its arithmetic explains."""
        return [row for row in self.rows if row.said[witness].misses]

    @property
    def agrees(self) -> bool:
        """Whether no witness misses a ball."""
        return not any(map(self.misses, WITNESSES))

    def to_json(self) -> dict:
        """As ``orca-exact/check/1``."""
        shown = lambda x: None if x == inf else float(digits_down(x))  # noqa: E731
        return {
            "schema": CHECK_SCHEMA,
            "id": self.problem.id,
            "problem": self.problem.sha256,
            "digits": self.digits,
            "agrees": self.agrees,
            "witnesses": {
                witness: {
                    "expected": shown(self.expected[witness]),
                    "decimals": shown(self.worst(witness).said[witness].decimals),
                    "worst": self.worst(witness).label,
                    "misses": [row.label for row in self.misses(witness)],
                }
                for witness in WITNESSES
            },
            "indices": [
                {
                    "index": row.name,
                    "key": list(row.key),
                    "label": row.label,
                    "value": to_json_value(row.proved, self.digits),
                    "decimals": shown(row.decimals),
                }
                | {
                    w: to_json_value(said.value, self.digits) | {"decimals": shown(said.decimals)}
                    for w, said in row.said.items()
                }
                for row in self.rows
            ],
        }


def compare_arithmetics(problem: Problem, certificate: Certificate, digits: int = 30) -> ArithmeticCheck:
    """float64 and mpmath, at so many digits, against the balls of a certificate.

    >>> from orca_exact import Problem, certify
    >>> X = [["1", "1"], ["-1", "-1"], ["1", "-1"], ["-1", "1/2"]]
    >>> problem = Problem(X, [1, 1, -1, -1], n=1, alpha=0, beta=0, C=10)
    >>> found = compare_arithmetics(problem, certify(problem))
    >>> found.agrees, found.worst("float").said["float"].decimals > 14
    (True, True)
    """
    judge = orca(problem, certificate, JUDGE, digits)
    witnesses = {name: orca(problem, certificate, name, digits) for name in WITNESSES}
    allowed = _allowed(problem, certificate, judge, digits)
    with precision(2 * digits):
        rows = [
            _row(name, key, ball, {w: p.family(name)[key] for w, p in witnesses.items()}, allowed)
            for name in INDICES
            if name not in FINEST
            for key, ball in judge.family(name).items()
        ]
        return ArithmeticCheck(problem, digits, rows, {w: _decimals(error) for w, error in allowed.items()})


def _allowed(problem: Problem, certificate: Certificate, judge: Profile, digits: int) -> dict[str, arb]:
    """How far each witness may be: its rounding, magnified, and the distance of its w from the optimum's."""
    s = np.array([float(x) for x in certificate.alpha(30)]) * np.array(problem.y, dtype=float)
    kappa = magnifications(problem, s, [], certificate.is_zero)
    factor = 2 * float(kappa["gram"]) * float(kappa["coefficients"])
    sine = certificate.w_error / arb(judge.norm2.lower()).sqrt()
    with precision(2 * digits):
        return {
            w: arb(10) ** int(log10(factor) + _SLACK + 1) * arb(2) ** -length + 4 * sine
            for w, length in ((w, arithmetic(w, digits).bits) for w in WITNESSES)
        }


def _row(name: str, key: Key, ball: arb, values: dict[str, Any], allowed: dict[str, arb]) -> ComparedIndex:
    said = {}
    for witness, value in values.items():
        error = abs(ball - arb(QQ(value)))
        said[witness] = Statement(value, _decimals(error), bool(arb(error.lower()) > allowed[witness]))
    return ComparedIndex(name, key, ball, _decimals(ball.rad()), said)


def _decimals(error: arb) -> float:
    """-log10 of its upper bound, rounded down."""
    top = arb(error.upper())
    return inf if top <= 0 else float_below(-(top.log() / arb(10).log()))
