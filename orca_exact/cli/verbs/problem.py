"""``problem``: from a CSV file with a header to a problem file, every number as it was written."""

from __future__ import annotations

import argparse
import csv
from typing import Any

from ...errors import BadParameter, printable
from ...files.formats import write_json
from ...measures.families import FAMILIES, read_measure
from ...table import Table, TableProblem, identifier_of
from ..parser import add_format, output_path
from ..terminal import Output, pluralize

EXAMPLES = (
    "orca-exact problem examples/tea.csv --label taste --n 4 -o mine.json",
    "orca-exact problem examples/tea.csv --label 4 --columns minutes,spoons --n 3,2 --C 10 -o mine.json",
    "cat examples/tea.csv | orca-exact problem - --label taste --positive bad --n 2 | orca-exact profile -",
)
FORM = "FAMILY[:ALPHA[,BETA]]"
TYPED = {name: tuple(kind.fields) for name, kind in FAMILIES.items() if kind.is_typed()}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "data", metavar="DATA", help="a CSV file whose first line has the names; - is standard input"
    )
    parser.add_argument(
        "--label", metavar="COLUMN", required=True, help="the classes: a name, or a number from 1"
    )
    parser.add_argument("--positive", metavar="CLASS", help="the class that is +1, against all others")
    parser.add_argument("--columns", metavar="A,B,...", help="the coordinates (default: all other columns)")
    parser.add_argument(
        "--n", metavar="N[,N...]", required=True, help="degree of all columns, or one for each"
    )
    parser.add_argument("--C", metavar="C", default="1", help="soft-margin parameter (default 1)")
    parser.add_argument("--alpha", metavar="X", help="of Jacobi's weight (default 0), as in --alpha=-1/2")
    parser.add_argument("--beta", metavar="X", help="of Jacobi's weight (default 0)")
    parser.add_argument(
        "--measure", metavar=FORM, action="append",
        help=f"instead: {' or '.join(', '.join(TYPED).rsplit(', ', 1))}; once, or once for each column",
    )  # fmt: skip
    parser.add_argument("--no-rescale", action="store_true", help="the columns lie in [-1, 1] as they are")
    parser.add_argument("--delimiter", metavar="CHAR", help="between columns (default: what fits)")
    parser.add_argument("--decimal", metavar="CHAR", choices=[".", ","], default=".", help="'.' or ','")
    parser.add_argument(
        "--no-header", action="store_true", help="the first line is data; columns are 1, 2, ..."
    )
    parser.add_argument("--strict", action="store_true", help="refuse missing values, do not drop their rows")
    parser.add_argument(
        "-o", "--output", type=output_path, metavar="FILE", help="where to write (default: standard output)"
    )
    add_format(parser)


def run(args: argparse.Namespace, out: Output) -> int:
    chosen = _chosen(args)
    found = chosen.problem.to_json()
    if args.output is None:
        for line in _lines(chosen):
            out.say(line)
        out.json(found)
        return 0
    out.written(args.output, write_json(args.output, found))
    if args.format == "json":
        out.json(_facts(chosen) | {"file": args.output})
        return 0
    bullet = "- " if args.format == "markdown" else ""
    for line in () if out.quiet else _lines(chosen):
        out.print(bullet + line)
    out.file(args.output, f"; next: orca-exact profile {printable(args.output)}", bullet)
    return 0


def _chosen(args: argparse.Namespace) -> TableProblem:
    delimiter = {"tab": "\t", "\\t": "\t"}.get(args.delimiter, args.delimiter)
    if delimiter is not None and len(delimiter) != 1:
        raise BadParameter("--delimiter", repr(delimiter), "is not one character", "take ',', ';' or tab")
    options: dict[str, Any] = {"C": args.C, "id": identifier_of(args.data)}
    if args.measure:
        if args.alpha or args.beta:
            raise BadParameter(
                "--measure", args.measure[0], "comes with --alpha or --beta", "take one of them"
            )
        measures = [_measure(given) for given in args.measure]
        options["measures"] = measures[0] if len(measures) == 1 else measures
    else:
        options |= {"alpha": args.alpha or 0, "beta": args.beta or 0}
    columns = None if args.columns is None else [name.strip() for name in next(csv.reader([args.columns]))]
    if delimiter == args.decimal:
        raise BadParameter("--decimal", repr(delimiter), "is the delimiter too", "take another --delimiter")
    table = Table.read(args.data, delimiter, not args.no_header, args.decimal)
    return table.problem(
        args.label, _degrees(args.n), columns, args.positive, args.strict, not args.no_rescale, **options
    )


def _degrees(given: str) -> int | list[int]:
    try:
        degrees = [int(part) for part in given.split(",")]
    except ValueError:
        raise BadParameter(
            "--n", repr(given), "is not a degree", "write 4, or 4,3,2 for three columns"
        ) from None
    return degrees[0] if len(degrees) == 1 else degrees


def _measure(given: str) -> Any:
    family, _, numbers = given.partition(":")
    names = TYPED.get(family)
    parts = [part for part in numbers.split(",") if part]
    if names is None or len(parts) > len(names):
        known = ", ".join(TYPED)
        raise BadParameter("--measure", repr(given), f"is not {FORM}", f"FAMILY is one of {known}")
    return read_measure(
        {"family": family, **dict.fromkeys(names, "0"), **dict(zip(names, parts, strict=False))}, "--measure"
    )


def _facts(chosen: TableProblem) -> dict:
    problem = chosen.problem
    return {
        "points": problem.m,
        "columns": list(problem.names),
        "modes": problem.modes,
        "positive": chosen.positive,
        "classes": chosen.counts,
        "dropped": [{"line": line, "column": column} for line, column in chosen.dropped],
        "sha256": problem.sha256,
    }


def _lines(chosen: TableProblem) -> list[str]:
    """What was made of the table, aloud: which class is which, which rows are gone."""
    problem, counts = chosen.problem, chosen.counts
    rest = {name: count for name, count in counts.items() if name != chosen.positive}
    names = ", ".join(map(printable, problem.names))
    space = f"{pluralize(problem.m, 'point')} in {pluralize(problem.d, 'column')}: {names}"
    lines = [
        f"{space}; {problem.about}: {problem.modes} modes",
        f"+1 is {_told({chosen.positive: counts[chosen.positive]})}, -1 is {_told(rest)}",
    ]
    if chosen.dropped:
        line, column = chosen.dropped[0]
        lines.append(
            f"{pluralize(len(chosen.dropped), 'row')} with a missing value left out, "
            f"the first in line {line}, column {printable(column)}"
        )
    return lines


def _told(counts: dict[str, int]) -> str:
    return ", ".join(f"{printable(name)} ({count} of them)" for name, count in counts.items())
