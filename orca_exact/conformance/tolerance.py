"""The digits that a comparison needs: those asked for, or two fewer than attainable if that is less.

Attainable digits are -log10(u g kappa) with u = 2^-53. Here u g is the accuracy of a kernel value, where g is
d (n+1)^2 on [-1, 1] (the argument is rounded, and Markov's inequality bounds the slope; see
``condition.estimate_coordinate_condition`` for other measures), and kappa is the condition number of the
quantity (``condition.condition_numbers``).
"""

from __future__ import annotations

from math import log10

from ..errors import BadParameter
from .reference import Reference

FORMULA_DIGITS, SOLVER_DIGITS, TOLERANCE_SLACK = 10.0, 4.0, 2.0
_BITS, _MAX = 53, 1_000_000


class Tolerance:
    """Digits needed and attainable for one problem.

    ``formula`` and ``solver`` are the digits asked for; ``bits`` is the precision of the program.
    """

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
        """Raise BadParameter if a number of digits or bits is not positive or too large."""
        for name, x in (("--formula-digits", formula), ("--solver-digits", solver), ("--bits", bits)):
            if not x > 0:
                raise BadParameter(name, x, "is not positive", "pass a positive number, such as the default")
            if x > _MAX:
                raise BadParameter(name, "the value", f"is greater than {_MAX}", "pass a smaller number")

    def attainable(self, kind: str) -> float:
        """Return the digits that an arithmetic of ``bits`` bits can attain for a kind of quantity."""
        if kind == "squares":
            return self.base
        if kind == "norm2":  # s^T K s, by pairs of points
            return self.base - log10(self.kappa["norm2"])
        factor = {"gram": 1.0, "okc": 2 * self.kappa["coefficients"]}.get(kind) or self.kappa[kind]
        return self.base - log10(max(factor, 1.0))

    def formula_digits(self, kind: str) -> tuple[float, float]:
        """Return the digits needed and attainable for a value that follows by a formula."""
        best = self.attainable(kind)
        return min(self.formula, best - TOLERANCE_SLACK), best

    def solver_digits(self, kind: str) -> tuple[float, float]:
        """Return the digits needed and attainable for a value that depends on a solver."""
        best = self.attainable(kind)
        return min(self.solver, best - TOLERANCE_SLACK), best

    def optimum_digits(self) -> tuple[float, float]:
        """Return the same for indices and coefficients, which depend on w through h in L^2."""
        lost = log10(max(self.kappa.get("share", 1.0), 1.0))
        return tuple(x - lost for x in self.solver_digits("w"))  # type: ignore[return-value]
