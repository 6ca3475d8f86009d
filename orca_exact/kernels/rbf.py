"""The Gaussian kernel exp(-gamma |x - z|^2), and its indices under uniform, normal and discrete measures.

It is a product kernel (see ``product``); the means and covariances of its factors under uniform and normal
measures are known in closed form.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, reduce
from math import inf
from operator import mul
from typing import Any, ClassVar

import numpy as np
from flint import arb, fmpq

from ..errors import BadParameter
from ..measures.families import Discrete
from ..measures.measure import Measure
from ..measures.probability import Empirical, Normal, Uniform
from ..numbers.arithmetic import Arithmetic, Ball, arithmetic
from ..numbers.elementary import exp
from ..numbers.midrad import (
    UNDERFLOW_BOUND,
    UNIT_ROUNDOFF,
    MidRad,
    enlarge_radius,
    rounding_gamma,
    row_norms,
    row_products,
    square_root,
)
from ..numbers.rationals import precision_digits, to_float
from .polynomial import check_gamma
from .product import ProductDecomposition, ProductKernel, ProductValues, probabilities

_NODES = (8, 16, 32, 64, 128, 256, 400)  # numbers of nodes of Gauss quadrature that are tried
_MOST_WIDTHS = 10**6  # gamma times the squared half width of an interval, up to which nodes may suffice
_LARGEST_EXPONENT = 1e6  # a larger one is replaced by it, which bounds the exponential
_DIGITS = 30  # of balls that become float64
_CHEBYSHEV = (8, 10, 12, 14, 16, 18, 20, 24, 28, 32, 40, 48, 64)  # numbers of nodes that are tried
_STRIP_VALUES = 2**16  # of the kernel that are computed at a time in float64, so that they stay in the cache
_MANY_VALUES = 2**21  # of the kernel, above which they are interpolated
_LEAST_MEAN = 2.0**-6  # of the kernel, for which an absolute error is small enough
_GROUPS = 64  # groups of nodes of a discrete measure for an upper bound


@dataclass(frozen=True, repr=False)
class RBF(ProductKernel):
    """The Gaussian kernel exp(-gamma |x - z|^2).

    Its values are transcendental: certificates have the levels gap, float and ball.

    Parameters
    ----------
    gamma : number or str
        A positive number.

    Examples
    --------
    >>> RBF("1/2")([[0.0, 0.0]], [[1.0, 1.0]]).round(6)
    array([[0.367879]])
    """

    gamma: Any
    columns: int | None = field(default=None, init=False)  # set by ``for_columns``
    family: ClassVar[str] = "rbf"
    name: ClassVar[str] = "RBF kernel"
    formula: ClassVar[str] = "the kernel exp(-gamma |x - z|^2)"
    fields: ClassVar[dict[str, str]] = {"gamma": "the factor of the squared distance, positive"}
    rational: ClassVar[bool] = False
    is_even = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "gamma", check_gamma(self.gamma))

    def factor(self, x: Any, z: Any, A: Arithmetic) -> Any:
        return A.exp((x - z) * (x - z) * -A(self.gamma))

    def check_index_measure(self, measure: Any, place: str) -> None:
        if not isinstance(measure, Uniform | Normal | Empirical | Discrete):
            hint = "pass Empirical(), Uniform(), Normal(mean, sd) or Discrete(nodes, weights)"
            rule = "is not a measure under which indices of the RBF kernel are computed"
            raise BadParameter(place, repr(measure)[:40], rule, hint)

    def at(self, points: np.ndarray, A: Arithmetic) -> GaussianValues:
        if A.exact:
            rule = "cannot represent the RBF kernel, whose values are transcendental"
            raise BadParameter("arithmetic", repr(A.name), rule, "use 'ball' or 'verified'")
        return GaussianValues(self, A, A.array(points))

    def zero_features(self, points: np.ndarray, A: Arithmetic) -> np.ndarray:
        """Return a row for each different point, with ones where it occurs.

        The kernel is strictly positive definite: functions K(x, .) of different points are independent.
        """
        rows: dict[tuple[fmpq, ...], list[fmpq]] = {}
        for i, point in enumerate(points.tolist()):
            rows.setdefault(tuple(point), [fmpq(0)] * len(points))[i] = fmpq(1)
        return A.array(list(rows.values()))

    def __call__(self, X: Any, Z: Any) -> np.ndarray:
        X, Z = (np.atleast_2d(np.asarray(points, dtype=float)) for points in (X, Z))
        A = arithmetic("float")
        found: np.ndarray = np.exp(-to_float(self.gamma) * squared_distances(X, Z, A))
        return found


def squared_distances(x: Any, z: Any, A: Arithmetic) -> Any:
    """Return |x_i - z_j|^2 for points in the rows of x and of z.

    In float64 differences are squared. Otherwise the precision can be chosen, and a matrix product is faster.

    The bound in float64: let x, z be the midpoints and D = |x - z|^2. Each difference is rounded once, which
    counts twice in its square; the square is rounded once, and d - 1 sums are. So the computed T is wrong by
    at most gamma_(d+2) D <= gamma_(d+3) T, and by the underflows of d squares. If the points are within rho_x
    and rho_z of their midpoints, their distance differs from sqrt(D) by at most rho = rho_x + rho_z, and its
    square from D by at most (2 sqrt(D) + rho) rho.
    """
    if A.takes_digits:
        lengths = [(points * points).sum(axis=1) for points in (x, z)]
        return lengths[0][:, None] + lengths[1][None, :] - A.matmul(x, z.T) * 2
    left, right = (points.mid if isinstance(points, MidRad) else points for points in (x, z))
    total: Any = np.zeros((len(left), len(right)))
    for column in range(left.shape[1]):
        step = left[:, [column]] - np.ascontiguousarray(right[:, column])
        step *= step
        total += step
    if not isinstance(x, MidRad):
        return total
    rad = total * rounding_gamma(left.shape[1] + 3)
    if x.rad.any() or z.rad.any():
        rho = enlarge_radius(row_norms(x.rad)[:, None] + row_norms(z.rad)[None, :])
        distance = np.sqrt(total * (1 + 2.0**-40) + UNDERFLOW_BOUND) * (1 + 4 * UNIT_ROUNDOFF)
        rad += (2 * distance + rho) * rho
    return MidRad(total, enlarge_radius(rad))


class GaussianValues(ProductValues):
    """The Gaussian kernel between the points of one problem, in one arithmetic."""

    kernel: RBF

    def block(self, rows: Any, columns: Any) -> Any:
        x, z = self.x[rows], self.x[columns]
        step = max(1, _STRIP_VALUES // max(1, len(z)))
        if self.arithmetic.takes_digits or len(x) <= step:
            return self._values(x, z)
        strips = [self._values(x[start : start + step], z) for start in range(0, len(x), step)]
        return MidRad.concatenate(strips) if isinstance(x, MidRad) else np.concatenate(strips)

    def _values(self, x: Any, z: Any) -> Any:
        A = self.arithmetic
        return A.exp(squared_distances(x, z, A) * -A(self.kernel.gamma))

    @cached_property
    def diagonal(self) -> Any:
        return self.arithmetic.array([fmpq(1)] * self.m)

    def decompose(self, measures: Sequence[Measure]) -> GaussianDecomposition:
        return GaussianDecomposition(self, measures)


class GaussianDecomposition(ProductDecomposition):
    """The decomposition of functions with the Gaussian kernel, by pairs of points."""

    at: GaussianValues

    def moments(self, x: Any, measure: Measure) -> tuple[Any, Any]:
        return column_moments(x, self.at.kernel.gamma, measure, self.arithmetic)

    @cached_property
    def embedding(self) -> arb:
        """prod_l sup_x m_l(x), which bounds the integral operator by Schur's test."""
        with precision_digits(_DIGITS):
            gamma = self.at.kernel.gamma
            return reduce(mul, (largest_mean(gamma, measure) for measure in self.measures), arb(1))


