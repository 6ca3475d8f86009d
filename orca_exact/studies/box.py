"""Sensitivity of the optimum to moved points, bounded in verified float64.

If every point moves by at most r, does the active set stay the same, and by what angle can w turn? Let h_il
be the displacement of coordinate l of point i. Every quantity is written as its value at h = 0, plus a part
linear in h, plus a remainder:

R_ij(h) = R_ij + sum_l (U_l,ij h_il + U_l,ji h_jl) + remainder, U_l = dR/dx_il.

The linear parts are kept as coefficients, not as intervals, until the inverse Y of the system of the free
points has been applied to them, so that terms can cancel: x(h) - near = Y rho(h) + E(h) (x(h) - near) as in
``midrad.LinearEnclosure``, with rho(h) = r - M(h) near. All w(h) lie in one RKHS and, without their means,
in one L^2 of the measures of the indices, which do not move. An index is cos^2 of the angle between w and a
subspace there, so it changes by at most the angle by which w turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import mul
from typing import Any, NamedTuple

import numpy as np
from flint import arb, arb_poly, fmpq

from ..errors import BadParameter, TooLarge, Undecided
from ..kernels.modes import elementary_symmetric
from ..kernels.orthogonal import OrthogonalPolynomials
from ..kernels.polynomial import PowerKernel
from ..kernels.rbf import RBF
from ..measures.measure import Measure
from ..numbers.arithmetic import RECURRENCE_DIGITS, arithmetic
from ..numbers.elementary import exp
from ..numbers.midrad import UNIT_ROUNDOFF, MidRad, enlarge_radius
from ..numbers.rationals import nonnegative_sqrt, precision_digits, to_float
from ..problem import Problem
from ..profile.profile import Profile, orca
from ..svm.bordered import bordered_system, divide_by_scale
from ..svm.certificate import Certificate
from ..svm.verified import VerifiedDual, certify_in_float64

_ENTRIES = 2**25  # largest number of entries of all U_l together
_ROUNDS = 12  # steps of the power iteration that scales the unknowns


def bound_displacements(problem: Problem, delta: Sequence[fmpq]) -> np.ndarray:
    """Bound the displacement of each of ``problem.points`` if each x_il moves by delta_l before rescaling.

    A rescaled coordinate increases with x_i and decreases with both ends of its column, so its extremes are
    at corners. The smallest and largest point of a column stay at -1 and 1 if no other point can overtake
    them.
    """
    X, radii = np.array(problem.X, dtype=object), np.empty((problem.m, problem.d), dtype=object)
    for j, d in enumerate(delta):
        if not (problem.rescale and problem.kernel.is_rescaled(j)):
            radii[:, j] = d
            continue
        x, ordered = X[:, j], np.sort(X[:, j])
        low, high, t = ordered[0], ordered[-1], problem.points[:, j]
        if not 2 * d < high - low:
            raise Undecided(
                f"column {j + 1} may become constant within {d} and could then not be rescaled; "
                "pass a smaller delta"
            )
        up = ((x + d) - (low - d)) * 2 / ((high - d) - (low - d)) - 1
        down = ((x - d) - (low + d)) * 2 / ((high + d) - (low + d)) - 1
        radii[:, j] = np.maximum(np.minimum(up, 1) - t, t - np.maximum(down, -1))
        for end, next_one in ((low, ordered[1]), (high, ordered[-2])):
            if abs(end - next_one) > 2 * d:
                radii[x == end, j] = fmpq(0)
    return radii


class Series(NamedTuple):
    """Linearization of the monic polynomials: |pi_k(x_i + h) - value - slope h| <= rest for |h| <= r_i.

    Rows are degrees k, columns are points i.
    """

    value: MidRad
    slope: MidRad
    rest: np.ndarray

    @classmethod
    def of(cls, polynomials: Sequence[Sequence[arb_poly]], r: Sequence[fmpq]) -> Series:
        """Linearize the polynomials in h of each point."""
        with precision_digits(RECURRENCE_DIGITS):
            value, slope = (
                MidRad.from_balls([[p[o] for p in each] for each in polynomials]).T for o in (0, 1)
            )
            rest = [
                [_upper(sum((abs(p[o]) * x**o for o in range(2, k + 1)), arb(0))) for k, p in enumerate(each)]
                for each, x in zip(polynomials, r, strict=True)
            ]
        return cls(value, slope, np.array(rest).T)


def _upper(x: arb) -> float:
    """Return an upper bound of x >= 0."""
    return enlarge_radius(abs(float(x.mid())) + float(x.rad()))


def shift_polynomials(measure: Measure, n: int, x: Sequence[fmpq]) -> list[list[arb_poly]]:
    """Return pi_0, ..., pi_n at x_i + h as polynomials in h, for each point."""
    with precision_digits(RECURRENCE_DIGITS):
        return [measure.monic(n, arb_poly([arb(q), 1])) for q in x]


class MovableProblem:
    """A problem whose points may move, with its certified optimum.

    Raises Undecided if the active set of the optimum is not strict.
    """

    def __init__(self, problem: Problem):
        kernel, copies = problem.kernel, 1
        if isinstance(kernel, OrthogonalPolynomials):
            copies = 1 if kernel.modes.is_product else kernel.modes.order
        elif not isinstance(kernel, PowerKernel | RBF):
            rule = "has no bounds for moved points"
            raise BadParameter("kernel", problem.kernel_description, rule, "rely on the random draws")
        if problem.d * copies * problem.m**2 > _ENTRIES:
            size = f"m^2 d = {problem.m}^2 * {problem.d}" + f", order {copies}" * (copies > 1)
            raise TooLarge("X", size, _ENTRIES, "use a sample of the points")
        self.problem = problem
        with np.errstate(all="ignore"):
            self.dual = VerifiedDual(problem)
            self.proof: Certificate = certify_in_float64(self.dual)
        if not self.proof.enclosure:
            raise Undecided("no point is free, so that no free point determines b")

    @cached_property
    def profile(self) -> Profile[Any]:
        """The indices of the optimum."""
        return orca(self.problem, self.proof, "verified")

    @cached_property
    def series(self) -> list[list[list[arb_poly]]]:
        """Shifted polynomials of every coordinate and point."""
        p = self.problem
        columns = zip(p.measures, p.degrees, p.points.T, strict=True)
        return [shift_polynomials(measure, n, x.tolist()) for measure, n, x in columns]

    def bound_turn(self, radii: np.ndarray) -> arb:
        """Bound the sine of the angle by which w turns if each coordinate moves by at most its radius.

        Under the own measures of the kernel, the angle is that in the RKHS; under others, that in L^2 between
        the functions without their means. Raises Undecided unless the active set is proved to be the same
        everywhere in the box.
        """
        with np.errstate(all="ignore"), precision_digits(RECURRENCE_DIGITS):
            moved = _bound_move(self, MovedKernel(self, radii))
            embedding = self.dual.R.at.decompose(self.problem.index_measures).embedding
            sine: arb = moved * (arb(embedding) / (self.dual.lam * self.profile.variance)).sqrt()
            if not sine < 1:
                raise Undecided("w may turn by any angle within these distances")
            return sine


@dataclass(frozen=True)
class Moved:
    """A kernel between moved points: values R, derivatives U and bounds of the remainder Q.

    U has the derivative of R_ij by x_il for some columns l. ``first`` bounds the part of R_ij that is linear
    in the displacement of x_i, ``both`` the part that is linear in those of x_i and x_j, which is
    <d phi(x_i), d phi(x_j)>. ``norms`` bounds the norm of phi(x_i), that of its linear part, and that of the
    remainder of phi(x_i + h) after both.
    """

    R: MidRad
    U: dict[int, MidRad]
    first: np.ndarray
    both: np.ndarray
    Q: np.ndarray
    norms: tuple[np.ndarray, np.ndarray, np.ndarray]

    @classmethod
    def of_column(cls, column: int, r: np.ndarray, w: MidRad, series: Series) -> Moved:
        """Return sum_k w_k pi_k(x) pi_k(z) of one column, over the given degrees k."""
        P, slope, rest = series
        a, s, top, k = P.abs_upper(), slope.abs_upper() * r, w.abs_upper(), len(w)
        A, D, dd = ((left * w).T @ right for left, right in ((P, P), (slope, P), (slope, slope)))
        Q = enlarge_radius(
            (s * top).T @ s + (rest * top).T @ (a + s + rest) + ((a + s) * top).T @ rest, 3 * k
        )
        first, both = D.abs_upper() * r[:, None], dd.abs_upper() * np.outer(r, r)
        N, L, off = (
            enlarge_radius(np.sqrt(enlarge_radius((top * x**2).sum(axis=0), k))) for x in (a, s, rest)
        )
        return cls(A, {column: D}, enlarge_radius(first), enlarge_radius(both), Q, (N, L, off))

    @classmethod
    def constant(cls, m: int, value: fmpq) -> Moved:
        """Return a constant; a negative one has no feature, and may only be added."""
        nothing, norm = np.zeros((m, m)), np.full(m, _upper(nonnegative_sqrt(arb(value))))
        R = MidRad(np.ones((m, m))) * arithmetic("verified")(value)
        return cls(R, {}, nothing, nothing, nothing, (norm, 0 * norm, 0 * norm))

    @classmethod
    def linear(cls, column: int, r: np.ndarray, x: MidRad, gamma: fmpq) -> Moved:
        """Return gamma x z of one column."""
        A, top, a = arithmetic("verified"), _upper(arb(gamma)), x.abs_upper()
        slope = (MidRad(np.ones((len(x), 1))) * x.reshape(1, -1)) * A(gamma)
        both, root = enlarge_radius(np.outer(r, r) * top), enlarge_radius(np.sqrt(top))
        norms = (enlarge_radius(root * a), enlarge_radius(root * r), 0 * r)
        first = enlarge_radius(np.outer(r, a) * top)
        return cls(slope * x.reshape(-1, 1), {column: slope}, first, both, both, norms)

    @classmethod
    def gaussian(cls, column: int, r: np.ndarray, x: MidRad, gamma: fmpq) -> Moved:
        """Return k = exp(-gamma t^2), t = x - z, of one column.

        Its derivatives are -2 gamma t k and (4 gamma^2 t^2 - 2 gamma) k, which is at most 2 gamma. Squared
        norms of the derivatives of the features are 2 gamma and 12 gamma^2, from those of k at t = 0.
        """
        A, top = arithmetic("verified"), _upper(arb(gamma))
        t = x.reshape(-1, 1) - x.reshape(1, -1)
        k = exp(t * t * A(-gamma))
        slope, second = t * k * A(-2 * gamma), (t * t * A(4 * gamma**2) + A(-2 * gamma)) * k
        reach = enlarge_radius(r[:, None] + r)
        near = np.maximum(abs(t.mid) - enlarge_radius(t.rad + reach), 0) * (1 - 4 * UNIT_ROUNDOFF)
        far, least = enlarge_radius(t.abs_upper() + reach), to_float(gamma) * (1 - 4 * UNIT_ROUNDOFF)
        decay = exp(MidRad(-least * near**2 * (1 - 4 * UNIT_ROUNDOFF))).abs_upper()
        curved = np.minimum(2 * top, enlarge_radius((4 * top**2 * far**2 + 2 * top) * decay))
        one, line = np.ones(len(r)), enlarge_radius(np.sqrt(2 * top) * r)
        return cls(
            k,
            {column: slope},
            enlarge_radius(slope.abs_upper() * r[:, None]),
            enlarge_radius(second.abs_upper() * np.outer(r, r)),
            enlarge_radius(curved * reach**2 / 2),
            (one, line, enlarge_radius(np.sqrt(3) * top * r**2)),
        )

    def __mul__(self, other: Moved) -> Moved:
        """Return the product of kernels: its features are tensor products."""
        here, there = self.R.abs_upper(), other.R.abs_upper()
        before, lin = self.first + self.first.T, other.first + other.first.T
        cross = self.first * other.first.T
        (N, L, off), (value, line, more) = self.norms, other.norms
        return Moved(
            self.R * other.R,
            _add_columns(
                {j: V * other.R for j, V in self.U.items()}, {j: self.R * V for j, V in other.U.items()}
            ),
            enlarge_radius(self.first * there + here * other.first),
            enlarge_radius(self.both * there + cross + cross.T + here * other.both),
            enlarge_radius(before * lin + self.Q * (there + lin + other.Q) + (here + before) * other.Q),
            (
                enlarge_radius(N * value),
                enlarge_radius(L * value + N * line),
                enlarge_radius(off * (value + line + more) + L * line + (N + L) * more),
            ),
        )

    def __add__(self, other: Moved) -> Moved:
        """Return the sum of kernels: its features are those of both, side by side."""
        N, L, off = (
            enlarge_radius(np.sqrt(enlarge_radius(x**2 + y**2)))
            for x, y in zip(self.norms, other.norms, strict=True)
        )
        return Moved(
            self.R + other.R,
            _add_columns(self.U, other.U),
            enlarge_radius(self.first + other.first),
            enlarge_radius(self.both + other.both),
            enlarge_radius(self.Q + other.Q),
            (N, L, off),
        )


def _add_columns(one: dict[int, MidRad], other: dict[int, MidRad]) -> dict[int, MidRad]:
    """Add the derivatives of two kernels, column by column."""
    return one | {j: one[j] + V if j in one else V for j, V in other.items()}


class MovedKernel:
    """The kernel matrix of moved points: see ``Moved``; ``moved`` is the last of its norms."""

    def __init__(self, moving: MovableProblem, radii: np.ndarray):
        problem, m = moving.problem, moving.problem.m
        self.r = np.array([[to_float(x) * (1 + 4 * UNIT_ROUNDOFF) for x in row] for row in radii])
        kernel, X = problem.kernel, MidRad.from_rationals(problem.points)
        columns = [(j, self.r[:, j], X[:, j]) for j in range(problem.d)]
        if isinstance(kernel, RBF):
            K = reduce(mul, (Moved.gaussian(*column, kernel.gamma) for column in columns))
        elif isinstance(kernel, PowerKernel):
            linear = (Moved.linear(*column, kernel.gamma) for column in columns)
            constant = Moved.constant(m, kernel.constant)
            K = reduce(mul, [sum(linear, start=constant)] * kernel.degree)
        else:
            K = self._polynomials(moving, radii)
        self.R, self.first, self.both, self.Q = K.R, K.first, K.both, K.Q
        self.U = [K.U.get(j, MidRad.zeros((m, m))) for j in range(problem.d)]
        self.lin, self.moved = enlarge_radius(K.first + K.first.T), K.norms[2]

    def _polynomials(self, moving: MovableProblem, radii: np.ndarray) -> Moved:
        """Return the kernel of orthogonal polynomials.

        A limited order sums elementary symmetric polynomials of the kernels of the columns without degree 0.
        """
        modes = moving.problem.polynomials.modes
        low = 0 if modes.is_product else 1  # the lowest degree of the factors
        weights = moving.dual.R.at.weights  # type: ignore[attr-defined]
        factors = []
        for j, (w, n) in enumerate(zip(weights, modes.degrees, strict=True)):
            if n >= low:
                value, slope, rest = Series.of(moving.series[j], radii[:, j].tolist())
                part = Series(value[low:], slope[low:], rest[low:])
                factors.append(Moved.of_column(j, self.r[:, j], w.reshape(-1, 1)[low:], part))
        if modes.is_product:
            return reduce(mul, factors)
        start = Moved.constant(moving.problem.m, fmpq(1))
        return sum(elementary_symmetric(factors, modes.order)[1:], start=start)


def _bound_move(moving: MovableProblem, K: MovedKernel) -> arb:
    """Bound ||w(h) - w|| sqrt(lambda) for all h, and prove that the active set is the same."""
    dual, active, m = moving.dual, moving.proof.enclosure, moving.problem.m
    assert active
    y, r, d = dual.y, K.r, len(K.U)
    F, B = (np.array(points, dtype=int) - 1 for points in (active.free, active.bound))
    S, f = np.concatenate([F, B]), len(F)
    s, b = MidRad.zeros(m), float(active.b.mid())
    s[F] = MidRad([float(active.s[i].mid()) for i in F.tolist()])
    s[B] = dual.upper_bound[B] * y[B]
    # g(x_i) - y_i of s and b: value e, linear part L by (support vector, coordinate), remainder q.
    score = K.R.matvec(s)
    e = score + b - y
    own = [V.matvec(s) for V in K.U]
    L = MidRad.zeros((m, len(S) * d))
    alone = np.zeros(m)  # the linear part in a point's own displacement, if it is not a support vector
    for j, (V, slope) in enumerate(zip(K.U, own, strict=True)):
        part = V.T[:, S] * s[S]
        part[S, np.arange(len(S))] = part[S, np.arange(len(S))] + slope[S]
        L[:, j * len(S) : (j + 1) * len(S)] = part * r[S, j]
        alone = enlarge_radius(alone + slope.abs_upper() * r[:, j])
    alone[S] = 0.0
    q = enlarge_radius(K.Q @ s.abs_upper(), m)
    # The linear system of the free points, for all h at once.
    D = dual.D[F]
    over, both = 1 / D, np.outer(1 / D, 1 / D)
    M = bordered_system(divide_by_scale(K.R[F][:, F], D), D)
    try:
        Y = np.linalg.inv(M.mid)
    except np.linalg.LinAlgError:
        raise Undecided("the free support vectors are linearly dependent; rely on the random draws") from None
    Z = abs(Y[:, :f])
    E = (MidRad(np.eye(f + 1)) - MidRad(Y) @ M).abs_upper()
    for j, V in enumerate(K.U):
        V = V[F][:, F] * both
        E[:, :f] += Z @ (V.abs_upper() * r[F, j][:, None]) + (MidRad(Y[:, :f]) @ V.T).abs_upper() * r[F, j]
    E[:, :f] += Z @ (K.Q[np.ix_(F, F)] * both)
    E = enlarge_radius(E, 2 * d * (f + 1))
    zero = s.reshape(1, -1).matvec(MidRad(np.ones(m)))
    rho = MidRad.concatenate([-(e[F] * over), -zero])
    L_F, q_F = -(L[F] * over.reshape(-1, 1)), q[F] * over
    lines = MidRad(Y[:, :f]) @ L_F
    wide = len(S) * d
    reach = enlarge_radius((MidRad(Y) @ rho).abs_upper() + _row_bound(lines) + Z @ q_F, f + wide)
    error = _bound_solution(E, reach)
    # The inequalities: 0 < alpha < C of the free points, and the margins of all other points.
    s_F = MidRad(s.mid[F], enlarge_radius(error[:f] * over))
    others = np.setdiff1d(np.arange(m), F)
    rows = MidRad.zeros((len(others), f + 1))
    rows[:, :f], rows[:, f] = K.R[others][:, F] * over, 1.0
    applied = rows @ MidRad(Y)
    way = _row_bound(L[others] + applied[:, :f] @ L_F) + alone[others] + q[others]
    way = way + applied.abs_upper()[:, :f] @ q_F + rows.abs_upper() @ enlarge_radius(E @ error, f)
    way = way + ((K.lin + K.Q)[np.ix_(others, F)] * over) @ error[:f]
    margin = (e[others] + applied @ rho) * y[others]
    margin = margin + MidRad(np.zeros(len(others)), enlarge_radius(way, wide + 2 * f))
    inside = np.isin(others, B)
    strict = [s_F * y[F], dual.upper_bound[F] - s_F * y[F], margin[~inside], -margin[inside]]
    if not all((x.lower() > 0).all() for x in strict):
        raise Undecided("the active set may change within these distances")
    # ||w(h) - w||: from the unknowns, in the metric of the moved points; from the points; from s at h = 0.
    weight = np.append(error[:f], 3 * error[f])
    still = rho.abs_upper()
    most = enlarge_radius(still + np.append(_row_bound(L_F) + q_F, 0.0), wide)
    away = sum((nonnegative_sqrt(MidRad(enlarge_radius(weight * x)).sum()) for x in (most, still)), arb(0))
    size = s.abs_upper()
    away += (
        nonnegative_sqrt((MidRad(size) * enlarge_radius(K.both @ size, m)).sum())
        + (MidRad(size) * K.moved).sum()
    )
    found: arb = away * (1 + arb(2) ** -40)
    return found


def _row_bound(lines: MidRad) -> np.ndarray:
    """Bound the linear part of each row: the sum of its absolute values."""
    return enlarge_radius(lines.abs_upper().sum(axis=1), lines.shape[1])


def _bound_solution(E: np.ndarray, reach: np.ndarray) -> np.ndarray:
    """Bound every z >= 0 with z <= reach + E z.

    If E v <= t v for some v > 0 and t < 1, then z <= reach + v max(reach/v) t/(1 - t). That bound is improved
    by one more application of z <= reach + E z.
    """
    v = np.ones(len(E))
    for _ in range(_ROUNDS):
        v = E @ v
        v = v / v.max() + 2.0**-20
    t = float(enlarge_radius((enlarge_radius(E @ v, len(E)) / v).max()))
    if not t < 1 - 2.0**-20:
        raise Undecided("the system of the free points may be singular within these distances")
    z = enlarge_radius(reach + v * ((reach / v).max() * t / (1 - t)) * (1 + 8 * UNIT_ROUNDOFF))
    return enlarge_radius(reach + E @ z, len(E))
