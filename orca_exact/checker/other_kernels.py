"""Gram matrices of the linear, polynomial and RBF kernels, in integers; lambda is 1.

The values of the RBF kernel are irrational, and enclosed by a series of our own for the exponential function.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import count
from math import factorial, isqrt
from operator import mul, sub
from typing import Any

from . import limits
from .kernels import Matrix, gram
from .limits import Products, common_multiple, require_at_most

X_DENOMINATORS = "the denominators of X are"


@dataclass
class PowerGram(Matrix):
    """The matrix of (gamma x.z + coef0)^degree.

    With x_i = Z_i / q_i for integers Z_i and q_i, gamma = g / h and coef0 = s / t it is
    ((g t Z_i.Z_j + s h q_i q_j) / (h t q_i q_j))^degree: c = (h t)^degree and D_i = q_i^degree.
    """

    Z: list[list[int]]
    q: list[int]
    degree: int
    gamma: Fraction
    coef0: Fraction
    top: int
    products: Products
    progress: Callable[[str], object] = field(default=str)
    rows: dict[int, list[int]] = field(default_factory=dict)

    @cached_property
    def D(self) -> list[int]:  # type: ignore[override]
        """The numbers q_i^degree."""
        return [q**self.degree for q in self.q]

    @cached_property
    def c(self) -> int:
        return int((self.gamma.denominator * self.coef0.denominator) ** self.degree)

    @cached_property
    def factors(self) -> tuple[int, int]:
        """The numbers g t and s h."""
        (g, h), (s, t) = self.gamma.as_integer_ratio(), self.coef0.as_integer_ratio()
        return g * t, s * h

    @cached_property
    def lengths(self) -> tuple[int, int]:
        """The largest number of bits of a Z_il, and of a number whose power is an N_ij."""
        long, q = max(z.bit_length() for Z in self.Z for z in Z), max(self.q).bit_length()
        linear, constant = (x.bit_length() for x in self.factors)
        return long, 1 + max(linear + 2 * long + len(self.Z[0]).bit_length(), constant + 2 * q)

    @property
    def bits(self) -> int:
        return self.degree * self.lengths[1]

    def limit_entries(self, count: int) -> None:
        long, base = self.lengths
        self.products.add(count * len(self.Z[0]), long, long, "the Gram matrix is")
        self.products.add(count * 2, base, base, "the Gram matrix is")
        self.products.add(count * 2, self.bits, self.bits, "the Gram matrix is")

    def entry(self, i: int, j: int) -> int:
        linear, constant = self.factors
        product = sum(map(mul, self.Z[i], self.Z[j]))
        return int((linear * product + constant * self.q[i] * self.q[j]) ** self.degree)


def numerators(values: Iterable[Fraction], q: int, products: Products) -> list[int]:
    """Return q x for each value x, where q is a multiple of the denominators; refuse those too long."""
    values = list(values)
    long = max(x.numerator.bit_length() + x.denominator.bit_length() for x in values)
    products.add(len(values), q.bit_length(), long, X_DENOMINATORS)
    return [x.numerator * (q // x.denominator) for x in values]


def limit_points(X: list[list[Fraction]], bits: int) -> None:
    """Refuse points with coordinates of so many bits over a common denominator."""
    whole = max(abs(t) for x in X for t in x).__ceil__().bit_length()
    require_at_most(len(X) * len(X[0]) * (bits + whole), limits.MEMORY, "X, or its common denominators, are")


def power_gram(
    X: list[list[Fraction]],
    degree: int,
    gamma: Fraction,
    coef0: Fraction,
    progress: Callable[[str], object] = str,
) -> PowerGram:
    """Return the matrix of (gamma x.z + coef0)^degree."""
    parameters = gamma.denominator.bit_length() + coef0.denominator.bit_length()
    require_at_most(degree * parameters, limits.COMMON, "degree, gamma or coef0 is")
    q = [common_multiple((t.denominator for t in x), X_DENOMINATORS) for x in X]
    top = common_multiple(q, X_DENOMINATORS)
    require_at_most(2 * degree * top.bit_length(), limits.COMMON, X_DENOMINATORS)
    long, products = max(q).bit_length(), Products()
    limit_points(X, degree * long)
    products.add(len(X), degree * top.bit_length(), degree * long, X_DENOMINATORS)
    Z = [numerators(x, qi, products) for x, qi in zip(X, q, strict=True)]
    return PowerGram(Z, q, degree, gamma, coef0, top**degree, products, progress)


class Exponential:
    """Integers near 2^bits e^(-t).

    A unit is 2^-K with K = ``fraction``. For r = t / 2^h < 2^-g, e^(-r) is 1 - r (1 - r/2 (1 - r/3 (...))),
    with so many ``terms`` that the rest of the series is less than one unit. Each step multiplies the error
    so far by less than 2^-g and adds less than 2 units. With the rest, and one unit for rounding r, the error
    is less than 5 units. Each of h squarings doubles it and adds less than 2 units: at the end it is less
    than 7 2^h units, and h is at most ``halvings``.
    """

    def __init__(self, bits: int, d: int) -> None:
        """Choose the precision for exponents t with an error of d units of 2^-K."""
        self.bits, self.g = bits, max(8, isqrt(bits))
        self.halvings = self.g + bits.bit_length()  # t < bits, or the result is 0
        self.extra = self.halvings + 5 + d.bit_length()  # 2^extra >= 2 (d + 2^(halvings + 3))
        self.fraction = bits + self.extra
        self.terms = next(j for j in count(1) if j * self.g + factorial(j).bit_length() > self.fraction)

    def __call__(self, T: int) -> int:
        """Return an integer that differs from 2^bits e^(-t) by at most 1, if T <= 2^K t < T + d.

        It is exactly 2^bits if T is 0.
        """
        K = self.fraction
        if self.bits << K <= T:  # e^(-t) <= e^(-bits) < 2^-bits
            return 0
        h = max(0, T.bit_length() - K + self.g)
        r = T >> h
        y = one = 1 << K
        for j in range(self.terms, 0, -1):
            y = one - (r * y >> K) // j
        for _ in range(h):
            y = y * y >> K
        return (y + (1 << (self.extra - 1))) >> self.extra


@dataclass
class Gaussian(Matrix):
    """The matrix of exp(-gamma |x - z|^2), with N_ij / 2^precision within 2^-precision of R_ij.

    The columns with a common denominator q are in one part (Z, p, r), where Z_i are the numerators of x_i
    and p / r = 2^K gamma / q^2: their contribution to 2^K gamma |x - z|^2 is p |Z_i - Z_j|^2 / r.
    """

    parts: list[tuple[list[list[int]], int, int]]
    places: list[int]
    exp: Exponential
    products: Products
    progress: Callable[[str], object] = field(default=str)
    rows: dict[int, list[int]] = field(default_factory=dict)
    top = 1

    @cached_property
    def D(self) -> list[int]:  # type: ignore[override]
        """1 for each point."""
        return [1] * len(self.places)

    @cached_property
    def c(self) -> int:
        return int(2**self.exp.bits)

    @property
    def bits(self) -> int:
        return self.exp.bits + 1

    @cached_property
    def error(self) -> Fraction:  # type: ignore[override]
        """A bound of the differences between N_ij / c and R_ij."""
        return Fraction(1, self.c)

    def limit_entries(self, count: int) -> None:
        for Z, p, r in self.parts:
            long = 1 + max(z.bit_length() for row in Z for z in row)
            square = 2 * long + len(Z[0]).bit_length()
            self.products.add(count * len(Z[0]), long, long, "the Gram matrix is")
            self.products.add(count, square, p.bit_length(), "the Gram matrix is")
            self.products.add(count, square + p.bit_length(), r.bit_length(), "the Gram matrix is")
        steps, K = self.exp.terms + self.exp.halvings, self.exp.fraction
        self.products.add(count * steps, K, K, "the Gram matrix is")

    def entry(self, i: int, j: int) -> int:
        T = 0
        for Z, p, r in self.parts:
            step = list(map(sub, Z[i], Z[j]))
            T += p * sum(map(mul, step, step)) // r
        return self.exp(T)


def gaussian(
    X: list[list[Fraction]], gamma: Fraction, precision: int, progress: Callable[[str], object] = str
) -> Gaussian:
    """Return the matrix of exp(-gamma |x - z|^2) with an error of 2^-precision."""
    each_q = [
        common_multiple((t.denominator for t in column), X_DENOMINATORS) for column in zip(*X, strict=True)
    ]
    limit_points(X, max(each_q).bit_length())
    columns: dict[int, list[list[int]]] = {}
    products = Products()
    for q, column in zip(each_q, zip(*X, strict=True), strict=True):
        columns.setdefault(q, []).append(numerators(column, q, products))
    exp = Exponential(precision, len(columns))
    g, h = gamma.as_integer_ratio()
    parts = [
        ([list(z) for z in zip(*part, strict=True)], g << exp.fraction, h * q**2)
        for q, part in columns.items()
    ]
    known: dict[tuple[Fraction, ...], int] = {}
    places = [known.setdefault(tuple(x), len(known)) for x in X]
    return Gaussian(parts, places, exp, products, progress)


def gram_of_problem(problem: dict[str, Any], bits: int, progress: Callable[[str], object] = str) -> Matrix:
    """Return the Gram matrix of a problem; ``bits`` is the precision of irrational values."""
    X, kernel = problem["X"], problem["kernel"]
    if kernel["family"] == "rbf":
        return gaussian(X, kernel["gamma"], bits, progress)
    if kernel["family"] == "orthogonal":
        return gram(X, problem["measures"], problem["order"], progress)
    return power_gram(X, kernel["degree"], kernel["gamma"], kernel["coef0"], progress)
