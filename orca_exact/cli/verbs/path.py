"""The verb ``path``: the classifier and its indices for every C of an interval, by segments."""

from __future__ import annotations

import argparse
from typing import Any

from ...errors import BadParameter, ZeroClassifier, pluralize, printable, shorten
from ...files.formats import JsonObject, write_json
from ...numbers.rationals import QQ, format_decimal, to_text
from ...plots import save_figure
from ...problem import Problem
from ...profile.indices import EPSILONS, INDICES, UndecidedSummary
from ...svm.certify import LEVELS
from ..page import Grid, Page
from ..parser import add_figure, add_format, add_output, add_problem, check_figure, list_item
from ..terminal import Output, result_json

_DIGITS = 6  # significant digits of a C or an index
JSON_DIGITS = 30

EXAMPLES = (
    "orca-exact path examples/problems/xor.json",
    "orca-exact path examples/problems/xor.json --to 100 --level exact -o path.json",
    "orca-exact path examples/problems/xor.json --at 0.1 1/2 10",
)


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add_problem(parser)
    add("--from", dest="C_from", metavar="C", default="0", help="lower end of the interval (default 0)")
    add("--to", dest="C_to", metavar="C", help="upper end of the interval (default: infinity)")
    levels = [name for name, level in LEVELS.items() if level.has_path]
    add("--level", choices=levels, help="kind of proof (default ball; exact for -o and JSON)")
    add("--at", nargs="+", type=list_item, metavar="C", help="print the indices at these values of C instead")
    add_output(parser, "PATH", "write the path to a file for check-certificate")
    add_figure(parser)
    add_format(parser)


def run(args: argparse.Namespace, out: Output) -> int:
    from ...paths.path import path

    written = args.output is not None or (args.format == "json" and not args.at)
    if written and args.level and not LEVELS[args.level].exact:
        hint = "use --level exact, or leave out -o and --format json"
        raise BadParameter("--level", "ball", "cannot be written to a file", hint)
    check_figure(args.figure)
    if args.figure is not None and args.figure == args.output:
        raise BadParameter(
            "--figure", printable(args.figure), "is also the name given with -o", "use another name"
        )
    wanted = [QQ(C, "--at") for C in args.at or ()]
    problem = Problem.load(args.problem)
    if written and not problem.kernel.rational:
        option, given = ("--format", "json") if args.output is None else ("--output", printable(args.output))
        rule = f"needs exact breakpoints, which the {problem.kernel_description} does not have"
        raise BadParameter(option, given, rule, "leave it out, or use --at C with --format json")
    out.progress(f"computing the path of {problem.m} points ...")
    found = path(problem, args.C_from, args.C_to, "exact" if written else args.level or "ball")
    data = found.to_json() if written else None
    if args.output is not None:
        write_json(args.output, data)
    if args.figure:
        out.progress(f"drawing {pluralize(len(found), 'segment')} ...")
        save_figure(found.plot(), args.figure)
    if args.format == "json":
        shown = [_result(found, C) for C in wanted] if wanted else data
        out.progress("")
        out.json(shown)
        return 0
    out.progress(f"computing the indices of {pluralize(len(found), 'segment')} ...")
    page = _describe_indices(found, wanted) if wanted else describe_path(found)
    out.progress("")
    page.show(out, args.format)
    if args.output:
        out.report_file(args.output, f"orca-exact check-certificate {printable(args.output)}")
    if args.figure:
        out.report_file(args.figure)
    if not args.figure and not out.quiet:
        out.print(
            f"next: orca-exact path {printable(args.problem)} --figure path.svg (draws the orders over C)"
        )
    return 0


