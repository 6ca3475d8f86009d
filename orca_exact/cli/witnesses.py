"""``profile --check``: on how many decimals float64, mpmath and balls agree, index by index."""

from __future__ import annotations

from math import inf
from typing import Any

from ..conformance.witnesses import WITNESSES, ArithmeticCheck
from ..errors import printable
from ..numbers.arithmetic import ARITHMETICS
from ..numbers.rationals import decimal, digits_down
from .page import Grid
from .terminal import Output

VALUE = 15  # digits of a value in the table
_NAMED = 5  # indices that a sentence names


def write_comparison(found: ArithmeticCheck, out: Output, form: str) -> int:
    """In the form asked for; 1 if a witness misses a ball, else 0."""
    if form == "json":
        out.json(found.to_json())
        return 0 if found.agrees else 1
    headings = ["index", "proved value", *WITNESSES.values(), "balls"]
    rows = [
        [
            row.label + " <-" * any(said.misses for said in row.said.values()),
            decimal(row.proved, VALUE),
            *(_shown(row.said[witness].decimals) for witness in WITNESSES),
            _shown(row.decimals),
        ]
        for row in found.rows
    ]
    title = printable(found.problem.id) or "problem"
    about = "decimals of each index that agree with the proof, and that balls prove"
    if form == "markdown":
        out.print(f"## {title}\n\n{about}\n\n{Grid(headings, rows, left=(0, 1)).markdown()}")
    else:
        _table(out, title, about, headings, rows)
    out.print()
    for witness in WITNESSES:
        out.print(("- " if form == "markdown" else "") + witness_sentence(found, witness))
    return 0 if found.agrees else 1


def witness_sentence(found: ArithmeticCheck, witness: str) -> str:
    """What the witness is worth here."""
    name = WITNESSES[witness] + (f" at {found.digits} digits" if ARITHMETICS[witness].takes_digits else "")
    worst, misses = found.worst(witness), found.misses(witness)
    said, expected = worst.said[witness].decimals, max(0, int(found.expected[witness]))
    if misses:
        named = ", ".join(row.label for row in misses[:_NAMED]) + ", ..." * (len(misses) > _NAMED)
        return (
            f"{name} misses {len(misses)} of {len(found.rows)} indices ({named}): {_shown(said)} decimals "
            f"at {worst.label}, where {expected} were expected; one of the two is wrong"
        )
    if said == inf:
        return f"{name} agrees with the proved value exactly in every index"
    cause = ", as many as the balls prove there" if worst.decimals - said < 1 else ""
    return (
        f"{name} agrees with the proved value to at least {int(said)} decimals in every index{cause}; "
        f"worst: {worst.label}, expected: {expected} or more"
    )


def _shown(decimals: float) -> str:
    return "all" if decimals == inf else digits_down(decimals)


def _table(out: Output, title: str, about: str, headings: list[str], rows: list[list[str]]) -> None:
    from rich.table import Table
    from rich.text import Text

    table: Any = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for k, heading in enumerate(headings):
        table.add_column(heading, style="cyan" if not k else "", justify="right" if k > 1 else "left")
    for cells in rows:
        table.add_row(*cells, style="bold red" if cells[0].endswith("<-") else "")
    out.console.print(Text(title, style="bold"))
    out.console.print(Text(about))
    out.console.print()
    out.console.print(table)
