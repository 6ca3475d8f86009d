"""Reading of files: JSON, the shape of every field, exact numbers, and the ranges of all numbers.

A value that does not have the required shape is refused; nothing is converted before that.
"""

import gzip
import hashlib
import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from io import BytesIO
from math import isfinite
from typing import Any

from . import limits
from .kernels import Measure, Numbers
from .limits import Rejected, common_multiple, require, require_at_most

SCHEMA, SCHEMA_2, PATH = "orca-exact/certificate/1", "orca-exact/certificate/2", "orca-exact/path/1"
QUOTIENT = re.compile(r"([+-]?\d+)(?:/(0*[1-9]\d*))?", re.ASCII)
DECIMAL = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,5})?", re.ASCII)
HEX = re.compile(r"([+-]?)0[xX]([\da-fA-F]+)(?:\.([\da-fA-F]*))?(?:[pP]([+-]?\d{1,5}))?", re.ASCII)
EXPONENT = re.compile(r".*[eEpP][+-]?(\d{1,5})", re.ASCII)


# The file.


def reject_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object; raise ValueError if a field is given twice."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the field {key!a:.60} occurs twice")
        found[key] = value
    return found


def load(path: str) -> dict[str, Any]:
    """Return the certificate or path in a file, plain or compressed by gzip; raise ValueError for others."""
    with open(path, "rb") as file:
        text = file.read(limits.SIZE + 1)
    if text.startswith(b"\x1f\x8b"):
        text = gzip.GzipFile(fileobj=BytesIO(text)).read(limits.SIZE + 1)
    if len(text) > limits.SIZE:
        raise ValueError(f"the file is longer than {limits.SIZE} bytes")
    certificate = json.loads(text.decode("utf-8-sig"), object_pairs_hook=reject_duplicates)
    if _is_deep(certificate):
        raise ValueError(f"more than {limits.DEPTH} lists and objects are nested")
    if not isinstance(certificate, dict) or certificate.get("schema") not in (SCHEMA, SCHEMA_2, PATH):
        raise ValueError(f"the field schema is not {SCHEMA}, {SCHEMA_2} or {PATH}")
    return certificate


def _is_deep(value: Any) -> bool:
    """Return whether more than ``DEPTH`` lists and objects are nested."""
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(limits.DEPTH):
        inside = (item.values() if isinstance(item, dict) else item for item in level)
        level = [x for items in inside for x in items if isinstance(x, dict | list)]
    return bool(level)


