"""Facts about the records of the echocardiogram data, which claims of section 6.2 use.

Every fact is computed from the records. Where the data are missing, its stored value is used, if that is
allowed (``experiments.stored``). Numbers are integers, rationals or balls.
"""

from __future__ import annotations

from itertools import combinations, product
from math import prod
from typing import Any

from flint import fmpq

from orca_exact.measures.jacobi import Jacobi
from orca_exact.numbers.rationals import QQ
from orca_exact.problem import Problem

from ..experiments import datasets
from ..experiments import optima as experiments
from ..experiments.stored import certified_fact, write_facts
from ..linear_program import least_margin
from .values import ECHO, row_degrees, table

Record = dict[str, str]
PAIRS, TRIPLES = 2, 3  # numbers of variables that a function may depend on

# The file.


def records() -> list[Record]:
    """Return every well-formed record of the file, with '?' for a missing value."""
    lines = datasets.read_file().decode("utf-8", "replace").splitlines()
    rows = [[field.strip() for field in line.split(",")] for line in lines if line.strip()]
    return [
        dict(zip(datasets.COLUMNS, row, strict=True)) for row in rows if len(row) == len(datasets.COLUMNS)
    ]


def paper_columns() -> tuple[str, ...]:
    """Return the variables that the paper uses: the label and five features."""
    return (datasets.LABEL, *datasets.FEATURES)


def every_column() -> tuple[str, ...]:
    """Return all columns except the name."""
    return tuple(c for c in datasets.COLUMNS if c != "name")


def with_survival() -> tuple[str, ...]:
    """Return the paper's variables with survival and one-year survival."""
    return (*paper_columns(), "survival", "alive-at-1")


def complete(columns: tuple[str, ...]) -> int:
    """Count the records that have a value in each of these columns."""
    return sum(all(record[c] != "?" for c in columns) for record in records())


@certified_fact
def complete_counts() -> dict[str, int]:
    """Count the records, those with all values of some columns, and those that the toolkit reads."""
    return {
        "all records": len(records()),
        "label and features": complete(paper_columns()),
        "with survival": complete(with_survival()),
        "every column": complete(every_column()),
        "read": len(datasets.echocardiogram().y),
    }


def labels() -> tuple[int, ...]:
    """Return the labels of the complete records."""
    return datasets.echocardiogram().y


def complete_records() -> list[Record]:
    """Return the records that are complete in every column except the name."""
    return [r for r in records() if all(r[c] != "?" for c in every_column())]


