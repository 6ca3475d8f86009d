"""Indices along a path: on a segment each sum over modes is a quadratic in tau, each index a quotient of two.

The quadratics follow by polarisation from the sums of u, of v, and of both. Their roots have closed forms, so
extrema and the places where N* or T_eps change are enclosed, and one value decides everything between two of
them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, cmp_to_key
from itertools import combinations
from math import lcm
from typing import Any, NamedTuple

import numpy as np
from flint import arb, arb_mat, fmpq, fmpq_poly, fmpz, fmpz_mat

from ..errors import Undecided
from ..numbers.arithmetic import Arithmetic, object_vector, over_common_denominator
from ..numbers.rationals import certain_sign, format_decimal
from ..problem import Problem
from ..profile.generating import PairSummands
from ..profile.indices import INDICES
from ..profile.support import Support
from ..svm.tau import Ratio, Tau
from .margins import BoundSum
from .places import (
    Surd,
    compare,
    enclose,
    place_bounds,
    rational_between,
    rational_root,
    refine_until,
    sign_or_undecided,
)
from .segments import Segment, unpack_points


class Quadratic(NamedTuple):
    """The function c_0 + c_1 tau + c_2 tau^2, with rationals or balls as coefficients."""

    c0: Any
    c1: Any
    c2: Any

    def __call__(self, tau: Any) -> Any:
        return self.c0 + tau * (self.c1 + tau * self.c2)

    def minus(self, other: Quadratic, factor: Any = 1) -> Quadratic:
        """Subtract a multiple of another quadratic."""
        return Quadratic(*(x - y * factor for x, y in zip(self, other, strict=True)))

    def times(self, factor: Any) -> Quadratic:
        """Multiply by a scalar."""
        return Quadratic(*(c * factor for c in self))

    @property
    def is_zero(self) -> bool:
        """Whether every coefficient is exactly 0."""
        return all(c == 0 for c in self)

    @property
    def is_exact(self) -> bool:
        """Whether the coefficients are rationals."""
        return all(isinstance(c, fmpq) for c in self)


class QuadraticForms(ABC):
    """The quadratic forms of a problem whose values are the numerators of the indices.

    A form is a sum over summands, each a number that depends on the index alone times a number that depends
    on the coefficients of the points alone: its weight.
    """

    def __init__(self, problem: Problem, support: Support):
        self.problem, self.A, self.parts = problem, support.arithmetic, support.parts

    @cached_property
    def _first_equal(self) -> list[int]:
        """For each point, the first point that is equal to it."""
        first: dict[Any, int] = {}
        return [first.setdefault(tuple(x), i) for i, x in enumerate(self.problem.points.tolist())]

    def add_equal_points(self, s: np.ndarray) -> np.ndarray:
        """Return s as balls, added up over equal points, so that what cancels there is exactly 0."""
        found = object_vector([fmpq(0)] * self.problem.m)
        for i, first in enumerate(self._first_equal):
            found[first] += s[i]
        return object_vector(map(arb, found))

    @abstractmethod
    def weights(self, segment: Segment) -> tuple[Any, Any]:
        """Return the coefficients of tau^0, tau^1 and tau^2 in the weights for s = y a of a segment.

        They are balls, or integers over a common denominator, which comes first.
        """

    @abstractmethod
    def sums(self, name: str, weights: tuple[Any, Any]) -> list[list[Any]]:
        """Return the forms of an index family, or of the "norm": three coefficients for each key."""


def quadratic_forms(problem: Problem, A: Arithmetic) -> QuadraticForms:
    """Return the forms by modes if these are fewer than the points or the only way, else by pairs."""
    with A.scope():
        support = Support.from_coefficients(problem, A, A.array([fmpq(1)] * problem.m))
        modes = support.parts.modes
        few = modes is not None and modes.count < problem.m
        return (ModeForms if few or not support.parts.by_pairs else PairForms)(problem, support)


class PairForms(QuadraticForms):
    """Forms whose summands are the pairs of points, with the weights t_i t_j."""

    def __init__(self, problem: Problem, support: Support):
        super().__init__(problem, support)
        self._forms = PairSummands(support)
        self._known: dict[str, tuple[list[fmpz], Any]] = {}

    def weights(self, segment: Segment) -> tuple[Any, Any]:
        signs = self.problem.signs
        u, v = segment.u * signs, segment.v * signs * (not segment.constant)
        if not self.A.exact:
            u, v = (self.add_equal_points(x) for x in (u, v))
        if self.A.exact:
            scale, numbers = over_common_denominator([*u, *v])
            u, v = object_vector(numbers[: len(u)]), object_vector(numbers[len(u) :])
        else:
            scale, u, v = fmpz(1), self.parts.scale(u), self.parts.scale(v)
        i, j = np.triu_indices(len(u))
        twice = object_vector((1, 2))[(i != j).astype(int)]
        columns = u[i] * u[j], u[i] * v[j] + v[i] * u[j], v[i] * v[j]
        return scale * scale, self._make_matrix(zip(*(column * twice for column in columns), strict=True))

    def sums(self, name: str, weights: tuple[Any, Any]) -> list[list[Any]]:
        (denominators, forms), (scale, columns) = self._matrix(name), weights
        sums: list[list[Any]] = (forms * columns).tolist()
        if not self.A.exact:
            return sums
        return [[fmpq(x, q * scale) for x in row] for q, row in zip(denominators, sums, strict=True)]

    def _matrix(self, name: str) -> tuple[list[fmpz], Any]:
        """Return the factors of the weights, one row for each key, and their denominators.

        The rows are balls with denominator 1, or integers. "norm" has one row.
        """
        if name not in self._known:
            rows = [self._forms.norm] if name == "norm" else INDICES[name].sums(self._forms)
            # a constant row multiplies sum_ij s_i s_j, which is 0
            rows = [row * 0 if all(x == 1 for x in row) else row for row in rows]
            cleared = [over_common_denominator(row) if self.A.exact else (fmpz(1), row) for row in rows]
            self._known[name] = [q for q, _ in cleared], self._make_matrix(row for _, row in cleared)
        return self._known[name]

    def _make_matrix(self, rows: Iterable[Any]) -> Any:
        """Return a matrix of balls, or of integers."""
        return (fmpz_mat if self.A.exact else arb_mat)([list(row) for row in rows])


class ModeForms(QuadraticForms):
    """Forms whose summands are the modes, with the weights a_k^2 g_k; a_k is linear in s."""

    def __init__(self, problem: Problem, support: Support):
        super().__init__(problem, support)
        self._known: dict[str, list[list[int]]] = {}
        self._at, self._g = support.at, None
        self._sum_at_bounds = BoundSum(problem, self._amplitudes)

    def _amplitudes(self, s: dict[int, Any]) -> Any:
        """Return a_k for each mode."""
        some = self._at.select(list(s) or [0]).decompose(self.problem.index_measures)
        a, self._g = some.amplitudes(self.A.elements(s.values() if s else [fmpq(0)]))
        return a

    def weights(self, segment: Segment) -> tuple[Any, Any]:
        y, free = self.problem.y, segment.values.keys()
        a = self._amplitudes({i: u * y[i] for i, (u, _) in segment.values.items()})
        b = self._amplitudes({i: v * y[i] * (not segment.constant) for i, (_, v) in segment.values.items()})
        if not segment.constant:
            b = b + self._sum_at_bounds(frozenset(unpack_points(segment.bits)) - free)
        g = self._g
        columns = np.stack([a * a * g, a * b * g * 2, b * b * g], axis=1)
        columns[0] = columns[0] * 0  # the constant: sum_i s_i = 0, or it belongs to the bias
        if not self.A.exact:
            return fmpz(1), columns
        scale, numbers = over_common_denominator(columns.reshape(-1))
        return scale, object_vector(numbers).reshape(columns.shape)

    def sums(self, name: str, weights: tuple[Any, Any]) -> list[list[Any]]:
        scale, columns = weights
        if name == "norm":
            found = [(columns.sum(axis=0), 1)]
        else:
            least = lcm(*range(1, self.parts.order + 1))
            factors = object_vector(least // max(1, INDICES[name].divisor(k)) for k in self._modes)
            weighted, none = columns * factors.reshape(-1, 1), columns[0] * 0
            found = [(none + weighted[row].sum(axis=0), least) for row in self._rows(name)]
        if self.A.exact:
            return [[fmpq(x, scale * q) for x in row] for row, q in found]
        return [[x / q for x in row] for row, q in found]

    @cached_property
    def _modes(self) -> list[Any]:
        return list(self.parts.modes or ())

    def _rows(self, name: str) -> list[list[int]]:
        """Return, for each key of an index family, the numbers of its modes."""
        if name not in self._known:
            index, top = INDICES[name], self.parts.modes.top_degree  # type: ignore[union-attr]
            rows: dict[Any, list[int]] = {key: [] for key in index.keys(top, self.problem.d)}
            for number, k in enumerate(self._modes):
                for key in index.keys_of(k, top):
                    rows[key].append(number)
            self._known[name] = list(rows.values())
        return self._known[name]


class QuadraticSums:
    """The sums of one segment, by index family, as quadratics in tau that are not normalised.

    ``parity`` is 0 or 1 if h is known to be an even or an odd function, so that the sums of all odd or of all
    even degrees are 0.
    """

    def __init__(self, forms: QuadraticForms, segment: Segment, parity: int | None = None):
        self._forms, self._known, self._parity = forms, dict[str, list[Quadratic]](), parity
        with forms.A.scope():
            self._weights = forms.weights(segment)

    def family(self, name: str) -> list[Quadratic]:
        """Return the quadratics of an index family in the order of its keys."""
        if name not in self._known:
            with self._forms.A.scope():
                found = [Quadratic(*row) for row in self._forms.sums(name, self._weights)]
                self._known[name] = found if self._parity is None else self._apply_parity(name, found)
        return self._known[name]

    def _apply_parity(self, name: str, found: list[Quadratic]) -> list[Quadratic]:
        """Replace sums that are 0 by symmetry, and let cumulative sums that are equal be the same object."""
        none = Quadratic(fmpq(0), fmpq(0), fmpq(0))
        if name == "degree":
            return [f if self._parity == N % 2 else none for N, f in enumerate(found)]
        if name == "cumulative":
            return [found[T] if self._parity == T % 2 else found[T - 1] if T else none
                    for T in range(len(found))]  # fmt: skip
        return found

    @property
    def norm(self) -> Quadratic:
        """The quadratic lambda*||w||^2 or, for other measures than the kernel's own, the variance."""
        return self.family("norm")[0]


