"""The doors: how numbers enter, leave, take a root, and meet in a sum of products.

``QQ`` is the one way in. Four arithmetics (``arithmetic(name, digits)``) then turn an exact
rational into their own element; after that plain operators do the work, and the algorithms of
this package never ask which arithmetic they run on.

>>> QQ("0.1"), QQ(0.5), QQ("0x1.8p-1"), QQ("-3/7")
(1/10, 1/2, 3/4, -3/7)
>>> arithmetic("ball", 30)(QQ("1/3")).overlaps(arb(1)/3)
True
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from decimal import ROUND_CEILING, Context, Decimal
from numbers import Rational, Real
from typing import Any

import numpy as np
from flint import arb, arb_mat, arb_poly, ctx, fmpq, fmpq_mat, fmpq_poly, fmpz, fmpz_mat

from .errors import BadParameter, NotANumber, TooLarge

MAX_EXPONENT = 20_000
MAX_DIGITS = 100_000
_RATIONAL = re.compile(r"([+-]?\d+)(?:/(\d+))?", re.ASCII)
_DECIMAL = re.compile(r"([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d{1,8}))?", re.ASCII)
_HEX = re.compile(r"([+-]?)0[xX]([0-9a-fA-F]*)\.?([0-9a-fA-F]*)(?:[pP]([+-]?\d{1,8}))?", re.ASCII)


def QQ(value: Any, place: str = "value") -> fmpq:
    """The exact rational a number stands for: a decimal is that decimal, a float its dyadic value.

    >>> QQ("0.1"), QQ(0.1) == QQ("0.1"), QQ("-3/7")
    (1/10, False, -3/7)
    """
    if isinstance(value, fmpq):
        return value
    if isinstance(value, str):
        return _parse(value.strip(), place)
    if isinstance(value, bool | np.bool_):
        raise NotANumber(value, place)
    if isinstance(value, fmpz):
        return fmpq(value)
    if isinstance(value, Rational):  # Python's, NumPy's and SymPy's integers and fractions
        return fmpq(int(value.numerator), int(value.denominator))
    if is_mpf(value) and value.context.isfinite(value):
        sign, man, exp, _ = value._mpf_
        return dyadic(-int(man) if sign else int(man), int(exp))
    if isinstance(value, Decimal | Real):  # exact for Decimal, float and NumPy's reals
        try:
            p, q = value.as_integer_ratio()  # type: ignore[union-attr]
        except (ValueError, OverflowError, AttributeError):
            raise NotANumber(value, place) from None
        return fmpq(int(p), int(q))
    raise NotANumber(value, place)


def _parse(text: str, place: str) -> fmpq:
    if match := _RATIONAL.fullmatch(text):
        p, q = fmpz(match[1].lstrip("+")), fmpz(match[2] or 1)
        if q != 0:
            return fmpq(p, q)
    elif match := _HEX.fullmatch(text):
        sign, whole, part, exp = match[1], match[2], match[3], int(match[4] or 0)
        if (whole or part) and abs(exp) <= MAX_EXPONENT * 4:
            return dyadic(int(sign + whole + part, 16), exp - 4 * len(part))
    elif match := _DECIMAL.fullmatch(text):
        sign, whole, part, exp = match[1], match[2], match[3], int(match[4] or 0)
        if (whole or part) and abs(exp) <= MAX_EXPONENT:
            man, exp = fmpz((sign if sign == "-" else "") + whole + part), exp - len(part)
            return fmpq(man * fmpz(10) ** exp) if exp >= 0 else fmpq(man, fmpz(10) ** -exp)
    raise NotANumber(text, place)


def is_mpf(value: Any) -> bool:
    return hasattr(value, "_mpf_") and hasattr(value, "context")  # arb has the first, mpmath both


def dyadic(man: int | fmpz, exp: int) -> fmpq:
    """man * 2**exp, exactly."""
    two = fmpz(2) ** abs(exp)
    return fmpq(man * two) if exp >= 0 else fmpq(man, two)


def text(value: Any) -> Any:
    """Text that ``QQ`` (or, for a ball, two of them) reads back without loss."""
    if isinstance(value, arb):
        return [text(_dyadic_of(value.mid())), text(_dyadic_of(value.rad()))]
    q = QQ(value)
    two = int(q.q) & -int(q.q)
    if q.q == two and two > 2**20:  # a long dyadic: hex is shorter than p/q
        sign = "-" if q < 0 else ""
        return f"{sign}0x{int(abs(q.p)):x}p-{two.bit_length() - 1}"
    for digits in range(13):
        if (fmpz(10) ** digits) % q.q == 0:
            return _fixed(q, digits)
    return f"{q.p}/{q.q}"


def _fixed(q: fmpq, digits: int) -> str:
    """q, a multiple of 10**-digits, in positional decimals."""
    body = str(abs(q.p * fmpz(10) ** digits / q.q)).rjust(digits + 1, "0")
    body = f"{body[:-digits]}.{body[-digits:]}" if digits else body
    return ("-" if q < 0 else "") + body


def _dyadic_of(exact: arb) -> fmpq:
    man, exp = exact.man_exp()
    return dyadic(man, int(exp))


def contains(ball: arb, q: fmpq) -> bool:
    """Whether the ball holds the rational, exactly (arb.contains rounds q to a ball of its own first)."""
    return abs(q - _dyadic_of(ball.mid())) <= _dyadic_of(ball.rad())


def decimal(value: Any, digits: int = 16) -> str:
    """A readable decimal of at most ``digits`` significant digits; a ball shows only what it proves."""
    if isinstance(value, float):
        return f"{value:.{min(digits, 17)}g}"
    if is_mpf(value):
        return value.context.nstr(value, digits)
    if hasattr(value, "ball"):
        value = value.ball(digits + 5)
    with precision(digits + 5):
        ball = value if isinstance(value, arb) else arb(QQ(value))
        if ball.contains(0) and not ball.is_zero():
            mid, rad, exp = arb(ball.abs_upper()).mid_rad_10exp(2)
            return f"0 ± {Context(2, ROUND_CEILING).create_decimal(f'{mid + rad}e{exp}'):.2g}"
        return ball.str(digits, radius=False) if ball.is_finite() else "undefined"


@contextmanager
def precision(digits: int) -> Iterator[None]:
    """python-flint's precision is process-global; this sets it and puts it back."""
    with ctx.workprec(bits(digits)):
        yield


