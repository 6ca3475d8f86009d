"""Classification problems: points, labels, C and a kernel.

All numbers are converted to exact rationals when a problem is created; min-max rescaling to [-1, 1] is exact.

>>> problem = Problem([["0"], ["0.5"], ["2"]], [1, -1, 1], n=2, alpha=0, beta=0, rescale=True)
>>> problem.points.T
array([[-1, -1/2, 1]], dtype=object)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np
from flint import arb, fmpq

from .errors import (
    BadFile,
    BadInput,
    BadParameter,
    NotANumber,
    OutsideDomain,
    TooLarge,
    pluralize,
    printable,
    shorten,
    wrong_count,
)
from .files.formats import JsonObject, digest, place_of, read
from .files.validation import validate
from .kernels.kernel import Kernel, KernelValues
from .kernels.orthogonal import OrthogonalPolynomials, is_list
from .kernels.registry import read_kernel
from .measures.jacobi import Jacobi
from .measures.measure import Measure
from .measures.probability import IndexMeasure, measure_for_column, read_index_measure
from .numbers.arithmetic import Arithmetic, Ball, Exact, Verified
from .numbers.rationals import QQ, Number, format_count, format_decimal, format_rational, to_text

PROBLEM_SCHEMA, PROBLEM_SCHEMA_2, PROBLEM_SCHEMA_3 = (f"orca-exact/problem/{v}" for v in (1, 2, 3))
_ROUNDING = fmpq(1, 2**40)  # how far a scaled number may be outside by rounding errors
_MAX_POINTS, MAX_COORDINATES = 1_000_000, 10_000

T = TypeVar("T")


@dataclass(frozen=True, init=False, repr=False)
class Problem:
    """An SVM problem with exact data, checked when it is created.

    Parameters
    ----------
    X : sequence of sequences, array or pandas DataFrame
        Points, one row for each. Names of the columns of a DataFrame are used if ``names`` is not given.
    y : sequence of 1 and -1
        Labels, one for each point.
    n : int or sequence of int
        Degree of the polynomials, for all coordinates or one for each. With ``measures`` it is short for
        ``kernel=OrthogonalPolynomials(n, measures)``.
    alpha, beta : number, optional
        Short for ``measures=Jacobi(alpha, beta)``.
    C : number or sequence of numbers
        Upper bound of the dual variables, for all points or one for each.
    rescale : bool
        Whether to map each column whose measure has the domain [-1, 1] to that interval, linearly.
    id : str
        Name of the problem in files and messages.
    measures : Measure or sequence of Measure, optional
        Measure for all coordinates, or one for each.
    names : sequence of str
        Names of the coordinates. They are only displayed; no value depends on them.
    kernel : Kernel, optional
        The kernel, instead of ``n`` and ``measures``.
    under : Measure, Empirical, or a sequence of them, optional
        The measure of the indices, for all coordinates or one for each. Orthogonal-polynomial kernels have
        their own, and take no other. For other kernels it is the empirical one by default.

    Raises
    ------
    BadInput
        If a parameter is not valid, or a point lies outside the domain of its measure.

    Examples
    --------
    >>> problem = Problem([["-0.5"], ["1/4"]], [1, -1], n=2, alpha=0, beta=0, C=10)
    >>> problem.m, problem.d, problem.modes, problem.lambda_exact
    (2, 1, 3, 1/2)
    >>> weighted = Problem([["-0.5"], ["1/4"]], [1, -1], n=2, alpha=0, beta=0, C=[10, 5])
    >>> weighted.C, weighted.weights
    (10, (1, 1/2))
    >>> from orca_exact import OrthogonalPolynomials
    >>> additive = Problem([[0, 1, 1], [1, 0, 1]], [1, -1], kernel=OrthogonalPolynomials(3, order=1))
    >>> additive.modes, additive.kernel_description
    (10, 'n = 3, (alpha, beta) = (0, 0), order at most 1')
    """

    X: tuple[tuple[fmpq, ...], ...]
    y: tuple[int, ...]
    kernel: Kernel
    under: tuple[IndexMeasure, ...]  # the measure of the indices, one for each coordinate
    C: fmpq  # the largest C_i
    weights: tuple[fmpq, ...]  # C_i/C
    rescale: bool
    id: str
    names: tuple[str, ...]  # one for each coordinate, or none at all

    def __init__(
        self,
        X: Iterable[Iterable[Number]] | np.ndarray,
        y: Iterable[Number] | np.ndarray,
        n: int | Sequence[int] | None = None,
        alpha: Number | None = None,
        beta: Number | None = None,
        C: Number | Sequence[Number] | np.ndarray = 1,
        rescale: bool = False,
        id: str = "",
        measures: Measure | Sequence[Measure] | None = None,
        names: Sequence[str] = (),
        kernel: Kernel | None = None,
        under: IndexMeasure | Sequence[IndexMeasure] | None = None,
    ):

        def set_field(name: str, value: object) -> None:
            object.__setattr__(self, name, value)

        columns = getattr(X, "columns", None)  # of a pandas frame
        to_numpy = getattr(X, "to_numpy", None)
        if columns is not None and to_numpy is not None:
            X = to_numpy()
            if not len(names) and all(isinstance(column, str) for column in columns):
                names = list(columns)
        set_field("X", _read_points(X))
        set_field("y", _read_labels(y, self.m))
        if kernel is None:
            kernel = _short_form(n, measures, alpha, beta)
        elif any(value is not None for value in (n, measures, alpha, beta)):
            rule, hint = "was given together with n, measures, alpha or beta", "pass one or the other"
            raise BadParameter("kernel", "a value", rule, hint)
        elif not isinstance(kernel, Kernel):
            hint = "pass OrthogonalPolynomials(n, measures), Linear(), Polynomial(...) or RBF(gamma)"
            raise BadParameter("kernel", repr(kernel)[:40], "is not a kernel", hint)
        set_field("kernel", kernel.for_columns(self.d))
        several: Any = under if is_list(under) else (under,) * self.d
        given = None if under is None else tuple(several)
        set_field("under", self.kernel.check_under(given, self.d))
        bounds = _read_each(C, self.m, "C", "point", _read_positive)
        set_field("C", max(bounds))
        set_field("weights", tuple(bound / self.C for bound in bounds))
        if not isinstance(rescale, bool):
            raise BadParameter("rescale", repr(rescale), "is not a boolean", "pass True or False")
        set_field("rescale", rescale)
        if not isinstance(id, str):
            raise BadParameter("id", repr(id), "is not a string", "pass a string")
        set_field("id", id)
        set_field("names", _read_names(names, self.d))
        self.points  # noqa: B018  (rescales and checks the domain)

    def __repr__(self) -> str:
        name, weighted = f" {printable(self.id)!r}" * bool(self.id), ", weighted" * self.is_weighted
        about = f"{self.m} points, {self.d} columns, {shorten(self.kernel_description, 200)}"
        C = to_text(self.C)
        return f"<Problem{name}: {about}, C = {C if len(C) < 12 else format_decimal(self.C, 6)}{weighted}>"

    @property
    def m(self) -> int:
        """Number of points."""
        return len(self.X)

    @property
    def d(self) -> int:
        """Number of coordinates."""
        return len(self.X[0])

    @property
    def polynomials(self) -> OrthogonalPolynomials:
        """The kernel, if it is one of orthogonal polynomials."""
        if not isinstance(self.kernel, OrthogonalPolynomials):
            rule = "is not a kernel of orthogonal polynomials and has no degrees and measures"
            raise BadParameter("kernel", self.kernel_description, rule, "use OrthogonalPolynomials(n)")
        return self.kernel

    @property
    def degrees(self) -> tuple[int, ...]:
        """Degree of each coordinate, for a kernel of orthogonal polynomials."""
        return tuple(self.polynomials.n)

    @property
    def measures(self) -> tuple[Measure, ...]:
        """Measure of each coordinate, for a kernel of orthogonal polynomials."""
        return self.polynomials.own_measures

    @property
    def n(self) -> int:
        """Largest degree of a coordinate, for a kernel of orthogonal polynomials."""
        return max(self.degrees)

    @property
    def modes(self) -> int | float:
        """Dimension of the RKHS: prod (n_l + 1) for the kernel of the paper; infinite for the RBF kernel."""
        return self.kernel.dimension

    @property
    def highest_order(self) -> int:
        """The highest number of coordinates that act together."""
        return self.kernel.order or self.d

    @property
    def size_description(self) -> str:
        """The number of modes, in words."""
        return (
            "infinitely many modes"
            if self.modes == inf
            else f"{format_count(int(self.modes))} mode{'s' * (self.modes != 1)}"
        )

    @cached_property
    def index_measures(self) -> tuple[Measure, ...]:
        """Measure of the indices for each coordinate, with the parameters that come from the data."""
        return tuple(
            measure_for_column(measure, column)
            for measure, column in zip(self.under, self.points.T, strict=True)
        )

    @property
    def has_one_jacobi_weight(self) -> bool:
        """Whether the kernel is one of orthogonal polynomials with one Jacobi weight for all coordinates."""
        measures = set(self.kernel.own_measures or ())
        return len(measures) == 1 and isinstance(measures.pop(), Jacobi)

    @property
    def jacobi(self) -> Jacobi:
        """Jacobi weight of all coordinates, if it is the same one."""
        if not self.has_one_jacobi_weight:
            rule = "does not have one Jacobi weight for all coordinates"
            raise BadParameter("problem", repr(self.id) if self.id else "it", rule, "use its 'measures'")
        return cast(Jacobi, self.measures[0])

    @property
    def alpha(self) -> fmpq:
        """Parameter alpha of the Jacobi weight of all coordinates."""
        return cast(fmpq, self.jacobi.alpha)

    @property
    def beta(self) -> fmpq:
        """Parameter beta of the Jacobi weight of all coordinates."""
        return cast(fmpq, self.jacobi.beta)

    @property
    def kernel_description(self) -> str:
        """Description of the kernel.

        Examples
        --------
        >>> from orca_exact import Hermite
        >>> Problem([[0, 2], [1, 3]], [1, -1], n=2, measures=[Jacobi(0, 1), Hermite()]).kernel_description
        'n = 2, measures Jacobi(0, 1), Hermite()'
        """
        return self.kernel.description

    @property
    def bounds(self) -> tuple[fmpq, ...]:
        """C_i, the upper bound of the dual variable of each point."""
        return tuple(self.C * weight for weight in self.weights)

    @property
    def is_weighted(self) -> bool:
        """Whether the C_i are not all equal."""
        return min(self.weights) < 1

    @cached_property
    def points(self) -> np.ndarray:
        """Points after rescaling, an (m, d) array of rationals in the domains of the measures."""
        X = np.array(self.X, dtype=object)
        for j in range(self.d):
            low, high = domain = self.kernel.domain(j)
            if self.rescale and self.kernel.is_rescaled(j):
                low, high = X[:, j].min(), X[:, j].max()
                if low == high:
                    column = f"column {self.names[j]!r}" if self.names else "the column"
                    rule = f"is constant ({format_rational(low)}) and cannot be rescaled"
                    raise BadParameter(f"X[:][{j}]", column, rule, "remove it")
                X[:, j] = (X[:, j] - low) * 2 / (high - low) - 1
            elif domain != (None, None):
                for i, x in enumerate(X[:, j]):
                    if not ((low is None or x >= low) and (high is None or x <= high)):
                        rounded = domain == (-1, 1) and abs(x) < 1 + _ROUNDING
                        raise OutsideDomain(format_rational(x), f"X[{i}][{j}]", domain, rounded)
        return X

    @cached_property
    def verified_values(self) -> KernelValues:
        """The values of the kernel at the points, in float64 with error bounds."""
        with np.errstate(all="ignore"):
            return self.kernel.at(self.points, Verified())

    def values_at(self, rows: list[int], A: Arithmetic) -> KernelValues:
        """Return the values of the kernel at some of the points, from those at all points if known."""
        if isinstance(A, Verified) and "verified_values" in self.__dict__:
            return self.verified_values.select(rows)
        return self.kernel.at_some(self.points, rows, A)

    @cached_property
    def signs(self) -> np.ndarray:
        """Labels as an array of rationals."""
        return np.array([fmpq(label) for label in self.y], dtype=object)

    @property
    def lambda_is_rational(self) -> bool | None:
        """Whether lambda is rational, or None if that is not known.

        If it is not known, equalities that involve lambda can only be decided by balls.
        """
        return self.kernel.lambda_is_rational

    def lambda_in(self, arithmetic: Arithmetic) -> Any:
        """Return lambda, the factor between K and its rational part, in an arithmetic."""
        if self.lambda_is_rational:
            return arithmetic(self.lambda_exact)
        return (self.kernel.mass**-1).to_arithmetic(arithmetic)

    @cached_property
    def lambda_exact(self) -> fmpq:
        """The rational lambda; BadParameter is raised if lambda is irrational."""
        return cast(fmpq, (self.kernel.mass**-1).to_arithmetic(Exact()))

    def lambda_ball(self) -> arb:
        """Return lambda as a ball at python-flint's current precision."""
        return cast(arb, self.lambda_in(Ball()))

    def replace(self, **changes: Any) -> Problem:
        """Return a copy of the problem with other values of some parameters.

        Parameters
        ----------
        **changes
            Parameters of ``Problem``. A single new C keeps the ratios between the C_i.

        Examples
        --------
        >>> Problem([["-0.5"], ["1/4"]], [1, -1], n=2, alpha=0, beta=0, C=[10, 5]).replace(C=2).bounds
        (2, 1)
        """
        kept: dict[str, Any] = {"X": self.X, "y": self.y, "rescale": self.rescale, "id": self.id}
        kept["names"] = self.names
        if "kernel" not in changes:
            short = {name: changes.pop(name, None) for name in ("n", "measures", "alpha", "beta")}
            changed = any(value is not None for value in short.values())
            own = self.kernel.own_measures is not None
            kept["kernel"] = self._changed_kernel(**short) if own or changed else self.kernel
        kernels = (self.kernel, kept.get("kernel", changes.get("kernel")))
        if all(getattr(kernel, "own_measures", ()) is None for kernel in kernels):
            same = all(measure == self.under[0] for measure in self.under)
            kept["under"] = self.under[0] if same else self.under
        C = changes.pop("C", self.C)
        if not is_list(C) and self.is_weighted:
            C = [QQ(C, "C") * weight for weight in self.weights]
        return Problem(**kept | changes, C=C)

    def _changed_kernel(self, n: Any, measures: Any, alpha: Any, beta: Any) -> OrthogonalPolynomials:
        """Return the kernel with other parameters of the short form; None keeps one."""
        kernel = self.polynomials
        n = kernel.shared("n") if n is None else n
        if alpha is not None or beta is not None:
            alpha, beta = (self.alpha if alpha is None else alpha), (self.beta if beta is None else beta)
        elif measures is None:
            measures = kernel.shared("measures")
        return replace(_short_form(n, measures, alpha, beta), order=kernel.order)

    def to_json(self, names: bool = True) -> JsonObject:
        """Return the problem as JSON data, with all numbers as strings.

        The schema is the lowest version of orca-exact/problem that can describe the problem.

        Parameters
        ----------
        names : bool
            Whether to include the names of the coordinates. Certificates and digests do without them.
        """
        C = [to_text(bound) for bound in self.bounds] if self.is_weighted else to_text(self.C)
        kernel = self.kernel.to_json()
        third = self.kernel.own_measures is None or self.kernel.order is not None
        data = {
            "schema": PROBLEM_SCHEMA,
            "id": self.id,
            "X": [[to_text(x) for x in row] for row in self.X],
            "y": list(self.y),
            **({} if third else {"n": kernel["n"]}),
            "C": C,
            "rescale": self.rescale,
        }
        if names and self.names:
            data["names"] = list(self.names)
        if third:
            return data | {"schema": PROBLEM_SCHEMA_3, "kernel": kernel} | self._under_to_json()
        if (
            self.has_one_jacobi_weight
            and isinstance(kernel["n"], int)
            and isinstance(C, str)
            and "names" not in data
        ):
            return data | {"alpha": to_text(self.alpha), "beta": to_text(self.beta)}
        return data | {"schema": PROBLEM_SCHEMA_2, "measures": kernel["measures"]}

    def _under_to_json(self) -> JsonObject:
        """Return the field ``under``, which is left out if it is the default."""
        if self.under == self.kernel.check_under(None, self.d):
            return {}
        written = [measure.to_json() for measure in self.under]
        return {"under": written[0] if all(each == written[0] for each in written) else written}

    @cached_property
    def sha256(self) -> str:
        """SHA-256 digest of the problem without its id and names."""
        return digest({key: value for key, value in self.to_json(names=False).items() if key != "id"})

    @classmethod
    def from_json(cls, data: Any, place: str = "problem") -> Problem:
        """Return the problem that JSON data describe.

        Parameters
        ----------
        data : dict
            JSON data of schema orca-exact/problem/1, 2 or 3. A field ``dual`` is ignored.
        place : str
            Name of the data in error messages.

        Raises
        ------
        BadInput
            If the data do not match their schema, or a value is not valid.
        """
        schema = data.get("schema") if isinstance(data, dict) else None
        known = schema in (None, PROBLEM_SCHEMA, PROBLEM_SCHEMA_2, PROBLEM_SCHEMA_3)
        schema = schema if schema in (PROBLEM_SCHEMA_2, PROBLEM_SCHEMA_3) else PROBLEM_SCHEMA
        for version, later in _newer_fields(data).items():
            if known and schema < version:
                hint = f'write "schema": "{version}"'
                raise BadFile(place, f"{later} is new in version {version[-1]}", hint)
        validate(data, schema, place)
        values = {key: value for key, value in data.items() if key not in ("schema", "dual")}
        try:
            if schema != PROBLEM_SCHEMA:
                orthogonal = {"family": "orthogonal", "n": values.pop("n", 0)}
                orthogonal["measures"] = values.pop("measures", None)
                values["kernel"] = read_kernel(values.get("kernel", orthogonal))
                if (under := values.get("under")) is not None:
                    several = isinstance(under, list)
                    read_one = [
                        read_index_measure(each, f"under[{j}]" if several else "under")
                        for j, each in enumerate(under if several else [under])
                    ]
                    values["under"] = read_one if several else read_one[0]
            else:
                values["n"] = int(data["n"])  # 2.0 is an integer in JSON
            return cls(**values)
        except BadInput as error:
            if place != "problem":
                error.args = (f"{place}: {error}",)
            raise

    @classmethod
    def load(cls, path: str | Path) -> Problem:
        """Return the problem in a file of schema orca-exact/problem/1, 2 or 3."""
        return cls.from_json(read(path), place_of(path))


