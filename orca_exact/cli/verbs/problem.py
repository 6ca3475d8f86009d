"""The verb ``problem``: make a problem file from a CSV file, with every number as it is written there."""

from __future__ import annotations

import argparse
import shlex
from dataclasses import replace
from math import inf
from typing import Any

from ...cost import LONG_SECONDS
from ...errors import BadParameter, list_first, pluralize, printable, shorten
from ...files.formats import JsonObject, write_json
from ...kernels.kernel import Kernel
from ...kernels.polynomial import Linear, Polynomial
from ...kernels.rbf import RBF
from ...measures.families import FAMILIES, read_measure
from ...measures.probability import IndexMeasure, read_index_measure
from ...numbers.rationals import format_count, format_decimal, to_text
from ...problem import Problem
from ...profile.under import describe_under, under_to_json
from ...table import Table, TableProblem, identifier_of, relative_C, scale_gamma
from ..automatic import choose_arithmetic
from ..page import as_item
from ..parser import add_format, add_output, degree
from ..terminal import Output

EXAMPLES = (
    "orca-exact problem examples/tea.csv --label taste -o mine.json",
    "orca-exact problem examples/tea.csv --label taste --n 4 -o mine.json",
    "orca-exact problem examples/tea.csv --label 4 --columns minutes spoons --n 3 2 --C 10 -o mine.json",
    "orca-exact problem examples/tea.csv --label taste --n 3 --order 2 -o mine.json",
    "orca-exact problem examples/tea.csv --label taste --kernel rbf --gamma 0.5 --under uniform -o mine.json",
    "cat examples/tea.csv | orca-exact problem - --label taste --positive bad --n 2 | orca-exact profile -",
)
DEGREE_HELP = (
    "one degree, or one for each column; without it n, the order and C are chosen by rows and columns"
)
RELATIVE = "relative"
_SHOWN_NAMES = 20  # columns that are named
_C_DIGITS = 10  # of a C that is not shown in full
FORM = "FAMILY[:ALPHA[,BETA]]"
UNDER_FORM = "empirical, uniform[:LOWER,UPPER] or normal:MEAN,SD"
KERNEL_OPTIONS = {  # which options belong to which kernel
    "orthogonal": ("n", "order", "alpha", "beta", "measure"),
    "linear": ("under",),
    "polynomial": ("degree", "gamma", "coef0", "under"),
    "rbf": ("gamma", "under"),
}
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
    add("--kernel", choices=KERNEL_OPTIONS, default="orthogonal", help="kernel (default orthogonal)")
    add("--n", metavar="N", type=degree, nargs="+", help=DEGREE_HELP)
    text = "largest number of columns that act together in the kernel (default: all of them)"
    add("--order", metavar="Q", type=degree, help=text)
    text = "soft-margin parameter (default 1); 'relative' is 1/(mean of K(x, x)), the default without --n"
    add("--C", metavar="C", help=text)
    add("--alpha", metavar="X", help="parameter of the Jacobi weight (default 0), as in --alpha=-1/2")
    add("--beta", metavar="X", help="parameter of the Jacobi weight (default 0)")
    text = f"one measure, or one for each column, as {FORM}; FAMILY is one of {', '.join(MEASURE_PARAMETERS)}"
    add("--measure", metavar="MEASURE", nargs="+", action="extend", help=text)
    text = "factor in the RBF and polynomial kernels, a number or 'scale' (default), 1/(columns x variance)"
    add("--gamma", metavar="G", help=text)
    add("--degree", metavar="P", type=degree, help="degree of the polynomial kernel (default 3)")
    add("--coef0", metavar="R", help="constant in the polynomial kernel (default 0)")
    text = f"measure of the indices, one or one for each column: {UNDER_FORM} (default empirical); "
    text += "numbers are in the units after rescaling, unless --no-rescale is given"
    add("--under", metavar="MEASURE", nargs="+", action="extend", help=text)
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
        out.print(as_item(line, args.format))
    out.report_file(args.output, _next_command(chosen.problem, args.output), bullet)
    return 0