# Roots.


def quadratic_roots(f: Quadratic, lower: Any, upper: Any) -> list[Any]:
    """Return the roots strictly between two places; raise Undecided if balls do not decide which they are."""
    if f.is_zero or _one_sign(_control(f, *_around(lower, upper))):
        return []
    found = _real_roots(f, upper)
    return [x for x in found if compare(x, lower) > 0 and (upper is None or compare(x, upper) < 0)]


def _around(lower: Any, upper: Any) -> tuple[fmpq, fmpq | None]:
    """Return rational ends of an interval that contains the one between two places."""
    return place_bounds(lower)[0], None if upper is None else place_bounds(upper)[1]


def _control(f: Quadratic, lower: fmpq, upper: fmpq | None) -> list[Any]:
    """Return the Bernstein coefficients of f on an interval or, without upper end, its Taylor coefficients.

    f is a combination of them with coefficients that are positive inside the interval.
    """
    value, slope = f(lower), f.c1 + 2 * f.c2 * lower
    if upper is None:
        return [value, slope, f.c2]
    return [value, value + slope * (upper - lower) / 2, f(upper)]


def _one_sign(control: list[Any]) -> bool:
    """Return whether control points prove that there is no root inside the interval."""
    return any(all(x * side >= 0 for x in control) and any(x * side > 0 for x in control) for side in (1, -1))