def bits(digits: int) -> int:
    if not isinstance(digits, int) or not 1 <= digits <= MAX_DIGITS:
        raise BadParameter("digits", digits, f"is not an integer from 1 to {MAX_DIGITS}", "try digits=50")
    return digits * 3322 // 1000 + 32


class Polynomials:
    """A batch of polynomials in z: ``rows[k]`` holds the coefficients of z**k, one column each."""

    def __init__(self, rows: np.ndarray):
        self.rows = rows

    def __add__(self, other: Polynomials) -> Polynomials:
        return Polynomials(self.rows + other.rows)

    def __mul__(self, other: Polynomials) -> Polynomials:
        rows = np.zeros((len(self.rows) + len(other.rows) - 1, self.rows.shape[1]), self.rows.dtype)
        for k, row in enumerate(other.rows):
            rows[k : k + len(self.rows)] += self.rows * row
        return Polynomials(rows)


class Arithmetic:
    """Elements of one kind. ``A(q)`` lets a rational in; the rest is what operators cannot say."""

    def __init__(self, name: str, number: Callable[[fmpq], Any], digits: int = 15):
        self.name, self.number, self.digits = name, number, digits

    def __repr__(self) -> str:
        return f"arithmetic({self.name!r}, {self.digits})"

    def __call__(self, value: Any) -> Any:
        return self.number(QQ(value))

    def array(self, values: Any) -> np.ndarray:
        """An array of elements from an array of rationals."""
        values = np.asarray(values, dtype=object)
        return vector(self(v) for v in values.flat).reshape(values.shape)

    @contextmanager
    def scope(self) -> Iterator[None]:
        yield

    def sqrt(self, x: Any) -> Any:
        return x.sqrt()

    # Batches of polynomials in z, stacked into rows of coefficients; sum_p w_p L[a,p] R[b,p]; products.

    def polynomials(self, rows: np.ndarray) -> Any:
        return Polynomials(rows)

    def stack(self, batches: list, lengths: list[int], count: int) -> Any:
        """A row of ones, then batch by batch the rows of coefficients."""
        rows = [self._rows(batch, length) for batch, length in zip(batches, lengths, strict=True)]
        return np.concatenate([self.array([[fmpq(1)] * count]), *rows])

    def _rows(self, batch: Any, length: int) -> np.ndarray:
        return batch.rows

    def contract(self, left: Any, w: np.ndarray, right: Any) -> np.ndarray:
        return self.matmul(left * w, right.T)

    def dot(self, w: np.ndarray, form: np.ndarray) -> Any:
        return (w * form).sum()

    def matmul(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return a @ b

    def split(self, d: int) -> int:
        """How many of d coordinates go to the left factor of ``contract``."""
        return (d + 1) // 2


class _Float(Arithmetic):
    def __init__(self) -> None:
        super().__init__("float", _float, 15)

    def array(self, values: Any) -> np.ndarray:
        return super().array(values).astype(float)

    def sqrt(self, x: Any) -> Any:
        return np.sqrt(x)


def _float(q: fmpq) -> float:
    try:
        return int(q.p) / int(q.q)
    except OverflowError:
        raise TooLarge("a number", decimal(q, 5), "float64 holds", "take the arithmetic 'ball'") from None


class _Mp(Arithmetic):
    def __init__(self, digits: int) -> None:
        import mpmath

        self.context = mpmath.MPContext()  # never the global one
        self.context.prec = bits(digits)
        super().__init__("mp", lambda q: self.context.mpf(int(q.p)) / int(q.q), digits)

    def sqrt(self, x: Any) -> Any:
        return np.frompyfunc(self.context.sqrt, 1, 1)(x)

    def matmul(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        out, columns = np.empty((len(a), b.shape[1]), dtype=object), [list(c) for c in b.T]
        for i, row in enumerate(a):
            out[i] = [self.context.fdot(row, column) for column in columns]
        return out


class _Ball(Arithmetic):
    def __init__(self, digits: int) -> None:
        super().__init__("ball", arb, digits)
        self.bits = bits(digits)

    def __call__(self, value: Any) -> arb:
        with self.scope():  # a number that enters outside a scope must not be rounded to 53 bits
            return arb(QQ(value))

    @contextmanager
    def scope(self) -> Iterator[None]:
        with ctx.workprec(self.bits):
            yield

    def sqrt(self, x: Any) -> Any:
        return np.frompyfunc(arb.sqrt, 1, 1)(x)

    def polynomials(self, rows: np.ndarray) -> np.ndarray:
        return vector(arb_poly(list(column)) for column in zip(*rows, strict=True))

    def _rows(self, batch: Any, length: int) -> np.ndarray:
        return np.array([[p[k] for p in batch] for k in range(length)], dtype=object)

    def matmul(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        product = arb_mat(a.tolist()) * arb_mat(b.tolist())
        return np.array(product.entries(), dtype=object).reshape(product.nrows(), product.ncols())


class _Exact(Arithmetic):
    def __init__(self) -> None:
        super().__init__("exact", lambda q: q)

    def sqrt(self, x: Any) -> Any:
        raise BadParameter("arithmetic", "exact", "has no square roots", "take balls, or the squares")

    def polynomials(self, rows: np.ndarray) -> np.ndarray:
        return vector(fmpq_poly(list(column)) for column in zip(*rows, strict=True))

    def dot(self, w: np.ndarray, form: np.ndarray) -> Any:
        if any(isinstance(x, fmpq_poly) for x in w):
            return (w * form).sum()
        (p, weights), (q, numerators) = over_common_denominator(w), over_common_denominator(form)
        return fmpq(sum((a * b for a, b in zip(weights, numerators, strict=True)), fmpz(0)), p * q)

    def split(self, d: int) -> int:
        return d  # the weights carry 10^5 bits, the kernels 10^3: keep the weights in one vector

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
        """sum_p w_p L[a,p] as a column (all coordinates are on the left, see ``split``).

        Weights much longer than the kernels are cut into limbs of the kernels' own length, so that FLINT
        multiplies two balanced integer matrices instead of long numbers by short ones.
        """
        denominators, rows = left
        if any(isinstance(x, fmpq_poly) for x in w):
            totals = (sum((x * c for x, c in zip(w, row, strict=True)), fmpq_poly([])) for row in rows)
            return vector(total / q for total, q in zip(totals, denominators, strict=True))[:, None]
        common, numerators = over_common_denominator(w)
        limb = max(64, *(abs(x).bit_length() for row in rows for x in row))
        count = max(abs(x).bit_length() for x in numerators) // limb + 1
        product = fmpz_mat(rows) * fmpz_mat([_limbs(x, limb, count) for x in numerators])
        sums = [sum((product[i, k] << (limb * k) for k in range(count)), fmpz(0)) for i in range(len(rows))]
        return vector(fmpq(total, q * common) for total, q in zip(sums, denominators, strict=True))[:, None]

    def matmul(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        if any(isinstance(x, fmpq_poly) for x in (*a.flat, *b.flat)):
            return a @ b
        product = fmpq_mat(a.tolist()) * fmpq_mat(b.tolist())  # over common denominators
        return np.array(product.entries(), dtype=object).reshape(product.nrows(), product.ncols())


def over_common_denominator(values: Iterable[fmpq]) -> tuple[fmpz, list[fmpz]]:
    values = list(values)
    common = fmpz(1)
    for v in values:
        common = common.lcm(v.q)
    return common, [v.p * (common // v.q) for v in values]


def _limbs(x: fmpz, limb: int, count: int) -> list[fmpz]:
    """x = sum_k digit_k 2^(limb k), all digits of the sign of x."""
    mask, sign, rest = (fmpz(1) << limb) - 1, (-1 if x < 0 else 1), abs(x)
    return [sign * ((rest >> (limb * k)) & mask) for k in range(count)]


def vector(items: Iterable) -> np.ndarray:
    """A one-dimensional object array; NumPy would unpack FLINT's polynomials, which have a length."""
    return np.fromiter(items, dtype=object)


def arithmetic(name: str, digits: int = 50) -> Arithmetic:
    """``"float"``, ``"mp"``, ``"ball"`` or ``"exact"``; digits matter to mp and ball."""
    bits(digits)
    makers: dict[str, Callable[[], Arithmetic]] = {
        "float": _Float,
        "mp": lambda: _Mp(digits),
        "ball": lambda: _Ball(digits),
        "exact": _Exact,
    }
    if name not in makers:
        raise BadParameter("arithmetic", repr(name), "is unknown", "take " + ", ".join(makers))
    return makers[name]()


def door(x: Any) -> Callable[[fmpq], Any]:
    """How a rational coefficient enters the arithmetic that x (a number, an array, a polynomial) is in."""
    if isinstance(x, np.ndarray):
        return door(x.flat[0] if x.size and x.dtype == object else 0.0)
    if isinstance(x, float | np.floating | complex):
        return _float
    if is_mpf(x):
        return lambda q: x.context.mpf(int(q.p)) / int(q.q)
    if hasattr(x, "is_Rational"):  # SymPy
        import sympy

        return lambda q: sympy.Rational(int(q.p), int(q.q))
    return lambda q: q
