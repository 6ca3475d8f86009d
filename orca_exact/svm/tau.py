"""Quotients of rational polynomials in lambda*C: exact values where lambda itself is irrational."""

from __future__ import annotations

from dataclasses import dataclass

from flint import arb, fmpq_poly

from ..arithmetic import precision
from ..problem import Problem


@dataclass(frozen=True)
class Ratio:
    """A quotient of rational polynomials in lambda*C: exact where lambda is irrational."""

    numerator: fmpq_poly
    denominator: fmpq_poly
    problem: Problem

    def ball(self, digits: int = 50) -> arb:
        with precision(2 * digits + 20):
            tau = self.problem.lambda_ball() * self.problem.C
            return _at(self.numerator, tau) / _at(self.denominator, tau)

    def __float__(self) -> float:
        return float(self.ball(20))


def _at(p: fmpq_poly, tau: arb) -> arb:
    total = arb(0)
    for c in reversed(p.coeffs()):
        total = total * tau + c
    return total