def _real_roots(f: Quadratic, upper: Any = None) -> list[Any]:
    """Return every real root of a function that is not identically 0.

    In balls, a root that is proved to be above ``upper`` may be left out.
    """
    c, b, a = f
    if a == 0 and b == 0:
        sign_or_undecided(c)  # raises Undecided for a constant that may be 0
        return []
    if a == 0:
        found = [-c / b]
    elif c == 0:
        found = [fmpq(0), -b / a]
    elif f.is_exact:
        found = _exact_roots(f)
    else:
        found = _ball_roots(f, upper)
    if not all(x.is_finite() for x in found if isinstance(x, arb)):
        raise Undecided("The roots of a quadratic in lambda*C are undecided at this precision.")
    return found


def _exact_roots(f: Quadratic) -> list[Any]:
    c, b, a = f
    centre = -b / (2 * a)
    square = centre * centre - c / a
    if square < 0:
        return []
    if (root := rational_root(square)) is not None:
        return [centre - root, centre + root] if root else [centre]
    return [Surd(centre, square, -1), Surd(centre, square, 1)]


def _ball_roots(f: Quadratic, upper: Any) -> list[Any]:
    c, b, a = f
    square = arb(b * b - 4 * a * c)
    if sign_or_undecided(square) < 0:
        return []
    width = square.sqrt()
    big = -(b - width if b < 0 else b + width) / 2  # without cancellation
    found = [c / big]
    if certain_sign(a):
        found.append(big / a)
    elif upper is None or not abs(big) > abs(a) * place_bounds(upper)[1]:  # it may be below upper
        raise Undecided("Whether a quadratic in lambda*C is linear is undecided at this precision.")
    return found