def _median_survival(label: str) -> fmpq:
    """Return the median survival in months of the complete records with this value of still-alive."""
    found = sorted(QQ(r["survival"]) for r in complete_records() if r[datasets.LABEL] == label)
    return (found[len(found) // 2] + found[(len(found) - 1) // 2]) / 2


@certified_fact
def label_counts() -> dict[str, Any]:
    """Count the records with y = +1 and with still-alive = 1; return the median survivals."""
    return {
        "positive": labels().count(1),
        "still alive": sum(r[datasets.LABEL] == "1" for r in complete_records()),
        "median survival": {y: _median_survival(y) for y in ("1", "0")},
    }


@certified_fact
def not_derived() -> int:
    """Count the complete records in which alive-at-1 does not follow from still-alive and survival."""
    return sum(
        int(r["alive-at-1"]) != int(y == 1 and QQ(r["survival"]) < 12)
        for r, y in zip(complete_records(), labels(), strict=True)
    )


# The features.


def first_order(columns: tuple[str, ...]) -> Any:
    """Return OKC^(1) of the classifier on these columns for Legendre, n = 1."""
    X = [[r[c] for c in columns] for r in complete_records()]
    problem = Problem(X, labels(), 1, 0, 0, 1, rescale=True)
    return experiments.certified_index(problem, "order", (1,), digits=15)


@certified_fact
def first_orders() -> dict[str, Any]:
    """Return OKC^(1), Legendre, n = 1, for the five features and with one of them replaced."""
    chosen = tuple(datasets.FEATURES)
    every = [c for c in every_column() if c != datasets.LABEL]
    others = [c for c in combinations(every, 5) if len({*c} & {*chosen}) == 4]
    return {", ".join(columns): first_order(columns) for columns in (chosen, *others)}


@certified_fact
def feature_values() -> dict[str, list]:
    """Return, by feature, the number of different values and whether some are not integers."""
    found = {name: {QQ(r[name]) for r in complete_records()} for name in datasets.FEATURES}
    return {name: [len(values), any(v.q != 1 for v in values)] for name, values in found.items()}


def wall_motion() -> list[tuple[fmpq, fmpq]]:
    """Return the wall-motion score and index of the 61 records."""
    return [(QQ(r["wall-motion-score"]), QQ(r["wall-motion-index"])) for r in complete_records()]


@certified_fact
def without_segments() -> list:
    """Return score and index of the records for which no integer number of segments fits two decimals."""
    return [
        [score, index]
        for score, index in wall_motion()
        if all(abs(score / s - index) > fmpq(5, 1000) for s in range(1, 40))
    ]


@certified_fact
def rescaled_ranges() -> dict[str, list[fmpq]]:
    """Return the least and the largest value of every rescaled feature."""
    X, y = datasets.echocardiogram().X, datasets.echocardiogram().y
    points = Problem(X, y, 1, 0, 0, 1, rescale=True).points
    return {name: [min(points[:, j]), max(points[:, j])] for j, name in enumerate(datasets.FEATURES)}


def rescaled_records() -> set[tuple]:
    """Return the rescaled points of the records with their labels."""
    p = experiments.configuration("echocardiogram", 1)
    return {(*row, y) for row, y in zip(p.points, p.y, strict=True)}


@certified_fact
def opposite_records() -> int:
    """Count the records whose opposite point with the opposite label is a record."""
    found = rescaled_records()
    return sum(tuple(-v for v in r) in found for r in found)


# The classifiers.


@certified_fact
def bound_counts() -> dict[str, list[int]]:
    """Count the support vectors at C in every row of Tables 4 to 6."""
    return {id: [experiments.certified_row(id, n).facts["bound"] for n in row_degrees(id)] for id in ECHO}


def symmetric_problem(n: int, alpha: str, beta: str) -> Problem:
    """Return the records with their antipodes, which have the opposite labels."""
    p = experiments.configuration("echocardiogram", 1)
    points = [list(row) for row in p.points]
    opposite = [[-v for v in row] for row in points]
    return Problem(points + opposite, [*p.y, *(-y for y in p.y)], n, alpha, beta, 1)


@certified_fact
def symmetric_even_masses() -> dict[str, list]:
    """Return the even masses on the records with their antipodes, for the rows of Tables 4 to 6."""
    return {
        id: [
            experiments.certified_index(symmetric_problem(n, table(id)["alpha"], table(id)["beta"]), "even")
            for n in row_degrees(id)
        ]
        for id in ECHO
    }


# Functions of few variables.


def signed_functions(order: int, n: int) -> list[list[fmpq]]:
    """Return y times the Legendre products of degree <= n in at most ``order`` variables, by record."""
    p = experiments.configuration("echocardiogram", 1)
    modes = [k for k in product(range(n + 1), repeat=5) if sum(map(bool, k)) <= order]
    values = [[Jacobi(0, 0).monic(n, x) for x in row] for row in p.points]
    return [
        [y * prod((v[j][degree] for j, degree in enumerate(k)), start=fmpq(1)) for k in modes]
        for y, v in zip(p.y, values, strict=True)
    ]


@certified_fact
def least_margins() -> dict[str, fmpq]:
    """Return how well functions of few variables separate the 61 records.

    The key is 'order, degree'. A positive value is the least y f(x) of one function; 0 means that no function
    of this kind is positive on one class and negative on the other.
    """
    found = {f"{order}, {n}": least_margin(signed_functions(order, n)) for order, n in separations()}
    return {key: fmpq(int((value * 10**6).floor()), 10**6) for key, value in found.items()}


def separations() -> tuple[tuple[int, int], ...]:
    """Return the orders and degrees that are compared."""
    return (1, 4), (1, 5), (PAIRS, 1), (PAIRS, 2), (TRIPLES, 1)


if __name__ == "__main__":
    write_facts()
