"""Linear and polynomial kernels (gamma x.z + coef0)^degree, with exact indices under any product measure.

The indices come from the monomials of h. Centred at the mean c of the measure, h(t) is the sum over a of
p!/(a! (p - |a|)!) gamma^|a| sum_i s_i r_i^(p - |a|) x_i^a times (t - c)^a with r_i = gamma x_i.c + coef0. A
change of basis, column by column, leads to the orthogonal polynomials of the measure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from math import comb, factorial
from operator import add, mul
from typing import Any, TypeVar

import numpy as np
from flint import arb, fmpq

from ..errors import BadParameter, TooLarge
from ..measures.measure import NUMBER_SCHEMA, Measure
from ..numbers.arithmetic import Arithmetic, arithmetic
from ..numbers.rationals import QQ, Number, to_float, to_text
from .kernel import Decomposition, Kernel, KernelValues
from .modes import MAX_MODES, Modes

MAX_POWER = 50
_ENTRIES = 2**17  # values of monomials at points that are computed at once
K = TypeVar("K", bound=Kernel)


class PowerKernel(Kernel):
    """A kernel (gamma x.z + coef0)^degree."""

    degree: int
    gamma: fmpq
    coef0: fmpq
    columns: int | None
    is_even = True

    @property
    def order(self) -> int | None:
        return self.degree if self.columns is None or self.degree < self.columns else None

    @property
    def top_degree(self) -> int:
        return self.degree

    def degrees_in(self, d: int) -> tuple[int, ...]:
        return (self.degree,) * d

    @property
    def modes(self) -> Modes:
        """The modes of the functions K(x, .), after ``for_columns``: all k with |k| <= degree."""
        d = self.columns or 1
        return Modes((self.degree,) * d, min(self.degree, d), total=self.degree)

    def require_indices(self) -> None:
        d, count = self.columns or 1, self.modes.count
        if count > MAX_MODES:
            number = str(count) if count < 10**12 else f"about {count:.2g}"
            size = f"the number of modes up to degree {self.degree} in {d} columns, {number},"
            hint = "the indices need every mode, so use a smaller degree or fewer columns"
            raise TooLarge("kernel", size, f"the {MAX_MODES} that can be enumerated", hint)

    @property
    def constant(self) -> fmpq:
        """coef0, or 0 if it is negative: the constant in R, so that R is positive semidefinite."""
        return max(self.coef0, fmpq(0))

    @property
    def dropped_constant(self) -> fmpq:
        """coef0 if it is negative, else 0; a constant changes no classifier, since the s_i add up to 0."""
        return min(self.coef0, fmpq(0))

    @property
    def dimension(self) -> int:
        d = self.columns or 1
        return comb(d + self.degree - (self.constant == 0), self.degree)

    def at(self, points: np.ndarray, A: Arithmetic) -> PowerValues:
        return PowerValues(self, A, A.array(points))

    def __call__(self, X: Any, Z: Any) -> np.ndarray:
        X, Z = (np.atleast_2d(np.asarray(points, dtype=float)) for points in (X, Z))
        found: np.ndarray = (X @ Z.T * to_float(self.gamma) + to_float(self.coef0)) ** self.degree
        return found


@dataclass(frozen=True)
class Linear(PowerKernel):
    """The kernel x.z, which makes the classifier a linear function.

    Examples
    --------
    >>> Linear()([[1.0, 2.0]], [[3.0, 4.0]])
    array([[11.]])
    """

    columns: int | None = field(default=None, init=False)  # set by ``for_columns``
    family = "linear"
    degree, gamma, coef0 = 1, fmpq(1), fmpq(0)

    def for_columns(self, d: int) -> Linear:
        return with_columns(self, d)

    @property
    def description(self) -> str:
        return "linear kernel"

    @property
    def label(self) -> str:
        return "linear"

    def __repr__(self) -> str:
        return "Linear()"

    def to_json(self) -> dict[str, Any]:
        return {"family": self.family}

    @staticmethod
    def rule() -> dict[str, Any]:
        """Return the JSON schema of ``to_json``."""
        return {
            "type": "object",
            "required": ["family"],
            "additionalProperties": False,
            "properties": {"family": {"const": "linear", "description": "the kernel x.z"}},
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Linear:
        """Return the kernel that the field ``kernel`` of a valid ``orca-exact/problem/3`` describes."""
        return cls()


@dataclass(frozen=True)
class Polynomial(PowerKernel):
    """The kernel (gamma x.z + coef0)^degree.

    Parameters
    ----------
    degree : int
        An integer from 1 to 50.
    gamma : number or str
        A positive number.
    coef0 : number or str
        A number; it must not be negative if the degree is 2 or more. With degree 1 it has no effect on the
        classifier, because the s_i add up to 0.

    Examples
    --------
    >>> Polynomial(2, "1/2", 1)([[1.0, 2.0]], [[3.0, 4.0]])
    array([[42.25]])
    """

    degree: Any = 3
    gamma: Any = 1
    coef0: Any = 0
    columns: int | None = field(default=None, init=False)  # set by ``for_columns``
    family = "polynomial"

    def __post_init__(self) -> None:
        whole = isinstance(self.degree, int | np.integer) and not isinstance(self.degree, bool)
        if not whole or self.degree < 1:
            hint = "pass 1, 2, 3, ..."
            raise BadParameter("degree", repr(self.degree), "is not an integer of at least 1", hint)
        if self.degree > MAX_POWER:
            raise TooLarge("degree", self.degree, MAX_POWER, "use a smaller degree")
        gamma, coef0 = check_gamma(self.gamma), QQ(self.coef0, "coef0")
        if coef0 < 0 and self.degree > 1:
            rule = "is negative, so that the kernel is not positive definite"
            raise BadParameter("coef0", to_text(coef0), rule, "pass 0 or a positive number")
        for name, value in (("degree", int(self.degree)), ("gamma", gamma), ("coef0", coef0)):
            object.__setattr__(self, name, value)

    def for_columns(self, d: int) -> Polynomial:
        return with_columns(self, d)

    @property
    def description(self) -> str:
        """The parameters in words."""
        gamma, coef0 = readable(self.gamma), readable(self.coef0)
        return f"polynomial kernel of degree {self.degree}, gamma = {gamma}, coef0 = {coef0}"

    @property
    def label(self) -> str:
        return f"degree={self.degree}"

    def __repr__(self) -> str:
        return f"Polynomial({self.degree}, {to_text(self.gamma)!r}, {to_text(self.coef0)!r})"

    def to_json(self) -> dict[str, Any]:
        parameters = {"gamma": to_text(self.gamma), "coef0": to_text(self.coef0)}
        return {"family": self.family, "degree": self.degree, **parameters}

    @staticmethod
    def rule() -> dict[str, Any]:
        """Return the JSON schema of ``to_json``."""
        return {
            "type": "object",
            "required": ["family", "degree", "gamma", "coef0"],
            "additionalProperties": False,
            "properties": {
                "family": {"const": "polynomial", "description": "the kernel (gamma x.z + coef0)^degree"},
                "degree": {"type": "integer", "minimum": 1, "maximum": MAX_POWER, "description": "the power"},
                "gamma": NUMBER_SCHEMA | {"description": "the factor of x.z, which is positive"},
                "coef0": NUMBER_SCHEMA
                | {"description": "the constant; not negative if the degree is 2 or more"},
            },
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Polynomial:
        """Return the kernel that the field ``kernel`` of a valid ``orca-exact/problem/3`` describes."""
        return cls(int(data["degree"]), data["gamma"], data["coef0"])


def with_columns(kernel: K, d: int) -> K:
    """Return a copy of a linear, polynomial or RBF kernel for points with d columns."""
    found = replace(kernel)  # type: ignore[type-var]
    object.__setattr__(found, "columns", d)
    return found


def check_gamma(gamma: Number) -> fmpq:
    """Return gamma as a rational; raise BadParameter unless it is positive."""
    value = QQ(gamma, "gamma")
    if value <= 0:
        raise BadParameter("gamma", to_text(value), "is not positive", "pass a positive number such as 0.1")
    return value


def readable(value: fmpq) -> str:
    """Return a number as text, rounded to six digits if it is long."""
    text = to_text(value)
    return text if len(text) < 14 and "x" not in text else f"{to_float(value):.6g} (rounded)"


class PowerValues(KernelValues):
    """The kernel (gamma x.z + coef0)^degree between the points of one problem, in one arithmetic."""

    def __init__(self, kernel: PowerKernel, A: Arithmetic, x: Any):
        self.kernel, self.arithmetic, self.x = kernel, A, x
        self.m, self.dimension = len(x), kernel.dimension

    def _power(self, products: Any) -> Any:
        A, kernel = self.arithmetic, self.kernel
        base = products * A(kernel.gamma) + A(kernel.constant)
        return reduce(mul, [base] * kernel.degree)

    def block(self, rows: Any, columns: Any) -> Any:
        return self._power(self.arithmetic.matmul(self.x[rows], self.x[columns].T))

    @cached_property
    def diagonal(self) -> Any:
        return self._power((self.x * self.x).sum(axis=1))

    def select(self, rows: Any) -> PowerValues:
        return PowerValues(self.kernel, self.arithmetic, self.x[rows])

    def midpoints(self) -> PowerValues:
        return PowerValues(self.kernel, arithmetic("float"), self.x.mid)

    @cached_property
    def features(self) -> tuple[Any, Any]:
        """M and g: monomials x_i^a, and their factors p!/(a! (p - |a|)!) gamma^|a| coef0^(p - |a|)."""
        A, kernel, modes = self.arithmetic, self.kernel, self.kernel.modes
        g = [c * kernel.constant ** (kernel.degree - N) for c, N in monomial_factors(kernel, modes)]
        kept = [i for i, weight in enumerate(g) if weight != 0]
        values = modes.products(powers(self.x, kernel.degree, A))
        return values[kept], A.array([g[i] for i in kept]).reshape(-1, 1)

    def decompose(self, measures: Sequence[Measure]) -> MonomialDecomposition:
        return MonomialDecomposition(self, measures)


class PowerSeries:
    """A power series in z up to z^p, with arrays as coefficients."""

    def __init__(self, rows: list[Any]):
        self.rows = rows

    def __add__(self, other: Any) -> PowerSeries:
        if not isinstance(other, PowerSeries):
            return PowerSeries([self.rows[0] + other, *self.rows[1:]])
        return PowerSeries([a + b for a, b in zip(self.rows, other.rows, strict=True)])

    def __mul__(self, other: Any) -> PowerSeries:
        if not isinstance(other, PowerSeries):
            return PowerSeries([row * other for row in self.rows])
        a, b = self.rows, other.rows
        return PowerSeries([reduce(add, (a[i] * b[j - i] for i in range(j + 1))) for j in range(len(a))])

    def reciprocal(self) -> PowerSeries:
        """Return 1/self for a series that begins with 1."""
        rows = [self.rows[0]]
        for j in range(1, len(self.rows)):
            rows.append(-reduce(add, (self.rows[i] * rows[j - i] for i in range(1, j + 1))))
        return PowerSeries(rows)


def powers(x: Any, degree: int, A: Arithmetic) -> list[Any]:
    """Return for each column the rows x^0 ... x^degree, an array (degree + 1, m)."""
    out = []
    for column in range(x.shape[1]):
        rows = [x[:, column] * 0 + 1]
        for _ in range(degree):
            rows.append(rows[-1] * x[:, column])
        out.append(A.rows(rows))
    return out


def monomial_factors(kernel: PowerKernel, modes: Modes) -> Iterator[tuple[fmpq, int]]:
    """Yield p!/(a! (p - |a|)!) gamma^|a| and |a| for each monomial."""
    p = kernel.degree
    for a, N in zip(modes.table.tolist(), modes.labels[:, 1].tolist(), strict=True):
        below = reduce(mul, (factorial(k) for k in a), factorial(p - N))
        yield fmpq(factorial(p), below) * kernel.gamma**N, N


class MonomialDecomposition(Decomposition):
    """The decomposition of functions with a polynomial kernel, by modes."""

    by_pairs = False
    modes: Modes

    def __init__(self, at: PowerValues, measures: Sequence[Measure]):
        self.at, self.arithmetic, self.measures = at, at.arithmetic, measures
        self.modes, self.d = at.kernel.modes, len(measures)
        self.order = self.modes.order
        at.kernel.require_indices()

    def amplitudes(self, s: Any) -> tuple[Any, Any]:
        A, kernel, modes, x = self.arithmetic, self.at.kernel, self.modes, self.at.x
        degrees = modes.labels[:, 1]
        centre = A.array([measure.recurrence(0)[0] for measure in self.measures])
        r = A.matmul(x, centre.reshape(-1, 1)).reshape(-1) * A(kernel.gamma) + A(kernel.constant)
        weighted = [s]  # s_i r_i^(p - N) for N = p ... 0
        for _ in range(kernel.degree):
            weighted.append(weighted[-1] * r)
        by_degree = A.rows(weighted[::-1])
        total: Any = None
        step = max(1, _ENTRIES // modes.count)
        for some in (slice(start, start + step) for start in range(0, len(x), step)):
            values = modes.products(powers(x[some], kernel.degree, A))
            part = (values * by_degree[:, some][degrees]).sum(axis=1)
            total = part if total is None else total + part
        a = total * A.array([c for c, _ in monomial_factors(kernel, modes)])
        for rows, targets, factor in self._steps:
            a[targets] = a[targets] + a[rows] * A(factor)
        return a, self._norms

    # Values of the parts. (gamma x.t + coef0)^p is p! times the coefficient of z^p in the product of
    # e^(coef0 z) and of e^(gamma x_l t_l z) over the columns l: a product kernel with series in z as values.

    @cached_property
    def _centres(self) -> list[fmpq]:
        return [measure.recurrence(0)[0] for measure in self.measures]

    def _exponential(self, values: Any) -> PowerSeries:
        """Return e^(values z) up to z^p."""
        A, rows = self.arithmetic, [values * 0 + 1]
        for j in range(1, self.at.kernel.degree + 1):
            rows.append(rows[-1] * values * A(fmpq(1, j)))
        return PowerSeries(rows)

    def _mean(self, column: int) -> PowerSeries:
        """Return the mean of e^(gamma x_il (t_l - c_l) z) for each point i, c the mean of the measure."""
        A, kernel, c = self.arithmetic, self.at.kernel, self._centres[column]
        own = self.measures[column].moment_ratios(kernel.degree)
        central = [
            sum((comb(j, i) * (-c) ** (j - i) * own[i] for i in range(j + 1)), fmpq(0))
            for j in range(kernel.degree + 1)
        ]
        rows = self._exponential(self.at.x[:, column] * A(kernel.gamma)).rows
        return PowerSeries([row * A(moment) for row, moment in zip(rows, central, strict=True)])

    def column_at(self, column: int, x: np.ndarray) -> PowerSeries:
        """Return e^(gamma x_il (x_j - c_l) z) divided by its mean over x_j, minus 1, as a series in z."""
        A, kernel = self.arithmetic, self.at.kernel
        shifted = A.array(x - self._centres[column]).reshape(-1, 1)
        values = self._exponential(shifted * (self.at.x[:, column] * A(kernel.gamma)).reshape(1, -1))
        quotient = values * self._mean(column).reciprocal()
        return PowerSeries([quotient.rows[0] * 0, *quotient.rows[1:]])

    def part_weights(self, s: Any) -> list[Any]:
        A, kernel = self.arithmetic, self.at.kernel
        centre = A.array(self._centres)
        r = A.matmul(self.at.x, centre.reshape(-1, 1)).reshape(-1) * A(kernel.gamma) + A(kernel.constant)
        t = reduce(mul, (self._mean(column) for column in range(self.d)), self._exponential(r))
        common = s * A(fmpq(factorial(kernel.degree)))
        return [(row * common).reshape(-1, 1) for row in t.rows[::-1]]

    def collect(self, weights: list[Any], products: PowerSeries) -> Any:
        terms = map(self.arithmetic.matmul, products.rows, weights)
        return reduce(add, terms).reshape(-1)

    @cached_property
    def _norms(self) -> Any:
        """prod_l h_k/h_0 for each mode; 0 if a column has too few values for its degree."""
        p, A = self.at.kernel.degree, self.arithmetic
        norms = []
        for measure in self.measures:
            known = measure.h_ratios(p if measure.size is None else min(p, measure.size - 1))
            norms.append(A.array([*known, *[fmpq(0)] * (p + 1 - len(known))]).reshape(-1, 1))
        return self.modes.products(norms).reshape(-1)

    @cached_property
    def _steps(self) -> list[tuple[list[int], list[int], fmpq]]:
        """The steps of the change of basis: add a multiple of some amplitudes to others."""
        table = self.modes.table
        place = {tuple(k): i for i, k in enumerate(table.tolist())}
        steps = []
        for column, measure in enumerate(self.measures):
            change = _monomials_in_basis(measure, self.at.kernel.degree)
            rows_of = [np.flatnonzero(table[:, column] == a).tolist() for a in range(len(change))]
            for k in range(len(change)):
                for a in range(k + 1, len(change)):
                    if change[a][k] != 0 and rows_of[a]:
                        lower = table[rows_of[a]].copy()
                        lower[:, column] = k
                        steps.append(
                            (rows_of[a], [place[tuple(row)] for row in lower.tolist()], change[a][k])
                        )
        return steps

    @cached_property
    def embedding(self) -> fmpq:
        """The expectation of K(x, x) = (gamma |x|^2 + coef0)^p, which bounds the integral operator."""
        kernel, p = self.at.kernel, self.at.kernel.degree
        series = [kernel.constant**j / factorial(j) for j in range(p + 1)]
        for measure in self.measures:
            moments = measure.moment_ratios(2 * p)
            own = [kernel.gamma**j * moments[2 * j] / factorial(j) for j in range(p + 1)]
            series = [sum((series[i] * own[j - i] for i in range(j + 1)), fmpq(0)) for j in range(p + 1)]
        return series[p] * factorial(p)

    @cached_property
    def _even_moments(self) -> list[list[fmpq]]:
        return [measure.moment_ratios(2 * self.at.kernel.degree)[::2] for measure in self.measures]

    def diagonal_bound(self, values: Sequence[Sequence[fmpq]]) -> arb:
        kernel, p = self.at.kernel, self.at.kernel.degree
        series = [arb(kernel.constant) ** j / factorial(j) for j in range(p + 1)]
        for moments, alternatives in zip(self._even_moments, values, strict=True):
            largest = max(map(abs, alternatives), default=fmpq(0)) ** 2
            own = [
                arb(kernel.gamma) ** j * arb(moments[j]).max(arb(largest) ** j) / factorial(j)
                for j in range(p + 1)
            ]
            series = [sum((series[i] * own[j - i] for i in range(j + 1)), arb(0)) for j in range(p + 1)]
        return series[p] * factorial(p)


def _monomials_in_basis(measure: Measure, degree: int) -> list[list[fmpq]]:
    """Return T with (x - c)^a = sum_k T[a][k] pi_k(x) on the support of the measure, c its mean."""
    size = degree + 1 if measure.size is None else min(degree + 1, measure.size)
    steps = [measure.recurrence(k) for k in range(size)]
    centre, row = steps[0][0], [fmpq(1)] + [fmpq(0)] * degree
    rows = [row]
    for _ in range(degree):
        following = [fmpq(0)] * (degree + 1)
        for k in range(size):
            following[k] = (steps[k][0] - centre) * row[k]
            following[k] += row[k - 1] if k else 0
            following[k] += steps[k + 1][1] * row[k + 1] if k + 1 < size else 0
        row = following
        rows.append(row)
    return rows
