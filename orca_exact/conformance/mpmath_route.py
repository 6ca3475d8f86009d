"""Route (b): the c_k and the OKC indices in mpmath, written from the formulas of the paper.

Jacobi polynomials are mpmath's, by the hypergeometric function, and h_k is a quotient of Gamma functions;
Hermite and Laguerre polynomials are their explicit series, those of a discrete measure come from the
Gram-Schmidt process on its nodes, and integrals of RBF and polynomial kernels are in closed form. c_k is the
sum over the points, and an index is the sum of c_k^2 over its modes, divided by that over all.

For the RBF kernel, and if there are too many modes, the indices are sums over sets S of columns of the
variance of the part that depends on exactly S: sum_uv s_u s_v prod_{j in S} (A_j - M_j) prod_{j not in S} M_j
with the integrals A_j of k(x_u, t) k(x_v, t) and M_j of k(x_u, t) k(x_v, t') over column j of t and t'.

An error is bounded, to first order, by the roundoff times the sum of the absolute values of the terms.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import combinations, product
from operator import mul
from typing import Any

import mpmath
import numpy as np

from .stated import SCALAR_FIELDS, MultiIndex, RouteValues, StatedProblem, read_number

TINY = 2.0**-1000  # added to error bounds, which are float64, so that none underflows to 0


@dataclass(frozen=True)
class OptimalityCheck:
    """The largest violation of the KKT conditions by alpha, at one of the points that were checked."""

    violation: float  # the distance from 1 of y_i g(x_i) at point i, as far as alpha_i could make up for it
    point: int  # counted from 1
    balance: float  # |sum_i alpha_i y_i|, divided by the largest alpha_i
    rounding: float  # bound on the errors of both
    largest_alpha: float


class MpmathRoute:
    """Route (b): mpmath from the formulas of the paper, with so many digits and some more."""

    def __init__(self, stated: StatedProblem, alpha: Sequence[Fraction], radii: Sequence[float], digits: int):
        self.stated, self.alpha, self.context = stated, alpha, mpmath.MPContext()
        columns = zip(zip(*stated.X, strict=True), stated.rescaled, strict=True)
        self.columns = [self.rescale(x) if rescaled else list(x) for x, rescaled in columns]
        cancelled = {"rbf": 4 * stated.order * self.flatness(), "polynomial": 20 * stated.total}  # digits
        self.context.dps = digits + 20 + int(cancelled.get(stated.family, 0))
        self.known: dict[tuple[int, Fraction], list[Any]] = {}
        self.used = [i for i, a in enumerate(alpha) if a]
        self.s = self.array([alpha[i] * stated.y[i] for i in self.used])
        stated_to = max((radii[i] / float(alpha[i]) for i in self.used), default=0.0)
        self.roundoff = max(2.0**-self.context.prec, stated_to, TINY)

    @staticmethod
    def rescale(x: Sequence[Fraction]) -> list[Fraction]:
        """Map the least and the largest value to -1 and 1."""
        low, high = min(x), max(x)
        return [2 * (value - low) / (high - low) - 1 for value in x]

    def flatness(self) -> float:
        """Return -log10 of how much gamma |x - z|^2 varies at most: digits that A - M loses."""
        width = max((max(x) - min(x)) ** 2 for x in self.columns) * self.stated.gamma or Fraction(1)
        return max(0.0, math.log10(width.denominator) - math.log10(width.numerator))

    def number(self, q: Fraction | int) -> Any:
        return self.context.mpf(q.numerator) / q.denominator

    def array(self, values: Sequence[Fraction]) -> Any:
        return np.array([self.number(q) for q in values], dtype=object)

    def map(self, f: Any, values: Any) -> Any:
        return np.frompyfunc(f, 1, 1)(values)

    def compute(
        self, modes: Sequence[MultiIndex], sets: Sequence[MultiIndex] | None, sizes: set[int]
    ) -> RouteValues:
        """Return c_k of the modes, and the indices by modes, or by sets of columns of the given sizes."""
        stated, found = self.stated, RouteValues()
        values = [self.polynomials(j, self.used) for j in range(len(self.columns))] if stated.own else []
        if modes:
            c, g = self.sum_modes(self.s, values, modes) if stated.own else self.integrate_monomials(modes)
            noise = 8 * (len(self.used) + 3 * len(values) + 4 * stated.total + 20) * self.roundoff
            found.coefficients = {k: (c[k], noise * g[k] + TINY) for k in modes}
        if sets is None:
            squares = {
                k: (x * x, e * (2 * float(abs(x)) + e) + TINY) for k, (x, e) in found.coefficients.items()
            }
            counted = [x for k, x in squares.items() if stated.own or any(k)]
            norm = sum(x for x, _ in counted), sum(e for _, e in counted)
            found.indices = self.indices(squares, norm, sizes, True)
        elif sets:
            pairs = [(u, v) for u in range(len(self.used)) for v in range(u + 1)]
            u, v = (np.array(part) for part in zip(*pairs, strict=True))
            w = self.s[u] * self.s[v] * np.where(u == v, 1, 2)
            columns = [self.product_integrals(j, u, v, values) for j in range(len(self.columns))]
            x, g = self.sum_modes(w, [np.array([M, B]) for M, B, _ in columns], sets,
                                  [np.array([M, size], dtype=float) for M, _, size in columns])  # fmt: skip
            norm, size = self.sum_all_sets(w, columns)
            constant = (0,) * len(columns)
            if not stated.own:
                norm, size = norm - x[constant], size + g[constant]
            noise = 8 * (len(pairs) + 8 * len(columns) + 20 + stated.total) * self.roundoff
            squares = {k: (x[k], noise * g[k] + TINY) for k in sets}
            found.indices = self.indices(squares, (norm, noise * size), sizes, False)
        return found

    def sum_modes(self, w: Any, values: Sequence[Any], modes: Sequence[MultiIndex], sizes: Any = None) -> Any:
        """Return sum_i w_i prod_j values[j][k_j][i] by mode k, and the same sums of absolute values."""
        sizes = sizes or [np.abs(x).astype(float) + 1 for x in values]
        tables = (w, values), (np.abs(w).astype(float), sizes)
        return tuple(self.products(weights, table, modes) for weights, table in tables)

    @staticmethod
    def products(w: Any, values: Sequence[Any], modes: Sequence[MultiIndex]) -> dict[MultiIndex, Any]:
        """Return the sums for each mode; modes that begin alike share their first factors."""
        found: dict[MultiIndex, Any] = {}
        stack: list[Any] = [w]
        last: MultiIndex = ()
        tails = [1]  # the product of the factors of the columns from j on that are not active
        for x in reversed(values):
            tails.append(x[0] * tails[-1])
        for k in sorted(modes):
            end = max((j + 1 for j, degree in enumerate(k) if degree), default=0)
            shared = min(end, len(last))
            same = next((j for j in range(shared) if k[j] != last[j]), shared)
            del stack[same + 1 :]
            for j in range(same, end):
                stack.append(stack[-1] * values[j][k[j]])
            found[k], last = (stack[-1] * tails[len(values) - end]).sum(), k[:end]
        return found

    def sum_all_sets(self, w: Any, columns: Sequence[Any]) -> tuple[Any, Any]:
        """Return sum_i w_i e_i for the sum e of all sets of columns up to the order, and its size."""
        e = self.elementary([(M, B) for M, B, _ in columns])
        sizes = self.elementary([(np.array(M, dtype=float), size) for M, _, size in columns])
        return (w * e).sum(), (np.abs(w).astype(float) * sizes).sum()

    def elementary(self, columns: Sequence[tuple[Any, Any]]) -> Any:
        """Return the sum of prod_{j in S} B_j prod_{j not in S} M_j over all sets S up to the order."""
        if self.stated.order == len(columns):
            return reduce(mul, (M + B for M, B in columns))
        e = [1] + [0] * self.stated.order
        for M, B in columns:
            e = [x * M + (e[q - 1] * B if q else 0) for q, x in enumerate(e)]
        return sum(e)

    def indices(self, squares: Any, norm: Any, sizes: set[int], degrees: bool) -> Any:
        """Return every index as it is defined: the sum over its modes, divided by the sum over all."""
        d = len(self.columns)
        sums: dict[tuple[str, MultiIndex], list[Any]] = defaultdict(lambda: [self.number(0), 0.0])
        keys: list[tuple[str, MultiIndex]] = [("order", (q,)) for q in sizes]
        keys += [("marginal", (i,)) for i in range(1, d + 1) if 1 in sizes]
        keys += [("pair", S) for S in combinations(range(1, d + 1), 2) if 2 in sizes]
        if len(sizes) > d:
            keys += [(family, (i,)) for family in ("total", "shapley") for i in range(1, d + 1)]
        if degrees:
            keys += [("even", ()), ("odd", ()), *(("degree", (N,)) for N in range(self.stated.total + 1))]
        for k, (square, error) in squares.items():
            active, N = tuple(j for j, degree in enumerate(k, 1) if degree), sum(k)
            if not (active or self.stated.own):
                continue
            its = [
                ("order", (len(active),), 1),
                ("even" if N % 2 == 0 else "odd", (), 1),
                ("degree", (N,), 1),
            ]
            its += [(("", "marginal", "pair")[len(active)], active, 1)] if 0 < len(active) < 3 else []
            for i in active:
                its += [("total", (i,), 1), ("shapley", (i,), len(active))]
            for family, key, divisor in its:
                total = sums[family, key]
                total[0], total[1] = total[0] + square / divisor, total[1] + error / divisor
        found, (norm, norm_error) = {}, norm
        for key in keys:
            share = sums[key][0] / norm
            found[key] = share, float((sums[key][1] + 2 * abs(share) * norm_error) / norm)
        return found

    # The orthonormal polynomials.

    def polynomials(self, j: int, rows: Sequence[int]) -> Any:
        """Return p_0 ... p_n of a column at some points."""
        measure, n, x = self.stated.measures[j], self.stated.degrees[j], [self.columns[j][i] for i in rows]
        if measure["family"] == "discrete":
            return self.gram_schmidt(measure, n, self.array(x))
        p = {"jacobi": self.jacobi, "hermite": self.hermite, "laguerre": self.laguerre}[measure["family"]]
        norms = [self.context.sqrt(p(measure, k, None)) for k in range(n + 1)]
        for value in x:
            if (j, value) not in self.known:
                self.known[j, value] = [p(measure, k, value) / norms[k] for k in range(n + 1)]
        return np.array([self.known[j, value] for value in x], dtype=object).T

    def jacobi(self, measure: dict[str, Any], k: int, x: Fraction | None) -> Any:
        """Return P_k^(alpha, beta)(x), or h_k without x."""
        ctx = self.context
        a, b = (self.number(read_number(measure[name])) for name in ("alpha", "beta"))
        if x is not None:
            return ctx.jacobi(k, a, b, self.number(x), zeroprec=4 * ctx.prec)
        last = ctx.gamma(a + b + 2) if k == 0 else (2 * k + a + b + 1) * ctx.gamma(k + a + b + 1)
        return 2 ** (a + b + 1) * ctx.gamma(k + a + 1) * ctx.gamma(k + b + 1) / (last * ctx.factorial(k))

    def hermite(self, measure: dict[str, Any], k: int, x: Fraction | None) -> Any:
        """Return He_k(x), or h_k without x."""
        if x is None:
            return self.context.sqrt(2 * self.context.pi) * self.context.factorial(k)
        return self.number(sum(
            Fraction((-1) ** i * math.factorial(k), math.factorial(i) * math.factorial(k - 2 * i) * 2**i)
            * x ** (k - 2 * i) for i in range(k // 2 + 1)
        ))  # fmt: skip

    def laguerre(self, measure: dict[str, Any], k: int, x: Fraction | None) -> Any:
        """Return (-1)^k L_k^(alpha)(x), whose leading coefficient is positive, or h_k without x."""
        a = read_number(measure["alpha"])
        if x is None:
            return self.context.gamma(self.number(k + a + 1)) / self.context.factorial(k)
        terms = [
            (-1) ** (k + i) * _rising(a + i + 1, k - i) * x**i / (math.factorial(k - i) * math.factorial(i))
            for i in range(k + 1)
        ]
        return self.number(sum(terms, Fraction(0)))

    def nodes(self, j: int) -> dict[Fraction, Fraction]:
        """Return the weights by node of a discrete measure, or of the values of a column."""
        measure, x = self.stated.measures[j], self.columns[j]
        if measure["family"] != "discrete":
            return {value: Fraction(count, len(x)) for value, count in Counter(x).items()}
        t = [read_number(value) for value in measure["nodes"]]
        given = [read_number(value) for value in measure.get("weights", [])] or [Fraction(1, len(t))] * len(t)
        return dict(zip(t, given, strict=True))

    def gram_schmidt(self, measure: dict[str, Any], n: int, x: Any) -> Any:
        """Return p_0 ... p_n at the points x, orthonormal on the nodes of the measure."""
        known = self.nodes(self.stated.measures.index(measure))
        t, w = self.array(list(known)), self.array(list(known.values()))
        rows: list[tuple[Any, Any]] = []
        for _ in range(n + 1):
            q, y = (t * rows[-1][0], x * rows[-1][1]) if rows else (t * 0 + 1, x * 0 + 1)
            for _ in range(2):  # the second time removes what rounding left
                for other, values in rows:
                    overlap = (w * q * other).sum()
                    q, y = q - overlap * other, y - overlap * values
            norm = self.context.sqrt((w * q * q).sum())
            rows.append((q / norm, y / norm))
        return np.array([y for _, y in rows], dtype=object)

    # Integrals in closed form.

    def product_integrals(self, j: int, u: Any, v: Any, values: Sequence[Any]) -> tuple[Any, Any, Any]:
        """Return M, A - M and the size of its terms for one column of pairs of points."""
        if self.stated.own:
            terms = values[j][:, u] * values[j][:, v]
            return terms[0], terms[1:].sum(axis=0) + 0 * terms[0], np.abs(terms).astype(float).sum(axis=0)
        ctx, g, measure = self.context, self.number(self.stated.gamma), self.stated.measures[j]
        x = self.array([self.columns[j][i] for i in self.used])
        given = {name: self.number(read_number(measure[name])) for name in SCALAR_FIELDS if name in measure}
        low, high = given.get("lower", min(self.columns[j])), given.get("upper", max(self.columns[j]))
        if measure["family"] in ("discrete", "empirical") or low == high:
            weights = self.nodes(j)
            k = self.map(ctx.exp, -g * (x[:, None] - self.array(list(weights))) ** 2)
            w = self.array(list(weights.values())) / self.number(sum(weights.values()))
            mean, A = k @ w, ((k * w) @ k.T)[u, v]
        else:
            low, high = (self.number(end) if isinstance(end, Fraction) else end for end in (low, high))

            def integral(rate: Any, centre: Any) -> Any:
                if measure["family"] == "normal":
                    scale = 1 + 2 * rate * given["sd"] ** 2
                    return ctx.exp(-rate * (centre - given["mean"]) ** 2 / scale) / ctx.sqrt(scale)
                root = ctx.sqrt(rate)
                ends = ctx.erf(root * (high - centre)) - ctx.erf(root * (low - centre))
                return ctx.sqrt(ctx.pi) / (2 * root * (high - low)) * ends

            mean = self.map(lambda z: integral(g, z), x)
            A = self.map(ctx.exp, -g * (x[u] - x[v]) ** 2 / 2) * self.map(
                lambda z: integral(2 * g, z), (x[u] + x[v]) / 2
            )
        M = mean[u] * mean[v]
        return M, A - M, (A + M).astype(float)

    def moments(self, j: int) -> list[Fraction]:
        """Return the moments of the measure of a column, up to twice the degree of the kernel."""
        measure, powers = self.stated.measures[j], range(2 * self.stated.total + 1)
        given = {name: read_number(measure[name]) for name in SCALAR_FIELDS if name in measure}
        family, zero = measure["family"], Fraction(0)
        low, high = given.get("lower", min(self.columns[j])), given.get("upper", max(self.columns[j]))
        if family == "uniform" and low < high:
            return [(high ** (a + 1) - low ** (a + 1)) / ((a + 1) * (high - low)) for a in powers]
        if family in ("uniform", "discrete", "empirical"):
            weights = self.nodes(j)
            return [sum((w * t**a for t, w in weights.items()), zero) / sum(weights.values()) for a in powers]
        if family == "laguerre":
            return [_rising(given["alpha"] + 1, a) for a in powers]
        if family == "jacobi":  # (1 - t)/2 has a Beta distribution
            p, q = given["alpha"] + 1, given["beta"] + 1
            centre, scale, own = (
                Fraction(1),
                Fraction(-2),
                [_rising(p, a) / _rising(p + q, a) for a in powers],
            )
        else:  # hermite, or normal
            centre, scale = given.get("mean", zero), given.get("sd", Fraction(1))
            own = [_rising(Fraction(1, 2), a // 2) * 2 ** (a // 2) * (a % 2 == 0) for a in powers]
        shares = [[math.comb(a, i) * centre ** (a - i) * scale**i for i in range(a + 1)] for a in powers]
        return [sum(map(mul, share, own), zero) for share in shares]

    def integrals_of_powers(self, j: int) -> list[list[Any]]:
        """Return the integrals of t^a p_k: the Cholesky factor of the matrix of moments."""
        m, p = self.moments(j), self.stated.total
        L, D = [[Fraction(0)] * (p + 1) for _ in range(p + 1)], [Fraction(0)] * (p + 1)
        for k in range(p + 1):
            D[k] = m[2 * k] - sum(L[k][i] ** 2 * D[i] for i in range(k))
            for a in range(k, p + 1 if D[k] else 0):  # a measure with few nodes has few polynomials
                L[a][k] = (m[a + k] - sum(L[a][i] * L[k][i] * D[i] for i in range(k))) / D[k]
        return [
            [self.number(x) * self.context.sqrt(self.number(q)) for x, q in zip(row, D, strict=True)]
            for row in L
        ]

    def integrate_monomials(
        self, modes: Sequence[MultiIndex]
    ) -> tuple[dict[MultiIndex, Any], dict[MultiIndex, float]]:
        """Return c_k, the integral of h p_k by the monomials of h, and the size of its terms."""
        stated, p, zero = self.stated, self.stated.total, self.number(0)
        x = [self.array([column[i] for i in self.used]) for column in self.columns]
        sums, sizes = self.sum_modes(
            self.s, [np.array([column**a for a in range(p + 1)]) for column in x], modes
        )
        L, c, g = (
            [self.integrals_of_powers(j) for j in range(len(x))],
            dict.fromkeys(modes, zero),
            dict.fromkeys(modes, 0.0),
        )
        for a in modes:
            ways = math.factorial(p) // math.prod(map(math.factorial, (*a, p - sum(a))))
            factor = self.number(ways * stated.gamma ** sum(a) * stated.coef0 ** (p - sum(a)))
            for k in product(*(range(degree + 1) for degree in a)):
                term = factor * reduce(mul, (L[j][a[j]][k[j]] for j in range(len(a)) if a[j]), self.number(1))
                if term:
                    c[k] += term * sums[a]
                    g[k] += float(abs(term)) * sizes[a]
        return c, g

    # The optimality of alpha.

    def gram(self, rows: Sequence[int]) -> tuple[Any, Any]:
        """Return K between some points and the support vectors, and the size of its terms."""
        stated, shape = self.stated, (len(rows), len(self.used))
        if stated.own:
            columns, sizes = [], []
            for j in range(len(self.columns)):
                p, q = self.polynomials(j, rows), self.polynomials(j, self.used)
                columns.append(
                    (p[0, 0] * q[0, 0], p[1:].T @ q[1:] if len(p) > 1 else np.full(shape, self.number(0)))
                )
                sizes.append(
                    (float(columns[-1][0]), np.abs(p[1:]).astype(float).T @ np.abs(q[1:]).astype(float))
                )
            return self.elementary(columns), self.elementary(sizes)
        X = np.array([self.array(column) for column in self.columns]).T
        x, z = X[list(rows)], X[self.used]
        if stated.family == "rbf":
            distances = ((x[:, None, :] - z[None, :, :]) ** 2).sum(axis=2)
            found = self.map(self.context.exp, -self.number(stated.gamma) * distances)
            return found, found.astype(float)
        gamma, coef0 = self.number(stated.gamma), self.number(stated.coef0)
        sizes = np.abs(x).astype(float) @ np.abs(z).astype(float).T * float(gamma) + abs(float(coef0))
        return (x @ z.T * gamma + coef0) ** stated.total, sizes**stated.total

    def check_optimality(self, rows: Sequence[int]) -> OptimalityCheck:
        """Check at some points the KKT conditions of alpha, with the b that suits it best.

        That b makes sum_i (C_i - alpha_i) max(0, 1 - y_i g_i) + alpha_i max(0, y_i g_i - 1) the least. Over
        all points, this sum is the duality gap.
        """
        K, sizes = self.gram(rows)
        y = np.array([self.stated.y[i] for i in rows], dtype=object)
        alpha, C = (self.array([values[i] for i in rows]) for values in (self.alpha, self.stated.C))
        largest, theta = self.number(max(self.alpha)), y - K @ self.s
        slope, b = -np.where(y > 0, C - alpha, alpha).sum(), theta[0]
        for i in sorted(range(len(rows)), key=lambda i: theta[i]):
            slope, b = slope + C[i], theta[i]
            if slope >= 0:
                break
        moved = np.minimum(np.maximum(alpha + largest * y * (theta - b), 0), C)
        residuals = np.abs(moved - alpha) / largest
        noise = 8 * (len(self.used) + 50) * self.roundoff * np.abs(self.s).astype(float)
        rounding = 2 * float((sizes @ noise).max()) + 2 * float(noise.sum()) / float(largest)
        worst, balance = int(np.argmax(residuals)), float(abs(self.s.sum()) / largest)
        return OptimalityCheck(float(residuals[worst]), rows[worst] + 1, balance, rounding, float(largest))


def _rising(p: Fraction, a: int) -> Fraction:
    """Return p (p + 1) ... (p + a - 1)."""
    return math.prod((p + i for i in range(a)), start=Fraction(1))
