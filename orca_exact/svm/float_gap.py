"""The duality gap of a given alpha, and its distance from a certified optimum, in verified float64.

``gap`` and ``judge.check_solution`` compute the same in balls. See ``dual`` for the units.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from flint import arb, fmpq

from ..errors import Undecided
from ..numbers.arithmetic import arithmetic
from ..numbers.midrad import MidRad, enlarge_radius
from ..numbers.rationals import midpoint, nonnegative_sqrt, precision_digits
from .certificate import Bias, Certificate, Solution
from .dual import best_b
from .gap import project_feasible
from .tau import Affine, Tau
from .verified import FLOAT_DIGITS, VerifiedDual

_OVERFLOW = "The scores are outside the range of float64; take level='ball'."


def float_gap(dual: VerifiedDual, alpha: Sequence[fmpq]) -> Certificate:
    """Return a gap certificate of alpha, projected into the feasible set.

    P - D = sum_i max((a_i - tau_i) m_i, a_i m_i) / lambda, with m_i = y_i g(x_i) - 1; no term is negative.
    lambda is the factor in K = lambda R with rational R, a_i = lambda alpha_i and tau_i = lambda C_i.
    Raise Undecided if float64 does not prove the bound.
    """
    problem, y, tau = dual.problem, dual.y, Tau(dual.problem)
    with precision_digits(FLOAT_DIGITS), np.errstate(all="ignore"):
        values = {i: midpoint((x * dual.lam).max(arb(0))) for i, x in enumerate(alpha) if x != 0}
        a = project_feasible(problem, tau, dual.lam * problem.C, values, ())
        _inside(problem.weights, a, dual.lam * problem.C)
        inner: Any = arithmetic("verified").convert_affine(a)[1]
        support = inner.nonzero()
        s = (inner * y)[support]
        f = dual.R.scores(s, support)
        b = sum(best_b(f.mid.tolist(), problem.y, problem.weights)) / 2
        margin = (f + b) * y - 1.0
        terms = np.maximum(*(x.mid + x.rad for x in ((inner - dual.upper_bound) * margin, inner * margin)))
        gap = MidRad(np.maximum(enlarge_radius(terms), 0)).sum() / dual.lam
        norm2 = (s * f[support]).sum() / dual.lam
        if not (gap.is_finite() and norm2.is_finite()):
            raise Undecided(_OVERFLOW)
        bias = Bias(tau.affine(fmpq(*float(b).as_integer_ratio())))
        error = arb(nonnegative_sqrt(gap).upper())
    return Certificate(problem, "gap", a, bias, gap=arb(gap.upper()), w_error=error, norm2=norm2)


def _inside(weights: Sequence[fmpq], a: Affine, tau: arb) -> None:
    """Raise Undecided unless 0 <= a_i <= tau_i is proved for every point."""
    for p, q, weight in zip(a.p, a.q, weights, strict=True):
        if (p != 0 or q != 0) and (p != 0 or q != weight):
            x = p + q * tau
            if not (x >= 0 and weight * tau - x >= 0):
                raise Undecided(
                    "alpha is not proved to lie in [0, C] in float64; take level='ball' or 'gap'."
                )


def float_distance(dual: VerifiedDual, solution: Solution, optimum: Certificate) -> arb:
    """Return an upper bound of ||w - w*|| for the w of a solution, including the error of the certificate."""
    A = arithmetic("verified")
    with A.scope():
        own, optimal = solution.expansion(A), A.convert_affine(optimum.a * dual.problem.signs)[1]
        support = np.union1d(own.s.nonzero(), optimal.nonzero())
        difference = (own.s * own.scale - optimal)[support]
        square = (difference * dual.R.scores(difference, support)[support]).sum() / dual.lam
        error = nonnegative_sqrt(arb(square.upper())) + optimum.w_error
        if not error.is_finite():
            raise Undecided(_OVERFLOW)
        return arb(error.upper())