def _read_table(args: argparse.Namespace) -> TableProblem:
    delimiter = {"tab": "\t", "\\t": "\t"}.get(args.delimiter, args.delimiter)
    if delimiter is not None and len(delimiter) != 1:
        raise BadParameter("--delimiter", repr(delimiter), "is not one character", "use ',', ';' or tab")
    options: dict[str, Any] = {
        "C": 1 if args.C in (None, RELATIVE) else args.C,
        "id": identifier_of(args.data),
    } | _kernel_options(args)
    if delimiter == args.decimal:
        raise BadParameter("--decimal", repr(delimiter), "is also the delimiter", "use another --delimiter")
    table = Table.read(args.data, delimiter, not args.no_header, args.decimal)
    for name in args.columns or ():
        if "," in name and name not in table.header:
            hint = f"separate names by spaces, as in --columns {shorten(name.replace(',', ' '))}"
            raise BadParameter("--columns", repr(name), "is not the name of a column", hint)
    chosen = table.problem(
        args.label, columns=args.columns, positive=args.positive, strict=args.strict,
        rescale=not args.no_rescale, **options,
    )  # fmt: skip
    problem = chosen.problem
    if args.order is not None:
        problem = problem.replace(kernel=replace(problem.polynomials, order=args.order))
    if args.kernel in ("polynomial", "rbf") and args.gamma in (None, "scale"):
        kernel = replace(problem.kernel, gamma=scale_gamma(problem.points))  # type: ignore[type-var]
        problem = problem.replace(kernel=kernel, under=options.get("under"))
    if args.C == RELATIVE or (args.C is None and args.kernel == "orthogonal" and args.n is None):
        problem = problem.replace(C=relative_C(problem))
    return chosen._replace(problem=problem)


def _kernel_options(args: argparse.Namespace) -> dict[str, Any]:
    """Return the options of ``Table.problem`` that describe the kernel and the measure of the indices."""
    own = KERNEL_OPTIONS[args.kernel]
    for name in sorted({name for names in KERNEL_OPTIONS.values() for name in names}):
        if getattr(args, name) is not None and name not in own:
            kernels = " or ".join(kernel for kernel, names in KERNEL_OPTIONS.items() if name in names)
            rule = f"is not an option of the kernel {args.kernel}"
            raise BadParameter(f"--{name}", "it", rule, f"leave it out, or use --kernel {kernels}")
    if args.kernel != "orthogonal":
        options: dict[str, Any] = {"kernel": _read_kernel(args)}
        if args.under:
            under = [_index_measure(text) for text in args.under]
            options["under"] = under[0] if len(under) == 1 else under
        return options
    n = args.n[0] if args.n is not None and len(args.n) == 1 else args.n
    if args.measure:
        if args.alpha or args.beta:
            hint = "use either --measure or --alpha and --beta"
            raise BadParameter("--measure", args.measure[0], "is given with --alpha or --beta", hint)
        measures = [_measure(text) for text in args.measure]
        return {"n": n, "measures": measures[0] if len(measures) == 1 else measures}
    return {"n": n, "alpha": args.alpha or 0, "beta": args.beta or 0}


def _read_kernel(args: argparse.Namespace) -> Kernel:
    """Return the kernel; a gamma that depends on the data is 1 for the time being."""
    if args.kernel == "linear":
        return Linear()
    gamma = 1 if args.gamma in (None, "scale") else args.gamma
    if args.kernel == "rbf":
        return RBF(gamma)
    return Polynomial(3 if args.degree is None else args.degree, gamma, args.coef0 or 0)


def _index_measure(text: str) -> IndexMeasure:
    """Return the measure of the indices that an option describes."""
    family, _, numbers = text.partition(":")
    parts = numbers.split(",") if numbers else []
    counts = {"empirical": (0,), "uniform": (0, 2), "normal": (2,)}
    if len(parts) not in counts.get(family, ()):
        raise BadParameter("--under", repr(text), "is not a measure of indices", f"pass {UNDER_FORM}")
    names = ("lower", "upper") if family == "uniform" else ("mean", "sd")
    return read_index_measure({"family": family, **dict(zip(names, parts, strict=False))}, "--under")


def _measure(text: str) -> Any:
    family, _, numbers = text.partition(":")
    names = MEASURE_PARAMETERS.get(family)
    parts = [part for part in numbers.split(",") if part]
    if names is None or len(parts) > len(names):
        hint = f"FAMILY is one of {', '.join(MEASURE_PARAMETERS)}"
        raise BadParameter("--measure", repr(text), f"does not have the form {FORM}", hint)
    parameters = dict.fromkeys(names, "0") | dict(zip(names, parts, strict=False))
    return read_measure({"family": family, **parameters}, "--measure")


def _facts(chosen: TableProblem) -> JsonObject:
    problem = chosen.problem
    return {
        "points": problem.m,
        "columns": list(problem.names),
        "order": problem.highest_order,
        "modes": None if problem.modes == inf else problem.modes,
        **_chosen_facts(chosen),
        "positive": chosen.positive,
        "classes": chosen.counts,
        "categories": {name: list(values) for name, values in chosen.categories.items()},
        "missing": chosen.missing,
        "dropped": [{"line": line, "column": column} for line, column in chosen.dropped],
        "sha256": problem.sha256,
    }


def _chosen_facts(chosen: TableProblem) -> JsonObject:
    """Return the kernel, the measure of the indices and the scale, unless the kernel has its own measure."""
    problem = chosen.problem
    if problem.kernel.own_measures is not None:
        return {}
    return {"kernel": problem.kernel.to_json(), "under": under_to_json(problem), "rescaled": problem.rescale}