def digest(data: dict[str, Any], *without: str) -> str:
    """Return the SHA-256 of the canonical JSON of all fields except those in ``without``."""
    body = {key: value for key, value in data.items() if key not in without}
    try:
        canonical = json.dumps(body, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        raise Rejected("format", "the certificate is not JSON") from None
    return hashlib.sha256(canonical.encode()).hexdigest()


# Numbers.


def bound_bits(value: Any) -> int:
    """Return an upper bound of the bits of a number, found from its text before it is read."""
    if not isinstance(value, str):
        return value.bit_length() if isinstance(value, int) else 2**11
    exponent = EXPONENT.fullmatch(value[-8:])
    return 4 * (len(value) + int(exponent[1] if exponent else 0))


@contextmanager
def unlimited_digits() -> Iterator[None]:
    """Let Python read integers of any length; their length is limited by ``LIMITS`` instead."""
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(limit)


def quotient(value: Any) -> tuple[int, int]:
    """Return p and q of "p/q", not reduced: reducing every fraction would take longer than the proof."""
    if match := QUOTIENT.fullmatch(value):
        return int(match[1]), int(match[2] or 1)
    raise ValueError


def number(value: Any) -> Fraction:
    """Return the exact rational of a JSON number, a decimal, a hex float or a quotient."""
    if type(value) is int or (type(value) is float and isfinite(value)):
        return Fraction(value)
    if not isinstance(value, str):
        raise TypeError
    if DECIMAL.fullmatch(value):
        return Fraction(value)
    if match := HEX.fullmatch(value):
        sign, whole, part, exponent = match.groups()
        part = part or ""
        return int(sign + whole + part, 16) * Fraction(2) ** (int(exponent or 0) - 4 * len(part))
    return Fraction(*quotient(value))


def integer(value: Any) -> int:
    """Return a JSON integer; 1.0, "1" and true are refused."""
    if type(value) is int:
        return value
    raise ValueError


def long_number(value: Any) -> Fraction:
    """Return the number in a text that may be long: a bound of lambda or a claim."""
    if not isinstance(value, str):
        raise ValueError
    return number(value)


def unchecked(value: Any) -> Any:
    """Return any value; the proof does not use it."""
    return value


LIMITS = {integer: limits.SHORT, number: limits.SHORT, long_number: limits.LONG, quotient: limits.LONGEST}


# Shapes: a dict has the shape of each field, a list the shape of its items, a tuple the allowed values; a
# function reads the value. There are four more:


@dataclass(frozen=True)
class OneOrList:
    """One value, or a list of them."""

    shape: Any


@dataclass(frozen=True)
class OrNull:
    """A value, or null."""

    shape: Any


@dataclass(frozen=True)
class MayMiss:
    """The value of a field that may be missing."""

    shape: Any


@dataclass(frozen=True)
class Named:
    """The shape that is named by a field of the value.

    If the name is unknown, the first shape is used, and refuses the value.
    """

    field: str
    shapes: dict[str, Any]

    def find(self, value: Any) -> Any:
        """Return the shape for this value."""
        name = value.get(self.field) if isinstance(value, dict) else None
        return self.shapes.get(name if isinstance(name, str) else "", next(iter(self.shapes.values())))


BOUNDS = {"lower": long_number, "upper": long_number}
POINT = {"u": quotient, "v": quotient}
INTERVAL = {"lower": POINT, "upper": POINT}
FLAG = (True, False)
JACOBI = {"alpha": number, "beta": number}
MEASURES = {
    "jacobi": {"family": ("jacobi",), **JACOBI},
    "hermite": {"family": ("hermite",)},
    "laguerre": {"family": ("laguerre",), "alpha": number},
    "discrete": {"family": ("discrete",), "nodes": [number], "weights": [number]},
}
INDEX_MEASURES = MEASURES | {
    "empirical": {"family": ("empirical",)},
    "uniform": {"family": ("uniform",), "lower": MayMiss(number), "upper": MayMiss(number)},
    "normal": {"family": ("normal",), "mean": number, "sd": number},
}
COORDINATES = {"n": OneOrList(integer), "measures": OneOrList(Named("family", MEASURES))}
KERNELS = {
    "orthogonal": {"family": ("orthogonal",), **COORDINATES, "order": MayMiss(OrNull(integer))},
    "linear": {"family": ("linear",)},
    "polynomial": {"family": ("polynomial",), "degree": integer, "gamma": number, "coef0": number},
    "rbf": {"family": ("rbf",), "gamma": number},
}
UNDER = {"under": MayMiss(OneOrList(Named("family", INDEX_MEASURES)))}
PROBLEM = {"id": MayMiss(unchecked), "X": [[number]], "y": [number], "rescale": FLAG}
WEIGHTED = {"C": OneOrList(number), "names": MayMiss(unchecked), **PROBLEM}
PROBLEMS = {
    "orca-exact/problem/1": {"schema": ("orca-exact/problem/1",), "n": integer, "C": number}
    | {**JACOBI, **PROBLEM},
    "orca-exact/problem/2": {"schema": ("orca-exact/problem/2",), **COORDINATES, **WEIGHTED},
    "orca-exact/problem/3": {"schema": ("orca-exact/problem/3",), "kernel": Named("family", KERNELS)}
    | {**UNDER, **WEIGHTED},
}
VERSIONS = {SCHEMA: ("orca-exact/problem/1", "orca-exact/problem/2"), SCHEMA_2: ("orca-exact/problem/3",)}
CERTIFICATE = {
    "schema": tuple(VERSIONS),
    "problem": Named("schema", PROBLEMS),
    "level": ("exact", "ball", "gap"),
    "lambda": {"bits": integer, **BOUNDS},
    "u": [quotient],
    "v": [quotient],
    "b": POINT,
    "active": {"free": [integer], "bound": [integer]},
    "claims": {"gap": long_number, "w_error": long_number, "norm2": BOUNDS}
    | dict.fromkeys(("alpha_unique", "b_unique", "hard_margin"), (*FLAG, None)),
    "versions": unchecked,
    "sha256": unchecked,
}


def parse(value: Any, shape: Any, place: str) -> Any:
    """Return the value read according to its shape; raise Rejected if it does not have that shape."""
    if isinstance(shape, MayMiss):
        shape = shape.shape
    if isinstance(shape, OrNull):
        return None if value is None else parse(value, shape.shape, place)
    if isinstance(shape, OneOrList):
        shape = [shape.shape] if isinstance(value, list) else shape.shape
    if isinstance(shape, Named):
        shape = shape.find(value)
    if isinstance(shape, dict):
        require(isinstance(value, dict), "format", f"{place} must be an object")
        optional = {key for key, inner in shape.items() if isinstance(inner, MayMiss)}
        odd = (set(value) | optional) ^ set(shape)
        require(
            not odd, "format", f"{place} has missing or unknown fields: {ascii(sorted(map(str, odd)))[:60]}"
        )
        return {key: parse(value[key], shape[key], f"{place}.{key}") for key in value}
    if isinstance(shape, list):
        require(isinstance(value, list), "format", f"{place} must be a list")
        require_at_most(len(value), limits.ITEMS, f"{place} is", "items")
        return [parse(item, shape[0], f"{place}[{i}]") for i, item in enumerate(value, 1)]
    if isinstance(shape, tuple) and any(type(value) is type(choice) and value == choice for choice in shape):
        return value
    if limit := not isinstance(shape, tuple) and LIMITS.get(shape):
        bits = bound_bits(value)
        require(bits <= limit, "format", f"{place} is too long: {bits} bits, at most {limit} are allowed")
    try:
        if isinstance(shape, tuple):  # the value is none of the choices
            raise ValueError
        return shape(value)
    except (TypeError, ValueError):
        short = isinstance(value, str | float) or (isinstance(value, int) and bound_bits(value) < 2**10)
        shown = value if short else type(value).__name__
        raise Rejected("format", f"{place} cannot be {shown!a:.60}") from None


# A problem, and the certificate about it.


def over_common_denominator(values: list[Fraction], what: str) -> tuple[Numbers, int]:
    """Return the numerators over a common denominator, and the denominator."""
    common = common_multiple((x.denominator for x in values), what)
    return Numbers(x.numerator * (common // x.denominator) for x in values), common


def read_measure(given: dict[str, Any], n: int) -> Measure:
    """Return the measure; refuse it if it does not exist or has no polynomials up to degree n."""
    most = limits.DEGREE
    require(0 <= n <= most, "format", f"n must be an integer from 0 to {most}")
    for key in ("alpha", "beta"):
        inside = key not in given or -1 < given[key] <= most
        require(inside, "format", f"{key} must lie in (-1, {most}]")
    if given["family"] != "discrete":
        return Measure(given["family"], n, tuple(given[key] for key in JACOBI if key in given))
    nodes, weights = given["nodes"], given["weights"]
    require(
        len(nodes) == len(weights) > n, "format", "there must be as many weights as nodes, and more than n"
    )
    valid = len(set(nodes)) == len(nodes) and min(weights) > 0
    require(valid, "format", "a node occurs twice, or a weight is not positive")
    (p, q), (w, v) = (
        over_common_denominator(part, "the denominators of nodes or weights are") for part in (nodes, weights)
    )
    return Measure("discrete", n, (p, q, w, v))


def read_measures(kernel: dict[str, Any], d: int) -> tuple[Measure, ...]:
    """Return the measure of each coordinate."""
    one = {"family": "jacobi"} | {key: kernel[key] for key in JACOBI if key in kernel}
    both = kernel.get("measures", one), kernel["n"]
    given, n = (x if isinstance(x, list) else [x] * d for x in both)
    require(len(given) == len(n) == d, "format", "measures and n must have one item, or one per coordinate")
    known: dict[tuple[int, int], Measure] = {}  # a common measure of all coordinates is read once
    for this, top in zip(given, n, strict=True):
        if (id(this), top) not in known:
            known[id(this), top] = read_measure(this, top)
    return tuple(known[id(this), top] for this, top in zip(given, n, strict=True))


def read_order(kernel: dict[str, Any], d: int) -> int:
    """Return the largest number of active coordinates of a mode, which is d if it is not limited."""
    order = kernel.get("order")
    require(order is None or 1 <= order <= d, "format", f"order must be an integer from 1 to {d}, or null")
    return d if order is None else order


def read_kernel(kernel: dict[str, Any]) -> dict[str, Any]:
    """Return a kernel that is not of orthogonal polynomials; refuse it if it is not positive definite.

    With degree 1 any coef0 is possible: a constant in R changes nothing, because sum_i y_i a_i = 0.
    """
    linear = {"degree": 1, "gamma": Fraction(1), "coef0": Fraction(0)} if kernel["family"] == "linear" else {}
    kernel = kernel | linear
    require(kernel["gamma"] > 0, "format", "gamma must be positive")
    if kernel["family"] != "rbf":
        most = limits.DEGREE
        require(1 <= kernel["degree"] <= most, "format", f"degree must be an integer from 1 to {most}")
        definite = kernel["degree"] == 1 or kernel["coef0"] >= 0
        require(definite, "format", "coef0 must not be negative if degree is 2 or more")
    return kernel


def limit_under(under: Any, measures: tuple[Measure, ...], d: int) -> None:
    """Refuse measures of the indices that do not exist; optimality does not depend on them.

    ``measures`` are those of a kernel of orthogonal polynomials, which takes no others.
    """
    several, found = isinstance(under, list), []
    require(not several or len(under) == d, "format", "under must be one measure, or one per coordinate")
    for given in under if several else [under]:
        if given["family"] in MEASURES:
            found.append(read_measure(given, 0))
        elif given["family"] == "normal":
            require(given["sd"] > 0, "format", "sd must be positive")
        elif given["family"] == "uniform" and len(given) > 1:
            ends = len(given) == 3 and given["lower"] < given["upper"]
            require(ends, "format", "lower must be below upper, and neither given alone")
    wanted = [measure._replace(n=0) for measure in measures]
    own = not measures or (found == wanted if several else set(found) == set(wanted))
    require(own, "format", "under must be the measures of the kernel, or be left out")


def read_points(X: list[list[Fraction]], rescale: bool, families: list[str]) -> list[list[Fraction]]:
    """Return the points; refuse a point outside the domain of its measure.

    With ``rescale``, the range of each coordinate is mapped onto [-1, 1] unless its measure has another
    domain. ``families`` are those of the measures, or of a kernel without measures.
    """
    columns = [list(column) for column in zip(*X, strict=True)]
    for j, (column, family) in enumerate(zip(columns, families, strict=True)):
        if rescale and (family == "jacobi" or family not in MEASURES):
            low, high = min(column), max(column)
            require(low < high, "format", f"coordinate {j + 1} is constant and cannot be rescaled")
            columns[j] = [2 * (t - low) / (high - low) - 1 for t in column]
        inside = family != "jacobi" or all(abs(t) <= 1 for t in columns[j])
        require(inside, "format", f"a point lies outside [-1, 1] in coordinate {j + 1}")
        require(
            family != "laguerre" or min(column) >= 0, "format", f"a point is negative in coordinate {j + 1}"
        )
    return [list(x) for x in zip(*columns, strict=True)]


def read_problem(problem: dict[str, Any]) -> dict[str, Any]:
    """Return the problem with its points in their domain, y in integers, C = max C_i and weights C_i / C."""
    X, y = problem["X"], problem["y"]
    require(len(X) == len(y), "format", "X and y have different lengths")
    require(set(y) == {1, -1}, "format", "the labels must be 1 and -1, both present")
    require(len({len(x) for x in X}) == 1 and len(X[0]) > 0, "format", "the points have different dimensions")
    d, kernel = len(X[0]), problem.get("kernel", problem)  # versions 1 and 2 have it as fields of the problem
    measures: tuple[Measure, ...] = ()
    order = None
    if "n" in kernel:
        measures, order = read_measures(kernel, d), read_order(kernel, d)
        kernel = {"family": "orthogonal"}
    else:
        kernel = read_kernel(kernel)
    families = [measure.family for measure in measures] or [kernel["family"]] * d
    if "under" in problem:
        limit_under(problem["under"], measures, d)
    X = read_points(X, problem["rescale"], families)
    bounds = problem["C"] if isinstance(problem["C"], list) else [problem["C"]] * len(X)
    require(len(bounds) == len(X) and min(bounds) > 0, "format", "C must be positive, one or one per point")
    C = max(bounds)
    new = {"X": X, "y": [int(label) for label in y], "kernel": kernel, "measures": measures, "order": order}
    return problem | new | {"C": C} | {"weights": [bound / C for bound in bounds]}


def limit_bits(data: dict[str, Any]) -> None:
    """Refuse a value of lambda.bits outside its range."""
    require(
        1 <= data["lambda"]["bits"] <= limits.BITS, "format", f"lambda.bits must be from 1 to {limits.BITS}"
    )


def refuse_exact_rbf(problem: dict[str, Any], exact: bool) -> None:
    """Refuse an exact proof for the RBF kernel."""
    rational = not exact or problem["kernel"]["family"] != "rbf"
    require(rational, "format", "the values of the RBF kernel are irrational: the level must be gap or ball")


@unlimited_digits()
def read_certificate(certificate: Any) -> dict[str, Any]:
    """Return the certificate with every number in its domain, and b as a list of one end or two."""
    interval = isinstance(certificate, dict) and isinstance(b := certificate.get("b"), dict) and "lower" in b
    # Both ends exist: if no support vector is free, support vectors of both classes at their bound limit b.
    shape = CERTIFICATE | {"b": INTERVAL if interval else POINT}
    cert = parse(certificate, shape, "certificate")
    known = VERSIONS[cert["schema"]]
    require(
        cert["problem"]["schema"] in known, "format", f"the problem must be of schema {' or '.join(known)}"
    )
    problem, level, b = read_problem(cert["problem"]), cert["level"], cert["b"]
    alike = len(problem["y"]) == len(cert["u"]) == len(cert["v"])
    require(alike, "format", "X, y, u and v have different lengths")
    limit_bits(cert)
    refuse_exact_rbf(problem, level == "exact")
    require(level == "exact" or not interval, "format", f"b must be one number at level {level}")
    found: dict[str, Any] = cert | {
        "problem": problem,
        "b": [b[end] for end in INTERVAL] if interval else [b],
    }
    return found


def describe_problem(problem: dict[str, Any]) -> dict[str, Any]:
    """Return the digest of the problem, which does not depend on its id and names, and its sizes."""
    sizes = {"m": len(problem["y"]), "d": len(problem["X"][0])}
    kernel = problem.get("kernel", {})
    names = ["kernel", "n", "alpha", "beta", "measures", "order", "degree", "gamma", "coef0", "C"]
    given = problem | kernel | {"kernel": None if "n" in kernel else kernel.get("family")}
    shown = {key: given[key] for key in names if given.get(key) is not None}
    if measures := shown.get("measures"):
        each = measures if isinstance(measures, list) else [measures]
        shown["measures"] = "; ".join(map(describe_measure, each))
    if isinstance(shown["C"], list):
        shown["C"] = f"{len(shown['C'])} values"
    return {"sha256": digest(problem, "id", "names"), **sizes, **shown}


def describe_measure(measure: dict[str, Any]) -> str:
    """Return the family of a measure, its parameters and the number of its nodes."""
    nodes = [f"{len(measure['nodes'])} nodes"] if "nodes" in measure else []
    return " ".join([measure["family"], *(str(measure[key]) for key in JACOBI if key in measure), *nodes])