def column_moments(x: Any, gamma: fmpq, measure: Measure, A: Arithmetic) -> tuple[Any, Any]:
    """Return the means m of k(x_i, t) under a measure, and the covariances divided by m m^T."""
    if isinstance(measure, Normal):
        return _normal_moments(x, gamma, measure, A)
    if isinstance(measure, Uniform):
        if A.takes_digits:
            return _uniform_moments(x, gamma, measure, A)
        return _uniform_by_quadrature(x, gamma, measure, A)
    assert isinstance(measure, Discrete)  # see ``check_index_measure``
    weights = probabilities(measure, A)
    if isinstance(x, MidRad) and len(x) * len(measure.nodes) > _MANY_VALUES:
        found = _moments_by_interpolation(x, gamma, measure, weights, A)
        if found is not None:
            return found
    width = measure.nodes[-1] - measure.nodes[0]
    return _moments_at_nodes(x, gamma, A.array(measure.nodes), weights, A, width * width * gamma < 1)


def _moments_at_nodes(
    x: Any,
    gamma: fmpq,
    nodes: Any,
    weights: Any,
    A: Arithmetic,
    small: bool,
    errors: tuple[Any, Any] = (0.0, 0.0),
) -> tuple[Any, Any]:
    """Return means and normalised covariances of a discrete measure.

    ``errors`` bound the differences between the means and covariances of this measure and those of the
    intended one. If the exponents are ``small``, k - 1 is used instead of k, so that nothing cancels.
    """
    step = x.reshape(-1, 1) - nodes.reshape(1, -1)
    k = (A.expm1 if small else A.exp)(step * step * -A(gamma))
    means = A.matmul(k, weights.reshape(-1, 1))
    k = k - means
    means = means.reshape(-1) + int(small)
    covariances: Any
    if isinstance(k, MidRad):
        covariances = row_products(k * square_root(weights).reshape(1, -1))
    else:
        covariances = A.matmul(k * weights.reshape(1, -1), k.T)
    if isinstance(means, MidRad) and any(errors):
        means, covariances = (
            MidRad(part.mid, enlarge_radius(part.rad + error))
            for part, error in zip((means, covariances), errors, strict=True)
        )
    inverse = 1 / means
    return means, covariances * inverse.reshape(-1, 1) * inverse.reshape(1, -1)


