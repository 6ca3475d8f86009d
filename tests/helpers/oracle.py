"""Exact solutions of small problems by exhaustive search, independent of the library.

Polynomials are orthogonalised from the moments of t = 1 - x for Jacobi measures and of x otherwise; every
active set is tried, and every mode is summed. Numbers are p + q*tau with fractions p, q and tau =
lambda*max C_i. An irrational tau is approximated by a fraction of 250 digits, which decides signs but not
equalities.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction as Q
from functools import cached_property
from itertools import product
from math import prod
from typing import NamedTuple

import mpmath

DIGITS = 250


class Number(NamedTuple):
    """The number p + q*tau."""

    p: Q
    q: Q

    def plus(self, other: Number, times: Q = Q(1)) -> Number:
        return Number(self.p + times * other.p, self.q + times * other.q)


ZERO, ONE = Number(Q(0), Q(0)), Number(Q(1), Q(0))


class Oracle:
    """The exact solution of a problem with m <= 6."""

    def __init__(self, problem):
        fraction = lambda x: Q(int(x.p), int(x.q))  # noqa: E731
        self.X = [[fraction(x) for x in row] for row in problem.points]
        self.y, self.degrees, bounds = list(problem.y), problem.degrees, [fraction(x) for x in problem.bounds]
        self.C, self.weights = max(bounds), [bound / max(bounds) for bound in bounds]
        self.top = [Number(Q(0), weight) for weight in self.weights]
        self.measures = [measure.to_json() for measure in problem.measures]
        self.m, self.d = len(self.X), len(self.X[0])
        self.order = problem.kernel.order or self.d

    # tau

    @cached_property
    def rational(self) -> bool:
        """Whether lambda is rational.

        This is right for the measures of the tests: powers of 2 may cancel, pi and Gamma values do not.
        """
        twos = Q(0)
        for measure in self.measures:
            a, b = (Q(measure.get(key, 0)) for key in ("alpha", "beta"))
            if measure["family"] == "hermite" or 1 not in (a.denominator, b.denominator):
                return False
            if measure["family"] == "laguerre" and a.denominator > 1:
                return False
            twos += a + b + 1 if measure["family"] == "jacobi" else 0
        return twos.denominator == 1

    @cached_property
    def lam(self) -> Q:
        """Product of 1/h_0 over the coordinates."""
        with mpmath.workdps(DIGITS + 20):
            value = 1 / mpmath.fprod(map(mass, self.measures))
            near = Q(int(mpmath.floor(value * mpmath.mpf(2) ** 900)), 2**900)
        return near.limit_denominator(10**60) if self.rational else near

    @cached_property
    def tau(self) -> Q:
        return self.lam * self.C

    def value(self, x: Number) -> Q:
        return x.p + x.q * self.tau

    def sign(self, x: Number) -> int:
        """Return the sign; if tau is irrational, it is 0 only for p = q = 0."""
        if not self.rational and x.p == x.q == 0:
            return 0
        value = self.value(x)
        assert self.rational or abs(value) > Q(1, 10**200), "tau has too few digits to decide this sign"
        return (value > 0) - (value < 0)

    # kernel

    @cached_property
    def polynomials(self) -> list[list[tuple[list[Q], Q]]]:
        """Coefficients and squared norms divided by h_0 for each coordinate, by Gram-Schmidt."""
        return [gram_schmidt(measure, n) for measure, n in zip(self.measures, self.degrees, strict=True)]

    @cached_property
    def values(self) -> list[list[list[Q]]]:
        """Values of the k-th polynomial at each coordinate of each point."""
        at = lambda f, t: sum(c * t**k for k, c in enumerate(f))  # noqa: E731
        shifted = [[1 - x if J["family"] == "jacobi" else x for x, J in zip(row, self.measures, strict=True)]
                   for row in self.X]  # fmt: skip
        return [
            [[at(f, t) for f, _ in found] for t, found in zip(row, self.polynomials, strict=True)]
            for row in shifted
        ]

    @cached_property
    def modes(self) -> list[tuple[int, ...]]:
        """All k with k_l <= n_l and at most ``order`` of the k_l above 0."""
        found = product(*(range(n + 1) for n in self.degrees))
        return [k for k in found if sum(kj > 0 for kj in k) <= self.order]

    @cached_property
    def norms(self) -> list[Q]:
        """Squared norm of each mode divided by h_0^d."""
        return [prod(found[kj][1] for found, kj in zip(self.polynomials, k, strict=True)) for k in self.modes]

    @cached_property
    def features(self) -> list[list[Q]]:
        """Values of all modes at each point."""
        return [[prod(v[j][kj] for j, kj in enumerate(k)) for k in self.modes] for v in self.values]

    @cached_property
    def R(self) -> list[list[Q]]:
        inner = lambda v, w: sum(map(lambda x, z, h: x * z / h, v, w, self.norms))  # noqa: E731
        return [[inner(v, w) for w in self.features] for v in self.features]

    # optimum

    def scores(self, a: list[Number]) -> list[Number]:
        moved = [
            (i, label * x.p, label * x.q)
            for i, (label, x) in enumerate(zip(self.y, a, strict=True))
            if any(x)
        ]
        return [
            Number(sum(r[i] * p for i, p, _ in moved) + Q(0), sum(r[i] * q for i, _, q in moved) + Q(0))
            for r in self.R
        ]

    @cached_property
    def vertices(self) -> list[list[Number]]:
        """Optimal a with a nonsingular active set: the extreme points of the set of optimal a."""
        return list(self._vertices())

    def _vertices(self) -> Iterator[list[Number]]:
        for kinds in product("0fC", repeat=self.m):
            free = [i for i, kind in enumerate(kinds) if kind == "f"]
            bound = [i for i, kind in enumerate(kinds) if kind == "C"]
            if not free and sum(self.y[i] * self.weights[i] for i in bound):
                continue
            a = [top if kind == "C" else ZERO for top, kind in zip(self.top, kinds, strict=True)]
            b = None
            if free:
                f = self.scores(a)
                off = ZERO
                for label, x in zip(self.y, a, strict=True):
                    off = off.plus(x, Q(-label))
                rhs = [Number(Q(self.y[i]), Q(0)).plus(f[i], Q(-1)) for i in free] + [off]
                x = gauss(
                    [[self.R[i][j] for j in free] + [Q(1)] for i in free] + [[Q(1)] * len(free) + [Q(0)]], rhs
                )
                if x is None:
                    continue
                for i, value in zip(free, x, strict=False):
                    a[i] = ZERO.plus(value, Q(self.y[i]))
                    if self.sign(a[i]) <= 0 or self.sign(self.top[i].plus(a[i], Q(-1))) <= 0:
                        break
                else:
                    b = x[-1]
                if b is None:
                    continue
            if self._optimal(a, b):
                yield a

    def _optimal(self, a: list[Number], b: Number | None) -> bool:
        """Return whether a is optimal with this b or, if no point is free, with a bound of the optimal b."""
        f = self.scores(a)
        return any(self._kkt(a, f, k) for k in ([b] if b is not None else self._kinks(f)))

    def _kkt(self, a: list[Number], f: list[Number], b: Number) -> bool:
        for x, top, score, label in zip(a, self.top, f, self.y, strict=True):
            side = self.sign(Number(Q(-1), Q(0)).plus(score.plus(b), Q(label)))
            if (self.sign(x) and side > 0) or (self.sign(top.plus(x, Q(-1))) and side < 0):
                return False
        return True

    def _kinks(self, f: list[Number]) -> list[Number]:
        return [Number(Q(label), Q(0)).plus(x, Q(-1)) for x, label in zip(f, self.y, strict=True)]

    def _slack(self, f: list[Number], b: Number) -> Number:
        total = ZERO
        for x, weight, label in zip(f, self.weights, self.y, strict=True):
            xi = ONE.plus(x.plus(b), Q(-label))
            total = total.plus(xi, weight) if self.sign(xi) > 0 else total
        return total

    @cached_property
    def f(self) -> list[Number]:
        """Scores R s of the optimum, the same for every optimal a."""
        return self.scores(self.vertices[0])

    @cached_property
    def b(self) -> tuple[Q, Q]:
        """Interval of the optimal b."""
        kinks = self._kinks(self.f)
        slacks = [self._slack(self.f, b) for b in kinks]
        best = min(slacks, key=self.value)
        ends = [
            self.value(b) for b, s in zip(kinks, slacks, strict=True) if self.sign(s.plus(best, Q(-1))) == 0
        ]
        return min(ends), max(ends)

    @property
    def hard_margin(self) -> bool:
        """Whether all slacks are 0 for an optimal b."""
        return any(self.sign(self._slack(self.f, b)) == 0 for b in self._kinks(self.f))

    @property
    def alpha_unique(self) -> bool:
        first, *others = self.vertices
        return all(
            self.sign(x.plus(z, Q(-1))) == 0 for other in others for x, z in zip(first, other, strict=True)
        )

    # indices

    @cached_property
    def squares(self) -> dict[tuple[int, ...], Q]:
        """Squares c_k^2 by mode."""
        s = [label * self.value(x) for label, x in zip(self.y, self.vertices[0], strict=True)]
        columns = [sum(map(Q.__mul__, s, map(Q, column))) for column in zip(*self.features, strict=True)]
        squares = (c**2 / norm / self.lam for c, norm in zip(columns, self.norms, strict=True))
        return dict(zip(self.modes, squares, strict=True))

    @property
    def norm2(self) -> Q:
        return sum(self.squares.values(), Q(0))

    @property
    def is_zero(self) -> bool:
        """Whether w = 0: all scores are 0."""
        return not any(self.sign(x) for x in self.f)

    def shares(self) -> dict[str, dict[tuple[int, ...], Q]]:
        """Return order, degree, marginal and parity indices by their definitions."""
        names: dict[str, dict[tuple[int, ...], Q]] = {
            "order": {(q,): Q(0) for q in range(self.d + 1)},
            "degree": {(N,): Q(0) for N in range(sum(self.degrees) + 1)},
            "marginal": {(i,): Q(0) for i in range(1, self.d + 1)},
            "even": {(): Q(0)}, "odd": {(): Q(0)},
        }  # fmt: skip
        norm = self.norm2
        for k, square in self.squares.items():
            active = tuple(i for i, kj in enumerate(k, 1) if kj)
            names["order"][len(active),] += square / norm
            names["degree"][sum(k),] += square / norm
            names["odd" if sum(k) % 2 else "even"][()] += square / norm
            if len(active) == 1:
                names["marginal"][active] += square / norm
        return names


def mass(measure: dict) -> mpmath.mpf:
    """Return h_0 of a measure by its closed form."""
    number = lambda x: mpmath.mpf(Q(x).numerator) / Q(x).denominator  # noqa: E731
    if measure["family"] == "discrete":
        return number(sum(map(Q, measure["weights"])))
    if measure["family"] == "hermite":
        return mpmath.sqrt(2 * mpmath.pi)
    a = number(measure["alpha"])
    if measure["family"] == "laguerre":
        return mpmath.gamma(a + 1)
    b = number(measure["beta"])
    return 2 ** (a + b + 1) * mpmath.gamma(a + 1) * mpmath.gamma(b + 1) / mpmath.gamma(a + b + 2)


def moments(measure: dict, count: int) -> list[Q]:
    """Return the moments, divided by h_0, of t = 1 - x for Jacobi measures and of x otherwise."""
    if measure["family"] == "discrete":
        pairs = [(Q(x), Q(w)) for x, w in zip(measure["nodes"], measure["weights"], strict=True)]
        return [sum(w * x**k for x, w in pairs) / sum(w for _, w in pairs) for k in range(count)]
    found = [Q(1), Q(0)]
    if measure["family"] == "hermite":
        for k in range(2, count):
            found.append((k - 1) * found[k - 2])
        return found
    a, b = Q(measure["alpha"]), Q(measure.get("beta", 0))
    found = [Q(1)]
    for k in range(count - 1):
        found.append(found[-1] * (a + 1 + k))
        found[-1] *= 2 / (a + b + 2 + k) if measure["family"] == "jacobi" else 1
    return found


def gram_schmidt(measure: dict, n: int) -> list[tuple[list[Q], Q]]:
    """Return the coefficients, lowest first, and squared norms divided by h_0."""
    moment = moments(measure, 2 * n + 1)
    inner = lambda f, g: sum(x * z * moment[i + j] for i, x in enumerate(f) for j, z in enumerate(g))  # noqa: E731
    found: list[tuple[list[Q], Q]] = []
    for k in range(n + 1):
        f = [Q(0)] * k + [Q(1)]
        for g, norm in found:
            c = inner([Q(0)] * k + [Q(1)], g) / norm
            f = [x - c * z for x, z in zip(f, g + [Q(0)] * (k + 1 - len(g)), strict=True)]
        found.append((f, inner(f, f)))
    return found


def gauss(A: list[list[Q]], rhs: list[Number]) -> list[Number] | None:
    """Solve A x = rhs by elimination; return None if A is singular."""
    rows = [[*row, x.p, x.q] for row, x in zip(A, rhs, strict=True)]
    size = len(rows)
    for k in range(size):
        pivot = next((i for i in range(k, size) if rows[i][k]), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [x / rows[k][k] for x in rows[k]]
        for i in range(size):
            if i != k and rows[i][k]:
                rows[i] = [x - rows[i][k] * z for x, z in zip(rows[i], rows[k], strict=True)]
    return [Number(*row[-2:]) for row in rows]
