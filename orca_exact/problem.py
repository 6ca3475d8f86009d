"""A classification problem: points, labels, truncation level n, Jacobi parameters, C.

Everything is an exact rational from the moment it enters; min-max rescaling to [-1, 1] is exact.

>>> problem = Problem([["0"], ["0.5"], ["2"]], [1, -1, 1], n=2, alpha=0, beta=0, rescale=True)
>>> problem.points.T
array([[-1, -1/2, 1]], dtype=object)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from flint import arb, fmpq

from .arithmetic import Arithmetic, Ball, Exact
from .errors import BadInput, BadParameter, OutsideDomain, TooLarge
from .formats import digest, read, validate
from .jacobi import Jacobi, degree
from .number import QQ, Number, text

SCHEMA = "orca-exact/problem/1"
MAX_POINTS, MAX_COORDINATES, MAX_PARAMETER = 20_000, 10_000, 1_000


@dataclass(frozen=True, init=False)
class Problem:
    """Points X, labels y = 1 or -1, the kernel's n, alpha and beta, and C; checked and exact once it is made.

    >>> problem = Problem([["-0.5"], ["1/4"]], [1, -1], n=2, alpha=0, beta=0, C=10)
    >>> problem.m, problem.d, problem.modes, problem.lambda_exact
    (2, 1, 3, 1/2)
    """

    X: tuple[tuple[fmpq, ...], ...]
    y: tuple[int, ...]
    n: int
    alpha: fmpq
    beta: fmpq
    C: fmpq
    rescale: bool
    id: str

    def __init__(
        self,
        X: Iterable[Iterable[Number]] | np.ndarray,
        y: Iterable[Number] | np.ndarray,
        n: int,
        alpha: Number,
        beta: Number,
        C: Number = 1,
        rescale: bool = False,
        id: str = "",
    ):
        put = lambda name, value: object.__setattr__(self, name, value)  # noqa: E731
        put("X", _rows(X))
        put("y", _labels(y, self.m))
        put("n", degree(n))
        jacobi = Jacobi(QQ(alpha, "alpha"), QQ(beta, "beta"))
        for name, value in (("alpha", jacobi.alpha), ("beta", jacobi.beta)):
            if value > MAX_PARAMETER:
                raise TooLarge(name, text(value), MAX_PARAMETER, "take a smaller parameter")
            put(name, value)
        put("C", QQ(C, "C"))
        if self.C <= 0:
            raise BadParameter("C", self.C, "is not positive", "take C = 1 or another positive number")
        if not isinstance(rescale, bool):
            raise BadParameter("rescale", repr(rescale), "is neither true nor false", "say which")
        put("rescale", rescale)
        if not isinstance(id, str):
            raise BadParameter("id", repr(id), "is not text", "give the problem a name")
        put("id", id)
        self.points  # noqa: B018  (rescales and checks the domain)

    @property
    def m(self) -> int:
        """The number of points."""
        return len(self.X)

    @property
    def d(self) -> int:
        """The number of coordinates."""
        return len(self.X[0])

    @property
    def modes(self) -> int:
        """(n+1)^d, the dimension of the RKHS."""
        return (self.n + 1) ** self.d

    @cached_property
    def jacobi(self) -> Jacobi:
        """The weight and its polynomials."""
        return Jacobi(self.alpha, self.beta)

    @cached_property
    def points(self) -> np.ndarray:
        """The points in [-1, 1]^d as an (m, d) array of exact rationals."""
        X = np.array(self.X, dtype=object)
        if not self.rescale:
            for (i, j), x in np.ndenumerate(X):
                if abs(x) > 1:
                    raise OutsideDomain(text(x), f"X[{i}][{j}]")
            return X
        low, high = X.min(axis=0), X.max(axis=0)
        for j, (a, b) in enumerate(zip(low, high, strict=True)):
            if a == b:
                raise BadParameter(f"X[:][{j}]", text(a), "is the whole column", "drop the constant column")
        return (X - low) * 2 / (high - low) - 1

    @cached_property
    def signs(self) -> np.ndarray:
        """The labels as exact rationals, ready to be multiplied."""
        return np.array([fmpq(label) for label in self.y], dtype=object)

    @property
    def lambda_is_rational(self) -> bool:
        """One of alpha, beta is an integer (then B is rational) and so is d (alpha + beta + 1)."""
        return 1 in (self.alpha.q, self.beta.q) and (self.d * (self.alpha + self.beta + 1)).q == 1

    def lambda_in(self, arithmetic: Arithmetic) -> Any:
        """lambda = h_0^-d as an element of an arithmetic: the one scalar between K and its rational part."""
        return arithmetic(self.lambda_exact) if self.lambda_is_rational else self._lambda(arithmetic)

    def _lambda(self, arithmetic: Arithmetic) -> Any:
        with arithmetic.scope():
            power = arithmetic.exp2(-self.d * (self.alpha + self.beta + 1))
            return power / arithmetic.beta(self.alpha + 1, self.beta + 1) ** self.d

    @cached_property
    def lambda_exact(self) -> fmpq:
        """lambda where it is rational."""
        return self._lambda(Exact())

    def lambda_ball(self) -> arb:
        """lambda at python-flint's current precision."""
        return self.lambda_in(Ball())

    def with_(self, **changes: Any) -> Problem:
        """The same problem but for these fields."""
        return replace(self, **changes)

    # JSON.

    def to_json(self) -> dict:
        """An orca-exact/problem/1; every number is a string."""
        return {
            "schema": SCHEMA,
            "id": self.id,
            "X": [[text(x) for x in row] for row in self.X],
            "y": list(self.y),
            "n": self.n,
            "alpha": text(self.alpha),
            "beta": text(self.beta),
            "C": text(self.C),
            "rescale": self.rescale,
        }

    @cached_property
    def sha256(self) -> str:
        """Of what is computed from: not of the id."""
        return digest({key: value for key, value in self.to_json().items() if key != "id"})

    @classmethod
    def from_json(cls, data: Any, place: str = "problem") -> Problem:
        """By its schema, then by arithmetic. ``dual``, given instead of solving, is passed over."""
        validate(data, SCHEMA, place)
        values = {key: value for key, value in data.items() if key not in ("schema", "dual")}
        try:
            return cls(**values | {"n": int(data["n"])})  # 2.0 is an integer in JSON
        except BadInput as error:
            if place == "problem":
                raise
            error.args = (f"{place}: {error}",)
            raise

    @classmethod
    def load(cls, path: str | Path) -> Problem:
        """The problem in a file."""
        return cls.from_json(read(path), str(path))


def _rows(X: Any) -> tuple[tuple[fmpq, ...], ...]:
    X = X.tolist() if isinstance(X, np.ndarray) else X
    if isinstance(X, str | bytes | dict) or not hasattr(X, "__iter__"):
        raise BadParameter("X", type(X).__name__, "is not a list of points", "write [[x_1, ..., x_d], ...]")
    rows = list(X)
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
    if len(rows) > MAX_POINTS:
        raise TooLarge("X", f"{len(rows)} points", MAX_POINTS, "take a sample")
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
        if isinstance(label, bool) or QQ(label, f"y[{i}]") not in (1, -1):
            raise BadParameter(
                f"y[{i}]", repr(label), "is neither 1 nor -1", "encode the two classes as 1 and -1"
            )
    values = tuple(int(QQ(label).p) for label in labels)
    if len(set(values)) < 2:
        raise BadParameter("y", f"only the label {values[0]}", "occurs", "an SVM needs both classes")
    return values
