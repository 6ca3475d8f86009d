"""Midpoint-radius arrays in float64 with proved error bounds.

The rounding mode is always to nearest: |fl(x op y) - x op y| <= u |fl(x op y)| + eta, and the error of a sum
of k products, in any order and with or without fused operations, is at most gamma_k sum |x_i y_i| + k eta
(Higham, Accuracy and Stability, 3.1 and 4.2). If the terms are added in groups of at most r, and then the n
sums of the groups, the error is at most gamma_r S + gamma_n (1 + gamma_r) S <= gamma_(r + n) S for the sum S
of the absolute values (the same, lemma 3.3): long sums are computed in two levels.

Radii are sums and products of nonnegative numbers, computed in float64 and then enlarged by more than their
own rounding errors (``INFLATION``, ``UNDERFLOW_BOUND``). An overflow gives an infinite or undefined radius,
with which no comparison is true.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import fsum, inf, isqrt
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt
from flint import arb, fmpq

FloatArray = npt.NDArray[np.float64]
_Radius = TypeVar("_Radius", float, FloatArray)

UNIT_ROUNDOFF = 2.0**-53
INFLATION = 1 + 2.0**-48  # exceeds the effect of ten roundings
_LARGEST = 2**53  # integers up to here are float64
_SMALLEST = 2**1000  # larger denominators may be beyond float64
_MAX_SUM = 512  # number of terms above which the sums of a product of matrices are split
_MAX_SHORT_SUM = 64  # the same for sums of elements, and for a product with one vector
_ROW_SUM = 128  # the same for products of all pairs of rows
_TINY = arb(2) ** -2000
_SMALLEST_NORMAL = 2.0**-1022
UNDERFLOW_BOUND = 2.0**-1000  # exceeds the effect of a million underflows, flushed to zero or not


def _nearest_float(p: int, q: int) -> float:
    """Return the float64 nearest to p/q, or an infinity if there is none."""
    try:
        return p / q  # rounded correctly
    except OverflowError:
        return inf if p > 0 else -inf


def _middle_and_radius(ball: arb) -> tuple[float, float]:
    """Return a float64 and its greatest distance from a point of the ball, up to ten roundings."""
    if not ball.is_finite():
        return 0.0, inf
    if abs(ball) < _TINY and not ball.is_zero():  # a float64 would underflow
        return 0.0, UNDERFLOW_BOUND
    mid = float(ball)
    return mid, float(ball.rad()) + (0.0 if ball.mid() == mid else abs(mid) * 2 * UNIT_ROUNDOFF)


def _is_float(p: int, q: int) -> bool:
    """Return whether p/q, in lowest terms, is a float64."""
    if -_LARGEST <= p <= _LARGEST:
        return q & (q - 1) == 0 and q < _SMALLEST
    return q == 1 and p.bit_length() <= 1000 and int(float(p)) == p


def rounding_gamma(k: int) -> float:
    """Return an upper bound of gamma_k = k u/(1 - k u)."""
    return (k + 2) * UNIT_ROUNDOFF * (1 + (k + 2) * 2.0**-50)


def _rounding_shares(size: FloatArray, k: int) -> FloatArray:
    """Return upper bounds of gamma_k |x|, for factors that may enlarge an underflow."""
    return rounding_gamma(k) * size + _SMALLEST_NORMAL * (size > 0)


def _group_size(k: int, least: int) -> int:
    """Return the terms of a group of a sum of k terms: at least the root of k, so that there are no more."""
    return max(least, isqrt(k) + 1)


def enlarge_radius(radius: _Radius, k: int = 0) -> _Radius:
    """Enlarge a radius by more than the rounding errors of up to ten operations and sums of k terms."""
    return radius * (INFLATION + 4 * k * UNIT_ROUNDOFF) + UNDERFLOW_BOUND


class MidRad:
    """An array of balls in float64. Single elements and sums of all elements are python-flint balls."""

    __array_ufunc__ = None  # let MidRad handle ``ndarray op MidRad``
    __slots__ = ("mid", "rad")
    dtype = np.dtype(object)

    def __init__(self, mid: Any, rad: Any = None):
        self.mid: FloatArray = np.asarray(mid, dtype=float)
        self.rad: FloatArray = np.zeros(self.mid.shape) if rad is None else np.asarray(rad, dtype=float)

    # Conversion.

    @classmethod
    def from_rationals(cls, values: Any) -> MidRad:
        """Enclose an array of rationals; the radius is 0 if a rational is a float64."""
        values = np.asarray(values, dtype=object)
        mid, rad = np.zeros(values.size), np.zeros(values.size)
        nonzero = [(i, int(q.p), int(q.q)) for i, q in enumerate(values.flat) if q]
        places = [i for i, _, _ in nonzero]
        near: FloatArray = np.array([_nearest_float(p, q) for _, p, q in nonzero], dtype=float)
        same = np.array([_is_float(p, q) for _, p, q in nonzero], dtype=bool)
        radius: FloatArray = abs(near) * 2 * UNIT_ROUNDOFF
        mid[places], rad[places] = near, np.where(same, 0.0, enlarge_radius(radius))
        return cls(mid.reshape(values.shape), rad.reshape(values.shape))

    @classmethod
    def from_balls(cls, balls: Any) -> MidRad:
        """Enclose an array of python-flint balls."""
        balls = np.asarray(balls, dtype=object)
        pairs = np.array([_middle_and_radius(x) for x in balls.flat]).reshape(*balls.shape, 2)
        return cls(pairs[..., 0], enlarge_radius(pairs[..., 1]))

    @classmethod
    def zeros(cls, shape: Any) -> MidRad:
        """Return an array of exact zeros."""
        return cls(np.zeros(shape))

    @classmethod
    def stack(cls, rows: list[MidRad]) -> MidRad:
        """Return a matrix from a list of its rows."""
        return cls(np.stack([row.mid for row in rows]), np.stack([row.rad for row in rows]))

    @classmethod
    def concatenate(cls, parts: list[MidRad]) -> MidRad:
        """Join arrays along the first axis."""
        return cls(np.concatenate([p.mid for p in parts]), np.concatenate([p.rad for p in parts]))

    def balls(self) -> np.ndarray:
        """Return an array of python-flint balls."""
        out = np.empty(self.mid.shape, dtype=object)
        for i, x in np.ndenumerate(self.mid):
            out[i] = arb(float(x), float(self.rad[i]))
        return out

    def ball(self) -> arb:
        """Return the only element as a python-flint ball."""
        return arb(float(self.mid), float(self.rad))

    def copy(self) -> MidRad:
        return MidRad(self.mid.copy(), self.rad.copy())

    # Shape.

    @property
    def shape(self) -> tuple[int, ...]:
        return self.mid.shape

    @property
    def size(self) -> int:
        return self.mid.size

    @property
    def T(self) -> MidRad:
        return MidRad(self.mid.T, self.rad.T)

    def reshape(self, *shape: Any) -> MidRad:
        return MidRad(self.mid.reshape(*shape), self.rad.reshape(*shape))

    def __len__(self) -> int:
        return len(self.mid)

    def __getitem__(self, i: Any) -> Any:
        found = MidRad(self.mid[i], self.rad[i])
        return found if found.shape else found.ball()

    def __setitem__(self, i: Any, value: Any) -> None:
        value = _to_midrad(value)
        self.mid[i], self.rad[i] = value.mid, value.rad

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    # Arithmetic.

    def __neg__(self) -> MidRad:
        return MidRad(-self.mid, self.rad)

    def __add__(self, other: Any) -> MidRad:
        other = _to_midrad(other)
        mid = self.mid + other.mid
        return MidRad(mid, enlarge_radius(self.rad + other.rad + UNIT_ROUNDOFF * abs(mid)))

    __radd__ = __add__

    def __sub__(self, other: Any) -> MidRad:
        return self + -_to_midrad(other)

    def __rsub__(self, other: Any) -> MidRad:
        return -self + _to_midrad(other)

    def __mul__(self, other: Any) -> MidRad:
        other = _to_midrad(other)
        mid = self.mid * other.mid
        rad = UNIT_ROUNDOFF * abs(mid)
        if other.rad.any():
            rad = rad + (abs(self.mid) + self.rad) * other.rad
        if self.rad.any():
            rad = rad + self.rad * abs(other.mid)
        return MidRad(mid, enlarge_radius(rad))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> MidRad:
        return self * reciprocal(_to_midrad(other))

    def __rtruediv__(self, other: Any) -> MidRad:
        return reciprocal(self) * _to_midrad(other)

    def __matmul__(self, other: Any) -> MidRad:
        """Return the matrix product, with the radius |A| (rad B + gamma |B|) + rad A (|B| + rad B).

        Long sums are computed in groups (see the module), since gamma_k grows with k.
        """
        other = _to_midrad(other)
        k, is_vector = self.mid.shape[-1], other.mid.ndim == 1 or other.mid.shape[1] == 1
        step = _group_size(k, _MAX_SHORT_SUM) if is_vector else _MAX_SUM
        size = abs(other.mid)
        around = other.rad + _rounding_shares(size, k if k <= step else step + -(-k // step))
        whole = size + other.rad if self.rad.any() else None
        mid: Any = 0.0
        rad: Any = 0.0
        for start in range(0, max(k, 1), step):
            part = slice(start, start + step)
            own = self.mid[..., part]
            mid = mid + own @ other.mid[part]
            rad = rad + abs(own) @ around[part]
            if whole is not None:
                rad = rad + self.rad[..., part] @ whole[part]
        return MidRad(mid, enlarge_radius(rad, k))

    def __rmatmul__(self, other: Any) -> MidRad:
        return _to_midrad(other) @ self

    def sum(self, axis: int | None = None) -> Any:
        """Sum along an axis, or all elements into a single ball; long sums in two levels (see the module)."""
        if axis is None:
            return self.reshape(-1).sum(axis=0).ball()
        k = self.shape[axis]
        mid, terms = self.mid, k
        if k > _MAX_SHORT_SUM:
            step = _group_size(k, _MAX_SHORT_SUM)
            mid, terms = np.add.reduceat(mid, np.arange(0, k, step), axis=axis), step + -(-k // step)
        rad: Any = (self.rad + rounding_gamma(terms) * abs(self.mid)).sum(axis)
        return MidRad(mid.sum(axis), enlarge_radius(rad, k))

    def matvec(self, x: MidRad) -> MidRad:
        """Multiply by a long vector, rounding each sum only once (``fsum``)."""
        terms = self * x
        try:
            mid = np.array([fsum(row) for row in terms.mid.tolist()])
        except (OverflowError, ValueError):  # beyond float64, or inf - inf
            mid = np.full(len(terms), np.nan)
        return MidRad(mid, enlarge_radius(terms.rad.sum(axis=1) + UNIT_ROUNDOFF * abs(mid), terms.shape[1]))

    def sum_groups(self, starts: np.ndarray) -> MidRad:
        """Sum groups of neighbouring columns, each from one of ``starts`` to the next."""
        k = self.shape[1]
        radius = self.rad + rounding_gamma(k) * abs(self.mid)
        mid, rad = (np.add.reduceat(x, starts, axis=1) for x in (self.mid, radius))
        return MidRad(mid, enlarge_radius(rad, k))

    def nonzero(self) -> np.ndarray:
        """Return the places of the elements that are not exactly 0."""
        return np.flatnonzero((self.mid != 0) | (self.rad != 0))

    # Bounds.

    def lower(self) -> FloatArray:
        """Return a lower bound of each element."""
        low = self.mid - self.rad
        return low - 4 * UNIT_ROUNDOFF * abs(low) - UNDERFLOW_BOUND

    def abs_upper(self) -> FloatArray:
        """Return an upper bound of the absolute value of each element."""
        return enlarge_radius(abs(self.mid) + self.rad)


def reciprocal(x: MidRad) -> MidRad:
    """Enclose 1/x; the radius is infinite if a ball contains 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        mid = 1 / x.mid
        rest = abs(x.mid) * (1 - 4 * UNIT_ROUNDOFF) - x.rad * INFLATION
        rad = np.where(rest > 0, abs(mid) * (x.rad / rest) + UNIT_ROUNDOFF * abs(mid), np.inf)
    return MidRad(mid, enlarge_radius(rad))


