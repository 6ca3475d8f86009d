"""Problems with linear, polynomial and RBF kernels, as JSON of version 3 (see ``extremes``).

Each kernel occurs with each measure of the indices. Extremes are small and large gamma, constant columns,
columns of 0 and 1, equal rows, points at 0 and columns of different sizes.
"""

from __future__ import annotations

from random import Random
from typing import Any

from ...files.formats import JsonObject
from ...numbers.rationals import QQ
from ...problem import PROBLEM_SCHEMA_3
from .extremes import DUAL, HERMITE, jacobi, laguerre, rows

_EMPIRICAL, _UNIFORM = ({"family": name} for name in ("empirical", "uniform"))
_LINEAR = {"family": "linear"}


def normal(mean: str, sd: str) -> JsonObject:
    """Return a normal measure."""
    return {"family": "normal", "mean": mean, "sd": sd}


def between(lower: str, upper: str) -> JsonObject:
    """Return a uniform measure on a given interval."""
    return {"family": "uniform", "lower": lower, "upper": upper}


def polynomial(degree: int, gamma: Any, coef0: Any) -> JsonObject:
    """Return the kernel (gamma x.z + coef0)^degree."""
    return {"family": "polynomial", "degree": degree, "gamma": gamma, "coef0": coef0}


def rbf(gamma: Any) -> JsonObject:
    """Return the kernel exp(-gamma |x - z|^2)."""
    return {"family": "rbf", "gamma": gamma}


def standard(
    kernel: JsonObject, X: list[Any], under: Any = None, dual: bool = False, **more: Any
) -> JsonObject:
    """Return a problem of version 3 with a kernel that is not one of orthogonal polynomials."""
    problem = {"schema": PROBLEM_SCHEMA_3, "id": "", "X": X, "y": labels_of(X), "kernel": kernel}
    given = {"dual": [*DUAL, "1/5"][: len(X)]} if dual else {}
    return problem | ({} if under is None else {"under": under}) | more | given


