"""Shapley values of single rows: how much each column adds to the value of h there, in closed form.

A game gives each set S of columns the mean v(S) of h at points whose columns in S are those of the row and
whose other columns are random: independent with the measure of the indices, or together those of a random
row of a background sample, as SHAP defines it. If h is a sum of products over columns, the Shapley value of
column j is the integral, for t from 0 to 1, of the derivative of h along column j at a point whose columns
are all on the line from the reference to the row; it is a polynomial in t, so that Gauss quadrature is exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, reduce
from typing import TYPE_CHECKING, Any

import numpy as np
from flint import arb, fmpq, fmpq_mat

from ..errors import BadParameter
from ..numbers.arithmetic import Arithmetic, object_vector
from ..numbers.quantity import to_quantity
from ..numbers.rationals import QQ, midpoint, precision_bits
from ..plots.tables import html_table, split_radius, to_dataframe
from ..svm.tau import Ratio
from .components import Parts, read_rows, to_number
from .units import column_units, rescale_rows
from .views import NamedView

if TYPE_CHECKING:
    from .profile import Profile


class Attributions:
    """How much each column adds to the value of h at each row. ``Profile.attributions`` makes it.

    The values of a row add up to ``decision`` minus ``base``.

    Parameters
    ----------
    profile : Profile
        The profile of h.
    x : array_like
        One row, or several.
    background : array_like, optional
        Rows that the columns are compared with.
    bias : number, optional
        The constant b of the classifier g = h + b.
    own_units : bool, optional
        Whether the rows are in the units of ``problem.X``, before the rescaling of the problem.

    Attributes
    ----------
    values : ndarray
        The Shapley values, with a row for each row of ``x`` and a column for each column.
    base : number
        The mean of h, plus b if it is given: what is expected without knowing any column.
    decision : ndarray
        The value of h at each row, plus b if it is given.
    """

    def __init__(
        self, profile: Profile[Any], x: Any, background: Any = None, bias: Any = None, own_units: bool = False
    ):
        def read(rows: Any, place: str) -> np.ndarray:
            found = read_rows(rows, profile.d, place)
            return rescale_rows(profile.problem, found) if own_units else found

        self.profile, self.names = profile, profile.names
        self.points = read(x, "x")
        self.background = None if background is None else read(background, "background")
        self._parts, self._bias = Parts(profile), bias

    def __repr__(self) -> str:
        return f"<Attributions of {len(self.points)} rows, d={self.profile.d} {self.profile.arithmetic!r}>"

    @property
    def reference_description(self) -> str:
        """The rows with which the columns of this row are compared, in words."""
        if self.background is None:
            return f"rows of independent columns, under {self.profile.under_description}"
        return f"{len(self.background)} background rows"

    @cached_property
    def _computed(self) -> tuple[np.ndarray, Any, np.ndarray]:
        """Shapley values, mean of h and values of h, elements of the arithmetic."""
        A, parts = self.profile.arithmetic, self._parts
        with A.scope():
            one = parts.one()
            if self.background is None:
                base = parts.values(one)[0]
                columns = [np.concatenate(each) for each in zip(*self._under_measure(), strict=True)]
                values = np.stack(columns, axis=1)
            else:
                (h,) = parts.by_forms(self.background, lambda factors: [parts.whole(factors) + one])
                base = h.sum() * A.scalar_arithmetic()(fmpq(1, len(h)))
                rows = [self._against(self.background, row) for row in self.points]
                values = A.elements(x for row in rows for x in row) if A.exact else np.array(rows)
                values = values.reshape(len(rows), -1)
            (decision,) = parts.by_forms(self.points, lambda factors: [parts.whole(factors) + one])
            if self.profile.w_error is not None:
                radius = [self.profile.w_error * self._norm(row) for row in self.points]
                values = np.array(
                    [
                        [x + arb(0, (2 * r).upper()) for x in row]
                        for row, r in zip(values, radius, strict=True)
                    ]
                )
                base = base + arb(0, reduce(arb.max, radius).upper())
                decision = object_vector(x + arb(0, r.upper()) for x, r in zip(decision, radius, strict=True))
            return values, base, decision

    def _under_measure(self) -> Iterator[list[np.ndarray]]:
        for factors in self._parts.strips(self.points):
            yield [self._parts.values(form) for form in self._forms(factors, None)]

    def _against(self, background: np.ndarray, row: np.ndarray) -> list[Any]:
        """Return the mean of the Shapley values of a row over the background rows."""
        (own,) = self._parts.strips(row.reshape(1, -1))
        sums: list[Any] = [0] * len(own)
        for reference in self._parts.strips(background):
            forms = self._forms(own, reference)
            sums = [total + self._parts.values(form).sum() for total, form in zip(sums, forms, strict=True)]
        share = self.profile.arithmetic.scalar_arithmetic()(fmpq(1, len(background)))
        return [total * share for total in sums]

    def _forms(self, own: list[Any], reference: list[Any] | None) -> Iterator[Any]:
        """Yield D_j times the integral of prod_{l != j} (1 + B_l) for each column j.

        D is the difference between the factors of the row and of the reference, and B = reference + t D. If
        the order is limited to q, the product is replaced by its terms with fewer than q factors.
        """
        steps = own if reference is None else [x + z * -1 for x, z in zip(own, reference, strict=True)]
        totals: list[Any] = [None] * len(steps)
        for t, weight in gauss_rule(self.profile.arithmetic, self._parts.order):
            B = [step * t for step in steps]
            if reference is not None:
                B = [x + z for x, z in zip(B, reference, strict=True)]
            for j, rest in enumerate(self._parts.without_one(B)):
                part = weight if rest is None else rest * weight
                totals[j] = part if totals[j] is None else totals[j] + part
        return (step * total for step, total in zip(steps, totals, strict=True))

    def _norm(self, row: np.ndarray) -> arb:
        """Bound |v(S)|/||h|| for every set S."""
        bound = self._parts.parts.diagonal_bound
        if self.background is None:
            return bound([[x] for x in row]).sqrt()
        norms = (bound([[x, z] for x, z in zip(row, other, strict=True)]).sqrt() for other in self.background)
        return sum(norms, arb(0)) / len(self.background)

    @cached_property
    def values(self) -> np.ndarray:
        """The Shapley values, with a row for each row and a column for each column."""
        return self._shown(self._computed[0])

    @cached_property
    def base(self) -> Any:
        """The mean of h, plus b if it is given."""
        with self.profile.arithmetic.scope():
            return self._biased(to_number(self._computed[1], self.profile.arithmetic))

    @cached_property
    def decision(self) -> np.ndarray:
        """The value of h at each row, plus b if it is given."""
        shown = self._shown(self._computed[2])
        kind = shown.dtype
        with self.profile.arithmetic.scope():
            return shown if self._bias is None else np.frompyfunc(self._biased, 1, 1)(shown).astype(kind)

    def _biased(self, value: Any) -> Any:
        """Return h plus b, if b is given."""
        bias, A = self._bias, self.profile.arithmetic
        if bias is None:
            return value
        if not isinstance(bias, arb):
            return to_quantity(value + A.scalar_arithmetic()(QQ(bias, "bias")))
        if not A.proves:
            return value + A(midpoint(bias))
        return to_quantity((value.ball(50) if isinstance(value, Ratio) else arb(value)) + bias)

    def _shown(self, array: np.ndarray) -> np.ndarray:
        A = self.profile.arithmetic
        if array.dtype == float:
            return array
        with A.scope():
            return object_vector(to_number(x, A) for x in array.flat).reshape(array.shape)

    def row(self, k: int = 0) -> NamedView[Any]:
        """Return the values of one row by column.

        Parameters
        ----------
        k : int
            The row, counted from 0.

        Returns
        -------
        NamedView
            A mapping from names of columns, or from their numbers from 1.
        """
        self._check_row(k)
        return NamedView({(i,): x for i, x in enumerate(self.values[k], 1)}, self.names, "attributions")

    def _check_row(self, k: Any) -> None:
        if not isinstance(k, int | np.integer) or not 0 <= k < len(self.points):
            raise BadParameter("row", repr(k), "is not a row", f"pass one from 0 to {len(self.points) - 1}")

    def rows(self) -> list[dict[str, Any]]:
        """Return a row of a table for each row and column, the largest values of each row first."""
        found = []
        for k, values in enumerate(self.values):
            for i in sorted(range(len(values)), key=lambda i: -abs(float(values[i]))):
                name = self.names[i] if self.names else f"x_{i + 1}"
                found.append({"row": k, "column": name, "adds": values[i]})
        return found

    def to_frame(self) -> Any:
        """Return a pandas DataFrame of the values in float64, with a column for each column."""
        names = self.names or [f"x_{i}" for i in range(1, self.profile.d + 1)]
        return to_dataframe(
            [dict(zip(names, (split_radius(x)["value"] for x in row), strict=True)) for row in self.values]
        )

    def _repr_html_(self) -> str:
        note = (
            f"compared with {self.reference_description}; the values of a row add up to h(x) minus its mean"
        )
        return html_table(repr(self), self.rows(), [note])

    def plot(self, row: int = 0, ax: Any = None, units: Any = None) -> Any:
        """Draw the values of one row as a waterfall, from the mean to the value at the row.

        Parameters
        ----------
        row : int
            The row, counted from 0.
        ax : matplotlib.axes.Axes, optional
            The axes to draw into; by default a new figure is made.
        units : transformer or callable, optional
            How to show the values of the columns in the data's own units; see ``Component.plot``.

        Returns
        -------
        matplotlib.figure.Figure
        """
        from ..plots import draw_waterfall, label_columns

        self._check_row(row)
        own = column_units(self.profile.problem, units)
        names = label_columns(self.names, self.profile.d)
        shown = [float(own(i, np.array([float(x)]))[0]) for i, x in enumerate(self.points[row])]
        function = "h" if self._bias is None else "g"
        return draw_waterfall(
            [float(x) for x in self.values[row]], names, shown, float(self.base), function,
            f"compared with {self.reference_description}", ax,
        )  # fmt: skip


def gauss_rule(A: Arithmetic, order: int) -> list[tuple[Any, Any]]:
    """Return nodes and weights on [0, 1] that integrate polynomials of degree below ``order``.

    They are those of Gauss; in rationals they are equidistant, with the weights of interpolation.
    """
    if A.exact:
        nodes = [fmpq(2 * k + 1, 2 * order) for k in range(order)]
        powers = fmpq_mat([[t**j for t in nodes] for j in range(order)])
        weights = powers.solve(fmpq_mat([[fmpq(1, j + 1)] for j in range(order)]))
        return [(t, weights[k, 0]) for k, t in enumerate(nodes)]
    count = (order + 1) // 2
    with precision_bits(A.bits + 20):
        pairs = [arb.legendre_p_root(count, k, weight=True) for k in range(count)]
        halves = [((1 + node) / 2, weight / 2) for node, weight in pairs]
    return [tuple(x if A.encloses else A(midpoint(x)) for x in pair) for pair in halves]  # type: ignore[misc]
