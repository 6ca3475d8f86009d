"""Level exact: the KKT system of an active set solved over Q, with a proof of every condition.

Equalities hold in Q, identically in tau = lambda*C. Inequalities are signs of p + q*tau.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

import numpy as np
from flint import arb, fmpq, fmpq_mat, fmpq_poly, fmpz_mat, nmod_mat

from ..errors import Undecided
from ..numbers.rationals import QQ, precision_digits
from ..problem import Problem
from .active import ActiveSet
from .certificate import MOST_BITS, Bias, Certificate, lambda_bits_needed, lambda_bounds
from .gram import FeatureGram, exact_gram
from .tau import Affine, Tau

PRIMES = (2**61 - 1, 2**61 - 31, 2**31 - 1)


def exact_certificate(
    problem: Problem, active: ActiveSet, progress: Callable[[str], object] = str
) -> Certificate:
    """Solve the bordered system over Q with right-hand sides 1 and tau, and prove every condition.

    Raise Undecided if a condition does not hold or cannot be decided.
    """
    progress(f"computing the Gram matrix over Q: {problem.m} points ...")
    R = exact_gram(problem)
    progress(f"solving over Q: {len(active.basis)} free points ...")
    try:
        solved = _solve_basis(problem, R, active)
    except ZeroDivisionError:
        solved = _solve_basis(problem, R, _without_dependent(R, active))
    progress(f"proving every condition over Q: {problem.m} points ...")
    return prove_exactly(problem, R, solved)


def try_all_active_sets(problem: Problem) -> Certificate:
    """Return the certificate of the first active set that is optimal, out of all 3^m.

    One of them is: at an extreme point of the optimal alphas the free points are affinely independent,
    because a null vector of the bordered matrix is a direction in which alpha stays optimal both ways.
    """
    R = exact_gram(problem)
    for kinds in product(range(3), repeat=problem.m):
        free, bound = ([i for i, kind in enumerate(kinds) if kind == wanted] for wanted in (1, 2))
        try:
            return prove_exactly(problem, R, _solve_basis(problem, R, ActiveSet(free, [], bound, {}, None)))
        except (Undecided, ZeroDivisionError):
            continue
    raise Undecided("No active set is proved optimal: lambda*C is too close to a breakpoint of the path.")


def _solve_basis(problem: Problem, R: np.ndarray | FeatureGram, active: ActiveSet) -> Affine:
    """Return a such that y g = 1 at the basis for some b.

    Raise ZeroDivisionError if the points of the basis are dependent.
    """
    y, F, tau = problem.signs, active.basis, Tau(problem)
    a = _known_values(problem, active, tau)
    if not F:
        return a
    known, off = R @ (a * y), (a * y).sum()
    rhs = [[row.p, row.q] for row in (*(y[i] - known[i] for i in F), -off)]
    in_tau = any(q for _, q in rhs)
    x = bordered_matrix(R, F).solve(fmpq_mat(rhs if in_tau else [[p] for p, _ in rhs]))
    for row, i in enumerate(F):
        a.p[i], a.q[i] = x[row, 0] * y[i], (x[row, 1] if in_tau else fmpq(0)) * y[i]
    return a


def bordered_matrix(R: np.ndarray | FeatureGram, F: Sequence[int]) -> fmpq_mat:
    """Return [[R_FF, 1], [1^T, 0]] over Q."""
    rows = R[np.ix_(F, F)].tolist()
    return fmpq_mat([[*row, fmpq(1)] for row in rows] + [[fmpq(1)] * len(F) + [fmpq(0)]])


def proves_nonsingular(matrix: fmpq_mat) -> bool:
    """Return whether the determinant is nonzero modulo one of ``PRIMES``, hence nonzero."""
    integers, _ = matrix.numer_denom()
    assert isinstance(integers, fmpz_mat)
    return any(int(nmod_mat(integers, prime).det()) != 0 for prime in PRIMES)


def _known_values(problem: Problem, active: ActiveSet, tau: Tau) -> Affine:
    """Return a with its known values: tau_i at the bound, a rational at the fixed points, 0 elsewhere."""
    u, v = (np.array([fmpq(0)] * problem.m, dtype=object) for _ in "uv")
    for i in active.fixed:
        u[i] = active.values[i]
    for i in active.bound:
        if tau.exact is None:
            v[i] = problem.weights[i]
        else:
            u[i] = tau.exact * problem.weights[i]
    return tau.affine(u, v)


def _without_dependent(R: np.ndarray | FeatureGram, active: ActiveSet) -> ActiveSet:
    """Return the active set with an affinely independent basis.

    The other points of the basis become fixed at their values, rounded into the box.
    """
    F = active.basis
    rows, rank = fmpq_mat((R[np.ix_(F, F)] + 1).tolist()).rref()  # the Gram matrix of (Phi, 1)
    pivots = [next(k for k in range(len(F)) if rows[r, k] != 0) for r in range(rank)]
    basis = [F[k] for k in pivots]
    rest = sorted({*F} - {*basis})
    if not rest:
        raise Undecided("The free support vectors are affinely dependent; try more digits.")
    values = active.values | {i: max(active.values[i], fmpq(0)) for i in rest}
    return ActiveSet(basis, sorted(active.fixed + rest), active.bound, values, active.b)


def prove_exactly(problem: Problem, R: np.ndarray | FeatureGram, a: Affine) -> Certificate:
    """Return the certificate of a if it is optimal; else raise Undecided."""
    return prove_scores(problem, a, R @ (a * problem.signs), lambda tight: proves_unique(R, tight))


def prove_scores(
    problem: Problem, a: Affine, f: Affine, unique: Callable[[list[int]], bool | None]
) -> Certificate:
    """Return the certificate of a, whose scores R s are f, if it is optimal; else raise Undecided.

    The conditions are 0 <= a <= tau_i, sum y a = 0, y g >= 1 if a < tau_i and y g <= 1 if a > 0. ``unique``
    is called with the points where y g = 1 for every optimal b, and returns whether they prove alpha unique.
    """
    y, tau = problem.signs, a.tau
    s = a * y
    if s.sum() != 0:
        raise Undecided("The active set is not optimal: sum alpha_i y_i is not 0.")
    above, below = a.signs(), (tau.bound - a).signs()
    for i, (low, high) in enumerate(zip(above, below, strict=True), 1):
        if low < 0 or high < 0:
            raise Undecided(f"The active set is not optimal: alpha_{i} is outside [0, C_{i}].")
    free = [i for i, (low, high) in enumerate(zip(above, below, strict=True)) if low and high]
    bias = Bias(problem.y[free[0]] - f[free[0]]) if free else _bias_interval(problem, f, above)
    all_margins = [y * (f + end) - 1 for end in bias.bounds()]
    tight = set(range(problem.m))
    for margin in all_margins:
        margins = margin.signs()
        tight &= {i for i, side in enumerate(margins) if side == 0}
        for i, (side, low, high) in enumerate(zip(margins, above, below, strict=True), 1):
            if (low and side > 0) or (high and side < 0):
                raise Undecided(f"The active set is not optimal: y g - 1 has the wrong sign at point {i}.")
    norm2, bits = _norm2(problem, s.dot(f), lambda_bits_needed(problem, [a, tau.bound - a, *all_margins]))
    return Certificate(
        problem, "exact", a, bias, gap=arb(0), w_error=arb(0), norm2=norm2, bits=bits,
        alpha_unique=unique(sorted(tight)), hard_margin=has_no_slack(margins),
    )  # fmt: skip


def has_no_slack(margins: list[int]) -> bool:
    """Return whether every y_i g(x_i) >= 1 (hard margin), from the signs of y_i g(x_i) - 1 at one optimal b.

    This holds if and only if raising C, and each C_i with it, leaves the minimum of P as it is. Let the C_i
    be C (otherwise weigh each xi_i by C_i/C), let P_C(w, b) = ||w||^2/2 + C sum_i xi_i be minimal at (w, b),
    and C' > C. Without slack P_C'(w, b) = P_C(w, b), and P_C <= P_C' everywhere, so (w, b) stays optimal and
    the minimum is the same. Conversely, let P_C' be minimal at (w', b'), and not more than P_C(w, b). Then
    P_C(w', b') + (C' - C) sum_i xi'_i <= P_C(w, b) <= P_C(w', b'), so w' has no slack and is optimal at C
    too. The optimal w is unique, hence so is C sum_i xi_i = P_C - ||w||^2/2, and any optimal b decides,
    whatever alpha is. (The xi_i are the multipliers of alpha_i <= C. With slack w may stay the same, but P
    rises.)
    """
    return min(margins) >= 0


def _norm2(problem: Problem, norm: fmpq_poly, bits: int) -> tuple[arb, int]:
    """Enclose ||w||^2 = C norm(tau)/tau, and return it with the bits of lambda that were needed."""
    k = [norm[i] for i in range(3)]
    while True:
        bounds = lambda_bounds(problem, bits)
        low, high = (QQ(bounds[end]) * problem.C for end in ("lower", "upper"))
        least = k[1] + min(k[0] / low, k[0] / high) + min(k[2] * low, k[2] * high)
        most = k[1] + max(k[0] / low, k[0] / high) + max(k[2] * low, k[2] * high)
        if (most - least) * 10**40 <= least or bits > MOST_BITS // 2:
            with precision_digits(60):
                return (arb(least).union(arb(most)) if least < most else arb(least)) * problem.C, bits
        bits *= 2


def _bias_interval(problem: Problem, f: Affine, above: list[int]) -> Bias:
    """Return the interval of b that the inequalities allow if there is no free support vector."""
    below, beyond = [], []
    for i, label in enumerate(problem.y):
        if (not above[i]) == (label > 0):  # y g >= 1 with y = 1, or y g <= 1 with y = -1 bounds b from below
            below.append(label - f[i])
        else:
            beyond.append(label - f[i])
    lower, upper = max(below), min(beyond)  # each class has a zero or a bound point, as sum y a = 0
    if upper < lower:
        raise Undecided("The active set is not optimal: no b satisfies every margin.")
    return Bias(lower, upper)


def proves_unique(R: np.ndarray | FeatureGram, tight: list[int]) -> bool | None:
    """Return True if alpha is proved unique, else None.

    ``tight`` are the points with y_i g(x_i) = 1 for every optimal b. Optimal alphas differ only there, by a
    null vector of their bordered Gram matrix. There is none if that matrix is nonsingular or if no point is
    tight.
    """
    return not tight or proves_nonsingular(bordered_matrix(R, tight)) or None
