"""``certify``: prove optimality and write the proof to a file anybody can check."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from ...errors import BadFile
from ...problem import Problem, check_fields, read_json
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
        result = read_json(args.solution)
        known = {"id", "alpha", "b", "gram", "coefficients", "norm2", "okc", "made_by"}
        check_fields(result, "orca-exact/result/1", {"alpha"}, known, args.solution)
        alpha = result["alpha"]
        if not isinstance(alpha, list):
            raise BadFile(args.solution, "alpha is not a list", "give one number per point")
    out.progress(f"certifying {problem.m} points at level {args.level} ...")
    certificate = certify(problem, alpha, level=args.level, digits=args.digits)
    data = certificate.to_json()
    out.progress("")
    if args.output:
        try:
            Path(args.output).write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
        except OSError as error:
            raise BadFile(args.output, error.strerror or "cannot be written", "choose another path") from None
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
