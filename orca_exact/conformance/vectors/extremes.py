"""Problems with extreme parameters, omitted fields and unusual forms of numbers, as JSON.

The random problems of ``cases`` are moderate and written in one way. Here each extreme value, each form of a
number and each field that may be absent occurs at least once. If a formula is tested, the dual variables are
given, so that errors of a solver do not hide those of the formula.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...files.formats import JsonObject
from ...numbers.rationals import QQ
from ...problem import PROBLEM_SCHEMA, PROBLEM_SCHEMA_2, PROBLEM_SCHEMA_3

HERMITE = {"family": "hermite"}
SIGNS = [1, -1, -1, 1, 1, -1, 1]
DUAL = ["1/3", "0.7", "2", "1e-6", "11/7", "0.9", "3/11"]  # not dyadic, one small, some above C, sum not 0
MIXED_SIZES = ["1000", "1e-4", "1/3", "20", "1e-4", "5", "1/7"]


def jacobi(alpha: Any, beta: Any) -> JsonObject:
    """Return the measure of the weight (1-x)^alpha (1+x)^beta."""
    return {"family": "jacobi", "alpha": alpha, "beta": beta}


def laguerre(alpha: Any) -> JsonObject:
    """Return the measure of the weight x^alpha exp(-x)."""
    return {"family": "laguerre", "alpha": alpha}


def discrete(nodes: Sequence[Any], weights: Sequence[Any] | None = None) -> JsonObject:
    """Return a discrete measure, without weights if they are None."""
    return {"family": "discrete", "nodes": nodes} | ({} if weights is None else {"weights": weights})


def rows(*columns: str) -> list[list[str]]:
    """Return points from columns, each a string of numbers."""
    return [list(row) for row in zip(*(column.split() for column in columns), strict=True)]


def problem_version_2(X: list[Any], n: Any, measures: Any, dual: Any = None, **more: Any) -> JsonObject:
    """Return a problem of version 2; ``dual=True`` takes the first of DUAL."""
    m = len(X)
    problem = {"schema": PROBLEM_SCHEMA_2, "id": "", "X": X, "y": SIGNS[:m], "n": n, "measures": measures}
    return problem | more | ({} if dual is None else {"dual": DUAL[:m] if dual is True else dual})


def problem_version_1(
    X: list[Any], n: int, alpha: Any, beta: Any, dual: Any = None, **more: Any
) -> JsonObject:
    """Return a problem of version 1."""
    problem = problem_version_2(X, n, None, dual, **more) | {
        "schema": PROBLEM_SCHEMA,
        "alpha": alpha,
        "beta": beta,
    }
    return {key: x for key, x in problem.items() if key != "measures"}


def order_extreme(
    X: list[Any], n: Any, measures: Any, order: Any = None, dual: Any = None, **more: Any
) -> JsonObject:
    """Return a problem of version 3, without the field 'order' if that is "absent"."""
    kernel = {"family": "orthogonal", "n": n, "measures": measures}
    kernel |= {} if order == "absent" else {"order": order}
    problem = problem_version_2(X, n, measures, dual, **more) | {"schema": PROBLEM_SCHEMA_3, "kernel": kernel}
    return {key: x for key, x in problem.items() if key not in ("n", "measures")}


# Formulas from given dual variables: polynomials of high degree, far points, extreme parameters.

INSIDE = rows("-1 -0.7 1/3 0.1 1 -0.9")
_FAR = rows("-7.3 8 1/3 -3.1 0 4.4 -5.5")
FROM_ZERO = rows("0 1/3 8.7 14.2 25 40 3.3")
PLANE = rows("-1 -0.7 1/3 0.1 1", "0.3 -1 0.99 -2/3 0.6")

_JACOBI = [
    problem_version_1(INSIDE, 20, "0", "0", True),
    problem_version_1(INSIDE, 6, "20", "-0.99", True),
    problem_version_1(INSIDE, 6, "-0.99", "12.5", True),
    problem_version_1(INSIDE, 7, "-0.99", "-0.95", True),
    problem_version_1(INSIDE, 5, "-0.3", "-0.6", True),
    problem_version_1(INSIDE, 9, "-0.5", "-0.5", True),
    problem_version_2(PLANE, [3, 10], [jacobi("7", "3"), jacobi("1/3", "-1/3")], True),
    problem_version_1(INSIDE, 6, "1.5", "8", C="10"),
]
FAMILY_OF_HERMITE = [
    problem_version_2(_FAR, 5, HERMITE, True),
    problem_version_2(_FAR, 12, HERMITE, True),
    problem_version_2(rows("-2.4 -3.1 2.7 0.1 3.5 1/3", "7 0 -6.1 1/7 -3 2"), [3, 2], HERMITE, True),
    problem_version_2(rows("-3.4 0.3 4.1 -2.2 1.3 -4.6"), 6, HERMITE, C="10"),
    problem_version_2(rows("6.2 -6.6 0.1 -1.3 1.9"), 3, HERMITE, C="1/4"),
]
FAMILY_OF_LAGUERRE = [
    problem_version_2(FROM_ZERO, 5, laguerre("0"), True),
    problem_version_2(FROM_ZERO, 11, laguerre("0.3"), True),
    problem_version_2(FROM_ZERO, 4, laguerre("-0.99"), True),
    problem_version_2(FROM_ZERO, 4, laguerre("20"), True),
    problem_version_2(FROM_ZERO, 6, laguerre("-0.6"), True),
    problem_version_2(
        rows("0 1/3 8.7 14.2 25", "7.1 0 3 11 1/7"), [2, 3], [laguerre("7.25"), laguerre("1/3")], True
    ),
    problem_version_2(rows("0.2 9.1 3.3 17.4 6.6 12"), 4, laguerre("3.7"), C="10"),
    problem_version_2(rows("0 11.1 3.3 7.4 1.6"), 2, laguerre("-0.95"), C="1/4"),
]
UNSORTED = ["3", "-1", "0.5", "2", "-1/3"], ["1/2", "4", "1", "1/4", "3"]
_SMALL = ["2", "0.01", "-1.5", "3.5", "1"], ["1", "5e-4", "1e-6", "2", "1/3"]
_MANY = ["7", "-3", "0", "1/3", "5.5", "-1", "12", "2.2", "9", "-5", "4", "10.1"]
SEVENTHS = [f"{2 * i - 11}/7" for i in range(12)]
FAMILY_OF_DISCRETE = [
    problem_version_2(rows("0.3 -1.1 2 1/7 4"), 3, discrete(*UNSORTED), True),
    problem_version_2(rows("0.3 -1.1 2 1/7 4"), 4, discrete(UNSORTED[0]), True),
    problem_version_2(rows("0.3 -1.1 2 1/7 4"), 4, discrete(*_SMALL), True),
    problem_version_2(
        rows("0.111 -1.234 2 1/7 4"),
        3,
        discrete(["0", "0.004", "1/3", "1.111", "-2.7"], ["1", "900", "1/7", "3", "20"]),
        True,
    ),
    problem_version_2(rows("0.3 -6.1 12 1/7 4"), 5, discrete(_MANY), True),
    problem_version_2(
        rows("0.3 -1.1 1.5 1/7 1"), 11, discrete(SEVENTHS, ["1", "2", "1/3", "4", "0.1", "3"] * 2), True
    ),
    problem_version_2(
        rows("0.3 -1 2 1/7 4", "1 1/2 -0.3 0 2"), [0, 2], [discrete(["7"]), discrete(*UNSORTED)], True
    ),
    problem_version_2(rows("0.3 -1.1 2 1/7 4 3"), 3, discrete(*UNSORTED), C="10"),
    problem_version_2(rows("0.3 -1.1 2 1/7 4 3"), 2, discrete(["2", "-1", "1/2", "3"]), C="2"),
    problem_version_2(
        rows("0.3 -1.1 2 1/7 4"), 3, discrete([f"{(11 * i) % 30 - 15}/7" for i in range(30)]), True
    ),
]

# Forms of numbers, defaults, lists.

FORMS = [
    problem_version_1(
        [[0.5], ["0x1.8p-2"], ["-3/7"], [-1], ["7e-1"], ["-0x1.4p-3"]],
        2,
        0.25,
        "0x1.8p+0",
        [1, "0x1.cp-1", "2.5e-1", "3/7", 0.3, "12E-2"],
    ),
    problem_version_1(
        [[0.5], ["0x1.8p-2"], ["-3/7"], [-1], ["7e-1"], ["-0x1.4p-3"]], 2, "5e-1", 2, C="0x1.8p+2"
    ),
    problem_version_2(
        [[0.1, "1e0"], ["0x1.8p0", "2.5E+0"], [-2, "0"], ["-1/3", 7], [1, "31e-1"]],
        2,
        [HERMITE, laguerre("25e-2")],
        C=[2, "0x1.8p+1", "15e-1", 0.75, "7/3"],
    ),
    problem_version_2(
        [[0.1], ["0x1.8p0"], [-2], ["-1/3"], [1]],
        2,
        discrete([0, 1.5, "-2e0", "0x1.4p+1"], [2, "5e-1", 0.25, "0x1.8p-1"]),
        C=3,
    ),
]
LINE, SQUARE = rows("-0.9 0.2 0.5 -0.3 0.8 -0.6"), rows("-0.9 0.2 0.5 -0.3 0.8", "0.1 -0.6 0.7 0.9 -0.2")
TWICE = [["0.2", "0.3"], ["-0.4", "0.6"], ["0.2", "0.3"], ["0.9", "-0.5"]]
DEFAULTS = [
    problem_version_1(TWICE, 1, "0", "0", y=[1, -1, -1, 1]),
    problem_version_1([["0.4"], ["-0.3"], ["0.4"], ["0.1"]], 2, "1/2", "0", y=[1, -1, -1, 1]),
    problem_version_1(SQUARE, 1, "0", "1/2", True),
    problem_version_2(TWICE, 1, HERMITE, y=[1, -1, -1, 1]),
    problem_version_2(rows("0.3 -1.1 2 0.3 4"), 2, discrete(UNSORTED[0]), y=[1, -1, -1, -1, 1]),
]
LISTS = [
    problem_version_2(LINE, [3], [jacobi("1/2", "0")], True, C=["2"] * 6),
    problem_version_2(SQUARE, [2, 2], [jacobi("1/2", "0")] * 2, C=["2"] * 5, rescale=False),
    problem_version_2(rows("0.3 1.1 2 0.3 4", "1 0 2.5 1/3 0.7", "2 1 0 1/7 3"), 1, laguerre("1/2"), True),
    problem_version_2(
        rows("0.3 -1.1 2 0.3 4", "1 0 2.5 1/3 0.7"), 2, discrete(UNSORTED[0], UNSORTED[1]), C="1/2"
    ),
    problem_version_2(SQUARE, [0, 3], jacobi("0", "1/3"), True),
]

# Rescaling, many coordinates, extreme C, equal points.

RESCALED = [
    problem_version_1(rows("-30.5 -2 -11.1 -7 -19"), 3, "1/2", "0", True, rescale=True),
    problem_version_1(rows("0.1 0.2 -0.05 0.15 0"), 3, "1/2", "1/3", True, rescale=True),
    problem_version_1(rows("5.0001 5.0002 5.00015 5.00011 5.0004"), 2, "0", "1/3", True, rescale=True),
    problem_version_1(
        rows("1000000.5078125 1000000.2578125 1000000.1171875 1000000 1000000.703125"),
        2,
        "0",
        "1/3",
        True,
        rescale=True,
    ),
    problem_version_1(
        rows("-3 4 0.5 9 1", "100 -20 3 7 55"), 2, "0", "1/2", ["0", "1/3", "2", "0", "0.7"], rescale=True
    ),
    problem_version_1(rows("-30.5 12 -1.1 7 -19 3"), 3, "0", "1", C="10", rescale=True),
    problem_version_2(
        rows("0.1 0.2 -0.05 0.15 0", "3 1/3 0 2 5"),
        2,
        [jacobi("0", "1"), laguerre("1/3")],
        C="4",
        rescale=True,
    ),
]
_WIDE = [
    problem_version_1(
        rows("-0.9 0.2 0.5 -0.3", "0.1 -0.6 0.7 0.9", "0.3 0.8 -0.2 -1", "1/3 -0.1 0.6 -0.4"),
        1,
        "1/2",
        "0",
        True,
    ),
    problem_version_1(
        rows("-0.9 0.2 0.5", "0.1 -0.6 0.7", "0.3 0.8 -0.2", "1/3 -0.1 0.6", "-0.8 0.4 0.9"),
        1,
        "0",
        "1/3",
        True,
    ),
    problem_version_2(
        rows(*["-0.9 0.2 0.5 -0.3", "0.1 -0.6 0.7 0.9"] * 5, "0.3 0.8 -0.2 1"),
        [0, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1],
        HERMITE,
        True,
    ),
    problem_version_1(
        rows("-0.9 0.2 0.5 -0.3 0.8", "0.1 -0.6 0.7 0.9 -0.2", "0.3 0.8 -0.2 -1 0.5", "1/3 -0.1 0.6 -0.4 0"),
        1,
        "0",
        "0",
        C="10",
    ),
    problem_version_1(
        [[f"{(7 * i) % 24 - 12}/12", f"{(5 * i * i) % 23 - 11}/11"] for i in range(24)],
        2,
        "0",
        "1/2",
        C="1",
        y=[1, -1, -1] * 8,
    ),
]
CROSSED = rows("-0.8 -0.2 0.1 0.7 0.9"), [-1, 1, -1, 1, 1]  # no threshold separates them
APART = rows("0.4 -0.3 -0.7 0.1 0.8")
# Small weights: kernel values of about 100, so that a small C is not negligible.
LIGHT = discrete(["2", "-1", "0", "1"], ["1/400", "1/300", "1/400", "1/500"])
BOUNDS = [
    problem_version_1(CROSSED[0], 1, "20", "0", C="1000", y=CROSSED[1]),
    problem_version_1(CROSSED[0], 1, "20", "0", C="100000", y=CROSSED[1]),
    problem_version_2(rows("0.4 -0.3 0.7 0.1"), 2, LIGHT, C="1e-6", y=[1, -1, 1, -1]),
    problem_version_2(CROSSED[0], 1, jacobi("0", "0"), C=["300", "1/4", "200", "2", "0.02"], y=CROSSED[1]),
    problem_version_2(APART, 1, jacobi("0", "1"), C=["1e-4", "1/4", "2", "1/2", "1e-4"]),
    problem_version_2(
        rows("0.4 -0.3 0.7 0.1"), 1, LIGHT, C=["3e-6", "1e-6", "1e-6", "3e-6"], y=[1, -1, 1, -1]
    ),
    problem_version_1(rows("0.9 -0.3 -0.7 0.1 0.5 -0.5"), 1, "1/2", "0", C="1/8", y=[1, -1, -1, -1, -1, -1]),
]
ALIKE, OPPOSED = [1, -1, 1, -1, -1], [1, -1, -1, -1, 1]  # labels of two equal points, the first and the third
LARGER, SMALLER = ["1/4", "1", "2", "1/2", "3"], ["2", "1", "1/4", "1/2", "3"]  # C of the third point
AGAIN = rows("0.4 -0.3 0.4 0.1 -0.2"), rows("0.4 -0.3 0.4 0.1 0.8")
EQUAL = [
    problem_version_2(AGAIN[0], 1, jacobi("0", "0"), C=LARGER, y=ALIKE),
    problem_version_2(AGAIN[0], 1, jacobi("0", "0"), C=SMALLER, y=ALIKE),
    problem_version_2(AGAIN[1], 1, jacobi("0", "0"), C=LARGER, y=OPPOSED),
    problem_version_2(AGAIN[1], 2, jacobi("1/2", "0"), C=SMALLER, y=OPPOSED),
    problem_version_2(
        rows("1.4 -0.3 1.4 1.4 0.8 -2"),
        2,
        HERMITE,
        C=["0.3", "1", "0.1", "0.2", "3", "1/2"],
        y=[1, -1, 1, 1, -1, 1],
    ),
    problem_version_1(AGAIN[0], 1, "0", "0", True, y=ALIKE),
    problem_version_1(AGAIN[1], 2, "0", "0", True, y=OPPOSED),
]

# Sizes of the dual variables; N* and T_eps.

SIZES = [
    problem_version_1(SQUARE, 2, "0", "1/2", MIXED_SIZES[:5]),
    problem_version_1(SQUARE, 1, "0", "1/2", ["1e-9", "3e-9", "2e-10", "7e-9", "1/3000000000"]),
    problem_version_1(LINE, 3, "1/2", "0", ["1e-5", "3e-6", "2e-5", "7e-6", "1/300000", "4e-6"]),
    problem_version_1(SQUARE, 1, "0", "1/2", ["1e9", "3e9", "2e8", "7e9", "1000000000/3"]),
    problem_version_2(
        rows("0.3 -1.1 2 1/7 4", "1 0 2.5 1/3 0.7"), 2, [HERMITE, laguerre("1/3")], MIXED_SIZES[:5]
    ),
    problem_version_1(SQUARE, 1, "0", "1/2", ["0"] * 5),
]


def four(x: int, sums: Sequence[int]) -> JsonObject:
    """Return a problem with given sums S, S_1, S_2, S_12 of s, s x_1, s x_2, s x_1 x_2.

    The points are (+-1/x, +-1/x), Chebyshev, d = 2, n = 1. The shares of the modes (0, 0), (1, 0), (0, 1) and
    (1, 1) are proportional to S^2, 2 S_1^2, 2 S_2^2 and 4 S_12^2.
    """
    signs = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
    S, first, second, both = sums[0], sums[1] * x, sums[2] * x, sums[3] * x * x
    s = [S + i * first + j * second + i * j * both for i, j in signs]
    X = [[f"{i}/{x}", f"{j}/{x}"] for i, j in signs]
    dual = [f"{abs(value)}/4" for value in s]
    return problem_version_1(X, 1, "-1/2", "-1/2", dual, y=[1 if value > 0 else -1 for value in s])


def pair(sigma: str, x: str = "5/8") -> JsonObject:
    """Return a problem with OKC_2/OKC_1 = 4 sigma^2: Chebyshev, n = 2, points x and sigma - x."""
    return problem_version_1([[x], [str(QQ(sigma) - QQ(x))]], 2, "-1/2", "-1/2", ["1/3", "1/3"])


THRESHOLDS = {
    **{f"F(1) = 19/20 (x = 1/{x})": four(x, (6, 4, 2, 1)) for x in (2, 4, 3)},
    **{f"F(1) = 99/100 (x = 1/{x})": four(x, (6, 12, 6, 1)) for x in (2, 4, 3)},
    "F(1) just below 0.9": pair("0.1668"),
    "F(1) just below 0.95": pair("0.1149"),
    "F(1) just below 0.99": pair("0.0505"),
    "OKC_1 just below OKC_2": pair("0.504"),
    "OKC_0 above 0.99": four(32, (20, 1, 0, 0)),
}
_THIRTY = [[f"{(7 * i + 5 * j + i * j * j) % 19 - 9}/9" for j in range(30)] for i in range(5)]
_CUBE = rows("-0.9 0.2 0.5 -0.3 0.8 0.6", "0.1 -0.6 0.7 0.9 -0.2 -1", "0.3 0.8 -0.2 -1 0.5 1/3")
_BINARY = rows("0 1 1 0 1 0", "0.3 -1.1 2 1/7 1.5 -0.4", "0.1 -0.6 0.7 0.9 -0.2 -1")
_COIN, _LEGENDRE = discrete(["0", "1"], ["3/10", "7/10"]), jacobi("0", "0")
ORDER_EXTREMES = {
    "30 columns, additive": order_extreme(_THIRTY[:4], 1, _LEGENDRE, 1, True),
    "30 columns, interactions of two": order_extreme(_THIRTY[:4], 1, _LEGENDRE, 2, True),
    "30 columns, solved": order_extreme(_THIRTY, 1, jacobi("1/2", "0"), 1, C="1e9"),
    "columns of degree 0": order_extreme(
        rows(*["-0.9 0.2 0.5 -0.3", "0.1 -0.6 0.7 0.9"] * 3), [0, 2, 0, 1, 0, 1], HERMITE, 1, True
    ),
    "an order that excludes nothing": order_extreme(_CUBE, [2, 0, 1], jacobi("0", "1/3"), 2, True),
    "order null": order_extreme(_CUBE, 1, jacobi("0", "1/3"), None, True),
    "order absent": order_extreme(SQUARE, [1, 2], [jacobi("0", "1/3"), HERMITE], "absent", C="3"),
    "order d": order_extreme(SQUARE, 2, HERMITE, 2, True),
    "order 1 of one column": order_extreme(LINE, 3, jacobi("1/2", "0"), 1, C="2"),
    "high degree, additive": order_extreme(PLANE, 12, [_LEGENDRE, jacobi("1/3", "2")], 1, True),
    "a 0/1 column": order_extreme(_BINARY, [1, 2, 1], [_COIN, HERMITE, jacobi("1/2", "0")], 2, True),
    "a 0/1 column, solved": order_extreme(
        _BINARY, [1, 2, 2], [_COIN, HERMITE, _LEGENDRE], 1, C=["3", "1/4", "1", "2", "1/2", "5"]
    ),
    "far points, rescaled": order_extreme(
        rows("-7.3 8 1/3 -3.1 0", "0 1/3 8.7 14.2 25", "100 -20 3 7 55", "5.1 5.3 5.2 5.9 5.7"),
        [3, 2, 2, 1], [HERMITE, laguerre("1/3"), jacobi("0", "1/2"), _LEGENDRE], 2, True, rescale=True,
    ),
    "forms of a number": order_extreme(
        [[0.5, 1, "0x1.8p-2"], ["0x1.8p-2", 0, "-3/7"], ["-3/7", 1, "7e-1"], [-1, 0, 0.25]],
        2, [jacobi(0.25, "0x1.8p+0"), discrete([0, 1, "5e-1"]), _LEGENDRE], 2,
        [1, "0x1.cp-1", "2.5e-1", "3/7"],
    ),
    "sizes of dual variables": order_extreme(_CUBE, 2, jacobi("-0.6", "3"), 2, MIXED_SIZES[:6]),
    "more points than modes": order_extreme(
        rows("-0.9 0.2 0.5 -0.3 0.8 -0.6", "0.1 -0.6 0.7 0.9 -0.2 0.4"), 1, _LEGENDRE, 1, C="10"
    ),
    "XOR, additive: w = 0": order_extreme(
        rows("0.5 -0.5 0.5 -0.5", "0.5 -0.5 -0.5 0.5"), 1, _LEGENDRE, 1, C="10", y=[1, 1, -1, -1]
    ),
}  # fmt: skip
EXTREMES: dict[str, list[JsonObject] | dict[str, JsonObject]] = {  # lists, or dicts by comment
    "extremes of jacobi": _JACOBI,
    "extremes of hermite": FAMILY_OF_HERMITE,
    "extremes of laguerre": FAMILY_OF_LAGUERRE,
    "extremes of discrete": FAMILY_OF_DISCRETE,
    "forms of a number": FORMS,
    "defaults": DEFAULTS,
    "lists of one, one for all": LISTS,
    "rescaling, extremes": RESCALED,
    "many coordinates, many points": _WIDE,
    "extremes of C": BOUNDS,
    "equal points, weighted": EQUAL,
    "extremes of dual variables": SIZES,
    "N* and T_eps, close": THRESHOLDS,
    "order limits, extremes": ORDER_EXTREMES,
}
