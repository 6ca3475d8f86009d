"""Kernels of the oracle, and the classifiers trained with them: variances from conditional expectations.

For independent columns, V(T) = Var E[h | columns T] determines everything: the partial variances V_S, with
V(T) = sum of V_S over S in T, are the definition of Sobol' indices.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product
from math import factorial, prod
from typing import Any

from .moments import BITS, DIGITS, Distribution, decompose, mp, shorten, to_fraction, to_mpf
from .quadratic import Matrix, Optimum, Vector, solve_dual

Polynomial = dict[tuple[int, ...], Fraction]
Subset = tuple[int, ...]
ZERO = Fraction(0)


def subsets(d: int) -> list[Subset]:
    """Return all sets of columns, small ones first."""
    return [S for q in range(d + 1) for S in combinations(range(d), q)]


def add(p: Polynomial, q: Polynomial, factor: Fraction) -> None:
    """Add a multiple of q to p."""
    for k, c in q.items():
        p[k] = p.get(k, ZERO) + factor * c


def multiply(p: Polynomial, q: Polynomial) -> Polynomial:
    """Return the product of two polynomials in several variables."""
    result: Polynomial = {}
    for (k, c), (j, e) in product(p.items(), q.items()):
        key = tuple(map(int.__add__, k, j))
        result[key] = result.get(key, ZERO) + c * e
    return result


class Classifier:
    """h = sum_i s_i R(x_i, .) as a function of independent columns; subclasses integrate it."""

    d: int

    def second_moment(self, T: Subset) -> Any:
        """Return E (E[h | columns T])^2."""
        raise NotImplementedError

    def expect(self, T: Subset, x: Vector) -> Any:
        """Return E[h | columns T are those of x]."""
        raise NotImplementedError

    def value(self, x: Vector) -> Any:
        """Return h(x)."""
        return self.expect(tuple(range(self.d)), x)

    @cached_property
    def parts(self) -> dict[Subset, Any]:
        """The partial variances V_S, S not empty."""
        mean2 = self.second_moment(())
        V: dict[Subset, Any] = {}
        for T in subsets(self.d)[1:]:
            V[T] = self.second_moment(T) - mean2 - sum(V[S] for S in V if set(S) < set(T))
        return V

    @cached_property
    def variance(self) -> Any:
        """Var h."""
        return sum(self.parts.values())

    def component(self, S: Subset, x: Vector) -> Any:
        """Return f_S(x) by inclusion and exclusion."""
        return sum(
            (-1) ** (len(S) - q) * self.expect(T, x) for q in range(len(S) + 1) for T in combinations(S, q)
        )

    def shapley_values(self, x: Vector, background: list[Vector] | None) -> list[Any]:
        """Return Shapley's formula for the game v(T) = E[h | columns T], or with rows of the background."""
        d = self.d
        if background is None:
            game = {T: self.expect(T, x) for T in subsets(d)}
        else:
            game = {}
            for T in subsets(d):
                mixed = [[x[col] if col in T else z[col] for col in range(d)] for z in background]
                game[T] = sum(self.value(row) for row in mixed) / len(background)
        result = []
        for j in range(d):
            total = 0
            for T in subsets(d):
                if j not in T:
                    weight = Fraction(factorial(len(T)) * factorial(d - 1 - len(T)), factorial(d))
                    total += (game[tuple(sorted((*T, j)))] - game[T]) * self.number(weight)
            result.append(total)
        return result

    def number(self, x: Fraction) -> Any:
        """Convert a fraction to the numbers of this classifier."""
        return x


class PolynomialClassifier(Classifier):
    """A classifier that is a polynomial, in exact fractions."""

    def __init__(self, h: Polynomial, measures: list[Distribution]) -> None:
        self.h, self.measures, self.d = h, measures, len(measures)
        self.top = [max((k[col] for k in h), default=0) for col in range(self.d)]

    def expect(self, T: Subset, x: Vector) -> Fraction:
        powers = [
            [x[col] ** j if col in T else measure.moment(j) for j in range(self.top[col] + 1)]
            for col, measure in enumerate(self.measures)
        ]
        return sum((c * prod(powers[col][j] for col, j in enumerate(k)) for k, c in self.h.items()), ZERO)

    def second_moment(self, T: Subset) -> Fraction:
        conditional: Polynomial = {}
        for k, c in self.h.items():
            key = tuple(j if col in T else 0 for col, j in enumerate(k))
            rest = prod(
                (self.measures[col].moment(j) for col, j in enumerate(k) if col not in T), start=Fraction(1)
            )
            conditional[key] = conditional.get(key, ZERO) + c * rest
        product_ = conditional
        for col in T:  # multiply by the matrix of moments of one column after the other
            moved: Polynomial = {}
            for k, c in product_.items():
                for j in range(self.top[col] + 1):
                    key = (*k[:col], j, *k[col + 1 :])
                    moved[key] = moved.get(key, ZERO) + c * self.measures[col].moment(k[col] + j)
            product_ = moved
        return sum((c * product_.get(k, ZERO) for k, c in conditional.items()), ZERO)

    @cached_property
    def modes(self) -> dict[tuple[int, ...], tuple[Fraction, Fraction]]:
        """By multi-index: the coefficient in the monic orthogonal polynomials, and E of their square."""
        h = self.h
        factors = [decompose(measure, top) for measure, top in zip(self.measures, self.top, strict=True)]
        for col, (L, _) in enumerate(factors):
            moved: Polynomial = {}
            for k, c in h.items():
                for j in range(k[col] + 1):
                    key = (*k[:col], j, *k[col + 1 :])
                    moved[key] = moved.get(key, ZERO) + c * L[k[col]][j]
            h = moved
        return {k: (c, prod(D[j] for (_, D), j in zip(factors, k, strict=True))) for k, c in h.items()}


