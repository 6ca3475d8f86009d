"""Route (a): the c_k and the OKC indices in float64 with NumPy, each with a bound on its error.

Polynomials are computed by their three-term recurrence, c_k as the sum over the points, and each index as the
sum over its modes. ``Rounded`` carries the bound along: to first order, every operation adds the roundoff
2^-53 times its result, and errors of the operands grow as the operation makes them grow.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property, reduce
from itertools import combinations
from operator import mul
from typing import Any

import numpy as np

from .stated import SCALAR_FIELDS, MultiIndex, RouteValues, StatedProblem, read_number


class Rounded:
    """An array in float64 with a first-order bound on its error, in units of the roundoff 2^-53."""

    ROUNDOFF = 2.0**-53

    def __init__(self, value: Any, error: Any = None):
        self.value = np.asarray(value, dtype=float)
        self.error = np.abs(self.value) if error is None else error + np.zeros_like(self.value)

    @staticmethod
    def _pair(x: Any) -> tuple[Any, Any]:
        return (x.value, x.error) if isinstance(x, Rounded) else (x, 0.0)

    def __getitem__(self, key: Any) -> Rounded:
        return Rounded(self.value[key], self.error[key])

    def __add__(self, other: Any) -> Rounded:
        value, error = self._pair(other)
        return Rounded(self.value + value, self.error + error + np.abs(self.value + value))

    def __sub__(self, other: Any) -> Rounded:
        value, error = self._pair(other)
        return self + Rounded(-value, error)

    def __mul__(self, other: Any) -> Rounded:
        (a, e), (b, f) = (self.value, self.error), self._pair(other)
        return Rounded(a * b, e * np.abs(b) + np.abs(a) * f + np.abs(a * b))

    def __truediv__(self, other: Any) -> Rounded:
        (a, e), (b, f) = (self.value, self.error), self._pair(other)
        return Rounded(a / b, (e + np.abs(a / b) * f) / np.abs(b) + np.abs(a / b))

    def sum(self, axis: int | None = None) -> Rounded:
        """Return the sum, which NumPy computes by halves: fewer than 50 roundings reach each term."""
        depth = min(50, self.value.size if axis is None else self.value.shape[axis])
        error = self.error.sum(axis=axis) + depth * np.abs(self.value).sum(axis=axis)
        return Rounded(self.value.sum(axis=axis), error)

    def map(self, f: Any, slope: Any) -> Rounded:
        """Return f of each element; ``slope`` is the derivative."""
        return Rounded(f(self.value), self.error * np.abs(slope(self.value)) + 2 * np.abs(f(self.value)))

    def estimate(self) -> tuple[float, float]:
        """Return the value and the bound on its error, of a single number."""
        return float(self.value), float(self.error) * self.ROUNDOFF


class FloatRoute:
    """Route (a): float64 in NumPy, from the stated numbers rounded to the nearest float64."""

    def __init__(self, stated: StatedProblem, alpha: Sequence[Fraction]):
        self.stated = stated
        X = Rounded([[float(x) for x in row] for row in stated.X])
        self.columns = [X[:, j] for j in range(len(stated.degrees))]
        for j, x in enumerate(self.columns):
            if stated.rescaled[j]:
                low, high = x[x.value.argmin()], x[x.value.argmax()]
                self.columns[j] = (x - low) * 2.0 / (high - low) - 1.0
        s = np.array([float(a) for a in alpha]) * np.array(stated.y)
        self.used = np.flatnonzero(s)
        self.s = Rounded(s[self.used])
        self.at = [x[self.used] for x in self.columns]

    def compute(
        self, modes: Sequence[MultiIndex], sets: Sequence[MultiIndex] | None, sizes: set[int]
    ) -> RouteValues:
        """Return c_k of the modes, and the indices by modes, or by sets of columns of the given sizes."""
        stated, found = self.stated, RouteValues()
        with np.errstate(all="ignore"):
            if modes:
                c = (
                    self.power_coefficients(modes)
                    if not stated.own
                    else self.sums(self.s, self.values, modes)
                )
                found.coefficients = {k: c[i].estimate() for i, k in enumerate(modes)}
            if sets is None:
                squares = c * c
                counted = squares if stated.own else squares[np.array(modes).any(axis=1)]
                found.indices = self.indices(squares, modes, counted.sum(), sizes, True)
            elif sets:
                u, v = np.triu_indices(len(self.used))
                w = self.s[u] * self.s[v] * np.where(u == v, 1.0, 2.0)
                pairs = [self.christoffel(p, u, v) if stated.own else self.gaussian(j, u, v)
                         for j, p in enumerate(self.values)]  # fmt: skip
                norm = (w * self.all_sets(pairs)).sum()
                if not stated.own:
                    norm = norm - (w * reduce(mul, (M for M, _ in pairs))).sum()
                stacks = [Rounded([M.value, B.value], np.array([M.error, B.error])) for M, B in pairs]
                found.indices = self.indices(self.sums(w, stacks, sets), sets, norm, sizes, False)
        return found

    @staticmethod
    def sums(w: Rounded, values: Sequence[Rounded], modes: Sequence[MultiIndex]) -> Rounded:
        """Return sum_i w_i prod_j values[j][k_j, i] for each mode k."""
        parts, step = [], max(1, 10**6 // len(w.value))
        for K in (np.array(modes[start : start + step]) for start in range(0, len(modes), step)):
            terms = reduce(mul, (x[K[:, j]] for j, x in enumerate(values)), w)
            parts.append(terms.sum(axis=1))
        return Rounded(*(np.concatenate([getattr(x, name) for x in parts]) for name in ("value", "error")))

    def all_sets(self, pairs: Sequence[tuple[Rounded, Rounded]]) -> Rounded:
        """Return the sum over all sets of columns up to the order of the kernel."""
        if self.stated.order == len(pairs):
            return reduce(mul, (M + B for M, B in pairs))
        e = [Rounded(1.0, 0.0)] + [Rounded(0.0)] * self.stated.order
        for M, B in pairs:
            e = [x * M + e[q - 1] * B if q else x * M for q, x in enumerate(e)]
        return reduce(lambda x, y: x + y, e)

    def indices(self, squares: Rounded, modes: Sequence[MultiIndex], norm: Rounded, sizes: set[int],
                degrees: bool) -> dict[tuple[str, MultiIndex], tuple[float, float]]:  # fmt: skip
        """Return the share of the modes that belong to each index."""
        K, d, found = np.array(modes), len(self.stated.degrees), {}
        active, N = K > 0, K.sum(axis=1)
        q = active.sum(axis=1)
        counted = np.full(len(K), True) if self.stated.own else q > 0

        def put(family: str, key: MultiIndex, members: Any, weight: Any = 1.0) -> None:
            found[family, key] = ((squares * (members & counted) * weight).sum() / norm).estimate()

        for order in sizes:
            put("order", (order,), q == order)
        for i in range(d * (1 in sizes)):
            put("marginal", (i + 1,), (q == 1) & active[:, i])
        for i, j in combinations(range(d * (2 in sizes)), 2):
            put("pair", (i + 1, j + 1), (q == 2) & active[:, i] & active[:, j])
        for i in range(d * (len(sizes) > d)):
            put("total", (i + 1,), active[:, i])
            put("shapley", (i + 1,), active[:, i], 1.0 / np.maximum(q, 1))
        for parity, name in enumerate(("even", "odd") * degrees):
            put(name, (), parity == N % 2)
        for degree in range((self.stated.total + 1) * degrees):
            put("degree", (degree,), degree == N)
        return found

    def recurrence(self, j: int, n: int) -> tuple[Any, Any, float, float]:
        """Return a_k and b_k of b_{k+1} p_{k+1} = (x - a_k) p_k - b_k p_{k-1}, with b_0 p_0 = 1.

        The errors of b_0 and of the others, in units of the roundoff, follow.
        """
        measure, x = self.stated.measures[j], self.columns[j].value
        given = {name: read_number(measure[name]) for name in SCALAR_FIELDS if name in measure}
        family, k, mass, spread = measure["family"], np.arange(1.0, n + 1), 1.0, 1.0
        if family == "uniform":
            low, high = (float(given[end]) for end in ("lower", "upper")) if given else (x.min(), x.max())
            a, b = np.full(n + 1, (low + high) / 2), (high - low) / 2 * k / np.sqrt(4 * k * k - 1)
            spread += (abs(low) + abs(high)) / (high - low) if low < high else 0.0
            family = family if low < high else "empirical"
        if family == "normal":
            a, b = np.full(n + 1, float(given.get("mean", 0))), float(given.get("sd", 1)) * np.sqrt(k)
        elif family == "hermite":
            a, b, mass = np.zeros(n + 1), np.sqrt(k), math.sqrt(2 * math.pi)
        elif family == "laguerre":
            p = given["alpha"]
            a = np.array([float(2 * i + p + 1) for i in range(n + 1)])
            b, mass = np.sqrt([float(i * (i + p)) for i in range(1, n + 1)]), math.gamma(p + 1)
        elif family == "jacobi":
            p, q = given["alpha"], given["beta"]
            t = p + q
            a = np.array([float((q * q - p * p) / ((2 * i + t) * (2 * i + t + 2)) if i else (q - p) / (t + 2))
                          for i in range(n + 1)])  # fmt: skip
            squares = [
                4 * i * (i + p) * (i + q) * (i + t) / ((2 * i + t) ** 2 * ((2 * i + t) ** 2 - 1))
                if i > 1 else 4 * (1 + p) * (1 + q) / ((t + 2) ** 2 * (t + 3)) for i in range(1, n + 1)
            ]  # fmt: skip
            b = np.sqrt([float(square) for square in squares])
            logs = [float(t + 1) * math.log(2), math.lgamma(p + 1), math.lgamma(q + 1), -math.lgamma(t + 2)]
            mass, spread = math.exp(sum(logs)), 1 + sum(map(abs, logs))
        elif family in ("discrete", "empirical"):
            t, w = self.nodes(j)
            centre, width = (t.max() + t.min()) / 2, (t.max() - t.min()) / 2 or 1.0
            V = np.sqrt(w)[:, None] * np.polynomial.chebyshev.chebvander(
                (t - centre) / width, min(n, len(t) - 1)
            )
            Q, R = np.linalg.qr(V)
            J, mass = (Q.T * (t - centre)) @ Q, w.sum()
            a, b = np.diag(J) + centre, np.abs(np.diag(J, 1))
            spread = 2 * len(a) * float(np.linalg.norm(np.abs(V) @ np.abs(np.linalg.pinv(R))))
            spread *= 2 + abs(centre) / width
        return a, np.array([math.sqrt(mass) if self.stated.own else 1.0, *b]), 4 * spread, 2 * spread

    def nodes(self, j: int) -> tuple[Any, Any]:
        """Return the nodes and weights of a discrete measure, or those of the values of the column."""
        measure = self.stated.measures[j]
        if "nodes" not in measure:
            t, counts = np.unique(self.columns[j].value, return_counts=True)
            return t, counts / counts.sum()
        t = np.array([float(read_number(x)) for x in measure["nodes"]])
        w = [float(read_number(x)) for x in measure.get("weights", [])] or np.full(len(t), 1 / len(t))
        return t, np.array(w) if self.stated.own else np.array(w) / np.sum(w)

    @cached_property
    def values(self) -> list[Any]:
        """p_0 ... p_n of each column at the support vectors; None for a kernel without them."""
        return [
            self.polynomials(j, n) if self.stated.own else None for j, n in enumerate(self.stated.degrees)
        ]

    def polynomials(self, j: int, n: int) -> Rounded:
        (a, b, first, spread), x, dx = self.recurrence(j, n), self.at[j].value, self.at[j].error
        p = [np.full(len(x), 1 / b[0])]
        for k in range(n):
            p.append(((x - a[k]) * p[k] - (b[k] * p[k - 1] if k else 0.0)) / b[k + 1])
        reach, residuals = spread * b[1:].max(initial=0.0), [first * np.ones(len(x))]
        for k in range(n):
            terms = (dx + np.abs(x) + np.abs(a[k]) + reach) * np.abs(p[k]) + reach * np.abs(p[k + 1])
            residuals.append(3 * (terms + (reach * np.abs(p[k - 1]) if k else 0.0)))
        errors = np.zeros((n + 1, len(x)))
        for start, residual in enumerate(residuals):  # what each rounding becomes in the steps that follow
            before, e = 0.0, residual / b[start]
            for k in range(start, n + 1):
                errors[k] += np.abs(e)
                if k < n:
                    before, e = e, ((x - a[k]) * e - b[k] * before) / b[k + 1]
        return Rounded(p, errors)

    @staticmethod
    def christoffel(p: Rounded, u: Any, v: Any) -> tuple[Rounded, Rounded]:
        """Return p_0^2 and sum_{k>0} p_k(x_u) p_k(x_v) for pairs of points."""
        terms = p[:, u] * p[:, v]
        return terms[0], terms[1:].sum(axis=0)

    def power_coefficients(self, modes: Sequence[MultiIndex]) -> Rounded:
        """Return c_k of a polynomial kernel: h in monomials, then integrals of t^a p_k column by column."""
        stated, K, p = self.stated, np.array(modes), self.stated.total
        stacks = []
        for x in self.at:
            rows = [Rounded(np.ones(len(x.value)), 0.0)]
            for _ in range(p):
                rows.append(rows[-1] * x)
            stacks.append(Rounded([r.value for r in rows], np.array([r.error for r in rows])))
        factors = [float(math.factorial(p) * stated.gamma ** sum(a) * stated.coef0 ** (p - sum(a))
                         / math.prod(map(math.factorial, (*a, p - sum(a))))) for a in modes]  # fmt: skip
        table = self.sums(self.s, stacks, modes) * Rounded(factors)
        place = {k: i for i, k in enumerate(modes)}
        for j in range(len(self.at)):
            L = self.moments(j, p)
            new = table * L[K[:, j], K[:, j]]
            for step in range(1, p + 1):
                found = [(i, place.get((*k[:j], k[j] + step, *k[j + 1 :]))) for i, k in enumerate(modes)]
                to = np.array([i for i, source in found if source is not None], dtype=int)
                source = np.array([i for _, i in found if i is not None], dtype=int)
                moved = new[to] + table[source] * L[K[source, j], K[to, j]]
                new.value[to], new.error[to] = moved.value, moved.error
            table = new
        return table

    def moments(self, j: int, p: int) -> Rounded:
        """Return the integral of t^a p_k in row a and column k: the first row of the a-th power of J."""
        a, b, _, spread = self.recurrence(j, p)
        J = Rounded(np.diag(a) + np.diag(b[1:], 1) + np.diag(b[1:], -1))
        J.error = spread * (3 * J.error + 2 * np.eye(len(a)) * b[1:].max(initial=0.0))
        rows = [Rounded(np.eye(len(a))[0], 0.0)]
        for _ in range(p):
            rows.append((J * rows[-1]).sum(axis=1))
        fill = ((0, 0), (0, p + 1 - len(a)))  # a measure with few nodes has few polynomials
        return Rounded(*(np.pad([getattr(r, name) for r in rows], fill) for name in ("value", "error")))

    def gaussian(self, j: int, u: Any, v: Any) -> tuple[Rounded, Rounded]:
        """Return M and A - M for pairs of points: the integrals of the Gaussian kernel of one column."""
        measure, g, x = self.stated.measures[j], Rounded(float(self.stated.gamma)), self.at[j]
        given = {name: float(read_number(measure[name])) for name in SCALAR_FIELDS if name in measure}
        low, high = self.columns[j].value.min(), self.columns[j].value.max()
        low, high = given.get("lower", low), given.get("upper", high)
        if measure["family"] in ("discrete", "empirical") or low == high:
            t, w = map(Rounded, self.nodes(j))
            gap = x[:, None] - t[None, :]
            k = (gap * gap * g * -1.0).map(np.exp, np.exp)
            mean, weighted = (k * w).sum(axis=1), k * w
            A = Rounded(weighted.value @ k.value.T, weighted.error @ k.value.T + weighted.value @ k.error.T
                        + (len(t.value) + 1) * (weighted.value @ k.value.T))[u, v]  # fmt: skip
        else:
            gap, centre = x[u] - x[v], (x[u] + x[v]) / 2.0
            front = (gap * gap * g * -0.5).map(np.exp, np.exp)
            mean, A = (self.gaussian_mean(rate, c, measure["family"], given, low, high)
                       for rate, c in ((g, x), (g * 2.0, centre)))  # fmt: skip
            A = A * front
        M = mean[u] * mean[v]
        return M, A - M

    @staticmethod
    def gaussian_mean(rate: Rounded, x: Rounded, family: str, given: Any, low: float, high: float) -> Rounded:
        """Return the integral of exp(-rate (x - t)^2) over t."""
        if family == "normal":
            gap, sd = x - Rounded(given.get("mean", 0.0)), Rounded(given.get("sd", 1.0))
            u = rate * sd * sd * 2.0 + 1.0
            return (gap * gap * rate / u * -1.0).map(np.exp, np.exp) / u.map(
                np.sqrt, lambda z: 0.5 / np.sqrt(z)
            )
        root, erf = rate.map(np.sqrt, lambda z: 0.5 / np.sqrt(z)), np.vectorize(math.erf)
        ends = [((x - Rounded(end)) * root).map(erf, lambda z: 1.13 * np.exp(-z * z)) for end in (low, high)]
        return (ends[0] - ends[1]) * (math.sqrt(math.pi) / 2) / (root * (Rounded(high) - Rounded(low)))