def _moments_by_interpolation(
    x: MidRad, gamma: fmpq, measure: Discrete, weights: Any, A: Arithmetic
) -> tuple[Any, Any] | None:
    """Return the same for many points and nodes from those at r Chebyshev nodes; None if that is unsuitable.

    Let c + h z, -1 <= z <= 1, be an interval with all points and nodes. For each t in it, f(z) = k(c + h z,
    t) is replaced by its interpolant p in the roots z_i of T_r, the sum of L_i(z) f(z_i). If f is at most M
    in the ellipse with the half-axes (rho +- 1/rho)/2, its Chebyshev coefficients a_k are at most 2 M rho^-k
    (Trefethen, Approximation Theory and Approximation Practice, theorem 8.1). In the roots of T_r, each T_k
    with k >= r equals 0 or some +-T_j with j < r, so that |f - p| <= sum_(k >= r) 2 |a_k| <=
    e = 4 M rho^(1 - r)/(rho - 1).

    Means of p differ from those of f by at most e. With the range R >= max k - min k, the standard deviation
    of k is at most R/2, and that of f - p at most e, so that covariances differ by at most R e + e^2.

    The errors are absolute. So they are large in comparison with small means, which the direct sums know
    with a relative error: then, or if gamma needs many nodes, this is unsuitable.
    """
    ends = [to_float(q) for q in (measure.nodes[0], measure.nodes[-1])]
    low, high = min(ends[0], float(x.mid.min())), max(ends[1], float(x.mid.max()))
    centre, half = (low + high) / 2, (high - low) / 2 * (1 + 2.0**-20)
    if not 0 < 2.0**24 * (abs(low) + abs(high)) * UNIT_ROUNDOFF < half or not x.rad.max() < half * 2.0**-24:
        return None  # the interval must contain the points in spite of all roundings
    size = to_float(gamma) * half**2 * (1 + 2.0**-40)
    small = 4 * size < 1
    count, error = next(
        (
            (r, e)
            for r in _CHEBYSHEV
            if (e := _interpolation_error(size, r, small)) < 2.0**-56 * min(1.0, size)
        ),
        (0, 0.0),
    )
    if not count or 3 * count > min(len(x), len(measure.nodes)):
        return None
    z, basis = _lagrange_basis(x - centre, half, count)
    step = (A.array(measure.nodes) - centre).reshape(1, -1) - z.reshape(-1, 1)
    k = (A.expm1 if small else A.exp)(step * step * -A(gamma))
    means = A.matmul(k, weights.reshape(-1, 1))
    inner = row_products((k - means) * square_root(weights).reshape(1, -1))
    found = (basis.T @ means).reshape(-1)
    covariances = basis.T @ (inner @ basis)
    spread = min(1.0, 4 * size)
    found = MidRad(found.mid, enlarge_radius(found.rad + error)) + float(small)
    covariances = MidRad(covariances.mid, enlarge_radius(covariances.rad + (spread * error + error**2)))
    if not (found.lower() > _LEAST_MEAN).all():
        return None
    inverse = 1 / found
    return found, covariances * inverse.reshape(-1, 1) * inverse.reshape(1, -1)