def sign_at(f: Quadratic, x: Any) -> int:
    """Return the sign of f at a place; raise Undecided if a ball does not decide it."""
    if isinstance(x, fmpq | arb) or not f.is_exact:
        return sign_or_undecided(f(enclose(x)))
    if f.is_zero or x in _real_roots(f):
        return 0
    return refine_until(lambda: certain_sign(f(enclose(x))) or None, x)


# Values on intervals.


class IndexStep(NamedTuple):
    """A value for every C of an open interval, or for a single C, which then is both ``lower`` and ``upper``.

    Each step begins where the one before it ends. At an end that two intervals share, the smaller of their
    values holds; at an end of the whole path, that of its interval. If another value holds there, that single
    C has a step of its own. The value is None, and counts as the smallest, if w = 0. ``upper`` is None if
    there is no end.
    """

    lower: Any
    upper: Any
    value: int | None

    def __repr__(self) -> str:
        low, high = ("oo" if end is None else format_decimal(end, 6) for end in (self.lower, self.upper))
        return (
            f"<{self.value} at C = {low}>" if self.is_single else f"<{self.value} for C from {low} to {high}>"
        )

    @property
    def is_single(self) -> bool:
        """Whether the step is a single C."""
        return self.lower is self.upper

    @property
    def rank(self) -> int:
        """Value for comparisons: -1 instead of None."""
        return -1 if self.value is None else self.value


Value = Callable[[list[int]], int | None]  # maps the signs of some functions to the value of a cell


def split_interval(
    lower: Any, upper: Any, closed: bool, functions: Sequence[Quadratic], value: Value
) -> list[IndexStep]:
    """Split an interval at the roots of the functions: open intervals and places in turn, the upper end last.

    If ``closed``, the lower end comes first. ``value`` maps the signs of the functions to the value of a
    cell. Raise Undecided if a root is not separated from an end or from another root, so that none is left
    out or merged.
    """
    roots: dict[Any, tuple[Any, set[int]]] = {}  # a place, and the functions that are 0 there
    for k, f in enumerate(functions):
        for x in quadratic_roots(f, lower, upper):
            key = id(x) if isinstance(x, arb) else x
            roots.setdefault(key, (x, set()))[1].add(k)
    found = [_single(lower, functions, value)] if closed else []
    left = lower
    in_order = cmp_to_key(compare)
    for right, zeros in [*sorted(roots.values(), key=lambda root: in_order(root[0])), (upper, set())]:
        tau = rational_between(left, right)
        signs = [sign_or_undecided(f(tau)) for f in functions]
        found.append(IndexStep(left, right, value(signs)))
        if zeros:
            at = [0 if k in zeros else s for k, s in enumerate(signs)]
            found.append(IndexStep(right, right, value(at)))
        left = right
    return found if upper is None else [*found, _single(upper, functions, value)]


def _single(place: Any, functions: Sequence[Quadratic], value: Value) -> IndexStep:
    return IndexStep(place, place, value([sign_at(f, place) for f in functions]))


def chain_cells(parts: Iterable[list[IndexStep]]) -> Iterator[IndexStep]:
    """Yield the cells of consecutive segments, with the exact place where two of them meet if it is known."""
    last: list[IndexStep] = []
    for part in parts:
        if last:
            meet = last[-1].upper if isinstance(last[-1].upper, fmpq) else part[0].lower
            *last, left, point = last
            yield from last
            yield from (left._replace(upper=meet), IndexStep(meet, meet, point.value))
            part = [part[0]._replace(lower=meet), *part[1:]]
        last = part
    yield from last


def join_steps(parts: Iterable[IndexStep]) -> list[IndexStep]:
    """Join cells, which are intervals and single places in turn, to steps."""
    whole = list(parts)
    found: list[IndexStep] = []
    for k, step in enumerate(whole):
        before, after = found[-1:], whole[k + 1 : k + 2]
        if step.is_single and step.rank == min(x.rank for x in before + after):
            continue
        if not step.is_single and before and not before[0].is_single and before[0].value == step.value:
            step = step._replace(lower=found.pop().lower)
        found.append(step)
    return found


