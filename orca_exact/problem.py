"""A classification problem: points, labels, truncation level n, Jacobi parameters, C.

Everything is an exact rational from the moment it enters; min-max rescaling to [-1, 1] is exact.

>>> problem = Problem([["0"], ["0.5"], ["2"]], [1, -1, 1], n=2, alpha=0, beta=0, rescale=True)
>>> problem.points.T
array([[-1, -1/2, 1]], dtype=object)
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from flint import arb, fmpq

from .arithmetic import QQ, Arithmetic, text
from .errors import BadFile, BadInput, BadParameter, OutsideDomain, TooLarge
from .jacobi import Jacobi, degree

SCHEMA = "orca-exact/problem/1"
MAX_POINTS, MAX_COORDINATES, MAX_PARAMETER = 20_000, 10_000, 1_000


@dataclass(frozen=True)
class Problem:
    """Points X, labels y = 1 or -1, the kernel's n, alpha and beta, and C; checked and exact once it is made.

    >>> problem = Problem([["-0.5"], ["1/4"]], [1, -1], n=2, alpha=0, beta=0, C=10)
    >>> problem.m, problem.d, problem.modes, problem.lambda_exact
    (2, 1, 3, 1/2)
    """

    X: Any
    y: Any
    n: int
    alpha: Any
    beta: Any
    C: Any = 1
    rescale: bool = False
    id: str = ""

    def __post_init__(self) -> None:
        put = lambda name, value: object.__setattr__(self, name, value)  # noqa: E731
        put("X", _rows(self.X))
        put("y", _labels(self.y, len(self.X)))
        put("n", degree(self.n))
        jacobi = Jacobi(QQ(self.alpha, "alpha"), QQ(self.beta, "beta"))
        for name, value in (("alpha", jacobi.alpha), ("beta", jacobi.beta)):
            if value > MAX_PARAMETER:
                raise TooLarge(name, text(value), MAX_PARAMETER, "take a smaller parameter")
        put("alpha", jacobi.alpha)
        put("beta", jacobi.beta)
        put("C", QQ(self.C, "C"))
        if self.C <= 0:
            raise BadParameter("C", self.C, "is not positive", "take C = 1 or another positive number")
        if not isinstance(self.rescale, bool):
            raise BadParameter("rescale", repr(self.rescale), "is neither true nor false", "say which")
        if not isinstance(self.id, str):
            raise BadParameter("id", repr(self.id), "is not text", "give the problem a name")
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
        """lambda = h_0^-d, the one scalar between K and its rational part."""
        if self.lambda_is_rational:
            return arithmetic(self.lambda_exact)
        return 1 / self.jacobi.h0_in(arithmetic) ** self.d

    @cached_property
    def lambda_exact(self) -> fmpq:
        """lambda where it is rational: B(k+1, r+1) = k!/((r+1) ... (r+k+1)) for an integer k."""
        k, r = sorted((self.alpha, self.beta), key=lambda parameter: parameter.q)
        inverse = fmpq(1)
        for j in range(1, int(k.p) + 2):
            inverse *= (r + j) / max(j - 1, 1)
        power = int((self.d * (self.alpha + self.beta + 1)).p)
        return inverse**self.d * fmpq(2) ** -power

    def lambda_ball(self) -> arb:
        """lambda at python-flint's current precision."""
        return arb(self.lambda_exact) if self.lambda_is_rational else 1 / self.jacobi.h0_ball() ** self.d

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
        """The problem an orca-exact/problem/1 describes; ``place`` begins the message of an error."""
        fields = {"X", "y", "n", "alpha", "beta", "C", "rescale", "id"}
        check_fields(data, SCHEMA, required={"X", "y", "n", "alpha", "beta"}, known=fields, place=place)
        values = {key: value for key, value in data.items() if key in fields}
        try:
            return cls(**values)
        except BadInput as error:
            if place == "problem":
                raise
            error.args = (f"{place}: {error}",)
            raise

    @classmethod
    def load(cls, path: str | Path) -> Problem:
        """The problem in a file."""
        return cls.from_json(read_json(path), str(path))


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


# Files.


def digest(data: Any) -> str:
    canonical = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(canonical.encode()).hexdigest()


def read_json(path: str | Path) -> Any:
    """The JSON value in a file; every way this can fail is a BadFile."""
    try:
        raw = Path(path).read_bytes()
    except OSError as error:
        raise BadFile(path, error.strerror or "cannot be read", "check the path") from None
    return parse_json(raw, path)


def parse_json(raw: bytes | str, place: object) -> Any:
    try:
        return json.loads(
            raw.decode("utf-8-sig") if isinstance(raw, bytes) else raw,
            object_pairs_hook=_no_duplicates,
            parse_constant=_refuse(place),
            parse_int=lambda digits: int(digits) if len(digits) < 4000 else digits,
        )
    except UnicodeDecodeError as error:
        raise BadFile(place, f"not UTF-8 (byte {error.start})", "save it as UTF-8") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno} column {error.colno}"
        raise BadFile(place, f"not JSON: {error.msg} at {where}", "is the file truncated?") from None
    except RecursionError:
        raise BadFile(place, "nested too deeply", "this is not one of our files") from None


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict:
    found: dict = {}
    for key, value in pairs:
        if key in found:
            raise BadInput(f"the field {key!r} occurs twice; keep one of them")
        found[key] = value
    return found


def _refuse(place: object) -> Callable[[str], Any]:
    def refuse(name: str) -> Any:
        raise BadFile(place, f"{name} is not a number", "remove or repair the value")

    return refuse


def check_fields(data: Any, schema: str, required: set[str], known: set[str], place: str) -> None:
    if not isinstance(data, dict):
        raise BadFile(
            place, f"a JSON {type(data).__name__}, not an object", f"see 'orca-exact schema {schema}'"
        )
    if data.get("schema", schema) != schema:
        raise BadFile(place, f"schema {data['schema']!r}", f"this version reads {schema!r}")
    if missing := sorted(required - data.keys()):
        raise BadFile(place, f"no field {missing[0]!r}", f"see 'orca-exact schema {schema}'")
    if unknown := sorted(data.keys() - known - {"schema"}):
        raise BadFile(
            place, f"unknown field {unknown[0]!r}", f"remove it, or see 'orca-exact schema {schema}'"
        )
