"""The verb ``problem``: make a problem file from a CSV file, with every number as it is written there."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import Any

from ...errors import BadParameter, pluralize, printable
from ...files.formats import write_json
from ...measures.families import FAMILIES, read_measure
from ...table import Table, TableProblem, identifier_of
from ..parser import add_format, add_output, degree
from ..terminal import Output

EXAMPLES = (
    "orca-exact problem examples/tea.csv --label taste --n 4 -o mine.json",
    "orca-exact problem examples/tea.csv --label 4 --columns minutes spoons --n 3 2 --C 10 -o mine.json",
    "orca-exact problem examples/tea.csv --label taste --n 3 --order 2 -o mine.json",
    "cat examples/tea.csv | orca-exact problem - --label taste --positive bad --n 2 | orca-exact profile -",
)
FORM = "FAMILY[:ALPHA[,BETA]]"
MEASURE_PARAMETERS = {
    name: tuple(kind.fields) for name, kind in FAMILIES.items() if kind.has_scalar_parameters()
}


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("data", metavar="DATA", help="CSV file with column names in its first line; - is standard input")
    add("--label", metavar="COLUMN", required=True, help="column of the classes, its name or number")
    text = "class with label +1; all others have label -1 (default: the last of two, by number or letter)"
    add("--positive", metavar="CLASS", help=text)
    add("--columns", metavar="COLUMN", nargs="+", help="columns to use (default: all others)")
    add("--n", metavar="N", type=degree, nargs="+", required=True, help="one degree, or one for each column")
    text = "largest number of columns that act together in the kernel (default: all of them)"
    add("--order", metavar="Q", type=degree, help=text)
    add("--C", metavar="C", default="1", help="soft-margin parameter (default 1)")
    add("--alpha", metavar="X", help="parameter of the Jacobi weight (default 0), as in --alpha=-1/2")
    add("--beta", metavar="X", help="parameter of the Jacobi weight (default 0)")
    text = f"one measure, or one for each column, as {FORM}; FAMILY is one of {', '.join(MEASURE_PARAMETERS)}"
    add("--measure", metavar="MEASURE", nargs="+", action="extend", help=text)
    add("--no-rescale", action="store_true", help="do not rescale the columns to [-1, 1]")
    add("--delimiter", metavar="CHAR", help="character between columns (default: detected)")
    add("--decimal", metavar="CHAR", choices=[".", ","], default=".", help="decimal separator, '.' or ','")
    add("--no-header", action="store_true", help="the first line is data; columns are 1, 2, ...")
    add("--strict", action="store_true", help="fail at a missing value instead of leaving its row out")
    add_output(parser, "FILE", "file to write (default: standard output)")
    add_format(parser)


def run(args: argparse.Namespace, out: Output) -> int:
    chosen = _read_table(args)
    data = chosen.problem.to_json()
    if args.output is None:
        for line in _lines(chosen):
            out.inform(line)
        out.json(data)
        return 0
    out.report_size(args.output, write_json(args.output, data))
    if args.format == "json":
        out.json(_facts(chosen) | {"file": args.output})
        return 0
    bullet = "- " if args.format == "markdown" else ""
    for line in () if out.quiet else _lines(chosen):
        out.print(bullet + line)
    out.report_file(args.output, f"orca-exact profile {printable(args.output)}", bullet)
    return 0


def _read_table(args: argparse.Namespace) -> TableProblem:
    delimiter = {"tab": "\t", "\\t": "\t"}.get(args.delimiter, args.delimiter)
    if delimiter is not None and len(delimiter) != 1:
        raise BadParameter("--delimiter", repr(delimiter), "is not one character", "use ',', ';' or tab")
    options: dict[str, Any] = {"C": args.C, "id": identifier_of(args.data)}
    if args.measure:
        if args.alpha or args.beta:
            hint = "use either --measure or --alpha and --beta"
            raise BadParameter("--measure", args.measure[0], "is given with --alpha or --beta", hint)
        measures = [_measure(text) for text in args.measure]
        options["measures"] = measures[0] if len(measures) == 1 else measures
    else:
        options |= {"alpha": args.alpha or 0, "beta": args.beta or 0}
    if delimiter == args.decimal:
        raise BadParameter("--decimal", repr(delimiter), "is also the delimiter", "use another --delimiter")
    table = Table.read(args.data, delimiter, not args.no_header, args.decimal)
    for name in args.columns or ():
        if "," in name and name not in table.header:
            hint = f"separate names by spaces, as in --columns {name.replace(',', ' ')}"
            raise BadParameter("--columns", repr(name), "is not the name of a column", hint)
    n = args.n[0] if len(args.n) == 1 else args.n
    chosen = table.problem(
        args.label, n, args.columns, args.positive, args.strict, not args.no_rescale, **options
    )
    if args.order is None:
        return chosen
    problem = chosen.problem
    return chosen._replace(problem=problem.replace(kernel=replace(problem.polynomials, order=args.order)))


def _measure(text: str) -> Any:
    family, _, numbers = text.partition(":")
    names = MEASURE_PARAMETERS.get(family)
    parts = [part for part in numbers.split(",") if part]
    if names is None or len(parts) > len(names):
        hint = f"FAMILY is one of {', '.join(MEASURE_PARAMETERS)}"
        raise BadParameter("--measure", repr(text), f"does not have the form {FORM}", hint)
    parameters = dict.fromkeys(names, "0") | dict(zip(names, parts, strict=False))
    return read_measure({"family": family, **parameters}, "--measure")


def _facts(chosen: TableProblem) -> dict:
    problem = chosen.problem
    return {
        "points": problem.m,
        "columns": list(problem.names),
        "order": problem.highest_order,
        "modes": problem.modes,
        "positive": chosen.positive,
        "classes": chosen.counts,
        "dropped": [{"line": line, "column": column} for line, column in chosen.dropped],
        "sha256": problem.sha256,
    }


def _lines(chosen: TableProblem) -> list[str]:
    """Return the columns, the kernel, the labels and the rows left out, as lines for a person."""
    problem, counts = chosen.problem, chosen.counts
    rest = {name: count for name, count in counts.items() if name != chosen.positive}
    names = ", ".join(map(printable, problem.names))
    lines = [
        f"{pluralize(problem.m, 'point')} with {pluralize(problem.d, 'column')}: {names}",
        f"kernel: {problem.kernel_description}, {problem.size_description}",
        f"label +1: {_count_classes({chosen.positive: counts[chosen.positive]})}",
        f"label -1: {_count_classes(rest)}",
    ]
    if chosen.dropped:
        line, column = chosen.dropped[0]
        lines.append(
            f"left out: {pluralize(len(chosen.dropped), 'row')} with a missing value "
            f"({'the first: ' * (len(chosen.dropped) > 1)}line {line}, column {printable(column)})"
        )
    return lines


def _count_classes(counts: dict[str, int]) -> str:
    return ", ".join(f"{printable(name)} ({pluralize(count, 'point')})" for name, count in counts.items())
