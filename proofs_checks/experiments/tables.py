"""Comparison of the five printed tables with certified values, cell by cell, by ``RULE``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from itertools import accumulate
from typing import Any

from flint import arb, fmpq, fmpz

from orca_exact.errors import Undecided
from orca_exact.numbers.rationals import QQ, format_decimal, midpoint, precision_digits
from orca_exact.numbers.values import to_json_value
from orca_exact.paths.path import Path, path
from orca_exact.paths.places import place_bounds
from orca_exact.paths.quadratics import IndexStep, Quadratic, QuadraticSums
from orca_exact.problem import Problem
from orca_exact.profile.indices import INDICES, IndexTable, UndecidedSummary, summary_to_json
from orca_exact.profile.profile import orca
from orca_exact.runtime.cache import load_entry, store_entry
from orca_exact.runtime.run import run_unordered

from .optima import (
    DIGITS,
    Certified,
    cache_version,
    certified_optimum,
    certify_all,
    printed_tables,
    table_problems,
)
from .stored import StoredRow

CONFIRMED, REFUTED, UNSETTLED = "confirmed", "refuted", "undecided"
CELL_MARKS = {CONFIRMED: "✓", REFUTED: "✗", UNSETTLED: "?"}
TABLES_SCHEMA = "orca-exact/tables/1"
NO_GENERATOR = "generator not given"
MAX_DIGITS = 8 * DIGITS
RULE = (
    "A printed decimal is confirmed if the certified value lies within half a unit of its last digit, and "
    "refuted if it lies outside. If the enclosing ball contains an end of that interval, the value is "
    "computed with more digits. Printed integers (N*, T) must be equal to the certified ones. The paper does "
    "not say how its spiral was generated, so that the cells of Tables 1 and 2 stay undecided; they are "
    "shown with values of our own."
)
_WIDTHS = (fmpq(5, 4), 4, None)  # quotients of the ends of a path and C; the last path has no ends
Ends = tuple[str, str | None]
PrintIntervals = Mapping[tuple[str, int], Ends]


@dataclass(frozen=True)
class Cell:
    """One printed cell, the certified value, and the verdict."""

    table: str
    n: int
    column: str
    printed: str
    value: Any  # a ball, an integer, or the remaining candidates
    verdict: str
    note: str = ""

    @property
    def id(self) -> str:
        """The id of the claim about the cell, such as 'tab-echo-legendre/n=5/OKC^(2)'."""
        return f"{self.table}/n={self.n}/{self.column}"

    def shown(self, more: int = 0) -> str:
        """Return the certified value with ``more`` decimals than the printed one."""
        return rounded(self.value, count_decimals(self.printed) + more)

    def to_json(self) -> dict:
        """Return the cell as in an orca-exact/tables/1."""
        value = (
            summary_to_json(self.value)
            if isinstance(self.value, int | UndecidedSummary)
            else to_json_value(self.value, 30)
        )
        data = {"column": self.column, "printed": self.printed, "value": value, "verdict": self.verdict}
        return data | ({"note": self.note} if self.note else {})


def count_decimals(printed: str) -> int:
    """Return the number of decimals of a printed number."""
    return len(printed.partition(".")[2])


def rounded(value: Any, decimals: int) -> str:
    """Return the value rounded to this many decimals, or its proved digits if the ball is too wide."""
    if isinstance(value, UndecidedSummary):
        return " or ".join(map(str, value.candidates))
    if not isinstance(value, arb):
        return str(value)
    if (nearest := _nearest_integer(value, decimals)) is None:
        return format_decimal(value, decimals + 2)
    return f"{Decimal(f'{int(nearest)}e-{decimals}'):f}"


def half_unit(printed: str) -> fmpq:
    """Return half a unit of the last printed digit."""
    return fmpq(1, 2 * 10 ** count_decimals(printed))


def compare_printed(printed: str, value: Any) -> str:
    """Apply the rounding rule of the module: CONFIRMED, REFUTED or UNSETTLED."""
    if isinstance(value, int):
        return CONFIRMED if printed == str(value) else REFUTED
    if isinstance(value, UndecidedSummary):
        return UNSETTLED
    with precision_digits(2 * MAX_DIGITS):
        away, half = abs(value - QQ(printed)), half_unit(printed)
        return CONFIRMED if away <= half else REFUTED if away > half else UNSETTLED


def column_value(result: Certified | StoredRow, column: str) -> Any:
    """Return the certified value of a column such as 'even', 'OKC^(2)', 'OKC_1', 'N*' or 'T_0.05'."""
    if column == "N*":
        return result.indices.stated_summary.peak
    if column.startswith("T_"):
        return result.indices.stated_summary.threshold[column.removeprefix("T_").rstrip("0")]
    return dict(result.listed_values(len(result.family("marginal"))))[column]


def judge_cell(
    table: dict, n: int, column: str, printed: str, result: Certified | StoredRow, cache: bool = True
) -> Cell:
    """Compare one cell, with more digits as long as the ball does not decide; a stored ball is as it is."""
    value, digits = column_value(result, column), DIGITS
    if table["dataset"] == "spiral":
        return Cell(table["id"], n, column, printed, value, UNSETTLED, NO_GENERATOR)
    verdict = compare_printed(printed, value)
    while verdict == UNSETTLED and digits < MAX_DIGITS and not isinstance(result, StoredRow):
        digits *= 2
        value = column_value(certified_optimum(result.problem, digits, cache), column)
        verdict = compare_printed(printed, value)
    return Cell(table["id"], n, column, printed, value, verdict)


def judge_table(
    table: dict, results: Iterable[Certified | StoredRow], cache: bool = True
) -> list[list[Cell]]:
    """Compare a printed table with the results of its rows."""
    return [
        [
            judge_cell(table, row["n"], column, printed, result, cache)
            for column, printed in zip(table["columns"], row["cells"], strict=True)
        ]
        for row, result in zip(table["rows"], results, strict=True)
    ]


def compare_table(
    dataset: str,
    data: str | None = None,
    jobs: int = 1,
    cache: bool = True,
    progress: Callable[[str], object] | None = None,
    scheduler: str | None = None,
) -> list[tuple[dict, list[list[Cell]]]]:
    """Return every printed table of a data set with its compared rows."""
    tables = [table for table in printed_tables().values() if table["dataset"] == dataset]
    problems = [problem for table in tables for problem in table_problems(table, data)]
    results = iter(certify_all(problems, jobs, cache, progress, scheduler=scheduler))
    return [(table, judge_table(table, [next(results) for _ in table["rows"]], cache)) for table in tables]


def same_print(
    found: Path, printed: Mapping[str, str], C: Any = 1, profile: IndexTable[Any] | None = None
) -> IndexStep:
    """Return the interval around C in which a row would be printed as at C.

    ``printed`` is the printed text by column; only the number of decimals of each column matters.
    ``profile`` is the certified profile at C, which is computed by default.
    """
    problem = found.problem.replace(C=C)
    profile = profile or orca(problem, found.certificate(C), "ball", DIGITS)
    columns = {
        index.label_of(key): (index.name, place)
        for index in INDICES.values()
        for place, key in enumerate(index.keys(sum(problem.degrees), problem.d))
    }
    shares = dict(profile.listed_values(problem.d))
    middles = {
        column: _nearest(shares[column], count_decimals(number))
        for column, number in printed.items()
        if column in columns
    }
    # odd = 1 - even: its conditions are those of even, and balls do not decide that their roots are the same
    if middles.get("even", fmpq(0)) + middles.get("odd", fmpq(0)) == 1:
        printed = {column: number for column, number in printed.items() if column != "odd"}

    def conditions(sums: QuadraticSums) -> list[Quadratic]:
        rows, norm, spectrum = [], sums.norm, sums.family("degree")
        F = _running_sums(spectrum)
        for column, number in printed.items():
            if column == "N*":
                best = spectrum[profile.peak]
                rows += [best.minus(other) for other in spectrum if other is not best]
            elif column.startswith("T_"):
                eps = column.removeprefix("T_")
                T = profile.threshold(eps)[0]
                rows += [F[T].minus(norm, 1 - QQ(eps))] * (len(F) > T + 1)
                rows += [norm.times(1 - QQ(eps)).minus(f) for f in F[:T][-1:]]
            else:
                name, place = columns[column]
                parity = spectrum[name == "odd" :: 2] if name in ("even", "odd") else []
                share = _running_sums(parity)[-1] if parity else sums.family(name)[place]
                middle = middles[column]
                rows.append(share.minus(norm, middle - half_unit(number)))
                rows.append(norm.times(middle + half_unit(number)).minus(share))
        return rows

    return found.interval_around(C, conditions)


def _running_sums(terms: Iterable[Quadratic]) -> list[Quadratic]:
    return list(accumulate(terms, lambda below, at: below.minus(at, -1)))


def same_print_interval(table: dict, n: int, problem: Problem, cache: bool = True) -> Ends:
    """Return the interval of C in which row n would be printed the same, as decimals inside it.

    The upper end is None if the interval is unbounded. The path is followed around C only, in steps, until it
    contains the interval. If no alpha_i is C, nothing changes above the largest one.
    """
    C, printed = QQ(table["C"]), _printed(table, n)
    profile = certified_optimum(problem.replace(C=C), cache=cache)
    largest = max(midpoint(arb(x)) for x in profile.alpha)
    for width in _WIDTHS:
        low = min(C, largest) / width if width else fmpq(0)
        high = C * width if width and largest >= C else None
        step = same_print(path(problem, low, high), printed, C, profile)
        if place_bounds(step.lower)[0] > low and (high is None or place_bounds(step.upper)[1] < high):
            break
    upper = None if step.upper is None else _short(place_bounds(step.upper)[0], ROUND_FLOOR)
    return _short(place_bounds(step.lower)[1], ROUND_CEILING), upper


def _printed(table: dict, n: int) -> dict[str, str]:
    cells = next(row["cells"] for row in table["rows"] if row["n"] == n)
    return dict(zip(table["columns"], cells, strict=True))


def _short(q: fmpq, rounding: str) -> str:
    return str(Context(5, rounding).divide(Decimal(int(q.p)), Decimal(int(q.q))))


def _nearest_integer(value: arb, decimals: int) -> fmpz | None:
    """Return 10**decimals times the value, rounded, or None if the ball is too wide to decide it."""
    with precision_digits(2 * MAX_DIGITS):
        return (value * 10**decimals + fmpq(1, 2)).floor().unique_fmpz()


def _nearest(value: arb, decimals: int) -> fmpq:
    if (nearest := _nearest_integer(value, decimals)) is None:
        raise Undecided(
            f"it is undecided how {format_decimal(value, decimals + 2)} rounds to {decimals} decimals"
        )
    return fmpq(nearest, 10**decimals)


def count_verdicts(tables: Iterable[tuple[dict, list[list[Cell]]]]) -> dict[str, int]:
    """Return the number of cells by verdict."""
    found = Counter(cell.verdict for _, rows in tables for row in rows for cell in row)
    return {verdict: found[verdict] for verdict in (CONFIRMED, REFUTED, UNSETTLED)}


def same_print_intervals(
    dataset: str,
    data: str | None,
    jobs: int,
    cache: bool,
    progress: Callable[[str], object],
    scheduler: str | None = None,
) -> PrintIntervals:
    """Return ``same_print_interval`` for every printed row of a data set, by table and n, cached."""
    found: dict[tuple[str, int], Ends] = {}
    keys: dict[tuple[str, int], dict] = {}
    tasks: dict[tuple[str, int], tuple] = {}
    for table in (table for table in printed_tables().values() if table["dataset"] == dataset):
        for row, problem in zip(table["rows"], table_problems(table, data), strict=True):
            place = table["id"], row["n"]
            decimals = {
                column: count_decimals(number) for column, number in _printed(table, row["n"]).items()
            }
            about = {"same print": decimals, "C": table["C"], "version": cache_version()}
            keys[place] = {"problem": problem.sha256, **about}
            hit = load_entry(keys[place], lambda entry: (entry["lower"], entry["upper"])) if cache else None
            if hit:
                found[place] = hit
            else:
                tasks[place] = *place, problem.to_json(), cache
    with closing(run_unordered(_reach, tasks, jobs, scheduler)) as results:
        for place, ends in results:
            found[place] = ends
            if cache:
                store_entry({"key": keys[place], "lower": ends[0], "upper": ends[1]})
            progress(f"intervals of C: {len(found)} of {len(keys)} rows")
    return {place: found[place] for place in keys}


def _reach(id: str, n: int, problem: dict, cache: bool) -> Ends:
    return same_print_interval(printed_tables()[id], n, Problem.from_json(problem), cache)


def to_json(tables: Iterable[tuple[dict, list[list[Cell]]]], intervals: PrintIntervals | None = None) -> dict:
    """Return compared tables as an orca-exact/tables/1."""

    def row_json(table: dict, row: list[Cell]) -> dict:
        data = {"n": row[0].n, "cells": [cell.to_json() for cell in row]}
        if intervals is not None:
            lower, upper = intervals[table["id"], row[0].n]
            data["same_print"] = {"lower": lower, "upper": upper}
        return data

    return {
        "schema": TABLES_SCHEMA,
        "tables": [
            {
                "id": table["id"],
                "alpha": table["alpha"],
                "beta": table["beta"],
                "C": table["C"],
                "rows": [row_json(table, row) for row in rows],
            }
            for table, rows in tables
        ],
    }
