"""The oracle's own reader of problem files."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from .models import Model
from .moments import Distribution, discrete

Q = Fraction


def number(value: Any) -> Fraction:
    """Read "p/q", a decimal, a hexadecimal float such as 0x1fp-3, or a JSON number."""
    if isinstance(value, str) and "0x" in value.lower():
        sign = -1 if value.startswith("-") else 1
        digits, _, exponent = value.lower().lstrip("+-").removeprefix("0x").partition("p")
        whole, _, part = digits.partition(".")
        return sign * Q(int(whole + part, 16)) * Q(2) ** (int(exponent or 0) - 4 * len(part))
    return Q(value)


def read_measure(data: dict) -> Distribution:
    """Read a measure of a kernel."""
    if data["family"] == "discrete":
        nodes = tuple(map(number, data["nodes"]))
        weights = (
            tuple(map(number, data["weights"])) if "weights" in data else (Q(1, len(nodes)),) * len(nodes)
        )
        return discrete(nodes, weights)
    names = {"jacobi": ("alpha", "beta"), "laguerre": ("alpha",)}.get(data["family"], ())
    return Distribution(data["family"], tuple(number(data[name]) for name in names))


def read_model(problem: dict) -> tuple[Model, list[Fraction]]:
    """Read orca-exact/problem/1, 2 or 3 without the measures of the indices; return also the C_i."""
    X = [[number(x) for x in row] for row in problem["X"]]
    m, d = len(X), len(X[0])
    given = problem.get("kernel", problem)
    family = given.get("family", "orthogonal")
    mapped = range(d)
    if family == "orthogonal":
        one = {"family": "jacobi", "alpha": problem.get("alpha"), "beta": problem.get("beta")}
        measures = given.get("measures", one)
        each = [read_measure(x) for x in (measures if isinstance(measures, list) else [measures] * d)]
        degrees = given["n"] if isinstance(given["n"], list) else [given["n"]] * d
        kernel: tuple = ("orthogonal", degrees, each, given.get("order") or d)
        mapped = [col for col, measure in enumerate(each) if measure.kind == "jacobi"]
    elif family == "rbf":
        kernel = ("rbf", number(given["gamma"]))
    else:
        parameters = (given.get(name, default) for name, default in (("gamma", "1"), ("coef0", "0")))
        kernel = ("polynomial", given.get("degree", 1), *map(number, parameters))
    if problem.get("rescale"):
        for col in mapped:
            low, high = min(row[col] for row in X), max(row[col] for row in X)
            for row in X:
                row[col] = 2 * (row[col] - low) / (high - low) - 1
    C = problem.get("C", "1")
    bounds = list(map(number, C)) if isinstance(C, list) else [number(C)] * m
    return Model(X, [int(label) for label in problem["y"]], kernel, []), bounds
