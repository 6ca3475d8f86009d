"""Random small problems of every kind that the library accepts, each with the oracle's model of it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

from orca_exact import (
    RBF,
    Discrete,
    Empirical,
    Hermite,
    Jacobi,
    Laguerre,
    Linear,
    Normal,
    OrthogonalPolynomials,
    Polynomial,
    Problem,
    Uniform,
)

from .models import Model
from .moments import Distribution, discrete

Q = Fraction
KINDS = (
    "jacobi",
    "jacobi by column",
    "hermite",
    "laguerre",
    "discrete",
    "mixed measures",
    "limited order",
    "linear",
    "polynomial",
    "rbf empirical",
    "rbf uniform",
    "rbf normal",
    "rbf discrete",
)
TWISTS = (
    "plain",
    "grid",
    "duplicates",
    "contradiction",
    "collinear",
    "rare class",
    "ends",
    "cancelling",
    "far",
)
JACOBI = [
    *(("0", "0"), ("1/2", "0"), ("-1/2", "-1/2"), ("1/2", "1/2"), ("1", "0"), ("2", "1"), ("-1/2", "1/2")),
    *(
        ("1/3", "-1/3"),
        ("1/4", "3/4"),
        ("-9/10", "0"),
        ("4.3", "1.8"),
        ("-1/3", "2/3"),
        ("0", "-1/2"),
        ("7/2", "5"),
    ),
]
LAGUERRE = ["0", "1/2", "-1/2", "2", "1/3", "5/2", "-3/4"]


@dataclass(frozen=True)
class Drawn:
    """A problem for the library, and the same for the oracle."""

    seed: int
    kind: str
    twist: str
    problem: Problem
    model: Model
    C: list[Fraction]

    @property
    def label(self) -> str:
        return f"seed {self.seed} ({self.kind}, {self.twist})"


def measure_of(random: Random, family: str) -> tuple[Any, Distribution]:
    """Draw a measure of one family, for the library and for the oracle."""
    if family == "jacobi":
        alpha, beta = random.choice(JACOBI)
        return Jacobi(alpha, beta), Distribution("jacobi", (Q(alpha), Q(beta)))
    if family == "hermite":
        return Hermite(), Distribution("hermite")
    if family == "laguerre":
        alpha = random.choice(LAGUERRE)
        return Laguerre(alpha), Distribution("laguerre", (Q(alpha),))
    nodes = [Q(k, random.choice((1, 2, 3))) for k in random.sample(range(-6, 7), random.randint(4, 6))]
    nodes = list(dict.fromkeys(nodes))
    while len(nodes) < 4:
        nodes.append(max(nodes) + 1)
    weights = [Q(random.randint(1, 5), random.choice((1, 4))) for _ in nodes]
    if random.random() < 0.3:
        weights = [Q(1, len(nodes))] * len(nodes)
        return Discrete(map(str, nodes)), discrete(nodes, weights)
    return (
        Discrete(map(str, nodes), map(str, weights)),
        discrete(nodes, weights),
    )


def index_measure(random: Random, family: str, column: list[Fraction]) -> tuple[Any, Distribution]:
    """Draw a measure of the indices for a kernel that has none of its own."""
    if family == "empirical":
        return Empirical(), discrete(column, [Q(1, len(column))] * len(column))
    if family == "range":
        return Uniform(), Distribution("uniform", (min(column), max(column)))
    if family == "uniform":
        lower = Q(random.randint(-8, 4), 4)
        upper = lower + Q(random.randint(1, 10), 4)
        return Uniform(str(lower), str(upper)), Distribution("uniform", (lower, upper))
    if family == "normal":
        mean, sd = Q(random.randint(-4, 4), 4), Q(random.randint(1, 8), 5)
        return Normal(str(mean), str(sd)), Distribution("normal", (mean, sd))
    return measure_of(random, family)


def draw_number(random: Random, style: str, low: Fraction, high: Fraction) -> Any:
    """Draw a coordinate as a text, an integer or a float."""
    if style == "grid":
        k = random.randint(int(low * 2), int(high * 2))
        return random.choice((f"{k}/2", k / 2, str(Q(k, 2))))
    t = Q(random.randint(0, 200), 200)
    x = low + t * (high - low)
    if style == "float":
        return float(x)
    return f"{float(x):.2f}" if style == "decimal" else str(x)


def draw_points(
    random: Random, twist: str, m: int, ranges: list[tuple[Fraction, Fraction]]
) -> list[list[Any]]:
    """Draw the points of a problem."""
    style = "grid" if twist == "grid" else random.choice(("decimal", "fraction", "float", "decimal"))
    X = [[draw_number(random, style, *r) for r in ranges] for _ in range(m)]
    if twist == "ends":
        X = [
            [random.choice((str(r[0]), str(r[1]), x)) for r, x in zip(ranges, row, strict=True)] for row in X
        ]
    if twist == "collinear":
        start, end = [Q(x) for x in X[0]], [Q(x) for x in X[1]]
        for i in range(2, m):
            t = Q(random.randint(0, 8), 8)
            X[i] = [str(p + t * (q - p)) for p, q in zip(start, end, strict=True)]
    if twist == "duplicates":
        for i in range(1, m):
            if random.random() < 0.5:
                X[i] = list(X[random.randrange(i)])
    if twist == "contradiction":  # the first two points have different labels
        X[1] = list(X[0])
    if twist == "cancelling":
        for i in range(1, m, 2):
            X[i] = list(X[i - 1])
    return X


def draw_labels(random: Random, twist: str, m: int) -> list[int]:
    """Draw labels of both classes."""
    if twist == "cancelling":
        return [1 if i % 2 else -1 for i in range(m)]
    if twist == "rare class":
        return [-1 if i == 1 else 1 for i in range(m)]
    y = [random.choice((1, -1)) for _ in range(m)]
    y[0], y[1] = 1, -1
    return y


def draw_kernel(random: Random, kind: str, d: int, points: list[list[Fraction]]) -> tuple[dict, tuple, list]:
    """Draw the kernel: arguments of ``Problem``, and the oracle's kernel and measures of the indices."""
    columns = [list(column) for column in zip(*points, strict=True)]
    if kind in ("linear", "polynomial") or kind.startswith("rbf"):
        if kind.startswith("rbf"):
            gamma = Q(random.choice(("1/100", "1/10", "1/3", "1", "2", "5/2", "6")))
            library: Any = RBF(str(gamma))
            ours: tuple = ("rbf", gamma)
            families = {"empirical": ["empirical"], "uniform": ["range", "uniform"], "normal": ["normal"]}
            allowed = families.get(kind.removeprefix("rbf "), ["discrete", "empirical", "normal", "uniform"])
        else:
            allowed = ["empirical", "range", "uniform", "normal", "jacobi", "hermite", "laguerre", "discrete"]
            if kind == "linear":
                library, ours = Linear(), ("polynomial", 1, Q(1), Q(0))
            else:
                degree = random.randint(1, 3 if d < 3 else 2)
                gamma, coef0 = Q(random.choice(("1/3", "1", "1/2"))), Q(random.choice(("0", "1", "1/4")))
                library = Polynomial(degree, str(gamma), str(coef0))
                ours = ("polynomial", degree, gamma, coef0)
        if random.random() < 0.6:  # the same family for all columns
            allowed = [random.choice(allowed)]
        one = [index_measure(random, random.choice(allowed), column) for column in columns]
        if allowed == ["empirical"] and random.random() < 0.5:
            under: dict = {}
        elif allowed in (["empirical"], ["range"]):
            under = {"under": one[0][0]}
        else:
            under = {"under": [a for a, _ in one]}
        return {"kernel": library, **under}, ours, [b for _, b in one]
    families = {
        "jacobi": ["jacobi"],
        "jacobi by column": ["jacobi"],
        "hermite": ["hermite"],
        "laguerre": ["laguerre"],
        "discrete": ["discrete"],
    }.get(kind, ["jacobi", "hermite", "laguerre", "discrete"])
    if kind == "jacobi":
        measures, degrees = [measure_of(random, "jacobi")] * d, [random.randint(1, 4 if d < 3 else 2)] * d
    else:
        measures = [measure_of(random, random.choice(families)) for _ in range(d)]
        degrees = [random.randint(0 if d > 1 else 1, 3 if d < 3 else 2) for _ in range(d)]
    library_measures, distributions = [a for a, _ in measures], [b for _, b in measures]
    order = random.randint(1, d) if kind == "limited order" else d
    if kind == "limited order":
        arguments: dict = {"kernel": OrthogonalPolynomials(degrees, library_measures, order=order)}
    elif kind == "jacobi":
        parameters = distributions[0].parameters
        arguments = {"n": degrees[0], "alpha": str(parameters[0]), "beta": str(parameters[1])}
    else:
        arguments = {"n": degrees, "measures": library_measures}
    return arguments, ("orthogonal", degrees, distributions, order), distributions


