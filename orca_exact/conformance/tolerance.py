"""How many digits a comparison needs: those asked for, or two fewer than the arithmetic can deliver.

Attainable digits are -log10(u g kappa), u = 2^-53: a kernel value cannot be had better than u g, where g is
d (n+1)^2 on [-1, 1] (its argument is rounded, and Markov's inequality bounds the slope;
``condition.coordinate_condition`` for other measures), and kappa is the problem's condition for that quantity
(``condition.condition_numbers``).
"""

from __future__ import annotations

from math import log10

from ..errors import BadParameter
from .reference import Reference

FORMULA_DIGITS, SOLVER_DIGITS, TOLERANCE_SLACK = 10.0, 4.0, 2.0
_BITS, _MOST = 53, 1_000_000


class Tolerance:
    """Digits needed and attainable for one problem."""

    def __init__(
        self,
        reference: Reference,
        formula: float = FORMULA_DIGITS,
        solver: float = SOLVER_DIGITS,
        bits: float = _BITS,
    ):
        self.check(formula, solver, bits)
        self.formula, self.solver = formula, solver
        self.kappa = reference.condition
        self.base = bits * log10(2) - log10(self.kappa["gram"])

    @staticmethod
    def check(formula: float = FORMULA_DIGITS, solver: float = SOLVER_DIGITS, bits: float = _BITS) -> None:
        """BadParameter where nothing would be asked for."""
        for name, x in (("--formula-digits", formula), ("--solver-digits", solver), ("--bits", bits)):
            if not x > 0:
                raise BadParameter(name, x, "is not positive", "with nothing asked for, anything would pass")
            if x > _MOST:
                raise BadParameter(name, "it", f"is above {_MOST}", "ask for fewer")

    def attainable(self, kind: str) -> float:
        """Digits that ``bits`` bits can deliver of a kind of quantity."""
        if kind == "squares":
            return self.base
        factor = {"gram": 1.0, "okc": 2 * self.kappa["coefficients"]}.get(kind) or self.kappa[kind]
        return self.base - log10(max(factor, 1.0))

    def formula_needs(self, kind: str) -> tuple[float, float]:
        """Digits needed of what a formula gives, and digits attainable."""
        best = self.attainable(kind)
        return min(self.formula, best - TOLERANCE_SLACK), best

    def solver_needs(self, kind: str) -> tuple[float, float]:
        """Digits needed of what a solver gives, and digits attainable."""
        best = self.attainable(kind)
        return min(self.solver, best - TOLERANCE_SLACK), best