class GaussianClassifier(Classifier):
    """A classifier with an RBF kernel, integrated numerically with 75 digits."""

    def __init__(self, points: Matrix, s: Vector, gamma: Fraction, measures: list[Distribution]) -> None:
        self.points, self.gamma, self.measures, self.d = points, gamma, measures, len(measures)
        self.s = [to_mpf(x) for x in s]
        self.rules = [measure.quadrature(gamma) for measure in measures]
        g = to_mpf(gamma)
        self.k: list[list[list[Any]]] = []
        self.means: list[list[Any]] = []
        self.products: list[list[list[Any]]] = []
        for col, rule in enumerate(self.rules):
            rows = [[mp.exp(-g * (to_mpf(x[col]) - t) ** 2) for t, _ in rule] for x in points]
            weighted = [[w * v for (_, w), v in zip(rule, row, strict=True)] for row in rows]
            self.k.append(weighted)
            self.means.append([mp.fsum(row) for row in weighted])
            self.products.append([[mp.fdot(row, other) for other in rows] for row in weighted])

    def number(self, x: Fraction) -> Any:
        return to_mpf(x)

    def second_moment(self, T: Subset) -> Any:
        total = mp.mpf(0)
        for i, a in enumerate(self.s):
            for j, b in enumerate(self.s):
                if a and b:
                    factors = (
                        self.products[col][i][j] if col in T else self.means[col][i] * self.means[col][j]
                        for col in range(self.d)
                    )
                    total += a * b * prod(factors)
        return total

    def expect(self, T: Subset, x: Vector) -> Any:
        g = to_mpf(self.gamma)
        total = mp.mpf(0)
        for i, a in enumerate(self.s):
            if a:
                factors = (
                    mp.exp(-g * to_mpf(self.points[i][col] - x[col]) ** 2) if col in T else self.means[col][i]
                    for col in range(self.d)
                )
                total += a * prod(factors)
        return total

    def degree_parts(self, n: int) -> list[Any]:
        """Return the variance of the total degrees 0 ... n, from integrals with orthogonal polynomials."""
        columns = []
        for col, measure in enumerate(self.measures):
            L, D = decompose(measure, n)
            rows = []
            for i in range(len(self.s)):
                power = list(self.k[col][i])
                integrals = []
                for _ in range(n + 1):
                    integrals.append(mp.fsum(power))
                    power = [p * t for p, (t, _) in zip(power, self.rules[col], strict=True)]
                coefficients: list[Any] = []  # forward substitution: t^k = sum_j L_kj pi_j
                for k in range(n + 1):
                    rest = integrals[k] - sum(to_mpf(L[k][j]) * coefficients[j] for j in range(k))
                    coefficients.append(rest)
                rows.append([c / mp.sqrt(to_mpf(D[k])) for k, c in enumerate(coefficients)])
            columns.append(rows)
        result = [mp.mpf(0)] * (n + 1)
        for k in product(range(n + 1), repeat=self.d):
            if sum(k) <= n:
                c = sum(s * prod(columns[col][i][j] for col, j in enumerate(k)) for i, s in enumerate(self.s))
                result[sum(k)] += c * c
        return result