def labels_of(X: list[list[str]]) -> list[int]:
    """Return the sign of a linear function of the points, wrong at the third one."""
    values = [sum((QQ(x) * (j + 1) for j, x in enumerate(row)), QQ(0)) for row in X]
    middle = sorted(values)[len(values) // 2]
    y = [1 if value >= middle else -1 for value in values]
    return [*y[:2], -y[2], *y[3:]]


def random_points(seed: str, m: int, d: int) -> list[list[str]]:
    """Return m points with d coordinates, multiples of 1/8 between -2 and 2."""
    random = Random(seed)
    return [[str((int(random.random() * 33) - 16) / 8) for _ in range(d)] for _ in range(m)]


_WEIGHTS = ["1/8", "2", "1", "3", "1/4", "10", "1/2", "4"]
_LINE, _PLANE, _SPACE, _FOUR = (
    random_points(f"standard {d}", m, d) for m, d in ((6, 1), (7, 2), (7, 3), (8, 4))
)
_BINARY = rows("0 1 1 0 1 0 1", "0.5 -1 2 1/3 -0.25 1.5 0")
_REPEATED = rows("0.5 -1 2 0.5 -0.25 1.5 2", "1 0 -2 1 1/4 1 -2")
_CONSTANT = rows("3 3 3 3 3 3", "0.5 -1 2 1/3 -0.25 1.5", "1 0 -2 1 1/4 -1")
_SIZES = rows("1000 2500 1700 900 3100 2000", "0.001 0.002 -0.001 0.0005 0.003 0")
_WITH_ORIGIN = rows("0 1 -1 0.5 -2 2", "0 -1 0.25 2 1 0.5")
_MEASURES = [
    normal("1/4", "3/2"),
    _UNIFORM,
    {"family": "discrete", "nodes": ["-1", "0", "2"], "weights": [1, 2, 1]},
]

_GROUPS = {
    "linear kernel": [
        standard(_LINEAR, _PLANE, C="3", rescale=False),
        standard(_LINEAR, _SPACE, _UNIFORM, C="10"),
        standard(_LINEAR, _PLANE, normal("1", "1/2"), C=_WEIGHTS[:7]),
        standard(_LINEAR, _WITH_ORIGIN, C="1/4"),
        standard(_LINEAR, _SPACE, _MEASURES, C="4", rescale=True),
        standard(_LINEAR, _CONSTANT, between("-3", "5")),
        standard(_LINEAR, _PLANE) | {"y": [1, -1, -1, 1, 1, -1, 1]},  # w = 0
    ],
    "polynomial kernel": [
        standard(polynomial(2, "1/2", "1"), _PLANE, C="1", rescale=False),
        standard(polynomial(3, "1/3", "2"), _SPACE, _UNIFORM, C="10"),
        standard(polynomial(3, "0.25", "0"), _PLANE, normal("1/2", "2"), C="1/2"),
        standard(polynomial(2, "2", "0"), _SPACE, C=_WEIGHTS[:7]),
        standard(polynomial(1, "1/2", "3"), _SPACE, between("-1", "3"), C="1"),
        standard(polynomial(4, "1/4", "1"), _LINE, _UNIFORM, C="10"),
        standard(polynomial(2, "1/3", "1/2"), _FOUR, [*_MEASURES, _EMPIRICAL], C="2"),
        standard(polynomial(3, "1/2", "1"), _PLANE, rescale=True),
        standard(polynomial(2, "1/2", "5"), _PLANE, [HERMITE, jacobi("1/2", "-1/3")], C="3"),
    ],
    "polynomial kernel, extremes": [
        standard(polynomial(6, "0.3", "0.7"), _PLANE, _UNIFORM, dual=True),
        standard(polynomial(3, "1/2", "1"), _BINARY, C="1"),
        standard(polynomial(2, "0x1p-1", 1), _REPEATED, C=_WEIGHTS[:7]),
        standard(polynomial(3, "1/7", "1"), _CONSTANT, [_EMPIRICAL, laguerre("1/2"), _EMPIRICAL], C="1e1"),
        standard(polynomial(2, "1e-4", "1"), _SPACE, normal("0", "2"), C="1e5"),
        standard(polynomial(1, "3", "0"), _LINE, C="1"),
        standard(polynomial(2, "1/2", "0"), _WITH_ORIGIN, _UNIFORM, C="1"),
        standard(polynomial(5, "1/5", "1/3"), _SPACE, dual=True),
        standard(polynomial(3, "1/3", "1/2"), _SPACE, _MEASURES, dual=True),
        standard(polynomial(4, "1/2", "0"), _BINARY, normal("1", "1/3"), dual=True),
    ],
    "rbf kernel": [
        standard(rbf("1/2"), _PLANE, C="1", rescale=False),
        standard(rbf("1/4"), _SPACE, _UNIFORM, C="10"),
        standard(rbf("1"), _PLANE, normal("1/2", "2"), C="1/2"),
        standard(rbf("0.3"), _SPACE, C=_WEIGHTS[:7]),
        standard(rbf("2"), _LINE, between("-3", "3"), C="1"),
        standard(rbf("0.7"), _LINE, C="10"),
        standard(rbf("1/5"), _FOUR, [*_MEASURES, _EMPIRICAL], C="2"),
        standard(rbf("3"), _PLANE, _UNIFORM, C="10", rescale=True),
        standard(rbf("1/3"), _SPACE, normal("0", "1"), C="5"),
        standard(rbf("1/10"), _FOUR, _UNIFORM, C="100"),
    ],
    "rbf kernel, extremes": [
        standard(rbf("0.0001"), _PLANE, C="1e5"),
        standard(rbf("0.0001"), _SPACE, _UNIFORM, dual=True),
        standard(rbf("0.0001"), _PLANE, normal("1/3", "1/2"), dual=True),
        standard(rbf("0.0001"), _LINE, dual=True),
        standard(rbf("1000"), _PLANE, C="1"),
        standard(rbf("1000"), _SPACE, _UNIFORM, dual=True),
        standard(rbf("1000"), _LINE, normal("1/2", "1"), C="2"),
        standard(rbf("1/2"), _CONSTANT, C="1e1"),
        standard(rbf("1/2"), _CONSTANT, _UNIFORM, dual=True),
        standard(rbf("1/2"), _REPEATED, C=_WEIGHTS[:7]),
        standard(rbf("1/2"), _REPEATED, _UNIFORM, C="1"),
        standard(rbf("0x1.8p-1"), _BINARY, C=2),
        standard(rbf("0.75"), _BINARY, [_EMPIRICAL, _UNIFORM], dual=True),
        standard(rbf("1e-6"), _SIZES, C="10"),
        standard(rbf("1/3"), _SPACE, _MEASURES, dual=True),
    ],
}
# A group has either given dual variables or none.
STANDARD: dict[str, list[JsonObject]] = {}
for name, cases in _GROUPS.items():
    STANDARD[name] = [case for case in cases if "dual" not in case]
    if given := [case for case in cases if "dual" in case]:
        STANDARD[f"{name}, given dual variables"] = given
