"""High-precision search for the active set: which dual variables are free, at their bound, or 0.

A guess from the proposal is repaired in bulk. If the repair cycles, a textbook active-set method with line
search takes over. Dependent free points (duplicates, grids, m > (n+1)^d) are split by a pivoted Cholesky
factorisation into a basis, which is solved for, and the rest, which are kept at dyadic values.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import arb, ctx, fmpq

from ..errors import Undecided
from ..numbers.rationals import midpoint, precision_bits
from .dual import BallDual

_PATIENCE = 5  # rounds of bulk repair without fewer changes
_STEPS = 2_000
_NEAR = 1e-9  # a float64 start this close to 0 or the bound, relative to the bound, counts as there
MAX_DEPENDENT_WORK = 10**8  # limit of dependent points times the cube of the free ones (operations in balls)


class Degenerate(Undecided):
    """Too many free points are dependent: more digits do not help, another start may."""


@dataclass
class ActiveSet:
    """An active set: which dual variables are free, at their bound or 0, and the values of the free ones."""

    basis: list[int]  # free, and affinely independent in feature space
    fixed: list[int]  # free, dependent on the basis, kept at ``values``
    bound: list[int]  # a_i = tau_i
    values: dict[int, fmpq]  # a_i for basis and fixed (for a gap certificate: for all points)
    b: fmpq | None


def find_active_set(dual: BallDual, a: list[arb]) -> ActiveSet | None:
    """Return the optimal active set at the working precision, starting from a, or None if none is found.

    Raise Degenerate if too many free points are dependent.
    """
    a = _feasible(dual, a)
    free, bound = _guess(dual, a)
    start = _feasible_guess(dual, a, free, bound)
    values = dict(enumerate(a))
    fewest, patience = len(a) + 1, _PATIENCE
    while patience:
        solved = _equality_problem(dual, free, bound, values)
        if solved is None:
            break
        active, margins = solved
        new_free, new_bound = _repair(dual, active, margins)
        if (new_free, new_bound) == (sorted(active.basis + active.fixed), sorted(bound)):
            return active
        changes = len({*free} ^ {*new_free} | {*bound} ^ {*new_bound})
        fewest, patience = (changes, _PATIENCE) if changes < fewest else (fewest, patience - 1)
        free, bound = new_free, new_bound
    return _active_set_method(dual, start)


def _feasible_guess(dual: BallDual, a: list[arb], free: list[int], bound: list[int]) -> list[arb]:
    """Return the guessed active set as a feasible point.

    Free points keep their a_i, the others are set to 0 or tau_i, and the free points of the heavier class are
    scaled down to balance the classes if they can be.
    """
    y, inside, top = dual.problem.y, set(free), set(bound)
    a = [x if i in inside else dual.upper_bound[i].mid() if i in top else arb(0) for i, x in enumerate(a)]
    excess = sum((x * label for x, label in zip(a, y, strict=True)), arb(0))
    heavy = 1 if excess > 0 else -1
    payers = {i for i in free if y[i] == heavy}
    total = sum((a[i] for i in payers), arb(0))
    if not total > abs(excess):
        return _feasible(dual, a)
    keep = 1 - abs(excess) / total
    return [(x * keep).mid() if i in payers else x for i, x in enumerate(a)]


def _feasible(dual: BallDual, a: list[arb]) -> list[arb]:
    """Clip a to [0, tau_i] and scale the heavier class down to balance the classes."""
    a = [arb(x.mid()).max(arb(0)).min(top).mid() for x, top in zip(a, dual.upper_bound, strict=True)]
    y = dual.problem.y
    sums = {1: arb(0), -1: arb(0)}
    for x, label in zip(a, y, strict=True):
        sums[label] += x
    low = min(sums.values(), key=float)
    if not low > 0:
        return [arb(0)] * len(a)
    return [(x * (low / sums[label])).mid() for x, label in zip(a, y, strict=True)]


def _guess(dual: BallDual, a: list[arb]) -> tuple[list[int], list[int]]:
    """Return the points that look free and those that look bound.

    The margin (y_i g_i - 1)/D_i is compared with z_i = D_i a_i and with the distance of z_i from its bound.
    """
    y, D = dual.problem.y, dual.scale
    f = dual.scores({i: x * y[i] for i, x in enumerate(a) if not x.is_zero()})
    b = dual.best_b(f)
    free, bound = [], []
    for i, x in enumerate(a):
        z, to_bound = float(x) * D[i], (float(dual.upper_bound[i]) - float(x)) * D[i]
        r = float(y[i] * (f[i] + b) - 1) / D[i]
        if -r > to_bound:
            bound.append(i)
        elif r < z:
            free.append(i)
    return free, bound


def _tolerance() -> float:
    return 2.0 ** (-min(ctx.prec // 3, 1000))


def split_free(dual: BallDual, free: list[int]) -> tuple[list[int], list[int]]:
    """Split the free points into a basis, whose images are affinely independent, and the rest.

    The rest is empty if the bordered Gram matrix is proved to be nonsingular. Otherwise the basis comes from
    a pivoted Cholesky factorisation of the Gram matrix centred at the first free point.
    """
    if len(free) <= 1:
        return free, []
    with suppress(ZeroDivisionError):
        dual.bordered(free, [[1]] * (len(free) + 1))
        return free, []
    mids = np.frompyfunc(lambda x: x.mid(), 1, 1)
    R = mids(dual.columns(free)[free, :])
    M = mids(R - R[0, :][None, :] - R[:, 0][:, None] + R[0, 0])
    diagonal = M.diagonal()
    original = [max(float(x), 0.0) for x in diagonal]
    basis = [0]
    columns: list[np.ndarray] = []
    remaining = set(range(1, len(free)))
    while remaining:
        k = max(remaining, key=lambda j: float(diagonal[j]) / (original[j] or 1.0))
        if float(diagonal[k]) <= _tolerance() * original[k] or original[k] == 0.0:
            break
        column = M[:, k]
        for c in columns:
            column = column - c * c[k]
        column = mids(column / diagonal[k].sqrt())
        columns.append(column)
        diagonal = mids(diagonal - column * column)
        basis.append(k)
        remaining.discard(k)
    return sorted(free[k] for k in basis), [free[k] for k in sorted(remaining)]


def _equality_problem(
    dual: BallDual, free: list[int], bound: list[int], values: dict[int, Any]
) -> tuple[ActiveSet, np.ndarray] | None:
    """Solve for the free variables with the others at 0 or their bound.

    Return the active set with these values and the margins y_i g_i - 1, or None if there is no solution.
    """
    y = dual.problem.y
    basis = free
    fixed: list[int] = []
    for attempt in range(2):
        kept = {i: _dyadic(values[i], dual.upper_bound[i]) for i in fixed}
        s: dict[int, Any] = {i: dual.upper_bound[i] * y[i] for i in bound}
        s |= {i: x * y[i] for i, x in kept.items()}
        if not basis:
            break
        rhs = dual.right_hand_side(basis, s)
        x = _approximate_solution(dual, basis, rhs)
        if x is not None and _is_solved(dual, basis, x, rhs):
            s.update({i: value.mid() for i, value in zip(basis, x, strict=False)})
            b = x[-1].mid()
            break
        if attempt:
            return None
        basis, fixed = split_free(dual, free)
    f = dual.scores(s)
    if not basis:
        b = arb(dual.best_b(f))
        total = sum(s.values(), arb(0))
        if not abs(total) < arb(_tolerance()) * (1 + dual.tau):
            return None
    margins = np.array([(label * (v + b) - 1).mid() for v, label in zip(f, y, strict=True)], dtype=object)
    exact = {i: midpoint(s[i] * y[i]) for i in basis} | kept
    return ActiveSet(sorted(basis), sorted(fixed), sorted(bound), exact, midpoint(b)), margins


def _approximate_solution(dual: BallDual, basis: list[int], rhs: list[Any]) -> np.ndarray | None:
    try:
        return dual.bordered(basis, rhs, rigorous=False)[:, 0]
    except ZeroDivisionError:
        return None


def _is_solved(dual: BallDual, basis: list[int], x: np.ndarray, rhs: list[Any]) -> bool:
    """Return whether x solves the bordered system to two thirds of the working precision."""
    if not all(value.is_finite() for value in x):
        return False
    R = dual.columns(basis)[basis, :]
    left = dual.A.matmul(R, x[:-1, None])[:, 0] + x[-1]
    scale = dual.scale
    size = max(float(abs(x[k]).mid()) * scale[i] for k, i in enumerate(basis))
    return all(
        float(abs((value - r[0]).mid())) <= _tolerance() * (1 + size * scale[i])
        for value, r, i in zip(left, rhs, basis, strict=False)
    )


def _dyadic(value: Any, top: arb) -> fmpq:
    """Return a short dyadic number near the value, inside [0, top], which may be beyond float64."""
    with precision_bits(53):
        return midpoint((+arb(value)).min(top * (1 - 1e-12)).max(arb(0)))


def _repair(dual: BallDual, active: ActiveSet, margins: np.ndarray) -> tuple[list[int], list[int]]:
    """Move every variable outside its box, and every one whose margin has the wrong sign, at once."""
    tol, was_free, was_bound = _tolerance(), {*active.basis, *active.fixed}, set(active.bound)
    free, bound = set(was_free), set(was_bound)
    for i, (scale, top) in enumerate(zip(dual.scale, dual.upper_bound, strict=True)):
        slack, small = float(margins[i]), tol * (1 + scale)
        if i in was_free:
            x = active.values[i]
            contradicts = i in active.fixed and abs(slack) > small  # what the basis implies
            above = x > top + arb(tol) / scale
            if contradicts or above or x < -arb(tol) / scale:
                free.discard(i)
            if above or (contradicts and slack < 0):
                bound.add(i)
        elif i in was_bound and slack > small:
            bound.discard(i)
            free.add(i)
        elif i not in was_bound and slack < -small:
            free.add(i)
    return sorted(free), sorted(bound)


def _active_set_method(dual: BallDual, a: list[arb]) -> ActiveSet | None:
    """Run a primal active-set method on the dual, with exact line search and one change at a time."""
    y, top, scale, tol = dual.problem.y, dual.upper_bound, dual.scale, _tolerance()
    m = dual.problem.m
    values = [x.mid() for x in a]
    bound = {i for i in range(m) if not values[i] < top[i] * (1 - arb(_NEAR))}
    free = {i for i in range(m) if values[i] > top[i] * arb(_NEAR) and i not in bound}
    values = [x if i in free else top[i].mid() if i in bound else arb(0) for i, x in enumerate(values)]
    basis, dependent = split_free(dual, sorted(free))
    if len(dependent) * len(free) ** 3 > MAX_DEPENDENT_WORK:
        raise Degenerate(
            f"{len(dependent)} of {len(free)} free points depend on the others, too many for the active-set "
            "method. Start from another solution, or take level='gap'."
        )
    for _ in range(_STEPS):
        s = {i: values[i] * y[i] for i in range(m) if not values[i].is_zero()}
        if dependent:  # move along a null direction of the free Gram matrix until a bound blocks it
            j = dependent[-1]
            f = dual.scores(s)
            step = _null_direction(dual, basis, j)
            if step is None:
                return None
            slope = sum((y[i] * t * (1 - y[i] * f[i]) for i, t in step.items()), arb(0)).mid()
            if float(slope) < 0:
                step = {i: -t for i, t in step.items()}
        else:
            target, b = _solve_for_basis(dual, basis, s)
            if target is None:
                return None
            step = {i: (target[i] - values[i] * y[i]).mid() for i in basis}
        limit = None if dependent else 1
        t, blocked = _longest_step(dual, values, {i: y[i] * x for i, x in step.items()}, limit)
        for i, x in step.items():
            values[i] = (values[i] + t * y[i] * x).mid()
        if blocked is not None:
            index, upper = blocked
            values[index] = top[index].mid() if upper else arb(0)
            if upper:
                bound.add(index)
            free.discard(index)
            basis, dependent = split_free(dual, sorted(free))
            continue
        if dependent:
            return None
        f = dual.scores({i: values[i] * y[i] for i in range(m) if not values[i].is_zero()})
        if not basis:
            b = arb(dual.best_b(f))
        worst, violator = tol * 100, None
        for i in set(range(m)) - free:
            slack = float(y[i] * (f[i] + b) - 1) / (1 + scale[i])
            violation = slack if i in bound else -slack
            if violation > worst:
                worst, violator = violation, i
        if violator is None:
            exact = {i: midpoint(values[i]) for i in free}
            return ActiveSet(sorted(basis), sorted(free - set(basis)), sorted(bound), exact, midpoint(b))
        bound.discard(violator)
        free.add(violator)
        basis, dependent = split_free(dual, sorted(free))
    return None


def _solve_for_basis(
    dual: BallDual, basis: list[int], s: dict[int, Any]
) -> tuple[dict[int, Any] | None, Any]:
    if not basis:
        return {}, arb(0)
    inside = set(basis)
    rest = {i: x for i, x in s.items() if i not in inside}
    x = _approximate_solution(dual, basis, dual.right_hand_side(basis, rest))
    if x is None:
        return None, arb(0)
    return {i: value.mid() for i, value in zip(basis, x, strict=False)}, x[-1].mid()


def _null_direction(dual: BallDual, basis: list[int], j: int) -> dict[int, arb] | None:
    """Return a direction of s with sum 0 that leaves w unchanged: one unit of point j against the basis."""
    column = dual.columns([j])[:, 0]
    x = _approximate_solution(dual, basis, [[-column[i]] for i in basis] + [[-1]])
    if x is None:
        return None
    return {j: arb(1)} | {i: value.mid() for i, value in zip(basis, x, strict=False)}


def _longest_step(
    dual: BallDual, values: list[arb], step: dict[int, arb], limit: int | None
) -> tuple[arb, tuple[int, bool] | None]:
    """Return the longest t <= limit with 0 <= a + t*step <= tau_i, and the point that blocks it.

    The point comes with True if it is blocked at its upper end; it is None if nothing blocks.
    """
    best, blocked = (arb(limit) if limit is not None else None), None
    for i, x in step.items():
        if x > 0:
            t, upper = ((dual.upper_bound[i] - values[i]) / x).mid(), True
        elif x < 0:
            t, upper = (-values[i] / x).mid(), False
        else:
            continue
        t = t.max(arb(0))
        if best is None or t < best:
            best, blocked = t, (i, upper)
    return (best if best is not None else arb(0)), blocked
