"""A classification problem: points, labels, a measure and a degree for each coordinate, C.

Everything is an exact rational from the moment it enters; min-max rescaling to [-1, 1] is exact.

>>> problem = Problem([["0"], ["0.5"], ["2"]], [1, -1, 1], n=2, alpha=0, beta=0, rescale=True)
>>> problem.points.T
array([[-1, -1/2, 1]], dtype=object)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from math import prod
from pathlib import Path
from typing import Any, cast

import numpy as np
from flint import arb, fmpq

from .errors import BadFile, BadInput, BadParameter, OutsideDomain, TooLarge, printable, shorten
from .files.formats import digest, place_of, read
from .files.validation import validate
from .measures.families import read_measure
from .measures.jacobi import Jacobi
from .measures.measure import Mass, Measure, check_degree
from .numbers.arithmetic import Arithmetic, Ball, Exact
from .numbers.rationals import QQ, Number, decimal, text

PROBLEM_SCHEMA, PROBLEM_SCHEMA_2 = "orca-exact/problem/1", "orca-exact/problem/2"
_MAX_POINTS, MAX_COORDINATES, MAX_PARAMETER = 1_000_000, 10_000, 1_000


@dataclass(frozen=True, init=False, repr=False)
class Problem:
    """Points X, labels y = 1 or -1, degrees n, measures and C; checked and exact once it is made.

    n and C are one number for all, or a list: n by coordinate, C by point. ``measures`` is one for all
    coordinates or a list of d; alpha and beta are short for the one measure ``Jacobi(alpha, beta)``.
    ``rescale`` maps the columns whose measure lives on [-1, 1], and leaves the others as they are. ``names``
    are those of the coordinates, for people: no value depends on them; a pandas frame for X has its own.

    >>> problem = Problem([["-0.5"], ["1/4"]], [1, -1], n=2, alpha=0, beta=0, C=10)
    >>> problem.m, problem.d, problem.modes, problem.lambda_exact
    (2, 1, 3, 1/2)
    >>> weighted = Problem([["-0.5"], ["1/4"]], [1, -1], n=2, alpha=0, beta=0, C=[10, 5])
    >>> weighted.C, weighted.weights
    (10, (1, 1/2))
    """

    X: tuple[tuple[fmpq, ...], ...]
    y: tuple[int, ...]
    degrees: tuple[int, ...]
    measures: tuple[Measure, ...]
    C: fmpq  # the largest C_i
    weights: tuple[fmpq, ...]  # C_i/C
    rescale: bool
    id: str
    names: tuple[str, ...]  # one for each coordinate, or none at all

    def __init__(
        self,
        X: Iterable[Iterable[Number]] | np.ndarray,
        y: Iterable[Number] | np.ndarray,
        n: int | Sequence[int],
        alpha: Number | None = None,
        beta: Number | None = None,
        C: Number | Sequence[Number] | np.ndarray = 1,
        rescale: bool = False,
        id: str = "",
        measures: Measure | Sequence[Measure] | None = None,
        names: Sequence[str] = (),
    ):
        put = lambda name, value: object.__setattr__(self, name, value)  # noqa: E731
        columns = getattr(X, "columns", None)  # of a pandas frame
        if columns is not None and hasattr(X, "to_numpy"):
            X = X.to_numpy()
            if not len(names) and all(isinstance(column, str) for column in columns):
                names = list(columns)
        put("X", _rows(X))
        put("y", _labels(y, self.m))
        put("degrees", tuple(_each(n, self.d, "n", "coordinates", check_degree)))
        put("measures", _measures(measures, alpha, beta, self.d))
        for j, (measure, top) in enumerate(zip(self.measures, self.degrees, strict=True)):
            if measure.size is not None and top >= measure.size:
                limit = f"{measure.size - 1}, for the {measure.size} nodes of measures[{j}]"
                raise TooLarge(f"n[{j}]", top, limit, "take a smaller degree there, or more nodes")
        bounds = _each(C, self.m, "C", "points", _positive)
        put("C", max(bounds))
        put("weights", tuple(bound / self.C for bound in bounds))
        if not isinstance(rescale, bool):
            raise BadParameter("rescale", repr(rescale), "is neither true nor false", "say which")
        put("rescale", rescale)
        if not isinstance(id, str):
            raise BadParameter("id", repr(id), "is not text", "give the problem a name")
        put("id", id)
        put("names", _names(names, self.d))
        self.points  # noqa: B018  (rescales and checks the domain)

    def __repr__(self) -> str:
        name, weighted = f" {printable(self.id)!r}" * bool(self.id), ", weighted" * self.is_weighted
        about = f"{self.m} points, {self.d} columns, {shorten(self.about, 200)}"
        C = text(self.C)
        return f"<Problem{name}: {about}, C = {C if len(C) < 12 else decimal(self.C, 6)}{weighted}>"

    @property
    def m(self) -> int:
        """The number of points."""
        return len(self.X)

    @property
    def d(self) -> int:
        """The number of coordinates."""
        return len(self.X[0])

    @property
    def n(self) -> int:
        """The degree of every coordinate, or the largest."""
        return max(self.degrees)

    @property
    def modes(self) -> int:
        """(n+1)^d, or prod (n_l + 1): the dimension of the RKHS."""
        return prod(n + 1 for n in self.degrees)

    @property
    def is_plain(self) -> bool:
        """Whether all coordinates have one Jacobi weight."""
        return len(set(self.measures)) == 1 and isinstance(self.measures[0], Jacobi)

    @property
    def jacobi(self) -> Jacobi:
        """The one weight of all coordinates and its polynomials."""
        if not self.is_plain:
            raise BadParameter("problem", self.id or "it", "has no one Jacobi weight", "ask its measures")
        return cast(Jacobi, self.measures[0])

    @property
    def alpha(self) -> fmpq:
        """Of the one Jacobi weight."""
        return self.jacobi.alpha

    @property
    def beta(self) -> fmpq:
        """Of the one Jacobi weight."""
        return self.jacobi.beta

    @property
    def about(self) -> str:
        """Its kernel in words.

        >>> from orca_exact import Hermite
        >>> Problem([[0, 2], [1, 3]], [1, -1], n=2, measures=[Jacobi(0, 1), Hermite()]).about
        'n = 2, measures Jacobi(0, 1), Hermite()'
        """
        n = str(self.n) if len(set(self.degrees)) == 1 else ", ".join(map(str, self.degrees))
        if self.is_plain:
            return f"n = {n}, (alpha, beta) = ({self.alpha}, {self.beta})"
        runs = [(str(measure), len(list(run))) for measure, run in groupby(self.measures)]
        return f"n = {n}, measures " + ", ".join(f"{name} x {k}" if k > 1 else name for name, k in runs)

    @property
    def bounds(self) -> tuple[fmpq, ...]:
        """C_i, the upper end of each point's box."""
        return tuple(self.C * weight for weight in self.weights)

    @property
    def is_weighted(self) -> bool:
        """Whether the C_i differ."""
        return min(self.weights) < 1

    @cached_property
    def points(self) -> np.ndarray:
        """The points where the measures live, an (m, d) array of exact rationals."""
        X = np.array(self.X, dtype=object)
        for j, measure in enumerate(self.measures):
            if self.rescale and measure.domain == (-1, 1):
                low, high = X[:, j].min(), X[:, j].max()
                if low == high:
                    raise BadParameter(
                        f"X[:][{j}]", text(low), "is the whole column", "drop the constant column"
                    )
                X[:, j] = (X[:, j] - low) * 2 / (high - low) - 1
            elif measure.domain != (None, None):
                for i, x in enumerate(X[:, j]):
                    if not measure.contains(x):
                        raise OutsideDomain(text(x), f"X[{i}][{j}]", measure.domain)
        return X

    @cached_property
    def signs(self) -> np.ndarray:
        """The labels as exact rationals, ready to be multiplied."""
        return np.array([fmpq(label) for label in self.y], dtype=object)

    @cached_property
    def mass(self) -> Mass:
        """prod_l h_0 of the coordinates: 1/lambda."""
        out = Mass()
        for measure, count in Counter(self.measures).items():
            out = out * measure.mass**count
        return out

    @cached_property
    def lambda_is_rational(self) -> bool | None:
        """None where it is not known: then equalities in lambda are decided by balls, or not at all.

        Known are powers of 2 and of pi and, by Schneider's theorem, those of one Beta value that is none.
        """
        known = self.mass.is_rational
        if known is None:
            others = {measure.mass for measure in self.measures if measure.mass.gammas}
            beta = any(isinstance(measure, Jacobi) for measure in self.measures if measure.mass in others)
            known = False if beta and len(others) == 1 else None
        return known

    def lambda_in(self, arithmetic: Arithmetic) -> Any:
        """lambda as an element of an arithmetic: the one scalar between K and its rational part."""
        return arithmetic(self.lambda_exact) if self.lambda_is_rational else self._lambda(arithmetic)

    def _lambda(self, arithmetic: Arithmetic) -> Any:
        return (self.mass**-1).within(arithmetic)

    @cached_property
    def lambda_exact(self) -> fmpq:
        """lambda where it is rational."""
        return self._lambda(Exact())

    def lambda_ball(self) -> arb:
        """lambda at python-flint's current precision."""
        return self.lambda_in(Ball())

    def replace(self, **changes: Any) -> Problem:
        """The same problem but for these fields; a new C keeps the weights."""
        n, measures = (_one_or_all(values) for values in (self.degrees, self.measures))
        same = {"X": self.X, "y": self.y, "n": n, "rescale": self.rescale, "id": self.id, "names": self.names}
        if not {"alpha", "beta"} & set(changes):
            same["measures"] = measures
        elif len({"alpha", "beta"} & set(changes)) == 1:
            same |= {"alpha": self.alpha, "beta": self.beta}
        C = changes.pop("C", self.C)
        if not _is_list(C) and self.is_weighted:
            C = [QQ(C, "C") * weight for weight in self.weights]
        return Problem(**same | changes, C=C)

    # JSON.

    def to_json(self, names: bool = True) -> dict:
        """An orca-exact/problem/1 where that can say it, else a 2; every number is a string.

        Without ``names`` it is what values are computed from, and what certificates and programs are given.
        """
        n = _one_or_all(self.degrees)
        C = [text(bound) for bound in self.bounds] if self.is_weighted else text(self.C)
        one = self.measures[0] if len(set(self.measures)) == 1 else None
        data = {
            "schema": PROBLEM_SCHEMA,
            "id": self.id,
            "X": [[text(x) for x in row] for row in self.X],
            "y": list(self.y),
            "n": n,
            "C": C,
            "rescale": self.rescale,
        }
        if names and self.names:
            data["names"] = list(self.names)
        elif isinstance(one, Jacobi) and isinstance(n, int) and isinstance(C, str):
            return data | {"alpha": text(one.alpha), "beta": text(one.beta)}
        measures = one.to_json() if one else [measure.to_json() for measure in self.measures]
        return data | {"schema": PROBLEM_SCHEMA_2, "measures": measures}

    @cached_property
    def sha256(self) -> str:
        """Of what is computed from: not of the id, nor of names."""
        return digest({key: value for key, value in self.to_json(names=False).items() if key != "id"})

    @classmethod
    def from_json(cls, data: Any, place: str = "problem") -> Problem:
        """By its schema, then by arithmetic. ``dual``, given instead of solving, is passed over."""
        newer = isinstance(data, dict) and data.get("schema") == PROBLEM_SCHEMA_2
        if not newer and (later := _of_version_2(data)):
            raise BadFile(place, f"{later} is new in version 2", f'write "schema": "{PROBLEM_SCHEMA_2}"')
        validate(data, PROBLEM_SCHEMA_2 if newer else PROBLEM_SCHEMA, place)
        values = {key: value for key, value in data.items() if key not in ("schema", "dual")}
        n = data["n"]  # 2.0 is an integer in JSON
        values["n"] = [int(degree) for degree in n] if isinstance(n, list) else int(n)
        try:
            if newer:
                given = data["measures"]
                if isinstance(given, list):
                    values["measures"] = [read_measure(m, f"measures[{i}]") for i, m in enumerate(given)]
                else:
                    values["measures"] = read_measure(given)
            return cls(**values)
        except BadInput as error:
            if place == "problem":
                raise
            error.args = (f"{place}: {error}",)
            raise

    @classmethod
    def load(cls, path: str | Path) -> Problem:
        """The problem in a file."""
        return cls.from_json(read(path), place_of(path))


