"""``tables``: compare every cell of the paper's printed tables with its certified value."""

from __future__ import annotations

import argparse
import re
from typing import Any

from orca_exact.cli.page import Grid
from orca_exact.cli.parser import add_format
from orca_exact.cli.terminal import Output, split_table
from orca_exact.errors import BadParameter, DataMissing
from orca_exact.files.escaping import Markdown

from ..experiments.machine_checked import machine_checked_cell
from ..experiments.tables import (
    CELL_MARKS,
    CONFIRMED,
    NO_GENERATOR,
    REFUTED,
    UNSETTLED,
    Cell,
    PrintIntervals,
    compare_table,
    count_verdicts,
    same_print_intervals,
    to_json,
)
from .fetch import download_if_missing
from .options import add_experiments

RULE = "A cell is confirmed if its certified value lies within half a unit of the last printed digit."
TITLES = {"spiral": "double spiral", "echocardiogram": "echocardiogram"}
STYLES = {CONFIRMED: "", REFUTED: "bold red", UNSETTLED: "yellow"}
EXAMPLES = (
    "orca-exact tables spiral",
    "orca-exact tables echocardiogram --format markdown",
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("dataset", choices=["spiral", "echocardiogram"])
    add_experiments(parser)
    parser.add_argument("--strict", action="store_true", help="exit with 1 if a cell is refuted")
    parser.add_argument(
        "--every-C", action="store_true", help="print for which C each row would look the same (slower)"
    )
    add_format(parser)


def run(args: argparse.Namespace, out: Output) -> int:
    if args.data and args.dataset == "spiral":
        raise BadParameter("--data", args.data, "does not apply to the spiral", "omit this option")
    fetching = args.dataset == "echocardiogram" and not args.data
    if absent := download_if_missing(out, args.offline) if fetching else {}:
        raise DataMissing(*absent.values())
    how = args.dataset, args.data, args.jobs, not args.no_cache, out.progress, args.scheduler
    tables = compare_table(*how)
    intervals = same_print_intervals(*how) if args.every_C else None
    number = count_verdicts(tables)
    out.progress("")
    if args.format == "json":
        out.json(_with_proofs(to_json(tables, intervals)) | {"counts": number})
    elif args.format == "markdown":
        _markdown(out, tables, number)
    else:
        _text(out, tables, number)
    if intervals and args.format != "json":
        _every_C(out, intervals)
    if number[REFUTED] and args.strict:
        return 1
    return 3 if number[UNSETTLED] and args.dataset == "echocardiogram" else 0


def _every_C(out: Output, intervals: PrintIntervals) -> None:
    out.print("\nEach row would be printed the same, digit by digit, for every C in this interval:")
    for (table, n), (low, high) in intervals.items():
        out.print(f"- {table}/n={n}: " + (f"[{low}, {high}]" if high else f"[{low}, oo)"))


def _title(table: dict) -> str:
    where = f"Table {table['number']}: {TITLES[table['dataset']]}"
    return f"{where}, (α, β) = ({table['alpha']}, {table['beta']}), C = {table['C']}, d = {table['d']}"


def _checked(cell: Cell) -> str:
    """Return what to add to a refuted cell that Rocq refutes, too."""
    found = machine_checked_cell(cell.table, cell.n, cell.column)
    return ", machine-checked" if found and found.verdict == cell.verdict else ""


def _proved_cells(tables: list) -> str:
    """Return the sentence on the rows that are machine-checked, or ""."""
    where, count = [], 0
    for table, rows in tables:
        proved = [c for row in rows for c in row if machine_checked_cell(c.table, c.n, c.column)]
        count += len(proved)
        if found := sorted({cell.n for cell in proved}):
            where.append(f"Table {table['number']}, n = {', '.join(map(str, found))}")
    return f"Rocq proved {count} of these cells (stored proofs): {'; '.join(where)}." if where else ""


def _with_proofs(data: dict) -> dict:
    """Add to each cell what Rocq proved of it."""
    for table in data["tables"]:
        for row in table["rows"]:
            for cell in row["cells"]:
                if found := machine_checked_cell(table["id"], row["n"], cell["column"]):
                    cell["machine_checked"] = found.to_json()
    return data


def _closing(number: dict[str, int], spiral: bool) -> str:
    total = sum(number.values())
    line = f"{total} cells: " + ", ".join(f"{number[v]} {v}" for v in (CONFIRMED, REFUTED, UNSETTLED))
    return f"{line} ({NO_GENERATOR} in the paper; double_spiral documents ours)" if spiral else line


def _refuted(tables: list) -> list[Cell]:
    return [cell for _, rows in tables for row in rows for cell in row if cell.verdict == REFUTED]


def _text(out: Output, tables: list, number: dict[str, int]) -> None:
    from rich.text import Text

    console = out.console
    spiral = any(cell.note for _, rows in tables for row in rows for cell in row)
    for table, rows in tables:
        console.print(Text(_title(table), style="bold"))
        headings = [re.sub(r"T_|(?=[_^])", _two_lines, column, count=1) for column in table["columns"]]
        lines = []
        for row in rows:
            lines.append([Text(str(row[0].n), style="bold"), *(_printed(cell, Text) for cell in row)])
            if any(cell.verdict != CONFIRMED for cell in row):
                lines.append([Text(""), *(_certified(cell, Text) for cell in row)])
        for grid in split_table(["n", *headings], lines, console.width, 1, "right"):
            console.print(grid)
            console.print()
    if spiral:
        console.print(
            "For each n: the printed value with ? for undecided; below, the certified value on our spiral."
        )
    for cell in _refuted(tables):
        console.print(
            Text.assemble(
                (f"{cell.id}: ", "bold"),
                (REFUTED, STYLES[REFUTED]),
                f", printed {cell.printed}, certified {_long(cell)}{_checked(cell)}",
            )
        )
    marked = f"{RULE} A refuted cell is marked {CELL_MARKS[REFUTED]}, with its certified value below."
    console.print("All classifiers are certified; N* and T are decided by balls." if spiral else marked)
    if proved := _proved_cells(tables):
        console.print(proved)
    console.print(Text(_closing(number, spiral), style=STYLES[REFUTED] if number[REFUTED] else "bold"))
    if (wrong := _refuted(tables)) and not out.quiet:
        console.print(Text(f"Next: orca-exact claim '{wrong[0].id}', or orca-exact report -o report.html"))


def _long(cell: Cell) -> str:
    return str(cell.value) if isinstance(cell.value, int) else cell.shown(6) + "..."


def _two_lines(match: re.Match) -> str:
    return "T\n" if match[0] else "\n"


def _printed(cell: Cell, text: Any) -> Any:
    mark = "" if cell.verdict == CONFIRMED else CELL_MARKS[cell.verdict]
    return text(cell.printed + mark, style=STYLES[cell.verdict])


def _certified(cell: Cell, text: Any) -> Any:
    """Return the cell of the line below the printed one: empty if the printed value is confirmed."""
    shown = "" if cell.verdict == CONFIRMED else cell.shown()
    return text(shown, style="bold green" if cell.verdict == REFUTED else "cyan")


def _both(cell: Cell) -> str:
    """Return the printed value and, unless it is confirmed, the certified one."""
    if cell.verdict == REFUTED:
        return Markdown(f"~~{cell.printed}~~ **{cell.shown()}**")
    return f"{cell.printed}? ({cell.shown()})" if cell.verdict == UNSETTLED else cell.printed


def _markdown(out: Output, tables: list, number: dict[str, int]) -> None:
    spiral = any(cell.note for _, rows in tables for row in rows for cell in row)
    for table, rows in tables:
        out.print(f"### {_title(table)}\n")
        headings = ["n", *table["columns"]]
        lines = [[str(row[0].n), *map(_both, row)] for row in rows]
        out.print(Grid(headings, lines, left=()).markdown() + "\n")
    for cell in _refuted(tables):
        out.print(f"- `{cell.id}`: printed {cell.printed}, certified {_long(cell)}{_checked(cell)}")
    proved = f"\n\n{proved}" if (proved := _proved_cells(tables)) else ""
    out.print(f"\n{RULE}{proved}\n\n{_closing(number, spiral)}")
