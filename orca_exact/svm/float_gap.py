"""What a given alpha is worth, at BLAS speed: its duality gap, and how far its w is from a certified one.

``gap`` and ``judge`` have it in balls; here it is float64 with error bounds. See ``dual`` for the units.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from flint import arb, fmpq

from ..errors import Undecided
from ..numbers.arithmetic import arithmetic
from ..numbers.midrad import MidRad, enlarge_radius
from ..numbers.rationals import midpoint, nonnegative_sqrt, precision
from .certificate import Bias, Certificate, Solution
from .dual import best_b
from .gap import project_feasible
from .tau import Affine, Tau
from .verified import FLOAT_DIGITS, VerifiedDual


def float_gap(dual: VerifiedDual, alpha: Sequence[fmpq]) -> Certificate:
    """Level gap of alpha projected into the feasible set; Undecided where float64 does not prove it.

    P - D = sum_i max((a_i - tau_i) m_i, a_i m_i) over lambda, m_i = y_i g(x_i) - 1: every term is >= 0.
    """
    problem, y, tau = dual.problem, dual.y, Tau(dual.problem)
    with precision(FLOAT_DIGITS), np.errstate(all="ignore"):
        values = {i: midpoint((x * dual.lam).max(arb(0))) for i, x in enumerate(alpha) if x != 0}
        a = project_feasible(problem, tau, dual.lam * problem.C, values, ())
        _inside(problem.weights, a, dual.lam * problem.C)
        inner: Any = arithmetic("verified").enter(a)[1]
        support = np.flatnonzero(inner.abs_upper() > 0)
        s = (inner * y)[support]
        f = dual.R.scores(s, support)
        b = sum(best_b(f.mid.tolist(), problem.y, problem.weights)) / 2
        margin = (f + b) * y - 1.0
        most = np.maximum(*(x.mid + x.rad for x in ((inner - dual.upper_bound) * margin, inner * margin)))
        gap = MidRad(np.maximum(enlarge_radius(most), 0)).sum() / dual.lam
        norm2 = (s * f[support]).sum() / dual.lam
        if not (gap.is_finite() and norm2.is_finite()):
            raise Undecided("float64 cannot hold the scores")
        bias = Bias(tau.affine(fmpq(*float(b).as_integer_ratio())))
        error = arb(nonnegative_sqrt(gap).upper())
    return Certificate(problem, "gap", a, bias, gap=arb(gap.upper()), w_error=error, norm2=norm2)


def _inside(weights: Sequence[fmpq], a: Affine, tau: arb) -> None:
    """0 <= a_i <= tau_i, proved."""
    for p, q, weight in zip(a.p, a.q, weights, strict=True):
        if (p != 0 or q != 0) and (p != 0 or q != weight):
            x = p + q * tau
            if not (x >= 0 and weight * tau - x >= 0):
                raise Undecided("alpha is not proved to lie in [0, C]")


def float_distance(dual: VerifiedDual, solution: Solution, optimum: Certificate) -> arb:
    """||w - w*|| at most: w of the solution, w* of a certificate that says how far it may be off."""
    A = arithmetic("verified")
    with A.scope():
        own, true = solution.expansion(A), A.enter(optimum.a * dual.problem.signs)[1]
        apart = own.s * own.scale - true
        support = np.flatnonzero(apart.abs_upper() > 0)
        apart = apart[support]
        square = (apart * dual.R.scores(apart, support)[support]).sum() / dual.lam
        found = nonnegative_sqrt(arb(square.upper())) + optimum.w_error
        if not found.is_finite():
            raise Undecided("float64 cannot hold the scores")
        return arb(found.upper())
