"""The degrees of the RBF kernel under uniform and normal measures.

Its functions are not polynomials, but have coefficients for the orthonormal polynomials p_k of each measure.
For one column let c_k(i) be the mean of k(x_i, t) p_k(t), so that c_0 is the mean m of k(x_i, t). The
share of the total degree N is the coefficient of z^N in

    sum_ij t_i t_j prod_l (1 + sum_{k>=1} z^k v_k(i) v_k(j) g_k)

divided by that sum at z = 1, with t_i = s_i prod_l m_l(i) and v_k^2 g_k = (c_k/m)^2.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from flint import arb, fmpq

from ..errors import BadParameter, TooLarge
from ..kernels.rbf import RBF
from ..measures.families import Discrete
from ..measures.measure import check_degree
from ..measures.probability import Normal, Uniform
from ..numbers.arithmetic import Ball
from ..numbers.rationals import format_decimal, midpoint, precision_bits

if TYPE_CHECKING:
    from .profile import Profile

_MAX_DEGREE = 200
_MAX_NODES = 4000  # of Gauss quadrature
_MAX_BITS = 20_000  # of the precision of quadrature
_ENTRIES = 2**18  # coefficients of polynomials in z that are computed at once


@dataclass(frozen=True)
class Spectrum:
    """The shares of the total degrees 0 ... n, and the share of all higher degrees.

    Attributes
    ----------
    degree : list
        The shares of the degrees 0 ... n; that of 0 is 0, because the constant belongs to the bias.
    beyond : number
        The share of all degrees above n: 1 minus the sum of the others.
    under : str
        The measure.
    """

    degree: list[Any]
    beyond: Any
    under: str

    @property
    def n(self) -> int:
        """The highest degree whose share is given."""
        return len(self.degree) - 1


def compute_spectrum(profile: Profile[Any], n: int) -> Spectrum:
    """Return the shares of the degrees 0 ... n of a profile with the RBF kernel."""
    n, kernel = check_degree(n), profile.problem.kernel
    if not isinstance(kernel, RBF):
        rule, hint = "has finitely many degrees", "use profile.degree, which has all of them"
        raise BadParameter("kernel", profile.problem.kernel_description, rule, hint)
    if n > _MAX_DEGREE:
        raise TooLarge("n", n, _MAX_DEGREE, "ask for fewer degrees")
    for name, measure in zip(_column_names(profile), profile.measures, strict=True):
        if isinstance(measure, Discrete) and len(measure.nodes) > 1:
            rule = "has no polynomials of every degree, so that there are no shares by degree"
            hint = "pass under=Uniform() or Normal(mean, sd)"
            raise BadParameter("under", f"the discrete measure of {name}", rule, hint)
    A = profile.arithmetic
    with A.scope():
        sums = _sums(profile, n)
        norm = profile.sums.norm
        shares = [profile._index(x) for x in sums[1:]]
        beyond = profile._index(norm - reduce(add, sums[1:], 0 * norm))
        return Spectrum([profile.family("order")[0,], *shares], beyond, profile.under_description)


def _column_names(profile: Profile[Any]) -> list[str]:
    return [*profile.names] or [f"column {i}" for i in range(1, profile.d + 1)]


def _sums(profile: Profile[Any], n: int) -> list[Any]:
    """Return the coefficients of z^0 ... z^n over all pairs."""
    A, generating = profile.arithmetic, profile.generating
    support, (first, second) = generating.support, generating._pairs
    gamma = profile.problem.kernel.gamma  # type: ignore[attr-defined]
    X = profile.problem.points[list(support.rows)]
    pairs = zip(X.T, profile.measures, strict=True)
    columns = [found for x, measure in pairs if (found := _values(x, gamma, measure, n, A)) is not None]
    total: list[Any] = []
    step = max(1, _ENTRIES // (n + 1))
    for batch in (slice(start, start + step) for start in range(0, len(first), step)):
        i, j = first[batch], second[batch]
        rows = A.zeros((n + 1, len(i)))
        rows[0] = A.array([fmpq(1)] * len(i))
        for v, g in columns:
            rows = A.convolve(rows, v[:, i] * v[:, j] * g.reshape(-1, 1))[: n + 1]
        sums = [A.dot(generating.weights[batch], row) for row in rows]
        total = [a + b for a, b in zip(total, sums, strict=True)] if total else sums
    return total


def _values(x: np.ndarray, gamma: fmpq, measure: Any, n: int, A: Any) -> tuple[Any, Any] | None:
    """Return v and g for one column, with rows k = 0 ... n; None if the measure is one point."""
    if isinstance(measure, Normal):
        return _hermite(x, gamma, measure, n, A)
    if isinstance(measure, Uniform):
        return _legendre(x, gamma, measure, n, A)
    return None


def _hermite(x: np.ndarray, gamma: fmpq, measure: Normal, n: int, A: Any) -> tuple[Any, Any]:
    """Return v and g in closed form: v_k = r^(k/2) He_k(sqrt(r) a) and g_k = 1/k!, all rational.

    Here a = (x - mean)/sd and r = 2 gamma sd^2/(1 + 2 gamma sd^2): c_k sqrt(k!) is the k-th derivative of
    m(a), which is exp(-r a^2/2) up to a factor, with the sign (-1)^k.
    """
    u = 2 * gamma * measure.sd**2
    r, a = u / (1 + u), (x - measure.mean) / measure.sd
    rows, g = [a * 0 + 1], [fmpq(1)]
    for k in range(n):
        rows.append(a * r * rows[-1] - (rows[-2] * (k * r) if k else 0))
        g.append(g[-1] / (k + 1))
    return A.array(np.array(rows, dtype=object)), A.array(g)


def _legendre(x: np.ndarray, gamma: fmpq, measure: Uniform, n: int, A: Any) -> tuple[Any, Any]:
    """Return v and g by Gauss quadrature in balls, with a bound of its error.

    p_k = sqrt(2k + 1) P_k with Legendre's P_k, so that v_k is the quotient of integrals with P_k and P_0.
    For the bound see ``rbf._uniform_by_quadrature``; |P_k| is at most rho^k in the ellipse.
    """
    z = (x - measure.centre) / measure.half_width
    outside, size = max(fmpq(0), max(map(abs, z)) - 1), gamma * measure.half_width**2
    small = 2 * size * outside**2  # in bits: how small m may be
    bits = (A.bits if A.takes_digits else 53) + 48 + int(small.p // small.q)
    if bits > _MAX_BITS:
        hint = "choose limits that contain the data, or a smaller gamma"
        distance = f"a distance of the data of {format_decimal(outside, 3, False)}"
        raise TooLarge("under", distance, "what is computed", hint)
    with precision_bits(bits):
        rate = arb(size)
        count, error = _node_count(rate, n, bits)
        nodes, weights = zip(*(arb.legendre_p_root(count, i, weight=True) for i in range(count)), strict=True)
        t, w = np.array(nodes, dtype=object), np.array(weights, dtype=object) / 2
        P = [t * 0 + 1, t]
        for k in range(1, n):
            P.append((t * P[-1] * (2 * k + 1) - P[-2] * k) / (k + 1))
        step = cast(np.ndarray, np.frompyfunc(arb, 1, 1)(z))[:, None] - t[None, :]
        B = Ball()
        k_values = B.exp(step * step * -rate) * w[None, :]
        c = B.matmul(np.array(P[: n + 1], dtype=object), k_values.T) + arb(0, error)
        v = c / c[:1]
    values = (
        A.array(np.frompyfunc(midpoint, 1, 1)(v)) if A.takes_digits and not A.encloses else A.from_balls(v)
    )
    return values, A.array([fmpq(2 * k + 1) for k in range(n + 1)])


def _node_count(size: arb, n: int, bits: int) -> tuple[int, arb]:
    """Return a number of nodes for which the error of every c_k is far below 2^-bits, and a bound of it."""
    scale = float(size)
    count = 16 + n
    while count <= _MAX_NODES:
        # log of exp(size b^2) rho^n rho^(2 - 2 count)/(1 - rho^-2), b = (rho - 1/rho)/2
        rho = np.exp(np.linspace(0.02, 6, 300))
        with np.errstate(over="ignore"):
            logs = scale * ((rho - 1 / rho) / 2) ** 2 + (n + 2 - 2 * count) * np.log(rho)
            logs -= np.log1p(-(rho**-2.0))
        k = int(np.argmin(logs))
        if logs[k] < -bits * np.log(2):
            r = arb(float(rho[k]))
            most = (size * ((r - 1 / r) / 2) ** 2).exp() * r**n
            bound = most * r ** (2 - 2 * count) / (1 - 1 / r**2) * 32 / 15
            return count, bound.upper()
        count = int(count * 1.3) + 4
    hint = "use a smaller gamma, a narrower measure or a normal one"
    raise TooLarge("gamma", f"gamma times the squared half width, {scale:.3g},", "what is computed", hint)