def square_root(x: MidRad) -> MidRad:
    """Enclose the square roots of positive numbers: |sqrt(x) - sqrt(mid)| <= rad/sqrt(mid)."""
    mid = np.sqrt(x.mid)
    return MidRad(mid, enlarge_radius(x.rad / mid * (1 + 4 * UNIT_ROUNDOFF) + 2 * UNIT_ROUNDOFF * mid))


def row_products(a: MidRad) -> MidRad:
    """Enclose a a^T in the time of one product without bounds.

    By the Cauchy-Schwarz inequality sum_k |x_k y_k| <= |x| |y|: the norms of the rows bound all errors.
    """
    m, k = a.shape
    mid = np.zeros((m, m))
    for start in range(0, k, _ROW_SUM):
        part = a.mid[:, start : start + _ROW_SUM]
        mid += part @ part.T
    near, off = (row_norms(x) for x in (a.mid, a.rad))
    whole = near + off
    rounding = rounding_gamma(min(k, _ROW_SUM) + k // _ROW_SUM + 1)
    rad = np.outer(whole, off) + np.outer(off, near) + rounding * np.outer(near, near)
    return MidRad(mid, enlarge_radius(rad))


def row_norms(x: FloatArray) -> FloatArray:
    """Return upper bounds of the norms of the rows, scaled so that no square underflows unnoticed."""
    size = abs(x).max(axis=1, initial=0.0)
    scaled = x / np.where(size > 0, size, 1.0)[:, None]
    scaled_norms = enlarge_radius(np.sqrt((scaled * scaled).sum(axis=1)), x.shape[1])
    norms: FloatArray = size * scaled_norms + _SMALLEST_NORMAL * (size > 0)
    return norms


def _to_midrad(value: Any) -> MidRad:
    if isinstance(value, MidRad):
        return value
    if isinstance(value, arb) or (isinstance(value, np.ndarray) and value.dtype == object):
        return MidRad.from_balls(value)
    if isinstance(value, fmpq):
        return MidRad.from_rationals(value)
    return MidRad(value)  # floats, and integers below 2^53, are exact


def convolve(a: MidRad, b: MidRad) -> MidRad:
    """Return the coefficients of the products of polynomials, one polynomial in each column."""
    short, long = sorted((a, b), key=len)
    size, k = abs(long.mid), len(short)
    mid, rad = (np.zeros((len(long) + k - 1, long.shape[1])) for _ in "mr")
    for i in range(k):
        piece, around = slice(i, i + len(long)), abs(short.mid[i])
        mid[piece] += long.mid * short.mid[i]
        rad[piece] += size * (short.rad[i] + _rounding_shares(around, k))
        rad[piece] += long.rad * (around + short.rad[i])
    return MidRad(mid, enlarge_radius(rad, 2 * k))


class LinearEnclosure(NamedTuple):
    """An enclosure |x - near| <= error of the solutions x of all systems M x = r in the balls.

    Y is an approximate inverse of M, E = I - Y M, and rho = r - M near is the residual, so that
    x - near = Y rho + E (x - near).
    """

    near: FloatArray
    error: FloatArray
    inverse: FloatArray  # Y
    residual: MidRad  # rho
    rest: FloatArray  # upper bound of |E|

    @property
    def x(self) -> MidRad:
        """Enclosure of each unknown."""
        return MidRad(self.near, self.error)

    def matvec(self, rows: MidRad) -> tuple[MidRad, MidRad]:
        """Enclose rows @ near, and rows @ x = rows @ near + (rows @ Y) rho + rows @ E (x - near).

        The second is narrower than rows @ (near +- error), which ignores that the errors of the unknowns
        depend on each other.
        """
        size, first = len(self.near), rows @ MidRad(self.near)
        left = enlarge_radius(rows.abs_upper() @ enlarge_radius(self.rest @ self.error, size), size)
        return first, first + (rows @ self.inverse) @ self.residual + MidRad(0 * left, left)


def solve_linear(M: MidRad, r: MidRad) -> LinearEnclosure | None:
    """Enclose the solutions of all systems M x = r in the balls, or return None if M may be singular.

    Let e_i < 1 be the sums of the rows of |E|, e the largest of them, and d = Y rho. Then
    |x - near|_i <= |d_i| + e_i max|d| / (1 - e), and this is improved by |x - near| <= |d| + |E| |x - near|
    (Rump).
    """
    try:
        Y: FloatArray = np.linalg.inv(M.mid).astype(float, copy=False)
    except np.linalg.LinAlgError:
        return None
    size = len(Y)
    E = MidRad(np.eye(size)) - MidRad(Y) @ M
    around = E.abs_upper()
    rows = enlarge_radius(around.sum(axis=1), size)
    e = rows.max()
    if not e < 1 - 2.0**-20:
        return None
    y = Y @ r.mid
    y = y + Y @ (r.mid - M.mid @ y)
    residual = r - M @ MidRad(y)
    reach = (MidRad(Y) @ residual).abs_upper()
    error = enlarge_radius(reach + rows * reach.max() / ((1 - e) * (1 - 4 * UNIT_ROUNDOFF)))
    return LinearEnclosure(y, enlarge_radius(reach + around @ error, size), Y, residual, around)