def _one_or_all(values: tuple) -> Any:
    """The one value that all have, or a list."""
    return values[0] if len(set(values)) == 1 else list(values)


def _of_version_2(data: Any) -> str:
    """What of a problem version 1 cannot say, if anything."""
    if not isinstance(data, dict):
        return ""
    lists = [f"a list for {key!r}" for key in ("n", "C") if isinstance(data.get(key), list)]
    return ", ".join([f"the field {key!r}" for key in ("measures", "names") if key in data] + lists)


def _is_list(value: Any) -> bool:
    return hasattr(value, "__iter__") and not isinstance(value, str | bytes | dict)


def _each(value: Any, count: int, name: str, of: str, read: Callable[[Any, str], Any]) -> list:
    """One value for all, or a list of as many."""
    if not _is_list(value):
        return [read(value, name)] * count
    values = list(value.tolist() if isinstance(value, np.ndarray) else value)
    if len(values) != count:
        raise BadParameter(
            name, f"{len(values)} values", f"for {count} {of}", "give one for all, or one each"
        )
    return [read(x, f"{name}[{i}]") for i, x in enumerate(values)]


def _positive(value: Any, place: str) -> fmpq:
    number = QQ(value, place)
    if number <= 0:
        raise BadParameter(place, number, "is not positive", "take 1 or another positive number")
    return number


