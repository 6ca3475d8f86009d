"""The verb ``crosscheck``: compare results of an implementation with certified values."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from typing import Any

from ...errors import BadFile, BadInput, BadParameter, BadUsage, pluralize, printable
from ...files.escaping import for_markdown, markdown_block
from ...files.formats import require_folder
from ...files.outcomes import FAILS, HOLDS, SYMBOLS, UNDECIDED
from ...numbers.rationals import format_decimal
from ..compliance import (
    Implementation,
    Scope,
    badge,
    compliance_page,
    describe_maker,
    digits_table,
    format_digits,
    require_page,
    worst_outcome,
)
from ..diagnosis import CLOSING_LINES, MAX_LINES, describe_bugs, examples, wrong_quantities
from ..page import Grid, as_item
from ..parser import add_format, add_jobs, output_path
from ..terminal import STYLES, Output

_HEADINGS = ("quantity", "against", "comparisons", "fewest digits", "median", "attainable", "")
_RULE = {"formula_digits": 10, "solver_digits": 4, "bits": 53}  # the defaults: full conformance
SHOWN_OUTCOMES = (HOLDS, FAILS, UNDECIDED)

EXAMPLES = (
    "orca-exact crosscheck ref.json result.json",
    "orca-exact profile examples/problems/xor.json --format json | orca-exact crosscheck ref.json -",
    "orca-exact crosscheck --run 'python examples/implementations/orca_sklearn.py'",
    "orca-exact crosscheck --run 'python examples/implementations/orca_sklearn.py' --flag NZero "
    "--html page.html --badge badge.svg",
    "orca-exact crosscheck --show --vector v002",
)


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("reference", metavar="REF", nargs="?", help="reference values; - is standard input")
    add("result", metavar="RESULT", nargs="?", help="results; - is standard input")
    add(
        "--run",
        action="append",
        metavar="CMD",
        help="program to test: it reads problems and writes results as JSON lines; may be repeated",
    )
    add("--name", action="append", metavar="NAME", help="name of a program, in the order of --run")
    add("--html", type=output_path, metavar="FILE", help="write a compliance page, one HTML file")
    add("--badge", type=output_path, metavar="FILE", help="write a badge of one program, an SVG file")
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
    formula, solver, bits = _RULE.values()
    text = "digits required of {} (default {})"
    add("--formula-digits", type=float, default=formula, help=text.format("formulas", formula))
    add("--solver-digits", type=float, default=solver, help=text.format("a solver", solver))
    add("--bits", type=int, default=bits, help=f"precision of the program in bits (default {bits})")
    add("--verbose", action="store_true", help="show every comparison of every problem")
    add_jobs(parser)
    add_format(parser)


def run(args: argparse.Namespace, out: Output) -> int:
    from ...conformance.crosscheck import count_unexplained, crosscheck_all
    from ...conformance.tolerance import Tolerance

    if args.show and not (args.run or args.reference):
        return _show_vectors(args, out)
    if args.show or bool(args.run) == bool(args.result):
        hint = "pass REF RESULT, or --run CMD, or REF --run CMD, or --show"
        raise BadUsage(f"crosscheck: these arguments do not fit together; {hint}")
    rule = {"formula": args.formula_digits, "solver": args.solver_digits, "bits": args.bits}
    Tolerance.check(**rule)
    names = _names(args)
    _check_outputs(args, names)
    asked = _asked(args)
    commands = args.run or ()
    pairs = [_run_program(args, out, command, asked) for command in commands] or [_files(args, asked)]
    answered = [pair for each in pairs for pair in each]
    reports = crosscheck_all(answered, args.jobs, args.scheduler, out.progress, **rule)
    out.progress("")
    size = len(pairs[0])
    programs = [
        Implementation(name, reports[i * size : (i + 1) * size], _maker(pairs[i]))
        for i, name in enumerate(names)
    ]
    if args.format == "json":
        parts = [
            {
                "outcome": x.outcome,
                "indices": dict(zip(("compared", "expected"), x.indices, strict=True)),
                "reports": [report.to_json() for report in x.reports],
            }
            for x in programs
        ]
        named = [{"name": x.name} | part for x, part in zip(programs, parts, strict=True)]
        out.json({"outcome": worst_outcome(reports), "programs": named} if len(programs) > 1 else parts[0])
    for i, program in enumerate(programs if args.format != "json" else ()):
        if len(programs) > 1:
            name = f"# {for_markdown(program.name)}" if args.format == "markdown" else printable(program.name)
            out.print(f"{chr(10) * bool(i)}{name}\n")
        unexplained: dict[Any, int] = {}
        if program.bugs:
            bug = program.bugs[0][0]
            unexplained = count_unexplained(bug, pairs[i], program.reports, **rule)
        _show(args, out, program, unexplained)
    if args.html or args.badge:
        _write_pages(args, out, programs, asked)
    return _exit_code(reports)


def _names(args: argparse.Namespace) -> list[str]:
    """Return the names of the programs: those of --name, or their commands."""
    commands = args.run or [args.result]
    names = args.name or commands
    if len(names) != len(commands):
        given, wanted = pluralize(len(names), "name"), pluralize(len(commands), "program")
        raise BadParameter(
            "--name", given, f"is not one for each of {wanted}", "repeat --name after each --run"
        )
    for name in names:
        if not name.strip():
            raise BadParameter("--name", repr(name), "is empty", "pass a name such as 'C++'")
        if names.count(name) > 1:
            raise BadParameter("--name", repr(name), "names two programs", "give each a name of its own")
    return names


def _check_outputs(args: argparse.Namespace, names: list[str]) -> None:
    """Raise an error before the programs run if a page or a badge cannot be written."""
    for option, path, ending in (("--html", args.html, ".html"), ("--badge", args.badge, ".svg")):
        if path is not None:
            if not path.lower().endswith(ending):
                raise BadParameter(option, repr(path), f"does not end in {ending}", f"use FILE{ending}")
            require_folder(path)
    if args.html:
        require_page()
    if args.badge and len(names) > 1:
        hint = "run one program at a time, or use --html, which has the badge of each"
        raise BadParameter("--badge", repr(args.badge), f"is for one program, not {len(names)}", hint)


def _maker(pairs: list[Any]) -> str:
    """Return what the first answer states about the program."""
    from ...conformance.result import Result

    answers = (answer.raw if isinstance(answer, Result) else answer for _, answer in pairs)
    return next((describe_maker(x.get("made_by")) for x in answers if isinstance(x, dict)), "")


def _write_pages(
    args: argparse.Namespace, out: Output, programs: list[Implementation], asked: list[Any]
) -> None:
    """Write the compliance page and the badge."""
    from ...files.formats import write

    scope = _scope(args, asked)
    if args.html:
        write(args.html, compliance_page(programs, scope))
    if args.badge:
        write(args.badge, badge(programs[0], scope))
    if args.format != "json":
        for path in filter(None, (args.html, args.badge)):
            out.report_file(path)


def _scope(args: argparse.Namespace, asked: list[Any]) -> Scope:
    """Return what was compared, and why it may be less than full conformance."""
    from ...conformance.vectors import Vector, vectors, vectors_sha256

    groups: dict[str, list[int]] = {}
    for i, (_, _, vector) in enumerate(asked):
        groups.setdefault(vector.group if isinstance(vector, Vector) else "problems of the file", []).append(
            i
        )
    restrictions = []
    if args.reference:
        source = f"The {pluralize(len(asked), 'problem')} are those of a reference file"
        restrictions.append("own problems instead of the conformance vectors")
    else:
        total = len(vectors())
        source = "The problems are conformance vectors of orca-exact, in a file with the SHA-256 "
        source += vectors_sha256()
        if len(asked) < total:
            restrictions.append(f"{len(asked)} of {total} vectors")
    given = [f"{name.replace('_', ' ')} {getattr(args, name):g} instead of {usual}"
             for name, usual in _RULE.items() if getattr(args, name) != usual]  # fmt: skip
    rule = f"Formulas must agree to {args.formula_digits:g} digits, values that depend on the solver to "
    rule += f"{args.solver_digits:g}, or as far as {args.bits} bits allow"
    return Scope(groups, rule, source, [*restrictions, *given])


def _files(args: argparse.Namespace, asked: list[Any]) -> list[Any]:
    """Return each reference with the result that has its id."""
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
    references = [reference for _, reference, _ in asked]
    if len(references) == len(results) == 1 and references[0].id == "":
        results = {"": {**next(iter(results.values())), "id": ""}}
    if None in results:
        raise BadFile(place_of(args.result), "the field 'id' is missing", "add the id of the problem")
    return [(reference, results.get(reference.id, "no result with this id")) for reference in references]


def _asked(args: argparse.Namespace) -> list[Any]:
    """Return each problem as JSON, its reference, and its vector if it is one."""
    from ...conformance.reference import load_references

    if args.reference:
        tasks = []
        for reference in load_references(args.reference):
            given = {} if reference.dual is None else {"dual": reference.data["dual"]}
            tasks.append((reference.problem.to_json(names=False) | given, reference, None))
        return tasks
    return [(vector.task, vector.reference, vector) for vector in _chosen(args)]


def _run_program(args: argparse.Namespace, out: Output, command: str, asked: list[Any]) -> list[Any]:
    """Return each reference with the answer of a program."""
    from ...conformance.foreign import run_program

    found = run_program(command, [task for task, _, _ in asked], args.timeout, out.progress)
    return [(reference, found[task["id"]]) for task, reference, _ in asked]


def _chosen(args: argparse.Namespace) -> list[Any]:
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


def _exit_code(reports: Sequence[Any]) -> int:
    outcome = worst_outcome(reports)
    if outcome != FAILS:
        return 0 if outcome == HOLDS else 3
    return 5 if all(report.kind for report in reports if report.outcome == FAILS) else 1


def _show(
    args: argparse.Namespace, out: Output, program: Implementation, unexplained: Mapping[Any, int]
) -> None:
    """Print the counts, the digits by quantity, and the failures with their causes."""
    markdown, reports, failed = args.format == "markdown", program.reports, program.failed
    title = ", ".join(f"{program.counts[key]} {key}" for key in SHOWN_OUTCOMES if program.counts[key])
    title = f"{pluralize(len(reports), 'problem')}: {title}; {program.described_indices}"
    brief = program.outcome == FAILS and not args.verbose
    rows = wrong_quantities(reports) if brief else digits_table(reports)
    width, lines = out.console.width, 2
    if markdown:
        out.print(f"## {title}" + "\n" * bool(rows))
    else:
        out.console.print(title + "\n" * bool(rows), style=STYLES[program.outcome])
    if rows:
        red = range(len(rows)) if brief else [i for i, key in enumerate(rows) if key in program.wrong]
        cells = [(*key, str(n), *map(format_digits, rest)) for key, (n, *rest) in rows.items()]
        cells = [(*row, SYMBOLS[FAILS] * (i in red)) for i, row in enumerate(cells)]
        grid = Grid(_HEADINGS, cells, left=(0, 1), wraps=0, red=red)
        if markdown:
            out.print(grid.markdown())
        else:
            out.console.print(*grid.tables(width))
        lines += len(rows) + 2
    causes = list(describe_bugs(program, unexplained))
    if program.stages:
        causes[:0] = ["stage at fault: " + ", ".join(f"{stage} ({n})" for stage, n in program.stages)]
    for i, line in enumerate(causes):
        out.print("\n" * (not i) + as_item(line, args.format))
        lines += ceil(len(line) / width) + (not i)
    if args.verbose:
        for report in reports:
            _show_comparisons(out, report)
    else:
        for text in examples(program, MAX_LINES - lines - CLOSING_LINES, width):
            out.print(f"\n{markdown_block(text) if markdown else text}")
    if not markdown:
        outcome = program.outcome
        closing, hint = _closing(args, reports, failed)
        out.console.print(f"\n{SYMBOLS[outcome]} {closing}", style=STYLES[outcome])
        if hint and not out.quiet:
            out.print(f"next: {hint}")


def _show_comparisons(out: Output, report: Any) -> None:
    """Print a report with every comparison."""
    out.print(f"\n{report}")
    for line in report.lines:
        if not line.has_digits:
            out.print(f"    {line.where or line.quantity} against {line.source}: "
                      f"{'right' if line.passes else 'wrong'}")  # fmt: skip
            continue
        found, needed, best = map(format_digits, (line.digits, line.needed, line.attainable))
        out.print(f"    {line.quantity} against {line.source}, correct digits: {found} "
                  f"({needed} needed, {best} attainable)")  # fmt: skip


def _closing(args: argparse.Namespace, reports: Sequence[Any], failed: list[Any]) -> tuple[str, str]:
    """Return the result as a phrase, and a hint what to do next."""
    if not failed:
        return (
            f"all compared values agree: formulas to {args.formula_digits:g} digits, the solver to "
            f"{args.solver_digits:g} digits, or as far as {args.bits} bits allow"
        ), ""
    count = f"{len(failed)} of {pluralize(len(reports), 'problem')}"
    if worst_outcome(reports) == UNDECIDED:
        compared = any(report.lines for report in failed)  # otherwise the notes say what to do
        return f"undecided: {count}", "write a reference with more digits (reference --digits)" * compared
    useful = not args.verbose and any(report.lines for report in failed)
    return f"no agreement: {count}", "repeat with --verbose to see every comparison" * useful
