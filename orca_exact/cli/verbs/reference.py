"""``reference``: certified values of every quantity an implementation may report."""

from __future__ import annotations

import argparse

from ...errors import BadInput, printable
from ...svm.certify import LEVELS
from ..parser import add_format, output_path
from ..terminal import Output

EXAMPLES = (
    "orca-exact reference examples/problems/xor.json -o ref.json",
    "orca-exact reference examples/problems/xor.json --level ball --digits 30",
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "problem", metavar="PROBLEM", nargs="+", help="problem files, plain or .gz; - is standard input"
    )
    parser.add_argument(
        "--level",
        choices=[name for name, level in LEVELS.items() if level.follows],
        default="exact",
        help="certificate (default exact)",
    )
    parser.add_argument("--digits", type=int, default=50, help="digits of balls and decimals (default 50)")
    parser.add_argument("--exact-fractions", action="store_true", help="write fractions of any length")
    parser.add_argument("--all", action="store_true", help="Gram matrix and c_k however many they are")
    parser.add_argument(
        "-o",
        "--output",
        type=output_path,
        metavar="REF",
        help="where to write (several problems: JSON lines); .json.gz packs it",
    )
    add_format(parser)


def run(args: argparse.Namespace, out: Output) -> int:
    from ... import cost
    from ...conformance.reference import save_references
    from ...conformance.reference_maker import make_reference
    from ...numbers.arithmetic import arithmetic
    from ...numbers.rationals import decimal
    from ...problem import Problem
    from ...profile.indices import summary_json

    problems: dict[str, tuple[str, Problem]] = {}
    for path in args.problem:
        problem = Problem.load(path)
        problem = problem if problem.id else problem.replace(id=str(path))
        if problem.id in problems:
            raise BadInput(
                f"{path}: the id {problem.id!r} is also that of {problems[problem.id][0]}; "
                "results are matched by it: give each problem its own"
            )
        problems[problem.id] = path, problem
    level = LEVELS[args.level]
    work = [
        level.cost(problem) + cost.profile_cost(problem, arithmetic(level.arithmetic, args.digits))
        for _, problem in problems.values()
    ]
    foreseen = sum(work, cost.Cost(0.0))._replace(file=0)
    out.announce(args.level, foreseen, "--level ball is quicker" if level.exact else "")
    references = []
    for path, problem in problems.values():
        out.progress(f"certifying {path}: {problem.m} points, {problem.modes} modes ...")
        references.append(make_reference(problem, args.level, args.digits, args.exact_fractions, args.all))
    out.progress("")
    if args.output:
        out.written(args.output, save_references(references, args.output))
    if args.format == "json":
        for reference in references:
            out.json(reference.to_json())
        return 0
    bullet = "- " if args.format == "markdown" else ""
    for reference in references:
        about, okc = reference.data["certificate"], reference.okc
        kernel = "" if reference.problem.is_plain else f"{reference.problem.about}; "
        name = printable(reference.id)
        out.print(f"{bullet}{name}: {kernel}level {about['level']}, {len(about['free'])} free and "
                  f"{len(about['bound'])} bound support vectors; ||h||^2 = {decimal(reference.norm2, 20)}, "
                  f"N* = {summary_json(okc.stated.peak) if okc else 'undefined (w = 0)'}")  # fmt: skip
    if args.output:
        hint = f"; compare with: orca-exact crosscheck {printable(args.output)} RESULT"
        out.file(args.output, hint, bullet)
    return 0
