"""Shares of sets of columns by a second, independent route in mpmath (``profile --check``).

For points x_i and x_j let A and M be the integrals of k(x_i, t) k(x_j, t) and of k(x_i, t) k(x_j, u) over one
column of t and u. The part of a set S of columns has the variance sum_ij s_i s_j prod_{l in S} (A_l - M_l)
prod_{l not in S} M_l, and all parts together have sum_ij s_i s_j (prod A_l - prod M_l). For the RBF kernel A
and M are numbers in closed form, and enough digits make up for the cancellation in A - M. The polynomial
kernel is not a product, but (gamma x.z + coef0)^p is p! times the coefficient of u^p in exp(u (gamma x.z +
coef0)), which is. There A and M are series in u and v, with the moments of the measure as coefficients. The
profile itself uses neither.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from itertools import combinations
from math import comb, log10
from typing import Any

from flint import fmpq

from ..kernels.polynomial import PowerKernel
from ..kernels.rbf import RBF
from ..measures.families import Discrete
from ..measures.measure import Measure
from ..measures.probability import Normal, Uniform
from ..numbers.quantity import mpmath_context
from ..numbers.rationals import to_float, working_bits
from ..problem import Problem
from ..profile.index import Key

MAX_SETS = 31  # sets of columns that are compared
_WORK = 10_000_000  # products of numbers
ColumnIntegrals = Callable[[Any, Any], tuple[Any, Any]]  # (x, z) -> A, M for one column
Multiply = Callable[[Any, Any], Any]
Bivariate = dict[tuple[int, int], Any]  # the coefficients of u^a v^b


def chosen_sets(problem: Problem, support: int) -> list[Key]:
    """Return the sets of columns to compare: all, a sample of many, or none if it is too much work."""
    kernel = problem.kernel
    if not isinstance(kernel, RBF | PowerKernel):
        return []
    order, d = problem.highest_order, problem.d
    cost = 1 if isinstance(kernel, RBF) else 3 * comb(kernel.degree + 2, 2) ** 2
    once = sum(map(_pair_cost, problem.index_measures)) if isinstance(kernel, RBF) else 2 * d * cost
    count = min(MAX_SETS, (_WORK // max(support * (support + 1) // 2, 1) - once) // (d * cost))
    if count < 1:
        return []
    total = sum(comb(d, q) for q in range(1, order + 1))
    if total <= count:
        return [S for q in range(1, order + 1) for S in combinations(range(1, d + 1), q)]
    return list(dict.fromkeys(_spread(d, order, count)))


def _spread(d: int, order: int, count: int) -> Iterator[Key]:
    """Yield sets of 1, 2, ... columns in turn, which together contain every column equally often."""
    for i in range(count):
        size = 1 + i % min(order, 4)
        yield tuple(sorted({(i * 7 + j * (1 + i % 3)) % d + 1 for j in range(size)}))


def _pair_cost(measure: Measure) -> int:
    """Return the cost of the closed forms for one column of a pair of points, in products."""
    return 2 * len(measure.nodes) if isinstance(measure, Discrete) else 300


def shares_by_second_route(
    problem: Problem, s: Sequence[fmpq], sets: Sequence[Key], digits: int
) -> dict[Key, Any]:
    """Return the share of each set of columns, computed in mpmath.

    Parameters
    ----------
    problem : Problem
        With an RBF, polynomial or linear kernel.
    s : sequence of fmpq
        The signed coefficients alpha_i y_i.
    sets : sequence of tuple of int
        Columns, counted from 1.
    digits : int
        Digits of the shares; more are used, since differences of almost equal numbers occur.
    """
    kernel: Any = problem.kernel
    context = mpmath_context(working_bits(3 * digits + 60 + _lost_digits(problem)))

    def number(q: fmpq) -> Any:
        return context.mpf(int(q.p)) / int(q.q)

    points = [[number(x) for x in row] for row in problem.points]
    used = [i for i, x in enumerate(s) if x != 0]
    coefficients = {i: number(s[i]) for i in used}
    pairs: list[ColumnIntegrals]
    multiply: Multiply
    value: Callable[[Any], Any]
    if isinstance(kernel, RBF):
        gamma = number(kernel.gamma)
        pairs = [_gaussian(gamma, measure, context, number) for measure in problem.index_measures]
        one, multiply, value = context.mpf(1), lambda a, b: a * b, lambda a: a
    else:
        p, gamma, coef0 = kernel.degree, number(kernel.gamma), number(kernel.coef0)
        pairs = [_series(gamma, measure, p, context, number) for measure in problem.index_measures]
        one = {(a, b): coef0 ** (a + b) / (context.factorial(a) * context.factorial(b))
               for a in range(p + 1) for b in range(p + 1)}  # fmt: skip
        multiply, value = lambda a, b: _product(a, b, p), lambda a: a.get((p, p), 0)
    sums = dict.fromkeys(sets, context.mpf(0))
    variance = context.mpf(0)
    for place, i in enumerate(used):
        for j in used[place:]:
            weight = coefficients[i] * coefficients[j] * (1 if i == j else 2)
            columns = [pair(x, z) for pair, x, z in zip(pairs, points[i], points[j], strict=True)]
            both, apart = (reduce(multiply, (c[part] for c in columns), one) for part in (0, 1))
            variance += weight * (value(both) - value(apart))
            for S in sets:
                parts = (_difference(*c) if k in S else c[1] for k, c in enumerate(columns, 1))
                sums[S] += weight * value(reduce(multiply, parts, one))
    return {S: x / variance for S, x in sums.items()}


def _lost_digits(problem: Problem) -> int:
    """Estimate the digits that cancel in the products of differences A - M."""
    if not isinstance(problem.kernel, RBF):
        return int(20 * problem.kernel.degree)  # type: ignore[attr-defined]
    widths = [max(column) - min(column) for column in problem.points.T]
    sizes = [to_float(problem.kernel.gamma * width**2) for width in widths if width]
    return int(4 * problem.highest_order * max((-log10(x) for x in sizes if x < 1), default=0.0))


def _gaussian(gamma: Any, measure: Measure, context: Any, number: Callable[[fmpq], Any]) -> ColumnIntegrals:
    """Return the integrals of exp(-gamma (x - t)^2) and of their products, in closed form."""
    known: dict[Any, Any] = {}
    if isinstance(measure, Discrete):
        nodes = [number(t) for t in measure.nodes]
        weights = [number(w / measure.mass.rational) for w in measure.weights]

        def values(x: Any) -> tuple[list[Any], Any]:
            if x not in known:
                k = [context.exp(-gamma * (t - x) ** 2) for t in nodes]
                known[x] = k, context.fdot(zip(weights, k, strict=True))
            found: tuple[list[Any], Any] = known[x]
            return found

        def discrete_pair(x: Any, z: Any) -> tuple[Any, Any]:
            (k, mean), (other, other_mean) = values(x), values(z)
            weighted = [w * value for w, value in zip(weights, k, strict=True)]
            return context.fdot(zip(weighted, other, strict=True)), mean * other_mean

        return discrete_pair
    if isinstance(measure, Uniform):
        lower, upper = number(measure.lower), number(measure.upper)

        def mean(rate: Any, centre: Any) -> Any:
            root = context.sqrt(rate)
            ends = context.erf(root * (upper - centre)) - context.erf(root * (lower - centre))
            return context.sqrt(context.pi / rate) / (2 * (upper - lower)) * ends

    else:
        assert isinstance(measure, Normal)
        middle, variance = number(measure.mean), number(measure.sd) ** 2

        def mean(rate: Any, centre: Any) -> Any:
            u = 1 + 2 * rate * variance
            return context.exp(-rate * (centre - middle) ** 2 / u) / context.sqrt(u)

    def pair(x: Any, z: Any) -> tuple[Any, Any]:
        for point in (x, z):
            if point not in known:
                known[point] = mean(gamma, point)
        # exp(-g (x - t)^2) exp(-g (z - t)^2) = exp(-g (x - z)^2/2) exp(-2g (t - (x + z)/2)^2)
        both = context.exp(-gamma * (x - z) ** 2 / 2) * mean(2 * gamma, (x + z) / 2)
        return both, known[x] * known[z]

    return pair


def _series(
    gamma: Any, measure: Measure, p: int, context: Any, number: Callable[[fmpq], Any]
) -> ColumnIntegrals:
    """Return the integrals of exp(u gamma x t) and of their products as series in u and v."""
    moments = [number(m) for m in measure.moment_ratios(2 * p)]
    exponents = [(a, b) for a in range(p + 1) for b in range(p + 1)]
    factorials = [context.factorial(a) for a in range(p + 1)]

    def pair(x: Any, z: Any) -> tuple[Any, Any]:
        powers = {
            (a, b): (gamma * x) ** a * (gamma * z) ** b / (factorials[a] * factorials[b])
            for a, b in exponents
        }
        both = {(a, b): w * moments[a + b] for (a, b), w in powers.items()}
        return both, {(a, b): w * moments[a] * moments[b] for (a, b), w in powers.items()}

    return pair


def _product(left: Bivariate, right: Bivariate, p: int) -> Bivariate:
    """Multiply two series in u and v, up to u^p v^p."""
    out: Bivariate = {}
    for (a, b), x in left.items():
        if x:
            for (c, e), y in right.items():
                if y and a + c <= p and b + e <= p:
                    out[a + c, b + e] = out.get((a + c, b + e), 0) + x * y
    return out


def _difference(both: Any, apart: Any) -> Any:
    """Return A - M, of numbers or of series."""
    return {key: x - apart[key] for key, x in both.items()} if isinstance(both, dict) else both - apart