def _lines(chosen: TableProblem) -> list[str]:
    """Return the columns, the kernel, the labels and the rows left out, as lines for a person."""
    problem, counts = chosen.problem, chosen.counts
    rest = {name: count for name, count in counts.items() if name != chosen.positive}
    names = list_first([printable(name) for name in problem.names], _SHOWN_NAMES)
    lines = [
        f"{pluralize(problem.m, 'point')} with {pluralize(problem.d, 'column')}: {names}",
        *_category_lines(chosen),
        *_kernel_lines(problem, bool(chosen.categories)),
        *_measure_lines(problem),
        f"label +1: {_count_classes({chosen.positive: counts[chosen.positive]})}",
        f"label -1: {_count_classes(rest)}",
    ]
    return lines + _missing_lines(chosen)


def _category_lines(chosen: TableProblem) -> list[str]:
    """Return how each column of text was encoded."""
    own = chosen.problem.kernel.own_measures is not None
    lines = []
    for name, values in list(chosen.categories.items())[:_SHOWN_NAMES]:
        shown = [printable(value) for value in values]
        if own:
            how = ", ".join(f"{value} = {code}" for code, value in enumerate(shown))
        else:
            how = "1 or 0 in " + ", ".join(
                f"{printable(name)}={value}" for value in (shown[1:] if len(shown) == 2 else shown)
            )
        lines.append(f"categories of {printable(name)}: {how}")
    if (rest := len(chosen.categories) - _SHOWN_NAMES) > 0:
        lines.append(f"categories of {pluralize(rest, 'more column')}: see the file")
    if lines and own:
        lines.append(
            "categories have their frequencies as weights; the order of their codes matters only for degrees"
        )
    return lines


def _kernel_lines(problem: Problem, encoded: bool) -> list[str]:
    """Return the kernel, and what to consider if it has more modes than there are rows."""
    about = problem.kernel_description
    if encoded and problem.kernel.own_measures is not None:  # the measures of the codes would fill the line
        largest, order = problem.n, problem.kernel.order
        about = f"orthogonal polynomials of degree up to {largest}" + f", order at most {order}" * bool(order)
    C = to_text(problem.C)
    C = C if len(C) < 12 else format_decimal(problem.C, _C_DIGITS)
    lines = [f"kernel: {about}, {problem.size_description}, C = {C}"]
    own = problem.kernel.own_measures is not None
    if own and problem.modes > problem.m and problem.highest_order > 1:
        limit = min(2, problem.highest_order - 1)
        lines.append(
            f"more modes ({format_count(int(problem.modes))}) than rows ({problem.m}): "
            "the indices may describe the kernel more than the data; "
            f"--order {limit} has fewer modes, and orca-exact study overfit compares them"
        )
    return lines


def _missing_lines(chosen: TableProblem) -> list[str]:
    """Return how many rows were left out because of missing values, and in which columns these are."""
    if not chosen.dropped:
        return []
    line, column = chosen.dropped[0]
    rows = chosen.problem.m + len(chosen.dropped)
    lines = [
        f"left out: {len(chosen.dropped)} of {pluralize(rows, 'row')}, because a value is missing "
        f"({'the first: ' * (len(chosen.dropped) > 1)}line {line}, column {printable(column)})"
    ]
    if len(chosen.missing) > 1 or len(chosen.dropped) > 1:
        counts = [f"{printable(name)} {count}" for name, count in chosen.missing.items()]
        lines.append(f"missing values: {', '.join(counts[:8])}{', ...' * (len(counts) > 8)}")
    if 5 * len(chosen.dropped) > rows and chosen.missing:
        worst = printable(next(iter(chosen.missing)))
        lines.append(f"many rows are lost: use --columns without {worst}, or fill in its values before")
    return lines


def _next_command(problem: Problem, path: str) -> str:
    """Return a command for the file that takes seconds for these data."""
    command = f"orca-exact profile {shlex.quote(printable(path))}"
    if choose_arithmetic(problem, 6).cost.seconds <= LONG_SECONDS:
        return command
    return f"{command} --arithmetic float"


def _measure_lines(problem: Problem) -> list[str]:
    """Return the measure of the indices and the scale, unless the kernel has its own measure."""
    if problem.kernel.own_measures is not None:
        return []
    scale = "rescaled to [-1, 1]" if problem.rescale else "used as they are"
    return [f"columns: {scale}", f"indices: under {describe_under(problem)}"]


def _count_classes(counts: dict[str, int]) -> str:
    return ", ".join(f"{printable(name)} ({pluralize(count, 'point')})" for name, count in counts.items())
