"""Orthogonal-polynomial kernels: Christoffel-Darboux kernels and their tensor products (sections 3 and 4).

Let R_l = sum_k pi_k(x_l) pi_k(z_l) h_0/h_k, which is rational at rational points. The kernel of one column is
R_l/h_0, and that of d columns is lambda prod_l R_l with lambda = prod 1/h_0. If only modes with at most q
active columns are kept, the product becomes e_0 + ... + e_q, elementary symmetric polynomials of R_l - 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial, reduce
from itertools import groupby
from math import prod
from operator import add, mul
from typing import Any, cast

import numpy as np
from flint import arb, fmpq

from ..errors import BadParameter, TooLarge, pluralize, wrong_count
from ..measures.families import read_measure
from ..measures.jacobi import Jacobi, legendre
from ..measures.measure import Mass, Measure, check_degree
from ..numbers.arithmetic import Arithmetic, Ball, arithmetic
from ..numbers.midrad import UNIT_ROUNDOFF, MidRad, enlarge_radius, rounding_gamma
from ..numbers.rationals import QQ, embed_rational, format_rational, to_float, to_sympy
from .kernel import Decomposition, Kernel, KernelValues
from .modes import Modes, elementary_symmetric

MAX_PARAMETER = 1_000
_ENTRIES = 2**17  # values of modes at points that are computed at once; entries with a bound for each
_STRIP = 2**15  # entries of a block that are computed at a time
VALUE_ERROR = 4 * UNIT_ROUNDOFF  # relative error of values up to which they count with their own size
_LARGEST_ERROR = 2.0**-10  # sum of relative errors up to which products of 1 + error are within 1.01 of it


def is_list(value: Any) -> bool:
    """Return whether a value is a list, a tuple or an array, and not a text or an object."""
    return hasattr(value, "__iter__") and not isinstance(value, str | bytes | dict)


def cd_sum(measure: Measure, n: int, x: Any, z: Any) -> Any:
    """Return h_0 K_n(x, z) as a sum, eq. (CD-def)."""
    terms = zip(measure.monic(n, x), measure.monic(n, z), measure.h_ratios(n), strict=True)
    return sum(p * q / _make_embedding(measure, x)(h) for p, q, h in terms)


def cd_closed(measure: Measure, n: int, x: Any, z: Any) -> Any:
    """Return h_0 K_n(x, z) for x != z in closed form, eq. (CD-identity).

    It is used that kappa_n/kappa_{n+1} p_{n+1} p_n = pi_{n+1} pi_n/h_n.
    """
    *_, px, qx = measure.monic(n + 1, x)
    *_, pz, qz = measure.monic(n + 1, z)
    return (qx * pz - px * qz) / ((x - z) * _make_embedding(measure, x)(measure.h_ratio(n)))


def cd_confluent(measure: Measure, n: int, x: Any) -> Any:
    """Return h_0 K_n(x, x) by derivatives, eq. (CD-diagonal)."""
    *_, p, q = measure.monic(n + 1, x)
    *_, dp, dq = measure.derivatives(n + 1, x)
    return (dq * p - dp * q) / _make_embedding(measure, x)(measure.h_ratio(n))


def _make_embedding(measure: Measure, x: Any) -> Callable[[Any], Any]:
    return embed_rational(x) if measure.is_rational else lambda c: c


def degrees_by_coordinate(n: int | Sequence[int], d: int) -> tuple[int, ...]:
    """Return a degree for each of d coordinates, from one for all or one for each."""
    return (n,) * d if isinstance(n, int) else tuple(n)


@dataclass(frozen=True)
class OrthogonalPolynomials(Kernel):
    """The truncated orthogonal-polynomial kernel of the paper, of all orders or of limited order.

    K(x, z) is the sum of p_k(x) p_k(z) over the modes k with k_l <= n_l in which at most ``order`` columns
    are active. With order 1 the SVM is an additive model; with order 2 it has interactions of two columns.

    Parameters
    ----------
    n : int or sequence of int
        The highest degree, one for all columns or one for each.
    measures : Measure or sequence of Measure
        What the polynomials are orthonormal to, one for all columns or one for each; Legendre's by default.
    order : int, optional
        The highest number of active columns; all of them if None, which is the kernel of the paper.

    Examples
    --------
    >>> kernel = OrthogonalPolynomials(1)
    >>> kernel([[0.0, 0.0]], [[0.5, 0.5], [1.0, 0.0]])  # 1/4 (1 + 3 x_1 z_1)(1 + 3 x_2 z_2)
    array([[0.25, 0.25]])
    >>> OrthogonalPolynomials(3, order=2).for_columns(30).modes.count
    4006
    """

    n: Any
    measures: Any = legendre
    order: int | None = None

    family = "orthogonal"

    def __post_init__(self) -> None:
        def set_field(name: str, value: Any) -> None:
            object.__setattr__(self, name, value)

        if is_list(self.n):
            set_field("n", tuple(check_degree(n, f"n[{j}]") for j, n in enumerate(self.n)))
        else:
            set_field("n", check_degree(self.n))
        if is_list(self.measures):
            set_field(
                "measures", tuple(check_measure(m, f"measures[{j}]") for j, m in enumerate(self.measures))
            )
        else:
            check_measure(self.measures, "measures")
        if self.order is not None:
            whole = isinstance(self.order, int | np.integer) and not isinstance(self.order, bool)
            if not whole or self.order < 1:
                hint = "pass 1, 2, ... or leave it out for all orders"
                raise BadParameter("order", repr(self.order), "is not an integer of at least 1", hint)
            set_field("order", int(self.order))

    def for_columns(self, d: int) -> OrthogonalPolynomials:
        """Return the same kernel with a degree and a measure for each of d columns.

        Raises
        ------
        BadParameter
            If there are more or fewer degrees or measures than columns, or if ``order`` exceeds d.
        TooLarge
            If a discrete measure has too few nodes for its degree.
        """
        degrees, measures = (x if isinstance(x, tuple) else (x,) * d for x in (self.n, self.measures))
        for name, values in (("n", degrees), ("measures", measures)):
            if len(values) != d:
                hint = "pass one value for all, or one for each"
                wanted = f"for {pluralize(d, 'coordinate')}"
                raise wrong_count(name, len(values), "value", wanted, hint)
        for j, (measure, top) in enumerate(zip(measures, degrees, strict=True)):
            if measure.size is not None and top >= measure.size:
                limit = f"{measure.size - 1}, the largest degree for {measure.size} nodes of measures[{j}]"
                raise TooLarge(f"n[{j}]", top, limit, "use a smaller degree or more nodes")
        if self.order is not None and self.order > d:
            raise BadParameter("order", self.order, f"is more than the {d} columns", f"pass at most {d}")
        return OrthogonalPolynomials(degrees, measures, None if self.order == d else self.order)

    @cached_property
    def modes(self) -> Modes:
        """The modes, after ``for_columns``."""
        return Modes(self.n, len(self.n) if self.order is None else self.order)

    @property
    def dimension(self) -> int:
        return self.modes.count

    @property
    def top_degree(self) -> int:
        return self.modes.top_degree

    def degrees_in(self, d: int) -> tuple[int, ...]:
        return degrees_by_coordinate(self.n, d)

    @property
    def own_measures(self) -> tuple[Measure, ...]:  # type: ignore[override]
        return cast(tuple[Measure, ...], self.measures)  # after ``for_columns``

    def domain(self, column: int) -> tuple[int | None, int | None]:
        return self.own_measures[column].domain

    def is_rescaled(self, column: int) -> bool:
        return self.own_measures[column].domain == (-1, 1)

    @cached_property
    def is_even(self) -> bool:  # type: ignore[override]
        """Whether every pi_k is even or odd: a_k = 0 in the recurrence of each column."""
        columns = zip(self.measures, self.n, strict=True)
        return all(measure.recurrence(k)[0] == 0 for measure, n in columns for k in range(n))

    @cached_property
    def mass(self) -> Mass:  # type: ignore[override]
        """prod_l h_0 over the columns, after ``for_columns``: 1/lambda."""
        out = Mass()
        for measure, count in Counter(self.measures).items():
            out = out * measure.mass**count
        return out

    @cached_property
    def lambda_is_rational(self) -> bool | None:  # type: ignore[override]
        """Whether lambda is rational; None if this is not known.

        Powers of 2 and of pi are decided and, by Schneider's theorem, powers of one Beta value.
        """
        known = self.mass.is_rational
        if known is None:
            others = {measure.mass for measure in self.measures if measure.mass.gammas}
            beta = any(isinstance(measure, Jacobi) for measure in self.measures if measure.mass in others)
            known = False if beta and len(others) == 1 else None
        return known

    def at(self, points: np.ndarray, A: Arithmetic) -> PolynomialValues:
        """Evaluate pi_k(x_il) and h_0/h_k for each column, in an arithmetic."""
        pairs = list(zip(self.measures, self.n, strict=True))
        weights = {(J, n): A.array([1 / h for h in J.h_ratios(n)]) for J, n in dict.fromkeys(pairs)}
        columns = zip(pairs, points.T, strict=True)
        values = [A.evaluate(partial(J.monic, n), x) for (J, n), x in columns]
        return PolynomialValues(self, A, values, [weights[pair] for pair in pairs])

    def at_some(self, points: np.ndarray, rows: list[int], A: Arithmetic) -> PolynomialValues:
        return self.at(points, A).select(rows)  # fewer points would be computed in balls, which takes longer

    def __call__(self, X: Any, Z: Any) -> np.ndarray:
        """Return K(x, z) in float64 for all rows x of X (m, d) and z of Z (k, d)."""
        X, Z = (np.atleast_2d(np.asarray(points, dtype=float)) for points in (X, Z))
        if X.shape[1] != Z.shape[1]:
            wanted = f"instead of the {X.shape[1]} of X"
            raise wrong_count("Z", Z.shape[1], "coordinate", wanted, "pass points of the same dimension")
        kernel, A = self.for_columns(X.shape[1]), arithmetic("float")
        columns = list(zip(kernel._orthonormal(X, A), kernel._orthonormal(Z, A), strict=True))
        if kernel.modes.is_product:
            product: np.ndarray = reduce(mul, (p.T @ q for p, q in columns))
            return product
        constants = [p[0, 0] * q[0, 0] for p, q in columns]
        factors = [p[1:].T @ q[1:] / c for (p, q), c in zip(columns, constants, strict=True)]
        terms = reduce(add, elementary_symmetric(factors, kernel.order)[1:])
        limited: np.ndarray = prod(constants) * (1 + terms)
        return limited

    def features(self, X: Any) -> np.ndarray:
        """Return the feature vectors of points in float64.

        Parameters
        ----------
        X : array of shape (m, d)
            Points.

        Returns
        -------
        ndarray
            p_k(x_i), with a row for each point and a column for each mode.

        Examples
        --------
        >>> OrthogonalPolynomials(1).features([[0.0], [1.0]]).round(4)
        array([[0.7071, 0.    ],
               [0.7071, 1.2247]])
        """
        X = np.atleast_2d(np.asarray(X, dtype=float))
        return self.for_columns(X.shape[1]).orthonormal_features(X, arithmetic("float"))

    def orthonormal_features(self, X: Any, A: Arithmetic) -> np.ndarray:
        """Return p_k(x_i) for points X (m, d) of elements of an arithmetic, after ``for_columns``."""
        features: np.ndarray = self.modes.products(self._orthonormal(X, A))
        return features.T

    def _orthonormal(self, X: np.ndarray, A: Arithmetic) -> list[np.ndarray]:
        """Return p_k(x) for each column of X, an array (n_l + 1, m)."""
        return [measure.values(top, x, A) for measure, top, x in zip(self.measures, self.n, X.T, strict=True)]

    @property
    def description(self) -> str:
        """The parameters in words.

        Examples
        --------
        >>> OrthogonalPolynomials(2, [Jacobi(0, 1), Jacobi(0, 0), Jacobi(0, 0)], order=2).description
        'n = 2, measures Jacobi(0, 1), Jacobi(0, 0) x 2, order at most 2'
        """
        several = self.n if isinstance(self.n, tuple) and len(set(self.n)) > 1 else None
        n = ", ".join(map(str, several)) if several else self.shared("n")
        limit = "" if self.order is None else f", order at most {self.order}"
        measures = self.measures if isinstance(self.measures, tuple) else (self.measures,)
        if len(set(measures)) == 1 and isinstance(measures[0], Jacobi):
            return f"n = {n}, (alpha, beta) = ({measures[0].alpha}, {measures[0].beta}){limit}"
        runs = [(str(measure), len(list(run))) for measure, run in groupby(measures)]
        listed = ", ".join(f"{name} x {count}" if count > 1 else name for name, count in runs)
        return f"n = {n}, measures {listed}{limit}"

    @property
    def label(self) -> str:
        return f"n={max(self.n) if isinstance(self.n, tuple) else self.n}"

    def to_json(self) -> dict[str, Any]:
        """Return the field ``kernel`` of ``orca-exact/problem/3``; one value stands for equal ones."""
        n, measures = self.shared("n"), self.shared("measures")
        written = [m.to_json() for m in measures] if isinstance(measures, list) else measures.to_json()
        return {"family": self.family, "n": n, "measures": written, "order": self.order}

    @staticmethod
    def rule() -> dict[str, Any]:
        """Return the JSON schema of ``to_json``; ``#/$defs/measure`` is one measure."""
        degree, measure = {"type": "integer", "minimum": 0, "maximum": 10_000}, {"$ref": "#/$defs/measure"}

        def one_or_list(rule: dict[str, Any]) -> list[dict[str, Any]]:
            return [rule, {"type": "array", "items": rule, "minItems": 1}]

        return {
            "type": "object",
            "required": ["family", "n", "measures"],
            "additionalProperties": False,
            "properties": {
                "family": {"const": "orthogonal", "description": "orthogonal polynomials of a measure"},
                "n": {
                    "title": "a degree or a list of degrees",
                    "description": "an integer from 0 to 10000, or one for each coordinate",
                    "anyOf": one_or_list(degree),
                },
                "measures": {
                    "description": "one for all coordinates, or one for each",
                    "anyOf": one_or_list(measure),
                },
                "order": {
                    "title": "an order",
                    "description": "an integer from 1 to the number of coordinates: only modes with at most "
                    "so many active coordinates are kept; null or absent: all modes",
                    "anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}],
                },
            },
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> OrthogonalPolynomials:
        """Return the kernel that the field ``kernel`` of a valid ``orca-exact/problem/3`` describes."""
        n, given = data["n"], data["measures"]
        if isinstance(given, list):
            measures: Any = [read_measure(m, f"measures[{j}]") for j, m in enumerate(given)]
        else:
            measures = read_measure(given)
        degrees = (
            [int(degree) for degree in n] if isinstance(n, list) else int(n)
        )  # 2.0 is an integer in JSON
        order = data.get("order")
        return cls(degrees, measures, None if order is None else int(order))

    def shared(self, name: str) -> Any:
        """Return the value that all columns share, or the list of values."""
        values = getattr(self, name)
        if not isinstance(values, tuple):
            return values
        return values[0] if len(set(values)) == 1 else list(values)


class PolynomialValues(KernelValues, Decomposition):
    """pi_k(x_il) and h_0/h_k for each column, at the points of one problem, in one arithmetic.

    ``values[l]`` is an array (n_l + 1, m), ``weights[l]`` one of n_l + 1 numbers. The decomposition is that
    under the measures of the polynomials, by pairs and by modes.
    """

    has_constant = True  # it is 0 by the dual constraint, which the indices show
    modes: Modes

    def __init__(self, kernel: OrthogonalPolynomials, A: Arithmetic, values: list[Any], weights: list[Any]):
        self.kernel, self.arithmetic, self.values, self.weights = kernel, A, values, weights
        self.modes, self.d, self.m = kernel.modes, len(values), values[0].shape[1]
        self.order = self.modes.order

    @cached_property
    def _weighted(self) -> list[Any]:
        return [P * w.reshape(-1, 1) for P, w in zip(self.values, self.weights, strict=True)]

    def block(self, rows: Any, columns: Any) -> Any:
        """Return R between some points and others."""
        matmul = self.arithmetic.matmul
        left, right = [W[:, rows] for W in self._weighted], [P[:, columns] for P in self.values]
        count, others = left[0].shape[1], right[0].shape[1]
        if isinstance(right[0], MidRad) and count * others > _ENTRIES:
            sizes, error = self._sizes
            radius = np.outer(enlarge_radius(error * sizes[rows]), sizes[columns])
            return MidRad(self.midpoints().block(rows, columns), enlarge_radius(radius))
        step = max(1, _STRIP // max(1, others))
        strips = [
            self._combine(lambda W, P: matmul(W.T, P), [W[:, i : i + step] for W in left], right)
            for i in range(0, max(1, count), step)
        ]
        if len(strips) == 1:
            return strips[0]
        return (MidRad if isinstance(strips[0], MidRad) else np).concatenate(strips)

    @cached_property
    def _sizes(self) -> tuple[np.ndarray, float]:
        """Numbers r_i and e such that R_ij in float64, from the midpoints, is wrong by at most e r_i r_j.

        One bound for all entries takes less time than a bound for each, and is a little larger.

        Let b_l(i)^2 bound sum_k w_k pi_k(x_il)^2. By the Cauchy-Schwarz inequality the terms of R_l(i, j) add
        up to at most b_l(i) b_l(j) in absolute value, and so do the products of these bounds over the sets of
        active columns: r_i^2 is what R_ii becomes with b_l(i)^2. All relative errors, those of the values and
        of the weights included, add up; a value whose error is not small relative to it counts as larger.
        """
        first, bounds, error = 0 if self.modes.is_product else 1, [], 0.0
        for P, w in zip(self.values, self.weights, strict=True):
            P, w = P[first:], w[first:]
            if not len(P):
                continue
            weights, k = w.abs_upper().reshape(-1, 1), len(P)
            size, off = (enlarge_radius((weights * x * x).sum(axis=0), k) for x in (P.abs_upper(), P.rad))
            bounds.append(np.maximum(size, off / VALUE_ERROR**2))
            error += 2 * VALUE_ERROR + (w.rad / w.mid).max() + rounding_gamma(k + 2)
        error = 1.01 * (error + rounding_gamma(3 * len(self.values) + 4))
        if self.modes.is_product:
            total = reduce(mul, bounds)
        else:
            total = reduce(add, elementary_symmetric(bounds, self.modes.order)[1:], np.ones(self.m))
        rounded = enlarge_radius(np.sqrt(total), 4 * len(self.values))
        return rounded, error if error < _LARGEST_ERROR else np.inf

    @cached_property
    def diagonal(self) -> Any:
        """R_ii for each point."""
        return self._combine(lambda W, P: (W * P).sum(axis=0), self._weighted, self.values)

    def _combine(self, factor: Callable[[Any, Any], Any], left: list[Any], right: list[Any]) -> Any:
        """Return the sum over the modes of products of one term for each column.

        ``factor`` sums the terms of one column over its degrees: over all of them if every combination is a
        mode, and otherwise over those from 1 on; then the sums enter elementary symmetric polynomials.
        """
        columns = zip(left, right, strict=True)
        if self.modes.is_product:
            return reduce(mul, (factor(W, P) for W, P in columns))
        factors = [factor(W[1:], P[1:]) for W, P in columns if len(P) > 1]
        return reduce(add, elementary_symmetric(factors, self.modes.order)[1:]) + 1

    def select(self, rows: Any) -> PolynomialValues:
        """Return the same for some of the points."""
        return PolynomialValues(self.kernel, self.arithmetic, [P[:, rows] for P in self.values], self.weights)

    def midpoints(self) -> PolynomialValues:
        """Return values with error bounds as plain float64."""
        return self._midpoints

    @cached_property
    def _midpoints(self) -> PolynomialValues:
        values, weights = ([x.mid for x in part] for part in (self.values, self.weights))
        return PolynomialValues(self.kernel, arithmetic("float"), values, weights)

    @cached_property
    def features(self) -> tuple[Any, Any]:
        """M and g with R = M^T diag(g) M: pi_k(x_i) and prod_l h_0/h_k, a row for each mode."""
        weights = [w.reshape(-1, 1) for w in self.weights]
        return self.modes.products(self.values), self.modes.products(weights)

    @property
    def dimension(self) -> int:  # type: ignore[override]
        return self.modes.count

    def decompose(self, measures: Sequence[Measure]) -> PolynomialValues:
        return self

    def factors(self, i: np.ndarray, j: np.ndarray, z: int = 1) -> list[Any]:
        """Return sum_{k>=1} z^k pi_k(x_il) pi_k(x_jl) h_0/h_k for each column l and the pairs (i, j)."""
        A, out = self.arithmetic, []
        for P, weighted in zip(self.values, self._weighted, strict=True):
            powers = A.array([fmpq(z) ** k for k in range(len(P))]).reshape(-1, 1)
            terms = weighted if z == 1 else weighted * powers
            out.append(A.pair_sums(P[1:], terms[1:], i, j) if len(P) > 1 else 0 * P[0][i])
        return out

    def column_at(self, column: int, x: np.ndarray) -> Any:
        """Return sum_{k>=1} pi_k(x_j) pi_k(x_il) h_0/h_k."""
        A, measure, weighted = self.arithmetic, self.kernel.measures[column], self._weighted[column]
        values = A.evaluate(partial(measure.monic, len(weighted) - 1), x)
        if len(weighted) == 1:
            return A.matmul(values.T * 0, weighted)
        return A.matmul(values[1:].T, weighted[1:])

    def amplitudes(self, s: Any) -> tuple[Any, Any]:
        """Return sum_i s_i pi_k(x_i) and prod_l h_0/h_k for each mode k."""
        A = self.arithmetic
        total: Any = None
        if self.modes.is_product:
            (_, left, g), (_, right, h) = self.halves()
            return A.matmul(left * s, right.T).reshape(-1), (g[:, None] * h).reshape(-1)
        step = max(1, _ENTRIES // self.modes.count)
        for some in (slice(start, start + step) for start in range(0, len(s), step)):
            values = self.modes.products([P[:, some] for P in self.values])
            part = A.matmul(values, s[some].reshape(-1, 1))
            total = part if total is None else total + part
        weights = self.modes.products([w[:, None] for w in self.weights])
        return total.reshape(-1), weights.reshape(-1)

    def halves(self) -> list[tuple[np.ndarray, Any, Any]]:
        """Return, for the first d//2 columns and for the rest, the modes of these columns alone.

        Each entry holds the labels (q, N) of the modes, their values at the points, and prod h_0/h_k.
        """
        middle, out = len(self.modes.degrees) // 2, []
        one = self.arithmetic.array([[fmpq(1)]])
        for half in (slice(middle), slice(middle, None)):
            modes = Modes(self.modes.degrees[half], self.modes.order)
            P, g = self.values[half], [w[:, None] for w in self.weights[half]]
            values, weights = (modes.products(P), modes.products(g)) if P else (one, one)
            out.append((modes.labels if P else np.zeros((1, 2), dtype=int), values, weights[:, 0]))
        return out

    def _diagonals(self, values: Sequence[Sequence[fmpq]]) -> list[arb]:
        """Return the largest R_l(x, x) - 1 of each column, or its mean n_l if that is larger."""
        columns = zip(self.kernel.measures, self.kernel.n, values, strict=True)
        return [
            reduce(arb.max, (arb(cd_sum(measure, n, x, x) - 1) for x in alternatives), arb(n))
            for measure, n, alternatives in columns
        ]

    def diagonal_bound(self, values: Sequence[Sequence[fmpq]]) -> arb:
        terms: list[arb] = elementary_symmetric(self._diagonals(values), self.order)[1:]
        return self.embedding * (1 + reduce(arb.__add__, terms))

    def part_bound(self, values: Sequence[Sequence[fmpq]]) -> arb:
        """Bound lambda prod_l (R_l(x, x) - 1), which c is since the parts are orthogonal in the RKHS."""
        parts = zip(self._diagonals(values), values, strict=True)
        return reduce(mul, (part for part, given in parts if given), self.embedding)

    @cached_property
    def embedding(self) -> arb:
        """lambda, because the p_k/sqrt(lambda) are orthonormal to the measures as probabilities."""
        mass: arb = (self.kernel.mass**-1).to_arithmetic(Ball())
        return mass


def check_measure(value: Any, place: str) -> Measure:
    """Return a measure that a problem can have, or raise BadParameter."""
    if not isinstance(value, Measure):
        raise BadParameter(
            place, repr(value)[:40], "is not a measure", "pass Jacobi(0, 0) or another measure"
        )
    if not value.is_rational:
        raise BadParameter(place, repr(value)[:40], "is not rational", "pass rational alpha and beta")
    for name in ("alpha", "beta"):
        if getattr(value, name, 0) > MAX_PARAMETER:
            raise TooLarge(
                name, format_rational(getattr(value, name)), MAX_PARAMETER, "use a smaller parameter"
            )
    return value


def project_polynomial(measure: Measure, n: int, f: Any) -> Any:
    """Return the projection Pi_n f of a SymPy polynomial f in x, exactly, from the moments of the weight."""
    from sympy import Poly, Symbol

    x = Symbol("x")
    f = Poly(f, x)
    if not measure.is_rational or not all(c.is_Rational for c in f.all_coeffs()):
        raise BadParameter("f", f.as_expr(), "is not a rational polynomial", "use rational coefficients")
    coefficients = [QQ(c) for c in reversed(f.all_coeffs())]
    total = Poly(0, x)
    for k, h in enumerate(measure.h_ratios(check_degree(n))):
        p = measure.polynomial(k)
        c = measure.inner_ratio(coefficients, [QQ(a) for a in reversed(p.all_coeffs())]) / h
        total += p * to_sympy(c)
    return total


def gauss(measure: Measure, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return nodes and weights of Gauss quadrature in float64, by the Golub-Welsch algorithm."""
    a, b = zip(*(measure.recurrence(k) for k in range(count)), strict=True)
    off = [to_float(q) ** 0.5 for q in b[1:]]
    matrix = np.diag([to_float(q) for q in a]) + np.diag(off, 1) + np.diag(off, -1)
    nodes, vectors = np.linalg.eigh(matrix)
    return nodes, vectors[0] ** 2 * measure.h0_in(arithmetic("float"))


def project_callable(
    measure: Measure, n: int, f: Callable[[float], float], count: int | None = None
) -> np.ndarray:
    """Return <f, p_k>, k = 0 ... n, of a function f by Gauss quadrature with ``count`` nodes."""
    nodes, weights = gauss(measure, count or 2 * n + 20)
    values = measure.values(n, nodes, arithmetic("float"))
    found: np.ndarray = values @ (weights * np.array([f(t) for t in nodes]))
    return found
