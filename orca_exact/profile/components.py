"""The parts of h that depend on exactly the columns of a set S, as functions, and their covariances with h.

Under the measure of the indices, columns are independent and h minus its mean is the sum of its parts f_S,
which are uncorrelated: Var(f_S)/Var(h) is the share of S. Over the rows of the data columns are correlated,
so that no decomposition is orthogonal; but h - mean is still the sum of the f_S up to a constant, hence
Cov(f_S, h)/Var(h) over all S add up to 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, reduce
from itertools import combinations
from operator import add, mul
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from flint import arb, fmpq, fmpq_poly

from ..errors import BadParameter, Undecided, printable, wrong_count
from ..kernels.modes import elementary_symmetric, extend_symmetric, leave_one_out
from ..kernels.orthogonal import is_list
from ..numbers.arithmetic import Arithmetic, arithmetic, object_vector
from ..numbers.quantity import to_quantity
from ..numbers.rationals import QQ, certain_sign, to_float
from ..plots.shapes import FEW_VALUES, Shape
from ..plots.shares import label_columns
from ..plots.tables import html_table, split_radius, to_dataframe
from ..svm.tau import Ratio, Tau
from .indices import INDICES
from .support import Support
from .under import float_ratios
from .units import column_units
from .views import ListView, NamedView

if TYPE_CHECKING:
    from .profile import Profile

_ENTRIES = 2**20  # numbers of one strip of points: points, times support vectors, times columns
_CURVE, _SURFACE = 201, 61  # points of a curve, and of each axis of a surface
_FAMILIES = ("order", "marginal", "pair")


class Parts:
    """The values of the parts of h at points, in the arithmetic of a profile."""

    def __init__(self, profile: Profile[Any], support: Support | None = None):
        self.profile, self._support = profile, support
        support = support or profile.generating.support
        self.arithmetic = support.arithmetic
        self.parts, self.order = support.parts, support.parts.order
        modes = self.parts.modes
        self.is_product = modes is None or modes.is_product or not self.parts.by_pairs
        with self.arithmetic.scope():
            self.weights = self.parts.part_weights(support.s)
        self._step = max(1, _ENTRIES // (len(support.s) * profile.d))

    @classmethod
    def in_float64(cls, profile: Profile[Any]) -> Parts:
        """Return the same parts in float64 without error bounds, for figures."""
        A, known = arithmetic("float"), profile.generating.support
        s = np.zeros(profile.problem.m)
        if isinstance(known.s[0], fmpq_poly):  # in tau = lambda C, if lambda is irrational
            first = profile.problem.y[known.rows[0]]
            s[list(known.rows)] = [first * float(known.arithmetic.quotient(x, known.s[0])) for x in known.s]
        else:
            s[list(known.rows)] = float_ratios(known.s)
        return cls(profile, Support.from_coefficients(profile.problem, A, A.elements(s)))

    @cached_property
    def _factor(self) -> Any:
        """The factor c with h = c sum_i s_i R(x_i, .), from ||h||^2 = scale s^T R s and K = lambda R."""
        profile, A = self.profile, self.arithmetic
        if self._support is not None:  # s is known up to a factor: ||h||^2 gives it
            return (float(profile.norm2) / float(self._support.form) * profile.problem.lambda_in(A)) ** 0.5
        if not A.exact:
            return A.sqrt(profile.scale * profile.problem.lambda_in(A))
        lam = Tau(profile.problem).scale()
        moved = profile.scale / profile._given_scale  # the square of a denominator of s, or 1
        square = profile._given_scale * lam
        if isinstance(square, Ratio):  # of a solution: h = lambda sum_i s_i R(x_i, .) with irrational lambda
            return lam * _rational_root(moved)
        return _rational_root(square * moved)

    def strips(self, points: np.ndarray) -> Iterator[list[Any]]:
        """Yield F_l of ``Decomposition.column_at`` for all columns, some points at a time."""
        for start in range(0, len(points), self._step):
            strip = points[start : start + self._step]
            yield [self.parts.column_at(column, strip[:, column]) for column in range(points.shape[1])]

    def of_set(self, columns: Sequence[int], points: np.ndarray) -> np.ndarray:
        """Return f_S at points with one coordinate for each of the columns of S, counted from 1."""
        out = []
        for start in range(0, len(points), self._step):
            strip = points[start : start + self._step]
            factors = [self.parts.column_at(i - 1, strip[:, k]) for k, i in enumerate(columns)]
            out.append(self.values(reduce(mul, factors)))
        return np.concatenate(out)

    def by_forms(self, points: np.ndarray, forms: Callable[[list[Any]], list[Any]]) -> list[np.ndarray]:
        """Return, for each form that ``forms`` makes of the F_l of all columns, its values at all points."""
        rows = [[self.values(form) for form in forms(factors)] for factors in self.strips(points)]
        return [np.concatenate(values) for values in zip(*rows, strict=True)]

    def whole(self, factors: list[Any]) -> Any:
        """Return the sum of the products over all non-empty sets: h without its mean under the measure."""
        if self.is_product:
            return reduce(lambda total, factor: total * (factor + 1) + factor, factors)
        return reduce(add, elementary_symmetric(factors, self.order)[1:])

    def without_one(self, B: list[Any]) -> Iterator[Any]:
        """Yield prod_{l != j} (1 + B_l) or its terms of limited order, for each j; None stands for 1."""
        yield from without_one(B, self.order, self.is_product)

    def one(self) -> Any:
        """Return the product over the empty set, whose value is the mean of h under the measure."""
        return self.parts.column_at(0, self.profile.problem.points[:1, 0]) * 0 + 1

    def values(self, products: Any) -> np.ndarray:
        """Return values of a part of h, or of a sum of parts, from products of factors."""
        A = self.arithmetic
        values: np.ndarray = A.to_scalars(self.parts.collect(self.weights, products)) * self._factor
        if values.dtype == float and not np.isfinite(values).all():
            raise Undecided("A value of h is beyond the range of float64; use the arithmetic 'ball'.")
        return values


def _rational_root(square: fmpq) -> fmpq:
    """Return the square root of the square of a rational."""
    return fmpq(square.p.isqrt(), square.q.isqrt())


def without_one(B: Sequence[Any], order: int, is_product: bool) -> Iterator[Any]:
    """Yield prod_{l != j} (1 + B_l) for each j, or its terms with fewer than ``order`` factors.

    None stands for 1.
    """
    if is_product:
        yield from _products_without_one([b + 1 for b in B])
    elif order == 1:
        yield from [None] * len(B)
    else:
        for e in leave_one_out(B, (None,), lambda e, rest: extend_symmetric(e, rest, order - 1)):
            yield reduce(add, e[1:]) + 1 if len(e) > 1 else None


def _products_without_one(factors: Sequence[Any]) -> Iterator[Any]:
    """Yield the product of all factors but one, for each; None if there are no others."""
    after: list[Any] = [None]
    for factor in reversed(factors[1:]):
        after.append(factor if after[-1] is None else after[-1] * factor)
    before = None
    for factor, rest in zip(factors, reversed(after), strict=True):
        yield rest if before is None else before if rest is None else before * rest
        before = factor if before is None else before * factor


class Component:
    """The part of h that depends on exactly the columns of a set S, a function of these columns.

    Under the measure of the indices its mean over each of its columns is 0, and all parts together add up to
    h minus its mean.

    Parameters
    ----------
    profile : Profile
        The profile of h.
    columns : sequence of int
        The columns of S, counted from 1.
    """

    def __init__(self, profile: Profile[Any], columns: Sequence[int]):
        self.columns, self.profile = tuple(columns), profile
        self._parts = Parts(profile)

    def __repr__(self) -> str:
        return f"<Component of {self.label}, {self.profile.arithmetic!r}>"

    def __call__(self, points: Any) -> np.ndarray:
        """Return the values at points.

        Parameters
        ----------
        points : array_like
            One row for each point, with the values of the columns of S in increasing order; for one column
            a list of values suffices. If the problem is rescaled, these are rescaled values.

        Returns
        -------
        ndarray
            Numbers of the arithmetic of the profile.
        """
        rational = read_rows(points, len(self.columns), "points", values=True)
        A = self.profile.arithmetic
        with A.scope():
            if len(self.columns) > self._parts.order:
                return object_vector([to_quantity(A.scalar_arithmetic()(0))] * len(rational))
            values = self._parts.of_set(self.columns, rational)
            if self.profile.w_error is not None:
                errors = [arb(0, self._error(row)) for row in rational]
                values = object_vector(x + error for x, error in zip(values, errors, strict=True))
            return values if values.dtype == float else object_vector(to_number(x, A) for x in values)

    def _error(self, row: Sequence[fmpq]) -> arb:
        """Bound the difference from the value for the optimal w, by the norm of h -> f_S(x)."""
        values: list[list[fmpq]] = [[] for _ in range(self.profile.d)]
        for i, x in zip(self.columns, row, strict=True):
            values[i - 1] = [x]
        return (arb(self.profile.w_error) * self._parts.parts.part_bound(values).sqrt()).upper()

    @property
    def label(self) -> str:
        """The names of the columns."""
        names = self.profile.names
        return " × ".join(printable(names[i - 1]) if names else f"x_{i}" for i in self.columns)

    def plot(self, ax: Any = None, units: Any = None) -> Any:
        """Draw the function of one column as a curve, or that of two columns as a heat map, with the data.

        The values are computed in float64; a band shows the error bound of the certificate if it is visible.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            The axes to draw into; by default a new figure is made.
        units : transformer or callable, optional
            What turns rows of the problem into rows in the data's own units, each column on its own: a fitted
            scaler or pipeline with ``inverse_transform``, or a function of an array. The rescaling of the
            problem itself is always undone.

        Returns
        -------
        matplotlib.figure.Figure
        """
        from ..plots import draw_shapes

        return draw_shapes([self.sample(units)], ax=ax)

    def sample(self, units: Any = None) -> Shape:
        """Return what a figure shows: values in float64 on a grid, and the data."""
        if len(self.columns) > 2:
            hint = "draw a component of one or two columns"
            raise BadParameter("S", f"the set of {len(self.columns)} columns", "cannot be drawn", hint)
        own = column_units(self.profile.problem, units)
        data = [np.array([to_float(x) for x in self.profile.problem.points[:, i - 1]]) for i in self.columns]
        count = _CURVE if len(data) == 1 else _SURFACE
        axes = [_grid(column, count) for column in data]
        grid = np.array(np.meshgrid(*axes, indexing="ij"), dtype=object).reshape(len(axes), -1).T
        beyond = len(self.columns) > self._parts.order
        exact = cast(np.ndarray, np.frompyfunc(QQ, 1, 1)(grid))
        with np.errstate(all="ignore"):  # values beyond float64 are refused
            values = np.zeros(len(grid)) if beyond else self.profile.plain_parts.of_set(self.columns, exact)
        error = 0.0
        if self.profile.w_error is not None:
            with self.profile.arithmetic.scope():
                error = max(float(self._error(row)) for row in exact[:: max(1, len(grid) // 50)])
        in_units = [
            [own(i - 1, column) for i, column in zip(self.columns, each, strict=True)]
            for each in (axes, data)
        ]
        labels = label_columns(self.profile.names, self.profile.d)
        names = [labels[i - 1] for i in self.columns]
        share = float(self.profile.subset(self.columns))
        return Shape(
            names, in_units[0], in_units[1], values.reshape([len(axis) for axis in axes]), share, error
        )


def _grid(column: np.ndarray, count: int) -> np.ndarray:
    """Return the values of a column if they are few, and equidistant values in its range otherwise."""
    known = np.unique(column)
    return known if len(known) <= FEW_VALUES else np.linspace(known[0], known[-1], count)


def read_rows(points: Any, d: int, place: str, values: bool = False) -> np.ndarray:
    """Return points as an array of rationals with d columns.

    A list of numbers is one point, or with ``values`` one point for each number.
    """
    hint = "pass one row for each point"
    given = points.to_numpy() if hasattr(points, "to_numpy") else points
    if not is_list(given):
        raise BadParameter(place, repr(points)[:40], "is not a list of rows", hint)
    rows = list(given)
    if values:
        rows = [row if is_list(row) else [row] for row in rows]
    elif not any(map(is_list, rows)):
        rows = [rows]
    counts = [len(list(row)) if is_list(row) else 1 for row in rows] or [0]
    for count in counts:
        if count != d:
            raise wrong_count(place, count, "value", f"for {d} columns", hint)
    return np.array([[QQ(x, place) for x in row] for row in rows], dtype=object)


def to_number(value: Any, A: Arithmetic) -> Any:
    return to_quantity(A.quotient(value, A.scalar_arithmetic()(1)))


class Covariances:
    """Cov(f_S, h)/Var(h) over the rows of the data, for parts f_S of h. ``Profile.covariances`` makes it.

    A share is Var(f_S)/Var(h) if the columns are independent. The covariances do not assume that: they say
    how much of the variance of h in the data comes from f_S. All of them add up to 1. A negative one means
    that f_S varies against the rest of h: in the data other parts outweigh it, and h would vary more without
    it. Then the columns are correlated, and a share on its own is misleading.

    Attributes
    ----------
    variance : number
        The variance of h over the rows, each with the same weight.
    order, marginal, pair
        The covariances, by order from 0, by column and by pair of columns, as in ``Profile``.
    """

    def __init__(self, profile: Profile[Any]):
        if profile.w_error is not None:
            rule = "bounds w but does not enclose alpha, so that covariances are not enclosed"
            hint = "use the arithmetic 'float' or 'mp', which prove nothing"
            raise BadParameter("profile", "the certificate", rule, hint)
        self.profile, self.names, self._parts = profile, profile.names, Parts(profile)
        self._points = profile.problem.points

    @cached_property
    def _h(self) -> np.ndarray:
        """Values of h at the rows, minus their mean."""
        with self.profile.arithmetic.scope():
            (h,) = self._parts.by_forms(self._points, lambda factors: [self._parts.whole(factors)])
            mean = self._mean(h)
            return object_vector(x - mean for x in h) if h.dtype == object else h - mean

    def _mean(self, values: np.ndarray) -> Any:
        count = self.profile.arithmetic.scalar_arithmetic()(fmpq(1, len(values)))
        return values.sum() * count

    @cached_property
    def _variance(self) -> Any:
        with self.profile.arithmetic.scope():
            variance, A = self._mean(self._h * self._h), self.profile.arithmetic
            undecided = A.encloses and not certain_sign(variance) > 0
            if variance == 0 or undecided:
                raise Undecided("The variance of h over the rows of the data is not separated from 0.")
            return variance

    @property
    def variance(self) -> Any:
        """The variance of h over the rows."""
        with self.profile.arithmetic.scope():
            return to_number(self._variance, self.profile.arithmetic)

    def _family(self, forms: Callable[[list[Any]], list[Any]]) -> list[Any]:
        A = self.profile.arithmetic
        with A.scope():
            values = self._parts.by_forms(self._points, forms)
            return [to_quantity(A.quotient(self._mean(f * self._h), self._variance)) for f in values]

    @cached_property
    def order(self) -> ListView[Any]:
        """The covariances by order, from 0; that of the constant is 0."""
        d, parts = self.profile.d, self._parts
        found = self._family(lambda factors: elementary_symmetric(factors, parts.order)[1:])
        return ListView([self._zero, *found, *[self._zero] * (d - len(found))], "order")

    @property
    def _zero(self) -> Any:
        return to_quantity(self.profile.arithmetic.scalar_arithmetic()(0))

    @cached_property
    def marginal(self) -> NamedView[Any]:
        """The covariances by column."""
        found = self._family(list)
        return NamedView(dict(zip(self._keys("marginal"), found, strict=True)), self.names, "marginal")

    @cached_property
    def pair(self) -> NamedView[Any]:
        """The covariances by pair of columns."""
        keys = self._keys("pair")
        if self._parts.order < 2 or not keys:
            return NamedView(dict.fromkeys(keys, self._zero), self.names, "pair")
        found = self._family(lambda factors: [a * b for a, b in combinations(factors, 2)])
        return NamedView(dict(zip(keys, found, strict=True)), self.names, "pair")

    def _keys(self, name: str) -> Sequence[tuple[int, ...]]:
        return INDICES[name].keys(0, self.profile.d)

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each order from 1, column and pair: label, covariance and share."""
        rows = []
        for name in _FAMILIES:
            view: Any = getattr(self, name)
            found = list(view) if name == "order" else list(view.values())
            shares: Mapping[Any, Any] = self.profile.family(name)
            for key, x in zip(self._keys(name), found, strict=True):
                if key != (0,):
                    label = INDICES[name].label_of(key, self.names)
                    rows.append({"index": label, "covariance": x, "share": shares[key]})
        return rows

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with the columns index, covariance and share, in float64."""
        return to_dataframe(
            [
                {"index": row["index"]} | {k: split_radius(row[k])["value"] for k in ("covariance", "share")}
                for row in self.rows()
            ]
        )

    def __repr__(self) -> str:
        return f"<Covariances d={self.profile.d} {self.profile.arithmetic!r}>"

    def _repr_html_(self) -> str:
        note = f"shares under {self.profile.under_description}; covariances over the rows of the data"
        return html_table(repr(self), self.rows(), [note])
