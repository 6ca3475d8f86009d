"""The verb ``crosscheck``: compare results of an implementation with certified values."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from ...errors import BadFile, BadInput, BadParameter, pluralize
from ...files.outcomes import FAILS, HOLDS, SYMBOLS, UNDECIDED
from ...numbers.rationals import format_decimal, format_digits_down
from ..page import Grid
from ..parser import add_format, add_jobs
from ..terminal import STYLES, Output

_HEADINGS = ("quantity", "against", "comparisons", "fewest digits", "median", "attainable", "")
_SHOWN = 10  # problems that are described without --verbose

EXAMPLES = (
    "orca-exact crosscheck ref.json result.json",
    "orca-exact profile examples/problems/xor.json --format json | orca-exact crosscheck ref.json -",
    "orca-exact crosscheck --run 'python examples/implementations/orca_sklearn.py'",
    "orca-exact crosscheck --show --vector v002",
)


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("reference", metavar="REF", nargs="?", help="reference values; - is standard input")
    add("result", metavar="RESULT", nargs="?", help="results; - is standard input")
    add("--run", metavar="CMD", help="program to test: it reads problems and writes results as JSON lines")
    add("--timeout", type=float, default=60, help="longest time without an answer, in seconds (default 60)")
    add("--flag", action="extend", nargs="+", metavar="FLAG", help="only vectors with one of these flags")
    add(
        "--problem-version",
        type=int,
        choices=(1, 2, 3),
        default=3,
        help="only formats up to this (default 3)",
    )
    add("--vector", action="extend", nargs="+", metavar="VECTOR", help="only these vectors, such as v002")
    add("--show", action="store_true", help="print the vectors and their certified values instead")
    add("--formula-digits", type=float, default=10, help="digits required of formulas (default 10)")
    add("--solver-digits", type=float, default=4, help="digits required of a solver (default 4)")
    add("--bits", type=int, default=53, help="precision of the program in bits (default 53)")
    add("--verbose", action="store_true", help="show every comparison of every problem")
    add_jobs(parser)
    add_format(parser)


def run(args: argparse.Namespace, out: Output) -> int:
    from ...conformance.crosscheck import crosscheck_all
    from ...conformance.tolerance import Tolerance

    if args.show and not (args.run or args.reference):
        return _show_vectors(args, out)
    if args.show or bool(args.run) == bool(args.result):
        hint = "pass REF RESULT, or --run CMD, or REF --run CMD, or --show"
        raise BadParameter("crosscheck", "the combination of arguments", "is not valid", hint)
    rule = {"formula": args.formula_digits, "solver": args.solver_digits, "bits": args.bits}
    Tolerance.check(**rule)
    pairs = _run_program(args, out) if args.run else _files(args)
    reports = crosscheck_all(pairs, args.jobs, args.scheduler, out.progress, **rule)
    out.progress("")
    if args.format == "json":
        out.json({"outcome": _outcome(reports), "reports": [report.to_json() for report in reports]})
    else:
        _show(args, out, reports)
    return _exit_code(reports)


def _files(args: argparse.Namespace) -> list:
    """Return each reference with the result that has its id."""
    from ...conformance.reference import load_references
    from ...files.formats import place_of, read_documents

    results: dict[Any, Any] = {}
    for place, data in read_documents(args.result):
        if not isinstance(data, dict) or not isinstance(data.get("id", ""), str):
            raise BadFile(
                place, "the line is not an object with a text 'id'", "see 'orca-exact schema result'"
            )
        name = data.get("id")
        if name in results:
            raise BadInput(f"{place}: the id {name!r} occurs twice; keep one of the two results")
        results[name] = data
    references = load_references(args.reference)
    if len(references) == len(results) == 1 and references[0].id == "":
        results = {"": {**next(iter(results.values())), "id": ""}}
    if None in results:
        raise BadFile(place_of(args.result), "the field 'id' is missing", "add the id of the problem")
    return [(reference, results.get(reference.id, "no result with this id")) for reference in references]


def _run_program(args: argparse.Namespace, out: Output) -> list:
    """Return each reference with the answer of the program."""
    from ...conformance.foreign import Failure, run_program
    from ...conformance.reference import load_references

    if args.reference:
        asked = [
            (reference.problem.to_json(names=False), reference)
            for reference in load_references(args.reference)
        ]
    else:
        asked = [(vector.task, vector.reference) for vector in _chosen(args)]
    found = run_program(args.run, [task for task, _ in asked], args.timeout, out.progress)
    answers = {id: str(answer) if isinstance(answer, Failure) else answer for id, answer in found.items()}
    return [(reference, answers[task["id"]]) for task, reference in asked]


def _chosen(args: argparse.Namespace) -> list:
    """Return the vectors chosen by --vector, --flag and --problem-version."""
    from ...conformance.vectors import shipped_document, vectors

    known = vectors()
    for name in args.vector or ():
        if name not in {v.id for v in known}:
            hint = f"use one of {known[0].id} to {known[-1].id}"
            raise BadParameter("--vector", repr(name), "is not a vector", hint)
    named = [v for v in known if not args.vector or v.id in args.vector]
    flagged = [v for v in named if not args.flag or set(args.flag) & set(v.flags)]
    if not flagged:
        hint = f"use {', '.join(shipped_document()['notes'])}"
        raise BadParameter("--flag", ", ".join(args.flag), "matches none of these vectors", hint)
    chosen = [v for v in flagged if v.version <= args.problem_version]
    if not chosen:
        rule, hint = "is below the version of these vectors", f"use {min(v.version for v in flagged)}"
        raise BadParameter("--problem-version", args.problem_version, rule, hint)
    return chosen


def _show_vectors(args: argparse.Namespace, out: Output) -> int:
    """Print each chosen vector as the line that a program reads, and its certified values."""
    from ...conformance.reference import plain_result

    for vector in _chosen(args):
        reference = vector.reference
        certified = {key: x for key, x in plain_result(reference).items() if key not in ("schema", "id")}
        if args.format == "json":
            about = {"group": vector.group, "flags": vector.flags}
            out.json(about | {"problem": vector.task, "certified": certified})
            continue
        out.print(f"{reference.id}: {vector.group} ({', '.join(vector.flags)})\n{json.dumps(vector.task)}")
        if reference.dual is None and not reference.alpha_unique:
            out.print("alpha: not unique")
        if "b" not in certified and reference.b is not None:
            out.print(f"b: in [{', '.join(format_decimal(end, 20, False) for end in reference.b)}]")
        for line in _value_lines("", certified):
            out.print(line)
    return 0


def _value_lines(name: str, data: Any) -> Iterator[str]:
    """Yield a line for each number or list of numbers."""
    if isinstance(data, dict) or (isinstance(data, list) and data and isinstance(data[0], list)):
        for key, x in data.items() if isinstance(data, dict) else enumerate(data):
            yield from _value_lines(f"{name}.{key}" if name else str(key), x)
    else:
        text = ", ".join(data) if isinstance(data, list) else data
        yield f"{name}: {'undefined (w = 0)' if data is None else text}"


def _outcome(reports: list) -> str:
    outcomes = {report.outcome for report in reports}
    return FAILS if FAILS in outcomes else UNDECIDED if UNDECIDED in outcomes or not reports else HOLDS


def _exit_code(reports: list) -> int:
    outcome = _outcome(reports)
    if outcome != FAILS:
        return 0 if outcome == HOLDS else 3
    from ...conformance.foreign import INVALID

    program = ("timeout", "crash", INVALID, "flood", "silent", "twice", "not run")
    failed = [report for report in reports if report.outcome == FAILS]
    return 5 if all((report.failure or "").startswith(program) for report in failed) else 1


def _show(args: argparse.Namespace, out: Output, reports: list) -> None:
    """Print the counts, the digits by quantity, and the failures with their causes."""
    markdown = args.format == "markdown"
    counts = Counter(report.outcome for report in reports)
    title = ", ".join(f"{counts[key]} {key}" for key in (HOLDS, FAILS, UNDECIDED) if counts[key])
    title = f"{pluralize(len(reports), 'problem')}: {title}"
    if markdown:
        out.print(f"## {title}\n")
    else:
        out.console.print(f"{title}\n", style=STYLES[_outcome(reports)])
    short = {(x.quantity, x.source) for report in reports for x in report.lines if x.fails}
    if rows := digits_table(reports):
        red = [i for i, row in enumerate(rows) if row[:2] in short]
        cells = [(quantity, source, str(n), *map(_digits, rest)) for quantity, source, n, *rest in rows]
        cells = [(*row, SYMBOLS[FAILS] * (i in red)) for i, row in enumerate(cells)]
        grid = Grid(_HEADINGS, cells, left=(0, 1), wraps=0, red=red)
        if markdown:
            out.print(grid.markdown())
        else:
            out.console.print(*grid.tables(out.console.width))
    failed = [report for report in reports if report.outcome != HOLDS]
    stages = Counter(report.stage for report in failed if report.stage)
    if stages:
        out.print("\nstage at fault: " + ", ".join(f"{stage} ({n})" for stage, n in stages.most_common()))
    from ...conformance.bugs import rank_bugs

    for bug, count in list(rank_bugs(report.bugs for report in failed))[:3]:
        explained = f"explains {count} of {pluralize(len(failed), 'failure')}"
        out.print(f"likely bug: {bug.name} (stage {bug.stage}, {explained}): {bug.means}")
    for report in reports if args.verbose else failed[:_SHOWN]:
        out.print(f"\n{report}")
        for line in report.lines if args.verbose else ():
            if not line.has_digits:
                out.print(f"    {line.where or line.quantity} against {line.source}: "
                          f"{'right' if line.passes else 'wrong'}")  # fmt: skip
                continue
            out.print(f"    {line.quantity} against {line.source}, correct digits: {_digits(line.digits)} "
                      f"({_digits(line.needed)} needed, {_digits(line.attainable)} attainable)")  # fmt: skip
    if len(failed) > _SHOWN and not args.verbose:
        out.print(f"\nnot shown: {len(failed) - _SHOWN} more; --verbose shows all")
    if not markdown:
        outcome = _outcome(reports)
        closing, hint = _closing(args, reports, failed)
        out.console.print(f"\n{SYMBOLS[outcome]} {closing}", style=STYLES[outcome])
        if hint and not out.quiet:
            out.print(f"next: {hint}")


def _closing(args: argparse.Namespace, reports: list, failed: list) -> tuple[str, str]:
    """Return the result as a phrase, and a hint what to do next."""
    if not failed:
        return (
            f"all compared values agree: formulas to {args.formula_digits:g} digits, the solver to "
            f"{args.solver_digits:g} digits, or as far as {args.bits} bits allow"
        ), ""
    count = f"{len(failed)} of {pluralize(len(reports), 'problem')}"
    if _outcome(reports) == UNDECIDED:
        return f"undecided: {count}", "write a reference with more digits (reference --digits)"
    return f"no agreement: {count}", "" if args.verbose else "repeat with --verbose to see every comparison"


def digits_table(reports: list) -> list[tuple[str, str, int, float, float, float]]:
    """Return rows (quantity, source, comparisons, fewest digits, median, median of attainable digits)."""
    from statistics import median

    rows: dict[tuple[str, str], list] = {}
    for report in reports:
        for line in report.lines:
            if line.has_digits and line.attainable != float("inf"):
                rows.setdefault((line.quantity, line.source), []).append(line)
    return [
        (quantity, source, len(lines), min(x.digits for x in lines), median(x.digits for x in lines),
         median(x.attainable for x in lines))
        for (quantity, source), lines in rows.items()
    ]  # fmt: skip


def _digits(x: float) -> str:
    return "all" if x >= 20 else "none" if x <= 0 else format_digits_down(x)
