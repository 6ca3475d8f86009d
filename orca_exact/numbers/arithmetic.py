"""Six arithmetics with one face: how numbers take a root, and meet in a sum of products.

``arithmetic(name, digits)`` turns an exact rational into its own element; after that plain operators do the
work, and what operators cannot say is a method here. Algorithms never ask which arithmetic they run on.
The sixth, Q[tau], is that of exact values where lambda is irrational: ``svm.tau.InTau``.

>>> arithmetic("ball", 30)(QQ("1/3")).overlaps(arb(1)/3)
True
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from flint import arb, arb_mat, arb_poly, ctx, fmpq, fmpq_mat, fmpq_poly, fmpz, fmpz_mat

from ..errors import BadParameter
from .midrad import MidRad, convolve
from .quantity import context, quantity
from .rationals import QQ, bits, precision_bits, real, symbolic

PAIRS = 1024  # pairs (i, j) at a time: the left and right factors stay in cache
RECURRING, _MANY = (
    30,
    50_000,
)  # digits of balls that make numbers of float64 with bounds, and how many at most


class Polynomials:
    """A batch of polynomials in z: ``rows[k]`` holds the coefficients of z**k, one column each."""

    def __init__(self, rows: Any, A: Arithmetic):
        self.rows, self.A = rows, A

    def __add__(self, other: Polynomials) -> Polynomials:
        short, long = sorted((self.rows, other.rows), key=len)
        rows = long.copy()
        rows[: len(short)] = rows[: len(short)] + short
        return Polynomials(rows, self.A)

    def __mul__(self, other: Polynomials) -> Polynomials:
        return Polynomials(self.A.convolved(self.rows, other.rows), self.A)


class Arithmetic(ABC):
    """Elements of one kind. ``A(q)`` lets a rational in; the rest is what operators cannot say."""

    exact = False  # values are what they stand for
    encloses = False  # values hold what they stand for
    sharpens = False  # and hold it more closely with more digits
    pairs: int | None = PAIRS  # how many pairs of points a product of polynomials takes; None: all
    pairs_kept: int | None = None  # how many pairs of points are kept, with their kernels; None: all
    max_degree: int | None = None

    name: str  # what a user types
    title: str  # what a sentence calls it
    takes_digits = False  # whether it computes with as many digits as it is asked for
    level = "ball"  # of the certificate whose indices it computes, unless another one is asked for
    quicker: str | None = "verified"  # the name of an arithmetic that takes less time
    # Estimates for ``cost``. Seconds of a pair of points: by coordinate and degree; by two rows of C_N^(q),
    # one of each half of the coordinates; by a product in polynomials of all coordinates. Bytes of a number
    # in an array: a constant; by its bits.
    pair_seconds: tuple[float, float]
    whole_seconds = 0.0
    number_bytes: tuple[float, float]

    def __init__(self, number: Callable[[fmpq], Any], digits: int = 15):
        self.number, self.digits, self.bits = number, digits, bits(digits)

    def __repr__(self) -> str:
        return f"arithmetic({self.name!r}, {self.digits})"

    def __reduce__(self) -> tuple[Any, ...]:
        return arithmetic, (self.name, self.digits)

    def __call__(self, value: Any) -> Any:
        return self.number(QQ(value))

    def array(self, values: Any) -> np.ndarray:
        """An array of elements from an array of rationals."""
        values = np.asarray(values, dtype=object)
        return object_vector(self(v) for v in values.flat).reshape(values.shape)

    def elements(self, values: Iterable) -> np.ndarray:
        """A one-dimensional array of what are elements already."""
        return object_vector(values)

    def single(self) -> Arithmetic:
        """Return the arithmetic of single numbers."""
        return self

    def given(self, values: np.ndarray) -> np.ndarray:
        """Return an array of elements from the numbers that a user gave."""
        return self.array(values)

    def returned(self, array: np.ndarray) -> np.ndarray:
        """Return the elements of an array as a user gets them."""
        return np.frompyfunc(quantity, 1, 1)(array)

    def rows(self, rows: list) -> Any:
        """Arrays of one length as the rows of a matrix."""
        return np.array(rows, dtype=rows[0].dtype)

    def recurrence_arithmetic(self, count: int) -> Arithmetic:
        """The arithmetic for recurrences that make so many numbers, which ``from_recurrence`` takes over."""
        return self

    def from_recurrence(self, array: Any) -> Any:
        """Elements from those of ``recurrence_arithmetic``."""
        return array

    def zeros(self, shape: tuple[int, ...]) -> Any:
        """An array of zeros."""
        return np.zeros(shape, object)

    def members(self, array: Any) -> np.ndarray:
        """An array of single numbers."""
        return array

    @property
    def judges(self) -> bool:
        """float64 and mpmath testify; balls and rationals decide."""
        return self.exact or self.encloses

    def enter(self, a: Any) -> tuple[Arithmetic, np.ndarray, Any]:
        """A vector p + q*tau (``svm.tau.Affine``) as elements, the arithmetic they are of, and lambda."""
        with self.scope():
            elements = self.array(a.p) + self.array(a.q) * a.tau.within(self)
            return self, elements, a.tau.problem.lambda_in(self)

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Where this arithmetic's precision holds."""
        yield

    def sqrt(self, x: Any) -> Any:
        """The square root of an element, or of each in an array."""
        return x.sqrt()

    @abstractmethod
    def constant(self, rational: fmpq, two: fmpq, gammas: Iterable[tuple[fmpq, int]]) -> Any:
        """rational * 2^two * prod Gamma(f)^e."""

    def roots(self, a: np.ndarray, g: np.ndarray, scale: Any) -> np.ndarray:
        """a_k sqrt(g_k scale)."""
        return a * self.sqrt(g * scale)

    def quotient(self, a: Any, b: Any) -> Any:
        """a/b, where that is no longer an element too."""
        return a / b

    def reduced(self, s: np.ndarray, scale: Any) -> tuple[np.ndarray, Any]:
        """The same s^T R s times scale, in a form that is cheaper to compute with."""
        return s, scale

    # Batches of polynomials in z, stacked into rows of coefficients; sum_p w_p L[a,p] R[b,p]; products.

    def polynomials(self, rows: np.ndarray) -> Any:
        """Polynomials in z from their rows of coefficients, one for each column."""
        return Polynomials(rows, self)

    def convolved(self, a: Any, b: Any) -> Any:
        """The rows of a product of polynomials from those of its factors."""
        rows = self.zeros((len(a) + len(b) - 1, a.shape[1]))
        for k in range(len(b)):
            piece = slice(k, k + len(a))
            rows[piece] = rows[piece] + a * b[k]
        return rows

    def stack(self, batches: list, lengths: list[int], count: int) -> Any:
        """A row of ones, then batch by batch the rows of coefficients."""
        rows = [self._rows(batch, length) for batch, length in zip(batches, lengths, strict=True)]
        return np.concatenate([self.array([[fmpq(1)] * count]), *rows])

    def _rows(self, batch: Any, length: int) -> np.ndarray:
        return batch.rows

    def contract(self, left: Any, w: np.ndarray, right: Any) -> np.ndarray:
        """sum_p w_p L[a,p] R[b,p], of two stacks."""
        return self.matmul(left * w, right.T)

    def dot(self, w: np.ndarray, form: np.ndarray) -> Any:
        """sum_p w_p F_p."""
        return (w * form).sum()

    def matmul(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """The matrix product."""
        return a @ b

    def grouped(self, a: np.ndarray, starts: np.ndarray) -> Any:
        """Sums of neighbouring columns, each group beginning at one of ``starts``."""
        return np.add.reduceat(a, starts, axis=1)


class Float(Arithmetic):
    """float64, through NumPy."""

    name, title = "float", "float64"
    max_degree = 450  # monic values shrink like 2**-k; below this nothing underflows
    pair_seconds, whole_seconds, number_bytes = (3e-8, 3e-9), 1e-8, (8, 0.0)

    def __init__(self) -> None:
        super().__init__(real)
        self.bits = 53

    def given(self, values: np.ndarray) -> np.ndarray:
        return values.astype(float) if values.dtype.kind in "fiu" else self.array(values)

    def returned(self, array: np.ndarray) -> np.ndarray:
        return array

    def array(self, values: Any) -> np.ndarray:
        return super().array(values).astype(float)

    def elements(self, values: Iterable) -> np.ndarray:
        return np.array([float(x) for x in values])

    def zeros(self, shape: tuple[int, ...]) -> np.ndarray:
        return np.zeros(shape)

    def sqrt(self, x: Any) -> Any:
        return np.sqrt(x)

    def constant(self, rational: fmpq, two: fmpq, gammas: Iterable[tuple[fmpq, int]]) -> float:
        return float(Ball(20).constant(rational, two, gammas))


class Mp(Arithmetic):
    """mpmath, in a context of its own."""

    name, title, takes_digits = "mp", "mpmath", True
    pair_seconds, whole_seconds, number_bytes = (1.2e-5, 6.5e-7), 4e-7, (320, 0.25)

    def __init__(self, digits: int) -> None:
        from . import fixed

        self.fixed = fixed
        self.context = context(bits(digits))
        super().__init__(lambda q: self.context.mpf(int(q.p)) / int(q.q), digits)

    def sqrt(self, x: Any) -> Any:
        return np.frompyfunc(self.context.sqrt, 1, 1)(x)

    def constant(self, rational: fmpq, two: fmpq, gammas: Iterable[tuple[fmpq, int]]) -> Any:
        value = self(rational) * self.context.mpf(2) ** self(two)
        for f, e in gammas:
            value *= self.context.gamma(self(f)) ** e
        return value

    def polynomials(self, rows: np.ndarray) -> Any:
        return self.fixed.Fixed.of(rows, self.context)

    def _rows(self, batch: Any, length: int) -> np.ndarray:
        return batch.numbers()

    def matmul(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return self.fixed.matmul(a, b, self.context)


class Ball(Arithmetic):
    """Arb's balls: each holds the number it stands for."""

    name, title, takes_digits = "ball", "balls", True
    encloses = sharpens = True
    pair_seconds, whole_seconds, number_bytes = (4.2e-6, 3.9e-8), 1e-7, (140, 0.25)

    def __init__(self, digits: int | None = None) -> None:
        """Without ``digits``: at python-flint's precision as it is now."""
        super().__init__(arb, ctx.dps if digits is None else digits)
        self.bits = ctx.prec if digits is None else bits(digits)

    def __reduce__(self) -> tuple[Any, ...]:
        return Ball, (self.digits,), {"bits": self.bits}

    def __call__(self, value: Any) -> arb:
        with self.scope():  # a number that enters outside a scope must not be rounded to 53 bits
            return arb(QQ(value))

    @contextmanager
    def scope(self) -> Iterator[None]:
        with precision_bits(self.bits):
            yield

    def sqrt(self, x: Any) -> Any:
        return np.frompyfunc(arb.sqrt, 1, 1)(x)

    def constant(self, rational: fmpq, two: fmpq, gammas: Iterable[tuple[fmpq, int]]) -> arb:
        with self.scope():
            value = arb(rational) * arb(2) ** arb(two)
            for f, e in gammas:
                value *= arb(f).gamma() ** e
            return value

    def polynomials(self, rows: np.ndarray) -> np.ndarray:
        return object_vector(arb_poly(list(column)) for column in zip(*rows, strict=True))

    def _rows(self, batch: Any, length: int) -> np.ndarray:
        return np.array([[p[k] for p in batch] for k in range(length)], dtype=object)

    def matmul(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        product = arb_mat(a.tolist()) * arb_mat(b.tolist())
        return np.array(product.entries(), dtype=object).reshape(product.nrows(), product.ncols())


class Verified(Arithmetic):
    """float64 with proved error bounds: arrays are ``MidRad``, single numbers Arb's balls."""

    name, title = "verified", "float64 with error bounds"
    level, quicker = "float", None
    encloses = True
    max_degree = 450
    pairs, pairs_kept = 2**13, 2**17
    pair_seconds, whole_seconds, number_bytes = (1e-8, 5e-10), 2e-8, (16, 0.0)

    def __init__(self) -> None:
        super().__init__(Ball(20))

    def single(self) -> Arithmetic:
        return Ball(self.digits)

    def array(self, values: Any) -> Any:
        return MidRad.of(values)

    def elements(self, values: Iterable) -> Any:
        return values if isinstance(values, MidRad) else MidRad.from_balls(list(values))

    def recurrence_arithmetic(self, count: int) -> Arithmetic:
        """Balls, if these are not too many: by recurrence the radii of float64 grow with the degree."""
        return Ball(RECURRING) if count <= _MANY else self

    def from_recurrence(self, array: Any) -> Any:
        return array if isinstance(array, MidRad) else MidRad.from_balls(array)

    def rows(self, rows: list) -> Any:
        return MidRad.stack(rows)

    def zeros(self, shape: tuple[int, ...]) -> Any:
        return MidRad.zeros(shape)

    def members(self, array: Any) -> np.ndarray:
        return array.balls()

    @contextmanager
    def scope(self) -> Iterator[None]:
        with Ball(20).scope(), np.errstate(all="ignore"):  # what overflows proves nothing
            yield

    def constant(self, rational: fmpq, two: fmpq, gammas: Iterable[tuple[fmpq, int]]) -> arb:
        return Ball(20).constant(rational, two, gammas)

    def roots(self, a: Any, g: Any, scale: Any) -> np.ndarray:
        return Ball(20).roots(a.balls(), g.balls(), scale)

    def convolved(self, a: Any, b: Any) -> Any:
        return convolve(a, b)

    def stack(self, batches: list, lengths: list[int], count: int) -> Any:
        return MidRad.concatenate([MidRad(np.ones((1, count))), *(batch.rows for batch in batches)])

    def grouped(self, a: Any, starts: np.ndarray) -> Any:
        return a.grouped(starts)


class Exact(Arithmetic):
    """FLINT's rationals."""

    name, title = "exact", "rationals"
    level = "exact"
    exact = True
    pairs = None
    pair_seconds, number_bytes = (8e-6, 4e-7), (90, 0.4)

    def __init__(self) -> None:
        super().__init__(lambda q: q)

    def sqrt(self, x: Any) -> Any:
        raise BadParameter("arithmetic", "exact", "has no square roots", "take balls, or the squares")

    def roots(self, a: np.ndarray, g: np.ndarray, scale: Any) -> np.ndarray:
        """In SymPy, which has the roots."""
        from sympy import sqrt

        scaled = symbolic(scale)
        return object_vector(symbolic(x) * sqrt(symbolic(y) * scaled) for x, y in zip(a, g, strict=True))

    def constant(self, rational: fmpq, two: fmpq, gammas: Iterable[tuple[fmpq, int]]) -> fmpq:
        irrational = [f"2^({two})"] * (two.q != 1) + [f"Gamma({f})" for f, _ in gammas]
        if irrational:
            hint = "take ratios to h_0, or the arithmetic 'ball'"
            raise BadParameter("arithmetic", "exact", f"has no {irrational[0]}", hint)
        return rational * fmpq(2) ** int(two.p)

    def enter(self, a: Any) -> tuple[Arithmetic, np.ndarray, Any]:
        return a.exactly()

    def reduced(self, s: np.ndarray, scale: Any) -> tuple[np.ndarray, Any]:
        """One denominator, moved to the scale: fractions of 10^5 bits should not meet a gcd again."""
        denominator, numerators = over_common_denominator(s)
        return object_vector(map(fmpq, numerators)), scale / fmpq(denominator * denominator)

    def polynomials(self, rows: np.ndarray) -> np.ndarray:
        return object_vector(fmpq_poly(list(column)) for column in zip(*rows, strict=True))

    def dot(self, w: np.ndarray, form: np.ndarray) -> Any:
        (p, weights), (q, numerators) = over_common_denominator(w), over_common_denominator(form)
        return fmpq(sum((a * b for a, b in zip(weights, numerators, strict=True)), fmpz(0)), p * q)

    def stack(self, batches: list, lengths: list[int], count: int) -> Any:
        """Integer rows, each with its one denominator."""
        denominators, rows = [fmpz(1)], [[fmpz(1)] * count]
        for batch, length in zip(batches, lengths, strict=True):
            common = fmpz(1)
            for p in batch:
                common = common.lcm(p.denom())
            scaled = [(p.numer(), common // p.denom()) for p in batch]
            denominators += [common] * length
            rows += [[p[k] * c for p, c in scaled] for k in range(length)]
        return denominators, rows

    def contract(self, left: Any, w: np.ndarray, right: Any) -> np.ndarray:
        """sum_p w_p L[a,p] as a column (all coordinates are on the left, see ``cost.split``).

        Weights much longer than the kernels are cut into limbs of the kernels' own length, so that FLINT
        multiplies two balanced integer matrices instead of long numbers by short ones.
        """
        denominators, rows = left
        common, numerators = over_common_denominator(w)
        limb = max(64, *(abs(x).bit_length() for row in rows for x in row))
        count = max(abs(x).bit_length() for x in numerators) // limb + 1
        product = fmpz_mat(rows) * fmpz_mat([_limbs(x, limb, count) for x in numerators])
        sums = [sum((product[i, k] << (limb * k) for k in range(count)), fmpz(0)) for i in range(len(rows))]
        return object_vector(fmpq(total, q * common) for total, q in zip(sums, denominators, strict=True))[
            :, None
        ]

    def matmul(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        product = fmpq_mat(a.tolist()) * fmpq_mat(b.tolist())  # over common denominators
        return np.array(product.entries(), dtype=object).reshape(product.nrows(), product.ncols())


def over_common_denominator(values: Iterable[fmpq]) -> tuple[fmpz, list[fmpz]]:
    """The least common denominator, and the numerators over it."""
    values = list(values)
    common = fmpz(1)
    for v in values:
        common = common.lcm(v.q)
    return common, [v.p * (common // v.q) for v in values]


def _limbs(x: fmpz, limb: int, count: int) -> list[fmpz]:
    """x = sum_k digit_k 2^(limb k), all digits of the sign of x."""
    mask, sign, rest = (fmpz(1) << limb) - 1, (-1 if x < 0 else 1), abs(x)
    return [sign * ((rest >> (limb * k)) & mask) for k in range(count)]


def object_vector(items: Iterable) -> np.ndarray:
    """A one-dimensional object array; NumPy would unpack FLINT's polynomials, which have a length."""
    return np.fromiter(items, dtype=object)


ARITHMETICS: dict[str, Any] = {kind.name: kind for kind in (Float, Mp, Verified, Ball, Exact)}


def arithmetic(name: str, digits: int = 50) -> Arithmetic:
    """``"float"``, ``"mp"``, ``"ball"``, ``"verified"`` or ``"exact"``; digits matter to mp and ball."""
    bits(digits)
    if name not in ARITHMETICS:
        raise BadParameter("arithmetic", repr(name), "is unknown", "take " + ", ".join(ARITHMETICS))
    kind = ARITHMETICS[name]
    return kind(digits) if kind.takes_digits else kind()
