"""Printed and certified values of the tables of section 6, and the registration of claims about them.

A sentence about the tables is one function ``check(get)``, where ``get(table, n, column)`` returns the
printed value, the value on our own spiral (the paper does not describe its generator) or the value on the
echocardiogram data. A printed decimal is the interval of the numbers that round to it, so a comparison of
printed values is decided only if the intervals decide it. The mutant of a sentence edits some cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from typing import Any

from flint import arb, fmpq

from orca_exact.errors import DataMissing
from orca_exact.numbers.rationals import QQ

from ..experiments import optima as experiments
from ..experiments import stored, tables
from ..ledger.claims import FINITE, HOLDS, Holds, Less, claim
from ..ledger.mutants import replacing

S1, S2 = "tab-spiral-legendre", "tab-spiral-jacobi"
E1, E2, E3 = "tab-echo-legendre", "tab-echo-jacobi-a", "tab-echo-jacobi-b"
SPIRAL, ECHO = (S1, S2), (E1, E2, E3)
EPS = ("T_0.10", "T_0.05", "T_0.01")
Key = tuple[str, int, str]
EDITS: dict[Key, str] = {}  # cells that a mutant replaces
FAMILY = (
    "our spiral (300 points, one and a half turns, no noise); the paper does not describe its generator, so "
    "nothing follows for its own data"
)
GROUPS = {"family": "spiral-family", "certified": "echocardiogram-sentences"}


def parse_cell(text: str) -> Any:
    """Return a printed cell as a rational, an integer, or None for '--'."""
    return None if text == "--" else int(text) if text.isdigit() else QQ(text)


def interval(text: str) -> tuple[fmpq, fmpq]:
    """Return the interval of numbers that round to a printed decimal."""
    return QQ(text) - tables.half_unit(text), QQ(text) + tables.half_unit(text)


def table(id: str) -> dict:
    """Return a printed table."""
    return experiments.printed_tables()[id]


def table_name(id: str) -> str:
    """Return the name of a table for readers, such as 'Table 1'."""
    return f"Table {table(id)['number']}"


def place(id: str, n: int) -> str:
    """Return the place of row n in print and in the source."""
    line = next(row["line"] for row in table(id)["rows"] if row["n"] == n)
    return f"section {'6.1' if id in SPIRAL else '6.2'}, {table_name(id)}, n = {n}, line {line}"


def row_degrees(id: str) -> list[int]:
    """Return the values of n of a table's rows."""
    return [row["n"] for row in table(id)["rows"]]


def printed_text(id: str, n: int, column: str) -> str:
    """Return the printed text of a cell, or the text that a mutant puts there."""
    if (id, n, column) in EDITS:
        return EDITS[id, n, column]
    row = next(row for row in table(id)["rows"] if row["n"] == n)
    return row["cells"][table(id)["columns"].index(column)]


def printed_value(id: str, n: int, column: str) -> Any:
    """Return a printed cell: an integer, None for '--', or the rounding interval of a decimal as a ball."""
    value = parse_cell(printed_text(id, n, column))
    if value is None or isinstance(value, int):
        return value
    low, high = interval(printed_text(id, n, column))
    return arb(low).union(arb(high))


def cell_rounds_to(get: Any, id: str, n: int, column: str, decimal: str) -> Any:
    """Return the relation that a cell is ``decimal``; a certified value must round to it."""
    where = f"{table(id)['number']}, n = {n}: {column} = {decimal}"
    if get is not printed_value:
        return Less(
            abs(get(id, n, column) - QQ(decimal)),
            tables.half_unit(decimal),
            f"distance of the certified value from Table {where}",
            strict=False,
        )
    (low, high), (least, most) = interval(printed_text(id, n, column)), interval(decimal)
    return Holds(
        least <= low and high <= most, f"Table {where} (the table prints {printed_text(id, n, column)})"
    )


def result(id: str, n: int) -> Any:
    """Return the certified profile of a row, or its stored indices where these are allowed."""
    try:
        return experiments.certified_row(id, n)
    except DataMissing as error:
        return stored.stored_row_if_allowed(id, n, error)


def certified_value(id: str, n: int, column: str) -> Any:
    """Return the certified value of a cell: a ball or an integer."""
    if (id, n, column) in EDITS:
        return parse_cell(EDITS[id, n, column])
    return tables.column_value(result(id, n), column)


def register_cell_edits(name: str, cells: dict[Key, str]) -> None:
    """Register a mutant that replaces these printed (and certified) cells."""
    replacing(name, __name__, "EDITS", cells)


Variant = tuple[str, str] | tuple[str, str, dict[Key, str]]


