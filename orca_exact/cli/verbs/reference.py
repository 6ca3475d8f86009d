"""The verb ``reference``: write certified values of every quantity that an implementation may report."""

from __future__ import annotations

import argparse

from ...errors import BadInput, BadUsage, pluralize, printable
from ...svm.certify import LEVELS, default_level
from ..page import as_item
from ..parser import add_format, add_output, add_problem, output_path
from ..terminal import Output, describe_support

EXAMPLES = (
    "orca-exact reference examples/problems/xor.json -o ref.json",
    "orca-exact reference examples/problems/xor.json --level ball --digits 30",
    "orca-exact reference --vectors orca-vectors",
)


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add_problem(parser, "*")
    levels = [name for name, level in LEVELS.items() if level.has_path]
    add("--level", choices=levels, help="kind of proof (default exact, or ball for the RBF kernel)")
    add("--digits", type=int, default=50, help="number of digits (default 50)")
    add("--exact-fractions", action="store_true", help="write fractions of any length")
    add("--all", action="store_true", help="write the Gram matrix and the coefficients of any size")
    add(
        "--vectors",
        type=output_path,
        metavar="DIR",
        help="write the conformance vectors as a data set to a new folder, with schemas and checksums",
    )
    add_output(parser, "REF", "file to write, as JSON lines for several problems; .json.gz compresses it")
    add_format(parser)


def run(args: argparse.Namespace, out: Output) -> int:
    from ... import cost
    from ...conformance.reference import save_references
    from ...conformance.reference_maker import make_reference
    from ...numbers.arithmetic import arithmetic
    from ...numbers.rationals import format_decimal
    from ...problem import Problem
    from ...profile.indices import summary_to_json

    if args.vectors:
        return _write_vectors(args, out)
    if not args.problem:
        raise BadUsage("reference: no problem file is given; pass PROBLEM, or --vectors DIR")
    problems: dict[str, tuple[str, Problem]] = {}
    for path in args.problem:
        problem = Problem.load(path)
        problem = problem if problem.id else problem.replace(id=str(path))
        if problem.id in problems:
            raise BadInput(
                f"{path}: the id {problem.id!r} is also the id of {problems[problem.id][0]}; "
                "give each problem its own id, because results are matched by id"
            )
        problems[problem.id] = path, problem
    chosen = {args.level or default_level(problem) for _, problem in problems.values()}
    work = []
    for _, problem in problems.values():
        level = LEVELS[args.level or default_level(problem)]
        profile = cost.profile_cost(problem, arithmetic(level.arithmetic, args.digits))
        work.append(level.cost(problem) + profile)
    total = sum(work, cost.Cost(0.0))._replace(file=0)
    out.announce(", ".join(sorted(chosen)), total, "--level ball is faster" if "exact" in chosen else "")
    references = []
    for path, problem in problems.values():
        out.progress(f"certifying {path}: {problem.m} points, {problem.size_description} ...")
        references.append(make_reference(problem, args.level, args.digits, args.exact_fractions, args.all))
    out.progress("")
    if args.output:
        out.report_size(args.output, save_references(references, args.output))
    if args.format == "json":
        for reference in references:
            out.json(reference.to_json())
        return 0
    bullet = "- " if args.format == "markdown" else ""
    for reference in references:
        certificate, okc = reference.data["certificate"], reference.okc
        problem = reference.problem
        kernel = "" if problem.has_one_jacobi_weight else f", {problem.kernel_description}"
        support = describe_support(len(certificate["free"]), len(certificate["bound"]))
        about = f"{printable(reference.id)}: certified at level {certificate['level']}{kernel}"
        out.print(as_item(about, args.format))
        out.print(as_item(f"support vectors: {support}", args.format, "  "))
        peak = summary_to_json(okc.stated_summary.peak) if okc else "undefined (w = 0)"
        degrees = f", N* = {peak}" if problem.kernel.top_degree is not None else ""
        norm = f"||h||^2 = {format_decimal(reference.norm2, 20)}{degrees}"
        out.print(as_item(norm, args.format, "  "))
    if args.output:
        out.report_file(args.output, f"orca-exact crosscheck {printable(args.output)} RESULT", bullet)
    return 0


def _write_vectors(args: argparse.Namespace, out: Output) -> int:
    """Write the conformance vectors as a data set."""
    if args.problem or args.output:
        raise BadUsage("--vectors: it writes a folder of its own; leave out PROBLEM and -o, or --vectors")
    from ...conformance.vectors import vectors, vectors_sha256
    from ...conformance.vectors.dataset import CHECKSUMS, write_dataset

    names = write_dataset(args.vectors)
    if args.format == "json":
        out.json({"folder": str(args.vectors), "files": names, "sha256": vectors_sha256()})
        return 0
    bullet = "- " if args.format == "markdown" else ""
    written = f"{pluralize(len(vectors()), 'vector')} in {pluralize(len(names), 'file')}"
    out.print(as_item(f"{written}, vectors.json with the SHA-256 {vectors_sha256()}", args.format))
    out.report_file(args.vectors, f"cd {printable(args.vectors)} && sha256sum -c {CHECKSUMS}", bullet)
    return 0