def draw(seed: int) -> Drawn:
    """Return the problem number ``seed``."""
    random = Random(seed)
    kind = KINDS[seed % len(KINDS)]
    twist = random.choice(TWISTS)
    m = random.randint(2, 7)
    d = random.randint(1, 3)
    if kind == "limited order":
        d = random.randint(2, 4)
    unit = (Q(-1), Q(1))
    inside = unit if twist != "far" or kind in ("jacobi", "jacobi by column") else (Q(-3), Q(5))
    if kind in ("laguerre", "mixed measures", "limited order") or (
        kind == "linear" and random.random() < 0.3
    ):
        inside = (Q(0), Q(1))
        if kind == "laguerre":
            inside = (Q(0), Q(4))
    X = draw_points(random, twist, m, [inside] * d)
    exact = [[Q(x) for x in row] for row in X]
    y = draw_labels(random, twist, m)
    rescale = False
    if kind in ("jacobi", "linear", "polynomial", "rbf empirical") and random.random() < 0.15:
        columns = list(zip(*exact, strict=True))
        if all(min(c) < max(c) for c in columns):
            rescale = True
            exact = [
                [2 * (x - min(c)) / (max(c) - min(c)) - 1 for x, c in zip(row, columns, strict=True)]
                for row in exact
            ]
    arguments, kernel, measures = draw_kernel(random, kind, d, exact)
    if random.random() < 0.25:
        C: Any = [random.choice(("1", "1/2", "3", "0.1", "20")) for _ in range(m)]
        bounds = [Q(c) for c in C]
    else:
        C = random.choice(("1", "1", "1/10", "10", "1/3", "100", "1e-6", "1e6", "7/5"))
        bounds = [Q(C)] * m
    problem = Problem(X, y, C=C, rescale=rescale, id=str(seed), **arguments)
    return Drawn(seed, kind, twist, problem, Model(exact, y, kernel, measures), bounds)
