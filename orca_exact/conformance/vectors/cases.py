"""The problems of the conformance vectors, in groups.

They are deterministic: each group has a seed, and only ``Random.random`` is used, whose values Python
guarantees to keep.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from random import Random
from typing import Any

from ...files.formats import JsonObject
from ...kernels.orthogonal import OrthogonalPolynomials
from ...measures.families import FAMILIES, Discrete, Hermite, Laguerre
from ...measures.jacobi import Jacobi
from ...measures.measure import Measure
from ...numbers.rationals import QQ
from ...problem import Problem
from .extremes import EXTREMES
from .standard_cases import STANDARD

Case = tuple[
    str, Problem | JsonObject, list[Any] | None
]  # comment, problem (or its JSON), given dual variables
ColumnMaker = Callable[[Random, int], tuple[list[str], Measure]]  # a column of m values, and its measure
WEIGHTS = [
    (0, 0),
    ("1/2", "0"),
    ("2", "0"),
    ("4.3", "1.8"),
    ("-1/2", "1/2"),
    ("-0.9", "3"),
    ("1/3", "5/4"),
    ("0", "1"),
]


def random_below(random: Random, n: int) -> int:
    """Return one of 0 ... n-1."""
    return int(random.random() * n)


def random_point(random: Random, d: int, steps: int = 64) -> list[str]:
    """Return a point in (-1, 1)^d with dyadic coordinates, which are exact in every arithmetic."""
    return [str((2 * random_below(random, steps) + 1 - steps) / steps) for _ in range(d)]


def random_labels(random: Random, m: int) -> list[int]:
    """Return labels with both classes."""
    y = [1 if random.random() < 0.5 else -1 for _ in range(m)]
    return [*y[:-2], 1, -1]


def random_problem(
    random: Random, weight: tuple[Any, Any], d: int = 0, n: int = 0, m: int = 0, C: str = "",
    X: Sequence[Any] = (), y: Sequence[int] = (), rescale: bool = False,
) -> Problem:  # fmt: skip
    """Return a problem with a Jacobi weight (alpha, beta) and random values for what is not given."""
    d = d or 1 + random_below(random, 3)
    n = n or 1 + random_below(random, 4 if d < 3 else 3)
    m = m or 4 + random_below(random, 5)
    C = C or ("1", "10", "0.25")[random_below(random, 3)]
    X = X or [random_point(random, d) for _ in range(m)]
    y = y or random_labels(random, len(X))
    return Problem(X, y, n, *weight, C=C, rescale=rescale)


def from_seed(
    seed: int | str, count: int, make_one: Callable[[Random, int], Problem], dual: bool = False
) -> Iterator[Case]:
    """Yield random problems, with random dual variables (not the optimal ones) if ``dual`` is true."""
    random = Random(seed)
    for i in range(count):
        problem = make_one(random, i)
        yield "", problem, [str(random_below(random, 17) / 16) for _ in range(problem.m)] if dual else None


def duplicated(random: Random, i: int) -> Problem:
    """Return a problem with one point twice, with equal or different labels."""
    d = 1 + i % 3
    X = [random_point(random, d) for _ in range(4)]
    y = random_labels(random, 4)
    again = i % 4
    return random_problem(
        random, WEIGHTS[i % 8], d=d, X=[*X, X[again]], y=[*y, y[again] if i % 3 else -y[again]]
    )


def endpoints(random: Random, i: int) -> Problem:
    """Return a problem with coordinates 1 and -1."""
    problem = random_problem(random, WEIGHTS[i % 8])
    X = [list(map(str, row)) for row in problem.X]
    X[0][0], X[1][-1] = "1", "-1"
    return problem.replace(X=X)


def rescaled(random: Random, i: int) -> Problem:
    """Return a problem whose columns have different ranges outside [-1, 1]."""
    d, m = 1 + i % 3, 5 + random_below(random, 4)
    X = [[str(1 + 10 * j + random_below(random, 900) / 8) for j in range(d)] for _ in range(m)]
    return random_problem(random, WEIGHTS[(i + 3) % 8], d=d, X=X, y=random_labels(random, m), rescale=True)


def two_points(sigma: str, count: int) -> Iterator[Case]:
    """Yield problems with points x and sigma - x, Chebyshev, n = 2: OKC_2/OKC_1 = 4 sigma^2 for any C."""
    for i in range(count):
        family = (("-1/2", "-1/2"), ("1/2", "1/2"))[i % 2]
        x = QQ("5/8") + QQ(f"{i}/32")
        X = [[str(x)], [str(QQ(sigma) - x)]]
        C = ("1", "100", "1/8")[i % 3]
        yield f"OKC_2/OKC_1 = 4*({sigma})^2", Problem(X, [1, -1], 2, *family, C=C), None


def given_tie(count: int) -> Iterator[Case]:
    """Yield given dual variables with ties in T_eps or N*.

    For d = 2, n = 1, Chebyshev: S_00 = t S_11 and S_10 = S_01 = 0, so that OKC_0 : OKC_2 = t^2 : 4.
    """
    for i in range(count):
        t, name = ((6, "F(0) = 9/10"), (2, "OKC_0 = OKC_2"))[i % 2]
        family, half = ("-1/2", "-1/2"), ("1/2", "1/4", "1/8")[i // 2 % 3]
        X = [[half, half], [f"-{half}", f"-{half}"], [half, f"-{half}"], [f"-{half}", half]]
        # S_00 = 2 (p - q), S_11 = 2 half^2 (p + q) with labels +, +, -, -
        r = {"1/2": 4, "1/4": 16, "1/8": 64}[half]  # (p - q) r = t (p + q)
        if r > t:
            yield name, Problem(X, [1, 1, -1, -1], 1, *family), [str(r + t)] * 2 + [str(r - t)] * 2


def weighted(random: Random, i: int) -> Problem:
    """Return a problem with a C for each class or for each point, some of them small."""
    problem = random_problem(random, WEIGHTS[i % 8], C="1")
    if i % 3 == 0:
        return problem.replace(C=["8" if label > 0 else "1/2" for label in problem.y])
    first, choice = ("1/8", ("1/4", "1", "3", "10")) if i % 3 == 1 else ("2", ("1/32", "1/16", "3/16", "100"))
    return problem.replace(C=[first, *(choice[random_below(random, 4)] for _ in problem.y[1:])])


def weighted_at_bound(random: Random, i: int) -> Problem:
    """Return a problem with every alpha_i at a bound, and with or without equal sums of C_i by class."""
    C = (["1e-4", "2e-4", "3e-4", "2e-4"], ["3e-4", "1e-4", "1e-4", "2e-4"], ["2e-4", "1e-4", "1e-4", "2e-4"])
    return random_problem(random, WEIGHTS[i], m=4, y=[1, -1, 1, -1], C="1").replace(C=C[i % 3])


def random_column(random: Random, m: int, low: int, high: int) -> list[str]:
    """Return a column of m multiples of 1/4 from low to high."""
    return [str(low + random_below(random, 4 * (high - low) + 1) / 4) for _ in range(m)]


NODES = (([0, 1, 2, 3, 5], [1, 4, 6, 4, 1]), (["-1", "-1/4", "1/2", "3/4", "2"], ["1/2", 1, "1/4", 2, 1]))
_JACOBI = [Jacobi(*family) for family in WEIGHTS[:5]]


def default_column(family: type[Measure]) -> ColumnMaker:
    """Return a maker of columns for any family of measures: points in its domain, and simple parameters."""
    values = {
        name: ["-2", "-1/2", "1", "3"] if rule.get("type") == "array" else "1/2"
        for name, rule in family.fields.items()
        if name not in family.optional
    }
    measure = family(**values)
    low, high = measure.domain
    low = low if low is not None else -2 if high is None else high - 4
    return lambda random, m: (random_column(random, m, low, low + 4 if high is None else high), measure)


COLUMNS: dict[str, ColumnMaker] = {name: default_column(family) for name, family in FAMILIES.items()}
COLUMNS |= {
    "jacobi": lambda r, m: ([random_point(r, 1)[0] for _ in range(m)], _JACOBI[random_below(r, 5)]),
    "hermite": lambda r, m: (random_column(r, m, -2, 2), Hermite()),
    "laguerre": lambda r, m: (
        random_column(r, m, 0, 6),
        Laguerre(("0", "1/2", "2", "-1/2")[random_below(r, 4)]),
    ),
    "discrete": lambda r, m: (random_column(r, m, -1, 3), Discrete(*NODES[random_below(r, 2)])),
    "binary": lambda r, m: (
        ["0", "1", *(str(random_below(r, 2)) for _ in range(m - 2))],
        Discrete(["0", "1"]),
    ),
    "empirical": lambda r, m: (column := random_column(r, m, 0, 4), Discrete.empirical(column)),
}


def random_problem_with_measures(
    random: Random, kinds: Sequence[str], n: int | list[int] = 2, **more: Any
) -> Problem:
    """Return a random problem with a column for each of these keys of ``COLUMNS``."""
    m = 5 + random_below(random, 3)
    columns, measures = zip(*(COLUMNS[kind](random, m) for kind in kinds), strict=True)
    X = [list(row) for row in zip(*columns, strict=True)]
    C = more.pop("C", None) or ("1", "10", "0.25")[random_below(random, 3)]
    return Problem(X, random_labels(random, m), n, measures=measures, C=C, **more)


MIXED = (
    ("jacobi", "hermite"), ("hermite", "laguerre"), ("discrete", "jacobi"), ("laguerre", "empirical"),
    ("jacobi", "hermite", "laguerre"), ("hermite", "discrete", "jacobi"), ("jacobi", "jacobi"),
)  # fmt: skip
_DEGREES = ([3, 1], [1, 2], [1, 3], [0, 2], [2, 1, 1], [1, 0, 2], [1, 3])


def mixed(random: Random, i: int) -> Problem:
    """Return a problem with a measure for each coordinate, every other one to be rescaled."""
    return random_problem_with_measures(random, MIXED[i % 7], rescale=i % 2 == 0)


def by_degree(random: Random, i: int) -> Problem:
    """Return a problem with a degree for each coordinate, every other one with a C for each class."""
    problem = random_problem_with_measures(
        random, ("jacobi",) * 2 if i == 0 else MIXED[i % 7], _DEGREES[i % 7]
    )
    return problem.replace(C=["1/8" if label > 0 else "2" for label in problem.y]) if i % 2 else problem


def limited(random: Random, i: int) -> Problem:
    """Return a problem with a Jacobi weight, 3 to 5 columns and an order of 1, 2 or d-1."""
    d = 3 + i % 3
    n, C = (2, 1, 1)[i % 3] + (i > 7), ("4", "1000", "100")[i // 2 % 3]
    problem = random_problem(random, WEIGHTS[i % 8], d=d, n=n, m=6 + random_below(random, 3), C=C)
    return limit_order(problem, (1, 2, d - 1)[i // 3 % 3])


_LIMITED = (
    ("discrete", "jacobi", "hermite"), ("binary", "jacobi", "jacobi"), ("laguerre", "binary", "hermite"),
    ("binary", "binary", "jacobi", "hermite"), ("jacobi", "empirical", "binary", "laguerre"),
)  # fmt: skip
_LIMITED_DEGREES = ([1, 3, 2], [1, 2, 2], [2, 1, 2], [1, 1, 2, 1], [2, 1, 0, 2])


def limited_measures(random: Random, i: int) -> Problem:
    """Return a problem with a limited order, a measure and a degree for each column, and sometimes more."""
    kinds = _LIMITED[i % 5]
    problem = random_problem_with_measures(random, kinds, _LIMITED_DEGREES[i % 5], rescale=i % 2 == 0)
    if i % 3 == 1:
        problem = problem.replace(C=["1/8" if label > 0 else "2" for label in problem.y])
    return limit_order(problem, (2, 1, len(kinds) - 1)[i % 3])


def limit_order(problem: Problem, order: int) -> Problem:
    """Return the problem with modes of at most this order."""
    n, measures = (problem.polynomials.shared(name) for name in ("n", "measures"))
    return problem.replace(kernel=OrthogonalPolynomials(n, measures, order))


def as_written(cases: list[JsonObject] | dict[str, JsonObject]) -> Iterator[Case]:
    """Yield problems as JSON, which keeps the form of their numbers; the keys of a dict are comments."""
    for comment, case in cases.items() if isinstance(cases, dict) else (("", case) for case in cases):
        yield comment, case, case.get("dual")


def of_family(name: str) -> Iterator[Case]:
    """Yield problems of one family of measures."""
    return from_seed(name, 3, lambda r, i: random_problem_with_measures(r, [name] * (1 + i % 2)))


LEGENDRE, CHEBYSHEV = (0, 0), ("-1/2", "-1/2")
MINUS_ONE = [CHEBYSHEV, ("-1/4", "-3/4"), ("-1/3", "-2/3"), ("-4/5", "-1/5")]
GROUPS: dict[str, Callable[[], Iterator[Case]]] = {
    "legendre": lambda: from_seed(1, 40, lambda r, i: random_problem(r, LEGENDRE)),
    "jacobi": lambda: from_seed(2, 56, lambda r, i: random_problem(r, WEIGHTS[i % 8])),
    "alpha + beta = -1": lambda: from_seed(3, 24, lambda r, i: random_problem(r, MINUS_ONE[i % 4])),
    "endpoints": lambda: from_seed(4, 20, endpoints),
    "n = 0": lambda: from_seed(5, 4, lambda r, i: random_problem(r, WEIGHTS[i]).replace(n=0)),
    "n = 1": lambda: from_seed(6, 14, lambda r, i: random_problem(r, WEIGHTS[i % 8], n=1)),
    "d = 1": lambda: from_seed(7, 16, lambda r, i: random_problem(r, WEIGHTS[i % 8], d=1)),
    "three coordinates": lambda: from_seed(8, 16, lambda r, i: random_problem(r, WEIGHTS[i % 8], d=3, n=2)),
    "duplicated points": lambda: from_seed(9, 18, duplicated),
    "more points than modes": lambda: from_seed(
        10, 10, lambda r, i: random_problem(r, WEIGHTS[i % 8], d=1, n=2, m=8)
    ),
    "hard margin": lambda: from_seed(
        11, 14, lambda r, i: random_problem(r, WEIGHTS[i % 8], n=4, m=5, C="1e6")
    ),
    "all at bound": lambda: from_seed(
        12, 14, lambda r, i: random_problem(r, WEIGHTS[i % 8], m=4, y=[1, -1, 1, -1], C="1e-4")
    ),
    "rescaling": lambda: from_seed(13, 24, rescaled),
    "tie in N*": lambda: two_points("1/2", 8),
    "T_eps on the threshold": lambda: two_points("1/6", 12),
    "given dual variables": lambda: from_seed(
        14, 24, lambda r, i: random_problem(r, WEIGHTS[i % 8]), dual=True
    ),
    "given dual variables, n = 0": lambda: from_seed(
        15, 4, lambda r, i: random_problem(r, WEIGHTS[i]).replace(n=0), dual=True
    ),
    "given dual variables, ties": lambda: given_tie(6),
    "weighted": lambda: from_seed(16, 12, weighted),
    "weighted, all at bound": lambda: from_seed(17, 3, weighted_at_bound),
    "hermite": lambda: from_seed(
        18, 3, lambda r, i: random_problem_with_measures(r, ["hermite"] * (1 + i % 2), 2 + i)
    ),
    "laguerre": lambda: from_seed(
        19, 3, lambda r, i: random_problem_with_measures(r, ["laguerre"] * (1 + i % 2), 2 + i % 2)
    ),
    "discrete": lambda: from_seed(
        20, 3, lambda r, i: random_problem_with_measures(r, ["discrete"] * (1 + i % 2), 2 + i)
    ),
    "empirical measure": lambda: from_seed(
        21, 3, lambda r, i: random_problem_with_measures(r, ["empirical"] * (1 + i % 2))
    ),
    "mixed measures": lambda: from_seed(22, 7, mixed),
    "degrees by coordinate": lambda: from_seed(23, 5, by_degree),
    "given dual variables, measures": lambda: from_seed(
        24, 5, lambda r, i: (mixed, by_degree)[i % 2](r, i), dual=True
    ),
}  # fmt: skip
GROUPS |= {name: partial(as_written, cases) for name, cases in EXTREMES.items()}
# The numbers of the vectors above must not change: a new family of measures is appended.
GROUPS |= {name: partial(of_family, name) for name in FAMILIES if name not in GROUPS}
GROUPS |= {
    "order limits": lambda: from_seed(25, 12, limited),
    "order limits, measures": lambda: from_seed(26, 10, limited_measures),
    "order limits, given dual variables": lambda: from_seed(
        27, 8, lambda r, i: (limited, limited_measures)[i % 2](r, i + 3), dual=True
    ),
    "order 1 of one column": lambda: from_seed(
        28, 3, lambda r, i: limit_order(random_problem(r, WEIGHTS[i], d=1), 1)
    ),
}  # fmt: skip
GROUPS |= {name: partial(as_written, cases) for name, cases in STANDARD.items()}