def _names(given: Any, d: int) -> tuple[str, ...]:
    """None, or a text of its own for each coordinate."""
    names = list(given.tolist() if isinstance(given, np.ndarray) else given) if _is_list(given) else [given]
    if names and len(names) != d:
        raise BadParameter("names", f"{len(names)} names", f"for {d} coordinates", "give one each, or none")
    for j, name in enumerate(names):
        if not isinstance(name, str) or not name.strip() or name in names[:j]:
            rule = "is not a name of its own"
            raise BadParameter(f"names[{j}]", repr(name), rule, "give each coordinate another text")
    return tuple(map(str, names))


def _measures(given: Any, alpha: Any, beta: Any, d: int) -> tuple[Measure, ...]:
    """One for each coordinate: those given, or Jacobi's weight with alpha and beta."""
    if given is None:
        for name, value in (("alpha", alpha), ("beta", beta)):
            if value is None:
                raise BadParameter(name, "nothing", "is given", "give alpha and beta, or measures")
        given = Jacobi(QQ(alpha, "alpha"), QQ(beta, "beta"))
    elif alpha is not None or beta is not None:
        raise BadParameter("measures", "they", "come with alpha or beta", "give one or the other")
    return tuple(_each(given, d, "measures", "coordinates", _measure))


def _measure(value: Any, place: str) -> Measure:
    if not isinstance(value, Measure):
        raise BadParameter(place, repr(value)[:40], "is not a measure", "take Jacobi(0, 0) or another")
    if not value.is_rational:
        raise BadParameter(place, repr(value)[:40], "is not rational", "take rational alpha and beta")
    for name in ("alpha", "beta"):
        if getattr(value, name, 0) > MAX_PARAMETER:
            raise TooLarge(name, text(getattr(value, name)), MAX_PARAMETER, "take a smaller parameter")
    return value