def require_problem(value: Any) -> None:
    """Raise BadParameter if a value is not a Problem, with a hint how to get one."""
    if isinstance(value, Problem):
        return
    hint = "pass a Problem"
    if isinstance(value, str | Path):
        hint = f"use Problem.load({str(value)!r})"
    elif isinstance(value, dict):
        hint = "use Problem.from_json(...)"
    elif hasattr(value, "fit"):
        hint = "for a fitted model use audit(model, X, y).problem"
    elif isinstance(getattr(value, "problem", None), Problem):
        hint = "use its attribute 'problem'"
    given = repr(str(value)) if isinstance(value, str | Path) else f"a value of type {type(value).__name__}"
    raise BadParameter("problem", given, "is not a Problem", hint)


def _newer_fields(data: Any) -> dict[str, str]:
    """Describe the fields that earlier versions of the schema do not have, by the version that has them."""
    if not isinstance(data, dict):
        return {}
    lists = [f"a list for {key!r}" for key in ("n", "C") if isinstance(data.get(key), list)]
    second = [f"the field {key!r}" for key in ("measures", "names") if key in data] + lists
    found = {PROBLEM_SCHEMA_2: ", ".join(second), PROBLEM_SCHEMA_3: "the field 'kernel'" * ("kernel" in data)}
    return {version: fields for version, fields in found.items() if fields}