def _interpolation_error(size: float, count: int, small: bool) -> float:
    """Bound the error of interpolating exp(-size (z - t)^2), or that minus 1, for t in [-1, 1].

    In the ellipse, (z - t)^2 has a real part of at least -(rho - 1/rho)^2/4, and |z - t| is at most
    1 + (rho + 1/rho)/2. Any rho > 1 gives a bound.
    """
    rho = np.exp(np.linspace(0.05, 6, 60))
    long, short = (rho + 1 / rho) / 2, (rho - 1 / rho) / 2
    with np.errstate(all="ignore"):
        most = np.expm1(size * (1 + long) ** 2) if small else np.exp(size * short**2)
        found = 4 * most * rho ** (1.0 - count) / (rho - 1) * (1 + 2.0**-30)
    return float(np.where(np.isfinite(found), found, np.inf).min())


def _lagrange_basis(x: MidRad, half: float, count: int) -> tuple[MidRad, MidRad]:
    """Return the Chebyshev nodes of [-half, half], and their Lagrange polynomials at x, a row for each."""
    with precision_digits(_DIGITS):
        exact = [arb(half) * (arb.pi() * fmpq(2 * i + 1, 2 * count)).cos() for i in range(count)]
        unit = 2.0 ** -round(np.log2(half / 2))  # an exact factor, so that no product overflows
        others = (reduce(mul, ((z - w) * unit for w in exact if w is not z), arb(1)) for z in exact)
        inverse = MidRad.from_balls(np.array([1 / product for product in others], dtype=object))
    z = MidRad.from_balls(np.array(exact, dtype=object))
    steps = [(x - z[i]) * unit for i in range(count)]
    ones = MidRad(np.ones(len(x)))
    before, after = [ones], [ones]
    for first, last in zip(steps[:-1], steps[:0:-1], strict=True):
        before.append(before[-1] * first)
        after.append(after[-1] * last)
    products = MidRad.stack([a * b for a, b in zip(before, reversed(after), strict=True)])
    return z, products * inverse.reshape(-1, 1)


def _normal_moments(x: Any, gamma: fmpq, measure: Normal, A: Arithmetic) -> tuple[Any, Any]:
    """Return means and normalised covariances under a normal distribution, in closed form.

    With u = 2 gamma sd^2 and a = x - mean, m = exp(-gamma a^2/(1 + u))/sqrt(1 + u), and the covariance is
    m m' (e^E - 1) with E = gamma u (2 a a' - u (a^2 + a'^2)/(1 + u))/(1 + 2u) + log(1 + u^2/(1 + 2u))/2.
    """
    u = 2 * gamma * measure.sd**2
    a = x - A(measure.mean)
    means = A.exp(a * a * A(-gamma / (1 + u))) / A.sqrt(A(1 + u))
    square = a * a * A(-gamma * u**2 / ((1 + u) * (1 + 2 * u)))
    constant = A.log1p(u**2 / (1 + 2 * u)) * A(fmpq(1, 2))
    products = a.reshape(-1, 1) * a.reshape(1, -1) * A(2 * gamma * u / (1 + 2 * u))
    return means, A.expm1(products + square.reshape(-1, 1) + square.reshape(1, -1) + constant)


def _uniform_moments(x: Any, gamma: fmpq, measure: Uniform, A: Arithmetic) -> tuple[Any, Any]:
    """Return means and normalised covariances under a uniform distribution, in closed form.

    The covariance is a difference of two numbers near 1 if gamma is small, hence the extra precision.
    """
    size = gamma * measure.half_width**2
    with A.extra_precision(64 + 4 * max(0, int(size.q).bit_length() - int(size.p).bit_length() + 1)):
        lower, upper, width = A(measure.lower), A(measure.upper), A(measure.upper - measure.lower)

        def integral(rate: Any, centre: Any) -> Any:
            """Return the mean of exp(-rate (t - centre)^2)."""
            root = A.sqrt(rate)
            ends = A.erf_difference((lower - centre) * root, (upper - centre) * root)
            return ends * (A.constant(fmpq(1), fmpq(0), [(fmpq(1, 2), 1)]) / (root * width * 2))

        means = integral(A(gamma), x)
        step = x.reshape(-1, 1) - x.reshape(1, -1)
        middle = (x.reshape(-1, 1) + x.reshape(1, -1)) * A(fmpq(1, 2))
        both = A.exp(step * step * A(-gamma / 2)) * integral(A(2 * gamma), middle)
        outer = means.reshape(-1, 1) * means.reshape(1, -1)
        covariances = (both - outer) / outer
    return means, covariances


