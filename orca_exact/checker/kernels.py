"""Gram matrices in integers; masses of measures, and orthogonal polynomials by explicit sums.

No recurrence is used, so that an error in the recurrences of the library is not repeated here.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import ceil, comb, factorial, gcd, lcm, prod
from operator import mul
from typing import Any, NamedTuple, cast

from mpmath import MPIntervalContext

from . import limits
from .limits import Products, Rejected, common_multiple, require_at_most

EXTRA = (64, 2**11, 2**12)  # additional bits of precision, one attempt after the other


class Numbers(tuple[int, ...]):
    """Nodes or weights; their hash is computed once, because each column and point asks for it."""

    @cached_property
    def _hash(self) -> int:
        return super().__hash__()

    def __hash__(self) -> int:
        return self._hash


class Measure(NamedTuple):
    """The measure of one coordinate and its degree n.

    ``numbers`` are (alpha, beta) for jacobi, () for hermite, (alpha,) for laguerre; for discrete they are
    (p, q, w, v): the nodes are p_i / q, their weights w_i / v.
    """

    family: str
    n: int
    numbers: tuple[Any, ...]


# lambda = prod 1/h_0 over the coordinates, h_0 the mass of a measure.


def pochhammer(x: Fraction, k: int) -> Fraction:
    """Return x (x+1) ... (x+k-1)."""
    return prod((x + j for j in range(k)), start=Fraction(1))


def half_integral(iv: Any, alpha: Fraction, beta: Fraction) -> Any:
    """Enclose the integral of (1-x)^alpha (1+x)^beta over [0, 1].

    The binomial series of (2-s)^beta, s = 1-x, is integrated term by term.
    """
    (a, b), (p, q) = alpha.as_integer_ratio(), beta.as_integer_ratio()
    total, term = iv.mpf(0), iv.mpf(2) ** (iv.mpf(p) / q)
    count = iv.prec + max(0, ceil(beta))
    for k in range(count):
        total += term / (a + (k + 1) * b)
        term = term * (k * q - p) / (2 * (k + 1) * q)
    # Beyond k = beta each term is at most half the one before, and the rest is below twice its first term.
    return b * (total + iv.mpf([-2, 2]) * term / (a + (count + 1) * b))


def gamma(iv: Any, f: Fraction) -> Any:
    """Enclose Gamma(f), 0 < f < 1.

    The integral of t^(f-1) e^(-t) up to T is T^f e^(-T) sum_k T^k / (f)_(k+1). Beyond k = 2 T each term is at
    most half the one before; the rest of the integral is below T^(f-1) e^(-T).
    """
    (p, q), T = f.as_integer_ratio(), iv.prec
    total, term = iv.mpf(0), iv.mpf(q) / p
    for k in range(4 * T):
        total += term
        term = term * (T * q) / (p + (k + 1) * q)
    scale = iv.mpf(T) ** (iv.mpf(p) / q) * iv.exp(-iv.mpf(T))
    return scale * (total + iv.mpf([0, 2]) * term + iv.mpf([0, 1]) / T)


def mass_in_gammas(measure: Measure) -> tuple[Fraction, Fraction, Counter[Fraction]]:
    """Return r, s and e with h_0 = r 2^s prod Gamma(f)^(e_f) over some f with 0 < f < 1."""
    family, _, numbers = measure
    if family == "discrete":
        return Fraction(sum(numbers[2]), numbers[3]), Fraction(0), Counter()
    if family == "hermite":
        return Fraction(1), Fraction(1, 2), Counter({Fraction(1, 2): 1})
    rational, two, powers = Fraction(1), Fraction(0), Counter[Fraction]()
    parts = [(parameter + 1, 1) for parameter in numbers]
    if family == "jacobi":
        two = sum(numbers, Fraction(1))
        parts.append((two + 1, -1))
    for x, e in parts:
        whole = ceil(x) - 1
        rational *= pochhammer(x - whole, whole) ** e
        powers[x - whole] += e
    del powers[Fraction(1)]
    return rational, two, powers


def enclose_mass(iv: Any, measure: Measure) -> Any:
    """Enclose h_0 by its integral or, for laguerre, by Gamma of the fractional part."""
    family, _, numbers = measure
    if family == "jacobi":
        return half_integral(iv, *numbers) + half_integral(iv, *numbers[::-1])
    if family == "hermite":
        return iv.sqrt(2 * iv.pi)
    rational, _, powers = mass_in_gammas(measure)
    return prod((gamma(iv, f) for f in powers), start=iv.mpf(rational.numerator) / rational.denominator)


def limit_lambda(kinds: Counter[Measure], bits: int) -> None:
    """Refuse a lambda whose rational part, or whose series, would be too long."""
    rational = series = 0
    for (family, _, numbers), d in kinds.items():
        discrete = family == "discrete"
        long = 10 + sum(x.denominator.bit_length() for x in numbers if not discrete)
        terms = 1 + ceil(sum(map(abs, numbers))) if not discrete else 0
        rational += d * (terms * long if terms else (sum(numbers[2]) * numbers[3]).bit_length())
        series += (bits + 2**8) * (long + 2**7)
    what = "lambda.bits, d or the measures are"
    require_at_most(rational, limits.COMMON, what)
    require_at_most(series, limits.LAMBDA, what, "bits of lambda times bits of the measures")


def lambda_bounds(measures: tuple[Measure, ...], bits: int) -> tuple[Fraction, Fraction]:
    """Return lambda = prod 1/h_0 twice if it is found to be rational, else bounds strictly below and above.

    The bounds are neighbouring numbers with ``bits`` bits. lambda is rational if no Gamma value remains and
    the exponent of 2 is an integer. For Jacobi measures alone the converse is known (Schneider 1941, or a
    multiple of pi); it is not used.
    """
    kinds = Counter(measure._replace(n=0) for measure in measures)
    limit_lambda(kinds, bits)
    exact, two, powers = Fraction(1), Fraction(0), Counter[Fraction]()
    for kind, d in kinds.items():
        rational, exponent, gammas = mass_in_gammas(kind)
        exact, two = exact / rational**d, two + d * exponent
        powers.update({f: d * e for f, e in gammas.items()})
    if two.denominator == 1 and not any(powers.values()):
        lam = exact / Fraction(2) ** int(two)
        return lam, lam
    iv = MPIntervalContext()
    for extra in EXTRA:
        iv.prec = bits + extra
        # mpmath rounds approximate powers outwards, which may miss by an ulp: widen by 2^32 ulps
        ulps = iv.ldexp(1, 32 - iv.prec)
        widened = iv.mpf([1 - ulps, 1 + ulps])
        masses = [(enclose_mass(iv, kind) * widened, d) for kind, d in kinds.items()]
        if all(h_0 > 0 for h_0, _ in masses):
            interval = cast(Any, 1 / prod(h_0**d for h_0, d in masses))
            e = iv.mag(interval.a)
            low, high = (int(iv.ldexp(end, bits - e)) for end in (interval.a, interval.b))
            if low == high and iv.mag(interval.b) == e:
                return low * Fraction(2) ** (e - bits), (low + 1) * Fraction(2) ** (e - bits)
    raise Rejected("lambda", f"the bounds are not decided at {bits} bits; use another value of lambda.bits")


# One coordinate: polynomials Q_k = sum_s T_ks (x - e)^s, e = 1 for Jacobi and else 0, with T in integers.


def jacobi(n: int, alpha: Fraction, beta: Fraction) -> Iterator[tuple[list[int], Fraction]]:
    """Yield T_k and h_0 / h_k of 2^k q^k (alpha+1)_k P_k / P_k(1), q a denominator of alpha and beta.

    P_k / P_k(1) = sum_s binom(k, s) (k+alpha+beta+1)_s / (alpha+1)_s ((x-1) / 2)^s, of squared norm
    h_0 k! (beta+1)_k / ((alpha+1)_k (2k+alpha+beta+1) (alpha+beta+2)_(k-1)); for k = 0 it is h_0.
    """
    q = lcm(alpha.denominator, beta.denominator)
    a, b, s = (int(q * x) for x in (alpha + 1, beta + 1, alpha + beta + 1))
    A, B, S = 1, 1, 1
    yield [1], Fraction(1)
    for k in range(1, n + 1):
        A, B = A * (a + (k - 1) * q), B * (b + (k - 1) * q)
        row = [2**k * A]
        for i in range(k):
            row.append(row[-1] * (k - i) * (s + (k + i) * q) // (2 * (i + 1) * (a + i * q)))
        yield row, Fraction((s + 2 * k * q) * S, A * B * factorial(k) * (4 * q) ** k)
        S *= s + k * q


def hermite(n: int) -> Iterator[tuple[list[int], Fraction]]:
    """Yield T_k and h_0 / h_k = 1 / k! of He_k = sum_j (-1)^j k! / (j! (k-2j)! 2^j) x^(k-2j)."""
    for k in range(n + 1):
        row = [0] * (k + 1)
        for j in range(k // 2 + 1):
            row[k - 2 * j] = (-1) ** j * comb(k, 2 * j) * factorial(2 * j) // (factorial(j) * 2**j)
        yield row, Fraction(1, factorial(k))


def laguerre(n: int, alpha: Fraction) -> Iterator[tuple[list[int], Fraction]]:
    """Yield T_k and h_0 / h_k of q^k (alpha+1)_k L_k / L_k(0), q the denominator of alpha.

    L_k / L_k(0) = sum_s binom(k, s) (-x)^s / (alpha+1)_s, of squared norm h_0 k! / (alpha+1)_k.
    """
    a, q, A = (alpha + 1).numerator, alpha.denominator, 1
    for k in range(n + 1):
        row = [A]
        for i in range(k):
            row.append(-row[-1] * (k - i) * q // ((i + 1) * (a + i * q)))
        yield row, Fraction(1, factorial(k) * q**k * A)
        A *= a + k * q


def inverse(M: list[list[int]]) -> tuple[list[list[int]], int]:
    """Return the adjoint and the determinant of a positive definite matrix by fraction-free elimination."""
    size, last = len(M), 1
    rows = [[*row, *(int(i == j) for j in range(size))] for i, row in enumerate(M)]
    for k in range(size):
        pivot = rows[k][k]
        for i in range(size):
            if i != k:
                x = rows[i][k]
                rows[i] = [(pivot * s - x * t) // last for s, t in zip(rows[i], rows[k], strict=True)]
        last = pivot
    return [row[size:] for row in rows], last


SERIES: dict[str, Callable[..., Any]] = {"jacobi": jacobi, "hermite": hermite, "laguerre": laguerre}
Vectors = dict[Fraction, tuple[list[int], list[int]]]


def limit_vectors(measure: Measure, X: set[Fraction], products: Products) -> None:
    """Refuse polynomials with too many or too long terms at the points X."""
    family, n, numbers = measure
    what = f"m, n = {n} or the numbers of the problem are"
    t = max(x.numerator.bit_length() + x.denominator.bit_length() for x in X) + 1
    if family == "discrete":
        P, Q, w, _ = numbers
        moment = 2 * n * max(abs(p) for p in P).bit_length() + sum(w).bit_length()
        row = (n + 1) * (moment + n.bit_length())  # of the determinant, by Hadamard's inequality
        products.add(2 * n * len(P), moment, moment, what)
        products.add((n + 1) ** 3 // 2, row, row, what)
        t += Q.bit_length()
    else:
        q = lcm(*(x.denominator for x in numbers))
        row = 2 * (n + 1) * int(q * (sum(map(abs, numbers)) + 2 * n + 4)).bit_length()
        products.add(4 * (n + 1) ** 2, row, 3 * q.bit_length(), what)
    products.add(len(X) * comb(n + 2, 2), row, n * t, what)


def coordinate_vectors(measure: Measure, X: set[Fraction]) -> tuple[Vectors, int]:
    """Return left and right for each point, and c, with sum_k left_k(x) right_k(z) = c (q_x q_z)^n R(x, z).

    R is the kernel of this coordinate over 1/h_0, and q_x the denominator of x; right_0(x) = q_x^n.
    """
    family, n, numbers = measure
    parts = [(x, *x.as_integer_ratio()) for x in X]
    if family == "discrete":  # R = phi^T M^(-1) phi, phi_s = x^s, M of moments over h_0; here of Q x
        P, Q, w, _ = numbers
        moments = [sum(v * p**j for p, v in zip(P, w, strict=True)) for j in range(2 * n + 1)]
        adjoint, c = inverse([moments[i : i + n + 1] for i in range(n + 1)])
        common = gcd(c, *(moments[0] * x for row in adjoint for x in row))
        form = [[moments[0] * x // common for x in row] for row in adjoint]
        phi = {x: [(Q * p) ** s * q ** (n - s) for s in range(n + 1)] for x, p, q in parts}
        return {x: ([sum(map(mul, row, v)) for row in form], v) for x, v in phi.items()}, c // common
    e = family == "jacobi"
    powers = {x: [(p - e * q) ** s * q ** (n - s) for s in range(n + 1)] for x, p, q in parts}
    values: dict[Fraction, list[int]] = {x: [] for x in powers}
    weights = []
    for row, weight in SERIES[family](n, *numbers):
        weights.append(weight)
        for x, power in powers.items():
            values[x].append(sum(map(mul, row, power)))
    c = lcm(*(weight.denominator for weight in weights))
    W = [int(weight * c) for weight in weights]
    return {x: (list(map(mul, W, v)), v) for x, v in values.items()}, c


# All coordinates.


class Matrix(ABC):
    """A Gram matrix R in integers: R_ij is N_ij / (c D_i D_j), up to ``error`` if i and j are not one place.

    ``unit`` R_ij is an integer if the error is 0. ``places`` numbers the points so that equal points have
    equal numbers; it is needed only if there is an error.
    """

    D: list[int]
    top: int  # a multiple of every D_i
    products: Products
    progress: Callable[[str], object]
    rows: dict[int, list[int]]  # N_ij for all j, by i
    error = Fraction(0)
    places: list[int]

    @property
    @abstractmethod
    def c(self) -> int:
        """The factor c of the denominators c D_i D_j."""

    @property
    @abstractmethod
    def bits(self) -> int:
        """An upper bound of the bits of the N_ij."""

    @abstractmethod
    def limit_entries(self, count: int) -> None:
        """Refuse to compute ``count`` of the N_ij if they are too long."""

    @abstractmethod
    def entry(self, i: int, j: int) -> int:
        """Return N_ij."""

    @cached_property
    def unit(self) -> int:
        """The denominator c top^2 of R."""
        return self.c * self.top**2

    def add_rows(self, points: list[int]) -> None:
        """Compute N_ij for all j and the given i, unless this has been done; N is symmetric."""
        m, new = len(self.D), [i for i in points if i not in self.rows]
        known, total = (k * m - comb(k, 2) for k in (len(self.rows), len(self.rows) + len(new)))
        require_at_most(total * (self.bits + 2**8), limits.MEMORY, "the Gram matrix is")
        self.limit_entries(total - known)
        for count, i in enumerate(new):
            self.progress(f"the Gram matrix: {count} of {len(new)} rows")
            self.rows[i] = [self.rows[j][i] if j in self.rows else self.entry(i, j) for j in range(m)]

    def times(self, x: list[int]) -> list[int]:
        """Return unit R x, computed as (top / D_i) sum_j N_ij (top / D_j) x_j."""
        lift = [self.top // Di for Di in self.D]
        x = list(map(mul, lift, x))
        m, longest = len(x), max(t.bit_length() for t in x)
        what, long = "u, v, b with this problem are", self.top.bit_length()
        self.products.add(m * self.terms(x), self.bits, longest, what)
        self.products.add(m, long, self.bits + longest, what)
        return list(map(mul, lift, self.sums(x)))

    def terms(self, x: list[int]) -> int:
        """Return the number of products for each value of ``sums``."""
        return sum(map(bool, x))

    def sums(self, x: list[int]) -> list[int]:
        """Return sum_j N_ij x_j for each i."""
        support = [i for i, t in enumerate(x) if t]
        self.add_rows(support)
        self.progress("the Gram matrix times the dual variables")
        columns = zip(*(self.rows[i] for i in support), strict=True) if support else [()] * len(x)
        factors = [x[i] for i in support]
        return [sum(map(mul, column, factors)) for column in columns]


@dataclass
class Gram(Matrix):
    """The matrix R of a kernel of orthogonal polynomials.

    For each coordinate l, sum_k left_ilk right_jlk = K_l R_l with K_l = c_l right_il0 right_jl0, and
    prod_l K_l = c D_i D_j. If the order is not limited, N_ij = prod_l K_l R_l. Multiplied out, it is a sum
    over the modes, that is one k for each l. If there are fewer modes than points, that sum is used and no
    N_ij is computed.

    If the order is q < d, R is the sum of prod_(l in S) (R_l - 1) over the sets S of at most q coordinates:
    the sum of the coefficients of t^0, ..., t^q in prod_l (1 + t (R_l - 1)) = prod_l ((1 - t) + t R_l)
    = sum_j t^j (1 - t)^(d-j) e_j(R_1, ..., R_d), where e_j is the elementary symmetric polynomial. Those of
    (1 - t)^(d-j) up to t^(q-j) add up to (-1)^(q-j) binom(d-1-j, q-j).
    """

    left: list[list[list[int]]]
    right: list[list[list[int]]]
    D: list[int]
    each_c: list[int]
    top: int
    order: int
    by_modes: bool
    products: Products
    progress: Callable[[str], object] = field(default=str)
    rows: dict[int, list[int]] = field(default_factory=dict)

    @cached_property
    def c(self) -> int:
        """The product of the c_l."""
        return prod(self.each_c)

    @cached_property
    def lengths(self) -> list[tuple[int, int, int]]:
        """For each coordinate, n + 1 and the largest numbers of bits in left and in right."""
        longest = [
            [max(x.bit_length() for z in column for x in z) for column in zip(*side, strict=True)]
            for side in (self.left, self.right)
        ]
        return [(len(z), *bits) for z, *bits in zip(self.left[0], *longest, strict=True)]

    @cached_property
    def bits(self) -> int:
        """An upper bound of the bits of the N_ij.

        K_l is at most the largest K_l R_l(x, x), because R_l(x, x) >= 1. If the order is limited, two bits
        for each coordinate are enough for the sum of the products of binom(d-1-j, q-j) and binom(d, j).
        """
        sums = 0 if self.order == len(self.lengths) else 2
        return sum(left + right + terms.bit_length() + sums for terms, left, right in self.lengths)

    def limit_entries(self, count: int) -> None:
        """Refuse to compute ``count`` of the N_ij if they are too long."""
        steps = 1 if self.order == len(self.lengths) else 2 * self.order + 2
        for terms, left, right in self.lengths:
            self.products.add(count * terms, left, right, "the Gram matrix is")
            self.products.add(count * steps, left + right, self.bits, "the Gram matrix is")

    def entry(self, i: int, j: int) -> int:
        """Return N_ij."""
        left, right = self.left[i], self.right[j]
        factors = [sum(map(mul, s, t)) for s, t in zip(left, right, strict=True)]
        if self.order == len(factors):
            return prod(factors)
        # e_k is the coefficient of t^k in prod_l (K_l + t K_l R_l), that is c D_i D_j e_k(R_1, ..., R_d).
        e = [1] + [0] * self.order
        for c, s, t, factor in zip(self.each_c, self.right[i], right, factors, strict=True):
            K = c * s[0] * t[0]
            e = [K * e[0], *(K * same + factor * before for before, same in pairwise(e))]
        return sum(map(mul, self.binomials, e))

    @cached_property
    def binomials(self) -> list[int]:
        """The numbers (-1)^(q-k) binom(d-1-k, q-k) for each k <= q, where q < d is the order."""
        d, q = len(self.each_c), self.order
        return [(-1) ** (q - k) * comb(d - 1 - k, q - k) for k in range(q + 1)]

    def terms(self, x: list[int]) -> int:
        return 3 * mode_steps(list(map(len, self.left[0])), len(x)) if self.by_modes else super().terms(x)

    def sums(self, x: list[int]) -> list[int]:
        return self.through_modes(x) if self.by_modes else super().sums(x)

    def through_modes(self, x: list[int]) -> list[int]:
        """Return sum_j N_ij x_j as the sum over the modes of left_i times sum_j right_j x_j."""
        sums = [0] * prod(map(len, self.right[0]))
        for count, (z, factor) in enumerate(zip(self.right, x, strict=True)):
            if factor:
                self.progress(f"the modes: {count} of {len(x)} points")
                sums = [t + factor * value for t, value in zip(sums, mode_products(z), strict=True)]
        return [sum_over_modes(sums, z) for z in self.left]


def mode_products(vectors: list[list[int]]) -> list[int]:
    """Return the product of one entry of each vector for every mode; the last index varies fastest."""
    out = [1]
    for v in vectors:
        out = [a * b for a in out for b in v]
    return out


def sum_over_modes(sums: list[int], vectors: list[list[int]]) -> int:
    """Return the sum over the modes of ``sums`` times ``mode_products(vectors)``, one vector at a time."""
    for v in reversed(vectors):
        sums = [sum(map(mul, sums[k : k + len(v)], v)) for k in range(0, len(sums), len(v))]
    return sums[0]


def mode_steps(terms: list[int], most: int) -> int:
    """Return the number of products in ``mode_products``; counting stops at ``most``."""
    total, modes = 0, 1
    for count in terms:
        modes *= count
        total += modes
        if total >= most:
            break
    return total


def denominators(X: list[list[Fraction]], measures: tuple[Measure, ...]) -> tuple[list[int], int]:
    """Return D_i = prod_l q_il^(n_l), q_il the denominator of x_il, and a common multiple of them."""
    what = "the denominators of X are"
    degrees: dict[int, list[int]] = {}
    for j, measure in enumerate(measures):
        degrees.setdefault(measure.n, []).append(j)
    degrees.pop(0, None)
    D, top, long = [1] * len(X), 1, 0
    for n, columns in degrees.items():
        for x in X:
            require_at_most(n * sum(x[j].denominator.bit_length() - 1 for j in columns), limits.COMMON, what)
        q = [prod(x[j].denominator for j in columns) for x in X]
        common = common_multiple(q, what)
        long += 2 * n * common.bit_length()
        require_at_most(long, limits.COMMON, what)
        D = [Di * qi**n for Di, qi in zip(D, q, strict=True)]
        top *= common**n
    return D, top


def gram(
    X: list[list[Fraction]],
    measures: tuple[Measure, ...],
    order: int | None = None,
    progress: Callable[[str], object] = str,
) -> Gram:
    """Return R from R_l(x, z) = sum_k P_k(x) P_k(z) h_0 / h_k over k <= n_l for each coordinate.

    R = prod_l R_l if ``order`` is the number of coordinates or None, and contains only the modes with at most
    ``order`` active coordinates otherwise.
    """
    d = len(measures)
    order = d if order is None else order
    values: dict[Measure, set[Fraction]] = {}
    for measure, column in zip(measures, zip(*X, strict=True), strict=True):
        values.setdefault(measure, set()).update(column)
    products = Products()
    for measure, found in values.items():
        limit_vectors(measure, found, products)
    D, top = denominators(X, measures)
    tables = {measure: coordinate_vectors(measure, found) for measure, found in values.items()}
    left, right = (
        [[tables[measure][0][t][side] for measure, t in zip(measures, x, strict=True)] for x in X]
        for side in (0, 1)
    )
    each_c = [tables[measure][1] for measure in measures]
    require_at_most(sum(c.bit_length() for c in each_c), limits.COMMON, "d, n or the measures are")
    by_modes = order == d and mode_steps([measure.n + 1 for measure in measures], len(X)) < len(X)
    return Gram(left, right, D, each_c, top, order, by_modes, products, progress)


def nonsingular(matrix: list[list[int]], prime: int) -> bool:
    """Return whether the matrix is nonsingular modulo the prime, which implies that it is nonsingular.

    The converse may fail.
    """
    # Rocq: Checker.nonsingular_step, Checker.nonsingular_rows, Checker.nonsingular_mod
    rows = [[entry % prime for entry in row] for row in matrix]
    while rows:
        pivot = next((i for i, row in enumerate(rows) if row[-1]), None)
        if pivot is None:
            return False
        *top, last = rows.pop(pivot)
        inverse = pow(last, -1, prime)
        top = [entry * inverse % prime for entry in top]
        rows = [[(x - last * t) % prime for x, t in zip(row, top, strict=True)] for *row, last in rows]
    return True