def _read_list(value: Any, place: str, rule: str, hint: str) -> list[Any]:
    """Return an iterable as a list, and an array as nested lists."""
    value = value.tolist() if isinstance(value, np.ndarray) else value
    if not is_list(value):
        raise BadParameter(place, shorten(repr(value), 40), rule, hint)
    return list(value)


def _read_each(
    value: Any, count: int, name: str, unit: str, read_one: Callable[[Any, str], T]
) -> tuple[T, ...]:
    """Return ``count`` values: one given for all, or a list of as many."""
    value = value.tolist() if isinstance(value, np.ndarray) else value
    if not is_list(value):
        return (read_one(value, name),) * count
    values = list(value)
    if len(values) != count:
        hint = "pass one value for all, or one for each"
        raise wrong_count(name, len(values), "value", f"for {pluralize(count, unit)}", hint)
    return tuple(read_one(x, f"{name}[{i}]") for i, x in enumerate(values))


def _read_positive(value: Any, place: str) -> fmpq:
    number = QQ(value, place)
    if number <= 0:
        raise BadParameter(place, format_rational(number), "is not positive", "pass a positive number")
    return number


def _read_names(given: Any, d: int) -> tuple[str, ...]:
    """Return no names, or a different one for each coordinate."""
    given = [given] if isinstance(given, str) else given
    names = _read_list(given, "names", "is not a list of names", "write ['first', ...]")
    if names and len(names) != d:
        wanted = f"for {pluralize(d, 'coordinate')}"
        raise wrong_count("names", len(names), "name", wanted, "pass one for each, or none")
    known: set[str] = set()
    for j, name in enumerate(names):
        if not isinstance(name, str) or not name.strip() or name.strip() in known:
            rule = "is empty, not a string, or that of an earlier column but for blanks at its ends"
            raise BadParameter(f"names[{j}]", repr(name), rule, "give each coordinate a name of its own")
        known.add(name.strip())
    return tuple(map(str, names))


