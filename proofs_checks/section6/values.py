"""What section 6 is judged by: a printed cell, or the certified value of the same cell.

A sentence about the tables is one function ``check(get)``; ``get(table, n, column)`` reads print, our own
spiral (the paper does not give its generator) or the echocardiogram data. A printed decimal is the interval
of the numbers that round to it: a comparison of print is decided only where the intervals are. The mutant
of a sentence edits some cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from typing import Any

from flint import arb, fmpq

from orca_exact.numbers.rationals import QQ

from ..experiments import optima as experiments
from ..experiments import tables
from ..experiments.optima import Certified
from ..ledger.claims import FINITE, HOLDS, Holds, Less, claim, mutant, patched

S1, S2 = "tab-spiral-legendre", "tab-spiral-jacobi"
E1, E2, E3 = "tab-echo-legendre", "tab-echo-jacobi-a", "tab-echo-jacobi-b"
SPIRAL, ECHO = (S1, S2), (E1, E2, E3)
EPS = ("T_0.10", "T_0.05", "T_0.01")
Key = tuple[str, int, str]
EDITS: dict[Key, str] = {}  # what a mutant has put in the place of a cell
FAMILY = (
    "our spiral double_spiral(300, 3/2), noise-free; the paper's generator is not given, so nothing follows "
    "for its own data"
)
GROUPS = {"family": "spiral-family", "certified": "echocardiogram-sentences"}


def number(text: str) -> Any:
    """A printed cell: a decimal, an integer, or None for '--'."""
    return None if text == "--" else int(text) if text.isdigit() else QQ(text)


def interval(text: str) -> tuple[fmpq, fmpq]:
    """The numbers that round to a printed decimal: half a unit of its last digit to either side."""
    return QQ(text) - tables.half_unit(text), QQ(text) + tables.half_unit(text)


def table(id: str) -> dict:
    """A printed table."""
    return experiments.printed_tables()[id]


def called(id: str) -> str:
    """'Table 1': what readers call it."""
    return f"Table {table(id)['number']}"


def place(id: str, n: int) -> str:
    """Where its row n stands, in print and in the source."""
    line = next(row["line"] for row in table(id)["rows"] if row["n"] == n)
    return f"section {'6.1' if id in SPIRAL else '6.2'}, {called(id)}, n = {n}, line {line}"


def ns(id: str) -> list[int]:
    """The n of its rows."""
    return [row["n"] for row in table(id)["rows"]]


def text(id: str, n: int, column: str) -> str:
    """The printed text of a cell, mutants included."""
    if (id, n, column) in EDITS:
        return EDITS[id, n, column]
    row = next(row for row in table(id)["rows"] if row["n"] == n)
    return row["cells"][table(id)["columns"].index(column)]


def printed_value(id: str, n: int, column: str) -> Any:
    """A printed cell: an integer, None for '--', or the interval of a decimal as a ball."""
    value = number(text(id, n, column))
    if value is None or isinstance(value, int):
        return value
    low, high = interval(text(id, n, column))
    return arb(low).union(arb(high))


def states(get: Any, id: str, n: int, column: str, decimal: str) -> Any:
    """The cell is ``decimal``: print says no more than that, a certified value rounds to it."""
    where = f"{table(id)['number']}, n = {n}: {column} = {decimal}"
    if get is not printed_value:
        return Less(
            abs(get(id, n, column) - QQ(decimal)), tables.half_unit(decimal), f"Table {where}", strict=False
        )
    (low, high), (least, most) = interval(text(id, n, column)), interval(decimal)
    return Holds(least <= low and high <= most, f"Table {where}; printed {text(id, n, column)}")


def result(id: str, n: int) -> Certified:
    """The certified profile behind a row."""
    return experiments.certified_row(id, n)


def certified_value(id: str, n: int, column: str) -> Any:
    """The certified value of a cell: a ball or an integer."""
    if (id, n, column) in EDITS:
        return number(EDITS[id, n, column])
    return tables.value_of(result(id, n), column)


def edit(name: str, cells: dict[Key, str]) -> None:
    """A mutant that prints (and certifies) these cells instead."""

    @mutant(name)
    def edited() -> Iterator[None]:
        import sys

        with patched(sys.modules[__name__], "EDITS", cells):
            yield


Variant = tuple[str, str] | tuple[str, str, dict[Key, str]]


def sentence(
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
    """A sentence about the tables, against print; and on our spiral (``family``) or the data.

    ``edits``: the cells its mutant changes, or a mutant's name; a variant (expect, correction) takes the same
    mutant unless it brings edits of its own. ``more``: further fields of the claim, LaTeX, severity, reading.
    """
    name = edits if isinstance(edits, str) else f"print-{id}"
    if isinstance(edits, dict):
        edit(name, edits)
    severity = more.pop("severity", "")
    shared: dict[str, Any] = {
        "place": f"section {'6.1' if line < 1219 else '6.2'}, line {line}",
        "plain": plain,
        **{key: more[key] for key in ("latex", "reading") if key in more},
    }
    claim(
        id, title=title, scope="the printed tables, each decimal an interval", kills=(name,),
        second_route=_second(id, family, data), **_judged(expect, correction, severity), **more | shared,
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
            edit(other, variant[2])
        claim(
            f"{id}/{kind}", title=f"{title} ({whose})", kills=(other,), scope=where, group=GROUPS[kind],
            needs="echocardiogram" if kind == "certified" else "", statement=more.get("statement") or id,
            second_route=f"the printed tables ({id})",
            **_judged(*variant[:2], severity or "imprecise wording"), **shared,
        )(partial(check, certified_value))  # fmt: skip


def _judged(expect: str, correction: str, severity: str) -> dict[str, str]:
    """The fields of a claim that say how it ends."""
    ends = {"extent": FINITE} if expect == HOLDS else {"severity": severity}
    return {"expect": expect, "correction": correction} | ends


def _second(id: str, family: Any, data: Any) -> str:
    if family or data:
        return f"the same sentence on certified values ({id}/{'family' if family else 'certified'})"
    return "the printed digits are data of their own; test_printed_tables compares them with the source"


# Relations along a column.


def increasing(values: dict[int, Any], what: str, strict: bool = True) -> Iterator:
    """Each value is less than the next; without ``strict`` it is not greater."""
    for (n, a), (k, b) in pairwise(values.items()):
        yield Less(a, b, f"{what}, n = {n} to {k}", strict)


def series(get: Any, id: str, column: str, rows: Any = None) -> dict[int, Any]:
    """A column as {n: value}."""
    return {n: get(id, n, column) for n in (rows or ns(id))}


# Null models: equal c_k^2 on all modes k != 0, equal OKC_N on all degrees N >= 1.


def mode_counts(n: int, d: int) -> list[int]:
    """Modes of {0..n}^d by total degree, the constant mode left out."""
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
    """T_eps if every mode but the constant carried the same c_k^2."""
    return _threshold(mode_counts(n, d), eps)


def flat_threshold(n: int, d: int, eps: str) -> int:
    """T_eps if every degree but 0 carried the same OKC_N."""
    return _threshold([0] + [1] * (d * n), eps)


def _threshold(counts: list[int], eps: str) -> int:
    below = 0
    for T, value in enumerate(counts):
        below += value
        if fmpq(below, sum(counts)) >= 1 - QQ(eps):
            return T
    raise AssertionError("F(dn) = 1")
