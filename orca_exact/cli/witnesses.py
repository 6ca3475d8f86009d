"""Output of ``profile --check``: the number of correct decimals of float64, mpmath and balls."""

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
_NAMED = 5  # at most so many indices are named in a sentence


def write_comparison(found: ArithmeticCheck, out: Output, form: str) -> int:
    """Write the comparison; return 1 if an arithmetic is outside the proved enclosure, else 0."""
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
    about = "float64, mpmath: number of correct decimals of each index; balls: number of proved decimals"
    if form == "markdown":
        out.print(f"## {title}\n\n{about}\n\n{Grid(headings, rows, left=(0, 1)).markdown()}")
    else:
        _table(out, title, about, headings, rows)
    out.print()
    for witness in WITNESSES:
        sentence = witness_sentence(found, witness)
        out.print(f"- {sentence}") if form == "markdown" else out.console.print(sentence, markup=False)
    return 0 if found.agrees else 1


def witness_sentence(found: ArithmeticCheck, witness: str) -> str:
    """Return a sentence on the agreement of an arithmetic with the proved values."""
    name = WITNESSES[witness] + (f" at {found.digits} digits" if ARITHMETICS[witness].takes_digits else "")
    worst, misses = found.worst(witness), found.misses(witness)
    said, expected = worst.said[witness].decimals, max(0, int(found.expected[witness]))
    if misses:
        named = ", ".join(row.label for row in misses[:_NAMED]) + ", ..." * (len(misses) > _NAMED)
        return (
            f"{name} is wrong in {len(misses)} of {len(found.rows)} indices ({named}): {_shown(said)} "
            f"correct decimals at {worst.label}, {expected} expected; either {name} or the proof is wrong."
        )
    if said == inf:
        return f"{name} agrees exactly with the proved value of every index."
    cause = " (all that are proved there)" if worst.decimals - said < 1 else ""
    return (
        f"{name} agrees with the proved value of every index to at least {int(said)} decimals{cause}; "
        f"the fewest are at {worst.label}, and at least {expected} were expected."
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