def _uniform_by_quadrature(x: Any, gamma: fmpq, measure: Uniform, A: Arithmetic) -> tuple[Any, Any]:
    """Return the same in float64 by Gauss quadrature with a bound of its error, or from balls.

    Let f be analytic and at most M in the ellipse with foci -1, 1 and half-axes (rho +- 1/rho)/2. Then n
    nodes give the mean of f up to (32/15) M rho^(2 - 2n)/(1 - rho^-2) (Trefethen, Approximation Theory and
    Approximation Practice, theorem 19.3).
    """
    half = measure.half_width
    values = x.mid if isinstance(x, MidRad) else x
    reach = max(float(abs(values - to_float(measure.centre)).max()) / to_float(half) * (1 + 1e-9), 1.0)
    narrow = gamma * half**2 > _MOST_WIDTHS
    size = inf if narrow else to_float(gamma * half**2) * (1 + 1e-9)
    small = size * (reach + 1) * (reach + 1) < 1
    for count in () if narrow else _NODES:
        errors = _quadrature_errors(size, reach, count, small)
        if errors[1] < 2.0**-60 * min(1.0, size * size):
            nodes, weights = _gauss_legendre(count)
            t = A.from_balls(nodes) * A(half) + A(measure.centre)
            found = _moments_at_nodes(x, gamma, t, A.from_balls(weights), A, small, errors)
            if not isinstance(x, MidRad) or (found[0].lower() > 0).all():
                return found
            break  # a point is far from the interval
    balls = Ball(_DIGITS)
    with balls.scope():
        points = x.balls() if isinstance(x, MidRad) else np.frompyfunc(arb, 1, 1)(x.astype(object))
        means, covariances = _uniform_moments(points, gamma, measure, balls)
    return A.from_balls(means), A.from_balls(covariances)


def _quadrature_errors(size: float, reach: float, count: int, small: bool) -> tuple[float, float]:
    """Bound the errors of means and of covariances by quadrature with ``count`` nodes."""
    with precision_digits(_DIGITS):

        def rate(rho: float, power: int) -> Any:
            """Bound the error of the mean of a product of ``power`` kernels."""
            r = arb(rho)
            long, short = (r + 1 / r) / 2, (r - 1 / r) / 2
            most = (size * (reach + long) ** 2).expm1() if small else (size * short**2).exp()
            return most**power * r ** (2 - 2 * count) / (1 - 1 / r**2) * 32 / 15

        candidates = np.exp(np.linspace(0.05, 4, 40)).tolist()
        mean, product = (min((rate(rho, power).upper() for rho in candidates), key=float) for power in (1, 2))
        most = (size * arb(reach + 1) ** 2).expm1() if small else arb(1)  # bounds k on the interval
        return float(mean) * (1 + 1e-9), float(arb(product) + (2 * most + mean) * mean) * (1 + 1e-9)


@lru_cache(maxsize=16)
def _gauss_legendre(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return nodes in [-1, 1] and weights of sum 1 as balls."""
    with precision_digits(_DIGITS):
        pairs = [arb.legendre_p_root(count, i, weight=True) for i in range(count)]
        nodes, weights = zip(*((node, weight / 2) for node, weight in pairs), strict=True)
    return np.array(nodes, dtype=object), np.array(weights, dtype=object)


def largest_mean(gamma: fmpq, measure: Measure) -> arb:
    """Bound the mean of exp(-gamma (x - t)^2) under a measure of t, for every x in its support."""
    if isinstance(measure, Normal):
        return 1 / arb(1 + 2 * gamma * measure.sd**2).sqrt()
    if isinstance(measure, Uniform):
        width: fmpq = measure.upper - measure.lower
        return (arb.pi() / gamma).sqrt().min(arb(width)) / width
    assert isinstance(measure, Discrete)
    groups = np.array_split(np.arange(len(measure.nodes)), min(_GROUPS, len(measure.nodes)))
    low, high = (np.array([to_float(measure.nodes[g[end]]) for g in groups]) for end in (0, -1))
    mass = np.array([to_float(sum((measure.weights[i] for i in g), fmpq(0))) for g in groups])
    with np.errstate(over="ignore", invalid="ignore"):  # nan counts as 0, which bounds the exponent too
        apart = np.maximum(low[:, None] - high[None, :], low[None, :] - high[:, None])
        apart -= 1e-15 * (abs(low).max() + abs(high).max())
        root = np.maximum(apart, 0) * float(arb(gamma).sqrt())  # gamma itself may underflow
        exponents = np.clip(np.nan_to_num((1 - 1e-12) * root * root, nan=0.0), 0, _LARGEST_EXPONENT)
    k = exp(MidRad(-exponents)).abs_upper()
    return arb(float((k @ mass).max()) * (1 + 1e-9)) / measure.mass.rational
