"""Comparison of float64, mpmath and a second route with ball arithmetic (``profile --check``).

All three compute the indices from the alpha of one certificate. The balls contain the indices of the optimum.
An approximate value may differ from them by the rounding errors of its arithmetic (u g kappa as in
``tolerance``, and two digits more) and by the error of alpha. A larger difference is an error in one of them.
For linear, polynomial and RBF kernels the shares of sets of columns are also computed by ``second_route``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import inf, log10
from typing import Any

import numpy as np
from flint import arb

from ..files.formats import JsonObject
from ..numbers.arithmetic import ARITHMETICS, arithmetic
from ..numbers.rationals import QQ, float_lower_bound, format_digits_down, midpoint, precision_digits
from ..numbers.values import to_json_value
from ..problem import Problem
from ..profile.index import Key
from ..profile.indices import INDICES
from ..profile.profile import Profile, orca
from ..svm.certificate import Certificate
from .condition import estimate_conditions
from .second_route import chosen_sets, shares_by_second_route

APPROXIMATE_ARITHMETICS = {name: A.title for name, A in ARITHMETICS.items() if not (A.exact or A.encloses)}
PROVED_ARITHMETIC = "ball"  # the arithmetic that they are compared with
UNLISTED_INDICES = ("cumulative", "block")  # left out: sums of other indices, and too many to list
_SLACK = 2.0  # digits that rounding may cost beyond the estimate
CHECK_SCHEMA = "orca-exact/check/1"


@dataclass(frozen=True)
class ApproximateValue:
    """An approximate value of an index.

    ``decimals`` is -log10 of the bound on its error (inf if the error is 0); ``misses`` is true if the
    error is larger than rounding explains.
    """

    value: Any
    decimals: float
    misses: bool


@dataclass(frozen=True)
class ComparedIndex:
    """An index: its ball, the decimals that the ball proves, and the value in each approximate arithmetic."""

    name: str
    key: Key
    proved: arb
    decimals: float
    approximations: Mapping[str, ApproximateValue]

    @property
    def label(self) -> str:
        """Name of the index, such as 'OKC_13'."""
        return INDICES[self.name].label_of(self.key)


@dataclass(frozen=True)
class ComparedSet:
    """The share of a set of columns: its ball, and its value by the second route."""

    columns: Key
    proved: arb
    value: Any
    decimals: float
    misses: bool

    @property
    def label(self) -> str:
        """The columns as text, such as '1, 3'."""
        return ", ".join(map(str, self.columns))

    def to_json(self, digits: int) -> dict[str, Any]:
        """Return the item of the field ``sets`` of ``orca-exact/check/1``."""
        decimals = None if self.decimals == inf else float(format_digits_down(self.decimals))
        second = to_json_value(self.value, digits) | {"decimals": decimals}
        value = to_json_value(self.proved, digits)
        return {"columns": list(self.columns), "value": value, "second": second, "misses": self.misses}


@dataclass(frozen=True, repr=False)
class ArithmeticCheck:
    """The comparison of all indices; ``expected`` are the decimals that each arithmetic should attain."""

    problem: Problem
    digits: int
    rows: list[ComparedIndex]
    expected: Mapping[str, float]
    sets: tuple[ComparedSet, ...] = ()  # the second route

    def __repr__(self) -> str:
        fewest = {
            name: format_digits_down(self.least_accurate(name).approximations[name].decimals)
            for name in self.expected
        }
        shown = ", ".join(f"{name} {decimals}" for name, decimals in fewest.items())
        return f"<Check of {len(self.rows)} indices, fewest correct decimals: {shown}>"

    def least_accurate(self, name: str) -> ComparedIndex:
        """Return the index with the fewest correct decimals in this arithmetic."""
        return min(self.rows, key=lambda row: row.approximations[name].decimals)

    def inaccurate(self, name: str) -> list[ComparedIndex]:
        """Return the indices whose error in this arithmetic is larger than rounding explains."""
        return [row for row in self.rows if row.approximations[name].misses]

    @property
    def agrees(self) -> bool:
        """Whether every error is explained by rounding."""
        return not any(map(self.inaccurate, APPROXIMATE_ARITHMETICS)) and not self.wrong_sets

    @property
    def wrong_sets(self) -> list[ComparedSet]:
        """Return the sets of columns whose share by the second route is wrong."""
        return [each for each in self.sets if each.misses]

    def to_json(self) -> JsonObject:
        """Return the JSON (``orca-exact/check/1``)."""

        def shown(x: float) -> float | None:
            return None if x == inf else float(format_digits_down(x))

        return {
            "schema": CHECK_SCHEMA,
            "id": self.problem.id,
            "problem": self.problem.sha256,
            "digits": self.digits,
            "agrees": self.agrees,
            "witnesses": {
                name: {
                    "expected": shown(self.expected[name]),
                    "decimals": shown(self.least_accurate(name).approximations[name].decimals),
                    "worst": self.least_accurate(name).label,
                    "misses": [row.label for row in self.inaccurate(name)],
                }
                for name in APPROXIMATE_ARITHMETICS
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
                    name: to_json_value(found.value, self.digits) | {"decimals": shown(found.decimals)}
                    for name, found in row.approximations.items()
                }
                for row in self.rows
            ],
        } | ({"sets": [each.to_json(self.digits) for each in self.sets]} if self.sets else {})


def compare_arithmetics(problem: Problem, certificate: Certificate, digits: int = 30) -> ArithmeticCheck:
    """Compare the indices in float64 and mpmath with the balls of a certificate.

    Parameters
    ----------
    problem : Problem
    certificate : Certificate
    digits : int, default 30
        Digits of mpmath and of the balls.

    Returns
    -------
    ArithmeticCheck

    Examples
    --------
    >>> from orca_exact import Problem, certify
    >>> X = [["1", "1"], ["-1", "-1"], ["1", "-1"], ["-1", "1/2"]]
    >>> problem = Problem(X, [1, 1, -1, -1], n=1, alpha=0, beta=0, C=10)
    >>> found = compare_arithmetics(problem, certify(problem))
    >>> found.agrees, found.least_accurate("float").approximations["float"].decimals > 14
    (True, True)
    """
    proved = orca(problem, certificate, PROVED_ARITHMETIC, digits)
    approximate = {A: orca(problem, certificate, A, digits) for A in APPROXIMATE_ARITHMETICS}
    allowed = _allowed(problem, certificate, proved, digits)
    with precision_digits(2 * digits):
        rows = [
            _row(
                index.name, key, ball, {A: p.family(index.name)[key] for A, p in approximate.items()}, allowed
            )
            for index in proved.available
            if index.name not in UNLISTED_INDICES
            for key, ball in proved.family(index.name).items()
        ]
        expected = {A: _decimals(error) for A, error in allowed.items()}
    sets = tuple(_compare_sets(problem, certificate, proved, allowed["mp"], digits))
    return ArithmeticCheck(problem, digits, rows, expected, sets)


def _compare_sets(
    problem: Problem, certificate: Certificate, proved: Profile[Any], allowed: arb, digits: int
) -> Iterator[ComparedSet]:
    """Compare the shares of sets of columns with those of the second route."""
    alpha = [midpoint(x) for x in certificate.alpha(3 * digits + 60)]
    s = [a * label for a, label in zip(alpha, problem.y, strict=True)]
    sets = chosen_sets(problem, sum(x != 0 for x in s))
    found = shares_by_second_route(problem, s, sets, digits) if sets else {}
    with precision_digits(2 * digits):
        for S, value in found.items():
            ball = proved.subset(S)
            error = abs(ball - arb(QQ(value)))
            misses = bool(arb(error.lower()) > allowed)
            yield ComparedSet(S, ball, value, _decimals(error), misses)


def _allowed(problem: Problem, certificate: Certificate, proved: Profile[Any], digits: int) -> dict[str, arb]:
    """Return the error allowed in each arithmetic: amplified rounding, and the error of w."""
    s = np.array([float(x) for x in certificate.alpha(30)]) * np.array(problem.y, dtype=float)
    kappa = estimate_conditions(problem, s, [], certificate.is_zero)
    factor = 2 * float(kappa["gram"]) * float(kappa["coefficients"])
    if problem.kernel.own_measures is not None:
        sine = certificate.w_error / arb(proved.norm2.lower()).sqrt()
    else:
        A = arithmetic("ball", digits)
        with A.scope():
            parts = problem.kernel.at(problem.points, A).decompose(problem.index_measures)
            sine = certificate.w_error * (arb(parts.embedding) / arb(proved.variance.lower())).sqrt()
    with precision_digits(2 * digits):
        return {
            A: arb(10) ** int(log10(factor) + _SLACK + 1) * arb(2) ** -arithmetic(A, digits).bits + 4 * sine
            for A in APPROXIMATE_ARITHMETICS
        }


def _row(name: str, key: Key, ball: arb, values: dict[str, Any], allowed: dict[str, arb]) -> ComparedIndex:
    found = {}
    for A, value in values.items():
        error = abs(ball - arb(QQ(value)))
        found[A] = ApproximateValue(value, _decimals(error), bool(arb(error.lower()) > allowed[A]))
    return ComparedIndex(name, key, ball, _decimals(ball.rad()), found)


def _decimals(error: arb) -> float:
    """Return -log10 of an upper bound of the error, rounded down."""
    upper = arb(error.upper())
    return inf if upper <= 0 else float_lower_bound(-(upper.log() / arb(10).log()))