@dataclass
class Model:
    """A problem as the oracle understands it: R, lambda, the measures of the indices, and the optimum at C.

    ``kernel`` is ("orthogonal", degrees, distributions, order), ("polynomial", degree, gamma, coef0) or
    ("rbf", gamma); a linear kernel is the polynomial one with 1, 1, 0.
    """

    points: Matrix
    y: list[int]
    kernel: tuple
    under: list[Distribution]

    @property
    def d(self) -> int:
        return len(self.points[0])

    @cached_property
    def lam(self) -> Fraction:
        """Lambda, to ``DIGITS`` digits if it is irrational."""
        if self.kernel[0] != "orthogonal":
            return Fraction(1)
        return shorten(1 / prod(measure.mass for measure in self.kernel[2]))

    @cached_property
    def lam_is_rational(self) -> bool:
        """Whether lambda is a simple fraction."""
        return self.lam.denominator <= 10**30

    @cached_property
    def sections(self) -> list[Polynomial]:
        """R(x_i, .) as a polynomial, for each point."""
        kernel, d = self.kernel, self.d
        if kernel[0] == "polynomial":
            _, degree, gamma, coef0 = kernel
            result = []
            for x in self.points:
                linear = {tuple(int(j == col) for j in range(d)): gamma * x[col] for col in range(d)}
                linear[(0,) * d] = coef0
                power: Polynomial = {(0,) * d: Fraction(1)}
                for _ in range(degree):
                    power = multiply(power, linear)
                result.append(power)
            return result
        _, degrees, measures, order = kernel
        result = []
        for x in self.points:
            columns = []
            for col in range(d):
                # the reproducing kernel of polynomials: v(x)^T (moments)^-1 v(t)
                c = solve_hankel(measures[col], degrees[col], [x[col] ** j for j in range(degrees[col] + 1)])
                c[0] -= 1
                columns.append({(0,) * col + (j,) + (0,) * (d - col - 1): v for j, v in enumerate(c)})
            total: Polynomial = {}
            for S in subsets(d):
                if len(S) <= order:
                    term: Polynomial = {(0,) * d: Fraction(1)}
                    for col in S:
                        term = multiply(term, columns[col])
                    add(total, term, Fraction(1))
            result.append(total)
        return result

    @cached_property
    def R(self) -> Matrix:
        """K/lambda at the points; rounded to ``DIGITS`` digits for RBF kernels."""
        if self.kernel[0] == "rbf":
            with mp.workdps(DIGITS):
                return [
                    [
                        Fraction(1)
                        if x == z
                        else round_to_bits(mp.exp(-to_mpf(self.kernel[1] * distance2(x, z))))
                        for z in self.points
                    ]
                    for x in self.points
                ]
        result = []
        for p in self.sections:
            result.append([evaluate(p, z) for z in self.points])
        return result

    def solve(self, C: Vector) -> Optimum:
        """Return the optimum a = lambda alpha for the bounds C_i."""
        return solve_dual(self.R, self.y, [self.lam * c for c in C])

    def classifier(self, a: Vector) -> Classifier:
        """Return h = sum a_i y_i R(x_i, .)."""
        s = [x * t for x, t in zip(a, self.y, strict=True)]
        if self.kernel[0] == "rbf":
            return GaussianClassifier(self.points, s, self.kernel[1], self.under)
        h: Polynomial = {}
        for c, p in zip(s, self.sections, strict=True):
            add(h, p, c)
        return PolynomialClassifier(h, self.under)

    def form(self, a: Vector, c: Vector) -> Fraction:
        """Return sum_ij a_i y_i c_j y_j R_ij; lambda <w(a), w(c)> for dual variables a = lambda alpha."""
        m = range(len(self.y))
        return sum((a[i] * c[j] * (self.y[i] * self.y[j]) * self.R[i][j] for i in m for j in m), ZERO)


def distance2(x: Vector, z: Vector) -> Fraction:
    """Return |x - z|^2."""
    return sum(((p - q) ** 2 for p, q in zip(x, z, strict=True)), ZERO)


def round_to_bits(x: Any) -> Fraction:
    """Return a number of at most 1 as an integer over 2^BITS."""
    return Fraction(int(mp.nint(mp.ldexp(x, BITS))), 2**BITS)


def evaluate(p: Polynomial, x: Vector) -> Fraction:
    """Return p(x)."""
    return sum(
        (c * prod((t**j for t, j in zip(x, k, strict=True)), start=Fraction(1)) for k, c in p.items()), ZERO
    )


def solve_hankel(measure: Distribution, n: int, right: Vector) -> Vector:
    """Solve (E t^(i+j)) c = right by Gaussian elimination; the matrix is positive definite."""
    rows = [[measure.moment(i + j) for j in range(n + 1)] + [right[i]] for i in range(n + 1)]
    for k in range(n + 1):
        for i in range(k + 1, n + 1):
            f = rows[i][k] / rows[k][k]
            rows[i] = [x - f * t for x, t in zip(rows[i], rows[k], strict=True)]
    c = [ZERO] * (n + 1)
    for k in reversed(range(n + 1)):
        c[k] = (rows[k][-1] - sum((rows[k][j] * c[j] for j in range(k + 1, n + 1)), ZERO)) / rows[k][k]
    return c


def as_fraction(x: Any) -> Fraction:
    """Return the exact value of a number of the oracle."""
    return x if isinstance(x, Fraction) else Fraction(x) if isinstance(x, int) else to_fraction(x)
