"""Indices along a path: on a segment each sum over modes is a quadratic in tau, each index a quotient of two.

By polarisation from the sums of u, of v, and of the two: quadratics have closed roots, so extrema and the
places where N* or T_eps change are enclosed, and between them everything is proved by one value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, pairwise
from math import isqrt
from typing import Any, NamedTuple

import numpy as np
from flint import arb, arb_mat, fmpq, fmpz, fmpz_mat

from ..errors import Undecided
from ..numbers.arithmetic import Arithmetic, over_common_denominator, vector
from ..numbers.rationals import decimal, midpoint, sign
from ..problem import Problem
from ..profile.generating import Forms
from ..profile.indices import INDICES
from ..profile.support import Support
from .segments import Segment

DIGITS = 80  # of the balls


class Quadratic(NamedTuple):
    """c_0 + c_1 tau + c_2 tau^2, rationals or balls."""

    c0: Any
    c1: Any
    c2: Any

    def __call__(self, tau: Any) -> Any:
        return self.c0 + tau * (self.c1 + tau * self.c2)

    def minus(self, other: Quadratic, factor: Any = 1) -> Quadratic:
        """The difference from so many times another."""
        return Quadratic(*(x - y * factor for x, y in zip(self, other, strict=True)))

    def times(self, factor: Any) -> Quadratic:
        """So many times."""
        return Quadratic(*(c * factor for c in self))

    @property
    def is_zero(self) -> bool:
        """Identically, and exactly."""
        return all(c == 0 for c in self)


class Masses:
    """Of a problem: the forms whose sums over pairs of points, each with its s_i s_j, are the indices."""

    def __init__(self, problem: Problem, A: Arithmetic):
        self.problem, self.A = problem, A
        with A.scope():
            self._forms = Forms(Support.of(problem, A, A.array([fmpq(1)] * problem.m)))
        self._known: dict[str, tuple[list[fmpz], Any]] = {}

    def matrix(self, name: str) -> tuple[list[fmpz], Any]:
        """A row of balls, or of integers with a denominator, for each key; "norm" has one."""
        if name not in self._known:
            with self.A.scope():
                rows = [self._forms.norm] if name == "norm" else INDICES[name].sums(self._forms)
                # what only multiplies sum_ij s_i s_j, which is 0, is nothing
                rows = [row * 0 if all(x == 1 for x in row) else row for row in rows]
                cleared = [over_common_denominator(row) if self.A.exact else (fmpz(1), row) for row in rows]
                self._known[name] = [q for q, _ in cleared], self.made(row for _, row in cleared)
        return self._known[name]

    def made(self, rows: Iterable) -> Any:
        """A matrix."""
        return (fmpz_mat if self.A.exact else arb_mat)([list(row) for row in rows])


class Sums:
    """Of one segment, by index, each a quadratic in tau; nothing is normalised."""

    def __init__(self, masses: Masses, segment: Segment):
        self._masses, self._known = masses, dict[str, list[Quadratic]]()
        m, labels = masses.problem.m, vector(masses.problem.y)
        with masses.A.scope():
            numbers: list[Any] = [*segment.u, *segment.v]
            if masses.A.exact:
                self._scale, numbers = over_common_denominator(numbers)
            else:
                numbers = [arb(x) for x in numbers]
            u, v = vector(numbers[:m]) * labels, vector(numbers[m:]) * labels
            i, j = np.triu_indices(m)
            twice = vector((1, 2))[(i != j).astype(int)]
            columns = u[i] * u[j], u[i] * v[j] + v[i] * u[j], v[i] * v[j]
            self._weights = masses.made(zip(*(column * twice for column in columns), strict=True))

    def family(self, name: str) -> list[Quadratic]:
        """In the order of the keys."""
        if name not in self._known:
            with self._masses.A.scope():
                denominators, forms = self._masses.matrix(name)
                sums = (forms * self._weights).tolist()
                if self._masses.A.exact:
                    scales = [q * self._scale * self._scale for q in denominators]
                    sums = [[fmpq(x, q) for x in row] for q, row in zip(scales, sums, strict=True)]
                self._known[name] = [Quadratic(*row) for row in sums]
        return self._known[name]

    @property
    def norm(self) -> Quadratic:
        """lambda*||w||^2."""
        return self.family("norm")[0]


# Roots.


def root(q: fmpq) -> fmpq | None:
    """The square root of a square."""
    parts = [(isqrt(x), x) for x in (int(q.p), int(q.q))] if q >= 0 else []
    return fmpq(parts[0][0], parts[1][0]) if parts and all(r * r == x for r, x in parts) else None


class Mark(NamedTuple):
    """Where a quadratic is 0: a rational, or a ball; ``double``: it may touch 0 there and turn back."""

    at: Any
    double: bool = False

    @property
    def low(self) -> fmpq:
        """At most ``at``."""
        return self.at if isinstance(self.at, fmpq) else midpoint(self.at) - midpoint(self.at.rad())

    @property
    def high(self) -> fmpq:
        """At least ``at``."""
        return self.at if isinstance(self.at, fmpq) else midpoint(self.at) + midpoint(self.at.rad())


def inside(lower: fmpq, upper: fmpq | None) -> fmpq:
    """A rational between two, or beyond the one."""
    return 2 * lower + 1 if upper is None else (lower + upper) / 2


def span(segment: Segment) -> tuple[fmpq, fmpq | None]:
    """The rational interval inside its ends."""
    return Mark(segment.lower).high, None if segment.upper is None else Mark(segment.upper).low


def roots(f: Quadratic, lower: fmpq, upper: fmpq | None) -> list[Mark]:
    """All between the two, and maybe one at an end; Undecided where balls do not tell whether one is."""
    c, b, a = f
    if f.is_zero or _one_sign(f, lower, upper):
        return []
    if a == 0:
        found = [Mark(-c / b if b != 0 else arb("nan"))]
    elif c == 0:
        found = [Mark(-b / a)]
    else:
        found = _two_roots(f, upper)
    if not all(isinstance(x.at, fmpq) or x.at.is_finite() for x in found):
        raise Undecided("the roots of a quadratic in lambda*C are not told from 0")
    return [x for x in found if x.high > lower and (upper is None or x.low < upper)]


def _one_sign(f: Quadratic, lower: fmpq, upper: fmpq | None) -> bool:
    """Whether the control points of f show that it has no root there."""
    shifted = [f(lower), f.c1 + 2 * f.c2 * lower, f.c2]
    if upper is not None:
        shifted = [shifted[0], shifted[0] + shifted[1] * (upper - lower) / 2, f(upper)]
    signs = {sign(x) for x in shifted if x != 0}
    return len(signs) == 1 and 0 not in signs


def _two_roots(f: Quadratic, upper: fmpq | None) -> list[Mark]:
    c, b, a = f
    square = b * b - 4 * a * c
    if square < 0:
        return []
    if isinstance(square, fmpq) and (r := root(square)) is not None:
        ends = sorted({(-b - r) / (2 * a), (-b + r) / (2 * a)})
        return [Mark(x, len(ends) == 1) for x in ends]
    square = arb(square)
    double = not square > 0
    width = arb(0).union(arb(square.upper())).sqrt() if double else square.sqrt()
    big = -(b - width if b < 0 else b + width) / 2  # no cancellation
    found = [c / big]
    if sign(a):
        found.append(big / a)
    elif upper is None or not abs(big) > abs(a) * upper:  # else the other root is beyond
        raise Undecided("a quadratic in lambda*C is not told from a linear function")
    return [Mark(x, double) for x in found]


def marks(functions: Iterable[Quadratic], lower: fmpq, upper: fmpq | None) -> list[Mark]:
    """The roots of all, in order; those that are not told apart are one."""
    found: list[Mark] = []
    for mark in sorted((x for f in functions for x in roots(f, lower, upper)), key=lambda x: x.low):
        if found and mark.low <= found[-1].high:
            last = found.pop()
            both = last.at == mark.at and isinstance(mark.at, fmpq)
            hull = mark.at if both else arb(last.at).union(arb(mark.at))
            mark = Mark(hull, last.double or mark.double or not both)
        found.append(mark)
    return found


class Step(NamedTuple):
    """A value on an open interval; None where w = 0.

    At an end between two steps the smaller of both holds, or a smaller one where they are equal.
    """

    lower: Any
    upper: Any
    value: int | None

    def __repr__(self) -> str:
        low, high = ("oo" if end is None else decimal(end, 6) for end in (self.lower, self.upper))
        return f"<{self.value} for C from {low} to {high}>"


def steps(
    segment: Segment, functions: Sequence[Quadratic], value: Callable[[fmpq], int]
) -> list[tuple[Step, bool]]:
    """Of what changes only where one of the functions is 0, on one segment; with each whether it may be
    joined to the one before."""
    found = []
    bounds = [Mark(segment.lower), *marks(functions, *span(segment)), Mark(segment.upper)]
    for left, right in pairwise(bounds):
        high = None if right.at is None else right.low
        if high is None or left.high < high:
            here = value(inside(left.high, high))
            level = value(left.at) == here if isinstance(left.at, fmpq) and left.at else not left.double
            found.append((Step(left.at, right.at, here), level))
    return found


def joined(parts: Iterable[tuple[Step, bool]]) -> list[Step]:
    """Neighbours of one value as one."""
    found: list[Step] = []
    for step, may_join in parts:
        if found and may_join and found[-1].value == step.value:
            step = Step(found.pop().lower, step.upper, step.value)
        found.append(step)
    return found


def threshold(sums: Sums, level: fmpq) -> tuple[list[Quadratic], Callable[[fmpq], int]]:
    """F(T) - level for each T, over the norm; T_eps counts those that are negative."""
    short = [F.minus(sums.norm, level) for F in sums.family("cumulative")[:-1]]

    def value(tau: fmpq) -> int:
        return sum(not at_least_0(f(tau)) for f in short)

    return short, value


def peak(sums: Sums, lower: fmpq, upper: fmpq | None) -> tuple[list[Quadratic], Callable[[fmpq], int]]:
    """The differences of the OKC_N that may be largest somewhere, over the norm, and N*."""
    spectrum = sums.family("degree")
    middle = inside(lower, upper)
    best = max(range(len(spectrum)), key=lambda N: _middle(spectrum[N](middle)))
    rest = [
        N
        for N, f in enumerate(spectrum)
        if best == N or not (_one_sign(d := spectrum[best].minus(f), lower, upper) and d(middle) > 0)
    ]

    def value(tau: fmpq) -> int:
        found = rest[0]
        for N in rest[1:]:
            found = found if at_least_0(spectrum[found](tau) - spectrum[N](tau)) else N
        return found

    return [spectrum[N].minus(spectrum[M]) for N, M in combinations(rest, 2)], value


def _middle(x: Any) -> fmpq:
    return x if isinstance(x, fmpq) else midpoint(x)


def at_least_0(x: Any) -> bool:
    """Whether it is; Undecided where a ball does not tell."""
    if x >= 0:
        return True
    if x < 0:
        return False
    raise Undecided("two sums are not told apart")


def slope(f: Quadratic, g: Quadratic) -> Quadratic:
    """The numerator of the derivative of f/g."""
    return Quadratic(f.c1 * g.c0 - f.c0 * g.c1, 2 * (f.c2 * g.c0 - f.c0 * g.c2), f.c2 * g.c1 - f.c1 * g.c2)


def limit(f: Quadratic, g: Quadratic, tau: Any) -> Any:
    """f/g at tau, or as it is approached where both are 0, or at no end (None); 0 <= f <= g near there."""
    if tau is not None and sign(below := g(tau)):
        return f(tau) / below
    square = g.c1 * g.c1 == 4 * g.c0 * g.c2
    if (tau is not None and not square) or not (sign(g.c2) or g.c2 == 0):
        raise Undecided("||w|| is not told from 0 at an end")
    return f.c2 / g.c2 if g.c2 != 0 else f.c0 / g.c0
