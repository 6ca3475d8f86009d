"""``certify``: prove optimality and write the proof to a file anybody can check."""

from __future__ import annotations

import argparse

from ...errors import BadFile
from ...formats import read, write_json
from ...problem import Problem
from ..parser import add_format
from ..terminal import Output, summary

HELP = "prove that a solution is optimal and write the certificate"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("problem", metavar="PROBLEM", help="a problem file (orca-exact/problem/1)")
    parser.add_argument("--level", choices=["gap", "ball", "exact"], default="exact")
    parser.add_argument("--digits", type=int, default=50, help="digits of w, for level ball (default 50)")
    parser.add_argument("--solution", metavar="RESULT", help="a result file whose alpha is to be judged")
    parser.add_argument("-o", "--output", metavar="CERT", help="where to write the certificate")
    add_format(parser)


def run(args: argparse.Namespace, out: Output) -> int:
    from ...svm.certify import certify

    problem = Problem.load(args.problem)
    alpha = None
    if args.solution:
        from ...compare.result import Result

        alpha = Result.from_json(read(args.solution), args.solution).alpha
        if alpha is None:
            raise BadFile(args.solution, "no field 'alpha'", "give one number per point")
    out.progress(f"certifying {problem.m} points at level {args.level} ...")
    certificate = certify(problem, alpha, level=args.level, digits=args.digits)
    data = certificate.to_json()
    out.progress("")
    if args.output:
        write_json(args.output, data)
    facts = summary(certificate) | {"problem": problem.sha256, "certificate": data["sha256"]}
    if args.format == "json":
        out.json(facts if args.output else data)
        return 0
    bullet = "- " if args.format == "markdown" else ""
    for key, value in facts.items():
        out.print(f"{bullet}{key.replace('_', ' ')}: {'not decided' if value is None else value}")
    if args.output:
        out.print(
            f"{bullet}written: {args.output}; check it with: orca-exact check-certificate {args.output}"
        )
    return 0