def threshold_differences(sums: QuadraticSums, level: fmpq) -> tuple[list[Quadratic], Value]:
    """Return F(T) - level for each T, times the norm; T_eps is the number of negative ones.

    Several T with the same F have one function, whose roots would otherwise coincide.
    """
    counts: dict[int, tuple[Quadratic, int]] = {}
    for F in sums.family("cumulative")[:-1]:
        counts[id(F)] = F, counts.get(id(F), (F, 0))[1] + 1
    short = [F.minus(sums.norm, level) for F, _ in counts.values()]
    times = [count for _, count in counts.values()]
    return short, lambda signs: sum(n for s, n in zip(signs, times, strict=True) if s < 0)


def peak_differences(
    sums: QuadraticSums, lower: Any, upper: Any, closed: bool
) -> tuple[list[Quadratic], Value]:
    """Return differences of the OKC_N that may be largest somewhere, times the norm.

    The second result maps their signs to N*.
    """
    spectrum, ends = sums.family("degree"), _around(lower, upper)
    middle = rational_between(lower, upper)
    best = max(range(len(spectrum)), key=lambda N: place_bounds(spectrum[N](middle))[0])  # a guess

    def below(f: Quadratic) -> bool:
        """Return whether f is proved to be less than the best, at the ends too (the lower one if closed)."""
        first, inner, last = _control(spectrum[best].minus(f), *ends)
        above = first > 0 if closed else first >= 0
        return bool(above and inner >= 0 and (last > 0 or (upper is None and last >= 0 and first > 0)))

    rest = [N for N, f in enumerate(spectrum) if best == N or not below(f)]
    pairs = list(combinations(rest, 2))

    def value(signs: list[int]) -> int:
        known = dict(zip(pairs, signs, strict=True))
        found = rest[0]
        for N in rest[1:]:
            found = found if known[found, N] >= 0 else N
        return found

    return [spectrum[N].minus(spectrum[M]) for N, M in pairs], value


def derivative_numerator(f: Quadratic, g: Quadratic) -> Quadratic:
    """Return the numerator of the derivative of f/g."""
    if f is g:
        return Quadratic(fmpq(0), fmpq(0), fmpq(0))
    return Quadratic(f.c1 * g.c0 - f.c0 * g.c1, 2 * (f.c2 * g.c0 - f.c0 * g.c2), f.c2 * g.c1 - f.c1 * g.c2)


def quotient(f: Quadratic, g: Quadratic, x: Any) -> Any:
    """Return f/g at a place, or its limit if both are 0 there; None stands for tau -> oo.

    0 <= f <= g is assumed. The result is exact, a ``Surd`` or a ``Ratio`` if need be, unless the place or a
    coefficient is a ball.
    """
    if f is g:
        return fmpq(1)
    if x is None or not sign_at(g, x):
        return _limit(f, g, x)
    if not (f.is_exact and g.is_exact):
        return f(enclose(x)) / g(enclose(x))
    if isinstance(x, Surd):
        # (p + q*root)/(r + s*root), root = side*sqrt(square)
        (p, q), (r, s) = ((h(x.centre) + h.c2 * x.square, h.c1 + 2 * h.c2 * x.centre) for h in (f, g))
        below = r * r - s * s * x.square
        centre, factor = (p * r - q * s * x.square) / below, (q * r - p * s) / below
        return Surd(centre, factor**2 * x.square, x.side * certain_sign(factor)) if factor != 0 else centre
    if isinstance(x, Tau):
        return Ratio(fmpq_poly(list(f)), fmpq_poly(list(g)), x).reduced()
    return f(x) / g(x)


def _limit(f: Quadratic, g: Quadratic, x: Any) -> Any:
    """Return the limit of f/g at a root of g, or as tau -> oo if x is None.

    g is a sum of squares: a root of it is double and also a root of f, and c_2 = 0 implies c_1 = 0.
    """
    if certain_sign(g.c2):
        return f.c2 / g.c2
    if x is None and g.c2 == 0 and certain_sign(g.c0):
        return f.c0 / g.c0
    raise Undecided("Whether w = 0 at an end of a segment is undecided at this precision.")