def _rows(X: Any) -> tuple[tuple[fmpq, ...], ...]:
    X = X.tolist() if isinstance(X, np.ndarray) else X
    if isinstance(X, str | bytes | dict) or not hasattr(X, "__iter__"):
        raise BadParameter("X", type(X).__name__, "is not a list of points", "write [[x_1, ..., x_d], ...]")
    rows = list(X)
    if len(rows) > _MAX_POINTS:
        raise TooLarge("X", f"{len(rows)} points", _MAX_POINTS, "take a sample")
    for i, row in enumerate(rows):
        if isinstance(row, str | bytes | dict) or not hasattr(row, "__iter__"):
            raise BadParameter(
                f"X[{i}]", repr(row)[:40], "is not a point", "write [x_1, ..., x_d], also for d = 1"
            )
    rows = [list(row) for row in rows]
    if not rows or not rows[0]:
        raise BadParameter(
            "X", "no points" if not rows else "no coordinates", "in it", "give at least two points"
        )
    if len(rows[0]) > MAX_COORDINATES:
        raise TooLarge("X[0]", f"{len(rows[0])} coordinates", MAX_COORDINATES, "select features")
    for i, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise BadParameter(
                f"X[{i}]",
                f"{len(row)} coordinates",
                f"where X[0] has {len(rows[0])}",
                "make all points equally long",
            )
    return tuple(tuple(QQ(x, f"X[{i}][{j}]") for j, x in enumerate(row)) for i, row in enumerate(rows))


def _labels(y: Any, m: int) -> tuple[int, ...]:
    y = y.tolist() if isinstance(y, np.ndarray) else y
    if isinstance(y, str | bytes | dict) or not hasattr(y, "__iter__"):
        raise BadParameter("y", repr(y)[:40], "is not a list of labels", "write [1, -1, ...]")
    labels = list(y)
    if len(labels) != m:
        raise BadParameter("y", f"{len(labels)} labels", f"for {m} points", "give one label per point")
    for i, label in enumerate(labels):
        if isinstance(label, bool) or (label not in (1, -1) and QQ(label, f"y[{i}]") not in (1, -1)):
            raise BadParameter(
                f"y[{i}]", repr(label), "is neither 1 nor -1", "encode the two classes as 1 and -1"
            )
    values = tuple(int(QQ(label).p) for label in labels)
    if len(set(values)) < 2:
        raise BadParameter("y", f"only the label {values[0]}", "occurs", "an SVM needs both classes")
    return values