def describe_path(found: Any) -> Page:
    """Return a page with the segments and with statements for all C."""
    problem = found.problem
    rows = []
    for segment in found.segments:
        low, high = map(_shown, found.bounds(segment))
        events = ", ".join(map(str, segment.events))
        rows.append((low, high, str(len(segment.free)), str(len(segment.bound)), events))
    facts = [
        _about(found),
        f"optimality: proved for every C from {rows[0][0]} to {rows[-1][1]} (level {found.level}), "
        f"in {pluralize(len(found), 'segment')}",
    ]
    if found.hard_margin:
        facts.append(f"hard margin: from C = {rows[-1][0]} on, a larger C gives the same classifier")
    segments = Grid(("C from", "to", "free", "at bound", "event at the upper end"), rows, left=(4,), wraps=4)
    return Page(printable(problem.id) or "problem", facts, [segments], _statements(found))


def _about(found: Any) -> str:
    problem = found.problem
    about = f"{problem.m} points, d = {problem.d}, {problem.kernel_description}"
    return about + f"; indices under {found.under_description}" * bool(found.under_description)


def _profile(found: Any, C: Any) -> Any:
    try:
        return found.at(C)
    except ZeroClassifier:
        place = f"--at {format_decimal(C, _DIGITS)}: "
        raise ZeroClassifier(place, "leave out this C, or check the labels") from None


def _describe_indices(found: Any, wanted: list[Any]) -> Page:
    """Return a page with one column of indices for each C."""
    profiles, problem = [_profile(found, C) for C in wanted], found.problem
    columns = []
    for profile in profiles:
        summary = profile.summary()
        listed = dict(profile.listed_values(problem.d))
        if profile.has_degrees:
            listed |= {INDICES["degree"].label_of(N): x for N, x in profile.family("degree").items()}
        column = {label: _shown(x) for label, x in listed.items()} | {"||h||^2": _shown(profile.norm2)}
        column |= {"N*": _show_summary(summary.peak)} if profile.has_degrees else {}
        columns.append(column | {f"T_{eps}": _show_summary(T) for eps, T in summary.threshold.items()})
    headings = ("index", *(f"C = {shorten(to_text(C), 16)}" for C in wanted))
    table = Grid(headings, [(label, *(column[label] for column in columns)) for label in columns[0]])
    proved = f"optimality: proved at each C (level {found.level})"
    return Page(printable(problem.id) or "problem", [_about(found), proved], [table])


def _show_summary(x: Any) -> str:
    return f"one of {', '.join(map(str, x.candidates))}" if isinstance(x, UndecidedSummary) else str(x)


def _result(found: Any, C: Any) -> JsonObject:
    """Return the indices at one C as ``orca-exact/result/1``."""
    profile = _profile(found, C)
    return result_json(profile, found.certificate(C), found.level, JSON_DIGITS) | {"C": to_text(C)}


def _shown(C: Any) -> str:
    return "infinity" if C is None else format_decimal(C, _DIGITS)


def _statements(found: Any) -> list[str]:
    """Return statements for all C: the range of each order, and N* and T_eps by intervals of C."""
    lines = []
    for q in range(1, found.problem.d + 1):  # OKC^(0) = 0: sum_i alpha_i y_i = 0, or by convention
        try:
            least, most = found.order(q).extrema()
        except ZeroClassifier:
            own = found.problem.kernel.own_measures is not None
            constant = "" if own else ", or h is constant under the measure of the indices"
            return [f"No index is defined, because w = 0 for every C{constant}."]
        low, high = _shown(least.value), _shown(most.value)
        between = f"between {low} and {high}, largest {most.place_text}"
        lines.append(f"OKC^({q}): {between if low != high else low}")
    if not found.has_degrees:
        return lines
    for name, steps in (("N*", found.peak()), *((f"T_{eps}", found.threshold(eps)) for eps in EPSILONS)):
        lines.append(f"{name}: " + "; ".join(map(_step, steps)))
    return lines


def _step(step: Any) -> str:
    value, (low, high) = "undefined (w = 0)" if step.value is None else step.value, map(_shown, step[:2])
    return f"{value} at C = {low}" if step.is_single else f"{value} for C from {low} to {high}"
