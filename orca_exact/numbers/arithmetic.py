"""Number backends behind one interface.

``A = arithmetic(name, digits)`` converts an exact rational q to an element ``A(q)`` of the backend. Elements
are combined with plain operators; other operations are methods of the arithmetic, so that algorithms do not
depend on the backend. A sixth backend, ``svm.tau.TauPolynomials``, computes exactly in Q[tau] if lambda
is irrational.

>>> arithmetic("ball", 30)(QQ("1/3")).overlaps(arb(1)/3)
True
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import reduce
from typing import Any

import numpy as np
from flint import arb, arb_mat, arb_poly, ctx, fmpq, fmpq_mat, fmpq_poly, fmpz, fmpz_mat

from ..errors import BadParameter
from . import elementary
from .doubled import Doubled
from .midrad import MidRad, convolve
from .quantity import mpmath_context, to_quantity
from .rationals import QQ, precision_bits, to_float, to_sympy, working_bits

PAIRS_OF_MATRIX = 4  # a matrix product is worthwhile if at least one entry in so many is needed
PAIRS_PER_PRODUCT = 1024  # pairs (i, j) in one product, so that the factors stay in the cache
# Arb multiplies matrices of at least _BLOCKWISE rows and columns block by block, which takes half the time;
# smaller ones get rows and columns of zeros, if they have at least _WIDE of each and sums of _LONG products.
_BLOCKWISE, _WIDE, _LONG = 61, 40, 500
RECURRENCE_DIGITS = 30  # digits of the balls from which recurrences of high degree are computed
_MAX_RECURRING = 50_000  # number of values of a column up to which balls are used for that
_SHARP = 2.0**-52  # radius of a value relative to the largest one of its row for which balls are not needed


class Polynomials:
    """A batch of polynomials in z, one for each column; ``rows[k]`` are the coefficients of z**k."""

    def __init__(self, rows: Any, A: Arithmetic):
        self.rows, self.A = rows, A

    def __add__(self, other: Polynomials) -> Polynomials:
        short, long = sorted((self.rows, other.rows), key=len)
        rows = long.copy()
        rows[: len(short)] = rows[: len(short)] + short
        return Polynomials(rows, self.A)

    def __mul__(self, other: Polynomials) -> Polynomials:
        return Polynomials(self.A.convolve(self.rows, other.rows), self.A)


class Arithmetic(ABC):
    """A number backend. ``A(q)`` converts a rational to an element."""

    exact = False  # elements are exact values
    encloses = False  # elements are enclosures of the exact values
    sharpens = False  # enclosures become narrower with more digits
    pairs: int | None = (
        PAIRS_PER_PRODUCT  # number of pairs of points in one product of polynomials; None: all
    )
    pairs_kept: int | None = None  # number of pairs of points kept with their kernels; None: all
    max_degree: int | None = None
    has_fast_matrices = False  # a matrix product takes much less time than its single products
    has_fast_polynomials = False  # the same for a product of two polynomials

    name: str  # in parameters
    title: str  # in sentences
    takes_digits = False  # whether the precision can be chosen
    level = "ball"  # default level of the certificate for which indices are computed
    faster_arithmetic: str | None = "verified"  # name of a faster arithmetic
    # Estimates for ``cost``. Seconds for a pair of points: times coordinates and degrees; times pairs of rows
    # of C_N^(q) of the two halves of the coordinates; for a product of polynomials of all coordinates. Bytes
    # of a number in an array: a constant, and a factor of its bits.
    pair_seconds: tuple[float, float]
    whole_seconds = 0.0
    # Seconds to evaluate an RBF kernel at a node of a measure, and for a product of two such values.
    node_seconds = (0.0, 0.0)
    number_bytes: tuple[float, float]

    def __init__(self, number: Callable[[fmpq], Any], digits: int = 15):
        self.number, self.digits, self.bits = number, digits, working_bits(digits)

    def __repr__(self) -> str:
        return f"arithmetic({self.name!r}, {self.digits})"

    def __reduce__(self) -> tuple[Any, ...]:
        return arithmetic, (self.name, self.digits)

    def __call__(self, value: Any) -> Any:
        return self.number(QQ(value))

    def array(self, values: Any) -> np.ndarray:
        """Convert an array of rationals to an array of elements."""
        values = np.asarray(values, dtype=object)
        return object_vector(self(v) for v in values.flat).reshape(values.shape)

    def elements(self, values: Iterable[Any]) -> np.ndarray:
        """Return a one-dimensional array of elements."""
        return object_vector(values)

    def scalar_arithmetic(self) -> Arithmetic:
        """Return the arithmetic that single numbers use."""
        return self

    def from_user(self, values: np.ndarray) -> np.ndarray:
        """Convert an array of numbers from a user to an array of elements."""
        return self.array(values)

    def to_user(self, array: np.ndarray) -> np.ndarray:
        """Convert an array of elements to the numbers that a user gets."""
        return array if array.dtype == float else np.frompyfunc(to_quantity, 1, 1)(array)

    def rows(self, rows: list[Any]) -> Any:
        """Return a matrix from a list of its rows."""
        return np.array(rows, dtype=rows[0].dtype)

    def evaluate(self, recurrence: Callable[[Any], list[Any]], x: np.ndarray) -> Any:
        """Return the matrix of the rows that a recurrence computes at rational numbers x."""
        with self.scope():
            return self.rows(recurrence(self.array(x)))

    def zeros(self, shape: tuple[int, ...]) -> Any:
        """Return an array of zeros."""
        return np.zeros(shape, object)

    def to_scalars(self, array: np.ndarray) -> np.ndarray:
        """Return an array of single numbers."""
        return array

    @property
    def proves(self) -> bool:
        """Whether results are proved: they are exact or enclosures."""
        return self.exact or self.encloses

    def convert_affine(self, a: Any) -> tuple[Arithmetic, np.ndarray, Any]:
        """Return the arithmetic, the elements of a vector p + q*tau (``svm.tau.Affine``), and lambda."""
        with self.scope():
            elements = self.array(a.p) + self.array(a.q) * a.tau.to_arithmetic(self)
            return self, elements, a.tau.problem.lambda_in(self)

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Set the precision of this arithmetic inside a ``with`` statement."""
        yield

    def sqrt(self, x: Any) -> Any:
        """Return the square root of an element, or of each element of an array."""
        return x.sqrt()

    def exp(self, x: Any) -> Any:
        """Return e^x for each element of an array."""
        raise BadParameter("arithmetic", repr(self.name), "has no exponential function", "use 'ball'")

    def expm1(self, x: Any) -> Any:
        """Return e^x - 1 for each element of an array, accurately near 0 too."""
        return self.exp(x)

    def log1p(self, q: fmpq) -> Any:
        """Return log(1 + q) for a rational q > -1."""
        return arb(q).log1p()

    def erf_difference(self, lower: Any, upper: Any) -> Any:
        """Return erf(upper) - erf(lower) for each element of two arrays, without cancellation far from 0."""
        raise BadParameter("arithmetic", repr(self.name), "has no error function", "use 'ball' or 'mp'")

    @contextmanager
    def extra_precision(self, bits: int) -> Iterator[None]:
        """Add bits to the precision inside a ``with`` statement, if the precision can be chosen."""
        yield

    def from_balls(self, balls: Any) -> Any:
        """Convert an array of python-flint balls to an array of elements."""
        return balls

    @abstractmethod
    def constant(self, rational: fmpq, two: fmpq, gammas: Iterable[tuple[fmpq, int]]) -> Any:
        """Return rational * 2^two * prod Gamma(f)^e for the pairs (f, e) in ``gammas``."""

    def roots(self, a: np.ndarray, g: np.ndarray, scale: Any) -> np.ndarray:
        """Return a_k sqrt(g_k scale)."""
        found: np.ndarray = a * self.sqrt(g * scale)
        return found

    def quotient(self, a: Any, b: Any) -> Any:
        """Return a/b, which need not be an element of this arithmetic."""
        return a / b

    def simplify_scale(self, s: np.ndarray, scale: Any) -> tuple[np.ndarray, Any]:
        """Return s and scale with the same value of scale * s^T R s and cheaper numbers."""
        return s, scale

    # Products of batches of polynomials in z, of stacks of their rows of coefficients, and of matrices.

    def polynomials(self, rows: np.ndarray) -> Any:
        """Return polynomials in z from their rows of coefficients, one polynomial for each column."""
        return Polynomials(rows, self)

    def convolve(self, a: Any, b: Any) -> Any:
        """Return the rows of coefficients of a product of polynomials."""
        rows = self.zeros((len(a) + len(b) - 1, a.shape[1]))
        for k in range(len(b)):
            piece = slice(k, k + len(a))
            rows[piece] = rows[piece] + a * b[k]
        return rows

    def stack(self, batches: list[Any], lengths: list[int], count: int) -> Any:
        """Return a row of ones, followed by the rows of coefficients of each batch."""
        rows = [self._rows(batch, length) for batch, length in zip(batches, lengths, strict=True)]
        return np.concatenate([self.array([[fmpq(1)] * count]), *rows])

    def _rows(self, batch: Any, length: int) -> Any:
        return batch.rows

    def contract(self, left: Any, w: np.ndarray, right: Any) -> np.ndarray:
        """Return the matrix sum_p w_p L[a,p] R[b,p] of two stacks L and R."""
        return self.matmul(left * w, right.T)

    def pair_sums(self, a: Any, b: Any, i: np.ndarray, j: np.ndarray) -> Any:
        """Return sum_k a[k, i] b[k, j] for each pair (i, j)."""
        if self.has_fast_matrices and PAIRS_OF_MATRIX * len(i) >= a.shape[1] * b.shape[1]:
            return self.matmul(a.T, b)[i, j]
        total = 0 * a[0][i]
        for row, other in zip(a, b, strict=True):
            total = total + row[i] * other[j]
        return total

    def dot(self, w: np.ndarray, form: np.ndarray) -> Any:
        """Return sum_p w_p F_p."""
        return (w * form).sum()

    def matmul(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Return the matrix product."""
        product: np.ndarray = a @ b
        return product

    def sum_groups(self, a: np.ndarray, starts: np.ndarray) -> Any:
        """Sum groups of neighbouring columns, each from one of ``starts`` to the next."""
        return np.add.reduceat(a, starts, axis=1)


class Float(Arithmetic):
    """float64 numbers in NumPy arrays. Overflows and divisions by 0 give inf or nan without a warning."""

    name, title = "float", "float64"
    level, faster_arithmetic = (
        "float",
        None,
    )  # it proves nothing, so that a fast proof of optimality is enough
    max_degree = 450  # monic values decrease like 2**-k and do not underflow up to here
    pair_seconds, whole_seconds, number_bytes = (3e-8, 3e-9), 1e-8, (8, 0.0)
    node_seconds = (2e-8, 1e-10)

    def __init__(self) -> None:
        super().__init__(to_float)
        self.bits = 53

    @contextmanager
    def scope(self) -> Iterator[None]:
        with np.errstate(all="ignore"):
            yield

    def from_user(self, values: np.ndarray) -> np.ndarray:
        return values.astype(float) if values.dtype.kind in "fiu" else self.array(values)

    def array(self, values: Any) -> np.ndarray:
        return super().array(values).astype(float)

    def elements(self, values: Iterable[Any]) -> np.ndarray:
        return np.array([float(x) for x in values])

    def zeros(self, shape: tuple[int, ...]) -> np.ndarray:
        return np.zeros(shape)

    def sqrt(self, x: Any) -> Any:
        return np.sqrt(x)

    def exp(self, x: Any) -> Any:
        return np.exp(x)

    def expm1(self, x: Any) -> Any:
        return np.expm1(x)

    def log1p(self, q: fmpq) -> float:
        return float(arb(q).log1p())

    def from_balls(self, balls: Any) -> Any:
        return np.asarray(balls).astype(float)

    def constant(self, rational: fmpq, two: fmpq, gammas: Iterable[tuple[fmpq, int]]) -> float:
        return float(Ball(20).constant(rational, two, gammas))


class Mpmath(Arithmetic):
    """mpmath numbers, in a separate context."""

    name, title, takes_digits = "mp", "mpmath", True
    pair_seconds, whole_seconds, number_bytes = (1.2e-5, 6.5e-7), 4e-7, (320, 0.25)
    node_seconds = (3e-5, 1e-6)

    def __init__(self, digits: int) -> None:
        from . import fixed

        self.fixed = fixed
        self.context = mpmath_context(working_bits(digits))
        super().__init__(lambda q: self.context.mpf(int(q.p)) / int(q.q), digits)

    def sqrt(self, x: Any) -> Any:
        return np.frompyfunc(self.context.sqrt, 1, 1)(x)

    def exp(self, x: Any) -> Any:
        return np.frompyfunc(self.context.exp, 1, 1)(x)

    def expm1(self, x: Any) -> Any:
        return np.frompyfunc(self.context.expm1, 1, 1)(x)

    def log1p(self, q: fmpq) -> Any:
        return self.context.log1p(self(q))

    def erf_difference(self, lower: Any, upper: Any) -> Any:
        return _erf_difference(self.context.erf, self.context.erfc)(lower, upper)

    @contextmanager
    def extra_precision(self, bits: int) -> Iterator[None]:
        with self.context.extraprec(bits):
            yield

    def constant(self, rational: fmpq, two: fmpq, gammas: Iterable[tuple[fmpq, int]]) -> Any:
        value = self(rational) * self.context.mpf(2) ** self(two)
        for f, e in gammas:
            value *= self.context.gamma(self(f)) ** e
        return value

    def polynomials(self, rows: np.ndarray) -> Any:
        return self.fixed.FixedPointPolynomials.from_mpf(rows, self.context)

    def _rows(self, batch: Any, length: int) -> Any:
        return batch.numbers()

    def matmul(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return self.fixed.matmul(a, b, self.context)


class Ball(Arithmetic):
    """Arb balls, each of which contains the exact value."""

    name, title, takes_digits = "ball", "balls", True
    encloses = sharpens = has_fast_matrices = has_fast_polynomials = True
    pair_seconds, whole_seconds, number_bytes = (4.2e-6, 3.9e-8), 1e-7, (140, 0.25)
    node_seconds = (3e-6, 5e-8)

    def __init__(self, digits: int | None = None) -> None:
        """Use so many digits, or python-flint's current precision."""
        super().__init__(arb, ctx.dps if digits is None else digits)
        self.bits = ctx.prec if digits is None else working_bits(digits)

    def __reduce__(self) -> tuple[Any, ...]:
        return Ball, (self.digits,), {"bits": self.bits}

    def __call__(self, value: Any) -> arb:
        with self.scope():  # otherwise a number would be rounded to python-flint's current precision
            return arb(QQ(value))

    def array(self, values: Any) -> np.ndarray:
        values = np.asarray(values, dtype=object)
        with self.scope():
            return object_vector(arb(QQ(v)) for v in values.flat).reshape(values.shape)

    @contextmanager
    def scope(self) -> Iterator[None]:
        with precision_bits(self.bits):
            yield

    def sqrt(self, x: Any) -> Any:
        return np.frompyfunc(arb.sqrt, 1, 1)(x)

    def exp(self, x: Any) -> Any:
        """Return e^x for each element; tiny values become balls around 0, whose exponents stay small."""
        least = -16 * ctx.prec - 100_000
        tiny = arb(0, arb(least).exp())
        return np.frompyfunc(lambda y: tiny if y < least else y.exp(), 1, 1)(x)

    def expm1(self, x: Any) -> Any:
        return np.frompyfunc(arb.expm1, 1, 1)(x)

    def erf_difference(self, lower: Any, upper: Any) -> Any:
        least = 16 * ctx.prec + 100_000
        tiny = arb(0, arb(-least).exp())  # erfc(x) <= exp(-x^2)
        return _erf_difference(arb.erf, lambda x: tiny if x * x > least else x.erfc())(lower, upper)

    @contextmanager
    def extra_precision(self, bits: int) -> Iterator[None]:
        with precision_bits(ctx.prec + bits):
            yield

    def constant(self, rational: fmpq, two: fmpq, gammas: Iterable[tuple[fmpq, int]]) -> arb:
        with self.scope():
            value = arb(rational) * arb(2) ** arb(two)
            for f, e in gammas:
                value *= arb(f).gamma() ** e
            return value

    def polynomials(self, rows: np.ndarray) -> np.ndarray:
        return object_vector(arb_poly(list(column)) for column in zip(*rows, strict=True))

    def stack(self, batches: list[Any], lengths: list[int], count: int) -> np.ndarray:
        zeros = [arb(0)] * max(lengths, default=0)
        columns = [[arb(1)] for _ in range(count)]
        for batch, length in zip(batches, lengths, strict=True):
            for column, p in zip(columns, batch, strict=True):
                column += p.coeffs()
                column += zeros[len(p) : length]
        return np.array(columns, dtype=object).T

    def contract(self, left: np.ndarray, w: np.ndarray, right: np.ndarray) -> np.ndarray:
        """Return the same as in other arithmetics; the shorter stack is multiplied by the weights."""
        if len(left) > len(right):
            return self.contract(right, w, left).T
        return self.matmul(left * w, right.T)

    def matmul(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        left, right = a.tolist(), b.tolist()
        if len(right) > _LONG and all(size >= _WIDE for size in (len(a), b.shape[1])):
            left += [[arb(0)] * len(right)] * (_BLOCKWISE - len(left))
            right = [row + [arb(0)] * (_BLOCKWISE - len(row)) for row in right]
        product = arb_mat(left) * arb_mat(right)
        found: np.ndarray = np.array(product.entries(), dtype=object).reshape(
            product.nrows(), product.ncols()
        )
        return found[: len(a), : b.shape[1]]


class Verified(Arithmetic):
    """float64 with proved error bounds: arrays are ``MidRad``, single numbers are Arb balls."""

    name, title = "verified", "float64 with error bounds"
    level, faster_arithmetic = "float", None
    encloses = True
    max_degree = 450
    pairs, pairs_kept = 2**13, 2**17
    pair_seconds, whole_seconds, number_bytes = (1e-8, 5e-10), 2e-8, (16, 0.0)
    node_seconds = (2e-7, 2e-10)

    def __init__(self) -> None:
        super().__init__(Ball(20))

    def scalar_arithmetic(self) -> Arithmetic:
        return Ball(self.digits)

    def array(self, values: Any) -> Any:
        return MidRad.from_rationals(values)

    def elements(self, values: Iterable[Any]) -> Any:
        return values if isinstance(values, MidRad) else MidRad.from_balls(list(values))

    def convert_affine(self, a: Any) -> tuple[Arithmetic, Any, Any]:
        """Return the same as in other arithmetics; an entry that is 0 stays an exact 0."""
        _, elements, lam = super().convert_affine(a)
        elements[[p == 0 and q == 0 for p, q in zip(a.p, a.q, strict=True)]] = 0.0
        return self, elements, lam

    def evaluate(self, recurrence: Callable[[Any], list[Any]], x: np.ndarray) -> Any:
        """Use two float64 numbers for each value, or balls if the degree is too high for them."""
        with self.scope():
            found = self.rows([row.to_midrad() for row in recurrence(Doubled.from_rationals(x))])
            largest = abs(found.mid).max(axis=1, initial=0, keepdims=True)
            if (found.rad <= _SHARP * largest).all() or found.size > _MAX_RECURRING:
                return found
            return MidRad.from_balls(Ball(RECURRENCE_DIGITS).evaluate(recurrence, x))

    def from_balls(self, balls: Any) -> Any:
        return MidRad.from_balls(balls)

    def exp(self, x: Any) -> Any:
        return elementary.exp(x)

    def expm1(self, x: Any) -> Any:
        return elementary.expm1(x)

    def rows(self, rows: list[Any]) -> Any:
        return MidRad.stack(rows)

    def zeros(self, shape: tuple[int, ...]) -> Any:
        return MidRad.zeros(shape)

    def to_scalars(self, array: MidRad) -> np.ndarray:  # type: ignore[override]  # its only arrays
        return array.balls()

    @contextmanager
    def scope(self) -> Iterator[None]:
        with Ball(20).scope(), np.errstate(all="ignore"):  # an overflow gives an infinite radius
            yield

    def constant(self, rational: fmpq, two: fmpq, gammas: Iterable[tuple[fmpq, int]]) -> arb:
        return Ball(20).constant(rational, two, gammas)

    def roots(self, a: Any, g: Any, scale: Any) -> np.ndarray:
        return Ball(20).roots(a.balls(), g.balls(), scale)

    def convolve(self, a: Any, b: Any) -> Any:
        return convolve(a, b)

    def stack(self, batches: list[Any], lengths: list[int], count: int) -> Any:
        return MidRad.concatenate([MidRad(np.ones((1, count))), *(batch.rows for batch in batches)])

    def sum_groups(self, a: Any, starts: np.ndarray) -> Any:
        return a.sum_groups(starts)


class Exact(Arithmetic):
    """FLINT rationals."""

    name, title = "exact", "rationals"
    level = "exact"
    exact = has_fast_matrices = True
    pairs = None
    pair_seconds, number_bytes = (8e-6, 4e-7), (90, 0.4)

    def __init__(self) -> None:
        super().__init__(lambda q: q)

    def sqrt(self, x: Any) -> Any:
        raise BadParameter("arithmetic", "exact", "has no square roots", "use the arithmetic 'ball'")

    def roots(self, a: np.ndarray, g: np.ndarray, scale: Any) -> np.ndarray:
        """Return SymPy expressions."""
        from sympy import sqrt

        scaled = to_sympy(scale)
        return object_vector(to_sympy(x) * sqrt(to_sympy(y) * scaled) for x, y in zip(a, g, strict=True))

    def constant(self, rational: fmpq, two: fmpq, gammas: Iterable[tuple[fmpq, int]]) -> fmpq:
        irrational = [f"2^({two})"] * (two.q != 1) + [f"Gamma({f})" for f, _ in gammas]
        if irrational:
            hint = "use ratios to h_0, or the arithmetic 'ball'"
            raise BadParameter("arithmetic", "exact", f"has no {irrational[0]}", hint)
        return rational * fmpq(2) ** int(two.p)

    def convert_affine(self, a: Any) -> tuple[Arithmetic, np.ndarray, Any]:
        converted: tuple[Arithmetic, np.ndarray, Any] = a.to_exact()
        return converted

    def simplify_scale(self, s: np.ndarray, scale: Any) -> tuple[np.ndarray, Any]:
        """Move a common denominator to the scale, since gcds of numbers with 10^5 bits are slow."""
        denominator, numerators = over_common_denominator(s)
        return object_vector(map(fmpq, numerators)), scale / fmpq(denominator * denominator)

    def polynomials(self, rows: np.ndarray) -> np.ndarray:
        return object_vector(fmpq_poly(list(column)) for column in zip(*rows, strict=True))

    def dot(self, w: np.ndarray, form: np.ndarray) -> Any:
        (p, weights), (q, numerators) = over_common_denominator(w), over_common_denominator(form)
        return fmpq(sum((a * b for a, b in zip(weights, numerators, strict=True)), fmpz(0)), p * q)

    def stack(self, batches: list[Any], lengths: list[int], count: int) -> Any:
        """Return a denominator for each row, and rows of integers."""
        denominators, rows = [fmpz(1)], [[fmpz(1)] * count]
        for batch, length in zip(batches, lengths, strict=True):
            common = reduce(fmpz.lcm, (p.denom() for p in batch), fmpz(1))
            scaled = [(p.numer(), common // p.denom()) for p in batch]
            denominators += [common] * length
            rows += [[p[k] * c for p, c in scaled] for k in range(length)]
        return denominators, rows

    def contract(self, left: Any, w: np.ndarray, right: Any) -> np.ndarray:
        """Return sum_p w_p L[a,p] as a column; all coordinates are on the left, see ``cost.left_half_size``.

        Weights are split into limbs with as many bits as the kernels, so that FLINT multiplies integer
        matrices of similar entries instead of long numbers by short ones.
        """
        denominators, rows = left
        common, numerators = over_common_denominator(w)
        limb = max(64, *(x.bit_length() for row in rows for x in (min(row), max(row))))
        count = max(abs(x).bit_length() for x in numerators) // limb + 1
        product = fmpz_mat(rows) * fmpz_mat([_limbs(x, limb, count) for x in numerators])
        sums = [sum((product[i, k] << (limb * k) for k in range(count)), fmpz(0)) for i in range(len(rows))]
        found = object_vector(fmpq(total, q * common) for total, q in zip(sums, denominators, strict=True))
        return found[:, None]

    def matmul(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        product = fmpq_mat(a.tolist()) * fmpq_mat(b.tolist())  # FLINT uses common denominators
        return np.array(product.entries(), dtype=object).reshape(product.nrows(), product.ncols())


def _erf_difference(erf: Callable[[Any], Any], erfc: Callable[[Any], Any]) -> Any:
    def difference(lower: Any, upper: Any) -> Any:
        if lower > 0:
            return erfc(lower) - erfc(upper)
        return erfc(-upper) - erfc(-lower) if upper < 0 else erf(upper) - erf(lower)

    return np.frompyfunc(difference, 2, 1)


def over_common_denominator(values: Iterable[fmpq]) -> tuple[fmpz, list[fmpz]]:
    """Return the least common denominator and the numerators."""
    values = list(values)
    common = reduce(fmpz.lcm, (v.q for v in values), fmpz(1))
    return common, [v.p * (common // v.q) for v in values]


def _limbs(x: fmpz, limb: int, count: int) -> list[fmpz]:
    """Return the digits of x = sum_k digit_k 2^(limb k), all with the sign of x."""
    mask, sign, rest = (fmpz(1) << limb) - 1, (-1 if x < 0 else 1), abs(x)
    return [sign * ((rest >> (limb * k)) & mask) for k in range(count)]


def object_vector(items: Iterable[Any]) -> np.ndarray:
    """Return a one-dimensional object array (NumPy would unpack FLINT's polynomials)."""
    return np.fromiter(items, dtype=object)


ARITHMETICS: dict[str, Any] = {kind.name: kind for kind in (Float, Mpmath, Verified, Ball, Exact)}


def arithmetic(name: str, digits: int = 50) -> Arithmetic:
    """Return the arithmetic of a name.

    Parameters
    ----------
    name : {"float", "mp", "ball", "verified", "exact"}
        float64, mpmath, Arb balls, float64 with error bounds, or rationals.
    digits : int
        Precision of "mp" and "ball".

    Examples
    --------
    >>> arithmetic("exact")("0.1"), arithmetic("float")("0.1")
    (1/10, 0.1)
    """
    working_bits(digits)
    if name not in ARITHMETICS:
        raise BadParameter("arithmetic", repr(name), "is unknown", "choose from " + ", ".join(ARITHMETICS))
    kind = ARITHMETICS[name]
    found: Arithmetic = kind(digits) if kind.takes_digits else kind()
    return found