def _short_form(n: Any, measures: Any, alpha: Any, beta: Any) -> OrthogonalPolynomials:
    """Return the kernel of all orders with these degrees and measures, or with the Jacobi weight."""
    if n is None:
        raise BadParameter("n", "no value", "was given", "pass n, or a kernel")
    if measures is None:
        for name, value in (("alpha", alpha), ("beta", beta)):
            if value is None:
                hint = "pass alpha=0 and beta=0 for Legendre polynomials, or measures"
                raise BadParameter(name, "no value", "was given", hint)
        measures = Jacobi(QQ(alpha, "alpha"), QQ(beta, "beta"))
    elif alpha is not None or beta is not None:
        rule, hint = "was given together with alpha or beta", "pass either measures, or alpha and beta"
        raise BadParameter("measures", "a value", rule, hint)
    return OrthogonalPolynomials(n, measures)


def _read_points(X: Any) -> tuple[tuple[fmpq, ...], ...]:
    if hasattr(X, "toarray"):
        raise BadParameter("X", "the matrix", "is sparse", "pass X.toarray()")
    points = _read_list(X, "X", "is not a list of points", "write [[x_1, ..., x_d], ...]")
    if len(points) > _MAX_POINTS:
        raise TooLarge("X", f"{len(points)} points", _MAX_POINTS, "use a sample")
    hint = "write [x_1, ..., x_d], also for d = 1"
    rows = [_read_list(row, f"X[{i}]", "is not a point", hint) for i, row in enumerate(points)]
    if not rows or not rows[0]:
        missing = "has no coordinates" if rows else "has no points"
        raise BadParameter("X", "the list", missing, "pass at least two points")
    if len(rows[0]) > MAX_COORDINATES:
        raise TooLarge("X[0]", f"{len(rows[0])} coordinates", MAX_COORDINATES, "select features")
    for i, row in enumerate(rows):
        if len(row) != len(rows[0]):
            hint = "give all points the same number of coordinates"
            wanted = f"instead of the {len(rows[0])} of X[0]"
            raise wrong_count(f"X[{i}]", len(row), "coordinate", wanted, hint)
    return tuple(tuple(QQ(x, f"X[{i}][{j}]") for j, x in enumerate(row)) for i, row in enumerate(rows))


def _read_label(label: Any) -> int:
    """Return 1 or -1, or 0 if the value is no label."""
    if type(label) is not int:
        try:
            label = 0 if isinstance(label, bool) else QQ(label)
        except NotANumber:
            return 0
    return int(label) if label in (1, -1) else 0


def _read_labels(y: Any, m: int) -> tuple[int, ...]:
    labels = _read_list(y, "y", "is not a list of labels", "write [1, -1, ...]")
    if len(labels) != m:
        hint = "pass one label for each point"
        raise wrong_count("y", len(labels), "label", f"for {pluralize(m, 'point')}", hint)
    values = tuple(map(_read_label, labels))
    if 0 in values:
        i, hint = values.index(0), "encode the two classes as 1 and -1"
        raise BadParameter(f"y[{i}]", repr(labels[i]), "is neither 1 nor -1", hint)
    if len(set(values)) < 2:
        raise BadParameter("y", f"only the label {values[0]}", "occurs", "an SVM needs both classes")
    return values
