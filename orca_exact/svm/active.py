"""Find the active set in high precision: free, bound and zero dual variables.

A guess from the proposal is repaired in bulk; if that cycles, a textbook active-set method with line
search takes over. Dependent free points (duplicates, grids, m > (n+1)^d) are split by a pivoted
Cholesky factorisation into a basis, solved for, and the rest, kept at dyadic values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import arb, ctx, fmpq

from ..errors import Undecided
from ..numbers.rationals import midpoint
from .dual import BallDual, best_b

_PATIENCE = 5  # rounds of bulk repair without fewer changes
_STEPS = 2_000
_NEAR = 1e-9  # of a bound, for a start from float64: it counts as at the bound
SLIDING = 10**8  # operations in balls: dependent points, times the cube of the free ones


class Degenerate(Undecided):
    """Too many free points are dependent: more digits do not help, another proposal may."""


@dataclass
class ActiveSet:
    """Which dual variables are free, at their bound or 0, and the values of the free ones."""

    basis: list[int]  # free, and affinely independent in feature space
    fixed: list[int]  # free, dependent on the basis, kept at ``values``
    bound: list[int]  # a_i = tau_i
    values: dict[int, fmpq]  # a_i for basis and fixed (for a gap certificate: for all points)
    b: fmpq | None


def find_active_set(dual: BallDual, a: list[arb]) -> ActiveSet | None:
    """The optimal active set to working precision, or None; raise Degenerate if that takes too long."""
    a = _feasible(dual, a)
    free, bound = _guess(dual, a)
    start = _start(dual, a, free, bound)
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


def _start(dual: BallDual, a: list[arb], free: list[int], bound: list[int]) -> list[arb]:
    """The guess as a feasible point: a at the free points, 0 and tau_i elsewhere, where these balance."""
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
    """Clip to [0, tau_i] and scale the heavier class down to balance."""
    a = [arb(x.mid()).max(arb(0)).min(top).mid() for x, top in zip(a, dual.upper_bound, strict=True)]
    y = dual.problem.y
    sums = {
        label: sum((x for x, other in zip(a, y, strict=True) if other == label), arb(0)) for label in (1, -1)
    }
    low = min(sums.values(), key=float)
    if not low > 0:
        return [arb(0)] * len(a)
    return [(x * (low / sums[label])).mid() for x, label in zip(a, y, strict=True)]


def _guess(dual: BallDual, a: list[arb]) -> tuple[list[int], list[int]]:
    """Free where the scaled variable outweighs the scaled margin: z_i D_i against (y_i g_i - 1)/D_i."""
    y, D = dual.problem.y, dual.scale
    f = dual.scores({i: x * y[i] for i, x in enumerate(a) if not x.is_zero()})
    low, high = best_b([midpoint(x) for x in f], y, dual.problem.weights)
    b = (low + high) / 2
    free, bound = [], []
    for i, x in enumerate(a):
        z, room = float(x) * D[i], (float(dual.upper_bound[i]) - float(x)) * D[i]
        r = float(y[i] * (f[i] + b) - 1) / D[i]
        if -r > room:
            bound.append(i)
        elif r < z:
            free.append(i)
    return free, bound


def _tolerance() -> float:
    return 2.0 ** (-min(ctx.prec // 3, 1000))


def split_free(dual: BallDual, free: list[int]) -> tuple[list[int], list[int]]:
    """A basis of the free points (affinely independent images), and the rest: all of them where the
    bordered Gram matrix is proved nonsingular, else by pivoted Cholesky, centred at the first free point."""
    if len(free) <= 1:
        return free, []
    try:
        dual.bordered(free, [[1]] * (len(free) + 1))
        return free, []
    except ZeroDivisionError:
        pass
    R = dual.columns(free)[free, :]
    mids = np.frompyfunc(lambda x: x.mid(), 1, 1)
    R = mids(R)
    M = mids(R - R[0, :][None, :] - R[:, 0][:, None] + R[0, 0])
    diagonal = np.array([M[k, k] for k in range(len(free))], dtype=object)
    original = [max(float(x), 0.0) for x in diagonal]
    basis, columns = [0], []  # type: list[int], list[np.ndarray]
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
    chosen = sorted(free[k] for k in basis)
    return chosen, [i for i in free if i not in set(chosen)]


def _equality_problem(
    dual: BallDual, free: list[int], bound: list[int], values: dict[int, Any]
) -> tuple[ActiveSet, np.ndarray] | None:
    """Solve for the free variables with the others at their bounds; margins y_i g_i - 1 at the solution."""
    y = dual.problem.y
    basis, fixed = free, []  # type: list[int], list[int]
    for attempt in range(2):
        kept = {i: _dyadic(values[i], dual.upper_bound[i]) for i in fixed}
        s: dict[int, Any] = {i: dual.upper_bound[i] * y[i] for i in bound} | {
            i: x * y[i] for i, x in kept.items()
        }
        f = dual.scores(s)
        if not basis:
            break
        rhs = [[y[i] - f[i]] for i in basis] + [[-sum(s.values(), arb(0))]]
        try:
            x = dual.bordered(basis, [[r[0]] for r in rhs], rigorous=False)[:, 0]
        except ZeroDivisionError:
            x = None
        if x is not None and _residual(dual, basis, x, rhs):
            s.update({i: value.mid() for i, value in zip(basis, x, strict=False)})
            b = x[-1].mid()
            break
        if attempt:
            return None
        basis, fixed = split_free(dual, free)
    else:
        return None
    f = dual.scores(s)
    if not basis:
        low, high = best_b([midpoint(v) for v in f], y, dual.problem.weights)
        b = arb((low + high) / 2)
        total = sum(s.values(), arb(0))
        if not abs(total) < arb(_tolerance()) * (1 + dual.tau):
            return None
    margins = np.array([(label * (v + b) - 1).mid() for v, label in zip(f, y, strict=True)], dtype=object)
    exact = {i: midpoint(s[i] * y[i]) for i in basis} | kept
    return ActiveSet(sorted(basis), sorted(fixed), sorted(bound), exact, midpoint(b)), margins


def _residual(dual: BallDual, basis: list[int], x: np.ndarray, rhs: list) -> bool:
    """Whether x solves the bordered system to two thirds of the working precision."""
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
    """A short dyadic near the value, inside [0, top]."""
    x = max(float(value), 0.0)
    p, q = min(x, float(top) * (1 - 1e-12)).as_integer_ratio()
    return fmpq(p, q)


def _repair(dual: BallDual, active: ActiveSet, margins: np.ndarray) -> tuple[list[int], list[int]]:
    """Move every variable that leaves its box, or whose margin has the wrong sign, at once."""
    scale, tol, top = dual.scale, _tolerance(), dual.upper_bound
    free, bound = set(active.basis + active.fixed), set(active.bound)
    for i in list(free):
        x = active.values[i]
        if x < -arb(tol) / scale[i]:
            free.discard(i)
        elif x > top[i] + arb(tol) / scale[i]:
            free.discard(i)
            bound.add(i)
    kept = set(active.basis + active.fixed)
    for i in range(dual.problem.m):
        slack = float(margins[i])
        size = tol * (1 + scale[i])
        if i in kept:
            if i in active.fixed and abs(slack) > size:
                free.discard(i)  # inconsistent with the basis
                if slack < 0:
                    bound.add(i)
            continue
        if i in active.bound:
            if slack > size:
                bound.discard(i)
                free.add(i)
        elif slack < -size:
            free.add(i)
    return sorted(free), sorted(bound)


def _active_set_method(dual: BallDual, a: list[arb]) -> ActiveSet | None:
    """Primal active-set method on the dual: exact line search, one change at a time."""
    y, top, scale, tol = dual.problem.y, dual.upper_bound, dual.scale, _tolerance()
    m = dual.problem.m
    values = [x.mid() for x in a]
    bound = {i for i in range(m) if not values[i] < top[i] * (1 - arb(_NEAR))}
    free = {i for i in range(m) if values[i] > top[i] * arb(_NEAR) and i not in bound}
    values = [x if i in free else top[i].mid() if i in bound else arb(0) for i, x in enumerate(values)]
    basis, _ = split_free(dual, sorted(free))
    dependent: list[int] = sorted(free - set(basis))
    if len(dependent) * len(free) ** 3 > SLIDING:
        raise Degenerate(f"{len(dependent)} of {len(free)} free points depend on the others: too many")
    for _ in range(_STEPS):
        s = {i: values[i] * y[i] for i in range(m) if not values[i].is_zero()}
        if dependent:  # slide along a null direction of the free Gram matrix until something blocks
            j = dependent[-1]
            f = dual.scores(s)
            step = _null_direction(dual, basis, j)
            if step is None:
                return None
            slope = sum((y[i] * t * (1 - y[i] * f[i]) for i, t in step.items()), arb(0)).mid()
            if float(slope) < 0:
                step = {i: -t for i, t in step.items()}
            t, blocked = _longest_step(dual, values, {i: y[i] * x for i, x in step.items()}, None)
        else:
            target, b = _target(dual, basis, sorted(bound), s)
            if target is None:
                return None
            step = {i: (target[i] - values[i] * y[i]).mid() for i in basis}
            t, blocked = _longest_step(dual, values, {i: y[i] * x for i, x in step.items()}, 1)
        for i, x in step.items():
            values[i] = (values[i] + t * y[i] * x).mid()
        if blocked is not None:
            index, upper = blocked
            values[index] = top[index].mid() if upper else arb(0)
            if upper:
                bound.add(index)
            free.discard(index)
            basis, _ = split_free(dual, sorted(free))
            dependent = sorted(free - set(basis))
            continue
        if dependent:
            return None
        f = dual.scores({i: values[i] * y[i] for i in range(m) if not values[i].is_zero()})
        if not basis:
            low, high = best_b([midpoint(v) for v in f], y, dual.problem.weights)
            b = arb((low + high) / 2)
        worst, where = tol * 100, None
        for i in set(range(m)) - free:
            slack = float(y[i] * (f[i] + b) - 1) / (1 + scale[i])
            violation = slack if i in bound else -slack
            if violation > worst:
                worst, where = violation, i
        if where is None:
            exact = {i: midpoint(values[i]) for i in free}
            return ActiveSet(sorted(basis), sorted(free - set(basis)), sorted(bound), exact, midpoint(b))
        bound.discard(where)
        free.add(where)
        basis, _ = split_free(dual, sorted(free))
        dependent = sorted(free - set(basis))
    return None


def _target(dual: BallDual, basis: list[int], bound: list[int], s: dict) -> tuple[dict | None, Any]:
    y = dual.problem.y
    if not basis:
        return {}, arb(0)
    rest = {i: x for i, x in s.items() if i not in set(basis)}
    f = dual.scores(rest)
    rhs = [[y[i] - f[i]] for i in basis] + [[-sum(rest.values(), arb(0))]]
    try:
        x = dual.bordered(basis, rhs, rigorous=False)[:, 0]
    except ZeroDivisionError:
        return None, arb(0)
    return {i: value.mid() for i, value in zip(basis, x, strict=False)}, x[-1].mid()


def _null_direction(dual: BallDual, basis: list[int], j: int) -> dict[int, arb] | None:
    """s-direction with sum 0 that leaves w unchanged: one unit of point j against the basis."""
    column = dual.columns([j])[:, 0]
    try:
        x = dual.bordered(basis, [[-column[i]] for i in basis] + [[-1]], rigorous=False)[:, 0]
    except ZeroDivisionError:
        return None
    return {j: arb(1)} | {i: value.mid() for i, value in zip(basis, x, strict=False)}


def _longest_step(
    dual: BallDual, values: list[arb], step: dict[int, arb], limit: int | None
) -> tuple[arb, tuple[int, bool] | None]:
    """The longest t <= limit with 0 <= a + t*step <= tau_i, and what blocks it."""
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