def register_sentence(
    id: str,
    line: int,
    title: str,
    plain: str,
    check: Callable[..., Any],
    edits: dict[Key, str] | str,
    expect: str = HOLDS,
    correction: str = "",
    family: Variant | None = None,
    data: Variant | None = None,
    **more: Any,
) -> None:
    """Register a sentence about the printed tables, and its variants on our spiral or on the data.

    Parameters
    ----------
    id : str
        Name of the claim; the variants add '/family' or '/certified'.
    line : int
        Line of the paper's source.
    title, plain : str
        The statement, and its explanation.
    check : callable
        Takes a function that reads a cell and returns relations.
    edits : dict or str
        The cells that the mutant of the sentence changes, or the name of an existing mutant.
    expect, correction : str
        Expected outcome, and the id of the corrected statement.
    family, data : tuple, optional
        Expected outcome, correction and optionally edits of the variant on our spiral or on the data.
    **more
        Further fields of the claim, such as latex, severity or reading, or a place with more lines.
    """
    name = edits if isinstance(edits, str) else f"print-{id}"
    if isinstance(edits, dict):
        register_cell_edits(name, edits)
    severity = more.pop("severity", "")
    shared: dict[str, Any] = {
        "place": more.pop("place", "") or f"section {'6.1' if line < 1219 else '6.2'}, line {line}",
        "plain": plain,
        **{key: more[key] for key in ("latex", "reading") if key in more},
    }
    claim(
        id, title=title, scope="the printed tables, each decimal taken as an interval", kills=(name,),
        second_route=_second_route(id, family, data),
        **_outcome_fields(expect, correction, severity), **more | shared,
    )(partial(check, printed_value))  # fmt: skip
    for kind, variant, where, whose in (
        ("family", family, FAMILY, "our spiral"),
        ("certified", data, "the 61 echocardiogram records, certified classifiers", "the data"),
    ):
        if variant is None:
            continue
        other = name
        if len(variant) == 3:
            other = f"{kind}-{id}"
            register_cell_edits(other, variant[2])
        claim(
            f"{id}/{kind}", title=f"{title} ({whose})", kills=(other,), scope=where, group=GROUPS[kind],
            needs="echocardiogram" if kind == "certified" else "", statement=more.get("statement") or id,
            second_route=f"the printed tables ({id})",
            **_outcome_fields(*variant[:2], severity or "imprecise wording"), **shared,
        )(partial(check, certified_value))  # fmt: skip


def _outcome_fields(expect: str, correction: str, severity: str) -> dict[str, str]:
    """Return the fields of a claim that describe its outcome."""
    ends = {"extent": FINITE} if expect == HOLDS else {"severity": severity}
    return {"expect": expect, "correction": correction} | ends


def _second_route(id: str, family: Any, data: Any) -> str:
    if family or data:
        return f"the same sentence on certified values ({id}/{'family' if family else 'certified'})"
    return "the printed digits themselves, which test_printed_tables compares with the source"


# Relations along a column.


def increasing(values: dict[int, Any], what: str, strict: bool = True, index: str = "n") -> Iterator:
    """Yield that each value is less than the next, or without ``strict`` not greater."""
    for (n, a), (k, b) in pairwise(values.items()):
        yield Less(a, b, f"{what} at {index} = {n} and at {index} = {k}", strict)


def decreasing(values: dict[int, Any], what: str) -> Iterator:
    """Yield that each value is greater than the next."""
    for (n, a), (k, b) in pairwise(values.items()):
        yield Less(b, a, f"{what} at n = {k} and at n = {n}")


def exceeds(get: Any, id: str, column: str, bound: str, rows: Any) -> Iterator:
    """Yield that a column is above a bound in the given rows."""
    for n in rows:
        yield Less(QQ(bound), get(id, n, column), f"{table_name(id)}, n = {n}: {bound}, and {column}")


def stays_below(get: Any, id: str, column: str, bound: str, rows: Any) -> Iterator:
    """Yield that a column is below a bound in the given rows."""
    for n in rows:
        yield Less(get(id, n, column), QQ(bound), f"{table_name(id)}, n = {n}: {column}, and {bound}")


def series(get: Any, id: str, column: str, rows: Any = None) -> dict[int, Any]:
    """Return a column as {n: value}."""
    return {n: get(id, n, column) for n in (rows or row_degrees(id))}


# Null models: equal c_k^2 on all modes k != 0, equal OKC_N on all degrees N >= 1.


def mode_counts(n: int, d: int) -> list[int]:
    """Count the modes of {0..n}^d by total degree, without the constant mode."""
    counts = [1]
    for _ in range(d):
        grown = [0] * (len(counts) + n)
        for k in range(n + 1):
            for N, value in enumerate(counts):
                grown[N + k] += value
        counts = grown
    counts[0] = 0
    return counts


def uniform_threshold(n: int, d: int, eps: str) -> int:
    """Return T_eps if every mode except the constant had the same c_k^2."""
    return _threshold(mode_counts(n, d), eps)


def flat_threshold(n: int, d: int, eps: str) -> int:
    """Return T_eps if every degree except 0 had the same OKC_N."""
    return _threshold([0] + [1] * (d * n), eps)


def _threshold(counts: list[int], eps: str) -> int:
    below = 0
    for T, value in enumerate(counts):
        below += value
        if fmpq(below, sum(counts)) >= 1 - QQ(eps):
            return T
    raise AssertionError("F(dn) = 1")
